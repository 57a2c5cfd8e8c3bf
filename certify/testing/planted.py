"""Programs whose truth is planted: whole numbers and powers of two, so that doubles hold everything exactly.

    optimal      x*, multipliers y and z with the right signs that are 0 where x* has room, c = A' y + F' z - P x*:
                 then x* is a minimum, by duality, and its objective is the minimum
    infeasible   rows a_i with sum y_i a_i = 0, y > 0; ends b_i = a_i . x0 - margin: the smallest relaxation that leaves
                 a point is the margin, for the sum of the rows says it is no less, and x0 that it is no more
    unbounded    a feasible x0, and a direction d with A d within what rows leave for ever and c . d < 0

The rows are a_i . x <= b_i, a_i . x >= b_i, or equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from certify.problems.programs.program import Floats, Program, program
from certify.records.program_records import ProgramVerdict

Whole = Sequence[int]


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true of a program. `point` is exactly feasible (a minimum where it is optimal); no ray with components
    of at most 1 falls by less than 1 / `steep` where the program is bounded.
    """

    verdict: ProgramVerdict
    minimum: tuple[float, float] | None = None
    margin: tuple[float, float] | None = None
    point: Floats | None = None
    steep: float = float("inf")
    convex: bool = True


@dataclass(frozen=True, eq=False)
class Planted:
    """A program and its truth."""

    program: Program
    truth: Truth

    @property
    def kind(self) -> str:
        """Which kind of program it is."""
        if self.program.cones:
            return "cone program"
        if not self.program.quadratic.nnz:
            return "linear program"
        return "convex quadratic program" if self.truth.convex else "quadratic program that is not convex"

    def __repr__(self) -> str:
        found, truth = self.program, self.truth
        rows = [
            f"{low:g} <= {row.tolist()} . x <= {high:g}"
            for low, row, high in zip(found.lower, found.matrix.toarray(), found.upper, strict=True)
        ]
        what = {"minimum": truth.minimum, "margin": truth.margin}
        told = ", ".join(f"{name} {ends[0]!r}" for name, ends in what.items() if ends is not None)
        return f"Planted({truth.verdict.value} {told}; minimise {found.cost.tolist()} . x subject to {'; '.join(rows)})"


@dataclass(frozen=True, slots=True)
class Row:
    """Whole coefficients, times 2^scale; `pull` its multiplier (>= 0); `room` beyond x* if that is 0; `side` 1 for
    a . x <= b, -1 for a . x >= b, 0 for an equation, whose multiplier may have any sign.
    """

    coefficients: tuple[int, ...]
    pull: int
    room: int
    side: int
    scale: int = 0


def optimal(
    point: Whole,
    rows: Sequence[Row],
    factor: Sequence[Whole] = (),
    cones: Sequence[tuple[Sequence[Whole], int]] = (),
    reach: int = 0,
) -> Planted:
    """With P = factor' factor; each cone is |F x + g| <= 5 with (3, 4) at x*, on its surface, and a multiplier k >= 0;
    unknowns end at x* - reach and x* + reach, where reach is not 0.
    """
    x, n = np.array(point, dtype=float), len(point)
    A, lower, upper, y = _rows(rows, x)
    M = np.array(factor, dtype=float).reshape(-1, n)
    P = M.T @ M
    cost = A.T @ y - P @ x
    F, g, sizes = [], [], []
    for matrix, pull in cones:
        block = np.vstack([np.zeros((1, n)), np.array(matrix, dtype=float).reshape(2, n)])
        F.append(block)
        g.append(np.array([5.0, 3.0, 4.0]) - block @ x)
        cost = cost + block.T @ (pull * np.array([5.0, -3.0, -4.0]))
        sizes.append(3)
    low, high = (x - reach, x + reach) if reach else (None, None)
    made = program(
        cost, A, lower, upper, low=low, high=high, quadratic=P if M.size else None,
        cone_matrix=np.vstack(F) if F else None, cone_vector=np.concatenate(g) if g else None, cones=sizes,
    )  # fmt: skip
    exact = _objective(made, x)
    steep = float(np.abs(y).sum()) + sum(15.0 * pull for _, pull in cones) + float(np.abs(x).sum()) + 1.0
    return Planted(made, Truth(ProgramVerdict.OPTIMAL, _ends(exact), None, x, steep))


def infeasible(point: Whole, rows: Sequence[Row], last_scale: int, margin: float) -> Planted:
    """Rows with pulls of at least 1 and one more that cancels them; rows with pull 0 keep their room."""
    x, n = np.array(point, dtype=float), len(point)
    one_sided = [Row(r.coefficients, r.pull, r.room, r.side or 1, r.scale) for r in rows]
    A, lower, upper, y = _rows(one_sided, x)
    closing = -(A.T @ y)  # sum of y_i a_i, with y < 0 where a . x <= b
    A = np.vstack([A, closing * 2.0**last_scale])
    lower, upper = np.append(lower, -np.inf), np.append(upper, np.inf)
    sides = [row.side for row in one_sided] + [-1]
    active = np.append(y != 0.0, True)
    values = A @ x
    for i, side in enumerate(sides):
        if active[i] and side > 0:
            upper[i] = values[i] - margin
        elif active[i]:
            lower[i] = values[i] + margin
    made = program(np.zeros(n), A, lower, upper)
    return Planted(made, Truth(ProgramVerdict.INFEASIBLE, None, (margin, margin)))


def bilinear(low: Whole, high: Whole, upper_triangle: Sequence[int], cost: Whole) -> Planted:
    """x . P x / 2 + c . x over a box, P with a diagonal of 0, so that it is linear in each unknown: its minimum is that
    of the corners, which are all looked at.
    """
    n = len(low)
    P = np.zeros((n, n))
    P[np.triu_indices(n, 1)] = upper_triangle
    P = P + P.T
    made = program(np.array(cost, dtype=float), low=low, high=high, quadratic=P)
    corners = [np.array(corner, dtype=float) for corner in product(*zip(low, high, strict=True))]
    best = min(corners, key=lambda x: _objective(made, x))
    return Planted(
        made, Truth(ProgramVerdict.OPTIMAL, _ends(_objective(made, best)), None, best, float(n * 1000), convex=False)
    )


def unbounded(point: Whole, direction: Whole, rows: Sequence[Row], cost: Whole) -> Planted:
    """Rows are turned so that the direction keeps them; the cost so that it falls."""
    x, d = np.array(point, dtype=float), np.array(direction, dtype=float)
    turned = []
    for row in rows:
        slope = int(np.dot(row.coefficients, d))
        side = row.side or (1 if slope else 0)
        sign = -1 if slope * side > 0 else 1
        turned.append(Row(tuple(sign * a for a in row.coefficients), 0, row.room, side, row.scale))
    A, lower, upper, _ = _rows(turned, x)
    c = np.array(cost, dtype=float)
    fall = float(c @ d)
    c = -c if fall > 0 else c
    if not fall:
        c = -d
    return Planted(program(c, A, lower, upper), Truth(ProgramVerdict.UNBOUNDED, None, None, x))


def _rows(rows: Sequence[Row], x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """A, both ends, and the multipliers: negative where the upper end pulls."""
    A = np.array([row.coefficients for row in rows], dtype=float).reshape(len(rows), x.size)
    A = A * 2.0 ** np.array([row.scale for row in rows], dtype=float)[:, None]
    values = A @ x
    lower, upper, y = np.full(len(rows), -np.inf), np.full(len(rows), np.inf), np.zeros(len(rows))
    for i, row in enumerate(rows):
        room = 0.0 if row.pull else float(row.room)
        y[i] = row.pull * (-1.0 if row.side > 0 else 1.0)
        if row.side >= 0:
            upper[i] = values[i] + (room if row.side else 0.0)
        if row.side <= 0:
            lower[i] = values[i] - (room if row.side else 0.0)
    return A, lower, upper, y


def _objective(made: Program, x: Floats) -> Fraction:
    exact = [Fraction(value) for value in x.tolist()]
    linear = sum((Fraction(c) * v for c, v in zip(made.cost.tolist(), exact, strict=True)), Fraction(0))
    P = made.quadratic.tocoo()
    entries = zip(P.row.tolist(), P.col.tolist(), P.data.tolist(), strict=True)
    return linear + sum((Fraction(p) * exact[i] * exact[j] for i, j, p in entries), Fraction(0)) / 2


def _ends(value: Fraction) -> tuple[float, float]:
    near = float(value)
    if Fraction(near) == value:
        return near, near
    return float(np.nextafter(near, -np.inf)), float(np.nextafter(near, np.inf))
