"""Every interval operation contains the exact truth, by Arb and without tolerance; how tight it is stands in tests of
its own.
"""

import inspect
import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.contractors.images import images as elementary
from certify.contractors.images.images import (
    absolute,
    add,
    arccosine,
    arcsine,
    arctangent2,
    cosine,
    divide,
    exponential,
    integer_power,
    maximum,
    minimum,
    multiply,
    natural_logarithm,
    real_power,
    root,
    sign,
    sine,
    square_root,
    tangent,
)
from certify.contractors.numbers.argument_reduction import reduce_angle
from certify.contractors.numbers.double_double import (
    divide_pairs,
    multiply_pairs,
    root_of_pair,
    round_down,
    round_up,
    scale,
    two_product,
    two_sum,
)
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.numbers.exact_constants import pi
from certify.contractors.numbers.exponential import KERNEL, exponential_pair, logarithm_of_one_plus, logarithm_pair
from certify.contractors.numbers.inverse_trigonometric import angle
from certify.contractors.numbers.trigonometric import sine_and_cosine_pairs

INFINITY = math.inf
LARGEST = math.nextafter(INFINITY, 0.0)
arb = flint.arb

SPECIAL = [
    0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, -(2.0**-1022), 2.0**-27, math.nextafter(2.0**-27, 0.0), 0.25, 0.75, 1.0,
    -1.0,
    math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0), -math.nextafter(1.0, 0.0), PI_LOWER, PI_UPPER, PI_LOWER / 2,
    PI_UPPER / 2, -PI_LOWER,
    3 * PI_LOWER / 2, 10.0, 20.0, 2.0**26, math.nextafter(2.0**26, 0.0), 1e22, 6381956970095103.0 * 2.0**797,
    709.782712893384,
    709.7827128933841, -745.1332191019412, -708.3964185322641, 710.4758600739439, 2.0**64, 2.0**1000, LARGEST, -LARGEST,
]  # fmt: skip
number = st.one_of(
    st.sampled_from(SPECIAL), st.floats(allow_nan=False, allow_infinity=False), st.floats(-8, 8), st.floats(-1, 1)
)
reach = st.one_of(st.just(0.0), st.floats(0, 10), st.floats(0, 1e300), st.just(INFINITY))

UNARY = {
    "square": lambda x: x * x, "square_root": arb.sqrt, "exponential": arb.exp, "natural_logarithm": arb.log,
    "sine": arb.sin,
    "cosine": arb.cos, "tangent": arb.tan, "arcsine": arb.asin, "arccosine": arb.acos, "arctangent": arb.atan,
    "hyperbolic_sine": arb.sinh, "hyperbolic_cosine": arb.cosh, "hyperbolic_tangent": arb.tanh,
    "inverse_hyperbolic_sine": arb.asinh,
    "inverse_hyperbolic_cosine": arb.acosh, "inverse_hyperbolic_tangent": arb.atanh, "absolute": abs,
    "sign": lambda x: arb(int(x > 0) - int(x < 0)), "negate": lambda x: -x,
}  # fmt: skip
BINARY = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y, "divide": lambda x,
    y: x / y,
    "minimum": arb.min, "maximum": arb.max, "real_power": lambda x,
    y: x**y if x > 0 else arb(0 if x == 0 and y > 0 else math.nan),
    "arctangent2": lambda y, x: arb.atan2(y, x) if x != 0 or y != 0 else arb(math.nan),
}  # fmt: skip
SHAPES = {name: inspect.signature(getattr(elementary, name).py_func).parameters for name in elementary.__all__}


def contained(value, low, high):
    """Arb proves neither value < low nor value > high; where f is not defined there is nothing to contain."""
    if not value.is_finite():
        return True
    return not (low == INFINITY or high == -INFINITY or value < arb(low) or value > arb(high))


def inside(a, b, part):
    """The ends and a point between."""
    near = a if math.isfinite(a) else -LARGEST
    far = b if math.isfinite(b) else LARGEST
    return [near, far, min(max(near * (1 - part) + far * part, near), far)]


@pytest.mark.parametrize("name", sorted(UNARY))
@given(number, reach, reach, st.floats(0, 1))
@settings(max_examples=60)
def test_values_are_contained(name, x, left, right, part):
    a, b = x - left, x + right
    low, high = getattr(elementary, name)(a, b)
    assert low == low and high == high
    with flint.ctx.workprec(1500):
        for u in [x, *inside(a, b, part)]:
            assert contained(UNARY[name](arb(u)), low, high)


@pytest.mark.parametrize("name", sorted(UNARY))
def test_special_values_are_contained(name):
    with flint.ctx.workprec(2400):
        for x in SPECIAL:
            for a, b in (
                (x, x),
                (-INFINITY, x),
                (x, INFINITY),
                (math.nextafter(x, -INFINITY), math.nextafter(x, INFINITY)),
            ):
                assert contained(UNARY[name](arb(x)), *getattr(elementary, name)(a, b))


@pytest.mark.parametrize("name", sorted(BINARY))
@given(number, number, reach, reach, st.floats(0, 1))
@settings(max_examples=80)
@example(0.0, 1.0, 0.0, INFINITY, 0.5)
@example(5e-324, 0.5, 0.0, 0.0, 0.5)
@example(-1.0, -0.0, 0.0, 0.0, 0.5)
def test_values_of_two_operands_are_contained(name, x, y, left, right, part):
    low, high = getattr(elementary, name)(x - left, x + right, y - right, y + left)
    assert low == low and high == high
    with flint.ctx.workprec(1500):
        for u in [x, *inside(x - left, x + right, part)]:
            for v in [y, *inside(y - right, y + left, part)]:
                assert contained(BINARY[name](arb(u), arb(v)), low, high)


@given(number, reach, reach, st.one_of(st.integers(-9, 9), st.integers(-600, 600), st.integers(-(2**60), 2**60)))
@settings(max_examples=300)
def test_integer_powers_are_contained(x, left, right, n):
    low, high = integer_power(x - left, x + right, n)
    if abs(x) > 1.1 and abs(n) > 10**6:  # Arb's own exponents
        return
    with flint.ctx.workprec(400):
        if x != 0 or n >= 0:
            assert contained(arb(x) ** n, low, high)


@given(number, reach, reach, st.integers(1, 200))
@settings(max_examples=300)
def test_roots_are_contained(x, left, right, n):
    low, high = root(x - left, x + right, n)
    with flint.ctx.workprec(400):
        if x >= 0 or n % 2:
            true = arb(abs(x)).root(n)
            assert contained(-true if x < 0 else true, low, high)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_empty_gives_empty(name):
    integer = "n" in SHAPES[name]
    intervals = (len(SHAPES[name]) - integer) // 2
    for place in range(intervals):
        words = [0.5, 1.5] * intervals
        words[2 * place : 2 * place + 2] = [INFINITY, -INFINITY]
        low, high = getattr(elementary, name)(*words, *([3] if integer else []))
        if name != "hull":
            assert low > high


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (natural_logarithm, (-2.0, -1.0)), (natural_logarithm, (-2.0, 0.0)), (arcsine, (1.5, 2.0)),
        (arccosine, (-3.0, -1.5)),
        (square_root, (-2.0, -1.0)), (real_power, (-2.0, -1.0, 1.0, 2.0)), (real_power, (0.0, 0.0, -1.0, 0.0)),
        (root, (-2.0, -1.0, 4)),
        (divide, (1.0, 2.0, 0.0, 0.0)), (arctangent2, (0.0, 0.0, 0.0, 0.0)), (integer_power, (0.0, 0.0, -1)),
    ],
)  # fmt: skip
def test_outside_the_domain_there_is_nothing(operation, words):
    assert operation(*words) == (INFINITY, -INFINITY)


@pytest.mark.parametrize(
    ("operation", "words", "expected"),
    [
        (multiply, (0.0, 0.0, -INFINITY, INFINITY), (0.0, 0.0)),
        (multiply, (0.0, 1.0, 0.0, INFINITY), (0.0, INFINITY)),
        (multiply, (LARGEST, LARGEST, 2.0, 2.0), (LARGEST, INFINITY)),
        (divide, (1.0, 2.0, 0.0, INFINITY), (0.0, INFINITY)),
        (divide, (-1.0, -1.0, -INFINITY, 0.0), (0.0, INFINITY)),
        (divide, (1.0, INFINITY, 1.0, INFINITY), (0.0, INFINITY)),
        (divide, (-1.0, 1.0, 0.0, 1.0), (-INFINITY, INFINITY)),
        (add, (LARGEST, INFINITY, LARGEST, INFINITY), (LARGEST, INFINITY)),
        (exponential, (-INFINITY, 0.0), (0.0, 1.0)),
        (exponential, (710.0, INFINITY), (LARGEST, INFINITY)),
        (natural_logarithm, (-1.0, 1.0), (-INFINITY, 0.0)),
        (sine, (0.0, INFINITY), (-1.0, 1.0)),
        (sine, (0.0, 2.0), (0.0, 1.0)),
        (cosine, (-1.0, 7.0), (-1.0, 1.0)),
        (tangent, (1.0, 2.0), (-INFINITY, INFINITY)),
        (arccosine, (1.0, 5.0), (0.0, 0.0)),
        (integer_power, (-1.0, 2.0, -1), (-INFINITY, INFINITY)),
        (integer_power, (3.0, 3.0, 5), (243.0, 243.0)),
        (integer_power, (0.0, INFINITY, -2), (0.0, INFINITY)),
        (real_power, (0.0, 0.0, 1.0, 2.0), (0.0, 0.0)),
        (absolute, (-3.0, 2.0), (0.0, 3.0)),
        (minimum, (1.0, 5.0, 2.0, 3.0), (1.0, 3.0)),
        (maximum, (1.0, 5.0, 2.0, 3.0), (2.0, 5.0)),
        (sign, (-2.0, 0.0), (-1.0, 0.0)),
        (arctangent2, (-1.0, 1.0, -2.0, -1.0), (-PI_UPPER, PI_UPPER)),
        (arctangent2, (0.0, 0.0, -2.0, -1.0), (PI_LOWER, PI_UPPER)),
        (arctangent2, (0.0, 0.0, 1.0, 2.0), (0.0, 0.0)),
        (arctangent2, (0.0, 0.0, -1.0, 2.0), (0.0, PI_UPPER)),
        (arctangent2, (0.0, 1.0, 0.0, 1.0), (0.0, PI_UPPER / 2)),
        (arctangent2, (-1.0, 0.0, 0.0, 1.0), (-PI_UPPER / 2, 0.0)),
        (arctangent2, (-1.0, -0.5, -1.0, 0.0), (-2.677945044588987, -PI_LOWER / 2)),
    ],
)
def test_known_values(operation, words, expected):
    low, high = operation(*words)
    assert low <= expected[0] and expected[1] <= high
    assert abs(low - expected[0]) <= 1e-15 if math.isfinite(expected[0]) else low == expected[0]
    assert abs(high - expected[1]) <= 1e-15 if math.isfinite(expected[1]) else high == expected[1]


@pytest.mark.parametrize("k", range(-6, 7))
def test_extrema_on_wide_and_thin_intervals(k):
    """IntervalArithmetic.jl #683 and its like: the crest must be seen however the ends lie."""
    crest = k * PI_LOWER / 2
    for width in (1e-15, 1e-8, 1.0, 3.0, 6.0, 6.28, 7.0):
        for part in (0.0, 0.01, 0.5, 0.99, 1.0):
            a, b = crest - part * width, crest + (1 - part) * width
            with flint.ctx.workprec(300):
                for x in (a, b, crest, 0.5 * (a + b)):
                    if a <= x <= b:
                        assert contained(arb(x).sin(), *sine(a, b))
                        assert contained(arb(x).cos(), *cosine(a, b))
                        assert contained(arb(x).tan(), *tangent(a, b))


def test_exp_of_a_wide_interval_keeps_one():
    """intvalpy: exp([0, 1000]) excludes 1."""
    assert exponential(0.0, 1000.0) == (1.0, INFINITY)


def fraction(pair):
    return Fraction(pair[0]) + Fraction(pair[1])


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_error_free_transformations(a, b):
    assert fraction(two_sum(a, b)) == Fraction(a) + Fraction(b)
    if a == 0 or b == 0 or abs(a * b) > 1e-250:
        assert fraction(two_product(a, b)) == Fraction(a) * Fraction(b)
    h, e = two_sum(a, b)
    assert Fraction(round_down(h, e)) <= Fraction(a) + Fraction(b) <= Fraction(round_up(h, e))


@given(st.floats(0.0625, 16), st.one_of(st.integers(-1095, -1015), st.integers(1015, 1035), st.integers(-3000, 3000)))
@example(math.nextafter(1.0, 0.0), -1022)  # rounded up to the least normal double
@example(math.nextafter(2.0, 0.0), -1023)
def test_scaling_is_outward(value, k):
    low, high = scale(value, value, k)
    exact = Fraction(value) * Fraction(2) ** k
    assert Fraction(low) <= exact
    assert high == INFINITY or exact <= Fraction(high)


scaled = st.floats(2.0**-60, 2.0**60)


@given(scaled, st.floats(-(2.0**-54), 2.0**-54), scaled, st.floats(-(2.0**-54), 2.0**-54))
def test_pairs_keep_their_bounds(a, s, c, t):
    x, y = (a, a * s), (c, c * t)
    product, quotient = fraction(multiply_pairs(*x, *y)), fraction(divide_pairs(*x, *y))
    assert abs(product - fraction(x) * fraction(y)) <= fraction(x) * fraction(y) / 2**100
    assert abs(quotient - fraction(x) / fraction(y)) <= fraction(x) / fraction(y) / 2**100
    r = fraction(root_of_pair(*x))
    assert abs(r * r - fraction(x)) <= fraction(x) / 2**99


def nearest_to_a_multiple_of_half_pi():
    """The least |m 2^e - n pi/2| over 53-bit m and all exponents e, n != 0: a convergent m/n of pi/2^(e + 1) has the
    least |m - n pi/2^(e + 1)| of all smaller m, so the last one below 2^53 bounds them.
    """
    bits = 2600
    half_pi = Fraction(pi(bits), 2 ** (bits + 1))
    least = Fraction(1)
    for e in range(-53, 972):
        ratio = x = half_pi / Fraction(2) ** e
        whole = x.numerator // x.denominator
        (m, n), (last_m, last_n) = (whole, 1), (1, 0)
        while m < 2**53:
            if m > 0:
                least = min(least, abs(m - n * ratio) * Fraction(2) ** e)
            x = 1 / (x - whole)
            whole = x.numerator // x.denominator
            (m, n), (last_m, last_n) = (whole * m + last_m, whole * n + last_n), (m, n)
    return least


def test_no_double_is_too_near_to_a_multiple_of_half_pi():
    assert nearest_to_a_multiple_of_half_pi() > Fraction(1, 2**62)


@given(
    st.one_of(
        st.sampled_from([x for x in SPECIAL if x]),
        st.floats(-1e9, 1e9),
        st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_angles_are_reduced_to_seventy_bits(x):
    n, y, tail = reduce_angle(x)
    with flint.ctx.workprec(1600):
        turns = (arb(x) * 2 / arb.pi() - n - (arb(y) + arb(tail)) * 2 / arb.pi()) / 4
        error = abs((turns - (turns + arb(0.5)).floor()) * 2 * arb.pi())
        assert error <= abs(arb(y)) / arb(2) ** 70
    assert abs(y) < 0.7855


def relative_error(pair, value):
    return abs((arb(pair[0]) + arb(pair[1]) - value) / value)


@given(
    st.floats(-745, 709),
    st.floats(2.0**-1000, 2.0**1000),
    st.floats(0.5, 2),
    st.floats(2.0**-30, 2.0**-8),
    st.floats(2.0**-27, 0.785),
)
@settings(max_examples=500)
def test_kernels_keep_their_claims(x, far, near, small, y):
    """The claim is 2^-64; escapes of an end would show a broken claim only once in thousands of cases, its pair shows
    it at once.
    """
    with flint.ctx.workprec(300):
        claim = arb(KERNEL)
        k, p, q = exponential_pair(x, 0.0)
        assert relative_error((p, q), arb(x).exp() / arb(2) ** k) < claim
        for u in (far, near, math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)):
            assert u == 1 or relative_error(logarithm_pair(u, 0.0, 0), arb(u).log()) < claim
        assert relative_error(logarithm_of_one_plus(small, 0.0), arb(small).log1p()) < 2 * claim
        s, t, c, d = sine_and_cosine_pairs(y, 0.0)
        assert relative_error((s, t), arb(y).sin()) < claim
        assert relative_error((c, d), arb(y).cos()) < claim
        for u, v in ((1.0, y), (y, 1.0), (-1.0, y), (-y, 1.0)):
            assert relative_error(angle(u, 0.0, v, 0.0), arb.atan2(arb(v), arb(u))) < claim


def ordinal(x):
    bits = int(np.float64(x).view(np.int64))
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def ulps(value, low, high):
    """How many doubles each end is from the tightest one."""
    middle = float(value.mid())
    candidates = [math.nextafter(middle, -INFINITY), middle, math.nextafter(middle, INFINITY)]
    below = max(c for c in candidates if not arb(c) > value)
    above = min(c for c in candidates if not arb(c) < value)
    return ordinal(below) - ordinal(low), ordinal(high) - ordinal(above)


@pytest.mark.parametrize("name", sorted(UNARY))
@given(number)
@settings(max_examples=60)
def test_points_are_tight(name, x):
    with flint.ctx.workprec(1500):
        value = UNARY[name](arb(x))
        if value.is_finite() and abs(value) < arb(LARGEST):
            low, high = ulps(value, *getattr(elementary, name)(x, x))
            assert max(low, high) <= (2 if abs(value) > arb(2.0) ** -1021 else 3)


@pytest.mark.parametrize("name", sorted(BINARY))
@given(number, number)
@settings(max_examples=60)
def test_points_of_two_operands_are_tight(name, x, y):
    with flint.ctx.workprec(1500):
        value = BINARY[name](arb(x), arb(y))
        if value.is_finite() and abs(value) < arb(LARGEST) and value.rel_accuracy_bits() > 100:
            low, high = ulps(value, *getattr(elementary, name)(x, x, y, y))
            assert max(low, high) <= (2 if abs(value) > arb(2.0) ** -1021 else 3)
