"""The lifted linear relaxation: products of unknowns, shared by all rows, become unknowns of a linear program of their
own.

Rows in polynomial form p_k(t) <= 0 are linear in t and in the few products t_i t_j that occur; these are tied to t by
McCormick's inequalities (1 - s_i t_i)(1 - s_j t_j) >= 0 and by t_i^2 >= 0. If the
program has no point, weights that say so refute the box. Otherwise every variable is minimised and maximised. Only the
weights are taken from the program's (float) answer; what they prove is computed by `aggregation`. *Keeps* every
feasible x of the box. Reference: design of the papers' eq. 10-14, with McCormick (1976).

With rows in mean-value form there is no product, and the program is the papers' own: a slope a(t) in [A, B] is replaced
by its middle, and what is left, at most (B - A)/2 |t_j|, goes to the right-hand side (the decomposition of Krawczyk's
type, eq. 11-12). Beaumont's relaxation would put the secant of |t_j| over the interval there: on -1 <= t_j <= 1 that
secant is the constant 1, so that both are one program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, box_by_box
from certify.contractors.protocol.contractor import Box, Narrowing
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.cuts import LEAST_GAIN, cuts, refutation, single_row
from certify.contractors.rows.forms import polynomial_rows
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.weighted_sums import Inequalities, Product, product_polynomials
from certify.contractors.tape.evaluation import Floats

NOISE = 1e-9  # of the largest coefficient
SIGNS = ((1, 1), (-1, -1), (1, -1), (-1, 1))


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """Constraints matrix y <= bound on lower <= y <= upper; the first `soft` constraints may be relaxed by a common
    violation. `entries` are the places and coefficients (rows, entries of a row) of further columns behind the others;
    `members` the numbers of those that are bounded together (-1: alone), and the levels within their bounds, beyond
    which the root of the sum of their squares may not reach.
    """

    matrix: Floats
    bound: Floats
    lower: Floats
    upper: Floats
    soft: int
    entries: tuple[NDArray[np.int64], Floats] | None = None
    members: tuple[NDArray[np.int64], Floats] | None = None


class LinearOracle(Protocol):
    """Answers linear programs with candidate weights; nothing is trusted but their shape."""

    def violation_weights(self, program: LinearProgram) -> tuple[float, Floats]:
        """The smallest common violation of the soft constraints (estimated) and its dual weights >= 0, one for each
        constraint.
        """

    def bound_weights(
        self, program: LinearProgram, objectives: Floats, useless: float = -np.inf
    ) -> list[Floats | None]:
        """For each objective (a row) the dual weights >= 0 of its minimum, or None if the program could not be solved,
        or if the minimum is so small that it is useless.
        """


class RangeOracle(Protocol):
    """Bounds the first columns of linear programs; nothing is trusted but the shape of its weights."""

    def ranges(
        self, program: LinearProgram, ranged: int, useless: float = -np.inf
    ) -> tuple[Floats | None, list[Floats | None]]:
        """Weights >= 0, one for each constraint, that refute the program, or None; and for the least value of each of
        the first `ranged` columns and of its negative, in turn, weights that bound it, or None where it is useless.
        """


@dataclass(frozen=True, eq=False)
class LiftedRelaxation:
    """The relaxation of rows; `cells` as in the measurement lemma."""

    constraints: Constraints
    oracle: RangeOracle
    cells: int
    name: str
    cost: int
    enclose: Callable[[tuple[tuple[int, Rows], ...], Box, float, int], Inequalities] = (
        polynomial_rows  # or mean_value_rows, or taylor_rows
    )
    tied: bool = True
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """The unknowns of the rows."""
        return self.constraints.variables

    def contract(self, boxes: Boxes) -> Narrowed:
        """Refute every box, or narrow each of its variables from both sides."""
        return box_by_box(boxes, (self._narrowing(boxes.box(k)) for k in range(boxes.count)))

    def _narrowing(self, box: Box) -> Narrowing:
        inequalities = self.enclose(self.constraints.blocks, box, self.constraints.epsilon, self.cells)
        if not inequalities.tags:
            return Narrowing(cells=self.cells)
        single = single_row(inequalities, box)
        if single is not None:
            return Narrowing((), single, self.cells)
        pairs = self._pairs(inequalities)
        products = _products(pairs) if self.tied else ()
        program, norms = self._program(inequalities, pairs, products)
        rows = len(inequalities.tags)

        def split(weights: Floats) -> tuple[Floats, Floats]:
            return weights[:rows] / norms, weights[rows : rows + len(products)]

        refuting, answers = self.oracle.ranges(program, len(self.reads), LEAST_GAIN - 1.0)
        if refuting is not None:
            return Narrowing((), refutation(inequalities, products, box, *split(refuting)), self.cells)
        ways = [(variable, direction) for variable in self.reads for direction in (1, -1)]
        proposals = [(v, d, *split(w)) for (v, d), w in zip(ways, answers, strict=True) if w is not None]
        return cuts(inequalities, products, box, proposals, self.cells)

    def _pairs(self, inequalities: Inequalities) -> list[tuple[int, int]]:
        """The products that matter: their coefficients are not just rounding noise."""
        middle = np.abs(inequalities.lower + inequalities.upper)
        size = middle[:, 1:].max(initial=0.0)
        largest = middle.max(axis=0)
        pairs = [
            m for m, most in zip(inequalities.monomials, largest, strict=True) if len(m) == 2 and most > NOISE * size
        ]
        return sorted((i, j) for i, j in pairs)

    def _program(
        self, inequalities: Inequalities, pairs: list[tuple[int, int]], products: tuple[Product, ...]
    ) -> tuple[LinearProgram, Floats]:
        """Columns: the variables, then the products; constraints: the rows (largest coefficient 1), then the McCormick
        inequalities.
        """
        columns = [(v,) for v in self.reads] + list(pairs)
        places = {m: k for k, m in enumerate(inequalities.monomials)}
        chosen = [places[m] for m in columns]
        middle = 0.5 * (inequalities.lower + inequalities.upper)
        radius = 0.5 * (inequalities.upper - inequalities.lower)
        others = [k for k, m in enumerate(inequalities.monomials) if m and k not in set(chosen)]
        slack = radius[:, 1:].sum(axis=1) + np.abs(middle[:, others]).sum(axis=1)
        about, members = None, None
        if inequalities.entries is not None:
            about = inequalities.entries.near_guess()
            middle[:, 1 : 1 + about[2].shape[1]] += about[2]
        norms = np.maximum(np.abs(middle[:, chosen]).max(axis=1), 1e-300)
        if about is not None:
            slack = slack - about[0]
            norms = np.maximum(norms, np.abs(about[1]).max(axis=1, initial=0.0))
        if inequalities.distances is not None:
            norms = _common(inequalities.distances.members, norms)
            levels = np.where(inequalities.distances.members >= 0, inequalities.distances.bound, 0.0)
            slack, members = slack + levels, (inequalities.distances.members, levels / norms)
        constant = places[()]
        table = product_polynomials(products, inequalities.monomials)
        matrix = np.vstack([middle[:, chosen] / norms[:, None], -table[:, chosen]])
        bound = np.concatenate([(slack - inequalities.lower[:, constant]) / norms, table[:, constant]])
        lower = np.array([0.0 if len(m) == 2 and m[0] == m[1] else -1.0 for m in columns])
        further = None
        if about is not None and inequalities.entries is not None:
            lower = np.append(lower, np.full(inequalities.entries.count, -1.0))
            further = inequalities.entries.places, about[1] / norms[:, None]
        program = LinearProgram(matrix, bound, lower, np.ones(lower.size), len(inequalities.tags), further, members)
        return program, norms


def _common(members: NDArray[np.int64], norms: Floats) -> Floats:
    """The same norm for all rows of a member, the largest of theirs."""
    largest = np.zeros(int(members.max()) + 1)
    np.maximum.at(largest, members[members >= 0], norms[members >= 0])
    return np.where(members >= 0, largest[members], norms)


def _products(pairs: list[tuple[int, int]]) -> tuple[Product, ...]:
    """McCormick's inequalities; squares give two tangents, for their secant is the bound of their column."""
    return tuple((i, s, j, t) for i, j in pairs for s, t in (SIGNS if i != j else SIGNS[:2]))
