"""What no run knows and every calibration certificate has to say: who calibrated what for whom, where and when.

It is a TOML file of the laboratory, `certify new laboratory` writes one to fill in, and nothing of it is invented: what
is missing is asked for by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.sections import Section, read_sections
from certify.problems.formulas.units import described

PLACES = ("laboratory", "customer", "laboratoryBranch", "customerBranch", "other")
ISSUERS = ("manufacturer", "calibrationLaboratory", "customer", "owner", "other")
TO_FILL = "TO FILL IN"
STARTER = f"""# Who calibrated what for whom, where and when. certify report DIR --laboratory THIS --out report.xml
unique_identifier = "{TO_FILL}"     # of this certificate, among all of yours
country = "DE"                      # ISO 3166-1: where it is issued
language = "en"                     # ISO 639-1
begin = 2026-01-31                  # when it was measured
end = 2026-01-31
location = "laboratory"             # {", ".join(PLACES)}

[item]
name = "{TO_FILL}"                  # what was calibrated
manufacturer = "{TO_FILL}"
model = "{TO_FILL}"
identification = "{TO_FILL}"        # such as its serial number
issuer = "manufacturer"             # of that identification: {", ".join(ISSUERS)}

[laboratory]
name = "{TO_FILL}"
city = "{TO_FILL}"
country = "DE"

[responsible]
name = "{TO_FILL}"                  # the person who answers for the certificate
role = "head of the laboratory"

[customer]
name = "{TO_FILL}"
city = "{TO_FILL}"
country = "DE"
"""
ROOT = ("unique_identifier", "country", "language", "begin", "end", "location")
TABLES = {
    "item": ("name", "manufacturer", "model", "identification", "issuer"),
    "laboratory": ("name", "city", "country"),
    "responsible": ("name", "role"),
    "customer": ("name", "city", "country"),
}
PATTERNS = {"country": ("[A-Z]{2}", "two capital letters such as DE"), "language": ("[a-z]{2}", "two letters: en")}
CHOICES = {"location": PLACES, "issuer": ISSUERS}


@dataclass(frozen=True, slots=True)
class Laboratory:
    """The entries of the file by their names: those at its top, and those of each table."""

    top: Mapping[str, str]
    tables: Mapping[str, Mapping[str, str]]


def read_laboratory(path: Path) -> Laboratory:
    """Read and refuse what the schema of certificates would refuse, and what is still to be filled in."""
    root = read_sections(path, "laboratory")
    root.only([*ROOT, *TABLES])
    top = {name: _entry(root, name) for name in ROOT}
    if top["end"] < top["begin"]:
        raise InputError(f"{root.at('end')} {top['end']} lies before begin {top['begin']}; exchange them")
    tables = {}
    for table, names in TABLES.items():
        section = root.section(table) if table in root.entries else Section(f"{root.place}{table}.", {})
        section.only(names)
        tables[table] = {name: _entry(section, name) for name in names}
    return Laboratory(top, tables)


def _entry(section: Section, name: str) -> str:
    """One line of text, or a date."""
    if name in ("begin", "end"):
        value = section.value(name)
        if type(value) is not date:
            raise InputError(f"{section.at(name)} is {described(value)}; write a date without quotes, 2026-01-31")
        return value.isoformat()
    text = " ".join(section.text(name).split())
    pattern, told = PATTERNS.get(name, (r".*\S.*", "some text"))
    if text == TO_FILL or not re.fullmatch(pattern, text):
        raise InputError(f"{section.at(name)} is {text!r}; write {told}")
    if text not in CHOICES.get(name, (text,)):
        raise InputError(f"{section.at(name)} is {text!r}; write one of {', '.join(CHOICES[name])}")
    return text
