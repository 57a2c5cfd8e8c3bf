"""Conflicts worth reading: a refutation that names most of many rows is tried once more with the few rows that fit worst.

By Helly's theorem n + 1 rows are enough to refute convex sets of n unknowns; near the best point the sets of a model are nearly
that. So the n + 1 rows that are worst there are tried, then twice and four times as many, each with a little effort; what they
refute is a proof of the same claim that names these rows only (replayed and checked as any other), and a shorter one at that.

Refutations by the lifted form, with no other form beside it, are left as they are: vertices of linear programs name few
rows each, and fewer rows would need more of them (measured: certificates of legs 6 to 12 % longer).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from contractors.evaluation import Floats
from contractors.narrowing import Aggregate, Box
from contractors.rows import Rows
from solvers.contractor_graph import Scheduler, Statistics, build
from solvers.highs import HighsOracle
from solvers.limits import Limit, Stopped
from solvers.minimax import sides_at
from solvers.refutation import refute
from solvers.trace import Row, Steps, reasons, renumbered, rows_of

MANY = 2  # times n + 1: fewer rows are no burden for the reader
TIMES = (1, 2, 4)  # n + 1 rows
SPLITS, EFFORT = 8, 3e6  # of each trial
SHARE = 0.05  # of the time that is left
LIFTED = "q"


@dataclass(frozen=True)
class Question:
    """What was refuted: that somewhere in the box these blocks hold within epsilon. `limit` and `statistics` are the search's."""

    blocks: Sequence[Rows]
    scope: tuple[int, ...]
    box: Box
    epsilon: float
    limit: Limit
    statistics: Statistics

    def unknowns(self, scope: Sequence[int]) -> tuple[int, ...]:
        """The variables that these blocks read."""
        return tuple(sorted({int(place) for n in scope for place in self.blocks[n].places}))


def fewer(question: Question, steps: Steps, point: Floats) -> Iterator[Steps]:
    """Refutations by the rows that are worst at the point, the fewest rows first."""
    named, enough = set(rows_of(steps)), len(question.unknowns(question.scope)) + 1
    forms = {term.form for reason in reasons(steps) if isinstance(reason, Aggregate) for term in reason.rows}
    if len(named) <= MANY * enough or forms == {LIFTED}:
        return
    worst = _worst(question, point)
    for times in TIMES:
        if 2 * times * enough > len(named):
            return
        few = _refuted(question, worst[: times * enough])
        if few is not None:
            yield few


def _worst(question: Question, point: Floats) -> list[Row]:
    """All rows, the one that needs the largest model error at the point first."""
    sizes: list[float] = []
    rows: list[Row] = []
    for number in question.scope:
        sides, _ = sides_at(question.blocks, (number,), point)
        sizes += np.nan_to_num(sides.reshape(2, -1).max(axis=0), nan=np.inf).tolist()
        rows += [(number, row) for row in range(question.blocks[number].count)]
    return [rows[k] for k in np.argsort(-np.array(sizes), kind="stable")]


def _refuted(question: Question, rows: Sequence[Row]) -> Steps | None:
    """A refutation by these rows alone."""
    blocks, kept = list(question.blocks), {}
    for number in question.scope:
        numbers = sorted(row for block, row in rows if block == number)
        if numbers:
            blocks[number] = blocks[number].only(numbers)
            kept[number] = tuple((number, row) for row in numbers)
    limit, scope = question.limit.share(SHARE), tuple(kept)
    oracle = HighsOracle(limit)
    scheduler = Scheduler(build(blocks, scope, question.unknowns(scope), oracle), question.statistics)

    def pause() -> bool:
        return oracle.effort > EFFORT

    answer = refute(scheduler, tuple(blocks), question.box, question.epsilon, lambda box: False, limit, SPLITS, pause=pause)
    return renumbered(answer.steps, kept) if answer.stopped is Stopped.FINISHED else None
