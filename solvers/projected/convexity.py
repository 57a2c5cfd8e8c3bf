"""A box of the other parameters in which a sum of squares has one minimum at most below a level.

In z = (S + sum d_i S_i) u, u = (u', 1), an affine change of variables for fixed S and S_i, the rows are

    R = V z,   R_u = V S',   R_i = V_i z + V m_i,   R_ui = V_i S',   R_ij = V_ij z + V_i m_j + V_j m_i

with m_i the last column of S_i, and half the Hessian of their squares' sum is J'J + sum R R''. Where it is positive
definite for all d in the box and all |u'_j| <= r, the sum is strictly convex there; where some |u'_j| >= r the sum
exceeds the level. So what does not exceed it is in a convex set on which the sum is strictly convex. (The u' may be
told from a quadratic function of d on: that moves no minimum.) All rows must be smooth, since none is left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Floats
from certify.solvers.projected.lower_bounds import definite, gram
from certify.solvers.projected.pairs import UP, Pair, each, exactly, product_of, total
from certify.solvers.projected.taylor_columns import Taylor


def one_minimum(taylor: Taylor, radius: Floats, level: float) -> NDArray[np.bool_]:
    """Whether that is proved of boxes with half-widths `radius` (N, d)."""
    kept = np.ones(taylor.smooth.shape, dtype=bool)
    table = gram(taylor, radius, kept)
    with np.errstate(all="ignore"):
        reach = 2.0 * np.sqrt(np.maximum(level - table.least(radius), 0.0)) + 1e-300
        inside = table.beyond(radius, reach) > level
        curved = definite(_half_hessian(taylor, radius, table.change, table.moves, reach))
    return np.asarray(taylor.smooth.all(axis=1) & np.isfinite(reach) & inside & curved)


def _half_hessian(taylor: Taylor, radius: Floats, change: Floats, moves: Floats, reach: Floats) -> Pair:
    """Matrices below it, over the box and all |u'_j| <= reach.

    All is multiplied with S, m_1, ... and summed over the rows before sizes are added, so that columns that are alike
    cancel: with J = J0 + D, D = R'' times the distance x from the middle, J'J is J0'J0 + J0'D + D'J0 and the square
    D'D, which is left out; and R is R0 + J x. The u' are told from sum d_i d_j n_ij / 2 on: R_ij gets V S' n_ij.
    """
    d, q = radius.shape[1], change.shape[-1]
    p, whole = q - 1, np.concatenate([change, np.swapaxes(moves, 1, 2)], axis=2)  # (N, q, q + d)
    curve = product_of(taylor.curve, exactly(whole[:, None, None]))
    slope_here, value_here = product_of(taylor.slope, exactly(whole[:, None])), product_of(taylor.value, exactly(whole))
    slope = _moved(slope_here, curve, radius)
    value = _moved(value_here, slope, radius)
    bends = _bends(curve, slope_here, value_here, q)  # (N, d, d, p)
    shift = 0.5 * np.einsum("ni,nj,nijp->np", radius, radius, np.abs(bends)) * UP
    across = (reach[:, None] + 2.0 * shift) * UP
    apart = np.concatenate([across, np.zeros((len(radius), 1)), radius], axis=1)  # of u', u and what moves z
    more = ((np.abs(curve[0]) + curve[1]) @ apart[:, None, None, :, None])[..., 0]
    bent = curve[0][..., p], (curve[1][..., p] + more * UP) * UP
    along = np.einsum("nl,njlp->njp", radius, np.abs(bends)) * UP
    turn = ((np.abs(slope[0]) + slope[1])[:, :, None, :, :p] @ along[:, None, :, :, None])[..., 0] * UP
    bent = bent[0], (bent[1] + turn + np.swapaxes(turn, 1, 2)) * UP
    lift = product_of(each(lambda side: side[:, None, None, :, :p], value), exactly(bends[..., None]))
    bent = total(bent, (lift[0][..., 0], lift[1][..., 0]), *(_twisted(slope, q, order) for order in (0, 1)))
    steps = np.concatenate([across, radius], axis=1)  # of u', d
    count, rows = len(radius), taylor.value[0].shape[1]
    second: Pair = (np.zeros((count, p + d, p + d, rows)), np.zeros((count, p + d, p + d, rows)))
    for one, a, b in zip(second, slope, bent, strict=True):
        one[:, p:, :p] = np.swapaxes(a[..., :p], 2, 3)
        one[:, :p, p:] = np.swapaxes(one[:, p:, :p], 1, 2)
        one[:, p:, p:] = b
    along = total((slope_here[0][..., p], slope_here[1][..., p]), _turned(value_here, q))  # R_i, (N, d, K)
    first = each(lambda a, b: np.concatenate([np.swapaxes(a[..., :p], 1, 2), b], axis=1), value_here, along)
    wide = ((np.abs(second[0]) + second[1]) * steps[:, None, :, None]).sum(axis=2) * UP
    over = first[0], (first[1] + wide) * UP  # J over the box, (N, n, K)
    square = product_of(first, each(lambda side: np.swapaxes(side, 1, 2), first))
    flat = each(lambda side: side.reshape(count, -1, rows), second)
    bend = product_of(flat, each(lambda side: np.swapaxes(side, 1, 2), first))  # of R_bl and J0_a, (N, n n, n)
    bend = each(lambda side: side.reshape(count, p + d, p + d, p + d), bend)  # (N, b, l, a)
    bend = total(bend, each(lambda side: np.swapaxes(side, 1, 3), bend))
    rest = value_here[0][..., p:q], value_here[1][..., p:q]  # R0, (N, K, 1)
    inner = each(lambda side: side.reshape(square[0].shape), product_of(flat, rest))
    drift = product_of(flat, each(lambda side: np.swapaxes(side, 1, 2), over))  # of R_ab and J_v, (N, n n, n)
    spread = (np.abs(drift[0]) + drift[1]).reshape(count, p + d, p + d, p + d) @ steps[:, None, :, None]
    spread = spread[..., 0] + ((np.abs(bend[0]) + bend[1]) * steps[:, None, :, None]).sum(axis=2)
    return total(square, inner, (np.zeros_like(spread), spread * UP * UP))


def _bends(curve: Pair, slope: Pair, value: Pair, q: int) -> Floats:
    """By estimate: how u' must bend with d so that what is left of R_ij has no part along the columns."""
    rows = curve[0][..., q - 1] + sum(_twisted(slope, q, order)[0] for order in (0, 1))
    bends = -np.einsum("nkp,nijk->nijp", value[0][..., : q - 1], rows)
    return np.where(np.isfinite(bends), bends, 0.0)


def _moved(at: Pair, derivative: Pair, radius: Floats) -> Pair:
    """What is at the middle, over the box: (N, ..., K, c) with derivatives (N, ..., d, K, c)."""
    shape = radius.reshape(len(radius), *(1,) * (derivative[0].ndim - 4), -1, 1, 1)
    return at[0], (at[1] + ((np.abs(derivative[0]) + derivative[1]) * shape).sum(axis=-3) * UP) * UP


def _turned(value: Pair, q: int) -> Pair:
    """V m_i as (N, d, K)."""
    return np.swapaxes(value[0][..., q:], 1, 2), np.swapaxes(value[1][..., q:], 1, 2)


def _twisted(slope: Pair, q: int, order: int) -> Pair:
    """V_i m_j as (N, d, d, K), or V_j m_i."""
    sides = each(lambda side: np.swapaxes(side[..., q:], 2, 3), slope)  # (N, i, j, K)
    return (sides[0], sides[1]) if order == 0 else (np.swapaxes(sides[0], 1, 2), np.swapaxes(sides[1], 1, 2))
