"""Which further row would shrink a set of parameters most: the set linearised around a point, A d <= b within a box,
and its extent along every variable.

A new row adds two sides to the polytope. An extent changes only if one of its two extreme vertices violates a new side,
so only those programs are solved again. Everything here is an estimate, to first order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.solvers.linear_programs.highs import is_optimal, new_model

TOUCHED = 1e-9  # of a side's own scale: a vertex that violates it by less stays


@dataclass(frozen=True, eq=False, slots=True)
class HalfSpaces:
    """slopes . d <= bounds"""

    slopes: Floats
    bounds: Floats

    def and_also(self, other: HalfSpaces) -> HalfSpaces:
        """Both."""
        return HalfSpaces(np.vstack([self.slopes, other.slopes]), np.concatenate([self.bounds, other.bounds]))


@dataclass(frozen=True, eq=False, slots=True)
class Extents:
    """Row 2 j is where the polytope reaches least along variable j, row 2 j + 1 where it reaches furthest."""

    vertices: Floats

    @property
    def widths(self) -> Floats:
        """The extent along every variable."""
        variables = np.arange(self.vertices.shape[1])
        widths: Floats = self.vertices[2 * variables + 1, variables] - self.vertices[2 * variables, variables]
        return np.maximum(widths, 0.0)


def extents(sides: HalfSpaces, lower: Floats, upper: Floats, known: Extents | None = None) -> Extents:
    """The extents of a polytope that holds 0; `known` are those of a larger one, whose vertices are kept where they are
    in this one, too.
    """
    count = lower.size
    scale = np.maximum(upper - lower, np.finfo(np.float64).tiny)
    vertices = np.zeros((2 * count, count)) if known is None else known.vertices.copy()
    faces = range(2 * count) if known is None else np.nonzero(_violated(sides, vertices))[0].tolist()
    if not faces:
        return Extents(vertices)
    solver = new_model(
        sides.slopes * scale, np.maximum(sides.bounds, 0.0), lower / scale, upper / scale, np.zeros(count)
    )
    places = np.arange(count, dtype=np.int32)
    for face in faces:
        cost = np.zeros(count)
        cost[face // 2] = -1.0 if face % 2 else 1.0
        solver.changeColsCost(count, places, cost)
        if is_optimal(solver):
            vertices[face] = np.array(solver.getSolution().col_value) * scale
    return Extents(vertices)


def _violated(sides: HalfSpaces, vertices: Floats) -> np.ndarray:
    """Which vertices violate a side."""
    reached = vertices @ sides.slopes.T
    allowed = TOUCHED * np.abs(vertices) @ np.abs(sides.slopes).T
    return np.asarray((reached - np.maximum(sides.bounds, 0.0) > allowed).any(axis=1))


def shares(sides: HalfSpaces, known: Extents, added: HalfSpaces, lower: Floats, upper: Floats) -> Floats:
    """For every variable the extent with the added sides, in parts of that without them."""
    before = known.widths
    after = extents(sides.and_also(added), lower, upper, known).widths
    return np.where(before > 0.0, after / np.where(before > 0.0, before, 1.0), 1.0)
