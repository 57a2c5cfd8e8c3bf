"""The contractors that pave a set of inequalities: one side keeps the set, the other everything else, each a graph in
which those that users make stand beside ours.

What users make keeps every point of the set, or, if it says of itself `keeps = "rest"`, every point of the domain that
is not in it: what that removes belongs to the set. On each side the cheapest contractor that is awake runs, until no
box shrinks. *Coverage:* what a side removes, one of its contractors has removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Floats
from certify.problems.errors import InputError
from certify.solvers.graph.accounts import Count, Statistics
from certify.solvers.graph.own import Own, OwnContractors, named_apart, own_of_system
from certify.solvers.graph.schedule import Graph, Learnt, Node
from certify.solvers.limits import UNLIMITED, Limit

SET, REST = "set", "rest"
WAKE = 0.15  # of a variable's width: what less has gone wakes nobody


@dataclass(frozen=True, eq=False)
class Side:
    """Several contractors as one, and what each of them has done, within a limit."""

    graph: Graph
    name: str
    statistics: Statistics = field(default_factory=dict)
    limit: Limit = UNLIMITED
    cost: int = 0

    @property
    def children(self) -> tuple[Contractor, ...]:
        """Cheapest first."""
        return tuple(node.contractor for node in self.graph.nodes)

    @property
    def reads(self) -> tuple[int, ...]:
        """What any of them reads."""
        return tuple(sorted({variable for child in self.children for variable in child.reads}))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch to a standstill. Raises Late."""
        left, kept, report = self.graph.run(boxes, Learnt(), self.limit)
        if report.late:
            self.limit.check()
        for name, count in report.statistics.items():
            self.statistics.setdefault(name, Count()).add(count)
        low, high, empty = boxes.lower.copy(), boxes.upper.copy(), np.ones(boxes.count, dtype=np.bool_)
        low[:, kept], high[:, kept], empty[kept] = left.lower, left.upper, False
        return Narrowed(low, high, empty)


def _widths(boxes: Boxes) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(boxes.upper - boxes.lower)


def graph_of(contractors: Sequence[Contractor]) -> Graph:
    """These, cheapest first."""
    nodes = tuple(Node(one, WAKE) for one in sorted(contractors, key=lambda one: one.cost))
    return Graph(nodes, _widths, narrow=0.0, rests=True)


def own_of_set(equations: Equations, own: OwnContractors) -> tuple[tuple[Own, ...], tuple[Own, ...]]:
    """Those that users make for a set: what keeps it, and what keeps the rest of the domain."""
    made = own_of_system(equations, own)
    sides = {SET: [one for one in made if _keeps(one) == SET], REST: [one for one in made if _keeps(one) == REST]}
    return tuple(sides[SET]), tuple(sides[REST])


def _keeps(contractor: Own) -> str:
    told = getattr(contractor.inner, "keeps", SET)
    if told not in (SET, REST):
        raise InputError(
            f"the contractor {contractor.name} says that it keeps {told!r}; say {SET!r} if it removes no point of the "
            f"set, {REST!r} if it removes points of the set alone"
        )
    return str(told)


def with_own_sides(
    outer: Contractor,
    inner: Contractor,
    own: tuple[tuple[Own, ...], tuple[Own, ...]],
    statistics: Statistics | None = None,
    limit: Limit = UNLIMITED,
) -> tuple[Side, Side]:
    """Our contractors of both sides, and users' own beside them, all of whom are counted together."""
    named_apart((outer, inner), (*own[0], *own[1]))
    counts: Statistics = {} if statistics is None else statistics
    kept, rest = graph_of((outer, *own[0])), graph_of((inner, *own[1]))
    return Side(kept, "the set", counts, limit), Side(rest, "the rest", counts, limit)
