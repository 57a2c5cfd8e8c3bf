"""Two arms that hold each other: from a URDF and joints to certificates, and back to a URDF whose tips meet."""

import json
import re
from functools import cache

import numpy as np
import pytest
from planted_urdf import chain_of, tip_frame

from certify.__main__ import main

ARM = """<joint name="pan" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 0.2"/>
<axis xyz="0 0 1"/></joint>
<joint name="lift" type="revolute"><parent link="l1"/><child link="l2"/>
<origin xyz="0.1 0 0.05" rpy="1.5708 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="elbow" type="revolute"><parent link="l2"/><child link="l3"/><origin xyz="0.4 0 0.03"/>
<axis xyz="0 0 1"/></joint>
<joint name="flange" type="fixed"><parent link="l3"/><child link="tool0"/><origin xyz="0.3 0.02 0.05"/></joint>"""
STANDS = {"left": "0 0.3 0", "right": "0 -0.3 0"}  # in m
BALL, SOCKET = np.array([12.0, -7.0, 31.0]), np.array([-9.0, 14.0, 22.0])  # mm
OFFSETS = {"left": (0.0, 0.002, -0.0015), "right": (0.001, -0.0018, 0.0012)}  # rad
POSES, DIGITS = 12, 5


def urdf():
    parts = []
    for side, xyz in STANDS.items():
        parts.append(f'<joint name="{side}_stand" type="fixed"><parent link="floor"/><child link="{side}_base"/>')
        parts.append(f'<origin xyz="{xyz}"/></joint>')
        parts.append(re.sub(r'(name|link)="', rf'\1="{side}_', ARM))
    return '<robot name="two">\n' + "\n".join(parts) + "\n</robot>\n"


def point(text, side, q, tool, offsets=(0.0, 0.0, 0.0), exact=False):
    """Where a point of a tip is, in mm."""
    errors = {k: (np.zeros(3), (), offset) for k, offset in enumerate(offsets)}
    frame = tip_frame(chain_of(text, f"{side}_tool0", exact), q, errors)
    return frame[:3, :3] @ tool + 1000 * frame[:3, 3]


@cache
def poses():
    """Joints of both arms with which ball and socket meet."""
    random, found, text = np.random.default_rng(3), [], urdf()
    while len(found) < POSES:
        left, right = random.uniform((-1.2, 0.2, -1.8), (-0.2, 1.2, -0.6)), np.array([0.6, 0.8, -1.2])
        ball = point(text, "left", left, BALL, OFFSETS["left"])
        for _ in range(30):
            trials = [right, *(right + 1e-6 * np.eye(3))]
            here, *there = (point(text, "right", q, SOCKET, OFFSETS["right"]) - ball for q in trials)
            step = np.linalg.lstsq((np.array(there) - here).T / 1e-6, -here, rcond=None)[0]
            right = right + step * min(1.0, 0.3 / max(np.abs(step).max(), 1e-12))
        if np.linalg.norm(here) < 1e-8 and np.abs(right).max() < 2.5:
            found.append([*left, *right])
    return np.array(found)


def apart(text, read, tools, offsets, exact=False):
    """By how much both points miss each other (poses, 3), in mm."""
    halves, none = {"left": slice(0, 3), "right": slice(3, 6)}, (0.0, 0.0, 0.0)
    ends = [
        [point(text, side, q[own], tool, offsets.get(side, none), exact) for q in read]
        for (side, own), tool in zip(halves.items(), tools, strict=True)
    ]
    return np.subtract(*ends)


def asked(capsys, *words):
    code = main([*map(str, words), "--quiet", "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "two.urdf").write_text(urdf())
    names = [f"{side}_{joint} [rad]" for side in STANDS for joint in ("pan", "lift", "elbow")]
    rows = [",".join(f"{angle:.{DIGITS}f}" for angle in q) for q in poses()]
    (tmp_path / "poses.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    return tmp_path


def command(folder, *words):
    return [
        "new",
        "arm",
        "--urdf",
        folder / "two.urdf",
        "--data",
        folder / "poses.csv",
        "--out",
        folder / "arm",
        *words,
    ]


TIPS = ("--tip", "left_tool0", "--tip", "right_tool0")


@pytest.mark.thorough
def test_from_two_tips_to_certificates_and_back(folder, capsys):
    words = ["--free", "tool, offsets", "--within", "3 mm, 4 mrad"]
    code, told = asked(capsys, *command(folder, *TIPS, *words))
    assert (code, told["poses"], len(told["joints"])) == (0, POSES, 6)
    assert {"o1", "o2", "o4", "o5"} <= set(told["free"])
    assert told["held"] == ["o3", "o6"]  # a last joint's offset turns its own point
    code, answer = asked(capsys, "run", folder / "arm" / "problem.toml", "--workers", "1")
    (part,) = answer["parts"]
    assert (code, part["verdict"], part["verified"]) == (0, "inadequate", True)
    lower, upper = map(float, part["epsilon"])
    tools, read = (BALL, SOCKET), np.round(poses(), DIGITS)
    assert 0 < lower <= np.abs(apart(urdf(), read, tools, OFFSETS)).max()  # what is planted is not excluded
    assert asked(capsys, "correct", folder / "arm", "--values", "witness")[0] == 0
    out = folder / "arm" / "certified"
    rows = [row.split(",") for row in (out / "corrected.csv").read_text().splitlines()[3:]]
    values = {row[0]: float(row[3]) for row in rows}
    tools = [np.array([values[f"tool{k}_{axis}"] for axis in "xyz"]) for k in (1, 2)]
    assert np.abs(apart((out / "corrected.urdf").read_text(), read, tools, {}, exact=True)).max() < upper + 1e-9


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*TIPS, "--tip", "left_l3"), "--tip is given 3 times; give one tip, or two that meet"),
        ((*TIPS, "--base", "floor"), "two tips begin at the link that they have in common; remove --base"),
        ((*TIPS, "--measure", "socket"), "--measure socket is about one tip, and --tip names two"),
        ((*TIPS[:2], "--measure", "tips"), "name the other one by a second --tip"),
        ((*TIPS, "--sockets", "2"), "--sockets belongs to --measure socket"),
    ],
)
def test_what_two_tips_are_not(folder, capsys, words, message):
    assert main([*map(str, command(folder, *words)), "--quiet"]) == 2
    assert message in capsys.readouterr().err
