"""The contractor graph: variables on one side, contractors on the other, run event-driven to a standstill.

Connected components share no variable and are solved apart. Within one, a contractor sleeps until a variable that it
reads has shrunk; the cheapest that is awake runs first, so that the dear ones (linear programs) run only when the
cheap ones stall. `until_gain_below` says when a box has stopped shrinking: that is why we stopped, never what is
proved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from certify.contractors.operators.forward_backward import ForwardBackward
from certify.contractors.operators.krawczyk import Krawczyk
from certify.contractors.operators.lifted_relaxation import LiftedRelaxation, LinearOracle
from certify.contractors.protocol.contractor import Box, Contractor
from certify.contractors.rows.forms import has_polynomial_form, mean_value_rows
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.taylor_form import taylor_rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.proof.trace import Prepared, Refuted, Steps

if TYPE_CHECKING:
    import networkx as nx

CELLS = (1, 16)


@dataclass(slots=True)
class Count:
    """Calls of one contractor, their time, and the gain: the sum over calls of log2(volume before / volume after) per
    variable.
    """

    calls: int = 0
    seconds: float = 0.0
    gain: float = 0.0
    refuted: int = 0

    def add(self, other: Count) -> None:
        """Take up what another part of the same search has counted."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.gain += other.gain
        self.refuted += other.refuted


Statistics = dict[str, Count]


@dataclass(frozen=True, eq=False)
class Component:
    """Blocks of rows that share variables, the variables, and the contractors that read them."""

    blocks: tuple[int, ...]
    variables: tuple[int, ...]
    contractors: tuple[Contractor, ...]


def components(blocks: Sequence[Rows], chosen: Sequence[int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The independent problems among the chosen blocks, as (blocks, variables), found from the graph."""
    found: list[tuple[list[int], set[int]]] = []
    for number in chosen:
        numbers, variables = [number], {int(place) for place in blocks[number].places}
        for others in [others for others in found if others[1] & variables]:
            found.remove(others)
            numbers, variables = others[0] + numbers, others[1] | variables
        found.append((numbers, variables))
    return sorted((tuple(sorted(numbers)), tuple(sorted(variables))) for numbers, variables in found)


def build(
    blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], oracle: LinearOracle
) -> Component:
    """All contractors that apply to one component."""
    pairs = tuple((number, blocks[number]) for number in numbers)
    contractors: list[Contractor] = [ForwardBackward(number, rows) for number, rows in pairs]
    contractors.append(Krawczyk(pairs, variables))
    liftable = tuple(pair for pair in pairs if has_polynomial_form(pair[1]))
    read = {int(place) for _, rows in liftable for place in rows.places}
    if liftable:
        lifted = tuple(v for v in variables if v in read)  # of a component, some rows may be polynomial and others not
        contractors += [
            LiftedRelaxation(liftable, lifted, oracle, cells, f"lifted-relaxation-{cells}", 2 + rank)
            for rank, cells in enumerate(CELLS)
        ]
    others = tuple(pair for pair in pairs if pair not in liftable)
    if others:
        left = {int(place) for _, rows in others for place in rows.places}
        chosen = tuple(v for v in variables if v in left)
        contractors.append(
            LiftedRelaxation(others, chosen, oracle, CELLS[0], "mean-value-relaxation", 2, mean_value_rows)
        )
        contractors.append(LiftedRelaxation(others, chosen, oracle, CELLS[0], "taylor-relaxation", 4, taylor_rows))
    return Component(numbers, variables, tuple(contractors))


def build_without_lift(
    blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], oracle: LinearOracle
) -> Component:
    """The contractors of the papers alone, for comparison: linear programs on mean-value forms."""
    pairs = tuple((number, blocks[number]) for number in numbers)
    program = LiftedRelaxation(pairs, variables, oracle, CELLS[0], "mean-value-relaxation", 1, mean_value_rows)
    return Component(numbers, variables, (program,))


def draw(component: Component) -> nx.Graph:
    """The bipartite graph of a component, for the user to look at."""
    import networkx as nx

    graph = nx.Graph()
    for contractor in component.contractors:
        graph.add_node(contractor.name, bipartite=1)
        graph.add_edges_from((contractor.name, f"x{variable}") for variable in contractor.variables)
    return graph


@dataclass(slots=True)
class Scheduler:
    """Runs a component's contractors on one box until none gains `until_gain_below` of some half-width."""

    component: Component
    statistics: Statistics = field(default_factory=dict)
    until_gain_below: float = 0.15

    def run(self, box: Box, epsilon: float, steps: Steps, stop: Callable[[], bool]) -> Box:
        """Narrow the box, writing what was done to `steps`; `steps.end` is set if the box was refuted."""
        contractors = self.component.contractors
        seen: list[Floats | None] = [None] * len(contractors)
        while not stop():
            awake = [k for k, old in enumerate(seen) if old is None or self._shrank(old, box.radius, contractors[k])]
            if not awake:
                return box
            k = min(awake, key=lambda candidate: contractors[candidate].cost)
            seen[k] = box.radius
            box = self._call(contractors[k], box, epsilon, steps)
            if steps.end is not None:
                return box
        return box

    def _shrank(self, old: Floats, new: Floats, contractor: Contractor) -> bool:
        places = list(contractor.variables)
        return bool((new[places] < (1.0 - self.until_gain_below) * old[places]).any())

    def _call(self, contractor: Contractor, box: Box, epsilon: float, steps: Steps) -> Box:
        count = self.statistics.setdefault(contractor.name, Count())
        start = time.perf_counter()
        narrowing = contractor.contract(box, epsilon)
        count.seconds += time.perf_counter() - start
        count.calls += 1
        if narrowing.cells and (narrowing.cuts or narrowing.refuted):
            steps.actions.append(Prepared(narrowing.cells))
        before = box.radius
        for cut in narrowing.cuts:
            steps.actions.append(cut)
            box = box.cut(cut)
        if narrowing.refuted is not None:
            steps.end = Refuted(narrowing.refuted)
            count.refuted += 1
        elif narrowing.cuts:
            places = list(contractor.variables)
            count.gain += float(np.log2(before[places] / np.maximum(box.radius[places], 1e-300)).sum())
        return box
