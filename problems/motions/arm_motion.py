"""A serial arm of a URDF as what a motion is designed for: its coordinates are the joints, its rows those of its base
parameters.

    limits       <limit lower upper velocity effort> of each joint; a joint that turns without end moves within a turn
    torques      of what <inertial> says of the links, and of friction if it is stated; where a link has none, its
                 torque is not limited, which is told
    last         x, y, z of the last joint in the frame of the base, to be limited where the floor or a wall is near

Dry friction is Fc tanh(dq / CHANGE) here: how much a motion tells is then smooth in the motion.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from certify.problems.arm_dynamics.grouping import Grouping, grouping
from certify.problems.arm_dynamics.links import GRAVITY, Links, read_links
from certify.problems.arm_dynamics.newton_euler import joint_places
from certify.problems.arm_dynamics.parameters import WIDE, ArmModel
from certify.problems.arms.urdf import WHAT, joints_of, only_child
from certify.problems.errors import InputError
from certify.problems.files.safe_xml import Element, read_xml
from certify.problems.formulas.units import parse_decimal, shown
from certify.problems.motions.excited import INFINITE, Excited, Limited
from certify.problems.regressors.regressor import Floats

SECONDS = 8.0
CHANGE = 0.05  # of the largest speed at which the sign of dry friction has changed
LAST = ("last_x", "last_y", "last_z")


def arm_excited(
    urdf: Path, tip: str | None = None, base: str | None = None, gravity: Sequence[float] = GRAVITY,
    offset: bool = False, rotor: bool = False,
) -> Excited:  # fmt: skip
    """The arm of a URDF."""
    links = read_links(urdf, tip, base, gravity)
    grouped = grouping(ArmModel(links, offset, rotor))
    nominal, unknown = _nominal(grouped)
    joints, limits, notes = _limits(urdf, links)
    units = tuple("m" if slides else "rad" for slides in links.slides)
    torques = grouped.model.torque_units
    fastest = np.array([one.upper for one in limits[links.count : 2 * links.count]])
    change = CHANGE * np.where(np.isfinite(fastest), fastest, 1.0)
    told = [f"{links.name}: {links.count} joints of {urdf.name}; torques without friction", *notes]
    if unknown:
        told.append(f"without <inertial>, taken as 0: {', '.join(unknown)}")
    return Excited(
        name=links.name,
        told=tuple(told),
        coordinates=joints,
        units=units,
        parameters=grouped.names,
        parameter_units=grouped.units,
        nominal=nominal,
        outputs=tuple(f"tau{k}" for k in range(1, links.count + 1)),
        output_units=torques,
        limits=limits,
        rows=lambda x, v, a: _rows(grouped, nominal, change, x, v, a),
        middle=np.array([_middle(one) for one in limits[: links.count]]),
        seconds=SECONDS,
    )


def _rows(
    grouped: Grouping, nominal: Floats, change: Floats, q: Floats, dq: Floats, ddq: Floats
) -> tuple[Floats, Floats]:
    model = grouped.model
    w = model.matrix(q, dq, ddq)[:, :, list(grouped.kept)]
    dry = WIDE * model.links.count + model.of_a_joint.index("Fc") * model.links.count
    for column, k in enumerate(grouped.kept):
        if dry <= k < dry + model.links.count:
            w[:, k - dry, column] = np.tanh(dq[:, k - dry] / change[k - dry])
    last = joint_places(grouped.model.links, q)[:, -1]
    return w, np.concatenate([q, dq, ddq, w @ nominal, last], axis=1)


def _nominal(grouped: Grouping) -> tuple[Floats, list[str]]:
    """Base parameters as the URDF's bodies make them, and the bodies that have none."""
    model = grouped.model
    full = np.zeros(len(model.names))
    for k, ten in enumerate(model.links.inertials):
        full[WIDE * k : WIDE * (k + 1)] = 0.0 if ten is None else ten
    found = [
        full[k] + sum(float(factor) * full[d] for d, factor in parts)
        for k, parts in zip(grouped.kept, grouped.parts, strict=True)
    ]
    names = [model.links.joints[k] for k, ten in enumerate(model.links.inertials) if ten is None]
    return np.array(found), names


def _limits(urdf: Path, links: Links) -> tuple[tuple[str, ...], tuple[Limited, ...], list[str]]:
    """The joints' names in a log, limits of all quantities, and what was not in the file."""
    joints = joints_of(read_xml(urdf, "robot", WHAT), f"{WHAT} {urdf}")
    ranges, speeds, gains, efforts, notes = [], [], [], [], []
    for k, (name, slides) in enumerate(zip(links.joints, links.slides, strict=True), 1):
        unit, place = "m" if slides else "rad", f"{WHAT} {urdf}, joint {shown(name)}"
        element = joints[name].element
        limit = only_child(element, "limit", place, False)
        lower, upper = (_end(limit, end, place) for end in ("lower", "upper"))
        if joints[name].type == "continuous" or (lower is None and upper is None and not slides):
            lower, upper = -math.pi, math.pi
            notes.append(f"q{k} turns without end; it is moved between -pi and pi rad, unless --limit says otherwise")
        if lower is None and upper is None:
            raise InputError(f"{place}: it slides without ends; give <limit lower=... upper=...>")
        ranges.append(Limited(f"q{k}", unit, lower or 0.0, upper or 0.0))
        speed, effort = (_end(limit, end, place) for end in ("velocity", "effort"))
        speeds.append(Limited(f"dq{k}", f"{unit}/s", *_sides(speed)))
        gains.append(Limited(f"ddq{k}", f"{unit}/s^2"))
        efforts.append(Limited(f"tau{k}", "N" if slides else "Nm", *_sides(effort)))
        if speed is None or effort is None:
            notes.append(f"joint {name} has no limit of its {'speed' if speed is None else 'effort'}: none is kept")
    last = [Limited(name, "m") for name in LAST]
    names = tuple(one.name for one in ranges)
    return names, (*ranges, *speeds, *gains, *efforts, *last), notes


def _end(limit: Element | None, name: str, place: str) -> float | None:
    text = None if limit is None else limit.attributes.get(name)
    return None if text is None else float(parse_decimal(text.strip(), f"{place}, limit {name}"))


def _sides(end: float | None) -> tuple[float, float]:
    """An end of 0 means none, as makers write it."""
    return (-abs(end), abs(end)) if end else (-INFINITE, INFINITE)


def _middle(one: Limited) -> float:
    """0, where it is well inside, else the middle of the range."""
    inside = one.lower + 0.2 * one.size < 0.0 < one.upper - 0.2 * one.size
    return 0.0 if inside else (one.lower + one.upper) / 2.0
