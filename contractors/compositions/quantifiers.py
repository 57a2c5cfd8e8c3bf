"""Parameters under a quantifier: "for some p in P" and "for all p in P".

The child stands for a set T of points (x, p): its box has the unknowns x and, at the places `parameters`, the
parameters p. P is the box of real vectors between the doubles given, ends included.

*For some:* {x in R^n : (x, p) in T for some p in P}. P is cut into pieces P_1, ..., P_N that cover it. A solution x of
the box X has its p in some P_i, so that the child keeps (x, p) in X x P_i: the hull over i of the answers' x parts
keeps it. Pieces that the child empties are not halved any more (projection of a set, Jaulin et al. 2001).

*For all:* {x in R^n : (x, p) in T for all p in P}. A solution x satisfies the constraint at every single p of P, so
that each point {p} may be used for removal: X is narrowed at one p after the other. How many points are taken costs
tightness, never truth.

The two are each other's negation: x is not in the first set if and only if (x, p) is outside T for all p in P.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from certify.contractors.compositions.composed import OfOne
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Floats


def _checked(parameters: tuple[int, ...], box: Box, width: float) -> None:
    if len(set(parameters)) != len(parameters) or len(parameters) != box.lower.size:
        raise ValueError(
            f"{len(parameters)} parameters {parameters} and a box of {box.lower.size}: give one place and "
            f"one interval for each"
        )
    if not (np.isfinite(box.lower).all() and np.isfinite(box.upper).all() and (box.lower <= box.upper).all()):
        raise ValueError("the box of the parameters is unbounded or empty; give finite intervals")
    if not width > 0.0:
        raise ValueError(f"the parameters are to be cut to the width {width}; give a positive number")


def _unknowns(parameters: tuple[int, ...], together: int) -> list[int]:
    return [v for v in range(together) if v not in parameters]


def _joined(boxes: Boxes, parameters: tuple[int, ...], low: Floats, high: Floats) -> Boxes:
    """Boxes X x P, P being the columns low, high."""
    together = boxes.variables + len(parameters)
    unknowns = _unknowns(parameters, together)
    lower, upper = np.empty((together, boxes.count)), np.empty((together, boxes.count))
    lower[unknowns], upper[unknowns] = boxes.lower, boxes.upper
    lower[list(parameters)], upper[list(parameters)] = low, high
    return Boxes(lower, upper)


@dataclass(frozen=True, eq=False)
class _Quantified(OfOne):
    """The child on unknowns and parameters together, and where these are and range."""

    child: Contractor
    parameters: tuple[int, ...]
    box: Box
    width: float

    def __post_init__(self) -> None:
        _checked(self.parameters, self.box, self.width)

    @property
    def reads(self) -> tuple[int, ...]:
        """The unknowns that the child reads, numbered without the parameters."""
        return tuple(v - sum(p < v for p in self.parameters) for v in self.child.reads if v not in self.parameters)


@dataclass(frozen=True, eq=False)
class ForSome(_Quantified):
    """Keeps every x for which some p of the box satisfies the child's constraint; pieces of P are halved down to
    `width`.
    """

    name: str = "for some"

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        places, unknowns = list(self.parameters), _unknowns(self.parameters, boxes.variables + len(self.parameters))
        low, high = np.full_like(boxes.lower, np.inf), np.full_like(boxes.upper, -np.inf)
        owner = np.arange(boxes.count)
        pieces = _joined(boxes, self.parameters, self.box.lower[:, None], self.box.upper[:, None])
        while owner.size:
            answer = self.child.contract(pieces)
            owner, pieces = owner[~answer.empty], answer.rest
            a, b = pieces.lower[places], pieces.upper[places]
            widest, number = (b - a).argmax(axis=0), np.arange(owner.size)
            middle = 0.5 * a[widest, number] + 0.5 * b[widest, number]
            thin = ((b - a) <= self.width).all(axis=0) | (middle <= a[widest, number]) | (middle >= b[widest, number])
            np.minimum.at(low.T, owner[thin], pieces.lower[unknowns][:, thin].T)
            np.maximum.at(high.T, owner[thin], pieces.upper[unknowns][:, thin].T)
            known = (pieces.lower[unknowns] >= low[:, owner]) & (pieces.upper[unknowns] <= high[:, owner])
            halved = np.flatnonzero(~thin & ~known.all(axis=0))
            place, at = np.array(places)[widest[halved]], middle[halved]
            left, right = pieces.take(halved), pieces.take(halved)
            left.upper[place, np.arange(halved.size)] = at
            right.lower[place, np.arange(halved.size)] = at
            owner = np.concatenate([owner[halved], owner[halved]])
            pieces = Boxes(np.hstack([left.lower, right.lower]), np.hstack([left.upper, right.upper]))
        return Narrowed(low, high, np.asarray((low > high).any(axis=0)))


@dataclass(frozen=True, eq=False)
class ForAll(_Quantified):
    """Keeps every x for which all p of the box satisfy the child's constraint; narrows at points of a grid of this
    `width`, ends included.
    """

    name: str = "for all"

    @cached_property
    def grid(self) -> Floats:
        """The values of the parameters (points, parameters), all within the box."""
        axes = []
        for low, high in zip(self.box.lower, self.box.upper, strict=True):
            count = int(np.ceil((high - low) / self.width)) + 1
            axes.append(np.clip(np.linspace(low, high, count), low, high) if high > low else np.array([low]))
        return np.array(list(product(*axes)))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        unknowns = _unknowns(self.parameters, boxes.variables + len(self.parameters))
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        left = np.arange(boxes.count)
        for point in self.grid:
            if not left.size:
                break
            answer = self.child.contract(
                _joined(Boxes(low, high).take(left), self.parameters, point[:, None], point[:, None])
            )
            low[:, left], high[:, left], empty[left] = answer.lower[unknowns], answer.upper[unknowns], answer.empty
            left = left[~answer.empty]
        return Narrowed(low, high, empty)
