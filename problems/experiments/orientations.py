"""Rotation vectors and quaternions in a table: their formulas are not defined where all components may be 0."""

from __future__ import annotations

from collections.abc import Iterator

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.formulas.grammar import Call, Entry, Name, Node, parse_formula
from certify.problems.robots.text_model import TextModel

FUNCTIONS = ("rotation_vector", "quaternion")


def require_rotations(experiment: Experiment) -> None:
    """Refuse a pose whose orientation may be 0 within its measurement intervals, which no run could decide."""
    columns = {column.name: column for column in experiment.columns}
    for function, names in _asked(experiment):
        if not all(name in columns for name in names):
            continue
        for row, pose in enumerate(experiment.poses):
            if all(columns[name].lower[row] <= 0 <= columns[name].upper[row] for name in names):
                told = ", ".join(names)
                raise InputError(
                    f"pose {pose}: {told} may all be 0, where {function}({told}) is not defined; leave the pose out, "
                    f"or give its orientation otherwise (as a quaternion, by angles)"
                )


def _asked(experiment: Experiment) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions and the names of what a model in text turns into matrices."""
    model = experiment.kind.model
    if isinstance(model, TextModel):
        for _, text in (*model.definitions, *model.equations):
            yield from _within(parse_formula(text, "model"))


def _within(node: Node) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(node, Entry):
        yield from _within(node.value)
    elif isinstance(node, Call):
        names = tuple(argument.name for argument in node.arguments if isinstance(argument, Name))
        if node.function in FUNCTIONS and len(names) == len(node.arguments):
            yield node.function, names
        for argument in node.arguments:
            yield from _within(argument)
