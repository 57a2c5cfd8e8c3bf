"""Why a part of a box holds no solution: cuts, each with the reason that proves it. Plain frozen records, later
replayed by a checker.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    """The weighted sum of the terms, each <= 0 at a feasible point, is positive on the removed part, whatever the
    entries of the columns `further` are, which are unknowns of these rows.
    """

    rows: tuple[RowTerm, ...]
    products: tuple[ProductTerm, ...]
    further: tuple[int, ...] = ()


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
        return self.to(cut.variable, cut.at, cut.below)

    def to(self, variable: int, at: float, below: bool) -> Box:
        """With another lower end of a variable (if `below`), or upper end."""
        lower, upper = self.lower.copy(), self.upper.copy()
        (lower if below else upper)[variable] = at
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
