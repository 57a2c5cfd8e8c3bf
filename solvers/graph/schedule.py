"""The contractor graph of a system, run on batches of boxes: event-driven, cheap before dear.

Variables stand on one side, contractors on the other. For every box a contractor sleeps until a variable that it reads
has shrunk by its `wake` since it last ran; the cheapest contractor that is awake for some box runs first, on just these
boxes. Which variables are sliced, and how many, is learnt from time to time (after Trombettoni and Neveu's adaptive
CID): slicing is tried on all variables, most influential first, and kept for those up to the last that was worth it.
What is learnt changes between batches only, so that a result depends neither on the number of threads nor on the speed
of the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint, checkpoints
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.graph.components import Count, Statistics
from certify.solvers.limits import UNLIMITED, Late, Limit

PATIENCE = 12  # so many slicings in a row that were not worth it end the attempt
NARROW = 1e-7  # a variable narrower than this wakes nobody
STRAGGLERS = 0.25  # of a batch: so few boxes are halved rather than narrowed on
PERIOD, LEARNING = 1000, 100  # of so many boxes, the first ones learn which slicings are worth it


@dataclass(frozen=True)
class Node:
    """A contractor in the graph; it wakes when a variable shrank by the factor 1 - wake.

    A `Slicing` is run on the variables that are worth it: a slicing of one variable must gain `worth` (the part of
    boxes lost, plus the sum of the logarithms of widths).
    """

    contractor: Contractor
    wake: float
    worth: float = 0.0


@dataclass(slots=True)
class Learnt:
    """How many variables each slicing node treats: the mean over the boxes of the present period that
    have learnt it.
    """

    slices: dict[str, int] = field(default_factory=dict)
    boxes: int = 0
    _sums: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def learning(self) -> bool:
        """Whether the next batches try all variables."""
        return self.boxes % PERIOD < LEARNING

    def take_up(self, reports: list[Report]) -> None:
        """What the batches of one round have taught, in their order."""
        for report in reports:
            if self.boxes // PERIOD != (self.boxes + report.boxes) // PERIOD:
                self._sums.clear()
            self.boxes += report.boxes
            for name, (useful, boxes) in report.useful.items():
                total, count = self._sums.get(name, (0, 0))
                self._sums[name] = total + useful * boxes, count + boxes
                self.slices[name] = round(self._sums[name][0] / self._sums[name][1])


@dataclass(slots=True)
class Report:
    """What one batch has cost and taught."""

    boxes: int
    late: bool = False  # what remains may be narrowed further
    statistics: Statistics = field(default_factory=dict)
    useful: dict[str, tuple[int, int]] = field(default_factory=dict)


Influence = Callable[[Boxes], Floats]


@dataclass(frozen=True)
class Graph:
    """The nodes, cheapest first; `influence` ranks variables (axis 0) in each box (axis 1)."""

    nodes: tuple[Node, ...]
    influence: Influence

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

    def run(self, boxes: Boxes, learnt: Learnt, limit: Limit = UNLIMITED) -> tuple[Boxes, NDArray[np.int64], Report]:
        """Narrow a batch to a standstill, or until it is late; what remains of it, in order, and which boxes these
        were.
        """
        report, state = Report(boxes.count), _State.of(boxes, len(self.nodes))
        try:
            with checkpoints(limit.check):
                self._narrow(state, learnt, report)
        except Late:
            report.late = True
        return state.boxes, state.kept, report

    def _narrow(self, state: _State, learnt: Learnt, report: Report) -> None:
        """The cheapest node that is awake for some boxes, again and again."""
        while state.boxes.count:
            awake = np.flatnonzero(state.awake.sum(axis=1) > STRAGGLERS * state.boxes.count)
            if not awake.size:
                break
            checkpoint()
            self._run_node(int(awake[0]), state, learnt, report)

    def _run_node(self, k: int, state: _State, learnt: Learnt, report: Report) -> None:
        node = self.nodes[k]
        chosen = np.flatnonzero(state.awake[k])
        before = _widths(state.boxes)
        state.seen[k][:, chosen] = before[:, chosen]
        state.awake[k] = False
        began = time.perf_counter()
        part = state.boxes.take(chosen)
        sliced = isinstance(node.contractor, Slicing)
        narrowed = self._slice(node, part, learnt, report) if sliced else node.contractor.contract(part)
        count = report.statistics.setdefault(node.contractor.name, Count())
        count.calls += chosen.size
        count.seconds += time.perf_counter() - began
        count.refuted += int(narrowed.empty.sum())
        count.gain += _gain(part, narrowed)
        kept_before = state.kept
        state.replace(chosen, narrowed)
        width = _widths(state.boxes)
        treated = np.searchsorted(state.kept, kept_before[chosen][~narrowed.empty])
        for number, other in enumerate(self.nodes):
            if other.contractor in node.contractor.children:
                # the composition has run it already, on every slice
                state.seen[number][:, treated] = width[:, treated]
                state.awake[number, treated] = False
            reads = list(other.contractor.reads)
            shrank = (width[reads] < (1.0 - other.wake) * state.seen[number][reads]) & (
                state.seen[number][reads] > NARROW
            )
            state.awake[number] |= shrank.any(axis=0)

    def _slice(self, node: Node, boxes: Boxes, learnt: Learnt, report: Report) -> Narrowed:
        """Slice the variables that matter most, one after the other."""
        name, order = node.contractor.name, np.argsort(-self.influence(boxes).mean(axis=1), kind="stable").tolist()
        reads = set(node.contractor.reads)
        order = [v for v in order if v in reads]
        low, high, empty = boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_)
        alive = np.arange(boxes.count)
        useful = 0
        for position, v in enumerate(order if learnt.learning else order[: learnt.slices.get(name, 0)]):
            checkpoint()
            part = Boxes(np.ascontiguousarray(low[:, alive]), np.ascontiguousarray(high[:, alive]))
            narrowed = replace(node.contractor, sliced=(v,)).contract(part)  # type: ignore[type-var]
            low[:, alive], high[:, alive], empty[alive] = narrowed.lower, narrowed.upper, narrowed.empty
            if _gain(part, narrowed) + narrowed.empty.sum() > node.worth * part.count:
                useful = position + 1
            alive = alive[~narrowed.empty]
            if not alive.size or position - useful >= PATIENCE:
                break
        if learnt.learning:
            report.useful[name] = useful, boxes.count
        return Narrowed(low, high, empty)


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
    """The sum over the boxes that remain of the logarithms of the widths' ratios."""
    kept = ~after.empty
    with np.errstate(over="ignore"):
        old, new = (
            np.clip(high - low, 1e-300, 1e300)[:, kept]
            for low, high in ((before.lower, before.upper), (after.lower, after.upper))
        )
    return float((np.log(old) - np.log(new)).sum())
