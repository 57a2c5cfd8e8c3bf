"""Polynomials in d = x - c with interval coefficients, and rows written with at most one root: sigma sqrt(D) + v
(section 7).

What cannot be written so on its way is enclosed over the prepared box: an interval, which contains its value at every
point of the box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from .interval import (
    MINUS_UNIT,
    TWO,
    UNIT,
    ZERO,
    Interval,
    add,
    divide,
    multiply,
    negative,
    power,
    scaled,
    square,
    subtract,
    within_limits,
)
from .outcome import Exhausted, Undefined
from .rows import Plan

Monomial = tuple[int, ...]  # variables of the scope, in order, each as often as its power
Polynomial = dict[Monomial, Interval]
Shifts = Sequence[Interval] | Mapping[int, Interval]  # ranges of d by place

HIGHEST_DEGREE = 2  # of D and v of a row
HIGHEST_DEGREE_OF_A_PRODUCT = 4
MOST_PRODUCTS = 250_000
MOST_COEFFICIENTS = 2_000_000
CONSTANT: Monomial = ()


def _kept(a: Polynomial) -> Polynomial:
    """Without the coefficients that came out as exactly 0."""
    return {monomial: c for monomial, c in a.items() if not (c[0].is_zero() and c[1].is_zero())}


def poly_add(a: Polynomial, b: Polynomial) -> Polynomial:
    """a + b."""
    total = a.copy()
    for monomial, coefficient in b.items():
        known = total.get(monomial)
        total[monomial] = coefficient if known is None else add(known, coefficient)
    return _kept(total)


def poly_negative(a: Polynomial) -> Polynomial:
    """-a."""
    return {monomial: negative(coefficient) for monomial, coefficient in a.items()}


def poly_scaled(k: Interval, a: Polynomial) -> Polynomial:
    """k a."""
    return _kept(
        {monomial: k if coefficient is UNIT else multiply(k, coefficient) for monomial, coefficient in a.items()}
    )


def _limits(a: Polynomial, b: Polynomial) -> None:
    if len(a) * len(b) > MOST_PRODUCTS:
        raise Exhausted(f"a product of polynomials has more than {MOST_PRODUCTS} products of monomials")


def _limited(a: Polynomial) -> Polynomial:
    """The same polynomial if no coefficient is beyond 2^8192."""
    return {monomial: within_limits(coefficient) for monomial, coefficient in a.items()}


def _product(a: Polynomial) -> Polynomial:
    """What a multiplication found. A number may be squared without end, and so it is held within the limits."""
    return _limited(_kept(a)) if a.keys() == {CONSTANT} else _kept(a)


def _degree(a: Polynomial) -> int:
    """The highest degree of a monomial."""
    return max(map(len, a), default=0)


def _merged(m: Monomial, n: Monomial) -> Monomial:
    return m + n if not n or not m or m[-1] <= n[0] else tuple(sorted(m + n))


def poly_multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    """a b."""
    _limits(a, b)
    total: Polynomial = {}
    for m, p in a.items():
        for n, q in b.items():
            product = multiply(p, q)
            monomial = _merged(m, n)
            known = total.get(monomial)
            total[monomial] = product if known is None else add(known, product)
    return _product(total)


def poly_square(a: Polynomial) -> Polynomial:
    """a a, with the squares of coefficients as squares."""
    _limits(a, a)
    total: Polynomial = {}
    terms = list(a.items())
    for k, (m, p) in enumerate(terms):
        monomial = _merged(m, m)
        here = square(p)
        known = total.get(monomial)
        total[monomial] = here if known is None else add(known, here)
        if k + 1 == len(terms):
            break
        twice = scaled(TWO, p)
        for n, q in terms[k + 1 :]:
            product = multiply(twice, q)
            monomial = _merged(m, n)
            known = total.get(monomial)
            total[monomial] = product if known is None else add(known, product)
    return _product(total)


def range_of(monomial: Monomial, ranges: Shifts) -> Interval:
    """A monomial over a box: the powers of each variable as powers."""
    if len(monomial) == 1:
        return ranges[monomial[0]]
    value = UNIT
    for variable in sorted(set(monomial)):
        value = multiply(value, power(ranges[variable], monomial.count(variable)))
    return value


def poly_range(a: Polynomial, ranges: Shifts) -> Interval:
    """A polynomial over a box, monomial by monomial."""
    total = (ZERO, ZERO)
    for monomial, coefficient in a.items():
        total = add(total, multiply(coefficient, range_of(monomial, ranges)) if monomial else coefficient)
    return total


@dataclass(slots=True, eq=False)
class Rooted:
    """The value sign sqrt(inner) + outer, where sign is 1 or -1. Without a root a value is an interval or
    a polynomial.
    """

    sign: int
    inner: Polynomial
    outer: Polynomial


def _outer(value: Any) -> Polynomial:
    """A value that has no root, as a polynomial."""
    return _kept({CONSTANT: value}) if isinstance(value, tuple) else value


def _added(a: Any, b: Any) -> Any:
    if not isinstance(a, Rooted) and not isinstance(b, Rooted):
        return poly_add(_outer(a), _outer(b))
    if isinstance(b, Rooted):
        if isinstance(a, Rooted):
            return None
        a, b = b, a
    return Rooted(a.sign, a.inner, poly_add(a.outer, _outer(b)))


def _negated(a: Any) -> Any:
    if isinstance(a, tuple):
        return negative(a)
    return Rooted(-a.sign, a.inner, poly_negative(a.outer)) if isinstance(a, Rooted) else poly_negative(a)


def _subtracted(a: Any, b: Any) -> Any:
    return _added(a, _negated(b))


def _root_times(k: Interval, a: Rooted, outer: Polynomial) -> Rooted | None:
    """k times the root of a, plus another polynomial."""
    if k[0] >= ZERO:
        sign = a.sign
    elif k[1] <= ZERO:
        sign = -a.sign
    else:
        return None
    return Rooted(sign, poly_scaled(square(k), a.inner), outer)


def _multiplied(a: Any, b: Any) -> Any:
    if isinstance(b, tuple):
        a, b = b, a
    if isinstance(a, tuple):
        return _root_times(a, b, poly_scaled(a, b.outer)) if isinstance(b, Rooted) else poly_scaled(a, b)
    if isinstance(a, Rooted) or isinstance(b, Rooted) or _degree(a) + _degree(b) > HIGHEST_DEGREE_OF_A_PRODUCT:
        return None
    return poly_multiply(a, b)


def _divided(a: Any, b: Any) -> Any:
    if not isinstance(b, tuple):
        return None
    outer = {
        monomial: divide(coefficient, b) for monomial, coefficient in (a.outer if isinstance(a, Rooted) else a).items()
    }
    return _root_times(divide(UNIT, b), a, outer) if isinstance(a, Rooted) else outer


def _squared(a: Any) -> Polynomial | None:
    if isinstance(a, Rooted):
        return None if a.outer else a.inner
    return poly_square(a) if 2 * _degree(a) <= HIGHEST_DEGREE_OF_A_PRODUCT else None


def _rooted(a: Any) -> Rooted | None:
    return None if isinstance(a, Rooted) else Rooted(1, a, {})


OPERATIONS: dict[str, Callable[..., Any]] = {  # nothing is found where no such value is formed; functions form none
    "add": _added,
    "sub": _subtracted,
    "neg": _negated,
    "mul": _multiplied,
    "div": _divided,
    "sqr": _squared,
    "sqrt": _rooted,
}


def row_value(
    plan: Plan,
    row: int,
    variables: Sequence[Polynomial],
    box: Sequence[Interval],
    measured: Sequence[Interval],
    key: Any,
) -> Any:
    """A row with polynomials in d: at each point of the box, with measurements as given, some selection of the
    coefficients has its value.

    Its variable inputs are given as polynomials, and as intervals over the box. All nodes are enclosed there once one
    of them has to be.
    """
    values: list[Any] = plan.fixed_nodes(row, measured, key).copy()
    for node, variable in zip(plan.variables, variables, strict=True):
        values[node] = variable
    enclosed: list[Any] = []
    made = 0
    for node, operation, first, second in plan.varying_steps:
        plan.deadline.check()
        operands = (values[first], values[second]) if second >= 0 else (values[first],)
        value = OPERATIONS[operation](*operands) if operation in OPERATIONS else None
        if value is None:
            enclosed = enclosed or plan.nodes(row, box, measured, key)
            value = _outer(enclosed[node])
        made += len(value.inner) + len(value.outer) if isinstance(value, Rooted) else len(value)
        if made > MOST_COEFFICIENTS:
            raise Exhausted(f"a row has more than {MOST_COEFFICIENTS} coefficients on its way")
        values[node] = value
    return values[-1]


def _parts(value: Any) -> tuple[Polynomial, Polynomial]:
    """D and v of a row's value."""
    outer = value.outer if isinstance(value, Rooted) else _outer(value)
    inner = value.inner if isinstance(value, Rooted) else {}
    if max(_degree(inner), _degree(outer)) > HIGHEST_DEGREE:
        raise Undefined(f"a row of degree above {HIGHEST_DEGREE}")
    return inner, outer


def smaller_polynomial(value: Any, side: int, root_of_level: arb, shifts: Shifts) -> Polynomial:
    """A polynomial whose size is nowhere larger than the row's where the sum of squares is at most the level."""
    inner, outer = _parts(value)
    found = outer
    if isinstance(value, Rooted):
        low, high = poly_range(outer, shifts)
        most = root_of_level + TWO * (-low).max(high)
        difference = poly_add(inner, poly_negative(poly_square(outer)))
        found = {monomial: divide(coefficient, (most, most)) for monomial, coefficient in difference.items()}
    return _limited(found if side > 0 else poly_negative(found))


def row_polynomial(value: Any, side: int, bound: Interval, shifts: Shifts) -> Polynomial:
    """A polynomial that is <= 0 wherever side times the row is <= bound; `shifts` is the prepared box around its
    centre.
    """
    inner, outer = _parts(value)
    if side < 0:
        outer = poly_negative(outer)
    known = outer.get(CONSTANT)
    constant = negative(bound) if known is None else subtract(known, bound)
    beyond: Polynomial = {**outer, CONSTANT: constant}  # side times v, minus e
    if not isinstance(value, Rooted):
        found = beyond
    elif value.sign == side:  # the root is <= -beyond
        found = poly_add(inner, poly_negative(poly_square(beyond)))
    else:  # the root is >= beyond
        if not poly_range(beyond, shifts)[0] >= ZERO:
            raise Undefined("the other side of a root may be negative on the prepared box")
        found = poly_add(poly_square(beyond), poly_negative(inner))
    return _limited(found)


def product_polynomial(i: int, sign_i: int, j: int, sign_j: int, radii: Sequence[Any]) -> Polynomial:
    """Minus (rad_i - s_i d_i)(rad_j - s_j d_j)."""
    first: Polynomial = {CONSTANT: (radii[i], radii[i]), (i,): MINUS_UNIT if sign_i > 0 else UNIT}
    second: Polynomial = {CONSTANT: (radii[j], radii[j]), (j,): MINUS_UNIT if sign_j > 0 else UNIT}
    return poly_negative(poly_multiply(first, second))
