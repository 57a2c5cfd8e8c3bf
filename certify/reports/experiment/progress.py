"""How both ends of each part came nearer to each other while the run searched, as the run has recorded it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from certify.claims.report_claims import AT_ONCE, OVER_TIME
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
    named = [(str(part.get("name", "")), str(part.get("unit", "")), moments) for part, moments in found if moments]
    if not named:
        return None
    pictures = [curve(*one) for one in named if _moved(one[2])]
    still = [name for name, _, moments in named if not _moved(moments)]
    told = tag("p", OVER_TIME) if pictures else None
    known = tag("p", AT_ONCE.format(", ".join(still))) if still else None
    body = [told, tag("div", pictures, class_="curves") if pictures else None, known]
    return Section("progress", "Bounds over time", body)


def _moved(moments: Sequence[Moment]) -> bool:
    """Whether there is anything to draw: an end above 0, and one that changed."""
    ends = {(moment.lower, moment.upper) for moment in moments}
    return len(ends) > 1 and any(lower or upper for lower, upper in ends)


def _moments(part: Any) -> Iterator[Moment]:
    """What is recorded, if it is numbers: none is believed."""
    told = part.get("bounds_over_time") if isinstance(part, dict) else None
    for entry in (told if isinstance(told, list) else [])[:MOMENTS]:
        if isinstance(entry, list) and len(entry) == 3:
            seconds, lower, upper = map(recorded_number, entry)
            if seconds is not None and lower is not None and min(seconds, lower) >= 0:
                yield Moment(seconds, lower, upper if upper is not None and upper >= 0 else None)
