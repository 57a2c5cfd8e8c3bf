"""The ranges of the columns of linear programs: the same by the dense method as by HiGHS, and refuted alike."""

import numpy as np
import pytest

from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.solvers.linear_programs import ranges
from certify.solvers.linear_programs.ranges import Ranges

RANGED = 3


def program(seed, gap=0.5):
    """Rows around a point inside the box, the first columns to be ranged; with a negative gap there is no point."""
    rng = np.random.default_rng(seed)
    matrix, point = rng.normal(size=(20, 6)), rng.uniform(-0.5, 0.5, 6)
    if gap < 0.0:
        matrix[1] = -matrix[0]
    return LinearProgram(matrix, matrix @ point + gap, np.full(6, -1.0), np.ones(6), 20)


def proved(asked, cost, weights):
    """What weights prove of cost . y, whatever they are."""
    slopes = cost + weights @ asked.matrix
    return np.minimum(slopes * asked.lower, slopes * asked.upper).sum() - weights @ asked.bound


def bounds(asked, answers):
    costs = np.zeros((2 * RANGED, 6))
    costs[np.arange(2 * RANGED), np.repeat(np.arange(RANGED), 2)] = np.tile([1.0, -1.0], RANGED)
    nothing = np.zeros(asked.bound.size)
    return [
        proved(asked, cost, nothing if weights is None else weights)
        for cost, weights in zip(costs, answers, strict=True)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_both_methods_bound_alike(seed, monkeypatch):
    asked = program(seed)
    refuting, small = Ranges().ranges(asked, RANGED)
    monkeypatch.setattr(ranges, "SMALL", 0)
    refuted, large = Ranges().ranges(asked, RANGED)
    assert refuting is None and refuted is None
    assert bounds(asked, small) == pytest.approx(bounds(asked, large), abs=0.03)  # an end that is nearly attained


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("small", [0, 2**14])
def test_what_has_no_point_is_refuted(seed, small, monkeypatch):
    monkeypatch.setattr(ranges, "SMALL", small)
    asked, oracle = program(seed, -0.1), Ranges()
    refuting, answers = oracle.ranges(asked, RANGED)
    assert refuting is not None and not answers and (refuting >= 0.0).all()
    assert proved(asked, np.zeros(6), refuting) > 0.0
    assert oracle.effort > 0


def test_a_refutation_that_leaves_nothing_is_left_to_highs(monkeypatch):
    asked, expected = program(1, -0.1), []

    class Weak:
        def multipliers(self, matrix, bound, width, wanted, ranged):
            return np.full((1, 2 * ranged + 1, bound.shape[1]), 1e-30)

    monkeypatch.setattr(ranges, "Simplex", Weak)
    monkeypatch.setattr(Ranges, "_by_highs", lambda *given: expected.append(given) or (None, []))
    assert Ranges().ranges(asked, RANGED) == (None, []) and len(expected) == 1
