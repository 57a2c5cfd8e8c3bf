"""Intervals at the prompt: what they are made of, what they refuse, that they are values."""

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.contractors import interval as i
from certify.contractors.interval import EMPTY, ENTIRE, Interval

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    "number", [1, 2**60 + 1, 0.1, Fraction(1, 3), Decimal("0.1"), "0.1", "1/3", "1e400", "-1e-400", "0x1.8p-1", 10**400]
)
def test_numbers_are_enclosed_tightly(number):
    x = Interval(number)
    exact = Fraction(number) if not isinstance(number, str) else Fraction(3, 4) if "x" in number else Fraction(number)
    assert exact in x
    assert x.is_point == (exact in (1, Fraction(0.1), Fraction(3, 4)))
    assert math.nextafter(x.lower, math.inf) >= x.upper


def test_a_decimal_is_what_is_written_and_a_float_what_it_is():
    assert not Interval("0.1").is_point
    assert Interval(0.1).is_point
    assert Fraction(1, 10) not in Interval(0.1)
    assert Interval("[0.1, 0.2]") == Interval("0.1", "0.2") == Interval.parse(" [ 0.1 , 0.2 ] ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[1, 2",
        "[2, 1]",
        "[1, 2, 3]",
        "1..2",
        "[inf]",
        "inf",
        "[inf, inf]",
        "0.1.2",
        "nan",
        "1/0",
        "3?x",
        "[1;2]",
    ],
)
def test_texts_that_are_no_interval(text):
    with pytest.raises(ValueError, match=r"."):
        Interval.parse(text)


@pytest.mark.parametrize("ends", [(2, 1), (math.inf, math.inf), (-math.inf, -math.inf), (math.nan, 1), (0, math.nan)])
def test_ends_without_a_number_in_between(ends):
    with pytest.raises(ValueError, match=r"."):
        Interval(*ends)
    with pytest.raises(TypeError):
        Interval(True)


def test_they_are_values():
    x = Interval(1, 2)
    with pytest.raises(AttributeError):
        x.lower = 0.0
    assert {x: 1}[Interval(1.0, 2.0)] == 1
    assert pickle.loads(pickle.dumps(x)) == copy.copy(x) == copy.deepcopy(x) == x  # noqa: S301
    assert [repr(v) for v in (x, EMPTY)] == ["Interval(1.0, 2.0)", "EMPTY"]
    assert str(Interval(-0.0, 0.5)) == "[0.0, 0.5]"
    assert (str(EMPTY), str(ENTIRE)) == ("[empty]", "[-inf, inf]")
    assert Interval(0.1) != 0.1


@given(finite)
def test_what_is_printed_encloses_what_there_is(x):
    thin = Interval(x)
    read = Interval.parse(str(thin))
    assert i.subset(thin, read)
    assert i.subset(
        read,
        thin | Interval(math.nextafter(x, -math.inf)) | Interval(math.nextafter(x, math.inf))
        if abs(x) < 1.7e308
        else ENTIRE,
    )


def test_operators_take_numbers_on_either_side():
    x = Interval(1, 2)
    assert (1 + x, x + 1, 3 - x, x - 1) == (Interval(2, 3), Interval(2, 3), Interval(1, 2), Interval(0, 1))
    assert (2 * x, x * Fraction(1, 2), 4 / x, x / 2) == (
        Interval(2, 4),
        Interval(0.5, 1),
        Interval(2, 4),
        Interval(0.5, 1),
    )
    assert (x**2, x**-1, 2**x, abs(-x), +x) == (Interval(1, 4), Interval(0.5, 1), Interval(2, 4), x, x)
    assert (x & 1, x | 5, 5 | x, x & "1.5") == (Interval(1), Interval(1, 5), Interval(1, 5), Interval(1.5))
    assert x ** Fraction(1, 2) == i.pow(x, Interval(Fraction(1, 2)))
    with pytest.raises(TypeError):
        x + None


def test_numbers_of_numpy_are_numbers():
    x = Interval(1, 2)
    assert np.float64(2) * x == x * np.float64(2) == np.int64(2) * x == x * np.int32(2) == Interval(2, 4)
    assert np.float64(1.5) in x
    with pytest.raises(TypeError):
        np.array([1.0, 2.0]) * x


def test_membership():
    x = Interval("0.1", "0.2")
    assert Fraction(1, 10) in x
    assert "0.2" in x
    assert Interval(0.15) in x
    assert EMPTY in x
    assert 0.25 not in x
    assert i.subset(x, ENTIRE)
    assert i.interior(x, Interval(0, 1))


def test_integers_stay_exact():
    assert Interval(1) + 2 - 3 * Interval(4) == Interval(-9)
    assert Interval(27) ** 5 == Interval(27**5)
    assert i.cbrt(27) == i.rootn(27, 3) == Interval(3)
    assert i.sqrt(49) == Interval(7)
    assert i.exp2(10) == Interval(1024) == Interval(2) ** 10
    assert i.exp10(22) == Interval(10**22)
    assert i.log2(1024) == i.log10(10**10) == Interval(10)
    assert i.rootn(8, -3) == Interval(Fraction(1, 2)) or Fraction(1, 2) in i.rootn(8, -3)


@given(finite, finite, finite)
def test_measures(a, b, m):
    x = Interval(min(a, b), max(a, b))
    width = Fraction(x.upper) - Fraction(x.lower)
    assert x.width == math.inf or Fraction(x.width) >= width
    assert x.mid in x
    assert Fraction(x.mid) - Fraction(x.rad) <= Fraction(x.lower) if math.isfinite(x.rad) else True
    assert x.mag == max(abs(a), abs(b))
    assert (m in x) == (x.lower <= m <= x.upper)
    assert x.mig == (0.0 if 0 in x else min(abs(a), abs(b)))


@given(finite, finite, finite)
def test_fma_rounds_once(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    found = i.fma(a, b, c)
    assert exact in found
    assert math.nextafter(found.lower, math.inf) >= found.upper


@given(finite, finite)
def test_basic_operations_are_the_tightest(a, b):
    """One double, or two neighbours around the exact value; one more next to the least and the largest doubles."""
    values = [
        (i._interval(a) + b, Fraction(a) + Fraction(b)),
        (i._interval(a) * b, Fraction(a) * Fraction(b)),
        (i.sqr(a), Fraction(a) ** 2),
    ]
    if b:
        values.append((i._interval(a) / b, Fraction(a) / Fraction(b)))
    for found, exact in values:
        assert exact in found
        if 2.0**-1020 < abs(exact) < 2.0**1022:
            assert found.upper <= math.nextafter(found.lower, math.inf)
            assert found.is_point == (Fraction(found.lower) == exact)


def test_functions_of_nothing():
    for function in (
        i.sqr,
        i.sqrt,
        i.exp,
        i.log,
        i.exp2,
        i.log10,
        i.sin,
        i.tan,
        i.acos,
        i.sign,
        i.floor,
        i.recip,
        abs,
        i.cbrt,
    ):
        assert function(EMPTY) == EMPTY
    assert i.fma(1, EMPTY, 2) == i.atan2(1, EMPTY) == i.reverse_sine(1, EMPTY) == i.reverse_multiply(EMPTY, 1) == EMPTY


def test_roots_and_powers_ask_for_integers():
    for call in (lambda: i.pown(2, 1.5), lambda: i.rootn(2, 0), lambda: i.pown(2, 2**60)):
        with pytest.raises(ValueError, match=r"."):
            call()
