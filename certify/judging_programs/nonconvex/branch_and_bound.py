"""Both ends of the minimum of a small quadratic program that is not convex, over a box.

    upper end   a feasible point, exactly, near one that a local method finds from corners and middles
    lower end   the system  f(x) - v = 0, rows, x in the box, v from below up to a  has no solution: the engine
                branches, the certificate is checked by a separate process; so the minimum is above a

a is the upper end less 1e-9 of its size, and less more where no proof is found in time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

import numpy as np

from certify.claims.programs.program_claims import of_minimum
from certify.judging_programs.feasible_points import FeasiblePoints
from certify.problems.minibex import system
from certify.problems.programs.exact_sums import Floats
from certify.problems.programs.program import Program
from certify.records.program_records import ProgramVerdict
from certify.systems.solve import solve
from certify.text.shown import Shown

UNKNOWNS = 12
STARTS = 40
GAPS = (1e-9, 1e-7, 1e-5, 1e-3, 1e-1)  # of the size of the minimum, at least 1
SECONDS = 20.0


@dataclass(frozen=True, eq=False, repr=False)
class GlobalBounds(Shown):
    """The minimum lies in [lower, upper]; `why` says what stood in the way of the lower end."""

    lower: float
    upper: float
    point: Floats | None
    why: str = ""

    @property
    def verdict(self) -> ProgramVerdict:
        """What is known."""
        if self.point is None:
            return ProgramVerdict.UNDECIDED
        return ProgramVerdict.OPTIMAL if self.lower > -math.inf else ProgramVerdict.FEASIBLE

    def __str__(self) -> str:
        return "\n".join(of_minimum(self.verdict, self.lower, self.upper, self.why))

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; look at its verdict, or at its ends")


def is_small(found: Program) -> bool:
    """Whether the engine is asked: few unknowns, each with both ends, and no cones."""
    ends = np.isfinite(found.low).all() and np.isfinite(found.high).all()
    return found.size <= UNKNOWNS and bool(ends) and not found.cones


def global_bounds(found: Program, seconds: float = SECONDS) -> GlobalBounds:
    """Both ends, as far as they are found."""
    upper, point = _best(found)
    if point is None:
        return GlobalBounds(-math.inf, math.inf, None, "no exactly feasible point was found")
    for gap in GAPS:
        level = upper - gap * max(1.0, abs(upper))
        if _nothing_below(found, level, seconds / len(GAPS)):
            return GlobalBounds(level, upper, point)
    return GlobalBounds(-math.inf, upper, point, "branching ended before its lower end was near the best point")


def _best(found: Program) -> tuple[float, Floats | None]:
    """The feasible point with the least objective of all that are tried."""
    points, best, where = FeasiblePoints(found), math.inf, None
    for start in _starts(found):
        for candidate in (_descended(found, start), start):
            near = points.near(np.clip(candidate, found.low, found.high))
            if near is not None and near.value < best:
                best, where = near.value, near.middle
    return best, where


def _starts(found: Program) -> list[Floats]:
    """The middle, and corners: all of them, or some."""
    rng = np.random.default_rng(0)
    ends = np.column_stack([found.low, found.high])
    corners = [np.array(corner) for corner in product(*ends)] if found.size <= 5 else []
    some = [np.where(rng.random(found.size) < 0.5, found.low, found.high) for _ in range(STARTS - len(corners))]
    return [0.5 * found.low + 0.5 * found.high, *corners, *some]


def _descended(found: Program, start: Floats) -> Floats:
    """Where a local method ends."""
    from scipy.optimize import LinearConstraint, minimize

    P = found.quadratic.toarray()
    rows = [LinearConstraint(found.matrix.toarray(), found.lower, found.upper)] if found.rows else []
    done = minimize(
        lambda x: 0.5 * x @ P @ x + found.cost @ x,
        start,
        jac=lambda x: P @ x + found.cost,
        bounds=np.column_stack([found.low, found.high]),
        constraints=rows,
        method="SLSQP",
    )
    return np.asarray(done.x, dtype=float) if np.isfinite(done.x).all() else start


def _nothing_below(found: Program, level: float, seconds: float) -> bool:
    """Whether no feasible point has an objective of at most `level`: a checked certificate says so."""
    value = "v"
    least = -_size(found)
    if level <= least:
        return False
    names = [f"x{j + 1}" for j in range(found.size)]
    domains = {name: (float(a), float(b)) for name, a, b in zip(names, found.low, found.high, strict=True)}
    stated = system(domains | {value: (least, level)}, [f"{_objective(found, names)} = {value}", *_rows(found, names)])
    answer = solve(stated, time_limit=max(seconds, 1.0))
    return answer.count == 0


def _size(found: Program) -> float:
    """More than the objective's size anywhere in the box."""
    most = np.maximum(np.abs(found.low), np.abs(found.high))
    size = np.abs(found.cost) @ most + most @ (abs(found.quadratic) @ most) + abs(found.offset)
    return float(2.0 * size + 1.0)


def _objective(found: Program, names: list[str]) -> str:
    """f in Minibex's words, with every double written out exactly."""
    P = found.quadratic.tocoo()
    terms = [f"({_exact(c)})*{names[j]}" for j, c in enumerate(found.cost.tolist()) if c]
    terms += [
        f"({_exact(p / 2 if i == j else p)})*{names[i]}" + ("^2" if i == j else f"*{names[j]}")
        for i, j, p in zip(P.row.tolist(), P.col.tolist(), P.data.tolist(), strict=True)
        if i <= j
    ]
    return " + ".join([*terms, f"({_exact(found.offset)})"])


def _rows(found: Program, names: list[str]) -> list[str]:
    rows = []
    dense = found.matrix.toarray()
    for row, low, high in zip(dense, found.lower.tolist(), found.upper.tolist(), strict=True):
        text = " + ".join(f"({_exact(float(a))})*{names[j]}" for j, a in enumerate(row) if a)
        if not text:  # of such a row the exact point has shown that it holds
            continue
        if low == high:
            rows.append(f"{text} = {_exact(low)}")
            continue
        rows += [f"{text} <= {_exact(high)}"] if math.isfinite(high) else []
        rows += [f"{text} >= {_exact(low)}"] if math.isfinite(low) else []
    return rows


def _exact(value: float) -> str:
    """All decimals of a double."""
    return format(Decimal(value), "f")
