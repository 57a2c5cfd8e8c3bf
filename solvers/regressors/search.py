"""Which rows carry an answer, and at which points: rows are looked at all together, and few of them enter programs.

    smallest error or factor    min t  with  |a_k . theta - y_k| <= b_k + t  (or t b_k)
    faces                       min and max theta_j  with  all rows within their intervals

Everything is estimated: bases whose exact weights prove a bound, and points that are judged afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.problems.regressors.regressor import Floats, Integers, Regressor
from certify.solvers.limits import Late, Limit
from certify.solvers.regressors.dense_programs import Asked, DensePrograms
from certify.solvers.regressors.few_rows import Basis, Side
from certify.solvers.regressors.passes import look
from certify.solvers.regressors.triangle import Triangle, row_weights, triangle

AT_ONCE, EACH = 60, 6  # rows that enter after one look: in all, and for each point
CLOSE = 1e-10  # of the smallest bound, or the largest residual: a row that is missed by less does not enter
NOISE = 1e-15  # of the largest measurement: less is rounding
BEYOND = 1e6  # of a parameter's reach: where a program ends that has no end of its own
ROUNDS = 60
FIRST = 3  # rows for each parameter at the beginning

Face = tuple[int, int]  # a parameter, and +1 or -1
Question = tuple[Face, tuple[int, ...]]  # how far it reaches where these rows are dropped


@dataclass(frozen=True, eq=False)
class Smallest:
    """The smallest error (or factor), estimated: its basis, its point, and whether all rows were looked at to the
    end.
    """

    value: float
    point: Floats
    basis: Basis
    finished: bool


@dataclass(frozen=True, eq=False)
class FaceFound:
    """How far a parameter reaches in a direction (+1 or -1), estimated."""

    parameter: int
    sign: int
    point: Floats
    basis: Basis
    finished: bool
    dropped: tuple[int, ...] = ()

    @property
    def value(self) -> float:
        """How far that is."""
        return float(self.sign * self.point[self.parameter])


class RowSearch:
    """One problem, around the point of the prior box nearest to its least-squares fit, weighted by the half-widths of
    rows where these differ.
    """

    def __init__(self, problem: Regressor, fitted: Triangle, limit: Limit) -> None:
        self.problem, self.limit = problem, limit
        weights = row_weights(problem)
        fitted = fitted if weights is None else triangle(problem, weights)
        known = np.array([[np.nan if end is None else float(end) for end in pair] for pair in problem.bounds])
        self.centre: Floats = np.fmin(np.fmax(fitted.fit, known[:, 0]), known[:, 1])
        residuals = np.abs(np.concatenate([problem.y[p] - problem.matrix[p] @ self.centre for p in problem.pieces()]))
        half, base = (problem.upper - problem.lower) / 2, float(problem.base)
        usual = base + float(np.median(half))
        noise = NOISE * max(float(np.abs(problem.y[p]).max()) for p in problem.pieces())
        self.error = max(float(residuals.max()) + usual, noise, np.finfo(float).tiny)
        narrow = usual if weights is None else float(half[half > 0].min())
        self.tolerance = CLOSE * (narrow or self.error) + noise
        farthest = residuals + half + base
        reach = 4 * fitted.spread(float((farthest if weights is None else farthest * weights).max()) or self.error)
        self.reach = np.where(reach > 0, reach, 1.0)
        self.open = fitted.is_open
        self.known: Floats = np.asarray((known.T - self.centre) / self.reach)
        self.sides = self._evenly(np.arange(problem.rows))

    @property
    def has_bounds(self) -> bool:
        """Whether some row may be off at all."""
        pieces, problem = self.problem.pieces(), self.problem
        return bool(problem.base) or any((problem.upper[p] > problem.lower[p]).any() for p in pieces)

    def _ends(self, beyond: Floats) -> tuple[Floats, Floats]:
        """Of the deviations in units of their reach: what was known before, or else so much."""
        lower, upper = self.known
        low, high = np.where(np.isnan(lower), -beyond, lower), np.where(np.isnan(upper), beyond, upper)
        return low, high

    def _evenly(self, rows: Integers) -> list[Side]:
        """Some of these rows to begin with."""
        count = min(len(rows), FIRST * self.problem.size + 1)
        places = np.unique(np.linspace(0, max(len(rows) - 1, 0), count).astype(np.int64))
        return [(row, side) for row in rows[places].tolist() for side in (1, -1)]

    def _enough(self, dropped: tuple[int, ...]) -> list[Side]:
        """The rows that mattered so far, and others where nearly all of them are dropped."""
        gone = set(dropped)
        if not gone or len({row for row, _ in self.sides} - gone) > FIRST * self.problem.size:
            return self.sides
        kept = np.setdiff1d(np.arange(self.problem.rows), np.array(dropped, dtype=np.int64))
        return list(dict.fromkeys([*self.sides, *self._evenly(kept)]))

    def theta(self, z: Floats) -> Floats:
        """The parameters of deviations."""
        return self.centre + self.reach * z

    def _coefficients(self, sides: Sequence[Side]) -> tuple[Floats, Floats, Floats]:
        """s a reach, what is left of s (end - a . centre), and the half-widths."""
        rows, signs = (np.array(part) for part in zip(*sides, strict=True))
        matrix = self._along(rows, signs)
        lower, upper, base = self.problem.lower[rows], self.problem.upper[rows], float(self.problem.base)
        ends = np.where(signs > 0, upper, -lower) + base
        return matrix * self.reach, ends - matrix @ self.centre, (upper - lower) / 2 + base

    def _along(self, rows: Integers, signs: Integers) -> Floats:
        """s a."""
        matrix = self.problem.along(rows, 1) * signs[:, None]
        if self.problem.has_sides:
            matrix = np.where(signs[:, None] > 0, matrix, -self.problem.along(rows, -1))
        return matrix

    def smallest(self, weights: bool, dropped: tuple[int, ...] = ()) -> Smallest | None:
        """The smallest error, or with `weights` the smallest factor on all half-widths, of all rows but those that are
        dropped; None if none was found.
        """
        unit = 1.0 if weights else self.error
        lower, upper = self._ends(np.full(self.problem.size, np.inf))
        program = DensePrograms(np.append(lower, -np.inf), np.append(upper, np.inf))

        def enter(sides: Sequence[Side]) -> None:
            matrix, left, half = self._coefficients(sides)
            column = half if weights else np.full(len(sides), self.error)
            program.enter(sides, np.column_stack([matrix, -column]), left - half if weights else left)

        enter(self._enough(dropped))
        asked, best = program.ask(np.append(np.zeros(self.problem.size), -1.0), dropped), None
        for _ in range(ROUNDS):
            try:
                asked, basis = program.solve([asked], self.limit)[0]
                if basis is None:
                    return best
                value, point = float(basis.point[-1]) * unit, self.theta(basis.point[:-1])
                best = Smallest(value, point, basis, False)
                seen = look(
                    self.problem, point[:, None], np.array([value]), weights, AT_ONCE, self.limit.check, [dropped]
                )
            except Late:
                return best
            new = [side for side in seen.sides[0] if side not in program]
            if seen.worst[0] <= self.tolerance or not new:
                self.sides = program.sides
                return Smallest(value, point, basis, True)
            enter(new)
        return best

    def faces(self, wanted: Sequence[Face]) -> list[FaceFound]:
        """For each (parameter, direction) how far it reaches; those of which nothing was found are missing."""
        found = self.reached(self.programs(1.0), [(face, ()) for face in wanted])
        return [found[face, ()] for face in wanted if (face, ()) in found]

    def programs(self, within: float) -> DensePrograms:
        """The rows that have entered so far, in a box of so many times the parameters' reach."""
        program = DensePrograms(*self._ends(np.where(self.open, BEYOND, within)))
        matrix, left, _ = self._coefficients(self.sides)
        program.enter(self.sides, matrix, left)
        return program

    def half_spaces(self, program: DensePrograms, point: Floats) -> tuple[Floats, Floats]:
        """The rows that have entered as half-spaces of deviations from a point: their normals, and what they leave."""
        rows, signs = (np.array(part) for part in zip(*program.sides, strict=True))
        matrix = self._along(rows, signs)
        ends = np.where(signs > 0, self.problem.upper[rows], -self.problem.lower[rows]) + float(self.problem.base)
        return matrix, ends - matrix @ point

    def reached(
        self, program: DensePrograms, wanted: Sequence[Question], directions: Floats | None = None
    ) -> dict[Question, FaceFound]:
        """For each (parameter, direction) and rows that are dropped for it how far it reaches, or how far combinations
        of them reach in place of parameters; rows that matter enter the program. Those of which nothing was found are
        missing.
        """
        found = dict[Question, FaceFound]()
        units = np.eye(self.problem.size)
        if directions is not None:
            units = directions * self.reach / np.abs(directions * self.reach).max(axis=1, keepdims=True)
        waiting = {(face, dropped): program.ask(face[1] * units[face[0]], dropped) for face, dropped in wanted}
        for _ in range(ROUNDS):
            try:
                waiting = self._solve(program, waiting, found)
                if not waiting:
                    break
                points = np.column_stack([found[one].point for one in waiting])
                most, without = max(EACH, AT_ONCE // len(waiting)), [dropped for _, dropped in waiting]
                seen = look(self.problem, points, np.zeros(len(waiting)), False, most, self.limit.check, without)
            except Late:
                break
            new = dict.fromkeys(side for each in seen.sides for side in each if side not in program)
            for one, worst, sides in zip(waiting, seen.worst.tolist(), seen.sides, strict=True):
                if worst <= self.tolerance or not any(side in new for side in sides):
                    found[one] = replace(found[one], finished=True)
            waiting = {one: asked for one, asked in waiting.items() if not found[one].finished}
            if new:
                matrix, left, _ = self._coefficients(list(new))
                program.enter(list(new), matrix, left)
        return found

    def _solve(
        self, program: DensePrograms, waiting: Mapping[Question, Asked], found: dict[Question, FaceFound]
    ) -> dict[Question, Asked]:
        """Those of which an optimum of the rows that have entered was found."""
        left = {}
        for one, (asked, basis) in zip(waiting, program.solve(list(waiting.values()), self.limit), strict=True):
            if basis is not None:
                left[one] = asked
                found[one] = FaceFound(*one[0], self.theta(basis.point), basis, False, one[1])
        return left
