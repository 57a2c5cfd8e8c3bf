"""Orientations of raw readings as Euler angles, with what is stated about their accuracy carried over to first order.

half-widths h of a quaternion:  |J| h        covariance C:  k sqrt(diag(J C J')),      J the derivatives of the angles
(problems/geometry/rotations.py)
"""

from __future__ import annotations

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.geometry.rotations import Floats, quaternion_angles
from certify.problems.readings.readings import ANGLES, COVARIANCE, DEVIATION, HALF_WIDTH, QUATERNION, Readings
from certify.problems.readings.repetitions import unwrapped

SMALLEST_COSINE = 0.087  # of beta: 85 degrees
SMALLEST_QUATERNION = 1e-6
ROUNDED = 1e-3  # of its terms: what a variance of 0 may become by covariances that are printed with few digits


def oriented(readings: Readings, sigmas: float, place: str) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Columns with Euler angles in degrees, those of a pose without jumps of a turn, and the half-widths that the table
    states, by column.

    A stated standard deviation counts `sigmas` times; `place` names the table in messages.
    """
    columns = {name: values for name, values in readings.columns.items() if name not in (*ANGLES, *QUATERNION)}
    stated = {
        key[0]: values * (sigmas if key[-1] == DEVIATION else 1.0)
        for key, values in readings.stated.items()
        if key[-1] != COVARIANCE
    }
    if readings.quaternions:
        angles, widths = _of_quaternions(readings, sigmas, place)
        stated = {name: values for name, values in stated.items() if name not in QUATERNION} | widths
    else:
        angles = np.stack([readings.columns[name] for name in ANGLES], axis=1)
    steep = np.flatnonzero(np.abs(np.cos(np.radians(angles[:, 1]))) < SMALLEST_COSINE)
    if steep.size:
        pose, beta = readings.poses[readings.pose[steep[0]]], angles[steep[0], 1]
        raise InputError(
            f"{place}: beta of pose {shown(pose)} is {beta:.1f} deg, and near 90 deg alpha and gamma mean little; "
            "turn the frame of the target (or of the camera) by 90 deg about another axis"
        )
    columns |= {name: unwrapped(angles[:, k], readings.pose) for k, name in enumerate(ANGLES)}
    return columns, stated


def _of_quaternions(readings: Readings, sigmas: float, place: str) -> tuple[Floats, dict[str, Floats]]:
    values = np.stack([readings.columns[name] for name in QUATERNION], axis=1)
    short = np.flatnonzero(np.sqrt((values**2).sum(axis=1)) < SMALLEST_QUATERNION)
    if short.size:
        pose = readings.poses[readings.pose[short[0]]]
        raise InputError(
            f"{place}: the quaternion of pose {shown(pose)} is {values[short[0]].tolist()}, which is no "
            f"rotation; correct it"
        )
    angles, slopes = quaternion_angles(values)
    for role in (HALF_WIDTH, DEVIATION):
        given = [readings.stated[name, role] for name in QUATERNION if (name, role) in readings.stated]
        if 0 < len(given) < len(QUATERNION):
            raise InputError(
                f"{place}: {len(given)} of the four components of the quaternion have a {role}; give it for all four"
            )
        if given and role == HALF_WIDTH:
            widths = np.einsum("nij,jn->ni", np.abs(slopes), np.array(given))
        elif given:
            covariance = _covariances(readings, np.array(given))
            variances = np.einsum("nij,njk,nik->ni", slopes, covariance, slopes)
            allowed = ROUNDED * np.einsum("nij,njk,nik->ni", np.abs(slopes), np.abs(covariance), np.abs(slopes))
            if (variances < -allowed).any():
                worst = readings.poses[int((variances + allowed).min(axis=1).argmin())]
                raise InputError(
                    f"{place}: the covariances of the quaternion of pose {shown(worst)} give a negative variance; "
                    f"correct them"
                )
            widths = sigmas * np.sqrt(np.maximum(variances, 0.0))
        else:
            continue
        return angles, {name: widths[:, k] for k, name in enumerate(ANGLES)}
    return angles, {}


def _covariances(readings: Readings, deviations: Floats) -> Floats:
    """The covariance matrices (n, 4, 4); those that are not stated are 0."""
    matrices = np.zeros((deviations.shape[1], len(QUATERNION), len(QUATERNION)))
    for i, first in enumerate(QUATERNION):
        matrices[:, i, i] = deviations[i] ** 2
        for j, second in enumerate(QUATERNION[:i]):
            matrices[:, i, j] = matrices[:, j, i] = readings.stated.get((second, first, COVARIANCE), 0.0)
    return matrices
