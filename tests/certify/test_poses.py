"""Vector models, end to end from text: each equation is a part, and so are all together where a ratio is stated."""

import json

import pytest
from planted_poses import RATIO, write_arm

from certify.__main__ import main
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.model.row_subsets import kept_rows
from certify.questions import discards


def run(path, folder, *options):
    """The exit code and the record of a run."""
    code = main(["run", str(path), "--out", str(folder), "--workers", "1", *options])
    return code, json.loads((folder / "result.json").read_text())


@pytest.mark.parametrize("ratio", ["", RATIO])
def test_an_arm_is_certified_part_by_part(tmp_path, capsys, ratio):
    path = write_arm(tmp_path, wrong=(4,), ratio=ratio)
    code, told = run(path, tmp_path / "out")
    names = ["position", "orientation", *(["pose"] if ratio else [])]
    assert code == 0
    assert [part["name"] for part in told["parts"]] == names
    verdicts = {part["name"]: part["verdict"] for part in told["parts"]}
    assert verdicts["position"] == "inadequate"
    assert verdicts["orientation"] == "adequate"
    assert [part["unit"] for part in told["parts"]] == ["mm", "mrad", "mm"][: len(names)]
    assert all(part["verified"] for part in told["parts"])
    position, pose = told["parts"][0]["epsilon"], told["parts"][-1]["epsilon"]
    # one coordinate of one tip is 3 mm off, of half of which the others cannot take more
    assert 0.5 < position[0] < position[1] < 3
    if ratio:  # both together need no less than each alone
        assert verdicts["pose"] == "inadequate"
        assert pose[1] >= position[0]
    text = capsys.readouterr().out
    assert "certificates verified by a separate process" in text
    assert (tmp_path / "out" / "epsilon.png").read_bytes().startswith(b"\x89PNG")
    assert load_experiment(tmp_path / "out" / "problem.toml").kind == load_experiment(path).kind


def test_each_part_has_its_own_fit_and_witness(tmp_path):
    run(write_arm(tmp_path, ratio=RATIO), tmp_path / "out")
    rows = [line.split(",") for line in (tmp_path / "out" / "parameters.csv").read_text().splitlines()]
    parts = ("position", "orientation", "pose")
    assert rows[0][3:] == [f"{what} {part}" for part in parts for what in ("least squares", "witness")]
    told = {row[0]: dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[1:]}
    assert list(told) == ["B_x", "B_y", "l", "m", "o_1"]
    assert told["l"]["least squares orientation"] == told["l"]["witness orientation"] == ""  # it depends on no length
    assert all(told["o_1"][name] for name in rows[0][3:])


def test_poses_are_what_is_left_out(tmp_path, capsys):
    path = write_arm(tmp_path, poses=14, wrong=(4, 9), ratio=RATIO)
    code, told = run(path, tmp_path / "out", "--discard")
    assert code == 0
    found = {part["name"]: part for part in told["discards"]}
    for name in ("position", "pose"):  # brute force: no pose alone is the cause, these two are
        assert found[name]["fewest"] == 2
        assert found[name]["discarded"] == [[name, 4], [name, 9]]
        assert found[name]["labels"] == ["P4", "P9"]
        assert all(pose[0] == name for conflict in found[name]["conflicts"] for pose in conflict)
        assert found[name]["verified"]
    assert found["orientation"]["fewest"] == 0
    assert all(name == part["name"] for part in told["parts"] for name, _ in part["conflict"])
    certificate = (tmp_path / "out" / "pose-fewest.cert").read_text()
    assert "\ngroup model largest 0 1 pose.position.x pose.position.y pose.orientation\n" in certificate
    text = capsys.readouterr().out
    assert "position: 2 (proved to be the fewest), for instance poses P4, P9; " in text
    assert "a robust fit misses pose P4 by 3" in text or "a robust fit misses pose P9 by 3" in text
    assert "the other 12 poses by about" in text


def test_poses_with_uncertain_joints_are_left_out_whole(tmp_path):
    """The components of a pose share its joint readings: a pose is left out with all of them."""
    path = write_arm(tmp_path, poses=10, wrong=(3,))
    path.write_text(path.read_text().replace('q1 = "0 deg"', 'q1 = "0.001 deg"'))
    code, told = run(path, tmp_path / "out", "--discard", "--epsilon", "0.2 mm, 0.2 mrad")
    assert code == 0
    position = told["discards"][0]
    assert (position["fewest"], position["discarded"]) == (1, [["position", 3]])
    assert position["verified"]


def test_rows_of_a_group_stay_or_go_together(tmp_path):
    experiment = load_experiment(write_arm(tmp_path, poses=5))
    problem = experiment.problem(experiment.nominal)
    subset = kept_rows(problem, problem.part(("position.x", "position.y")), {(1, 2), (0, 4)})
    assert [family.rows for family in subset.problem.families] == [3, 3]
    assert subset.rows == {0: ((0, 0), (0, 1), (0, 3)), 1: ((1, 0), (1, 1), (1, 3))}
    # both coordinates read the same joints, each its own coordinate
    assert [column.name for column in subset.problem.columns] == [
        "position.x.q1", "position.x.q2", "position.x.x", "position.y.y",
    ]  # fmt: skip
    assert subset.problem.groups == problem.groups[:1]


def test_where_conflicts_do_not_end_what_suffices_is_told_beside_what_is_needed(tmp_path, capsys, monkeypatch):
    """Conflicts are collected for one wrong pose only, of three: a robust fit tells which these are, a witness that the
    rest is right.
    """
    monkeypatch.setattr(discards, "MOST", 1)
    code, told = run(write_arm(tmp_path, poses=16, wrong=(3, 9, 14)), tmp_path / "out", "--discard")
    position = told["discards"][0]
    assert code == 3  # whether fewer would do is not known
    assert position["discarded"] == [["position", 3], ["position", 9], ["position", 14]]
    assert position["fewest"] == 1
    assert position["verified"]
    text = capsys.readouterr().out
    assert "position: 3 (at least 1 are needed, proved), for instance poses P3, P9, P14; 1 conflict of " in text
    assert (tmp_path / "out" / "position-without.cert").is_file()
