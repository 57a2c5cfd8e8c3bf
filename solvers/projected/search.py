"""Branch and bound over the parameters that do not enter linearly: where can a sum of squares be at most a level?

A box of theirs is done with if the sum exceeds the level on it for all values of the others (in their bounds, where
that helps), or if it lies in a known box. What is concluded is `lower_bounds`' outward-rounded arithmetic; which boxes,
which rows and which weights are chosen by estimate. Where the model is not defined nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Operation
from certify.problems.model_fits.columns import Columns, Monomial, columns
from certify.solvers.limits import Limit, Stopped
from certify.solvers.projected.convexity import one_minimum
from certify.solvers.projected.enclosed_columns import ColumnTapes, half_widths
from certify.solvers.projected.lower_bounds import MOST_ROWS, Gram, gram
from certify.solvers.projected.taylor_columns import Taylor
from certify.solvers.search.explore import Best, Ended, explore

BATCH, ROWS = 512, 60_000  # boxes at once, and their rows together
MOST_OTHERS, MOST_LINEAR = 6, 12
VARIED = 0.02  # of a row's share in the columns, squared: beyond that it is left out where leaving out is tried
SLACK = 0.3  # of what the sum exceeds the level by, for all bounds together
STRETCHED = 1.0  # an exponent that varies more in a box says where it is halved
NEAR, MOST_TOLD = 1.5, 40
WIDEST, NARROWEST = 2, -48  # exponents of half-widths of boxes around a minimum, of its own size
SMOOTH = frozenset(
    {
        Operation.CONSTANT, Operation.PI, Operation.ADD, Operation.SUB, Operation.MUL, Operation.DIV, Operation.NEG,
        Operation.SQR, Operation.SQRT, Operation.SIN, Operation.COS, Operation.EXP, Operation.LOG, Operation.ATAN,
    }
)  # fmt: skip
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Place:
    """A box of the other parameters, and what the sum is not below there."""

    lower: Floats
    upper: Floats
    bound: float


@dataclass(frozen=True, eq=False)
class Judged:
    """Of a batch: lower bounds, where each box should be halved (nan: not known), estimates of the least sum at the
    middles, and which boxes are to be halved before anything else is tried.
    """

    bound: Floats
    spread: Floats
    smooth: NDArray[np.bool_]
    middle: Floats
    far: NDArray[np.bool_]


def separable(rows: Rows) -> Columns | None:
    """The rows as columns, if the search knows their functions and not too many parameters are to be divided."""
    if rows.count > MOST_ROWS or not {step.operation for step in rows.tape.steps} <= SMOOTH:
        return None
    found = columns(rows.tape, [int(i) for i in rows.unknown_inputs])
    others = len(rows.unknown_inputs) - len(found.linear)
    return found if 0 < others <= MOST_OTHERS and len(found.monomials) <= MOST_LINEAR else None


@dataclass
class ProjectedSearch:
    """`box` are the ends of all parameters, `known` boxes of the others in which nothing need be refuted; `met` is told
    of middles of boxes with the least sum there, by estimate, where that is little; it may add to the known boxes, or
    end the search.
    """

    rows: Rows
    columns: Columns
    level: float
    box: Ends
    known: list[Ends]
    limit: Limit
    met: Callable[[Floats], bool] = lambda others: False
    progress: Callable[[str], None] = lambda message: None
    boxes: int = 0
    stopped: Stopped = Stopped.FINISHED
    waiting: Best[Place] = field(init=False)
    _told: int = 0

    def alone(self, point: Floats, level: float) -> Ends | None:
        """A box of the others around theirs of a point in which at most one minimum has a sum up to a level."""
        middle = point[self.places]
        size = np.where(middle == 0.0, (self.box[1] - self.box[0])[self.places], np.abs(middle))
        radius = 2.0 ** np.arange(WIDEST, NARROWEST, -1.0)[:, None] * size
        lower, upper = middle - radius, middle + radius
        found = np.flatnonzero(one_minimum(self._plain.taylor(lower, upper), half_widths(lower, upper), level))
        return (lower[found[0]], upper[found[0]]) if found.size else None

    def completed(self, others: Floats) -> Floats:
        """By estimate: the point with these others at which the sum is least."""
        at = others[None]
        table = self._plain.taylor(at, at).value[0][0]
        best = np.linalg.lstsq(table[:, :-1], -table[:, -1], rcond=1e-13)[0] if np.isfinite(table).all() else None
        point = 0.5 * (self.box[0] + self.box[1])
        point[self.places] = others
        for k, monomial in enumerate(self.columns.monomials):
            if best is not None:
                rest = [self.rows.unknowns[i] for i in monomial[:-1]]
                point[self.rows.unknowns[monomial[-1]]] = best[k] / np.prod(point[rest])
        return point

    def exchanged(self, others: Floats) -> list[Floats]:
        """The same with the parameters of terms of one function exchanged, in every other order, where they may be."""
        found, lower, upper = [], *(side[self.places] for side in self.box)
        for own in {tuple(p for p in one.places if p is not None) for one in self._free.twins}:
            for order in list(permutations(own))[1:]:
                other = others.copy()
                other[list(own)] = others[list(order)]
                found += [other] if ((lower < other) & (other < upper)).all() else []
        return found

    def run(self) -> float:
        """What the sum of squares is not below anywhere in the box but in the known ones; more than the level if the
        search has finished.
        """
        lower, upper = (side[self.places] for side in self.box)
        self.waiting = Best([Place(lower, upper, 0.0)], lambda place: place.bound)

        def tell() -> None:
            self.progress(f"{self.boxes} boxes, {len(self.waiting)} to go, {self.limit.remaining:.0f} s left")

        batch = max(min(BATCH, ROWS // self.rows.count), 1)
        self.stopped = explore(self.waiting, self._step, self.limit, batch, progress=tell)
        return min((place.bound for place in self.waiting.items), default=np.inf)

    @cached_property
    def _others(self) -> tuple[int, ...]:
        return tuple(int(i) for i in self.rows.unknown_inputs if int(i) not in self.columns.linear)

    @cached_property
    def places(self) -> list[int]:
        return [self.rows.unknowns[i] for i in self._others]

    @cached_property
    def _free(self) -> ColumnTapes:
        return ColumnTapes(self.rows, self.columns, self._others, free=True)

    @cached_property
    def _plain(self) -> ColumnTapes:
        return ColumnTapes(self.rows, self.columns, self._others, free=False)

    @cached_property
    def _cleared(self) -> ColumnTapes:
        return ColumnTapes(self.rows, self.columns, self._others, free=False, cleared=True)

    def _step(self, taken: list[Place]) -> list[Place]:
        """What is left of a batch, halved."""
        lower, upper = (np.array([getattr(place, name) for place in taken]) for name in ("lower", "upper"))
        bound = np.array([place.bound for place in taken])
        for low, high in self.known:
            bound[((low <= lower) & (upper <= high)).all(axis=1)] = np.inf
        spread, smooth = np.full(lower.shape, np.nan), np.zeros(len(taken), dtype=bool)
        middle = np.full(len(taken), np.nan)
        self.boxes += len(taken)
        regular = np.zeros(
            len(taken), dtype=bool
        )  # far too wide, or what is lost is of second order: halving is better
        for method in (self._of_free_columns, self._of_bounded_columns):
            open_ = np.flatnonzero(~(bound > self.level) & ~regular)
            if not open_.size:
                break
            found = method(lower[open_], upper[open_])
            bound[open_] = np.maximum(bound[open_], found.bound)
            missing = open_[np.isnan(spread[open_]).any(axis=1)]
            spread[missing] = found.spread[np.isin(open_, missing)]
            smooth[open_] |= found.smooth
            regular[open_] = found.far | (found.smooth & (found.bound > -np.inf))
            middle[open_] = np.fmin(middle[open_], found.middle)
        if self._tell_of(lower, upper, np.where(bound > self.level, np.inf, middle)):
            raise Ended(Stopped.BETTER, taken)
        return [
            half
            for k in np.flatnonzero(~(bound > self.level))
            for half in self._halves(lower[k], upper[k], float(bound[k]), spread[k], bool(smooth[k]))
        ]

    def _tell_of(self, lower: Floats, upper: Floats, middle: Floats) -> bool:
        """The middle of the box with the least sum there, if that is near the level; whether that ends the search."""
        k = int(np.argmin(np.where(np.isnan(middle), np.inf, middle)))
        if self._told < MOST_TOLD and middle[k] < NEAR * self.level:
            self._told += 1
            return self.met(0.5 * (lower[k] + upper[k]))
        return False

    def _halves(self, lower: Floats, upper: Floats, bound: float, spread: Floats, smooth: bool) -> list[Place]:
        """At 0 where a row is not smooth: many poles are there."""
        width = (upper - lower) / (self.box[1] - self.box[0])[self.places]
        across = (lower < 0.0) & (upper > 0.0)
        known = np.isfinite(spread).all() and spread.max() > 0.0
        if not smooth and across.any():
            i, at = int(np.argmax(np.where(across, width, -1.0))), 0.0
        else:
            i = int(np.argmax(spread if known else width))
            at = 0.5 * (lower[i] + upper[i])
        highest, lowest = upper.copy(), lower.copy()
        highest[i] = lowest[i] = at
        return [Place(lower, highest, bound), Place(lowest, upper, bound)]

    def _of_free_columns(self, lower: Floats, upper: Floats) -> Judged:
        """With linear parameters that have no bounds, from columns that are divided by what may be."""
        radius, taylor = half_widths(lower, upper), self._free.taylor(lower, upper)
        kept = _finite(taylor)
        table = gram(taylor, radius, kept)
        bound = table.least(radius)
        again = np.flatnonzero(~(bound > self.level) & ~_is_stretched(taylor))
        if again.size:
            part, some = _only(taylor, again), table.some(again)
            few = _steady(part, radius[again], kept[again], some, self.level)
            bound[again] = np.maximum(bound[again], gram(part, radius[again], few).least(radius[again]))
        return self._judged(self._divided_elsewhere(bound, lower, upper), table, taylor)

    def _divided_elsewhere(self, bound: Floats, lower: Floats, upper: Floats) -> Floats:
        """The larger bound of two, where columns may be divided at other observations, too."""
        references, others = (self._free.references(lower, upper, bounded) for bounded in (True, False))
        again = np.flatnonzero(~(bound > self.level) & (references != others).any(axis=0))
        if again.size:
            taylor, radius = (
                self._free.taylor(lower[again], upper[again], others[:, again]),
                half_widths(lower, upper)[again],
            )
            bound[again] = np.maximum(bound[again], gram(taylor, radius, _finite(taylor)).least(radius))
        return bound

    def _of_bounded_columns(self, lower: Floats, upper: Floats) -> Judged:
        """With the bounds of linear parameters, and outside of known boxes."""
        radius = half_widths(lower, upper)
        taylor = self._cleared.without_poles(self._plain.taylor(lower, upper), lower, upper)
        kept = _finite(taylor)
        table = gram(taylor, radius, kept, *self._bounds(taylor, kept))
        bound = table.least(radius)
        again = np.flatnonzero(~(bound > self.level))
        if again.size:
            part = _only(taylor, again)
            few = _steady(part, radius[again], kept[again], table.some(again), self.level)
            other = gram(part, radius[again], few, *self._bounds(part, few)).least(radius[again])
            bound[again] = np.maximum(bound[again], other)
        return self._judged(bound, table, taylor)

    def _judged(self, bound: Floats, table: Gram, taylor: Taylor) -> Judged:
        smooth = np.asarray(taylor.smooth.all(axis=1))
        spread, far = np.where(smooth[:, None], table.spread, np.nan), _is_stretched(taylor)
        if taylor.stretch is not None:
            spread = np.where(far[:, None], taylor.stretch, spread)
        return Judged(bound, spread, smooth, table.base[0][:, -1, -1], far)

    def _bounds(self, taylor: Taylor, kept: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Rows h of z with |h'z| <= 1 in the box, times the root of how often each box can afford them, and what they
        add at most.
        """
        forms = np.array([self._bound(k, monomial) for k, monomial in enumerate(self.columns.monomials)])
        forms = forms.reshape(-1, len(self.columns.monomials) + 1)
        with np.errstate(all="ignore"):
            value = np.where(kept[..., None], taylor.value[0], 0.0)
            least = np.array([_least_sum(table) for table in np.swapaxes(value, -1, -2) @ value])
            slack = np.where(np.isfinite(least), least - self.level, 0.0)
        roots = np.sqrt(np.maximum(SLACK * slack / max(len(forms), 1), 0.0))
        return roots[:, None, None] * forms, roots**2 * len(forms) * (1.0 + 1e-9)

    def _bound(self, k: int, monomial: Monomial) -> Floats:
        """The row of a monomial's bounds."""
        ends = [[float(side[self.rows.unknowns[i]]) for side in self.box] for i in monomial]
        products = ends[0] if len(ends) == 1 else [a * b for a in ends[0] for b in ends[1]]
        middle, reach = 0.5 * (min(products) + max(products)), 0.5 * (max(products) - min(products))
        reach += 1e-9 * (reach + max(map(abs, products))) + 1e-300
        row = np.zeros(len(self.columns.monomials) + 1)
        row[k], row[-1] = 1.0 / reach, -middle / reach
        return row


def _is_stretched(taylor: Taylor) -> NDArray[np.bool_]:
    """Boxes in which an exponent varies so much that they are to be halved."""
    if taylor.stretch is None:
        return np.zeros(len(taylor.smooth), dtype=bool)
    return np.asarray(np.isfinite(taylor.stretch).all(axis=1) & (taylor.stretch.max(axis=1) > STRETCHED))


def _finite(taylor: Taylor) -> NDArray[np.bool_]:
    """Rows whose enclosures are."""
    fine = np.isfinite(taylor.value[1]).all(axis=-1) & np.isfinite(taylor.slope[1]).all(axis=(1, -1))
    return np.asarray(fine & np.isfinite(taylor.curve[1]).all(axis=(1, 2, -1)))


def _steady(taylor: Taylor, radius: Floats, kept: NDArray[np.bool_], table: Gram, level: float) -> NDArray[np.bool_]:
    """Of the rows those that vary little: their columns, and what is left of them."""
    with np.errstate(all="ignore"):
        curve = np.abs(taylor.curve[0]) + taylor.curve[1]
        off = taylor.value[1] + 0.5 * np.einsum("nijkq,ni,nj->nkq", curve, radius, radius)
        share = (off @ np.abs(table.change)) ** 2
        least = np.maximum(table.base[0][:, -1, -1], level)[:, None]
    return np.asarray(kept & (share[..., :-1].sum(axis=-1) < VARIED) & (share[..., -1] < VARIED * least))


def _only(taylor: Taylor, chosen: NDArray[np.int64]) -> Taylor:
    """Some boxes."""
    value, slope, curve = ((pair[0][chosen], pair[1][chosen]) for pair in (taylor.value, taylor.slope, taylor.curve))
    return Taylor(
        value, slope, curve, taylor.smooth[chosen], None if taylor.stretch is None else taylor.stretch[chosen]
    )


def _least_sum(table: Floats) -> float:
    """By estimate: the least u' A u with u_last = 1; nan where there is none."""
    if not np.isfinite(table).all():
        return float("nan")
    scale = 1e-13 * np.diag(np.diag(table)[:-1])
    best = np.linalg.lstsq(table[:-1, :-1] + scale, table[:-1, -1], rcond=1e-13)[0]
    return float(table[-1, -1] - table[-1, :-1] @ best)
