"""Enclosures of a row where it is defined (specification, section 4): for the rule `evaluate` alone.

Theorem (of every operation): the result contains f(a, b) for all real a, b of the operands at which f is defined;
`Nowhere` is raised if there are none. An end may be infinite: +-huge stands for it, huge being limit^4. On such ends
the operations of `Arithmetic` come to 0 where the other operand ends in 0, to less than a unit where it is a quotient's
divisor, and else to what is beyond the limit, which `fit` makes infinite again. A lower end beyond the limit on the
upper side is lowered to it, an upper end likewise.
"""

from typing import Final

from .elementary import Elementary
from .interval import Arithmetic, Interval

EXPONENT: Final = 5600


class Nowhere(Exception):
    """A function is defined at no point of its operand."""


class Partial(Arithmetic):
    """The operations at one precision, with infinite ends."""

    __slots__ = ("_elementary", "cos", "erf", "huge", "sin")

    def __init__(self, precision: int, elementary: Elementary) -> None:
        super().__init__(precision)
        self.huge: Final = self.limit**4
        self._elementary: Final = elementary
        self.sin: Final = elementary.sin
        self.cos: Final = elementary.cos
        self.erf: Final = elementary.erf

    def fit(self, lo: int, hi: int) -> Interval:
        """(lo, hi), infinite where it is beyond the limit."""
        return -self.huge if lo <= -self.limit else min(lo, self.limit), self.huge if hi >= self.limit else max(
            hi, -self.limit
        )

    def div(self, a: Interval, b: Interval) -> Interval:
        """a / b without b = 0: a times 1 / b, where 1 / (0, b] = [1 / b, oo)."""
        if b[0] < 0 < b[1]:
            return self.mul(a, (-self.huge, self.huge))
        if b == (0, 0):
            raise Nowhere
        if b[1] == 0:
            a, b = self.neg(a), self.neg(b)
        return self.mul(a, (self.one * self.one // b[1], self.huge)) if b[0] == 0 else super().div(a, b)

    def sqrt(self, a: Interval) -> Interval:
        """The root of what is not negative."""
        if a[1] < 0:
            raise Nowhere
        return self.fit(*super().sqrt((max(a[0], 0), a[1])))

    def exp(self, a: Interval) -> Interval:
        """The exponential, between that of -5600, which is less than a unit, and that of 5600, which is surely below
        the limit.
        """
        most = EXPONENT * self.one
        low, high = self._elementary.exp((min(max(a[0], -most), most), min(max(a[1], -most), most)))
        return low, self.huge if a[1] > most else high

    def log(self, a: Interval) -> Interval:
        """The logarithm of what is positive."""
        if a[1] <= 0:
            raise Nowhere
        low, high = self._elementary.log((max(a[0], 1), a[1]))
        return low if a[0] > 0 else -self.huge, self.huge if a[1] == self.huge else high

    def atan(self, a: Interval) -> Interval:
        """pi / 2 at an infinite end."""
        half = -(-self._elementary.pi[1] >> 1)
        low, high = self._elementary.atan(a)
        return -half if a[0] == -self.huge else low, half if a[1] == self.huge else high
