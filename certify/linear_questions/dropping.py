"""Rows left out of a linear model, on one part of its search box: conflicts among the rows that stay, and points that
fit all of these.

A robust fit says whom to suspect; of the suspects as few are left out as do. Each of them contradicts rows that stay:
where these can be chosen without a common row they count the suspects. Else conflicts are collected and hit by the
fewest rows, again and again, until what is left fits: then both ends are equal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

import numpy as np

from certify.checker.certificate import DISCARDED, DISCARDED_OF_TABLES
from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.conflicts import Conflict, enough
from certify.linear_questions.suspicion import suspects
from certify.problems.regressors.regressor import Floats, Regressor
from certify.records.options import Progress
from certify.regressors.exact_bounds import ExactRows
from certify.regressors.parts import Part
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs.hitting_sets import fewest
from certify.solvers.regressors.passes import largest_misses
from certify.solvers.regressors.search import RowSearch, Smallest
from certify.solvers.regressors.triangle import triangle

ROUNDS = 200  # of conflicts
SMALL = 40_000  # coefficients, of which a vertex is judged in rational numbers if doubles do not do


class Dropping:
    """The conflicts so far, and the rows without which a point fits all others."""

    def __init__(self, problem: Regressor, part: Part, limit: Limit, progress: Progress) -> None:
        self.problem, self.part, self.limit, self.progress = problem, part, limit, progress
        self.exact = ExactRows(part.rows)
        self.search = RowSearch(part.rows, triangle(problem), limit)
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
        self._leave_out(order[:DISCARDED_OF_TABLES])
        if self.rows is not None:
            self._count(self.rows)
        self._close(order)

    @property
    def count(self) -> int:
        """How many rows must be left out at least, as the conflicts say."""
        most = len(self.conflicts) if self.rows is None else len(self.rows)
        for count in range(min(most, DISCARDED_OF_TABLES + 1), 0, -1):
            if enough(self.conflicts, count - 1) is not None:
                return count
        return 0

    def fits(self, dropped: tuple[int, ...]) -> bool:
        """Whether a point is found that fits all rows but these; then it is kept, rows that it fits are put back."""
        found = self.search.smallest(False, dropped)
        point = None if found is None else self._witness(found, dropped)
        if point is not None and (self.rows is None or len(dropped) <= len(self.rows)):
            self.rows = tuple(row for row in dropped if not self._is_within(row, point))
            self.point = point
        return point is not None

    def _witness(self, found: Smallest, dropped: tuple[int, ...]) -> tuple[Fraction, ...] | None:
        vertex = self.exact.vertex(found.basis, False)
        points = [found.point] if vertex is None else [found.point, np.array([float(value) for value in vertex])]
        points = [nearest(self.part.rows, point) for point in points]
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
        return all(self._is_within(row, point) for row in set(range(problem.rows)) - set(dropped))

    def _is_within(self, row: int, point: Sequence[Fraction]) -> bool:
        """Whether a point fits a row, exactly."""
        low, high = self.problem.ends(row)
        least, greatest = self.problem.exact_reach(row, point)
        return least <= high and greatest >= low

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
            if len(removed) > DISCARDED and self.rows is not None:
                self.stopped = Stopped.GAP
                return
            if len(removed) > DISCARDED_OF_TABLES:
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


def nearest(problem: Regressor, point: Floats) -> Floats:
    """The nearest doubles within the box."""
    lower = np.array([enclose_rational(low)[1] for low, _ in problem.box])
    upper = np.array([enclose_rational(high)[0] for _, high in problem.box])
    return np.asarray(np.clip(point, lower, upper))
