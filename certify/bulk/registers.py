"""Where the programs of a row's terms find what they begin with: the same places for all rows of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.bulk.bulk_rows import BulkRows
from certify.checker.interval import Arithmetic, Interval
from certify.checker.rules import Preparation

NUMBERS = (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 8))


@dataclass(frozen=True)
class Registers:
    """The nodes of the tape at the corner, the bound, some numbers, and for each input that is a variable its centre
    and how far it is from it; `places` are the positions of these variables. Behind the variables stand measurements
    that are unknowns, which differ from row to row: by column, behind the positions of all variables.
    """

    nodes: int
    variables: tuple[int, ...]
    places: dict[int, int]

    @staticmethod
    def of(rows: BulkRows, further: Sequence[int] = ()) -> Registers:
        """Of a family; `further` are the columns of measurements that are unknowns."""
        program, positions = rows.program, rows.scope.positions
        variables = {i: positions[variable] for i, variable in program.variables}
        entries = {i: len(positions) + further.index(column) for i, column in program.further}
        nodes = program.tape.inputs + len(program.tape.operations)
        return Registers(nodes, tuple(variables.values()), variables | entries)

    @property
    def entries(self) -> list[int]:
        """The positions of the measurements that are unknowns, input by input."""
        return list(self.places.values())[len(self.variables) :]

    @property
    def bound(self) -> int:
        """What the row may be off."""
        return self.nodes

    @property
    def one(self) -> int:
        """1"""
        return self.nodes + 1

    @property
    def zero(self) -> int:
        """0"""
        return self.nodes + 2

    @property
    def half(self) -> int:
        """1/2"""
        return self.nodes + 3

    @property
    def eighth(self) -> int:
        """1/8"""
        return self.nodes + 4

    @property
    def centres(self) -> dict[int, int]:
        """Of each variable, by input."""
        return dict(zip(self.places, self._pairs(0), strict=True))

    @property
    def offsets(self) -> dict[int, int]:
        """How far each variable is from its centre, by position."""
        return dict(zip(self.places.values(), self._pairs(1), strict=True))

    def _pairs(self, way: int) -> list[int]:
        """Centres (0) or offsets (1): those of all variables, then those of measurements."""
        first, found = self.nodes + 1 + len(NUMBERS), list[int]()
        for size in (len(self.variables), len(self.entries)):
            found += range(first + way * size, first + way * size + size)
            first += 2 * size
        return found

    @property
    def count(self) -> int:
        """All of them."""
        return self.nodes + 1 + len(NUMBERS) + 2 * len(self.places)

    def fixed(self, arithmetic: Arithmetic, preparation: Preparation) -> Sequence[Interval]:
        """What stands behind the bound, for all rows."""
        return [
            *map(arithmetic.enclose, NUMBERS),
            *(preparation.centre_spans[place] for place in self.variables),
            *(preparation.offsets[place] for place in self.variables),
        ]
