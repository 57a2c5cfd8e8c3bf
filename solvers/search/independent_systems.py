"""Systems whose constraints fall into groups without common variables: each group is searched alone, and the answers
are combined.

A solution of the whole is any combination of solutions of the groups, so that a hundred equations in pairs cost fifty
small searches; a group without solution empties the whole. At a limit the groups that were not reached are unexplored;
where there are too many combinations to write them out, whole groups are told by the box around them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.solvers.graph.accounts import Count, Statistics
from certify.solvers.limits import LIMITS, Late, Stopped
from certify.solvers.search.branch_and_prune import Paving, SearchOptions, branch_and_prune
from certify.solvers.zeros.proved_zeros import Solution

KINDS = ("proved", "inner", "undecided", "unexplored")
COMBINATIONS = 50_000  # more are not written out: the whole is searched in one then
NUMBERS = 500_000  # of all combinations' ends, once a limit was reached


@dataclass(frozen=True, eq=False)
class Group:
    """Some variables, and the constraints on them, by their numbers, as a system of its own."""

    variables: tuple[int, ...]
    constraints: tuple[int, ...]
    equations: Equations


def groups(equations: Equations) -> list[Group]:
    """The connected components of the graph of variables and constraints; variables of no constraint belong to none."""
    read = _read(equations.tape)
    together = nx.utils.UnionFind(range(equations.variables))
    for variables in read:
        together.union(*variables)
    found = []
    occurring = set().union(*read)
    for component in together.to_sets():
        if component & occurring:
            constraints = [k for k, variables in enumerate(read) if variables[0] in component]
            alone = _alone(equations, tuple(sorted(component)), constraints)
            found.append(Group(tuple(sorted(component)), tuple(constraints), alone))
    return sorted(found, key=lambda group: group.variables)


def _read(tape: Tape) -> list[list[int]]:
    """For each constraint the variables that it reads; one without any goes with the first variable."""
    found = []
    for output in tape.outputs:
        seen, waiting = {output}, [output]
        while waiting:
            node = waiting.pop()
            if node >= tape.inputs:
                step = tape.steps[node - tape.inputs]
                new = {operand for operand in (step.first, step.second) if operand >= 0} - seen
                seen |= new
                waiting += new
        found.append(sorted(node for node in seen if node < tape.inputs) or [0])
    return found


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
    options: SearchOptions | None = None,
    progress: Callable[[str], None] | None = None,
    surely_inside: Box | None = None,
) -> Paving:
    """As `branch_and_prune`, group by group."""
    options, inside = options or SearchOptions(), surely_inside or domain
    limit = options.limit.within(options.time_limit)
    options = replace(options, limit=limit)
    try:
        with limit.enforced():
            parts = groups(equations)
    except Late as late:
        return Paving((), (), (), (domain,), 0, late.why, {})
    if len(parts) < 2 or sum(len(group.variables) for group in parts) < equations.variables:
        return branch_and_prune(equations, domain, options, progress, inside)
    pavings: list[Paving] = []
    for number, group in enumerate(parts, 1):
        chosen = list(group.variables)

        def tell(text: str, number: int = number) -> None:
            if progress is not None:
                progress(f"group {number} of {len(parts)}: {text}")

        mine, sure = (Box(box.lower[chosen], box.upper[chosen]) for box in (domain, inside))
        pavings.append(branch_and_prune(group.equations, mine, options, tell, sure))
        if not _boxes(pavings[-1]):
            break
    ended = any(paving.stopped in LIMITS for paving in pavings)
    most = min(COMBINATIONS, max(NUMBERS // equations.variables, 1)) if ended else COMBINATIONS
    if _combinations(pavings) > most:
        whole = branch_and_prune(equations, domain, options, progress, inside)
        if whole.cells:
            return whole
        while _combinations(pavings) > most:
            largest = max(range(len(pavings)), key=lambda k: len(_boxes(pavings[k])))
            pavings[largest] = _outlined(pavings[largest])
    return _combined(parts, pavings, domain)


def _combinations(pavings: list[Paving]) -> int:
    return math.prod(len(_boxes(paving)) for paving in pavings)


def _outlined(paving: Paving) -> Paving:
    """The box around all boxes of a group, as one that is unexplored."""
    boxes = [box for _, box, _ in _boxes(paving)]
    around = Box(np.min([box.lower for box in boxes], axis=0), np.max([box.upper for box in boxes], axis=0))
    return replace(paving, solutions=(), inner=(), undecided=(), unexplored=(around,))


def _boxes(paving: Paving) -> list[tuple[str, Box, Box]]:
    """All boxes of a group with their kinds; for a proved zero the box in which it is the only one, too."""
    proved = [("proved", solution.enclosure, solution.only_one_in) for solution in paving.solutions]
    others = (("inner", paving.inner), ("undecided", paving.undecided), ("unexplored", paving.unexplored))
    return proved + [(kind, box, box) for kind, boxes in others for box in boxes]


def _combined(parts: list[Group], pavings: list[Paving], domain: Box) -> Paving:
    found: dict[str, list[Solution]] = {kind: [] for kind in KINDS}
    if len(pavings) == len(parts) and _combinations(pavings):
        kinds, (lower, upper), (least, greatest) = _products(parts, pavings, domain)
        for k, kind in enumerate(kinds):
            found[kind].append(
                Solution(Box(lower[:, k].copy(), upper[:, k].copy()), Box(least[:, k].copy(), greatest[:, k].copy()))
            )
    statistics: Statistics = {}
    for paving in pavings:
        for name, count in paving.statistics.items():
            statistics.setdefault(name, Count()).add(count)
    stopped = next((paving.stopped for paving in pavings if paving.stopped is not Stopped.FINISHED), Stopped.FINISHED)
    empty = len(pavings) < len(parts) or not _boxes(pavings[-1])
    return Paving(
        tuple(sorted(found["proved"], key=lambda s: tuple(s.enclosure.lower))),
        tuple(s.enclosure for s in found["inner"]),
        tuple(s.enclosure for s in found["undecided"]),
        tuple(s.enclosure for s in found["unexplored"]),
        sum(paving.cells for paving in pavings),
        Stopped.FINISHED if empty else stopped,
        statistics,
        apart=tuple((group.variables, paving) for group, paving in zip(parts, pavings, strict=False)),
    )


def _products(
    parts: list[Group], pavings: list[Paving], domain: Box
) -> tuple[list[str], tuple[Floats, Floats], tuple[Floats, Floats]]:
    """All combinations of the groups' boxes: their kinds, their ends (variable, combination), and those of the boxes in
    which zeros are the only ones.
    """
    count = _combinations(pavings)
    ends = [np.empty((domain.lower.size, count)) for _ in range(4)]
    has = np.zeros((len(KINDS), count), dtype=np.bool_)
    behind = count
    for group, paving in zip(parts, pavings, strict=True):
        boxes = _boxes(paving)
        behind //= len(boxes)
        chosen = np.arange(count) // behind % len(boxes)
        has[np.array([KINDS.index(kind) for kind, _, _ in boxes])[chosen], np.arange(count)] = True
        for number, alone in enumerate([(box.lower, box.upper, only.lower, only.upper) for _, box, only in boxes]):
            for whole, mine in zip(ends, alone, strict=True):
                whole[np.ix_(group.variables, chosen == number)] = mine[:, None]
    # a zero of some variables with an inner box of others is a set of solutions, not one
    mixed = np.where(has[KINDS.index("unexplored")], KINDS.index("unexplored"), KINDS.index("undecided"))
    numbers = np.where(has.sum(axis=0) == 1, has.argmax(axis=0), mixed)
    return [KINDS[number] for number in numbers.tolist()], (ends[0], ends[1]), (ends[2], ends[3])
