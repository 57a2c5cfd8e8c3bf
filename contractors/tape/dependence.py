"""What some nodes of a tape depend on: the operations that compute them, and the inputs that these read.

The operations are found from the last node backwards, and the search ends where nothing is left to be found, so that
what is local costs no more than it is wide, however long the tape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint
from certify.contractors.tape.tape import Tape

Numbers = NDArray[np.int64]


@njit(cache=True, error_model="numpy")
def needed(
    wanted: np.ndarray, inputs: int, code: np.ndarray, marked: np.ndarray, steps: np.ndarray, read: np.ndarray
) -> tuple[int, int]:
    """Write the operations to `steps`, ascending, and the inputs to `read`; how many of each.

    `marked` (one for each node) is scratch: False before and after.
    """
    last, waiting, found, inputs_found = -1, 0, 0, 0
    for node in wanted:
        if marked[node]:
            continue
        marked[node] = True
        if node >= inputs:
            waiting += 1
            last = max(last, node)
        else:
            read[inputs_found] = node
            inputs_found += 1
    node = last
    while waiting > 0:
        if marked[node]:
            marked[node] = False
            waiting -= 1
            steps[found] = node - inputs
            found += 1
            for k in range(1, 3):
                operand = code[node - inputs, k]
                if operand >= 0 and not marked[operand]:
                    marked[operand] = True
                    if operand >= inputs:
                        waiting += 1
                    else:
                        read[inputs_found] = operand
                        inputs_found += 1
        node -= 1
    for k in range(inputs_found):
        marked[read[k]] = False
    for k in range(found // 2):
        steps[k], steps[found - 1 - k] = steps[found - 1 - k], steps[k]
    return found, inputs_found


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists of numbers, one behind the other: list k is numbers[starts[k] : starts[k + 1]]."""

    starts: Numbers
    numbers: Numbers

    @staticmethod
    def of(lists: list[Numbers]) -> Lists:
        """From lists in order."""
        starts = np.cumsum([0, *(part.size for part in lists)], dtype=np.int64)
        return Lists(starts, np.concatenate([np.zeros(0, dtype=np.int64), *lists]))

    def turned(self, count: int) -> Lists:
        """For each number below `count` the lists that it is in."""
        order = np.argsort(self.numbers, kind="stable")
        lengths = np.bincount(self.numbers, minlength=count)
        which = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
        return Lists(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), which[order])

    def part(self, k: int) -> Numbers:
        """One list."""
        return self.numbers[self.starts[k] : self.starts[k + 1]]


def dependences(tape: Tape, wanted: list[Numbers]) -> tuple[Lists, Lists]:
    """For each list of nodes the operations that it needs, and the inputs that these read, both ascending."""
    marked = np.zeros(tape.nodes, dtype=np.bool_)
    steps, read = np.empty(len(tape.steps), dtype=np.int64), np.empty(tape.inputs, dtype=np.int64)
    operations, inputs = [], []
    for number, nodes in enumerate(wanted):
        if number % 64 == 0:
            checkpoint()
        count, inputs_count = needed(nodes, tape.inputs, tape.code, marked, steps, read)
        operations.append(steps[:count].copy())
        inputs.append(np.sort(read[:inputs_count]))
    return Lists.of(operations), Lists.of(inputs)
