"""Krawczyk's operator, rectangular: K(X) = c - C r(c) + (I - C J(X)) (X - c), for any number of rows.

With C an approximate left inverse of the Jacobian at the centre, row j of C r(x) = 0 bounds x_j; with rows that need
only hold within [-e, e] it becomes a sum of row sides with weights |C_jk|. *Keeps* every feasible x of the box. It
solves no linear program, contracts quadratically near a regular solution with small e, and is of little use while e
is large. (Narrowing only: existence needs a square system.)

C is the inverse for as many rows as there are variables, the steepest for their width one after the other, each less
what those before it say (orthogonal factors with pivots). A pseudo-inverse of all rows averages them, and proves little
more; but a proof that names every row says nothing about which of them are in conflict, and is up to ten times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, box_by_box
from certify.contractors.protocol.contractor import Box, Narrowing
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.cuts import cuts
from certify.contractors.rows.forms import mean_value_rows
from certify.contractors.rows.weighted_sums import Inequalities
from certify.contractors.tape.evaluation import Floats

SHARPEST = 1e-9  # of the slopes: a row's width counts as no less


@dataclass(frozen=True, eq=False)
class Krawczyk:
    """The operator on rows with the same variables."""

    constraints: Constraints
    cells: int = 1
    name: str = "krawczyk"
    cost: int = 1
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """The unknowns of the rows."""
        return self.constraints.variables

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow every variable of every box from both sides."""
        return box_by_box(boxes, (self._narrowing(boxes.box(k)) for k in range(boxes.count)))

    def _narrowing(self, box: Box) -> Narrowing:
        inequalities = mean_value_rows(self.constraints.blocks, box, self.constraints.epsilon, self.cells)
        middle = 0.5 * (inequalities.lower + inequalities.upper)
        columns = [inequalities.monomials.index((v,)) for v in self.reads]
        plus = {tag[1:3]: k for k, tag in enumerate(inequalities.tags) if tag[3] > 0}
        minus = {tag[1:3]: k for k, tag in enumerate(inequalities.tags) if tag[3] < 0}
        both = [key for key in plus if key in minus]
        if len(both) < len(self.reads):
            return Narrowing(cells=self.cells)
        upper_rows, lower_rows = np.array([plus[key] for key in both]), np.array([minus[key] for key in both])
        slopes = 0.5 * (middle[upper_rows] - middle[lower_rows])[:, columns]
        chosen = steepest(slopes, _width(inequalities, upper_rows, columns) + _width(inequalities, lower_rows, columns))
        upper_rows, lower_rows = upper_rows[chosen], lower_rows[chosen]
        inverse = np.linalg.pinv(slopes[chosen])
        proposals = []
        for position, variable in enumerate(self.reads):
            for direction in (1, -1):
                weights = np.zeros(len(inequalities.tags))
                amounts = -direction * inverse[position]
                weights[upper_rows] = np.maximum(amounts, 0.0)
                weights[lower_rows] = np.maximum(-amounts, 0.0)
                proposals.append((variable, direction, weights, np.zeros(0)))
        return cuts(inequalities, (), box, proposals, self.cells)


def _width(inequalities: Inequalities, rows: np.ndarray, columns: list[int]) -> Floats:
    """What a side allows beyond its linear part: the intervals of its slopes, and that it need only hold within [-e,
    e].
    """
    spread = (inequalities.upper - inequalities.lower)[rows][:, columns].sum(axis=1)
    return np.asarray(spread - inequalities.lower[rows, inequalities.monomials.index(())])


def steepest(slopes: Floats, widths: Floats) -> np.ndarray:
    """As many rows as there are columns: those whose slopes, over their widths, span the most."""
    divisors = np.maximum(widths, SHARPEST * np.abs(slopes).sum(axis=1))
    left = slopes / np.where(divisors > 0.0, divisors, 1.0)[:, None]
    chosen: list[int] = []
    for _ in range(slopes.shape[1]):
        sizes = (left**2).sum(axis=1)
        sizes[chosen] = 0.0
        row = int(sizes.argmax())
        if sizes[row] <= 0.0:
            break
        chosen.append(row)
        direction = left[row] / np.sqrt(sizes[row])
        left = left - np.outer(left @ direction, direction)
    return np.array(chosen, dtype=np.int64)
