"""Sets in the plane from inside and outside: outliers by q-intersection, parameters under quantifiers, a union; ours
and Codac's in one run.

- *ranges with outliers*: a robot hears twelve beacons, of which four lie; where can it be, if at least eight ranges are
  within 0.3 m? The
  ranges are simulated (seed 1).
- *for some*: the points within 1 of some point (p, 0), 0 <= p <= 1: a stadium, of area pi + 2.
- *for all*: the points within 1 of all points (p, 0), -1/2 <= p <= 1/2: a lens, of area 2 pi / 3 - sqrt(3) / 2.
- *two rings*: the union of two rings with radii 1 and 2, 3/2 apart; its area is known from lenses.
Codac runs in an interpreter of its own, given with --codac (a Python that has codac); without it, it is left out, and
said so. One core each; boxes are halved down to the same width. Times are the best of three, compilation is not
counted. --pictures DIR writes the pavings.
"""

import argparse
import json
import math
import subprocess
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.q_intersection import QIntersection
from certify.contractors.compositions.quantifiers import ForAll, ForSome
from certify.contractors.compositions.union import Union
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes, Contractor
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.pictures.paving_picture import Drawing, paving_picture
from certify.solvers.search.set_inversion import PavingOptions, SetPaving, set_inversion

PEER = Path(__file__).parent / "peers" / "codac_sets.py"
BEACONS, OUTLIERS, TOLERANCE = 12, 4, 0.3


def run(words: list[str]) -> dict[str, Any]:
    """Print a row for each set and program: seconds, boxes, bounds of the area, and the exact area where
    it is known.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks sets")
    parser.add_argument("--codac", help="a Python interpreter that has codac")
    parser.add_argument("--pictures", type=Path, help="a folder for the pictures of the pavings")
    options = parser.parse_args(words)
    cases = _cases()
    found = {"certify": {name: _ours(name, case, options.pictures) for name, case in cases.items()}}
    if options.codac is None:
        print("codac: left out, give an interpreter with --codac")
    else:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data.json"
            data.write_text(json.dumps(cases))
            done = subprocess.run([options.codac, str(PEER), str(data)], capture_output=True, text=True, check=True)
        found["codac"] = json.loads(done.stdout.splitlines()[-1])
    print(f"{'set':<22} {'width':>6} {'program':<8} {'ms':>8} {'inner':>7} {'boundary':>8}  bounds of the area (exact)")
    for name, case in cases.items():
        exact = case["exact"]
        for program, answers in found.items():
            low, high = answers[name]["area"]
            told = "" if exact is None else f" ({exact:.6f}{'' if low <= exact <= high else ' is NOT BETWEEN THEM'})"
            figures = (
                f"{1e3 * answers[name]['seconds']:>8.1f} {answers[name]['inner']:>7} {answers[name]['boundary']:>8}"
            )
            print(f"{name:<22} {case['width']:>6g} {program:<8} {figures}  {low:.6f} .. {high:.6f}{told}")
    return {"cases": cases, "found": found}


def _cases() -> dict[str, Any]:
    stadium, lens = math.pi + 2, 2 * math.pi / 3 - math.sqrt(3) / 2
    rings = [((0.0, 0.0), 1.0, 4.0), ((1.5, 0.0), 1.0, 4.0)]
    common = _lens(2, 2, 1.5) - 2 * _lens(1, 2, 1.5) + _lens(1, 1, 1.5)
    cases = {}
    for width in (0.05, 0.01):
        cases[f"ranges, outliers {width:g}"] = {
            "kind": "q-intersection", "rings": _ranges(), "outliers": OUTLIERS, "domain": [-10.0, 10.0],
            "width": width, "exact": None,
        }  # fmt: skip
    cases["for some"] = {
        "kind": "for some",
        "parameter": [0.0, 1.0],
        "parameter_width": 0.02,
        "domain": [-3.0, 3.0],
        "width": 0.02,
        "exact": stadium,
    }
    cases["for all"] = {
        "kind": "for all",
        "parameter": [-0.5, 0.5],
        "parameter_width": 0.02,
        "domain": [-3.0, 3.0],
        "width": 0.02,
        "exact": lens,
    }
    for width in (0.05, 0.01, 0.002):
        cases[f"two rings {width:g}"] = {
            "kind": "union",
            "rings": rings,
            "domain": [-4.0, 4.0],
            "width": width,
            "exact": 6 * math.pi - common,
        }
    return cases


def _lens(r: float, s: float, d: float) -> float:
    """The area that two discs have in common, whose centres are d apart."""
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return math.pi * min(r, s) ** 2
    a, b = math.acos((d * d + r * r - s * s) / (2 * d * r)), math.acos((d * d + s * s - r * r) / (2 * d * s))
    return r * r * (a - math.sin(2 * a) / 2) + s * s * (b - math.sin(2 * b) / 2)


def _ranges() -> list[Any]:
    """Beacons, and the squares of the ranges within the tolerance; four of them are wrong by metres."""
    random = np.random.default_rng(1)
    beacons = random.uniform(-10, 10, (BEACONS, 2)).round(2)
    ranges = np.linalg.norm(beacons - np.array([2.0, -1.0]), axis=1) + random.uniform(-0.9, 0.9, BEACONS) * TOLERANCE
    ranges[:OUTLIERS] = np.abs(
        ranges[:OUTLIERS] + random.choice([-1.0, 1.0], OUTLIERS) * random.uniform(1.5, 6.0, OUTLIERS)
    )
    return [
        (b.tolist(), max(0.0, r - TOLERANCE) ** 2, (r + TOLERANCE) ** 2)
        for b, r in zip(beacons, ranges.tolist(), strict=True)
    ]


def _ring(place: Any, least: float, most: float) -> HullConsistency:
    builder = Builder(2)
    offsets = [builder.sqr(builder.sub(i, builder.constant(Fraction(place[i])))) for i in (0, 1)]
    return HullConsistency(
        Equations(builder.tape((builder.add(*offsets),)), np.array([least]), np.array([most])), sweeps=2
    )


def _contractor(case: dict[str, Any]) -> Contractor:
    if case["kind"] == "q-intersection":
        return QIntersection.all_but(case["outliers"], tuple(_ring(*ring) for ring in case["rings"]))
    if case["kind"] == "union":
        return Union(tuple(_ring(*ring) for ring in case["rings"]))
    builder = Builder(3)
    disc = builder.tape((builder.add(builder.sqr(builder.sub(0, 2)), builder.sqr(1)),))
    child = HullConsistency(Equations(disc, np.array([-np.inf]), np.ones(1)), sweeps=2)
    low, high = case["parameter"]
    quantified = ForSome if case["kind"] == "for some" else ForAll
    return quantified(child, (2,), Box(np.array([low]), np.array([high])), case["parameter_width"])


def _ours(name: str, case: dict[str, Any], pictures: Path | None) -> dict[str, Any]:
    outer = _contractor(case)
    inner = complement(outer)
    domain = Box(np.full(2, case["domain"][0]), np.full(2, case["domain"][1]))
    set_inversion(outer, inner, domain, PavingOptions(1.0))  # compiles
    best = math.inf
    for _ in range(3):
        began = time.perf_counter()
        paving = set_inversion(outer, inner, domain, PavingOptions(case["width"]))
        best = min(best, time.perf_counter() - began)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / f"{name.replace(' ', '-').replace(',', '')}.png").write_bytes(
            paving_picture(_drawing(name, case, paving))
        )
    low, high = paving.volume
    return {
        "seconds": best,
        "inner": paving.inner.count,
        "boundary": paving.boundary.count,
        "area": [low, high],
        "cells": paving.cells,
    }


def _drawing(name: str, case: dict[str, Any], paving: SetPaving) -> Drawing:
    told = ", simulated" if case["kind"] == "q-intersection" else ""
    nothing = Boxes(np.empty((2, 0)), np.empty((2, 0)))
    return Drawing(
        f"{name}{told}", ("x", "y"), paving.domain, nothing, paving.inner, paving.boundary, paving.unexplored
    )
