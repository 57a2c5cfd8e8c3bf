"""Where the axes of an arm's joints are in each pose, found from the rows alone: an estimate in floats.

A joint that turns moves the measured point on a circle. With the joint a third of a turn on and back the point is at
three places p0, p1, p2 of the circle, so that

    foot = (p0 + p1 + p2) / 3,    direction = (p1 - p0) x (p2 - p0), of length 1

are the axis: its point next to the measured one, and where it points. Rows whose value is a place less the measured one
give these places up to what is measured, which stays, and that does not matter to differences. Axes are told in the
frame of the rows, at the middles of the measurements and of the search box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import evaluate
from certify.problems.formulas.units import UNITS, is_length
from certify.problems.model.model import Problem

Floats = NDArray[np.float64]
TURN = {"deg": 360.0, "rad": 2.0 * pi}
ROUND = 1e-6  # of the radius: by how much three places may miss a circle
STEADY = 1e-6  # of a direction that is the same in all poses
PLACE = 3  # coordinates
SMALL = 1e-6  # mm: the radius of a circle that is a point


@dataclass(frozen=True, eq=False, slots=True)
class Axis:
    """Of the joint with this column: in each pose its direction (0 where the point is on the axis) and its foot, from
    the measured point on; (poses, 3).
    """

    column: int
    direction: Floats
    foot: Floats

    @property
    def steady(self) -> bool:
        """Whether it points the same way in all poses."""
        return bool(
            np.linalg.norm(self.direction, axis=1).min() > 0.5 and np.ptp(self.direction, axis=0).max() < STEADY
        )


@dataclass(frozen=True, eq=False, slots=True)
class Arm:
    """The axes of the joints in the order of the columns, and the direction along which gravity is taken to be: that of
    the first axis that stays as it is, or in a plane the second coordinate.
    """

    axes: tuple[Axis, ...]
    vertical: Floats


def arm_of(problem: Problem) -> Arm | None:
    """The arm whose place the first rows of two or three coordinates tell; None if no axis of it is steady."""
    families = position_families(problem)
    if not families:
        return None
    found = [axis for c in joint_columns(problem) if (axis := _axis(problem, families, c)) is not None]
    if len(families) == 2:
        return Arm(tuple(found), np.array([0.0, 1.0, 0.0])) if found else None
    steady = next((axis for axis in found if axis.steady), None)
    return None if steady is None else Arm(tuple(found), steady.direction.mean(axis=0))


def position_families(problem: Problem) -> tuple[int, ...]:
    """The families of the first group of lengths that has a place: its two lengths, or the first three of it."""
    for group in problem.groups:
        numbers = problem.part(group.families)
        if len(numbers) > 1 and is_length(problem.families[numbers[0]].unit):
            return numbers[:PLACE]
    return ()


def joint_columns(problem: Problem) -> tuple[int, ...]:
    """The measured angles that rows of a place read, or any rows if there are no such."""
    numbers = position_families(problem) or range(len(problem.families))
    used = {b.index for n in numbers for b in problem.families[n].bindings if b.measured}
    return tuple(c for c in sorted(used) if problem.columns[c].unit in TURN)


def _axis(problem: Problem, families: Sequence[int], column: int) -> Axis | None:
    turn = TURN[problem.columns[column].unit] / 3.0
    places = [_places(problem, families, column, change) for change in (0.0, turn, -turn)]
    centre = sum(places) / 3.0
    radii = [np.linalg.norm(place - centre, axis=1) for place in places]
    if not np.isfinite(radii).all() or np.ptp(radii, axis=0).max() > ROUND * (1.0 + np.max(radii)):
        return None
    normal = np.cross(places[1] - places[0], places[2] - places[0])
    sizes = np.linalg.norm(normal, axis=1, keepdims=True)
    seen = radii[0][:, None] > SMALL / float(UNITS[problem.families[families[0]].unit].factor)
    return Axis(column, np.where(seen, normal / np.where(sizes > 0.0, sizes, 1.0), 0.0), centre - places[0])


def _places(problem: Problem, families: Sequence[int], column: int, change: float) -> Floats:
    """The rows' values with the readings of one column changed, as places (poses, 3)."""
    found = []
    for n in families:
        rows, bindings = problem.blocks[n], problem.families[n].bindings
        lower, upper = rows.with_box(*problem.box, rows.lower, rows.upper)
        middle = 0.5 * (lower + upper)
        middle[[i for i, binding in enumerate(bindings) if binding.measured and binding.index == column]] += change
        found.append(evaluate(rows.tape, middle, middle).estimated_middle[0])
    return np.array([*found, *[np.zeros_like(found[0])] * (3 - len(found))]).T
