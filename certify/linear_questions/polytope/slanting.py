"""Half-spaces along the principal axes of all parameters that fit every row, and the volume that they leave.

    y = T^-1 (theta - m)     lower_i <= y_i <= upper_i, each end proved by at most p rows

Where parameters trade off against each other what fits is a thin slanted body, and the box of the intervals is mostly
empty. The axes are those of points of this body (estimated), in units of the intervals' widths; the certificate is that
of the box, whose last leaf is cut further in coordinates y, with its half-spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

import numpy as np

from certify.checker.certificate import Facet, Hull
from certify.checker.nodes import Skew
from certify.linear_questions.further import of_numbers
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
from certify.linear_questions.trees import Cut, Tree, tree_of
from certify.problems.regressors.interval_regressor import only_numbers
from certify.problems.regressors.regressor import FAR, Floats, Regressor
from certify.proofs.certificate_text import OPEN, node_line
from certify.records.options import Options, Progress, silent
from certify.regressors.cuts import cut
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, Bounds, ExactRows, whole
from certify.regressors.identified import Identified
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors.dense_programs import DensePrograms, compile_programs
from certify.solvers.regressors.search import RowSearch
from certify.solvers.regressors.triangle import triangle

BITS = 20  # of the entries of the frame
EXACT = 6  # parameters up to which the volume is computed exactly
CUT = 60  # bits of a cut's place


def linear_polytope(answer: Identified, options: Options | None = None, progress: Progress = silent) -> Slanted:
    """Half-spaces along the principal axes of what fits; none where a parameter has no ends."""
    only_numbers(answer.problem, "polytope")
    of_numbers(answer.problem, "half-spaces along principal axes")
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
        self.exact, self.emission = ExactRows(problem), Emission(problem)
        self.search = RowSearch(problem, triangle(problem), limit)

    def found(self) -> Slanted:
        """The axes, their certificate, and the volume."""
        size, nothing = self.problem.size, Slanted(self.problem, stopped=self.limit.reached(Stopped.GAP))
        inner = self.search.smallest(False)
        program = self.search.programs(1.0)
        wanted = [((j, sign), ()) for j in range(size) for sign in (-1, 1)]
        faces = self.search.reached(program, wanted)
        cuts = []
        for face in faces.values():
            bound = self.exact.face(face.basis, face.parameter, face.sign)
            if bound is not None:
                one = cut(bound, face.parameter, face.sign)
                cuts.append(Cut(one.parameter, one.sign, one.at, (one.terms,)))
        tree = tree_of(self.problem.box, cuts)
        if inner is None or inner.value >= 0 or any(max(-low, high) >= FAR for low, high in tree.box):
            return nothing
        self.progress("principal axes")
        frame, inverse = self._frame(program, inner.point, tree.box)
        ends = self._ends(program, inverse)
        limits = range_of(inverse, frame.point, tree.box)
        slanted = [self._cut(bound, i, sign, inverse, frame) for (i, sign), bound in ends.items()]
        return self._written(tree, frame, inverse, slanted, limits) or nothing

    def _frame(self, program: DensePrograms, inner: Floats, box: Sequence[Bounds]) -> tuple[Skew, list[list[Fraction]]]:
        """Along the axes of points of the body, around one of them; and the inverse of its matrix, exactly."""
        widths = np.array([float(high - low) or 1.0 for low, high in box])
        powers = np.clip(np.round(np.log2(widths)), -200, 200)
        scale = np.exp2(powers)
        slabs = self._slabs(program, inner, scale)
        points = points_inside(slabs, self.limit.check)
        _, axes = np.linalg.eigh(np.atleast_2d(np.cov(points.T)))
        unit = Fraction(1, 2**BITS)
        grids = [unit * Fraction(float(size)) for size in scale]
        matrix = tuple(
            tuple(round(Fraction(float(entry)) / unit) * grid for entry in row)
            for row, grid in zip(axes, grids, strict=True)
        )
        point = tuple(round(Fraction(float(x)) / grid) * grid for x, grid in zip(inner, grids, strict=True))
        return Skew(point, matrix), inverted(matrix)

    def _slabs(self, program: DensePrograms, inner: Floats, scale: Floats) -> Slab:
        """The rows that have entered, around a point, in units of the intervals."""
        normals, left = self.search.half_spaces(program, inner)
        return Slab(normals * scale, left)

    def _ends(self, program: DensePrograms, inverse: list[list[Fraction]]) -> dict[tuple[int, int], Bound]:
        """What rows prove of both ends of each axis."""
        directions = np.array([[float(value) for value in row] for row in inverse])
        wanted = [((i, sign), ()) for i in range(len(inverse)) for sign in (-1, 1)]
        found = dict[tuple[int, int], Bound]()
        for face in self.search.reached(program, wanted, directions).values():
            self.limit.check()
            coefficients = [face.sign * value for value in inverse[face.parameter]]
            bound = None if face.basis.columns else self.exact.support(face.basis, coefficients)
            if bound is not None:
                found[face.parameter, face.sign] = bound
        return found

    def _cut(self, bound: Bound, i: int, sign: int, inverse: list[list[Fraction]], frame: Skew) -> Cut:
        """In coordinates y, a little beyond the bound."""
        shift = sum((a * x for a, x in zip(inverse[i], frame.point, strict=True)), Fraction(0))
        value = bound.value - sign * shift
        size = abs(value) or Fraction(1, 2**CUT)
        unit = Fraction(2) ** (size.numerator.bit_length() - size.denominator.bit_length() - CUT)
        return Cut(i, sign, (floor(value / unit) + 2) * unit, (whole(bound.terms),))

    def _written(
        self, tree: Tree, frame: Skew, inverse: list[list[Fraction]], cuts: Sequence[Cut], limits: Sequence[Bounds]
    ) -> Slanted | None:
        """With the certificate; cuts that the checker's arithmetic refuses are left out."""
        inner = tree_of(limits, cuts)
        facets = facets_of(inverse, frame, inner.box)
        text = self._certificate(tree, frame, inner, facets)
        if text is None:
            inner = tree_of(limits, [one for one in cuts if self._certificate(tree, frame, tree_of(limits, [one]))])
            facets = facets_of(inverse, frame, inner.box)
            text = self._certificate(tree, frame, inner, facets)
        if text is None or not inner.cuts:
            return None
        axes = axes_of(facets, tree.box)
        found = Slanted(self.problem, tree.box, axes, certificate=text)
        rows = rows_of(tree.box, facets)
        if self.problem.size <= EXACT:
            self.progress("the volume, exactly")
            volume = self._volume(rows, frame)
            return replace(found, volume=None if volume is None else min(volume, found.box_volume))
        share = estimated_share(slab_of(rows, frame, tree.box), 2 * self.problem.size, self.limit.check)
        return replace(found, estimated_share=share)

    def _certificate(self, tree: Tree, frame: Skew, inner: Tree, facets: tuple[Facet, ...] = ()) -> bytes | None:
        self.limit.check()
        lines = tree.around((node_line(frame), *inner.around((OPEN,))))
        return self.emission.proved(lines, within=Fraction(0), hull=Hull(tree.box, facets))

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
