"""A report for programs: the same as the page, one JSON object, whose schema is `report.schema.json` beside this file.

Numbers that are proved are decimals in text, rounded outwards; what a run has recorded and nobody has judged again is
left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

from certify.claims.proved_words import any_value, lower_text, upper_text
from certify.claims.report_claims import ASSUMED, NOT_ASSUMED, WORDS
from certify.explaining.explanation_text import claim
from certify.reports.judging.files import File
from certify.reports.judging.judged import Judged
from certify.reports.judging.run import Run
from certify.reports.judging.standing import Standing
from certify.reports.sections.intervals import boxes_of

FORMAT, SCHEMA = "certify-report 1", "report.schema.json"
DIGITS = 15


def schema() -> dict[str, Any]:
    """What every record of this format keeps to (JSON Schema, draft 2020-12)."""
    found: dict[str, Any] = json.loads(files("certify.reports").joinpath(SCHEMA).read_text("utf-8"))
    return found


def as_json(record: dict[str, Any]) -> bytes:
    """The whole file."""
    return (json.dumps(record, indent=1, ensure_ascii=True) + "\n").encode()


def report_record(run: Run, kind: str, title: str, provenance: str) -> dict[str, Any]:
    """What it says."""
    return {
        "format": FORMAT,
        "kind": kind,
        "title": title,
        "provenance": provenance,
        "exit_code": run.exit_code,
        "translated_again": None if run.experiment is None else run.problem is not None,
        "reason": run.reason,
        "parts": [_part(found) for found in run.standing],
        "certificates": [_certificate(found) for found in run.judged],
        "files": [_file(file) for file in (*run.folder.inputs, *run.folder.problems, *run.folder.certificates)],
        "assumed": list(ASSUMED),
        "not_assumed": NOT_ASSUMED,
        "words": dict(WORDS),
    }


def _part(found: Standing) -> dict[str, Any]:
    """A part as it follows from its certificates."""
    part = found.part
    lower, upper = part.epsilon
    return {
        "name": part.name,
        "any_value_consistent": any_value(part),
        "verdict": part.verdict.value,
        "smallest_model_error": {"lower": _down(lower), "upper": None if upper is None else _up(upper)},
        "unit": part.unit,
        "rows_of_the_proof": [{"family": name, "row": row + 1} for name, row in part.conflict],
        "rests_on": [judged.file.name for judged in found.rests_on],
    }


def _certificate(found: Judged) -> dict[str, Any]:
    """What the checker has said of a certificate, and what that says."""
    told = found.explanation
    return {
        **_file(found.file),
        "problem": None if found.problem is None else _file(found.problem),
        "accepted": found.check.verified,
        "checker": found.check.message,
        "claim": [] if told is None else claim(told),
        "boxes": [] if told is None else list(_boxes(found)),
    }


def _boxes(found: Judged) -> Iterator[dict[str, Any]]:
    if found.explanation is None:
        return
    for which, box in boxes_of(found.explanation):
        unknowns = [
            {"name": name, "unit": unit, "lower": _down(low), "upper": _up(high)}
            for (name, unit, _, _), (low, high) in zip(found.explanation.boxed(), box, strict=True)
        ]
        yield {"of": which, "unknowns": unknowns}


def _file(file: File) -> dict[str, Any]:
    return {"name": file.name, "bytes": len(file.data), "sha256": file.digest}


def _down(value: Fraction) -> str:
    return lower_text(value, DIGITS)


def _up(value: Fraction) -> str:
    return upper_text(value, DIGITS)
