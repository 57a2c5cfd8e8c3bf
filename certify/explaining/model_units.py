"""The unit of a row's value, as it follows from the units that a canonical problem names, which nothing checks.

A unit is told only where it is sure: of an angle in degrees that the model turns by pi into radians it is not, nor of
the logarithm of a length, nor of a multiple by a constant, which may be a length, or a change of the unit. What could
be read as a part of the number before it stands in quotes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from certify.checker.problem import END, CanonicalProblem, Tape
from certify.problems.functions.dimensions import ROW_UNITS, raised_unit, unit_named
from certify.problems.functions.function_table import ROWS
from certify.problems.functions.powers import Powers, Unfit, of_angle, of_number

Unit = dict[str, Fraction]  # powers of units
Units = tuple[dict[str, str], dict[str, str]]  # of the variables and of the columns, by name
OF_NUMBERS = frozenset(row.name for row in ROWS if row.dimension is of_number)  # of what has no unit
TO_NUMBERS = OF_NUMBERS | {row.name for row in ROWS if row.dimension is of_angle}
DEGREES = "deg"
T = TypeVar("T")
ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv}
_QUOTED = re.compile(r"'.*'")
_PLAIN = re.compile(r"1|(?![eE][0-9])[A-Za-z][A-Za-z0-9_./^-]*")


def units(canonical: bytes) -> Units:
    """The units of variables and columns by name, from a text that was read before: the checker forgets them."""
    lines = canonical[: canonical.index(END)].decode("ascii").split("\n")
    count = int(lines[1].split(" ")[1])
    variables = dict(line.split(" ")[:2] for line in lines[2 : 2 + count])
    columns = dict(line.split(" ")[1:3] for line in lines if line.startswith("column "))
    return _quoted(variables), _quoted(columns)


def _quoted(found: dict[str, str]) -> dict[str, str]:
    return {name: unit if _PLAIN.fullmatch(unit) else f"'{unit}'" for name, unit in found.items()}


def row_unit(problem: CanonicalProblem, family: int, units: Units) -> str | None:
    """The unit of a row's value, "1" for a bare number; None where units do not fit together, or are not sure."""
    declared = problem.families[family]
    tape = problem.tapes[declared.tape]
    if tape.name == "":
        return None  # a table says no units
    named = [
        units[1][problem.columns[b.index].name] if b.measured else units[0][problem.variables[b.index].name]
        for b in declared.bindings
    ]
    try:
        return _as_named(tape, named)
    except ValueError:
        return _in_coherent(tape, named)


def _as_named(tape: Tape, named: Sequence[str]) -> str | None:
    """Each unit a word of its own."""
    row = _walked(tape, [_base(unit) for unit in named], {}, _derived)
    if row is None or (DEGREES in row and any(operation.code == "pi" for operation in tape.operations)):
        return None
    return " ".join(_power(name, power) for name, power in row.items()) or "1"


def _in_coherent(tape: Tape, named: Sequence[str]) -> str | None:
    """By what the units are made of: V/A times A is V."""
    known = [unit for unit in map(unit_named, named) if unit is not None and unit.canonical != DEGREES]
    if len(known) < len(named):
        return None
    nodes = [Powers(unit.dimension.in_formula, unit.dimension.scale * unit.factor) for unit in known]
    try:
        row = _walked(tape, nodes, Powers(), _measured)
    except Unfit:
        return None
    told = None if row is None else ROW_UNITS.get(row.units or ())
    return told.canonical if row is not None and told is not None and told.scale == row.scale else None


def _walked(tape: Tape, inputs: Sequence[T], number: T, derived: Callable[[str, list[T]], T]) -> T | None:
    """The unit of the tape's value; None, which fits everything, of a constant and of what is multiplied by one, which
    may be a length, or a change of the unit. 1, -1 and pi are numbers where they are factors.
    """
    nodes: list[T | None] = list(inputs)
    plain: set[int] = set()
    for operation in tape.operations:
        code, places = operation.code, [k for k in (operation.first, operation.second) if k >= 0]
        if code == "pi" or (code == "const" and abs(operation.value) == 1):
            plain.add(len(nodes))
        factors = code in ("mul", "div") and not plain.issuperset(places)
        operands = [number if factors and k in plain else nodes[k] for k in places]
        known = [unit for unit in operands if unit is not None]
        if code in TO_NUMBERS and not known:
            nodes.append(number)
        elif len(known) == len(operands) and known:
            nodes.append(derived(code, known))
        else:
            nodes.append(known[0] if known and code in ("add", "sub") else None)
    return nodes[-1]


def _measured(code: str, known: list[Powers]) -> Powers:
    if code in ARITHMETIC:
        combined: Powers = ARITHMETIC[code](*known)
        return combined
    row = next((row for row in ROWS if row.name == code), None)
    return known[0] if row is None else row.dimension(*known)  # a sign that is changed changes no unit


def squared(unit: str | None) -> str | None:
    """The unit of a square."""
    return unit if unit in (None, "1") else _power(unit or "", Fraction(2))


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    written = str(power) if power.denominator == 1 else f"({power})"
    return f"{name}^{written}" if _QUOTED.fullmatch(name) else raised_unit(name, written)


def _base(unit: str) -> Unit:
    return {} if unit == "1" else {unit: Fraction(1)}


def _derived(code: str, known: list[Unit]) -> Unit:
    if code in OF_NUMBERS and known[0]:
        raise ValueError(f"{code} of a value with a unit")
    if code in TO_NUMBERS:
        return {}
    if code in ("add", "sub"):
        if known[0] != known[1]:
            raise ValueError("units do not agree")
        return known[0]
    if code in ("mul", "div"):
        right = known[1] if code == "mul" else {name: -power for name, power in known[1].items()}
        total = {name: known[0].get(name, Fraction(0)) + right.get(name, Fraction(0)) for name in {**known[0], **right}}
        return {name: power for name, power in total.items() if power}
    factor = {"sqr": Fraction(2), "sqrt": Fraction(1, 2)}.get(code, Fraction(1))
    return {name: power * factor for name, power in known[0].items()}
