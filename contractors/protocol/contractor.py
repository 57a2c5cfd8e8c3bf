"""What a contractor answers: cuts of a box, each with the reason that proves it. Plain frozen records, later replayed
by a checker.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol

from certify.contractors.tape.evaluation import Floats


@dataclass(frozen=True, slots=True)
class Evaluate:
    """The range of one row over the removed part misses [-epsilon, epsilon]."""

    block: int
    row: int


@dataclass(frozen=True, slots=True)
class RowTerm:
    """A multiple of one side of one row, in polynomial form `q` or mean-value form `m`."""

    form: str
    block: int
    row: int
    side: int
    weight: float


@dataclass(frozen=True, slots=True)
class ProductTerm:
    """A multiple of (rad_i - s_i d_i)(rad_j - s_j d_j) >= 0."""

    first: int
    first_sign: int
    second: int
    second_sign: int
    weight: float


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The weighted sum of the terms, each <= 0 at a feasible point, is positive on the removed part."""

    rows: tuple[RowTerm, ...]
    products: tuple[ProductTerm, ...]


Reason = Evaluate | Aggregate


@dataclass(frozen=True, slots=True)
class Cut:
    """The part x_variable <= at (if `below`) or x_variable >= at holds no feasible point."""

    variable: int
    at: float
    below: bool
    reason: Reason


@dataclass(frozen=True, slots=True)
class Box:
    """A closed box; arrays are never written to."""

    lower: Floats
    upper: Floats

    def cut(self, cut: Cut) -> Box:
        """What remains after a cut."""
        lower, upper = self.lower.copy(), self.upper.copy()
        (lower if cut.below else upper)[cut.variable] = cut.at
        return Box(lower, upper)

    @property
    def radius(self) -> Floats:
        """Half-widths, rounded to nearest."""
        return 0.5 * (self.upper - self.lower)

    @property
    def centre(self) -> Floats:
        """Midpoints, rounded to nearest."""
        return self.lower + 0.5 * (self.upper - self.lower)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Cuts to be applied in order; `cells` says how the rows were prepared (0: not needed); `refuted` removes all that
    is left.
    """

    cuts: tuple[Cut, ...] = ()
    refuted: Reason | None = None
    cells: int = 0


class Contractor(Protocol):
    """A pure operator on boxes. *Keeps* every x of the box at which all its rows can be satisfied within epsilon."""

    @property
    def name(self) -> str:
        """What statistics call it."""

    @property
    def cost(self) -> int:
        """Rank: cheap contractors run to a standstill before dearer ones."""

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it reads and narrows."""

    @abstractmethod
    def contract(self, box: Box, epsilon: float) -> Narrowing:
        """Narrow a box for the shift [-epsilon, epsilon] of every row."""
