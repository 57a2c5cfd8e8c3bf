"""The fewest rows to leave out so that some parameters fit all the others: both ends proved, and the rows named.

    lower end    conflicts that no fewer rows meet: each is a weighted sum of at most p + 1 rows
    upper end    a point that fits all rows but the named ones

How they are found: `dropping`. Where coefficients are intervals and signs of parameters are not known the lower end is
that of all parts of the search box (`parts`), the upper end the best point of any. More than 64 rows are counted by
conflicts without a common row alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from certify.linear_questions.conflicts import enough, refuted
from certify.linear_questions.dropping import Dropping
from certify.linear_questions.further import Document, Further
from certify.problems.regressors.regressor import Regressor
from certify.records.options import Options, Progress, silent
from certify.regressors.emission import Emission
from certify.regressors.parts import Part, ask_parts
from certify.regressors.pieces import Piece
from certify.solvers.limits import Limit, Stopped
from certify.solvers.regressors.dense_programs import compile_programs


@dataclass(frozen=True, eq=False, repr=False)
class Outliers(Further):
    """No fewer than `fewest` rows must be left out, and without `rows` (None: none are known) some parameters fit all
    others; rows are counted from 0. Sets of rows that no parameters fit together are `conflicts`; where the search box
    is parted by signs, those of each part, in which alone they contradict each other, are `by_parts`.
    """

    problem: Regressor
    fewest: int = 0
    rows: tuple[int, ...] | None = None
    conflicts: tuple[tuple[int, ...], ...] = ()
    by_parts: tuple[tuple[tuple[int, ...], ...], ...] = ()
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
            found = replace(found, fewest=0, conflicts=(), by_parts=(), lower=None, stopped=Stopped.UNCHECKED)
        if self.upper is not None and self.upper not in accepted:
            found = replace(found, rows=None, upper=None, stopped=Stopped.UNCHECKED)
        return found

    def as_json(self) -> dict[str, Any]:
        """Rows are counted from 1."""
        return {
            "fewest": self.fewest,
            "rows": None if self.rows is None else [row + 1 for row in self.rows],
            "conflicts": [[row + 1 for row in rows] for rows in self.conflicts],
            "conflicts_by_parts": [[[row + 1 for row in rows] for rows in part] for part in self.by_parts],
            "stopped": self.stopped.value,
        }


def linear_outliers(problem: Regressor, options: Options | None = None, progress: Progress = silent) -> Outliers:
    """The fewest rows to leave out; a limit ends it with what was proved by then."""
    compile_programs()
    limit = (options or Options()).begun()
    run = _Fewest(problem, limit, progress)
    with np.errstate(over="ignore", invalid="ignore"):
        why = ask_parts(problem, run.root, run.ask, limit)
    run.stopped = run.stopped if why is Stopped.FINISHED else why
    return run.answer()


class _Fewest:
    """What is known of each part, and the part with the best point."""

    def __init__(self, problem: Regressor, limit: Limit, progress: Progress) -> None:
        self.problem, self.limit, self.progress = problem, limit, progress
        self.root = Piece(problem.box)
        self.known: dict[Piece, Dropping] = {}
        self.best: tuple[tuple[int, ...], tuple[Fraction, ...]] | None = None
        self.stopped = Stopped.FINISHED

    def ask(self, part: Part) -> bool:
        """Whether conflicts of this part count as many rows as some point leaves out."""
        one = self.known[part.piece] = Dropping(self.problem, part, self.limit, self.progress)
        try:
            one.all()
        finally:
            if (
                one.rows is not None
                and one.point is not None
                and (self.best is None or len(one.rows) < len(self.best[0]))
            ):
                self.best = one.rows, one.point
        if part.is_last and one.stopped is not Stopped.FINISHED:
            self.stopped = one.stopped
        return self.best is not None and one.count >= len(self.best[0])

    def answer(self) -> Outliers:
        """What was found, with its certificates."""
        emission, best = Emission(self.problem), self.best
        upper = None if best is None else emission.upper_without(best[1], best[0])
        rows = None if best is None or upper is None else best[0]
        found = Outliers(self.problem, rows=rows, upper=upper, stopped=self.stopped)
        known = [self.known.get(leaf) for leaf in self.root.leaves]
        least = min(0 if one is None else one.count for one in known)
        for count in range(least if rows is None else min(least, len(rows)), 0, -1):
            named = self._refute(count - 1)
            text = emission.proved(self.root.lines, lower=Fraction(0), discard=count - 1) if named else None
            if text is not None:
                whole = named[0] if len(named) == 1 else ()
                found = replace(found, fewest=count, conflicts=whole, by_parts=() if whole else named, lower=text)
                break
        open_ends = found.rows is None or found.fewest < len(found.rows)
        if open_ends and found.stopped is Stopped.FINISHED:
            return replace(found, stopped=self.limit.reached(Stopped.GAP))
        return found if open_ends else replace(found, stopped=Stopped.FINISHED)

    def _refute(self, discard: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Refute all parts by conflicts that so many rows do not meet: their rows, part by part; none if a part has
        none.
        """
        named = list[tuple[tuple[int, ...], ...]]()
        for leaf in self.root.leaves:
            few = enough(self.known[leaf].conflicts, discard)
            if few is None:
                return ()
            leaf.refuted = refuted(few, discard)
            named.append(tuple(tuple(sorted(one.rows)) for one in few))
        return tuple(named)
