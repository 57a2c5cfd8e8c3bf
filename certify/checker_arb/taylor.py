"""First and second derivatives of a row, node by node by the chain rule (specification, section 7: the form t)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .interval import (
    MINUS_UNIT,
    TWO,
    UNIT,
    Interval,
    add,
    arctangent_slope,
    cosine,
    divide,
    error_function_slope,
    meet,
    multiply,
    negative,
    scaled,
    sine,
    square,
    within_limits,
)
from .outcome import Exhausted
from .polynomial import MOST_COEFFICIENTS, Monomial, Polynomial, Shifts
from .rows import Plan

Derivatives = Polynomial  # by one variable of the scope, or by two in order; those that are 0 are left out
Jet = tuple[Derivatives, Derivatives]  # of first order, and of second

NONE: Jet = ({}, {})


def _plus(total: Derivatives, place: Monomial, value: Interval) -> None:
    known = total.get(place)
    total[place] = value if known is None else add(known, value)


def _sum(*parts: tuple[Interval, Derivatives]) -> Derivatives:
    """The sum of some derivatives, each times a factor."""
    total: Derivatives = {}
    for factor, part in parts:
        for place, value in part.items():
            _plus(
                total,
                place,
                value if factor is UNIT else negative(value) if factor is MINUS_UNIT else multiply(factor, value),
            )
    return total


def squares(a: Derivatives) -> Derivatives:
    """a_i a_j for all i <= j, of first derivatives a."""
    places = sorted(a)
    return {
        i + j: square(a[i]) if i == j else multiply(a[i], a[j])  # (one variable) + (another)
        for k, i in enumerate(places)
        for j in places[k:]
    }


def _products(a: Derivatives, b: Derivatives) -> Derivatives:
    """a_i b_j + a_j b_i for all i <= j."""
    total: Derivatives = {}
    for i, p in a.items():
        for j, q in b.items():
            product = multiply(p, q)
            _plus(total, i + j if i <= j else j + i, scaled(TWO, product) if i == j else product)
    return total


def _slope(operation: str, operand: Interval, value: Interval) -> Interval:
    """The derivative of a function."""
    if operation == "sqr":
        return scaled(TWO, operand)
    if operation == "sqrt":
        return divide(UNIT, scaled(TWO, value))
    if operation == "sin":
        return cosine(operand)
    if operation == "cos":
        return negative(sine(operand))
    if operation == "exp":
        return value
    if operation == "log":
        return divide(UNIT, operand)
    if operation == "erf":
        return error_function_slope(operand)
    return arctangent_slope(operand) if operation == "atan" else MINUS_UNIT


def _bend(operation: str, operand: Interval, value: Interval) -> Interval:
    """The second derivative of a function that has one."""
    if operation == "sqr":
        return TWO, TWO
    if operation == "sqrt":
        return negative(divide(divide(UNIT, scaled(TWO, value)), scaled(TWO, operand)))
    if operation == "exp":
        return value
    if operation == "log":
        return negative(square(divide(UNIT, operand)))
    if operation == "atan":
        return negative(multiply(scaled(TWO, operand), square(arctangent_slope(operand))))
    if operation == "erf":
        return negative(multiply(scaled(TWO, operand), error_function_slope(operand)))
    return negative(value)


def _first(operation: str, a: Derivatives, b: Derivatives, x: Interval, y: Interval, value: Interval) -> Derivatives:
    """First derivatives of a step from those of its operands x and y."""
    if operation == "add":
        return _sum((UNIT, a), (UNIT, b))
    if operation == "sub":
        return _sum((UNIT, a), (MINUS_UNIT, b))
    if operation == "mul":
        return _sum((y, a), (x, b))
    if operation == "div":
        return {place: divide(above, y) for place, above in _sum((UNIT, a), (negative(value), b)).items()}
    return _sum((_slope(operation, x, value), a))


def _second(
    operation: str, a: Jet, b: Jet, first: Derivatives, x: Interval, y: Interval, value: Interval
) -> Derivatives:
    """Second derivatives of a step."""
    if operation in ("add", "sub", "neg"):
        return _first(operation, a[1], b[1], x, y, value)
    if operation == "mul":
        return _sum((y, a[1]), (UNIT, _products(a[0], b[0])), (x, b[1]))
    if operation == "div":
        return _of_quotient(a, b, first, y, value)
    return _sum((_slope(operation, x, value), a[1]), (_bend(operation, x, value), squares(a[0])))


def _of_quotient(a: Jet, b: Jet, first: Derivatives, y: Interval, value: Interval) -> Derivatives:
    """Second derivatives of q = a / b: from a = q b, differentiated twice, and by those of a b^-1, where squares of b's
    slopes stay squares. Both enclose them.
    """
    ends = (UNIT, a[1]), (negative(value), b[1])
    twice = _sum(*ends, (MINUS_UNIT, _products(first, b[0])))
    apart = _sum(
        *ends,
        (negative(divide(UNIT, y)), _products(a[0], b[0])),
        (divide(scaled(TWO, value), y), squares(b[0])),
    )
    return {place: divide(meet(part, apart[place]), y) for place, part in twice.items()}


def narrowed(
    plan: Plan, nodes: Sequence[Any], centres: Sequence[Any], seeds: Sequence[Derivatives], shifts: Shifts
) -> list[Any]:
    """All nodes over a box, each one met with its value at the centre plus its slopes times the box around the centre.

    Of `nodes` the inputs and those without a variable are taken; `seeds` are the derivatives of the variable inputs.
    """
    found = list(nodes)
    slopes: list[Derivatives] = [{}] * plan.size
    for node, seed in zip(plan.variables, seeds, strict=True):
        slopes[node] = seed
    for (node, kernel, i, j), (_, operation, _, _) in zip(plan.moving, plan.varying_steps, strict=True):
        plan.deadline.check()
        value = kernel(found[i], found[j]) if j >= 0 else kernel(found[i])
        slopes[node] = _first(operation, slopes[i], slopes[j], found[i], found[j], value)
        mean = centres[node]
        for (variable,), slope in slopes[node].items():
            mean = add(mean, multiply(slope, shifts[variable]))
        found[node] = meet(value, mean)
    return found


def units(places: Sequence[int]) -> list[Derivatives]:
    """The derivatives of inputs that are variables of the scope."""
    return [{(place,): UNIT} for place in places]


def derivatives(plan: Plan, seeds: Sequence[Derivatives], nodes: Sequence[Any]) -> Jet:
    """The derivatives of a row from those of its variable inputs, where all nodes have been enclosed."""
    jets: list[Jet] = [NONE] * plan.size
    for node, seed in zip(plan.variables, seeds, strict=True):
        jets[node] = seed, {}
    made = 0
    for node, operation, i, j in plan.varying_steps:
        plan.deadline.check()
        a, b = jets[i], jets[j] if j >= 0 else NONE
        first = _first(operation, a[0], b[0], nodes[i], nodes[j], nodes[node])
        jets[node] = first, _second(operation, a, b, first, nodes[i], nodes[j], nodes[node])
        made += len(first) + len(jets[node][1])
        if made > MOST_COEFFICIENTS:
            raise Exhausted(f"a row has more than {MOST_COEFFICIENTS} derivatives on its way")
    first, second = ({place: within_limits(value) for place, value in part.items()} for part in jets[-1])
    return first, second
