"""Where rows of intervals leave theta if signs are not known: a box is narrowed, and parted where a parameter is 0.

    round     on the box as it is each row is two inequalities, with chords where signs are not known (`sided_rows`);
              each face is a linear program, whose exact weights cut the box; what is left is the next round's box
    split     at theta_j = 0, for the j whose chord costs most; in an orthant rows are linear, and faces are exact

A piece ends open (its box is part of the hull), refuted by one sum of rows (or by other lines), or parted. Everything
that a proof needs is kept: `lines` are its tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from certify.checker.nodes import Split
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.sided_rows import Box, SidedRows, sided
from certify.proofs.certificate_text import OPEN
from certify.regressors.cuts import Cut, Line, Lines, around, cut
from certify.regressors.exact_bounds import Bound, ExactRows, whole
from certify.solvers.limits import Limit, Stopped
from certify.solvers.regressors.search import FaceFound, RowSearch
from certify.solvers.regressors.triangle import Triangle
from certify.solvers.search.explore import Best, explore

ROUNDS = 40
GAIN = 0.9  # of a width: a round that leaves more of every width is the last one
PIECES = 128


@dataclass(eq=False)
class Piece:
    """A box with what narrowed it: numbers of cells that rows are prepared with, and cuts; and how it ends: refuted by
    some lines, parted, or with `inner` for what is left.
    """

    box: Box
    steps: list[int | Cut] = field(default_factory=list)
    refuted: Lines = ()
    inner: Lines = (OPEN,)
    parts: tuple[int, Piece, Piece] | None = None

    @property
    def leaves(self) -> list[Piece]:
        """It, or those of its parts."""
        return [self] if self.parts is None else [*self.parts[1].leaves, *self.parts[2].leaves]

    @property
    def lines(self) -> list[Line]:
        """Its tree: what narrowed it, and how it ends."""
        if self.parts is None:
            return around(self.steps, self.refuted or self.inner)
        return around(self.steps, [Split(self.parts[0], Fraction(0)), *self.parts[1].lines, *self.parts[2].lines])

    @property
    def alone(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The rows of each cut, by (parameter, direction), where they rest on no other cut."""
        cuts = [step for step in self.steps if isinstance(step, Cut)]
        if self.parts is not None or len(self.steps) > len(cuts) + 1:
            return {}
        return {(one.parameter, one.sign): tuple(term.row for term in one.terms) for one in cuts}

    @property
    def straddling(self) -> list[int]:
        """The parameters whose sign is not known."""
        return [j for j, (low, high) in enumerate(self.box) if low < 0 < high]

    def part(self, j: int) -> tuple[Piece, Piece]:
        """Both sides of theta_j = 0."""
        (low, high), zero = self.box[j], Fraction(0)
        lower, upper = (Piece((*self.box[:j], ends, *self.box[j + 1 :])) for ends in ((low, zero), (zero, high)))
        self.parts = (j, lower, upper)
        return lower, upper


class Pieces:
    """The pieces of one search box, with a factor on all half-widths and a bound in the place of that of all rows."""

    def __init__(
        self, problem: IntervalRegressor, fitted: Triangle, limit: Limit, factor: Fraction, bound: Fraction
    ) -> None:
        self.problem, self.fitted, self.limit = problem, fitted, limit
        self.factor, self.bound = factor, bound
        self.root = Piece(problem.box)
        self.cost: dict[int, float] = {}

    def search(self, piece: Piece) -> tuple[SidedRows, RowSearch]:
        """The rows on the box of a piece."""
        rows = sided(self.problem, piece.box, self.factor, self.bound)
        return rows, RowSearch(rows, self.fitted, self.limit)

    def narrow(self, piece: Piece) -> tuple[RowSearch, list[FaceFound]]:
        """Round after round, until a box is empty, or hardly narrower than before; the last round's points."""
        for _ in range(ROUNDS):
            rows, search = self.search(piece)
            exact, before = ExactRows(rows), piece.box
            piece.steps.append(rows.cells)
            found = search.faces([(j, sign) for j in range(rows.size) for sign in (-1, 1)])
            if len(found) < 2 * rows.size or not all(face.finished for face in found):
                least = self.least(piece, self.bound)
                if least is not None and least.value > 0:
                    piece.refuted = (whole(least.terms),)
                    break
            for face in found:
                bound = exact.face(face.basis, face.parameter, face.sign)
                if bound is not None and self._cut(piece, cut(bound, face.parameter, face.sign)):
                    return search, found
            if not rows.straddling:
                break
            if not _narrower(before, piece.box):
                self.cost = self._costs(rows, exact, found)
                break
        return search, found

    def _cut(self, piece: Piece, one: Cut) -> bool:
        """Whether the cut leaves nothing."""
        (low, high), at = piece.box[one.parameter], one.sign * one.at
        if at <= low if one.sign > 0 else at >= high:
            piece.refuted = one.lines
        elif low < at < high:
            ends = (low, at) if one.sign > 0 else (at, high)
            piece.box = (*piece.box[: one.parameter], ends, *piece.box[one.parameter + 1 :])
            piece.steps.append(one)
        return bool(piece.refuted)

    def least(self, piece: Piece, bound: Fraction) -> Bound | None:
        """The least error on the box of a piece, beyond a bound, as the last step of it prepares rows."""
        rows = sided(self.problem, piece.box, self.factor, bound)
        smallest = RowSearch(rows, self.fitted, self.limit).smallest(weights=False)
        piece.steps.append(rows.cells)
        return None if smallest is None else ExactRows(rows).smallest(smallest.basis, weights=False)

    def _costs(self, rows: SidedRows, exact: ExactRows, found: list[FaceFound]) -> dict[int, float]:
        """By parameter how much its chord costs the faces, in widths of the box."""
        costs = dict.fromkeys(rows.straddling, 0.0)
        for face in found:
            low, high = rows.box[face.parameter]
            bound = exact.face(face.basis, face.parameter, face.sign)
            for term in () if bound is None or low == high else bound.terms:
                for j in costs:
                    lost = rows.loss(term.row, 1 if term.weight > 0 else -1, j) * abs(term.weight)
                    costs[j] += float(lost / (high - low))
        return costs

    def grow(self, is_enough: Callable[[Piece], bool], step: Callable[[Piece], None], most: int = PIECES) -> Stopped:
        """Narrow all pieces, and part those that are not enough, the widest first."""
        left = [most]

        def one(taken: list[Piece]) -> list[Piece]:
            (piece,) = taken
            left[0] -= 1
            step(piece)
            if piece.refuted or not piece.straddling or is_enough(piece):
                return []
            j = max(piece.straddling, key=lambda j: self.cost.get(j, 0.0))
            return list(piece.part(j))

        waiting = Best([self.root], lambda piece: -float(np.prod([float(b - a) ** 0.1 for a, b in piece.box])))
        return explore(waiting, one, self.limit, room=lambda: left[0])


def _narrower(before: Box, after: Box) -> bool:
    """Whether some width has become smaller by much."""
    return any(float(b - a) < GAIN * float(d - c) for (a, b), (c, d) in zip(after, before, strict=True))
