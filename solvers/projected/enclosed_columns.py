"""Columns of a model over boxes of its other parameters, enclosed: values at the middle, slopes there, and second
derivatives over the box, by outward-rounded arithmetic.

A column that holds a factor exp(u) is divided by exp(u_m), u_m its exponent at one observation m, and by all factors
that no measurement enters: what it is multiplied with is free, so that the same vectors come out, and exp(u - u_m) does
not overflow. Columns that are left as they are serve where bounds of the linear parameters matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Flags, Floats, Ranges, evaluate
from certify.contractors.tape.tape import Operation, Step, Tape
from certify.problems.model_fits.columns import Columns, Monomial
from certify.solvers.projected.confluent import Differences, Twins, clusters, same_functions
from certify.solvers.projected.pairs import EPS, TINY, UP, Pair, each, middles
from certify.solvers.projected.taylor_columns import Parts, Taylor, spread
from certify.solvers.projected.written_columns import Name, Written, written

Ends = tuple[Floats, Floats]  # lower and upper ones
EXP = Tape(1, (Step(Operation.EXP, 0),), (1,))
CLEARED = 0.8  # a divisor that varies more is cleared


@dataclass(frozen=True)
class ColumnTapes:
    """The columns of rows with exact measurements as functions of the inputs `others`; `free` says whether columns may
    be multiplied with anything.
    """

    rows: Rows
    columns: Columns
    others: tuple[int, ...]
    free: bool
    cleared: bool = False

    @property
    def monomials(self) -> tuple[Monomial, ...]:
        """What the columns are multiplied with, but the last one."""
        return self.columns.monomials

    @cached_property
    def _whole(self) -> Tape:
        node = self.columns.cleared if self.cleared else self.columns.column
        return self.columns.builder.tape(tuple(node(m) for m in (*self.monomials, ())))

    @cached_property
    def _written(self) -> Written:
        return written(self._whole, self.others, len(self.monomials) if self.free else 0)

    def taylor(self, lower: Floats, upper: Floats, references: NDArray[np.int64] | None = None) -> Taylor:
        """Of boxes (N, d). Which observations columns are divided at (`references`) is free."""
        tapes, count, size, n = self._written.columns, len(lower), len(self.others), self.rows.count
        references = self.references(lower, upper) if references is None else references
        at, over, fine, stretch, steep = self._completed(lower, upper, references)
        here, slopes_here = evaluate(tapes.value, *at), evaluate(tapes.slope, *at)
        whole, slopes, curves = (evaluate(tape, *over) for tape in (tapes.value, tapes.slope, tapes.curve))
        smooth = fine & here.defined & slopes_here.defined & whole.defined & slopes.defined & curves.defined
        q = len(self.monomials) + 1
        value, natural = (_rows(ranges, (count, n)) for ranges in (here, whole))
        curve = spread(tapes.curves, curves, smooth, (count, n), (size, size, q))
        slope = spread(tapes.slopes, slopes_here, smooth, (count, n), (size, q))
        for one in self.twins:
            self._part(one, lower, upper, steep, references, Parts(value, natural, slope, curve))
        narrow = smooth.reshape(count, n) & _nearer(curve, value, natural, 0.5 * (upper - lower))
        return Taylor(
            _chosen(narrow, value, natural, 0),
            _chosen(narrow, slope, each(np.zeros_like, slope), 1),
            _chosen(narrow, curve, each(np.zeros_like, curve), 2),
            narrow,
            stretch,
        )

    @cached_property
    def twins(self) -> list[Twins]:
        """Columns of the same function."""
        return same_functions(self._whole, self.others, len(self.monomials) if self.free else 0)

    def _part(
        self, one: Twins, lower: Floats, upper: Floats, steep: Floats, places: NDArray[np.int64], parts: Parts
    ) -> None:
        """Divided differences in place of columns that are nearly the same in some boxes; `steep` are the largest
        slopes of the columns' exponents there.
        """
        references = places[list(one.members)].T
        shape = lower.shape[0], len(one.members)
        middle, radius = np.zeros(shape), np.zeros(shape)
        half, sizes = 0.5 * (lower + upper), half_widths(lower, upper)
        for k, (place, number) in enumerate(zip(one.places, one.fixed, strict=True)):
            middle[:, k] = number if place is None else half[:, place]
            radius[:, k] = 0.0 if place is None else sizes[:, place]
            references[:, k] = -1 - k if place is None else references[:, k]
        for groups, boxes in clusters(middle, radius, steep[:, list(one.members)], references).items():
            for group in groups:
                reference = references[boxes, next(k for k in group if one.places[k] is not None)]
                found = Differences(
                    one.derivatives,
                    partial(self._of_one, reference),
                    middle[boxes][:, list(group)],
                    radius[boxes][:, list(group)],
                )
                for k in range(1, len(group)):
                    parts.put(found, k, boxes, one.members[group[k]], [one.places[member] for member in group])

    def _of_one(self, reference: NDArray[np.int64], lower: Floats, upper: Floats) -> Ends:
        """Inputs of a column of one parameter, the first of the others, divided by what it is at these observations."""
        n, inputs, first = self.rows.count, self.rows.tape.inputs, self.others[0]
        sides = []
        for ends, given in ((lower, self.rows.lower), (upper, self.rows.upper)):
            whole = np.zeros((2 * (inputs + 1), len(lower), n))
            whole[:inputs] = given[:, None, :]
            whole[inputs + 1 : 2 * inputs + 1] = given[:, reference, None]
            whole[2 * inputs + 1] = np.arange(n) != reference[:, None]
            whole[first] = ends[:, None]
            sides.append(whole.reshape(len(whole), -1))
        return sides[0], sides[1]

    def _completed(
        self, lower: Floats, upper: Floats, references: NDArray[np.int64]
    ) -> tuple[Ends, Ends, Flags, Floats, Floats]:
        """The inputs of the columns' tapes at the middles and over the boxes, with e and the slopes of its exponent,
        and where these are smooth.
        """
        middle, tapes = 0.5 * (lower + upper), self._written.differences
        at, over = self._inputs(middle, middle, references), self._inputs(lower, upper, references)
        q, size, batch, direct = (
            len(self.monomials) + 1,
            len(self.others),
            at[0].shape[1],
            (len(lower), self.rows.count),
        )
        if not any(tapes.slopes):
            return at, over, np.ones(batch, dtype=bool), np.zeros(lower.shape), np.zeros((len(lower), q))
        here, slopes_here = evaluate(tapes.value, *at), evaluate(tapes.slope, *at)
        whole, slopes, curves = (evaluate(tape, *over) for tape in (tapes.value, tapes.slope, tapes.curve))
        reach = np.repeat(half_widths(lower, upper), self.rows.count, axis=0).T  # (d, N K)
        at_slopes, natural = (_dense(tapes.slopes, ranges, (q, size, batch)) for ranges in (slopes_here, slopes))
        fine = here.defined & slopes_here.defined & whole.defined & slopes.defined & curves.defined
        reach = np.where(fine, reach, np.inf)
        bent = np.maximum(*map(np.abs, _dense(tapes.curves, curves, (q, size, size, batch))))
        wide = (bent * reach).sum(axis=2) * UP
        near = _within(natural, (at_slopes[0] - wide, at_slopes[1] + wide))
        first = (np.maximum(*map(np.abs, at_slopes)) * reach).sum(axis=1) + 0.5 * (wide * reach).sum(axis=1)
        ends = _within((whole.lower, whole.upper), (here.lower - first * UP, here.upper + first * UP))
        for inputs, found in ((at, _factors(here.lower, here.upper, at_slopes)), (over, _factors(*ends, near))):
            for side, rows in zip(inputs, found, strict=True):
                side[self._written.inputs :] = rows
        factor = np.minimum(over[1][self._written.inputs :].reshape(q, size + 1, batch)[:, :1], 1.0)
        stretch = np.where(fine, (np.maximum(*map(np.abs, near)) * factor).max(axis=0) * reach, 0.0)
        steep = np.where(fine, np.maximum(*map(np.abs, at_slopes)).max(axis=1), 0.0)
        steep, stretch = (side.reshape(-1, *direct).max(axis=2).T for side in (steep, stretch))
        return at, over, fine, stretch, steep

    @cached_property
    def _divisor(self) -> Tape:
        return self.columns.builder.tape((self.columns.divisor(),))

    def without_poles(self, direct: Taylor, lower: Floats, upper: Floats) -> Taylor:
        """Rows that may have a pole in their boxes by their numerators, divided by what their divisors do not exceed:
        where a row is defined its size is at least that.
        """
        if not self.columns.divisors:
            return direct
        none = np.zeros((len(self.monomials) + 1, len(lower)), dtype=np.int64)
        cut = self.rows.tape.inputs
        over = each(lambda side: side[:cut], self._inputs(lower, upper, none))
        ranges = evaluate(self._divisor, *over)
        largest = np.maximum(-ranges.lower[0], ranges.upper[0]).reshape(direct.smooth.shape)
        with np.errstate(all="ignore"):
            factor = 2.0 ** np.floor(-np.log2(largest) - 0.01)  # at most 1 / largest, and short
        found = self.taylor(lower, upper)
        least = np.maximum(np.maximum(ranges.lower[0], -ranges.upper[0]), 0.0).reshape(direct.smooth.shape)
        varied = least < CLEARED * largest
        use = (
            (~direct.smooth | varied) & found.smooth & np.isfinite(factor) & (factor * largest <= 1.0) & (factor > 0.0)
        )
        factor = np.where(use, factor, 0.0)

        def mixed(own: Pair, other: Pair, axes: int) -> Pair:
            shape = (slice(None), *(None,) * axes, slice(None), None)
            with np.errstate(all="ignore"):
                sides = each(lambda a, b: np.where(use[shape], b * factor[shape], a), own, other)
            return sides[0], sides[1]

        return Taylor(
            mixed(direct.value, found.value, 0),
            mixed(direct.slope, found.slope, 1),
            mixed(direct.curve, found.curve, 2),
            direct.smooth | use,
        )

    def references(self, lower: Floats, upper: Floats, bounded: bool = True) -> NDArray[np.int64]:
        """For each column and box the observation with the largest exponent, by estimate, of those whose exponents are
        bounded in the box (beside a pole's the others would be nothing), or of all.
        """
        none = np.zeros((len(self.monomials) + 1, len(lower)), dtype=np.int64)
        middle = 0.5 * (lower + upper)
        here, over = (
            evaluate(self._written.exponents, *self._inputs(low, high, none))
            for low, high in ((middle, middle), (lower, upper))
        )
        kept = np.isfinite(over.lower) & np.isfinite(over.upper) & over.defined
        exponents = np.where(kept | (not bounded), here.estimated_middle, -np.inf)
        return np.asarray(exponents.reshape(*none.shape, self.rows.count).argmax(axis=2))

    def _inputs(self, lower: Floats, upper: Floats, references: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Inputs of the tapes for boxes times observations; behind them, for each column, those of its reference."""
        n, inputs = self.rows.count, self.rows.tape.inputs
        sides = []
        for ends, given in ((lower, self.rows.lower), (upper, self.rows.upper)):
            more = len(references) * (len(self.others) + 1)
            whole = np.zeros((self._written.inputs + more, len(lower), n))
            whole[:inputs] = given[:, None, :]
            for k, reference in enumerate(references, 1):
                first = k * (inputs + 1)
                whole[first : first + inputs] = given[:, reference, None]
                whole[first + inputs] = np.arange(n) != reference[:, None]
            for k, i in enumerate(self.others):
                whole[i] = ends[:, k, None]
            sides.append(whole.reshape(len(whole), -1))
        return sides[0], sides[1]


def _rows(ranges: Ranges, shape: tuple[int, int]) -> Pair:
    """Middles and radii (N, K, q) of a tape's outputs."""
    found = middles(ranges.lower, ranges.upper)
    return each(lambda side: np.moveaxis(side.reshape(-1, *shape), 0, 2), found)


def _chosen(narrow: NDArray[np.bool_], taylor: Pair, natural: Pair, axes: int) -> Pair:
    """Of rows either one or the other."""
    shape: Any = (slice(None), *(None,) * axes, slice(None), None)
    return np.where(narrow[shape], taylor[0], natural[0]), np.where(narrow[shape], taylor[1], natural[1])


def _nearer(curve: Pair, value: Pair, natural: Pair, radius: Floats) -> NDArray[np.bool_]:
    """Rows of which Taylor's remainder is smaller than their whole range."""
    with np.errstate(all="ignore"):
        rest = 0.5 * np.einsum("nijkq,ni,nj->nkq", np.abs(curve[0]) + curve[1], radius, radius)
        size = np.abs(value[0]).max(axis=1)[:, None] + TINY
        return np.asarray(~((rest / size).max(axis=2) > (natural[1] / size).max(axis=2)))


def half_widths(lower: Floats, upper: Floats) -> Floats:
    """Half-widths around the middles, rounded up."""
    middle = 0.5 * (lower + upper)
    return np.asarray(np.nextafter(np.maximum(upper - middle, middle - lower), np.inf))


def _dense(names: list[Name], ranges: Ranges, shape: tuple[int, ...]) -> Ends:
    """Ends of derivatives at the places that their names say, 0 elsewhere."""
    sides = np.zeros(shape), np.zeros(shape)
    for name, low, high in zip(names, ranges.lower, ranges.upper, strict=True):
        sides[0][name], sides[1][name] = low, high
    return sides


def _within(natural: Ends, other: Ends) -> Ends:
    """Both enclose the same, rounded to nearest by a few operations; the second one may be no numbers."""
    with np.errstate(all="ignore"):
        low, high = (
            side + sign * (4.0 * EPS * np.abs(side) + TINY) for side, sign in zip(other, (-1.0, 1.0), strict=True)
        )
    return np.fmax(natural[0], low), np.fmin(natural[1], high)


def _factors(lower: Floats, upper: Floats, slopes: Ends) -> Ends:
    """e of each column, (q, N K), and behind it the slopes of its exponent (q, d, N K)."""
    found = evaluate(EXP, lower.reshape(1, -1), upper.reshape(1, -1))
    pairs = ((found.lower, slopes[0]), (found.upper, slopes[1]))
    low, high = (
        np.concatenate([factor.reshape(lower.shape)[:, None], side], axis=1).reshape(-1, lower.shape[1])
        for factor, side in pairs
    )
    return low, high
