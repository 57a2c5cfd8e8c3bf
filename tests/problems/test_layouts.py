"""Tables as other people wrote them: what separates cells, where columns stand, what makes a half-width."""

import codecs
import random
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import ByColumn, HalfWidths
from certify.problems.experiments.held import held
from certify.problems.experiments.table_sections import COLUMN_KEYS, TABLE_KEYS
from certify.problems.experiments.toml_reader import load_experiment, write_experiment
from certify.problems.model.canonical import canonical_bytes

PROBLEM = """format = "certify-problem-file 1"
title = "A point on a lever"
provenance = "simulated: by hand"
poses = {poses}
{above}
{sections}
[model]
equation = "b + [l*cos(q + o), l*sin(q + o)] - [x, y]"
[model.parameters]
b = "length x y"
l = "length"
o = "angle"
[model.columns]
q = "angle"
x = "length"
y = "length"
[box]
centre = "nominal"
[parameters]
b = {{ value = ["0 mm", "0 mm"], radius = "5 mm" }}
l = {{ value = "100 mm", radius = "1 mm" }}
o = {{ value = "0 rad", radius = "0.01 rad" }}
"""
OURS = """pose,q [rad],x [mm],y [mm],x half-width [mm]
1,0.5,87.75,47.94,0.098
2,-1.25,31.5,-94.9,0.049
"""
OUR_WIDTHS = '[half_widths]\nq = "0 rad"\ny = "0.05 mm"\n'
COLUMNS = """[columns]
q = { column = "Gelenk 1", unit = "rad", half_width = "0 rad" }
x = { column = "mess_x", unit = "mm", deviation = "std_x", times = "4.9" }
y = { column = "mess_y", unit = "mm", half_width = "0.05 mm" }
"""
GERMAN = (
    "Zeit;Gelenk 1;mess_x;std_x;mess_y;Temperatur\n1,5E+3;0,5;87,75;0,02;47,94;21\n1,5E+3;-1,25;31,5;0,01;-94,9;21\n"
)


@pytest.fixture
def load(tmp_path):
    def loader(table, sections=COLUMNS, above=""):
        files = table if isinstance(table, dict) else {"poses.csv": table}
        text = PROBLEM.format(poses=list(files), above=above, sections=sections)
        (tmp_path / "problem.toml").write_text(text, encoding="utf-8")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        experiment = load_experiment(tmp_path / "problem.toml")
        again = load_experiment(write_experiment(tmp_path / "again", experiment))
        assert again == experiment
        assert canonical_bytes(again.problem(again.nominal)) == canonical_bytes(experiment.problem(experiment.nominal))
        return experiment

    return loader


def entries(experiment):
    return [(c.name, c.unit, c.lower, c.upper) for c in experiment.columns]


WAYS = {
    "as it is": GERMAN,
    "byte order mark and CR LF": codecs.BOM_UTF8 + GERMAN.replace("\n", "\r\n").encode(),
    "CR alone": GERMAN.replace("\n", "\r"),
    "UTF-16": codecs.BOM_UTF16_LE + GERMAN.replace("Zeit", "Zeit \u00b5s").encode("utf-16-le"),
    "Latin-1": GERMAN.replace("Temperatur", "Temperatur [\u00b0C]").encode("latin-1"),
    "tabs": GERMAN.replace(";", "\t"),
    "signs of typesetting": GERMAN.replace("-94,9", "\u221294,9"),
    "decimal points": GERMAN.replace(",", "."),
    "commas and points": GERMAN.replace(",", ".").replace(";", ","),
    "quoted decimal commas": "\n".join(
        ",".join(f'"{cell}"' for cell in line.split(";")) for line in GERMAN.split("\n")[:-1]
    ),
    "blank lines and cells": GERMAN.replace("\n", ";;\n \n;;;;;;\n")
    .replace("Zeit", "# note\nZeit")
    .replace("Temperatur;;", "Temperatur"),
    "a heading of two lines": GERMAN.replace("Temperatur", '"Temperatur\nin Grad; ""C"""'),
    "a thousand columns": "\n".join(
        line + "".join(f";{name}{k}" for k in range(1000))
        for line, name in zip(GERMAN.split("\n"), "abc", strict=False)
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_table_is_read_as_it_comes(load, way):
    ours = load(OURS, OUR_WIDTHS)
    read = load(WAYS[way])
    assert entries(read) == entries(ours)
    assert read.columns[1].upper == (Fraction("87.848"), Fraction("31.549"))
    ignored = read.reading.files[0].ignored
    assert ignored[0].startswith("Zeit")
    assert len(ignored) == (1002 if "thousand" in way else 2)
    assert [f.decimal for f in read.reading.files] == ["." if "point" in way else ","]


def test_who_holds_parameters_still_knows_what_was_not_read(load):
    read = load(GERMAN)
    assert held(read, ["l"]).reading == read.reading
    assert read.reading.told[0].endswith("2 columns not read: 'Zeit', 'Temperatur'.")


def column(experiment, name):
    return next(c for c in experiment.columns if c.name == name)


def middles(experiment, name):
    return [
        (low + high) / 2
        for low, high in zip(column(experiment, name).lower, column(experiment, name).upper, strict=True)
    ]


def halves(experiment, name):
    return [
        (high - low) / 2
        for low, high in zip(column(experiment, name).lower, column(experiment, name).upper, strict=True)
    ]


UNITS = {"mm": 1, "m": 1000, "cm": 10, "um": Fraction(1, 1000), "inch": Fraction("25.4")}


@pytest.mark.parametrize("unit", UNITS)
def test_columns_are_in_units_of_their_own(load, unit):
    """The deviation in its own unit, in that of its heading, or in that of the values."""
    sections = COLUMNS.replace('"mess_x", unit = "mm"', f'"mess_x", unit = "{unit}"')
    for width, table, factor in (
        ('"std_x"', GERMAN, UNITS[unit]),
        ('{ column = "std_x", unit = "um" }', GERMAN, Fraction(1, 1000)),
        ('"std_x [um]"', GERMAN.replace("std_x", "std_x [um]"), Fraction(1, 1000)),
    ):
        read = load(table, sections.replace('"std_x"', width))
        assert middles(read, "x") == [Fraction("87.75") * UNITS[unit], Fraction("31.5") * UNITS[unit]]
        assert halves(read, "x") == [Fraction("0.098") * factor, Fraction("0.049") * factor]


def test_angles_keep_the_unit_that_they_have(load):
    read = load(GERMAN, COLUMNS.replace('unit = "rad", half_width = "0 rad"', 'unit = "deg", half_width = "0.01 deg"'))
    assert (column(read, "q").unit, middles(read, "q")[0], halves(read, "q")) == ("deg", 0.5, [Fraction(1, 100)] * 2)
    read = load(GERMAN, COLUMNS.replace('unit = "rad", half_width = "0 rad"', 'unit = "mrad", half_width = "0 rad"'))
    assert (column(read, "q").unit, middles(read, "q")[0]) == ("rad", Fraction(1, 2000))


def test_a_heading_may_say_the_unit(load):
    table = GERMAN.replace("mess_x", "Lage x (cm)").replace("mess_y", "Lage y [m]")
    sections = COLUMNS.replace('"mess_x", unit = "mm"', '"Lage x (cm)"').replace(
        '"mess_y", unit = "mm"', '"Lage y [m]"'
    )
    read = load(table, sections)
    assert [middles(read, "x")[0], middles(read, "y")[0]] == [Fraction("877.5"), 47940]


@pytest.mark.parametrize(
    ("heading", "deviation", "told"),
    [
        ("mess_x [kN]", "std_x", "columns.x.column: its unit is mm, its heading"),
        ("mess_x (mm/s)", "std_x", "columns.x.column: its unit is mm, its heading"),
        ("mess_x (deg/s)", "std_x", "columns.x.column: its unit is mm, its heading"),
        ("mess_x", "std_x [in]", "columns.x.deviation: its heading .* which is not a length"),
        ("mess_x", "std_x (\u00b0)", "columns.x.deviation: its heading .* which is not a length"),
        ("mess_x[1]", "std_x (95 %)", ""),
        ("mess_x (A)", "std_x [mm]", ""),
    ],
)
def test_no_heading_is_read_in_another_unit_than_it_says(load, heading, deviation, told):
    """Degrees a second were radians a second, kN were mm, and a deviation in inches one in mm: 25 times too small."""
    table = GERMAN.replace("mess_x", heading).replace("std_x", deviation)
    sections = COLUMNS.replace("mess_x", heading).replace("std_x", deviation)
    if told:
        with pytest.raises(InputError, match=told):
            load(table, sections)
    else:
        assert load(table, sections).columns[1].upper[0] == Fraction("87.848")


def test_numbers_alone_have_columns_by_number(load):
    """Without a header, and with one that is not needed."""
    sections = (
        '[columns]\nq = { column = 2, unit = "rad", half_width = "0 rad" }\n'
        'x = { column = 3, unit = "mm", deviation = 4, times = 4.9 }\ny = { column = 5, unit = "mm", half_width = '
        '"0.05 mm" }\n'
    ).replace("4.9", '"4.9"')
    ours = load(OURS, OUR_WIDTHS)
    assert entries(load(GERMAN.partition("\n")[2], sections)) == entries(ours)
    assert entries(load(GERMAN, sections)) == entries(ours)
    spaced = GERMAN.partition("\n")[2].replace(",", ".").replace(";", "   ")
    assert entries(load(spaced, sections)) == entries(ours)
    read = load("# made by savetxt\n" + spaced, '[table]\npose = 3\nseparator = "space"\n' + sections)
    assert read.poses == ("87.75", "31.5")


def test_lines_that_are_no_poses_are_left_out(load):
    table = GERMAN.replace("Zeit", "Messung;vom 21.11.\n#Zeit").replace("\n1,5", "\ns;rad;mm;mm;mm;C\n1,5", 1)
    with pytest.raises(InputError, match=r"columns\.q\.column: there is no column 'Gelenk 1' in table .*, line 1"):
        load(table)
    read = load(table, "[table]\nheader_line = 2\nfirst_line = 4\n" + COLUMNS)
    assert entries(read) == entries(load(OURS, OUR_WIDTHS))


def test_several_files_are_read_one_behind_the_other(load):
    head, first, second = GERMAN.strip().split("\n")
    above = 'half_widths_are = "bounds"'
    sections = '[columns]\nq = { column = 1, unit = "rad", half_width = "0 rad" }\n' + (
        'x = { constant = ["1 cm", "2 mm"], half_width = "0.1 mm" }\ny = { constant = "0.5 m" }\n'
    )
    read = load({"a.csv": "0.5\n0.25\n", "b/c.csv": "-1,25;7\n"}, sections, above)
    assert read.poses == ("a.1", "a.2", "c.1")
    assert middles(read, "q") == [Fraction("0.5"), Fraction("0.25"), Fraction("-1.25")]
    assert (middles(read, "x"), halves(read, "x")) == ([10, 10, 2], [Fraction(1, 10)] * 3)
    assert (middles(read, "y"), halves(read, "y")) == ([500] * 3, [0] * 3)
    assert read.half_widths_are == HalfWidths()
    files = {"1/a.csv": f"{head}\n{first}\n", "2/a.csv": f"{head}\n{second}\n".replace(",", ".")}
    read = load(files)
    assert read.poses == ("1.1", "2.1")
    assert [c[1:] for c in entries(read)] == [c[1:] for c in entries(load(OURS, OUR_WIDTHS))]


NUMBERS = """[columns]
q = { column = 1, unit = "rad", half_width = "0 rad" }
x = { column = 2, unit = "mm", half_width = "0 mm" }
y = { column = 3, unit = "mm", half_width = "0 mm" }
"""


def test_a_number_is_no_other_column_in_another_file(load):
    files = {"a.csv": "q,x [mm],y\n0.5,87.75,47.94\n", "b.csv": "q,Y,x\n0.5,47.94,87.75\n"}
    with pytest.raises(InputError, match=r"b\.csv: the column of x is called 'Y', and 'x' in .*a\.csv; name it by"):
        load(files, NUMBERS)
    files["b.csv"] = "q [rad],X,y (mm)\n0.5,87.75,47.94\n"
    assert middles(load(files, NUMBERS), "x") == [Fraction("87.75")] * 2


@pytest.mark.parametrize("start", [0, 1])
def test_the_numbers_of_columns_are_no_pose(load, start):
    """Of a DataFrame without names pandas writes 0,1,2 in the place of headings."""
    header = ",".join(str(start + k) for k in range(3))
    with pytest.raises(InputError, match=f"its first line counts its columns .{start}, {start + 1}, {start + 2}, "):
        load(f"{header}\n0.5,87.75,47.94\n", NUMBERS)
    assert len(load(f"{header}\n0.5,87.75,47.94\n", f"[table]\nheader_line = 1\n{NUMBERS}").poses) == 1
    assert len(load(f"{header}.0\n0.5,87.75,47.94\n", NUMBERS).poses) == 2


def test_one_column_is_not_two_quantities(load):
    """But for numbers that are all alike, as of joints that stood still."""
    table, twice = "q,x\n0.5,87.75\n0.25,47.94\n", NUMBERS.replace("column = 3", "column = 2")
    with pytest.raises(InputError, match=r"x \('x'\) and y \('x'\) would be one column; name another"):
        load(table, twice)
    assert middles(load(table.replace("47.94", "87.75"), twice), "y") == [Fraction("87.75")] * 2
    width = twice.replace('y = { column = 2, unit = "mm", half_width = "0 mm"', 'y = { constant = "1 mm"')
    load(table, width.replace('half_width = "0 mm"', "half_width = 2"), 'half_widths_are = "bounds"')


@pytest.mark.parametrize(
    ("few", "told"), [("567", True), ("-5", True), ("0", False), ("1234", False), ("567,5", False)]
)
def test_thousands_are_not_taken_for_decimals(load, few, told):
    """In um 1,234 is more than 567, and was less."""
    table = f"q;x;y\n0;1,234;0\n1;{few};0\n"
    if told:
        with pytest.raises(InputError, match=f"'1,234' is a decimal, or has a .* which '{few}' in line 3 needs not"):
            load(table, NUMBERS)
        load(table, f'[table]\ndecimal = ","\n{NUMBERS}')
    else:
        assert middles(load(table, NUMBERS), "x")[0] == Fraction("1.234")


def test_no_file_is_read_twice(load, tmp_path):
    load(GERMAN)
    for files in (["poses.csv", "poses.csv"], ["poses.csv", "./poses.csv"], [], ["poses.csv", 3], ["../poses.csv"]):
        text = PROBLEM.format(poses=files, above="", sections=COLUMNS)
        (tmp_path / "problem.toml").write_text(text)
        with pytest.raises(
            InputError, match=r"poses(:| names '.*poses\.csv' twice; every pose| is a list; write 1 to 100)"
        ):
            load_experiment(tmp_path / "problem.toml")


def test_commas_that_may_be_anything_are_asked_about(load):
    """Without a header: two columns of whole numbers, or one with decimal commas?"""
    sections = COLUMNS.partition("x =")[0].replace('"Gelenk 1"', "1")
    others = 'x = { constant = "1 mm" }\ny = { constant = "1 mm" }\n'
    with pytest.raises(InputError, match="nothing says whether its commas part cells or are decimal commas; write sep"):
        load("1,5\n2,5\n", sections + others)
    above = 'half_widths_are = "bounds"'
    assert middles(load("1,5\n2,5\n", '[table]\nseparator = ","\n' + sections + others, above), "q") == [1, 2]
    table = '[table]\nseparator = ";"\ndecimal = ","\n'
    assert middles(load("1,5\n2,5\n", table + sections + others), "q") == [Fraction("1.5"), Fraction("2.5")]
    assert middles(load("1,5.0\n2,5\n", sections + others), "q") == [1, 2]


MIXED = COLUMNS.replace('"0.05 mm"', '"0.05 mm", are = "bounds"')


def test_each_column_says_what_its_half_widths_are(load):
    read = load(GERMAN, MIXED)
    assert read.half_widths_are == ByColumn((("x", HalfWidths(Fraction("4.9"))), ("y", HalfWidths())))
    unsaid = load(GERMAN)
    assert unsaid.half_widths_are == ByColumn((("x", HalfWidths(Fraction("4.9"))),))
    uncertain = COLUMNS.replace('"0.05 mm"', '"std_x"')
    one = load(GERMAN, uncertain.replace('half_width = "std_x"', 'deviation = "std_x", times = "4.9"'))
    assert one.half_widths_are == HalfWidths(Fraction("4.9"))
    doubled = MIXED.partition("y =")[0] + 'y = { column = "mess_y", unit = "mm", u95 = "0.1 mm", times = 2 }'
    agreed = load(GERMAN, doubled, 'half_widths_are = { x = "4.9 standard deviations" }')
    assert dict(agreed.half_widths_are.columns)["y"] == HalfWidths(Fraction("3.92"))
    assert halves(agreed, "y") == [Fraction(1, 5)] * 2
    general = load(GERMAN, "[table]\ntimes = 3\n" + COLUMNS.replace(', times = "4.9"', ""))
    assert (halves(general, "x")[0], dict(general.half_widths_are.columns)) == (
        Fraction("0.06"), {"x": HalfWidths(Fraction(3))}
    )  # fmt: skip


def test_our_own_headings_may_say_it_column_by_column(load):
    said = '[half_widths_are]\nx = "2 standard deviations"\ny = "bounds"\n'
    read = load(OURS, OUR_WIDTHS + said)
    assert read.half_widths_are == ByColumn((("x", HalfWidths(Fraction(2))), ("y", HalfWidths())))
    assert load(OURS, OUR_WIDTHS + said.replace('"bounds"', '"2 standard deviations"')).half_widths_are == HalfWidths(
        Fraction(2)
    )


TIMES = ', times = "4.9"'
MISTAKES = {
    "heading": (
        ('"mess_x"', '"mess_X"'),
        "columns.x.column: there is no column 'mess_X' in table ",
        "line 1; did you mean 'mess_x'?",
    ),
    "heading of a deviation": (
        ('"std_x"', '"sd"'),
        "columns.x.deviation: there is no column 'sd'",
        "did you mean 'std_x'?",
    ),
    "number": (('"mess_x"', "9"), "columns.x.column: there is no column 9 in", "it has 6, counted from 1"),
    "number from 0": (('"mess_x"', "0"), "columns.x.column is 0; columns are counted from 1"),
    "truth": (('"mess_x"', "true"), "columns.x.column is True; write one line of text"),
    "name": (("x = {", "X = {"), "columns.X is not known here; did you mean 'x'?"),
    "key": (("unit =", "units ="), "columns.q.units is not known here; did you mean 'unit'?"),
    "text": (
        ('y = { column = "mess_y", unit = "mm", half_width = "0.05 mm" }', 'y = "mess_y"'),
        "columns.y is 'mess_y'; write where it stands in braces, such as y = { column = ",
    ),
    "no column": (('column = "mess_x", ', ""), "columns.x has none of them; write column, or lower and upper, or"),
    "two places": (('column = "mess_x"', 'column = "mess_x", constant = "1 mm"'), "columns.x has column and constant;"),
    "half a range": (
        ('column = "mess_y"', 'lower = "mess_y"'),
        "columns.y has lower; write column, or lower and upper",
    ),
    "no unit": (
        ('"mess_x", unit = "mm"', '"mess_x"'),
        "columns.x.column: it has no unit, a length (m, cm, mm, um, inch) is needed",
    ),
    "wrong unit": (('"mess_x", unit = "mm"', '"mess_x", unit = "deg"'), "columns.x.unit has unit deg, a length"),
    "no times": (
        (TIMES, ""),
        "columns.x.times is missing: how many standard deviations may x be off?",
        'times = "2.81" holds all 2 readings with 99 %',
    ),
    "times nothing": (
        ("half_width", 'times = "2", half_width'),
        "columns.q.times multiplies deviation or u95, and there",
    ),
    "times of 0": (('"4.9"', '"0"'), "columns.x.times is '0'; write a positive number, at most 100"),
    "times as a float": (('"4.9"', "4.9"), "columns.x.times is 4.9; write a number in quotes"),
    "times in words": (('"4.9"', '"three"'), "columns.x.times: 'three' is not a decimal number"),
    "two widths": (
        ("half_width", 'u95 = "1 mm", half_width'),
        "columns.q.half_width and u95 are both given; remove one",
    ),
    "negative": (('"0.05 mm"', '"-0.05 mm"'), "columns.y.half_width is '-0.05 mm', which is negative"),
    "width in deg": (('"0.05 mm"', '"0.05 deg"'), "columns.y.half_width: '0.05 deg' has unit deg, a length"),
    "said twice": (
        (TIMES, TIMES + ', are = "bounds"'),
        "columns.x.are is given, but deviation and times say it already",
    ),
    "bounds of what": (
        ('"0.05 mm"', '"0.05 mm", are = "sure"'),
        "columns.y.are is 'sure'; write \"bounds\", or how many",
    ),
    "no width": ((', half_width = "0.05 mm"', ""), "half_widths.y is missing: how far may y be off?"),
    "pose": (
        ("[columns]", '[table]\npose = "Zeiten"\n[columns]'),
        "table.pose: there is no column 'Zeiten' in",
        "did you mean 'Zeit'?",
    ),
    "poses repeat": (
        ("[columns]", '[table]\npose = "Zeit"\n[columns]'),
        "line 3, column 1: '1,5E+3' already names line 2;",
        'or write pose = "counted" under [table]',
    ),
    "separator": (
        ("[columns]", '[table]\nseparator = "|"\n[columns]'),
        "table.separator is '|'; write one of \"tab\", ",
    ),
    "wrong separator": (("[columns]", '[table]\nseparator = ","\n[columns]'), "there is no column 'Gelenk 1' in"),
    "decimal": (("[columns]", '[table]\ndecimal = "comma"\n[columns]'), "table.decimal is 'comma'; write '.' or ','"),
    "wrong decimal": (
        ("[columns]", '[table]\ndecimal = "."\n[columns]'),
        "line 2, column q ('Gelenk 1'): '0,5' is not a decimal number; write a decimal point instead",
    ),
    "line": (
        ("[columns]", "[table]\nheader_line = 0\n[columns]"),
        "table.header_line is 0; write the number of a line",
    ),
    "lines": (
        ("[columns]", "[table]\nheader_line = 2\nfirst_line = 2\n[columns]"),
        "table.first_line is 2, but the header",
    ),
    "behind the end": (("[columns]", "[table]\nheader_line = 9\n[columns]"), "it is empty; write a header line"),
    "table": (("[columns]", "[table]\nsep = 3\n[columns]"), "table.sep is not known here; did you mean 'pose'?"),
    "constant": (('column = "mess_y", unit = "mm"', 'constant = "3"'), "columns.y.constant: '3' has no unit"),
    "constant and column": (
        ('column = "mess_y", unit = "mm", half_width = "0.05 mm"', 'constant = "3 mm", half_width = "std_x"'),
        "columns.y.half_width is a column, but a constant is no column; write a quantity",
    ),
    "constant and another angle": (
        ('column = "Gelenk 1", unit = "rad", half_width = "0 rad"', 'constant = "3 deg", half_width = "1 rad"'),
        "column q mixes deg and rad, between which no exact factor exists",
    ),
    "value and width in other angles": (
        ('"rad", half_width = "0 rad"', '"deg", half_width = "1 rad"'),
        "columns.q.half_width: column q mixes deg and rad, between which no exact factor exists",
    ),
    "constants": (
        ('column = "mess_y", unit = "mm"', 'constant = ["3 mm", "4 mm"]'),
        "columns.y.constant has 2 entries, but there is 1 file; write one for each",
    ),
    "constant with a unit": (
        ('column = "mess_y"', 'constant = "3 mm"'),
        "columns.y.unit belongs to a column; write the",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_in_the_layout_is_told_with_its_cure(load, case):
    (old, new), *messages = MISTAKES[case]
    sections = COLUMNS.replace(old, new, 1)
    assert sections != COLUMNS
    with pytest.raises(InputError) as caught:
        load(GERMAN, sections)
    assert str(caught.value).startswith(("problem /", "table /"))
    assert [message for message in messages if message not in str(caught.value)] == []


SAID = {
    "another": (
        'half_widths_are = "bounds"',
        "half_widths_are is 'bounds', but columns.x makes them '4.9 standard dev",
    ),
    "another column": ('half_widths_are = { x = "bounds" }', "half_widths_are.x is 'bounds', but columns.x makes them"),
    "no column": ('half_widths_are = { X = "bounds" }', "half_widths_are.X is not known here; did you mean 'x'?"),
    "nonsense": ('half_widths_are = { x = "3" }', "half_widths_are.x is '3'; write \"bounds\", or how many of them"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_half_widths_are_is_said_once(load, case):
    above, message = SAID[case]
    with pytest.raises(InputError) as caught:
        load(GERMAN, above=above)
    assert message in str(caught.value)


TABLES = {
    "mixed marks": (
        ("47,94", "47.94"),
        "line 2, column q ('Gelenk 1'): '0,5', but line 2, column y ('mess_y'): '47.94': commas and points in one file",
    ),
    "thousands": (("47,94", "1.047,94"), "commas and points in one file; one of them is the decimal mark everywhere"),
    "two commas": (("47,94", "1,047,94"), "line 2, column y ('mess_y'): '1,047,94' is not a decimal number"),
    "blank": (("47,94", ""), "line 2, column y ('mess_y'): the number is missing; write a decimal number"),
    "text": (("47,94", "n/a"), "line 2, column y ('mess_y'): 'n/a' is not a decimal number"),
    "unit": (("47,94", "47,94 mm"), "line 2, column y ('mess_y'): '47,94 mm' is not a decimal number"),
    "negative deviation": (("0,02", "-0,02"), "line 2, column x half-width ('std_x'): -0.098 mm is negative"),
    "more cells": (
        ("47,94;21", "47,94;21;3"),
        "line 2: it has 7 cells, the header has 6; add or remove cells (they are "
        "separated by ';'; if not, say so under [table])",
    ),
    "fewer cells": (("47,94;21", "47,94"), "line 2: it has 5 cells, the header has 6"),
    "heading twice": (
        ("Temperatur", "mess_x"),
        "columns.x.column: 'mess_x' occurs 2 times in",
        "name the column by its number (one of 3, 6)",
    ),
    "nothing but a header": ((GERMAN.partition("\n")[2], ""), "there is no line behind the header"),
    "quote": (("1,5E+3", '"1,5E+3'), "line 2: unexpected end of data; write plain cells, and close every quote"),
    "nothing but separators": ((GERMAN, ";" * 50_000), "there is no column 'Gelenk 1' in", "it has ';;;;;;;;"),
    "nothing but line ends": ((GERMAN, "\n" * 2_000_001), "it has more than 2000000 lines; split it"),
    "columns": (("21\n", ";" * 30_000 + "\n"), "line 2: it has more than 20000 cells; remove columns"),
    "a long number": (("47,94", "9" * 120), "has more than 100 digits or an exponent beyond +-100; shorten it"),
    "a large exponent": (("47,94", "1E999"), "has more than 100 digits or an exponent beyond +-100; shorten it"),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_mistake_in_a_foreign_table_is_told_with_line_column_value_and_cure(load, case):
    (old, new), *messages = TABLES[case]
    assert old in GERMAN
    with pytest.raises(InputError) as caught:
        load(GERMAN.replace(old, new, 1))
    assert [message for message in messages if message not in str(caught.value)] == []


PIECES = [
    ";",
    ",",
    ".",
    "\n",
    "\r",
    '"',
    "\t",
    " ",
    "#",
    "E",
    "-",
    "\x00",
    "\ufeff",
    "\u2028",
    "9" * 30,
    "NaN",
    "[mm]",
    "'",
]


@pytest.mark.parametrize("seed", range(150))
def test_damaged_foreign_tables_are_read_or_refused_and_nothing_else(load, seed):
    """A number that is read is the decimal that stands in the file."""
    drawn = random.Random(seed)
    text = GERMAN
    for _ in range(drawn.randint(1, 4)):
        place, cut = drawn.randrange(len(text)), drawn.choice((0, 0, 1, 3))
        text = text[:place] + drawn.choice(PIECES) + text[place + cut :]
    try:
        read = load(text.encode("utf-8-sig" if seed % 3 else "utf-16"), COLUMNS)
    except InputError as error:
        assert len(str(error)) < 1500
        return
    assert len(read.poses) >= 1
    numbers = re.findall(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?", text.replace(",", "."))
    numbers += re.findall(r"[+-]?[0-9]+(?:[eE][+-]?[0-9]+)?", text)
    assert set(middles(read, "x")) <= {Fraction(number) for number in numbers}


DOCUMENT = Path(__file__).parents[2] / "docs" / "tables.md"


def test_the_document_names_every_entry_and_its_examples_are_read(load):
    text = DOCUMENT.read_text("utf-8")
    sections = re.split("^## ", text, flags=re.M)
    for keys, heading in ((COLUMN_KEYS, "Where the columns stand"), (TABLE_KEYS, "How a file is written")):
        (section,) = (section for section in sections if section.startswith(heading))
        rows = [row.split("|")[1] for row in section.split("\n") if row.startswith("| `")]
        assert [key for row in rows for key in re.findall("`([a-z_0-9]+)`", row)] == list(keys)
    first, second, third = map(tomllib.loads, re.findall("```toml\n(.*?)```", text, re.S))
    assert set(first) == set(second) == {"poses", "columns"}
    assert set(third) == {"half_widths_are"}
    for read in (first, second):
        assert all(set(entry) <= set(COLUMN_KEYS) for entry in read["columns"].values())
