"""From proposed weights to proved cuts: the common last step of every contractor that adds rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Narrowing, ProductTerm, Reason, RowTerm
from certify.contractors.rows.forms import frame
from certify.contractors.rows.weighted_sums import (
    Inequalities,
    Product,
    outward_cut,
    product_polynomials,
    short,
    weighted_sums,
)
from certify.contractors.tape.evaluation import Floats

LEAST_GAIN = 0.1  # of the half-width: smaller cuts cost a proof each and help nobody
MARGIN = 1e-6  # of the half-width, given away so that another arithmetic can follow


def _reason(inequalities: Inequalities, products: tuple[Product, ...], weights: Floats, factors: Floats) -> Aggregate:
    """The sum of these weights of rows, and of products of distances, not of parts of half-widths."""
    rows = tuple(RowTerm(*inequalities.tags[k], weight) for k, weight in _positive(weights))
    terms = (ProductTerm(*products[k], weight) for k, weight in _positive(factors))
    return Aggregate(rows, tuple(terms), _further(inequalities, rows))


def _in_distances(products: tuple[Product, ...], radius: Floats, factors: Floats) -> Floats:
    """Factors of products (the last axis) of parts of half-widths as those of products of distances."""
    first, second = [i for i, _, _, _ in products], [j for _, _, j, _ in products]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # of sides that are hardly there
        return short(factors / (radius[first] * radius[second]))


def _further(inequalities: Inequalities, rows: tuple[RowTerm, ...]) -> tuple[int, ...]:
    """The columns whose entries are unknowns of these rows."""
    if inequalities.entries is None:
        return ()
    columns = inequalities.entries.columns
    return tuple(sorted({column for block in {term.block for term in rows} for column in columns[block]}))


def _positive(weights: Floats) -> list[tuple[int, float]]:
    """The weights that are not 0, with their places."""
    places = np.flatnonzero(weights)
    return list(zip(places.tolist(), weights[places].tolist(), strict=True))


def refutation(
    inequalities: Inequalities, products: tuple[Product, ...], box: Box, weights: Floats, factors: Floats
) -> Reason | None:
    """The proof that the box holds no feasible point, if these weights are one."""
    weights, factors = short(inequalities.reasonable(weights[None, :])[0]), short(factors)
    table = product_polynomials(products, inequalities.monomials)
    sums = weighted_sums(inequalities, table, weights[None, :], factors[None, :])
    size = float(np.abs(sums.lower).max(initial=0.0))
    least = sums.minimum(np.zeros((1, box.lower.size)))[0]
    if weights.any() and least > 1e-12 * size:
        return _reason(inequalities, products, weights, _in_distances(products, frame(box)[1], factors))
    return None


def single_row(inequalities: Inequalities, box: Box) -> Reason | None:
    """The proof by one row that is violated on the whole box, if there is one: always so for a point that is not
    feasible.
    """
    sums = inequalities.alone()
    least = sums.minimum(np.zeros((len(inequalities.tags), box.lower.size)))
    k = int((least / (np.abs(inequalities.lower).max(axis=1) + 1e-300)).argmax())
    weights = np.zeros(len(inequalities.tags))
    weights[k] = 1.0
    return refutation(inequalities, (), box, weights, np.zeros(0)) if least[k] > 0.0 else None


def cuts(
    inequalities: Inequalities,
    products: tuple[Product, ...],
    box: Box,
    proposals: Iterable[tuple[int, int, Floats, Floats]],
    cells: int,
) -> Narrowing:
    """Cuts from proposals (variable, direction, row weights, product weights).

    Direction +1 bounds the variable from below: if t_j + (weighted sum) >= b on the box, then t_j >= b where the sum is
    <= 0.
    """
    chosen = list(proposals)
    if not chosen:
        return Narrowing(cells=cells)
    weights = short(inequalities.reasonable(np.array([w for _, _, w, _ in chosen])))
    factors = short(np.array([u for _, _, _, u in chosen]).reshape(len(chosen), len(products)))
    objective = np.zeros((len(chosen), box.lower.size))
    for q, (variable, direction, _, _) in enumerate(chosen):
        objective[q, variable] = direction
    table = product_polynomials(products, inequalities.monomials)
    bounds = weighted_sums(inequalities, table, weights, factors).minimum(objective) - MARGIN
    centre, radius = frame(box)
    told = _in_distances(products, radius, factors)
    found: list[Cut] = []
    for q, (variable, direction, _, _) in enumerate(chosen):
        if not (bounds[q] > -1.0 + LEAST_GAIN) or not weights[q].any():
            continue
        reason = _reason(inequalities, products, weights[q], told[q])
        if bounds[q] > 1.0:
            return Narrowing(tuple(found), reason, cells)
        position = centre[variable] + direction * radius[variable] * bounds[q]
        at = outward_cut(position, float(radius[variable]), direction > 0)
        if box.lower[variable] < at < box.upper[variable]:
            found.append(Cut(variable, at, direction > 0, reason))
    return Narrowing(_compatible(found), cells=cells)


def _compatible(found: list[Cut]) -> tuple[Cut, ...]:
    """Cuts that can be applied one after the other: where two of a variable cross, the box is empty and the second one
    refutes what is left.
    """
    kept: list[Cut] = []
    for cut in found:
        other = next((c for c in kept if c.variable == cut.variable and c.below != cut.below), None)
        if other is not None and (other.at >= cut.at if other.below else other.at <= cut.at):
            continue
        kept.append(cut)
    return tuple(kept)
