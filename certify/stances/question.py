"""How far off can a platform on legs stand, all over a workspace, if the robot uses the parameters x0 and others may be
true?

    the robot wants p and gives leg k the length that f_k(x0, p) says; the platform stands at p', where the true
    f_k(x_k, p') is that, or differs from it by no more than the error of leg k that is assumed

Each leg's parameters x_k are consistent with that leg's rows. What is proved of them are bounds of d_k(x_k, p) =
f_k(x_k, p) - f_k(x0, p) at the nodes of a grid of poses (`faces`), for all other poses by interpolation (`readouts`);
what follows for the platform is `stand`. How far from p it is looked for is found by trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

import numpy as np

from certify.accuracy.guarantees import Level
from certify.branches.enclosing import ARITHMETIC
from certify.checker.interval import Undefined
from certify.contractors.tape.tape import Tape
from certify.parts.warm_up import begun
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds, Problem
from certify.records.options import Options, Progress, silent
from certify.solvers.limits import Late, Limit
from certify.stances.cells import Cells
from certify.stances.faces import LegFaces
from certify.stances.guarantees import LegsGuarantee
from certify.stances.leaves import Leaves
from certify.stances.leg import Leg, leg_of, legs_tape
from certify.stances.lengths import measures
from certify.stances.losses import slopes_of
from certify.stances.readouts import Grid, Readout, readout
from certify.stances.stand import Legs, NotStanding, Standing, alone, stand, widened
from certify.stances.witness import Known, Witnesses

NODES = 100  # of a grid of poses, at most: sides are parted as often as that allows
LEAVES = 4  # boxes of a leg's parameters
CELLS = 64  # of the poses
ROOM = Fraction(5, 4)  # times what is estimated: how far from a pose the platform is looked for
TRIALS = 6
LEGS, PROVING, STANDING = 0.3, 0.6, 0.6  # shares of the time that is left


@dataclass(frozen=True, slots=True)
class Workspace:
    """A box of poses, one range for each coordinate, and how it is called."""

    name: str
    box: tuple[Bounds, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters in use, the errors that are assumed of the legs, the columns of the pose (and whether its angles
    are those of Rx Ry Rz), and the workspaces.
    """

    at: tuple[Fraction, ...]
    levels: tuple[Level, ...]
    pose: tuple[str, ...]
    turned: bool
    workspaces: tuple[Workspace, ...]
    cells: int = CELLS


def stances(
    problem: Problem, asked: Asked, *, options: Options | None = None, progress: Progress = silent
) -> tuple[LegsGuarantee, ...]:
    """For each workspace one answer for each part of the pose. Raises InputError where the platform is not shown to
    stand near all of its poses.
    """
    options = options or Options()
    limit = begun(options)
    platform = _Platform(problem, asked, replace(options, limit=limit), limit.share(LEGS), progress)
    found: list[LegsGuarantee] = []
    for turn, workspace in enumerate(asked.workspaces):
        share = limit.share(1.0 / (len(asked.workspaces) - turn))
        found += _Search(platform, workspace, share, progress).answers()
    return tuple(found)


class _Platform:
    """The legs, each with the boxes that are left of its parameters."""

    def __init__(self, problem: Problem, asked: Asked, options: Options, limit: Limit, progress: Progress) -> None:
        self.problem, self.asked, self.options = problem, asked, options
        columns = {column.name: k for k, column in enumerate(problem.columns)}
        self.pose = [columns[name] for name in asked.pose]
        self.tape = legs_tape(problem, asked.at, self.pose)
        self.measures = measures([problem.columns[k].unit for k in self.pose], asked.turned)
        self.errors = tuple(level.epsilon for level in asked.levels)
        self.legs: list[Leg] = []
        self.leaves: list[Leaves] = []
        for number, level in enumerate(asked.levels):
            progress(f"{level.part}: narrowing its parameters by the measurements")
            leg = leg_of(problem, number, asked.at, level, asked.pose, options, limit)
            leaves = Leaves(leg.measured, options, limit)
            leaves.grow(LEAVES)
            self.legs.append(leg)
            self.leaves.append(leaves)

    def made(self, values: Mapping[str, Fraction]) -> Tape:
        """The legs' tape with other parameters."""
        return legs_tape(self.problem, [values[v.name] for v in self.problem.variables], self.pose)


class _Search:
    """One workspace."""

    def __init__(self, platform: _Platform, workspace: Workspace, limit: Limit, progress: Progress) -> None:
        self._platform, self._workspace, self._limit, self._progress = platform, workspace, limit, progress
        self._box = workspace.box

    def answers(self) -> list[LegsGuarantee]:
        """One for each part of the pose; without bounds, if the time is over."""
        platform = self._platform
        found = [
            LegsGuarantee(measure.name, measure.told, platform.asked.levels, self._workspace.name)
            for measure in platform.measures
        ]
        try:
            with self._limit.enforced():
                return self._proved(found)
        except Late:
            return found
        except (Undefined, np.linalg.LinAlgError) as undefined:
            raise self._refused(f"{undefined}") from undefined
        except NotStanding as missing:
            raise self._refused(f"not at {missing}") from missing

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"{self._workspace.name}: the platform is not shown to stand near all poses of it, whatever consistent "
            f"parameters its legs have ({why}): it may be singular there, or they are not known well enough; give a "
            f"smaller box, or a smaller --epsilon"
        )

    def _proved(self, found: list[LegsGuarantee]) -> list[LegsGuarantee]:
        platform, name = self._platform, self._workspace.name
        self._progress(f"{name}: how far the platform may stand off (estimates)")
        reach = self._reach()
        faces, _ = self._estimated(Grid(_parted(widened(self._box, reach))))
        self._progress(f"{name}: {len(platform.legs)} legs at {len(faces[0].grid.nodes)} poses, proofs")
        proofs = [leg.prove() for leg in faces]
        readouts = tuple(
            readout(leg.grid, leg.deviation, leaves.boxes, proof.bounds)
            for leg, leaves, proof in zip(faces, platform.leaves, proofs, strict=True)
        )
        legs = Legs(platform.tape, readouts, platform.errors)
        standing = self._stand(legs, reach, platform.asked.cells)
        lines = widened(self._box, reach)
        slopes = np.array(
            [slopes_of(lines, leg.deviation, leaves.boxes) for leg, leaves in zip(faces, platform.leaves, strict=True)]
        )
        alone(platform.tape, slopes, self._box, reach, self._limit)
        self._progress(f"{name}: looking for witnesses")
        witnesses = Witnesses(Known(platform.legs, faces, legs, reach, self._box), platform.options, self._limit)
        documents = tuple(
            document
            for leg, proof in zip(platform.legs, proofs, strict=True)
            for document in (leg.box, *proof.documents)
        )
        return [
            replace(
                answer,
                documents_of_legs=documents,
                bounds=ends,
                reach=tuple(reach),
                cells=standing.cells,
                attained=witnesses.best(measure, platform.made),
                complete=not self._limit.late(),
            )
            for answer, measure, ends in zip(found, platform.measures, standing.deviations, strict=True)
        ]

    def _stand(self, legs: Legs, reach: Sequence[Fraction], most: int) -> Standing:
        return stand(legs, self._box, reach, self._platform.measures, most, self._limit.share(STANDING))

    def _reach(self) -> list[Fraction]:
        """How far from a pose to look, so that the platform is within it with room (estimated)."""
        reach = self._first()
        for _ in range(TRIALS):
            _, legs = self._estimated(Grid(widened(self._box, reach)))
            try:
                sizes = self._stand(legs, reach, 1).sizes
            except NotStanding:
                reach = [ROOM * by for by in reach]
                continue
            return [_short(min(by, ROOM * size)) for by, size in zip(reach, sizes, strict=True)]
        raise NotStanding("the reach that was tried")

    def _estimated(self, grid: Grid) -> tuple[list[LegFaces], Legs]:
        """The linear programs of all legs, and what follows from them."""
        platform = self._platform
        faces, readouts = [], list[Readout]()
        for leg, leaves in zip(platform.legs, platform.leaves, strict=True):
            found = LegFaces(leg, leaves, grid, self._limit)
            ends = found.estimate()
            if ends is None:
                raise Undefined(f"{leg.level.part} has no bound")
            faces.append(found)
            bounds = [(Fraction(low), Fraction(high)) for low, high in ends]
            readouts.append(readout(grid, found.deviation, leaves.boxes, bounds))
        return faces, Legs(platform.tape, tuple(readouts), platform.errors)

    def _first(self) -> list[Fraction]:
        """What the legs' bounds over the workspace make of the middle and the corners of it, in floats, with room."""
        _, legs = self._estimated(Grid(self._box))
        cells = Cells(legs.tape, [Fraction(0)] * len(self._box))
        most, sides = np.zeros(len(self._box)), set[bool]()
        for pose in (*Grid(self._box).nodes, tuple((low + high) / 2 for low, high in self._box)):
            box = legs.box([(value, value) for value in pose], erring=True)
            sizes = np.array([max(abs(low), abs(high)) / ARITHMETIC.one for low, high in box])
            inverse = cells.inverse(pose)
            sides.add(bool(np.linalg.det(inverse) > 0.0))
            if len(sides) > 1:
                raise NotStanding("its corners, between which the model in use is singular")
            most = np.maximum(most, np.abs(inverse) @ sizes)
        return [_short(ROOM * Fraction(value)) for value in most.tolist()]


def _parted(box: Sequence[Bounds]) -> tuple[tuple[Fraction, ...], ...]:
    """Lines between equal parts of each side."""
    parts = max(1, floor(NODES ** (1 / len(box)) + 1e-9) - 1)
    return tuple(tuple(low + (high - low) * k / parts for k in range(parts + 1)) for low, high in box)


def _short(value: Fraction) -> Fraction:
    """A number of few digits that is no less."""
    return Fraction(ceil(value * 2**8), 2**8)
