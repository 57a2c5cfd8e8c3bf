"""Combinations of a system's rows, expanded about the centre of a box, that refute the box or a part of it; floats that
choose and prove nothing.

With c the centre of a prepared box and d = x - c, a row that is a polynomial of second degree is f(c) + f'(c) d + sum
h_ij d_i d_j exactly. Any other, *curved* row lies in f(c) + J d, with J enclosing the derivatives over the box, and in
f(c) + f'(c) d + sum H_ij d_i d_j, with H from the second derivatives. (J is the whole derivative: slopes from the
centre are narrower, but no rule of a certificate knows them.) So every zero solves 0 = y . f(c) + sum_m (y . A_m) m for
any weights y of these expansions, where the *monomials* m are the d_i and the d_i d_j, and A_m is thin or some choice
from J or H. A box of offsets over which the right side, monomial by monomial, is positive holds no zero. The best y are
dual to a linear program in the monomials, in which each expansion gives its middle coefficients and a slack: terms that
rows have in common cancel. For each d_i d_j the program also knows the products of the distances to two faces of the
box.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Aggregate, ProductTerm, RowTerm
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.linear_programs.simplex import Simplex
from certify.solvers.weights.second_order import SecondOrder

BITS = (1, 2, 3, 5, 8, 12, 20, 52)  # of a weight
DOUBT = 1e-9  # of the terms of a sum: more than rounding may have done


@dataclass(frozen=True, slots=True)
class Forms:
    """The expansions of a batch: rows (batch, row) at the centre and coefficients (batch, row, monomial), the
    variables' first: the equations, the curved ones of these once more by their second derivatives and once more with
    enclosed terms, and products of distances, whose weights are >= 0.
    """

    value_low: Floats
    value_high: Floats
    slope_low: Floats
    slope_high: Floats
    second: SecondOrder
    usable: Flags
    equations: int  # and expansions of such

    @property
    def pairs(self) -> NDArray[np.int64]:
        """The monomials of second degree."""
        return self.second.pairs

    @staticmethod
    def of(equations: Equations, second: SecondOrder, low: Floats, high: Floats) -> Forms:
        """Of boxes (variable, batch); zeros where rows or derivatives are not defined."""
        centre = 0.5 * low + 0.5 * high
        slope_low, slope_high, known = equations.slopes(low, high)
        values = equations.values(centre, centre)
        usable = known & values.defined & np.isfinite(values.lower).all(axis=0) & np.isfinite(values.upper).all(axis=0)
        *curvature, smooth = second.curvature(low, high)
        slopes, ends = [], []
        at_centre = equations.slopes(centre, centre)[:2]
        for value, wide, thin, curves in zip(
            (values.lower, values.upper), (slope_low, slope_high), at_centre, curvature, strict=True
        ):
            at, over = (np.moveaxis(np.where(usable, slope, 0.0), -1, 0) for slope in (thin, wide))
            first = np.concatenate(
                (np.where(second.rows[:, None], at, over), np.where(smooth[..., None], at[:, second.curved], 0.0)),
                axis=1,
            )
            exact = np.broadcast_to(second.coefficients, (low.shape[1], *second.coefficients.shape))
            slopes.append(np.concatenate((first, np.concatenate((exact, curves), axis=1)), axis=2))
            f = np.where(usable, value, 0.0).T
            ends.append(np.concatenate((f, np.where(smooth, f[:, second.curved], 0.0)), axis=1))
        values_of, slopes_of = _enclosed(second, low, high)
        ends = [np.concatenate(pair, axis=1) for pair in zip(ends, values_of, strict=True)]
        slopes = [np.concatenate(pair, axis=1) for pair in zip(slopes, slopes_of, strict=True)]
        plain = Forms(ends[0], ends[1], slopes[0], slopes[1], second, np.asarray(usable), ends[0].shape[1])
        return plain._with_products((0.5 * (high - low)).T) if second.products.size else plain

    def _with_products(self, radius: Floats) -> Forms:
        """Further rows: minus the product of the distances to two faces, for each pair; on the box they are <= 0."""
        i, si, j, sj = self.second.products.T
        batch, count, n = radius.shape[0], i.size, radius.shape[1]
        a, b, rows = radius[:, i], radius[:, j], np.arange(count)
        value = np.concatenate((self.value_low, -a * b), axis=1), np.concatenate((self.value_high, -a * b), axis=1)
        slope = np.zeros((batch, count, self.slope_low.shape[2]))
        slope[:, rows, i] += si * b
        slope[:, rows, j] += sj * a
        slope[:, rows, n + self.second.places] = -si * sj
        slopes = [np.concatenate((ends, slope), axis=1) for ends in (self.slope_low, self.slope_high)]
        return Forms(*value, slopes[0], slopes[1], self.second, self.usable, self.equations)

    def take(self, k: int) -> Forms:
        """One box."""
        one = slice(k, k + 1)
        ends = (self.value_low[one], self.value_high[one], self.slope_low[one], self.slope_high[one])
        return Forms(*ends, self.second, self.usable[one], self.equations)

    def only(self, rows: NDArray[np.int64]) -> Forms:
        """Some of the rows."""
        ends = (self.value_low[:, rows], self.value_high[:, rows], self.slope_low[:, rows], self.slope_high[:, rows])
        return Forms(*ends, self.second, self.usable, int((rows < self.equations).sum()))

    def monomials(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """The ranges (batch, monomial) over boxes of offsets (batch, variable)."""
        if not self.pairs.size:
            return low, high
        i, j = self.pairs.T
        a, b = low[:, i], high[:, i]
        products = np.stack((a * low[:, j], a * high[:, j], b * low[:, j], b * high[:, j]))
        least = np.where((i == j) & (a <= 0.0) & (b >= 0.0), 0.0, products.min(axis=0))
        return np.concatenate((low, np.where(i == j, np.maximum(least, 0.0), least)), axis=1), np.concatenate(
            (high, products.max(axis=0)), axis=1
        )


def _enclosed(second: SecondOrder, low: Floats, high: Floats) -> tuple[list[Floats], list[Floats]]:
    """Both ends of the rows with enclosed terms, (batch, row), and of their coefficients, (batch, row, monomial); zeros
    where they are not known.
    """
    values, slopes, curves, known = second.enclosed.expanded(low, high)
    places = [second.place(i, j) for _, i, j in second.enclosed.entries.tolist()]
    ends, coefficients = [], []
    for value, slope, curve in zip(values, slopes, curves, strict=True):
        pairs = np.zeros((low.shape[1], second.enclosed.rows.size, len(second.pairs)))
        pairs[:, second.enclosed.entries[:, 0], places] = curve.T
        ends.append(np.where(known[:, None], value.T, 0.0))
        whole = np.concatenate((np.moveaxis(slope, -1, 0), pairs), axis=2)
        coefficients.append(np.where(known[:, None, None], whole, 0.0))
    return ends, coefficients


@dataclass(frozen=True, slots=True)
class _Sums:
    """For each choice of weights: the value at the centre, the coefficients, the least term of each monomial, a bound
    of rounding.
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
    slope_low, slope_high = (
        plus @ forms.slope_low + minus @ forms.slope_high,
        plus @ forms.slope_high + minus @ forms.slope_low,
    )
    value = (plus @ forms.value_low[..., None] + minus @ forms.value_high[..., None])[..., 0]
    a, b = (ends[:, None, :] for ends in forms.monomials(low, high))
    least = np.minimum(np.minimum(slope_low * a, slope_low * b), np.minimum(slope_high * a, slope_high * b))
    size = np.abs(y) @ np.maximum(np.abs(forms.slope_low), np.abs(forms.slope_high)) * np.maximum(np.abs(a), np.abs(b))
    spread = (
        size.sum(axis=-1)
        + (np.abs(y) @ np.maximum(np.abs(forms.value_low), np.abs(forms.value_high))[..., None])[..., 0]
    )
    return _Sums(value, slope_low, slope_high, least, DOUBT * spread)


def refuting(y: Floats, forms: Forms, low: Floats, high: Floats) -> Flags:
    """Which choices of weights (choice, row) refute one box of offsets."""
    return np.asarray(_sums(y[None], forms, low[None], high[None]).positive[0])


def weights(forms: Forms, radius: Floats) -> Floats:
    """Weights (batch, 2 variables + 1, row): of the least and the greatest offset of each variable, and of a refutation
    (last).
    """
    middle, spread = 0.5 * (forms.slope_low + forms.slope_high), 0.5 * (forms.slope_high - forms.slope_low)
    batch, rows, monomials = middle.shape
    low, high = forms.monomials(-radius, radius)
    e = forms.equations
    matrix, bound = np.empty((batch, rows + e, monomials)), np.empty((batch, rows + e))
    matrix[:, :rows], matrix[:, rows:] = middle, -middle[:, :e]
    shift, slack = (
        -(middle @ low[..., None])[..., 0],
        (spread @ np.maximum(np.abs(low), np.abs(high))[..., None])[..., 0],
    )
    bound[:, :rows], bound[:, rows:] = -forms.value_low + shift + slack, (forms.value_high - shift + slack)[:, :e]
    barred = np.concatenate((forms.second.barred[0], np.zeros(rows - e, dtype=np.bool_), forms.second.barred[1]))
    matrix[:, barred], bound[:, barred] = 0.0, 1.0
    answer = Simplex().multipliers(matrix, bound, high - low, forms.usable, radius.shape[1])
    answer[..., :e] -= answer[..., rows:]
    return np.asarray(answer[..., :rows])


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
    used, whole = np.flatnonzero(y), np.zeros(y.size)
    forms, y = forms.only(used), y[used]
    reach = np.maximum(*(np.abs(ends[0]) for ends in forms.monomials(low[None], high[None])))
    size = np.abs(y) * (
        np.maximum(np.abs(forms.slope_low[0]), np.abs(forms.slope_high[0])) @ reach + np.abs(forms.value_low[0])
    )
    order = np.argsort(size, kind="stable")
    fewer = np.repeat(y[None], y.size, axis=0)
    for dropped in range(y.size):
        fewer[dropped:, order[:dropped]] = 0.0
    y = fewer[np.flatnonzero(refuting(fewer, forms, low, high))[-1]]
    mantissa, exponent = np.frexp(y)
    short = np.array([np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits) for bits in BITS])
    good = np.flatnonzero(refuting(short, forms, low, high))
    whole[used] = short[good[0]] if good.size else y
    return whole


def as_reason(y: Floats, second: SecondOrder) -> Aggregate:
    """The weights as a sum of terms of a certificate; multiplied by a power of 2 that makes the shortest of them a
    whole number.
    """
    power = min(math.frexp(v)[1] - _bits(v) for v in y if v)
    terms = [(i, math.ldexp(float(v), -power)) for i, v in enumerate(y) if v]
    expanded = [("q" if exact else "m", row) for row, exact in enumerate(second.rows.tolist())]
    expanded += [
        (form, row) for form, rows in (("t", second.curved), ("q", second.enclosed.rows)) for row in rows.tolist()
    ]
    signed = ((*second.products[k - len(expanded)].tolist(), v) for k, v in terms if k >= len(expanded))
    products = tuple(ProductTerm(i, s, j, t, v) for i, s, j, t, v in signed)
    return Aggregate(
        tuple(
            RowTerm(expanded[k][0], expanded[k][1], 0, 1 if v > 0.0 else -1, abs(v))
            for k, v in terms
            if k < len(expanded)
        ),
        products,
    )


def _bits(value: float) -> int:
    """Of the odd part of the mantissa."""
    numerator = abs(value.as_integer_ratio()[0])
    return (numerator // (numerator & -numerator)).bit_length()
