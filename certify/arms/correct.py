"""A corrected arm from the files of a run: parameters.csv has the values, result.json what was enclosed and checked.

corrected.urdf          the description with the joints' origins replaced; a comment says which values these are
corrected_dh.csv        of a table of Denavit and Hartenberg (and a URDF as well, which any program loads)
corrected.csv           each parameter: as described, corrected, and its enclosure if the run was asked for one
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import degrees, isfinite, nan, radians
from pathlib import Path
from typing import Any

from certify.arms.new import ARM_FILE, ARM_FORMAT
from certify.checker.certificate import parse_certificate
from certify.checker.problem import parse_problem
from certify.checks.checking import check_files
from certify.claims.proved_words import enclosure_note, values_note
from certify.contractors.numbers.enclosures import enclose_range
from certify.parts.hulls import HULL_SUFFIX
from certify.problems.arms.arm import Arm
from certify.problems.arms.corrected import corrected_rows, corrected_urdf, plain_urdf
from certify.problems.arms.dh import read_dh, read_rows
from certify.problems.arms.problem_file import designed_values
from certify.problems.arms.urdf import WHAT, read_urdf
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_lines
from certify.problems.files.disk import neighbour, read_json, read_text, write_text
from certify.problems.files.sections import read_sections
from certify.problems.formulas.units import nearest
from certify.runs.folders import RECORD
from certify.runs.supplements import CANONICAL

URDF, TABLE, VALUES = "corrected.urdf", "corrected_dh.csv", "corrected.csv"
DH, MDH = "dh", "mdh"
ENCLOSED = "enclosed"
FIXED = 3  # columns of parameters.csv before those of values
OTHER = {"least squares": "witness", "witness": "least squares"}


@dataclass(frozen=True, slots=True)
class Corrected:
    """What was written where, and what is to be said."""

    folder: Path
    files: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter that was free: its value in its unit, and its enclosure, if there is one that was checked."""

    name: str
    unit: str
    blueprint: str
    value: float
    interval: tuple[float, float] | None = None


def correct(folder: Path, run: Path, values: str, part: str | None, out: Path) -> Corrected:
    """Write the corrected description of the arm that a folder is about."""
    source = read_sections(folder / ARM_FILE, "arm")
    if source.text("format") != ARM_FORMAT:
        raise InputError(
            f"{source.at('format')} is not {ARM_FORMAT!r}; give a folder that 'certify new arm' has written"
        )
    kind = source.text("kind")
    path = neighbour(folder / ARM_FILE, source.text("description"), source.at("description"))
    found, column = _values(run, values, part)
    found, level = _enclosed(run, found, part)
    numbers = {v.name: radians(v.value) if v.unit == "deg" else v.value for v in found}
    lines = [values_note(column), enclosure_note(level)]
    if kind in (DH, MDH):
        arm, rows = read_dh(path, kind == MDH), read_rows(path)
        write_text(out / TABLE, _table([row.name for row in rows], corrected_rows(rows, numbers, kind == MDH), lines))
        write_text(out / URDF, plain_urdf(arm, numbers, lines))
        files: tuple[str, ...] = (URDF, TABLE)
    else:
        other = source.text("other_tip") if "other_tip" in source.entries else None
        chain = read_urdf(path, source.text("tip"), source.text("base") if other is None else None, other)
        arm = chain.arm
        write_text(out / URDF, corrected_urdf(read_text(path, WHAT), chain, numbers, lines))
        files = (URDF,)
    write_text(out / VALUES, _list(arm, found, lines))
    return Corrected(out, (*files, VALUES), tuple(lines))


def _values(run: Path, values: str, part: str | None) -> tuple[list[Value], str]:
    """The free parameters with the values of one column of the run's table, and that column's name."""
    table = run / "parameters.csv"
    rows = [cells for _, cells in csv_lines(table)]
    if not rows:
        raise InputError(f"{table}: there is nothing in it; run again")
    header = rows[0]
    columns = [name for name in header if name == values or name.startswith(f"{values} ")]
    wanted = columns[0] if part is None and columns else values if values in columns else f"{values} {part}"
    if wanted not in header or header.index(wanted) < FIXED:
        parts = [name.removeprefix(f"{values} ") for name in columns]
        raise InputError(f"{run}: there is no {values} of a part {part!r}; {nearest(str(part), parts)}")
    place = header.index(wanted)
    found = [
        Value(cells[0], cells[1], cells[2], _number(table, cells[0], cells[place]))
        for cells in rows[1:]
        if len(cells) > place and cells[place]
    ]
    if not found:
        other = OTHER[values]
        raise InputError(f"{run}: the run has no {wanted}; look at what it says, or write --values '{other}'")
    return found, wanted


def _number(table: Path, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise InputError(f"{table}: {name} is {text[:40]!r}, which is no number; run again")
    return value


def _hulls(path: Path) -> list[dict[str, Any]]:
    """What the record of a run says of enclosures. Raises InputError if it is none."""
    record = read_json(path, "record")
    hulls = record.get("hulls", []) if isinstance(record, dict) else None
    if not isinstance(hulls, list) or not all(isinstance(hull, dict) for hull in hulls):
        raise InputError(f"{path}: it is no record of a run (not what a run writes); run again")
    return hulls


def _enclosed(run: Path, values: Sequence[Value], part: str | None) -> tuple[list[Value], str | None]:
    """The same with their enclosures, and the part these are of: the record says only where to look, the checker is
    asked again, and the ends are those of the certificate.
    """
    told = [hull for hull in _hulls(run / RECORD) if hull.get("verdict") == ENCLOSED]
    hulls = [str(hull.get("name")) for hull in told if hull.get("verified") and hull.get("hull")]
    chosen = next((name for name in hulls if part in (None, name)), None)
    if chosen is None:
        return list(values), None
    ends = _checked_hull(run / CANONICAL, neighbour(run / RECORD, f"{chosen}{HULL_SUFFIX}.cert", "its hull"))
    return [Value(v.name, v.unit, v.blueprint, v.value, ends.get(v.name)) for v in values], chosen


def _checked_hull(canonical: Path, certificate: Path) -> dict[str, tuple[float, float]]:
    """The hull of each variable, rounded outwards, from a certificate that the checker accepts now."""
    check = check_files(canonical, certificate)
    if not check.verified:
        raise InputError(
            f"{certificate}: the checker does not accept it now ({check.message}), though the record says so; run again"
        )
    problem, found = parse_problem(canonical.read_bytes()), parse_certificate(certificate.read_bytes())
    bindings = [binding for family in problem.families if family.name in found.scope for binding in family.bindings]
    variables = sorted({binding.index for binding in bindings if not binding.measured})
    ends = found.hull.box if found.hull is not None and found.part is None else ()
    return {problem.variables[v].name: enclose_range(*pair) for v, pair in zip(variables, ends, strict=True)}


def _list(arm: Arm, values: Sequence[Value], lines: Sequence[str]) -> str:
    """corrected.csv"""
    rows = [[f"# {line}"] for line in lines]
    designed = designed_values(arm)
    told = [["parameter", "unit", "as described", "corrected", "enclosed from", "enclosed to"]]
    for v in values:
        ends = ["", ""] if v.interval is None else [repr(end) for end in v.interval]
        own = v.name.partition("_")[0] in designed
        told.append([v.name, v.unit, v.blueprint if own else "", repr(v.value), *ends])
    return "\n".join([row[0] for row in rows] + [",".join(cells) for cells in told]) + "\n"


def _table(names: Sequence[str], rows: Sequence[Mapping[str, float]], lines: Sequence[str]) -> str:
    """A table of Denavit and Hartenberg, with y and beta where these are not 0."""
    extra = any(row["y"] or row["beta"] for row in rows)
    header = ["pose", "a [mm]", "alpha [deg]", "d [mm]", "theta [deg]", *(["y [mm]", "beta [deg]"] if extra else [])]
    told = [f"# {line}" for line in lines] + [",".join(header)]
    for name, row in zip(names, rows, strict=True):
        cells = [row["a"], degrees(row["alpha"]), row["d"], degrees(row["theta"])]
        cells += [row["y"], degrees(row["beta"])] if extra else []
        told.append(",".join([name, *map(repr, cells)]))
    return "\n".join(told) + "\n"
