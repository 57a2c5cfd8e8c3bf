"""Are there physically consistent parameters that fit every row, and how far do they reach?

A semidefinite program over few rows proposes, rows that its point misses are added; what is concluded is concluded by
`points` and `multipliers`, in exact arithmetic. What neither confirms is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.bodies.answer import PhysicalAnswer, PhysicalFace
from certify.bodies.points import PhysicalPoint, physical_point
from certify.bodies.weights import Weights
from certify.problems.regressors.physical import Physical
from certify.problems.regressors.regressor import Regressor
from certify.problems.regressors.sided_rows import SidedRows, sided
from certify.records.options import Progress
from certify.solvers.limits import Late, Limit
from certify.solvers.regressors.passes import look
from certify.solvers.semidefinite.physical_program import Candidate, Indices, PhysicalProgram

ROUNDS, FACE_ROUNDS = 40, 12
MORE = 40  # rows that are added in a round
FIRST = 120  # rows to begin with, evenly
NEAR, MISSED = 1e-7, 1e-4  # of the bound: rows that are missed by less are not added (to decide, and for a face)
MARGINS = (1e-2, 1e-4, 1e-6, 1e-8)  # of the matrices of scaled bodies
LESS = Fraction(1, 10**12)  # of what bounds must grow by at least: they must grow by more than a little less
BETTER = Fraction(1, 10**6)  # of an interval's width: an end that is nearer by less is not worth its words

Pairs = tuple[tuple[Fraction | None, Fraction | None], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The model, what is physical, the box that is proved without it, the rows that prove its ends, and a point
    that fits, if one is known. Of a W that is known within intervals `judged` is the model, and `problem` its rows as
    inequalities on that box, which are looser where signs are not known.
    """

    problem: Regressor
    physical: Physical
    box: Pairs
    rows: Mapping[tuple[int, int], Sequence[int]]
    point: Sequence[Fraction] | None = None
    judged: Regressor | None = None

    @property
    def whole(self) -> Regressor:
        """The model at whose rows points are judged."""
        return self.problem if self.judged is None else self.judged


def search_physical(asked: Asked, limit: Limit, progress: Progress) -> PhysicalAnswer:
    """Everything that is found within the limit."""
    answer = PhysicalAnswer(asked.physical)
    if not asked.physical.bodies:  # rows and the search box say everything
        return replace(answer, point=_of_box(asked, limit))
    search = _Search(asked, limit)
    try:
        progress("physical consistency")
        answer = search.decided(answer)
        if not answer.refuted:
            wanted = [(j, sign) for j in range(asked.problem.size) for sign in (-1, 1)]
            for number, (j, sign) in enumerate(wanted):
                progress(f"{len(wanted) - number} ends of physical parameters to go")
                face = search.face(j, sign)
                answer = answer if face is None else replace(answer, faces=(*answer.faces, face))
    except Late:
        return replace(answer, finished=False)
    return answer


def _of_box(asked: Asked, limit: Limit) -> PhysicalPoint | None:
    if asked.point is None:
        return None
    phi = np.zeros(asked.physical.size)
    phi[list(asked.physical.leading)] = [float(value) for value in asked.point]
    return physical_point(asked.whole, asked.physical, phi, limit.check)


class _Search:
    """`rows` are those that every program begins with."""

    def __init__(self, asked: Asked, limit: Limit) -> None:
        self.asked, self.limit = asked, limit
        self.problem = asked.problem
        self.program = PhysicalProgram(asked.problem, asked.physical)
        evenly = np.linspace(0, self.problem.rows - 1, min(max(FIRST, 3 * self.problem.size), self.problem.rows))
        self.rows: Indices = np.unique(evenly.astype(np.int64))
        self.weights = Weights(asked.problem, self.program, self.rows)

    def decided(self, answer: PhysicalAnswer) -> PhysicalAnswer:
        """With a point, or with weights that show that there is none."""
        for margin in MARGINS:
            found = self._smallest(margin)
            if found is None or found.level > 0:
                continue
            point = physical_point(self.asked.whole, self.asked.physical, found.phi, self.limit.check)
            point = self._in_orthant(found, margin) if point is None else point
            if point is not None:
                return replace(answer, point=point)
        found = self._smallest(0.0)
        confirmed = None if found is None else self.weights.confirmed(found, [0] * self.problem.size)
        if confirmed is None or confirmed.at >= 0:
            return answer
        size = sum((abs(weight) for _, weight in confirmed.weights), Fraction(0))
        grow = -confirmed.at / size * (1 - LESS)
        if self.asked.judged is not None:  # with larger bounds more might fit than the box of the intervals holds
            grow = Fraction(0)
        return replace(answer, grow=grow, refuted=confirmed.weights, walls=confirmed.walls)

    def _in_orthant(self, found: Candidate, margin: float) -> PhysicalPoint | None:
        """The same where all signs are those of a candidate: there rows of intervals lose nothing."""
        if not isinstance(self.problem, SidedRows) or not self.problem.straddling:
            return None
        theta, zero = self.program.combination @ found.phi, Fraction(0)
        box = tuple(
            (low, high) if not low < 0 < high else (zero, high) if theta[j] > 0 else (low, zero)
            for j, (low, high) in enumerate(self.problem.box)
        )
        rows = sided(self.problem.whole, box)
        near = _Search(replace(self.asked, problem=rows), self.limit)
        other = near._smallest(margin)
        if other is None or other.level > 0:
            return None
        return physical_point(self.asked.whole, self.asked.physical, other.phi, self.limit.check)

    def _smallest(self, margin: float) -> Candidate | None:
        found: Candidate | None = None
        for _ in range(ROUNDS):
            self.limit.check()
            found = self.program.smallest(self.rows, margin)
            more = self.rows if found is None else self._with_missed(found, self.rows, NEAR)
            if len(more) == len(self.rows):
                break
            self.rows = more
        return found

    def face(self, j: int, sign: int) -> PhysicalFace | None:
        """The end of a parameter in one direction, where it is nearer than the one that is proved already."""
        target = [sign * (k == j) for k in range(self.problem.size)]
        rows = np.union1d(self.rows, np.array(self.asked.rows.get((j, sign), ()), dtype=np.int64))
        found: Candidate | None = None
        for _ in range(FACE_ROUNDS):
            self.limit.check()
            found = self.program.furthest(rows, target) or found
            more = rows if found is None else self._with_missed(found, rows, MISSED)
            if len(more) == len(rows):
                break
            rows = more
        confirmed = None if found is None else self.weights.confirmed(found, target)
        if confirmed is None or not self._gains(confirmed.at, j, sign):
            return None
        return PhysicalFace(j, sign, confirmed.at, confirmed.weights, confirmed.walls)

    def _gains(self, at: Fraction, j: int, sign: int) -> bool:
        low, high = self.asked.box[j]
        before = high if sign > 0 else low
        if before is None or low is None or high is None:
            return True
        return sign * before - at > BETTER * (high - low)

    def _with_missed(self, found: Candidate, rows: Indices, share: float) -> Indices:
        """The rows, and those that the point misses by more than a share of the bound."""
        theta = self.program.combination @ found.phi
        usual = float(self.problem.base) or float(np.median(self.problem.upper - self.problem.lower)) / 2
        error = np.array([found.level + share * usual])
        sides = look(self.problem, theta[:, None], error, False, MORE, self.limit.check).sides[0]
        return np.union1d(rows, np.array([row for row, _ in sides], dtype=np.int64))
