"""Taylor's form of second order of a tape, as another tape: what d_i d_j is multiplied by, forwards, node by node.

With u' the derivative of a node in the direction d and u''/2 half its second one, as polynomials in d,

    r = phi(u, w):   r'   = phi_u u' + phi_w w'
                     r''/2 = phi_u u''/2 + phi_w w''/2 + phi_uu/2 u'^2 + phi_uw u' w' + phi_ww/2 w'^2.

Enclosing the derived tape over a box X encloses the coefficients of r''/2 at every point of it. The checker forms its
`t` terms by this rule (section 7 of its specification), and narrows the values of nodes further: so its coefficients
lie within these but for rounding, and what is concluded from these is confirmed there. (Reverse mode twice is shorter
by a quarter and no tighter on the whole, but it is tighter for some coefficients: half of the cuts failed.)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from certify.contractors.tape.tape import NULLARY, Builder, Operation, Tape, replay

Linear = dict[int, int]  # input: node that holds its coefficient
Square = dict[tuple[int, int], int]  # inputs i <= j
Key = TypeVar("Key", int, tuple[int, int])
HALF, EIGHTH = Fraction(1, 2), Fraction(1, 8)


class NoSecondOrder(ValueError):
    """An operation has no rule here; the text says which."""


@lru_cache(maxsize=64)
def second_order(tape: Tape, inputs: tuple[int, ...]) -> tuple[Tape | None, tuple[tuple[int, int], ...]]:
    """A tape of the coefficients of d_i d_j, i <= j, that are not 0 everywhere, and these pairs of inputs."""
    builder = Builder(tape.inputs)
    nodes, forms = replay(tape, builder, list(range(tape.inputs))), _Forms(builder)
    jets: list[tuple[Linear, Square]] = [
        ({i: builder.constant(1)}, {}) if i in inputs else ({}, {}) for i in range(tape.inputs)
    ]
    for value, (operation, first, second, _) in zip(nodes[tape.inputs :], tape.steps, strict=True):
        operands = [k for k in (first, second) if k >= 0]
        if operation in NULLARY or not any(jets[k][0] for k in operands):
            jets.append(({}, {}))
        else:
            rule = forms.rule(operation, nodes[first], nodes[second] if second >= 0 else -1, value)
            jets.append(forms.jet(rule, [jets[k] for k in operands]))
    square = jets[tape.outputs[0]][1]
    pairs = tuple(sorted(pair for pair, node in square.items() if builder.value_of(node) != 0))
    return (builder.tape(tuple(square[pair] for pair in pairs)) if pairs else None), pairs


Rule = tuple[tuple[int | None, ...], dict[str, int]]  # first derivatives (None is 1), curves by their two operands


class _Forms:
    """Polynomials in d whose coefficients are nodes of a tape under construction."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def rule(self, operation: Operation, u: int, w: int, value: int) -> Rule:
        """The derivatives of an operation, as the checker writes them; a second one is halved if its operands are the
        same.
        """
        b = self.builder
        one, half = b.constant(1), b.constant(HALF)
        rules: dict[Operation, Callable[[], Rule]] = {
            Operation.ADD: lambda: ((None, None), {}),
            Operation.SUB: lambda: ((None, b.constant(-1)), {}),
            Operation.NEG: lambda: ((b.constant(-1),), {}),
            Operation.MUL: lambda: ((w, u), {"uw": one}),
            Operation.DIV: lambda: (
                (b.div(one, w), b.neg(b.mul(b.div(one, w), value))),
                {"uw": b.neg(b.div(b.div(one, w), w)), "ww": b.div(b.div(value, w), w)},
            ),
            Operation.SQR: lambda: ((b.mul(b.constant(2), u),), {"uu": one}),
            Operation.SQRT: lambda: (
                (b.div(one, b.mul(b.constant(2), value)),),
                {"uu": b.neg(b.div(b.div(b.constant(EIGHTH), value), u))},
            ),
            Operation.SIN: lambda: ((b.cos(u),), {"uu": b.neg(b.mul(half, value))}),
            Operation.COS: lambda: ((b.neg(b.sin(u)),), {"uu": b.neg(b.mul(half, value))}),
            Operation.EXP: lambda: ((value,), {"uu": b.mul(half, value)}),
            Operation.LOG: lambda: ((b.div(one, u),), {"uu": b.neg(b.div(b.div(half, u), u))}),
            Operation.ATAN: lambda: (
                (b.div(one, b.add(one, b.sqr(u))),),
                {"uu": b.neg(b.div(u, b.sqr(b.add(one, b.sqr(u)))))},
            ),
        }
        if operation not in rules:
            raise NoSecondOrder(f"{operation.name.lower()} has no form of second order")
        return rules[operation]()

    def jet(self, rule: Rule, operands: list[tuple[Linear, Square]]) -> tuple[Linear, Square]:
        """The derivatives of the result."""
        linear: Linear = {}
        square: Square = {}
        for slope, (first, second) in zip(rule[0], operands, strict=True):
            for i, node in first.items():
                self._add(linear, i, self._times(node, slope))
            for pair, node in second.items():
                self._add(square, pair, self._times(node, slope))
        for between, curve in rule[1].items():
            u, w = (operands[0 if letter == "u" else -1][0] for letter in between)
            product = self._square(u) if between[0] == between[1] else self._product(u, w)
            for pair, node in product.items():
                self._add(square, pair, self._times(node, curve))
        return linear, square

    def _times(self, node: int, slope: int | None) -> int:
        return node if slope is None else self.builder.mul(node, slope)

    def _add(self, total: dict[Key, int], key: Key, node: int) -> None:
        total[key] = self.builder.add(total[key], node) if key in total else node

    def _product(self, u: Linear, w: Linear) -> Square:
        total: Square = {}
        for i, first in u.items():
            for j, second in w.items():
                self._add(total, (min(i, j), max(i, j)), self.builder.mul(first, second))
        return total

    def _square(self, u: Linear) -> Square:
        b, terms = self.builder, sorted(u.items())
        total: Square = {(i, i): b.sqr(node) for i, node in terms}
        for position, (i, first) in enumerate(terms):
            for j, second in terms[position + 1 :]:
                total[i, j] = b.mul(b.mul(b.constant(2), first), second)
        return total
