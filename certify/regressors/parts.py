"""Where a question about a linear model is asked: its search box, or parts of it in which the signs of parameters are
known.

    numbers           one part, the search box, and the rows as they are
    known signs       one part; each row is two inequalities, and nothing is lost (`sided_rows`)
    unknown signs     first the whole box, with chords; what is asked says whether that is enough, else the box is
                      parted at theta_j = 0: in an orthant rows are linear

What is proved of all parts is proved; a point of any part is a point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import Floats, Regressor
from certify.problems.regressors.sided_rows import SidedRows, sided
from certify.regressors.pieces import Piece
from certify.solvers.limits import Limit, Stopped
from certify.solvers.regressors.triangle import triangle
from certify.solvers.search.explore import Ended, Stack, explore

PARTS, SIGNS = 128, 16  # of so many unknown signs parts are made


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of the search box, and the rows as they are seen there."""

    piece: Piece
    rows: Regressor

    @property
    def is_last(self) -> bool:
        """Whether nothing would be gained by parting it."""
        return not isinstance(self.rows, SidedRows) or not self.rows.straddling


def part_of(problem: Regressor, piece: Piece) -> Part:
    """The rows on a piece, which prepares them so."""
    if not isinstance(problem, IntervalRegressor):
        return Part(piece, problem)
    rows = sided(problem, piece.box)
    piece.steps.append(rows.cells)
    return Part(piece, rows)


def ask_parts(problem: Regressor, root: Piece, ask: Callable[[Part], bool], limit: Limit, most: int = PARTS) -> Stopped:
    """Ask the whole box, then its parts where the answer is not enough yet (False); the half in which the least-squares
    fit lies comes first. A limit leaves the rest of them as they are, and is answered.
    """
    fit, left = triangle(problem).fit, most

    def step(taken: list[Piece]) -> list[Piece]:
        nonlocal left
        if left <= 0:
            raise Ended(Stopped.FINISHED, taken)
        left -= 1
        (piece,) = taken
        part = part_of(problem, piece)
        if ask(part) or part.is_last:
            return []
        rows = part.rows
        if not isinstance(rows, SidedRows) or len(rows.straddling) > SIGNS:
            return []
        j = _dearest(rows, fit)
        below, above = piece.part(j)
        return [below, above] if fit[j] > 0 else [above, below]

    return explore(Stack([root]), step, limit)


def _dearest(rows: SidedRows, fit: Floats) -> int:
    """The parameter whose chord costs the rows most."""
    whole = rows.whole
    usual = np.median(whole.high - whole.low, axis=0)
    largest = np.maximum(usual, (whole.high - whole.low).max(axis=0) / 1024)
    costs = {
        j: float(largest[j]) * float(max(rows.places[1][j].loss, rows.places[-1][j].loss)) for j in rows.straddling
    }
    return max(costs, key=lambda j: (costs[j], abs(float(fit[j]))))
