"""What the run wrote down and nobody has judged again: its notes, the times of its stages. What makes claims is left
out, because a record may have been changed.
"""

from __future__ import annotations

import re

from certify.reports.html.markup import Node, listed, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.files import recorded_number
from certify.reports.judging.run import Run

CLAIMS = re.compile(
    r"\b(proved|proven|verified|certified|witness|yes|no\s+value|guaranteed|at\s+most|at\s+least)\b", re.I
)
LEFT_OUT = "(a note that makes a claim is not shown: see what the run printed)"
MOST = 200


def section(run: Run) -> Section | None:
    """If the record has notes or times."""
    warnings = run.folder.record.get("warnings")
    notes = [text for text in (warnings if isinstance(warnings, list) else []) if isinstance(text, str)][:MOST]
    told = [LEFT_OUT if CLAIMS.search(text) else text for text in notes]
    stages = _stages(run)
    if not told and not stages:
        return None
    body: list[Node] = [
        tag("p", "As recorded by the run; nothing of this was judged again for this report."),
        tag("blockquote", listed(told)) if told else None,
        table(("stage", "seconds"), stages, "Times of the run") if stages else None,
    ]
    return Section("notes", "Notes of the run, as recorded", body)


def _stages(run: Run) -> list[tuple[str, str]]:
    seconds = run.folder.record.get("seconds")
    found = list(seconds.items()) if isinstance(seconds, dict) else []
    known = [(name, recorded_number(value)) for name, value in found[:MOST]]
    return [(name, f"{value:.2f}") for name, value in known if value is not None]
