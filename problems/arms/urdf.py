"""URDF: the joints of a chain, read with care; what is not understood is refused with its element, value and cure.

    <joint name="elbow" type="revolute">            revolute, continuous, prismatic; fixed ones are merged into the next
      <parent link="upper_arm"/> <child link="forearm"/>
      <origin xyz="0 0 0.4" rpy="1.5708 0 0"/>     metres and radians; missing: identity; R = Rz(yaw) Ry(pitch) Rx(roll)
      <axis xyz="0 0 1"/>                           any length but 0; missing: x, as URDF says
    </joint>

Lengths become mm exactly. An angle that is a quarter turn to within 1e-5 rad is one exactly, which is told; other
rotations are matrices of the doubles nearest to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from pathlib import Path

from certify.problems.arms.arm import (
    IDENTITY,
    ZERO,
    Arm,
    Joint,
    Matrix,
    Tip,
    Vector,
    about,
    decimal,
    moved,
    product,
    quarter_turns,
)
from certify.problems.errors import InputError
from certify.problems.files.safe_xml import Element, read_xml
from certify.problems.formulas.units import nearest, parse_decimal, shown

WHAT = "URDF"
TURNS, SLIDES, FIXED = ("revolute", "continuous"), "prismatic", "fixed"
KNOWN = (*TURNS, SLIDES, FIXED)
MM = 1000
LONGEST = 100 * MM  # mm: an arm's link that is longer was not meant in metres


@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A joint of the file as it stands there, in mm."""

    element: Element
    name: str
    type: str
    parent: str
    child: str
    place: Vector
    turns: Vector

    @property
    def rotation(self) -> Matrix:
        """Rz(yaw) Ry(pitch) Rx(roll)."""
        roll, pitch, yaw = self.turns
        return product(about(2, yaw), product(about(1, pitch), about(0, roll)))


@dataclass(frozen=True, slots=True)
class Chain:
    """An arm with the joints of its file, each with the fixed ones before it: what a corrected file is made from."""

    root: Element
    arm: Arm
    moving: tuple[UrdfJoint, ...]
    before: tuple[tuple[UrdfJoint, ...], ...]
    behind: tuple[UrdfJoint, ...]


@dataclass
class _Merged:
    """The joints that move along a way, each with the fixed ones before it, those behind the last one, and notes."""

    moving: list[UrdfJoint] = field(default_factory=list)
    before: list[tuple[UrdfJoint, ...]] = field(default_factory=list)
    fixed: list[UrdfJoint] = field(default_factory=list)
    found: list[Joint] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(way: list[UrdfJoint], place: str) -> _Merged:
        """Of a way from the base to a tip."""
        merged = _Merged()
        for joint in way:
            merged.notes += _snapped(joint)
            if joint.type == FIXED:
                merged.fixed.append(joint)
                continue
            rotation, position = standing((*merged.fixed, joint))
            axis, note = _axis(joint, place)
            merged.notes += note
            merged.found.append(Joint(joint.name, joint.type == SLIDES, position, rotation, axis))
            merged.moving.append(joint)
            merged.before.append(tuple(merged.fixed))
            merged.fixed = []
        return merged


def read_urdf(path: Path, tip: str | None, base: str | None = None, other: str | None = None) -> Chain:
    """The chain of joints from the base link (default: the root) to the tip link; or those from the last link that two
    tips have in common to each of them, `base` is not asked for then.
    """
    root = read_xml(path, "robot", WHAT)
    place = f"{WHAT} {path}"
    _refuse_xacro(root, path)
    joints = joints_of(root, place)
    name = root.attributes.get("name", "") or path.stem
    if tip is not None and other is not None:
        return _closed(root, name, _both(joints, tip, other, place), (tip, other), place)
    chain = _chain(joints, tip, base, place)
    way = _Merged.of(chain, place)
    rotation, position = standing(way.fixed)
    arm = Arm(name, chain[0].parent, chain[-1].child, tuple(way.found), position, rotation, tuple(way.notes))
    return Chain(root, arm, tuple(way.moving), tuple(way.before), tuple(way.fixed))


def _closed(
    root: Element, name: str, ways: tuple[list[UrdfJoint], list[UrdfJoint]], tips: tuple[str, str], place: str
) -> Chain:
    """Two ways from a link that they have in common."""
    first, second = (_Merged.of(way, place) for way in ways)
    base = ways[0][0].parent if ways[0] else tips[0]
    (rotation, position), (turned, at) = standing(first.fixed), standing(second.fixed)
    notes = tuple(dict.fromkeys((*first.notes, *second.notes)))
    other = Tip(tips[1], len(first.found), at, turned)
    arm = Arm(name, base, tips[0], (*first.found, *second.found), position, rotation, notes, other=other)
    moving, before = (*first.moving, *second.moving), (*first.before, *second.before)
    return Chain(root, arm, moving, before, (*first.fixed, *second.fixed))


def _refuse_xacro(root: Element, path: Path) -> None:
    for element in root.walk():
        if element.tag.startswith("xacro:") or any("${" in value for value in element.attributes.values()):
            raise InputError(
                f"{WHAT} {path}, line {element.line}: this is a xacro file, from which a URDF is made first; run "
                f"'xacro {path.name} > robot.urdf' and give robot.urdf"
            )


def joints_of(root: Element, place: str) -> dict[str, UrdfJoint]:
    """The joints by name; names are given once, and each link has one joint above it."""
    found: dict[str, UrdfJoint] = {}
    above: dict[str, str] = {}
    for element in root.all("joint"):
        joint = _joint(element, place)
        at = _at(joint, place)
        if joint.name in found:
            raise InputError(f"{at}: there are two joints of this name; rename one of them")
        if joint.child in above:
            raise InputError(
                f"{at}: link {shown(joint.child)} hangs on joint {shown(above[joint.child])} already; a link has one "
                f"parent"
            )
        found[joint.name] = joint
        above[joint.child] = joint.name
    if not found:
        raise InputError(f"{place}: it has no <joint>; give the file that describes the robot")
    return found


def _joint(element: Element, place: str) -> UrdfJoint:
    name, kind = element.attributes.get("name", ""), element.attributes.get("type", "")
    at = f"{place}, line {element.line}, joint {shown(name)}"
    if not name or not name.isprintable():
        raise InputError(f"{at}: it has no name; write <joint name=... type=...>")
    if not kind:
        raise InputError(f'{at}: it has no type; write type="revolute" or another one of {", ".join(KNOWN)}')
    links = [only_child(element, tag, at, True) for tag in ("parent", "child")]
    parent, child = (_attribute(link, "link", at) for link in links if link is not None)
    origin = only_child(element, "origin", at, False)
    place_, turns = (
        (ZERO, ZERO)
        if origin is None
        else (three_numbers(origin, "xyz", "0 0 0", at), three_numbers(origin, "rpy", "0 0 0", at))
    )
    if any(abs(value) * MM > LONGEST for value in place_):
        raise InputError(
            f"{at}: origin xyz {shown(origin.attributes['xyz']) if origin else ''} is more than {LONGEST // MM} m; "
            f"URDF is in metres, was it written in mm?"
        )
    x, y, z = (value * MM for value in place_)
    return UrdfJoint(element, name, kind, parent, child, (x, y, z), turns)


def only_child(element: Element, tag: str, at: str, needed: bool) -> Element | None:
    found = element.all(tag)
    if len(found) > 1 or (needed and not found):
        raise InputError(f"{at}: it has {len(found)} <{tag}> elements; write one")
    return found[0] if found else None


def _attribute(element: Element, name: str, at: str) -> str:
    value = element.attributes.get(name, "")
    if not value or not value.isprintable():
        raise InputError(f"{at}: <{element.tag}> has no {name}; write <{element.tag} {name}=...>")
    return value


def three_numbers(element: Element, name: str, default: str, at: str) -> Vector:
    text = element.attributes.get(name, default)
    words = text.split()
    if len(words) != 3:
        raise InputError(f"{at}: {element.tag} {name} is {shown(text)}; write three numbers")
    x, y, z = (parse_decimal(word, f"{at}, {element.tag} {name}") for word in words)
    return x, y, z


def _chain(joints: dict[str, UrdfJoint], tip: str | None, base: str | None, place: str) -> list[UrdfJoint]:
    """The joints from the base to the tip; all that is wrong with the way between is named."""
    links = _links(joints)
    leaves = sorted(links - {joint.parent for joint in joints.values()})
    if tip is None:
        raise InputError(f"{place}: which link is the tip? Write --tip and one of {', '.join(leaves)}")
    for word, named in (("--tip", tip), ("--base", base)):
        _known(links, word, named, place)
    chain = _up(joints, tip, base, place)
    link = chain[-1].parent if chain else tip
    for joint in chain:
        _check_type(joint, place)
    if base is not None and link != base:
        raise InputError(
            f"{place}: link {shown(base)} is not above {shown(tip)}; the way up ends at {shown(link)}; name another "
            f"base or tip"
        )
    if not chain:
        raise InputError(f"{place}: no joint lies between the base and the tip {shown(tip)}; name another tip")
    return chain[::-1]


def _links(joints: dict[str, UrdfJoint]) -> set[str]:
    return {link for joint in joints.values() for link in (joint.parent, joint.child)}


def _known(links: set[str], word: str, link: str | None, place: str) -> None:
    if link is not None and link not in links:
        raise InputError(f"{place}: there is no link {shown(link)} for {word}; {nearest(link, sorted(links))}")


def _up(joints: dict[str, UrdfJoint], tip: str, base: str | None, place: str) -> list[UrdfJoint]:
    """The joints from the tip up to the base, or to the root."""
    above = {joint.child: joint for joint in joints.values()}
    found: list[UrdfJoint] = []
    link = tip
    while link != base and link in above:
        joint = above[link]
        if joint in found:
            raise InputError(f"{_at(joint, place)}: the chain from {shown(tip)} comes back to itself; cut the ring")
        found.append(joint)
        link = joint.parent
    return found


def _both(joints: dict[str, UrdfJoint], tip: str, other: str, place: str) -> tuple[list[UrdfJoint], list[UrdfJoint]]:
    """The joints from the last link that both tips have in common to each of them."""
    for link in (tip, other):
        _known(_links(joints), "--tip", link, place)
    if tip == other:
        raise InputError(f"{place}: both tips are {shown(tip)}; name the two links that meet")
    ways = [_up(joints, link, None, place)[::-1] for link in (tip, other)]
    roots = [way[0].parent if way else link for way, link in zip(ways, (tip, other), strict=True)]
    if roots[0] != roots[1]:
        raise InputError(
            f"{place}: {shown(tip)} hangs on {shown(roots[0])} and {shown(other)} on {shown(roots[1])}, they have no "
            f"link in common; join both by fixed joints below one link"
        )
    while all(ways) and ways[0][0] is ways[1][0]:
        ways = [way[1:] for way in ways]
    for joint in (*ways[0], *ways[1]):
        _check_type(joint, place)
    return ways[0], ways[1]


def _check_type(joint: UrdfJoint, place: str) -> None:
    if joint.type not in KNOWN:
        raise InputError(
            f"{_at(joint, place)}: type {shown(joint.type)} between base and tip is none that is known "
            f"({', '.join(KNOWN)}); name a base beyond it (--base)"
        )
    if joint.element.all("mimic"):
        raise InputError(
            f"{_at(joint, place)}: it mimics another joint, so it has no encoder of its own; name a tip or a base "
            f"such that it is not between them, or remove <mimic>"
        )


def _at(joint: UrdfJoint, place: str) -> str:
    return f"{place}, line {joint.element.line}, joint {shown(joint.name)}"


def standing(joints: tuple[UrdfJoint, ...] | list[UrdfJoint]) -> tuple[Matrix, Vector]:
    """Where the last one's frame stands in that before the first one."""
    rotation, position = IDENTITY, ZERO
    for joint in joints:
        position = moved(rotation, joint.place, position)
        rotation = product(rotation, joint.rotation)
    return rotation, position


def _axis(joint: UrdfJoint, place: str) -> tuple[Vector, list[str]]:
    """The axis with length 1, and what is to be told about it."""
    at = _at(joint, place)
    element = only_child(joint.element, "axis", at, False)
    if element is None:
        return (Fraction(1), Fraction(0), Fraction(0)), [f"{joint.name} has no axis: x, as URDF says"]
    axis = three_numbers(element, "xyz", "1 0 0", at)
    square = sum((value * value for value in axis), Fraction(0))
    if not square:
        raise InputError(f"{at}: axis xyz is 0 0 0, which is no direction; write such as '0 0 1'")
    if sum(bool(value) for value in axis) == 1:
        x, y, z = (Fraction((value > 0) - (value < 0)) for value in axis)
        return (x, y, z), ([] if square == 1 else [f"{joint.name}: its axis was made of length 1"])
    length = sqrt(float(square))
    x, y, z = (decimal(float(value) / length) for value in axis)
    return (x, y, z), [f"{joint.name}: its oblique axis was made of length 1"]


def _snapped(joint: UrdfJoint) -> list[str]:
    """Which angles are taken as quarter turns though they are not written as such."""
    names = ("roll", "pitch", "yaw")
    found = []
    for name, angle in zip(names, joint.turns, strict=True):
        quarters = quarter_turns(angle)
        if quarters:
            found.append(f"{joint.name}: {name} {float(angle):.10g} rad is {quarters * 90} degrees")
    return found
