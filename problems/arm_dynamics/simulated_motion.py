"""A simulated arm of six or seven joints on an exciting motion: its URDF as its maker would give it, and a log.

    motion      q(t) = middle + window(t) sum over n of A_jn sin(2 pi f_n t + phase_jn), slow and fast sines; the arm
                is taken to follow it without error, and the motors' torques are those that this takes
    bodies      the URDF's are boxes; the true ones are up to a tenth heavier or lighter, and their centres shifted
    friction    F_v dq + F_c (1 + rise exp(-(dq / v_b)^2)) tanh(dq / v_s): Stribeck's, with a smooth change of sign;
                the model has F_v dq + F_c sign(dq)
    torques     ripple over the joint's angle, noise; the sensor's steps; encoders have steps, too

Dimensions and masses are ours; nobody has measured such an arm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from certify.problems.arm_dynamics.arm_log import ArmLog, write_arm_log
from certify.problems.arm_dynamics.links import Floats, read_links
from certify.problems.arm_dynamics.parameters import WIDE, ArmModel
from certify.problems.errors import InputError
from certify.problems.files.disk import write_text

RATE = 1000.0  # Hz
SECONDS, MIN_SECONDS, MAX_SECONDS = 20.0, 3.0, 120.0
URDF, LOG, TIP = "arm.urdf", "motion.csv", "tool0"
QUARTER = "1.5707963267948966"
ARMS = {  # xyz in m and rpy of each joint, whose axis is z; mass in kg and sides of the box in m of what it carries
    6: (
        ("0 0 0.152", "0 0 0", 7.0, (0.14, 0.14, 0.16), (0.01, 0.0, 0.0)),
        ("0.02 0 0", f"{QUARTER} 0 0", 11.5, (0.46, 0.12, 0.12), (0.2, 0.0, 0.06)),
        ("0.42 0 0", "0 0 0", 4.2, (0.38, 0.09, 0.09), (0.17, 0.0, 0.02)),
        ("0.36 0 0.11", "0 0 0", 1.9, (0.09, 0.12, 0.09), (0.0, -0.02, 0.01)),
        ("0 -0.095 0", f"{QUARTER} 0 0", 1.8, (0.09, 0.09, 0.11), (0.0, 0.01, 0.02)),
        ("0 0.082 0", f"-{QUARTER} 0 0", 0.9, (0.08, 0.08, 0.12), (0.01, 0.005, 0.05)),
    ),
    7: (
        ("0 0 0.34", "0 0 0", 4.1, (0.14, 0.15, 0.3), (0.0, -0.03, -0.05)),
        ("0 0 0", f"-{QUARTER} 0 0", 4.3, (0.14, 0.3, 0.14), (0.0, -0.07, 0.03)),
        ("0 -0.4 0", f"{QUARTER} 0 0", 3.1, (0.13, 0.13, 0.28), (0.0, 0.03, -0.06)),
        ("0 0 0", f"{QUARTER} 0 0", 2.8, (0.12, 0.28, 0.12), (0.0, 0.06, 0.03)),
        ("0 0.4 0", f"-{QUARTER} 0 0", 1.9, (0.11, 0.12, 0.26), (0.0, 0.02, -0.05)),
        ("0 0 0", f"-{QUARTER} 0 0", 1.7, (0.1, 0.16, 0.1), (0.0, -0.01, 0.03)),
        ("0.06 0 0", f"{QUARTER} 0 0", 0.8, (0.09, 0.09, 0.14), (0.01, 0.0, 0.07)),
    ),
}
SLOW, FAST = (0.11, 0.23, 0.37), (0.7, 1.3)  # Hz
REACH, FAST_REACH, RISE = 1.1, 0.12, 1.4  # rad, rad, s


@dataclass(frozen=True, slots=True)
class ArmPlant:
    """What is true of the simulated arm, in SI units: what the model has (the parameters of ArmModel without options),
    and what it has not; `share` of each joint's Coulomb friction is its ripple, its noise and its sensor's step.
    """

    parameters: Floats
    stribeck: float = 0.25
    stribeck_speed: float = 0.1  # v_b, rad/s
    sign_speed: float = 0.01  # v_s, rad/s
    ripple: float = 0.05
    ripples: int = 24  # in a turn
    noise: float = 0.02
    step: float = 0.002
    encoder_steps: int = 1 << 19

    def as_modelled(self) -> ArmPlant:
        """The same arm with the model's friction and encoders without steps."""
        return replace(self, stribeck=0.0, sign_speed=0.0, ripple=0.0, noise=0.0, step=0.0, encoder_steps=0)


def simulate_arm_motion(
    folder: Path, joints: int = 6, seconds: float = SECONDS, seed: int = 1, noise: float = 1.0, bare: bool = False,
    moved: Floats | None = None,
) -> tuple[Path, Path, ArmPlant]:  # fmt: skip
    """Write a URDF and a log; returns their paths and what is true. The motion is a drawn one, or what is stated:
    positions, velocities and accelerations, (3, samples, joints), with RATE samples in a second.
    """
    seconds = seconds if moved is None else moved.shape[1] / RATE
    if joints not in ARMS:
        raise InputError(f"--joints {joints}: arms of {' and '.join(map(str, ARMS))} joints can be simulated")
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise InputError(f"a motion of {seconds:g} s cannot be simulated; choose {MIN_SECONDS:g} to {MAX_SECONDS:g} s")
    urdf, path = folder / URDF, folder / LOG
    write_text(urdf, _urdf(joints))
    model = ArmModel(read_links(urdf))
    random = np.random.default_rng([seed, 6])
    plant = ArmPlant(_truth(model, random))
    plant = plant.as_modelled() if bare else replace(plant, noise=plant.noise * noise)
    log = _log(model, plant, _motion(seconds, joints, random) if moved is None else moved, random)
    told = f"simulated: arm of {joints} joints, of invented dimensions, on a prescribed motion, seed {seed}"
    write_arm_log(path, log, model.links.slides, told)
    return urdf, path, plant


def _truth(model: ArmModel, random: np.random.Generator) -> Floats:
    """The URDF's bodies, each with its mass times 0.9 to 1.1 and a small part elsewhere; friction by its size."""
    found: list[float] = []
    for ten in model.links.inertials:
        if ten is None:
            raise InputError("the simulated URDF has a body without mass")
        part = ten[0] * 0.03
        x, y, z = random.uniform(-0.06, 0.06, 3)
        point = part * np.array([1, x, y, z, y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y])
        found += (random.uniform(0.9, 1.07) * np.array(ten) + point).tolist()
    size = np.linspace(1.0, 0.15, model.links.count)
    viscous, coulomb = (size * factor * random.uniform(0.8, 1.2, len(size)) for factor in (6.0, 8.0))
    return np.array([*found, *viscous, *coulomb])


def _log(model: ArmModel, plant: ArmPlant, moved: Floats, random: np.random.Generator) -> ArmLog:
    q, dq, ddq = moved
    torques, rigid = np.zeros_like(q), WIDE * model.links.count
    for first, joint, columns in model.blocks(q, dq, ddq):
        if first < rigid:
            part = columns @ plant.parameters[first : first + columns.shape[2]]
            torques[:, joint : joint + columns.shape[1]] += part
    viscous, coulomb = plant.parameters[rigid:].reshape(2, -1)
    sign = np.tanh(dq / plant.sign_speed) if plant.sign_speed else np.sign(dq)
    torques += viscous * dq + coulomb * (1.0 + plant.stribeck * np.exp(-((dq / plant.stribeck_speed) ** 2))) * sign
    torques += coulomb * (plant.ripple * np.sin(plant.ripples * q) + plant.noise * random.standard_normal(q.shape))
    steps = plant.step * coulomb
    torques = np.where(steps > 0, np.round(torques / np.where(steps > 0, steps, 1.0)) * steps, torques)
    times = np.arange(len(q)) / RATE
    if not plant.encoder_steps:
        return ArmLog(times, q, torques, dq, ddq)
    encoder = 2.0 * np.pi / plant.encoder_steps
    return ArmLog(times, np.round(q / encoder) * encoder + 0.0, torques + 0.0)  # no -0


def _motion(seconds: float, joints: int, random: np.random.Generator) -> Floats:
    """q, dq and ddq, (3, samples, joints); the window and its first two derivatives vanish at both ends."""
    time = np.arange(round(seconds * RATE)) / RATE
    sums = np.zeros((3, len(time), joints))
    for frequencies, reach in ((SLOW, REACH), (FAST, FAST_REACH)):
        for f in frequencies:
            phase, amplitude = random.uniform(0.0, 2.0 * np.pi, joints), reach * random.uniform(0.3, 0.6, joints)
            turn = 2.0 * np.pi * f
            angle = turn * time[:, None] + phase
            sums += amplitude * np.array([np.sin(angle), turn * np.cos(angle), -turn * turn * np.sin(angle)])
    w, dw, ddw = (part[:, None] for part in _window(time))
    return np.stack([w * sums[0], dw * sums[0] + w * sums[1], ddw * sums[0] + 2.0 * dw * sums[1] + w * sums[2]])


def _window(time: Floats) -> tuple[Floats, Floats, Floats]:
    end = float(time[-1])
    part, side = np.clip(np.minimum(time, end - time) / RISE, 0.0, 1.0), np.where(time < end / 2.0, 1.0, -1.0)
    first = 30.0 * part**2 * (1.0 - part) ** 2 / RISE
    second = 60.0 * part * (1.0 - part) * (1.0 - 2.0 * part) / RISE**2
    return part**3 * (10.0 - 15.0 * part + 6.0 * part**2), side * first, second


def _urdf(joints: int) -> str:
    """Boxes of a uniform mass."""
    lines = ['<?xml version="1.0"?>', "<!-- simulated: an arm of invented dimensions -->", '<robot name="arm">']
    links = ["base_link", *(f"link_{k}" for k in range(1, joints + 1)), TIP]
    lines += [f'  <link name="{links[0]}"/>', f'  <link name="{TIP}"/>']
    for link, (_, _, mass, sides, centre) in zip(links[1:], ARMS[joints], strict=False):
        xx, yy, zz = (mass / 12.0 * (sum(side**2 for side in sides) - own**2) for own in sides)
        lines.append(f'  <link name="{link}"><inertial><origin xyz="{" ".join(map(repr, centre))}"/>')
        lines.append(f'    <mass value="{mass}"/>')
        tensor = f'ixx="{xx:.6f}" ixy="0" ixz="0" iyy="{yy:.6f}" iyz="0" izz="{zz:.6f}"'
        lines.append(f"    <inertia {tensor}/></inertial></link>")
    for k, (xyz, rpy, *_) in enumerate(ARMS[joints]):
        ends = f'<parent link="{links[k]}"/><child link="{links[k + 1]}"/>'
        lines.append(f'  <joint name="joint_{k + 1}" type="revolute">{ends}<origin xyz="{xyz}" rpy="{rpy}"/>')
        lines.append('    <axis xyz="0 0 1"/><limit lower="-2.9" upper="2.9" effort="300" velocity="4"/></joint>')
    ends = f'<parent link="{links[-2]}"/><child link="{TIP}"/>'
    lines.append(f'  <joint name="flange" type="fixed">{ends}<origin xyz="0 0 0" rpy="0 0 0"/></joint>')
    return "\n".join([*lines, "</robot>"]) + "\n"
