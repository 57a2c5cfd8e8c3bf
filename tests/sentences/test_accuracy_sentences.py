"""Nothing false is said of the accuracy of planted arms."""

import random

import numpy as np
import pytest
from accuracy_truth import NAMES, AccuracyJudge
from planted_poses import TRUTH, write_arm
from reading_accuracy import read_accuracy
from running import run


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(5))
def test_nothing_false_is_said_of_an_arm_in_its_workspace(number, tmp_path):
    chosen = random.Random(number)
    path = write_arm(tmp_path / "arm", seed=number, poses=chosen.randint(8, 16))
    box = tuple((low, low + chosen.randint(1, 40)) for low in (chosen.randint(-90, 60), chosen.randint(-90, 60)))
    joints = ", ".join(f"{name} = {low} .. {high} deg" for name, (low, high) in zip(("q1", "q2"), box, strict=True))
    epsilon = chosen.choice([[], ["--epsilon", "0.02 mm, 0.1 mrad"]])
    hold = chosen.choice([[], ["--hold", "B"]])
    motion = chosen.choice([[], ["--aligned"]]) if number != 1 else ["--aligned"]
    folder = tmp_path / "out"
    told = run(["accuracy", str(path), "--joints", joints, "--out", str(folder), *epsilon, *hold, *motion], folder)
    truth = np.array([TRUTH[name] for name in NAMES])
    judge = AccuracyJudge(truth, box, path.parent / "poses.csv", told)
    said = list(read_accuracy(told))
    assert len(said) >= 12
    for statement in said:
        assert judge.holds(statement), statement


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(2))
def test_nothing_false_is_said_of_an_arm_in_a_cube(number, tmp_path):
    chosen = random.Random(number)
    path = write_arm(tmp_path / "arm", seed=number, poses=chosen.randint(8, 16))
    first, second, edge = chosen.randint(-60, 60), chosen.choice([-1, 1]) * chosen.randint(70, 100), 10 * number + 40
    where = ["--cube", f"{edge} mm", "--at", f"q1 = {first} deg, q2 = {second} deg", "--cells", "9"]
    folder = tmp_path / "out"
    told = run(["accuracy", str(path), *where, "--time-limit", "10000", "--out", str(folder)], folder)
    truth = np.array([TRUTH[name] for name in NAMES])
    judge = AccuracyJudge(truth, ((first, first), (second, second)), path.parent / "poses.csv", told, edge)
    said = list(read_accuracy(told))
    assert len(said) >= 12 and any(statement.kind == "cube" for statement in said)
    for statement in said:
        assert judge.holds(statement), statement
