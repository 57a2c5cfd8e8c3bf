"""Observations at the same x: whatever a model is there, their sum of squares is at least that around their mean.

With weights w_k = v_k^2 the sum of w_k (y_k - f)^2 over one x is  W (m - f)^2 + Q,  W = sum w_k, m the mean, Q what is
left. All is in whole numbers: y = Y / scale, w = V / measure, so that sums of squares are multiples of
1 / (measure scale^2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

MOST_BITS = 4096  # of a common denominator
Exact = Sequence[Fraction]


@dataclass(frozen=True)
class Groups:
    """Per x, in order: W, the sum of V Y and of V Y^2; `unit` is what their sums of squares are multiples of."""

    x: tuple[Fraction, ...]
    weights: tuple[int, ...]
    sums: tuple[int, ...]
    squares: tuple[int, ...]
    unit: Fraction

    @property
    def count(self) -> int:
        """How many different x there are."""
        return len(self.x)

    def part(self, first: int, last: int) -> Groups:
        """Those from one to before another."""
        chosen = slice(first, last)
        return Groups(self.x[chosen], self.weights[chosen], self.sums[chosen], self.squares[chosen], self.unit)

    def rest(self) -> Fraction:
        """What is left around the means."""
        parts = zip(self.weights, self.sums, self.squares, strict=True)
        return self.unit * sum((Fraction(q * w - s * s, w) for w, s, q in parts), Fraction(0))


def grouped(x: Exact, y: Exact, weights: Exact | None) -> Groups | None:
    """Of exact columns; None if their numbers are too long. Observations without weight are left out."""
    known = [Fraction(1)] * len(y) if weights is None else [v * v for v in weights]
    scale, measure = (lcm(*(one.denominator for one in column)) for column in (y, known))
    if max(scale, measure).bit_length() > MOST_BITS:
        return None
    found: dict[Fraction, list[int]] = {}
    for at, value, weight in zip(x, y, known, strict=True):
        if weight:
            Y, V = int(value * scale), int(weight * measure)
            sums = found.setdefault(at, [0, 0, 0])
            for k, more in enumerate((V, V * Y, V * Y * Y)):
                sums[k] += more
    ordered = sorted(found.items())
    columns = [tuple(sums[k] for _, sums in ordered) for k in range(3)]
    unit = Fraction(1, measure * scale * scale)
    return Groups(tuple(at for at, _ in ordered), columns[0], columns[1], columns[2], unit)
