"""The contractor graph for systems of equations and inequalities: which contractors there are, and when each of them
wakes.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from certify.contractors.compositions.sequence import Sequence
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.operators.linear_hull import LinearHull
from certify.contractors.operators.newton import MeanValue
from certify.contractors.protocol.boxes import Boxes, Contractor
from certify.contractors.rows.combinations import with_combinations
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Floats
from certify.solvers.graph.own import named_apart
from certify.solvers.graph.schedule import Graph, Node
from certify.solvers.linear_programs.simplex import Simplex

OWN_WAKE = 0.3  # of a variable's width: what users' own contractors wait for


def smear(equations: Equations, boxes: Boxes) -> Floats:
    """For each variable (axis 0) and box the sum over rows of its share in the row's variation: |slope| times width."""
    entries, places = equations.slope_entries(boxes.lower, boxes.upper), equations.derivatives[1]
    share = np.zeros((boxes.variables, boxes.count))
    with np.errstate(invalid="ignore", over="ignore"):
        steepest = np.nan_to_num(np.maximum(np.abs(entries.lower), np.abs(entries.upper)), nan=1e300, posinf=1e300)
        variation = steepest * (boxes.upper - boxes.lower)[places[:, 1]]
        whole = np.zeros((equations.lower.size, boxes.count))
        np.add.at(whole, places[:, 0], variation)
        np.add.at(share, places[:, 1], variation / (whole[places[:, 0]] + 1e-300))
    return np.asarray(np.where(np.isfinite(share), share, 0.0))


def system_graph(equations: Equations, own: tuple[Contractor, ...] = ()) -> Graph:
    """All contractors that apply, and users' own, cheapest first; how much must have shrunk before each wakes, and what
    a slicing must gain, are measured choices.
    """
    richer = with_combinations(equations)
    hull, linear = HullConsistency(richer), LinearHull(richer, Simplex())
    nodes = [Node(hull, 0.3), Node(Slicing(hull, equations.occurring, name="slicing"), 0.8, 0.3)]
    if equations.equalities.size >= equations.variables:
        nodes.append(Node(MeanValue(equations), 0.4))
    nodes.append(Node(linear, 0.4))
    both = Sequence((HullConsistency(richer, sweeps=2), linear))
    nodes.append(
        Node(
            Slicing(both, equations.occurring, name="slicing with the linear hull", cost=5),
            0.7,
            0.15 * equations.variables,
        )
    )
    nodes += [Node(contractor, OWN_WAKE) for contractor in named_apart([node.contractor for node in nodes], own)]
    return Graph(tuple(sorted(nodes, key=lambda node: node.contractor.cost)), partial(smear, equations))
