"""A fit that a minority of wrong measurements cannot drag away, and which measurements these are: an estimate.

    first   min_x sum_k sqrt(r_k^2 + s^2),   by least squares with the weights 1 / sqrt(r_k^2 + s^2), made anew in each
        round;
    then    min_x sum r_k^2 over the rows that are not suspected, until the same rows are suspected again

from the blueprint on, no step longer than the stated radius. The first sum grows with the size of an error and not with
its square, so most of the rows decide, however far off the others are; what they leave free is tied to the blueprint,
where a radius weighs as much as the miss that the half-widths of one row explain. *Suspected* is a row that misses by
more than its half-widths (or rounding errors) explain to first order, and by many times as much as most rows do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.solvers.fits.levenberg_marquardt import System, minimise
from certify.solvers.fits.plain_fit import places_of, system_of

ROUNDS, STEPS = 40, 5  # of reweighting, and of the least squares in each round
SMOOTH = 0.1  # of the typical miss: s in the formula
WORK = 1000  # rounds times variables
STAYS = 1e-3  # of the radius: what a round may still move
MANY = 5.0  # times the typical miss
ROUNDING = 1e-9  # of what the radii change a row by: less is rounding
NORMAL = 1.4826  # the standard deviation of Gaussian errors over the median of their sizes


@dataclass(frozen=True, eq=False, slots=True)
class RobustFit:
    """The variables; of each row by how much it misses there, what its half-widths explain of that, and whether it is
    suspected.
    """

    x: Floats
    misses: Floats
    explained: Floats
    suspected: Flags

    @property
    def ordinary(self) -> float:
        """The largest miss of a row that is not suspected."""
        return float(self.misses[~self.suspected].max(initial=0.0))

    @property
    def explains(self) -> bool:
        """Whether the half-widths explain every row that is not suspected."""
        return bool((self.misses <= self.explained)[~self.suspected].all())


def robust_fit(
    blocks: Sequence[Rows], judged: tuple[int, ...], others: tuple[int, ...], start: Floats, longest: Floats
) -> RobustFit | None:
    """The fit to the blocks `judged` and `others`, of which only the rows of `judged` may be suspected.

    None if there are no two rows more than variables: then no row can be told from the others.
    """
    numbers = (*judged, *others)
    places, count = places_of(blocks, numbers, longest), sum(blocks[n].count for n in judged)
    free = len(places) - sum(blocks[n].count for n in others)
    if count <= free + 1:
        return None
    system, step = system_of(blocks, numbers, start, places), longest[places]
    x = np.array(start, dtype=np.float64)
    tie = float(np.median(explained_misses(blocks, judged, x)))
    x[places] = _reweighted(_tied(system, x[places], step / tie) if tie > 0.0 else system, x[places], step, count, free)
    floor = ROUNDING * np.abs(system(x[places])[1][:count]) @ step
    suspected: Flags | None = None
    for _ in range(ROUNDS):
        misses, explained = np.abs(system(x[places])[0][:count]), explained_misses(blocks, judged, x)
        found = misses > np.maximum(np.maximum(explained, floor), MANY * _typical(misses, free))
        if suspected is not None and (found == suspected).all():
            break
        suspected = found
        x[places] = minimise(_weighted(system, np.where(suspected, 0.0, 1.0)), x[places], longest=step).x
    return RobustFit(x, misses, explained, found)


def is_even(misses: Floats, free: int) -> bool:
    """Whether no row misses by many times as much as most do, in a fit with so many free variables."""
    return misses.size <= free + 1 or bool((misses <= MANY * _typical(misses, free)).all())


def _reweighted(system: System, x: Floats, step: Floats, count: int, free: int) -> Floats:
    """The smallest sum of sizes; rows behind the first `count` keep the weight 1."""
    for _ in range(min(ROUNDS, max(WORK // x.size, 4))):
        misses = np.abs(system(x)[0][:count])
        smooth = max(SMOOTH * _typical(misses, free), 1e-12 * float(misses.max()), 1e-300)
        weights = smooth / np.hypot(misses, smooth)
        found = minimise(_weighted(system, weights), x, STEPS, step).x
        moved, x = np.abs(found - x), found
        if (moved <= STAYS * step).all():
            break
    return x


def _tied(system: System, start: Floats, scale: Floats) -> System:
    """The rows, and behind them the distances from the start over `scale`."""

    def tied(x: Floats) -> tuple[Floats, Floats]:
        values, slopes = system(x)
        return np.concatenate([values, (x - start) / scale]), np.vstack([slopes, np.diag(1.0 / scale)])

    return tied


def _weighted(system: System, weights: Floats) -> System:
    """The first rows times the roots of their weights."""

    def weighted(x: Floats) -> tuple[Floats, Floats]:
        values, slopes = system(x)
        roots = np.ones(values.size)
        roots[: weights.size] = np.sqrt(weights)
        return values * roots, slopes * roots[:, None]

    return weighted


def _typical(misses: Floats, free: int) -> float:
    """The standard deviation if the errors are Gaussian, from the middle one of those misses that are not zero because
    so many variables are free.
    """
    return NORMAL * float(np.sort(misses)[free + (misses.size - free) // 2])


def explained_misses(blocks: Sequence[Rows], numbers: tuple[int, ...], x: Floats) -> Floats:
    """sum_j |dr_k/dM_j| h_j: by how much a row may miss at the middles of its measurement boxes, to first order."""
    found = []
    for n in numbers:
        rows = blocks[n]
        middle = 0.5 * (rows.lower + rows.upper)
        slopes = np.abs(evaluate(gradient(rows.tape), *rows.with_box(x, x, middle, middle)).estimated_middle[1:])
        measured = list(rows.measured_inputs)
        found.append((slopes[measured] * 0.5 * (rows.upper - rows.lower)[measured]).sum(axis=0))
    return np.concatenate(found)
