"""Mistakes in the table of an arm: each is named, whatever the arm's shape, and none is made up where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from planted_poses import ARM
from planted_poses import write_arm as write_planar
from planted_text_arms import poses_of, problem_text, shapes, truth_of, write_arm

from certify.__main__ import main
from certify.problems.experiments.toml_reader import load_experiment
from certify.solvers.advice.repairs import Repair
from certify.solvers.advice.wrong_columns import suspected

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1,))]
POSES = 24


def planted(seed, poses=POSES, noise=0.1):
    """An arm with three to six joints, as designed and as it is, its angles and what is read."""
    design = shapes(seed, 3 + seed % 4)
    angles = poses_of(design, poses, seed)
    read = truth_of(design, seed).places(angles) + np.random.default_rng(seed).uniform(-noise, noise, (poses, 3))
    return design, angles, read


def suspicion(folder, design, angles, read, **words):
    return suspected(load_experiment(write_arm(folder, problem_text(design, **words), angles, read)))


def exchanged(table, first, second):
    found = table.copy()
    found[:, [first, second]] = table[:, [second, first]]
    return found


def changed(table, column, factor=1.0, more=0.0):
    found = table.copy()
    found[:, column] = factor * table[:, column] + more
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_each_mistake_is_named(tmp_path, seed):
    design, angles, read = planted(seed)
    joints, random = design.joints, np.random.default_rng([seed, 3])
    joint, (one, other) = int(random.integers(joints)), sorted(random.choice(joints, 2, replace=False).tolist())
    all_joints, places = tuple(range(joints)), tuple(range(joints, joints + 3))
    axis, pair = int(random.integers(3)), sorted(random.choice(3, 2, replace=False).tolist())
    mistakes = [
        (exchanged(angles, one, other), read, Repair((one, other), exchanged=True)),
        (changed(angles, joint, -1.0), read, Repair((joint,), factor=-1.0)),
        (np.radians(angles), read, Repair(all_joints, factor=180 / np.pi)),
        (angles, read / 1000, Repair(places, factor=1000.0)),
        (angles, read / 25.4, Repair(places, factor=25.4)),
        (angles, exchanged(read, *pair), Repair(tuple(joints + k for k in pair), exchanged=True)),
        (angles, changed(read, axis, -1.0), Repair((joints + axis,), factor=-1.0)),
        (changed(angles, joint, more=90.0), read, Repair((joint,), more=-90.0)),
        (changed(angles, joint, more=180.0), read, Repair((joint,), more=180.0)),
        (angles[1:], read[:-1], Repair(all_joints, lines=-1)),
        (angles[:-1], read[1:], Repair(all_joints, lines=1)),
    ]
    for number, (wrong_angles, wrong_read, cure) in enumerate(mistakes):
        found = suspicion(tmp_path / str(number), design, wrong_angles, wrong_read)
        repairs = [replace(r, factor=round(r.factor, 6), more=round(r.more, 6)) for r in found.repairs]
        assert replace(cure, factor=round(cure.factor, 6)) in repairs, (number, found)
        assert len(repairs) == 1 or (cure.more and len(repairs) == 2)  # joints that turn about one line
        assert found.after < 0.15


@pytest.mark.parametrize("radius", ["0 mm", "5 mm"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_tool_is_named(tmp_path, seed, radius):
    design, angles, read = planted(seed)
    without = replace(design, tool=np.zeros(3))
    found = suspicion(tmp_path, without, angles, read, tool=radius)
    assert (found.repairs, found.vector) == ((), "t")
    last = truth_of(design, seed).tool
    assert np.linalg.norm(np.array(found.found) - last) < 3.0 or design.w[-1] == 0.0


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(3, 20))]
)
def test_none_is_made_up(tmp_path, seed):
    """With a model that is not true by some millimetres, and a few wrong readings."""
    random = np.random.default_rng([seed, 5])
    poses = (14, 30, 60)[seed % 3]
    design, angles, read = planted(seed, poses, (0.1, 0.1, 2.0)[seed % 3])
    told = angles - 0.4 * np.cos(np.radians(angles)) * (seed % 2)
    for _ in range(int(random.integers(0, 1 + poses // 8))):
        read[random.integers(poses)] += random.normal(0.0, 1.0, 3) * 10 ** random.uniform(0.5, 2.5)
    assert suspicion(tmp_path, design, told, read) is None


def test_a_frame_that_is_turned_is_no_mistake_of_a_column(tmp_path):
    design, angles, read = planted(2)
    turned = read @ np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0].T
    found = suspicion(
        tmp_path, design, angles, turned if np.linalg.det(turned[:3]) * np.linalg.det(read[:3]) > 0 else -turned
    )
    assert (found.repairs, found.vector) == ((Repair(),), "")


@pytest.mark.thorough
def test_the_run_says_what_would_be_gained(tmp_path, capsys):
    design, angles, read = planted(0)
    problem = write_arm(tmp_path, problem_text(design), exchanged(angles, 1, 2), read)
    main(["run", str(problem), "--gap", "0.9", "--out", str(tmp_path / "out"), "--quiet"])
    (line,) = (line for line in capsys.readouterr().out.split("\n") if "a fit misses" in line)
    assert "with columns q2 and q3 exchanged a fit misses a pose by typically 0.09" in line
    assert "(estimated): look whether they are in their places." in line


def test_a_planar_arm(tmp_path):
    write_planar(tmp_path, 20)
    (tmp_path / "problem.toml").write_text(ARM.replace("RATIO", ""))
    assert suspected(load_experiment(tmp_path / "problem.toml")) is None
    table = (tmp_path / "poses.csv").read_text().replace("q1", "Q").replace("q2", "q1").replace("Q", "q2")
    (tmp_path / "poses.csv").write_text(table)
    assert suspected(load_experiment(tmp_path / "problem.toml")).repairs == (Repair((0, 1), exchanged=True),)
