"""What the claim assumes: the half-widths of the measurements, with where they come from, and the search box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from certify.claims.half_width_words import expected_outside
from certify.claims.report_claims import ASSUMED, NOT_ASSUMED
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.half_widths import HalfWidths, Mixture, Noise, of_column
from certify.problems.model.model import Column
from certify.reports.html.markup import Node, listed, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run
from certify.text.decimals import show

HEADINGS = ("column", "unit", "readings", "least half-width", "largest half-width", "what they are")
DIGITS = 6
MOST = 60  # parameters that are held


def section(run: Run) -> Section | None:
    """Of an experiment whose files could be read."""
    if run.experiment is None:
        return None
    experiment = run.experiment
    noise, readings = _noise(experiment)
    sentence = expected_outside(noise, readings)
    body = [
        tag("p", f"{sentence[0].upper()}{sentence[1:]} (as the problem file has it, key half_widths_are)."),
        table(HEADINGS, half_width_rows(experiment), "Measurements and how far each may be off"),
        *_held(experiment),
        listed(ASSUMED),
        tag("p", NOT_ASSUMED),
    ]
    return Section("assumptions", "What that assumes", body)


def _held(experiment: Experiment) -> list[Node]:
    """What is known exactly, by the problem file: a constant of the model that everything is about."""
    fixed = [parameter for parameter in experiment.blueprint if parameter.fixed]
    if not fixed:
        return []
    told = ", ".join(f"{p.name} = {show(p.nominal)} {p.unit}" for p in fixed[:MOST])
    more = f" and {len(fixed) - MOST} more" if len(fixed) > MOST else ""
    return [
        tag("p", f"Taken as known exactly (radius 0 in the problem file), which every claim is about: {told}{more}.")
    ]


def _noise(experiment: Experiment) -> tuple[Noise, int]:
    """What the half-widths of all uncertain readings are, and how many these are."""
    counts: Counter[HalfWidths] = Counter()
    for column in experiment.columns:
        uncertain = sum(low < high for low, high in zip(column.lower, column.upper, strict=True))
        counts[of_column(experiment.half_widths_are, column.name)] += uncertain
    sorts = tuple((sort, count) for sort, count in counts.items() if count)
    total = sum(count for _, count in sorts)
    return (sorts[0][0] if len(sorts) == 1 else Mixture(sorts) if sorts else HalfWidths()), total


def half_width_rows(experiment: Experiment) -> Iterator[tuple[str, ...]]:
    """How far each column's numbers may be off, and what that is."""
    for column in (*experiment.columns, *experiment.pose_columns):
        least, most = _halves(column)
        told = of_column(experiment.half_widths_are, column.name).text
        unknown = column in experiment.pose_columns
        what = "box of an unknown" if unknown else told if most else "known exactly"
        yield (
            column.name,
            column.unit,
            str(len(column.lower)),
            f"{float(least):.{DIGITS}g}",
            f"{float(most):.{DIGITS}g}",
            what,
        )


def _halves(column: Column) -> tuple[Fraction, Fraction]:
    halves = [(high - low) / 2 for low, high in zip(column.lower, column.upper, strict=True)]
    return min(halves), max(halves)
