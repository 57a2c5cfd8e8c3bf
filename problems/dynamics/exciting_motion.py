"""Motions that excite what is to be identified: slow ones for friction, fast ones for inertias.

    x_j(t) = middle_j + sum over n of amplitude_j / f_n sin(2 pi f_n t + phase_jn),  each half in a smooth window

The first half has slow frequencies, the second fast ones; phases are drawn with a seed. The window and its first two
derivatives vanish at both ends of a half, so that the robot starts, changes over and ends at rest in the middle of the
workspace.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.regressors.regressor import Floats

RISE = 0.4  # s, from rest to the full motion


@dataclass(frozen=True, slots=True)
class Excitation:
    """The middle of the motion and its largest deviation, by coordinate in m and rad; the frequencies of its halves in
    Hz; the share of the deviation that the fast half has.
    """

    middle: tuple[float, ...]
    reach: tuple[float, ...]
    slow: tuple[float, ...] = (0.35, 0.6)
    fast: tuple[float, ...] = (1.9, 3.1, 4.4)
    fast_share: float = 0.8


def exciting_poses(excitation: Excitation, seconds: float, rate: float, seed: int) -> Floats:
    """Poses of the reference, (samples, coordinates), `rate` of them in a second."""
    random = np.random.default_rng([seed, 4])
    samples = round(seconds * rate)
    half = samples // 2
    reach = np.array(excitation.reach)
    slow = _multisine(np.arange(half) / rate, excitation.slow, reach, random)
    fast = excitation.fast_share * _multisine(np.arange(samples - half) / rate, excitation.fast, reach, random)
    found: Floats = np.array(excitation.middle) + np.concatenate([slow, fast])
    return found


def _multisine(time: Floats, frequencies: tuple[float, ...], reach: Floats, random: np.random.Generator) -> Floats:
    """A windowed sum of sines for each coordinate, of this largest deviation."""
    f = np.array(frequencies)
    phases = random.uniform(0.0, 2.0 * np.pi, (len(reach), len(f)))
    sines = (np.sin(2.0 * np.pi * f * time[:, None, None] + phases) / f).sum(-1)
    sines = sines * _window(time)[:, None]
    found: Floats = reach * sines / np.abs(sines).max(axis=0)
    return found


def _window(time: Floats) -> Floats:
    """From 0 to 1 and back, by the polynomial of fifth degree whose first two derivatives vanish at both ends."""
    part = np.clip(np.minimum(time, time[-1] - time) / min(RISE, time[-1] / 2.0), 0.0, 1.0)
    found: Floats = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
    return found
