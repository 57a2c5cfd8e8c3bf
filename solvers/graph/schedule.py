"""The contractor graph of a system, run on batches of boxes: event-driven, and by what contractors have saved.

Variables stand on one side, contractors on the other. For every box a contractor sleeps until a variable that it reads
has shrunk by its `wake` since it last ran; of those that are awake for some box the one that has saved most by an
operation runs first, on just these boxes, if it may: the books (`accounts`) say how much it may still cost. Slicing is
tried on one variable after the other, most influential first (after Trombettoni and Neveu's adaptive CID), and ends
with the last one that it may try, or after some that were not worth it. A box that Newton's contractor narrows in all
variables is tested at once: where it is proved to hold exactly one zero, nothing more is done with it. What is learnt
changes between batches only, so that a result depends neither on the number of threads nor on the speed of the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint, checkpoints
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.graph.accounts import CALL, Account, Books, Count, Statistics, faded, together
from certify.solvers.limits import UNLIMITED, Late

PATIENCE = 0.6  # of all variables, and never fewer than 3: so many in a row not worth slicing end the attempt
LONGER = 30  # so many, where each may cost what it likes: a large sparse system
TEST = "Krawczyk's test"
NARROW = 1e-7  # a variable narrower than this wakes nobody
STRAGGLERS = 0.25  # of a batch: so few boxes are halved rather than narrowed on
CONTRACTED = 0.75  # of every width: a box that Newton's contractor leaves no wider may hold a zero that can be proved


@dataclass(frozen=True)
class Node:
    """A contractor in the graph; it wakes when a variable shrank by the factor 1 - wake.

    `work` are the operations that it takes on one box (a `Slicing`: on one variable of one box), about; `trial` is the
    share of all work that it may cost before it has saved any (None: it runs whenever it is awake). What it narrows in
    all variables is tested for zeros if it `proves`. Slices that save so many boxes for each are `enough` to go on,
    whatever they cost (0: the books say).
    """

    contractor: Contractor
    wake: float
    work: float = 1.0
    trial: float | None = None
    proves: bool = False
    enough: float = 0.0

    @cached_property
    def reads(self) -> NDArray[np.int64]:
        """What the contractor reads."""
        return np.array(self.contractor.reads, dtype=np.int64)

    @property
    def whole(self) -> float:
        """The operations on a box with all its variables."""
        return self.work * (len(self.contractor.reads) if isinstance(self.contractor, Slicing) else 1)


@dataclass(slots=True)
class Learnt:
    """The books as they stand between two rounds."""

    books: Books = field(default_factory=Books)

    def take_up(self, reports: list[Report]) -> None:
        """What the batches of one round have taught, in their order."""
        self.books = faded(together([self.books, *(report.books for report in reports)]))


@dataclass(frozen=True, slots=True)
class Proved:
    """Boxes that hold exactly one zero each: in which it lies, and in which it is the only one."""

    enclosures: Boxes
    only_one_in: Boxes


Prove = Callable[[Boxes], tuple[Flags, Proved]]


@dataclass(slots=True)
class Report:
    """What one batch has cost, taught and proved."""

    boxes: int
    late: bool = False  # what remains may be narrowed further
    statistics: Statistics = field(default_factory=dict)
    books: Books = field(default_factory=Books)
    proved: list[Proved] = field(default_factory=list)


Influence = Callable[[Boxes], Floats]
Record = Callable[[Contractor, Boxes, Narrowed], Narrowed]


class Checked(Protocol):
    """A limit, or whatever else may end a run."""

    def check(self) -> None:
        """Raise Late if it is time to stop."""


@dataclass(frozen=True)
class Graph:
    """The nodes, cheapest first; `influence` ranks variables (axis 0) in each box (axis 1), and `prove` tells which
    boxes hold exactly one zero, if anything does. A variable narrower than `narrow` wakes nobody. If it `rests`
    it keeps no books: what has run in vain rests for some turns.
    """

    nodes: tuple[Node, ...]
    influence: Influence
    prove: Prove | None = None
    narrow: float = NARROW
    rests: bool = False

    def draw(self) -> nx.Graph:
        """The bipartite graph of variables and contractors, with the compositions' children, to look at."""
        graph = nx.Graph()

        def add(contractor: Contractor) -> None:
            graph.add_node(contractor.name, bipartite=1, cost=contractor.cost)
            for child in contractor.children:
                add(child)
                graph.add_edge(contractor.name, child.name)
            if not contractor.children:
                graph.add_edges_from((contractor.name, f"x{variable}") for variable in contractor.reads)

        for node in self.nodes:
            add(node.contractor)
        return graph

    def run(
        self, boxes: Boxes, learnt: Learnt, limit: Checked = UNLIMITED, record: Record | None = None
    ) -> tuple[Boxes, NDArray[np.int64], Report]:
        """Narrow a batch to a standstill, or until it is late; what remains of it, in order, and which boxes these
        were. `record` is told of every call, and says what is left.
        """
        report, state = Report(boxes.count, books=Books(boxes.count)), _State.of(boxes, len(self.nodes))
        try:
            with checkpoints(limit.check):
                self._narrow(state, learnt.books, report, record)
        except Late:
            report.late = True
        return state.boxes, state.kept, report

    def _narrow(self, state: _State, before: Books, report: Report, record: Record | None) -> None:
        """The best of the nodes that are awake for some boxes, and may run, again and again."""
        order, turns = self._order(before), _Turns.of(len(self.nodes))
        while state.boxes.count:
            many = state.awake.sum(axis=1) > STRAGGLERS * state.boxes.count
            books = before if self.rests else before.with_those(report.books)
            ready = (k for k in order if many[k] and self._may_run(k, state, books))
            k = turns.choose(list(ready)) if self.rests else next(ready, None)
            if k is None:
                break
            checkpoint()
            turns.ran(k, self._run_node(k, state, books, report, record))

    def _order(self, books: Books) -> list[int]:
        """The first node first, then those that save most by an operation; as they stand where nothing is known."""
        rates = [books.rate(node.contractor.name) for node in self.nodes]
        return [0, *sorted(range(1, len(self.nodes)), key=lambda k: -rates[k])]

    def _may_run(self, k: int, state: _State, books: Books) -> bool:
        node = self.nodes[k]
        if node.trial is None:
            return True
        return books.left(node.contractor.name, node.trial, node.whole) >= CALL + node.work * int(state.awake[k].sum())

    def _run_node(self, k: int, state: _State, books: Books, report: Report, record: Record | None) -> bool:
        """Whether it has narrowed anything."""
        node = self.nodes[k]
        chosen = np.flatnonzero(state.awake[k])
        before = _widths(state.boxes)
        state.seen[k][:, chosen] = before[:, chosen]
        state.awake[k] = False
        began = time.perf_counter()
        part = state.boxes.take(chosen)
        narrowed, call = self._called(node, part, books)
        if not self.rests:
            report.books.enter(node.contractor.name, call or Account.of(node.work * part.count, part, narrowed))
        count = report.statistics.setdefault(node.contractor.name, Count())
        count.calls += chosen.size
        count.seconds += time.perf_counter() - began
        if record is not None:
            narrowed = record(node.contractor, part, narrowed)
        count.refuted += int(narrowed.empty.sum())
        count.gain += _gain(part, narrowed)
        kept_before = state.kept
        if node.proves and self.prove is not None:
            narrowed = self._without_proved(part, narrowed, report)
        state.replace(chosen, narrowed)
        width = _widths(state.boxes)
        treated = np.searchsorted(state.kept, kept_before[chosen][~narrowed.empty])
        for number, other in enumerate(self.nodes):
            if other.contractor in node.contractor.children:
                # the composition has run it already, on every slice
                state.seen[number][:, treated] = width[:, treated]
                state.awake[number, treated] = False
            reads = other.reads
            shrank = (width[reads] < (1.0 - other.wake) * state.seen[number][reads]) & (
                state.seen[number][reads] > self.narrow
            )
            state.awake[number] |= shrank.any(axis=0)
        return bool(narrowed.empty.any() or (narrowed.lower > part.lower).any() or (narrowed.upper < part.upper).any())

    def _called(self, node: Node, part: Boxes, books: Books) -> tuple[Narrowed, Account | None]:
        """What a contractor answers, and what that has cost if it is more than its work."""
        if isinstance(node.contractor, Slicing):
            return self._slice(node, part, books)
        return node.contractor.contract(part), None

    def _without_proved(self, before: Boxes, narrowed: Narrowed, report: Report) -> Narrowed:
        """Test the boxes that have become narrower in all variables; those with one zero are dealt with."""
        with np.errstate(invalid="ignore", over="ignore"):
            old, new = before.upper - before.lower, narrowed.upper - narrowed.lower
            point = old <= NARROW * np.maximum(1.0, np.abs(before.lower))
        tested = np.flatnonzero(((new <= CONTRACTED * old) | point).all(axis=0) & ~narrowed.empty)
        if not tested.size or self.prove is None:
            return narrowed
        began = time.perf_counter()
        settled, proved = self.prove(Boxes(narrowed.lower, narrowed.upper).take(tested))
        report.proved.append(proved)
        count = report.statistics.setdefault(TEST, Count())
        count.calls += tested.size
        count.seconds += time.perf_counter() - began
        empty = narrowed.empty.copy()
        empty[tested[settled]] = True
        return Narrowed(narrowed.lower, narrowed.upper, empty)

    def _slice(self, node: Node, boxes: Boxes, books: Books) -> tuple[Narrowed, Account]:
        """Slice the variables that matter most, one after the other."""
        reads = set(node.contractor.reads)
        order = np.argsort(-self.influence(boxes).mean(axis=1), kind="stable").tolist()
        low, high, empty = boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_)
        alive, total, idle = np.arange(boxes.count), Account(), 0
        left = np.inf if node.trial is None else books.left(node.contractor.name, node.trial, node.whole)
        price = books.price(node.contractor.name)
        for v in [v for v in order if v in reads]:
            checkpoint()
            if CALL + node.work * alive.size > left:
                break
            part = Boxes(np.ascontiguousarray(low[:, alive]), np.ascontiguousarray(high[:, alive]))
            narrowed = replace(node.contractor, sliced=(v,)).contract(part)  # type: ignore[type-var]
            low[:, alive], high[:, alive], empty[alive] = narrowed.lower, narrowed.upper, narrowed.empty
            call = Account.of(node.work * part.count, part, narrowed)
            total.add(call)
            gain = price * call.saved - call.work
            left += gain
            idle = 0 if (call.saved >= node.enough * part.count if node.enough else gain > 0.0) else idle + 1
            alive = alive[~narrowed.empty]
            if not alive.size or idle >= (LONGER if node.enough else max(3.0, PATIENCE * boxes.variables)):
                break
        return Narrowed(low, high, empty), total


@dataclass(frozen=True, slots=True)
class _Turns:
    """Which node runs next: what ran in vain is passed over once, then three times, then seven times in a row, unless
    nothing else is awake.
    """

    in_vain: list[int]
    resting: list[int]

    @staticmethod
    def of(nodes: int) -> _Turns:
        """All ready."""
        return _Turns([0] * nodes, [0] * nodes)

    def choose(self, awake: list[int]) -> int | None:
        """The first that does not rest."""
        chosen = next((k for k in awake if not self.resting[k]), awake[0] if awake else None)
        for k in awake:
            self.resting[k] = max(self.resting[k] - 1, 0)
        return chosen

    def ran(self, k: int, gained: bool) -> None:
        """What became of its turn."""
        self.in_vain[k] = 0 if gained else self.in_vain[k] + 1
        self.resting[k] = 2 ** self.in_vain[k] - 1


@dataclass
class _State:
    """A batch on its way: the boxes left, the widths when each node last ran, and which nodes are awake."""

    boxes: Boxes
    kept: NDArray[np.int64]
    seen: list[Floats]
    awake: Flags

    @staticmethod
    def of(boxes: Boxes, nodes: int) -> _State:
        """All awake."""
        seen = [np.full(boxes.lower.shape, np.inf) for _ in range(nodes)]
        return _State(boxes, np.arange(boxes.count), seen, np.ones((nodes, boxes.count), dtype=np.bool_))

    def replace(self, chosen: NDArray[np.int64], narrowed: Narrowed) -> None:
        """Put the narrowed boxes in their places and drop the empty ones."""
        low, high = self.boxes.lower.copy(), self.boxes.upper.copy()
        low[:, chosen], high[:, chosen] = narrowed.lower, narrowed.upper
        keep = np.ones(low.shape[1], dtype=np.bool_)
        keep[chosen] = ~narrowed.empty
        self.boxes = Boxes(low, high).take(keep)
        if not keep.all():
            self.kept = self.kept[keep]
            self.seen = [np.ascontiguousarray(s[:, keep]) for s in self.seen]
            self.awake = np.ascontiguousarray(self.awake[:, keep])


def _widths(boxes: Boxes) -> Floats:
    with np.errstate(over="ignore"):
        return boxes.upper - boxes.lower


def _gain(before: Boxes, after: Narrowed) -> float:
    """The sum over the boxes that remain of the binary logarithms of the widths' ratios."""
    kept = ~after.empty
    with np.errstate(over="ignore"):
        old, new = (
            np.clip(high - low, 1e-300, 1e300)[:, kept]
            for low, high in ((before.lower, before.upper), (after.lower, after.upper))
        )
    return float((np.log2(old) - np.log2(new)).sum())
