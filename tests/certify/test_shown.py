"""Doubts, next poses, judged programs and further questions show themselves as every other answer does: a line, a
table, a frame, a picture, a page; words about proofs stand only where a checker has judged.
"""

import json

import numpy as np
import pytest
from planted_legs import planted, scaled, taken_poses

import certify
from certify.notebooks.frames import rows
from certify.problems.model.model import Column
from certify.reports.record import schema

CLAIMS = ("proved", "verified", "witness", "guarantee")
POSE = ("x", "y", "z", "alpha", "beta", "gamma")


def doubts():
    problem, truth = planted(taken_poses(16, 3), scaled(1.02), 1)
    return certify.doubt(problem, names=("scale of L1",), start=truth)


def next_pose():
    problem, truth = planted(taken_poses(16, 5), radius=50)

    def cut(column, part):
        return Column(column.name, column.unit, column.lower[part], column.upper[part])

    families = tuple(certify.Family(f.name, f.tape, 12, f.bindings, f.unit) for f in problem.families)
    first = certify.Problem(problem.variables, tuple(cut(c, slice(0, 12)) for c in problem.columns), families)
    others = {c.name: cut(c, slice(12, None)) for c in problem.columns}
    return certify.next_poses(first, {name: others[name] for name in POSE}, start=truth)


def program():
    cvxpy = pytest.importorskip("cvxpy")
    x = cvxpy.Variable(2)
    problem = cvxpy.Problem(cvxpy.Minimize(x[0] + 2 * x[1]), [x[0] + x[1] >= 1, x >= 0, x <= 5])
    problem.solve(solver=cvxpy.CLARABEL)
    return certify.judge(problem)


def outliers():
    generator = np.random.default_rng(3)
    W = generator.uniform(-1, 1, (30, 2))
    y = W @ [2.0, -3.0] + generator.uniform(-0.1, 0.1, 30)
    y[4] += 3
    return certify.linear_outliers(certify.linear(W, y, 0.1).problem)


def line():
    k = np.arange(9.0)
    return certify.fit("linear", np.stack([k**0, k], axis=1), 3 + 2 * k + (-1) ** k)


def largest():
    return certify.fit(lambda x, a, b: a + b * x, range(5), [1, 3, 4, 8, 9], start=[1, 2], loss="max")


MADE = {"doubts": doubts, "next": next_pose, "program": program, "outliers": outliers, "line": line}


@pytest.fixture(scope="module")
def made():
    found = {}

    def of(name):
        if name not in found:
            found[name] = MADE[name]()
        return found[name]

    return of


@pytest.mark.parametrize("name", MADE)
@pytest.mark.every_case
def test_each_shows_itself(made, name, tmp_path):
    pytest.importorskip("pandas")
    jsonschema = pytest.importorskip("jsonschema")
    answer = made(name)
    assert repr(answer).startswith(f"<{type(answer).__name__} ") and len(repr(answer)) < 300
    assert "<table>" in answer._repr_html_()
    assert len(answer.to_frame()) == len(list(rows(answer))) > 0
    assert answer.plot()._repr_png_().startswith(b"\x89PNG")
    assert "<h2" in answer.report(tmp_path / "report.html").read_text()
    jsonschema.validate(json.loads(answer.report(tmp_path / "report.json").read_text()), schema())


@pytest.mark.parametrize("name", ["doubts", "program", "outliers", "next"])
@pytest.mark.every_case
def test_nothing_is_called_proved_before_it_was_judged(made, name):
    answer = made(name)
    assert not any(word in repr(answer) + answer._repr_html_() for word in CLAIMS)


def test_a_doubt_that_was_judged_says_what_is_proved(made):
    judged = made("doubts").checked()
    assert judged.judged and "scale of L1" in repr(judged) and "(proved)" in judged._repr_html_()
    assert judged.explained(judged.richer[0]) == made("doubts").explained(made("doubts").richer[0])


def test_a_judged_program_has_its_minimum(made):
    found = {row["what"]: (row["lower"], row["upper"]) for row in rows(made("program"))}
    low, high = found["minimum"]
    assert low <= 1 <= high and high - low < 1e-6
