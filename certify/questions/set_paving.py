"""The set of all points of a box that satisfy a system of inequalities: what is inside, what is outside, and bounds of
its volume.

Without equations nothing is isolated that could be proved to be the only one; the answer is a paving from both sides
(`set_inversion`). It rests on the engine's outward-rounded arithmetic; `certify.systems.solve` has the door,
`certify.solve_set`, which makes certificates of it that another program checks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.compositions.q_intersection import QIntersection
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes, Contractor
from certify.contractors.protocol.contractor import Box
from certify.problems.errors import InputError
from certify.problems.systems.system import Relation, System, inner_box
from certify.questions.system_search import equations_of, told_boxes
from certify.records.options import Progress
from certify.solvers.graph.accounts import Statistics
from certify.solvers.graph.own import OwnContractors
from certify.solvers.graph.set_graph import own_of_set, with_own_sides
from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.search.paving_tree import Cell, Recorder
from certify.solvers.search.set_inversion import PavingOptions, SetPaving, set_inversion

PARTS = {1: 2**20, 2: 256, 3: 48}  # of each side of the domain, by the number of variables
PARTS_BEYOND = 16
FARTHEST = 1e300  # of a domain's width, and its reciprocal
OURS = ("hull consistency", "outside")
RECORDED = 200_000  # cells of the tree that is kept


@dataclass(frozen=True)
class SolvedSet:
    """The answer about a system of inequalities, of which so many `outliers` need not hold; `tree` tells how its boxes
    were made, if that was asked for; `own` are contractors of the user that have narrowed its boxes, by name, and
    `statistics` what all have done where there are such.
    """

    system: System
    paving: SetPaving
    seconds: float
    tree: Cell | None = None
    outliers: int = 0
    own: tuple[str, ...] = ()
    statistics: Statistics = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether it is known if there are solutions, and all boxes were explored."""
        return self.paving.stopped is Stopped.FINISHED and (
            self.paving.inner.count > 0 or self.paving.boundary.count == 0
        )

    @property
    def stopped(self) -> Stopped:
        """Why the search ended: what stays undecided is too narrow to be halved."""
        narrow = self.paving.stopped is Stopped.FINISHED and not self.complete
        return Stopped.WIDTH if narrow else self.paving.stopped

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts; infinite volumes are null."""
        paving = self.paving

        def ends(boxes: Boxes) -> list[list[list[float]]]:
            told = boxes.take(slice(told_boxes(self.stopped, boxes.count, boxes.lower.shape[0])))
            return list(np.stack([told.lower.T, told.upper.T], axis=2).tolist())

        return {
            "title": self.system.title,
            "variables": [v.name for v in self.system.variables],
            "complete": self.complete,
            "stopped": self.stopped.value,
            "volume": [value if np.isfinite(value) else None for value in paving.volume],
            "boxes": {
                "inner": paving.inner.count,
                "undecided": paving.boundary.count,
                "unexplored": paving.unexplored.count,
            },
            "inner": ends(paving.inner),
            "undecided": ends(paving.boundary),
            "unexplored": ends(paving.unexplored),
            "cells": paving.cells,
            "seconds": round(self.seconds, 4),
            "contractors": {name: round(value, 4) for name, value in paving.seconds.items()},
            "notes": list(self.system.notes),
        } | ({"calls": self._calls} if self.statistics else {})

    @property
    def _calls(self) -> dict[str, dict[str, float]]:
        """What each contractor has done, where users' own are among them."""
        return {
            name: {"calls": count.calls, "gain": round(count.gain, 3), "refuted": count.refuted}
            for name, count in self.statistics.items()
        }


def is_set(system: System) -> bool:
    """Whether a system consists of inequalities only."""
    return bool(system.constraints) and all(
        constraint.relation is not Relation.EQUAL for constraint in system.constraints
    )


def pave(
    system: System,
    time_limit: float = 60.0,
    progress: Progress | None = None,
    record: bool = False,
    limit: Limit = UNLIMITED,
    outliers: int = 0,
    contractors: OwnContractors = (),
) -> SolvedSet:
    """Pave the points of the domain at which all inequalities hold but so many `outliers`, at most; `record` keeps the
    tree for certificates, and `contractors` of the user narrow beside ours.
    """
    began = time.perf_counter()
    if contractors and outliers:
        raise InputError(
            "contractors of yours stand for points at which every inequality holds; leave out outliers, or these"
        )
    system = _relaxed(system, outliers)
    limit = limit.within(time_limit)
    domain = Box(*system.box)
    side = domain.upper - domain.lower
    for variable, width in zip(system.variables, side.tolist(), strict=True):
        bounded = variable.lower is not None and variable.upper is not None
        if bounded and (not width < FARTHEST or (width < 1 / FARTHEST and variable.lower != variable.upper)):
            raise InputError(
                f"the domain of variable {variable.name} is larger than 1e300 or narrower than 1e-300: doubles "
                f"cannot pave it"
            )
    parts = PARTS.get(side.size, PARTS_BEYOND)
    width = tuple(float(s) / parts if 0.0 < s < np.inf else 1.0 / parts for s in side)
    recorder = Recorder(RECORDED) if record else None
    options, core = PavingOptions(width, time_limit=time_limit, limit=limit), Box(*inner_box(system))
    statistics: Statistics = {}
    try:
        with limit.enforced():
            outer, inner = sides(system, outliers, contractors, statistics, limit)
        paving = set_inversion(outer, inner, domain, options, progress, core, recorder)
    except Late as late:
        nothing = batched((), domain)
        paving = SetPaving(domain, nothing, nothing, Boxes.of([domain]), 0, late.why, {})
    tree = None if recorder is None else recorder.root
    own = tuple(name for name, count in statistics.items() if name not in OURS and count.calls)
    return SolvedSet(system, paving, time.perf_counter() - began, tree, outliers, own, statistics)


def sides(
    system: System,
    outliers: int = 0,
    contractors: OwnContractors = (),
    statistics: Statistics | None = None,
    limit: Limit = UNLIMITED,
) -> tuple[Contractor, Contractor]:
    """What keeps the points of the set, and what keeps the rest, with ends on a grid; those of the user among them are
    counted.
    """
    outer = kept_points(system, outliers)
    inner = complement(outer)
    if not contractors:
        return OnGrid(outer), OnGrid(inner)
    own = own_of_set(equations_of(system), contractors)
    kept, rest = with_own_sides(outer, inner, own, statistics, limit)
    return OnGrid(kept), OnGrid(rest)


def _relaxed(system: System, outliers: int) -> System:
    """The system, which notes how many of its inequalities need not hold."""
    count = len(system.constraints)
    if not isinstance(outliers, int) or not 0 <= outliers < count:
        raise InputError(f"all but {outliers} of {count} inequalities: give a whole number from 0 to {count - 1}")
    note = f"{count - outliers} or more of the {count} inequalities are to hold"
    return replace(system, notes=(*system.notes, note)) if outliers else system


def kept_points(system: System, outliers: int = 0) -> Contractor:
    """What keeps the points of the set; its complement keeps those outside."""
    if not outliers:
        return HullConsistency(equations_of(system))
    alone = [replace(system, constraints=(constraint,)) for constraint in system.constraints]
    return QIntersection.all_but(outliers, tuple(HullConsistency(equations_of(each)) for each in alone))


def batched(boxes: tuple[Box, ...], domain: Box) -> Boxes:
    return Boxes.of(list(boxes)) if boxes else Boxes(np.empty((domain.lower.size, 0)), np.empty((domain.lower.size, 0)))
