"""Measured data of others: a cable robot that calibrates itself, and serial arms whose ball sits in a socket. Nothing
of the data is copied.

    python -m benchmarks measured --data FOLDER [--seconds 60]

*Hangprinter* (hangprinter_cdpr, file 18): four cables, 44 encoder readings, nine positions measured. The model is a
text model, as a user would write it: |P - a| = l + 2 pi r q / 360 20 / (255 advantage), with the anchor a, the length l
at the encoder's zero and the spool's radius r unknown. Assumed (nobody says it in the data): encoders ±1 degree, the
measured positions ±1 mm, cables straight and without stretch, a constant radius.

*Panda and iiwa* (platonics_panda): a ball at the tool sits in one of two sockets 50 mm apart, so forward kinematics
must give one point for each socket. The model is a Python function made from the URDF, and traced. Unknown are the two
sockets, the ball's place in the tool's frame within 5 mm, and in richer models the translations of the URDF or the
offsets of the joints. Assumed: joint angles ±0.01 degrees (exact where it is said: then the model error has to explain
the encoders, too), sockets 50 ± 0.1 mm apart; the play that is asked about is 0.5 mm in each coordinate.
"""

import argparse
import csv
import json
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify
from certify.checks.checking import check_files
from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Floats
from certify.explaining.explanation import explain
from certify.parts.fitting import fitted
from certify.parts.warm_up import warm_up
from certify.problems.experiments.experiment import Experiment, box_centre
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.experiments.toml_writer import FORMAT
from certify.problems.formulas.units import parse_decimal
from certify.problems.model.model import Binding, Problem
from certify.solvers.fits.minimax import minimise
from certify.solvers.fits.plain_fit import fit

HANGPRINTER = "hangprinter_cdpr/18_five_anchors_7dd320f.json"
ARMS = {"panda": ("panda.urdf", "panda_1", "front"), "iiwa": ("iiwa14.urdf", "kuka_14", "front")}
PLAY = "0.5"  # mm
ANGLE = Fraction(1, 100)  # degrees
SOCKETS = Fraction(50), Fraction(1, 10)
NINE, GUESS, ROOM = 9, 200, 20
SHOWN = 12
ADDED = 3  # poses in each round of the self-calibration
SEARCHES = (
    (Fraction(1, 1000), 1.0),
    (Fraction(1, 1000), 1e-3),
    (Fraction(1, 1000), 1e-3),
    (Fraction(1, 20), 2.0),
)  # gap and time
DIRECTIONS = ((0.0, -1.0, 0.0), (0.87, 0.5, 0.0), (-0.87, 0.5, 0.0), (0.0, 0.0, 1.0))  # of the anchors, roughly

MODEL = """
[model]
equation = "norm([x, y, z] - a) - (l + r*q*turns/255)"
[model.parameters]
a = "length x y z"
l = "length"
r = "length"
turns = "number"
[model.{positions}]
x = "length"
y = "length"
z = "length"
[model.leg_columns]
q = "angle"
"""


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each question, then what is known."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks measured")
    parser.add_argument("--data", type=Path, required=True, help="folder with hangprinter_cdpr and platonics_panda")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of each search")
    parser.add_argument("--only", choices=("hangprinter", *ARMS), help="one data set")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    answers: dict[str, Any] = {}
    if options.only in (None, "hangprinter"):
        answers["hangprinter"] = _present(options.data / HANGPRINTER, lambda path: hangprinter(path, options.seconds))
    for name, (urdf, robot, place) in ARMS.items():
        if options.only in (None, name):
            folder = options.data / "platonics_panda"
            found = folder / "data" / robot / place
            answers[name] = _present(
                found,
                lambda path, urdf=folder / "urdf" / urdf, name=name: serial_arm(name, urdf, path, options.seconds),
            )
    return answers


def _present(path: Path, question: Callable[[Path], Any]) -> Any:
    if path.exists():
        return question(path)
    print(f"{path}: absent, so nothing is measured with it")
    return "absent"


def _told(name: str, part: certify.Part, canonical: bytes, began: float) -> dict[str, Any]:
    """One answer, its certificate checked in a process of its own, and the rows that carry the proof."""
    lower, upper = part.epsilon
    conflict: list[str] = []
    verified = None
    if part.certificate is not None:
        with tempfile.TemporaryDirectory() as folder:
            problem, certificate = Path(folder) / "problem.canonical", Path(folder) / "part.cert"
            problem.write_bytes(canonical)
            certificate.write_bytes(part.certificate)
            verified = check_files(problem, certificate).verified
        if part.tree:
            explained = explain(canonical, part.certificate)
            conflict = [
                f"{explained.problem.families[f].name} row {row + 1}"
                for f, row in (explained.tree.last if explained.tree else ())
            ]
    told = {
        "question": name, "part": part.name, "verdict": part.verdict.value, "stopped": part.stopped.value,
        "lower": float(lower),
        "upper": None if upper is None else float(upper), "unit": part.unit,
        "seconds": round(time.perf_counter() - began, 2), "splits": part.splits,
        "bytes": len(part.certificate or b""), "verified": verified, "last_conflict": conflict,
    }  # fmt: skip
    ends = f"{told['lower']:.6f} .. {'?' if upper is None else format(float(upper), '.6f')} mm"
    print(
        f"{name:<58} {part.name:<9} {told['verdict']:<11} {ends:<26} {told['seconds']:>7.2f} s  verified "
        f"{verified}; {told['stopped']}",
        flush=True,
    )
    if conflict:
        print(
            f"{'':<10}in the end carried by {', '.join(conflict[:SHOWN])}{' and more' if len(conflict) > SHOWN else ''}"
        )
    return told


def hangprinter(path: Path, seconds: float) -> list[dict[str, Any]]:
    """First the nine measured positions, each cable alone; then the unknown ones with them, all cables together."""
    data = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        experiment = _experiment(Path(folder), data, None)
        estimate = fitted(experiment)
        problem = experiment.problem(box_centre(experiment, estimate))
        options = certify.Options(gap=Fraction(1, 10**5), time_limit=seconds)
        result = certify.adequacy(problem, start=_floats(estimate), options=options)
        answers = [
            _told("hangprinter, nine measured positions", part, result.canonical, began) for part in result.parts
        ]
        return answers + _self_calibration(Path(folder), data, seconds)


def _self_calibration(folder: Path, data: dict[str, Any], seconds: float) -> list[dict[str, Any]]:
    """Lower ends from some of the poses, which hold for all: those are added that fit worst (the rounds between the
    first and the last only look for a witness, to choose by). The upper end is a witness of all.
    """
    everything = _experiment(folder, data, _positions(data))
    began = time.perf_counter()
    estimate = fitted(everything)
    problem, at = _boxed(everything, estimate), _floats(estimate)
    poses, chosen, answers = len(everything.poses), list(range(NINE)), []
    print(f"hangprinter, least squares with {poses} poses: {time.perf_counter() - began:.1f} s")
    for gap, limit in SEARCHES:
        errors = {pose: _fitted(problem, pose, poses, at) for pose in range(NINE, poses) if pose not in chosen}
        chosen += sorted(errors, key=lambda pose: -errors[pose])[:ADDED]
        began = time.perf_counter()
        some, places = _only(problem, chosen)
        options = certify.Options(gap=gap, time_limit=limit * seconds)
        result = certify.adequacy(some, start=at[places], options=options)
        name = f"hangprinter, {len(chosen)} of {poses} poses, {len(places)} unknowns, {len(some.families)} rows"
        answers.append(_told(name, result.parts[0], result.canonical, began))
        witness = result.parts[0].witness or {}
        at[places] = [
            float(witness.get(variable.name, at[place])) for variable, place in zip(some.variables, places, strict=True)
        ]
    for pose in range(poses):
        if pose not in chosen:
            _fitted(problem, pose, poses, at)
    began = time.perf_counter()
    result = certify.adequacy(problem, start=at, options=certify.Options(time_limit=1e-3))
    name = f"hangprinter, all {poses} poses, {len(at)} unknowns: a witness, no search"
    answers.append(_told(name, result.parts[0], result.canonical, began))
    print(
        f"so the smallest model error of all {poses} poses lies between "
        f"{max(a['lower'] for a in answers):.6f} and {answers[-1]['upper']:.6f} mm"
    )
    return answers


def _fitted(problem: Problem, pose: int, poses: int, at: Floats) -> float:
    """Move the unknowns of a pose in `at` to where its rows need the smallest error, the cables being as they are; that
    error, estimated.
    """
    families = tuple(range(pose, len(problem.families), poses))
    own = tuple(v for v, variable in enumerate(problem.variables) if variable.name.startswith(f"pose{pose + 1}."))
    found = minimise(problem.blocks, families, own, Box(*problem.box), at, 1.0)
    at[list(own)] = found.x[list(own)]
    return found.epsilon


def _floats(values: Sequence[Fraction]) -> Floats:
    return np.array([float(value) for value in values])


def _experiment(folder: Path, data: dict[str, Any], positions: Floats | None) -> Experiment:
    """A problem file about the measured positions; with `positions` of the others, which are then unknown within GUESS,
    about all.
    """
    advantage, lengths = data["mechanical_advantage"], data["line_lengths_when_at_origin"]
    text = f'format = "{FORMAT}"\ntitle = "Hangprinter"\nprovenance = "measured: by its owner"\nposes = "poses.csv"\n'
    text += MODEL.replace("{positions}", "columns" if positions is None else "pose_unknowns") + "[half_widths]\n"
    text += "".join(f'q{leg} = "1 deg"\n' for leg in range(1, 5))
    text += '[box]\ncentre = "least squares"\nradius = { a = "60 mm", l = "20 mm", r = "2 mm", turns = "0 1" }\n'
    for leg, (direction, length, ratio) in enumerate(zip(DIRECTIONS, lengths, advantage, strict=True), 1):
        anchor = ", ".join(f'"{part * length:.1f} mm"' for part in direction)
        text += (
            f'[legs.leg{leg}]\na = [{anchor}]\nl = "{length} mm"\nr = "75 mm"\nturns = '
            f'"{data["motor_gear_teeth"] / ratio} 1"\n'
        )
    (folder / "problem.toml").write_text(text)
    table = [
        [
            "pose",
            *(f"{name}{role} [mm]" for name in "xyz" for role in ("", " half-width")),
            *(f"q{leg} [deg]" for leg in range(1, 5)),
        ]
    ]
    for row, readings in enumerate(data["motor_pos_samp"] if positions is not None else data["motor_pos_samp"][:NINE]):
        place = data["xyz_of_samp"][row] if positions is None or row < NINE else np.round(positions[row], 4).tolist()
        cells = [cell for value in place for cell in (str(value), "1" if row < NINE else str(GUESS))]
        table.append([str(row + 1), *cells, *map(str, readings)])
    with (folder / "poses.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(table)
    return load_experiment(folder / "problem.toml")


def _positions(data: dict[str, Any]) -> Floats:
    """Where the platform may have been, by the least squares of the four lengths with rough anchors."""
    lengths = np.array(data["line_lengths_when_at_origin"])
    anchors = np.array(DIRECTIONS) * lengths[:, None]
    turns = data["motor_gear_teeth"] / data["spool_gear_teeth"] / np.array(data["mechanical_advantage"])
    found = []
    for readings in data["motor_pos_samp"]:
        place = np.array([0.0, 0.0, 700.0])
        for _ in range(100):
            reach = np.linalg.norm(place - anchors, axis=1)
            residual = reach - (lengths + 75.0 * np.radians(np.array(readings)) * turns)
            place = place - 0.5 * np.linalg.lstsq((place - anchors) / reach[:, None], residual, rcond=None)[0]
        found.append(place)
    return np.array(found)


def _boxed(experiment: Experiment, estimate: Sequence[Fraction]) -> Problem:
    """Every unknown within ROOM of the estimate (spools within 1 mm), the measured positions where they
    were measured.
    """
    variables = []
    for variable, value in zip(experiment.variables, estimate, strict=True):
        if variable.radius == 1 and variable.name.startswith("pose"):
            variables.append(variable)
        else:
            variables.append(
                replace(variable, nominal=value, radius=Fraction(1 if variable.name.endswith(".r") else ROOM))
            )
    boxed = replace(experiment, variables=tuple(variables))
    return boxed.problem(boxed.nominal)


def _only(problem: Problem, poses: list[int]) -> tuple[Problem, list[int]]:
    """The same boxes, with these poses only; and the numbers of the variables that are left."""
    families = [family for family in problem.families if int(family.name.partition(".pose")[2]) - 1 in poses]
    variables = sorted({b.index for family in families for b in family.bindings if not b.measured})
    columns = sorted({b.index for family in families for b in family.bindings if b.measured})

    def bound(binding: Binding) -> Binding:
        return Binding(binding.measured, (columns if binding.measured else variables).index(binding.index))

    kept = tuple(replace(family, bindings=tuple(map(bound, family.bindings))) for family in families)
    return Problem(
        tuple(problem.variables[v] for v in variables), tuple(problem.columns[c] for c in columns), kept
    ), variables


@dataclass(frozen=True)
class Joint:
    """A joint of the URDF: where it stands in the frame before it, a rotation of quarter turns, and its axis (0, 1, 2
    and a sign), if it turns.
    """

    name: str
    place: tuple[Fraction, ...]
    rotation: Floats
    axis: int
    sign: int


def read_arm(path: Path) -> tuple[Joint, ...]:
    """The joints from the base to the ball, in order; right angles are exact, and so is 45 degrees as far as doubles
    go.
    """
    joints: dict[str, Joint] = {}
    parents: dict[str, tuple[str, str]] = {}
    for name, kind, body in re.findall(
        r'<joint name="([^"]+)" type="([^"]+)">(.*?)</joint>', path.read_text(), re.DOTALL
    ):
        place, turns = (_attribute(body, "origin", word) for word in ("xyz", "rpy"))
        axis = [round(float(value)) for value in _attribute(body, "axis", "xyz")] if kind == "revolute" else [0, 0, 0]
        number = int(np.argmax(np.abs(axis))) if any(axis) else -1
        joints[name] = Joint(
            name, tuple(parse_decimal(value, name) * 1000 for value in place), _quarters(turns), number, sum(axis)
        )
        parents[_attribute(body, "child", "link")[0]] = _attribute(body, "parent", "link")[0], name
    chain, link = [], "ball_link"
    while link in parents:
        link, name = parents[link]
        chain.append(joints[name])
    return tuple(reversed(chain))


def _attribute(body: str, tag: str, name: str) -> list[str]:
    found = re.search(rf'<{tag}\b[^>]*\b{name}="([^"]*)"', body)
    return found[1].split() if found else ["0", "0", "0"]


def _quarters(angles: list[str]) -> Floats:
    """Rz(yaw) Ry(pitch) Rx(roll), with entries that are within 1e-12 of a whole number made exact."""
    roll, pitch, yaw = (float(angle) for angle in angles)
    matrix = _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)
    return np.where(np.abs(matrix - np.round(matrix)) < 1e-12, np.round(matrix), matrix)


def _about(axis: int, angle: float) -> Floats:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    return matrix


def ball(arm: Sequence[Joint], x: Any, m: Any) -> Any:
    """Forward kinematics from the ball back to the base. x has the ball, and in richer models the joints' translations
    t or offsets.
    """
    point, moving = x.ball, sum(joint.axis >= 0 for joint in arm)
    for joint in reversed(arm[:-1]):
        place = np.array(joint.place)
        if joint.axis >= 0:
            moving -= 1
            angle = m.q[moving] + x.offset[moving] if "offset" in vars(x) else m.q[moving]
            i, j = (joint.axis + 1) % 3, (joint.axis + 2) % 3
            c, s = certify.cos(angle), certify.sin(angle) * joint.sign
            point = point.copy()
            point[i], point[j] = c * point[i] - s * point[j], s * point[i] + c * point[j]
            place = x.t[moving] if "t" in vars(x) else place
        turned = [
            [int(r) * p if r == round(r) else r * p for r, p in zip(row, point, strict=True) if r]
            for row in joint.rotation
        ]
        point = np.array([sum(terms[1:], terms[0]) for terms in turned]) + place
    return point


def serial_arm(name: str, urdf: Path, folder: Path, seconds: float) -> list[dict[str, Any]]:
    """Is the nominal model refuted at the play, what error does it need, and what do translations or offsets of the
    joints change?
    """
    arm = read_arm(urdf)
    readings = [list(csv.reader((folder / f"hole_{socket}.csv").read_text().split())) for socket in (0, 1)]
    answers = []
    for model, unknowns, exact in (
        ("nominal", {}, False),
        ("nominal, angles exact", {}, True),
        ("translations within 5 mm", {"t": 5}, True),
        ("offsets within 0.5 deg", {"offset": Fraction(1, 2)}, True),
    ):
        problem = arm_problem(arm, readings, unknowns, Fraction(0) if exact else ANGLE)
        size = f"{name}, {model} ({len(problem.variables)} unknowns, {sum(f.rows for f in problem.families)} rows)"
        start = _start(problem)
        began = time.perf_counter()
        if not exact:
            options = certify.Options(time_limit=seconds)
            result = certify.decide(problem, PLAY, start=start, options=options)
            answers.append(_told(f"{size}: play {PLAY} mm", result.parts[-1], result.canonical, began))
            began = time.perf_counter()
        result = certify.adequacy(
            problem, start=start, options=certify.Options(gap=Fraction(1, 10**4), time_limit=seconds)
        )
        answers.append(_told(size, result.parts[-1], result.canonical, began))
    return answers


def arm_problem(
    arm: Sequence[Joint], readings: list[list[list[str]]], unknowns: dict[str, Any], angle: Fraction
) -> Problem:
    """Three rows for each reading, the ball's position less the socket's, and the distance of the sockets."""
    moving = [joint for joint in arm if joint.axis >= 0]
    nominal = [*((f"socket{k}_{c}", "mm", Fraction(0), Fraction(2000)) for k in (0, 1) for c in "xyz")]
    nominal += [(f"ball_{c}", "mm", value, Fraction(5)) for c, value in zip("xyz", arm[-1].place, strict=True)]
    shapes: dict[str, tuple[int, ...]] = {"ball": (3,)}
    if "t" in unknowns:
        shapes["t"] = (len(moving), 3)
        nominal += [
            (f"{j.name}_{c}", "mm", v, Fraction(unknowns["t"]))
            for j in moving
            for c, v in zip("xyz", j.place, strict=True)
        ]
    if "offset" in unknowns:
        shapes["offset"] = (len(moving),)
        nominal += [
            (f"{joint.name}_offset", "rad", Fraction(0), Fraction(unknowns["offset"]) * 355 / 113 / 180)
            for joint in moving
        ]
    variables = tuple(certify.Variable(n, unit, value - width, value + width) for n, unit, value, width in nominal)
    columns, families = [], []
    for socket, rows in enumerate(readings):
        first = len(columns)
        for number in range(len(moving)):
            values = [parse_decimal(row[number], "reading") for row in rows]
            half = angle * 355 / 113 / 180
            columns.append(
                certify.Column(
                    f"q{number + 1}_{socket}", "rad", tuple(v - half for v in values), tuple(v + half for v in values)
                )
            )
        for place, axis in enumerate("xyz"):
            tape = certify.trace(
                lambda x, m, place=place: ball(arm, x, m)[place] - x.socket,
                {"socket": (), **shapes},
                {"q": (len(moving),)},
            )
            unknown = [3 * socket + place, *range(6, len(variables))]
            bindings = tuple(Binding(False, v) for v in unknown) + tuple(
                Binding(True, first + i) for i in range(len(moving))
            )
            families.append(certify.Family(f"socket{socket}.{axis}", tape, len(rows), bindings, "mm"))
    tape = certify.trace(
        lambda x, m: certify.norm(x.first - x.second) - m.d, {"first": (3,), "second": (3,)}, {"d": ()}
    )
    middle, half = SOCKETS
    columns.append(certify.Column("distance", "mm", (middle - half,), (middle + half,)))
    families.append(
        certify.Family(
            "sockets", tape, 1, (*(Binding(False, v) for v in range(6)), Binding(True, len(columns) - 1)), "mm"
        )
    )
    return Problem(variables, tuple(columns), tuple(families))


def _start(problem: Problem) -> Floats:
    """Least squares from the nominal model."""
    low, high = problem.box
    return fit(problem.blocks, tuple(range(len(problem.families) - 1)), 0.5 * (low + high))
