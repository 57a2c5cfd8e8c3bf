"""The way of a user: simulated logs of PaLiDA, estimates, intervals and certificates; and messages."""

import json

import pytest

from certify.__main__ import main


def test_wrong_options_are_named(tmp_path, capsys):
    for words, message in (
        (["identify", "x.csv", "--period", "2 s"], "--period is of a log of a motion that repeats"),
        (["identify", "x.csv", "--robot", "palida"], "give --period '2.5 s'"),
        (["identify", "x.csv", "--robot", "palida", "--period", "2 m"], "give a time with its unit"),
        (["identify", "x.csv", "--robot", "palida", "--period", "2 s", "--gain", "2"], "lengths and forces"),
        (["simulate", "--robot", "palida", "--out", str(tmp_path / "a")], "give --motion too"),
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
    assert {"LS", "GM", "ML"} <= set(told["periodic"]["estimated"])
    assert all(told["certificates"].values())
    assert set(told["values"]) >= {"LS", "GM", "ML"}
