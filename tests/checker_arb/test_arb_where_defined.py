"""Rows where they are defined: enclosures with infinite ends, against exact numbers, and certificates
that need them.
"""

from fractions import Fraction

import flint
import pytest
from arb_texts import (
    fraction,
    judged,
    lower,
    minimum,
    number,
    one,
    problem,
    rejected,
    rows_of,
    upper,
    verified,
    within,
    zeros,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from certify.checker_arb import partial
from certify.checker_arb.interval import SMALLEST, between
from certify.checker_arb.outcome import Undefined

SMALL, INFINITY = "as small as the error", float("inf")
RATIONALS = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(-1)]),
    st.fractions(min_value=-40, max_value=40, max_denominator=64),
)
PARTS = st.fractions(min_value=0, max_value=1, max_denominator=16)
PRECISIONS = st.integers(min_value=4, max_value=40)


def is_infinite(end):
    return end in (INFINITY, -INFINITY)


@st.composite
def intervals(draw):
    """Ends, some of them infinite, and a number between."""
    low, high = sorted((draw(RATIONALS), draw(RATIONALS)))
    x = low + draw(PARTS) * (high - low)
    kind = draw(st.integers(0, 7))
    if kind in (4, 6):
        low, x = -INFINITY, x - draw(st.sampled_from([0, 1, 10**9]))
    if kind in (5, 6):
        high, x = INFINITY, x + draw(st.sampled_from([0, 1, 10**9]))
    if kind == 7:
        low = high = x
    return low, high, x


def made(low, high):
    """The interval with these ends, numbers or infinite, rounded outwards."""
    ball = [None if is_infinite(end) else flint.arb(number(end)) for end in (low, high)]
    return partial.outwards(*ball)


def ends(a):
    """The ends as exact numbers or infinities; all that are numbers are exact."""
    assert all(end is None or (end.is_finite() and end.is_exact()) for end in a)
    low, high = (None if end is None else fraction(end) for end in a)
    low, high = -INFINITY if low is None else low, INFINITY if high is None else high
    assert low <= high
    return low, high


def contains(a, value):
    low, high = ends(a)
    return low <= value <= high


def times(p, q):
    return Fraction(0) if 0 in (p, q) else p * q


def corners(f, x, y):
    found = [f(p, q) for p in x[:2] for q in y[:2]]
    return min(found), max(found)


def is_sharp(found, least, most, precision, size):
    """Infinite just where the truth is, else close to it."""
    low, high = ends(found)
    slop = Fraction(16, 2**precision) * size
    assert is_infinite(low) == is_infinite(least) and is_infinite(high) == is_infinite(most), (found, least, most)
    assert is_infinite(low) or low >= least - slop, (found, least)
    assert is_infinite(high) or high <= most + slop, (found, most)


def size_of(*intervals):
    return 1 + sum(abs(Fraction(v)) for v in intervals if not is_infinite(v))


@given(intervals(), intervals(), PRECISIONS)
def test_sums_and_products_contain_and_are_sharp(x, y, precision):
    with flint.ctx.workprec(precision):
        a, b = made(*x[:2]), made(*y[:2])
        cases = (
            (partial.add, lambda p, q: p + q, (x[0] + y[0], x[1] + y[1])),
            (partial.subtract, lambda p, q: p - q, (x[0] - y[1], x[1] - y[0])),
            (partial.multiply, lambda p, q: p * q, corners(times, x, y)),
        )
        for kernel, exact, truth in cases:
            found = kernel(a, b)
            assert contains(found, exact(x[2], y[2])), kernel
            is_sharp(found, *truth, precision, size_of(*x[:2], *y[:2]) ** 2)


@given(intervals(), intervals(), PRECISIONS)
def test_quotients_contain_and_are_sharp(x, y, precision):
    """A divisor on both sides of 0 is two divisors."""
    with flint.ctx.workprec(precision):
        a, b = made(*x[:2]), made(*y[:2])
        if y[0] == y[1] == 0:
            with pytest.raises(partial.Nowhere):
                partial.divide(a, b)
            return
        found = partial.divide(a, b)
        assert y[2] == 0 or contains(found, x[2] / y[2])

    def quotients(low, high):
        """The limits of p / q for q > 0 at the corners."""
        for p in x[:2]:
            if low == 0:
                yield Fraction(0) if p == 0 else INFINITY * (1 if p > 0 else -1)
            else:
                yield p / low
            if is_infinite(high):
                yield Fraction(0)
            else:
                yield p / high

    sides = [*quotients(max(y[0], Fraction(0)), y[1])] if y[1] > 0 else []
    sides += [-q for q in quotients(max(-y[1], Fraction(0)), -y[0])] if y[0] < 0 else []
    least = [abs(Fraction(v)) for v in y[:2] if v != 0 and not is_infinite(v)]
    is_sharp(found, min(sides), max(sides), precision, size_of(*x[:2]) * size_of(*y[:2], *(1 / v for v in least)) ** 2)


@given(intervals(), PRECISIONS)
def test_negatives_squares_and_roots_contain_and_are_sharp(x, precision):
    with flint.ctx.workprec(precision):
        a = made(*x[:2])
        is_sharp(partial.negative(a), -x[1], -x[0], precision, size_of(*x[:2]))
        assert contains(partial.negative(a), -x[2])
        found = partial.square(a)
        assert contains(found, x[2] ** 2) and ends(found)[0] >= 0
        least = Fraction(0) if x[0] <= 0 <= x[1] else min(abs(v) for v in x[:2]) ** 2
        is_sharp(found, least, max(abs(v) for v in x[:2]) ** 2, precision, size_of(*x[:2]) ** 2)
        if x[1] < 0:
            with pytest.raises(partial.Nowhere):
                partial.root(a)
            return
        low, high = ends(partial.root(a))
        assert low >= 0 and is_infinite(high) == is_infinite(x[1])
        if x[2] >= 0:
            assert low**2 <= x[2] and (is_infinite(high) or high**2 >= x[2])
        slop = Fraction(16, 2**precision) * size_of(*x[:2])
        assert low**2 >= max(x[0], 0) - slop
        assert is_infinite(high) or high**2 <= x[1] + slop


@given(intervals(), PRECISIONS, st.sampled_from(["exp", "log", "atan", "erf", "sin", "cos"]))
def test_functions_contain_and_are_sharp(x, precision, name):
    with flint.ctx.workprec(precision):
        if name == "log" and x[1] <= 0:
            with pytest.raises(partial.Nowhere):
                partial.logarithm(made(*x[:2]))
            return
        low, high = ends(partial.KERNELS[name](made(*x[:2])))
    with flint.ctx.workprec(300):

        def at(x):
            return getattr(flint.arb(number(x)), name)()

        def above(value, end):
            return not is_infinite(end) and value > flint.arb(number(end))

        def below(value, end):
            return not is_infinite(end) and value < flint.arb(number(end))

        assert name == "exp" or name == "log" or -2 < low <= high < 2 or precision < 8
        if abs(x[2]) < 5000 and not (name == "log" and x[2] <= 0):
            assert not above(at(x[2]), high) and not below(at(x[2]), low)
        if name in ("sin", "cos"):
            assert not (is_infinite(x[0]) or is_infinite(x[1])) or (low, high) == (-1, 1)
            return
        limits = {"exp": (0, INFINITY), "log": (-INFINITY, INFINITY), "atan": (None, None), "erf": (-1, 1)}[name]
        for end, found, limit in zip(x[:2], (low, high), limits, strict=True):
            if is_infinite(end) or (name == "log" and end <= 0):
                half = flint.arb.pi() / 2 * (1 if end > 0 else -1)
                assert (
                    found == limit
                    if limit is not None
                    else abs(found_ball(found) - half) < flint.arb((1, 3 - precision))
                )
            else:
                truth = at(end)
                size = flint.arb(number(end))
                slop = flint.arb((8, -precision)) * (abs(truth) + 1) * (1 + abs(size) + (1 / size if end > 0 else 0))
                assert abs(found_ball(found) - truth) < slop or precision < 8


def found_ball(end):
    return flint.arb(number(end))


DIRECT = {
    "quotients: 1 to 2 by 0 to 4": (partial.divide, ((1, 2), (0, 4)), (Fraction(1, 4), INFINITY)),
    "quotients: 1 to 2 by -4 to 0": (partial.divide, ((1, 2), (-4, 0)), (-INFINITY, Fraction(-1, 4))),
    "quotients: -2 to -1 by 0 to 4": (partial.divide, ((-2, -1), (0, 4)), (-INFINITY, Fraction(-1, 4))),
    "quotients: -2 to -1 by -4 to 0": (partial.divide, ((-2, -1), (-4, 0)), (Fraction(1, 4), INFINITY)),
    "quotients: 0 to 2 by 0 to 4": (partial.divide, ((0, 2), (0, 4)), (0, INFINITY)),
    "quotients: 0 by 0 to 4": (partial.divide, ((0, 0), (0, 4)), (0, 0)),
    "quotients: 0 by anything": (partial.divide, ((0, 0), (-INFINITY, INFINITY)), (0, 0)),
    "quotients: -1 to 2 by 0 to 4": (partial.divide, ((-1, 2), (0, 4)), (-INFINITY, INFINITY)),
    "quotients: 1 by -1 to 4": (partial.divide, ((1, 1), (-1, 4)), (-INFINITY, INFINITY)),
    "quotients: 1 by 2 or more": (partial.divide, ((1, 1), (2, INFINITY)), (0, Fraction(1, 2))),
    "quotients: 1 by 0 or more": (partial.divide, ((1, 1), (0, INFINITY)), (0, INFINITY)),
    "quotients: 3 or more by 2 to 4": (partial.divide, ((3, INFINITY), (2, 4)), (Fraction(3, 4), INFINITY)),
    "quotients: 3 or more by 2 or more": (partial.divide, ((3, INFINITY), (2, INFINITY)), (0, INFINITY)),
    "quotients: anything by 2": (partial.divide, ((-INFINITY, INFINITY), (2, 2)), (-INFINITY, INFINITY)),
    "products: 0 to 1 and 2 or more": (partial.multiply, ((0, 1), (2, INFINITY)), (0, INFINITY)),
    "products: -1 to 0 and 2 or more": (partial.multiply, ((-1, 0), (2, INFINITY)), (-INFINITY, 0)),
    "products: 0 and 2 or more": (partial.multiply, ((0, 0), (2, INFINITY)), (0, 0)),
    "products: anything and 0": (partial.multiply, ((-INFINITY, INFINITY), (0, 0)), (0, 0)),
    "products: 2 or more and 3 or more": (partial.multiply, ((2, INFINITY), (3, INFINITY)), (6, INFINITY)),
    "products: 2 or more and -3 or less": (partial.multiply, ((2, INFINITY), (-INFINITY, -3)), (-INFINITY, -6)),
    "products: -2 or less and -3 or less": (partial.multiply, ((-INFINITY, -2), (-INFINITY, -3)), (6, INFINITY)),
    "products: -1 or more and 2 to 3": (partial.multiply, ((-1, INFINITY), (2, 3)), (-3, INFINITY)),
    "products: -1 to 1 and 2 or more": (partial.multiply, ((-1, 1), (2, INFINITY)), (-INFINITY, INFINITY)),
    "sums: halves": (partial.add, ((2, INFINITY), (3, INFINITY)), (5, INFINITY)),
    "sums: a half and a number": (partial.add, ((-INFINITY, 2), (3, 4)), (-INFINITY, 6)),
    "sums: opposite halves": (partial.add, ((2, INFINITY), (-INFINITY, 3)), (-INFINITY, INFINITY)),
    "differences: halves": (partial.subtract, ((2, INFINITY), (-INFINITY, 3)), (-1, INFINITY)),
    "differences: the same half": (partial.subtract, ((2, INFINITY), (2, INFINITY)), (-INFINITY, INFINITY)),
    "negative: a half": (partial.negative, ((2, INFINITY),), (-INFINITY, -2)),
    "squares: a half": (partial.square, ((2, INFINITY),), (4, INFINITY)),
    "squares: a half below": (partial.square, ((-INFINITY, -2),), (4, INFINITY)),
    "squares: a half with 0": (partial.square, ((-3, INFINITY),), (0, INFINITY)),
    "squares: anything": (partial.square, ((-INFINITY, INFINITY),), (0, INFINITY)),
    "roots: -1 to 4": (partial.root, ((-1, 4),), (0, 2)),
    "roots: 0": (partial.root, ((0, 0),), (0, 0)),
    "roots: -1 to 0": (partial.root, ((-1, 0),), (0, 0)),
    "roots: 4 or more": (partial.root, ((4, INFINITY),), (2, INFINITY)),
    "roots: 4 or less": (partial.root, ((-INFINITY, 4),), (0, 2)),
    "roots: anything": (partial.root, ((-INFINITY, INFINITY),), (0, INFINITY)),
    "logarithms: 0 to 1": (partial.logarithm, ((0, 1),), (-INFINITY, 0)),
    "logarithms: -1 to 1": (partial.logarithm, ((-1, 1),), (-INFINITY, 0)),
    "logarithms: 1 or more": (partial.logarithm, ((1, INFINITY),), (0, INFINITY)),
    "logarithms: anything": (partial.logarithm, ((-INFINITY, INFINITY),), (-INFINITY, INFINITY)),
    "powers: 0 to 10000": (partial.exponential, ((0, 10000),), (1, INFINITY)),
    "powers: 0 or more": (partial.exponential, ((0, INFINITY),), (1, INFINITY)),
    "powers: 0 or less": (partial.exponential, ((-INFINITY, 0),), (0, 1)),
    "powers: -10000 to 0": (partial.exponential, ((-10000, 0),), (0, 1)),
    "powers: 10000": (partial.exponential, ((10000, 10000),), (Fraction(2) ** 8192, INFINITY)),
    "powers: -10000": (partial.exponential, ((-10000, -10000),), (0, Fraction(1, 2**8192))),
    "powers: anything": (partial.exponential, ((-INFINITY, INFINITY),), (0, INFINITY)),
    "powers: 10^2000": (partial.exponential, ((0, 10**2000),), (1, INFINITY)),
    "sines: 0 or more": (partial.KERNELS["sin"], ((0, INFINITY),), (-1, 1)),
    "cosines: 0 or less": (partial.KERNELS["cos"], ((-INFINITY, 0),), (-1, 1)),
    "too large: products": (partial.multiply, ((2**5000, 2**5000), (1, 2**5000)), (2**5000, INFINITY)),
    "too large: products below": (partial.multiply, ((-(2**5000), -(2**5000)), (1, 2**5000)), (-INFINITY, -(2**5000))),
    "too large: all products": (partial.square, ((2**5000, 2**5001),), (2**8192, INFINITY)),
    "too large: sums": (partial.add, ((-(2**8191), 2**8191), (-(2**8191), 2**8191)), (-INFINITY, INFINITY)),
    "too small: products": (partial.square, ((Fraction(1, 2**5000), Fraction(1, 2**5000)),), (0, Fraction(1, 2**8192))),
    "too small: quotients": (partial.divide, ((1, 1), (Fraction(1, 2**9000), 1)), (1, INFINITY)),
}


@pytest.mark.parametrize("name", DIRECT)
def test_what_operations_give(name):
    kernel, operands, expected = DIRECT[name]
    with flint.ctx.workprec(128):
        low, high = ends(kernel(*(made(*operand) for operand in operands)))
        assert (low, high) == expected


def test_arctangents_end_at_right_angles():
    with flint.ctx.workprec(128):
        right = flint.arb.pi() / 2
        for operand, below, above in (
            ((0, INFINITY), False, True),
            ((-INFINITY, 0), True, False),
            ((-INFINITY, INFINITY), True, True),
        ):
            low, high = partial.arctangent(made(*operand))
            assert low <= -right.mid() and low > -right - flint.arb((1, -120)) if below else low.is_zero()
            assert high >= right.mid() and high < right + flint.arb((1, -120)) if above else high.is_zero()


@pytest.mark.parametrize("kernel", [partial.root, partial.logarithm])
@pytest.mark.parametrize("operand", [(-2, -1), (-INFINITY, -1)])
def test_nothing_is_left_of_negative_numbers(kernel, operand):
    with pytest.raises(partial.Nowhere):
        kernel(made(*operand))


def test_nothing_is_left_of_0():
    for operands in ((partial.logarithm, (0, 0)), (partial.logarithm, (-1, 0)), (partial.logarithm, (-INFINITY, 0))):
        with pytest.raises(partial.Nowhere):
            operands[0](made(*operands[1]))
    for dividend in ((0, 0), (1, 2), (-INFINITY, INFINITY)):
        with pytest.raises(partial.Nowhere):
            partial.divide(made(*dividend), made(0, 0))


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "0 +/- inf", "1 +/- inf"])
def test_what_arb_does_not_know_is_no_bound(text):
    """The infinity of Arb is no number of the arithmetic either: where it came from is not known."""
    bad = flint.arb(0, flint.arb("inf")) if "+/-" in text else flint.arb(text)
    low, high = partial.outwards(bad, bad)
    assert (low, high) == (None, None)


@given(st.fractions(min_value=-9, max_value=9), st.fractions(min_value=0, max_value=9), PRECISIONS)
def test_ends_are_outside_their_balls(middle, radius, precision):
    with flint.ctx.workprec(precision):
        ball = flint.arb(number(middle), number(radius))
        low, high = ends(partial.outwards(ball, ball))
        assert low <= middle - radius and high >= middle + radius
        assert partial.outwards(SMALLEST / 4, SMALLEST / 2) == (0, SMALLEST)
        assert partial.outwards(-SMALLEST / 4, -SMALLEST / 2) == (-SMALLEST, 0)


# random rows: truth at a point, exactly where that is possible, else in balls of high precision

UNARY = ("neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan", "erf")
BINARY = ("add", "sub", "mul", "div")


class Unsure(Exception):
    """It is not known whether the row is defined here."""


class NotDefined(Exception):
    """The row is not defined here."""


def ball(x):
    return flint.arb(number(x)) if isinstance(x, Fraction) else x


def sign(x):
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    if x > 0:
        return 1
    if x < 0:
        return -1
    raise Unsure


def step(operation, x, y):
    """One operation on numbers, rational ones exactly."""
    rational = isinstance(x, Fraction) and (y is None or isinstance(y, Fraction))
    if (
        (operation == "div" and sign(y) == 0)
        or (operation == "sqrt" and sign(x) < 0)
        or (operation == "log" and sign(x) <= 0)
    ):
        raise NotDefined
    if rational and operation == "exp" and x == 0:
        return Fraction(1)
    if operation in ("sqrt", "sin", "cos", "exp", "log", "atan", "erf"):
        if rational and x == 0 and operation != "log":
            return Fraction(operation == "cos")
        found = getattr(ball(x), operation)()
    else:
        p, q = (x, y) if rational else (ball(x), None if y is None else ball(y))
        found = {
            "neg": lambda: -p,
            "sqr": lambda: p * p,
            "add": lambda: p + q,
            "sub": lambda: p - q,
            "mul": lambda: p * q,
            "div": lambda: p / q,
        }[operation]()
    if not isinstance(found, Fraction) and not found.is_finite():
        raise Unsure
    if isinstance(found, Fraction) and max(found.numerator.bit_length(), found.denominator.bit_length()) > 3000:
        raise Unsure
    return found


@st.composite
def rows(draw):
    """A tape of three inputs, the last one measured, with their ranges."""
    lines = []
    for node in range(3, 3 + draw(st.integers(1, 7))):
        kind = draw(st.integers(0, 9))
        latest = st.one_of(st.just(node - 1), st.integers(0, node - 1))
        if kind == 0:
            lines.append(f"const {draw(st.fractions(min_value=-3, max_value=3, max_denominator=4))}")
        elif kind < 6:
            lines.append(f"{draw(st.sampled_from(UNARY))} {draw(latest)}")
        else:
            lines.append(f"{draw(st.sampled_from(BINARY))} {draw(latest)} {draw(latest)}")
    ranges = []
    for _ in range(3):
        low, high = sorted(draw(st.tuples(st.integers(-4, 4), st.integers(-4, 4))))
        ranges.append((Fraction(low), Fraction(high)))
    return lines, ranges


def value_at(lines, point):
    nodes = list(point)
    for line in lines:
        operation, *operands = line.split(" ")
        if operation == "const":
            nodes.append(Fraction(operands[0]))
        else:
            first, second = (*(nodes[int(k)] for k in operands), None)[:2]
            nodes.append(step(operation, first, second))
    return nodes[-1]


@settings(max_examples=150)
@given(rows(), st.lists(st.tuples(PARTS, PARTS, PARTS), min_size=3, max_size=12))
def test_enclosures_contain_what_is_defined(row, parts):
    """And where nothing is enclosed, nothing is defined."""
    lines, ranges = row
    (x, y, m) = ranges
    text = problem(
        variables=tuple(f"{name} mm {low} {high}" for name, (low, high) in zip("xy", (x, y), strict=True)),
        columns=(("m", (f"{m[0]} {m[1]}",)),),
        tape=tuple(lines),
        inputs=3,
        families=("F 0 1 v0 v1 c0",),
    )
    known = rows_of(text)
    box = [between(number(low), number(high)) for low, high in (x, y)]
    with flint.ctx.workprec(64):
        measured = [between(number(m[0]), number(m[1]))]
        direct = partial.where_defined(known.plans[0], known.variables(0, box), measured)
        chosen = known.enclosed_where_defined(0, 0, box)
        try:
            known.enclosed(0, 0, box)
        except Undefined:
            assert chosen == direct
    for part in (*parts, (0, 0, 0), (1, 1, 1), (Fraction(1, 2),) * 3):
        with flint.ctx.workprec(600):
            try:
                truth = value_at(
                    lines, [low + Fraction(t) * (high - low) for (low, high), t in zip(ranges, part, strict=True)]
                )
            except (NotDefined, Unsure):
                continue
            for found in (direct, chosen):
                assert found is not None, (lines, ranges, part)
                low, high = found
                truth_ball = ball(truth)
                assert low is None or not truth_ball < low, (lines, ranges, part)
                assert high is None or not truth_ball > high, (lines, ranges, part)


@given(intervals(), intervals())
def test_enclosures_grow_with_their_operands(x, y):
    """A part of the operands gives a part of the result, up to rounding: nothing is lost where an end
    becomes infinite.
    """
    assume(not is_infinite(x[0]) and not is_infinite(x[1]))
    with flint.ctx.workprec(200):
        for whole in ((-INFINITY, x[1]), (x[0], INFINITY), (-INFINITY, INFINITY)):
            for name in BINARY:
                try:
                    small = ends(partial.KERNELS[name](made(*x[:2]), made(*y[:2])))
                except partial.Nowhere:
                    continue
                large = ends(partial.KERNELS[name](made(*whole), made(*y[:2])))
                slop = Fraction(1, 2**150)
                assert large[0] <= small[0] + slop and large[1] >= small[1] - slop


# whole certificates

LOGARITHM = one("log 0", "add 1 0", low="0", high="1")  # log x + x = 0, at 0.567143
POLE = one("const 1", "div 1 0", "const 3", "sub 2 3")  # 1 / x - 3 = 0 on [-1, 1], at 1/3
HALF_ROOT = one("sqrt 0", "const 2", "sub 1 2", low="-1", high="9")  # sqrt x - 2 = 0, at 4
OMEGA = (("zero 1161p-11 1162p-11", "inverse 741p-11"),)  # 1 / (1 / z + 1) = 0.361896
THIRD = (("zero 341p-10 683p-11", "inverse -455p-12"),)
FOUR = (("zero 31p-3 33p-3", "inverse 4"),)


def tree_of(block, leaf="known 0", away="evaluate 0 0"):
    _, low, high = block[0][0].split(" ")
    return (f"split 0 {low}", away, f"split 0 {high}", leaf, away)


VALID = {
    "a logarithm at the end of the box": (LOGARITHM, zeros(OMEGA, *tree_of(OMEGA))),
    "a root that begins in the box": (HALF_ROOT, zeros(FOUR, *tree_of(FOUR))),
    "a pole in the box, split": (POLE, zeros(THIRD, "split 0 0", "evaluate 0 0", *tree_of(THIRD))),
    "a logarithm, no zero": (one("log 0", "const 1", "sub 1 2", low="-1", high="2"), zeros((), "evaluate 0 0")),
    "a pole at the end": (one("const 1", "div 1 0", low="0", high="4"), lower("1/5", "evaluate 0 0")),
    "a pole at the other end": (one("const 1", "div 1 0", low="-4", high="0"), lower("1/5", "evaluate 0 0")),
    "defined nowhere: a root": (one("sqrt 0", low="-2", high="-1"), lower("100", "evaluate 0 0")),
    "defined nowhere: a logarithm": (one("log 0", low="-2", high="0"), lower("100", "evaluate 0 0")),
    "defined nowhere: a divisor": (one("const 0", "div 0 1"), lower("100", "evaluate 0 0")),
    "defined nowhere: a node that does not count": (one("const 0", "log 1", "sqr 0"), lower("100", "evaluate 0 0")),
    "defined nowhere: a row of measurements": (
        one("sqrt 1", "sub 0 2", columns=(("m", ("-2 -1",)),), bindings="v0 c0"),
        lower("9", "evaluate 0 0"),
    ),
    "squares: a pole at the end": (
        one("const -1", "div 1 0", low="0", high="4"),
        lower("1/17", "evaluate 0 0", norm="squares"),
    ),
    "squares: a logarithm": (one("log 0", low="0", high="1/2"), lower("12/25", "evaluate 0 0", norm="squares")),
    "squares: defined nowhere": (one("log 0", low="-2", high="-1"), lower("100", "evaluate 0 0", norm="squares")),
    "a hull up to the pole": (
        one("const 1", "div 1 0", low="0", high="4"),
        within("1", ("1023/1024 4",), "split 0 1023p-10", "evaluate 0 0", "open"),
    ),
    "too large a number": (one("exp 0", "exp 1", low="2", high="9"), lower("1000", "evaluate 0 0")),
    "too large a number, from below": (one("exp 0", "neg 1", low="2", high="6000"), lower("7", "evaluate 0 0")),
    "too large, where it does not matter": (
        one("exp 0", "atan 1", low="1", high="6000"),
        lower("121/100", "evaluate 0 0"),
    ),
    "0 times what has no end": (
        one("log 0", "const 0", "mul 1 2", "const 1", "add 3 4", low="0"),
        lower("99/100", "evaluate 0 0"),
    ),
    "a sine of what has no end": (
        one("log 0", "sin 1", "const 2", "add 2 3", low="0"),
        lower("99/100", "evaluate 0 0"),
    ),
    "a square of what has no end": (
        one("log 0", "sqr 1", "const 1", "add 2 3", low="0"),
        lower("99/100", "evaluate 0 0"),
    ),
    "left out rows": (
        one("log 0", "const 1", "sub 1 2", low="0").replace("F 0 1 v0", "F 0 2 v0"),
        lower("99/100", "hitting 2", "evaluate 0 0", "evaluate 0 1", discard=1),
    ),
    "a minimum, global": (
        one("log 0", low="0", high="4"),
        minimum(
            "1/100",
            ("zero 7p-3 9p-3", "inverse 1"),
            "split 0 7p-3",
            "evaluate 0 0",
            "split 0 9p-3",
            "known 0",
            "evaluate 0 0",
        ),
    ),
}
FORGED = {
    "root: at the level": (one("sqrt 0", low="-1"), lower("1/1000", "evaluate 0 0")),
    "root: the zero is left out": (HALF_ROOT, zeros((), "evaluate 0 0")),
    "root: of the negative part": (
        one("sqrt 0", "const 1", "sub 1 2", low="-9", high="1"),
        lower("1/1000", "evaluate 0 0"),
    ),
    "root: at 0 it is defined": (one("sqrt 0", low="-9", high="0"), lower("1/1000", "evaluate 0 0")),
    "root: of a half": (one("log 0", "sqrt 1", low="0", high="2"), lower("1/1000", "evaluate 0 0")),
    "logarithm: the zero is left out": (LOGARITHM, zeros((), "evaluate 0 0")),
    "logarithm: on the wrong side": (LOGARITHM, zeros(OMEGA, *tree_of(OMEGA)[:3], "evaluate 0 0", "evaluate 0 0")),
    "logarithm: reaches 0": (one("log 0", low="-1"), lower("1/1000", "evaluate 0 0")),
    "logarithm: of little": (one("log 0", low="0", high="1/2"), lower("7/10", "evaluate 0 0")),
    "logarithm: has no lower bound": (one("log 0", "const 9", "add 1 2", low="0"), lower("1/1000", "evaluate 0 0")),
    "divisor: not split": (POLE, zeros(THIRD, *tree_of(THIRD))),
    "divisor: on both sides": (one("const 1", "div 1 0"), lower("1/2", "evaluate 0 0")),
    "divisor: 0 by 0 to 1": (one("const 0", "div 1 0", low="0"), lower("1/1000", "evaluate 0 0")),
    "divisor: numbers on both sides": (one("div 0 0", "const 2", "sub 1 2"), lower("1/1000", "evaluate 0 0")),
    "divisor: large": (one("const 1", "div 1 0", low="0", high="4"), lower("1/4", "evaluate 0 0")),
    "divisor: what has no end": (one("log 0", "const 1", "div 2 1", low="0"), lower("1/1000", "evaluate 0 0")),
    "infinite: opposite halves": (
        one("log 0", "const 1", "div 2 0", "add 1 3", low="0"),
        lower("1/1000", "evaluate 0 0"),
    ),
    "infinite: 0 to 1 times a half": (one("const 1", "div 1 0", "mul 2 0", low="0"), lower("1/2", "evaluate 0 0")),
    "infinite: a sine": (one("log 0", "sin 1", low="0"), lower("1/1000", "evaluate 0 0")),
    "infinite: too large, minus itself": (
        one("exp 0", "sub 1 1", low="6000", high="6001"),
        lower("1/1000", "evaluate 0 0"),
    ),
    "infinite: its part by itself": (
        one("exp 0", "div 0 1", low="-6000", high="6001"),
        lower("1/1000", "evaluate 0 0"),
    ),
    "infinite: the exponential of a half": (one("log 0", "exp 1", low="0"), lower("1/1000", "evaluate 0 0")),
    "infinite: the arctangent of a half": (one("log 0", "atan 1", low="0", high="2"), lower("1/1000", "evaluate 0 0")),
    "infinite: a number beyond the limit": (
        one("exp 0", "log 1", "const 6000", "sub 2 3", low="5990", high="6010"),
        lower("1/1000", "evaluate 0 0"),
    ),
}


@pytest.mark.parametrize("name", VALID)
def test_what_is_refuted_where_it_is_defined(name):
    verified(*VALID[name])


@pytest.mark.parametrize("name", FORGED)
def test_what_is_not(name):
    rejected(judged(*FORGED[name]), "evaluate", SMALL)


def test_the_image_of_a_frame_may_leave_the_domain():
    """x = y / 2 in a frame: log x + x below 1/8, where a box of y reaches beyond 0."""
    tree = (
        "split 0 1p-3",
        "frame 1p-4 1",
        "evaluate 0 0",
        "split 0 1p-1",
        "evaluate 0 0",
        "split 0 5p-3",
        "open",
        "evaluate 0 0",
    )
    verified(LOGARITHM, within("1/1000", ("1/2 5/8",), *tree))
    rejected(judged(LOGARITHM, within("2", ("1/2 5/8",), *tree)), "evaluate", SMALL)


OTHER_RULES = {
    "the mean value form": (lower("1/1000", "aggregate m0.0-1"), "aggregate"),
    "the Taylor form": (lower("1/1000", "aggregate t0.0-1"), "aggregate"),
    "a witness": (upper("100", "0"), "witness"),
    "a witness of squares": (upper("100", "0", norm="squares"), "witness"),
    "a zero": (zeros((("zero -1 1", "inverse 1"),), "known 0"), "isolated"),
    "a minimum": (minimum("100", ("zero -1 1", "inverse 1")), "minimum"),
}
PARTIAL = {
    "root": one("const 1/4", "sub 0 1", "sqrt 2", "const 2", "sub 3 4", low="-1", high="1/2"),
    "logarithm": one("log 0", low="-1", high="1/2"),
    "divisor": one("const -1", "div 1 0", low="0", high="1/2"),
    "not used": one("log 0", "const -2", "add 0 2", low="-1", high="1/2"),
    "nowhere": one("const -1", "sqrt 1", "const -3", "add 0 3", low="0", high="1/2"),
}


@pytest.mark.parametrize("text", PARTIAL)
@pytest.mark.parametrize("name", OTHER_RULES)
def test_no_other_rule_uses_these_enclosures(name, text):
    claim, rule = OTHER_RULES[name]
    verified(PARTIAL[text], lower("1/4", "evaluate 0 0"))
    outcome = judged(PARTIAL[text], claim)
    assert outcome.rule == rule, outcome.message
    assert any(reason in outcome.message for reason in ("root", "logarithm", "division")), outcome.message


def test_towers_where_nothing_is_bounded_end_at_once():
    """Five thousand operations on numbers without bounds, or beyond the limits."""
    squares = one("log 0", *(f"sqr {k}" for k in range(1, 5000)), low="0", high="3")
    powers = one("exp 0", *(f"exp {k}" for k in range(1, 5000)), low="0", high="3")
    quotients = one(*(f"div {k} 0" for k in range(5000)), low="0", high="3")
    for text in (squares, quotients):
        rejected(judged(text, lower("1/1000", "evaluate 0 0")), "evaluate", SMALL)
    verified(powers, lower("1000", "evaluate 0 0"))
