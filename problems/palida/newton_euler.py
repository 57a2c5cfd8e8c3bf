"""The forces of PaLiDA's drives by Newton and Euler's equations of all nineteen bodies: no parameter is a sum here.

    sum F = m (ddc - g),    sum (M + r x F) = c x m (ddc - g) + I domega + omega x I omega      of each body
    unknown: 5 reactions of each joint alpha and beta, 5 of each linear guide and its force, 3 at each B_j: 114

Bodies may be any, also without the symmetries that S1's parameters take. Where bodies go is taken from the positions
of the struts alone: their first and second derivatives in time are those of jets. `regressor.py` shares with it only
where the struts are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.palida.bodies import Bodies, Body
from certify.problems.palida.geometry import AXES, BASE, STRUTS, coordinates, cross, plus, struts, times
from certify.problems.palida.jets import Jet, stacked
from certify.problems.palida.regressor import GRAVITY, WITH_WRENCH
from certify.problems.regressors.regressor import Floats

OF_STRUT = 19  # unknown reactions
GROUND, RING, STATOR, SLIDER, PLATE = range(5)


@dataclass(frozen=True, eq=False)
class Moving:
    """A body in motion, (N, ..): what its forces and moments about the base's origin have to be; omega; its axes."""

    wrench: Floats
    omega: Floats
    axes: Floats


def full_forces(pose: Floats, velocity: Floats, acceleration: Floats, bodies: Bodies, friction: Floats) -> Floats:
    """In N, (N, 6), with S1's fourteen numbers of friction, of poses (N, 6) and their derivatives in time."""
    at = struts(_in_time(pose, velocity, acceleration))
    ground = tuple(stacked([axis + 0.0 * at.lengths for axis in part]) for part in (BASE, AXES))
    second, third, along = (stacked(vector) for vector in (at.second, at.third, at.directions))
    beside = stacked(cross(AXES, at.second))
    tip = stacked(plus(BASE, times(at.lengths, at.directions)))
    moving = {
        RING: _moving(bodies.ring, ground[0], (second, beside, ground[1])),
        STATOR: _moving(bodies.stator, ground[0], (-third, along, second)),
        SLIDER: _moving(bodies.slider, tip, (third, second, along)),
    }
    centre = stacked(_in_time(pose, velocity, acceleration)[:3])
    plate = _moving(bodies.platform, centre, tuple(stacked(axis) for axis in at.rotation))
    held = _Held(moving, plate, ground[0].value, tip.value, at.lengths.first[0], np.asarray(friction))
    return held.forces()


def _in_time(pose: Floats, velocity: Floats, acceleration: Floats) -> list[Jet]:
    """The coordinates as functions of time."""
    parts = zip(coordinates(pose), coordinates(velocity), coordinates(acceleration), strict=True)
    return [Jet(x, dx[None], ddx[None, None]) for x, dx, ddx in parts]


def _moving(body: Body, origin: Jet, axes: tuple[Jet, ...]) -> Moving:
    """[omega] = dR R^T;  [domega] is the antisymmetric part of ddR R^T."""
    turned = stacked(axes)
    value, first, second = turned.value, turned.first[0], turned.second[0, 0]
    omega, turning = (_axial(part @ np.swapaxes(value, -1, -2)) for part in (first, second))
    centre = body.moment / body.mass
    place, falling = (part + of @ centre for part, of in ((origin.value, value), (origin.second[0, 0], second)))
    force = body.mass * (falling + np.array([0.0, 0.0, GRAVITY]))
    inertia = value @ body.central @ np.swapaxes(value, -1, -2)
    spin = (inertia @ turning[..., None])[..., 0] + np.cross(omega, (inertia @ omega[..., None])[..., 0])
    return Moving(np.concatenate([force, np.cross(place, force) + spin], axis=-1), omega, value)


def _axial(matrix: Floats) -> Floats:
    """The vector of the antisymmetric part."""
    parts = [matrix[..., k - 1, k - 2] - matrix[..., k - 2, k - 1] for k in range(3)]
    return np.asarray(np.stack(parts, axis=-1) / 2.0)


@dataclass(frozen=True, eq=False)
class _Held:
    """The equations of all bodies: reactions act on the outer body of a joint, the opposite on the inner one."""

    moving: dict[int, Moving]
    plate: Moving
    joint: Floats  # A_j
    tip: Floats  # B_j
    speed: Floats
    friction: Floats

    def forces(self) -> Floats:
        """Those of the drives, with what the guides' friction takes."""
        count = len(self.joint)
        matrix = np.zeros((count, STRUTS * 18 + 6, STRUTS * OF_STRUT))
        right = np.zeros((count, STRUTS * 18 + 6))
        for j in range(STRUTS):
            for body in (RING, STATOR, SLIDER):
                right[:, self._rows(j, body)] = self.moving[body].wrench[:, j]
            for k, (joint, wrench) in enumerate(self._reactions(j)):
                self._enter(matrix[..., j * OF_STRUT + k], j, joint, wrench)
            for joint, wrench in self._losses(j):
                self._enter(right, j, joint, -wrench)
        right[:, -6:] = self.plate.wrench
        found = np.linalg.solve(matrix, right[..., None])[..., 0]
        dry, viscous = self.friction[2 : 2 + STRUTS], self.friction[2 + STRUTS :]
        return np.asarray(found[:, OF_STRUT - 1 :: OF_STRUT] + dry * np.sign(self.speed) + viscous * self.speed)

    @staticmethod
    def _rows(strut: int, body: int) -> slice:
        start = STRUTS * 18 if body == PLATE else strut * 18 + (body - RING) * 6
        return slice(start, start + 6)

    def _enter(self, column: Floats, strut: int, outer: int, wrench: Floats) -> None:
        """On the outer body, and the opposite on the one before it."""
        column[:, self._rows(strut, outer)] += wrench
        if outer - 1 != GROUND:
            column[:, self._rows(strut, outer - 1)] -= wrench

    def _reactions(self, j: int) -> list[tuple[int, Floats]]:
        """Of strut j, the drive's force last."""
        ring, stator = self.moving[RING].axes[:, j], self.moving[STATOR].axes[:, j]
        third, along, second = -stator[..., 0], stator[..., 1], stator[..., 2]
        found = [(RING, _force(axis, self.joint[:, j])) for axis in _axes(ring)]
        found += [(RING, _torque(ring[..., k])) for k in (0, 1)]
        found += [(STATOR, _force(axis, self.joint[:, j])) for axis in _axes(ring)]
        found += [(STATOR, _torque(axis)) for axis in (third, along)]
        found += [(SLIDER, _force(axis, self.tip[:, j])) for axis in (second, third)]
        found += [(SLIDER, _torque(axis)) for axis in (second, third, along)]
        found += [(PLATE, _force(axis, self.tip[:, j])) for axis in _axes(ring)]
        return [*found, (SLIDER, _force(along, self.tip[:, j]))]

    def _losses(self, j: int) -> list[tuple[int, Floats]]:
        """What friction does in the passive joints: against the outer body's turning relative to the inner one."""
        ring, stator = self.moving[RING], self.moving[STATOR]
        alpha, beta = ring.axes[:, j, :, 2], stator.axes[:, j, :, 2]
        turning = (ring.omega[:, j] * alpha).sum(-1), ((stator.omega - ring.omega)[:, j] * beta).sum(-1)
        return [
            (body, _torque(-size * np.sign(rate)[:, None] * axis))
            for body, size, rate, axis in zip(
                (RING, STATOR), self.friction[: WITH_WRENCH - 10], turning, (alpha, beta), strict=True
            )
        ]


def _axes(turned: Floats) -> list[Floats]:
    return [turned[..., k] for k in range(3)]


def _force(force: Floats, point: Floats) -> Floats:
    return np.concatenate([force, np.cross(point, force)], axis=-1)


def _torque(torque: Floats) -> Floats:
    return np.concatenate([np.zeros_like(torque), torque], axis=-1)
