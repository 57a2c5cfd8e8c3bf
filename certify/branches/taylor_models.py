"""Functions of a few numbers s in [-1, 1] as polynomials with a remainder, in the checker's arithmetic:

    f(s) = sum a_alpha s^alpha + rho(s)        |alpha| <= order,  a_alpha in [low, high],  |rho(s)| <= rest for all s

Where nothing but rounding makes coefficients wide they are single numbers, and what was rounded goes to the remainder.
A product keeps its terms up to the order and bounds the others by the sizes of their factors; sine and cosine are their
own Taylor polynomials about a number in the middle, with |w|^(n + 1) / (n + 1)! left; roots and quotients are those of
`powers`. What has no expansion here is enclosed as something that may be anything within its range. Numbers that do not
depend on s are plain intervals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial
from operator import add

from certify.branches.enclosing import ARITHMETIC, CALCULUS, PRECISION, size
from certify.branches.powers import RECIPROCAL, ROOT, expansion
from certify.checker.interval import Interval
from certify.contractors.tape.tape import Operation, Step, Tape
from certify.problems.errors import InputError

NARROW = 1 << 24  # a wider number is an interval: of the grid's steps
Exponents = tuple[int, ...]
Integers = list[int]


@dataclass(frozen=True, slots=True)
class Model:
    """Coefficients in the order of `Space.monomials` (no `high`: they are `low`), and the remainder's bound."""

    low: Integers
    high: Integers | None
    rest: int

    @property
    def above(self) -> Integers:
        """The upper ends."""
        return self.low if self.high is None else self.high


Number = Interval | Model


@dataclass(frozen=True)
class Space:
    """The polynomials of so many variables up to an order."""

    variables: int
    order: int

    @cached_property
    def monomials(self) -> tuple[Exponents, ...]:
        """Their exponents, low degrees first."""
        found = [
            tuple(chosen.count(k) for k in range(self.variables))
            for degree in range(self.order + 1)
            for chosen in combinations_with_replacement(range(self.variables), degree)
        ]
        return tuple(sorted(found, key=lambda e: (sum(e), e)))

    @cached_property
    def _degrees(self) -> tuple[int, ...]:
        return tuple(map(sum, self.monomials))

    @cached_property
    def _products(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each monomial the others, with the places of the products that are kept."""
        places = {e: k for k, e in enumerate(self.monomials)}
        ends = [bisect_right(self._degrees, degree) for degree in range(self.order + 1)]
        return tuple(
            tuple(
                (j, places[tuple(map(add, first, second))])
                for j, second in enumerate(self.monomials[: ends[self.order - degree]])
            )
            for first, degree in zip(self.monomials, self._degrees, strict=True)
        )

    def constant(self, value: int) -> Model:
        """A number of the grid."""
        return Model([value, *[0] * (len(self.monomials) - 1)], None, 0)

    def variable(self, k: int, middle: Interval, half: Interval) -> Model:
        """middle + half s_k"""
        found = [0] * len(self.monomials)
        (found[0], first), (slope, second) = _centred(middle), _centred(half)
        found[self.monomials.index(tuple(int(j == k) for j in range(self.variables)))] = slope
        return Model(found, None, first + second)

    def sizes(self, a: Model) -> Integers:
        """For each degree the sum of the sizes of its coefficients."""
        found = [0] * (self.order + 1)
        if a.high is None:
            for degree, value in zip(self._degrees, a.low, strict=True):
                found[degree] += abs(value)
            return found
        for degree, low, high in zip(self._degrees, a.low, a.high, strict=True):
            found[degree] += max(-low, high)
        return found

    def range(self, a: Number) -> Interval:
        """All values."""
        if isinstance(a, tuple):
            return a
        by = sum(self.sizes(a)[1:]) + a.rest
        return a.low[0] - by, a.above[0] + by

    def add(self, a: Number, b: Number) -> Number:
        """a + b"""
        if isinstance(a, tuple):
            if isinstance(b, tuple):
                return a[0] + b[0], a[1] + b[1]
            a, b = b, a
        if isinstance(b, tuple):
            if a.high is None and b[1] - b[0] <= NARROW:
                middle, by = _centred(b)
                return Model([a.low[0] + middle, *a.low[1:]], None, a.rest + by)
            return Model([a.low[0] + b[0], *a.low[1:]], [a.above[0] + b[1], *a.above[1:]], a.rest)
        low = [p + q for p, q in zip(a.low, b.low, strict=True)]
        if a.high is None and b.high is None:
            return Model(low, None, a.rest + b.rest)
        return Model(low, [p + q for p, q in zip(a.above, b.above, strict=True)], a.rest + b.rest)

    def neg(self, a: Number) -> Number:
        """-a"""
        if isinstance(a, tuple):
            return -a[1], -a[0]
        return Model([-v for v in a.above], None if a.high is None else [-v for v in a.low], a.rest)

    def sub(self, a: Number, b: Number) -> Number:
        """a - b"""
        return self.add(a, self.neg(b))

    def mul(self, a: Number, b: Number) -> Number:
        """a b"""
        if isinstance(a, tuple):
            if isinstance(b, tuple):
                return ARITHMETIC.mul(a, b)
            a, b = b, a
        if isinstance(b, tuple):
            return self._scaled(a, b)
        u, v = self.sizes(a), self.sizes(b)
        beyond = sum(u[i] * sum(v[self.order + 1 - i :]) for i in range(1, self.order + 1))
        beyond += a.rest * (sum(v) + b.rest) + b.rest * sum(u)
        if a.high is None and b.high is None:
            found, others = [0] * len(self.monomials), b.low
            for value, pairs in zip(a.low, self._products, strict=True):
                if value:
                    for j, k in pairs:
                        found[k] += value * others[j]
            return Model([value >> PRECISION for value in found], None, _above(beyond) + len(found))
        return Model(*self._wide(a, b), _above(beyond))

    def _wide(self, a: Model, b: Model) -> tuple[Integers, Integers]:
        """The coefficients of a product where some are intervals."""
        low, high = [0] * len(self.monomials), [0] * len(self.monomials)
        first, second, below, above = a.low, a.above, b.low, b.above
        for i, pairs in enumerate(self._products):
            al, ah = first[i], second[i]
            if not (al or ah):
                continue
            for j, k in pairs:
                bl, bh = below[j], above[j]
                if al == ah:
                    p, q = al * bl, al * bh
                    low[k] += p if p < q else q
                    high[k] += q if p < q else p
                elif bl or bh:
                    ends = al * bl, al * bh, ah * bl, ah * bh
                    low[k] += min(ends)
                    high[k] += max(ends)
        return [value >> PRECISION for value in low], [-(-value >> PRECISION) for value in high]

    def _scaled(self, a: Model, b: Interval) -> Model:
        if a.high is None and b[1] - b[0] <= NARROW:
            middle, by = _centred(b)
            lost = by * sum(map(abs, a.low)) + a.rest * (abs(middle) + by)
            return Model([value * middle >> PRECISION for value in a.low], None, _above(lost) + len(a.low))
        low, high = [], []
        for p, q in zip(a.low, a.above, strict=True):
            ends = p * b[0], p * b[1], q * b[0], q * b[1]
            low.append(min(ends) >> PRECISION)
            high.append(-(-max(ends) >> PRECISION))
        return Model(low, high, _above(a.rest * size(b)))

    def waves(self, a: Number) -> tuple[Number, Number]:
        """The sine and the cosine."""
        sin, cos = CALCULUS.functions["sin"], CALCULUS.functions["cos"]
        if isinstance(a, tuple):
            return sin(a), cos(a)
        middle = (a.low[0] + a.above[0]) // 2
        shift = self.add(a, (-middle, -middle))
        powers: list[Number] = [(ARITHMETIC.one, ARITHMETIC.one), shift]
        while len(powers) <= self.order:
            powers.append(self.mul(powers[-1], shift))
        by = size(self.range(shift))
        left = -(-(by ** (self.order + 1)) // (factorial(self.order + 1) << (PRECISION * self.order)))
        s, c = sin((middle, middle)), cos((middle, middle))
        cycle = (s, c, (-s[1], -s[0]), (-c[1], -c[0]))
        return self._series(powers, cycle, left), self._series(powers, (*cycle[1:], s), left)

    def _series(self, powers: Sequence[Number], slopes: Sequence[Interval], left: int) -> Number:
        total: Number = self.constant(0)
        for k, power in enumerate(powers):
            slope = ARITHMETIC.div(slopes[k % 4], ARITHMETIC.enclose(Fraction(factorial(k))))
            total = self.add(total, self.mul(power, slope))
        return total if isinstance(total, tuple) else Model(total.low, total.high, total.rest + left)

    def power(self, a: Model, exponent: Fraction) -> Number | None:
        """The root or the reciprocal, in parts of the middle so that powers are of one size; None where a is not shown
        to be positive.
        """
        middle = (a.low[0] + a.above[0]) >> 1
        shift = self.add(a, (-middle, -middle))
        series = expansion(exponent, self.order, middle, size(self.range(shift)))
        if series is None:
            return None
        part = self.mul(shift, series.over)
        found: Number = self.constant(0)
        for coefficient in reversed(series.coefficients):
            found = self.add(self.mul(found, part), coefficient)
        found = self.mul(found, series.first)
        return found if isinstance(found, tuple) else Model(found.low, found.high, found.rest + series.left)

    def reciprocal(self, a: Model) -> Number | None:
        """1 / a; None where a is not shown to have a sign."""
        low, high = self.range(a)
        if high >= 0 or low >= 0:
            return self.power(a, RECIPROCAL)
        negative = self.neg(a)
        found = None if isinstance(negative, tuple) else self.power(negative, RECIPROCAL)
        return None if found is None else self.neg(found)

    def anything(self, value: Interval) -> Model:
        """What may depend on s in any way within this range."""
        middle, by = _centred(value)
        return Model(self.constant(middle).low, None, by)


def _centred(value: Interval) -> tuple[int, int]:
    """A number in the middle, and how far the ends are from it at most."""
    middle = (value[0] + value[1]) >> 1
    return middle, value[1] - middle


def _above(value: int) -> int:
    return -(-value >> PRECISION)


@lru_cache(maxsize=16)
def space(variables: int, order: int) -> Space:
    """Polynomials of so many variables."""
    return Space(variables, order)


class Modelled:
    """A tape of which some inputs are known once for all; `at` gives models of its outputs for models of the others."""

    def __init__(self, tape: Tape, fixed: Mapping[int, Interval]) -> None:
        self._tape, none = tape, space(0, 0)
        self._free = [i for i in range(tape.inputs) if i not in fixed]
        self._known: list[Number | None] = [fixed.get(i) for i in range(tape.inputs)]
        for step in tape.steps:
            operands = [found for k in step[1:3] if k >= 0 and (found := self._known[k]) is not None]
            whole = len(operands) == sum(k >= 0 for k in step[1:3])
            self._known.append(_applied(none, step, operands, {}) if whole else None)

    def at(self, kind: Space, inputs: Sequence[Number]) -> list[Number]:
        """The outputs. Raises Undefined."""
        nodes = list(self._known)
        for i, value in zip(self._free, inputs, strict=True):
            nodes[i] = value
        waves: dict[int, tuple[Number, Number]] = {}
        for node, step in enumerate(self._tape.steps, self._tape.inputs):
            if nodes[node] is None:
                operands = [found for k in step[1:3] if k >= 0 and (found := nodes[k]) is not None]
                nodes[node] = _applied(kind, step, operands, waves)
        return [found for output in self._tape.outputs if (found := nodes[output]) is not None]


def _applied(kind: Space, step: Step, operands: Sequence[Number], waves: dict[int, tuple[Number, Number]]) -> Number:
    """One operation; `waves` remembers the sines and cosines of nodes."""
    operation = step.operation
    match operation:
        case Operation.CONSTANT:
            return ARITHMETIC.enclose(step.constant or Fraction(0))
        case Operation.PI:
            return CALCULUS.pi
        case Operation.ADD:
            return kind.add(operands[0], operands[1])
        case Operation.SUB:
            return kind.sub(operands[0], operands[1])
        case Operation.MUL:
            return kind.mul(operands[0], operands[1])
        case Operation.NEG:
            return kind.neg(operands[0])
        case Operation.SQR if isinstance(operands[0], Model):
            return kind.mul(operands[0], operands[0])
        case Operation.SIN | Operation.COS:
            if step.first not in waves:
                waves[step.first] = kind.waves(operands[0])
            return waves[step.first][operation is Operation.COS]
        case Operation.DIV if isinstance(operands[1], tuple):
            return kind.mul(operands[0], ARITHMETIC.div((ARITHMETIC.one, ARITHMETIC.one), operands[1]))
        case Operation.DIV if isinstance(operands[1], Model) and (over := kind.reciprocal(operands[1])) is not None:
            return kind.mul(operands[0], over)
        case Operation.SQRT if isinstance(operands[0], Model) and (root := kind.power(operands[0], ROOT)) is not None:
            return root
    function = CALCULUS.functions.get(operation.name.lower())
    if function is None:
        raise InputError(f"the model has the function {operation.name.lower()}, which is not enclosed here")
    ends: Interval = function(*(kind.range(operand) for operand in operands))
    return ends if all(isinstance(operand, tuple) for operand in operands) else kind.anything(ends)
