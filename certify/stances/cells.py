"""Where the platform stands if its legs are not what the robot thinks: cell by cell of the poses.

The robot wants the pose p and gives each leg k what f_k(x0, p) says. With parameters x and errors e the platform stands
at p' = p + D with f_k(x, p') = f_k(x0, p) + e_k, so that

    J D = v,    v_k = e_k - d_k(x, p'),    d_k = f_k(x, .) - f_k(x0, .),    J the mean of f'(x0, m + t D), |t| <= 1/2

about the pose m in the middle between p and p'. For m in a cell a matrix C(m), affine in m, is chosen that is nearly
the inverse of f'(x0, m):

    D = C(m) v + (I - C(m) J) D

C(m) v is affine in m and in v, its length convex: the largest one belongs to a corner of the cell and a corner of the
box of v. I - C(m) J is small of second order; it is bounded by Taylor models in m and t D, in which what is odd in t
vanishes from the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from certify.branches.enclosing import ARITHMETIC, PRECISION, ZERO, Program, middles, size
from certify.branches.taylor_models import Model, Modelled, Number, Space, space
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Tape
from certify.problems.model.model import Bounds

ORDER = 2
GRID = 30  # binary digits of the entries of C
Integers = np.ndarray[Any, Any]  # of Python's integers
Ends = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Cell:
    """C(m) = C_0 + sum_i s_i C_i in parts of 2^-GRID, |s_i| <= 1 over the cell, and the sizes of I - C J in parts of
    2^-PRECISION.
    """

    ends: tuple[Bounds, ...]
    matrices: Integers
    defect: Integers

    @cached_property
    def corners(self) -> Integers:
        """C at the corners (corners, coordinates, legs)."""
        count = len(self.ends)
        signs = np.array(list(product((-1, 1), repeat=count)), dtype=object)
        found: Integers = self.matrices[0] + np.tensordot(signs, self.matrices[1:], axes=1)
        return found

    def shifts(self, box: Sequence[Ends]) -> Integers:
        """C v at all corners of the cell and of a box of v (corners of both, coordinates), in parts of
        2^-(GRID + PRECISION).
        """
        ends = np.array(list(product(*box)), dtype=object).T
        found: Integers = np.concatenate([matrix.dot(ends).T for matrix in self.corners])
        return found

    def sizes(self, box: Sequence[Ends]) -> Integers:
        """The largest size of each coordinate of C v, in parts of 2^-PRECISION."""
        low, high = (np.array(side, dtype=object) for side in zip(*box, strict=True))
        above = np.maximum(self.corners * low, self.corners * high).sum(axis=2).max(axis=0)
        below = np.minimum(self.corners * low, self.corners * high).sum(axis=2).min(axis=0)
        return np.array([-(-max(a, -b) >> GRID) for a, b in zip(above, below, strict=True)], dtype=object)

    def left(self, shifts: Sequence[int] | Integers) -> Integers:
        """The largest size of (I - C J) D for D within these."""
        found = self.defect.dot(np.array(shifts, dtype=object))
        return np.array([-(-value >> PRECISION) for value in found], dtype=object)


class Cells:
    """Makes cells for one robot; `reach` is how far p' may be from p, in each coordinate."""

    def __init__(self, legs: Tape, reach: Sequence[Fraction]) -> None:
        slopes, places = jacobian(legs)
        self.count = legs.inputs
        self._places = [(int(k), int(i)) for k, i in places.tolist()]
        self._slopes, self._models = Program(slopes, {}), Modelled(slopes, {})
        self._ways = [ARITHMETIC.enclose(by / 2) for by in reach]

    def inverse(self, pose: Sequence[Fraction]) -> Floats:
        """About f'(x0, m)^-1. Raises LinAlgError, Undefined."""
        matrix = np.zeros((self.count, self.count))
        at = self._slopes.at([ARITHMETIC.enclose(value) for value in pose])
        for (k, i), value in zip(self._places, middles(at), strict=True):
            matrix[k, i] = value
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)

    def cell(self, ends: Sequence[Bounds]) -> Cell:
        """That of poses within these ends. Raises LinAlgError, Undefined."""
        count = self.count
        both, one = space(2 * count, ORDER), space(count, ORDER)
        poses: list[Number] = []
        for k, ((low, high), way) in enumerate(zip(ends, self._ways, strict=True)):
            middle, half = ARITHMETIC.enclose((low + high) / 2), ARITHMETIC.enclose((high - low) / 2)
            poses.append(both.add(both.variable(k, middle, half), both.variable(count + k, ZERO, way)))
        slopes: list[list[Number]] = [[ZERO] * count for _ in range(count)]
        for (k, i), model in zip(self._places, self._models.at(both, poses), strict=True):
            slopes[k][i] = mean(both, one, model)
        matrices = self._chosen(ends, one, slopes)
        return Cell(tuple(ends), matrices, _defect(one, matrices, slopes))

    def _chosen(self, ends: Sequence[Bounds], one: Space, slopes: Sequence[Sequence[Number]]) -> Integers:
        """C_0, and by how much the inverse changes along each coordinate."""
        inverse = self.inverse([(low + high) / 2 for low, high in ends])
        linear = np.zeros((self.count, self.count, self.count))
        for k, row in enumerate(slopes):
            for i, entry in enumerate(row):
                if isinstance(entry, Model):
                    first = [entry.low[place] + entry.above[place] for place in range(1, self.count + 1)]
                    for place, value in enumerate(first, 1):
                        coordinate = one.monomials[place].index(1)
                        linear[coordinate, k, i] = value / (2.0 * ARITHMETIC.one)
        found = [inverse, *(-inverse @ change @ inverse for change in linear)]
        entries = [[[round(Fraction(float(v)) * 2**GRID) for v in row] for row in matrix] for matrix in found]
        return np.array(entries, dtype=object)


def mean(both: Space, one: Space, model: Number) -> Number:
    """The mean over t in [-1, 1] of a model in s and t w: that of t^n is 0 where n is odd, else 1 / (n + 1)."""
    if isinstance(model, tuple):
        return model
    low, high, rest = [0] * len(one.monomials), [0] * len(one.monomials), model.rest
    places = {exponents: k for k, exponents in enumerate(one.monomials)}
    for exponents, a, b in zip(both.monomials, model.low, model.above, strict=True):
        moved = sum(exponents[one.variables :])
        if not moved:
            low[places[exponents[: one.variables]]], high[places[exponents[: one.variables]]] = a, b
        elif moved % 2 == 0:
            rest += -(-size((a, b)) // (moved + 1))
    return Model(low, None if model.high is None else high, rest)


def _defect(one: Space, matrices: Integers, slopes: Sequence[Sequence[Number]]) -> Integers:
    """The sizes of I - C J."""
    count, shift = len(slopes), PRECISION - GRID
    places = [one.monomials.index(tuple(int(j == k) for j in range(count))) for k in range(count)]

    def entry(i: int, k: int) -> Model:
        found = one.constant(int(matrices[0, i, k]) << shift)
        for place, matrix in zip(places, matrices[1:], strict=True):
            found.low[place] = int(matrix[i, k]) << shift
        return found

    chosen = [[entry(i, k) for k in range(count)] for i in range(count)]
    found = np.zeros((count, count), dtype=object)
    for i in range(count):
        for j in range(count):
            total: Number = one.constant(ARITHMETIC.one if i == j else 0)
            for k in range(count):
                total = one.sub(total, one.mul(chosen[i][k], slopes[k][j]))
            found[i, j] = size(one.range(total))
    return found
