"""What measurements determine, and what they do not: which parameters cannot be told apart, and the combinations of
them that the measurements do determine. An estimate, to first order at a point.

The slopes J (rows, n) of the rows, each column times its half-width R_j, have columns j that are sums of others,

    J_j = sum_i c_ij J_i,        so that x_i + sum_j c_ij x_j is determined, and x_j may be what it likes.

Such j are *redundant*, the i are kept: those are kept whose half-widths change the rows most, because what is known
best beforehand is best given up; or what the caller names is given up first. A parameter that changes no row is *idle*.
Of what is kept, directions are *weak* along which the whole box changes no row by more than its half-widths explain.
Half-widths of the box are the only units, so that mm and m, deg and rad say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.advice.observability import Observability, observability
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.fits.robust_fit import explained_misses

NOTHING = 1e-13  # of the largest change: rounding
RELATIVE = 1e-9  # of a column: what is left of it beside the kept ones
SMALL = 1e-6  # of the largest share: no part of a combination
ALIKE = 2.0 ** (1 / 8)  # changes whose ratio is smaller are alike; then what comes first is kept
MOST = 3  # weak directions that are told


@dataclass(frozen=True, slots=True)
class Combination:
    """kept + sum of coefficient * redundant, which is determined; variables by number, coefficients in their units."""

    kept: int
    terms: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Weak:
    """A direction by the shares of the half-widths (the largest is 1) of the variables that take part; all of it
    changes no row by more than this share of what half-widths explain there.
    """

    shares: tuple[tuple[int, float], ...]
    change: float


@dataclass(frozen=True, slots=True)
class Determined:
    """What some rows determine of their variables. `indices` are those of what is kept, in half-widths of the box, and
    of rows in parts of what their half-widths explain; None where nothing is kept.
    """

    redundant: tuple[int, ...]
    idle: tuple[int, ...]
    combinations: tuple[Combination, ...]
    weak: tuple[Weak, ...] = ()
    indices: Observability | None = None

    @property
    def given_up(self) -> tuple[int, ...]:
        """What may be held at any value, and the rows fit no worse (to first order)."""
        return tuple(sorted((*self.redundant, *self.idle)))


def determined(
    blocks: Sequence[Rows],
    numbers: Sequence[int],
    x: Floats,
    radius: Floats,
    give_up: Sequence[int] = (),
    units: Sequence[str] | None = None,
) -> Determined:
    """What these blocks determine at x; variables with the half-width 0 are known. `give_up` are variables that are
    rather given up than others, the first one first; `units` are those of the blocks, if not all are in one.
    """
    numbers = tuple(numbers)
    places = sorted({int(place) for n in numbers for place in blocks[n].places if radius[place] > 0.0})
    slopes = [_slopes(blocks[n], x, places) for n in numbers]
    changes = _of_one_size([block * radius[places] for block in slopes], units)
    jacobian = np.vstack(changes)
    sizes: Floats = np.sqrt((jacobian**2).sum(axis=0))
    idle: Flags = sizes <= NOTHING * sizes.max(initial=0.0)
    order = _order(sizes, [give_up.index(v) if v in give_up else None for v in places])
    kept, sums = _told_apart(jacobian / np.where(idle, 1.0, sizes), [k for k in order if not idle[k]])
    shares = {k: {i: c * sizes[k] / sizes[i] for i, c in found.items()} for k, found in sums.items()}
    combinations = []
    for i in kept:
        terms = [
            (k, found[i] * radius[places[i]] / radius[places[k]]) for k, found in sorted(shares.items()) if i in found
        ]
        if terms:
            combinations.append(Combination(places[i], tuple((places[k], float(c)) for k, c in terms)))
    found = Determined(
        tuple(sorted(places[k] for k in sums)),
        tuple(places[k] for k in np.flatnonzero(idle)),
        tuple(sorted(combinations, key=lambda combination: combination.kept)),
    )
    if not kept:
        return found
    explained = explained_misses(blocks, numbers, x)
    raw = np.vstack([block * radius[places] for block in slopes])[:, kept]
    if np.isfinite(explained).all() and (explained > 0.0).all():
        raw = raw / explained[:, None]
        return replace(found, weak=_weak(raw, [places[k] for k in kept]), indices=observability(raw))
    return replace(found, indices=observability(jacobian[:, kept]))


def _slopes(rows: Rows, x: Floats, places: Sequence[int]) -> Floats:
    """The slopes of a block; 0 of a row that is not defined there, which says nothing."""
    found = residuals(rows, x, 0.5 * (rows.lower + rows.upper))[1][:, places]
    return np.where(np.isfinite(found.sum(axis=1))[:, None], found, 0.0)


def _of_one_size(changes: list[Floats], units: Sequence[str] | None) -> list[Floats]:
    """Blocks of each unit in parts of the largest change among them: mm do not outweigh rad."""
    named = ["" for _ in changes] if units is None else list(units)
    largest = {
        unit: max(np.abs(c).max(initial=0.0) for c, u in zip(changes, named, strict=True) if u == unit)
        for unit in named
    }
    return [c / (largest[unit] or 1.0) for c, unit in zip(changes, named, strict=True)]


def _order(sizes: Floats, given_up: Sequence[int | None]) -> list[int]:
    """The columns, those first that are rather kept."""

    def rank(k: int) -> tuple[int, int, int]:
        last = given_up[k]
        size = round(float(np.log(sizes[k]) / np.log(ALIKE))) if sizes[k] > 0.0 else 0
        return (0 if last is None else 1, 0 if last is None else -last, -size)

    return sorted(range(sizes.size), key=lambda k: (*rank(k), k))


def _told_apart(columns: Floats, order: Sequence[int]) -> tuple[list[int], dict[int, dict[int, float]]]:
    """The columns (of norm 1) that are told apart, and of each other one the sum of these that it is.

    The triangle of all columns has the same inner products, so that what follows is small. A column is told apart if
    more than rounding is left of it beside those before it; twice projected, because once is not enough.
    """
    triangle = _triangle(columns)
    kept: list[int] = []
    basis = np.zeros((triangle.shape[0], 0))
    rest: list[int] = []
    for k in order:
        left = triangle[:, k].copy()
        for _ in range(2):
            left -= basis @ (basis.T @ left)
        size = float(np.linalg.norm(left))
        if size > RELATIVE:
            basis = np.column_stack([basis, left / size])
            kept.append(k)
        else:
            rest.append(k)
    sums = {}
    for k in rest:
        found = np.linalg.lstsq(triangle[:, kept], triangle[:, k], rcond=None)[0]
        largest = np.abs(found).max(initial=0.0)
        sums[k] = {i: float(c) for i, c in zip(kept, found, strict=True) if abs(c) > SMALL * largest}
    return kept, sums


def _triangle(matrix: Floats) -> Floats:
    """R of Q R: the same inner products of columns in no more rows than columns."""
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)


def _weak(changes: Floats, places: Sequence[int]) -> tuple[Weak, ...]:
    """The directions along which the box changes no row by what its half-widths explain, the weakest first."""
    _, _, directions = np.linalg.svd(_triangle(changes))
    found = []
    for direction in directions[::-1][:MOST]:
        shares = direction / np.abs(direction).max()
        change = float(np.abs(changes @ shares).max())
        if change < 1.0:
            told = [(place, float(s)) for place, s in zip(places, shares, strict=True) if abs(s) > 0.1]
            found.append(Weak(tuple(told), change))
    return tuple(found)
