"""Tables as other people wrote them: what separates cells, where columns stand, what makes a half-width."""

import codecs
from fractions import Fraction

import pytest

from certify.problems.experiments.toml_reader import load_experiment, write_experiment
from certify.problems.model.canonical import canonical_bytes

PROBLEM = """format = "certify-problem-file 1"
title = "A point on a lever"
provenance = "simulated: by hand"
poses = "poses.csv"
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
        (tmp_path / "problem.toml").write_text(PROBLEM.format(above=above, sections=sections), encoding="utf-8")
        for name, text in (table if isinstance(table, dict) else {"poses.csv": table}).items():
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
