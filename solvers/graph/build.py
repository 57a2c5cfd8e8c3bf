"""The contractor graph for systems of equations and inequalities: which contractors there are, and when each of them
wakes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from certify.contractors.compositions.sequence import Sequence
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.operators.linear_hull import LinearHull
from certify.contractors.operators.newton import MeanValue
from certify.contractors.protocol.boxes import Boxes, Contractor
from certify.contractors.rows.combinations import with_combinations
from certify.contractors.rows.equations import Equations
from certify.contractors.sparse.band import band_of
from certify.contractors.sparse.parts import parts
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Operation, Tape
from certify.solvers.graph.accounts import CALL, LEVEL
from certify.solvers.graph.own import named_apart
from certify.solvers.graph.schedule import Graph, Node
from certify.solvers.linear_programs.simplex import Simplex

OWN_WAKE = 0.3  # of a variable's width: what users' own contractors wait for
PIVOTS = 20  # of a box's linear programs, in all, in few variables or sparse rows
FUNCTION = 15  # operations
NEIGHBOURS = 8  # so many times the constraints that read a variable are swept when it has changed
SHORT = {
    Operation.CONSTANT, Operation.ADD, Operation.SUB, Operation.MUL, Operation.NEG, Operation.SQR, Operation.DIV,
}  # fmt: skip


def smear(equations: Equations, boxes: Boxes) -> Floats:
    """For each variable (axis 0) and box the sum over rows of its share in the row's variation: |slope| times width."""
    entries, places = equations.slope_entries(boxes.lower, boxes.upper), equations.derivatives[1]
    share = np.zeros((boxes.variables, boxes.count))
    if not len(places):
        return share
    columns, of_columns, _ = equations.columns
    _, starts, row = np.unique(places[:, 0], return_index=True, return_inverse=True)  # entries stand row by row
    with np.errstate(invalid="ignore", over="ignore"):
        steepest = np.nan_to_num(np.maximum(np.abs(entries.lower), np.abs(entries.upper)), nan=1e300, posinf=1e300)
        variation = steepest * (boxes.upper - boxes.lower)[places[:, 1]]
        whole = np.add.reduceat(variation, starts, axis=0)
        variation /= (whole + 1e-300)[row]
        share[columns] = np.add.reduceat(variation[of_columns.numbers], of_columns.starts[:-1], axis=0)
    return np.asarray(np.where(np.isfinite(share), share, 0.0))


@dataclass(frozen=True)
class Work:
    """About how many operations (of some 10 ns: an interval sum or product) contractors take on one box of a system."""

    equations: Equations

    @cached_property
    def sweep(self) -> float:
        """Hull consistency: there and back, some sweeps."""
        return 6.0 * _operations(self.equations.tape)

    @cached_property
    def slice(self) -> float:
        """The same near a variable: of the constraints that read it and their neighbours, if that is less."""
        _, readers, costs, _ = self.equations.agenda
        return min(
            self.sweep, 6.0 * NEIGHBOURS * FUNCTION * float(costs[readers.numbers].sum()) / self.equations.variables
        )

    @cached_property
    def slopes(self) -> float:
        """Progressive slopes, a column at a time; that of a variable is about its share of the tape."""
        return 2.0 * _operations(self.equations.derivatives[0])

    @cached_property
    def newton(self) -> float:
        """Slopes, an inverse, and its products with the slopes, by a fast library; or the factors of a band, thrice."""
        n, band = float(self.equations.variables), band_of(self.equations)
        if band is not None:
            return 3.0 * (self.slopes + 3.0 * n * band.width**2)
        return self.slopes + 4.0 * n**2 + 0.12 * n**3

    @cached_property
    def program(self) -> float:
        """Slopes at two corners; a program for each end of each variable, of few pivots each; and their proof. Of all
        parts of the system, if it has parts.
        """
        pieces = parts(self.equations)
        if pieces:
            return len(pieces) * CALL + sum(Work(part.equations).program for part in pieces)
        n, rows = self.equations.variables, 4.0 * len(self.equations.tape.outputs)
        return 2.0 * self.slopes + rows * n * min(2 * n, PIVOTS)

    @cached_property
    def program_near(self) -> float:
        """Of the part around a variable."""
        return self.program / max(len(parts(self.equations)), 1)


def _operations(tape: Tape) -> float:
    """Of one evaluation; an elementary function takes as long as so many sums."""
    return float(sum(1 if step.operation in SHORT else FUNCTION for step in tape.steps))


def system_graph(equations: Equations, own: tuple[Contractor, ...] = ()) -> Graph:
    """All contractors that apply, and users' own, cheapest first; how much must have shrunk before each wakes, and what
    each may cost before it has saved anything, are measured choices.
    """
    richer = with_combinations(equations)
    hull, linear = HullConsistency(richer), LinearHull(richer, Simplex())
    work, newton, mine = Work(richer), MeanValue(equations), Work(equations)
    nodes = [Node(hull, 0.3, work.sweep)]
    if equations.equalities.size >= equations.variables:
        nodes.append(Node(newton, 0.4, mine.newton, proves=True))
    nodes.append(Node(linear, 0.4, work.program, 0.2 if parts(richer) else 1.0))
    # halving gets nowhere in many variables: there slices are worth it that narrow
    trials, bits = ((None, None), (0.5, 0.5)) if parts(richer) else ((0.2, 0.1), (0.0, 0.0))
    enough = [some / (1.0 + LEVEL * equations.variables) for some in bits]
    cheap = Slicing(hull, equations.occurring, name="slicing", cost=5)
    nodes.append(Node(cheap, 0.8, 4.0 * work.slice, trials[0], enough=enough[0]))
    both, share = Sequence((HullConsistency(richer, sweeps=2), linear)), work.slice + work.program_near
    if band_of(equations) is not None:
        both, share = replace(both, children=(*both.children, newton)), share + mine.newton
    dear = Slicing(both, equations.occurring, name="slicing with the linear hull", cost=6)
    nodes.append(Node(dear, 0.7, 4.0 * share, trials[1], enough=enough[1]))
    nodes += [Node(contractor, OWN_WAKE) for contractor in named_apart([node.contractor for node in nodes], own)]
    return Graph(tuple(sorted(nodes, key=lambda node: node.contractor.cost)), partial(smear, equations))
