"""A system in natural units: x = unit y, where a variable's domain is narrower than its unit.

Searches for all solutions stop, inflate and wake by widths that suit numbers of the size of 1. Where the half-width of
a domain is less, the unknown is measured in it, rounded to a power of 2: boxes are told in the first units without
rounding, but near the smallest doubles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder, replay
from certify.solvers.search.branch_and_prune import Paving
from certify.solvers.zeros.proved_zeros import Solution

SMALLEST = 2.0**-500  # a unit


def natural_units(domain: Box) -> Floats:
    """The unit of each variable: 1, or less where the domain is narrower."""
    half = domain.radius
    narrow = (half > SMALLEST) & (half < 0.5)
    return np.where(narrow, np.exp2(np.round(np.log2(np.where(narrow, half, 1.0)))), 1.0)


def in_units(equations: Equations, units: Floats) -> Equations:
    """The same constraints on y."""
    builder = Builder(equations.variables)
    inputs = [
        v if unit == 1.0 else builder.mul(builder.constant(Fraction(float(unit))), v) for v, unit in enumerate(units)
    ]
    nodes = replay(equations.tape, builder, inputs)
    return replace(equations, tape=builder.tape(tuple(nodes[output] for output in equations.tape.outputs)))


def scaled(box: Box, factors: Floats) -> Box:
    """A box of x that encloses one of y, or of y one of x with the reciprocals."""
    return Box(*_scaled(box.lower, box.upper, factors))


def _scaled(lower: Floats, upper: Floats, factors: Floats) -> tuple[Floats, Floats]:
    low, high = lower * factors, upper * factors
    exact_low, exact_high = low / factors == lower, high / factors == upper
    return np.where(exact_low, low, np.nextafter(low, -np.inf)), np.where(exact_high, high, np.nextafter(high, np.inf))


@dataclass(frozen=True, eq=False)
class InUnits:
    """A contractor of x, on boxes of y."""

    child: Contractor
    units: Floats

    @property
    def name(self) -> str:
        """Its own."""
        return self.child.name

    @property
    def cost(self) -> int:
        """Its own."""
        return self.child.cost

    @property
    def reads(self) -> tuple[int, ...]:
        """The same."""
        return self.child.reads

    @property
    def children(self) -> tuple[Contractor, ...]:
        """The same."""
        return self.child.children

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch; what is left encloses what the child leaves."""
        factors = self.units[:, None]
        answer = self.child.contract(Boxes(*_scaled(boxes.lower, boxes.upper, factors)))
        low, high = _scaled(answer.lower, answer.upper, 1.0 / factors)
        return Narrowed(np.maximum(low, boxes.lower), np.minimum(high, boxes.upper), answer.empty)


def in_first_units(paving: Paving, units: Floats) -> Paving:
    """The paving of x from one of y."""

    def boxes(found: tuple[Box, ...]) -> tuple[Box, ...]:
        return tuple(scaled(box, units) for box in found)

    solutions = tuple(
        Solution(scaled(found.enclosure, units), scaled(found.only_one_in, units)) for found in paving.solutions
    )
    return replace(
        paving,
        solutions=solutions,
        inner=boxes(paving.inner),
        undecided=boxes(paving.undecided),
        unexplored=boxes(paving.unexplored),
        halvings=None if paving.halvings is None else paving.halvings.mapped(lambda v, at: at * float(units[v])),
        apart=tuple((chosen, in_first_units(group, units[list(chosen)])) for chosen, group in paving.apart),
    )
