"""What a problem file may hold as a JSON schema, from which editors of TOML complete and correct it.

It is made of the names that the reader itself knows, so that neither can know more than the other of keys, units and
kinds. What depends on the file, such as which parameters a model declares, the reader alone judges.
"""

from __future__ import annotations

from typing import Any

from certify.problems.experiments.experiment import GIVEN, LEAST_SQUARES, NOMINAL
from certify.problems.experiments.half_widths import KEY
from certify.problems.experiments.table_sections import COLUMN_KEYS, COLUMNS, TABLE, TABLE_KEYS
from certify.problems.experiments.toml_writer import FORMAT, PARAMETERS, RATIO
from certify.problems.files.csv_text import SEPARATORS
from certify.problems.formulas.units import UNITS
from certify.problems.functions.dimensions import DIMENSIONS
from certify.problems.robots.kind import kind_names
from certify.problems.robots.text_model import GROUPS

Schema = dict[str, Any]
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_FACTOR = rf"({'|'.join(UNITS)})(\^-?[1-9])?"
PRODUCT = rf"{_FACTOR}([.* ]{_FACTOR})*(/{_FACTOR})*"
UNIT: Schema = {"anyOf": [{"enum": list(UNITS)}, {"type": "string", "pattern": f"^{PRODUCT}$"}]}
TEXT: Schema = {"type": "string"}
QUANTITY: Schema = {
    "type": "string",
    "pattern": f"^ *{NUMBER} +{PRODUCT} *$",
    "description": f"a number and its unit, with a blank between: {', '.join(UNITS)}, or such as N/mm",
}
QUANTITIES: Schema = {"anyOf": [QUANTITY, {"type": "array", "items": QUANTITY}]}
HALF_WIDTHS_ARE: Schema = {
    "type": "string",
    "pattern": r"^(bounds|[0-9.]+ +standard deviations?)$",
    "description": '"bounds", or how many deviations they are, such as "3 standard deviations"',
}


def problem_schema() -> Schema:
    """The schema of a whole file (JSON Schema, draft 7, which editors of TOML read)."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A problem file of certify",
        "type": "object",
        "additionalProperties": False,
        "required": ["format", "title", "provenance", "poses", "box"],
        "properties": {
            "format": {"const": FORMAT},
            "title": _told(TEXT, "what the problem is about, in one line"),
            "provenance": {
                "type": "string",
                "pattern": "^(simulated|measured): ",
                "description": "where the data come from, beginning with 'measured: ' or 'simulated: '",
            },
            "kind": {"enum": list(kind_names()), "description": "the robot; any other is described by [model]"},
            "poses": _told({"anyOf": [TEXT, _list(TEXT)]}, "the table of measurements, or several, beside this file"),
            RATIO: _told(TEXT, "such as '2 mm per mrad': lengths and angles are bounded together, too"),
            KEY: _told({"anyOf": [HALF_WIDTHS_ARE, _table(HALF_WIDTHS_ARE)]}, "what the half-widths are"),
            "half_widths": _told(_table(QUANTITY), "how far each measured column may be off"),
            TABLE: _fixed(TABLE_KEYS, _of_table()),
            COLUMNS: _table(_fixed(COLUMN_KEYS, _of_column())),
            "model": _model(),
            "box": _box(),
            "legs": _told(_table(_table(QUANTITIES)), "the blueprint of each leg: [legs.leg1], ..."),
            "common": _told(_table(QUANTITIES), "the blueprint of what all legs share"),
            PARAMETERS: _table(_parameter()),
            "centre": _told({"type": "object"}, "the centre of the box, where [box] has centre = 'given'"),
        },
        "oneOf": [{"required": ["kind"]}, {"required": ["model"]}],
    }


def _told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "minItems": 1}


def _table(entries: Schema) -> Schema:
    """A table with names of the user's own."""
    return {"type": "object", "additionalProperties": entries}


def _fixed(keys: tuple[str, ...], properties: Schema) -> Schema:
    """A table with these keys, each of which may be left out."""
    if set(keys) != set(properties):
        raise ValueError(f"the schema knows {sorted(properties)}, the reader {sorted(keys)}")
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _of_table() -> Schema:
    line = {"type": "integer", "minimum": 1}
    return {
        "separator": {"enum": [*SEPARATORS, "\t"], "description": "what separates the cells"},
        "decimal": {"enum": [".", ","]},
        "pose": _told({"type": ["string", "integer"]}, "the column that names the poses, or 'counted'"),
        "header_line": _told(line, "the line with the headings"),
        "first_line": _told(line, "the first line of measurements"),
        "times": _told({"type": ["string", "integer"]}, "so many deviations are a half-width, for all columns"),
    }


def _of_column() -> Schema:
    column = {"type": ["string", "integer"]}
    width = {"anyOf": [TEXT, {"type": "integer"}, {"type": "object"}]}
    return {
        "column": _told(column, "a heading as it stands in the file, or the number of a column, counted from 1"),
        "lower": column,
        "upper": column,
        "constant": QUANTITIES,
        "unit": UNIT,
        "half_width": _told(width, "a column, or a quantity such as '0.02 mm'"),
        "deviation": _told(width, "the same for a standard deviation; times says how many are a half-width"),
        "u95": _told(width, "the same for an uncertainty of 95 %"),
        "times": {"type": ["string", "integer"]},
        "are": HALF_WIDTHS_ARE,
    }


def _model() -> Schema:
    word = rf"({'|'.join(DIMENSIONS)})(\^-?[1-9])?"
    declared = {"type": "string", "pattern": rf"^\s*{word}([*/]{word})*(\s+\S+)*\s*$"}
    properties: Schema = {
        "equation": _told(TEXT, "a formula that is 0 where everything fits, such as 'norm(P + R*b - a) - (L + l)'"),
        "equations": _told(_table(TEXT), "several of them, of a robot without legs"),
        "errors": _told(_table(TEXT), "the unit of each error, and its components: 'mm x y z distance'"),
        "constants": _table(QUANTITY),
        "definitions": _told(_table(TEXT), "parts of the equations, each may use those above it"),
        **{
            group: _told(_table(declared), f"{', '.join(DIMENSIONS)}, or such as force/length; and components")
            for group in GROUPS
        },
    }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _box() -> Schema:
    return {
        "type": "object",
        "properties": {
            "centre": {"enum": [LEAST_SQUARES, NOMINAL, GIVEN]},
            "radius": {"anyOf": [QUANTITY, _table(QUANTITIES)], "description": "how far from the centre; 0 is exact"},
        },
        "required": ["centre"],
        "additionalProperties": False,
    }


def _parameter() -> Schema:
    return {
        "type": "object",
        "properties": {"value": QUANTITIES, "radius": QUANTITIES},
        "required": ["value", "radius"],
        "additionalProperties": False,
    }
