"""The cases into which a proof divides a box, while they are found: leaves with reasons, divisions, preparations, and
what is still missing.
"""

from __future__ import annotations

from dataclasses import dataclass

from certify.contractors.protocol.contractor import Aggregate, Evaluate


@dataclass(frozen=True, slots=True)
class Known:
    """The box lies within the box of this zero."""

    zero: int


@dataclass(frozen=True, slots=True)
class Open:
    """The box may hold anything."""


@dataclass(frozen=True, slots=True)
class Weighted:
    """A combination of expanded rows, by their numbers, is positive; `sure`: by more than rounding may have done, here
    or in a checker.
    """

    numbers: tuple[int, ...]
    weights: tuple[float, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What a user's contractor says: one row, or a sum of rows."""

    reason: Evaluate | Aggregate


Reason = Evaluate | Weighted | Known | Open | Told


@dataclass(slots=True)
class Leaf:
    """Why the box holds nothing but perhaps a known zero."""

    reason: Reason


@dataclass(slots=True)
class Ready:
    """Rows below are prepared on this box."""

    below: Node | None = None


@dataclass(slots=True)
class Fork:
    """The two parts at variable = at."""

    variable: int
    at: float
    lower: Node | None = None
    upper: Node | None = None


Node = Leaf | Ready | Fork


@dataclass(frozen=True, slots=True)
class Hole:
    """Where a node is missing; `lower` says which part of a fork."""

    parent: Ready | Fork
    lower: bool = True

    def fill(self, node: Node) -> None:
        """Put a node there."""
        if isinstance(self.parent, Ready):
            self.parent.below = node
        elif self.lower:
            self.parent.lower = node
        else:
            self.parent.upper = node


def opened(tree: Ready | Fork) -> None:
    """Leave open whatever is missing in a tree."""
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Ready):
            node.below = node.below or Leaf(Open())
            waiting.append(node.below)
        elif isinstance(node, Fork):
            node.lower, node.upper = node.lower or Leaf(Open()), node.upper or Leaf(Open())
            waiting += [node.lower, node.upper]
