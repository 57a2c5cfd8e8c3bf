"""pi, sine and cosine, enclosed.

Points: x = k pi/2 + y with |y| < 1; the Taylor series of sin y and cos y alternate with decreasing terms, so what is left
out is at most the first term left out. pi is Machin's 16 arctan 1/5 - 4 arctan 1/239, likewise. Work is done with
80 bits more than the precision. Intervals m +- r: cos t lies in [1 - t^2/2, 1] and |sin t| <= |t|, so

    sin(m + t)  in  sin m [1 - r^2/2, 1] + cos m [-r, r]          cos(m + t)  in  cos m [1 - r^2/2, 1] - sin m [-r, r]

If the derivative has one sign the function is monotone, if f has one sign it is concave or convex (f'' = -f): then
one or both ends are those of the end points.
"""

from __future__ import annotations

from typing import Final

from .interval import Arithmetic, Interval

GUARD: Final = 80
REACH: Final = 64
CACHE: Final = 4096


def _arctangent_inverse(number: int, one: int) -> Interval:
    """arctan(1/number) * one: floor(one / number^(2k+1) / (2k+1)) is off by less than 1, a term of 0 ends the sum."""
    total, error, power, odd = 0, 1, one // number, 1
    while power:
        total += power // odd if odd % 4 == 1 else -(power // odd)
        power //= number * number
        odd += 2
        error += 1
    return total - error, total + error


def enclose_pi(bits: int) -> Interval:
    """pi * 2^bits."""
    fifth, small = _arctangent_inverse(5, 1 << (bits + 24)), _arctangent_inverse(239, 1 << (bits + 24))
    return (16 * fifth[0] - 4 * small[1]) >> 24, -((4 * small[0] - 16 * fifth[1]) >> 24)


def _series(first: int, start: int, square: Interval, bits: int) -> Interval:
    """first - first s/((n+1)(n+2)) + ..., s the square: stops when a term is at most one unit."""
    low = high = total_low = total_high = first
    order, sign = start, 1
    while True:
        divisor = (order + 1) * (order + 2)
        low = (low * square[0] >> bits) // divisor
        high = -(-(high * square[1]) >> bits)
        high = -(-high // divisor)
        if high <= 1:
            return total_low - 1, total_high + 1
        order, sign = order + 2, -sign
        total_low += low if sign > 0 else -high
        total_high += high if sign > 0 else -low


def _reduced(y: int, bits: int) -> tuple[Interval, Interval]:
    """sine and cosine of y * 2^-bits, |y| <= 2^bits; the sine is odd."""
    square = y * y >> bits, -(-(y * y) >> bits)
    sine, cosine = _series(abs(y), 1, square, bits), _series(1 << bits, 0, square, bits)
    return (sine if y >= 0 else (-sine[1], -sine[0])), cosine


class Trigonometry:
    """pi, sin and cos in an arithmetic; results are remembered."""

    __slots__ = ("_arithmetic", "_bits", "_points", "_quarter", "_spans", "pi")

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic: Final = arithmetic
        self._bits: Final = arithmetic.precision + GUARD
        low, high = enclose_pi(self._bits)
        self._quarter: Final[Interval] = low >> 1, -(-high >> 1)
        self.pi: Final[Interval] = low >> GUARD, -(-high >> GUARD)
        self._points: Final[dict[int, tuple[Interval, Interval]]] = {}
        self._spans: Final[dict[Interval, tuple[Interval, Interval]]] = {}

    def sin(self, a: Interval) -> Interval:
        """The sine of all numbers of a."""
        return self._both(a)[0]

    def cos(self, a: Interval) -> Interval:
        """The cosine of all numbers of a."""
        return self._both(a)[1]

    def _both(self, a: Interval) -> tuple[Interval, Interval]:
        found = self._spans.get(a)
        if found is None:
            if len(self._spans) >= CACHE:
                self._spans.clear()
            found = self._spans[a] = self._enclose(a)
        return found

    def _enclose(self, a: Interval) -> tuple[Interval, Interval]:
        one, reach = self._arithmetic.one, self._arithmetic.one << REACH
        if a[1] - a[0] > 4 * one or a[0] <= -reach or a[1] >= reach:
            return (-one, one), (-one, one)
        if a[0] == a[1]:
            return self._point(a[0])
        sine, cosine = self._around(a)
        first, last = self._point(a[0]), self._point(a[1])
        return self._sharpen(sine, cosine, first[0], last[0]), self._sharpen(cosine, (-sine[1], -sine[0]), first[1], last[1])

    def _around(self, a: Interval) -> tuple[Interval, Interval]:
        """The formula of the module's docstring."""
        arithmetic = self._arithmetic
        middle = (a[0] + a[1]) >> 1
        radius = max(middle - a[0], a[1] - middle)
        sine, cosine = self._point(middle)
        shrink = arithmetic.one - (-(-radius * radius >> (arithmetic.precision + 1))), arithmetic.one
        reach = -radius, radius
        return (
            arithmetic.add(arithmetic.mul(sine, shrink), arithmetic.mul(cosine, reach)),
            arithmetic.sub(arithmetic.mul(cosine, shrink), arithmetic.mul(sine, reach)),
        )

    def _sharpen(self, value: Interval, slope: Interval, first: Interval, last: Interval) -> Interval:
        """The range, given an enclosure of it and of the derivative, and the values at both ends."""
        one = self._arithmetic.one
        if slope[0] >= 0:
            return first[0], last[1]
        if slope[1] <= 0:
            return last[0], first[1]
        low, high = max(value[0], -one), min(value[1], one)
        if value[0] >= 0:
            low = min(first[0], last[0])
        elif value[1] <= 0:
            high = max(first[1], last[1])
        return low, high

    def _point(self, x: int) -> tuple[Interval, Interval]:
        found = self._points.get(x)
        if found is None:
            if len(self._points) >= CACHE:
                self._points.clear()
            found = self._points[x] = self._evaluate(x)
        return found

    def _evaluate(self, x: int) -> tuple[Interval, Interval]:
        """x - k pi/2 lies between the ends; at their middle y the functions differ by at most the distance.

        By the choice of k, wide - k low lies within +-low/2; |k| < 2^(REACH + 1) and pi/2 is known to 2 units: |y| < 1.
        """
        low, high = self._quarter
        wide = x << GUARD
        k = (2 * wide + low) // (2 * low)
        ends = wide - k * low, wide - k * high
        y = (ends[0] + ends[1]) >> 1
        error = max(ends) - min(ends)
        sine, cosine = (self._narrow(value, error) for value in _reduced(y, self._bits))
        for _ in range(k % 4):
            sine, cosine = cosine, (-sine[1], -sine[0])
        return sine, cosine

    def _narrow(self, value: Interval, error: int) -> Interval:
        one = self._arithmetic.one
        return max(-one, (value[0] - error) >> GUARD), min(one, -(-(value[1] + error) >> GUARD))
