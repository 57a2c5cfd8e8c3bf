"""Polynomials with interval coefficients, and rows in the form sigma sqrt(D) + v (specification, section 7).

A polynomial is a dict from monomials (sorted tuples of variables; () is the constant) to intervals. Theorem (of every
operation): if p(d), q(d) are values of some selections of the coefficients, then the result has a selection with the
value of the operation at d. A selection may depend on the measurements and on x.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from .interval import Arithmetic, Interval, Undefined
from .outcome import Clock, ResourceLimit, require
from .problem import Operation
from .tape import ZERO, Program

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, Interval]
Rooted = tuple[int, Polynomial, Polynomial]

LARGEST_PRODUCT: Final = 250_000
COEFFICIENTS: Final = 1_000_000
DEGREE: Final = 2
INTERMEDIATE_DEGREE: Final = 4


def degree(p: Polynomial) -> int:
    """The largest number of factors of a monomial."""
    return max(map(len, p), default=0)


def _join(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    return tuple(sorted(left + right))


class Algebra:
    """Polynomials in one arithmetic."""

    __slots__ = ("_arithmetic", "_joined", "_one", "clock")

    def __init__(self, arithmetic: Arithmetic, clock: Clock) -> None:
        self._arithmetic: Final = arithmetic
        self._one: Final = arithmetic.one, arithmetic.one
        self._joined: Final = lru_cache(LARGEST_PRODUCT)(_join)
        self.clock: Final = clock

    def constant(self, value: Interval) -> Polynomial:
        """The value; nothing if it is exactly 0."""
        return {} if value == ZERO else {(): value}

    def _sum(self, total: Polynomial, terms: Iterable[tuple[Monomial, Interval]]) -> Polynomial:
        """`total`, to which the terms are added; what is exactly 0 is no coefficient."""
        add = self._arithmetic.add
        for monomial, value in terms:
            old = total.get(monomial)
            total[monomial] = value if old is None else add(old, value)
        return (
            {monomial: value for monomial, value in total.items() if value != ZERO} if ZERO in total.values() else total
        )

    def add(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p + q."""
        return self._sum(p.copy(), q.items()) if p and q else p or q

    def neg(self, p: Polynomial) -> Polynomial:
        """-p."""
        return {monomial: (-high, -low) for monomial, (low, high) in p.items()}

    def sub(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p - q."""
        return self.add(p, self.neg(q))

    def scale(self, p: Polynomial, factor: Interval) -> Polynomial:
        """factor * p; nothing if the factor is exactly 0."""
        if factor == ZERO:
            return {}
        if factor == self._one:
            return p
        mul = self._arithmetic.mul
        return {monomial: mul(value, factor) for monomial, value in p.items()}

    def divide(self, p: Polynomial, divisor: Interval) -> Polynomial:
        """p / divisor."""
        if divisor[0] <= 0 <= divisor[1]:
            raise Undefined("a divisor contains 0")
        return {monomial: self._arithmetic.div(value, divisor) for monomial, value in p.items()}

    def multiply(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p * q."""
        self._admit(p, q)
        mul, joined = self._arithmetic.mul, self._joined
        return self._sum({}, [(joined(left, right), mul(a, b)) for left, a in p.items() for right, b in q.items()])

    def square(self, p: Polynomial) -> Polynomial:
        """p^2: the squares, and twice the products of different monomials."""
        self._admit(p, p)
        mul, sqr, joined = self._arithmetic.mul, self._arithmetic.sqr, self._joined
        pairs = combinations_with_replacement(p.items(), 2)
        products = [
            (joined(left, right), sqr(a) if left == right else mul((2 * a[0], 2 * a[1]), b))
            for (left, a), (right, b) in pairs
        ]
        return self._sum({}, products)

    def _admit(self, p: Polynomial, q: Polynomial) -> None:
        self.clock.check()
        if len(p) * len(q) > LARGEST_PRODUCT:
            raise ResourceLimit(f"{LARGEST_PRODUCT} products of monomials")

    def keep(self, kept: int) -> int:
        """So many coefficients of the nodes of one row, if they are not too many."""
        self.clock.check()
        if kept > COEFFICIENTS:
            raise ResourceLimit(f"{COEFFICIENTS} coefficients of one row")
        return kept

    def least(self, p: Polynomial, offsets: Sequence[Interval]) -> int:
        """A lower bound of p over the box of d, monomial by monomial, at twice the precision."""
        ranges: dict[Monomial, Interval] = {(): self._one}
        bound = 0
        for monomial, (low, high) in p.items():
            left, right = self.range(monomial, offsets, ranges)
            bound += min(low * left, low * right, high * left, high * right)
        return bound

    def settled(self, p: Polynomial, offsets: Sequence[Interval], unknowns: Sequence[int]) -> Polynomial:
        """p with each of these unknowns, in their order, along which it only rises (falls) at its lower (upper) end: no
        selection of p is smaller anywhere on the box.
        """
        left, holding = dict(p), {unknown: set[Monomial]() for unknown in unknowns}
        for monomial in p:
            for unknown in holding.keys() & set(monomial):
                holding[unknown].add(monomial)
        waiting, before = [unknown for unknown in unknowns if holding[unknown]], -1
        while len(waiting) != before:
            before = len(waiting)
            waiting = [unknown for unknown in waiting if not self._settle(left, offsets, unknown, holding)]
        return left

    def _settle(
        self, p: Polynomial, offsets: Sequence[Interval], unknown: int, holding: dict[int, set[Monomial]]
    ) -> bool:
        """Whether the unknown was put at an end, in all monomials that hold it."""
        self.clock.check()
        slope: Polynomial = {}
        for monomial in holding[unknown]:
            (low, high), times, place = p[monomial], monomial.count(unknown), monomial.index(unknown)
            slope[monomial[:place] + monomial[place + 1 :]] = times * low, times * high
        rises = self.least(slope, offsets) >= 0
        if not rises and self.least(self.neg(slope), offsets) < 0:
            return False
        end, bits = offsets[unknown][0 if rises else 1], self._arithmetic.precision
        for monomial in holding.pop(unknown):
            low, high = p.pop(monomial)
            for _ in range(monomial.count(unknown)):
                low, high = (low, high) if end >= 0 else (high, low)
                low, high = low * end >> bits, -(-high * end >> bits)
            rest = tuple(place for place in monomial if place != unknown)
            old = p.get(rest, ZERO)
            p[rest] = old[0] + low, old[1] + high
            for other in holding.keys() & set(rest):
                holding[other].discard(monomial)
                holding[other].add(rest)
        return True

    def range(self, monomial: Monomial, offsets: Sequence[Interval], known: dict[Monomial, Interval]) -> Interval:
        """The range of a monomial: even powers of a variable as squares; `known` remembers."""
        if monomial not in known:
            half = monomial[::2]
            if half == monomial[1::2]:
                known[monomial] = self._arithmetic.sqr(self.range(half, offsets, known))
            else:
                known[monomial] = self._arithmetic.mul(self.range(monomial[:-1], offsets, known), offsets[monomial[-1]])
        return known[monomial]


class RootForm:
    """Evaluates a tape with values sigma sqrt(D) + v; a node that has no such form is its enclosure, of degree 0."""

    __slots__ = ("_algebra", "_enclosed", "_nodes", "_numbers", "_program")

    def __init__(
        self, algebra: Algebra, program: Program, inputs: Sequence[Interval], variables: Mapping[int, Polynomial]
    ) -> None:
        self._algebra: Final = algebra
        self._program: Final = program
        self._numbers: Final = program.constants(inputs)
        self._enclosed: Final = lru_cache(1)(lambda: program.values(inputs))
        self._nodes: Final[list[Rooted]] = [(0, {}, algebra.constant(number)) for number in self._numbers]
        for node, polynomial in variables.items():
            self._nodes[node] = 0, {}, polynomial

    def value(self) -> Rooted:
        """The row, of degree 2 at most. Raises Undefined."""
        kept = 0
        for node, operation in self._program.nodes():
            if self._program.depends[node]:
                found = self._formed(operation) or (0, {}, self._algebra.constant(self._enclosed()[node]))
                self._nodes[node] = found
                kept = self._algebra.keep(kept + len(found[1]) + len(found[2]))
        reached = max(degree(self._nodes[-1][1]), degree(self._nodes[-1][2]))
        require(reached <= DEGREE, "aggregate", f"the degree of D or v exceeds {DEGREE}")
        return self._nodes[-1]

    def _formed(self, operation: Operation) -> Rooted | None:
        """The node from its operands; None if it has no such form."""
        algebra, varies, first, second = self._algebra, self._program.depends, operation.first, operation.second
        (sigma, radicand, rest), (tau, other, summand) = self._nodes[first], self._nodes[second]
        match operation.code:
            case "add" if not (sigma and tau):
                return sigma or tau, radicand or other, algebra.add(rest, summand)
            case "sub" if not (sigma and tau):
                return sigma or -tau, radicand or other, algebra.sub(rest, summand)
            case "neg":
                return -sigma, radicand, algebra.neg(rest)
            case "mul" if not varies[second]:
                return self._scaled(first, self._numbers[second], algebra.scale)
            case "mul" if not varies[first]:
                return self._scaled(second, self._numbers[first], algebra.scale)
            case "mul" if not (sigma or tau) and degree(rest) + degree(summand) <= INTERMEDIATE_DEGREE:
                return 0, {}, algebra.multiply(rest, summand)
            case "div" if not varies[second]:
                return self._scaled(first, self._numbers[second], algebra.divide)
            case "sqr" if not sigma and 2 * degree(rest) <= INTERMEDIATE_DEGREE:
                return 0, {}, algebra.square(rest)
            case "sqr" if not rest:
                return 0, {}, radicand
            case "sqrt" if not sigma:
                return 1, rest, {}
        return None

    def _scaled(
        self, node: int, factor: Interval, scale: Callable[[Polynomial, Interval], Polynomial]
    ) -> Rooted | None:
        """k sqrt(D) = sign(k) sqrt(k^2 D), and sqrt(D) / k = sign(k) sqrt(D / k^2)."""
        sigma, radicand, rest = self._nodes[node]
        if sigma:
            if factor[0] < 0 < factor[1]:
                return None
            sigma = sigma if factor[0] >= 0 else -sigma
            radicand = scale(radicand, self._program.calculus.arithmetic.sqr(factor))
        return sigma, radicand, scale(rest, factor)
