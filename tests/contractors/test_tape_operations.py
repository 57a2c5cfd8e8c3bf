"""Every operation of the tape against balls of 300 bits: its range, its slopes between two points, what its projection
keeps.
"""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import BITS, arb_values, ball, holds
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certify.contractors.numbers.enclosures import PI_UPPER
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.backward import backward
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.lift import NotPolynomial, lift
from certify.contractors.tape.tape import BINARY, NULLARY, Builder, Operation
from certify.problems.formulas.graph import Formulas
from certify.problems.formulas.graph import Operation as Written
from certify.problems.systems.system import SystemVariable, to_tape

INFINITY = math.inf
EXPONENTS = [-9, -8, -3, -2, -1, 3, 4, 5, 6, 8, 12, 64, 65, 300]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 5e-324, -5e-324, 1e-300, 1e300, -1e300]
number = st.one_of(st.sampled_from(SPECIAL), st.floats(-3, 3), st.floats(-1, 1), st.floats(0, 20))
reach = st.one_of(st.just(0.0), st.just(0.0), st.floats(0, 1e-6), st.floats(0, 3), st.just(INFINITY))

reaches = st.tuples(reach, reach)


def tape_of(operation, exponent=3):
    """One operation on all its inputs."""
    if operation is Operation.INTEGER_POWER:
        builder = Builder(1)
        return builder.row(builder.integer_power(0, exponent))
    builder = Builder(2 if operation in BINARY else 1)
    method = getattr(builder, operation.name.lower(), None)
    if operation in BINARY:
        return builder.row(method(0, 1))
    return builder.row(method(0) if method else builder.function(operation, 0))


OPERATIONS = [o for o in Operation if o not in NULLARY and o not in (Operation.LESS, Operation.FLAT)]


def values_or_none(tape, point):
    (value,) = arb_values(tape, point)
    return value if value.is_finite() else None


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
@given(x=number, y=number, down=reaches, up=reaches, exponent=st.sampled_from(EXPONENTS), image=reaches)
@settings(max_examples=120)
def test_values_are_enclosed_and_points_are_kept(operation, x, y, down, up, exponent, image):
    tape = tape_of(operation, exponent)
    point = [x, y][: tape.inputs]
    low = np.array([[p - d] for p, d in zip(point, down, strict=False)])
    high = np.array([[p + u] for p, u in zip(point, up, strict=False)])
    value = values_or_none(tape, point)
    enclosure = evaluate(tape, low, high)
    if value is None:  # outside the domain, or beyond Arb's own exponents
        assert not enclosure.defined[0] or max(map(abs, point)) > 1e200
        return
    assert holds(enclosure.lower[0, 0], value, enclosure.upper[0, 0])
    middle = float(value.mid())
    below, above = math.nextafter(middle, -INFINITY) - image[0], math.nextafter(middle, INFINITY) + image[1]
    a, b, empty = project(tape, low, high, min(below, 1.7e308), max(above, -1.7e308))
    assert not empty
    for k, p in enumerate(point):
        assert a[k] <= p <= b[k]
        assert low[k, 0] <= a[k] and b[k] <= high[k, 0]


def project_all(tape, low, high, below, above):
    """Backward from the last node, which is to lie in [below, above], over a batch."""
    nodes_low, nodes_high = np.empty((tape.nodes, low.shape[1])), np.empty((tape.nodes, low.shape[1]))
    nodes_low[: tape.inputs], nodes_high[: tape.inputs] = low, high
    for k, (a, b) in enumerate(tape.constants):
        nodes_low[tape.inputs + k], nodes_high[tape.inputs + k] = a, b
    nodes_low[-1], nodes_high[-1] = below, above
    empty = np.zeros(low.shape[1], dtype=np.bool_)
    backward(tape.inputs, tape.code, nodes_low, nodes_high, empty)
    return nodes_low[: tape.inputs], nodes_high[: tape.inputs], empty


def project(tape, low, high, below, above):
    """The same for one box."""
    a, b, empty = project_all(tape, low, high, below, above)
    return a[:, 0], b[:, 0], bool(empty[0])


def batch_of(operation, rng, count):
    """Points at which the operation is defined, its values, and boxes around the points, some thin, some wide, some
    unbounded.
    """
    tape = tape_of(operation, int(rng.choice(EXPONENTS)))
    points, values = [], []
    while len(points) < count:
        point = rng.choice(
            [rng.uniform(-1, 1), rng.uniform(0, 3), rng.normal(0, 10), 0.0, 1.0, -1.0], tape.inputs
        ).tolist()
        value = values_or_none(tape, point)
        if value is not None:
            points.append(point)
            values.append(value)
    x = np.array(points).T
    low, high = (x + sign * rng.choice([0.0, 1e-9, 0.1, 2.0, INFINITY], x.shape) for sign in (-1, 1))
    return tape, x, values, low, high


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8)
def test_a_batch_of_boxes_is_many_boxes(operation, seed):
    """Values enclosed and feasible points kept, box for box; and each box as if it were alone."""
    rng = np.random.default_rng(seed)
    tape, x, values, low, high = batch_of(operation, rng, 25)
    enclosure = evaluate(tape, low, high)
    middles = np.array([float(v.mid()) for v in values])
    ends = (
        np.nextafter(middles, -INFINITY) - rng.choice([0.0, 1e-6, 1.0], 25),
        np.nextafter(middles, INFINITY) + rng.choice([0.0, 1e-6, 1.0], 25),
    )
    a, b, empty = project_all(tape, low, high, *ends)
    assert not empty.any()
    assert (a <= x).all()
    assert (x <= b).all()
    for k, value in enumerate(values):
        assert holds(enclosure.lower[0, k], value, enclosure.upper[0, k])
        alone = evaluate(tape, low[:, k : k + 1], high[:, k : k + 1])
        assert (alone.lower[0, 0], alone.upper[0, 0], alone.defined[0]) == (
            enclosure.lower[0, k],
            enclosure.upper[0, k],
            enclosure.defined[k],
        )
        one, two, _ = project(tape, low[:, k : k + 1], high[:, k : k + 1], ends[0][k], ends[1][k])
        assert (one == a[:, k]).all()
        assert (two == b[:, k]).all()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
@given(
    p=st.tuples(number, number),
    q=st.tuples(number, number),
    down=reaches,
    up=reaches,
    exponent=st.sampled_from(EXPONENTS),
)
@settings(max_examples=150)
@example(p=(-1.0, 1.0), q=(1.0, -1.0), down=(0.0, 0.0), up=(0.0, 0.0), exponent=3)
@example(p=(-1.0, -1.0), q=(1.0, -1.0), down=(0.0, 0.0), up=(0.0, 0.0), exponent=3)
def test_slopes_between_any_two_points_are_enclosed(operation, p, q, down, up, exponent):
    """f(p) - f(q) lies in J(X)(p - q): what Newton's method and mean-value forms rest on, corners included."""
    tape = tape_of(operation, exponent)
    slopes = gradient(tape)
    low = np.array([[min(u, v) - d] for u, v, d in zip(p, q, down, strict=True)][: tape.inputs])
    high = np.array([[max(u, v) + d] for u, v, d in zip(p, q, up, strict=True)][: tape.inputs])
    enclosure = evaluate(slopes, low, high)
    if not enclosure.defined[0]:
        return
    one, two = values_or_none(tape, list(p[: tape.inputs])), values_or_none(tape, list(q[: tape.inputs]))
    if one is None or two is None:
        assert max(map(abs, [*p, *q])) > 1e200
        return
    ends = np.array([enclosure.lower[1:, 0], enclosure.upper[1:, 0]])
    if not np.isfinite(ends).all():
        return
    with flint.ctx.workprec(BITS):
        least, most = flint.arb(0), flint.arb(0)
        for k in range(tape.inputs):
            step = ball(p[k]) - ball(q[k])
            products = [flint.arb(end) * step for end in ends[:, k].tolist()]
            least, most = least + products[0].min(products[1]), most + products[0].max(products[1])
        assert not one - two < least
        assert not one - two > most


@pytest.mark.parametrize(
    ("operation", "box", "defined"),
    [
        ("SIGN", [(-1, 1)], False), ("SIGN", [(0, 1)], False), ("SIGN", [(-1, 0)], False), ("SIGN", [(0, 0)], True),
        ("SIGN", [(1e-9, 1)], True), ("ABS", [(-1, 1)], True), ("MIN", [(0, 1), (0, 1)], True),
        ("MAX", [(0, 1), (0, 1)], True),
        ("ATAN2", [(-1, 1), (-2, -1)], False), ("ATAN2", [(-1, 0), (-2, -1)], False),
        ("ATAN2", [(0, 1), (-2, -1)], True),
        ("ATAN2", [(-1, 1), (1, 2)], True), ("ATAN2", [(-1, 1), (0, 2)], False), ("ATAN2", [(0, 1), (0, 2)], False),
        ("ATAN2", [(0, 1), (-1, 1)], False), ("ATAN2", [(-1, -0.5), (-1, 1)], True), ("ATAN2", [(0, 0), (0, 0)], False),
        ("ATAN2", [(0, 0), (-1, -1)], True), ("POWER", [(0, 1), (1, 2)], True), ("POWER", [(0, 1), (0, 2)], False),
        ("POWER", [(-1, 1), (1, 2)], False), ("POWER", [(1, 2), (-1, 2)], True), ("ACOSH", [(0.5, 2)], False),
        ("ACOSH", [(1, 2)], True), ("ATANH", [(-1, 0)], False), ("ATANH", [(-0.5, 0.5)], True),
        ("ASINH", [(-1, 1)], True),
    ],
)  # fmt: skip
def test_where_a_function_jumps_or_ends_it_says_so(operation, box, defined):
    tape = tape_of(Operation[operation])
    low, high = np.array([[float(a)] for a, _ in box]), np.array([[float(b)] for _, b in box])
    assert bool(evaluate(tape, low, high).defined[0]) is defined
    if not defined:  # and then so does its derivative
        assert not evaluate(gradient(tape), low, high).defined[0]


@pytest.mark.parametrize(
    ("n", "low", "high", "expected"),
    [
        (3, -1.0, 2.0, (-1.0, 8.0)), (4, -1.0, 2.0, (0.0, 16.0)), (5, -2.0, -1.0, (-32.0, -1.0)),
        (6, -2.0, 1.0, (0.0, 64.0)),
        (-1, 0.0, 2.0, (0.5, INFINITY)), (-2, -1.0, 2.0, (0.25, INFINITY)), (-2, 0.0, 2.0, (0.25, INFINITY)),
        (-3, 0.0, 2.0, (0.125, INFINITY)), (-3, -1.0, 2.0, (-INFINITY, INFINITY)),
        (7, -INFINITY, 1.0, (-INFINITY, 1.0)),
        (100, -1.0, 0.5, (0.0, 1.0)),
    ],
)  # fmt: skip
def test_ranges_of_integer_powers_are_tight(n, low, high, expected):
    enclosure = evaluate(tape_of(Operation.INTEGER_POWER, n), np.array([[low]]), np.array([[high]]))
    for found, true, way in ((enclosure.lower[0, 0], expected[0], -1), (enclosure.upper[0, 0], expected[1], 1)):
        assert found == true or way * (found - true) >= 0
        assert math.isclose(found, true, rel_tol=4e-15, abs_tol=1e-320)


@pytest.mark.parametrize(
    ("n", "image", "current", "expected"),
    [
        (4, (16.0, 81.0), (-10.0, 10.0), (-3.0, 3.0)), (4, (16.0, 81.0), (-1.0, 10.0), (2.0, 3.0)),
        (4, (16.0, 81.0), (-10.0, 1.0), (-3.0, -2.0)), (4, (16.0, 81.0), (-1.0, 1.0), None),
        (4, (-2.0, -1.0), (-1.0, 1.0), None),
        (6, (64.0, 64.0), (-INFINITY, INFINITY), (-2.0, 2.0)), (6, (64.0, 729.0), (-1.0, INFINITY), (2.0, 3.0)),
        (3, (-8.0, 27.0), (-INFINITY, INFINITY), (-2.0, 3.0)), (5, (-1.0, 1.0), (0.5, 9.0), (0.5, 1.0)),
        (-2, (0.25, 1.0), (-INFINITY, INFINITY), (-2.0, 2.0)), (-2, (0.25, 1.0), (0.0, INFINITY), (1.0, 2.0)),
        (12, (0.0, 4096.0), (-5.0, 1.0), (-2.0, 1.0)), (3, (1000.0, 2000.0), (-1.0, 1.0), None),
        (100, (1.0, 2.0**100), (0.0, 9.0), (1.0, 2.0)),
    ],
)  # fmt: skip
def test_projections_of_integer_powers_keep_both_branches(n, image, current, expected):
    low, high, empty = project(
        tape_of(Operation.INTEGER_POWER, n), np.array([[current[0]]]), np.array([[current[1]]]), *image
    )
    if expected is None:
        assert empty or low[0] > high[0]
        return
    assert low[0] <= expected[0] + 1e-14
    assert high[0] >= expected[1] - 1e-14
    assert math.isclose(low[0], expected[0], rel_tol=1e-14)
    assert math.isclose(high[0], expected[1], rel_tol=1e-14)


def system(build, *ranges):
    builder = Builder(len(ranges))
    outputs = build(builder)
    zero = np.zeros(len(outputs))
    low, high = np.array([[float(a)] for a, _ in ranges]), np.array([[float(b)] for _, b in ranges])
    return Equations(builder.tape(outputs), zero, zero), low, high


def krawczyk(equations, low, high):
    """Whether K(X) lies well in the interior of X, in plain floats, where slopes and values are enclosed
    and defined.
    """
    slope_low, slope_high, defined = equations.slopes(low, high)
    centre = 0.5 * (low + high)
    value = equations.values(centre, centre)
    middle, spread = 0.5 * (slope_low + slope_high)[..., 0], 0.5 * (slope_high - slope_low)[..., 0]
    if not (defined[0] and value.defined[0]):
        return False
    inverse = np.linalg.inv(middle)
    radius = 0.5 * (high - low)[:, 0]
    moved = centre[:, 0] - inverse @ (0.5 * (value.lower + value.upper)[:, 0])
    reach = np.abs(inverse) @ spread @ radius
    return bool(((moved - reach > low[:, 0] + 1e-9 * radius) & (moved + reach < high[:, 0] - 1e-9 * radius)).all())


def test_newton_proves_a_zero_at_a_corner():
    """|x| / 8 + x - y / 8 = 0, y + max(x, y) / 8 = 0 is Lipschitz, has one zero, and it lies where both have their
    corners.
    """

    def build(b):
        eighth = b.constant(Fraction(1, 8))
        first = b.sub(b.add(b.mul(eighth, b.function(Operation.ABS, 0)), 0), b.mul(eighth, 1))
        return first, b.add(1, b.mul(eighth, b.max(0, 1)))

    assert krawczyk(*system(build, (-1.0, 1.5), (-1.0, 1.25)))


@pytest.mark.parametrize("width", [1.0, 1e-3, 1e-9])
def test_newton_proves_nothing_across_a_jump(width):
    """2 x + sign(x) - 1/2 changes its sign at 0 and has no zero; nor has atan2(y, -1), which jumps from -pi to pi."""

    def jump(b):
        return (b.sub(b.add(b.mul(b.constant(2), 0), b.function(Operation.SIGN, 0)), b.constant(Fraction(1, 2))),)

    assert not krawczyk(*system(jump, (-width, 0.9 * width)))
    assert not krawczyk(*system(lambda b: (b.atan2(0, b.constant(-1)),), (-0.5 * width, 0.4 * width)))
    assert krawczyk(*system(lambda b: (b.atan2(0, b.constant(1)),), (-0.5 * width, 0.4 * width)))


def test_integer_powers_lift_like_products():
    one, two = Builder(2), Builder(2)
    tapes = (one.row(one.sub(one.integer_power(0, 4), 1)), two.row(two.sub(two.sqr(two.sqr(0)), 1)))
    builder = Builder(2)
    norm = builder.sqrt(builder.add(builder.sqr(0), builder.constant(1)))
    root = builder.row(builder.sub(builder.integer_power(norm, 2), 1))
    assert set(lift(root, (0,), 1).monomials) == {(0, 0), (0,), ()}
    for tape in tapes:
        with pytest.raises(NotPolynomial, match="degree above 2"):
            lift(tape, (0,), 1)
        assert lift(tape, (1,), 1).monomials
    for operation in (Operation.MIN, Operation.ATAN2, Operation.POWER):
        with pytest.raises(NotPolynomial, match="applied to unknowns"):
            lift(tape_of(operation), (0,), 1)
        assert lift(Builder(3).row(2), (2,), 1).monomials


def test_the_fourth_power_of_a_root_is_a_polynomial():
    builder = Builder(2)
    root = builder.sqrt(builder.add(0, builder.constant(3)))
    assert set(lift(builder.row(builder.sub(builder.integer_power(root, 4), 1)), (0,), 1).monomials) == {
        (0, 0),
        (0,),
        (),
    }


@pytest.mark.parametrize(
    ("operation", "values", "expected"),
    [
        (Written.ATAN2, (1, -1), 3 * math.pi / 4), (Written.MIN, (3, 1, 2), 1), (Written.MAX, (3, 1, 4, 2), 4),
        (Written.SIGN, (-3,), -1),
        (Written.ASINH, (1,), math.asinh(1)), (Written.ACOSH, (2,), math.acosh(2)),
        (Written.ATANH, (0.5,), math.atanh(0.5)),
        (Written.POWER, (2, 0.3), 2**0.3),
    ],
)  # fmt: skip
def test_formulas_become_these_operations(operation, values, expected):
    formulas = Formulas()
    variables = [SystemVariable(f"x{k}", None, None) for k in range(len(values))]
    tape = to_tape(formulas.apply(operation, *(formulas.variable(k) for k in range(len(values)))), variables)
    point = np.array([[float(v)] for v in values])
    enclosure = evaluate(tape, point, point)
    assert enclosure.lower[0, 0] - 1e-15 <= expected <= enclosure.upper[0, 0] + 1e-15
    assert enclosure.upper[0, 0] - enclosure.lower[0, 0] < 4e-15


@pytest.mark.parametrize(
    ("exponent", "low", "high"),
    [
        (3, -8.0, 27.0),
        (4, 0.0, 81.0),
        (-2, 1 / 9, INFINITY),
        (Fraction(1, 2), 0.0, 3**0.5),
        (Fraction(3, 2), 0.0, 3**1.5),
    ],
)
def test_written_powers_are_tight(exponent, low, high):
    formulas = Formulas()
    tape = to_tape(
        formulas.apply(Written.POWER, formulas.variable(0), formulas.constant(exponent)),
        [SystemVariable("x", None, None)],
    )
    enclosure = evaluate(tape, np.array([[-2.0]]), np.array([[3.0]]))
    assert math.isclose(enclosure.lower[0, 0], low, rel_tol=1e-14, abs_tol=1e-300)
    assert math.isclose(enclosure.upper[0, 0], high, rel_tol=1e-14)


def test_powers_of_one_base_share_their_squares():
    formulas = Formulas()
    x, y = formulas.variable(0), formulas.variable(1)
    cubes = [formulas.apply(Written.POWER, v, formulas.constant(3)) for v in (x, y)]
    square = formulas.apply(Written.POWER, x, formulas.constant(2))
    total = formulas.apply(Written.ADD, formulas.apply(Written.ADD, cubes[0], square), cubes[1])
    used = [step.operation for step in to_tape(total, [SystemVariable(name, None, None) for name in "xy"]).steps]
    assert used.count(Operation.SQR) == used.count(Operation.MUL) == used.count(Operation.INTEGER_POWER) == 1


def test_the_cut_of_the_angle():
    found = evaluate(
        tape_of(Operation.ATAN2), np.array([[0.0, -1.0], [-2.0, -2.0]]), np.array([[1.0, 1.0], [-1.0, -1.0]])
    )
    assert found.upper[0, 0] == PI_UPPER
    assert found.lower[0, 0] > 2.3
    assert (found.lower[0, 1], found.upper[0, 1]) == (-PI_UPPER, PI_UPPER)
