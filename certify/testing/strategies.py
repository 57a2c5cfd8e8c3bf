"""Hypothesis strategies of instances with planted exact truth; they shrink to few rows of small numbers.

programs()             linear_programs, quadratic_programs, cone_programs with a planted minimum, and
infeasible_programs    with a planted ray and margin
unbounded_programs     with a planted point and direction
intervals, boxes       of doubles, with a point inside
expressions            functions of one number over an interval, with a point inside
interval_systems       A x = b with intervals around a planted solution
fits                   data on a planted curve, so that the least residual sum is that of its rounding
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from certify.problems.programs.program import Floats
from certify.testing.planted import Planted, Row, bilinear, infeasible, optimal, unbounded

SMALL = st.integers(-9, 9)
SPARSE = st.sampled_from([0, 0, 0, 1, -1, 2])  # rows without numbers, unknowns that stand nowhere, singular Hessians
SCALES = st.sampled_from([0, 0, 0, 1, -3, 7, -10, 14, -20])
REACHES = st.sampled_from([0, 0, 1, 9, 100])
MARGINS = st.sampled_from([2.0**-k for k in (3, 7, 10, 13, 17, 20, 23, 27, 30)])
FUNCTIONS = ("sqr", "sqrt", "exp", "log", "sin", "cos", "tan", "atan", "tanh", "sinh", "cosh", "abs")


@st.composite
def _rows(draw: st.DrawFn, n: int, least: int, most: int, pulls: st.SearchStrategy[int]) -> list[Row]:
    count = draw(st.integers(least, most))
    coefficients = st.tuples(*[draw(st.sampled_from([SMALL, SPARSE]))] * n)
    return [
        Row(draw(coefficients), draw(pulls), draw(st.integers(0, 5)), draw(st.sampled_from([1, -1, 0])), draw(SCALES))
        for _ in range(count)
    ]


@st.composite
def linear_programs(draw: st.DrawFn, unknowns: int = 4, rows: int = 8) -> Planted:
    """With a planted minimum."""
    n = draw(st.integers(1, unknowns))
    found = draw(_rows(n, 1, rows, st.integers(0, 4)))
    return optimal(draw(st.tuples(*[SMALL] * n)), found, reach=draw(REACHES))


@st.composite
def quadratic_programs(draw: st.DrawFn, unknowns: int = 4, rows: int = 6) -> Planted:
    """Convex ones, with a planted minimum."""
    n = draw(st.integers(1, unknowns))
    entries = draw(st.sampled_from([st.integers(-4, 4), SPARSE]))
    factor = draw(st.lists(st.tuples(*[entries] * n), min_size=1, max_size=n + 1))
    found = draw(_rows(n, 0, rows, st.integers(0, 4)))
    return optimal(draw(st.tuples(*[SMALL] * n)), found, factor, reach=draw(REACHES))


@st.composite
def bilinear_programs(draw: st.DrawFn, unknowns: int = 3) -> Planted:
    """Quadratic ones that are not convex, over a box, whose minimum is at a corner."""
    n = draw(st.integers(2, unknowns))
    low = draw(st.tuples(*[st.integers(-3, 0)] * n))
    high = tuple(end + draw(st.integers(1, 5)) for end in low)
    triangle = [draw(st.integers(-4, 4)) for _ in range(n * (n - 1) // 2)]
    return bilinear(low, high, triangle, draw(st.tuples(*[st.integers(-3, 3)] * n)))


@st.composite
def cone_programs(draw: st.DrawFn, unknowns: int = 3, rows: int = 4) -> Planted:
    """With second-order cones and a planted minimum."""
    n = draw(st.integers(1, unknowns))
    cone = st.tuples(st.tuples(*[st.tuples(*[st.integers(-4, 4)] * n)] * 2), st.integers(0, 3))
    cones = draw(st.lists(cone, min_size=1, max_size=2))
    return optimal(draw(st.tuples(*[SMALL] * n)), draw(_rows(n, 0, rows, st.integers(0, 4))), (), cones)


@st.composite
def infeasible_programs(draw: st.DrawFn, unknowns: int = 4, rows: int = 6) -> Planted:
    """Linear ones with a planted ray, and the margin that it shows."""
    n = draw(st.integers(1, unknowns))
    found = draw(_rows(n, 1, rows, st.integers(1, 3)))
    return infeasible(draw(st.tuples(*[SMALL] * n)), found, draw(st.sampled_from([0, 0, -2])), draw(MARGINS))


@st.composite
def unbounded_programs(draw: st.DrawFn, unknowns: int = 4, rows: int = 5) -> Planted:
    """Linear ones with a planted point and direction."""
    n = draw(st.integers(1, unknowns))
    direction = draw(st.tuples(*[SMALL] * n).filter(any))
    found = [row for row in draw(_rows(n, 1, rows, st.just(0))) if row.side or not np.dot(row.coefficients, direction)]
    return unbounded(draw(st.tuples(*[SMALL] * n)), direction, found, draw(st.tuples(*[SMALL] * n)))


def programs(kinds: tuple[str, ...] = ("lp", "qp", "socp")) -> st.SearchStrategy[Planted]:
    """Of all kinds that a solver takes."""
    parts = {
        "lp": [linear_programs(), infeasible_programs(), unbounded_programs()],
        "qp": [quadratic_programs()],
        "socp": [cone_programs()],
        "nonconvex": [bilinear_programs()],
    }
    return st.one_of(*(part for kind in kinds for part in parts[kind]))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A function of one number, an interval, and a point inside at which the function is defined."""

    function: str
    lower: float
    upper: float
    point: float


EDGES = st.sampled_from([0.0, 1.0, -1.0, 709.0, 710.0, 1000.0, -700.0, 1e-300])  # of what exp and squares may give
NUMBERS = st.one_of(
    EDGES,
    st.integers(2**50, 2**53).map(lambda whole: whole / 2.0**50),
    st.integers(-(2**53), 2**53).map(lambda whole: whole / 2.0**44),
    st.integers(-50, 50).map(float),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e8, max_value=1e8),
)


@st.composite
def intervals(draw: st.DrawFn, positive: bool = False) -> tuple[float, float, float]:
    """Both ends, and a point inside."""
    ends = [abs(end) if positive else end for end in (draw(NUMBERS), draw(NUMBERS))]
    low, high = sorted(ends)
    high = low if draw(st.booleans()) else high
    share = draw(st.sampled_from([0.0, 1.0, 0.5, 0.25]))
    return low, high, min(max(low + share * (high - low), low), high)


def boxes(size: int = 3) -> st.SearchStrategy[list[tuple[float, float, float]]]:
    """Some intervals."""
    return st.lists(intervals(), min_size=1, max_size=size)


@st.composite
def expressions(draw: st.DrawFn, functions: tuple[str, ...] = FUNCTIONS) -> Evaluation:
    """A function over an interval within its domain."""
    function = draw(st.sampled_from(functions))
    low, high, point = draw(intervals(positive=function in ("sqrt", "log")))
    if function == "log" and low == 0.0:
        low = min(2.0**-30, high) or 2.0**-30
        high, point = max(low, high), max(point, low)
    if function in ("exp", "sinh", "cosh"):
        low, high, point = (min(max(value, -700.0), 1000.0) for value in (low, high, point))
    return Evaluation(function, low, high, point)


@dataclass(frozen=True, eq=False)
class IntervalSystem:
    """Ends of A and b, and a solution of one of their matrices."""

    A: tuple[Floats, Floats]
    b: tuple[Floats, Floats]
    solution: Floats


@st.composite
def interval_systems(draw: st.DrawFn, size: int = 3) -> IntervalSystem:
    """Strictly diagonally dominant ones, so that the solution set is bounded."""
    n = draw(st.integers(1, size))
    A = np.array([[draw(SMALL) for _ in range(n)] for _ in range(n)], dtype=float)
    radius = draw(st.sampled_from([0.0, 2.0**-20, 0.125, 0.5]))
    A[np.diag_indices(n)] = np.abs(A).sum(axis=1) + n * radius + 1.0
    x = np.array([draw(SMALL) for _ in range(n)], dtype=float)
    right = A @ x
    wide = draw(st.sampled_from([0.0, 2.0**-10, 1.0]))
    return IntervalSystem((A - radius, A + radius), (right - wide, right + wide), x)


@dataclass(frozen=True, slots=True)
class Fit:
    """x, y = a exp(-b x) + c rounded to multiples of 2^-20, a start, and the planted (a, b, c), whose residual sum is
    `reached`, exactly an upper bound of the least one.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    start: tuple[float, float, float]
    planted: tuple[float, float, float]
    reached: float


@st.composite
def fits(draw: st.DrawFn) -> Fit:
    """Exponential decays."""
    planted = draw(st.integers(1, 9)) / 1.0, draw(st.integers(1, 8)) / 4.0, draw(st.integers(-3, 3)) / 1.0
    x = tuple(k / 4.0 for k in range(draw(st.integers(4, 12))))
    y = tuple(round((planted[0] * math.exp(-planted[1] * t) + planted[2]) * 2**20) / 2**20 for t in x)
    start = tuple(draw(st.sampled_from([1.0, 0.1, 10.0])) * value + 0.5 for value in planted)
    rest = sum((Fraction(1, 2**20) + Fraction(1, 2**40)) ** 2 for _ in x)
    return Fit(x, y, (start[0], start[1], start[2]), planted, float(rest) * (1 + 1e-9))


@st.composite
def calibrations(draw: st.DrawFn, legs: int = 1, poses: int = 8) -> tuple[Floats, Floats, Floats]:
    """Rows of a linear calibration W theta = y, all within the bound 2^-6 of a planted theta: (W, y, theta)."""
    count = draw(st.integers(3, poses))
    theta = np.array([draw(SMALL) for _ in range(legs + 1)], dtype=float)
    W = np.array([[draw(SMALL) for _ in theta] for _ in range(count)], dtype=float)
    noise = np.array([draw(st.integers(-4, 4)) / 256.0 for _ in range(count)])
    return W, W @ theta + noise, theta
