"""Pictures of an experiment: how its readings scatter (S2 figures 3 and 4), and what calibration gained
(S2 figure 5).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from certify.problems.geometry.rotations import Floats

BINS = 41
RANGE = 4.0  # standard deviations to either side
LOWEST = -300.0  # percent
ACROSS, TOP = 3, 0.3  # histograms in a row; inches for the title
MARGINS = 0.55, 0.1, 0.45, 0.3  # inches around axes: left, right, below, above


def _png(figure: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=80)
    return stream.getvalue()


def _grid(title: str, rows: int) -> tuple[Any, Any]:
    """A figure and its axes, three in a row, with room for their words: to measure all of them, as layouts do, takes
    longer than to draw them.
    """
    from matplotlib.figure import Figure

    left, right, below, above = MARGINS
    width, height = 3.0 * ACROSS, 2.5 * rows + TOP
    figure = Figure(figsize=(width, height))
    figure.suptitle(title, fontsize=10, y=1.0 - 0.08 / height, va="top")
    room = {"wspace": (left + right) / (3.0 - left - right), "hspace": (below + above) / (2.5 - below - above)}
    figure.subplots_adjust(left / width, below / height, 1.0 - right / width, 1.0 - (above + TOP) / height, **room)
    return figure, figure.subplots(rows, ACROSS, squeeze=False)


def histograms(title: str, centred: Mapping[str, Floats], units: Mapping[str, str]) -> bytes:
    """A PNG with the distribution of the centred readings of each column, three in a row; what lies beyond 4 sigma is
    in the outermost bars.
    """
    from matplotlib.ticker import MaxNLocator

    figure, axes = _grid(title, -(-len(centred) // ACROSS))
    for place, (name, values) in zip(axes.flat, centred.items(), strict=False):
        deviation = float(values.std())
        reach = RANGE * deviation or 1.0
        bars = {"bins": BINS, "range": (-reach, reach), "histtype": "stepfilled", "color": "#4a6f8a"}
        place.hist(np.clip(values, -reach, reach), **bars)
        place.set_title(f"{name}: std {deviation:.3g} {units[name]}", fontsize=9)
        place.set_xlabel(f"reading - mean of its pose, in {units[name]}", fontsize=7)
        place.tick_params(labelsize=7)
        place.xaxis.set_major_locator(MaxNLocator(5))
    for place in list(axes.flat)[len(centred) :]:
        place.axis("off")
    return _png(figure)


def improvements(title: str, solutions: Sequence[tuple[str, Floats, Floats]]) -> bytes:
    """A PNG: for each solution the improvement of position and of orientation of every validation pose in percent, in
    ascending order.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * len(solutions), 3.6), layout="constrained")
    axes = figure.subplots(1, len(solutions), sharey=True, squeeze=False)
    for place, (name, position, orientation) in zip(axes.flat, solutions, strict=True):
        numbers = np.arange(1, len(position) + 1)
        place.axhline(0.0, color="#888888", linewidth=0.8)
        place.plot(numbers, np.sort(position), marker=".", color="#1b6e4a", label="position")
        place.plot(numbers, np.sort(orientation), marker=".", color="#d9a441", label="orientation")
        place.set_title(f"{name}: {int((position > 0).sum())} of {len(position)} positions improved", fontsize=9)
        place.set_xlabel("validation poses, in ascending order", fontsize=8)
        place.tick_params(labelsize=8)
    lowest = min(float(np.min([position.min(), orientation.min()])) for _, position, orientation in solutions)
    axes[0, 0].set_ylim(max(LOWEST, min(lowest, 0.0) * 1.1 - 5.0), 105.0)
    axes[0, 0].set_ylabel(f"improvement in percent{' (cut below)' if lowest < LOWEST else ''}", fontsize=8)
    axes[0, 0].legend(fontsize=8, loc="lower right")
    figure.suptitle(title, fontsize=10)
    return _png(figure)
