"""A system of constraints over the reals, as read from a file: variables in exact domains and f(x) = 0, f(x) <= 0 or f(x) >= 0.

All numbers are exact; an end of a domain that is None is infinite. Strict inequalities have been relaxed to non-strict ones
by whoever made the system; this and whatever else a reader should know is in `notes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from contractors.enclosures import enclose_rational
from contractors.tape import Builder, Tape
from contractors.tape import Operation as TapeOperation
from problems.errors import InputError
from problems.formula import Apply, Constant, Formula, Operation, Variable, checked, exact_value, ordered

MAX_EXPONENT = 1_000_000  # of a power that becomes products


class Relation(Enum):
    """How the formula of a constraint compares with 0."""

    EQUAL = "= 0"
    LESS_EQUAL = "<= 0"
    GREATER_EQUAL = ">= 0"


@dataclass(frozen=True, slots=True)
class SystemVariable:
    """An unknown in [lower, upper]; None is an infinite end."""

    name: str
    lower: Fraction | None
    upper: Fraction | None


@dataclass(frozen=True, slots=True)
class Constraint:
    """formula = 0, <= 0 or >= 0; `place` says where it was written."""

    formula: Formula
    relation: Relation
    place: str


@dataclass(frozen=True, slots=True)
class System:
    """Variables and constraints; the objective, if there was one, is to be minimised and is not part of the constraints."""

    variables: tuple[SystemVariable, ...]
    constraints: tuple[Constraint, ...]
    objective: Formula | None = None
    notes: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        names: set[str] = set()
        for variable in self.variables:
            if variable.name in names:
                raise InputError(f"two variables of the system are named {variable.name!r}; rename one")
            names.add(variable.name)
            if variable.lower is not None and variable.upper is not None and variable.lower > variable.upper:
                raise InputError(f"variable {variable.name}: its lower bound exceeds its upper bound; exchange them")


    @property
    def box(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The domains, enclosed by doubles."""
        lower = [-np.inf if v.lower is None else enclose_rational(v.lower)[0] for v in self.variables]
        upper = [np.inf if v.upper is None else enclose_rational(v.upper)[1] for v in self.variables]
        return np.array(lower), np.array(upper)


_FUNCTIONS = {
    Operation[name]: TapeOperation[name] for name in ("EXP", "LOG", "TAN", "ASIN", "ACOS", "ATAN", "SINH", "COSH", "TANH", "ABS")
}
def inner_box(system: System) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Doubles that surely lie within the domains."""
    lower = [-np.inf if v.lower is None else enclose_rational(v.lower)[1] for v in system.variables]
    upper = [np.inf if v.upper is None else enclose_rational(v.upper)[0] for v in system.variables]
    return np.array(lower), np.array(upper)


ALLOWED = {Relation.EQUAL: (0.0, 0.0), Relation.LESS_EQUAL: (-np.inf, 0.0), Relation.GREATER_EQUAL: (0.0, np.inf)}


def system_tape(system: System) -> tuple[Tape, tuple[tuple[float, float], ...]]:
    """One tape with an output for each constraint, and the values that each output may take; equal parts of constraints are shared."""
    builder = Builder(len(system.variables))
    places: dict[int, int] = {}
    for node in ordered(tuple(constraint.formula for constraint in system.constraints)):
        places[id(node)] = _guarded(builder, _place_of(node, builder, places, system.variables))
    tape = builder.tape(tuple(places[id(constraint.formula)] for constraint in system.constraints))
    return tape, tuple(ALLOWED[constraint.relation] for constraint in system.constraints)


_DIRECT = frozenset(
    {Operation.PI, Operation.ADD, Operation.SUB, Operation.MUL, Operation.DIV, Operation.NEG, Operation.SQRT, Operation.SIN, Operation.COS}
)


def to_tape(formula: Formula, variables: Sequence[SystemVariable]) -> Tape:
    """The tape of a formula, whose inputs are the variables in order.

    Integer powers become squares and products. Raises InputError where the formula needs what no tape computes yet.
    """
    builder = Builder(len(variables))
    places: dict[int, int] = {}
    for node in ordered((formula,)):
        places[id(node)] = _guarded(builder, _place_of(node, builder, places, variables))
    return builder.row(places[id(formula)])


def _place_of(node: Formula, builder: Builder, places: dict[int, int], variables: Sequence[SystemVariable]) -> int:
    if isinstance(node, Variable):
        if not 0 <= node.index < len(variables):
            raise InputError(f"the formula uses variable number {node.index}, the system has {len(variables)}; pass the system's own variables")
        return node.index
    if isinstance(node, Constant):
        if node.exact is None:
            raise InputError("the formula contains an interval constant, which a tape cannot hold; declare it as a variable with that domain")
        return builder.constant(node.exact)
    operands = [places[id(operand)] for operand in node.operands]
    if node.operation in _DIRECT:
        method = getattr(builder, node.operation.name.lower())
        place: int = method(*operands)
        return place
    if node.operation in _FUNCTIONS:
        return builder.function(_FUNCTIONS[node.operation], operands[0])
    if node.operation is Operation.POWER:
        return _power(node, operands[0], builder)
    raise InputError(f"the formula uses {node.operation.value}, which the contractors do not know yet; rewrite it without")


def _power(node: Apply, base: int, builder: Builder) -> int:
    """base ^ n from the bits of n: an even power is a square, so that its range is found to be non-negative."""
    exponent = exact_value(node.operands[1])
    if exponent is None or exponent.denominator != 1:
        raise InputError("the formula uses ^ with an exponent that is no integer, which the contractors do not know yet; rewrite it without")
    number = abs(exponent.numerator)
    if number > MAX_EXPONENT:
        raise InputError(f"the formula uses a power beyond {MAX_EXPONENT}; rewrite it with smaller exponents")
    if number == 0:
        return builder.constant(1)
    result = base
    for bit in bin(number)[3:]:
        result = builder.sqr(_guarded(builder, result))
        if bit == "1":
            result = builder.mul(result, base)
    return result if exponent > 0 else builder.div(builder.constant(1), result)


def _guarded(builder: Builder, place: int) -> int:
    """The place, unless the tape's own folding of constants (0 * x is 0) has made a giant number there."""
    value = builder.value_of(place)
    if value is not None:
        checked(value)
    return place
