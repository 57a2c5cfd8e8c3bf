"""Functions of rational numbers and intervals, enclosed in integers, against Arb."""

import inspect
from fractions import Fraction

import flint
import pytest
from exact import ball
from hypothesis import given, settings
from hypothesis import strategies as st

import certify.problems.functions.ranges
import certify.problems.functions.series
import certify.problems.minibex.bounds
from certify.problems.formulas.graph import Operation
from certify.problems.functions.function_table import ROWS, enclosed
from certify.problems.minibex import parse_minibex

PRECISION = 1500  # bits of Arb
WIDTH = Fraction(1, 2**180)  # of an enclosure at a point, relative to its size or to 1
TRUTHS = {
    Operation.EXP: lambda x: x.exp(), Operation.LOG: lambda x: x.log(), Operation.SIN: lambda x: x.sin(),
    Operation.COS: lambda x: x.cos(),
    Operation.TAN: lambda x: x.tan(), Operation.ASIN: lambda x: x.asin(), Operation.ACOS: lambda x: x.acos(),
    Operation.ATAN: lambda x: x.atan(),
    Operation.SINH: lambda x: x.sinh(), Operation.COSH: lambda x: x.cosh(), Operation.TANH: lambda x: x.tanh(),
    Operation.ASINH: lambda x: x.asinh(), Operation.ACOSH: lambda x: x.acosh(), Operation.ATANH: lambda x: x.atanh(),
    Operation.ERF: lambda x: x.erf(),
}  # fmt: skip
DOMAINS = {
    Operation.LOG: (0, None),
    Operation.ASIN: (-1, 1),
    Operation.ACOS: (-1, 1),
    Operation.ACOSH: (1, None),
    Operation.ATANH: (-1, 1),
}
NUMBERS = st.one_of(
    st.fractions(min_value=-1, max_value=1, max_denominator=10**30),
    st.fractions(min_value=-20, max_value=20, max_denominator=1000),
    st.fractions(min_value=-700, max_value=700),
    st.integers(-(10**40), 10**40).map(Fraction),
)


OTHERS = {Operation[name] for name in ("POWER", "ATAN2", "SIGN", "ABS", "MIN", "MAX")}  # which have tests of their own


def test_every_row_of_the_table_has_a_truth_here():
    assert {row.operation for row in ROWS if row.ends} == TRUTHS.keys() | OTHERS


def contains(ends, truth):
    """Not surely outside."""
    return not (truth < ball(ends[0]) or truth > ball(ends[1]))


@settings(max_examples=150)
@given(operation=st.sampled_from(sorted(TRUTHS, key=lambda one: one.name)), x=NUMBERS)
def test_at_a_point(operation, x):
    low, high = DOMAINS.get(operation, (None, None))
    inside = (low is None or x >= low) and (high is None or x <= high)
    found = enclosed(operation, [(x, x)])
    if found is None:
        assert not inside or abs(x) > 700 or x in (low, high)
        return
    assert inside
    with flint.ctx.workprec(PRECISION):
        assert contains(found, TRUTHS[operation](ball(x)))
    assert found[1] - found[0] <= WIDTH * max(1, abs(found[0]))


@settings(max_examples=150)
@given(
    operation=st.sampled_from(sorted(TRUTHS, key=lambda one: one.name)),
    ends=st.tuples(NUMBERS, NUMBERS).map(sorted),
    share=st.fractions(0, 1),
)
def test_of_an_interval(operation, ends, share):
    """What is between the ends is mapped between the ends."""
    found = enclosed(operation, [tuple(ends)])
    if found is None:
        return
    with flint.ctx.workprec(PRECISION):
        for x in (ends[0], ends[0] + share * (ends[1] - ends[0]), ends[1]):
            assert contains(found, TRUTHS[operation](ball(x)))


@settings(max_examples=100)
@given(x=NUMBERS.filter(lambda v: abs(v) < 1000), y=NUMBERS.filter(lambda v: abs(v) < 1000))
def test_two_operands(x, y):
    with flint.ctx.workprec(PRECISION):
        angle = enclosed(Operation.ATAN2, [(y, y), (x, x)])
        assert (angle is None) == (x == y == 0)
        assert angle is None or contains(angle, flint.arb.atan2(ball(y), ball(x)))
        power = enclosed(Operation.POWER, [(x, x), (y, y)])
        if power is None:
            assert (
                x < 0 or (x == 0 and y <= 0) or float(abs(y)) * max(abs(float(x)), 1 / abs(float(x)) if x else 0) > 100
            )
        elif x:
            assert contains(power, (ball(x).log() * ball(y)).exp())


def test_sines_reach_their_tops_and_no_higher():
    pi = Fraction(355, 113)  # a little more than pi
    assert enclosed(Operation.SIN, [(pi / 2 - Fraction(1, 10**6), pi / 2)])[1] == 1
    assert enclosed(Operation.SIN, [(pi / 2, pi)])[1] < 1
    assert enclosed(Operation.COS, [(Fraction(0), pi)])[0] == -1
    assert enclosed(Operation.COS, [(Fraction(1), Fraction(3))])[0] > -1
    assert enclosed(Operation.COS, [(Fraction(-1), Fraction(3))])[1] == 1
    assert enclosed(Operation.SIN, [(Fraction(-1), Fraction(1))]) != (-1, 1)


def test_what_is_rational_is_exact():
    third, ends = Fraction(1, 3**400), (Fraction(-1, 7), Fraction(1, 7**400))
    assert enclosed(Operation.ABS, [ends]) == (0, Fraction(1, 7))
    assert enclosed(Operation.MIN, [ends, (third, third), (third, Fraction(1))]) == (ends[0], ends[1])
    assert enclosed(Operation.MAX, [ends, (third, third), (-third, Fraction(1))]) == (third, 1)
    for operation, at, value in (
        ("EXP", 0, 1),
        ("LOG", 1, 0),
        ("SIN", 0, 0),
        ("COS", 0, 1),
        ("ATAN", 0, 0),
        ("SINH", 0, 0),
        ("ACOSH", 1, 0),
    ):
        assert enclosed(Operation[operation], [(Fraction(at), Fraction(at))]) == (value, value)
    assert enclosed(Operation.POWER, [(Fraction(4, 9), Fraction(16)), (Fraction(3, 2), Fraction(3, 2))]) == (
        Fraction(8, 27),
        64,
    )
    assert enclosed(Operation.POWER, [(Fraction(0), Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 3))])[0] == 0


@pytest.mark.parametrize(
    "module", [certify.problems.functions.series, certify.problems.functions.ranges, certify.problems.minibex.bounds]
)
def test_nothing_rests_on_floating_point_numbers(module):
    """The ends of a domain are a part of the translation that certificates trust."""
    source = inspect.getsource(module)
    assert "numpy" not in source and "contractors" not in source and "float(" not in source and "math.e" not in source


def test_the_end_of_a_domain_is_beyond_the_true_one_by_next_to_nothing():
    system = parse_minibex("Variables x in [-exp(1), sqrt(2)*sin(1)]; Constraints x = 0; end")
    (variable,) = system.variables
    with flint.ctx.workprec(PRECISION):
        low, high = -flint.arb(1).exp(), flint.arb(2).sqrt() * flint.arb(1).sin()
        assert ball(variable.lower) < low < ball(variable.lower + WIDTH)
        assert ball(variable.upper - WIDTH) < high < ball(variable.upper)
    assert all("what lies between the true one and the rounded one counts, too" in note for note in system.notes)
    assert len(system.notes) == 2
