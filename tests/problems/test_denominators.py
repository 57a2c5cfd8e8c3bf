"""Cleared divisors: the row is 0, and defined, at the same points as before."""

import random
from fractions import Fraction

import pytest

from certify.contractors.tape.tape import Builder, Operation
from certify.problems.systems.denominators import cleared

BINARY = ("add", "sub", "mul", "div", "div")
BOX = [(Fraction(-2), Fraction(2)), (Fraction(-1), Fraction(3))]
GRID = [(-4, 4), (-2, 6)]  # halves of them


def random_tape(rng):
    builder = Builder(2)
    nodes = [0, 1, builder.constant(rng.randint(-3, 3)), builder.constant(Fraction(rng.randint(-5, 5), 3))]
    for _ in range(rng.randint(2, 9)):
        if rng.random() < 0.25:
            nodes.append(getattr(builder, rng.choice(("neg", "sqr")))(rng.choice(nodes)))
        else:
            nodes.append(getattr(builder, rng.choice(BINARY))(rng.choice(nodes), rng.choice(nodes)))
    return builder.row(nodes[-1])


def value(tape, point):
    """Exactly; None where it is not defined."""
    nodes = list(point)
    for operation, first, second, constant in tape.steps:
        a, b = (nodes[k] if k >= 0 else Fraction(0) for k in (first, second))
        if operation is Operation.DIV and not b:
            return None
        results = {
            Operation.CONSTANT: constant,
            Operation.ADD: a + b,
            Operation.SUB: a - b,
            Operation.MUL: a * b,
            Operation.NEG: -a,
            Operation.SQR: a * a,
        }
        nodes.append(a / b if operation is Operation.DIV else results[operation])
    return nodes[tape.outputs[0]]


@pytest.mark.parametrize("seed", range(400))
def test_zeros_and_domains_stay(seed):
    rng = random.Random(seed)
    tape = random_tape(rng)
    found = cleared(tape, BOX)
    for _ in range(40):
        point = [Fraction(rng.randint(low, high), 2) for low, high in GRID]
        before, after = value(tape, point), value(found, point)
        assert (before is None) == (after is None)
        assert (before == 0) == (after == 0)


def test_what_is_never_0_is_left():
    builder = Builder(1)
    tape = builder.row(builder.div(0, builder.add(builder.sqr(0), builder.constant(1))))
    assert cleared(tape, [(Fraction(-1), Fraction(1))]) is tape


def test_a_quotient_within_a_function_stays():
    builder = Builder(1)
    tape = builder.row(builder.add(builder.sqrt(builder.div(builder.constant(1), 0)), 0))
    found = cleared(tape, [(Fraction(-1), Fraction(1))])
    assert [step.operation for step in found.steps].count(Operation.SQRT) == 1
    assert value(cleared(builder.row(builder.div(0, 0)), [(Fraction(-1), Fraction(1))]), [Fraction(0)]) is None
