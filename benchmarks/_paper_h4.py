"""S0's tables 1 and 2, S3's table I and figure 4, remade on a simulated H4: `python -m benchmarks paper --seed H4`.

The papers' logs are not published. What is remade is simulated (certify/problems/h4): a plant that is richer than
the model, through the papers' signal chain, with their bound of 10 % of 15 N m and their prior box [0, 2]. Numbers need
not agree, only what they mean. `--causes` says what the model error is made of: the smallest bound of robots that lack
one thing each. The simulated robot's own values stand where the papers have a priori ones.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import certify
from certify.problems.dynamics.controlled_motion import SECONDS
from certify.problems.dynamics.joint_log import write_log
from certify.problems.dynamics.signal_chain import Chain, signal_chain
from certify.problems.h4.motion import FORM, Loop, simulate_motion
from certify.problems.h4.plant import GAIN, TORQUE_RANGE, Plant
from certify.problems.h4.torques import NAMES, UNITS, regressor
from certify.regressors.closed_form import closed_form
from certify.solvers.limits import Limit
from certify.text.decimals import round_down, round_up, show
from certify.text.plain_table import plain_table

LOUD = "SIMULATED logs on our side, measured ones on the papers': the numbers are not expected to agree."
PICTURE = Path(__file__).parent / "pictures" / "paper_h4_figure4.png"
LARGEST_PICTURE = 100_000
BOX = (np.zeros(len(NAMES)), np.full(len(NAMES), 2.0))  # S0: "[0.0, 2.0]"
BOUND = "1.5"  # N m; S0: 10 % of the range
S0_BOXES = (
    (0.0009, 0.0238), (0.0044, 0.0257), (0.0096, 0.0320), (0.0098, 0.0319), (0.7650, 1.2338), (0.0, 0.0071),
    (0.0, 0.4690), (0.1733, 0.2554), (0.0, 0.2856), (0.0, 0.2664), (0.0, 1.6068), (0.0, 1.6300), (0.2245, 1.0952),
    (0.2264, 1.1014),
)  # fmt: skip
S0_SQUARES = (
    (0.0141, 2.6286), (0.0120, 3.0444), (0.0153, 1.6939), (0.0213, 1.1933), (1.0492, 0.4236), (0.0030, 3.5049),
    (0.1636, 5.6781), (0.0560, 15.5674), (0.0930, 6.5734), (0.0917, 6.4301), (1.1453, 2.0450), (1.0950, 2.0563),
    (0.7222, 2.8366), (0.9932, 2.0451),
)  # fmt: skip
S3_CENTRE = (
    0.0199, 0.0133, 0.0189, 0.0250, 0.7914, 0.0005, 0.3093, 0.2166, 0.1235, 0.0752, 0.8126, 0.9390, 0.5360, 0.9868,
)  # fmt: skip


def run_h4(words: list[str]) -> dict[str, Any]:
    """Print the tables with the papers' numbers beside ours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks paper --seed H4")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="length of the motion")
    parser.add_argument("--motion", type=int, default=1, help="seed of the motion; the next one is for figure 4")
    parser.add_argument("--causes", action="store_true", help="the smallest bound without each cause of model error")
    options = parser.parse_args(words)
    if options.causes:
        return {"said": LOUD, "causes": _causes(options.seconds, options.motion)}
    seconds, began = {}, time.process_time()
    with tempfile.TemporaryDirectory() as name:
        logs = simulate_motion(Loop(Plant(), options.seconds, (options.motion, options.motion + 1)))
        for log, file in zip(logs, ("motion.csv", "validation.csv"), strict=True):
            write_log(Path(name) / file, log, FORM)
        seconds["simulate"] = time.process_time() - began
        rows, others = (certify.equations_of_log(Path(name) / file) for file in ("motion.csv", "validation.csv"))
    seconds["signal chain"] = time.process_time() - began - sum(seconds.values())
    truth, bound = Plant().parameters, float(BOUND)
    needs = float(np.abs(rows.torques - rows.matrix @ truth).max())
    print(f"{logs[0].provenance}; {len(rows.torques)} equations, bound {bound:g} N m\n{LOUD}")
    print(
        f"the simulated values need {needs:.3f} N m (estimated): arms, rods, cogging and friction's smooth change of "
        f"sign are not in the model\n"
    )
    guess = certify.torque_estimates(rows, TORQUE_RANGE, BOX, bound)
    seconds["estimates"] = time.process_time() - began - sum(seconds.values())
    box = [(0, 2)] * len(NAMES)
    hull = certify.linear(rows.matrix, rows.torques, BOUND, box, names=NAMES, units=UNITS, unit="Nm").checked()
    seconds["hull"] = time.process_time() - began - sum(seconds.values())
    around = certify.bounding_ellipsoid(rows.matrix, rows.torques, bound, BOX)
    narrow, mixed = (
        certify.bounding_ellipsoid(rows.matrix, rows.torques, bound, BOX, narrow=rows.matrix, mixed=share)
        for share in (0.0, 0.5)
    )
    seconds["ellipsoids"] = time.process_time() - began - sum(seconds.values())
    tables = {
        "S0 1": _boxes(bound, hull, around, truth),
        "S0 2": _squares(guess, rows, hull, truth),
        "S3 choice": _choice(guess),
        "S3 I": _centres(guess, around, truth),
        "S3 figure 4": _bounds(guess, (around, narrow, mixed), others, bound, not words),
    }
    print("processor seconds: " + ", ".join(f"{name} {value:.1f}" for name, value in seconds.items()) + f"\n{LOUD}")
    return {"said": LOUD, "provenance": logs[0].provenance, "needs": needs, "tables": tables, "seconds": seconds}


def _causes(seconds: float, motion: int) -> dict[str, list[float]]:
    """The smallest bound that some parameters in the prior box fit, of robots that lack one thing each."""
    plant, bare = Plant(), Plant().as_modelled()
    rivals = {
        "as simulated": plant,
        "no cogging": replace(plant, ripple=0.0),
        "no noise of currents": replace(plant, current_noise=0.0),
        "no Stribeck friction": replace(plant, breakaway=1.0),
        "no arms and rods": replace(plant, arm_mass=0.0, rod_mass=0.0),
        "gains as calibrated": replace(plant, gains=bare.gains),
        "nothing but encoders and a smooth change of sign": bare,
        "the same, ten times as sharp": replace(bare, sign_speed=bare.sign_speed / 10.0),
    }
    told, table = {}, [["simulated H4", "smallest bound [N m] (checked)"]]
    for name, rival in rivals.items():
        rows = signal_chain(simulate_motion(Loop(rival, seconds, (motion,)))[0], Chain(gain=GAIN), regressor)
        answer = certify.linear(rows.matrix, rows.torques, BOUND, [(0, 2)] * len(NAMES)).checked()
        if answer.factor is None or answer.factor.upper is None:
            continue
        ends = [end * Fraction(BOUND) for end in (answer.factor.lower, answer.factor.upper)]
        told[name] = [float(end) for end in ends]
        table.append([name, f"{show(_down(ends[0]))} .. {show(_up(ends[1]))}"])
    print(f"{LOUD}\n{plain_table(table)}")
    return told


def _boxes(bound: float, hull: Any, around: Any, truth: Any) -> dict[str, Any]:
    """S0 table 1: the box of S0's Gauss-Seidel step (which is a closed form) within the prior box, what taking the
    measurements back to it leaves, and the hull that certificates prove.
    """
    closed = closed_form(hull.problem, Limit())
    step = [(max(low, 0.0), min(high, 2.0)) for low, high in closed.box]
    exact = [(_down(low), _up(high)) for low, high in hull.box]
    headings = [
        "",
        "unit",
        "S0's box",
        "Gauss-Seidel",
        "y narrowed",
        "hull",
        "hull / G-S",
        "hull / narrowed",
        "simulated",
    ]
    table, explicit = [headings], _explicit_step(hull.problem, bound)
    ratios, others = (
        [float(high - low) / (to - since) for (low, high), (since, to) in zip(hull.box, boxes, strict=True)]
        for boxes in (step, closed.narrowed)
    )
    for k, name in enumerate(NAMES):
        floats = [f"[{show(_down(low))}, {show(_up(high))}]" for low, high in (step[k], closed.narrowed[k])]
        shares = [f"{ratios[k]:.2f}", f"{others[k]:.2f}"]
        told = [*floats, f"[{show(exact[k][0])}, {show(exact[k][1])}]", *shares, f"{truth[k]:g}"]
        table.append([name, UNITS[k], "[{:.4f}, {:.4f}]".format(*S0_BOXES[k]), *told])
    print(f"S0 table 1: boxes of the parameters, bound {bound:g} N m, prior box [0, 2]\n{plain_table(table)}")
    print(
        f"S0's step on the whole augmented matrix, in floats: its box is the closed form's (which is rounded outwards) "
        f"but for {explicit['apart']:.1e} of the widths; what it says of [b] narrows {explicit['gains']} of "
        f"{hull.problem.rows} rows, as r and theta together reach beyond each row's interval"
    )
    held = all(low >= since and high <= to for (low, high), (since, to) in zip(hull.box, step, strict=True))
    print(f"the hull lies in Gauss-Seidel's box: {'yes' if held else 'NO'} (compared exactly)")
    values = [Fraction(float(value)) for value in truth]
    inside = sum(low <= value <= high for value, (low, high) in zip(values, hull.box, strict=True))
    contained = around.contains(values)
    print(
        f"hull: {len(hull.faces)} faces, each with a checked certificate; Gauss-Seidel and narrowed: by the engine\n"
        f"{inside} of {len(values)} simulated values lie in the hull, all together "
        f"{'in' if contained else 'outside'} the ellipsoid (confirmed here by {len(around.products)} products)"
    )
    if hull.factor is not None and hull.factor.upper is not None:
        lower, upper = (end * Fraction(BOUND) for end in (hull.factor.lower, hull.factor.upper))
        ends = show(round_down(lower, 9)), show(round_up(upper, 9))
        print(f"smallest bound that some parameters in the prior box fit: {ends[0]} .. {ends[1]} N m (checked)\n")
    told = {"Gauss-Seidel": step, "narrowed": closed.narrowed, "ratios": ratios, "inside": inside}
    told |= {"hull / narrowed": others, "explicit step": explicit, "hull in Gauss-Seidel": held}
    return told | {"hull": [[float(low), float(high)] for low, high in hull.box], "in ellipsoid": contained}


def _explicit_step(problem: Any, bound: float) -> dict[str, float]:
    """S0's preconditioned step as the paper writes it, on [[I, W], [W', 0]] (r, theta) = (b, 0), estimated: how far its
    box is from the closed form's, in widths, and how many rows of [b] it narrows (by more than rounding).
    """
    W, y, (rows, size) = problem.matrix, problem.y, problem.matrix.shape
    whole = np.block([[np.eye(rows), W], [W.T, np.zeros((size, size))]])
    scale = np.concatenate([np.ones(rows), 1 / np.linalg.norm(W, axis=0)])
    inverse = scale[:, None] * np.linalg.inv(scale[:, None] * whole * scale) * scale
    middle, radius = inverse[:, :rows] @ y, np.abs(inverse[:, :rows]) @ np.full(rows, bound)
    closed = np.array(closed_form(problem, Limit()).box)
    ends = np.column_stack([(middle - radius)[rows:], (middle + radius)[rows:]])
    apart = float((np.abs(ends - closed) / (2 * radius[rows:, None])).max())
    reach = radius[:rows] + np.abs(W) @ radius[rows:]
    gained = np.abs(y - middle[:rows] - W @ middle[rows:]) + bound - reach
    return {"apart": apart, "gains": int((gained > 1e-9 * bound).sum())}


def _down(value: Fraction | float) -> Fraction:
    """Four decimals, rounded down."""
    return Fraction(floor(Fraction(value) * 10**4), 10**4)


def _up(value: Fraction | float) -> Fraction:
    """Four decimals, rounded up."""
    return Fraction(ceil(Fraction(value) * 10**4), 10**4)


def _squares(guess: Any, rows: Any, hull: Any, truth: Any) -> dict[str, Any]:
    """S0 table 2, and whether these values are among those that fit every row within the bound."""
    table = [["", "unit", "S0", "% deviation", "ours (estimated)", "% deviation", "simulated"]]
    for k, name in enumerate(NAMES):
        ours = [f"{guess.squares.estimate[k]:.4f}", f"{guess.squares.relative[k]:.2f}", f"{truth[k]:g}"]
        table.append([name, UNITS[k], f"{S0_SQUARES[k][0]:.4f}", f"{S0_SQUARES[k][1]:.2f}", *ours])
    print(f"S0 table 2: weighted least squares\n{plain_table(table)}")
    weighted = _needs(rows, guess.squares.estimate)
    print(
        f"the weighted values need {float(weighted):.4f} N m in exact arithmetic, so they "
        f"{'fit' if weighted <= Fraction(BOUND) else 'do not fit'} every row; the unweighted ones "
        f"{'fit' if hull.fit is not None and hull.fit.upper == 0 else 'are not shown to fit'} every row (checked)\n"
    )
    told = {"estimate": guess.squares.estimate.tolist(), "relative": guess.squares.relative.tolist()}
    return told | {"needs": float(weighted)}


def _needs(rows: Any, theta: Any) -> Fraction:
    """The largest |y - W theta| with the exact values of the doubles."""
    point = [Fraction(value) for value in theta.tolist()]
    return max(
        abs(Fraction(y) - sum(Fraction(a) * x for a, x in zip(row, point, strict=True) if a))
        for row, y in zip(rows.matrix.tolist(), rows.torques.tolist(), strict=True)
    )


def _choice(guess: Any) -> list[dict[str, Any]]:
    """S3's choice of the bound: 5 % first, then more until outliers are negligible (S3: 15 %)."""
    told = [
        {
            "share": choice.share,
            "bound": choice.bound,
            "outliers": len(choice.found.outliers),
            "log10 det": choice.found.ellipsoid.log_determinant / np.log(10.0),
        }
        for choice in guess.tried
    ]
    table = [["share", "bound [N m]", "outliers", "log10 det M^-1"]]
    table += [[f"{t['share']:.0%}", f"{t['bound']:.3g}", str(t["outliers"]), f"{t['log10 det']:.1f}"] for t in told]
    print(f"S3's choice of the bound, by outliers of the recursion (estimated)\n{plain_table(table)}\n")
    return told


def _centres(guess: Any, around: Any, truth: Any) -> dict[str, Any]:
    """S3 table I: the centres of the ellipsoids; volumes beside S3's 1.63e-21."""
    table = [["", "unit", "S3's centre", "recursion (estimated)", "by weights", "simulated"]]
    for k, name in enumerate(NAMES):
        ours = [f"{guess.recursion.ellipsoid.centre[k]:.4f}", f"{around.centre[k]:.4f}", f"{truth[k]:g}"]
        table.append([name, UNITS[k], f"{S3_CENTRE[k]:.4f}", *ours])
    volumes = [found.log_determinant / np.log(10.0) for found in (guess.recursion.ellipsoid, around.estimated)]
    print(f"S3 table I: centres of the ellipsoids, bound {guess.bound:g} N m\n{plain_table(table)}")
    print(
        f"log10 det M^-1: S3 -20.8, recursion {volumes[0]:.1f} ({guess.recursion.used} strips used, "
        f"{len(guess.recursion.outliers)} outliers), by weights {volumes[1]:.1f} (all estimated)\n"
    )
    return {"recursion": guess.recursion.ellipsoid.centre.tolist(), "weights": around.centre.tolist(), "log10": volumes}


def _bounds(guess: Any, ellipsoids: Any, others: Any, bound: float, keep: bool) -> dict[str, Any]:
    """S3 figure 4: torque bounds on another motion, as S3 draws them (eq. 37), and with the model error's bound."""
    told = {}
    around, narrow, mixed = (found.estimated for found in ellipsoids)
    rivals = {
        "recursion": guess.recursion.ellipsoid,
        "weights (volume)": around,
        "weights for narrow torques (trace)": narrow,
        "half of each (mixed)": mixed,
    }
    for name, ellipsoid in rivals.items():
        low, high = ellipsoid.bounds(others.matrix)
        within = (low <= others.torques) & (others.torques <= high)
        wider = (low - bound <= others.torques) & (others.torques <= high + bound)
        volume = ellipsoid.log_determinant / np.log(10.0)
        told[name] = {
            "log10 det": volume,
            "width": float((high - low).mean()),
            "within": float(within.mean()),
            "wider": float(wider.mean()),
        }
        print(
            f"S3 figure 4, {name}: on another motion {within.mean():.1%} of the torques lie within the bounds, which "
            f"are {(high - low).mean():.2f} N m apart on average; {wider.mean():.1%} with the model error beside; "
            f"log10 det M^-1 {volume:.1f} (estimated)"
        )
    print()
    if keep:
        _draw(narrow, others)
    return told


def _draw(ellipsoid: Any, others: Any) -> None:
    """The bounds of joint 1 and its torques."""
    first = others.joints == 0
    low, high = (ends[first] for ends in ellipsoid.bounds(others.matrix))
    figure, axes = plt.subplots(figsize=(7, 3))
    axes.fill_between(others.times[first], low, high, color="0.8", label="bounds of the ellipsoid (estimated)")
    axes.plot(others.times[first], others.torques[first], "k", linewidth=0.7, label="simulated log")
    axes.set(xlabel="t [s]", ylabel="torque of motor 1 [N m]", title="Another motion of the simulated H4")
    axes.legend(loc="upper left", fontsize="small")
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=90)
    plt.close(figure)
    if PICTURE.stat().st_size > LARGEST_PICTURE:
        PICTURE.unlink()
