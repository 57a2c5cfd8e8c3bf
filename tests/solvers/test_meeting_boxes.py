"""Boxes that meet are found: all of them, and no others."""

import numpy as np
import pytest

from certify.contractors.protocol.contractor import Box
from certify.solvers.zeros.meeting_boxes import MeetingBoxes, disjoint


def some_box(rng, wide):
    """Few different ends, so that many boxes touch, share coordinates, or are points; now and then a huge one."""
    low = rng.integers(-3, 4, 4) * rng.choice([0.25, 1.0, 1e-9])
    high = low + wide * rng.integers(0, 2, 4) * rng.choice([0.25, 1e-9, 3.0])
    if rng.random() < 0.05:
        low[0], high[1] = -1e308, 1e308
    return Box(low, high)


@pytest.mark.parametrize("seed", range(20))
def test_those_that_meet_a_box_are_found_as_by_looking_at_all(seed):
    rng = np.random.default_rng(seed)
    kept, known = MeetingBoxes(), {}
    for turn in range(120):
        box = some_box(rng, turn % 3)
        if turn % 7 == 3:
            number = int(rng.choice(list(known)))
            kept.replace(number, box)
        elif turn % 7 == 5:
            kept.discard(number := int(rng.choice(list(known))))
            del known[number]
            continue
        else:
            number = kept.add(box)
        known[number] = box
        asked = some_box(rng, 1)
        assert kept.meeting(asked) == sorted(k for k, other in known.items() if not disjoint(asked, other))
    assert [id(box) for box in kept.present] == [id(known[number]) for number in sorted(known)]


def test_few_are_looked_at_where_zeros_have_all_coordinates_in_common(monkeypatch):
    """The 1,024 points of {-1, 1}^10: by one coordinate half of all would meet."""
    from certify.solvers.zeros import meeting_boxes

    looks = []
    monkeypatch.setattr(meeting_boxes, "disjoint", lambda a, b: looks.append(0) or disjoint(a, b))
    kept = MeetingBoxes()
    for number in range(1024):
        point = np.array([1.0 if number >> k & 1 else -1.0 for k in range(10)])
        box = Box(point - 1e-12, point + 1e-12)
        assert kept.meeting(box) == []
        kept.add(box)
    assert len(looks) < 1024
