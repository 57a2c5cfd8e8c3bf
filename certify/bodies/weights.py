"""Weights from a semidefinite program, moved a little so that exact arithmetic accepts what they prove.

At the program's optimum the matrices Z_i of bodies are singular, and weights in doubles leave them a little on the
wrong side. Weights whose matrices are positive definite, wherever rows tell bodies at all, are added: kinetic energy is
such a function of theta (`Physical.energy`), and so is the sum of all traces where theta is phi itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.bodies.multipliers import most
from certify.problems.regressors.physical import Physical, pairing
from certify.problems.regressors.regressor import Floats, Regressor
from certify.solvers.semidefinite.physical_program import HALF, Candidate, Indices, PhysicalProgram

SMALLEST = 1e-5  # of the largest weight: smaller ones are left out, and their part is put on the basis
SHARES = tuple(10.0**exponent for exponent in range(-13, -3))  # of the energy's weights, relative to the weights
FLAT = 1e-12  # of independent rows
SIDES = 12  # turns in which weights on a basis find their sides
ROUNDING = 1e-15  # of a matrix's size: what floats see as not negative


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What weights on rows, and on ends of the box, prove: target . theta <= at."""

    at: Fraction
    weights: tuple[tuple[int, Fraction], ...]
    walls: tuple[tuple[int, Fraction], ...] = ()


class Weights:
    """Makes weights of one problem exact; `rows`: some among which enough are independent, if there are."""

    def __init__(self, problem: Regressor, program: PhysicalProgram, rows: Indices) -> None:
        self.problem, self.program, self.physical = problem, program, program.physical
        self.basis = _independent(problem, rows)
        wanted = energy_of(self.physical)
        self.energy = np.zeros(0) if wanted is None or not len(self.basis) else self._on_basis(wanted)
        if not np.isfinite(self.energy).all() or not self.energy.any():
            self.energy = np.zeros(0)

    def confirmed(self, candidate: Candidate, target: Sequence[int]) -> Confirmed | None:
        """What a candidate's weights prove, if they prove anything."""
        size = float(np.abs(candidate.weights).max(initial=0.0))
        if not size:
            return None
        kept = np.abs(candidate.weights) > SMALLEST * size
        rows, weights = candidate.rows[kept], candidate.weights[kept]
        if len(self.basis):
            lost = candidate.weights[~kept] @ self._along(candidate.rows[~kept], candidate.weights[~kept])
            rows = np.concatenate([rows, self.basis])
            weights = np.concatenate([weights, self._on_basis(lost)])
        walls = np.where(np.abs(candidate.walls) > SMALLEST * np.abs(candidate.walls).max(), candidate.walls, 0.0)
        for share in (0.0, *SHARES):
            if len(self.energy):
                moved = weights.copy()
                moved[-len(self.energy) :] += share * size / np.abs(self.energy).max() * self.energy
            else:
                moved = weights
            if share == SHARES[-1] or not len(self.energy) or self._seems(rows, moved, target - walls):
                return self._exactly(rows, moved, walls, target)
        return None

    def _exactly(self, rows: Indices, weights: Floats, walls: Floats, target: Sequence[int]) -> Confirmed | None:
        total: dict[int, Fraction] = {}
        for row, value in zip(rows.tolist(), weights.tolist(), strict=True):
            if value:
                total[row] = total.get(row, Fraction(0)) + Fraction(value)
        ends = {j: Fraction(value) for j, value in enumerate(walls.tolist()) if value}
        bound = most(self.problem, self.physical, total, [Fraction(value) for value in target], ends)
        return None if bound is None else Confirmed(bound, tuple(sorted(total.items())), tuple(ends.items()))

    def _on_basis(self, wanted: Floats) -> Floats:
        """Weights on the basis that give a function of theta, but for rounding; where the inequalities of a row differ,
        each weight has the sign of its side, if that is found.
        """
        found = np.ones(len(self.basis))
        for _ in range(SIDES if self.problem.has_sides else 1):
            matrix, signs = self._along(self.basis, found), found > 0
            lengths = np.linalg.norm(matrix, axis=0)
            found = np.asarray(np.linalg.solve(matrix.T / lengths[:, None], wanted / lengths))
            if ((found > 0) == signs).all():
                break
        return found

    def _along(self, rows: Indices, weights: Floats) -> Floats:
        """The coefficients of rows, each of the side of its weight."""
        above = self.problem.along(rows, 1)
        return np.where(weights[:, None] > 0, above, self.problem.along(rows, -1)) if self.problem.has_sides else above

    def _seems(self, rows: Indices, weights: Floats, target: Floats) -> bool:
        """Whether all matrices and factors are on the right side, as floats see them."""
        along = self._along(rows, weights)
        combined = weights @ along - target
        rest = self.program.combination.T @ combined
        inside = {d for body in self.physical.bodies for d in body}
        if any(rest[d] < 0 for d in self.physical.nonnegative if d not in inside):
            return False
        scale = np.abs(self.program.combination).T @ (np.abs(weights) @ np.abs(along))
        for body in self.physical.bodies:
            part = np.array(_floats(rest, body)) * np.outer(HALF, HALF) ** -1
            noise = np.abs(np.array(_floats(scale, body))) * np.outer(HALF, HALF) ** -1
            if np.linalg.eigvalsh(part)[0] < -ROUNDING * float(noise.max()):
                return False
        return True


def _independent(problem: Regressor, rows: Indices) -> Indices:
    """As many independent rows as there are parameters; none if there are fewer."""
    from scipy.linalg import qr

    matrix = problem.along(rows, 1)
    lengths = np.linalg.norm(matrix, axis=0)
    if len(rows) < problem.size or not lengths.all():
        return rows[:0]
    factor, chosen = qr(matrix.T / lengths[:, None], mode="r", pivoting=True)
    sizes = np.abs(np.diag(factor))
    return rows[chosen[: problem.size]] if sizes[-1] > FLAT * sizes[0] else rows[:0]


def _floats(values: Floats, body: Sequence[int]) -> list[list[float]]:
    return [[float(entry) for entry in row] for row in pairing([Fraction(float(values[d])) for d in body])]


def energy_of(physical: Physical) -> Floats | None:
    """A function of theta whose matrices are positive definite, if one is known."""
    if physical.energy is not None:
        return np.array(physical.energy)
    if any(row != ((j, Fraction(1)),) for j, row in enumerate(physical.rows)):
        return None
    found = np.zeros(physical.size)
    found[list(physical.nonnegative)] = 1.0
    for body in physical.bodies:
        found[list(body)] = (1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.5)
    return found
