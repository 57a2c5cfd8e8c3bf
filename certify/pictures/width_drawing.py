"""Intervals of parameters over a bound as a PNG: for each parameter a band, narrow where the bound is small.

Between two bounds stands the interval of the larger one, which holds for smaller ones, too: the band says no more than
what is known at the bounds.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST = 30  # parameters that are drawn
ACROSS = 4  # of them side by side
WIDE, HIGH = 2.6, 2.0  # inches


@dataclass(frozen=True, slots=True)
class Band:
    """A parameter, its ends for each bound, and an estimate of it."""

    name: str
    unit: str
    lower: Sequence[float]
    upper: Sequence[float]
    estimate: float | None


def draw_widths(title: str, axis: str, at: Sequence[float], stated: float | None, bands: Sequence[Band]) -> bytes:
    """The picture; `at` are the bounds, `stated` the one that was asked with, a dotted line."""
    from matplotlib.figure import Figure

    shown = bands[:MOST]
    told = title if len(shown) == len(bands) else f"{title}: {len(shown)} of {len(bands)}"
    across = min(ACROSS, len(shown))
    down = -(-len(shown) // across)
    figure = Figure(figsize=(max(WIDE * across, 6.4), HIGH * down + 0.8), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for axes, band in zip(panels, shown, strict=False):
        _panel(axes, at, stated, band)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    figure.supxlabel(axis, fontsize=9)
    figure.suptitle(textwrap.fill(told, int(12 * max(WIDE * across, 6.4))), fontsize=10)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    return stream.getvalue()


def _panel(axes: Any, at: Sequence[float], stated: float | None, band: Band) -> None:
    axes.fill_between(at, band.lower, band.upper, step="pre", color="#1b6e4a", alpha=0.35, linewidth=0)
    for ends in (band.lower, band.upper):
        axes.plot(at, ends, ".-", drawstyle="steps-pre", color="#1b6e4a", linewidth=1, markersize=4)
    if band.estimate is not None:
        axes.axhline(band.estimate, color="#8c2f39", linewidth=0.9, linestyle="--")
    if stated is not None:
        axes.axvline(stated, color="black", linewidth=0.8, linestyle=":")
    if min(band.lower) < 0 < max(band.upper):
        axes.axhline(0, color="grey", linewidth=0.6)
    axes.set_title(f"{band.name}{f' [{band.unit}]' if band.unit else ''}", fontsize=8)
    axes.tick_params(labelsize=7)
