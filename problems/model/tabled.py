"""A table of a notebook as exact numbers: columns of arrays, of a DataFrame or of lists, and the ends of unknowns.

    "d [mm]"                      a heading: the name, and the unit in which its numbers are
    "d half-width [um]"           how far the entries of d may be off, as tables of files say it
    "d lower [mm]", "d upper [mm]"    the ends of its entries instead
    "p.x", "p.y"                  names that differ behind a point: the components of one vector, p

Numbers mean what they are: an array of doubles exactly these doubles, text, `Decimal` and `Fraction` exactly what they
say. So 0.1 in code is another number than "0.1" in a table: `FloatConstant` warns where both meet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.table_columns import HALF_WIDTH, LOWER, ROLES, UPPER, VALUE
from certify.problems.formulas.float_constants import is_decimal
from certify.problems.formulas.units import UNITS, Dimension, Unit, nearest, shown, unit_named
from certify.problems.regressors.regressor import exact

HEADING = re.compile(r"(.*?)\s*[\[(]\s*([^\[\]()]*?)\s*[\])]")
FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}(\.[A-Za-z0-9_]{1,20})?")
NUMBERED = re.compile(r"([A-Za-z_]*)([0-9]+)")
PREFIXES = tuple("kMGmu\u00b5\u03bc")
SHOWN = 8
Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Stated:
    """A column or an unknown: its name, its unit, the ends of each entry (of an unknown there is one), and whether
    any number of it is a decimal rather than a double.
    """

    name: str
    unit: str
    ends: tuple[Ends, ...]
    decimal: bool


@dataclass(frozen=True, slots=True)
class _Entries:
    name: str
    role: str
    unit: str
    values: tuple[Fraction, ...]
    decimal: bool


def exact_columns(table: Any, half_widths: Mapping[str, Any] | None) -> list[Stated]:
    """The measured columns of a table, each entry with its ends; `half_widths` of those that the table gives none."""
    found = [_entries(heading, values) for heading, values in _by_heading(table).items()]
    stated = dict(half_widths or {})
    names = list(dict.fromkeys(entry.name for entry in found))
    for name in stated:
        if name not in names:
            raise InputError(f"half_widths has {shown(name)}, which is no column; {nearest(name, names)}")
    columns = [_column(name, [entry for entry in found if entry.name == name], stated.get(name)) for name in names]
    counts = {column.name: len(column.ends) for column in columns}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:SHOWN])
        raise InputError(f"the columns have different numbers of entries ({told}); give one for each row")
    if not columns or not columns[0].ends:
        raise InputError("the table has no rows; give a DataFrame, or a dictionary of columns, with one row at least")
    return columns


def exact_unknowns(unknowns: Mapping[str, Any]) -> list[Stated]:
    """What is sought, each with the ends of its search box."""
    found = []
    for heading, pair in unknowns.items():
        name, role, unit = _heading(str(heading))
        try:
            if isinstance(pair, (Mapping, Set)):
                raise TypeError
            low, high = pair
        except (TypeError, ValueError):
            raise InputError(f"unknown {name}: {pair!r:.40} is no pair of ends; give (lower, upper)") from None
        if role:
            raise InputError(f"unknown {shown(str(heading))}: {role} belongs to a column; give a plain name")
        ends = exact(low, f"unknown {name}: its lower end"), exact(high, f"unknown {name}: its upper end")
        found.append(Stated(name, unit, (ends,), any(map(is_decimal, (low, high)))))
    if not found:
        raise InputError("nothing is unknown; give each unknown its search box, such as {'x [mm]': (-5, 5)}")
    return found


def common_units(unit: str, stated: Sequence[Stated]) -> dict[Dimension, str]:
    """The unit of all that has a dimension: that of the rows if it is one of these, else the first that is stated."""
    if unit in UNITS and UNITS[unit].dimension == Dimension.ANGLE and unit != "rad":
        raise InputError(f"the rows are in {unit}, and angles are radians inside the model; give the unit 'rad'")
    units: dict[Dimension, str] = {}
    for name in (unit, *(one.unit for one in stated)):
        known = unit_named(name)
        if known is not None and known.dimension != Dimension.ANGLE:
            units.setdefault(known.dimension, name)
    _refuse_strangers([one for one in stated if unit_named(one.unit) is None])
    refuse_incoherent([named for text in units.values() if (named := unit_named(text)) is not None])
    return units


def refuse_incoherent(units: Sequence[Unit]) -> None:
    """Refuse units whose products do not meet in a formula, as of N/mm times m and N.

    Formula: sizes f of mm, N, s, A, K exist such that each unit is the product of their powers. Guarantee: units that
    pass need no factor between any two products of one dimension; decided exactly, by elimination.
    """
    rows: list[tuple[dict[str, Fraction], Fraction]] = []
    for unit in units:
        powers, size = dict(unit.dimension.in_formula), unit.factor * unit.dimension.scale
        for other, known in rows:
            base = next(iter(other))
            if base in powers:
                common = gcd(int(other[base]), int(powers[base]))
                ours, theirs = other[base] / common, powers[base] / common
                bases = {**other, **powers}
                powers = {b: powers.get(b, Fraction(0)) * ours - other.get(b, Fraction(0)) * theirs for b in bases}
                powers = {b: power for b, power in powers.items() if power}
                size = size ** int(ours) / known ** int(theirs)
        if powers:
            rows.append((powers, size))
        elif size != 1:
            before = ", ".join(one.name for one in units[: units.index(unit)])
            raise InputError(
                f"{unit.name} stands beside {before or 'plain numbers'}, and a formula multiplies numbers as they "
                f"are; write it in a unit made of the others, such as N/m beside N and m"
            )


def _refuse_strangers(stated: Sequence[Stated]) -> None:
    """Refuse units that are not known and would meet others with a factor between: deg/s, or kJ beside J."""
    names = {one.unit for one in stated}
    for one in stated:
        if re.search(r"deg|\u00b0", one.unit):
            raise InputError(
                f"{one.name} is in {shown(one.unit)}, and angles are radians inside the model; write it with rad"
            )
        if one.unit[:1] in PREFIXES and one.unit[1:] in names:
            raise InputError(f"{one.name} is in {shown(one.unit)}, another is in {shown(one.unit[1:])}; use one unit")


def in_one_unit(stated: Sequence[Stated], units: Mapping[Dimension, str]) -> list[Stated]:
    """All of a dimension in one unit, mrad as rad, exactly; deg stays deg, and so does what no unit is known of."""
    return [_converted(one, units) for one in stated]


def shapes(stated: Sequence[Stated]) -> dict[str, tuple[int, ...]]:
    """The fields of a model: () for a number, (n,) for the vector that names with a point make."""
    counts: dict[str, int] = {}
    for one in stated:
        name, point, _ = one.name.partition(".")
        if name in counts and (not point or not counts[name]):
            raise InputError(f"{one.name}: there is a {name} already, as a number and as a vector; rename one")
        counts[name] = counts.get(name, 0) + bool(point)
    order = [one.name.partition(".")[0] for one in stated]
    for name in counts:
        places = [k for k, other in enumerate(order) if other == name]
        if places != list(range(places[0], places[0] + len(places))):
            raise InputError(f"the components of {name} do not stand side by side; put them next to each other")
        told = [stated[k].name.partition(".")[2] for k in places]
        if set(told) <= set("xyz") | set("XYZ") and told != sorted(told, key=str.lower):
            raise InputError(f"the components of {name} stand as {', '.join(told)}; put them in order, x before y")
        numbered = [match for text in told if (match := NUMBERED.fullmatch(text))]
        numbers = [int(match[2]) for match in numbered]
        if len({match[1] for match in numbered}) == 1 and len(numbered) == len(told) and numbers != sorted(numbers):
            raise InputError(
                f"the components of {name} stand as {', '.join(told)[:80]}; put them in order, 2 before 10"
            )
    return {name: (count,) if count else () for name, count in counts.items()}


def _converted(one: Stated, units: Mapping[Dimension, str]) -> Stated:
    known = unit_named(one.unit)
    wanted = one.unit if known is None else units.get(known.dimension, known.canonical)
    if wanted == one.unit:
        return one
    factor = _factor(one.unit, wanted, one.name)
    return Stated(one.name, wanted, tuple((low * factor, high * factor) for low, high in one.ends), one.decimal)


def _by_heading(table: Any) -> dict[str, Any]:
    """The columns of a DataFrame, or of a dictionary."""
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        headings = [str(name) for name in table.columns]
        twice = next((name for name in headings if headings.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"two columns are called {shown(twice)}; give each a name of its own")
        return {str(name): table[name] for name in table.columns}
    if isinstance(table, Mapping):
        return {str(name): values for name, values in table.items()}
    raise InputError(
        f"the table is {type(table).__name__}; give a DataFrame, or a dictionary such as {{'x [mm]': [1, 2, 3]}}"
    )


def _heading(text: str) -> tuple[str, str, str]:
    """Name, role and unit of a heading."""
    match = HEADING.fullmatch(text)
    told, unit = (text.strip(), "1") if match is None else (match[1], match[2])
    role = next((role for role in ROLES if told.endswith(f" {role}")), VALUE)
    name = told.removesuffix(f" {role}") if role else told
    if FIELD.fullmatch(name) is None:
        raise InputError(
            f"{shown(text)} is no name for a model's formula; write a letter and at most 30 letters, digits or '_', "
            f"with a point before a vector's component, and the unit behind it, such as 'p.x [mm]'"
        )
    return name, role, unit or "1"


def _entries(heading: str, values: Any) -> _Entries:
    name, role, unit = _heading(heading)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise InputError(f"column {shown(heading)} is {values!r:.40}; give a column of numbers")
    if isinstance(values, (Mapping, Set)):  # whose keys, or no order, would be read
        raise InputError(f"column {shown(heading)} is a {type(values).__name__}; give its numbers in order, as a list")
    numbers = [value.item() if isinstance(value, np.generic) else value for value in values]
    found = tuple(exact(value, f"column {shown(heading)}, row {k}") for k, value in enumerate(numbers, 1))
    return _Entries(name, role, unit, found, any(map(is_decimal, numbers)))


def _column(name: str, own: Sequence[_Entries], stated: Any) -> Stated:
    roles = {entry.role: entry for entry in own}
    if len(roles) < len(own):
        raise InputError(f"column {name} is given twice; remove one")
    if set(roles) == {LOWER, UPPER} and stated is None:
        return _between(name, roles[LOWER], roles[UPPER])
    if set(roles) not in ({VALUE}, {VALUE, HALF_WIDTH}) or (HALF_WIDTH in roles and stated is not None):
        given = ", ".join(repr(f"{name} {role}".strip()) for role in roles)
        more = " and by half_widths" if stated is not None else ""
        raise InputError(
            f"column {name} is given by {given}{more}; give '{name}', with one half-width, or '{name} lower' and "
            f"'{name} upper'"
        )
    middle = roles[VALUE]
    widths, decimal = _widths(name, middle, roles.get(HALF_WIDTH), stated)
    for row, width in enumerate(widths, 1):
        if width < 0:
            raise InputError(f"column {name}, row {row}: its half-width {float(width)} is negative; give 0 or more")
    if len(widths) != len(middle.values):
        raise InputError(f"column {name} has {len(middle.values)} entries and {len(widths)} half-widths; give as many")
    ends = tuple((value - width, value + width) for value, width in zip(middle.values, widths, strict=True))
    return Stated(name, middle.unit, ends, middle.decimal or decimal)


def _widths(name: str, middle: _Entries, own: _Entries | None, stated: Any) -> tuple[Sequence[Fraction], bool]:
    """The half-widths in the unit of the column; none are 0: known exactly."""
    if own is not None:
        factor = _factor(own.unit, middle.unit, f"column {name} half-width")
        return [width * factor for width in own.values], own.decimal
    if stated is None:
        return [Fraction(0)] * len(middle.values), False
    what = f"half_widths[{name!r}]"
    if isinstance(stated, str) and " " in stated.strip():
        number, _, unit = stated.strip().partition(" ")
        return [exact(number, what) * _factor(unit.strip(), middle.unit, what)] * len(middle.values), True
    if isinstance(stated, (str, int, float, Fraction, Decimal)) or np.ndim(stated) == 0:
        return [exact(stated, what)] * len(middle.values), is_decimal(stated)
    numbers = [value.item() if isinstance(value, np.generic) else value for value in stated]
    return [exact(value, f"{what}, row {k}") for k, value in enumerate(numbers, 1)], any(map(is_decimal, numbers))


def _between(name: str, lower: _Entries, upper: _Entries) -> Stated:
    if len(lower.values) != len(upper.values):
        raise InputError(
            f"column {name} has {len(lower.values)} lower and {len(upper.values)} upper ends; give as many"
        )
    factor = _factor(upper.unit, lower.unit, f"column {name} upper")
    ends = tuple((low, high * factor) for low, high in zip(lower.values, upper.values, strict=True))
    for row, (low, high) in enumerate(ends, 1):
        if low > high:
            raise InputError(f"column {name}, row {row}: lower {float(low)} exceeds upper {float(high)}; exchange them")
    return Stated(name, lower.unit, ends, lower.decimal or upper.decimal)


def _factor(unit: str, wanted: str, what: str) -> Fraction:
    """By which a number in one unit is one in another, exactly."""
    if unit == wanted:
        return Fraction(1)
    one, other = unit_named(unit), unit_named(wanted)
    if one is not None and other is not None and one.dimension == other.dimension:
        told = one.of(other.dimension)
        if told.canonical == other.canonical:  # neither deg nor rad is an exact multiple of the other
            return told.factor / other.factor
    raise InputError(f"{what} is in {shown(unit)}, its column in {shown(wanted)}; use one unit")
