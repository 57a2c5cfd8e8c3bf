"""Tables: linear rows a . x - y whose numbers are binary64, after the text of a problem (specification, 12.6). Of
`intervals` a record has two ends for each of its coefficients.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import arb, arb_mat, fmpq

from .outcome import Undefined

SIZE = 8  # bytes of a number
BITS = 1_024  # no finite number is beyond 2^1024
AT_A_TIME = 1_024  # records
NUMBER = struct.Struct("<d")
NOT_FINITE = "a number of the table is not finite"
NOT_IN_ORDER = "the lower end is above the upper end"


class Numbers:
    """The numbers at one place of all records, each read when it is asked for."""

    def __init__(self, table: Table, place: int) -> None:
        self.table, self.place = table, place

    def __len__(self) -> int:
        return self.table.rows

    def __getitem__(self, row: int) -> fmpq:
        table = self.table
        (value,) = NUMBER.unpack_from(table.data, table.start + SIZE * (row * table.numbers + self.place))
        if not math.isfinite(value):
            raise Undefined(NOT_FINITE)
        return fmpq(*value.as_integer_ratio())


@dataclass(frozen=True, slots=True)
class Table:
    """So many records of the numbers a_1, ..., a_width (or of both ends of each), lower and upper, from a byte on."""

    data: memoryview
    start: int
    width: int
    rows: int
    of_intervals: bool = False

    @property
    def numbers(self) -> int:
        """Of a record."""
        return (2 * self.width if self.of_intervals else self.width) + 2

    @property
    def size(self) -> int:
        """Its bytes."""
        return SIZE * self.rows * self.numbers

    def columns(self) -> list[tuple[Numbers, Numbers]]:
        """The lower and the upper ends of a_1, ..., a_width, of which there may be one only, and of y."""
        numbers = [Numbers(self, place) for place in range(self.numbers)]
        if self.of_intervals:
            return list(zip(numbers[::2], numbers[1::2], strict=True))
        return [*zip(numbers[:-2], numbers[:-2], strict=True), (numbers[-2], numbers[-1])]

    def bits(self) -> int:
        """Bits of the whole part of the largest number of the first records."""
        count = min(self.rows, AT_A_TIME) * self.numbers
        numbers = struct.unpack_from(f"<{count}d", self.data, self.start)
        return max((math.frexp(number)[1] for number in numbers if math.isfinite(number)), default=0)

    def sums(self, values: Sequence[arb]) -> Iterator[arb | None]:
        """a . x for each record whose coefficients are numbers, or nothing if these are not finite."""
        vector = arb_mat(self.width, 1, list(values))
        numbers_of_one = self.width + 2
        for first in range(0, self.rows, AT_A_TIME):
            count = min(AT_A_TIME, self.rows - first)
            start = self.start + first * numbers_of_one * SIZE
            numbers = struct.unpack_from(f"<{count * numbers_of_one}d", self.data, start)
            records = [numbers[k : k + self.width] for k in range(0, len(numbers), numbers_of_one)]
            finite = [all(map(math.isfinite, record)) for record in records]
            factors = [
                arb(a) if known else arb() for record, known in zip(records, finite, strict=True) for a in record
            ]
            totals = (arb_mat(count, self.width, factors) * vector).entries()
            yield from (total if known else None for total, known in zip(totals, finite, strict=True))
