"""The gains of the Par4's amplifiers as S4 measures them: each arm pushes at rest on a fixed force sensor.

    F_k L = G_i V_k - stiction + noise                 for a set of voltages, up and down
    G_i = L sum V_k F_k / sum V_k^2                    least squares; Gamma_i = G_i V_i (eq. 24)

Dry friction holds back some of the torque, to either side as the arm settles, which is what the gains are off by.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS
from certify.problems.par4.geometry import ARM
from certify.problems.par4.plant import Plant

VOLTAGES = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
FORCE_NOISE = 1.0  # N, standard deviation of the sensor


def measured_gains(plant: Plant, seed: int = 0) -> tuple[float, ...]:
    """In N m/V, by chain, rounded to 0.01."""
    random = np.random.default_rng([seed, 6])
    volts = np.concatenate([VOLTAGES, -VOLTAGES, VOLTAGES[::-1], -VOLTAGES[::-1]])
    shape = (CHAINS, len(volts))
    stiction = np.array(plant.coulomb)[:, None] * random.uniform(-1.0, 1.0, shape)
    forces = (np.array(plant.gains)[:, None] * volts - stiction) / ARM + FORCE_NOISE * random.standard_normal(shape)
    found = ARM * (forces @ volts) / (volts @ volts)
    return tuple(round(float(gain), 2) for gain in found)
