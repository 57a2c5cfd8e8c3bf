"""Twenty simulated platforms: other seeds, unmodelled errors of 0.05 to 30 mm, noise of 0.3 to 3 times the paper's.

For every leg: the certified interval, its gap, the time (witness, search and replay; imports and compilation apart),
whether the checker accepts, and whether the planted truth is contradicted. The bar: gap <= max(1e-4 upper, 1e-6 mm)
within 2 s, or adequate with a witness.
"""

import argparse
import time
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from certify.checker import Status, check
from certify.parts.fitting import fitted
from certify.parts.warm_up import warm_up
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error

NOISES = ("0.3", "1", "3")
KINDS = ("joints", "backlash", "outlier", "joints")


def cases(count: int) -> list[tuple[int, str, str, str]]:
    """Seed, kind, size in mm, noise factor."""
    random = np.random.default_rng(2006)
    sizes = 0.05 * (30 / 0.05) ** random.uniform(0, 1, count)
    return [(100 + k, KINDS[k % len(KINDS)], f"{sizes[k]:.3g}", NOISES[k % len(NOISES)]) for k in range(count)]


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a leg, then the distribution."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks epsilon")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--gap", default="1e-6", help="relative gap to ask for")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    rows = []
    head = f"{'seed':>4} {'error':<9} {'mm':>6} {'noise':>5} {'leg':<5} {'verdict':<10}"
    print(f"{head} {'lower':>15} {'upper':>15} {'gap':>8} {'s':>6} {'splits':>6}  bar")
    for seed, kind, size, noise in cases(options.count):
        simulated = simulate(unmodelled_error(kind, size), seed, noise)
        estimate = fitted(simulated.experiment)
        problem = simulated.experiment.problem(estimate)
        start = np.array([float(v) for v in estimate])
        result = certify.adequacy(problem, start=start, options=certify.Options(gap=Fraction(options.gap)))
        for part, planted in zip(result.parts[:6], simulated.planted_epsilon, strict=True):
            rows.append(_row(part, planted, result.canonical, seed, kind, size, noise))
            print(_line(rows[-1]))
    return {"asked_gap": options.gap, "rows": rows, "summary": _summary(rows)}


def _row(
    part: certify.Part, planted: float, canonical: bytes, seed: int, kind: str, size: str, noise: str
) -> dict[str, Any]:
    lower, upper = part.epsilon
    began = time.perf_counter()
    verified = check(canonical, part.certificate or b"").status is Status.VERIFIED
    wide = float(upper - lower) if upper is not None else float("inf")
    good = part.verdict is certify.Verdict.ADEQUATE or wide <= max(1e-4 * float(upper or 0), 1e-6)
    return {
        "seed": seed, "error": kind, "size": size, "noise": noise, "leg": part.name, "verdict": part.verdict.value,
        "lower": float(lower), "upper": float(upper or 0), "gap": part.gap, "seconds": part.seconds,
        "splits": part.splits,
        "check_seconds": time.perf_counter() - began, "bytes": len(part.certificate or b""), "verified": verified,
        "truth_contradicted": bool(lower > planted), "planted": planted,
        "bar_met": bool(good and part.seconds < 2 and verified),
    }  # fmt: skip


def _line(row: dict[str, Any]) -> str:
    gap = "" if row["gap"] is None else f"{row['gap']:.1e}"
    head = f"{row['seed']:>4} {row['error']:<9} {row['size']:>6} {row['noise']:>5} {row['leg']:<5} {row['verdict']:<10}"
    tail = "met" if row["bar_met"] else "MISSED"
    return (
        f"{head} {row['lower']:>15.10f} {row['upper']:>15.10f} {gap:>8} {row['seconds']:>6.2f} "
        f"{row['splits']:>6}  {tail}"
    )


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = np.array([row["seconds"] for row in rows])
    summary = {
        "legs": len(rows),
        "bar_met": sum(row["bar_met"] for row in rows),
        "adequate": sum(row["verdict"] == "adequate" for row in rows),
        "verified": sum(row["verified"] for row in rows),
        "truth_contradicted": sum(row["truth_contradicted"] for row in rows),
        "seconds_median": float(np.median(seconds)),
        "seconds_worst": float(seconds.max()),
        "largest_gap": max((row["gap"] or 0.0 for row in rows), default=0.0),
        "largest_bytes": max(row["bytes"] for row in rows),
        "check_seconds_worst": max(row["check_seconds"] for row in rows),
    }
    print(
        "\n".join(
            f"{name:>20}: {value:.3g}" if isinstance(value, float) else f"{name:>20}: {value}"
            for name, value in summary.items()
        )
    )
    return summary
