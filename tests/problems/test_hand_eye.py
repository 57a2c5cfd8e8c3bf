"""The linear hand-eye method: exact data give the planted frames, errors give something near, degenerate data a
sentence.
"""

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.geometry.frames import frame_of
from certify.problems.geometry.hand_eye import hand_eye

BASE = frame_of(np.array([35.0, -60.0, 900.0, 172.0, 4.0, -31.0]))
PLATFORM = frame_of(np.array([-6.0, 9.0, -32.0, -1.5, 2.0, -14.0]))


def data(count, seed, position=0.0, angle=0.0, axis=None):
    """Platform poses in the base's frame, and where the camera would see the target."""
    rng = np.random.default_rng(seed)
    measured, computed = [], []
    for _ in range(count):
        turn = rng.uniform(-25, 25, 3) if axis is None else rng.uniform(-25, 25) * np.array(axis)
        pose = frame_of(np.concatenate([rng.uniform(-60, 60, 2), [350 + rng.uniform(-50, 50)], turn]))
        seen = (BASE @ pose @ PLATFORM.inverse).pose
        computed.append(pose)
        measured.append(
            frame_of(seen + np.concatenate([position * rng.standard_normal(3), angle * rng.standard_normal(3)]))
        )
    return measured, computed


@pytest.mark.parametrize("count", [3, 4, 64])
@pytest.mark.parametrize("seed", range(5))
def test_planted_frames_are_found_exactly(count, seed):
    found = hand_eye(*data(count, seed))
    assert found.base.pose == pytest.approx(BASE.pose, abs=1e-7)
    assert found.platform.pose == pytest.approx(PLATFORM.pose, abs=1e-7)
    assert found.estimated_position_errors == pytest.approx(np.zeros(count), abs=1e-7)
    assert found.estimated_turns == pytest.approx(np.zeros(count), abs=1e-7)


def test_noise_is_averaged():
    found = hand_eye(*data(200, 1, position=0.05, angle=0.01))
    assert found.base.origin == pytest.approx(BASE.origin, abs=0.2)
    assert found.platform.origin == pytest.approx(PLATFORM.origin, abs=0.2)
    assert 0.02 < np.sqrt((found.estimated_position_errors**2).mean()) < 0.3
    assert 0.005 < np.sqrt((found.estimated_turns**2).mean()) < 0.03


def test_two_poses_are_too_few():
    with pytest.raises(InputError, match=r"2 poses do not determine where camera and target are; give at least 3"):
        hand_eye(*data(2, 1))


@pytest.mark.parametrize("axis", [(0, 0, 0), (0, 0, 1), (1, 0, 0)])
def test_turns_about_one_axis_determine_nothing(axis):
    with pytest.raises(InputError, match=r"they are all alike, or turn about one axis only"):
        hand_eye(*data(20, 2, axis=axis))


def test_noise_does_not_pass_for_turns():
    with pytest.raises(InputError, match=r"turn about one axis only"):
        hand_eye(*data(20, 2, angle=0.5, axis=(0, 0, 1)))
