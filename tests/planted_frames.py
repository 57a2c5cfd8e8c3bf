"""An arm of three joints as a URDF and its readings by a tracker: where a target on the tool is, how it is turned."""

import numpy as np
from planted_urdf import chain_of, homogeneous, tip_frame

from certify.__main__ import main

URDF = """<robot name="three">
<joint name="pan_joint" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 0.2"/>
<axis xyz="0 0 1"/></joint>
<joint name="lift_joint" type="revolute"><parent link="l1"/><child link="l2"/>
<origin xyz="0.1 0 0.05" rpy="1.5708 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="elbow_joint" type="continuous"><parent link="l2"/><child link="l3"/>
<origin xyz="0.4 0 0" rpy="0 1.5707963267948966 0"/><axis xyz="0 -1 0"/></joint>
<joint name="flange" type="fixed"><parent link="l3"/><child link="tool0"/>
<origin xyz="0.3 0 0.05" rpy="0.3 0 0"/></joint>
</robot>
"""
BASE = homogeneous("1.2 -0.7 0.4", "0.02 -0.03 1.9")
TOOL = homogeneous("0.04 -0.03 0.11", "0.4 -0.2 0.7")
OFFSETS = {0: 0.0, 1: 0.002, 2: -0.0015}  # rad
NAMES = ("pan_joint", "lift_joint", "elbow_joint")


def poses(count, seed=1, offsets=OFFSETS):
    """Joint angles, and where the target on the tool is in the tracker's frame, exactly."""
    random = np.random.default_rng(seed)
    joints = np.round(random.uniform(-2, 2, (count, 3)), 6)
    errors = {k: (np.zeros(3), (), offset) for k, offset in offsets.items()}
    chain = chain_of(URDF, "tool0")
    return joints, np.array([BASE @ tip_frame(chain, q, errors) @ TOOL for q in joints])


def write(folder, header, rows, separator=","):
    folder.mkdir(exist_ok=True)
    (folder / "three.urdf").write_text(URDF)
    lines = [separator.join(header), *(separator.join(f"{v:.9f}" for v in row) for row in rows)]
    (folder / "poses.csv").write_text("\n".join(lines) + "\n")
    return folder


def asked(*words):
    return main([*map(str, words), "--quiet", "--json"])


def made(folder, *words):
    """What `certify new arm` says of the files in a folder, as JSON, and its exit code."""
    common = ["new", "arm", "--urdf", folder / "three.urdf", "--tip", "tool0", "--data", folder / "poses.csv"]
    return asked(*common, "--out", folder / "arm", *words)


def euler_zyx(rotation):
    return [
        np.arctan2(rotation[2, 1], rotation[2, 2]),
        -np.arcsin(rotation[2, 0]),
        np.arctan2(rotation[1, 0], rotation[0, 0]),
    ]


def quaternion(rotation):
    w = np.sqrt(max(0.0, 1 + np.trace(rotation))) / 2
    parts = [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    return [w, *(part / (4 * w) for part in parts)]
