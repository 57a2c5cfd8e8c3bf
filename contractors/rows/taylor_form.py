"""Rows of any twice differentiable tape over one box as quadratic interval polynomials p(t) <= 0, by Taylor's formula.

Form `t`: s r(c) - e + sum s dr/dx_j(c) d_j + sum s/2 d^2r/dx_i dx_j(box) d_i d_j, with the second derivatives enclosed
over the box: the error is of third order where that of the mean-value form is of second. For rows that have no
polynomial form, and for rows that other rows matter to:

    measurements that rows share    are unknowns u like the x (`shared_entries`): one realisation for all rows of a
                                    weighted sum, where each row alone would choose its own
    rows of a distance              are formed without epsilon, which bounds them together (`Distances`)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.forms import frame, scaled
from certify.contractors.rows.measurements import SIDES, above_sum, realise
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.shared_entries import Entries
from certify.contractors.rows.weighted_sums import Distances, Inequalities, Tag
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Flags, Floats, Ranges, evaluate
from certify.contractors.tape.second_order import second_order

Monomial = tuple[int, ...]
Blocks = tuple[tuple[int, Rows], ...]
Numbers = NDArray[np.int64]


def taylor_rows(blocks: Blocks, box: Box, epsilon: float, cells: int) -> Inequalities:
    """Form `t` of all rows of the numbered blocks that are twice differentiable on the box."""
    places = sorted({rows.unknowns[i] for _, rows in blocks for i in rows.unknown_inputs})
    pairs = sorted(
        {
            _monomial(rows, i, j)
            for _, rows in blocks
            for i, j in second_order(rows.tape, _inputs(rows))[1]
            if not (_is_entry(rows, i) or _is_entry(rows, j))
        }
    )
    monomials: tuple[Monomial, ...] = ((), *((p,) for p in places), *pairs)
    index = {m: k for k, m in enumerate(monomials)}
    columns = tuple(sorted({column for _, rows in blocks for column in rows.shared_columns}))
    lowers, uppers, found = [], [], _Joint(columns)
    tags: list[Tag] = []
    for number, rows in blocks:
        points = realise(rows.holding_shared, box.lower, box.upper, cells)
        curves = _Curves(rows, box)
        for position, side in enumerate(SIDES):
            form = _Side(rows, side, (points.lower[position], points.upper[position]), box, index, curves, columns)
            low, high, good = form.coefficients(0.0 if rows.group >= 0 else epsilon, points.slack[position])
            kept = np.flatnonzero(good & points.differentiable[position])
            lowers.append(low[:, kept].T)
            uppers.append(high[:, kept].T)
            found.add(rows, kept, form)
            tags += [("t", number, int(k), side) for k in kept]
    entries, distances = found.entries(blocks), found.distances(epsilon)
    return Inequalities(monomials, np.vstack(lowers), np.vstack(uppers), tuple(tags), entries, distances)


@dataclass
class _Joint:
    """What rows have to do with each other, block by block: the entries of these columns that each reads, and its
    member.
    """

    columns: tuple[int, ...]
    numbers: list[Numbers] = field(default_factory=list)
    reads: list[Flags] = field(default_factory=list)
    guesses: list[Floats] = field(default_factory=list)
    terms: list[tuple[Floats, ...]] = field(default_factory=list)
    members: list[Numbers] = field(default_factory=list)

    def add(self, rows: Rows, kept: Numbers, form: _Side) -> None:
        """These rows of a block."""
        numbers = rows.row_numbers[kept]
        self.numbers.append(numbers)
        self.members.append(np.where(rows.group >= 0, (numbers << 32) + rows.group, -1))
        if self.columns:
            self.reads.append(np.tile([column in rows.shared_columns for column in self.columns], (kept.size, 1)))
            self.guesses.append(form.guess[:, kept].T)
            self.terms.append(tuple(np.moveaxis(ends[..., kept], -1, 0) for ends in form.of_entries))

    def entries(self, blocks: Blocks) -> Entries | None:
        """The shared measurements, numbered; None if there are none."""
        if not self.columns:
            return None
        numbers, reads = np.concatenate(self.numbers), np.vstack(self.reads)
        _, poses = np.unique(numbers, return_inverse=True)
        names = np.where(reads, poses[:, None] * len(self.columns) + np.arange(len(self.columns)), -1)
        known, places = np.unique(names, return_inverse=True)
        places = places.reshape(names.shape) - int(known.size > 0 and known[0] < 0)
        terms = [np.concatenate(parts) for parts in zip(*self.terms, strict=True)]
        columns = {number: rows.shared_columns for number, rows in blocks}
        ends = (terms[0], terms[1]), (terms[2], terms[3]), (terms[4], terms[5])
        return Entries(poses, places, *ends, columns, np.vstack(self.guesses))

    def distances(self, epsilon: float) -> Distances | None:
        """The members, numbered; None if there are none."""
        names = np.concatenate(self.members)
        if not (names >= 0).any():
            return None
        known, places = np.unique(names, return_inverse=True)
        return Distances(places - int(known[0] < 0), epsilon)


def _inputs(rows: Rows) -> tuple[int, ...]:
    """The inputs that are unknowns of a row: variables, and entries that it shares."""
    return tuple(i for i in range(rows.tape.inputs) if rows.unknowns[i] >= 0 or _is_entry(rows, i))


def _is_entry(rows: Rows, i: int) -> bool:
    return bool(rows.shared) and rows.shared[i] >= 0


def _monomial(rows: Rows, i: int, j: int) -> Monomial:
    return tuple(sorted((rows.unknowns[i], rows.unknowns[j])))


class _Curves:
    """The enclosed second derivatives of the rows of a block over a box: once for both sides, if what they read of the
    measurements is the same on both, as where a measurement is only added.
    """

    def __init__(self, rows: Rows, box: Box) -> None:
        self.rows, self.box = rows, box
        self.tape, self.pairs = second_order(rows.tape, _inputs(rows))
        steps = () if self.tape is None else self.tape.steps
        self._reads = sorted({k for step in steps for k in (step.first, step.second) if 0 <= k < rows.tape.inputs})
        self._known: tuple[Floats, Ranges] | None = None

    def over(self, lower: Floats, upper: Floats) -> Ranges | None:
        """With these measurements; None if all are 0."""
        if self.tape is None:
            return None
        low, high = self.rows.with_box(self.box.lower, self.box.upper, lower, upper)
        read = np.stack([low[self._reads], high[self._reads]])
        if self._known is None or not np.array_equal(read, self._known[0]):
            self._known = read, evaluate(self.tape, low, high)
        return self._known[1]


class _Side:
    """One side of the rows of a block over a box, with these measurements."""

    def __init__(
        self,
        rows: Rows,
        side: int,
        measured: tuple[Floats, Floats],
        box: Box,
        index: dict[Monomial, int],
        curves: _Curves,
        columns: tuple[int, ...],
    ) -> None:
        self.rows, self.side, self.measured, self.index, self.curves = rows, side, measured, index, curves
        self.centre, radius = frame(box)
        middles, halves = frame(Box(rows.lower, rows.upper))
        self.middles = middles
        self.radius = {i: halves[i] if _is_entry(rows, i) else radius[rows.unknowns[i]] for i in _inputs(rows)}
        self.low, self.high = np.zeros((len(index), rows.count)), np.zeros((len(index), rows.count))
        self.slots = {column: k for k, column in enumerate(columns)}
        self.guess = np.zeros((len(columns), rows.count))
        if columns and rows.expected is not None:
            for i in filter(partial(_is_entry, rows), range(rows.tape.inputs)):
                self.guess[self.slots[rows.shared[i]]] = rows.expected[i]
        variables = sum(len(m) == 1 for m in index) if columns else 0
        self.of_linear = self._zeros(len(columns))
        self.of_square = self._zeros(len(columns), len(columns))
        self.of_cross = self._zeros(len(columns), variables)

    def _zeros(self, *shape: int) -> tuple[Floats, Floats]:
        return np.zeros((*shape, self.rows.count)), np.zeros((*shape, self.rows.count))

    @property
    def of_entries(self) -> tuple[Floats, ...]:
        """Ends of the coefficients of shared entries, of their products, and of their products with variables."""
        return *self.of_linear, *self.of_square, *self.of_cross

    def coefficients(self, epsilon: float, slack: Floats) -> tuple[Floats, Floats, Flags]:
        """Coefficient ends (monomials, rows), and which rows are defined; those of the entries besides."""
        rows, inputs = self.rows, _inputs(self.rows)
        entries = [i for i in inputs if _is_entry(rows, i)]
        lower, upper = (ends.copy() for ends in self.measured)
        lower[entries] = upper[entries] = self.middles[entries]
        at = evaluate(gradient(rows.tape), *rows.with_box(self.centre, self.centre, lower, upper))
        shift = above_sum(np.full(rows.count, epsilon), slack)
        value = self._signed(at.lower[0], at.upper[0])
        self.low[0] = np.nextafter(value[0] - shift, -np.inf)
        self.high[0] = np.nextafter(value[1] - epsilon, np.inf)
        for i in inputs:
            self._linear(i, *self._signed(at.lower[1 + i], at.upper[1 + i]))
        defined = np.asarray(at.defined)
        over = self.curves.over(*self.measured)
        if over is not None:
            defined = defined & over.defined
            for k, (i, j) in enumerate(self.curves.pairs):
                self._quadratic(i, j, *self._signed(over.lower[k], over.upper[k]))
        finite = np.isfinite(self.low).all(axis=0) & np.isfinite(self.high).all(axis=0)
        return self.low, self.high, defined & finite & self._finite_entries()

    def _signed(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        return (low, high) if self.side > 0 else (-high, -low)

    def _finite_entries(self) -> Flags:
        found = np.ones(self.rows.count, dtype=np.bool_)
        for ends in self.of_entries:
            found &= np.isfinite(ends).reshape(-1, self.rows.count).all(axis=0)
        return found

    def _linear(self, i: int, least: Floats, most: Floats) -> None:
        low, high = scaled(least, most, self.radius[i])
        if _is_entry(self.rows, i):
            self._add(*self.of_linear, self.slots[self.rows.shared[i]], low, high)
        else:
            self._add(self.low, self.high, self.index[(self.rows.unknowns[i],)], low, high)

    def _quadratic(self, i: int, j: int, least: Floats, most: Floats) -> None:
        rows = self.rows
        low, high = scaled(least, most, self.radius[i] * self.radius[j])
        first, second = sorted((i, j), key=lambda one: not _is_entry(rows, one))
        if not _is_entry(rows, first):
            self._add(self.low, self.high, self.index[_monomial(rows, i, j)], low, high)
        elif _is_entry(rows, second):
            slots = tuple(sorted((self.slots[rows.shared[first]], self.slots[rows.shared[second]])))
            self._add(*self.of_square, slots, low, high)
        else:
            place = self.slots[rows.shared[first]], self.index[(rows.unknowns[second],)] - 1
            self._add(*self.of_cross, place, low, high)

    @staticmethod
    def _add(lower: Floats, upper: Floats, place: int | tuple[int, ...], least: Floats, most: Floats) -> None:
        lower[place] = np.nextafter(lower[place] + least, -np.inf)
        upper[place] = np.nextafter(upper[place] + most, np.inf)
