"""Folded variables: a function that grows from one end of the numbers to the other, and where its values are taken."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from certify.contractors.tape.tape import Builder
from certify.problems.systems.folded_terms import Fold
from tests.exact import arb_values

ENDS = [
    (None, None),
    (Fraction(-7, 3), None),
    (Fraction(0), None),
    (None, Fraction(5, 2)),
    (None, Fraction(0)),
    (Fraction(1), Fraction(2)),
]
FOLDS = [Fold(*ends) for ends in ENDS]


def value(fold, t):
    builder = Builder(1)
    return arb_values(builder.row(fold.node(builder, 0)), [t])[0]


@pytest.mark.parametrize("fold", FOLDS)
def test_it_grows_between_its_bounds(fold):
    low, high = fold.bounds
    places = [low + (high - low) * Fraction(k, 1000) for k in (1, 2, 10, 100, 400, 500, 501, 900, 990, 998, 999)]
    values = [float(value(fold, t)) for t in places]
    assert all(a < b for a, b in pairwise(values))
    if fold.low is not None:
        assert fold.low <= values[0] < fold.low + 1
    else:
        assert values[0] < -200
    if fold.high is not None:
        assert fold.high - 1 < values[-1] <= fold.high
    else:
        assert values[-1] > 200


@pytest.mark.parametrize("fold", FOLDS)
def test_places_are_where_the_values_are(fold):
    low, high = (float(end) for end in fold.bounds)
    places = np.linspace(low, high, 41)[1:-1]
    values = np.array([float(value(fold, Fraction(t))) for t in places])
    assert fold.place(values) == pytest.approx(places, abs=1e-9)


def test_what_it_stands_for_is_told():
    assert Fold(None, None).text("x") == "x = x.t/(1 - x.t^2)"
    assert Fold(Fraction(-7, 3), None).text("x") == "x = -7/3 + x.t/(1 - x.t)"
    assert Fold(None, Fraction(2)).text("y") == "y = 2 + y.t/(1 + y.t)"


def test_the_ends_are_the_ends():
    ends = np.array([-np.inf, np.inf])
    assert Fold(None, None).place(ends).tolist() == [-1.0, 1.0]
    assert Fold(Fraction(3), None).place(np.array([3.0, np.inf])).tolist() == [0.0, 1.0]
    assert Fold(None, Fraction(3)).place(np.array([-np.inf, 3.0])).tolist() == [-1.0, 0.0]
    assert Fold(Fraction(3), Fraction(4)).place(np.array([3.0, 4.0])).tolist() == [3.0, 4.0]
