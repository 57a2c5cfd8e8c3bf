"""The unit of a row's value, as it follows from the units that a canonical problem names, which nothing checks.

A unit is told only where it is sure: of an angle in degrees that the model turns by pi into radians it is not, nor of
the logarithm of a length. What could be read as a part of the number before it stands in quotes.
"""

from __future__ import annotations

import re
from fractions import Fraction

from certify.checker.problem import END, CanonicalProblem
from certify.problems.functions.function_table import ROWS
from certify.problems.functions.lengths import of_angle, of_number

Unit = dict[str, Fraction] | None  # powers of units; None fits everything: a constant
Units = tuple[dict[str, str], dict[str, str]]  # of the variables and of the columns, by name
OF_NUMBERS = frozenset(row.name for row in ROWS if row.dimension is of_number)  # of what has no unit
TO_NUMBERS = OF_NUMBERS | {row.name for row in ROWS if row.dimension is of_angle}
DEGREES = "deg"
_WORD = re.compile(r"[A-Za-z]+|'.*'")
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
    if problem.tapes[declared.tape].name == "":
        return None  # a table says no units
    nodes = [
        _base(units[1][problem.columns[b.index].name] if b.measured else units[0][problem.variables[b.index].name])
        for b in declared.bindings
    ]
    operations = problem.tapes[declared.tape].operations
    try:
        for operation in operations:
            operands = [nodes[operand] for operand in (operation.first, operation.second) if operand >= 0]
            nodes.append(_derived(operation.code, operands))
    except ValueError:
        return None
    found = {name: power for name, power in (nodes[-1] or {}).items() if power}
    if DEGREES in found and any(operation.code == "pi" for operation in operations):
        return None
    return " ".join(_power(name, power) for name, power in found.items()) or "1"


def squared(unit: str | None) -> str | None:
    """The unit of a square."""
    return unit if unit in (None, "1") else _power(unit or "", Fraction(2))


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    written = str(power) if power.denominator == 1 else f"({power})"
    return f"{name if _WORD.fullmatch(name) else f'({name})'}^{written}"


def _base(unit: str) -> Unit:
    return {} if unit == "1" else {unit: Fraction(1)}


def _derived(code: str, operands: list[Unit]) -> Unit:
    known = [unit for unit in operands if unit is not None]
    if code in OF_NUMBERS and any(known):
        raise ValueError(f"{code} of a value with a unit")
    if code in TO_NUMBERS:
        return {}
    if code in ("add", "sub"):
        if len(known) == 2 and known[0] != known[1]:
            raise ValueError("units do not agree")
        return known[0] if known else None
    if not known:
        return None
    if code in ("mul", "div"):
        right = (operands[1] or {}) if code == "mul" else {name: -power for name, power in (operands[1] or {}).items()}
        left = operands[0] or {}
        total = {name: left.get(name, Fraction(0)) + right.get(name, Fraction(0)) for name in {**left, **right}}
        return {name: power for name, power in total.items() if power}
    factor = {"sqr": Fraction(2), "sqrt": Fraction(1, 2)}.get(code, Fraction(1))
    return {name: power * factor for name, power in known[0].items()}
