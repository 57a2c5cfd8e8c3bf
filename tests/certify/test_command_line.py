"""The command line as a user meets it, with the exit codes that scripts rely on; some of it in processes of its own."""

import json
import shutil
import subprocess
import sys

import pytest
from commands import run

from certify.problems.experiments.shipped import shipped


def started(*words):
    """What a command says in a process of its own."""
    command = [sys.executable, "-m", "certify", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "out"
    return folder, started("demo", "--out", folder, "--json")


@pytest.mark.thorough
def test_the_demo_certifies_six_legs(demo):
    folder, done = demo
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    legs = [part for part in answer["parts"] if part["name"].startswith("leg")]
    assert [part["name"] for part in legs] == [f"leg{k}" for k in range(1, 7)]
    for part in answer["parts"]:
        lower, upper = part["epsilon"]
        assert 0 < lower < upper
        assert part["unit"] == "mm"
        assert part["verified"] is True
        assert (folder / part["certificate"]).stat().st_size == part["bytes"] < 1_000_000
    for part in legs:
        lower, upper = part["epsilon"]
        assert (upper - lower) / upper <= 1e-6
        assert part["least_squares"]["verdict"] == "inadequate"
        assert part["least_squares"]["epsilon"][0] > upper
        assert {"calls", "seconds", "gain"} <= part["contractors"]["lifted-relaxation-1"].keys()
    assert {"problem.toml", "problem.canonical", "result.json", "epsilon.png"} <= {p.name for p in folder.iterdir()}
    assert (folder / "epsilon.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((folder / "result.json").read_text())["parts"] == answer["parts"]


@pytest.mark.thorough
def test_certificates_are_checked_against_the_problem_file(demo, tmp_path):
    folder, _ = demo
    for name in ("problem.toml", "problem.canonical"):
        done = run("check", folder / name, folder / "leg3.cert", "--json")
        assert done.returncode == 0
        assert json.loads(done.stdout)["verified"] is True
    assert run("check", folder / "problem.toml", folder / "platform.cert").returncode == 0
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    text = (copy / "poses.csv").read_text().splitlines()
    cells = text[5].split(",")
    cells[-1] = str(float(cells[-1]) + 1)
    (copy / "poses.csv").write_text("\n".join([*text[:5], ",".join(cells), *text[6:]]) + "\n")
    done = run("check", copy / "problem.toml", copy / "leg3.cert")
    assert done.returncode == 1
    assert done.stdout.startswith("REJECTED")


@pytest.mark.thorough
def test_a_given_epsilon_is_decided(demo, tmp_path):
    folder, _ = demo
    done = run("run", folder / "problem.toml", "--out", tmp_path / "out", "--epsilon", "0 mm", "--json")
    assert done.returncode == 0
    assert {part["verdict"] for part in json.loads(done.stdout)["parts"]} == {"infeasible"}


@pytest.mark.thorough
def test_without_unmodelled_error_the_model_is_adequate(tmp_path):
    done = run("demo", "--error", "none", "--seed", "3", "--out", tmp_path / "out", "--quiet")
    assert done.returncode == 0
    assert done.stdout.count("yes (witness)") == 13  # 7 parts and 6 fits
    assert done.stderr == ""
    assert "13 of 13 certificates verified" in done.stdout


def data_set(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(shipped("table_of_stewart").parent, folder)
    return folder


def edit_table(folder, change):
    path = folder / "poses.csv"
    lines = path.read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("pose"))
    path.write_text("\n".join(lines[:start] + change(lines[start:])) + "\n")


def without_column(lines):
    return [line.rpartition(",")[0] for line in lines]


def edit_problem(folder, old, new):
    path = folder / "problem.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def cell(lines, row, column, value):
    cells = lines[row].split(",")
    cells[column] = value
    return [*lines[:row], ",".join(cells), *lines[row + 1 :]]


BAD = {
    "missing column": (lambda f: edit_table(f, without_column), "L6"),
    "NaN": (lambda f: edit_table(f, lambda t: cell(t, 3, 2, "nan")), "nan"),
    "wrong unit": (lambda f: edit_table(f, lambda t: [t[0].replace("L1 [mm]", "L1 [V]"), *t[1:]]), "V"),
    "empty file": (lambda f: (f / "poses.csv").write_text(""), "empty"),
    "no poses": (lambda f: edit_table(f, lambda t: t[:1]), "poses.csv"),
    "negative half-width": (lambda f: edit_problem(f, 'x = "0.1899 mm"', 'x = "-0.1899 mm"'), "negative"),
    "missing half-width": (lambda f: edit_problem(f, 'x = "0.1899 mm"\n', ""), "half"),
    "lower above upper": (
        lambda f: edit_table(
            f, lambda t: [t[0].replace("x [mm]", "x lower [mm],x upper [mm]"), *(_twice(line) for line in t[1:])]
        ),
        "lower",
    ),
    "no table": (lambda f: (f / "poses.csv").unlink(), "poses.csv"),
    "unknown kind": (lambda f: edit_problem(f, 'kind = "gough"', 'kind = "goff"'), "gough"),
    "misspelt key": (lambda f: edit_problem(f, "provenance", "provenence"), "provenance"),
    "no TOML": (lambda f: (f / "problem.toml").write_text("kind = gough"), "problem.toml"),
}


def _twice(line):
    cells = line.split(",")
    return ",".join([cells[0], str(float(cells[1]) + 1), *cells[1:]])


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_writes_nothing(tmp_path, name):
    folder = data_set(tmp_path)
    spoil, hint = BAD[name]
    spoil(folder)
    out = tmp_path / "out"
    done = run("run", folder / "problem.toml", "--out", out, "--quiet")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("certify: ")
    assert hint in done.stderr
    assert not out.exists()


@pytest.mark.thorough
def test_three_poses_are_an_answer_not_an_error(tmp_path):
    folder = data_set(tmp_path)
    edit_table(folder, lambda t: t[:4])
    done = run("run", folder / "problem.toml", "--out", tmp_path / "out", "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("do not determine") == 6
    assert "yes (witness)" in done.stdout
    assert "3 poses for 7 parameters can hardly contradict any model" in done.stdout


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["run", "nowhere.toml"], "nowhere.toml"),
        (["check", "nowhere.toml", "x.cert"], "nowhere.toml"),
        (["demo", "--size", "3 mm"], "--error"),
        (["demo", "--error", "joints", "--size", "3"], "unit"),
        (["demo", "--error", "joint"], "joints"),
        (["demo", "--gap", "2"], "--gap"),
        (["demo", "--epsilon", "-1 mm"], "negative"),
        (["certify"], "certify"),
    ],
)
def test_bad_arguments(words, hint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert hint in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_shows_an_example():
    for command in ("demo", "run", "check"):
        done = started(command, "--help")
        assert done.returncode == 0
        assert f"example:\n  certify {command}" in done.stdout


@pytest.mark.thorough
def test_a_certificate_cannot_be_checked_against_a_box_that_is_fitted_anew(tmp_path, demo):
    done = run("check", shipped("table_of_stewart"), demo[0] / "leg1.cert")
    assert done.returncode == 2
    assert "fit" in done.stderr


SYSTEM = """Variables
 x in [-10, 10]; y in [-10, 10];
Constraints
 x^2 + y^2 = 4;
 x * y = 1;
end
"""


@pytest.mark.thorough
def test_a_system_of_equations_is_solved(tmp_path):
    path = tmp_path / "system.bch"
    path.write_text(SYSTEM)
    done = started("run", path, "--json")
    assert done.returncode == 3, done.stderr  # nobody has checked it
    answer = json.loads(done.stdout)
    assert answer["complete"] is True
    assert answer["certificate"]["verified"] is False
    assert answer["variables"] == ["x", "y"]
    assert len(answer["solutions"]) == 4
    for (x_low, x_high), (y_low, y_high) in answer["solutions"]:
        assert x_low <= x_high
        assert x_high - x_low < 1e-12
        assert abs(x_low * y_low - 1) < 1e-9
        assert abs(x_high**2 + y_high**2 - 4) < 1e-9
    text = run("run", path, "--quiet")
    assert "by the engine's outward-rounded arithmetic, not certified: the box holds exactly 4 solutions" in text.stdout
    assert "no certificate was asked for" in text.stdout
    certified = run("run", path, "--out", tmp_path / "out", "--quiet")
    assert certified.returncode == 0
    assert "\nthe box holds exactly 4 solutions, one in each box below.\n" in certified.stdout


@pytest.mark.thorough
def test_a_system_that_is_not_finished_says_so(tmp_path):
    path = tmp_path / "system.bch"
    path.write_text(SYSTEM)
    done = run("run", path, "--time-limit", "1e-9", "--quiet")
    assert done.returncode == 3
    assert "1 unexplored" in done.stdout


def test_an_error_in_a_system_is_placed(tmp_path):
    path = tmp_path / "system.bch"
    path.write_text(SYSTEM.replace("x * y", "x * z"))
    done = started("run", path, "--quiet")
    assert done.returncode == 2
    assert "line 5, column 6" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_folder_is_cleared_of_what_an_earlier_run_wrote_and_of_nothing_else(demo, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(demo[0], folder)
    (folder / "mine.txt").write_text("keep")
    done = run("run", demo[0] / "problem.toml", "--out", folder, "--epsilon", "0 mm", "--quiet")
    assert done.returncode == 0
    assert not (folder / "epsilon.png").exists()
    assert (folder / "mine.txt").read_text() == "keep"
    written = {p.name for p in folder.iterdir()} - {"report.html"}
    assert set(json.loads((folder / "result.json").read_text())["files"]) | {"mine.txt"} == written


@pytest.mark.thorough
def test_an_unusable_folder_is_refused_before_the_search(demo, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "result.json").write_text("not ours")
    for out in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "strange"):
        done = run("run", demo[0] / "problem.toml", "--out", out, "--quiet")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert str(out) in done.stderr
    assert (tmp_path / "strange" / "result.json").read_text() == "not ours"


@pytest.mark.thorough
def test_parameters_are_written_for_people(demo):
    lines = (demo[0] / "parameters.csv").read_text().splitlines()
    assert lines[0] == "parameter,unit,blueprint,least squares,witness"
    assert len(lines) == 43
    assert lines[1].startswith("leg1.a_x,mm,-223.1792,")


@pytest.mark.thorough
def test_a_fit_that_wanders_is_questioned(tmp_path):
    folder = data_set(tmp_path)
    edit_problem(folder, 'radius = "100 mm"', 'radius = "1 mm"')
    done = run("run", folder / "problem.toml", "--out", tmp_path / "out", "--quiet")
    assert "perhaps a sign, a unit or an offset is wrong, or columns are exchanged." in done.stdout


@pytest.mark.thorough
def test_a_time_limit_that_ended_a_run_is_said(tmp_path):
    folder = data_set(tmp_path)
    edit_problem(folder, 'radius = "100 mm"', 'radius = "1 m"')
    done = run("run", folder / "problem.toml", "--out", tmp_path / "out", "--quiet", "--time-limit", "0.02")
    assert done.returncode == 3
    assert "time limit" in done.stdout + done.stderr


@pytest.mark.thorough
def test_a_box_that_is_a_point_is_certified_closely(tmp_path):
    folder = data_set(tmp_path)
    edit_problem(folder, 'radius = "100 mm"', 'radius = "0 mm"')
    done = run("run", folder / "problem.toml", "--out", tmp_path / "out", "--json")
    assert done.returncode == 0
    for part in json.loads(done.stdout)["parts"][:6]:
        assert part["gap"] <= 1e-6


@pytest.mark.parametrize("name", ["red \x1b[31m", "back\r", "title \x9b0t", "turned \u202e", "bytes \udcff"])
def test_names_of_files_cannot_speak_to_the_terminal(tmp_path, name):
    path = tmp_path / f"{name}.bch"
    path.write_text("Variables x in [-1, 1];\nConstraints x = 1/4;\nend\n")
    told = [run("run", path, "--out", tmp_path / name), run("run", tmp_path / f"no {name}.bch")]
    assert [one.returncode for one in told] == [0, 2]
    words = "".join(one.stdout + one.stderr for one in told)
    assert words.encode() and ascii(name)[1:-1] in words and name not in words and "\x1b" not in words
