"""erf: always enclosed, on the whole line; tight; and the errors that its file claims, added up in Arb."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import ball
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify import interval
from certify.contractors.numbers import error_function as e
from certify.contractors.numbers.exact_constants import ONE, P
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.tape import Builder, Operation

ENDS = [
    0.0,
    5e-324,
    2.0**-1022,
    2.0**-300,
    math.nextafter(2.0**-300, 0),
    1 / 32,
    5.9,
    math.nextafter(6.0, 0),
    6.0,
    27.0,
]
POWERS = st.integers(-1074, 3).map(lambda k: 2.0**k)
SIZES = st.one_of(st.sampled_from([*ENDS, 1e308, math.inf]), st.floats(0, 6.5), st.floats(0, allow_nan=False), POWERS)
SIGNS = st.sampled_from([1.0, -1.0])
NUMBERS = st.tuples(SIZES, SIGNS).map(math.prod)
VALUES = st.one_of(st.floats(-1, 1), st.tuples(st.floats(2.0**-53, 0.1).map(lambda gap: 1 - gap), SIGNS).map(math.prod))


def truth(x):
    """erf of a double; 1 - 2^-1000 stands for what is nearer to 1 than that."""
    with flint.ctx.workprec(1200 if abs(x) > 8 else 200):
        return flint.arb(x).erf() if abs(x) < 25 else flint.arb(math.copysign(1, x)) * (1 - flint.arb(2) ** -890)


def steps(low, high, most):
    """How many doubles further high is."""
    for count in range(most):
        if low >= high:
            return count
        low = math.nextafter(low, math.inf)
    return most


@settings(max_examples=1500)
@given(x=NUMBERS)
@example(x=-6.0)
def test_the_value_is_enclosed_by_neighbours(x):
    low, high = e.error_function_at(x)
    assert flint.arb(low) <= truth(x) <= flint.arb(high)
    assert -1 <= low <= high <= 1
    assert steps(low, high, 9) <= 3


def test_everywhere_on_a_grid():
    """Every cell of the table at its ends, in its middle and between."""
    for x in (np.arange(0, 16 * 97 * 4) / 1024).tolist():
        for near in (x, math.nextafter(x, 9.0), math.nextafter(x, -1.0)):
            low, high = e.error_function_at(near)
            assert flint.arb(low) <= truth(near) <= flint.arb(high)


@settings(max_examples=1500)
@given(v=VALUES)
@example(v=math.nextafter(1.0, 0))
@example(v=-5e-324)
def test_a_projection_keeps_the_point_and_little_else(v):
    low, high = e.reverse_error_function(v, v, -math.inf, math.inf)
    if abs(v) == 1.0:
        assert (low, high) == (math.inf, -math.inf)
        return
    assert truth(low) <= flint.arb(v) <= truth(high)
    slope = 2 / math.sqrt(math.pi) * math.exp(-(min(abs(low), abs(high)) ** 2))
    assert high - low <= 2.0**-49 * abs(v) / slope * 8 + 5e-323 or abs(v) > 1 - 2.0**-48


@settings(max_examples=500)
@given(ends=st.tuples(VALUES, VALUES), x=NUMBERS, reach=st.tuples(SIZES, SIZES))
def test_a_projection_removes_no_solution(ends, x, reach):
    c, d = min(ends), max(ends)
    a, b = x - reach[0], x + reach[1]
    low, high = e.reverse_error_function(c, d, a, b)
    assert a <= low and high <= b if low <= high else (low, high) == (math.inf, -math.inf)
    if math.isfinite(x) and flint.arb(c) <= truth(x) <= flint.arb(d):
        assert low <= x <= high


def test_what_is_empty_and_what_is_unbounded():
    empty = (math.inf, -math.inf)
    for image in ((1.0, 2.0), (-2.0, -1.0), (0.5, 0.25)):
        assert e.reverse_error_function(*image, -math.inf, math.inf) == empty
    assert e.reverse_error_function(-1.0, 1.0, -math.inf, math.inf) == (-math.inf, math.inf)
    assert e.error_function(1.0, 0.0) == empty
    assert e.error_function(-math.inf, math.inf) == (-1.0, 1.0)


def coefficients(i, count):
    """Of Taylor's series of erf at c = i/16: a_n."""
    c = flint.arb(i) / 16
    found = [c.erf(), 2 / flint.arb.pi().sqrt() * (-c * c).exp()]
    for n in range(count - 2):
        found.append(-2 * (c * (n + 1) * found[n + 1] + n * found[n]) / ((n + 1) * (n + 2)))
    return found


def two(exponent):
    return flint.arb(2) ** exponent


def remainder(i, t):
    """Of Taylor's series behind TERMS: |H_n(c)| exp(-c^2/2) <= 1.0866 sqrt(2^n n!) (Cramer), c the nearest to 0."""
    n, nearest = e.TERMS + 1, max(flint.arb(0), flint.arb(i) / 16 - t)
    hermite = flint.arb("1.0866") * (two(n - 1) * flint.arb(n - 1).fac()).sqrt()
    return 2 / flint.arb.pi().sqrt() * (-nearest * nearest / 2).exp() * hermite / flint.arb(n).fac() * t**n


@pytest.mark.parametrize("i", range(97))
def test_the_claimed_error(i):
    """Of one row of the table: roundings, remainder and what the coefficients lack, against the least of its cell."""
    with flint.ctx.workprec(400):
        t, a = (1 + two(-40)) / 32, coefficients(i, 60)
        for n, entry in [(0, 0), (1, 2)]:
            pair = ball(Fraction(e.TABLE[i, entry])) + ball(Fraction(e.TABLE[i, entry + 1]))
            assert abs(pair - a[n]) <= abs(a[n]) * two(-105)
        for n in range(2, e.TERMS + 1):
            assert abs(ball(Fraction(e.TABLE[i, n + 2])) - a[n]) <= abs(a[n]) * two(-53) + two(-300)
        # at i = 0 relative errors of terms grow with t
        least = (flint.arb(i) / 16 - t).erf() if i else a[1] * t * (1 - t * t)
        sizes = sum(abs(a[n]) * t**n for n in range(2, e.TERMS + 1))
        rounded = sum((2 * n + 6) * two(-53) * abs(a[n]) * t**n for n in range(2, e.TERMS + 1))
        pairs = two(-98) * (abs(a[0]) + abs(a[1]) * t)
        assert sizes / least < two(-8) and remainder(i, t) / least < two(-71)
        assert (rounded + remainder(i, t) + pairs) / least < ball(Fraction(e.CLAIM)) - two(-61)


@settings(max_examples=100)
@given(x=st.fractions(0, 16))
def test_integers_lose_no_more_than_they_say(x):
    k = math.floor(x * ONE)
    with flint.ctx.workprec(700):
        point = ball(Fraction(k, ONE))
        value, slope = point.erf(), 2 / flint.arb.pi().sqrt() * (-point * point).exp()
        for found, true in zip(e.exact(k), (value, slope), strict=True):
            assert abs(found - true * flint.arb(2) ** P) < e.ERROR


def test_on_a_tape_and_at_the_prompt():
    builder = Builder(1)
    found = evaluate(builder.row(builder.function(Operation.ERF, 0)), np.array([[-0.5]]), np.array([[0.25]]))
    x = interval.erf(interval.Interval(-0.5, 0.25))
    assert (found.lower[0, 0], found.upper[0, 0]) == (x.lower, x.upper) and found.defined[0]
    assert interval.Interval(-0.5, 0.25).lower in interval.reverse_erf(x)
    assert {"erf", "reverse_erf"} <= set(interval.__all__)
    with pytest.raises(AttributeError, match="erv"):
        _ = interval.erv
