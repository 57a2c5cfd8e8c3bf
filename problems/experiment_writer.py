"""An experiment written as a problem file and its table, such that reading them gives exactly the same numbers.

Half-widths that are equal all down a column go to the problem file, others to a column of their own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from problems.errors import InputError
from problems.experiment import GIVEN, Centre, Experiment
from problems.files import write_text
from problems.model import Column
from problems.quantities import Quantity, format_decimal, format_quantity

FORMAT = "certify-problem-file 1"
PROBLEM_FILE = "problem.toml"
TABLE_FILE = "poses.csv"


def write_experiment(directory: Path | str, experiment: Experiment, centre: Centre | None = None) -> Path:
    """Write problem.toml and poses.csv into a folder; a `centre` replaces the experiment's. Returns the path of problem.toml."""
    directory = Path(directory)
    problem, table = problem_text(experiment, experiment.centre if centre is None else centre), table_text(experiment)
    write_text(directory / TABLE_FILE, table)
    write_text(directory / PROBLEM_FILE, problem)
    return directory / PROBLEM_FILE


def problem_text(experiment: Experiment, centre: Centre) -> str:
    """The text of problem.toml."""
    lines = [f"format = {_quoted(FORMAT)}", f"title = {_quoted(experiment.title)}", f"provenance = {_quoted(experiment.provenance)}"]
    lines += [f"kind = {_quoted(experiment.kind.name)}", *(f"# {line}" for line in experiment.kind.conventions)]
    lines += [f"poses = {_quoted(TABLE_FILE)}", "", "[half_widths]"]
    for column in experiment.columns:
        width = _common_half_width(column)
        if width is not None:
            lines.append(f"{column.name} = {_length(width, column.unit)}")
    lines += ["", "[box]", f"centre = {_quoted(centre if isinstance(centre, str) else GIVEN)}", f"radius = {_length(experiment.radius)}"]
    lines += _legs("legs", experiment, experiment.nominal)
    if not isinstance(centre, str):
        lines += _legs("centre", experiment, centre)
    return "\n".join(lines) + "\n"


def table_text(experiment: Experiment) -> str:
    """The text of poses.csv."""
    header, columns = ["pose"], [list(experiment.poses)]
    for column in experiment.columns:
        header.append(f"{column.name} [{column.unit}]")
        columns.append([format_decimal((low + high) / 2) for low, high in zip(column.lower, column.upper, strict=True)])
        if _common_half_width(column) is None:
            header.append(f"{column.name} half-width [{column.unit}]")
            columns.append([format_decimal(width) for width in _half_widths(column)])
    stream = io.StringIO()
    stream.write(f"# {experiment.provenance}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([header, *zip(*columns, strict=True)])
    return stream.getvalue()


def _half_widths(column: Column) -> list[Fraction]:
    return [(high - low) / 2 for low, high in zip(column.lower, column.upper, strict=True)]


def _common_half_width(column: Column) -> Fraction | None:
    widths = set(_half_widths(column))
    return widths.pop() if len(widths) == 1 else None


def _legs(table: str, experiment: Experiment, values: Sequence[Fraction]) -> list[str]:
    if len(values) != len(experiment.variables):
        raise InputError(f"the centre has {len(values)} numbers, the robot has {len(experiment.variables)} variables; give one for each")
    lines, rest = [], iter(values)
    for leg in experiment.kind.leg_names:
        lines += ["", f"[{table}.{leg}]"]
        for field in experiment.kind.parameters:
            texts = [_length(next(rest)) for _ in field.names]
            lines.append(f"{field.name} = [{', '.join(texts)}]" if field.components else f"{field.name} = {texts[0]}")
    return lines


def _length(value: Fraction, unit: str = "mm") -> str:
    return _quoted(format_quantity(Quantity(value, unit)))


def _quoted(text: str) -> str:
    if not text.isprintable():
        raise InputError(f"{text!a} cannot be written into a problem file; use one line of printable characters")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
