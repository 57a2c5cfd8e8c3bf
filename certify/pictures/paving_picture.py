"""The picture of a paving: two variables as rectangles, three as blocks; every colour is a claim, which the legend
words.

Where a system has more variables than are shown, boxes are drawn as their projections: where nothing is drawn no
solution projects. In space the quarter in front is left out, so that one sees inside.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.claims.proved_words import BY_ENGINE, nothing_here
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Flags, Floats

INNER, UNDECIDED, UNEXPLORED, SOLUTION = "#1b6e4a", "#d9a441", "#b9b9b9", "#8c2f39"
CLOSE = 0.3  # of the domain: if the boxes reach less far, the picture shows what is around them
VOXELS = 192  # of each side of the frame, for what covers what
CELLS = 48  # in space, blocks are drawn in pieces of this part of the frame, so that sorting them by depth works
VIEW = (28.0, -60.0)  # elevation and azimuth, degrees: from above, from the right of x and the front of y


@dataclass(frozen=True, slots=True)
class Layer:
    """Boxes of one colour, and what it proves."""

    boxes: Boxes
    colour: str
    claim: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is known of a system: all its solutions in the domain lie in these boxes, under the premise, if there is
    one.
    """

    title: str
    names: tuple[str, ...]
    domain: Box
    solutions: Boxes
    inner: Boxes
    undecided: Boxes
    unexplored: Boxes
    premise: str = ""

    def layers(self, projected: bool) -> list[Layer]:
        """From the back to the front, those that have boxes."""
        inner = (
            f"every point inside "
            f"{'is the projection of a solution' if projected else 'satisfies all constraints'} ({BY_ENGINE})"
        )
        found = [
            Layer(self.unexplored, UNEXPLORED, "not explored: a limit was reached"),
            Layer(self.undecided, UNDECIDED, "not decided at this width: may hold solutions"),
            Layer(self.inner, INNER, inner),
            Layer(self.solutions, SOLUTION, f"exactly one solution in a box here ({BY_ENGINE})"),
        ]
        return [layer for layer in found if layer.boxes.count]


def paving_picture(drawing: Drawing, shown: tuple[int, ...] | None = None) -> bytes:
    """A PNG of the chosen variables, two or three; without a choice of all of them."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    chosen = list(range(len(drawing.names)) if shown is None else shown)
    if len(chosen) not in (2, 3):
        raise ValueError(f"{len(chosen)} variables cannot be drawn; choose two or three")
    projected = len(chosen) < len(drawing.names)
    layers = drawing.layers(projected)
    low, high = _frame(drawing.domain, layers, chosen)
    figure = Figure(figsize=(7.2, 7.6))  # without pyplot, whose windows are the user's
    axes: Any = (
        figure.add_axes((0.11, 0.2, 0.85, 0.74), projection="3d")
        if len(chosen) == 3
        else figure.add_axes((0.11, 0.22, 0.85, 0.72))
    )
    told = _space(axes, layers, chosen, low, high) if len(chosen) == 3 else _plane(axes, layers, chosen, low, high)
    cut = (low > drawing.domain.lower[chosen]).any() or (high < drawing.domain.upper[chosen]).any()
    ends = [(layer.boxes.lower[chosen].T, layer.boxes.upper[chosen].T) for layer in layers]
    whole = all((a >= low).all() and (b <= high).all() for a, b in ends)
    nothing = nothing_here(projected, bool(cut and whole), drawing.premise)
    handles = [
        Patch(facecolor="white", edgecolor="#888888", label=nothing),
        *(Patch(facecolor=la.colour, label=la.claim) for la in layers[::-1]),
    ]
    handles += [Patch(facecolor="none", label=told)] if told else []
    for number, variable in enumerate(chosen):
        getattr(axes, f"set_{'xyz'[number]}label")(drawing.names[variable])
        getattr(axes, f"set_{'xyz'[number]}lim")(low[number], high[number])
    axes.set_title(drawing.title, fontsize=10)
    figure.legend(handles=handles, fontsize=8, loc="lower center", frameon=False, ncols=1)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()


def _frame(domain: Box, layers: list[Layer], chosen: list[int]) -> tuple[Floats, Floats]:
    """The domain where it is bounded; what the boxes reach, and some more, where it is not or where they fill a small
    part of it.
    """
    low, high = domain.lower[chosen].copy(), domain.upper[chosen].copy()
    near, far = _reach(layers, chosen)
    if (far - near < CLOSE * (high - low)).all() and (far > near).all():
        margin = max(far - near)
        return np.maximum(low, near - margin), np.minimum(high, far + margin)
    margin = np.where(far > near, 0.05 * (far - near), 1.0)
    for k in range(len(chosen)):
        low[k] = low[k] if np.isfinite(low[k]) else near[k] - margin[k]
        high[k] = high[k] if np.isfinite(high[k]) else far[k] + margin[k]
        if not low[k] < high[k]:
            low[k], high[k] = low[k] - 0.5, high[k] + 0.5
    return low, high


def _reach(layers: list[Layer], chosen: list[int]) -> tuple[Floats, Floats]:
    """The least and the greatest finite end of all boxes."""
    near, far = np.full(len(chosen), -1.0), np.full(len(chosen), 1.0)
    for k, v in enumerate(chosen):
        ends = np.concatenate(
            [ends[v] for layer in layers for ends in (layer.boxes.lower, layer.boxes.upper)] or [np.zeros(0)]
        )
        if np.isfinite(ends).any():
            near[k], far[k] = ends[np.isfinite(ends)].min(), ends[np.isfinite(ends)].max()
    return near, far


def _plane(axes: Any, layers: list[Layer], chosen: list[int], low: Floats, high: Floats) -> str:
    from matplotlib.collections import PolyCollection

    for layer in layers:
        a, b = (np.clip(ends[chosen], low[:, None], high[:, None]) for ends in (layer.boxes.lower, layer.boxes.upper))
        corners = np.stack(
            [np.stack([a[0], a[1]]), np.stack([b[0], a[1]]), np.stack([b[0], b[1]]), np.stack([a[0], b[1]])]
        )
        axes.add_collection(
            PolyCollection(
                list(corners.transpose(2, 0, 1)),
                facecolors=layer.colour,
                edgecolors=_darker(layer.colour, 0.85),
                linewidths=0.25,
            )
        )
        if layer.colour == SOLUTION:
            axes.plot(*(0.5 * (a + b)), linestyle="none", marker="o", markersize=5, color=SOLUTION)
    if 0.2 < (high[1] - low[1]) / (high[0] - low[0]) < 5.0:
        axes.set_aspect("equal")
    return ""


def _darker(colour: str, light: float) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(light * part for part in to_rgb(colour))


def _chopped(low: Floats, high: Floats, size: Floats) -> tuple[Floats, Floats]:
    """The same boxes in pieces that are not larger."""
    for axis in range(3):
        while (long := high[axis] - low[axis] > size[axis]).any():
            middle = 0.5 * (low[axis] + high[axis])
            left, right = high[:, long].copy(), low[:, long].copy()
            left[axis] = right[axis] = middle[long]
            low, high = (
                np.hstack([low[:, ~long], low[:, long], right]),
                np.hstack([high[:, ~long], left, high[:, long]]),
            )
    return low, high


def _space(axes: Any, layers: list[Layer], chosen: list[int], low: Floats, high: Floats) -> str:
    """The faces that look at the viewer and are not covered, of the boxes outside of the quarter in front."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    middle = 0.5 * (low + high)
    blocks = []
    for layer in layers:
        a, b = (np.clip(ends[chosen], low[:, None], high[:, None]) for ends in (layer.boxes.lower, layer.boxes.upper))
        if layer.colour == SOLUTION:
            axes.plot(*(0.5 * (a + b)), linestyle="none", marker="o", markersize=5, color=SOLUTION)
            continue
        a, b = _chopped(a, b, (high - low) / CELLS)
        behind = ~((0.5 * (a + b)[0] > middle[0]) & (0.5 * (a + b)[1] < middle[1]))
        blocks.append((a[:, behind], b[:, behind], _darker(layer.colour, 1.0)))
    axes.view_init(*VIEW)
    if not blocks:
        return ""
    filled = _filled([(a, b) for a, b, _ in blocks], low, high)
    faces, colours = [], []
    for a, b, colour in blocks:
        for axis, side, light in ((0, b, 0.8), (1, a, 0.65), (2, b, 1.0)):
            seen = ~_covered(filled, a, b, axis, side, low, high)
            p, q = (v for v in range(3) if v != axis)
            corners = np.empty((4, 3, int(seen.sum())))
            corners[:, axis] = side[axis, seen]
            corners[:, p] = np.stack([a[p], b[p], b[p], a[p]])[:, seen]
            corners[:, q] = np.stack([a[q], a[q], b[q], b[q]])[:, seen]
            faces.append(corners.transpose(2, 0, 1))
            colours.append(np.tile(light * np.array(colour), (faces[-1].shape[0], 1)))
    polygons, paint = np.concatenate(faces), np.concatenate(colours)
    axes.add_collection3d(Poly3DCollection(polygons, facecolors=paint, edgecolors=0.8 * paint, linewidths=0.15))
    return "the quarter in front is left out"


def _filled(blocks: list[tuple[Floats, Floats]], low: Floats, high: Floats) -> Flags:
    """The voxels whose centre lies in a block."""
    filled = np.zeros((VOXELS,) * 3, dtype=np.bool_)
    scale = (VOXELS / (high - low))[:, None]
    for a, b in blocks:
        first = np.ceil((a - low[:, None]) * scale - 0.5).astype(int)
        last = np.floor((b - low[:, None]) * scale - 0.5).astype(int) + 1
        for (i, j, k), (r, s, t) in zip(first.T.tolist(), last.T.tolist(), strict=True):
            filled[i:r, j:s, k:t] = True
    return filled


def _covered(filled: Flags, a: Floats, b: Floats, axis: int, side: Floats, low: Floats, high: Floats) -> Flags:
    """Whether four points just before a face all lie in filled voxels."""
    covered = np.ones(a.shape[1], dtype=np.bool_)
    p, q = (v for v in range(3) if v != axis)
    for s in (0.2, 0.8):
        for t in (0.2, 0.8):
            point = np.empty_like(a)
            point[axis] = side[axis] + (0.75 if side is b else -0.75) * (high - low)[axis] / VOXELS
            point[p], point[q] = a[p] + s * (b - a)[p], a[q] + t * (b - a)[q]
            place = np.floor((point - low[:, None]) * (VOXELS / (high - low))[:, None]).astype(int)
            within = ((place >= 0) & (place < VOXELS)).all(axis=0)
            covered &= within & filled[tuple(np.clip(place, 0, VOXELS - 1))]
    return covered
