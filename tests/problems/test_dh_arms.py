"""Tables of Denavit and Hartenberg: read as the textbooks define both conventions, and written back corrected."""

import numpy as np
import pytest
from planted_urdf import chain_of, homogeneous, tip_frame, turn

from certify.problems.arms.corrected import corrected_rows, plain_urdf
from certify.problems.arms.dh import read_dh, read_rows
from certify.problems.arms.measurement import Measurement
from certify.problems.arms.model import arm_model
from certify.problems.arms.placing import flange_frames
from certify.problems.errors import InputError

X, Z = np.eye(3)[0], np.eye(3)[2]


def moved(axis, length):
    found = np.eye(4)
    found[:3, 3] = length * axis
    return found


def textbook(rows, readings, modified):
    """The tip by the definition; rows of a, alpha, d, theta (mm, rad), whether the joint slides, and y and beta."""
    found = np.eye(4)
    for (a, alpha, d, theta, slides, *more), q in zip(rows, readings, strict=True):
        y, beta = more or (0.0, 0.0)
        link = moved(np.eye(3)[1], y) @ moved(X, a) @ turn(X, alpha) @ turn(np.eye(3)[1], beta)
        own = turn(Z, theta + (0 if slides else q)) @ moved(Z, d + (q if slides else 0))
        found = found @ (link @ own if modified else own @ link)
    return found


def drawn(random, joints):
    rows = []
    for _ in range(joints):
        angle = float(random.choice([0.0, 90.0, -90.0, 180.0, 37.5]))
        rows.append((random.uniform(-300, 300), angle, random.uniform(-300, 300), float(random.choice([0, 90, -30]))))
    return np.round(rows, 3), random.uniform(size=joints) < 0.25


def written(tmp_path, rows, slides):
    path = tmp_path / "dh.csv"
    lines = ["pose,a [mm],alpha [deg],d [mm],theta [deg],slides"]
    lines += [
        f"j{k},{','.join(map(repr, map(float, r)))},{int(s)}" for k, (r, s) in enumerate(zip(rows, slides, strict=True))
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("modified", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_both_conventions_are_the_textbooks(tmp_path, seed, modified):
    random = np.random.default_rng(seed)
    rows, slides = drawn(random, int(random.integers(2, 7)))
    path = written(tmp_path, rows, slides)
    arm = read_dh(path, modified)
    plain = [(a, np.radians(al), d, np.radians(th), bool(s)) for (a, al, d, th), s in zip(rows, slides, strict=True)]
    readings = np.where(slides, random.uniform(-100, 100, len(rows)), random.uniform(-2, 2, len(rows)))
    found = flange_frames(arm, [np.array([q]) for q in readings])
    wanted = textbook(plain, readings, modified)
    assert np.abs(found.rotations[0] - wanted[:3, :3]).max() < 1e-12
    assert np.abs(found.origins[0] - wanted[:3, 3]).max() < 1e-9
    free = [name for item in arm_model(arm, Measurement("position"), {}).items for name in item.numbers]
    numbers = {name: float(random.uniform(-1, 1)) * 1e-3 for name in free if name[0] == "o" or "tilt" in name}
    shifts = {f"t{k}_{axis}": 0.0 for k in range(1, len(rows) + 1) for axis in "xz"}
    for k, joint in enumerate(arm.joints, 1):
        for axis, value in zip("xyz", joint.place, strict=True):
            if f"t{k}_{axis}" in shifts:
                shifts[f"t{k}_{axis}"] = float(value) + random.uniform(-1, 1)
    first = {name: value for name, value in shifts.items() if name.startswith("t1_")}
    for name in (*(n for n in numbers if n.startswith("tilt1_")), *(n for n in numbers if n.endswith("_y"))):
        numbers[name] = 0.0
    numbers |= (
        {n: v for n, v in shifts.items() if n not in first}
        if not modified
        else {n: v for n, v in shifts.items() if n != "t1_z"}
    )
    new = corrected_rows(read_rows(path), numbers, modified)
    table = [
        (r["a"], r["alpha"], r["d"], r["theta"], bool(s), r["y"], r["beta"]) for r, s in zip(new, slides, strict=True)
    ]
    urdf = plain_urdf(arm, numbers, ["a test -- of comments"])
    metres = np.where(slides, readings / 1000, readings)
    again = tip_frame(chain_of(urdf, "tip", exact=True), metres)
    wanted = textbook(table, readings, modified)
    assert np.abs(again[:3, :3] - wanted[:3, :3]).max() < 1e-12
    assert np.abs(1000 * again[:3, 3] - wanted[:3, 3]).max() < 1e-8


def test_a_plain_table_has_no_y_and_no_beta(tmp_path):
    path = tmp_path / "dh.csv"
    path.write_text("a [mm],alpha [deg],d [mm],theta [deg]\n0,90,128,0\n-612.7,0,0,0\n")
    arm = read_dh(path, False)
    assert [joint.name for joint in arm.joints] == ["joint1", "joint2"]
    items = {item.name: item for item in arm_model(arm, Measurement("position"), {}).items}
    assert "lengths" in items["t2"].words[0]
    assert "lengths" not in items["t2"].words[1]
    assert items["t2"].words[1] >= {"joint2.y"}
    path.write_text("a [mm],alpha [deg],d [mm]\n0,90,128\n")
    with pytest.raises(InputError, match="theta is missing"):
        read_dh(path, False)
    assert np.allclose(homogeneous("0 0 0", "0 0 0"), np.eye(4))
