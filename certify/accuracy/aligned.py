"""What is left of a deviation after the best common rigid motion: a motion that is chosen, for the upper end, and for
the lower one poses that no motion brings nearer.

    max over x in S of  min over T of  max over q in Q  of |T f(x, q) - f(x0, q)|

is no more than with one motion for each x, whatever it is (`Deviation.motion`); and no less than what is left at some
points of Q for a consistent x (certify.alignment.left_over).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from certify.accuracy.ascent import Ascent, CornerAscent, Shown
from certify.accuracy.differences import IN_RADIANS
from certify.accuracy.outputs import Deviation, Output
from certify.alignment.choosing import chosen_motion
from certify.alignment.left_over import least_left
from certify.alignment.motions import ANGLE, AXES, FRAME, POINT
from certify.branches.enclosing import ARITHMETIC, Program, middles
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats
from certify.problems.errors import InputError
from certify.problems.formulas.units import UNITS, Dimension
from certify.problems.model.model import Bounds, Family, Problem
from certify.solvers.fits.plain_fit import residuals

INSIDE = 64  # points beside the corners of a box
RADIAN = {"rad": Fraction(1), "mrad": Fraction(1000), "deg": Fraction("57.29577951")}  # no more than it is
PLACES = 12  # of a point, in parts of the range: binary digits

Point = Sequence[Bounds]  # of all axes


def kind_of(deviation: Deviation) -> str:
    """What is moved. Raises InputError for what is no place of a rigid body in one frame."""
    names = ", ".join(family.name for family in deviation.families)
    if deviation.turns:
        return FRAME
    length = UNITS[deviation.unit].dimension == Dimension.LENGTH
    if deviation.size == 1 and not length and deviation.unit in IN_RADIANS:
        return ANGLE
    if deviation.size not in AXES or not length:
        raise InputError(
            f"--aligned: what {names} say is no position in the plane or in space, no orientation as certify new arm "
            f"writes it and no single angle: a rigid motion does not say what becomes of it; leave --aligned out"
        )
    known = [_reading(deviation, family) for family in deviation.families]
    if (
        None in known
        or len({column for column, _ in filter(None, known)}) < len(known)
        or len({sign for _, sign in filter(None, known)}) > 1
    ):
        raise InputError(
            f"--aligned: {names} must each be a coordinate less the one that is read, f(parameters, joints) - reading, "
            f"all in one unit; write them so, or leave --aligned out"
        )
    return POINT


def coordinates_of(deviation: Deviation) -> tuple[str, ...]:
    """The columns that are taken for the coordinates of a point, where it is one that is moved."""
    if kind_of(deviation) != POINT:
        return ()
    columns = deviation.problem.columns
    known = [_reading(deviation, family) for family in deviation.families]
    return tuple(columns[column].name for column, _ in filter(None, known))


def _reading(deviation: Deviation, family: Family) -> tuple[int, Fraction] | None:
    """The column of what is read, and 1 or -1, if that is its slope; None if there is another column, or slope."""
    workspace = {axis.column for axis in deviation.axes}
    slopes, places = jacobian(family.tape)
    found = []
    for (_, i), output in zip(places.tolist(), slopes.outputs, strict=True):
        binding = family.bindings[int(i)]
        if binding.measured and binding.index not in workspace:
            constant = slopes.steps[output - slopes.inputs].constant if output >= slopes.inputs else None
            if constant is None or abs(constant) != 1:
                return None
            found.append((binding.index, constant))
    return found[0] if len(found) == 1 else None


def points_of(deviation: Deviation) -> list[Point]:
    """The corners of a box of joints, and some points inside."""
    axes = deviation.axes
    parts = [tuple(map(Fraction, corner)) for corner in product((0, 1), repeat=len(axes))]
    drawn = np.random.default_rng(1).integers(0, 2**PLACES + 1, (INSIDE, len(axes)))
    parts += [tuple(Fraction(int(k), 2**PLACES) for k in row) for row in drawn.tolist()]
    return [
        tuple((axis.low + part * (axis.high - axis.low),) * 2 for axis, part in zip(axes, row, strict=True))
        for row in parts
    ]


def aligned(deviation: Deviation, points: Sequence[Point], measured: Problem, start: Floats) -> Deviation:
    """The deviation with a motion that follows the parameters, from its slopes at these points of the workspace."""
    kind = kind_of(deviation)
    plain = replace(deviation, turned=False)
    size, n = plain.size, len(plain.problem.variables)
    middle = [[(low + high) / 2 for low, high in point] for point in points]
    axes = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
    outputs = [Output(u, tuple((q[j], q[j]) for j in plain.told)) for q in middle for u in axes]
    rows = plain.rows_of(outputs).blocks[0]
    x0 = np.array([float(value) for value in plain.at])
    slopes = residuals(rows, x0, 0.5 * (rows.lower + rows.upper))[1].reshape(-1, size, n)
    places = np.zeros((len(points), 0))
    if kind == POINT:
        places = np.array([middles(place[:size]) for place in told_apart(plain, dict(enumerate(plain.at)), points)])
    per_radian = float(RADIAN.get(plain.unit, Fraction(1)))
    motion = chosen_motion(kind, slopes, places, _shape(measured, start), per_radian, plain.held)
    return replace(deviation, motion=motion)


def told_apart(deviation: Deviation, x: Mapping[int, Fraction], points: Sequence[Point]) -> list[list[tuple[int, int]]]:
    """What tells both poses at each of these points, enclosed."""
    count = len(deviation.problem.variables)
    program = Program(deviation.apart, {k: ARITHMETIC.enclose(x[k]) for k in range(count)})
    return [program.at([ARITHMETIC.span(*ends) for ends in point]) for point in points]


def _shape(measured: Problem, start: Floats) -> Floats:
    """About the shape of the set of consistent parameters: by the slopes of the rows, in parts of their errors."""
    lower, upper = measured.box
    total = np.diag(1.0 / np.maximum(0.5 * (upper - lower), 1e-300) ** 2)
    for rows in measured.blocks:
        slopes = residuals(rows, start, 0.5 * (rows.lower + rows.upper))[1]
        total = total + slopes.T @ slopes / max(len(slopes), 1)
    return np.asarray(np.linalg.pinv(total, hermitian=True))


class AlignedAscent(Ascent):
    """Ascents whose deviation is what no rigid motion of all poses takes away."""

    def _shown(self, values: Mapping[str, Fraction], parts: Sequence[Fraction], verified: Fraction) -> Shown:
        return still_left(self._deviation, values, points_of(self._deviation))


class AlignedCornerAscent(CornerAscent):
    """The same where the workspace is known at some points only."""

    def _shown(self, values: Mapping[str, Fraction], parts: Sequence[Fraction], verified: Fraction) -> Shown:
        return still_left(self._deviation, values, self.points)


def still_left(deviation: Deviation, values: Mapping[str, Fraction], points: Sequence[Point]) -> Shown:
    """What is left at least at these parameters, and the points that show it."""
    variables = deviation.problem.variables
    x = {k: values.get(v.name, (v.lower + v.upper) / 2) for k, v in enumerate(variables)}
    kind = kind_of(deviation)
    distance, numbers = least_left(kind, told_apart(deviation, x, points))
    if kind == FRAME:
        distance *= RADIAN[deviation.unit]
    return distance, tuple(tuple((low + high) / 2 for low, high in points[k]) for k in numbers)
