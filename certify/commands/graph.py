"""certify graph PROBLEM: what narrows what: the contractors of a problem and the unknowns that each of them reads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import PROVED, Answer, Command
from certify.problems.errors import InputError

if TYPE_CHECKING:
    import networkx as nx

ENDS = (".png", ".svg", ".pdf", ".dot")
MINIBEX = (".bch", ".mbx")
SHOWN = 12  # unknowns in a cell


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml, or a system (.bch, .mbx)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="draw it: a name that ends in .png, .svg, .pdf, or .dot for graphviz"
    )


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.pictures.graph_drawing import contractors_of, graph_picture, graphviz
    from certify.problems.files.disk import write_bytes
    from certify.text.plain_table import plain_table

    out = arguments.out
    if out is not None and out.suffix.lower() not in ENDS:
        raise InputError(f"--out {out}: give a name that ends in {', '.join(ENDS[:-1])} or {ENDS[-1]}")
    graph = _graph(arguments.problem)
    found = contractors_of(graph)
    rows = [(name, str(len(reads)), _named(reads), _named(joined)) for name, reads, joined in found]
    lines = [plain_table([("contractor", "reads", "unknowns", "composed with"), *rows], right=False)]
    unknowns = sum(not kind for _, kind in graph.nodes(data="bipartite"))
    lines.append(f"{unknowns} unknowns, {len(rows)} contractors, {graph.number_of_edges()} edges.")
    if out is not None:
        drawn = (
            graphviz(graph).encode() if out.suffix.lower() == ".dot" else graph_picture(graph, out.suffix[1:].lower())
        )
        write_bytes(out, drawn)
        lines.append(f"drawn to {out}")
    told = [{"contractor": name, "reads": list(reads), "composed_with": list(joined)} for name, reads, joined in found]
    return Answer(PROVED, "\n".join(lines), {"unknowns": unknowns, "contractors": told})


def _named(reads: tuple[str, ...]) -> str:
    more = f", and {len(reads) - SHOWN} more" if len(reads) > SHOWN else ""
    return ", ".join(reads[:SHOWN]) + more


def _graph(path: Path) -> nx.Graph:
    from certify.systems.contractor_graphs import contractor_graph

    if path.suffix in MINIBEX:
        from certify.problems.minibex import read_minibex

        return contractor_graph(read_minibex(path))
    from certify.problems.experiments.experiment import LEAST_SQUARES, box_centre
    from certify.runs.experiment_options import load

    experiment = load(path)
    centre = experiment.nominal if experiment.centre == LEAST_SQUARES else box_centre(experiment, ())
    return contractor_graph(experiment.problem(centre))


COMMAND = Command(
    "graph",
    "what narrows what: the contractors of a problem and the unknowns that each reads, as a table or drawn",
    "certify graph problem.toml --out graph.png",
    _arguments,
    _run,
)
