"""Systems of inequalities on the command line, and the pictures of systems: what is written, what is refused, what the
colours claim.
"""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from benchmarks._systems_of_others import solotarev
from certify.__main__ import main
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.pictures.paving_picture import Drawing, paving_picture
from certify.problems.experiments.shipped import shipped

RING = """Variables
 x in [-3, 3]; y in [-3, 3];
Constraints
 x^2 + y^2 >= 1;
 x^2 + y^2 <= 4;
end
"""
POINTS = RING.replace(">= 1", "= 4").replace("x^2 + y^2 <= 4", "x * y = 1")
PNG = b"\x89PNG\r\n\x1a\n"


def run(tmp_path, capsys, text, *words):
    path = tmp_path / "system.bch"
    path.write_text(text)
    code = main(["run", str(path), "--json", "--quiet", *words])
    told = capsys.readouterr()
    return code, json.loads(told.out) if told.out else None, told.err


def test_a_set_is_paved_from_both_sides(tmp_path, capsys):
    code, answer, _ = run(tmp_path, capsys, RING, "--out", str(tmp_path / "out"))
    assert code == 0
    low, high = answer["volume"]
    assert low <= 3 * np.pi <= high < low + 0.2
    assert "every point inside an inner box belongs to the set" in answer["coverage"]
    for (x_low, x_high), (y_low, y_high) in answer["inner"][:50]:
        assert max(abs(x_low), abs(x_high)) ** 2 + max(abs(y_low), abs(y_high)) ** 2 <= 4 + 1e-12
    assert (tmp_path / "out" / "paving.png").read_bytes().startswith(PNG)
    assert json.loads((tmp_path / "out" / "result.json").read_text())["volume"] == [low, high]


def test_a_set_of_which_no_point_is_known_is_undecided(tmp_path, capsys):
    code, answer, _ = run(tmp_path, capsys, RING.replace("<= 4", "<= 1"))
    assert code == 3
    assert answer["complete"] is False
    assert answer["volume"][0] == 0.0


def test_isolated_solutions_are_drawn_too(tmp_path, capsys):
    code, answer, _ = run(tmp_path, capsys, POINTS, "--out", str(tmp_path / "out"), "--plot", "y, x")
    assert code == 0
    assert len(answer["solutions"]) == 4
    assert (tmp_path / "out" / "paving.png").read_bytes().startswith(PNG)


@pytest.mark.thorough
def test_without_two_or_three_variables_only_a_choice_is_drawn(tmp_path, capsys):
    text = RING.replace("y in [-3, 3];", "y in [-3, 3]; u in [0, 1]; v in [0, 1];")
    assert run(tmp_path, capsys, text, "--out", str(tmp_path / "none"), "--time-limit", "0.2")[0] in (0, 3)
    assert not (tmp_path / "none" / "paving.png").exists()
    assert (tmp_path / "none" / "result.json").exists()
    run(tmp_path, capsys, text, "--out", str(tmp_path / "some"), "--plot", "x,y", "--time-limit", "0.2")
    assert (tmp_path / "some" / "paving.png").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--plot", "x,y"), "--out"),
        (("--plot", "x,z", "--out", "here"), "no variable 'z'"),
        (("--plot", "x", "--out", "here"), "two or three"),
        (("--plot", "x,x", "--out", "here"), "two or three"),
        (("--epsilon", "0 mm"), "no model error"),
        (("--width", "0.1"), "leave the width out"),
        (("--width", "0"), "not a positive number"),
        (("--width", "inf"), "not a positive number"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(tmp_path, capsys, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    code, _, error = run(tmp_path, capsys, RING, *words)
    assert code == 2
    assert told in error
    assert error.count("\n") == 1
    assert not (tmp_path / "here.journal").exists()


@pytest.mark.thorough
def test_where_halving_ends_is_an_option(tmp_path, capsys):
    """Two zeros of Solotarev's system are singular: the boxes around them are merged, and found earlier where wide."""
    cells = []
    for width in (1e-10, 1e-3):
        code, answer, _ = run(tmp_path, capsys, solotarev(), "--width", str(width))
        assert code == 3
        boxes = answer["undecided"]
        for point in ((-1, -1, 5, 3), (Fraction(5, 3), -1, 5, Fraction(-47, 27))):
            assert any(all(low <= x <= high for (low, high), x in zip(box, point, strict=True)) for box in boxes)
        assert len(boxes) <= 12
        assert max(high - low for box in boxes for low, high in box) <= width ** (1.0 / 3.0)
        assert "every solution in the box lies in one of these boxes: 2 with one solution each" in answer["coverage"]
        cells.append(answer["cells"])
    assert cells[1] < cells[0]


CERTIFIED = {
    RING: {"outer.canonical", "outer.cert", "inner.canonical", "inner.cert", "point.cert"},
    POINTS: {"problem.canonical", "solutions.cert"},
}


@pytest.mark.thorough
@pytest.mark.parametrize("first", [RING, POINTS])
def test_a_folder_is_cleared_of_another_sort_of_system_and_of_nothing_else(tmp_path, capsys, first):
    out = tmp_path / "out"
    second = POINTS if first == RING else RING
    run(tmp_path, capsys, first, "--out", str(out))
    (out / "mine.cert").write_text("keep")
    code, answer, _ = run(tmp_path, capsys, second, "--out", str(out))
    assert code == 0
    written = {path.name for path in out.iterdir()} - {"report.html"}
    assert written == CERTIFIED[second] | {"result.json", "paving.png", "mine.cert"}
    assert set(answer["files"]) == CERTIFIED[second] | {"result.json", "paving.png"}
    assert json.loads((out / "result.json").read_text())["files"] == answer["files"]


def test_a_picture_that_is_not_drawn_again_goes(tmp_path, capsys):
    run(tmp_path, capsys, RING, "--out", str(tmp_path / "out"))
    run(tmp_path, capsys, "Variables x in [-3, 3]; Constraints x^2 = 2; end", "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out" / "paving.png").exists()


def test_a_folder_of_an_experiment_is_refused_and_the_other_way_round(tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "problem.toml").write_text("mine")
    (out / "result.json").write_text(
        json.dumps({"title": "robot", "parts": [], "files": ["problem.toml", "result.json"]})
    )
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    code, answer, error = run(tmp_path, capsys, RING, "--out", str(out))
    assert (code, answer) == (2, None)
    assert f"--out {out}: it holds the result of an experiment, and this is a run of a system" in error
    assert "choose another folder, or remove this one first" in error
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    (out / "result.json").write_text("{}")
    assert "its result.json is not ours" in run(tmp_path, capsys, RING, "--out", str(out))[2]
    system = tmp_path / "system"
    run(tmp_path, capsys, POINTS, "--out", str(system))
    assert main(["run", str(shipped("table_of_stewart")), "--out", str(system), "--quiet"]) == 2
    error = capsys.readouterr().err
    assert (
        f"--out {system}: it holds the result of a system of equations or inequalities, and this is a "
        f"run of an experiment" in error
    )
    assert (system / "solutions.cert").exists()


@pytest.mark.parametrize("limit", ["0", "-1", "nan"])
@pytest.mark.parametrize("text", [RING, POINTS, None])
def test_a_time_limit_that_is_none_is_refused_everywhere(tmp_path, capsys, text, limit):
    path = shipped("table_of_stewart")
    if text is not None:
        path = tmp_path / "system.bch"
        path.write_text(text)
    out = tmp_path / "out"
    assert main(["run", str(path), "--out", str(out), "--quiet", f"--time-limit={limit}"]) == 2
    assert f"--time-limit {limit} is not a positive number of seconds" in capsys.readouterr().err
    assert not out.exists()


def told_to_people(tmp_path, capsys, text, *words):
    path = tmp_path / "system.bch"
    path.write_text(text)
    main(["run", str(path), "--quiet", *words])
    return capsys.readouterr().out


@pytest.mark.parametrize("text", [RING, POINTS])
def test_a_time_limit_that_struck_is_told(tmp_path, capsys, text):
    assert "s (time limit); no certificate was asked for" in told_to_people(
        tmp_path, capsys, text, "--time-limit", "1e-9"
    )
    assert "time limit" not in told_to_people(tmp_path, capsys, text)


def test_undecided_boxes_are_told(tmp_path, capsys):
    told = told_to_people(tmp_path, capsys, "Variables x in [-1, 2]; Constraints x^2 = 0; end")
    assert "1 variable, 1 constraint\n" in told
    assert re.search(r"undecided box 1: may hold solutions, or none\n  x in \[.+, .+\]\n", told)
    assert "A double solution, or one on the boundary of the box, stays undecided." in told
    told = told_to_people(
        tmp_path,
        capsys,
        "Variables x in [-9, 9]; y in [-9, 9]; Constraints (x*(x-1)*(x-2)*(x-3))^2 = 0; (y*(y-1))^2 = 0; end",
    )
    assert told.count("undecided box ") == 5
    assert re.search(r"and \d+ more undecided; result.json lists more of them", told)
    assert "undecided box" not in told_to_people(tmp_path, capsys, POINTS)


def boxes(rng, variables, count):
    low = rng.uniform(-1, 1, (variables, count))
    return Boxes(low, low + rng.uniform(0, 0.3, (variables, count)))


@pytest.mark.parametrize("unbounded", [False, True])
@pytest.mark.parametrize(("variables", "shown"), [(2, None), (3, None), (5, (4, 1)), (5, (0, 2, 3))])
def test_pictures_of_anything(variables, shown, unbounded):
    rng = np.random.default_rng(0)
    end = np.full(variables, np.inf if unbounded else 2.0)
    batches = [boxes(rng, variables, count) for count in (1, 5, 0, 3)]
    if unbounded:
        batches[1].upper[0, 0] = np.inf
    drawn = Drawing("anything", tuple("abcde"[:variables]), Box(-end, end), *batches)
    assert paving_picture(drawn, shown).startswith(PNG)
    claims = [layer.claim for layer in drawn.layers(projected=shown is not None)]
    assert len(claims) == 3
    assert sum("by the engine's outward-rounded arithmetic" in claim for claim in claims) == 2


def test_one_variable_cannot_be_drawn():
    nothing = Boxes(np.empty((1, 0)), np.empty((1, 0)))
    with pytest.raises(ValueError, match="two or three"):
        paving_picture(Drawing("line", ("x",), Box(np.zeros(1), np.ones(1)), nothing, nothing, nothing, nothing))


@pytest.mark.parametrize(
    "text", ["Variables x; Minimize x^2;", "Variables x; Constraints end", "Variables x; Constraints X = 0; end"]
)
def test_a_system_without_constraints_is_refused(tmp_path, capsys, text):
    code, answer, error = run(tmp_path, capsys, text)
    assert code == 2
    assert answer is None
    assert "system.bch has no constraints" in error


def test_constraints_that_hold_anyway_do_no_harm(tmp_path):
    from certify.problems.minibex import read_minibex
    from certify.questions.system_search import search

    for extra in ("0 = 0", "1 >= 0", "sqrt(2) <= 2"):
        path = tmp_path / "system.bch"
        path.write_text(f"variables\n x in [-3, 2];\nconstraints\n x + 1 = 0; {extra};\nend\n")
        answer = search(read_minibex(path))
        assert answer.complete
        assert len(answer.paving.solutions) == 1
