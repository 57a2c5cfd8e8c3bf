"""certify new arm: columns are found or asked for, base and tool are where they were planted, redundant parameters are
held by name, and what is written runs to checked certificates and back to a URDF.
"""

import json
from fractions import Fraction

import numpy as np
import pytest
from planted_frames import BASE, NAMES, OFFSETS, URDF, asked, euler_zyx, made, poses, quaternion, write
from planted_urdf import chain_of, tip_frame
from scipy.spatial.transform import Rotation

from certify.arms.suspected import ball_in
from certify.contractors.tape.evaluation import evaluate
from certify.problems.arms.arm import IDENTITY, Arm, Joint
from certify.problems.arms.measurement import Measurement
from certify.problems.arms.model import arm_model
from certify.problems.arms.placing import Flange
from certify.problems.arms.words import FREE, chosen, rooms
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment

PARAMETERS = "parameter,unit,blueprint,least squares,witness\npan_joint,deg,0,0,{}\n"


def test_from_a_urdf_to_certificates_and_back(tmp_path, capsys):
    joints, frames = poses(12)
    points = 1000 * frames[:, :3, 3] + np.random.default_rng(2).uniform(-0.01, 0.01, (12, 3))
    header = [*NAMES, "x [mm]", "y [mm]", "z [mm]"]
    write(tmp_path, header, np.hstack([joints, points]))
    words = ["--half-width", "0.02 mm", "--free", "base, tool, offsets", "--within", "2 mm, 5 mrad"]
    assert made(tmp_path, *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["poses"] == 12
    assert told["held"] == ["o1", "o3"]  # the same as the base's turn, and as the tool's place
    assert "o2" in told["free"]
    assert told["estimated_rms_mm"] < 2.0
    assert asked("run", tmp_path / "arm" / "problem.toml", "--workers", "1") == 0
    answer = json.loads(capsys.readouterr().out)
    (part,) = answer["parts"]
    assert (part["verdict"], part["verified"]) == ("adequate", True)
    assert asked("correct", tmp_path / "arm", "--values", "witness") == 0
    out = tmp_path / "arm" / "certified"
    assert json.loads(capsys.readouterr().out)["files"] == ["corrected.urdf", "corrected.csv"]
    values = {
        row.split(",")[0]: row.split(",")[3] for row in (out / "corrected.csv").read_text().split("\n")[3:] if row
    }
    offsets = {k: float(values.get(f"o{k + 1}", 0.0)) for k in range(3)}
    errors = {k: (np.zeros(3), (), offset) for k, offset in offsets.items()}
    assert abs(offsets[1] - OFFSETS[1]) < 2e-4
    for q in joints[:3]:
        wanted = tip_frame(chain_of(URDF, "tool0"), q, errors)
        again = tip_frame(chain_of((out / "corrected.urdf").read_text(), "tool0", exact=True), q)
        assert np.abs(again - wanted).max() < 1e-12


@pytest.mark.parametrize("told", ["euler", "quaternion"])
@pytest.mark.parametrize("on_hand", [False, True])
def test_frames_are_found_where_they_were_planted(tmp_path, capsys, told, on_hand):
    joints, frames = poses(15, offsets=dict.fromkeys(range(3), 0.0))
    seen = np.linalg.inv(frames) if on_hand else frames
    turns = [euler_zyx(f[:3, :3]) if told == "euler" else quaternion(f[:3, :3]) for f in seen]
    names = ["rx", "ry", "rz"] if told == "euler" else ["qw", "qx", "qy", "qz"]
    write(tmp_path, [*NAMES, "x", "y", "z", *names], np.hstack([np.degrees(joints), seen[:, :3, 3], turns]))
    words = ["--measure", "pose", "--half-width", "0.1 mm, 0.001 rad, 0.001 1", "--redundant", "leave"]
    assert made(tmp_path, *words, *(["--on-hand"] if on_hand else [])) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimated_rms_mm"] < 1e-3
    assert found["estimated_rms_mrad"] < 1e-2
    assert any(
        "found, unit by the size of its numbers" in line and "pan_joint' [deg]" in line for line in found["told"]
    )
    if told == "euler":
        assert any("ZYX was taken" in line for line in found["told"])
    problem = load_experiment(tmp_path / "arm" / "problem.toml")
    assert {family.unit for family in problem.families} == {"mm", "mrad"}
    off = [float(abs(c - p.nominal)) for c, p in zip(problem.centre, problem.blueprint, strict=True)]
    assert max(off) < 0.05  # nothing was wrong with the arm, and the fit to both says so


OFF = 1e-4  # rad


@pytest.mark.thorough
def test_orientations_alone_determine_what_turns(tmp_path, capsys):
    joints, frames = poses(9)
    turns = np.array([euler_zyx(f[:3, :3]) for f in frames])
    turns += np.random.default_rng(4).uniform(-OFF, OFF, turns.shape)
    write(tmp_path, [*NAMES, "rx [rad]", "ry [rad]", "rz [rad]"], np.hstack([joints, turns]))
    assert made(tmp_path, "--measure", "orientation", "--half-width", "0.00001 rad") == 0
    told = json.loads(capsys.readouterr().out)
    names = {name.partition("_")[0] for name in (*told["free"], *told["held"])}
    assert names <= {"base", "tool", "o1", "o2", "o3", "tilt1", "tilt2", "tilt3"}
    assert not {"base_x", "tool_x"} & {*told["free"], *told["held"]}
    assert any("alone leave" in line and "mm" not in line for line in told["told"])
    assert asked("run", tmp_path / "arm" / "problem.toml", "--workers", "1", "--gap", "1e-2") == 0
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert (part["name"], part["verdict"], part["verified"]) == ("orientation", "inadequate", True)
    assert 0 < float(part["epsilon"][0]) <= 3000 * OFF  # mrad: no more than the three turns that were added


def test_balls_in_sockets(tmp_path, capsys):
    joints, _ = poses(20)
    write(tmp_path, NAMES, joints)
    for name, rows in (("one.csv", joints[:9]), ("two.csv", joints[9:])):
        (tmp_path / name).write_text("\n".join(";".join(f"{v:.6f}".replace(".", ",") for v in row) for row in rows))
    common = ["new", "arm", "--urdf", tmp_path / "three.urdf", "--tip", "tool0", "--out", tmp_path / "arm"]
    data = ["--data", tmp_path / "one.csv", "--data", tmp_path / "two.csv", "--measure", "socket", "--sockets", "2"]
    words = [*common, *data, "--distance", "50 mm +- 0.1 mm"]
    assert asked(*words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["poses"] == 20
    assert any("that is much" in line for line in found["told"])  # the ball was nowhere
    experiment = load_experiment(tmp_path / "arm" / "problem.toml")
    assert [family.name for family in experiment.families] == ["closure.x", "closure.y", "closure.z", "closure.d12"]
    columns = {column.name: column for column in experiment.columns}
    assert sum(columns["is1"].lower) == 9
    assert columns["d12"].upper[0] - columns["d12"].lower[0] == pytest.approx(0.2)


def test_a_column_says_in_which_socket_the_ball_was(tmp_path, capsys):
    joints, _ = poses(21)
    numbers = np.arange(21) % 3 + 1
    write(tmp_path, [*NAMES, "hole"], np.column_stack([joints, numbers]))
    words = ("--measure", "socket", "--sockets", "3", "--distance", "1-3 50 mm", "--redundant", "leave")
    assert made(tmp_path, *words) == 0
    assert any("socket is 'hole' [1] (found" in line for line in json.loads(capsys.readouterr().out)["told"])
    experiment = load_experiment(tmp_path / "arm" / "problem.toml")
    assert [family.name for family in experiment.families] == ["closure.x", "closure.y", "closure.z", "closure.d13"]
    problem = experiment.problem(experiment.nominal)
    places = {variable.name: v for v, variable in enumerate(problem.variables)}
    x = np.array([float(value) for value in experiment.nominal])
    rows, moved = problem.blocks[0], x.copy()
    moved[places["socket2_x"]] += 1.0
    middle = 0.5 * (rows.lower + rows.upper)
    values = [evaluate(rows.tape, *rows.with_box(at, at, middle, middle)).estimated_middle[0] for at in (x, moved)]
    assert values[1] - values[0] == pytest.approx(-1.0 * (numbers == 2), abs=1e-9)
    for wrong, told in ((("2",), "and the sockets are 1 to 2"), (("4",), "the ball was never in socket 4")):
        assert made(tmp_path, "--measure", "socket", "--sockets", *wrong) == 2
        assert told in capsys.readouterr().err


def test_several_points_and_distances_are_placed(tmp_path, capsys):
    joints, _ = poses(30, offsets=dict.fromkeys(range(3), 0.0))
    tips = np.array([tip_frame(chain_of(URDF, "tool0"), q) for q in joints])
    tools, anchor = np.array([[0.1, 0.02, -0.05], [-0.07, 0.1, 0.03]]), np.array([1.1, -0.4, 0.2])
    seen = [(BASE @ t @ np.append(tool, 1.0))[:3] for t in tips for tool in tools]
    header = [*NAMES, *(f"{axis}{k} [m]" for k in (1, 2) for axis in "xyz"), "length [m]"]
    lengths = [[np.linalg.norm((t @ np.append(tools[0], 1.0))[:3] - anchor)] for t in tips]
    write(tmp_path, header, np.hstack([joints, np.reshape(seen, (30, 6)), lengths]))
    assert made(tmp_path, *HALF, "--points", "2") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimated_rms_mm"] < 1e-3
    written = load_experiment(tmp_path / "arm" / "problem.toml")
    assert [family.name for family in written.families] == [f"position.{axis}{k}" for k in (1, 2) for axis in "xyz"]
    values = {parameter.name: float(parameter.nominal) for parameter in written.blueprint}
    assert [values[f"tool2_{axis}"] for axis in "xyz"] == pytest.approx(1000 * tools[1], abs=1e-2)
    assert made(tmp_path, *HALF, "--measure", "distance", "--free", "anchor, tool, offsets, zero") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimated_rms_mm"] < 1e-3
    values = {p.name: float(p.nominal) for p in load_experiment(tmp_path / "arm" / "problem.toml").blueprint}
    assert [values[f"anchor_{axis}"] for axis in "xyz"] == pytest.approx(1000 * anchor, abs=1e-2)


HALF = ["--half-width", "0.1 mm"]
MISTAKES = [
    (["--columns", "x=nowhere [mm]"], "has no column 'nowhere'"),
    (["--columns", "u=x [mm]"], "the model has no u"),
    ([*HALF, "--free", "elbows"], "there is no 'elbows'"),
    ([*HALF, "--free", "base, tool", "--fix", "all"], "leaves nothing free"),
    ([*HALF, "--within", "2"], "is no length and no angle"),
    ([*HALF, "--within", "-2 mm"], "is negative"),
    (["--half-width", "0.1"], "has no unit that is known"),
    (["--half-width", "0.2 N, 0.1 mm"], "has no unit of an arm"),
    (["--orientation", "ZYX"], "belongs to --measure pose"),
    (["--measure", "pose", "--orientation", "ZZX"], "is not known"),
    (["--sockets", "2"], "belongs to --measure socket"),
    (["--measure", "distance"], "where is length"),
    (["--joint-half-width", "1 mm"], "write how far a joint may be off in rad"),
    (["--times", "0"], "not between 0 and 100"),
    ([], "how far may x"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_every_mistake_is_named(tmp_path, capsys, words, message):
    joints, frames = poses(4)
    write(tmp_path, [*NAMES, "x", "y", "z"], np.hstack([joints, frames[:, :3, 3]]))
    assert made(tmp_path, *words) == 2
    assert message in capsys.readouterr().err


def test_what_could_be_two_columns_is_asked_for(tmp_path, capsys):
    joints, frames = poses(4)
    header = [*NAMES, "x", "y", "z", "px", "py", "pz"]
    write(tmp_path, header, np.hstack([joints, frames[:, :3, 3], frames[:, :3, 3]]))
    assert made(tmp_path, "--half-width", "1 mm") == 2
    assert "it could be x, y, z or px, py, pz; say --columns" in capsys.readouterr().err


MM = ["x [mm]", "y [mm]", "z [mm]"]
DEVIATIONS = ["x_std [mm]", "X_std [um]", "y_std [mm]", "z_std [mm]"]


@pytest.mark.parametrize(
    ("header", "words", "message"),
    [
        ([*NAMES, *MM, "X [m]"], HALF, "two columns are called alike, 'x [mm]' and 'X [m]'"),
        ([*NAMES, *MM, "pan [rad]", "PAN [deg]"], HALF, "alike, 'pan [rad]' and 'PAN [deg]'"),
        ([*NAMES, *MM, *DEVIATIONS], [], "alike, 'x_std [mm]' and 'X_std [um]'; rename one"),
        ([*NAMES, *MM], [*HALF, "--columns", "q1=x [rad]"], "column 'x [mm]' would be both q1 and x"),
        ([*NAMES, *MM], [*HALF, "--columns", "q1=4 [rad]"], "column 'x [mm]' would be both q1 and x"),
        ([*NAMES, *MM], [*HALF, "--columns", "x=y, y=y"], "column 'y [mm]' would be both x and y"),
        ([*NAMES, *MM, "u"], [*HALF, "--columns", "x=x, x=u"], "x is stated twice"),
        ([*NAMES, *MM, "u [mm]", "u [m]"], [*HALF, "--columns", "x=u"], "several columns are called so"),
        ([*NAMES, *MM, "u", "u"], [*HALF, "--columns", "x=u"], "several columns are called so"),
        ([*NAMES, "x [m]", "y", "z"], [*HALF, "--columns", "x=x [mm]"], "its unit is mm, its heading in"),
        (["q1", "q2", "q3", "q4", *MM], HALF, "number 1 of 3 between base and tip, and the table has 'q4', too"),
        (["q0", "q1", "q2", "q3", *MM], HALF, "number 1 of 3 between base and tip, and the table has 'q0', too"),
        (["pan", "lift", "j3", "J4 [rad]", *MM], HALF, "number 3 of 3 between base and tip, and the table has 'J4"),
        ([*NAMES, "x [ft]", "y", "z"], HALF, "'ft' is no unit of an arm"),
        ([*NAMES, "x [ft]", "y", "z"], [*HALF, "--columns", "x=4"], "'ft' is no unit of an arm"),
        (["pan [grad]", *NAMES[1:], *MM], HALF, "'grad' is no unit of an arm"),
        ([*NAMES, "x_mm", "y_mm", "z_mm"], [*HALF, "--columns", "x=x_mm, y=y_mm, z=z_mm"], "heading ends in mm"),
        ([*NAMES, "x (ft)", "y", "z"], [*HALF, "--columns", "x=x (ft), y=y, z=z"], "'ft' is no unit of an arm"),
        ([*NAMES, "x [mm]", "y", "z"], HALF, "'y': it states no unit, its numbers are m by their size, and others are"),
        (["pan [deg]", *NAMES[1:], *MM], HALF, "its numbers are rad by their size, and others are in deg; say --joint"),
        ([str(k) for k in range(6)], HALF, "its first line counts its columns"),
    ],
)
def test_a_column_that_could_be_read_for_another_is_asked_for(tmp_path, capsys, header, words, message):
    joints, frames = poses(4)
    write(tmp_path, header, np.resize(np.hstack([joints, frames[:, :3, 3]]), (4, len(header))))
    assert made(tmp_path, *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (["q4", *NAMES, *MM, "q1", "q2", "q3", "joint_4"], []),
        ([*NAMES, *MM, "load [%]", "Load [kg]", "F[1]", "F[2]", "note", "note", "tX", "tx"], []),
        ([*NAMES, *MM, *DEVIATIONS], []),
        ([*NAMES, *MM, "X [m]"], ["--columns", "x=x [mm]"]),
        ([*NAMES, *MM, "X [m]"], ["--columns", "x=4 [mm]"]),
        ([*NAMES, *MM, "X [m]"], ["--columns", "x=4"]),
        (["q1", "q2", "q3", *MM, "q4"], ["--columns", "q1=q1, q2=q2, q3=q3"]),
        (["q[1]", "q[2]", "q[3]", *MM], ["--columns", "q1=q[1] [rad], q2=q[2] [rad], q3=q[3] [rad]"]),
        (["q[1]", "q[2]", "q[3]", *MM], ["--columns", "q1=1, q2=2, q3=3"]),
        ([*NAMES, "x [millimetres]", *MM[1:]], ["--length-unit", "mm"]),
        ([*NAMES, "x [millimetres]", *MM[1:]], ["--columns", "x=x [millimetres] [mm]"]),
        (["pan (rad)", "lift", "elbow", *MM], ["--columns", "q1=pan (rad)"]),
        (["pan (rad)", "lift [ rad ]", "elbow", "x (mm)", "y(mm)", "z [mm]", "x (1)"], []),
        ([*NAMES, "x", "y_mm", "z"], ["--columns", "x=x, y=y_mm, z=z"]),
    ],
)
def test_columns_that_no_one_reads_and_columns_that_are_stated_are_no_mistake(tmp_path, capsys, header, words):
    joints, frames = poses(4, offsets=dict.fromkeys(range(3), 0.0))
    table = np.ones((4, len(header)))
    names = [own.partition(" ")[0] for own in header]
    first = next(names.index(own) for own in (NAMES[0], "q[1]", "pan", "q1") if own in names)
    table[:, first : first + 6] = np.hstack([joints, 1000 * frames[:, :3, 3]])
    write(tmp_path, header, table)
    assert made(tmp_path, *HALF, *words, "--redundant", "leave") == 0
    assert json.loads(capsys.readouterr().out)["estimated_rms_mm"] < 1e-3


def test_joints_that_stood_still_may_share_a_column_of_zeros(tmp_path, capsys):
    joints, frames = poses(4)
    joints[:, 1:] = 0.0
    write(tmp_path, ["pan", "zero [rad]", *MM], np.hstack([joints[:, :2], frames[:, :3, 3]]))
    assert made(tmp_path, *HALF, "--columns", "q2=zero, q3=zero", "--redundant", "leave") == 0
    assert "q2 is 'zero [rad]' [rad] (as stated); q3 is 'zero [rad]'" in capsys.readouterr().out


def test_a_joint_that_is_called_as_something_else_is_not_meant_by_that_word():
    """The first joint is called joint2 where a chain begins behind the robot's first one."""
    zero = (Fraction(0),) * 3
    names = ("joint2", "joint3", "base", "t1_x", "wrist", "joint6")
    joints = tuple(Joint(name, False, zero, IDENTITY, (*zero[:2], Fraction(1))) for name in names)
    items = arm_model(Arm("six", "l0", "l6", joints, zero, IDENTITY), Measurement("position"), {}).items
    for word in ("joint2", "joint2.offset", "joint3.x", "base", "base.x", "t1_x"):
        with pytest.raises(InputError, match=r"is a word for .*, and the description's name for .*"):
            chosen(items, word, ())
    for word, number in (("joint1", 1), ("joint4", 4), ("wrist", 5), ("joint5", 5), ("joint6", 6), ("base.offset", 3)):
        parts = [f"t{number}_x", f"t{number}_y", f"t{number}_z", f"tilt{number}_x", f"tilt{number}_y", f"o{number}"]
        assert chosen(items, word, ()) == {*(parts if "." not in word else parts[-1:])}
    assert chosen(items, FREE, ()) == {name for item in items for name in item.numbers}
    assert {n for n, radius in rooms(items, ["base_x: 9 mm"], False).items() if radius.value == 9} == {"base_x"}


@pytest.mark.thorough
def test_a_simulated_arm_is_adequate_without_error_and_not_with_backlash(tmp_path, capsys):
    for error, verdict in (("none", "adequate"), ("backlash", "inadequate")):
        folder = tmp_path / error
        assert asked("simulate", "--robot", "arm", "--error", error, "--out", folder) == 0
        files = ["--urdf", folder / "arm.urdf", "--tip", "tool0", "--data", folder / "poses.csv"]
        assert asked("new", "arm", *files, "--out", folder / "arm") == 0
        assert asked("run", folder / "arm" / "problem.toml", "--workers", "1", "--gap", "1e-1") == 0
        answer = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert answer["provenance"].startswith("simulated: ")
        assert [(part["verdict"], part["verified"]) for part in answer["parts"]] == [(verdict, True)]


@pytest.mark.thorough
def test_intervals_of_a_corrected_arm_are_those_of_a_certificate_that_is_accepted_now(tmp_path, capsys):
    joints, frames = poses(12)
    points = 1000 * frames[:, :3, 3] + np.random.default_rng(2).uniform(-0.01, 0.01, (12, 3))
    write(tmp_path, [*NAMES, "x [mm]", "y [mm]", "z [mm]"], np.hstack([joints, points]))
    assert made(tmp_path, "--half-width", "0.02 mm", "--free", "base, tool, offsets", "--within", "2 mm, 5 mrad") == 0
    assert asked("run", tmp_path / "arm" / "problem.toml", "--enclose", "--workers", "1") in (0, 3)
    out = tmp_path / "arm" / "certified"
    assert asked("correct", tmp_path / "arm", "--values", "witness") == 0
    told = (out / "corrected.csv").read_text()
    assert "intervals (proved, position-hull.cert)" in told
    for row in told.split("\n")[3:-1]:
        _, _, _, value, low, high = row.split(",")
        assert float(low) <= float(value) <= float(high)
    record = json.loads((out / "result.json").read_text())
    for one in record["hulls"][0]["hull"]:  # what the record says of them is not asked
        one["hull"] = [0.0, 0.0]
    (out / "result.json").write_text(json.dumps(record))
    assert asked("correct", tmp_path / "arm", "--values", "witness") == 0
    assert (out / "corrected.csv").read_text() == told
    for text in ("", "{", "[1]", '{"hulls": 3}', '{"hulls": [1]}', "[" * 100_000):
        (out / "result.json").write_text(text)
        capsys.readouterr()
        assert asked("correct", tmp_path / "arm", "--values", "witness") == 2
        assert "no record of a run" in capsys.readouterr().err
    (out / "result.json").write_text(json.dumps(record))
    certificate = (out / "position-hull.cert").read_text()
    lines = certificate.split("\n")
    first = lines.index("hull") + 1
    low, high = lines[first].split(" ")
    (out / "position-hull.cert").write_text(certificate.replace(lines[first], f"{low} {low}", 1))
    capsys.readouterr()
    assert asked("correct", tmp_path / "arm", "--values", "witness") == 2
    assert "does not accept it now" in capsys.readouterr().err
    for text, wrong in (
        ("", "nothing in it"),
        (PARAMETERS.format("x"), "no number"),
        (PARAMETERS.format("inf"), "no number"),
    ):
        (out / "parameters.csv").write_text(text)
        assert asked("correct", tmp_path / "arm", "--values", "witness") == 2
        assert wrong in capsys.readouterr().err


MISTAKES = {
    "with columns q1 and q2 exchanged": lambda q, p: (q[:, [1, 0, 2]], p),
    "with column q3 times -1": lambda q, p: (q * [1, 1, -1], p),
    "with column q2 times 0.0174533": lambda q, p: (np.hstack([q[:, :1], np.degrees(q[:, 1:2]), q[:, 2:]]), p),
    "with columns x, y and z times 1000": lambda q, p: (q, p / 1000),
    "with column y times -1": lambda q, p: (q, p * [1, -1, 1]),
    "with columns q1, q2 and q3 one line further up": lambda q, p: (np.roll(q, 1, axis=0), p),
}


OF_POSITIONS = [("position", cure) for cure in MISTAKES]
OF_POSES = [("pose", cure) for cure in list(MISTAKES) if "q2 times" in cure or "y times" in cure or "line" in cure]


@pytest.mark.parametrize(
    ("measure", "cure"),
    [OF_POSITIONS[0], *(pytest.param(*case, marks=pytest.mark.thorough) for case in OF_POSITIONS[1:] + OF_POSES)],
)
def test_a_mistake_in_the_table_is_named_with_what_it_would_gain(tmp_path, capsys, measure, cure):
    joints, frames = poses(24)
    turns = [euler_zyx(frame[:3, :3]) for frame in frames]
    joints, places = MISTAKES[cure](joints, 1000 * frames[:, :3, 3])
    header = [*(f"{name} [rad]" for name in NAMES), "x [mm]", "y [mm]", "z [mm]", "rx [rad]", "ry [rad]", "rz [rad]"]
    write(tmp_path, header, np.hstack([joints, places, turns]))
    words = ["--measure", measure, "--half-width", "0.1 mm, 0.001 rad"]
    words += ["--orientation", "ZYX"] if measure == "pose" else []
    code = made(tmp_path, *words, "--redundant", "leave")
    told = capsys.readouterr()
    lines = json.loads(told.out)["told"] if code == 0 else told.err.split("\n")  # turns that are no frame's: refused
    (said,) = (line for line in lines if "instead of" in line)
    assert cure.removeprefix("with ") in said
    after, before = (float(said.split(word)[1].split()[0]) for word in ("leave typically ", "instead of "))
    assert after < 5 < before
    if code == 0:
        text = (tmp_path / "arm" / "problem.toml").read_text().replace("\n# ", " ")
        assert said.replace("with", "With", 1) in text


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_where_base_and_tool_fit_any_table_no_mistake_is_named(tmp_path, capsys, seed):
    """With a line less nine numbers are placed by nine: nothing is left, whatever was measured."""
    random = np.random.default_rng(seed)
    rows = np.hstack([random.uniform(-2, 2, (4, 3)), random.uniform(-500, 500, (4, 3))])
    write(tmp_path, [*NAMES, "x", "y", "z"], rows)
    assert made(tmp_path, "--measure", "position", "--half-width", "0.1 mm", "--redundant", "leave") == 0
    assert "instead of" not in capsys.readouterr().out


@pytest.mark.thorough
def test_what_a_line_moved_gains_is_told_of_the_poses_that_it_was_tried_on(tmp_path, capsys):
    """The first half of the table is measured well, the second is noise: nothing is wrong with its lines."""
    joints, frames = poses(60)
    joints[:30] = joints[0] + np.linspace(0, 0.001, 30)[:, None]
    frames = np.array([*([frames[0]] * 30), *frames[30:]])
    places = 1000 * frames[:, :3, 3] + np.vstack([np.zeros((30, 3)), np.random.default_rng(1).normal(0, 400, (30, 3))])
    write(tmp_path, [*NAMES, "x", "y", "z"], np.hstack([joints, places]))
    assert made(tmp_path, "--measure", "position", "--half-width", "0.1 mm", "--redundant", "leave") == 0
    assert "further" not in capsys.readouterr().out


@pytest.mark.thorough
def test_where_nobody_says_how_orientations_are_told_a_joint_is_suspected(tmp_path, capsys):
    joints, frames = poses(12)
    turns = [euler_zyx(frame[:3, :3]) for frame in frames]
    write(
        tmp_path,
        [*NAMES, "x", "y", "z", "rx", "ry", "rz"],
        np.hstack([joints * [1, -1, 1], 1000 * frames[:, :3, 3], turns]),
    )
    words = ["new", "arm", "--urdf", tmp_path / "three.urdf", "--tip", "tool0", "--data", tmp_path / "poses.csv"]
    asked(*words, "--out", tmp_path / "arm", "--measure", "pose", "--half-width", "0.1 mm, 0.001 rad")
    told = capsys.readouterr()  # one convention may fit clearly best all the same
    assert "with column q2 times -1 base and tool alone leave" in told.out + told.err


def test_a_ball_that_is_not_where_the_description_has_it_is_found():
    random = np.random.default_rng(2)
    turns = Rotation.random(40, random_state=3).as_matrix()
    ball, sockets, which = np.array([1.5, -30.0, 140.0]), random.uniform(-500, 500, (2, 3)), random.integers(0, 2, 40)
    flange = Flange(turns, sockets[which] - turns @ ball + random.uniform(-0.2, 0.2, (40, 3)))
    found, left = ball_in(flange, which + 1.0)
    assert np.abs(found - ball).max() < 0.3
    assert left < 0.4
