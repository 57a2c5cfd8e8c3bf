"""The tree of a paving says the same as the paving, wherever it is cut short."""

from fractions import Fraction

import numpy as np
import pytest

from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.solvers.search.paving_tree import End, Recorder
from certify.solvers.search.set_inversion import PavingOptions, set_inversion, total_volume


def ring():
    builder = Builder(2)
    tape = builder.tape((builder.add(builder.sqr(0), builder.sqr(1)),))
    return HullConsistency(Equations(tape, np.array([1.0]), np.array([4.0])))


def paved(most, width=0.1, **limits):
    recorder = Recorder(most)
    domain = Box(np.full(2, -3.0), np.full(2, 3.0))
    options = PavingOptions(width, **{"batch": 64, **limits})
    return set_inversion(OnGrid(ring()), OnGrid(complement(ring())), domain, options, record=recorder), recorder


def leaves(recorder):
    """The ends and the boxes of all cells that are not divided."""
    waiting = [(recorder.root, ((Fraction(-3), Fraction(3)),) * 2)]
    while waiting:
        cell, box = waiting.pop()
        if cell.below is None:
            yield cell.end, box
            continue
        v, at = cell.variable, Fraction(cell.at)
        assert box[v][0] <= at <= box[v][1]
        for part, ends in ((cell.below, (box[v][0], at)), (cell.above, (at, box[v][1]))):
            waiting.append((part, (*box[:v], ends, *box[v + 1 :])))


def volumes(recorder):
    found = dict.fromkeys(End, Fraction(0))
    for end, ((a, b), (c, d)) in leaves(recorder):
        found[end] += (b - a) * (d - c)
    return found


def test_the_whole_tree_has_the_volumes_of_the_paving():
    paving, recorder = paved(10**6)
    found = volumes(recorder)
    assert sum(found.values()) == 36
    low, high = total_volume(paving.inner)
    assert low <= found[End.INSIDE] <= high
    low, high = total_volume(paving.boundary)
    assert low <= found[End.OPEN] <= high
    assert sum(1 for _ in leaves(recorder)) * 2 - 1 == recorder.cells


@pytest.mark.parametrize("most", [1, 10, 300, 2000])
def test_a_tree_cut_short_leaves_more_open(most):
    whole, found = volumes(paved(10**6)[1]), volumes(paved(most)[1])
    assert sum(found.values()) == 36
    assert found[End.OPEN] >= whole[End.OPEN]
    assert found[End.INSIDE] <= whole[End.INSIDE] and found[End.OUTSIDE] <= whole[End.OUTSIDE]


def test_what_a_limit_leaves_unexplored_is_open():
    paving, recorder = paved(10**6, cell_limit=200)
    assert paving.unexplored.count
    left = total_volume(paving.boundary)[1] + total_volume(paving.unexplored)[1]
    assert abs(float(volumes(recorder)[End.OPEN]) - left) < 1e-9


@pytest.mark.parametrize("end", [End.OUTSIDE, End.INSIDE])
def test_corners_are_where_the_tree_says(end):
    """Of an outside box no corner is strictly inside of the ring, of an inside box none is strictly outside."""
    for found, box in leaves(paved(10**6)[1]):
        if found is end:
            for x in box[0]:
                for y in box[1]:
                    inside = 1 < x * x + y * y < 4
                    outside = x * x + y * y < 1 or x * x + y * y > 4
                    assert not (inside if end is End.OUTSIDE else outside)
