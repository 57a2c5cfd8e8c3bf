"""Least squares of serial arms: is the fit proved to be the only global minimum, whatever the units, and what does that
cost?

    python -m benchmarks arms_squares [--limit 60] [--shapes 6] [--units "mm and rad"]

A UR10 as it is simulated in `_row_problems` (27 unknowns, 40 poses, the tip up to 0.6 mm off), every unknown within
3 mm or 4.5 mrad, told in millimetres, metres and inches, in rad, in mrad and in degrees; and arms of other shapes
(`_planted_arms`) within 3 mm and 4.5 mrad.
"""

import argparse
import time
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from benchmarks._changed_problems import Change, in_units
from benchmarks._planted_arms import Plan, Shape, planted
from benchmarks._row_problems import NOMINAL, arm, simulated
from certify.parts.warm_up import warm_up

POSES, ROOM = 40, Fraction(3)
LENGTHS = {"mm": Fraction(1), "m": Fraction(1000), "inch": Fraction(254, 10)}
ANGLES = {"rad": Fraction(1), "mrad": Fraction(1, 1000), "deg": Fraction(355, 113) / 180}  # nearly


def run(words: list[str]) -> dict[str, Any]:
    """A line for each problem."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks arms_squares")
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--shapes", type=int, default=6)
    parser.add_argument(
        "--units", default="", help="the pairs with this in what is printed of them, such as 'm and deg'"
    )
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    names = list(NOMINAL)
    angles, places, start = simulated(POSES, names)
    exact = [[Fraction(1, 100)] * POSES] * 3
    problem, fitted = arm(names, (angles, places, exact), start, ROOM)
    rows = []
    for length, size in LENGTHS.items():
        for angle, turn in ANGLES.items():
            name = f"UR10, {length} and {angle}"
            if options.units not in name:
                continue
            units = tuple(turn if v.unit == "rad" else size for v in problem.variables)
            columns = tuple(Fraction(1) if c.unit == "rad" else size for c in problem.columns)
            told = in_units(problem, Change(units, columns, size))
            rows.append(_answered(name, told, fitted / np.array(units, float), options.limit))
    for seed in range(options.shapes):
        random = np.random.default_rng(seed)
        shape = Shape.drawn(random, 4 + seed % 4)
        made = planted(shape, Plan(POSES, 15 + 3 * (seed % 5), room=ROOM, error=0.6), random)
        name = f"{shape.joints} joints, {sum(shape.slides)} of them slide, {len(made.truth)} unknowns"
        rows.append(_answered(name, made.problem, made.start, options.limit))
    return {"rows": rows}


def _answered(name: str, problem: certify.Problem, start: np.ndarray, limit: float) -> dict[str, Any]:
    began = time.process_time()
    options = certify.Options(time_limit=limit)
    (part,) = certify.least_squares(problem, start=start, options=options).parts
    seconds = time.process_time() - began
    row = {
        "problem": name, "verdict": part.verdict.value, "stopped": part.stopped.value, "splits": part.splits,
        "sum": [float(end) for end in part.epsilon if end is not None], "seconds": seconds,
        "bytes": len(part.certificate or b""),
    }  # fmt: skip
    told = f"{row['verdict']:<15} {part.splits:>3} bisections {seconds:>6.1f} s {row['bytes']:>9} bytes"
    print(f"{name:<45} {told}  {row['stopped']}", flush=True)
    return row
