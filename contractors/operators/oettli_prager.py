"""The hull of the solution set of an interval linear system, by the orthants that it reaches.

In one orthant the solution set is a convex polyhedron (W. Oettli, W. Prager, Compatibility of approximate solution of
linear equations with given error bounds for coefficients and right-hand sides, Numerische Mathematik 6, 1964), so that
2 n linear programs give the hull of that part. The worst case has 2^n orthants, and the problem is NP-hard (J. Rohn, V.
Kreinovich 1995); here a box of all solutions is cut at 0, one unknown at a time, and only where it has to be: a part is
dropped if weights refute it, or if Beaumont's relaxation proves that it adds nothing to the hull of the orthants seen
before.

Without a box to begin with (a matrix that is not proved regular, a system that is not square) unknowns are cut first. A
part with half-lines is bounded if the rows have weights that make the slope of every half-line positive (the recession
cone is then {0}: with slopes of at least 1/2, sum |x_j| is at most twice the weighted right-hand side); otherwise a
point and a direction are looked for that make a ray, and verified in rational numbers. A square matrix with any
singular member has an unbounded solution set or an empty one (C. Jansson, Calculation of exact bounds for the solution
set of linear interval systems, Linear Algebra and its Applications 251, 1997), so these answers decide, where rounding
does not stand in the way.

Every number in the answer is a bound proved by `linear_weights`; the linear programs propose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import EnclosedSolutions, IntervalSystem, LinearVerdict, Scaled
from certify.contractors.linear.weights import is_ray, least_values
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.operators.beaumont import Relaxation, program_pass, relaxation
from certify.contractors.operators.lifted_relaxation import LinearOracle, LinearProgram
from certify.contractors.tape.evaluation import Flags, Floats

_NEAR = 1e-13  # a part that exceeds the hull by less, relatively, is taken into it as it is
_PASSES = 4
_Part = tuple[Floats, Floats]


@dataclass
class _Search:
    """What is known so far: the hull of the parts that were decided, and a ray."""

    scaled: Scaled
    original: IntervalSystem
    oracle: LinearOracle
    lower: Floats
    upper: Floats
    ray: Floats | None = None
    orthants: int = 0
    parts: list[_Part] = field(default_factory=list)

    @property
    def system(self) -> IntervalSystem:
        return self.scaled.system

    def take(self, low: Floats, high: Floats) -> None:
        """Add a box to the hull."""
        self.lower, self.upper = np.minimum(self.lower, low), np.maximum(self.upper, high)

    def wanted(self, low: Floats, high: Floats) -> Flags:
        """The directions (see `beaumont.directions`) in which a box exceeds the hull; the hull grows where it is by a
        hair only.
        """
        with np.errstate(invalid="ignore"):
            near_low = (low < self.lower) & (low >= self.lower - _NEAR * np.abs(self.lower))
            near_high = (high > self.upper) & (high <= self.upper + _NEAR * np.abs(self.upper))
        self.lower, self.upper = np.where(near_low, low, self.lower), np.where(near_high, high, self.upper)
        return np.stack([low < self.lower, high > self.upper], axis=1).ravel()

    def split(self, low: Floats, high: Floats, place: int) -> None:
        """Cut at 0; the larger side will be looked at first."""
        left_high, right_low = high.copy(), low.copy()
        left_high[place], right_low[place] = 0.0, 0.0
        sides = [(low, left_high), (right_low, high)]
        self.parts += sides if high[place] >= -low[place] else sides[::-1]

    def visit(self, low: Floats, high: Floats) -> None:
        """Decide a part, or cut it."""
        free = (low < 0.0) & (high > 0.0)
        infinite = np.isinf(low) | np.isinf(high)
        if (free & infinite).any():
            self.split(low, high, int(np.argmax(free & infinite)))
            return
        if infinite.any():
            low, high, infinite = self._without_half_lines(low, high, infinite)
            if (low > high).any():
                return
        if infinite.any() and not free.any():
            self._unbounded(low, high, infinite)
            return
        if infinite.any():
            self.split(low, high, int(np.argmax(free)))
            return
        for _ in range(_PASSES):
            wanted = self.wanted(low, high)
            if not wanted.any():
                return
            answer = program_pass(self.system, self.oracle, low, high, wanted)
            if answer.verdict is LinearVerdict.EMPTY:
                return
            shrunk = (answer.upper - answer.lower).sum() / max((high - low).sum(), 1e-300)
            low, high, before = answer.lower, answer.upper, free
            free = (low < 0.0) & (high > 0.0)
            if shrunk > 0.5:
                break
        if not self.wanted(low, high).any():
            return
        if before.any() and not free.any():  # in one orthant only now, where programs are exact
            self.parts.append((low, high))
            return
        if free.any():
            self.split(low, high, int(np.argmax(np.where(free, np.minimum(-low, high), -1.0))))
            return
        self.orthants += 1
        self.take(low, high)

    def _without_half_lines(self, low: Floats, high: Floats, infinite: Flags) -> tuple[Floats, Floats, Flags]:
        """Finite ends for all half-lines if the recession cone is {0}; an empty box if that shows that there is no
        solution.
        """
        sign = np.where(infinite, np.where(low >= 0.0, 1.0, -1.0), 0.0)
        found = relaxation(self.system, low, high)
        program = found.program
        cone = LinearProgram(
            program.matrix[:, infinite],
            np.zeros(program.soft),
            np.minimum(sign, 0.0)[infinite],
            np.maximum(sign, 0.0)[infinite],
            program.soft,
        )
        self.oracle.violation_weights(cone)
        weights = self.oracle.bound_weights(cone, -sign[None, infinite])[0]
        if weights is None or not np.isfinite(weights).all():
            return low, high, infinite
        p, q = found.split(weights)
        bound = least_values(self.system, low, high, -0.5 * sign[None, :], p[None, :], q[None, :])[0]
        if not np.isfinite(bound):
            return low, high, infinite
        most = max(-2.0 * float(bound), 0.0) if bound <= 0.0 else -1.0
        low, high = np.where(infinite & (sign < 0.0), -most, low), np.where(infinite & (sign > 0.0), most, high)
        return low, high, np.zeros_like(infinite)

    def _unbounded(self, low: Floats, high: Floats, infinite: Flags) -> None:
        """A part of one orthant with half-lines: refute it, or bound what can be bounded, and look for a ray."""
        answer = program_pass(self.system, self.oracle, low, high, np.ones(2 * low.size, dtype=np.bool_))
        if answer.verdict is LinearVerdict.EMPTY:
            return
        self.orthants += 1
        self.take(answer.lower, answer.upper)
        if self.ray is None:
            self.ray = self._find_ray(low, high, infinite)

    def _find_ray(self, low: Floats, high: Floats, infinite: Flags) -> Floats | None:
        sign = np.where(low >= 0.0, 1.0, -1.0)
        found = relaxation(self.system, np.where(sign > 0.0, 0.0, -np.inf), np.where(sign > 0.0, np.inf, 0.0))
        directions = self._directions(found, sign, infinite)
        points = [sign * y for y in self._points(found.program.matrix * sign, found.program.bound)]
        for direction in directions:
            for point in (
                *points,
                *(2.0**k * direction for k in (0, 4, 20)),
                *(p + 2.0**k * direction for p in points for k in (0, 10)),
            ):
                pair = np.ldexp(np.stack([point, direction]), self.scaled.exponents)
                if is_ray(self.original, pair[0], pair[1]):
                    return np.stack([point, direction])
        return None

    def _directions(self, found: Relaxation, sign: Floats, infinite: Flags) -> list[Floats]:
        """Candidates: inside the recession cone if it has an inside, then on its boundary."""
        matrix = (found.program.matrix * sign)[:, infinite]
        concerned = np.abs(matrix).max(axis=1) > 0.0
        total = -np.ones((1, matrix.shape[1]))
        candidates = _feasible(matrix, np.where(concerned, -1.0, 0.0), self.oracle)
        candidates += _feasible(np.vstack([matrix, total]), np.append(np.zeros(len(matrix)), -1.0), self.oracle)
        result = []
        for values in candidates:
            direction = np.zeros(sign.size)
            direction[infinite] = sign[infinite] * values
            result.append(direction)
        return result

    def _points(self, matrix: Floats, bound: Floats) -> list[Floats]:
        inside = _feasible(matrix, bound - 1e-6 * np.maximum(np.abs(bound), 1e-3), self.oracle)
        return inside + _feasible(matrix, bound, self.oracle)


def _feasible(matrix: Floats, bound: Floats, oracle: LinearOracle) -> list[Floats]:
    """Candidates for y >= 0 with matrix y <= bound: the dual weights of the program min bound . z, matrix' z >= 0, 0 <=
    z <= 1, as they are and shortened.
    """
    rows, columns = matrix.shape
    program = LinearProgram(-matrix.T, np.zeros(columns), np.zeros(rows), np.ones(rows), columns)
    oracle.violation_weights(program)
    weights = oracle.bound_weights(program, bound[None, :])[0]
    if weights is None or not np.isfinite(weights).all():
        return []
    short = np.round(weights * 2.0**20) / 2.0**20
    return [np.maximum(weights, 0.0), np.maximum(short, 0.0)]


def hull(
    system: IntervalSystem,
    oracle: LinearOracle,
    lower: Floats | None = None,
    upper: Floats | None = None,
    limit: int = 5000,
) -> EnclosedSolutions:
    """The hull of the solution set (within a box if one is given), up to the rounding of the linear programs; after
    `limit` parts an enclosure of it.
    """
    require_nearest()
    columns = system.shape[1]
    scaled = system.scaled()
    first = enclose(scaled.system)
    if first.verdict is LinearVerdict.EMPTY:
        return first
    low, high = first.lower, first.upper
    if lower is not None and upper is not None:
        box_low, box_high = scaled.from_original(lower, upper)
        low, high = np.maximum(low, box_low), np.minimum(high, box_high)
        if (low > high).any():
            return EnclosedSolutions.empty(columns, "the box and the enclosure of all solutions do not meet")
    search = _Search(scaled, system, oracle, np.full(columns, np.inf), np.full(columns, -np.inf), parts=[(low, high)])
    for _ in range(limit):
        if not search.parts or (
            search.ray is not None and np.isinf(search.lower).all() and np.isinf(search.upper).all()
        ):
            break
        search.visit(*search.parts.pop())
    complete = not search.parts or bool(np.isneginf(search.lower).all() and np.isposinf(search.upper).all())
    for part in search.parts:
        search.take(*part)
    if search.orthants == 0 and complete and not np.isfinite(search.lower).any():
        return EnclosedSolutions.empty(columns, "weights on the rows contradict each other in every orthant")
    finite = bool(np.isfinite(search.lower).all() and np.isfinite(search.upper).all())
    count = f"{search.orthants} orthants" if search.orthants != 1 else "one orthant"
    if search.ray is not None:
        verdict, proof = (
            LinearVerdict.UNBOUNDED,
            "a point and a direction that make a ray of solutions, verified in rational numbers",
        )
    elif finite:
        verdict, proof = (
            LinearVerdict.BOUNDED,
            f"linear programs with safe bounds, {count}"
            + ("" if complete else f"; stopped after {limit} parts, no hull"),
        )
    else:
        verdict, proof = (
            LinearVerdict.NOT_PROVED,
            "parts with half-lines are left, and no ray was verified" if complete else f"stopped after {limit} parts",
        )
    lower, upper = np.maximum(search.lower, low), np.minimum(search.upper, high)  # tighter by the rounding of programs
    return scaled.original(EnclosedSolutions(lower, upper, verdict, proof, search.ray))
