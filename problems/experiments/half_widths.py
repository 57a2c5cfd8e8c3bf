"""What the half-widths of measurements are: bounds that no error exceeds, or so many standard deviations of it.

    half_widths_are = "bounds"                  a reading outside its interval is impossible, whatever the noise
    half_widths_are = "3 standard deviations"   one is expected now and then: of N independent readings with Gaussian
        noise N erfc(k / sqrt 2)

No program can tell one from the other, so the problem file says it; where it does not, nothing is expected. The factor
at which all N readings lie inside with 99 % is k = Phi^-1((1 + 0.99^(1/N)) / 2). Columns may differ (`ByColumn`), and
then the readings of a part are of several sorts (`Mixture`): only those with deviations are expected outside, and those
with bounds stay inside at any factor from 1 on. All of this is an estimate, and holds if the noise is Gaussian and
independent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, erfc, expm1, log, log1p, sqrt
from statistics import NormalDist

from certify.problems.errors import InputError
from certify.problems.formulas.units import described, format_decimal, parse_decimal

KEY = "half_widths_are"
BOUNDS = "bounds"
DEVIATIONS = re.compile(r"(\S+) standard deviations?")
ALL_INSIDE = 0.99  # the probability with which no reading lies outside
MOST = 100  # standard deviations
U95 = Fraction("1.96")  # standard deviations
HALVINGS = 60


@dataclass(frozen=True, slots=True)
class HalfWidths:
    """So many standard deviations, or bounds where that is None; `stated` unless nobody has said what they are."""

    deviations: Fraction | None = None
    stated: bool = True

    def expected_outside(self, readings: int) -> float | None:
        """How many of so many readings lie outside their intervals on average, if the noise is Gaussian; None if they
        are bounds.
        """
        return None if self.deviations is None else readings * erfc(float(self.deviations) / sqrt(2.0))

    def factor_of_noise(self, readings: int) -> float | None:
        """How much wider the half-widths must be for Gaussian noise alone to keep all readings inside with 99 %; None
        if they are bounds.
        """
        return None if self.deviations is None else deviations_for_all(readings) / float(self.deviations)

    @property
    def text(self) -> str:
        """As the problem file says it."""
        if self.deviations is None:
            return BOUNDS
        return f"{format_decimal(self.deviations)} standard deviation{'' if self.deviations == 1 else 's'}"


UNSTATED = HalfWidths(stated=False)


@dataclass(frozen=True, slots=True)
class ByColumn:
    """What the half-widths of some columns are, by their names; nothing is stated of others."""

    columns: tuple[tuple[str, HalfWidths], ...]

    @property
    def stated(self) -> bool:
        """Whether anything is."""
        return bool(self.columns)


@dataclass(frozen=True, slots=True)
class Mixture:
    """What the half-widths of so many readings each are, of two sorts or more."""

    sorts: tuple[tuple[HalfWidths, int], ...]

    @property
    def stated(self) -> bool:
        """Whether something is said of all of them."""
        return all(sort.stated for sort, _ in self.sorts)

    @property
    def deviations(self) -> Fraction | None:
        """The fewest standard deviations of any; None if none is given in these."""
        return min((sort.deviations for sort, _ in self.sorts if sort.deviations is not None), default=None)

    def expected_outside(self, readings: int) -> float | None:
        """How many readings lie outside their intervals on average, if the noise is Gaussian."""
        found = [sort.expected_outside(count) for sort, count in self.sorts]
        return None if self.deviations is None else sum(outside or 0.0 for outside in found)

    def factor_of_noise(self, readings: int) -> float | None:
        """How much wider the half-widths must be for Gaussian noise alone to keep all readings inside with 99 %, at
        least 1 where some are bounds; None if all are.
        """
        gaussian = [(float(sort.deviations), count) for sort, count in self.sorts if sort.deviations is not None]
        if not gaussian:
            return None
        total, fewest = sum(count for _, count in gaussian), min(deviations for deviations, _ in gaussian)
        low, high = 0.0, deviations_for_all(total) / fewest
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            inside = sum(count * log1p(-erfc(middle * deviations / sqrt(2.0))) for deviations, count in gaussian)
            low, high = (low, middle) if inside >= log(ALL_INSIDE) else (middle, high)
        return high if len(gaussian) == len(self.sorts) else max(high, 1.0)


Statement = HalfWidths | ByColumn  # of a problem file
Noise = HalfWidths | Mixture  # of the readings of a part


def of_column(statement: Statement, name: str) -> HalfWidths:
    """What the half-widths of a column are."""
    return statement if isinstance(statement, HalfWidths) else dict(statement.columns).get(name, UNSTATED)


def by_column(columns: Mapping[str, HalfWidths]) -> Statement:
    """What the half-widths of these columns are; one statement, if all are the same."""
    sorts = set(columns.values())
    if len(sorts) == 1:
        return sorts.pop()
    return ByColumn(tuple((name, sort) for name, sort in columns.items() if sort.stated)) if sorts else UNSTATED


def of_readings(statement: Statement, counts: Mapping[str, int]) -> Noise:
    """What the half-widths of so many readings of each column are."""
    if isinstance(statement, HalfWidths):
        return statement
    sorts: dict[HalfWidths, int] = {}
    for name, count in counts.items():
        sort = of_column(statement, name)
        sorts[sort] = sorts.get(sort, 0) + count
    sorts = {sort: count for sort, count in sorts.items() if count}
    return Mixture(tuple(sorts.items())) if len(sorts) > 1 else next(iter(sorts), UNSTATED)


def deviations_for_all(readings: int) -> float:
    """So many standard deviations as hold all of so many independent Gaussian readings with 99 %."""
    outside = -expm1(log(ALL_INSIDE) / max(readings, 1))
    return -NormalDist().inv_cdf(outside / 2)


def offered(readings: int) -> Fraction:
    """The same as a decimal with two places, rounded up."""
    return Fraction(ceil(deviations_for_all(readings) * 100), 100)


def parse_half_widths(value: object, place: str) -> HalfWidths:
    """What a problem file says of its half-widths; `place` names the entry in messages."""
    if value == BOUNDS:
        return HalfWidths()
    found = DEVIATIONS.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        examples = (
            f'"{BOUNDS}", or how many of them they are, such as "3 standard deviations" (a U95 is "1.96 '
            f'standard deviations")'
        )
        raise InputError(f"{place} is {described(value)}; write {examples}")
    deviations = parse_decimal(found[1], place)
    if not 0 < deviations <= MOST:
        raise InputError(
            f"{place} is {described(value)}; write a positive number of standard deviations, at most {MOST}, "
            f'such as "3"'
        )
    return HalfWidths(deviations)
