"""Boxes around the zeros of a square system, as large as the checker's Krawczyk test accepts: the larger, the less is
left to refute.

A box is blown up from where the engine has proved its zero, in all variables together and then in one after the other,
by the engine's own test; then it gets short ends, and an approximate inverse of few digits, and the checker's
arithmetic has the last word.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.contractors.operators.krawczyk_existence import krawczyk_test
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats
from certify.proofs.certificate_text import Zero

FACTORS = (1.6, 1.25, 1.1)
ROUNDS = 30
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
    radius = _blown_up(equations, centre, start, domain)
    return [_accepted(equations, centre[:, k], radius[:, k], accepts) for k in range(len(enclosures))]


def _blown_up(equations: Equations, centre: Floats, radius: Floats, domain: Box) -> Floats:
    """Radii (variable, zero) with which the engine's test still succeeds, none much larger than what
    covers the domain.
    """

    def passes(candidate: Floats) -> Flags:
        return krawczyk_test(equations, Boxes(centre - candidate, centre + candidate)).unique

    enough = np.maximum(domain.upper[:, None] - centre, centre - domain.lower[:, None])
    started = passes(radius)
    growing = started.copy()
    while growing.any():
        larger = np.where(growing, np.maximum(radius, np.minimum(2.0 * radius, enough)), radius)
        growing &= (larger > radius).any(axis=0)
        growing &= passes(larger)
        radius = np.where(growing, larger, radius)
    for factor in FACTORS:
        for _ in range(ROUNDS):
            some = False
            for v in range(centre.shape[0]):
                larger = radius.copy()
                larger[v] *= factor
                good = started & (radius[v] < enough[v]) & passes(larger)
                some |= bool(good.any())
                radius = np.where(good, larger, radius)
            if not some:
                break
    return radius


def _accepted(equations: Equations, centre: Floats, radius: Floats, accepts: Accepts) -> Zero | None:
    """The largest box with short ends, and the shortest inverse, that the checker's test accepts."""
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
