"""What is said of estimates from motions that repeat: all are called estimated; beside them what is proved stands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from certify.periodic.stationary import StationaryPoint
from certify.regressors.identified import Identified
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates
from certify.solvers.periodic_estimates.noise import Noise
from certify.text.decimals import round_up, show
from certify.text.plain_table import plain_table

LEVEL, QUANTILE = 0.01, 2.5758  # of tests; 99 % of a normal distribution lie within so many deviations


def periodic_lines(answer: Identified, found: PeriodicEstimates) -> list[str]:
    """A table of all estimates, what noise alone leaves of each parameter, and what the bound leaves."""
    table = [["parameter", "unit", "LS", "GM", "ML", "ML +-", "noise (99 %)", "bound (proved)"]]
    halves = bounded_halves(answer)
    deviations = found.likelihood.estimate.deviations
    for j, name in enumerate(answer.problem.names):
        values = [f"{one.values[j]:.4g}" for one in (found.squares, found.gauss_markov, found.likelihood.estimate)]
        half = "" if (own := halves[j]) is None else show(own)
        shares = [f"{deviations[j]:.2g}", f"{QUANTILE * deviations[j]:.3g}", half]
        table.append([name, answer.problem.units[j], *values, *shares])
    last = found.likelihood
    return [
        f"Estimates from {found.log.periods} periods of {found.log.period:.6g} s, {len(found.log.times)} samples each:",
        plain_table(table),
        "LS and GM take W of filtered readings to be exact; ML estimates the motion too. The last two columns are half "
        "of the width that noise leaves of ML (estimated), and half of the interval that every row within its bound "
        "leaves: what is wider than noise is room for errors of the model.",
        f"ML: {last.steps} steps, the last one {last.last:.1e} standard errors; w = {last.motion.pulsation:.9g} rad/s "
        f"(estimated).",
        *_noise_lines(found),
    ]


def bounded_halves(answer: Identified) -> list[Fraction | None]:
    """Half of each interval, rounded up to three digits, where both ends are known."""
    return [None if low is None or high is None else round_up((high - low) / 2, 3) for low, high in answer.box]


def _noise_lines(found: PeriodicEstimates) -> list[str]:
    if found.noise is None:
        return []
    told = []
    for name, noise, unit in zip(
        ("readings", "forces"),
        found.noise,
        (found.experiment.model.reading_unit, found.experiment.model.force_unit),
        strict=True,
    ):
        sizes = ", ".join(f"{value:.3g}" for value in noise.deviations)
        off = noise.correlation - np.eye(len(noise.covariance))
        told.append(
            f"Noise of {name} (estimated): deviations {sizes} {unit}; correlations across channels up to "
            f"{float(np.abs(off).max()):.2f}, of neighbours in time up to {float(np.abs(noise.neighbours).max()):.2f}; "
            f"{gaussian_words(noise)}."
        )
    return told


def gaussian_words(noise: Noise) -> str:
    """Whether tests reject that noise is Gaussian, where they could be made."""
    least = float(min(noise.normal.min(), noise.shapiro.min()))
    if np.isnan([*noise.normal, *noise.shapiro]).any():
        return "whether it is Gaussian was not tested, for which a channel needs 20 readings"
    said = "tests do not reject" if noise.gaussian_at(LEVEL) else "a test rejects"
    return f"{said} that it is Gaussian at {LEVEL:.0%} (smallest p-value {least:.2g})"


def stationary_lines(point: StationaryPoint) -> list[str]:
    """Whether the likelihood has one stationary point next to the estimate."""
    if point.share is None:
        return [f"Whether the likelihood of {point.unknowns} unknowns has one stationary point there is undecided."]
    return [
        f"The likelihood of {point.unknowns} unknowns (12 n + 31) has exactly one stationary point within "
        f"{point.share:g} standard errors (estimated) of the middle of a box, unknown by unknown (proved here by "
        f"Krawczyk's theorem in outward-rounded arithmetic, of instants, mean lengths, mean forces and weights as "
        f"doubles; no certificate). The middle is at most {show(round_up(Fraction(point.moved), 2))} of them off the "
        f"estimate."
    ]


def periodic_record(found: PeriodicEstimates) -> dict[str, Any]:
    """For scripts."""
    last = found.likelihood
    return {
        "periods": found.log.periods,
        "estimated": {
            one.name: {"values": one.values.tolist(), "deviations": one.deviations.tolist()} for one in found.all
        },
        "frequency": last.motion.pulsation,
        "steps": last.steps,
        "covariances": None if found.noise is None else [noise.covariance.tolist() for noise in found.noise],
    }
