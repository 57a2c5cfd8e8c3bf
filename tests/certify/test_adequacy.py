"""Both ends of epsilon, from data to certificates that the checker accepts; planted truth is never contradicted."""

import gc
from dataclasses import replace
from fractions import Fraction
from weakref import ref

import numpy as np
import pytest
from systems import bilinear, circle, leg, rational

import certify
from certify import Verdict
from certify.checker import Status, check
from certify.parts.fitting import fitted
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.proofs.problem_replay import proving_of


def assert_verified(result):
    for part in result.parts:
        if part.certificate is not None:
            outcome = check(result.canonical, part.certificate)
            assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.thorough
def test_the_legs_are_found_to_be_independent_and_share_their_poses(certified):
    assert [part.name for part in certified.parts] == ["leg1", "leg2", "platform"]
    assert certified.part("platform").scope == ("leg1", "leg2")


def test_both_ends_are_proved_and_close(certified):
    assert_verified(certified)
    for name in ("leg1", "leg2"):
        part = certified.part(name)
        assert part.verdict is Verdict.INADEQUATE
        assert part.gap <= 1e-6
        assert len(part.certificate) < 100_000
        assert part.contractors["lifted-relaxation-1"].refuted
    platform = certified.part("platform")
    assert platform.epsilon[0] == max(certified.part(n).epsilon[0] for n in ("leg1", "leg2"))
    assert platform.epsilon[1] >= max(certified.part(n).epsilon[0] for n in ("leg1", "leg2"))


@pytest.mark.thorough
def test_results_do_not_depend_on_the_run(two_legs, start, certified):
    again = certify.adequacy(two_legs, start=start, options=certify.Options(gap=Fraction(1, 10**6)))
    assert [p.certificate for p in again.parts] == [p.certificate for p in certified.parts]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("system", [leg, circle, bilinear, rational])
def test_the_planted_error_is_never_contradicted(system, seed):
    planted = system(seed)
    result = certify.adequacy(planted.problem, options=certify.Options(gap=Fraction(1, 100), time_limit=5))
    (part,) = result.parts
    assert part.epsilon[0] <= planted.epsilon
    assert_verified(result)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "size", "legs"), [("none", None, 2), ("backlash", 5, 2), ("joints", 3, 2), ("outlier", 5, 6)]
)
def test_simulated_platforms(name, size, legs):
    """The first legs of a platform, whose poses are shared."""
    simulated = simulate(unmodelled_error(name, size), seed=7)
    experiment = simulated.experiment
    estimate = fitted(experiment)
    problem = experiment.problem(estimate)
    problem = replace(problem, families=problem.families[:legs], variables=problem.variables[: 7 * legs])
    start = np.array([float(v) for v in estimate[: 7 * legs]])
    result = certify.adequacy(problem, start=start, options=certify.Options(time_limit=3000))
    for part, planted in zip(result.parts[:legs], simulated.planted_epsilon[:legs], strict=True):
        assert part.epsilon[0] <= planted
        if name == "none":
            assert part.verdict is Verdict.ADEQUATE
            assert part.epsilon == (0, 0)
            assert part.witness
        if name == "backlash":
            assert part.epsilon[0] > 0
            assert part.gap <= 1e-6
    if name == "none":
        assert result.part("platform").verdict is Verdict.ADEQUATE
    if name == "outlier":
        guilty = simulated.truth.outlier[0]
        assert [p.name for p in result.parts[:6] if p.verdict is Verdict.INADEQUATE] == [f"leg{guilty}"]
    assert_verified(result)


def test_too_few_poses_are_no_error_and_what_is_not_determined_is_said():
    planted = leg(1, rows=3)
    (part,) = certify.adequacy(planted.problem).parts
    assert part.verdict is Verdict.ADEQUATE
    assert set(part.estimated_undetermined) == {v.name for v in planted.problem.variables}
    (part,) = certify.adequacy(leg(1).problem).parts
    assert part.estimated_undetermined == ()


def test_verdicts_and_results_have_no_truth_value(certified):
    with pytest.raises(TypeError, match="truth value"):
        bool(certified)
    with pytest.raises(TypeError, match="truth value"):
        bool(certified.parts[0].verdict)
    with pytest.raises(KeyError, match="leg1, leg2, platform"):
        certified.part("leg9")


def test_a_single_measured_number():
    """min over x in [0, 2] of max(|x - 0|, |x - 1|), the data known within 0.1: epsilon* is 0.4, exactly."""
    tape = certify.trace(lambda x, m: x.u - m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 2, (certify.Binding(False, 0), certify.Binding(True, 0)))
    tenth = Fraction(1, 10)
    column = certify.Column("y", "1", (-tenth, 1 - tenth), (tenth, 1 + tenth))
    problem = certify.Problem((certify.Variable("u", "1", Fraction(0), Fraction(2)),), (column,), (family,))
    (part,) = certify.adequacy(problem).parts
    lower, upper = part.epsilon
    assert lower < Fraction(2, 5) <= upper
    assert upper - lower < Fraction(1, 10**6)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["none", "backlash", "outlier"])
def test_a_planar_robot_runs_through_the_same_code(name):
    simulated = simulate_planar(unmodelled_error(name), seed=0)
    experiment = simulated.experiment
    estimate = fitted(experiment)
    result = certify.adequacy(experiment.problem(estimate), start=np.array([float(v) for v in estimate]))
    assert [part.name for part in result.parts] == ["leg1", "leg2", "leg3", "platform"]
    for part, planted in zip(result.parts[:3], simulated.planted_epsilon, strict=True):
        assert part.epsilon[0] <= planted
        assert part.verdict is Verdict.ADEQUATE if name == "none" else part.gap is None or part.gap <= 1e-6
    if name == "backlash":
        assert all(part.epsilon[0] > 0 for part in result.parts)
    assert_verified(result)


def test_doubles_in_json_are_rounded_outwards(certified):
    for part in certified.parts:
        low, high = part.as_json()["epsilon"]
        assert Fraction(low) <= part.epsilon[0]
        assert Fraction(high) >= part.epsilon[1]


def test_a_problem_is_translated_once_while_that_is_held_and_not_kept_longer():
    problem = leg(1).problem
    proving = proving_of(problem)
    assert proving_of(problem) is proving
    assert proving_of(replace(problem)) is not proving
    gone = ref(proving)
    del proving
    gc.collect()
    assert gone() is None
    assert proving_of(problem).problem is problem
