"""What a model is as a function of what was measured: how often it may turn, and of how many exponentials it is a sum.

For parameters that are held, whatever they are, a model f(x) is read from its tape as

    N(x) / D(x),   N and D sums of P(x) exp(q(x)) with polynomials P and q, or of cosines and sines of polynomials q,

or as a monotone function of such a number. Then

    zeros of a sum      by Rolle's theorem: the sum times exp(-q_k) has d_k + 1 zeros more than its derivative of order
                        d_k + 1 at most, in which P_k is gone (d_k its degree) and each other P_i has a degree of
                        d_i + (d_k + 1) (e - 1) at most, e that of q_i - q_k; one alone has d zeros
    breaks of N / D     at most the zeros of N'D - ND' and those of D: between two of them it rises or falls
    order of a sum      where all q have degree 1 at most: the sum of d + 1, cosines and sines counted twice. On evenly
                        spaced x the sum fulfils a linear recurrence of this order

A sum that is identically 0 has none of these zeros, but neither does its function turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from certify.contractors.tape.tape import NULLARY, Operation, Step, Tape

MOST_TERMS, MOST_DEGREE = 24, 60  # of a sum; beyond these nothing is read
MOST_POWER = 6
RISING = frozenset(
    {
        Operation.EXP, Operation.LOG, Operation.SQRT, Operation.ATAN, Operation.ASINH, Operation.SINH, Operation.TANH,
        Operation.ERF, Operation.ASIN, Operation.ACOS, Operation.ACOSH, Operation.ATANH,
    }
)  # fmt: skip
EVEN = frozenset({Operation.ABS, Operation.COSH, Operation.SQR})
Factor = tuple[int, bool]  # the node of q, and whether it is times i
Key = tuple[tuple[Factor, int], ...]  # exponents with their multiples, in order


@dataclass(frozen=True)
class Sum:
    """Degrees of P by exponents q; `degrees` are those of the nodes that these are made of."""

    terms: Mapping[Key, int]
    degrees: Mapping[int, int]

    @property
    def is_real(self) -> bool:
        """Whether there are no cosines and sines."""
        return not any(imaginary for key in self.terms for (_, imaginary), _ in key)

    @property
    def polynomial(self) -> int | None:
        """Its degree, if it is one."""
        return self.terms.get((), 0) if set(self.terms) <= {()} else None

    def degree(self, key: Key) -> int:
        """That of an exponent."""
        return max((self.degrees[node] for (node, _), _ in key), default=0)

    def plus(self, other: Sum) -> Sum | None:
        """The sum of both."""
        found = dict(self.terms)
        for key, degree in other.terms.items():
            found[key] = max(found.get(key, 0), degree)
        return _kept(found, {**self.degrees, **other.degrees})

    def times(self, other: Sum) -> Sum | None:
        """The product of both."""
        found: dict[Key, int] = {}
        for first, degree in self.terms.items():
            for second, more in other.terms.items():
                key = _joined(first, second)
                found[key] = max(found.get(key, 0), degree + more)
        return _kept(found, {**self.degrees, **other.degrees})

    def slope(self) -> Sum:
        """Its derivative."""
        found = {}
        for key, degree in self.terms.items():
            steeper = degree + self.degree(key) - 1
            if steeper >= 0:
                found[key] = steeper
        return Sum(found, self.degrees)

    def zeros(self) -> int:
        """At most so many, if it is not 0 everywhere; of real ones."""
        left, count = sorted(self.terms.items(), key=lambda term: term[1]), 0
        while len(left) > 1:
            (key, degree), *others = left
            times = degree + 1
            count += times
            apart = [(other, self.degree(_joined(other, _negative(key)))) for other, _ in others]
            raised = [max(d + times * (e - 1), 0) for (_, d), (_, e) in zip(others, apart, strict=True)]
            left = sorted(zip((other for other, _ in others), raised, strict=True), key=lambda term: term[1])
        return count + (left[0][1] if left else 0)

    def order(self) -> int | None:
        """Of its recurrence."""
        if any(self.degree(key) > 1 for key in self.terms):
            return None
        return sum(degree + 1 for degree in self.terms.values())


@dataclass(frozen=True)
class Shape:
    """Of one number: whether x is in it, its form `above` / `below` if it has one, its `breaks` at most if it is
    monotone between some, and whether it vanishes nowhere or everywhere.
    """

    still: bool
    above: Sum | None = None
    below: Sum | None = None
    wrapped: int | None = None
    whole: bool = False

    @cached_property
    def breaks(self) -> int | None:
        """At most so many points where it turns or is not defined."""
        if self.still:
            return 0
        known = [] if self.wrapped is None else [self.wrapped]
        if self.above is not None and self.above.is_real and (self.below is None or self.below.is_real):
            known += [one for one in [_breaks(self.above, self.below)] if one is not None]
        return min(known, default=None)

    @property
    def order(self) -> int | None:
        """Of a recurrence on evenly spaced x, if there is one."""
        return None if self.above is None or self.below is not None else self.above.order()


STILL = Shape(True, Sum({(): 0}, {}), whole=True)
UNKNOWN = Shape(False)


def shape(tape: Tape, moving: int) -> Shape:
    """Of the tape's output as a function of the input `moving`; all other inputs are held."""
    shapes = [STILL] * tape.inputs
    shapes[moving] = Shape(False, Sum({(): 1}, {}))
    for node, step in enumerate(tape.steps, tape.inputs):
        shapes.append(_shape(tape, node, step, shapes))
    return shapes[tape.outputs[0]]


def _shape(tape: Tape, node: int, step: Step, shapes: list[Shape]) -> Shape:
    operation = step.operation
    if operation in NULLARY:
        return STILL
    u = shapes[step.first]
    v = shapes[step.second] if step.second >= 0 else STILL
    if u.still and v.still:
        return STILL
    if operation is Operation.NEG:
        return u
    if operation in (Operation.ADD, Operation.SUB):
        return _sum(u, v)
    if operation is Operation.MUL:
        return _product(u, v)
    if operation is Operation.DIV:
        return _quotient(u, v)
    if operation is Operation.SQR:
        return _product(u, u, _even(u))
    if operation is Operation.INTEGER_POWER:
        return _power(tape, step.second, u)
    return _function(operation, node, step, u, v)


def _function(operation: Operation, node: int, step: Step, u: Shape, v: Shape) -> Shape:
    if operation in (Operation.MIN, Operation.MAX) and (u.still or v.still):
        return Shape(False, wrapped=(v if u.still else u).breaks)
    if operation is Operation.POWER and v.still:
        return Shape(False, wrapped=u.breaks)
    if operation in EVEN:
        return Shape(False, wrapped=_even(u), whole=operation is Operation.COSH)
    degree = u.above.polynomial if u.above is not None and u.below is None else None
    if operation in (Operation.SIN, Operation.COS) and degree is not None:
        keys: list[Key] = [(((step.first, True), sign),) for sign in (-1, 1)]
        return Shape(False, _kept(dict.fromkeys(keys, 0), {step.first: degree}))
    if operation not in RISING:
        return UNKNOWN
    found = Shape(False, wrapped=u.breaks, whole=operation is Operation.EXP)
    if operation is Operation.EXP and degree is not None:
        return replace(found, above=Sum({(((step.first, False), 1),): 0}, {step.first: degree}))
    return found


def _sum(u: Shape, v: Shape) -> Shape:
    wrapped = u.breaks if v.still else v.breaks if u.still else None
    if u.above is None or v.above is None:
        return Shape(False, wrapped=wrapped)
    if u.below is None and v.below is None:
        return Shape(False, u.above.plus(v.above), wrapped=wrapped)
    parts = [_times(u.above, v.below), _times(v.above, u.below), _times(u.below, v.below)]
    left, right, below = parts
    if left is None or right is None or below is None:
        return Shape(False, wrapped=wrapped)
    above = left.plus(right)
    return Shape(False, above, None if above is None else below, wrapped)


def _product(u: Shape, v: Shape, wrapped: int | None = None) -> Shape:
    if u.still or v.still:
        wrapped = v.breaks if u.still else u.breaks
    above, below = _ratio(u.above, v.above, u.below, v.below)
    return Shape(False, above, below, wrapped, u.whole and v.whole)


def _quotient(u: Shape, v: Shape) -> Shape:
    wrapped = u.breaks if v.still else None
    if u.still and v.breaks is not None:
        wrapped = v.breaks if v.whole else _even(v)
    if v.still:
        return Shape(False, u.above, u.below, wrapped, u.whole)
    inverse = _inverse(v)
    above, below = (None, None) if inverse is None else _ratio(u.above, inverse[0], u.below, inverse[1])
    return Shape(False, above, below, wrapped, u.whole and v.whole)


def _power(tape: Tape, exponent: int, u: Shape) -> Shape:
    number = tape.steps[exponent - tape.inputs].constant
    if not number:
        return UNKNOWN if number is None else STILL
    found = u
    for _ in range(min(abs(int(number)), MOST_POWER + 1) - 1):
        found = _product(found, u)
    if abs(number) > MOST_POWER:
        found = Shape(False, wrapped=_even(u))
    return _quotient(STILL, found) if number < 0 else found


def _even(u: Shape) -> int | None:
    """Breaks where each monotone piece may be cut once more, where it is 0."""
    return None if u.breaks is None else u.breaks if u.whole else 2 * u.breaks + 1


def _breaks(above: Sum, below: Sum | None) -> int | None:
    if below is None:
        return above.slope().zeros()
    left, right = above.slope().times(below), below.slope().times(above)
    both = None if left is None or right is None else left.plus(right)
    return None if both is None else both.zeros() + below.zeros()


def _ratio(u: Sum | None, v: Sum | None, a: Sum | None, b: Sum | None) -> tuple[Sum | None, Sum | None]:
    """u v / (a b), where None below is 1."""
    if u is None or v is None:
        return None, None
    above, below = u.times(v), _times(a, b)
    return (None, None) if above is None or (below is None and not (a is None and b is None)) else (above, below)


def _inverse(v: Shape) -> tuple[Sum, Sum | None] | None:
    """1 / v; an exponential alone stays above."""
    if v.above is None:
        return None
    one = Sum({(): 0}, {}) if v.below is None else v.below
    if len(v.above.terms) == 1:
        ((key, degree),) = v.above.terms.items()
        if degree == 0:
            found = one.times(Sum({_negative(key): 0}, v.above.degrees))
            return None if found is None else (found, None)
    return one, v.above


def _times(first: Sum | None, second: Sum | None) -> Sum | None:
    if first is None or second is None:
        return second if first is None else first
    return first.times(second)


def _joined(first: Key, second: Key) -> Key:
    found = dict(first)
    for factor, multiple in second:
        found[factor] = found.get(factor, 0) + multiple
    return tuple(sorted((factor, multiple) for factor, multiple in found.items() if multiple))


def _negative(key: Key) -> Key:
    return tuple((factor, -multiple) for factor, multiple in key)


def _kept(terms: dict[Key, int], degrees: Mapping[int, int]) -> Sum | None:
    """A sum, if it is not too long."""
    if len(terms) > MOST_TERMS or max(terms.values(), default=0) > MOST_DEGREE:
        return None
    return Sum(terms, degrees)
