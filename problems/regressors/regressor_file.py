"""A linear model from a file: the columns of W with their names and units, the column y, and the bound.

    CSV, TXT     a header line such as  ddq,dq [rad/s],sign,tau [Nm]  and one line a row; numbers are read as the
                 doubles nearest to them
    NPZ          arrays W and y of float64, and if they like: bound, names, units
    PARQUET      columns by name (with pandas and pyarrow)

The bound is a number ("0.1", "0.1 Nm"), or a column with a bound for each row; a column of standard deviations is
multiplied by a factor, which is stated. Half-widths of columns of W are numbers or columns, too ("dq = 0.01, sign =
sign_error"); in an NPZ file the array W_error has them, if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES, is_there
from certify.problems.files.packed import read_npz, read_parquet
from certify.problems.files.table_cells import read_cells, without_blanks
from certify.problems.formulas.units import is_decimal, nearest, shown
from certify.problems.regressors.interval_regressor import with_errors
from certify.problems.regressors.regressor import MOST_BYTES, Ends, Floats, Regressor, exact, regressor

HEADING = re.compile(r"(.*?)\s*[\[(]\s*([^\[\]()]*?)\s*[\])]")
QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*)?", re.ASCII)
RANGE = re.compile(r"\s*([A-Za-z][A-Za-z0-9_.-]*)\s*=\s*(\S+)?\s*\.\.\s*(\S+)?\s*")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What of a file is meant: the measured column, the bound, the factor on it, the columns of W (none: all others),
    what was known of parameters before, and half-widths of columns of W.
    """

    y: str
    bound: str
    factor: str = "1"
    columns: str | None = None
    prior: str | None = None
    half_widths: str | None = None

    @property
    def halves(self) -> dict[str, str]:
        """The half-widths by columns of W: numbers, or columns."""
        found = dict[str, str]()
        for part in self.half_widths.split(",") if self.half_widths else ():
            name, _, value = (side.strip() for side in part.partition("="))
            if not name or not value or name in found:
                raise InputError(
                    f"--half-widths {shown(part.strip())}: write NAME = NUMBER or NAME = COLUMN, each once"
                )
            found[name] = value
        return found

    @property
    def half_columns(self) -> list[str]:
        """The columns that hold half-widths."""
        return [value for value in self.halves.values() if not QUANTITY.fullmatch(value)]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file by name, and their units."""

    values: Mapping[str, Floats]
    units: Mapping[str, str]


def read_regressor(path: Path, chosen: Chosen) -> Regressor:
    """The model that a file holds."""
    if not is_there(path):
        raise InputError(f"table {path}: there is no such file; check the name and the folder")
    kind = path.suffix.lower()
    if kind == ".npz":
        return _of_arrays(path, chosen)
    columns = _parquet(path, chosen) if kind in (".parquet", ".pq") else _csv(path, chosen)
    wanted = [chosen.y, *([] if QUANTITY.fullmatch(chosen.bound) else [chosen.bound]), *chosen.half_columns]
    names = [part.strip() for part in chosen.columns.split(",")] if chosen.columns else None
    for name in (*wanted, *(names or ())):
        if name not in columns.values:
            raise InputError(f"table {path}: it has no column {shown(name)}; {nearest(name, columns.values)}")
    names = names or [name for name in columns.values if name not in wanted]
    twice = next((name for name in names if name in wanted or names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"--columns: {shown(twice)} is asked for twice, as a column of W too; remove one")
    if not names:
        raise InputError(f"table {path}: beside {', '.join(wanted)} it has no column of W; add one for each parameter")
    unit = columns.units[chosen.y]
    _same_units(path, columns.units, {chosen.bound: chosen.y, **{chosen.halves[name]: name for name in chosen.halves}})
    bound = chosen_bound(columns.values.get(chosen.bound), chosen, unit)
    units = [columns.units[name] for name in names]
    matrix = np.column_stack([columns.values[name] for name in names])
    prior = chosen_prior(chosen.prior, names)
    found = regressor(matrix, columns.values[chosen.y], bound, prior, names=names, units=units, unit=unit)
    return with_errors(found, chosen_half_widths(chosen, names, units, columns.values))


def _same_units(path: Path, units: Mapping[str, str], pairs: Mapping[str, str]) -> None:
    """Refuse a column of bounds that is in another unit than what it bounds."""
    for name, about in pairs.items():
        own, other = units.get(name, ""), units.get(about, "")
        if own and other and own != other:
            raise InputError(
                f"table {path}: column {shown(name)} is in {shown(own)}, and {shown(about)} in {shown(other)}; give "
                f"both in one unit"
            )


def chosen_bound(column: Floats | None, chosen: Chosen, unit: str) -> Any:
    """The bound of all rows, exactly, or that of each, rounded up."""
    factor = exact(chosen.factor, "--factor")
    if factor <= 0:
        raise InputError(f"--factor {chosen.factor} is not positive; give how many deviations the bound is")
    if column is None:
        match = QUANTITY.fullmatch(chosen.bound)
        if match is None:
            raise InputError(f"--bound is {shown(chosen.bound)}; give a number, or the name of a column")
        if match[2] and match[2].startswith(","):
            raise InputError(f"--bound {chosen.bound}: write a decimal point instead of the comma")
        if match[2] and unit and match[2] != unit:
            raise InputError(f"--bound {chosen.bound}: the measurements are in {unit}; give the bound in {unit}")
        return exact(match[1], "--bound") * factor
    return column if factor == 1 else np.nextafter(column * float(factor), np.inf) * (column != 0)


def chosen_half_widths(
    chosen: Chosen, names: Sequence[str], units: Sequence[str], columns: Mapping[str, Floats]
) -> Floats | None:
    """Of the columns of W, one for each row if some are columns; None for none. A number is rounded up."""
    halves = chosen.halves
    for name in halves:
        if name not in names:
            raise InputError(f"--half-widths: W has no column {shown(name)}; {nearest(name, names)}")
    rows = max((len(columns[name]) for name in chosen.half_columns if name in columns), default=1)
    found = np.zeros((rows, len(names)))
    for name, value in halves.items():
        j, match = names.index(name), QUANTITY.fullmatch(value)
        if match is None:
            found[:, j] = columns[value]
            continue
        if match[2] and units[j] and match[2] != units[j]:
            raise InputError(f"--half-widths {name} = {value}: the column is in {units[j]}; give the half-width in it")
        found[:, j] = enclose_rational(exact(match[1], f"--half-widths {name}"))[1]
    return None if not halves else found if rows > 1 else found[0]


def chosen_prior(text: str | None, names: Sequence[str]) -> list[Ends] | None:
    """'M = 0 .. 200, Fv = 0 ..' as pairs of ends."""
    if text is None:
        return None
    found: dict[str, Ends] = {}
    for part in text.split(","):
        match = RANGE.fullmatch(part)
        if match is None or match[1] not in names:
            hint = nearest(match[1], names) if match is not None else "write NAME = LOWER .. UPPER"
            raise InputError(f"--prior {shown(part.strip())}: {hint}; e.g. 'M = 0 .. 200, Fv = 0 ..'")
        if match[1] in found:
            raise InputError(f"--prior {shown(part.strip())}: {match[1]} has a range already; give both ends at once")
        found[match[1]] = (match[2], match[3])
    return [found.get(name, (None, None)) for name in names]


def _csv(path: Path, chosen: Chosen) -> _Columns:
    """All columns whose cells are numbers; those that are asked for must be."""
    text = csv_text(path, limit=LARGE_BYTES)
    _, first = next(text.cells(), (0, []))
    headings = without_blanks(list(first))
    if not headings or all(is_decimal(heading) for heading in headings):
        raise InputError(f"table {path}: its first line names no columns; write a line such as ddq,dq,sign,tau [Nm]")
    names, units = zip(*map(_heading, headings), strict=True)
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise InputError(f"table {path}: two columns are called {shown(twice[0])}; give each a name of its own")
    used = [k for k, name in enumerate(names) if _is_used(name, chosen)]
    cells = read_cells(text, True, len(headings), used)
    mark = cells.decimal({k: names[k] for k in used})
    values = {names[k]: _numbers(cells.texts[k], mark, path, cells.lines, names[k]) for k in used}
    return _Columns(values, dict(zip(names, units, strict=True)))


def _heading(heading: str) -> tuple[str, str]:
    """The name and the unit: 'dq [rad/s]'."""
    match = HEADING.fullmatch(heading)
    return (heading, "") if match is None else (match[1], match[2])


def _numbers(texts: Sequence[str], mark: str, path: Path, lines: Sequence[int], name: str) -> Floats:
    found = np.empty(len(texts))
    for k, text in enumerate(texts):
        if not is_decimal(text):
            raise InputError(
                f"table {path}, line {lines[k]}, column {name}: {shown(text)} is not a decimal number; write one, "
                f"leave out the line, or name the columns of W with --columns"
            )
        found[k] = float(text.replace(mark, "."))
    return found


def _parquet(path: Path, chosen: Chosen) -> _Columns:
    frame = read_parquet(path, 2 * MOST_BYTES)
    values, units = dict[str, Floats](), dict[str, str]()
    for heading in frame.columns:
        name, unit = _heading(str(heading))
        if name in values:
            raise InputError(f"table {path}: two columns are called {shown(name)}; give each a name of its own")
        if _is_used(name, chosen):
            values[name], units[name] = _doubles(np.asarray(frame[heading]), f"table {path}, column {name}"), unit
    return _Columns(values, units)


def _is_used(name: str, chosen: Chosen) -> bool:
    """Whether a column is asked for, or all are."""
    asked = [part.strip() for part in (chosen.columns or "").split(",")]
    return not chosen.columns or name in (*asked, chosen.y, chosen.bound, *chosen.half_columns)


def _doubles(values: Any, place: str) -> Floats:
    found = np.asarray(values)
    if found.dtype.kind not in "fiub":
        raise InputError(f"{place}: it has entries of the type {found.dtype}; name the columns of W with --columns")
    return found.astype(np.float64)


def _of_arrays(path: Path, chosen: Chosen) -> Regressor:
    """Arrays by their names; their sizes are looked at before they are read."""
    found = read_npz(path, 2 * MOST_BYTES)
    for name in ("W", chosen.y):
        if name not in found:
            raise InputError(f"table {path}: it has no array {shown(name)}; {nearest(name, found)}")
    names, units = ([str(one) for one in found[key].ravel()] if key in found else None for key in ("names", "units"))
    matrix = found["W"]
    called = names or [f"theta{k + 1}" for k in range(matrix.shape[1] if matrix.ndim == 2 else 0)]
    column = found.get(chosen.bound)
    if column is None and not QUANTITY.fullmatch(chosen.bound):
        raise InputError(f"table {path}: it has no array {shown(chosen.bound)}; {nearest(chosen.bound, found)}")
    bound = chosen_bound(
        None if column is None else _doubles(column, f"table {path}, array {chosen.bound}"), chosen, ""
    )
    if column is not None and column.ndim == 0:
        bound = Fraction(float(column)) * exact(chosen.factor, "--factor")
    prior = chosen_prior(chosen.prior, called)
    for name in chosen.half_columns:
        raise InputError(f"--half-widths: {shown(name)} is no number; of an NPZ file the array W_error has half-widths")
    known = regressor(matrix, found[chosen.y], bound, prior, names=called, units=units)
    halves = chosen_half_widths(chosen, known.names, known.units, {})
    if halves is not None and "W_error" in found:
        raise InputError(f"table {path}: its array W_error has half-widths of W, too; leave out --half-widths")
    return with_errors(known, found.get("W_error") if halves is None else halves)
