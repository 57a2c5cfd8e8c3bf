"""All solutions of a system of equations and inequalities in a box: proved boxes, what is left undecided, and the coverage claim.

What is proved here rests on the engine's outward-rounded arithmetic and Krawczyk's test; `system_certificate` makes a certificate of it that
another program checks, if the answer is written to a folder.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.part_search import Progress
from contractors.compilation import start_compiling
from contractors.equations import Equations
from contractors.narrowing import Box
from contractors.tape import Builder, Tape
from problems.errors import InputError
from problems.system import System, inner_box, system_tape
from solvers.apart import solve_apart
from solvers.branch_and_prune import Options, Paving, branch_and_prune
from solvers.limits import Stopped
from solvers.simplex import Simplex

SHOWN = 60
UNDECIDED_SHOWN = 5


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: 1 variable, 2 variables."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


@dataclass(frozen=True)
class Solved:
    """The answer about a system."""

    system: System
    paving: Paving
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether every solution in the box is known: all boxes explored, none undecided."""
        return self.paving.stopped is Stopped.FINISHED and not self.paving.undecided

    @property
    def coverage(self) -> str:
        """What is claimed about the box."""
        count = len(self.paving.solutions)
        if self.complete and not self.paving.inner:
            if count < 2:
                return "the box holds exactly 1 solution, in the box below" if count else "the box holds no solution"
            return f"the box holds exactly {count} solutions, one in each box below"
        parts = f"{count} proved, {len(self.paving.inner)} inner, {len(self.paving.undecided)} undecided, {len(self.paving.unexplored)} unexplored"
        return f"every solution in the box lies in one of these boxes: {parts}"

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts."""

        def ends(box: Box) -> list[list[float]]:
            return [[float(a), float(b)] for a, b in zip(box.lower, box.upper, strict=True)]

        return {
            "title": self.system.title,
            "variables": [v.name for v in self.system.variables],
            "coverage": self.coverage,
            "complete": self.complete,
            "stopped": self.paving.stopped.value,
            "solutions": [ends(s.enclosure) for s in self.paving.solutions],
            "inner": [ends(b) for b in self.paving.inner],
            "undecided": [ends(b) for b in self.paving.undecided],
            "unexplored": [ends(b) for b in self.paving.unexplored],
            "cells": self.paving.cells,
            "seconds": round(self.seconds, 4),
            "contractors": {
                name: {"calls": count.calls, "seconds": round(count.seconds, 4), "gain": round(count.gain, 3), "refuted": count.refuted}
                for name, count in self.paving.statistics.items()
            },
            "notes": list(self.system.notes),
        }

    def text(self, certified: str = "no certificate was asked for: --out DIR writes one") -> str:
        """For people; `certified` says what became of the certificate."""
        size = f"{counted(len(self.system.variables), 'variable')}, {counted(len(self.system.constraints), 'constraint')}"
        lines = [self.system.title, size, *self.system.notes, ""]
        lines.append(self.coverage + ".")
        for number, solution in enumerate(self.paving.solutions[:SHOWN], 1):
            lines += ["", f"solution {number}: exists and is the only one in its box"]
            lines += self._ends(solution.enclosure)
        if len(self.paving.solutions) > SHOWN:
            lines += ["", f"... and {len(self.paving.solutions) - SHOWN} more; --json has them all"]
        lines += self._doubtful()
        stopped = "" if self.paving.stopped is Stopped.FINISHED else f" ({self.paving.stopped.value})"
        told = f"{counted(self.paving.cells, 'box', 'boxes')} in {self.seconds:.2f} s{stopped}"
        lines += ["", f"{told}; proved by the engine's interval arithmetic; {certified}."]
        return "\n".join(lines)

    def _doubtful(self) -> list[str]:
        """The first undecided boxes, and what leaves a box undecided."""
        lines, undecided = [], self.paving.undecided
        for number, box in enumerate(undecided[:UNDECIDED_SHOWN], 1):
            lines += ["", f"undecided box {number}: may hold solutions, or none", *self._ends(box)]
        more = len(undecided) - UNDECIDED_SHOWN
        if more > 0:
            lines += ["", f"... and {more} more undecided; result.json has them all (--out DIR writes it, --json prints it)"]
        return [*lines, "", "A double solution, or one on the boundary of the box, stays undecided."] if undecided else []

    def _ends(self, box: Box) -> list[str]:
        """A box for people, a line a variable."""
        ends = zip(self.system.variables, box.lower, box.upper, strict=True)
        return [f"  {variable.name} in [{float(low)!r}, {float(high)!r}]" for variable, low, high in ends]


def _holds_anyway(tape: Tape, node: int, allowed: tuple[float, float]) -> bool:
    """Whether a constraint says no more than 0 = 0 or 1 >= 0."""
    value = tape.steps[node - tape.inputs].constant if node >= tape.inputs else None
    return value is not None and allowed[0] <= value <= allowed[1]


def require_constraints(system: System) -> None:
    """Refuse a system that says nothing."""
    if not system.constraints:
        raise InputError(f"{system.title or 'the system'} has no constraints, so every point of its box is a solution; add at least one")


def equations_of(system: System) -> Equations:
    """The constraints as the contractors read them."""
    require_constraints(system)
    tape, allowed = system_tape(system)
    kept = [k for k, (ends, node) in enumerate(zip(allowed, tape.outputs, strict=True)) if not _holds_anyway(tape, node, ends)] or [0]
    tape, allowed = Tape(tape.inputs, tape.steps, tuple(tape.outputs[k] for k in kept)), tuple(allowed[k] for k in kept)
    return Equations(tape, *(np.array(ends) for ends in zip(*allowed, strict=True)))


def solve(system: System, options: Options | None = None, progress: Progress | None = None) -> Solved:
    """All solutions of a system in the domains of its variables."""
    equations = equations_of(system)
    began = time.perf_counter()
    paving = solve_apart(equations, Box(*system.box), options, progress, Box(*inner_box(system)))
    return Solved(system, paving, time.perf_counter() - began)


def warm_up_systems() -> None:
    """Compile the kernels for systems of equations (once on a machine, some seconds), so that no search is charged for it."""
    child = start_compiling()
    Simplex().multipliers(np.ones((1, 2, 2)), np.ones((1, 2)), np.ones((1, 2)), np.ones(1, dtype=np.bool_))
    if child is not None:
        child.wait()
    builder = Builder(1)
    tape = builder.tape((builder.sub(builder.sqr(0), builder.sin(0)),))
    branch_and_prune(Equations(tape, np.zeros(1), np.zeros(1)), Box(np.array([-1.0]), np.array([2.0])))
