"""The fewest rows to leave out so that some parameters fit all the others: both ends proved, and the rows named.

    lower end    conflicts that no fewer rows meet: each is a weighted sum of at most p + 1 rows
    upper end    a point that fits all rows but the named ones

A robust fit says whom to suspect; of the suspects as few are left out as do. Each of them contradicts rows that stay:
where these can be chosen without a common row they count the suspects. Else conflicts are collected and hit by the
fewest rows, again and again, until what is left fits: then both ends are equal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from certify.checker.certificate import DISCARDED
from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.conflicts import Conflict, enough, refuted
from certify.linear_questions.further import Document, Further, of_numbers
from certify.linear_questions.suspicion import suspects
from certify.problems.regressors.interval_regressor import only_numbers
from certify.problems.regressors.regressor import Floats, Regressor
from certify.records.options import Options, Progress, silent
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import ExactRows
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.hitting_sets import fewest
from certify.solvers.regressors.dense_programs import compile_programs
from certify.solvers.regressors.passes import largest_misses
from certify.solvers.regressors.search import RowSearch, Smallest
from certify.solvers.regressors.triangle import triangle

ROUNDS = 200  # of conflicts
SMALL = 40_000  # coefficients, of which a vertex is judged in rational numbers if doubles do not do


@dataclass(frozen=True, eq=False)
class Outliers(Further):
    """No fewer than `fewest` rows must be left out, and without `rows` (None: none are known) some parameters fit all
    others; rows are counted from 0. Sets of rows that no parameters fit together are `conflicts`.
    """

    problem: Regressor
    fewest: int = 0
    rows: tuple[int, ...] | None = None
    conflicts: tuple[tuple[int, ...], ...] = ()
    lower: bytes | None = None
    upper: bytes | None = None
    stopped: Stopped = Stopped.FINISHED

    key: ClassVar[str] = "outliers"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificates by their names."""
        pairs = (("outliers-lower", self.lower), ("outliers-upper", self.upper))
        return tuple((name, text) for name, text in pairs if text is not None)

    def standing(self, accepted: Collection[bytes]) -> Outliers:
        """What is left where the checker has accepted these certificates and no others."""
        found = self
        if self.lower is not None and self.lower not in accepted:
            found = replace(found, fewest=0, conflicts=(), lower=None, stopped=Stopped.UNCHECKED)
        if self.upper is not None and self.upper not in accepted:
            found = replace(found, rows=None, upper=None, stopped=Stopped.UNCHECKED)
        return found

    def as_json(self) -> dict[str, Any]:
        """Rows are counted from 1."""
        return {
            "fewest": self.fewest,
            "rows": None if self.rows is None else [row + 1 for row in self.rows],
            "conflicts": [[row + 1 for row in rows] for rows in self.conflicts],
            "stopped": self.stopped.value,
        }


def linear_outliers(problem: Regressor, options: Options | None = None, progress: Progress = silent) -> Outliers:
    """The fewest rows to leave out; a limit ends it with what was proved by then."""
    only_numbers(problem, "outliers")
    of_numbers(problem, "the fewest rows to leave out")
    compile_programs()
    limit = (options or Options()).begun()
    run = Dropping(problem, limit, progress)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            run.all()
    except Late as late:
        run.stopped = late.why
    return run.answer()


class Dropping:
    """The conflicts so far, and the rows without which a point fits all others."""

    def __init__(self, problem: Regressor, limit: Limit, progress: Progress) -> None:
        self.problem, self.limit, self.progress = problem, limit, progress
        self.exact, self.emission = ExactRows(problem), Emission(problem)
        self.search = RowSearch(problem, triangle(problem), limit)
        self.conflicts: list[Conflict] = []
        self.rows: tuple[int, ...] | None = None
        self.point: tuple[Fraction, ...] | None = None
        self.stopped = Stopped.FINISHED

    def all(self) -> None:
        """Until both ends are equal, or nothing more is found."""
        if self.fits(()):
            return
        order = suspects(self.problem, self.limit)
        self.progress(f"{len(order)} rows look wrong")
        self._leave_out(order[:DISCARDED])
        if self.rows is not None:
            self._count(self.rows)
        self._close(order)

    def fits(self, dropped: tuple[int, ...]) -> bool:
        """Whether a point is found that fits all rows but these; then it is kept."""
        found = self.search.smallest(False, dropped)
        point = None if found is None else self._witness(found, dropped)
        if point is not None and (self.rows is None or len(dropped) <= len(self.rows)):
            self.rows, self.point = dropped, point
        return point is not None

    def _witness(self, found: Smallest, dropped: tuple[int, ...]) -> tuple[Fraction, ...] | None:
        vertex = self.exact.vertex(found.basis, False)
        points = [found.point] if vertex is None else [found.point, np.array([float(value) for value in vertex])]
        points = [nearest(self.problem, point) for point in points]
        misses, _ = largest_misses(self.problem, np.column_stack(points), self.limit.check, [dropped] * len(points))
        best = int(np.argmin(misses))
        if misses[best] <= enclose_rational(self.problem.base)[0]:
            return tuple(map(Fraction, points[best].tolist()))
        return vertex if vertex is not None and self._holds(vertex, dropped) else None

    def _holds(self, point: Sequence[Fraction], dropped: Collection[int]) -> bool:
        """The same in rational numbers, where rows are few: the point may have nothing to spare."""
        problem = self.problem
        if problem.rows * problem.size > SMALL:
            return False
        if not all(low <= x <= high for x, (low, high) in zip(point, problem.box, strict=True)):
            return False
        for row in set(range(problem.rows)) - set(dropped):
            low, high = problem.ends(row)
            value = sum((a * x for a, x in zip(self.exact.coefficients((row, 1)), point, strict=True)), Fraction(0))
            if not low <= value <= high:
                return False
        return True

    def conflict(self, dropped: tuple[int, ...]) -> Conflict | None:
        """Rows that contradict each other, none of these among them."""
        found = self.search.smallest(False, dropped)
        bound = None if found is None else self.exact.smallest(found.basis, False)
        if bound is None or bound.value <= 0:
            return None
        one = Conflict(bound)
        return None if one.rows & set(dropped) else one

    def _leave_out(self, order: Sequence[int]) -> None:
        """As few of the suspects as do: of the first ones, by halving; then those are put back that need not go."""
        low, high = 0, 1
        while high < len(order) and not self.fits(tuple(sorted(order[:high]))):
            low, high = high, 2 * high
        high = min(high, len(order))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.fits(tuple(sorted(order[:middle]))) else (middle, high)
        if self.rows is None and not self.fits(tuple(sorted(order[:high]))):
            return
        for row in reversed(order[:high]):
            if self.rows is not None and row in self.rows:
                self.fits(tuple(other for other in self.rows if other != row))

    def _count(self, rows: tuple[int, ...]) -> None:
        """A conflict of each row that is left out, if that can be, with rows that no other one has."""
        used: set[int] = set()
        for row in rows:
            others = set(rows) - {row}
            found = self.conflict(tuple(sorted(others | used))) or self.conflict(tuple(sorted(others)))
            if found is not None:
                self.conflicts.append(found)
                used |= found.rows - {row}

    def _close(self, order: Sequence[int]) -> None:
        """Conflicts until the fewest rows that meet them all are enough."""
        suspicion = {(0, row): 1.0 / (2 + place) for place, row in enumerate(order)}
        for _ in range(ROUNDS):
            self.limit.check()
            met = fewest([[(0, row) for row in sorted(one.rows)] for one in self.conflicts], suspicion)
            removed = tuple(sorted(row for _, row in met))
            if self.rows is not None and len(removed) >= len(self.rows):
                return
            if len(removed) > DISCARDED:
                self.stopped = Stopped.MANY
                return
            if self.fits(removed):
                return
            if not self._more(removed):
                self.stopped = Stopped.CLOSE
                return
            self.progress(f"{len(self.conflicts)} conflicts, so that {len(removed)} or more rows must go")
        self.stopped = Stopped.GAP

    def _more(self, removed: tuple[int, ...]) -> bool:
        """Conflicts among what is left, without a common row."""
        gone, before = set(removed), len(self.conflicts)
        while (found := self.conflict(tuple(sorted(gone)))) is not None and len(gone) < self.problem.rows:
            self.conflicts.append(found)
            gone |= found.rows
        return len(self.conflicts) > before

    def answer(self) -> Outliers:
        """What was found, with its certificates."""
        rows = self.rows
        upper = None if rows is None or self.point is None else self.emission.upper_without(self.point, rows)
        found = Outliers(self.problem, rows=rows if upper is not None else None, upper=upper, stopped=self.stopped)
        most = min(len(self.conflicts), DISCARDED + 1) if rows is None else min(len(rows), DISCARDED + 1)
        for count in range(most, 0, -1):
            few = enough(self.conflicts, count - 1)
            if few is None:
                continue
            text = self.emission.proved(refuted(few, count - 1), lower=Fraction(0), discard=count - 1)
            if text is not None:
                named = tuple(tuple(sorted(one.rows)) for one in few)
                found = replace(found, fewest=count, conflicts=named, lower=text)
                break
        open_ends = found.rows is None or found.fewest < len(found.rows)
        return replace(found, stopped=Stopped.GAP) if open_ends and found.stopped is Stopped.FINISHED else found


def nearest(problem: Regressor, point: Floats) -> Floats:
    """The nearest doubles within the search box."""
    lower = np.array([enclose_rational(low)[1] for low, _ in problem.box])
    upper = np.array([enclose_rational(high)[0] for _, high in problem.box])
    return np.asarray(np.clip(point, lower, upper))
