"""The classical fit that is judged, part by part, and a robust one beside it: where the search box may stand, and which
measurements to look at.

The least-squares fit is what robot calibration ends with, so it is what is judged, wherever it lies. A few wrong
measurements move it far (the square of an error counts), in the worst case without end: then there is none to judge.
The robust fit is an estimate that they do not move; searches may start there, and the rows that it misses are
suspected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.parts.scopes import independent_parts
from certify.problems.experiments.experiment import Experiment, Parameter, rounded_centre
from certify.problems.model.model import Problem
from certify.proofs.witnesses import scope_variables
from certify.solvers.advice.combinations import determined
from certify.solvers.advice.mistakes import Mistake, likely_mistake
from certify.solvers.advice.wrong_columns import Suspicion, suspected
from certify.solvers.advice.wrong_entries import wrong_entry
from certify.solvers.fits.levenberg_marquardt import Descended
from certify.solvers.fits.plain_fit import least_squares
from certify.solvers.fits.robust_fit import RobustFit, is_even, robust_fit

WORSE = 1.05  # times what a fit misses: no more than that may a fit miss in which variables stay at the blueprint
REACH = 100.0  # radii: a fit further away is made once more, in steps of a radius
EASY = 60  # unknowns of a part whose fit is looked at for wrong readings though it is where it is expected
PLENTY = 20  # rows for each unknown, among which no few wrong ones can hide: a fit that misses evenly has none
FEW = 4  # more than one row of so many cannot be told from the others

Row = tuple[str, int]  # family name, row counted from 0


@dataclass(frozen=True, eq=False, slots=True)
class PartFit:
    """One part: its unknowns and rows, whether least squares settled, where it `ended`, and the fit `x`. Rows that are
    components of poses (of a group) are suspected as poses, which are called by the part's name.

    Points have all unknowns of the problem; where least squares did not settle, x is the blueprint. `robust` is None
    where every row misses about as much as any other, or where there are too few to tell; if they are so many that few
    wrong ones cannot hide, they are missed `evenly`. `mended` is the robust fit
    with a likely `mistake` of the table undone.
    """

    name: str
    variables: tuple[int, ...]
    rows: tuple[Row, ...]
    x: tuple[Fraction, ...]
    settled: bool
    ended: Floats
    robust: RobustFit | None
    mistake: Mistake | None = None
    mended: RobustFit | None = None
    grouped: bool = False
    evenly: bool = False

    @property
    def members(self) -> int:
        """How many rows there are, or poses whose rows are suspected together."""
        return len({row for _, row in self.rows}) if self.grouped else len(self.rows)

    @property
    def suspects(self) -> tuple[tuple[Row, float], ...]:
        """The suspected rows, if they are few, and by how much they miss in the robust fit (estimated), the worst
        first.
        """
        if self.robust is None:
            return ()
        found: dict[Row, float] = {}
        for k in np.flatnonzero(self.robust.suspected):
            row = (self.name, self.rows[k][1]) if self.grouped else self.rows[k]
            found[row] = max(found.get(row, 0.0), float(self.robust.misses[k]))
        if FEW * len(found) > self.members:
            return ()
        return tuple(sorted(found.items(), key=lambda suspect: -suspect[1]))

    def within(self, problem: Problem) -> bool:
        """Whether there is a fit, and the problem's box holds it."""
        return self.settled and all(
            problem.variables[v].lower <= self.x[v] <= problem.variables[v].upper for v in self.variables
        )


@dataclass(frozen=True, eq=False, slots=True)
class Fitting:
    """The fits of all parts, and what is likely to be wrong with the table of a robot without legs. In the fits the
    variables that stand `still` are at the blueprint: others do for them.
    """

    experiment: Experiment
    parts: tuple[PartFit, ...]
    suspicion: Suspicion | None = None
    still: tuple[int, ...] = ()

    @property
    def by_size(self) -> tuple[PartFit, ...]:
        """The parts with the fewest unknowns first: where parts share some, the fit of the one with the most is taken
        (of equally many that of the first).
        """
        return tuple(sorted(reversed(self.parts), key=lambda part: len(part.variables)))

    @property
    def estimate(self) -> tuple[Fraction, ...]:
        """The least-squares solution as short decimals; the blueprint where there is none."""
        values = list(self.experiment.nominal)
        for part in self.by_size:
            for v in part.variables:
                values[v] = part.x[v]
        return tuple(values)

    def lost(self, part: PartFit) -> tuple[tuple[Parameter, Fraction], ...]:
        """The parameters whose fit (or where it ended) is further from the blueprint than their radius, and how far.

        The furthest, in radii, comes first. A box of these radii around the fit does not hold the blueprint.
        """
        found = []
        for v in part.variables:
            variable = self.experiment.variables[v]
            distance = abs((part.x[v] if part.settled else Fraction(part.ended[v])) - variable.nominal)
            if v < self.experiment.parameters and distance > variable.radius:
                found.append((variable, distance))
        return tuple(sorted(found, key=lambda pair: -pair[1] / pair[0].radius))

    def start(self, problem: Problem) -> Floats:
        """Where searches start: the fit where the box holds it, else the robust one moved into the box, else its
        middle.
        """
        point = np.array([float((variable.lower + variable.upper) / 2) for variable in problem.variables])
        low, high = problem.box
        for part in self.by_size:
            places = list(part.variables)
            if part.within(problem):
                point[places] = [float(part.x[v]) for v in places]
            elif part.robust is not None:
                point[places] = np.clip(part.robust.x[places], low[places], high[places])
        return point


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """An entry of the table (a column's name, a row counted from 0) that several parts suspect, and what added to it
    explains all.
    """

    column: str
    unit: str
    row: int
    change: float


def wrong_entries(fitting: Fitting) -> list[WrongEntry]:
    """Entries that explain what at least two parts miss in the same row; parts of one family with a row
    for each pose.
    """
    experiment = fitting.experiment
    problem = experiment.problem(experiment.nominal)
    names = {family.name: n for n, family in enumerate(problem.families)}
    points, suspected = {}, Counter[int]()
    for part in fitting.parts:
        families = {name for name, _ in part.rows}
        if (
            not part.grouped
            and len(families) == 1
            and len(part.rows) == len(experiment.poses)
            and (part.settled or part.robust is not None)
        ):
            suspected.update(row for (_, row), _ in part.suspects)
            point = np.array([float(value) for value in part.x]) if part.robust is None else part.robust.x
            points[names[families.pop()]] = point
    found = []
    for row in sorted(row for row, count in suspected.items() if count > 1):
        entry = wrong_entry(problem, points, row)
        if entry is not None:
            column = problem.columns[entry[0]]
            found.append(WrongEntry(column.name, column.unit, row, entry[1]))
    return found


def fit_experiment(experiment: Experiment, still: Collection[int] = (), suspicious: bool = True) -> Fitting:
    """Both fits from the blueprint, for every independent part; variables that stand `still` are left there. What is
    wrong with the table is looked for if it is `suspicious`.

    The robust one is made where the other one is lost, or where the rows do not miss evenly.
    """
    problem = experiment.fitted_problem()
    start = np.array([float(value) for value in experiment.nominal])
    longest = np.array([float(variable.radius) for variable in experiment.variables])
    longest[list(still)] = 0.0
    held = set(still)
    units = [variable.unit for variable in experiment.variables]
    own = len(experiment.families)
    guesses = {problem.families[n].bindings[0].index: n for n in range(own, len(problem.families))}
    fits: list[PartFit] = []
    for name, scope in independent_parts(experiment.problem(experiment.nominal)):
        variables = scope_variables(problem, scope)
        others = tuple(guesses[v] for v in variables if v in guesses)
        plain, hidden = _least_squares(problem, scope, others, start, longest, not experiment.kind.legs)
        held.update(hidden)
        free_ones = [v for v in variables if v not in (*still, *hidden)]
        rows = tuple((problem.families[n].name, k) for n in scope for k in range(problem.families[n].rows))
        settled = plain.stationary
        x = rounded_centre(plain.x.tolist(), units) if settled else experiment.nominal
        parameters = [v for v in free_ones if v < experiment.parameters]
        astray = not settled or bool((np.abs(plain.x - start) > longest)[parameters].any())
        robust = None
        free = len(variables) - len(others)
        even = settled and is_even(np.abs(plain.residuals[: len(rows)]), free)
        may_hide = len(rows) < PLENTY * free or not even
        if (astray and may_hide) or (len(variables) <= EASY and not even):
            found = robust_fit(problem.blocks, scope, others, start, longest)
            robust = found if astray or (found is not None and found.suspected.any()) else None
        grouped = name in {group.name for group in problem.groups}
        evenly = robust is None and not may_hide
        fits.append(PartFit(name, variables, rows, x, settled, plain.x, robust, grouped=grouped, evenly=evenly))
        if astray and not others and not fits[-1].suspects and experiment.kind.legs:
            known = [fit.mistake for fit in fits if fit.mistake is not None]
            likely = likely_mistake(problem, scope, start, longest, known)
            if likely is not None:
                fits[-1] = replace(fits[-1], mistake=likely[0], mended=likely[1])
    return Fitting(experiment, tuple(fits), suspected(experiment) if suspicious else None, tuple(sorted(held)))


def _least_squares(
    problem: Problem, scope: Sequence[int], others: Sequence[int], start: Floats, longest: Floats, alike: bool
) -> tuple[Descended, tuple[int, ...]]:
    """The fit of a part; where it does not settle, and `alike` may be told from each other, the variables that stay at
    the blueprint so that it does.
    """
    numbers = (*scope, *others)
    unbounded = np.where(longest > 0.0, np.inf, 0.0)
    found = least_squares(problem.blocks, numbers, start, longest=unbounded)
    if not found.stationary and alike and not others:
        settled = _without_hidden(problem, scope, start, longest, found)
        if settled is not None:
            return settled
    if not found.stationary or (np.abs(found.x - start) > REACH * longest)[longest > 0.0].any():
        found = least_squares(problem.blocks, numbers, start, longest=longest)
    return found, ()


def _without_hidden(
    problem: Problem, scope: Sequence[int], start: Floats, longest: Floats, lost: Descended
) -> tuple[Descended, tuple[int, ...]] | None:
    """The fit with those variables at the blueprint whose whole range changes no row by as much as a fit that got lost
    misses rows by; None if it does not settle near the blueprint, too, or misses more.
    """
    missed = _typical_miss(lost)
    hidden = determined(problem.blocks, scope, start, longest, missed=[missed] * len(scope)).given_up
    if not hidden:
        return None
    unbounded = np.where(longest > 0.0, np.inf, 0.0)
    unbounded[list(hidden)] = 0.0
    found = least_squares(problem.blocks, tuple(scope), start, longest=unbounded)
    near = (np.abs(found.x - start) <= REACH * longest).all()
    return (found, hidden) if found.stationary and near and _typical_miss(found) <= WORSE * missed else None


def _typical_miss(fit: Descended) -> float:
    """The root of the mean square of what the rows miss."""
    return float(np.sqrt(np.mean(fit.residuals**2)))


def fitted(experiment: Experiment) -> tuple[Fraction, ...]:
    """The least-squares solution from the blueprint, as short decimals; the blueprint where it does not settle."""
    return fit_experiment(experiment).estimate


def judged(fitting: Fitting, problem: Problem) -> list[tuple[tuple[Fraction, ...], tuple[str, ...]]]:
    """Points in the problem's box, each with the names of the parts whose fit it is; parts whose fits are outside, or
    that have none, are not named. Parts that share unknowns have points of their own.
    """
    middle = [(variable.lower + variable.upper) / 2 for variable in problem.variables]
    found: list[tuple[list[Fraction], list[str], set[int]]] = []
    for part in fitting.parts:
        if part.within(problem):
            free = next((place for place in found if not place[2].intersection(part.variables)), None)
            if free is None:
                free = (list(middle), [], set())
                found.append(free)
            point, names, taken = free
            names.append(part.name)
            taken.update(part.variables)
            for v in part.variables:
                point[v] = part.x[v]
    return [(tuple(point), tuple(names)) for point, names, _ in found]
