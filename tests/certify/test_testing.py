"""certify.testing: planted truths are true, right solvers pass, planted bugs are found and made small."""

from __future__ import annotations

import html
import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from toy_solvers import RIGHT, SAFE, TIGHT, planted_bugs, right

import certify
from certify import testing
from certify.__main__ import main
from certify.judging_programs.judge import judge_program
from certify.problems.errors import InputError
from certify.problems.programs.program import program
from certify.records.program_records import ProgramVerdict
from certify.testing.adapters.found import program_solver, program_solvers
from certify.testing.apart import apart
from certify.testing.checking import finding_of, strategy_of
from certify.testing.fuzzing import fuzz_library, fuzz_solver, write_corpus
from certify.testing.strategies import FUNCTIONS, calibrations, fits, interval_systems, programs

LOOSE = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@LOOSE
@given(programs(("lp", "qp", "socp", "nonconvex")))
def test_what_is_planted_is_true(planted):
    judged, truth = judge_program(planted.program), planted.truth
    if judged.verdict is ProgramVerdict.FEASIBLE:  # cones without room: no lower end
        assert truth.verdict is ProgramVerdict.OPTIMAL
        assert judged.upper >= truth.minimum[0]
        return
    assert judged.verdict in (truth.verdict, ProgramVerdict.UNDECIDED)
    if truth.minimum is not None and judged.verdict is truth.verdict:
        assert judged.lower <= truth.minimum[1]
        assert truth.minimum[0] <= judged.upper
        least, most = planted.program.violation(truth.point)
        assert least == 0.0
        assert most < 1e-12  # norms are rounded upwards
    if truth.margin is not None and judged.verdict is truth.verdict:
        assert judged.margin[0] <= truth.margin[1]
        assert truth.margin[0] <= judged.margin[1]


@LOOSE
@given(interval_systems())
def test_planted_solutions_solve_a_matrix_of_the_system(system):
    x = [Fraction(value) for value in system.solution]
    for row in range(len(x)):
        values = [sum(Fraction(a) * v for a, v in zip(A[row], x, strict=True)) for A in system.A]
        assert min(values) <= Fraction(system.b[1][row])
        assert max(values) >= Fraction(system.b[0][row])


@LOOSE
@given(fits())
def test_planted_fits_reach_their_sum(fit):
    a, b, c = fit.planted
    total = sum((y - (a * math.exp(-b * x) + c)) ** 2 for x, y in zip(fit.x, fit.y, strict=True))
    assert total <= fit.reached


@LOOSE
@given(calibrations())
def test_planted_calibrations_fit(rows):
    W, y, theta = rows
    assert np.abs(W @ theta - y).max() <= 2.0**-6


@pytest.mark.parametrize("checked", RIGHT, ids=lambda one: one.name)
def test_right_solvers_pass(checked):
    @testing.checks(checked, examples=60)
    def inner(instance):
        assert instance is not None

    inner()


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(planted_bugs()))
def test_planted_bugs_are_found_within_200_examples_and_made_small(name):
    """The first wrong answer within 200 examples is enough for `checks` to fail; what it shows has at most 5 rows."""
    checked = planted_bugs()[name]
    asked, smallest = [0], []
    first = []

    def looked(instance):
        asked[0] += 1
        found = finding_of(checked, instance)
        if found is not None and found.wrong:
            first.append(asked[0])
            smallest.append(instance)
            raise testing.WrongAnswer(found.words)

    test = settings(LOOSE, max_examples=200, database=None, derandomize=True)(given(strategy_of(checked))(looked))
    with pytest.raises((testing.WrongAnswer, Exception)):
        test()
    assert first
    assert first[0] <= 200
    if isinstance(checked, testing.Solver):
        assert smallest[-1].program.rows <= 5


def test_a_failing_check_shows_a_script():
    @testing.checks(
        testing.Solver("says 0", lambda found: testing.Answer(testing.Said.OPTIMAL, np.zeros(found.size)), TIGHT)
    )
    def inner():
        """Nothing more."""

    with pytest.raises(testing.WrongAnswer, match="import numpy as np"):
        inner()


def test_a_solver_that_answers_nothing_is_not_passed():
    @testing.checks(testing.Solver("mute", lambda found: testing.Answer(testing.Said.NOTHING), TIGHT), examples=20)
    def inner():
        """Nothing more."""

    with pytest.raises(testing.WrongAnswer, match="has answered none of"):
        inner()


def test_within_the_tolerance_is_no_wrong_answer():
    """Infeasible by 2^-30, and a point that misses by that: an absolute tolerance of 1e-8 allows it, 1e-10 does not."""
    margin = 2.0**-30
    found = program([0.0], [[1.0], [1.0]], [-np.inf, 1.0 + 2 * margin], [1.0, np.inf])
    truth = testing.Truth(ProgramVerdict.INFEASIBLE, None, (margin, margin))
    answer = testing.Answer(testing.Said.OPTIMAL, np.array([1.0 + margin]))
    assert testing.finding(found, truth, answer, testing.Criterion(1e-8)).wrong is False
    assert testing.finding(found, truth, answer, testing.Criterion(1e-10)).wrong is True
    assert testing.finding(found, truth, testing.Answer(testing.Said.INFEASIBLE), testing.Criterion(1e-8)) is None


@pytest.mark.parametrize(
    ("said", "point", "wrong"),
    [
        (testing.Said.OPTIMAL, [1.0], False),
        (testing.Said.OPTIMAL, [2.0], True),
        (testing.Said.OPTIMAL, [0.5], True),
        (testing.Said.OPTIMAL, [math.nan], True),
        (testing.Said.INFEASIBLE, None, True),
        (testing.Said.UNBOUNDED, None, True),
        (testing.Said.NEITHER, None, True),
        (testing.Said.NOTHING, None, False),
    ],
)
def test_what_contradicts_a_planted_minimum(said, point, wrong):
    """min x, x >= 1."""
    found = program([1.0], [[1.0]], [1.0])
    truth = testing.Truth(ProgramVerdict.OPTIMAL, (1.0, 1.0), None, np.array([1.0]), 3.0)
    told = testing.finding(found, truth, testing.Answer(said, None if point is None else np.array(point)), TIGHT)
    assert (told is not None and told.wrong) is wrong
    blunt = replace(TIGHT, ray=math.inf)
    if said in (testing.Said.INFEASIBLE, testing.Said.UNBOUNDED):
        assert testing.finding(found, truth, testing.Answer(said), blunt).wrong is False


def test_a_solver_that_crashes_has_no_answer():
    import os
    import signal

    def crash(found):
        os.kill(os.getpid(), signal.SIGKILL)

    answer = apart(crash)(program([1.0]))
    assert answer.said is testing.Said.NOTHING
    assert "crashed with signal 9" in answer.word
    same = apart(right)(program([1.0], low=[2.0]))
    assert same.said is testing.Said.OPTIMAL
    assert same.point.tolist() == [2.0]


def test_highs_is_found_to_be_wrong_about_a_convex_quadratic_program():
    """Unaided: 'optimal' with half of the minimum, on a singular Hessian (highspy 1.15)."""
    solver = program_solver("highs")
    found = program([-1.0, 0.0, -2.0], quadratic=[[1.0, 1.0, 1.0], [1.0, 2.0, 0.0], [1.0, 0.0, 2.0]])
    judged = judge_program(found)
    assert judged.verdict is ProgramVerdict.OPTIMAL
    assert judged.lower <= -1.0 <= judged.upper
    answer = solver.solve(found)
    assert answer.said in testing.Said


FINDS = Path(__file__).parents[2] / "benchmarks" / "finds"


def test_finds_are_ten_scripts_that_say_what_is_true():
    scripts = sorted(FINDS.glob("*.py"))
    assert len(scripts) >= 10
    for path in scripts:
        text = path.read_text()
        compile(text, path.name, "exec")
        assert "\ntruth: " in text or "; truth: " in text, path
        assert "certify" not in [line.split()[1].split(".")[0] for line in text.splitlines() if line[:7] == "import "]


@pytest.mark.parametrize("name", ["highs_nonconvex", "highs_half_of_the_minimum", "highs_unbounded"])
def test_finds_about_highs_run(name):
    """0: this version is right, 1: it is wrong; nothing else."""
    done = subprocess.run([sys.executable, FINDS / f"{name}.py"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "HiGHS 1." in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(set(program_solvers()) & {"scipy-highs", "cvxpy-clarabel"}))
def test_good_solvers_raise_no_alarm(name):
    found = fuzz_solver(program_solver(name), 40, 3)
    assert found.cases == []
    assert found.counts.right > 20


@pytest.mark.thorough
def test_fuzzing_counts_and_writes_one_script_for_a_cause(tmp_path):
    stale = planted_bugs()["a stale basis"]
    found = fuzz_solver(stale, 40, 1)
    assert found.counts.wrong > 0
    causes = [case.cause for case in found.cases]
    assert causes
    assert sorted(set(causes)) == sorted(causes)
    assert all(case.rows <= 5 for case in found.cases)
    assert len(write_corpus(found, tmp_path)) == len(causes)
    assert write_corpus(found, tmp_path) == []
    assert main(["report", str(tmp_path), "--quiet"]) == 3
    assert found.cases[0].cause in html.unescape((tmp_path / "report.html").read_text())
    (tmp_path / "result.json").write_text('{"parts": []}')
    with pytest.raises(InputError, match="another sort"):
        write_corpus(found, tmp_path)
    text = next(iter(tmp_path.glob("*.py"))).read_text()
    compile(text, "script", "exec")


def test_a_solver_that_does_not_end_on_rows_without_numbers_has_its_smallest_instance_shown():
    """The kind of HiGHS#2489: reached by the strategies, and one cause whatever the instance is."""

    def stuck(found):
        empty = found.rows > 0 and not abs(found.matrix).sum(axis=1).all()
        word = "TimeLimit" if empty and found.quadratic.nnz else "nothing"
        return testing.Answer(testing.Said.NOTHING, word=word)

    found = fuzz_solver(testing.Solver("stuck", stuck, TIGHT, ("qp",)), 60, 1)
    assert not found.cases
    rows = {case.cause: case.rows for case in found.silent}
    assert rows == {"no answer (TimeLimit)": 1, "no answer (nothing)": 0}


def test_fuzzing_of_libraries():
    assert fuzz_library(testing.Enclosing("outwards", SAFE), 60).cases == []
    lost = testing.Enclosing("lost", {"exp": lambda low, high: (math.inf, math.inf)})
    assert "exp loses a value" in {case.cause for case in fuzz_library(lost, 40).cases}


def test_every_function_has_a_rational_truth():
    from certify.testing.enclosing import value

    for function in FUNCTIONS:
        low, high = value(function, 0.75)
        true = getattr(certify.interval, function)(certify.Interval(0.75))
        assert low <= high
        assert Fraction(true.lower) <= high
        assert low <= Fraction(true.upper)
        assert high - low < Fraction(1, 2**100)
    assert value("sqrt", -1.0) is None
    assert value("log", 0.0) is None


@pytest.mark.parametrize("function", ["exp", "sinh", "cosh"])
def test_what_no_double_holds_is_compared_too(function):
    """An upper end of a number that is too large is wrong; at 710 exp is above all doubles, and the others are not."""
    true = getattr(certify.interval, function)(certify.Interval(710.0))
    right = testing.Enclosing("right", {function: lambda low, high: (true.lower, true.upper)})
    assert testing.enclosing_finding(right, function, 710.0, 710.0, 710.0) is None
    for low, high in ((0.0, 1e300), (math.inf, math.inf)):
        wrong = testing.Enclosing("wrong", {function: lambda *ends, found=(low, high): found})
        assert testing.enclosing_finding(wrong, function, 700.0, 1000.0, 1000.0).wrong


def test_what_is_missed_at_least_is_rounded_down():
    """sqr(1) is 1, and an answer whose upper end is 1 - 12399 2^-40 misses it by so much, not by 1.13e-08."""
    low = testing.Enclosing("low", {"sqr": lambda low, high: (0.0, 1 - 12399 * 2.0**-40)})
    words = testing.enclosing_finding(low, "sqr", 1.0, 1.0, 1.0).words
    told = Fraction(words.split(" by ")[1].split()[0])
    assert Fraction(99, 100) * Fraction(12399, 2**40) < told <= Fraction(12399, 2**40)


def test_sums_of_fits_are_rounded_outwards():
    from certify.testing.fitting import FitSolver, fit_finding, residual_sum

    fit = planted_fit()
    for step in range(1, 9):
        parameters = (100.0 + step, 1.0, 0.0)
        words = fit_finding(FitSolver("far", lambda fit, found=parameters: (True, found)), fit).words
        least, most = Fraction(words.split("sum of ")[1].split()[0]), Fraction(words.split(" has ")[1].split()[0])
        assert least <= residual_sum(fit, parameters)[0]
        assert most >= fit.reached


def test_a_fuzzing_that_has_tried_nothing_does_not_end_well(capsys):
    assert main(["fuzz", "scipy-highs", "--examples", "5", "--seconds", "1e-9", "--quiet"]) == 3
    assert "0 instances" in capsys.readouterr().out


def test_fits_are_counted_and_never_called_wrong():
    from certify.testing.adapters.fit_solvers import fit_solvers
    from certify.testing.fitting import FitSolver, fit_finding, residual_sum
    from certify.testing.fuzzing import fuzz_fits

    found = fuzz_fits(fit_solvers()["scipy-least-squares"], 30, 1)
    assert found.counts.wrong == 0
    assert found.counts.right > 15
    fit = planted_fit()
    low, high = residual_sum(fit, fit.planted)
    assert 0.0 <= low <= high <= fit.reached
    above = FitSolver("far", lambda fit: (True, (100.0, 1.0, 0.0)))
    assert fit_finding(above, fit).wrong is False
    assert fit_finding(above, fit).margin > 1.0
    assert fit_finding(FitSolver("nan", lambda fit: (True, (math.nan, 1.0, 0.0))), fit).wrong is True
    assert fit_finding(FitSolver("none", lambda fit: (False, None)), fit).silent


def planted_fit():
    from certify.testing.strategies import Fit

    x = (0.0, 0.25, 0.5, 0.75, 1.0)
    y = tuple(round((2.0 * math.exp(-0.5 * t) + 1.0) * 2**20) / 2**20 for t in x)
    return Fit(x, y, (1.0, 1.0, 1.0), (2.0, 0.5, 1.0), 5 * (2.0**-20 + 2.0**-40) ** 2)


@pytest.mark.thorough
def test_engines_as_libraries_contain_what_they_must():
    """Those that are found here; ends come and go exactly, whatever the rounding of their process is."""
    from certify.testing.adapters.engine_libraries import engine_library

    found = [library for name in ("codac", "pyibex") if (library := engine_library(name)) is not None]
    for library in found:
        assert fuzz_library(library, 150, 2).cases == []
        low, high = library.functions["sqr"](1.3197344184282116, 1.3197344184282116)
        assert Fraction(low) <= Fraction(1.3197344184282116) ** 2 <= Fraction(high)
    assert engine_library("nobody") is None


def test_the_command_lists_and_refuses(capsys):
    from certify.__main__ import main

    assert main(["fuzz", "list"]) == 0
    assert "scipy-highs" in capsys.readouterr().out
    assert main(["fuzz", "nobody"]) == 2
    assert "no solver is called 'nobody' here" in capsys.readouterr().err
    assert main(["fuzz", "scipy-highs", "--examples", "20", "--quiet", "--json"]) in (0, 1)
    assert '"within_tolerance"' in capsys.readouterr().out


@pytest.mark.thorough
def test_shares_are_put_together_and_are_the_same_for_any_number_of_workers(capsys, monkeypatch):
    from certify.__main__ import main
    from certify.solvers.workers.processes import Processes
    from certify.testing import together
    from certify.testing.together import fuzzed_together

    monkeypatch.setattr(together, "SHARE", 10)
    found = fuzzed_together("scipy-highs", 40, 7)
    counts = found.counts
    assert counts.right + counts.wrong + counts.tolerated + counts.silent == 40
    with Processes(2, forked=True) as crew:
        assert fuzzed_together("scipy-highs", 40, 7, crew=crew) == found
    nothing = fuzzed_together("scipy-highs", 40, 7, seconds=1e-9)
    assert nothing.counts.right == 0
    assert main(["fuzz", "scipy-highs", "--workers", "0"]) == 2
    assert "--workers 0 is not a positive number" in capsys.readouterr().err
