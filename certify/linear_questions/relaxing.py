"""Where parameters can be that fit all rows but at most q, whichever these are: an interval for each.

    S_q = all theta in the search box for which at most q rows are missed by more than their bounds

It is the union of the sets of all choices of q rows. An end of an interval is a cut theta_j <= c, whose far side is
refuted by conflicts that no q rows meet, each a sum of p rows that proves theta_j <= c by itself. The search asks for q
rows that meet all conflicts found so far, drops them, sees how far theta_j reaches, and takes the rows that hold it
there as one more conflict: where no q rows meet those that prove the largest reach, this is the end, exactly. Where the
search is ended before, or q is more than 64, conflicts without a common row prove a larger one.

Where coefficients are intervals and signs are not known the search box is parted (`parts`); the interval is that of all
parts together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from certify.checker.certificate import DISCARDED, DISCARDED_OF_TABLES
from certify.linear_questions.conflicts import Conflict, Unclear, enough, hit, refuted
from certify.linear_questions.dropping import Dropping, nearest
from certify.linear_questions.relaxed_hull import RelaxedFace, RelaxedHull
from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Regressor
from certify.records.options import Options, Progress, silent
from certify.regressors.cuts import Cut, cut, narrowed
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, Bounds
from certify.regressors.parts import Part, ask_parts
from certify.regressors.pieces import Piece
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors.dense_programs import DensePrograms, compile_programs
from certify.solvers.regressors.passes import largest_misses
from certify.solvers.regressors.search import Face, FaceFound

ROUNDS = 400  # choices of dropped rows for each face
WITHIN = 1e4  # of a parameter's reach: where a program ends that has no end of its own
NEAR = 1e-9  # of a reach: what is no farther is held there


def relaxed_hull(
    problem: Regressor, count: int, options: Options | None = None, progress: Progress = silent
) -> RelaxedHull:
    """The intervals; a limit ends the search with what was proved by then."""
    if not 1 <= count <= DISCARDED_OF_TABLES:
        raise InputError(
            f"{count} rows may be left out; give a number from 1 to {DISCARDED_OF_TABLES}, the most that a certificate "
            f"takes"
        )
    compile_programs()
    limit = (options or Options()).begun()
    run = _Parted(problem, count, limit, progress)
    with np.errstate(over="ignore", invalid="ignore"):
        why = ask_parts(problem, run.root, run.ask, limit)
        run.stopped = run.stopped if why is Stopped.FINISHED else why
        return run.answer()


class _Parted:
    """The search box in parts, and what was found in each."""

    def __init__(self, problem: Regressor, count: int, limit: Limit, progress: Progress) -> None:
        self.problem, self.count, self.limit, self.progress = problem, count, limit, progress
        self.root = Piece(problem.box)
        self.known: dict[Piece, _Relaxing] = {}
        self.stopped = Stopped.FINISHED

    def ask(self, part: Part) -> bool:
        """Whether a part is empty, or as narrow as it gets."""
        dropping = Dropping(self.problem, part, self.limit, self.progress)
        one = self.known[part.piece] = _Relaxing(self.problem, self.count, dropping, self.progress)
        one.all()
        if part.is_last and one.stopped is not Stopped.FINISHED:
            self.stopped = one.stopped
        return one.nobody

    def answer(self) -> RelaxedHull:
        """The faces that conflicts prove, with the certificate of all of them."""
        emission, start = Emission(self.problem), RelaxedHull(self.problem, self.count, stopped=self.stopped)
        for leaf in self.root.leaves:
            one = self.known.get(leaf)
            if one is not None:
                one.finish(leaf)
            if (one is None or not one.is_final) and self.stopped is Stopped.FINISHED:
                start = replace(start, stopped=self.limit.reached(Stopped.GAP))
        if all(leaf.refuted for leaf in self.root.leaves):
            text = emission.proved(self.root.lines, lower=Fraction(0), discard=self.count)
            return replace(start, nobody=text is not None, certificate=text)
        found = emission.union(self.root, self.count)
        if found is None:
            return replace(start, stopped=Stopped.REPLAY)
        faces = [face for j in range(self.problem.size) for sign in (-1, 1) if (face := self._face(j, sign, found[1]))]
        if not faces:
            return start
        return replace(start, faces=tuple(faces), certificate=found[0])

    def _face(self, j: int, sign: int, box: Sequence[Bounds]) -> RelaxedFace | None:
        """An end of the union, and how far it is reached in any part."""
        at = box[j][sign > 0]
        if at == self.problem.box[j][sign > 0]:
            return None
        leaves = [leaf for leaf in self.root.leaves if not leaf.refuted and leaf in self.known]
        reached = [self.known[leaf].reached(j, sign) for leaf in leaves]
        known = [(value, dropped) for value, dropped in reached if value is not None]
        best = max(known, key=lambda one: sign * one[0], default=(None, ()))
        conflicts = max((self.known[leaf].conflicts.get((j, sign), 0) for leaf in leaves), default=0)
        return RelaxedFace(j, sign, sign * at, conflicts, *best)


@dataclass
class _Pool:
    """Of one face: the bases that hold it so far, how far it reaches without which rows, and whether that is all."""

    bases: list[FaceFound] = field(default_factory=list)
    best: FaceFound | None = None
    done: bool = False

    def add(self, found: FaceFound) -> None:
        """A basis, and how far it lets the parameter go without its dropped rows."""
        self.bases.append(found)
        if self.best is None or found.value > self.best.value:
            self.best = found

    def holding(self, value: float) -> list[FaceFound]:
        """The bases that let it go no farther."""
        return [one for one in self.bases if one.value <= value + NEAR * max(1.0, abs(value))]


class _Relaxing:
    """All faces of one part side by side, in one program into which rows enter."""

    def __init__(self, problem: Regressor, count: int, dropping: Dropping, progress: Progress) -> None:
        self.problem, self.count, self.dropping, self.progress = problem, count, dropping, progress
        self.contradictions: list[Conflict] = []
        self.pools = {(j, sign): _Pool() for j in range(problem.size) for sign in (-1, 1)}
        self.conflicts: dict[Face, int] = {}
        self.nobody = False
        self.stopped = Stopped.FINISHED

    @property
    def is_final(self) -> bool:
        """Whether smaller parts would not tell more."""
        return self.nobody or self.dropping.part.is_last

    def all(self) -> None:
        """Whether so few rows are enough, then all faces."""
        search = self.dropping.search
        self.dropping.all()
        self.contradictions = self.dropping.conflicts
        rows = self.dropping.rows
        if enough(self.contradictions, self.count) is not None:
            self.nobody = True
            return
        if rows is None or len(rows) > self.count:
            self.stopped = self.dropping.stopped if self.dropping.stopped is not Stopped.FINISHED else Stopped.CLOSE
            return
        program = search.programs(WITHIN)
        if self.count > DISCARDED:  # nobody searches for rows that meet all conflicts
            self._ask(program, dict.fromkeys(self.pools, rows))
            used = {row for one in self.contradictions for row in one.rows}
            spare = self.problem.size  # contradictions that the first basis may share rows with
            self._apart(program, tuple(sorted({*rows, *used})), self.count + 1 + spare - len(self.contradictions))
            self.stopped = Stopped.GAP
            return
        self._apart(program, rows, self.count + 1 - len(rows))
        for turn in range(ROUNDS):
            self.dropping.limit.check()
            asked = {face: rows for face, pool in self.pools.items() if (rows := self._next(pool)) is not None}
            if not asked:
                return
            self.progress(f"{len(asked)} faces, choice {turn + 1} of rows that are left out")
            self._ask(program, asked)
        self.stopped = Stopped.GAP

    def _ask(self, program: DensePrograms, asked: dict[Face, tuple[int, ...]]) -> None:
        """How far these reach without these rows; what has no end, or contradicts, says so."""
        found = self.dropping.search.reached(program, list(asked.items()))
        empty = set[tuple[int, ...]]()
        for face, rows in asked.items():
            one = found.get((face, rows))
            if one is not None:
                self.pools[face].add(one)
            elif rows not in empty:
                conflict = self.dropping.conflict(rows)
                self.pools[face].done |= conflict is None
                if conflict is not None:
                    empty.add(rows)
                    self.contradictions.append(conflict)

    def _apart(self, program: DensePrograms, rows: tuple[int, ...], most: int) -> None:
        """Bases without a common row, so that with contradictions there is one more than rows may be left out: they
        prove some end.
        """
        gone = dict.fromkeys(self.pools, rows)
        for _ in range(most):
            found = self.dropping.search.reached(program, list(gone.items()))
            for (face, _), one in found.items():
                inner = len(gone[face]) <= self.count
                self.pools[face].bases.append(one)
                if inner:
                    self.pools[face].best = one
                gone[face] = tuple(sorted({*gone[face], *(row for row, _ in one.basis.sides)}))

    def _next(self, pool: _Pool) -> tuple[int, ...] | None:
        """Rows to drop that meet everything known to hold this face where it is; None if there are none."""
        if pool.done:
            return None
        value = -np.inf if pool.best is None else pool.best.value
        held = [frozenset(row for row, _ in one.basis.sides) for one in pool.holding(value)]
        try:
            found = hit([*(one.rows for one in self.contradictions), *held], self.count)
        except Unclear:
            self.stopped, found = Stopped.GAP, None
        pool.done = found is None
        return found

    def finish(self, piece: Piece) -> None:
        """Refute the piece, or cut off what conflicts prove to be empty."""
        if self.nobody:
            piece.refuted = refuted(enough(self.contradictions, self.count) or [], self.count)
            return
        proved = {face: found for face, pool in self.pools.items() if (found := self._proved(pool, *face)) is not None}
        cuts = [Cut(*face, at, refuted(few, self.count)) for face, (at, few) in proved.items()]
        piece.box, done = narrowed(piece.box, cuts)
        piece.steps += done
        self.conflicts = {(one.parameter, one.sign): len(one.lines) - 1 for one in done}

    def _proved(self, pool: _Pool, j: int, sign: int) -> tuple[Fraction, list[Conflict]] | None:
        """The least end that conflicts prove which no such number of rows meets."""
        order = sorted(pool.bases, key=lambda one: one.value)
        plain, known = list(self.contradictions), dict[int, Bound | None]()
        first = 0 if pool.best is None else len(pool.holding(pool.best.value))
        for end in range(max(first, 1), len(order) + 1):
            for k in range(len(known), end):
                known[k] = self.dropping.exact.face(order[k].basis, j, sign)
            weighed = [Conflict(bound, order[k].value) for k, bound in known.items() if bound is not None]
            few = enough([*plain, *weighed], self.count)
            if few is not None:
                values = [one.bound for one in few if one.value is not None]
                if not values:
                    return None
                worst = max(values, key=lambda bound: bound.value)
                return cut(worst, j, sign).at, few
        return None

    def reached(self, j: int, sign: int) -> tuple[Fraction | None, tuple[int, ...]]:
        """How far it reaches: on the way from a point that fits to the face's point, which may miss a little, as the
        largest miss is a convex function; and without which rows.
        """
        best = self.pools[j, sign].best
        if best is None or len(best.dropped) > self.count:
            return None, ()
        middle = self.dropping.search.smallest(False, best.dropped)
        if middle is None:
            return None, best.dropped
        points = [nearest(self.dropping.part.rows, point) for point in (middle.point, best.point)]
        without = [best.dropped] * 2
        try:
            misses, _ = largest_misses(self.problem, np.column_stack(points), self.dropping.limit.check, without)
        except Late:
            return None, best.dropped
        if not np.isfinite(misses).all():
            return None, best.dropped
        spare, over = (Fraction(float(miss)) - self.problem.base for miss in misses)
        if spare >= 0:
            return None, best.dropped
        over = max(over, Fraction(0))
        start, end = (Fraction(float(point[j])) for point in points)
        return end + over / (over - spare) * (start - end), best.dropped
