"""The picture of an answer: per part, the certified band of the smallest model error, and what least squares needs."""

from __future__ import annotations

import io
from collections.abc import Sequence

from certify.reports.claims import FIT_CONSISTENT, FIT_NEEDS, POSSIBLE, REFUTED, ends_drawn
from certify.results import Part


def picture(title: str, parts: Sequence[Part], fits: Sequence[Part | None]) -> bytes:
    """A PNG: one bar a part up to the proved lower end, a line at the upper end, a mark for what the fit is proved to need."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.6 + 1.1 * len(parts), 4.8), layout="constrained")
    axes = figure.subplots()
    told: set[str] = set()

    def label(words: str) -> str | None:
        """The words the first time, for the legend."""
        first = words not in told
        told.add(words)
        return words if first else None

    for place, (part, fit) in enumerate(zip(parts, fits, strict=True)):
        lower, upper = float(part.epsilon[0]), float(part.epsilon[1] or 0)
        if lower > 0:
            axes.bar(place, lower, width=0.62, color="#d9a441", label=label(REFUTED))
        axes.plot([place - 0.31, place + 0.31], [upper, upper], color="#1b6e4a", linewidth=2.5, label=label(POSSIBLE))
        axes.annotate(ends_drawn(part), (place, upper), xytext=(0, 4), textcoords="offset points", ha="center", fontsize=8)
        if fit is not None and fit.epsilon[0] > 0:
            axes.plot(place, float(fit.epsilon[0]), marker="v", color="#8c2f39", linestyle="none", markersize=8, label=label(FIT_NEEDS))
        elif fit is not None and fit.epsilon[1] == 0:
            axes.plot(place, 0.0, marker="o", color="#1b6e4a", linestyle="none", markersize=7, label=label(FIT_CONSISTENT))
    axes.set_xticks(range(len(parts)), [part.name for part in parts])
    axes.set_ylabel(f"model error in {parts[0].unit}")
    axes.set_title(title, fontsize=10)
    axes.margins(y=0.18)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()
