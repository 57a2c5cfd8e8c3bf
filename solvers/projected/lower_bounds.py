"""The least sum of squares over all linear parameters, bounded from below on boxes of the other ones.

With the columns V(t) (the last one what they should sum to), a sum of squares is |V(t) z|^2, z = (b, 1). Let S be any
matrix whose last row is (0, 1), W = V S, and u with u_last = 1 stand for S^-1 z. On a box with the middle c, Taylor's
formula gives W(t) = W0 + sum d_i W_i + E, and

    |W u|^2 >= u' (W0' W0 + sum d_i (W0' W_i + W_i' W0) + W0' E + E' W0) u,

for what is left out is |(sum d_i W_i + E) u|^2. E is of second order, the rest linear in d, so that a least eigenvalue
over the box is that of one of its corners. Of a symmetric matrix [[G, g], [g', a]] with |G - I| <= h < 1 in the norm of
row sums the least value with u_last = 1 is at least a - |g|^2 / (1 - h). S and what each corner is transformed with are
chosen in floats; their products are enclosed as middles and radii: a product of n terms rounds by at most n eps of the
sum of their sizes, in any order.

The matrix S may move with d, S + sum d_i S_i, as the best z does; only its last column does here.

Bounds of the linear parameters are rows h with |h'z| <= r: (h'z)^2 - r^2 may be added any number of times, and a lower
bound is left. An observation may be left out: squares are not negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Floats
from certify.solvers.projected.pairs import EPS, TINY, UP, Pair, both, each, exactly, product_of, total
from certify.solvers.projected.taylor_columns import Taylor

MOST_ROWS = 3000  # in a product: what rounding takes from sums of radii is less than UP then


def least_value(matrix: Pair) -> Floats:
    """A lower bound of u' A u over u_last = 1 for all symmetric matrices A within radii; -inf where none is found."""
    middle, radius = matrix
    fine = np.asarray(np.isfinite(middle) & np.isfinite(radius)).all(axis=(-1, -2))
    middle, radius = each(lambda side: np.where(np.expand_dims(fine, (-1, -2)), side, 0.0), matrix)
    p = middle.shape[-1] - 1
    if p == 0:
        return np.where(fine, np.nextafter(middle[..., 0, 0] - radius[..., 0, 0], -np.inf), -np.inf)
    change = exactly(_diagonalising(middle))
    turned = product_of(product_of(each(lambda side: np.swapaxes(side, -1, -2), change), (middle, radius)), change)
    g, r = turned[0][..., :p, :p], turned[1][..., :p, :p]
    off = (np.abs(g - np.eye(p)) + r).sum(axis=-1).max(axis=-1) * UP + p * EPS
    side = ((np.abs(turned[0][..., :p, p]) + turned[1][..., :p, p]) ** 2).sum(axis=-1) * UP
    with np.errstate(all="ignore"):
        bound = turned[0][..., p, p] - turned[1][..., p, p] - side / (1.0 - off) * UP
        bound = bound - 8 * EPS * (np.abs(turned[0][..., p, p]) + turned[1][..., p, p] + side) - TINY
    return np.where(fine & (off < 0.5) & np.isfinite(bound), bound, -np.inf)


def definite(matrix: Pair) -> NDArray[np.bool_]:
    """Whether all symmetric matrices within radii are positive definite, as far as that is seen."""
    wider = [(0, 0)] * (matrix[0].ndim - 2) + [(0, 1), (0, 1)]
    return np.asarray(least_value(each(lambda side: np.pad(side, wider), matrix)) > -np.inf)


def _diagonalising(middle: Floats) -> Floats:
    """By estimate: a matrix with the last row (0, 1) that makes a symmetric one [[I, 0], [0, a]]."""
    p = middle.shape[-1] - 1
    block = middle[..., :p, :p]
    with np.errstate(all="ignore"):
        scale = 1.0 / np.sqrt(np.abs(np.einsum("...ii->...i", block)))
        scale = np.where(np.isfinite(scale), scale, 1.0)
        scaled = block * scale[..., :, None] * scale[..., None, :]
        values, axes = np.linalg.eigh(np.where(np.isfinite(scaled), scaled, 0.0))
        roots = np.where(values > 1e-15, 1.0 / np.sqrt(np.maximum(values, 1e-15)), 1.0)
    turned = scale[..., :, None] * axes * roots[..., None, :]
    change = np.zeros_like(middle)
    change[..., :p, :p] = turned
    change[..., :p, p] = -(turned @ (np.swapaxes(turned, -1, -2) @ middle[..., :p, p, None]))[..., 0]
    change[..., p, p] = 1.0
    fine = np.asarray(np.isfinite(change).all(axis=(-1, -2), keepdims=True))
    return np.where(fine, change, np.eye(p + 1))


@dataclass(frozen=True)
class Gram:
    """For boxes: z = (S + sum d_i S_i) u, where only the last column of S_i is not 0; the matrix at the middle with
    what is of second order, its slopes, and how much a halving in each direction may help.
    """

    change: Floats  # S (N, q, q)
    moves: Floats  # last columns of S_i (N, d, q)
    base: Pair  # (N, q, q)
    slopes: Pair  # (N, d, q, q)
    spread: Floats  # (N, d)

    def some(self, chosen: NDArray[np.int64]) -> Gram:
        """Of some boxes."""
        base, slopes = (each(lambda side: side[chosen], pair) for pair in (self.base, self.slopes))
        return Gram(self.change[chosen], self.moves[chosen], base, slopes, self.spread[chosen])

    def least(self, radius: Floats) -> Floats:
        """Lower bounds of the sums of squares (N,)."""
        with np.errstate(all="ignore"):
            return self._least(radius, self.base, self.slopes)

    def beyond(self, radius: Floats, reach: Floats) -> Floats:
        """Lower bounds where |u_j| >= reach (N,) for any j but the last: u_j^2 - reach^2 >= 0 is subtracted there."""
        worst = np.full(len(radius), np.inf)
        with np.errstate(all="ignore"):
            for j in range(self.change.shape[-1] - 1):
                other = np.zeros_like(self.base[0])
                other[:, j, j], other[:, -1, -1] = -0.5, 0.5 * reach**2
                worst = np.minimum(
                    worst, self._least(radius, total(self.base, (other, EPS * np.abs(other))), self.slopes)
                )
        return worst

    def _least(self, radius: Floats, base: Pair, slopes: Pair) -> Floats:
        worst = np.full(len(radius), np.inf)
        for signs in product((-1.0, 1.0), repeat=radius.shape[1]):
            corner = [
                (slopes[0][:, i] * (sign * radius[:, i, None, None]), slopes[1][:, i] * radius[:, i, None, None])
                for i, sign in enumerate(signs)
            ]
            worst = np.minimum(worst, least_value(total(base, *corner)))
        return worst


def gram(
    taylor: Taylor, radius: Floats, kept: NDArray[np.bool_], rows: Floats | None = None, less: Floats | None = None
) -> Gram:
    """Of boxes with half-widths `radius` (N, d) and the observations `kept` (N, K). To them rows of z (N, R, q) are
    added, and from the sum `less` (N,) is subtracted.
    """
    with np.errstate(all="ignore"):
        return _gram(taylor, radius, kept[..., None], rows, less)


def _gram(taylor: Taylor, radius: Floats, kept: NDArray[np.bool_], rows: Floats | None, less: Floats | None) -> Gram:
    value = each(lambda side: np.where(kept, side, 0.0), taylor.value)
    slope = each(lambda side: np.where(kept[:, None], side, 0.0), taylor.slope)
    curve = each(lambda side: np.where(kept[:, None, None], side, 0.0), taylor.curve)
    if rows is not None:
        value, slope, curve = (_below(pair, rows * (k == 0)) for k, pair in enumerate((value, slope, curve)))
    d = radius.shape[1]
    change = _diagonalising(np.swapaxes(value[0], -1, -2) @ value[0])
    s = exactly(change)
    w0, wi = product_of(value, s), product_of(slope, each(lambda side: side[:, None], s))
    moves = _moves(change, w0[0], wi[0])
    shift = product_of(each(lambda side: side[:, None], value), exactly(moves[..., None]))
    wi = each(lambda side: side.copy(), wi)
    wi_last = total(each(lambda side: side[..., -1], wi), each(lambda side: side[..., 0], shift))
    wi[0][..., -1], wi[1][..., -1] = wi_last
    wij = each(lambda side: side.copy(), product_of(curve, each(lambda side: side[:, None, None], s)))
    twist = product_of(each(lambda side: side[:, :, None], slope), exactly(moves[:, None, :, :, None]))
    swapped = each(lambda side: np.swapaxes(side, 1, 2), twist)
    reach = np.einsum("ni,niq->nq", radius, np.abs(moves)) * UP
    third = ((np.abs(curve[0]) + curve[1]) @ reach[:, None, None, :, None])[..., 0] * UP
    last = total(
        each(lambda side: side[..., -1], wij),
        each(lambda side: side[..., 0], twist),
        each(lambda side: side[..., 0], swapped),
    )
    wij[0][..., -1], wij[1][..., -1] = last[0], (last[1] + third) * UP
    t0 = each(lambda side: np.swapaxes(side, -1, -2), w0)
    base = product_of(t0, w0)
    if less is not None:
        base = each(lambda side: side.copy(), base)
        base[0][:, -1, -1] -= less
        base[1][:, -1, -1] = (base[1][:, -1, -1] + 2 * EPS * (np.abs(base[0][:, -1, -1]) + less)) * UP
    slopes = both(product_of(each(lambda side: side[:, None], t0), wi))
    bend = both(product_of(each(lambda side: side[:, None, None], t0), wij))
    middle, rad, spread = np.zeros_like(base[0]), np.zeros_like(base[0]), np.zeros_like(radius)
    scale = np.abs(base[0][:, -1, -1])
    for i in range(d):
        for j in range(d):
            area = (radius[:, i] * radius[:, j])[:, None, None]
            if i == j:  # half of d_i^2, which is in [0, area]
                middle = middle + 0.25 * area * bend[0][:, i, i]
                part = area * (0.25 * np.abs(bend[0][:, i, i]) + 0.5 * bend[1][:, i, i]) * UP
            else:
                part = 0.5 * area * (np.abs(bend[0][:, i, j]) + bend[1][:, i, j]) * UP
            rad = rad + part
            spread[:, i] += part[:, -1, -1] + scale * np.einsum("nii->n", part[:, :-1, :-1])
        moved = wi[0][:, i] ** 2
        spread[:, i] += radius[:, i] ** 2 * (moved[..., -1].sum(axis=1) + scale * moved[..., :-1].sum(axis=(1, 2)))
    return Gram(change, moves, total(base, (middle, rad * UP)), slopes, spread)


def _below(pair: Pair, rows: Floats) -> Pair:
    """With rows (N, R, q) of doubles below those of (N, ..., K, q), for every index between."""
    shape = (*pair[0].shape[:-2], *rows.shape[1:])
    more = np.broadcast_to(rows.reshape(len(rows), *(1,) * (pair[0].ndim - 3), *rows.shape[1:]), shape)
    return np.concatenate([pair[0], more], axis=-2), np.concatenate([pair[1], np.zeros(shape)], axis=-2)


def _moves(change: Floats, w0: Floats, wi: Floats) -> Floats:
    """By estimate: how the best z moves with d, the last columns of S_i (N, d, q), whose last entries are 0."""
    q = change.shape[-1]
    moves = np.zeros((*wi.shape[:2], q))
    if q > 1:
        along = np.einsum("nkp,nikp->nip", w0[..., :-1], np.broadcast_to(wi[..., -1:], (*wi.shape[:-1], q - 1)))
        moves[..., :-1] = -np.einsum("nab,nib->nia", change[:, :-1, :-1], along)
    return np.where(np.asarray(np.isfinite(moves).all(axis=(1, 2), keepdims=True)), moves, 0.0)
