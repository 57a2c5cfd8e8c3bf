"""What measurements determine, and what they do not: which parameters cannot be told apart, and the combinations of
them that the measurements do determine. An estimate, to first order at a point.

A column J_j says how all rows change if parameter j goes from the middle to the end of its box, each row in parts of
what its half-widths explain. The columns are taken in turn, those that change most first, because what is known best
beforehand is best given up; what the caller names comes last. A column is kept if something is left of it beside those
kept before,

    J_j = sum_i c_ij J_i + rest,        so that x_i + sum_j c_ij x_j is determined, and x_j may be what it likes,

*redundant*, where the rest is rounding, or changes no row by more than a quarter of what half-widths explain. (Axes
that are parallel in the blueprint and nearly so in the robot leave a little.) A parameter that changes no row by as
much is *idle*. Of what is kept, directions are *weak* along which the whole box changes no row by more than half-widths
explain. The box and the half-widths are the only units, so that mm and m, deg and rad say the same; where a row has no
half-widths, rows are compared with the largest change in their unit, and only rounding is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.advice.observability import Observability, observability
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.fits.robust_fit import explained_misses
from certify.solvers.linear_estimates.ellipsoid import triangle

NOTHING = 1e-13  # of the largest change: rounding
RELATIVE = 1e-9  # of a column: the same beside the kept ones
FAINT = 0.25  # of what half-widths explain
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
    missed: Sequence[float] | None = None,
) -> Determined:
    """What these blocks determine at x; variables with the half-width 0 are known. `give_up` are variables that are
    rather given up than others, the first one first; `units` are those of the blocks, if not all are in one. What a
    fit has `missed` the rows of each block by, typically, hides a change as half-widths do.
    """
    numbers = tuple(numbers)
    places = sorted({int(place) for n in numbers for place in blocks[n].places if radius[place] > 0.0})
    changes = [_slopes(blocks[n], x, places) * radius[places] for n in numbers]
    explained = explained_misses(blocks, numbers, x)
    if missed is not None:
        explained = np.maximum(explained, np.repeat(missed, [blocks[n].count for n in numbers]))
    natural = bool(np.isfinite(explained).all() and (explained > 0.0).all())
    columns = np.vstack(changes) / explained[:, None] if natural else np.vstack(_of_one_size(changes, units))
    sizes: Floats = np.sqrt((columns**2).sum(axis=0))
    faint = FAINT if natural else 0.0
    idle = (sizes <= NOTHING * sizes.max(initial=0.0)) | (np.abs(columns).max(axis=0, initial=0.0) <= faint)
    order = [k for k in _order(sizes, [give_up.index(v) if v in give_up else None for v in places]) if not idle[k]]
    kept, sums = _told_apart(columns, order, faint)
    found = Determined(
        tuple(sorted(places[k] for k in sums)),
        tuple(places[k] for k in np.flatnonzero(idle)),
        tuple(_combinations(kept, sums, places, radius)),
    )
    if not kept:
        return found
    weak = _weak(columns[:, kept], [places[k] for k in kept]) if natural else ()
    return replace(found, weak=weak, indices=observability(columns[:, kept]))


def _combinations(
    kept: Sequence[int], sums: Mapping[int, Mapping[int, float]], places: Sequence[int], radius: Floats
) -> Iterator[Combination]:
    """What is determined in place of what is kept, in the variables' own units."""
    for i in sorted(kept):
        size = radius[places[i]]
        terms = [(places[k], float(c[i] * size / radius[places[k]])) for k, c in sorted(sums.items()) if i in c]
        if terms:
            yield Combination(places[i], tuple(terms))


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


def _told_apart(columns: Floats, order: Sequence[int], faint: float) -> tuple[list[int], dict[int, dict[int, float]]]:
    """The columns that are told apart, and of each other one the sum of these that it is (nearly).

    What is left of a column beside those before it is found by projecting twice, because once is not enough.
    """
    kept: list[int] = []
    rest: list[int] = []
    basis = np.zeros((columns.shape[0], 0))
    for k in order:
        left = columns[:, k].copy()
        for _ in range(2):
            left -= basis @ (basis.T @ left)
        size = float(np.linalg.norm(left))
        if size > RELATIVE * float(np.linalg.norm(columns[:, k])) and np.abs(left).max() > faint:
            basis = np.column_stack([basis, left / size])
            kept.append(k)
        else:
            rest.append(k)
    sums = {}
    for k in rest:
        found = np.linalg.lstsq(columns[:, kept], columns[:, k], rcond=None)[0]
        parts = np.abs(found) * np.abs(columns[:, kept]).max(axis=0)  # what each of them changes
        told = parts > np.maximum(SMALL * parts.max(initial=0.0), faint)
        sums[k] = {i: float(c) for i, c, said in zip(kept, found, told, strict=True) if said}
    return kept, sums


def _weak(changes: Floats, places: Sequence[int]) -> tuple[Weak, ...]:
    """The directions along which the box changes no row by what its half-widths explain, the weakest first."""
    _, _, directions = np.linalg.svd(triangle(changes))
    found = []
    for direction in directions[::-1][:MOST]:
        shares = direction / np.abs(direction).max()
        change = float(np.abs(changes @ shares).max())
        if change < 1.0:
            told = [(place, float(s)) for place, s in zip(places, shares, strict=True) if abs(s) > 0.1]
            found.append(Weak(tuple(told), change))
    return tuple(found)
