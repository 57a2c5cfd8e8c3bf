"""What `certify design` leaves in a folder: a trajectory, a picture and a record; or the choice of segments."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from certify.designs.picture import draw_design
from certify.designs.words import (
    choice_lines,
    choice_record,
    design_lines,
    design_progress,
    design_record,
)
from certify.problems.files.disk import write_bytes, write_text
from certify.problems.motions.candidates import Candidates
from certify.problems.motions.excited import Excited
from certify.problems.motions.trajectory import trajectory, trajectory_text
from certify.runs.folders import RECORD, staged, written_before
from certify.solvers.design.choosing import choose
from certify.solvers.design.criteria import Criterion
from certify.solvers.design.descent import Effort
from certify.solvers.design.designed import Designed, Plan, design
from certify.solvers.limits import Limit, Stopped

TRAJECTORY, PICTURE = "trajectory.csv", "design.png"
SEARCHING = 0.9  # of the time limit; the rest is for fine grids and files

Tell = Callable[[str], None]
Answered = tuple[list[str], dict[str, Any], bool]


def design_run(
    robot: Excited, plan: Plan, periods: int, evaluations: int, limit: Limit, out: Path, tell: Tell
) -> Answered:
    """Design, write in the place of what an earlier run wrote; returns what is to be read, the record, and whether it
    ended before a limit.
    """
    old = written_before(out)
    searching = limit.share(SEARCHING)

    def heard(number: int, spent: int, value: float) -> None:
        tell(design_progress(plan.criterion, number, spent, value, searching.remaining))

    found = design(robot, plan, Effort(evaluations, searching), heard)
    record = {**design_record(found, periods), "files": [TRAJECTORY, PICTURE, RECORD]}
    with staged(out, old) as stage:
        write_text(stage / TRAJECTORY, trajectory_csv(found, periods))
        write_bytes(stage / PICTURE, draw_design(found))
        _record(stage, record)
    return design_lines(found, periods), record, found.why is Stopped.FINISHED


def trajectory_csv(found: Designed, periods: int) -> str:
    """The file of a designed motion."""
    robot = found.robot
    run = trajectory(found.motion, periods, robot.rate, found.motion.period)
    told = (
        f"designed motion of {robot.name}: criterion {found.plan.criterion.value}, seed {found.plan.seed}, period "
        f"{found.motion.period:.9g} s, {periods} periods between one to run in and one to run out"
    )
    return trajectory_text(run, robot.coordinates, robot.units, told)


def choice_run(
    table: Candidates, count: int, criterion: Criterion, repeated: bool, limit: Limit, out: Path, tell: Tell
) -> Answered:
    """The same of a choice of segments."""
    old = written_before(out)

    def heard(evaluations: int, value: float) -> None:
        tell(design_progress(criterion, 0, evaluations, value, limit.remaining))

    choice = choose(table, count, criterion, limit, heard, repeated)
    record = {**choice_record(table, choice, criterion), "files": [RECORD]}
    with staged(out, old) as stage:
        _record(stage, record)
    return choice_lines(table, choice, criterion), record, choice.why is Stopped.FINISHED


def _record(folder: Path, record: dict[str, Any]) -> None:
    write_bytes(folder / RECORD, (json.dumps(record, indent=1) + "\n").encode())
