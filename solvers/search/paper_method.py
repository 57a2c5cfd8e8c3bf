"""The paper's own search for the smallest model error (S2, section 5.2.1), kept for comparison: bisection on epsilon
with a time-out that doubles.

A solver is asked for a point that does with epsilon. It answers that there is none (epsilon is a lower end), or with
the error of a point that does or that lies in a box too narrow to be divided (an upper end), or not at all in the time
it has: then there may be a continuum of solutions, and epsilon is moved towards the lower end. Where it comes too near
to it the time is doubled and epsilon is set to the middle again. Nothing here is a proof; whoever solves keeps what a
proof needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

FIRST_DELAY = 1.0  # seconds for the first attempts
NEAR = Fraction(1, 8)  # of the distance between the ends: closer to the lower one epsilon is not moved


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the solver found out for one epsilon: that nothing is feasible (`refuted`), a point whose error is `found`,
    or neither in its time.
    """

    refuted: bool
    found: Fraction | None = None


def bisect(
    solve: Callable[[Fraction, float], Attempt],
    upper: Fraction,
    gap: Fraction,
    resolution: Fraction,
    remaining: Callable[[], float],
    shortened: Callable[[Fraction], Fraction],
) -> tuple[Fraction, Fraction]:
    """The ends reached from [0, upper] until they are close enough or no time remains; `solve` gets epsilon and
    seconds, `shortened` rounds it.
    """
    lower, delay = Fraction(0), FIRST_DELAY
    epsilon = shortened(upper / 2)
    while upper - lower > max(gap * upper, resolution) and lower < epsilon < upper and (left := remaining()) > 0.0:
        attempt = solve(epsilon, min(delay, left))
        if attempt.refuted:
            lower = epsilon
        elif attempt.found is not None:
            upper = min(upper, attempt.found)
        elif epsilon - lower > NEAR * (upper - lower):
            epsilon = shortened((lower + epsilon) / 2)
            continue
        else:
            delay *= 2.0
        epsilon = shortened((lower + upper) / 2)
    return lower, upper
