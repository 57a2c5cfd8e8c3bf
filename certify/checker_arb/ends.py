"""Further unknowns of a sum at the ends where it is least (specification, 12.4).

If the derivative of a sum by an unknown has one sign on the whole box, whatever its coefficients are within their
intervals, the sum with them is nowhere less than with that unknown at one of its two ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flint import arb

from .interval import NOTHING, ZERO, Interval, add, multiply, power, scaled
from .outcome import Deadline
from .polynomial import Monomial, Polynomial, poly_range


def poly_at_ends(
    polynomial: Polynomial, ranges: Mapping[int, Interval], unknowns: Sequence[int], deadline: Deadline
) -> Polynomial:
    """A polynomial of the unknowns that are left, which is a lower bound of the given one."""
    sums = _Sums(polynomial, ranges, unknowns)
    free, count = list(unknowns), len(unknowns) + 1
    while len(free) < count:
        count = len(free)
        for unknown in tuple(free):
            deadline.check()
            end = sums.end(unknown)
            if end is not None:
                sums.put(unknown, end)
                free.remove(unknown)
    return sums.polynomial


class _Sums:
    """A polynomial, and for each unknown the monomials in which it occurs."""

    def __init__(self, polynomial: Polynomial, ranges: Mapping[int, Interval], unknowns: Sequence[int]) -> None:
        self.polynomial, self.ranges = polynomial.copy(), ranges
        self.with_unknown: dict[int, set[Monomial]] = {unknown: set() for unknown in unknowns}
        for monomial in polynomial:
            self._note(monomial)

    def _note(self, monomial: Monomial) -> None:
        for place in monomial:
            if place in self.with_unknown:
                self.with_unknown[place].add(monomial)

    def end(self, unknown: int) -> Interval | None:
        """The end at which the polynomial is least, as far as its derivative says."""
        slopes: Polynomial = {}
        for monomial in self.with_unknown[unknown]:
            times = monomial.count(unknown)
            left = list(monomial)
            left.remove(unknown)
            slopes[tuple(left)] = scaled(arb(times), self.polynomial[monomial])
        least, most = poly_range(slopes, self.ranges)
        low, high = self.ranges[unknown]
        if least >= ZERO:
            return low, low
        return (high, high) if most <= ZERO else None

    def put(self, unknown: int, end: Interval) -> None:
        """A number in the place of an unknown."""
        for monomial in self.with_unknown.pop(unknown):
            value = multiply(self.polynomial.pop(monomial), power(end, monomial.count(unknown)))
            left = tuple(place for place in monomial if place != unknown)
            for place in left:
                if place in self.with_unknown:
                    self.with_unknown[place].discard(monomial)
            self.polynomial[left] = add(self.polynomial.get(left, NOTHING), value)
            self._note(left)
