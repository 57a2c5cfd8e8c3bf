"""The graph of contractors as a picture: unknowns on the left, contractors on the right, a line where one reads the
other; or as text for graphviz.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

ROW, LEAST = 0.24, 2.4  # inches of a node, of a picture
TALLEST = 60.0
LONGEST = 40


def contractors_of(graph: nx.Graph) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each contractor, the unknowns that it reads, and the contractors that it is joined with by composition."""
    kinds = dict(graph.nodes(data="bipartite"))
    order = {node: number for number, node in enumerate(graph)}

    def near(node: str, kind: int) -> tuple[str, ...]:
        return tuple(sorted((n for n in graph[node] if bool(kinds[n]) == bool(kind)), key=order.__getitem__))

    return [(node, near(node, 0), near(node, 1)) for node, kind in kinds.items() if kind]


def graph_picture(graph: nx.Graph, kind: str = "png") -> bytes:
    """The picture as a file of this kind."""
    stream = io.BytesIO()
    _figure(graph).savefig(stream, format=kind, dpi=130)
    return stream.getvalue()


def graphviz(graph: nx.Graph) -> str:
    """The same for graphviz; names are quoted as its language wants it."""
    lines = ["graph certify {", "  rankdir=LR;", "  node [fontsize=10];"]
    for node, kind in graph.nodes(data="bipartite"):
        lines.append(f"  {_quoted(node)} [shape={'box' if kind else 'ellipse'}];")
    lines += [f"  {_quoted(first)} -- {_quoted(second)};" for first, second in graph.edges]
    return "\n".join([*lines, "}", ""])


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _figure(graph: nx.Graph) -> Any:
    from matplotlib.figure import Figure

    sides = [[node for node, kind in graph.nodes(data="bipartite") if bool(kind) is right] for right in (False, True)]
    most = max(map(len, sides))
    figure = Figure(figsize=(7.5, min(max(ROW * most, LEAST), TALLEST)), layout="constrained")
    axes = figure.subplots()
    places = {
        node: (float(right), -(number + 0.5) / len(side))
        for right, side in enumerate(sides)
        for number, node in enumerate(side)
    }
    for first, second in graph.edges:
        (x, y), (u, v) = places[first], places[second]
        axes.plot([x, u], [y, v], color="#9aa4ad", linewidth=0.6, zorder=1)
    for right, side in enumerate(sides):
        for node in side:
            style: dict[str, Any] = {"va": "center", "ha": "left" if right else "right", "fontsize": 8}
            axes.text(right + (0.02 if right else -0.02), places[node][1], _short(node), parse_math=False, **style)
            shape, colour = ("s", "#1b6e4a") if right else ("o", "#8c2f39")
            axes.plot(*places[node], shape, color=colour, markersize=4, zorder=2)
    axes.set_xlim(-0.6, 1.9)
    axes.set_axis_off()
    return figure


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."
