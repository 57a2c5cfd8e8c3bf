"""Pavings of sets whose volume is known: the bounds hold, inner boxes are inside, what was removed is outside, nothing
is lost.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.q_intersection import QIntersection
from certify.contractors.compositions.quantifiers import ForAll, ForSome
from certify.contractors.compositions.sequence import Sequence
from certify.contractors.compositions.union import Union
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.solvers.limits import Stopped
from certify.solvers.search.set_inversion import PavingOptions, difference, set_inversion, total_volume


def constraint(variables, make, low, high):
    builder = Builder(variables)
    return HullConsistency(Equations(builder.tape((make(builder),)), np.array([low]), np.array([high])))


def ring(x, y, inner, outer):
    def make(b):
        return b.add(b.sqr(b.sub(0, b.constant(Fraction(x)))), b.sqr(b.sub(1, b.constant(Fraction(y)))))

    return constraint(2, make, inner**2, outer**2)


def pave(outer, domain, **options):
    return set_inversion(outer, complement(outer), domain, PavingOptions(**options))


def square(half):
    return Box(np.full(2, -float(half)), np.full(2, float(half)))


def moving_disc(b):
    return b.add(b.sqr(b.sub(0, 2)), b.sqr(1))


PARAMETER = (2,), Box(np.array([-0.5]), np.array([0.5]))
WITHIN = constraint(3, moving_disc, -np.inf, 1.0)


def disc(radius):
    return constraint(2, lambda b: b.add(b.sqr(0), b.sqr(1)), -np.inf, radius**2)


SETS = {
    "ring": (ring(0, 0, 1, 2), 3 * math.pi),
    "two rings apart": (Union((ring(-2, 0, 0.5, 1), ring(1.25, 0, 1, 1.5))), math.pi * (0.75 + 1.25)),
    "disc without a disc": (Sequence((ring(0, 0, 0, 2), complement(ring(0, 0, 0, 1)))), 3 * math.pi),
    "two of three discs": (QIntersection((ring(0, 0, 0, 1), ring(0, 0, 0, 2), ring(0, 0, 0, 2.5)), 2), 4 * math.pi),
    "stadium": (ForSome(WITHIN, *PARAMETER, 0.05), math.pi + 2),
    "lens": (ForAll(WITHIN, *PARAMETER, 0.05), 2 * math.pi / 3 - math.sqrt(3) / 2),
    "root": (constraint(2, lambda b: b.add(b.sqrt(0), b.mul(b.constant(0), 1)), -np.inf, 1.0), 6.0),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("batch", [7, 2048])
def test_the_bounds_hold_the_true_area(name, batch):
    contractor, area = SETS[name]
    paving = pave(contractor, square(3), width=0.05, batch=batch)
    assert paving.stopped is Stopped.FINISHED
    low, high = paving.volume
    assert low <= area <= high
    assert high - low < 0.06 * area + 0.3
    assert (paving.boundary.upper - paving.boundary.lower).max() <= 0.05


def kept(paving, point):
    return [
        ((b.lower <= point[:, None]) & (point[:, None] <= b.upper)).all(axis=0).any()
        for b in (paving.inner, paving.boundary, paving.unexplored)
    ]


PAVED = pave(Sequence((ring(0, 0, 1, 2), ring(0.5, 0.25, 0, 1.75))), square(3), width=0.1)


@settings(max_examples=300)
@given(x=st.fractions(-3, 3, max_denominator=1000), y=st.fractions(-3, 3, max_denominator=1000))
def test_every_point_is_where_it_is_said_to_be(x, y):
    x, y = Fraction(float(x)), Fraction(float(y))
    member = 1 <= x**2 + y**2 <= 4 and (x - Fraction(1, 2)) ** 2 + (y - Fraction(1, 4)) ** 2 <= Fraction(1.75) ** 2
    inner, boundary, unexplored = kept(PAVED, np.array([float(x), float(y)]))
    assert not unexplored
    assert member or not inner
    assert inner or boundary or not member


@pytest.mark.parametrize("limit", [{"cell_limit": 50}, {"time_limit": 0.0}])
def test_a_limit_leaves_boxes_and_true_bounds(limit):
    paving = pave(ring(0, 0, 1, 2), square(3), width=1e-3, **limit)
    assert paving.stopped in (Stopped.SPLITS, Stopped.TIME)
    assert paving.unexplored.count
    assert paving.cells <= 50
    low, high = paving.volume
    assert low <= 3 * math.pi <= high


def test_the_answer_does_not_depend_on_the_batch():
    pavings = [
        pave(Sequence((ring(0, 0, 1, 2), ring(1, 0, 0, 2))), square(3), width=0.1, batch=batch)
        for batch in (1, 64, 5000)
    ]
    for boxes in ("inner", "boundary"):
        found = [
            {(*low, *high) for low, high in zip(getattr(p, boxes).lower.T, getattr(p, boxes).upper.T, strict=True)}
            for p in pavings
        ]
        assert found[0] == found[1] == found[2]
    assert len({p.cells for p in pavings}) == 1


def test_an_empty_set_and_a_full_one():
    nothing = pave(ring(9, 9, 0, 1), square(3), width=0.1)
    assert nothing.volume == (0.0, 0.0)
    assert nothing.inner.count == nothing.boundary.count == nothing.unexplored.count == 0
    assert nothing.cells == 1
    everything = pave(disc(9), square(3), width=0.1)
    assert everything.volume[0] <= 36.0 <= everything.volume[1]
    assert everything.volume[1] - everything.volume[0] < 1e-12
    assert everything.inner.count == 1


def test_an_unbounded_domain():
    """The unit disc in the whole plane is bounded; a half plane is not, and its volume is infinite."""
    plane = Box(np.full(2, -np.inf), np.full(2, np.inf))
    low, high = pave(ring(0, 0, 0, 1), plane, width=0.05).volume
    assert low <= math.pi <= high < 3.4
    half = pave(constraint(2, lambda b: b.add(0, 1), 0.0, np.inf), plane, width=0.5, cell_limit=500)
    assert half.volume[1] == math.inf
    assert half.stopped is Stopped.SPLITS


def test_what_lies_between_the_exact_domain_and_its_enclosure_is_boundary():
    inside = Box(np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    around = Box(np.array([0.0, 0.0]), np.array([1.0, np.nextafter(1.0, 2.0)]))
    outer = disc(9)
    paving = set_inversion(outer, complement(outer), around, PavingOptions(0.1), surely_inside=inside)
    assert paving.inner.count == 1
    assert paving.inner.upper[1, 0] == 1.0
    assert paving.boundary.count == 1
    assert paving.boundary.lower[1, 0] == 1.0


@settings(max_examples=200)
@given(data=st.data())
def test_differences_cover_and_their_volumes_add_up(data):
    """Integer boxes: the volumes of the pieces and of what was kept are exactly that of the box."""
    ends = st.tuples(*[st.integers(0, 8)] * 4)
    outer = [sorted(data.draw(ends)) for _ in range(3)]
    low, high = np.array([[float(e[0])] for e in outer]), np.array([[float(e[3])] for e in outer])
    kept_low, kept_high = np.array([[float(e[1])] for e in outer]), np.array([[float(e[2])] for e in outer])
    pieces = difference(Boxes(low, high), Boxes(kept_low, kept_high), np.zeros(1, dtype=bool))
    volumes = [total_volume(piece) for piece in pieces] + [total_volume(Boxes(kept_low, kept_high))]
    exact = math.prod(e[3] - e[0] for e in outer)
    assert sum(a for a, _ in volumes) <= exact <= sum(b for _, b in volumes)
    assert sum(b for _, b in volumes) - sum(a for a, _ in volumes) < 1e-9
    rng = np.random.default_rng(0)
    for point in low[:, 0] + rng.uniform(size=(10, 3)) * (high - low)[:, 0]:
        covered = any(((p.lower <= point[:, None]) & (point[:, None] <= p.upper)).all() for p in pieces)
        assert covered or ((kept_low[:, 0] <= point) & (point <= kept_high[:, 0])).all()


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(0, 1e3), st.floats(-1e3, 1e3), st.floats(0, 1e3)), max_size=6)
)
def test_volumes_are_rounded_outwards(boxes):
    low = np.array([[x, y] for x, _, y, _ in boxes]).reshape(-1, 2).T
    high = np.array([[x + w, y + h] for x, w, y, h in boxes]).reshape(-1, 2).T
    exact = sum(
        (Fraction(b[0]) - Fraction(a[0])) * (Fraction(b[1]) - Fraction(a[1]))
        for a, b in zip(low.T.tolist(), high.T.tolist(), strict=True)
    )
    below, above = total_volume(Boxes(low, high))
    assert Fraction(below) <= exact <= Fraction(above)


def test_a_width_must_be_positive():
    with pytest.raises(ValueError, match="positive"):
        pave(ring(0, 0, 1, 2), square(3), width=0.0)
