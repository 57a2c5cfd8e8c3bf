"""Where a search for solutions has halved its boxes: what a proof that there are no others starts from.

It is a tree of places. Each box that is halved lies in one half of the box that it comes from, so that the tree is
found from the boxes' ends, whatever the order in which they were treated. Where it is wrong, a proof is longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from certify.contractors.tape.evaluation import Floats

MOST = 500_000  # places
NOWHERE = -1


@dataclass(slots=True)
class Halvings:
    """The variable and the place of each halving, and the next ones of the lower and the upper half, or NOWHERE."""

    variables: list[int] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    lower: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)

    def add(self, low: Floats, high: Floats, variable: int, at: float) -> None:
        """A box that is halved there."""
        if len(self.places) >= MOST:
            return
        cell = 0 if self.places else NOWHERE
        while cell != NOWHERE:
            v, place = self.variables[cell], self.places[cell]
            side = self.lower if low[v] + high[v] <= 2.0 * place else self.upper
            if side[cell] == NOWHERE:
                side[cell] = len(self.places)
                break
            cell = side[cell]
        self.variables.append(variable)
        self.places.append(at)
        self.lower.append(NOWHERE)
        self.upper.append(NOWHERE)

    @property
    def first(self) -> int:
        """Of the whole domain."""
        return 0 if self.places else NOWHERE

    def dividing(self, cell: int, low: Floats, high: Floats) -> int:
        """The first halving from a cell on that divides a box, or NOWHERE."""
        while cell != NOWHERE:
            v, place = self.variables[cell], self.places[cell]
            if low[v] < place < high[v]:
                return cell
            cell = self.lower[cell] if high[v] <= place else self.upper[cell]
        return NOWHERE

    def mapped(self, place: Callable[[int, float], float]) -> Halvings:
        """The same in other coordinates, each of which grows with its own."""
        places = [place(v, at) for v, at in zip(self.variables, self.places, strict=True)]
        return Halvings(self.variables, places, self.lower, self.upper)
