"""The next pose: what is chosen by an estimate does shrink the certified hull, more than others do."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from planted_cables import PROBLEM, cable_table
from planted_legs import planted, scaled, taken_poses

import certify
from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.added_poses import with_poses
from certify.problems.model.model import Column

POSE = ("x", "y", "z", "alpha", "beta", "gamma")
USED = 12
TIGHT = Fraction(1, 20)


def split(problem, used):
    """The problem of the first poses, and the columns of the others."""

    def picked(column, rows):
        return Column(column.name, column.unit, column.lower[rows], column.upper[rows])

    families = tuple(certify.Family(f.name, f.tape, used, f.bindings, f.unit) for f in problem.families)
    first = certify.Problem(problem.variables, tuple(picked(c, slice(0, used)) for c in problem.columns), families)
    return first, {c.name: picked(c, slice(used, None)) for c in problem.columns}


@pytest.fixture(scope="module")
def case():
    """One leg at twelve poses, thirty candidates with the readings that they would have."""
    problem, truth = planted(taken_poses(USED + 30, 5), noise=Fraction(1), radius=50)
    first, others = split(problem, USED)
    answer = certify.next_poses(first, {name: others[name] for name in POSE}, start=truth)
    return first, others, truth, answer


def single_pose(columns, place):
    return {
        name: replace(column, lower=(column.lower[place],), upper=(column.upper[place],))
        for name, column in columns.items()
    }


def widths(problem, start):
    box = certify.enclose(problem, gap=TIGHT, start=start).parts[0].box
    return np.array([float(high - low) for low, high in zip(box.lower, box.upper, strict=True)])


@pytest.mark.thorough
def test_the_chosen_pose_shrinks_the_certified_hull_more_than_the_median_one(case):
    problem, others, truth, answer = case
    before = widths(problem, truth)
    ranked = answer.choices[0].ranked
    left = {}
    for rank in (0, 1, 8, 15, 22):
        after = widths(with_poses(problem, single_pose(others, ranked[rank].place)), truth)
        left[rank] = float((after / before).mean())
    assert left[0] < sorted(left.values())[2] - 0.02, left
    assert left[0] < left[15], left
    for rank in (0, 1, 8):
        assert left[rank] == pytest.approx(ranked[rank].estimated_share, abs=0.08), (rank, left)


def test_shares_are_shares_and_ranked(case):
    _, _, _, answer = case
    shares = [candidate.estimated_share for candidate in answer.choices[0].ranked]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.97
    assert shares[-1] <= 1 + 1e-9
    assert sorted(candidate.place for candidate in answer.choices[0].ranked) == list(range(30))
    assert answer.levels == {"leg1": 0}


def test_a_pose_that_was_measured_says_nothing_much_new(case):
    """The same pose again: its sides are those that the polytope has already, but for the noise of the readings."""
    problem, _, truth, answer = case
    again = {c.name: Column(c.name, c.unit, c.lower[:1], c.upper[:1]) for c in problem.columns if c.name in POSE}
    share = certify.next_poses(problem, again, start=truth).choices[0].best.estimated_share
    assert share > answer.choices[0].best.estimated_share


def test_several_poses_are_chosen_one_after_the_other(case):
    problem, others, truth, one = case
    several = certify.next_poses(problem, {name: others[name] for name in POSE}, 3, start=truth)
    places = [choice.best.place for choice in several.choices]
    assert places[0] == one.choices[0].best.place
    assert len(set(places)) == 3
    assert [len(choice.ranked) for choice in several.choices] == [30, 29, 28]


def test_a_model_that_is_wrong_gets_its_smallest_error_and_a_little():
    problem, truth = planted(taken_poses(24, 5), scaled(1.02))
    first, others = split(problem, 16)
    answer = certify.next_poses(first, {name: others[name] for name in POSE}, start=truth)
    lower, _ = certify.adequacy(first, start=truth).parts[0].epsilon
    assert answer.levels["leg1"] == pytest.approx(1.1 * float(lower), rel=0.02)
    assert answer.choices[0].best.estimated_share < 1


def test_what_cannot_be_asked(case):
    problem, others, _, _ = case
    poses = {name: others[name] for name in POSE}
    with pytest.raises(InputError, match="31 poses are to be chosen from 30 candidates"):
        certify.next_poses(problem, poses, 31)
    with pytest.raises(InputError, match="different numbers of them"):
        certify.next_poses(problem, poses | {"x": Column("x", "mm", (Fraction(0),), (Fraction(0),))})


@pytest.fixture(scope="module")
def cable(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cable")
    (folder / "problem.toml").write_text(PROBLEM)
    (folder / "poses.csv").write_text(cable_table(1, 8, 1.0))
    (folder / "candidates.csv").write_text("pose,x [mm],y [mm]\nnear,0,0\nhigh,10,90\nlow,10,-90\nfar,90,3\n")
    return folder


def test_the_command_chooses_and_says_that_it_is_an_estimate(cable, capsys):
    words = ["next", str(cable / "problem.toml"), str(cable / "candidates.csv"), "--count", "2", "--quiet"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "hull left (estimated)" in text
    assert "nothing is proved" in text
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    chosen = [choice[0]["pose"] for choice in told["choices"]]
    assert f"Measure next: {', '.join(chosen)}, in this order" in text
    assert "near" not in chosen


def test_the_command_takes_a_table_with_readings_and_does_not_use_them(cable, tmp_path, capsys):
    (tmp_path / "full.csv").write_text(
        "pose,x [mm],y [mm],L1 [mm]\nnear,0,0,1\nhigh,10,90,2\nlow,10,-90,3\nfar,90,3,4\n"
    )
    answers = []
    for table in (cable / "candidates.csv", tmp_path / "full.csv"):
        assert main(["next", str(cable / "problem.toml"), str(table), "--quiet", "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out)["choices"])
    assert answers[0] == answers[1]


def test_mistakes_are_told_in_a_sentence(cable, tmp_path, capsys):
    (tmp_path / "nopose.csv").write_text("pose,x [mm]\n1,2\n")
    (tmp_path / "other.csv").write_text("pose,x [mm],y [mm],x halfwidth [mm]\n1,2,3,4\n")
    (tmp_path / "empty.csv").write_text("")
    problem, table = str(cable / "problem.toml"), str(cable / "candidates.csv")
    wrong = {
        (str(cable / "none.toml"), table): "there is no file",
        (problem, str(tmp_path / "none.csv")): "there is no such file",
        (problem, str(tmp_path / "empty.csv")): "it is empty",
        (problem, str(tmp_path / "nopose.csv")): "column y is missing",
        (problem, str(tmp_path / "other.csv")): "'x halfwidth [mm]' would not be read; did you mean 'x half-width'?",
        (problem, table, "--count", "5"): "has 4 poses; choose 1 to 4 of them",
        (problem, table, "--count", "0"): "has 4 poses; choose 1 to 4 of them",
    }
    for words, message in wrong.items():
        assert main(["next", *words, "--quiet"]) == 2, words
        assert message in capsys.readouterr().err
