"""Classical calibration: Levenberg-Marquardt on the rows at given measurements, min_x sum_k r_k(x, M_k)^2.

An estimate, as every robot calibration ends with; what it is worth is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contractors.derivative import gradient
from contractors.evaluation import Floats, evaluate
from contractors.rows import Rows
from solvers.levenberg_marquardt import minimise


def residuals(rows: Rows, x: Floats, measured: Floats) -> tuple[Floats, Floats]:
    """Values and slopes (rows, variables) of one block at x and point measurements (inputs, K)."""
    enclosure = evaluate(gradient(rows.tape), *rows.with_box(x, x, measured, measured))
    middle = enclosure.estimated_middle
    slopes = np.zeros((rows.count, x.size))
    for i in rows.unknown_inputs:
        slopes[:, rows.unknowns[i]] += middle[1 + i]
    return middle[0], slopes


def fit(blocks: Sequence[Rows], numbers: tuple[int, ...], start: Floats, steps: int = 100) -> Floats:
    """Estimated least-squares solution at the middles of the measurement boxes, from `start`; other variables keep their value."""
    places = sorted({int(p) for n in numbers for p in blocks[n].places})
    x = np.array(start, dtype=np.float64)
    middles = {n: 0.5 * (blocks[n].lower + blocks[n].upper) for n in numbers}

    def system(values: Floats) -> tuple[Floats, Floats]:
        x[places] = values
        parts = [residuals(blocks[n], x, middles[n]) for n in numbers]
        return np.concatenate([v for v, _ in parts]), np.vstack([s for _, s in parts])[:, places]

    x[places] = minimise(system, x[places], steps).x
    return x
