"""Interval linear systems: enclosures beside octave-interval, Arb and intvalpy in one run, and the hulls of systems
known from the literature.

Square systems: middles uniform in [-1, 1] as they are ("well": condition numbers near n), or with their singular values
spread evenly in the logarithm over five decades ("ill": condition number 1e5); all entries of matrix and right-hand
side have the same radius. Every program reads the same doubles from a file and runs in a process of its own with one
thread; the best of several solves counts, reading does not. A peer that is not given is left out, and said so. Per
system: seconds, the mean width, and for each peer the largest ratio over all unknowns of our width to the peer's (at
most 1.01 is the aim for radii from 1e-10). Names of systems: condition, size, radius.

The systems known from the literature are not part of the project: give the folder of systems.json with --data.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import interval_system
from certify.contractors.operators.oettli_prager import hull
from certify.solvers.linear_programs.highs import HighsOracle

SIZES = (10, 50, 100, 200)
PEERS = Path(__file__).parent / "peers"
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "FLINT")}


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks linear")
    parser.add_argument("--octave", help="octave-cli with the package interval")
    parser.add_argument("--arb", help="a Python interpreter that has python-flint")
    parser.add_argument("--intvalpy", help="a Python interpreter that has intvalpy")
    parser.add_argument("--arb-bits", type=int, default=53, help="Arb's precision")
    parser.add_argument("--repeat", type=int, default=5, help="solves of which the fastest counts (intvalpy: one)")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="numbers of unknowns")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data/interval_linear"), help="folder of systems.json"
    )
    options = parser.parse_args(words)
    programs = {"certify": [sys.executable, str(PEERS / "linear_certify.py")]}
    for name, command, script in (
        ("octave", options.octave, "linear_octave.m"), ("arb", options.arb, "linear_arb.py"),
        ("intvalpy", options.intvalpy, "linear_intvalpy.py"),
    ):  # fmt: skip
        if command is None:
            print(f"{name}: left out, give its interpreter with --{name}")
        else:
            programs[name] = [command, str(PEERS / script)]
    return {
        "repeat": options.repeat,
        "arb_bits": options.arb_bits,
        "square": _square(options, programs),
        "known": _known(options.data),
    }


def radii(size: int) -> dict[str, float]:
    """The radii of a size, by name."""
    return {"0": 0.0, "1e-10": 1e-10, "1e-8": 1e-8, "1e-6": 1e-6, "1e-4": 1e-4, "1e-3/n": 1e-3 / size}


def _systems(sizes: list[int]) -> dict[str, np.ndarray]:
    """Ends by name: columns of the lower, then of the upper matrix, then both right-hand sides."""
    answer = {}
    for size in sizes:
        random = np.random.default_rng(size)
        well = random.uniform(-1.0, 1.0, (size, size))
        left, values, right = np.linalg.svd(well)
        ill = (left * np.geomspace(values[0], 1e-5 * values[0], size)) @ right
        vector = random.uniform(-1.0, 1.0, size)
        for condition, middle in (("well", well), ("ill", ill)):
            for name, radius in radii(size).items():
                ends = [middle - radius, middle + radius, (vector - radius)[:, None], (vector + radius)[:, None]]
                answer[f"{condition} {size} {name}"] = np.hstack(ends)
    return answer


def _square(options: Any, programs: dict[str, list[str]]) -> list[dict[str, Any]]:
    systems = _systems(options.sizes)
    answers: dict[str, dict[str, Any]] = {}
    found: dict[str, dict[str, np.ndarray]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {system: f"system{k}" for k, system in enumerate(systems)}
        for system, ends in systems.items():
            np.ascontiguousarray(ends.T).astype("<f8").tofile(folder / f"{files[system]}.raw")
        entries = [{"name": files[system], "size": len(ends)} for system, ends in systems.items()]
        (folder / "data.json").write_text(
            json.dumps({"repeat": options.repeat, "arb_bits": options.arb_bits, "systems": entries})
        )
        for program, command in programs.items():
            done = subprocess.run(
                [*command, name], capture_output=True, text=True, check=True, env=os.environ | ONE_THREAD
            )
            listed = {entry["name"]: entry for entry in json.loads(done.stdout.splitlines()[-1])}
            answers[program] = {system: listed[files[system]] for system in systems}
            found[program] = {
                system: np.fromfile(folder / f"{files[system]}.{program}", dtype="<f8").reshape(2, -1)
                for system in systems
                if "failed" not in listed[files[system]]
            }
    rows = [_compare(system, answers, found) for system in systems]
    _print(rows, [program for program in programs if program != "certify"])
    return rows


def _compare(
    system: str, answers: dict[str, dict[str, Any]], found: dict[str, dict[str, np.ndarray]]
) -> dict[str, Any]:
    row: dict[str, Any] = {"system": system, "programs": {}}
    ours = found["certify"].get(system)
    for program, listed in answers.items():
        figures = dict(listed[system])
        figures.pop("name")
        ends = found[program].get(system)
        if ends is not None:
            width = ends[1] - ends[0]
            figures["mean_width"] = float(width.mean()) if np.isfinite(width).all() else None
            if ours is not None and program != "certify" and np.isfinite(width).all():
                with np.errstate(divide="ignore", invalid="ignore"):
                    figures["largest_ratio"] = float(((ours[1] - ours[0]) / width).max())
        row["programs"][program] = figures
    return row


def _print(rows: list[dict[str, Any]], peers: list[str]) -> None:
    print(
        f"{'system':<16} {'ms':>8} {'mean width':>11}" + "".join(f"  {peer:>9} ms {'our width':>10}" for peer in peers)
    )
    for row in rows:
        line = f"{row['system']:<16} "
        ours = row["programs"]["certify"]
        line += f"{1e3 * ours['seconds']:>8.2f} " + (
            f"{'not proved':>11}" if "failed" in ours else f"{ours['mean_width']:>11.2e}"
        )
        for peer in peers:
            theirs = row["programs"][peer]
            milliseconds = f"{1e3 * theirs['seconds']:>12.2f}" if "seconds" in theirs else f"{'':>12}"
            ratio = (
                f"x {theirs['largest_ratio']:.4f}"
                if "largest_ratio" in theirs
                else "failed"
                if theirs.get("mean_width") is None
                else "theirs"
            )
            line += f"  {milliseconds} {ratio:>10}"
        print(line)


def _known(folder: Path) -> list[dict[str, Any]]:
    """Enclosures and hulls of the systems in a file, beside what was published."""
    path = folder / "systems.json"
    if not path.is_file():
        print(f"known systems: left out, there is no {path}; give its folder with --data")
        return []
    oracle = HighsOracle()
    warm = interval_system(np.eye(2), 1.5 * np.eye(2), -np.ones(2), np.ones(2))
    hull(warm, oracle)
    rows = []
    print(
        f"{'known system':<26} {'enclosure':>11} {'hull':>11} {'ms':>7}  first unknown: hull, published hull, enclosure"
    )
    for name, entry in json.loads(path.read_text()).items():
        matrix, right = np.array(entry["A"]), np.array(entry["b"])
        system = interval_system(matrix[..., 0], matrix[..., 1], right[:, 0], right[:, 1])
        first = enclose(system)
        began = time.perf_counter()
        best = hull(system, oracle)
        seconds = time.perf_counter() - began
        published = entry["published"].get("hull", [entry["published"].get("hull_component0")])[0]
        rows.append({
            "system": name, "enclosure": [first.lower.tolist(), first.upper.tolist()],
            "enclosure_verdict": first.verdict.value,
            "hull": [best.lower.tolist(), best.upper.tolist()], "verdict": best.verdict.value, "proof": best.proof,
            "seconds": seconds,
            "published": entry["published"], "float_hull": entry["hull_check_float_oettli_prager_LP"],
        })  # fmt: skip
        line = f"{name:<26} {first.verdict.value:>11} {best.verdict.value:>11} {1e3 * seconds:>7.1f}"
        print(
            f"{line}  [{best.lower[0]:.10g}, {best.upper[0]:.10g}]  {published}  [{first.lower[0]:.6g}, "
            f"{first.upper[0]:.6g}]"
        )
    return rows
