"""Tapes and small matrices in the checker's arithmetic: what is concluded of joints rests on no other.

an interval (lo, hi) of integers stands for [lo, hi] 2^-PRECISION, and every operation rounds outwards
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from certify.checker.interval import Arithmetic, Interval
from certify.checker.tape import Calculus
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Operation, Tape
from certify.problems.errors import InputError

PRECISION = 72
ARITHMETIC = Arithmetic(PRECISION)
CALCULUS = Calculus(ARITHMETIC)
ZERO: Interval = (0, 0)

Vector = list[Interval]
Matrix = list[Vector]


class Program:
    """A tape of which some inputs are known once for all; `at` encloses its outputs for boxes of the others."""

    def __init__(self, tape: Tape, fixed: Mapping[int, Interval]) -> None:
        self._outputs = tape.outputs
        self._free = [i for i in range(tape.inputs) if i not in fixed]
        self._nodes: Vector = [fixed.get(i, ZERO) for i in range(tape.inputs)]
        self._steps = []
        moving = [i not in fixed for i in range(tape.inputs)]
        for node, step in enumerate(tape.steps, tape.inputs):
            moving.append(any(moving[k] for k in step[1:3] if k >= 0))
            if step.operation in (Operation.CONSTANT, Operation.PI):
                constant = step.constant
                self._nodes.append(CALCULUS.pi if constant is None else ARITHMETIC.enclose(constant))
                continue
            function = CALCULUS.functions.get(step.operation.name.lower())
            if function is None:
                raise InputError(
                    f"the model has the function {step.operation.name.lower()}, which is not enclosed here"
                )
            self._nodes.append(ZERO)
            if moving[node]:
                self._steps.append((function, node, step.first, step.second))
            else:
                self._nodes[node] = _applied(function, self._nodes, step.first, step.second)

    def at(self, inputs: Sequence[Interval]) -> Vector:
        """The outputs for these boxes of the inputs that are not known. Raises Undefined."""
        nodes = self._nodes.copy()
        for i, value in zip(self._free, inputs, strict=True):
            nodes[i] = value
        for function, node, first, second in self._steps:
            nodes[node] = function(nodes[first]) if second < 0 else function(nodes[first], nodes[second])
        return [nodes[output] for output in self._outputs]


def _applied(function: Callable[..., Interval], nodes: Vector, first: int, second: int) -> Interval:
    return function(nodes[first]) if second < 0 else function(nodes[first], nodes[second])


def of_floats(values: Iterable[float]) -> Vector:
    """Numbers near these, as thin intervals: what is chosen freely."""
    return [(k, k) for k in (round(Fraction(value) * ARITHMETIC.one) for value in values)]


def middles(values: Iterable[Interval]) -> Floats:
    """About the middles."""
    return np.array([float(Fraction(low + high, 2 * ARITHMETIC.one)) for low, high in values])


def fraction(end: int) -> Fraction:
    """What an end stands for."""
    return Fraction(end, ARITHMETIC.one)


def widened(value: Interval, by: int) -> Interval:
    """A larger interval."""
    return value[0] - by, value[1] + by


def size(value: Interval) -> int:
    """No number of the interval is larger in size."""
    return max(-value[0], value[1])


def product(first: Matrix, second: Matrix) -> Matrix:
    """first second"""
    columns = list(zip(*second, strict=True))
    return [[_inner(row, column) for column in columns] for row in first]


def times(matrix: Matrix, vector: Sequence[Interval]) -> Vector:
    """matrix vector"""
    return [_inner(row, vector) for row in matrix]


def _inner(row: Sequence[Interval], column: Sequence[Interval]) -> Interval:
    total = ZERO
    for a, b in zip(row, column, strict=True):
        total = ARITHMETIC.add(total, ARITHMETIC.mul(a, b))
    return total


def defect(matrix: Matrix) -> Matrix:
    """I - matrix"""
    one = (ARITHMETIC.one, ARITHMETIC.one)
    return [
        [ARITHMETIC.sub(one if i == j else ZERO, entry) for j, entry in enumerate(row)] for i, row in enumerate(matrix)
    ]
