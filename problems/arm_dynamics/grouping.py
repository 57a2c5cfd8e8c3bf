"""Base parameters: of columns that no motion can tell apart, one stands for all (Gautier's elimination).

    W phi = W_base theta,      theta_j = phi_j + sum over dependent d of K_jd phi_d        for every motion

Which columns depend on others, and K, is found at random motions of the arm in floats (Gram-Schmidt, from the first
link to the last and from first moments to masses, so that a link's mass is told by links before it). Entries of K that
are decimals of few places within rounding, as products of lengths of a URDF are, are these decimals. What is proved is
about the columns W_base and the combinations as they are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from certify.problems.arm_dynamics.links import Floats
from certify.problems.arm_dynamics.parameters import POSITIVE, WIDE, ArmModel
from certify.problems.regressors.physical import BODY, Physical, physical

ORDER = ("mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyz", "Izz", "Iyy", "m")  # which of a link's columns are kept first
SAMPLES, SEED = 150, 1
DEPENDENT = 1e-9  # of a column's length: less left of it is rounding
VANISHING = 1e-11  # of the longest column's length: a column that is shorter is 0 but for rounding
PLACES, NEAR = 10, 1e-11  # decimal places of exact entries of K, and how near to them floats are
NOTHING = 1e-9  # entries of K that are smaller, relative to the lengths of columns


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which columns are kept, and by parameter of the model the parts that it has beside: (number, factor)."""

    model: ArmModel
    kept: tuple[int, ...]
    parts: tuple[tuple[tuple[int, Fraction], ...], ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Those of the kept columns, with an R where others are regrouped with them."""
        return tuple(
            self.model.names[k] + ("R" if parts else "") for k, parts in zip(self.kept, self.parts, strict=True)
        )

    @property
    def units(self) -> tuple[str, ...]:
        """Of the parameters."""
        return tuple(self.model.units[k] for k in self.kept)

    @property
    def unseen(self) -> tuple[str, ...]:
        """Parameters that no torque depends on."""
        seen = {*self.kept, *(d for parts in self.parts for d, _ in parts)}
        return tuple(name for k, name in enumerate(self.model.names) if k not in seen)

    def physical(self) -> Physical:
        """What real bodies, friction and rotors obey."""
        names, count = self.model.names, self.model.links.count
        positive = [*(f"{name}{k}" for name in POSITIVE for k in range(1, count + 1) if f"{name}{k}" in names)]
        bodies = [[f"{name}{k}" for name in BODY] for k in range(1, count + 1)]
        rows = [
            {names[k]: Fraction(1), **{names[d]: factor for d, factor in parts}}
            for k, parts in zip(self.kept, self.parts, strict=True)
        ]
        return physical(names, positive, bodies, rows, self._energy().tolist())

    def _energy(self) -> Floats:
        """Kinetic energy, summed over random motions, and what friction and rotors add, as a function of theta."""
        q, dq, _ = _motions(self.model)
        fast = self.model.matrix(q, np.zeros_like(dq), dq) - self.model.matrix(q, np.zeros_like(dq), np.zeros_like(dq))
        found: Floats = np.einsum("nj,njp->p", dq, fast)[list(self.kept)] / len(q)
        for place, k in enumerate(self.kept):
            if k >= WIDE * self.model.links.count:
                found[place] = 1.0
        return found


def grouping(model: ArmModel) -> Grouping:
    """The base parameters of an arm."""
    q, dq, ddq = _motions(model)
    matrix = model.matrix(q, dq, ddq).reshape(-1, len(model.names))
    lengths = np.linalg.norm(matrix, axis=0)
    lengths[lengths < VANISHING * lengths.max()] = 0.0
    basis = np.zeros((len(matrix), 0))
    kept: list[int] = []
    for k in _order(model):
        column = matrix[:, k]
        if not lengths[k]:
            continue
        for _ in range(2):  # twice is enough
            column = column - basis @ (basis.T @ column)
        left = np.linalg.norm(column)
        if left > DEPENDENT * lengths[k]:
            kept.append(k)
            basis = np.column_stack([basis, column / left])
    kept.sort()
    others = [k for k in range(len(model.names)) if k not in kept and lengths[k]]
    scaled = matrix[:, kept] / lengths[kept]
    shares = np.linalg.lstsq(scaled, matrix[:, others] / lengths[others], rcond=None)[0]
    parts = []
    for row, k in enumerate(kept):
        factors = [
            (d, _told(float(share * lengths[d] / lengths[k])))
            for d, share in zip(others, shares[row], strict=True)
            if abs(share) > NOTHING
        ]
        parts.append(tuple(factors))
    return Grouping(model, tuple(kept), tuple(parts))


def _motions(model: ArmModel) -> tuple[Floats, Floats, Floats]:
    """Joint values, velocities and accelerations, drawn always the same."""
    random = np.random.default_rng(SEED)
    shape = (SAMPLES, model.links.count)
    q = random.uniform(-np.pi, np.pi, shape)
    q = np.where(model.links.slides, q / np.pi, q)
    return q, 2.0 * random.standard_normal(shape), 5.0 * random.standard_normal(shape)


def _order(model: ArmModel) -> list[int]:
    """From the first link to the last, behind them the joints' own."""
    links = [WIDE * k + BODY.index(name) for k in range(model.links.count) for name in ORDER]
    return [*links, *range(len(links), len(model.names))]


def _told(factor: float) -> Fraction:
    """The decimal of few places that it is within rounding, or the shortest one that means this double."""
    short = Fraction(round(factor * 10**PLACES), 10**PLACES)
    return short if abs(float(short) - factor) <= NEAR * max(1.0, abs(factor)) else Fraction(repr(factor))
