"""Second-order Taylor forms of many rows at once, in floats without rounding: what the checker's `t` terms will be,
estimated.

For each node of a tape: its value over a box of d, its derivative and half its second derivative in the direction d, as
intervals; a value is intersected with its mean-value form, as there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Operation, Tape

Range = tuple[Floats, Floats]


class Unsupported(ValueError):
    """A tape holds an operation that certificates do not know."""


@dataclass(frozen=True)
class Jet:
    """At d = 0 (K); over the box: value (K), derivative (K, n), half second derivative (K, n, n), each a lower and an
    upper end.
    """

    centre: Floats
    value: Range
    linear: Range
    square: Range


def _mul(a: Range, b: Range) -> Range:
    products = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return np.minimum.reduce(products), np.maximum.reduce(products)


def _add(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _column(a: Range, axes: int) -> Range:
    """A number for each row, to be multiplied with its derivatives."""
    shape = (slice(None), *(None,) * axes)
    return a[0][shape], a[1][shape]


def _outer(a: Range, b: Range) -> Range:
    return _mul((a[0][:, :, None], a[1][:, :, None]), (b[0][:, None, :], b[1][:, None, :]))


def _wave(u: Range, shift: float) -> Range:
    """The range of cos(u + shift)."""
    low, high = u[0] + shift, u[1] + shift
    ends = np.cos(low), np.cos(high)
    top = np.floor(high / (2 * np.pi)) >= np.ceil(low / (2 * np.pi))
    bottom = np.floor((high - np.pi) / (2 * np.pi)) >= np.ceil((low - np.pi) / (2 * np.pi))
    return np.where(bottom, -1.0, np.minimum(*ends)), np.where(top, 1.0, np.maximum(*ends))


class FloatJets:
    """A block of rows at the middles of its measurements; `positions` says which unknown each unknown input is."""

    def __init__(self, rows: Rows, positions: dict[int, int], measured: Floats) -> None:
        self._tape, self._positions = rows.tape, positions
        self._count = rows.count
        self._fixed = _fixed_nodes(rows.tape, set(positions), measured)

    def rows(self, x: Floats, matrix: Floats, radius: Floats) -> Jet:
        """The rows at x + matrix d for |d| <= radius; where they are undefined the numbers are not finite."""
        nodes: list[Jet | Floats] = list(self._fixed)
        n = len(radius)
        for i, position in self._positions.items():
            centre, move = np.full(self._count, x[position]), np.broadcast_to(matrix[position], (self._count, n))
            reach = np.full(self._count, float(np.abs(matrix[position]) @ radius))
            zero = np.zeros((self._count, n, n))
            nodes[i] = Jet(centre, (centre - reach, centre + reach), (move, move), (zero, zero))
        with np.errstate(all="ignore"):
            for node, (operation, first, second, _) in enumerate(self._tape.steps, self._tape.inputs):
                operands = [nodes[k] for k in (first, second) if k >= 0]
                if any(isinstance(operand, Jet) for operand in operands):
                    nodes[node] = _sharpened(
                        _evaluate(operation, [self._jet(operand, n) for operand in operands]), radius
                    )
            return self._jet(nodes[self._tape.outputs[0]], n)

    def squares(self, x: Floats, radius: Floats) -> Range:
        """Half the second derivative of the sum of the rows' squares over x +- radius (n, n)."""
        with np.errstate(all="ignore"):
            square = _function(Operation.SQR, self.rows(x, np.eye(len(x)), radius)).square
        return square[0].sum(axis=0), square[1].sum(axis=0)

    def _jet(self, node: Jet | Floats, n: int) -> Jet:
        if isinstance(node, Jet):
            return node
        linear, square = np.zeros((self._count, n)), np.zeros((self._count, n, n))
        return Jet(node, (node, node), (linear, linear), (square, square))


def _fixed_nodes(tape: Tape, unknown: set[int], measured: Floats) -> list[Floats]:
    """The nodes that depend on no unknown, others meaningless."""
    count = measured.shape[1]
    nodes: list[Floats] = [measured[i] for i in range(tape.inputs)]
    depends = [i in unknown for i in range(tape.inputs)]
    with np.errstate(all="ignore"):
        for operation, first, second, constant in tape.steps:
            depends.append(any(depends[k] for k in (first, second) if k >= 0))
            if operation in (Operation.CONSTANT, Operation.PI):
                nodes.append(np.full(count, np.pi if constant is None else float(constant)))
            elif depends[-1]:
                nodes.append(np.zeros(count))
            else:
                nodes.append(_number(operation, nodes[first], nodes[second]))
    return nodes


def _number(operation: Operation, u: Floats, w: Floats) -> Floats:
    functions: dict[Operation, Callable[[], Floats]] = {
        Operation.ADD: lambda: u + w, Operation.SUB: lambda: u - w, Operation.MUL: lambda: u * w,
        Operation.DIV: lambda: u / w,
        Operation.NEG: lambda: -u, Operation.SQR: lambda: u * u, Operation.SQRT: lambda: np.sqrt(u),
        Operation.SIN: lambda: np.sin(u), Operation.COS: lambda: np.cos(u),
        Operation.EXP: lambda: np.exp(u), Operation.LOG: lambda: np.log(u), Operation.ATAN: lambda: np.arctan(u),
    }  # fmt: skip
    if operation not in functions:
        raise Unsupported(f"{operation.name.lower()} is not an operation of certificates")
    return np.asarray(functions[operation]())


def _sharpened(jet: Jet, radius: Floats) -> Jet:
    reach = _mul(jet.linear, (-radius, radius))
    low, high = jet.centre + reach[0].sum(axis=1), jet.centre + reach[1].sum(axis=1)
    return Jet(jet.centre, (np.maximum(low, jet.value[0]), np.minimum(high, jet.value[1])), jet.linear, jet.square)


def _evaluate(operation: Operation, operands: list[Jet]) -> Jet:
    u = operands[0]
    if operation is Operation.NEG:
        return Jet(-u.centre, _negative(u.value), _negative(u.linear), _negative(u.square))
    if operation not in (Operation.ADD, Operation.SUB, Operation.MUL, Operation.DIV):
        return _function(operation, u)
    w = operands[1]
    if operation is Operation.SUB:
        w = Jet(-w.centre, _negative(w.value), _negative(w.linear), _negative(w.square))
    if operation in (Operation.ADD, Operation.SUB):
        return Jet(u.centre + w.centre, _add(u.value, w.value), _add(u.linear, w.linear), _add(u.square, w.square))
    if operation is Operation.DIV:
        return _quotient(u, w)
    linear = _add(_mul(u.linear, _column(w.value, 1)), _mul(w.linear, _column(u.value, 1)))
    square = _add(_add(_mul(u.square, _column(w.value, 2)), _mul(w.square, _column(u.value, 2))), _mixed(u, w))
    return Jet(u.centre * w.centre, _mul(u.value, w.value), linear, square)


def _mixed(u: Jet, w: Jet) -> Range:
    """u' w' as a symmetric form."""
    mixed = _outer(u.linear, w.linear)
    return 0.5 * (mixed[0] + mixed[0].transpose(0, 2, 1)), 0.5 * (mixed[1] + mixed[1].transpose(0, 2, 1))


def _bent(u: Jet) -> Range:
    """u'^2, its squares exactly."""
    bent = _outer(u.linear, u.linear)
    diagonal = np.arange(bent[0].shape[1])
    straddling = (u.linear[0] < 0.0) & (u.linear[1] > 0.0)
    bent[0][:, diagonal, diagonal] = np.where(straddling, 0.0, np.minimum(u.linear[0] ** 2, u.linear[1] ** 2))
    return bent


def _quotient(u: Jet, w: Jet) -> Jet:
    """u / w, term by term as the checker encloses it: a sum of intervals that is multiplied only then would be
    narrower.
    """
    low, high = w.value
    apart = (low > 0.0) | (high < 0.0)
    inverse = np.where(apart, 1.0 / high, np.nan), np.where(apart, 1.0 / low, np.nan)
    value = _mul(u.value, inverse)
    slope, curve = _negative(_mul(inverse, value)), _mul(_mul(value, inverse), inverse)
    linear = _add(_mul(u.linear, _column(inverse, 1)), _mul(w.linear, _column(slope, 1)))
    square = _add(_mul(u.square, _column(inverse, 2)), _mul(w.square, _column(slope, 2)))
    square = _add(square, _mul(_mixed(u, w), _column(_negative(_mul(inverse, inverse)), 2)))
    return Jet(u.centre / w.centre, value, linear, _add(square, _mul(_bent(w), _column(curve, 2))))


def _negative(a: Range) -> Range:
    return -a[1], -a[0]


def _function(operation: Operation, u: Jet) -> Jet:
    """A function of one number."""
    low, high = u.value
    if operation is Operation.SQR:
        centre, first, second = u.centre**2, (2.0 * low, 2.0 * high), (np.ones_like(low), np.ones_like(low))
        straddles = (low < 0.0) & (high > 0.0)
        value = np.where(straddles, 0.0, np.minimum(low**2, high**2)), np.maximum(low**2, high**2)
    elif operation is Operation.SQRT:
        centre, value = np.sqrt(u.centre), (np.sqrt(low), np.sqrt(high))
        first = 0.5 / value[1], np.where(low > 0.0, 0.5 / value[0], np.inf)
        second = -0.125 / value[0] ** 3, -0.125 / value[1] ** 3
    elif operation in (Operation.SIN, Operation.COS):
        shift = -0.5 * np.pi if operation is Operation.SIN else 0.0
        centre, value, first = np.cos(u.centre + shift), _wave(u.value, shift), _wave(u.value, shift + 0.5 * np.pi)
        second = -0.5 * value[1], -0.5 * value[0]
    elif operation is Operation.EXP:
        centre, value = np.exp(u.centre), (np.exp(low), np.exp(high))
        first, second = value, (0.5 * value[0], 0.5 * value[1])
    elif operation is Operation.LOG:
        centre, value, first = (
            np.log(u.centre),
            (np.log(low), np.log(high)),
            (1.0 / high, np.where(low > 0.0, 1.0 / low, np.nan)),
        )
        second = -0.5 * first[1] ** 2, -0.5 * first[0] ** 2
    elif operation is Operation.ATAN:
        centre, value = np.arctan(u.centre), (np.arctan(low), np.arctan(high))
        squares = np.where((low < 0.0) & (high > 0.0), 0.0, np.minimum(low**2, high**2)), np.maximum(low**2, high**2)
        first = 1.0 / (1.0 + squares[1]), 1.0 / (1.0 + squares[0])
        second = _mul(_negative(u.value), _mul(first, first))
    else:
        raise Unsupported(f"{operation.name.lower()} is not an operation of certificates")
    square = _add(_mul(u.square, _column(first, 2)), _mul(_bent(u), _column(second, 2)))
    return Jet(centre, value, _mul(u.linear, _column(first, 1)), square)
