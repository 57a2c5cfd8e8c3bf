import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.robots.forward_kinematics import leg_lengths, newton, rigid_joints, solve_pose
from certify.problems.simulation.table_of_stewart import calibrated, extreme_strokes
from certify.problems.simulation.unmodelled_error import skew_joints

ROBOT = np.array(calibrated(), dtype=np.float64)
BASE, PLATFORM, OFFSETS = ROBOT[:, :3], ROBOT[:, 3:6], ROBOT[:, 6]
START = np.array([0.0, 0.0, 350.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "joints", [rigid_joints(BASE, PLATFORM), skew_joints(BASE, PLATFORM, 25.0)], ids=["rigid", "skew"]
)
def test_all_extreme_poses_have_their_leg_lengths(joints):
    lengths = leg_lengths(joints)
    home = newton(lengths, lengths(START), START)
    for strokes in np.array(extreme_strokes(), dtype=np.float64):
        target = lengths(START) - 70.0 + strokes
        pose = solve_pose(lengths, target, home)
        assert np.abs(lengths(pose) - target).max() < 1e-9
        assert pose[2] > 100.0
        assert np.abs(pose[3:]).max() < 90.0


def test_a_pose_is_found_again_from_its_lengths():
    lengths = leg_lengths(rigid_joints(BASE, PLATFORM))
    pose = np.array([20.0, -35.0, 330.0, 8.0, -6.0, 14.0])
    assert solve_pose(lengths, lengths(pose), START) == pytest.approx(pose, abs=1e-8)


def test_lengths_out_of_reach_are_an_input_error():
    lengths = leg_lengths(rigid_joints(BASE, PLATFORM))
    with pytest.raises(InputError, match="no pose that home reaches has them; choose lengths within the workspace"):
        solve_pose(lengths, np.array([2000.0, 300, 300, 300, 300, 300]), START)


def test_skew_joints_of_size_zero_are_perfect():
    perfect, skew = leg_lengths(rigid_joints(BASE, PLATFORM)), leg_lengths(skew_joints(BASE, PLATFORM, 0.0))
    assert (perfect(START) == skew(START)).all()
    base, _ = skew_joints(BASE, PLATFORM, 25.0)(START)
    assert np.sqrt(((base - BASE) ** 2).sum(axis=1)) == pytest.approx(25.0)
