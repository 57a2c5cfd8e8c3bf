"""Which rigid motion follows the parameters: the one that leaves least of a deviation, to first order. Estimated.

    minimise the largest over q of |(J_q + A_q W) P^(1/2)|       over the matrices W

J_q are the slopes of the deviation for the parameters, A_q what a small motion does at q, W the motion of each
parameter, and P about the shape of the set of consistent parameters. For weights of the q whose sum is fixed the W that
makes the weighted sum of squares least is that of least squares, whatever P is; the weights follow what is left.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import frexp, ldexp

import numpy as np

from certify.alignment.motions import ANGLE, AXES, FRAME, Motion
from certify.contractors.tape.evaluation import Floats

ROUNDS = 40
BITS = 24  # of a number of the motion


def chosen_motion(
    kind: str, slopes: Floats, places: Floats, shape: Floats, per_radian: float, held: Collection[int]
) -> Motion:
    """For slopes (points, components, parameters) of a deviation at these places (points, components): of a frame in so
    many units to a radian.
    """
    centre = np.round(places.mean(axis=0)) if places.size else np.zeros(0)
    acts = _acts(kind, slopes.shape[1], places - centre, per_radian)
    slopes = slopes.copy()
    slopes[:, :, sorted(held)] = 0.0
    motion = _least(acts, slopes, _root(shape))
    turns = 0 if kind == ANGLE else motion.shape[0] if kind == FRAME else len(AXES[slopes.shape[1]])
    rows = [tuple(_short(value) for value in row) for row in motion.tolist()]
    return Motion(kind, tuple(rows[:turns]), tuple(rows[turns:]), tuple(Fraction(value) for value in centre.tolist()))


def _acts(kind: str, size: int, arms: Floats, per_radian: float) -> Floats:
    """What a small turn about each axis and a shift along each does at each place (points, components, motions)."""
    count, shifts = len(arms), np.eye(size)
    if kind == FRAME:
        return np.broadcast_to(per_radian * np.eye(3), (count, 3, 3))
    turns = np.zeros((count, size, 0))
    if kind != ANGLE:
        axes = AXES[size]
        turns = np.zeros((count, size, len(axes)))
        for k, axis in enumerate(axes):
            i, j = ((axis + 1) % 3, (axis + 2) % 3) if size == 3 else (0, 1)
            turns[:, i, k], turns[:, j, k] = -arms[:, j], arms[:, i]
    return np.concatenate([turns, np.broadcast_to(shifts, (count, size, size))], axis=2)


def _least(acts: Floats, slopes: Floats, root: Floats) -> Floats:
    """The motion of each parameter (motions, parameters)."""
    weights, best, kept = np.full(len(acts), 1.0 / len(acts)), np.inf, np.zeros((acts.shape[2], slopes.shape[2]))
    for _ in range(ROUNDS):
        scaled = np.sqrt(weights)[:, None, None]
        matrix, wanted = (scaled * acts).reshape(-1, acts.shape[2]), (scaled * slopes).reshape(-1, slopes.shape[2])
        motion = -np.linalg.lstsq(matrix, wanted, rcond=None)[0]
        left = np.linalg.norm((slopes + acts @ motion) @ root, ord=2, axis=(1, 2))
        if left.max() < best:
            best, kept = float(left.max()), motion
        total = float(weights @ left)
        if total <= 0.0:
            break
        weights = weights * left / total
    return kept


def _root(shape: Floats) -> Floats:
    """A matrix R with R R^T = shape."""
    values, vectors = np.linalg.eigh(shape)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _short(value: float) -> Fraction:
    mantissa, exponent = frexp(value)
    return Fraction(ldexp(round(mantissa * 2**BITS), exponent - BITS))
