"""Whether weights on products of half-spaces prove an ellipsoid: a rational matrix is positive semidefinite, or not.

    half-spaces           g_k(theta) = f_k . theta + e_k >= 0
    weights w_ij >= 0     give on all of them  sum of w_ij g_i(theta) g_j(theta) >= 0
    if for all theta      1 - (theta - c)^T M (theta - c) >= sum of w_ij g_i(theta) g_j(theta)              (*)
    then                  every theta in all half-spaces has (theta - c)^T M (theta - c) <= 1

The difference of (*) is (theta, 1) Q (theta, 1)^T with

    Q = [ -M          M c         ]  -  sum of w_ij / 2 ((f_i, e_i) (f_j, e_j)^T + (f_j, e_j) (f_i, e_i)^T)
        [ (M c)^T     1 - c^T M c ]

and it is non-negative for all theta if and only if Q is positive semidefinite, which Q = L D L^T decides exactly: each
pivot is positive, or 0 with nothing left in its row. M must be positive definite, or the set were no ellipsoid. The
both sides of a strip |y - d . theta| <= b are (d, b - y) and (-d, b + y); the number 1 is (0, 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Row = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Product:
    """w (f_1 . theta + e_1) (f_2 . theta + e_2), each half-space as (f, e)."""

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    weight: Fraction


def proves(products: Sequence[Product], centre: Row, information: Sequence[Row]) -> bool:
    """Whether the products prove that all points of all their half-spaces are in the ellipsoid; nothing is rounded."""
    p = len(centre)
    shaped = len(information) == p and all(len(row) == p for row in information)
    shaped = shaped and all(len(product.first) == len(product.second) == p + 1 for product in products)
    if not p or not shaped or any(product.weight < 0 for product in products):
        return False
    if any(information[i][j] != information[j][i] for i in range(p) for j in range(i)):
        return False
    return positive_definite(information) and positive_semidefinite(_difference(products, centre, information))


def _difference(products: Sequence[Product], centre: Row, information: Sequence[Row]) -> list[list[Fraction]]:
    """Q."""
    p = len(centre)
    moved = [sum((information[i][j] * centre[j] for j in range(p)), Fraction(0)) for i in range(p)]
    last = 1 - sum((moved[i] * centre[i] for i in range(p)), Fraction(0))
    found = [[-information[i][j] for j in range(p)] + [moved[i]] for i in range(p)] + [[*moved, last]]
    for product in products:
        left, right = product.first, product.second
        halves = [product.weight / 2 * value for value in left]
        for i in range(p + 1):
            for j in range(i + 1):
                found[i][j] -= halves[i] * right[j] + halves[j] * right[i]
    return [[found[max(i, j)][min(i, j)] for j in range(p + 1)] for i in range(p + 1)]


def positive_semidefinite(matrix: Sequence[Row]) -> bool:
    """Whether x^T A x >= 0 for all x, A symmetric: no pivot of L D L^T is negative, one that is 0 has a row of 0."""
    return _pivots(matrix, zero_too=True)


def positive_definite(matrix: Sequence[Row]) -> bool:
    """Whether x^T A x > 0 for all x but 0, A symmetric: all pivots of L D L^T are positive."""
    return _pivots(matrix, zero_too=False)


def _pivots(matrix: Sequence[Row], zero_too: bool) -> bool:
    rest = [list(row) for row in matrix]
    while rest:
        pivot, row = rest[0][0], rest[0][1:]
        if pivot < 0 or (pivot == 0 and (not zero_too or any(row))):
            return False
        rest = [other[1:] for other in rest[1:]]
        if pivot > 0:
            for i, left in enumerate(row):
                if left:
                    factor = left / pivot
                    for j, right in enumerate(row):
                        rest[i][j] -= factor * right
    return True
