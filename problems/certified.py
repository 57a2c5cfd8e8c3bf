"""The language of certificates, and what is said in it of functions that it does not have.

A form here is the function itself: the same numbers, defined at the same points and at no others. So the inverse hyperbolic cosine asks for the
root of u^2 - 1 and for the logarithm of a sum that is negative if u is, and the tangent for a division by the cosine. The quarter turns of atan2,
the jump of sign and powers with exponents that are not whole have such forms where their operands are known to stay on one side of 0 (`ON_ONE_SIDE`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from contractors.tape import Builder, Operation, Tape, apply

Sign = Callable[[int], int]  # of a node: 1 if it is known to be > 0 wherever it is defined, -1 if < 0, else 0

CERTIFIED = ("pi", "add", "sub", "mul", "div", "neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan")


def _exp(b: Builder, u: int) -> int:
    return b.function(Operation.EXP, u)


def _half(b: Builder, u: int) -> int:
    return b.mul(b.constant(Fraction(1, 2)), u)


def _asin(b: Builder, u: int, _: int = -1) -> int:
    """2 arctan(u / (1 + sqrt(1 - u^2))): half the angle, by its tangent."""
    one = b.constant(1)
    tangent = b.div(u, b.add(one, b.sqrt(b.sub(one, b.sqr(u)))))
    return b.mul(b.constant(2), b.function(Operation.ATAN, tangent))


def _area(b: Builder, u: int, sign: int) -> int:
    """log(u + sqrt(u^2 + 1)), or of u^2 - 1."""
    return b.function(Operation.LOG, b.add(u, b.sqrt(b.add(b.sqr(u), b.constant(sign)))))


def _atanh(b: Builder, u: int, _: int) -> int:
    one = b.constant(1)
    return _half(b, b.function(Operation.LOG, b.div(b.add(one, u), b.sub(one, u))))


def _tanh(b: Builder, u: int, _: int) -> int:
    """1 - 2 / (exp 2u + 1): u occurs once."""
    one, two = b.constant(1), b.constant(2)
    return b.sub(one, b.div(two, b.add(_exp(b, b.mul(two, u)), one)))


def _abs(b: Builder, u: int, _: int = -1) -> int:
    return b.sqrt(b.sqr(u))


FORMS: dict[Operation, Callable[[Builder, int, int], int]] = {
    Operation.TAN: lambda b, u, _: b.div(b.sin(u), b.cos(u)),
    Operation.ASIN: _asin,
    Operation.ACOS: lambda b, u, _: b.sub(_half(b, b.pi()), _asin(b, u)),
    Operation.SINH: lambda b, u, _: _half(b, b.sub(_exp(b, u), _exp(b, b.neg(u)))),
    Operation.COSH: lambda b, u, _: _half(b, b.add(_exp(b, u), _exp(b, b.neg(u)))),
    Operation.TANH: _tanh,
    Operation.ASINH: lambda b, u, _: _area(b, u, 1),
    Operation.ACOSH: lambda b, u, _: _area(b, u, -1),
    Operation.ATANH: _atanh,
    Operation.ABS: _abs,
    Operation.MIN: lambda b, u, w: _half(b, b.sub(b.add(u, w), _abs(b, b.sub(u, w)))),
    Operation.MAX: lambda b, u, w: _half(b, b.add(b.add(u, w), _abs(b, b.sub(u, w)))),
    Operation.INTEGER_POWER: lambda b, u, n: b.power_by_products(u, int(b.value_of(n) or 0)),
}


def _angle(b: Builder, y: int, x: int, sign: Sign) -> int | None:
    """Of y/x to the right, and of x/y with a quarter turn above and below."""
    if sign(x) > 0:
        return b.function(Operation.ATAN, b.div(y, x))
    if not sign(y):
        return None
    quarter = b.mul(b.constant(Fraction(sign(y), 2)), b.pi())
    return b.sub(quarter, b.function(Operation.ATAN, b.div(x, y)))


def _power(b: Builder, u: int, w: int, sign: Sign) -> int | None:
    """u^w: roots of roots if w is a number k / 2^m, not 0, else exp(w log u), which has no value at u = 0, where u^w has none either if w <= 0.

    It has none for u < 0 in any case: w is a number here that is none in the formula, as cos(0), or is no whole one.
    """
    exponent = b.value_of(w)
    if exponent and exponent.denominator & (exponent.denominator - 1) == 0:
        halvings = exponent.denominator.bit_length() - 1
        for _ in range(max(halvings, 1)):
            u = b.sqrt(u)
        return b.power_by_products(u if halvings else b.sqr(u), exponent.numerator)
    if sign(u) > 0 or (exponent is not None and exponent <= 0):
        return _exp(b, b.mul(w, b.function(Operation.LOG, u)))
    return None


def _sign(b: Builder, u: int, _: int, sign: Sign) -> int | None:
    """1 or -1, where u is defined."""
    return b.add(b.constant(sign(u)), b.mul(b.constant(0), u)) if sign(u) else None


ON_ONE_SIDE: dict[Operation, Callable[[Builder, int, int, Sign], int | None]] = {
    Operation.ATAN2: _angle,
    Operation.POWER: _power,
    Operation.SIGN: _sign,
}


def stated(
    builder: Builder, operation: Operation, first: int, second: int, constant: Fraction | None = None, sign: Sign = lambda _: 0
) -> int | None:
    """The node of an operation in the language; None if it has no form there, or only where the signs of its operands were known."""
    if operation is Operation.CONSTANT or operation.name.lower() in CERTIFIED:
        return apply(builder, operation, first, second, constant)
    if operation in ON_ONE_SIDE:
        return ON_ONE_SIDE[operation](builder, first, second, sign)
    form = FORMS.get(operation)
    return None if form is None else form(builder, first, second)


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
