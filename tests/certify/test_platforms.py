"""Platforms that the program knows nothing of, each from a simulated problem file to certificates that another process
checks.
"""

import json
from fractions import Fraction
from functools import lru_cache

import pytest
from commands import run

import certify
from certify.__main__ import main
from certify.explaining.problem_files import translated
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.simulation.platform import find_platform, platform_names, simulate_platform
from certify.problems.simulation.unmodelled_error import unmodelled_error

GAP = certify.Options(gap=Fraction(1, 10**5), time_limit=600.0)


@lru_cache
def simulated(name, error):
    return simulate_platform(find_platform(name), unmodelled_error(error, 5 if error == "outlier" else None), 1)


def calibrated(folder, name, error):
    path = write_experiment(folder, simulated(name, error).experiment)
    answer = certify.calibrate(load_experiment(path), folder / "certified", GAP)
    assert translated(folder / "certified" / "problem.toml") == answer.result.canonical
    return answer


@pytest.mark.thorough
@pytest.mark.parametrize("name", platform_names())
def test_true_data_are_adequate(tmp_path, name):
    answer = calibrated(tmp_path, name, "none")
    assert answer.exit_code == 0, answer.checks
    for part in answer.result.parts:
        assert part.verdict is certify.Verdict.ADEQUATE, part.name
        assert part.witness
    assert all(check.verified for check in answer.checks)


@pytest.mark.thorough
@pytest.mark.parametrize("name", platform_names())
def test_a_planted_error_is_proved(tmp_path, name):
    answer = calibrated(tmp_path, name, "outlier")
    assert answer.exit_code == 0, answer.checks
    leg, planted = simulated(name, "outlier").truth.outlier[0], simulated(name, "outlier").planted_epsilon
    wrong = [part for part in answer.result.parts if part.verdict is certify.Verdict.INADEQUATE]
    together = answer.result.part("platform")
    assert {part.name for part in wrong} == {"platform"} | ({f"leg{leg}"} if len(answer.result.parts) > 1 else set())
    lower, upper = together.epsilon
    assert 0 < lower <= upper <= Fraction(planted[leg - 1])
    assert upper - lower <= upper / 1000
    folder = tmp_path / "certified"
    done = run("check", folder / "problem.toml", folder / f"{wrong[0].name}.cert")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("VERIFIED")


@pytest.mark.thorough
def test_the_command_line_runs_and_explains_a_model(tmp_path, capsys):
    problem = write_experiment(tmp_path, simulated("planar", "outlier").experiment)
    assert main(["run", str(problem), "--out", str(tmp_path / "out"), "--gap", "1e-5", "--json"]) == 0
    parts = {part["name"]: part for part in json.loads(capsys.readouterr().out)["parts"]}
    worst = next(name for name, part in parts.items() if part["verdict"] == "inadequate")
    assert main(["explain", str(tmp_path / "out" / f"{worst}.cert")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "norm([x, y] + rotation(theta)*b - a) - (L + l) = 0" in told
    assert main(["run", str(problem), "--out", str(tmp_path / "decided"), "--epsilon", "3 deg"]) == 2
    assert "a length (m, cm, mm, um, inch) is needed" in capsys.readouterr().err


def test_a_model_without_lengths_has_an_epsilon_without_unit(tmp_path, capsys):
    """A measured angle against an unknown one: rows are plain numbers, fits are rounded finely."""
    (tmp_path / "poses.csv").write_text("pose,s [1],q [deg]\n1,0.5,0\n2,0.87,31\n3,1,59.5\n")
    (tmp_path / "problem.toml").write_text(
        'format = "certify-problem-file 1"\ntitle = "A sine"\nprovenance = "simulated: by hand"\nposes = "poses.csv"\n'
        '[model]\nequation = "s - sin(q + zero)"\n[model.parameters]\nzero = '
        '"angle"\n[model.columns]\ns = "number"\nq = "angle"\n'
        '[half_widths]\ns = "0.001 1"\nq = "0.01 deg"\n[box]\ncentre = "least squares"\nradius = { zero '
        '= "5 deg" }\n[legs.leg1]\nzero = "29 deg"\n'
    )
    assert main(["run", str(tmp_path / "problem.toml"), "--epsilon", "0.001 1", "--json"]) == 0
    part = json.loads(capsys.readouterr().out)["parts"][0]
    assert (part["verdict"], part["unit"]) == ("infeasible", "1")
    assert main(["run", str(tmp_path / "problem.toml"), "--json"]) == 0
    part = json.loads(capsys.readouterr().out)["parts"][0]
    assert part["verdict"] == "inadequate"
    assert 0.001 < part["epsilon"][0] <= part["epsilon"][1] < 0.02


def test_polynomial_rows_and_others_may_share_unknowns():
    """The linear relaxation of the polynomial rows knows nothing of the unknowns that only other rows have."""
    bounds = Fraction(0), Fraction(1)
    variables = tuple(certify.Variable(name, "1", *bounds) for name in ("u", "v"))
    columns = tuple(
        certify.Column(name, "1", (value,), (value,))
        for name, value in (("first", Fraction(2)), ("second", Fraction(1, 2)))
    )
    curved = certify.trace(lambda x, m: certify.sin(x.u) + x.v - m.first, {"u": (), "v": ()}, {"first": ()})
    plain = certify.trace(lambda x, m: x.v - m.second, {"v": ()}, {"second": ()})
    bind = certify.Binding
    families = (
        certify.Family("curved", curved, 1, (bind(False, 0), bind(False, 1), bind(True, 0))),
        certify.Family("plain", plain, 1, (bind(False, 1), bind(True, 1))),
    )
    part = certify.adequacy(
        certify.Problem(variables, columns, families), options=certify.Options(time_limit=5.0)
    ).parts[0]
    assert part.verdict is certify.Verdict.INADEQUATE
    assert part.epsilon[0] <= Fraction("0.329264507596") <= part.epsilon[1] + Fraction(1, 10**9)  # (3/2 - sin 1) / 2
