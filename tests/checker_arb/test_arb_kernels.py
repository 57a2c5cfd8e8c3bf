"""Intervals of balls against exact rationals, at precisions so low that every rounding shows."""

from fractions import Fraction

import flint
import pytest
from arb_texts import fraction, number
from exact_functions import exact_bell, exact_error_function
from hypothesis import assume, given
from hypothesis import strategies as st

from certify.checker_arb import interval, partial, taylor
from certify.checker_arb.outcome import Undefined
from certify.checker_arb.polynomial import poly_multiply, poly_range, poly_square, range_of

RATIONALS = st.fractions(min_value=-40, max_value=40, max_denominator=64)
PARTS = st.fractions(min_value=0, max_value=1, max_denominator=16)
PRECISIONS = st.integers(min_value=4, max_value=40)


def ends(a):
    return fraction(a[0].lower()), fraction(a[1].upper())


@st.composite
def intervals(draw):
    """An interval and a number in it."""
    low, high = sorted((draw(RATIONALS), draw(st.one_of(RATIONALS, st.just(Fraction(0))))))
    if draw(st.booleans()):
        high = low
    return low, high, low + draw(PARTS) * (high - low)


def contains(a, value):
    low, high = ends(a)
    return low <= value <= high


def made(x):
    return interval.between(number(x[0]), number(x[1]))


@given(intervals(), intervals(), PRECISIONS)
def test_binary_kernels_contain_and_are_sharp(x, y, precision):
    with flint.ctx.workprec(precision):
        a, b = made(x), made(y)
        for kernel, exact in (
            (interval.add, lambda p, q: p + q),
            (interval.subtract, lambda p, q: p - q),
            (interval.multiply, lambda p, q: p * q),
        ):
            found = kernel(a, b)
            assert contains(found, exact(x[2], y[2]))
            corners = [exact(p, q) for p in x[:2] for q in y[:2]]
            low, high = ends(found)
            slop = Fraction(1, 2**precision) * 16 * (sum(abs(v) for v in (*x[:2], *y[:2])) + 1) ** 2
            assert low >= min(corners) - slop and high <= max(corners) + slop


@given(intervals(), intervals(), PRECISIONS)
def test_division_contains_or_is_undefined(x, y, precision):
    with flint.ctx.workprec(precision):
        a, b = made(x), made(y)
        if y[0] <= 0 <= y[1]:
            with pytest.raises(Undefined):
                interval.divide(a, b)
        else:
            assert contains(interval.divide(a, b), x[2] / y[2])


@given(intervals(), PRECISIONS)
def test_unary_kernels_contain(x, precision):
    with flint.ctx.workprec(precision):
        a = made(x)
        assert contains(interval.negative(a), -x[2])
        for n in (1, 2, 3, 4):
            assert contains(interval.power(a, n), x[2] ** n)
        assert ends(interval.square(a))[0] >= 0 or x[0] == x[1]
        assert contains(interval.scaled(flint.arb(number(x[0])), a), x[0] * x[2])


@given(intervals(), PARTS, PARTS, PRECISIONS)
def test_what_lies_in_two_intervals_lies_in_both(x, before, after, precision):
    with flint.ctx.workprec(precision):
        low, high = ends(interval.meet(made(x), interval.between(number(x[2] - before), number(x[2] + after))))
    slop = Fraction(1, 2**precision) * 256
    assert low <= x[2] <= high
    assert x[0] == x[1] or (low >= max(x[0], x[2] - before) - slop and high <= min(x[1], x[2] + after) + slop)


@given(intervals(), PRECISIONS)
def test_roots_contain_or_are_undefined(x, precision):
    with flint.ctx.workprec(precision):
        a = made(x)
        if x[0] < 0:
            with pytest.raises(Undefined):
                interval.root(a)
        else:
            low, high = ends(interval.root(a))
            assert low <= 0 or low**2 <= x[2]
            assert high >= 0 and high**2 >= x[2]


@given(intervals(), PRECISIONS, st.sampled_from([(interval.sine, "sin"), (interval.cosine, "cos")]))
def test_sines_and_cosines_contain(x, precision, pair):
    kernel, name = pair
    with flint.ctx.workprec(300):
        truth = getattr(flint.arb(number(x[2])), name)()
    with flint.ctx.workprec(precision):
        low, high = ends(kernel(made(x)))
    with flint.ctx.workprec(300):
        assert not truth < flint.arb(number(low))
        assert not truth > flint.arb(number(high))
        assert -3 <= low <= high <= 3


@pytest.mark.parametrize(
    ("low", "high", "least", "most"),
    [("0", "2", 0, 1), ("-2", "2", -1, 1), ("1/10", "1", 0.0998, 0.8415), ("3", "100", -1, 1)],
)
def test_the_range_of_a_sine_is_sharp(low, high, least, most):
    with flint.ctx.workprec(64):
        found = ends(interval.sine(made((Fraction(low), Fraction(high)))))
    assert abs(found[0] - least) < 1e-4 and abs(found[1] - most) < 1e-4


MONOTONE = {
    "exp": interval.exponential,
    "log": interval.logarithm,
    "atan": interval.arctangent,
    "erf": interval.error_function,
}


def true_value(name, x, precision=300):
    """A function at a rational number, in a ball of high precision."""
    with flint.ctx.workprec(precision):
        return getattr(flint.arb(number(x)), name)()


@given(intervals(), PRECISIONS, st.sampled_from(sorted(MONOTONE)))
def test_exponentials_logarithms_and_arctangents_contain_or_are_undefined(x, precision, name):
    with flint.ctx.workprec(precision):
        a = made(x)
        if name == "log" and x[0] <= 0:
            with pytest.raises(Undefined, match="logarithm"):
                interval.logarithm(a)
            return
        found = MONOTONE[name](a)
        low, high = ends(found)
        assert (found[0] is found[1]) is (a[0] is a[1])
    with flint.ctx.workprec(300):
        for point in x:
            truth = true_value(name, point)
            assert not truth < flint.arb(number(low))
            assert not truth > flint.arb(number(high))


@given(intervals(), st.sampled_from(sorted(MONOTONE)))
def test_their_ranges_are_sharp(x, name):
    assume(name != "log" or x[0] > 0)
    with flint.ctx.workprec(200):
        low, high = ends(MONOTONE[name](made(x)))
    for end, point in ((low, x[0]), (high, x[1])):
        with flint.ctx.workprec(300):
            truth = true_value(name, point)
            assert abs(flint.arb(number(end)) - truth) <= (1 + abs(truth)) * flint.arb((1, -180))


@given(intervals(), PRECISIONS)
def test_the_error_function_and_its_slope_contain_exact_values(x, precision):
    """Against the series, in fractions: what Arb says of erf is not taken from Arb."""
    with flint.ctx.workprec(precision):
        a = made(x)
        value, slope = (ends(kernel(a)) for kernel in (interval.error_function, interval.error_function_slope))
    assert value[0] <= exact_error_function(x[2], 90)[1] and exact_error_function(x[2], 90)[0] <= value[1]
    assert slope[0] <= exact_bell(x[2], 90)[1] and exact_bell(x[2], 90)[0] <= slope[1]


@given(intervals(), PRECISIONS)
def test_the_slope_of_the_arctangent_contains(x, precision):
    with flint.ctx.workprec(precision):
        assert contains(interval.arctangent_slope(made(x)), 1 / (1 + x[2] ** 2))


def test_exponentials_end_at_the_limit():
    edge = Fraction(5678)  # 8192 log 2 = 5678.26
    with flint.ctx.workprec(64):
        assert interval.exponential(made((edge, edge)))[1] < interval.LARGEST
        for low, high in (
            ("5679", "5679"),
            ("56783/10", "56783/10"),
            ("0", "56783/10"),
            ("-6000", "6000"),
            ("0", "1" + "0" * 2000),
        ):
            with pytest.raises(Undefined, match="2\\^8192"):
                interval.exponential(made((Fraction(low), Fraction(high))))
        smallest = Fraction(1, 2**8192)
        for low in ("-5679", "-6000", "-1" + "0" * 2000):
            assert ends(interval.exponential(made((Fraction(low), Fraction(low))))) == (0, smallest)
            found = interval.exponential(made((Fraction(low), Fraction(1))))
            assert ends(found)[0] == 0
            assert not true_value("exp", Fraction(1)) > found[1]
            assert Fraction(271828, 100000) < ends(found)[1] < Fraction(271829, 100000)
        unsure = flint.arb(-5679, 2)
        assert contains(interval.exponential((unsure, unsure)), 0)
        for bad in (flint.arb("nan"), flint.arb("inf")):
            with pytest.raises(Undefined):
                interval.exponential((bad, bad))
        with pytest.raises(Undefined):
            interval.logarithm((flint.arb("nan"), flint.arb(1)))
        with pytest.raises(Undefined):
            interval.logarithm((flint.arb(1, 1), flint.arb(3)))


@pytest.mark.parametrize("exponent", [-(2**80), -(2**40), -9000, 9000, 2**40, 2**80])
def test_numbers_of_any_size_cost_nothing(exponent):
    """Such numbers come from products that stay below the limits one by one, or from boxes of zeros."""
    with flint.ctx.workprec(576):
        size = flint.arb((1, exponent))
        for a in (
            (size, size),
            (-size, size),
            (-size, -size),
            (size, 2 * size),
            (flint.arb(0, size), flint.arb(1, size)),
        ):
            for name, kernel in MONOTONE.items():
                try:
                    low, high = kernel(a)
                except Undefined:
                    assert name not in ("atan", "erf") and (name != "exp" or exponent > 0)
                    continue
                assert not high < low
                if name in ("atan", "erf"):
                    assert low > -3 and high < 3


def test_signs_of_products_of_zero():
    """The ends 0 and 0, as different objects, are not mistaken for something else."""
    with flint.ctx.workprec(64):
        nothing = (flint.arb(0), flint.arb(0))
        below = (flint.arb(-2), flint.arb(-1))
        unsure = (flint.arb(-1, 1.5), flint.arb(0, 0.5))
        for a in (nothing, below, unsure):
            for b in (nothing, below, unsure):
                assert contains(interval.multiply(a, b), fraction(a[0].mid()) * fraction(b[1].mid()))


def test_limits():
    with flint.ctx.workprec(64):
        big = flint.arb((1, 8192))
        with pytest.raises(Undefined):
            interval.within_limits((big, big))
        with pytest.raises(Undefined):
            interval.within_limits((flint.arb("nan"), flint.arb("nan")))
        tiny = flint.arb((1, -9000))
        low, high = interval.within_limits((-tiny, tiny))
        assert fraction(low) == -Fraction(1, 2**8192) and fraction(high) == Fraction(1, 2**8192)
        assert interval.within_limits((tiny, tiny))[0].is_zero()
        wide = flint.arb(0, 1)
        assert interval.within_limits((wide, wide)) == (wide, wide) or wide is interval.within_limits((wide, wide))[0]


@given(
    st.lists(intervals(), min_size=3, max_size=3),
    st.lists(intervals(), min_size=3, max_size=3),
    st.lists(intervals(), min_size=2, max_size=2),
    PRECISIONS,
)
def test_polynomials_contain(first, second, point, precision):
    monomials = [(), (0,), (1,)]
    with flint.ctx.workprec(precision):
        p = {m: made(x) for m, x in zip(monomials, first, strict=True)}
        q = {m: made(x) for m, x in zip(monomials, second, strict=True)}
        ranges = [made(x) for x in point]
        values = [x[2] for x in point]

        def exact(coefficients):
            return coefficients[0][2] + coefficients[1][2] * values[0] + coefficients[2][2] * values[1]

        assert contains(poly_range(poly_multiply(p, q), ranges), exact(first) * exact(second))
        assert contains(poly_range(poly_square(p), ranges), exact(first) ** 2)


@given(intervals(), st.integers(1, 4))
def test_odd_powers_are_sharp(x, n):
    with flint.ctx.workprec(200):
        low, high = ends(range_of((0,) * n, [made(x)]))
    corners = [x[0] ** n, x[1] ** n] + ([Fraction(0)] if x[0] <= 0 <= x[1] else [])
    assume(x[0] != x[1])
    assert abs(low - min(corners)) < Fraction(1, 10**20)
    assert abs(high - max(corners)) < Fraction(1, 10**20)


@given(intervals())
def test_the_error_function_without_bounds_and_its_second_derivative(x):
    """-1 and 1 at the ends that are infinite; -2 x times the first derivative, from the exact one."""
    with flint.ctx.workprec(100):
        assert partial.error_function((None, None)) == (-1, 1)
        assert partial.error_function((flint.arb(0), None)) == (0, 1)
        assert partial.error_function((None, flint.arb(0))) == (-1, 0)
        point = made((x[2], x[2]))
        low, high = ends(taylor._bend("erf", point, interval.error_function(point)))
    least, most = sorted(-2 * x[2] * end for end in exact_bell(x[2], 120))
    assert low <= most and least <= high and high - low < Fraction(1, 2**80)
