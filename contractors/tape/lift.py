"""The lift: a row that is polynomial in the unknowns, perhaps after one squaring, as a tape for its coefficients.

With x = c + d around a centre c, a row is brought to the form  r = sigma sqrt(D) + v  with D and v polynomials in d.
For a shift e the condition s r <= e implies a polynomial inequality p(d) <= 0:

    s = +1:  sqrt(D) <= e - v   =>  p = D - (e - v)^2             -sqrt(D) + v <= e  =>  p = w^2 - D,  w = v - e,  if w
        >= 0
    s = -1:  sqrt(D) >= -v - e  =>  p = w^2 - D, w = -v - e, if w >= 0      sqrt(D) <= e + v  =>  p = D - (e + v)^2

and p = s v - e where there is no root. The coefficients of p (and of w) depend on c, on the measurements and on e: that
dependence is again a tape, derived here from the model's tape and knowing nothing of robots, so that a million rows are
lifted by the same few array operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from certify.contractors.tape.tape import NULLARY, Builder, Operation, Tape, apply

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]
LARGEST_DEGREE = 4


class NotPolynomial(ValueError):
    """The tape has no polynomial form in its unknowns; the reason says which operation prevents it."""


@dataclass(frozen=True)
class Lift:
    """Coefficients of p (and of w, to be proved >= 0; empty if not needed) as outputs of a tape.

    The tape's inputs are those of the model's tape, with the centre in the place of the unknowns, and then the shift e.
    Monomials are sorted tuples of input numbers.
    """

    tape: Tape
    monomials: tuple[Monomial, ...]
    sign_monomials: tuple[Monomial, ...]


@dataclass(frozen=True)
class _Value:
    """sigma sqrt(root) + rest"""

    sigma: int
    root: Polynomial
    rest: Polynomial


class _Algebra:
    """Polynomials whose coefficients are nodes of a tape under construction."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def add(
        self, first: Polynomial, second: Polynomial, operation: Callable[[int, int], int] | None = None
    ) -> Polynomial:
        zero = self.builder.constant(0)
        combine = operation or self.builder.add
        keys = list(first) + [m for m in second if m not in first]
        return self.clean({m: combine(first.get(m, zero), second.get(m, zero)) for m in keys})

    def sub(self, first: Polynomial, second: Polynomial) -> Polynomial:
        return self.add(first, second, self.builder.sub)

    def clean(self, polynomial: Polynomial) -> Polynomial:
        return {m: node for m, node in polynomial.items() if self.builder.value_of(node) != 0}

    def mul(self, first: Polynomial, second: Polynomial) -> Polynomial:
        products: Polynomial = {}
        for m, a in first.items():
            for n, b in second.items():
                self._accumulate(products, tuple(sorted(m + n)), self.builder.mul(a, b))
        return self.clean(products)

    def square(self, polynomial: Polynomial) -> Polynomial:
        products: Polynomial = {}
        items = list(polynomial.items())
        for position, (m, a) in enumerate(items):
            self._accumulate(products, tuple(sorted(m + m)), self.builder.sqr(a))
            for n, b in items[position + 1 :]:
                double = self.builder.mul(self.builder.constant(2), self.builder.mul(a, b))
                self._accumulate(products, tuple(sorted(m + n)), double)
        return self.clean(products)

    def _accumulate(self, into: Polynomial, monomial: Monomial, node: int) -> None:
        if len(monomial) > LARGEST_DEGREE:
            raise NotPolynomial(f"its degree in the unknowns exceeds {LARGEST_DEGREE}")
        into[monomial] = self.builder.add(into[monomial], node) if monomial in into else node


def _plain(value: _Value) -> Polynomial:
    if value.sigma:
        raise NotPolynomial("a root is multiplied, divided or fed to another function")
    return value.rest


def _constant(value: _Value) -> int | None:
    """The node of a value that does not depend on the unknowns, or None."""
    if value.sigma or any(value.rest.keys() - {()}):
        return None
    return value.rest.get((), -1)


def _sum(algebra: _Algebra, first: _Value, second: _Value, subtract: bool) -> _Value:
    if first.sigma and second.sigma:
        raise NotPolynomial("two roots are added")
    rest = (algebra.sub if subtract else algebra.add)(first.rest, second.rest)
    if second.sigma:
        return _Value(-second.sigma if subtract else second.sigma, second.root, rest)
    return _Value(first.sigma, first.root, rest)


def _times(algebra: _Algebra, value: _Value, factor: int) -> _Value | None:
    """k (sigma sqrt(D) + v) = sign(k) sigma sqrt(k^2 D) + k v for a number k != 0 of the tape; None if the node is no
    such number.
    """
    number = algebra.builder.value_of(factor)
    if not number:
        return None
    root = algebra.mul(value.root, {(): algebra.builder.sqr(factor)})
    return _Value(value.sigma if number > 0 else -value.sigma, root, algebra.mul(value.rest, {(): factor}))


def _product(algebra: _Algebra, first: _Value, second: _Value) -> _Value:
    """A root may be multiplied by a number; polynomials by each other."""
    for root, other in ((first, second), (second, first)):
        factor = _constant(other)
        if root.sigma and factor is not None and factor >= 0 and (found := _times(algebra, root, factor)) is not None:
            return found
    return _Value(0, {}, algebra.mul(_plain(first), _plain(second)))


def _quotient(algebra: _Algebra, first: _Value, second: _Value) -> _Value:
    divisor = _constant(second)
    if divisor is None or divisor < 0:
        raise NotPolynomial("unknowns stand in a divisor")
    number = algebra.builder.value_of(divisor)
    if first.sigma and number and (found := _times(algebra, first, algebra.builder.constant(1 / number))) is not None:
        return found
    return _Value(0, {}, {m: algebra.builder.div(node, divisor) for m, node in _plain(first).items()})


def _of_constant(builder: Builder, operation: Operation, value: _Value) -> Polynomial:
    node = _constant(value)
    if node is None:
        raise NotPolynomial(f"the operation {operation.name.lower()} is applied to unknowns")
    return {(): apply(builder, operation, node if node >= 0 else builder.constant(0), -1)}


def _of_constants(builder: Builder, operation: Operation, first: _Value, second: _Value) -> Polynomial:
    nodes = [_constant(value) for value in (first, second)]
    if nodes[0] is None or nodes[1] is None:
        raise NotPolynomial(f"the operation {operation.name.lower()} is applied to unknowns")
    u, v = (node if node is not None and node >= 0 else builder.constant(0) for node in nodes)
    return {(): apply(builder, operation, u, v)}


def _integer_power(algebra: _Algebra, first: _Value, second: _Value) -> _Value:
    """(sigma sqrt(D))^n is D^(n/2) for even n; a polynomial to a positive power is a product."""
    place = _constant(second)
    n = int(algebra.builder.value_of(place) or 0) if place is not None and place >= 0 else 0
    if _constant(first) is not None:
        return _Value(0, {}, _of_constants(algebra.builder, Operation.INTEGER_POWER, first, second))
    if n < 0:
        raise NotPolynomial("unknowns stand in a divisor")
    if first.sigma and not first.rest and n % 2 == 0:
        first, n = _Value(0, {}, first.root), n // 2
    base = _plain(first)
    result: Polynomial = {(): algebra.builder.constant(1)}
    for bit in bin(n)[2:]:
        result = algebra.square(result)
        if bit == "1":
            result = algebra.mul(result, base)
    return _Value(0, {}, result)


def _apply(algebra: _Algebra, operation: Operation, first: _Value, second: _Value | None) -> _Value:
    builder = algebra.builder
    if second is not None and operation in (Operation.ADD, Operation.SUB):
        return _sum(algebra, first, second, operation is Operation.SUB)
    if second is not None and operation is Operation.MUL:
        return _product(algebra, first, second)
    if second is not None and operation is Operation.INTEGER_POWER:
        return _integer_power(algebra, first, second)
    if second is not None and operation is not Operation.DIV:
        return _Value(0, {}, _of_constants(builder, operation, first, second))
    if second is not None:
        return _quotient(algebra, first, second)
    if operation is Operation.NEG:
        return _Value(-first.sigma, first.root, {m: builder.neg(node) for m, node in first.rest.items()})
    if operation is Operation.SQR and first.sigma and not first.rest:
        return _Value(0, {}, first.root)
    if operation is Operation.SQR:
        return _Value(0, {}, algebra.square(_plain(first)))
    if operation is Operation.SQRT and _constant(first) is None:
        return _Value(1, _plain(first), {})
    return _Value(0, {}, _of_constant(builder, operation, first))


def _row(tape: Tape, unknowns: tuple[int, ...], builder: Builder) -> _Value:
    values = [
        _Value(0, {}, {(): i, (i,): builder.constant(1)} if i in unknowns else {(): i}) for i in range(tape.inputs)
    ]
    algebra = _Algebra(builder)
    for operation, first, second, constant in tape.steps:
        if operation in NULLARY:
            node = builder.pi() if operation is Operation.PI else builder.constant(constant or 0)
            values.append(_Value(0, {}, algebra.clean({(): node})))
        else:
            values.append(_apply(algebra, operation, values[first], values[second] if second >= 0 else None))
    return values[tape.outputs[0]]


@lru_cache(maxsize=128)
def lift(tape: Tape, unknowns: tuple[int, ...], side: int) -> Lift:
    """The inequality p <= 0 implied by side * r <= e; raises NotPolynomial where the tape has none."""
    builder = Builder(tape.inputs + 1)
    algebra = _Algebra(builder)
    row = _row(tape, unknowns, builder)
    shift: Polynomial = {(): tape.inputs}
    if row.sigma == 0:
        inequality = algebra.sub(row.rest if side > 0 else algebra.sub({}, row.rest), shift)
        sign: Polynomial = {}
    elif row.sigma == side:
        other = algebra.sub(shift, row.rest) if side > 0 else algebra.add(shift, row.rest)
        inequality, sign = algebra.sub(row.root, algebra.square(other)), {}
    else:
        sign = algebra.sub(row.rest if side > 0 else algebra.sub({}, row.rest), shift)
        inequality = algebra.sub(algebra.square(sign), row.root)
    if max((len(m) for m in inequality), default=0) > 2:
        raise NotPolynomial("its squared form has a degree above 2 in the unknowns")
    monomials, sign_monomials = tuple(inequality), tuple(sign)
    outputs = tuple(inequality.values()) + tuple(sign.values())
    return Lift(builder.tape(outputs), monomials, sign_monomials)
