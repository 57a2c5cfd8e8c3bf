"""Arms as their makers describe them: what is read, that the formulas which are written are those of an independent
forward kinematics, that no orientation upside down looks like one that agrees, and every mistake in a file.
"""

from math import pi

import numpy as np
import pytest
from planted_urdf import chain_of, drawn_urdf, homogeneous, tip_frame, turn

from certify.problems.arms.corrected import corrected_urdf
from certify.problems.arms.measurement import EULER, QUATERNION, VECTOR, Measurement, Orientation
from certify.problems.arms.model import arm_model
from certify.problems.arms.urdf import read_urdf
from certify.problems.errors import InputError
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import FLOATS, evaluate

TOLERANCE = 1e-12  # of lengths in metres, and of angles
ORDERS = ({}, {"base": (0, 2, 1), "tool": (0, 2, 1)})


def values_of(model, values):
    """What the equations come to in floats."""
    known = dict(values) | {name: float(value) for name, value in model.lengths.items()}
    for name, text in model.definitions:
        known[name] = evaluate(parse_formula(text, name), known, FLOATS, name)
    return {name: np.array(evaluate(parse_formula(text, name), known, FLOATS, name)) for name, text in model.equations}


def planted(tmp_path, seed, joints=None):
    """A URDF, its chain as the project reads it, and as the test does."""
    random = np.random.default_rng(seed)
    text = drawn_urdf(random, joints or int(random.integers(1, 8)))
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return random, text, read_urdf(path, "tip")


def drawn_parameters(random, arm):
    """Readings, errors of the joints, and the same as the model's parameters."""
    readings, errors, values = random.uniform(-2, 2, len(arm.joints)), {}, {}
    for k, joint in enumerate(arm.joints):
        shift, tilts, offset = random.uniform(-0.01, 0.01, 3), random.uniform(-0.1, 0.1, 2), random.uniform(-0.1, 0.1)
        readings[k] /= 4 if joint.slides else 1
        across = ["xyz"[axis] for axis in joint.across]
        errors[k] = (shift, tuple(zip(across, tilts, strict=True)), offset)
        values[f"t{k + 1}"] = np.array([float(v) for v in joint.place]) + 0.0
        values[f"tilt{k + 1}"] = np.array(tilts)
        values[f"o{k + 1}"] = offset * (1000 if joint.slides else 1)
        values[f"q{k + 1}"] = readings[k] * (1000 if joint.slides else 1)
    return readings, errors, values


def merged(chain):
    """The same chain with its fixed joints merged into the next one that moves; what stands behind the last one."""
    found, before = [], np.eye(4)
    for kind, origin, axis in chain:
        before = before @ origin
        if kind != "fixed":
            found.append((kind, before, axis))
            before = np.eye(4)
    return found, before


@pytest.mark.parametrize("seed", range(40))
def test_formulas_are_the_forward_kinematics(tmp_path, seed):
    random, text, chain = planted(tmp_path, seed)
    model = arm_model(chain.arm, Measurement("position"), ORDERS[seed % 2])
    readings, errors, values = drawn_parameters(random, chain.arm)
    joints, behind = merged(chain_of(text, "tip"))
    for k, (shift, _, _) in errors.items():
        values[f"t{k + 1}"] = values[f"t{k + 1}"] + 1000 * shift
    tool, base, turns = random.uniform(-300, 300, 3), random.uniform(-3000, 3000, 3), random.uniform(-3, 3, 3)
    values |= {"tool": tool, "base": base, "base_turn": turns, "x": 0.0, "y": 0.0, "z": 0.0}
    frame = tip_frame(joints, readings, errors) @ behind
    point = frame[:3, :3] @ tool + 1000 * frame[:3, 3]
    order = ORDERS[seed % 2].get("base", (0, 1, 2))
    for axis in order:
        point = turn(np.eye(3)[axis], turns[axis])[:3, :3] @ point
    assert np.abs(values_of(model, values)["position"] - (point + base)).max() < 1000 * TOLERANCE * 4


def frame_of(kind, numbers):
    """A measured orientation as a matrix, from its definition."""
    if kind == QUATERNION:
        w, x, y, z = numbers
        angle = 2 * np.arctan2(np.linalg.norm([x, y, z]), w)
        return turn(np.array([x, y, z]), angle)[:3, :3]
    if kind == VECTOR:
        return turn(np.array(numbers), float(np.linalg.norm(numbers)))[:3, :3]
    found = np.eye(3)
    for k, letter in enumerate(kind):
        angle = numbers["XYZ".index(letter)] if len(set(kind)) == 3 else numbers[k]
        found = found @ turn(np.eye(3)["XYZ".index(letter)], angle)[:3, :3]
    return found


@pytest.mark.parametrize("on_hand", [False, True])
@pytest.mark.parametrize("how", [*EULER, QUATERNION, VECTOR])
def test_poses_agree_only_where_they_do(tmp_path, how, on_hand):
    random, text, chain = planted(tmp_path, len(how) + on_hand, 3)
    orientation = Orientation.named(how)
    model = arm_model(chain.arm, Measurement("pose", 1, orientation, on_hand), {})
    readings, errors, values = drawn_parameters(random, chain.arm)
    for k, (shift, _, _) in errors.items():
        values[f"t{k + 1}"] = values[f"t{k + 1}"] + 1000 * shift
    joints, behind = merged(chain_of(text, "tip"))
    tip = tip_frame(joints, readings, errors) @ behind
    tip[:3, 3] *= 1000
    frames = {}
    for name in ("base", "tool"):
        place, turns = random.uniform(-300, 300, 3), random.uniform(-1, 1, 3)
        values |= {name: place, f"{name}_turn": turns}
        frames[name] = homogeneous(" ".join(map(str, place)), " ".join(map(str, turns)))
    whole = np.linalg.inv(tip @ frames["tool"]) @ frames["base"] if on_hand else frames["base"] @ tip @ frames["tool"]
    numbers = random.uniform(-1, 1, len(orientation.columns))
    numbers = numbers / np.linalg.norm(numbers) if how == QUATERNION else numbers
    measured = frame_of(how, numbers)
    values |= dict(zip(orientation.columns, numbers, strict=True)) | {"x": 0.0, "y": 0.0, "z": 0.0}
    found = values_of(model, values)
    assert np.abs(found["position"] - whole[:3, 3]).max() < 4000 * TOLERANCE
    between = measured.T @ whole[:3, :3]
    angle = np.arccos(np.clip((np.trace(between) - 1) / 2, -1, 1))
    assert abs(np.linalg.norm(found["orientation"]) - 2 * np.sin(angle / 2)) < 1e-7  # arccos is flat where it ends
    turned = values_of(arm_model(chain.arm, Measurement("orientation", 1, orientation, on_hand), {}), values)
    assert turned.keys() == {"orientation"}
    assert np.array_equal(turned["orientation"], found["orientation"])  # the same, without the point
    columns = {name: np.array([value]) for name, value in zip(orientation.columns, numbers, strict=True)}
    assert np.abs(orientation.matrices(columns)[0] - measured).max() < TOLERANCE


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.001, pi / 2, pi - 1e-6, pi, -pi, 2 * pi])
def test_half_a_turn_is_the_largest_error(tmp_path, angle):
    path = tmp_path / "robot.urdf"
    path.write_text(ONE)
    model = arm_model(read_urdf(path, "tip").arm, Measurement("pose", 1, Orientation("ZYX")), {})
    zero = {item.name: np.zeros(len(item.numbers)) if item.components else 0.0 for item in model.items}
    values = zero | dict.fromkeys(model.columns, 0.0) | {"rz": angle}
    found = values_of(model, values)["orientation"]
    assert np.linalg.norm(found) == pytest.approx(2 * abs(np.sin(angle / 2)), abs=1e-15)
    assert abs(found[2]) == pytest.approx(np.linalg.norm(found), abs=1e-15)


@pytest.mark.parametrize("seed", range(40, 60))
def test_a_corrected_urdf_moves_as_the_calibrated_arm(tmp_path, seed):
    random, text, chain = planted(tmp_path, seed)
    readings, errors, values = drawn_parameters(random, chain.arm)
    numbers = {}
    for k, (shift, tilts, _) in errors.items():
        at = values[f"t{k + 1}"] + 1000 * shift
        numbers |= {f"t{k + 1}_{axis}": at["xyz".index(axis)] for axis in "xyz"}
        numbers |= {f"tilt{k + 1}_{axis}": angle for axis, angle in tilts}
        numbers[f"o{k + 1}"] = values[f"o{k + 1}"]
    joints, behind = merged(chain_of(text, "tip"))
    wanted = tip_frame(joints, readings, errors) @ behind
    new = corrected_urdf(text, chain, numbers, ["least squares -- of a test"])
    found = tip_frame(chain_of(new, "tip", exact=True), readings)
    assert np.abs(found - wanted).max() < TOLERANCE * 4
    path = tmp_path / "corrected.urdf"
    path.write_text(new)
    again = read_urdf(path, "tip")
    assert [joint.name for joint in again.arm.joints] == [joint.name for joint in chain.arm.joints]
    assert corrected_urdf(text, chain, {}, []).count("<origin") == new.count("<origin")


ONE = """<robot name="one">
<joint name="a" type="revolute"><parent link="base"/><child link="tip"/>
<origin xyz="0 0 0.1" rpy="0 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"""
JOINT = ONE[ONE.index("<joint") : ONE.index("</robot>")]
MISTAKES = [
    (ONE.replace('<robot name="one">', '<!DOCTYPE robot [<!ENTITY a "b">]><robot name="one">'), "document type"),
    (ONE.replace('<robot name="one">', '<!DOCTYPE robot SYSTEM "file:///etc/passwd"><robot>'), "document type"),
    (ONE.replace("</robot>", ""), "line 4: it is no valid XML"),
    (ONE.replace("<robot ", "<sdf ").replace("</robot>", "</sdf>"), "begins with <sdf>, not with <robot>"),
    ("", "no valid XML"),
    ("<robot>" * 70 + "</robot>" * 70, "nested more than 60 deep"),
    ("<robot/>", "has no <joint>"),
    (
        ONE.replace("<joint", "<xacro:arm/><joint").replace('name="one"', 'xmlns:xacro="x"'),
        "xacro robot.urdf > robot.urdf",
    ),
    (ONE.replace('"0 0 0.1"', '"0 0 ${height}"'), "xacro"),
    (ONE.replace(JOINT, JOINT + JOINT.replace('"tip"', '"other"')), "two joints of this name"),
    (ONE.replace(JOINT, JOINT + JOINT.replace('"a"', '"b"')), "hangs on joint 'a' already"),
    (
        ONE.replace(JOINT, JOINT + '<joint name="b" type="fixed"><parent link="tip"/><child link="base"/></joint>'),
        "ring",
    ),
    (ONE.replace('"revolute"', '"floating"'), "type 'floating'"),
    (ONE.replace('"revolute"', '"fixed"'), "no joint moves"),
    (ONE.replace(' type="revolute"', ""), "it has no type"),
    (ONE.replace(' name="a"', ""), "it has no name"),
    (ONE.replace('<parent link="base"/>', ""), "0 <parent> elements"),
    (ONE.replace('<child link="tip"/>', '<child link="tip"/><child link="tap"/>'), "2 <child> elements"),
    (ONE.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>'), "axis xyz is 0 0 0"),
    (ONE.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 1"/>'), "write three numbers"),
    (ONE.replace("0 0 0.1", "0 0 nan"), "origin xyz: 'nan' is not a decimal number"),
    (ONE.replace("0 0 0.1", "0 0 1e999999"), "not a decimal number|shorten it"),
    (ONE.replace("0 0 0.1", "0 0 180.7"), "more than 100 m; URDF is in metres"),
    (ONE.replace("</joint>", '<mimic joint="b"/></joint>'), "it mimics another joint"),
    (ONE.replace('"tip"', '"tool"'), "no link 'tip' for --tip; "),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_urdf_is_read_with_care(tmp_path, text, message):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_urdf(path, "tip")


def test_what_urdf_leaves_out_is_what_it_says(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ONE.replace('<origin xyz="0 0 0.1" rpy="0 0 0"/><axis xyz="0 0 1"/>', ""))
    arm = read_urdf(path, "tip").arm
    assert arm.joints[0].axis == (1, 0, 0)
    assert arm.joints[0].place == (0, 0, 0)
    assert arm.snapped == ("a has no axis: x, as URDF says",)
    with pytest.raises(InputError, match=r"which link is the tip\? Write --tip and one of tip"):
        read_urdf(path, None)
