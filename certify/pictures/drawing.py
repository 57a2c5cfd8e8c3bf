"""Bars of certified model errors as a PNG: plain numbers and words in, so that whoever draws needs nothing of ours but
this file.
"""

from __future__ import annotations

import io
import textwrap
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


WIDEST_LEGEND = 6.4  # inches that the words of the legend need
PER_INCH = 12  # characters of a title
INSIDE = 0.25  # of the axis: a bar that is higher has its text inside, where no mark is: a fit needs no less
NEAR = 0.15  # of the axis: a mark that is nearer has the text of its bar above it
EMPTY = 1.0  # end of an axis on which everything is 0


def draw(title: str, bars: Sequence[Bar]) -> bytes:
    """The picture: bars of one unit beside each other, each unit with an axis of its own."""
    stream = io.BytesIO()
    figure_of(title, bars).savefig(stream, format="png", dpi=150)
    return stream.getvalue()


def figure_of(title: str, bars: Sequence[Bar]) -> Any:
    """The same before it is written: nothing is cut, and no text stands on another or on a mark."""
    from matplotlib.figure import Figure

    units = list(dict.fromkeys(bar.unit for bar in bars))
    panels = [[bar for bar in bars if bar.unit == unit] for unit in units]
    widths = [1.1 * max(map(_needed, panel)) * len(panel) for panel in panels]
    width = max(sum(widths) + 1.6 * len(panels), WIDEST_LEGEND)
    figure = Figure(figsize=(width, 4.8), layout="constrained")
    told: set[str] = set()
    row = figure.subplots(1, len(panels), squeeze=False, gridspec_kw={"width_ratios": widths})[0]
    for axes, unit, panel in zip(row, units, panels, strict=True):
        _panel(axes, panel, told)
        axes.set_ylabel(f"model error in {unit}")
    handles = [pair for axes in row for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
    if handles:
        figure.legend(*zip(*handles, strict=True), fontsize=8, loc="outside lower center", frameon=False)
    figure.suptitle(textwrap.fill(title, int(PER_INCH * width)), fontsize=10)
    return figure


def _needed(bar: Bar) -> float:
    """How much wider than usual a bar's place must be for its name and its text."""
    return max(1.0, len(bar.name) / 12, max(map(len, bar.text.split("\n"))) / 14)


def _panel(axes: Any, bars: Sequence[Bar], told: set[str]) -> None:
    """Bars of one unit; each meaning is told once."""

    def label(words: str) -> str | None:
        """The words the first time, for the legend."""
        first = words not in told
        told.add(words)
        return words if first else None

    reach = max(max(bar.upper, bar.mark.at if bar.mark is not None else 0.0) for bar in bars) or EMPTY
    for place, bar in enumerate(bars):
        if bar.lower > 0:
            axes.bar(place, bar.lower, width=0.62, color="#d9a441", label=label(bar.refuted))
        ends = [place - 0.31, place + 0.31]
        words = label(bar.possible)
        axes.plot(ends, [bar.upper, bar.upper], color="#1b6e4a", linewidth=2.5, label=words)
        _write(axes, place, bar, reach)
        if bar.mark is not None:
            mark, style = bar.mark, {"linestyle": "none", "clip_on": False}
            words = label(mark.words)
            axes.plot(place, mark.at, mark.shape, color=mark.colour, markersize=mark.size, label=words, **style)
    axes.set_xticks(range(len(bars)), [bar.name for bar in bars])
    axes.set_xlim(-0.6, len(bars) - 0.4)
    axes.set_ylim(0, 1.25 * reach)


def _write(axes: Any, place: int, bar: Bar, reach: float) -> None:
    """The text of a bar: inside of it where that is high enough, else above it; out of the way of a mark near it."""
    above = None if bar.mark is None else (bar.mark.at - bar.upper) / reach
    if bar.lower > INSIDE * reach:
        low = above is not None and abs(above) < NEAR
        at, off, side = (bar.lower / 2, 0, "center") if low else (bar.lower, -5, "top")
    else:
        near = bar.mark is not None and above is not None and abs(above) < NEAR
        at, off, side = (bar.mark.at, 9, "bottom") if near and bar.mark is not None else (bar.upper, 4, "bottom")
    style = {"textcoords": "offset points", "ha": "center", "va": side, "fontsize": 8, "color": "black"}
    axes.annotate(bar.text, (place, at), xytext=(0, off), **style)
