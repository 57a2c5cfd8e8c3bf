"""Gauss-Seidel on the mean value form of a system, f(c) + S (x - c) in F: interval Newton where it is preconditioned.

S encloses the slopes from the centre c (progressively, so that many entries are taken over thin boxes); x - c solves an
interval linear system, which `gauss_seidel` narrows: by the rows as they are, for any number of equations; or, where
there are at least as many equations as unknowns, after a multiplication by an approximate (left) inverse of the middle
of S. *Keeps* every solution. Reference: Hansen and Sengupta (1981).

Where the equations of a large system have a band, the inverse, which would be full, is left in factors
(`banded`), and the equations are linearised at two corners of the box, too: there x - c has a sign, and with the least
(or the greatest) slopes in place of the middle ones so has what they leave. Whatever all equations say together about
one side of a variable, as in the discretisations of differential equations, is found in a time that grows with the
number of entries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from certify.contractors.checkpoint import checkpoint
from certify.contractors.linear.banded import BandedSystems
from certify.contractors.linear.gauss_seidel import Systems, preconditioned, sweep
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.equations import Equations, finite
from certify.contractors.sparse.band import Band, band_of
from certify.contractors.tape.evaluation import Flags, Floats


def mean_value_systems(equations: Equations, boxes: Boxes) -> tuple[Systems, Boxes, Boxes, Flags]:
    """The equations of each box as linear systems for y = x - c; the boxes of c (points) and of y; and where these are
    usable (elsewhere 0 y = 0).
    """
    lower, upper = boxes.lower, boxes.upper
    usable = boxes.bounded
    low, high = np.where(usable, lower, 0.0), np.where(usable, upper, 0.0)
    centre = np.clip(0.5 * low + 0.5 * high, low, high)
    slope_low, slope_high, known = equations.progressive_slopes(low, high, centre)
    values = equations.values(centre, centre)
    rows = np.flatnonzero(np.isfinite(equations.lower) & np.isfinite(equations.upper))
    f_low, f_high = values.lower[rows], values.upper[rows]
    usable &= known & values.defined & np.isfinite(f_low).all(axis=0) & np.isfinite(f_high).all(axis=0)
    entries = [
        np.ascontiguousarray(np.moveaxis(np.where(usable, s[rows], 0.0), -1, 0)) for s in (slope_low, slope_high)
    ]
    wanted_low, wanted_high = equations.lower[rows, None], equations.upper[rows, None]
    with np.errstate(over="ignore"):
        right_low, right_high = np.nextafter(wanted_low - f_high, -np.inf), np.nextafter(wanted_high - f_low, np.inf)
    usable &= np.isfinite(right_low).all(axis=0) & np.isfinite(right_high).all(axis=0)
    entries = [np.where(usable[:, None, None], entry, 0.0) for entry in entries]
    right = [np.ascontiguousarray(np.where(usable, ends, 0.0).T) for ends in (right_low, right_high)]
    shifted = Boxes(np.nextafter(low - centre, -np.inf), np.nextafter(high - centre, np.inf))
    return Systems(entries[0], entries[1], right[0], right[1]), Boxes(centre, centre), shifted, usable


@dataclass(frozen=True, eq=False)
class MeanValue:
    """One linearisation; the rows as they are, or preconditioned."""

    equations: Equations
    precondition: bool = True
    changed: int | None = None
    name: str = "interval Newton"
    cost: int = 2
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def near(self, variable: int) -> MeanValue:
        """The same for boxes in which only this variable has changed since they were narrowed."""
        return replace(self, changed=variable)

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        require_nearest()
        band = band_of(self.equations) if self.precondition else None
        if band is not None:
            return _by_band(self.equations, band, boxes, self.changed)
        rows = np.isfinite(self.equations.lower) & np.isfinite(self.equations.upper)
        if rows.sum() < (self.equations.variables if self.precondition else 1):
            return Narrowed(boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_))
        systems, centre, shifted, usable = mean_value_systems(self.equations, boxes)
        if self.precondition:
            systems, regular = preconditioned(systems)
            usable &= regular
        narrowed = sweep(systems, shifted.lower.T, shifted.upper.T, diagonal=self.precondition, sweeps=3)
        low = np.where(usable, np.nextafter(centre.lower + narrowed.lower.T, -np.inf), boxes.lower)
        high = np.where(usable, np.nextafter(centre.lower + narrowed.upper.T, np.inf), boxes.upper)
        return Narrowed(np.maximum(low, boxes.lower), np.minimum(high, boxes.upper), narrowed.empty & usable)


class Near(IntEnum):
    """The matrix whose inverse is used, made from the slopes [S]."""

    MIDDLE = 0
    DOMINANT = 1  # beyond the end of [S] with the larger entry in the diagonal, made diagonally dominant


CENTRE = ((0.5, Near.MIDDLE, None),)
CORNERS = ((0.0, Near.DOMINANT), (1.0, Near.DOMINANT))  # the place of c in the box, and the matrix


def _by_band(equations: Equations, band: Band, boxes: Boxes, changed: int | None) -> Narrowed:
    """One linearisation after the other, each in the box that the one before left.

    If a variable was changed, first what follows from its interval without the equation in its place: elsewhere the
    equations hold on both sides of it.
    """
    low, high, empty = boxes.lower.copy(), boxes.upper.copy(), ~boxes.bounded
    unbounded = empty.copy()
    corners = [(point, near, None) for point, near in CORNERS]
    around = CENTRE if changed is None else [(point, near, changed) for point, near, _ in corners]
    for point, near, fixed in (*around, *corners):
        checkpoint()
        left = np.flatnonzero(~empty)
        if not left.size:
            break
        a, b = _linearised(equations, band, Boxes(low, high).take(left), point, near, fixed)
        alive = (a <= b).all(axis=0)
        low[:, left[alive]], high[:, left[alive]] = a[:, alive], b[:, alive]
        empty[left[~alive]] = True
    return Narrowed(low, high, empty & ~unbounded)


def _dominant(low: Floats, high: Floats, under: int) -> Floats:
    """Bands at or beyond one end of these in each row, so that what they leave has a sign: diagonally dominant, and
    with signs against the diagonal elsewhere if that can be.
    """
    middle = low + high
    middle[:, :, under] = 0.0
    negative = middle.sum(axis=2) > 0.0
    near = np.where(negative[:, :, None], low, high)
    sizes = np.abs(near).sum(axis=2) - np.abs(near[:, :, under])
    diagonal = near[:, :, under]
    near[:, :, under] = np.where(negative, np.minimum(diagonal, -sizes), np.maximum(diagonal, sizes))
    return near


def _linearised(
    equations: Equations, band: Band, boxes: Boxes, point: float, near: Near, fixed: int | None
) -> tuple[Floats, Floats]:
    """The boxes narrowed by their expansions at one point; lower ends above the upper ones where there is no
    solution.
    """
    low, high = boxes.lower, boxes.upper
    centre = low if point == 0.0 else high if point == 1.0 else np.clip(0.5 * low + 0.5 * high, low, high)
    entries, values = equations.progressive_entries(low, high, centre), equations.values(centre, centre)
    usable = finite(entries) & finite(values)
    shifted = [np.nextafter(low - centre, -np.inf), np.nextafter(high - centre, np.inf)]
    for side, where in ((0, centre == low), (1, centre == high)):
        shifted[side][where] = 0.0
    y = [np.ascontiguousarray(ends[band.columns].T) for ends in shifted]
    right = [np.where(usable, -f[band.rows], 0.0).T.copy() for f in (values.upper, values.lower)]
    least, most = (band.filled(np.where(usable, ends, 0.0)) for ends in (entries.lower, entries.upper))
    if fixed is not None:
        place = int(np.flatnonzero(band.columns == fixed)[0])
        for ends in (least, most):
            ends[:, place], ends[:, place, band.under] = 0.0, 1.0
        right[0][:, place], right[1][:, place] = y[0][:, place], y[1][:, place]
    systems = BandedSystems(least, most, band.under, right[0], right[1])
    matrix = 0.5 * least + 0.5 * most if near is Near.MIDDLE else _dominant(least, most, band.under)
    y_low, y_high, usable = systems.images(matrix, y[0], y[1], usable, 3)
    new_low, new_high = low.copy(), high.copy()
    new_low[band.columns] = np.where(usable, np.nextafter(centre[band.columns] + y_low.T, -np.inf), -np.inf)
    new_high[band.columns] = np.where(usable, np.nextafter(centre[band.columns] + y_high.T, np.inf), np.inf)
    return np.maximum(new_low, low), np.minimum(new_high, high)
