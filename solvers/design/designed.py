"""A designed motion: what was asked, what was found, and what it would gain over motions that nobody designed.

    F          information of one reading, mean over a period          n readings: n F
    scales     parameters are measured in units in which the columns of the first motions have length 1 ("column"), in
               their nominal values ("nominal"), or as they are ("none"): D does not depend on it, all others do
    gain       (det F_designed / det F_median)^(1/p): as many times the readings of the median first motion would be
               needed for as small an ellipsoid

All of it is estimated, to first order, with noise as stated, and about the model: what the model lacks is not in F.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from certify.problems.errors import InputError
from certify.problems.motions.excited import Excited
from certify.problems.motions.noise import whitening
from certify.problems.motions.trajectory import trajectory
from certify.problems.periodic.fourier import FourierMotion
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.criteria import Criterion, Information, information
from certify.solvers.design.descent import Effort, descend
from certify.solvers.design.first_motions import first_motion, standing_place
from certify.solvers.design.keeping import FINE, Kept, kept, kept_along, worst
from certify.solvers.design.slopes import Instants, Weighing
from certify.solvers.limits import Stopped

SCALES = ("column", "nominal", "none")
FIRST = 20  # motions that nobody designed
A_HARMONIC = 32  # instants of a period, for each harmonic
UNSEEN = 1e-10  # of the largest singular value of all first motions together, columns of length 1
SHRINKING = 40  # steps of a hundredth, at most


@dataclass(frozen=True, eq=False)
class Plan:
    """What is asked: the criterion, harmonics, the period's ends in s, the scales, the covariance of a reading, a seed,
    and from how many of the first motions descents begin.
    """

    criterion: Criterion
    harmonics: int
    periods: tuple[float, float]
    scale: str
    covariance: Floats
    seed: int
    starts: int


@dataclass(frozen=True, eq=False)
class Designed:
    """The motion and the best, the median and the worst of the first ones, each with its information; limits along the
    designed one, and how the descent ended.
    """

    robot: Excited
    plan: Plan
    scales: Floats
    motion: FourierMotion
    median: FourierMotion
    limits: tuple[Kept, ...]
    evaluations: int
    why: Stopped
    shrunk: float

    @cached_property
    def _instants(self) -> Instants:
        return _instants(self.robot, self.plan, self.scales)

    @cached_property
    def information(self) -> Information:
        """Of a reading of the designed motion."""
        return _seen(self._instants, self.motion)

    @cached_property
    def compared(self) -> Information:
        """Of a reading of the median first motion."""
        return _seen(self._instants, self.median)

    def deviations(self, of: Information, readings: float) -> Floats:
        """Standard deviations of the parameters, in their units."""
        return of.deviations(readings) * self.scales

    @property
    def gain(self) -> float:
        """How many times the readings the median first motion would need."""
        mine, other = (found.value(Criterion.D) for found in (self.information, self.compared))
        return float(np.exp((other - mine) / len(self.robot.parameters)))


def design(robot: Excited, plan: Plan, effort: Effort, tell: Callable[[int, int, float], None]) -> Designed:
    """The best motion that is found; raises InputError where limits leave none, or where no motion tells the parameters
    apart.
    """
    _check(robot, plan)
    random = np.random.default_rng([plan.seed, len(robot.coordinates)])
    place = standing_place(robot, random)
    period = float(np.sqrt(plan.periods[0] * plan.periods[1]))
    firsts = [first_motion(robot, place, plan.harmonics, period, random) for _ in range(FIRST)]
    scales = _scales(robot, plan, firsts)
    instants = _instants(robot, plan, scales)
    values = np.array([_seen(instants, motion).value(plan.criterion) for motion in firsts])
    order = np.argsort(values, kind="stable")
    starts = [firsts[k] for k in order[: plan.starts]]
    found = descend(instants, plan.criterion, starts, plan.periods, effort, tell)
    motion, shrunk = _within(robot, found.motion)
    limits = tuple(kept(robot, motion))
    median = firsts[int(order[len(order) // 2])]
    return Designed(robot, plan, scales, motion, median, limits, found.evaluations, found.why, shrunk)


def _check(robot: Excited, plan: Plan) -> None:
    if not 1 <= plan.harmonics <= 30:
        raise InputError(f"--harmonics {plan.harmonics}: choose 1 to 30; 5 is usual")
    if plan.starts < 1:
        raise InputError(f"--starts {plan.starts}: choose 1 to {FIRST}; 4 is usual")
    low, high = plan.periods
    if not 0.0 < low <= high:
        raise InputError(f"--period {low:g} .. {high:g} s is no range of positive times; write '4 s' or '3 .. 8 s'")
    still = np.zeros((1, len(robot.coordinates)))
    shape, wanted = robot.rows(robot.middle[None], still, still)[0].shape, (len(robot.outputs), len(robot.parameters))
    if shape[1:] != wanted:
        raise InputError(
            f"{robot.name}: W at one instant has the shape {shape[1:]}, and there are {wanted[0]} outputs and "
            f"{wanted[1]} parameters; let rows return an array (samples, outputs, parameters)"
        )
    if plan.scale == "nominal" and not (np.abs(robot.nominal) > 0.0).all():
        k = int(np.argmin(np.abs(robot.nominal)))
        raise InputError(f"--scale nominal: the nominal value of {robot.parameters[k]} is 0; choose --scale column")


def _instants(robot: Excited, plan: Plan, scales: Floats) -> Instants:
    weighing = Weighing(whitening(plan.covariance), scales)
    return Instants(robot, weighing, plan.harmonics, A_HARMONIC * plan.harmonics)


def _seen(instants: Instants, motion: FourierMotion) -> Information:
    seen = instants.seen(motion.coefficients, motion.period)
    if seen is None:
        raise InputError(f"{instants.robot.name}: rows of a motion within all limits are not finite; narrow --limit")
    return seen.information


def _scales(robot: Excited, plan: Plan, firsts: list[FourierMotion]) -> Floats:
    """Those of the plan; raises InputError where all first motions together do not tell the parameters apart."""
    plain = _instants(robot, plan, np.ones(len(robot.parameters)))
    rows = [plain.weighing.rows(robot.rows(*plain.moved(m.coefficients, m.period))[0]) for m in firsts]
    every = np.concatenate(rows)
    if not np.isfinite(every).all():
        raise InputError(f"{robot.name}: rows of a motion within all limits are not finite; narrow --limit")
    lengths = np.sqrt((every**2).sum(axis=(0, 1)) / len(every))
    if not (lengths > 0.0).all():
        unseen = [name for name, length in zip(robot.parameters, lengths, strict=True) if not length > 0.0]
        raise InputError(
            f"{robot.name}: no motion tells {', '.join(unseen)}: the column of W is 0; leave it out of the model"
        )
    told = information(every / lengths)
    if told.values[-1] <= UNSEEN**2 * told.values[0]:
        last = told.directions[:, -1]
        parts = [f"{v:+.2g} {name}" for name, v in zip(robot.parameters, last / lengths, strict=True) if abs(v) > 1e-6]
        raise InputError(
            f"{robot.name}: no motion within the limits tells {len(robot.parameters)} parameters apart: "
            f"{' '.join(parts)} changes no row (estimated); leave one of these out, or group them"
        )
    scales: dict[str, Floats] = {
        "column": 1.0 / lengths,
        "nominal": np.abs(robot.nominal),
        "none": np.ones_like(lengths),
    }
    return scales[plan.scale]


def _within(robot: Excited, motion: FourierMotion) -> tuple[FourierMotion, float]:
    """The same motion, shrunk to its middle by so many hundredths that all limits are kept between instants, too, and
    while it runs in and out in a period.
    """
    for step in range(SHRINKING):
        share = 1.0 - step / 100.0
        coefficients = np.concatenate([motion.coefficients[:, :1], share * motion.coefficients[:, 1:]], axis=1)
        found = replace(motion, coefficients=coefficients)
        whole = trajectory(found, 1, FINE / 2 / found.period, found.period)
        if all(one.is_kept for one in (*kept(robot, found), *kept_along(robot, whole.moved))):
            return found, 1.0 - share
    one = worst(kept(robot, motion))
    raise InputError(
        f"{robot.name}: the best motion breaks {one.limit.told} between samples, and so do smaller ones; give it more "
        f"--harmonics, or widen the limit"
    )
