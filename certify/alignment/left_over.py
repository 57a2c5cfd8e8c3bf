"""What at least is left between two sets of poses after the best common rigid motion, as a proof.

Weights l_i >= 0 whose sum is 1 turn a largest length into a mean, whose least value is known:

    min over T of max_i |T a_i - b_i|^2  >=  min over T of sum l_i |T a_i - b_i|^2  =  A + B - 2 m

with A = sum l_i |a_i - a|^2 about the mean a = sum l_i a_i, B likewise, and m the largest eigenvalue of Horn's matrix
of sum l_i (a_i - a)(b_i - b)^T: the most that sum l_i (b_i - b) . R (a_i - a) can be over all turns R. In the plane
turns in space are no fewer, so this holds there, too. Of frames, with unit quaternions e_i between each two, what is
left of the turns is sum l_i |vec(t e_i)|^2 = sum l_i |e_i|^2 - t . M t with M = sum l_i e_i e_i^T, for any unit
quaternion t. Of angles it is their variance. That a number exceeds the largest eigenvalue of M is proved by Gauss's
elimination in rational numbers: all pivots of m I - M are positive. What is not known but enclosed may be as far from
its middle as that says, and is taken off. Weights are estimated: as they must be for the mean to be large.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

import numpy as np

from certify.alignment.motions import ANGLE, FRAME
from certify.branches.enclosing import Vector, fraction
from certify.contractors.tape.evaluation import Floats

ROUNDS = 300
FEW = 12  # points that are looked at exactly
BITS = 20  # of a weight
FINE = 2**60  # of a root
NEAR = Fraction(1, 2**44)  # of an eigenvalue: what is first added to it

Point = tuple[Fraction, ...]
Square = list[list[Fraction]]


def least_left(kind: str, places: Sequence[Vector]) -> tuple[Fraction, tuple[int, ...]]:
    """No rigid motion brings all poses nearer than this; and the numbers of those that show it. Of points a place has
    the components of b and then those of a - b, of frames the four of e, of angles b and a - b.
    """
    middles = [[fraction(low + high) / 2 for low, high in place] for place in places]
    chosen = _weights(kind, np.array([[float(part) for part in place] for place in middles]))
    total = sum(weight for _, weight in chosen)
    square = _mean(kind, [(Fraction(weight, total), middles[k]) for k, weight in chosen])
    off = max((_off(kind, places[k]) for k, _ in chosen), default=Fraction(0))
    scale = 2 if kind == FRAME else 1  # 2 sin(theta/2)
    known = Fraction(isqrt(int(max(square, Fraction(0)) * FINE**2)), FINE)
    return max(scale * (known - off), Fraction(0)), tuple(k for k, _ in chosen)


def _mean(kind: str, weighted: Sequence[tuple[Fraction, Sequence[Fraction]]]) -> Fraction:
    """No motion makes the weighted mean of the squares smaller."""
    if kind == FRAME:
        matrix = [[sum((w * e[i] * e[j] for w, e in weighted), Fraction(0)) for j in range(4)] for i in range(4)]
        return sum((matrix[i][i] for i in range(4)), Fraction(0)) - _above_eigenvalues(matrix)
    if kind == ANGLE:
        middle = sum((w * place[1] for w, place in weighted), Fraction(0))
        return sum((w * place[1] ** 2 for w, place in weighted), Fraction(0)) - middle**2
    b = _centred([(w, _in_space(place[: len(place) // 2])) for w, place in weighted])
    d = _centred([(w, _in_space(place[len(place) // 2 :])) for w, place in weighted])
    a = [(w, tuple(x + y for x, y in zip(p, q, strict=True))) for (w, p), (_, q) in zip(b, d, strict=True)]
    whole = sum((w * (_squares(p) + _squares(q)) for (w, p), (_, q) in zip(a, b, strict=True)), Fraction(0))
    return whole - 2 * _above_eigenvalues(_horn(a, b))


def _in_space(part: Sequence[Fraction]) -> Point:
    return (*part, *[Fraction(0)] * (3 - len(part)))


def _centred(weighted: Sequence[tuple[Fraction, Point]]) -> list[tuple[Fraction, Point]]:
    """About their mean."""
    mean = [sum((w * p[k] for w, p in weighted), Fraction(0)) for k in range(3)]
    return [(w, tuple(x - m for x, m in zip(p, mean, strict=True))) for w, p in weighted]


def _squares(point: Sequence[Fraction]) -> Fraction:
    return sum((part * part for part in point), Fraction(0))


def _horn(a: Sequence[tuple[Fraction, Point]], b: Sequence[tuple[Fraction, Point]]) -> Square:
    """The matrix N with q . N q = sum w b . R(q) a for each unit quaternion q and its turn R(q)."""
    s = [
        [sum((w * p[i] * q[j] for (w, p), (_, q) in zip(a, b, strict=True)), Fraction(0)) for j in range(3)]
        for i in range(3)
    ]
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s
    return [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]


def _above_eigenvalues(matrix: Square) -> Fraction:
    """A number that exceeds all eigenvalues of a symmetric matrix, and the largest one hardly."""
    largest = Fraction(float(np.linalg.eigvalsh(np.array([[float(entry) for entry in row] for row in matrix]))[-1]))
    size = sum((abs(matrix[k][k]) for k in range(len(matrix))), Fraction(0)) + Fraction(1, FINE)
    more = NEAR * size
    while not positive_definite(
        [[(largest + more) * (i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(matrix)]
    ):
        more *= 4
    return largest + more


def positive_definite(matrix: Square) -> bool:
    """Whether all pivots of a symmetric matrix are positive."""
    rows = [list(row) for row in matrix]
    for k, row in enumerate(rows):
        if row[k] <= 0:
            return False
        for below in rows[k + 1 :]:
            factor = below[k] / row[k]
            for j in range(k, len(row)):
                below[j] -= factor * row[j]
    return True


def _off(kind: str, place: Vector) -> Fraction:
    """No less than how far both poses together are from their middles."""
    widths = [fraction(high - low) / 2 for low, high in place]
    return sum(widths, Fraction(0)) if kind == FRAME else 2 * sum(widths, Fraction(0))


def _weights(kind: str, places: Floats) -> list[tuple[int, int]]:
    """Some places with whole weights, for which the mean is about as large as it can be."""
    weights, best, kept = np.full(len(places), 1.0 / len(places)), -1.0, np.zeros(len(places))
    for _ in range(ROUNDS):
        left = _left(kind, places, weights)
        mean = float(weights @ left**2)
        if mean > best:
            best, kept = mean, weights
        total = float((weights * left).sum())
        if total <= 0.0:
            break
        weights = weights * left / total
    order = np.argsort(-kept)[:FEW]
    found = [(int(k), round(float(kept[k]) * 2**BITS)) for k in order]
    return [(k, weight) for k, weight in found if weight > 0] or [(0, 1)]


def _left(kind: str, places: Floats, weights: Floats) -> Floats:
    """What is left at each place after the motion that makes the weighted mean of squares least."""
    if kind == FRAME:
        _, vectors = np.linalg.eigh((places.T * weights) @ places)
        along = places @ vectors[:, -1]
        return np.asarray(np.sqrt(np.maximum((places**2).sum(axis=1) - along**2, 0.0)))
    half = places.shape[1] // 2
    b, d = places[:, :half], places[:, half:]
    if kind == ANGLE:
        return np.asarray(np.abs(d - weights @ d)[:, 0])
    b, d = b - weights @ b, d - weights @ d
    u, _, v = np.linalg.svd(((b + d).T * weights) @ b)
    signs = np.ones(half)
    signs[-1] = np.sign(np.linalg.det(u @ v)) or 1.0
    left: Floats = np.linalg.norm((b + d) @ ((u * signs) @ v) - b, axis=1)
    return left
