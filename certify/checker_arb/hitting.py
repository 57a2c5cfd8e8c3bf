"""Whether a few rows meet each of some sets of rows (specification, section 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from .groups import Row
from .outcome import Deadline

Rows = frozenset[Row]


def are_disjoint(sets: Iterable[Collection[Row]]) -> bool:
    """Whether no row is in two of these sets; each is looked at once."""
    taken: set[Row] = set()
    for rows in sets:
        if not taken.isdisjoint(rows):
            return False
        taken.update(rows)
    return True


def can_be_hit(sets: Iterable[Rows], most: int, deadline: Deadline) -> bool:
    """Whether some set of at most `most` rows meets all of these sets. A row of the smallest one is taken, or it is
    not.
    """
    pending = [(sorted(set(sets), key=len), most)]
    while pending:
        left, budget = pending.pop()
        if not left:
            return True
        if not left[0] or _disjoint(left, deadline) > budget:
            continue
        row = max(sorted(left[0]), key=lambda row: sum(row in rows for rows in left))
        pending.append((sorted((rows - {row} if row in rows else rows for rows in left), key=len), budget))
        pending.append(([rows for rows in left if row not in rows], budget - 1))
    return False


def _disjoint(sets: Sequence[Rows], deadline: Deadline) -> int:
    """How many sets without a common row are found one after the other: so many rows are needed at least."""
    taken: set[Row] = set()
    count = 0
    for rows in sets:
        deadline.check()
        if taken.isdisjoint(rows):
            taken |= rows
            count += 1
    return count
