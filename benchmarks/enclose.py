"""Hulls of planted platforms: time, distance of the faces from their witnesses, and what must never happen.

Random Gough platforms near the Table of Stewart take poses of known truth; noise as in the paper. For every leg from
+-100 mm: seconds of processor time, bisections, the largest gap (distance of a face from its verified witness in parts
of the hull's width), whether the hull holds the planted truth and every sampled consistent point, and whether the
checker accepts its certificate and those of its witnesses. The bar: gap <= 1 % within 2 s for 64 poses; few poses, a
small workspace, ten times the noise as far as the time limit (of the clock) allows.
"""

import argparse
import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from certify.checker import Status, check
from certify.contractors.protocol.contractor import Box
from certify.parts.fitting import fitted
from certify.parts.warm_up import warm_up
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.table_of_stewart import blueprint, calibrated, deviations
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.proofs.witnesses import sharing
from certify.solvers.fits.extremes import Sides, deepest, furthest, pulled

CENTRE = np.array([0.0, 0.0, 350.0, 0.0, 0.0, 0.0])  # mm and degrees
REACH = np.array([60.0, 60.0, 50.0, 12.0, 12.0, 20.0])
KINDS = {  # poses, part of the workspace, noise factor
    "standard": (64, 1.0, "1"),
    "12 poses": (12, 1.0, "1"),
    "10 poses": (10, 1.0, "1"),
    "8 poses": (8, 1.0, "1"),
    "small workspace": (64, 0.2, "1"),
    "ten times the noise": (64, 1.0, "10"),
}
CHORDS = 40


def planted(seed: int, poses: int, workspace: float, noise: str) -> SimulatedExperiment:
    """A platform within 5 mm of the Table of Stewart at random poses; the leg lengths are those of the model."""
    random = np.random.default_rng([seed, poses])
    kind = find_kind("gough", "benchmark")
    legs = np.array(calibrated(), dtype=np.float64) + np.round(random.uniform(-5, 5, (6, 7)), 4)
    taken = np.round(CENTRE + workspace * REACH * random.uniform(-1, 1, (poses, 6)), 6)
    lengths = np.array(
        [
            [kind.residual(leg, [*pose, 0.0], dict.fromkeys(("alpha", "beta", "gamma"), "deg")) for leg in legs]
            for pose in taken
        ]
    )
    columns = [tuple(Fraction(float(v)) for v in column) for column in (*taken.T, *lengths.T)]
    truth = Truth(
        tuple(Fraction(float(v)) for leg in legs for v in leg), dict(zip(kind.columns, columns, strict=True)), None
    )
    robot = Robot(
        kind, "planted platform", "random platform", tuple(v for leg in blueprint() for v in leg), deviations()
    )
    return observe(robot, truth, unmodelled_error("none"), seed, noise_factor(noise), generators(seed)[1])


def consistent_points(
    problem: certify.Problem, leg: int, start: np.ndarray, random: np.random.Generator
) -> list[np.ndarray]:
    """Points at which no row side exceeds 0 (in floats): ends of chords through such points, and extremes reached from
    them.
    """
    places = tuple(sorted({b.index for b in problem.families[leg].bindings if not b.measured}))
    sides, box = Sides(problem.blocks, sharing(problem, (leg,)), places), Box(*problem.box)
    inner = deepest(sides, box, start, 10.0)
    if not inner.largest < 0.0:
        return []
    found = [inner.x]
    for variable in places:
        for direction in (-1, 1):
            begin = sides.point(found[int(random.integers(len(found)))])
            found.append(pulled(sides, begin, furthest(sides, box, begin, variable, direction, 0.0), 0.0).x)
    for _ in range(CHORDS):
        first, second, third = (found[int(random.integers(len(found)))] for _ in range(3))
        middle = first + random.uniform(0, 1) * (second - first)
        if sides.point(middle).largest > 0.0:
            continue
        length = 1.0
        while length > 1e-3:
            end = np.clip(middle + length * (third - first), box.lower, box.upper)
            if sides.point(end).largest <= 0.0:
                found.append(end)
                break
            length *= 0.6
    return found


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a leg, then the distribution for each kind of case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks enclose")
    parser.add_argument("--count", type=int, default=20, help="platforms of the standard case (others: a fifth)")
    parser.add_argument("--legs", type=int, default=2, help="legs of each platform")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for a leg")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    head = f"{'case':<20} {'seed':>4} {'leg':<5} {'verdict':<10} {'s':>6} {'splits':>6}"
    print(f"{head} {'gap':>8} {'width, mm':>17} {'points':>6} {'kB':>5} {'check s':>7}")
    rows = []
    for name, case in KINDS.items():
        for seed in range(options.count if name == "standard" else max(options.count // 5, 1)):
            rows += _platform(name, 1000 + seed, case, options.legs, options.time_limit)
    return {
        "rows": rows,
        "summary": {name: _summary(name, [row for row in rows if row["case"] == name]) for name in KINDS},
    }


def _platform(name: str, seed: int, case: tuple[int, float, str], legs: int, limit: float) -> list[dict[str, Any]]:
    simulated = planted(seed, *case)
    estimate = fitted(simulated.experiment)[: 7 * legs]
    whole = simulated.experiment.problem(fitted(simulated.experiment))
    problem = replace(whole, families=whole.families[:legs], variables=whole.variables[: 7 * legs])
    start = np.array([float(v) for v in estimate])
    marks = [time.process_time()]

    def mark(message: str) -> None:
        if " in " in message:
            marks.append(time.process_time())

    result = certify.enclose(problem, start=start, options=certify.Options(time_limit=limit), progress=mark)
    rows = []
    for leg, part in enumerate(result.parts):
        truth = np.array([float(v) for v in simulated.truth.parameters[: 7 * legs]])
        sampled = [truth, *consistent_points(problem, leg, start, np.random.default_rng(seed))]
        points = [_in_search_box(problem, point)[7 * leg : 7 * leg + 7] for point in sampled]
        began = time.perf_counter()
        verified = all(
            check(result.canonical, data).status is Status.VERIFIED
            for data in (part.certificate, *part.witness_certificates.values())
        )
        row = {"case": name, "seed": seed, "verified": verified, "check_seconds": time.perf_counter() - began}
        rows.append(_row(part, points) | row | {"processor_seconds": marks[leg + 1] - marks[leg]})
        print(_line(rows[-1]))
    return rows


def _in_search_box(problem: certify.Problem, point: np.ndarray) -> list[Fraction]:
    """The point exactly, moved by a rounding error where the search box's bounds are no doubles."""
    return [min(max(Fraction(float(x)), v.lower), v.upper) for x, v in zip(point, problem.variables, strict=True)]


def _row(part: certify.Enclosed, points: list[list[Fraction]]) -> dict[str, Any]:
    hull = part.box
    if hull is None:
        return {
            "leg": part.name,
            "verdict": part.verdict.value,
            "seconds": part.seconds,
            "splits": part.splits,
            "outside": len(points),
        }
    widths = [float(high - low) for low, high in zip(hull.lower, hull.upper, strict=True)]
    inside = [
        all(low <= value <= high for low, value, high in zip(hull.lower, point, hull.upper, strict=True))
        for point in points
    ]
    gaps = [1.0 if gap is None else gap for gap in hull.gaps]
    return {
        "leg": part.name, "verdict": part.verdict.value, "seconds": part.seconds, "splits": part.splits, "gaps": gaps,
        "widths": widths,
        "limited_faces": sum(face.limited for pair in hull.faces for face in pair), "stopped": part.stopped.value,
        "points": len(points), "outside": inside.count(False), "truth_outside": not inside[0],
        "bytes": len(part.certificate or b""),
    }  # fmt: skip


def _line(row: dict[str, Any]) -> str:
    head = (
        f"{row['case']:<20} {row['seed']:>4} {row['leg']:<5} {row['verdict']:<10} "
        f"{row['processor_seconds']:>6.2f} {row['splits']:>6}"
    )
    if "gaps" not in row:
        return head
    widths = f"{min(row['widths']):.3g} .. {max(row['widths']):.4g}"
    told = (
        f"{max(row['gaps']):>8.2%} {widths:>17} {row['points']:>6} {row['bytes'] / 1000:>5.0f} "
        f"{row['check_seconds']:>7.2f}"
    )
    wrong = "" if row["verified"] and not row["outside"] else "  WRONG"
    return f"{head} {told}{wrong}"


def _summary(name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = np.array([row["processor_seconds"] for row in rows])
    gaps = [max(row.get("gaps", [1.0])) for row in rows]
    summary = {
        "legs": len(rows),
        "enclosed": sum(row["verdict"] == "enclosed" for row in rows),
        "within_one_percent": sum(gap <= 0.01 for gap in gaps),
        "within_two_seconds": int((seconds < 2.0).sum()),
        "seconds_median": float(np.median(seconds)),
        "seconds_worst": float(seconds.max()),
        "worst_gap": max(gaps),
        "truth_excluded": sum(row.get("truth_outside", True) for row in rows),
        "points": sum(row.get("points", 0) for row in rows),
        "points_outside": sum(row["outside"] for row in rows),
        "verified": sum(row["verified"] for row in rows),
    }
    print(
        f"{name}: "
        + ", ".join(
            f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}" for key, value in summary.items()
        )
    )
    return summary
