"""Digital calibration certificates: what is written keeps to the schema, says what the record says, and invents nothing
of who calibrated what.
"""

import json
import os
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import dcc_schema
import pytest
import xmlschema
from prepared_folders import planar

from certify.__main__ import main
from certify.reports.dcc.laboratory import STARTER, TO_FILL
from certify.reports.dcc.units import dsi_unit
from certify.runs.folders import remove_report, written_before

DCC, SI = "{https://ptb.de/dcc}", "{https://ptb.de/si}"
FILLED = STARTER.replace(TO_FILL, "Messlabor <Müller & Söhne>")


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """The schema itself, where somebody has it (`CERTIFY_DCC_SCHEMA=.../dcc.xsd`), else what it says, told again."""
    if "CERTIFY_DCC_SCHEMA" in os.environ:
        return xmlschema.XMLSchema(os.environ["CERTIFY_DCC_SCHEMA"])
    folder = tmp_path_factory.mktemp("schema")
    (folder / "si.xsd").write_text(dcc_schema.quantity_schema())
    (folder / "dcc.xsd").write_text(dcc_schema.certificate_schema())
    return xmlschema.XMLSchema(str(folder / "dcc.xsd"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of a planar robot in the folder demo, and its laboratory's file."""
    folder = tmp_path_factory.mktemp("run")
    before = Path.cwd()
    os.chdir(folder)
    try:
        planar(folder, folder)
    finally:
        os.chdir(before)
    (folder / "laboratory.toml").write_text(FILLED)
    return folder


def tree(path):
    return ET.fromstring(path.read_bytes())  # noqa: S314 - our own


def reported(run, out):
    words = ["report", str(run / "demo"), "--laboratory", str(run / "laboratory.toml"), "--quiet"]
    assert main([*words, "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def text(run):
    return reported(run, run / "report.xml").read_text()


def test_a_run_is_told_as_a_valid_certificate(run, schema, tmp_path, capsys):
    found = reported(run, tmp_path / "report.xml")
    schema.validate(str(found))
    assert main(["report", str(run / "demo"), "--out", str(tmp_path / "report.json"), "--quiet"]) == 0
    record = json.loads((tmp_path / "report.json").read_text())
    root = tree(found)
    told = {}
    for result in root.iter(f"{DCC}result"):
        values = [Fraction(value.text) for value in result.iter(f"{SI}value")]
        assert {unit.text for unit in result.iter(f"{SI}unit")} <= {r"\milli\metre"}
        told[result.findtext(f"{DCC}name/{DCC}content")] = values
    for part in record["parts"]:
        ends = part["smallest_model_error"]
        assert told[f"smallest model error of {part['name']}"] == [Fraction(ends["lower"]), Fraction(ends["upper"])]
    valid = [entry.findtext(f"{DCC}valid") for entry in root.iter(f"{DCC}metaData")]
    assert valid.count("true") == len(record["certificates"]) and "false" not in valid
    assert "Messlabor <Müller & Söhne>" in "".join(root.itertext())


def test_what_tells_of_a_run_is_removed_by_the_next_one(run, text, tmp_path):
    """A calibration certificate of numbers that are there no more would be one of others; a user's file stays."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "result.json").write_bytes((run / "demo" / "result.json").read_bytes())
    (folder / "report.xml").write_text(text)
    assert main(["report", str(run / "demo"), "--out", str(folder / "report.json"), "--quiet"]) == 0
    (folder / "report.html").write_text("<!doctype html>\nmine")
    assert {path.name for path in written_before(folder)} == {"report.xml", "report.json", "result.json"}
    remove_report(folder)
    assert {path.name for path in folder.iterdir()} == {"report.html", "result.json"}


def test_every_kind_of_answer_is_a_valid_certificate(schema, run, tmp_path, capsys):
    """A system without parts, whose boxes are told as quantities."""
    (tmp_path / "s.bch").write_text("Variables\n x in [0, 2];\nConstraints\n x^2 = 2;\nend\n")
    assert main(["run", str(tmp_path / "s.bch"), "--out", str(tmp_path / "s"), "--quiet"]) == 0
    words = ["--laboratory", str(run / "laboratory.toml"), "--quiet"]
    assert main(["report", str(tmp_path / "s"), *words]) == 0
    schema.validate(str(tmp_path / "s" / "report.xml"))
    low, high = (Fraction(value.text) for value in tree(tmp_path / "s" / "report.xml").iter(f"{SI}value"))
    assert low**2 < 2 < high**2
    for path in (tmp_path / "s").glob("*.cert"):
        path.write_text("certificate of nothing\n")
    assert main(["report", str(tmp_path / "s"), *words]) == 1
    schema.validate(str(tmp_path / "s" / "report.xml"))
    root = tree(tmp_path / "s" / "report.xml")
    assert not list(root.iter(f"{SI}value")) and "false" in [valid.text for valid in root.iter(f"{DCC}valid")]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<si:unit>", "<si:unite>").replace("</si:unit>", "</si:unite>"),
        lambda text: re.sub(r"<si:value>.*?</si:value>", "<si:value>1,5</si:value>", text, count=1),
        lambda text: re.sub(r"(?s)<dcc:customer>.*?</dcc:customer>", "", text),
        lambda text: text.replace('schemaVersion="3.2.1"', 'schemaVersion="3.3.0"'),
        lambda text: re.sub(r"<dcc:issuer>.*?</dcc:issuer>", "<dcc:issuer>nobody</dcc:issuer>", text),
        lambda text: re.sub(r"(<dcc:beginPerformanceDate>).*?(<)", r"\1yesterday\2", text),
    ],
)
@pytest.mark.every_case
def test_the_schema_refuses_what_is_wrong(text, schema, change):
    assert change(text) != text
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        schema.validate(change(text))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('location = "laboratory"', 'location = "garage"', "location is 'garage'; write one of laboratory, customer"),
        ('country = "DE"', 'country = "Germany"', "country is 'Germany'; write two capital letters"),
        ("begin = 2026-01-31", 'begin = "31.1.2026"', "write a date without quotes, 2026-01-31"),
        ("end = 2026-01-31", "end = 2025-01-31", "lies before begin"),
        ("[customer]", "[client]", "client is not known here"),
        ('role = "head of the laboratory"', "", "responsible.role is missing"),
        ("Messlabor <Müller & Söhne>", TO_FILL, "unique_identifier is 'TO FILL IN'; write some text"),
    ],
)
@pytest.mark.every_case
def test_what_a_laboratory_leaves_out_is_asked_for(run, old, new, said, tmp_path, capsys):
    (tmp_path / "l.toml").write_text(FILLED.replace(old, new))
    assert main(["report", str(run / "demo"), "--laboratory", str(tmp_path / "l.toml"), "--quiet"]) == 2
    assert said in capsys.readouterr().err


def test_without_any_certificate_there_is_none_of_a_calibration(run, tmp_path, capsys):
    (tmp_path / "result.json").write_text('{"title": "t", "files": []}')
    words = ["--laboratory", str(run / "laboratory.toml"), "--quiet"]
    assert main(["report", str(tmp_path), *words]) == 2
    assert "there is no certificate in it" in capsys.readouterr().err and not (tmp_path / "report.xml").exists()


def test_a_certificate_wants_a_laboratory(run, tmp_path, capsys):
    assert main(["report", str(run / "demo"), "--out", str(tmp_path / "report.xml"), "--quiet"]) == 2
    assert "certify new laboratory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("mm", r"\milli\metre"),
        ("", r"\one"),
        ("kg m^2", r"\kilogram\metre\tothe{2}"),
        ("Nm s/rad", r"\newton\metre\second\per\radian"),
        ("Nm s^2/rad^2", r"\newton\metre\second\tothe{2}\per\radian\tothe{2}"),
        ("1/s", r"\per\second"),
        ("inch", None),
        ("Nm^2", None),
        ("m/s/kg", r"\metre\per\second\per\kilogram"),
        ("m/", None),
    ],
)
@pytest.mark.every_case
def test_units_are_those_of_dsi(unit, told):
    assert dsi_unit(unit) == told


@pytest.mark.thorough
def test_forces_and_voltages_keep_their_units_to_the_certificate(schema, tmp_path):
    """From a file in V, mA, rad/s and mNm to the run, the page and the calibration certificate."""
    assert main(["new", "motor", "--out", str(tmp_path)]) == 0
    words = ["run", str(tmp_path / "problem.toml"), "--enclose", "--out", str(tmp_path / "demo")]
    assert main([*words, "--time-limit", "3000", "--quiet"]) == 0
    (tmp_path / "laboratory.toml").write_text(FILLED)
    found = reported(tmp_path, tmp_path / "report.xml")
    schema.validate(str(found))
    told = {
        result.findtext(f"{DCC}name/{DCC}content"): {unit.text for unit in result.iter(f"{SI}unit")}
        for result in tree(found).iter(f"{DCC}result")
    }
    assert told["smallest model error of electric"] == {r"\volt"}
    assert told["smallest model error of mechanic"] == {r"\newton\metre"}
    units = set().union(*told.values())
    assert {r"\volt\per\ampere", r"\newton\metre\per\ampere"} <= units
    page = (tmp_path / "demo" / "report.html").read_text()
    assert all(f">{unit}<" in page for unit in ("V", "A", "rad/s", "Nm", "V/A", "Nm/A", "Nm.s/rad"))
