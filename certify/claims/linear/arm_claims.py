"""What is said of a serial arm's parameters: which combinations they are, and where the URDF's own values lie."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from certify.problems.arm_dynamics.arm_regressor import ArmRegressor
from certify.records.verdicts import Verdict
from certify.regressors.identified import HULL, Identified

FACTOR_DIGITS = 10


def arm_lines(answer: Identified, arm: ArmRegressor) -> list[str]:
    """The base parameters, and the URDF's values."""
    grouped, names = arm.grouped, arm.grouped.model.names
    told = ["Parameters that torques depend on; R: with others that no motion tells apart (found in floats):"]
    for name, k, parts in zip(grouped.names, grouped.kept, grouped.parts, strict=True):
        if parts:
            told.append(f"  {name} = {names[k]} {' '.join(_part(factor, names[d]) for d, factor in parts)}")
    if grouped.unseen:
        told.append(f"  no torque depends on {', '.join(grouped.unseen)}")
    told += [f"  {note}" for note in grouped.model.links.notes]
    return [*told, "", *_own(answer, arm)]


def _part(factor: Fraction, name: str) -> str:
    size = "" if abs(factor) == 1 else f"{float(abs(factor)):.{FACTOR_DIGITS}g} "
    return f"{'+' if factor > 0 else '-'} {size}{name}"


def outside(answer: Identified, arm: ArmRegressor) -> list[str]:
    """Parameters whose value by the URDF lies outside of their proved interval."""
    found = []
    for name, (low, high) in zip(answer.problem.names, answer.box, strict=True):
        value = arm.own.get(name)
        if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
            found.append(name)
    return found


def _own(answer: Identified, arm: ArmRegressor) -> list[str]:
    """Whether the URDF's own inertials lie in the intervals: of parameters with a proved one."""
    faces = {face.parameter for face in answer.faces}
    told = [name for j, name in enumerate(answer.problem.names) if j in faces and name in arm.own]
    if not told or answer.verdict is Verdict.INADEQUATE:
        return []
    wrong = [name for name in outside(answer, arm) if name in told]
    if not wrong:
        return [
            f"The URDF's own inertials: their {len(told)} values lie in the intervals, each for itself (whether all at "
            f"once fit is not said)."
        ]
    return [
        f"The URDF's own inertials: of their {len(told)} values {len(wrong)} lie outside of the intervals, where no "
        f"parameters in the search box fit every row (proved, {HULL}.cert): {', '.join(wrong)}."
    ]


def arm_record(answer: Identified, arm: ArmRegressor) -> dict[str, Any]:
    """For scripts: combinations by parameter, what no torque depends on, and the URDF's values."""
    physical = arm.physical
    return {
        "combinations": {
            name: {physical.names[d]: str(factor) for d, factor in row}
            for name, row in zip(arm.grouped.names, physical.rows, strict=True)
        },
        "no_torque_depends_on": list(arm.grouped.unseen),
        "urdf": {name: float(value) for name, value in arm.own.items()},
        "urdf_outside": outside(answer, arm) if answer.faces else [],
    }
