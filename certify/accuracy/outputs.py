"""The derived problem whose unknowns are the parameters x and outputs y: one for each direction u and cell of the
workspace.

    measured rows    r_k(x, M_k) / epsilon_k        each is within 1 where x is consistent within epsilon
    output rows      K (u . (f(x, q) - f(x0, q)) - y)

Whatever x is consistent, with y = u . (f(x, q) - f(x0, q)) all rows are within 1, for every q in the cell: what bounds
y over the derived problem bounds the deviation. K is large: 1 / K is what the y of the proofs may be off.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from certify.accuracy.cells import Arc, Cell, arc, radians
from certify.accuracy.differences import IN_RADIANS, Differences, Pair, Place, change, degree, used, without_readings
from certify.alignment.motions import Frame, Motion
from certify.alignment.turns import Known, Turns
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.errors import InputError
from certify.problems.model.crude_range import Unbounded, crude_range
from certify.problems.model.model import Binding, Bounds, Column, Family, Problem, Variable

FINE = 2**20  # K, in parts of 1 / epsilon, or a little more: a power of two
DEVIATION, OUTPUT = "deviation", "output"  # names of what is added
WIDE = 2  # times what is surely an output's range

Direction = tuple[Fraction, ...]
Choice = tuple[tuple[int, ...], tuple[tuple[Cell, ...], ...]]  # inputs, and the lists of cells that tell them


@dataclass(frozen=True, slots=True)
class Axis:
    """A column of the workspace (its number) and its range there."""

    column: int
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Output:
    """A direction, and a cell of each axis that matters: what they hold of the local coordinates, in order."""

    direction: Direction
    cell: Cell


def measured_rows(problem: Problem, epsilon: Mapping[str, Fraction]) -> Problem:
    """The families that are named alone, each row in parts of its epsilon."""
    families = []
    for family in problem.families:
        if family.name in epsilon:
            builder = Builder(family.tape.inputs)
            row = replay(family.tape, builder, list(range(family.tape.inputs)))[family.tape.outputs[0]]
            row = builder.mul(builder.constant(1 / epsilon[family.name]), row)
            families.append(replace(family, tape=builder.row(row), unit="1"))
    groups = tuple(group for group in problem.groups if set(group.families) <= set(epsilon))
    return replace(problem, families=tuple(families), groups=groups)


def fineness(epsilon: Fraction) -> Fraction:
    """K for a model error."""
    return Fraction(2) ** (FINE.bit_length() - epsilon.numerator.bit_length() + epsilon.denominator.bit_length())


@dataclass(frozen=True, slots=True)
class _Row:
    """A tape with the inputs left out that do not matter, and which of its inputs are left."""

    tape: Tape
    inputs: tuple[int, ...]

    @staticmethod
    def of(tape: Tape) -> _Row:
        """Of a tape with one output."""
        dependent = sorted(used(tape))
        builder = Builder(len(dependent))
        inputs = [dependent.index(i) if i in dependent else builder.constant(0) for i in range(tape.inputs)]
        return _Row(builder.row(replay(tape, builder, inputs)[tape.outputs[0]]), tuple(dependent))

    def family(self, name: str, rows: int, bindings: Mapping[int, Binding]) -> Family:
        """Rows of it, whose inputs are bound so."""
        return Family(name, self.tape, rows, tuple(bindings[i] for i in self.inputs))


@dataclass(frozen=True)
class Deviation:
    """The difference of some families' rows over one box of the workspace, as a tape: inputs are all variables, the
    local coordinates of the axes, and the direction; `choices` are the ways to tell each axis that matters by cells.
    Joints that turn are told by their cosines and sines, if that is wanted. Where a frame is made of `turns` the
    deviation is 2 sin(theta/2) about the axis by which both frames are turned apart. `motion` is what the computed
    poses are moved by, which follows the parameters.
    """

    problem: Problem
    families: tuple[Family, ...]
    at: tuple[Fraction, ...]
    held: frozenset[int]
    axes: tuple[Axis, ...]
    turned: bool = True
    turns: Turns = ()
    motion: Motion | None = None

    @property
    def size(self) -> int:
        """How many components it has."""
        return len(self.families)

    @property
    def unit(self) -> str:
        """That of the deviation."""
        return self.families[0].unit

    @cached_property
    def arcs(self) -> tuple[Arc | None, ...]:
        """Those of the axes that are angles."""
        columns = self.problem.columns
        return tuple(
            arc(*radians(axis.low, axis.high, columns[axis.column].unit))
            if self.turned and columns[axis.column].unit in IN_RADIANS
            else None
            for axis in self.axes
        )

    @cached_property
    def tape(self) -> Tape:
        """u . (f(x, q) - f(x0, q))"""
        first = len(self.problem.variables) + 3 * len(self.axes)
        builder, found, others = self._written(first + self.size)
        total = builder.constant(0)
        for k, node in enumerate(found):
            total = builder.add(total, builder.mul(first + k, node))
        return _fewer(builder.row(total), len(others))

    @cached_property
    def components(self) -> Tape:
        """f(x, q) - f(x0, q), a number for each family; inputs are all variables and the plain values of the axes."""
        n = len(self.problem.variables)
        builder, found, _ = self._written(n + 3 * len(self.axes))
        return self._plainly(builder.tape(tuple(found)))

    @cached_property
    def apart(self) -> Tape:
        """What tells both poses, without a motion: of points those of x0 and then the differences, of frames the
        quaternion between them; inputs are as of `components`.
        """
        still = replace(self, motion=None, turned=False)
        builder, differences, _ = still._begun(len(self.problem.variables) + 3 * len(self.axes))
        if self.turns:
            frame = still._frame(differences)
            return self._plainly(builder.tape((frame.scalar, *frame.vector)))
        pairs = still._pairs(differences)
        return self._plainly(builder.tape((*(pair.base for pair in pairs), *(change(builder, pair) for pair in pairs))))

    def _plainly(self, tape: Tape) -> Tape:
        """A tape whose other inputs than variables and plain values of axes do not matter, without them."""
        n = len(self.problem.variables)
        fewer = Builder(n + len(self.axes))
        axes = [fewer.constant(0)] * (3 * len(self.axes))
        axes[::3] = range(n, n + len(self.axes))
        nodes = replay(tape, fewer, [*range(n), *axes, *[fewer.constant(0)] * (tape.inputs - n - len(axes))])
        return fewer.tape(tuple(nodes[output] for output in tape.outputs))

    def _written(self, known: int) -> tuple[Builder, list[int], dict[int, int]]:
        """The differences of all families in a builder whose inputs are so many, and behind them what is read, by
        column: they do not depend on it.
        """
        builder, differences, readings = self._begun(known)
        if self.turns:
            frame = self._frame(differences)
            scale = _of_radians(builder, self.unit)
            found = [builder.mul(scale, builder.mul(builder.constant(2), part)) for part in frame.vector]
        else:
            pairs = self._pairs(differences)
            found = [change(builder, pair) for pair in pairs]
        without_readings(self.problem, builder.tape(tuple(found)), readings, self.families)
        if self.motion is not None and not self.turns:
            base = self._unread(builder, [pair.base for pair in pairs], readings)
            found = self.motion.of_points(builder, base, found, differences.off)
        return builder, found, readings

    def _pairs(self, differences: Differences) -> list[Pair]:
        """Those of all families."""
        return [differences.of(family) for family in self.families]

    def _unread(self, builder: Builder, nodes: Sequence[int], readings: Mapping[int, int]) -> list[int]:
        """The nodes with 0 in place of what is read: a pose in the frame in which it is read."""
        inputs = [builder.constant(0) if i in readings.values() else i for i in range(builder.inputs)]
        tape = builder.tape(tuple(nodes))
        again = replay(tape, builder, inputs)
        return [again[output] for output in tape.outputs]

    def _frame(self, differences: Differences) -> Frame:
        """The quaternion between both frames."""
        builder = differences.builder
        frame = Frame.unturned(builder)
        for turn in self.turns:
            if isinstance(turn, Known):
                frame = frame.rotated(builder, turn.quaternion)
            else:
                cosine, sine, more = differences.turn(turn.angle)
                if turn.sign < 0:
                    sine, more = builder.neg(sine), None if more is None else builder.neg(more)
                frame = frame.turned(builder, turn.axis, (cosine, sine), more)
        return frame if self.motion is None else self.motion.of_frame(builder, frame, differences.off)

    def _begun(self, known: int) -> tuple[Builder, Differences, dict[int, int]]:
        """A builder with so many inputs and behind them what is read, by column, and what writes differences into
        it.
        """
        n, problem = len(self.problem.variables), self.problem
        others = [k for k in range(len(problem.columns)) if k not in {axis.column for axis in self.axes}]
        builder = Builder(known + len(others))
        places, readings = {}, {column: known + k for k, column in enumerate(others)}
        for j, (axis, found) in enumerate(zip(self.axes, self.arcs, strict=True)):
            plain, along, across = range(n + 3 * j, n + 3 * j + 3)
            place = Place(plain)
            if found is not None:
                c, s = builder.constant(found.cosine), builder.constant(found.sine)
                cosine = builder.sub(builder.mul(c, along), builder.mul(s, across))
                place = Place(plain, cosine, builder.add(builder.mul(s, along), builder.mul(c, across)))
            places[axis.column] = place
        unknown = {v: v for v in range(n) if v not in self.held}
        return builder, Differences(problem, builder, dict(enumerate(self.at)), unknown, places, readings), readings

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """For each axis that matters the numbers of its inputs, and the lists of cells that tell it, short ones
        first.
        """
        found: list[Choice] = []
        dependent, n = used(self.tape), len(self.problem.variables)
        for j, (axis, its) in enumerate(zip(self.axes, self.arcs, strict=True)):
            plain, turned = n + 3 * j, (n + 3 * j + 1, n + 3 * j + 2)
            whole: Bounds = (axis.low, axis.high)
            if its is not None and dependent & set(turned):
                if plain in dependent:
                    found.append(((plain, *turned), (((whole, *its.rectangle),),)))
                elif degree(self.tape, frozenset(turned)) > 1:
                    found.append((turned, ((its.rectangle,),)))
                else:
                    found.append((turned, ((its.rectangle,), its.sides, its.corners)))
            elif plain in dependent:
                if degree(self.tape, frozenset([plain])) > 1:
                    middle = (axis.low + axis.high) / 2
                    found.append(((plain,), (((whole,),), (((axis.low, middle),), ((middle, axis.high),)))))
                else:
                    found.append(((plain,), (((whole,),), (((axis.low,) * 2,), ((axis.high,) * 2,)))))
        return tuple(found)

    @property
    def local(self) -> tuple[int, ...]:
        """The inputs that cells speak of, in their order."""
        return tuple(i for inputs, _ in self.choices for i in inputs)

    @property
    def told(self) -> tuple[int, ...]:
        """The axes that cells speak of where none of them is told by cosines and sines, in this order."""
        return tuple((i - len(self.problem.variables)) // 3 for i in self.local)

    @property
    def directed(self) -> tuple[int, ...]:
        """The inputs of the direction."""
        return tuple(range(self.tape.inputs - self.size, self.tape.inputs))

    @cached_property
    def reach(self) -> Fraction:
        """More than any component of the deviation, of any parameters in their box and of any point of the
        workspace.
        """
        box = [(v.lower, v.upper) for v in self.problem.variables]
        box += [(Fraction(0), Fraction(0))] * (self.tape.inputs - len(box))
        for inputs, lists in self.choices:
            for position, i in enumerate(inputs):
                ends = [cell[position] for cells in lists for cell in cells]
                box[i] = min(low for low, _ in ends), max(high for _, high in ends)
        for i in self.directed:
            box[i] = Fraction(-2), Fraction(2)
        found = crude_range(self.tape, box)
        if not isinstance(found, tuple):
            why = f": it has {found}" if isinstance(found, Unbounded) else ""
            raise InputError(
                f"the deviation of {', '.join(family.name for family in self.families)} has no bound in this workspace"
                f"{why}; make the ranges of the joints smaller"
            )
        return WIDE * max(-found[0], found[1], Fraction(1, 2**30))

    def with_outputs(
        self, measured: Problem, outputs: Sequence[Output], fine: Fraction, reach: Fraction | None = None
    ) -> Problem:
        """The derived problem: variable number n + j is the output j, within `reach`, which holds all that it can be
        if it is not given.
        """
        n, reach = len(measured.variables), self.reach if reach is None else reach
        builder = Builder(self.tape.inputs + 1)
        total = replay(self.tape, builder, list(range(self.tape.inputs)))[self.tape.outputs[0]]
        row = _Row.of(builder.row(builder.mul(builder.constant(fine), builder.sub(total, self.tape.inputs))))
        variables, columns, families = list(measured.variables), list(measured.columns), list(measured.families)
        sought, told = _free(DEVIATION, variables), _free(OUTPUT, [*columns, *families])
        for j, output in enumerate(outputs):
            variables.append(Variable(f"{sought}{j}", self.unit, -reach, reach))
            bindings = {i: Binding(False, i) for i in range(n)} | {self.tape.inputs: Binding(False, n + j)}
            ends = [*zip(self.local, output.cell, strict=True)]
            ends += [(i, (u, u)) for i, u in zip(self.directed, output.direction, strict=True)]
            for i, (low, high) in ends:
                bindings[i] = Binding(True, len(columns))
                columns.append(Column(f"{told}{j}.{i}", "1", (low,), (high,)))
            families.append(row.family(f"{told}{j}", 1, bindings))
        return replace(measured, variables=tuple(variables), columns=tuple(columns), families=tuple(families))

    @cached_property
    def _row(self) -> _Row:
        return _Row.of(self.tape)

    def rows_of(self, outputs: Collection[Output]) -> Problem:
        """The outputs as the rows of one family over the variables: what floats look at."""
        bindings = {i: Binding(False, i) for i in range(len(self.problem.variables))}
        columns: list[Column] = []
        for position, i in enumerate(self.local):
            ends = [output.cell[position] for output in outputs]
            bindings[i] = Binding(True, len(columns))
            columns.append(Column(f"local{i}", "1", tuple(a for a, _ in ends), tuple(b for _, b in ends)))
        for k, i in enumerate(self.directed):
            entries = tuple(output.direction[k] for output in outputs)
            bindings[i] = Binding(True, len(columns))
            columns.append(Column(f"direction{k}", "1", entries, entries))
        family = self._row.family("deviation", len(outputs), bindings)
        return Problem(self.problem.variables, tuple(columns), (family,))


def _free(name: str, known: Collection[Column | Family | Variable]) -> str:
    """A name with which none of these begins."""
    while any(one.name.startswith(name) for one in known):
        name += "_"
    return name


def _of_radians(builder: Builder, unit: str) -> int:
    """How many of a unit are a radian."""
    factor, powers = IN_RADIANS[unit]
    number = builder.constant(1 / factor)
    return builder.div(number, builder.pi()) if powers else number


def _fewer(tape: Tape, last: int) -> Tape:
    """The tape without its last inputs, on which it does not depend."""
    builder = Builder(tape.inputs - last)
    nodes = [i if i < builder.inputs else builder.constant(0) for i in range(tape.inputs)]
    return builder.row(replay(tape, builder, nodes)[tape.outputs[0]])
