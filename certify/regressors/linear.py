"""Where can the parameters of a linear model be, W theta = y with every measurement within its bound?

    answer = certify.linear(W, y, bound)                 # bound: a number, or one for each row
    answer = certify.linear(W, y, "0.05", box=[(0, None), (None, None)], names=["M", "Fv"], unit="N")
    answer.checked().box                                 # a pair of ends for each parameter

    smallest error     min over theta of max_k of how far a_k . theta is outside of its interval: both ends proved
    smallest factor    on all bounds, with which some theta fits: both ends proved
    faces              the smallest and the largest theta_j of all that fit every row, each by p rows
    the fit            what least squares needs: both ends proved

Floats choose the rows (`certify.solvers.regressors`); their weights are exact, and the checker accepts the sums, or
nothing is claimed. No prior box is needed where rows bound a parameter: then the search box ends at 10^100.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.bodies.search import Asked, search_physical
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.regressors.interval_regressor import IntervalRegressor, with_errors
from certify.problems.regressors.physical import Physical, not_negative
from certify.problems.regressors.regressor import Ends, Floats, Regressor, regressor
from certify.problems.regressors.sided_rows import sided
from certify.records.options import Options, Progress, silent
from certify.regressors.by_signs import BySigns
from certify.regressors.cuts import Cut, cut
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import ExactRows
from certify.regressors.identified import Face, Identified, Needed
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors.dense_programs import compile_programs
from certify.solvers.regressors.passes import largest_factor, largest_misses, no_less
from certify.solvers.regressors.search import FaceFound, RowSearch, Smallest
from certify.solvers.regressors.triangle import Triangle, triangle
from certify.solvers.semidefinite.physical_program import require_solver


def linear(
    W: Any, y: Any, bound: Any, box: Sequence[Ends] | None = None, *, names: Sequence[str] | None = None,
    units: Sequence[str] | None = None, unit: str = "", options: Options | None = None, progress: Progress = silent,
    physical: Physical | None = None, W_error: Any = None,
) -> Identified:  # fmt: skip
    """Everything that is known of theta in `box`, from arrays (or a DataFrame, whose columns are named); with
    `physical` also of parameters of real bodies and friction. `W_error` are half-widths of W: a number, one for each
    column or for each entry, or the pair (lower, upper) of its ends.
    """
    stated = regressor(W, y, bound, box, names=names, units=units, unit=unit)
    return identify(with_errors(stated, W_error), options, progress, physical)


def identify(
    problem: Regressor, options: Options | None = None, progress: Progress = silent, physical: Physical | None = None
) -> Identified:
    """The same of a problem; a limit ends it with what was proved by then."""
    if physical is not None:
        problem = not_negative(problem, physical)
        if physical.bodies:
            require_solver()
    compile_programs()
    began, limit = time.perf_counter(), (options or Options()).begun()
    answer = Identified(problem, (), Needed("error"), None, None, (), None, (), Stopped.FINISHED, 0.0)
    run = _Run(problem, limit, progress, answer)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            run.all()
            if physical is not None:
                run.physically(physical)
    except Late as late:
        run.answer = replace(run.answer, stopped=late.why)
    return replace(run.answer, seconds=time.perf_counter() - began)


class _Run:
    """The questions in their order; `answer` is what is known so far."""

    def __init__(self, problem: Regressor, limit: Limit, progress: Progress, answer: Identified) -> None:
        self.problem, self.limit, self.answer = problem, limit, answer
        self.progress: Progress = lambda message: progress(f"{self._known()}{message}")
        self.emission, self.exact = Emission(problem), ExactRows(problem)
        self._inner: tuple[Floats, Fraction] | None = None

    def all(self) -> None:
        """Ask everything."""
        self.progress("least squares")
        self.limit.check()
        fitted = triangle(self.problem)
        directions = tuple(map(tuple, fitted.open_directions.tolist()))
        self.answer = replace(self.answer, estimate=tuple(fitted.fit.tolist()), directions=directions)
        self.answer = replace(self.answer, partners=fitted.partners)
        self._judge_fit(fitted)
        if isinstance(self.problem, IntervalRegressor):
            self._by_signs(BySigns(self.problem, fitted, self.emission, self.limit))
            return
        search = RowSearch(self.problem, fitted, self.limit)
        self.progress("the smallest error")
        self._error(search)
        self.progress("the smallest factor on the bounds")
        self._factor(search)
        if not self.answer.error.lower:
            self._faces(search)

    def _known(self) -> str:
        """Both ends of what is asked, so far."""
        told = (known.so_far for known in (self.answer.error, self.answer.factor) if known is not None)
        return "".join(f"{words}; " for words in told if words)

    def physically(self, physical: Physical) -> None:
        """What is known of physically consistent parameters, if some fit at all."""
        if self.answer.error.lower:
            return
        rows = {(face.parameter, face.sign): face.rows for face in self.answer.faces}
        known = Asked(self.problem, physical, self.answer.box, rows, self.answer.point)
        if isinstance(self.problem, IntervalRegressor):
            pairs = zip(self.answer.box, self.problem.box, strict=True)
            ends = [(b[0] if a[0] is None else a[0], b[1] if a[1] is None else a[1]) for a, b in pairs]
            known = replace(known, problem=sided(self.problem, ends), judged=self.problem)
        found = search_physical(known, self.limit, self.progress)
        if found.point is not None:
            text = self.emission.upper(found.point.theta, Fraction(0), Fraction(1), False)
            found = replace(found, rows=text, point=None if text is None else found.point)
        stopped = self.answer.stopped if found.finished else self.limit.reached(Stopped.GAP)
        self.answer = replace(self.answer, physical=found, stopped=stopped)

    def _by_signs(self, asked: BySigns) -> None:
        """The same of a model whose coefficients are intervals."""
        self.progress("the smallest error")
        points = [*asked.points(), self._in_box(np.array(self.answer.estimate))]
        needed = self._judged(Needed("error"), points)
        if needed.upper != 0:
            found = None if self._inner is None else asked.error(self._inner[1])
            needed = needed if found is None else replace(needed, **found.as_lower)
        self.answer = replace(self.answer, error=needed)
        if not self.answer.error.lower:
            self.progress("intervals")
            hull, faces, stopped = asked.faces()
            self.answer = replace(self.answer, hull=hull, faces=faces, stopped=stopped)
        self.progress("the smallest factors on half-widths")
        self.answer = replace(self.answer, factor=self._factor_of(asked, points, "factor", True))
        if self.problem.base:
            self.answer = replace(self.answer, half_widths=self._factor_of(asked, points, "half-widths", False))

    def _factor_of(self, asked: BySigns, points: Sequence[Floats], name: str, of_bound: bool) -> Needed:
        """Both ends of a factor on half-widths."""
        ends, point, factor = asked.factor(points, of_bound)
        needed = Needed(name) if ends is None else replace(Needed(name), **ends.as_lower)
        if point is None or not np.isfinite(factor):
            return needed
        bound = None if of_bound else self.problem.base
        values = tuple(map(Fraction, point.tolist()))
        text = self.emission.upper(values, Fraction(0), Fraction(factor), False, bound)
        return needed if text is None else replace(needed, upper=Fraction(factor), upper_certificate=text)

    def _judge_fit(self, fitted: Triangle) -> None:
        """What least squares needs."""
        if not np.isfinite(fitted.fit).all():
            return
        misses, rows = largest_misses(self.problem, fitted.fit[:, None], self.limit.check)
        point = tuple(map(Fraction, fitted.fit.tolist()))
        needed = Needed("least-squares")
        low, high = self.problem.ends(rows[0])
        least, greatest = self.problem.exact_reach(rows[0], point)
        lower = self.emission.lower_at(point, rows[0], max(least - high, low - greatest))
        if lower is not None:
            needed = replace(needed, lower=lower[0], lower_certificate=lower[1], rows=(rows[0],))
        needed = self._upper(needed, point, no_less(float(misses[0]), self.problem.base), None)
        self.answer = replace(self.answer, fit=needed if needed.documents else None)

    def _upper(
        self, needed: Needed, point: Sequence[Fraction], level: Fraction | None, times: Fraction | None
    ) -> Needed:
        """With the certificate that a point needs no more than this error, or this factor."""
        if level is None:
            return needed
        fit = needed.name == "least-squares"
        text = self.emission.upper(point, level, Fraction(1) if times is None else times, fit)
        upper = level if times is None else times
        return needed if text is None else replace(needed, upper=upper, upper_certificate=text)

    def _error(self, search: RowSearch) -> None:
        """Both ends of the smallest error; the point may fit every row with something to spare."""
        found = search.smallest(weights=False)
        needed = self._lower(Needed("error"), found, weights=False)
        self.answer = replace(self.answer, error=needed)
        points = [*self._points(found, weights=False), self._in_box(np.array(self.answer.estimate))]
        judged = self._judged(needed, points)
        self.answer = replace(self.answer, error=judged)

    def _judged(self, needed: Needed, points: Sequence[Floats]) -> Needed:
        """With the error that the best of some points needs; it may fit every row."""
        misses, _ = largest_misses(self.problem, np.array(points).T, self.limit.check)
        best = int(np.argmin(misses))
        point = tuple(map(Fraction, points[best].tolist()))
        if np.isfinite(misses[best]):
            self._inner = points[best], Fraction(float(misses[best])) - self.problem.base
        needed = self._upper(needed, point, no_less(float(misses[best]), self.problem.base), None)
        self.answer = replace(self.answer, point=point if needed.upper == 0 else None)
        return needed

    def _lower(self, needed: Needed, found: Smallest | None, weights: bool) -> Needed:
        """With the lower end that the rows of a basis prove."""
        bound = None if found is None else self.exact.smallest(found.basis, weights)
        lower = None if bound is None else self.emission.lower(bound, factor=weights)
        if lower is None or bound is None:
            return needed
        return replace(needed, lower=lower[0], lower_certificate=lower[1], rows=tuple(term.row for term in bound.terms))

    def _points(self, found: Smallest | None, weights: bool) -> list[Floats]:
        """The point of the program, and where its rows meet, in doubles."""
        if found is None:
            return []
        vertex = self.exact.vertex(found.basis, weights)
        points = [found.point] if vertex is None else [found.point, np.array([float(value) for value in vertex])]
        return [self._in_box(point) for point in points]

    def _in_box(self, point: Floats) -> Floats:
        """The nearest doubles within the search box."""
        lower = np.array([enclose_rational(low)[1] for low, _ in self.problem.box])
        upper = np.array([enclose_rational(high)[0] for _, high in self.problem.box])
        return np.clip(point, lower, upper)

    def _factor(self, search: RowSearch) -> None:
        """Both ends of the smallest factor on all bounds, if there are any."""
        if not search.has_bounds:
            return
        found = search.smallest(weights=True)
        needed = self._lower(Needed("factor"), found, weights=True)
        self.answer = replace(self.answer, factor=needed)
        points = self._points(found, weights=True)
        reached = [largest_factor(self.problem, point, self.limit.check) for point in points]
        best = int(np.argmin(reached)) if reached else 0
        if reached and np.isfinite(reached[best]):
            point = tuple(map(Fraction, points[best].tolist()))
            needed = self._upper(needed, point, Fraction(0), Fraction(reached[best]))
            self.answer = replace(self.answer, factor=needed)

    def _faces(self, search: RowSearch) -> None:
        """All faces, as far as there is time."""
        wanted = [(j, sign) for j in range(self.problem.size) for sign in (-1, 1)]
        self.progress(f"{len(wanted)} faces")
        found = search.faces(wanted)
        self.progress("the faces' weights, exactly")
        cuts = [one for face in found if (one := self._cut(face)) is not None]
        hull = self.emission.hull(cuts)
        unfinished = any(not face.finished for face in found) or len(found) < len(wanted)
        if hull is not None:
            inner = self._reached(found)
            faces = tuple(
                Face(c.parameter, c.sign, c.at, tuple(t.row for t in c.terms), inner.get((c.parameter, c.sign)))
                for c in hull[1]
            )
            self.answer = replace(self.answer, faces=faces, hull=hull[0])
        if unfinished:
            self.answer = replace(self.answer, stopped=self.limit.reached(Stopped.GAP))

    def _cut(self, face: FaceFound) -> Cut | None:
        bound = self.exact.face(face.basis, face.parameter, face.sign)
        return None if bound is None else cut(bound, face.parameter, face.sign)

    def _reached(self, found: Sequence[FaceFound]) -> dict[tuple[int, int], Fraction]:
        """How far each parameter reaches at least: on the way from a point with something to spare to the face's point,
        which may miss a little, as the largest miss is a convex function.
        """
        if self._inner is None or self._inner[1] >= 0:
            return {}
        inner, spare = self._inner
        points = [self._in_box(face.point) for face in found]
        try:
            misses, _ = largest_misses(self.problem, np.column_stack(points), self.limit.check)
        except Late:
            return {}
        reached = {}
        for face, point, miss in zip(found, points, misses.tolist(), strict=True):
            if np.isfinite(miss):
                over = max(Fraction(miss) - self.problem.base, Fraction(0))
                share = over / (over - spare)
                start, end = (Fraction(float(x[face.parameter])) for x in (inner, point))
                reached[face.parameter, face.sign] = end + share * (start - end)
        return reached
