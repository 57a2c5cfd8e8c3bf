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
from certify.contractors.operators.lifted_relaxation import LiftedRelaxation, RangeOracle
from certify.contractors.protocol.boxes import Boxes, Contractor, reasons_of
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.forms import has_polynomial_form, mean_value_rows
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.taylor_form import taylor_rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.graph.own import OwnContractors, with_own
from certify.solvers.proof.trace import Steps, recorded

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
    """Rows that share variables, and the contractors that read them."""

    constraints: Constraints
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


def build(constraints: Constraints, oracle: RangeOracle, own: OwnContractors = ()) -> Component:
    """All contractors that apply to one component, and those that its user has made for it."""
    pairs, epsilon = constraints.blocks, constraints.epsilon
    contractors: list[Contractor] = [ForwardBackward(number, rows, epsilon) for number, rows in pairs]
    contractors.append(Krawczyk(constraints))
    lifted = tuple(pair for pair in pairs if has_polynomial_form(pair[1]))
    if lifted:  # of a component, some rows may be polynomial and others not
        contractors += [
            LiftedRelaxation(Constraints.of(lifted, epsilon), oracle, cells, f"lifted-relaxation-{cells}", 2 + rank)
            for rank, cells in enumerate(CELLS)
        ]
    others = Constraints.of((pair for pair in pairs if pair not in lifted), epsilon)
    if others.blocks:
        contractors.append(LiftedRelaxation(others, oracle, CELLS[0], "taylor-relaxation", 2, taylor_rows, tied=False))
    return Component(constraints, with_own(contractors, constraints, own))


def build_without_lift(constraints: Constraints, oracle: RangeOracle, own: OwnContractors = ()) -> Component:
    """The contractors of the papers alone, for comparison: linear programs on mean-value forms."""
    program = LiftedRelaxation(constraints, oracle, CELLS[0], "mean-value-relaxation", 1, mean_value_rows)
    return Component(constraints, with_own([program], constraints, own))


def draw(component: Component) -> nx.Graph:
    """The bipartite graph of a component, for the user to look at."""
    import networkx as nx

    graph = nx.Graph()
    for contractor in component.contractors:
        graph.add_node(contractor.name, bipartite=1)
        graph.add_edges_from((contractor.name, f"x{variable}") for variable in contractor.reads)
    return graph


@dataclass(slots=True)
class Scheduler:
    """Runs a component's contractors on one box until none gains `until_gain_below` of some half-width."""

    component: Component
    statistics: Statistics = field(default_factory=dict)
    until_gain_below: float = 0.15

    def run(self, box: Box, steps: Steps, stop: Callable[[], bool]) -> tuple[Box, Steps]:
        """Narrow the box, writing what was done to `steps`; what is left of it, and where its steps go on: they have an
        end if nothing is left.

        What ran in vain is passed over once, then three times, then seven times in a row, unless nothing else is awake.
        """
        contractors = self.component.contractors
        seen: list[Floats | None] = [None] * len(contractors)
        in_vain, resting = [0] * len(contractors), [0] * len(contractors)
        while not stop():
            awake = [k for k, old in enumerate(seen) if old is None or self._shrank(old, box.radius, contractors[k])]
            if not awake:
                break
            ready = [k for k in awake if not resting[k]]
            k = min(ready or awake, key=lambda candidate: contractors[candidate].cost)
            for other in awake:
                resting[other] = max(resting[other] - 1, 0)
            seen[k] = before = box.radius
            box, steps = self._call(contractors[k], box, steps)
            if steps.end is not None:
                break
            in_vain[k] = 0 if (box.radius < before).any() else in_vain[k] + 1
            resting[k] = 2 ** in_vain[k] - 1
        return box, steps

    def _shrank(self, old: Floats, new: Floats, contractor: Contractor) -> bool:
        places = list(contractor.reads)
        return bool((new[places] < (1.0 - self.until_gain_below) * old[places]).any())

    def _call(self, contractor: Contractor, box: Box, steps: Steps) -> tuple[Box, Steps]:
        count = self.statistics.setdefault(contractor.name, Count())
        start, before = time.perf_counter(), Boxes.of([box])
        narrowed = contractor.contract(before)
        count.seconds += time.perf_counter() - start
        count.calls += 1
        left, rest = recorded(steps, box, narrowed.box(0), reasons_of(contractor, before, narrowed, 0))
        if rest.end is not None:
            count.refuted += 1
        elif left is not box:
            places = list(contractor.reads)
            count.gain += float(np.log2(box.radius[places] / np.maximum(left.radius[places], 1e-300)).sum())
        return left, rest
