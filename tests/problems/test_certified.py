"""What certificates say of functions that their language does not have: the same numbers at the same points, and
nothing elsewhere.
"""

from fractions import Fraction

import pytest

from certify.contractors.tape.tape import Builder, Operation
from certify.problems.model.certified import CERTIFIED, FORMS, plain, stated
from tests.exact import arb_values, ball

F = Fraction
POINTS = [
    F(0),
    *(sign * point for point in (F(1), F(1, 3), F(2), F(99, 100), F(101, 100), F(1, 10**9), F(50)) for sign in (1, -1)),
]
BINARY = (Operation.MIN, Operation.MAX)
UNARY = [operation for operation in FORMS if operation not in (*BINARY, Operation.INTEGER_POWER)]
WITHOUT = (Operation.SIGN, Operation.FLAT, Operation.LESS, Operation.ATAN2, Operation.POWER)


def of_one(operation, inputs=1):
    builder = Builder(inputs)
    return builder.row(builder.function(operation, 0))


def known(tape):
    return all(step.operation is Operation.CONSTANT or step.operation.name.lower() in CERTIFIED for step in tape.steps)


@pytest.mark.parametrize("operation", UNARY)
@pytest.mark.parametrize("point", POINTS)
def test_functions_of_one_number_are_what_they_were(operation, point):
    tape = of_one(operation)
    rewritten = plain(tape)
    assert known(rewritten) and not known(tape)
    (before,), (after,) = arb_values(tape, [point]), arb_values(rewritten, [point])
    assert before.is_finite() == after.is_finite()
    if before.is_finite():
        assert before.overlaps(after)
        assert after.rad() < 1e-40 * (1 + abs(after.mid()))


BEYOND = F(1, 10**30)
ENDS = {
    "ASIN": {1: True, -1: True, 1 - BEYOND: True, 1 + BEYOND: False, BEYOND - 1: True, -1 - BEYOND: False},
    "ACOS": {1: True, -1: True, 1 - BEYOND: True, 1 + BEYOND: False, BEYOND - 1: True, -1 - BEYOND: False},
    "ATANH": {1: False, -1: False, 1 - BEYOND: True, 1 + BEYOND: False, BEYOND - 1: True, -1 - BEYOND: False},
    "ACOSH": {
        1: True,
        1 + BEYOND: True,
        1 - BEYOND: False,
        -1: False,
        -1 - BEYOND: False,
        BEYOND - 1: False,
        -5: False,
        0: False,
    },
}


@pytest.mark.parametrize("name", ENDS)
def test_they_are_defined_where_they_were(name):
    """At the ends themselves, and 10^-30 on either side."""
    tape = plain(of_one(Operation[name]))
    for point, defined in ENDS[name].items():
        assert arb_values(tape, [point])[0].is_finite() == defined, point


@pytest.mark.parametrize("operation", BINARY)
def test_the_lesser_and_the_greater_of_two(operation):
    builder = Builder(2)
    tape = builder.row(builder.min(0, 1) if operation is Operation.MIN else builder.max(0, 1))
    assert known(plain(tape))
    for a in POINTS:
        for b in POINTS:
            expected = min(a, b) if operation is Operation.MIN else max(a, b)
            assert arb_values(plain(tape), [a, b])[0].overlaps(ball(expected))


@pytest.mark.parametrize("exponent", [-3, -1, 3, 7])
def test_whole_powers_become_products(exponent):
    builder = Builder(1)
    tape = builder.row(builder.integer_power(0, exponent))
    assert known(plain(tape))
    for point in POINTS:
        (value,) = arb_values(plain(tape), [point])
        assert value.overlaps(ball(point**exponent)) if point or exponent > 0 else not value.is_finite()


@pytest.mark.parametrize("operation", WITHOUT)
def test_what_has_no_form_stays(operation):
    builder = Builder(2)
    assert stated(builder, operation, 0, 1) is None and not builder.steps


def test_a_tape_is_rewritten_as_far_as_there_are_forms():
    builder = Builder(2)
    tape = builder.row(builder.add(builder.atan2(0, 1), builder.function(Operation.TANH, 1)))
    names = {step.operation for step in plain(tape).steps}
    assert Operation.ATAN2 in names and Operation.TANH not in names
    for point in ((F(1), F(2)), (F(-1, 3), F(-4))):
        assert arb_values(tape, point)[0].overlaps(arb_values(plain(tape), point)[0])


def test_what_is_in_the_language_is_left_alone():
    builder = Builder(1)
    tape = builder.row(
        builder.function(
            Operation.ATAN, builder.function(Operation.LOG, builder.function(Operation.EXP, builder.sqrt(0)))
        )
    )
    assert plain(tape) is tape
