"""Half-spaces along the principal axes of all parameters that fit every row, and the volume that they leave.

    y = T^-1 (theta - m)     lower_i <= y_i <= upper_i, each end proved by at most p rows

Where parameters trade off against each other what fits is a thin slanted body, and the box of the intervals is mostly
empty. The axes are those of points of this body (estimated), in units of the intervals' widths; the certificate is that
of the box, whose last leaf is cut further in coordinates y, with its half-spaces.

Where coefficients are intervals the box is what is left of all pieces (`by_signs`), and each open piece is cut along
the same axes; its rows are those of the box that contains the piece along the axes, which is a little larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.checker.certificate import Facet, Hull
from certify.checker.nodes import Skew
from certify.linear_questions.polytope.exact_volume import exact_volume
from certify.linear_questions.polytope.half_spaces import (
    Row,
    axes_of,
    facets_of,
    inverted,
    range_of,
    rows_of,
    slab_of,
    spare_at,
)
from certify.linear_questions.polytope.sampling import Slab, estimated_share, points_inside
from certify.linear_questions.polytope.slanted import Slanted
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import FAR, Floats, Regressor
from certify.problems.regressors.sided_rows import SidedRows, sided
from certify.proofs.certificate_text import OPEN, node_line
from certify.records.options import Options, Progress, silent
from certify.regressors.by_signs import BySigns
from certify.regressors.cuts import Cut, Line, around, cut, narrowed
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, Bounds, ExactRows
from certify.regressors.identified import Identified
from certify.regressors.pieces import Piece
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors.dense_programs import DensePrograms, compile_programs
from certify.solvers.regressors.search import RowSearch
from certify.solvers.regressors.triangle import triangle

BITS = 20  # of the entries of the frame
EXACT = 6  # parameters up to which the volume is computed exactly


def linear_polytope(answer: Identified, options: Options | None = None, progress: Progress = silent) -> Slanted:
    """Half-spaces along the principal axes of what fits; none where a parameter has no ends."""
    compile_programs()
    limit = (options or Options()).begun()
    run = _Slanting(answer.problem, limit, progress)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return run.found()
    except Late as late:
        return Slanted(answer.problem, stopped=late.why)


class _Slanting:
    """The box of the intervals once more, with its rows' weights, then the axes."""

    def __init__(self, problem: Regressor, limit: Limit, progress: Progress) -> None:
        self.problem, self.limit, self.progress = problem, limit, progress
        self.emission, self.fitted = Emission(problem), triangle(problem)
        self._known: tuple[Regressor, RowSearch, DensePrograms] | None = None

    def found(self) -> Slanted:
        """The axes, their certificate, and the volume."""
        nothing = Slanted(self.problem, stopped=self.limit.reached(Stopped.GAP))
        root = self._root()
        leaves = [leaf for leaf in root.leaves if not leaf.refuted]
        if not leaves:
            return nothing
        ends = zip(*(leaf.box for leaf in leaves), strict=True)
        box = tuple((min(low for low, _ in pairs), max(high for _, high in pairs)) for pairs in ends)
        if any(max(-low, high) >= FAR for low, high in box):
            return nothing
        self.progress("principal axes")
        framed = self._frame(leaves, box)
        if framed is None:
            return nothing
        slanted = [_Slanted(leaf, *self._cuts(leaf, *framed)) for leaf in leaves]
        return self._written(root, slanted, *framed, box) or nothing

    def _root(self) -> Piece:
        """The box of the intervals, or its pieces."""
        if isinstance(self.problem, IntervalRegressor):
            return BySigns(self.problem, self.fitted, self.emission, self.limit).grown()[0]
        exact, root = ExactRows(self.problem), Piece(self.problem.box)
        _, search, program = self._seen(root.box)
        wanted = [((j, sign), ()) for j in range(self.problem.size) for sign in (-1, 1)]
        cuts = []
        for face in search.reached(program, wanted).values():
            bound = exact.face(face.basis, face.parameter, face.sign)
            if bound is not None:
                cuts.append(cut(bound, face.parameter, face.sign))
        root.box, done = narrowed(root.box, cuts)
        root.steps += done
        return root

    def _seen(self, box: Sequence[Bounds]) -> tuple[Regressor, RowSearch, DensePrograms]:
        """The rows on a box, and a program of them."""
        if isinstance(self.problem, IntervalRegressor):
            rows = sided(self.problem, tuple(box))
            search = RowSearch(rows, self.fitted, self.limit)
            return rows, search, search.programs(1.0)
        if self._known is None:
            search = RowSearch(self.problem, self.fitted, self.limit)
            self._known = self.problem, search, search.programs(1.0)
        return self._known

    def _frame(self, leaves: Sequence[Piece], box: Sequence[Bounds]) -> tuple[Skew, list[list[Fraction]]] | None:
        """Along the axes of points of the body, around one of them; and the inverse of its matrix, exactly."""
        widths = np.array([float(high - low) or 1.0 for low, high in box])
        powers = np.clip(np.round(np.log2(widths)), -200, 200)
        scale = np.exp2(powers)
        points, middle = list[Floats](), None
        for leaf in leaves:
            rows, search, program = self._seen(leaf.box)
            inner = search.smallest(False)
            if inner is None or inner.value >= 0:
                continue
            search.reached(program, [((j, sign), ()) for j in range(rows.size) for sign in (-1, 1)])
            slab = self._slab(rows, search, program, inner.point, scale)
            points.append(points_inside(slab, self.limit.check) + inner.point / scale)
            middle = inner.point if middle is None else middle
        if middle is None:
            return None
        _, axes = np.linalg.eigh(np.atleast_2d(np.cov(np.vstack(points).T)))
        unit = Fraction(1, 2**BITS)
        grids = [unit * Fraction(float(size)) for size in scale]
        matrix = tuple(
            tuple(round(Fraction(float(entry)) / unit) * grid for entry in row)
            for row, grid in zip(axes, grids, strict=True)
        )
        point = tuple(round(Fraction(float(x)) / grid) * grid for x, grid in zip(middle, grids, strict=True))
        return Skew(point, matrix), inverted(matrix)

    def _slab(self, rows: Regressor, search: RowSearch, program: DensePrograms, inner: Floats, scale: Floats) -> Slab:
        """The rows that have entered (and in a piece its box), around a point, in units of the intervals."""
        normals, left = search.half_spaces(program, inner)
        if isinstance(rows, SidedRows):
            unit, ends = np.eye(len(inner)), np.array([[float(end) for end in pair] for pair in rows.box])
            normals = np.vstack([normals, unit, -unit])
            left = np.concatenate([left, ends[:, 1] - inner, inner - ends[:, 0]])
        return Slab(normals * scale, np.maximum(left, 0.0))

    def _cuts(
        self, leaf: Piece, frame: Skew, inverse: list[list[Fraction]]
    ) -> tuple[list[Line], list[Bounds], list[Cut]]:
        """Of one piece: the lines of its frame, its box of y, and what rows prove of both ends of each axis."""
        limits = range_of(inverse, frame.point, leaf.box)
        rows, search, program = self._seen(_image(frame, limits))
        lines: list[Line] = [node_line(frame), *([f"prepare {rows.cells}"] if isinstance(rows, SidedRows) else [])]
        exact = ExactRows(rows)
        directions = np.array([[float(value) for value in row] for row in inverse])
        wanted = [((i, sign), ()) for i in range(len(inverse)) for sign in (-1, 1)]
        cuts = []
        for face in search.reached(program, wanted, directions).values():
            self.limit.check()
            coefficients = [face.sign * value for value in inverse[face.parameter]]
            bound = None if face.basis.columns else exact.support(face.basis, coefficients)
            if bound is not None:
                cuts.append(self._cut(bound, face.parameter, face.sign, inverse, frame))
        return lines, limits, cuts

    def _cut(self, bound: Bound, i: int, sign: int, inverse: list[list[Fraction]], frame: Skew) -> Cut:
        """In coordinates y, a little beyond the bound."""
        shift = sum((a * x for a, x in zip(inverse[i], frame.point, strict=True)), Fraction(0))
        return cut(replace(bound, value=bound.value - sign * shift), i, sign)

    def _written(
        self,
        root: Piece,
        slanted: Sequence[_Slanted],
        frame: Skew,
        inverse: list[list[Fraction]],
        box: tuple[Bounds, ...],
    ) -> Slanted | None:
        """With the certificate; cuts that the checker's arithmetic refuses are left out."""
        facets = self._facets(inverse, frame, slanted)
        text = self._certificate(root, slanted, box, facets)
        if text is None:
            for one in slanted:
                one.cuts[:] = [cut for cut in one.cuts if self._certificate(root, [one.alone(cut)], box)]
            facets = self._facets(inverse, frame, slanted)
            text = self._certificate(root, slanted, box, facets)
        if text is None or not any(one.left[1] for one in slanted):
            return None
        found = Slanted(self.problem, box, axes_of(facets, box), certificate=text)
        rows = rows_of(box, facets)
        if self.problem.size <= EXACT:
            self.progress("the volume, exactly")
            volume = self._volume(rows, frame)
            return replace(found, volume=None if volume is None else min(volume, found.box_volume))
        share = estimated_share(slab_of(rows, frame, box), 2 * self.problem.size, self.limit.check)
        return replace(found, estimated_share=share)

    def _facets(self, inverse: list[list[Fraction]], frame: Skew, slanted: Sequence[_Slanted]) -> tuple[Facet, ...]:
        """The half-spaces that hold all pieces."""
        each = [facets_of(inverse, frame, one.left[0]) for one in slanted]
        return tuple(max(alike, key=lambda facet: facet.bound) for alike in zip(*each, strict=True))

    def _certificate(
        self, root: Piece, slanted: Sequence[_Slanted], box: tuple[Bounds, ...], facets: tuple[Facet, ...] = ()
    ) -> bytes | None:
        self.limit.check()
        for leaf in root.leaves:
            leaf.inner = (OPEN,)
        for one in slanted:
            one.leaf.inner = (*one.lines, *around(one.left[1], (OPEN,)))
        return self.emission.proved(root.lines, within=Fraction(0), hull=Hull(box, facets))

    def _volume(self, rows: Sequence[Row], frame: Skew) -> Fraction | None:
        """That of the polytope of these half-spaces, no smaller."""
        normals = np.array([[float(value) for value in a] for a, _ in rows])
        sizes = np.abs(normals).max(axis=0)
        size = len(sizes)
        scale = [Fraction(2) ** -int(np.round(np.log2(value))) for value in np.where(sizes > 0, sizes, 1.0)]
        moved = [(tuple(x * s for x, s in zip(a, scale, strict=True)), spare_at(a, b, frame)) for a, b in rows]
        program = DensePrograms(np.full(size, -1e9), np.full(size, 1e9))
        matrix = np.array([[float(value) for value in a] for a, _ in moved])
        program.enter([(k, 1) for k in range(len(rows))], matrix, np.array([float(b) for _, b in moved]))
        basis = program.solve([program.ask(np.linspace(1.0, 2.0, size))], self.limit)[0][1]
        if basis is None:
            return None
        body = exact_volume(moved, [row for row, _ in basis.sides], self.limit.check)
        if body is None:
            return None
        volume = body.upper
        for factor in scale:
            volume *= factor
        return volume


@dataclass(frozen=True, eq=False)
class _Slanted:
    """A piece with the lines of its frame, its box of y, and its cuts there."""

    leaf: Piece
    lines: list[Line]
    limits: list[Bounds]
    cuts: list[Cut]

    @property
    def left(self) -> tuple[tuple[Bounds, ...], tuple[Cut, ...]]:
        """The box of y that the cuts leave, and those that cut something off."""
        return narrowed(self.limits, self.cuts)

    def alone(self, one: Cut) -> _Slanted:
        """The piece with one of its cuts."""
        return replace(self, cuts=[one])


def _image(frame: Skew, limits: Sequence[Bounds]) -> list[Bounds]:
    """The box of theta of a box of y."""
    found = []
    for m, row in zip(frame.point, frame.matrix, strict=True):
        ends = [sorted((t * low, t * high)) for t, (low, high) in zip(row, limits, strict=True)]
        found.append((m + sum((a for a, _ in ends), Fraction(0)), m + sum((b for _, b in ends), Fraction(0))))
    return found
