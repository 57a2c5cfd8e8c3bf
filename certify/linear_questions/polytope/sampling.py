"""Points of a polytope by a random walk, and how much of a box it fills. Estimated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.problems.regressors.regressor import Floats

CHAINS, STEPS = 64, 25  # walks side by side, and their steps for each dimension
SEED = 1


@dataclass(frozen=True, eq=False)
class Slab:
    """normals . u <= left, around the point 0, which lies inside."""

    normals: Floats
    left: Floats


def points_inside(body: Slab, check: Callable[[], None]) -> Floats:
    """Points of walks from 0: each step along a random direction to a random place between both ends (hit and run)."""
    chance = np.random.default_rng(SEED)
    size = body.normals.shape[1]
    return np.vstack(list(_walk(body, np.zeros((CHAINS, size)), STEPS * size, chance, check)))


def _walk(
    body: Slab, points: Floats, steps: int, chance: np.random.Generator, check: Callable[[], None]
) -> list[Floats]:
    """Every tenth turn of all walks. Directions are differences of the walks, which know how long the body is where."""
    found, size = [points.copy()], points.shape[1]
    left = np.maximum(body.left, 0.0)
    for turn in range(steps):
        check()
        ways = chance.normal(size=points.shape)
        if turn > size:
            pairs = chance.integers(0, len(points), (len(points), 2))
            ways = points[pairs[:, 0]] - points[pairs[:, 1]] + 1e-3 * ways * points.std(axis=0)
        speed, spare = ways @ body.normals.T, np.maximum(left - points @ body.normals.T, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            length = spare / speed
        ahead = np.where(speed > 0, length, np.inf).min(axis=1)
        behind = np.where(speed < 0, length, -np.inf).max(axis=1)
        far = np.isfinite(ahead) & np.isfinite(behind)
        step = np.where(far, behind + (ahead - behind) * chance.random(len(points)), 0.0)
        points = points + step[:, None] * ways
        if turn >= steps // 4 and turn % 10 == 0:
            found.append(points.copy())
    return found


def estimated_share(body: Slab, first: int, check: Callable[[], None]) -> float:
    """The share of the polytope of the first rows that all rows leave: the product over the other rows, one after the
    other, of the share of points that the next one leaves.
    """
    chance, share = np.random.default_rng(SEED), 1.0
    size = body.normals.shape[1]
    for last in range(first, len(body.left)):
        part = Slab(body.normals[:last], body.left[:last])
        points = np.vstack(_walk(part, np.zeros((CHAINS, size)), STEPS * size, chance, check)[1:])
        share *= float((points @ body.normals[last] <= body.left[last]).mean())
    return share
