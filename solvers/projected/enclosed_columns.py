"""Columns of a model over boxes of its other parameters, enclosed: values at the middle, slopes there, and second
derivatives over the box, by outward-rounded arithmetic.

A column that holds a factor exp(u) is divided by exp(u_m), u_m its exponent at one observation m, and by all factors
that no measurement enters: what it is multiplied with is free, so that the same vectors come out, and exp(u - u_m) does
not overflow. Columns that are left as they are serve where bounds of the linear parameters matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats, Ranges, evaluate
from certify.contractors.tape.tape import Builder, Operation, Tape, replay
from certify.problems.model_fits.columns import Columns, Monomial

Pair = tuple[Floats, Floats]  # middles and radii
TINY = 1e-300
CLEARED = 0.8  # a divisor that varies more is cleared


def each(change: Callable[..., Floats], *pairs: Pair) -> Pair:
    """The same of middles and of radii."""
    return change(*(pair[0] for pair in pairs)), change(*(pair[1] for pair in pairs))


@dataclass(frozen=True)
class Taylor:
    """Middles and radii of N boxes' columns, the last one what is left of the row without them: values at the middle of
    the box (N, K, q), slopes there (N, d, K, q), second derivatives over the box (N, d, d, K, q), where the rows are
    `smooth` (N, K), twice differentiable on all of the box. Elsewhere the values are those over the box.
    """

    value: Pair
    slope: Pair
    curve: Pair
    smooth: NDArray[np.bool_]


@dataclass(frozen=True)
class _Tapes:
    """Columns, their slopes and curves with the (column, input ...) of each output, exponents that are taken out."""

    value: Tape
    slope: Tape
    slopes: list[tuple[int, ...]]
    curve: Tape
    curves: list[tuple[int, ...]]
    exponents: Tape


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
    def _tapes(self) -> _Tapes:
        node = self.columns.cleared if self.cleared else self.columns.column
        whole = self.columns.builder.tape(tuple(node(m) for m in (*self.monomials, ())))
        writer = _Writer(whole, set(self.others), len(self.monomials) if self.free else 0)
        value = writer.builder.tape(tuple(writer.outputs))
        places = {i: k for k, i in enumerate(self.others)}
        slope, slopes = _derived(value, [(k,) for k in range(len(writer.outputs))], places)
        curve, curves = _derived(slope, slopes, places)
        return _Tapes(value, slope, slopes, curve, curves, writer.builder.tape(tuple(writer.exponents)))

    def taylor(self, lower: Floats, upper: Floats) -> Taylor:
        """Of boxes (N, d)."""
        tapes, count, size, n = self._tapes, len(lower), len(self.others), self.rows.count
        middle = 0.5 * (lower + upper)
        references = self._references(middle)
        at, over = self._inputs(middle, middle, references), self._inputs(lower, upper, references)
        here, slopes_here = evaluate(tapes.value, *at), evaluate(tapes.slope, *at)
        whole, slopes, curves = (evaluate(tape, *over) for tape in (tapes.value, tapes.slope, tapes.curve))
        smooth = here.defined & slopes_here.defined & whole.defined & slopes.defined & curves.defined
        q = len(self.monomials) + 1
        value, natural = (_rows(ranges, (count, n)) for ranges in (here, whole))
        curve = _spread(tapes.curves, curves, smooth, (count, n), (size, size, q))
        narrow = smooth.reshape(count, n) & _nearer(curve, value, natural, 0.5 * (upper - lower))
        slope = _spread(tapes.slopes, slopes_here, smooth, (count, n), (size, q))
        return Taylor(
            _chosen(narrow, value, natural, 0),
            _chosen(narrow, slope, each(np.zeros_like, slope), 1),
            _chosen(narrow, curve, each(np.zeros_like, curve), 2),
            narrow,
        )

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

    def _references(self, middle: Floats) -> NDArray[np.int64]:
        """For each column and box the observation with the largest exponent, by estimate."""
        none = np.zeros((len(self.monomials) + 1, len(middle)), dtype=np.int64)
        found = evaluate(self._tapes.exponents, *self._inputs(middle, middle, none)).estimated_middle
        return np.asarray(found.reshape(*none.shape, self.rows.count).argmax(axis=2))

    def _inputs(self, lower: Floats, upper: Floats, references: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Inputs of the tapes for boxes times observations; behind them, for each column, those of its reference."""
        n, inputs = self.rows.count, self.rows.tape.inputs
        sides = []
        for ends, given in ((lower, self.rows.lower), (upper, self.rows.upper)):
            whole = np.zeros(((len(references) + 1) * (inputs + 1), len(lower), n))
            whole[:inputs] = given[:, None, :]
            for k, reference in enumerate(references, 1):
                first = k * (inputs + 1)
                whole[first : first + inputs] = given[:, reference, None]
                whole[first + inputs] = np.arange(n) != reference[:, None]
            for k, i in enumerate(self.others):
                whole[i] = ends[:, k, None]
            sides.append(whole.reshape(len(whole), -1))
        return sides[0], sides[1]


class _Writer:
    """Writes the columns of a tape, the first `free` of them divided by what may be."""

    def __init__(self, whole: Tape, others: set[int], free: int) -> None:
        self._whole, self._others = whole, others
        self.builder = Builder((whole.inputs + 1) * (len(whole.outputs) + 1))
        self._nodes = replay(whole, self.builder, list(range(whole.inputs)))
        self._measured = _measured(whole, others)
        self.outputs: list[int] = []
        self.exponents: list[int] = []
        for k, output in enumerate(whole.outputs):
            self._write(k, output, k < free)

    def _write(self, k: int, output: int, free: bool) -> None:
        one, zero, builder = self.builder.constant(1), self.builder.constant(0), self.builder
        if not free:
            self.outputs.append(self._nodes[output])
            self.exponents.append(zero)
            return
        node, here, _there = one, zero, zero
        first = (k + 1) * (self._whole.inputs + 1)
        inputs = [i if i in self._others else first + i for i in range(self._whole.inputs)]
        again = replay(self._whole, builder, inputs)
        difference = zero
        for factor, times, _ in _factors(self._whole, output):
            operation, operand = (
                self._whole.steps[factor - self._whole.inputs][:2] if factor >= self._whole.inputs else (None, -1)
            )
            if not self._measured[factor]:
                continue
            if operation is Operation.EXP:
                one_here, one_apart = self._exponent(operand, again)
                join = builder.add if times else builder.sub
                here, difference = join(here, one_here), join(difference, one_apart)
            else:
                node = (builder.mul if times else builder.div)(node, self._nodes[factor])
        if here != zero:
            apart = first + self._whole.inputs  # 0 at the reference itself, where nothing is to be enclosed, else 1
            node = builder.mul(node, builder.function(Operation.EXP, builder.mul(apart, difference)))
        self.outputs.append(node)
        self.exponents.append(here)

    def _exponent(self, node: int, again: list[int]) -> tuple[int, int]:
        """An exponent, and by how much it exceeds that of the reference: what no measurement enters is a factor."""
        builder, positive = self.builder, True
        common, here, there = builder.constant(1), builder.constant(1), builder.constant(1)
        for factor, times, sign in _factors(self._whole, node):
            join = builder.mul if times else builder.div
            positive = positive == sign
            if self._measured[factor]:
                here, there = join(here, self._nodes[factor]), join(there, again[factor])
            else:
                common = join(common, self._nodes[factor])
        if not positive:
            common = builder.neg(common)
        return builder.mul(common, here), builder.mul(common, builder.sub(here, there))


def _factors(tape: Tape, node: int, times: bool = True, positive: bool = True) -> list[tuple[int, bool, bool]]:
    """The factors of a node, whether it is multiplied with them or divided by them, and the sign of each."""
    if node >= tape.inputs:
        operation, first, second, _ = tape.steps[node - tape.inputs]
        if operation is Operation.NEG:
            (head, how, sign), *rest = _factors(tape, first, times, positive)
            return [(head, how, not sign), *rest]
        if operation is Operation.SQR:
            found = [(one, how, True) for one, how, _ in _factors(tape, first, times)]
            return found + found if len(found) > 1 else [(node, times, positive)]
        if operation in (Operation.MUL, Operation.DIV):
            return [
                *_factors(tape, first, times, positive),
                *_factors(tape, second, times == (operation is Operation.MUL)),
            ]
    return [(node, times, positive)]


def _measured(tape: Tape, others: set[int]) -> list[bool]:
    """Which nodes depend on anything but these inputs."""
    found = [i not in others for i in range(tape.inputs)]
    for step in tape.steps:
        found.append(any(found[k] for k in (step.first, step.second) if k >= 0))
    return found


def _derived(tape: Tape, names: list[tuple[int, ...]], places: dict[int, int]) -> tuple[Tape, list[tuple[int, ...]]]:
    """The derivatives of a tape in the inputs that have places, and what each is the derivative of."""
    if not tape.outputs:
        return tape, []
    whole, found = jacobian(tape)
    kept = [
        (output, names[row], i) for output, (row, i) in zip(whole.outputs, found.tolist(), strict=True) if i in places
    ]
    builder = Builder(whole.inputs)
    nodes = replay(whole, builder, list(range(whole.inputs)))
    return builder.tape(tuple(nodes[output] for output, _, _ in kept)), [(*name, places[i]) for _, name, i in kept]


def _spread(
    names: list[tuple[int, ...]],
    ranges: Ranges,
    smooth: NDArray[np.bool_],
    shape: tuple[int, int],
    sizes: tuple[int, ...],
) -> Pair:
    """Middles and radii (N, ..., K, q) of derivatives, 0 where rows are not smooth."""
    *axes, q = sizes
    sides = tuple(np.zeros((shape[0], *axes, shape[1], q)) for _ in range(2))
    for name, low, high in zip(names, ranges.lower, ranges.upper, strict=True):
        column, *places = name
        for side, found in zip(sides, _middles(np.where(smooth, low, 0.0), np.where(smooth, high, 0.0)), strict=True):
            where: Any = (slice(None), *places, slice(None), column)
            side[where] = found.reshape(shape)
    return sides[0], sides[1]


def _rows(ranges: Ranges, shape: tuple[int, int]) -> Pair:
    """Middles and radii (N, K, q) of a tape's outputs."""
    middles = _middles(ranges.lower, ranges.upper)
    return each(lambda side: np.moveaxis(side.reshape(-1, *shape), 0, 2), middles)


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


def _middles(lower: Floats, upper: Floats) -> Pair:
    """Middles and radii; the radius is infinite where an end is."""
    with np.errstate(all="ignore"):
        middle = 0.5 * (lower + upper)
        radius = np.nextafter(np.maximum(upper - middle, middle - lower), np.inf)
    fine = np.isfinite(middle) & np.isfinite(radius)
    return np.where(fine, middle, 0.0), np.where(lower == upper, 0.0, np.where(fine, radius, np.inf))
