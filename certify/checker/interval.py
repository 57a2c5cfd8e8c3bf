"""Interval arithmetic in fixed point: (lo, hi) are integers and stand for [lo, hi] * 2^-precision.

Theorem (of every operation): the result contains f(a, b) for all real a, b of the operands. `x >> p` is the floor of
x / 2^p and `-(-x >> p)` its ceiling; `x // y` is the floor of x / y and `-(-x // y)` its ceiling for y > 0: so lower
ends are rounded down and upper ends up. What cannot be enclosed raises Undefined: a divisor that contains 0, a root
that reaches below 0, a number beyond 2^8192 (files hold none as large).
"""

import math
from fractions import Fraction
from typing import Final, TypeAlias

from .outcome import Rejection

Interval: TypeAlias = tuple[int, int]

LIMIT_BITS: Final = 8192


class Undefined(Rejection):
    """An enclosure cannot be formed."""

    def __init__(self, reason: str) -> None:
        super().__init__("enclosure", reason)


class Arithmetic:
    """The operations at one precision."""

    __slots__ = ("limit", "one", "precision")

    def __init__(self, precision: int) -> None:
        self.precision: Final = precision
        self.one: Final = 1 << precision
        self.limit: Final = 1 << (precision + LIMIT_BITS)

    def floor(self, value: Fraction) -> int:
        """The largest number of the grid <= value."""
        return (value.numerator << self.precision) // value.denominator

    def ceiling(self, value: Fraction) -> int:
        """The smallest number of the grid >= value."""
        return -((-value.numerator << self.precision) // value.denominator)

    def span(self, lower: Fraction, upper: Fraction) -> Interval:
        """[lower, upper], outwards."""
        return self.floor(lower), self.ceiling(upper)

    def enclose(self, value: Fraction) -> Interval:
        """The value, as thin as the grid allows."""
        return self.floor(value), self.ceiling(value)

    def fit(self, lo: int, hi: int) -> Interval:
        """(lo, hi), if it is below the limit."""
        if lo <= -self.limit or hi >= self.limit:
            raise Undefined("a number is too large")
        return lo, hi

    def add(self, a: Interval, b: Interval) -> Interval:
        """a + b: exact."""
        return self.fit(a[0] + b[0], a[1] + b[1])

    def sub(self, a: Interval, b: Interval) -> Interval:
        """a - b: exact."""
        return self.fit(a[0] - b[1], a[1] - b[0])

    def neg(self, a: Interval) -> Interval:
        """-a: exact."""
        return -a[1], -a[0]

    def mul(self, a: Interval, b: Interval) -> Interval:
        """a * b by the nine cases of signs: rows a >= 0, a <= 0, mixed; columns b >= 0, b <= 0, mixed."""
        (al, ah), (bl, bh) = a, b
        if al >= 0:
            lo = al * bl if bl >= 0 else ah * bl
            hi = al * bh if bh <= 0 else ah * bh
        elif ah <= 0:
            lo = ah * bh if bh <= 0 else al * bh
            hi = ah * bl if bl >= 0 else al * bl
        elif bl >= 0:
            lo, hi = al * bh, ah * bh
        elif bh <= 0:
            lo, hi = ah * bl, al * bl
        else:
            lo, hi = min(al * bh, ah * bl), max(al * bl, ah * bh)
        lo, hi = lo >> self.precision, -(-hi >> self.precision)
        return self.fit(lo, hi) if lo <= -self.limit or hi >= self.limit else (lo, hi)

    def sqr(self, a: Interval) -> Interval:
        """a^2 = (-a)^2, turned so that |near| <= far: near <= 0 if and only if 0 is within."""
        near, far = a if a[0] + a[1] >= 0 else (-a[1], -a[0])
        return self.fit(near * near >> self.precision if near > 0 else 0, -(-far * far >> self.precision))

    def div(self, a: Interval, b: Interval) -> Interval:
        """a / b for b > 0, and as (-a) / (-b) for b < 0."""
        if b[0] <= 0 <= b[1]:
            raise Undefined("a divisor contains 0")
        if b[1] < 0:
            a, b = (-a[1], -a[0]), (-b[1], -b[0])
        lo = (a[0] << self.precision) // (b[1] if a[0] >= 0 else b[0])
        hi = -((-a[1] << self.precision) // (b[0] if a[1] >= 0 else b[1]))
        return self.fit(lo, hi)

    def sqrt(self, a: Interval) -> Interval:
        """The root; isqrt is its floor, one more unless the square is exact is its ceiling."""
        if a[0] < 0:
            raise Undefined("a root reaches below 0")
        square = a[1] << self.precision
        root = math.isqrt(square)
        return math.isqrt(a[0] << self.precision), root + (root * root != square)
