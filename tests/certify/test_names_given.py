"""Names that a user gives are of something, or refused: whoever gives them believes that they are heeded."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.regressors.physical import BODY

X, Y = [0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.5]


def line(x, a, b):
    return a * x + b


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"box": {"a": (0, 3), "b": (0, 3), "bb": (0, 1)}}, "box: there is no 'bb'; did you mean 'b'"),
        ({"box": {"a": (0, 3), "b": (0, 3), "B": (0, 1)}}, "box: there is no 'B'; did you mean 'b'"),
        ({"box": [(0, 3, 4), (0, 3)]}, "the box of a is .0, 3, 4.; give a lower and an upper end"),
        ({"box": [0, 3]}, "the box of a is 0; give a lower and an upper end"),
        ({"claimed": {"a": 2, "b": 1, "c": 0}}, "claimed: there is no 'c'"),
        ({"claimed": [2, 1, 0]}, "claimed: there are 3 numbers for a, b; give one for each"),
        ({"start": {"a": 1, "b": 1, "c": 1}}, "give one for each"),
        ({"start": {"B": 1, "A": 2}}, "the start has B, A and the model takes 2 parameters"),
        ({"start": {"slope": 1, "A": 2}}, "the start has slope, A and the model takes 2 parameters"),
    ],
)
def test_a_fit_heeds_every_name_that_it_is_given(words, told):
    """Of a start in capitals the numbers were taken in their order, and what was said of B was true of a."""
    with pytest.raises(InputError, match=told):
        certify.fit(line, X, Y, **{"start": [1, 1], **words})


def two_sensors():
    """u and v, each read by a sensor of its own: two parts."""
    families, columns, variables = [], [], []
    for k, name in enumerate("uv"):
        tape = certify.trace(lambda x, m, name=name: getattr(x, name) - m.y, {name: ()}, {"y": ()})
        families.append(certify.Family(f"of_{name}", tape, 1, (certify.Binding(False, k), certify.Binding(True, k))))
        columns.append(certify.Column(f"y_{name}", "mm", (Fraction(-1),), (Fraction(1),)))
        variables.append(certify.Variable(name, "mm", Fraction(-9), Fraction(9)))
    return certify.Problem(tuple(variables), tuple(columns), tuple(families))


def test_questions_heed_every_part_that_is_named():
    """Of a part that was not there nothing was asked, and nothing was said of it."""
    problem = two_sensors()
    assert [part.name for part in certify.error_at(problem, [0, 0], only=["of_u"]).parts] == ["of_u"]
    for ask in (
        lambda: certify.error_at(problem, [0, 0], only=["of_x"]),
        lambda: certify.smallest_factor(problem, only=["of_x"]),
        lambda: certify.enclose(problem, directions={"of_x": []}),
    ):
        with pytest.raises(InputError, match=r"there is no 'of_x'; did you mean 'of_[uv]'"):
            ask()


def test_candidates_are_of_the_problem_s_columns_and_in_their_units():
    """Readings in m were taken for mm, and those of a column that is not there were predicted."""
    problem = two_sensors()
    column = problem.columns[0]
    with pytest.raises(InputError, match="candidates: there is no 'Y_u'; did you mean 'y_u'"):
        certify.next_poses(problem, {"Y_u": column})
    with pytest.raises(InputError, match="candidates: y_u is in m, its column in mm; use one unit"):
        certify.next_poses(problem, {"y_u": replace(column, unit="m")})


def test_a_body_is_of_the_columns_that_have_its_names():
    """The names were taken in their order: what W called Fv was not negative, where friction was said not to be."""
    names = ("Fv", *BODY)
    W, y = np.eye(11), np.ones(11)
    stated = certify.physical([*BODY, "Fv"], ["Fv"])
    with pytest.raises(InputError, match="column 1 of W is m, and W calls it Fv"):
        certify.linear(W, y, "0.5", names=names, physical=stated)
    combined = certify.physical([*BODY, "Fv"], ["Fv"], combinations=[{name: 1} for name in names])
    for known, called in ((combined, names), (stated, [*BODY, "Fv"]), (stated, None)):
        assert certify.linear(W, y, "0.5", names=called, physical=known).error.upper == 0


def test_a_motion_has_each_quantity_once():
    """Limits of one were those of the other, too."""
    for coordinates, more in ((["x", "dx"], []), (["x", "y"], ["x"]), (["x", "y"], ["ddy"])):
        with pytest.raises(InputError, match=r"are called '.*'; rename one"):
            certify.design(
                lambda x, v, a: np.stack([x, v], axis=2), dict.fromkeys(coordinates, (-1, 1)), ["m", "Fv"],
                limited=lambda x, v, a, more=more: {name: x[:, 0] for name in more},
            )  # fmt: skip
    with pytest.raises(InputError, match="limits: there is no 'dX'; did you mean 'dx'"):
        certify.design(lambda x, v, a: np.stack([x, v], axis=1), {"x": (-1, 1)}, ["m", "Fv"], limits={"dX": (-1, 1)})


TWO_UNITS = """format = "certify-problem-file 1"
title = "Two dials"
provenance = "simulated: by hand"
poses = "poses.csv"
[half_widths]
q = "0 rad"
r = "0 rad"
s = "0 rad"
[model.equations]
coarse = "q + o - r"
fine = "q + p - s"
[model.errors]
coarse = "rad"
fine = "mrad"
[model.parameters]
o = "angle"
p = "angle"
[model.columns]
q = "angle"
r = "angle"
s = "angle"
[box]
centre = "nominal"
[parameters]
o = { value = "0 rad", radius = "1 rad" }
p = { value = "0 rad", radius = "1 rad" }
"""


@pytest.mark.parametrize(
    ("epsilon", "verdicts"),
    [
        ("0.125 rad, 62.5 mrad", ("feasible", "feasible")),
        ("62.5 mrad, 0.125 rad", ("feasible", "feasible")),
        ("0.0625 rad, 125 mrad", ("infeasible", "feasible")),
        ("1 rad, 31.25 mrad", ("feasible", "infeasible")),
    ],
)
def test_errors_in_rad_and_in_mrad_are_each_asked_about_in_its_own_unit(tmp_path, capsys, epsilon, verdicts):
    """o is off by 1/8 rad, p by 1/16 rad: half of what two readings differ by."""
    (tmp_path / "problem.toml").write_text(TWO_UNITS)
    (tmp_path / "poses.csv").write_text("q [rad],r [rad],s [rad]\n0,0,0\n0,0.25,0.125\n")
    words = ["run", str(tmp_path / "problem.toml"), "--quiet", "--json", "--workers", "1", "--epsilon", epsilon]
    assert main(words) == 0
    parts = {part["name"]: part["verdict"] for part in json.loads(capsys.readouterr().out)["parts"]}
    assert (parts["coarse"], parts["fine"]) == verdicts


def test_an_error_that_is_told_in_one_of_two_units_only_is_asked_for(tmp_path, capsys):
    (tmp_path / "problem.toml").write_text(TWO_UNITS)
    (tmp_path / "poses.csv").write_text("q [rad],r [rad],s [rad]\n0,0,0\n0,0.25,0.125\n")
    for epsilon, told in (("1 mrad", "says nothing of coarse (in rad)"), ("1 rad, 2 rad", "two errors in rad")):
        assert main(["run", str(tmp_path / "problem.toml"), "--quiet", "--epsilon", epsilon]) == 2
        assert told in capsys.readouterr().err
