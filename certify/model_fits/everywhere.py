"""Is a minimum the least one in the whole box? By branch and bound over the parameters that do not enter linearly.

Wherever the model is defined in the box, the sum of squares exceeds that of the minimum, but in the boxes that are
known: around each minimum that was met one in which the sum is proved to be strictly convex where it is that small. All
is outward-rounded arithmetic of the engine; a certificate has no form for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.evaluation import Floats
from certify.problems.model.model import Problem
from certify.problems.model_fits.columns import Monomial
from certify.questions.least_squares import Minimum, least_squares
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.fits.plain_fit import least_squares as descent
from certify.solvers.limits import Limit, Stopped
from certify.solvers.projected.search import Ends, ProjectedSearch, separable

STEPS = 200
SAME = 1e-6  # of the sum of squares: another minimum
LOCAL_SECONDS = 10.0
Bounds = dict[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Everywhere:
    """What is known of the sum of squares in the whole box.

    `minimisers` enclose a minimum each. `finished`: every point of the box at which the sum is not above that of the
    first of them is near one of them, where there is no other minimum so small. `lower` is what the sum is not below
    anywhere; `better` a point, if one was met, at which the sum is less than at the fit, by estimate. `others` are the
    parameters that were divided, into `boxes`.
    """

    finished: bool
    lower: Fraction
    minimisers: tuple[Bounds, ...]
    better: dict[str, float] | None
    stopped: Stopped
    others: tuple[str, ...]
    boxes: int


def everywhere(
    problem: Problem, minimum: Minimum, seconds: float, progress: Callable[[str], None]
) -> Everywhere | None:
    """The answer for a proved minimum; None if the model is not of this kind."""
    rows = problem.blocks[0]
    columns = separable(rows)
    if columns is None or minimum.value is None or minimum.epsilon[1] is None:
        return None
    names = [variable.name for variable in problem.variables]
    level = enclose_rational(minimum.epsilon[1])[1]
    search = ProjectedSearch(rows, columns, level, problem.box, [], Limit.of(seconds), progress=progress)
    met = _Met(problem, names, search)
    search.met = met.consider
    if not met.add(minimum):
        return None
    for order in search.exchanged(np.array([minimum.estimate[names[place]] for place in search.places])):
        met.consider(order)
    lower = search.run()
    least = min(low for low, _ in met.values)
    found = min(least, Fraction(max(lower, 0.0))) if isfinite(lower) else least
    finished = search.stopped is Stopped.FINISHED and not met.better
    others = tuple(names[place] for place in search.places)
    better = dict(zip(names, met.better[0].tolist(), strict=True)) if met.better else None
    return Everywhere(finished, found, tuple(met.boxes), better, search.stopped, others, search.boxes)


@dataclass
class _Met:
    """Minima that were met, and what encloses their sums."""

    problem: Problem
    names: list[str]
    search: ProjectedSearch
    boxes: list[Bounds] = field(default_factory=list)
    values: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    better: list[Floats] = field(default_factory=list)

    def add(self, minimum: Minimum) -> bool:
        """Whether it is alone in a box that is known from now on."""
        if minimum.value is None or not minimum.box:
            return False
        lower, upper = (np.array([float(minimum.box[name][side]) for name in self.names]) for side in (0, 1))
        level = max(
            self.search.level, enclose_rational(minimum.value[1])[1]
        )  # its own: it may be above the first one's
        known = self.search.alone(0.5 * (lower + upper), level)
        if known is None or not self._holds(known, minimum):
            return False
        self.search.known.append(known)
        self.boxes.append(minimum.box)
        self.values.append(minimum.value)
        return True

    def consider(self, others: Floats) -> bool:
        """Descend from there; what is as low as the fit is judged, and whether it is lower."""
        if any(self._inside(known, others) for known in self.search.known):
            return False
        rows = self.problem.blocks[0]
        with np.errstate(all="ignore"):
            found = descent([rows], (0,), self.search.completed(others), STEPS, None)
        lower, upper = self.search.box
        if not np.isfinite(found.x).all() or not ((lower < found.x) & (found.x < upper)).all():
            return False
        near = found.x[self.search.places]
        if any(self._inside(known, near) for known in self.search.known):
            return False
        if found.cost < (1.0 - SAME) * self.search.level and self._reached(found.x) < self.search.level:
            self.better.append(found.x)
            return True
        if found.cost < (1.0 + SAME) * self.search.level:
            seconds = min(LOCAL_SECONDS, self.search.limit.remaining)
            options = Options(time_limit=seconds)
            part = least_squares(self.problem, found.x.tolist(), start=found.x, options=options, searching=0.0).parts[0]
            if isinstance(part, Minimum) and part.verdict is Verdict.LOCAL_MINIMUM:
                self.add(part)
        return False

    def _reached(self, point: Floats) -> float:
        """What the sum of squares at a point is not above, nearly: where rounding hides what is better nothing is."""
        ranges = self.problem.blocks[0].enclose(point, point)
        sizes = np.maximum(np.abs(ranges.lower[0]), np.abs(ranges.upper[0]))
        return float((sizes**2).sum()) if ranges.defined.all() else np.inf

    def _inside(self, known: Ends, others: Floats) -> bool:
        return bool(((known[0] <= others) & (others <= known[1])).all())

    def _holds(self, known: Ends, minimum: Minimum) -> bool:
        """Whether what encloses the minimiser lies in the known box, and no factor of a product may be 0 there."""
        ends = [minimum.box[self.names[place]] for place in self.search.places]
        inside = all(Fraction(low) < a and b < Fraction(high) for low, high, (a, b) in zip(*known, ends, strict=True))
        if not one_to_one(self.search.columns.monomials, self.search.columns.linear):
            return False  # what is convex in the monomials may have several minima in the parameters
        unknowns, products = self.search.rows.unknowns, [m for m in self.search.columns.monomials if len(m) > 1]
        factors = [minimum.box[self.names[unknowns[i]]] for m in products for i in m]
        return inside and all(low > 0 or high < 0 for low, high in factors)


def one_to_one(monomials: Sequence[Monomial], linear: Sequence[int]) -> bool:
    """Whether parameters that are not 0 are told by their monomials, and as many: exponents of determinant 1 or -1."""
    if len(monomials) != len(linear):
        return False
    rows = [[Fraction(monomial.count(one)) for one in linear] for monomial in monomials]
    product = Fraction(1)
    for k in range(len(rows)):
        pivot = next((row for row in rows[k:] if row[k]), None)
        if pivot is None:
            return False
        place = rows.index(pivot, k)
        rows[k], rows[place] = rows[place], rows[k]
        product *= rows[k][k]
        for row in rows[k + 1 :]:
            factor = row[k] / rows[k][k]
            row[:] = [a - factor * b for a, b in zip(row, rows[k], strict=True)]
    return abs(product) == 1
