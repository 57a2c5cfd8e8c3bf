"""Rows that contradict each other, or that hold a parameter back together; what must be left out meets all of these.

    a conflict      rows that no parameters fit together, or beyond a value of one parameter
    hit(C, q)       q rows that meet every conflict of C: without them nothing known contradicts

If no q rows meet them all, no q rows that are left out help: the checker's rule `hitting` says so, and looks for such
rows itself; for q beyond 64 it counts conflicts without a common row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from certify.checker.certificate import DISCARDED
from certify.regressors.cuts import Lines
from certify.regressors.exact_bounds import Bound, whole

EFFORT = 300_000  # conflicts that are looked at before it is given up
Rows = frozenset[int]


class Unclear(Exception):
    """So much was looked at that the question is given up."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Rows with their weights: of a bound of a parameter, or of a contradiction whatever it is (value None)."""

    bound: Bound
    value: float | None = None

    @property
    def rows(self) -> Rows:
        """Those that are named."""
        return frozenset(term.row for term in self.bound.terms)


def hit(conflicts: Sequence[Collection[int]], most: int) -> tuple[int, ...] | None:
    """At most so many rows that meet every conflict, those first that meet most; None if there are none."""
    left = [EFFORT]
    found = _hit([frozenset(rows) for rows in conflicts], most, left)
    return None if found is None else tuple(sorted(found))


def _hit(conflicts: list[Rows], most: int, left: list[int]) -> list[int] | None:
    if not conflicts:
        return []
    if most == 0 or apart(conflicts) > most:
        return None
    left[0] -= len(conflicts)
    if left[0] < 0:
        raise Unclear
    count = Counter(row for rows in conflicts for row in rows)
    smallest = min(conflicts, key=lambda rows: len(rows))
    for row in sorted(smallest, key=lambda row: (-count[row], row)):
        found = _hit([rows for rows in conflicts if row not in rows], most - 1, left)
        if found is not None:
            return [row, *found]
    return None


def apart(conflicts: Sequence[Rows]) -> int:
    """How many without a common row are found one after the other: so many rows are needed at least."""
    taken: set[int] = set()
    count = 0
    for rows in sorted(conflicts, key=len):
        if taken.isdisjoint(rows):
            taken |= rows
            count += 1
    return count


def enough(conflicts: Sequence[Conflict], most: int) -> list[Conflict] | None:
    """Few of them that so many rows do not meet, either; None if that is not known even of all."""
    kept, taken = list[Conflict](), set[int]()
    for one in sorted(conflicts, key=lambda one: len(one.rows)):
        if taken.isdisjoint(one.rows):
            kept.append(one)
            taken |= one.rows
    if len(kept) > most:
        return kept[: most + 1]
    if most > DISCARDED:
        return None
    try:
        if hit([one.rows for one in conflicts], most) is not None:
            return None
        for one in list(conflicts):
            if len(conflicts) == 1:
                break
            fewer = [other for other in conflicts if other is not one]
            if hit([other.rows for other in fewer], most) is None:
                conflicts = fewer
    except Unclear:
        return None
    return list(conflicts)


def refuted(conflicts: Sequence[Conflict], most: int) -> Lines:
    """The lines of a tree that refutes a box, also where so many rows are left out."""
    sums = [whole(one.bound.terms) for one in conflicts]
    return (sums[0],) if most == 0 else (f"hitting {len(sums)}", *sums)
