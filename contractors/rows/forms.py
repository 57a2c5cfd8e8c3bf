"""The rows of a problem over one box as interval polynomials p(t) <= 0, in two forms.

*Polynomial form* `q`: the lift (`polynomial`) evaluated at the centre and the point measurements of the measurement
lemma (`measurements`): what cancels between monomials of the unknowns is kept, whatever the size of the box.
*Mean-value form* `m`: s r(c) - e + sum_j s dr/dx_j(box) (x_j - c_j), for any differentiable row. Both hold at every x
of the box that satisfies its row within epsilon for some measurement.
"""

from __future__ import annotations

import math

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.measurements import SIDES, PointRows, above_sum, realise
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.weighted_sums import UNIT, Inequalities
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.contractors.tape.lift import Monomial, NotPolynomial, lift


def has_polynomial_form(rows: Rows) -> bool:
    """Whether the rows can be lifted."""
    try:
        for side in SIDES:
            lift(rows.tape, tuple(int(i) for i in rows.unknown_inputs), side)
    except NotPolynomial:
        return False
    return True


def frame(box: Box) -> tuple[Floats, Floats]:
    """Centre and half-widths of the smallest symmetric box around the float centre that contains the box."""
    centre = box.centre
    radius = np.nextafter(np.maximum(box.upper - centre, centre - box.lower), np.inf)
    return centre, np.asarray(radius)


def scaled(lower: Floats, upper: Floats, factor: float | Floats) -> tuple[Floats, Floats]:
    """The interval times a number that carries a few rounding errors itself, outwards."""
    low, high = lower * factor, upper * factor
    return low - 4.0 * UNIT * np.abs(low) - 1e-300, high + 4.0 * UNIT * np.abs(high) + 1e-300


def _in_box(monomial: Monomial, rows: Rows) -> Monomial:
    return tuple(sorted(rows.unknowns[i] for i in monomial))


def _least(lower: Floats, upper: Floats, monomials: tuple[Monomial, ...]) -> Floats:
    """Lower bounds of interval polynomials (monomials, rows) in t over |t| <= 1, term by term."""
    total = np.zeros(lower.shape[1])
    size = np.zeros(lower.shape[1])
    for k, m in enumerate(monomials):
        square = len(m) == 2 and m[0] == m[1]
        term = lower[k] if not m else np.minimum(lower[k], 0.0) if square else -np.maximum(-lower[k], upper[k])
        total, size = total + term, size + np.abs(term)
    return np.asarray(total - 2.0 * len(monomials) * UNIT * size)


def _polynomial_side(
    rows: Rows, points: PointRows, side: int, box: Box, epsilon: float
) -> tuple[tuple[Monomial, ...], Floats, Floats, Flags]:
    """Monomials, coefficient ends (monomials, rows), and the rows whose sign condition is proved."""
    position = SIDES.index(side)
    lifted = lift(rows.tape, tuple(int(i) for i in rows.unknown_inputs), side)
    centre, radius = frame(box)
    low, high = rows.with_box(centre, centre, points.lower[position], points.upper[position])
    shift = above_sum(np.full(rows.count, epsilon), points.slack[position])
    enclosure = evaluate(lifted.tape, np.vstack([low, np.full(rows.count, epsilon)]), np.vstack([high, shift]))
    monomials = tuple(_in_box(m, rows) for m in lifted.monomials)
    signs = tuple(_in_box(m, rows) for m in lifted.sign_monomials)
    lower, upper = enclosure.lower, enclosure.upper
    curved = [k for k, m in enumerate(monomials + signs) if m]
    sizes = radius.tolist()
    factors = np.array([[math.prod(sizes[place] for place in m)] for m in monomials + signs if m])
    if curved:
        lower[curved], upper[curved] = scaled(lower[curved], upper[curved], factors)
    proved = np.asarray(np.isfinite(lower).all(axis=0) & np.isfinite(upper).all(axis=0))
    if signs:
        proved &= _least(lower[len(monomials) :], upper[len(monomials) :], signs) >= 0.0
    return monomials, lower[: len(monomials)], upper[: len(monomials)], proved


def polynomial_rows(blocks: tuple[tuple[int, Rows], ...], box: Box, epsilon: float, cells: int) -> Inequalities:
    """Form `q` of all rows of the numbered blocks; rows without a proved sign condition are left out."""
    parts = []
    for number, rows in blocks:
        points = realise(rows, box.lower, box.upper, cells)
        for side in SIDES:
            monomials, lower, upper, proved = _polynomial_side(rows, points, side, box, epsilon)
            kept = np.flatnonzero(proved)
            parts.append((monomials, lower[:, kept], upper[:, kept], [("q", number, int(k), side) for k in kept]))
    places = sorted({rows.unknowns[i] for _, rows in blocks for i in rows.unknown_inputs})
    union = [(), *((p,) for p in places)]
    union += sorted({m for monomials, *_ in parts for m in monomials} - set(union))
    index = {m: k for k, m in enumerate(union)}
    total = sum(len(tags) for *_, tags in parts)
    low, high = np.zeros((total, len(union))), np.zeros((total, len(union)))
    tags: list[tuple[str, int, int, int]] = []
    for monomials, lower, upper, names in parts:
        columns = [index[m] for m in monomials]
        low[len(tags) : len(tags) + len(names), columns] = lower.T
        high[len(tags) : len(tags) + len(names), columns] = upper.T
        tags += names
    return Inequalities(tuple(union), low, high, tuple(tags))


def mean_value_rows(blocks: tuple[tuple[int, Rows], ...], box: Box, epsilon: float, cells: int) -> Inequalities:
    """Form `m` of all rows of the numbered blocks that are differentiable on the box."""
    places = sorted({rows.unknowns[i] for _, rows in blocks for i in rows.unknown_inputs})
    monomials = ((), *((p,) for p in places))
    column = {p: k + 1 for k, p in enumerate(places)}
    centre, radius = frame(box)
    lowers, uppers = [], []
    tags: list[tuple[str, int, int, int]] = []
    for number, rows in blocks:
        points = realise(rows, box.lower, box.upper, cells)
        for position, side in enumerate(SIDES):
            h_low, h_high = points.lower[position], points.upper[position]
            slopes = evaluate(gradient(rows.tape), *rows.with_box(box.lower, box.upper, h_low, h_high))
            value = evaluate(rows.tape, *rows.with_box(centre, centre, h_low, h_high))
            shift = above_sum(np.full(rows.count, epsilon), points.slack[position])
            low, high = np.zeros((len(monomials), rows.count)), np.zeros((len(monomials), rows.count))
            low[0] = np.nextafter((value.lower[0] if side > 0 else -value.upper[0]) - shift, -np.inf)
            high[0] = np.nextafter((value.upper[0] if side > 0 else -value.lower[0]) - epsilon, np.inf)
            for i in rows.unknown_inputs:
                g_low, g_high = slopes.lower[1 + i], slopes.upper[1 + i]
                g_low, g_high = (g_low, g_high) if side > 0 else (-g_high, -g_low)
                k = column[rows.unknowns[i]]
                scaled_low, scaled_high = scaled(g_low, g_high, float(radius[rows.unknowns[i]]))
                low[k] = np.nextafter(low[k] + scaled_low, -np.inf)
                high[k] = np.nextafter(high[k] + scaled_high, np.inf)
            finite = np.isfinite(low).all(axis=0) & np.isfinite(high).all(axis=0)
            kept = np.flatnonzero(points.differentiable[position] & slopes.defined & value.defined & finite)
            lowers.append(low[:, kept].T)
            uppers.append(high[:, kept].T)
            tags += [("m", number, int(k), side) for k in kept]
    return Inequalities(monomials, np.vstack(lowers), np.vstack(uppers), tuple(tags))
