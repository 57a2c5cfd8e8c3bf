"""A proof, short rather than quickly found, that a system has no solutions in a box but known ones: a tree of cases.

Each leaf is what a checker can follow without any search: the box lies in the box of a known zero; the natural
extension of one row misses 0; or a combination of the expanded rows does (`expansion_weights`). A box is
narrowed by cuts: hull consistency of one row cuts off what this row refutes, the linear program what one combination
refutes, many of them on rows prepared once. Where cuts gain too little the box is divided, at the variable and the
point (near the middle, or at a face of a zero's box) at which a trial shows the least work to be left. Many boxes are
treated at once. All is done in floats and *claims nothing*: whoever writes the certificate replays every leaf, and asks
again for a box whose leaf fails. `prove` settles every box, `cover` leaves open what it cannot settle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoints
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Aggregate, Box, Evaluate
from certify.contractors.rows.equations import Equations
from certify.contractors.short_numbers import short_between
from certify.contractors.tape.evaluation import Floats
from certify.solvers.graph.build import smear
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Plain
from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.proof.halvings import NOWHERE, Halvings
from certify.solvers.proof.proof_tree import Fork, Hole, Known, Leaf, Node, Open, Ready, Reason, Weighted, opened
from certify.solvers.search.dealt import Dealt
from certify.solvers.search.explore import Best, Ended, Stack, explore
from certify.solvers.tasks.growing import Growing
from certify.solvers.tasks.grown import Sizes
from certify.solvers.tasks.own_steps import OwnSteps
from certify.solvers.tasks.proof_tasks import ASIDE, ASIDE_BITS, CAP, Task, gained, parts_of, renew, stacked
from certify.solvers.weights.expansion_weights import Expansions, Forms, as_reason, weights
from certify.solvers.weights.row_cuts import cut_by_rows, refuting_rows
from certify.solvers.weights.row_shaving import shave
from certify.solvers.weights.row_tapes import RowTapes
from certify.solvers.weights.short_weights import CLOSED, ranges, settle
from certify.solvers.workers.crew import ALONE, Crew
from certify.solvers.workers.texts import PlainEquations, equations_of, plain_equations
from certify.solvers.workers.work import Task as WorkTask
from certify.solvers.workers.work import Work

BATCH = 64  # boxes that are treated at once, fewer of a large system
LARGE = 2**22  # entries of the programs of the boxes that are treated at once
WORTHWHILE = 0.6  # halvings of volume: a round of cuts that gains less leads to a division
LEAF = 0.03  # what a leaf counts, in the measure in which a box counts 1
THIN = 0.1  # of a width: what is thinner counts as that much
TRIED = 3  # variables at which a division is tried
LOPSIDED = 0.1  # of a width: a part that is thinner is not worth a division
ENOUGH = 0.125  # of the width of a zero's box: where one meets a box, variables are cut to no less, lest some grow thin
CLOSE = 3.0  # widths of a zero's box: smaller boxes around it are divided at its faces
VAIN = 0.9  # of the share that is open: what leaves more has not helped
IN_VAIN, DIVIDED = 500, 8  # divisions, and for each box that is open, before they are in vain
TINY = 1e-13  # of an interval's ends: what is narrower is not divided

LONGER = "with a longer time limit there may be one"
ENDED = {
    Stopped.TIME: "its time ran out",
    Stopped.INTERRUPTED: "it was interrupted",
    Stopped.MEMORY: "memory ran short",
}


class Why(Enum):
    """What ended a search for a proof, or its confirmation."""

    LATE = "its limit of time or memory was reached, or it was interrupted"
    LEAVES = "the proof is too long"
    TOO_SMALL = "a box is too small to be divided further"
    UNCONFIRMED = "the checker's arithmetic does not confirm it"


class Exhausted(Exception):
    """There is no proof; the text says more. `stopped` is the limit that was reached, if one was."""

    def __init__(self, why: Why, text: str, stopped: Stopped | None = None) -> None:
        super().__init__(text)
        self.why, self.stopped = why, stopped


def late(stopped: Stopped, during: str) -> Exhausted:
    """A limit was reached while something was done."""
    return Exhausted(Why.LATE, f"{ENDED[stopped]} {during}", stopped)


@dataclass(frozen=True, slots=True)
class Manner:
    """What a search prefers; no choice is the best for all systems.

    `enough`: the part of a width that a cut by a row must take; `small`: the same for cuts that share a preparation;
    `power`: of volumes, in the measure of what is left; `dull`: by so much a division of a variable on which nothing
    depends must be better than of the most influential one; `share`: of the greatest influence, variables with less are
    not divided.
    """

    enough: float = 0.12
    small: float = 0.06
    power: float = 0.6
    dull: float = 0.5
    share: float = 0.4


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: at a limit of time, and after so many leaves."""

    limit: Limit
    leaves: int = 500_000


def _complete(top: Ready) -> Node:
    if top.below is None:
        raise AssertionError("a box was lost")
    return top.below


class ProofSearch:
    """The tools for one system; `zeros` are the lower and the upper ends (zero, variable) of the boxes of its zeros.

    Where a search needs few boxes, as slices of these are soon refuted, a proof that `shaves` is short.
    """

    def __init__(
        self,
        equations: Equations,
        zeros: tuple[Floats, Floats],
        limits: Limits,
        manner: Manner | None = None,
        progress: Callable[[str], None] | None = None,
        shaves: bool = False,
        halvings: Halvings | None = None,
        memory: Memory = NOTHING,
        crew: Crew = ALONE,
    ) -> None:
        self._halvings = halvings or Halvings()
        self.limits, self._shaves = limits, shaves
        self._equations, self._zeros, self._manner, self._progress = equations, zeros, manner or Manner(), progress
        self._expansions, self._hull = Expansions.of(equations), HullConsistency(equations, sweeps=1)
        self._rows = self._expansions.rows
        monomials = len(self._rows.every) + equations.variables
        self._batch = min(BATCH, max(1, LARGE // (equations.variables * monomials + 1)))
        self._covers = False  # boxes may be left open
        self._own = OwnSteps()
        self._edges = {0.0} if self._rows.partial else set()  # where an operand may leave its domain
        about = memory.about(*self._told()) if memory.journal is not None else memory
        self._as_work: Work | None = None
        self._growing = Growing(self._treated, self._sizes, self._allow, self._task, about, crew)

    @property
    def leaves(self) -> int:
        """How many there are so far."""
        return self._growing.leaves

    def heed(self, own: OwnSteps) -> None:
        """Before it looks for reasons it takes those of users' contractors."""
        self._own = own

    def _told(self) -> list[bytes]:
        """What a step depends on, beside its box and the rows."""
        known = self._halvings
        places = (np.array(known.variables), np.array(known.places), np.array(known.lower), np.array(known.upper))
        return [
            *(ends.tobytes() for ends in (*self._zeros, *places)),
            repr((self._manner, self._shaves, self._batch)).encode(),
        ]

    def _task(self) -> Work:
        """What a worker makes the same search of."""
        if self._as_work is None:
            known = self._halvings
            places = (
                np.array(known.variables, np.int64), np.array(known.places), np.array(known.lower, np.int64),
                np.array(known.upper, np.int64),
            )  # fmt: skip
            text = plain_equations(self._equations), self._zeros, self._manner, self._shaves, places
            self._as_work = Work.of(open_proof, CODEC.encode(text))
        return self._as_work

    def answered(self, piece: bytes, limit: Limit) -> bytes:
        """What a worker says to a piece. Raises Late."""
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            return self._growing.answer(piece)

    def _sizes(self) -> Sizes:
        zeros = self._zeros[0].shape[0] if self._zeros[0].size else 0
        rows, expansions = self._rows.exact.size, self._expansions.sharp.size
        return Sizes(rows, expansions, zeros, len(self._halvings.places), self._covers)

    def _allow(self, covers: bool) -> None:
        """Whether boxes may be left open."""
        self._covers = covers

    def aggregate(self, reason: Weighted) -> Aggregate:
        """The combination as a sum of terms of a certificate."""
        return as_reason(reason, self._expansions)

    @np.errstate(invalid="ignore", over="ignore", divide="ignore")  # of ends that are infinite, or nearly so
    def prove(self, box: Box) -> Node:
        """A tree for the box. Raises Exhausted."""
        top, limit = Ready(), self.limits.limit
        stack = Dealt(self._growing, limit, Stack([Task(box.lower, box.upper, Hole(top), self._halvings.first)]))

        def tell() -> None:
            if self._progress is not None:
                self._progress(f"certificate: {self.leaves} leaves, {len(stack)} boxes to go")
            if len(stack) and self.leaves > self.limits.leaves:
                raise Exhausted(Why.LEAVES, f"the proof has more than {self.limits.leaves} leaves")

        grow = partial(self._growing.grow, limit=limit)
        try:
            with limit.enforced(), checkpoints(limit.check):
                stopped = explore(stack, grow, limit, self._batch, progress=tell)
        except Late as reached:
            stopped = reached.why
        finally:
            stack.end()
        if stopped is not Stopped.FINISHED:
            raise late(stopped, f"with {self.leaves} leaves of a proof found and {len(stack)} boxes to go")
        return _complete(top)

    @np.errstate(invalid="ignore", over="ignore", divide="ignore")
    def cover(self, box: Box, enough: float) -> Node:
        """A tree of which so large a share of the box, or less, is left open, or what is when divisions are in vain;
        the largest boxes first.
        """
        top, limit = Ready(), self.limits.limit
        self._covers = True
        try:
            with limit.enforced(), checkpoints(limit.check):
                self._cover(box, Task(box.lower, box.upper, Hole(top), self._halvings.first), enough)
        except Late:
            pass
        opened(top)
        return _complete(top)

    def _cover(self, box: Box, first: Task, enough: float) -> None:
        """What is not settled is left as it is."""
        whole = np.maximum(box.upper - box.lower, 1e-300)
        waiting = Best([(1.0, first)], lambda one: -one[0])
        least, patience = math.inf, 0

        def step(taken: list[tuple[float, Task]]) -> list[tuple[float, Task]]:
            nonlocal least, patience
            share = sum(size for size, _ in (*waiting.items, *taken))
            if share < VAIN * least:
                least, patience = share, IN_VAIN + DIVIDED * (len(waiting) + len(taken))
            if share <= enough or patience < 0 or self.leaves >= self.limits.leaves:
                raise Ended(Stopped.FINISHED, taken)
            patience -= self._batch
            if self._progress is not None:
                self._progress(f"certificate: {self.leaves} leaves, {share:.2g} of the domain is open")
            left = self._growing.grow([task for _, task in taken], self.limits.limit)
            return [(float(((task.high - task.low) / whole)[whole > 1e-300].prod()), task) for task in left]

        explore(waiting, step, self.limits.limit, self._batch)

    def _treated(self, tasks: list[Task]) -> list[Task]:
        """Leaves where a box is settled, cuts where they are worth it; the rest is divided. What is left to do."""
        rest = self._settled(self._own.take(tasks, self._manner.small))
        before = dict(zip(map(id, rest), gained(rest).tolist(), strict=True)) if rest else {}
        self._cut_by_rows(rest)
        rest = self._cut_by_combinations(self._settled(rest))
        moved: list[Task] = []
        still: list[Task] = []
        if rest:
            for task, now in zip(rest, gained(rest).tolist(), strict=True):
                (moved if now - before[id(task)] >= WORTHWHILE else still).append(task)
            renew(rest)
        shaved, still = self._shave(still)
        return moved + shaved + (self._divide(still) if still else [])

    def _stuck(self, task: Task) -> None:
        """A box that cannot be divided."""
        if not self._covers:
            raise Exhausted(Why.TOO_SMALL, f"{Why.TOO_SMALL.value}, and is not refuted")
        task.hole.fill(Leaf(Open()))

    def _close(self, task: Task, reason: Reason) -> None:
        task.hole.fill(Leaf(reason))

    def _cut(self, task: Task, variable: int, at: float, below: bool, reason: Reason) -> None:
        task.cut(variable, at, below, reason)

    def _settled(self, tasks: list[Task]) -> list[Task]:
        """Close what lies in the box of a zero or is refuted by a row; the others."""
        if not tasks:
            return []
        low, high = stacked(tasks)
        rest = []
        for task, zero, row in zip(tasks, self._known(low, high), refuting_rows(self._rows, low, high), strict=True):
            if zero >= 0:
                self._close(task, Known(int(zero)))
            elif row >= 0:
                self._close(task, Evaluate(int(row), 0))
            else:
                rest.append(task)
        return rest

    def _known(self, low: Floats, high: Floats) -> NDArray[np.int64]:
        """The zero within whose box a box lies, or -1."""
        zero_low, zero_high = self._zeros
        if not zero_low.size:
            return np.full(low.shape[1], -1)
        inside = (zero_low[:, :, None] <= low[None]).all(axis=1) & (high[None] <= zero_high[:, :, None]).all(axis=1)
        return np.where(inside.any(axis=0), inside.argmax(axis=0), -1)

    def _least(self, low: Floats, high: Floats) -> Floats:
        """Widths (variable, batch) that are enough where boxes of zeros meet a box: a part of the least of theirs."""
        zero_low, zero_high = self._zeros
        if not zero_low.size:
            return np.zeros(low.shape)
        meets = np.asarray(((zero_low[:, :, None] < high[None]) & (zero_high[:, :, None] > low[None])).all(axis=1))
        widths = np.where(meets[:, None], ENOUGH * (zero_high - zero_low)[:, :, None], np.inf).min(axis=0)
        return np.where(np.isinf(widths), 0.0, widths)

    def _cut_by_rows(self, tasks: list[Task]) -> None:
        """Cut off what hull consistency of a single row refutes."""
        if not tasks:
            return
        low, high = stacked(tasks)
        least = np.maximum(CAP * np.array([task.widths for task in tasks]).T, self._least(low, high))
        for k, v, below, at, row in cut_by_rows(self._rows, low, high, least, self._manner.enough).tolist():
            self._cut(tasks[int(k)], int(v), at, bool(below), Evaluate(int(row), 0))

    def _shave(self, tasks: list[Task]) -> tuple[list[Task], list[Task]]:
        """Cut off slabs that rows refute one after the other: the boxes for which this was worth it, and the others."""
        if not (tasks and self._shaves):
            return [], tasks
        low, high = stacked(tasks)
        moved = set()
        for found in shave(self._rows, low, high, self._zeros, WORTHWHILE, TINY):
            task = tasks[found.box]
            moved.add(found.box)
            task.cut_by_chain(found)
        for k in moved:
            tasks[k].widths = tasks[k].high - tasks[k].low
        return [tasks[k] for k in sorted(moved)], [task for k, task in enumerate(tasks) if k not in moved]

    def _cut_by_combinations(self, tasks: list[Task]) -> list[Task]:
        """Close what combinations of rows refute, cut off what they refute of the others; these."""
        if not tasks:
            return []
        low, high = stacked(tasks)
        forms, radius = Forms.of(self._expansions, low, high), 0.5 * (high - low).T
        widths = np.array([task.widths for task in tasks]), self._least(low, high).T.copy()
        found = settle(
            weights(forms, radius), forms, low, high, widths, self._zeros, WORTHWHILE, self._manner.small, CAP
        )
        rest = []
        for task, cuts in zip(tasks, found, strict=True):
            if cuts:
                task.prepare()
            for v, below, at, reason in cuts:
                if v == CLOSED:
                    self._close(task, reason)
                else:
                    self._cut(task, v, at, below, reason)
            if not cuts or cuts[-1][0] != CLOSED:
                rest.append(task)
        return rest

    def _divide(self, tasks: list[Task]) -> list[Task]:
        """Divide each box where the search for solutions has, and what it has not where a trial shows the least work to
        be left.
        """
        later: list[Task] = []
        others = [task for task in tasks if not self._divided_as_known(task, later)]
        return later + (self._divide_by_trial(others) if others else [])

    def _divided_as_known(self, task: Task, later: list[Task]) -> bool:
        """Divide a box where the search for solutions has divided it, or at the nearest face of a zero's box through
        which this goes; whether it has.
        """
        known = self._halvings
        task.cell = known.dividing(task.cell, task.low, task.high)
        if task.cell == NOWHERE:
            return False
        v, at = known.variables[task.cell], known.places[task.cell]
        low, high = self._zeros
        meets = (low < task.high).all(axis=1) & (high > task.low).all(axis=1) if low.size else np.zeros(0, np.bool_)
        for z in np.flatnonzero(meets & (low[:, v] < at) & (at < high[:, v])).tolist():
            at = min((float(low[z, v]), float(high[z, v])), key=lambda face: abs(face - at))
        if not task.low[v] < at < task.high[v]:
            return False
        fork = Fork(v, at)
        task.hole.fill(fork)
        for (a, b), below in zip(parts_of(task, v, at), (True, False), strict=True):
            cell = (known.lower if below else known.upper)[task.cell]
            later.append(Task(a, b, Hole(fork, below), cell))
        return True

    def _divide_by_trial(self, tasks: list[Task]) -> list[Task]:
        """Divide each box where the trial shows the least work to be left."""
        influence = smear(self._equations, Boxes(*stacked(tasks)))
        influence /= np.maximum(influence.max(axis=0), 1e-300)
        found = [self._candidates(task, influence[:, k]) for k, task in enumerate(tasks)]
        best = {k: (0.0, *only[0]) for k, only in enumerate(found) if len(only) == 1}
        choices = [(k, v, at) for k, several in enumerate(found) if k not in best for v, at in several]
        parts = [part for k, v, at in choices for part in parts_of(tasks[k], v, at)]
        work = self._trial(tasks, choices, parts) if parts else np.empty(0)
        for (k, v, at), lower, upper in zip(choices, work[::2], work[1::2], strict=True):
            score = float(lower + upper) * (1.0 + self._manner.dull * (1.0 - float(influence[v, k])))
            if k not in best or score < best[k][0]:
                best[k] = score, v, at
        later = []
        for k, task in enumerate(tasks):
            if k not in best:
                self._stuck(task)
                continue
            _, v, at = best[k]
            fork = Fork(v, at)
            task.hole.fill(fork)
            later += [
                Task(low, high, Hole(fork, below), task.cell)
                for (low, high), below in zip(parts_of(task, v, at), (True, False), strict=True)
            ]
        return later

    def _trial(
        self, tasks: list[Task], choices: list[tuple[int, int, float]], parts: list[tuple[Floats, Floats]]
    ) -> Floats:
        """What is left to do for each part of each choice."""
        widths = np.array([tasks[k].high - tasks[k].low for k, _, _ in choices]).T.repeat(2, axis=1)
        low, high = (np.array([part[end] for part in parts]).T.copy() for end in (0, 1))
        return self._work(low, high, widths)

    def _candidates(self, task: Task, influence: Floats) -> list[tuple[int, float]]:
        """Variables and points at which a box may be divided; not through the box of a zero, if there is
        another way.
        """
        low, high = task.low, task.high
        zero_low, zero_high = self._zeros
        near = (
            np.flatnonzero((zero_low < high).all(axis=1) & (zero_high > low).all(axis=1)).tolist()
            if zero_low.size
            else []
        )
        close = {k for k in near if (high - low <= CLOSE * (zero_high[k] - zero_low[k])).all()}

        def through(v: int, point: float) -> list[int]:
            return [k for k in near if zero_low[k, v] < point < zero_high[k, v]]

        wide = high - low > TINY * np.maximum(1.0, np.maximum(np.abs(low), np.abs(high)))
        order = [int(v) for v in np.argsort(-influence, kind="stable") if wide[v]]
        chosen = [v for v in order if influence[v] >= self._manner.share][:TRIED] or order[:TRIED]
        middles = [(v, short_between(float(low[v]), float(high[v]), ASIDE, ASIDE_BITS)) for v in chosen]
        found = []
        for v, middle in middles:
            faces = {
                float(face) for k in close.union(through(v, middle)) for face in (zero_low[k, v], zero_high[k, v])
            } | self._edges
            found += [
                (v, p)
                for p in sorted(faces | {middle})
                if LOPSIDED < (p - low[v]) / (high[v] - low[v]) < 1.0 - LOPSIDED
            ]
        return [(v, p) for v, p in found if not through(v, p)] or found or middles

    def _work(self, low: Floats, high: Floats, widths: Floats) -> Floats:
        """A measure of what is left to do for each box (variable, batch) after one round of cuts; 1 for a box of these
        widths.
        """
        closed = np.asarray((self._known(low, high) >= 0) | (refuting_rows(self._rows, low, high) >= 0))
        answer = self._hull.contract(Boxes(low, high))
        closed |= answer.empty
        worth = self._manner.enough * (high - low)
        better = ~closed[None] & ((answer.lower - low > worth) | (high - answer.upper > worth))
        low, high = np.where(better, answer.lower, low), np.where(better, answer.upper, high)
        forms, radius = Forms.of(self._expansions, low, high), 0.5 * (high - low).T
        forms.usable[closed] = False
        refuted, least, most = ranges(weights(forms, radius), forms, radius)
        centre = 0.5 * (low + high)
        closed |= refuted | (self._known(centre + least.T, centre + most.T) >= 0)
        shares = np.maximum((most - least).T / np.maximum(widths, 1e-300), THIN)
        return np.where(closed, LEAF, LEAF + (shares**self._manner.power).prod(axis=0))


CODEC = Plain(Manner)
Text = tuple[
    PlainEquations, tuple[Floats, Floats], Manner, bool,
    tuple[NDArray[np.int64], Floats, NDArray[np.int64], NDArray[np.int64]],
]  # fmt: skip


def open_proof(text: bytes) -> WorkTask:
    """A worker's search for a proof."""
    equations, zeros, manner, shaves, (variables, places, lower, upper) = CODEC.decode(text, Text)
    halvings = Halvings(variables.tolist(), places.tolist(), lower.tolist(), upper.tolist())
    search = ProofSearch(
        equations_of(equations), zeros, Limits(UNLIMITED), manner, shaves=shaves, halvings=halvings
    )  # fmt: skip
    return search.answered


def compile_kernels(equations: Equations, box: Box) -> None:
    """Call all kernels once, those of weights first: `compile_cuts` compiles others meanwhile."""
    search = ProofSearch(equations, _no_zeros(equations), Limits(UNLIMITED), shaves=True)
    for called in (search._cut_by_combinations, search._settled, search._cut_by_rows, search._shave, search._divide):
        called([Task(box.lower, box.upper, Hole(Ready()), NOWHERE)])


def compile_cuts(equations: Equations, box: Box) -> None:
    """Call once the kernels that look at one row."""
    rows, low, high = RowTapes.of(equations), box.lower[:, None], box.upper[:, None]
    refuting_rows(rows, low, high)
    cut_by_rows(rows, low, high, high - low, WORTHWHILE)
    shave(rows, low, high, _no_zeros(equations), WORTHWHILE, TINY)


def _no_zeros(equations: Equations) -> tuple[Floats, Floats]:
    return np.zeros((0, equations.variables)), np.zeros((0, equations.variables))
