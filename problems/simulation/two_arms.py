"""Two arms that hold each other, simulated: a ball on the tip of one sits in a socket on the tip of the other; only
joints are read.

Both are the arm of `serial_arm`, side by side on one table, 0.7 m apart and turned towards each other. The true arms
are off their description as that one is, each by errors of its own. Ball and socket are where no description says it.

    none       the description's kind of arm is true
    backlash   each joint stands off what its encoder reads, by up to size / 2 at a metre, at random in each pose
    outlier    in one pose the ball is `size` beside its socket
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.problems.arms.arm import Arm
from certify.problems.arms.placing import flange_frames, other_frames
from certify.problems.arms.steps import Floats, place
from certify.problems.arms.urdf import read_urdf
from certify.problems.errors import InputError
from certify.problems.files.disk import write_text
from certify.problems.simulation.serial_arm import JOINTS, drawn_errors, joint_lines
from certify.problems.simulation.simulated import generators, noise_factor
from certify.problems.simulation.unmodelled_error import UnmodelledError

NAME, URDF, TABLE = "two_arms", "two_arms.urdf", "poses.csv"
SIDES = ("left", "right")
TIPS = ("left_tool0", "right_tool0")
STANDS = {"left": ("0 0.35 0", "0 0 -0.5"), "right": ("0 -0.35 0", "0 0 0.5")}  # xyz in m, rpy
BALL, SOCKET = (12.4, -31.7, 95.3), (-22.6, 18.9, 60.2)  # mm, in the frames of the tips
POSES, DIGITS = 60, 6
DEVIATION = 2e-6  # rad, of what an encoder reads
FIRST = (0.6, 0.6, -1.1, 0.4, 0.3, 0.0)  # rad: about so the left arm stands, the other one follows
SPREAD, NEAR = 0.9, 1e-9  # rad; mm, to which the points meet
STEPS, TRIES, REACH = 60, 2000, 2.8  # rad: no joint turns further


def simulate_two_arms(folder: Path, error: UnmodelledError, seed: int, noise: Fraction | float | str = 1) -> Path:
    """Write two_arms.urdf and poses.csv; returns the table's path."""
    if error.name == "joints":
        raise InputError("two arms have no error joints; choose none, backlash or outlier (--error)")
    factor, (for_error, for_noise) = noise_factor(noise), generators(seed)
    write_text(folder / URDF, _urdf())
    arm = read_urdf(folder / URDF, TIPS[0], None, TIPS[1]).arm
    truth = true_values(arm, for_error)
    beside = np.zeros((POSES, 3))
    if error.name == "outlier":
        beside[int(for_error.integers(POSES)), int(for_error.integers(3))] = float(error.size)
    stands = np.array([_meeting(arm, truth, gap, for_error) for gap in beside]).T
    play = float(error.size) / 2000 if error.name == "backlash" else 0.0
    read = stands + for_error.uniform(-play, play, stands.shape)
    read += float(factor) * DEVIATION * for_noise.standard_normal(read.shape)
    told = f"seed {seed}, unmodelled error {error}, noise factor {factor}"
    write_text(folder / TABLE, _table(arm, read, told))
    return folder / TABLE


def true_values(arm: Arm, random: np.random.Generator) -> dict[str, Any]:
    """The true parameters of both arms."""
    found = {name: np.array(value) for name, value in drawn_errors(len(arm.joints), random).items()}
    for number, joint in enumerate(arm.joints, 1):
        found[place(number)] = found[place(number)] + np.array([float(value) for value in joint.place])
    return found


def _meeting(arm: Arm, truth: Mapping[str, Any], gap: Floats, random: np.random.Generator) -> Floats:
    """Joints with which both points meet but for a gap: the left arm's are drawn, the right one's follow by Newton's
    method with the shortest steps.
    """
    half = len(JOINTS)
    for _ in range(TRIES):
        q = np.array([*FIRST, -FIRST[0], *FIRST[1:]]) + random.uniform(-SPREAD, SPREAD, 2 * half)
        for _ in range(STEPS):
            here = _apart(arm, truth, q[None])[0] - gap
            if np.linalg.norm(here) < NEAR:
                break
            trials = np.repeat(q[None], half, axis=0)
            trials[:, half:] += 1e-6 * np.eye(half)
            slopes = (_apart(arm, truth, trials) - gap - here).T / 1e-6
            step = np.linalg.lstsq(slopes, -here, rcond=None)[0]
            q[half:] += step * min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-300))
        if np.linalg.norm(here) < NEAR and np.abs(q).max() < REACH:
            return q
    raise InputError("the simulated arms do not meet; choose another --seed")


def _apart(arm: Arm, truth: Mapping[str, Any], q: Floats) -> Floats:
    """By how much the ball misses the socket (K, 3) at joints (K, 12), in mm."""
    joints = list(q.T)
    first, second = flange_frames(arm, joints, truth), other_frames(arm, joints, truth)
    if second is None:
        raise TypeError("two arms have two tips")
    found: Floats = first.points(np.array(BALL)) - second.points(np.array(SOCKET))
    return found


def _urdf() -> str:
    lines = ['<?xml version="1.0"?>', "<!-- simulated: two arms of invented dimensions -->", f'<robot name="{NAME}">']
    lines.append('  <link name="table"/>')
    for side in SIDES:
        (xyz, rpy), root = STANDS[side], f"{side}_base_link"
        lines.append(f'  <joint name="{side}_stand" type="fixed"><parent link="table"/><child link="{root}"/>')
        lines.append(f'    <origin xyz="{xyz}" rpy="{rpy}"/></joint>')
        lines += joint_lines(f"{side}_")
    return "\n".join([*lines, "</robot>"]) + "\n"


def _table(arm: Arm, read: Floats, told: str) -> str:
    header = ",".join(["pose", *(f"{joint.name} [rad]" for joint in arm.joints)])
    lines = [f"# simulated: two arms of invented dimensions, ball in socket, {told}", header]
    for number, joints in enumerate(read.T, 1):
        lines.append(",".join([f"P{number}", *(f"{angle:.{DIGITS}f}" for angle in joints)]))
    return "\n".join(lines) + "\n"
