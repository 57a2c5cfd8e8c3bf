"""What is claimed of anything but an experiment's parts: a system, a set, doubts, an accuracy. Each certificate says it
for itself; what the run made of them together is told as recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any, TypeAlias

from certify.claims.proved_words import lower_text, percent_down, upper_text
from certify.claims.report_claims import (
    ASSUMED,
    BOXES_SAY,
    NOT_ASSUMED,
    OF_ITS_OWN,
    OF_OTHERS,
    RECORDED,
    judged_when,
)
from certify.explaining.explanation import Explanation
from certify.explaining.explanation_text import claim
from certify.reports.html.markup import Node, listed, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.files import recorded_number
from certify.reports.judging.judged import Judged
from certify.reports.judging.run import Run
from certify.reports.sections.intervals import boxes_of

Shortened: TypeAlias = Callable[[Fraction], str]
MOST = 24  # certificates whose claims are told on page one; entries of the record and boxes that are shown
MOST_UNKNOWNS = 60  # of a box that is shown
DIGITS = 9
TABLES = {
    "guarantees": ("name", "workspace", "frame", "unit", "epsilon", "deviation", "with_error"),
    "hypotheses": ("name", "sentence", "proved_share", "proved_share_kept_apart"),
}
SHORTENED: Mapping[str, tuple[Shortened, ...]] = {
    "proved_share": (percent_down,),
    "proved_share_kept_apart": (percent_down,),
    "epsilon": (partial(lower_text, digits=DIGITS),),  # for less of a model error more is claimed
    "deviation": (partial(lower_text, digits=DIGITS), partial(upper_text, digits=DIGITS)),
    "with_error": (partial(upper_text, digits=DIGITS),),
}
HEADINGS = {"proved_share": "explained", "proved_share_kept_apart": "explained on poses kept apart"}
BOXES = ("certificate", "box", "unknown", "unit", "from", "to")


def section(run: Run) -> Section:
    """The claims of certificates, what they assume, and what was recorded."""
    told = [found for found in run.judged if found.explanation is not None]
    claims = [(found.file.name, _about(found), _claim(found.explanation)) for found in told if found.explanation]
    several = len({about for _, about, _ in claims}) > 1
    headings = ("certificate", "about", "claim") if several else ("certificate", "claim")
    shown = [row if several else row[::2] for row in claims[:MOST]]
    more = f"... and {len(claims) - MOST} more, which are told below." if len(claims) > MOST else None
    measured = any(found.explanation.scope.columns for found in told if found.explanation is not None)
    body: list[Node] = [
        tag("p", judged_when([found.check for found in run.judged], run.again)),
        *_recorded(run),
        tag("p", OF_ITS_OWN) if several else None,
        table(headings, shown, "What each certificate claims", stacked=True) if claims else None,
        tag("p", more) if more else None,
        *_boxes(told),
        listed((ASSUMED[0], *([ASSUMED[1]] if measured else []), ASSUMED[2], OF_OTHERS)) if told else None,
        tag("p", NOT_ASSUMED) if told else None,
    ]
    return Section("claim", "What is claimed", body)


def _about(found: Judged) -> str:
    return "" if found.problem is None else found.problem.name


def _claim(explanation: Explanation) -> Node:
    return [tag("p", line) for line in claim(explanation)]


def _boxes(told: Sequence[Judged]) -> list[Node]:
    """The boxes in which certificates say that something lies: all that is consistent, or one solution each."""
    rows = [
        row
        for found in told[:MOST]
        if found.explanation is not None
        for row in _box_rows(found.file.name, found.explanation)
    ]
    return [tag("p", BOXES_SAY), table(BOXES, rows, "Boxes", "boxes", stacked=True)] if rows else []


def _box_rows(name: str, explanation: Explanation) -> Iterator[tuple[str, ...]]:
    for which, box in boxes_of(explanation):
        for (variable, unit, _, _), (low, high) in list(zip(explanation.boxed(), box, strict=True))[:MOST_UNKNOWNS]:
            yield name, which, variable, unit, lower_text(low, DIGITS), upper_text(high, DIGITS)


def _recorded(run: Run) -> list[Node]:
    key = next((key for key in TABLES if key in run.folder.record), "")
    columns = TABLES.get(key, ())
    entries = run.folder.record.get(key)
    if not columns or not isinstance(entries, list):
        return []
    rows = [[_cell(entry, column) for column in columns] for entry in entries[:MOST] if isinstance(entry, dict)]
    return [tag("p", RECORDED), table([HEADINGS.get(c, c.replace("_", " ")) for c in columns], rows, "As recorded")]


def _cell(entry: Mapping[str, Any], column: str) -> str:
    """A number, an interval or a name of a record, whatever was written there; numbers are short, rounded in the
    direction in which what is said of them stays true.
    """
    value, shortened = entry.get(column), SHORTENED.get(column, ())
    if not isinstance(value, list):
        return _told(value, shortened[0] if shortened else None)
    ends = [*shortened, *[None] * len(value)]
    return " .. ".join(_told(one, way) or "not known" for one, way in zip(value[:12], ends, strict=False))


def _told(value: object, shortened: Shortened | None) -> str:
    """As it was written, or shortened."""
    number = recorded_number(value)
    if number is None:
        return value if isinstance(value, str) else ""
    return str(value) if shortened is None or not isfinite(number) else shortened(Fraction(number))
