"""The ranges of the first columns of a linear program: small programs by our own dense simplex method, others by
HiGHS.

A program of a leg (185 constraints, 23 columns, 14 objectives) takes 0.4 ms by the dense method and 8 ms by HiGHS,
whose steps cost less only where the matrix is large and sparse. Everything returned is a candidate.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.contractors.tape.evaluation import Floats
from certify.solvers.limits import Limit
from certify.solvers.linear_programs.highs import HighsOracle
from certify.solvers.linear_programs.simplex import Simplex

SMALL = 2**14  # entries of a matrix that is dealt with densely
STEPS = 30  # of one small program, as many as a leg's take of HiGHS; efforts are told in these
REFUTED = 1e-9  # what weights that sum up to 1 must leave of the violation, for a dense refutation to be taken


@dataclass
class Ranges:
    """A `RangeOracle`. `effort` counts what simplex iterations cost: the rows (a small program counts as so many)."""

    limit: Limit = field(default_factory=Limit)
    effort: int = 0

    def ranges(
        self, program: LinearProgram, ranged: int, useless: float = -np.inf
    ) -> tuple[Floats | None, list[Floats | None]]:
        """Weights that refute the program, or None; and those that bound each of the first columns from below and from
        above.
        """
        if program.matrix.size < SMALL and program.entries is None and program.members is None:
            answers = self._densely(program, ranged)
            refuting = answers[-1]
            if not refuting.any():
                return None, [weights if weights.any() else None for weights in answers[:-1]]
            if _margin(program, refuting) > REFUTED * refuting.sum():
                return refuting, []
        return self._by_highs(program, ranged, useless)

    def _densely(self, program: LinearProgram, ranged: int) -> Floats:
        rows, _ = program.matrix.shape
        self.effort += STEPS * (2 * ranged + 1) * rows
        bound, width = program.bound - program.matrix @ program.lower, program.upper - program.lower
        wanted = np.ones(1, dtype=np.bool_)
        return np.asarray(Simplex().multipliers(program.matrix[None], bound[None], width[None], wanted, ranged)[0])

    def _by_highs(
        self, program: LinearProgram, ranged: int, useless: float
    ) -> tuple[Floats | None, list[Floats | None]]:
        oracle = HighsOracle(self.limit)
        violation, weights = oracle.violation_weights(program)
        answers: list[Floats | None] = []
        if not violation > 0.0:
            objectives = np.zeros((2 * ranged, program.lower.size))
            objectives[np.arange(2 * ranged), np.repeat(np.arange(ranged), 2)] = np.tile([1.0, -1.0], ranged)
            answers = oracle.bound_weights(program, objectives, useless)
        self.effort += oracle.effort
        return (weights if violation > 0.0 else None), answers


def _margin(program: LinearProgram, weights: Floats) -> float:
    """By how much the weighted sum of the constraints is violated everywhere (estimated)."""
    slopes = weights @ program.matrix
    least = np.minimum(slopes * program.lower, slopes * program.upper).sum()
    return float(least - weights @ program.bound)
