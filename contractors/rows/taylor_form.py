"""Rows of any twice differentiable tape over one box as quadratic interval polynomials p(t) <= 0, by Taylor's formula.

Form `t`: s r(c) - e + sum s dr/dx_j(c) d_j + sum s/2 d^2r/dx_i dx_j(box) d_i d_j, with the second derivatives enclosed
over the box: the error is of third order where that of the mean-value form is of second. For rows that have no
polynomial form.
"""

from __future__ import annotations

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.forms import frame, scaled
from certify.contractors.rows.measurements import SIDES, above_sum, realise
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.weighted_sums import Inequalities
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.contractors.tape.second_order import second_order

Monomial = tuple[int, ...]


def taylor_rows(blocks: tuple[tuple[int, Rows], ...], box: Box, epsilon: float, cells: int) -> Inequalities:
    """Form `t` of all rows of the numbered blocks that are twice differentiable on the box."""
    places = sorted({rows.unknowns[i] for _, rows in blocks for i in rows.unknown_inputs})
    pairs = sorted({_monomial(rows, i, j) for _, rows in blocks for i, j in second_order(rows.tape, _inputs(rows))[1]})
    monomials: tuple[Monomial, ...] = ((), *((p,) for p in places), *pairs)
    index = {m: k for k, m in enumerate(monomials)}
    lowers, uppers = [], []
    tags: list[tuple[str, int, int, int]] = []
    for number, rows in blocks:
        points = realise(rows, box.lower, box.upper, cells)
        for position, side in enumerate(SIDES):
            low, high, good = _side(
                rows,
                index,
                box,
                epsilon,
                side,
                (points.lower[position], points.upper[position]),
                points.slack[position],
            )
            kept = np.flatnonzero(good & points.differentiable[position])
            lowers.append(low[:, kept].T)
            uppers.append(high[:, kept].T)
            tags += [("t", number, int(k), side) for k in kept]
    return Inequalities(monomials, np.vstack(lowers), np.vstack(uppers), tuple(tags))


def _inputs(rows: Rows) -> tuple[int, ...]:
    return tuple(int(i) for i in rows.unknown_inputs)


def _monomial(rows: Rows, i: int, j: int) -> Monomial:
    return tuple(sorted((rows.unknowns[i], rows.unknowns[j])))


def _side(
    rows: Rows,
    index: dict[Monomial, int],
    box: Box,
    epsilon: float,
    side: int,
    measured: tuple[Floats, Floats],
    slack: Floats,
) -> tuple[Floats, Floats, Flags]:
    """Coefficient ends (monomials, rows), and which rows are defined."""
    centre, radius = frame(box)
    at = evaluate(gradient(rows.tape), *rows.with_box(centre, centre, *measured))
    shift = above_sum(np.full(rows.count, epsilon), slack)
    low, high = np.zeros((len(index), rows.count)), np.zeros((len(index), rows.count))
    value = (at.lower[0], at.upper[0]) if side > 0 else (-at.upper[0], -at.lower[0])
    low[0], high[0] = np.nextafter(value[0] - shift, -np.inf), np.nextafter(value[1] - epsilon, np.inf)
    terms: list[tuple[Monomial, tuple[Floats, Floats], float]] = []
    for i in _inputs(rows):
        terms.append(((rows.unknowns[i],), (at.lower[1 + i], at.upper[1 + i]), float(radius[rows.unknowns[i]])))
    defined = np.asarray(at.defined)
    second, pairs = second_order(rows.tape, _inputs(rows))
    if second is not None:
        over = evaluate(second, *rows.with_box(box.lower, box.upper, *measured))
        defined = defined & over.defined
        for k, (i, j) in enumerate(pairs):
            factor = float(radius[rows.unknowns[i]]) * float(radius[rows.unknowns[j]])
            terms.append((_monomial(rows, i, j), (over.lower[k], over.upper[k]), factor))
    for monomial, (least, most), factor in terms:
        if side < 0:
            least, most = -most, -least
        scaled_low, scaled_high = scaled(least, most, factor)
        place = index[monomial]
        low[place] = np.nextafter(low[place] + scaled_low, -np.inf)
        high[place] = np.nextafter(high[place] + scaled_high, np.inf)
    return low, high, defined & np.isfinite(low).all(axis=0) & np.isfinite(high).all(axis=0)
