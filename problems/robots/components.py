"""The families of a model without legs: one for each component of each of its equations, with one row a pose.

    position.x, position.y, position.z, orientation.x, ...    what belongs to one pose has the same number everywhere

A family reads only what its component depends on: what is known exactly is a number in its tape, and a parameter that
no component of an equation depends on is none of that equation's. Where a ratio says how much of an angle counts as
much as a length, the components of all equations stand once more in one group, `pose`, in mm: bounded by its largest
one, or where equations are distances by the root of the sum of the squares of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.errors import InputError
from certify.problems.model.groups import EUCLIDEAN, LARGEST, Group
from certify.problems.model.model import Binding, Family

MODEL, POSE = "model", "pose"  # the equation of a model that has one only; all equations together
AXES = ("x", "y", "z")
ANGLES = ("deg", "rad", "mrad")
PER_RADIAN = {"rad": Fraction(1), "mrad": Fraction(1000)}


@dataclass(frozen=True, slots=True)
class Equation:
    """What a model without legs returns under a name: a number, or the vector of the named components, in this unit.

    `norm` says what the error of a pose is: its largest component, or a Euclidean distance.
    """

    name: str
    unit: str = "mm"
    components: tuple[str, ...] = ()
    norm: str = LARGEST

    @property
    def families(self) -> tuple[str, ...]:
        """The names of its families."""
        return tuple(f"{self.name}.{component}" for component in self.components) or (self.name,)


@dataclass(frozen=True, slots=True)
class Ratio:
    """So many mm count as much as one deg, rad or mrad."""

    value: Fraction
    unit: str


def default_components(count: int) -> tuple[str, ...]:
    """x, y, z for a vector of two or three, else 1, 2, ..."""
    return AXES[:count] if count in (2, 3) else tuple(str(k) for k in range(1, count + 1))


def component_groups(equations: Sequence[Equation], ratio: Ratio | None) -> tuple[Group, ...]:
    """One group for each equation, and one for all of them if there is a ratio."""
    found = [Group(equation.name, equation.families, equation.norm) for equation in equations]
    together = tuple(f"{POSE}.{name}" for equation in equations for name in equation.families)
    return (*found, *([Group(POSE, together, joint_norm(equations))] if ratio is not None else []))


def joint_norm(equations: Sequence[Equation]) -> str:
    """That of all equations together: if one is a distance, the root of the sum of the squares of all."""
    return EUCLIDEAN if any(equation.norm == EUCLIDEAN for equation in equations) else LARGEST


def component_families(
    traced: Any, equations: Sequence[Equation], ratio: Ratio | None, inputs: Sequence[Fraction | Binding], rows: int
) -> tuple[Family, ...]:
    """The families of what `trace` made of a model; each input of its tapes is known exactly or bound."""
    found = []
    for equation in equations:
        for name, tape in zip(equation.families, _tapes(traced, equation), strict=True):
            own, bindings = bound(tape, inputs)
            if not bindings:
                raise InputError(f"{name} depends on nothing that is unknown or measured; leave it out of the model")
            found.append(Family(name, own, rows, bindings, equation.unit))
        if not any(not binding.measured for family in found[-len(equation.families) :] for binding in family.bindings):
            raise InputError(
                f"{equation.name} depends on no unknown: all that it depends on is known exactly; give a parameter of "
                f"its own a radius, or leave {equation.name} out"
            )
    if ratio is None:
        return tuple(found)
    return (*found, *(_weighted(family, ratio) for family in found))


def _tapes(traced: Any, equation: Equation) -> tuple[Tape, ...]:
    """The tapes of one equation, as many as it has components."""
    value = traced[equation.name] if isinstance(traced, Mapping) else traced
    tapes = (value,) if isinstance(value, Tape) else tuple(value)
    if len(tapes) != len(equation.families):
        raise InputError(
            f"the model returns {len(tapes)} numbers for {equation.name}, which has {len(equation.families)} "
            f"components ({', '.join(equation.families)}); they must agree"
        )
    return tapes


def bound(tape: Tape, inputs: Sequence[Fraction | Binding]) -> tuple[Tape, tuple[Binding, ...]]:
    """The tape with what is known exactly as numbers, and of the other inputs those only that it then depends on."""
    builder = Builder(tape.inputs)
    nodes = [builder.constant(value) if isinstance(value, Fraction) else n for n, value in enumerate(inputs)]
    known = builder.tape((replay(tape, builder, nodes)[tape.outputs[0]],))
    used = _used(known)
    bindings = tuple(value for n in used if isinstance(value := inputs[n], Binding))
    fewer = Builder(len(used))
    places = [used.index(n) if n in used else fewer.constant(0) for n in range(tape.inputs)]
    return fewer.row(replay(known, fewer, places)[known.outputs[0]]), bindings


def _used(tape: Tape) -> list[int]:
    """The inputs that the tape's value depends on."""
    operands = {operand for step in tape.steps for operand in (step.first, step.second)}
    return [n for n in range(tape.inputs) if n in operands or n in tape.outputs]


def _weighted(family: Family, ratio: Ratio) -> Family:
    """The family in mm, with the unit of an angle as many mm as the ratio says."""
    name = f"{POSE}.{family.name}"
    if family.unit == "mm":
        return replace(family, name=name)
    builder = Builder(family.tape.inputs)
    row = replay(family.tape, builder, list(range(family.tape.inputs)))[family.tape.outputs[0]]
    row = builder.mul(builder.constant(ratio.value), _angle(builder, row, family.unit, ratio.unit))
    return replace(family, name=name, tape=builder.row(row), unit="mm")


def _angle(builder: Builder, node: int, unit: str, wanted: str) -> int:
    """An angle of one unit in another one."""
    if unit == wanted:
        return node
    if "deg" not in (unit, wanted):
        return builder.mul(builder.constant(PER_RADIAN[wanted] / PER_RADIAN[unit]), node)
    if unit == "deg":
        radians = builder.div(builder.mul(node, builder.pi()), builder.constant(180))
        return builder.mul(builder.constant(PER_RADIAN[wanted]), radians)
    degrees = builder.div(builder.mul(builder.constant(180 / PER_RADIAN[unit]), node), builder.pi())
    return degrees
