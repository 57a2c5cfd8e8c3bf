"""The contractor graph of rows of measurements: which contractors a part has, and how one of its boxes is narrowed.

Connected components share no variable and are solved apart. Within one, the scheduler of all graphs (`schedule`) runs
the cheapest contractor that is awake, so that the dear ones (linear programs) run only when the cheap ones stall; every
step is recorded with its reason. `WAKE` says when a box has stopped shrinking: that is why we stopped, never what is
proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.operators.forward_backward import ForwardBackward
from certify.contractors.operators.krawczyk import Krawczyk
from certify.contractors.operators.lifted_relaxation import LiftedRelaxation, RangeOracle
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, reasons_of
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.forms import has_polynomial_form, mean_value_rows
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.taylor_form import taylor_rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.solvers.graph.accounts import Count, Statistics
from certify.solvers.graph.own import OwnContractors, with_own
from certify.solvers.graph.schedule import Graph, Learnt, Node
from certify.solvers.limits import Late, Stopped
from certify.solvers.proof.trace import Steps, recorded

CELLS = (1, 16)
WAKE = 0.15  # of a width: what less has gone wakes nobody


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


@dataclass(frozen=True, eq=False)
class Component:
    """Rows that share variables, the graph of the contractors that read them, and what these have done so far."""

    constraints: Constraints
    graph: Graph
    statistics: Statistics = field(default_factory=dict)

    @staticmethod
    def of(constraints: Constraints, contractors: Sequence[Contractor], statistics: Statistics | None) -> Component:
        """Of these contractors, cheapest first."""
        nodes = tuple(Node(contractor, WAKE) for contractor in sorted(contractors, key=lambda one: one.cost))

        def influence(boxes: Boxes) -> Floats:
            return np.array([smear(constraints, boxes.box(k)) for k in range(boxes.count)]).T

        return Component(
            constraints, Graph(nodes, influence, narrow=0.0, rests=True), {} if statistics is None else statistics
        )

    def narrow(self, box: Box, steps: Steps, stop: Callable[[], bool]) -> tuple[Box, Steps]:
        """Narrow a box to a standstill, writing what was done to `steps`; what is left of it, and where its steps go
        on: they have an end if nothing is left.
        """
        record = _Record(box, steps)
        report = self.graph.run(Boxes.of([box]), Learnt(), _Stop(stop), record)[2]
        for name, count in report.statistics.items():
            self.statistics.setdefault(name, Count()).add(count)
        return record.box, record.steps


@dataclass
class _Record:
    """What is left of a box, and where its steps go on."""

    box: Box
    steps: Steps

    def __call__(self, contractor: Contractor, before: Boxes, after: Narrowed) -> Narrowed:
        """Write down what a contractor has done; the box as it is told."""
        told = reasons_of(contractor, before, after, 0)
        self.box, self.steps = recorded(self.steps, self.box, after.box(0), told)
        left = Boxes.of([self.box])
        return Narrowed(left.lower, left.upper, np.array([self.steps.end is not None]))


@dataclass(frozen=True)
class _Stop:
    """A limit, or a pause."""

    stop: Callable[[], bool]

    def check(self) -> None:
        """Raise Late if it is time to stop: why is for the search to say."""
        if self.stop():
            raise Late(Stopped.PAUSED)


def smear(constraints: Constraints, box: Box) -> Floats:
    """For each variable how much the rows vary along it: half-width times the largest slope at the centre."""
    found = np.zeros(box.lower.size)
    centre, radius = box.centre, box.radius
    for _, rows in constraints.blocks:
        middle = 0.5 * (rows.lower + rows.upper)
        slopes = evaluate(gradient(rows.tape), *rows.with_box(centre, centre, middle, middle))
        for i in rows.unknown_inputs:
            place = rows.unknowns[i]
            found[place] = max(found[place], np.abs(slopes.estimated_middle[1 + i]).max() * radius[place])
    return found


def build(
    constraints: Constraints,
    oracle: RangeOracle,
    own: OwnContractors = (),
    statistics: Statistics | None = None,
    refuting: bool = False,
) -> Component:
    """All contractors that apply to one component, and those that its user has made for it. To refute, rows that all
    have a polynomial form do without Krawczyk's, which only narrows hulls of these further.
    """
    pairs, epsilon = constraints.blocks, constraints.epsilon
    contractors: list[Contractor] = [ForwardBackward(number, rows, epsilon) for number, rows in pairs]
    joint = any(rows.joint for _, rows in pairs)
    lifted = tuple(pair for pair in pairs if has_polynomial_form(pair[1]))
    if not joint and not (refuting and len(lifted) == len(pairs)):
        contractors.append(Krawczyk(constraints))
    blocks = tuple(rows for _, rows in lifted)
    for numbers, _ in components(blocks, range(len(blocks))):  # some rows may be polynomial and others not
        alone = Constraints.of((lifted[number] for number in numbers), epsilon)
        contractors += [
            LiftedRelaxation(alone, oracle, cells, f"lifted-relaxation-{cells}", 2 + rank)
            for rank, cells in enumerate(CELLS[:1] if joint else CELLS)
        ]
    others = tuple(pair for pair in pairs if pair not in lifted)
    if joint:  # what rows have to do with each other is told by this form alone
        contractors.append(LiftedRelaxation(constraints, oracle, CELLS[0], "joint-relaxation", 4, taylor_rows, False))
    elif others:
        chosen = Constraints.of(others, epsilon)
        contractors.append(LiftedRelaxation(chosen, oracle, CELLS[0], "taylor-relaxation", 2, taylor_rows, False))
    return Component.of(constraints, with_own(contractors, constraints, own), statistics)


def build_refuting(
    constraints: Constraints, oracle: RangeOracle, own: OwnContractors = (), statistics: Statistics | None = None
) -> Component:
    """The contractors with which it is refuted that rows can be so near to zero."""
    return build(constraints, oracle, own, statistics, refuting=True)


def build_without_lift(
    constraints: Constraints, oracle: RangeOracle, own: OwnContractors = (), statistics: Statistics | None = None
) -> Component:
    """The contractors of the papers alone, for comparison: linear programs on mean-value forms."""
    program = LiftedRelaxation(constraints, oracle, CELLS[0], "mean-value-relaxation", 1, mean_value_rows)
    return Component.of(constraints, with_own([program], constraints, own), statistics)
