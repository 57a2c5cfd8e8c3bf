"""Linear combinations of the equations in which nonlinear terms cancel; solutions of a system satisfy them too.

Every equation is expanded, exactly, into monomials of the variables and of the functions that occur (sin x is an atom
like a variable). Gauss and Jordan's elimination over the rationals, monomials of high degree first, brings rows to
light that have few nonlinear terms or none: in distance equations the squares cancel, which no contractor that looks at
one equation after the other can see. What is new and no more nonlinear than its parents joins the system, and so do
differences of two equations in which most terms cancel (long sums that all have in common); the solutions stay the
same.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

from certify.contractors.checkpoint import checkpoint
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder, Operation, Tape, replay

SHORTER = 0.6
TERMS = 2000  # of one expanded equation, and of all products that elimination may take
Monomial = tuple[tuple[int, int], ...]  # (node, exponent), ascending nodes
Polynomial = dict[Monomial, Fraction]


class _TooLong(Exception):
    """An expansion has more terms than are worth it."""


def _sum(first: Polynomial, second: Polynomial, factor: Fraction) -> Polynomial:
    """first + factor second"""
    total = dict(first)
    for monomial, value in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + factor * value
        if not total[monomial]:
            del total[monomial]
    return total


def _product(first: Polynomial, second: Polynomial) -> Polynomial:
    if len(first) * len(second) > TERMS:
        raise _TooLong
    total: Polynomial = {}
    for a, x in first.items():
        for b, y in second.items():
            powers = dict(a)
            for node, exponent in b:
                powers[node] = powers.get(node, 0) + exponent
            monomial = tuple(sorted(powers.items()))
            total[monomial] = total.get(monomial, Fraction(0)) + x * y
    return {monomial: value for monomial, value in total.items() if value}


def expanded(tape: Tape, wanted: list[int]) -> list[Polynomial]:
    """The outputs with these numbers as polynomials; what is no polynomial stays an atom. Raises _TooLong."""
    nodes: list[Polynomial] = [{((i, 1),): Fraction(1)} for i in range(tape.inputs)]
    for number, (operation, first, second, constant) in enumerate(tape.steps, tape.inputs):
        value: Polynomial
        match operation:
            case Operation.CONSTANT:
                value = {(): constant} if constant else {}
            case Operation.ADD:
                value = _sum(nodes[first], nodes[second], Fraction(1))
            case Operation.SUB:
                value = _sum(nodes[first], nodes[second], Fraction(-1))
            case Operation.NEG:
                value = _sum({}, nodes[first], Fraction(-1))
            case Operation.MUL:
                value = _product(nodes[first], nodes[second])
            case Operation.SQR:
                value = _product(nodes[first], nodes[first])
            case Operation.DIV if set(nodes[second]) == {()}:
                value = _sum({}, nodes[first], 1 / nodes[second][()])
            case _:
                value = {((number, 1),): Fraction(1)}
        nodes.append(value)
    return [nodes[tape.outputs[k]] for k in wanted]


def _degree(monomial: Monomial, inputs: int) -> int:
    """A function counts as a high power: it is what should cancel first."""
    return sum(exponent * (1 if node < inputs else 8) for node, exponent in monomial)


def _reduced(rows: list[tuple[Polynomial, set[int]]], inputs: int) -> list[tuple[Polynomial, set[int]]]:
    """The reduced row echelon form; each row with the set of the rows that it is made of."""
    now = dict(enumerate(rows))
    left = set(now)
    done: list[int] = []
    having: dict[Monomial, set[int]] = defaultdict(set)
    for k, (p, _) in now.items():
        for monomial in p:
            having[monomial].add(k)
    work = 0
    for column in sorted(having, key=lambda m: (-_degree(m, inputs), m)):
        if not having[column] & left:
            continue
        checkpoint()
        k = min(having[column] & left, key=lambda row: (len(now[row][0]), row))
        left.remove(k)
        done.append(k)
        pivot, origin = now[k]
        for row in having[column] - {k}:
            p, parents = now[row]
            work += len(p) + len(pivot)
            if work > 100 * TERMS:
                raise _TooLong
            changed = _sum(p, pivot, -p[column] / pivot[column])
            now[row] = changed, parents | origin
            for monomial in pivot:
                (having[monomial].add if monomial in changed else having[monomial].discard)(row)
    return [now[k] for k in done]


def _alike(polynomials: list[Polynomial]) -> list[list[int]]:
    """For each equation the earlier ones with which its difference may be short: only pairs that share most terms.

    Sums of a and b terms, of which s are in both, differ by a + b - 2 s terms or more. That is at most q min(a, b) only
    if s >= b / (1 + q): of any b - s + 1 terms of the second, the first has one too. The rarest are looked up.
    """
    having: dict[Monomial, list[int]] = defaultdict(list)
    for k, p in enumerate(polynomials):
        for monomial in p:
            having[monomial].append(k)
    found = []
    for number, second in enumerate(polynomials):
        checkpoint()
        rarest = sorted(second, key=lambda m: len(having[m]))[
            : 1 + math.floor(len(second) * (SHORTER / (1.0 + SHORTER) + 1e-9))
        ]
        near = {k for monomial in rarest for k in having[monomial] if k < number}
        found.append(sorted(near))
    return found


def _differences(polynomials: list[Polynomial]) -> list[Polynomial]:
    """For each equation the shortest difference with a multiple of an earlier one, where that is much shorter than
    both.
    """
    found: list[Polynomial] = []
    near = _alike(polynomials)
    work = sum(len(polynomials[k]) + len(polynomials[j]) for k, others in enumerate(near) for j in others)
    if work > 10 * TERMS * TERMS:
        return found
    for second, others in zip(polynomials, near, strict=True):
        shortest: Polynomial | None = None
        for first in (polynomials[k] for k in others):
            ratios = Counter(second[monomial] / first[monomial] for monomial in first if monomial in second)
            if ratios:
                factor, cancelled = ratios.most_common(1)[0]
                length = len(first.keys() | second.keys()) - cancelled
                if length <= SHORTER * min(len(first), len(second)) and (shortest is None or length < len(shortest)):
                    shortest = _sum(second, first, -factor)
        if shortest:
            found.append(shortest)
    return found


def _built(polynomial: Polynomial, builder: Builder, places: list[int]) -> int:
    """The polynomial as operations; monomials with one common variable are not gathered."""
    total = builder.constant(0)
    for monomial, value in sorted(polynomial.items()):
        node = builder.constant(1)
        for atom, exponent in monomial:
            power = places[atom]
            for bit in bin(exponent)[3:]:
                power = builder.sqr(power)
                if bit == "1":
                    power = builder.mul(power, places[atom])
            node = builder.mul(node, power)
        total = builder.add(total, builder.mul(builder.constant(value), node))
    return total


def with_combinations(equations: Equations) -> Equations:
    """The system and the combinations that are worth it; itself if there is none."""
    tape, numbers = equations.tape, equations.equalities.tolist()
    try:
        polynomials = expanded(tape, numbers)
        rows = _reduced([(p, {k}) for k, p in enumerate(polynomials)], tape.inputs)
    except _TooLong:
        return equations

    def nonlinear(p: Polynomial) -> int:
        return sum(_degree(m, tape.inputs) > 1 for m in p)

    new = [
        p
        for p, parents in rows
        if len(parents) > 1 and nonlinear(p) <= min(nonlinear(polynomials[k]) for k in parents) and p
    ]
    new += _differences(polynomials)
    if not new:
        return equations
    builder = Builder(tape.inputs)
    places = replay(tape, builder, list(range(tape.inputs)))
    outputs = [places[node] for node in tape.outputs] + [_built(p, builder, places) for p in new]
    zeros = np.zeros(len(new))
    return Equations(builder.tape(tuple(outputs)), np.append(equations.lower, zeros), np.append(equations.upper, zeros))
