"""Linear least squares in rational numbers: the solution of  A'A b = A'y,  which has as many digits as it needs.

Whether a model is linear is read from its tape; its columns are evaluated in fractions, so that no function but + - * /
may occur. Columns are scaled to integers and the normal equations are solved by fraction-free elimination. The cost is
told beforehand: that of the products, of numbers with so many bits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from certify.contractors.tape.tape import Operation, Tape
from certify.model_fits.linear_fit import Ends, LinearFit
from certify.model_fits.statistics import correlation, error
from certify.problems.model.model import Problem
from certify.problems.model_fits.columns import columns

Row = list[int]
READING, PRODUCT, WORDS = 5e-6, 2e-7, 2e-9  # seconds of a number, of a product, and more for a pair of words of 64 bits
MOST_SECONDS = 5.0  # where nobody asked for rational numbers


@dataclass(frozen=True)
class Exact:
    """Integer columns with their scales, and what they should sum to: sum b_j a_kj / s_j = y_k / s."""

    names: tuple[str, ...]
    rows: list[Row]  # a_k1 ... a_kp, y_k
    scales: list[int]

    @property
    def seconds(self) -> float:
        """What it takes, by estimate."""
        words = max((abs(number).bit_length() for row in self.rows[:100] for number in row), default=0) // 64 + 1
        return exact_seconds(len(self.rows), len(self.scales), words)


def exact_seconds(count: int, width: int, words: int = 2) -> float:
    """What rational numbers take in processor seconds, by estimate: rows of so many numbers."""
    return count * width * (READING + (width + 1) / 2 * (PRODUCT + WORDS * words**2))


def exact_rows(problem: Problem) -> Exact | None:
    """The rows of a model that is linear in all parameters; None if it is not, or has other functions."""
    (family,) = problem.families
    unknown = [i for i, binding in enumerate(family.bindings) if not binding.measured]
    found = columns(family.tape, unknown)
    monomials = [(i,) for i in unknown]
    if set(found.linear) != set(unknown) or not set(found.monomials) <= set(monomials):
        return None
    tape = found.builder.tape(tuple(found.column(m) for m in (*monomials, ())))
    names = tuple(problem.variables[family.bindings[i].index].name for i in unknown)
    rows = []
    for k in range(family.rows):
        given = [problem.columns[b.index].lower[k] if b.measured else Fraction(0) for b in family.bindings]
        row = _evaluated(tape, given)
        if row is None:
            return None
        rows.append([*row[:-1], -row[-1]])
    return scaled(names, rows)


def scaled(names: tuple[str, ...], rows: Sequence[Sequence[Fraction]]) -> Exact:
    """Rows of fractions, the last one what the others should sum to, as integers."""
    scales = [lcm(*(number.denominator for number in column)) for column in zip(*rows, strict=True)]
    return Exact(names, [[int(n * s) for n, s in zip(row, scales, strict=True)] for row in rows], scales)


def _evaluated(tape: Tape, inputs: Sequence[Fraction]) -> list[Fraction] | None:
    """The outputs; None where there is another function, or a division by 0."""
    nodes = list(inputs)
    for operation, first, second, constant in tape.steps:
        a, b = (nodes[k] if k >= 0 else Fraction(0) for k in (first, second))
        if operation is Operation.CONSTANT and constant is not None:
            nodes.append(constant)
        elif operation is Operation.ADD:
            nodes.append(a + b)
        elif operation is Operation.SUB:
            nodes.append(a - b)
        elif operation is Operation.MUL:
            nodes.append(a * b)
        elif operation is Operation.DIV and b:
            nodes.append(a / b)
        elif operation is Operation.NEG:
            nodes.append(-a)
        elif operation is Operation.SQR:
            nodes.append(a * a)
        else:
            return None
    return [nodes[output] for output in tape.outputs]


def solved(rows: Exact) -> LinearFit | None:
    """The only minimum; None if the columns are linearly dependent."""
    began, p = time.process_time(), len(rows.names)
    gram = [[0] * (p + 1) for _ in range(p + 1)]
    for i in range(p + 1):
        for j in range(i + 1):
            gram[i][j] = gram[j][i] = sum(row[i] * row[j] for row in rows.rows)
    determinant, answer = _solution([gram[i][:p] for i in range(p)], [gram[i][p] for i in range(p)])
    if not determinant:
        return None
    scale = [Fraction(s, rows.scales[p]) for s in rows.scales[:p]]
    values = [Fraction(one[0], determinant) * s for one, s in zip(answer, scale, strict=True)]
    least = Fraction(gram[p][p] * determinant - sum(gram[p][i] * answer[i][0] for i in range(p)), determinant)
    least /= rows.scales[p] ** 2
    inverse = [
        [Fraction(answer[i][1 + j], determinant) * rows.scales[i] * rows.scales[j] for j in range(p)] for i in range(p)
    ]
    return _fit(rows.names, values, least, inverse, len(rows.rows), time.process_time() - began)


def _fit(
    names: tuple[str, ...], values: list[Fraction], least: Fraction, inverse: list[list[Fraction]], count: int,
    seconds: float,
) -> LinearFit:  # fmt: skip
    """Statistics from the inverse of A'A."""
    spare, p = count - len(names), len(names)
    errors = {}
    if spare > 0:
        errors = {name: error((inverse[i][i],) * 2, (least, least), spare) for i, name in enumerate(names)}
    correlations: dict[tuple[str, str], Ends] = {}
    for i in range(p):
        for j in range(i):
            entries = inverse[i][j], inverse[i][i], inverse[j][j]
            correlations[names[j], names[i]] = correlation(*((entry, entry) for entry in entries))
    estimate = {name: float(value) for name, value in zip(names, values, strict=True)}
    ends = {name: (value, value) for name, value in zip(names, values, strict=True)}
    return LinearFit(estimate, ends, (least, least), errors, correlations, count, True, seconds)


def _solution(matrix: list[Row], right: Row) -> tuple[int, list[Row]]:
    """The determinant and, times it, the solution and the inverse, by Bareiss' elimination; a determinant of 0 if the
    matrix, which is not negative, is singular.
    """
    p = len(matrix)
    table = [[*matrix[i], right[i], *(int(i == j) for j in range(p))] for i in range(p)]
    previous = 1
    for k in range(p):
        pivot = table[k][k]  # of a matrix that is not negative it is 0 only if all is
        if not pivot:
            return 0, []
        for i in range(p):
            if i != k:
                factor = table[i][k]
                table[i] = [(pivot * a - factor * b) // previous for a, b in zip(table[i], table[k], strict=True)]
        previous = pivot
    return previous, [row[p:] for row in table]
