"""Euler angles, quaternions and matrices in one convention; frames and the frame that joints fix."""

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.formulas.expression import rotation_xyz
from certify.problems.geometry.frames import Frame, frame_of, joint_frame
from certify.problems.geometry.rotations import (
    euler_angles,
    nearest_rotation,
    quaternion_angles,
    quaternions,
    rotations,
    turned_by,
)


@pytest.fixture
def angles():
    rng = np.random.default_rng(3)
    return np.stack([rng.uniform(-179, 179, 200), rng.uniform(-88, 88, 200), rng.uniform(-179, 179, 200)], axis=1)


def test_matrices_are_those_of_the_leg_model(angles):
    for one, matrix in zip(angles, rotations(angles), strict=True):
        assert matrix == pytest.approx(rotation_xyz(*np.radians(one)), abs=1e-15)


def test_angles_come_back_from_matrices_and_from_quaternions_of_any_length_and_sign(angles):
    assert euler_angles(rotations(angles)) == pytest.approx(angles, abs=1e-10)
    scales = np.random.default_rng(4).uniform(-3, 3, (len(angles), 1))
    assert quaternion_angles(quaternions(angles) * scales)[0] == pytest.approx(angles, abs=1e-9)


def test_a_quaternion_turns_vectors_as_its_matrix_does(angles):
    """q v q* by Hamilton's product, written out independently."""
    v = np.array([0.3, -1.2, 2.0])
    for q, matrix in zip(quaternions(angles), rotations(angles), strict=True):
        w, u = q[0], q[1:]
        turned = v + 2 * np.cross(u, np.cross(u, v) + w * v)
        assert turned == pytest.approx(matrix @ v, abs=1e-12)


def test_derivatives_by_the_quaternion_are_those_of_differences(angles):
    q = 1.7 * quaternions(angles)
    _, slopes = quaternion_angles(q)
    for j in range(4):
        step = 1e-6 * np.eye(4)[j]
        difference = (quaternion_angles(q + step)[0] - quaternion_angles(q - step)[0]) / 2e-6
        assert slopes[:, :, j] == pytest.approx(difference, rel=1e-4, abs=1e-3)


def test_the_nearest_rotation_is_a_rotation_and_leaves_rotations_alone(angles):
    rng = np.random.default_rng(5)
    for matrix in rotations(angles[:20]):
        assert nearest_rotation(matrix) == pytest.approx(matrix, abs=1e-12)
        disturbed = nearest_rotation(matrix + 0.3 * rng.standard_normal((3, 3)))
        assert disturbed @ disturbed.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(disturbed) == pytest.approx(1.0)


def test_the_angle_between_rotations():
    first = rotations(np.array([[10.0, 20.0, 30.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    second = first @ rotations(np.array([[0.0, 0.0, 5.0], [1e-6, 0.0, 0.0], [0.0, 0.0, 180.0]]))
    assert turned_by(first, second) == pytest.approx([5.0, 1e-6, 180.0], rel=1e-9)


def test_frames_compose_and_invert(angles):
    one, other = frame_of(np.array([1.0, 2.0, 3.0, *angles[0]])), frame_of(np.array([-4.0, 5.0, 6.0, *angles[1]]))
    points = np.random.default_rng(6).uniform(-9, 9, (5, 3))
    assert (one @ other).placed(points) == pytest.approx(one.placed(other.placed(points)))
    assert (one.inverse @ one).pose == pytest.approx(np.zeros(6), abs=1e-12)
    assert one.pose == pytest.approx([1.0, 2.0, 3.0, *angles[0]])


def test_the_joints_fix_a_frame():
    points = np.random.default_rng(7).uniform(-200, 200, (6, 3))
    frame = joint_frame(points, points[0], "joints")
    inside = frame.inverse.placed(points)
    assert inside[0] == pytest.approx(np.zeros(3), abs=1e-12)
    assert inside[1, 1:] == pytest.approx(np.zeros(2), abs=1e-12)
    assert inside[2, 2] == pytest.approx(0.0, abs=1e-12)
    assert inside[1, 0] > 0 < inside[2, 1]
    assert isinstance(frame, Frame)
    assert np.linalg.det(frame.rotation) == pytest.approx(1.0)


def test_joints_on_a_line_fix_none():
    points = np.outer(np.arange(6.0), [1.0, 2.0, 3.0])
    with pytest.raises(InputError, match=r"the blueprint's base: the centres of legs 1, 2 and 3 lie on a line"):
        joint_frame(points, points[0], "the blueprint's base")
