"""Where the numbers stand in the files of a user, which are read as they are: what a problem file says of it.

    column            a heading, exactly as it stands in the file, or the number of a column, counted from 1
    Source            such a column with the unit of its numbers (None: its heading says it, such as 'x [mm]'), or one
        quantity for all poses
    value or ends     of a measured quantity: one column, or columns of its lower and its upper end, or a constant for
        each file
    half-width        times * what its source says

docs/tables.md explains how a problem file says it; `certify.problems.experiments.table_sections` reads that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from certify.problems.formulas.units import Quantity, Unit

COUNTED = "counted"  # instead of a column that names the poses


@dataclass(frozen=True, slots=True)
class Source:
    """A column by heading or number with its unit, or one quantity for all poses; `place` is where the problem file
    names it.
    """

    place: str
    column: str | int = ""
    unit: Unit | None = None
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a measured quantity stands: by role (value, lower, upper) in columns, or as a constant for each file; and
    its half-width, if the problem file says one.
    """

    sources: Mapping[str, Source]
    constants: tuple[Quantity, ...] = ()
    width: Source | None = None
    times: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written and where its columns stand; what is left out is found in the file itself."""

    separator: str = ""
    decimal: str = ""
    pose: str | int = ""
    header_line: int = 0
    first_line: int = 0
    places: Mapping[str, Place] = field(default_factory=dict)
    place: str = ""  # how the problem file begins in messages


PLAIN = Layout()
