"""The robot and its poses in space, to be turned; a picture that claims nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from certify.reports.html.markup import tag, visible
from certify.reports.html.page import Section
from certify.reports.judging.run import Run
from certify.reports.judging.scene import STEPS, Scene, scene


def section(run: Run) -> Section | None:
    """Of robots of which something can be drawn."""
    if run.problem is None or run.experiment is None:
        return None
    values: dict[str, Fraction] = {}
    for found in run.standing:
        values |= dict(found.part.witness or {}) | dict(found.fit_values or {})
    drawn = scene(run.experiment, run.problem, values)
    if drawn is None:
        return None
    label = "the robot in space: arrow keys turn it, plus and minus change its size"
    body = [
        tag("p", f"{drawn.told} Drag, or use the arrow keys, to turn it (estimated)."),
        tag("div", id="robot-controls", class_="controls"),
        tag("canvas", id="robot-view", width=1000, height=560, tabindex="0", role="img", aria_label=label),
        tag("output", "", id="robot-told", class_="told", aria_live="polite"),
    ]
    poses = [visible(run.experiment.poses[number], 60) for number in drawn.poses]
    return Section("robot", "The robot and its poses", body, {"robot-data": _data(drawn, poses)})


def _data(drawn: Scene, poses: list[str]) -> dict[str, Any]:
    """Points as whole steps from a middle."""
    points = np.concatenate([drawn.still, drawn.moving.reshape(-1, 3)])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    extent = float(np.ptp(points, axis=0).max()) or 1.0
    step = extent / STEPS

    def steps(found: np.ndarray) -> list[int]:
        return [int(value) for value in np.round((found - middle) / step).ravel()]

    return {
        "poses": poses,
        "extent": extent,
        "steps": STEPS,
        "still": steps(drawn.still),
        "moving": steps(drawn.moving),
        "each": drawn.moving.shape[1],
        "lines": [list(line) for line in drawn.lines],
        "followed": drawn.followed,
    }
