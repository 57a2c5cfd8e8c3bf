"""What was read: the tables, their columns with ranges, and poses that are the same in every column."""

from __future__ import annotations

from collections.abc import Iterator

from certify.claims.fit_table import copies
from certify.problems.experiments.experiment import Experiment
from certify.reports.html.markup import listed, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run

HEADINGS = ("column", "unit", "entries", "least", "largest", "different values")
DIGITS = 9


def section(run: Run) -> Section | None:
    """Of an experiment whose files could be read."""
    if run.experiment is None:
        return None
    experiment = run.experiment
    told = [*experiment.reading.told, *copies(experiment)]
    body = [
        tag("p", f"{len(experiment.poses)} poses, {len(experiment.columns)} measured columns."),
        listed(told),
        table(HEADINGS, column_rows(experiment), "Columns"),
        listed(experiment.kind.conventions),
    ]
    return Section("data", "Data", body)


def column_rows(experiment: Experiment) -> Iterator[tuple[str, ...]]:
    """Of each column the middles of its intervals, to so many digits, and how many different ones there are."""
    for column in (*experiment.columns, *experiment.pose_columns):
        middles = [(low + high) / 2 for low, high in zip(column.lower, column.upper, strict=True)]
        ends = (f"{float(end):.{DIGITS}g}" for end in (min(middles), max(middles)))
        yield column.name, column.unit, str(len(middles)), *ends, str(len(set(middles)))
