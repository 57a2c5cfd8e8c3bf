"""The partial derivatives of a tape, as another tape: reverse mode, node by node.

Enclosing the derived tape over a box encloses the derivatives at every point of it. The root of a number is differentiable only where the number is
positive: the derived tape divides by the root, so that `defined` is False where it may vanish.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from contractors.tape import NULLARY, Builder, Operation, Tape, replay


def _adjoints(tape: Tape, builder: Builder, nodes: list[int], output: int) -> dict[int, int]:
    """For each node of the tape on which the output depends, the node of the builder that holds the output's derivative for it."""
    adjoint = {output: builder.constant(1)}

    def contribute(operand: int, amount: int) -> None:
        adjoint[operand] = builder.add(adjoint[operand], amount) if operand in adjoint else amount

    for position in range(output - tape.inputs, -1, -1):
        seed = adjoint.get(tape.inputs + position)
        if seed is None:
            continue
        operation, f, s, _ = tape.steps[position]
        value = nodes[tape.inputs + position]
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
        elif operation is Operation.SQRT:
            contribute(f, builder.div(seed, builder.mul(builder.constant(2), value)))
        elif operation is Operation.SIN:
            contribute(f, builder.mul(seed, builder.cos(nodes[f])))
        elif operation is Operation.COS:
            contribute(f, builder.neg(builder.mul(seed, builder.sin(nodes[f]))))
        elif operation not in NULLARY:
            contribute(f, _chain(builder, operation, seed, nodes[f], value))
    return adjoint


def _chain(builder: Builder, operation: Operation, seed: int, u: int, value: int) -> int:
    """seed f'(u) for the other functions; |u| has the slope u / |u|, undefined at 0."""
    one = builder.constant(1)
    if operation is Operation.EXP:
        return builder.mul(seed, value)
    if operation is Operation.LOG:
        return builder.div(seed, u)
    if operation is Operation.TAN:
        return builder.mul(seed, builder.add(one, builder.sqr(value)))
    if operation is Operation.ASIN:
        return builder.div(seed, builder.sqrt(builder.sub(one, builder.sqr(u))))
    if operation is Operation.ACOS:
        return builder.neg(builder.div(seed, builder.sqrt(builder.sub(one, builder.sqr(u)))))
    if operation is Operation.ATAN:
        return builder.div(seed, builder.add(one, builder.sqr(u)))
    if operation is Operation.SINH:
        return builder.mul(seed, builder.function(Operation.COSH, u))
    if operation is Operation.COSH:
        return builder.mul(seed, builder.function(Operation.SINH, u))
    if operation is Operation.TANH:
        return builder.mul(seed, builder.sub(one, builder.sqr(value)))
    return builder.mul(seed, builder.div(u, value))


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
        adjoint = _adjoints(tape, builder, nodes, output)
        for i in range(tape.inputs):
            if i in adjoint and builder.value_of(adjoint[i]) != 0:
                entries.append(adjoint[i])
                places.append((row, i))
    return builder.tape(tuple(entries)), np.array(places, dtype=np.int64).reshape(-1, 2)
