"""Krawczyk's operator, rectangular: K(X) = c - C r(c) + (I - C J(X)) (X - c), for any number of rows.

With C an approximate left inverse of the Jacobian at the centre, row j of C r(x) = 0 bounds x_j; with rows that need
only hold within [-e, e] it becomes a sum of row sides with weights |C_jk|. *Keeps* every feasible x of the box. It
solves no linear program, contracts quadratically near a regular solution with small e, and is of little use while e
is large. (Narrowing only: existence needs a square system.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from contractors.aggregate_cuts import cuts
from contractors.inequalities import mean_value_rows
from contractors.narrowing import Box, Narrowing
from contractors.rows import Rows


@dataclass(frozen=True, eq=False)
class Krawczyk:
    """The operator on numbered blocks of rows with the same variables."""

    blocks: tuple[tuple[int, Rows], ...]
    variables: tuple[int, ...]
    cells: int = 1
    name: str = "krawczyk"
    cost: int = 1

    def contract(self, box: Box, epsilon: float) -> Narrowing:
        """Narrow every variable from both sides."""
        inequalities = mean_value_rows(self.blocks, box, epsilon, self.cells)
        middle = 0.5 * (inequalities.lower + inequalities.upper)
        columns = [inequalities.monomials.index((v,)) for v in self.variables]
        plus = {tag[1:3]: k for k, tag in enumerate(inequalities.tags) if tag[3] > 0}
        minus = {tag[1:3]: k for k, tag in enumerate(inequalities.tags) if tag[3] < 0}
        both = [key for key in plus if key in minus]
        if len(both) < len(self.variables):
            return Narrowing(cells=self.cells)
        upper_rows, lower_rows = np.array([plus[key] for key in both]), np.array([minus[key] for key in both])
        inverse = np.linalg.pinv(0.5 * (middle[upper_rows] - middle[lower_rows])[:, columns])
        proposals = []
        for position, variable in enumerate(self.variables):
            for direction in (1, -1):
                weights = np.zeros(len(inequalities.tags))
                amounts = -direction * inverse[position]
                weights[upper_rows] = np.maximum(amounts, 0.0)
                weights[lower_rows] = np.maximum(-amounts, 0.0)
                proposals.append((variable, direction, weights, np.zeros(0)))
        return cuts(inequalities, (), box, proposals, self.cells)
