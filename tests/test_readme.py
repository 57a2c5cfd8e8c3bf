"""What README shows is what happens: its example and its table are run; seconds and the last digits, which depend on
the machine, are left out.
"""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

from certify.contractors.tape.tape import Operation
from certify.problems.model.certified import CERTIFIED, FORMS, ON_ONE_SIDE

ROOT = Path(__file__).parent.parent
MOVED = ("robots", "systems", "python")  # pages of docs/ that began as parts of README
README = "".join(path.read_text() for path in (ROOT / "README.md", *(ROOT / "docs" / f"{n}.md" for n in MOVED)))


def block(marker):
    return re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.S).group(1)


def without_times(text):
    text = re.sub(r"\d+\.\d+ s\b", "TIME", text)
    return re.sub(r"(\d\.\d{5})\d+", r"\1", re.sub(r" +", " ", text))


@pytest.mark.parametrize("example", ["example", "contractors", "doors", "fit"])
def test_the_examples_print_what_is_shown(example, tmp_path, capsys):
    (tmp_path / "example.py").write_text(block(example))
    runpy.run_path(str(tmp_path / "example.py"), run_name="__main__")
    assert capsys.readouterr().out == block(f"{example} output")


@pytest.mark.thorough
def test_the_demo_prints_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert without_times(run("demo", "--out", "demo", "--quiet").stdout) == without_times(block("demo output"))
    done = run("explain", "demo/leg1.cert")
    for piece in block("explain output").split("...\n"):
        assert without_times(piece) in without_times(done.stdout)
    words = block("checker").split()
    assert words[0] == "python3"
    (tmp_path / "certify").mkdir()
    shutil.copytree(ROOT / "certify" / "checker", tmp_path / "certify" / "checker")
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.startswith("VERIFIED")


@pytest.mark.thorough
def test_the_system_is_solved_as_is_shown(tmp_path):
    (tmp_path / "system.bch").write_text(block("system"))
    assert "`.venv/bin/certify run system.bch --out solved`" in " ".join(README.split())
    done = run("run", tmp_path / "system.bch", "--out", tmp_path / "solved", "--quiet")
    assert done.returncode == 0
    assert block("system output") in done.stdout
    assert "certificate verified by a separate process" in done.stdout


@pytest.mark.thorough
def test_the_arm_is_answered_as_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in block("arm").splitlines():
        program, *words = line.split()
        assert program == ".venv/bin/certify"
        done = run(*words, "--quiet")
        assert done.returncode == 0
        if words[0] == "run":
            assert without_times(block("arm output")) in without_times(done.stdout)
    assert (tmp_path / "arm" / "certified" / "corrected.urdf").is_file()


def test_the_functions_that_certificates_know_are_listed():
    text = " ".join(README[README.index("Certificates know constants") : README.index("Domains may reach")].split())
    known, conditional = text.split("`max`; ")
    forms = {operation.name.lower() for operation in FORMS} - {"integer_power"}
    language = {name for name in CERTIFIED if name not in ("pi", "add", "sub", "mul", "div", "neg", "sqr")}
    assert set(re.findall(r"`(\w+)`", known)) | {"max"} == forms | language
    assert "pi, `+ - * /`, whole powers and `x^(k/2^m)`" in known
    assert set(re.findall(r"`(\w+)`", conditional)) == {operation.name.lower() for operation in ON_ONE_SIDE} - {"power"}
    assert "other powers where the domain keeps their operands on one side of 0" in conditional
    stated = {*FORMS, *ON_ONE_SIDE, *(Operation[name.upper()] for name in CERTIFIED)}
    assert set(Operation) == stated | {Operation.CONSTANT, Operation.LESS, Operation.FLAT}


def test_there_are_exactly_two_commands_to_copy():
    head = README[: README.index("## A serial arm")]
    assert head.count("```sh") == 2
