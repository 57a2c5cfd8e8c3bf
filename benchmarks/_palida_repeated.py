"""D-optimal motions of PaLiDA beside those of the condition number, over repetitions with noise of forces and lengths
(S1 section IV C, table II).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from certify.problems.motions.noise import whitening
from certify.problems.motions.palida_motion import palida_excited
from certify.problems.palida.geometry import forward_kinematics, inverse_kinematics
from certify.problems.palida.regressor import regressor
from certify.problems.palida.simulated_run import OF_FORCES, OF_LENGTHS, PERIODS, SAMPLES
from certify.problems.periodic.fourier import basis, even_phases
from certify.solvers.design.criteria import Criterion
from certify.solvers.design.descent import Effort
from certify.solvers.design.designed import Designed, Plan, design
from certify.solvers.limits import Limit
from certify.text.plain_table import plain_table

BOTH = (Criterion.D, Criterion.CONDITION)


def palida_repeated(evaluations: int, repetitions: int) -> dict[str, Any]:
    """Two designs from the same start, least squares of all repetitions."""
    found, seconds = palida_designs(evaluations)
    every = {one: repeated_estimates(found[one], repetitions) for one in BOTH}
    told = {}
    for k, estimator in enumerate(("least squares", "Gauss-Markov")):
        print(f"{estimator}:")
        told[estimator] = _told(found, {one: every[one][:, k] for one in BOTH})
    gains = {one.value: found[one].gain for one in BOTH}
    print(f"predicted: as many times the readings that a median first motion would need: {gains}")
    return told | {"CPU s": {one.value: seconds[one] for one in BOTH}}


def palida_designs(evaluations: int) -> tuple[dict[Criterion, Designed], dict[Criterion, float]]:
    """By D and by the condition number, from the same start, and the processor seconds of each."""
    found, seconds = {}, {}
    for one in BOTH:
        before = time.process_time()
        found[one] = _design(one, evaluations)
        seconds[one] = round(time.process_time() - before, 1)
        print(f"{one.value}: {found[one].evaluations} evaluations, {seconds[one]} s of processor time", flush=True)
    return found, seconds


def _design(criterion: Criterion, evaluations: int) -> Designed:
    robot = palida_excited().limited(None, 0.95)
    plan = Plan(criterion, 5, (robot.seconds, robot.seconds), "column", OF_FORCES, 1, 4)
    return design(robot, plan, Effort(evaluations, Limit.of(3000)), lambda *_: None)


def repeated_estimates(found: Designed, repetitions: int) -> Any:
    """By repetition all parameters, by least squares and by Gauss and Markov: forces on one period, poses from lengths,
    derivatives from a series.
    """
    motion, phases = found.motion, even_phases(SAMPLES)
    x, v, a = motion.at(phases)
    forces, true = regressor(x, v, a) @ found.robot.nominal, inverse_kinematics(x)
    terms = basis(phases, motion.harmonics)
    fit = np.linalg.pinv(terms[0])
    rates = motion.pulsation ** np.arange(3)
    random, whiten = np.random.default_rng(11), whitening(OF_FORCES)
    values = []
    for _ in range(repetitions):
        read = true + random.multivariate_normal(np.zeros(6), OF_LENGTHS / PERIODS, SAMPLES)
        series = fit @ forward_kinematics(read, x)
        w = regressor(*(rate * part @ series for rate, part in zip(rates, terms, strict=True)))
        y = forces + random.multivariate_normal(np.zeros(6), OF_FORCES / PERIODS, SAMPLES)
        values.append([_squares(w, y), _squares(whiten @ w, y @ whiten.T)])
    return np.array(values)


def _squares(w: Any, y: Any) -> Any:
    return np.linalg.lstsq(w.reshape(-1, w.shape[-1]), y.ravel(), rcond=None)[0]


def _told(found: dict[Criterion, Designed], estimates: dict[Criterion, Any]) -> dict[str, Any]:
    robot = palida_excited()
    sigma = {one: estimates[one].std(axis=0, ddof=1) for one in BOTH}
    bias = {one: estimates[one].mean(axis=0) - robot.nominal for one in BOTH}
    rows = [("parameter", "unit", "sigma, condition", "sigma, D", "ratio", "bias, condition", "bias, D")]
    for k, (name, unit) in enumerate(zip(robot.parameters, robot.parameter_units, strict=True)):
        own, other = sigma[Criterion.D][k], sigma[Criterion.CONDITION][k]
        off = [f"{bias[one][k]:.2g}" for one in reversed(BOTH)]
        rows.append((name, unit, f"{other:.3g}", f"{own:.3g}", f"{other / own:.2f}", *off))
    print(plain_table(rows))
    volumes = log_determinants(found, estimates)
    ratio = float(np.exp((volumes["condition"] - volumes["D"]) / (2 * len(robot.parameters))))
    conditions = {one.value: float(np.exp(found[one].information.value(Criterion.CONDITION))) for one in BOTH}
    print(f"ln det of the covariance over {len(estimates[Criterion.D])} repetitions (scaled): {volumes}")
    print(
        f"condition numbers of whitened scaled W: {conditions}; deviations, condition / D: {ratio:.2f} (geometric mean)"
    )
    return {
        "ln det of covariance": volumes, "deviations, condition / D": ratio, "condition numbers": conditions,
        "sigma": {one.value: dict(zip(robot.parameters, sigma[one].tolist(), strict=True)) for one in BOTH},
        "smaller by D": int((sigma[Criterion.D] < sigma[Criterion.CONDITION]).sum()),
    }  # fmt: skip


def log_determinants(found: dict[Criterion, Designed], estimates: dict[Criterion, Any]) -> dict[str, float]:
    """Of the covariances over repetitions, parameters in units of the design's scales."""
    scales = found[Criterion.D].scales
    return {one.value: float(np.linalg.slogdet(np.cov((estimates[one] / scales).T))[1]) for one in BOTH}
