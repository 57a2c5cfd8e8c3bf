"""Doubt about arms: the planted effect is named, with proved gains, and effects that are not there gain little."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from planted_text_arms import poses_of, problem_text, shapes, truth_of, write_arm

import certify
from certify.__main__ import main
from certify.checker import Status, check
from certify.hypotheses.steps import steps
from certify.parts.fitting import fitted
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.hypotheses.exact_parameters import about_exact
from certify.problems.model.hypothesis import richer
from certify.questions.doubt import spread
from certify.runs.experiment_options import effects

SEED, POSES = 4, 24
GAP = certify.Options(gap=Fraction(1, 10), time_limit=300)


def arm():
    design = shapes(SEED, 3)
    return design, truth_of(design, SEED), poses_of(design, POSES, SEED)


def noise():
    return np.random.default_rng(SEED).uniform(-0.09, 0.09, (POSES, 3))


def doubts_about(folder, angles, places, names):
    """What a doubt says of an arm whose table has these angles and places."""
    path = write_arm(folder, problem_text(arm()[0]), angles, places + noise())
    experiment = load_experiment(path)
    problem = experiment.problem(experiment.nominal)
    more = about_exact(experiment, experiment.nominal)
    return certify.doubt(problem, names=names, more=more, options=GAP)


def named_first(doubts, name, others=Fraction(1, 2)):
    assert doubts.first.name == name
    assert doubts.explained(doubts.first) > Fraction(9, 10)
    assert doubts.confirmed(doubts.first) > Fraction(3, 4)
    assert all(doubts.explained(model) < others for model in doubts.richer[1:])


def eccentric(angles):
    turned = angles.copy()
    turned[:, 1] += 0.12 * np.cos(np.radians(angles[:, 1])) + 0.08 * np.sin(np.radians(2 * angles[:, 1]))
    return turned


@pytest.mark.thorough
def test_an_eccentric_encoder_is_named_and_proved(tmp_path):
    _, truth, angles = arm()
    names = ("eccentricity of q2", "eccentricity of q3", "drift of the base", "wrong readings")
    doubts = doubts_about(tmp_path, angles, truth.places(eccentric(angles)), names)
    named_first(doubts, "eccentricity of q2")
    for result in (doubts.first.used, doubts.first.apart):
        for part in result.parts:
            assert check(result.canonical, part.certificate).status is Status.VERIFIED


@pytest.mark.thorough
def test_axes_that_are_not_parallel_are_named(tmp_path):
    _, truth, angles = arm()
    tilted = replace(truth, w=truth.w + np.array([0.0, 0.2, 0.0]))
    doubts = doubts_about(tmp_path, angles, tilted.places(angles), ("exact w_2", "scale of q2", "drift of the base"))
    named_first(doubts, "exact w_2")


@pytest.mark.thorough
def test_a_base_that_drifts_is_named(tmp_path):
    _, truth, angles = arm()
    drift = np.linspace(-1.0, 1.0, POSES)[:, None] * [1.5, -0.8, 0.5]
    doubts = doubts_about(tmp_path, angles, truth.places(angles) + drift, ("drift of the base", "scale of q2"))
    named_first(doubts, "drift of the base")


@pytest.mark.thorough
def test_wrong_poses_are_named(tmp_path):
    _, truth, angles = arm()
    places = truth.places(angles)
    pose = next(k for k in range(4, POSES) if k not in spread(POSES, Fraction(1, 4)))
    places[pose] += [4.0, 0.0, -3.0]
    doubts = doubts_about(tmp_path, angles, places, ("wrong readings", "eccentricity of q2", "drift of the base"))
    assert doubts.first.name == "wrong readings"
    assert doubts.first.sentence == f"a few readings are wrong (poses P{pose + 1})"
    assert doubts.explained(doubts.first) == 1


@pytest.mark.thorough
def test_the_command_says_what_is_worth_a_proof(tmp_path, capsys):
    _, truth, angles = arm()
    path = write_arm(tmp_path, problem_text(arm()[0]), angles, truth.places(eccentric(angles)) + noise())
    assert main(["doubt", str(path), "--quiet", "--gap", "0.1", "--time-limit", "3000"]) == 0
    text = capsys.readouterr().out
    assert "To doubt first: the encoder of q2 is eccentric" in text
    assert "Estimated to explain less than a hundredth, so not judged: " in text


SLIPS = next(k for k in range(10, POSES) if k not in spread(POSES, Fraction(1, 4)))  # or it may be a pose too late


def slipped(at, way=0.0, turn=0.0):
    """An arm of which something slips before this pose (from 0): the base, or the second encoder."""
    _, truth, angles = arm()
    after = np.arange(POSES)[:, None] >= at
    turned = angles + after * [0.0, turn, 0.0]
    return angles, truth.places(turned) + after * [way, -way / 2, way / 3]


@pytest.mark.parametrize(
    ("at", "way", "turn", "name"), [(7, 1.5, 0.0, "step of the base"), (17, 0.0, 0.3, "slip of q2")]
)
def test_the_pose_before_which_something_slips_is_found(tmp_path, at, way, turn, name):
    angles, places = slipped(at, way, turn)
    experiment = load_experiment(write_arm(tmp_path, problem_text(arm()[0]), angles, places + noise()))
    start = np.array([float(value) for value in fitted(experiment)])
    problem = experiment.problem(experiment.nominal)
    found = {hypothesis.name: hypothesis for hypothesis in steps(problem, range(POSES), start)}
    assert set(found) == {"step of the base", "slip of q1", "slip of q2", "slip of q3"}
    assert f"once, before pose P{at + 1} (estimated)" in found[name].sentence
    more = richer(problem, found[name], Fraction(3))
    factor = more.columns[-1] if turn else next(c for c in more.columns if c.name.endswith(".step"))
    assert [int(value) for value in factor.lower] == [int(k >= at) for k in range(POSES)]
    assert not steps(problem, range(3), start)


@pytest.mark.thorough
def test_a_base_that_moves_once_is_named(tmp_path):
    angles, places = slipped(SLIPS, 1.5)
    doubts = doubts_about(tmp_path, angles, places, ("step of the base", "drift of the base", "scale of q2"))
    named_first(doubts, "step of the base", Fraction(9, 10))
    assert f"moves once, before pose P{SLIPS + 1} (estimated)" in doubts.first.sentence


@pytest.mark.thorough
def test_an_encoder_that_slips_is_named(tmp_path):
    angles, places = slipped(SLIPS, turn=0.3)
    doubts = doubts_about(tmp_path, angles, places, ("slip of q2", "slip of q1", "eccentricity of q2"))
    named_first(doubts, "slip of q2", Fraction(9, 10))


def test_effects_have_the_units_of_rows(tmp_path):
    angles, places = slipped(12, turn=0.3)
    experiment = load_experiment(write_arm(tmp_path, problem_text(arm()[0]), angles, places))
    assert effects(None, "--effect", experiment) is None
    assert effects("2 cm", "--effect", experiment) == {"mm": 20}
    for text, wrong in (
        ("2 deg", "no error of this model is told in such a unit"),
        ("1 mm, 2 mm", "two"),
        ("0 mm", "not pos"),
    ):
        with pytest.raises(InputError, match=wrong):
            effects(text, "--effect", experiment)
