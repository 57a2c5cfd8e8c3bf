"""The kernels contain the exact result, at precisions where a wrong rounding direction cannot hide."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from exact_functions import (
    ARITHMETIC,
    ELEMENTARY,
    MANY,
    PRECISIONS,
    exact_bracket,
    exact_exponential,
    exact_odd_series,
    independent_pi,
    inside,
    parts,
    precisions,
)
from hypothesis import given
from hypothesis import strategies as st

from certify.checker import elementary
from certify.checker.elementary import Elementary, enclose_pi
from certify.checker.interval import Arithmetic, Interval, Undefined

ends = st.one_of(st.integers(-40, 40), st.integers(-20000, 20000))
intervals = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))


def contains(interval: Interval, value: Fraction, precision: int) -> bool:
    return interval[0] <= value * (1 << precision) <= interval[1]


BINARY = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y}
UNARY = {"neg": lambda x: -x, "sqr": lambda x: x * x}


@pytest.mark.parametrize("name", BINARY)
@MANY
@given(precision=precisions, a=intervals, b=intervals, s=parts, t=parts)
def test_binary_operations_contain_the_truth(
    name: str, precision: int, a: Interval, b: Interval, s: Fraction, t: Fraction
) -> None:
    if name == "div" and b[0] <= 0 <= b[1]:
        with pytest.raises(Undefined):
            ARITHMETIC[precision].div(a, b)
        return
    result = getattr(ARITHMETIC[precision], name)(a, b)
    assert contains(result, BINARY[name](inside(a, s, precision), inside(b, t, precision)), precision)


@pytest.mark.parametrize("name", BINARY)
@MANY
@given(precision=precisions, a=ends, b=ends)
def test_binary_operations_are_tight(name: str, precision: int, a: int, b: int) -> None:
    if name == "div" and b == 0:
        return
    low, high = getattr(ARITHMETIC[precision], name)((a, a), (b, b))
    assert high - low <= 1


@pytest.mark.parametrize("name", ["mul", "div", "sqr"])
@MANY
@given(precision=precisions, a=intervals, b=intervals)
def test_ends_are_the_rounded_exact_ends(name: str, precision: int, a: Interval, b: Interval) -> None:
    """The best possible result: the exact range's ends, rounded outwards."""
    if name == "div" and b[0] <= 0 <= b[1]:
        return
    scale = 1 << precision
    pairs = [(Fraction(x, scale), Fraction(y, scale)) for x in a for y in b]
    exact = [x * x for x, _ in pairs] if name == "sqr" else [BINARY[name](x, y) for x, y in pairs]
    low = Fraction(0) if name == "sqr" and a[0] <= 0 <= a[1] else min(exact)
    result = ARITHMETIC[precision].sqr(a) if name == "sqr" else getattr(ARITHMETIC[precision], name)(a, b)
    assert result == (math.floor(low * scale), math.ceil(max(exact) * scale))


@pytest.mark.parametrize("name", UNARY)
@MANY
@given(precision=precisions, a=intervals, s=parts)
def test_unary_operations_contain_the_truth(name: str, precision: int, a: Interval, s: Fraction) -> None:
    result = getattr(ARITHMETIC[precision], name)(a)
    assert contains(result, UNARY[name](inside(a, s, precision)), precision)
    assert name != "sqr" or result[0] >= 0


@MANY
@given(precision=precisions, a=intervals, s=parts)
def test_roots_contain_the_truth(precision: int, a: Interval, s: Fraction) -> None:
    if a[0] < 0:
        with pytest.raises(Undefined):
            ARITHMETIC[precision].sqrt(a)
        return
    low, high = ARITHMETIC[precision].sqrt(a)
    value, scale = inside(a, s, precision), 1 << precision
    assert low >= 0 and Fraction(low, scale) ** 2 <= value <= Fraction(high, scale) ** 2
    if a[0] == a[1]:
        assert high - low <= 1


@MANY
@given(
    precision=precisions, value=st.fractions(max_denominator=3000, min_value=-50, max_value=50), more=st.fractions(0, 3)
)
def test_conversion_is_outward(precision: int, value: Fraction, more: Fraction) -> None:
    arithmetic = ARITHMETIC[precision]
    low, high = arithmetic.span(value, value + more)
    assert contains((low, high), value, precision) and contains((low, high), value + more, precision)
    assert arithmetic.enclose(value)[1] - arithmetic.enclose(value)[0] <= 1
    assert not contains((low + 1, high), value, precision) and not contains((low, high - 1), value + more, precision)


@pytest.mark.parametrize("name", ["sin", "cos"])
@MANY
@given(
    precision=precisions,
    a=st.tuples(st.integers(-20000, 20000), st.sampled_from([0, 0, 1, 5, 100, 700, 2000, 5000, 9000])).map(
        lambda p: (p[0], p[0] + p[1])
    ),
    s=parts,
)
def test_sine_and_cosine_contain_the_truth(name: str, precision: int, a: Interval, s: Fraction) -> None:
    result = getattr(ELEMENTARY[precision], name)(a)
    one = 1 << precision
    assert -one <= result[0] <= result[1] <= one
    for part in (s, Fraction(0), Fraction(1), Fraction(1, 2)):
        low, high = exact_bracket(inside(a, part, precision), name == "sin")
        assert Fraction(result[0], one) <= high and low <= Fraction(result[1], one)
    if a[0] == a[1]:
        assert result[1] - result[0] <= 2


@pytest.mark.parametrize("name", ["sin", "cos"])
@pytest.mark.parametrize("precision", PRECISIONS)
def test_sine_and_cosine_of_every_short_interval(name: str, precision: int) -> None:
    """All points of the grid within an interval around every quarter turn; monotone parts are tight."""
    function, one = getattr(ELEMENTARY[precision], name), 1 << precision
    for quarter in range(-4, 5):
        middle = round(quarter * 1.5707963267948966 * one)
        for width in (1, 3, one // 16, one // 3):
            for shift in (-width, -width // 2, 0):
                a = (middle + shift, middle + shift + width)
                result = function(a)
                for x in {a[0], a[1], middle + shift + width // 2, max(a[0], min(a[1], middle))}:
                    low, high = exact_bracket(Fraction(x, one), name == "sin")
                    assert Fraction(result[0], one) <= high and low <= Fraction(result[1], one)
                assert result[1] - result[0] <= width + 4


def test_sine_of_far_and_wide_arguments() -> None:
    elementary, one = ELEMENTARY[8], 1 << 8
    assert elementary.sin((0, 7 * one)) == (-one, one)
    assert elementary.cos((one << 90, one << 90)) == (-one, one)
    for power in (30, 62, 70):
        low, high = exact_bracket_of_multiple(1 << power)
        for sign in (1, -1):
            x = sign * one << power
            result = elementary.sin((x, x))
            assert Fraction(result[0], one) <= sign * (high if sign > 0 else low) and sign * (
                low if sign > 0 else high
            ) <= Fraction(result[1], one)
            assert result[1] - result[0] <= 2


def exact_bracket_of_multiple(number: int) -> tuple[Fraction, Fraction]:
    """sin of a large whole number, by reduction with the Leibniz-free pi of `independent_pi`."""
    low, high = independent_pi(400)
    turns = round(number / (2 * low))
    y, error = number - 2 * turns * low, 2 * turns * (high - low)
    bracket = exact_bracket(Fraction(round(y * (1 << 200)), 1 << 200), True)
    return bracket[0] - error - Fraction(1, 1 << 199), bracket[1] + error + Fraction(1, 1 << 199)


@pytest.mark.parametrize("bits", [*range(1, 24), 64, 96, 128, 512, 600])
def test_pi(bits: int) -> None:
    low, high = independent_pi(170)
    result = enclose_pi(bits)
    assert Fraction(result[0], 1 << bits) <= low and high <= Fraction(result[1], 1 << bits)
    assert result[1] - result[0] <= 2


@pytest.mark.parametrize("precision", [96, 128, 512])
@pytest.mark.parametrize("value", ["1/3", "-7/5", "22/7", "100", "-31/2"])
def test_sine_at_working_precisions(precision: int, value: str) -> None:
    arithmetic = Arithmetic(precision)
    a = arithmetic.enclose(Fraction(value))
    low, high = exact_bracket_at(Fraction(value), 600)
    result = Elementary(arithmetic).sin(a)
    assert Fraction(result[0], arithmetic.one) <= low and high <= Fraction(result[1], arithmetic.one)
    assert result[1] - result[0] <= 4


def exact_bracket_at(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    term, total, order = x, Fraction(0), 1
    while abs(term) > Fraction(1, 1 << bits) or order < abs(x):
        total += term
        term = -term * x * x / ((order + 1) * (order + 2))
        order += 2
    return total - abs(term), total + abs(term)


def test_numbers_beyond_the_limit_are_undefined() -> None:
    arithmetic = Arithmetic(8)
    huge = (arithmetic.limit - 1, arithmetic.limit - 1)
    for attempt in (
        lambda: arithmetic.add(huge, huge),
        lambda: arithmetic.mul(huge, huge),
        lambda: arithmetic.sqr(huge),
    ):
        with pytest.raises(Undefined, match="too large"):
            attempt()
    with pytest.raises(Undefined, match="too large"):
        arithmetic.sub((-huge[0], -huge[0]), huge)
    with pytest.raises(Undefined, match="too large"):
        arithmetic.div(huge, (1, 1))


def test_a_precision_is_not_negative() -> None:
    with pytest.raises(ValueError, match="negative shift"):
        Arithmetic(-1)


@pytest.mark.parametrize("precision", [2, 3, 4])
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sine_and_cosine_of_all_intervals_of_a_coarse_grid(name: str, precision: int) -> None:
    """Every interval within [-13/4, 13/4], against the points of a grid four times as fine."""
    function, one, reach = getattr(Elementary(Arithmetic(precision)), name), 1 << precision, 13 << precision >> 2
    brackets = {x: exact_bracket(Fraction(x, 4 * one), name == "sin") for x in range(-4 * reach, 4 * reach + 1)}
    for first in range(-reach, reach + 1):
        low, high = brackets[4 * first]
        for last in range(first, reach + 1):
            for x in range(4 * last - 3 if last > first else 4 * last, 4 * last + 1):
                low, high = min(low, brackets[x][1]), max(high, brackets[x][0])
            result = function((first, last))
            assert result[0] <= low * one
            assert high * one <= result[1]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5, 6, 8])
def test_odd_series_contain_the_truth(bits: int, sign: int) -> None:
    """Of all numbers within 3 of a number, as far as they are within 3/5."""
    one = 1 << bits
    for u in range(-(one // 2), one // 2 + 1):
        result = elementary._odd_series(u, bits, sign)
        for numerator in range(16 * u - 47, 16 * u + 48, 5):
            value = Fraction(numerator, 16 * one)
            if abs(value) <= Fraction(3, 5):
                low, high = exact_odd_series(value, sign)
                assert result[0] <= low * one and high * one <= result[1]
        assert result[1] - result[0] <= 2 * (8 + bits)


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5, 6, 8])
def test_series_are_off_by_no_more_than_they_say(bits: int) -> None:
    one = 1 << bits
    for y in range(-one, one + 1):
        *values, power, error = elementary._taylor(y, bits)
        for value, odd in zip(values, (True, False), strict=True):
            low, high = exact_bracket(Fraction(y, one), odd)
            assert value - error <= low * one and high * one <= value + error
        low, high = exact_exponential(Fraction(y, one))
        assert power - 2 * error <= low * one and high * one <= power + 2 * error
        assert error <= 9


@pytest.mark.parametrize("guard", [0, 1, 2, 5])
@pytest.mark.parametrize("precision", [3, 5])
def test_few_guard_bits_are_sound(guard: int, precision: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All points of a grid, and intervals around the quarter turns and the points where sine and cosine change their
    sign.
    """
    monkeypatch.setattr(elementary, "GUARD", guard)
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    for x in range(-9 * one, 9 * one + 1):
        for name in ("sin", "cos"):
            low, high = exact_bracket(Fraction(x, one), name == "sin")
            result = getattr(functions, name)((x, x))
            assert result[0] <= low * one and high * one <= result[1], (name, x)
            if guard == 5:
                assert result[1] - result[0] <= 4
    for quarter in range(-4, 5):
        middle = round(quarter * Fraction(355, 226) * one)
        for start in range(middle - one // 2, middle + 2):
            for width in (1, 2, one // 2, one, 2 * one):
                for name in ("sin", "cos"):
                    result = getattr(functions, name)((start, start + width))
                    for x in {start, start + width, start + width // 2, max(start, min(middle, start + width))}:
                        low, high = exact_bracket(Fraction(x, one), name == "sin")
                        assert result[0] <= low * one and high * one <= result[1], (name, start, width, x)


def test_pi_without_guard_bits() -> None:
    low, high = independent_pi(60)
    for guard in range(6):
        for precision in range(1, 9):
            pi = enclose_pi(precision + guard)
            assert Fraction(pi[0], 1 << precision + guard) <= low and high <= Fraction(pi[1], 1 << precision + guard)


def test_squares_of_ends_of_both_signs() -> None:
    arithmetic = Arithmetic(2)
    assert arithmetic.sqr((-3, 1)) == (0, 3)
    assert arithmetic.sqr((-1, 5)) == (0, 7)
    assert arithmetic.sqr((0, 0)) == (0, 0)
    assert arithmetic.sqr((0, 4)) == (0, 4)
    assert arithmetic.sqr((-4, 0)) == (0, 4)
    assert arithmetic.sqr((-5, -4)) == (4, 7)
    one = Arithmetic(1)
    assert one.sqr((-1, 0)) == (0, 1)
    assert one.sqr((0, 0)) == (0, 0)


def test_between_the_ends_are_multiples_of_a_quarter_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a coarse pi/2 between 10 and 12, and ends that say nothing: each multiple of it that may be between gives
    its values.
    """
    monkeypatch.setattr(elementary, "enclose_pi", lambda _: (20 << 80, 24 << 80))
    monkeypatch.setattr(Elementary, "_point", lambda _, x: ((3, 4), (5, 6)))
    functions = Elementary(Arithmetic(0))
    monkeypatch.setattr(functions, "_one", 10)
    units = [((10 * s, 10 * s), (10 * c, 10 * c)) for s, c in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    for first in range(-70, 70):
        for last in range(first, 70):
            inner = [k for k in range(-9, 9) if max(10 * k, 12 * k) > first and min(10 * k, 12 * k) <= last]
            values = [((3, 4), (5, 6)), *(units[k % 4] for k in inner)]
            sines, cosines = zip(*values, strict=True)
            expected = tuple((min(low for low, _ in part), max(high for _, high in part)) for part in (sines, cosines))
            assert functions._enclose((first, last)) == expected, (first, last)


def test_values_are_rounded_outwards_within_1() -> None:
    functions = Elementary(Arithmetic(3))
    unit = 1 << 80
    assert functions._narrow(5 * unit, 0) == (5, 5)
    assert functions._narrow(5 * unit, 1) == (4, 6)
    assert functions._narrow(5 * unit + 1, 1) == (5, 6)
    assert functions._narrow(5 * unit - 1, 1) == (4, 5)
    assert functions._narrow(5 * unit, 9 * unit) == (-4, 8)
    assert functions._narrow(-5 * unit, 9 * unit) == (-8, 4)
    assert functions._narrow(9 * unit, unit) == (8, 8)
    assert functions._narrow(-9 * unit, unit) == (-8, -8)


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_arguments_are_reduced_as_far_as_pi_is_known(name: str) -> None:
    """Up to 2^64 there is nothing to see of it; beyond 2^90 nothing is known."""
    functions, one = Elementary(Arithmetic(8)), 1 << 8
    function, reach = getattr(functions, name), one << 64
    for far in (reach << 26, -reach << 26, 1 << 9000):
        assert function((far, far)) == (-one, one)
    for wide in ((-reach, reach), (0, 7 * one), (-4 * one, 3 * one), (1, 1 << 9000)):
        assert function(wide) == (-one, one)
    for near in (reach, reach - 1, -reach, 1 - reach, one << 63, -one << 63):
        low, high = function((near, near))
        assert high - low <= 2
    low, high = functions.sin((0, 7 * one // 2))
    assert -one < low and high == one


@pytest.mark.parametrize("precision", [64, 96, 128, 256])
def test_wide_intervals_are_tight(precision: int) -> None:
    """As exact as these floats: the ends of monotone parts are those of the values, others are 1 and -1."""
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    for first in range(-40, 40):
        for last in range(first + 1, 40, 3):
            turns = [k % 4 for k in range(-4, 5) if first / 10 < k * math.pi / 2 <= last / 10]
            for name, highest in (("sin", 1), ("cos", 0)):
                low, high = getattr(functions, name)((first * one // 10, last * one // 10))
                values = [getattr(math, name)(x / 10) for x in (first, last)]
                least = -1 if (highest + 2) % 4 in turns else min(values)
                greatest = 1 if highest in turns else max(values)
                assert abs(low / one - least) < 1e-15 and abs(high / one - greatest) < 1e-15
