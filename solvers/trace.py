"""What a search did, as plain frozen records: the tree from which a certificate is written."""

from __future__ import annotations

from dataclasses import dataclass, field

from contractors.narrowing import Cut, Reason


@dataclass(frozen=True, slots=True)
class Prepared:
    """The cuts below were found on rows prepared on the box reached here, with this many cells."""

    cells: int


@dataclass(frozen=True, slots=True)
class Framed:
    """What follows is in coordinates y of x = start + matrix y; variables keep their numbers."""

    start: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """Nothing feasible is left; the reason proves it."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Branch:
    """Two closed halves at variable = at, each with its own steps."""

    variable: int
    at: float
    lower: Steps
    upper: Steps


@dataclass(slots=True)
class Steps:
    """The way of one box: preparations, frames and cuts in order, then a refutation, a branching, or nothing (undecided)."""

    actions: list[Prepared | Framed | Cut] = field(default_factory=list)
    end: Refuted | Branch | None = None
