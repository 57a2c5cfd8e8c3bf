"""How far outputs can reach over the consistent parameters: linear programs over one relaxation, which is made once.

Rows in the form of second order over a box of x are linear in x and its products, which are columns of their own. Each
output, in the same form, is an objective: what the optimum's dual weights prove is written elsewhere (`emission`). All
are estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Box, RowTerm
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.taylor_form import taylor_rows
from certify.contractors.rows.weighted_sums import Inequalities
from certify.contractors.tape.evaluation import Floats
from certify.solvers.limits import Limit
from certify.solvers.linear_programs.highs import GrowingModel

CELLS = 2  # of measurements: with 16 nothing is gained, and the check takes twice as long
BITS = 24  # of a weight
LEAST = 1e-7  # of the largest weight
TOLERANCE = 1e-4  # of a row, by which a point may violate it that does not matter


@dataclass(frozen=True, eq=False, slots=True)
class Support:
    """An output reaches no further than `value` (estimated), where it is attained (x, in half-widths of the box), and
    the weights of the measured rows that show it.
    """

    value: float
    point: Floats
    terms: tuple[RowTerm, ...]

    def reason(self, family: int, side: int, weight: float) -> Aggregate:
        """The sum that refutes more, with the row of an output."""
        return Aggregate((*self.terms, RowTerm("t", family, 0, side, weight)), ())


class Supports:
    """The relaxation of measured rows, which are to be within 1, over a box."""

    def __init__(self, blocks: Sequence[Rows], box: Box, limit: Limit) -> None:
        self.box, self.limit = box, limit
        self._rows = taylor_rows(tuple(enumerate(blocks)), box, 1.0, CELLS)
        monomials = self._rows.monomials
        self._columns = [m for m in monomials if m]
        self._index = {m: k for k, m in enumerate(self._columns)}
        chosen = [k for k, m in enumerate(monomials) if m]
        middle, radius = 0.5 * (self._rows.lower + self._rows.upper), 0.5 * (self._rows.upper - self._rows.lower)
        self._norms = np.maximum(np.abs(middle[:, chosen]).max(axis=1), 1e-300)
        bound = radius[:, chosen].sum(axis=1) - self._rows.lower[:, monomials.index(())]
        lower = np.array([0.0 if len(m) == 2 and m[0] == m[1] else -1.0 for m in self._columns])
        matrix = middle[:, chosen] / self._norms[:, None]
        self._model = GrowingModel(matrix, bound / self._norms, lower, np.ones(lower.size), TOLERANCE)

    def of(self, outputs: Rows, signs: Sequence[tuple[int, int]]) -> list[Support | None]:
        """For each pair of a row and a sign how far sign times this output reaches; None where that is not known."""
        found = taylor_rows(((0, outputs),), self.box, 0.0, CELLS)
        places = {(tag[2], tag[3]): k for k, tag in enumerate(found.tags)}
        return [None if (row, -sign) not in places else self._one(found, places[row, -sign]) for row, sign in signs]

    def lost(self, outputs: Rows) -> Floats:
        """How much is lost of each output because its cell is wide (estimated): the widths of its coefficients."""
        found = taylor_rows(((0, outputs),), self.box, 0.0, CELLS)
        widths = np.full((2, outputs.count), np.inf)
        total = (found.upper - found.lower).sum(axis=1)
        for tag, width in zip(found.tags, total.tolist(), strict=True):
            widths[int(tag[3] > 0), tag[2]] = width
        return np.asarray(widths.max(axis=0))

    def _one(self, found: Inequalities, place: int) -> Support | None:
        cost, constant = np.zeros(len(self._columns)), 0.0
        middle, radius = (
            0.5 * (found.lower[place] + found.upper[place]),
            0.5 * (found.upper[place] - found.lower[place]),
        )
        for m, value, half, low in zip(
            found.monomials, middle.tolist(), radius.tolist(), found.lower[place].tolist(), strict=True
        ):
            if not m:
                constant += low
            elif m in self._index:
                cost[self._index[m]] += value
                constant -= half
            else:
                constant -= abs(value) + half
        best = self._model.minimise(cost, self.limit)
        if best is None:
            return None
        size = self.box.lower.size
        point = np.zeros(size)
        for m, value in zip(self._columns, best.point.tolist(), strict=True):
            if len(m) == 1:
                point[m[0]] = value
        return Support(-(constant + best.value), point, self._terms(best.weights / self._norms))

    def _terms(self, weights: Floats) -> tuple[RowTerm, ...]:
        """The rows that carry, with weights of few bits."""
        kept = np.flatnonzero(weights > LEAST * weights.max(initial=0.0))
        mantissas, exponents = np.frexp(weights[kept])
        short = np.ldexp(np.round(mantissas * 2**BITS), exponents - BITS)
        tags = (self._rows.tags[k] for k in kept)
        return tuple(RowTerm(*tag, weight) for tag, weight in zip(tags, short.tolist(), strict=True) if weight > 0.0)
