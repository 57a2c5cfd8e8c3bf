"""The canonical text of a problem: exact, unambiguous bytes that a checker reads and a certificate names by their SHA-256.

The format is part of the checker's specification. Families with the same tape share it.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction

from contractors.tape import Operation, Step
from problems.certified import CERTIFIED
from problems.errors import InputError
from problems.model import Problem


def _number(value: Fraction) -> str:
    return str(value)


def _operation(step: Step) -> str:
    name = step.operation.name.lower()
    if step.operation is Operation.CONSTANT:
        return f"const {_number(step.constant or Fraction(0))}"
    if name not in CERTIFIED:
        raise InputError(f"the model uses {name}, which certificates cannot state yet (they know {', '.join(CERTIFIED)}); rewrite it without")
    operands = [str(operand) for operand in (step.first, step.second) if operand >= 0]
    return " ".join([name, *operands])


def canonical_bytes(problem: Problem) -> bytes:
    """The problem as the checker reads it."""
    lines = ["certify-problem 2", f"variables {len(problem.variables)}"]
    lines += [f"{v.name} {v.unit} {_number(v.lower)} {_number(v.upper)}" for v in problem.variables]
    lines.append(f"columns {len(problem.columns)}")
    for column in problem.columns:
        lines.append(f"column {column.name} {column.unit} {len(column.lower)}")
        lines += [f"{_number(low)} {_number(high)}" for low, high in zip(column.lower, column.upper, strict=True)]
    tapes = list(dict.fromkeys(family.tape for family in problem.families))
    lines.append(f"tapes {len(tapes)}")
    for number, tape in enumerate(tapes):
        lines.append(f"tape f{number} {tape.inputs} {len(tape.steps)}")
        lines += [_operation(step) for step in tape.steps]
    lines.append(f"families {len(problem.families)}")
    for family in problem.families:
        bindings = " ".join(f"{'c' if b.measured else 'v'}{b.index}" for b in family.bindings)
        lines.append(f"{family.name} {tapes.index(family.tape)} {family.rows} {bindings}")
    return ("\n".join([*lines, "end"]) + "\n").encode("ascii")


def digest(data: bytes) -> str:
    """The name of canonical bytes in certificates."""
    return hashlib.sha256(data).hexdigest()
