"""Contractors that users make: heeded with care, and put into the graph beside ours.

A maker is called with the constraints of a search and answers with a contractor: most often it is a class. What a
contractor does not say of itself is filled in: it is called as its class, reads all variables, and costs 1. Its boxes
are met with those that it was given, its reasons must name rows that there are; whether they prove anything is for the
checker to say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.protocol.contractor import Box, Evaluate, Narrowing, Reason
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.equations import Equations
from certify.problems.errors import InputError

OwnContractors = Sequence[Callable[[Any], Any]]
COST = 1
FORMS = ("q", "m", "t")


@dataclass(frozen=True, eq=False)
class Own:
    """A user's contractor on these variables; `rows` says how many rows there are in each block that it may name."""

    inner: Any
    variables: tuple[int, ...]
    rows: dict[int, int]

    @property
    def name(self) -> str:
        """Its own, or that of its class."""
        return str(getattr(self.inner, "name", type(self.inner).__name__))

    @property
    def cost(self) -> int:
        """Its own, or that of what is tried before linear programs."""
        return int(getattr(self.inner, "cost", COST))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """Its own, or all variables."""
        return tuple(int(v) for v in getattr(self.inner, "reads", self.variables))

    def require_variables(self) -> None:
        """Refuse one that reads what there is not."""
        if not self.reads or not set(self.reads) <= set(self.variables):
            raise InputError(
                f"the contractor {self.name} says that it reads {self.reads}; give some of {self.variables}, the "
                f"numbers of the variables"
            )

    @property
    def children(self) -> tuple[Contractor, ...]:
        """Its own, if it is made of contractors."""
        return tuple(getattr(self.inner, "children", ()))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch; nothing grows."""
        answer = self.inner.contract(Boxes(boxes.lower.copy(), boxes.upper.copy()))
        lower, upper, empty = (np.asarray(getattr(answer, part, None)) for part in ("lower", "upper", "empty"))
        if lower.shape != boxes.lower.shape or upper.shape != boxes.lower.shape or empty.shape != (boxes.count,):
            raise InputError(
                f"to {boxes.count} boxes of {boxes.variables} variables the contractor {self.name} answered with "
                f"arrays of the shapes {lower.shape}, {upper.shape}, {empty.shape}; answer Narrowed(lower, upper, "
                f"empty) with lower and upper as in the boxes that are given, and a truth value for each box in empty"
            )
        low = np.where(lower > boxes.lower, lower, boxes.lower)
        high = np.where(upper < boxes.upper, upper, boxes.upper)
        told = answer.reasons
        return Narrowed(
            low, high, empty.astype(np.bool_) | (low > high).any(axis=0), None if told is None else self._known(told)
        )

    def why(self, before: Box, after: Box | None) -> Narrowing | None:
        """Its reasons, if it gives any."""
        asked = getattr(self.inner, "why", None)
        told = None if asked is None else asked(before, after)
        return None if told is None else self._known((told,))[0]

    def _known(self, told: tuple[Narrowing, ...]) -> tuple[Narrowing, ...]:
        """The reasons, if all that they name is known."""
        for narrowing in told:
            for reason in (*(cut.reason for cut in narrowing.cuts), narrowing.refuted):
                wrong = None if reason is None else self._wrong(reason)
                if wrong is not None:
                    raise InputError(f"the contractor {self.name} gives a reason that is none: {wrong}")
        return told

    def _wrong(self, reason: Reason) -> str | None:
        """What is wrong with a reason, whatever it may prove."""
        if isinstance(reason, Evaluate):
            return self._wrong_row(reason.block, reason.row)
        for weight in (*(row.weight for row in reason.rows), *(product.weight for product in reason.products)):
            if not (math.isfinite(weight) and weight > 0.0):
                return f"the weight {weight}; give positive numbers, and leave out what counts nothing"
        for product in reason.products:
            if not {product.first, product.second} <= set(self.variables):
                return f"{product}; the variables are {self.variables}"
            if {abs(product.first_sign), abs(product.second_sign)} != {1}:
                return f"{product}; each sign is 1 or -1"
        for row in reason.rows:
            if row.form not in FORMS or abs(row.side) != 1:
                return f"{row}; its form is one of {', '.join(FORMS)}, its side 1 or -1"
        named = (self._wrong_row(row.block, row.row) for row in reason.rows)
        return next(filter(None, named), None) if reason.rows else "a sum of no rows; name some"

    def _wrong_row(self, block: int, row: int) -> str | None:
        if block in self.rows and 0 <= row < self.rows[block]:
            return None
        known = ", ".join(f"{count} of block {number}" for number, count in self.rows.items())
        return f"row {row} of block {block}; the rows, numbered from 0, are {known}"


def with_own(
    contractors: Sequence[Contractor], constraints: Constraints, own: OwnContractors
) -> tuple[Contractor, ...]:
    """The contractors of a component, and those that users make for it."""
    rows = {number: block.count for number, block in constraints.blocks}
    return (*contractors, *named_apart(contractors, _made(constraints, constraints.variables, rows, own)))


def own_of_system(equations: Equations, own: OwnContractors) -> tuple[Own, ...]:
    """Those that users make for a system; constraint k is row 0 of block k."""
    rows = dict.fromkeys(range(len(equations.tape.outputs)), 1)
    return _made(equations, tuple(range(equations.variables)), rows, own)


def _made(asked: Any, variables: tuple[int, ...], rows: dict[int, int], own: OwnContractors) -> tuple[Own, ...]:
    found = tuple(Own(make(asked), variables, rows) for make in own)
    for contractor in found:
        contractor.require_variables()
    return found


def named_apart(contractors: Sequence[Contractor], made: Sequence[Contractor]) -> Sequence[Contractor]:
    """Users' contractors, each with a name of its own: what they do is counted by it."""
    taken = {contractor.name for contractor in contractors}
    for contractor in made:
        if contractor.name in taken:
            raise InputError(f"there are two contractors called {contractor.name!r}; give yours another name")
        taken.add(contractor.name)
    return made
