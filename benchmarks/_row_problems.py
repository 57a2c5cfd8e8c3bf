"""Problems with many rows, for measurements of memory and time: serial arms and a linear drive.

Only public names of certify are used, so that an older version can run this file, too:

    python benchmarks/_row_problems.py NAME POSES GAP SECONDS FOLDER [DATA]

answers the problem by `certify.adequacy`, writes the certificate and its problem into the folder, and prints what was
proved and what it cost. *Arms* have the geometry of a UR10 after Denavit and Hartenberg, with Hayati's second angle
where axes are parallel: `ur10` is measured by others (a laser tracker, three standard deviations either way, joint
angles exact), `ur10-wide` the same in a larger box, `arm` is simulated, `joints` the same with joint angles known to
0.001 degrees, which the coordinates of a pose share. *Drive* is linear in its four unknowns, as the papers' dynamic
models are: a mass that moves on a rail, with viscous and dry friction and an offset, whose friction truly depends on
the direction.
"""

from __future__ import annotations

import csv
import json
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify

READINGS = "ur10_laser_tracker/measurements_random_poses.csv"
JOINTS = ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")
SIGMA = 3  # standard deviations either way
# The blueprint in mm and rad: a quarter turn is written as a decimal, since what is unknown may be anything.
NOMINAL = {
    "base_x": 0.0, "base_y": 0.0, "base_z": 127.3, "base_rx": 0.0, "base_ry": 0.0, "base_rz": 0.0,
    "a1": 0.0, "a2": -612.0, "a3": -572.3, "a4": 0.0, "a5": 0.0,
    "alpha1": 1.570796, "alpha2": 0.0, "alpha3": 0.0, "alpha4": 1.570796, "alpha5": -1.570796,
    "o2": 0.0, "o3": 0.0, "o4": 0.0, "o5": 0.0, "d4": 163.941, "d5": 115.7,
    "tool_x": 0.0, "tool_y": 0.0, "tool_z": 201.2, "beta2": 0.0, "beta3": 0.0,
}  # fmt: skip
ON_AXIS = ("a5", "alpha5")  # what no pose tells from the last joint's offset and length where the tool is on its axis
ANGLES = ("base_r", "alpha", "o", "beta")
JOINT = Fraction(17453, 10**9)  # rad, 0.001 degrees


def tip(x: Any, q: Any, cos: Callable[[Any], Any], sin: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """The measured point in the frame of who measures, from the tool back to the base: x by name, q the six angles."""

    def turn(u: Any, v: Any, angle: Any) -> tuple[Any, Any]:
        c, s = cos(angle), sin(angle)
        return c * u - s * v, s * u + c * v

    u, v, w = x["tool_x"], x["tool_y"], x["tool_z"]
    u, v = turn(u, v, q[5])
    for k in (5, 4, 3, 2, 1):
        if f"beta{k}" in x:
            w, u = turn(w, u, x[f"beta{k}"])
        v, w = turn(v, w, x[f"alpha{k}"]) if f"alpha{k}" in x else (w, -v)  # a quarter turn
        u = u + x[f"a{k}"] if f"a{k}" in x else u
        w = w + x[f"d{k}"] if f"d{k}" in x else w
        u, v = turn(u, v, q[k - 1] + x[f"o{k}"] if f"o{k}" in x else q[k - 1])
    v, w = turn(v, w, x["base_rx"])
    w, u = turn(w, u, x["base_ry"])
    u, v = turn(u, v, x["base_rz"])
    return u + x["base_x"], v + x["base_y"], w + x["base_z"]


def decimal(text: str) -> Fraction:
    """A number with a decimal comma."""
    return Fraction(text.replace(",", "."))


def readings(path: Path, poses: int) -> tuple[list[list[Fraction]], list[list[Fraction]], list[list[Fraction]]]:
    """Joint angles, positions and their half-widths of so many poses, evenly spread over all."""
    with path.open() as stream:
        rows = list(csv.DictReader(stream, delimiter=";"))
    rows = [rows[k * len(rows) // poses] for k in range(poses)]
    angles = [[decimal(row[f"{joint}_joint"]) for row in rows] for joint in JOINTS]
    places = [[decimal(row[f"measurement_{axis}"]) for row in rows] for axis in "xyz"]
    halves = [[SIGMA * decimal(row[f"measurement_std_{axis}"]) for row in rows] for axis in "xyz"]
    return angles, places, halves


def simulated(poses: int, names: Sequence[str]) -> tuple[list[list[Fraction]], list[list[Fraction]], np.ndarray]:
    """Joint angles and positions of an arm near its blueprint whose tip is up to 0.6 mm off, and where its search
    begins.
    """
    random = np.random.default_rng(27)
    design = NOMINAL | {"tool_x": 60.0}
    truth = {n: design[n] + random.uniform(-1, 1) * (1e-3 if is_angle(n) else 0.5) for n in names}
    angles = np.round(random.uniform(-2.5, 2.5, (6, poses)), 5)
    places = np.array(tip(truth, angles, np.cos, np.sin)) + random.uniform(-0.6, 0.6, (3, poses))
    as_decimals = [[[Fraction(f"{v:.5f}") for v in row] for row in table] for table in (angles, places)]
    return as_decimals[0], as_decimals[1], np.array([design[n] for n in names])


def is_angle(name: str) -> bool:
    """Whether a parameter is in rad rather than in mm."""
    return name.rstrip("0123456789").startswith(ANGLES)


def fitted(names: Sequence[str], angles: Any, places: Any, start: np.ndarray) -> np.ndarray:
    """Least squares from a start, by Gauss and Newton's steps with damping (an estimate); what the poses hardly
    determine stays where it is.
    """
    q, wanted = np.array(angles, dtype=float), np.array(places, dtype=float).ravel()
    steps = np.array([1e-6 if is_angle(name) else 1e-3 for name in names])

    def miss(values: np.ndarray) -> np.ndarray:
        found = tip(dict(zip(names, values, strict=True)), q, np.cos, np.sin)
        parts = [np.broadcast_to(part, q.shape[1]) for part in found]
        return np.append(np.concatenate(parts) - wanted, (values - start) / (1e5 * steps))

    x, damping = start.copy(), 1.0
    for _ in range(100):
        here = miss(x)
        slopes = np.array([(miss(x + h * e) - here) / h for h, e in zip(steps, np.eye(len(names)), strict=True)]).T
        scale = np.linalg.norm(slopes, axis=0)
        system = np.vstack([slopes / scale, damping * np.eye(len(names))])
        step = np.linalg.lstsq(system, np.concatenate([-here, np.zeros(len(names))]), rcond=None)[0] / scale
        if np.sum(miss(x + step) ** 2) < np.sum(here**2):
            x, damping = x + step, damping / 10
        else:
            damping *= 10
    return x


def at_base(names: Sequence[str], angles: Any, places: Any) -> np.ndarray:
    """The blueprint with the base where the positions say that it is (the best rigid motion, an estimate)."""
    values = dict(NOMINAL)
    here, there = np.array(tip(values, np.array(angles, float), np.cos, np.sin)), np.array(places, dtype=float)
    u, _, v = np.linalg.svd((here - here.mean(1)[:, None]) @ (there - there.mean(1)[:, None]).T)
    turned = v.T @ np.diag([1, 1, np.sign(np.linalg.det(v.T @ u.T))]) @ u.T
    shift = there.mean(1) - turned @ here.mean(1) + turned @ [0.0, 0.0, NOMINAL["base_z"]]
    values["base_rx"], values["base_ry"] = np.arctan2(turned[2, 1], turned[2, 2]), -np.arcsin(turned[2, 0])
    values["base_rz"] = np.arctan2(turned[1, 0], turned[0, 0])
    values |= dict(zip(("base_x", "base_y", "base_z"), shift, strict=True))
    return np.array([values[name] for name in names])


def arm(names: Sequence[str], table: Any, start: np.ndarray, room: Fraction) -> tuple[certify.Problem, np.ndarray]:
    """Three rows for each pose, every unknown within `room` (mm, or 1.5 `room` mrad) of the least squares from
    `start`.
    """
    angles, places, halves = table
    poses = len(angles[0])
    estimate = fitted(names, angles, places, start)
    variables = []
    for name, value in zip(names, estimate, strict=True):
        radius, digits = (room * Fraction(3, 2000), 9) if is_angle(name) else (room, 6)
        middle = Fraction(round(value * 10**digits), 10**digits)
        variables.append(certify.Variable(name, "rad" if is_angle(name) else "mm", middle - radius, middle + radius))
    columns = [certify.Column(f"q{k + 1}", "rad", tuple(row), tuple(row)) for k, row in enumerate(angles)]
    families = []
    for axis in range(3):

        def row(x: Any, m: Any, axis: int = axis) -> Any:
            named = dict(zip(names, x.p, strict=True))
            return tip(named, m.q, certify.cos, certify.sin)[axis] - m.u

        tape = certify.trace(row, {"p": (len(names),)}, {"q": (6,), "u": ()})
        ends = [[v + s * h for v, h in zip(places[axis], halves[axis], strict=True)] for s in (-1, 1)]
        bindings = [certify.Binding(False, k) for k in range(len(names))]
        bindings += [certify.Binding(True, k) for k in (*range(6), len(columns))]
        columns.append(certify.Column("xyz"[axis], "mm", tuple(ends[0]), tuple(ends[1])))
        families.append(certify.Family(f"tip.{'xyz'[axis]}", tape, poses, tuple(bindings), "mm"))
    problem = certify.Problem(tuple(variables), tuple(columns), tuple(families))
    return problem, np.array([float(value) for value in estimate])


def with_uncertain_joints(problem: certify.Problem, half: Fraction) -> certify.Problem:
    """The same with joint angles that are known to so many rad only."""
    columns = tuple(
        replace(c, lower=tuple(v - half for v in c.lower), upper=tuple(v + half for v in c.upper))
        if c.name.startswith("q")
        else c
        for c in problem.columns
    )
    return replace(problem, columns=columns)


def drive(rows: int) -> tuple[certify.Problem, np.ndarray]:
    """Force of a drive at so many samples: mass times acceleration, friction, and an offset, all known exactly."""
    random = np.random.default_rng(4)
    t = np.linspace(0.0, 25.0, rows)
    pulse, size = 2 * np.pi * np.array([0.1, 0.37, 0.83]), np.array([0.1, 0.05, 0.02])
    speed = (size * pulse * np.cos(np.outer(t, pulse))).sum(1)
    pull = -(size * pulse**2 * np.sin(np.outer(t, pulse))).sum(1)
    way = np.sign(speed)
    force = 95.1 * pull + 203.5 * speed + (20.4 + 1.5 * (way > 0)) * way - 3.2
    force += 3.0 * np.sin(40.0 * t) + random.uniform(-4.0, 4.0, rows)
    tables = {"pull": ("m/s2", pull), "speed": ("m/s", speed), "way": ("1", way), "force": ("N", force)}
    columns = []
    for name, (unit, values) in tables.items():
        entries = tuple(Fraction(f"{value:.9f}") for value in values)
        columns.append(certify.Column(name, unit, entries, entries))
    bounds = (("mass", "kg", 50, 150), ("viscous", "N.s/m", 100, 300), ("dry", "N", 0, 50), ("offset", "N", -20, 20))
    variables = tuple(certify.Variable(name, unit, Fraction(low), Fraction(high)) for name, unit, low, high in bounds)
    tape = certify.trace(
        lambda x, m: m.pull * x.mass + m.speed * x.viscous + m.way * x.dry + x.offset - m.force,
        {name: () for name, *_ in bounds},
        {name: () for name in tables},
    )
    bindings = tuple(certify.Binding(measured, k) for measured in (False, True) for k in range(4))
    family = certify.Family("force", tape, rows, bindings, "N")
    return certify.Problem(variables, tuple(columns), (family,)), np.array([100.0, 200.0, 20.0, 0.0])


def problem(name: str, poses: int, data: Path | None) -> tuple[certify.Problem, np.ndarray]:
    """The named problem, and where its search begins."""
    names = list(NOMINAL)
    if name == "drive":
        return drive(poses)
    if name in ("arm", "joints"):
        angles, places, start = simulated(poses, names)
        exact = [[Fraction(1, 100)] * poses] * 3
        made, begin = arm(names, (angles, places, exact), start, Fraction(2))
        return (with_uncertain_joints(made, JOINT), begin) if name == "joints" else (made, begin)
    names = [other for other in names if other not in ON_AXIS]
    table = readings((data or Path()) / READINGS, poses)
    return arm(names, table, at_base(names, *table[:2]), Fraction({"ur10": 2, "ur10-wide": 5}[name]))


def seconds_used() -> float:
    """Processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(words: Sequence[str]) -> None:
    """Answer one problem, after another one of its kind that loads what is compiled."""
    name, poses, gap, limit, folder = words[:5]
    data = Path(words[5]) if len(words) > 5 else None
    small, start = problem(name, 12, data)
    certify.adequacy(small, start=start, options=certify.Options(gap=Fraction(1, 2), time_limit=60.0))
    asked, start = problem(name, int(poses), data)
    began = seconds_used()
    options = certify.Options(gap=Fraction(gap), time_limit=float(limit))
    answer = certify.adequacy(asked, start=start, options=options)
    used, (part,) = seconds_used() - began, answer.parts
    lower, upper = part.epsilon
    if part.certificate is not None:
        (Path(folder) / "problem.canonical").write_bytes(answer.canonical)
        (Path(folder) / "part.cert").write_bytes(part.certificate)
    told = {
        "lower": float(lower), "upper": None if upper is None else float(upper), "stopped": part.stopped.value,
        "splits": part.splits, "bytes": len(part.certificate or b""), "cpu": used,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "contractors": {key: [count.calls, round(count.seconds, 3)] for key, count in part.contractors.items()},
    }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
