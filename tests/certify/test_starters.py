"""certify new KIND: what it writes runs as it stands, and overwrites nothing."""

import shlex
import subprocess
import sys

import pytest
from prepared_folders import patient

from certify.__main__ import main
from certify.commands.new import LABORATORY, STARTERS
from certify.problems.simulation.simulation import ROBOTS
from certify.problems.simulation.starters import STARTERS as OWN


def test_every_kind_is_a_choice():
    assert set(STARTERS) == {*OWN, *ROBOTS}


@pytest.mark.thorough
@pytest.mark.parametrize("what", [*OWN, "planar_3rpr"])
def test_a_starter_runs(what, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", what, "--out", "mine"]) == 0
    program, *words = shlex.split(capsys.readouterr().out.rsplit('go on with "', 1)[1].strip().removesuffix('"'))
    if program == "python":
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, "global minimum" in done.stdout) == (0, True), done.stderr
    else:
        assert (program, main([*patient(words), "--quiet"])) == ("certify", 0)
    capsys.readouterr()
    assert main(["new", what, "--out", "mine"]) == 2
    assert "is not overwritten" in capsys.readouterr().err


def test_a_laboratory_has_to_be_filled_in(tmp_path, capsys):
    assert main(["new", LABORATORY, "--out", str(tmp_path)]) == 0
    assert main(["report", str(tmp_path), "--laboratory", str(tmp_path / "laboratory.toml")]) == 2
    assert "TO FILL IN" in capsys.readouterr().err


def test_an_arm_wants_its_measurements(tmp_path, capsys):
    assert main(["new", "arm", "--urdf", "a.urdf", "--out", str(tmp_path)]) == 2
    assert "--data" in capsys.readouterr().err
