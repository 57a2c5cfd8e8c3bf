"""How both ends of each part came nearer to each other while the run searched, as the run has recorded it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from certify.claims.report_claims import OVER_TIME
from certify.reports.html.curves import Moment, curve
from certify.reports.html.markup import tag
from certify.reports.html.page import Section
from certify.reports.judging.files import recorded_number
from certify.reports.judging.run import Run

MOST, MOMENTS = 24, 400


def section(run: Run) -> Section | None:
    """Of an experiment whose record has the ends over time."""
    parts = run.folder.record.get("parts")
    found = [(part, list(_moments(part))) for part in (parts if isinstance(parts, list) else [])[:MOST]]
    pictures = [
        curve(str(part.get("name", "")), str(part.get("unit", "")), moments) for part, moments in found if moments
    ]
    if not pictures:
        return None
    return Section("progress", "Bounds over time", [tag("p", OVER_TIME), tag("div", pictures, class_="curves")])


def _moments(part: Any) -> Iterator[Moment]:
    """What is recorded, if it is numbers: none is believed."""
    told = part.get("bounds_over_time") if isinstance(part, dict) else None
    for entry in (told if isinstance(told, list) else [])[:MOMENTS]:
        if isinstance(entry, list) and len(entry) == 3:
            seconds, lower, upper = map(recorded_number, entry)
            if seconds is not None and lower is not None and min(seconds, lower) >= 0:
                yield Moment(seconds, lower, upper if upper is not None and upper >= 0 else None)
