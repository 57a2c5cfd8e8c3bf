"""Both ends of the minimum of a convex program: the best that candidates prove.

A small linear program is decided by its basis in whole numbers; all others by an interior point, whose equations are
corrected (`dual_bounds`, `feasible_points`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.judging_programs.convexity import missing
from certify.judging_programs.dual_bounds import Dual, DualBounds
from certify.judging_programs.exact_vertices import Numbers, better, is_worthwhile, vertex
from certify.judging_programs.feasible_points import FeasiblePoint, FeasiblePoints
from certify.judging_programs.refinement import magnified
from certify.problems.programs.elastic import dual_set, elastic
from certify.problems.programs.exact_sums import Floats
from certify.problems.programs.program import Program
from certify.solvers.programs.interior import TOLERANCES, Candidate, interior
from certify.solvers.programs.simplex_basis import simplex

ROOM = -0.1  # the room that is asked of a point to which others are moved
INFEASIBLE, UNBOUNDED = "infeasible", "unbounded"  # what a solver may say
WORDS = {
    "Infeasible": INFEASIBLE, "PrimalInfeasible": INFEASIBLE, "Unbounded": UNBOUNDED, "DualInfeasible": UNBOUNDED,
}  # fmt: skip
NOT_CONVEX = "the matrix P of the objective is not positive semidefinite: the program is not convex"
SHARES = (0.0, 2.0**-34, 2.0**-27, 2.0**-20, 2.0**-13)  # on the way to multipliers with room
REFINEMENTS = 4
LOOSE = 1e-4  # tolerance of a candidate far inside
NEAR = 1e-9  # of the ends of a minimum: nothing more is tried


@dataclass(frozen=True, eq=False)
class Bounds:
    """The minimum lies in [lower, upper]: proved. `vertex` has the exact point and multipliers of a small linear
    program, `why` what stood in the way of an end,
    `said` is a solver's word that there is no point, or no end. A feasible point lies within `radius` of `point`.
    """

    lower: float
    upper: float
    point: Floats | None = None
    radius: Floats | None = None
    exact_point: Numbers | None = None
    exact_rows: Numbers | None = None
    exact_lower: Fraction | None = None
    why: tuple[str, ...] = ()
    said: str = ""
    nonconvex: bool = False

    @property
    def width(self) -> float:
        """Relative to the size of the minimum, at least 1."""
        if not (math.isfinite(self.lower) and math.isfinite(self.upper)):
            return math.inf
        return (self.upper - self.lower) / max(1.0, min(abs(self.lower), abs(self.upper)))


def bounds(found: Program, *, only_upper: bool = False, hints: bool = False) -> Bounds:
    """The best ends that the candidates prove; with `hints` a solver's word that there is no minimum ends it."""
    best = Bounds(-math.inf, math.inf)
    if found.is_linear:
        best = _by_basis(found)
        if hints and best.said:
            return best
        if best.width <= NEAR or (only_upper and best.upper < math.inf):
            return best
    shift = missing(found.quadratic)
    if shift is None:
        return replace(best, why=(NOT_CONVEX,), nonconvex=True)
    search = _Interior(found, shift, best)
    return search.run(only_upper, hints)


def _by_basis(found: Program) -> Bounds:
    basis = simplex(found)
    said = "" if basis is None else WORDS.get(basis.status, "")
    if basis is None or not is_worthwhile(found, basis):
        return Bounds(-math.inf, math.inf, said=said)
    corner = vertex(found, basis)
    for _ in range(REFINEMENTS):
        if not (corner.is_open and not said) or corner.point is None or corner.costs is None:
            break
        basis = simplex(magnified(found, corner.point, corner.costs))
        if basis is None or not is_worthwhile(found, basis):
            break
        corner = better(corner, vertex(found, basis))
    feasible = None if corner.upper is None or corner.point is None else corner.point
    point = None if feasible is None else np.array([float(x) for x in feasible])
    return Bounds(
        -math.inf if corner.lower is None else below_rational(corner.lower),
        math.inf if corner.upper is None else above_rational(corner.upper),
        point,
        None if point is None else np.spacing(np.abs(point)),
        feasible,
        corner.rows if corner.lower is not None else None,
        corner.lower,
        said="" if corner.upper is not None and corner.lower is not None else said,
    )


def below_rational(value: Fraction) -> float:
    """The largest double that is not above."""
    near = float(value) if abs(value) < Fraction(2) ** 1023 else math.copysign(math.inf, value)
    return math.nextafter(near, -math.inf) if math.isinf(near) or Fraction(near) > value else near


def above_rational(value: Fraction) -> float:
    """The smallest double that is not below."""
    return -below_rational(-value)


class _Interior:
    """Candidates of the interior-point method, one after the other, until the ends are near."""

    def __init__(self, found: Program, shift: float, best: Bounds) -> None:
        self.program, self.best, self.shift = found, best, shift
        self.duals, self.points = DualBounds.of(found, shift), FeasiblePoints(found)
        self.why: list[str] = []
        self._dual_room: tuple[Dual | None] | None = None
        self._stopped: tuple[Candidate | None] | None = None

    def run(self, only_upper: bool, hints: bool) -> Bounds:
        """Try each tolerance."""
        for tolerance in TOLERANCES:
            candidate = interior(self.program, tolerance)
            if candidate is None:
                self.why.append("the interior-point method gave no candidate")
                continue
            said = next((word for word in WORDS if candidate.status.endswith(word)), "")
            if hints and said:
                return replace(self.best, said=WORDS[said])
            if not only_upper and self.best.lower < self.best.upper:
                self._lower(candidate)
            self._upper(candidate)
            if self.best.width <= NEAR or (only_upper and self.best.upper < math.inf):
                break
            if self.best.width < math.inf and tolerance != TOLERANCES[-1] and self.best.width <= 1e-7:
                break
        return replace(self.best, why=tuple(dict.fromkeys(self.why)))

    def _lower(self, candidate: Candidate) -> None:
        dual = Dual.of(self.program, candidate.rows, candidate.cones, candidate.point)
        for share in SHARES:
            room = self._dual_with_room() if share else None
            if share and room is None:
                continue
            mixed = dual if room is None else self.duals.mixed(dual, room, share)
            repaired = self.duals.repaired(mixed)
            value = -math.inf if repaired is None else self.duals.value(repaired)
            if value > -math.inf:
                break
        else:
            self.why.append(
                "no exact multipliers were found near those of the solver: what they must cancel exactly depends on "
                "each other, or nearly so, or there are none inside of all signs and cones"
            )
        if value > self.best.lower:
            self.best = replace(self.best, lower=value, exact_rows=None, exact_lower=None)

    def _loose(self) -> Candidate | None:
        """A candidate that is far inside: the method stopped early."""
        if self._stopped is None:
            self._stopped = (interior(self.program, LOOSE),)
        return self._stopped[0]

    def _dual_with_room(self) -> Dual | None:
        """Multipliers inside of all signs and cones, if there are any."""
        if self._dual_room is None:
            m, k = self.program.rows, self.program.cone_vector.size
            found = interior(elastic(dual_set(self.program), ROOM), LOOSE)
            u = np.zeros(0) if found is None or found.point[-1] >= 0.0 else found.point
            self._dual_room = (None if not u.size else Dual.of(self.program, u[:m], u[m : m + k], u[m + k : -1]),)
        return self._dual_room[0]

    def _upper(self, candidate: Candidate) -> None:
        if self.best.lower == self.best.upper:
            return
        points, x = self.points, candidate.point
        for find in (points.near, points.rounded, lambda _: self._with_room(candidate), points.on_faces):
            found = find(x)
            if found is not None and found.value < self.best.upper:
                self.best = replace(
                    self.best, upper=found.value, point=found.middle, radius=found.radius, exact_point=None
                )
            if found is not None and (find != points.rounded or self.best.width <= NEAR):
                return  # a rounded point may be far from the minimum
        if self.best.upper == math.inf:
            self.why.append("no exactly feasible point was found near that of the solver")

    def _with_room(self, candidate: Candidate) -> FeasiblePoint | None:
        loose = self._loose()
        found = None if loose is None else self.points.near(candidate.point, loose.point)
        if found is not None:
            return found
        inner = interior(elastic(self.program, ROOM * max(1.0, float(np.abs(candidate.point).max(initial=0.0)))))
        return None if inner is None else self.points.near(candidate.point, inner.point[:-1])
