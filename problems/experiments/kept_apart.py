"""Poses that are kept apart: an experiment with some of its poses, as if the others had not been measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.formulas.units import nearest, shown
from certify.problems.model.model import Column

NAMED = "poses "  # begins a list of names, which may be numbers


def only_poses(experiment: Experiment, rows: Sequence[int]) -> Experiment:
    """The experiment with the poses of these rows alone, in the table's order."""
    if experiment.pose_columns:
        raise InputError("every pose has unknowns of its own, so that none can be kept apart")
    rows = sorted(rows)

    def picked(column: Column) -> Column:
        lower, upper = (tuple(ends[row] for row in rows) for ends in (column.lower, column.upper))
        return replace(column, lower=lower, upper=upper)

    return replace(
        experiment,
        poses=tuple(experiment.poses[row] for row in rows),
        columns=tuple(picked(column) for column in experiment.columns),
        families=tuple(replace(family, rows=len(rows)) for family in experiment.families),
    )


def rows_of_poses(text: str, poses: Sequence[str], place: str) -> tuple[int, ...]:
    """The rows of the poses that a list "poses P3, P9" names."""
    names = [name.strip() for name in text.removeprefix(NAMED).split(",")]
    for name in names:
        if name not in poses:
            raise InputError(f"{place}: there is no pose {shown(name)}; {nearest(name, poses)}")
        if names.count(name) > 1:
            raise InputError(f"{place}: pose {shown(name)} is named twice; name it once")
    return tuple(sorted(poses.index(name) for name in names))
