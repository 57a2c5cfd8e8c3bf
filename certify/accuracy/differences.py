"""The difference f(x, q) - f(x0, q) of a model's rows, derived from the tape of each: the robot is described once.

A row is r(x, q, m) = f(x, q) - m, so that r(x, q, m) - r(x0, q, m) has no reading m in it. Node by node a pair is kept:
the value at x0, and by how much that at x differs,

    (u v)' = u' v0 + u v'        cos(a)' = -2 sin(a0 + a'/2) sin(a'/2)        sqrt(a)' = a' / (sqrt(a) + sqrt(a0))

which is exact, and as small as x - x0 is: nothing cancels where it is enclosed. What stands in q only within angles is
told by its cosine and sine, by the theorem of addition; `degrees` says whether the difference is affine in these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from certify.contractors.tape.tape import Builder, Operation, Step, Tape, apply
from certify.problems.errors import InputError
from certify.problems.model.model import Family, Problem

IN_RADIANS = {"rad": (Fraction(1), 0), "mrad": (Fraction(1, 1000), 0), "deg": (Fraction(1, 180), 1)}  # times pi^k
TURNS = 4  # so often a joint may stand in one angle
CURVED = 99  # a degree that is none

Coefficient = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class Place:
    """The nodes of a column of the workspace: itself, and its cosine and sine, if it is to be told by these."""

    plain: int
    cosine: int = -1
    sine: int = -1


@dataclass(frozen=True, slots=True)
class Pair:
    """The node of the value at x0, and that of the difference (None: it is 0)."""

    base: int
    change: int | None = None


@dataclass(frozen=True, slots=True)
class Angle:
    """A sum of columns of the workspace, each times a number, and the rest (None: 0)."""

    parts: tuple[tuple[int, Coefficient], ...]
    rest: Pair | None


@dataclass
class Differences:
    """Writes differences into a builder whose inputs are the variables `unknown`, then the columns at `places`, then
    others; what the difference must not depend on are `readings`: an input for each.
    """

    problem: Problem
    builder: Builder
    at: Mapping[int, Fraction]
    unknown: Mapping[int, int]
    places: Mapping[int, Place]
    readings: Mapping[int, int]
    _angles: dict[int, Angle] = field(default_factory=dict)

    def of(self, family: Family) -> Pair:
        """r(x0, q, m), and r(x, q, m) - r(x0, q, m)."""
        return self._pairs(family)[family.tape.outputs[0]]

    def turn(self, family: Family) -> tuple[int, int, int | None]:
        """Of an angle in radians the cosine and sine at x0, and by how much it is more at x."""
        pair = self._pairs(family)[family.tape.outputs[0]]
        angle = self._angles.get(family.tape.outputs[0])
        known = None
        if angle is not None:
            rest = None if angle.rest is None else Pair(angle.rest.base)
            known = self._waves(replace(angle, rest=rest))
        if known is None:
            return self.builder.cos(pair.base), self.builder.sin(pair.base), pair.change
        return known[0].base, known[1].base, pair.change

    def _pairs(self, family: Family) -> list[Pair]:
        """Those of all nodes of a family's tape."""
        pairs = [self._input(family, i) for i in range(family.tape.inputs)]
        self._angles = {
            i: Angle(((binding.index, (Fraction(1), 0)),), None)
            for i, binding in enumerate(family.bindings)
            if binding.measured and binding.index in self.places
        }
        for step in family.tape.steps:
            angle = self._angle(step, pairs)
            if angle is not None:
                self._angles[len(pairs)] = angle
            pairs.append(self._turned(step) or self._pair(step, [pairs[k] for k in step[1:3] if k >= 0]))
        return pairs

    @property
    def off(self) -> dict[int, int]:
        """The nodes of x - x0, of what is unknown."""
        b = self.builder
        return {v: b.sub(node, b.constant(self.at[v])) for v, node in self.unknown.items()}

    def _input(self, family: Family, i: int) -> Pair:
        binding = family.bindings[i]
        if binding.measured:
            known = self.places.get(binding.index)
            return Pair(self.readings[binding.index] if known is None else known.plain)
        value = self.builder.constant(self.at[binding.index])
        node = self.unknown.get(binding.index)
        return Pair(value) if node is None else Pair(value, self.builder.sub(node, value))

    def _value(self, pair: Pair) -> int:
        return pair.base if pair.change is None else self.builder.add(pair.base, pair.change)

    def _pair(self, step: Step, pairs: list[Pair]) -> Pair:
        """The pair of an operation."""
        b, operation = self.builder, step.operation
        if operation is Operation.CONSTANT:
            return Pair(b.constant(step.constant or Fraction(0)))
        if operation is Operation.PI:
            return Pair(b.pi())
        first, second = pairs[0], pairs[1] if len(pairs) > 1 else None
        base = apply(b, operation, first.base, -1 if second is None else second.base)
        if all(pair.change is None for pair in pairs):
            return Pair(base)
        match operation:
            case Operation.ADD | Operation.SUB if second is not None:
                return Pair(base, self._summed(operation, first.change, second.change))
            case Operation.MUL if second is not None:
                return Pair(base, self._product(first, second))
            case Operation.NEG if first.change is not None:
                return Pair(base, b.neg(first.change))
            case Operation.SQR if first.change is not None:
                return Pair(base, b.mul(first.change, b.add(first.base, self._value(first))))
            case Operation.DIV if second is not None:
                return Pair(base, self._quotient(base, first, second))
            case Operation.SIN | Operation.COS if first.change is not None:
                return Pair(base, self._wave(operation, first.base, first.change))
            case Operation.SQRT if first.change is not None:
                return Pair(base, b.div(first.change, b.add(base, b.sqrt(self._value(first)))))
        values = [self._value(pair) for pair in pairs]
        return Pair(base, b.sub(apply(b, operation, values[0], values[1] if len(values) > 1 else -1), base))

    def _summed(self, operation: Operation, first: int | None, second: int | None) -> int | None:
        if second is None:
            return first
        if first is None:
            return second if operation is Operation.ADD else self.builder.neg(second)
        return apply(self.builder, operation, first, second)

    def _product(self, first: Pair, second: Pair) -> int | None:
        b = self.builder
        left = None if first.change is None else b.mul(first.change, second.base)
        right = None if second.change is None else b.mul(self._value(first), second.change)
        return self._summed(Operation.ADD, left, right)

    def _quotient(self, base: int, first: Pair, second: Pair) -> int:
        """u/v - u0/v0 = (u' - (u0/v0) v') / v"""
        b = self.builder
        lost = None if second.change is None else b.mul(base, second.change)
        top = self._summed(Operation.SUB, first.change, lost)
        return b.div(b.constant(0) if top is None else top, self._value(second))

    def _wave(self, operation: Operation, base: int, change: int) -> int:
        b = self.builder
        half = b.mul(b.constant(Fraction(1, 2)), change)
        middle, twice = b.add(base, half), b.mul(b.constant(2), b.sin(half))
        return b.mul(twice, b.cos(middle)) if operation is Operation.SIN else b.neg(b.mul(twice, b.sin(middle)))

    def _angle(self, step: Step, pairs: list[Pair]) -> Angle | None:
        """The node of a step as a sum of columns of the workspace and a rest, if it is one and has such a column."""
        known = [self._angles.get(k) for k in step[1:3] if k >= 0]
        if not any(known):
            return None
        first, second = known[0], known[1] if len(known) > 1 else None
        match step.operation:
            case Operation.NEG if first is not None:
                return self._scaled(first, (Fraction(-1), 0))
            case Operation.ADD | Operation.SUB:
                left = first or Angle((), pairs[step.first])
                right = second or Angle((), pairs[step.second])
                return self._plus(left, self._signed(right, step.operation))
            case Operation.MUL:
                angle, factor = (first, step.second) if first is not None else (second, step.first)
                number = self._number(pairs[factor])
                return None if angle is None or number is None else self._scaled(angle, number)
            case Operation.DIV if first is not None:
                number = self._number(pairs[step.second])
                return None if number is None or not number[0] else self._scaled(first, (1 / number[0], -number[1]))
        return None

    def _number(self, pair: Pair) -> Coefficient | None:
        """A rational number times a power of pi, if a node is that."""
        value = self.builder.value_of(pair.base)
        if pair.change is not None:
            return None
        if value is not None:
            return value, 0
        place = pair.base - self.builder.inputs
        return (Fraction(1), 1) if place >= 0 and self.builder.steps[place].operation is Operation.PI else None

    def _scaled(self, angle: Angle, number: Coefficient) -> Angle:
        parts = tuple((column, (c * number[0], k + number[1])) for column, (c, k) in angle.parts)
        rest = angle.rest
        if rest is not None:
            b = self.builder
            factor = b.constant(number[0])
            for _ in range(abs(number[1])):
                factor = b.mul(factor, b.pi()) if number[1] > 0 else b.div(factor, b.pi())
            rest = Pair(b.mul(factor, rest.base), None if rest.change is None else b.mul(factor, rest.change))
        return Angle(parts, rest)

    def _signed(self, angle: Angle, operation: Operation) -> Angle:
        return angle if operation is Operation.ADD else self._scaled(angle, (Fraction(-1), 0))

    def _plus(self, first: Angle, second: Angle) -> Angle | None:
        sums: dict[int, Coefficient] = {}
        for column, (value, power) in (*first.parts, *second.parts):
            before, was = sums.get(column, (Fraction(0), power))
            if was != power:
                return None
            sums[column] = before + value, power
        rests = [rest for rest in (first.rest, second.rest) if rest is not None]
        rest = rests[0] if rests else None
        if len(rests) == 2:
            changed = self._summed(Operation.ADD, rests[0].change, rests[1].change)
            rest = Pair(self.builder.add(rests[0].base, rests[1].base), changed)
        return Angle(tuple(sums.items()), rest)

    def _turned(self, step: Step) -> Pair | None:
        """The sine or cosine of an angle with joints in it, by the theorem of addition, joint by joint."""
        angle = self._angles.get(step.first) if step.operation in (Operation.SIN, Operation.COS) else None
        known = None if angle is None else self._waves(angle)
        return None if known is None else known[step.operation is Operation.SIN]

    def _waves(self, angle: Angle) -> tuple[Pair, Pair] | None:
        """Its cosine and sine; None if a column is not told by these, or does not turn."""
        turns = [(self.places[column], self._turns(column, c)) for column, c in angle.parts]
        if any(count is None for _, count in turns):
            return None
        b = self.builder
        if angle.rest is None:
            cosine, sine = Pair(b.constant(1)), Pair(b.constant(0))
        else:
            cosine, sine = (self._pair(Step(wave), [angle.rest]) for wave in (Operation.COS, Operation.SIN))
        for place, count in turns:
            for _ in range(abs(count or 0)):
                c, s = Pair(place.cosine), Pair(place.sine if (count or 0) > 0 else b.neg(place.sine))
                cosine, sine = (
                    self._sum(self._times(cosine, c), self._times(sine, s), Operation.SUB),
                    self._sum(self._times(sine, c), self._times(cosine, s), Operation.ADD),
                )
        return cosine, sine

    def _times(self, first: Pair, second: Pair) -> Pair:
        return self._pair(Step(Operation.MUL), [first, second])

    def _sum(self, first: Pair, second: Pair, operation: Operation) -> Pair:
        return self._pair(Step(operation), [first, second])

    def _turns(self, column: int, coefficient: Coefficient) -> int | None:
        """How often the angle of a column is added; None if that is no whole number of times."""
        unit = IN_RADIANS.get(self.problem.columns[column].unit)
        if unit is None or unit[1] != coefficient[1] or self.places[column].cosine < 0:
            return None
        times = coefficient[0] / unit[0]
        return times.numerator if times.denominator == 1 and abs(times) <= TURNS else None


def change(builder: Builder, pair: Pair) -> int:
    """By how much it differs."""
    return builder.constant(0) if pair.change is None else pair.change


def used(tape: Tape) -> frozenset[int]:
    """The inputs that a tape's outputs depend on."""
    operands = {operand for step in tape.steps for operand in step[1:3]}
    return frozenset(i for i in range(tape.inputs) if i in operands or i in tape.outputs)


def degree(tape: Tape, inputs: frozenset[int]) -> int:
    """At most so often the inputs are multiplied with each other: 1 says that the outputs are affine in them."""
    found = [int(i in inputs) for i in range(tape.inputs)]
    for step in tape.steps:
        below = [found[k] for k in step[1:3] if k >= 0]
        match step.operation:
            case Operation.ADD | Operation.SUB | Operation.NEG:
                found.append(max(below))
            case Operation.MUL:
                found.append(min(sum(below), CURVED))
            case Operation.SQR:
                found.append(min(2 * below[0], CURVED))
            case Operation.DIV:
                found.append(CURVED if below[1] else below[0])
            case _:
                found.append(CURVED if any(below) else 0)
    return max(found[output] for output in tape.outputs)


def without_readings(problem: Problem, tape: Tape, readings: Mapping[int, int], families: tuple[Family, ...]) -> None:
    """Raise InputError if a difference depends on what is neither a parameter nor of the workspace."""
    dependent = used(tape)
    left = [problem.columns[column].name for column, place in readings.items() if place in dependent]
    if left:
        names = ", ".join(family.name for family in families)
        raise InputError(
            f"the deviation of {names} depends on {', '.join(left)}: say where it lies in the workspace, too "
            f"(--joints '{left[0]} = ... +- ...'), or write the equation as what the model says less what is read, "
            f"f(parameters, joints) - reading, so that the reading cancels"
        )
