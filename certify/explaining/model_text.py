"""A row's model told to people: its formula if that is short, and the operations it takes otherwise.

What is written reads back to the same function, by `certify.problems.formulas.grammar` and by Minibex: every `*` is
there, numbers are exact, and what is not sure to be read as one (a sum in a product, a sign elsewhere than at the
beginning, the base of a power) is in brackets. A name that could be mistaken for something else (`a-b`, `pi`, a column
that is called as a variable is) stands in quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import accumulate

from certify.checker.problem import OPERANDS, CanonicalProblem, Operation, Tape
from certify.problems.errors import InputError
from certify.problems.formulas.grammar import MAX_DEPTH
from certify.problems.formulas.units import MAX_DIGITS, format_decimal

LONGEST = 160  # characters of a formula that is told
SUM, SIGNED, PRODUCT, POWER, ATOM = range(5)  # how tightly the outermost operation of a formula binds
INFIX = {
    "add": (" + ", SUM, SUM, PRODUCT),
    "sub": (" - ", SUM, SUM, PRODUCT),
}  # the symbol, how it binds, and how its operands have to
INFIX |= {"mul": ("*", PRODUCT, PRODUCT, POWER), "div": ("/", PRODUCT, PRODUCT, POWER)}
PARTIAL = ("div", "sqrt", "log")  # not defined everywhere
WORDS = {
    "const": "constants", "pi": "times pi", "add": "sums", "sub": "differences", "mul": "products", "div": "quotients",
    "neg": "signs", "sqr": "squares", "sqrt": "square roots", "sin": "sines", "cos": "cosines", "exp": "exponentials",
    "log": "logarithms", "atan": "arctangents", "erf": "error functions",
}  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*")

Formula = tuple[str, int] | None


def is_table(problem: CanonicalProblem, family: int) -> bool:
    """Whether the rows of a family are records of a table."""
    return problem.tapes[problem.families[family].tape].name == ""


def formula(problem: CanonicalProblem, family: int, node: int = -1) -> str | None:
    """The row's value, or that of a node, as a formula in the names of variables and columns.

    None if it is long or deep, or if the row may have no value where the formula has one.
    """
    declared = problem.families[family]
    tape = problem.tapes[declared.tape]
    last = node if node >= 0 else tape.inputs + len(tape.operations) - 1
    if _may_fail_elsewhere(tape, last) or is_table(problem, family):
        return None
    nodes: list[Formula] = [(name, ATOM) for name in input_names(problem, family)]
    for operation in tape.operations:
        first, second = (nodes[operand] if operand >= 0 else None for operand in (operation.first, operation.second))
        written = _written(operation, first, second)
        nodes.append(written if written is not None and len(written[0]) <= LONGEST else None)
    result = nodes[last]
    return None if result is None or _depth(result[0]) > MAX_DEPTH else result[0]


def _depth(text: str) -> int:
    """How many brackets are open at the same time."""
    return max(accumulate((letter == "(") - (letter == ")") for letter in text))


def input_names(problem: CanonicalProblem, family: int) -> list[str]:
    """What the inputs of a family's tape are called in its formula."""
    bindings = problem.families[family].bindings
    variables = {problem.variables[binding.index].name for binding in bindings if not binding.measured}
    told = []
    for binding in bindings:
        name = (problem.columns if binding.measured else problem.variables)[binding.index].name
        if binding.measured and name in variables:
            told.append(f"'measured {name}'")
        else:
            told.append(name if _PLAIN.fullmatch(name) and name not in OPERANDS else f"'{name}'")
    return told


def _may_fail_elsewhere(tape: Tape, last: int) -> bool:
    """Whether an operation that the node does not use may be undefined: a row has a value only where all nodes have
    one.
    """
    used = {last}
    for node in range(tape.inputs + len(tape.operations) - 1, tape.inputs - 1, -1):
        operation = tape.operations[node - tape.inputs]
        if node in used:
            used |= {operation.first, operation.second}
        elif operation.code in PARTIAL:
            return True
    return False


def _written(operation: Operation, first: Formula, second: Formula) -> Formula:
    code = operation.code
    if code == "const":
        return _number(operation.value)
    if code == "pi":
        return "pi", ATOM
    if first is None:
        return None
    if code in INFIX:
        symbol, level, left, right = INFIX[code]
        return None if second is None else (_within(first, left) + symbol + _within(second, right), level)
    if code == "neg":
        return f"-{_within(first, POWER)}", SIGNED
    if code == "sqr":
        return f"{_within(first, ATOM)}^2", POWER
    return f"{code}({first[0]})", ATOM


def _within(part: tuple[str, int], level: int) -> str:
    text, binds = part
    return text if binds >= level else f"({text})"


def _number(value: Fraction) -> Formula:
    """An exact number, a decimal if that is no longer than the fraction; None if it has too many digits to be read."""
    if max(abs(value.numerator), value.denominator) >= 10**MAX_DIGITS:
        return None
    text, level = str(value), ATOM if value.denominator == 1 else PRODUCT
    if level is PRODUCT:
        try:
            decimal = format_decimal(value)
        except InputError:
            decimal = ""
        text, level = (decimal, ATOM) if 0 < len(decimal) <= len(text) + 2 else (f"({text})", ATOM)
    return text, SIGNED if text.startswith("-") else level


def operations(problem: CanonicalProblem, family: int) -> str:
    """How many operations of which kind the model takes."""
    tape = problem.tapes[problem.families[family].tape]
    counted = Counter(WORDS[operation.code] for operation in tape.operations)
    kinds = ", ".join(
        f"{count} {kind.removesuffix('s') if count == 1 else kind}" for kind, count in counted.most_common()
    )
    count, inputs = len(tape.operations), tape.inputs
    return f"{count} operation{'s' * (count > 1)} on {inputs} number{'s' * (inputs > 1)} ({kinds})"
