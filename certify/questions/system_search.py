"""All solutions of a system of equations and inequalities in a box: proved boxes, what is left undecided, and the
coverage claim.

This is the engine's search: what is proved here rests on its outward-rounded arithmetic and Krawczyk's test.
`certify.systems.solve` has the door, `certify.solve`, which makes a certificate of it that another program checks.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from certify.contractors.linear.banded import BandedSystems
from certify.contractors.operators.compilation import compile_functions, compiled_beside
from certify.contractors.protocol.boxes import Contractor
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape import function_kernels, functions_of_two
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder, Tape
from certify.problems.errors import InputError
from certify.problems.systems.system import System, inner_box, system_tape
from certify.records.options import Progress
from certify.solvers.graph.build import system_graph
from certify.solvers.graph.own import OwnContractors, own_of_system
from certify.solvers.journal.journal import NOTHING
from certify.solvers.limits import LIMITS, Late, Stopped
from certify.solvers.linear_programs.simplex import compile_simplex
from certify.solvers.memory import garbage_waits
from certify.solvers.search.branch_and_prune import Paving, SearchOptions, branch_and_prune
from certify.solvers.search.independent_systems import solve_apart
from certify.solvers.search.natural_units import InUnits, in_first_units, in_units, natural_units, scaled
from certify.solvers.search.proof_search import compile_cuts, compile_kernels
from certify.solvers.weights import row_forms, short_weights

MOST_TOLD = 100_000  # numbers of boxes of a kind that a stopped search leaves in the record


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: 1 variable, 2 variables."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def told_boxes(stopped: Stopped, count: int, size: int) -> int:
    """How many boxes of so many variables a record lists: all, or the first of those that a search had when it was
    stopped.
    """
    return count if stopped not in LIMITS else min(count, MOST_TOLD // max(size, 1))


@dataclass(frozen=True)
class Solved:
    """The answer about a system."""

    system: System
    paving: Paving
    seconds: float
    own: tuple[str, ...] = ()  # contractors of the user that have narrowed its boxes, by name
    resumed: bool = False  # some boxes were narrowed by an earlier run, whose journal says how
    elsewhere: bool = False  # some boxes were narrowed by workers of a cluster

    @property
    def complete(self) -> bool:
        """Whether every solution in the box is known: all boxes explored, none undecided."""
        return self.paving.stopped is Stopped.FINISHED and not self.paving.undecided

    @property
    def stopped(self) -> Stopped:
        """Why the search ended: what stays undecided is too narrow to be halved."""
        narrow = self.paving.stopped is Stopped.FINISHED and bool(self.paving.undecided)
        return Stopped.WIDTH if narrow else self.paving.stopped

    def settled(self) -> Solved:
        """The answer where it is certified that there are no other solutions than those in boxes of their own."""
        return replace(
            self, paving=replace(self.paving, inner=(), undecided=(), unexplored=(), stopped=Stopped.FINISHED)
        )

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts, as the engine has found them."""
        paving, size = self.paving, len(self.system.variables)

        def ends(box: Box) -> list[list[float]]:
            pairs: list[list[float]] = np.stack((box.lower, box.upper), axis=1).tolist()
            return pairs

        def told(boxes: Sequence[Box]) -> list[list[list[float]]]:
            return [ends(box) for box in boxes[: told_boxes(self.stopped, len(boxes), size)]]

        return {
            "title": self.system.title,
            "variables": [v.name for v in self.system.variables],
            "complete": self.complete,
            "stopped": self.stopped.value,
            "boxes": {
                "inner": len(paving.inner),
                "undecided": len(paving.undecided),
                "unexplored": len(paving.unexplored),
            },
            "solutions": [ends(solution.enclosure) for solution in paving.solutions],
            "inner": told(paving.inner),
            "undecided": told(paving.undecided),
            "unexplored": told(paving.unexplored),
            "cells": self.paving.cells,
            "seconds": round(self.seconds, 4),
            "contractors": {
                name: {
                    "calls": count.calls,
                    "seconds": round(count.seconds, 4),
                    "gain": round(count.gain, 3),
                    "refuted": count.refuted,
                }
                for name, count in self.paving.statistics.items()
            },
            "notes": list(self.system.notes),
        }


def _holds_anyway(tape: Tape, node: int, allowed: tuple[float, float]) -> bool:
    """Whether a constraint says no more than 0 = 0 or 1 >= 0."""
    value = tape.steps[node - tape.inputs].constant if node >= tape.inputs else None
    return value is not None and allowed[0] <= value <= allowed[1]


def require_constraints(system: System) -> None:
    """Refuse a system that says nothing."""
    if not system.constraints:
        raise InputError(
            f"{system.title or 'the system'} has no constraints, so every point of its box is a solution; "
            f"add at least one"
        )


def equations_of(system: System) -> Equations:
    """The constraints as the contractors read them; what is written twice counts once, so that as many equations as
    variables stay as many.
    """
    require_constraints(system)
    tape, allowed = system_tape(system)
    first: dict[tuple[int, tuple[float, float]], int] = {}
    for k, said in enumerate(zip(tape.outputs, allowed, strict=True)):
        first.setdefault(said, k)
    kept = [k for (node, ends), k in first.items() if not _holds_anyway(tape, node, ends)] or [0]
    tape, allowed = Tape(tape.inputs, tape.steps, tuple(tape.outputs[k] for k in kept)), tuple(allowed[k] for k in kept)
    return Equations(tape, *(np.array(ends) for ends in zip(*allowed, strict=True)))


@garbage_waits()
def search(
    system: System,
    options: SearchOptions | None = None,
    progress: Progress | None = None,
    contractors: OwnContractors = (),
    part: Box | None = None,
) -> Solved:
    """All solutions of a system in the domains of its variables, as far as the engine finds and proves them, with
    `contractors` of the user; or those in a `part` of the domains, and what lies beside it in them.
    """
    began = time.perf_counter()
    options = options or SearchOptions()
    options = replace(options, memory=NOTHING) if contractors else options
    limit = options.limit.within(options.time_limit)
    own: tuple[Contractor, ...] = ()
    try:
        with limit.enforced():
            equations, units = equations_of(system), natural_units(Box(*system.box))
            own = own_of_system(equations, contractors)
        paving = _solved(equations, units, system, replace(options, limit=limit), progress, own, part)
    except Late as late:
        paving = Paving((), (), (), (part or Box(*system.box),), 0, late.why, {})
    journal = options.memory.journal
    resumed = journal is not None and journal.recalled > 0
    names = tuple(contractor.name for contractor in own)
    return Solved(system, paving, time.perf_counter() - began, names, resumed, options.crew.elsewhere)


def _solved(
    equations: Equations,
    units: Floats,
    system: System,
    options: SearchOptions,
    progress: Progress | None,
    own: tuple[Contractor, ...],
    part: Box | None,
) -> Paving:
    """All solutions, searched in the natural units of the domain; all variables together where users' own contractors
    may read them all. Raises Late.
    """
    solve = branch_and_prune if own else solve_apart
    domain, inner = part or Box(*system.box), Box(*inner_box(system))
    if (units == 1.0).all():
        return solve(equations, domain, _with_own(options, own), progress, inner)
    with options.limit.enforced():
        equations = in_units(equations, units)
    options = _with_own(options, tuple(InUnits(contractor, units) for contractor in own))
    found = solve(equations, scaled(domain, 1.0 / units), options, progress, scaled(inner, 1.0 / units))
    return in_first_units(found, units)


def _with_own(options: SearchOptions, own: tuple[Contractor, ...]) -> SearchOptions:
    return replace(options, graph=partial(system_graph, own=own)) if own else options


def _example() -> tuple[Equations, Box]:
    builder = Builder(1)
    tape = builder.tape((builder.sub(builder.sqr(0), builder.sin(0)),))
    return Equations(tape, np.zeros(1), np.zeros(1)), Box(np.array([-1.0]), np.array([2.0]))


def compile_proofs() -> None:
    """What proofs of systems need, their weights first."""
    compile_kernels(*_example())


def warm_up_systems() -> None:
    """Compile the kernels for systems of equations (once on a machine, some seconds), so that no search is charged for
    it.
    """
    with compiled_beside(compile_functions, (function_kernels, "image"), (functions_of_two, "image_of_two")):
        compile_simplex()
    (equations, box), one = _example(), np.ones((1, 1))
    with compiled_beside(compile_proofs, (row_forms, "_expand"), (short_weights, "_settle")):
        BandedSystems(one[None], one[None], 0, one, one).images(one[None], -one, one, np.ones(1, dtype=np.bool_))
        branch_and_prune(equations, box)
        compile_cuts(equations, box)
    compile_proofs()
