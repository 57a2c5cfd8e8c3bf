"""The terms of second order of a tape are those of its power series, in balls of 300 bits."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import BITS, ball

from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.second_order import NoSecondOrder, second_order
from certify.contractors.tape.tape import Builder, Operation

FUNCTIONS = (Operation.SQRT, Operation.SIN, Operation.COS, Operation.EXP, Operation.LOG, Operation.ATAN)
UNKNOWN, MEASURED = (0, 1, 2), 3


def tape_of(seed):
    """A chain of operations on three unknowns and a measurement, all positive; every operation occurs in some seed."""
    random = np.random.default_rng(seed)
    b = Builder(4)
    positive = list(range(4))
    for number in range(7):
        first, second = (positive[k] for k in random.integers(0, len(positive), 2))
        kind = (seed + number) % 5
        if kind == 0:
            node = b.div(b.add(first, b.constant(Fraction(1, 3))), b.add(second, first))
        elif kind == 1:
            node = b.sub(b.sqr(b.add(first, second)), b.neg(b.mul(first, second)))
        elif kind == 2:
            node = b.function(FUNCTIONS[(seed + number) % len(FUNCTIONS)], b.add(b.constant(2), b.mul(first, second)))
        else:
            node = b.mul(first, second)
        positive.append(b.add(b.constant(1), b.mul(b.constant(Fraction(1, 8)), b.sqr(node))))
    return b.row(b.sub(positive[-1], b.mul(0, positive[-2])))


def series(tape, point, direction):
    """The row at point + tau direction, up to the second power of tau."""
    functions = {op: op.name.lower() for op in FUNCTIONS}
    nodes = [flint.arb_series([p, d], 3) for p, d in zip(point, direction, strict=True)]
    for operation, first, second, constant in tape.steps:
        u, w = (nodes[k] if k >= 0 else None for k in (first, second))
        match operation:
            case Operation.CONSTANT:
                node = flint.arb_series([ball(constant)], 3)
            case Operation.ADD:
                node = u + w
            case Operation.SUB:
                node = u - w
            case Operation.MUL:
                node = u * w
            case Operation.DIV:
                node = u / w
            case Operation.NEG:
                node = -u
            case Operation.SQR:
                node = u * u
            case _:
                node = getattr(u, functions[operation])()
        nodes.append(node)
    return nodes[tape.outputs[0]]


@pytest.mark.parametrize("seed", range(30))
def test_the_terms_are_those_of_the_power_series(seed):
    tape, random = tape_of(seed), np.random.default_rng(seed)
    derived, pairs = second_order(tape, UNKNOWN)
    point = random.uniform(0.5, 1.5, 4)
    found = evaluate(derived, point[:, None], point[:, None])
    assert found.defined.all()
    for direction in ((1, 0, 0, 0), (1, 1, 0, 0), (1, -2, 3, 0)):
        with flint.ctx.workprec(BITS):
            true = series(tape, [ball(p) for p in point], [ball(d) for d in direction])[2]
        low = high = Fraction(0)
        for (i, j), least, most in zip(pairs, found.lower[:, 0], found.upper[:, 0], strict=True):
            ends = [Fraction(end) * direction[i] * direction[j] for end in (least, most)]
            low, high = low + min(ends), high + max(ends)
        with flint.ctx.workprec(BITS):
            assert not true < ball(low)
            assert not true > ball(high)
        assert high - low < Fraction(1, 10**9) * (1 + abs(high))


def test_a_row_that_is_linear_has_none():
    b = Builder(2)
    assert second_order(b.row(b.mul(0, 1)), (0,)) == (None, ())


def test_what_has_no_rule_is_refused():
    b = Builder(1)
    with pytest.raises(NoSecondOrder, match="erf"):
        second_order(b.row(b.function(Operation.ERF, 0)), (0,))
