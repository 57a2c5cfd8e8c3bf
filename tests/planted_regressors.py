"""Small linear models whose answers are known exactly: vertices are listed in rational numbers."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np


def exact_solution(equations):
    """The only solution of square equations, whose last numbers are the right sides; None if there is none."""
    rows = [list(map(Fraction, row)) for row in equations]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                share = rows[i][k] / rows[k][k]
                rows[i] = [a - share * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[i][-1] / rows[i][i] for i in range(len(rows))]


def halves(W, lower, upper, box=()):
    """All half-spaces (coefficients, end), exactly."""
    found = []
    for row, low, high in zip(np.asarray(W).tolist(), lower, upper, strict=True):
        a = tuple(map(Fraction, row))
        found += [(a, Fraction(high)), (tuple(-x for x in a), -Fraction(low))]
    for j, (low, high) in enumerate(box):
        unit = tuple(Fraction(int(k == j)) for k in range(len(box)))
        if high is not None:
            found.append((unit, Fraction(high)))
        if low is not None:
            found.append((tuple(-x for x in unit), -Fraction(low)))
    return list(dict.fromkeys(found))


def vertices(found):
    """Those of the intersection of half-spaces."""
    size, corners = len(found[0][0]), set()
    for chosen in combinations(found, size):
        point = exact_solution([[*a, end] for a, end in chosen])
        if point is not None and all(dot(a, point) <= end for a, end in found):
            corners.add(tuple(point))
    return corners


def dot(a, x):
    return sum((p * q for p, q in zip(a, x, strict=True)), Fraction(0))


def smallest_error(found, grows):
    """The least t with a . x <= end + t d for all half-spaces, d = `grows` of each: a vertex in (x, t)."""
    lifted = [((*a, -d), end) for (a, end), d in zip(found, grows, strict=True)]
    return min(corner[-1] for corner in vertices(lifted))


def area(corners):
    """That of a convex polygon, by the triangles of its corners in order around their middle."""
    middle = [sum(values, Fraction(0)) / len(corners) for values in zip(*corners, strict=True)]
    around = sorted((x - middle[0], y - middle[1]) for x, y in corners)
    upper = sorted((p for p in around if p[1] > 0 or (p[1] == 0 and p[0] > 0)), key=lambda p: -p[0] / _length(p))
    lower = sorted((p for p in around if p[1] < 0 or (p[1] == 0 and p[0] <= 0)), key=lambda p: p[0] / _length(p))
    order = [*upper, *lower]
    pairs = zip(order, order[1:] + order[:1], strict=True)
    return abs(sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), Fraction(0))) / 2


def _length(point):
    """In floats it may tell corners apart wrongly only where they are one."""
    return Fraction(math.hypot(*map(float, point))) or Fraction(1)
