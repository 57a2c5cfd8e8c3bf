"""What a run may be asked beside the model error, as a user does: sentences, records, certificates that are verified,
explanations.
"""

from __future__ import annotations

import csv
import json

import pytest

import certify
from certify.__main__ import main
from certify.problems.experiments.experiment import box_centre
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import at_middles


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A simulated planar robot, one reading of leg 2 off by 5 mm; everything is asked."""
    path = tmp_path_factory.mktemp("supplements")
    main(["simulate", "--robot", "planar_3rpr", "--error", "none", "--seed", "3", "--out", str(path)])
    rows = [row for row in csv.reader((path / "poses.csv").open()) if not row[0].startswith("#")]
    place = next(k for k, name in enumerate(rows[0]) if name.strip().startswith("L2"))
    rows[6][place] = str(round(float(rows[6][place]) + 5, 4))
    with (path / "poses.csv").open("w", newline="") as file:
        csv.writer(file).writerows([rows[0], *rows[2::2]])
    return path


@pytest.fixture(scope="module")
def run(folder):
    out = folder / "out"
    asked = ["--least-squares", "--discard", "--polytope"]
    code = main(["run", str(folder / "problem.toml"), "--out", str(out), "--time-limit", "300", *asked])
    return code, out


@pytest.mark.thorough
def test_everything_is_answered_and_verified(run):
    code, out = run
    record = json.loads((out / "result.json").read_text())
    assert code == 0
    assert [part["verdict"] for part in record["minima"]] == ["global minimum"] * 3
    assert [part["discarded"] for part in record["discards"]] == [[], [["leg2", 3]], []]
    assert [part["fewest"] for part in record["discards"]] == [0, 1, 0]
    assert all(["leg2", 3] in conflict for conflict in record["discards"][1]["conflicts"])
    assert [part["verdict"] for part in record["hulls"]] == ["enclosed", "infeasible", "enclosed"]
    assert len(record["hulls"][0]["axes"]) == 5
    for key in ("minima", "hulls", "discards"):
        assert all(part["verified"] for part in record[key])
    assert ["leg2", 3] in record["parts"][1]["conflict"]
    assert all((out / name).is_file() for name in record["files"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["leg1-minimum", "leg1-minimiser", "leg1-hull", "leg2-fewest", "leg2-without", "leg3-without"]
)
def test_a_certificate_is_checked_against_the_problem_file(run, name):
    """The problem.toml is translated anew, at the middles of the measurements where the certificate speaks of least
    squares.
    """
    assert main(["check", str(run[1] / "problem.toml"), str(run[1] / f"{name}.cert"), "--both"]) == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("leg1-minimum", "It is the only global minimum"),
        ("leg1-minimiser", "Whether another point of the search box does better is not said"),
        ("leg1-hull", "with slanted faces, which the certificate spells out"),
        ("leg2-fewest", "No values of the 5 unknowns in the search box explain all 24 rows of leg2 exactly"),
        ("leg2-without", "explain all 24 rows of leg2 but row 3 of leg2 exactly"),
    ],
)
def test_a_certificate_is_explained(run, capsys, name, told):
    assert main(["explain", str(run[1] / f"{name}.cert")]) == 0
    assert told in " ".join(capsys.readouterr().out.split())


@pytest.mark.thorough
def test_the_explanation_for_scripts_has_the_claim(run, capsys):
    assert main(["explain", str(run[1] / "leg1-minimum.cert"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["claims"]["minimum"]["everywhere"] is True


def test_a_system_is_not_fitted(tmp_path, capsys):
    system = tmp_path / "a.bch"
    system.write_text("Variables x in [0,1];\nConstraints x = 0.5; end\n")
    assert main(["run", str(system), "--least-squares"]) == 2
    assert "belongs to experiments" in capsys.readouterr().err


@pytest.mark.thorough
def test_only_sums_of_squares_are_about_the_middles(run, tmp_path):
    """Leg 1 is consistent within its intervals, and not at their middles: a refutation there is no answer about the
    problem file.
    """
    experiment = load_experiment(run[1] / "problem.toml")
    middles = at_middles(experiment.problem(box_centre(experiment, ())))
    part = certify.adequacy(middles).part("leg1")
    assert part.epsilon[0] > 0
    (tmp_path / "forged.cert").write_bytes(part.certificate)
    (tmp_path / "middles.canonical").write_bytes(canonical_bytes(middles))
    assert main(["check", str(tmp_path / "middles.canonical"), str(tmp_path / "forged.cert")]) == 0
    assert main(["check", str(run[1] / "problem.toml"), str(tmp_path / "forged.cert")]) == 1


@pytest.mark.thorough
def test_a_check_says_that_squares_are_summed_at_the_middles(run, capsys):
    for name, said in (("leg1-minimum", True), ("leg1-hull", False)):
        assert main(["check", str(run[1] / "problem.toml"), str(run[1] / f"{name}.cert")]) == 0
        assert ("the middles of their intervals" in capsys.readouterr().out) is said
