"""Where the robot works, from a user's text: boxes of joint values, and cubes of positions.

    "q1 = 10 +- 10 deg, q2 = -90 .. 0 deg, d3 = 5 mm"       one box
    a table of configurations, and "10 deg, 5 mm"            a box around each of them
    "500 mm" and "q1 = 10 deg, q2 = -90 deg"                 a cube of positions about that of a configuration

All is exact; degrees of a column in radians are rounded outwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.accuracy.assumptions import parts_of
from certify.accuracy.cells import PRECISION, outward, radians
from certify.accuracy.outputs import Axis
from certify.accuracy.question import Workspace
from certify.branches.cube import Region
from certify.checker.elementary import enclose_pi
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.freed import freed
from certify.problems.formulas.units import UNITS, Dimension, nearest, parse_decimal, shown, unit_named
from certify.problems.model.model import Bounds, Problem

_ENTRY = re.compile(r"([A-Za-z][A-Za-z0-9_]*) *= *(\S+?)(?: *(\+-|\.\.) *(\S+))? +([A-Za-z0-9][A-Za-z0-9.*/^ -]*)")
MOST = 60  # boxes
POINT = Fraction(1, 2**40)  # a range no wider is one value


def boxes_of(texts: Sequence[str], columns: Mapping[str, int], problem: Problem) -> tuple[Workspace, ...]:
    """A box for each text of `--joints`."""
    return tuple(
        Workspace(f"box {number}", _axes(text, columns, problem, "--joints")) for number, text in enumerate(texts, 1)
    )


def _axes(text: str, columns: Mapping[str, int], problem: Problem, option: str) -> tuple[Axis, ...]:
    """The entries of a text, by the numbers of their columns."""
    axes: dict[int, Axis] = {}
    for entry in text.split(","):
        axis = _axis(entry.strip(), columns, problem, option)
        if axis.column in axes:
            raise InputError(f"{option}: {problem.columns[axis.column].name} is given twice; give one range")
        axes[axis.column] = axis
    return tuple(axes[column] for column in sorted(axes))


def _axis(text: str, columns: Mapping[str, int], problem: Problem, option: str) -> Axis:
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise InputError(
            f"{option}: {shown(text)} cannot be read; write such as 'q1 = 10 +- 10 deg' or 'q1 = 0 .. 20 deg', "
            f"separated by commas"
        )
    name, first, way, second, unit = match.groups()
    if name not in columns:
        raise InputError(f"{option}: there is no column {name!r} in the table of poses; {nearest(name, columns)}")
    place = f"{option}: {name}"
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
    known, target = unit_named(unit), unit_named(wanted)
    if known is None or target is None or known.dimension != target.dimension:
        raise InputError(f"{place}: a range in {shown(unit)} does not fit a column in {wanted}; write it in {wanted}")
    low, high = (end * known.factor for end in ends)
    if known.canonical == target.canonical:
        return low / target.factor, high / target.factor
    if known.canonical == "deg":
        low, high = radians(low, high, "deg")
        return outward(low / target.factor, high / target.factor)
    below, above = (180 * Fraction(2**PRECISION, end) for end in reversed(enclose_pi(PRECISION)))
    return outward(min(low * below, low * above), max(high * below, high * above))


def cube_of(
    edge: str, text: str, tool: str, columns: Mapping[str, int], experiment: Experiment, problem: Problem
) -> Workspace:
    """Positions within half an edge of that of a configuration, along the axes of the frame in which they are measured,
    with the orientation that the tool has there if as many joints can hold it.
    """
    axes = _axes(text, columns, problem, "--at")
    for axis in axes:
        if axis.high - axis.low > POINT:
            raise InputError(
                f"--at: {problem.columns[axis.column].name} is a range; give one value, the cube is about its position"
            )
    position = _position(problem)
    size, joints = len(position), tuple(axis.column for axis in axes)
    used = {binding.index for number in position for binding in problem.families[number].bindings if binding.measured}
    for column in joints:
        if column not in used:
            raise InputError(f"--at: {problem.columns[column].name} has nothing to do with the position; leave it out")
    turned = size + size * (size - 1) // 2
    if len(joints) not in (size, turned):
        raise InputError(
            f"--at names {len(joints)} joints, a position has {size} components: a cube is answered for {size} joints, "
            f"or for {turned}, which hold the orientation of the tool as well; use --joints"
        )
    moved, names = (experiment, ()) if len(joints) == size else _with_tool(experiment, tool, size)
    variables, called = (
        tuple(variable.name for variable in moved.variables),
        {problem.families[n].name for n in position},
    )
    return Workspace(
        f"cube of {edge.strip(' ')}",
        axes,
        Region(
            tuple(family for family in moved.families if family.name in called),
            variables,
            {parameter.name: parameter.nominal for parameter in experiment.blueprint},
            joints,
            tuple(problem.columns[column].unit for column in joints),
            tuple(variables.index(name) for name in names),
            tuple((axis.low, axis.high) for axis in axes),
            _edge(edge, problem.families[position[0]].unit),
        ),
        f"the positions no further along any axis than half the edge from that of the configuration {text.strip(' ')}"
        f"{', with the tool turned as it is there' if names else ''}, as the parameters in use have it, each reached "
        f"with the joints that follow from that configuration without a jump",
    )


def _position(problem: Problem) -> tuple[int, ...]:
    """The families of the first part that is told in a length."""
    for scope in parts_of(problem).values():
        if UNITS[problem.families[scope[0]].unit].dimension == Dimension.LENGTH:
            return scope
    raise InputError("--cube is about positions, but no equation of this model is told in a length; use --joints")


def _with_tool(experiment: Experiment, tool: str, size: int) -> tuple[Experiment, tuple[str, ...]]:
    """The experiment with the tool's point unknown, and its names: an orientation is how the position depends on it."""
    known = [parameter.name for parameter in experiment.blueprint]
    names = tuple(name for name in known if name.startswith((f"{tool}_", f"{tool}.")))
    if len(names) != size:
        raise InputError(
            f"--tool {tool}: the orientation is told by the {size} parameters of the point in the tool's frame, but "
            f"{len(names)} parameters are called so; {nearest(tool, known)}"
        )
    fixed = {parameter.name for parameter in experiment.blueprint if parameter.fixed}
    return freed(experiment, dict.fromkeys(fixed.intersection(names), Fraction(1))), names


def _edge(text: str, unit: str) -> Fraction:
    """A length in the unit of the position."""
    number, _, given = text.strip(" ").partition(" ")
    if given not in UNITS or UNITS[given].dimension != Dimension.LENGTH:
        raise InputError(f"--cube: {shown(text)} is no length; write the edge such as '500 mm'")
    value = parse_decimal(number, "--cube") * UNITS[given].factor / UNITS[unit].factor
    if value <= 0:
        raise InputError(f"--cube: the edge {shown(text)} is not positive; write such as '500 mm'")
    return value


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
            known = unit_named(unit)
            half = None if known is None else halves.get(known.dimension)
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
        known = unit_named(unit)
        if known is None:
            raise InputError(f"--within: {shown(part)} has no unit that is known; write such as '10 deg, 5 mm'")
        value = parse_decimal(number, "--within")
        if value < 0:
            raise InputError(f"--within: {shown(part)} is negative; write how far from the configurations")
        if known.dimension in found:
            raise InputError(f"--within {text} gives two half-widths of one sort; give one")
        found[known.dimension] = value, unit
    return found
