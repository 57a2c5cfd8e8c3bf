"""Numbers and sentences of answers that are estimated, or proved without a certificate, as frames and views show them.

Parameters without names are theta[0], theta[1], ...; what is estimated has a column that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from certify.claims.linear.estimate_claims import ellipsoid_lines, torque_lines
from certify.claims.linear.periodic_claims import stationary_lines
from certify.designs.question import Designed
from certify.designs.words import design_lines
from certify.ellipsoids.bounding_ellipsoid import BoundingEllipsoid
from certify.ellipsoids.torque_estimates import TorqueEstimates
from certify.periodic.estimated import PeriodicEstimates
from certify.periodic.stationary import StationaryPoint

Estimated = BoundingEllipsoid | TorqueEstimates | Designed | PeriodicEstimates | StationaryPoint
Row = dict[str, Any]
LOW, HIGH = "estimated_lower", "estimated_upper"


def estimated_rows(answer: Estimated) -> Iterator[Row]:
    """A row for each parameter, or for each unknown."""
    if isinstance(answer, BoundingEllipsoid):
        return _ellipsoid(answer)
    if isinstance(answer, TorqueEstimates):
        return _torques(answer)
    if isinstance(answer, Designed):
        return _designed(answer)
    return _periodic(answer) if isinstance(answer, PeriodicEstimates) else _stationary(answer)


def estimated_lines(answer: Estimated) -> list[str]:
    """What is said beside the numbers, the first for a prompt."""
    if isinstance(answer, BoundingEllipsoid):
        return ellipsoid_lines(answer)
    if isinstance(answer, TorqueEstimates):
        return torque_lines(answer)
    if isinstance(answer, StationaryPoint):
        near = "undecided" if answer.share is None else f"a box of {answer.share:g} standard errors, no certificate"
        return [f"{answer.unknowns} unknowns: {near}", *stationary_lines(answer)]
    if isinstance(answer, Designed):
        told = [line for line in design_lines(answer, 1) if line and "\n" not in line]
        return [f"a designed motion, worth {answer.gain:.4g} times its readings (estimated)", *told]
    last, motion = answer.likelihood, answer.likelihood.motion
    return [
        f"{len(last.estimate.values)} parameters from {answer.log.periods} periods of {answer.log.period:.6g} s "
        f"(estimated)",
        f"Maximum likelihood: {last.steps} steps; w = {motion.pulsation:.9g} rad/s (estimated).",
    ]


def drawn_rows(answer: Estimated) -> list[Row]:
    """Two ends for each row that has any, or a number."""
    found = []
    for row in estimated_rows(answer):
        low, high = row.get("lower", row.get(LOW)), row.get("upper", row.get(HIGH))
        value = row.get("value", row.get("estimated"))
        if low is not None or value is not None:
            ends = (value, value) if low is None else (low, high)
            found.append({"parameter": row["parameter"], "lower": ends[0], "upper": ends[1], "value": value})
    return found


def _ellipsoid(answer: BoundingEllipsoid) -> Iterator[Row]:
    halves = np.sqrt(np.diag(np.linalg.inv(answer.information)))
    for k, (middle, half) in enumerate(zip(answer.centre.tolist(), halves.tolist(), strict=True)):
        yield {"parameter": f"theta[{k}]", "value": middle, LOW: middle - half, HIGH: middle + half}


def _torques(answer: TorqueEstimates) -> Iterator[Row]:
    squares, ellipsoid = answer.squares, answer.recursion.ellipsoid
    lower, upper = ellipsoid.box()
    sides = zip(squares.estimate.tolist(), squares.deviations.tolist(), lower.tolist(), upper.tolist(), strict=True)
    for k, (value, deviation, low, high) in enumerate(sides):
        row = {"parameter": f"theta[{k}]", "estimated": value, "estimated_deviation": deviation}
        yield {**row, LOW: low, HIGH: high}


def _designed(answer: Designed) -> Iterator[Row]:
    readings = answer.motion.period * answer.robot.rate
    before, after = (answer.deviations(of, readings).tolist() for of in (answer.compared, answer.information))
    robot = answer.robot
    for name, unit, a, b in zip(robot.parameters, robot.parameter_units, before, after, strict=True):
        yield {"parameter": name, "unit": unit, "estimated_deviation_undesigned": a, "estimated": b}


def _periodic(answer: PeriodicEstimates) -> Iterator[Row]:
    last = answer.likelihood.estimate
    for k, name in enumerate(answer.experiment.model.names):
        own = {f"estimated {one.name}": float(one.values[k]) for one in answer.all}
        value, error = float(last.values[k]), float(last.deviations[k])
        yield {"parameter": name, **own, "estimated_deviation": error, LOW: value - error, HIGH: value + error}


def _stationary(answer: StationaryPoint) -> Iterator[Row]:
    for k, (middle, radius) in enumerate(zip(answer.point, answer.radius, strict=True), 1):
        row: Row = {"parameter": f"unknown {k}", "value": float(middle)}
        if answer.share is not None:
            row["lower"] = float(np.nextafter(middle - radius, -np.inf))
            row["upper"] = float(np.nextafter(middle + radius, np.inf))
        yield row
