"""What may be wrong with the table of a robot without legs, as a change of whole columns or lines that can be undone.

A *joint* is a column that the rows read in any way; a *place* is one whose reading is what a row is about: the slope of
that row along it is 1 or -1, whatever the unknowns are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import pi

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.model.model import Problem

PER_RADIAN = {"deg": 180.0 / pi, "rad": 1.0}
LENGTHS = (1000.0, 10.0, 25.4)  # metres, centimetres and inches for millimetres, and the other way round
QUARTERS = (90.0, -90.0, 180.0)  # degrees
STEADY = 1e-9  # of a slope that is 1 or -1


@dataclass(frozen=True, slots=True)
class Repair:
    """Columns (their numbers) that are to be exchanged, or to be multiplied by a factor, or to be more by an amount, or
    to be taken so many lines further down; nothing of that is no repair.
    """

    columns: tuple[int, ...] = ()
    exchanged: bool = False
    factor: float = 1.0
    more: float = 0.0
    lines: int = 0


UNTOUCHED = Repair()


@dataclass(frozen=True, eq=False, slots=True)
class Readings:
    """The rows of some families: which columns are joints, which are places, and which row is about which place.

    `places` has a list of (column, family, slope) for each vector of places.
    """

    problem: Problem
    scope: tuple[int, ...]
    joints: tuple[int, ...]
    places: tuple[tuple[tuple[int, int, float], ...], ...]

    @staticmethod
    def of(problem: Problem, scope: tuple[int, ...], start: Floats) -> Readings:
        """Found by the slopes at the start and a little beside it."""
        vectors: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
        for n in scope:
            for column, slope in _steady(problem, n, start)[-1:]:  # a joint that slides may be another one
                vectors.setdefault(problem.member_families[n], []).append((column, n, slope))
        places = tuple(
            tuple(vector) for vector in vectors.values() if len({c for c, _, _ in vector}) == len(vector) > 1
        )
        taken = {column for vector in places for column, _, _ in vector}
        used = {b.index for n in scope for b in problem.families[n].bindings if b.measured}
        return Readings(problem, scope, tuple(sorted(used - taken)), places)

    @property
    def placed(self) -> tuple[int, ...]:
        """The columns of all places."""
        return tuple(sorted({column for vector in self.places for column, _, _ in vector}))

    def middles(self) -> dict[int, Floats]:
        """The middles of all columns that the rows read."""
        found = {}
        for n in self.scope:
            rows = self.problem.blocks[n]
            for i, binding in enumerate(self.problem.families[n].bindings):
                if binding.measured:
                    found[binding.index] = 0.5 * (rows.lower[i] + rows.upper[i])
        return found

    def blocks(self, columns: dict[int, Floats]) -> list[Rows]:
        """All blocks, those of the rows with these columns, known exactly."""
        found = list(self.problem.blocks)
        for n in self.scope:
            bindings = self.problem.families[n].bindings
            count = next(len(columns[b.index]) for b in bindings if b.measured)
            entries = np.array([columns[b.index] if b.measured else np.zeros(count) for b in bindings])
            found[n] = replace(found[n], lower=entries, upper=entries.copy())
        return found

    def repairs(self) -> Iterator[Repair]:
        """The likely ones: units and signs, exchanges, quarter turns, lines."""
        return likely_repairs(self.joints, self.placed, [column.unit for column in self.problem.columns])


def likely_repairs(joints: Sequence[int], placed: Sequence[int], units: Sequence[str]) -> Iterator[Repair]:
    """Those of joints and of measured places, whose columns have these units, by number."""
    angles = tuple(c for c in joints if units[c] in PER_RADIAN)
    lengths = tuple(c for c in placed if units[c] == "mm")
    for unit in dict.fromkeys(units[c] for c in angles):
        same = tuple(c for c in angles if units[c] == unit)
        factor = 180.0 / pi
        yield from (Repair(same, factor=value) for value in (factor, 1.0 / factor, -1.0))
    for factor in LENGTHS if lengths else ():
        yield from (Repair(lengths, factor=value) for value in (factor, 1.0 / factor))
    if joints and placed:
        yield from (Repair(tuple(joints), lines=lines) for lines in (1, -1))
    yield from (Repair((c,), factor=-1.0) for c in (*joints, *placed))
    for group in (joints, placed):
        for pair in combinations(group, 2):
            if units[pair[0]] == units[pair[1]]:
                yield Repair(pair, exchanged=True)
    for c in angles:
        yield from (Repair((c,), more=turn * PER_RADIAN[units[c]] * pi / 180.0) for turn in QUARTERS)
    for c in angles if len(angles) > 1 else ():
        yield from (Repair((c,), factor=value) for value in (180.0 / pi, pi / 180.0))
    for c in lengths if len(lengths) > 1 else ():
        yield from (Repair((c,), factor=value) for factor in LENGTHS for value in (factor, 1.0 / factor))


def repaired(columns: dict[int, Floats], repair: Repair) -> dict[int, Floats]:
    """The columns with the repair made; of lines that are moved the last or the first are left out everywhere."""
    found = dict(columns)
    if repair.exchanged:
        first, second = repair.columns
        found[first], found[second] = columns[second], columns[first]
        return found
    for c in repair.columns:
        found[c] = repair.factor * columns[c] + repair.more
    if repair.lines:
        shift = repair.lines
        for c, values in found.items():
            down = (c in repair.columns) == (shift > 0)
            found[c] = values[abs(shift) :] if down else values[: -abs(shift)]
    return found


def _steady(problem: Problem, n: int, start: Floats) -> Sequence[tuple[int, float]]:
    """The columns along which the slope of a family is 1 or -1 everywhere."""
    rows, low, high = problem.blocks[n], *problem.box
    middle = 0.5 * (rows.lower + rows.upper)
    elsewhere = start + 0.37 * (high - low) * np.cos(np.arange(start.size))
    slopes = [
        evaluate(gradient(rows.tape), *rows.with_box(x, x, entries, entries)).estimated_middle[1:]
        for x, entries in ((start, middle), (elsewhere, 0.9 * middle + 0.1))
    ]
    found = []
    for i, binding in enumerate(problem.families[n].bindings):
        size = slopes[0][i].mean()
        even = all((np.abs(part[i] - size) <= STEADY).all() for part in slopes)
        if binding.measured and even and abs(abs(size) - 1.0) <= STEADY:
            found.append((binding.index, float(round(size))))
    return found
