"""Bars of certified model errors as a PNG: plain numbers and words in, so that whoever draws needs nothing of ours but
this file.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign at a bar: where, in which colour and shape, and what it means."""

    at: float
    colour: str
    shape: str
    size: int
    words: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One part: a bar up to `lower`, a line at `upper`, the text above it, what both mean, and a mark."""

    name: str
    unit: str
    lower: float
    upper: float
    text: str
    refuted: str
    possible: str
    mark: Mark | None


def draw(title: str, bars: Sequence[Bar]) -> bytes:
    """The picture: bars of one unit beside each other, each unit with an axis of its own."""
    from matplotlib.figure import Figure

    units = list(dict.fromkeys(bar.unit for bar in bars))
    panels = [[bar for bar in bars if bar.unit == unit] for unit in units]
    widths = [1.1 * len(panel) for panel in panels]
    figure = Figure(figsize=(sum(widths) + 1.6 * len(panels), 4.8), layout="constrained")
    told: set[str] = set()
    row = figure.subplots(1, len(panels), squeeze=False, gridspec_kw={"width_ratios": widths})[0]
    for axes, unit, panel in zip(row, units, panels, strict=True):
        _panel(axes, panel, told)
        axes.set_ylabel(f"model error in {unit}")
    if len(panels) == 1:
        row[0].set_title(title, fontsize=10)
    else:
        figure.suptitle(title, fontsize=10)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()


def _panel(axes: Any, bars: Sequence[Bar], told: set[str]) -> None:
    """Bars of one unit; each meaning is told once."""

    def label(words: str) -> str | None:
        """The words the first time, for the legend."""
        first = words not in told
        told.add(words)
        return words if first else None

    for place, bar in enumerate(bars):
        if bar.lower > 0:
            axes.bar(place, bar.lower, width=0.62, color="#d9a441", label=label(bar.refuted))
        axes.plot(
            [place - 0.31, place + 0.31],
            [bar.upper, bar.upper],
            color="#1b6e4a",
            linewidth=2.5,
            label=label(bar.possible),
        )
        axes.annotate(bar.text, (place, bar.upper), xytext=(0, 4), textcoords="offset points", ha="center", fontsize=8)
        if bar.mark is not None:
            mark = bar.mark
            axes.plot(
                place,
                mark.at,
                marker=mark.shape,
                color=mark.colour,
                linestyle="none",
                markersize=mark.size,
                label=label(mark.words),
            )
    axes.set_xticks(range(len(bars)), [bar.name for bar in bars])
    axes.margins(y=0.18)
    axes.set_ylim(bottom=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
