"""What a designed motion, or a choice of segments, is said to gain. All of it is estimated, and says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from certify.problems.motions.candidates import Candidates
from certify.solvers.design.choosing import Choice
from certify.solvers.design.criteria import Criterion, Information
from certify.solvers.design.designed import FIRST, Designed
from certify.solvers.design.keeping import FINE
from certify.solvers.limits import Stopped
from certify.text.plain_table import plain_table

SHOWN = 8  # limits
SCALED = {
    "column": "parameters are scaled so that the columns of the first motions have length 1",
    "nominal": "parameters are scaled by their nominal values",
    "none": "parameters are not scaled: all criteria but D depend on their units",
}


def design_lines(found: Designed, periods: int) -> list[str]:
    """A table of deviations, and sentences."""
    robot, motion = found.robot, found.motion
    readings = _readings(found, periods)
    before, after = (found.deviations(of, readings) for of in (found.compared, found.information))
    rows = [("parameter", "unit", "deviation, undesigned", "designed", "ratio")]
    rows += [
        (name, unit, f"{a:.3g}", f"{b:.3g}", f"{b / a:.3g}")
        for name, unit, a, b in zip(robot.parameters, robot.parameter_units, before, after, strict=True)
    ]
    return [
        *robot.told,
        f"{len(robot.coordinates)} coordinates, {motion.harmonics} harmonics, period {motion.period:.6g} s; {periods} "
        f"periods with {robot.rate:g} readings in a second, and a period each to run in and out",
        "",
        plain_table(rows),
        "deviations: estimated by Cramer and Rao from the noise that was stated, of independent readings, without the "
        "model's error",
        "",
        _criteria(found),
        _gained(found),
        _kept(found),
        _ended(found),
        f"Everything here is estimated; {SCALED[found.plan.scale]}. What a log of this motion proves, 'certify "
        f"identify' says.",
    ]


def _readings(found: Designed, periods: int) -> float:
    return periods * found.motion.period * found.robot.rate


def _criteria(found: Designed) -> str:
    rows = [("criterion (estimated)", "undesigned", "designed")]
    for criterion in Criterion:
        before, after = (_value(criterion, of) for of in (found.compared, found.information))
        rows.append((_name(criterion), f"{before:.4g}", f"{after:.4g}"))
    return plain_table(rows)


def _name(criterion: Criterion) -> str:
    return {
        Criterion.D: "D: -ln det F of a reading",
        Criterion.A: "A: trace of F^-1",
        Criterion.E: "E: 1 / smallest eigenvalue of F",
        Criterion.CONDITION: "condition number of scaled W",
    }[criterion]


def _value(criterion: Criterion, of: Information) -> float:
    value = of.value(criterion)
    return value if criterion is Criterion.D else math.exp(value)


def _gained(found: Designed) -> str:
    """In words, what it is good for."""
    gain = found.gain
    name = f"the median of {FIRST} motions that nobody designed, each as large as the limits allow"
    if gain < 1.0:
        return (
            f"By volume of the ellipsoid of estimates this motion loses: {name}, needs {gain:.3g} times its readings; "
            f"its criterion, {found.plan.criterion.value}, is another one (estimated)."
        )
    return (
        f"Compared with {name}: the ellipsoid of estimates shrinks as if there were {gain:.3g} times as many readings, "
        f"deviations to {gain**-0.5:.1%} in the geometric mean along its axes (estimated)."
    )


def _kept(found: Designed) -> str:
    near = sorted(found.limits, key=lambda one: -one.used)
    told = ", ".join(f"{one.limit.name} to {one.used:.1%}" for one in near[:SHOWN] if one.used > 0.9)
    shrunk = f" For that it was shrunk by {found.shrunk:.0%}." if found.shrunk > 0 else ""
    return (
        f"All {len(near)} limits are kept at {FINE} instants of a period and between them, there by second differences "
        f"(estimated), of coordinates and their derivatives by their degree; used are {told or 'none beyond 90 %'}."
        f"{shrunk}"
    )


def _ended(found: Designed) -> str:
    seed = f"seed {found.plan.seed}, {found.evaluations} evaluations"
    if found.why is Stopped.FINISHED:
        return f"The descent ended by itself or by its evaluations ({seed}): the same command finds the same motion."
    return f"The descent was ended ({found.why.value}) after {seed}; this is the best so far, and it keeps all limits."


def design_record(found: Designed, periods: int) -> dict[str, Any]:
    """One object for scripts, from which the motion can be made again."""
    robot, motion, plan = found.robot, found.motion, found.plan
    readings = _readings(found, periods)
    waves = motion.harmonics
    return {
        "estimated": True,
        "robot": robot.name,
        "told": list(robot.told),
        "criterion": plan.criterion.value,
        "scale": plan.scale,
        "seed": plan.seed,
        "evaluations": found.evaluations,
        "ended": found.why.value,
        "period_s": motion.period,
        "periods": periods,
        "rate_Hz": robot.rate,
        "running_in_s": motion.period,
        "coordinates": {
            name: {"unit": unit, "middle": row[0], "sines": list(row[1 : 1 + waves]), "cosines": list(row[1 + waves :])}
            for name, unit, row in zip(robot.coordinates, robot.units, motion.coefficients.tolist(), strict=True)
        },
        "covariance": plan.covariance.tolist(),
        "criteria": {
            which: {criterion.value: _finite(_value(criterion, of)) for criterion in Criterion}
            for which, of in (("undesigned", found.compared), ("designed", found.information))
        },
        "gain": found.gain,
        "shrunk": found.shrunk,
        "parameters": [
            {"name": name, "unit": unit, "deviation_undesigned": a, "deviation_designed": b}
            for name, unit, a, b in zip(
                robot.parameters,
                robot.parameter_units,
                found.deviations(found.compared, readings).tolist(),
                found.deviations(found.information, readings).tolist(),
                strict=True,
            )
        ],
        "limits": [
            {"name": one.limit.name, "unit": one.limit.unit, "reached": [one.lower, one.upper],
             "limit": [_finite(one.limit.lower), _finite(one.limit.upper)]}
            for one in found.limits
        ],
    }  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def choice_lines(table: Candidates, choice: Choice, criterion: Criterion) -> list[str]:
    """Which segments, and what they tell."""
    size = len(table.parameters)
    ratio = choice.every.value(Criterion.D) - choice.information.value(Criterion.D)
    rows = [("parameter", "unit", "deviation, average segments", "chosen")]
    pairs = zip(_deviations(choice, choice.every), _deviations(choice, choice.information), strict=True)
    rows += [
        (name, unit, f"{a:.3g}", f"{b:.3g}")
        for name, unit, (a, b) in zip(table.parameters, table.units, pairs, strict=True)
    ]
    told = [
        plain_table(rows),
        f"deviations: estimated by Cramer and Rao; average segments: as many, each with the mean information of all "
        f"{len(table.numbers)}",
        "",
        f"Run segments {', '.join(map(str, choice.numbers))} (estimated).",
        f"They are chosen for criterion {criterion.value} ({criterion.told}), and tell as much as "
        f"{math.exp(ratio / size):.3g} times as many average segments (estimated).",
    ]
    if math.isfinite(choice.behind):
        share = math.exp(-max(choice.behind, 0.0) / size)
        told.append(
            f"No choice of as many segments, repeated or not, tells more than {1.0 / share:.4g} times as much "
            f"(estimated, by the equivalence theorem of Kiefer and Wolfowitz)."
        )
    if choice.why is not Stopped.FINISHED:
        told.append(f"The exchanges were ended ({choice.why.value}); this is the best choice so far.")
    return [*told, "Everything here is estimated; scaled so that the columns of all rows together have length 1."]


def _deviations(choice: Choice, of: Information) -> list[float]:
    found: list[float] = (of.deviations(1.0) * choice.scales).tolist()
    return found


def choice_record(table: Candidates, choice: Choice, criterion: Criterion) -> dict[str, Any]:
    """One object for scripts."""
    return {
        "estimated": True,
        "criterion": criterion.value,
        "segments": list(choice.numbers),
        "evaluations": choice.evaluations,
        "ended": choice.why.value,
        "most_others_gain_in_ln_det": _finite(choice.behind),
        "parameters": [
            {"name": name, "unit": unit, "deviation_average": a, "deviation_chosen": b}
            for name, unit, a, b in zip(
                table.parameters, table.units, _deviations(choice, choice.every),
                _deviations(choice, choice.information), strict=True,
            )
        ],
    }  # fmt: skip


def design_progress(criterion: Criterion, number: int, evaluations: int, value: float, left: float) -> str:
    """The criterion so far and the time left."""
    so_far = f"{value:.4f}" if np.isfinite(value) else "none yet"
    return f"start {number + 1}: {evaluations} evaluations, {criterion.value} {so_far} (estimated), {left:.0f} s left"
