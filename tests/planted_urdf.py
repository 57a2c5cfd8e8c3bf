"""Arms that a test makes up: URDFs with oblique axes, fixed joints, sliding joints and axes that are not of length 1,
and their forward kinematics with homogeneous matrices, written again without any of the project's code.
"""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np

AXES = ((0, 0, 1), (0, 1, 0), (-1, 0, 0), (0, 0, -2), (1, 2, -0.5), (0.3, -0.4, 0.9))
QUARTERS = (0.0, math.pi / 2, -math.pi / 2, math.pi, 1.5708)


def drawn_urdf(random, joints):
    """The text of a URDF with the links link0, link1, ..., tip."""
    lines, link, number = ['<robot name="planted">'], "link0", 0
    for k in range(1, joints + 1):
        for fixed in range(int(random.integers(0, 2))):
            number += 1
            lines.append(_joint(random, f"mount{k}_{fixed}", "fixed", link, f"extra{number}", None))
            link = f"extra{number}"
        kind = str(random.choice(["revolute", "revolute", "continuous", "prismatic"]))
        lines.append(_joint(random, f"axis{k}", kind, link, f"link{k}", AXES[random.integers(len(AXES))]))
        link = f"link{k}"
    lines += [_joint(random, "flange", "fixed", link, "tip", None), "</robot>"]
    return "\n".join(lines)


def _joint(random, name, kind, parent, child, axis):
    xyz = " ".join(f"{v:.4f}" for v in random.uniform(-0.5, 0.5, 3))
    rpy = " ".join(
        repr(float(random.choice(QUARTERS) if random.uniform() < 0.7 else random.uniform(-3, 3))) for _ in "xyz"
    )
    origin = "" if random.uniform() < 0.1 else f'<origin rpy="{rpy}" xyz="{xyz}"/>'
    turn = "" if axis is None else f'<axis xyz="{" ".join(map(str, axis))}"/>'
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>{origin}<child link="{child}"/>{turn}</joint>'


def _joints(text):
    return ElementTree.fromstring(text).findall("joint")  # noqa: S314 - the test's own text


def chain_of(text, tip, exact=False):
    """(type, origin, axis) of each joint from the root to the tip, from any URDF; `exact`: every angle as it stands."""
    joints = {j.find("child").get("link"): j for j in _joints(text)}
    chain = []
    while tip in joints:
        joint = joints[tip]
        tip = joint.find("parent").get("link")
        origin, axis = joint.find("origin"), joint.find("axis")
        xyz, rpy = ((origin.get(n, "0 0 0") if origin is not None else "0 0 0") for n in ("xyz", "rpy"))
        words = axis.get("xyz").split() if axis is not None else ["1", "0", "0"]
        chain.append((joint.get("type"), homogeneous(xyz, rpy, exact), np.array([float(w) for w in words])))
    return chain[::-1]


def homogeneous(xyz, rpy, exact=False):
    """The origin of a joint; a quarter turn to within 1e-5 is one."""
    angles = [float(w) for w in rpy.split()]
    angles = (
        angles
        if exact
        else [
            round(a / (math.pi / 2)) * math.pi / 2 if abs(a / (math.pi / 2) - round(a / (math.pi / 2))) < 6e-6 else a
            for a in angles
        ]
    )
    found = np.eye(4)
    for axis, angle in ((2, angles[2]), (1, angles[1]), (0, angles[0])):
        found = found @ turn(np.eye(3)[axis], angle)
    found[:3, 3] = [float(w) for w in xyz.split()]
    return found


def turn(axis, angle):
    """Rodrigues: the turn about an axis of any length."""
    axis = axis / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    found = np.eye(4)
    found[:3, :3] += math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    return found


def tip_frame(chain, readings, errors=None):
    """The tip in the base (metres) for readings in rad and m; `errors` by joint: (shift, tilt vector, offset)."""
    found, moving = np.eye(4), 0
    for kind, origin, axis in chain:
        if kind == "fixed":
            found = found @ origin
            continue
        shift, tilts, offset = (errors or {}).get(moving, (np.zeros(3), (), 0.0))
        moved = origin.copy()
        moved[:3, 3] += shift
        found = found @ moved
        for about, angle in tilts:
            found = found @ turn(np.eye(3)["xyz".index(about)], angle)
        step = np.eye(4)
        if kind == "prismatic":
            step[:3, 3] = (readings[moving] + offset) * axis / np.linalg.norm(axis)
        else:
            step = turn(axis, readings[moving] + offset)
        found, moving = found @ step, moving + 1
    return found
