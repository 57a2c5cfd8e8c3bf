"""The questions about a model whose coefficients are intervals, where signs of parameters may be unknown.

    faces     pieces of the search box (`pieces`), whose union the certificate proves
    error     points by linear programs in orthants; its lower end by pieces again
    factor    on half-widths: points from above, each of a smaller factor; just below the last one nothing may fit

Which orthants are looked at for points is a local search: that of the least-squares fit first, then those across each
parameter that ends at 0. So what is reached is reached, and more may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.regressors.interval_regressor import IntervalRegressor, with_factor
from certify.problems.regressors.regressor import Floats
from certify.problems.regressors.sided_rows import Box
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, ExactRows, whole
from certify.regressors.identified import Face
from certify.regressors.pieces import PIECES, Piece, Pieces
from certify.solvers.limits import Limit, Stopped
from certify.solvers.regressors.passes import largest_factor, largest_misses
from certify.solvers.regressors.search import FaceFound, RowSearch
from certify.solvers.regressors.triangle import Triangle

ORTHANTS = 24  # that are looked at for points
CLOSE = Fraction(1, 100)  # of a width: a piece that reaches beyond what is reached by no more is not parted
TIGHT = Fraction(999, 1000)  # of what a point needs: a lower end that is enough
LARGEST = 2.0**40  # factor that is asked for
NEAR = 3e-10  # of a factor: ends that are no farther apart are enough
TURNS, FAILURES = 40, 3
SIGNS = 16  # unknown ones, of more of which no parts are made: the whole box is narrowed, which proves outer ends
Reach = dict[tuple[int, int], Fraction]


@dataclass(frozen=True, slots=True)
class Ends:
    """Of an error or a factor what is proved to be too little, with its certificate and rows."""

    lower: Fraction
    certificate: bytes | None
    rows: tuple[int, ...]

    @property
    def as_lower(self) -> dict[str, Any]:
        """The same as parts of a `Needed`."""
        return {"lower": self.lower, "lower_certificate": self.certificate, "rows": self.rows}


class BySigns:
    """The questions, of one problem."""

    def __init__(self, problem: IntervalRegressor, fitted: Triangle, emission: Emission, limit: Limit) -> None:
        self.problem, self.fitted, self.emission, self.limit = problem, fitted, emission, limit
        self.judged = problem  # with the factor on its half-widths, estimated where that is not 1

    def pieces(self, factor: Fraction = Fraction(1), bound: Fraction | None = None) -> Pieces:
        """The search box, whole."""
        base = factor * self.problem.base if bound is None else bound
        return Pieces(self.problem, self.fitted, self.limit, factor, base)

    @property
    def most(self) -> int:
        """How many pieces are worth looking at."""
        return PIECES if sum(low < 0 < high for low, high in self.problem.box) <= SIGNS else 1

    # Points

    def orthants(self, pieces: Pieces, box: Box) -> Iterator[tuple[Piece, RowSearch, list[Floats]]]:
        """Parts of a box in which all signs are known; whoever takes one adds points, next to which more parts are."""
        straddling = [j for j, (low, high) in enumerate(box) if low < 0 < high]
        fit = self.within(np.array(self.fitted.fit), box)
        waiting, seen = [tuple(bool(fit[j] > 0) for j in straddling)], set[tuple[bool, ...]]()
        while waiting and len(seen) < ORTHANTS:
            signs = waiting.pop(0)
            if signs in seen:
                continue
            seen.add(signs)
            piece = Piece(_orthant(box, dict(zip(straddling, signs, strict=True))))
            points: list[Floats] = []
            yield piece, pieces.search(piece)[1], points
            for k, j in enumerate(straddling):
                size = float(box[j][1] - box[j][0])
                if any(abs(point[j]) < 1e-9 * size for point in points):
                    waiting.append((*signs[:k], not signs[k], *signs[k + 1 :]))

    def within(self, point: Floats, box: Box) -> Floats:
        """The nearest doubles within a box."""
        ends = [(enclose_rational(low)[1], enclose_rational(high)[0]) for low, high in box]
        return np.clip(point, [low for low, _ in ends], [high for _, high in ends])

    def points(self, factor: Fraction = Fraction(1), bound: Fraction | None = None) -> list[Floats]:
        """Those with the least errors, orthant by orthant."""
        pieces, found = self.pieces(factor, bound), list[Floats]()
        for piece, search, points in self.orthants(pieces, self.problem.box):
            smallest = search.smallest(weights=False)
            if smallest is not None:
                points.append(self.within(smallest.point, piece.box))
                found += points
        return found

    def reach(self, piece: Piece, search: RowSearch, found: Sequence[FaceFound], reached: Reach) -> list[Floats]:
        """How far each parameter reaches at least in one orthant: on the way from a point with something to spare to
        the face's point, for there the largest miss is a convex function. The points.
        """
        smallest = search.smallest(weights=False)
        if smallest is None:
            return []
        points = [self.within(point, piece.box) for point in (smallest.point, *(face.point for face in found))]
        misses, _ = largest_misses(self.judged, np.column_stack(points), self.limit.check)
        over = [Fraction(miss) - self.judged.base if np.isfinite(miss) else None for miss in misses.tolist()]
        if over[0] is None or over[0] >= 0:
            return points
        for face, point, much in zip(found, points[1:], over[1:], strict=True):
            if much is not None:
                share = max(much, Fraction(0)) / (max(much, Fraction(0)) - over[0])
                start, end = (Fraction(float(x[face.parameter])) for x in (points[0], point))
                at, key = end + share * (start - end), (face.parameter, face.sign)
                reached[key] = max(reached.get(key, at), at, key=lambda value: face.sign * value)
        return points

    # Questions

    def faces(self) -> tuple[bytes | None, tuple[Face, ...], Stopped]:
        """The certificate, the ends of the union of all open pieces, and why the search ended."""
        root, reached, stopped = self.grown()
        written = self.emission.union(root)
        if written is None:
            return None, (), stopped
        text, box, rows = written
        faces = []
        for j, sign in ((j, sign) for j in range(self.problem.size) for sign in (-1, 1)):
            at, before = (box[j][sign > 0], self.problem.box[j][sign > 0])
            if at != before:
                own = root.alone.get((j, sign), rows)
                faces.append(Face(j, sign, sign * at, own, reached.get((j, sign))))
        return text, tuple(faces), stopped

    def grown(self, factor: Fraction = Fraction(1)) -> tuple[Piece, Reach, Stopped]:
        """All pieces, with a factor on all half-widths, how far parameters reach (estimated where that is not 1), and
        why the search ended.
        """
        self.judged = self.problem if factor == 1 else with_factor(self.problem, factor)
        pieces, reached = self.pieces(factor), Reach()
        keys = [(j, sign) for j in range(self.problem.size) for sign in (-1, 1)]

        def step(piece: Piece) -> None:
            search, found = pieces.narrow(piece)
            if not piece.refuted and not piece.straddling:
                self.reach(piece, search, found, reached)
            elif piece is pieces.root:
                for part, near, points in self.orthants(pieces, piece.box):
                    points += self.reach(part, near, near.faces(keys), reached)

        def is_enough(piece: Piece) -> bool:
            return all(_close(piece.box, pieces.root.box, key, reached.get(key)) for key in keys)

        stopped = pieces.grow(is_enough, step, self.most)
        self.judged = self.problem
        return pieces.root, reached, stopped

    def error(self, needed: Fraction) -> Ends | None:
        """What is proved of the least error, of which a point is known that needs so much."""
        pieces, known = self.pieces(bound=self.problem.base + needed), dict[Piece, Bound]()

        def step(piece: Piece) -> None:
            pieces.narrow(piece)
            least = None if piece.refuted else pieces.least(piece, self.problem.base)
            if least is not None and least.value > 0:
                known[piece] = least

        def is_enough(piece: Piece) -> bool:
            return piece in known and known[piece].value >= TIGHT * needed

        pieces.grow(is_enough, step, self.most)
        _settle(pieces.root, known)
        values = [known[leaf].value if leaf in known else needed for leaf in pieces.root.leaves]
        return self._ends(pieces.root, min(values), None, None)

    def _ends(self, root: Piece, value: Fraction, factor: Fraction | None, bound: Fraction | None) -> Ends | None:
        written = self.emission.refuted(root, value, factor, bound)
        if written is None:
            return None
        lower, text, rows = written
        return Ends(lower, text, rows)

    def factor(self, points: Sequence[Floats], of_bound: bool) -> tuple[Ends | None, Floats | None, float]:
        """What is proved of the smallest factor on the half-widths (without `of_bound`: of W alone), a point and its
        factor. Asked is where the least error seems to be 0, by a secant of what was found.
        """
        bound = None if of_bound else self.problem.base
        best, point = self._smallest(points, of_bound)
        ends, trail, failed = None, list[tuple[float, float]](), 0
        for _ in range(TURNS if self.most > 1 else 0):
            floor = 0.0 if ends is None else float(ends.lower)
            if floor >= best * (1 - 2 * NEAR) or failed > FAILURES:
                break
            asked = min(_secant(trail, floor, best), best * (1 - NEAR * 100.0**failed))
            root, error, found = self._asked(Fraction(asked), bound)
            less, other = self._smallest(found, of_bound)
            if less < best:
                best, point = less, other
            refuted = None if root is None else self._ends(root, Fraction(asked), Fraction(asked), bound)
            ends = refuted or ends
            failed += refuted is None and less > asked
            trail += [] if error is None else [(asked, error)]
            if best > LARGEST:
                break
        return ends, point, best

    def _asked(self, factor: Fraction, bound: Fraction | None) -> tuple[Piece | None, float | None, list[Floats]]:
        """Pieces that are all refuted with a factor, if that is so, and the least error; points that come near."""
        pieces = self.pieces(factor, bound)
        if not self.problem.is_parted:
            rows, search = pieces.search(pieces.root)
            smallest = search.smallest(weights=False)
            if smallest is None:
                return None, None, []
            least = ExactRows(rows).smallest(smallest.basis, weights=False)
            pieces.root.refuted = (whole(least.terms),) if least is not None and least.value > 0 else ()
            root = pieces.root if pieces.root.refuted else None
            return root, smallest.value, [self.within(smallest.point, self.problem.box)]
        points = self.points(factor, bound)
        if self._smallest(points, bound is None)[0] <= factor:
            return None, None, points
        pieces.grow(lambda _: False, lambda piece: pieces.narrow(piece) and None)
        return (pieces.root if all(leaf.refuted for leaf in pieces.root.leaves) else None), None, points

    def _smallest(self, points: Sequence[Floats], of_bound: bool) -> tuple[float, Floats | None]:
        factors = [largest_factor(self.problem, point, self.limit.check, of_bound) for point in points]
        k = int(np.argmin(factors)) if factors else -1
        return (factors[k], points[k]) if factors else (np.inf, None)


def _secant(trail: Sequence[tuple[float, float]], floor: float, best: float) -> float:
    """Where the last two errors point to, a little less; not the lower end itself."""
    if best > LARGEST:
        return float(LARGEST)
    if len(trail) < 2 or trail[-1][1] == trail[-2][1]:
        return best
    (first, much), (last, less) = trail[-2:]
    found = (last - less * (last - first) / (less - much)) * (1 - NEAR)
    return max(found, floor + (best - floor) / 100)


def _settle(piece: Piece, known: dict[Piece, Bound]) -> None:
    """Refute what is known to be; put parts together again of which some is not."""
    if piece.parts is not None:
        for part in piece.parts[1:]:
            _settle(part, known)
        if not all(leaf.refuted for leaf in piece.leaves):
            piece.parts = None
    if piece.parts is None and piece in known:
        piece.refuted = (whole(known[piece].terms),)


def _orthant(box: Box, signs: dict[int, bool]) -> Box:
    zero = Fraction(0)
    halves = (
        (low, high) if j not in signs else ((zero, high) if signs[j] else (low, zero))
        for j, (low, high) in enumerate(box)
    )
    return tuple(halves)


def _close(box: Box, root: Box, key: tuple[int, int], reached: Fraction | None) -> bool:
    """Whether an end of a box is hardly beyond what is reached."""
    j, sign = key
    if reached is None:
        return False
    return sign * (box[j][sign > 0] - reached) <= CLOSE * (root[j][1] - root[j][0])
