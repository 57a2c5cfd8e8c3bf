"""How an interrupted refutation has narrowed boxes, as its journal has it, or as workers have done ahead.

What is read is judged: what is left of a box lies in it, and cuts name variables and rows that there are. Whether the
reasons hold is judged where a certificate is written: every step is replayed in the checker's arithmetic, those of a
journal, or of a worker, as all others.

What a worker says is what would be found here, so that a tree is the same whoever has narrowed which box; a box that
would take more work than there may be is narrowed here, so that a pause comes where it would have come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import inf
from typing import Protocol

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, ProductTerm, Reason, RowTerm
from certify.contractors.tape.evaluation import Floats
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.limits import Limit
from certify.solvers.proof.trace import Branch, Framed, Prepared, Refuted, Steps, reasons
from certify.solvers.workers.crew import AHEAD, Answer, Crew, believed, waited
from certify.solvers.workers.work import Work

Found = tuple[tuple[tuple[bytes, bytes], ...], tuple[bytes, ...]]  # boxes and what is told of them; boxes that are left
Known = tuple[Box, Steps, Steps]  # what is left of a box, the steps, and where among them it goes on
CODEC = Plain(Box, Steps, Branch, Refuted, Prepared, Framed, Cut, Evaluate, Aggregate, RowTerm, ProductTerm)
FORMS = ("q", "m", "t")


class Meter(Protocol):
    """What counts the work of a refutation, which pauses after so much of it."""

    effort: int


@dataclass
class _Nothing:
    effort: int = 0


@dataclass(frozen=True)
class Narrowings:
    """`memory` of one question about rows (so many in each block) and columns; `meter` counts what they cost."""

    memory: Memory
    rows: Mapping[int, int]
    columns: int
    meter: Meter
    ahead: Ahead | None = None

    @property
    def worked(self) -> int:
        """The work so far."""
        return self.meter.effort

    def recalled(self, box: Box) -> Known | None:
        """How a box was narrowed; its cost counts as if it were paid now. Raises Late."""
        known = self.memory.recall(partial(CODEC.encode, box), partial(self._read, box))
        if known is not None or self.ahead is None:
            return known
        data = self.ahead.told(box)
        known = believed(data, partial(self._read, box, most=self.ahead.most))
        if known is not None and data is not None:
            self.memory.keep(partial(CODEC.encode, box), lambda: data)
        return known

    def expect(self, box: Box) -> None:
        """A box will be narrowed later."""
        if self.ahead is not None:
            self.ahead.ask(box)

    def keep(self, box: Box, after: Box, steps: Steps, rest: Steps, worked: int) -> None:
        """How it is narrowed now, from so much work on."""
        data = partial(told, after, steps, rest, self.worked - worked)
        self.memory.keep(partial(CODEC.encode, box), data)

    def end(self) -> None:
        """No box will be narrowed any more."""
        if self.ahead is not None:
            self.ahead.end()

    def _read(self, box: Box, data: bytes, most: float = inf) -> Known:
        after, steps, way, worked = CODEC.decode(data, tuple[Box, Steps, tuple[bool, ...], int])
        rest = _at(steps, way)
        if not (worked >= 0 and _inside(after, box) and self._sound(steps, box.lower.size)):
            raise Damaged("narrowings of another box")
        if self.meter.effort + worked > most:
            raise Damaged("more work than there may be")
        self.meter.effort += worked
        return after, steps, rest

    def _sound(self, steps: Steps, variables: int) -> bool:
        """Whether all that steps name is there."""
        waiting = [steps]
        while waiting:
            place = waiting.pop()
            if not all(_placed(action, variables) for action in place.actions):
                return False
            if isinstance(place.end, Branch):
                if not (0 <= place.end.variable < variables and np.isfinite(place.end.at)):
                    return False
                waiting += [place.end.lower, place.end.upper]
        return all(self._names(reason, variables) for reason in reasons(steps))

    def _names(self, reason: Reason, variables: int) -> bool:
        if isinstance(reason, Evaluate):
            return 0 <= reason.row < self.rows.get(reason.block, 0)
        terms = all(
            term.form in FORMS
            and term.side in (-1, 1)
            and 0 <= term.row < self.rows.get(term.block, 0)
            and 0.0 < term.weight < np.inf
            for term in reason.rows
        )
        products = all(
            0 <= term.first < variables
            and 0 <= term.second < variables
            and {term.first_sign, term.second_sign} <= {-1, 1}
            and 0.0 < term.weight < np.inf
            for term in reason.products
        )
        return terms and products and all(0 <= column < self.columns for column in reason.further)


NO_NARROWINGS = Narrowings(NOTHING, {}, 0, _Nothing())


def told(after: Box, steps: Steps, rest: Steps, worked: int) -> bytes:
    """What is kept of a box: what is left of it, the steps, where among them it goes on, and its cost. Raises
    Damaged.
    """
    way = _way(steps, rest)
    if way is None:
        raise Damaged("steps that lead nowhere")
    return CODEC.encode((after, steps, way, worked))


@dataclass
class Ahead:
    """Boxes that workers narrow before their turn comes, and the parts of these; `work` says of which question, `most`
    how much work there may be.
    """

    crew: Crew
    work: Callable[[], Work]
    limit: Limit
    most: float
    _wanted: list[tuple[int, bytes]] = field(default_factory=list)  # with the turn of the box that they come from
    _asked: dict[bytes, tuple[int, Answer]] = field(default_factory=dict)
    _known: dict[bytes, bytes] = field(default_factory=dict)
    _turns: int = 0

    def ask(self, box: Box) -> None:
        """Somebody may begin with a box; the last one comes first, as here."""
        self._turns += 1
        self._wanted.append((self._turns, CODEC.encode(box)))
        self._go_on()

    def _go_on(self) -> None:
        """What workers have found is taken up, and they get what is needed next."""
        for key in [key for key, (_, answer) in self._asked.items() if answer.done()]:
            turn, answer = self._asked.pop(key)
            self._take_up(turn, answer.result())
        while self._wanted and len(self._asked) < AHEAD * self.crew.count:
            turn, key = self._wanted.pop()
            piece = CODEC.encode((key, self.crew.seconds))
            self._asked[key] = turn, self.crew.ask(self.work(), piece, self.limit.remaining)

    def told(self, box: Box) -> bytes | None:
        """How a box was narrowed, if somebody has begun with it. Raises Late."""
        key = CODEC.encode(box)
        self._wanted = [other for other in self._wanted if other[1] != key]
        if key in self._asked:
            turn, answer = self._asked.pop(key)
            if not answer.cancel():
                self._take_up(turn, waited(answer, self.limit))
        self._go_on()
        return self._known.pop(key, None)

    def _take_up(self, turn: int, data: bytes | None) -> None:
        """What a worker has found; somebody goes on where it has stopped."""
        found = believed(data, partial(CODEC.decode, kind=Found))
        if found is not None:
            self._known.update(found[0])
            self._wanted += [(turn, key) for key in found[1]]
            self._wanted.sort(key=lambda one: one[0])

    def end(self) -> None:
        """Nobody need begin any more."""
        for _, answer in self._asked.values():
            answer.cancel()


def _placed(action: Prepared | Framed | Cut, variables: int) -> bool:
    """Whether an action is about one of the variables; frames are no part of what is kept."""
    if isinstance(action, Cut):
        return 0 <= action.variable < variables and bool(np.isfinite(action.at))
    return isinstance(action, Prepared) and 0 < action.cells <= 64


def _inside(after: Box, box: Box) -> bool:
    shapes = {ends.shape for ends in (after.lower, after.upper, box.lower)}
    if len(shapes) > 1:
        return False
    ends: list[Floats] = [box.lower, after.lower, after.upper, box.upper]
    return bool(np.isfinite(after.lower).all() and np.isfinite(after.upper).all()) and all(
        bool((low <= high).all()) for low, high in pairwise(ends)
    )


def _way(steps: Steps, rest: Steps) -> tuple[bool, ...] | None:
    """Which halves lead to a place among steps, the lower ones being True; None if it is none of them."""
    waiting: list[tuple[Steps, tuple[bool, ...]]] = [(steps, ())]
    while waiting:
        place, way = waiting.pop()
        if place is rest:
            return way
        if isinstance(place.end, Branch):
            waiting += [(place.end.upper, (*way, False)), (place.end.lower, (*way, True))]
    return None


def _at(steps: Steps, way: tuple[bool, ...]) -> Steps:
    for lower in way:
        if not isinstance(steps.end, Branch):
            raise Damaged("a way that leads nowhere")
        steps = steps.end.lower if lower else steps.end.upper
    return steps
