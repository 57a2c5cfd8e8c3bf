"""Rows where they are defined: intervals with infinite ends, for the leaf `evaluate` alone (specification, section 4).

A pair (low, high) stands for the values of a node at those points of a box at which it and all nodes before it are
defined. An end is an exact number, or None: no bound on this side. So no ball of Arb is ever infinite here, and any two
ends that are numbers can be compared. What Arb does not know (not a number, an infinite radius) becomes None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb

from .interval import (
    LARGEST,
    MINUS_LARGEST,
    MINUS_ONE,
    ONE,
    SMALLEST,
    TOO_LARGE,
    TWO,
    UP_TO_ONE,
    ZERO,
    Interval,
    cosine,
    sine,
    thin,
)
from .rows import STEPS_BETWEEN_LOOKS, Plan

End = arb | None
Partial = tuple[End, End]
Part = tuple[arb, End]  # no number of it is negative

SIGNS = (1, -1)


class Nowhere(Exception):
    """Nothing is left of an operand: the row is defined at no point of the box."""


def _lower_end(value: End) -> End:
    """An exact number that is not above any number of the ball."""
    if value is None:
        return None
    low = value.lower()
    if not low > MINUS_LARGEST or not low.is_finite():
        return None
    if low >= LARGEST:
        return LARGEST
    if -SMALLEST < low < SMALLEST and not low.is_zero():
        return ZERO if low >= ZERO else -SMALLEST
    return low


def _upper_end(value: End) -> End:
    """An exact number that is not below any number of the ball."""
    if value is None:
        return None
    end = _lower_end(-value)
    return None if end is None else -end


def outwards(low: End, high: End) -> Partial:
    """The interval between two balls, with exact ends; those beyond 2^8192 are infinite or closer to 0."""
    return _lower_end(low), _upper_end(high)


def negative(a: Partial) -> Partial:
    """-a."""
    return (None if a[1] is None else -a[1]), (None if a[0] is None else -a[0])


def add(a: Partial, b: Partial) -> Partial:
    """a + b."""
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    high = None if a[1] is None or b[1] is None else a[1] + b[1]
    return outwards(low, high)


def subtract(a: Partial, b: Partial) -> Partial:
    """a - b."""
    return add(a, negative(b))


def _not_negative(a: Partial) -> Part | None:
    """The numbers of a that are not negative, if there are any."""
    low, high = a
    if high is not None and not high >= ZERO:
        return None
    return (ZERO if low is None or not low > ZERO else low), high


def _parts(a: Partial) -> list[tuple[int, Part]]:
    """What a consists of: numbers that are not negative times 1, and times -1."""
    found = ((sign, _not_negative(a if sign > 0 else negative(a))) for sign in SIGNS)
    return [(sign, part) for sign, part in found if part is not None]


def _hull(parts: Sequence[tuple[int, Partial]]) -> Partial:
    """The smallest interval that contains all parts, each times its sign."""
    (low, high), *others = [part if sign > 0 else negative(part) for sign, part in parts]
    for first, last in others:
        low = None if low is None or first is None else first if first < low else low
        high = None if high is None or last is None else last if last > high else high
    return low, high


def _is_zero(end: End) -> bool:
    return end is not None and bool(end.is_zero())


def _product(p: Part, q: Part) -> Partial:
    """p q: 0 times an infinite end is 0, for the numbers below it are finite."""
    high = ZERO if _is_zero(p[1]) or _is_zero(q[1]) else None if p[1] is None or q[1] is None else p[1] * q[1]
    return outwards(p[0] * q[0], high)


def _quotient(p: Part, q: Part) -> Partial:
    """p / q at the numbers of q that are not 0, of which there are some."""
    low = ZERO if q[1] is None else p[0] / q[1]
    high = ZERO if _is_zero(p[1]) else None if p[1] is None or _is_zero(q[0]) else p[1] / q[0]
    return outwards(low, high)


def multiply(a: Partial, b: Partial) -> Partial:
    """a b."""
    return _hull([(s * t, _product(p, q)) for s, p in _parts(a) for t, q in _parts(b)])


def divide(a: Partial, b: Partial) -> Partial:
    """a / b where b is not 0."""
    divisors = [(sign, part) for sign, part in _parts(b) if not _is_zero(part[1])]
    if not divisors:
        raise Nowhere
    return _hull([(s * t, _quotient(p, q)) for s, p in _parts(a) for t, q in divisors])


def square(a: Partial) -> Partial:
    """The squares of the numbers of a."""
    return _hull([(1, _product(part, part)) for _, part in _parts(a)])


def root(a: Partial) -> Partial:
    """The square roots of the numbers of a that are not negative."""
    part = _not_negative(a)
    if part is None:
        raise Nowhere
    low, high = part
    return outwards(low.sqrt(), None if high is None else high.sqrt())


def logarithm(a: Partial) -> Partial:
    """The natural logarithms of the positive numbers of a."""
    part = _not_negative(a)
    if part is None or _is_zero(part[1]):
        raise Nowhere
    low, high = part
    return outwards(None if low.is_zero() else low.log(), None if high is None else high.log())


def exponential(a: Partial) -> Partial:
    """The powers of e: 0 or 2^-8192 for one that is too small to be computed, 2^8192 or no bound for one that is too
    large.
    """
    low, high = a
    least = ZERO if low is None or not low > -TOO_LARGE else LARGEST if low >= TOO_LARGE else low.exp()
    most = None if high is None or not high < TOO_LARGE else SMALLEST if high <= -TOO_LARGE else high.exp()
    return outwards(least, most)


def arctangent(a: Partial) -> Partial:
    """The angles from -pi/2 to pi/2 with these tangents, in radians."""
    right = arb.pi() / TWO
    return outwards(-right if a[0] is None else a[0].atan(), right if a[1] is None else a[1].atan())


def error_function(a: Partial) -> Partial:
    """The error function: -1 or 1 where there is no bound."""
    return outwards(MINUS_ONE if a[0] is None else a[0].erf(), ONE if a[1] is None else a[1].erf())


def _periodic(kernel: Callable[[Interval], Interval]) -> Callable[[Partial], Partial]:
    """A sine or cosine: without bounds it takes all its values."""

    def bounded(a: Partial) -> Partial:
        low, high = a
        return UP_TO_ONE if low is None or high is None else outwards(*kernel((low, high)))

    return bounded


KERNELS: dict[str, Callable[..., Partial]] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "div": divide,
    "neg": negative,
    "sqr": square,
    "sqrt": root,
    "sin": _periodic(sine),
    "cos": _periodic(cosine),
    "exp": exponential,
    "log": logarithm,
    "atan": arctangent,
    "erf": error_function,
}


def where_defined(plan: Plan, variables: Sequence[Interval], measured: Sequence[Interval]) -> Partial | None:
    """A row at all points of a box at which each of its nodes is defined; nothing if there is no such point."""
    nodes: list[Partial] = [(None, None)] * plan.inputs
    for k, (low, high) in zip((*plan.variables, *plan.measured), (*variables, *measured), strict=True):
        nodes[k] = outwards(low, high)
    try:
        for place, step in enumerate(plan.steps):
            if place % STEPS_BETWEEN_LOOKS == 0:
                plan.deadline.check()
            if step.operation in KERNELS:
                nodes.append(KERNELS[step.operation](*(nodes[k] for k in (step.first, step.second) if k >= 0)))
            else:
                nodes.append(outwards(*(thin(step.constant) if step.constant is not None else (arb.pi(), arb.pi()))))
    except Nowhere:
        return None
    return nodes[-1]
