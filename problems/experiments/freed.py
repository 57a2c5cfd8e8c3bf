"""An experiment in which parameters that the file calls exact (radius 0) are unknown after all, within a radius."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from certify.problems.experiments.experiment import Experiment


def freed(experiment: Experiment, radii: Mapping[str, Fraction]) -> Experiment:
    """The parameters with these names get these radii, of a robot without legs; the others stay as they are."""
    blueprint = tuple(
        replace(parameter, radius=radii[parameter.name], fixed=False) if parameter.name in radii else parameter
        for parameter in experiment.blueprint
    )
    kind = experiment.kind
    units = {column.name: column.unit for column in (*experiment.pose_columns, *experiment.columns)}
    units |= {
        field.name: parameter.unit for parameter, field in zip(blueprint, kind.variable_fields.values(), strict=True)
    }
    fixed = {parameter.name: parameter.nominal for parameter in blueprint if parameter.fixed}
    variables = (
        *(parameter for parameter in blueprint if not parameter.fixed),
        *experiment.variables[experiment.parameters :],
    )
    families = kind.families(len(experiment.poses), units, fixed)
    return replace(experiment, blueprint=blueprint, variables=variables, families=families)


def exact_vectors(experiment: Experiment) -> dict[str, tuple[str, ...]]:
    """The fields whose numbers are all called exact, with the names of these."""
    whole = {field.name: field.names for field in experiment.kind.parameters}
    return {field: names for field, names in exact_numbers(experiment).items() if names == whole[field]}


def exact_numbers(experiment: Experiment) -> dict[str, tuple[str, ...]]:
    """The fields that have numbers which are called exact, and these."""
    exact = {parameter.name for parameter in experiment.blueprint if parameter.fixed}
    found = {field.name: tuple(n for n in field.names if n in exact) for field in experiment.kind.parameters}
    return {field: names for field, names in found.items() if names}
