"""A system whose domains are narrow is searched in their half-widths: its answer is the same as in other units, told
exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from certify.contractors.protocol.contractor import Box
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import search
from certify.solvers.search.natural_units import natural_units, scaled


def told(unit):
    """A circle and a line, with x = 3/5 and 4/5 or the reverse, in this unit."""
    x, y = f"({unit}*x)", f"({unit}*y)"
    low, high = Fraction(-1) / unit, Fraction(2) / unit
    return f"Variables x in [{low}, {high}]; y in [{low}, {high}]; Constraints {x}^2 + {y}^2 = 1; {x} + {y} = 7/5; end"


@pytest.mark.parametrize("unit", [Fraction(1), Fraction(10**6), Fraction(10**12), Fraction(1, 10**6)])
def test_both_solutions_are_found_in_every_unit(unit):
    answer = search(parse_minibex(told(unit)))
    assert answer.complete
    truth = [(Fraction(3, 5) / unit, Fraction(4, 5) / unit), (Fraction(4, 5) / unit, Fraction(3, 5) / unit)]
    boxes = sorted((found.enclosure for found in answer.paving.solutions), key=lambda box: box.lower[0])
    assert len(boxes) == 2
    for box, point in zip(boxes, truth, strict=True):
        for low, value, high in zip(box.lower, point, box.upper, strict=True):
            assert Fraction(float(low)) <= value <= Fraction(float(high))
            assert high - low <= 1e-9 / unit


def test_wide_domains_and_points_keep_their_unit():
    domain = Box(np.array([-1e8, 0.0, 3.0, -np.inf, 0.0]), np.array([20.0, 1.0, 3.0, 1.0, 3e-7]))
    assert natural_units(domain).tolist() == [1.0, 1.0, 1.0, 1.0, 2.0**-23]


def test_what_cannot_be_told_exactly_is_enclosed():
    """A product below the smallest doubles would be rounded to them."""
    tiny = 3.0 * 2.0**-1074
    box = scaled(Box(np.array([tiny, -0.25]), np.array([tiny, 0.5])), np.array([2.0**-1, 2.0**-20]))
    assert Fraction(float(box.lower[0])) <= Fraction(tiny) / 2 <= Fraction(float(box.upper[0]))
    assert box.lower[0] < box.upper[0]
    assert (box.lower[1], box.upper[1]) == (-(2.0**-22), 2.0**-21)
