"""How far off the platform surely stands somewhere: consistent parameters of each leg, and the pose that they make of
one that the robot wants.

    x_k where d_k is largest or smallest at p, as the corner of the box of v says at which C v is longest

Each leg's parameters are a witness of that leg's rows (`upper`); the pose p' that solves f_k(x_k, p') = f_k(x0, p) is
enclosed by Krawczyk's test, and how far it is from p is bounded from below in the checker's arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from certify.accuracy.ascent import Ascent, Attained
from certify.branches.enclosing import ARITHMETIC, Program, Vector
from certify.branches.inverse import Inverse
from certify.checker.interval import Undefined
from certify.contractors.protocol.contractor import Box as Doubles
from certify.contractors.tape.tape import Tape
from certify.parts.part_search import TRUST
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds
from certify.proofs.witnesses import sharing
from certify.records.options import Options
from certify.solvers.fits.extremes import Sides, deepest
from certify.solvers.limits import Late, Limit
from certify.stances.cells import Cells
from certify.stances.faces import LegFaces, deviation_of
from certify.stances.guarantees import Stance
from certify.stances.leg import Leg
from certify.stances.lengths import Measure
from certify.stances.readouts import Grid
from certify.stances.stand import Legs

CORNERS, TRIES = 2, 24  # witnesses that are enough, and how often one is looked for
Pose = tuple[Fraction, ...]
Making = Callable[[Mapping[str, Fraction]], Tape]  # the legs' tape of all parameters


@dataclass(frozen=True)
class Known:
    """What the witnesses start from: the legs, their linear programs, their bounds, and over which poses."""

    legs: Sequence[Leg]
    faces: Sequence[LegFaces]
    bounds: Legs
    reach: Sequence[Fraction]
    box: Sequence[Bounds]


class Witnesses:
    """Looks for them over one workspace."""

    def __init__(self, known: Known, options: Options, limit: Limit) -> None:
        self._known, self._options, self._limit = known, options, limit
        self._cells = Cells(known.bounds.tape, known.reach)
        self._grid = Grid(tuple(known.box))
        self._ascents: dict[int, Ascent] = {}
        self._walked: dict[tuple[int, int, int], Attained | None] = {}

    def best(self, measure: Measure, made: Making) -> Stance | None:
        """The best that is verified in time, None if there is none."""
        found: Stance | None = None
        verified = 0
        for number, signs in self._promising(measure):
            if self._limit.late() or verified == CORNERS:
                break
            try:
                tried = self._tried(number, signs, measure, made)
            except (Late, InputError, Undefined, np.linalg.LinAlgError):
                continue
            verified += tried is not None
            if tried is not None and (found is None or tried.distance > found.distance):
                found = tried
        return found

    def _promising(self, measure: Measure) -> list[tuple[int, tuple[int, ...]]]:
        """Corners of the workspace, and for each leg whether it is to be longer or shorter."""
        every = []
        for number, pose in enumerate(self._grid.nodes):
            try:
                inverse = self._cells.inverse(pose)
            except (np.linalg.LinAlgError, Undefined):
                continue
            box = self._known.bounds.box([(value, value) for value in pose], erring=False)
            for choice in product((0, 1), repeat=len(box)):
                shift = inverse @ np.array(
                    [float(ends[side]) / ARITHMETIC.one for ends, side in zip(box, choice, strict=True)]
                )
                size = float(np.linalg.norm(shift[list(measure.coordinates)]))
                every.append((size, number, tuple(-1 if side else 1 for side in choice)))
        every.sort(reverse=True)
        return [(number, signs) for _, number, signs in every[:TRIES]]

    def _tried(self, number: int, signs: Sequence[int], measure: Measure, made: Making) -> Stance | None:
        """One corner: all legs walk, and the platform stands where they say."""
        pose = self._grid.nodes[number]
        reached = [self._leg(k, number, sign) for k, sign in enumerate(signs)]
        values: dict[str, Fraction] = {}
        documents = []
        for leg, attained in zip(self._known.legs, reached, strict=True):
            if attained is None:
                return None
            y = [attained.x.get(v.name, (v.lower + v.upper) / 2) for v in leg.problem.variables]
            own = leg.parameters(y)
            if own is None:
                return None
            values |= own
            documents.append((attained.canonical, attained.certificate))
        stands = stands_at(self._known.bounds.tape, made(values), pose)
        if stands is None or not _within(stands, pose, self._known.reach):
            return None
        distance = measure.least(stands, [ARITHMETIC.enclose(value) for value in pose])
        return Stance(distance, values, pose, tuple(documents))

    def _leg(self, k: int, number: int, sign: int) -> Attained | None:
        """The furthest that one leg surely is at a corner."""
        if (k, number, sign) not in self._walked:
            sides, grid = list(product((0, -1), repeat=len(self._known.box)))[number], self._known.faces[k].grid
            corner = tuple(line[side] for line, side in zip(grid.lines, sides, strict=True))
            start = self._known.faces[k].furthest(grid.nodes.index(corner), sign)
            parts = [Fraction(-side) for side in sides]
            self._walked[k, number, sign] = self._ascent(k).walk(np.array(start), parts, self._limit, (Fraction(sign),))
        return self._walked[k, number, sign]

    def _ascent(self, k: int) -> Ascent:
        if k not in self._ascents:
            leg = self._known.legs[k]
            measured = leg.measured
            box = Doubles(*measured.box)
            sides = Sides(measured.blocks, sharing(measured, (0,)), tuple(range(len(measured.variables))))
            inner = deepest(sides, box, np.zeros(len(measured.variables)), TRUST, self._limit).x
            self._ascents[k] = Ascent(deviation_of(leg, self._grid), measured, inner, self._options)
        return self._ascents[k]


def stands_at(own: Tape, other: Tape, pose: Pose) -> Vector | None:
    """Ends between which the platform with other legs stands, where the robot wants this pose; None if that is not
    shown.
    """
    lengths = Program(own, {}).at([ARITHMETIC.enclose(value) for value in pose])
    inverse = Inverse(other, [""] * other.inputs, {})
    return inverse.at_place(lengths, np.array([float(value) for value in pose]))


def _within(stands: Vector, pose: Pose, reach: Sequence[Fraction]) -> bool:
    for (low, high), value, by in zip(stands, pose, reach, strict=True):
        least, most = ARITHMETIC.enclose(value - by)[1], ARITHMETIC.enclose(value + by)[0]
        if not least <= low <= high <= most:
            return False
    return True
