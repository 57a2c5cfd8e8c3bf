"""How far off the robot surely can be somewhere: consistent parameters and a point of the workspace with a large
deviation, verified as a witness.

    x and q in turn: q by trials along each axis, x by a walk to the extreme of one output, u . (f(x, q) - f(x0, q))
    with u along the deviation

What comes out is a local optimum. Its witness is a certificate (`upper`) that the rows of the measurements and that of
the output are within their bounds at exact numbers; q are numbers of the derived problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2

import numpy as np

from certify.accuracy.outputs import Deviation, Direction, Output
from certify.accuracy.polyhedra import on_grid, root_above
from certify.branches.enclosing import ARITHMETIC, Program, fraction
from certify.contractors.tape.evaluation import Floats
from certify.parts.hull_search import HullSearch
from certify.parts.part_search import PartSearch
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds, Problem
from certify.proofs.problem_replay import Proving
from certify.records.options import Options
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import Late, Limit

PLACES = 12  # of the position on an axis, in parts of its range: binary digits
TRIALS = np.linspace(0.0, 1.0, 9)
ROUNDS = 3
SLACK = 4  # halvings: an output may be off by so small a part of the deviation, which is taken off again
ROOM = 4  # times what is estimated: the bounds of an output


Shown = tuple[Fraction, tuple[tuple[Fraction, ...], ...]]  # a distance, and the points that show it


@dataclass(frozen=True, slots=True)
class Attained:
    """The deviation is at least `distance` at x and q (the values of all axes), or somewhere among these points, by
    this certificate about this problem.
    """

    distance: Fraction
    x: dict[str, Fraction]
    points: tuple[tuple[Fraction, ...], ...]
    canonical: bytes
    certificate: bytes


class Ascent:
    """Local ascents for one deviation over one box of the workspace."""

    def __init__(self, deviation: Deviation, measured: Problem, inner: Floats, options: Options) -> None:
        """`inner` is a point in the middle of the consistent ones."""
        self._deviation, self._measured, self._inner = replace(deviation, turned=False), measured, inner
        self._options = options
        self._lower, self._upper = measured.box

    def best(self, starts: Sequence[Floats], limit: Limit) -> Attained | None:
        """The best of the local optima from these points, which tell directions; None if no witness was found."""
        best = None
        for start in starts:
            if limit.late():
                break
            try:
                found = self._from(np.clip(start, self._lower, self._upper), limit)
            except (Late, InputError):
                continue
            if found is not None and (best is None or found.distance > best.distance):
                best = found
        return best

    def _from(self, x: Floats, limit: Limit) -> Attained | None:
        best, q = None, self._turned(x, [Fraction(1, 2)] * len(self._deviation.axes))
        for _ in range(ROUNDS):
            found = self.walk(x, q, limit)
            if found is None or (best is not None and found.distance <= best.distance):
                break
            best = found
            x = np.array([float(found.x.get(v.name, x[k])) for k, v in enumerate(self._measured.variables)])
            q = self._turned(x, q)
        return best

    def _vectors(self, x: Floats, points: Sequence[Sequence[Fraction]]) -> Floats:
        """The deviations (points, components) at parts of the ranges, estimated."""
        size = self._deviation.size
        axes = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
        outputs = [Output(u, self._cell(point)) for point in points for u in axes]
        rows = self._deviation.rows_of(outputs).blocks[0]
        return residuals(rows, x, 0.5 * (rows.lower + rows.upper))[0].reshape(-1, size)

    def _cell(self, parts: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
        """The point of the workspace, as the cell that holds it alone."""
        n, inputs = len(self._measured.variables), self._deviation.local
        ends = []
        for j, part in enumerate(parts):
            axis = self._deviation.axes[j]
            if n + 3 * j in inputs:
                value = axis.low + part * (axis.high - axis.low)
                ends.append((value, value))
        return tuple(ends)

    def _turned(self, x: Floats, parts: Sequence[Fraction]) -> list[Fraction]:
        """Where the deviation is largest, axis after axis."""
        found = list(parts)
        for _ in range(2):
            for j in range(len(found)):
                trials = [Fraction(round(t * 2**PLACES), 2**PLACES) for t in TRIALS]
                points = [[*found[:j], t, *found[j + 1 :]] for t in trials]
                sizes = np.linalg.norm(self._vectors(x, points), axis=1)
                found[j] = trials[int(sizes.argmax())]
        return found

    def walk(
        self, x: Floats, parts: Sequence[Fraction], limit: Limit, along: Direction | None = None
    ) -> Attained | None:
        """Walk in x to where the deviation's component along itself is largest, and verify that; or along another
        direction, in which it may be negative.
        """
        vector = self._vectors(x, [parts])[0]
        size = float(np.linalg.norm(vector))
        inner = self._vectors(self._inner, [parts])[0]
        if along is not None:
            u, size = along, max(size, float(np.linalg.norm(inner)))
        else:
            u = on_grid((vector / size).tolist()) if size > 0.0 else on_grid([1.0] + [0.0] * (vector.size - 1))
        least = Fraction(2) ** (round(log2(max(size, 1e-9))) - SLACK)
        room, place = ROOM * max(Fraction(size), least), len(self._measured.variables)
        problem = self._deviation.with_outputs(self._measured, [Output(u, self._cell(parts))], 1 / least, room)
        start = np.append(self._inner, float(inner @ np.array([float(part) for part in u])))
        scope = tuple(range(len(problem.families)))
        search = PartSearch(Proving(problem), scope, self._options, start, limit=limit)
        hull = HullSearch(search, Fraction(1), Fraction(1, 2))
        if not hull.begin(start):
            return None
        if hull.inner is not None:
            hull.reach((place, 1), hull.inner)
        reached = hull.reached[place, 1]
        known = reached.value - least
        if known <= 0 and along is None:
            return None
        length = root_above(sum((part * part for part in u), Fraction(0)))
        text = search.proving.document(scope, None, Fraction(1), reached.witness, (), limit=limit)
        values = {problem.variables[v].name: value for v, value in reached.witness.values.items() if v < place}
        least_at, points = self._shown(values, parts, known / length)
        if least_at <= 0 and along is None:
            return None
        return Attained(least_at, values, points, search.proving.canonical, text)

    def _joints(self, parts: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The values of all axes."""
        ends = zip(self._deviation.axes, parts, strict=True)
        return tuple(axis.low + part * (axis.high - axis.low) for axis, part in ends)

    def _shown(self, values: Mapping[str, Fraction], parts: Sequence[Fraction], verified: Fraction) -> Shown:
        """The deviation at these parameters is at least this at these points, if it is so large at this one."""
        return verified, (self._joints(parts),)


class CornerAscent(Ascent):
    """The same where the workspace is known at some points only, each by ends between which its joints lie: a point is
    told by its number. What is verified is the deviation between these ends, so that it is looked at once more over
    all of them, in the checker's arithmetic.
    """

    def __init__(
        self,
        deviation: Deviation,
        measured: Problem,
        inner: Floats,
        options: Options,
        points: Sequence[Sequence[Bounds]],
    ) -> None:
        super().__init__(deviation, measured, inner, options)
        self.points = points
        self._values = Program(self._deviation.components, {})

    def _cell(self, parts: Sequence[Fraction]) -> tuple[Bounds, ...]:
        middles = self._joints(parts)
        return tuple((middles[j], middles[j]) for j in self._deviation.told)

    def _turned(self, x: Floats, parts: Sequence[Fraction]) -> list[Fraction]:
        every = [[Fraction(number)] for number in range(len(self.points))]
        return every[int(np.linalg.norm(self._vectors(x, every), axis=1).argmax())]

    def _joints(self, parts: Sequence[Fraction]) -> tuple[Fraction, ...]:
        return tuple((low + high) / 2 for low, high in self.points[int(parts[0])])

    def _shown(self, values: Mapping[str, Fraction], parts: Sequence[Fraction], verified: Fraction) -> Shown:
        """That of all joints between the ends, of which some belong to the workspace."""
        variables, joints = self._deviation.problem.variables, self.points[int(parts[0])]
        x = [ARITHMETIC.enclose(values.get(v.name, (v.lower + v.upper) / 2)) for v in variables]
        found = self._values.at([*x, *(ARITHMETIC.span(*ends) for ends in joints)])
        squares = [ARITHMETIC.sqr(value)[0] for value in found]
        least = min(verified, fraction(ARITHMETIC.sqrt((sum(squares), sum(squares)))[0]))
        return least, (self._joints(parts),)
