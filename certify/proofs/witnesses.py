"""From a candidate in floats to a witness in exact numbers: values of the unknowns and a realisation of every
measurement.

An entry that one row alone uses may take two values, one that makes the row small and one that makes it large: in
between the row vanishes (or comes within epsilon of it). An entry that several rows share takes one value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.measurements import realise
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.model.model import Column, Problem
from certify.solvers.fits.minimax import CELLS
from certify.solvers.fits.shared_measurements import (
    JointCandidate,
    Sharing,
    fixed_rows,
    minimise_jointly,
    realisation,
    with_turning_entries,
)
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.limits import UNLIMITED, Limit
from certify.text.decimals import nearest

DIGITS = 14  # of the values of the unknowns, in parts of their box
Token = tuple[Fraction, Fraction]
ROOT_STEPS = 12  # towards a zero between two measurements: most rows are linear in them
JOINT = Plain(JointCandidate)
LOWER_END, UPPER_END = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Witness:
    """Values by variable number, and for each column of the scope the fractions (s, t) of each entry. `single` are
    those of the columns of distances with one value each, which a distance that is not 0 needs.
    """

    values: dict[int, Fraction]
    columns: dict[int, tuple[Token, ...]]
    estimate: float
    single: dict[int, tuple[Token, ...]] = field(default_factory=dict)

    @property
    def of_distances(self) -> Witness:
        """The witness that gives each measurement of a distance one value."""
        return replace(self, columns=self.columns | self.single, single={}) if self.single else self


def scope_variables(problem: Problem, scope: tuple[int, ...]) -> tuple[int, ...]:
    """The variables to which the families of the scope are bound, in order."""
    return tuple(sorted({b.index for n in scope for b in problem.families[n].bindings if not b.measured}))


def shared_columns(problem: Problem, scope: tuple[int, ...]) -> tuple[int, ...]:
    """The columns whose entries are used more than once in the scope, but for those that are known exactly."""
    uses = Counter(
        b.index
        for n in scope
        for b in problem.families[n].bindings
        if b.measured and problem.columns[b.index].uncertain
    )
    return tuple(sorted(column for column, count in uses.items() if count > 1))


def joint_blocks(problem: Problem, scope: tuple[int, ...]) -> tuple[Rows, ...]:
    """The problem's blocks; those of the scope know what they share with other rows of it, and which distance theirs
    is.
    """
    shared, blocks = set(shared_columns(problem, scope)), list(problem.blocks)
    groups = _distances(problem, scope)
    for number in scope:
        bindings = problem.families[number].bindings
        columns = tuple(b.index if b.measured and b.index in shared else -1 for b in bindings)
        blocks[number] = replace(blocks[number], shared=columns, group=groups.get(number, -1))
    return tuple(blocks)


def expecting(blocks: Sequence[Rows], problem: Problem, scope: tuple[int, ...], witness: Witness) -> tuple[Rows, ...]:
    """The blocks, those of the scope with what they share expected where the witness has it."""
    found = list(blocks)
    for number in scope:
        rows = found[number]
        if rows.shared_columns:
            expected = np.zeros(rows.lower.shape)
            for i, column in enumerate(rows.shared):
                if column >= 0:
                    expected[i] = [2.0 * float(first) - 1.0 for first, _ in witness.columns[column]]
            found[number] = replace(rows, expected=expected)
    return tuple(found)


def _distances(problem: Problem, scope: tuple[int, ...]) -> dict[int, int]:
    """The number of the distance to which a family of the scope contributes, with others."""
    pairs = ((group, [n for n in numbers if n in scope]) for group, numbers in enumerate(problem.distances))
    return {number: group for group, numbers in pairs if len(numbers) > 1 for number in numbers}


def sharing(problem: Problem, scope: tuple[int, ...]) -> Sharing:
    """The shared entries of a scope, numbered; entries that are known exactly are none."""
    numbers: dict[int, NDArray[np.int64]] = {}
    lower: list[float] = []
    upper: list[float] = []
    poses: list[int] = []
    for column in shared_columns(problem, scope):
        pairs = list(zip(problem.columns[column].lower, problem.columns[column].upper, strict=True))
        rows = [k for k, (low, high) in enumerate(pairs) if low < high]
        numbers[column] = np.full(len(pairs), -1, dtype=np.int64)
        numbers[column][rows] = len(poses) + np.arange(len(rows))
        lower += [float(pairs[k][0]) for k in rows]
        upper += [float(pairs[k][1]) for k in rows]
        poses += rows
    entries = {}
    for number in scope:
        family = problem.families[number]
        entries[number] = np.full((len(family.bindings), family.rows), -1, dtype=np.int64)
        for i, binding in enumerate(family.bindings):
            if binding.measured and binding.index in numbers:
                entries[number][i] = numbers[binding.index]
    ends = np.array(lower), np.array(upper), np.array(poses, dtype=np.int64)
    return Sharing(entries, *ends, _distances(problem, scope))


def realised(problem: Problem, scope: tuple[int, ...], witness: Witness) -> Floats:
    """The values that a witness gives the shared entries, in the order of `sharing` (rounded)."""
    found = []
    for column in shared_columns(problem, scope):
        ends = zip(problem.columns[column].lower, problem.columns[column].upper, strict=True)
        pairs = zip(ends, witness.columns[column], strict=True)
        found += [float(low + first * (high - low)) for (low, high), (first, _) in pairs if low < high]
    return np.array(found)


def _fraction(value: float, low: float, high: float, lower: Fraction, upper: Fraction) -> Fraction:
    """Where a float lies in an entry's interval, whose ends are near these floats, as a short decimal from 0 to 1; most
    often it is an end.
    """
    if value <= low or lower == upper:
        return LOWER_END
    if value >= high:
        return UPPER_END
    return min(max(nearest(float((Fraction(value) - lower) / (upper - lower)), 18), Fraction(0)), Fraction(1))


def _value(x: float, lower: Fraction, upper: Fraction) -> Fraction:
    """The decimal next to x, within the bounds, with as many places as the width of these asks for."""
    places = DIGITS - floor(log10(upper - lower)) if lower < upper else 0
    return min(max(nearest(x, places), lower), upper)


def near(
    problem: Problem, scope: tuple[int, ...], x: Floats, shared: Floats | None = None, limit: Limit = UNLIMITED
) -> Witness:
    """The witness at short decimals next to x, within the box; `shared` is a guess."""
    values = {
        v: _value(float(x[v]), problem.variables[v].lower, problem.variables[v].upper)
        for v in scope_variables(problem, scope)
    }
    return witness_at(problem, scope, values, x, shared, limit)


def witness_at(
    problem: Problem,
    scope: tuple[int, ...],
    values: dict[int, Fraction],
    x: Floats,
    shared: Floats | None = None,
    limit: Limit = UNLIMITED,
) -> Witness:
    """The witness at exact values, each entry chosen as well as can be found: for one row alone, or for all that share
    it.

    `x` gives the other variables, which the scope does not use; `shared` is where the search for the shared entries
    starts, in the middle otherwise.
    """
    grouping = sharing(problem, scope)
    point = np.array(x, dtype=np.float64)
    for v, value in values.items():
        point[v] = float(value)
    chosen = grouping.middle if shared is None else shared
    if chosen.size:
        chosen = realisation(problem.blocks, grouping, point, chosen, limit)
    larger = with_turning_entries(problem.blocks, grouping, point, chosen)
    if larger is not None:
        grouping, guess = larger
        chosen = realisation(problem.blocks, grouping, point, guess, limit)
    columns: dict[int, tuple[Token, ...]] = {}
    single: dict[int, tuple[Token, ...]] = {}
    joined, sizes = {number for numbers in problem.distances for number in numbers}, {}
    for number in scope:
        entries = grouping.entries[number]
        rows = fixed_rows(problem.blocks[number], entries, chosen)
        points = realise(rows, point, point, CELLS)
        sides = []
        for side in (0, 1):
            ends = rows.with_box(point, point, points.lower[side], points.upper[side])
            enclosure = evaluate(rows.tape, *ends)
            sides.append(enclosure.upper[0] if side == 0 else -enclosure.lower[0])
        sizes[number] = np.maximum(*sides)
        middle = 0.5 * (points.lower + points.upper)
        once = _zeros(rows, point, middle) if number in joined else middle
        for i, binding in enumerate(problem.families[number].bindings):
            if binding.measured:
                columns[binding.index] = _tokens(problem.columns[binding.index], middle[:, i, :])
                if number in joined:
                    single[binding.index] = _tokens(problem.columns[binding.index], np.stack([once[0, i], once[0, i]]))
    return Witness(values, columns, _largest(problem, sizes), single)


def _largest(problem: Problem, sizes: dict[int, Floats]) -> float:
    """The largest error of a member whose rows have these sizes, families by number; negative if all have room."""
    largest = max(float(size.max()) for size in sizes.values())
    for numbers in problem.distances:
        member = [np.maximum(sizes[number], 0.0) for number in numbers if number in sizes]
        if member and largest > 0.0:
            largest = max(largest, float(np.sqrt(sum(size**2 for size in member)).max()))
    return largest


def _zeros(rows: Rows, x: Floats, ends: Floats) -> Floats:
    """Between the measurements of both sides (2, inputs, K) those where each row is nearest to 0, twice (Illinois)."""
    low, high = np.zeros(rows.count), np.ones(rows.count)

    def at(part: Floats) -> Floats:
        between = ends[0] + part * (ends[1] - ends[0])
        return np.asarray(evaluate(rows.tape, *rows.with_box(x, x, between, between)).estimated_middle[0])

    first, last = at(low), at(high)
    inside = (first < 0.0) & (last > 0.0)
    part = np.where((first < 0.0) & (last <= 0.0), 1.0, 0.0)
    for _ in range(ROOT_STEPS if inside.any() else 0):
        guess = np.where(inside, low + (high - low) * first / np.where(inside, first - last, 1.0), part)
        value = at(guess)
        below, above = inside & (value < 0.0), inside & (value > 0.0)
        part = np.where(inside, guess, part)
        low, first, last = np.where(below, guess, low), np.where(below, value, first), np.where(below, 0.5 * last, last)
        high, last, first = (
            np.where(above, guess, high),
            np.where(above, value, last),
            np.where(above, 0.5 * first, first),
        )
        inside &= value != 0.0
    found = ends[0] + part * (ends[1] - ends[0])
    return np.stack([found, found])


def _tokens(column: Column, ways: Floats) -> tuple[Token, ...]:
    """The fractions of a column's entries at both values of each."""
    ends = [(float(low), float(high), low, high) for low, high in zip(column.lower, column.upper, strict=True)]
    pairs = zip(ways[0].tolist(), ways[1].tolist(), ends, strict=True)
    return tuple((_fraction(first, *end), _fraction(second, *end)) for first, second, end in pairs)


def estimated_error(
    problem: Problem,
    scope: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    limit: Limit = UNLIMITED,
    memory: Memory = NOTHING,
) -> float:
    """The error of an estimated minimiser over the box, without its witness."""
    return _remembered(problem, scope, box, start, trust, -np.inf, limit, 0.0, memory).epsilon


def candidate_witness(
    problem: Problem,
    scope: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    goal: float,
    limit: Limit = UNLIMITED,
    little: float = 0.0,
    memory: Memory = NOTHING,
) -> Witness:
    """The witness of an estimated minimiser over the box; `goal` is what cannot be undercut, `little` is for the
    descent. A minimiser that is in `memory` is not looked for again, and its witness is made anew.
    """
    joint = _remembered(problem, scope, box, start, trust, goal, limit, little, memory)
    return near(problem, scope, joint.x, joint.shared, limit)


def _remembered(
    problem: Problem,
    scope: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    goal: float,
    limit: Limit,
    little: float,
    memory: Memory,
) -> JointCandidate:
    """A minimiser that was found before, or now; where a limit has broken off its descent it is not kept."""
    key = partial(JOINT.encode, ("minimiser", scope, box.lower, box.upper, start, trust, goal, little))

    def read(data: bytes) -> JointCandidate:
        found: JointCandidate = JOINT.decode(data, JointCandidate)
        shapes = (found.x.shape, found.shared.shape) == (start.shape, sharing(problem, scope).middle.shape)
        if not (shapes and np.isfinite(found.x).all() and np.isfinite(found.shared).all()):
            raise Damaged("a minimiser of another problem")
        return replace(found, x=np.clip(found.x, box.lower, box.upper))

    joint = memory.recall(key, read)
    if joint is None:
        joint = _candidate(problem, scope, box, start, trust, goal, limit, little)
        if not limit.late():
            memory.keep(key, partial(JOINT.encode, joint))
    return joint


def _candidate(
    problem: Problem,
    scope: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    goal: float,
    limit: Limit,
    little: float = 0.0,
) -> JointCandidate:
    """A descent, and another one where rows turn between the ends of their own measurements."""
    grouping = sharing(problem, scope)
    joint = minimise_jointly(problem.blocks, grouping, box, start, trust, goal, limit, little=little)
    larger = with_turning_entries(problem.blocks, grouping, joint.x, joint.shared)
    if larger is None:
        return joint
    found = minimise_jointly(problem.blocks, larger[0], box, joint.x, trust, goal, limit, larger[1], little)
    return JointCandidate(found.x, found.shared[: joint.shared.size], found.epsilon)
