"""Containment of exact truth, without tolerance; tightness apart."""

import math
from fractions import Fraction

import flint
import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER, enclose_rational
from certify.contractors.numbers.rounded import above, below, divide, multiply, square, square_root

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
modest = st.floats(-1e6, 1e6)


def ends(draw_a, draw_b):
    return min(draw_a, draw_b), max(draw_a, draw_b)


@given(finite)
def test_below_and_above_are_outside(c):
    assert Fraction(below(c)) < Fraction(c) if math.isfinite(below(c)) else below(c) == -math.inf
    assert Fraction(above(c)) > Fraction(c) if math.isfinite(above(c)) else above(c) == math.inf


@given(finite, finite, finite, finite, st.floats(0, 1), st.floats(0, 1))
@example(5e-324, 5e-324, 0.5, 0.5, 0.0, 0.0)
@example(1.7e308, 1.7e308, 10.0, 10.0, 0.0, 0.0)
def test_products_contain(a, b, c, d, s, t):
    (a, b), (c, d) = ends(a, b), ends(c, d)
    low, high = multiply(a, b, c, d)
    for u in (a, b, min(max(a + s * (b - a), a), b) if math.isfinite(b - a) else a):
        for v in (c, d, min(max(c + t * (d - c), c), d) if math.isfinite(d - c) else c):
            exact = Fraction(u) * Fraction(v)
            assert low == -math.inf or Fraction(low) <= exact
            assert high == math.inf or Fraction(high) >= exact


@given(finite, finite, finite, finite)
def test_quotients_contain(a, b, c, d):
    (a, b), (c, d) = ends(a, b), ends(c, d)
    low, high = divide(a, b, c, d)
    if c <= 0 <= d:
        assert (low, high) == (-math.inf, math.inf)
        return
    for u in (a, b):
        for v in (c, d):
            exact = Fraction(u) / Fraction(v)
            assert low == -math.inf or Fraction(low) <= exact
            assert high == math.inf or Fraction(high) >= exact


@given(finite, finite)
def test_squares_and_roots_contain(a, b):
    a, b = ends(a, b)
    low, high = square(a, b)
    for u in (a, b, 0.0 if a <= 0 <= b else a):
        assert Fraction(low) <= Fraction(u) ** 2
        assert high == math.inf or Fraction(high) >= Fraction(u) ** 2
    if b >= 0:
        low, high = square_root(a, b)
        assert Fraction(low) ** 2 <= max(Fraction(a), 0)
        assert Fraction(high) ** 2 >= Fraction(b)


def test_pi_is_enclosed_by_neighbours():
    assert math.nextafter(PI_LOWER, 4.0) == PI_UPPER
    with flint.ctx.workprec(300):
        assert flint.arb(PI_LOWER) < flint.arb.pi() < flint.arb(PI_UPPER)


@given(st.fractions())
@example(Fraction("0.1"))
@example(Fraction(10) ** 400)
@example(-(Fraction(10) ** 400))
def test_rationals_are_enclosed_tightly(value):
    low, high = enclose_rational(value)
    assert low == -math.inf or Fraction(low) <= value
    assert high == math.inf or value <= Fraction(high)
    assert low == high or math.nextafter(low, math.inf) == high


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_products_are_tight(a, c):
    low, high = multiply(a, a, c, c)
    assert low >= np.nextafter(np.nextafter(a * c, -np.inf), -np.inf)
    assert high <= np.nextafter(np.nextafter(a * c, np.inf), np.inf)
