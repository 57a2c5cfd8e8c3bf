"""Combinations of a system's rows, expanded about the centre of a box, that refute the box or a part of it; floats that
choose and prove nothing.

With c the centre of a prepared box and d = x - c, a row that is a polynomial of second degree is f(c) + f'(c) d + sum
h_ij d_i d_j exactly. Any other, *curved* row lies in f(c) + J d, with J enclosing the derivatives over the box, in
f(c) + f'(c) d + sum H_ij d_i d_j, with H from the second derivatives, and, where it is a polynomial in which some terms
are enclosed, in that (`row_forms`). (J is the whole derivative: slopes from the centre are narrower, but no rule of a
certificate knows them.) So every zero solves 0 = y . f(c) + sum_m (y . A_m) m for any weights y of these expansions,
where the *monomials* m are the d_i and the d_i d_j, and A_m is thin or some choice from J or H. A box of offsets over
which the right side, monomial by monomial, is positive holds no zero. The best y are dual to a linear program in the
monomials, in which each expansion gives its middle coefficients and a slack: terms that rows have in common cancel. For
each d_i d_j the program also knows the products of the distances to two faces of the box.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, ProductTerm, RowTerm
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.linear_programs.simplex import Simplex
from certify.solvers.proof.proof_tree import Weighted
from certify.solvers.weights.row_forms import expand, fixed_coefficients
from certify.solvers.weights.row_tapes import Integers, RowTapes

MOST_PRODUCTS = 150  # more rows make the programs dearer than they are worth
EACH = 3  # of so many for each variable there are not too many: a large system whose rows read squares needs them
SIGNS = ((1, 1), (1, -1), (-1, -1), (-1, 1))  # of the two faces; a variable with itself has three
VAGUE = 1e-11  # of a coefficient
NEAR = 1e-5  # half-widths of less than this share of the centre are rounded noticeably


@dataclass(frozen=True, slots=True, eq=False)
class Expansions:
    """Which expansions the rows of a system have: each row's own (`q` where it is exact, else `m`), then those of
    curved rows by their second derivatives, then those with enclosed terms, then products of distances.
    """

    rows: RowTapes
    fixed: Floats  # the coefficients of pairs in exact rows
    forms: tuple[tuple[str, int], ...]  # the form and the row of each expansion
    tangent: Integers  # of each row, where its expansion by second derivatives is
    enclosed: Integers  # and that with enclosed terms
    products: Integers  # (product, 4): i, its sign, j, its sign
    places: Integers  # of the pair of each product
    barred: Flags  # (2, expansion): no positive (negative) weights, as values above (below) 0 are allowed
    sharp: Flags  # (expansion or product): a checker forms the same numbers, but for rounding

    @staticmethod
    def of(equations: Equations) -> Expansions:
        """Of the rows of a system."""
        rows = RowTapes.of(equations)
        low, high = fixed_coefficients(rows)
        middle = 0.5 * (low + high)
        count = rows.exact.size
        vague = np.zeros(count, dtype=np.bool_)
        owner = np.repeat(np.arange(count), np.diff(rows.bends))
        vague[owner[0.5 * (high - low) > VAGUE * np.abs(middle)]] = True
        curved, mixed = np.flatnonzero(~rows.exact), np.flatnonzero(rows.polynomial & ~rows.exact)
        tangent, enclosed = np.full(count, -1), np.full(count, -1)
        tangent[curved], enclosed[mixed] = count + np.arange(curved.size), count + curved.size + np.arange(mixed.size)
        forms = [("q" if exact else "m", row) for row, exact in enumerate(rows.exact.tolist())]
        forms += [("t", row) for row in curved.tolist()] + [("q", row) for row in mixed.tolist()]
        pairs = enumerate(rows.every.tolist())
        products = [(a, s, b, t, k) for k, (a, b) in pairs for s, t in SIGNS[: 3 if a == b else 4]]
        few = len(products) <= max(MOST_PRODUCTS, EACH * equations.variables)
        found = np.array(products if few else [], dtype=np.int64).reshape(-1, 5)
        allowed = np.stack((equations.upper > 0.0, equations.lower < 0.0))
        barred = allowed[:, [row for _, row in forms]]
        sharp = np.append(~vague[[row for _, row in forms]], np.ones(len(found), dtype=np.bool_))
        return Expansions(rows, middle, tuple(forms), tangent, enclosed, found[:, :4], found[:, 4], barred, sharp)


@dataclass(frozen=True, slots=True)
class Forms:
    """The expansions of a batch: rows (batch, row) at the centre and coefficients (batch, row, monomial), the
    variables' first; the weights of products, which come last, are >= 0.
    """

    value_low: Floats
    value_high: Floats
    slope_low: Floats
    slope_high: Floats
    expansions: Expansions
    usable: Flags
    equations: int  # and expansions of such

    @property
    def pairs(self) -> Integers:
        """The monomials of second degree."""
        return self.expansions.rows.every

    @staticmethod
    def of(expansions: Expansions, low: Floats, high: Floats) -> Forms:
        """Of boxes (variable, batch); zeros where rows or derivatives are not defined."""
        count = len(expansions.forms)
        size = count + len(expansions.products)
        found = expand(expansions.rows, expansions.fixed, expansions.tangent, expansions.enclosed, size, low, high)
        _put_products(expansions, count, 0.5 * (high - low).T, *found)
        usable: Flags = np.asarray(np.isfinite(high - low).all(axis=0))
        return Forms(*found, expansions, usable, count)

    def sure(self, low: Floats, high: Floats) -> Flags:
        """In which boxes (variable, batch) offsets from the centre are exact, or as good."""
        total = low + high
        other = total - low
        exact = (low - (total - other)) + (high - other) == 0.0
        return np.asarray((exact | (0.5 * (high - low) >= NEAR * np.abs(total))).all(axis=0))

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


def _put_products(
    expansions: Expansions, first: int, radius: Floats, value_low: Floats, value_high: Floats, slope_low: Floats,
    slope_high: Floats,
) -> None:  # fmt: skip
    """Further rows: minus the product of the distances to two faces, for each pair; on the box they are <= 0."""
    i, si, j, sj = expansions.products.T
    a, b, rows = radius[:, i], radius[:, j], first + np.arange(i.size)
    for value, slope in ((value_low, slope_low), (value_high, slope_high)):
        value[:, rows] = -a * b
        slope[:, rows, i] += si * b
        slope[:, rows, j] += sj * a
        slope[:, rows, radius.shape[1] + expansions.places] = -si * sj


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
    barred = np.concatenate(
        (forms.expansions.barred[0], np.zeros(rows - e, dtype=np.bool_), forms.expansions.barred[1])
    )
    matrix[:, barred], bound[:, barred] = 0.0, 1.0
    answer = Simplex().multipliers(matrix, bound, high - low, forms.usable, radius.shape[1])
    answer[..., :e] -= answer[..., rows:]
    return np.asarray(answer[..., :rows])


def as_reason(weighted: Weighted, expansions: Expansions) -> Aggregate:
    """The weights as a sum of terms of a certificate; multiplied by a power of 2 that makes the shortest of them a
    whole number.
    """
    power = min(math.frexp(v)[1] - _bits(v) for v in weighted.weights)
    terms = [(k, math.ldexp(v, -power)) for k, v in zip(weighted.numbers, weighted.weights, strict=True)]
    count = len(expansions.forms)
    signed = ((*expansions.products[k - count].tolist(), v) for k, v in terms if k >= count)
    products = tuple(ProductTerm(i, s, j, t, v) for i, s, j, t, v in signed)
    rows = tuple(RowTerm(*_named(expansions.forms[k]), 1 if v > 0.0 else -1, abs(v)) for k, v in terms if k < count)
    return Aggregate(rows, products)


def _named(form: tuple[str, int]) -> tuple[str, int, int]:
    return form[0], form[1], 0


def _bits(value: float) -> int:
    """Of the odd part of the mantissa."""
    numerator = abs(value.as_integer_ratio()[0])
    return (numerator // (numerator & -numerator)).bit_length()
