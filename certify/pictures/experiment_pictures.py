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


def _plot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _png(figure: Any, plt: Any) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=80)
    plt.close(figure)
    return stream.getvalue()


def histograms(title: str, centred: Mapping[str, Floats], units: Mapping[str, str]) -> bytes:
    """A PNG with the distribution of the centred readings of each column, three in a row; what lies beyond 4 sigma is
    in the outermost bars.
    """
    plt = _plot()
    rows = -(-len(centred) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(9.0, 2.5 * rows), layout="constrained", squeeze=False)
    for place, (name, values) in zip(axes.flat, centred.items(), strict=False):
        deviation = float(values.std())
        reach = RANGE * deviation or 1.0
        place.hist(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach), color="#4a6f8a")
        place.set_title(f"{name}: std {deviation:.3g} {units[name]}", fontsize=9)
        place.set_xlabel(f"reading - mean of its pose, in {units[name]}", fontsize=7)
        place.tick_params(labelsize=7)
        place.xaxis.set_major_locator(plt.MaxNLocator(5))
    for place in list(axes.flat)[len(centred) :]:
        place.axis("off")
    figure.suptitle(title, fontsize=10)
    return _png(figure, plt)


def improvements(title: str, solutions: Sequence[tuple[str, Floats, Floats]]) -> bytes:
    """A PNG: for each solution the improvement of position and of orientation of every validation pose in percent, in
    ascending order.
    """
    plt = _plot()
    figure, axes = plt.subplots(
        1, len(solutions), figsize=(4.6 * len(solutions), 3.6), layout="constrained", sharey=True, squeeze=False
    )
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
    return _png(figure, plt)
