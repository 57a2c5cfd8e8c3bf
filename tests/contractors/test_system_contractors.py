"""What is proved about systems beside the laws that all contractors share (`test_contractor_laws`): Newton's
uniqueness, and quotients.
"""

from fractions import Fraction

import flint
import numpy as np
from exact import BITS, arb_values
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import boxes_around, exact_zero_system

from certify.contractors.operators.krawczyk_existence import krawczyk_test
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.tape.backward import quotient


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6))
def test_newton_keeps_zeros_and_proves_only_what_is_there(seed):
    planted = exact_zero_system(seed)
    equations, zero = planted.equations, planted.zero
    rng = np.random.default_rng(seed)
    boxes = boxes_around(zero, rng, 8, 1.0)
    low, high = boxes.lower, boxes.upper
    answer = krawczyk_test(equations, Boxes(low, high))
    assert not answer.empty.any()
    assert (answer.lower <= zero[:, None]).all()
    assert (zero[:, None] <= answer.upper).all()
    shift = rng.uniform(1.01, 3.0, 8) * 2 * (high - low)[0]
    away_low, away_high = low.copy(), high.copy()
    away_low[0] += shift
    away_high[0] += shift
    answer = krawczyk_test(equations, Boxes(away_low, away_high))
    assert not (answer.unique & answer.empty).any()
    for k in np.flatnonzero(answer.unique):
        middle = 0.5 * (answer.lower[:, k] + answer.upper[:, k])
        with flint.ctx.workprec(BITS):
            assert max(abs(float(v.mid())) for v in arb_values(equations.tape, list(middle))) < 10.0


def test_newton_proves_a_regular_zero():
    zero = exact_zero_system(3).zero
    answer = krawczyk_test(exact_zero_system(3).equations, Boxes((zero - 1e-3)[:, None], (zero + 0.7e-3)[:, None]))
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
