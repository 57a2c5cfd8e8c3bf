"""The independent parts of a problem, and points put together from theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.problems.model.model import Problem
from certify.proofs.witnesses import shared_columns
from certify.records.results import Part
from certify.solvers.graph.components import components

TOGETHER = "platform"
LONGEST_NAME = 60  # of a part: it names a file


def start_point(problem: Problem, start: Floats | None) -> Floats:
    """The given start, moved into the box, or the middle of the box."""
    lower, upper = problem.box
    return 0.5 * (lower + upper) if start is None else np.clip(np.asarray(start, dtype=np.float64), lower, upper)


def independent_parts(problem: Problem) -> list[tuple[str, tuple[int, ...]]]:
    """What is asked about apart: each group of families, and of the others the independent problems that the graph
    shows, named after their families.
    """
    grouped = [(group.name, problem.part(group.families)) for group in problem.groups]
    others = sorted(set(range(len(problem.families))).difference(*(numbers for _, numbers in grouped)))
    found = [numbers for numbers, _ in components(problem.blocks, others)]
    names = [[problem.families[n].name for n in numbers] for numbers in found]
    parts = len(found) + len(grouped)
    return [*grouped, *((_part_name(of, parts), numbers) for of, numbers in zip(names, found, strict=True))]


def _part_name(families: list[str], parts: int) -> str:
    """The families' names, or what stands for many of them: the platform if these are all."""
    name = "+".join(families)
    if len(name) <= LONGEST_NAME:
        return name
    return TOGETHER if parts == 1 else f"{families[0]}+{len(families) - 1}"


def joint_scope(problem: Problem, parts: int) -> tuple[int, ...] | None:
    """All families, if they fall into several parts that nevertheless share measurements; groups are what is asked
    about, and the errors of several groups may have different units.
    """
    scope = tuple(range(len(problem.families)))
    return scope if parts > 1 and not problem.groups and shared_columns(problem, scope) else None


def joined(problem: Problem, parts: Sequence[Part], guess: Floats) -> Floats:
    """The parts' witnesses put together, the guess elsewhere."""
    point = guess.copy()
    for part in parts:
        for v, variable in enumerate(problem.variables):
            if part.witness is not None and variable.name in part.witness:
                point[v] = float(part.witness[variable.name])
    return point
