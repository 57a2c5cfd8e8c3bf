"""The columns of an arm's torques where joint values, velocities and accelerations are known within radii: recursive
Newton-Euler (`newton_euler`) in balls.

Each column is enclosed over all motions within the radii, joint by joint and sample by sample. A velocity whose
interval has 0 in it has any sign: [-1, 1]. Lengths and axes are those of the URDF in floats; what they err is for the
bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from certify.problems.arm_dynamics.links import Links
from certify.problems.arm_dynamics.newton_euler import OF_A_LINK
from certify.problems.arm_dynamics.parameters import WIDE, ArmModel
from certify.problems.dynamics.balls import Balls, stacked

Vector = Balls  # (samples, 3)
Matrix = Balls  # (samples, 3, n)


def enclosed_blocks(model: ArmModel, q: Balls, dq: Balls, ddq: Balls) -> Iterator[tuple[int, int, Balls]]:
    """The columns as `ArmModel.blocks` gives them: the number of the first, the first joint that has them, values."""
    for k, columns in enumerate(_link_columns(model.links, q, dq, ddq)):
        yield WIDE * k, 0, columns
    first, count = WIDE * model.links.count, model.links.count
    still = np.abs(dq.middle) <= dq.radius
    sign = Balls(np.where(still, 0.0, np.sign(dq.middle)), still.astype(np.float64))
    signals = {"Fv": dq, "Fc": sign, "off": Balls.of(np.ones_like(dq.middle)), "Ia": ddq}
    for kind, name in enumerate(model.of_a_joint):
        for k in range(count):
            yield first + kind * count + k, k, signals[name][:, k, None, None]


def _link_columns(links: Links, q: Balls, dq: Balls, ddq: Balls) -> Iterator[Balls]:
    """By link k the columns of its ten parameters in the rows of joints 0 .. k, (samples, k + 1, 10)."""
    moving = list(_forwards(links, q, dq, ddq))
    for k in range(links.count):
        force, moment = _wrench(*moving[k][2:])
        found = list[Balls]()
        for joint in range(k, -1, -1):
            felt = force if links.slides[joint] else moment
            found.append((Balls.of(links.axes[joint][:, None]) * felt).sum(-2))
            if joint:
                rotation, place = moving[joint][:2]
                force, moment = _times(rotation, force), _times(rotation, moment)
                moment = moment + _times(_crossing(place), force)
        yield stacked(found[::-1], axis=1)


def _forwards(links: Links, q: Balls, dq: Balls, ddq: Balls) -> Iterator[tuple[Matrix, Vector, Vector, Vector, Vector]]:
    """By link: its frame in the one before (rotation, place); omega, alpha and a in it."""
    zero = Balls.of(np.zeros((len(q.middle), 3)))
    spin, turning, pull = zero, zero, zero - Balls.of(links.gravity)
    for k in range(links.count):
        axis, fixed = Balls.of(links.axes[k]), Balls.of(links.rotations[k])
        place = zero + Balls.of(links.places[k])
        if links.slides[k]:
            rotation = Balls.of(np.broadcast_to(links.rotations[k], (len(q.middle), 3, 3)))
            place = place + q[:, k, None] * _applied(fixed, axis)
        else:
            rotation = _times(fixed, _turns(links.axes[k], q[:, k]))
        pull = pull + _cross(turning, place) + _cross(spin, _cross(spin, place))
        spin, turning, pull = (_back(rotation, vector) for vector in (spin, turning, pull))
        speed, gain = dq[:, k, None] * axis, ddq[:, k, None] * axis
        if links.slides[k]:
            pull = pull + Balls.of(np.array(2.0)) * _cross(spin, speed) + gain
        else:
            turning = turning + gain + _cross(spin, speed)
            spin = spin + speed
        yield rotation, place, spin, turning, pull


def _wrench(spin: Vector, turning: Vector, pull: Vector) -> tuple[Matrix, Matrix]:
    """The force on a link and the moment about its origin, as columns of its ten parameters."""
    across = _crossing(spin)
    none = Balls.of(np.zeros((len(spin.middle), 3)))
    of_moments = _crossing(turning) + _times(across, across)
    force = [pull, *(of_moments[:, :, j] for j in range(3)), *[none] * 6]
    lifted, inertia = -_crossing(pull), _tensor_times(turning) + _times(across, _tensor_times(spin))
    moment = [none, *(lifted[:, :, j] for j in range(3)), *(inertia[:, :, j] for j in range(6))]
    if len(force) != OF_A_LINK:
        raise ValueError(f"a link has {OF_A_LINK} parameters")
    return stacked(force), stacked(moment)


def _times(first: Matrix, second: Matrix) -> Matrix:
    """The product of matrices."""
    return (first[..., :, :, None] * second[..., None, :, :]).sum(-2)


def _applied(matrix: Matrix, vector: Vector) -> Vector:
    return (matrix * vector[..., None, :]).sum(-1)


def _back(rotation: Matrix, vector: Vector) -> Vector:
    """A vector of the frame before in this one."""
    return (rotation * vector[..., :, None]).sum(-2)


def _cross(first: Vector, second: Vector) -> Vector:
    a, b = ([part[..., k] for k in range(3)] for part in (first, second))
    return stacked([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _turns(axis: np.ndarray, angle: Balls) -> Matrix:
    """Rodrigues: the turns about an axis of length 1."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = angle.sin()[:, None, None], angle.cos()[:, None, None]
    one, turned = Balls.of(np.eye(3)), Balls.of(across)
    return one + sine * turned + (Balls.of(np.array(1.0)) - cosine) * _times(turned, turned)


def _matrix(rows: Sequence[Sequence[Balls]]) -> Matrix:
    return stacked([stacked(row) for row in rows], axis=-2)


def _crossing(vectors: Vector) -> Matrix:
    """v^."""
    x, y, z = (vectors[..., k] for k in range(3))
    zero = Balls.of(np.zeros_like(x.middle))
    return _matrix([[zero, -z, y], [z, zero, -x], [-y, x, zero]])


def _tensor_times(vectors: Vector) -> Matrix:
    """I v as a matrix times (I_xx, I_xy, I_xz, I_yy, I_yz, I_zz)."""
    x, y, z = (vectors[..., k] for k in range(3))
    zero = Balls.of(np.zeros_like(x.middle))
    return _matrix([[x, y, z, zero, zero, zero], [zero, x, zero, y, z, zero], [zero, zero, x, zero, y, z]])
