"""A classical calibration as text: tables in the manner of S2's tables 4 to 7, and the two questions answered."""

from __future__ import annotations

import numpy as np

from certify.claims.proved_words import (
    QUESTIONS,
    WITHOUT_CERTIFICATE,
    any_value,
    band,
    counted_checks,
    gap_text,
    stopped_lines,
    this_value,
)
from certify.parts.scopes import TOGETHER
from certify.problems.geometry.frames import joint_frame
from certify.problems.geometry.rotations import Floats
from certify.runs.classical_run import ClassicalCalibration, ClassicalSolution, relative_cost
from certify.text.decimals import show
from certify.text.plain_table import plain_table

HEADING = ("leg", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "l")


def in_robot_frames(legs: Floats) -> Floats:
    """Parameters (6, 7) in the frames of S2's tables 4 and 5: origins at the centroids, joint 2 along x from joint 1,
    joint 3 as high as they.
    """
    sides = [legs[:, :3], legs[:, 3:6]]
    moved = [joint_frame(side, side.mean(axis=0), "the solution").inverse.placed(side) for side in sides]
    return np.hstack([*moved, legs[:, 6:]])


def parameter_table(legs: Floats) -> str:
    """Parameters in mm, in the robot's own frames."""
    rows = [[str(number), *(f"{value:.4f}" for value in row)] for number, row in enumerate(in_robot_frames(legs), 1)]
    return plain_table([HEADING, *rows])


def validation_table(answer: ClassicalCalibration) -> str:
    """Mean and standard deviation of the errors of the validation poses."""
    columns = [
        ("before calibration", answer.before),
        *((f"with {solution.name}", solution.errors) for solution in answer.solutions),
    ]
    summaries = [(name, errors.summary) for name, errors in columns if errors is not None]
    labels = ("mean position [mm]", "std position [mm]", "mean orientation [deg]", "std orientation [deg]")
    return plain_table(
        [
            ["", *(name for name, _ in summaries)],
            *([label, *(f"{s[k]:.3f}" for _, s in summaries)] for k, label in enumerate(labels)),
        ]
    )


def question_table(answer: ClassicalCalibration) -> str:
    """Both questions, leg by leg."""
    head = [
        "leg",
        *(f"{solution.name} consistent?" for solution in answer.solutions),
        "any value within the box?",
        "smallest model error",
        "gap",
    ]
    rows = [head]
    for part in answer.result.parts:
        fixed = [next((p for p in s.parts if p.name == f"{part.name}.{s.name}"), None) for s in answer.solutions]
        needs = ["" if part.name == TOGETHER else "outside the box" if p is None else this_value(p) for p in fixed]
        rows.append([part.name, *needs, any_value(part), band(part), gap_text(part)])
    return plain_table(rows)


def cost_table(answer: ClassicalCalibration) -> str:
    """How well each solution fits the calibration poses, in the quantities that are minimised."""
    rows = [
        ["leg", *(f"{s.name}: {what}" for s in answer.solutions for what in ("f [mm^2]", "f / half-width", "steps"))]
    ]
    for leg in range(len(answer.solutions[0].fits)):
        cells = [str(leg + 1)]
        for solution in answer.solutions:
            plain, relative = relative_cost(answer.measured, solution, leg)
            cells += [
                f"{plain:.4g}",
                f"{relative:.4g}",
                f"{solution.fits[leg].steps}{'' if solution.fits[leg].stationary else ' (unfinished)'}",
            ]
        rows.append(cells)
    return plain_table(rows)


def classical_text(answer: ClassicalCalibration) -> str:
    """Everything, in the order of S2's sections 3 and 5."""
    told = [answer.experiment.title, answer.experiment.provenance, *answer.experiment.reading.told, ""]
    told += [
        "Classical calibration (estimates; root mean squares over the calibration poses of what is minimised):",
        cost_table(answer),
        "",
    ]
    for solution in answer.solutions:
        told += [f"{solution.name} in mm, {_meaning(solution)}:", parameter_table(solution.legs), ""]
    told.append(
        "Frames of these two tables: origins at the centroids of the joints, a_1y = a_2y and a_1z = "
        "a_2z = a_3z, likewise b."
    )
    told += ["parameters.csv has them as they were fitted, in the frames of the measured poses.", ""]
    if answer.before is not None:
        told += [
            f"Validation on {answer.validation_poses} poses that were not used (estimates):",
            validation_table(answer),
            "",
        ]
    radius = show(answer.experiment.radius)
    told += [QUESTIONS.format(radius), question_table(answer), ""]
    told += [_contradicted(solution, len(answer.experiment.poses)) for solution in answer.solutions]
    told += stopped_lines(answer.result.parts)
    told += _unfinished(answer)
    told.append(
        "The fits minimise f in mm^2; a model error is one of a leg's length in mm. Their sizes are not to be compared."
    )
    told.append(f"{counted_checks(answer.checks)}.")
    return "\n".join(told)


def _contradicted(solution: ClassicalSolution, poses: int) -> str:
    counts = ", ".join(map(str, solution.contradicting))
    legs = f"legs 1 to {len(solution.contradicting)}"
    return (
        f"{solution.name} contradicts {counts} of {poses} poses ({legs}), whatever was true within the "
        f"intervals {WITHOUT_CERTIFICATE}."
    )


def _meaning(solution: ClassicalSolution) -> str:
    weighted = "the sum of f^2 divided by its first-order variance at this solution (as Daney et al. 2006, table 5)"
    return (
        f"which minimises "
        f"{weighted if solution.name.endswith('sigma') else 'the sum of f^2 (as Daney et al. 2006, table 4)'}"
    )


def _unfinished(answer: ClassicalCalibration) -> list[str]:
    told = []
    for solution in answer.solutions:
        legs = [str(number) for number, fit in enumerate(solution.fits, 1) if not fit.stationary]
        if legs:
            told.append(
                f"{solution.name}: the fit of leg {', '.join(legs)} did not settle; are the poses enough, and "
                f"the initial estimate near?"
            )
        if not solution.parts:
            told.append(
                f"{solution.name} lies outside the box around x_c, so nothing is said of it; write a larger "
                f"radius into problem.toml."
            )
    return told
