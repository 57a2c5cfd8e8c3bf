"""Systems that cannot fork (Windows; macOS does not like to): a run in a process whose Python has no fork, no timer and
no process groups, and can only spawn, gives the answers of any other.
"""

import json
import subprocess
import sys

import pytest

from certify.__main__ import main
from certify.checks.__main__ import apart

WITHOUT = """
import multiprocessing, os, signal, sys
for module, name in ((os, "fork"), (os, "killpg"), (signal, "setitimer"), (signal, "SIGALRM")):
    delattr(module, name)
multiprocessing.get_all_start_methods = lambda: ["spawn"]
multiprocessing.set_start_method("spawn")
sys.modules["resource"] = None
from certify.__main__ import program
if __name__ == "__main__":
    program()
"""


@pytest.mark.thorough
def test_a_run_without_fork_answers_as_any_other(tmp_path, capsys):
    words = ["simulate", "--robot", "planar_3rpr", "--out", str(tmp_path / "planar"), "--quiet"]
    assert main(words) == 0
    capsys.readouterr()
    problem = str(tmp_path / "planar" / "problem.toml")
    asked = ["run", problem, "--time-limit", "3000", "--workers", "2", "--quiet", "--json", "--out"]
    assert main([*asked, str(tmp_path / "ours")]) == 0
    ours = json.loads(capsys.readouterr().out)
    (tmp_path / "spawned.py").write_text(WITHOUT)
    command = [sys.executable, str(tmp_path / "spawned.py"), *asked, str(tmp_path / "theirs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout)
    assert [part["verdict"] for part in theirs["parts"]] == [part["verdict"] for part in ours["parts"]]
    assert all(part["verified"] for part in theirs["parts"]) and (tmp_path / "theirs" / "epsilon.png").is_file()
    check = [sys.executable, str(tmp_path / "spawned.py"), "check", str(tmp_path / "theirs"), "--quiet"]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0


def test_a_check_without_fork_is_made_in_place(monkeypatch):
    monkeypatch.delattr("os.fork")

    def check():
        print("VERIFIED here")
        return 0

    assert apart(check) == (0, "VERIFIED here\n")
