"""First and second derivatives of tapes in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exact_rows import Singular

from certify.checker.jet import Jet, Jets
from certify.checker.outcome import Clock
from certify.checker.polynomial import Algebra, Polynomial
from certify.checker.problem import CanonicalProblem
from certify.checker.scope import Scope


def differentiated(code: str, u: Fraction, w: Fraction) -> tuple[Fraction | int, Fraction | int, Fraction | int]:
    """The value and both partial derivatives."""
    return {
        "const": lambda: (u, 0, 0),
        "add": lambda: (u + w, 1, 1),
        "sub": lambda: (u - w, 1, -1),
        "mul": lambda: (u * w, w, u),
        "div": lambda: (u / w, 1 / w, -u / (w * w)),
        "neg": lambda: (-u, -1, 0),
        "sqr": lambda: (u * u, 2 * u, 0),
    }[code]()


Exact = tuple[Fraction, list[Fraction], list[list[Fraction]]]


def curved(code: str, u: Fraction, w: Fraction) -> tuple[Fraction | int, Fraction | int, Fraction | int]:
    """The second derivatives of an operation: twice in u, in both, twice in w."""
    if code == "div":
        return 0, -1 / w**2, 2 * u / w**3
    return {"mul": (0, 1, 0), "sqr": (2, 0, 0)}.get(code, (0, 0, 0))


def exact_jet(parsed: CanonicalProblem, point: Sequence[Fraction]) -> Exact:
    """The row, its derivatives and its second derivatives in its inputs, no roots: phi(u, w)'' by the chain rule of two
    operands.
    """
    size = len(point)
    numbers = range(size)
    flat = [[Fraction(0)] * size for _ in numbers]
    nodes: list[Exact] = [(value, [Fraction(int(i == j)) for j in numbers], flat) for i, value in enumerate(point)]
    for operation in parsed.tapes[0].operations:
        u, du, hu = nodes[operation.first] if operation.first >= 0 else (operation.value, [Fraction(0)] * size, flat)
        w, dw, hw = nodes[operation.second] if operation.second >= 0 else (Fraction(0), [Fraction(0)] * size, flat)
        if operation.code == "div" and w == 0:
            raise Singular
        value, a, b = differentiated(operation.code, u, w)
        uu, uw, ww = curved(operation.code, u, w)
        second = [
            [
                a * hu[i][j]
                + b * hw[i][j]
                + uu * du[i] * du[j]
                + uw * (du[i] * dw[j] + du[j] * dw[i])
                + ww * dw[i] * dw[j]
                for j in numbers
            ]
            for i in numbers
        ]
        nodes.append((Fraction(value), [a * x + b * y for x, y in zip(du, dw, strict=True)], second))
    return nodes[-1]


def holds(ends: tuple[int, int], value: Fraction, precision: int) -> bool:
    return ends[0] <= value * (1 << precision) <= ends[1]


def of_problem(parsed: CanonicalProblem, precision: int) -> tuple[Jet, Scope]:
    scope = Scope(parsed, (0,), precision)
    return jet_of(scope, Clock()), scope


def jet_of(scope: Scope, clock: Clock) -> Jet:
    """Over the whole box, the inputs of the tape are the variables in order."""
    arithmetic, program = scope.arithmetic, scope.program(0)
    moves: dict[int, Polynomial] = {i: {(i,): (arithmetic.one, arithmetic.one)} for i in range(len(scope.box))}
    centre = program.values([arithmetic.enclose((lower + upper) / 2) for lower, upper in scope.box])
    offsets = [arithmetic.span((lower - upper) / 2, (upper - lower) / 2) for lower, upper in scope.box]
    return Jets(Algebra(arithmetic, clock), program).row(scope.outward(scope.box), centre, moves, offsets)
