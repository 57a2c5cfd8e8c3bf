"""Two tips that meet: the formulas are those of an independent forward kinematics of both ways, what two tips can not
be is refused by name, and simulated arms meet where their planted truth says.
"""

import re

import numpy as np
import pytest
from planted_urdf import chain_of, drawn_urdf, tip_frame

from certify.problems.arms.corrected import corrected_urdf
from certify.problems.arms.measurement import TIPS, Measurement
from certify.problems.arms.model import arm_model
from certify.problems.arms.placing import flange_frames, meet, other_frames
from certify.problems.arms.urdf import read_urdf
from certify.problems.errors import InputError
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import FLOATS, evaluate
from certify.problems.simulation import two_arms
from certify.problems.simulation.simulated import generators
from certify.problems.simulation.unmodelled_error import unmodelled_error

TOLERANCE = 1e-11  # m
JUNCTION = "link1"


def tree(random):
    """A URDF whose second arm hangs on a link in the middle of the first one."""
    first, second = (drawn_urdf(random, int(random.integers(2, 5))) for _ in range(2))
    second = re.sub(r'"((?:mount|extra|link|axis|flange|tip)[0-9_]*)"', r'"b\1"', second)
    inner = second.replace('"blink0"', f'"{JUNCTION}"').partition("\n")[2]
    return first.replace("</robot>", inner)


def ways(text):
    """The joints from the junction to each tip, fixed ones merged into the next, and what stands behind the last."""
    shared, found = len(chain_of(text, JUNCTION)), []
    for tip in ("tip", "btip"):
        joints, before = [], np.eye(4)
        for kind, origin, axis in chain_of(text, tip)[shared:]:
            before = before @ origin
            if kind != "fixed":
                joints.append((kind, before, axis))
                before = np.eye(4)
        found.append((joints, before))
    return found


def drawn(random, joints):
    """Readings, and errors by joint: a shift, tilts about the axes across, an offset."""
    readings, errors = random.uniform(-1, 1, len(joints)), {}
    for k, joint in enumerate(joints):
        across = ["xyz"[axis] for axis in joint.across]
        tilts = tuple(zip(across, random.uniform(-0.1, 0.1, 2), strict=True))
        errors[k] = random.uniform(-0.01, 0.01, 3), tilts, float(random.uniform(-0.1, 0.1))
    return readings, errors


def parameters(joints, readings, errors, first):
    """The same by the names of the model, in mm, for joints that are numbered from `first` on."""
    values = {}
    for k, (joint, (shift, tilts, offset)) in enumerate(zip(joints, errors.values(), strict=True)):
        scale = 1000 if joint.slides else 1
        values[f"t{first + k}"] = np.array([float(v) for v in joint.place]) + 1000 * shift
        values[f"tilt{first + k}"] = np.array([angle for _, angle in tilts])
        values |= {f"o{first + k}": scale * offset, f"q{first + k}": scale * readings[k]}
    return values


def planted(tmp_path, seed):
    random = np.random.default_rng(seed)
    text = tree(random)
    (tmp_path / "robot.urdf").write_text(text)
    chain = read_urdf(tmp_path / "robot.urdf", "tip", None, "btip")
    arm = chain.arm
    parts = arm.joints[: arm.other.behind], arm.joints[arm.other.behind :]
    drawings = [drawn(random, joints) for joints in parts]
    values = parameters(parts[0], *drawings[0], 1) | parameters(parts[1], *drawings[1], 1 + len(parts[0]))
    frames = [
        tip_frame(joints, readings, errors) @ behind
        for (joints, behind), (readings, errors) in zip(ways(text), drawings, strict=True)
    ]
    return random, text, chain, values, frames, drawings


@pytest.mark.parametrize("seed", range(20))
def test_formulas_are_both_ways(tmp_path, seed):
    random, _, chain, values, frames, _ = planted(tmp_path, seed)
    assert chain.arm.base == JUNCTION
    model = arm_model(chain.arm, Measurement(TIPS), {})
    tools = random.uniform(-300, 300, (2, 3))
    known = values | {"tool1": tools[0], "tool2": tools[1]}
    known |= {name: float(value) for name, value in model.lengths.items()}
    for name, text in model.definitions:
        known[name] = evaluate(parse_formula(text, name), known, FLOATS, name)
    found = np.array(evaluate(parse_formula(model.equations[0][1], "closure"), known, FLOATS, "closure"))
    points = [f[:3, :3] @ tool + 1000 * f[:3, 3] for f, tool in zip(frames, tools, strict=True)]
    assert np.abs(found - (points[0] - points[1])).max() < 1000 * TOLERANCE


@pytest.mark.parametrize("seed", range(8))
def test_a_corrected_urdf_moves_both_tips(tmp_path, seed):
    _, text, chain, values, frames, drawings = planted(tmp_path, seed)
    numbers = {}
    for name, value in values.items():
        k = int(re.sub("[a-z]", "", name))
        across = ["xyz"[axis] for axis in chain.arm.joints[k - 1].across]
        if name.startswith("t"):
            axes = across if name.startswith("tilt") else "xyz"
            numbers |= {f"{name}_{axis}": part for axis, part in zip(axes, value, strict=True)}
        elif name.startswith("o"):
            numbers[name] = value
    new, shared = corrected_urdf(text, chain, numbers, ["of a test"]), len(chain_of(text, JUNCTION))
    for tip, wanted, (readings, _) in zip(("tip", "btip"), frames, drawings, strict=True):
        found = tip_frame(chain_of(new, tip, exact=True)[shared:], readings)
        assert np.abs(found - wanted).max() < TOLERANCE
    before = [chain_of(each, JUNCTION) for each in (text, new)]
    assert all(np.array_equal(old[1], same[1]) for old, same in zip(*before, strict=True))  # above both: as it was


ARMS = """<robot name="two">
<joint name="mount" type="fixed"><parent link="floor"/><child link="base"/><origin xyz="0.4 0 0"/></joint>
<joint name="a" type="revolute"><parent link="base"/><child link="l"/><axis xyz="0 0 1"/></joint>
<joint name="b" type="revolute"><parent link="floor"/><child link="r"/><axis xyz="0 0 1"/></joint>
<joint name="c" type="floating"><parent link="world"/><child link="floor"/></joint>
<joint name="d" type="fixed"><parent link="elsewhere"/><child link="lonely"/></joint>
</robot>"""


def test_a_joint_above_both_tips_does_not_matter(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ARMS)
    arm = read_urdf(path, "l", None, "r").arm
    assert (arm.base, [joint.name for joint in arm.joints], arm.other.behind) == ("floor", ["a", "b"], 1)
    assert arm.way == "from l by floor to r"
    still = read_urdf(path, "l", None, "floor").arm  # the other tip may stand still
    assert (still.base, len(still.joints), still.other.behind) == ("floor", 1, 1)


@pytest.mark.parametrize(
    ("tips", "message"),
    [
        (("l", "l"), "both tips are 'l'"),
        (("l", "lonely"), "hangs on 'world' and 'lonely' on 'elsewhere', they have no link in common"),
        (("l", "wrist"), "there is no link 'wrist' for --tip"),
        (("base", "floor"), "between floor and base no joint moves"),
        (("l", "world"), "type 'floating'"),
    ],
)
def test_two_tips_are_read_with_care(tmp_path, tips, message):
    path = tmp_path / "robot.urdf"
    path.write_text(ARMS)
    with pytest.raises(InputError, match=message):
        read_urdf(path, tips[0], None, tips[1])


@pytest.mark.thorough
@pytest.mark.parametrize("error", ["none", "outlier"])
def test_simulated_arms_meet(tmp_path, error, monkeypatch):
    monkeypatch.setattr(two_arms, "POSES", 12)
    table = two_arms.simulate_two_arms(tmp_path, unmodelled_error(error), 5, 0)
    read = np.array([line.split(",")[1:] for line in table.read_text().splitlines()[2:]], dtype=float)
    arm = read_urdf(tmp_path / two_arms.URDF, two_arms.TIPS[0], None, two_arms.TIPS[1]).arm
    truth = two_arms.true_values(arm, generators(5)[0])
    joints = list(read.T)
    first, second = flange_frames(arm, joints, truth), other_frames(arm, joints, truth)
    apart = np.linalg.norm(first.points(np.array(two_arms.BALL)) - second.points(np.array(two_arms.SOCKET)), axis=1)
    assert np.sort(apart)[-2] < 0.01  # joints are written with six digits
    assert (abs(apart.max() - 5.0) < 0.01) == (error == "outlier")
    found = meet(first, second)  # with the true arms the points are found where they were planted
    assert np.abs(found.values["tool1"] - two_arms.BALL).max() < 0.02
    assert np.abs(found.values["tool2"] - two_arms.SOCKET).max() < 0.02
