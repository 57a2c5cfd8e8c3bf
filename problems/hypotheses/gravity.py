"""What bends under gravity: the joints of an arm, or its tool.

    joint     q + k L / max |L|,    L = g . (n x (c - f))    at each pose
    tool      t + C (g . e1, g . e2, g . e3),                 C symmetric, of 2 x 2 or 3 x 3 numbers

A joint gives way in proportion to the moment that gravity has about its axis (through f, along n): g is the direction
of gravity, and the load is at c. There are two loads for each joint, one at the measured point and one at the next axis
(its foot next to the measured point), where links are heavy. The tool's point t gives way, in the tool's frame with the
axes e1, e2, e3, in proportion to gravity as it is seen there; that it gives way alike in all directions is a shift of
the base, so C has one number less. Gravity is taken to be along the first axis that stays as it is, as of an arm that
stands or hangs; in a plane along its second coordinate. L and g . e are numbers, not measurements: they are computed at
the middles of the measurements and of the search box, rounded, and stand in the problem; so every claim holds for these
numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import evaluate
from certify.problems.formulas.units import is_length
from certify.problems.model.hypothesis import Hypothesis
from certify.problems.model.model import Binding, Column, Problem
from certify.problems.model.shifts import Shift
from certify.problems.robots.joint_axes import Arm, Axis, arm_of, position_families

Floats = NDArray[np.float64]
PLACES = 9  # of the numbers that stand in the problem
LEAST = 1e-3  # of the largest, or of 1: what varies by less is an offset
SQUARE = 1e-6  # by how much the slopes along a tool's point may miss a rotation
_COMPONENT = re.compile(r"(.+)[._][xyz]")


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """One for each joint that gravity loads, one for all of them, and one for each place on the tool."""
    arm = arm_of(problem)
    if arm is None:
        return ()
    joints = {problem.columns[axis.column].name: _yields(problem, arm, k) for k, axis in enumerate(arm.axes)}
    loaded = {name: shifts for name, shifts in joints.items() if shifts}
    found = [
        Hypothesis(f"elasticity of {name}", f"joint {name} gives way under gravity", shifts=shifts)
        for name, shifts in loaded.items()
    ]
    if len(loaded) > 1:
        everything = tuple(shift for shifts in loaded.values() for shift in shifts)
        found.append(Hypothesis("elasticity of all", "all joints give way under gravity", shifts=everything))
    for name, numbers in _tools(problem).items():
        shifts = _bends(problem, arm, name, numbers)
        if shifts:
            sentence = f"the tool gives way under gravity at {name}, as its direction has it"
            found.append(Hypothesis(f"deflection of {name}", sentence, shifts=shifts))
    return tuple(found)


def _yields(problem: Problem, arm: Arm, place: int) -> tuple[Shift, ...]:
    """What a joint gives way under a load at the measured point, and under one at the next axis."""
    axis = arm.axes[place]
    loads = [("load", np.zeros_like(axis.foot)), *(("link", next.foot) for next in arm.axes[place + 1 : place + 2])]
    name = problem.columns[axis.column].name
    found, known = [], [np.ones(len(axis.foot))]
    for label, load in loads:
        lever = _lever(axis, load, arm.vertical)
        numbers = _varying(lever, known, float(np.abs(load - axis.foot).max(initial=0.0)))
        if numbers is not None:
            known.append(lever)
            column = Column(f"{name}.{label}", "1", numbers, numbers)
            found.append(Shift(f"{name}.yields_to_{label}", Binding(True, axis.column), column))
    return tuple(found)


def _lever(axis: Axis, load: Floats, vertical: Floats) -> Floats:
    lever: Floats = np.cross(axis.direction, load - axis.foot) @ vertical
    return lever


def _varying(values: Floats, known: list[Floats], reach: float) -> tuple[Fraction, ...] | None:
    """The values over their largest size, rounded; None if they are nothing beside `reach`, or no more than the known
    ones put together.
    """
    largest = float(np.abs(values).max(initial=0.0))
    others = np.array(known).T
    left = values - others @ np.linalg.lstsq(others, values, rcond=None)[0]
    if not largest > LEAST * reach or np.abs(left).max() <= LEAST * largest:
        return None
    return tuple(round(Fraction(float(value)), PLACES) for value in values / largest)


def _tools(problem: Problem) -> dict[str, list[int]]:
    """The places on the tool among the unknowns, by name: along them the slopes of the rows are a rotation matrix, not
    the same in all poses.
    """
    places: dict[str, list[int]] = {}
    for number, variable in enumerate(problem.variables):
        match = _COMPONENT.fullmatch(variable.name)
        if match is not None and is_length(variable.unit):
            places.setdefault(match[1], []).append(number)
    found = {}
    for name, numbers in places.items():
        slopes = _slopes(problem, numbers)
        if slopes.shape[1] != slopes.shape[2] or not np.isfinite(slopes).all():
            continue
        square = np.abs(slopes.transpose(0, 2, 1) @ slopes - np.eye(slopes.shape[1])).max() <= SQUARE
        if square and np.ptp(slopes, axis=0).max() > LEAST:
            found[name] = numbers
    return found


def _slopes(problem: Problem, numbers: list[int]) -> Floats:
    """The slopes of the rows of a place along these unknowns: (poses, rows, unknowns)."""
    found = []
    for n in position_families(problem):
        rows, bindings = problem.blocks[n], problem.families[n].bindings
        lower, upper = rows.with_box(*problem.box, rows.lower, rows.upper)
        middle = 0.5 * (lower + upper)
        slopes = evaluate(gradient(rows.tape), middle, middle).estimated_middle[1:]
        zero = np.zeros(rows.count)
        inputs = [bindings.index(b) if (b := Binding(False, v)) in bindings else -1 for v in numbers]
        found.append([slopes[i] if i >= 0 else zero for i in inputs])
    return np.array(found).transpose(2, 0, 1)


def _bends(problem: Problem, arm: Arm, name: str, numbers: list[int]) -> tuple[Shift, ...]:
    """C times gravity in the tool's frame."""
    slopes = _slopes(problem, numbers)
    seen = slopes.transpose(0, 2, 1) @ arm.vertical[: slopes.shape[1]]
    columns = []
    for k in range(len(numbers)):
        values = tuple(round(Fraction(float(value)), PLACES) for value in seen[:, k])
        columns.append(Column(f"{name}.gravity{k + 1}", "1", values, values))
    pairs = [(i, j) for i in range(len(numbers)) for j in range(i, len(numbers))][:-1]
    found = []
    for i, j in pairs:
        label = f"{name}.bends{i + 1}{j + 1}"
        found.append(Shift(label, Binding(False, numbers[i]), columns[j]))
        if i != j:
            found.append(Shift(label, Binding(False, numbers[j]), columns[i]))
    return tuple(found) if np.ptp(seen, axis=0).max() > LEAST else ()
