"""Physically consistent points, judged in exact numbers: theta in doubles, and bodies that have exactly this theta.

phi_d       doubles, for every part that does not lead a parameter
leading     phi_l = theta_j - sum of the other parts of theta_j, rational
judged      every P_i(phi) positive semidefinite and no larger than LARGEST, every phi_d >= 0 that has to be; rows in
            outward rounding
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.ellipsoids.exact_ellipsoid import positive_semidefinite
from certify.problems.regressors.physical import LARGEST, Physical, pseudo_inertia
from certify.problems.regressors.regressor import Floats, Regressor
from certify.solvers.regressors.passes import largest_misses, no_less


@dataclass(frozen=True, slots=True)
class PhysicalPoint:
    """theta and the parameters of bodies and friction that it is combined from, exactly."""

    theta: tuple[Fraction, ...]
    phi: tuple[Fraction, ...]


def is_physical(physical: Physical, phi: tuple[Fraction, ...]) -> bool:
    """Whether parameters are those of real bodies; nothing is rounded."""
    if any(not 0 <= phi[d] <= LARGEST for d in physical.nonnegative):
        return False
    matrices = [pseudo_inertia([phi[d] for d in body]) for body in physical.bodies]
    small = all(sum((matrix[k][k] for k in range(4)), Fraction(0)) <= LARGEST for matrix in matrices)
    return small and all(positive_semidefinite(matrix) for matrix in matrices)


def physical_point(
    problem: Regressor, physical: Physical, candidate: Floats, check: Callable[[], None]
) -> PhysicalPoint | None:
    """The point near floats of phi, if it is physical and fits every row; else None."""
    parts = [Fraction(float(value)) for value in candidate]
    theta = tuple(Fraction(float(value)) for value in physical.combined(parts))
    for j, (row, lead) in enumerate(zip(physical.rows, physical.leading, strict=True)):
        others = sum((factor * parts[d] for d, factor in row if d != lead), Fraction(0))
        parts[lead] = theta[j] - others
    phi = tuple(parts)
    inside = all(low <= x <= high for x, (low, high) in zip(theta, problem.box, strict=True))
    if not inside or physical.combined(phi) != theta or not is_physical(physical, phi):
        return None
    misses, _ = largest_misses(problem, np.array([[float(value)] for value in theta]), check)
    return PhysicalPoint(theta, phi) if no_less(float(misses[0]), problem.base) == 0 else None
