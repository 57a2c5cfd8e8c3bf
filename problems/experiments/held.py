"""An experiment in which some parameters are held at their blueprint: from then on they are known exactly, radius 0."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Centre, Experiment, assemble
from certify.problems.files.csv_table import Measured
from certify.problems.formulas.units import Quantity
from certify.problems.model.model import Column


def held(experiment: Experiment, names: Collection[str]) -> Experiment:
    """The experiment with these parameters held; whatever is proved of it is about the robot that has them exactly."""
    if experiment.kind.legs:
        raise InputError("parameters of single legs cannot be held; write radius 0 for a field of all legs under [box]")
    known = [parameter.name for parameter in experiment.blueprint]
    for name in names:
        if name not in known:
            raise InputError(f"there is no parameter {name} that could be held; there are {', '.join(known)}")
    blueprint = [
        replace(parameter, radius=Fraction(0)) if parameter.name in names else parameter
        for parameter in experiment.blueprint
    ]
    found = assemble(
        experiment.title,
        experiment.provenance,
        experiment.kind,
        experiment.poses,
        [Quantity(parameter.nominal, parameter.unit) for parameter in blueprint],
        {column.name: _measured(column) for column in experiment.columns},
        _centre(experiment, names),
        [parameter.radius for parameter in blueprint],
        experiment.half_widths_are,
    )
    return replace(found, reading=experiment.reading)


def _centre(experiment: Experiment, names: Collection[str]) -> Centre:
    """What is held is held at its blueprint, wherever the box was."""
    if isinstance(experiment.centre, str):
        return experiment.centre
    pairs = zip(experiment.blueprint, experiment.centre, strict=True)
    return tuple(parameter.nominal if parameter.name in names else value for parameter, value in pairs)


def _measured(column: Column) -> Measured:
    pairs = list(zip(column.lower, column.upper, strict=True))
    middles, halves = [(low + high) / 2 for low, high in pairs], [(high - low) / 2 for low, high in pairs]
    return Measured(column.name, column.unit, tuple(middles), tuple(halves))
