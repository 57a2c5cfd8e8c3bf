"""Sums of rows with one realisation of what they share, in floats, against exact rationals."""

from fractions import Fraction

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from certify.contractors.rows.shared_entries import Entries
from certify.contractors.rows.weighted_sums import Inequalities, product_polynomials, weighted_sums

SLOTS, VARIABLES = 2, 2
MONOMIALS = ((), (0,), (1,))


def ends(rng, shape):
    middle = rng.standard_normal(shape) * 10.0 ** rng.uniform(-3, 0, shape)
    width = np.abs(middle) * rng.choice([0.0, 1e-9, 0.3])
    return middle - width, middle + width


def pick(rng, pair):
    low, high = (float(end) for end in pair)
    return Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(int(rng.integers(0, 9)), 8)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_sums_are_bounded_from_below(seed):
    """Whatever the coefficients are within their ends, u and t within -1 and 1, and the weights."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 6))
    numbers = rng.integers(0, 2, rows)
    linear = ends(rng, (rows, SLOTS))
    steep = rng.choice([0.0, 4.0, -4.0], SLOTS)
    linear = linear[0] + steep, linear[1] + steep
    square = tuple(np.triu(one) for one in ends(rng, (rows, SLOTS, SLOTS)))
    cross = ends(rng, (rows, SLOTS, VARIABLES))
    places = numbers[:, None] * SLOTS + np.arange(SLOTS)
    entries = Entries(numbers, places, linear, square, cross, {0: (0, 1)}, np.zeros((rows, SLOTS)))
    own = ends(rng, (rows, 3))
    inequalities = Inequalities(MONOMIALS, *own, tuple(("t", 0, k, 1) for k in range(rows)), entries)
    weights = np.maximum(rng.standard_normal((2, rows)), 0.0)
    sums = weighted_sums(inequalities, product_polynomials((), MONOMIALS), weights, np.zeros((2, 0)))
    least, alone = sums.minimum(np.zeros((2, VARIABLES))), inequalities.alone().minimum(np.zeros((rows, VARIABLES)))
    event("steep" if steep.any() else "not steep")
    for _ in range(4):
        t = [Fraction(int(rng.integers(-8, 9)), 8) for _ in range(VARIABLES)]
        u = [[Fraction(int(rng.choice([-8, 8, rng.integers(-8, 9)])), 8) for _ in range(SLOTS)] for _ in range(2)]
        values = []
        for k, at in enumerate(u[number] for number in numbers.tolist()):
            value = sum(pick(rng, (own[0][k, m], own[1][k, m])) * f for m, f in enumerate((1, *t)))
            for a in range(SLOTS):
                value += pick(rng, (linear[0][k, a], linear[1][k, a])) * at[a]
                value += sum(pick(rng, (cross[0][k, a, j], cross[1][k, a, j])) * at[a] * t[j] for j in range(VARIABLES))
                value += sum(
                    pick(rng, (square[0][k, a, b], square[1][k, a, b])) * at[a] * at[b] for b in range(a, SLOTS)
                )
            values.append(value)
            assert Fraction(float(alone[k])) <= value
        for some, bound in zip(weights.tolist(), least.tolist(), strict=True):
            assert Fraction(bound) <= sum(Fraction(w) * value for w, value in zip(some, values, strict=True))


def test_what_is_curved_is_told_exactly_at_an_end():
    """4 u + u^2 + u t rises with u wherever t is: at u = -1 it is -3 - t. And of 3 u v + 4 u + 2 v first u, then v."""
    one = np.zeros((1, SLOTS))

    def told(linear, square, cross):
        coefficients = [(np.array([values]), np.array([values])) for values in (linear, square, cross)]
        entries = Entries(np.array([0]), np.array([[0, 1]]), *coefficients, {0: (0, 1)}, one)
        inequalities = Inequalities(MONOMIALS, np.zeros((1, 3)), np.zeros((1, 3)), (("t", 0, 0, 1),), entries)
        sums = weighted_sums(inequalities, product_polynomials((), MONOMIALS), np.ones((1, 1)), np.zeros((1, 0)))
        return 0.5 * (sums.lower[0, 1] + sums.upper[0, 1]), sums.lower[0, 0]

    t, constant = told([4.0, 0.0], [[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]])
    assert abs(t + 1.0) < 1e-12
    assert -3.0 - 1e-12 < constant <= -3.0
    _, constant = told([4.0, 2.0], [[0.0, 3.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]])
    assert -5.0 - 1e-12 < constant <= -5.0  # u = -1, then -4 - v: v = 1; both at their worst apart it is -9
