"""Ends on a grid: nothing is lost, little is kept too much, numbers are short."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.protocol.boxes import Boxes, Narrowed

WHOLE = st.floats(-1e6, 1e6)


class Fixed:
    name, cost, reads, children = "fixed", 3, (0,), ()

    def __init__(self, lower, upper, empty=False):
        self.answer = Narrowed(np.array([[lower]]), np.array([[upper]]), np.array([empty]))

    def contract(self, boxes):
        return self.answer


def narrowed(box, kept, bits=8):
    found = OnGrid(Fixed(*kept), bits).contract(Boxes(np.array([[box[0]]]), np.array([[box[1]]])))
    assert not found.empty[0]
    return float(found.lower[0, 0]), float(found.upper[0, 0])


@given(st.lists(WHOLE, min_size=4, max_size=4).map(sorted))
def test_what_is_kept_stays(ends):
    low, first, last, high = ends
    lower, upper = narrowed((low, high), (first, last))
    assert low <= lower <= first <= last <= upper <= high
    assert first - lower <= (high - low) / 128 and upper - last <= (high - low) / 128


def test_ends_are_short():
    lower, upper = narrowed((0.0, 1.0), (0.1234567, 0.7654321))
    assert (lower, upper) == (31 / 256, 196 / 256)
    assert narrowed((0.0, 1.0), (0.25, 0.75)) == (0.25, 0.75)
    assert narrowed((0.1, 0.7), (0.1, 0.7)) == (0.1, 0.7)


@pytest.mark.parametrize(
    ("box", "kept"),
    [
        ((-np.inf, np.inf), (0.1, 0.2)),
        ((0.0, np.inf), (0.1, np.inf)),
        ((-1e308, 1e308), (0.1, 0.2)),
        ((0.5, 0.5), (0.5, 0.5)),
        ((0.0, 5e-324), (0.0, 5e-324)),
        ((1e-320, 3e-320), (2e-320, 2e-320)),
        ((1e15, 1e15 + 0.125), (1e15, 1e15)),
    ],
)
def test_unusual_boxes(box, kept):
    lower, upper = narrowed(box, kept)
    assert box[0] <= lower <= kept[0] <= kept[1] <= upper <= box[1]


def test_it_is_drawn_as_its_child():
    child = Fixed(0.0, 1.0)
    assert (OnGrid(child).name, OnGrid(child).cost, OnGrid(child).reads, OnGrid(child).children) == (
        "fixed",
        3,
        (0,),
        (child,),
    )
    assert OnGrid(Fixed(0.0, 1.0, empty=True)).contract(Boxes(np.zeros((1, 1)), np.ones((1, 1)))).empty[0]
