"""What every question about a part needs: candidates turned into verified witnesses, refutation through the contractor
graph, and the record of both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.emission import Proving
from certify.results import Part
from certify.verdicts import Verdict
from certify.witnesses import Witness, candidate_witness, scope_variables, shared_columns
from contractors.enclosures import enclose_rational
from contractors.evaluation import Floats
from contractors.narrowing import Box
from problems.model import Problem
from solvers.contractor_graph import Scheduler, Statistics, build, components
from solvers.determination import undetermined
from solvers.highs import HighsOracle
from solvers.refutation import Refutation, Stopped, refute

Progress = Callable[[str], None]
UNBOUNDED = -1e6  # below what any row side can reach
TRUST = 0.1  # first trust radius, as a part of the box's largest half-width
TOGETHER = "platform"


def silent(message: str) -> None:
    """No progress."""


def named(progress: Progress, name: str) -> Progress:
    """The progress of one part."""
    return lambda message: progress(f"{name}: {message}")


@dataclass(frozen=True, slots=True)
class Options:
    """How far to go: `gap` is (upper - lower) / upper, `resolution` an absolute gap that is always good enough (in the rows' unit)."""

    gap: Fraction = Fraction(5, 10**7)
    resolution: Fraction = Fraction(1, 10**9)
    time_limit: float = 60.0


class PartSearch:
    """The tools for one scope; `statistics` adds up over its searches."""

    def __init__(self, proving: Proving, scope: tuple[int, ...], options: Options, start: Floats, progress: Progress = silent) -> None:
        self.proving, self.scope, self.options, self.start = proving, scope, options, start
        self.problem = proving.problem
        self.variables = scope_variables(self.problem, scope)
        self.box = Box(*self.problem.box)
        self.statistics: Statistics = {}
        self.splits = 0
        self.stopped = Stopped.FINISHED
        self._began = time.perf_counter()
        self.progress = progress
        self._trust = TRUST * float(self.box.radius[list(self.variables)].max(initial=0.0)) or 1.0

    def candidate(self, start: Floats, goal: float = UNBOUNDED) -> Witness:
        """The witness of an estimated minimiser; its error is an estimate too. `goal` is what cannot be undercut."""
        return candidate_witness(self.problem, self.scope, self.box, start, self._trust, goal)

    @property
    def remaining(self) -> float:
        """Seconds that this part may still take."""
        return self.options.time_limit - (time.perf_counter() - self._began)

    def refute(self, lower: Fraction, share: float = 1.0) -> Refutation:
        """Try to refute everything within `lower`, with a share of the remaining time; a candidate that does with less ends the search."""
        epsilon = enclose_rational(lower)[1]
        component = build(self.problem.blocks, self.scope, self.variables, HighsOracle())
        scheduler = Scheduler(component, self.statistics)

        def better(box: Box) -> bool:
            return self.candidate(box.centre).estimate < epsilon

        deadline = time.perf_counter() + share * self.remaining
        answer = refute(scheduler, self.problem.blocks, self.box, epsilon, better, deadline, progress=self.progress)
        self.splits += answer.splits
        self.stopped = answer.stopped
        return answer

    def part(
        self,
        name: str,
        verdict: Verdict,
        ends: tuple[Fraction, Fraction | None],
        witness: Witness | None = None,
        tree: Sequence[str] = (),
        point: Sequence[Fraction] | None = None,
    ) -> Part:
        """The record of the answer, with its certificate if it claims anything. A lower end is claimed where there is a tree."""
        problem, (lower, upper) = self.problem, ends
        claims = upper is not None or bool(tree)
        certificate = self.proving.document(self.scope, lower if tree else None, upper, witness, tree, point) if claims else None
        return Part(
            name=name,
            scope=tuple(problem.families[n].name for n in self.scope),
            verdict=verdict,
            stopped=self.stopped,
            epsilon=ends,
            unit=problem.families[self.scope[0]].unit,
            witness=None if witness is None else {problem.variables[v].name: value for v, value in witness.values.items()},
            estimated_undetermined=self._undetermined(witness),
            tree=tuple(tree),
            certificate=certificate,
            seconds=time.perf_counter() - self._began,
            splits=self.splits,
            contractors=self.statistics,
        )

    def undefined(self, name: str) -> Part:
        """The record of an answer that could not be found because the model cannot be evaluated there."""
        self.stopped = Stopped.UNDEFINED
        return self.part(name, Verdict.UNDECIDED, (Fraction(0), None))

    def _undetermined(self, witness: Witness | None) -> tuple[str, ...]:
        if witness is None:
            return ()
        point = self.start.copy()
        for v, value in witness.values.items():
            point[v] = float(value)
        free = undetermined(self.problem.blocks, self.scope, self.variables, point)
        return tuple(self.problem.variables[v].name for v in free)


def start_point(problem: Problem, start: Floats | None) -> Floats:
    """The given start, moved into the box, or the middle of the box."""
    lower, upper = problem.box
    return 0.5 * (lower + upper) if start is None else np.clip(np.asarray(start, dtype=np.float64), lower, upper)


def independent_parts(problem: Problem) -> list[tuple[str, tuple[int, ...]]]:
    """The independent problems that the graph shows, named after their families."""
    found = components(problem.blocks, range(len(problem.families)))
    return [("+".join(problem.families[n].name for n in numbers), numbers) for numbers, _ in found]


def joint_scope(problem: Problem, parts: int) -> tuple[int, ...] | None:
    """All families, if they fall into several parts that nevertheless share measurements."""
    scope = tuple(range(len(problem.families)))
    return scope if parts > 1 and shared_columns(problem, scope) else None


def joined(problem: Problem, parts: Sequence[Part], guess: Floats) -> Floats:
    """The parts' witnesses put together, the guess elsewhere."""
    point = guess.copy()
    for part in parts:
        for v, variable in enumerate(problem.variables):
            if part.witness is not None and variable.name in part.witness:
                point[v] = float(part.witness[variable.name])
    return point
