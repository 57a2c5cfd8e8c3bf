"""Which zeros of pieces are the same: two parts that share a face may both have a zero there, in different boxes.

Where the enclosure of one lies in the box of the other, in which there is one zero, they are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from certify.checker.certificate import Zero as CheckedZero
from certify.checker.isolated import isolate
from certify.checker.outcome import Clock, Rejection
from certify.checker.rules import contains
from certify.checker.scope import Box as ExactBox
from certify.checker.scope import Scope
from certify.proofs.certificate_text import Zero


@dataclass
class _Same:
    """What is known of one zero: a box around it and its matrix, and where it was enclosed by each piece."""

    chosen: CheckedZero
    enclosures: list[ExactBox]


@dataclass
class Together:
    """The different zeros of all pieces so far."""

    scope: Scope
    found: list[_Same] = field(default_factory=list)

    def add(self, zeros: Iterable[CheckedZero]) -> bool:
        """Those of one more piece; whether they could be told from the others, or be told to be the same."""
        enclosed = [(zero, self._enclosed(zero)) for zero in zeros]
        return all(where is not None and self._joined(zero, where) for zero, where in enclosed)

    def _enclosed(self, zero: CheckedZero) -> ExactBox | None:
        """Where it is, by the checker's own test."""
        grid = self.scope.arithmetic.one
        try:
            return tuple(
                (Fraction(low, grid), Fraction(high, grid)) for low, high in isolate(self.scope, zero, Clock())
            )
        except Rejection:
            return None

    def _joined(self, zero: CheckedZero, where: ExactBox) -> bool:
        for same in self.found:
            if all(_disjoint(where, other) for other in same.enclosures):
                continue
            places = [*same.enclosures, where]
            boxes = (one for one in (same.chosen, zero) if all(contains(one.box, place) for place in places))
            chosen = next(boxes, None)
            if chosen is None:
                return False
            same.chosen = chosen
            same.enclosures += [where] if where not in same.enclosures else []
            return True
        self.found.append(_Same(zero, [where]))
        return True

    @property
    def zeros(self) -> list[Zero]:
        """One box for each, as certificates are written."""
        return [written(same.chosen) for same in self.found]


def _disjoint(first: ExactBox, second: ExactBox) -> bool:
    return any(a[1] < b[0] or b[1] < a[0] for a, b in zip(first, second, strict=True))


def written(zero: CheckedZero) -> Zero:
    """Its numbers as doubles: what a run writes has no others."""
    lower, upper = (tuple(float(ends[side]) for ends in zero.box) for side in (0, 1))
    return Zero(lower, upper, tuple(tuple(map(float, row)) for row in zero.inverse))
