"""Is there a feasible point, exactly, near a point of floats; and what does it cost: an upper bound of the minimum.

equations       hold exactly at some point within a proved radius of the floats (`corrections`)
the rest        rows, bounds, cones hold at all points within the radius, in outward rounding
otherwise       the point is moved a little towards one with something to spare, which keeps the equations nearly
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from certify.judging_programs.corrections import Corrector, corrected, corrector
from certify.judging_programs.dependent_equations import solved_near
from certify.problems.programs.exact_sums import Floats, spread, times, widened
from certify.problems.programs.program import Flags, Program, most_of, norm_ends

STEPS = (0.0, 2.0**-42, 2.0**-36, 2.0**-30, 2.0**-24, 2.0**-18)  # towards the point with room
SHORT = 2.0**20
NEAR = 1e-6  # of an end, relatively: a row is taken to touch it
ROOM = 2.0**-40  # of a weight: an unknown that is nearer to its end than so is not moved


@dataclass(frozen=True, eq=False)
class FeasiblePoint:
    """Some exact point within `radius` (per unknown) of `middle` is feasible; its objective is at most `value`."""

    middle: Floats
    radius: Floats
    value: float


def _touched(values: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Both ends, where a value is near one of them that one twice."""
    with np.errstate(invalid="ignore"):
        below = np.isfinite(low) & (values - low <= NEAR * (1.0 + np.abs(low)))
        above = np.isfinite(high) & (high - values <= NEAR * (1.0 + np.abs(high))) & ~below
    return np.where(above, high, low), np.where(below, low, high)


class FeasiblePoints:
    """Those of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._equal = program.equalities & (np.diff(program.matrix.indptr) > 0)
        self._equations = sparse.csr_array(program.matrix[self._equal])
        self._made: tuple[Corrector | None] | None = None

    def near(self, x: Floats, inner: Floats | None = None) -> FeasiblePoint | None:
        """The first one that is found on the way from x to a point with room."""
        if not np.isfinite(x).all():
            return None
        for step in STEPS if inner is not None else STEPS[:1]:
            moved = x if inner is None or not step else x + step * (inner - x)
            found = self._at(self._within(moved))
            if found is not None:
                return found
        return None

    def rounded(self, x: Floats) -> FeasiblePoint | None:
        """That of multiples of 2^-20 next to x: a corner whose components are short numbers is met."""
        short = np.round(x * SHORT) / SHORT
        return None if (short == x).all() else self.near(short)

    def on_faces(self, x: Floats) -> FeasiblePoint | None:
        """With the rows and bounds that x nearly touches as equations: a smaller set, for where no point has room."""
        found = self.program
        lower, upper = _touched(found.matrix @ x, found.lower, found.upper)
        low, high = _touched(x, found.low, found.high)
        return FeasiblePoints(replace(found, lower=lower, upper=upper, low=low, high=high)).near(x)

    def _within(self, x: Floats) -> Floats:
        return np.clip(x, self.program.low, self.program.high)

    def _at(self, x: Floats) -> FeasiblePoint | None:
        radius = np.zeros(x.size)
        if self._equal.any():
            right = self.program.lower[self._equal]
            low, high = times(self._equations, -x, right)
            if np.abs(low).any() or np.abs(high).any():
                made = self._corrector(x)
                near = (
                    solved_near(self._equations, right, x, self._weights(x))
                    if made is None
                    else corrected(x, lambda u: times(self._equations, -u, right), made)
                )
                if near is None:
                    return None
                x, radius = near
        return FeasiblePoint(x, radius, self.value(x, radius)) if self._holds(x, radius) else None

    def _corrector(self, x: Floats) -> Corrector | None:
        """Unknowns may be moved as far as they are from their ends; made once, at the first point."""
        if self._made is None:
            self._made = (corrector(self._equations, self._weights(x)),)
        return self._made[0]

    def _weights(self, x: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            room = np.minimum(x - self.program.low, self.program.high - x)
        size = max(1.0, float(np.abs(x).max(initial=0.0)))
        weights = np.where(np.isfinite(room), np.minimum(np.maximum(room, 0.0) / size, 1.0), 1.0)
        return np.where(weights > ROOM, weights, 0.0)

    def _holds(self, x: Floats, radius: Floats) -> bool:
        """Whether all of the program but its equations holds within the radius of x."""
        found = self.program
        low, high = widened((x, x), radius)
        if (low < found.low).any() or (high > found.high).any():
            return False
        rest: Flags = ~self._equal
        if self._clearly_not(x, rest):
            return False
        low, high = widened(times(found.matrix, x), spread(found.matrix, radius))
        if ((low < found.lower) & rest).any() or ((high > found.upper) & rest).any():
            return False
        if not found.cones:
            return True
        low, high = widened(times(found.cone_matrix, x, found.cone_vector), spread(found.cone_matrix, radius))
        return all(norm_ends((low[b][1:], high[b][1:]))[1] <= low[b.start] for b in found.blocks)

    def _clearly_not(self, x: Floats, rest: Flags) -> bool:
        """Whether floats show that a row is missed: it saves the exact sums."""
        found = self.program
        near, blur = found.matrix @ x, 2.0**-45 * (abs(found.matrix) @ np.abs(x))
        return bool((rest & ((near + blur < found.lower) | (near - blur > found.upper))).any())

    def value(self, x: Floats, radius: Floats) -> float:
        """An upper bound of the objective within the radius: at x, and the slopes there times the radius."""
        found = self.program
        value = found.value(x)[1]
        if not radius.any():
            return value
        slopes = widened(
            times(found.quadratic, x, found.cost), spread(found.quadratic, radius)
        )  # between x and a point within the radius
        size = np.maximum(np.abs(slopes[0]), np.abs(slopes[1]))
        more = most_of(radius, (size, size))
        return math.nextafter(value + more, math.inf)
