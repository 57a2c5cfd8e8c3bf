"""The H4's regressor where joint angles, velocities and accelerations are known within radii (`torques`, in balls).

The pose: near that of the middle angles x0, with f = (|A_i B_i|^2 - l^2) / 2, df/dx = -J_x and df/dq = J_q, the map
x + Y f(x, q) takes the box X = x0 +- rho into itself for all q if  |Y| |f(x0, q)| + |I - Y J_x(X)| rho <= rho : then
exactly one pose in X belongs to each q (Krawczyk). A velocity whose interval has 0 in it has any sign: [-1, 1].
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.balls import Balls, excess, near_inverse, solved, stacked
from certify.problems.dynamics.driven_arms import CHAINS, GRAVITY, UP
from certify.problems.errors import InputError
from certify.problems.h4 import geometry
from certify.problems.h4.geometry import BAR_SIDE, HALF_BAR, HALF_WIDTH, OUTWARD, ROD, WIDTH_SIDE

TURNS = 4


def enclosed_regressor(q: Balls, dq: Balls, ddq: Balls) -> Balls:
    """W, (..., 4 torques, 14 parameters)."""
    pose = enclosed_pose(q)
    rod, bar = _rods(pose, q), _bars(pose)
    of_pose, of_joints = _jacobians(rod, bar, q)
    velocity = solved(of_pose, of_joints * dq)
    drift = _drift(rod, bar, velocity, q, dq)
    acceleration = solved(of_pose, of_joints * ddq + drift)
    own = np.eye(CHAINS)
    unit = [solved(of_pose, Balls.of(np.broadcast_to(own[k], q.middle.shape))) for k in range(CHAINS)]
    lifted = acceleration[..., :3] + Balls.of(np.array([0.0, 0.0, GRAVITY]))
    mass = stacked([(unit[k][..., :3] * lifted).sum() for k in range(CHAINS)]) * of_joints
    inertia = stacked([unit[k][..., 3] * acceleration[..., 3] for k in range(CHAINS)]) * of_joints
    still = np.abs(dq.middle) <= dq.radius
    sign = Balls(np.where(still, 0.0, np.sign(dq.middle)), still.astype(np.float64))
    columns = [*_diagonal(ddq), mass, inertia, *_diagonal(dq), *_diagonal(sign)]
    return stacked(columns)


def enclosed_pose(q: Balls) -> Balls:
    """The poses of all angles within their balls."""
    start = geometry.forward_kinematics(q.middle)
    at = Balls.of(start)
    rod, bar = _rods(at, Balls.of(q.middle)), _bars(at)
    length = (rod * rod).sum() - Balls.of(np.array(ROD)) * Balls.of(np.array(ROD))
    _, of_joints = _jacobians(_rods(at, q), bar, q)
    inverse = Balls.of(near_inverse(_jacobians(rod, bar, q)[0]))
    off = length * Balls.of(np.array(0.5)) + Balls(np.zeros_like(q.middle), of_joints.most * q.radius)
    step = (np.abs(inverse.middle) * off.most[..., None, :]).sum(-1) * (1 + 2.0**-40)
    radius = 1.25 * step.max(-1, keepdims=True) + 1e-13
    for _ in range(TURNS):
        pose = Balls(start, np.broadcast_to(radius, start.shape))
        share = excess(inverse, _jacobians(_rods(pose, q), _bars(pose), q)[0])[..., None]
        needed = step + share * radius * (1 + 2.0**-40)
        if (needed < radius).all():
            return Balls(start, needed)
        radius = 2.0 * radius
    raise InputError(
        "no pose is proved to belong to some joint angles within their half-widths: the encoder step is too coarse, or "
        "the robot is near a singularity there; give a finer step, or leave out these samples"
    )


def _bars(pose: Balls) -> Balls:
    """The half bars that turn with theta, (..., 4 chains, 3)."""
    angle, side = pose[..., 3], Balls.of(BAR_SIDE * HALF_BAR)
    along, across = (part[..., None] * side for part in (angle.cos(), angle.sin()))
    return stacked([along, across, Balls.of(np.zeros(CHAINS))])


def _rods(pose: Balls, q: Balls) -> Balls:
    """A_i B_i, (..., 4 chains, 3)."""
    width = Balls.of(WIDTH_SIDE[:, None] * HALF_WIDTH * np.array([0.0, 1.0, 0.0]))
    return Balls.of(geometry.AXIS) + _arms(q) - (pose[..., None, :3] + _bars(pose) + width)


def _arms(q: Balls) -> Balls:
    arm = Balls.of(np.array(geometry.ARM))
    return arm * (q.cos()[..., None] * Balls.of(OUTWARD) - q.sin()[..., None] * Balls.of(UP))


def _tangents(q: Balls) -> Balls:
    arm = Balls.of(np.array(geometry.ARM))
    return -(arm * (q.sin()[..., None] * Balls.of(OUTWARD) + q.cos()[..., None] * Balls.of(UP)))


def _jacobians(rod: Balls, bar: Balls, q: Balls) -> tuple[Balls, Balls]:
    """J_x, and the diagonal of J_q."""
    moment = bar[..., 0] * rod[..., 1] - bar[..., 1] * rod[..., 0]
    return stacked([rod[..., 0], rod[..., 1], rod[..., 2], moment]), (rod * _tangents(q)).sum()


def _drift(rod: Balls, bar: Balls, velocity: Balls, q: Balls, dq: Balls) -> Balls:
    """J_x ddx - J_q ddq (`torques.joint_drift`)."""
    spin = velocity[..., 3][..., None, None]
    turned = stacked([-bar[..., 1], bar[..., 0], bar[..., 2]])
    apart = _tangents(q) * dq[..., None] - velocity[..., None, :3] - turned * spin
    change = bar * spin * spin - _arms(q) * dq[..., None] * dq[..., None]
    return (apart * apart).sum() + (rod * change).sum()


def _diagonal(values: Balls) -> list[Balls]:
    """The columns of the diagonal matrix of some values."""
    own = np.eye(CHAINS)
    return [values * Balls.of(own[k]) for k in range(CHAINS)]
