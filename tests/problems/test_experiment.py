import re
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import assemble
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment, rounded_centre, write_experiment
from certify.problems.files.csv_table import Measured
from certify.problems.formulas.units import Dimension
from certify.problems.model.canonical import canonical_bytes
from certify.problems.robots.kind import Field
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error

PROBLEM = """format = "certify-problem-file 1"
title = "A planar robot"
provenance = "simulated: by hand"
kind = "planar_3rpr"
poses = "poses.csv"

[half_widths]
x = "20 um"
y = "0.02 mm"
theta = "0.005 deg"
L1 = "0.01 mm"
L2 = "0 mm"

[box]
centre = "nominal"
radius = "0.1 m"

[legs.leg1]
a = ["-259.8 mm", "-0.15 m", ]
b = ["-69.2 mm", "-40 mm"]
l = "200 mm"

[legs.leg2]
a = ["259.8 mm", "-150 mm"]
b = ["69.2 mm", "-40 mm"]
l = "200 mm"

[legs.leg3]
a = ["0 mm", "300 mm"]
b = ["0 mm", "80 mm"]
l = "200 mm"
"""
TABLE = """pose,x [mm],y [mm],theta [deg],L1 [mm],L2 [mm],L3 lower [mm],L3 upper [mm]
home,0,0,0,20.5,20.5,19.9,20.2
left,-10,0.6353,1.5,11,31,20,20
"""
CENTRE = "".join(
    f'\n[centre.leg{i}]\na = ["{i} mm", "2 mm"]\nb = ["3 mm", "4 mm"]\nl = "5.0001 mm"\n' for i in (1, 2, 3)
)


@pytest.fixture
def load(tmp_path):
    def loader(problem=PROBLEM, table=TABLE):
        (tmp_path / "problem.toml").write_text(problem, encoding="utf-8")
        (tmp_path / "poses.csv").write_text(table, encoding="utf-8")
        return load_experiment(tmp_path / "problem.toml")

    return loader


def test_a_problem_file_says_what_it_says(load):
    experiment = load()
    assert (experiment.title, experiment.provenance, experiment.kind.name) == (
        "A planar robot",
        "simulated: by hand",
        "planar_3rpr",
    )
    assert experiment.poses == ("home", "left")
    assert [c.name for c in experiment.columns] == ["x", "y", "theta", "L1", "L2", "L3"]
    x, y, theta, _, second, third = experiment.columns
    assert (x.lower, x.upper) == ((Fraction(-2, 100), Fraction(-1002, 100)), (Fraction(2, 100), Fraction(-998, 100)))
    assert y.upper[1] == Fraction("0.6553")
    assert (theta.unit, theta.lower[1]) == ("deg", Fraction("1.495"))
    assert second.lower == second.upper == (Fraction("20.5"), Fraction(31))
    assert (third.lower, third.upper) == ((Fraction("19.9"), Fraction(20)), (Fraction("20.2"), Fraction(20)))
    assert (experiment.centre, experiment.radius) == ("nominal", 100)
    assert experiment.variables[1].name == "leg1.a_y"
    assert experiment.nominal[:5] == (
        Fraction("-259.8"),
        Fraction(-150),
        Fraction("-69.2"),
        Fraction(-40),
        Fraction(200),
    )
    assert experiment.nominal_measurements()["L3"].tolist() == [20.05, 20.0]


def test_an_experiment_becomes_a_problem(load):
    experiment = load()
    problem = experiment.problem(experiment.nominal)
    assert problem.variables[4].lower == 100
    assert problem.variables[4].upper == 300
    assert [b.count for b in problem.blocks] == [2, 2, 2]
    assert problem.part(["leg3"]) == (2,)
    assert canonical_bytes(problem).startswith(b"certify-problem 2\nvariables 15\nleg1.a_x mm -1799/5 -799/5\n")
    with pytest.raises(InputError, match="the centre has 3 numbers, the robot has 15 variables; give one for each"):
        experiment.problem([Fraction(0)] * 3)


def test_a_decimal_measurement_is_no_double(load):
    """0.6353 -+ 0.0647 ends at 0.7 exactly (ibex-lib #205)."""
    experiment = load(PROBLEM.replace('y = "0.02 mm"', 'y = "0.0647 mm"'))
    assert experiment.columns[1].upper[1] == Fraction(7, 10)


def test_the_centre_may_be_given(load):
    experiment = load(PROBLEM.replace('"nominal"', '"given"') + CENTRE)
    assert experiment.centre[:5] == (1, 2, 3, 4, Fraction("5.0001"))
    assert experiment.centre[10] == 3


EXPERIMENTS = {
    "gough": lambda: simulate(unmodelled_error("joints"), 7).experiment,
    "planar": lambda: simulate_planar(unmodelled_error("outlier"), 7).experiment,
    "shipped": lambda: load_experiment(shipped("table_of_stewart")),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_writing_and_reading_gives_the_same_experiment(tmp_path, name):
    experiment = EXPERIMENTS[name]()
    assert load_experiment(write_experiment(tmp_path / "as it is", experiment)) == experiment
    centre = rounded_centre([float(v) + 1.23456789 for v in experiment.nominal])
    again = load_experiment(write_experiment(tmp_path / "resolved", experiment, centre))
    assert again == replace(experiment, centre=centre)
    assert canonical_bytes(again.problem(again.centre)) == canonical_bytes(experiment.problem(centre))
    assert sorted(p.name for p in (tmp_path / "resolved").iterdir()) == ["poses.csv", "problem.toml"]


def test_ranges_half_widths_and_odd_names_survive_writing(load, tmp_path):
    table = TABLE.replace("home", '"a, ""b"" \u00e9"').replace("theta [deg],", "theta [rad],theta half-width [rad],")
    table = table.replace(",0,20.5,20.5", ",0,0.001,20.5,20.5").replace("1.5,11", "0.02,1e-30,11")
    experiment = load(PROBLEM.replace('theta = "0.005 deg"\n', "").replace("A planar", '\u00e9 \\\\ \\" planar'), table)
    assert experiment.columns[2].unit == "rad"
    assert load_experiment(write_experiment(tmp_path / "out", experiment)) == experiment
    assert "half-width [rad]" in (tmp_path / "out" / "poses.csv").read_text(encoding="utf-8")


def test_a_centre_is_rounded_to_a_tenth_of_a_micrometre():
    assert rounded_centre([1.23456, -0.00004, 5]) == (Fraction("1.2346"), 0, 5)
    with pytest.raises(
        InputError, match="number 2 of the centre is nan, which is not finite; start elsewhere or give a centre"
    ):
        rounded_centre([0.0, np.nan])


def test_what_cannot_be_written_exactly_is_refused_before_anything_is_written(load, tmp_path):
    with pytest.raises(InputError, match="cannot be written as a decimal"):
        write_experiment(tmp_path / "out", load(), [Fraction(1, 3)] * 15)
    with pytest.raises(InputError, match="cannot be written into a problem file; use one line"):
        write_experiment(tmp_path / "out", replace(load(), title="two\nlines"))
    assert not (tmp_path / "out").exists()


def test_links_are_not_written_through(load, tmp_path):
    experiment = load()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "poses.csv").symlink_to(tmp_path / "victim")
    with pytest.raises(InputError, match="it is a link or no regular file; choose another place or remove it"):
        write_experiment(tmp_path / "out", experiment)
    assert not (tmp_path / "victim").exists()
    with pytest.raises(InputError, match="cannot be written"):
        write_experiment(tmp_path / "poses.csv", experiment)


def test_tables_outside_the_folder_are_not_read(load, tmp_path):
    load()
    for name in ("../poses.csv", "/etc/passwd", "a/../../poses.csv", "C:poses.csv", "..\\\\poses.csv"):
        with pytest.raises(
            InputError, match="leads out of the problem's folder; put the file there and write its plain name"
        ):
            load(PROBLEM.replace("poses.csv", name))
    (tmp_path / "link.csv").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match=r"'link\.csv' is a link out of the problem's folder; copy the file there"):
        load(PROBLEM.replace("poses.csv", "link.csv"))


CASES = {
    "no TOML": (
        ("title = ", "title "),
        "Expected '=' after a key in a key/value pair (at line 2, column 7); it is not valid TOML there",
    ),
    "key twice": (
        ("kind =", 'title = "b"\nkind ='),
        "Cannot overwrite a value (at line 4, column 12); it is not valid TOML there",
    ),
    "too deep": (
        ("title = ", f"title = {'[' * 50_000}"),
        "it is nested too deeply or holds too long a number; keep to the format's entries",
    ),
    "long number": (('"0.01 mm"', "9" * 5000), "it is nested too deeply or holds too long a number"),
    "deep key": (("[box]", f"[{'a.' * 3000}a]\n[box]"), ": a is not known here; known are"),
    "unknown key": (("title =", "tilte ="), "problem.toml: tilte is not known here; did you mean 'title'?"),
    "unknown key in a table": (
        ("radius =", "radios ="),
        "problem.toml: box.radios is not known here; did you mean 'radius'?",
    ),
    "odd key": (("title =", '"t\\u001b" ='), ": 't\\x1b' is not known here"),
    "missing key": (('kind = "planar_3rpr"\n', ""), "problem.toml: kind is missing; add it"),
    "missing table": (('[box]\ncentre = "nominal"\nradius = "0.1 m"\n', ""), "problem.toml: box is missing; add it"),
    "missing leg": (("legs.leg2", "legs.leg3b"), "problem.toml: legs.leg3b is not known here; did you mean 'leg3'?"),
    "missing parameter": (('b = ["0 mm", "80 mm"]\n', ""), "problem.toml: legs.leg3.b is missing; add it"),
    "unknown parameter": (
        ('b = ["0 mm", "80 mm"]', 'c = "0 mm"'),
        "problem.toml: legs.leg3.c is not known here; known are 'a', 'b', 'l'",
    ),
    "leg is no table": (("[legs.leg1]", "[legs]\nleg4 = 3\n[legs.leg1]"), "legs.leg4 is not known here; did you mean"),
    "wrong format": (
        ("certify-problem-file 1", "certify-problem-file 2"),
        "format is 'certify-problem-file 2'; this program reads 'certify-problem-file 1'",
    ),
    "unknown kind": (
        ('"planar_3rpr"', '"planar_3rrr"'),
        "kind: there is no kind of robot 'planar_3rrr'; did you mean 'planar_3rpr'?",
    ),
    "blank title": (
        ('"A planar robot"', '""'),
        "title is ''; write one line of text in quotes, at most 1000 characters",
    ),
    "title of two lines": (('"A planar robot"', '"a\\nb"'), "title is 'a\\nb'; write one line of text in quotes"),
    "no provenance": (
        ('"simulated: by hand"', '"by hand"'),
        "provenance is 'by hand'; begin it with 'simulated: ' or 'measured: ' and say how",
    ),
    "no file name": (('"poses.csv"', "7"), "problem.toml: poses is 7; write one line of text in quotes"),
    "the folder itself": (('"poses.csv"', '"."'), "there is no such file; check the name and the folder"),
    "no such table": (
        ('"poses.csv"', '"posen.csv"'),
        "posen.csv: there is no such file; check the name and the folder",
    ),
    "no half-width": (
        ('L1 = "0.01 mm"\n', ""),
        'half_widths.L1 is missing: how far may L1 be off? Write L1 = "... mm" under [half_widths], '
        "or add a column 'L1 half-width [mm]'",
    ),
    "no half-widths": (
        (re.compile(r"\[half_widths\].*?(?=\[box\])", re.S), ""),
        "half_widths.x is missing: how far may x be off?",
    ),
    "negative half-width": (
        ('"0.01 mm"', '"-0.01 mm"'),
        "half_widths.L1 is -0.01 mm, which is negative; write how far L1 may be off",
    ),
    "half-width twice": (
        ('L2 = "0 mm"', 'L2 = "0 mm"\nL3 = "1 mm"'),
        "half_widths.L3 is given, and the table gives half-widths of L3, too; remove one",
    ),
    "half-width of nothing": (('L2 = "0 mm"', 'l2 = "0 mm"'), "half_widths.l2 is not known here; did you mean 'L2'?"),
    "half-width in rad": (
        ('"0.005 deg"', '"0.005 rad"'),
        "half_widths.theta is in rad, its column in deg, with no exact factor between; use one unit",
    ),
    "half-width without unit": (
        ('"0.01 mm"', '"0.01"'),
        "half_widths.L1: '0.01' has no unit, a length (m, cm, mm, um, inch) is needed; write it such as '0.01 mm'",
    ),
    "half-width as a float": (
        ('"0.01 mm"', "0.01"),
        "half_widths.L1: 0.01 is not a value with its unit; write both as text in quotes",
    ),
    "negative radius": (
        ('"0.1 m"', '"-1 mm"'),
        "box.radius is -1.0 mm, which is negative; write how far the unknowns may be from the centre",
    ),
    "unknown centre": (('"nominal"', '"least square"'), "box.centre is 'least square'; did you mean 'least squares'?"),
    "centre not given": (('"nominal"', '"given"'), "problem.toml: centre is missing; add it"),
    "centre too many": (("[legs.leg1]", CENTRE + "\n[legs.leg1]"), "centre gives numbers, but"),
    "wrong unit": (
        ('l = "200 mm"', 'l = "200 V"'),
        "legs.leg1.l: '200 V' has unit V, a length (m, cm, mm, um, inch) is needed",
    ),
    "too few components": (
        ('a = ["0 mm", "300 mm"]', 'a = ["0 mm"]'),
        'legs.leg3.a is a list; write a list of 2 lengths, such as ["1.5 mm", ...]',
    ),
    "scalar for a vector": (
        ('a = ["0 mm", "300 mm"]', 'a = "0 mm"'),
        "legs.leg3.a is '0 mm'; write a list of 2 lengths",
    ),
    "garbage component": (
        ('"300 mm"', '"3oo mm"'),
        "legs.leg3.a_y: '3oo' is not a decimal number; write digits such as 12.5 or -3e-2",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_problem_file_is_refused_with_what_where_and_what_to_do(load, case):
    (old, new), message = CASES[case]
    problem = old.sub(new, PROBLEM) if isinstance(old, re.Pattern) else PROBLEM.replace(old, new, 1)
    assert problem != PROBLEM
    with pytest.raises(InputError) as caught:
        load(problem)
    assert message in str(caught.value)
    assert str(caught.value).startswith(("problem /", "table /"))


def test_a_section_must_be_a_table(load):
    with pytest.raises(InputError, match=re.escape("box is 'no', not a table; write [box] and its entries below")):
        load('box = "no"\n' + PROBLEM.replace('[box]\ncentre = "nominal"\nradius = "0.1 m"\n', ""))


def test_legs_share_one_unit_of_angle(load):
    """A kind whose legs measure angles of their own has one tape only if they agree."""
    kind = replace(
        load().kind, pose=(), own=(Field("q", Dimension.ANGLE),), model=lambda x, m: m.q - x.l, prepare=lambda m: None
    )
    columns = [Measured(f"q{leg}", unit, (Fraction(leg),), None) for leg, unit in ((1, "deg"), (2, "deg"), (3, "rad"))]
    with pytest.raises(InputError, match="column q3 is in rad, the other legs' in deg; use one unit for all legs"):
        assemble("", "", kind, ("1",), load().nominal, {c.name: c for c in columns}, "nominal", Fraction(1))


def test_problem_files_are_small(load):
    with pytest.raises(InputError, match="it is larger than 1048576 bytes"):
        load(PROBLEM + "#" * 1024 * 1024)


PIECES = st.one_of(
    st.text(max_size=4),
    st.sampled_from(
        ["\n", '"', "[", "]", ",", "=", "-", "#", "e9", "nan", "\r", "\x00", "[[", "1979-05-27", "0xff", "{}"]
    ),
)


@given(in_table=st.booleans(), place=st.floats(0, 1), cut=st.integers(0, 12), piece=PIECES)
def test_damaged_files_are_read_or_refused_and_nothing_else(in_table, place, cut, piece):
    texts = [PROBLEM, TABLE]
    start = int(place * len(texts[in_table]))
    texts[in_table] = texts[in_table][:start] + piece + texts[in_table][start + cut :]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(("problem.toml", "poses.csv"), texts, strict=True):
            (Path(folder) / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            experiment = load_experiment(Path(folder) / "problem.toml")
        except InputError:
            return
        assert load_experiment(write_experiment(Path(folder) / "again", experiment)) == experiment
