"""The Par4 in the multibody engine Pinocchio, with none of S4's simplifications: every rod a body, loops closed by
constraints. It shares the dimensions, masses and inertias with `plant.py`, and none of its formulas.

    tree       four arms; on each two forearm rods on universal joints; the first half of the plate, free in space; on
               it two bars; on one of them the second half, with the pulley
    loops      c(q) = 0: eight rods end at the plate, the second bar ends at the second half, the belt
    motion     c = 0 by Gauss-Newton from the sample before; K dq = 0; K ddq = -dK/dt dq, as Pinocchio has them
    torques    S^T tau, tau the tree's inverse dynamics and S = ddq/ddq_motors of the loops (K S = 0): virtual work,
               which no redundant constraint disturbs

Pinocchio comes with `pip install 'certify[multibody]'`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS, GRAVITY, UP
from certify.problems.errors import InputError
from certify.problems.par4 import geometry
from certify.problems.par4.geometry import ARM, BAR, FOREARM
from certify.problems.par4.plant import PULLEY_RATIO, Plant
from certify.problems.regressors.regressor import Floats

APART = 0.05  # m: half of the distance between a forearm's two rods
PIVOT = 0.03  # m: half of the distance between the two bars of the plate
ROD_RADIUS = 0.006  # m
SETTLED, TURNS = 1e-12, 30
SLIM = 1e-12  # of a singular value to the largest: which directions the loops leave open
FREE = CHAINS  # degrees of freedom


def multibody_torques(plant: Plant, q: Floats, dq: Floats, ddq: Floats) -> Floats:
    """The torques of the motors, (samples, 4), without friction, along a motion of the joints that begins near the
    middle of the workspace.
    """
    engine = _engine(plant)
    place = engine.start
    found = np.empty_like(q)
    for k in range(len(q)):
        place = engine.settled(place, q[k], k)
        found[k] = engine.torques(place, dq[k], ddq[k])
    return found


@dataclass(frozen=True, eq=False)
class _Engine:
    """A model of Pinocchio, its frames that have to meet, and where it begins."""

    pinocchio: Any
    model: Any
    data: Any
    meeting: tuple[tuple[int, int], ...]
    motors: tuple[int, ...]  # places among velocities
    belt: tuple[int, int]  # the first bar's and the pulley's
    start: Floats

    def settled(self, place: Floats, joints: Floats, sample: int) -> Floats:
        """The configuration with these motor angles that closes the loops, near another one."""
        others = [k for k in range(self.model.nv) if k not in self.motors]
        step = np.zeros(self.model.nv)
        step[list(self.motors)] = joints - place[self._angles]
        place = self.pinocchio.integrate(self.model, place, step)
        for _ in range(TURNS):
            gap = self._gaps(place)
            if np.abs(gap).max() < SETTLED:
                return place
            step = np.zeros(self.model.nv)
            step[others] = -np.linalg.lstsq(self._loops(place)[:, others], gap, rcond=SLIM)[0]
            place = self.pinocchio.integrate(self.model, place, step)
        raise InputError(
            f"the loops of the multibody Par4 do not close at sample {sample + 1}: its motor angles "
            f"({', '.join(f'{angle:.4g}' for angle in joints)}) rad cannot be, or are far from those of the sample "
            f"before; give a motion that is sampled finely and keeps within the workspace"
        )

    def torques(self, place: Floats, speeds: Floats, accelerations: Floats) -> Floats:
        """Of the motors, by inverse dynamics of the tree and the directions that the loops leave open."""
        loops = self._loops(place)
        others = [k for k in range(self.model.nv) if k not in self.motors]
        follow = -np.linalg.lstsq(loops[:, others], loops[:, list(self.motors)], rcond=SLIM)[0]
        velocity = self._whole(others, speeds, follow @ speeds)
        drift = np.linalg.lstsq(loops[:, others], self._drift(place, velocity), rcond=SLIM)[0]
        acceleration = self._whole(others, accelerations, follow @ accelerations - drift)
        effort = np.asarray(self.pinocchio.rnea(self.model, self.data, place, velocity, acceleration))
        found: Floats = effort[list(self.motors)] + follow.T @ effort[others]
        return found

    @property
    def _angles(self) -> list[int]:
        """Where the motors' angles stand in a configuration."""
        return [int(self.model.idx_qs[joint]) for joint in self._motor_joints]

    @property
    def _motor_joints(self) -> list[int]:
        return [int(self.model.getJointId(f"motor{k}")) for k in range(CHAINS)]

    def _whole(self, others: list[int], of_motors: Floats, of_others: Floats) -> Floats:
        found = np.zeros(self.model.nv)
        found[list(self.motors)], found[others] = of_motors, of_others
        return found

    def _gaps(self, place: Floats) -> Floats:
        """c(q)."""
        self.pinocchio.framesForwardKinematics(self.model, self.data, place)
        at = self.data.oMf
        gaps = [at[near].translation - at[far].translation for near, far in self.meeting]
        bar, pulley = (place[self.model.idx_qs[joint]] for joint in self.belt)
        return np.concatenate([*gaps, [pulley - PULLEY_RATIO * bar]])

    def _loops(self, place: Floats) -> Floats:
        """K, the derivative of c."""
        pin = self.pinocchio
        pin.computeJointJacobians(self.model, self.data, place)
        pin.updateFramePlacements(self.model, self.data)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        of = {
            frame: pin.getFrameJacobian(self.model, self.data, frame, world)[:3]
            for pair in self.meeting
            for frame in pair
        }
        belt = np.zeros((1, self.model.nv))
        belt[0, self.model.idx_vs[self.belt[1]]] = 1.0
        belt[0, self.model.idx_vs[self.belt[0]]] = -PULLEY_RATIO
        return np.concatenate([*(of[near] - of[far] for near, far in self.meeting), belt])

    def _drift(self, place: Floats, velocity: Floats) -> Floats:
        """dK/dt dq: the accelerations of what meets where ddq = 0."""
        pin = self.pinocchio
        pin.forwardKinematics(self.model, self.data, place, velocity, np.zeros(self.model.nv))
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

        def moved(frame: int) -> Floats:
            return np.asarray(pin.getFrameClassicalAcceleration(self.model, self.data, frame, world).linear)

        return np.concatenate([*(moved(near) - moved(far) for near, far in self.meeting), [0.0]])


def _engine(plant: Plant) -> _Engine:
    try:
        import pinocchio as pin
    except ImportError:
        raise InputError(
            "the multibody engine Pinocchio is not installed; install it with pip install 'certify[multibody]'"
        ) from None
    builder = _Builder(pin, pin.Model(), plant)
    builder.model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    meeting = builder.plate()
    tips = [builder.chain(k) for k in range(CHAINS)]
    model = builder.model
    meeting += [(tip, on) for k in range(CHAINS) for tip, on in zip(tips[k], builder.joints[k], strict=True)]
    motors = tuple(int(model.idx_vs[model.getJointId(f"motor{k}")]) for k in range(CHAINS))
    belt = (int(model.getJointId("bar")), int(model.getJointId("pulley")))
    return _Engine(pin, model, model.createData(), tuple(meeting), motors, belt, _start(pin, model))


def _start(pin: Any, model: Any) -> Floats:
    """The configuration in the middle of the workspace, near enough for Gauss-Newton."""
    place = np.asarray(pin.neutral(model))
    place[model.idx_qs[model.getJointId("plate")] :][:3] = geometry.START[:3]
    joints = geometry.inverse_kinematics(geometry.START)
    forearms = geometry.forearms(geometry.START, joints)
    for k in range(CHAINS):
        place[model.idx_qs[model.getJointId(f"motor{k}")]] = joints[k]
        along, across = forearms[k] @ geometry.OUTWARD[k], forearms[k] @ geometry.ACTUATOR[k]
        swing = np.arctan2(-along, -forearms[k][2]) - joints[k]
        for side in range(2):
            place[model.idx_qs[model.getJointId(f"swing{k}{side}")]] = swing
            place[model.idx_qs[model.getJointId(f"tilt{k}{side}")]] = np.arcsin(across / FOREARM)
    return place


@dataclass(eq=False)
class _Builder:
    """Puts bodies on a model of Pinocchio."""

    pin: Any
    model: Any
    plant: Plant

    def __post_init__(self) -> None:
        self.joints: list[list[int]] = [[] for _ in range(CHAINS)]

    def plate(self) -> list[tuple[int, int]]:
        """Both halves of the travelling plate, its bars and the pulley; returns which frames meet."""
        pin, plant = self.pin, self.plant
        small = np.diag([1e-4, 1e-4, 1e-4])  # halves never turn
        first = self._joint(0, pin.JointModelFreeFlyer(), "plate", np.zeros(3))
        self._body(first, plant.first_mass, np.zeros(3), small)
        bars = [
            self._joint(first, pin.JointModelRZ(), name, np.array([x, 0.0, 0.0]))
            for name, x in (("bar", PIVOT), ("other bar", -PIVOT))
        ]
        for bar in bars:
            self._bar(bar, plant.bar_mass, np.array([0.0, BAR, 0.0]), plant.bar_spread)
        second = self._joint(bars[0], pin.JointModelRZ(), "second", np.array([0.0, BAR, 0.0]))
        at = np.array([-PIVOT, 0.0, 0.0])  # D' from the joint of the first bar
        self._body(second, plant.second_mass, at, small)
        pulley = self._joint(second, pin.JointModelRZ(), "pulley", at)
        self._body(pulley, 1e-12, np.zeros(3), np.diag([0.0, 0.0, plant.pulley_inertia]))
        for k in range(CHAINS):
            half, origin = (second, at) if geometry.SECOND[k] else (first, np.zeros(3))
            for side in (-1.0, 1.0):
                place = origin + geometry.JOINT[k] + side * APART * geometry.ACTUATOR[k]
                self.joints[k].append(self._frame(half, place))
        return [(self._frame(bars[1], np.array([0.0, BAR, 0.0])), self._frame(second, 2.0 * at))]

    def chain(self, k: int) -> list[int]:
        """An arm with its two rods; returns the frames at their ends."""
        pin, plant = self.pin, self.plant
        turned = np.stack([geometry.OUTWARD[k], geometry.ACTUATOR[k], UP], axis=1)
        arm = self._joint(0, pin.JointModelRY(), f"motor{k}", geometry.AXIS[k], turned)
        about = plant.arm_inertia + plant.motor_inertia - plant.arm_mass * plant.arm_centre**2
        self._body(arm, plant.arm_mass, np.array([plant.arm_centre, 0.0, 0.0]), np.diag([1e-3, about, about]))
        tips = []
        for side, apart in enumerate((-APART, APART)):
            swing = self._joint(arm, pin.JointModelRY(), f"swing{k}{side}", np.array([ARM, apart, 0.0]))
            rod = self._joint(swing, pin.JointModelRX(), f"tilt{k}{side}", np.zeros(3))
            end = np.array([0.0, 0.0, -FOREARM])
            self._bar(rod, plant.rod_mass, end, plant.rod_spread)
            tips.append(self._frame(rod, end))
        return tips

    def _bar(self, joint: int, mass: float, end: Floats, spread: float) -> None:
        """A bar from a joint to a point, with this spread of its mass, as thick as a cylinder."""
        length = float(np.linalg.norm(end))
        along = np.outer(end, end) / length**2
        across = mass * spread * length**2 * (np.eye(3) - along)
        self._body(joint, mass, end / 2.0, across + mass * ROD_RADIUS**2 / 2.0 * along)

    def _body(self, joint: int, mass: float, centre: Floats, inertia: Floats) -> None:
        self.model.appendBodyToJoint(joint, self.pin.Inertia(mass, centre, inertia), self.pin.SE3.Identity())

    def _joint(self, parent: int, kind: Any, name: str, place: Floats, turned: Floats | None = None) -> int:
        at = self.pin.SE3(np.eye(3) if turned is None else turned, place)
        return int(self.model.addJoint(parent, kind, at, name))

    def _frame(self, joint: int, place: Floats) -> int:
        pin = self.pin
        name = f"frame{len(self.model.frames)}"
        return int(self.model.addFrame(pin.Frame(name, joint, 0, pin.SE3(np.eye(3), place), pin.FrameType.OP_FRAME)))
