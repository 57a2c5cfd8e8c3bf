"""Where the base stands in the frame of who measures, and where the measured point is on the tool: estimates to start
from, with what is left (rms), so that wrong data are seen before anything is searched.

    flange = flange_frames(arm, joints)                    forward kinematics in floats, rotations and origins
    found = place(flange, measurement, columns)            values of base, base_turn, tool, ..., and the misses
    found.rms, found.turned                                mm, and mrad of the orientations (estimated)

Poses: hand-eye, a linear method; points: the best rigid motion for several guesses of the tool; sockets, anchors and
points that meet: linear equations. Then least squares of these unknowns alone, in which rows that miss much more than
others count less. The arm stays as it was designed (or as `values` say), so another hypothesis about it is one more
call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from certify.problems.arms.arm import Arm
from certify.problems.arms.measurement import DISTANCE, ORIENTATION, POSE, POSITION, Measurement
from certify.problems.arms.steps import Floats, Step, arm_steps, design, frames, other_steps, reading
from certify.problems.geometry.frames import Frame
from certify.problems.geometry.hand_eye import hand_eye
from certify.problems.geometry.rotations import nearest_rotation

GUESSES = ((0, 0, 0), (0, 0, 150), (150, 0, 0), (0, 150, 0), (0, 0, -150), (-150, 0, 0), (0, -150, 0))  # mm
STEPS = 60
ROUNDS = 4
RANK = 1e-3  # of the largest singular value: what is below is not told apart
MANY = 5.0  # times the median: what misses more counts less
LEVER = 300.0  # mm: a rad counts as much in an estimate
ORDERS = ((0, 1, 2), (0, 2, 1))  # Rz Ry Rx and Ry Rz Rx: one of them is far from where two axes are one


@dataclass(frozen=True, eq=False, slots=True)
class Flange:
    """Where the tip stands in the robot's base in each pose: rotations (K, 3, 3) and origins (K, 3) in mm."""

    rotations: Floats
    origins: Floats

    @property
    def inverse(self) -> Flange:
        """Where the base stands in the tip's frame."""
        back = np.swapaxes(self.rotations, 1, 2)
        return Flange(back, -np.einsum("kij,kj->ki", back, self.origins))

    def points(self, tool: Floats) -> Floats:
        """Where a point of the tip's frame is in the base's."""
        found: Floats = self.rotations @ tool + self.origins
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Placing:
    """Estimated values of the frames' parameters, and what is left: misses (K,) in mm, in rad where orientations
    were measured; `orders` says for each turn about which axes, the first one first.
    """

    values: Mapping[str, Any]
    orders: Mapping[str, tuple[int, int, int]]
    misses: Floats
    angles: Floats | None = None

    @property
    def rms(self) -> float:
        """The root of the mean square of the misses, in mm."""
        return float(np.sqrt(np.mean(self.misses**2)))

    @property
    def turned(self) -> float | None:
        """That of the angles, in mrad."""
        return None if self.angles is None else 1000.0 * float(np.sqrt(np.mean(self.angles**2)))


def flange_frames(arm: Arm, joints: Sequence[Floats], values: Mapping[str, Any] | None = None) -> Flange:
    """The tip in the base's frame; joints (K,) each in rad or mm, and values of parameters that are not as designed."""
    return _carried(arm, arm_steps(arm), joints, values)


def other_frames(arm: Arm, joints: Sequence[Floats], values: Mapping[str, Any] | None = None) -> Flange | None:
    """The same of the second tip, if there is one."""
    return None if arm.other is None else _carried(arm, other_steps(arm, arm.other), joints, values)


def _carried(arm: Arm, steps: Sequence[Step], joints: Sequence[Floats], values: Mapping[str, Any] | None) -> Flange:
    known = design(arm) | dict(values or {})
    known |= {reading(number): column for number, column in enumerate(joints, 1)}
    return Flange(*frames(steps, known, len(joints[0])))


def meet(first: Flange, second: Flange) -> Placing:
    """The points of two tips that meet, in the frames of these: linear equations, of which the shortest solution is
    taken, so that what is not told apart stays at the tip.
    """
    columns = np.concatenate([first.rotations, -second.rotations], axis=2)
    gaps = second.origins - first.origins
    start = np.linalg.lstsq(columns.reshape(-1, 6), gaps.ravel(), rcond=RANK)[0]

    def miss(x: Floats) -> Floats:
        found: Floats = first.points(start[:3] + x[:3]) - second.points(start[3:] + x[3:])
        return found

    x, misses = settled(miss, np.zeros(6))
    return Placing({"tool1": start[:3] + x[:3], "tool2": start[3:] + x[3:]}, {}, _lengths(misses))


def place(flange: Flange, measurement: Measurement, columns: Mapping[str, Floats]) -> Placing:
    """The frames' parameters that fit the measured columns (mm, rad) best, estimated."""
    if measurement.kind == POSE:
        return _pose(flange, measurement, columns)
    if measurement.kind == ORIENTATION:
        return _orientation(flange, measurement, columns)
    if measurement.kind == POSITION:
        return _position(flange, measurement, columns)
    if measurement.kind == DISTANCE:
        return _distance(flange, columns["length"])
    return _sockets(flange, measurement, columns["socket"])


def _position(flange: Flange, measurement: Measurement, columns: Mapping[str, Floats]) -> Placing:
    """Base and tool points: from several guesses of the tool the best rigid motion, then least squares of all."""
    wanted = [np.stack([columns[name] for name in names], axis=-1) for names in measurement.places]
    ends: list[tuple[float, int, Floats, Floats, Frame, list[Floats]]] = []
    for guess in GUESSES:
        tools = [np.array(guess, dtype=float)] * len(wanted)
        base = rigid(np.vstack([flange.points(t) for t in tools]), np.vstack(wanted))

        def miss(x: Floats, base: Frame = base, tools: list[Floats] = tools) -> Floats:
            moved = Frame(small_turn(x[:3] / LEVER) @ base.rotation, base.origin + x[3:6])
            own = [t + x[6 + 3 * k : 9 + 3 * k] for k, t in enumerate(tools)]
            return np.concatenate([moved.placed(flange.points(t)) - w for t, w in zip(own, wanted, strict=True)])

        x, misses = settled(miss, np.zeros(6 + 3 * len(tools)))
        ends.append((float(np.median(np.abs(misses))), len(ends), x, misses, base, tools))
    _, _, x, misses, base, tools = min(ends, key=lambda end: end[:2])
    turned = small_turn(x[:3] / LEVER) @ base.rotation
    values = {
        name: t + x[6 + 3 * k : 9 + 3 * k] for k, (name, t) in enumerate(zip(measurement.tools, tools, strict=True))
    }
    return _told({"base": Frame(turned, base.origin + x[3:6])}, values, _lengths(misses))


def _pose(flange: Flange, measurement: Measurement, columns: Mapping[str, Floats]) -> Placing:
    """Base and tool frame by hand-eye, then least squares of both."""
    places = np.stack([columns[name] for name in measurement.places[0]], axis=-1)
    turns = measurement.turning.matrices({name: columns[name] for name in measurement.turning.columns})
    moving = flange.inverse if measurement.on_hand else flange
    measured = [Frame(r, p) for r, p in zip(turns, places, strict=True)]
    found = hand_eye(measured, [Frame(r, p) for r, p in zip(moving.rotations, moving.origins, strict=True)])
    outer, inner = found.base, found.platform.inverse

    def both(x: Floats) -> tuple[Frame, Frame]:
        far = Frame(small_turn(x[:3] / LEVER) @ outer.rotation, outer.origin + x[3:6])
        return far, Frame(inner.rotation @ small_turn(x[6:9] / LEVER), inner.origin + x[9:])

    def miss(x: Floats) -> Floats:
        far, near = both(x)
        shift = far.placed(moving.points(near.origin)) - places
        turned = far.rotation @ moving.rotations @ near.rotation
        return np.concatenate([shift, LEVER * _turned(turned, turns)])

    x, misses = settled(miss, np.zeros(12))
    far, near = both(x)
    ends = {"base": near, "tool": far.inverse} if measurement.on_hand else {"base": far, "tool": near}
    half = len(places)
    return _told(ends, {}, _lengths(misses[:half]), _lengths(misses[half:]) / LEVER)


def _orientation(flange: Flange, measurement: Measurement, columns: Mapping[str, Floats]) -> Placing:
    """The same with all points at one place: base and tool are turned there, and stand nowhere else."""
    still = np.zeros_like(flange.origins)
    whole = replace(measurement, kind=POSE)
    found = _pose(Flange(flange.rotations, still), whole, {**columns, **dict(zip("xyz", still.T, strict=True))})
    turns = {name: value for name, value in found.values.items() if name.endswith("_turn")}
    return replace(found, values=turns)


def _distance(flange: Flange, lengths: Floats) -> Placing:
    """The anchor by trilateration with the tool's point at the tip, then least squares of both."""
    points = flange.points(np.zeros(3))
    rows, right = np.column_stack([2 * points, np.ones(len(points))]), (points**2).sum(axis=1) - lengths**2
    start = np.linalg.lstsq(rows, right, rcond=None)[0][:3]

    def miss(x: Floats) -> Floats:
        reach: Floats = np.linalg.norm(flange.points(x[3:6]) - start - x[:3], axis=1)
        return reach - lengths

    x, misses = settled(miss, np.zeros(6))
    return Placing({"anchor": start + x[:3], "tool": x[3:6]}, {}, np.abs(misses))


def _sockets(flange: Flange, measurement: Measurement, socket: Floats) -> Placing:
    """The sockets with the ball where it was designed, at the tip: the means of where it was."""
    points = flange.points(np.zeros(3))
    values: dict[str, Any] = {"tool": np.zeros(3)}
    misses = np.zeros(len(points))
    for number in range(1, measurement.sockets + 1):
        own = socket == number
        centre = np.median(points[own], axis=0)
        values[f"socket{number}"] = centre
        misses[own] = np.linalg.norm(points[own] - centre, axis=1)
    return Placing(values, {}, misses)


def rigid(points: Floats, wanted: Floats) -> Frame:
    """The rigid motion that takes points (n, 3) nearest to others."""
    middle, goal = points.mean(axis=0), wanted.mean(axis=0)
    rotation = nearest_rotation((wanted - goal).T @ (points - middle))
    return Frame(rotation, goal - rotation @ middle)


def settled(miss: Callable[[Floats], Floats], start: Floats) -> tuple[Floats, Floats]:
    """Least squares by damped Gauss-Newton steps, some rounds with weights that what misses much has less of."""
    x, weights = start, None
    for _ in range(ROUNDS):
        x = _descended(miss, x, weights)
        sizes = np.abs(miss(x))
        sizes = sizes if sizes.ndim == 1 else np.linalg.norm(sizes, axis=1)
        scale = MANY * max(float(np.median(sizes)), 1e-12)
        new = np.minimum(1.0, scale / np.maximum(sizes, 1e-300))
        if weights is None and (new == 1.0).all():
            break
        weights = new
    return x, miss(x)


def _descended(miss: Callable[[Floats], Floats], x: Floats, weights: Floats | None) -> Floats:
    def weighted(values: Floats) -> Floats:
        found = miss(values)
        if weights is not None:
            found = found * (weights if found.ndim == 1 else weights[:, None])
        return found.ravel()

    damping, here = 1e-3, weighted(x)
    for _ in range(STEPS):
        slopes = np.stack([(weighted(x + h) - weighted(x - h)) / 2e-3 for h in 1e-3 * np.eye(x.size)], axis=1)
        normal, right = slopes.T @ slopes, -slopes.T @ here
        step = np.linalg.lstsq(normal + damping * np.diag(np.diag(normal) + 1e-12), right, rcond=None)[0]
        there = weighted(x + step)
        if there @ there < here @ here:
            done = there @ there > (1 - 1e-12) * (here @ here) or np.abs(step).max() < 1e-9
            x, here, damping = x + step, there, damping / 10
            if done:
                break
        else:
            damping *= 10
            if damping > 1e8:
                break
    return x


def small_turn(vector: Floats) -> Floats:
    """The rotation by |vector| about it."""
    angle = float(np.linalg.norm(vector))
    x, y, z = vector
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine = np.sinc(angle / np.pi)
    versed = 0.5 * np.sinc(angle / (2 * np.pi)) ** 2
    found: Floats = np.eye(3) + sine * cross + versed * cross @ cross
    return found


def _turned(first: Floats, second: Floats) -> Floats:
    """2 sin(theta/2) n of the rotation between two frames, of each pose."""
    between = np.swapaxes(second, 1, 2) @ first
    sines = np.stack([between[:, i, j] - between[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    half = np.sqrt(np.maximum(1.0 + np.trace(between, axis1=1, axis2=2), 1e-12))  # 2 cos(theta/2)
    found: Floats = sines / half[:, None]
    return found


def _lengths(misses: Floats) -> Floats:
    found: Floats = np.linalg.norm(misses, axis=1)
    return found


def _told(
    frames_: Mapping[str, Frame], points: Mapping[str, Floats], misses: Floats, angles: Floats | None = None
) -> Placing:
    """Frames as places and turns, in an order of turns that is far from where two axes are one."""
    values: dict[str, Any] = dict(points)
    orders: dict[str, tuple[int, int, int]] = {}
    for name, frame in frames_.items():
        order = min(ORDERS, key=lambda order: abs(frame.rotation[order[2], order[0]]))
        values |= {name: frame.origin, f"{name}_turn": turn_angles(frame.rotation, order)}
        orders[name] = order
    return Placing(values, orders, misses, angles)


def turn_angles(rotation: Floats, order: tuple[int, int, int]) -> Floats:
    """The angles about x, y, z of the turns about three different axes that make a rotation, the first one first."""
    c, b, a = order
    sign = 1.0 if (a + 1) % 3 == b else -1.0
    found = np.zeros(3)
    found[a] = np.arctan2(-sign * rotation[b, c], rotation[c, c])
    found[b] = np.arcsin(np.clip(sign * rotation[a, c], -1.0, 1.0))
    found[c] = np.arctan2(-sign * rotation[a, b], rotation[a, a])
    return found
