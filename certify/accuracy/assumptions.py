"""What an accuracy rests on: the model error that is assumed for each part, the parameters that are held, and that rows
are  f(parameters, joints) - reading,  so that what is told of rows is true of readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import pi
from pathlib import Path

import numpy as np

from certify.accuracy.differences import IN_RADIANS
from certify.accuracy.guarantees import Level
from certify.accuracy.outputs import Deviation
from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import PartSearch
from certify.parts.scopes import independent_parts
from certify.problems.errors import InputError
from certify.problems.files.disk import read_json
from certify.problems.formulas.units import nearest, unit_named
from certify.problems.model.groups import LARGEST
from certify.problems.model.model import Problem
from certify.problems.robots.components import POSE
from certify.proofs.problem_replay import proving_of
from certify.records.options import Options
from certify.solvers.fits.plain_fit import measured_slopes
from certify.solvers.limits import Limit
from certify.text.decimals import round_up

FACTOR = Fraction(6, 5)  # times the smallest error that is known: there the set of consistent parameters is no point
CURVE = (Fraction(21, 20), Fraction(6, 5), Fraction(3, 2), Fraction(2))
LEAST = 1e-3  # of what a row may vary by its measurements' intervals: so much error is always assumed
TINY = 1e-6
ALIKE = 1e-9  # parts by which a slope may be off, which is looked at in floats
DIGITS = 4


def parts_of(problem: Problem) -> dict[str, tuple[int, ...]]:
    """The parts whose errors are assumed; what a ratio joins stands among the others."""
    found = dict(independent_parts(problem))
    if POSE in found and len(found) > 1:
        del found[POSE]
    return found


def witnesses(
    problem: Problem, start: Floats, options: Options, limit: Limit
) -> dict[str, tuple[Fraction, Mapping[str, Fraction]]]:
    """For each part an error with which some parameters are consistent, by a witness, and these parameters."""
    proving, found = proving_of(problem), dict[str, tuple[Fraction, Mapping[str, Fraction]]]()
    for name, scope in parts_of(problem).items():
        search = PartSearch(proving, scope, options, start, limit=limit)
        witness = search.candidate(start)
        needed = search.needed(witness)
        if needed is None:
            raise InputError(f"{name}: the model is not defined near the measurements; give --epsilon, or another box")
        values = {problem.variables[v].name: value for v, value in witness.values.items()}
        found[name] = needed, values
    return found


def recorded(folder: Path) -> dict[str, Fraction]:
    """The upper ends of the model errors that a run has written beside its problem, of parts that were verified."""
    try:
        record = read_json(folder / "result.json", "record")
        parts = record["parts"]
        return {
            str(part["name"]): Fraction(str(part["epsilon"][1]))
            for part in parts
            if part["verified"] is True and part["epsilon"][1] is not None
        }
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return {}


def levels_of(problem: Problem, epsilon: Mapping[str, Fraction], at: Sequence[Fraction]) -> tuple[Level, ...]:
    """The parts with the errors that are assumed: a little, if it is 0 that is given; searches work in parts of it."""
    norms = {group.name: group.norm for group in problem.groups}
    found = []
    for name, scope in parts_of(problem).items():
        if name not in epsilon:
            raise InputError(f"no error is assumed for {name}; give one for each part with --epsilon")
        families = tuple(problem.families[n].name for n in scope)
        unit = problem.families[scope[0]].unit
        error = max(epsilon[name], _little(problem, scope, at))
        found.append(Level(name, unit, error, norms.get(name, LARGEST), families))
    return tuple(found)


def _little(problem: Problem, scope: Sequence[int], at: Sequence[Fraction]) -> Fraction:
    """A small part of how much the rows vary at these parameters, by what is uncertain in their measurements."""
    point, widths = np.array([float(value) for value in at]), [TINY]
    for number in scope:
        found = problem.blocks[number].enclose(point, point)
        widths.append(float(np.nan_to_num(found.upper[0] - found.lower[0], posinf=0.0, neginf=0.0).max()))
    return round_up(Fraction(LEAST * max(widths)), 1)


def above(smallest: Mapping[str, Fraction], factor: Fraction) -> dict[str, Fraction]:
    """So many times these errors, in few digits."""
    return {name: round_up(factor * value, DIGITS) if value else value for name, value in smallest.items()}


def held_numbers(text: str | None, problem: Problem) -> frozenset[int]:
    """The variables that a list names: by their own names, or by what stands before their components."""
    found: set[int] = set()
    for name in (text or "").split(","):
        name = name.strip(" ")
        if not name:
            continue
        numbers = {
            k for k, v in enumerate(problem.variables) if v.name == name or v.name.startswith((f"{name}_", f"{name}."))
        }
        if not numbers:
            known = [variable.name for variable in problem.variables]
            raise InputError(f"--hold: there is no unknown parameter {name!r}; {nearest(name, known)}")
        found |= numbers
    return frozenset(found)


def refuse_multiples(deviation: Deviation) -> None:
    """Raise InputError if rows change by no reading of their dimension as much as that does: the difference of rows
    would be told as that of readings. Looked at in floats, at each row, of readings that the difference does not hold.
    """
    if deviation.turns or not deviation.tape.steps:
        return
    problem, point = deviation.problem, np.array([float(value) for value in deviation.at])
    axes = {axis.column for axis in deviation.axes}
    for family, rows in zip(problem.families, problem.blocks, strict=True):
        slopes = measured_slopes(rows, family.bindings, point) if family in deviation.families else {}
        found: dict[str, float] = {}
        for column in slopes.keys() - axes:
            size = _size(problem.columns[column].unit, family.unit)
            known = slopes[column][np.isfinite(slopes[column])] / (size or 1.0)
            if size is not None and known.any():
                found[problem.columns[column].name] = float(known[np.argmax(np.abs(np.abs(known) - 1.0))])
        if found and all(abs(abs(slope) - 1.0) > ALIKE for slope in found.values()):
            name, slope = min(found.items())
            raise InputError(
                f"the error of {family.name} changes by {slope:.6g} where {name} changes by 1, so that its deviation "
                f"is not that of {name}: write the equation as what the model says less what is read, "
                f"f(parameters, joints) - {name}"
            )


def _size(unit: str, wanted: str) -> float | None:
    """How much of one unit another is; None if they measure different things."""
    one, other = unit_named(unit), unit_named(wanted)
    if one is None or other is None or one.dimension != other.dimension:
        return None
    if unit in IN_RADIANS and wanted in IN_RADIANS:
        (first, powers), (second, others) = IN_RADIANS[unit], IN_RADIANS[wanted]
        return float(first / second) * pi ** (powers - others)
    return float(one.factor * one.dimension.scale / (other.factor * other.dimension.scale))
