"""Where the robot works, from a user's text: boxes of joint values.

    "q1 = 10 +- 10 deg, q2 = -90 .. 0 deg, d3 = 5 mm"       one box
    a table of configurations, and "10 deg, 5 mm"            a box around each of them

All is exact; degrees of a column in radians are rounded outwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.accuracy.cells import PRECISION, outward, radians
from certify.accuracy.outputs import Axis
from certify.accuracy.question import Workspace
from certify.checker.elementary import enclose_pi
from certify.problems.errors import InputError
from certify.problems.formulas.units import UNITS, Dimension, nearest, parse_decimal, shown
from certify.problems.model.model import Bounds, Problem

_ENTRY = re.compile(r"([A-Za-z][A-Za-z0-9_]*) *= *(\S+?)(?: *(\+-|\.\.) *(\S+))? +([A-Za-z0-9]+)")
MOST = 60  # boxes


def boxes_of(texts: Sequence[str], columns: Mapping[str, int], problem: Problem) -> tuple[Workspace, ...]:
    """A box for each text of `--joints`."""
    found = []
    for number, text in enumerate(texts, 1):
        axes: dict[int, Axis] = {}
        for entry in text.split(","):
            axis = _axis(entry.strip(" "), columns, problem)
            if axis.column in axes:
                raise InputError(f"--joints: {problem.columns[axis.column].name} is given twice; give one range")
            axes[axis.column] = axis
        found.append(Workspace(f"box {number}", tuple(axes[column] for column in sorted(axes))))
    return tuple(found)


def _axis(text: str, columns: Mapping[str, int], problem: Problem) -> Axis:
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise InputError(
            f"--joints: {shown(text)} cannot be read; write such as 'q1 = 10 +- 10 deg' or 'q1 = 0 .. 20 deg', "
            f"separated by commas"
        )
    name, first, way, second, unit = match.groups()
    if name not in columns:
        raise InputError(f"--joints: there is no column {name!r} in the table of poses; {nearest(name, columns)}")
    place = f"--joints: {name}"
    one = parse_decimal(first, place)
    other = one if second is None else parse_decimal(second, place)
    if way == "+-" and other < 0:
        raise InputError(f"{place}: {float(other)} {unit} is negative; write how far it may be from the middle")
    low, high = (one - other, one + other) if way == "+-" else (one, other)
    if low > high:
        raise InputError(f"{place}: the range from {float(low)} to {float(high)} is empty; write the lower end first")
    return Axis(columns[name], *in_unit((low, high), unit, problem.columns[columns[name]].unit, place))


def in_unit(ends: Bounds, unit: str, wanted: str, place: str) -> Bounds:
    """A range in the unit of its column, rounded outwards where there is no exact factor."""
    known, target = UNITS.get(unit), UNITS.get(wanted)
    if known is None or target is None or known.dimension is not target.dimension:
        raise InputError(f"{place}: a range in {shown(unit)} does not fit a column in {wanted}; write it in {wanted}")
    low, high = (end * known.factor for end in ends)
    if known.canonical == target.canonical:
        return low / target.factor, high / target.factor
    if known.canonical == "deg":
        low, high = radians(low, high, "deg")
        return outward(low / target.factor, high / target.factor)
    below, above = (180 * Fraction(2**PRECISION, end) for end in reversed(enclose_pi(PRECISION)))
    return outward(min(low * below, low * above), max(high * below, high * above))


def boxes_around(
    labels: Sequence[str],
    table: Mapping[str, Sequence[Fraction]],
    within: str,
    columns: Mapping[str, int],
    problem: Problem,
) -> tuple[Workspace, ...]:
    """A box around each configuration of a table; `within` gives a half-width for angles, lengths or numbers."""
    halves = _halves(within)
    if len(labels) > MOST:
        raise InputError(f"--about has {len(labels)} configurations; give {MOST} or fewer")
    found = []
    for row, label in enumerate(labels):
        axes = []
        for name, values in table.items():
            unit = problem.columns[columns[name]].unit
            half = halves.get(UNITS[unit].dimension)
            if half is None:
                raise InputError(f"--within {within} says nothing of {name} (in {unit}); write such as '10 deg, 5 mm'")
            _, width = in_unit((-half[0], half[0]), half[1], unit, "--within")
            axes.append(Axis(columns[name], values[row] - width, values[row] + width))
        found.append(Workspace(f"about {label}", tuple(sorted(axes, key=lambda axis: axis.column))))
    return tuple(found)


def _halves(text: str) -> dict[Dimension, tuple[Fraction, str]]:
    found: dict[Dimension, tuple[Fraction, str]] = {}
    for part in text.split(","):
        number, _, unit = part.strip(" ").partition(" ")
        if unit not in UNITS:
            raise InputError(f"--within: {shown(part)} has no unit that is known; write such as '10 deg, 5 mm'")
        value = parse_decimal(number, "--within")
        if value < 0:
            raise InputError(f"--within: {shown(part)} is negative; write how far from the configurations")
        if UNITS[unit].dimension in found:
            raise InputError(f"--within {text} gives two half-widths of one sort; give one")
        found[UNITS[unit].dimension] = value, unit
    return found
