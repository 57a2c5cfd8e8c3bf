"""The problem with all half-widths of its measurements multiplied by one factor:  [v - h, v + h]  becomes  [v - f h, v
+ f h].

The boxes of a smaller factor lie within those of a larger one: what refutes a factor refutes all below it, and what
explains all readings within it does so within all above. Measurements that are known exactly stay so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from certify.problems.model.model import Bounds, Column, Problem


def scaled(problem: Problem, factor: Fraction) -> Problem:
    """The problem with half-widths `factor` times as wide, exactly."""
    return replace(problem, columns=tuple(_scaled(column, factor) for column in problem.columns))


def _scaled(column: Column, factor: Fraction) -> Column:
    half = (factor - 1) / 2  # of a column's width: so much further out is either end
    beyond = [half * (high - low) for low, high in zip(column.lower, column.upper, strict=True)]
    lower = tuple(low - more for low, more in zip(column.lower, beyond, strict=True))
    return replace(
        column, lower=lower, upper=tuple(high + more for high, more in zip(column.upper, beyond, strict=True))
    )


def uncertain_readings(problem: Problem, scope: Collection[int] | None = None) -> int:
    """How many readings of the families of a scope (all, if none is named) are not known exactly; one that several rows
    share counts once.
    """
    return sum(uncertain_by_column(problem, scope).values())


def uncertain_by_column(problem: Problem, scope: Collection[int] | None = None) -> dict[str, int]:
    """The same column by column of the table; x.pose1, x.pose2, ... are one, called x."""
    families = problem.families if scope is None else [problem.families[number] for number in scope]
    columns = {binding.index for family in families for binding in family.bindings if binding.measured}
    counts: dict[str, int] = {}
    for number in sorted(columns):
        column = problem.columns[number]
        name = column.name.partition(".")[0]
        uncertain = sum(low < high for low, high in zip(column.lower, column.upper, strict=True))
        counts[name] = counts.get(name, 0) + uncertain
    return counts


def factor_between(first: Sequence[Sequence[Bounds]], second: Sequence[Sequence[Bounds]]) -> Fraction | None:
    """The one factor on the half-widths of the first columns that gives the second ones exactly; None if
    there is none.
    """
    pairs = [pair for one, other in zip(first, second, strict=False) for pair in zip(one, other, strict=False)]
    widths = [(high - low, above - below) for (low, high), (below, above) in pairs]
    factor = next((other / one for one, other in widths if one), None)
    if factor is None or [len(column) for column in first] != [len(column) for column in second]:
        return None
    kept = all(low + high == below + above for (low, high), (below, above) in pairs)
    return factor if kept and all(other == factor * one for one, other in widths) else None
