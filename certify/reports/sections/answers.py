"""What is claimed of anything but an experiment's parts: a system, a set, doubts, an accuracy. Each certificate says it
for itself; what the run made of them together is told as recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from certify.claims.proved_words import counted_checks
from certify.claims.report_claims import ASSUMED, NOT_ASSUMED, OF_OTHERS, RECORDED
from certify.explaining.explanation_text import claim
from certify.reports.html.markup import Node, listed, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Answered, Run

MOST = 40  # certificates whose claims are told on page one, entries of the record that are shown
TABLES = {
    Answered.ACCURACY: ("guarantees", ("name", "workspace", "unit", "epsilon", "deviation", "with_error")),
    Answered.DOUBT: ("hypotheses", ("name", "unknowns", "proved_share", "proved_share_kept_apart")),
}
HEADINGS = {"proved_share": "explained", "proved_share_kept_apart": "explained on poses kept apart"}


def section(run: Run) -> Section:
    """The claims of certificates, what they assume, and what was recorded."""
    body: list[Node] = [
        tag("p", f"{counted_checks([found.check for found in run.judged])}, while this report was made."),
        table(("certificate", "claim"), list(_claims(run))[:MOST], "What each certificate claims"),
        listed((ASSUMED[0], ASSUMED[2], OF_OTHERS)),
        tag("p", NOT_ASSUMED),
        *_recorded(run),
    ]
    return Section("claim", "What is claimed", body)


def _claims(run: Run) -> Iterator[tuple[Node, ...]]:
    for found in run.judged:
        if found.explanation is not None and found.problem is not None:
            yield found.file.name, [tag("p", line) for line in claim(found.explanation)]


def _recorded(run: Run) -> list[Node]:
    key, columns = TABLES.get(run.answered, ("", ()))
    entries = run.folder.record.get(key)
    if not columns or not isinstance(entries, list):
        return []
    rows = [[_cell(entry, column) for column in columns] for entry in entries[:MOST] if isinstance(entry, dict)]
    return [tag("p", RECORDED), table([HEADINGS.get(c, c.replace("_", " ")) for c in columns], rows, "As recorded")]


def _cell(entry: Mapping[str, Any], column: str) -> str:
    """A number, an interval or a name of a record, whatever was written there."""
    value = entry.get(column)
    if isinstance(value, list):
        return " .. ".join(f"{part:.6g}" if isinstance(part, int | float) else str(part) for part in value[:12])
    return f"{value:.6g}" if isinstance(value, int | float) else "" if value is None else str(value)
