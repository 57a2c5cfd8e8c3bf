"""A block of rows: K equations r_k(x, M_k) = 0 that share one tape and the same unknowns, and differ in their
measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.tape import Tape

if TYPE_CHECKING:
    from certify.contractors.tape.evaluation import Floats, Ranges


@dataclass(frozen=True, eq=False)
class Rows:
    """`unknowns[i]` is the place in the box of the tape's input i, or -1 if that input is measured.

    `lower` and `upper` (inputs, K) enclose the measurement boxes; their rows for unknowns are not used. `repeated`
    marks measured inputs that share one measurement with another input of the same row: they must not be narrowed one
    by one. `shared` are the numbers of the columns that other rows read, too, by input (-1: not so, or not asked for):
    rows of one number, of `numbers`, read one entry of such a column. `group` is the number of the blocks that are
    bounded together, as a distance, or -1.
    `expected` (inputs, K) says where in their boxes, from -1 to 1, shared entries are likely: it chooses, and claims
    nothing.
    """

    name: str
    tape: Tape
    unknowns: tuple[int, ...]
    lower: Floats
    upper: Floats
    repeated: tuple[bool, ...]
    shared: tuple[int, ...] = ()
    numbers: NDArray[np.int64] | None = None
    group: int = -1
    expected: Floats | None = None

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(self.lower.shape[1])

    def only(self, rows: Sequence[int] | NDArray[np.int64]) -> Rows:
        """These rows of the block."""
        chosen = np.asarray(rows, dtype=np.int64)
        lower, upper = (np.ascontiguousarray(ends[:, chosen]) for ends in (self.lower, self.upper))
        expected = None if self.expected is None else self.expected[:, chosen]
        return replace(self, lower=lower, upper=upper, numbers=self.row_numbers[chosen], expected=expected)

    @property
    def row_numbers(self) -> NDArray[np.int64]:
        """The number of each row in the whole that the block was taken from."""
        return np.arange(self.count, dtype=np.int64) if self.numbers is None else self.numbers

    @cached_property
    def shared_columns(self) -> tuple[int, ...]:
        """The columns that are shared, each once, ascending."""
        return tuple(sorted({column for column in self.shared if column >= 0}))

    @property
    def holding_shared(self) -> Rows:
        """The rows with shared entries that are not narrowed: they are as much as the other rows need."""
        if not self.shared_columns:
            return self
        kept = tuple(one or column >= 0 for one, column in zip(self.repeated, self.shared, strict=True))
        return replace(self, repeated=kept)

    @property
    def joint(self) -> bool:
        """Whether what other rows are matters to a row: by what it shares, or by what is bounded with it."""
        return bool(self.shared_columns) or self.group >= 0

    @cached_property
    def unknown_inputs(self) -> NDArray[np.int64]:
        """The inputs that are unknowns."""
        return np.array([i for i, place in enumerate(self.unknowns) if place >= 0], dtype=np.int64)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """For each of these inputs its place in the box."""
        return np.array([place for place in self.unknowns if place >= 0], dtype=np.int64)

    @cached_property
    def measured_inputs(self) -> tuple[int, ...]:
        """The inputs that are measured, once each."""
        return tuple(i for i, place in enumerate(self.unknowns) if place < 0)

    def with_box(self, box_lower: Floats, box_upper: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Tape inputs: the box for the unknowns, the given intervals (inputs, batch) for the rest."""
        low, high = lower.copy(), upper.copy()
        low[self.unknown_inputs] = box_lower[self.places, None]
        high[self.unknown_inputs] = box_upper[self.places, None]
        return low, high

    def widened(self, factor: float) -> Rows:
        """The rows with measurement boxes `factor` times as wide around their middles, rounded anyhow: for estimates
        only.
        """
        middle, half = 0.5 * (self.lower + self.upper), 0.5 * factor * (self.upper - self.lower)
        return replace(self, lower=middle - half, upper=middle + half)

    def enclose(self, box_lower: Floats, box_upper: Floats) -> Ranges:
        """The ranges of all rows over a box and their whole measurement boxes, by natural interval evaluation."""
        from certify.contractors.tape.evaluation import (
            evaluate,
        )  # the kernels are loaded when something is computed: to read a problem needs none

        return evaluate(self.tape, *self.with_box(box_lower, box_upper, self.lower, self.upper))
