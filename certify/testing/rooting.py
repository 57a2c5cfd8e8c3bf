"""What a solver of one equation promises: all roots of a polynomial within an interval, each in an interval of its own.

The truth is planted: a product of (x - r) with roots r in multiples of 1/4, some of them twice, so that coefficients
and values are exact in rational numbers. A root that lies in none of the intervals is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from certify.testing.contract import Finding

Intervals = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Roots within an interval, and coefficients from the constant upwards."""

    roots: tuple[Fraction, ...]
    lower: float
    upper: float

    @property
    def coefficients(self) -> tuple[Fraction, ...]:
        """Of the product of all (x - r)."""
        found = [Fraction(1)]
        for root in self.roots:
            shifted, scaled = [Fraction(0), *found], [-root * a for a in found] + [Fraction(0)]
            found = [a + b for a, b in zip(shifted, scaled, strict=True)]
        return tuple(found)

    def __call__(self, x: float) -> Fraction:
        """The exact value."""
        total = Fraction(1)
        for root in self.roots:
            total *= Fraction(x) - root
        return total


@dataclass(frozen=True, eq=False)
class RootSolver:
    """A name, and a function from a polynomial to intervals that hold all of its roots."""

    name: str
    solve: Callable[[Polynomial], Intervals]


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """With one to four roots, the ends of the interval among them at times."""
    roots = draw(st.lists(st.integers(-32, 32).map(lambda k: Fraction(k, 4)), min_size=1, max_size=4))
    low, high = float(min(roots)), float(max(roots))
    around = draw(st.sampled_from([0.0, 1.0, 3.0]))
    return Polynomial(tuple(sorted(roots)), low - around, high + around + 0.25)


def rooting_finding(solver: RootSolver, polynomial: Polynomial) -> Finding | None:
    """The first root that is lost."""
    found = list(solver.solve(polynomial))
    for root in polynomial.roots:
        if not any(Fraction(low) <= root <= Fraction(high) for low, high in found):
            words = f"the root {float(root)!r} of {[float(a) for a in polynomial.coefficients]} is in none of {found}"
            return Finding("a root is lost", words, True)
    return None
