"""From an experiment and a workspace to checked guarantees: what is in use, what is assumed, what is proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from certify.accuracy.assumptions import (
    CURVE,
    FACTOR,
    above,
    held_numbers,
    levels_of,
    parts_of,
    recorded,
    witnesses,
)
from certify.accuracy.guarantees import Guarantee, Level
from certify.accuracy.question import Asked, Workspace, accuracy
from certify.alignment.turns import turns_of
from certify.claims.accuracy_claims import accuracy_sentences, accuracy_table, stance_sentences
from certify.parts.fitting import fitted
from certify.parts.part_search import Level as Given
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment, box_centre
from certify.problems.model.model import Problem
from certify.records.options import Options, Progress
from certify.runs.accuracy_files import Written, write_guarantees
from certify.stances.asked import asked_of_legs
from certify.stances.guarantees import LegsGuarantee

SEARCHING = 0.6  # of the time limit; the rest is for the check
LEAST_SQUARES, WITNESS, BLUEPRINT = "least-squares", "witness", "blueprint"
Known = Mapping[str, tuple[Fraction, Mapping[str, Fraction]]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of an experiment: where the robot works, the parameters that it will use and those that are held,
    the model errors (None: multiples of the smallest that is known, also from the `record` of a run), and how many
    cells a box may be told by; `aligned`: after the best common rigid motion.
    """

    workspaces: Callable[[Problem], tuple[Workspace, ...]]
    use: str = LEAST_SQUARES
    hold: str | None = None
    epsilon: Given | None = None
    curve: bool = False
    record: Path | None = None
    cells: int = 64
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Assured:
    """What was written, and what is to be read of it."""

    written: Written
    lines: tuple[str, ...]
    record: dict[str, Any]


def assure(experiment: Experiment, folder: Path, wanted: Wanted, options: Options, progress: Progress) -> Assured:
    """Ask, write, check. Raises Late if the limit comes before there is anything to ask about."""
    limit = options.begun()
    progress("fitting least squares")
    with limit.enforced():
        estimate = fitted(experiment)
        problem = experiment.problem(box_centre(experiment, estimate))
        spaces = wanted.workspaces(problem)
        held = held_numbers(wanted.hold, problem)
        known: Known = {}
        if wanted.epsilon is None or wanted.use == WITNESS:
            progress("looking for the smallest model error")
            known = witnesses(problem, np.array([float(value) for value in estimate]), options, limit)
    at = _in_use(wanted.use, experiment, problem, estimate, known)
    assumed = _assumed(wanted, problem, known, at)
    turns = {} if experiment.kind.legs else turns_of(experiment)
    searching, guarantees, limited = limit.share(SEARCHING), list[Guarantee | LegsGuarantee](), tuple[str, ...]()
    for turn, levels in enumerate(assumed):
        time = replace(options, time_limit=inf, limit=searching.share(1.0 / (len(assumed) - turn)))
        if experiment.kind.legs:
            guarantees += asked_of_legs(experiment, problem, at, levels, spaces, wanted.cells, time, progress)
            continue
        asked = Asked(at, held, levels, spaces, wanted.cells, turns, wanted.aligned)
        answer = accuracy(problem, asked, options=time, progress=progress)
        guarantees += answer.guarantees
        limited = answer.limited
    record = {
        "title": experiment.title,
        "provenance": experiment.provenance,
        "tables": experiment.reading.as_json,
        "in_use": {v.name: str(value) for v, value in zip(problem.variables, at, strict=True)},
        "held": [problem.variables[v].name for v in sorted(held)],
        "not_narrowed": list(limited),
        "aligned": wanted.aligned,
        "frames": [name for name in turns if name in {level.part for levels in assumed for level in levels}],
        "points": {f.name: list(f.coordinates) for f in guarantees if isinstance(f, Guarantee) and f.coordinates},
        "workspaces": {space.name: space.described for space in spaces if space.described},
    }
    written = write_guarantees(guarantees, folder, record, progress, limit)
    lines = _lines(written, assumed, wanted.use, record, bool(experiment.kind.legs))
    return Assured(written, tuple(lines), record)


def _lines(
    written: Written, levels: list[tuple[Level, ...]], used: str, record: Mapping[str, Any], legs: bool
) -> list[str]:
    incomplete = [f"{found.name}, {found.workspace}" for found in written.guarantees if not found.complete]
    if legs:
        names = {found.name for found in written.guarantees}
        return [accuracy_table(written.guarantees), *stance_sentences(levels, used, names, incomplete)]
    described = [f"{name}: {text}" for name, text in record["workspaces"].items()]
    told = accuracy_sentences(
        levels,
        used,
        record["held"],
        record["not_narrowed"],
        incomplete,
        described,
        aligned=record["aligned"],
        frames=record["frames"],
        points=record["points"],
    )
    return [accuracy_table(written.guarantees), *told]


def _in_use(
    use: str, experiment: Experiment, problem: Problem, estimate: tuple[Fraction, ...], known: Known
) -> tuple[Fraction, ...]:
    """The values of all unknown parameters that the robot will use."""
    if use == LEAST_SQUARES:
        return estimate
    if use == BLUEPRINT:
        return experiment.nominal
    if experiment.kind.legs:
        together = {name: value for _, values in known.values() for name, value in values.items()}
        return tuple(together.get(v.name, x) for v, x in zip(problem.variables, estimate, strict=True))
    if len(known) > 1:
        raise InputError(
            f"--use witness: {', '.join(known)} have a witness each, whose parameters differ; use least-squares"
        )
    values = next(iter(known.values()))[1]
    return tuple(values.get(v.name, x) for v, x in zip(problem.variables, estimate, strict=True))


def _assumed(wanted: Wanted, problem: Problem, known: Known, at: tuple[Fraction, ...]) -> list[tuple[Level, ...]]:
    """The model errors, for each point of the curve."""
    if wanted.epsilon is not None:
        given = wanted.epsilon
        told = given if isinstance(given, Mapping) else dict.fromkeys(parts_of(problem), given)
        return [levels_of(problem, {name: Fraction(value) for name, value in told.items()}, at)]
    before = {} if wanted.record is None else recorded(wanted.record)
    smallest = {name: before.get(name, value) for name, (value, _) in known.items()}
    factors = CURVE if wanted.curve else (FACTOR,)
    return [levels_of(problem, above(smallest, factor), at) for factor in factors]
