"""Branch and refute: prove that a box holds no feasible point, or say which part remains.

Depth first. A box is narrowed through the contractor graph; when that stalls it is halved where the rows vary most
across it (smear). Every box removed has its reason in the trace. A box that stays is handed to `candidate`, which may
find a feasible point in it: then the claim was false and the search ends at once. A search that paused or came to a
limit is gone on with where it stood.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.short_numbers import short_between
from certify.contractors.tape.evaluation import Floats
from certify.solvers.graph.components import Component, build_refuting, build_without_lift, smear
from certify.solvers.journal.plain import Plain
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Branch, Row, Steps
from certify.solvers.search.before_refuting import CODEC, NO_NARROWINGS, Narrowings, told
from certify.solvers.search.explore import Ended, Stack, explore
from certify.solvers.workers.texts import PlainConstraints, constraints_of, plain_constraints
from certify.solvers.workers.work import Task

BITS = 4  # of the places where boxes are halved
NARROWEST = 1e-13  # of the whole interval, and of its ends: what is narrower is not halved


@dataclass(frozen=True, slots=True)
class Refutation:
    """The trace, why it stopped, the box that stopped it if any, the number of splits, and the boxes that were not
    looked at to the end.

    `rows` are those that it was about, if not about all (see thinning); as long as it is not finished the trace numbers
    them alone.
    """

    steps: Steps
    stopped: Stopped
    remaining: Box | None
    splits: int
    waiting: tuple[tuple[Box, Steps], ...] = ()
    rows: tuple[Row, ...] | None = None


def untried(why: Stopped, before: Refutation | None = None) -> Refutation:
    """What there is where a limit came before anything was tried: nothing, or what was left `before`."""
    return Refutation(Steps(), why, None, 0) if before is None else replace(before, stopped=why, splits=0)


def never() -> bool:
    """No pause."""
    return False


Waits = tuple[Box, Steps]


@dataclass
class _Refuting:
    """One question that is being refuted: its tools, and the bisections so far."""

    component: Component
    candidate: Callable[[Box], bool]
    limit: Limit
    split_limit: int
    pause: Callable[[], bool]
    whole: Floats
    before: Narrowings = NO_NARROWINGS
    splits: int = 0
    feasible: Box | None = None

    def stop(self) -> bool:
        """Whether to leave a box as it is."""
        return self.limit.late() or self.pause()

    def step(self, taken: list[Waits]) -> list[Waits]:
        """Narrow a box; halve what is left of it."""
        box, steps = self._narrowed(*taken[0])
        if steps.end is not None:
            return []
        if not self.stop() and self._is_feasible(box, steps):
            self.feasible = box
            raise Ended(Stopped.FEASIBLE)
        if self.stop():
            raise Ended(self.limit.reached(Stopped.PAUSED), [(box, steps)])
        at = _place(self.component, box, self.whole)
        if at is None or self.splits >= self.split_limit:
            raise Ended(Stopped.WIDTH if at is None else Stopped.SPLITS, [(box, steps)])
        self.splits += 1
        halves = _halves(box, steps, *at)
        self.before.expect(halves[0][0])
        return halves

    def _narrowed(self, box: Box, steps: Steps) -> Waits:
        """What is left, and where its steps go on; nothing is written if this is broken off."""
        known = self.before.recalled(box)
        if known is None:
            new = Steps()
            worked = self.before.worked
            after, rest = self.component.narrow(box, new, self.stop)
            if not self.stop():
                self.before.keep(box, after, new, rest, worked)
            box = after
        else:
            box, new, rest = known
        steps.actions += new.actions
        steps.end = new.end
        return box, steps if rest is new else rest

    def _is_feasible(self, box: Box, steps: Steps) -> bool:
        try:
            return self.candidate(box)
        except Late as late:
            raise Ended(late.why, [(box, steps)]) from None


def refute(
    component: Component,
    box: Box,
    candidate: Callable[[Box], bool],
    limit: Limit,
    split_limit: int = 20000,
    progress: Callable[[str], None] | None = None,
    pause: Callable[[], bool] = never,
    before: Refutation | None = None,
    narrowings: Narrowings = NO_NARROWINGS,
) -> Refutation:
    """Try to empty the box of points that satisfy every row within the epsilon of its constraints; goes on with what
    was left waiting `before`, the same question. Boxes whose `narrowings` are known are not narrowed again.
    """
    root = Steps() if before is None else before.steps
    waiting = Stack([(box, root)] if before is None else before.waiting)
    search = _Refuting(component, candidate, limit, split_limit, pause, box.upper - box.lower, narrowings)

    def tell() -> None:
        if progress is not None:
            progress(
                f"refuting {component.constraints.epsilon:.6g}: {search.splits} bisections, "
                f"{len(waiting)} boxes to go, {limit.remaining:.0f} s left"
            )

    stopped = explore(waiting, search.step, limit, progress=tell)
    narrowings.end()
    if stopped is Stopped.FEASIBLE:
        return Refutation(root, stopped, search.feasible, search.splits)
    remaining = waiting[-1][0] if waiting else None
    return Refutation(root, stopped, remaining, search.splits, tuple(waiting))


def _halves(box: Box, steps: Steps, variable: int, at: float) -> list[tuple[Box, Steps]]:
    """The upper half and the lower one, which comes first."""
    lower, upper = Steps(), Steps()
    steps.end = Branch(variable, at, lower, upper)
    highest, lowest = box.upper.copy(), box.lower.copy()
    highest[variable] = lowest[variable] = at
    return [(Box(lowest, box.upper), upper), (Box(box.lower, highest), lower)]


def halved(component: Component, box: Box) -> tuple[Steps, list[tuple[Box, Steps]]] | None:
    """A box halved where its rows vary most, and what is to be done about the halves; None if it is too narrow."""
    at, steps = _place(component, box, box.upper - box.lower), Steps()
    return None if at is None else (steps, _halves(box, steps, *at))


def _place(component: Component, box: Box, whole: Floats) -> tuple[int, float] | None:
    """Where to halve a box, which is a part of one with these widths."""
    variable = int(smear(component.constraints, box).argmax())
    at = _middle(box, variable, float(whole[variable]))
    return None if at is None else (variable, at)


def _middle(box: Box, variable: int, whole: float) -> float | None:
    """A short number near the middle of a variable's interval, or None if that is hardly anything of the whole,
    or of doubles.
    """
    low, high = float(box.lower[variable]), float(box.upper[variable])
    if not high - low > NARROWEST * max(whole, abs(low), abs(high)):
        return None
    at = short_between(low, high, bits=BITS)
    return at if low < at < high else None


TEXT = Plain()
Text = tuple[PlainConstraints, Floats, bool]


def refuting_text(constraints: Constraints, whole: Floats, lifted: bool) -> bytes:
    """A question for workers: rows, the widths of the whole box, and whether all contractors are asked."""
    return TEXT.encode((plain_constraints(constraints), whole, lifted))


def open_refuting(text: bytes) -> Task:
    """A worker narrows and halves boxes as it is done here, the lower halves first, for a while."""
    rows, whole, lifted = TEXT.decode(text, Text)
    constraints, meter = constraints_of(rows), Ranges()
    component = (build_refuting if lifted else build_without_lift)(constraints, meter)

    def narrowed(box: Box, limit: Limit) -> tuple[bytes, list[Box]]:
        """What is told of a box, and its halves, the lower one last."""
        steps, before = Steps(), meter.effort
        after, rest = component.narrow(box, steps, limit.late)
        limit.check()
        data = told(after, steps, rest, meter.effort - before)
        at = None if rest.end is not None else _place(component, after, whole)
        return data, [] if at is None else [half for half, _ in _halves(after, rest, *at)]

    def answer(piece: bytes, limit: Limit) -> bytes:
        key, seconds = CODEC.decode(piece, tuple[bytes, float])
        until, waiting, found = time.perf_counter() + seconds, [CODEC.decode(key, Box)], []
        meter.limit = limit
        while waiting:
            box = waiting.pop()
            data, halves = narrowed(box, limit)
            found.append((CODEC.encode(box), data))
            waiting += halves
            if time.perf_counter() > until:
                break
        return CODEC.encode((tuple(found), tuple(CODEC.encode(box) for box in waiting)))

    return answer
