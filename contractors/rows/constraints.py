"""What the contractors of a part are made for: blocks of rows, their unknowns, and how far a row may be off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from certify.contractors.rows.rows import Rows


@dataclass(frozen=True, eq=False)
class Constraints:
    """Numbered blocks of rows r(x, M) that share unknowns: each row is to lie in [-epsilon, epsilon] for some M of its
    measurement box.
    """

    blocks: tuple[tuple[int, Rows], ...]
    variables: tuple[int, ...]
    epsilon: float

    @staticmethod
    def of(blocks: Iterable[tuple[int, Rows]], epsilon: float) -> Constraints:
        """These blocks, and the unknowns that they read."""
        pairs = tuple(blocks)
        return Constraints(pairs, tuple(sorted({int(p) for _, rows in pairs for p in rows.places})), epsilon)
