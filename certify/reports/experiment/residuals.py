"""The residual of every measurement as an interval, at the fit that was judged and at the witness: a plot and a table
that sorts, with the rows that the proof uses marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from certify.claims.proved_words import NOTHING
from certify.claims.report_claims import CONFLICT, OF_FIT, OF_WITNESS, RESIDUALS, contradicting
from certify.reports.html.markup import Markup, Node, listed, table, tag, visible
from certify.reports.html.page import Section
from certify.reports.judging.residuals import Residuals, residuals
from certify.reports.judging.run import Run
from certify.reports.judging.standing import Standing

MOST_ROWS = 50_000  # that are written into the page; of more, every second, third, ... and those that a proof uses
STATIC = 12  # rows of the table that is there without scripts
HEADINGS = ("row of", "pose", "from", "to", "unit", "conflict")
FIT, WITNESS = "fit", "witness"
WORDS = {FIT: OF_FIT, WITNESS: OF_WITNESS}


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """The rows of a family of a part: their residuals at each point, the names of their poses, and which of them the
    proof of the part's lower end uses.
    """

    part: str
    family: str
    unit: str
    poses: tuple[str, ...]
    used: frozenset[int]
    at: Mapping[str, Residuals]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.poses)


def section(run: Run) -> Section | None:
    """Of an experiment whose certificates name a witness or a fit."""
    found = [shown for standing in run.apart for shown in _families(run, standing)]
    if not found:
        return None
    points = [point for point in WORDS if any(point in shown.at for shown in found)]
    label = "intervals of all residuals; arrow keys move from row to row"
    body: list[Node] = [
        tag("p", RESIDUALS),
        listed(_counts(found)),
        tag("div", id="residual-controls", class_="controls"),
        tag("canvas", id="residual-plot", width=1000, height=260, tabindex="0", role="img", aria_label=label),
        tag("output", "", id="residual-told", class_="told", aria_live="polite"),
        _static(found, points[0]),
        tag("div", id="residual-pages", class_="controls"),
    ]
    return Section("residuals", "Residual of every measurement", body, {"residual-data": _data(found, points)})


def _families(run: Run, found: Standing) -> Iterator[Shown]:
    values = {FIT: found.fit_values, WITNESS: found.part.witness}
    points: dict[str, Mapping[str, Fraction]] = {point: x for point, x in values.items() if x is not None}
    if run.problem is None or not points:
        return
    used: dict[str, set[int]] = {}
    for name, row in found.part.conflict:
        used.setdefault(name, set()).add(row)
    ranges = {point: residuals(run.problem, found.part.scope, x) for point, x in points.items()}
    for place, name in enumerate(found.part.scope):
        at = {point: families[place] for point, families in ranges.items()}
        one = next(iter(at.values()))
        poses = tuple(_pose(run, name, row) for row in range(len(one.lower)))
        yield Shown(found.part.name, name, one.unit, poses, frozenset(used.get(name, ())), at)


def _pose(run: Run, family: str, row: int) -> str:
    """What the table calls the pose of a row; of robots with unknown poses each family is of one."""
    poses = run.experiment.poses if run.experiment is not None else ()
    own = family.rpartition(".pose")[2]
    number = int(own) - 1 if ".pose" in family and own.isdigit() else row
    return poses[number] if number < len(poses) else str(number + 1)


def _counts(found: Sequence[Shown]) -> list[str]:
    """How many rows of each part contradict its fit; a witness is one of a model error, so that most rows need some."""
    told = []
    for part in dict.fromkeys(shown.part for shown in found if FIT in shown.at):
        own = [shown for shown in found if shown.part == part and FIT in shown.at]
        count = int(sum(shown.at[FIT].contradicting.sum() for shown in own))
        if count:
            told.append(contradicting(part, count, sum(shown.count for shown in own)))
    return told


def _data(found: Sequence[Shown], points: Sequence[str]) -> dict[str, Any]:
    """Whole numbers of steps, which the page's script writes as decimals."""
    every = -(-sum(shown.count for shown in found) // MOST_ROWS)
    same = len({shown.poses for shown in found}) == 1
    families = [_entry(shown, every, same) for shown in found]
    poses = [visible(pose, 60) for pose in found[0].poses] if same else None
    return {"poses": poses, "families": families, "points": list(points), "words": WORDS | {"conflict": CONFLICT}}


def _entry(shown: Shown, every: int, same: bool) -> dict[str, Any]:
    numbers = sorted(shown.used.union(range(0, shown.count, every)))
    at = {
        point: {"power": one.power, "lower": _whole(one.lower[numbers]), "upper": _whole(one.upper[numbers])}
        for point, one in shown.at.items()
    }
    return {
        "part": visible(shown.part),
        "name": visible(shown.family),
        "unit": visible(shown.unit),
        "used": sorted(shown.used),
        "numbers": None if every == 1 else numbers,
        "poses": None if same else [visible(shown.poses[number], 60) for number in numbers],
        "at": at,
    }


def _whole(ends: np.ndarray) -> list[int | None]:
    return [int(end) if end == end else None for end in ends.tolist()]


def _static(found: Sequence[Shown], point: str) -> Markup:
    """The largest misses, in parts of the largest number in their unit: what the script replaces by all rows."""
    rows: list[tuple[float, tuple[Node, ...]]] = []
    reach: dict[str, float] = {}
    for shown in found:
        if (one := shown.at.get(point)) is not None and len(one.lower):
            largest = np.nanmax(np.abs([one.lower, one.upper]), initial=0.0) * 10.0**one.power
            reach[shown.unit] = max(reach.get(shown.unit, 0.0), float(largest))
    for shown in found:
        one = shown.at.get(point)
        if one is None:
            continue
        misses = np.fmax(np.fmax(one.lower, -one.upper), 0.0) * 10.0**one.power
        for row in np.argsort(-misses, kind="stable")[:STATIC].tolist():
            ends = (_decimal(end[row], one.power) for end in (one.lower, one.upper))
            told = (shown.family, shown.poses[row], *ends, shown.unit, "used" if row in shown.used else "")
            rows.append((float(misses[row]) / (reach[shown.unit] or 1.0), told))
    rows.sort(key=lambda pair: -pair[0])
    return table(HEADINGS, [told for _, told in rows[:STATIC]], "Residual intervals", "residual-table")


def _decimal(steps: float, power: int) -> str:
    """So many steps of a power of ten, exactly."""
    return format(Decimal(int(steps)).scaleb(power), "f") if np.isfinite(steps) else NOTHING
