"""Which joints put the tool at a place of the workspace: enclosed along a polynomial, on one branch.

    F(q) = p        q the joints, p the position and what says how the tool is turned

For the places p(s), |s_k| <= 1, of a cell a polynomial Q(s) is chosen that nearly solves it. For each s Krawczyk's test
is made on the box X = Q(s) + [-w, w] with the matrix M(s) = (I + A) C, A = I - C F'(Q(s)): for q in X, with
B = I - C F'(q),

    I - M F'(q) = (B - A) + A B,    and if  |M d| + |B - A + A B| w < w,    d = F(Q(s)) - p(s)

then X holds exactly one q with F(q) = p(s) (`contractors/operators/krawczyk_existence`), which depends on s without a
jump. It is within |M d| + |B - A + A B| r of Q(s) if it is within r. C and Q are floats that are chosen; all else is
bounded for all s at once by Taylor models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from certify.branches.enclosing import (
    ARITHMETIC,
    Matrix,
    Program,
    Vector,
    defect,
    middles,
    of_floats,
    product,
    size,
    times,
    widened,
)
from certify.branches.taylor_models import Model, Modelled, Number, Space
from certify.checker.interval import Interval, Undefined
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Tape

NEWTON = 20
THIN = 30  # halvings of one: a box of joints about a single place
WITHIN = 0.002  # in which no other joints reach a place: of the range of a joint over a cell
SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Branch:
    """Joints over a cell: within `reach` of the polynomials `path`, and alone within `alone` of them."""

    path: tuple[Model, ...]
    reach: tuple[int, ...]
    alone: tuple[int, ...]
    middle: Floats
    order: int

    def models(self) -> list[Model]:
        """The joints as Taylor models."""
        return [Model(model.low, None, model.rest + by) for model, by in zip(self.path, self.reach, strict=True)]


class Inverse:
    """The equations of a pose: a tape of as many outputs as joints, whose first inputs are the joints, the others known
    once for all.
    """

    def __init__(self, tape: Tape, units: Sequence[str], fixed: Mapping[int, Interval]) -> None:
        self.joints, self._units = len(units), tuple(units)
        slopes, places = jacobian(tape)
        self._places = [(int(i), int(j)) for i, j in places.tolist()]
        self._values, self._slopes = Program(tape, fixed), Program(slopes, fixed)
        self._models, self._slope_models = Modelled(tape, fixed), Modelled(slopes, fixed)

    def slopes(self, q: Sequence[Interval]) -> Floats:
        """About F'(q)."""
        matrix = np.zeros((self.joints, self.joints))
        for (i, j), value in zip(self._places, middles(self._slopes.at(q)), strict=True):
            if j < self.joints:
                matrix[i, j] = value
        return matrix

    def solved(self, place: Sequence[Interval], near: Floats) -> Floats | None:
        """Joints near others that reach the middle of a place, by Newton's method; None if it fails."""
        z: Floats = np.array(near, dtype=float)
        wanted = middles(place)
        try:
            for _ in range(NEWTON):
                q = of_floats(z)
                step = np.linalg.solve(self.slopes(q), middles(self._values.at(q)) - wanted)
                z = z - step
                if not np.isfinite(z).all():
                    return None
                if np.abs(step).max() < 1e-13 * max(1.0, np.abs(z).max()):
                    return z
        except (np.linalg.LinAlgError, Undefined):
            return None
        return None

    def at_place(self, place: Sequence[Interval], near: Floats) -> Vector | None:
        """Ends between which some joints reach a place that is known as exactly as numbers here are; None if that is
        not shown.
        """
        z = self.solved(place, near)
        if z is None:
            return None
        try:
            middle, by = of_floats(z), ARITHMETIC.one >> THIN
            matrix = [of_floats(row) for row in np.linalg.inv(self.slopes(of_floats(z)))]
            slopes = [[(0, 0)] * self.joints for _ in range(self.joints)]
            for (i, j), value in zip(
                self._places, self._slopes.at([widened(value, by) for value in middle]), strict=True
            ):
                if j < self.joints:
                    slopes[i][j] = value
            missed = [ARITHMETIC.sub(p, f) for p, f in zip(place, self._values.at(middle), strict=True)]
            image = times(defect(product(matrix, slopes)), [(-by, by)] * self.joints)
            shifts = [ARITHMETIC.add(a, b) for a, b in zip(times(matrix, missed), image, strict=True)]
        except (np.linalg.LinAlgError, Undefined):
            return None
        if any(size(shift) >= by for shift in shifts):
            return None
        return [ARITHMETIC.add(value, shift) for value, shift in zip(middle, shifts, strict=True)]

    def branch(self, places: Sequence[Number], kind: Space, near: Floats) -> Branch | None:
        """The joints over a cell, of which those in its middle are near some others; None if that is not shown."""
        z = self.solved([_start(p) for p in places], near)
        if z is None:
            return None
        try:
            inverse = np.linalg.inv(self.slopes(of_floats(z)))
            matrix = [of_floats(row) for row in inverse]
            path = self._path(places, kind, z, matrix)
            missed = [size(kind.range(value)) for value in self._missed(places, kind, path)]
            alone = [max(sum(kind.sizes(q)[1:]), 1) for q in path]
            widest = [
                int(WITHIN * max(b for b, other in zip(alone, self._units, strict=True) if other == unit))
                for unit in self._units
            ]
            first = [
                sum(size(entry) * miss for entry, miss in zip(row, missed, strict=True)) // ARITHMETIC.one
                for row in matrix
            ]
            pairs = list(zip(first, self._units, strict=True))
            widest = [
                max(w, 2 * max(b for b, other in pairs if other == unit))
                for w, unit in zip(widest, self._units, strict=True)
            ]
            return self._shown(kind, path, matrix, missed, widest, z)
        except (np.linalg.LinAlgError, Undefined):
            return None

    def _missed(self, places: Sequence[Number], kind: Space, path: Sequence[Number]) -> list[Number]:
        return [kind.sub(f, p) for f, p in zip(self._models.at(kind, path), places, strict=True)]

    def _path(self, places: Sequence[Number], kind: Space, z: Floats, matrix: Matrix) -> tuple[Model, ...]:
        """The polynomials, by Newton's method with one matrix: each step makes one more degree right."""
        path = [kind.constant(value) for value, _ in of_floats(z)]
        for _ in range(kind.order + 1):
            missed = self._missed(places, kind, path)
            for j, row in enumerate(matrix):
                moved: Number = path[j]
                for entry, value in zip(row, missed, strict=True):
                    moved = kind.sub(moved, kind.mul(value, entry))
                path[j] = _thin(kind, moved)
        return tuple(path)

    def _shown(
        self,
        kind: Space,
        path: tuple[Model, ...],
        matrix: Matrix,
        missed: Sequence[int],
        alone: Sequence[int],
        z: Floats,
    ) -> Branch | None:
        here = self._defects(kind, path, matrix)
        there = self._defects(
            kind, [Model(q.low, None, q.rest + by) for q, by in zip(path, alone, strict=True)], matrix
        )
        count, one = range(self.joints), ARITHMETIC.one
        a = [[size(kind.range(entry)) for entry in row] for row in here]
        b = [[size(kind.range(entry)) for entry in row] for row in there]
        apart = [
            [size(kind.range(kind.sub(p, q))) for p, q in zip(*rows, strict=True)]
            for rows in zip(there, here, strict=True)
        ]
        left = [[apart[i][j] * one + sum(a[i][k] * b[k][j] for k in count) for j in count] for i in count]
        first = [sum(size(entry) * miss for entry, miss in zip(row, missed, strict=True)) for row in matrix]
        moved = [one * first[i] + sum(a[i][k] * first[k] for k in count) for i in count]  # in parts of one^2

        def image(by: Sequence[int]) -> list[int]:
            return [-(-(moved[i] + sum(left[i][j] * by[j] for j in count)) // one**2) for i in count]

        if any(found >= by for found, by in zip(image(alone), alone, strict=True)):
            return None
        reach = list(alone)
        for _ in range(SWEEPS):
            reach = [min(found, by) for found, by in zip(image(reach), reach, strict=True)]
        return Branch(path, tuple(reach), tuple(alone), z, kind.order)

    def _defects(self, kind: Space, q: Sequence[Number], matrix: Matrix) -> list[list[Number]]:
        """I - C F'(q)"""
        columns: list[list[Number]] = [[(0, 0)] * self.joints for _ in range(self.joints)]
        for (i, j), value in zip(self._places, self._slope_models.at(kind, q), strict=True):
            if j < self.joints:
                columns[j][i] = value
        found = []
        for i, row in enumerate(matrix):
            line: list[Number] = []
            for j, column in enumerate(columns):
                total: Number = (ARITHMETIC.one, ARITHMETIC.one) if i == j else (0, 0)
                for entry, value in zip(row, column, strict=True):
                    total = kind.sub(total, kind.mul(value, entry))
                line.append(total)
            found.append(line)
        return found


def _thin(kind: Space, number: Number) -> Model:
    """A polynomial in the middle, without remainder."""
    if isinstance(number, tuple):
        return kind.constant((number[0] + number[1]) >> 1)
    return Model([(low + high) >> 1 for low, high in zip(number.low, number.above, strict=True)], None, 0)


def _start(place: Number) -> Interval:
    """About the middle of a cell's places."""
    return place if isinstance(place, tuple) else (place.low[0], place.above[0])
