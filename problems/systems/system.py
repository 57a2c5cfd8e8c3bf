"""A system of constraints over the reals, as read from a file: variables in exact domains and f(x) = 0, f(x) <= 0 or
f(x) >= 0.

All numbers are exact; an end of a domain that is None is infinite. Strict inequalities have been relaxed to non-strict
ones by whoever made the system; this and whatever else a reader should know is in `notes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.tape import Builder, Tape, apply
from certify.problems.errors import InputError
from certify.problems.formulas.graph import Apply, Constant, Formula, Operation, Symbol, checked, exact_value, ordered

MAX_EXPONENT = 1_000_000  # of an integer power


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
    """Variables and constraints; the objective, if there was one, is to be minimised and is not part of the
    constraints.
    """

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


def inner_box(system: System) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Doubles that surely lie within the domains."""
    lower = [-np.inf if v.lower is None else enclose_rational(v.lower)[1] for v in system.variables]
    upper = [np.inf if v.upper is None else enclose_rational(v.upper)[0] for v in system.variables]
    return np.array(lower), np.array(upper)


ALLOWED = {Relation.EQUAL: (0.0, 0.0), Relation.LESS_EQUAL: (-np.inf, 0.0), Relation.GREATER_EQUAL: (0.0, np.inf)}


def system_tape(system: System) -> tuple[Tape, tuple[tuple[float, float], ...]]:
    """One tape with an output for each constraint, and the values that each output may take; equal parts of constraints
    are shared.
    """
    formulas = tuple(constraint.formula for constraint in system.constraints)
    writer = _Writer(formulas, system.variables)
    tape = writer.builder.tape(tuple(writer.places[id(formula)] for formula in formulas))
    return tape, tuple(ALLOWED[constraint.relation] for constraint in system.constraints)


def to_tape(formula: Formula, variables: Sequence[SystemVariable]) -> Tape:
    """The tape of a formula, whose inputs are the variables in order.

    Raises InputError where the formula needs what no tape computes: interval constants.
    """
    writer = _Writer((formula,), variables)
    return writer.builder.row(writer.places[id(formula)])


class _Writer:
    """Writes formulas on one tape; `places` has the node of each part of theirs."""

    def __init__(self, formulas: tuple[Formula, ...], variables: Sequence[SystemVariable]) -> None:
        self.builder = Builder(len(variables))
        self.variables = variables
        self.places: dict[int, int] = {}
        nodes = ordered(formulas)
        self.related = _related_powers(nodes)
        for node in nodes:
            self.places[id(node)] = _guarded(self.builder, self._place_of(node))

    def _place_of(self, node: Formula) -> int:
        if isinstance(node, Symbol):
            if not 0 <= node.index < len(self.variables):
                count = len(self.variables)
                raise InputError(
                    f"the formula uses variable number {node.index}, the system has {count}; pass the system's own "
                    f"variables"
                )
            return node.index
        if isinstance(node, Constant):
            if node.exact is None:
                raise InputError(
                    "the formula contains an interval constant, which a tape cannot hold; declare it as a variable "
                    "with that domain"
                )
            return self.builder.constant(node.exact)
        operands = [self.places[id(operand)] for operand in node.operands]
        if node.operation is Operation.POWER:
            return self._power(node, operands)
        if len(operands) > 2:
            return reduce(lambda first, second: apply(self.builder, node.operation, first, second), operands)
        first, second = [*operands, -1, -1][:2]
        return apply(self.builder, node.operation, first, second)

    def _power(self, node: Apply, operands: list[int]) -> int:
        """x ^ n for an exact integer n, of all x; else x ^ y for x > 0, and 0 ^ y = 0 for y > 0."""
        exponent, base = exact_value(node.operands[1]), operands[0]
        if exponent is None or exponent.denominator != 1:
            return self.builder.power(*operands)
        if abs(exponent) > MAX_EXPONENT:
            raise InputError(f"the formula uses a power beyond {MAX_EXPONENT}; rewrite it with smaller exponents")
        if id(node.operands[0]) in self.related and exponent > 0 and self.builder.value_of(base) is None:
            return self.builder.power_by_products(base, exponent.numerator)
        return self.builder.integer_power(base, exponent.numerator)


def _related_powers(nodes: list[Formula]) -> frozenset[int]:
    """The bases of which several powers occur: x^3 = x^2 x then shares x^2 with the others, and what one constraint
    learns of it serves them all.

    Elsewhere a power is one operation, whose range and projection are tight also where x may have either sign.
    """
    exponents: dict[int, set[Fraction]] = {}
    for node in nodes:
        if isinstance(node, Apply) and node.operation is Operation.POWER:
            exponent = exact_value(node.operands[1])
            if exponent is not None and exponent.denominator == 1 and exponent > 1:
                exponents.setdefault(id(node.operands[0]), set()).add(exponent)
    return frozenset(base for base, those in exponents.items() if len(those) > 1)


def _guarded(builder: Builder, place: int) -> int:
    """The place, unless the tape's own folding of constants (0 * x is 0) has made a giant number there."""
    value = builder.value_of(place)
    if value is not None:
        checked(value)
    return place
