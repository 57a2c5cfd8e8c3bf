"""Boxes in which certificates say that something lies, as pictures, each unknown at a scale of its own: hulls,
solutions, minima. Estimates of a record stand beside them as diamonds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from certify.claims.proved_words import lower_text, upper_text
from certify.claims.report_claims import AS_RECORDED, BOXES_SAY
from certify.explaining.explanation import Explanation
from certify.explaining.explanation_text import claim
from certify.reports.html.markup import Node, table, tag
from certify.reports.html.page import Section
from certify.reports.html.svg import strip
from certify.reports.judging.files import recorded_number
from certify.reports.judging.run import Run

HEADINGS = ("unknown", "unit", "from", "to", "width", AS_RECORDED, "each at a scale of its own")
DIGITS, FEW = 9, 3
MOST, MOST_BOXES = 200, 12  # rows of a box, and boxes


def section(run: Run) -> Section | None:
    """If a certificate that was accepted speaks of a box."""
    recorded = _recorded(run)
    body: list[Node] = []
    for found in run.judged:
        if found.explanation is None or len(body) > 2 * MOST_BOXES:
            continue
        for which, box in boxes_of(found.explanation):
            kept = [k for k, heading in enumerate(HEADINGS) if heading != AS_RECORDED or recorded]
            rows = [[row[k] for k in kept] for row in _rows(found.explanation, box, recorded)][:MOST]
            body += [
                [tag("p", line) for line in claim(found.explanation)] if which == "hull" else None,
                table([HEADINGS[k] for k in kept], rows, f"{found.file.name}: {which}", stacked=True),
            ]
    return Section("intervals", "Where it lies", [tag("p", BOXES_SAY), *body]) if body else None


def boxes_of(explanation: Explanation) -> list[tuple[str, tuple[tuple[Fraction, Fraction], ...]]]:
    """Hulls, and boxes with exactly one solution or minimum, by what they are called."""
    certificate = explanation.certificate
    boxes = [] if certificate.hull is None else [("hull", tuple(certificate.hull.box))]
    noun = "solution" if certificate.minimum is None else "minimum"
    return [*boxes, *((f"{noun} {number}", tuple(box)) for number, box in enumerate(explanation.solutions, 1))]


def _rows(
    explanation: Explanation, box: tuple[tuple[Fraction, Fraction], ...], recorded: Mapping[str, float]
) -> Iterator[tuple[Node, ...]]:
    for (name, unit, _, _), (low, high) in zip(explanation.boxed(), box, strict=True):
        estimate = recorded.get(name)
        marks = [] if estimate is None else [("fit", estimate, f"{AS_RECORDED}: {estimate!r}")]
        drawn = strip((float(low), float(high)), None, marks)
        told = "" if estimate is None else f"{estimate:.{DIGITS}g}"
        ends = lower_text(low, DIGITS), upper_text(high, DIGITS)
        yield name, unit, *ends, upper_text(high - low, FEW), told, drawn


def _recorded(run: Run) -> dict[str, float]:
    """Estimates of parameters by their names, if the record has any."""
    entries = run.folder.record.get("parameters")
    found: dict[str, float] = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            number = recorded_number(entry.get("estimated_least_squares"))
            if number is not None:
                found[entry["name"]] = number
    return found
