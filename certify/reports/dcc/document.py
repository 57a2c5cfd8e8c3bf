"""A report as a digital calibration certificate: XML that keeps to PTB's DCC schema 3.2.1 (units and numbers to D-SI
2.1.0), of the same record as the report for programs, and of the laboratory's own file.

A proved interval is told as two quantities, its lower and its upper end: D-SI's coverage intervals and expanded
uncertainties have a probability, and these ends have none. The document is not signed.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from certify.claims.report_claims import DECLARED, END_NAMES, METHOD, METHOD_TOLD, part_sentence
from certify.reports.dcc.laboratory import Laboratory
from certify.reports.dcc.units import dsi_unit
from certify.reports.html.markup import visible
from certify.runs.folders import CERTIFICATE_MARK

DCC, SI = "https://ptb.de/dcc", "https://ptb.de/si"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
VERSION = "3.2.1"
LONGEST = 10_000  # characters of a text
MOST = 2000  # quantities


def document(record: Mapping[str, Any], laboratory: Laboratory) -> bytes:
    """The whole file."""
    for prefix, space in (("dcc", DCC), ("si", SI), ("xsi", XSI)):
        ET.register_namespace(prefix, space)
    location = f"{DCC} {DCC}/v{VERSION}/dcc.xsd"
    root = ET.Element(_name("digitalCalibrationCertificate"))
    root.set("schemaVersion", VERSION)
    root.set(f"{{{XSI}}}schemaLocation", location)
    _administrative(_add(root, "administrativeData"), record, laboratory)
    _result(_add(_add(root, "measurementResults"), "measurementResult"), record)
    ET.indent(root, " ")
    return CERTIFICATE_MARK.encode() + bytes(ET.tostring(root, encoding="utf-8")) + b"\n"


def _administrative(at: ET.Element, record: Mapping[str, Any], laboratory: Laboratory) -> None:
    top, tables = laboratory.top, laboratory.tables
    _software(_add(at, "dccSoftware"))
    core = _add(at, "coreData")
    _line(core, "countryCodeISO3166_1", top["country"])
    _line(core, "usedLangCodeISO639_1", top["language"])
    _line(core, "mandatoryLangCodeISO639_1", top["language"])
    _line(core, "uniqueIdentifier", top["unique_identifier"])
    _line(core, "beginPerformanceDate", top["begin"])
    _line(core, "endPerformanceDate", top["end"])
    _line(core, "performanceLocation", top["location"])
    _item(_add(_add(at, "items"), "item"), tables["item"])
    _contact(_add(_add(at, "calibrationLaboratory"), "contact"), tables["laboratory"])
    person = _add(_add(at, "respPersons"), "respPerson")
    _text(_add(person, "person"), "name", [tables["responsible"]["name"]])
    _line(person, "role", tables["responsible"]["role"])
    _contact(_add(at, "customer"), tables["customer"])
    statements = _add(at, "statements")
    words = [f"{word}: {meaning}" for word, meaning in record["words"].items()]
    for name, lines in (*DECLARED, ("assumed", [*record["assumed"], record["not_assumed"]]), ("words", words)):
        statement = _add(statements, "statement")
        _text(statement, "name", [name])
        _text(statement, "declaration", lines)


def _item(at: ET.Element, told: Mapping[str, str]) -> None:
    _text(at, "name", [told["name"]])
    _text(_add(at, "manufacturer"), "name", [told["manufacturer"]])
    _line(at, "model", told["model"])
    found = _add(_add(at, "identifications"), "identification")
    _line(found, "issuer", told["issuer"])
    _line(found, "value", told["identification"])


def _contact(at: ET.Element, told: Mapping[str, str]) -> None:
    _text(at, "name", [told["name"]])
    place = _add(at, "location")
    _line(place, "city", told["city"])
    _line(place, "countryCode", told["country"])


def _software(at: ET.Element) -> None:
    software = _add(at, "software")
    _text(software, "name", ["certify"])
    _line(software, "release", version("certify"))
    _line(software, "type", "application")


def _result(at: ET.Element, record: Mapping[str, Any]) -> None:
    _text(at, "name", [record["title"] or "a report of certify"])
    _text(at, "description", [record["provenance"] or "where the data come from is not said", record["reason"]])
    method = _add(_add(at, "usedMethods"), "usedMethod")
    _text(method, "name", [METHOD])
    _text(method, "description", METHOD_TOLD)
    _software(_add(at, "usedSoftware"))
    results = _add(at, "results")
    for part in record["parts"]:
        _part(_add(results, "result"), part)
    left = MOST
    for found in record["certificates"]:
        if found["claim"] and left > 0:
            left -= _claim(_add(results, "result"), found, left)
    if not len(results):
        empty = _add(results, "result")
        _text(empty, "name", ["nothing"])
        _text(_add(empty, "data"), "text", ["no certificate was accepted, and nothing is claimed"])
    files = _add(at, "measurementMetaData")
    for found in (*record["certificates"], *record["files"]):
        _file(_add(files, "metaData"), found)


def _part(at: ET.Element, part: Mapping[str, Any]) -> None:
    """The smallest model error of a part: what is said of it, and its ends, if they are known."""
    ends = part["smallest_model_error"]
    _text(at, "name", [f"smallest model error of {part['name']}"])
    data = _add(at, "data")
    _text(data, "text", [part_sentence(part)])
    _ends(data, "", part["unit"], (ends["lower"], ends["upper"]))


def _claim(at: ET.Element, found: Mapping[str, Any], most: int) -> int:
    """What a certificate claims, with the boxes that it names; returns how many quantities were written."""
    _text(at, "name", [found["name"]])
    data = _add(at, "data")
    _text(data, "text", found["claim"])
    count = 0
    for box in found["boxes"]:
        for told in box["unknowns"][: max(most - count, 0)]:
            _ends(data, f"{box['of']}: {told['name']}", told["unit"], (told["lower"], told["upper"]))
            count += 1
    return count


def _ends(data: ET.Element, name: str, unit: str, ends: Sequence[str | None]) -> None:
    """Each end that there is, as a quantity; in a unit that is none of D-SI as text."""
    written = dsi_unit(unit)
    for which, value in zip(END_NAMES, ends, strict=True):
        if value is None:
            continue
        quantity = _add(data, "quantity")
        _text(quantity, "name", [f"{name}, {which}" if name else which])
        if written is None:
            _text(quantity, "noQuantity", [f"{value} {unit}"])
        else:
            real = _add(quantity, "real", SI)
            _line(real, "value", value, SI)
            _line(real, "unit", written, SI)


def _file(at: ET.Element, found: Mapping[str, Any]) -> None:
    """A file by its hash; of a certificate also whether the checker accepts it."""
    _text(at, "name", [found["name"]])
    if "checker" in found:
        _text(at, "description", [found["checker"]])
    _line(at, "reference", f"SHA-256 {found['sha256']}, {found['bytes']} bytes")
    if "accepted" in found:
        _line(at, "valid", "true" if found["accepted"] else "false")


def _name(name: str, space: str = DCC) -> str:
    return f"{{{space}}}{name}"


def _add(at: ET.Element, name: str, space: str = DCC) -> ET.Element:
    return ET.SubElement(at, _name(name, space))


def _line(at: ET.Element, name: str, text: str, space: str = DCC) -> None:
    """An element of one line without blanks at its ends."""
    _add(at, name, space).text = " ".join(visible(text, LONGEST).split()) or "-"


def _text(at: ET.Element, name: str, lines: Sequence[str | None]) -> None:
    """An element of text, a line of it in each `content`."""
    found = _add(at, name)
    for line in _said(lines):
        _add(found, "content").text = line


def _said(lines: Sequence[str | None]) -> Iterator[str]:
    yield from (visible(line, LONGEST) for line in lines if line)
