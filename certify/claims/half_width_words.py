"""What the half-widths of the measurements are, in a sentence: an estimate, unless they are bounds."""

from __future__ import annotations

from certify.problems.experiments.half_widths import HalfWidths, deviations_for_all

IF_GAUSSIAN = "if the noise is Gaussian and independent"


def expected_outside(half_widths: HalfWidths, readings: int) -> str:
    """How many of so many uncertain readings are expected outside their intervals."""
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


def all_inside(readings: int) -> str:
    """How wide half-widths must be that noise alone leaves no reading outside."""
    return (
        f"{deviations_for_all(readings):.3g} standard deviations hold all {readings} readings with 99 % {IF_GAUSSIAN}"
    )
