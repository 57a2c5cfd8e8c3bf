"""A designed motion as a PNG: one period of each coordinate within its range, and how near limits the motion comes."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from certify.problems.periodic.fourier import even_phases
from certify.solvers.design.designed import Designed
from certify.solvers.design.keeping import Kept

INSTANTS = 400
LINE, RANGE, NEAR = "#1b6e4a", "#8c2f39", "#8a6d1a"
MOST = 24  # limits that are drawn, the nearest ones


def draw_design(found: Designed) -> bytes:
    """The picture; what it shows is estimated, which its title says."""
    from matplotlib.figure import Figure

    count = len(found.robot.coordinates)
    figure = Figure(figsize=(9.0, 1.2 + 1.15 * count), layout="constrained")
    halves: Any = figure.subfigures(1, 2, width_ratios=(3, 2))
    left, right = halves
    moved = found.motion.at(even_phases(INSTANTS))
    times = np.arange(INSTANTS) / INSTANTS * found.motion.period
    panels = left.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
    for k, axes in enumerate(panels):
        _coordinate(axes, found, k, times, moved[0, :, k])
    panels[-1].set_xlabel("t [s], one period", fontsize=8)
    _limits(right.subplots(), found.limits)
    criterion = found.plan.criterion.value
    figure.suptitle(f"{found.robot.name}: a motion designed for criterion {criterion} (estimated)", fontsize=10)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    return stream.getvalue()


def _coordinate(axes: Any, found: Designed, k: int, times: Any, values: Any) -> None:
    one = found.robot.limits[k]
    axes.plot(times, values, color=LINE, linewidth=1.2)
    for end in (one.lower, one.upper):
        axes.axhline(end, color=RANGE, linewidth=0.8, linestyle=":")
    axes.set_ylabel(f"{one.name}{f' [{one.unit}]' if one.unit else ''}", fontsize=8)
    axes.tick_params(labelsize=7)


def _limits(axes: Any, limits: tuple[Kept, ...]) -> None:
    """Which part of each limit's range is used, the nearest limits first."""
    shown = sorted(limits, key=lambda one: -one.used)[:MOST][::-1]
    axes.barh(range(len(shown)), [one.used for one in shown], color=NEAR, height=0.6)
    axes.axvline(1.0, color=RANGE, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(shown)), [one.limit.name for one in shown], fontsize=7)
    axes.set_xlabel("used of each limit (1: all of it)", fontsize=8)
    axes.set_xlim(0.0, 1.1)
    axes.tick_params(labelsize=7)
