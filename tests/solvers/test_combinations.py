"""What linear rows determine: planted dependent columns, told exactly as they were planted, whatever the units."""

from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.solvers.advice.combinations import determined

VECTOR, ROWS = 7, 12


def linear(slopes, radii, half=Fraction(1, 100)):
    """Rows a . x - m with the slopes `a` (rows, n) as columns that are known exactly."""
    count, n = slopes.shape
    tape = certify.trace(lambda x, m: m.a @ x.x - m.y, {"x": (n,)}, {"a": (n,), "y": ()})
    variables = [certify.Variable(f"x{k}", "mm", -Fraction(r), Fraction(r)) for k, r in enumerate(radii)]
    exact = [tuple(Fraction(int(v)) for v in slopes[:, k]) for k in range(n)]
    columns = [certify.Column(f"a{k}", "1", entries, entries) for k, entries in enumerate(exact)]
    columns.append(certify.Column("y", "mm", (-half,) * count, (half,) * count))
    bindings = [certify.Binding(False, k) for k in range(n)] + [certify.Binding(True, k) for k in range(n + 1)]
    family = certify.Family("rows", tape, count, tuple(bindings), "mm")
    return certify.Problem(tuple(variables), tuple(columns), (family,))


def found_in(slopes, radii, give_up=(), half=Fraction(1, 100)):
    problem = linear(slopes, radii, half)
    radius = np.array([float(r) for r in radii])
    return determined(problem.blocks, (0,), np.zeros(radius.size), radius, give_up)


def planted(seed):
    """Slopes of which some columns are sums of others with the coefficients 1, -1 and 2; which, and the rank."""
    random = np.random.default_rng(seed)
    slopes = random.integers(-9, 10, (ROWS, VECTOR))
    count = int(random.integers(1, 4))
    for k in random.permutation(VECTOR)[:count]:
        others = random.permutation([j for j in range(VECTOR) if j != k])[:2]
        slopes[:, k] = slopes[:, others] @ random.choice([1, -1, 2], 2)
    return slopes


def rank(slopes):
    """The exact rank, by elimination in rationals."""
    rows, found = [[Fraction(int(v)) for v in row] for row in slopes], 0
    for k in range(slopes.shape[1]):
        pivot = next((i for i in range(found, len(rows)) if rows[i][k]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][k] / rows[found][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


@pytest.mark.parametrize("seed", range(12))
def test_redundant_columns_are_sums_of_the_kept_ones(seed):
    slopes = planted(seed)
    for scale in (1, 1000):  # in mm and in um
        sizes = [Fraction(1, scale) ** (k % 2) for k in range(VECTOR)]
        told = slopes * np.array([scale ** (k % 2) for k in range(VECTOR)])
        found = found_in(told, sizes)
        assert len(found.redundant) == VECTOR - rank(slopes)
        assert not found.idle
        for k in found.redundant:
            sums = {c.kept: dict(c.terms)[k] for c in found.combinations if k in dict(c.terms)}
            exact = {i: Fraction(c).limit_denominator(10_000) for i, c in sums.items()}
            for row in told:
                assert row[k] == sum(exact[i] * int(row[i]) for i in exact)


def test_what_is_known_best_is_given_up_unless_told_otherwise():
    slopes = planted(1)
    slopes[:, 4] = slopes[:, 2]
    wide = [Fraction(1)] * VECTOR
    wide[4] = Fraction(3)
    assert 2 in found_in(slopes, wide).redundant
    assert 4 in found_in(slopes, wide, give_up=(4,)).redundant
    alike = found_in(slopes, [Fraction(1)] * VECTOR)
    assert 4 in alike.redundant  # what comes first is kept
    assert 2 not in alike.redundant


def test_what_changes_nothing_and_what_is_known_are_no_combinations():
    slopes = planted(2)
    slopes[:, 0] = 0
    radii = [Fraction(1)] * VECTOR
    assert found_in(slopes, radii).idle == (0,)
    assert 0 in found_in(slopes, radii).given_up
    radii[0] = Fraction(0)
    assert found_in(slopes, radii).idle == ()


def test_a_direction_that_half_widths_hide_is_weak():
    """Two columns that differ by 1 in one row: along their difference the box changes that row by 1, of half-widths of
    2 or of 10, and nothing else.
    """
    slopes = np.random.default_rng(3).integers(20, 90, (ROWS, 3))
    slopes[:, 1] = slopes[:, 0]
    slopes[4, 1] += 1
    found = found_in(slopes, [Fraction(1)] * 3, half=Fraction(2))
    assert found.redundant == ()
    (weak,) = found.weak
    shares = dict(weak.shares)
    assert set(shares) == {0, 1}
    assert abs(shares[0] + shares[1]) < 0.02
    assert 0.25 < weak.change <= 0.5
    assert found_in(slopes, [Fraction(1)] * 3, half=Fraction(1, 100)).weak == ()
    hidden = found_in(slopes, [Fraction(1)] * 3, half=Fraction(10))
    assert hidden.weak == ()
    assert hidden.redundant == (0,) or hidden.redundant == (1,)
    assert found_in(slopes, [Fraction(1)] * 3, half=Fraction(0)).redundant == ()
