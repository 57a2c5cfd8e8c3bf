"""From an experiment to checked certificates: fit, ask the two questions, bound the model error, write, and have
everything checked again.

S2's questions: is the least-squares fit consistent with every measurement? Is any value of the parameters, within the
box around it? And then: what is the smallest model error that makes one consistent?
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.adequacy import adequacy
from certify.at_point import error_at
from certify.checking import Check, check_files
from certify.decide import decide
from certify.decimals import show
from certify.enclose import enclose
from certify.hulls import HULL_SUFFIX, Enclosure
from certify.part_search import TOGETHER, Options, Progress, silent
from certify.picture import picture
from certify.results import Part, Result
from certify.verdicts import Verdict
from problems.errors import InputError
from problems.experiment import Experiment, box_centre, rounded_centre
from problems.experiment_writer import write_experiment
from problems.files import write_bytes
from problems.model import Problem
from solvers.least_squares import fit

FIT_SUFFIX = ".least-squares"
RECORD = "result.json"


@dataclass(frozen=True)
class Calibration:
    """All answers about one experiment, the checks of their certificates, and how long each stage took."""

    experiment: Experiment
    result: Result
    fits: dict[str, Part]
    checks: tuple[Check, ...]
    seconds: dict[str, float]
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    enclosure: Enclosure | None = None

    @property
    def exit_code(self) -> int:
        """0 if everything is proved and checked, 1 if a check failed, 3 if something stayed undecided."""
        if any(check.code == 1 or check.code > 3 for check in self.checks):
            return 1
        undecided = any(part.verdict is Verdict.UNDECIDED for part in self.result.parts)
        undecided |= self.enclosure is not None and not self.enclosure.complete
        return 3 if undecided or any(not check.verified for check in self.checks) else 0

    def as_json(self) -> dict[str, Any]:
        """One object for scripts."""
        answers = {check.certificate: check for check in self.checks}

        def with_check(part: Part, suffix: str = "") -> dict[str, Any]:
            name = f"{part.name}{suffix}.cert"
            check = answers.get(name)
            told = {"certificate": name, "verified": check.verified, "bytes": len(part.certificate or b"")} if check else {"certificate": None}
            return part.as_json() | told

        parts = []
        for part in self.result.parts:
            fitted = self.fits.get(part.name)
            parts.append(with_check(part) | {"least_squares": None if fitted is None else with_check(fitted)})
        return {
            "title": self.experiment.title,
            "provenance": self.experiment.provenance,
            "parts": parts,
            "hulls": None if self.enclosure is None else [with_check(part, HULL_SUFFIX) for part in self.enclosure.parts],
            "seconds": {name: round(value, 4) for name, value in self.seconds.items()},
            "files": list(self.files),
            "warnings": list(self.warnings),
            "exit_code": self.exit_code,
        }


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = now - self._last
        self._last = now


def least_squares(experiment: Experiment) -> tuple[Fraction, ...]:
    """The least-squares solution from the nominal parameters, as short decimals."""
    problem = experiment.problem(experiment.nominal)
    start = np.array([float(value) for value in experiment.nominal])
    return rounded_centre(fit(problem.blocks, tuple(range(len(problem.families))), start).tolist())


def fit_warnings(experiment: Experiment, estimate: tuple[Fraction, ...]) -> list[str]:
    """A fit that wanders further from the blueprint than the search box is wide is most often a wrong sign or unit in the data."""
    told = []
    for family in experiment.families:
        moves = [
            (abs(value - variable.nominal), variable.name)
            for value, variable in zip(estimate, experiment.variables, strict=True)
            if variable.name.startswith(f"{family.name}.")
        ]
        if moves and max(moves)[0] > experiment.radius:
            distance, name = max(moves)
            told.append(
                f"{family.name}: the least-squares fit of {name} is {float(distance):.4g} mm from the blueprint, more than the radius of "
                f"{float(experiment.radius):.4g} mm; are the signs and units of its measurements right?"
            )
    return told


def parameters(experiment: Experiment, estimate: tuple[Fraction, ...], result: Result) -> bytes:
    """A table of the parameters: blueprint, least squares, and the witness of each leg."""
    witness: dict[str, Fraction] = {}
    for part in result.parts:
        if part.witness is not None and part.name != TOGETHER:
            witness |= part.witness
    lines = ["parameter,unit,blueprint,least squares,witness"]
    for variable, value in zip(experiment.variables, estimate, strict=True):
        found = show(witness[variable.name]) if variable.name in witness else ""
        lines.append(f"{variable.name},{variable.unit},{show(variable.nominal)},{show(value)},{found}")
    return ("\n".join(lines) + "\n").encode()


def written_before(folder: Path) -> list[Path]:
    """Make the folder, see that it can be written to, and find what an earlier run wrote there: refuse now what would fail later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        record = folder / RECORD
        names = json.loads(record.read_text())["files"] if record.is_file() else []
        return [folder / name for name in names if isinstance(name, str) and Path(name).name == name]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else f"its {RECORD} is not ours"
        raise InputError(f"--out {folder}: it cannot be used ({reason}); choose another folder") from error


def _within(problem: Problem, x: Sequence[Fraction]) -> bool:
    return all(v.lower <= value <= v.upper for v, value in zip(problem.variables, x, strict=True))


def calibrate(
    experiment: Experiment,
    folder: Path,
    options: Options | None = None,
    epsilon: Fraction | None = None,
    progress: Progress = silent,
    enclosing: bool = False,
) -> Calibration:
    """Answer everything about an experiment and write it to a folder; with `epsilon`, decide at that model error only.

    `enclosing` asks also for the hulls of the parameters that are consistent within `epsilon` (0 if it is not given).
    """
    old = written_before(folder)
    clock, options = _Clock(), options or Options()
    progress("fitting least squares")
    estimate = least_squares(experiment)
    centre = box_centre(experiment, estimate)
    problem = experiment.problem(centre)
    start = np.array([float(value) for value in estimate])
    clock.stage("least squares")
    fits = error_at(problem, estimate, FIT_SUFFIX) if _within(problem, estimate) else None
    clock.stage("certify least squares")
    if epsilon is None:
        result = adequacy(problem, start=start, options=options, progress=progress)
    else:
        result = decide(problem, epsilon, start=start, options=options, progress=progress)
    clock.stage("search")
    clock.seconds["together"] = sum(part.seconds for part in result.parts if part.name == TOGETHER)
    clock.seconds["search"] -= clock.seconds["together"]
    enclosure = enclose(problem, epsilon or 0, start=start, options=options, progress=progress) if enclosing else None
    clock.stage("enclose")
    for path in old:
        path.unlink(missing_ok=True)
    write_experiment(folder, experiment, centre)
    certificates = [path for answer in (result, fits, enclosure) if answer is not None for path in answer.save(folder)]
    by_name = {part.name.removesuffix(FIT_SUFFIX): part for part in fits.parts} if fits is not None else {}
    write_bytes(folder / "parameters.csv", parameters(experiment, estimate, result))
    files = ["problem.toml", "poses.csv", "problem.canonical", "parameters.csv", *(path.name for path in certificates), RECORD]
    legs = [part for part in result.parts if part.epsilon[1] is not None]
    if legs and epsilon is None:
        title = f"{experiment.title}: certified model error ({experiment.provenance.partition(':')[0]} data)"
        write_bytes(folder / "epsilon.png", picture(title, legs, [by_name.get(part.name) for part in legs]))
        files.append("epsilon.png")
    clock.stage("write")
    progress(f"checking {len(certificates)} certificates in separate processes")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = tuple(pool.map(lambda path: check_files(folder / "problem.canonical", path), certificates))
    clock.stage("check")
    warnings = fit_warnings(experiment, estimate)
    if fits is None:
        warnings.append("The least-squares fit lies outside the box, so nothing is claimed about it; centre the box on it or widen the radius.")
    answer = Calibration(experiment, result, by_name, checks, clock.seconds, tuple(files), tuple(warnings), enclosure)
    write_bytes(folder / RECORD, (json.dumps(answer.as_json(), indent=1) + "\n").encode())
    return answer
