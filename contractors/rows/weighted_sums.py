"""Weighted sums of row inequalities over a box, bounded rigorously whatever the weights are worth.

Every row side gives a polynomial p(t) with interval coefficients, p <= 0 at a feasible point, in coordinates t of the
box: x = c + rad t, |t| <= 1. Floats (linear programs, pseudo-inverses) propose weights >= 0; here the sum is enclosed
with an a priori bound of its rounding errors (gamma_n = n u / (1 - n u), valid for every order of summation and with
fused operations), so that a wrong weight costs tightness and never truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.rows.shared_entries import Entries
from certify.contractors.short_numbers import short_above, short_below
from certify.contractors.tape.evaluation import Floats

UNIT = 2.0**-53
CUT_BITS = 14  # of the place of a cut
Tag = tuple[str, int, int, int]  # form, block, row, side
Product = tuple[int, int, int, int]  # (i, s_i, j, s_j): (1 - s_i t_i)(1 - s_j t_j) >= 0


@dataclass(frozen=True, eq=False)
class Distances:
    """Rows that are bounded together: `members` says which ones (-1: alone), `bound` what the root of the sum of the
    squares of a member's rows may be at most.
    """

    members: NDArray[np.int64]
    bound: float

    def reached(self, rows: NDArray[np.int64], weights: Floats) -> Floats:
        """For each sum (a row of weights) an upper bound of what its rows may reach together: the bound times the sum
        over members of the root of the sum of w^2 (Cauchy and Schwarz).
        """
        members = self.members[rows]
        known, which = np.unique(members, return_inverse=True)
        squares = np.zeros((weights.shape[0], known.size))
        for place, square in zip(which.tolist(), (weights * weights).T, strict=True):
            squares[:, place] += square
        total = np.sqrt(squares[:, known >= 0]).sum(axis=1) * self.bound
        return np.asarray(total * (1.0 + 4.0 * (rows.size + 4) * UNIT) + (1.0 + self.bound) * rows.size * 1e-150)

    def netted(self, tags: Sequence[Tag], weights: Floats) -> Floats:
        """Weights (sums, rows) that give no row of a member two terms: of its two sides only what one has more."""
        first: dict[tuple[int, int], int] = {}
        pairs = []
        for k in np.flatnonzero((self.members >= 0) & weights.any(axis=0)).tolist():
            other = first.setdefault(tags[k][1:3], k)
            if other != k:
                pairs.append((other, k))
        if not pairs:
            return weights
        one, two = np.array(pairs).T
        found, both = weights.copy(), np.minimum(weights[:, one], weights[:, two])
        found[:, one] -= both
        found[:, two] -= both
        return found


@dataclass(frozen=True, eq=False)
class Inequalities:
    """Interval polynomials p_k(t) <= 0: coefficient arrays (rows, monomials); monomials are sorted tuples of places in
    the box. With `distances` those of members are <= 0 together only, less what these may reach.
    """

    monomials: tuple[tuple[int, ...], ...]
    lower: Floats
    upper: Floats
    tags: tuple[Tag, ...]
    entries: Entries | None = None
    distances: Distances | None = None

    def reasonable(self, weights: Floats) -> Floats:
        """The weights (sums, rows) as a proof may have them."""
        return weights if self.distances is None else self.distances.netted(self.tags, weights)

    def alone(self) -> Sums:
        """Each row as a sum of its own."""
        lower, constant = self.lower, self.monomials.index(())
        if self.entries is None and self.distances is None:
            return Sums(self.monomials, lower, self.upper)
        lost = np.zeros(len(self.tags))
        if self.entries is not None:
            lost = self.entries.alone
        if self.distances is not None:
            lost = lost + np.where(self.distances.members >= 0, self.distances.bound, 0.0)
        lower = lower.copy()
        lower[:, constant] = np.nextafter(lower[:, constant] - lost * (1.0 + 4.0 * UNIT), -np.inf)
        return Sums(self.monomials, lower, self.upper)


def product_polynomials(products: tuple[Product, ...], monomials: tuple[tuple[int, ...], ...]) -> Floats:
    """Exact coefficients of (1 - s_i t_i)(1 - s_j t_j)."""
    place = {m: k for k, m in enumerate(monomials)}
    result = np.zeros((len(products), len(monomials)))
    for row, (i, s, j, t) in enumerate(products):
        result[row, place[()]] += 1.0
        result[row, place[(i,)]] -= s
        result[row, place[(j,)]] -= t
        result[row, place[tuple(sorted((i, j)))]] += s * t
    return result


@dataclass(frozen=True, eq=False)
class Sums:
    """Enclosed coefficients (sums, monomials) of weighted sums."""

    monomials: tuple[tuple[int, ...], ...]
    lower: Floats
    upper: Floats

    def minimum(self, objective: Floats) -> Floats:
        """For each sum q (a row) a lower bound of objective_q . t + q(t) over |t| <= 1; objective (sums, variables)."""
        total = self.lower[:, self.monomials.index(())].copy()
        size = np.abs(total)
        for k, m in enumerate(self.monomials):
            low, high = self.lower[:, k], self.upper[:, k]
            if len(m) == 1:
                low, high = low + objective[:, m[0]], high + objective[:, m[0]]
            loss = -np.minimum(low, 0.0) if len(m) == 2 and m[0] == m[1] else np.maximum(-low, high)
            if m:
                total -= loss
                size += np.abs(loss)
        return np.asarray(total - 4.0 * len(self.monomials) * UNIT * (size + 1.0))


def weighted_sums(inequalities: Inequalities, products: Floats, row_weights: Floats, product_weights: Floats) -> Sums:
    """Enclose sum_k w_k p_k - sum_l u_l product_l for each row of weights (w, u) >= 0."""
    require_nearest()
    used = np.flatnonzero(row_weights.any(axis=0))
    weights, low, high = row_weights[:, used], inequalities.lower[used], inequalities.upper[used]
    terms = used.size + product_weights.shape[1] + 4
    gamma = 1.01 * terms * UNIT
    subtracted = product_weights @ products
    lower, upper = weights @ low - subtracted, weights @ high - subtracted
    size = weights @ np.maximum(np.abs(low), np.abs(high)) + product_weights @ np.abs(products)
    error = gamma * size * (1.0 + 2.0 * gamma) + 1e-300
    lower, upper = lower - error, upper + error
    constant = inequalities.monomials.index(())
    if inequalities.entries is not None:
        least, (below, above) = inequalities.entries.least(used, weights, gamma)
        lower[:, constant] = np.nextafter(lower[:, constant] + least, -np.inf)
        linear = slice(1, 1 + below.shape[1])
        lower[:, linear] = np.nextafter(lower[:, linear] + below, -np.inf)
        upper[:, linear] = np.nextafter(upper[:, linear] + above, np.inf)
    if inequalities.distances is not None:
        lower[:, constant] = np.nextafter(lower[:, constant] - inequalities.distances.reached(used, weights), -np.inf)
    return Sums(inequalities.monomials, lower, upper)


def short(values: Floats, bits: int = 36) -> Floats:
    """Weights with few digits, negative and tiny ones dropped: cheaper to write down, and as good."""
    significand, exponent = np.frexp(np.maximum(values, 0.0))
    return np.asarray(np.ldexp(np.round(np.ldexp(significand, bits)), exponent - bits))


def outward_cut(position: float, radius: float, below: bool) -> float:
    """A short number to the safe side of a rounded position, about `radius` / 2^14 away: below a lower bound, above an
    upper one.
    """
    error = 4.0 * UNIT * abs(position)
    return short_below(position - error, radius, CUT_BITS) if below else short_above(position + error, radius, CUT_BITS)
