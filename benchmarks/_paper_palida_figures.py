"""S1's figures 2 and 4 to 7, remade on simulated runs of PaLiDA, on one page."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import certify
from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.simulated_run import PALIDA, Run, circle, simulated_log
from certify.solvers.design.criteria import Criterion
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates

PICTURE, LARGEST = Path(__file__).parent / "pictures" / "paper_palida.png", 200_000
TRUTH = np.concatenate([BODIES.parameters, FRICTION])
DESIGNED = ("p1", "p9", "v4")  # of figure 6; S1 has three, too


def draw(found: list[PeriodicEstimates], repeated: dict[Criterion, Any], place: Path = PICTURE) -> bool:
    """Write the page; False where it is too large to be kept."""
    figure = Figure(figsize=(17, 6), layout="constrained")
    axes = figure.subplots(2, 5)
    _motion(axes[0, :2], found[0])
    _noise(axes[0, 2:], found[0])
    _designs(axes[1, :3], repeated)
    _residuals(axes[1, 3:], found[0].likelihood.estimate.values)
    figure.suptitle("PaLiDA, simulated (estimates), after S1")
    figure.savefig(place, dpi=65)
    if place.stat().st_size > LARGEST:
        place.unlink()
    return place.exists()


def _motion(axes: Any, found: PeriodicEstimates) -> None:
    times = found.log.times
    pose = found.likelihood.motion.in_time(times)[0]
    axes[0].plot(times, pose[:, :3] - pose[:, :3].mean(0))
    axes[0].set(title="figure 2: displacements [m]", xlabel="t [s]")
    axes[1].plot(times, np.degrees(pose[:, 3:]))
    axes[1].set(title="figure 2: angles [deg]", xlabel="t [s]")


def _noise(axes: Any, found: PeriodicEstimates) -> None:
    if found.noise is None:
        return
    readings, forces = found.noise
    for residuals in forces.residuals:
        axes[0].hist(residuals, bins=40, density=True, histtype="step")
    axes[0].set(title="figure 4: noise of drives", xlabel="N")
    for axis, part, name in ((axes[1], forces, "forces"), (axes[2], readings, "lengths")):
        axis.contourf(part.correlation, levels=11, vmin=-1, vmax=1)
        axis.set(title=f"figure 5: correlation of {name}")


def _designs(axes: Any, repeated: dict[Criterion, Any]) -> None:
    """Normal distributions of what the condition number's motion (dotted) and D's estimate."""
    for axis, name in zip(axes, DESIGNED, strict=True):
        j = PALIDA.names.index(name)
        for one, style in ((Criterion.CONDITION, ":"), (Criterion.D, "-")):
            mean, deviation = repeated[one][:, j].mean(), repeated[one][:, j].std(ddof=1)
            at = np.linspace(-4.0, 4.0, 200)
            axis.plot(mean + deviation * at, np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi) / deviation, style, color="k")
        axis.axvline(TRUTH[j], color="r", linewidth=0.7)
        axis.set(title=f"figure 6: {name} (dotted: condition)", xlabel=PALIDA.units[j])


def _residuals(axes: Any, values: Any) -> None:
    """One period of the circle, which identified nothing, with cogging: drives 1 and 2, 3 and 4."""
    log = simulated_log(Run(circle(), seed=7, cogging=1.0))
    driven = certify.periodic_estimates(log, PALIDA, order=1)
    left = log.forces[0] - PALIDA.forces(driven.likelihood.motion.in_time(log.times), values)
    for axis, drives in zip(axes, ((0, 1), (2, 3)), strict=True):
        axis.plot(log.times, left[:, drives], linewidth=0.7)
        axis.set(title=f"figure 7: residuals, drives {drives[0] + 1}, {drives[1] + 1}", xlabel="t [s]", ylabel="N")
