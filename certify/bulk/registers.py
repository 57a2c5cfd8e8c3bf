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
    and how far it is from it; `places` are the positions of these variables.
    """

    nodes: int
    places: dict[int, int]

    @staticmethod
    def of(rows: BulkRows) -> Registers:
        """Of a family."""
        program = rows.program
        places = {i: rows.scope.positions[variable] for i, variable in program.variables}
        return Registers(program.tape.inputs + len(program.tape.operations), places)

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
        first = self.nodes + 1 + len(NUMBERS)
        return {i: first + k for k, i in enumerate(self.places)}

    @property
    def offsets(self) -> dict[int, int]:
        """How far each variable is from its centre, by position."""
        first = self.nodes + 1 + len(NUMBERS) + len(self.places)
        return {place: first + k for k, place in enumerate(self.places.values())}

    @property
    def count(self) -> int:
        """All of them."""
        return self.nodes + 1 + len(NUMBERS) + 2 * len(self.places)

    def fixed(self, arithmetic: Arithmetic, preparation: Preparation) -> Sequence[Interval]:
        """What stands behind the bound."""
        places = self.places.values()
        return [
            *map(arithmetic.enclose, NUMBERS),
            *(preparation.centre_spans[place] for place in places),
            *(preparation.offsets[place] for place in places),
        ]
