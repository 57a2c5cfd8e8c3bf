"""Reverse operations never lose a solution: x in [x] with f(x) in [y] stays, by Arb and without tolerance."""

import inspect
import math

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.contractors.images import preimages as projections
from certify.contractors.images.preimages import (
    reverse_absolute,
    reverse_add,
    reverse_arccosine,
    reverse_arctangent2_x,
    reverse_arctangent2_y,
    reverse_cosine,
    reverse_divide_right,
    reverse_exponential,
    reverse_hyperbolic_cosine,
    reverse_integer_power,
    reverse_logarithm,
    reverse_maximum,
    reverse_minimum,
    reverse_multiply,
    reverse_power_base,
    reverse_power_exponent,
    reverse_root,
    reverse_sign,
    reverse_sine,
    reverse_square,
    reverse_square_root,
    reverse_tangent,
)
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER

INFINITY = math.inf
EMPTY = (INFINITY, -INFINITY)
arb = flint.arb

SPECIAL = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    1.0,
    -1.0,
    math.nextafter(1.0, 0.0),
    2.0**-27,
    PI_LOWER / 2,
    PI_UPPER / 2,
    PI_LOWER,
    PI_UPPER,
    2.0**26,
    1e22,
]
number = st.one_of(
    st.sampled_from(SPECIAL), st.floats(-1, 1), st.floats(-50, 50), st.floats(allow_nan=False, allow_infinity=False)
)
reach = st.one_of(st.just(0.0), st.floats(0, 10), st.just(INFINITY))

UNARY = {
    "reverse_square": lambda x: x * x, "reverse_square_root": arb.sqrt, "reverse_exponential": arb.exp,
    "reverse_logarithm": arb.log,
    "reverse_sine": arb.sin, "reverse_cosine": arb.cos, "reverse_tangent": arb.tan, "reverse_arcsine": arb.asin,
    "reverse_arccosine": arb.acos,
    "reverse_arctangent": arb.atan, "reverse_hyperbolic_sine": arb.sinh, "reverse_hyperbolic_cosine": arb.cosh,
    "reverse_hyperbolic_tangent": arb.tanh, "reverse_inverse_hyperbolic_sine": arb.asinh,
    "reverse_inverse_hyperbolic_cosine": arb.acosh,
    "reverse_inverse_hyperbolic_tangent": arb.atanh, "reverse_absolute": abs,
    "reverse_sign": lambda x: arb(int(x > 0) - int(x < 0)),
}  # fmt: skip


def power(x, y):
    return x**y if x > 0 else arb(0 if x == 0 and y > 0 else math.nan)


def angle(y, x):
    return arb.atan2(y, x) if x != 0 or y != 0 else arb(math.nan)


BINARY = {
    "reverse_add": (lambda u, v: u + v), "reverse_subtract_left": (lambda u, v: u - v),
    "reverse_subtract_right": (lambda u, v: v - u),
    "reverse_multiply": (lambda u, v: u * v), "reverse_divide_left": (lambda u, v: u / v),
    "reverse_divide_right": (lambda u, v: v / u),
    "reverse_minimum": arb.min, "reverse_maximum": arb.max, "reverse_power_base": power,
    "reverse_power_exponent": lambda u, v: power(v, u),
    "reverse_arctangent2_y": angle, "reverse_arctangent2_x": lambda u, v: angle(v, u),
}  # fmt: skip


def image_around(value, left, right):
    """The neighbouring doubles of the value, or of the double that Arb cannot tell it from; widened."""
    middle = float(value.mid())
    exact = value.rad() == 0 and value == arb(middle)
    low = middle if exact or value > arb(middle) else math.nextafter(middle, -INFINITY)
    high = middle if exact or value < arb(middle) else math.nextafter(middle, INFINITY)
    return low - left, high + right


def test_every_reverse_is_tested():
    integer = {"reverse_root", "reverse_integer_power"}
    assert set(UNARY) | set(BINARY) | integer == set(projections.__all__)


@pytest.mark.parametrize("name", sorted(UNARY))
@given(number, reach, reach, reach, reach)
@settings(max_examples=80)
def test_a_solution_is_kept(name, x, left, right, down, up):
    with flint.ctx.workprec(1500):
        value = UNARY[name](arb(x))
        if not value.is_finite():
            return
        low, high = getattr(projections, name)(*image_around(value, down, up), x - left, x + right)
    assert low <= x <= high
    assert x - left <= low and high <= x + right


@pytest.mark.parametrize("name", sorted(BINARY))
@given(number, number, reach, reach, reach, reach)
@settings(max_examples=80)
def test_a_solution_of_two_operands_is_kept(name, x, y, left, right, down, up):
    with flint.ctx.workprec(1500):
        value = BINARY[name](arb(x), arb(y))
        if not value.is_finite():
            return
        image = image_around(value, down, up)
    for other in ((y, y), (y - right, y + left), (-INFINITY, INFINITY)):
        low, high = getattr(projections, name)(*image, *other, x - left, x + right)
        assert low <= x <= high
        assert x - left <= low and high <= x + right


@given(number, st.one_of(st.integers(-9, 9), st.integers(-700, 700)), reach, reach, reach, reach)
@settings(max_examples=300)
def test_a_solution_of_an_integer_power_is_kept(x, n, left, right, down, up):
    if x == 0 and n < 0:
        return
    with flint.ctx.workprec(300):
        low, high = reverse_integer_power(*image_around(arb(x) ** n, down, up), n, x - left, x + right)
    assert low <= x <= high


@given(number, st.integers(1, 30), reach, reach, reach, reach)
@settings(max_examples=200)
def test_a_solution_of_a_root_is_kept(x, n, left, right, down, up):
    if x < 0 and n % 2 == 0:
        return
    with flint.ctx.workprec(300):
        value = arb(abs(x)).root(n) if x else arb(0)
        low, high = reverse_root(*image_around(-value if x < 0 else value, down, up), n, x - left, x + right)
    assert low <= x <= high


@pytest.mark.parametrize("name", sorted(projections.__all__))
def test_empty_gives_empty(name):
    parameters = list(inspect.signature(getattr(projections, name).py_func).parameters)
    intervals = (len(parameters) - ("n" in parameters)) // 2
    for place in range(intervals):
        words = [0.5, 0.75] * intervals
        words[2 * place : 2 * place + 2] = [INFINITY, -INFINITY]
        if "n" in parameters:
            words.insert(2, 3)
        low, high = getattr(projections, name)(*words)
        assert low > high


@pytest.mark.parametrize(
    ("operation", "words", "expected"),
    [
        # ibex-lib #470: x1 x2 = 0 on [-1, 1]^2 keeps everything
        (reverse_multiply, (0.0, 0.0, -1.0, 1.0, -1.0, 1.0), (-1.0, 1.0)),
        (reverse_multiply, (0.0, 0.0, 0.0, 0.0, -1.0, 1.0), (-1.0, 1.0)),
        (reverse_multiply, (1.0, 1.0, 0.0, 0.0, -1.0, 1.0), EMPTY),
        # a gap within the current interval, and one that cuts it
        (reverse_multiply, (1.0, 2.0, -1.0, 1.0, -10.0, 10.0), (-10.0, 10.0)),
        (reverse_multiply, (1.0, 2.0, -1.0, 1.0, -0.5, 10.0), (1.0, 10.0)),
        (reverse_multiply, (1.0, 2.0, -1.0, 1.0, -0.5, 0.5), EMPTY),
        (reverse_multiply, (1.0, 2.0, 0.0, INFINITY, -INFINITY, INFINITY), (0.0, INFINITY)),
        (reverse_divide_right, (0.0, 0.0, 1.0, 1.0, -5.0, 5.0), EMPTY),
        (reverse_divide_right, (2.0, 4.0, 1.0, 1.0, -5.0, 5.0), (0.25, 0.5)),
        (reverse_add, (1.0, 1.0, -INFINITY, 0.0, -INFINITY, INFINITY), (1.0, INFINITY)),
        # codac #113, #389: backward abs, sqrt, log, acos, tan deleted points
        (reverse_absolute, (0.0, 1.0, -2.0, 2.0), (-1.0, 1.0)),
        (reverse_absolute, (1.0, 2.0, -1.5, 0.5), (-1.5, -1.0)),
        (reverse_absolute, (-2.0, -1.0, -3.0, 3.0), EMPTY),
        (reverse_square_root, (-1.0, 2.0, -5.0, 9.0), (0.0, 4.0)),
        (reverse_square_root, (0.0, 0.0, -5.0, 9.0), (0.0, 0.0)),
        (reverse_logarithm, (-INFINITY, 0.0, -5.0, 9.0), (0.0, 1.0)),
        (reverse_exponential, (-1.0, 1.0, -5.0, 9.0), (-5.0, 0.0)),
        (reverse_arccosine, (0.0, INFINITY, -INFINITY, INFINITY), (-1.0, 1.0)),
        (reverse_arccosine, (PI_LOWER, PI_UPPER, -1.0, 1.0), (-1.0, -1.0)),
        (reverse_tangent, (0.0, 0.0, -1.0, 100.0), (0.0, 31 * math.pi)),
        (reverse_tangent, (-INFINITY, INFINITY, 1.0, 2.0), (1.0, 2.0)),
        # many periods, one, and a gap between solutions
        (reverse_sine, (1.0, 1.0, -100.0, 100.0), (-31.5 * math.pi, 30.5 * math.pi)),
        (reverse_sine, (0.5, 2.0, 0.0, 3.0), (math.pi / 6, 5 * math.pi / 6)),
        (reverse_sine, (-1.0, -0.5, 0.0, 3.0), EMPTY),
        (reverse_sine, (0.0, 0.0, 1.0, 3.0), EMPTY),
        (reverse_sine, (0.5, 1.0, -INFINITY, INFINITY), (-INFINITY, INFINITY)),
        (reverse_cosine, (-1.0, -1.0, 0.0, 10.0), (math.pi, 3 * math.pi)),
        (reverse_cosine, (2.0, 3.0, 0.0, 10.0), EMPTY),
        # ibex-lib #58, #522, #529, #559: powers
        (reverse_square, (4.0, 9.0, -INFINITY, INFINITY), (-3.0, 3.0)),
        (reverse_square, (4.0, 9.0, -1.0, INFINITY), (2.0, 3.0)),
        (reverse_square, (-4.0, -1.0, -1.0, 1.0), EMPTY),
        (reverse_integer_power, (-8.0, 27.0, 3, -INFINITY, INFINITY), (-2.0, 3.0)),
        (reverse_integer_power, (0.25, 0.25, -2, -5.0, 5.0), (-2.0, 2.0)),
        (reverse_integer_power, (-0.5, 0.25, -1, -INFINITY, INFINITY), (-INFINITY, INFINITY)),
        (reverse_integer_power, (-0.5, 0.25, -1, -1.0, INFINITY), (4.0, INFINITY)),
        (reverse_integer_power, (0.0, 0.0, -1, -1.0, 1.0), EMPTY),
        (reverse_integer_power, (1.0, 1.0, 0, -1.0, 2.0), (-1.0, 2.0)),
        (reverse_integer_power, (2.0, 3.0, 0, -1.0, 2.0), EMPTY),
        (reverse_root, (-2.0, 2.0, 3, -INFINITY, INFINITY), (-8.0, 8.0)),
        (reverse_root, (-2.0, 2.0, 2, -INFINITY, INFINITY), (0.0, 4.0)),
        (reverse_power_base, (0.0, 0.0, 0.0, 1.0, -1.0, 2.0), (0.0, 0.0)),
        (reverse_power_base, (4.0, 9.0, 2.0, 2.0, -INFINITY, INFINITY), (2.0, 3.0)),
        (reverse_power_base, (2.0, 2.0, -1.0, 1.0, 0.0, INFINITY), (0.0, INFINITY)),
        (reverse_power_exponent, (8.0, 8.0, 2.0, 2.0, -INFINITY, INFINITY), (3.0, 3.0)),
        (reverse_power_exponent, (0.0, 0.0, 0.0, 0.0, -1.0, 2.0), (0.0, 2.0)),
        (reverse_hyperbolic_cosine, (0.0, 1.0, -5.0, 5.0), (0.0, 0.0)),
        (reverse_sign, (0.0, 0.0, -5.0, 5.0), (0.0, 0.0)),
        (reverse_sign, (1.0, 2.0, -5.0, 5.0), (0.0, 5.0)),
        (reverse_sign, (-0.5, 0.5, 1.0, 5.0), EMPTY),
        (reverse_minimum, (2.0, 3.0, 5.0, 6.0, -10.0, 10.0), (2.0, 3.0)),
        (reverse_minimum, (2.0, 3.0, 2.5, 6.0, -10.0, 10.0), (2.0, 10.0)),
        (reverse_minimum, (2.0, 3.0, 0.0, 1.0, -10.0, 10.0), EMPTY),
        (reverse_maximum, (2.0, 3.0, 0.0, 1.0, -10.0, 10.0), (2.0, 3.0)),
        (reverse_maximum, (2.0, 3.0, 0.0, 2.5, -10.0, 10.0), (-10.0, 3.0)),
        # pyIbex #11, codac #389: atan2
        (reverse_arctangent2_y, (0.0, math.pi / 4, 1.0, 1.0, -5.0, 5.0), (0.0, 1.0)),
        (reverse_arctangent2_y, (3 * math.pi / 4, 4.0, -1.0, -1.0, -5.0, 5.0), (0.0, 1.0)),
        (reverse_arctangent2_y, (-4.0, 4.0, -1.0, 1.0, -5.0, 5.0), (-5.0, 5.0)),
        (reverse_arctangent2_y, (1.0, 2.0, 0.0, 0.0, -5.0, 5.0), (0.0, 5.0)),
        (reverse_arctangent2_y, (-2.0, -1.0, 0.0, 0.0, -5.0, 5.0), (-5.0, 0.0)),
        (reverse_arctangent2_y, (0.5, 1.0, 0.0, 0.0, -5.0, 5.0), EMPTY),
        (reverse_arctangent2_x, (0.0, 0.0, 0.0, 0.0, -5.0, 5.0), (0.0, 5.0)),
        (reverse_arctangent2_x, (3.0, 4.0, 0.0, 0.0, -5.0, 5.0), (-5.0, 0.0)),
        (reverse_arctangent2_x, (-4.0, 4.0, -1.0, 1.0, -5.0, 5.0), (-5.0, 5.0)),
        (reverse_arctangent2_x, (math.pi / 4, math.pi / 2, 1.0, 2.0, -5.0, 5.0), (0.0, 2.0)),
        (reverse_arctangent2_x, (-3 * math.pi / 4, -math.pi / 2, -2.0, -1.0, -5.0, 5.0), (-2.0, 0.0)),
    ],
)
def test_known_hulls(operation, words, expected):
    low, high = operation(*words)
    if expected == EMPTY:
        assert low > high
        return
    assert low <= expected[0] + 4e-14 and high >= expected[1] - 4e-14
    assert math.isclose(low, expected[0], rel_tol=1e-14, abs_tol=1e-15) or low == expected[0]
    assert math.isclose(high, expected[1], rel_tol=1e-14, abs_tol=1e-15) or high == expected[1]


@pytest.mark.parametrize("x", [2.0**26, 1e10, 1e15, 123456789012.5, -1e12, 2.0**500])
@pytest.mark.parametrize("name", ["reverse_sine", "reverse_cosine", "reverse_tangent"])
def test_far_solutions_are_found(name, x):
    """From a quarter turn on either side, the end comes back to the point, as tightly as its size allows."""
    with flint.ctx.workprec(1500):
        image = image_around(UNARY[name](arb(x)), 0.0, 0.0)
    low, high = getattr(projections, name)(*image, x - 0.25, x + 0.25)
    assert low <= x <= high
    step = 4 * (math.nextafter(abs(x), INFINITY) - abs(x))
    if abs(x) < 1e15:
        assert high - low <= step + 1e-12
