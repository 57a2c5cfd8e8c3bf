"""What `certify accuracy` asks of a robot with legs: its pose, its boxes, and the answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from certify.accuracy.guarantees import Level
from certify.accuracy.question import Workspace as Axes
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.formulas.units import Dimension
from certify.problems.model.model import Problem
from certify.problems.robots.text_model import TextModel
from certify.records.options import Options, Progress
from certify.stances.guarantees import LegsGuarantee
from certify.stances.question import Asked, Workspace, stances

ABOUT_XYZ = ("gough",)  # kinds whose three angles are those of Rx(a) Ry(b) Rz(c)


def asked_of_legs(
    experiment: Experiment,
    problem: Problem,
    at: tuple[Fraction, ...],
    levels: tuple[Level, ...],
    spaces: Sequence[Axes],
    cells: int,
    options: Options,
    progress: Progress,
) -> tuple[LegsGuarantee, ...]:
    """The answers of all workspaces."""
    pose = _pose(experiment, levels)
    boxes = tuple(_box(space, pose, problem) for space in spaces)
    ordered = tuple(level for family in problem.families for level in levels if level.families == (family.name,))
    return stances(
        problem, Asked(at, ordered, pose, turns_about_xyz(experiment), boxes, cells), options=options, progress=progress
    )


def _pose(experiment: Experiment, levels: Sequence[Level]) -> tuple[str, ...]:
    """The columns of the pose. Raises InputError where legs are no legs of one platform."""
    kind = experiment.kind
    pose = tuple(field.name for field in kind.pose)
    if experiment.pose_columns:
        raise InputError(
            "some of this robot's pose is not measured; an accuracy is answered for robots whose whole pose is"
        )
    shared = [level.part for level in levels if len(level.families) != 1]
    if shared:
        raise InputError(
            f"the legs of {', '.join(shared)} share parameters; an accuracy is answered for legs with parameters of "
            f"their own: give the shared ones radius 0"
        )
    if len(pose) != kind.legs:
        raise InputError(
            f"{kind.legs} legs do not determine a pose of {len(pose)} coordinates ({', '.join(pose)}) uniquely; an "
            f"accuracy is answered where there are as many legs as coordinates"
        )
    return pose


def _box(space: Axes, pose: Sequence[str], problem: Problem) -> Workspace:
    """A range for each coordinate of the pose, and for nothing else."""
    ranges = {problem.columns[axis.column].name: (axis.low, axis.high) for axis in space.axes}
    missing, more = [name for name in pose if name not in ranges], [name for name in ranges if name not in pose]
    if missing or more:
        wrong = f"nothing of {', '.join(missing)}" if missing else f"a range of {', '.join(more)}"
        raise InputError(
            f"{space.name}: the workspace of this robot is a box of poses ({', '.join(pose)}), and --joints says "
            f"{wrong}; write such as '{pose[0]} = 0 +- 20 mm, ...' with one range for each"
        )
    return Workspace(space.name, tuple(ranges[name] for name in pose))


def turns_about_xyz(experiment: Experiment) -> bool:
    """Whether the angles of the pose, in their order, turn the platform about x, y and z of frames that follow each
    other.
    """
    kind = experiment.kind
    angles = [field.name for field in kind.pose if field.dimension == Dimension.ANGLE]
    if len(angles) != 3:
        return False
    if kind.name in ABOUT_XYZ:
        return True
    return isinstance(kind.model, TextModel) and is_turned_once(kind.model, angles)


def is_turned_once(model: TextModel, angles: Sequence[str]) -> bool:
    """Whether the rotation stands in one place of everything else, as R*b, and its angles in none."""
    wanted = re.compile(r"\s*rotation_xyz\(\s*{}\s*,\s*{}\s*,\s*{}\s*\)\s*".format(*map(re.escape, angles)))
    names = [name for name, text in model.definitions if wanted.fullmatch(text)]
    if len(names) != 1:
        return False
    others = [text for name, text in model.definitions if name != names[0]] + [text for _, text in model.equations]
    words = [word for text in others for word in re.findall(r"[A-Za-z_]\w*", text)]
    places = [
        text
        for text in others
        if re.search(rf"(?:^|[-+(,])\s*{re.escape(names[0])}\s*\*\s*[A-Za-z_]\w*\s*[-+),]", text)
    ]
    return len(places) == words.count(names[0]) == 1 and not set(angles) & set(words)
