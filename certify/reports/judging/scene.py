"""The robot with its poses as points and lines in space: a picture, estimated in floats, of which nothing is claimed.

Of a Gough platform the joint centres, from the fit or the witness (else the blueprint), with the platform in each
measured pose. Of an arm the axes of its joints as the rows themselves show them (`joint_axes`), joined by the shortest
lines between each and the next, which is the skeleton that Denavit and Hartenberg describe. Of anything else whose
table has a measured place the places alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.geometry.rotations import rotations
from certify.problems.model.model import Problem
from certify.problems.robots.joint_axes import Axis, arm_of, position_families

GOUGH = "gough"
PLACE = ("x", "y", "z")
MOST_NUMBERS = 300_000  # of moving points, in all poses that are drawn
STEPS = 20_000  # of the largest extent: where points are rounded to
PARALLEL = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """Points that stand still (n, 3), points in each pose (poses, m, 3), lines between points (numbers, the still ones
    first), the point whose places in all poses are drawn, and which poses these are.
    """

    told: str
    still: Floats
    moving: Floats
    lines: tuple[tuple[int, int], ...]
    followed: int
    poses: tuple[int, ...]


def scene(experiment: Experiment, problem: Problem, values: Mapping[str, Fraction]) -> Scene | None:
    """What can be drawn; None if nothing of the table is a place."""
    found = _gough(experiment, values) or _arm(experiment, problem) or _places(experiment)
    if found is None or not (np.isfinite(found.moving).all() and np.isfinite(found.still).all()):
        return None
    return _thinned(found)


def _thinned(found: Scene) -> Scene:
    """No more poses than a page should carry, evenly spread."""
    count, each = found.moving.shape[0], found.moving[0].size
    most = max(MOST_NUMBERS // each, 1)
    chosen = np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))
    return Scene(found.told, found.still, found.moving[chosen], found.lines, found.followed, tuple(chosen.tolist()))


def _gough(experiment: Experiment, values: Mapping[str, Fraction]) -> Scene | None:
    kind = experiment.kind
    if kind.name != GOUGH:
        return None
    known = {p.name: float(values.get(p.name, p.nominal)) for p in experiment.blueprint}
    base, platform = (
        np.array([[known[f"{leg}.{field}_{axis}"] for axis in PLACE] for leg in kind.leg_names]) for field in "ab"
    )
    measured = experiment.nominal_measurements()
    turns = rotations(np.stack([_degrees(experiment, measured, name) for name in ("alpha", "beta", "gamma")], axis=-1))
    centres = np.stack([measured[name] for name in PLACE], axis=-1)
    joints = np.einsum("kij,lj->kli", turns, platform) + centres[:, None, :]
    moving, legs = np.concatenate([joints, centres[:, None, :]], axis=1), kind.legs
    rings = [(first + k, first + (k + 1) % legs) for first in (0, legs) for k in range(legs)]
    lines = (*rings, *((k, legs + k) for k in range(legs)))
    told = "Joint centres on base and platform at the fit (else the witness, or the blueprint), and the measured pose."
    return Scene(told, base, moving, lines, 2 * legs, tuple(range(len(centres))))


def _degrees(experiment: Experiment, measured: Mapping[str, Floats], name: str) -> Floats:
    unit = next(column.unit for column in experiment.columns if column.name == name)
    factor = {"deg": 1.0, "rad": 180.0 / np.pi, "mrad": 0.18 / np.pi}[unit]
    found: Floats = factor * measured[name]
    return found


def _arm(experiment: Experiment, problem: Problem) -> Scene | None:
    """The skeleton of an arm, in the frame of its rows."""
    if experiment.kind.legs or experiment.pose_columns:
        return None
    try:
        arm = arm_of(problem)
    except InputError:
        return None
    tip = _tip(problem)
    if arm is None or tip is None:
        return None
    axes = [axis for axis in arm.axes if (np.linalg.norm(axis.direction, axis=1) > 0.5).all()]
    nodes = [*_skeleton(axes, tip), tip]
    lines = tuple((k, k + 1) for k in range(len(nodes) - 1))
    told = (
        "The axes of the joints that turn and the shortest lines from each to the next, in the frame of the "
        "measurements, in the middle of the search box, and the measured point."
    )
    return Scene(told, np.zeros((0, 3)), np.stack(nodes, axis=1), lines, len(nodes) - 1, tuple(range(len(tip))))


def _tip(problem: Problem) -> Floats | None:
    """The measured point in each pose: of each of the first rows the column that counts once, and against it."""
    found = []
    for n in position_families(problem):
        rows, family = problem.blocks[n], problem.families[n]
        low, high = rows.with_box(*problem.box, rows.lower, rows.upper)
        middle = 0.5 * (low + high)
        slopes = evaluate(gradient(rows.tape), middle, middle).estimated_middle[1:]
        places = [i for i, b in enumerate(family.bindings) if b.measured and (np.abs(slopes[i]) == 1.0).all()]
        if len(places) != 1:
            return None
        found.append(middle[places[0]])
    return np.array([*found, *[np.zeros_like(found[0])] * (3 - len(found))]).T if found else None


def _skeleton(axes: Sequence[Axis], tip: Floats) -> list[Floats]:
    """Two points of each axis: where the line from the one before ends, and where that to the next begins."""
    found: list[Floats] = []
    for axis, other in zip(axes, [*axes[1:], None], strict=True):
        here, along = tip + axis.foot, axis.direction
        if other is None:
            found += [here]
            continue
        there, next_along = tip + other.foot, other.direction
        found += list(_nearest(here, along, there, next_along))
    return found


def _nearest(p: Floats, d: Floats, q: Floats, e: Floats) -> tuple[Floats, Floats]:
    """The points next to each other on the lines p + s d and q + t e; of lines that are parallel p and what is next
    to it.
    """
    between = q - p
    cosine = (d * e).sum(axis=1)
    sine = 1.0 - cosine**2
    along, other = (d * between).sum(axis=1), (e * between).sum(axis=1)
    steady = np.where(sine > PARALLEL, sine, 1.0)
    s = np.where(sine > PARALLEL, (along - cosine * other) / steady, 0.0)
    first = p + s[:, None] * d
    t = (e * (first - q)).sum(axis=1)
    return first, q + t[:, None] * e


def _places(experiment: Experiment) -> Scene | None:
    """The measured places alone."""
    measured = experiment.nominal_measurements()
    if not all(name in measured for name in PLACE[:2]) or experiment.pose_columns:
        return None
    rows = len(experiment.poses)
    found = np.stack([measured.get(name, np.zeros(rows)) for name in PLACE], axis=-1)
    told = "The measured places; how the robot looks does not follow from its equations."
    return Scene(told, np.zeros((0, 3)), found[:, None, :], (), 0, tuple(range(rows)))
