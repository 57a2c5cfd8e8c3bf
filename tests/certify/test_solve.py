"""All solutions from Python: answer, certificate and check in one, as the command has them, which is built on the
same door.
"""

import json
import re
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from certify import InputError, __main__
from certify.checker import check
from certify.checks.checking import REJECTED, RESOURCE
from certify.interval import Interval

CIRCLE = "Variables\n x in [-3, 3]; y in [-3, 3];\nConstraints\n x^2 + y^2 = 4; y = exp(x);\nend\n"
DISC = {"x": (-2, 2), "y": (-2, 2)}, "x^2 + y^2 <= 1"
SEARCHED = re.compile(r"\d+\.\d+ s")


@pytest.fixture(scope="module")
def crossings():
    """3 x = 4 y on a circle of radius 5: exactly (4, 3) and (-4, -3)."""
    return certify.solve(certify.system({"x": (-9, 9), "y": (-9, 9)}, ["x^2 + y^2 = 25", "3*x = 4*y"]))


@pytest.fixture(scope="module")
def disc():
    return certify.solve_set(certify.system(*DISC))


def test_exactly_the_known_solutions_are_counted_by_a_verified_certificate(crossings):
    assert crossings.count == 2
    assert crossings.verified
    assert crossings.exit_code == 0
    assert not (crossings.undecided or crossings.unexplored or crossings.inner)
    found = sorted(crossings.solutions, key=lambda box: box["x"].lower)
    for box, (x, y) in zip(found, [(-4, -3), (4, 3)], strict=True):
        assert x in box["x"]
        assert y in box["y"]
    (document,) = crossings.documents
    assert check(document.canonical, document.certificate).status.name == "VERIFIED"
    assert repr(crossings) == f"<SystemAnswer about system: {crossings.coverage}>"
    with pytest.raises(TypeError, match="no truth value"):
        bool(crossings)


def test_a_system_without_a_title_is_called_one():
    answer = certify.solve(replace(certify.system({"x": (0, 1)}, "x = 1/2"), title=""), certificate=False)
    assert str(answer).startswith("system\n1 variable, 1 constraint\n")


def test_what_is_not_accepted_does_not_stand(crossings):
    left = crossings.standing(())
    assert left.count is None
    assert left.exit_code == 3
    assert left.checks["solutions"].code == RESOURCE
    assert "not certified" in left.coverage
    assert "did not confirm" in str(left)
    assert crossings.standing({crossings.documents[0].certificate}) == crossings
    again = left.checked()
    assert again.count == 2
    assert SEARCHED.sub("", str(again)) == SEARCHED.sub("", str(crossings))


def test_a_forged_certificate_is_rejected_when_it_is_checked_again(crossings):
    forged = replace(
        crossings, made=replace(crossings.made, certificate=crossings.made.certificate.replace(b"zeros 2", b"zeros 1"))
    )
    assert forged.documents[0].certificate != crossings.documents[0].certificate
    left = forged.checked()
    assert left.checks["solutions"].code == REJECTED
    assert left.exit_code == 1
    assert left.count is None


@pytest.mark.parametrize("given", ["path", "text"])
def test_the_command_prints_and_writes_what_the_door_says(given, tmp_path, capsys):
    file = tmp_path / "circle.bch"
    file.write_text(CIRCLE)
    answer = certify.solve(file if given == "path" else CIRCLE, tmp_path / "door")
    code = __main__.main(["run", str(file), "--out", str(tmp_path / "command"), "--quiet"])
    assert code == answer.exit_code == 0
    name = "Minibex text" if given == "text" else "circle.bch"
    printed = capsys.readouterr().out.partition("\nwritten to ")[0].replace("circle.bch", name)
    assert SEARCHED.sub("", printed) == SEARCHED.sub("", str(answer))
    saved, page = {path.name for path in answer.save(tmp_path / "saved")}, {"report.html"}  # only a run ends with one
    assert saved == {path.name for path in (tmp_path / "command").iterdir()} - page
    for name in ("problem.canonical", "solutions.cert"):
        texts = [(tmp_path / folder / name).read_bytes() for folder in ("door", "command", "saved")]
        assert len(set(texts)) == 1
    records = [json.loads((tmp_path / folder / "result.json").read_text()) for folder in ("door", "command", "saved")]
    assert records[0] == {**records[2], "folder": records[0]["folder"]}
    assert records[0]["solutions"] == records[1]["solutions"]


def test_a_set_is_bounded_from_both_sides(disc):
    """Its area is pi."""
    low, high = disc.volume
    below, above = Fraction("3.14159265358979323846"), Fraction("3.14159265358979323847")
    assert 0 < low < below < above < high < Fraction("3.3")
    assert disc.exit_code == 0
    assert disc.inner
    for box in disc.inner[:50]:
        assert (
            max(Fraction(x) ** 2 for x in (box["x"].lower, box["x"].upper))
            + max(Fraction(y) ** 2 for y in (box["y"].lower, box["y"].upper))
            <= 1
        )
    assert disc.checked().volume == disc.volume
    assert disc.standing(()).volume == (0, 16)
    point = next(document for document in disc.documents if document.name == "point")
    left = disc.standing({point.certificate})
    assert [name for name in left.checks if left.is_verified(name)] == ["point"]
    assert left.exit_code == 3
    assert f"not empty ({len(point.certificate)} bytes" in str(left)  # of what was verified, and of nothing else


def test_without_a_certificate_nothing_is_verified():
    answer = certify.solve(CIRCLE, certificate=False)
    assert len(answer.solutions) == 2
    assert (answer.count, answer.verified, answer.exit_code) == (None, False, 3)
    assert "no certificate was asked for" in str(answer)
    assert certify.solve_set(certify.system(*DISC), certificate=False).volume == (0, None)


def test_a_limit_leaves_what_was_found():
    answer = certify.solve(certify.system({"x": (0, 1), "y": (0, 1)}, "x*y = 1/4"), time_limit=0.2)
    assert answer.count is None
    assert answer.exit_code == 3
    assert answer.undecided or answer.unexplored


@pytest.mark.parametrize(
    ("door", "words", "message"),
    [
        (certify.solve, DISC, "certify.solve_set"),
        (certify.solve_set, ({"x": (0, 1)}, "x = 1/2"), r"certify\.solve$"),
        (certify.solve, ({"x": (0, 1)}, "x + y = 1"), "'y' is not declared"),
        (certify.solve, ({"x": (1, 0)}, "x = 1"), "lower end exceeds"),
        (certify.solve, ({"x y": (0, 1)}, "x = 1"), "'x y'"),
        (certify.solve, ({"x": ("a", 1)}, "x = 1"), "'a' is no end"),
        (certify.solve, ({"x": (float("nan"), 1)}, "x = 1"), "NaN"),
        (certify.solve, ({"x": (0, 1)}, ()), "constraints are missing"),
    ],
)
def test_what_cannot_be_solved_is_told(door, words, message):
    with pytest.raises(InputError, match=message):
        door(certify.system(*words))


@pytest.mark.parametrize("limits", [{"time_limit": 0}, {"memory_limit": -1}, {"workers": -1}])
def test_limits_are_positive(limits):
    with pytest.raises(InputError, match="positive"):
        certify.solve(CIRCLE, **limits)


def test_ends_of_domains_are_exact():
    tenth = certify.system({"a": ("0.1", float("inf")), "b": (0.1, "1/3"), "c": ("-oo", Fraction(1, 7))}, "a + b = c")
    a, b, c = tenth.variables
    assert (a.lower, a.upper) == (Fraction(1, 10), None)
    assert (b.lower, b.upper) == (Fraction(0.1), Fraction(1, 3))
    assert (c.lower, c.upper) == (None, Fraction(1, 7))


def test_boxes_are_intervals(crossings):
    side = crossings.solutions[0]["x"]
    assert isinstance(side, Interval)
    assert side * side + crossings.solutions[0]["y"] ** 2 & 25 == Interval(25)


def test_a_picture_leaves_the_windows_of_the_user_alone(crossings, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    crossings.save(tmp_path)
    assert (tmp_path / "paving.png").read_bytes().startswith(b"\x89PNG")


LINE = {"x": (0, 10)}, ["x <= 4", "x >= 3", "x <= 2"]  # all but one hold in [0, 2] and in [3, 4], and nowhere else


@pytest.mark.parametrize(("outliers", "length"), [(0, 0), (1, 3), (2, 10)])
def test_some_inequalities_need_not_hold(outliers, length):
    answer = certify.solve_set(certify.system(*LINE), outliers=outliers)
    low, high = answer.found.paving.volume
    assert low <= length <= high < low + 1e-3
    for inside in answer.inner:
        for end in (inside["x"].lower, inside["x"].upper):
            assert sum((end <= 4, end >= 3, end <= 2)) >= 3 - outliers
    told = f"{3 - outliers} or more of the 3 inequalities are to hold"
    assert (told in str(answer)) == (outliers > 0)
    assert (answer.exit_code, answer.verified) == ((3, False) if outliers else (0, True))
    refused = "no certificate: certificates are about sets in which every inequality holds"
    assert (refused in str(answer)) == (outliers > 0)


@pytest.mark.parametrize("outliers", [-1, 3, 1.5])
def test_some_inequality_holds(outliers):
    with pytest.raises(InputError, match=f"all but {outliers} of 3.*from 0 to 2"):
        certify.solve_set(certify.system(*LINE), outliers=outliers)
