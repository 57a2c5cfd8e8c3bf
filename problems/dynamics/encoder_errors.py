"""What the steps of encoders leave in a log's equations: intervals of W, through filters and derivatives.

    |reading - angle| <= half a step =: h          each reading for itself
    |(F reading - F angle)_i| <= h sum_k |f_k|     of a linear filter F with the impulse response f; of central
                                                   differences of it, that of (f_k+1 - f_k-1) / (2 dt), and so on
    W in interval arithmetic at these q, dq, ddq; then the filter of the columns, whose radii are sums of |g_k| radius_k

The responses' absolute sums are those of 2 SPAN + 1 doubles, a millionth more; beyond they decay to less than that.
Near the ends of a log filters know one side only: by its mirrored continuation no reading counts more than six times
what the response has beyond the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from certify.problems.dynamics.balls import Balls
from certify.problems.dynamics.joint_log import JointLog
from certify.problems.dynamics.signal_chain import Chain, Regression, check_chain, low_pass
from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

EnclosedRows = Callable[[Balls, Balls, Balls], Balls]
SPAN = 8192  # samples to either side
MORE = 1 + 1e-6  # what sums of doubles and what is left beyond the span cannot exceed
MIRRORED = 6.0  # weights at the ends of a log, in multiples of those of the response beyond them
FILTERED = 1e-9  # of a column's largest entry: more than the filter's own arithmetic errs
ARITHMETIC = 4e-12  # of the largest reading: the same, at the lowest cut-offs that `response` takes (measured: 1e-12)


@dataclass(frozen=True, eq=False)
class Response:
    """What a filter makes of one reading, from -SPAN to SPAN; `tails[d]`: the most that is d samples away or more."""

    values: Floats
    tails: Floats

    def sum(self) -> float:
        """The most that errors of 1 become."""
        return float(np.abs(self.values).sum()) * MORE

    def at_ends(self, samples: int) -> Floats:
        """The most that mirrored continuations add, sample by sample."""
        distance = np.minimum(np.arange(samples), np.arange(samples)[::-1])
        return np.asarray(MIRRORED * self.tails[np.minimum(distance, SPAN)])


@dataclass(frozen=True, eq=False)
class EnclosedRegression:
    """The equations with half-widths of W, and at how many of their instants a velocity may be 0."""

    rows: Regression
    half_widths: Floats
    still: int


def response(cut_off: float, order: int, rate: float) -> Response:
    """That of the low-pass, forwards and backwards. Its tails are those of |c| backwards and forwards, c being that of
    one pass, which no sum of products exceeds.
    """
    from scipy.signal import butter, fftconvolve, sosfilt

    impulse = np.zeros(2 * SPAN + 1)
    impulse[SPAN] = 1.0
    values = low_pass(impulse, cut_off, order, rate)
    once = np.abs(sosfilt(butter(order, cut_off, fs=rate, output="sos"), impulse)[SPAN:])
    both = np.abs(fftconvolve(once, once[::-1]))[SPAN:] + 1e-15 * once.sum() ** 2  # what reaches 0, 1, 2, ... samples
    beyond = 2 * np.cumsum(both[::-1])[::-1] + once.sum() * np.cumsum(once[::-1])[::-1]
    if beyond[-SPAN // 4] > 1e-9 * once.sum() ** 2:
        raise InputError(
            f"the filter at {cut_off:g} Hz remembers more than {SPAN // 2} samples at {rate:.6g} Hz; raise the "
            f"cut-off, or record slower"
        )
    return Response(values, beyond * MORE + 1e-9 * once.sum() ** 2)


def reading_errors(samples: int, half_step: float, chain: Chain, rate: float) -> tuple[Floats, Floats, Floats]:
    """By sample how far filtered angles, and their first and second differences, may be off."""
    found, dt = response(chain.cut_off, chain.order, rate), 1.0 / rate
    ends = found.at_ends(samples)
    first = np.gradient(found.values)
    second = np.gradient(first)
    angle = half_step * (found.sum() + ends)
    near = np.maximum.reduce([ends, np.roll(ends, 1), np.roll(ends, -1), np.roll(ends, 2), np.roll(ends, -2)])
    speed = half_step * (np.abs(first).sum() * MORE + near) / dt
    change = half_step * (np.abs(second).sum() * MORE + near) / dt**2
    crude = 2.0 * float(angle.max())
    speed[[0, -1]] = crude / dt
    change[[0, 1, -2, -1]] = 2.0 * crude / dt**2
    return angle, speed, change


def with_arithmetic(radii: Sequence[Floats], signals: Floats, rate: float) -> list[Floats]:
    """Radii of filtered angles and both differences, (samples, joints), with what the filter's arithmetic errs."""
    own = ARITHMETIC * np.abs(signals).max(axis=0)
    return [radius + (2.0 * rate) ** k * own for k, radius in enumerate(radii)]


def enclosed_chain(log: JointLog, chain: Chain, step: float, rows: EnclosedRows) -> EnclosedRegression:
    """The equations of a log whose encoders have this step; `rows` encloses W where q, dq and ddq lie in balls."""
    if not (np.isfinite(step) and step > 0):
        raise InputError(f"--encoder-step {step:g}: give the angle between two readings that are next to each other")
    edge, keep = check_chain(chain, log.rate, len(log.times), log.joints.shape[1])
    q = low_pass(log.joints, chain.cut_off, chain.order, log.rate)
    dq = np.gradient(q, 1.0 / log.rate, axis=0)
    ddq = np.gradient(dq, 1.0 / log.rate, axis=0)
    radii = [radius[:, None] for radius in reading_errors(len(q), step / 2, chain, log.rate)]
    radii = with_arithmetic(radii, log.joints, log.rate)
    balls = [Balls(middle, radius) for middle, radius in zip((q, dq, ddq), radii, strict=True)]
    inside = slice(edge // 2, len(q) - edge // 2)
    matrix = rows(*(ball[inside] for ball in balls))
    return _filtered(log, chain, balls[1], matrix, inside, keep)


def _filtered(log: JointLog, chain: Chain, speed: Balls, matrix: Balls, inside: slice, keep: int) -> EnclosedRegression:
    """The columns and torques through the second filter, on the samples inside, and what of them is kept."""
    cut_off = chain.cut_off / 2.0
    found = response(cut_off, chain.order, log.rate)
    both = np.concatenate([matrix.middle, chain.torques(log.drives)[inside, :, None]], axis=-1)
    both = low_pass(both, cut_off, chain.order, log.rate)
    count = len(both)
    first = round(chain.left_out * log.rate) - inside.start
    chosen = slice(first, count - first, keep)
    radius = filtered_radius(found, matrix)
    instants, joints, width = both[chosen].shape
    flat = both[chosen].reshape(-1, width)
    times = np.repeat(log.times[inside][chosen], joints)
    rows = Regression(flat[:, :-1].copy(), flat[:, -1].copy(), np.tile(np.arange(joints), instants), times)
    still = np.abs(speed.middle) <= speed.radius
    return EnclosedRegression(rows, radius[chosen].reshape(-1, width - 1).copy(), int(still[inside][chosen].sum()))


def filtered_radius(found: Response, columns: Balls) -> Floats:
    """How far columns, (samples, joints, some), may be off behind a filter with this response."""
    radius = _spread(found, columns.radius)
    radius += FILTERED * np.abs(columns.middle).max(axis=0)
    radius += found.at_ends(len(columns.middle))[:, None, None] * columns.radius.max(axis=0)
    return np.asarray(radius)


def _spread(found: Response, radius: Floats) -> Floats:
    """Sums of |g_k| radius_(i-k), rounded up."""
    from scipy.signal import fftconvolve

    near = min(len(radius) - 1, SPAN)
    weights = np.abs(found.values)[SPAN - near : SPAN + near + 1]
    whole = fftconvolve(radius, weights[:, None, None], mode="full", axes=0)
    start = len(weights) // 2
    most = radius.max(axis=0) * np.abs(found.values).sum()
    return np.asarray(whole[start : start + len(radius)] * MORE + 1e-12 * most)
