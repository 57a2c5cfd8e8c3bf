"""A tape, its gradient and its lift against balls of 300 bits at points of the box."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import BITS, arb_values, ball, holds
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import SYSTEMS, leg

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.function_kernels import FUNCTIONS
from certify.contractors.tape.lift import NotPolynomial, lift
from certify.contractors.tape.tape import Builder, Operation, replay


def random_box(planted, rng, spread):
    rows = planted.problem.blocks[0]
    x = planted.truth + rng.uniform(-spread, spread, planted.truth.size)
    k = rng.integers(rows.count)
    low, high = rows.lower[:, k].copy(), rows.upper[:, k].copy()
    low[rows.unknown_inputs], high[rows.unknown_inputs] = x - spread, x + spread
    return rows, low, high


def inside(rng, low, high):
    return np.clip(low + rng.uniform(0, 1, low.size) * (high - low), low, high)


@settings(max_examples=60)
@given(st.sampled_from(sorted(SYSTEMS)), st.integers(0, 10**6))
def test_values_and_derivatives_are_enclosed(name, seed):
    rng = np.random.default_rng(seed)
    planted = SYSTEMS[name](seed % 7)
    rows, low, high = random_box(planted, rng, 10.0 ** rng.uniform(-6, -0.5))
    tape = gradient(rows.tape)
    enclosure = evaluate(tape, low[:, None], high[:, None])
    if not enclosure.defined[0]:
        return
    point = inside(rng, low, high)
    for k, true in enumerate(arb_values(tape, list(point))):
        assert holds(enclosure.lower[k, 0], true, enclosure.upper[k, 0])


@settings(max_examples=20)
@given(st.sampled_from(sorted(SYSTEMS)), st.integers(0, 10**6))
def test_the_gradient_is_the_derivative(name, seed):
    """(r(x + h) - r(x)) / h approaches it, in 300 bits with h = 2^-80, so that nothing but the derivative
    can be meant.
    """
    rng = np.random.default_rng(seed)
    planted = SYSTEMS[name](seed % 7)
    rows, low, high = random_box(planted, rng, 0.01)
    point = [ball(v) for v in inside(rng, low, high)]
    with flint.ctx.workprec(BITS):
        step = flint.arb(2) ** -80
        slopes = arb_values(gradient(rows.tape), point)[1:]
        (value,) = arb_values(rows.tape, point)
        for i, slope in enumerate(slopes):
            (moved,) = arb_values(rows.tape, [v + step if j == i else v for j, v in enumerate(point)])
            assert abs((moved - value) / step - slope) < flint.arb(2) ** -40


@settings(max_examples=60)
@given(st.sampled_from(["leg", "circle", "bilinear"]), st.integers(0, 10**6), st.sampled_from([1, -1]))
def test_the_lift_has_the_values_of_the_squared_row(name, seed, side):
    rng = np.random.default_rng(seed)
    planted = SYSTEMS[name](seed % 7)
    rows, low, high = random_box(planted, rng, 1.0)
    lifted = lift(rows.tape, tuple(int(i) for i in rows.unknown_inputs), side)
    centre, point = inside(rng, low, high), inside(rng, low, high)
    point[list(rows.measured_inputs)] = centre[list(rows.measured_inputs)]
    shift = float(rng.uniform(0, 2))
    coefficients = evaluate(lifted.tape, np.append(centre, shift)[:, None], np.append(centre, shift)[:, None])
    with flint.ctx.workprec(BITS):
        offset = [ball(p) - ball(c) for p, c in zip(point, centre, strict=True)]
        total_low, total_high = flint.arb(0), flint.arb(0)
        for k, monomial in enumerate(lifted.monomials):
            factor = flint.arb(1)
            for i in monomial:
                factor = factor * offset[i]
            one, two = flint.arb(coefficients.lower[k, 0]) * factor, flint.arb(coefficients.upper[k, 0]) * factor
            total_low, total_high = total_low + one.min(two), total_high + one.max(two)
        (row,) = arb_values(rows.tape, list(point))
        root = {"leg": 1, "circle": 1, "bilinear": 0}[name]
        if root:
            rest = -(ball(point[6]) + ball(point[13])) if name == "leg" else -ball(point[4])
            distance = row - rest
            other = shift - rest if side > 0 else -rest - shift
            true = distance**2 - other**2 if side > 0 else other**2 - distance**2
        else:
            true = side * row - shift
        assert not true < total_low
        assert not true > total_high


@pytest.mark.parametrize("name", ["leg", "circle", "bilinear"])
@pytest.mark.parametrize("factor", [Fraction(1, 1024), Fraction(-8)])
def test_a_row_in_another_unit_has_the_same_lift(name, factor):
    """k r <= k e is r <= e: coefficients are those of r times k^2 where there is a root, |k| where there is none.
    Powers of 2 round nothing.
    """
    rows, low, high = random_box(SYSTEMS[name](1), np.random.default_rng(3), 1.0)
    unknowns, builder = tuple(int(i) for i in rows.unknown_inputs), Builder(rows.tape.inputs)
    node = replay(rows.tape, builder, range(rows.tape.inputs))[rows.tape.outputs[0]]
    scaled = builder.row(builder.mul(builder.constant(factor), node))
    divided = builder.row(builder.div(node, builder.constant(1 / factor)))
    power = abs(factor) if name == "bilinear" else factor**2
    for side in (1, -1):
        first = lift(rows.tape, unknowns, side if factor > 0 else -side)
        expected = evaluate(first.tape, *(np.append(ends, 0.5)[:, None] for ends in (low, high)))
        for tape in (scaled, divided):
            second = lift(tape, unknowns, side)
            assert second.monomials == first.monomials
            found = evaluate(second.tape, *(np.append(ends, 0.5 * abs(float(factor)))[:, None] for ends in (low, high)))
            count = len(first.monomials)
            assert (found.lower[:count] <= expected.upper[:count] * float(power)).all()
            assert (found.upper[:count] >= expected.lower[:count] * float(power)).all()
            width = (expected.upper - expected.lower)[:count] * float(power)
            assert (found.upper[:count] - found.lower[:count] <= 1.01 * width + 1e-9 * float(power)).all()


def test_what_is_not_polynomial_is_said_to_be_so():
    rows = SYSTEMS["rational"](0).problem.blocks[0]
    with pytest.raises(NotPolynomial, match="divisor"):
        lift(rows.tape, tuple(int(i) for i in rows.unknown_inputs), 1)
    builder = Builder(2)
    with pytest.raises(NotPolynomial, match="two roots"):
        lift(builder.row(builder.add(builder.sqrt(0), builder.sqrt(1))), (0, 1), 1)


def test_equal_operations_are_shared_and_constants_folded():
    builder = Builder(1)
    assert builder.sin(0) == builder.sin(0)
    assert builder.add(0, builder.constant(0)) == 0
    assert builder.value_of(builder.mul(builder.constant(3), builder.constant(4))) == 12
    assert leg(0).problem.families[0].tape == leg(1).problem.families[0].tape


@settings(max_examples=60)
@given(st.sampled_from(sorted(FUNCTIONS.keys() - {Operation.SQRT})), st.integers(0, 10**6))
def test_every_function_and_its_slope_are_enclosed(operation, seed):
    rng = np.random.default_rng(seed)
    builder = Builder(1)
    tape = gradient(builder.row(builder.function(operation, 0)))
    centre, radius = rng.uniform(-0.9, 0.9), 10.0 ** rng.uniform(-6, -1.5)
    low, high = np.array([centre - radius]), np.array([centre + radius])
    if operation in (Operation.LOG, Operation.ACOSH):
        low, high = low + 2.2, high + 2.2
    enclosure = evaluate(tape, low[:, None], high[:, None])
    point = inside(rng, low, high)
    if operation is Operation.SIGN and low[0] <= 0.0 <= high[0]:
        assert not enclosure.defined[0]
        return
    assert enclosure.defined[0]
    with flint.ctx.workprec(BITS):
        step = flint.arb(2) ** -80
        value, slope = arb_values(tape, list(point))
        (moved, _) = arb_values(tape, [ball(point[0]) + step])
        assert abs((moved - value) / step - slope) < flint.arb(2) ** -40
    assert holds(enclosure.lower[0, 0], value, enclosure.upper[0, 0])
    assert holds(enclosure.lower[1, 0], slope, enclosure.upper[1, 0])


@pytest.mark.parametrize(
    ("operation", "low", "high"),
    [
        ("LOG", 0.0, 1.0),
        ("LOG", -1.0, 1.0),
        ("ASIN", 0.5, 1.5),
        ("ACOS", -2.0, 0.0),
        ("TAN", 1.0, 2.0),
        ("SQRT", -1.0, 1.0),
    ],
)
def test_where_a_function_is_not_defined_everywhere_it_says_so(operation, low, high):
    builder = Builder(1)
    tape = builder.row(builder.function(Operation[operation], 0))
    assert not evaluate(tape, np.array([[low]]), np.array([[high]])).defined[0]
