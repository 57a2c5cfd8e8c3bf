"""What the contractor graph is worth: event-driven scheduling beside plain round-robin, and the search without one
contractor after the other.

The same contractors, the same systems (IBEX's benchmark files, see `systems`); one call is one contractor on one box.
Measured rows (legs, arms, points; their smallest model errors and their hulls) come after the systems, then sets.
Seconds are processor time, so that what else the machine does matters less.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._graphs_of_rows import measured_rows
from benchmarks._graphs_of_sets import sets
from certify.contractors.checkpoint import checkpoint
from certify.contractors.rows.equations import Equations
from certify.problems.minibex import read_minibex
from certify.problems.systems.system import System
from certify.questions.system_search import equations_of, search, warm_up_systems
from certify.solvers.graph.build import system_graph
from certify.solvers.graph.schedule import Graph
from certify.solvers.search.branch_and_prune import SearchOptions

SYSTEMS = (
    "Kin1", "Caprasse", "Redeco8", "Directkin", "Geneig", "Yamamua1-0012", "cyclohexan3D", "kolev36", "Brown-05",
    "BroydenTri-0020", "Bratu-0060",
    "Eco10", "Dietmaier",
)  # fmt: skip


@dataclass(frozen=True)
class RoundRobin(Graph):
    """The plain alternative, for comparison: every contractor in turn on every box, until a whole turn wakes none."""

    def _narrow(self, state: Any, before: Any, report: Any, record: Any) -> None:
        while state.boxes.count and state.awake.any():
            for k in range(len(self.nodes)):
                state.awake[k] = True
                if state.boxes.count:
                    checkpoint()
                    self._run_node(k, state, before, report, record)


def round_robin(equations: Equations) -> Graph:
    """The same nodes, called in turn."""
    graph = system_graph(equations)
    return RoundRobin(graph.nodes, graph.influence)


def without(name: str) -> Any:
    """The graph less the contractors of this name."""

    def graph(equations: Equations) -> Graph:
        whole = system_graph(equations)
        return Graph(tuple(node for node in whole.nodes if node.contractor.name != name), whole.influence)

    return graph


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each system and way."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks graph")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/systems"), help="folder of the .bch files")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--only", nargs="*", default=SYSTEMS, help="names of systems")
    parser.add_argument("--rows", nargs="*", help="measured rows alone: all kinds, or those of these names")
    options = parser.parse_args(words)
    if options.rows is not None:
        return {"measured": measured_rows(options.rows), "sets": sets()}
    missing = [name for name in options.only if not (options.data / f"{name}.bch").is_file()]
    if missing:
        raise SystemExit(
            f"{options.data} has no {missing[0]}.bch; give the folder of IBEX's benchmark files with --data"
        )
    warm_up_systems()
    rows = []
    print(f"{'system':<16} {'graph':<44} {'proved':>6} {'boxes':>8} {'calls':>8} {'seconds':>8}")
    for name in options.only:
        system = read_minibex(options.data / f"{name}.bch")
        search(system, SearchOptions(time_limit=0.1))
        names = sorted({node.contractor.name for node in system_graph(equations_of(system)).nodes})
        ways = {"scheduled": system_graph, "round robin": round_robin} | {
            f"without {part}": without(part) for part in names
        }
        rows += [_row(name, system, way, graph, options.time_limit) for way, graph in ways.items()]
    better = _fewer(rows)
    print(
        f"\nscheduled against round robin: fewer calls on {better['calls']}, less time on "
        f"{better['seconds']} of {len(options.only)} systems"
    )
    return {"rows": rows, "better": better, "measured": measured_rows(), "sets": sets()}


def _row(name: str, system: System, way: str, graph: Any, limit: float) -> dict[str, Any]:
    began = time.process_time()
    paving = search(system, SearchOptions(time_limit=limit, graph=graph)).paving
    seconds = time.process_time() - began
    calls = sum(count.calls for contractor, count in paving.statistics.items() if contractor != "Krawczyk's test")
    row = {
        "system": name,
        "graph": way,
        "proved": len(paving.solutions),
        "cells": paving.cells,
        "calls": calls,
        "seconds": seconds,
    }
    stopped = "" if paving.stopped.value == "finished" else f"  {paving.stopped.value}"
    print(f"{name:<16} {way:<44} {row['proved']:>6} {row['cells']:>8} {calls:>8} {seconds:>8.2f}{stopped}", flush=True)
    return row | {"stopped": paving.stopped.value}


def _fewer(rows: list[dict[str, Any]]) -> dict[str, int]:
    pairs: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        pairs.setdefault(row["system"], {})[row["graph"]] = row
    return {
        key: sum(pair["scheduled"][key] < pair["round robin"][key] for pair in pairs.values())
        for key in ("calls", "seconds")
    }
