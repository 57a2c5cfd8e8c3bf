"""A tape evaluated over a batch of boxes: the inclusion theorem of interval arithmetic, on arrays.

Inputs are arrays (inputs, batch) of lower and upper ends; node after node is computed for the whole batch, in blocks
that stay in cache. A batch entry is `defined` if no divisor contained 0, no root reached below 0, no sign or angle
jumped (`functions` says when): only then is the tape a continuous function on the whole box. Where it is not, the
enclosure covers the points at which the tape is defined.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.numbers.rounded import (
    INFINITY,
    above,
    below,
    divide,
    divide_extended,
    multiply,
    square,
    square_root,
)
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.function_kernels import image
from certify.contractors.tape.functions_of_two import image_of_power, image_of_two
from certify.contractors.tape.tape import Operation, Tape

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CONSTANT, PI = int(Operation.CONSTANT), int(Operation.PI)
ADD, SUB, MUL, DIV = int(Operation.ADD), int(Operation.SUB), int(Operation.MUL), int(Operation.DIV)
NEG, SQR, SQRT = int(Operation.NEG), int(Operation.SQR), int(Operation.SQRT)
AT_ONCE, LEAST_BLOCK = 2**17, 64  # ends that are computed at once, and boxes: more leave the cache, and fill the memory
MIN, INTEGER_POWER = int(Operation.MIN), int(Operation.INTEGER_POWER)  # between these two there are two operands


@njit(cache=True, error_model="numpy", nogil=True)
def forward_some(
    steps: np.ndarray, inputs: int, code: np.ndarray, constants: np.ndarray, low: np.ndarray, high: np.ndarray,
    defined: np.ndarray,
) -> None:  # fmt: skip
    """Fill those rows of low and high (nodes, batch) that belong to these operations, in this order."""
    batch = low.shape[1]
    for j in steps:
        operation, f, s, n = code[j, 0], code[j, 1], code[j, 2], inputs + j
        if operation == ADD:
            for i in range(batch):
                low[n, i] = below(low[f, i] + low[s, i])
                high[n, i] = above(high[f, i] + high[s, i])
        elif operation == SUB:
            for i in range(batch):
                low[n, i] = below(low[f, i] - high[s, i])
                high[n, i] = above(high[f, i] - low[s, i])
        elif operation == MUL:
            for i in range(batch):
                low[n, i], high[n, i] = multiply(low[f, i], high[f, i], low[s, i], high[s, i])
        elif operation == SQR:
            for i in range(batch):
                low[n, i], high[n, i] = square(low[f, i], high[f, i])
        elif operation == NEG:
            for i in range(batch):
                low[n, i], high[n, i] = -high[f, i], -low[f, i]
        elif operation == DIV:
            for i in range(batch):
                if low[s, i] <= 0.0 <= high[s, i]:
                    defined[i] = False
                if low[s, i] <= 0.0 <= high[s, i] and low[s, i] < high[s, i]:
                    low[n, i], high[n, i] = divide_extended(low[f, i], high[f, i], low[s, i], high[s, i])
                else:
                    low[n, i], high[n, i] = divide(low[f, i], high[f, i], low[s, i], high[s, i])
        elif operation == SQRT:
            for i in range(batch):
                if low[f, i] < 0.0:
                    defined[i] = False
                if high[f, i] < 0.0:
                    low[n, i], high[n, i] = -INFINITY, INFINITY
                else:
                    low[n, i], high[n, i] = square_root(low[f, i], high[f, i])
        elif operation == PI:
            for i in range(batch):
                low[n, i], high[n, i] = PI_LOWER, PI_UPPER
        elif operation == CONSTANT:
            for i in range(batch):
                low[n, i], high[n, i] = constants[j, 0], constants[j, 1]
        elif operation < MIN or operation > INTEGER_POWER:
            for i in range(batch):
                low[n, i], high[n, i], whole = image(operation, low[f, i], high[f, i])
                defined[i] &= whole
        elif operation == INTEGER_POWER:
            for i in range(batch):
                low[n, i], high[n, i], whole = image_of_power(low[f, i], high[f, i], int(low[s, i]))
                defined[i] &= whole
        else:
            for i in range(batch):
                low[n, i], high[n, i], whole = image_of_two(operation, low[f, i], high[f, i], low[s, i], high[s, i])
                defined[i] &= whole


@njit(cache=True, error_model="numpy", nogil=True)
def forward(
    inputs: int, code: np.ndarray, constants: np.ndarray, low: np.ndarray, high: np.ndarray, defined: np.ndarray
) -> None:
    """Fill the rows of low and high (nodes, batch) behind the inputs."""
    forward_some(np.arange(code.shape[0]), inputs, code, constants, low, high, defined)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ends of the outputs, arrays (outputs, batch), and where the tape is defined on the whole box."""

    lower: Floats
    upper: Floats
    defined: Flags

    @property
    def estimated_middle(self) -> Floats:
        """Midpoints where they are finite, else 0: for estimates only."""
        finite = np.isfinite(self.lower) & np.isfinite(self.upper)
        return 0.5 * (np.where(finite, self.lower, 0.0) + np.where(finite, self.upper, 0.0))


def evaluate(tape: Tape, lower: Floats, upper: Floats) -> Ranges:
    """Enclose the outputs of a tape over a batch of boxes; `lower` and `upper` have the shape (inputs, batch)."""
    require_nearest()
    batch = lower.shape[1]
    block = max(AT_ONCE // tape.nodes, LEAST_BLOCK)
    shape = len(tape.output_nodes), batch
    ranges = Ranges(np.empty(shape), np.empty(shape), np.ones(batch, dtype=np.bool_))
    low, high = (np.empty((tape.nodes, min(block, batch))) for _ in range(2))
    for start in range(0, batch, block):
        part = slice(start, min(start + block, batch))
        if part.stop - start < block:
            low, high = (np.empty((tape.nodes, part.stop - start)) for _ in range(2))
        low[: tape.inputs], high[: tape.inputs] = lower[:, part], upper[:, part]
        forward(tape.inputs, tape.code, tape.constants, low, high, ranges.defined[part])
        ranges.lower[:, part], ranges.upper[:, part] = low[tape.output_nodes], high[tape.output_nodes]
    return ranges
