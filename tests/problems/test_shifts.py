"""Hypotheses about arms: a richer problem is the problem with what is read shifted, and nothing else; axes are where
they are.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from planted_text_arms import about, poses_of, problem_text, rotation_xyz, shapes, write_arm

import certify
from certify.contractors.tape.evaluation import evaluate
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.hypotheses.exact_parameters import about_exact
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.hypothesis import chosen, hypotheses, richer
from certify.problems.robots.joint_axes import arm_of

EFFECTS = {"mm": Fraction(3)}
POSES, SEED = 9, 3


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    design = shapes(SEED, 4)
    angles = poses_of(design, POSES, SEED)
    path = write_arm(tmp_path_factory.mktemp("arm"), problem_text(design), angles, design.places(angles))
    return design, angles, load_experiment(path)


@pytest.fixture(scope="module")
def problem(planted):
    return planted[2].problem(planted[2].nominal)


def rows_at(problem, x):
    """The values of all rows (families, poses) at the middles of the measurements."""
    found = []
    for rows in problem.blocks:
        middle = 0.5 * (rows.lower + rows.upper)
        middle[rows.unknown_inputs] = x[rows.places, None]
        found.append(evaluate(rows.tape, middle, middle).estimated_middle[0])
    return np.array(found)


def middle_of(problem):
    return np.array([float(v.lower + v.upper) / 2 for v in problem.variables])


def with_unknowns(problem, more, values):
    """The middle of the box, the added unknowns as they are given by name, 0 where they are not."""
    added = [values.get(v.name, float(v.lower + v.upper) / 2) for v in more.variables[len(problem.variables) :]]
    return np.concatenate([middle_of(problem), added])


def misses(design, angles, places=0.0):
    """The rows of a model with other angles or places than those of the table, which are the design's."""
    read = design.places(poses_of(design, POSES, SEED))
    return (design.places(angles) - read - places).T


def test_the_hypotheses_about_an_arm(problem):
    names = [hypothesis.name for hypothesis in hypotheses(problem)]
    for wanted in ("eccentricity of q2", "scale of q4", "elasticity of q3", "elasticity of all", "deflection of t"):
        assert wanted in names
    assert {"drift of the base", "drift and turn of the base", "eccentricity of all"} <= set(names)
    assert not any(name.startswith(("backlash", "first order", "elasticity of q1")) for name in names)


def in_a_table(unit):
    """An arm of three joints, whose places a table holds in mm or in m: exactly the same."""
    random, size = np.random.default_rng(SEED), {"mm": 1, "m": Fraction(1, 1000)}[unit]
    angles, places = (random.integers(-400, 400, (3, POSES)).tolist() for _ in range(2))

    def model(x, m):
        (c1, s1), (c2, s2), (c3, s3) = (
            (certify.cos(q), certify.sin(q)) for q in (m.q1 + x.o, m.q2 + x.o * 0, m.q2 + m.q3)
        )
        out, up = c2 * x.l + c3 * x.tool[0] - s3 * x.tool[2], s2 * x.l + s3 * x.tool[0] + c3 * x.tool[2]
        tip = c1 * out - s1 * x.tool[1], s1 * out + c1 * x.tool[1], up
        return np.array([place - read for place, read in zip(tip, m.p, strict=True)], dtype=object)

    table = {f"q{k + 1} [rad]": [Fraction(q, 500) for q in angles[k]] for k in range(3)}
    table |= {f"p.{axis} [{unit}]": [size * v for v in places[k]] for k, axis in enumerate("xyz")}
    ends = {"l": (290, 310), "tool.x": (190, 210), "tool.y": (0, 20), "tool.z": (10, 30)}
    unknowns = {
        "o [rad]": (-1, 1),
        **{f"{name} [{unit}]": (size * low, size * high) for name, (low, high) in ends.items()},
    }
    return certify.Problem.from_table(model, table, unknowns, unit=unit)


def test_an_arm_in_metres_is_asked_the_same():
    """Of one in m neither gravity nor a moving base was asked about."""
    first, other = in_a_table("mm"), in_a_table("m")
    asked, again = hypotheses(first), hypotheses(other)
    assert [h.name for h in asked] == [h.name for h in again]
    assert {"elasticity of q2", "deflection of tool", "drift and turn of the base"} <= {h.name for h in asked}
    for one, two in zip(asked, again, strict=True):
        ours, theirs = richer(first, one, {"mm": Fraction(3)}), richer(other, two, {"m": Fraction(3, 1000)})
        values = [float(v.upper) for v in ours.variables]
        scaled = [x / 1000 if v.unit == "m" else x for x, v in zip(values, theirs.variables, strict=True)]
        found, wanted = (rows_at(more, np.array(x)) for more, x in ((theirs, scaled), (ours, values)))
        assert 1000 * found == pytest.approx(wanted, abs=1e-6)


def test_without_the_effect_the_rows_are_the_same(planted, problem):
    for hypothesis in (*hypotheses(problem), *about_exact(planted[2], planted[2].nominal)):
        more = richer(problem, hypothesis, EFFECTS)
        assert more.variables[: len(problem.variables)] == problem.variables
        assert len(more.variables) > len(problem.variables)
        assert rows_at(more, middle_of(more)) == pytest.approx(rows_at(problem, middle_of(problem)), abs=1e-9)
        assert canonical_bytes(more) == canonical_bytes(richer(problem, hypothesis, EFFECTS))


def test_an_eccentric_encoder_reads_its_harmonics(planted, problem):
    design, angles, _ = planted
    more = richer(problem, chosen(problem, ["eccentricity of q2"])[0], EFFECTS)
    values = {"q2.cos1": 0.03, "q2.sin1": -0.02, "q2.cos2": 0.01, "q2.sin2": 0.04}
    turned, q = angles.copy(), np.radians(angles[:, 1])
    turned[:, 1] += 0.03 * np.cos(q) - 0.02 * np.sin(q) + 0.01 * np.cos(2 * q) + 0.04 * np.sin(2 * q)
    assert rows_at(more, with_unknowns(problem, more, values)) == pytest.approx(misses(design, turned), abs=1e-3)


def test_a_scale_is_what_it_says_at_the_ends_of_the_range(planted, problem):
    design, angles, _ = planted
    more = richer(problem, chosen(problem, ["scale of q3"])[0], EFFECTS)
    turned, q = angles.copy(), angles[:, 2]
    turned[:, 2] += 0.05 * (2 * q - q.max() - q.min()) / (q.max() - q.min())
    got = rows_at(more, with_unknowns(problem, more, {"q3.scale": 0.05}))
    assert got == pytest.approx(misses(design, turned), abs=1e-3)


def test_what_is_called_exact_is_freed(planted, problem):
    design, angles, experiment = planted
    (twist,) = (h for h in about_exact(experiment, experiment.nominal) if h.name == "exact w_2")
    more = richer(problem, twist, EFFECTS)
    other = replace(design, w=design.w + np.array([0.0, 0.1, 0.0, 0.0]))
    got = rows_at(more, with_unknowns(problem, more, {"w_2": design.w[1] + 0.1}))
    read = design.places(angles)
    assert got == pytest.approx((other.places(angles) - read).T, abs=1e-3)


def test_a_base_that_drifts_and_turns(planted, problem):
    design, angles, _ = planted
    more = richer(problem, chosen(problem, ["drift and turn of the base"])[0], EFFECTS)
    got = rows_at(more, with_unknowns(problem, more, {"drift_y": 0.5, "turn_21": 0.3}))
    order, read = np.linspace(-1.0, 1.0, POSES), design.places(angles)
    middle = (read.max(axis=0) + read.min(axis=0)) / 2
    moved = (read - middle) / (np.ptp(read, axis=0).max() / 2)
    places = np.zeros_like(read)
    places[:, 0], places[:, 1] = -0.3 * order * moved[:, 1], order * (0.5 + 0.3 * moved[:, 0])
    assert got == pytest.approx(misses(design, angles, places), abs=1e-3)


def test_a_tool_gives_way_as_gravity_is_seen_in_its_frame(planted, problem):
    design, angles, _ = planted
    more = richer(problem, chosen(problem, ["deflection of t"])[0], EFFECTS)
    bends = np.array([[0.4, -0.2, 0.1], [-0.2, 0.3, 0.25], [0.1, 0.25, 0.0]])
    values = {f"t.bends{i + 1}{j + 1}": bends[i, j] for i in range(3) for j in range(i, 3)}
    turn, changes = rotation_xyz(design.turn), []
    for row in angles:
        rotation = np.eye(3)
        for k in range(4):
            rotation = rotation @ about("z", row[k] + design.o[k]) @ about("x", design.w[k])
        changes.append(turn @ rotation @ bends @ rotation.T @ [0.0, 0.0, 1.0])
    got = rows_at(more, with_unknowns(problem, more, values))
    assert got == pytest.approx(misses(design, angles, -np.array(changes)), abs=1e-3)


def test_axes_are_found_from_the_rows(planted, problem):
    design, angles, _ = planted
    arm, turn = arm_of(problem), rotation_xyz(design.turn)
    assert np.abs(np.abs(arm.vertical @ turn[:, 2]) - 1.0) < 1e-9
    for k, axis in enumerate(arm.axes):
        for pose, row in enumerate(angles):
            rotation = turn
            for j in range(k):
                rotation = rotation @ about("z", row[j]) @ about("x", design.w[j])
            frames = design.frames(row)
            assert axis.direction[pose] == pytest.approx(rotation[:, 2], abs=1e-8)
            away = turn @ (frames[k] - frames[-1]) - axis.foot[pose]  # along the axis, from the foot to the joint
            assert np.cross(away, rotation[:, 2]) == pytest.approx(np.zeros(3), abs=1e-6)
            assert abs(axis.foot[pose] @ rotation[:, 2]) < 1e-6


def test_a_joint_gives_way_in_proportion_to_the_moment_of_gravity(planted, problem):
    design, angles, _ = planted
    more = richer(problem, chosen(problem, ["elasticity of q2"])[0], EFFECTS)
    moments = []
    for row in angles:
        frames, rotation = design.frames(row), about("z", row[0]) @ about("x", design.w[0])
        moments.append(np.cross(rotation[:, 2], frames[-1] - frames[1])[2])
    turned = angles.copy()
    turned[:, 1] += 0.05 * np.array(moments) / np.abs(moments).max()
    got = rows_at(more, with_unknowns(problem, more, {"q2.yields_to_load": 0.05}))
    assert got == pytest.approx(misses(design, turned), abs=1e-3)
