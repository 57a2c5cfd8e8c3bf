"""Weighted sums in floats against exact rationals: the enclosure holds for any weights whatever."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.contractors.rows.weighted_sums import Inequalities, outward_cut, product_polynomials, short, weighted_sums

MONOMIALS = ((), (0,), (1,), (0, 0), (0, 1), (1, 1))
PRODUCTS = ((0, 1, 1, 1), (0, -1, 1, 1), (0, 1, 0, 1), (1, 1, 1, -1))


def exact_value(coefficients, t):
    u, v = t
    return sum(c * f for c, f in zip(coefficients, (1, u, v, u * u, u * v, v * v), strict=True))


@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_sums_and_their_minimum_are_enclosed(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 12))
    middle = rng.standard_normal((rows, 6)) * 10.0 ** rng.uniform(-8, 8, (rows, 6))
    inequalities = Inequalities(
        MONOMIALS,
        middle - np.abs(middle) * 1e-9,
        middle + np.abs(middle) * 1e-9,
        tuple(("q", 0, k, 1) for k in range(rows)),
    )
    weights = short(np.maximum(rng.standard_normal((1, rows)), 0) * 10.0 ** rng.uniform(-6, 6))
    factors = short(np.maximum(rng.standard_normal((1, 4)), 0) * 10.0 ** rng.uniform(-6, 6))
    table = product_polynomials(PRODUCTS, MONOMIALS)
    sums = weighted_sums(inequalities, table, weights, factors)
    objective = rng.choice([-1.0, 0.0, 1.0], (1, 2))
    least = sums.minimum(objective)[0]
    ends = zip(inequalities.lower, inequalities.upper, strict=True)
    picks = [[Fraction(float(rng.choice([a, b]))) for a, b in zip(low, high, strict=True)] for low, high in ends]
    for t in [(Fraction(int(rng.integers(-8, 9)), 8), Fraction(int(rng.integers(-8, 9)), 8)) for _ in range(4)]:
        true = sum(Fraction(w) * exact_value(p, t) for w, p in zip(weights[0].tolist(), picks, strict=True))
        for factor, (i, s, j, r) in zip(factors[0].tolist(), PRODUCTS, strict=True):
            true -= Fraction(factor) * (1 - s * t[i]) * (1 - r * t[j])
        true += sum(Fraction(float(o)) * v for o, v in zip(objective[0], t, strict=True))
        assert Fraction(float(least)) <= true


@given(st.floats(-1e6, 1e6), st.floats(1e-12, 1e3))
def test_cuts_go_to_the_safe_side(position, radius):
    assert outward_cut(position, radius, below=True) <= position <= outward_cut(position, radius, below=False)


@given(st.lists(st.floats(-10, 1e12), min_size=1, max_size=20))
def test_short_weights_are_never_negative(values):
    assert (short(np.array(values)) >= 0).all()
