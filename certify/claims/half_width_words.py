"""What the half-widths of the measurements are, in a sentence: an estimate, unless they are bounds."""

from __future__ import annotations

from certify.problems.experiments.half_widths import Mixture, Noise, deviations_for_all

IF_GAUSSIAN = "if the noise is Gaussian and independent"


def expected_outside(half_widths: Noise, readings: int) -> str:
    """How many of so many uncertain readings are expected outside their intervals."""
    if isinstance(half_widths, Mixture):
        return _of_several_sorts(half_widths, readings)
    if not half_widths.stated:
        return (
            "the problem file does not say what its half-widths are (half_widths_are), so they are taken as "
            "bounds: no reading is expected outside"
        )
    if half_widths.deviations is None:
        return "the half-widths are bounds: no reading is expected outside its interval"
    outside = half_widths.expected_outside(readings) or 0.0
    told = f"of {readings} uncertain readings {outside:.2g} are expected outside their intervals"
    return f"the half-widths are {half_widths.text}: {told} {IF_GAUSSIAN}"


def _of_several_sorts(half_widths: Mixture, readings: int) -> str:
    """The same where columns differ: only readings with deviations are expected outside."""
    told = []
    for sort, count in half_widths.sorts:
        told.append(
            f"{count} are not stated (taken as bounds)"
            if not sort.stated
            else f"{count} are bounds"
            if sort.deviations is None
            else f"{count} are {sort.text}"
        )
    outside = half_widths.expected_outside(readings)
    end = (
        "no reading is expected outside its interval"
        if outside is None
        else f"{outside:.2g} of the readings with deviations are expected outside their intervals {IF_GAUSSIAN}"
    )
    return f"of the half-widths of {readings} uncertain readings {', '.join(told)}: {end}"


def all_inside(readings: int, half_widths: Noise | None = None) -> str:
    """How wide half-widths must be that noise alone leaves no reading outside."""
    if isinstance(half_widths, Mixture):
        factor = half_widths.factor_of_noise(readings) or 1.0
        return f"a factor of {factor:.3g} holds all {readings} readings with 99 % {IF_GAUSSIAN}, and the bounds hold"
    return (
        f"{deviations_for_all(readings):.3g} standard deviations hold all {readings} readings with 99 % {IF_GAUSSIAN}"
    )
