"""Which physically consistent parameters fit some rows, or reach furthest: a semidefinite program, by Clarabel.

    over phi, theta = S phi       least t, or most c . theta
    rows                          L_k - b - t <= a_k . theta <= U_k + b + t                  (t = 0 for the latter)
    box                           lower <= theta_j <= upper, but for ends that bodies imply
    bodies                        P_i(phi) - margin D_i positive semidefinite, no larger than LARGEST; phi_d >= 0
    weights                       v_k, upper less lower multiplier of row k

Bodies are scaled to a usual mass and reach, rows by their size. All of it is estimated.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.problems.errors import InputError
from certify.problems.regressors.physical import BODY, LARGEST, Physical, pseudo_inertia
from certify.problems.regressors.regressor import FAR, Floats, Regressor

REACH, MASS = 0.15, 2.0  # m and kg: what a body is scaled by
SIZES = MASS * np.array([1.0, *[REACH] * 3, *[REACH**2] * 6])
HALF = np.array([1.0 / REACH] * 3 + [1.0]) / np.sqrt(MASS)
TRIANGLE = [(i, j) for j in range(4) for i in range(j + 1)]  # upper triangle by columns
DEPENDENCY = "clarabel"

Indices = NDArray[np.int64]


def require_solver() -> None:
    """Raises InputError where there is no solver of such programs."""
    if importlib.util.find_spec(DEPENDENCY) is None:
        raise InputError(
            "bodies that are to be physical need a solver of semidefinite programs: pip install 'certify[ellipsoids]' "
            "(cvxpy, which brings Clarabel); or ask without"
        )


@dataclass(frozen=True, eq=False)
class Candidate:
    """A point in phi, the level t, weights on rows of the table, and on ends of the box, by parameter."""

    phi: Floats
    level: float
    rows: Indices
    weights: Floats
    walls: Floats


class PhysicalProgram:
    """The programs of one problem, over rows that are chosen call by call."""

    def __init__(self, problem: Regressor, physical: Physical) -> None:
        self.problem, self.physical = problem, physical
        self.base = float(problem.base)

    @cached_property
    def combination(self) -> Floats:
        """S, in floats."""
        found = np.zeros((len(self.physical.rows), self.physical.size))
        for j, row in enumerate(self.physical.rows):
            for d, factor in row:
                found[j, d] = float(factor)
        return found

    @cached_property
    def _inside(self) -> set[int]:
        return {d for body in self.physical.bodies for d in body}

    @property
    def _others(self) -> int:
        """How many phi in no body are not negative: their lines stand before those of the box."""
        return sum(d not in self._inside for d in self.physical.nonnegative)

    @cached_property
    def sizes(self) -> Floats:
        """What each phi is divided by."""
        found = np.ones(self.physical.size)
        for body in self.physical.bodies:
            found[list(body)] = SIZES
        lengths = np.abs(self.problem.matrix[:: max(1, self.problem.rows // 4096)]).max(axis=0)
        for j, row in enumerate(self.physical.rows):
            for d, _ in row:
                if d not in self._inside and lengths[j]:
                    found[d] = 1.0 / lengths[j]
        return found

    @cached_property
    def walls(self) -> list[tuple[int, int]]:
        """The ends of the box that say something: parameter and side."""
        found, implied = [], self.physical.signs()
        for j, (low, high) in enumerate(self.problem.box):
            found += [(j, -1)] if -low < FAR and not (implied[j] and low == 0) else []
            found += [(j, 1)] if high < FAR else []
        return found

    @cached_property
    def cones(self) -> tuple[Any, Floats, list[tuple[str, int]], Floats]:
        """What does not depend on rows: A, b, the cones, and D of margins on the left sides of bodies."""
        from scipy.sparse import csr_matrix

        size, lines, right, margin = self.physical.size, [], [], []
        inside = self._inside
        cones: list[tuple[str, int]] = []

        def add(line: Floats, end: float) -> None:
            lines.append(line * self.sizes)
            right.append(end)
            margin.append(0.0)

        for d in self.physical.nonnegative:
            if d not in inside:
                add(-np.eye(size)[d], 0.0)
        for j, side in self.walls:
            add(side * self.combination[j], side * float(self.problem.box[j][side > 0]))
        for body in self.physical.bodies:
            line = np.zeros(size)
            line[list(body)] = (1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.5)
            add(line / LARGEST, 1.0)
        if lines:
            cones.append(("nonnegative", len(lines)))
        for body in self.physical.bodies:
            for i, j in TRIANGLE:
                line = np.zeros(size)
                for place, d in enumerate(body):
                    line[d] = -_UNITS[place][i, j] * HALF[i] * HALF[j] * (1.0 if i == j else np.sqrt(2.0))
                lines.append(line * self.sizes)
                right.append(0.0)
                margin.append(-1.0 if i == j else 0.0)
            cones.append(("semidefinite", 4))
        return csr_matrix(np.array(lines)), np.array(right), cones, np.array(margin)

    def smallest(self, rows: Indices, margin: float) -> Candidate | None:
        """The least t on these rows, with bodies that have something to spare."""
        goal = np.zeros(self.physical.size + 1)
        goal[-1] = 1.0
        return self._solved(rows, goal, True, margin)

    def furthest(self, rows: Indices, target: Sequence[float]) -> Candidate | None:
        """The most that target . theta is on these rows."""
        return self._solved(rows, -(self.combination.T @ np.array(target)) * self.sizes, False, 0.0)

    def _solved(self, rows: Indices, goal: Floats, with_level: bool, margin: float) -> Candidate | None:
        from scipy.sparse import csc_matrix, hstack, vstack

        fixed, right, cones, spare = self.cones
        above, below = (self.problem.along(rows, side) @ self.combination * self.sizes for side in (1, -1))
        lower, upper = self.problem.lower[rows] - self.base, self.problem.upper[rows] + self.base
        unit = max(float(np.median(upper - lower)) / 2.0, 1e-300)
        sides = csc_matrix(np.vstack([above, -below]) / unit)
        matrix, ends = vstack([sides, fixed]), np.concatenate([upper, -lower]) / unit
        if with_level:
            level = np.concatenate([-np.ones(2 * len(rows)), np.zeros(len(right))])
            matrix = hstack([matrix, csc_matrix(level[:, None])])
        all_cones = [("nonnegative", 2 * len(rows)), *cones]
        found = _by_clarabel(goal, csc_matrix(matrix), np.concatenate([ends, right + margin * spare]), all_cones)
        if found is None:
            return None
        x, z = found
        weights = (z[: len(rows)] - z[len(rows) : 2 * len(rows)]) / unit
        first, walls = 2 * len(rows) + self._others, np.zeros(len(self.physical.rows))
        for place, (j, side) in enumerate(self.walls):
            walls[j] += side * z[first + place]  # these rows were not divided by the unit
        phi = x[: self.physical.size] * self.sizes
        return Candidate(phi, float(x[-1]) * unit if with_level else 0.0, rows, weights, walls)


def _by_clarabel(
    goal: Floats, matrix: Any, right: Floats, cones: Sequence[tuple[str, int]]
) -> tuple[Floats, Floats] | None:
    """x with the least goal . x among A x + s = b, s in cones, and multipliers; None if they are no numbers."""
    import clarabel
    from scipy.sparse import csc_matrix

    makers = {"nonnegative": clarabel.NonnegativeConeT, "semidefinite": clarabel.PSDTriangleConeT}
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    nothing, scale = csc_matrix((len(goal), len(goal))), float(np.abs(goal).max()) or 1.0
    stated = [makers[kind](count) for kind, count in cones]
    found = clarabel.DefaultSolver(nothing, goal / scale, matrix, right, stated, settings).solve()
    x, z = np.array(found.x), np.array(found.z) * scale
    return (x, z) if np.isfinite(x).all() and np.isfinite(z).all() else None


def _unit(place: int) -> Floats:
    """P of a body whose numbers are 0 but for one, which is 1."""
    found = pseudo_inertia([Fraction(int(k == place)) for k in range(len(BODY))])
    return np.array([[float(entry) for entry in row] for row in found])


_UNITS = [_unit(place) for place in range(len(BODY))]
