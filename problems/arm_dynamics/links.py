"""A serial arm as its dynamics see it: frames and axes of its joints in floats (metres), and what its URDF says of each
body's mass.

    body k      all links that hang on joint k and not on joint k + 1, joints beside the chain held where they read 0
    inertials   m, m c and the inertia about the origin of joint k's frame, along its axes (kg, kg m, kg m^2):
                what <inertial> says of the body's links, put together
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from certify.problems.arms.arm import IDENTITY, ZERO, Matrix, Vector, about, moved, product
from certify.problems.arms.urdf import (
    FIXED,
    WHAT,
    Chain,
    UrdfJoint,
    joints_of,
    only_child,
    read_urdf,
    three_numbers,
)
from certify.problems.errors import InputError
from certify.problems.files.safe_xml import Element, read_xml
from certify.problems.formulas.units import parse_decimal, shown

Floats = npt.NDArray[np.float64]

GRAVITY = (0.0, 0.0, -9.81)  # m/s^2, in the frame of the base
IN_A_METRE = 1000.0  # the arms' lengths are in mm
MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
Place = tuple[Floats, Floats]  # a rotation and a place in m


@dataclass(frozen=True, eq=False)
class Links:
    """By joint: its name, whether it slides, where its frame stands at 0 in the one before, and its axis; `inertials`
    are ten numbers each, None where no link of the body has any.
    """

    name: str
    joints: tuple[str, ...]
    slides: tuple[bool, ...]
    rotations: Floats
    places: Floats
    axes: Floats
    gravity: Floats
    inertials: tuple[tuple[float, ...] | None, ...]
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Of the joints."""
        return len(self.joints)


def read_links(
    path: Path, tip: str | None = None, base: str | None = None, gravity: Sequence[float] = GRAVITY
) -> Links:
    """The arm of a URDF between two links; the tip that is not said is the one behind all joints that move."""
    root, place = read_xml(path, "robot", WHAT), f"{WHAT} {path}"
    joints = joints_of(root, place)
    chain = read_urdf(path, _furthest(joints) if tip is None else tip, base)
    arm = chain.arm
    held: list[str] = []
    bodies = [_body(chain, k, joints, held) for k in range(len(chain.moving))]
    inertias = _inertias(root, place)
    notes = [*arm.snapped, *([f"held where they read 0: {', '.join(dict.fromkeys(held))}"] if held else [])]
    return Links(
        arm.name,
        tuple(joint.name for joint in arm.joints),
        tuple(joint.slides for joint in arm.joints),
        np.array([_floats(joint.rotation) for joint in arm.joints]),
        np.array([[float(value) for value in joint.place] for joint in arm.joints]) / IN_A_METRE,
        np.array([[float(value) for value in joint.axis] for joint in arm.joints]),
        np.array(gravity, dtype=np.float64),
        tuple(_together(body, inertias) for body in bodies),
        tuple(notes),
    )


def _furthest(joints: Mapping[str, UrdfJoint]) -> str | None:
    """The only link without joints below, or the one such that all joints that move lie above it; else None."""
    above = {joint.child: joint for joint in joints.values()}
    leaves = sorted(set(above) - {joint.parent for joint in joints.values()})
    moving = {joint.name for joint in joints.values() if joint.type != FIXED}
    found = []
    for leaf in leaves:
        way, link = set[str](), leaf
        while link in above and above[link].name not in way:
            way.add(above[link].name)
            link = above[link].parent
        if moving <= way:
            found.append(leaf)
    return found[0] if found else None


def _body(chain: Chain, k: int, joints: Mapping[str, UrdfJoint], held: list[str]) -> dict[str, Place]:
    """The links of a body and where they stand in the frame of its joint."""
    following = chain.moving[k + 1].name if k + 1 < len(chain.moving) else ""
    waiting: list[tuple[str, Matrix, Vector]] = [(chain.moving[k].child, IDENTITY, ZERO)]
    found: dict[str, Place] = {}
    while waiting:
        link, rotation, position = waiting.pop()
        found[link] = (_floats(rotation), np.array([float(value) for value in position]) / IN_A_METRE)
        for joint in joints.values():
            if joint.parent == link and joint.name != following and joint.child not in found:
                held += [] if joint.type == FIXED else [joint.name]
                there = moved(rotation, joint.place, position)
                waiting.append((joint.child, product(rotation, joint.rotation), there))
    return found


def _inertias(root: Element, place: str) -> dict[str, Floats]:
    """By link with an <inertial>: its pseudo-inertia in the link's frame (see `pseudo_inertia`)."""
    found: dict[str, Floats] = {}
    for link in root.all("link"):
        name = link.attributes.get("name", "")
        at = f"{place}, line {link.line}, link {shown(name)}"
        inertial = only_child(link, "inertial", at, False)
        if inertial is not None:
            found[name] = _inertia(inertial, at)
    return found


def _inertia(inertial: Element, at: str) -> Floats:
    mass, tensor = (only_child(inertial, tag, at, True) for tag in ("mass", "inertia"))
    origin = only_child(inertial, "origin", at, False)
    if mass is None or tensor is None:  # only_child has said so
        raise InputError(f"{at}: <inertial> needs <mass> and <inertia>")
    kilograms = _number(mass, "value", at)
    xx, xy, xz, yy, yz, zz = (_number(tensor, name, at) for name in MOMENTS)
    about_centre = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    centre, turn = np.zeros(3), np.eye(3)
    if origin is not None:
        centre = np.array([float(value) for value in three_numbers(origin, "xyz", "0 0 0", at)])
        roll, pitch, yaw = three_numbers(origin, "rpy", "0 0 0", at)
        turn = _floats(product(about(2, yaw), product(about(1, pitch), about(0, roll))))
    second = np.trace(about_centre) / 2.0 * np.eye(3) - about_centre
    found = np.zeros((4, 4))
    found[:3, :3] = turn @ second @ turn.T + kilograms * np.outer(centre, centre)
    found[:3, 3] = found[3, :3] = kilograms * centre
    found[3, 3] = kilograms
    return found


def _number(element: Element, name: str, at: str) -> float:
    text = element.attributes.get(name)
    if text is None:
        raise InputError(f"{at}: <{element.tag}> has no {name}; write <{element.tag} {name}=...>")
    return float(parse_decimal(text.strip(), f"{at}, {element.tag} {name}"))


def _together(body: Mapping[str, Place], inertias: Mapping[str, Floats]) -> tuple[float, ...] | None:
    """The ten numbers of a body."""
    total, some = np.zeros((4, 4)), False
    for link, (rotation, position) in body.items():
        if link in inertias:
            there = np.eye(4)
            there[:3, :3], there[:3, 3] = rotation, position
            total, some = total + there @ inertias[link] @ there.T, True
    return _ten(total) if some else None


def _ten(pseudo: Floats) -> tuple[float, ...]:
    """m, m c and I = tr(S) 1 - S of a pseudo-inertia [[S, m c], [(m c)^T, m]]."""
    second = pseudo[:3, :3]
    inertia = np.trace(second) * np.eye(3) - second
    found = [pseudo[3, 3], *pseudo[:3, 3], *(inertia[i, j] for i in range(3) for j in range(i, 3))]
    return tuple(float(value) for value in found)


def _floats(rows: Matrix) -> Floats:
    return np.array([[float(value) for value in row] for row in rows])
