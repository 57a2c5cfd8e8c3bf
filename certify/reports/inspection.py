"""What was understood of a problem file and its tables, before anything long begins: columns with their ranges and
half-widths, parameters with their radii, and which poses a least-squares fit misses most (estimated).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.claims.fit_table import copies, fit_lines, pose
from certify.contractors.tape.evaluation import evaluate
from certify.parts.fitting import Fitting, PartFit
from certify.problems.experiments.experiment import Experiment, box_centre
from certify.problems.model.model import Problem
from certify.reports.experiment.assumptions import half_width_rows
from certify.reports.experiment.data import HEADINGS, column_rows
from certify.text.decimals import show
from certify.text.plain_table import plain_table

COLUMNS = (*HEADINGS, "half-widths", "what they are")
PARAMETERS = ("parameter", "unit", "blueprint", "radius")
MISSES = ("part", "row", "fit misses by (estimated)", "unit")
MOST = 60  # parameters that are listed
WORST = 8  # rows of a part
KNOWN = "known exactly"


@dataclass(frozen=True, slots=True)
class Miss:
    """By how much the fit of a part misses a row at the middles of its measurements."""

    part: str
    row: str
    by: float
    unit: str


def inspection(experiment: Experiment, fitting: Fitting) -> tuple[str, dict[str, Any]]:
    """As text, and as one object for scripts."""
    problem = experiment.problem(box_centre(experiment, fitting.estimate))
    columns, parameters = _columns(experiment), _parameters(experiment)
    misses = [miss for part in fitting.parts if part.settled for miss in _misses(experiment, problem, part)]
    notes = fit_lines(fitting, problem) or copies(experiment)
    more = len(experiment.blueprint) - MOST
    lines = [
        *(experiment.title, experiment.provenance, *experiment.reading.told, ""),
        f"{experiment.kind.title}: {len(experiment.poses)} poses, {len(problem.families)} "
        f"{'family' if len(problem.families) == 1 else 'families'} of rows.",
        *(*experiment.kind.conventions, ""),
        *(plain_table([COLUMNS, *columns]), ""),
        *(plain_table([PARAMETERS, *parameters[:MOST]]), *([f"... and {more} more"] if more > 0 else []), ""),
        *([plain_table([MISSES, *map(_cells, misses)]), ""] if misses else []),
        *notes,
    ]
    told = {
        "title": experiment.title,
        "provenance": experiment.provenance,
        "tables": experiment.reading.as_json,
        "columns": [dict(zip(COLUMNS, row, strict=True)) for row in columns],
        "parameters": [dict(zip(PARAMETERS, row, strict=True)) for row in parameters],
        "estimated_misses": [{"part": m.part, "row": m.row, "by": m.by, "unit": m.unit} for m in misses],
        "notes": notes,
    }
    return "\n".join(lines).rstrip(), told


def _columns(experiment: Experiment) -> list[tuple[str, ...]]:
    found = []
    for row, widths in zip(column_rows(experiment), half_width_rows(experiment), strict=True):
        least, most, told = widths[-3:]
        found.append((*row, least if least == most else f"{least} to {most}", told))
    return found


def _parameters(experiment: Experiment) -> list[tuple[str, ...]]:
    return [(p.name, p.unit, show(p.nominal), KNOWN if p.fixed else show(p.radius)) for p in experiment.blueprint]


def _misses(experiment: Experiment, problem: Problem, part: PartFit) -> Sequence[Miss]:
    """The rows that are missed most, the worst first."""
    point = np.array([float(value) for value in part.x])
    found = []
    for n in problem.part(list(dict.fromkeys(name for name, _ in part.rows))):
        block, family = problem.blocks[n], problem.families[n]
        low, high = block.with_box(point, point, block.lower, block.upper)
        middle = 0.5 * (low + high)
        values = evaluate(block.tape, middle, middle).estimated_middle[0]
        for row in np.argsort(-np.abs(values), kind="stable")[:WORST].tolist():
            named = pose(experiment, (family.name, row), True)
            found.append(Miss(part.name, named, float(values[row]), family.unit))
    return sorted(found, key=lambda miss: -abs(miss.by))[:WORST]


def _cells(miss: Miss) -> tuple[str, ...]:
    return miss.part, miss.row, f"{miss.by:.4g}", miss.unit
