"""How far off can the robot's poses be all over a workspace, if it uses the parameters x0 and others may be true?

    S = {x in the box: every measured row is within its epsilon for some measurements in their intervals}
    max over q in Q and x in S of |f(x, q) - f(x0, q)|

Both ends are proved: the upper one by certificates about derived problems (`outputs`), cell by cell of Q and direction
by direction (`reach`), the lower one by a witness (`ascent`). A first bound with Q as one cell is quick, so that there
is an answer whenever the time is over.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from certify.accuracy.aligned import AlignedAscent, AlignedCornerAscent, Point, aligned, coordinates_of, points_of
from certify.accuracy.ascent import Ascent, CornerAscent
from certify.accuracy.assumptions import refuse_multiples
from certify.accuracy.emission import LEVEL, Emission
from certify.accuracy.guarantees import Guarantee, Level, Piece
from certify.accuracy.outputs import Axis, Deviation, Output, fineness, measured_rows
from certify.accuracy.reach import Corner, Reach, Wanted
from certify.accuracy.supports import Supports
from certify.alignment.turns import Turns
from certify.branches.cube import CubeCell, NotEnclosed, Place, Region
from certify.branches.losses import Losses, rows_of
from certify.checker.interval import Undefined
from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.constraints import Constraints
from certify.contractors.tape.evaluation import Floats
from certify.parts.enclosure_emission import HullProof
from certify.parts.part_search import TRUST, PartSearch
from certify.parts.warm_up import begun
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds, Problem
from certify.proofs.problem_replay import Proving, Withdrawn
from certify.proofs.witnesses import sharing
from certify.records.options import Options, Progress, silent
from certify.solvers.fits.extremes import Sides, deepest
from certify.solvers.graph.components import build
from certify.solvers.limits import Late, Limit
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Steps, left_open

CELLS = 64  # of a box of the workspace, at most
PIECE = 256  # faces that one certificate proves
NARROWING, COARSE, ENCLOSING, ASCENT, SEARCHING = 0.3, 0.2, 0.6, 0.15, 0.4  # shares of the time that is left
PROVING = 0.4  # of the time that is left: what fits into it is begun
MORE = 3  # directions beside the axes, as many as a cell needs by and by
FASTEST = 1e-4  # seconds for the proof of a face
STARTS = 4


@dataclass(frozen=True, slots=True)
class Workspace:
    """A box of joint values, or a cube of positions with the joints of a configuration near which they are looked for;
    how it is called, and what it is if that does not say it.
    """

    name: str
    axes: tuple[Axis, ...]
    region: Region | None = None
    described: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters in use, those that are held at them, the model errors that are assumed, one for each deviation
    that is asked about, and where; the `turns` of which the frames of some deviations are made, by their names, and
    whether the deviation is what is left after the best common rigid motion.
    """

    at: tuple[Fraction, ...]
    held: frozenset[int]
    levels: tuple[Level, ...]
    workspaces: tuple[Workspace, ...]
    cells: int = CELLS
    turns: Mapping[str, Turns] = field(default_factory=dict)
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The answers, and the parameters whose bounds the measured rows do not narrow."""

    guarantees: tuple[Guarantee, ...]
    limited: tuple[str, ...]


class Consistent:
    """The measured rows, each in parts of its epsilon, and the box to which they narrow the parameters."""

    def __init__(
        self, problem: Problem, levels: Sequence[Level], start: Floats, options: Options, limit: Limit
    ) -> None:
        epsilon = {name: level.epsilon for level in levels for name in level.families}
        self.problem = measured_rows(problem, epsilon)
        self.start, self.options, self._limit = start, options, limit
        self.scope = tuple(range(len(self.problem.families)))
        self.steps = Steps()
        self._search = PartSearch(Proving(self.problem), self.scope, options, start, limit=limit)
        self.proof = HullProof(self._search, LEVEL)
        self.box = self.proof.box
        self.limited = tuple(variable.name for variable in self.problem.variables)
        self._narrow(limit.share(NARROWING))

    def _narrow(self, limit: Limit) -> None:
        """Cut off of the box what the measured rows refute, as far as the checker's arithmetic confirms it."""
        level = enclose_rational(LEVEL)[1]
        rows = [(number, self.problem.blocks[number]) for number in self.scope]
        component = build(Constraints.of(rows, level), Ranges(limit))
        steps = Steps()
        try:
            with limit.enforced():
                component.narrow(self.box, steps, limit.late)
        except Late:
            return
        if not left_open(steps):
            raise InputError(
                "no parameters in the search box seem to be consistent with all measurements within the epsilon that "
                "is assumed; give a larger one with --epsilon, or a wider box"
            )
        if self.proof.grow(steps):
            self.steps, self.box = steps, self.proof.box
            self.limited = tuple(
                variable.name
                for variable, ends in zip(self.problem.variables, self.proof.exact, strict=True)
                if ends == (variable.lower, variable.upper)
            )

    @cached_property
    def supports(self) -> Supports:
        """The relaxation of the rows over the box that is left."""
        return Supports(self.problem.blocks, self.box, self._limit)

    @cached_property
    def inner(self) -> Floats:
        """A point in the middle of what is consistent (estimated)."""
        sides = Sides(self.problem.blocks, sharing(self.problem, self.scope), tuple(range(len(self.problem.variables))))
        return deepest(sides, self.box, np.clip(self.start, self.box.lower, self.box.upper), TRUST, self._limit).x


def accuracy(
    problem: Problem,
    asked: Asked,
    *,
    options: Options | None = None,
    progress: Progress = silent,
) -> Accuracy:
    """For each level and workspace how far the deviation of its rows may reach; `Consistent` is made once for all."""
    options = options or Options()
    limit = begun(options)
    start = np.array([float(value) for value in asked.at])
    progress("narrowing the parameters by the measurements")
    consistent = Consistent(problem, asked.levels, start, replace(options, limit=limit), limit)
    jobs = [(level, workspace) for workspace in asked.workspaces for level in asked.levels]
    covers = {space.name: _Cover(problem, asked, space.region) for space in asked.workspaces if space.region}
    searches = [
        _CubeSearch(problem, asked, consistent, level, workspace, covers[workspace.name])
        if workspace.region
        else _Search(problem, asked, consistent, level, workspace)
        for level, workspace in jobs
    ]
    for turn, search in enumerate(searches):  # a first bound of each before any is made better
        progress(f"{search.title}: {search.first}")
        search.coarse(limit.share(search.share / (len(searches) - turn)))
    for turn, search in enumerate(searches):
        progress(f"{search.title}: {search.guarantee.so_far}; cell by cell, {limit.remaining:.0f} s left")
        search.fine(limit.share(1.0 / (len(searches) - turn)))
    return Accuracy(tuple(search.guarantee for search in searches), consistent.limited)


class _Search:
    """One deviation over one box of joints."""

    first, share = "a first bound", COARSE

    def __init__(
        self, problem: Problem, asked: Asked, consistent: Consistent, level: Level, workspace: Workspace
    ) -> None:
        families = tuple(problem.families[n] for n in problem.part(level.families))
        turns = asked.turns.get(level.part, ())
        self.deviation = Deviation(problem, families, asked.at, asked.held, workspace.axes, turns=turns)
        self.consistent, self._asked, self.level = consistent, asked, level
        self.title = f"{level.part}, {workspace.name}"
        held = tuple(problem.variables[v].name for v in sorted(asked.held))
        self.guarantee = Guarantee(level.part, level, workspace.name, (), aligned=asked.aligned, held=held)
        if asked.aligned:
            self.guarantee = replace(self.guarantee, coordinates=coordinates_of(self.deviation))
        self._seconds = 0.0  # that the proof of a face takes
        self._begun = False

    def coarse(self, limit: Limit) -> None:
        """The whole workspace as one cell."""
        self._align(points_of(self.deviation))
        reach = Reach(self.deviation, self.consistent.supports, limit)
        reach.coarse()
        self._begun = self._prove(reach, limit)

    def fine(self, limit: Limit) -> None:
        """Cell by cell, as many as can be proved in time, and a witness."""
        reach = Reach(self.deviation, self.consistent.supports, limit.share(SEARCHING))
        most = self._affordable(limit.remaining)
        reach.fine(min(most, self._asked.cells))
        self._attain(reach, limit.share(ASCENT))
        done = self._prove(reach, limit) if len(reach.corners) > 1 else self._begun
        fewer = reach.curtailed and most < self._asked.cells
        self.guarantee = replace(self.guarantee, complete=done and not fewer and not limit.late())

    def _align(self, points: Sequence[Point]) -> None:
        """See that the deviation is that of what is read, and choose a rigid motion, if it is what is left after
        one.
        """
        refuse_multiples(self.deviation)
        if self._asked.aligned:
            self.deviation = aligned(self.deviation, points, self.consistent.problem, self.consistent.start)

    def _affordable(self, seconds: float) -> int:
        """How many cells can be proved in this time."""
        faces = 2 * self.deviation.size + MORE
        share = PROVING * seconds / (faces * max(self._seconds, FASTEST))
        return max(1, int(min(share, float(self._asked.cells))))

    def _prove(self, reach: Reach, limit: Limit) -> bool:
        """Prove the faces, some in each certificate; whether all are proved."""
        if not reach.corners:
            return False
        covering, wanted = len(self.guarantee.coverings), reach.wanted()
        self.guarantee = replace(
            self.guarantee, coverings=(*self.guarantee.coverings, tuple(c.further for c in reach.corners))
        )
        done = True
        for start in range(0, len(wanted), PIECE):
            if limit.late():
                return False
            piece = self._piece(covering, wanted[start : start + PIECE], limit)
            if piece is not None:
                self.guarantee = replace(self.guarantee, pieces=(*self.guarantee.pieces, piece))
            done &= piece is not None and len(piece.faces) == len(wanted[start : start + PIECE])
        return done

    def _piece(self, covering: int, wanted: Sequence[Wanted], limit: Limit) -> Piece | None:
        """One derived problem, and its certificate."""
        outputs, places = list[Output](), dict[int, int]()
        for want in wanted:
            if want.face.output not in places:
                places[want.face.output] = len(outputs)
                outputs.append(want.output)
        measured, fine = self.consistent.problem, fineness(self.level.epsilon)
        proving = Proving(self.deviation.with_outputs(measured, outputs, fine))
        emission = Emission(proving, len(measured.variables), len(measured.families), 1 / fine, limit)
        try:
            emission.narrow(self.consistent.steps)
            emission.prepare()
            before = time.perf_counter()
            proved = emission.cut([replace(want.face, output=places[want.face.output]) for want in wanted])
            self._seconds = (time.perf_counter() - before) / len(wanted)
        except (Withdrawn, Late):
            return None
        faces = []
        for want in wanted:
            bound = proved.reached.get((places[want.face.output], want.face.sign))
            if bound is not None:
                direction = tuple(want.face.sign * part for part in want.output.direction)
                faces.append((covering, want.corner, direction, bound))
        return Piece(proved.canonical, proved.certificate, tuple(faces))

    def _attain(self, reach: Reach, limit: Limit) -> None:
        """A witness, from where the largest polyhedra reach furthest."""
        box, starts = self.consistent.box, []
        for corner in sorted(reach.corners, key=lambda corner: -corner.distance)[:STARTS]:
            best = max(corner.supports.values(), key=lambda support: support.value)
            starts.append(box.centre + box.radius * best.point)
        try:
            inner = self.consistent.inner
        except Late:
            return
        self.guarantee = replace(self.guarantee, attained=self._ascent(inner).best(starts, limit))

    def _ascent(self, inner: Floats) -> Ascent:
        kind = AlignedAscent if self._asked.aligned else Ascent
        return kind(self.deviation, self.consistent.problem, inner, self.consistent.options)


class _Cover:
    """A cube as cells, found once for all deviations over it."""

    def __init__(self, problem: Problem, asked: Asked, region: Region) -> None:
        self._problem, self._asked, self.region = problem, asked, region

    @cached_property
    def found(self) -> tuple[list[CubeCell], dict[Place, tuple[Bounds, ...]]]:
        """The cells, and the joints at their corners. Raises InputError where they are not enclosed."""
        values = {v.name: value for v, value in zip(self._problem.variables, self._asked.at, strict=True)}
        size = len(self.region.families)
        count = max(1, round(self._asked.cells ** (1 / size) - 0.5 + 1e-9))
        try:
            cube = self.region.cube(values)
            cells = cube.cells(count)
            return cells, cube.joined(cells)
        except NotEnclosed as missing:
            raise InputError(
                f"the joints are not shown to lie on one branch in all of the cube: not at {missing}; part of it may "
                f"be out of reach, or near a singularity: give a smaller cube, another configuration, or more --cells"
            ) from missing


class _CubeSearch(_Search):
    """One deviation over a cube of positions: at the corners of its cells, and how little more between them."""

    first, share = "enclosing the joints", ENCLOSING

    def __init__(
        self, problem: Problem, asked: Asked, consistent: Consistent, level: Level, workspace: Workspace, cover: _Cover
    ) -> None:
        super().__init__(problem, asked, consistent, level, workspace)
        self._cover, self._problem = cover, problem
        self._joints: list[tuple[Bounds, ...]] = []
        self._corners: list[Corner] = []

    def coarse(self, limit: Limit) -> None:
        """Cells, and what each loses."""
        try:
            with limit.enforced():
                cells, joints = self._cover.found
                self._tell(cells, joints)
        except Late:
            self._corners = []
        except Undefined as undefined:
            raise InputError(
                f"{self.title}: no slopes of the model are known in all of the cube ({undefined}); give a smaller one"
            ) from undefined

    def _tell(self, cells: Sequence[CubeCell], joints: Mapping[Place, tuple[Bounds, ...]]) -> None:
        """The corners, each with the most that a cell about it loses."""
        columns = self._cover.region.joints
        self._joints = list(joints.values())
        axes = tuple(
            Axis(column, min(q[k][0] for q in self._joints), max(q[k][1] for q in self._joints))
            for k, column in enumerate(columns)
        )
        self.deviation = replace(self.deviation, axes=axes, turned=False)
        self._align(self._joints)
        losses = self._losses()
        further = dict.fromkeys(joints, Fraction(0))
        for cell in cells:
            checkpoint()
            lost = losses.of(cell.branch, len(cell.ends))
            for corner in cell.corners:
                further[corner] = max(further[corner], lost)
        told = self.deviation.told
        self._corners = [Corner(tuple(q[j] for j in told), further[place]) for place, q in joints.items()]

    def _losses(self) -> Losses:
        """What is lost between corners. Of a position in the cube itself a motion R v + t changes nothing: in

            R (f(x, q) - f(x0, q)) + (R f(x0, q) + t - f(x0, q))

        the second part is affine in the position, and the length of the first one that of the plain deviation.
        """
        region, deviation = self._cover.region, self.deviation
        same = {family.name for family in region.families} == {family.name for family in deviation.families}
        if deviation.turns or (deviation.motion is not None and not same):
            tape = deviation.components
        else:
            tape = rows_of(len(self._problem.variables), deviation.families, region.joints)
        return Losses(self._problem, tape, self._asked.at, self._asked.held)

    def fine(self, limit: Limit) -> None:
        """Corner by corner, and a witness."""
        if not self._corners:
            return
        reach = Reach(self.deviation, self.consistent.supports, limit.share(SEARCHING))
        reach.over(self._corners)
        self._attain(reach, limit.share(ASCENT))
        done = self._prove(reach, limit)
        self.guarantee = replace(self.guarantee, complete=done and not limit.late())

    def _ascent(self, inner: Floats) -> Ascent:
        kind = AlignedCornerAscent if self._asked.aligned else CornerAscent
        return kind(self.deviation, self.consistent.problem, inner, self.consistent.options, self._joints)
