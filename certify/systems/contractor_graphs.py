"""The bipartite graph of variables and contractors that a question is answered with, to look at.

    graph = certify.contractor_graph(problem)      # a networkx graph; or of a System
    [name for name, data in graph.nodes(data=True) if data["bipartite"]]      # the contractors

A contractor has an edge to every variable that it reads, a composition one to each of its children. In a problem with
several independent parts the contractors of each begin with its name. Of a problem it is the graph of hulls; to
refute, rows that all have a polynomial form do without Krawczyk's contractor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from certify.contractors.rows.constraints import Constraints
from certify.parts.scopes import independent_parts
from certify.problems.model.model import Problem
from certify.problems.systems.system import System
from certify.questions.set_paving import is_set, sides
from certify.questions.system_search import equations_of
from certify.solvers.graph.build import system_graph
from certify.solvers.graph.components import build
from certify.solvers.graph.own import OwnContractors, own_of_system
from certify.solvers.graph.schedule import Graph, Node
from certify.solvers.linear_programs.ranges import Ranges

if TYPE_CHECKING:
    import networkx as nx


def contractor_graph(question: Problem | System, contractors: OwnContractors = ()) -> nx.Graph:
    """What narrows what: for a System the graph of its search (of a set of inequalities the contractor of what is
    inside, and that of what is outside), for a Problem those of its independent parts; with `contractors` of yours.
    """
    import networkx as nx

    if isinstance(question, System):
        names = [variable.name for variable in question.variables]
        if is_set(question):
            return _named(_both_sides(question, contractors).draw(), names, "")
        equations = equations_of(question)
        return _named(system_graph(equations, own_of_system(equations, contractors)).draw(), names, "")
    names = [variable.name for variable in question.variables]
    parts = independent_parts(question)
    graphs = []
    for part, numbers in parts:
        constraints = Constraints.of([(number, question.blocks[number]) for number in numbers], 0.0)
        component = build(constraints, Ranges(), contractors)
        graphs.append(_named(component.graph.draw(), names, f"{part}: " if len(parts) > 1 else ""))
    return nx.compose_all(graphs)


def _both_sides(system: System, contractors: OwnContractors) -> Graph:
    """What paves a set."""
    return Graph(
        tuple(Node(side, 0.0) for side in sides(system, 0, contractors)), lambda boxes: boxes.upper - boxes.lower
    )


def _named(graph: nx.Graph, variables: list[str], part: str) -> nx.Graph:
    """Variables by their names, contractors after the name of their part; `bipartite` is 0 for the first and 1 for the
    second.
    """
    import networkx as nx

    renamed = {f"x{number}": name for number, name in enumerate(variables)}
    for node, data in graph.nodes(data=True):
        data["bipartite"] = int(node not in renamed)
    for node in [node for node, kind in graph.nodes(data="bipartite") if kind]:
        renamed[node] = f"{part}{node}{' (contractor)' if f'{part}{node}' in variables else ''}"
    return nx.relabel_nodes(graph, {node: renamed[node] for node in graph})
