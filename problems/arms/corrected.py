"""A corrected arm: calibrated values put back into the description that they came from, such that it moves alike.

URDF: joint k's origin becomes  F^-1 (t_k, C_k tilt Rot(axis, o_k)),  where F are the fixed joints before it; everything
else of the file stays as it was, byte for byte. Numbers are written with all digits of a double.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import pi
from xml.sax.saxutils import quoteattr

import numpy as np

from certify.problems.arms.arm import Arm, Joint, quarter_turns
from certify.problems.arms.dh import Row
from certify.problems.arms.steps import Fixed, Floats, Step, Turn, frames, offset, place, tilt
from certify.problems.arms.urdf import Chain, UrdfJoint
from certify.problems.errors import InputError

MM = 1000.0
Numbers = Mapping[str, float]  # by the names of components, in mm and rad: t3_x, o3, tilt3_y


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """Where a joint's frame stands in the one before it when its encoder reads 0: a rotation, and a place in mm."""

    rotation: Floats
    place: Floats


def standing(arm: Arm, number: int, values: Numbers) -> Standing:
    """That of joint 1, 2, ... with these values; what they do not name is as designed."""
    joint = arm.joints[number - 1]
    names = [f"{place(number)}_{axis}" for axis in "xyz"]
    at = np.array([values.get(n, float(p)) for n, p in zip(names, joint.place, strict=True)])
    first, second = joint.across
    tilts = [values.get(f"{tilt(number)}_{'xyz'[axis]}", 0.0) for axis in (first, second)]
    own = values.get(offset(number), 0.0)
    steps: tuple[Step, ...] = (Turn(second, ((1, "b"),)), Turn(first, ((1, "a"),)), Fixed(joint.rotation))
    known = {"a": tilts[0], "b": tilts[1]}
    rotation = frames(steps, known, 1)[0][0]
    if joint.slides:
        return Standing(rotation @ _floats(joint.zero), at + rotation @ _floats(joint.zero) @ _axis(joint) * own)
    return Standing(rotation @ _turn(_axis(joint), own) @ _floats(joint.zero), at)


def _axis(joint: Joint) -> Floats:
    return np.array([float(value) for value in joint.axis])


def _floats(rows: Sequence[Sequence[object]]) -> Floats:
    return np.array([[float(entry) for entry in row] for row in rows])  # type: ignore[arg-type]


def _turn(axis: Floats, angle: float) -> Floats:
    """The turn about an axis of length 1."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    found: Floats = np.eye(3) + np.sin(angle) * cross + 2.0 * np.sin(angle / 2) ** 2 * cross @ cross
    return found


def roll_pitch_yaw(rotation: Floats) -> tuple[float, float, float]:
    """The angles of Rz(yaw) Ry(pitch) Rx(roll), one after the other, so that their product is near everywhere."""
    flat = float(np.hypot(rotation[0, 0], rotation[1, 0]))
    yaw = float(np.arctan2(rotation[1, 0], rotation[0, 0])) if flat > 1e-9 else 0.0
    c, s = np.cos(yaw), np.sin(yaw)
    rest = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ rotation
    return float(np.arctan2(-rest[1, 2], rest[1, 1])), float(np.arctan2(-rest[2, 0], rest[0, 0])), yaw


def corrected_urdf(text: str, chain: Chain, values: Numbers, comments: Sequence[str]) -> str:
    """The file with the joints' origins replaced, and comments behind <robot ...>."""
    edits: list[tuple[int, int, str]] = []
    data = text.encode("utf-8")
    for number, (joint, before) in enumerate(zip(chain.moving, chain.before, strict=True), 1):
        found = standing(chain.arm, number, values)
        fixed = [step for f in reversed(before) for step in (Fixed(f.rotation, f.place),)]
        rotation, at = frames(fixed, {}, 1)
        inside = Standing(rotation[0].T @ found.rotation, rotation[0].T @ (found.place - at[0]))
        edits.append(_edit(data, joint, _origin(inside)))
    for joint in (*(fixed for before in chain.before for fixed in before), *chain.behind):
        if any(_is_snapped(angle) for angle in joint.turns):  # they were taken as quarter turns, and so they are now
            at = np.array([float(value) for value in joint.place])
            edits.append(_edit(data, joint, _origin(Standing(_floats(joint.rotation), at))))
    end = _tag_end(data, chain.root.start)
    note = "".join(f"\n  <!-- {line.replace('--', '- -')} -->" for line in comments)
    edits.append((end, end, note))
    for start, stop, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode("utf-8") + data[stop:]
    return data.decode("utf-8")


def _is_snapped(angle: Fraction) -> bool:
    """Whether an angle stands for a quarter turn that it is not, as doubles go."""
    quarters = quarter_turns(angle)
    return quarters is not None and float(angle) != quarters * (pi / 2)


def _origin(found: Standing) -> str:
    xyz = " ".join(repr(float(value) / MM + 0.0) for value in found.place)
    rpy = " ".join(repr(angle + 0.0) for angle in roll_pitch_yaw(found.rotation))
    return f'<origin xyz="{xyz}" rpy="{rpy}"'


def _edit(data: bytes, joint: UrdfJoint, origin: str) -> tuple[int, int, str]:
    """Which bytes become which text: the tag of the origin, or a new one behind the joint's own tag."""
    old = next(iter(joint.element.all("origin")), None)
    if old is None:
        end = _tag_end(data, joint.element.start)
        return end, end, f"{origin}/>"
    end = _tag_end(data, old.start)
    closing = "/>" if data[end - 2 : end] == b"/>" else ">"
    return old.start, end, f"{origin}{closing}"


def _tag_end(data: bytes, start: int) -> int:
    """Behind the tag that begins there; '>' may stand in the quotes of an attribute."""
    quote = b""
    for k in range(start, len(data)):
        letter = data[k : k + 1]
        if quote:
            quote = b"" if letter == quote else quote
        elif letter in (b'"', b"'"):
            quote = letter
        elif letter == b">":
            return k + 1
    raise InputError("the URDF ends within a tag; save it again with the program that wrote it")


def plain_urdf(arm: Arm, values: Numbers, comments: Sequence[str]) -> str:
    """A URDF of its own, with links without bodies: for arms that were described otherwise."""
    lines = ['<?xml version="1.0"?>', '<robot name="corrected">']
    lines += [f"  <!-- {line.replace('--', '- -')} -->" for line in comments]
    links = ["base", *(f"link{k}" for k in range(1, len(arm.joints) + 1)), "tip"]
    lines += [f'  <link name="{link}"/>' for link in links]
    for number, joint in enumerate(arm.joints, 1):
        axis = " ".join(repr(float(value)) for value in joint.axis)
        kind = "prismatic" if joint.slides else "continuous"
        limit = '<limit lower="-10" upper="10" effort="0" velocity="0"/>' if joint.slides else ""
        lines.append(
            f'  <joint name={quoteattr(joint.name)} type="{kind}">{_between(links, number)}'
            f'{_origin(standing(arm, number, values))}/><axis xyz="{axis}"/>{limit}</joint>'
        )
    tip = Standing(_floats(arm.rotation), np.array([float(value) for value in arm.place]))
    lines.append(f'  <joint name="tip" type="fixed">{_between(links, len(links) - 1)}{_origin(tip)}/></joint>')
    return "\n".join([*lines, "</robot>"]) + "\n"


def _between(links: Sequence[str], number: int) -> str:
    return f'<parent link="{links[number - 1]}"/><child link="{links[number]}"/>'


def corrected_rows(rows: Sequence[Row], values: Numbers, modified: bool) -> list[dict[str, float]]:
    """The table of Denavit and Hartenberg with these values: a, d in mm, alpha, theta in rad, and beyond a plain table
    y and beta, the shift along and the turn about y behind alpha. Of the last row of a standard table a, alpha and d
    are as they were, because they are the tool's.
    """
    found = []
    for k, row in enumerate(rows):
        link, length = (k + 1, k + 2) if modified else (k + 2, k + 2)
        new = {"a": float(row.a), "alpha": float(row.alpha), "d": float(row.d), "theta": float(row.theta)}
        new |= {"y": values.get(f"t{link}_y", 0.0), "beta": values.get(f"tilt{link}_y", 0.0)}
        new["a"] = values.get(f"t{link}_x", new["a"])
        new["alpha"] += values.get(f"tilt{link}_x", 0.0)
        new["d"] = values.get(f"t{length}_z", new["d"])
        new["d" if row.slides else "theta"] += values.get(f"o{k + 1}", 0.0)
        found.append(new)
    return found
