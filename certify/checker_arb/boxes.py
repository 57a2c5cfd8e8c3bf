"""Prepared boxes, and rows of point measurement on them: the measurement lemma (specification, sections 6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from .certificate import Box
from .frame import Frame
from .groups import Scope
from .interval import NOTHING, UNIT, ZERO, Interval, add, ball, between, negative, square, thin
from .outcome import Deadline, Exhausted, Undefined
from .partial import Partial, outwards, where_defined
from .polynomial import CONSTANT, Polynomial
from .problem import Problem
from .rows import Plan

MOST_NODES = 2_000_000
LOW, WHOLE, HIGH = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of one row: for each measured input its exact ends; lower end, whole and upper end
    as intervals.
    """

    ends: tuple[tuple[fmpq, fmpq], ...]
    choices: tuple[tuple[Interval, Interval, Interval], ...]
    movable: tuple[int, ...]  # places of those that may be narrowed


@dataclass(frozen=True, slots=True)
class Further:
    """An entry of a column that is one more unknown: its place after the variables, its whole range, its middle, and
    the range around it.
    """

    place: int
    whole: Interval
    middle: Interval
    shift: Interval

    @property
    def polynomial(self) -> Polynomial:
        """The unknown around its middle."""
        return {CONSTANT: self.middle, (self.place,): UNIT}


@dataclass(frozen=True, slots=True)
class PointMeasurement:
    """H and the slack of one side of a row; `key` names H where it consists of ends and whole entries."""

    measured: tuple[Interval, ...]
    slack: arb
    key: Any


class Prepared:
    """A box on which rows are prepared. `centre`, `radii` and `shifts` are its own, of y in a frame; `intervals` and
    `centres` are what it and its centre are for the rows.
    """

    def __init__(self, number: int, box: Box, cells: int, frame: Frame | None = None) -> None:
        self.number, self.cells, self.frame = number, cells, frame
        self.centre = [(low + high) / 2 for low, high in box]
        self.intervals = [between(low, high) for low, high in (frame.image(box) if frame else box)]
        self.centres = [thin(value) for value in (frame.point(self.centre) if frame else self.centre)]
        self.radii = [ball((high - low) / 2) for low, high in box]
        self.shifts: list[Interval] = [(-r, r) if not r.is_zero() else NOTHING for r in self.radii]

    def variable(self, place: int) -> Polynomial:
        """A variable of the rows as a polynomial around the centre."""
        return (
            self.frame.variable(place, self.centres[place])
            if self.frame
            else {CONSTANT: self.centres[place], (place,): UNIT}
        )


class Rows:
    """The rows of a scope, with what does not depend on a box kept for all of them. The entries of the columns
    `unknown` are unknowns beside the variables (specification, 12.4).
    """

    def __init__(
        self, problem: Problem, scope: Scope, deadline: Deadline, unknown: frozenset[int] = frozenset()
    ) -> None:
        self.problem, self.scope, self.deadline, self.unknown = problem, scope, deadline, unknown
        self.plans: dict[int, Plan] = {}
        nodes = 0
        for number in scope.families:
            self.plans[number] = plan = Plan(problem, number, deadline, unknown)
            nodes += plan.size
            if nodes > MOST_NODES:
                raise Exhausted(f"the tapes of the scope's families have more than {MOST_NODES} nodes")
        self.places = {
            number: tuple(scope.place[plan.family.bindings[k].number] for k in plan.variables[: plan.own])
            for number, plan in self.plans.items()
        }
        self._measured: dict[tuple[int, int], Measured] = {}
        first, self._first = len(scope.variables), {}
        for column in scope.columns if unknown else ():
            self._first[column] = first
            first += len(problem.columns[column].lower)

    def further(self, family: int, row: int) -> list[Further]:
        """The further unknowns of a row, one for each of its inputs that is bound to one."""
        plan, found = self.plans[family], []
        for k in plan.variables[plan.own :]:
            number = plan.family.bindings[k].number
            low, high = self.problem.columns[number].ends(row)
            radius = ball((high - low) / 2)
            shift = (-radius, radius) if low < high else NOTHING
            found.append(Further(self._first[number] + row, between(low, high), thin((low + high) / 2), shift))
        return found

    def ends(self, family: int, row: int) -> tuple[tuple[fmpq, fmpq], ...]:
        """The ends of the measurements of a row."""
        plan = self.plans[family]
        return tuple(self.problem.columns[plan.family.bindings[k].number].ends(row) for k in plan.measured)

    def measured(self, family: int, row: int) -> Measured:
        """The measurements of a row."""
        found = self._measured.get((family, row))
        if found is None:
            plan = self.plans[family]
            ends = self.ends(family, row)
            choices = []
            for low, high in ends:
                whole = between(low, high)
                choices.append(((whole[0], whole[0]), whole, (whole[1], whole[1])))
            movable = tuple(
                place for place, k in enumerate(plan.measured) if k in plan.movable and ends[place][0] < ends[place][1]
            )
            found = Measured(ends, tuple(choices), movable)
            self._measured[family, row] = found
        return found

    def variables(self, family: int, values: list[Interval]) -> list[Interval]:
        """What the variable inputs of a family are, from one interval for each variable of the scope."""
        return [values[place] for place in self.places[family]]

    def nodes(self, family: int, row: int, ranges: list[Interval]) -> list[Any]:
        """All nodes of a row over a box of variables and its whole measurement box."""
        self.deadline.check()
        whole = [choice[WHOLE] for choice in self.measured(family, row).choices]
        return self.plans[family].nodes(row, self.variables(family, ranges), whole, (WHOLE,) * len(whole))

    def enclosed(self, family: int, row: int, ranges: list[Interval]) -> Interval:
        """A row over a box of variables and its whole measurement box."""
        found: Interval = self.nodes(family, row, ranges)[-1]
        return found

    def enclosed_where_defined(self, family: int, row: int, ranges: list[Interval]) -> Partial | None:
        """A row over those points of a box, and of its whole measurement box, at which it is defined; nothing if there
        are none.
        """
        try:
            return outwards(*self.enclosed(family, row, ranges))
        except Undefined:
            whole = [choice[WHOLE] for choice in self.measured(family, row).choices]
            return where_defined(self.plans[family], self.variables(family, ranges), whole)

    def sum_of_squares(self, ranges: list[Interval]) -> Interval:
        """The sum of the squares of all rows over a box of variables."""
        total = NOTHING
        for family, plan in self.plans.items():
            for row in range(plan.family.rows):
                total = add(total, square(self.enclosed(family, row, ranges)))
        return total

    def point_measurement(self, family: int, row: int, side: int, prepared: Prepared) -> PointMeasurement:
        """H and slack: steps 1 and 2, then step 3 for what is left."""
        plan, measured = self.plans[family], self.measured(family, row)
        chosen = [WHOLE] * len(measured.ends)
        variables = self.variables(family, prepared.intervals) + [one.whole for one in self.further(family, row)]
        left = list(measured.movable)
        nodes: list[Any] = []
        slopes: dict[int, Interval] = {}

        def now() -> tuple[Interval, ...]:
            return tuple(choice[which] for choice, which in zip(measured.choices, chosen, strict=True))

        def key() -> tuple[int, ...]:
            return tuple(chosen)

        try:
            while left:
                self.deadline.check()
                nodes = plan.nodes(row, variables, now(), key())
                slopes = plan.slopes(nodes, tuple(plan.measured[place] for place in left))
                before = len(left)
                for place in tuple(left):
                    low, high = slopes[plan.measured[place]]
                    if side < 0:
                        low, high = -high, -low
                    if low >= ZERO or high <= ZERO:
                        chosen[place] = LOW if low >= ZERO else HIGH
                        left.remove(place)
                if len(left) == before:
                    break
        except Undefined:
            return PointMeasurement(now(), ZERO, key())
        if not left:
            return PointMeasurement(now(), ZERO, key())
        whole = now()
        try:
            if prepared.cells == 1 or plan.family.table is not None:  # a table's row is linear in each of them
                found = [
                    _best(measured.ends[place], [slopes[plan.measured[place]]] * prepared.cells, side) for place in left
                ]
            else:
                found = [
                    self._cells(plan, plan.measured[place], measured.ends[place], side, prepared.cells, nodes)
                    for place in left
                ]
        except Undefined:
            return PointMeasurement(whole, ZERO, key())
        points = list(whole)
        slack = ZERO
        for place, (point, loss) in zip(left, found, strict=True):
            points[place] = point
            slack = slack + loss
        return PointMeasurement(tuple(points), slack, None)

    def _cells(
        self, plan: Plan, node: int, ends: tuple[fmpq, fmpq], side: int, cells: int, nodes: list[Any]
    ) -> tuple[Interval, arb]:
        """Step 3 for one input: the derivative on each cell."""
        boundaries = _boundaries(ends, cells)
        slopes = []
        for low, high in pairwise(boundaries):
            self.deadline.check()
            slopes.append(plan.slopes(plan.renewed(nodes, node, (low[0], high[0])), (node,))[node])
        return _best(ends, slopes, side)


def _boundaries(ends: tuple[fmpq, fmpq], cells: int) -> list[Interval]:
    low, high = ends
    return [thin(low + (high - low) * fmpq(k, cells)) for k in range(cells + 1)]


def _best(ends: tuple[fmpq, fmpq], slopes: list[Interval], side: int) -> tuple[Interval, arb]:
    """The boundary of equal cells from which s r may decrease the least, and by how much, from its slope
    on each cell.
    """
    width = ball((ends[1] - ends[0]) / len(slopes))
    if side < 0:
        slopes = [negative(slope) for slope in slopes]
    to_the_right = [ZERO]
    for least, _ in reversed(slopes):
        to_the_right.append((to_the_right[-1] - width * least).max(ZERO))
    to_the_right.reverse()
    best, loss = 0, to_the_right[0]
    to_the_left = ZERO
    for k, (_, most) in enumerate(slopes, 1):
        to_the_left = (to_the_left + width * most).max(ZERO)
        worse = to_the_left.max(to_the_right[k])
        if worse < loss:
            best, loss = k, worse
    return _boundaries(ends, len(slopes))[best], loss
