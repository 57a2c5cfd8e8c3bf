"""The terms of second order of a system's rows: which rows are polynomials of second degree, and what d_i d_j is
multiplied by, d being the distance from a point. Floats that choose and prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.contractors.tape.tape import Operation, Tape
from certify.solvers.weights.enclosed_terms import DEGREE, INTERMEDIATE_DEGREE, EnclosedTerms

MOST_PRODUCTS = 150  # more rows make the programs dearer than they are worth
LARGE = 2**22  # entries of Jacobians that are formed at once
NEGLIGIBLE = 1e-14  # of the largest coefficient of second degree: rounding, not a term
SIGNS = ((1, 1), (1, -1), (-1, -1), (-1, 1))  # of the two faces; a variable with itself has three


def _degrees(tape: Tape) -> list[int]:
    """The degree of each node, as it is built; more than is allowed where it is no polynomial."""
    beyond = INTERMEDIATE_DEGREE + 1
    found = [1] * tape.inputs
    for operation, first, second, _ in tape.steps:
        left, right = (found[node] if node >= 0 else 0 for node in (first, second))
        match operation:
            case Operation.ADD | Operation.SUB | Operation.NEG:
                value = max(left, right)
            case Operation.MUL:
                value = left + right
            case Operation.SQR:
                value = 2 * left
            case Operation.DIV:
                value = left if right == 0 else beyond
            case _:
                value = beyond if left or right else 0
        found.append(min(value, beyond))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class SecondOrder:
    """The terms of second order of a system's rows, in d_i d_j, i <= j: of those that are polynomials of second degree
    the coefficients, of the `curved` others a tape of the second derivatives.
    """

    rows: Flags
    curved: NDArray[np.int64]
    pairs: NDArray[np.int64]  # (pair, 2)
    coefficients: Floats  # (row, pair); 0 for the other rows
    tape: Tape | None
    entries: NDArray[np.int64]  # of each output of the tape: the curved row, the pair
    products: NDArray[np.int64]  # (product, 4): i, its sign, j, its sign
    places: NDArray[np.int64]  # of the pair of each product
    enclosed: EnclosedTerms
    barred: (
        Flags  # (2, row or further expansion): no positive (negative) weights, as values above (below) 0 are allowed
    )

    @staticmethod
    def of(equations: Equations) -> SecondOrder:
        """Of the rows of a system."""
        tape = equations.tape
        degrees = _degrees(tape)
        exact = np.array([degrees[node] <= DEGREE for node in tape.outputs])
        if max(degrees) > INTERMEDIATE_DEGREE:
            exact &= np.array([_deepest(tape, degrees, node) <= INTERMEDIATE_DEGREE for node in tape.outputs])
        places, values = _coefficients(equations, exact)
        second, entries = _second_derivatives(equations, np.flatnonzero(~exact))
        enclosed = EnclosedTerms.of(equations)
        curving = {(a, b) for _, a, b in [*entries, *enclosed.entries.tolist(), *places.tolist()]}
        pairs = np.array(sorted(curving), dtype=np.int64).reshape(-1, 2)
        number = {pair: k for k, pair in enumerate(map(tuple, pairs.tolist()))}
        coefficients = np.zeros((len(tape.outputs), len(pairs)))
        coefficients[places[:, 0], [number[a, b] for a, b in places[:, 1:].tolist()]] = values
        placed = np.array([(row, number[a, b]) for row, a, b in entries], dtype=np.int64).reshape(-1, 2)
        products = [(a, s, b, t, k) for k, (a, b) in enumerate(pairs.tolist()) for s, t in SIGNS[: 3 if a == b else 4]]
        found = np.array(products if len(products) <= MOST_PRODUCTS else [], dtype=np.int64).reshape(-1, 5)
        curved = np.flatnonzero(~exact)
        allowed = np.stack((equations.upper > 0.0, equations.lower < 0.0))
        barred = np.concatenate((allowed, allowed[:, curved], allowed[:, enclosed.rows]), axis=1)
        return SecondOrder(
            exact,
            curved,
            pairs,
            coefficients,
            second if entries else None,
            placed,
            found[:, :4],
            found[:, 4],
            enclosed,
            barred,
        )

    def place(self, i: int, j: int) -> int:
        """The number of a pair."""
        return int(np.flatnonzero((self.pairs == (i, j)).all(axis=1))[0])

    def curvature(self, low: Floats, high: Floats) -> tuple[Floats, Floats, Flags]:
        """The coefficients (batch, curved row, pair) of the curved rows over boxes (variable, batch), and where these
        are twice differentiable.
        """
        shape = (low.shape[1], self.curved.size, len(self.pairs))
        ends = np.zeros(shape), np.zeros(shape)
        if self.tape is None:
            return *ends, np.ones(shape[:2], dtype=np.bool_)
        enclosure = evaluate(self.tape, low, high)
        rows, pairs = self.entries.T
        half = np.where(self.pairs[pairs, 0] == self.pairs[pairs, 1], 0.5, 1.0)
        with np.errstate(invalid="ignore"):
            for end, values in zip(ends, (enclosure.lower, enclosure.upper), strict=True):
                end[:, rows, pairs] = (half[:, None] * values).T
        known = np.isfinite(ends[0]).all(axis=2) & np.isfinite(ends[1]).all(axis=2) & enclosure.defined[:, None]
        for end in ends:
            end[~known] = 0.0
        return *ends, known


def _coefficients(equations: Equations, exact: Flags) -> tuple[NDArray[np.int64], Floats]:
    """Those of d_i d_j in these rows that are not 0: (row, i, j), i <= j, and their values.

    They are differences of derivatives, which are linear, at the unit vectors and at 0.
    """
    n, some = equations.variables, max(1, LARGE // (equations.variables * len(equations.tape.outputs)))

    def slopes(points: Floats) -> Floats:
        low, high, _ = equations.slopes(points, points)
        return np.asarray(0.5 * (np.where(exact[:, None, None], low, 0.0) + np.where(exact[:, None, None], high, 0.0)))

    at_zero, places, values, largest = slopes(np.zeros((n, 1))), [np.zeros((0, 3), dtype=np.int64)], [np.zeros(0)], 0.0
    for start in range(0, n, some):
        checkpoint()
        unit = np.eye(n)[:, start : start + some]
        found = np.where(unit > 0.0, 0.5, 1.0) * (slopes(unit) - at_zero)
        largest = max(largest, np.abs(found).max(initial=0.0))
        row, i, j = np.nonzero(found)
        above = i <= j + start
        places.append(np.stack((row, i, j + start), axis=1)[above])
        values.append(found[row, i, j][above])
    where, value = np.concatenate(places), np.concatenate(values)
    kept = np.abs(value) > NEGLIGIBLE * largest
    return where[kept], value[kept]


def _second_derivatives(equations: Equations, rows: NDArray[np.int64]) -> tuple[Tape, list[tuple[int, int, int]]]:
    """Those of some rows that are not identically 0, as outputs of a tape, and for each the number of its row among
    these, and i <= j.
    """
    tape, places = equations.derivatives
    second, entries = jacobian(tape)
    number = {row: k for k, row in enumerate(rows.tolist())}
    found = [(*places[entry].tolist(), j) for entry, j in entries.tolist()]
    kept = [k for k, (row, i, j) in enumerate(found) if row in number and i <= j]
    return Tape(second.inputs, second.steps, tuple(second.outputs[k] for k in kept)), [
        (number[found[k][0]], *found[k][1:]) for k in kept
    ]


def _deepest(tape: Tape, degrees: list[int], output: int) -> int:
    """The greatest degree of a node on which an output depends."""
    needed, greatest = {output}, 0
    for node in range(len(degrees) - 1, -1, -1):
        if node in needed:
            greatest = max(greatest, degrees[node])
            if node >= tape.inputs:
                step = tape.steps[node - tape.inputs]
                needed |= {operand for operand in (step.first, step.second) if operand >= 0}
    return greatest
