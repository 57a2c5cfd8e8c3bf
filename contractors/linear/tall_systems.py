"""A box around all x with lower <= A x <= upper, for a matrix of very many rows: least squares as a contractor.

Let G be any matrix of doubles near the pseudo-inverse of A, c any point, and y = A x, with middles m and radii r. From
x = G y + (I - G A) x follows, with E = G A - I,

    |x - c| <= |G m - c| + |G| r + |E| (|c| + |x - c|)  =  h + |E| |x - c|

and if some v > 0 has h + |E| v <= v, then |E| has a spectral radius below 1 and |x - c| <= v. Where E = 0 this box is
{G y : lower <= y <= upper}'s hull, the closed form of preconditioned Gauss-Seidel on the augmented system of least
squares: one step attains it. It *keeps* every solution, and is centred on the least-squares fit of the middles. No
(N + n)^2 matrix is formed: rows are looked at some at a time.

Where the entries of A are known within radii S, |A - M| <= S, all of this holds of each A with
|E| <= |G M - I| + |G| S; then the box holds all x that some A and y allow, and is no closed form of anything.

`within` narrows y by A times a box first, row by row; then the box may become narrower than the closed form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.evaluation import Floats

RECORDS = 8192  # rows at once
UNIT = 2.0**-53
TINY = 2.0**-1000  # more than what subnormal numbers can miss
WIDER, TURNS = (1 + 2.0**-20, 1.25), 12  # of v, until it is wide enough: first a little, then much


@dataclass(frozen=True, eq=False, slots=True)
class Tall:
    """A, both ends of A x (they may be the same array), what both are widened by, a matrix near (A'A)^-1, and radii of
    A's entries, if they are intervals.
    """

    matrix: Floats
    lower: Floats
    upper: Floats
    base: float
    inverse: Floats
    radius: Floats | None = None

    def pieces(self) -> Iterator[slice]:
        """All rows, some at a time."""
        rows = len(self.matrix)
        return (slice(start, min(start + RECORDS, rows)) for start in range(0, rows, RECORDS))


def least_squares_box(system: Tall, within: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats] | None:
    """Both ends of the box; `within` is a box (middles, radii) in which x is known to be; None if A is nearly singular,
    or no x in it has A x within its ends.
    """
    require_nearest()
    rows, size = system.matrix.shape
    product, sizes = np.zeros((size, size)), np.zeros((size, size))
    image, reach, spread = np.zeros(size), np.zeros(size), np.zeros((size, size))
    unit = 2 * (rows + 20 * size) * UNIT
    for piece in system.pieces():
        part = system.matrix[piece]
        inverse = system.inverse @ part.T
        middles, radii = _ends(system, piece, within)
        if (radii < 0).any():
            return None
        absolute = np.abs(inverse)
        product += inverse @ part
        sizes += absolute @ np.abs(part)
        image += inverse @ middles
        reach += absolute @ (radii + unit * np.abs(middles))
        if system.radius is not None:
            spread += absolute @ system.radius[piece]
    error = np.abs(product - np.eye(size)) * (1 + 4 * UNIT) + unit * (sizes + 1) + spread * (1 + 2 * unit) + TINY
    needed = (reach + error @ np.abs(image)) * (1 + unit + 4 * size * UNIT) + TINY
    radius = _fixed(needed, error)
    if radius is None:
        return None
    lower, upper = np.nextafter(image - radius, -np.inf), np.nextafter(image + radius, np.inf)
    if within is not None:
        middle, half = within
        lower = np.maximum(lower, np.nextafter(middle - half, -np.inf))
        upper = np.minimum(upper, np.nextafter(middle + half, np.inf))
    return lower, upper


def _ends(system: Tall, piece: slice, within: tuple[Floats, Floats] | None) -> tuple[Floats, Floats]:
    """Middles and radii of A x in some rows, outwards."""
    part = system.matrix[piece]
    low = np.nextafter(system.lower[piece] - system.base, -np.inf)
    high = np.nextafter(system.upper[piece] + system.base, np.inf)
    if within is not None:
        middle, half = within
        centre, sizes = part @ middle, np.abs(part) @ (half + 4 * part.shape[1] * UNIT * np.abs(middle))
        if system.radius is not None:
            sizes = sizes + system.radius[piece] @ (np.abs(middle) + half)
        sizes = sizes * (1 + 4 * (part.shape[1] + 4) * UNIT) + 2 * UNIT * np.abs(centre) + TINY
        low = np.maximum(low, np.nextafter(centre - sizes, -np.inf))
        high = np.minimum(high, np.nextafter(centre + sizes, np.inf))
    middles = low / 2 + high / 2
    return middles, np.nextafter(np.maximum(high - middles, middles - low), np.inf)


def _fixed(needed: Floats, error: Floats) -> Floats | None:
    """v with needed + error v <= v."""
    radius = needed
    for turn in range(2 * TURNS):
        again = (needed + error @ radius) * (1 + 4 * (len(needed) + 2) * UNIT)
        if not np.isfinite(again).all():
            return None
        if (again <= radius).all():
            return radius
        radius = again * WIDER[turn >= TURNS]
    return None
