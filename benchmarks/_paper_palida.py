"""S1's tables I to III and figures 2 and 4 to 7, remade on simulated runs, beside the numbers that S1 prints; and what
no paper has: true digits of linear estimates, and from how many periods on cogging refutes the model, proved.

What differs and why: S1 prints neither dimensions nor bodies nor its trajectories nor the noise of lengths. Ours are
plausible ones (problems/palida), so that standard errors differ in size; the bodies' sums known beforehand are S1's but
for p2 (no real bodies have p2 > p3), friction is S1's maximum likelihood, variances of forces are S1's.
"""

import argparse
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import certify
from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.simulated_run import (
    FORCE_DEVIATIONS,
    OF_FORCES,
    OF_LENGTHS,
    PALIDA,
    PERIODS,
    Run,
    circle,
    exciting_motion,
    simulated_log,
    true_forces,
)
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates
from certify.solvers.periodic_estimates.likelihood import cramer_rao
from certify.text.plain_table import plain_table

SAID = "simulated, never measured"
PICTURE, LARGEST = Path(__file__).parent / "pictures" / "paper_palida.png", 200_000
TRUTH = np.concatenate([BODIES.parameters, FRICTION])
RUNS, REPETITIONS = 100, (1, 2, 4, 8, 16, 32, 64, 256)
ALL_ROWS = 4.6  # deviations: 1200 Gaussian readings lie within with 99.5 %
S1_TABLE_2 = (
    (0.012, 0.004), (0.028, 0.011), (0.017, 0.008), (0.012, 0.004), (0.014, 0.010), (1.8e-3, 1.6e-3), (1.0e-3, 1.1e-3),
    (1.5e-3, 1.2e-3), (1.7e-3, 0.9e-3), (0.007, 0.013), (0.012, 0.021), (0.008, 0.034), (0.406, 0.259), (0.175, 0.208),
    (0.215, 0.446), (0.159, 0.253), (0.087, 0.166), (0.148, 0.208), (0.686, 0.576), (0.894, 0.511), (0.794, 0.530),
    (0.859, 0.636), (1.259, 0.520), (1.075, 0.728),
)  # fmt: skip
S1_TABLE_3 = (
    (-0.227, -0.033, -0.042), (1.127, 1.135, 1.083), (0.866, 1.055, 1.006), (0.440, 0.622, 0.578),
    (-1.201, -1.348, -1.300), (0.298, 0.246, 0.240), (0.269, 0.242, 0.239), (0.132, 0.133, 0.125),
    (1.661, 1.711, 1.698), (16.233, 16.509, 16.329), (0.631, 0.523, 0.420), (0.732, 0.905, 0.862),
    (15.029, 12.658, 11.958), (7.943, 3.256, 2.597), (18.262, 18.905, 14.794), (7.583, 4.662, 4.988),
    (5.380, 4.743, 3.451), (5.498, 5.984, 5.392), (11.452, 16.359, 20.602), (16.521, 18.565, 20.538),
    (16.658, 9.947, 14.218), (19.561, 21.538, 25.279), (20.747, 28.885, 26.050), (16.177, 22.034, 23.137),
)  # fmt: skip
S1_RESIDUALS = {
    "circle": (336.4, 298.4, 992.0, 594.1, 118.4, 186.7), "mirror": (318.5, 168.5, 324.0, 235.3, 562.8, 795.4)
}  # fmt: skip


def run_palida(words: list[str]) -> dict[str, Any]:
    """Print everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks paper --seed PaLiDA")
    parser.add_argument("--runs", type=int, default=RUNS, help="simulated runs (default: %(default)s)")
    parser.add_argument("--repetitions", default=",".join(map(str, REPETITIONS)), help="of one motion, with cogging")
    options = parser.parse_args(words)
    print(f"{SAID}; {(__doc__ or '').split(chr(10) * 2)[1]}")
    began, seconds = time.process_time(), {}
    motion = exciting_motion()
    found = _runs(motion, options.runs)
    seconds["runs"] = time.process_time() - began
    told = {"table I": dict(zip(PALIDA.names, TRUTH.tolist(), strict=True)), "table III": _table_3(found)}
    told["table II"] = _table_2(motion, options.runs)
    told["residuals"] = _residuals(found[0])
    told["certified"] = _certified(found[0])
    began = time.process_time()
    told["cogging"] = _cogging(motion, [int(word) for word in options.repetitions.split(",")])
    seconds["cogging"] = time.process_time() - began
    if not words:
        _draw(motion, found)
    print(f"processor seconds: {', '.join(f'{name} {value:.1f}' for name, value in seconds.items())}\n{SAID}")
    return {"said": SAID, "seconds": seconds, **told}


def _runs(motion: Any, count: int) -> list[PeriodicEstimates]:
    """Everything that is estimated from some logs of ten periods, whose covariances the periods tell."""
    truth = true_forces(Run(motion))
    return [certify.periodic_estimates(simulated_log(Run(motion, seed=k + 1), truth), PALIDA) for k in range(count)]


def hotelling(values: Any, truth: Any) -> float:
    """The p-value of Hotelling's test that the mean of rows is `truth`: T^2 (n - p) / (p (n - 1)) is F(p, n - p)."""
    from scipy.stats import f

    count, size = values.shape
    off = values.mean(0) - truth
    square = count * off @ np.linalg.solve(np.cov(values.T), off)
    return float(f.sf(square * (count - size) / (size * (count - 1)), size, count - size))


def _table_3(found: list[PeriodicEstimates]) -> dict[str, Any]:
    """Means, biases and deviations of all estimators, Hotelling's test, and Cramer and Rao's bound."""
    experiment, first = found[0].experiment, found[0].likelihood.motion
    exact = type(experiment)(
        PALIDA, experiment.times, experiment.readings, experiment.forces, OF_LENGTHS / PERIODS, OF_FORCES / PERIODS
    )
    bound = np.sqrt(np.diag(cramer_rao(exact, TRUTH, first)))
    values = np.array([[one.values for one in run.all] for run in found])
    means, spread = values.mean(0), values.std(0, ddof=1)
    names = [one.name for one in found[0].all]
    headings = ["", "unit", "S1 LS", "S1 GM", "S1 ML", "planted", *(f"{name} bias" for name in names)]
    table = [[*headings, *(f"{name} +-" for name in names), "bound", "ML/bound"]]
    for j, name in enumerate(PALIDA.names):
        biases = [f"{value:.2g}" for value in means[:, j] - TRUTH[j]]
        sizes = [f"{value:.2g}" for value in (*spread[:, j], bound[j])]
        paper = [f"{value:g}" for value in S1_TABLE_3[j]]
        row = [name, PALIDA.units[j], *paper, f"{TRUTH[j]:g}", *biases, *sizes, f"{spread[3, j] / bound[j]:.2f}"]
        table.append(row)
    print(f"S1 table III: {len(found)} runs of {PERIODS} periods\n{plain_table(table)}")
    enough = len(found) > len(TRUTH) + 1
    tests = {name: hotelling(values[:, k], TRUTH) for k, name in enumerate(names)} if enough else {}
    for name, value in tests.items():
        print(f"Hotelling, {name}: p = {value:.3g}, {'not rejected' if value >= 0.01 else 'rejected'} at 1 %")
    ratio = spread[3] / bound
    print(f"ML's deviations are {ratio.min():.2f} to {ratio.max():.2f} of Cramer and Rao's bound\n")
    return {"bias": (means - TRUTH).tolist(), "deviations": spread.tolist(), "bound": bound.tolist(), "p": tests}


def _table_2(motion: Any, count: int) -> dict[str, Any]:
    """Deviations on a motion of small condition number and on one of large information, least squares of harmonics."""
    spreads, determinants = [], []
    for k, chosen in enumerate((exciting_motion(by_condition=True), motion)):
        truth, matrix = true_forces(Run(chosen)), PALIDA.matrix(chosen.at(Run(chosen).times))
        inverse = np.linalg.pinv(matrix.reshape(-1, len(TRUTH)))
        random = np.random.default_rng([k, 5])
        noise = random.standard_normal((count, *truth.shape)) @ np.linalg.cholesky(OF_FORCES / PERIODS).T
        values = (truth + noise).reshape(count, -1) @ inverse.T
        spreads.append(values.std(0, ddof=1))
        determinants.append(float(np.linalg.slogdet(np.cov(values.T))[1]) if count > len(TRUTH) else float("nan"))
    table = [["", "S1 condition", "S1 information", "condition", "information"]]
    for j, name in enumerate(PALIDA.names):
        table.append([name, *(f"{value:g}" for value in S1_TABLE_2[j]), *(f"{part[j]:.2g}" for part in spreads)])
    print(f"S1 table II: least squares along known motions, {count} repetitions of {PERIODS} periods")
    print(f"{plain_table(table)}\nln det of the covariance: {determinants[0]:.2f} and {determinants[1]:.2f}\n")
    return {"deviations": [part.tolist() for part in spreads], "ln det": determinants}


def _residuals(identified: PeriodicEstimates) -> dict[str, Any]:
    """S1 section V: residual variances of one period on the circle and its mirror image, cogging off and on."""
    values, told = identified.likelihood.estimate.values, {}
    table = [["motion", "cogging", *(f"drive {j}" for j in range(1, 7))]]
    table.append(["noise, S1's", "", *(f"{value**2:.0f}" for value in FORCE_DEVIATIONS)])
    for name, mirrored in (("circle", False), ("mirror", True)):
        table.append([f"{name}, S1", "as it is", *(f"{value:g}" for value in S1_RESIDUALS[name])])
        for cogging in (0.0, 1.0):
            log = simulated_log(Run(circle(mirrored), seed=7, cogging=cogging))
            driven = certify.periodic_estimates(log, PALIDA, order=1)
            left = log.forces - PALIDA.forces(driven.likelihood.motion.at(log.times), values)
            variance = (left**2).mean((0, 1))
            table.append([name, "on" if cogging else "off", *(f"{value:.0f}" for value in variance)])
            told[f"{name} {'on' if cogging else 'off'}"] = variance.tolist()
    print(f"S1 section V: residual variances in N^2 (estimated)\n{plain_table(table)}\n")
    return told


def _certified(found: PeriodicEstimates) -> dict[str, Any]:
    """Enclosures of least squares and Gauss-Markov along the estimated motion."""
    plain, white = certify.fit("linear", found.matrix, found.forces), certify.fit("linear", *found.white)
    digits = {name: list(fit.digits.values()) for name, fit in (("LS", plain), ("GM", white))}
    for name, all_digits in digits.items():
        print(f"{name} along the motion that ML estimates: {min(all_digits)} to {max(all_digits)} true digits (proved)")
    print()
    return {"digits": digits}


def _cogging(motion: Any, repetitions: list[int]) -> list[dict[str, Any]]:
    """Means of K periods, each row within 4.6 deviations of its mean's noise: does any p fit?"""
    table, told = [["periods", "cogging", "smallest factor on bounds (checked)", "model", "rows"]], []
    for count in repetitions:
        for cogging in (0.0, 1.0):
            run = Run(motion, periods=count, seed=11, cogging=cogging)
            given = {"of_readings": OF_LENGTHS, "of_forces": OF_FORCES}
            found = certify.periodic_estimates(simulated_log(run), PALIDA, **given)
            bound = np.tile(ALL_ROWS * FORCE_DEVIATIONS / np.sqrt(count), run.samples)
            answer = certify.linear(found.matrix, found.forces, bound, names=PALIDA.names, unit="N").checked()
            told.append(_told(count, cogging, answer))
            table.append([str(count), "on" if cogging else "off", *told[-1]["words"]])
    print(f"means of K periods, bounds {ALL_ROWS:g} deviations of their noise\n{plain_table(table)}\n")
    return told


def _told(count: int, cogging: float, answer: Any) -> dict[str, Any]:
    factor = answer.factor
    lower, upper = (None, None) if factor is None else (factor.lower, factor.upper)
    ends = " .. ".join("?" if end is None else f"{float(end):.6g}" for end in (lower, upper))
    refuted = lower is not None and lower > Fraction(1)
    fits = upper is not None and upper <= Fraction(1)
    rows = [f"drive {row % 6 + 1} at sample {row // 6 + 1}" for row in (factor.rows if factor and refuted else ())]
    words = [ends, "infeasible (proved)" if refuted else "feasible (witness)" if fits else "undecided"]
    words.append(", ".join(rows[:3]) + (f" and {len(rows) - 3} more" if len(rows) > 3 else ""))
    return {"periods": count, "cogging": cogging, "refuted": refuted, "fits": fits, "rows": rows, "words": words}


def _draw(motion: Any, found: list[PeriodicEstimates]) -> None:
    """Figures 2, 4, 5, 6 and 7 on one page."""
    figure, axes = plt.subplots(2, 4, figsize=(13, 6))
    times = Run(motion).times
    pose = motion.at(times)[0]
    axes[0, 0].plot(times, pose[:, :3] - pose[:, :3].mean(0))
    axes[0, 0].set(title="figure 2: displacements [m]", xlabel="t [s]")
    axes[0, 1].plot(times, np.degrees(pose[:, 3:]))
    axes[0, 1].set(title="figure 2: angles [deg]", xlabel="t [s]")
    noise = found[0].noise
    if noise is not None:
        for residuals in noise[1].residuals:
            axes[0, 2].hist(residuals, bins=40, density=True, histtype="step")
        axes[0, 2].set(title="figure 4: noise of drives [N]")
        for axis, part, name in ((axes[0, 3], noise[1], "forces"), (axes[1, 0], noise[0], "lengths")):
            axis.contourf(part.correlation, levels=11, vmin=-1, vmax=1)
            axis.set(title=f"figure 5: correlation of {name}")
    values = np.array([[one.values for one in run.all] for run in found])
    for axis, j in ((axes[1, 1], 4), (axes[1, 2], 9)):
        for k, style in ((0, "--"), (3, "-")):
            axis.hist(values[:, k, j], bins=15, histtype="step", linestyle=style, label=found[0].all[k].name)
        axis.axvline(TRUTH[j], color="k")
        axis.set(title=f"figure 6: {PALIDA.names[j]}")
        axis.legend()
    log = simulated_log(Run(circle(), seed=7, cogging=1.0))
    driven = certify.periodic_estimates(log, PALIDA, order=1)
    left = log.forces[0] - PALIDA.forces(driven.likelihood.motion.at(log.times), values[0, 3])
    axes[1, 3].plot(log.times, left[:, :4], linewidth=0.7)
    axes[1, 3].set(title="figure 7: residuals [N], drives 1 to 4", xlabel="t [s]")
    figure.suptitle("PaLiDA, simulated (estimates)")
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=70)
    plt.close(figure)
    if PICTURE.stat().st_size > LARGEST:
        PICTURE.unlink()
