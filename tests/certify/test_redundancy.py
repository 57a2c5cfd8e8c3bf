"""Redundant parameters of a robot without legs: named before the search, left free or held at the blueprint."""

import json
import shutil
from dataclasses import replace

import pytest
from planted_poses import write_arm

from certify.__main__ import main
from certify.parts.redundancy import combined, redundancy
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import rounded_centre
from certify.problems.experiments.held import held
from certify.problems.experiments.toml_reader import load_experiment


def twice_based(folder, **options):
    """The planar arm with a second base C behind the first, and an offset of the second joint."""
    path = write_arm(folder, **options)
    text = path.read_text().replace('radius = ["0.5 deg", "0 deg"]', 'radius = ["0.5 deg", "0.2 deg"]')
    text = text.replace('"B + [l*cos(a1)', '"B + C + [l*cos(a1)').replace(
        'l = "length"', 'l = "length"\nC = "length x y"'
    )
    path.write_text(text.replace("[parameters]", '[parameters]\nC = { value = ["1 mm", "0 mm"], radius = "2 mm" }'))
    return path


def run(path, folder, *options):
    code = main(["run", str(path), "--out", str(folder), "--workers", "1", "--gap", "1e-3", *options])
    return code, json.loads((folder / "result.json").read_text())


def test_redundant_parameters_are_named_and_held_only_if_that_is_wanted(tmp_path, capsys):
    path = twice_based(tmp_path, off=0.2)
    code, left = run(path, tmp_path / "left", "--redundant", "leave")
    told = capsys.readouterr()
    assert code == 0
    assert "position: its measurements determine B_x + C_x, B_y + C_y, not each parameter of these alone" in told.out
    assert "orientation: its measurements determine o_1 + o_2, not each parameter" in told.out
    assert "; all parts together tell them apart." in told.out
    assert "held at the blueprint" not in told.out
    assert told.err.index("do not tell apart (estimated): C_x, C_y") < told.err.index("position: searching")
    assert left["determined"]["held"] == []
    code, fixed = run(path, tmp_path / "fixed", "--redundant", "fix")
    told = capsys.readouterr()
    assert code == 0
    assert "held at the blueprint: C_x = 1 mm, C_y = 0 mm. Everything below is about the robot with these" in told.out
    assert fixed["determined"]["held"] == ["C_x", "C_y"]
    assert fixed["determined"]["parts"]["position"]["estimated_redundant"] == ["C_x", "C_y"]
    # a base is a base: what is held costs nothing, and both claims have certificates
    for a, b in zip(left["parts"], fixed["parts"], strict=True):
        assert a["verified"] and b["verified"]
        assert a["epsilon"][0] <= b["epsilon"][1]
        assert b["epsilon"][0] <= a["epsilon"][1]
    written = load_experiment(tmp_path / "fixed" / "problem.toml")
    assert [parameter.name for parameter in written.blueprint if parameter.fixed] == ["C_x", "C_y"]
    assert "C_x" not in (tmp_path / "fixed" / "problem.canonical").read_text()
    assert main(["check", str(tmp_path / "fixed" / "problem.toml"), str(tmp_path / "fixed" / "position.cert")]) == 0
    # the claim is about the robot that was held, and of no other one
    shutil.copy(path, tmp_path / "fixed" / "problem.toml")
    assert main(["check", str(tmp_path / "fixed" / "problem.toml"), str(tmp_path / "fixed" / "position.cert")]) != 0


def test_combinations_are_enclosed_where_parameters_are_not(tmp_path, capsys):
    """Truth has B = (10.4, -5.2) and no C: what is 4 mm wide for each alone is known to half a millimetre together."""
    path, out = twice_based(tmp_path, off=0.03), tmp_path / "out"
    options = ("--redundant", "group", "--enclose", "--epsilon", "0.2 mm, 0.2 mrad")
    code = main(["run", str(path), "--out", str(out), "--workers", "1", *options])
    text = capsys.readouterr().out
    told = json.loads((out / "result.json").read_text())
    hull = next(part for part in told["hulls"] if part["name"] == "position")
    widths = {entry["name"]: entry["hull"][1] - entry["hull"][0] for entry in hull["hull"]}
    assert code in (0, 3)  # faces of what the box limits may stay open
    assert min(widths["B_y"], widths["C_y"]) > 3.5
    found = {axis["name"]: axis for axis in hull["axes"]}
    assert set(found) == {"B_x + C_x", "B_y + C_y"}
    for name, truth in (("B_x + C_x", 10.4), ("B_y + C_y", -5.2)):
        low, high = found[name]["range"]
        assert low <= truth <= high
        assert high - low < 0.8
        assert found[name]["unit"] == "mm"
        assert f"\n{name}  " in text
    assert hull["verified"]
    assert main(["check", "--both", str(out / "problem.toml"), str(out / "position-hull.cert")]) == 0
    assert b"\nfacet " in (out / "position-hull.cert").read_bytes()
    capsys.readouterr()
    assert main(["run", str(path), "--out", str(out), "--redundant", "group"]) == 2
    assert "give --enclose, too" in capsys.readouterr().err


def test_coefficients_have_units(tmp_path):
    """With joint 1 in one place a turn of it moves the tip as the base does."""
    path = twice_based(tmp_path)
    lines = (tmp_path / "poses.csv").read_text().splitlines()
    (tmp_path / "poses.csv").write_text("\n".join([*lines[:1], *(lines[1] for _ in range(1))]) + "\n")
    found = redundancy(load_experiment(path))
    told = [combined(found, combination) for combination in found.parts["position"].combinations]
    assert any(" mm/deg o_" in text for text in told)
    assert redundancy(load_experiment(path), give_up=("B_x", "B_y")).given_up[:2] == ("B_x", "B_y")


def test_a_given_centre_is_left_where_it_is_but_for_what_is_held(tmp_path):
    experiment = load_experiment(twice_based(tmp_path))
    assert held(experiment, ()).blueprint == experiment.blueprint
    centre = rounded_centre([0.5] * len(experiment.blueprint), [p.unit for p in experiment.blueprint])
    moved = held(replace(experiment, centre=centre), ("C_x",))
    names = [parameter.name for parameter in moved.blueprint]
    assert moved.centre[names.index("C_x")] == 1
    assert moved.centre[names.index("C_y")] == centre[0]
    with pytest.raises(InputError, match="there is no parameter D that could be held; there are B_x, "):
        held(experiment, ("D",))


def test_legs_are_not_held(tmp_path, capsys):
    assert main(["simulate", "--error", "none", "--out", str(tmp_path / "demo")]) == 0
    assert (
        main(["run", str(tmp_path / "demo" / "problem.toml"), "--redundant", "fix", "--out", str(tmp_path / "o")]) == 2
    )
    assert "write radius 0 for a field of all legs" in capsys.readouterr().err


def test_what_cannot_all_be_held_is_refused_by_name(tmp_path, capsys):
    """Half-widths of 10 degrees tell nothing of an offset, which is all that the orientation depends on."""
    path = write_arm(tmp_path)
    path.write_text(path.read_text().replace('theta = "0.005 deg"', 'theta = "10 deg"').replace('"0.05 mm"', '"90 mm"'))
    assert main(["run", str(path), "--redundant", "fix", "--out", str(tmp_path / "out"), "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "--redundant fix would hold " in told
    assert "depends on no unknown" in told or "nothing is unknown" in told
