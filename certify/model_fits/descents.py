"""Where a fit begins and ends, by estimate: descents from the start, and from beside it.

Parameters that seem to enter linearly are best at once wherever the others stand. So the others are tried at 1/100 to
100 times their start, and from the best of these places descents go on; steps of any length, and steps that are too
short to jump over a minimum.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.levenberg_marquardt import Descended
from certify.solvers.fits.plain_fit import least_squares, residuals

STEPS, FEW_STEPS = 2000, 6
STEP = 0.1  # of the size of the start's numbers
SAME = 1e-9  # of slopes
FACTORS = (0.01, 0.1, 1.0, 10.0, 100.0)  # times the start
MOST, ROWS = 125, 2000  # places that are tried; observations for which that is quick
BEST = 3  # places from which descents begin
ALIKE = 1e-6  # of a sum of squares


def descended(rows: Rows, start: Floats, within: tuple[Floats, Floats] | None = None) -> Floats:
    """The best point that was found, inside a box if there is one and any lies there; the start if none was."""
    with np.errstate(all="ignore"):
        size = np.where(start == 0.0, 1.0, np.abs(start))
        found = [_descent(rows, begin, longest) for begin in _begins(rows, start) for longest in (None, STEP * size)]
    usable = [one for one in found if np.isfinite(one.x).all() and np.isfinite(one.cost)]
    inside = [one for one in usable if within is None or ((within[0] < one.x) & (one.x < within[1])).all()]
    if not usable:
        return start
    first = _descent(rows, start, None, 0)
    best = min(inside or usable, key=lambda one: (not one.stationary, one.cost))
    slack = ALIKE * best.cost + (ALIKE**3 * first.cost if np.isfinite(first.cost) else 0.0)
    alike = [one for one in inside or usable if one.stationary == best.stationary and one.cost <= best.cost + slack]
    return alike[0].x  # of minima with exchanged terms the one from the start


def _descent(rows: Rows, start: Floats, longest: Floats | None, steps: int = STEPS) -> Descended:
    return least_squares([rows], (0,), start, steps, longest)


def _begins(rows: Rows, start: Floats) -> list[Floats]:
    """The start, and the best places beside it."""
    linear = _linear(rows, start)
    others = np.flatnonzero(~linear)
    if rows.count > ROWS or not others.size:
        return [start]
    every = len(FACTORS) ** others.size
    random = np.random.default_rng(0)
    factors = (
        np.array(list(product(FACTORS, repeat=others.size)))
        if every <= MOST
        else random.choice(FACTORS, size=(MOST, others.size))
    )
    places = []
    for row in np.vstack([np.ones(others.size), factors]):
        begin = start.copy()
        begin[others] *= row
        places.append(_descent(rows, begin, np.where(linear, np.inf, 0.0), FEW_STEPS))
    return [
        start,
        *(place.x for place in sorted(places, key=lambda place: np.nan_to_num(place.cost, nan=np.inf))[:BEST]),
    ]


def _linear(rows: Rows, start: Floats) -> NDArray[np.bool_]:
    """Parameters in which the model seems to be linear, all together: there the slopes do not change with them."""
    middle = 0.5 * (rows.lower + rows.upper)
    moved = start + np.where(start == 0.0, 1.0, 0.5 * start)
    linear = np.zeros(start.size, dtype=np.bool_)
    for place in range(start.size):
        linear[place] = True
        first, second = (
            residuals(rows, point, middle)[1][:, linear] for point in (start, np.where(linear, moved, start))
        )
        linear[place] = np.allclose(first, second, rtol=SAME, atol=SAME * np.abs(first).max(initial=0.0))
    return linear
