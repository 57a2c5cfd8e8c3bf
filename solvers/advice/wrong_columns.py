"""Which mistake in the table of a robot without legs spoils the fit: each likely one is undone, and the fit made again.

    before    the typical miss of a pose in the best fit to the table as it is, from several starts
    after     the same with one repair (certify.solvers.advice.repairs) made

Fits start at the blueprint, with the measured places moved as a whole to where the blueprint says that they are: so it
does not matter in which frame they are given. A repair is told if it makes the typical miss (the median over the poses,
which a minority of wrong readings does not change) a fifth or less. Of those that leave about as little the ones are
told that keep the unknowns within their radii in the frame of the table, if there are any: that an axis points the
wrong way looks like two that are exchanged, if the frame may be turned. All of it is estimated, and no measurement is
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.freed import exact_vectors, freed
from certify.solvers.advice.repairs import PER_RADIAN, UNTOUCHED, Readings, Repair, repaired
from certify.solvers.fits.alignment import aligned
from certify.solvers.fits.plain_fit import least_squares, residuals
from certify.solvers.fits.robust_fit import explained_misses

BAD = 5.0  # times what half-widths explain
COARSE = 2e-3  # of what a radian of the joints changes a row by: less is no mistake of a column
GAIN = 5.0  # by which a repair makes the typical miss smaller
ALIKE = 2.0  # repairs that leave so many times the least are told, too
TURNED, MOVED = 0.7, 50.0  # rad and mm
FAR = 3.0  # radii: a good fit further from the blueprint may be a repair's matter
POSES = 60  # looked at, at most
FIRST, THEN = 12, 60  # steps of a fit, and of those that look best
BEST = 8
STARTS = 4
SPARE = 6  # rows more than unknowns
VECTORS = (2, 3)  # numbers of a place
ROOM = Fraction(1000)  # mm in which a tool that the blueprint lacks is looked for


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The repairs that help, the best first, the typical miss with the first of them, and without any; in `unit`.

    Without a repair only the frame of the places is another one, or `vector`, a field of the blueprint that is called
    exact, is not what it says: `found` has its numbers in the fit.
    """

    repairs: tuple[Repair, ...]
    before: float
    after: float
    unit: str
    vector: str = ""
    found: tuple[float, ...] = ()


def suspected(experiment: Experiment) -> Suspicion | None:
    """What is likely to be wrong with the table or the blueprint of a robot without legs, if its fit is bad and
    something helps.
    """
    if experiment.kind.legs or experiment.pose_columns:
        return None
    trials = _trials(experiment)
    if trials is None:
        return None
    plain = trials.fit(UNTOUCHED, False, trials.start, FIRST + THEN)
    if trials.bad(plain):
        helped = trials.helped(plain)
        if not helped:
            return _lacking(experiment, trials, plain)
        return _told(experiment, trials, plain, helped)
    if plain.excess <= FAR:
        return None
    nearer = trials.nearer(plain) if trials.turned(plain) else []
    return _told(experiment, trials, plain, nearer or [plain]) if nearer or _zero(experiment, plain) else None


def _told(experiment: Experiment, trials: _Trials, plain: _Fit, fits: Sequence[_Fit]) -> Suspicion:
    """The suspicion that these fits raise, the best first."""
    before, after, repairs = plain.miss, fits[0].miss, tuple(fit.repair for fit in fits)
    if repairs == (UNTOUCHED,) and (zero := _zero(experiment, fits[0])):
        return Suspicion((), before, after, trials.unit, *zero)
    return Suspicion(repairs, before, after, trials.unit)


def _zero(experiment: Experiment, fit: _Fit) -> tuple[str, tuple[float, ...]] | None:
    """A vector of lengths, 0 in the blueprint, that the fit has further off than FAR times its radius, and everything
    else within; and what the fit has.
    """
    values = dict(zip((variable.name for variable in experiment.variables), fit.x.tolist(), strict=True))
    parameters = {parameter.name: parameter for parameter in experiment.blueprint}
    for field in experiment.kind.parameters:
        numbers = [parameters[name] for name in field.names]
        if len(numbers) not in VECTORS or any(n.unit != "mm" or n.nominal or n.fixed for n in numbers):
            continue
        found = tuple(values[number.name] for number in numbers)
        others = [
            e
            for variable, e in zip(experiment.variables, fit.excesses, strict=True)
            if variable.name not in field.names
        ]
        if max(others, default=0.0) <= 1.0 and any(
            abs(value) > FAR * number.radius for value, number in zip(found, numbers, strict=True)
        ):
            return field.name, found
    return None


def _trials(experiment: Experiment) -> _Trials | None:
    """The lengths that are judged if there are any, else the rows in one unit; None if there are too few to tell."""
    problem = experiment.problem(experiment.nominal)
    first = problem.part(tuple(name for equation in experiment.kind.equations for name in equation.families))
    units = [problem.families[n].unit for n in first]
    judged = "mm" if "mm" in units else units[0]  # misses in different units make no size
    scope = tuple(n for n, unit in zip(first, units, strict=True) if unit == judged)
    unknown = len({b.index for n in scope for b in problem.families[n].bindings if not b.measured})
    start = np.array([float(value) for value in experiment.nominal])
    longest = np.array([float(variable.radius) for variable in experiment.variables])
    if problem.families[scope[0]].rows * len(scope) < unknown + SPARE:
        return None
    return _Trials(Readings.of(problem, scope, start), start, longest)


def _lacking(experiment: Experiment, trials: _Trials, plain: _Fit) -> Suspicion | None:
    """A vector of lengths that the blueprint calls exact, and that explains the rows if it is another one."""
    units = {parameter.name: parameter.unit for parameter in experiment.blueprint}
    found = []
    for vector, names in exact_vectors(experiment).items():
        if len(names) not in VECTORS or any(units[name] != "mm" for name in names):
            continue
        richer = freed(experiment, dict.fromkeys(names, ROOM))
        richer_trials = _trials(richer)
        if richer_trials is None:
            continue
        fit = richer_trials.fit(UNTOUCHED, bool(trials.readings.places), richer_trials.start, FIRST + THEN)
        values = {variable.name: value for variable, value in zip(richer.variables, fit.x.tolist(), strict=True)}
        found.append((fit.miss, vector, tuple(values[name] for name in names)))
    if not found or min(found)[0] * GAIN > plain.miss:
        return None
    miss, vector, numbers = min(found)
    return Suspicion((), plain.miss, miss, trials.unit, vector, numbers)


@dataclass(frozen=True, eq=False, slots=True)
class _Fit:
    """Where a fit ended, the typical miss, and how far each unknown is from the blueprint, in radii."""

    repair: Repair
    x: Floats
    miss: float
    excesses: Floats

    @property
    def excess(self) -> float:
        """Of the unknown that is furthest."""
        return float(self.excesses.max(initial=0.0))


@dataclass(frozen=True, eq=False, slots=True)
class _Trials:
    """Fits to a table with a repair made."""

    readings: Readings
    start: Floats
    longest: Floats

    @property
    def unit(self) -> str:
        """Of the misses."""
        return self.readings.problem.families[self.readings.scope[0]].unit

    def helped(self, plain: _Fit) -> list[_Fit]:
        """The fits with the repairs without which the fit is bad, the best first."""
        move = bool(self.readings.places)
        moved = min((self.fit(UNTOUCHED, move, point, FIRST + THEN) for point in self._starts()), key=_miss)
        before = min(plain.miss, moved.miss)
        tried = [self.fit(repair, move, self.start, FIRST) for repair in self.readings.repairs()]
        best = [fit for fit in sorted(tried, key=_miss)[:BEST] if fit.miss < plain.miss]
        found = [self.fit(fit.repair, move, fit.x, THEN) for fit in best] + [moved]
        least = min(fit.miss for fit in found)
        good = [fit for fit in found if fit.miss <= ALIKE * least and fit.miss * GAIN <= plain.miss]
        if moved.miss * GAIN > plain.miss:  # the table as it is is told from its repairs
            good = [fit for fit in good if fit.miss * GAIN <= before]
        return self._nearest(good) if good else []

    def turned(self, fit: _Fit) -> bool:
        """Whether an unknown is so far from the blueprint that a repair by a quarter turn, or of a frame, may undo it:
        an angle, or a place beyond a joint that is turned.
        """
        variables = self.readings.problem.variables
        moved = np.abs(fit.x - self.start)
        return any(
            size > TURNED * PER_RADIAN[variable.unit] if variable.unit in PER_RADIAN else size > MOVED
            for variable, size in zip(variables, moved.tolist(), strict=True)
        )

    def nearer(self, plain: _Fit) -> list[_Fit]:
        """The fits with repairs with which a fit that is far from the blueprint is as good, and near."""
        most = ALIKE * plain.miss
        tried = [self.fit(repair, False, self.start, FIRST) for repair in self.readings.repairs()]
        tried.sort(key=lambda fit: (fit.excess, fit.miss) if fit.miss <= most else (inf, fit.miss))
        fits = [self.fit(fit.repair, False, fit.x, THEN) for fit in tried[:BEST]]
        good = [fit for fit in fits if fit.excess <= 1.0 and fit.miss <= most]
        return self._nearest(good) if good else []

    def _nearest(self, good: Sequence[_Fit]) -> list[_Fit]:
        """Those of the good fits that are nearest to the blueprint in the frame of the table, or in any."""
        after = min(fit.miss for fit in good)
        own = [self.fit(fit.repair, False, self.start, FIRST + THEN) for fit in good]
        near = [fit for fit in own if fit.miss <= ALIKE * after]
        plain = [fit for fit in good if fit.repair == UNTOUCHED]
        if plain and min((fit.excess for fit in near), default=inf) > 1.0:
            return plain  # the frame of the table is another one, and nothing else need be wrong
        near = near or list(good)
        most = max(1.0, min(fit.excess for fit in near))
        return sorted((fit for fit in near if fit.excess <= most), key=_miss)

    def _starts(self) -> list[Floats]:
        """The blueprint, and a few places in its box."""
        random, count = np.random.default_rng(1), self.start.size
        others = [self.start + self.longest * random.uniform(-1.0, 1.0, count) for _ in range(STARTS - 1)]
        return [self.start, *others]

    def fit(self, repair: Repair, move: bool, start: Floats, steps: int) -> _Fit:
        """Least squares with the repair made; `move`: with the places moved to where the model has them at `start`."""
        columns = repaired(self.readings.middles(), repair)
        count = min(len(values) for values in columns.values())
        poses = np.unique(np.linspace(0, count - 1, min(count, POSES)).astype(int))
        columns = {c: values[poses] for c, values in columns.items()}
        blocks = self.readings.blocks(self._moved(columns, start) if move else columns)
        x = least_squares(blocks, self.readings.scope, start, steps, self.longest).x
        misses = np.array([residuals(blocks[n], x, blocks[n].lower)[0] for n in self.readings.scope])
        sizes = np.nan_to_num(np.sqrt((misses**2).sum(axis=0)), nan=inf)
        excesses = np.abs(x - self.start) / np.where(self.longest > 0.0, self.longest, inf)
        return _Fit(repair, x, float(np.median(sizes)), excesses)

    def bad(self, fit: _Fit) -> bool:
        """Whether so much is missed that a column may be wrong."""
        problem, scope = self.readings.problem, self.readings.scope
        explained = explained_misses(problem.blocks, scope, fit.x).reshape(len(scope), -1)
        return fit.miss > max(BAD * float(np.median(np.sqrt((explained**2).sum(axis=0)))), COARSE * self._lever())

    def _lever(self) -> float:
        """What a radian (a unit of what is no angle) of a joint changes a row by at the blueprint, of the joint that
        changes it most.
        """
        problem, levers = self.readings.problem, [0.0]
        for n in self.readings.scope:
            rows = problem.blocks[n]
            middle = 0.5 * (rows.lower + rows.upper)
            slopes = evaluate(gradient(rows.tape), *rows.with_box(self.start, self.start, middle, middle))
            for i, binding in enumerate(problem.families[n].bindings):
                if binding.measured and binding.index in self.readings.joints:
                    size = float(np.abs(slopes.estimated_middle[1 + i]).max())
                    levers.append(size * PER_RADIAN.get(problem.columns[binding.index].unit, 1.0))
        return max(levers)

    def _moved(self, columns: dict[int, Floats], start: Floats) -> dict[int, Floats]:
        """The columns with the places moved as a whole to where the model says that they are."""
        found, blocks = dict(columns), self.readings.blocks(columns)
        for vector in self.readings.places:
            points = np.array([columns[column] for column, _, _ in vector])
            misses = [residuals(blocks[n], start, blocks[n].lower)[0] / slope for _, n, slope in vector]
            for (column, _, _), values in zip(vector, aligned(points.T, (points - misses).T).T, strict=True):
                found[column] = values
        return found


def _miss(fit: _Fit) -> float:
    return fit.miss
