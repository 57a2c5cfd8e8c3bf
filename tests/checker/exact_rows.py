"""Rows of random tapes in fractions: exact values, random problems around them, and what a form must contain."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from checker_texts import ProblemWriter, TapeWriter

from certify.checker.nodes import RowTerm
from certify.checker.outcome import Rejection
from certify.checker.polynomial import Polynomial
from certify.checker.problem import CanonicalProblem
from certify.checker.rules import Proof

FINE = 300


class Singular(Exception):
    """A division by zero or the root of a negative number."""


def exact(problem: CanonicalProblem, tape: int, inputs: Sequence[Fraction]) -> Fraction:
    """The tape on Fractions; a root is rounded at 2^-300 (to nearest below)."""
    nodes = list(inputs)
    for operation in problem.tapes[tape].operations:
        u = nodes[operation.first] if operation.first >= 0 else Fraction(0)
        w = nodes[operation.second] if operation.second >= 0 else Fraction(0)
        nodes.append(_exact_operation(operation.code, operation.value, u, w))
    return nodes[-1]


def _exact_operation(code: str, value: Fraction, u: Fraction, w: Fraction) -> Fraction:
    if (code == "div" and w == 0) or (code == "sqrt" and u < 0):
        raise Singular
    rules: dict[str, Callable[[], Fraction]] = {
        "const": lambda: value,
        "add": lambda: u + w,
        "sub": lambda: u - w,
        "mul": lambda: u * w,
        "div": lambda: u / w,
        "neg": lambda: -u,
        "sqr": lambda: u * u,
        "sqrt": lambda: Fraction(math.isqrt((u.numerator << (2 * FINE)) // u.denominator), 1 << FINE),
    }
    return rules[code]()


def number(rng: random.Random, reach: int = 3) -> Fraction:
    return Fraction(rng.randint(-reach * 12, reach * 12), rng.choice((1, 2, 3, 4, 5, 12)))


def random_tape(rng: random.Random, inputs: int, codes: Sequence[str], length: int) -> TapeWriter:
    """Random operations; the last one joins the last two nodes, so that much of the tape counts."""
    tape = TapeWriter(inputs)
    nodes = list(range(inputs))
    for _ in range(length):
        code = rng.choice(codes)
        if code == "const":
            nodes.append(tape.put("const", number(rng)))
        elif code in ("add", "sub", "mul", "div"):
            nodes.append(tape.put(code, rng.choice(nodes), rng.choice(nodes[-4:])))
        else:
            nodes.append(tape.put(code, rng.choice(nodes[-4:])))
    nodes.append(tape.put("add", nodes[-1], nodes[-2]))
    return tape


def interval(rng: random.Random) -> tuple[Fraction, Fraction]:
    low, width = number(rng), rng.choice((Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(2)))
    return low, low + width


def within(rng: random.Random, bounds: tuple[Fraction, Fraction]) -> Fraction:
    return bounds[0] + (bounds[1] - bounds[0]) * Fraction(rng.choice((0, 1, 2, 5, 7, 9, 10)), 10)


def random_problem(rng: random.Random, tape: TapeWriter, variables: int, rows: int = 1) -> ProblemWriter:
    measured = tape.inputs - variables
    writer = ProblemWriter([(f"x{i}", *interval(rng)) for i in range(variables)])
    writer.columns = [(f"m{i}", [interval(rng) for _ in range(rows)]) for i in range(measured)]
    writer.tapes = [("t", tape)]
    writer.families = [
        f"F 0 {rows} " + " ".join([f"v{i}" for i in range(variables)] + [f"c{i}" for i in range(measured)])
    ]
    return writer


def span_at(polynomial: Polynomial, point: Sequence[Fraction], precision: int) -> tuple[Fraction, Fraction]:
    """The polynomial at an exact d: the interval of all selections."""
    low = high = Fraction(0)
    for monomial, (a, b) in polynomial.items():
        value = math.prod((point[i] for i in monomial), start=Fraction(1)) / (1 << precision)
        low, high = low + min(a * value, b * value), high + max(a * value, b * value)
    return low, high


SMOOTH = ("add", "sub", "mul", "neg", "sqr", "const", "mul", "div")


def check_form(
    proof: Proof, rng: random.Random, form: str, side: int, transform: Callable[[Fraction, Fraction], Fraction]
) -> None:
    precision, problem = proof.scope.arithmetic.precision, proof.scope.problem
    try:
        polynomial = proof.polynomial(proof.root, RowTerm(form, 0, 0, side, Fraction(1)))
    except Rejection:
        return
    corner = proof.corner(proof.root, 0, 0, side)
    e = Fraction(proof.scope.arithmetic.ceiling(Fraction(1, 3)) + corner.slack, 1 << precision)
    for _ in range(5):
        x = [within(rng, bounds) for bounds in proof.root.box]
        h = [within(rng, (Fraction(a, 1 << precision), Fraction(b, 1 << precision))) for a, b in corner.inputs[2:]]
        low, high = span_at(polynomial, [a - b for a, b in zip(x, proof.root.centre, strict=True)], precision)
        assert low <= transform(exact(problem, 0, [*x, *h]), e) <= high


def rooted_tape(rng: random.Random, sigma: int) -> tuple[TapeWriter, int, int]:
    """r = k (sigma sqrt(D) + v): D is 40 + a square - a polynomial, k a constant; the nodes of D and v."""
    tape = TapeWriter(4)

    def affine() -> int:
        node = tape.put("mul", rng.choice((0, 1)), tape.put("const", number(rng, 1)))
        return tape.put("add", node, rng.choice((2, 3)))

    radicand = tape.put(
        "add", tape.put("mul", affine(), affine()), tape.put("add", tape.put("sqr", affine()), tape.put("const", 400))
    )
    rest = affine() if rng.random() < 0.7 else tape.put("add", affine(), tape.put("mul", 0, 1))
    root = tape.put("sqrt", radicand)
    if sigma < 0:
        root = tape.put("neg", root)
    total = tape.put(*rng.choice([("add", root, rest), ("sub", root, tape.put("neg", rest)), ("add", rest, root)]))
    tape.put(rng.choice(("mul", "div")), total, tape.put("const", rng.choice(("-2", "1/3", "5", "-7/4"))))
    return tape, radicand, rest


def weight(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 40), 1 << rng.randint(0, 6))


def shrink(
    rng: random.Random, box: tuple[tuple[Fraction, Fraction], ...], x: Sequence[Fraction]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """A smaller box that holds x, sometimes on its face."""
    parts = [(rng.choice((0, Fraction(1, 2), 1)), rng.choice((0, Fraction(1, 3), 1))) for _ in box]
    return tuple(
        (low + (v - low) * s, v + (high - v) * t) for (low, high), v, (s, t) in zip(box, x, parts, strict=True)
    )
