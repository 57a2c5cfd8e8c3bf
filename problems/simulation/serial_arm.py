"""A serial arm with six joints, simulated: its URDF as its maker would give it, and a table of a tracker's readings.

The dimensions are ours, plausible for an arm on a table with a reach of 0.9 m; nobody has measured it. The true arm is
up to 0.3 mm and 0.5 mrad off its description in every joint, and its encoders up to 0.8 mrad.

    none       the description's kind of arm is true
    backlash   each joint stands off what its encoder reads, by up to size / 2 at a metre, at random in each pose
    outlier    one coordinate of one pose is read off by `size`
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.arms.placing import flange_frames
from certify.problems.arms.steps import Floats, offset, place, tilt
from certify.problems.arms.urdf import read_urdf
from certify.problems.errors import InputError
from certify.problems.files.disk import write_text
from certify.problems.simulation.simulated import generators, noise_factor
from certify.problems.simulation.unmodelled_error import UnmodelledError

NAME, TIP, URDF, TABLE = "arm", "tool0", "arm.urdf", "poses.csv"
JOINTS = (  # name, xyz in m, rpy: axes are z
    ("shoulder_pan_joint", "0 0 0.152", "0 0 0"),
    ("shoulder_lift_joint", "0.02 0 0", "1.5707963267948966 0 0"),
    ("elbow_joint", "0.42 0 0", "0 0 0"),
    ("wrist_1_joint", "0.36 0 0.11", "0 0 0"),
    ("wrist_2_joint", "0 -0.095 0", "1.5707963267948966 0 0"),
    ("wrist_3_joint", "0 0.082 0", "-1.5707963267948966 0 0"),
)
TOOL = (31.4, -18.2, 120.5)  # mm, in the frame of the tip: where the tracker's target is
BASE, BASE_TURN = (1843.2, -967.5, 412.9), (0.011, -0.007, 0.842)  # mm and rad, in the tracker's frame
SHIFT, TILT, OFFSET = 0.3, 0.5e-3, 0.8e-3
DEVIATION = 0.02  # mm
POSES, REACH, DIGITS = 40, 2.0, 5


def simulate_arm(folder: Path, error: UnmodelledError, seed: int, noise: Fraction | float | str = 1) -> Path:
    """Write arm.urdf and poses.csv; returns the table's path."""
    if error.name == "joints":
        raise InputError("the arm has no error joints; choose none, backlash or outlier (--error)")
    factor, (for_error, for_noise) = noise_factor(noise), generators(seed)
    write_text(folder / URDF, _urdf())
    arm = read_urdf(folder / URDF, TIP).arm
    truth = {name: np.array(value) for name, value in drawn_errors(len(JOINTS), for_error).items()}
    for number, joint in enumerate(arm.joints, 1):
        truth[place(number)] = truth[place(number)] + np.array([float(value) for value in joint.place])
    read = np.round(for_error.uniform(-REACH, REACH, (len(JOINTS), POSES)), DIGITS)
    play = float(error.size) / 2000 if error.name == "backlash" else 0.0
    stands = read + for_error.uniform(-play, play, read.shape)
    points = _seen(flange_frames(arm, list(stands), truth).points(np.array(TOOL)))
    points = points + float(factor) * DEVIATION * for_noise.standard_normal(points.shape)
    if error.name == "outlier":
        points[int(for_error.integers(POSES)), int(for_error.integers(3))] += float(error.size)
    told = f"seed {seed}, unmodelled error {error}, noise factor {factor}"
    write_text(folder / TABLE, _table(read, points, float(factor), told))
    return folder / TABLE


def drawn_errors(joints: int, random: np.random.Generator) -> dict[str, Floats | float]:
    """How far each joint is off its description."""
    found: dict[str, Floats | float] = {}
    for number in range(1, joints + 1):
        found[place(number)] = random.uniform(-SHIFT, SHIFT, 3)
        found[tilt(number)] = random.uniform(-TILT, TILT, 2)
        found[offset(number)] = float(random.uniform(-OFFSET, OFFSET))
    return found


def _seen(points: Floats) -> Floats:
    """Points of the robot's base in the tracker's frame."""
    for axis, angle in enumerate(BASE_TURN):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turned = points.copy()
        turned[:, i] = np.cos(angle) * points[:, i] - np.sin(angle) * points[:, j]
        turned[:, j] = np.sin(angle) * points[:, i] + np.cos(angle) * points[:, j]
        points = turned
    found: Floats = points + np.array(BASE)
    return found


def _urdf() -> str:
    lines = ['<?xml version="1.0"?>', "<!-- simulated: an arm of invented dimensions -->", f'<robot name="{NAME}">']
    return "\n".join([*lines, *joint_lines(""), "</robot>"]) + "\n"


def joint_lines(prefix: str) -> list[str]:
    """The links and joints of an arm whose names begin so."""
    links = [f"{prefix}{link}" for link in ("base_link", *(f"link_{k}" for k in range(1, len(JOINTS) + 1)), TIP)]
    lines = [f'  <link name="{link}"/>' for link in links]
    for (name, xyz, rpy), parent, child in zip(JOINTS, links, links[1:], strict=False):
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        lines.append(f'  <joint name="{prefix}{name}" type="revolute">{ends}<origin xyz="{xyz}" rpy="{rpy}"/>')
        lines.append('    <axis xyz="0 0 1"/><limit lower="-3.1" upper="3.1" effort="100" velocity="3"/></joint>')
    ends = f'<parent link="{links[-2]}"/><child link="{links[-1]}"/>'
    lines.append(f'  <joint name="{prefix}flange" type="fixed">{ends}<origin xyz="0 0 0" rpy="0 0 0"/></joint>')
    return lines


def _table(read: Floats, points: Floats, factor: float, told: str) -> str:
    header = [f"{name} [rad]" for name, _, _ in JOINTS]
    header += [text for axis in "xyz" for text in (f"{axis} [mm]", f"{axis}_std [mm]")]
    deviation = repr(factor * DEVIATION)
    lines = [f"# simulated: serial arm of invented dimensions and a tracker, {told}", ",".join(["pose", *header])]
    for number, (joints, point) in enumerate(zip(read.T, points, strict=True), 1):
        cells = [f"{angle:.{DIGITS}f}" for angle in joints]
        cells += [text for value in point for text in (f"{value:.4f}", deviation)]
        lines.append(",".join([f"P{number}", *cells]))
    return "\n".join(lines) + "\n"
