"""Serial arms of many shapes as problem files with `[model]`: three to six joints that turn, a base anywhere, a tool,
and what a measuring device reads of the tool's place; what is wrong with the arm or with its table is planted.

    place = B + R (T_1 ... T_n t),    T_k p = Rz(q_k + o_k) (Rx(w_k) p + [a_k, 0, d_k])
"""

from dataclasses import dataclass

import numpy as np

QUARTER = 90.0


@dataclass
class Arm:
    """The true arm: lengths in mm and angles in degrees, one row a joint; the base's place and turn, and the tool."""

    a: np.ndarray
    d: np.ndarray
    w: np.ndarray
    o: np.ndarray
    base: np.ndarray
    turn: np.ndarray
    tool: np.ndarray

    @property
    def joints(self):
        return len(self.a)

    def places(self, angles):
        """Where the tool is for joint angles in degrees (poses, joints)."""
        return np.array([self.frames(row)[-1] for row in angles]) @ rotation_xyz(self.turn).T + self.base

    def frames(self, row):
        """Where the joints' frames stand in the base, and last the tool."""
        rotation, place, found = np.eye(3), np.zeros(3), []
        for k in range(self.joints):
            rotation = rotation @ about("z", row[k] + self.o[k])
            found.append(place.copy())
            place = place + rotation @ np.array([self.a[k], 0.0, self.d[k]])
            rotation = rotation @ about("x", self.w[k])
        return [*found, place + rotation @ self.tool]


def about(axis, degrees):
    """The rotation about a coordinate axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = c
    matrix[first, second], matrix[second, first] = -s, s
    return matrix


def rotation_xyz(degrees):
    """Rx Ry Rz."""
    return about("x", degrees[0]) @ about("y", degrees[1]) @ about("z", degrees[2])


def shapes(seed, joints=6):
    """An arm of a random shape, as designed: right angles between most axes, a base anywhere."""
    random = np.random.default_rng([seed, joints])
    w = random.choice([-1.0, 0.0, 1.0], joints, p=[0.4, 0.2, 0.4]) * QUARTER
    w[0] = random.choice([-1.0, 1.0]) * QUARTER
    a = np.where(random.uniform(size=joints) < 0.4, 0.0, random.uniform(100.0, 600.0, joints)).round(1)
    d = np.where(random.uniform(size=joints) < 0.4, 0.0, random.uniform(80.0, 500.0, joints)).round(1)
    a[1] = random.uniform(200.0, 600.0)
    a, d = a.round(1), d.round(1)
    tool = random.uniform(40.0, 200.0, 3).round(1)
    base = random.uniform(-2000.0, 2000.0, 3).round(1)
    return Arm(a, d, w, np.zeros(joints), base, random.uniform(-60.0, 60.0, 3).round(2), tool)


def truth_of(design, seed, off=1.0, turned=0.3):
    """The arm as it was built: its offsets and its place a little other than designed."""
    random = np.random.default_rng([seed, 7])
    shift = lambda size: random.uniform(-1.0, 1.0, size)  # noqa: E731
    o = np.zeros(design.joints)
    o[1:-1] = turned * shift(design.joints - 2)
    return Arm(
        design.a,
        design.d,
        design.w,
        o,
        design.base + 10.0 * off * shift(3),
        design.turn + 3.0 * turned * shift(3),
        design.tool + off * shift(3),
    )


def poses_of(arm, count, seed, reach=110.0):
    """Joint angles in degrees (poses, joints)."""
    return np.random.default_rng([seed, 11]).uniform(-reach, reach, (count, arm.joints)).round(4)


def problem_text(design, base="200 mm", turn="20 deg", tool="20 mm", half="0.1 mm", joint="0 deg", offsets="2 deg"):
    """The problem file of an arm as it was designed; the first and the last offset are not told apart from base and
    tool.
    """
    n = design.joints
    numbers = " ".join(str(k) for k in range(1, n + 1))
    points = [f'p{n} = "Rz(q{n} + o[{n}])*(Rx(w[{n}])*t + [a[{n}], 0, d[{n}]])"']
    points += [f'p{k} = "Rz(q{k} + o[{k}])*(Rx(w[{k}])*p{k + 1} + [a[{k}], 0, d[{k}]])"' for k in range(n - 1, 0, -1)]
    listed = lambda values, unit: "[" + ", ".join(f'"{float(v)!r} {unit}"' for v in values) + "]"  # noqa: E731
    radii = "[" + ", ".join(f'"{offsets if 0 < k < n - 1 else "0 deg"}"' for k in range(n)) + "]"
    columns = "\n".join(f'q{k} = "angle"' for k in range(1, n + 1))
    halves = "\n".join(f'q{k} = "{joint}"' for k in range(1, n + 1))
    defined = "\n".join(points)
    return f"""format = "certify-problem-file 1"
title = "Arm with {n} joints"
provenance = "simulated: an arm whose truth is planted"
poses = "poses.csv"
half_widths_are = "bounds"

[model.equations]
position = "B + rotation_xyz(turn.x, turn.y, turn.z)*p1 - [x, y, z]"
[model.parameters]
B = "length x y z"
turn = "angle x y z"
o = "angle {numbers}"
w = "angle {numbers}"
a = "length {numbers}"
d = "length {numbers}"
t = "length x y z"
[model.columns]
{columns}
x = "length"
y = "length"
z = "length"
[model.definitions]
{defined}

[half_widths]
{halves}
x = "{half}"
y = "{half}"
z = "{half}"

[box]
centre = "nominal"

[parameters]
B = {{ value = {listed(design.base, "mm")}, radius = "{base}" }}
turn = {{ value = {listed(design.turn, "deg")}, radius = "{turn}" }}
o = {{ value = {listed(design.o, "deg")}, radius = {radii} }}
w = {{ value = {listed(design.w, "deg")}, radius = "0 deg" }}
a = {{ value = {listed(design.a, "mm")}, radius = "0 mm" }}
d = {{ value = {listed(design.d, "mm")}, radius = "0 mm" }}
t = {{ value = {listed(design.tool, "mm")}, radius = "{tool}" }}
"""


def table_text(angles, places, unit="deg"):
    """poses.csv."""
    names = [f"q{k + 1} [{unit}]" for k in range(angles.shape[1])] + [f"{c} [mm]" for c in "xyz"]
    rows = [
        ",".join([f"P{k + 1}", *(f"{v:.6f}" for v in row), *(f"{v:.4f}" for v in place)])
        for k, (row, place) in enumerate(zip(angles, places, strict=True))
    ]
    return "\n".join([",".join(["pose", *names]), *rows]) + "\n"


def write_arm(folder, text, angles, places, unit="deg"):
    """problem.toml and poses.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "problem.toml").write_text(text)
    (folder / "poses.csv").write_text(table_text(angles, places, unit))
    return folder / "problem.toml"
