"""What certify.fit says, as plain text: the minimum, each parameter with what encloses it, and what was claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from certify.claims.proved_words import (
    WITHOUT_CERTIFICATE,
    SearchedBox,
    Shaped,
    linear_line,
    lower_text,
    minimum_line,
    searched_line,
    shape_line,
    upper_text,
)
from certify.problems.model_fits.losses import SQUARES
from certify.problems.model_fits.units import Units, exponent
from certify.questions.least_squares import Minimum
from certify.records.verdicts import Verdict
from certify.text.decimals import round_down, round_up, show
from certify.text.plain_table import plain_table

SUM_DIGITS, ERROR_DIGITS, EXCESS_DIGITS = 12, 9, 3
BOX_DIGITS, KEPT = range(6, 41), Fraction(99, 100)
Ends = tuple[Fraction, Fraction]


class Claim(Protocol):
    """What another solver returned."""

    @property
    def least(self) -> Fraction | None:
        """What the sum of squares there is not below."""

    @property
    def excess(self) -> Fraction | None:
        """By how much that is more than the minimum, as a part of it."""


class Linear(Protocol):
    """A linear fit and what is known of it."""

    @property
    def estimate(self) -> Mapping[str, float]:
        """The fit, in doubles."""

    @property
    def ends(self) -> Mapping[str, Ends]:
        """What encloses each parameter."""

    @property
    def sum_ends(self) -> Ends:
        """What encloses the least sum."""

    @property
    def error_ends(self) -> Mapping[str, Ends]:
        """What encloses the standard errors."""

    @property
    def observations(self) -> int:
        """How many."""

    @property
    def exact(self) -> bool:
        """Whether it was solved in rational numbers."""

    @property
    def digits(self) -> Mapping[str, int]:
        """How many digits of the estimates are true."""


class Told(Protocol):
    """A fit and what is known of it."""

    @property
    def minimum(self) -> Minimum:
        """The record."""

    @property
    def searched(self) -> Sequence[tuple[str, Ends]]:
        """The box."""

    @property
    def observations(self) -> int:
        """How many."""

    @property
    def standard_errors(self) -> Mapping[str, tuple[float, float]]:
        """What encloses them."""

    @property
    def loss(self) -> str:
        """Its name."""

    @property
    def claimed(self) -> Claim | None:
        """What another solver returned."""

    @property
    def linear(self) -> Linear | None:
        """The solution in rational numbers."""

    @property
    def units(self) -> Units | None:
        """Those of the certificate, if they are other ones."""

    @property
    def shape(self) -> Shaped | None:
        """What the shape of the model says."""

    @property
    def everywhere(self) -> SearchedBox | None:
        """What is known of the whole search box."""


def fit_text(fit: Told) -> str:
    """All of it; numbers are rounded outwards."""
    minimum = fit.minimum
    box = ", ".join(f"{name} in {_inward(*ends)}" for name, ends in fit.searched)
    what = "least squares" if fit.loss == SQUARES else f"least sum of the loss {fit.loss} (told as a sum of squares)"
    lines = [
        f"{what} of {fit.observations} observations in {len(fit.searched)} parameters",
        f"search box: {box}",
        minimum_line(minimum, continued=fit.everywhere is not None or fit.linear is not None, plain=True),
    ]
    if fit.units is not None and minimum.verdict is not Verdict.UNDECIDED:
        lines.append(in_units(fit.units))
    if fit.linear is not None:
        kept = lines if minimum.verdict is not Verdict.UNDECIDED else lines[:-1]
        lines = [*kept, *linear_text(fit.linear).split("\n")[1:]]
        return "\n".join(lines if fit.claimed is None else [*lines, "", _judged(fit.claimed)])
    if fit.everywhere is not None and minimum.verdict is Verdict.LOCAL_MINIMUM:
        lines.append(searched_line(fit.everywhere, minimum.name))
    if fit.shape is not None and (fit.everywhere is None or fit.shape.lower > fit.everywhere.lower):
        lines.append(shape_line(fit.shape, minimum.name))
    if minimum.value is not None:
        low, high = minimum.value
        lines.append(
            f"sum of squares at the minimum: {lower_text(low, SUM_DIGITS)} .. {upper_text(high, SUM_DIGITS)} "
            f"(confirmed here)"
        )
    if minimum.box:
        lines += ["", *plain_table(fit_rows(fit)).split("\n")]
    return "\n".join(lines if fit.claimed is None else [*lines, "", _judged(fit.claimed)])


def _inward(low: Fraction, high: Fraction) -> str:
    """The ends of a box that was searched, inward, with so many digits that next to nothing of it is lost."""
    inner = low, high
    for digits in BOX_DIGITS:
        inner = round_up(low, digits), round_down(high, digits)
        if inner[1] - inner[0] >= KEPT * (high - low):
            break
    return f"[{show(inner[0])}, {show(inner[1])}]"


def in_units(units: Units) -> str:
    """In which units the certificate speaks."""
    told = ", ".join(f"{name} in 2^{exponent(unit)}" for name, unit in units.parameters.items())
    weighed = f", the weights in 2^{exponent(units.weight)}" if units.weight != 1 else ""
    return f"the certificate, saved with its problem, has {told}, y in 2^{exponent(units.response)}{weighed} for units."


def fit_rows(fit: Told) -> list[list[str]]:
    """A heading, and a row for each parameter that is enclosed."""
    if fit.linear is not None:
        return _linear_rows(fit.linear)
    errors = {name: (Fraction(low), Fraction(high)) for name, (low, high) in fit.standard_errors.items()}
    minimum, heading = fit.minimum, "the minimiser is in (confirmed here)"
    return _rows(heading, minimum.estimate, minimum.box, minimum.digits, errors)


def _linear_rows(fit: Linear) -> list[list[str]]:
    return _rows("the minimiser is in", fit.estimate, fit.ends, fit.digits, fit.error_ends)


def linear_text(fit: Linear) -> str:
    """All of a linear fit."""
    low, high = fit.sum_ends
    return "\n".join(
        [
            f"linear least squares of {fit.observations} observations in {len(fit.ends)} parameters",
            linear_line(fit.exact),
            f"sum of squares at the minimum: {lower_text(low, SUM_DIGITS)} .. {upper_text(high, SUM_DIGITS)}",
            "",
            *plain_table(_linear_rows(fit)).split("\n"),
        ]
    )


def _rows(
    heading: str,
    estimate: Mapping[str, float],
    box: Mapping[str, Ends],
    digits: Mapping[str, int],
    errors: Mapping[str, Ends],
) -> list[list[str]]:
    """A heading and a row for each parameter."""
    headings = ["parameter", "fit", "true digits", heading]
    rows = [[*headings, f"standard error {WITHOUT_CERTIFICATE}"] if errors else headings]
    for name, (low, high) in box.items():
        row = [name, f"{estimate[name]:.17g}", str(digits.get(name, 0)), _ends(low, high, digits.get(name, 0) + 4)]
        rows.append([*row, _ends(*errors[name], ERROR_DIGITS)] if errors else row)
    return rows


def _ends(low: Fraction, high: Fraction, digits: int) -> str:
    return f"[{lower_text(low, digits)}, {upper_text(high, digits)}]"


def _judged(claimed: Claim) -> str:
    """How far what another solver returned is above the minimum."""
    if claimed.least is None:
        return "the parameters that were given: the model is not defined there."
    told = f"the parameters that were given: sum of squares >= {lower_text(claimed.least, SUM_DIGITS)}"
    if claimed.excess is None:
        return f"{told} {WITHOUT_CERTIFICATE}."
    more = (
        f"{lower_text(100 * claimed.excess, EXCESS_DIGITS)} % above the minimum"
        if claimed.excess
        else "not known to be above the minimum"
    )
    return f"{told}, {more} {WITHOUT_CERTIFICATE}."
