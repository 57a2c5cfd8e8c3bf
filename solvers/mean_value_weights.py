"""Combinations of the mean value forms of a system's rows that refute a box, or a part of it; floats that choose and
prove nothing.

With J enclosing the derivatives over a prepared box and c its centre, every zero in it solves 0 = y . f(c) + (y . J) (x
- c) for any weights y and some choice from J. A box of offsets x - c over which the right side is positive holds no
zero. The best y are dual to a linear program in x - c, in which each row gives its middle slopes and a slack. (J is the
whole derivative: slopes from the centre are narrower, but no rule of a certificate knows them.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from contractors.equations import Equations
from contractors.evaluation import Flags, Floats
from contractors.narrowing import Aggregate, RowTerm
from solvers.simplex import Simplex

BITS = (1, 2, 3, 5, 8, 12, 20, 52)  # of a weight
DOUBT = 1e-9  # of the terms of a sum: more than rounding may have done


@dataclass(frozen=True, slots=True)
class Forms:
    """Mean value forms of a batch: rows (batch, row) at the centre and derivatives (batch, row, variable) over the
    boxes.
    """

    value_low: Floats
    value_high: Floats
    slope_low: Floats
    slope_high: Floats
    usable: Flags

    @staticmethod
    def of(equations: Equations, low: Floats, high: Floats) -> Forms:
        """Of boxes (variable, batch); zeros where rows or derivatives are not defined."""
        centre = 0.5 * low + 0.5 * high
        slope_low, slope_high, known = equations.slopes(low, high)
        values = equations.values(centre, centre)
        usable = known & values.defined & np.isfinite(values.lower).all(axis=0) & np.isfinite(values.upper).all(axis=0)
        slopes = [np.ascontiguousarray(np.moveaxis(np.where(usable, s, 0.0), -1, 0)) for s in (slope_low, slope_high)]
        ends = [np.where(usable, f, 0.0).T.copy() for f in (values.lower, values.upper)]
        return Forms(ends[0], ends[1], slopes[0], slopes[1], np.asarray(usable))

    def take(self, k: int) -> Forms:
        """One box."""
        one = slice(k, k + 1)
        return Forms(self.value_low[one], self.value_high[one], self.slope_low[one], self.slope_high[one], self.usable[one])


@dataclass(frozen=True, slots=True)
class _Sums:
    """For each choice of weights: the value at the centre, the slopes, the least term of each variable, a bound of
    rounding.
    """

    value: Floats
    slope_low: Floats
    slope_high: Floats
    least: Floats
    doubt: Floats

    @property
    def positive(self) -> Flags:
        """Which of them refute the box."""
        return np.asarray(self.value + self.least.sum(axis=-1) > self.doubt)


def _sums(y: Floats, forms: Forms, low: Floats, high: Floats) -> _Sums:
    """Weights y (batch, choice, row) over boxes of offsets (batch, variable)."""
    plus, minus = np.maximum(y, 0.0), np.minimum(y, 0.0)
    slope_low, slope_high = plus @ forms.slope_low + minus @ forms.slope_high, plus @ forms.slope_high + minus @ forms.slope_low
    value = (plus @ forms.value_low[..., None] + minus @ forms.value_high[..., None])[..., 0]
    a, b = low[:, None, :], high[:, None, :]
    least = np.minimum(np.minimum(slope_low * a, slope_low * b), np.minimum(slope_high * a, slope_high * b))
    size = np.abs(y) @ np.maximum(np.abs(forms.slope_low), np.abs(forms.slope_high)) * np.maximum(np.abs(a), np.abs(b))
    spread = size.sum(axis=-1) + (np.abs(y) @ np.maximum(np.abs(forms.value_low), np.abs(forms.value_high))[..., None])[..., 0]
    return _Sums(value, slope_low, slope_high, least, DOUBT * spread)


def refuting(y: Floats, forms: Forms, low: Floats, high: Floats) -> Flags:
    """Which choices of weights (choice, row) refute one box of offsets."""
    return np.asarray(_sums(y[None], forms, low[None], high[None]).positive[0])


def weights(forms: Forms, radius: Floats) -> Floats:
    """Weights (batch, 2 variables + 1, row): of the least and the greatest offset of each variable, and of a refutation
    (last).
    """
    middle, spread = 0.5 * (forms.slope_low + forms.slope_high), 0.5 * (forms.slope_high - forms.slope_low)
    batch, rows, variables = middle.shape
    matrix, bound = np.empty((batch, 2 * rows, variables)), np.empty((batch, 2 * rows))
    matrix[:, ::2], matrix[:, 1::2] = middle, -middle
    shift, slack = (middle @ radius[..., None])[..., 0], (spread @ radius[..., None])[..., 0]
    bound[:, ::2], bound[:, 1::2] = -forms.value_low + shift + slack, forms.value_high - shift + slack
    answer = Simplex().multipliers(matrix, bound, 2.0 * radius, forms.usable)
    return np.asarray(answer[..., ::2] - answer[..., 1::2])


def ranges(y: Floats, forms: Forms, radius: Floats) -> tuple[Flags, Floats, Floats]:
    """Which boxes (batch) the weights refute, and the offsets (batch, variable) between which all zeros lie.

    The weights of a variable's least offset refute the slab from the lower face as far as their sum stays positive.
    """
    sums = _sums(y, forms, -radius, radius)
    low, high = -radius, radius.copy()
    for j in range(radius.shape[1]):
        for side, k in ((1.0, 2 * j), (-1.0, 2 * j + 1)):
            base = sums.value[:, k] + sums.least[:, k].sum(axis=-1) - sums.least[:, k, j] - sums.doubt[:, k]
            ends = (sums.slope_low[:, k, j], sums.slope_high[:, k, j])
            p, q = ends if side > 0.0 else (-ends[1], -ends[0])
            begins = (base + np.minimum(-p * radius[:, j], -q * radius[:, j]) > 0.0) & forms.usable
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                reach = np.where(base > 0.0, np.where(p < 0.0, base / -p, np.inf), np.where(q < 0.0, base / -q, np.inf))
            reach = np.where(begins, np.clip(reach, -radius[:, j], radius[:, j]), -radius[:, j])
            if side > 0.0:
                low[:, j] = np.maximum(low[:, j], reach)
            else:
                high[:, j] = np.minimum(high[:, j], -reach)
    refuted = (sums.positive.any(axis=1) & forms.usable) | ((low >= high) & (radius > 0.0)).any(axis=1)
    return np.asarray(refuted), low, high


def shortened(y: Floats, forms: Forms, low: Floats, high: Floats) -> Floats | None:
    """Weights of few rows and few digits that still refute the box of offsets; None if these never did."""
    if not refuting(y[None], forms, low, high)[0]:
        return None
    reach = np.maximum(np.abs(low), np.abs(high))
    size = np.abs(y) * (np.maximum(np.abs(forms.slope_low[0]), np.abs(forms.slope_high[0])) @ reach + np.abs(forms.value_low[0]))
    order = np.argsort(size, kind="stable")
    fewer = np.repeat(y[None], y.size, axis=0)
    for dropped in range(y.size):
        fewer[dropped:, order[:dropped]] = 0.0
    y = fewer[np.flatnonzero(refuting(fewer, forms, low, high))[-1]]
    mantissa, exponent = np.frexp(y)
    short = np.array([np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits) for bits in BITS])
    good = np.flatnonzero(refuting(short, forms, low, high))
    return np.asarray(short[good[0]] if good.size else y)


def as_reason(y: Floats) -> Aggregate:
    """The weights as a sum of terms of a certificate; multiplied by a power of 2 that makes the shortest of them a
    whole number.
    """
    power = min(math.frexp(v)[1] - _bits(v) for v in y if v)
    terms = ((i, math.ldexp(float(v), -power)) for i, v in enumerate(y) if v)
    return Aggregate(tuple(RowTerm("m", i, 0, 1 if v > 0.0 else -1, abs(v)) for i, v in terms), ())


def _bits(value: float) -> int:
    """Of the odd part of the mantissa."""
    numerator = abs(value.as_integer_ratio()[0])
    return (numerator // (numerator & -numerator)).bit_length()
