"""Which few rows to suspect of a wrong reading: those without which the smallest model error falls most, one after the
other.

Only a row that is active at the minimax point can lower the error when it is left out, so only these are tried. Rows
that are components of one pose go together. An estimate: the fewest rows that must be left out are another, dearer
question.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.minimax import minimise, sides_at

ACTIVE = 1e-3  # of the largest side: less below it is active

Row = tuple[int, int]  # block, row


def suspects(
    blocks: Sequence[Rows],
    variables: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    most: int,
    together: bool = False,
) -> tuple[Row, ...]:
    """At most so many rows; none if no model error is needed, fewer as soon as none is needed without them.

    `together`: rows of one number, of all blocks, are left out together, and told by the first block.
    """
    left = [np.arange(block.count) for block in blocks]
    found: list[Row] = []

    def best(kept: list[np.ndarray], x: Floats) -> tuple[float, Floats]:
        rows = [block.only(keep) for block, keep in zip(blocks, kept, strict=True)]
        answer = minimise(rows, tuple(n for n, block in enumerate(rows) if block.count), variables, box, x, trust)
        return answer.epsilon, answer.x

    error, x = best(left, start)
    while error > 0.0 and len(found) < most and sum(keep.size for keep in left) > 1:
        trials = []
        active = _active(blocks, left, x, error)
        for number, row in dict.fromkeys((0, row) for _, row in active) if together else active:
            without = [keep[keep != row] if together or n == number else keep for n, keep in enumerate(left)]
            trials.append((*best(without, x), (number, row)))
        if not trials:
            break
        error, x, (number, row) = min(trials, key=lambda trial: trial[0])
        found.append((number, row))
        left = [keep[keep != row] if together or n == number else keep for n, keep in enumerate(left)]
    return tuple(found)


def _active(blocks: Sequence[Rows], left: list[np.ndarray], x: Floats, error: float) -> list[Row]:
    """The rows one of whose sides is nearly the largest."""
    found = []
    for number, keep in enumerate(left):
        if keep.size:
            values, _ = sides_at([blocks[number].only(keep)], (0,), x)
            largest = values.reshape(2, -1).max(axis=0)
            found += [(number, int(row)) for row in keep[largest >= error * (1.0 - ACTIVE)]]
    return found
