"""Batches of boxes, and what a contractor of a system answers about them.

A contractor is an immutable value with a pure operator on a batch: it *keeps* every solution of every box, and says
which boxes hold none. Compositions are contractors with `children`, so that they can be drawn, scheduled and counted.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Box
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
    """The boxes narrowed, in order, and which of them hold no solution; the ends of an empty one mean nothing."""

    lower: Floats
    upper: Floats
    empty: Flags

    @property
    def rest(self) -> Boxes:
        """The boxes that are not empty."""
        return Boxes(self.lower, self.upper).take(~self.empty)


class BoxContractor(Protocol):
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
    def children(self) -> tuple[BoxContractor, ...]:
        """What a composition is made of."""

    @abstractmethod
    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
