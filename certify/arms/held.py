"""Which parameters of a new arm are held: those that its poses do not tell apart from others, and those that they
hardly determine beside what the model leaves out.

    rows r + J s of the free parameters, s in radii;   s0 = argmin |r + J s|^2 / |r + J s0|^2 + |s|^2 / n,  n rows
    a direction v, |v| = 1, is hardly determined if |J v| < SHARE |r + J s0|

A least-squares fit would follow such directions as far as they go, because they explain next to nothing. Of each the
parameter with the largest share is held, never base or tool if another one has a share. All of it is estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.parts.redundancy import Redundancy, combined, redundancy
from certify.problems.arms.model import ArmModel
from certify.problems.experiments.experiment import Experiment, rounded_centre
from certify.problems.experiments.held import held
from certify.problems.experiments.toml_reader import load_experiment
from certify.solvers.fits.plain_fit import least_squares, residuals

SHARE = 0.03  # of what the fit leaves: on measured arms gauges come to 0.01, and what can be fitted to 0.07
TAKES_PART = 0.1  # of the largest share
ROUNDS = 6


def held_parameters(path: Path, model: ArmModel) -> tuple[tuple[str, ...], list[str]]:
    """The names of what is held, and how that is told."""
    experiment = load_experiment(path)
    order = preferred(model)
    found = redundancy(experiment, None, order)
    names, lines = list(found.given_up), _told(found)
    hardly = _hardly_determined(held(experiment, names), order)
    if hardly:
        lines.append(
            "held as well, because beside what the model leaves out their whole range changes next to nothing "
            f"(estimated): {', '.join(hardly)}."
        )
    if not (names or hardly):
        return (), ["the poses tell all free parameters apart (estimated, to first order)."]
    return (*names, *hardly), [*lines, "--redundant leave leaves all of them free."]


def joint_fit(path: Path) -> dict[str, Fraction]:
    """The least-squares fit to all equations of a problem file together, in the units in which their errors are told;
    estimated, in steps of a radius at most.
    """
    experiment = load_experiment(path)
    problem = experiment.problem(experiment.nominal)
    start = np.array([float(value) for value in experiment.nominal])
    longest = np.array([float(variable.radius) for variable in experiment.variables])
    found = least_squares(problem.blocks, tuple(range(len(problem.families))), start, longest=longest)
    units = [variable.unit for variable in experiment.variables]
    values = rounded_centre(found.x.tolist(), units)
    return dict(zip((variable.name for variable in experiment.variables), values, strict=True))


def preferred(model: ArmModel) -> list[str]:
    """What is rather given up: the first joint's frame, which the base has already, then tilts, shifts and offsets from
    the tip to the base; never base and tool as long as others will do.
    """
    joints = range(len(model.arm.joints), 0, -1)
    order = ["t1", "o1", "tilt1", *(f"{kind}{k}" for kind in ("tilt", "t", "o") for k in joints)]
    numbers = {item.name: item.numbers for item in model.items}
    return [name for item in dict.fromkeys(order) for name in numbers.get(item, ())]


def _hardly_determined(experiment: Experiment, order: Sequence[str]) -> list[str]:
    """What is held beside the redundant parameters."""
    values, slopes = _rows(experiment)
    left = [variable.name for variable in experiment.variables]
    found: list[str] = []
    while len(left) > 1:
        _, sizes, directions = np.linalg.svd(np.linalg.qr(_weighed(values, slopes), mode="r"))
        if sizes[-1] >= SHARE:
            break
        shares = np.abs(directions[-1]) / np.abs(directions[-1]).max()
        own = [k for k, name in enumerate(left) if name in order and shares[k] > TAKES_PART]
        worst = max(own or range(len(left)), key=lambda k: float(shares[k]))
        found.append(left.pop(worst))
        slopes = [np.delete(block, worst, axis=1) for block in slopes]
    return found


def _rows(experiment: Experiment) -> tuple[list[Floats], list[Floats]]:
    """The values of the rows at the blueprint and their slopes by radii, in one block for each unit."""
    problem = experiment.problem(experiment.nominal)
    x = np.array([float(value) for value in experiment.nominal])
    radii = np.array([float(variable.radius) for variable in experiment.variables])
    blocks: dict[str, list[tuple[Floats, Floats]]] = {}
    for n, family in enumerate(problem.families):
        rows = problem.blocks[n]
        value, slope = residuals(rows, x, 0.5 * (rows.lower + rows.upper))
        known = np.isfinite(slope).all(axis=1) & np.isfinite(value)
        blocks.setdefault(family.unit, []).append((value[known], slope[known] * radii))
    pairs = list(blocks.values())
    return [np.concatenate([v for v, _ in pair]) for pair in pairs], [np.vstack([s for _, s in pair]) for pair in pairs]


def _weighed(values: Sequence[Floats], slopes: Sequence[Floats]) -> Floats:
    """The slopes in parts of what a fit within about the radii leaves of the rows of their unit."""
    sizes = [max(float(np.linalg.norm(v)), 1e-12) for v in values]
    for _ in range(ROUNDS):
        matrix = np.vstack([block / size for block, size in zip(slopes, sizes, strict=True)])
        right = np.concatenate([v / size for v, size in zip(values, sizes, strict=True)])
        count = matrix.shape[1]
        step = np.linalg.lstsq(
            np.vstack([matrix, np.eye(count) / np.sqrt(len(right))]), np.append(-right, np.zeros(count)), rcond=None
        )[0]
        sizes = [max(float(np.linalg.norm(v + b @ step)), 1e-12) for v, b in zip(values, slopes, strict=True)]
    return np.vstack([block / size for block, size in zip(slopes, sizes, strict=True)])


def _told(found: Redundancy) -> list[str]:
    """What is given up, and what is determined instead."""
    if not found.given_up:
        return []
    sums = [combined(found, combination) for combination in found.together.combinations]
    idle = [found.variables[v].name for v in found.together.idle]
    told = [
        f"held at the description's values, because the poses do not tell them apart from others (estimated, to first "
        f"order): {', '.join(found.given_up)}."
    ]
    if sums:
        told.append(f"what the poses determine instead: {'; '.join(sums)}.")
    if idle:
        told.append(f"nothing that is measured changes with {', '.join(idle)}.")
    return told
