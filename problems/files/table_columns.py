"""Which columns of a file are read: those with headings of ours, and those that the problem file names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

from certify.problems.errors import InputError
from certify.problems.files.layout import COUNTED, Layout, Place, Source
from certify.problems.formulas.units import (
    Dimension,
    Unit,
    example_unit,
    is_decimal,
    mistyped,
    shown,
    unit_named,
    unit_of,
)

POSE = "pose"
VALUE, HALF_WIDTH, LOWER, UPPER = "", "half-width", "lower", "upper"
ROLES = (HALF_WIDTH, LOWER, UPPER)
LONGEST, LATIN = 40, 256  # characters of a heading, and how many of Latin-1 there are
SHOWN = 8  # headings in a message
MAX_COMPARED = 60  # characters of a heading that is compared with a mistyped one
_HEADING = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,30})(?: (half-width|lower|upper))?(?: ?\[([^\[\]]*)\])?")
_NEAR_ROLE = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,30})[ _-]+([A-Za-z_ -]{4,12}?)(?: ?\[[^\[\]]*\])?")
_UNIT_AT_END = re.compile(r".*[\[(]\s*([^\[\]()]*?)\s*[\])]")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a file that is read: for which quantity and role, its number from 0, its unit, and how a message
    calls it.
    """

    name: str
    role: str
    index: int
    unit: Unit
    times: Fraction
    told: str


def header_of(first: list[str], layout: Layout, expected: Mapping[str, Dimension], place: str) -> list[str] | None:
    """The headings, if the first line has any: where all columns are named by number it has none as soon as one of
    those is a number; refused where these numbers count the columns, as other programs write for headings.
    """
    named = [s.column for p in layout.places.values() for s in (*p.sources.values(), *([p.width] if p.width else []))]
    named += [layout.pose] if layout.pose != COUNTED else []
    numbers = [column for column in named if isinstance(column, int)]
    by_number = all(name in layout.places for name in expected) and not any(
        isinstance(column, str) and column for column in named
    )
    if layout.header_line or not by_number:
        return first
    if not any(is_decimal(first[k - 1]) for k in numbers if k <= len(first)):
        return first
    if len(first) > 1 and any(first == [str(k + start) for k in range(len(first))] for start in (0, 1)):
        raise InputError(
            f"{place}: its first line counts its columns ({', '.join(first[:3])}, ...); remove it, or write "
            f"header_line = 1 under [table], or decimals ({first[0]}.0) if it is a pose"
        )
    return None


def name_of_ours(heading: str) -> str:
    """The quantity whose heading of ours with a unit this is; nothing if it is none."""
    match = _HEADING.fullmatch(heading)
    return match[1] if match is not None and match[3] is not None else ""


def bare(heading: str) -> str:
    """A heading without the unit at its end."""
    match = _UNIT_AT_END.fullmatch(heading)
    unit = unit_named(match[1]) if match is not None else None
    return heading if match is None or unit is None or unit.name == "1" else heading[: match.start(1)].rstrip("[( ")


def stands(where: Place, headings: list[str]) -> bool:
    """Whether a file with these headings has the columns of a quantity."""
    columns = [source.column for source in where.sources.values()]
    return all(column in headings if isinstance(column, str) else column <= len(headings) for column in columns)


def columns_read(
    headings: list[str], has_header: bool, expected: Mapping[str, Dimension], layout: Layout, place: str
) -> tuple[int | None, list[TableColumn]]:
    """Which column names the poses, if one does, and which ones are read."""
    stated = {name: where for name, where in layout.places.items() if name in expected}
    plain = {name: dimension for name, dimension in expected.items() if name not in stated}
    _no_numbers(headings, plain, place)
    found = _plain_columns(headings, plain, place)
    for name, where in stated.items():
        found += _stated_columns(name, expected[name], where, headings, has_header, place)
    return _pose(headings, has_header, layout, place), found


def _pose(headings: list[str], has_header: bool, layout: Layout, place: str) -> int | None:
    """The column that names the poses."""
    if layout.pose not in ("", COUNTED):
        return _numbered(layout.pose, headings, has_header, place, layout.place)
    if layout.pose == COUNTED or POSE not in headings:
        return None
    if headings.count(POSE) > 1:
        raise InputError(f"{place}: column {POSE} occurs twice; remove one, or write pose = ... under [table]")
    return headings.index(POSE)


def _no_numbers(headings: list[str], plain: Mapping[str, Dimension], place: str) -> None:
    if plain and all(is_decimal(heading) for heading in headings):
        name, dimension = next(iter(plain.items()))
        raise InputError(
            f"{place}: it holds numbers, where headings are needed; write a header line, or say by numbers where the "
            f'columns stand: under [columns] {name} = {{ column = 1, unit = "{example_unit(dimension)}" }}'
        )


def _plain_columns(headings: list[str], expected: Mapping[str, Dimension], place: str) -> list[TableColumn]:
    """The columns with headings of ours."""
    found: list[TableColumn] = []
    for k, text in enumerate(headings):
        at = f"{place}, column {k + 1}"
        match = _HEADING.fullmatch(text)
        if match is None or match[1] not in expected:
            _near_role(text, expected, at)
            continue
        name, role = match[1], match[2] or VALUE
        if match[3] is None:
            remedy = f"such as '{name} [{example_unit(expected[name])}]', or say it under [columns]"
            raise InputError(f"{at}: column {name} has no unit, {expected[name].told} is needed; write it {remedy}")
        unit = unit_of(match[3], expected[name], f"{at}: column {name}")
        found.append(TableColumn(name, role, k, unit, Fraction(1), " ".join(filter(None, (name, role)))))
    _complete(found, expected, headings, place)
    return found


def _near_role(text: str, expected: Mapping[str, Dimension], at: str) -> None:
    """Refuse what seems to be meant as a companion of a column, but would not be read."""
    match = _NEAR_ROLE.fullmatch(text)
    if match is not None and match[1] in expected:
        close = get_close_matches(match[2].lower().replace("_", "-"), ROLES, n=1, cutoff=0.75)
        if close:
            raise InputError(
                f"{at}: {shown(text)} would not be read; did you mean '{match[1]} {close[0]}'? Rename it, or say under "
                f"[columns] where {match[1]} and its half-width stand"
            )


def _complete(found: list[TableColumn], expected: Mapping[str, Dimension], headings: list[str], place: str) -> None:
    """Each column once, with the companions that it needs."""
    units: dict[str, dict[str, str]] = {}
    for column in found:
        roles = units.setdefault(column.name, {})
        if column.role in roles:
            raise InputError(f"{place}: column {column.told} occurs twice; remove one")
        roles[column.role] = column.unit.canonical
    missing = [name for name in expected if name not in units]
    if missing:
        also = f"; so are {', '.join(missing[1:])}" if len(missing) > 1 else ""
        told = _missing(missing[0], expected[missing[0]], headings)
        raise InputError(f"{place}: column {missing[0]} is missing; {told}{also}")
    for name in expected:
        roles = units[name]
        if set(roles) not in ({VALUE}, {VALUE, HALF_WIDTH}, {LOWER, UPPER}):
            given = ", ".join(repr(" ".join(filter(None, (name, role)))) for role in roles)
            remedy = f"give '{name}', or '{name}' and '{name} half-width', or '{name} lower' and '{name} upper'"
            raise InputError(f"{place}: column {name} is given by {given}; {remedy}")
        one_unit(name, set(roles.values()), place)


def one_unit(name: str, units: set[str], place: str) -> None:
    if len(units) > 1:
        raise InputError(
            f"{place}: column {name} mixes deg and rad, between which no exact factor exists; use one of them"
        )


def _missing(name: str, dimension: Dimension, headings: list[str]) -> str:
    """What to do about a column of ours that is not there."""
    unit = example_unit(dimension)
    close = get_close_matches(name, [heading.split(" ")[0] for heading in headings], n=1, cutoff=0.5)
    alike = next((heading for heading in headings if close and heading.split(" ")[0] == close[0]), None)
    where = shown(alike) if alike else f"'{name} [{unit}]'"
    hint = f"did you mean {shown(alike)}? " if alike else ""
    example = f'{name} = {{ column = "HEADING", unit = "{unit}" }}'
    return (
        f"the header has {listed(headings)}; {hint}{'Rename it' if alike else f'add {where}'}, or say under [columns] "
        f"which one it is, such as {example}"
    )


def listed(headings: Sequence[str]) -> str:
    """Some headings, as a message tells them: umlauts and degrees as they are, to be copied."""
    more = f" and {len(headings) - SHOWN} more" if len(headings) > SHOWN else ""
    return ", ".join(_heading(heading) for heading in headings[:SHOWN]) + more


def _heading(text: str) -> str:
    plain = len(text) <= LONGEST and text.isprintable() and all(ord(character) < LATIN for character in text)
    return repr(text) if plain else shown(text)


def _numbered(column: str | int, headings: list[str], has_header: bool, place: str, said: str) -> int:
    """The number from 0 of a column that the problem file names."""
    if isinstance(column, int):
        if column > len(headings):
            raise InputError(f"{said}: there is no column {column} in {place}; it has {len(headings)}, counted from 1")
        return column - 1
    count = headings.count(column) if has_header else 0
    if count > 1:
        numbers = ", ".join(str(k) for k, heading in enumerate(headings, 1) if heading == column)
        raise InputError(
            f"{said}: {shown(column)} occurs {count} times in {place}; name the column by its number (one of {numbers})"
        )
    if not count:
        hint = _near_heading(column, headings)
        hint += ", or say under [table] what separates its cells" if len(headings) == 1 else ""
        raise InputError(f"{said}: there is no column {shown(column)} in {place}; {hint}")
    return headings.index(column)


def _near_heading(column: str, headings: list[str]) -> str:
    return (
        mistyped(column, [heading for heading in headings if len(heading) <= MAX_COMPARED])
        or f"it has {listed(headings)}"
    )


def _stated_columns(
    name: str, dimension: Dimension, where: Place, headings: list[str], has_header: bool, place: str
) -> list[TableColumn]:
    """The columns of a quantity for which the problem file says where it stands."""
    sources = dict(where.sources)
    if where.width is not None and where.width.quantity is None:
        sources[HALF_WIDTH] = where.width
    found: list[TableColumn] = []
    for role, source in sources.items():
        index = _numbered(source.column, headings, has_header, place, source.place)
        heading = headings[index] if has_header else ""
        fallback = found[0].unit if role == HALF_WIDTH and found else None
        unit = _unit(source, heading, dimension, fallback, place)
        times = where.times if role == HALF_WIDTH else Fraction(1)
        told = f"{' '.join(filter(None, (name, role)))} ({shown(heading) if has_header else index + 1})"
        found.append(TableColumn(name, role, index, unit, times, told))
    one_unit(name, {column.unit.canonical for column in found}, found[0].told if found else place)
    return found


def _unit(source: Source, heading: str, dimension: Dimension, fallback: Unit | None, place: str) -> Unit:
    """The unit that the problem file says, or the heading; both, if both do."""
    match = _UNIT_AT_END.fullmatch(heading)
    written = match[1] if match is not None else ""
    told = unit_named(written)
    told = told.of(dimension) if told is not None and told.dimension == dimension else None
    unit = source.unit or told or fallback
    if unit is None:
        raise InputError(
            f"{source.place}: it has no unit, {dimension.told} is needed; write such as unit = "
            f'"{example_unit(dimension)}" beside it'
        )
    if source.unit is not None and (told.name != unit.name if told is not None else _denies(written, heading, unit)):
        raise InputError(
            f"{source.place}: its unit is {source.unit.name}, its heading in {place} is {shown(heading)}; correct one"
        )
    if source.unit is None and told is None and (written[:1].isalpha() or written[:1] == "\u00b0"):
        raise InputError(
            f"{source.place}: its heading in {place} is {shown(heading)}, which is not {dimension.told}; if its "
            f'numbers are in {unit.name}, write unit = "{unit.name}" beside it'
        )
    return unit


def _denies(written: str, heading: str, unit: Unit) -> bool:
    """Whether a heading says another unit than the stated one: one of another dimension (no index such as "q[1]", no
    letter such as "motor (A)"), or degrees, which no product has.
    """
    if "deg" in written.lower() or "\u00b0" in written:
        return unit.name != "deg" or "/" in written
    known = unit_named(written)
    return known is not None and known.name != "1" and (heading.rstrip().endswith("]") or len(written) > 1)
