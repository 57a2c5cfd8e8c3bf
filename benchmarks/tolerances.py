"""What do solvers say of linear programs that are infeasible by an exact margin?

40 programs for each margin of about 1e-4, 1e-6, 1e-8, in whole numbers and multiples of 2^-40: a ray shows that
every point misses a row by the margin at least, and a point misses none by more. Every installed solver, beside its
criterion; `--plot FILE` draws it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from certify.testing.adapters.found import program_solvers
from certify.testing.contract import Said, finding
from certify.testing.planted import Planted, Row, infeasible

MARGINS = (1e-4, 1e-6, 1e-8)
COUNT = 40
SHADES = {"says infeasible": "#2a78b5", "says feasible": "#d9822b", "no answer": "#bbbbbb"}


def planted(number: int, margin: float) -> Planted:
    """The same programs for every margin."""
    rng = np.random.default_rng(number)
    n = int(rng.integers(2, 9))
    rows = [
        Row(tuple(int(a) for a in rng.integers(-9, 10, n)), int(rng.integers(1, 4)), 0, int(rng.choice([-1, 1])))
        for _ in range(int(rng.integers(2, n + 2)))
    ]
    exact = round(margin * 2**40) / 2**40
    return infeasible([int(x) for x in rng.integers(-9, 10, n)], rows, 0, exact)


def table() -> dict[str, dict[str, Any]]:
    """For each solver and margin what it says of how many, and how many answers contradict its criterion."""
    found: dict[str, dict[str, Any]] = {}
    for name, solver in program_solvers().items():
        rows = {}
        for margin in MARGINS:
            counts = dict.fromkeys([*SHADES, "contradicts its criterion"], 0)
            for number in range(COUNT):
                one = planted(number, margin)
                answer = solver.solve(one.program)
                word = {Said.OPTIMAL: "says feasible", Said.UNBOUNDED: "says feasible", Said.NOTHING: "no answer"}
                counts[word.get(answer.said, "says infeasible")] += 1
                wrong = finding(one.program, one.truth, answer, solver.criterion)
                counts["contradicts its criterion"] += wrong is not None and wrong.wrong
            rows[f"{margin:g}"] = counts
        criterion = solver.criterion
        found[name] = {
            "version": solver.version,
            "criterion": criterion.source,
            "absolute": criterion.absolute,
            "relative": criterion.relative,
            "margins": rows,
        }
    return found


def _told(found: dict[str, dict[str, Any]]) -> None:
    print(f"{'solver':16} {'tolerance':>16}   " + "   ".join(f"margin {margin:g}: inf/feas/none" for margin in MARGINS))
    for name, row in found.items():
        tolerance = f"{row['absolute']:g}" + (f" + {row['relative']:g} rel" if row["relative"] else "")
        cells = []
        for counts in row["margins"].values():
            cells.append(f"{counts['says infeasible']:>10} {counts['says feasible']:>6} {counts['no answer']:>6}    ")
        wrong = sum(counts["contradicts its criterion"] for counts in row["margins"].values())
        print(f"{name:16} {tolerance:>16}   {'  '.join(cells)} wrong by its own criterion: {wrong}")


def _drawn(found: dict[str, dict[str, Any]], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(MARGINS), figsize=(10, 3.9), sharey=True)
    names = list(found)
    for axis, margin in zip(axes, MARGINS, strict=True):
        left = np.zeros(len(names))
        for word, shade in SHADES.items():
            width = np.array([found[name]["margins"][f"{margin:g}"][word] for name in names], dtype=float)
            axis.barh(names, width, left=left, color=shade, label=word)
            left += width
        for row, name in enumerate(names):
            if found[name]["absolute"] >= margin:
                axis.text(0.5, row, "tolerance", va="center", fontsize=7, color="white")
        axis.set_title(f"infeasible by {margin:g}, exactly", fontsize=9)
        axis.set_xlim(0, COUNT)
        axis.set_xlabel("linear programs")
    axes[0].invert_yaxis()
    figure.legend(*axes[-1].get_legend_handles_labels(), loc="lower center", ncols=3, fontsize=8)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    figure.savefig(path, dpi=110)


def run(words: list[str]) -> dict[str, Any]:
    """Print the table, and draw it with --plot FILE."""
    found = table()
    _told(found)
    if "--plot" in words:
        _drawn(found, words[words.index("--plot") + 1])
    return {"solvers": found}
