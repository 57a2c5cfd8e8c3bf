"""The torques of an arm's joints, linear in ten numbers of each link: recursive Newton-Euler, over all samples.

    forwards    omega, alpha: turning velocity and acceleration of link k in its frame; a: acceleration of its origin
                less gravity
    a link      force      f = m a + (alpha^ + omega^ omega^) h                          h = m c,  v^ w = v x w
                moment     n = h x a + I alpha + omega x (I omega)                       about the origin of its frame
    backwards   f_{k-1} = R f,  n_{k-1} = R n + p x (R f)
    torque      of a joint that turns: axis . n,   force of one that slides: axis . f

Parameters of a link: m, h_x, h_y, h_z, I_xx, I_xy, I_xz, I_yy, I_yz, I_zz, about the origin of the joint's frame and
along its axes, in kg, kg m, kg m^2. The columns of one link after the other are given, so that nobody holds them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from certify.problems.arm_dynamics.links import Floats, Links

OF_A_LINK = 10


@dataclass(frozen=True, slots=True)
class Moving:
    """A link on its way: its frame in the one before, (samples, 3, 3) and (samples, 3); omega, alpha and a in it."""

    rotation: Floats
    place: Floats
    spin: Floats
    turning: Floats
    pull: Floats


def link_columns(links: Links, q: Floats, dq: Floats, ddq: Floats) -> Iterator[Floats]:
    """By link k, from 0, the columns of its ten parameters in the rows of joints 0 .. k: (samples, k + 1, 10)."""
    moving = list(_forwards(links, q, dq, ddq))
    for k, link in enumerate(moving):
        force, moment = _wrench(link)
        found = np.empty((len(q), k + 1, OF_A_LINK))
        for joint in range(k, -1, -1):
            felt = force if links.slides[joint] else moment
            found[:, joint] = np.einsum("i,nij->nj", links.axes[joint], felt)
            if joint:
                there = moving[joint]
                force, moment = there.rotation @ force, there.rotation @ moment
                moment = moment + np.cross(there.place[:, :, None], force, axis=1)
        yield found


def joint_places(links: Links, q: Floats) -> Floats:
    """Where the frames of the joints stand in the base's, in m: (samples, joints, 3)."""
    still = np.zeros_like(q)
    turned, at, found = np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3)), []
    for link in _forwards(links, q, still, still):
        at = at + np.einsum("nij,nj->ni", turned, link.place)
        turned = turned @ link.rotation
        found.append(at)
    return np.stack(found, axis=1)


def _forwards(links: Links, q: Floats, dq: Floats, ddq: Floats) -> Iterator[Moving]:
    still = np.zeros((len(q), 3))
    spin, turning, pull = still, still, still - links.gravity
    for k in range(links.count):
        axis, fixed, place = links.axes[k], links.rotations[k], np.broadcast_to(links.places[k], still.shape)
        if links.slides[k]:
            rotation = np.broadcast_to(fixed, (len(q), 3, 3))
            place = place + q[:, k, None] * (fixed @ axis)
        else:
            rotation = fixed @ _turns(axis, q[:, k])
        pull = pull + np.cross(turning, place) + np.cross(spin, np.cross(spin, place))
        spin, turning, pull = (_back(rotation, vector) for vector in (spin, turning, pull))
        speed, gain = dq[:, k, None] * axis, ddq[:, k, None] * axis
        if links.slides[k]:
            pull = pull + 2.0 * np.cross(spin, speed) + gain
        else:
            turning = turning + gain + np.cross(spin, speed)
            spin = spin + speed
        yield Moving(rotation, place, spin, turning, pull)


def _back(rotation: Floats, vector: Floats) -> Floats:
    """A vector of the frame before in this one."""
    found: Floats = np.einsum("nji,nj->ni", rotation, vector)
    return found


def _turns(axis: Floats, angle: Floats) -> Floats:
    """Rodrigues: the turns about an axis of length 1."""
    across = _crossing(axis[None])[0]
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    found: Floats = np.eye(3) + sine * across + (1.0 - cosine) * (across @ across)
    return found


def _crossing(vectors: Floats) -> Floats:
    """v^, (samples, 3, 3)."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    return np.moveaxis(np.array(rows), -1, 0)


def _tensor_times(vectors: Floats) -> Floats:
    """I v as a matrix times (I_xx, I_xy, I_xz, I_yy, I_yz, I_zz), (samples, 3, 6)."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    rows = [[x, y, z, zero, zero, zero], [zero, x, zero, y, z, zero], [zero, zero, x, zero, y, z]]
    return np.moveaxis(np.array(rows), -1, 0)


def _wrench(link: Moving) -> tuple[Floats, Floats]:
    """The force on a link and the moment about its origin, as columns of its ten parameters."""
    spin = _crossing(link.spin)
    force, moment = np.zeros((2, len(link.spin), 3, OF_A_LINK))
    force[:, :, 0] = link.pull
    force[:, :, 1:4] = _crossing(link.turning) + spin @ spin
    moment[:, :, 1:4] = -_crossing(link.pull)
    moment[:, :, 4:] = _tensor_times(link.turning) + spin @ _tensor_times(link.spin)
    return force, moment
