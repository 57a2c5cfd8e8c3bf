"""How an interrupted refutation has narrowed boxes, as its journal has it.

What is read is judged: what is left of a box lies in it, and cuts name variables and rows that there are. Whether the
reasons hold is judged where a certificate is written: every step is replayed in the checker's arithmetic, those of a
journal as all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Protocol

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, ProductTerm, Reason, RowTerm
from certify.contractors.tape.evaluation import Floats
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.proof.trace import Branch, Framed, Prepared, Refuted, Steps, reasons

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

    @property
    def worked(self) -> int:
        """The work so far."""
        return self.meter.effort

    def recalled(self, box: Box) -> Known | None:
        """How a box was narrowed; its cost counts as if it were paid now."""
        return self.memory.recall(partial(CODEC.encode, box), partial(self._read, box))

    def keep(self, box: Box, after: Box, steps: Steps, rest: Steps, worked: int) -> None:
        """How it is narrowed now, from so much work on."""
        way = _way(steps, rest)
        if way is not None:
            self.memory.keep(
                partial(CODEC.encode, box), partial(CODEC.encode, (after, steps, way, self.worked - worked))
            )

    def _read(self, box: Box, data: bytes) -> Known:
        after, steps, way, worked = CODEC.decode(data, tuple[Box, Steps, tuple[bool, ...], int])
        rest = _at(steps, way)
        if not (worked >= 0 and _inside(after, box) and self._sound(steps, box.lower.size)):
            raise Damaged("narrowings of another box")
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
