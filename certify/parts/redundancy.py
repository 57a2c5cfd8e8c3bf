"""Which parameters of an experiment its measurements cannot tell apart, and what they determine: before any search.

    found = redundancy(experiment)                      an estimate, to first order at the blueprint
    held(experiment, found.given_up)                    the experiment with what is redundant held at its blueprint

`certify new arm` asks the same of the model that it has written: only the poses matter, not what the tracker read (the
slopes of position - P do not depend on P), so that a table of planned joint angles will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.parts.fitting import Fitting, fit_experiment
from certify.parts.polytope import Direction
from certify.parts.scopes import independent_parts
from certify.problems.experiments.experiment import Experiment, Parameter
from certify.problems.robots.components import POSE
from certify.solvers.advice.combinations import Combination, Determined, determined

DIGITS = ".4g"  # of coefficients


@dataclass(frozen=True, eq=False, slots=True)
class Redundancy:
    """What all measurements together determine of the `variables`, and what those of each part alone do (by name)."""

    variables: tuple[Parameter, ...]
    together: Determined
    parts: dict[str, Determined]

    @property
    def given_up(self) -> tuple[str, ...]:
        """The parameters that may have any value, as far as all measurements can tell."""
        return tuple(self.variables[v].name for v in self.together.given_up)


def redundancy(experiment: Experiment, point: Floats | None = None, give_up: Sequence[str] = ()) -> Redundancy:
    """What the experiment's poses determine of its parameters, at a point (all variables; default: the blueprint).

    Parameters in `give_up` are rather given up than others, the first one first.
    """
    problem = experiment.problem(experiment.nominal)
    x = np.array([float(value) for value in experiment.nominal]) if point is None else point
    radius = np.array([float(variable.radius) for variable in experiment.variables])
    numbers = {variable.name: number for number, variable in enumerate(experiment.variables)}
    last = [numbers[name] for name in give_up if name in numbers]
    units = [family.unit for family in problem.families]
    parts = {
        name: determined(problem.blocks, scope, x, radius, last, [units[n] for n in scope])
        for name, scope in independent_parts(problem)
    }
    if len(parts) == 1:
        return Redundancy(experiment.variables, next(iter(parts.values())), parts)
    # with a ratio all rows stand there twice
    again = {name for group in problem.groups if group.name == POSE and len(parts) > 1 for name in group.families}
    every = [n for n, family in enumerate(problem.families) if family.name not in again]
    together = determined(problem.blocks, every, x, radius, last, [units[n] for n in every])
    return Redundancy(experiment.variables, together, parts)


def fit_beside(experiment: Experiment) -> tuple[Fitting, Redundancy | None]:
    """The fits, and what is redundant at them; where a fit runs away, along what is redundant in the blueprint, it is
    made with that at the blueprint. None for robots with legs.
    """
    fitting = fit_experiment(experiment)
    if experiment.kind.legs:
        return fitting, None
    if all(part.settled and not fitting.lost(part) for part in fitting.parts):
        return fitting, redundancy(experiment, np.array([float(value) for value in fitting.estimate]))
    found = redundancy(experiment)
    if not found.together.given_up:
        return fitting, found
    again = fit_experiment(experiment, found.together.given_up, suspicious=False)
    return replace(again, suspicion=fitting.suspicion), found


def directions(found: Redundancy) -> dict[str, tuple[Direction, ...]]:
    """The combinations that are determined in each part, with the coefficients that are written."""
    return {
        name: tuple(
            Direction(
                combined(found, combination),
                found.variables[combination.kept].unit,
                combination.kept,
                tuple((v, Fraction(f"{coefficient:{DIGITS}}")) for v, coefficient in combination.terms),
            )
            for combination in part.combinations
        )
        for name, part in found.parts.items()
    }


def combined(found: Redundancy, combination: Combination) -> str:
    """A combination as it is written: tool_z + wrist_z - 12.5 mm/deg o_3."""
    kept = found.variables[combination.kept]
    told = [kept.name]
    for v, coefficient in combination.terms:
        other = found.variables[v]
        size = f"{abs(coefficient):{DIGITS}}"
        unit = "" if other.unit == kept.unit else f" {kept.unit}/{other.unit}"
        factor = "" if size == "1" and not unit else f"{size}{unit} "
        told += ["-" if coefficient < 0 else "+", f"{factor}{other.name}"]
    return " ".join(told)
