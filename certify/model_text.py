"""A row's model told to people: its formula if that is short, the operations it takes otherwise, and the unit of its value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from certify.checker.problem import CanonicalProblem
from certify.decimals import show

LONGEST = 160  # characters of a formula that is told
SUM, PRODUCT, SIGN, ATOM = range(4)  # how tightly the outermost operation of a formula binds
SYMBOLS = {"add": " + ", "sub": " - ", "mul": " ", "div": " / "}
WORDS = {
    "add": "sums", "sub": "differences", "mul": "products", "div": "quotients", "neg": "signs", "sqr": "squares", "sqrt": "square roots",
    "sin": "sines", "cos": "cosines",
}  # fmt: skip

Formula = tuple[str, int] | None
Unit = dict[str, Fraction] | None  # None fits everything: a constant


def formula(problem: CanonicalProblem, family: int, node: int = -1) -> str | None:
    """The row's value, or that of a node, as a formula in the names of variables and columns; None if it is long."""
    declared = problem.families[family]
    nodes: list[Formula] = [((problem.columns if b.measured else problem.variables)[b.index].name, ATOM) for b in declared.bindings]
    for operation in problem.tapes[declared.tape].operations:
        first, second = (nodes[operand] if operand >= 0 else None for operand in (operation.first, operation.second))
        written = _written(operation.code, first, second, operation.value)
        nodes.append(written if written is not None and len(written[0]) <= LONGEST else None)
    result = nodes[node]
    return None if result is None else result[0]


def _written(code: str, first: Formula, second: Formula, value: Fraction) -> Formula:
    if code == "const":
        return (show(value) if value.denominator == 1 else f"({value})", ATOM if value >= 0 else SIGN)
    if code == "pi":
        return "pi", ATOM
    if first is None or (code in SYMBOLS and second is None):
        return None
    if code == "neg":
        return f"-{_within(first, SIGN)}", SIGN
    if code == "sqr":
        return f"{_within(first, ATOM)}^2", ATOM
    if second is None:
        return f"{code}({first[0]})", ATOM
    level = SUM if code in ("add", "sub") else PRODUCT
    right = level if code in ("add", "mul") else level + 1
    return _within(first, level) + SYMBOLS[code] + _within(second, right), level


def _within(part: tuple[str, int], level: int) -> str:
    text, binds = part
    return text if binds >= level else f"({text})"


def operations(problem: CanonicalProblem, family: int) -> str:
    """How many operations of which kind the model takes."""
    tape = problem.tapes[problem.families[family].tape]
    counted = Counter(WORDS.get(operation.code, "constants") for operation in tape.operations)
    kinds = ", ".join(f"{count} {kind.removesuffix('s') if count == 1 else kind}" for kind, count in counted.most_common())
    return f"{len(tape.operations)} operations on {tape.inputs} numbers ({kinds})"


def units(canonical: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """The units of variables and columns by name, from a text that was read before: the checker checks their form and forgets them."""
    lines = canonical.decode("ascii").split("\n")
    count = int(lines[1].split(" ")[1])
    variables = dict(line.split(" ")[:2] for line in lines[2 : 2 + count])
    columns = dict(line.split(" ")[1:3] for line in lines if line.startswith("column "))
    return variables, columns


def row_unit(problem: CanonicalProblem, family: int, units: tuple[dict[str, str], dict[str, str]]) -> str | None:
    """The unit of a row's value as it follows from those of its inputs, "1" for a bare number; None where units do not fit together."""
    declared = problem.families[family]
    nodes = [_base(units[1][problem.columns[b.index].name] if b.measured else units[0][problem.variables[b.index].name]) for b in declared.bindings]
    try:
        for operation in problem.tapes[declared.tape].operations:
            operands = [nodes[operand] for operand in (operation.first, operation.second) if operand >= 0]
            nodes.append(_derived(operation.code, operands))
    except ValueError:
        return None
    found = {name: power for name, power in (nodes[-1] or {}).items() if power}
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in found.items()) or "1"


def _base(unit: str) -> Unit:
    return {} if unit == "1" else {unit: Fraction(1)}


def _derived(code: str, operands: list[Unit]) -> Unit:
    if code in ("sin", "cos"):
        return {}
    known = [unit for unit in operands if unit is not None]
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
