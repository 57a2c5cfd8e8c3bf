"""The hypotheses that something slipped once while an arm's poses were measured, between two poses: from pose K on

    the base, or the measuring device, stands elsewhere     r - s_k d,     a way d of the place
    a joint's encoder reads otherwise                       q + s_k u,     an angle u

with s_k = 0 before pose K and 1 from there on. K is an estimate: where the step takes most away from the residuals of
the least-squares fit, to first order, the other unknowns being free. It stands in the problem as a number of each pose,
so that what is proved is about this K.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.model.hypothesis import Hypothesis, Term
from certify.problems.model.model import Binding, Column, Family, Problem
from certify.problems.model.shifts import Shift
from certify.problems.robots.joint_axes import joint_columns, position_families

FEWEST = 4  # poses
INDEPENDENT = 1e-9  # of the largest singular value: what is less is no direction of the fit
HARDLY = 1e-9  # of what a step changes: less of it is left where the other unknowns can do the same


def steps(problem: Problem, used: Sequence[int], start: Floats) -> tuple[Hypothesis, ...]:
    """Of a robot without legs one about the base, and one about each joint; none if there are few poses. The residuals
    are those of the poses `used` at `start`.
    """
    if not problem.groups or len(used) < FEWEST:
        return ()
    fit, found = _Fit.of(problem, used, start), []
    families = position_families(problem)
    if families:
        first = fit.best(fit.of_families(families))
        sentence = f"the base, or the measuring device, moves once, before pose {_called(problem, first)} (estimated)"
        names, rows = {problem.families[n].name for n in families}, problem.families[families[0]].rows
        found.append(Hypothesis("step of the base", sentence, partial(_terms, names, _step(first, rows))))
    for c in joint_columns(problem):
        name, first = problem.columns[c].name, fit.best(fit.of_column(c))
        values = _step(first, len(problem.columns[c].lower))
        sentence = f"the encoder of {name} slips once, before pose {_called(problem, first)} (estimated)"
        shift = Shift(f"{name}.slip", Binding(True, c), Column(f"{name}_from", "1", values, values))
        found.append(Hypothesis(f"slip of {name}", sentence, shifts=(shift,)))
    return tuple(found)


def _called(problem: Problem, row: int) -> str:
    return problem.poses[row] if problem.poses else str(row + 1)


def _step(first: int, rows: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(row >= first)) for row in range(rows))


def _terms(names: set[str], values: tuple[Fraction, ...], family: Family) -> tuple[Term, ...]:
    return (
        (Term("step", Column("step", "1", values, values), Fraction(0), Fraction(1)),) if family.name in names else ()
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    """The rows of all families at a fit, each in parts of the root mean square of its unit: residuals less what the
    unknowns can do about them, the directions of that (orthonormal), and slopes by input; `poses` are places in `used`.
    """

    problem: Problem
    used: Sequence[int]
    residuals: Floats
    directions: Floats
    slopes: list[Floats]
    scales: list[float]
    poses: NDArray[np.int64]

    @staticmethod
    def of(problem: Problem, used: Sequence[int], start: Floats) -> _Fit:
        """At `start`, the measurements in the middles of their boxes."""
        told = [_at(rows.only(used), start) for rows in problem.blocks]
        squares: dict[str, list[Floats]] = {}
        for family, (values, _) in zip(problem.families, told, strict=True):
            squares.setdefault(family.unit, []).append(values**2)
        sizes = {unit: float(np.sqrt(np.mean(np.concatenate(parts)))) for unit, parts in squares.items()}
        scales = [1.0 / size if (size := sizes[family.unit]) > 0.0 else 1.0 for family in problem.families]
        width = np.array([float(v.upper - v.lower) for v in problem.variables])
        system = []
        for rows, (_, slopes), scale in zip(problem.blocks, told, scales, strict=True):
            part = np.zeros((len(used), width.size))
            for i in rows.unknown_inputs:
                part[:, rows.unknowns[i]] += scale * slopes[i]
            system.append(part * width)
        u, s, _ = np.linalg.svd(np.vstack(system), full_matrices=False)
        u = u[:, s > INDEPENDENT * s.max(initial=0.0)]
        values = np.concatenate([scale * one for scale, (one, _) in zip(scales, told, strict=True)])
        poses = np.tile(np.arange(len(used)), len(problem.families))
        return _Fit(problem, used, values - u @ (u.T @ values), u, [one for _, one in told], scales, poses)

    def of_families(self, numbers: Sequence[int]) -> Floats:
        """What changes with a way of the place: the rows of each of these families."""
        count = len(self.used)
        found = np.zeros((self.residuals.size, len(numbers)))
        for place, n in enumerate(numbers):
            found[n * count : (n + 1) * count, place] = self.scales[n]
        return found

    def of_column(self, column: int) -> Floats:
        """What changes with a measured column."""
        parts = []
        for family, slopes, scale in zip(self.problem.families, self.slopes, self.scales, strict=True):
            inputs = [i for i, binding in enumerate(family.bindings) if binding == Binding(True, column)]
            parts.append(scale * slopes[inputs].sum(axis=0))
        return np.concatenate(parts)[:, None]

    def best(self, change: Floats) -> int:
        """The row from which on a step along these changes explains most."""
        count = len(self.used)

        def from_each_on(rows: Floats) -> Floats:
            sums = np.zeros((count, *rows.shape[1:]))
            np.add.at(sums, self.poses, rows)
            return np.asarray(sums[::-1].cumsum(axis=0)[::-1])

        along = from_each_on(change * self.residuals[:, None])
        whole = from_each_on(change[:, :, None] * change[:, None, :])
        shared = from_each_on(self.directions[:, :, None] * change[:, None, :])
        rest = whole - np.einsum("kpi,kpj->kij", shared, shared)
        least = HARDLY * np.trace(whole, axis1=1, axis2=2).max(initial=1e-300)
        rest = rest + least * np.eye(change.shape[1])
        explained = np.einsum("ki,ki->k", along, np.linalg.solve(rest, along[:, :, None])[:, :, 0])
        return int(self.used[1 + int(explained[1:].argmax())])


def _at(rows: Rows, x: Floats) -> tuple[Floats, Floats]:
    """Values, and slopes by input."""
    middle = 0.5 * (rows.lower + rows.upper)
    found = evaluate(gradient(rows.tape), *rows.with_box(x, x, middle, middle)).estimated_middle
    return found[0], np.nan_to_num(found[1:])
