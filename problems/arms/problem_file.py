"""The problem file of an arm, for people to read and change: what was taken from where stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import degrees
from typing import Any

from certify.problems.arms.arm import Arm
from certify.problems.arms.measurement import ANGLE, LENGTH, ORIENTATION, POSE, SOCKET, TIPS
from certify.problems.arms.model import ArmModel, Item
from certify.problems.errors import InputError
from certify.problems.formulas.grammar import MAX_CHARACTERS
from certify.problems.formulas.units import Quantity, format_decimal, format_quantity

FORMAT, GIVEN = "certify-problem-file 1", "given"
TOLD_CENTRE = "The least-squares fit to all that was measured together, mm and mrad alike (estimated)."
PLACES = {LENGTH: 4, ANGLE: 7}  # of estimates: 0.1 um and 0.1 urad
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Measured:
    """What [columns] says of a column: where it stands (or one value for each file), its unit, and its half-width, as a
    quantity or as so many times a column of deviations.
    """

    column: str | int | None
    unit: str
    half_width: Quantity | None = None
    deviation: str | None = None
    times: Fraction | None = None
    constants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArmFile:
    """All that the file says; `values` are numbers of the frames (mm, rad), `radii` of all components. Where the centre
    of the box is given, `given` has the numbers that are not those of the description.
    """

    model: ArmModel
    title: str
    provenance: str
    tables: tuple[str, ...]
    columns: Mapping[str, Measured]
    values: Mapping[str, Any]
    radii: Mapping[str, Quantity]
    centre: str = "least squares"
    notes: tuple[str, ...] = ()
    given: Mapping[str, Fraction] = field(default_factory=dict)

    def text(self) -> str:
        """The file."""
        model = self.model
        tables = [quoted(name) for name in self.tables]
        lines = [
            f"format = {quoted(FORMAT)}",
            f"title = {quoted(self.title)}",
            f"provenance = {quoted(self.provenance)}",
            f"poses = {tables[0] if len(tables) == 1 else '[' + ', '.join(tables) + ']'}",
            "",
            *(line for note in self.notes for line in comment(note)),
            "",
            "# Where the columns stand in the table, in which unit, and how far their numbers may be off.",
            "[columns]",
            *(f"{name} = {{ {column_text(column)} }}" for name, column in self.columns.items()),
            "",
            *comment("What must vanish in each pose, and the unit in which its error is told."),
            "[model.equations]",
            *(f"{name} = {_formula(text, name)}" for name, text in model.equations),
            "",
            "[model.errors]",
            *(f"{name} = {quoted(text)}" for name, text in model.errors),
            "",
            "[model.parameters]",
            *(f"{item.name} = {quoted(' '.join([item.dimension, *item.components]))}" for item in model.items),
            "",
            "[model.columns]",
            *(f"{name} = {quoted(kind)}" for name, kind in model.columns.items()),
            "",
            *self._constants(),
            *comment(_told_definitions(model)),
            "[model.definitions]",
            *(f"{name} = {_formula(text, name)}" for name, text in model.definitions),
            "",
            "[box]",
            f"centre = {quoted(self.centre)}  # of the box: 'least squares', 'nominal' (the values below) or 'given'",
            "",
            *comment("A radius is how far a number may be off; with the radius 0 it is known exactly."),
            "[parameters]",
        ]
        for item in model.items:
            lines += [*comment(item.told), self._parameter(item)]
        if self.centre == GIVEN:
            lines += ["", *comment(TOLD_CENTRE), "[centre]", *map(self._centre, self.model.items)]
        return "\n".join(lines) + "\n"

    def _constants(self) -> list[str]:
        """Where the tip stands in the last joint's frame."""
        lengths = {name: quoted(f"{format_decimal(value)} mm") for name, value in self.model.lengths.items()}
        tip, other = self.model.arm.tip, self.model.arm.other
        both = f"{tip} and {other.link} stand in the frames of their last joints" if other is not None else ""
        told = comment(f"Where {both or f'{tip} stands in the frame of the last joint'}.")
        return [*told, "[model.constants]", *(f"{n} = {text}" for n, text in lengths.items()), ""] if lengths else []

    def _parameter(self, item: Item) -> str:
        radii = [format_quantity(self.radii[name]) for name in item.numbers]
        values = [format_quantity(value) for value in self.quantities(item)]
        if not item.components:
            return f"{item.name} = {{ value = {quoted(values[0])}, radius = {quoted(radii[0])} }}"
        radius = quoted(radii[0]) if len(set(radii)) == 1 else _listed(radii)
        return f"{item.name} = {{ value = {_listed(values)}, radius = {radius} }}"

    def _centre(self, item: Item) -> str:
        """Where the box of a parameter is centred."""
        pairs = zip(item.numbers, self.quantities(item), strict=True)
        texts = [format_quantity(Quantity(self.given.get(name, q.value), q.unit)) for name, q in pairs]
        return f"{item.name} = {_listed(texts) if item.components else quoted(texts[0])}"

    def quantities(self, item: Item) -> list[Quantity]:
        """The values of a parameter: as designed, or as estimated; angles in the unit of their radii."""
        unit = self.radii[item.numbers[0]].unit
        designed = designed_values(self.model.arm).get(item.name)
        if designed is not None:
            return [Quantity(value, unit) for value in designed]
        found = self.values.get(item.name)
        numbers = (
            [0.0] * len(item.numbers) if found is None else [float(v) for v in (found if item.components else [found])]
        )
        return [Quantity(rounded(degrees(v) if unit == "deg" else v, item.dimension), unit) for v in numbers]


def designed_values(arm: Arm) -> dict[str, tuple[Fraction, ...]]:
    """The values of an arm's own parameters, exactly; angles are 0."""
    found: dict[str, tuple[Fraction, ...]] = {}
    for k, joint in enumerate(arm.joints, 1):
        found |= {f"t{k}": joint.place, f"o{k}": (Fraction(0),), f"tilt{k}": (Fraction(0), Fraction(0))}
    return found


def rounded(value: float, dimension: str) -> Fraction:
    """An estimate as a short decimal."""
    return round(Fraction(value), PLACES[dimension])


def column_text(column: Measured) -> str:
    """An entry of [columns], without its braces."""
    if column.constants:
        values = [quoted(text) for text in column.constants]
        parts = [f"constant = {values[0] if len(values) == 1 else '[' + ', '.join(values) + ']'}"]
    else:
        where = quoted(column.column) if isinstance(column.column, str) else str(column.column)
        parts = [f"column = {where}", f"unit = {quoted(column.unit)}"]
    if column.deviation is not None and column.times is not None:
        parts += [f"deviation = {quoted(column.deviation)}", f"times = {quoted(format_decimal(column.times))}"]
    elif column.half_width is not None:
        parts.append(f"half_width = {quoted(format_quantity(column.half_width))}")
    return ", ".join(parts)


def quoted(text: str) -> str:
    """A text of one line for TOML."""
    if not text.isprintable():
        raise InputError(f"{text!a} cannot be written into a problem file; use one line of printable characters")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def comment(text: str) -> list[str]:
    """A text as comments of at most so many characters a line."""
    lines, line = [], "#"
    for word in "".join(c if c.isprintable() else " " for c in text).split():
        if len(line) + 1 + len(word) > WIDTH and line != "#":
            lines.append(line)
            line = "#"
        line += f" {word}"
    return [*lines, line]


def _formula(text: str, name: str) -> str:
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the formula of {name} would have {len(text)} characters; more than a problem file takes")
    return quoted(text)


def _listed(texts: Sequence[str]) -> str:
    return "[" + ", ".join(map(quoted, texts)) + "]"


def _told_definitions(model: ArmModel) -> str:
    """What the definitions are."""
    start = {
        POSE: "from the tool back to the base",
        SOCKET: "from the ball back to the base",
        TIPS: f"from each of the two tips back to {model.arm.base}",
    }
    way = start.get(model.measurement.kind, "from the measured point back to the base")
    if model.measurement.on_hand:
        way = "from the target that stands still out to the device on the hand"
    told = f"Where the point is, {way}, one joint after the other; angles are in radians."
    if model.measurement.kind == ORIENTATION:
        told = "How the tool is turned, from it back to the base, one joint after the other; angles are in radians."
    if model.measurement.orientation is not None:
        told += (
            " r0, r1, ...: how the frame is turned, as quaternions w, x, y, z; the orientation's error is 2 "
            "sin(theta/2) about its axis, which is 0 only where both frames agree, and largest for half a turn."
        )
    return told
