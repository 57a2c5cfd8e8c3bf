"""Systems whose constraints fall into groups without common variables: each group is searched alone, and the answers are combined.

A solution of the whole is any combination of solutions of the groups, so that a hundred equations in pairs cost fifty small searches; a group
without solution empties the whole.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import networkx as nx
import numpy as np

from contractors.equations import Equations
from contractors.narrowing import Box
from contractors.tape import Builder, replay
from solvers.branch_and_prune import Options, Paving, Solution, branch_and_prune
from solvers.contractor_graph import Count, Statistics
from solvers.limits import Stopped

COMBINATIONS = 50_000  # more are not written out: the whole is searched in one then


@dataclass(frozen=True, eq=False)
class Group:
    """Some variables, and the constraints on them as a system of its own."""

    variables: tuple[int, ...]
    equations: Equations


def groups(equations: Equations) -> list[Group]:
    """The connected components of the graph of variables and constraints; variables of no constraint belong to none."""
    tape = equations.tape
    reads: list[frozenset[int]] = [frozenset({i}) for i in range(tape.inputs)]
    for step in tape.steps:
        reads.append(frozenset().union(*(reads[operand] for operand in (step.first, step.second) if operand >= 0)))
    graph = nx.Graph()
    for number, node in enumerate(tape.outputs):
        graph.add_node(("constraint", number))
        # a constraint without variables goes with the first one
        graph.add_edges_from((("constraint", number), ("variable", variable)) for variable in reads[node] or {0})
    found = []
    for component in nx.connected_components(graph):
        variables = tuple(sorted(index for kind, index in component if kind == "variable"))
        constraints = sorted(index for kind, index in component if kind == "constraint")
        found.append(Group(variables, _alone(equations, variables, constraints)))
    return sorted(found, key=lambda group: group.variables)


def _alone(equations: Equations, variables: tuple[int, ...], constraints: list[int]) -> Equations:
    builder = Builder(len(variables))
    places = {variable: place for place, variable in enumerate(variables)}
    inputs = [places.get(variable, 0) for variable in range(equations.variables)]
    nodes = replay(equations.tape, builder, inputs)
    tape = builder.tape(tuple(nodes[equations.tape.outputs[k]] for k in constraints))
    return Equations(tape, equations.lower[constraints], equations.upper[constraints])


def solve_apart(
    equations: Equations,
    domain: Box,
    options: Options | None = None,
    progress: Callable[[str], None] | None = None,
    surely_inside: Box | None = None,
) -> Paving:
    """As `branch_and_prune`, group by group."""
    options, inside = options or Options(), surely_inside or domain
    parts = groups(equations)
    if len(parts) < 2 or sum(len(group.variables) for group in parts) < equations.variables:
        return branch_and_prune(equations, domain, options, progress, inside)
    began = time.perf_counter()
    pavings: list[Paving] = []
    for number, group in enumerate(parts, 1):
        chosen = list(group.variables)
        limit = max(options.time_limit - (time.perf_counter() - began), 0.0)

        def tell(text: str, number: int = number) -> None:
            if progress is not None:
                progress(f"group {number} of {len(parts)}: {text}")

        boxes = (Box(box.lower[chosen], box.upper[chosen]) for box in (domain, inside))
        whole, sure = boxes
        pavings.append(branch_and_prune(group.equations, whole, replace(options, time_limit=limit), tell, sure))
        if not _boxes(pavings[-1]):
            break
    if math.prod(len(_boxes(paving)) for paving in pavings) > COMBINATIONS:
        return branch_and_prune(equations, domain, options, progress, inside)
    return _combined(parts, pavings, domain)


def _boxes(paving: Paving) -> list[tuple[str, Box, Box]]:
    """All boxes of a group with their kinds; for a proved zero the box in which it is the only one, too."""
    proved = [("proved", solution.enclosure, solution.only_one_in) for solution in paving.solutions]
    others = (("inner", paving.inner), ("undecided", paving.undecided), ("unexplored", paving.unexplored))
    return proved + [(kind, box, box) for kind, boxes in others for box in boxes]


def _combined(parts: list[Group], pavings: list[Paving], domain: Box) -> Paving:
    kinds: dict[str, list[Solution]] = {"proved": [], "inner": [], "undecided": [], "unexplored": []}
    if len(pavings) == len(parts):
        for choice in product(*(_boxes(paving) for paving in pavings)):
            names = {kind for kind, _, _ in choice}
            # a zero of some variables with an inner box of others is a set of solutions, not one
            kind = names.pop() if len(names) == 1 else "unexplored" if "unexplored" in names else "undecided"
            kinds[kind].append(Solution(_joined(parts, [box for _, box, _ in choice], domain), _joined(parts, [box for _, _, box in choice], domain)))
    statistics: Statistics = {}
    for paving in pavings:
        for name, count in paving.statistics.items():
            statistics.setdefault(name, Count()).add(count)
    stopped = next((paving.stopped for paving in pavings if paving.stopped is not Stopped.FINISHED), Stopped.FINISHED)
    empty = len(pavings) < len(parts) or not _boxes(pavings[-1])
    return Paving(
        tuple(sorted(kinds["proved"], key=lambda s: tuple(s.enclosure.lower))),
        tuple(s.enclosure for s in kinds["inner"]),
        tuple(s.enclosure for s in kinds["undecided"]),
        tuple(s.enclosure for s in kinds["unexplored"]),
        sum(paving.cells for paving in pavings),
        Stopped.FINISHED if empty else stopped,
        statistics,
    )


def _joined(parts: list[Group], boxes: list[Box], domain: Box) -> Box:
    lower, upper = np.empty_like(domain.lower), np.empty_like(domain.upper)
    for group, box in zip(parts, boxes, strict=True):
        lower[list(group.variables)], upper[list(group.variables)] = box.lower, box.upper
    return Box(lower, upper)
