"""Crude ranges contain every value at every point where the tape is defined."""

import math
import random
import re
from fractions import Fraction

import pytest

from certify.contractors.tape.tape import Builder, Operation
from certify.problems.model.crude_range import Unbounded, crude_range, crude_ranges
from tests.exact import arb_values, ball

F = Fraction

UNARY = ("neg", "sqr", "sqrt", "sin", "cos")
FUNCTIONS = (Operation.EXP, Operation.LOG, Operation.ATAN)
BINARY = ("add", "sub", "mul", "div")


def random_tape(rng):
    builder = Builder(2)
    nodes = [0, 1, builder.pi(), builder.constant(Fraction(rng.randint(-50, 50), 7))]
    for _ in range(rng.randint(2, 12)):
        if rng.random() < 0.2:
            nodes.append(builder.function(rng.choice(FUNCTIONS), rng.choice(nodes)))
        elif rng.random() < 0.5:
            nodes.append(getattr(builder, rng.choice(UNARY))(rng.choice(nodes)))
        else:
            nodes.append(getattr(builder, rng.choice(BINARY))(rng.choice(nodes), rng.choice(nodes)))
    return builder.row(nodes[-1])


def value(tape, point):
    found = list(point)
    for step in tape.steps:
        a, b = (found[k] if k >= 0 else None for k in (step.first, step.second))
        found.append(
            {
                Operation.CONSTANT: lambda step=step: float(step.constant),
                Operation.PI: lambda: math.pi,
                Operation.ADD: lambda a=a, b=b: a + b,
                Operation.SUB: lambda a=a, b=b: a - b,
                Operation.MUL: lambda a=a, b=b: a * b,
                Operation.DIV: lambda a=a, b=b: a / b,
                Operation.NEG: lambda a=a: -a,
                Operation.SQR: lambda a=a: a * a,
                Operation.SQRT: lambda a=a: math.sqrt(a),
                Operation.SIN: lambda a=a: math.sin(a),
                Operation.COS: lambda a=a: math.cos(a),
                Operation.EXP: lambda a=a: math.exp(a),
                Operation.LOG: lambda a=a: math.log(a),
                Operation.ATAN: lambda a=a: math.atan(a),
            }[step.operation]()
        )
    return found


def is_unbounded(tape, box, reason):
    found = crude_range(tape, box)
    return isinstance(found, Unbounded) and re.search(reason, str(found)) is not None


@pytest.mark.parametrize("seed", range(300))
def test_values_are_within(seed):
    rng = random.Random(seed)
    tape = random_tape(rng)
    box = [tuple(sorted(Fraction(rng.randint(-40, 40), 9) for _ in range(2))) for _ in range(2)]
    ranges = crude_ranges(tape, box)
    for ends in ranges:
        assert not isinstance(ends, Unbounded) or any(words in str(ends) for words in ("may be 0", "beyond 2^4000"))
    assert len(ranges) == tape.nodes
    for _ in range(20):
        point = [float(low) + (float(high) - float(low)) * rng.random() for low, high in box]
        try:
            values = value(tape, point)
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        for ends, found in zip(ranges, values, strict=True):
            assert ends is not None
            if isinstance(ends, Unbounded):
                continue
            slack = 1e-6 * (1 + abs(found)) if math.isfinite(found) else math.inf
            assert float(ends[0]) - slack <= found <= float(ends[1]) + slack


def test_what_is_defined_nowhere_has_no_range():
    builder = Builder(1)
    tape = builder.row(builder.add(builder.sqrt(0), builder.constant(1)))
    assert crude_ranges(tape, [(Fraction(-2), Fraction(-1))])[-1] is None
    low, high = crude_ranges(tape, [(Fraction(-2), Fraction(9))])[-1]
    assert low == 1 and 4 <= high <= 5


@pytest.mark.parametrize(("name", "reason"), [("tan", "operation tan"), ("abs", "operation abs")])
def test_other_operations_have_no_bounds_here(name, reason):
    builder = Builder(1)
    assert is_unbounded(builder.row(builder.function(Operation[name.upper()], 0)), [(Fraction(0), Fraction(1))], reason)


@pytest.mark.parametrize("name", ["exp", "log", "atan"])
def test_functions_that_grow_are_bounded_by_a_factor(name):
    builder = Builder(1)
    tape = builder.row(builder.function(Operation[name.upper()], 0))
    for low in (F(-5000), F(-300), F(-7, 3), F(-1), F(-1, 10), F(0), F(1, 1000), F(1, 3), F(1), F(9, 4), F(500)):
        for width in (F(0), F(1, 7), F(3), F(200)):
            if name == "log" and low <= 0:
                continue
            least, greatest = crude_ranges(tape, [(low, low + width)])[-1]
            for x, end, below in ((low, least, True), (low + width, greatest, False)):
                truth = arb_values(tape, [x])[0]
                assert (ball(end) <= truth) if below else (truth <= ball(end))
                assert name == "exp" or abs(end) <= (2 if name == "atan" else abs(math.log(x)) + 2)


def test_exponentials_are_above_0_and_not_too_large():
    builder = Builder(1)
    tape = builder.row(builder.function(Operation.EXP, 0))
    least, greatest = crude_ranges(tape, [(F(-20), F(-10))])[-1]
    assert F(1, 10**10) < least < greatest < F(1, 10**4)
    least, greatest = crude_ranges(tape, [(F(10), F(20))])[-1]
    assert 10**4 < least < greatest < 10**9
    assert crude_ranges(tape, [(F(-(10**9)), F(-(10**8)))])[-1][0] == 0
    for high in (F(3000), F(10**9)):
        assert is_unbounded(tape, [(F(0), high)], "beyond 2\\^4000")


@pytest.mark.parametrize("low", [0, -1, F(-1, 10**9)])
def test_a_logarithm_of_what_may_be_0_or_less_has_no_bounds(low):
    builder = Builder(1)
    tape = builder.row(builder.function(Operation.LOG, 0))
    for high in (F(low), F(1)):
        assert is_unbounded(tape, [(F(low), high)], "a logarithm whose operand may be 0 or less")


def test_giant_numbers_are_refused():
    builder = Builder(1)
    node = 0
    for _ in range(14):
        node = builder.sqr(node)
    assert is_unbounded(builder.row(node), [(Fraction(0), Fraction(3))], "beyond")


def test_ends_have_few_digits():
    builder = Builder(1)
    node = builder.mul(0, builder.constant(Fraction(10**50 + 1, 10**50)))
    low, high = crude_ranges(builder.row(node), [(Fraction(1, 3), Fraction(10**40, 7))])[-1]
    assert low <= Fraction(1, 3) and high >= Fraction(10**40, 7)
    assert max(len(str(low)), len(str(high))) < 60


def test_what_is_made_of_the_unbounded_is_unbounded_unless_the_function_is_not():
    builder = Builder(1)
    reciprocal = builder.div(builder.constant(1), 0)
    nodes = [
        builder.add(reciprocal, builder.pi()),
        builder.sin(reciprocal),
        builder.cos(reciprocal),
        builder.function(Operation.ATAN, reciprocal),
    ]
    nodes.append(builder.sqrt(builder.sub(nodes[1], builder.constant(9))))
    nodes.append(builder.add(nodes[4], reciprocal))
    tape = builder.tape(tuple(nodes))
    ranges = crude_ranges(tape, [(F(-1), F(1))])
    found = [ranges[node] for node in tape.outputs]
    assert isinstance(found[0], Unbounded)
    assert found[1:] == [(-1, 1), (-1, 1), (-2, 2), None, None]
