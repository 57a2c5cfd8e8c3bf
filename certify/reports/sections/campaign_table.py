"""The table of a campaign, as it has recorded it: nothing of it is judged again, and the words say so."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from certify.claims.proved_words import lower_text, upper_text
from certify.claims.report_claims import AS_RECORDED, CAMPAIGN_RECORDED
from certify.reports.html.markup import Node, filled, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run

MOST_ROWS = 5000
DIGITS = 9
COLUMNS = ("task", "problem", "part", "verdict", "lower", "upper", "unit", "solutions", "why the search ended")


def section(run: Run) -> Section | None:
    """The first rows, and how many there are of each verdict."""
    shown, counts = run.folder.record.get("shown"), run.folder.record.get("verdicts")
    if not isinstance(shown, list) or not isinstance(counts, dict):
        return None
    rows = [
        _told(list(map(str, row))) for row in shown[:MOST_ROWS] if isinstance(row, list) and len(row) == len(COLUMNS)
    ]
    told = [(str(verdict), str(count)) for verdict, count in counts.items()]
    body: list[Node] = [
        tag("p", CAMPAIGN_RECORDED),
        table(("verdict", f"rows ({AS_RECORDED})"), told, "Verdicts"),
        table(*filled(COLUMNS, rows), f"The table ({AS_RECORDED})", stacked=True),
    ]
    return Section("recorded", "The campaign", body)


def _told(row: list[str]) -> list[str]:
    """The row with its ends rounded outward."""
    for column, text in (("lower", lower_text), ("upper", upper_text)):
        place = COLUMNS.index(column)
        with suppress(ValueError, OverflowError):  # what is no number stays as it is
            row[place] = text(Fraction(float(row[place])), DIGITS)
    return row
