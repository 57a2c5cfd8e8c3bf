"""Doubts, next poses, judged programs and further questions show themselves as every other answer does: a line, a
table, a frame, a picture, a page; words about proofs stand only where a checker has judged.
"""

import inspect
import json
import typing
from fractions import Fraction

import numpy as np
import pytest
from planted_legs import planted, scaled, taken_poses

import certify
from certify.notebooks.frames import rows
from certify.problems.dynamics.signal_chain import Regression
from certify.problems.model.model import Column
from certify.reports.record import schema
from certify.text.shown import Shown

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


def ellipsoid():
    generator = np.random.default_rng(3)
    W = generator.uniform(-1, 1, (30, 2))
    return certify.bounding_ellipsoid(W, W @ [2.0, -3.0] + generator.uniform(-0.1, 0.1, 30), 0.1)


def torques():
    generator = np.random.default_rng(3)
    W = generator.normal(size=(200, 3))
    y = W @ [1.2, 0.3, 0.8] + generator.uniform(-1, 1, 200)
    return certify.torque_estimates(Regression(W, y, np.arange(200) % 4, np.arange(200) / 50.0), 15.0, (0, 2))


def designed():
    def matrix(x, v, a):
        return np.stack([a, v, x], axis=-1)

    return certify.design(matrix, {"x": (-0.2, 0.2)}, ["m", "Fv", "k"], limits={"dx": (-1, 1)}, evaluations=5, starts=1)


def periodic():
    def regressor(pose, velocity, acceleration):
        return np.stack([acceleration, velocity], axis=-1)

    model = certify.PeriodicModel(("mass", "friction"), regressor, units=("kg", "N s/m"), force_unit="N")
    times, random = np.arange(60) / 60.0, np.random.default_rng(1)
    wave = 2 * np.pi * times
    forces = 2.0 * (2 * np.pi) ** 2 * np.cos(wave) + 5.0 * 2 * np.pi * np.sin(wave)
    readings = -np.cos(wave)[:, None] + 1e-3 * random.normal(size=(20, 60, 1))
    log = certify.PeriodicLog(times, readings, forces[:, None] + 3.0 * random.normal(size=(20, 60, 1)))
    return certify.periodic_estimates(log, model)


def stationary():
    return certify.StationaryPoint(np.array([1.0, 1 / 3]), np.array([1e-9, 1e-10]), 1e-4, 0.01)


def interval_system():
    return certify.linear_system([[(2, 4), (-2, 1)], [(-1, 2), (2, 4)]], [(-2, 2), (-2, 2)])


MADE = {
    "interval system": interval_system,
    "doubts": doubts, "next": next_pose, "program": program, "outliers": outliers, "line": line,
    "ellipsoid": ellipsoid, "torques": torques, "designed": designed, "periodic": periodic, "stationary": stationary,
}  # fmt: skip


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


@pytest.mark.parametrize("name", ["doubts", "program", "outliers", "next", "torques", "designed", "periodic"])
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


def test_an_ellipsoid_says_that_nobody_else_has_judged_it(made):
    answer = made("ellipsoid")
    assert not any(word in repr(answer) for word in CLAIMS)
    told = answer._repr_html_()
    assert "proved here in rational numbers" in told and "no certificate" in told and "(estimated)" in told
    for row, value in zip(rows(answer), (2.0, -3.0), strict=True):
        assert row["estimated_lower"] < value < row["estimated_upper"]


def test_a_box_around_a_stationary_point_has_ends_that_are_rounded_outwards(made):
    for row, middle, radius in zip(rows(made("stationary")), (1.0, 1 / 3), (1e-9, 1e-10), strict=True):
        assert Fraction(row["lower"]) <= Fraction(middle) - Fraction(radius)
        assert Fraction(row["upper"]) >= Fraction(middle) + Fraction(radius)
    open_one = certify.StationaryPoint(np.zeros(1), np.ones(1), None)
    assert "undecided" in repr(open_one) and "lower" not in next(iter(rows(open_one)))


INPUTS = {  # what questions are about, no answers
    "equations_of_log", "load_experiment", "physical", "system", "trace", "contractor_graph", "linear_contractor",
    "check", "report", "norm", "radians", "rotation_xyz", "sin", "cos", "sqrt",
}  # fmt: skip


def test_every_answer_of_a_public_function_shows_itself():
    asked = [name for name in certify.__all__ if name.islower() and callable(getattr(certify, name))]
    assert set(asked) > INPUTS
    for name in set(asked) - INPUTS:
        function = getattr(certify, name)
        module = vars(inspect.getmodule(function))
        told = inspect.signature(function).return_annotation
        for word in (part.strip() for part in told.split("|")):
            if word != "None":
                found = module.get(word) or next(
                    getattr(inspect.getmodule(value), word, None)
                    for value in module.values()
                    if hasattr(inspect.getmodule(value), word)
                )
                members = typing.get_args(found) or (found,)
                assert all(issubclass(member, Shown) for member in members), (name, word)
