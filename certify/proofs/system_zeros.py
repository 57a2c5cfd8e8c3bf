"""Boxes around the zeros of a square system, as large as the checker's Krawczyk test accepts: the larger, the less is
left to refute.

A box is blown up from where the engine has proved its zero, by an estimate of the test; then it gets short ends, and an
approximate inverse of few digits, and the checker's arithmetic has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats
from certify.proofs.certificate_text import Zero

FACTORS = (64.0, 8.0, 2.0, 1.2)  # by which all radii of a box grow together
LESS = 0.999  # of a radius
SHARES = (1.0, 0.97, 0.9, 0.75, 0.5, 0.1, 1e-2, 1e-3)  # of the radius that the engine's test accepts
BITS = (6, 10, 20, 52)  # of an entry of the inverse
RADIUS_BITS, CENTRE_BITS = (
    5,
    9,
)  # the ends are multiples of the radius, rounded down to a power of 2, divided by 2 to this power

Accepts = Callable[[Zero], bool]


def zero_boxes(equations: Equations, enclosures: list[Box], domain: Box, accepts: Accepts) -> list[Zero | None]:
    """A box for each enclosed zero; None where the checker's test accepts none."""
    if not enclosures:
        return []
    lower, upper = (np.array([getattr(box, end) for box in enclosures]).T.copy() for end in ("lower", "upper"))
    centre = 0.5 * (lower + upper)
    least = 1e-9 * (np.minimum(1.0, domain.radius)[:, None] + np.abs(centre))
    start = np.maximum(least, 4.0 * (upper - lower))
    radius = _Growth.of(equations, centre, domain).grown(start)
    return [_accepted(equations, centre[:, k], radius[:, k], accepts) for k in range(len(enclosures))]


@dataclass(frozen=True, slots=True)
class _Growth:
    """Krawczyk's test by estimate: whether |C f| + (|I - C J| r) < r."""

    equations: Equations
    centre: Floats  # (variable, zero)
    enough: Floats  # what covers the domain
    inverse: Floats  # (zero, variable, row)
    step: Floats  # (zero, variable): |C f|

    @staticmethod
    def of(equations: Equations, centre: Floats, domain: Box | None, inverse: Floats | None = None) -> _Growth:
        """Of zeros about here; with the inverses at the centres if none are given."""
        values = equations.values(centre, centre)
        with np.errstate(all="ignore"):
            if inverse is None:
                low, high, _ = equations.slopes(centre, centre)
                inverse = _inverses(np.moveaxis(0.5 * (low + high), -1, 0))
            step = np.abs(inverse @ (0.5 * (values.lower + values.upper)).T[..., None])[..., 0]
        ends = (centre, centre) if domain is None else (domain.lower[:, None], domain.upper[:, None])
        enough = np.maximum(ends[1] - centre, centre - ends[0])
        return _Growth(equations, centre, enough, inverse, step)

    @np.errstate(all="ignore")
    def passes(self, radius: Floats) -> Flags:
        """For which zeros the test succeeds with these radii."""
        low, high, known = self.equations.slopes(self.centre - radius, self.centre + radius)
        middle, spread = (np.moveaxis(0.5 * ends, -1, 0) for ends in (low + high, high - low))
        reach = np.abs(self.inverse @ middle - np.eye(radius.shape[0])) + np.abs(self.inverse) @ spread
        moved = self.step + (reach @ radius.T[..., None])[..., 0]
        return np.asarray((moved < LESS * radius.T).all(axis=1) & known)

    def grown(self, radius: Floats) -> Floats:
        """Radii (variable, zero) for which the test still succeeds, none much larger than what covers the domain."""
        growing = self.passes(radius)
        for factor in FACTORS:
            still = growing.copy()
            while still.any():
                larger = np.where(still, np.maximum(radius, np.minimum(factor * radius, self.enough)), radius)
                still &= (larger > radius).any(axis=0)
                still &= self.passes(larger)
                radius = np.where(still, larger, radius)
        return radius


def _inverses(matrices: Floats) -> Floats:
    """By estimate; of what is singular the pseudo-inverse."""
    matrices = np.where(np.isfinite(matrices), matrices, 0.0)
    try:
        return np.asarray(np.linalg.inv(matrices), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(matrices), dtype=np.float64)


def _accepted(equations: Equations, centre: Floats, radius: Floats, accepts: Accepts) -> Zero | None:
    """The largest box with short ends, and the shortest inverse, that the checker's test accepts; it is asked where an
    estimate of the test succeeds.
    """
    for share in SHARES:
        wanted = share * radius
        step = 2.0 ** np.floor(np.log2(wanted))
        half = np.floor(wanted / step * 2.0**RADIUS_BITS) * step * 2.0**-RADIUS_BITS
        middle = np.round(centre / step * 2.0**CENTRE_BITS) * step * 2.0**-CENTRE_BITS
        low, high = middle - half, middle + half
        inverse = _inverse(equations, low, high)
        if inverse is None or not (low < high).all():
            continue
        mantissa, exponent = np.frexp(inverse)
        for bits in BITS:
            short = np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits)
            if not _Growth.of(equations, middle[:, None], None, short[None]).passes(half[:, None])[0]:
                continue
            zero = Zero(tuple(low.tolist()), tuple(high.tolist()), tuple(map(tuple, short.tolist())))
            if accepts(zero):
                return zero
    return None


def _inverse(equations: Equations, low: Floats, high: Floats) -> Floats | None:
    """Of the middle of the derivatives, by estimate."""
    slope_low, slope_high, known = equations.slopes(low[:, None].copy(), high[:, None].copy())
    if not known[0]:
        return None
    try:
        inverse = np.linalg.inv(0.5 * (slope_low + slope_high)[:, :, 0])
    except np.linalg.LinAlgError:
        return None
    return np.asarray(inverse, dtype=np.float64) if np.isfinite(inverse).all() else None


Place = tuple[Sequence[int], Sequence[int], Sequence[Zero]]  # variables, places of equations, zeros


def zeros_together(groups: Sequence[Place]) -> list[Zero]:
    """The zeros of a system made of groups without common variables: all combinations, the last group's first.

    The derivatives are block diagonal, so Krawczyk's test succeeds for a combination where it does for each of its
    zeros.
    """
    size = sum(len(variables) for variables, _, _ in groups)
    found = []
    for zeros in product(*(zeros for _, _, zeros in groups)):
        lower, upper, inverse = np.zeros(size), np.zeros(size), np.zeros((size, size))
        for (variables, equations, _), zero in zip(groups, zeros, strict=True):
            lower[list(variables)], upper[list(variables)] = zero.lower, zero.upper
            inverse[np.ix_(variables, equations)] = zero.inverse
        found.append(Zero(tuple(lower.tolist()), tuple(upper.tolist()), tuple(map(tuple, inverse.tolist()))))
    return found
