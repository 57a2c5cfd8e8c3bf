"""Motions to begin with: random ones, as large as limits allow, around a place where the robot may stand.

    c = (x_0, r A_jk / k),  A_jk normal,  r the largest at which limits are kept, by bisection

Their median is what a designed motion is compared with. Nothing is proved.
"""

from __future__ import annotations

import numpy as np

from certify.problems.errors import InputError
from certify.problems.motions.excited import Excited, Limited
from certify.problems.periodic.fourier import FourierMotion, even_phases
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.keeping import Kept, kept_along, worst

TRIED = 400  # random places, where the robot cannot stand in the middle
HALVINGS = 14
INSTANTS = 20  # of a period, times harmonics
ROOM = 0.02  # of each limit's size, left free by the first motions


def standing_place(robot: Excited, random: np.random.Generator) -> Floats:
    """Where the robot stands within all limits: its middle, or a random place; raises InputError where none is found,
    with the limits that contradict each other there.
    """
    low, high = robot.ranges.T
    places = np.concatenate([robot.middle[None], random.uniform(low, high, (TRIED, len(low)))])
    still = np.zeros_like(places)
    _, quantities = robot.rows(places, still, still)
    excess = np.max([_excess(quantities[:, k], one) for k, one in enumerate(robot.limits)], axis=0)
    if excess[0] < 0.0:
        return robot.middle
    best = int(np.argmin(excess))
    if excess[best] < 0.0:
        return np.asarray(places[best])
    if not np.isfinite(excess).any():
        raise InputError(
            f"{robot.name}: of {TRIED + 1} places within the limits {_ranges(robot)} none is reached (or rows are not "
            f"finite there); state ranges that the robot reaches, with --limit"
        )
    there = ", ".join(f"{name} = {value:.4g}" for name, value in zip(robot.coordinates, places[best], strict=True))
    wrong = worst(kept_along(robot, np.stack([np.repeat(part[None, best], 3, 0) for part in (places, still, still)])))
    raise InputError(
        f"{robot.name}: the limits contradict each other: of {TRIED + 1} places within {_ranges(robot)} the best one "
        f"is {there}, and standing there asks for {wrong.limit.name} = {_asked(wrong):.4g} {wrong.limit.unit}, but "
        f"limit {wrong.limit.told}; widen one of them with --limit, or move the ranges away from there"
    )


def first_motion(
    robot: Excited, place: Floats, harmonics: int, period: float, random: np.random.Generator
) -> FourierMotion:
    """A random motion around a place where the robot stands, as large as the limits allow."""
    half = (robot.ranges[:, 1] - robot.ranges[:, 0]) / 2.0
    waves = random.standard_normal((len(place), 2 * harmonics)) / np.tile(np.arange(1, harmonics + 1), 2)
    waves *= (half / np.abs(waves).sum(axis=1))[:, None]
    phases = even_phases(INSTANTS * harmonics)
    low, high = 0.0, 1.0

    def motion(reach: float) -> FourierMotion:
        return FourierMotion(np.concatenate([place[:, None], reach * waves], axis=1), period)

    if not _is_kept(robot, motion(high), phases):
        for _ in range(HALVINGS):
            middle = (low + high) / 2.0
            low, high = (middle, high) if _is_kept(robot, motion(middle), phases) else (low, middle)
        high = low
    if high == 0.0:
        there = ", ".join(f"{name} = {value:.4g}" for name, value in zip(robot.coordinates, place, strict=True))
        raise InputError(
            f"{robot.name}: at {there} it stands within all limits, and hardly a motion around it keeps them; widen "
            f"the limits, or choose a longer --period"
        )
    return motion(high)


def _is_kept(robot: Excited, motion: FourierMotion, phases: Floats) -> bool:
    _, quantities = robot.rows(*motion.at(phases))
    return all(bool((_excess(quantities[:, k], one) < -ROOM).all()) for k, one in enumerate(robot.limits))


def _excess(values: Floats, limit: Limited) -> Floats:
    found = np.maximum(values - limit.upper, limit.lower - values) / limit.size
    return np.where(np.isnan(values), np.inf, found)


def _asked(wrong: Kept) -> float:
    return wrong.upper if wrong.upper > wrong.limit.upper else wrong.lower


def _ranges(robot: Excited) -> str:
    return ", ".join(one.told for one in robot.limits[: len(robot.coordinates)])
