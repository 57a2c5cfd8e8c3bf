"""What certify.fit says, as plain text: the minimum, each parameter with what encloses it, and what was claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from certify.claims.proved_words import WITHOUT_CERTIFICATE, lower_text, minimum_line, upper_text
from certify.questions.least_squares import Minimum
from certify.text.plain_table import plain_table

SUM_DIGITS, ERROR_DIGITS, EXCESS_DIGITS = 12, 9, 3
Ends = tuple[Fraction, Fraction]


class Claim(Protocol):
    """What another solver returned."""

    @property
    def least(self) -> Fraction | None:
        """What the sum of squares there is not below."""

    @property
    def excess(self) -> Fraction | None:
        """By how much that is more than the minimum, as a part of it."""


def fit_text(
    minimum: Minimum,
    searched: Sequence[tuple[str, Ends]],
    observations: int,
    errors: Mapping[str, tuple[float, float]],
    claimed: Claim | None,
) -> str:
    """All of it; numbers are rounded outwards."""
    box = ", ".join(f"{name} in [{float(low):g}, {float(high):g}]" for name, (low, high) in searched)
    lines = [
        f"least squares of {observations} observations in {len(searched)} parameters",
        f"search box: {box}",
        minimum_line(minimum),
    ]
    if minimum.value is not None:
        low, high = minimum.value
        lines.append(
            f"sum of squares at the minimum: {lower_text(low, SUM_DIGITS)} .. {upper_text(high, SUM_DIGITS)} "
            f"(confirmed here)"
        )
    if minimum.box:
        lines += ["", *plain_table(fit_rows(minimum, errors)).split("\n")]
    return "\n".join(lines if claimed is None else [*lines, "", _judged(claimed)])


def fit_rows(minimum: Minimum, errors: Mapping[str, tuple[float, float]]) -> list[list[str]]:
    """A heading, and a row for each parameter that is enclosed."""
    heading = ["parameter", "fit", "true digits", "the minimiser is in (confirmed here)"]
    rows = [[*heading, f"standard error {WITHOUT_CERTIFICATE}"] if errors else heading]
    for name, (low, high) in minimum.box.items():
        digits = minimum.digits.get(name, 0)
        row = [name, f"{minimum.estimate[name]:.17g}", str(digits), _ends(low, high, digits + 4)]
        if errors:
            error = errors[name]
            row.append(_ends(Fraction(error[0]), Fraction(error[1]), ERROR_DIGITS))
        rows.append(row)
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
