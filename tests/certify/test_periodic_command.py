"""The way of a user: simulated logs of PaLiDA, estimates, intervals and certificates; and messages."""

import json

import numpy as np
import pytest

import certify
from certify.__main__ import main
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.palida.simulated_run import (
    FORCE_DEVIATIONS,
    OF_FORCES,
    OF_LENGTHS,
    PALIDA,
    PERIOD,
    Run,
    exciting_motion,
    simulated_log,
)
from certify.problems.periodic.periodic_log import read_periodic_log


def test_wrong_options_are_named(tmp_path, capsys):
    for words, message in (
        (["identify", "x.csv", "--period", "2 s"], "--period is of a log of a motion that repeats"),
        (["identify", "x.csv", "--robot", "palida"], "give --period '2.5 s'"),
        (["identify", "x.csv", "--robot", "palida", "--period", "2 m"], "give a time with its unit"),
        (["identify", "x.csv", "--robot", "palida", "--period", "2 s", "--gain", "2"], "lengths and forces"),
        (["simulate", "--robot", "palida", "--seconds", "5", "--out", str(tmp_path / "a")], "give --motion too"),
        (["simulate", "--robot", "palida", "--motion", "--seconds", "1", "--out", str(tmp_path / "a")], "a period has"),
    ):
        assert main(words) == 2
        assert message in capsys.readouterr().err


@pytest.mark.thorough
def test_from_simulation_to_checked_certificates(tmp_path, capsys):
    words = ["simulate", "--robot", "palida", "--motion", "--error", "none", "--seconds", "5", "--out"]
    assert main([*words, str(tmp_path / "palida")]) == 0
    out = tmp_path / "out"
    words = ["identify", str(tmp_path / "palida" / "circle.csv"), "--robot", "palida", "--harmonics", "1"]
    capsys.readouterr()
    code = main([*words, "--period", "0.7539822369 s", "--bound", "120 N", "--json", "--out", str(out)])
    told = json.loads(capsys.readouterr().out)
    assert code in (0, 3)
    assert told["periodic"]["periods"] == 2
    assert "of the palida with the dimensions of its simulation" in told["source"]
    assert {"LS", "GM", "ML"} <= set(told["periodic"]["estimated"])
    assert all(told["certificates"].values())
    assert set(told["values"]) >= {"LS", "GM", "ML"}


@pytest.mark.thorough
def test_what_is_shipped_is_what_the_simulation_writes(tmp_path):
    folder = shipped("palida").parent
    for words in (["--motion", "--seconds", "10"], []):
        assert main(["simulate", "--robot", "palida", "--error", "none", *words, "--out", str(tmp_path)]) == 0
    found, kept = (read_periodic_log(path / "motion.csv", PERIOD) for path in (tmp_path, folder))
    assert (folder / "motion.csv").read_text().startswith("# simulated: PaLiDA")
    assert kept.periods == 4
    assert np.abs(found.readings - kept.readings).max() < 1e-8
    assert np.abs(found.forces - kept.forces).max() < 1e-3
    experiment = load_experiment(shipped("palida"))
    assert experiment.provenance.startswith("simulated: hexapod PaLiDA")
    assert load_experiment(tmp_path / "problem.toml") == experiment


@pytest.mark.thorough
def test_what_refutes_the_model_with_cogging_names_its_rows(tmp_path, capsys):
    """The mean of 16 periods, every row within 4.6 deviations of its mean's noise: drive 4's rows are among those."""
    run = Run(exciting_motion(), periods=16, seed=11, cogging=1.0)
    found = certify.periodic_estimates(simulated_log(run), PALIDA, of_readings=OF_LENGTHS, of_forces=OF_FORCES)
    bound = np.tile(4.6 * FORCE_DEVIATIONS / np.sqrt(run.periods), run.samples)
    answer = certify.linear(found.matrix, found.forces, bound, names=PALIDA.names, unit="N").checked()
    assert answer.verdict is certify.Verdict.INADEQUATE
    assert answer.factor.lower > 1
    rows = sorted(row + 1 for row in answer.factor.rows)
    assert 4 in {(row - 1) % 6 + 1 for row in rows}
    answer.save(tmp_path)
    assert main(["explain", str(tmp_path / "factor-lower.cert")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    named = f"rows {', '.join(map(str, rows[:-1]))} and {rows[-1]} of rows together cannot be explained"
    assert f"The conflict: {named} anywhere in the search box" in told
