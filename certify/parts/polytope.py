"""The polytope of a part: its hull in coordinates along the principal axes of the rows, cut out of the box hull.

Where parameters trade off against each other the consistent set is a thin slanted body, and its box hull is mostly
empty. In coordinates y, x = m + T y, with T along the axes of the rows' slopes, the search for the hull is the same, on
the same rows as functions of y; what it proves becomes a subtree below a `frame` of the box hull's tree, and each face
a half-space. Where parameters cannot be told apart y are the combinations that are determined: y_i = x_i + sum_j c_ij
x_j in place of x_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.checker import Status, check
from certify.checker.certificate import Facet, Hull
from certify.checker.nodes import Skew
from certify.checker.outcome import Rejection
from certify.checker.rules import Question
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.parts.hull_search import HullSearch
from certify.parts.part_search import PartSearch
from certify.problems.model.skewed import skewed
from certify.proofs.certificate_text import Claim, node_line
from certify.proofs.problem_replay import Proving
from certify.proofs.witnesses import Witness
from certify.records.options import named
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import Late, Limit
from certify.solvers.proof.trace import left_open
from certify.text.decimals import round_up

BITS = 20  # of the entries of the frame
DIGITS = 12  # of a facet's bound
PLACES = 9  # of its coefficients
SEARCHING = 0.8  # of the time that is left; the rest is for a check, without which nothing is claimed


@dataclass(frozen=True)
class Axis:
    """lower <= coefficients . x <= upper for everything consistent (proved); `gap` is the distance of the ends from
    verified witnesses, in widths. A combination that was asked for has a name and a unit.
    """

    coefficients: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    gap: float
    name: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Direction:
    """A sum of variables (by number) that is asked for: 1 times the variable `kept`, and these times others."""

    name: str
    unit: str
    kept: int
    others: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Polytope:
    """The axes, the certificate of the box hull with their half-spaces, and its volume in parts of the box hull's (an
    estimate).
    """

    axes: tuple[Axis, ...]
    certificate: bytes
    estimated_share: float

    def as_json(self) -> list[dict[str, Any]]:
        """One object for each axis; ends are rounded outwards."""
        return [
            {
                "coefficients": [float(entry) for entry in axis.coefficients],
                "range": [enclose_rational(axis.lower)[0], enclose_rational(axis.upper)[1]],
                "gap": axis.gap,
                **({"name": axis.name, "unit": axis.unit} if axis.name else {}),
            }
            for axis in self.axes
        ]


def polytope(hull: HullSearch, limit: Limit, directions: Sequence[Direction] = ()) -> Polytope | None:
    """Go on with a hull in skew coordinates, along the principal axes or these directions; None if that comes to
    nothing that the checker accepts within the limit.
    """
    if hull.witness is None or limit.late():
        return None
    try:
        return _polytope(hull, hull.witness, limit, directions)
    except Late:
        return None


def _polytope(hull: HullSearch, witness: Witness, limit: Limit, directions: Sequence[Direction]) -> Polytope | None:
    search, epsilon = hull.search, hull.epsilon
    frame = _frame_of(hull, witness, directions) if directions else _frame(hull, witness)
    proof = search.proving.proof(search.scope, Question(epsilon, hull=Hull(hull.proof.exact)))
    try:
        preparation = proof.skew(proof.root, hull.proof.exact, frame)
    except Rejection:
        return None
    problem = skewed(search.problem, search.scope, search.variables, frame.point, frame.matrix, preparation.box)
    start = search.start.copy()
    matrix = np.array([[float(entry) for entry in row] for row in frame.matrix])
    shift = [float(witness.values[v] - middle) for v, middle in zip(search.variables, frame.point, strict=True)]
    start[list(search.variables)] = np.linalg.solve(matrix, np.array(shift))
    axes_search = PartSearch(
        Proving(problem), search.scope, search.options, start, named(search.progress, "axes"), limit.share(SEARCHING)
    )
    inner = HullSearch(axes_search, epsilon, hull.tolerance)
    if not left_open(inner.narrow()) or not inner.begin(start):
        return None
    inner.walk()
    inner.cut_slabs()
    asked = _asked(hull, directions) if directions else _principal(matrix)
    axes, facets = _axes(inner, frame, asked, _witnessed(hull, inner, frame))
    if directions:
        axes = tuple(replace(axis, name=d.name, unit=d.unit) for axis, d in zip(axes, directions, strict=True))
    tree = hull.proof.with_open([node_line(frame), *inner.proof.tree])
    claim = Claim(search.proving.names(search.scope), within=epsilon, hull=Hull(hull.proof.exact, facets))
    certificate = search.proving.written(claim, tree)
    with limit.enforced():
        if check(search.proving.canonical, certificate).status is not Status.VERIFIED:
            return None
    return Polytope(axes, certificate, _share(hull, inner, matrix))


def _frame(hull: HullSearch, witness: Witness) -> Skew:
    """Along the principal axes of the rows, around the witness."""
    search = hull.search
    values = [witness.values[v] for v in search.variables]
    point = search.start.copy()
    point[list(search.variables)] = [float(value) for value in values]
    blocks = [search.problem.blocks[number] for number in search.scope]
    matrix, grids = principal_axes(blocks, point, search.variables, search.box.radius)
    return Skew(tuple(round(value / grid) * grid for value, grid in zip(values, grids, strict=True)), matrix)


def principal_axes(
    blocks: Sequence[Rows], point: Floats, variables: Sequence[int], radius: Floats
) -> tuple[tuple[tuple[Fraction, ...], ...], list[Fraction]]:
    """A matrix with the eigenvectors of the slopes' normal matrix as columns, each unknown measured in half-widths of
    its search box, and the grid of each of its rows.

    The half-widths are rounded to powers of 2, in parts of the smallest: where they are equal the frame is orthogonal.
    """
    unit, radius = Fraction(1, 2**BITS), radius[list(variables)]
    powers = np.round(np.log2(np.where(radius > 0.0, radius, radius[radius > 0.0].min(initial=1.0))))
    scale = np.exp2(powers - powers.min())
    slopes = [residuals(rows, point, 0.5 * (rows.lower + rows.upper))[1][:, list(variables)] for rows in blocks]
    stacked = np.vstack(slopes) * scale
    _, axes = np.linalg.eigh(stacked.T @ stacked)
    grids = [unit * Fraction(float(size)) for size in scale]
    matrix = tuple(
        tuple(round(Fraction(float(entry)) / unit) * grid for entry in row)
        for row, grid in zip(axes, grids, strict=True)
    )
    return matrix, grids


def _frame_of(hull: HullSearch, witness: Witness, directions: Sequence[Direction]) -> Skew:
    """Around the witness, with the directions in place of the variables that they keep."""
    variables, unit = hull.search.variables, Fraction(1, 2**BITS)
    matrix = [[Fraction(int(i == j)) for j in variables] for i in variables]
    for direction in directions:
        for v, coefficient in direction.others:
            matrix[variables.index(direction.kept)][variables.index(v)] = -round(coefficient / unit) * unit
    point = tuple(round(witness.values[v] / unit) * unit for v in variables)
    return Skew(point, tuple(map(tuple, matrix)))


def _asked(hull: HullSearch, directions: Sequence[Direction]) -> list[tuple[Fraction, ...]]:
    """The coefficients of the directions."""
    found = [{direction.kept: Fraction(1), **dict(direction.others)} for direction in directions]
    return [tuple(part.get(v, Fraction(0)) for v in hull.search.variables) for part in found]


def _witnessed(hull: HullSearch, inner: HullSearch, frame: Skew) -> list[tuple[Fraction, ...]]:
    """The verified witnesses of both searches, exactly; those in skew coordinates only where they lie in the search
    box, which may be smaller.
    """
    variables = hull.search.variables
    found = [tuple(reached.witness.values[v] for v in variables) for reached in hull.reached.values()]
    bounds = [(hull.search.problem.variables[v].lower, hull.search.problem.variables[v].upper) for v in variables]
    for reached in inner.reached.values():
        y = [reached.witness.values[v] for v in inner.search.variables]
        x = tuple(
            start + sum((entry * part for entry, part in zip(row, y, strict=True)), Fraction(0))
            for start, row in zip(frame.point, frame.matrix, strict=True)
        )
        if all(low <= value <= high for value, (low, high) in zip(x, bounds, strict=True)):
            found.append(x)
    return found


def _principal(matrix: np.ndarray) -> list[tuple[Fraction, ...]]:
    """The rows of the inverse of a frame, in numbers of few digits."""
    inverse = np.linalg.inv(matrix)
    largest = np.abs(inverse).max(axis=0)
    return [tuple(_rounded(entry, size) for entry, size in zip(row, largest, strict=True)) for row in inverse]


def _axes(
    inner: HullSearch, frame: Skew, asked: Sequence[tuple[Fraction, ...]], witnessed: list[tuple[Fraction, ...]]
) -> tuple[tuple[Axis, ...], tuple[Facet, ...]]:
    """Both half-spaces along each of these: every bound is the exact upper end over the box that is left."""
    axes, facets = [], []
    for a in asked:
        ends = []
        for sign in (-1, 1):
            signed = tuple(sign * entry for entry in a)
            bound = _round_up(_upper(signed, frame, inner))
            facets.append(Facet(signed, bound))
            ends.append(bound)
        reached = [sum((entry * value for entry, value in zip(a, x, strict=True)), Fraction(0)) for x in witnessed]
        width, distance = ends[0] + ends[1], max(ends[1] - max(reached), ends[0] + min(reached))
        axes.append(Axis(a, -ends[0], ends[1], enclose_rational(distance / width)[1] if width else 0.0))
    return tuple(axes), tuple(facets)


def _rounded(entry: float, largest: float) -> Fraction:
    """A coefficient to so many places of the largest one of its unknown."""
    places = PLACES - 1 - int(np.floor(np.log10(largest)))
    scale = Fraction(10) ** places
    return round(Fraction(float(entry)) * scale) / scale


def _upper(a: tuple[Fraction, ...], frame: Skew, inner: HullSearch) -> Fraction:
    """The largest a . x over the box of y that is left."""
    total = sum((entry * start for entry, start in zip(a, frame.point, strict=True)), Fraction(0))
    for j, (low, high) in enumerate(inner.proof.exact):
        slope = sum((entry * row[j] for entry, row in zip(a, frame.matrix, strict=True)), Fraction(0))
        total += max(slope * low, slope * high)
    return total


def _round_up(value: Fraction) -> Fraction:
    return round_up(value, DIGITS) if value else value


def _share(hull: HullSearch, inner: HullSearch, matrix: np.ndarray) -> float:
    """The volume of the slanted body in parts of the box hull's."""
    logarithm = float(np.log(abs(np.linalg.det(matrix))))
    for (low, high), (below, above) in zip(inner.proof.exact, hull.proof.exact, strict=True):
        if high == low or above == below:
            return 1.0
        logarithm += float(np.log(float(high - low))) - float(np.log(float(above - below)))
    return float(np.exp(min(logarithm, 0.0)))
