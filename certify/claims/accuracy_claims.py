"""What is said of a robot's accuracy over a workspace: how far the poses that it computes can be off, and what that
rests on. Of records as they stand after the check; upper ends are rounded up, lower ones down.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from certify.accuracy.guarantees import Guarantee, Level
from certify.claims.proved_words import FEWEST_DIGITS, NOTHING, lower_text, upper_text
from certify.stances.guarantees import LegsGuarantee
from certify.stances.lengths import ANGLES, ORIENTATION
from certify.text.decimals import show
from certify.text.plain_table import plain_table

DEVICE = "in the frame of the measuring device"
HEADINGS = ("error of", "workspace", "assumed error", "deviation at most", "somewhere at least", "with the error")


def accuracy_table(guarantees: Sequence[Guarantee | LegsGuarantee]) -> str:
    """A row for each deviation and box of the workspace."""
    rows = [HEADINGS, *map(_row, guarantees)]
    return plain_table(rows)


def _row(found: Guarantee | LegsGuarantee) -> tuple[str, ...]:
    unit, upper, total = found.unit, found.upper, found.total
    least = f"{lower_text(found.lower, FEWEST_DIGITS)} {unit} (witness)" if found.lower else NOTHING
    return (
        found.name,
        found.workspace,
        _assumed(found),
        NOTHING if upper is None else f"{upper_text(upper, FEWEST_DIGITS)} {unit} (proved)",
        least,
        NOTHING if total is None else f"{upper_text(total, FEWEST_DIGITS)} {unit} (proved)",
    )


def _assumed(found: Guarantee | LegsGuarantee) -> str:
    """The error of the rows, or those of the legs."""
    errors = sorted({level.epsilon for level in found.levels})
    return f"{' .. '.join(show(error) for error in dict.fromkeys((errors[0], errors[-1])))} {found.levels[0].unit}"


def stance_sentences(
    curve: Sequence[Sequence[Level]], used: str, names: Collection[str], incomplete: Sequence[str]
) -> list[str]:
    """What the table of a robot with legs means, and what it rests on."""
    told = [", ".join(f"{show(level.epsilon)} {level.unit} ({level.part})" for level in levels) for levels in curve]
    assumed = told[0] if len(told) == 1 else f"the assumed errors of its rows, which are {'; '.join(told)}"
    found = [
        f"deviation: how far the platform stands from the pose for which the model with the parameters in use ({used}) "
        f"gives the legs their readings, if each leg has any parameters of the search box that are consistent with all "
        f"measurements of this leg within {assumed}, for all poses of the workspace. Near each pose there is exactly "
        f"one where the platform stands, and it is not singular there: a platform that stands elsewhere, beyond a "
        f"singularity, is another one.",
        "with the error: the same where each leg may differ from its model by the assumed error, too. That it differs "
        "by no more anywhere in the workspace is assumed: measurements show it where they were made, and nowhere else.",
    ]
    if ORIENTATION in names:
        found.append("orientation: the angle by which the platform is turned from where it should be.")
    if ANGLES in names:
        found.append("angles: the root of the sum of the squares by which the angles of the pose differ.")
    if incomplete:
        found.append(f"Not proved as closely as was wanted (time): {', '.join(incomplete)}.")
    return found


def accuracy_sentences(
    curve: Sequence[Sequence[Level]],
    used: str,
    held: Sequence[str],
    limited: Sequence[str],
    incomplete: Sequence[str],
    described: Sequence[str] = (),
    aligned: bool = False,
    frames: Sequence[str] = (),
    points: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> list[str]:
    """What the table means, and what it rests on; the levels of each point of the curve are assumed together.
    Workspaces whose names do not say what they are have been described; `frames` are deviations that are turns,
    `points` those that are moved as points, with the columns of their coordinates.
    """
    told = [", ".join(f"{show(level.epsilon)} {level.unit} ({level.part})" for level in levels) for levels in curve]
    assumed = told[0] if len(told) == 1 else f"the assumed errors of its rows, which are {'; '.join(told)}"
    kept = f"with {', '.join(held)} held at the values in use"
    frame = f"{kept}, as after a common rigid motion if these are the base's" if held else DEVICE
    if aligned:
        frame = f"after the best common rigid motion{f', {kept}' if held else ''}"
    told = [
        f"deviation: the Euclidean length of the difference between what the model computes with the parameters in "
        f"use ({used}) and with any parameters of the search box that are consistent with all measurements within "
        f"{assumed}, for all joint values of the workspace, {frame}.",
        "with the error: the same and the assumed error of the model itself, by its length. That with the true "
        "parameters the model errs by no more anywhere in the workspace is assumed: measurements show it where they "
        "were made, and nowhere else.",
    ]
    more = [f"{text}." for text in described]
    if frames:
        more.append(
            f"{', '.join(frames)}: 2 sin(theta/2) of the angle theta by which one frame is turned against the other."
        )
    if aligned:
        more.append(
            "best common rigid motion: before they are compared all poses of the workspace that such parameters give "
            "are moved by one rigid motion, that which makes the largest difference smallest; it may be another one "
            "for other parameters, and for each row of the table."
        )
        more += [
            f"{name}: {', '.join(columns)} are taken for the Cartesian coordinates of a point, which the motion moves; "
            f"whether they are is for the problem file to know."
            for name, columns in points.items()
        ]
    told[1:1] = more
    if limited:
        told.append(
            f"Not narrowed by the measurements before directions were looked at, so that the search box may answer for "
            f"them: {', '.join(limited)}."
        )
    if incomplete:
        told.append(f"Not proved as closely as was wanted (time): {', '.join(incomplete)}.")
    return told
