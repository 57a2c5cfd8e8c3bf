"""An experiment written as a problem file and its table, such that reading them gives exactly the same numbers.

Half-widths that are equal all down a column go to the problem file, others to a column of their own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from certify.problems.arms.problem_file import quoted
from certify.problems.experiments.experiment import GIVEN, Centre, Experiment
from certify.problems.experiments.half_widths import KEY, ByColumn, HalfWidths
from certify.problems.files.disk import write_text
from certify.problems.formulas.units import Quantity, format_decimal, format_quantity
from certify.problems.model.model import Column
from certify.problems.robots.model_section import model_lines
from certify.problems.robots.text_model import TextModel

FORMAT = "certify-problem-file 1"
PARAMETERS, RATIO = "parameters", "ratio"  # of robots without legs
PROBLEM_FILE = "problem.toml"
TABLE_FILE = "poses.csv"


def write_experiment(directory: Path | str, experiment: Experiment, centre: Centre | None = None) -> Path:
    """Write problem.toml and poses.csv into a folder; a `centre` replaces the experiment's. Returns the path of
    problem.toml.
    """
    directory = Path(directory)
    if centre is not None and not isinstance(centre, str):
        centre = experiment.blueprint_at(centre)
    problem, table = problem_text(experiment, experiment.centre if centre is None else centre), table_text(experiment)
    write_text(directory / TABLE_FILE, table)
    write_text(directory / PROBLEM_FILE, problem)
    return directory / PROBLEM_FILE


def problem_text(experiment: Experiment, centre: Centre) -> str:
    """The text of problem.toml."""
    kind = experiment.kind
    lines = [
        f"format = {quoted(FORMAT)}",
        f"title = {quoted(experiment.title)}",
        f"provenance = {quoted(experiment.provenance)}",
    ]
    if not isinstance(kind.model, TextModel):
        lines += [f"kind = {quoted(kind.name)}", *(f"# {line}" for line in kind.conventions)]
    lines.append(f"poses = {quoted(TABLE_FILE)}")
    if isinstance(experiment.half_widths_are, HalfWidths) and experiment.half_widths_are.stated:
        lines.append(f"{KEY} = {quoted(experiment.half_widths_are.text)}")
    if kind.ratio is not None:
        lines.append(f"{RATIO} = {quoted(f'{format_decimal(kind.ratio.value)} mm per {kind.ratio.unit}')}")
    if isinstance(kind.model, TextModel):
        lines += model_lines(kind.model, kind)
    lines += ["", "[half_widths]"]
    for column in (*experiment.pose_columns, *experiment.columns):
        width = _common_half_width(column)
        if width is not None:
            lines.append(f"{column.name} = {_length(width, column.unit)}")
    if isinstance(experiment.half_widths_are, ByColumn):
        lines += ["", f"[{KEY}]"]
        lines += [f"{name} = {quoted(sort.text)}" for name, sort in experiment.half_widths_are.columns]
    lines += ["", "[box]", f"centre = {quoted(centre if isinstance(centre, str) else GIVEN)}"]
    nominal = [parameter.nominal for parameter in experiment.blueprint]
    if kind.legs:
        lines += [f"radius = {_radius(experiment)}", *_tables("", "legs.", experiment, nominal)]
    else:
        lines += ["", f"[{PARAMETERS}]", *_parameters(experiment)]
    if not isinstance(centre, str):
        lines += (
            _tables("centre.", "centre.", experiment, centre)
            if kind.legs
            else ["", "[centre]", *(f"{name} = {text}" for name, text in _values(experiment, centre).items())]
        )
    return "\n".join(lines) + "\n"


def table_text(experiment: Experiment) -> str:
    """The text of poses.csv."""
    header, columns = ["pose"], [list(experiment.poses)]
    for column in (*experiment.pose_columns, *experiment.columns):
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


def _tables(common: str, legs: str, experiment: Experiment, values: Sequence[Fraction]) -> list[str]:
    """The numbers of the blueprint, or others in their place: what the legs share, then leg by leg."""
    lines: list[str] = []
    rest = iter(zip(values, experiment.blueprint, strict=True))
    kind = experiment.kind
    for name, fields in (
        (f"{common}common", kind.common),
        *((f"{legs}{leg}", kind.parameters) for leg in kind.leg_names),
    ):
        lines += ["", f"[{name}]"] if fields or name != f"{common}common" else []
        for field in fields:
            numbers = [next(rest) for _ in field.names]
            texts = [_length(value, parameter.unit) for value, parameter in numbers]
            lines.append(f"{field.name} = [{', '.join(texts)}]" if field.components else f"{field.name} = {texts[0]}")
    return lines


def _parameters(experiment: Experiment) -> list[str]:
    """The values and radii of a robot without legs; one radius where all components have the same."""
    lines = []
    values = _values(experiment, [parameter.nominal for parameter in experiment.blueprint])
    rest = iter(experiment.blueprint)
    for field in experiment.kind.parameters:
        texts = [_length(p.radius, p.unit) for p in (next(rest) for _ in field.names)]
        radius = texts[0] if len(set(texts)) == 1 else f"[{', '.join(texts)}]"
        lines.append(f"{field.name} = {{ value = {values[field.name]}, radius = {radius} }}")
    return lines


def _values(experiment: Experiment, values: Sequence[Fraction]) -> dict[str, str]:
    """The numbers of a robot without legs by field, as TOML."""
    rest = iter(zip(values, experiment.blueprint, strict=True))
    found = {}
    for field in experiment.kind.parameters:
        texts = [_length(value, parameter.unit) for value, parameter in (next(rest) for _ in field.names)]
        found[field.name] = f"[{', '.join(texts)}]" if field.components else texts[0]
    return found


def _radius(experiment: Experiment) -> str:
    """One radius, or one for each field and component where they differ."""
    if not isinstance(experiment.kind.model, TextModel):
        return _length(experiment.radius)
    kind, parts = experiment.kind, []
    radii = {parameter.name: parameter for parameter in experiment.blueprint}
    for owner, fields in (("robot", kind.common), (kind.leg_names[0], kind.parameters)):
        for field in fields:
            texts = [_length(radii[f"{owner}.{name}"].radius, radii[f"{owner}.{name}"].unit) for name in field.names]
            parts.append(f"{field.name} = " + (texts[0] if len(set(texts)) == 1 else f"[{', '.join(texts)}]"))
    return "{ " + ", ".join(parts) + " }"


def _length(value: Fraction, unit: str = "mm") -> str:
    return quoted(format_quantity(Quantity(value, unit)))
