"""The canonical text of a problem: exact, unambiguous bytes that a checker reads and a certificate names by their
SHA-256.

The format is part of the checker's specification. Families with the same tape share it.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction

from certify.contractors.tape.tape import Operation, Step
from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.model.certified import CERTIFIED
from certify.problems.model.model import Problem

MOST_DIGITS = 2000  # of a numerator, of a denominator
_TOO_LONG = 10**MOST_DIGITS
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}", re.ASCII)
_UNIT = re.compile(r"[A-Za-z0-9_./^-]{1,16}", re.ASCII)


def _number(value: Fraction, what: str) -> str:
    if max(abs(value.numerator), value.denominator) >= _TOO_LONG:
        raise InputError(f"{what} has more than the {MOST_DIGITS} digits that a certificate can hold; round it first")
    return str(value)


def _name(name: str, what: str) -> str:
    if _NAME.fullmatch(name) is None:
        remedy = "write a letter, then at most 63 letters, digits, '_', '.' or '-', without spaces"
        raise InputError(f"the name of the {what} {shown(name)} cannot stand in a certificate; {remedy}")
    return name


def _unit(unit: str, what: str) -> str:
    if _UNIT.fullmatch(unit) is None:
        remedy = (
            "write 1 to 16 letters, digits, '_', '.', '/', '^' or '-' without spaces, such as N.s/m, and 1 for no unit"
        )
        raise InputError(f"the unit of the {what}, {shown(unit)}, cannot stand in a certificate; {remedy}")
    return unit


def _operation(step: Step) -> str:
    name = step.operation.name.lower()
    if step.operation is Operation.CONSTANT:
        return f"const {_number(step.constant or Fraction(0), 'a number of the model')}"
    if name not in CERTIFIED:
        raise InputError(
            f"the model uses {name}, which certificates cannot state yet (they know {', '.join(CERTIFIED)}); "
            f"rewrite it without"
        )
    operands = [str(operand) for operand in (step.first, step.second) if operand >= 0]
    return " ".join([name, *operands])


def _version(problem: Problem) -> int:
    """The first version that has all operations: problems without erf have the bytes that they always had."""
    return 3 if any(step.operation is Operation.ERF for family in problem.families for step in family.tape.steps) else 2


def canonical_bytes(problem: Problem) -> bytes:
    """The problem as the checker reads it. Raises InputError with what its text cannot hold."""
    lines = [f"certify-problem {_version(problem)}", f"variables {len(problem.variables)}"]
    for v in problem.variables:
        what = f"variable {_name(v.name, 'variable')}"
        ends = " ".join(_number(end, f"a bound of the {what}") for end in (v.lower, v.upper))
        lines.append(f"{v.name} {_unit(v.unit, what)} {ends}")
    lines.append(f"columns {len(problem.columns)}")
    for column in problem.columns:
        what = f"column {_name(column.name, 'column')}"
        entry = f"an entry of the {what}"
        lines.append(f"column {column.name} {_unit(column.unit, what)} {len(column.lower)}")
        lines += [
            f"{_number(low, entry)} {_number(high, entry)}"
            for low, high in zip(column.lower, column.upper, strict=True)
        ]
    tapes = list(dict.fromkeys(family.tape for family in problem.families))
    lines.append(f"tapes {len(tapes)}")
    for number, tape in enumerate(tapes):
        lines.append(f"tape f{number} {tape.inputs} {len(tape.steps)}")
        lines += [_operation(step) for step in tape.steps]
    lines.append(f"families {len(problem.families)}")
    for family in problem.families:
        bindings = " ".join(f"{'c' if b.measured else 'v'}{b.index}" for b in family.bindings)
        lines.append(f"{_name(family.name, 'family')} {tapes.index(family.tape)} {family.rows} {bindings}")
    return ("\n".join([*lines, "end"]) + "\n").encode("ascii")


def digest(data: bytes) -> str:
    """The name of canonical bytes in certificates."""
    return hashlib.sha256(data).hexdigest()
