"""An error that is a Euclidean distance, said in a problem file: exact truth, from the text to both checkers."""

import json
from fractions import Fraction

import pytest
from two_checkers import both

from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment

FILE = """format = "certify-problem-file 1"
title = "A point"
provenance = "simulated: a point seen at known places"
poses = "poses.csv"
RATIO
[model.equations]
position = "p - [x, y]"
orientation = "a - u"
[model.errors]
position = "mm x y distance"
orientation = "mrad"
[model.parameters]
p = "length x y"
a = "angle"
[model.columns]
x = "length"
y = "length"
u = "angle"
[half_widths]
x = "HALF mm"
y = "HALF mm"
u = "0.1 deg"
[box]
centre = "nominal"
[parameters]
p = { value = ["0 mm", "0 mm"], radius = "9 mm" }
a = { value = "0 deg", radius = "2 deg" }
"""
TABLE = "pose,x [mm],y [mm],u [deg]\nP1,0,0,0\nP2,4,3,0.1\n"


def written(folder, text=FILE, half="0", ratio=""):
    (folder / "problem.toml").write_text(text.replace("HALF", half).replace("RATIO", ratio))
    (folder / "poses.csv").write_text(TABLE)
    return folder / "problem.toml"


@pytest.mark.parametrize(("half", "square"), [("0", Fraction(25, 4)), ("0.5", Fraction(13, 4))])
def test_half_the_distance_of_two_places_is_needed(tmp_path, capsys, half, square):
    """The places are 5 mm apart; where coordinates lie within 0.5 mm their boxes are sqrt(3^2 + 2^2) mm apart."""
    out = tmp_path / "out"
    code = main(["run", str(written(tmp_path, half=half)), "--out", str(out), "--gap", "1e-4", "--workers", "1"])
    told = capsys.readouterr().out
    assert code == 0
    assert (
        "position: the error of a pose is a distance, the root of the sum of the squares of its components x, y."
        in told
    )
    assert "orientation: the error of a pose" not in told
    certificate = (out / "position.cert").read_bytes()
    assert b"group model euclidean 0 1 position.x position.y\n" in certificate
    assert both((out / "problem.canonical").read_bytes(), certificate) == "VERIFIED"
    part = json.loads((out / "result.json").read_text())["parts"][0]
    lower, upper = map(Fraction, part["epsilon"])
    assert lower**2 <= square <= upper**2
    assert main(["explain", str(out / "position.cert")]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "the errors squared and added up do not exceed the square of e" in words
    assert load_experiment(out / "problem.toml").kind == load_experiment(tmp_path / "problem.toml").kind


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"mm x y distance"', '"mm distance x y"', "write 'distance' once, as its last word"),
        ('"mm x y distance"', '"mm x y distance distance"', "write 'distance' once, as its last word"),
        ('"mm x y distance"', '"mm x distance"', "errors.position names 1 components"),
        (
            'orientation = "mrad"',
            'orientation = "mrad distance"',
            "errors.orientation says distance, but",
        ),
    ],
)
def test_what_cannot_be_a_distance_is_refused(tmp_path, old, new, message):
    with pytest.raises(InputError) as refused:
        load_experiment(written(tmp_path, FILE.replace(old, new)))
    assert message in str(refused.value)


def test_components_have_their_usual_names(tmp_path):
    kind = load_experiment(written(tmp_path, FILE.replace("mm x y distance", "mm distance"))).kind
    assert kind.equations[0].components == ("x", "y")
    assert kind.equations[0].norm == "euclidean"


RATIO = 'ratio = "2 mm per deg"'


def test_distances_and_angles_are_bounded_by_one_length(tmp_path, capsys):
    """The places are 4, 3 mm apart and the angles 6 deg, which count as 12 mm: 13 mm in all."""
    (tmp_path / "exact").mkdir()
    text = FILE.replace('orientation = "mrad"', 'orientation = "deg"').replace('"2 deg"', '"9 deg"')
    path = written(tmp_path / "exact", text.replace('u = "0.1 deg"', 'u = "0 deg"'), ratio=RATIO)
    (tmp_path / "exact" / "poses.csv").write_text(TABLE.replace(",0.1\n", ",6\n"))
    code = main(["run", str(path), "--out", str(tmp_path / "out"), "--gap", "1e-4", "--workers", "1"])
    told = capsys.readouterr().out
    assert code == 0
    assert "pose: the error of a pose is the root of the sum of the squares of those of position, orientation" in told
    record = json.loads((tmp_path / "out" / "result.json").read_text())
    (part,) = [part for part in record["parts"] if part["name"] == "pose"]
    low, high = (Fraction(end) for end in part["epsilon"])
    assert part["verified"]
    assert low <= Fraction(13, 2) <= high <= Fraction(13, 2) * Fraction(10002, 10000)
    canonical, certificate = ((tmp_path / "out" / name).read_bytes() for name in ("problem.canonical", "pose.cert"))
    assert both(canonical, certificate) == "VERIFIED"


def test_a_distance_is_not_weighed_against_components(tmp_path):
    text = FILE.replace('orientation = "a - u"', 'orientation = "[a - u, a - 2*u]"')
    text = text.replace('orientation = "mrad"', 'orientation = "mrad 1 2"')
    with pytest.raises(InputError, match="takes position as a distance and orientation component by component; write"):
        load_experiment(written(tmp_path, text, ratio='ratio = "2 mm per mrad"'))


def test_poses_are_left_out_by_their_distance(tmp_path, capsys):
    """Three places at the corners of a square of 1 mm, one 7 mm away: within 0.8 mm they fit without that one."""
    path, out = written(tmp_path), tmp_path / "out"
    (tmp_path / "poses.csv").write_text("pose,x [mm],y [mm],u [deg]\nA,0,0,0\nB,1,0,0\nC,0,1,0\nD,5,5,0\n")
    code = main(["run", str(path), "--out", str(out), "--epsilon", "0.8 mm, 2 mrad", "--discard", "--workers", "1"])
    told = capsys.readouterr().out
    assert code == 0
    assert "so that the rest is consistent in the search box within 0.8 mm and 2 mrad:" in told
    assert "position: 1 (proved to be the fewest), for instance pose D; " in told
    canonical = (out / "problem.canonical").read_bytes()
    for name in ("position-fewest", "position-without"):
        certificate = (out / f"{name}.cert").read_bytes()
        assert b"group model euclidean 0 1 position.x position.y\n" in certificate
        assert both(canonical, certificate) == "VERIFIED"


def test_poses_that_are_exact_but_for_one_are_left_out_whole(tmp_path):
    path, out = written(tmp_path, half="0.1"), tmp_path / "out"
    (tmp_path / "poses.csv").write_text("pose,x [mm],y [mm],u [deg]\nA,0,0,0\nB,0.1,0,0\nC,5,5,0\n")
    assert main(["run", str(path), "--out", str(out), "--discard", "--workers", "1"]) == 0
    told = json.loads((out / "result.json").read_text())["discards"][0]
    assert (told["fewest"], told["discarded"]) == (1, [["position", 3]])
    assert both((out / "problem.canonical").read_bytes(), (out / "position-without.cert").read_bytes()) == "VERIFIED"


def test_a_pose_has_a_weight_where_the_equation_has_a_column_for_it(tmp_path, capsys):
    """Two places 5 mm apart, the second counts four times: the point that needs least is 4 mm and 1 mm away."""
    text = FILE.replace('"p - [x, y]"', '"w*(p - [x, y])"').replace('u = "angle"', 'u = "angle"\nw = "number"')
    path = written(tmp_path, text.replace("[half_widths]", '[half_widths]\nw = "0 1"'))
    (tmp_path / "poses.csv").write_text("pose,x [mm],y [mm],u [deg],w [1]\nP1,0,0,0,1\nP2,4,3,0.1,4\n")
    code = main(["run", str(path), "--out", str(tmp_path / "out"), "--gap", "1e-4", "--workers", "1"])
    capsys.readouterr()
    assert code == 0
    part = json.loads((tmp_path / "out" / "result.json").read_text())["parts"][0]
    assert part["epsilon"][0] <= 4 <= part["epsilon"][1] <= 4.001
    assert part["verified"]
