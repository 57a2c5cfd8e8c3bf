"""The table of a campaign, as it has recorded it: nothing of it is judged again, and the words say so."""

from __future__ import annotations

from certify.claims.report_claims import AS_RECORDED, CAMPAIGN_RECORDED
from certify.reports.html.markup import Node, filled, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run

MOST_ROWS = 5000
COLUMNS = ("task", "problem", "part", "verdict", "lower", "upper", "unit", "solutions", "why the search ended")


def section(run: Run) -> Section | None:
    """The first rows, and how many there are of each verdict."""
    shown, counts = run.folder.record.get("shown"), run.folder.record.get("verdicts")
    if not isinstance(shown, list) or not isinstance(counts, dict):
        return None
    rows = [list(map(str, row)) for row in shown[:MOST_ROWS] if isinstance(row, list) and len(row) == len(COLUMNS)]
    told = [(str(verdict), str(count)) for verdict, count in counts.items()]
    body: list[Node] = [
        tag("p", CAMPAIGN_RECORDED),
        table(("verdict", f"rows ({AS_RECORDED})"), told, "Verdicts"),
        table(*filled(COLUMNS, rows), f"The table ({AS_RECORDED})"),
    ]
    return Section("recorded", "The campaign", body)
