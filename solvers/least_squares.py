"""Classical calibration: Levenberg-Marquardt on the rows at given measurements, min_x sum_k r_k(x, M_k)^2.

An estimate, as every robot calibration ends with; what it is worth is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contractors.derivative import gradient
from contractors.evaluation import Floats, evaluate
from contractors.rows import Rows


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
    middles = {n: 0.5 * (blocks[n].lower + blocks[n].upper) for n in numbers}

    def system(x: Floats) -> tuple[Floats, Floats]:
        parts = [residuals(blocks[n], x, middles[n]) for n in numbers]
        return np.concatenate([v for v, _ in parts]), np.vstack([s for _, s in parts])[:, places]

    x = np.array(start, dtype=np.float64)
    values, slopes = system(x)
    damping = 1e-3
    for _ in range(steps):
        scale = np.sqrt((slopes**2).sum(axis=0)) + 1e-12
        augmented = np.vstack([slopes, np.diag(np.sqrt(damping) * scale)])
        step = np.linalg.lstsq(augmented, np.concatenate([-values, np.zeros(len(places))]), rcond=None)[0]
        trial = x.copy()
        trial[places] += step
        new_values, new_slopes = system(trial)
        if new_values @ new_values <= values @ values:
            x, values, slopes, damping = trial, new_values, new_slopes, damping / 10.0
            if np.abs(step).max() <= 1e-11 * (1.0 + np.abs(x).max()):
                break
        elif damping > 1e12:
            break
        else:
            damping *= 10.0
    return x
