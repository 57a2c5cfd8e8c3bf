"""Polynomials with interval coefficients, and rows in the form sigma sqrt(D) + v (specification, section 7).

A polynomial is a dict from monomials (sorted tuples of variables; () is the constant) to intervals. Theorem (of every
operation): if p(d), q(d) are values of some selections of the coefficients, then the result has a selection with the
value of the operation at d. A selection may depend on the measurements and on x.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .interval import Arithmetic, Interval, Undefined
from .outcome import Clock, Rejection, ResourceLimit
from .problem import Operation
from .tape import ZERO, Program

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, Interval]
Rooted = tuple[int, Polynomial, Polynomial]

LARGEST_PRODUCT: Final = 250_000
DEGREE: Final = 2
INTERMEDIATE_DEGREE: Final = 4


class Unsupported(Rejection):
    """A row, or a node of it, has no such form."""

    def __init__(self, reason: str) -> None:
        super().__init__("aggregate", reason)


def degree(p: Polynomial) -> int:
    """The largest number of factors of a monomial."""
    return max(map(len, p), default=0)


class Algebra:
    """Polynomials in one arithmetic."""

    __slots__ = ("_arithmetic", "_joined", "clock")

    def __init__(self, arithmetic: Arithmetic, clock: Clock) -> None:
        self._arithmetic: Final = arithmetic
        self.clock: Final = clock
        self._joined: Final[dict[tuple[Monomial, Monomial], Monomial]] = {}

    def constant(self, value: Interval) -> Polynomial:
        """The value; nothing if it is exactly 0."""
        return {} if value == ZERO else {(): value}

    def add(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p + q."""
        if len(p) < len(q):
            p, q = q, p
        total = p.copy()
        for monomial, value in q.items():
            old = total.get(monomial)
            total[monomial] = value if old is None else self._arithmetic.add(old, value)
        return total

    def neg(self, p: Polynomial) -> Polynomial:
        """-p."""
        return {monomial: (-high, -low) for monomial, (low, high) in p.items()}

    def sub(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p - q."""
        return self.add(p, self.neg(q))

    def scale(self, p: Polynomial, factor: Interval) -> Polynomial:
        """factor * p."""
        if factor == ZERO:
            return {}
        mul = self._arithmetic.mul
        return {monomial: mul(value, factor) for monomial, value in p.items()}

    def divide(self, p: Polynomial, divisor: Interval) -> Polynomial:
        """p / divisor."""
        div = self._arithmetic.div
        return {monomial: div(value, divisor) for monomial, value in p.items()}

    def multiply(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p * q."""
        self._admit(p, q)
        mul, add = self._arithmetic.mul, self._arithmetic.add
        total: Polynomial = {}
        for left, a in p.items():
            for right, b in q.items():
                monomial, value = self._join(left, right), mul(a, b)
                old = total.get(monomial)
                total[monomial] = value if old is None else add(old, value)
        return total

    def square(self, p: Polynomial) -> Polynomial:
        """p^2: the squares, and twice the products of different monomials."""
        self._admit(p, p)
        mul, sqr, add = self._arithmetic.mul, self._arithmetic.sqr, self._arithmetic.add
        total: Polynomial = {}
        items = list(p.items())
        for place, (left, a) in enumerate(items):
            twice = 2 * a[0], 2 * a[1]
            for other in range(place, len(items)):
                right, b = items[other]
                monomial, value = self._join(left, right), sqr(a) if other == place else mul(twice, b)
                old = total.get(monomial)
                total[monomial] = value if old is None else add(old, value)
        return total

    def _admit(self, p: Polynomial, q: Polynomial) -> None:
        self.clock.check()
        if degree(p) + degree(q) > INTERMEDIATE_DEGREE:
            raise Unsupported(f"the degree of a product exceeds {INTERMEDIATE_DEGREE}")
        if len(p) * len(q) > LARGEST_PRODUCT:
            raise ResourceLimit(f"{LARGEST_PRODUCT} products of monomials")

    def _join(self, left: Monomial, right: Monomial) -> Monomial:
        found = self._joined.get((left, right))
        if found is None:
            if len(self._joined) >= LARGEST_PRODUCT:
                self._joined.clear()
            found = self._joined[left, right] = tuple(sorted(left + right))
        return found

    def least(self, p: Polynomial, offsets: Sequence[Interval]) -> int:
        """A lower bound of p over the box of d, monomial by monomial."""
        ranges: dict[Monomial, Interval] = {}
        return sum(self._arithmetic.mul(value, self.range(monomial, offsets, ranges))[0] for monomial, value in p.items())

    def range(self, monomial: Monomial, offsets: Sequence[Interval], known: dict[Monomial, Interval]) -> Interval:
        """The range of a monomial: even powers of a variable as squares; `known` remembers."""
        found = known.get(monomial)
        if found is not None:
            return found
        if not monomial:
            value = self._arithmetic.one, self._arithmetic.one
        elif len(monomial) == 1:
            value = offsets[monomial[0]]
        elif len(monomial) % 2 == 0 and monomial[::2] == monomial[1::2]:
            value = self._arithmetic.sqr(self.range(monomial[::2], offsets, known))
        else:
            value = self._arithmetic.mul(self.range(monomial[:-1], offsets, known), offsets[monomial[-1]])
        known[monomial] = value
        return value


class RootForm:
    """Evaluates a tape with values sigma sqrt(D) + v; nodes without variables are intervals."""

    __slots__ = ("_algebra", "_nodes", "_program")

    def __init__(self, algebra: Algebra, program: Program, inputs: Sequence[Interval], variables: Mapping[int, Polynomial]) -> None:
        self._algebra: Final = algebra
        self._program: Final = program
        constants = program.constants(inputs)
        self._nodes: Final[list[Interval | Rooted]] = list(constants)
        for node, polynomial in variables.items():
            self._nodes[node] = 0, {}, polynomial

    def value(self) -> Rooted:
        """The row."""
        for node, operation in self._program.nodes():
            self._algebra.clock.check()
            if self._program.depends[node]:
                self._nodes[node] = self._evaluate(operation)
        return self._lift(len(self._nodes) - 1)

    def _lift(self, node: int) -> Rooted:
        value = self._nodes[node]
        return value if len(value) == 3 else (0, {}, self._algebra.constant(value))

    def _evaluate(self, operation: Operation) -> Rooted:
        match operation.code:
            case "add":
                return self._sum(self._lift(operation.first), self._lift(operation.second))
            case "sub":
                return self._sum(self._lift(operation.first), self._negative(self._lift(operation.second)))
            case "neg":
                return self._negative(self._lift(operation.first))
            case "mul":
                return self._product(operation.first, operation.second)
            case "div":
                return self._quotient(self._lift(operation.first), self._nodes[operation.second])
            case "sqr":
                return self._square(*self._lift(operation.first))
            case "sqrt":
                return self._root(*self._lift(operation.first))
        raise Unsupported(f"{operation.code} of a variable")

    def _sum(self, left: Rooted, right: Rooted) -> Rooted:
        if left[0] and right[0]:
            raise Unsupported("two roots do not add")
        return left[0] or right[0], left[1] or right[1], self._algebra.add(left[2], right[2])

    def _negative(self, value: Rooted) -> Rooted:
        return -value[0], value[1], self._algebra.neg(value[2])

    def _product(self, first: int, second: int) -> Rooted:
        left, right = self._nodes[first], self._nodes[second]
        if len(left) == 2:
            return self._scaled(self._lift(second), left)
        if len(right) == 2:
            return self._scaled(left, right)
        if left[0] or right[0]:
            raise Unsupported("a root is multiplied by a variable")
        return 0, {}, self._algebra.multiply(left[2], right[2])

    def _scaled(self, value: Rooted, factor: Interval) -> Rooted:
        """k sqrt(D) = sign(k) sqrt(k^2 D)."""
        sigma, radicand, rest = value
        if sigma:
            radicand = self._algebra.scale(radicand, self._square_of(factor))
        return sigma * _sign(sigma, factor), radicand, self._algebra.scale(rest, factor)

    def _quotient(self, value: Rooted, divisor: Interval | Rooted) -> Rooted:
        """sqrt(D) / k = sign(k) sqrt(D / k^2)."""
        if len(divisor) == 3:
            raise Unsupported("a division by a variable")
        if divisor[0] <= 0 <= divisor[1]:
            raise Undefined("a divisor contains 0")
        sigma, radicand, rest = value
        if sigma:
            radicand = self._algebra.divide(radicand, self._square_of(divisor))
        return sigma * _sign(sigma, divisor), radicand, self._algebra.divide(rest, divisor)

    def _square_of(self, factor: Interval) -> Interval:
        return self._program.calculus.arithmetic.sqr(factor)

    def _square(self, sigma: int, radicand: Polynomial, rest: Polynomial) -> Rooted:
        if sigma and rest:
            raise Unsupported("the square of a root and a summand")
        return 0, {}, radicand if sigma else self._algebra.square(rest)

    def _root(self, sigma: int, _: Polynomial, rest: Polynomial) -> Rooted:
        if sigma:
            raise Unsupported("the root of a root")
        return 1, rest, {}


def _sign(sigma: int, factor: Interval) -> int:
    """The sign of a factor of a root; 0 counts as either."""
    if sigma and factor[0] < 0 < factor[1]:
        raise Unsupported("a root is multiplied by a number of unknown sign")
    return 1 if factor[0] >= 0 else -1
