"""Undecided boxes around singular zeros are merged, and none of them is lost."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks._systems_of_others import solotarev
from certify.contractors.protocol.contractor import Box
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import search
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.solvers.zeros.meeting_boxes import within
from certify.solvers.zeros.undecided_regions import UndecidedRegions


def boxes_near_points(rng, width):
    """Narrow boxes around three points, and wider ones beside them."""
    for _ in range(300):
        centre = rng.choice([-1.0, 0.0, 2.0]) + rng.integers(-8, 9, 2) * width
        half = width * rng.choice([0.25, 0.5, 0.5, 0.5, 3.0, 30.0])
        yield Box(centre - half, centre + half)


@pytest.mark.parametrize("seed", range(10))
def test_regions_hold_all_that_they_took_in_and_stay_narrow(seed):
    rng, regions, taken = np.random.default_rng(seed), UndecidedRegions(1e-6, merging=True), []
    for box in boxes_near_points(rng, 1e-6):
        if (box.upper - box.lower).max() <= 1.1e-6:
            regions.add(box)
            taken.append(box)
        elif regions.takes(box):
            taken.append(box)
    for box in taken:
        assert any(within(box, region) for region in regions.boxes)
        assert regions.holds(box)
    assert len(regions.boxes) < 0.1 * len(taken)
    assert all((region.upper - region.lower).max() <= regions.widest for region in regions.boxes)


def test_what_is_wide_or_apart_is_not_taken():
    regions = UndecidedRegions(1e-6, merging=True)
    regions.add(Box(np.zeros(2), np.full(2, 1e-6)))
    assert not regions.takes(Box(np.full(2, 1e-6), np.full(2, 4e-6)))
    assert not regions.takes(Box(np.full(2, 1.3e-6), np.full(2, 1.5e-6)))
    assert regions.takes(Box(np.full(2, 1e-6), np.full(2, 2e-6)))
    assert len(regions.boxes) == 1


def test_where_solutions_are_no_points_boxes_stay_as_they_are():
    regions = UndecidedRegions(1e-6, merging=False)
    boxes = [Box(np.full(2, k * 1e-6), np.full(2, (k + 1) * 1e-6)) for k in range(5)]
    for box in boxes:
        regions.add(box)
    assert regions.boxes == boxes


@pytest.mark.parametrize(("width", "most"), [(1e-8, 4), (1e-3, 8)])
def test_two_singular_zeros_and_two_that_are_not(width, most):
    """Solotarev's system: (x, y, a, b) with y = -1, a = 5 twice, and with y = 1, a = 1, all exactly known."""
    paving = search(parse_minibex(solotarev()), SearchOptions(width=width)).paving
    third = Fraction(1, 3)
    singular = [(-1, -1, 5, 3), (5 * third, -1, 5, Fraction(-47, 27))]
    regular = [(-third, 1, 1, Fraction(-11, 27)), (Fraction(1), 1, 1, -1)]

    def holds(box, point):
        ends = zip(box.lower.tolist(), box.upper.tolist(), point, strict=True)
        return all(Fraction(low) <= value <= Fraction(high) for low, high, value in ends)

    assert len(paving.solutions) == 2
    for point in regular:
        assert sum(holds(solution.enclosure, point) for solution in paving.solutions) == 1
    for point in singular:
        assert any(holds(box, point) for box in paving.undecided)
    assert len(paving.undecided) <= most
