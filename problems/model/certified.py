"""The language of certificates, and how tapes are told in it: what it does not have by the forms of the table
(`functions`, `forms`).
"""

from __future__ import annotations

from fractions import Fraction

from certify.contractors.tape.tape import Builder, Operation, Tape, apply
from certify.problems.functions.forms import Sign
from certify.problems.functions.function_table import ROWS, form_of

CERTIFIED = ("pi", "add", "sub", "mul", "div", "neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan", "erf")
ON_ONE_SIDE = frozenset(row.operation for row in ROWS if row.one_sided)
FORMS = frozenset(row.operation for row in ROWS if row.form) | {Operation.INTEGER_POWER}


def stated(
    builder: Builder,
    operation: Operation,
    first: int,
    second: int,
    constant: Fraction | None = None,
    sign: Sign = lambda _: 0,
) -> int | None:
    """The node of an operation in the language; None if it has no form there, or only where the signs of its operands
    were known.
    """
    if operation is Operation.CONSTANT or operation.name.lower() in CERTIFIED:
        return apply(builder, operation, first, second, constant)
    if operation is Operation.INTEGER_POWER:
        return builder.power_by_products(first, int(builder.value_of(second) or 0))
    return form_of(builder, operation, [operand for operand in (first, second) if operand >= 0], sign)


def plain(tape: Tape) -> Tape:
    """The row with what the language does not have in its terms, as far as there are forms."""
    if all(step.operation not in FORMS for step in tape.steps):
        return tape
    builder = Builder(tape.inputs)
    nodes = list(range(tape.inputs))
    for operation, first, second, constant in tape.steps:
        a, b = (nodes[operand] if operand >= 0 else -1 for operand in (first, second))
        node = stated(builder, operation, a, b, constant)
        nodes.append(apply(builder, operation, a, b, constant) if node is None else node)
    return builder.row(nodes[tape.outputs[0]])
