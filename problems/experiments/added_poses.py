"""Further poses of an experiment: a table of the same columns, and a problem with the rows of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.files.csv_table import read_table
from certify.problems.formulas.units import shown
from certify.problems.model.model import Column, Problem


@dataclass(frozen=True, slots=True)
class Poses:
    """The labels of the poses and their columns by name."""

    labels: tuple[str, ...]
    columns: dict[str, Column]
    told: tuple[str, ...] = ()


def read_poses(path: Path, experiment: Experiment, names: Collection[str]) -> Poses:
    """A table with these columns of the experiment; a column without half-widths gets the largest one that it has in
    the experiment.
    """
    if experiment.pose_columns:
        raise InputError(
            f"kind {shown(experiment.kind.name)} has unknowns in every pose, so that poses cannot be added one by one"
        )
    known = {column.name: column for column in experiment.columns}
    wanted = {name: dimension for name, dimension in experiment.kind.columns.items() if name in names}
    table = read_table(path, wanted, experiment.reading.layout, further=True)
    columns = {}
    for name, measured in table.columns.items():
        own = known[name]
        if measured.unit != own.unit:
            raise InputError(
                f"table {path}: column {name} is in {measured.unit}, the problem's in {own.unit}; use one unit"
            )
        halves = measured.half_widths or (largest_half_width(own),) * len(table.poses)
        pairs = list(zip(measured.values, halves, strict=True))
        columns[name] = Column(
            name, own.unit, tuple(value - half for value, half in pairs), tuple(value + half for value, half in pairs)
        )
    return Poses(table.poses, columns, tuple(file.told for file in table.files if file.told))


def with_poses(problem: Problem, added: Mapping[str, Column]) -> Problem:
    """The problem with these entries behind its own, in every column; every family has a row for each."""
    columns = []
    for column in problem.columns:
        more = added[column.name]
        columns.append(replace(column, lower=column.lower + more.lower, upper=column.upper + more.upper))
    count = len(columns[0].lower)
    return replace(
        problem, columns=tuple(columns), families=tuple(replace(family, rows=count) for family in problem.families)
    )


def largest_half_width(column: Column) -> Fraction:
    """The largest half-width of a column's entries."""
    return max((high - low) / 2 for low, high in zip(column.lower, column.upper, strict=True))
