"""Laws of the contractors for systems, on batches of boxes: a zero survives; what is proved unique is there; nothing is written to."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import BITS, arb_values
from hypothesis import given, settings
from hypothesis import strategies as st

from contractors.backward import quotient
from contractors.boxes import Boxes
from contractors.disjunction import Disjunction
from contractors.equations import Equations
from contractors.hull_consistency import HullConsistency
from contractors.interval_newton import IntervalNewton, interval_newton
from contractors.tape import Builder, Operation
from contractors.taylor_consistency import TaylorConsistency

CONTRACTORS = {
    "hull": HullConsistency,
    "taylor": TaylorConsistency,
    "slices": lambda e: Disjunction(HullConsistency(e), e.occurring),
    "newton": IntervalNewton,
}


FUNCTIONS = [Operation[name] for name in ("TAN", "EXP", "LOG", "ASIN", "ACOS", "ATAN", "SINH", "COSH", "TANH", "ABS")]


def function_of(builder, operation, i, j):
    """f(argument) x_j, with an argument for which f is defined wherever x is."""
    argument = i
    if operation in (Operation.ASIN, Operation.ACOS):
        argument = builder.sin(i)
    if operation is Operation.LOG:
        argument = builder.add(builder.sqr(i), builder.constant(Fraction(1, 2)))
    return builder.mul(builder.function(operation, argument), j)


def random_system(seed):
    """Three equations in three unknowns, random expressions over the known operations, with a zero planted at a double."""
    rng = np.random.default_rng(seed)
    builder = Builder(3)
    zero = np.round(rng.uniform(-1.5, 1.5, 3), 6)
    nodes = []
    for _ in range(3):
        value = builder.constant(Fraction(int(rng.integers(-3, 4)), 2))
        for _ in range(int(rng.integers(2, 5))):
            i, j = (int(k) for k in rng.integers(0, 3, 2))
            kind = rng.integers(0, 7 + len(FUNCTIONS))
            if kind >= 7:
                value = builder.add(value, function_of(builder, FUNCTIONS[int(kind) - 7], i, j))
                continue
            term = [
                lambda i=i, j=j: builder.mul(i, j),
                lambda i=i, j=j: builder.mul(builder.sqr(i), j),
                lambda i=i, j=j: builder.sqrt(builder.add(builder.sqr(i), builder.constant(1 + j))),
                lambda i=i, j=j: builder.sin(builder.add(i, j)),
                lambda i=i, j=j: builder.mul(builder.cos(i), j),
                lambda i=i, j=j: builder.div(i, builder.add(builder.sqr(j), builder.constant(1))),
                lambda i=i, j=j: builder.neg(builder.sub(i, builder.mul(j, builder.constant(Fraction(3, 2))))),
            ][int(kind)]()
            value = builder.add(value, term)
        nodes.append(builder.add(value, 0 if nodes else 1))
    tape = builder.tape(tuple(nodes))
    values = arb_values(tape, list(zero))
    ends = [(float(v.lower()), float(v.upper())) for v in values]
    low, high = np.nextafter([a for a, _ in ends], -np.inf), np.nextafter([b for _, b in ends], np.inf)
    return Equations(tape, np.minimum(low, high), np.maximum(low, high)), zero


def boxes(zero, rng, batch, width):
    radius = width * 10.0 ** rng.uniform(-3, 0, (zero.size, batch))
    shift = rng.uniform(-1, 1, (zero.size, batch)) * radius
    low, high = zero[:, None] + shift - radius, zero[:, None] + shift + radius
    return np.minimum(low, zero[:, None]), np.maximum(high, zero[:, None])


@pytest.mark.parametrize("name", [n for n in CONTRACTORS if n != "newton"])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_a_zero_survives(name, seed):
    equations, zero = random_system(seed)
    low, high = boxes(zero, np.random.default_rng(seed), 1 + 4 * (seed % 2), 3.0)
    before = low.copy(), high.copy()
    answer = CONTRACTORS[name](equations).contract(Boxes(low, high))
    assert not answer.empty.any()
    assert (answer.lower <= zero[:, None]).all()
    assert (zero[:, None] <= answer.upper).all()
    assert np.array_equal(low, before[0])
    assert np.array_equal(high, before[1])


def exact_zero_system(seed):
    """f(x) = p(x) - p(zero) with rational data, so that the zero is exact."""
    rng = np.random.default_rng(seed)
    zero = [Fraction(int(v), 64) for v in rng.integers(-90, 91, 3)]
    builder = Builder(3)
    offsets = [builder.sub(i, builder.constant(z)) for i, z in enumerate(zero)]
    nodes = []
    for row in range(3):
        value = builder.mul(offsets[row], builder.constant(int(rng.integers(2, 6))))
        for _ in range(3):
            i, j = (int(k) for k in rng.integers(0, 3, 2))
            factor = [j, builder.sin(j), builder.sqr(j)][int(rng.integers(3))]
            value = builder.add(value, builder.mul(offsets[i], factor))
        nodes.append(value)
    none = np.zeros(3)
    return Equations(builder.tape(tuple(nodes)), none, none), np.array([float(z) for z in zero])


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6))
def test_newton_keeps_zeros_and_proves_only_what_is_there(seed):
    equations, zero = exact_zero_system(seed)
    rng = np.random.default_rng(seed)
    low, high = boxes(zero, rng, 8, 1.0)
    answer = interval_newton(equations, low, high)
    assert not answer.empty.any()
    assert (answer.lower <= zero[:, None]).all()
    assert (zero[:, None] <= answer.upper).all()
    shift = rng.uniform(1.01, 3.0, 8) * 2 * (high - low)[0]
    away_low, away_high = low.copy(), high.copy()
    away_low[0] += shift
    away_high[0] += shift
    answer = interval_newton(equations, away_low, away_high)
    assert not (answer.unique & answer.empty).any()
    for k in np.flatnonzero(answer.unique):
        middle = 0.5 * (answer.lower[:, k] + answer.upper[:, k])
        with flint.ctx.workprec(BITS):
            assert max(abs(float(v.mid())) for v in arb_values(equations.tape, list(middle))) < 10.0


def test_newton_proves_a_regular_zero():
    equations, zero = exact_zero_system(3)
    answer = interval_newton(equations, (zero - 1e-3)[:, None], (zero + 0.7e-3)[:, None])
    assert answer.unique.all()
    assert (answer.upper - answer.lower).max() < 1e-4


@given(*[st.floats(-5, 5)] * 6, st.floats(0, 1), st.floats(0, 1))
def test_quotients_keep_every_factor(a, b, c, d, low, high, s, t):
    (c, d), (low, high) = sorted((c, d)), sorted((low, high))
    x, y = min(max(low + s * (high - low), low), high), min(max(c + t * (d - c), c), d)
    product = x * y
    a, b = np.nextafter(min(a, b, product), -np.inf), np.nextafter(max(min(b, 0.0), product), np.inf)
    p, q = quotient(a, b, c, d, low, high)
    assert p <= x <= q


def test_products_that_vanish_lose_nothing():
    """ibex-lib #470: x1 x2 = 0 on [-1, 1]^2 has solutions everywhere on both axes."""
    builder = Builder(2)
    equations = Equations(builder.tape((builder.mul(0, 1),)), np.zeros(1), np.zeros(1))
    for name in ("hull", "taylor", "slices"):
        answer = CONTRACTORS[name](equations).contract(Boxes(-np.ones((2, 1)), np.ones((2, 1))))
        assert not answer.empty.any()
        assert (answer.lower == -1).all()
        assert (answer.upper == 1).all()


wide = st.one_of(st.floats(-1e3, 1e3), st.sampled_from([0.0, 1.0, -1.0, 1e300, -1e300]))


@given(wide, wide, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_quotients_of_unbounded_intervals_keep_every_factor(x, y, below_x, above_x, below_y, above_y):
    product = Fraction(x) * Fraction(y)
    if abs(product) > 1e300:
        return
    a, b = np.nextafter(float(product), -np.inf), np.nextafter(float(product), np.inf)
    c, d = -np.inf if below_y else y, np.inf if above_y else y
    low, high = -np.inf if below_x else x, np.inf if above_x else x
    for ends in ((a, b), (-np.inf, b), (a, np.inf)):
        p, q = quotient(*ends, c, d, low, high)
        assert p <= x <= q
