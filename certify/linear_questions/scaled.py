"""The same table with all bounds times a factor: what the search sees of it, and what its certificates say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from certify.problems.regressors.regressor import Regressor
from certify.regressors.emission import Emission


class AtFactor(Emission):
    """Certificates about all half-widths times a factor."""

    def __init__(self, problem: Regressor, times: Fraction) -> None:
        super().__init__(problem)
        self.times = times

    def _claim(self, times: Fraction, **claimed: object) -> Any:
        return super()._claim(times * self.times, **claimed)


@dataclass(frozen=True, eq=False)
class Scaled(Regressor):
    """A problem whose rows have intervals of their own, all times a factor: `lower` and `upper` are for choosing, the
    ends are exact, the table is the original one.
    """

    original: Regressor
    times: Fraction

    def ends(self, row: int) -> tuple[Fraction, Fraction]:
        """Those of the row's interval times the factor, exactly."""
        low, high = self.original.ends(row)
        middle, half = (low + high) / 2, self.times * (high - low) / 2
        return middle - half, middle + half

    def records(self, rows: slice | Sequence[int]) -> bytes:
        """As they stand in the table."""
        return self.original.records(rows)

    def canonical(self) -> Iterator[bytes]:
        """The bytes of the original."""
        return self.original.canonical()

    @cached_property
    def digest(self) -> str:
        """That of the original."""
        return self.original.digest


def at_factor(problem: Regressor, factor: Fraction) -> Regressor:
    """The same rows with all bounds times a factor."""
    if problem.base:
        return replace(problem, base=factor * problem.base)
    middle, half = (problem.lower + problem.upper) / 2, (problem.upper - problem.lower) / 2 * float(factor)
    return Scaled(
        matrix=problem.matrix, y=problem.y, lower=middle - half, upper=middle + half, base=problem.base,
        names=problem.names, units=problem.units, unit=problem.unit, bounds=problem.bounds, original=problem,
        times=factor,
    )  # fmt: skip
