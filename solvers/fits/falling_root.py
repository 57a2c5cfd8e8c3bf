"""Where a falling function of one number crosses zero, by secants: each of its values is dear, and an estimate.

The function must be positive at `low`. A point beyond the crossing is looked for by secants that grow 64-fold at most;
then secants from both sides, aimed a little beyond the estimated crossing so that they end beyond it, close the
bracket.
"""

from __future__ import annotations

from collections.abc import Callable

GROWTH, LEAST_GROWTH = 64.0, 1.25
MOST_VALUES = 40
Point = tuple[float, float]


def falling_root(
    value: Callable[[float], float], low: Point, guess: float, largest: float, tolerance: float
) -> float | None:
    """A number where the value is not positive, within `tolerance` of itself of the estimated crossing; None if there
    is none up to `largest`.
    """
    high = (guess, value(guess))
    for _ in range(MOST_VALUES):
        if high[1] <= 0.0 or high[0] >= largest:
            break
        slope = (low[1] - high[1]) / (high[0] - low[0])
        reach = high[0] + 1.01 * high[1] / slope if slope > 0.0 else GROWTH * high[0]
        low, further = high, min(max(reach, LEAST_GROWTH * high[0]), GROWTH * high[0], largest)
        high = (further, value(further))
    return None if high[1] > 0.0 else _closed(value, low, high, tolerance)


def _closed(value: Callable[[float], float], low: Point, high: Point, tolerance: float) -> float:
    """The upper end of a bracket when its secant's crossing is near it."""
    for count in range(MOST_VALUES):
        width = high[0] - low[0]
        crossing = low[0] + width * low[1] / (low[1] - high[1])
        if high[0] - crossing <= tolerance * high[0] or width <= tolerance * high[0]:
            break
        aim = (
            crossing + 0.5 * tolerance * high[0] if count % 3 < 2 else low[0] + 0.5 * width
        )  # a bisection now and then: no end stays for good
        at = min(aim, low[0] + 0.999 * width)
        point = (at, value(at))
        low, high = (point, high) if point[1] > 0.0 else (low, point)
    return high[0]
