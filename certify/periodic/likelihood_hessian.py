"""Gradient and Hessian of PaLiDA's likelihood over a box of all unknowns, enclosed: p, xi by coordinates, and w.

    f = sum of |D (l - q(z))|^2 / 2 + |S (Q - A(z) p)|^2 / 2,   z = (pose, velocity, acceleration) = B(w) xi
    M = q_z' D'D q_z + (A p)_z' S'S (A p)_z - sum c_j (second derivatives),   c = D'D (l - q), S'S (Q - A p)
    H = sum T' M T + g_z d2z,   T = dz / d(xi, w)

Local derivatives by z are those of jets of balls; the chain to xi and w is linear but for w, whose two derivatives of B
are those of a jet in w. Signs of friction are constants: a box in which a joint may stand still at a sample is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.periodic.ball_matrices import joined, moved, piled, stretched, times, total, turned
from certify.problems.dynamics.balls import Balls
from certify.problems.palida.geometry import STRUTS, rows_of_jacobian
from certify.problems.palida.jets import Jet, cosine, inverse, sine, solved, stacked
from certify.problems.palida.regressor import NAMES, WITH_WRENCH, motion, signs, wrenches
from certify.problems.regressors.regressor import Floats
from certify.solvers.periodic_estimates.likelihood import Experiment
from certify.solvers.periodic_estimates.noise import whitening

COORDINATES, LOCAL, SIZE = 6, 18, len(NAMES)


@dataclass(frozen=True, eq=False)
class _Local:
    """Of all samples: what is read and driven as jets by z, A (N, 6, p) and its derivatives (18, N, 6, p)."""

    lengths: Jet
    forces: Jet
    matrix: Balls
    slopes: Balls


def enclosed_hessian(experiment: Experiment, order: int, point: Floats, radius: Floats) -> tuple[Balls, Balls] | None:
    """Gradient and Hessian everywhere within `radius` of `point`; None where a joint may stand still."""
    box, count, width = Balls.of(point, radius), len(experiment.times), 2 * order + 1
    flat = box[SIZE:-1]
    xi = turned(Balls(*(half.reshape(COORDINATES, width) for half in (flat.middle, flat.radius))))
    functions = _functions(order, box[-1:], experiment.times)
    at = [times(part, xi) for part in functions]
    local = _local(at[0], box[:SIZE])
    if local is None:
        return None
    ways = [Balls.of(whitening(part)) for part in (experiment.of_readings, experiment.of_forces)]
    weights = [times(turned(way), way) for way in ways]
    left = Balls.of(experiment.readings) - local.lengths.value, Balls.of(experiment.forces) - local.forces.value
    pulls = [times(part, weight) for part, weight in zip(left, weights, strict=True)]
    pairs = zip((local.lengths, local.forces), pulls, weights, strict=True)
    (g_read, m_read, _), (g_driven, m_driven, slope) = (_by_motion(*pair, count) for pair in pairs)
    gradient, bend = g_read + g_driven, m_read + m_driven
    mixed = times(times(slope, weights[1]), local.matrix)
    mixed = mixed - total(moved(local.slopes, 0, 1) * pulls[1][:, None, :, None], 2)
    own = total(times(times(turned(local.matrix), weights[1]), local.matrix), 0)
    pulled = -total(total(local.matrix * pulls[1][..., None], 1), 0)
    chain = _chain(functions[0], at[1], width)
    inner = total(times(times(turned(chain), bend), chain), 0) + _drift(gradient, functions[1], at[2], width)
    outer = total(times(turned(chain), mixed), 0)
    of_motion = total(times(gradient[:, None], chain), 0)[0]
    whole = joined([joined([own, turned(outer)], 1), joined([outer, inner], 1)], 0)
    return joined([pulled, of_motion], 0), whole


def _functions(order: int, frequency: Balls, instants: Floats) -> list[Balls]:
    """B, (3, N, 2 n + 1), and its two derivatives by w."""
    one = np.ones((len(instants), order))
    turns = Balls.of(instants)[:, None] * Balls.of(np.arange(1.0, order + 1))[None]
    wave = Jet(frequency[None] * Balls.of(one), Balls.of(one[None]), Balls.of(0.0 * one[None, None]))
    rate, angle = wave * Balls.of(one * np.arange(1.0, order + 1)), wave * turns
    s, c, over = sine(angle), cosine(angle), inverse(rate)
    zero = wave[..., :1] * 0.0
    rows = [[zero + 1.0, s * over, -(c * over)], [zero, c, s], [zero, -(s * rate), c * rate]]
    parts: list[Balls] = []
    for derivative in range(3):
        picked = [joined([_derivative(jet, derivative) for jet in row], 1) for row in rows]
        parts.append(piled(picked, 0))
    return parts


def _derivative(jet: Jet, number: int) -> Any:
    return (jet.value, jet.first, jet.second)[number][(0,) * number]


def _local(at: Balls, values: Balls) -> _Local | None:
    """Jets by z; A's of first order."""
    count = at.middle.shape[1]
    jets = []
    for part in range(3):
        for c in range(COORDINATES):
            first = np.zeros((LOCAL, count))
            first[part * COORDINATES + c] = 1.0
            jets.append(Jet(at[part, :, c], Balls.of(first), Balls.of(np.zeros((LOCAL, LOCAL, 1)))))
    moving = motion(jets[:6], jets[6:12], jets[12:])
    if not all((np.abs(v.value.middle) > v.value.radius).all() for v in (moving.speed, moving.alpha, moving.beta)):
        return None
    columns, matrix = wrenches(moving), stacked(rows_of_jacobian(moving.at), -2)
    wrench = [sum((column[k] * values[j] for j, column in enumerate(columns)), start=0.0) for k in range(6)]
    dry, viscous = values[WITH_WRENCH : WITH_WRENCH + STRUTS], values[WITH_WRENCH + STRUTS :]
    forces = solved(matrix, stacked(wrench)) + signs(moving.speed) * dry + moving.speed * viscous
    flat, speed, own = _flat(matrix), _flat(moving.speed), np.eye(STRUTS)
    through = [solved(flat, _flat(stacked(column))) for column in columns]
    direct = [part * own[j] for part in (signs(speed), speed) for j in range(STRUTS)]
    shape = (LOCAL, count, STRUTS)
    slopes = piled([stretched(one.first, shape) for one in (*through, *direct)], -1)
    return _Local(moving.at.lengths, forces, piled([one.value for one in (*through, *direct)], -1), slopes)


def _flat(jet: Jet) -> Jet:
    """Without second derivatives."""
    return Jet(jet.value, jet.first)


def _by_motion(jet: Jet, pull: Balls, weight: Balls, count: int) -> tuple[Balls, Balls, Balls]:
    """Gradient (N, 18), Hessian (N, 18, 18) and slopes (N, 18, channels) of one kind of residuals."""
    first = stretched(jet.first, (LOCAL, count, STRUTS))
    second = stretched(jet.second, (LOCAL, LOCAL, count, STRUTS))
    slope = moved(first, 0, 1)
    bent = moved(total(second * pull[None, None], -1), 2, 0)
    return turned(-total(first * pull[None], -1)), times(times(slope, weight), turned(slope)) - bent, slope


def _chain(functions: Balls, moved_by_w: Balls, width: int) -> Balls:
    """T = dz / d(xi, w), (N, 18, 6 width + 1)."""
    halves = []
    for basis, turning in ((functions.middle, moved_by_w.middle), (functions.radius, moved_by_w.radius)):
        half = np.zeros((basis.shape[1], LOCAL, COORDINATES * width + 1))
        for part in range(3):
            for c in range(COORDINATES):
                half[:, part * COORDINATES + c, c * width : (c + 1) * width] = basis[part]
                half[:, part * COORDINATES + c, -1] = turning[part, :, c]
        halves.append(half)
    return Balls(*halves)


def _drift(gradient: Balls, by_w: Balls, twice: Balls, width: int) -> Balls:
    """g_z times the second derivatives of z: by xi and w, and twice by w."""
    picked = [[gradient[:, part * COORDINATES + c, None] * by_w[part] for part in range(3)] for c in range(COORDINATES)]
    mixed = joined([total(joined(parts, 0), 0) for parts in picked], 0)
    last = [gradient[:, part * COORDINATES + c] * twice[part, :, c] for part in range(3) for c in range(COORDINATES)]
    corner = total(joined(last, 0), 0)
    halves = []
    for edge, end in ((mixed.middle, corner.middle), (mixed.radius, corner.radius)):
        half = np.zeros((COORDINATES * width + 1,) * 2)
        half[:-1, -1] = half[-1, :-1] = edge
        half[-1, -1] = end
        halves.append(half)
    return Balls(*halves)
