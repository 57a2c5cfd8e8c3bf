"""Which rows carry each proof: who doubts the claim has to doubt one of these, the bound, or the model."""

from __future__ import annotations

from certify.claims.report_claims import CARRYING
from certify.reports.html.markup import table, tag
from certify.reports.html.page import Section
from certify.reports.judging.judged import Judged
from certify.reports.judging.run import Run

HEADINGS = ("certificate", "rows used", "of", "the rows, counted from 1")
MOST, ROWS = 60, 40


def section(run: Run) -> Section | None:
    """Of certificates that were accepted and whose proof is a tree."""
    rows = [_row(found) for found in run.judged if found.explanation is not None and found.explanation.tree is not None]
    if not rows:
        return None
    return Section("carrying", "Which rows carry it", [tag("p", CARRYING), table(HEADINGS, rows[:MOST], "Rows")])


def _row(found: Judged) -> tuple[str, ...]:
    told = found.explanation
    if told is None or told.tree is None:
        return (found.file.name, "", "", "")
    if told.tree.pieces:
        return found.file.name, "", str(told.rows), f"those that its {told.tree.pieces} pieces name"
    several = len({family for family, _ in told.tree.uses}) > 1
    names = [
        f"{told.problem.families[family].name} {row + 1}" if several else str(row + 1)
        for family, row in sorted(told.tree.uses)
    ]
    more = f" and {len(names) - ROWS} more" if len(names) > ROWS else ""
    return found.file.name, str(len(names)), str(told.rows), ", ".join(names[:ROWS]) + more
