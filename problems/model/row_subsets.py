"""A problem with fewer rows: the measurements that are left, and which rows of the whole problem they were. The rows of
one member of a group stay or go together.
"""

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
    """The rows of a scope but for those removed, each named by any row of its member. No two members may share a
    measurement: each family gets its own columns, or shares those of the others of its group.
    """
    columns: list[Column] = []
    families: list[Family] = []
    rows: dict[int, tuple[Row, ...]] = {}
    gone = {(problem.member_families[number][0], k) for number, k in removed}
    own: dict[tuple[int, int], int] = {}
    for number in scope:
        family, first = problem.families[number], problem.member_families[number][0]
        kept = tuple((number, k) for k in range(family.rows) if (first, k) not in gone)
        if not kept:
            continue
        bindings = []
        for binding in family.bindings:
            if binding.measured and (first, binding.index) not in own:
                own[first, binding.index] = len(columns)
                name = f"{family.name}.{problem.columns[binding.index].name}"
                columns.append(_picked(problem.columns[binding.index], name, kept))
            bindings.append(Binding(True, own[first, binding.index]) if binding.measured else binding)
        rows[len(families)] = kept
        families.append(replace(family, rows=len(kept), bindings=tuple(bindings)))
    left = {family.name for family in families}
    groups = tuple(group for group in problem.groups if left.issuperset(group.families))
    subset = Problem(problem.variables, tuple(columns), tuple(families), groups=groups)
    return Subset(subset, tuple(range(len(families))), rows)


def alone(problem: Problem, number: int) -> tuple[Problem, tuple[int, ...]]:
    """One family as a problem of its own, and which variables of the whole its variables are."""
    family = problem.families[number]
    variables = tuple(dict.fromkeys(b.index for b in family.bindings if not b.measured))
    columns = tuple(dict.fromkeys(b.index for b in family.bindings if b.measured))
    bindings = tuple(
        Binding(b.measured, (columns if b.measured else variables).index(b.index)) for b in family.bindings
    )
    found = Problem(
        tuple(problem.variables[v] for v in variables),
        tuple(problem.columns[c] for c in columns),
        (replace(family, bindings=bindings),),
        problem.title,
        problem.provenance,
    )
    return found, variables


def _picked(column: Column, name: str, rows: tuple[Row, ...]) -> Column:
    def entries(values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        return tuple(values[k] for _, k in rows)

    return Column(name, column.unit, entries(column.lower), entries(column.upper))
