"""The least sum of squares of all functions that fulfil a linear recurrence on evenly spaced x, in whole numbers.

The values f_0, f_1, ... of a sum of R exponentials make a matrix H(f) with H_ij = f_(i+j) of rank R at most. So, with
r = y - f and s_k^2 the eigenvalues of M = H(y) H(y)' in descending order,

    s_(R+1)^2 + s_(R+2)^2 + ...  <=  |H(r)|^2 = sum m_n r_n^2  <=  max(m_n / w_n) sum w_n r_n^2,

m_n how often n = i + j (Eckart and Young). How many eigenvalues are above a number is counted exactly: of M - mu I as
many are negative as its leading principal minors change their signs (Jacobi), by elimination in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from certify.solvers.limits import Limit
from certify.solvers.shapes.grouped import Groups

LARGEST, LARGEST_LONG = 40, 24  # rows of H; of numbers with more than LONG bits
LONG = 40
FINER = 0.9  # what each number is of that before it at which eigenvalues are counted
ENOUGH = 0.02  # of the sum: what others could add
MOST_HALVINGS = 400
Matrix = list[list[int]]


def evenly_spaced(groups: Groups) -> bool:
    """Whether x are."""
    steps = {b - a for a, b in zip(groups.x, groups.x[1:], strict=False)}
    return len(steps) == 1


def recurrence_sum(groups: Groups, order: int, limit: Limit) -> Fraction:
    """What the sum of squares of such a function around the means is not below."""
    means = [Fraction(s, w) for s, w in zip(groups.sums, groups.weights, strict=True)]
    scale = lcm(*(one.denominator for one in means))
    values = [int(one * scale) for one in means]
    long = max(abs(one) for one in values).bit_length() > LONG
    rows = min((groups.count + 1) // 2, max(LARGEST_LONG if long else LARGEST, order + 1))
    if rows <= order:
        return Fraction(0)
    columns = groups.count - rows + 1
    table = [values[i : i + columns] for i in range(rows)]
    squares = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in table] for one in table]
    times = [min(n + 1, rows, groups.count - n) for n in range(groups.count)]
    share = min(Fraction(w, m) for w, m in zip(groups.weights, times, strict=True))
    return groups.unit * share * _tail(squares, order, limit) / scale**2


def _tail(matrix: Matrix, order: int, limit: Limit) -> Fraction:
    """A lower end of the sum of all eigenvalues but the `order` largest ones."""
    total, known, rows = Fraction(0), 0, len(matrix)
    at = _first(matrix, order, limit)
    while at is not None and known < rows - order:
        limit.check()
        beyond = max(_above(matrix, at) - order, 0)
        total += max(beyond - known, 0) * at
        known = max(beyond, known)
        if total and (rows - order - known) * at < ENOUGH * total:
            break
        at = Fraction(int(at * 2**20 * FINER), 2**20) if at < 2**20 else Fraction(int(at * Fraction(FINER)))
        if not at:
            break
    return total


def _first(matrix: Matrix, order: int, limit: Limit) -> Fraction | None:
    """A number, at most twice as large as need be, above which there are no more eigenvalues than `order`."""
    at = Fraction(sum(matrix[k][k] for k in range(len(matrix))))
    for _ in range(MOST_HALVINGS):
        limit.check()
        if at == 0 or _above(matrix, at / 2) > order:
            return at or None
        at /= 2
    return None


def _above(matrix: Matrix, number: Fraction) -> int:
    """How many eigenvalues are above a number, or above one that is hardly larger."""
    above, below = number.numerator, number.denominator
    while True:
        shifted = [[below * entry - (above if i == j else 0) for j, entry in enumerate(row)]
                   for i, row in enumerate(matrix)]  # fmt: skip
        signs = _signs(shifted)
        if signs is not None:
            return sum(one == other for one, other in zip([1, *signs], signs, strict=False))
        above, below = above * 1024 + 1, below * 1024


def _signs(rows: Matrix) -> list[int] | None:
    """Of the leading principal minors; None if one is 0. The matrix is used up."""
    before, signs = 1, []
    for k, row in enumerate(rows):
        pivot = row[k]
        if pivot == 0:
            return None
        signs.append(1 if pivot > 0 else -1)
        for i in range(k + 1, len(rows)):
            other, factor = rows[i], rows[i][k]
            for j in range(k + 1, len(rows)):
                other[j] = (pivot * other[j] - factor * row[j]) // before
        before = pivot
    return signs
