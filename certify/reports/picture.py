"""The picture of an answer: per part, the certified band of the smallest model error, and what least squares needs."""

from __future__ import annotations

import io
from collections.abc import Sequence

from certify.results import Part


def picture(title: str, parts: Sequence[Part], fits: Sequence[Part | None]) -> bytes:
    """A PNG: one bar a part from the proved lower to the proved upper end, a mark for the fit's proved need."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(1.6 + 1.1 * len(parts), 4.8), layout="constrained")
    for place, (part, fit) in enumerate(zip(parts, fits, strict=True)):
        lower, upper = float(part.epsilon[0]), float(part.epsilon[1] or 0)
        axes.bar(place, lower, width=0.62, color="#d9a441", label="refuted: no parameters fit within this error" if place == 0 else None)
        witnessed = "proved possible (witness)" if place == 0 else None
        axes.plot([place - 0.31, place + 0.31], [upper, upper], color="#1b6e4a", linewidth=2.5, label=witnessed)
        text = f"{lower:.6g}" if part.gap is not None and part.gap < 1e-4 else f"{lower:.6g}\nto {upper:.6g}"
        axes.annotate(text, (place, upper), xytext=(0, 4), textcoords="offset points", ha="center", fontsize=8)
        if fit is not None:
            need = float(fit.epsilon[0])
            told = "largest residual of least squares (proved)" if place == 0 else None
            axes.plot(place, need, marker="v", color="#8c2f39", linestyle="none", markersize=8, label=told)
    axes.set_xticks(range(len(parts)), [part.name for part in parts])
    axes.set_ylabel(f"model error in {parts[0].unit}")
    axes.set_title(title, fontsize=10)
    axes.margins(y=0.18)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    plt.close(figure)
    return stream.getvalue()
