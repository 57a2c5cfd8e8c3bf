"""After the best common rigid motion: turns that are read back of formulas, motions that are rigid, what is left over
against planted truth, and a robot whose base alone is wrong, which is not wrong at all.
"""

import json
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from planted_frames import NAMES, euler_zyx, made, poses, quaternion, write
from planted_poses import TRUTH, write_arm
from rigid_minimax import angles_left, frames_left, points_left
from scipy.spatial.transform import Rotation

from certify import Options, load_experiment
from certify.__main__ import main
from certify.accuracy.aligned import aligned, kind_of, points_of, told_apart
from certify.accuracy.assumptions import levels_of, parts_of
from certify.accuracy.outputs import Axis, Deviation
from certify.accuracy.question import Asked, Workspace, accuracy
from certify.alignment.left_over import least_left, positive_definite
from certify.alignment.motions import ANGLE, FRAME, POINT
from certify.alignment.turns import turns_of
from certify.arms.workspaces import cube_of
from certify.branches.enclosing import ARITHMETIC, Program, middles
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import box_centre
from certify.solvers.fits.plain_fit import residuals


def places(*vectors):
    """Vectors as thin intervals."""
    return [[ARITHMETIC.enclose(Fraction(float(part))) for part in vector] for vector in vectors]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_points_that_a_motion_has_moved_are_brought_back(size, seed):
    random = np.random.default_rng(seed)
    b = random.uniform(-500, 500, (20, size))
    turn = Rotation.from_rotvec([0, 0, 0.3] if size == 2 else random.uniform(-1, 1, 3)).as_matrix()[:size, :size]
    a = b @ turn.T + random.uniform(-50, 50, size)
    assert least_left(POINT, places(*np.hstack([b, a - b])))[0] < Fraction(1, 1000)
    a[3] += random.uniform(-1, 1, size)
    assert least_left(POINT, places(*np.hstack([b, a - b])))[0] > Fraction(1, 1000)


def drawn(kind, random):
    """Poses of which a part is no rigid motion."""
    if kind == ANGLE:
        return random.uniform(-2, 2, (12, 2))
    if kind == FRAME:
        found = Rotation.from_rotvec(random.uniform(-0.01, 0.01, (12, 3))).as_quat()
        return found[:, [3, 0, 1, 2]]
    size = 2 if kind == "plane" else 3
    return np.hstack([random.uniform(-400, 400, (12, size)), random.uniform(-1, 1, (12, size))])


@pytest.mark.parametrize("kind", [POINT, "plane", FRAME, ANGLE])
@pytest.mark.parametrize("seed", range(3))
def test_no_motion_that_is_found_leaves_less(kind, seed):
    """What is found ends above what is proved, and not far above."""
    random = np.random.default_rng(seed)
    told = drawn(kind, random)
    proved, numbers = least_left(POINT if kind == "plane" else kind, places(*told))
    if kind == FRAME:
        best = frames_left(told)
    elif kind == ANGLE:
        best = angles_left(told[:, 1])
    else:
        size = told.shape[1] // 2
        best = points_left(told[:, :size] + told[:, size:], told[:, :size])
    assert 0 < proved <= best * (1 + 1e-9)
    assert proved >= 0.97 * best
    assert set(numbers) <= set(range(12))


def test_what_is_only_enclosed_leaves_less():
    exact = places([0, 1], [0, -1])
    assert Fraction(999, 1000) < least_left(ANGLE, exact)[0] <= 1
    wide = [[(low - ARITHMETIC.one // 10, high + ARITHMETIC.one // 10) for low, high in place] for place in exact]
    assert least_left(ANGLE, wide)[0] <= Fraction(9, 10)
    assert least_left(POINT, [[value, value, value, value] for (value, _) in wide])[0] == 0


@pytest.mark.parametrize("shift", [Fraction(1, 10**9), -Fraction(1, 10**9), Fraction(0)])
def test_a_matrix_is_positive_definite_if_all_pivots_are(shift):
    matrix = [[Fraction(2) + shift, Fraction(2)], [Fraction(2), Fraction(2)]]
    assert positive_definite(matrix) == (shift > 0)
    assert not positive_definite([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]])


def spatial(folder, *words, told="euler", unit="rad"):
    """The experiment of the spatial arm, and its problem about the planted place."""
    joints, frames = poses(15)
    seen = np.linalg.inv(frames) if "--on-hand" in words else frames
    how = {"euler": euler_zyx, "quaternion": quaternion, "vector": lambda r: Rotation.from_matrix(r).as_rotvec()}[told]
    turns = [how(f[:3, :3]) for f in seen]
    names = ["qw", "qx", "qy", "qz"] if told == "quaternion" else [f"{name} [{unit}]" for name in ("rx", "ry", "rz")]
    write(folder, [*NAMES, "x", "y", "z", *names], np.hstack([joints, 1000 * seen[:, :3, 3], turns]))
    words = [*words, *(["--orientation", "rotation vector"] if told == "vector" else [])]
    assert made(folder, "--measure", "pose", "--half-width", "0.1 mm, 0.001 rad, 0.001 1", *words) == 0
    experiment = load_experiment(folder / "arm" / "problem.toml")
    return experiment, experiment.problem(box_centre(replace(experiment, centre="nominal"), experiment.nominal))


def of_part(experiment, problem, name, **changes):
    """The deviation of an equation over a box of all joints about the first pose."""
    families = tuple(f for f in problem.families if f.name.startswith(name))
    first, tenth = [problem.columns[k].lower[0] for k in range(3)], Fraction(1, 10)
    axes = tuple(Axis(k, q - tenth, q + tenth) for k, q in enumerate(first))
    turns = turns_of(experiment).get(name, ())
    return Deviation(problem, families, experiment.nominal, frozenset(), axes, turns=turns, **changes)


@pytest.mark.parametrize("told", ["euler", "quaternion", "vector"])
@pytest.mark.parametrize("on_hand", [False, True])
@pytest.mark.parametrize("turned", [True, False])
def test_frames_are_turned_apart_as_the_rows_say(told, on_hand, turned, tmp_path, capsys):
    """Rows tell 2 vec(conj(m) Q), and the scalar is positive near what was read: so both Q are known but for m."""
    experiment, problem = spatial(tmp_path, *(["--on-hand"] if on_hand else []), told=told)
    deviation = of_part(experiment, problem, "orientation", turned=turned)
    assert deviation.turns
    random = np.random.default_rng(3)
    x0 = np.array([float(v) for v in deviation.at])
    radii = np.array([float(v.upper - v.lower) / 2 for v in problem.variables])
    x = [Fraction(round(v * 2**30), 2**30) for v in (x0 + random.uniform(-1, 1, x0.size) * radii).tolist()]
    q = [low + Fraction(int(random.integers(0, 64)), 64) * (high - low) for low, high in experiment_ends(deviation)]
    pairs = []
    for point in (np.array([float(v) for v in x]), x0):
        values = []
        for family in deviation.families:
            index = problem.families.index(family)
            rows = problem.blocks[index]
            middle = 0.5 * (rows.lower + rows.upper)
            columns = [b.index for b in family.bindings if b.measured]
            for place, column in zip(rows.measured_inputs, columns, strict=True):
                if column < 3:
                    middle[place, 0] = float(q[column])
            values.append(residuals(rows, point, middle)[0][0])
        vector = np.array(values) / 2000
        pairs.append(Rotation.from_quat([*vector, np.sqrt(1 - vector @ vector)]))
    apart = pairs[0] * pairs[1].inv()
    wanted = 2000 * np.linalg.norm(apart.as_quat()[:3])
    found = [component(deviation, x, q, u) for u in np.eye(3)] if turned else plainly(deviation, x, q)
    assert abs(np.linalg.norm(found) - wanted) < 1e-6 * max(wanted, 1.0)
    frame = middles(told_apart(deviation, dict(enumerate(x)), [[(v, v) for v in q]])[0])
    assert abs(2000 * np.linalg.norm(frame[1:]) - wanted) < 1e-6 * max(wanted, 1.0)
    assert abs(np.linalg.norm(frame) - 1) < 1e-12


def plainly(deviation, x, q):
    program = Program(deviation.components, {k: ARITHMETIC.enclose(v) for k, v in enumerate(x)})
    return middles(program.at([ARITHMETIC.enclose(v) for v in q]))


def component(deviation, x, q, u):
    """The same where joints are told by their cosines and sines."""
    local = []
    for value, arc in zip(q, deviation.arcs, strict=True):
        c, s = (
            Fraction(float(wave))
            for wave in (
                float(arc.cosine) * np.cos(float(value)) + float(arc.sine) * np.sin(float(value)),
                float(arc.cosine) * np.sin(float(value)) - float(arc.sine) * np.cos(float(value)),
            )
        )
        local += [value, c, s]
    inputs = [*x, *local, *(Fraction(float(part)) for part in u)]
    return middles(Program(deviation.tape, {}).at([ARITHMETIC.enclose(value) for value in inputs]))[0]


def experiment_ends(deviation):
    return [(axis.low, axis.high) for axis in deviation.axes]


def test_formulas_that_were_changed_are_not_taken_for_turns(tmp_path, capsys):
    spatial(tmp_path)
    path = tmp_path / "arm" / "problem.toml"
    text = path.read_text()
    start = text.index("r1 = ")
    changed = text[:start] + text[start:].replace("cos(", "1*cos(", 1)
    path.write_text(changed)
    assert turns_of(load_experiment(path)) == {}
    words = ["--joints", "q1 = 0 rad, q2 = 0 rad, q3 = 0 rad", "--epsilon", "1 mm, 1 mrad", "--quiet"]
    assert main(["accuracy", str(path), *words, "--out", str(tmp_path / "out")]) == 2
    assert "depends on rx, ry, rz" in capsys.readouterr().err


def test_of_a_sum_only_the_last_term_is_halved(tmp_path, capsys):
    """cos(q1 + o1/2) is no half of a turn by q1 + o1."""
    experiment, _ = spatial(tmp_path)
    assert turns_of(experiment)
    model = experiment.kind.model
    for angle in ("q1 + o1", "o1 - q1", "a1 - -o1"):
        changed = tuple((name, text.replace("(a1/2)", f"({angle}/2)")) for name, text in model.definitions)
        assert changed != tuple(model.definitions)
        kind = replace(experiment.kind, model=replace(model, definitions=changed))
        assert turns_of(replace(experiment, kind=kind)) == {}


def test_a_known_turn_of_another_length_than_the_rows_divide_by_is_none(tmp_path, capsys):
    """Rows of twice the length would tell half of the turn, and be half of the error that is assumed."""
    experiment, _ = spatial(tmp_path)
    model = experiment.kind.model
    (quarter,) = (text for name, text in model.definitions if name == "r8")
    half = "[0.5*r7[1] - 0.5*r7[3], 0.5*r7[2] + 0.5*r7[4], 0.5*r7[1] + 0.5*r7[3], -0.5*r7[2] + 0.5*r7[4]]"
    assert half.replace("0.5*", "") == quarter
    for text, scale, taken in ((quarter, "1", True), (half, "1", False), (half, "2/sqrt(2)", False), (half, "2", True)):
        definitions = tuple((name, text if name == "r8" else known) for name, known in model.definitions)
        equations = tuple((name, known.replace("1*[r21", f"{scale}*[r21")) for name, known in model.equations)
        kind = replace(experiment.kind, model=replace(model, definitions=definitions, equations=equations))
        assert bool(turns_of(replace(experiment, kind=kind))) == taken


@pytest.mark.parametrize("part", ["position", "orientation"])
def test_a_motion_is_rigid_and_takes_the_base_off(part, tmp_path, capsys):
    """For parameters anywhere in the box: distances stay, turns between two poses stay; and of the base's own
    parameters nothing is left but what is of second order.
    """
    experiment, problem = spatial(tmp_path)
    plain = of_part(experiment, problem, part)
    random = np.random.default_rng(5)
    x0 = np.array([float(v) for v in plain.at])
    moved = aligned(plain, points_of(plain), replace(problem, families=plain.families, groups=()), x0)
    radii = np.array([float(v.upper - v.lower) / 2 for v in problem.variables])
    x = x0 + random.uniform(-1, 1, x0.size) * radii
    based = x0 + random.uniform(-1, 1, x0.size) * radii * [v.name.startswith("base") for v in problem.variables]
    joints = [[low + Fraction(k, 3) * (high - low) for low, high in experiment_ends(plain)] for k in range(4)]

    def told(deviation, point):
        program = Program(
            deviation.components, {k: ARITHMETIC.enclose(Fraction(v)) for k, v in enumerate(point.tolist())}
        )
        return np.array([middles(program.at([ARITHMETIC.enclose(v) for v in q])) for q in joints])

    assert np.abs(told(moved, x0)).max() < 1e-12
    before, after = np.abs(told(plain, based)).max(), np.abs(told(moved, based)).max()
    assert after < 0.01 * before
    if part == "position":
        fixed = dict(enumerate(plain.at))
        base = np.array([middles(p[:3]) for p in told_apart(plain, fixed, [[(v, v) for v in q] for q in joints])])
        here, there = base + told(plain, x), base + told(moved, x)
        assert np.abs(here - there).max() > 1e-3
        off = [np.linalg.norm(here[k] - here[0]) - np.linalg.norm(there[k] - there[0]) for k in range(4)]
        assert np.abs(off).max() < 1e-9
    else:
        turns = [
            [Rotation.from_quat([*v / 2000, np.sqrt(1 - v @ v / 4e6)]) for v in told(deviation, x)]
            for deviation in (plain, moved)
        ]
        common = [there * here.inv() for here, there in zip(*turns, strict=True)]
        assert max((turn * common[0].inv()).magnitude() for turn in common) < 1e-9
        assert common[0].magnitude() > 1e-6


def test_what_is_no_place_of_a_body_is_refused(tmp_path):
    path = write_arm(tmp_path)
    path.write_text(path.read_text().replace("- [x, y]", "- 2*[x, y]"))
    experiment = load_experiment(path)
    problem = experiment.problem(box_centre(experiment, experiment.nominal))
    axes = (Axis(0, Fraction(0), Fraction(1)), Axis(1, Fraction(0), Fraction(1)))
    deviation = Deviation(problem, problem.families[:2], experiment.nominal, frozenset(), axes)
    with pytest.raises(InputError, match="less the one that is read"):
        kind_of(deviation)
    with pytest.raises(InputError, match="no position in the plane"):
        kind_of(replace(deviation, families=problem.families[:1]))


def tips(x, q1, q2):
    """Where the tip of the planar arm is (in mm) and how it is turned (in mrad)."""
    a1 = np.radians(q1 + x[4])
    a2 = a1 + np.radians(q2)
    place = x[0] + x[2] * np.cos(a1) + x[3] * np.cos(a2), x[1] + x[2] * np.sin(a1) + x[3] * np.sin(a2)
    return np.array(place).reshape(2, -1).T, 1000 * a2.ravel()


def least_of(name, x, at, width):
    """What the best common motion leaves of the deviation over a grid of the box (estimated)."""
    q1, q2 = np.meshgrid(20 + width * np.linspace(0, 1, 7), 20 + width * np.linspace(0, 1, 7))
    (here, a), (there, b) = tips(x, q1, q2), tips(at, q1, q2)
    return angles_left(a - b) if name == "orientation" else points_left(here, there)


def asked_about(folder, seed, width):
    experiment = load_experiment(write_arm(folder, seed=seed, poses=10))
    problem = experiment.problem(box_centre(replace(experiment, centre="nominal"), experiment.nominal))
    chosen = np.random.default_rng(seed)
    truth = np.array([TRUTH[v.name] for v in problem.variables])
    at = tuple(Fraction(f"{v + chosen.uniform(-0.1, 0.1):.4f}") for v in truth)
    levels = levels_of(problem, dict.fromkeys(parts_of(problem), Fraction(1, 20)), at)
    axes = tuple(Axis(k, Fraction(20), 20 + Fraction(width)) for k in range(2))
    return problem, truth, Asked(at, frozenset(), levels, (Workspace("box", axes),), aligned=True)


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(1, 8))])
def test_the_truth_of_a_planted_arm_is_never_further_off(seed, tmp_path):
    width = 5 + 3 * seed
    problem, truth, asked = asked_about(tmp_path, seed, width)
    used = np.array([float(v) for v in asked.at])
    plain = accuracy(problem, replace(asked, aligned=False), options=Options()).guarantees[0]
    position, orientation = accuracy(problem, asked, options=Options()).guarantees
    assert least_of("position", truth, used, width) <= position.upper * (1 + Fraction(1, 10**6))
    assert position.upper < plain.upper / 2
    assert orientation.upper < Fraction(1, 10**4)  # it differs by one number, wherever the robot stands
    if position.attained is not None:
        x = np.array([float(position.attained.x[v.name]) for v in problem.variables])
        assert 0 < position.lower <= least_of("position", x, used, width) * (1 + 1e-6)
        assert len(position.attained.points) > 1


def joints_of(x, places, side):
    """Both joints of tips in degrees, in closed form; the second one has this sign."""
    u, v = places[:, 0] - x[0], places[:, 1] - x[1]
    second = side * np.arccos((u * u + v * v - x[2] ** 2 - x[3] ** 2) / (2 * x[2] * x[3]))
    first = np.arctan2(v, u) - np.arctan2(x[3] * np.sin(second), x[2] + x[3] * np.cos(second))
    return np.degrees(first) - x[4], np.degrees(second)


def consistent(problem, xs):
    """Which parameters (N, 5) are within 0.05 mm and 0.05 mrad of some measurements, and in the box (floats)."""
    ends = {c.name: np.array([c.lower, c.upper], dtype=float) for c in problem.columns}
    found = np.ones(len(xs), dtype=bool)
    for k in range(len(ends["q1"][0])):
        tip, turned = tips(xs.T, ends["q1"][0, k], ends["q2"][0, k])
        off = [np.maximum(ends[name][0, k] - at, at - ends[name][1, k]) for name, at in zip("xy", tip.T, strict=True)]
        found &= np.hypot(*np.maximum(off, 0)) <= 0.05
        low, high = 1000 * np.radians(ends["theta"][:, k])
        found &= np.maximum(low - turned, turned - high) <= 0.05
    low, high = np.array([(v.lower, v.upper) for v in problem.variables], dtype=float).T
    return found & ((low <= xs) & (xs <= high)).all(axis=1)


def mean_left(xs, joints, places):
    """Of parameters (N, 5) the root of the mean square that the best motion leaves: no more than the most it leaves."""
    b = places @ [1, 1j]
    a = np.array([tips(x, *joints)[0] @ [1, 1j] for x in xs])
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean()
    square = (abs(a) ** 2).mean(axis=1) + (abs(b) ** 2).mean() - 2 * abs((a * b.conj()).mean(axis=1))
    return np.sqrt(np.maximum(square, 0.0))


def furthest(problem, truth, joints, places, random):
    """Consistent parameters of which much is left: the ends of rays from the truth, again and again near the best."""
    best, scale = np.zeros(5), np.array([0.1, 0.1, 0.1, 0.1, 0.01])
    for spread in (1.0, 1.0, 0.4, 0.2, 0.1):
        rays = best + spread * random.normal(size=(100, 5)) * scale
        rays /= np.linalg.norm(rays / scale, axis=1, keepdims=True)
        low, high = np.zeros(100), np.full(100, 100.0)
        for _ in range(16):
            middle = (low + high) / 2
            inside = consistent(problem, truth + middle[:, None] * rays)
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        ends = truth + low[:, None] * rays
        found = int(mean_left(ends, joints, places).argmax())
        best, kept = rays[found], ends[found]
    return kept


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [2])
def test_over_a_cube_no_consistent_arm_is_further_off(seed, tmp_path):
    """Positions of a grid between the corners of cells, joints in closed form by the parameters in use, and consistent
    parameters that were looked for: both ends hold, and the upper one is nearer than without a motion.
    """
    problem, truth, asked = asked_about(tmp_path, seed, 1)
    chosen, used = np.random.default_rng(seed), np.array([float(v) for v in asked.at])
    edge, side = int(chosen.integers(60, 150)), int(chosen.choice([-1, 1]))
    q1, q2 = int(chosen.integers(-60, 60)), side * int(chosen.integers(70, 100))
    columns = {column.name: number for number, column in enumerate(problem.columns)}
    experiment = load_experiment(tmp_path / "problem.toml")
    cube = cube_of(f"{edge} mm", f"q1 = {q1} deg, q2 = {q2} deg", "tool", columns, experiment, problem)
    asked = replace(asked, workspaces=(cube,), cells=16)
    plain = accuracy(problem, replace(asked, aligned=False), options=Options(time_limit=inf)).guarantees[0]
    position, orientation = accuracy(problem, asked, options=Options(time_limit=inf)).guarantees
    grid = edge * np.linspace(-0.5, 0.5, 8)
    places = tips(used, q1, q2)[0] + np.array([(a, b) for a in grid for b in grid])
    joints = joints_of(used, places, side)
    x = furthest(problem, truth, joints, places, chosen)
    here, there = (tips(found, *joints)[0] for found in (x, used))
    assert np.abs(there - places).max() < 1e-9
    left = points_left(here, there)
    assert position.upper is not None and mean_left(truth[None], joints, places)[0] <= position.upper
    assert left <= position.upper * (1 + Fraction(1, 10**6))
    assert position.upper < plain.upper / 2
    assert orientation.upper < Fraction(1, 10**4)
    assert 0 < position.lower <= position.upper and left > 0.8 * position.lower
    witness = np.array([float(position.attained.x[v.name]) for v in problem.variables])
    shown = np.array([[float(v) for v in q] for q in position.attained.points]).T
    assert np.abs(tips(used, *shown)[0] - tips(used, q1, q2)[0]).max() <= edge / 2 + 1e-6
    assert (np.sign(shown[1]) == side).all() and shown.shape[1] > 1
    assert position.lower <= points_left(tips(witness, *shown)[0], tips(used, *shown)[0]) * (1 + 1e-6)


def test_the_command_says_which_motion_is_meant(tmp_path, capsys):
    path = write_arm(tmp_path / "arm")
    words = ["accuracy", str(path), "--joints", "q1 = 10 +- 5 deg, q2 = 20 .. 30 deg", "--aligned", "--quiet"]
    assert main([*words, "--json", "--out", str(tmp_path / "out")]) in (0, 3)
    told = json.loads(capsys.readouterr().out)
    assert all(told["certificates"].values())
    (position,) = (found for found in told["guarantees"] if found["name"] == "position")
    assert position["frame"] == "best rigid motion"
    assert 0 < position["deviation"][0] <= position["deviation"][1] < 0.1
    assert all(len(point) == 2 for point in position["witness_joints"])


def test_what_is_taken_for_coordinates_is_told(tmp_path, capsys):
    """No formula says whether two lengths are those of cables, of which a rigid motion is none."""
    path = write_arm(tmp_path / "arm")
    words = ["accuracy", str(path), "--joints", "q1 = 10 +- 1 deg, q2 = 20 .. 21 deg", "--quiet"]
    assert main([*words, "--aligned", "--hold", "B", "--out", str(tmp_path / "out")]) in (0, 3)
    told = capsys.readouterr().out
    assert "position: x, y are taken for the Cartesian coordinates of a point, which the motion moves" in told
    record, frame = (
        json.loads((tmp_path / "out" / "result.json").read_text()),
        "best rigid motion, with B_x, B_y as in use",
    )
    assert record["points"] == {"position": ["x", "y"]}
    assert {found["frame"] for found in record["guarantees"]} == {frame}
    page = (tmp_path / "out" / "report.html").read_text()
    assert f"<td>{frame}</td>" in page
    assert f"deviation; {frame}" in page
