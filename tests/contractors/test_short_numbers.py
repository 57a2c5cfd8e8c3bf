"""Short numbers, against exact truth: multiples of a power of two, on the right side, within a grid."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from certify.contractors import short_numbers
from certify.contractors.short_numbers import (
    grid,
    short_above,
    short_below,
    short_between,
    short_inside,
    short_near,
    shorts_between,
)

DOUBLES = st.floats(-1e300, 1e300)
NORMAL = st.floats(-1e300, 1e300, allow_subnormal=False)  # between two least doubles there is none
WIDTHS = st.floats(5e-324, 1e300)
BITS = st.integers(0, 20)


@given(width=WIDTHS, bits=BITS)
def test_the_grid_is_the_power_of_two_that_it_says(width, bits):
    exact = Fraction(grid(width, bits))
    assert exact.numerator.bit_count() == exact.denominator.bit_count() == 1
    if exact > Fraction(5e-324):
        assert exact * 2**bits <= Fraction(width) < exact * 2 ** (bits + 1)


@given(value=DOUBLES, width=WIDTHS, bits=BITS)
def test_short_numbers_are_multiples_on_the_side_that_they_say(value, width, bits):
    step, exact = Fraction(grid(width, bits)), Fraction(value)
    for found in (short_below, short_above, short_near):
        assert (Fraction(found(value, width, bits)) / step).denominator == 1
    assert Fraction(short_below(value, width, bits)) == math.floor(exact / step) * step
    assert Fraction(short_above(value, width, bits)) == math.ceil(exact / step) * step
    assert Fraction(short_near(value, width, bits)) == round(exact / step) * step


def test_without_width_a_number_is_short():
    assert short_near(0.1, 0.0, 10) == 0.1


@njit
def below_and_above(value, width, bits):
    return short_numbers.short_below(value, width, bits), short_numbers.short_above(value, width, bits)


@given(value=DOUBLES, width=WIDTHS, bits=BITS)
def test_kernels_find_the_same(value, width, bits):
    assert below_and_above(value, width, bits) == (short_below(value, width, bits), short_above(value, width, bits))


@given(ends=st.lists(NORMAL, min_size=2, max_size=2, unique=True), bits=st.integers(3, 20))
def test_a_slab_ends_nearer_to_its_face_than_the_cut(ends, bits):
    face, cut = ends
    at, width = Fraction(short_inside(face, cut, bits, 2.0**-7)), abs(Fraction(cut) - Fraction(face))
    away = abs(Fraction(cut) - at)
    if abs(cut - face) > 1e-12 * max(abs(cut), abs(face)):
        assert min(face, cut) <= at <= max(face, cut)
        assert width / 2**8 < away < width / 2**6 + width / 2**bits


@given(ends=st.lists(DOUBLES, min_size=2, max_size=2, unique=True), part=st.sampled_from([0.5, 0.47, 0.45]), bits=BITS)
def test_intervals_are_divided_between_their_ends(ends, part, bits):
    low, high = min(ends), max(ends)
    at = short_between(low, high, part, bits)
    if math.nextafter(low, math.inf) < high:
        assert low < at < high
    exact = Fraction(low) + Fraction(part) * (Fraction(high) - Fraction(low))
    width = Fraction(high) - Fraction(low)
    if width > Fraction(1, 10**9) * max(abs(Fraction(low)), abs(Fraction(high))) and width > Fraction(1, 10**290):
        assert abs(Fraction(at) - exact) <= width / 2 ** min(bits, 40) + width / 10**5


def test_unbounded_intervals_are_divided_further_and_further_out():
    low = np.array([-np.inf, -np.inf, -np.inf, 0.0, 3.0, -0.5])
    high = np.array([np.inf, 0.0, -4.0, np.inf, np.inf, np.inf])
    assert shorts_between(low, high).tolist() == [0.0, -1.0, -8.0, 1.0, 6.0, 0.5]


def test_a_place_of_division_has_few_digits():
    at = Fraction(short_between(1.2345678901234, 1.7654321098765))
    assert at.denominator <= 2**12
    assert abs(at - Fraction(3, 2)) < Fraction(1, 1000)
