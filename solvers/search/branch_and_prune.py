"""All solutions of a system in a box: narrow, prove, halve; hundreds of boxes at a time.

Each round takes the newest boxes, narrows them by the contractor graph (`system_graph`) and halves those that remain,
along the variable on which the constraints depend most. A box that Krawczyk's test proves to hold exactly one zero is
refined and kept; the test is made on a slightly larger box, so that zeros on the faces of the bisection are found.
*Coverage:* every solution in the box lies in one of the proved, the undecided or the unexplored boxes. The result
depends neither on the number of workers nor on the machine's speed, unless a limit is reached: then boxes under way go
back to the unexplored ones, as far as they were narrowed. A long search takes larger rounds, a part of the boxes that
it has treated, so that many workers have something to do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain

import numpy as np

from certify.contractors.operators.krawczyk_existence import krawczyk_test
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.short_numbers import shorts_between
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.graph.accounts import Count, Statistics
from certify.solvers.graph.build import smear, system_graph
from certify.solvers.graph.schedule import TEST, Graph, Learnt, Proved, Report
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Plain
from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.proof.halvings import Halvings
from certify.solvers.search.before import Before, Remains, answers_bytes, batches_of, piece_of
from certify.solvers.search.explore import Ended, Stack, explore
from certify.solvers.workers.crew import AHEAD, ALONE, Crew, Round
from certify.solvers.workers.texts import PlainEquations, equations_of, plain_equations
from certify.solvers.workers.work import Task, Work
from certify.solvers.zeros.meeting_boxes import disjoint, within
from certify.solvers.zeros.proved_zeros import ProvedZeros, Solution, refined
from certify.solvers.zeros.undecided_regions import UndecidedRegions

WIDTH = 1e-8  # at which halving ends, if nothing else is asked for
INFLATION = 0.1
THIN = 1e-4  # boxes narrower than that surround one point: near-singular zeros need room for Krawczyk's test
MARGINS = (1e-12, 1e-9, 1e-7, 1e-5)
FARTHEST = 1e300  # what lies beyond is not halved
CENTRED = 0.45  # where a box is halved: not at the middle, where zeros of symmetrical systems lie
CHUNK = 64  # boxes that are narrowed together by one thread, fewer of a large system
LARGE = 2**20  # entries of Jacobians, or operations, of the boxes that are narrowed together
CHUNKS = 4  # in a batch, at most, of a large system
PART, WIDEST = 4, 2**17  # of the boxes treated so far, and boxes at most: a round of a long search


class Branching(Enum):
    """Which variable is halved."""

    # the one on which the constraints depend most: |slope| times width, summed over rows, each relative to the row
    SMEAR = "smear"
    LARGEST = "largest"  # the widest
    ROUND_ROBIN = "round robin"  # one after the other by depth


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Boxes narrower than `width` are not halved any more; `batch` boxes are treated at once,
    more in a long search, by this process and a `crew`.

    The search ends after `time_limit` seconds, or at the `limit` of the run that it is part of. With `recorded` its
    answer says where boxes were halved. What is in `memory` is not searched again.
    """

    width: float = WIDTH
    batch: int = 256
    cell_limit: int = 10_000_000
    time_limit: float = 3600.0
    branching: Branching = Branching.SMEAR
    crew: Crew = ALONE
    graph: Callable[[Equations], Graph] = system_graph
    limit: Limit = UNLIMITED
    recorded: bool = False
    memory: Memory = NOTHING


@dataclass(frozen=True, slots=True)
class Paving:
    """What was found; every solution lies in one of these boxes. `inner` boxes satisfy every constraint
    at every point. `apart`: what was found in groups of variables, if they were searched alone, and this is made of it.
    """

    solutions: tuple[Solution, ...]
    inner: tuple[Box, ...]
    undecided: tuple[Box, ...]
    unexplored: tuple[Box, ...]
    cells: int
    stopped: Stopped
    statistics: Statistics
    halvings: Halvings | None = None
    apart: tuple[tuple[tuple[int, ...], Paving], ...] = ()


@dataclass(frozen=True, slots=True)
class _Cell:
    """A box on the stack, how often its ancestors were halved, and about which share of the domain it is."""

    box: Box
    depth: int
    share: float


def _boxes(cells: list[_Cell]) -> Boxes:
    return Boxes.of([cell.box for cell in cells])


@dataclass
class _Search:
    """The state of one search; boxes are columns of arrays (variables, batch)."""

    equations: Equations
    options: SearchOptions
    domain: Box
    surely_inside: Box
    graph: Graph
    limit: Limit
    stack: Stack[_Cell] = field(default_factory=Stack)
    learnt: Learnt = field(default_factory=Learnt)
    zeros: ProvedZeros = field(default_factory=ProvedZeros)
    inner: list[Box] = field(default_factory=list)
    doubtful: list[Box] = field(default_factory=list)  # of one zero each, which may not count
    cells: int = 0
    statistics: Statistics = field(default_factory=dict)
    open: float = 0.0  # about the share of the domain that the boxes on the stack are

    def __post_init__(self) -> None:
        self.halvings = Halvings() if self.options.recorded else None
        self.regions = UndecidedRegions(self.options.width, merging=self.equations.square)
        size = max(len(self.equations.tape.outputs) * self.equations.variables, len(self.equations.tape.steps), 1)
        self.chunk = min(CHUNK, max(1, LARGE // size))
        self.batch = self.options.batch if self.chunk == CHUNK else min(self.options.batch, CHUNKS * self.chunk)
        self.tested = self.equations.square and any(node.proves for node in self.graph.nodes)
        if self.tested:
            self.graph = replace(self.graph, prove=self._test)
        self.before = Before(self._memory(), self._are_proved)
        self._as_work: Work | None = None
        self.push(self.domain.lower[:, None], self.domain.upper[:, None], np.zeros(1))

    def _memory(self) -> Memory:
        """What is known of this search."""
        memory = self.options.memory
        if memory.journal is None:
            return memory
        ends = (self.equations.lower, self.equations.upper, self.surely_inside.lower, self.surely_inside.upper)
        return memory.about(repr(self.equations.tape).encode(), *(some.tobytes() for some in ends))

    def push(self, low: Floats, high: Floats, depth: Floats) -> None:
        """Boxes that are to be treated later."""
        with np.errstate(invalid="ignore", over="ignore"):
            whole = self.domain.upper - self.domain.lower
            wide = whole > 0.0
            shares = ((high - low)[wide] / whole[wide, None]).prod(axis=0)
        for k, share in enumerate(np.nan_to_num(shares, nan=1.0).tolist()):
            self.stack.append(_Cell(Box(low[:, k].copy(), high[:, k].copy()), int(depth[k]), share))
            self.open += share

    def room(self) -> int:
        """How many boxes may be treated next."""
        widest = WIDEST if self.chunk == CHUNK else self.batch
        return min(self.options.cell_limit - self.cells, max(self.batch, min(self.cells // PART, widest)))

    @property
    def undecided(self) -> list[Box]:
        """The boxes of which nothing is known."""
        return self.doubtful + self.regions.boxes

    @property
    def told(self) -> str:
        """The progress."""
        bounded = np.isfinite(self.domain.upper - self.domain.lower).all()
        left = math.ceil(1000.0 * min(max(self.open, 0.0), 1.0)) / 10
        share = f", {left:g} % of the domain is open" if bounded else ""
        undecided = f", {len(self.undecided)} undecided" if self.undecided else ""
        return (
            f"{self.cells} boxes, {len(self.zeros.found)} solutions isolated{share}{undecided}, {len(self.stack)} to go"
        )

    @np.errstate(invalid="ignore", over="ignore")  # of infinite ends
    def step(self, taken: list[_Cell]) -> list[_Cell]:
        """Treat some boxes, less those that a region has taken in meanwhile; what is left of them waits already."""
        self.open = max(self.open - sum(cell.share for cell in taken), 0.0)
        cells = [cell for cell in taken if not self.regions.holds(cell.box)]
        chunks = [cells[start : start + self.chunk] for start in range(0, len(cells), self.chunk)]
        reports: list[Report] = []
        try:
            for low, high, depth, report in self._narrowed(chunks):
                for proved in report.proved:
                    self._take_up(proved)
                if report.late:
                    self.push(low, high, depth)
                elif low.shape[1]:
                    self._settle(low, high, depth)
                self.cells += 0 if report.late else report.boxes
                reports.append(report)
        except (Late, MemoryError) as reached:
            why = reached.why if isinstance(reached, Late) else Stopped.MEMORY
            raise Ended(why, [cell for chunk in chunks[len(reports) :] for cell in chunk]) from None
        for report in reports:
            for name, count in report.statistics.items():
                self.statistics.setdefault(name, Count()).add(count)
        self.learnt.take_up(reports)
        return []

    def _narrowed(self, chunks: list[list[_Cell]]) -> Iterator[tuple[Floats, Floats, Floats, Report]]:
        """What remains of each, as it was found before or is found now."""
        asked = [_boxes(chunk) for chunk in chunks]
        known = [self.before.recalled(boxes, self.learnt.books) for boxes in asked]
        fresh = self._remains([boxes for boxes, found in zip(asked, known, strict=True) if found is None])
        for chunk, boxes, before in zip(chunks, asked, known, strict=True):
            found = before
            if found is None:
                found = next(fresh)
                self.before.keep(boxes, self.learnt.books, found)
            left, kept, report = found
            yield left.lower, left.upper, np.array([cell.depth for cell in chunk])[kept], report

    def _remains(self, asked: list[Boxes]) -> Iterator[Remains]:
        """What remains of batches now, found by this process and the crew, or as it is needed."""
        crew, work = self.options.crew, self._work()
        if not crew.count or work is None or len(asked) < 2:
            return map(self.narrow, asked)
        size = self._together(len(asked))
        parts = [asked[start : start + size] for start in range(0, len(asked), size)]
        found = Round(
            crew, work, lambda number, data: self.before.read_each(parts[number], data),
            lambda number: tuple(map(self.narrow, parts[number])),
        )  # fmt: skip
        books = self.learnt.books
        return chain.from_iterable(found.each([piece_of(part, books) for part in parts], self.limit))

    def _together(self, batches: int) -> int:
        """How many batches a worker narrows at a time, for as long as a piece should take, if there is so much for
        everybody. What a batch becomes does not depend on it.
        """
        spent = sum(count.seconds for count in self.statistics.values())
        enough = self.options.crew.seconds * self.cells / max(spent * self.chunk, 1e-9)
        return max(1, min(int(enough), batches // (AHEAD * (1 + self.options.crew.count))))

    @np.errstate(invalid="ignore", over="ignore")
    def narrow(self, boxes: Boxes) -> Remains:
        """What remains of some boxes; changes nothing, so that others may do it, too."""
        return self.graph.run(boxes, self.learnt, self.limit)

    def _work(self) -> Work | None:
        """What a worker makes the same search of; None where users' own contractors narrow."""
        if self._as_work is None and self.options.graph is system_graph:
            self._as_work = Work.of(open_search, TEXT.encode(plain_equations(self.equations)))
        return self._as_work

    def answered(self, piece: bytes, limit: Limit) -> bytes:
        """What a worker says of some boxes."""
        batches, self.learnt.books = batches_of(piece)
        self.limit = limit
        return answers_bytes([self.narrow(boxes) for boxes in batches])

    def _are_proved(self, proved: Proved) -> bool:
        """Whether boxes that are said to hold one zero each do, and it lies where it is said to, in a part of them."""
        said, around = proved.enclosures, proved.only_one_in
        if not around.count:
            return True
        if not self.tested or (around.lower > said.lower).any() or (around.upper < said.upper).any():
            return False
        tested = krawczyk_test(self.equations, around)
        return bool(tested.unique.all() and (said.lower <= tested.lower).all() and (said.upper >= tested.upper).all())

    def _settle(self, low: Floats, high: Floats, depth: Floats) -> None:
        """Keep what is proved, halve the rest, unless it is late."""
        if self.equations.square:
            rest = self._prove(low, high)
        elif not self.equations.equalities.size:
            inside = self.settle_inequalities(low, high)
            for k in np.flatnonzero(inside):
                box = Box(low[:, k].copy(), high[:, k].copy())
                if within(box, self.surely_inside):
                    self.inner.append(box)
                else:
                    self.doubtful.append(box)
            rest = ~inside
        else:
            rest = np.ones(depth.size, dtype=np.bool_)
        for k in np.flatnonzero(rest & self.regions.small_enough(low, high)):
            rest[k] = not self.regions.takes(Box(low[:, k].copy(), high[:, k].copy()))
        if rest.any():
            later = self.push if self.limit.late() else self._halve
            later(np.ascontiguousarray(low[:, rest]), np.ascontiguousarray(high[:, rest]), depth[rest])

    def settle_inequalities(self, low: Floats, high: Floats) -> Flags:
        """Which boxes satisfy all constraints at all points."""
        values = self.equations.values(low, high)
        allowed = (values.lower >= self.equations.lower[:, None]) & (values.upper <= self.equations.upper[:, None])
        return np.asarray(allowed.all(axis=0) & values.defined)

    def _test(self, boxes: Boxes, margin: float = MARGINS[0]) -> tuple[Flags, Proved]:
        """Which boxes are dealt with, as they hold one zero, which is told, or none; changes nothing."""
        pad = INFLATION * (boxes.upper - boxes.lower) + margin * (1.0 + np.abs(boxes.lower))
        wider = Boxes(boxes.lower - pad, boxes.upper + pad)
        tested = krawczyk_test(self.equations, wider)
        proved = Proved(Boxes(tested.lower, tested.upper).take(tested.unique), wider.take(tested.unique))
        return tested.unique | tested.empty, proved

    def _prove(self, low: Floats, high: Floats) -> Flags:
        """Keep the boxes with a proved zero; which ones need more work. Thin boxes are tried with wider margins too,
        unless it is late.
        """
        began = time.perf_counter()
        count = self.statistics.setdefault(TEST, Count())
        rest = np.ones(low.shape[1], dtype=np.bool_)
        thin = (high - low).max(axis=0) < THIN
        for margin in MARGINS:
            chosen = np.flatnonzero(rest & (thin | (margin == MARGINS[0] and not self.tested)))
            if not chosen.size or self.limit.late():
                break
            settled, proved = self._test(Boxes(low, high).take(chosen), margin)
            self._take_up(proved)
            rest[chosen] = ~settled
            count.calls += chosen.size
        count.seconds += time.perf_counter() - began
        return rest

    def _take_up(self, proved: Proved) -> None:
        """Refine proved zeros, and keep each unless it lies outside the domain or was found before; those for which
        there is no time stay unexplored.
        """
        done = 0
        try:
            boxes = refined(self.equations, proved.enclosures, self.limit)
            for done in range(boxes.count):
                self._decide(boxes.box(done), proved.only_one_in.box(done))
            return
        except Late:
            late = slice(done, None)
        low = np.maximum(proved.enclosures.lower[:, late], self.domain.lower[:, None])
        high = np.minimum(proved.enclosures.upper[:, late], self.domain.upper[:, None])
        here = (low <= high).all(axis=0)
        self.push(low[:, here], high[:, here], np.zeros(int(here.sum())))

    def _decide(self, enclosure: Box, only_one_in: Box) -> None:
        """What becomes of a refined zero."""
        if disjoint(enclosure, self.domain):
            return
        doubtful = False
        for other in self.zeros.meeting(enclosure):
            if within(enclosure, other.only_one_in) or within(other.enclosure, only_one_in):
                return
            if self._are_one(enclosure, other.enclosure):
                return
            doubtful = True
        satisfied = self._other_constraints(enclosure)
        if satisfied is False:
            return
        if doubtful or satisfied is None or not within(enclosure, self.surely_inside):
            self.doubtful.append(enclosure)
        else:
            self.zeros.add(Solution(enclosure, only_one_in))

    def _are_one(self, first: Box, second: Box) -> bool:
        """Whether two overlapping boxes, each with one zero, surely hold the same: a box around both holds only one."""
        low, high = np.minimum(first.lower, second.lower), np.maximum(first.upper, second.upper)
        for margin in MARGINS:
            self.limit.check()
            pad = INFLATION * (high - low) + margin * (1.0 + np.abs(low))
            if krawczyk_test(self.equations, Boxes.of([Box(low - pad, high + pad)])).unique[0]:
                return True
        return False

    def _other_constraints(self, box: Box) -> bool | None:
        """Whether the inequalities hold at the zero in this box; None if that is not proved either way."""
        others = np.setdiff1d(np.arange(self.equations.lower.size), self.equations.equalities)
        values = self.equations.values(box.lower[:, None], box.upper[:, None])
        low, high = values.lower[others, 0], values.upper[others, 0]
        if (low > self.equations.upper[others]).any() or (high < self.equations.lower[others]).any():
            return False
        inside = (
            values.defined[0]
            and (low >= self.equations.lower[others]).all()
            and (high <= self.equations.upper[others]).all()
        )
        return True if inside else None

    def _halve(self, low: Floats, high: Floats, depth: Floats) -> None:
        """Push both halves of every box that is wide enough."""
        width = high - low
        score = self._score(low, high, depth)
        score[np.isinf(width)] += low.shape[0]
        score[(low >= FARTHEST) | (high <= -FARTHEST)] = -1.0
        score[np.isfinite(width) & (width <= np.maximum(1e-3 * self.options.width, 1e-15 * np.abs(low)))] = -1.0
        chosen, number = score.argmax(axis=0), np.arange(low.shape[1])
        places = shorts_between(low[chosen, number], high[chosen, number], CENTRED)
        halves: list[tuple[Floats, Floats, float]] = []
        for k in range(low.shape[1]):
            if width[:, k].max() <= self.options.width or score[chosen[k], k] < 0.0:
                self.regions.add(Box(low[:, k].copy(), high[:, k].copy()))
                continue
            v = chosen[k]
            if self.halvings is not None:
                self.halvings.add(low[:, k], high[:, k], int(v), float(places[k]))
            left, right = high[:, k].copy(), low[:, k].copy()
            left[v] = right[v] = places[k]
            halves += [(low[:, k], left, depth[k] + 1), (right, high[:, k], depth[k] + 1)]
        if halves:
            lower, upper, deeper = zip(*halves, strict=True)
            self.push(np.array(lower).T, np.array(upper).T, np.array(deeper))

    def _score(self, low: Floats, high: Floats, depth: Floats) -> Floats:
        """The variable (axis 0) with the greatest score is halved in each box."""
        if self.options.branching is Branching.SMEAR:
            return smear(self.equations, Boxes(low, high))
        if self.options.branching is Branching.LARGEST:
            return np.asarray((high - low) / np.maximum((high - low).max(axis=0), 1e-300))
        return np.asarray(((np.arange(low.shape[0])[:, None] - depth) % low.shape[0] == 0).astype(float))


def branch_and_prune(
    equations: Equations,
    domain: Box,
    options: SearchOptions | None = None,
    progress: Callable[[str], None] | None = None,
    surely_inside: Box | None = None,
) -> Paving:
    """All solutions of the system in the domain.

    Where its exact ends are no doubles, `domain` encloses it and `surely_inside` lies within it: a zero in between
    stays undecided.
    """
    options = options or SearchOptions()
    limit = options.limit.within(options.time_limit)
    try:
        with limit.enforced():
            graph = options.graph(equations)
    except Late as late:
        return Paving((), (), (), (domain,), 0, late.why, {})
    search = _Search(equations, options, domain, surely_inside or domain, graph, limit)
    stopped = _searched(search, progress)
    solutions = tuple(sorted(search.zeros.found, key=lambda s: tuple(s.enclosure.lower)))
    unexplored = tuple(cell.box for cell in search.stack)
    return Paving(
        solutions, tuple(search.inner), tuple(search.undecided), unexplored, search.cells, stopped, search.statistics,
        search.halvings,
    )  # fmt: skip


def _searched(search: _Search, progress: Callable[[str], None] | None) -> Stopped:
    """Round after round; why it ended."""

    def tell() -> None:
        if progress is not None:
            progress(search.told)

    return explore(search.stack, search.step, search.limit, max(WIDEST, search.batch), search.room, tell)


TEXT = Plain()


def open_search(text: bytes) -> Task:
    """A worker's search, of which it is asked what remains of boxes."""
    equations = equations_of(TEXT.decode(text, PlainEquations))
    nowhere = Box(np.zeros(equations.variables), np.zeros(equations.variables))
    return _Search(equations, SearchOptions(), nowhere, nowhere, system_graph(equations), UNLIMITED).answered
