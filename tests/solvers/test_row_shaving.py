"""Slabs that rows refute one after the other: each link of a chain is true, and nothing in it is for nothing."""

from fractions import Fraction

import numpy as np
import pytest

from certify.problems.minibex import parse_minibex
from certify.questions.system_search import equations_of
from certify.solvers.weights.row_cuts import cut_by_rows, refuting_rows
from certify.solvers.weights.row_shaving import shave
from certify.solvers.weights.row_tapes import RowTapes

CHAIN = "Variables x[4] in [-8, 8]; Constraints for i=1:3; x(i+1) = x(i)^3 + x(i); end; x(4) = 1/2; end"
NONE = np.zeros((0, 4)), np.zeros((0, 4))


def rows_of(text):
    return RowTapes.of(equations_of(parse_minibex(text)))


def missed(row, low, high):
    """Whether the row of the chain misses 0 over a box, in rational numbers: all of them are monotone."""
    low, high = ([Fraction(float(end)) for end in ends] for ends in (low, high))
    if row == 3:
        return low[3] > Fraction(1, 2) or high[3] < Fraction(1, 2)
    least, most = (ends[row] ** 3 + ends[row] for ends in (low, high))
    return low[row + 1] > most or high[row + 1] < least


def test_chains_refute_what_they_cut_off():
    rows = rows_of(CHAIN)
    low, high = np.full((4, 1), -8.0), np.full((4, 1), 8.0)
    found = shave(rows, low, high, NONE, 0.6, 1e-13)
    assert {slab.variable for slab in found} == {0, 1, 2, 3}
    assert any(slab.links for slab in found)
    a, b = low[:, 0].copy(), high[:, 0].copy()
    for slab in found:
        p, q = a.copy(), b.copy()
        (q if slab.below else p)[slab.variable] = slab.at
        for v, below, at, row in slab.links:
            part_low, part_high = p.copy(), q.copy()
            (part_high if below else part_low)[v] = at
            assert (part_low < part_high).all() and missed(row, part_low, part_high)
            (p if below else q)[v] = at
        assert missed(slab.row, p, q)
        read = {slab.row, slab.row + 1} if slab.row < 3 else {3}
        for v, _, _, row in reversed(slab.links):
            assert v in read  # by a later link, or by the row that refutes the rest
            read |= {row, row + 1} if row < 3 else {3}
        (a if slab.below else b)[slab.variable] = slab.at
    assert ((b - a) < 1.0).all()


def test_the_box_of_a_zero_is_left_alone():
    rows = rows_of(CHAIN)
    zero = np.full((1, 4), -3.0), np.full((1, 4), 3.0)
    found = shave(rows, np.full((4, 1), -8.0), np.full((4, 1), 8.0), zero, 0.6, 1e-13)
    assert found and all(slab.at <= -3.0 if slab.below else slab.at >= 3.0 for slab in found)


@pytest.mark.parametrize(
    ("constraint", "low", "refuted"),
    [("x(1)^2 = 2", 1.5, True), ("x(1)^2 = 2", 1.4, False), ("sqrt(x(1)) = 3", -4.0, True), ("1/x(1) = -1", 1.5, True)],
)
def test_a_row_refutes_where_it_misses_or_is_defined_nowhere(constraint, low, refuted):
    rows = rows_of(f"Variables x[4] in [-8, 8]; Constraints {constraint}; x(2) + x(3) + x(4) = 0; end")
    a = np.array([[low], [-1.0], [-1.0], [-1.0]])
    b = np.array([[max(low + 1.5, -1.0)], [1.0], [1.0], [1.0]])
    assert refuting_rows(rows, a, b).tolist() == [0 if refuted else -1]


def test_cuts_of_rows_are_true_and_in_order():
    rows = rows_of(CHAIN)
    low, high = np.full((4, 2), -8.0), np.full((4, 2), 8.0)
    cuts = cut_by_rows(rows, low, high, np.zeros((4, 2)), 0.1)
    assert {int(box) for box, *_ in cuts} == {0, 1}
    a, b = low.copy(), high.copy()
    for box, v, below, at, row in cuts:
        k, part_low, part_high = int(box), a[:, int(box)].copy(), b[:, int(box)].copy()
        (part_high if below else part_low)[int(v)] = at
        assert missed(int(row), part_low, part_high)
        (a if below else b)[int(v), k] = at
