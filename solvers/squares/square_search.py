"""The search for a proof that a sum of squares exceeds a level outside a small box: depth first, in floats, a reason
for every cut.

For rows P_k with |P_k| <= |r_k| and any weights w, F >= sum w_k P_k - w_k^2 / 4; the best weights on a box are twice
the rows at the point where the sum of the P_k^2 is least. Every monomial of d counts as a variable of its own in its
range, so that this point is a bounded linear least-squares problem. The box is narrowed by slabs on which the bound
exceeds the level. Where that stalls it goes on in coordinates along the principal axes of the sum (once), then it is
halved. What comes out is replayed in the checker's arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Cut, RowTerm
from certify.contractors.rows.weighted_sums import short
from certify.contractors.short_numbers import short_between, short_near
from certify.contractors.tape.evaluation import Floats
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs.bounded_least_squares import BoundedLeastSquares
from certify.solvers.proof.trace import Branch, Framed, Prepared, Refuted, Steps
from certify.solvers.search.explore import Ended, Stack, explore
from certify.solvers.squares.square_forms import Chart, SquareForms, SquareRows

FIRST = 0.2  # of a variable's width: a slab is tried at all if this much of it can go
NARROWING = 6  # halvings of the place of a slab's face
ENOUGH = 0.9  # a pass that leaves every half-width above this part of what it was has stalled
RELATIVE = 1e-11  # of the level, by which a slab must exceed it
ROUNDING = 1e-15  # of the terms of a sum: what their rounding may do
BITS = 16  # of the places of cuts and divisions
FRAME_BITS = 20  # of the entries of a frame's matrix


@dataclass
class _Place:
    """A box that is to be emptied but for what lies in the target, and its steps."""

    chart: Chart
    lower: Floats
    upper: Floats
    steps: Steps
    framed: bool


@dataclass
class SquareSearch:
    """`minimiser` is the estimated minimum, `inside` the box in which nothing need be refuted."""

    rows: SquareRows
    level: float
    minimiser: Floats
    inside: tuple[Floats, Floats]
    limit: Limit
    progress: Callable[[str], None] = lambda message: None
    splits: int = 0
    passes: int = 0
    stopped: Stopped = Stopped.FINISHED
    _slopes: Floats = field(init=False)
    _scale: Floats = field(init=False)

    def __post_init__(self) -> None:
        self._slopes = self.rows.values(self.minimiser)[1]

    def run(self, lower: Floats, upper: Floats) -> Steps:
        """The steps for a box of x; `stopped` says whether they are complete."""
        n = len(self.minimiser)
        self._scale = np.exp2(np.round(np.log2(0.5 * (upper - lower))))
        root = Steps()
        stack = Stack([_Place(Chart(np.zeros(n), np.eye(n)), lower, upper, root, False)])

        def tell() -> None:
            self.progress(
                f"global minimum: {self.splits} bisections, {len(stack)} boxes to go, {self.limit.remaining:.0f} s left"
            )

        self.stopped = explore(stack, self._step, self.limit, progress=tell)
        return root

    def _step(self, taken: list[_Place]) -> list[_Place]:
        """Narrow a box, and halve it if it is neither refuted nor in the target."""
        (place,) = taken
        self._narrow(place)
        if place.steps.end is not None or self._known(place):
            return []
        if self.limit.late():
            raise Ended(self.limit.why, taken)
        halves = self._halves(place)
        if not halves:
            raise Ended(Stopped.WIDTH, taken)
        return halves

    def _known(self, place: _Place) -> bool:
        low, high = place.chart.image(place.lower, place.upper)
        return bool((low > self.inside[0]).all() and (high < self.inside[1]).all())

    def _narrow(self, place: _Place) -> None:
        """Passes until one stalls; then in a frame; a box in the target is left alone."""
        while not self._known(place) and not self.limit.late():
            before = place.upper - place.lower
            self._pass(place)
            if place.steps.end is not None:
                return
            width = place.upper - place.lower
            if not ((width < ENOUGH * before) & (width > self._narrow_enough(place.chart))).any():
                if place.framed:
                    return
                self._frame(place)

    def _narrow_enough(self, chart: Chart) -> Floats:
        """Widths that are no obstacle to lying in the target: to make them smaller is no progress."""
        radius = 0.5 * (self.inside[1] - self.inside[0])
        with np.errstate(divide="ignore"):
            return np.asarray((radius[:, None] / np.abs(chart.matrix)).min(axis=0) / len(radius))

    def _frame(self, place: _Place) -> None:
        """From here on coordinates along the principal axes of the sum, where every unknown is measured in half-widths
        of the search box.
        """
        middle, radius = 0.5 * (place.lower + place.upper), 0.5 * (place.upper - place.lower)
        scale = self._scale
        scaled = self._slopes * scale
        axes = np.round(np.linalg.eigh(scaled.T @ scaled)[1] * 2.0**FRAME_BITS) / 2.0**FRAME_BITS
        start = np.round(self.minimiser / scale * 2.0**FRAME_BITS) / 2.0**FRAME_BITS * scale
        axes, inverse = scale[:, None] * axes, np.linalg.inv(axes) / scale
        centre, reach = inverse @ (middle - start), np.abs(inverse) @ radius * (1.0 + 1e-12)
        place.steps.actions.append(Framed(tuple(start), tuple(map(tuple, axes))))
        place.chart, place.lower, place.upper, place.framed = Chart(start, axes), centre - reach, centre + reach, True

    def _pass(self, place: _Place) -> None:
        """Refute the box, or cut slabs off it."""
        self.passes += 1
        centre, radius = 0.5 * (place.lower + place.upper), 0.5 * (place.upper - place.lower)
        problem = self._relaxed(place, place.lower, place.upper)
        bound, weights = problem.bound(-1, 0.0)
        goal = self.level * (1.0 + RELATIVE)
        place.steps.actions.append(Prepared(1))
        if bound > goal:
            place.steps.end = Refuted(problem.reason(weights))
            return
        for position, variable in enumerate(self.rows.variables):
            for below in (True, False):
                found = problem.slab(position, below, goal)
                if found is None:
                    continue
                part, reason = found
                ends = place.lower if below else place.upper
                at = centre[position] + (radius[position] * part if below else -radius[position] * part)
                at = short_near(at, radius[position], BITS)
                if place.lower[position] < at < place.upper[position]:
                    place.steps.actions.append(Cut(variable, at, below, reason))
                    ends = ends.copy()
                    ends[position] = at
                    place.lower, place.upper = (ends, place.upper) if below else (place.lower, ends)

    def _relaxed(self, place: _Place, lower: Floats, upper: Floats) -> _Relaxed:
        """The forms on a part of the box, best near the minimum."""
        centre = 0.5 * (lower + upper)
        target = np.clip(np.linalg.solve(place.chart.matrix, self.minimiser - place.chart.start), lower, upper) - centre
        return _Relaxed(self.rows.forms(place.chart, lower, upper, target), 0.5 * (upper - lower))

    def _halves(self, place: _Place) -> list[_Place]:
        """Halve where that raises the bounds of both halves most; none where doubles have no place to halve at."""
        choices = []
        for position, (low, high) in enumerate(zip(place.lower, place.upper, strict=True)):
            at = short_between(low, high, bits=BITS)
            if not low < at < high:
                continue
            highest, lowest = place.upper.copy(), place.lower.copy()
            highest[position] = lowest[position] = at
            bounds = (
                self._relaxed(place, place.lower, highest).bound(-1, 0.0)[0],
                self._relaxed(place, lowest, place.upper).bound(-1, 0.0)[0],
            )
            choices.append((sum(min(bound, self.level) for bound in bounds), position, at, lowest, highest))
        if not choices:
            return []
        _, position, at, lowest, highest = max(choices, key=lambda choice: choice[:2])
        self.splits += 1
        lower, upper = Steps(), Steps()
        place.steps.end = Branch(self.rows.variables[position], at, lower, upper)
        return [
            _Place(place.chart, lowest, place.upper, upper, place.framed),
            _Place(place.chart, place.lower, highest, lower, place.framed),
        ]


class _Relaxed:
    """The forms on a box with half-widths `radius`, their monomials scaled to [-1, 1] (squares to [0, 1])."""

    def __init__(self, forms: SquareForms, radius: Floats) -> None:
        n = len(radius)
        self._forms = forms
        pairs = [(i, j) for i in range(n) for j in range(i, n)]
        columns = [forms.linear * radius]
        for i, j in pairs:
            columns.append(((forms.square[:, i, j] * (1.0 if i == j else 2.0)) * radius[i] * radius[j])[:, None])
        table = np.hstack(columns)
        used = np.concatenate([np.ones(n, dtype=bool), np.abs(table[:, n:]).max(axis=0, initial=0.0) > 0.0])
        self._table = table[:, used]
        self._lower = np.concatenate([-np.ones(n), [0.0 if i == j else -1.0 for i, j in pairs]])[used]
        self._upper = np.ones(len(self._lower))
        self._sizes = np.abs(forms.constant) + np.abs(self._table).sum(axis=1)
        self._solver = BoundedLeastSquares(self._table, -forms.constant)

    def bound(self, position: int, end: float, below: bool = True) -> tuple[float, Floats]:
        """A lower bound of the sum on the slab t <= end (`below`) or t >= -end of a variable (the box if -1), and its
        weights with signs.

        The weights are those that will be written down: near the level the last bits decide.
        """
        lower, upper = self._lower, self._upper
        if position >= 0:
            lower, upper = lower.copy(), upper.copy()
            (upper if below else lower)[position] = end if below else -end
        best = self._solver.solve(lower, upper)
        weights = 2.0 * (self._forms.constant + self._table @ best)
        weights = np.sign(weights) * short(np.abs(weights))
        slopes, sizes = self._table.T @ weights, np.abs(weights)
        least = (
            weights @ self._forms.constant + np.minimum(slopes * lower, slopes * upper).sum() - 0.25 * weights @ weights
        )
        doubt = ROUNDING * (sizes @ self._sizes + 0.25 * weights @ weights)
        return float(least - sizes @ self._forms.error - doubt), weights

    def slab(self, position: int, below: bool, goal: float) -> tuple[float, Aggregate] | None:
        """How far a slab reaches on which the sum exceeds the goal (in [-1, 1]), and why; None if it is too thin."""
        low = 2.0 * FIRST - 1.0
        bound, weights = self.bound(position, low, below)
        if bound <= goal:
            return None
        high = 1.0
        for _ in range(NARROWING):
            middle = 0.5 * (low + high)
            bound, found = self.bound(position, middle, below)
            if bound > goal:
                low, weights = middle, found
            else:
                high = middle
        return low - 1e-4 * (1.0 + low), self.reason(weights)

    def reason(self, weights: Floats) -> Aggregate:
        """The weights as a reason; a row's side is the sign of its weight."""
        terms = []
        for k in np.flatnonzero(weights):
            form, block, row = self._forms.tags[k]
            terms.append(RowTerm(form, block, row, 1 if weights[k] > 0.0 else -1, float(abs(weights[k]))))
        return Aggregate(tuple(terms), ())
