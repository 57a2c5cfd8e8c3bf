"""Intervals of parameters as a PNG, each on an axis of its own, with an estimate as a diamond."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST = 30  # parameters that are drawn
ROW = 0.62  # inches


@dataclass(frozen=True, slots=True)
class Interval:
    """A parameter, its ends, and an estimate of it."""

    name: str
    unit: str
    lower: float
    upper: float
    estimate: float | None = None


def draw_intervals(title: str, intervals: Sequence[Interval]) -> bytes:
    """The picture; of more than can be read the first ones, which the title says."""
    from matplotlib.figure import Figure

    shown = intervals[:MOST]
    told = title if len(shown) == len(intervals) else f"{title}: {len(shown)} of {len(intervals)}"
    figure = Figure(figsize=(6.4, 0.9 + ROW * len(shown)), layout="constrained")
    for axes, one in zip(figure.subplots(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
        _row(axes, one)
    figure.suptitle(textwrap.fill(told, 70), fontsize=10)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=130)
    return stream.getvalue()


def _row(axes: Any, one: Interval) -> None:
    ends = [one.lower, one.upper, *([] if one.estimate is None else [one.estimate])]
    margin = 0.12 * (max(ends) - min(ends)) or 1.0
    axes.plot([one.lower, one.upper], [0, 0], "|-", color="#1b6e4a", linewidth=6, markersize=14, solid_capstyle="butt")
    if one.estimate is not None:
        axes.plot(one.estimate, 0, "D", color="#8c2f39", markersize=6)
    axes.set_xlim(min(ends) - margin, max(ends) + margin)
    axes.set_ylim(-1, 1)
    axes.set_yticks([0], [f"{one.name}{f' [{one.unit}]' if one.unit else ''}"])
    axes.tick_params(labelsize=8)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
