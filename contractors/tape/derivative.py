"""The partial derivatives of a tape, as another tape: reverse mode, node by node.

Enclosing the derived tape over a box X encloses the derivatives at every point of it. The root of a number is
differentiable only where the number is positive: the derived tape divides by the root, so that `defined` is False
where it may vanish.

|u|, min and max have corners. What is enclosed there are *slopes*, and these are what mean-value forms and Newton's
method need: for every two points p, q of X there is a matrix S in the enclosure J(X) with f(p) - f(q) = S (p - q).

*Proof.* For one operation: where it is continuously differentiable on X, this is the mean-value theorem on the
segment between p and q. min(u, v) is piecewise linear along the segment, with the derivative du or dv in each piece;
its mean is w du + (1 - w) dv with w in [0, 1], w = 1 where u <= v on all of X, w = 0 where u >= v. LESS(u, v) encloses
w and LESS(v, u) encloses 1 - w (where both are 1, u and v are the same constant, and du = dv = 0). max(u, v) has w and
1 - w exchanged, and |u| = max(u, -u). For a tape: substitute the slopes of its operations, each a number in its
interval, for the same p and q; the sum over all paths of the products of slopes is what reverse mode computes, and
interval arithmetic includes it.

*Uniqueness.* If K(X) = c - C f(c) + (I - C J(X)) (X - c) lies in the interior of X, then |I - C J| diam X < diam X, so
that C and every S in J(X) are regular. x - C f(x) = c - C f(c) + (I - C S)(x - c) maps X continuously into K(X): by
Brouwer's theorem it has a fixed point, a zero of f; and f(p) = f(q) = 0 gives S (p - q) = 0, p = q. Differentiability
was not used, continuity on X was.

Therefore `defined` of the derived tape must be False where f may jump. For sign, FLAT is 0 with `defined` False at
the jump. The derivatives of t = atan2(y, x) are written (cos t, -sin t) / r, r = |(x, y)|: they contain t itself,
which is not defined on a box that touches its cut, and r, by which is divided. x^y gives y x^(y - 1), defined for
x > 0, or x >= 0 if y > 1, and x^y log x, defined for x > 0. (Where a logarithm or atanh is undefined on all of X its
derivative is not, so that whoever concludes existence evaluates f at a point of X too.)
"""

from __future__ import annotations

import heapq
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint
from certify.contractors.tape.function_kernels import FUNCTIONS
from certify.contractors.tape.tape import BINARY, NULLARY, Builder, Operation, Tape, replay


def _adjoints(tape: Tape, builder: Builder, nodes: list[int], output: int) -> dict[int, int]:
    """For each node of the tape on which the output depends, the node of the builder that holds the output's derivative
    for it.
    """
    adjoint = {output: builder.constant(1)}
    waiting = [-output]  # a heap: the last node first, and only those on which the output depends

    def contribute(operand: int, amount: int) -> None:
        if operand in adjoint:
            adjoint[operand] = builder.add(adjoint[operand], amount)
        else:
            adjoint[operand] = amount
            heapq.heappush(waiting, -operand)

    while waiting and (node := -heapq.heappop(waiting)) >= tape.inputs:
        seed, value = adjoint[node], nodes[node]
        operation, f, s, _ = tape.steps[node - tape.inputs]
        if operation is Operation.ADD:
            contribute(f, seed)
            contribute(s, seed)
        elif operation is Operation.SUB:
            contribute(f, seed)
            contribute(s, builder.neg(seed))
        elif operation is Operation.MUL:
            contribute(f, builder.mul(seed, nodes[s]))
            contribute(s, builder.mul(seed, nodes[f]))
        elif operation is Operation.DIV:
            contribute(f, builder.div(seed, nodes[s]))
            contribute(s, builder.neg(builder.div(builder.mul(seed, value), nodes[s])))
        elif operation is Operation.NEG:
            contribute(f, builder.neg(seed))
        elif operation is Operation.SQR:
            contribute(f, builder.mul(seed, builder.mul(builder.constant(2), nodes[f])))
        elif operation in BINARY:
            first, second = _of_two(builder, operation, seed, nodes[f], nodes[s], value)
            contribute(f, first)
            if operation is not Operation.INTEGER_POWER:
                contribute(s, second)
        elif operation in FUNCTIONS:
            contribute(f, FUNCTIONS[operation].slope(builder, seed, nodes[f], value))
        elif operation not in NULLARY:
            raise ValueError(f"a derivative is derived again: {operation.name} has no slope")
    return adjoint


def _of_two(builder: Builder, operation: Operation, seed: int, u: int, v: int, value: int) -> tuple[int, int]:
    """seed times the slopes of an operation with respect to u and v, the second one unused for an integer power."""
    if operation is Operation.INTEGER_POWER:
        n = int(builder.value_of(v) or 0)
        slope = builder.mul(builder.constant(n), builder.integer_power(u, n - 1))
        return builder.mul(seed, slope), v
    if operation is Operation.MIN:
        return builder.mul(seed, builder.less(u, v)), builder.mul(seed, builder.less(v, u))
    if operation is Operation.MAX:
        return builder.mul(seed, builder.less(v, u)), builder.mul(seed, builder.less(u, v))
    if operation is Operation.ATAN2:
        radius = builder.sqrt(builder.add(builder.sqr(u), builder.sqr(v)))
        along = builder.div(builder.mul(seed, builder.cos(value)), radius)
        return along, builder.neg(builder.div(builder.mul(seed, builder.sin(value)), radius))
    if operation is Operation.POWER:
        slope = builder.mul(v, builder.power(u, builder.sub(v, builder.constant(1))))
        logarithm = builder.function(Operation.LOG, u)
        return builder.mul(seed, slope), builder.mul(seed, builder.mul(value, logarithm))
    raise ValueError(f"a derivative is derived again: {operation.name} has no slopes")


@lru_cache(maxsize=64)
def gradient(tape: Tape) -> Tape:
    """Outputs: the value of the tape's only output, then its partial derivative for each input."""
    builder = Builder(tape.inputs)
    nodes = replay(tape, builder, list(range(tape.inputs)))
    adjoint = _adjoints(tape, builder, nodes, tape.outputs[0])
    zero = builder.constant(0)
    return builder.tape((nodes[tape.outputs[0]], *(adjoint.get(i, zero) for i in range(tape.inputs))))


def jacobian(tape: Tape) -> tuple[Tape, NDArray[np.int64]]:
    """The partial derivatives that are not identically 0, as outputs, and for each its (output, input) of the tape."""
    builder = Builder(tape.inputs)
    nodes = replay(tape, builder, list(range(tape.inputs)))
    entries, places = [], []
    for row, output in enumerate(tape.outputs):
        checkpoint()
        adjoint = _adjoints(tape, builder, nodes, output)
        for i in sorted(node for node in adjoint if node < tape.inputs):
            if builder.value_of(adjoint[i]) != 0:
                entries.append(adjoint[i])
                places.append((row, i))
    return builder.tape(tuple(entries)), np.array(places, dtype=np.int64).reshape(-1, 2)
