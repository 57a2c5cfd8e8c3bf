"""The forces of PaLiDA's six drives, linear in S1's 24 parameters (table I), for many instants at once.

    Q = W(pose, dpose/dt, d2pose/dt2) p = J^-T w + friction of the drives

The wrench w is that of the platform, with the sliders' masses at B_j, and of each strut by the coordinates of its own,
alpha, beta and q (Lagrange), with sigma = a . e, dh/dt = sigma dbeta/dt, g = 9.81 m/s^2 and z up:

    T = alpha'^2 (p1 + p2 h^2) / 2 + p3 beta'^2 / 2 + p5 q (alpha'^2 h^2 + beta'^2),     V = g (p4 + p5) e_z
    tau_alpha = (d/dt) dT/dalpha' + g (p4 + p5) h b_z + r_alpha sign alpha'
    tau_beta  = (d/dt) dT/dbeta' - dT/dbeta + g (p4 + p5) c_z + r_beta sign beta'
    tau_q     = -p5 (alpha'^2 h^2 + beta'^2)
    F_B = b tau_alpha / (q h) + c tau_beta / q + e tau_q     acts at B_j
    Q_j also has r_j sign q_j' + v_j q_j'

What this takes of the bodies (`bodies.py`): axes alpha, beta and the strut meet in A_j; ring, stator and slider have
their principal axes along the joints' axes; first moments of stator and slider are along the strut, that of the ring is
0, that of the platform along its z; the joints B_j lie such that the sliders' masses there add no products. S1 calls p5
s_y3; its own sums of inertias (I_yy2 + I_zz3 of p1) put slider 3's z along the strut: it is the slider's first moment
along the strut, from B_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.problems.palida.geometry import (
    AXES,
    STRUTS,
    Struts,
    Vector,
    angular_columns,
    coordinates,
    cross,
    dot,
    plus,
    rows_of_jacobian,
    spread,
    struts,
    times,
)
from certify.problems.palida.jets import Jet, inverse
from certify.problems.regressors.regressor import Floats

GRAVITY = 9.81  # m/s^2
RIGID = tuple(f"p{k}" for k in range(1, 11))
DRIVES = range(1, STRUTS + 1)
NAMES = (*RIGID, "r_alpha", "r_beta", *(f"r{j}" for j in DRIVES), *(f"v{j}" for j in DRIVES))
UNITS = (
    *["kg.m^2"] * 3, "kg.m", "kg.m", *["kg.m^2"] * 3, "kg.m", "kg", "Nm", "Nm", *["N"] * STRUTS, *["Ns/m"] * STRUTS
)  # fmt: skip
WITH_WRENCH = 12  # the parameters whose forces go through the platform


@dataclass(frozen=True, eq=False)
class Motion:
    """What moves how: v, omega and their rates, and of each strut the rates of alpha, beta and q, by components."""

    at: Struts
    omega: Vector
    turning: Vector
    acceleration: Vector
    alpha: Any
    beta: Any
    speed: Any
    alpha_rate: Any
    beta_rate: Any
    sigma: Any


def motion(pose: Sequence[Any], velocity: Sequence[Any], acceleration: Sequence[Any]) -> Motion:
    """Of the six coordinates and their derivatives in time: arrays, balls or jets."""
    at = struts(pose)
    first, second, third = angular_columns(pose[3:])
    rates, changes = velocity[3:], acceleration[3:]
    omega = plus(times(rates[0], first), times(rates[1], second), times(rates[2], third))
    base = plus(times(rates[1], second), times(rates[2], third))  # what turns the first column
    drift = plus(times(rates[0], cross(base, first)), times(rates[1], cross(times(rates[2], third), second)))
    turning = plus(times(changes[0], first), times(changes[1], second), times(changes[2], third), drift)
    wide = spread(omega)
    swing = cross(wide, at.arms)
    speed_b = plus(spread(velocity[:3]), swing)
    change_b = plus(spread(acceleration[:3]), cross(spread(turning), at.arms), cross(wide, swing))
    sigma = dot(AXES, at.directions)
    over = inverse(at.lengths)
    over_h = inverse(at.lever)
    speed = dot(speed_b, at.directions)
    alpha, beta = dot(speed_b, at.second) * over * over_h, dot(speed_b, at.third) * over
    alpha_rate = (dot(change_b, at.second) * over_h - 2.0 * speed * alpha) * over - 2.0 * alpha * beta * sigma * over_h
    beta_rate = (dot(change_b, at.third) - 2.0 * speed * beta) * over + alpha * alpha * at.lever * sigma
    return Motion(at, omega, turning, _of(acceleration), alpha, beta, speed, alpha_rate, beta_rate, sigma)


def _of(acceleration: Sequence[Any]) -> Vector:
    return acceleration[0], acceleration[1], acceleration[2]


def wrenches(moving: Motion, change: float = 0.0) -> list[list[Any]]:
    """Of each of the twelve parameters the six components of w per unit; `change` is that of `signs`, in rad/s."""
    of_struts = _of_struts(moving, change)
    return [*of_struts[:5], *_of_platform(moving), *of_struts[5:]]


def _of_struts(moving: Motion, change: float) -> list[list[Any]]:
    """Of p1 .. p5, r_alpha and r_beta: (tau_alpha, tau_beta, tau_q), and what these are at the platform."""
    at, h, q, sigma = moving.at, moving.at.lever, moving.at.lengths, moving.sigma
    alpha, beta, speed = moving.alpha, moving.beta, moving.speed
    swung, square = 2.0 * h * sigma * alpha * beta, h * h
    hanging = GRAVITY * h * at.second[2], GRAVITY * at.third[2]
    bent = alpha * alpha * h * sigma
    pulled = 2.0 * (q * square * moving.alpha_rate + speed * square * alpha + q * swung)
    twisted = 2.0 * (q * moving.beta_rate + speed * beta - q * bent)
    none = None
    torques = [
        (moving.alpha_rate, none, none),
        (square * moving.alpha_rate + swung, -bent, none),
        (none, moving.beta_rate, none),
        (*hanging, none),
        (pulled + hanging[0], twisted + hanging[1], -(alpha * alpha * square + beta * beta)),
        (signs(alpha, change), none, none),
        (none, signs(beta, change), none),
    ]
    over = inverse(q)
    ways = times(over * inverse(h), at.second), times(over, at.third), at.directions
    return [_at_platform(at, ways, torque) for torque in torques]


def _at_platform(at: Struts, ways: Sequence[Vector], torques: Sequence[Any]) -> list[Any]:
    forces = plus(*(times(torque, way) for torque, way in zip(torques, ways, strict=True) if torque is not None))
    return [part.sum(-1) for part in (*forces, *cross(at.arms, forces))]


def _of_platform(moving: Motion) -> list[list[Any]]:
    """Of p6 .. p10: inertias along the platform's axes, first moment along its z, mass."""
    axes, omega = moving.at.rotation, moving.omega
    inner = [dot(axis, omega) for axis in axes]
    change = [dot(axis, moving.turning) for axis in axes]
    ahead = plus(moving.acceleration, (0.0, 0.0, GRAVITY))
    found: list[list[Any]] = []
    for k in range(3):
        one, two = (k + 1) % 3, (k + 2) % 3
        parts = {k: change[k], one: inner[two] * inner[k], two: -(inner[k] * inner[one])}
        nothing = inner[0] * 0.0
        found.append([nothing, nothing, nothing, *plus(*(times(value, axes[i]) for i, value in parts.items()))])
    swung = plus(cross(moving.turning, axes[2]), cross(omega, cross(omega, axes[2])))
    found.append([*swung, *cross(axes[2], ahead)])
    found.append([*ahead, nothing, nothing, nothing])
    return found


def signs(values: Any, change: float = 0.0) -> Any:
    """Of arrays; of a jet those of its values, taken as constants, which they are where no value is 0 in its box. With
    a `change` of arrays tanh(values / change), which is smooth.
    """
    if change:
        return np.tanh(values / change)
    if isinstance(values, Jet):
        return values * 0.0 + signs(values.value)
    return np.sign(values if isinstance(values, np.ndarray) else values.middle)


def regressor(
    pose: Floats, velocity: Floats, acceleration: Floats, changes: tuple[float, float] = (0.0, 0.0)
) -> Floats:
    """W in N per unit of the parameters, (..., 6 drives, 24): of poses (..., 6) and their derivatives in time. Dry
    friction changes its sign at once, or within speeds of passive joints and drives, in rad/s and m/s.
    """
    moving = motion(*(coordinates(np.asarray(part)) for part in (pose, velocity, acceleration)))
    matrix = np.stack(rows_of_jacobian(moving.at), axis=-2)
    right = np.stack([np.stack(column, axis=-1) for column in wrenches(moving, changes[0])], axis=-1)
    through = np.linalg.solve(matrix, right)
    own = np.eye(STRUTS)
    speed = moving.speed[..., None]
    return np.asarray(np.concatenate([through, signs(speed, changes[1]) * own, speed * own], axis=-1))
