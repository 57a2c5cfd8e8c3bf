"""Intervals for other bounds against exact vertices; the ladder, its pictures, what stands after the check."""

import csv
import json
from fractions import Fraction

import numpy as np
import planted_regressors as truth
import pytest
from two_checkers import both

from certify import Options, linear
from certify.__main__ import main
from certify.linear_questions.scaled import at_factor
from certify.linear_questions.widths import widths_by_bound
from certify.pictures.width_drawing import Band, draw_widths
from certify.solvers.limits import Stopped


def planted(seed, own):
    """Few rows with one bound, or bounds of their own."""
    rng = np.random.default_rng([5, seed])
    size = 1 + seed % 2
    W = rng.integers(-3, 4, (5, size)) * 0.5
    W[:size] = np.eye(size)
    y = W @ (rng.integers(-4, 5, size) * 0.25) + rng.uniform(-0.2, 0.2, 5)
    return linear(W, y, rng.choice([0.25, 0.5], 5) if own else 0.25, [(-50, 50)] * size)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("own", [False, True])
def test_each_rung_is_the_hull_of_its_vertices(seed, own):
    answer = planted(seed, own)
    found = widths_by_bound(answer)
    problem, data = answer.problem, b"".join(answer.problem.canonical())
    assert found.stopped is Stopped.FINISHED
    assert answer.factor.upper <= found.rungs[0].factor
    for rung in found.rungs:
        assert both(data, rung.certificate) == "VERIFIED"
        ends = []
        for low, high in (problem.ends(k) for k in range(problem.rows)):
            middle, half = (low + high) / 2, rung.factor * (high - low) / 2
            ends.append((middle - half, middle + half))
        corners = truth.vertices(truth.halves(problem.matrix, *zip(*ends, strict=True), problem.box))
        assert corners
        for j, (low, high) in enumerate(rung.box):
            reach = [corner[j] for corner in corners]
            assert low <= min(reach)
            assert max(reach) <= high
            if rung is not found.rungs[0]:
                assert rung.width(j) - (max(reach) - min(reach)) < Fraction(1, 10**9)
    for narrow, wide in zip(found.rungs, found.rungs[1:], strict=False):
        assert narrow.factor < wide.factor
        for (low, high), (below, above) in zip(narrow.box, wide.box, strict=True):
            assert below <= low
            assert high <= above


@pytest.mark.parametrize("own", [False, True])
def test_the_bounds_as_they_are_give_the_intervals(own):
    answer = planted(3, own)
    rung = next(rung for rung in widths_by_bound(answer).rungs if rung.factor == 1)
    assert rung.box == answer.box


def test_a_narrower_bound_in_a_certificate_is_refused():
    for own in (False, True):
        answer = planted(4, own)
        data = b"".join(answer.problem.canonical())
        text = widths_by_bound(answer, [Fraction(4)]).rungs[0].certificate
        smaller = widths_by_bound(answer, [Fraction(1)]).rungs[0].certificate
        assert both(data, text) == both(data, smaller) == "VERIFIED"
        if own:
            assert both(data, smaller.replace(b"factor 1\n", b"factor 4\n")) == "REJECTED"
        else:
            assert b"model rows 1/4 1 rows" in smaller
            assert both(data, smaller.replace(b"model rows 1/4 1", b"model rows 1 1")) == "REJECTED"


def test_a_scaled_problem_is_the_same_bytes():
    answer = planted(2, True)
    scaled = at_factor(answer.problem, Fraction(3))
    assert b"".join(scaled.canonical()) == b"".join(answer.problem.canonical())
    assert scaled.digest == answer.problem.digest
    (low, high), (below, above) = answer.problem.ends(1), scaled.ends(1)
    assert above - below == 3 * (high - low)
    assert above + below == high + low


def test_what_is_not_accepted_does_not_stand():
    found = widths_by_bound(planted(1, False))
    assert found.standing(()).rungs == ()
    assert found.standing(()).stopped is Stopped.UNCHECKED
    kept = found.standing({found.rungs[2].certificate})
    assert kept.rungs == (found.rungs[2],)
    assert found.checked().rungs == found.rungs


def test_bounds_of_zero_have_no_ladder_and_no_time_says_so():
    found = widths_by_bound(linear([[1.0], [1.0]], [1.0, 1.0], 0))
    assert found.rungs == ()
    assert found.stopped is Stopped.EXACT
    late = widths_by_bound(planted(1, False), options=Options(time_limit=0.0))
    assert (late.rungs, late.stopped) == ((), Stopped.TIME)


def test_a_run_writes_a_table_and_pictures(tmp_path, capsys):
    rng = np.random.default_rng(1)
    W = rng.normal(size=(60, 2))
    y = W @ [2.0, -1.0] + rng.uniform(-0.1, 0.1, 60)
    lines = [
        "M [kg],Fv [N s/m],F [N]",
        *(f"{a!r},{b!r},{c!r}" for (a, b), c in zip(W.tolist(), y.tolist(), strict=True)),
    ]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    words = ["identify", str(tmp_path / "rows.csv"), "--y", "F", "--bound", "0.11 N", "--widths"]
    assert main([*words, "--out", str(tmp_path / "out"), "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {path.name for path in (tmp_path / "out").iterdir()} - {"report.html"} == set(told["files"])
    assert {"intervals.png", "widths.png", "widths.csv"} < set(told["files"])
    table = list(csv.DictReader((tmp_path / "out" / "widths.csv").open()))
    assert len(table) == 2 * len(told["widths"]["rungs"])
    for row in table:
        assert float(row["width"]) >= float(row["upper"]) - float(row["lower"]) - 1e-15
        assert row["bound_unit"] == "N"
    stated = [row for row in table if float(row["factor"]) == 1 and row["parameter"] == "M"]
    assert [float(stated[0]["lower"]), float(stated[0]["upper"])] == told["parameters"][0]["interval"]


def test_the_band_between_two_bounds_is_that_of_the_larger_one(monkeypatch):
    from matplotlib.axes import Axes

    drawn = []
    monkeypatch.setattr(Axes, "fill_between", lambda axes, *arrays, **style: drawn.append((arrays, style["step"])))
    picture = draw_widths("title", "bound", [1, 2], 1.5, [Band("M", "kg", [0, -1], [1, 2], 0.5)])
    assert picture.startswith(b"\x89PNG")
    assert drawn == [(([1, 2], [0, -1], [1, 2]), "pre")]
