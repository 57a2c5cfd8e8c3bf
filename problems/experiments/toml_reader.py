"""Problem files: an experiment as a TOML file for the robot and a CSV table for its measurements, read with a name for
every mistake.

What is read, and what it says:

    format = "certify-problem-file 1"      kind, poses (the table's file name), title, provenance ("measured: ..." or
        "simulated: ...")
    [model]                                instead of a kind: an equation of one's own, see
        certify.problems.robots.text_model
    half_widths_are = "bounds"             or "3 standard deviations", ...: what half-widths are; may be left out (see
        certify.problems.experiments.half_widths), or be a table with an entry for each column
    [half_widths]                          of the columns that have none in the table
    [table], [columns]                     how tables are written and where columns stand whose headings are not ours:
        see certify.problems.experiments.table_sections
    [box]                                  centre = "least squares", "nominal" or "given"; radius = "100 mm", or { a =
        "5 mm", b = "0 mm", ... }:
                                           one for each field, or for each component, where 0 means known exactly
    [legs.leg1] ...                        the blueprint;  [centre.leg1] ... of the same shape, if the centre is given
    [common]                               blueprint of the parameters that all legs share;  [centre.common] likewise
    [parameters]                           in place of legs, common and radius for a robot without legs: a = { value =
        ["1 mm", "0 mm"], radius = "5 mm" },
                                           radius for all components or one for each, 0 means known exactly;  [centre]
                                           has the values alone
    ratio = "2 mm per mrad"                without legs: so many mm count as much as one deg, rad or mrad, and lengths
        and angles are bounded together, too; if equations are distances, the root of the sum of all squares is
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import (
    GIVEN,
    LEAST_SQUARES,
    NOMINAL,
    Centre,
    Experiment,
    Reading,
    assemble,
    rounded_centre,
)
from certify.problems.experiments.half_widths import KEY
from certify.problems.experiments.orientations import require_rotations
from certify.problems.experiments.table_sections import COLUMNS, TABLE, read_tables
from certify.problems.experiments.toml_writer import FORMAT, PARAMETERS, RATIO, write_experiment
from certify.problems.files.sections import Section, read_sections
from certify.problems.formulas.units import Dimension, Quantity, described, example_unit, nearest, parse_quantity, shown
from certify.problems.model.groups import EUCLIDEAN
from certify.problems.robots.components import ANGLES, Ratio
from certify.problems.robots.declarations import DISTANCE
from certify.problems.robots.kind import Field, Kind, find_kind
from certify.problems.robots.model_section import read_model
from certify.problems.robots.text_model import TextModel

__all__ = ["Experiment", "load_experiment", "rounded_centre", "write_experiment"]

PROVENANCES = ("simulated: ", "measured: ")
_RATIO = re.compile(r"(\S+ +\S+) per (\S+)")


def load_experiment(path: Path | str) -> Experiment:
    """Read a problem file and the table beside it."""
    path = Path(path)
    root = read_sections(path, "problem")
    root.only(
        [
            "format",
            "title",
            "provenance",
            "kind",
            "model",
            "poses",
            TABLE,
            COLUMNS,
            KEY,
            "half_widths",
            "box",
            "legs",
            "common",
            "centre",
            PARAMETERS,
            RATIO,
        ]
    )
    if root.text("format") != FORMAT:
        raise InputError(f"{root.at('format')} is {shown(root.text('format'))}; this program reads {FORMAT!r}")
    title, provenance = root.text("title"), root.text("provenance")
    if not provenance.startswith(PROVENANCES):
        raise InputError(
            f"{root.at('provenance')} is {shown(provenance)}; begin it with 'simulated: ' or 'measured: ' and say how"
        )
    kind = _kind(root)
    nominal, radius = _blueprint(kind, root)
    centre = _centre(kind, root, nominal, radius)
    unknown = {field.name: field.dimension for field in kind.pose_unknowns}
    read = read_tables(path, root, kind.columns, unknown)
    table, are = read.table, read.half_widths_are
    try:
        found = assemble(title, provenance, kind, table.poses, nominal, table.columns, centre, radius, are)
        require_rotations(found)
        return replace(found, reading=Reading(read.layout, table.files))
    except InputError as error:
        raise InputError(f"{root.place}{error}") from error


def read_kind(path: Path | str) -> Kind:
    """The kind of robot of a problem file, or the model that it describes."""
    return _kind(read_sections(Path(path), "problem"))


def _kind(root: Section) -> Kind:
    """The kind that is named, or the model that is described."""
    kind = _described(root) if "model" in root.entries else find_kind(root.text("kind"), root.at("kind"))
    return replace(kind, ratio=_ratio(kind, root)) if RATIO in root.entries else kind


def _described(root: Section) -> Kind:
    """The kind of [model]; without [legs] its parameters stand under [parameters]."""
    if "kind" in root.entries:
        raise InputError(f"{root.at('kind')} and [model] are both given; remove one of them")
    bare = PARAMETERS in root.entries and "legs" not in root.entries
    return read_model(root.section("model"), 0 if bare else _legs(root.section("legs")))


def _ratio(kind: Kind, root: Section) -> Ratio:
    """How much of an angle counts as much as a length; there must be both."""
    text, at = root.text(RATIO), root.at(RATIO)
    found = _RATIO.fullmatch(text)
    if found is None or found[2] not in ANGLES:
        raise InputError(
            f"{at} is {shown(text)}; write how many mm count as much as one angle, such as '2 mm per mrad'"
        )
    value = parse_quantity(found[1], Dimension.LENGTH, at).value
    if value <= 0:
        raise InputError(f"{at} is {shown(text)}; write a positive length")
    units = {equation.unit for equation in kind.equations}
    if "mm" not in units or not units & set(ANGLES) or not units <= {"mm", *ANGLES}:
        told = ", ".join(f"{equation.name} in {equation.unit}" for equation in kind.equations) or "legs"
        raise InputError(
            f"{at} compares lengths with angles, but the model has {told}; remove it, or say under [model.errors] "
            f"which errors are angles"
        )
    apart = [equation.name for equation in kind.equations if equation.norm == EUCLIDEAN]
    largest = [e.name for e in kind.equations if e.norm != EUCLIDEAN and len(e.families) > 1]
    if apart and largest:
        raise InputError(
            f"{at} bounds all equations by one number, but [model.errors] takes {', '.join(apart)} as a {DISTANCE} and "
            f"{', '.join(largest)} component by component; write '{DISTANCE}' behind all of them, or behind none"
        )
    return Ratio(value, found[2])


def _blueprint(kind: Kind, root: Section) -> tuple[tuple[Quantity, ...], Fraction | tuple[Fraction, ...]]:
    """The values and the radii of all parameters."""
    if kind.legs:
        if PARAMETERS in root.entries:
            raise InputError(f"{root.at(PARAMETERS)} belongs to a robot without legs; remove it, or remove [legs]")
        nominal = _parameters(kind, root.section("legs"), root)
        return nominal, _radius(kind, _box(kind, root), nominal)
    for name in ("legs", "common"):
        if name in root.entries:
            raise InputError(f"{root.at(name)} belongs to a robot with legs; write [{PARAMETERS}]")
    section = root.section(PARAMETERS)
    section.only(field.name for field in kind.parameters)
    values: list[Quantity] = []
    radii: list[Fraction] = []
    for field in kind.parameters:
        part = section.section(field.name)
        part.only(["value", "radius"])
        own = _numbers(field, part.value("value") if field.components else [part.value("value")], part, "value")
        entry = part.value("radius")
        widths = _numbers(field, entry if isinstance(entry, list) else [entry] * len(own), part, "radius")
        for value, width in zip(own, widths, strict=True):
            _check_width(width, value, part.at("radius"), f"{part.at('value')}")
            radii.append(_not_negative(width, part.at("radius")))
        values += own
    return tuple(values), tuple(radii)


def _legs(section: Section) -> int:
    """How many legs there are; they are called leg1, leg2, ... in this order."""
    count = max(len(section.entries), 1)
    section.only(f"leg{leg}" for leg in range(1, count + 1))
    return count


def _box(kind: Kind, root: Section) -> Section:
    """Where the box stands; the radii of a robot without legs stand beside its parameters."""
    box = root.section("box")
    box.only(["centre", *(["radius"] if kind.legs else [])])
    return box


def _centre(
    kind: Kind, root: Section, nominal: tuple[Quantity, ...], radius: Fraction | tuple[Fraction, ...]
) -> Centre:
    box = _box(kind, root)
    rule = box.text("centre")
    if rule == GIVEN:
        section = root.section("centre")
        given = _parameters(kind, section, section) if kind.legs else _values(kind, section)
        _check_centre(kind, nominal, given, radius, section)
        return tuple(quantity.value for quantity in given)
    if "centre" in root.entries:
        raise InputError(
            f"{root.at('centre')} gives numbers, but {box.at('centre')} is {shown(rule)}; write 'given' or "
            f"remove the numbers"
        )
    if rule == LEAST_SQUARES:
        return LEAST_SQUARES
    if rule == NOMINAL:
        return NOMINAL
    raise InputError(f"{box.at('centre')} is {shown(rule)}; {nearest(rule, [LEAST_SQUARES, NOMINAL, GIVEN])}")


def _check_centre(
    kind: Kind,
    nominal: tuple[Quantity, ...],
    given: tuple[Quantity, ...],
    radius: Fraction | tuple[Fraction, ...],
    section: Section,
) -> None:
    """A centre is in the blueprint's units, and where the radius is 0 it is the blueprint."""
    radii = radius if isinstance(radius, tuple) else (Fraction(1),) * len(given)
    for name, value, centre, width in zip(kind.variable_names, nominal, given, radii, strict=True):
        if value.unit != centre.unit:
            raise InputError(
                f"{section.at(name)} is in {centre.unit}, its blueprint value in {value.unit}; use one unit"
            )
        if not width and value != centre:
            raise InputError(
                f"{section.at(name)} is not the blueprint's value, but its radius 0 says that this is exact; "
                f"give it a radius"
            )


def _radius(kind: Kind, box: Section, nominal: tuple[Quantity, ...]) -> Fraction | tuple[Fraction, ...]:
    """One radius for all parameters, or one for each of them."""
    value = box.value("radius")
    if not isinstance(value, dict):
        other = next((field for field in kind.variable_fields.values() if field.dimension != Dimension.LENGTH), None)
        if other is not None:
            remedy = f'write radius = {{ {other.name} = "...", ... }}, one for each field'
            raise InputError(f"{box.at('radius')} is one value, but {other.name} is {other.dimension.told}; {remedy}")
        radius = _not_negative(parse_quantity(value, Dimension.LENGTH, box.at("radius")), box.at("radius"))
        return (radius,) * len(nominal) if isinstance(kind.model, TextModel) else radius
    section = box.section("radius")
    fields = {field.name: field for field in (*kind.common, *kind.parameters)}
    section.only(fields)
    widths: dict[str, list[Quantity]] = {}
    for name, field in fields.items():
        entry = section.value(name)
        entries = entry if isinstance(entry, list) else [entry] * len(field.names)
        widths[name] = _numbers(field, entries, section)
    counts = dict.fromkeys(fields, 0)
    radii = []
    for (name, field), quantity in zip(kind.variable_fields.items(), nominal, strict=True):
        width = widths[field.name][counts[field.name] % len(field.names)]
        counts[field.name] += 1
        _check_width(width, quantity, section.at(field.name), name)
        radii.append(_not_negative(width, section.at(field.name)))
    return tuple(radii)


def _check_width(width: Quantity, quantity: Quantity, place: str, name: str) -> None:
    """A radius is in the unit of what it belongs to; 0 is 0 in every unit."""
    if width.unit != quantity.unit and width.value:
        raise InputError(
            f"{place} is in {width.unit}, {name} in {quantity.unit}, with no exact factor between; use one unit"
        )


def _not_negative(radius: Quantity, place: str) -> Fraction:
    if radius.value < 0:
        raise InputError(
            f"{place} is {float(radius.value)} {radius.unit}, which is negative; write how far the unknowns "
            f"may be from the centre"
        )
    return radius.value


def _parameters(kind: Kind, legs: Section, beside: Section) -> tuple[Quantity, ...]:
    """One number for each variable of the robot, from a table for each leg and the table `common` beside."""
    legs.only([*kind.leg_names, *(["common"] if legs is beside and kind.common else [])])
    if not kind.common and "common" in beside.entries:
        raise InputError(
            f"{beside.at('common')} gives numbers, but the legs share no parameters; declare them under [model.common]"
        )
    parts = [(beside.section("common"), kind.common)] if kind.common else []
    values: list[Quantity] = []
    for part, fields in (*parts, *((legs.section(leg), kind.parameters) for leg in kind.leg_names)):
        part.only(field.name for field in fields)
        for field in fields:
            value = part.value(field.name)
            values += _numbers(field, value if field.components else [value], part)
    return tuple(values)


def _values(kind: Kind, section: Section) -> tuple[Quantity, ...]:
    """One number for each variable of a robot without legs."""
    section.only(field.name for field in kind.parameters)
    values: list[Quantity] = []
    for field in kind.parameters:
        value = section.value(field.name)
        values += _numbers(field, value if field.components else [value], section)
    return tuple(values)


def _numbers(field: Field, items: object, part: Section, key: str = "") -> list[Quantity]:
    """The quantities of one field, which stand in the section under its name or another key."""
    if not isinstance(items, list) or len(items) != len(field.names):
        named = {Dimension.LENGTH: "lengths", Dimension.ANGLE: "angles"}.get(field.dimension, "numbers")
        example = f'["1.5 {example_unit(field.dimension)}", ...]'
        remedy = f"write a list of {len(field.names)} {named}, such as {example}"
        at = key or field.name
        raise InputError(f"{part.at(at)} is {described(part.value(at))}; {remedy}")
    places = [f"{part.at(key)}, {name}" for name in field.names] if key else [part.at(name) for name in field.names]
    return [parse_quantity(item, field.dimension, place) for place, item in zip(places, items, strict=True)]
