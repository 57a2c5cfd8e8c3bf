"""`certify check --both` and the second checker's own command line; and that the two checkers share nothing."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from arb_texts import DISTANCES, lower, sealed

import certify.checks.checking
from certify.checker_arb.command import main
from certify.checks.checking import Check, agreed, check_files_twice
from certify.problems.errors import InputError

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "certify" / "checker_arb"
GOOD = lower("9/10", "aggregate q0.0+1 q0.2-1")
BAD = lower("1", "aggregate q0.0+1 q0.2-1")


@pytest.fixture
def files(tmp_path):
    problem, good, bad = tmp_path / "problem.canonical", tmp_path / "good.cert", tmp_path / "bad.cert"
    problem.write_text(DISTANCES)
    good.write_text(sealed(DISTANCES, GOOD))
    bad.write_text(sealed(DISTANCES, BAD))
    return problem, good, bad


def run(*words, cwd=None):
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, cwd=cwd, check=False)


def test_exit_codes(files, capsys):
    problem, good, bad = map(str, files)
    assert main([problem, good]) == 0
    assert main([problem, bad]) == 1
    assert main([problem, good, "--seconds", "-1"]) == 3
    out = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in out] == ["VERIFIED", "REJECTED", "RESOURCE"]
    for words in (
        [],
        [problem],
        [problem, good, bad],
        [problem, good, "--seconds"],
        [problem, good, "--seconds", "x"],
        [problem, problem + "x"],
    ):
        assert main(words) == 2
    assert capsys.readouterr().out == ""


def test_it_runs_as_a_module_and_alone(files, tmp_path):
    problem, good, bad = files
    assert run("-m", "certify.checker_arb", problem, good, cwd=ROOT).returncode == 0
    shutil.copytree(FOLDER, tmp_path / "elsewhere")
    done = run("-I", tmp_path / "elsewhere", problem, good)
    assert (done.returncode, done.stdout.split(" ")[0]) == (0, "VERIFIED")
    done = run("-I", tmp_path / "elsewhere", problem, bad)
    assert (done.returncode, done.stdout.split(" ")[0]) == (1, "REJECTED")


def test_both(files):
    problem, good, bad = files
    done = run("-m", "certify", "check", problem, good, "--both")
    assert done.returncode == 0
    assert "both checkers" in done.stdout
    done = run("-m", "certify", "check", problem, bad, "--both")
    assert done.returncode == 1
    assert done.stdout.startswith("REJECTED") and "both checkers" in done.stdout


def answer(code, word):
    return Check("x.cert", code, f"{word} because", 0.1)


@pytest.mark.parametrize(
    ("first", "second", "code", "word"),
    [
        (answer(0, "VERIFIED"), answer(0, "VERIFIED"), 0, "VERIFIED"),
        (answer(1, "REJECTED"), answer(1, "REJECTED"), 1, "REJECTED"),
        (answer(3, "RESOURCE"), answer(3, "RESOURCE"), 3, "RESOURCE"),
        (answer(0, "VERIFIED"), answer(1, "REJECTED"), 1, "REJECTED the checkers disagree"),
        (answer(1, "REJECTED"), answer(0, "VERIFIED"), 1, "REJECTED the checkers disagree"),
        (answer(0, "VERIFIED"), answer(-9, "killed"), 1, "REJECTED the checkers disagree"),
        (answer(0, "VERIFIED"), answer(3, "RESOURCE"), 3, "RESOURCE"),
        (answer(3, "RESOURCE"), answer(1, "REJECTED"), 3, "RESOURCE"),
    ],
)
def test_what_two_answers_come_to(first, second, code, word):
    found = agreed(first, second)
    assert found.code == code
    assert found.message.startswith(word)
    assert first.message in found.message and (first.code == second.code or second.message in found.message)


def test_without_flint_it_says_what_to_do(files, monkeypatch):
    monkeypatch.setattr(certify.checks.checking.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install python-flint"):
        check_files_twice(files[0], files[1])


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1
            if node.level == 0:
                yield node.module


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.name)
def test_the_second_checker_imports_flint_and_the_standard_library(path):
    for name in imported(path):
        assert name.split(".")[0] in {"flint", *sys.stdlib_module_names}


def test_a_checker_that_does_not_end_is_stopped(files, tmp_path, monkeypatch):
    problem, good, _ = files
    (tmp_path / "endless").mkdir()
    (tmp_path / "endless" / "__main__.py").write_text("while True: pass\n")
    monkeypatch.setattr(certify.checks.checking, "CHECKER", tmp_path / "endless")
    monkeypatch.setattr(certify.checks.checking, "GRACE", 0.5)
    found = certify.checks.checking.check_files(problem, good, 1)
    assert (found.code, found.verified) == (3, False)
    assert found.message == "RESOURCE the checker did not end by its deadline of 1 seconds and was stopped"
