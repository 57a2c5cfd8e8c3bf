"""The least-squares solution of A b = y, and what encloses it, for point matrices of very many rows.

Let T be near R^-1, A = QR, and Y = A T. Then with M = Y'Y, |M - I| <= h < 1 in the norm of row sums, and t any point,

    b - t = T M^-1 T' g,   g = A'(y - A t),   |M^-1 v - v| <= h / (1 - h) |v|   (Euclidean norms; |.|_2 <= row sums),

so every b_j is (T T' g)_j up to  |T_j| h / (1 - h) |T' g|,  |T_j| the norm of T's row. M is computed from rounded rows
of Y: row k errs by  2 p u |a_k| |T|  at most, so that |M - I| takes 2 e |Y| + e^2 more, e^2 the sum over the rows.
Errors d of the residuals change T'g by Y'd, |Y'd| <= sqrt(1 + h) |d|: they do not meet A's condition a second time.
The least sum is |rho|^2 - v'M^-1 v, v = T'g, and (A'A)^-1 = T M^-1 T'. The columns are scaled by powers of two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.evaluation import Floats
from certify.solvers.tall_squares.compensated import residual_products

RECORDS = 16384  # rows at once
U = 2.0**-53
UP = 1.0 + 2.0**-20  # more than what rounding takes from a few sums of radii
TINY = 2.0**-900
TURNS = 2  # the second one begins at the solution
NEAR = 0.1  # of h: beyond that nothing is said
LARGEST = 2.0**400  # of a number after scaling


@dataclass(frozen=True, eq=False)
class Enclosed:
    """b in the middles +- radius (p,), the least sum of squares in its ends, (A'A)^-1 in middles and radii (p, p)."""

    middle: tuple[Floats, Floats]  # pairs of doubles (2, p), and what is added to their sums
    radius: Floats
    least: tuple[float, float]
    inverse: tuple[Floats, Floats]


def enclosed_squares(matrix: Floats, right: Floats) -> Enclosed | None:
    """None if the columns are too nearly dependent, or numbers too large or small."""
    require_nearest()
    scale, largest = _scale(matrix), float(np.abs(right).max(initial=0.0))
    if scale is None or not (largest == 0.0 or 1.0 / LARGEST < largest < LARGEST):  # squares would underflow
        return None
    with np.errstate(all="ignore"):
        return _enclosed(np.ascontiguousarray(matrix), np.ascontiguousarray(right), scale)


def _scale(matrix: Floats) -> Floats | None:
    """Powers of two for the columns, so that their largest numbers are near 1; None where that is not possible."""
    most = np.maximum(matrix.max(axis=0), -matrix.min(axis=0))
    if not (np.isfinite(most).all() and (most > 1.0 / LARGEST).all() and (most < LARGEST).all()):
        return None
    return np.asarray(2.0 ** -np.round(np.log2(most)))


def _enclosed(matrix: Floats, right: Floats, scale: Floats) -> Enclosed | None:
    rows, size = matrix.shape
    turn: Floats = np.asarray(np.linalg.inv(_triangle(matrix, scale)), dtype=np.float64)
    near = _apart(matrix, scale, turn)
    if not near < NEAR:
        return None
    turn = turn * scale[:, None]  # exactly: by powers of two
    point, residual = np.zeros((2, size)), np.empty(rows)
    for turns in range(TURNS):
        products = residual_products(matrix, right, point[0], point[1], residual)
        if turns < TURNS - 1:
            point = _moved(point, turn @ (turn.T @ products[0] + turn.T @ products[1]))
    found = _concluded(turn, point, products, residual, near)
    return found if np.isfinite(found.radius).all() and np.isfinite(found.least[1]) else None


def _triangle(matrix: Floats, scale: Floats) -> Floats:
    """R of the scaled matrix, by estimate: of one piece after the other, each below the R of those before."""
    triangle: Floats = np.zeros((0, matrix.shape[1]))
    for start in range(0, len(matrix), RECORDS):
        part = np.vstack([triangle, matrix[start : start + RECORDS] * scale])
        triangle = np.asarray(np.linalg.qr(part, mode="r"), dtype=np.float64)
    return triangle


def inverse_of_squares(matrix: Floats, radius: Floats) -> tuple[Floats, Floats] | None:
    """Middles and radii of (A'A)^-1 for all matrices A within radii of this one; None as above."""
    require_nearest()
    scale = _scale(matrix)
    if scale is None or len(matrix) < matrix.shape[1]:
        return None
    with np.errstate(all="ignore"):
        turn: Floats = np.asarray(np.linalg.inv(_triangle(matrix, scale)), dtype=np.float64)
        near = _apart(matrix, scale, turn)
        turned = np.abs(turn)
        off = sum(
            float((((part * scale) @ turned) ** 2).sum()) for part in np.array_split(radius, len(radius) // RECORDS + 1)
        )
        off = math.sqrt(off) * UP + TINY  # of the rows of A T, in Frobenius' norm
        near = (near + 2.0 * off * math.sqrt(1.0 + near) + off * off) * UP if near < NEAR else np.inf
        if not near < NEAR:
            return None
        return _inverse(turn * scale[:, None], near)


def _inverse(turn: Floats, near: float) -> tuple[Floats, Floats]:
    """(A'A)^-1 = T M^-1 T'."""
    lengths = np.sqrt((turn * turn).sum(axis=1)) * UP
    share = near / (1.0 - near) * UP + 4 * (len(turn) + 2) * U
    return turn @ turn.T, share * lengths[:, None] * lengths * UP + TINY


def _apart(matrix: Floats, scale: Floats, turn: Floats) -> float:
    """h; not finite, or large, where nothing can be said."""
    rows, size = matrix.shape
    if not np.isfinite(turn).all():
        return np.inf
    product, squares = np.zeros((size, size)), 0.0
    for start in range(0, rows, RECORDS):
        part = matrix[start : start + RECORDS] * scale
        turned = part @ turn
        product += turned.T @ turned
        squares += float((part * part).sum())
    norms = np.sqrt(np.diag(product)) * UP
    rounded = 2 * (rows + size) * U * norms[:, None] * norms
    turns = float((turn * turn).sum())
    off = 2 * size * U * np.sqrt(squares * (1 + 4 * rows * size * U) * turns) * UP + TINY
    whole = 2.0 * off * np.sqrt(float(np.diag(product).sum()) * UP) + off * off
    return float(((np.abs(product - np.eye(size)) + rounded).sum(axis=1).max() + whole + 4 * size * U) * UP)


def _moved(point: Floats, step: Floats) -> Floats:
    """The pair plus a step, as a pair again."""
    high = point[0] + step
    back = high - point[0]
    low = (point[0] - (high - back)) + (step - back) + point[1]
    top = high + low
    return np.array([top, low - (top - high)])


def _concluded(
    turn: Floats, point: Floats, products: tuple[Floats, Floats, Floats, float], residual: Floats, near: float
) -> Enclosed:
    total, lost, sizes, greatest = products
    rows, size = len(residual), len(total)
    squared = math.fsum((residual * residual).tolist())
    length = math.sqrt(squared) * UP
    missed = 4 * U * length + (4 * (size + 4) * U) ** 2 * math.sqrt(rows) * greatest * UP + TINY  # of the residuals
    unsummed = (4 * rows * U) ** 2 * sizes * UP + TINY
    v = turn.T @ total + turn.T @ lost
    rounded = np.abs(turn).T @ (unsummed + 4 * (size + 2) * U * (np.abs(total) + np.abs(lost)))
    doubt = (_length(rounded) + missed * (1.0 + near)) * UP
    most = (_length(v) + doubt) * UP
    share = near / (1.0 - near) * UP
    lengths = np.sqrt((turn * turn).sum(axis=1)) * UP
    step = turn @ v
    radius = (lengths * (doubt + share * most) + 4 * (size + 2) * U * (np.abs(turn) @ np.abs(v))) * UP + TINY
    least = max(math.sqrt(squared) * (1.0 - 8 * U) - missed, 0.0) ** 2 * (1.0 - 8 * U) - most**2 / (1.0 - near) * UP
    up_to = (math.sqrt(squared) * (1.0 + 8 * U) + missed) ** 2 * (1.0 + 8 * U)
    return Enclosed((point, step), radius, (max(least, 0.0), up_to), _inverse(turn, near))


def _length(vector: Floats) -> float:
    return float(np.sqrt((vector * vector).sum())) * UP
