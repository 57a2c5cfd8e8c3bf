"""Batches of boxes, and what every contractor answers about them.

A contractor is an immutable value with a pure operator on a batch: it *keeps* every solution of every box, and says
which boxes hold none. Compositions are contractors with `children`, so that they can be drawn, scheduled and counted.
Why something holds no solution is plain data (`Narrowing`): carried by the answer where it is known anyway, or given
later by `why` (`Explaining`), which is asked only for what a proof needs. A contractor that does neither narrows the
search, and what it has removed is proved by others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Box, Narrowing
from certify.contractors.tape.evaluation import Flags, Floats


@dataclass(frozen=True, slots=True)
class Boxes:
    """Closed boxes, none empty: columns of two arrays (variables, boxes) that are never written to."""

    lower: Floats
    upper: Floats

    @property
    def count(self) -> int:
        """How many boxes."""
        return int(self.lower.shape[1])

    @property
    def variables(self) -> int:
        """Of how many variables."""
        return int(self.lower.shape[0])

    @property
    def bounded(self) -> Flags:
        """Which boxes have finite ends and widths."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.isfinite(self.upper - self.lower).all(axis=0))

    def take(self, chosen: Flags | NDArray[np.int64] | slice) -> Boxes:
        """Some of the boxes, by flags or by numbers."""
        return Boxes(np.ascontiguousarray(self.lower[:, chosen]), np.ascontiguousarray(self.upper[:, chosen]))

    def box(self, number: int) -> Box:
        """One of them, alone."""
        return Box(self.lower[:, number].copy(), self.upper[:, number].copy())

    @staticmethod
    def of(boxes: list[Box]) -> Boxes:
        """A batch of single boxes."""
        return Boxes(np.array([b.lower for b in boxes]).T.copy(), np.array([b.upper for b in boxes]).T.copy())


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The boxes narrowed, in order, and which of them hold no solution; the ends of an empty one mean nothing.

    `reasons` are those of each box, where the contractor has them at hand.
    """

    lower: Floats
    upper: Floats
    empty: Flags
    reasons: tuple[Narrowing, ...] | None = None

    @property
    def rest(self) -> Boxes:
        """The boxes that are not empty."""
        return Boxes(self.lower, self.upper).take(~self.empty)

    def box(self, number: int) -> Box | None:
        """What is left of one of the boxes, if anything."""
        return None if self.empty[number] else Boxes(self.lower, self.upper).box(number)


class Contractor(Protocol):
    """A pure operator on batches of boxes. *Keeps* every solution of what it stands for."""

    @property
    def name(self) -> str:
        """What statistics and drawings call it."""

    @property
    def cost(self) -> int:
        """Rank: cheap contractors run to a standstill before dearer ones."""

    @property
    def reads(self) -> tuple[int, ...]:
        """The variables that it reads and narrows."""

    @property
    def children(self) -> tuple[Contractor, ...]:
        """What a composition is made of."""

    @abstractmethod
    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""


@runtime_checkable
class Explaining(Protocol):
    """A contractor that gives reasons when it is asked for them."""

    @abstractmethod
    def why(self, before: Box, after: Box | None) -> Narrowing | None:
        """Why what it has removed of a box (all, if nothing is left after it) holds no solution; None if it cannot
        say.
        """


def box_by_box(boxes: Boxes, narrowings: Iterable[Narrowing]) -> Narrowed:
    """What cuts leave of each box, with their reasons."""
    low, high = boxes.lower.copy(), boxes.upper.copy()
    reasons = tuple(narrowings)
    for k, narrowing in enumerate(reasons):
        for cut in narrowing.cuts:
            (low if cut.below else high)[cut.variable, k] = cut.at
    return Narrowed(low, high, np.array([told.refuted is not None for told in reasons], dtype=np.bool_), reasons)


def reasons_of(contractor: Contractor, before: Boxes, after: Narrowed, number: int) -> Narrowing | None:
    """Why one of the boxes was narrowed, if the contractor can say."""
    if after.reasons is not None:
        return after.reasons[number]
    return contractor.why(before.box(number), after.box(number)) if isinstance(contractor, Explaining) else None


@runtime_checkable
class Local(Protocol):
    """A contractor that can begin at a change, so that its cost is what the change reaches."""

    @abstractmethod
    def near(self, variable: int) -> Contractor:
        """The same for boxes in which only this variable has changed since they were narrowed."""


def near(contractor: Contractor, variable: int) -> Contractor:
    """The same contractor for boxes in which only this variable has changed, or itself."""
    return contractor.near(variable) if isinstance(contractor, Local) else contractor
