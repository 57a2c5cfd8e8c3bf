"""The inside, the outside and the boundary of a set, from a pair of contractors: set inversion by a separator.

The *outer* contractor keeps every point of the set, the *inner* one every point outside of it (`complement` makes one
from the other). A box is narrowed by the first: what goes holds no point of the set. What remains is narrowed by the
second: what goes consists of points of the set, and is cut into *inner* boxes. What is left of both is halved along its
widest side, in units of the width asked for, until it is not wider than that: the *boundary*.

*Coverage:* every point of the domain that belongs to the set lies in an inner, a boundary or an unexplored box, and
every point in the interior of an inner box belongs to the set (at a face a function may jump or end). So the volume
of the set lies between the inner volume and the volume of all three together; both sums are rounded outwards.

Boxes are treated in the order in which they were made, many at a time, so that a limit leaves the largest ones evenly
explored and the answer does not depend on the machine's speed unless a limit is reached: then the boxes under way go
back to the unexplored ones. References: Jaulin, Walter (1993), set inversion via interval analysis; Jaulin, Desrochers
(2014), introduction to the algebra of separators with application to path planning.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoints
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.protocol.contractor import Box
from certify.contractors.short_numbers import shorts_between
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.limits import UNLIMITED, Limit, Stopped
from certify.solvers.search.explore import explore

LARGE = 2**17  # ends of boxes that are treated at once
HUGE = 1e290  # volumes beyond this are not summed


@dataclass(frozen=True, slots=True)
class PavingOptions:
    """A box is not halved if no side exceeds its `width` (one for all variables, or one for each); `batch` boxes are
    treated at once, fewer of many variables. The search ends after `time_limit` seconds, or at the `limit` of its run.
    """

    width: float | tuple[float, ...]
    batch: int = 2048
    cell_limit: int = 2_000_000
    time_limit: float = 3600.0
    limit: Limit = UNLIMITED


@dataclass(frozen=True, slots=True)
class SetPaving:
    """The set lies within `inner`, `boundary` and `unexplored` boxes; each point of an inner box belongs to it."""

    domain: Box
    inner: Boxes
    boundary: Boxes
    unexplored: Boxes
    cells: int
    stopped: Stopped
    seconds: dict[str, float]

    @property
    def volume(self) -> tuple[float, float]:
        """Bounds of the set's volume (its area in two dimensions, its length in one)."""
        inside = total_volume(self.inner)
        return inside[0], _sum_above([inside[1], total_volume(self.boundary)[1], total_volume(self.unexplored)[1]])


@dataclass(frozen=True, slots=True)
class Round:
    """What became of a batch: narrowed by the outer contractor, its `outer.rest` by the inner one, and the `inner.rest`
    halved, unless small.
    """

    boxes: Boxes
    outer: Narrowed
    inner: Narrowed
    small: Flags
    variable: NDArray[np.int64]
    at: Floats


Record = Callable[[Round], None]


class LineOfBoxes:
    """Boxes that wait, the oldest first, kept in the batches in which they came."""

    def __init__(self, variables: int, batches: Iterable[Boxes]) -> None:
        self.batches, self._variables = deque(batches), variables

    def __len__(self) -> int:
        return sum(boxes.count for boxes in self.batches)

    def take(self, most: int) -> Boxes:
        """The boxes that wait longest."""
        taken, found = [], 0
        while self.batches and found < most:
            boxes = self.batches.popleft()
            if found + boxes.count > most:
                self.batches.appendleft(boxes.take(slice(most - found, None)))
                boxes = boxes.take(slice(0, most - found))
            taken.append(boxes)
            found += boxes.count
        return together(taken, self._variables)

    def add(self, boxes: Boxes) -> None:
        """They wait."""
        if boxes.count:
            self.batches.append(boxes)

    def put_back(self, boxes: Boxes) -> None:
        """They come next."""
        if boxes.count:
            self.batches.appendleft(boxes)


@dataclass
class _Search:
    """Boxes that wait, in order, and what became of the others."""

    outer: Contractor
    inner_contractor: Contractor
    width: Floats
    waiting: LineOfBoxes
    limit: Limit
    sides: Floats  # of the domain
    record: Record | None = None
    open: float = 1.0  # about the share of the domain that is neither inside nor outside
    inside: float = 0.0  # about the share that is inside
    inner: list[Boxes] = field(default_factory=list)
    boundary: list[Boxes] = field(default_factory=list)
    cells: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: {"outer": 0.0, "inner": 0.0})

    @property
    def told(self) -> str:
        """The progress."""
        inner = sum(boxes.count for boxes in self.inner)
        settled = math.floor(1000.0 * max(1.0 - self.open, 0.0)) / 10 if np.isfinite(self.sides).all() else None
        most = math.ceil(1000.0 * min(self.inside + max(self.open, 0.0), 1.0)) / 10
        ends = f"{math.floor(1000.0 * self.inside) / 10:g} .. {most:g} %"
        share = "" if settled is None else f", {settled:g} % of the domain settled, about {ends} of it inside"
        return f"{self.cells} boxes{share}, {inner} inner, {len(self.waiting)} to go"

    def _share(self, boxes: Boxes) -> float:
        """About the share of the domain that boxes are."""
        wide = (self.sides > 0.0) & np.isfinite(self.sides)
        return float(((boxes.upper - boxes.lower)[wide] / self.sides[wide, None]).prod(axis=0).sum())

    def step(self, taken: Boxes) -> Boxes:
        """Narrow from both sides and halve what remains. Raises Late, and then nothing was done."""
        began = time.perf_counter()
        with checkpoints(self.limit.check):
            kept = self.outer.contract(taken)
            boxes = kept.rest
            between = time.perf_counter()
            answer = (
                self.inner_contractor.contract(boxes)
                if boxes.count
                else Narrowed(boxes.lower, boxes.upper, np.zeros(0, dtype=np.bool_))
            )
        self.cells += taken.count
        self.seconds["outer"] += between - began
        self.seconds["inner"] += time.perf_counter() - between
        pieces = difference(boxes, Boxes(answer.lower, answer.upper), answer.empty)
        self.inner += pieces
        self.inside += sum(map(self._share, pieces))
        self.open -= self._share(taken)
        small, variable, at, halves = self._halve(answer.rest)
        if self.record is not None:
            self.record(Round(taken, kept, answer, small, variable, at))
        return halves

    def _halve(self, boxes: Boxes) -> tuple[Flags, NDArray[np.int64], Floats, Boxes]:
        """Which boxes are not halved, where the others are, between the variable's ends, and their halves: all the
        lower ones first.
        """
        with np.errstate(over="ignore"):
            sides = (boxes.upper - boxes.lower) / self.width[:, None]
        variable, number = sides.argmax(axis=0), np.arange(boxes.count)
        low, high = boxes.lower[variable, number], boxes.upper[variable, number]
        at = shorts_between(low, high)
        self.open += self._share(boxes)
        small = (sides <= 1.0).all(axis=0) | ~((low < at) & (at < high))
        if small.any():
            self.boundary.append(boxes.take(small))
        rest = np.flatnonzero(~small)
        left, right = boxes.take(rest), boxes.take(rest)
        left.upper[variable[rest], np.arange(rest.size)] = at[rest]
        right.lower[variable[rest], np.arange(rest.size)] = at[rest]
        return small, variable, at, together([left, right], self.width.size)


def set_inversion(
    outer: Contractor,
    inner: Contractor,
    domain: Box,
    options: PavingOptions,
    progress: Callable[[str], None] | None = None,
    surely_inside: Box | None = None,
    record: Record | None = None,
) -> SetPaving:
    """Pave the part of a set that lies in the domain.

    Where its exact ends are no doubles, `domain` encloses it and `surely_inside` lies within it: what is in between is
    boundary. `record` is told of every round, in order.
    """
    width = np.broadcast_to(np.asarray(options.width, dtype=np.float64), domain.lower.shape).copy()
    if not (width > 0.0).all():
        raise ValueError(f"boxes are to be halved to the width {options.width}; give positive numbers")
    whole, core = Boxes.of([domain]), Boxes.of([surely_inside or domain])
    outside_core = np.asarray((core.lower > core.upper).any(axis=0))
    limit = options.limit.within(options.time_limit)
    search = _Search(
        outer,
        inner,
        width,
        LineOfBoxes(width.size, [] if outside_core.any() else [core]),
        limit,
        domain.upper - domain.lower,
        record,
    )
    search.boundary += difference(whole, core, outside_core)
    stopped = _searched(search, options, progress)
    kinds = search.inner, search.boundary, list(search.waiting.batches)
    found, edge, left = (together(boxes, width.size) for boxes in kinds)
    return SetPaving(domain, found, edge, left, search.cells, stopped, search.seconds)


def _searched(search: _Search, options: PavingOptions, progress: Callable[[str], None] | None) -> Stopped:
    """Round after round; why it ended."""

    def room() -> int:
        return options.cell_limit - search.cells

    def tell() -> None:
        if progress is not None:
            progress(search.told)

    batch = min(options.batch, max(1, LARGE // search.width.size))
    return explore(search.waiting, search.step, search.limit, batch, room, tell)


def difference(boxes: Boxes, kept: Boxes, empty: Flags) -> list[Boxes]:
    """Boxes that cover what was removed, where each box was narrowed to the one kept: slabs, variable
    after variable.
    """
    pieces = [boxes.take(empty)] if empty.any() else []
    low, high = boxes.lower.copy(), boxes.upper.copy()
    for v in range(boxes.variables):
        for removed, ends, side in (
            (kept.lower[v] > low[v], kept.lower[v], high),
            (kept.upper[v] < high[v], kept.upper[v], low),
        ):
            some = removed & ~empty
            if some.any():
                slab = Boxes(low, high).take(some)
                (slab.upper if side is high else slab.lower)[v] = ends[some]
                pieces.append(slab)
        low[v], high[v] = np.where(empty, low[v], kept.lower[v]), np.where(empty, high[v], kept.upper[v])
    return pieces


def together(batches: list[Boxes], variables: int) -> Boxes:
    """One batch of several."""
    if not batches:
        return Boxes(np.empty((variables, 0)), np.empty((variables, 0)))
    return Boxes(np.hstack([boxes.lower for boxes in batches]), np.hstack([boxes.upper for boxes in batches]))


def total_volume(boxes: Boxes) -> tuple[float, float]:
    """Bounds of the sum of the volumes: every product rounded outwards, the sum exact but for its last rounding."""
    low, high = np.ones(boxes.count), np.ones(boxes.count)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for v in range(boxes.variables):
            side = boxes.upper[v] - boxes.lower[v]
            low = np.maximum(0.0, np.nextafter(low * np.maximum(0.0, np.nextafter(side, 0.0)), -np.inf))
            high = np.nextafter(high * np.nextafter(side, np.inf), np.inf)
    flat = (boxes.lower == boxes.upper).any(axis=0)
    low, high = np.where(flat | np.isnan(low), 0.0, np.minimum(low, HUGE)), np.where(flat, 0.0, high)
    return max(0.0, -_sum_above((-low).tolist())), _sum_above(high.tolist())


def _sum_above(values: list[float]) -> float:
    """A sum rounded up; infinite beyond HUGE."""
    if any(not value < HUGE for value in values):
        return math.inf
    total = math.fsum(values)
    return math.nextafter(total, math.inf) if total else 0.0
