"""The weighted sum of a leaf, as terms each of which is <= 0 at every point of the leaf that the claim leaves.

For a row within its bound b, from the side s, with its measurements, the term is what specification, section 7, forms:

    s r - b                     any row
    D - (b - u)^2               s r = sqrt(D) + u, as sqrt(D) <= b - u
    (u - b)^2 - D               s r = -sqrt(D) + u, as sqrt(D) >= u - b, where u - b >= 0 is shown
    -(R_I - s_I d_I)(R_J - s_J d_J)     a product, on the prepared box with the radii R

Measurements keep their whole intervals: the other library finds by itself at which of them a term is least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from certify.checker.nodes import Product, RowTerm
from certify.checker.problem import Operation, Tape

Bounds = tuple[Fraction, Fraction]
NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Term:
    """A tape that is <= 0 where its guard, if it has one, is >= 0; inputs are variables or intervals."""

    weight: Fraction
    tape: Tape
    inputs: tuple[int | Bounds, ...]
    guard: Tape | None = None


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of terms over a box of the variables."""

    terms: tuple[Term, ...]
    box: tuple[tuple[int, Bounds], ...]


def row_term(term: RowTerm, tape: Tape, inputs: tuple[int | Bounds, ...], bound: Fraction) -> Term:
    """Of a row that is within this bound."""
    code = _Code(tape)
    last, size = tape.operations[-1], tape.inputs + len(tape.operations)
    root = _root(tape, last) if term.form == "q" else None
    if root is None:
        code.sub(size - 1 if term.side > 0 else code.neg(size - 1), code.number(bound))
        return Term(term.weight, code.tape(), inputs)
    radicand, sign, rest, rest_sign = root
    u = code.number(NOTHING) if rest < 0 else code.neg(rest) if rest_sign * term.side < 0 else rest
    level = code.number(bound)
    if sign * term.side > 0:
        code.sub(radicand, code.sqr(code.sub(level, u)))
        return Term(term.weight, code.tape(), inputs)
    least = code.sub(u, level)
    guard = code.tape()
    code.sub(code.sqr(least), radicand)
    return Term(term.weight, code.tape(), inputs, guard)


def product_term(term: Product, box: Mapping[int, Bounds]) -> Term:
    """Of two unknowns of the prepared box."""
    code, factors = _Code(Tape("product", 2, ())), []
    for place, (variable, sign) in enumerate(((term.first, term.first_sign), (term.second, term.second_sign))):
        low, high = box[variable]
        factors.append(code.sub(code.number(high), place) if sign > 0 else code.sub(place, code.number(low)))
    code.neg(code.mul(*factors))
    return Term(term.weight, code.tape(), (term.first, term.second))


def _root(tape: Tape, last: Operation) -> tuple[int, int, int, int] | None:
    """Of r = sign sqrt(D) + rest_sign rest: the nodes D and rest (-1: none) and the signs."""

    def radicand(node: int) -> int | None:
        operation = tape.operations[node - tape.inputs] if node >= tape.inputs else None
        return operation.first if operation is not None and operation.code == "sqrt" else None

    if last.code == "sqrt":
        return last.first, 1, -1, 1
    if last.code not in ("add", "sub"):
        return None
    sign = 1 if last.code == "add" else -1
    if (found := radicand(last.first)) is not None:
        return found, 1, last.second, sign
    if (found := radicand(last.second)) is not None:
        return found, sign, last.first, 1
    return None


class _Code:
    """A tape that is written further."""

    def __init__(self, tape: Tape) -> None:
        self._tape, self._operations = tape, list(tape.operations)

    def tape(self) -> Tape:
        """As it is now."""
        return self._tape._replace(operations=tuple(self._operations))

    def number(self, value: Fraction) -> int:
        """A constant."""
        return self._node(Operation("const", value))

    def sub(self, first: int, second: int) -> int:
        """first - second."""
        return self._node(Operation("sub", NOTHING, first, second))

    def mul(self, first: int, second: int) -> int:
        """first * second."""
        return self._node(Operation("mul", NOTHING, first, second))

    def neg(self, first: int) -> int:
        """-first."""
        return self._node(Operation("neg", NOTHING, first))

    def sqr(self, first: int) -> int:
        """first^2."""
        return self._node(Operation("sqr", NOTHING, first))

    def _node(self, operation: Operation) -> int:
        self._operations.append(operation)
        return self._tape.inputs + len(self._operations) - 1
