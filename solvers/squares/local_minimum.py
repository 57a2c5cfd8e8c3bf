"""The neighbourhood of a least-squares minimum, estimated: the polished point, how far the rows determine each unknown,
and the boxes in which the minimum should be provably alone.

With J half the Hessian of F at the minimum z, F rises by t^2 at least on the faces x_j = z_j +- t sqrt((J^-1)_jj).
These roots are the units here, rounded to powers of two: the boxes have the shape that the rows give them, whatever the
user's units are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.solvers.squares.square_forms import SquareRows

POLISHES = 4  # Newton steps
FLAT = 1e-14  # an eigenvalue of the Hessian with diagonal 1 below this is rounding
HALVINGS = 80  # from the widest box: more than doubles can show
INVERSE_BITS = 24  # of an entry of the inverse
NO_DIFFERENCE = 0.01  # of a box's half-widths
# of its half-widths: a box that Krawczyk's operator should map into so much of itself leaves the checker some room
CONTRACTED = 0.9
SHARPER = 22  # halvings from the widest box to the one that shows the minimum's digits
GRID = 12  # bits of a half-width to which the middle of the sharp box is rounded


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The estimated minimum, an estimated inverse of half the Hessian, the unit of each unknown, and the exponents of
    boxes that may be proved.

    A box of exponent k has the half-widths 2^k units. `widest` should pass Krawczyk's test, `sharpest` still holds the
    minimum.
    """

    point: Floats
    inverse: Floats
    units: Floats
    widest: int
    sharpest: int

    def box(self, exponent: int) -> tuple[Floats, Floats]:
        """The ends of the box of an exponent: doubles whose middle is the same short number for all."""
        grid = self.units * 2.0 ** (self.sharpest - GRID)
        middle, radius = np.round(self.point / grid) * grid, self.units * 2.0**exponent
        return middle - radius, middle + radius


def neighbourhood(rows: SquareRows, start: Floats, radius: Floats) -> Neighbourhood | None:
    """The minimum near the start; None if the sum of squares is flat or bent downwards there, so that there is no
    strict minimum to first order.

    `radius` are the half-widths of the search box: a box that is wider in every unknown is not looked at.
    """
    point, step = start, np.zeros_like(start)
    for _ in range(POLISHES):
        inverse = _inverse(rows, point)
        if inverse is None:
            return None
        step = -inverse @ rows.half_gradient(point)
        point = point + step
    inverse = _inverse(rows, point)
    if inverse is None:
        return None
    units = 2.0 ** np.round(0.5 * np.log2(np.diag(inverse)))
    with np.errstate(divide="ignore"):
        first = int(np.ceil(np.log2(np.max(radius / units, initial=2.0**-1000))))
        moved = int(np.ceil(np.log2(np.max(np.maximum(np.abs(step), 4.0 * np.spacing(np.abs(point))) / units))))
    inverse = _short(rows, point, inverse, units)
    widest = _widest(rows, point, inverse, units, first)
    return Neighbourhood(point, inverse, units, widest, min(max(widest - SHARPER, moved + 2), widest))


def _inverse(rows: SquareRows, point: Floats) -> Floats | None:
    """The inverse of half the Hessian at a point; None if that is not positive definite, but for rounding."""
    low, high = rows.half_hessian(point, np.zeros_like(point))
    hessian = 0.5 * (low + high)
    diagonal = np.diag(hessian)
    if not (np.isfinite(hessian).all() and (diagonal > 0.0).all()):
        return None
    scale = 1.0 / np.sqrt(diagonal)
    values, axes = np.linalg.eigh(hessian * scale[:, None] * scale)
    if not values[0] > FLAT * len(values):
        return None
    return np.asarray((axes / values) @ axes.T * scale[:, None] * scale)


def _short(rows: SquareRows, point: Floats, inverse: Floats, units: Floats) -> Floats:
    """The inverse with few bits, if that makes no difference; all where the unknowns trade off against each other
    almost perfectly.
    """
    mantissa, exponent = np.frexp(inverse)
    rounded = np.ldexp(np.round(np.ldexp(mantissa, INVERSE_BITS)), exponent - INVERSE_BITS)
    hessian = np.abs(rows.half_hessian(point, np.zeros_like(point))[0])
    return rounded if (np.abs(rounded - inverse) @ hessian @ units < NO_DIFFERENCE * units).all() else inverse


def _widest(rows: SquareRows, point: Floats, inverse: Floats, units: Floats, first: int) -> int:
    """The largest exponent, from the first downwards, at which Krawczyk's operator should map the box into itself,
    found by bisection.
    """

    def contracts(exponent: int) -> bool:
        low, high = rows.half_hessian(point, units * 2.0**exponent)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return False
        moved = np.abs(np.eye(len(units)) - inverse @ (0.5 * (low + high))) + np.abs(inverse) @ (0.5 * (high - low))
        return bool((moved @ units < CONTRACTED * units).all())

    if contracts(first):
        return first
    good, bad = first - HALVINGS, first
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if contracts(middle) else (good, middle)
    return good
