"""The rigid motion that brings points nearest to others, p -> R p + t with det R = 1 (Kabsch 1976): an estimate.

A table may be given in a frame that is turned against the blueprint's. With its points brought to where the model says
that they are, a fit from the blueprint need not find the frame first, and what it misses does not depend on the frame.
"""

from __future__ import annotations

import numpy as np

from certify.contractors.tape.evaluation import Floats

ROUNDS = 3
NEAR = 3.0  # times the median distance: points further away do not take part in the next round


def aligned(points: Floats, targets: Floats) -> Floats:
    """The points (n, d), moved as a whole next to the targets; a minority of wrong ones does not count."""
    kept, moved = np.isfinite(targets).all(axis=1), points
    if not kept.any():
        return points
    for _ in range(ROUNDS):
        origin, place = points[kept].mean(axis=0), targets[kept].mean(axis=0)
        left, _, right = np.linalg.svd((points[kept] - origin).T @ (targets[kept] - place))
        turn = np.ones(points.shape[1])
        turn[-1] = np.sign(np.linalg.det(left @ right))
        moved = (points - origin) @ ((left * turn) @ right) + place
        distances = np.linalg.norm(np.nan_to_num(moved - targets, nan=np.inf), axis=1)
        kept = distances <= NEAR * np.median(distances)
    return moved
