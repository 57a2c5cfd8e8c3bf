"""What weights of expanded rows prove about a box, and short ones that prove it too: kernels over batches.

For weights y of the rows of `Forms` the sum y . f is enclosed as value + sum_m [p_m, q_m] m over the monomials m, and
is positive on a box of offsets if value + sum_m min [p_m, q_m] m > 0. The least value must exceed DOUBT of the sizes of
all terms: far more than rounding may have done, here or in a checker. A box that some weights refute is closed; else
it is cut to the ranges between which all zeros lie, where that is worth a preparation. Every cut gets its own short
weights: rows are dropped, the least first, and numbers rounded to few bits, as long as they still refute the slab.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numba import njit

from certify.contractors.short_numbers import short_inside, short_near
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.proof.proof_tree import Weighted
from certify.solvers.weights.expansion_weights import Forms
from certify.solvers.weights.row_cuts import CUT_BITS, CUT_MARGIN, TINY

BITS = np.array((1, 2, 3, 5, 8, 12, 20, 52))  # of a weight
DOUBT = 1e-9  # of the terms of a sum: more than rounding may have done
CLOSED = -1  # in place of a cut's variable: what is left of the box is refuted


@njit(cache=True, error_model="numpy")
def _monomials(pairs: np.ndarray, low: np.ndarray, high: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """The ranges of the monomials over a box of offsets: the variables, and their products."""
    n = low.size
    a[:n], b[:n] = low, high
    for m in range(pairs.shape[0]):
        i, j = pairs[m, 0], pairs[m, 1]
        p, q, r, s = low[i] * low[j], low[i] * high[j], high[i] * low[j], high[i] * high[j]
        least, most = min(min(p, q), min(r, s)), max(max(p, q), max(r, s))
        if i == j:
            least = 0.0 if low[i] <= 0.0 <= high[i] else max(least, 0.0)
        a[n + m], b[n + m] = least, most


@njit(cache=True, error_model="numpy")
def _add(w: float, value: np.ndarray, i: int, f_low: np.ndarray, f_high: np.ndarray, s_low: np.ndarray,
         s_high: np.ndarray, p: np.ndarray, q: np.ndarray, size: np.ndarray, sign: float) -> None:  # fmt: skip
    """Add (or, for sign -1, take away) w times row i; value has the sum at the centre and its size."""
    a = abs(w)
    value[0] += sign * (w * f_low[i] if w > 0.0 else w * f_high[i])
    value[1] += sign * a * (max(abs(f_low[i]), abs(f_high[i])) + TINY / DOUBT)
    for m in range(p.size):
        low, high = s_low[i, m], s_high[i, m]
        if low != 0.0 or high != 0.0:
            size[m] += sign * a * max(abs(low), abs(high))
            if w > 0.0:
                p[m] += sign * w * low
                q[m] += sign * w * high
            else:
                p[m] += sign * w * high
                q[m] += sign * w * low


@njit(cache=True, error_model="numpy")
def _sum(y: np.ndarray, value: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, s_low: np.ndarray, s_high: np.ndarray,
         p: np.ndarray, q: np.ndarray, size: np.ndarray) -> None:  # fmt: skip
    """The weighted sum of all rows."""
    value[:], p[:], q[:], size[:] = 0.0, 0.0, 0.0, 0.0
    for i in range(y.size):
        if y[i] != 0.0:
            _add(y[i], value, i, f_low, f_high, s_low, s_high, p, q, size, 1.0)


@njit(cache=True, error_model="numpy")
def _least(p: float, q: float, a: float, b: float) -> float:
    return min(min(p * a, p * b), min(q * a, q * b))


@njit(cache=True, error_model="numpy")
def _bound(value: np.ndarray, p: np.ndarray, q: np.ndarray, size: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """The least value of a sum over the monomials' ranges, less DOUBT of all sizes."""
    total, spread = float(value[0]), float(value[1])
    for m in range(p.size):
        if size[m] != 0.0:
            total += _least(p[m], q[m], a[m], b[m])
            spread += size[m] * max(abs(a[m]), abs(b[m]))
    return total - DOUBT * spread


@njit(cache=True, error_model="numpy")
def _shorten(y: np.ndarray, pairs: np.ndarray, low: np.ndarray, high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
             s_low: np.ndarray, s_high: np.ndarray, out: np.ndarray) -> bool:  # fmt: skip
    """Weights of few rows and few digits that still refute a box of offsets; False if these never did."""
    count = pairs.shape[0] + low.size
    a, b = np.empty(count), np.empty(count)
    p, q, size, value = np.empty(count), np.empty(count), np.empty(count), np.empty(2)
    _monomials(pairs, low, high, a, b)
    _sum(y, value, f_low, f_high, s_low, s_high, p, q, size)
    if not _bound(value, p, q, size, a, b) > 0.0:
        return False
    used = np.flatnonzero(y)
    weight = np.empty(used.size)
    for k in range(used.size):
        i = used[k]
        total = abs(f_low[i])
        for m in range(count):
            total += max(abs(s_low[i, m]), abs(s_high[i, m])) * max(abs(a[m]), abs(b[m]))
        weight[k] = total * abs(y[i])
    order, dropped = np.argsort(weight), 0
    for k in range(used.size - 1):
        i = used[order[k]]
        _add(y[i], value, i, f_low, f_high, s_low, s_high, p, q, size, -1.0)
        if _bound(value, p, q, size, a, b) > 0.0:
            dropped = k + 1
    kept = used[order[dropped:]]
    for bits in BITS:
        out[:] = 0.0
        for i in kept:
            mantissa, exponent = math.frexp(y[i])
            out[i] = math.ldexp(np.rint(math.ldexp(mantissa, bits)), exponent - bits)
        _sum(out, value, f_low, f_high, s_low, s_high, p, q, size)
        if _bound(value, p, q, size, a, b) > 0.0:
            return True
    out[:] = y
    return True


@njit(cache=True, error_model="numpy", nogil=True)
def _range(y: np.ndarray, pairs: np.ndarray, radius: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
           s_low: np.ndarray, s_high: np.ndarray, low: np.ndarray, high: np.ndarray) -> int:  # fmt: skip
    """The offsets between which all zeros of one box lie, by its weights (choice, row), and the last choice that
    refutes the whole box, or -1.
    """
    n, count, refuting = radius.size, pairs.shape[0] + radius.size, -1
    a, b = np.empty(count), np.empty(count)
    p, q, size, value = np.empty(count), np.empty(count), np.empty(count), np.empty(2)
    low[:], high[:] = -radius, radius
    _monomials(pairs, -radius, radius, a, b)
    for k in range(2 * n + 1):
        _sum(y[k], value, f_low, f_high, s_low, s_high, p, q, size)
        bound = _bound(value, p, q, size, a, b)
        if bound > 0.0:
            refuting = k
        j = k // 2
        if k == 2 * n or radius[j] <= 0.0 or value[1] == 0.0:
            continue
        base, sign, r = bound - _least(p[j], q[j], a[j], b[j]), 1.0 if k % 2 == 0 else -1.0, radius[j]
        least, most = (p[j], q[j]) if sign > 0.0 else (-q[j], -p[j])
        if not base + min(-least * r, -most * r) > 0.0:
            continue
        slope = least if base > 0.0 else most
        reach = min(max(base / -slope if slope < 0.0 else np.inf, -r), r)
        if sign > 0.0:
            low[j] = max(low[j], reach)
        else:
            high[j] = min(high[j], -reach)
    return refuting


@njit(cache=True, error_model="numpy", nogil=True)
def _ranges(y: np.ndarray, pairs: np.ndarray, radius: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
            s_low: np.ndarray, s_high: np.ndarray, usable: np.ndarray, refuting: np.ndarray, low: np.ndarray,
            high: np.ndarray) -> None:  # fmt: skip
    for k in range(radius.shape[0]):
        low[k], high[k], refuting[k] = -radius[k], radius[k], -1
        if usable[k]:
            refuting[k] = _range(y[k], pairs, radius[k], f_low[k], f_high[k], s_low[k], s_high[k], low[k], high[k])


@njit(cache=True, error_model="numpy")
def _slab(y: np.ndarray, v: int, at: float, lower: bool, centre: np.ndarray, low: np.ndarray, high: np.ndarray,
          pairs: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, s_low: np.ndarray, s_high: np.ndarray,
          out: np.ndarray) -> bool:  # fmt: skip
    """Short weights that refute the part of a box below (or above) a point."""
    a, b = low - centre, high - centre
    (b if lower else a)[v] = at - centre[v]
    return _shorten(y[2 * v + (0 if lower else 1)], pairs, a, b, f_low, f_high, s_low, s_high, out)


@njit(cache=True, error_model="numpy")
def _targets(low: np.ndarray, high: np.ndarray, a: np.ndarray, b: np.ndarray, zero_low: np.ndarray,
             zero_high: np.ndarray) -> int:  # fmt: skip
    """To what a box is cut that can be cut to [a, b] (in place): no further than to the faces of a zero's box, if one
    is reached; the number of this zero, or -1.
    """
    reached = -1
    for z in range(zero_low.shape[0]):
        inside = True
        for v in range(low.size):
            if not (zero_low[z, v] <= a[v] and b[v] <= zero_high[z, v]):
                inside = False
                break
        if inside:
            reached = z
            break
    for v in range(low.size):
        if reached >= 0:
            a[v], b[v] = min(a[v], zero_low[reached, v]), max(b[v], zero_high[reached, v])
        a[v], b[v] = max(a[v], low[v]), min(b[v], high[v])
    return reached


@njit(cache=True, error_model="numpy")
def _settled(y: np.ndarray, pairs: np.ndarray, radius: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
             s_low: np.ndarray, s_high: np.ndarray, low: np.ndarray, high: np.ndarray, widths: np.ndarray,
             least_widths: np.ndarray, zero_low: np.ndarray, zero_high: np.ndarray, worthwhile: float, small: float,
             cap: float, refuting: int, least: np.ndarray, most: np.ndarray, cuts: np.ndarray,
             chosen: np.ndarray) -> int:  # fmt: skip
    """The cuts of one box: variable (or CLOSED), whether at the lower face, where; and their weights."""
    n, written = low.size, 0
    centre = 0.5 * low + 0.5 * high
    if refuting >= 0 and _shorten(y[refuting], pairs, -radius, radius, f_low, f_high, s_low, s_high, chosen[0]):
        cuts[0, 0] = CLOSED
        return 1
    for v in range(n):
        if least[v] >= most[v] and radius[v] > 0.0:
            at = short_near(centre[v] + 0.5 * (least[v] + most[v]), high[v] - low[v], CUT_BITS)
            if (
                low[v] < at < high[v]
                and _slab(y, v, at, True, centre, low, high, pairs, f_low, f_high, s_low, s_high, chosen[0])
                and _slab(y, v, at, False, centre, low, high, pairs, f_low, f_high, s_low, s_high, chosen[1])
            ):
                cuts[0, 0], cuts[0, 1], cuts[0, 2], cuts[1, 0] = v, 1.0, at, CLOSED
                return 2
    a, b = centre + least, centre + most
    reached = _targets(low, high, a, b, zero_low, zero_high)
    thin, enough = (high - low) < cap * widths, (high - low) < least_widths
    share, gain = np.empty(n), 0.0
    for v in range(n):
        share[v] = (b[v] - a[v]) / max(high[v] - low[v], 1e-300)
        if not enough[v]:
            gain -= math.log2(min(max(share[v], 1e-18), 1.0))
    if reached < 0 and gain < worthwhile:
        return 0
    low, high = low.copy(), high.copy()
    for v in np.argsort(share):
        for way in range(2):
            face, cut = (low[v], a[v]) if way == 0 else (high[v], b[v])
            at_face = reached >= 0 and cut == (zero_low if way == 0 else zero_high)[reached, v]
            little = abs(cut - face) <= small * (high[v] - low[v])
            if cut == face or (little and reached < 0) or ((thin[v] or enough[v]) and not at_face):
                continue
            at = cut if at_face else short_inside(face, cut, CUT_BITS, CUT_MARGIN)
            if low[v] < at < high[v] and _slab(
                y, v, at, way == 0, centre, low, high, pairs, f_low, f_high, s_low, s_high, chosen[written]
            ):
                cuts[written, 0], cuts[written, 1], cuts[written, 2] = v, 1.0 - way, at
                (low if way == 0 else high)[v] = at
                written += 1
    return written


@njit(cache=True, error_model="numpy", nogil=True)
def _settle(y: np.ndarray, pairs: np.ndarray, radius: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
            s_low: np.ndarray, s_high: np.ndarray, usable: np.ndarray, low: np.ndarray, high: np.ndarray,
            widths: np.ndarray, least_widths: np.ndarray, zero_low: np.ndarray, zero_high: np.ndarray,
            worthwhile: float, small: float, cap: float, refuting: np.ndarray, least: np.ndarray, most: np.ndarray,
            cuts: np.ndarray, chosen: np.ndarray, counts: np.ndarray) -> None:  # fmt: skip
    for k in range(low.shape[0]):
        counts[k] = 0
        if usable[k]:
            counts[k] = _settled(
                y[k], pairs, radius[k], f_low[k], f_high[k], s_low[k], s_high[k], low[k], high[k], widths[k],
                least_widths[k], zero_low, zero_high, worthwhile, small, cap, refuting[k], least[k], most[k], cuts[k],
                chosen[k],
            )  # fmt: skip


Found = tuple[int, bool, float, Weighted]  # variable or CLOSED, whether at the lower face, where, why


def _arrays(forms: Forms) -> tuple[Floats, Floats, Floats, Floats]:
    ends = forms.value_low, forms.value_high, forms.slope_low, forms.slope_high
    a, b, c, d = (np.ascontiguousarray(end) for end in ends)
    return a, b, c, d


def ranges(y: Floats, forms: Forms, radius: Floats) -> tuple[Flags, Floats, Floats]:
    """Which boxes (batch) the weights refute, and the offsets (batch, variable) between which all zeros lie.

    The weights of a variable's least offset refute the slab from the lower face as far as their sum stays positive.
    """
    refuting, low, high = np.empty(radius.shape[0], dtype=np.int64), np.empty(radius.shape), np.empty(radius.shape)
    _ranges(y, forms.pairs, np.ascontiguousarray(radius), *_arrays(forms), forms.usable, refuting, low, high)
    return (refuting >= 0) | ((low >= high) & (radius > 0.0)).any(axis=1), low, high


def settle(
    y: Floats, forms: Forms, low: Floats, high: Floats, widths: tuple[Floats, Floats], zeros: tuple[Floats, Floats],
    worthwhile: float, small: float, cap: float,
) -> list[list[Found]]:  # fmt: skip
    """What the weights (batch, choice, row) cut off each box (variable, batch), in order; a box that they close ends in
    CLOSED.

    A box is cut if that takes `worthwhile` halvings of its volume, or leaves no more than the box of a zero; a variable
    if `small` of its width is gained and it is no thinner than `cap` of the first
    `widths` (batch, variable), and than the second.
    """
    batch, n = low.shape[1], low.shape[0]
    radius, arrays = np.ascontiguousarray(0.5 * (high - low).T), _arrays(forms)
    refuting, least, most = np.empty(batch, dtype=np.int64), np.empty((batch, n)), np.empty((batch, n))
    _ranges(y, forms.pairs, radius, *arrays, forms.usable, refuting, least, most)
    cuts, chosen = np.zeros((batch, 2 * n + 2, 3)), np.empty((batch, 2 * n + 2, y.shape[2]))
    counts = np.empty(batch, dtype=np.int64)
    _settle(y, forms.pairs, radius, *arrays, forms.usable, low.T.copy(), high.T.copy(), *widths, *zeros, worthwhile,
            small, cap, refuting, least, most, cuts, chosen, counts)  # fmt: skip
    sure = forms.sure(low, high)
    return _told(cuts, chosen, counts, sure, forms.expansions.sharp)


def _told(cuts: Floats, chosen: Floats, counts: np.ndarray, sure: Flags, sharp: Flags) -> list[list[Found]]:
    """Box by box, with the weights that are not 0."""
    written = np.arange(cuts.shape[1]) < counts[:, None]
    y, places = chosen[written], cuts[written].tolist()
    owner, numbers = np.nonzero(y)
    ends = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=len(places))))).tolist()
    vague = np.bincount(owner, ~sharp[numbers], minlength=len(places)) > 0.0
    firm = (sure.repeat(counts) & ~vague).tolist()
    named, weights = numbers.tolist(), y[owner, numbers].tolist()
    found = [
        (int(v), bool(below), at, Weighted(tuple(named[begin:end]), tuple(weights[begin:end]), surely))
        for (v, below, at), begin, end, surely in zip(places, ends[:-1], ends[1:], firm, strict=True)
    ]
    starts = np.concatenate(([0], np.cumsum(counts))).tolist()
    return [found[begin:end] for begin, end in pairwise(starts)]
