"""Classical calibration: Levenberg-Marquardt on the rows at given measurements, min_x sum_k r_k(x, M_k)^2.

An estimate, as every robot calibration ends with; what it is worth is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.model.model import Binding
from certify.solvers.fits.levenberg_marquardt import Descended, System, minimise


def residuals(rows: Rows, x: Floats, measured: Floats, undefined: float = 0.0) -> tuple[Floats, Floats]:
    """Values and slopes (rows, variables) of one block at x and point measurements (inputs, K); the value of a row that
    is not defined there, or too large for a double, is `undefined`.
    """
    enclosure = evaluate(gradient(rows.tape), *rows.with_box(x, x, measured, measured))
    middle = enclosure.estimated_middle
    slopes = np.zeros((rows.count, x.size))
    for i in rows.unknown_inputs:
        slopes[:, rows.unknowns[i]] += middle[1 + i]
    finite = np.isfinite(enclosure.lower[0]) & np.isfinite(enclosure.upper[0])
    return np.where(finite, middle[0], undefined), slopes


def measured_slopes(rows: Rows, bindings: Sequence[Binding], x: Floats) -> dict[int, Floats]:
    """The slopes of each row at x and the middles of its measurements for what is measured, by the number of the
    column; not finite where they are not defined.
    """
    middle = 0.5 * (rows.lower + rows.upper)
    enclosure = evaluate(gradient(rows.tape), *rows.with_box(x, x, middle, middle))
    slopes = np.where(enclosure.defined, 0.5 * (enclosure.lower[1:] + enclosure.upper[1:]), np.nan)
    found: dict[int, Floats] = {}
    for binding, own in zip(bindings, slopes, strict=True):
        if binding.measured:
            found[binding.index] = found.get(binding.index, 0.0) + own
    return found


def places_of(blocks: Sequence[Rows], numbers: tuple[int, ...], longest: Floats | None = None) -> list[int]:
    """The variables that these blocks read, but for those that may not move at all."""
    read = {int(p) for n in numbers for p in blocks[n].places}
    return sorted(p for p in read if longest is None or longest[p] > 0.0)


def system_of(blocks: Sequence[Rows], numbers: tuple[int, ...], start: Floats, places: list[int]) -> System:
    """The rows of these blocks, one block after the other, at the middles of the measurement boxes, in the variables at
    `places`.
    """
    x = np.array(start, dtype=np.float64)
    middles = {n: 0.5 * (blocks[n].lower + blocks[n].upper) for n in numbers}

    def system(values: Floats) -> tuple[Floats, Floats]:
        x[places] = values
        parts = [residuals(blocks[n], x, middles[n], np.inf) for n in numbers]
        return np.concatenate([v for v, _ in parts]), np.vstack([s for _, s in parts])[:, places]

    return system


def least_squares(
    blocks: Sequence[Rows], numbers: tuple[int, ...], start: Floats, steps: int = 100, longest: Floats | None = None
) -> Descended:
    """Estimated least-squares solution from `start`; `x` has all variables, those that the blocks do not read as they
    were.

    `longest` is how far each variable may go in one step: its radius, say.
    """
    places = places_of(blocks, numbers, longest)
    found = minimise(
        system_of(blocks, numbers, start, places), start[places], steps, None if longest is None else longest[places]
    )
    x = np.array(start, dtype=np.float64)
    x[places] = found.x
    return replace(found, x=x)


def fit(
    blocks: Sequence[Rows], numbers: tuple[int, ...], start: Floats, steps: int = 100, longest: Floats | None = None
) -> Floats:
    """The variables of `least_squares`."""
    return least_squares(blocks, numbers, start, steps, longest).x
