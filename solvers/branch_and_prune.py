"""All solutions of a system in a box: narrow, prove, halve; hundreds of boxes at a time.

Each round takes the newest boxes, narrows them together (hull consistency, first-order consistency, slicing where
these stall, interval Newton) and halves those that remain, along the variable on which the constraints depend most. A
box that Krawczyk's test proves to hold exactly one zero is refined and kept; the test is also made on a slightly
larger box, so that zeros on the faces of the bisection are found. *Coverage:* every solution in the box lies in one
of the proved, the undecided or the unexplored boxes. The result does not depend on the machine's speed unless a limit
is reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from contractors.boxes import Boxes, Narrowed
from contractors.disjunction import Disjunction
from contractors.equations import Equations
from contractors.evaluation import Flags, Floats
from contractors.hull_consistency import HullConsistency
from contractors.interval_newton import interval_newton
from contractors.narrowing import Box
from contractors.taylor_consistency import TaylorConsistency
from solvers.refutation import Stopped

INFLATION = 0.1
REPETITIONS = 3  # of the cheap contractors on one batch
SHRUNK = 0.5  # of the sum of logarithms: less is not worth another round
LEARNING_PERIOD, LEARNING_ROUNDS = 40, 4
LEAST_SLICING_GAIN = 0.1  # of the boxes, or of the sum of logarithms of a box's widths
CENTRED = 0.45  # where a box is halved: not at the middle, where zeros of symmetrical systems lie


@dataclass(frozen=True, slots=True)
class Options:
    """Boxes narrower than `width` are not halved any more; `batch` boxes are treated at once."""

    width: float = 1e-8
    batch: int = 256
    cell_limit: int = 10_000_000
    time_limit: float = 3600.0
    slicing: bool = True


@dataclass(frozen=True, slots=True)
class Solution:
    """A box that holds exactly one zero of the equations, and the larger box in which this zero is the only one."""

    enclosure: Box
    only_one_in: Box


@dataclass(frozen=True, slots=True)
class Paving:
    """What was found; every solution lies in one of these boxes. `inner` boxes satisfy every constraint at every point."""

    solutions: tuple[Solution, ...]
    inner: tuple[Box, ...]
    undecided: tuple[Box, ...]
    unexplored: tuple[Box, ...]
    cells: int
    stopped: Stopped
    seconds: dict[str, float]


@dataclass
class _Search:
    """The state of one search; boxes are columns of arrays (variables, batch)."""

    equations: Equations
    options: Options
    domain: Box
    surely_inside: Box
    stack: list[Box]
    solutions: list[Solution] = field(default_factory=list)
    inner: list[Box] = field(default_factory=list)
    undecided: list[Box] = field(default_factory=list)
    cells: int = 0
    rounds: int = 0
    slices: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, call: Callable[[], Narrowed]) -> tuple[Floats, Floats]:
        """Run a contractor and drop the boxes that it empties."""
        began = time.perf_counter()
        narrowed = call()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
        return narrowed.rest.lower, narrowed.rest.upper

    def narrow(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Everything but Newton."""
        equations = self.equations
        shrunk = True
        for _ in range(REPETITIONS):
            before = _size(low, high)
            low, high = self.timed("hull", partial(HullConsistency(equations).contract, Boxes(low, high)))
            if low.shape[1]:
                low, high = self.timed("taylor", partial(TaylorConsistency(equations).contract, Boxes(low, high)))
            shrunk = _size(low, high) < before - SHRUNK
            if not low.shape[1] or not shrunk:
                break
        if low.shape[1] and self.options.slicing and not shrunk:
            low, high = self._slice(low, high)
        return low, high

    def _slice(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Slice the variables that matter most; how many is learnt, now and then, from what slicing all of them gains one after the other."""
        order = np.argsort(-_smear(self.equations, low, high).mean(axis=1), kind="stable").tolist()
        learning = self.rounds % LEARNING_PERIOD < LEARNING_ROUNDS
        useful = 0
        for position, v in enumerate(order if learning else order[: self.slices]):
            before, count = _size(low, high), low.shape[1]
            low, high = self.timed("slicing", partial(Disjunction(HullConsistency(self.equations, sweeps=2), (v,)).contract, Boxes(low, high)))
            if not low.shape[1]:
                useful = max(useful, position + 1)
                break
            gain = before - _size(low, high) + (count - low.shape[1]) / count
            if gain > LEAST_SLICING_GAIN:
                useful = position + 1
        if learning:
            self.slices = (self.slices + useful + 1) // 2
        return low, high

    def settle_inequalities(self, low: Floats, high: Floats) -> Flags:
        """Which boxes satisfy all constraints at all points."""
        values = self.equations.values(low, high)
        allowed = (values.lower >= self.equations.lower[:, None]) & (values.upper <= self.equations.upper[:, None])
        return np.asarray(allowed.all(axis=0) & values.defined)

    def round(self) -> None:
        """Treat the newest boxes."""
        taken = self.stack[-self.options.batch :]
        del self.stack[-self.options.batch :]
        self.cells += len(taken)
        self.rounds += 1
        low, high = self.narrow(np.array([b.lower for b in taken]).T, np.array([b.upper for b in taken]).T)
        if low.shape[1] and self.equations.square:
            low, high = self._newton(low, high)
        if low.shape[1] and not self.equations.equalities.size:
            inside = self.settle_inequalities(low, high)
            self.inner += [Box(low[:, k].copy(), high[:, k].copy()) for k in np.flatnonzero(inside)]
            low, high = low[:, ~inside], high[:, ~inside]
        if low.shape[1]:
            self._halve(low, high)

    def _newton(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Narrow, keep proved zeros, and return what needs more work."""
        began = time.perf_counter()
        newton = interval_newton(self.equations, low, high)
        low, high, proved = newton.lower[:, ~newton.empty], newton.upper[:, ~newton.empty], newton.unique[~newton.empty]
        rest = ~proved
        if rest.any():
            pad = INFLATION * (high - low)[:, rest] + 1e-12 * (1.0 + np.abs(low[:, rest]))
            wide_low, wide_high = low[:, rest] - pad, high[:, rest] + pad
            wider = interval_newton(self.equations, wide_low, wide_high)
            found = np.flatnonzero(rest)[wider.unique]
            for k in np.flatnonzero(wider.unique):
                self._keep(Box(wider.lower[:, k], wider.upper[:, k]), Box(wide_low[:, k], wide_high[:, k]))
            rest[found] = False
        for k in np.flatnonzero(proved):
            self._keep(Box(low[:, k], high[:, k]), Box(low[:, k], high[:, k]))
        self.seconds["newton"] = self.seconds.get("newton", 0.0) + time.perf_counter() - began
        return np.ascontiguousarray(low[:, rest]), np.ascontiguousarray(high[:, rest])

    def _keep(self, enclosure: Box, only_one_in: Box) -> None:
        """Refine a proved zero; drop it if it lies outside the domain or was found before."""
        for _ in range(10):
            step = interval_newton(self.equations, enclosure.lower[:, None], enclosure.upper[:, None])
            refined = Box(step.lower[:, 0], step.upper[:, 0])
            if (refined.radius >= 0.9 * enclosure.radius).all():
                break
            enclosure = refined
        if (enclosure.lower > self.domain.upper).any() or (enclosure.upper < self.domain.lower).any():
            return
        for other in self.solutions:
            if _within(enclosure, other.only_one_in) or _within(other.enclosure, only_one_in):
                return
        satisfied = self._other_constraints(enclosure)
        if satisfied is False:
            return
        if satisfied is None or not _within(enclosure, self.surely_inside):
            self.undecided.append(enclosure)
        else:
            self.solutions.append(Solution(enclosure, only_one_in))

    def _other_constraints(self, box: Box) -> bool | None:
        """Whether the inequalities hold at the zero in this box; None if that is not proved either way."""
        others = np.setdiff1d(np.arange(self.equations.lower.size), self.equations.equalities)
        values = self.equations.values(box.lower[:, None], box.upper[:, None])
        low, high = values.lower[others, 0], values.upper[others, 0]
        if (low > self.equations.upper[others]).any() or (high < self.equations.lower[others]).any():
            return False
        inside = values.defined[0] and (low >= self.equations.lower[others]).all() and (high <= self.equations.upper[others]).all()
        return True if inside else None

    def _halve(self, low: Floats, high: Floats) -> None:
        """Push both halves of every box that is wide enough."""
        score, width = _smear(self.equations, low, high), high - low
        score[np.isinf(width)] += low.shape[0]
        score[width <= np.maximum(1e-3 * self.options.width, 1e-15 * np.abs(low))] = -1.0
        chosen = score.argmax(axis=0)
        for k in range(low.shape[1]):
            if width[:, k].max() <= self.options.width or score[chosen[k], k] < 0.0:
                self.undecided.append(Box(low[:, k].copy(), high[:, k].copy()))
                continue
            v = chosen[k]
            at = _cut_point(float(low[v, k]), float(high[v, k]))
            left, right = high[:, k].copy(), low[:, k].copy()
            left[v] = right[v] = at
            self.stack += [Box(low[:, k].copy(), left), Box(right, high[:, k].copy())]


def _size(low: Floats, high: Floats) -> float:
    """The mean over boxes of the sum of logarithms of the widths."""
    return float(np.log(np.clip(high - low, 1e-300, 1e300)).sum(axis=0).mean()) if low.shape[1] else -np.inf


def _cut_point(low: float, high: float) -> float:
    """Where an interval is halved; an unbounded one at 0, or geometrically further out, until the constraints bound it."""
    if np.isfinite(low) and np.isfinite(high):
        return (1.0 - CENTRED) * low + CENTRED * high
    if np.isfinite(low):
        return low + max(1.0, abs(low))
    return high - max(1.0, abs(high)) if np.isfinite(high) else 0.0


def _smear(equations: Equations, low: Floats, high: Floats) -> Floats:
    """For each variable (axis 0) and box the sum over rows of its share in the row's variation: |slope| times width."""
    slope_low, slope_high, _ = equations.slopes(low, high)
    with np.errstate(invalid="ignore", over="ignore"):
        variation = np.nan_to_num(np.maximum(np.abs(slope_low), np.abs(slope_high)), nan=1e300, posinf=1e300) * (high - low)[None]
        share = (variation / (variation.sum(axis=1, keepdims=True) + 1e-300)).sum(axis=0)
    return np.asarray(np.where(np.isfinite(share), share, 0.0))


def _within(inner: Box, outer: Box) -> bool:
    return bool((outer.lower <= inner.lower).all() and (inner.upper <= outer.upper).all())


def branch_and_prune(
    equations: Equations,
    domain: Box,
    options: Options | None = None,
    progress: Callable[[str], None] | None = None,
    surely_inside: Box | None = None,
) -> Paving:
    """All solutions of the system in the domain.

    Where its exact ends are no doubles, `domain` encloses it and `surely_inside` lies within it: a zero in between stays undecided.
    """
    options = options or Options()
    search = _Search(equations, options, domain, surely_inside or domain, [domain])
    began = time.perf_counter()
    stopped = Stopped.FINISHED
    while search.stack:
        if time.perf_counter() - began > options.time_limit:
            stopped = Stopped.TIME
            break
        if search.cells >= options.cell_limit:
            stopped = Stopped.SPLITS
            break
        search.round()
        if progress is not None:
            progress(f"{search.cells} boxes, {len(search.stack)} to go, {len(search.solutions)} solutions proved")
    solutions = tuple(sorted(search.solutions, key=lambda s: tuple(s.enclosure.lower)))
    return Paving(solutions, tuple(search.inner), tuple(search.undecided), tuple(search.stack), search.cells, stopped, search.seconds)
