"""Vector models, end to end from text: each equation is a part, and so are all together where a ratio is stated."""

import json

import pytest
from planted_poses import RATIO, write_arm

from certify.__main__ import main
from certify.problems.experiments.toml_reader import load_experiment


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
