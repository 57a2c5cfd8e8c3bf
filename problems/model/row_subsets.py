"""A problem with fewer rows: the measurements that are left, and which rows of the whole problem they were."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.problems.model.model import Binding, Column, Family, Problem

Row = tuple[int, int]  # family, row


@dataclass(frozen=True)
class Subset:
    """`problem` has the kept rows of one scope, with columns of their own; `rows[n][k]` is the row of the whole that
    its family n has as row k.
    """

    problem: Problem
    scope: tuple[int, ...]
    rows: dict[int, tuple[Row, ...]]


def kept_rows(problem: Problem, scope: tuple[int, ...], removed: Collection[Row]) -> Subset:
    """The rows of a scope but for those removed. No two rows of the scope may share a measurement: each family gets its
    own columns.
    """
    columns: list[Column] = []
    families: list[Family] = []
    rows: dict[int, tuple[Row, ...]] = {}
    for number in scope:
        family = problem.families[number]
        kept = tuple((number, k) for k in range(family.rows) if (number, k) not in removed)
        if not kept:
            continue
        bindings = []
        own: dict[int, int] = {}
        for binding in family.bindings:
            if binding.measured and binding.index not in own:
                own[binding.index] = len(columns)
                columns.append(
                    _picked(
                        problem.columns[binding.index], f"{family.name}.{problem.columns[binding.index].name}", kept
                    )
                )
            bindings.append(Binding(True, own[binding.index]) if binding.measured else binding)
        rows[len(families)] = kept
        families.append(replace(family, rows=len(kept), bindings=tuple(bindings)))
    return Subset(Problem(problem.variables, tuple(columns), tuple(families)), tuple(range(len(families))), rows)


def _picked(column: Column, name: str, rows: tuple[Row, ...]) -> Column:
    def entries(values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        return tuple(values[k] for _, k in rows)

    return Column(name, column.unit, entries(column.lower), entries(column.upper))
