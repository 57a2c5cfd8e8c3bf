"""Conflicts worth reading: a refutation that names most of many rows is tried once more with the few rows that fit
worst.

By Helly's theorem n + 1 rows are enough to refute convex sets of n unknowns; near the best point the sets of a model
are nearly that. So the n + 1 rows that are worst there are tried, then twice and four times as many, each with a little
effort; what they refute is a proof of the same claim that names these rows only (replayed and checked as any other).
A proof by few rows that is longer is none: it would be read, replayed and checked at more cost.

Refutations by the lifted form, with no other form beside it, are left as they are: vertices of linear programs name few
rows each, and fewer rows would need more of them (measured: certificates of legs 6 to 12 % longer).

Of very many rows few are taken from the beginning (`enough`): a refutation by some rows is one of all, and its
relaxations are small. These are the rows that are worst at the point and those that hold the unknowns near it; the
worst ones join until their own smallest error, estimated, is nearly that of all. What they need only just, or what
leaves the unknowns free where others would hold them, cannot be refuted without bisections. Measured on 2,773 poses of
an arm with 25 unknowns, a gap of 1e-3: 7 passes of 0.15 s; 6 passes of 0.8 s by all rows; five bisections and 44
passes by the worst ones alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.contractors.protocol.contractor import Aggregate, Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.measurements import SIDES
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.minimax import minimise, sides_at
from certify.solvers.graph.accounts import Statistics
from certify.solvers.graph.components import build_refuting
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Row, Steps, reasons, renumbered, rows_of
from certify.solvers.search.refutation import refute

MANY = 2  # times n + 1: fewer rows are no burden for the reader
TIMES = (1, 2, 4)  # n + 1 rows
CROWD = 16  # times n + 1: more rows are a burden for the relaxations
EXCHANGES = 8
NEARLY = 0.7  # of the way from what is to be refuted to the smallest error of all rows
TRUST = 0.1  # first trust radius, in parts of the half-widths
SCALES = (1.0, 0.25, 0.0625)  # of the box: where the rows are looked for that hold the unknowns
SPLITS, EFFORT = 8, 1e6  # of each trial
SHARE = 0.05  # of the time that is left
LIFTED = "q"

Kept = Mapping[int, tuple[Row, ...]]  # row k of block n is kept[n][k] in the whole


@dataclass(frozen=True)
class Question:
    """What was refuted: that somewhere in the box these blocks hold within epsilon. `limit` and `statistics` are the
    search's.
    """

    blocks: tuple[Rows, ...]
    scope: tuple[int, ...]
    box: Box
    epsilon: float
    limit: Limit
    statistics: Statistics

    @property
    def constraints(self) -> Constraints:
        """What contractors are made for."""
        return Constraints.of([(number, self.blocks[number]) for number in self.scope], self.epsilon)

    def unknowns(self, scope: Sequence[int]) -> tuple[int, ...]:
        """The variables that these blocks read."""
        return tuple(sorted({int(place) for n in scope for place in self.blocks[n].places}))

    def only(self, rows: Sequence[Row]) -> tuple[Question, Kept]:
        """The question about these rows alone, and which rows of the whole its rows are."""
        blocks, kept = list(self.blocks), {}
        for number in self.scope:
            numbers = sorted(row for block, row in rows if block == number)
            if numbers:
                blocks[number] = blocks[number].only(numbers)
                kept[number] = tuple((number, row) for row in numbers)
        return replace(self, blocks=tuple(blocks), scope=tuple(kept)), kept


def fewer(question: Question, steps: Steps, point: Floats) -> Iterator[Steps]:
    """Refutations by the rows that are worst at the point, the fewest rows first."""
    named, enough = set(rows_of(steps)), len(question.unknowns(question.scope)) + 1
    forms = {term.form for reason in reasons(steps) if isinstance(reason, Aggregate) for term in reason.rows}
    if len(named) <= MANY * enough or forms == {LIFTED}:
        return
    worst, _ = _worst(question, point)
    for times in TIMES:
        if 2 * times * enough > len(named):
            return
        few = _refuted(question, worst[: times * enough], _length(steps))
        if few is not None:
            yield few


def _length(steps: Steps) -> int:
    """How many terms a proof has."""
    return sum(len(reason.rows) + len(reason.products) for reason in reasons(steps) if isinstance(reason, Aggregate))


def enough(question: Question, point: Floats, first: Sequence[Row] | None = None) -> tuple[Row, ...] | None:
    """Few of very many rows that alone seem to need a larger error than the question's, as far as a descent from the
    point can tell.

    Begun is with the `first` ones, or with those that are worst at the point or hold the unknowns near it. None: there
    are not very many, or few will not do.
    """
    unknowns = question.unknowns(question.scope)
    every, size = sum(question.blocks[n].count for n in question.scope), len(unknowns) + 1
    if every <= CROWD * size:
        return None
    rows = list(first or dict.fromkeys([*_worst(question, point)[0][: MANY * size], *_holding(question, point)]))
    will_do = False
    for _ in range(EXCHANGES):
        few, _ = question.only(rows)
        if few.unknowns(few.scope) != unknowns or question.limit.late():
            return None
        found = minimise(few.blocks, few.scope, unknowns, question.box, point, TRUST, question.limit)
        worst, largest = _worst(question, found.x)
        will_do = found.epsilon > question.epsilon
        if found.epsilon > question.epsilon + NEARLY * (largest - question.epsilon):
            break
        more = [row for row in worst[: 2 * size] if row not in rows][:size]
        rows += more
        if not more or 2 * len(rows) > every:
            break
    return tuple(rows) if will_do and 2 * len(rows) <= every else None


def _holding(question: Question, point: Floats) -> list[Row]:
    """The rows that keep the unknowns near the point, to first order: those that bound some unknown in a box around it,
    larger and smaller, where no row may need more than at the point.
    """
    values, slopes = sides_at(question.blocks, question.scope, point)
    places, owners = list(question.unknowns(question.scope)), _owners(question)
    room = values.max() - values + max(values.max() - question.epsilon, 0.0)
    usable = np.isfinite(values) & np.isfinite(slopes).all(axis=1)
    found: dict[Row, None] = {}
    for scale in SCALES:
        matrix = (slopes[:, places] * (scale * question.box.radius[places]))[usable]
        norms = np.maximum(np.abs(matrix).max(axis=1), 1e-300)
        ends = np.ones(len(places))
        program = LinearProgram(matrix / norms[:, None], room[usable] / norms, -ends, ends, norms.size)
        for weights in Ranges(question.limit).ranges(program, len(places))[1]:
            if weights is not None:
                found |= dict.fromkeys(owners[k] for k in np.flatnonzero(usable)[np.flatnonzero(weights)])
    return list(found)


def _owners(question: Question) -> list[Row]:
    """The rows whose sides `sides_at` tells, in its order."""
    counts = [(number, question.blocks[number].count) for number in question.scope]
    return [(number, row) for number, count in counts for _ in SIDES for row in range(count)]


def _worst(question: Question, point: Floats) -> tuple[list[Row], float]:
    """All rows, the one that needs the largest model error at the point first; and that error."""
    sizes: list[float] = []
    rows: list[Row] = []
    for number in question.scope:
        sides, _ = sides_at(question.blocks, (number,), point)
        sizes += np.nan_to_num(sides.reshape(2, -1).max(axis=0), nan=np.inf).tolist()
        rows += [(number, row) for row in range(question.blocks[number].count)]
    return [rows[k] for k in np.argsort(-np.array(sizes), kind="stable")], max(sizes)


def _refuted(question: Question, rows: Sequence[Row], longest: int) -> Steps | None:
    """A refutation by these rows alone that has no more terms than this."""
    few, kept = question.only(rows)
    limit = question.limit.share(SHARE)
    oracle = Ranges(limit)
    component = build_refuting(few.constraints, oracle, statistics=question.statistics)

    def pause() -> bool:
        return oracle.effort > EFFORT

    answer = refute(component, question.box, lambda box: False, limit, SPLITS, pause=pause)
    short = answer.stopped is Stopped.FINISHED and _length(answer.steps) <= longest
    return renumbered(answer.steps, kept) if short else None
