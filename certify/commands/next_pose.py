"""certify next PROBLEM CANDIDATES: which of some poses to measure next, so that the parameters are known best. An
estimate.
"""

from __future__ import annotations

import argparse
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import PROVED, Answer, Command, add_limits, progress
from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.questions.next_poses import NextPoses

SHOWN = 5  # candidates of the first round


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml")
    parser.add_argument(
        "candidates",
        type=Path,
        metavar="CANDIDATES",
        help="a table (CSV) of poses; what is read there is not needed, nor used",
    )
    parser.add_argument(
        "--count", type=int, default=1, metavar="N", help="how many poses to choose, one after the other (default 1)"
    )
    parser.add_argument(
        "--gap",
        default="1e-2",
        metavar="G",
        help="relative gap of the model error that a part needs, if any (default 1e-2)",
    )
    add_limits(parser, 60.0)


def _run(arguments: argparse.Namespace) -> Answer:
    import numpy as np

    from certify.parts.redundancy import fit_beside
    from certify.parts.warm_up import warm_up
    from certify.problems.experiments.added_poses import read_poses
    from certify.problems.experiments.experiment import box_centre
    from certify.problems.files.csv_table import columns_given
    from certify.questions.next_poses import next_poses
    from certify.runs.experiment_options import load, search_options

    experiment = load(arguments.problem)
    options = search_options(arguments)
    needed = [field.name for field in experiment.kind.pose] if experiment.kind.legs else []
    if not needed and experiment.kind.legs:
        raise InputError(
            f"{arguments.problem}: its model has no columns of poses, only readings of each leg, so no pose "
            f"differs from another"
        )
    given = columns_given(arguments.candidates, experiment.kind.columns, experiment.reading.layout)
    names = [name for name in experiment.kind.columns if name in needed or name in given]
    if not names:
        raise InputError(
            f"{arguments.candidates} has none of the columns {', '.join(experiment.kind.columns)}; give those that "
            f"say which pose it is, such as the joints"
        )
    poses = read_poses(arguments.candidates, experiment, names)
    if not 1 <= arguments.count <= len(poses.labels):
        raise InputError(
            f"--count {arguments.count}: {arguments.candidates} has {len(poses.labels)} poses; choose 1 to "
            f"{len(poses.labels)} of them"
        )
    tell = progress(arguments)
    warm_up(tell)
    estimate = fit_beside(experiment)[0].estimate
    problem = experiment.problem(box_centre(experiment, estimate))
    start = np.array([float(value) for value in estimate])
    candidates = {name: poses.columns[name] for name in needed or names}
    answer = next_poses(problem, candidates, arguments.count, start=start, options=options, progress=tell)
    told = answer.as_json()
    for choice in told["choices"]:
        for candidate in choice:
            candidate["pose"] = poses.labels[candidate["candidate"] - 1]
    read = [*experiment.reading.told, *poses.told]
    head = {"title": experiment.title, "provenance": experiment.provenance, "tables": experiment.reading.as_json}
    return Answer(PROVED, "\n".join([_text(answer, poses.labels), *read]), {**head, **told})


def _text(answer: NextPoses, labels: tuple[str, ...]) -> str:
    from certify.text.plain_table import plain_table

    first = answer.choices[0].ranked
    names = list(answer.levels)
    rows = [("pose", "hull left (estimated)", *names)]
    rows += [
        (labels[c.place], f"{c.estimated_share:.1%}", *(f"{c.estimated_parts[name]:.1%}" for name in names))
        for c in first[:SHOWN]
    ]
    median = first[len(first) // 2]
    cut = f" (the best {SHOWN} are shown)" if len(first) > SHOWN else ""
    told = [
        plain_table(rows),
        "hull left: mean width of the parameters' intervals with this pose, in parts of that without "
        "it; to first order, nothing is proved.",
        f"Of {len(first)} candidates{cut} the median one leaves {median.estimated_share:.1%}.",
    ]
    shifted = {name: level for name, level in answer.levels.items() if level}
    if shifted:
        levels = ", ".join(f"{name} {float(level):.4g} {answer.units[name]}" for name, level in shifted.items())
        why = "No value is known that is consistent with these, so they are taken within a model error"
        told.append(f"{why} 10 % above the smallest that was found: {levels}.")
    told += [line for name in names for line in _observability(answer, name)]
    chosen = [labels[choice.best.place] for choice in answer.choices]
    shares = prod([choice.best.estimated_share for choice in answer.choices])
    told.append(
        f"Measure next: {', '.join(chosen)}"
        + (f", in this order; together they leave about {shares:.1%}." if len(chosen) > 1 else ".")
    )
    return "\n".join(told)


def _observability(answer: NextPoses, name: str) -> list[str]:
    """What the chosen poses do to how well a part is observed."""
    before, after = answer.before[name], answer.after[name]
    told = []
    if after.given_up:
        still = ", ".join(answer.variables[v] for v in after.given_up)
        told.append(f"{name}: not told apart from others by these poses either: {still} (estimated).")
    gained = [answer.variables[v] for v in before.given_up if v not in after.given_up]
    if gained:
        told.append(f"{name}: determined with them, and not without: {', '.join(gained)} (estimated).")
    elif before.indices is not None and after.indices is not None and before.indices.smallest:
        better = after.indices.smallest / before.indices.smallest
        told.append(
            f"{name}: with them the direction that is seen worst is seen {better:.3g} times as well, and the condition "
            f"number goes from {before.indices.condition:.4g} to {after.indices.condition:.4g} (estimated)."
        )
    return told


COMMAND = Command(
    "next",
    "which of some candidate poses to measure next, so that the consistent parameters shrink most (an estimate)",
    "certify next problem.toml candidates.csv --count 3",
    _arguments,
    _run,
)
