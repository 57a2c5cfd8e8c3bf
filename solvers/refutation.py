"""Branch and refute: prove that a box holds no feasible point, or say which part remains.

Depth first. A box is narrowed through the contractor graph; when that stalls it is halved where the rows vary most
across it (smear). Every box removed has its reason in the trace. A box that stays is handed to `candidate`, which may
find a feasible point in it: then the claim was false and the search ends at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from contractors.derivative import gradient
from contractors.evaluation import evaluate
from contractors.narrowing import Box
from contractors.rows import Rows
from solvers.contractor_graph import Scheduler
from solvers.limits import Stopped
from solvers.trace import Branch, Steps


@dataclass(frozen=True, slots=True)
class Refutation:
    """The trace, why it stopped, the box that stopped it if any, and the number of splits."""

    steps: Steps
    stopped: Stopped
    remaining: Box | None
    splits: int


def refute(
    scheduler: Scheduler,
    blocks: tuple[Rows, ...],
    box: Box,
    epsilon: float,
    candidate: Callable[[Box], bool],
    deadline: float,
    split_limit: int = 20000,
    progress: Callable[[str], None] | None = None,
) -> Refutation:
    """Try to empty the box of points that satisfy every row within epsilon; `deadline` on `time.perf_counter`."""
    root = Steps()
    stack = [(box, root)]
    splits = 0

    def late() -> bool:
        return time.perf_counter() > deadline

    while stack:
        box, steps = stack.pop()
        box = scheduler.run(box, epsilon, steps, late)
        if steps.end is not None:
            continue
        if candidate(box):
            return Refutation(root, Stopped.FEASIBLE, box, splits)
        variable = _widest(scheduler, blocks, box)
        at = _middle(box, variable)
        if late() or splits >= split_limit or at is None:
            why = Stopped.TIME if late() else Stopped.SPLITS if at is not None else Stopped.WIDTH
            return Refutation(root, why, box, splits)
        splits += 1
        if progress is not None:
            left = max(deadline - time.perf_counter(), 0.0)
            progress(f"refuting {epsilon:.6g}: {splits} bisections, {len(stack) + 2} boxes to go, {left:.0f} s left")
        lower, upper = Steps(), Steps()
        steps.end = Branch(variable, at, lower, upper)
        highest, lowest = box.upper.copy(), box.lower.copy()
        highest[variable] = lowest[variable] = at
        stack.append((Box(lowest, box.upper), upper))
        stack.append((Box(box.lower, highest), lower))
    return Refutation(root, Stopped.FINISHED, None, splits)


def _widest(scheduler: Scheduler, blocks: tuple[Rows, ...], box: Box) -> int:
    """The variable along which the rows vary most: half-width times the largest slope at the centre."""
    smear = np.zeros(box.lower.size)
    centre, radius = box.centre, box.radius
    for number in scheduler.component.blocks:
        rows = blocks[number]
        middle = 0.5 * (rows.lower + rows.upper)
        slopes = evaluate(gradient(rows.tape), *rows.with_box(centre, centre, middle, middle))
        for i in rows.unknown_inputs:
            place = rows.unknowns[i]
            smear[place] = max(smear[place], np.abs(slopes.estimated_middle[1 + i]).max() * radius[place])
    return int(smear.argmax())


def _middle(box: Box, variable: int) -> float | None:
    """A short dyadic number near the middle of a variable's interval, or None if there is none inside."""
    low, high = float(box.lower[variable]), float(box.upper[variable])
    width = high - low
    if not width > 1e-13 * max(1.0, abs(low), abs(high)):
        return None
    grid = 2.0 ** (np.floor(np.log2(width)) - 4.0)
    at = float(np.round(0.5 * (low + high) / grid) * grid)
    return at if low < at < high else None


