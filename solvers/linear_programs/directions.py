"""Distances in a linear program: the root of the sum of the squares of a member's rows is to be within its level.

    |max(p, 0)| <= L + z    if and only if    a . p <= L + z  for all a >= 0 of length 1,

p being what the rows of a member say apart from the level, z what all of them have in common (a violation). The rows
themselves are the directions along the axes; others are generated where an optimum violates them most, which is the
direction of p there. A direction is a weighted sum of rows: so its dual weight is one of rows, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.linear_programs.sparse import Indices, Sparse


@dataclass(frozen=True, eq=False)
class Members:
    """For each row  m . y <= bound  its member (-1: none) and the level that is part of its bound; `common` are the
    columns that mean the same in all rows of a member.
    """

    numbers: Indices
    levels: Floats
    common: Flags


@dataclass(frozen=True, eq=False)
class Direction:
    """A sum of rows with these parts, of length 1, as a row of its own: coefficients of columns, and its bound."""

    rows: Indices
    parts: Floats
    coefficients: Floats
    bound: float


def violated(
    members: Members, matrix: Sparse, bound: Floats, point: Floats, tolerance: float, most: int
) -> list[Direction]:
    """The directions of the members that the point violates by more than the tolerance, the most violated first."""
    joined = np.flatnonzero(members.numbers >= 0)
    shared = matrix.times(np.where(members.common, point, 0.0))[joined]
    levels = members.levels[joined]
    sizes = np.maximum(matrix.times(point)[joined] - shared - bound[joined] + levels, 0.0)
    known, owners = np.unique(members.numbers[joined], return_inverse=True)
    lengths = np.sqrt(np.bincount(owners, weights=sizes**2, minlength=known.size))
    room, few = np.full(known.size, np.inf), np.bincount(owners, weights=sizes > 0.0, minlength=known.size) > 1
    np.minimum.at(room, owners, levels - shared)
    excess = np.where(few, lengths - room, -np.inf)
    worst = np.argsort(-excess, kind="stable")[:most]
    found = []
    for member in worst[excess[worst] > tolerance]:
        chosen = (owners == member) & (sizes > 0.0)
        rows, parts = joined[chosen], sizes[chosen] / lengths[member]
        part = matrix.only(rows).dense()
        coefficients = np.where(members.common, part[0], parts @ part)
        level = float(members.levels[rows[0]])
        found.append(Direction(rows, parts, coefficients, float(parts @ (bound[rows] - level)) + level))
    return found
