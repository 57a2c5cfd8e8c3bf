"""Mistakes in a table that touch whole columns, tried one after the other: a sign, a unit, two columns exchanged.

A mistake is likely if the fit from the blueprint, with the mistake undone, stays within the radii and misses no row by
more than its half-widths explain, but for few suspected ones. An estimate, for what to look at; no measurement is
changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import pi

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.problems.formulas.units import UNITS, unit_named
from certify.problems.model.model import Problem
from certify.solvers.fits.plain_fit import least_squares
from certify.solvers.fits.robust_fit import RobustFit, explained_misses, robust_fit

ANGLES = {
    "deg": 180.0 / pi,
    "rad": pi / 180.0,
    "mrad": pi / 0.18,
}  # by unit: what makes it of the other unit, as it is read wrongly
STEPS, FEW, NEAR = 12, 10.0, 3.0  # steps of a plain fit, times what half-widths explain, radii
TURNS_A_MINUTE = 30.0 / pi  # for radians in a second


@dataclass(frozen=True, slots=True)
class Mistake:
    """Columns (their numbers) that are to be multiplied by a factor, or exchanged for each other if that is None."""

    columns: tuple[int, ...]
    factor: float | None


def likely_mistake(
    problem: Problem, scope: tuple[int, ...], start: Floats, longest: Floats, first: Sequence[Mistake] = ()
) -> tuple[Mistake, RobustFit] | None:
    """The first mistake that explains the rows of these families, and the fit without it; those in `first` are tried
    first.
    """
    if any(problem.families[n].rows < 2 for n in scope):
        return None
    for mistake in dict.fromkeys((*first, *_mistakes(problem, scope))):
        blocks = list(problem.blocks)
        for n in scope:
            blocks[n] = _undone(problem, n, mistake)
        if not _hopeful(blocks, scope, start, longest):
            continue
        found = robust_fit(blocks, scope, (), start, longest)
        if found is not None and found.explains and (np.abs(found.x - start) <= longest).all():
            return mistake, found
    return None


def _hopeful(blocks: Sequence[Rows], scope: tuple[int, ...], start: Floats, longest: Floats) -> bool:
    """Whether a plain fit stays near and misses most rows by no more than a few times what their
    half-widths explain.
    """
    plain = least_squares(blocks, scope, start, STEPS, longest)
    if (np.abs(plain.x - start) > NEAR * longest).any():
        return False
    return bool(np.median(np.abs(plain.residuals)) <= FEW * np.median(explained_misses(blocks, scope, plain.x)))


def _mistakes(problem: Problem, scope: tuple[int, ...]) -> Iterator[Mistake]:
    """Single columns and those of one unit together, then exchanges; only what the families read."""
    used = sorted({b.index for n in scope for b in problem.families[n].bindings if b.measured})
    units: dict[str, list[int]] = {}
    for c in used:
        units.setdefault(problem.columns[c].unit, []).append(c)
    groups = [(c,) for c in used] + [tuple(same) for same in units.values() if len(same) > 1]
    for group in groups:
        yield from (Mistake(group, factor) for factor in _factors(problem.columns[group[0]].unit))
    for same in units.values():
        yield from (Mistake(pair, None) for pair in combinations(same, 2))
    for c, column in enumerate(problem.columns):
        if c not in used:
            same = [own for own in units.get(column.unit, ()) if len(problem.columns[own].lower) == len(column.lower)]
            yield from (Mistake((own, c), None) for own in same)


def _factors(unit: str) -> Iterator[float]:
    yield -1.0
    if unit in ANGLES:
        yield from (ANGLES[unit], 1.0 / ANGLES[unit])
        return
    known = unit_named(unit)
    sizes = [one.factor for one in UNITS.values() if known is not None and one.canonical == unit]
    for factor in sorted({float(max(size, 1 / size)) for size in sizes if size != 1}, reverse=True):
        yield from (factor, 1.0 / factor)
    if known is not None and "rad" in dict(known.dimension.powers):
        for factor in (ANGLES["deg"], TURNS_A_MINUTE):
            yield from (factor, 1.0 / factor)


def _undone(problem: Problem, number: int, mistake: Mistake) -> Rows:
    """The block with the mistake undone."""
    rows = problem.blocks[number]
    lower, upper = rows.lower.copy(), rows.upper.copy()
    for i, binding in enumerate(problem.families[number].bindings):
        if not binding.measured or binding.index not in mistake.columns:
            continue
        if mistake.factor is None:
            other = problem.columns[mistake.columns[1 - mistake.columns.index(binding.index)]]
            lower[i], upper[i] = (np.array([float(v) for v in ends]) for ends in (other.lower, other.upper))
        else:
            middle, half = 0.5 * (lower[i] + upper[i]) * mistake.factor, 0.5 * (upper[i] - lower[i])
            lower[i], upper[i] = middle - half, middle + half
    return replace(rows, lower=lower, upper=upper)
