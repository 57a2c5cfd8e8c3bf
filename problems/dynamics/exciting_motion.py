"""Motions that excite what is to be identified: slow ones for friction, fast ones for inertias.

    x_j(t) = middle_j + sum over n of amplitude_j / f_n sin(2 pi f_n t + phase_jn),  each half in a smooth window

The first half has slow frequencies, the second fast ones; phases are drawn with a seed. The window and its first two
derivatives vanish at both ends of a half, so that the robot starts, changes over and ends at rest in the middle of the
workspace.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.h4_geometry import CHAINS, START, Floats

SLOW, FAST = (0.35, 0.6), (1.9, 3.1, 4.4)  # Hz
REACH = np.array([0.085, 0.085, 0.05, 0.5])  # m and rad: what the motion's largest deviation is scaled to
FAST_SHARE = 0.8  # of that reach
RISE = 0.4  # s, from rest to the full motion


def exciting_poses(seconds: float, rate: float, seed: int) -> Floats:
    """Poses of the reference, (samples, 4), `rate` of them in a second."""
    random = np.random.default_rng([seed, 4])
    samples = round(seconds * rate)
    half = samples // 2
    slow = _multisine(np.arange(half) / rate, SLOW, random)
    fast = FAST_SHARE * _multisine(np.arange(samples - half) / rate, FAST, random)
    found: Floats = START + np.concatenate([slow, fast])
    return found


def _multisine(time: Floats, frequencies: tuple[float, ...], random: np.random.Generator) -> Floats:
    """A windowed sum of sines for each coordinate, of the largest deviation REACH."""
    f = np.array(frequencies)
    phases = random.uniform(0.0, 2.0 * np.pi, (CHAINS, len(f)))
    sines = (np.sin(2.0 * np.pi * f * time[:, None, None] + phases) / f).sum(-1)
    sines = sines * _window(time)[:, None]
    found: Floats = REACH * sines / np.abs(sines).max(axis=0)
    return found


def _window(time: Floats) -> Floats:
    """From 0 to 1 and back, by the polynomial of fifth degree whose first two derivatives vanish at both ends."""
    part = np.clip(np.minimum(time, time[-1] - time) / min(RISE, time[-1] / 2.0), 0.0, 1.0)
    found: Floats = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
    return found
