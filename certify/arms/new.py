"""From a robot's description and a table of measurements to a problem file: read, guess nothing in silence, place base
and tool by an estimate, say what is left, hold what is redundant by name, and write.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import pi
from pathlib import Path

import numpy as np

from certify.arms.held import held_parameters, joint_fit
from certify.arms.suspected import mistakes_told
from certify.problems.arms.arm import Arm
from certify.problems.arms.columns import Found, find_columns
from certify.problems.arms.measurement import (
    ANGLE,
    EULER,
    LENGTH,
    NUMBER,
    ORIENTATION,
    POSE,
    POSITION,
    SOCKET,
    TIPS,
    VECTOR,
    Measurement,
    Orientation,
)
from certify.problems.arms.model import arm_model
from certify.problems.arms.placing import Placing, flange_frames, meet, other_frames, place
from certify.problems.arms.problem_file import ArmFile, Measured, column_text, quoted
from certify.problems.arms.steps import Floats, reading
from certify.problems.arms.words import FREE, chosen, rooms
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import GIVEN, LEAST_SQUARES, NOMINAL
from certify.problems.experiments.half_widths import offered
from certify.problems.experiments.table_sections import read_tables
from certify.problems.experiments.toml_reader import PROVENANCES
from certify.problems.files.csv_table import Table
from certify.problems.files.disk import read_text, write_bytes, write_text
from certify.problems.files.sections import MAX_TEXT, Section
from certify.problems.formulas.units import UNITS, Dimension, Quantity, format_decimal, parse_quantity
from certify.problems.functions.dimensions import GEOMETRIC

PROBLEM, ARM_FILE, ARM_FORMAT = "problem.toml", "arm.toml", "certify-arm 1"
DIMENSIONS = {LENGTH: Dimension.LENGTH, ANGLE: Dimension.ANGLE, NUMBER: Dimension.NUMBER}
TURNS = 4 * pi  # readings of joints beyond are in degrees
METRES = 20.0  # readings of lengths beyond are in millimetres
CLEARLY = 3.0  # how much better the best convention of orientations must be than the next
SOME, SOME_TURN = 5.0, 15.0  # mm and mrad rms, beyond which mistakes are looked for: arms as designed leave less
LARGE, LARGE_TURN = 20.0, 50.0  # mm and mrad rms, beyond which something is wrong with the data or the description


@dataclass(frozen=True)
class Asked:
    """What is wanted; `arm` was read from `source`, and the fields are the options of the command."""

    arm: Arm
    source: Path
    data: tuple[Path, ...]
    folder: Path
    measurement: Measurement
    columns: tuple[str, ...] = ()
    half_width: str | None = None
    joint_half_width: str = "0"
    times: Fraction | None = None
    units: Mapping[str, str | None] = field(default_factory=dict)  # of joints, lengths, angles
    free: str = FREE
    fixed: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    redundant: str = "fix"
    title: str = ""
    search_orientation: bool = False
    kind: str = "urdf"
    centre: str = LEAST_SQUARES


@dataclass(frozen=True)
class Made:
    """What was written, what was found, and what a user should know."""

    path: Path
    placing: Placing
    free: tuple[str, ...]
    held: tuple[str, ...]
    lines: tuple[str, ...]
    poses: int


def new_arm(asked: Asked, tell: Callable[[str], None]) -> Made:
    """Write the folder of a problem; nothing is left out without being named."""
    tables = _at_hand(asked.data, asked.folder)
    found = find_columns(asked.data[0], asked.arm, asked.measurement, asked.columns)
    said: list[str] = []
    columns = _measured(asked, found, tables, said)
    table = _table(asked, tables, columns)
    joints = [_radians(table, reading(k)) for k in range(1, len(asked.arm.joints) + 1)]
    tell("placing base and tool")
    measurement, placing = _placed(asked, table, joints, said)
    asked = replace(asked, measurement=measurement)
    model = arm_model(asked.arm, measurement, placing.orders)
    columns = {name: column for name, column in columns.items() if name in model.columns}
    names = chosen(model.items, asked.free, asked.fixed)
    room = rooms(model.items, asked.within, asked.centre == NOMINAL)
    radii = {name: width if name in names else Quantity(Fraction(0), width.unit) for name, width in room.items()}
    file = ArmFile(
        model,
        asked.title or f"{asked.arm.name}: {measurement.kind}",
        _provenance(asked),
        tuple(name for name, _ in tables),
        columns,
        placing.values,
        radii,
        NOMINAL if asked.centre == GIVEN else asked.centre,
    )
    path = asked.folder / PROBLEM
    _recorded(asked)
    told = _left(asked, placing)
    if placing.rms > SOME or (placing.turned or 0.0) > SOME_TURN:
        measured = _columns(asked.measurement, table)
        told += mistakes_told(asked.arm, asked.measurement, joints, measured, tell)
    write_text(path, replace(file, notes=_notes(asked, said, told, ())).text())
    given_up: tuple[str, ...] = ()
    lines: list[str] = []
    if asked.redundant == "fix":
        tell("looking for parameters that the poses do not tell apart")
        given_up, lines = held_parameters(path, model)
        radii |= {name: Quantity(Fraction(0), radii[name].unit) for name in given_up}
        write_text(path, replace(file, radii=radii, notes=_notes(asked, said, told, lines)).text())
    if asked.centre == GIVEN:
        tell("fitting all that was measured together")
        notes = _notes(asked, said, told, lines)
        write_text(path, replace(file, radii=radii, notes=notes, centre=GIVEN, given=joint_fit(path)).text())
    free = tuple(name for item in model.items for name in item.numbers if radii[name].value)
    return Made(path, placing, free, given_up, (*said, *told, *lines), len(table.poses))


def _recorded(asked: Asked) -> None:
    """What the problem was made from, for 'certify correct': the description as it was, byte for byte."""
    source, folder = asked.source, asked.folder
    if not source.resolve().is_relative_to(folder.resolve()):
        write_bytes(folder / source.name, source.read_bytes())
        name = source.name
    else:
        name = source.resolve().relative_to(folder.resolve()).as_posix()
    lines = [f"format = {quoted(ARM_FORMAT)}", f"kind = {quoted(asked.kind)}", f"description = {quoted(name)}"]
    if asked.kind == "urdf":
        lines += [f"tip = {quoted(asked.arm.tip)}", f"base = {quoted(asked.arm.base)}"]
    if asked.arm.other is not None:
        lines.append(f"other_tip = {quoted(asked.arm.other.link)}")
    write_text(folder / ARM_FILE, "\n".join(lines) + "\n")


def _notes(asked: Asked, said: Sequence[str], told: Sequence[str], lines: Sequence[str]) -> tuple[str, ...]:
    """What stands above the file, for who reads it later."""
    arm = asked.arm
    joints = ", ".join(f"{k} {joint.name}" for k, joint in enumerate(arm.joints, 1))
    way = f"{arm.name}, {arm.way}, as {asked.source.name} describes it. Joints: {joints}."
    turns = [f"Taken as quarter turns: {'; '.join(arm.snapped)}."] if arm.snapped else []
    return (way, *turns, *(line[0].upper() + line[1:] for line in (*said, *told, *lines)))


def _provenance(asked: Asked) -> str:
    """What the table says of itself in its first line, if it is a comment that does; else that somebody measured it."""
    first = read_text(asked.data[0], "table", otherwise="latin-1").split("\n", 1)[0]
    said = first.removeprefix("#").strip()
    if first.startswith("#") and said.startswith(PROVENANCES) and said.isprintable() and len(said) < MAX_TEXT:
        return said
    return f"measured: {', '.join(path.name for path in asked.data)}, of the arm that {asked.source.name} describes"


def _at_hand(data: Sequence[Path], folder: Path) -> list[tuple[str, Path]]:
    """The names of the tables in the folder: those that lie in it stay, others are copied byte for byte."""
    found: list[tuple[str, Path]] = []
    for path in data:
        if not path.is_file():
            raise InputError(f"--data {path}: there is no such file; give the table of the measured poses")
        if path.resolve().is_relative_to(folder.resolve()):
            found.append((path.resolve().relative_to(folder.resolve()).as_posix(), path))
            continue
        name = path.name
        while name in {other for other, _ in found}:
            name = f"{path.parent.name}_{name}" if path.parent.name else f"other_{name}"
        write_bytes(folder / name, path.read_bytes())
        found.append((name, folder / name))
    return found


def _measured(
    asked: Asked, found: Mapping[str, Found], tables: Sequence[tuple[str, Path]], said: list[str]
) -> dict[str, Measured]:
    """[columns]: where each column stands, its unit and its half-widths; what was not stated is said."""
    kinds = {reading(k): LENGTH if j.slides else ANGLE for k, j in enumerate(asked.arm.joints, 1)}
    kinds |= asked.measurement.columns
    plain = {name: Measured(where.column, where.unit or _any_unit(kinds[name])) for name, where in found.items()}
    raw = _table(
        asked,
        tables,
        {name: replace(c, half_width=Quantity(Fraction(0), _canonical(c.unit))) for name, c in plain.items()},
    )
    columns: dict[str, Measured] = {}
    for name, where in found.items():
        unit = where.unit or _stated_unit(asked, name, kinds[name]) or _guessed(raw, found, name, kinds, asked)
        columns[name] = _with_width(asked, Measured(where.column, unit), where, kinds[name], len(raw.poses))
    columns |= _constants(asked, tables)
    said += _said(asked, found, columns, kinds)
    return columns


def _any_unit(kind: str) -> str:
    return {LENGTH: "mm", ANGLE: "rad", NUMBER: "1"}[kind]


def _canonical(unit: str) -> str:
    return UNITS[unit].canonical


def _stated_unit(asked: Asked, name: str, kind: str) -> str | None:
    """What --joint-unit, --length-unit or --angle-unit says of a column."""
    return asked.units.get("joint" if name not in asked.measurement.columns and kind == ANGLE else kind)


def _guessed(raw: Table, found: Mapping[str, Found], name: str, kinds: Mapping[str, str], asked: Asked) -> str:
    """The unit of a column that states none, by how large its numbers are, together with the others of its sort; asked
    for where others of its sort are in another one: all lengths, all joints' angles, all measured angles.
    """
    kind, measured = kinds[name], asked.measurement.columns
    if kind == NUMBER:
        return "1"
    joint = name not in measured
    alike = [other for other in found if kinds[other] == kind and (kind == LENGTH or (other not in measured) == joint)]
    sizes: dict[bool, float] = {}
    for other in alike:
        if found[other].unit is None:
            largest = max(abs(float(value)) for value in raw.columns[other].values)
            sizes[other not in measured] = max(largest, sizes.get(other not in measured, 0.0))
    by_size = {sort: _by_size(size, kind) for sort, size in sizes.items()}
    guess, where = by_size[joint], found[name]
    where.refuse_guess(guess)
    others = {*by_size.values(), *(unit for other in alike if (unit := found[other].unit) is not None)} - {guess}
    if others:
        option = "--length-unit" if kind == LENGTH else "--joint-unit" if joint else "--angle-unit"
        raise InputError(
            f"column {where.column!r}: it states no unit, its numbers are {guess} by their size, and others are in "
            f"{', '.join(sorted(others))}; say {option}, or --columns '{name}={where.column} [{guess}]'"
        )
    return guess


def _by_size(size: float, kind: str) -> str:
    if kind == LENGTH:
        return "m" if size < METRES else "mm"
    return "rad" if size <= TURNS else "deg"


def _with_width(asked: Asked, column: Measured, where: Found, kind: str, poses: int) -> Measured:
    """A column with its half-width: that of the joints, a stated one, or so many deviations."""
    if where.name == SOCKET:
        return replace(column, half_width=Quantity(Fraction(0), "1"))
    if where.name not in asked.measurement.columns:
        return replace(column, half_width=_joint_width(asked.joint_half_width, column.unit, kind))
    own = _stated_width(asked.half_width, kind, column.unit) if asked.half_width is not None else None
    if own is not None:
        return replace(column, half_width=own)
    deviation = where.deviation()
    if deviation is not None:
        times = asked.times or offered(poses * len(asked.measurement.columns))
        return replace(column, deviation=deviation, times=times)
    example = {LENGTH: "0.1 mm", ANGLE: f"0.1 {_canonical(column.unit)}", NUMBER: "0.0001 1"}[kind]
    raise InputError(
        f"how far may {where.name} ({where.column}) be off? The table has no column of its deviations; write "
        f'--half-width "{example}" (with others separated by commas)'
    )


def _joint_width(text: str, unit: str, kind: str) -> Quantity:
    if text.strip() == "0":
        return Quantity(Fraction(0), _canonical(unit))
    for part in text.split(","):
        found = UNITS.get(part.strip().rpartition(" ")[2])
        if found is not None and found.dimension == DIMENSIONS[kind]:
            return _same_unit(part, kind, unit, "--joint-half-width")
    raise InputError(f"--joint-half-width {text!r}: write how far a joint may be off in {unit}, such as '0.001 {unit}'")


def _stated_width(text: str, kind: str, unit: str) -> Quantity | None:
    for part in text.split(","):
        found = UNITS.get(part.strip().rpartition(" ")[2])
        if found is None or found.dimension not in GEOMETRIC:
            told = "that is known" if found is None else "of an arm"
            raise InputError(f"--half-width {text!r}: {part.strip()!r} has no unit {told}; write such as '0.1 mm'")
        if found.dimension == DIMENSIONS[kind]:
            return _same_unit(part, kind, unit, "--half-width")
    return None


def _same_unit(text: str, kind: str, unit: str, option: str) -> Quantity:
    found = parse_quantity(text.strip(), DIMENSIONS[kind], option)
    if found.value < 0:
        raise InputError(f"{option} {text.strip()!r} is negative; write how far a number may be off")
    if found.unit != _canonical(unit) and found.value:
        raise InputError(
            f"{option} {text.strip()!r}: the column is in {unit}, with no exact factor between; write it in "
            f"{_canonical(unit)}"
        )
    return Quantity(found.value, _canonical(unit))


def _constants(asked: Asked, tables: Sequence[tuple[str, Path]]) -> dict[str, Measured]:
    """Which socket the ball was in, file by file, and how far the sockets are apart."""
    sockets = asked.measurement.sockets
    found: dict[str, Measured] = {}
    if sockets > 1 and not asked.measurement.named:
        for k in range(1, sockets + 1):
            texts = tuple("1 1" if file % sockets == k - 1 else "0 1" for file in range(len(tables)))
            found[f"is{k}"] = Measured(None, "1", constants=texts)
    for distance in asked.measurement.distances:
        constant = (f"{format_decimal(distance.value)} mm",)
        found[distance.name] = Measured(None, "mm", Quantity(distance.half_width, "mm"), constants=constant)
    return found


def _said(
    asked: Asked, found: Mapping[str, Found], columns: Mapping[str, Measured], kinds: Mapping[str, str]
) -> list[str]:
    """What was taken for what, in words."""
    parts = []
    for name, where in found.items():
        column = columns[name]
        width = ""
        if column.deviation is not None and column.times is not None:
            width = f", +-{format_decimal(column.times)} times {column.deviation}"
        elif column.half_width is not None and name in asked.measurement.columns and name != SOCKET:
            width = f", +-{format_decimal(column.half_width.value)} {column.half_width.unit}"
        how = "as stated" if where.stated else "found"
        stated = _stated_unit(asked, name, kinds[name]) is not None
        unit = "" if where.unit else f", unit {'as stated' if stated else 'by the size of its numbers'}"
        where_ = repr(where.column) if isinstance(where.column, str) else f"column {where.column}"
        parts.append(f"{name} is {where_} [{column.unit}] ({how}{unit}{width})")
    told = [f"columns: {'; '.join(parts)}."]
    widths = [columns[reading(k)].half_width for k in range(1, len(asked.arm.joints) + 1)]
    exact = not any(width is not None and width.value for width in widths)
    told.append(
        "joint angles are taken as exact (half-width 0); --joint-half-width says otherwise."
        if exact
        else f"joint angles may be off by {asked.joint_half_width}."
    )
    return told


def _table(asked: Asked, tables: Sequence[tuple[str, Path]], columns: Mapping[str, Measured]) -> Table:
    """The numbers, read as the problem file will be."""
    lines = ["poses = [" + ", ".join(quoted(name) for name, _ in tables) + "]", "[columns]"]
    lines += [f"{name} = {{ {column_text(column)} }}" for name, column in columns.items()]
    kinds = {name: DIMENSIONS[_kind(column.unit)] for name, column in columns.items()}
    section = Section("", tomllib.loads("\n".join(lines)))
    return read_tables(asked.folder / PROBLEM, section, kinds, {}).table


def _kind(unit: str) -> str:
    return {Dimension.LENGTH: LENGTH, Dimension.ANGLE: ANGLE, Dimension.NUMBER: NUMBER}[UNITS[unit].dimension]


def _radians(table: Table, name: str) -> Floats:
    column = table.columns[name]
    values = np.array([float(value) for value in column.values])
    return np.radians(values) if column.unit == "deg" else values


def _placed(asked: Asked, table: Table, joints: Sequence[Floats], said: list[str]) -> tuple[Measurement, Placing]:
    """Base and tool; if orientations are told in a way that nobody stated, that which fits clearly best."""
    measurement, flange = asked.measurement, flange_frames(asked.arm, joints)
    second = other_frames(asked.arm, joints)
    if second is not None:
        return measurement, meet(flange, second)
    columns = _columns(measurement, table)
    if not (measurement.is_turned and asked.search_orientation):
        try:
            return measurement, place(flange, measurement, columns)
        except InputError as error:
            raise InputError(f"{error}{_mistakes_of_places(asked, joints, columns)}") from error
    tried = []
    for how in (*(how for how in EULER if len(set(how)) == 3), VECTOR):
        other = replace(measurement, orientation=Orientation(how))
        try:
            found = place(flange, other, columns)
        except InputError:  # these turns are no rotations that a base and a tool could explain
            continue
        tried.append((found.turned or 0.0, found.rms, how, found))
    tried.sort(key=lambda one: one[:2])
    if not tried or (len(tried) > 1 and tried[1][0] < CLEARLY * tried[0][0]):
        told = ", ".join(f"{how} {turned:.3g} mrad" for turned, _, how, _ in tried[:3]) or "none fits"
        likely = _mistakes_of_places(asked, joints, columns)
        raise InputError(
            f"how are the orientations told? No convention of three angles fits clearly best ({told}, estimated); "
            f"write --orientation with the product of the turns, such as ZYX for Rz Ry Rx, 'rotation vector' or "
            f"'quaternion'{likely}"
        )
    turned, _, how, found = tried[0]
    others = f", the next best one {tried[1][2]} {tried[1][0]:.3g} mrad" if len(tried) > 1 else ""
    said.append(
        f"orientations: nobody said how they are told; {how} was taken, which leaves {turned:.3g} mrad rms{others} "
        f"(estimated; --orientation says it)."
    )
    return replace(measurement, orientation=Orientation(how)), found


def _mistakes_of_places(asked: Asked, joints: Sequence[Floats], columns: Mapping[str, Floats]) -> str:
    """What is likely to be wrong with joints or places, where orientations are not understood."""
    if asked.measurement.kind != POSE:
        return ""
    places = replace(asked.measurement, kind=POSITION, orientation=None)
    measured = {name: columns[name] for name in places.columns}
    if place(flange_frames(asked.arm, joints), places, measured).rms <= LARGE:
        return ""
    return "".join(f". Or {line}" for line in mistakes_told(asked.arm, places, joints, measured, lambda _: None))


def _columns(measurement: Measurement, table: Table) -> dict[str, Floats]:
    """What was measured, by name, in mm and radians; and in which socket."""
    columns = {name: _radians(table, name) for name in measurement.columns}
    return columns | ({SOCKET: _socket_numbers(table, measurement)} if measurement.kind == SOCKET else {})


def _socket_numbers(table: Table, measurement: Measurement) -> Floats:
    if measurement.named:
        return _named_sockets(table, measurement.sockets)
    if measurement.sockets == 1:
        return np.ones(len(table.poses))
    return sum(k * _radians(table, f"is{k}") for k in range(1, measurement.sockets + 1))  # type: ignore[return-value]


def _named_sockets(table: Table, sockets: int) -> Floats:
    """The numbers that the table gives, from 1 on, each at least once."""
    values = table.columns[SOCKET].values
    for row, value in enumerate(values, 1):
        if value not in range(1, sockets + 1):
            raise InputError(
                f"{SOCKET} of pose {row} of the table is {float(value):g}, and the sockets are 1 to {sockets}; number "
                f"them so, or write --sockets with how many there are"
            )
    missing = [k for k in range(1, sockets + 1) if k not in values]
    if missing:
        raise InputError(
            f"the ball was never in socket {missing[0]} of {sockets}; write --sockets with how many it was in"
        )
    return np.array([float(value) for value in values])


def _left(asked: Asked, placing: Placing) -> list[str]:
    """What the estimate leaves, and a warning where that is large."""
    turned = "" if placing.turned is None else f" and {placing.turned:.3g} mrad"
    left = f"{placing.rms:.3g} mm{turned}" if asked.measurement.kind != ORIENTATION else turned.removeprefix(" and ")
    alone = "the points that meet" if asked.measurement.kind == TIPS else "base and tool"
    told = f"estimated: with the arm as it was designed, {alone} alone leave {left} rms."
    if placing.rms <= LARGE and (placing.turned or 0.0) <= LARGE_TURN:
        return [told]
    turns = placing.angles if asked.measurement.kind == ORIENTATION else None
    sizes, unit = (placing.misses, "mm") if turns is None else (1000.0 * turns, "mrad")
    worst = int(np.argmax(sizes)) + 1
    return [
        told,
        f"that is much (pose {worst} of the table misses most, by {sizes.max():.3g} {unit}): joints in another "
        "order or direction, degrees for radians, millimetres for metres, another tip, or another convention of "
        "orientations look like this. Look at the columns above before you trust what follows.",
    ]
