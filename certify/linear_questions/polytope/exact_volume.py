"""The volume of a bounded polytope A u <= b in exact arithmetic: its vertices are walked along its edges, and summed.

    V = sum over vertices v of  (c . v)^n / (n! |det A_v| g_1 ... g_n),   A_v' g = c        (Lawrence)

A_v are the n rows that meet in v, c is any direction that no g_i is 0 for. Where more than n rows meet in a vertex all
ends are moved outwards by shares of 2^-40, each row its own, so that the polytope is a little larger and every vertex
is simple. The graph of vertices and edges of a polytope is connected: from one vertex the walk comes to all of them.
Each step is a comparison of whole numbers; only the sum is rounded, outwards, after many more bits than it cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, gcd, lcm

import numpy as np

MOVED = 40  # bits: a share of an end by which it is moved at most
TURNS = 6  # choices of such shares
BITS = 4096  # of the sum's terms
MOST = 6000  # vertices

Numbers = list[int]
Row = tuple[Sequence[Fraction], Fraction]  # a . u <= b


class Several(Exception):
    """More rows than dimensions meet somewhere."""


@dataclass(frozen=True, slots=True)
class Body:
    """Both ends of the volume of the polytope, and its vertices; of one that was `moved` outwards only the upper end is
    one of what was asked.
    """

    lower: Fraction
    upper: Fraction
    vertices: tuple[tuple[Fraction, ...], ...]
    moved: bool


@dataclass(frozen=True, slots=True)
class _Corner:
    """Where n rows meet: x / det, with the inverse of their matrix times det > 0."""

    rows: tuple[int, ...]
    inverse: list[Numbers]
    det: int
    x: Numbers


def exact_volume(rows: Sequence[Row], first: Sequence[int], check: Callable[[], None]) -> Body | None:
    """The volume of a bounded polytope; `first` are rows that meet in one of its vertices, estimated. None if they do
    not, or if it has too many vertices.
    """
    whole = [_whole(a, b) for a, b in rows]
    for turn in range(TURNS):
        moved = whole if turn == 0 else _moved(whole, turn)
        try:
            corners = _walk(moved, first, check)
            found = None if corners is None else _summed(moved, corners, turn > 0)
        except Several:
            continue
        return found
    return None


def _whole(a: Sequence[Fraction], b: Fraction) -> Numbers:
    """A row in whole numbers without a common factor; the last one is its end."""
    common = lcm(*(value.denominator for value in (*a, b)))
    numbers = [int(value * common) for value in (*a, b)]
    shared = gcd(*numbers) or 1
    return [number // shared for number in numbers]


def _moved(rows: Sequence[Numbers], turn: int) -> list[Numbers]:
    """All ends a little farther out."""
    found, chance = list[Numbers](), np.random.default_rng(turn)
    for row in rows:
        size = abs(row[-1]) + max(map(abs, row[:-1]))
        share = int(chance.integers(1, 1 << (MOVED - 8)))
        found.append([*(value << (2 * MOVED) for value in row[:-1]), (row[-1] << (2 * MOVED)) + (size * share << 8)])
    return found


def _corner(rows: Sequence[Numbers], chosen: Sequence[int]) -> _Corner | None:
    """By Gauss and Jordan without fractions (Bareiss)."""
    n = len(chosen)
    table = [[*rows[k][:n], *(int(i == j) for j in range(n))] for i, k in enumerate(chosen)]
    before = 1
    for done in range(n):
        pivot = next((i for i in range(done, n) if table[i][done]), None)
        if pivot is None:
            return None
        if pivot != done:
            table[done], table[pivot] = [-value for value in table[pivot]], table[done]
        top, unit = table[done], table[done][done]
        for i in range(n):
            if i != done:
                row, factor = table[i], table[i][done]
                table[i] = [(unit * a - factor * b) // before for a, b in zip(row, top, strict=True)]
        before = unit
    sign = 1 if before > 0 else -1
    inverse = [[sign * value for value in row[n:]] for row in table]
    ends = [rows[k][n] for k in chosen]
    x = [sum(a * b for a, b in zip(row, ends, strict=True)) for row in inverse]
    return _Corner(tuple(chosen), inverse, abs(before), x)


def _left(rows: Sequence[Numbers], corner: _Corner) -> Numbers:
    """What each row leaves at a vertex, times its det."""
    n = len(corner.x)
    return [row[n] * corner.det - sum(a * b for a, b in zip(row, corner.x, strict=False)) for row in rows]


def _walk(rows: Sequence[Numbers], first: Sequence[int], check: Callable[[], None]) -> list[_Corner] | None:
    """All vertices."""
    start = _corner(rows, sorted(first))
    if start is None or min(_left(rows, start)) < 0:
        return None
    known, waiting, found = {start.rows}, [start], list[_Corner]()
    while waiting:
        check()
        corner = waiting.pop()
        found.append(corner)
        if len(known) > MOST:
            return None
        left = _left(rows, corner)
        if sum(value == 0 for value in left) > len(corner.rows):
            raise Several
        for k in range(len(corner.rows)):
            entering = _next(rows, corner, left, k)
            chosen = tuple(sorted({*corner.rows, entering} - {corner.rows[k]}))
            if chosen not in known:
                known.add(chosen)
                other = _corner(rows, chosen)
                if other is None:
                    raise Several
                waiting.append(other)
    return found


def _next(rows: Sequence[Numbers], corner: _Corner, left: Numbers, k: int) -> int:
    """The row that ends the edge on which the k-th row of a vertex is left."""
    way = [-row[k] for row in corner.inverse]
    best, rate = -1, 1
    tied = False
    for i, row in enumerate(rows):
        if i in corner.rows:
            continue
        speed = sum(a * b for a, b in zip(row, way, strict=False))
        if speed > 0:
            compared = -1 if best < 0 else left[i] * rate - left[best] * speed
            if compared < 0:
                best, rate, tied = i, speed, False
            elif compared == 0:
                tied = True
    if best < 0 or tied:
        raise Several
    return best


def _summed(rows: Sequence[Numbers], corners: Sequence[_Corner], moved: bool) -> Body:
    """Both ends of the volume: each vertex' term is rounded outwards."""
    n = len(corners[0].x)
    c = [int(value) * (-1) ** j for j, value in enumerate(np.random.default_rng(0).integers(1 << 10, 1 << 12, n))]
    low = high = 0
    for corner in corners:
        shares = [sum(c[j] * corner.inverse[j][k] for j in range(n)) for k in range(n)]
        if not all(shares):
            raise Several
        value = sum(a * b for a, b in zip(c, corner.x, strict=True))
        below = corner.det
        for share in shares:
            below *= share
        top = value**n << BITS
        low += top // below
        high -= -top // below
    scale = factorial(n) << BITS
    points = tuple(tuple(Fraction(value, corner.det) for value in corner.x) for corner in corners)
    return Body(max(Fraction(low, scale), Fraction(0)), Fraction(high, scale), points, moved)
