"""The best motion that is found: descents along a criterion under all limits, from the best of some first motions.

    minimise criterion(c, ln T)   subject to   rooms(c, ln T) >= 0,   ranges of the coordinates for every number

scipy's SLSQP does the steps: it needs slopes of one criterion and of some thirty smooth rooms, and no second
derivatives. Each motion that keeps all rooms is remembered, so that a limit or an interruption leaves the best so far.
A minimum is a local one; nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from certify.problems.periodic.fourier import FourierMotion
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.criteria import Criterion
from certify.solvers.design.keeping import room_slopes, rooms
from certify.solvers.design.slopes import Instants
from certify.solvers.limits import Limit, Stopped

SHARPNESS = (60.0, 300.0)  # of rooms: first so that far instants pull, then so that little is left free
SHORT = 0.4  # of the evaluations, for short descents from all starts
BLUNT = 0.6  # of what is left, while rooms are blunt
FAR, NEAR, ROUND = 0.3, 0.02, 60  # of half a range: rounds stay within; evaluations of a round
GAINED = 1e-3  # of the criterion in a round
LEAST, HALVINGS = 0.5, 6  # shares to which a motion that breaks limits is shrunk
TOLERANCE = 1e-7  # of the criterion
SLACK = 0.005  # of a limit's size: what steps along bent limits leave, taken back at the end
UNREACHED = 50.0  # added where the robot does not reach, so that a step is shortened


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done: evaluations with slopes in all, and the seconds."""

    evaluations: int
    limit: Limit


@dataclass(frozen=True, eq=False)
class Descended:
    """The best motion, its smooth criterion, how many evaluations it took, and why it ended."""

    motion: FourierMotion
    value: float
    evaluations: int
    why: Stopped


def _told(
    tell: Callable[[int, int, float], None], number: int, before: int, best: float, spent: int, value: float
) -> None:
    tell(number, before + spent, min(best, value))


class _Ended(Exception):
    """A limit was reached."""


class _Spent(Exception):
    """The evaluations of a part are done."""


def descend(
    instants: Instants,
    criterion: Criterion,
    starts: Sequence[FourierMotion],
    periods: tuple[float, float],
    effort: Effort,
    tell: Callable[[int, int, float], None],
) -> Descended:
    """A short descent from each start, and a long one from the best of what they find; `tell` hears of the start's
    number, of evaluations, and of the best value so far.
    """
    share = round(SHORT * effort.evaluations / len(starts)) if len(starts) > 1 else 0
    runs: list[_Run] = []
    try:
        for number, start in enumerate(starts):
            before = sum(run.spent for run in runs)
            value = min((run.best_value for run in runs), default=np.inf)
            runs.append(_Run(instants, criterion, periods, effort.limit, partial(_told, tell, number, before, value)))
            runs[-1].offer(start)
            runs[-1].descend(SHARPNESS[0], share)
        best = min(runs, key=lambda run: run.best_value)
        others = sum(run.spent for run in runs) - best.spent
        best.hear(partial(_told, tell, runs.index(best), others, np.inf))
        left = effort.evaluations - others - best.spent
        for sharpness, until in zip(SHARPNESS, (round(BLUNT * left), left), strict=True):
            best.descend(sharpness, effort.evaluations - others - left + until)
        why = Stopped.FINISHED
    except _Ended:
        best, why = min(runs, key=lambda run: run.best_value), effort.limit.why
    return Descended(best.best, best.best_value, sum(run.spent for run in runs), why)


def _shrunk(motion: FourierMotion, share: float) -> FourierMotion:
    coefficients = motion.coefficients * share
    coefficients[:, 0] = motion.coefficients[:, 0]
    return FourierMotion(coefficients, motion.period)


class _Run:
    """One descent, which remembers what it has seen last, and the best motion that keeps all limits."""

    def __init__(
        self, instants: Instants, criterion: Criterion, periods: tuple[float, float], limit: Limit,
        tell: Callable[[int, float], None],
    ) -> None:  # fmt: skip
        self._instants, self._criterion, self._limit, self._tell = instants, criterion, limit, tell
        self._low, self._high = np.log(periods)
        half = (instants.robot.ranges[:, 1] - instants.robot.ranges[:, 0]) / 2.0
        self._sizes = np.append(np.repeat(half, 1 + 2 * instants.harmonics), 1.0)
        self._kept: dict[bytes, tuple[float, Floats, Floats, Floats] | None] = {}
        self._sharpness = SHARPNESS[0]
        self.spent, self.best_value, self._until = 0, np.inf, 0

    def offer(self, start: FourierMotion) -> None:
        """Where it begins, which keeps all limits."""
        self.best = start
        seen = self._instants.seen(start.coefficients, start.period)
        if seen is not None:
            self.best_value = seen.information.smooth(self._criterion)[0]

    def descend(self, sharpness: float, until: int) -> None:
        """From the best so far, with rooms so sharp, until so many evaluations are done: in rounds within a distance,
        which is halved when a round gains nothing.
        """
        self._sharpness, self._kept, distance = sharpness, {}, FAR
        while self.spent < until and distance >= NEAR:
            before, self._until = self.best_value, min(until, self.spent + ROUND)
            with suppress(_Spent):
                self._minimise(distance)
            if self._limit.late():
                raise _Ended
            distance = distance / 2.0 if self.best_value > before - GAINED else distance

    def hear(self, tell: Callable[[int, float], None]) -> None:
        """Who hears of it from now on."""
        self._tell = tell

    def _minimise(self, distance: float) -> None:
        from scipy.optimize import minimize

        start = np.append(self.best.coefficients.ravel(), np.log(self.best.period)) / self._sizes
        low, high = np.array(self._bounds()).T
        ends = np.stack([np.maximum(low, start - distance), np.minimum(high, start + distance)], axis=1)
        minimize(
            self._value, np.clip(start, *ends.T), jac=lambda x: self._at(x)[1], method="SLSQP", bounds=ends,
            constraints={"type": "ineq", "fun": lambda x: self._at(x)[2], "jac": lambda x: self._at(x)[3]},
            options={"maxiter": max(self._until, 1), "ftol": TOLERANCE},
        )  # fmt: skip

    def _remember(self, motion: FourierMotion, value: float, room: Floats) -> None:
        """A motion that is better: as it is, if it keeps the limits, or shrunk to its middle until it does, if that is
        better still.
        """
        if (room >= -SLACK).all():
            self.best, self.best_value = motion, value
            return
        low, high, found = LEAST, 1.0, None
        for _ in range(HALVINGS):
            share = (low + high) / 2.0
            smaller = _shrunk(motion, share)
            seen = self._instants.seen(smaller.coefficients, smaller.period)
            is_kept = seen is not None and bool(
                (rooms(self._instants.robot.limits, seen.quantities, self._sharpness) >= -SLACK).all()
            )
            low, high, found = (share, high, (smaller, seen)) if is_kept else (low, share, found)
        if found is not None and found[1] is not None:
            value = found[1].information.smooth(self._criterion)[0]
            if value < self.best_value:
                self.best, self.best_value = found[0], value

    def _bounds(self) -> list[tuple[float, float]]:
        """Middles within their ranges, waves no larger than half of one, the period between its ends."""
        robot, waves = self._instants.robot, 2 * self._instants.harmonics
        found: list[tuple[float, float]] = []
        for low, high in robot.ranges.tolist():
            half = (high - low) / 2.0
            found += [(low / half, high / half), *[(-1.0, 1.0)] * waves]
        return [*found, (self._low, self._high)]

    def _value(self, x: Floats) -> float:
        return self._at(x)[0]

    def _at(self, x: Floats) -> tuple[float, Floats, Floats, Floats]:
        key = x.tobytes()
        if key not in self._kept:
            self._kept = {key: self._looked_at(x)}
        found = self._kept[key]
        if found is not None:
            self._last = found
            return found
        value, slope, room, room_slope = self._last  # what the robot does not reach is worse than anything near
        return value + UNREACHED, slope, room - UNREACHED, room_slope

    def _looked_at(self, x: Floats) -> tuple[float, Floats, Floats, Floats] | None:
        if self._limit.late():
            raise _Ended
        if self.spent >= self._until:
            raise _Spent
        self.spent += 1
        numbers = x * self._sizes
        motion = FourierMotion(
            numbers[:-1].reshape(len(self._instants.robot.coordinates), -1), float(np.exp(numbers[-1]))
        )
        slopes = self._instants.slopes(motion.coefficients, motion.period, self._criterion)
        seen = self._instants.seen(motion.coefficients, motion.period)
        if slopes is None or seen is None:
            return None
        limits = self._instants.robot.limits
        room = rooms(limits, seen.quantities, self._sharpness)
        if slopes.value < self.best_value:
            self._remember(motion, slopes.value, room)
        self._tell(self.spent, self.best_value)
        change = room_slopes(limits, seen.quantities, slopes.quantities, self._sharpness)
        return slopes.value, slopes.criterion * self._sizes, room, change * self._sizes
