"""D-optimal motions beside those of the condition number (S1 table II, figure 6), and what designs bring to proved
intervals.

    python -m benchmarks design [--robot palida] [--repetitions 100] [--evaluations 600] [--noise 0.3]

Each motion of the H4 is run by so many simulated robots in closed loop, whose motors have noise and nothing that the
model lacks but the encoders' steps and friction's smooth change of sign; each log goes through the same filters, and is
identified by least squares. The covariance over the repetitions is measured, not predicted. Then one log of each motion
is identified with one bound for all: the widths of the intervals are proved.

Of PaLiDA forces and lengths have the noise of its simulation, means of ten periods; as in S1 poses are those of direct
kinematics, and a Fourier series through them has the derivatives. The noise of lengths is not in the designs.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks._palida_repeated import palida_repeated
from certify.problems.dynamics.controlled_motion import RATE
from certify.problems.dynamics.signal_chain import Chain, Regression, signal_chain
from certify.problems.h4.motion import Loop, simulate_motion
from certify.problems.h4.plant import GAIN, Plant
from certify.problems.h4.torques import regressor
from certify.problems.motions.h4_motion import h4_excited
from certify.problems.motions.trajectory import trajectory
from certify.solvers.design.criteria import Criterion
from certify.solvers.design.descent import Effort
from certify.solvers.design.designed import Designed, Plan, design
from certify.solvers.limits import Limit
from certify.text.plain_table import plain_table

PERIODS, BOUND = 2, 2.5  # Nm, of the proved intervals: what no row of any log exceeds by much
BOTH = (Criterion.D, Criterion.CONDITION)
FIGURE = ("I_mot1", "M_nac", "F_v1")
PICTURE = Path(__file__).parent / "results" / "design.png"


def run(words: list[str]) -> dict[str, Any]:
    """Designs, repetitions, intervals."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks design")
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--evaluations", type=int, default=600)
    parser.add_argument("--noise", type=float, default=0.3, help="Nm, standard deviation of the motors' torque")
    parser.add_argument("--robot", choices=("h4", "palida"), default="h4")
    options = parser.parse_args(words)
    if options.robot == "palida":
        return palida_repeated(options.evaluations, options.repetitions)
    designs = {one: _design(one, options.evaluations, options.noise) for one in Criterion}
    found: dict[str, Any] = {"designs": [_told(one, *designs[one]) for one in Criterion]}
    print(plain_table([tuple(found["designs"][0]), *(tuple(map(str, one.values())) for one in found["designs"])]))
    motions = {one: designs[one][0] for one in Criterion}
    counts = {one: options.repetitions if one in BOTH else 1 for one in Criterion}
    logs = {one: _identified(motion, counts[one], options.noise) for one, motion in motions.items()}
    logs_undesigned = _identified(replace(motions[Criterion.D], motion=motions[Criterion.D].median), 1, options.noise)
    found["repetitions"] = _repetitions(logs, motions[Criterion.D].scales)
    found["intervals"] = _intervals(
        {one.value: rows for one, (rows, _) in logs.items()} | {"undesigned": logs_undesigned[0]}
    )
    return found


def _design(criterion: Criterion, evaluations: int, noise: float) -> tuple[Designed, float]:
    """From the same first motions, and its processor seconds."""
    robot = h4_excited().limited(None)
    plan = Plan(criterion, 5, (robot.seconds, robot.seconds), "column", noise**2 * np.eye(4), 1, 4)
    before = time.process_time()
    found = design(robot, plan, Effort(evaluations, Limit.of(3000)), lambda *_: None)
    return found, time.process_time() - before


def _told(criterion: Criterion, found: Designed, seconds: float) -> dict[str, Any]:
    values = {f"{one.value} (predicted)": round(found.information.value(one), 2) for one in Criterion}
    return {"criterion": criterion.value, **values, "gain": round(found.gain, 2), "CPU s": round(seconds, 1)}


def _identified(found: Designed, repetitions: int, noise: float) -> tuple[Regression, Any]:
    """The rows of the first log, and least-squares estimates of all."""
    poses = trajectory(found.motion, PERIODS, RATE, found.motion.period).moved[0]
    plant = replace(Plant().as_modelled(), current_noise=noise)
    logs = simulate_motion(Loop(plant, seeds=tuple(range(1, repetitions + 1)), poses=poses))
    rows = [signal_chain(log, Chain(gain=GAIN), regressor) for log in logs]
    return rows[0], np.array([np.linalg.lstsq(one.matrix, one.torques, rcond=None)[0] for one in rows])


def _repetitions(logs: dict[Criterion, tuple[Regression, Any]], scales: Any) -> dict[str, Any]:
    """Table II and figure 6."""
    robot = h4_excited()
    estimates = {one: logs[one][1] for one in BOTH}
    deviations = {one: values.std(axis=0, ddof=1) for one, values in estimates.items()}
    rows = [("parameter", "unit", *(f"sigma, {one.value}" for one in BOTH), "condition / D")]
    for k, (name, unit) in enumerate(zip(robot.parameters, robot.parameter_units, strict=True)):
        own = [deviations[one][k] for one in BOTH]
        rows.append((name, unit, *(f"{value:.3g}" for value in own), f"{own[1] / own[0]:.2f}"))
    print(plain_table(rows))
    volumes = {one.value: _log_det(values / scales) for one, values in estimates.items()}
    size = len(robot.parameters)
    print(f"ln det of the covariance over {len(estimates[Criterion.D])} repetitions (scaled): {volumes}")
    ratio = float(np.exp((volumes["condition"] - volumes["D"]) / (2 * size)))
    print(f"deviations by the condition number are {ratio:.2f} times those of D, in the geometric mean along axes")
    _figure(estimates)
    sigma = {one.value: dict(zip(robot.parameters, deviations[one].tolist(), strict=True)) for one in BOTH}
    return {"ln det of covariance": volumes, "deviations, condition / D": ratio, "sigma": sigma}


def _log_det(values: Any) -> float:
    return float(np.linalg.slogdet(np.cov(values.T))[1])


def _figure(estimates: dict[Criterion, Any]) -> None:
    """Normal distributions of three parameters, of D and of the condition number."""
    from matplotlib.figure import Figure

    names = h4_excited().parameters
    figure = Figure(figsize=(9, 2.8), layout="constrained")
    for axes, name in zip(figure.subplots(1, len(FIGURE)), FIGURE, strict=True):
        for one, style in ((Criterion.CONDITION, ":"), (Criterion.D, "-")):
            values = estimates[one][:, names.index(name)]
            at = np.linspace(-4, 4, 200)
            density = np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi) / values.std(ddof=1)
            axes.plot(values.mean() + at * values.std(ddof=1), density, style, color="#1b6e4a", label=one.value)
        axes.set_title(name, fontsize=9)
        axes.tick_params(labelsize=7)
    axes.legend(fontsize=7)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=120)
    print(f"figure 6: {PICTURE}")


def _intervals(rows: dict[str, Regression]) -> dict[str, Any]:
    """Widths of proved intervals with one bound, in parts of those of the undesigned motion."""
    widths, smallest = {}, {}
    for name, one in rows.items():
        answer = certify.linear(
            one.matrix, one.torques, BOUND, names=list(h4_excited().parameters), unit="Nm"
        ).checked()
        widths[name] = np.array([float(high - low) for low, high in answer.box])
        smallest[name] = [float(end) for end in (answer.error.lower, answer.error.upper)]
    table = [("parameter", *rows, "D / condition", "D / undesigned")]
    for k, parameter in enumerate(h4_excited().parameters):
        own = [widths[name][k] for name in rows]
        against = [widths["D"][k] / widths[name][k] for name in ("condition", "undesigned")]
        table.append((parameter, *(f"{value:.3g}" for value in own), *(f"{value:.2f}" for value in against)))
    print(f"widths of proved intervals, every row within {BOUND} Nm")
    print(plain_table(table))
    means = {name: float(np.exp(np.log(widths["D"] / widths[name]).mean())) for name in rows if name != "D"}
    print(f"geometric means of D's widths in parts of others': {means}")
    return {"bound": BOUND, "D's widths in parts of": means, "smallest bounds": smallest}
