"""Both ends of the minimum of a small nonlinear program: a System with an objective, in a box.

    upper end   a point of doubles at which the engine's enclosures keep all inequalities; the objective, enclosed
                there. Points are drawn in the box, and around the best one, ever nearer
    lower end   the system  objective - v = 0, constraints, v from below up to a  has no solution: the engine branches,
                the certificate is checked by a separate process; so the minimum is above a

Where there are equations no point of doubles keeps them, and there is no upper end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.tape.evaluation import Ranges, evaluate
from certify.contractors.tape.tape import Tape
from certify.judging_programs.nonconvex.branch_and_bound import GAPS, GlobalBounds
from certify.problems.errors import InputError
from certify.problems.formulas.graph import Apply, Operation, Symbol
from certify.problems.programs.exact_sums import Floats
from certify.problems.systems.system import (
    Constraint,
    Relation,
    System,
    SystemVariable,
    inner_box,
    system_tape,
)
from certify.systems.solve import solve

POINTS = 4096  # that are drawn at once
ROUNDS = 60  # around the best one
SHRINK = 0.75  # of the radius, where nothing better was found
SECONDS = 30.0


def global_minimum(system: System, seconds: float = SECONDS) -> GlobalBounds:
    """Both ends, as far as they are found."""
    if system.objective is None:
        title = system.title or "the system"
        raise InputError(f"{title} has no objective; write 'minimize ...' before its constraints")
    if any(variable.lower is None or variable.upper is None for variable in system.variables):
        raise InputError("a minimum is proved over a box: give each variable a domain with both ends")
    stated = Constraint(system.objective, Relation.LESS_EQUAL, "objective")
    tape, allowed = system_tape(replace(system, constraints=(*system.constraints, stated), objective=None))
    search = _Search(tape, np.array(allowed[:-1]).reshape(-1, 2), inner_box(system))
    upper, point = search.best()
    if point is None:
        return GlobalBounds(-math.inf, math.inf, None, "nothing was found in doubles that keeps all constraints")
    for gap in GAPS:
        level = upper - gap * max(1.0, abs(upper))
        if _nothing_below(system, level, seconds / len(GAPS)):
            return GlobalBounds(level, upper, point)
    return GlobalBounds(-math.inf, upper, point, "branching ended before its lower end was near the best point")


def _nothing_below(system: System, level: float, seconds: float) -> bool:
    """Whether no point of the system has an objective of at most `level`: a checked certificate says so."""
    if system.objective is None:
        raise InputError("there is no objective")
    count = len(system.variables)
    names = {variable.name for variable in system.variables}
    name = next(name for name in ("v", *(f"v{k}" for k in range(count + 1))) if name not in names)
    value = Symbol(count)
    equation = Constraint(Apply(Operation.SUB, (system.objective, value)), Relation.EQUAL, "objective")
    asked = replace(
        system,
        variables=(*system.variables, SystemVariable(name, None, Fraction(level))),
        constraints=(*system.constraints, equation),
        objective=None,
    )
    return solve(asked, time_limit=max(seconds, 1.0)).count == 0


@dataclass(frozen=True, eq=False)
class _Search:
    """The last output of the tape is the objective, those before it the constraints with what they may be."""

    tape: Tape
    allowed: Floats
    box: tuple[Floats, Floats]

    def best(self) -> tuple[float, Floats | None]:
        """The least enclosed objective of all feasible points that are drawn."""
        rng = np.random.default_rng(0)
        low, high = self.box
        best, where = self._least(rng.uniform(low[:, None], high[:, None], (low.size, POINTS)))
        radius = 0.25 * (high - low)
        for _ in range(ROUNDS):
            if where is None:
                return best, None
            around = where[:, None] + radius[:, None] * rng.standard_normal((low.size, POINTS))
            value, point = self._least(np.clip(around, low[:, None], high[:, None]))
            if point is not None and value < best:
                best, where = value, point
            radius = radius * SHRINK
        return best, where

    def _least(self, points: Floats) -> tuple[float, Floats | None]:
        found: Ranges = evaluate(self.tape, points, points)
        kept = np.broadcast_to(np.asarray(found.defined), points.shape[1:]).copy()
        for output, (least, most) in enumerate(self.allowed):
            kept &= (found.lower[output] >= least) & (found.upper[output] <= most)
        values = np.where(kept, found.upper[-1], np.inf)
        place = int(np.argmin(values))
        return (float(values[place]), points[:, place].copy()) if np.isfinite(values[place]) else (math.inf, None)
