"""Runs interrupted at any moment: what is left is a folder that can be read, with what was proved and checked by then.

    python -m benchmarks interruptions [--count 200] [--seed 1]

Each run of `certify run` is sent SIGINT (or SIGTERM) once, at a random moment between its start and a little after its
usual end; every other one with two workers; all its processes get it, as from a terminal. It must end within GRACE
seconds with exit code 0 or 3, and leave either nothing (where the search had not begun: nothing was claimed) or a
record whose files are all there and whose certificates, those that the record calls verified, are verified once more.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._large_experiments import arm, platform, table_of_stewart
from benchmarks._large_systems import SETS, SYSTEMS
from certify.checker import Status, check
from certify.runs.folders import REPORT

GRACE = 30.0  # seconds from the interruption to the end of the process
LONGER = 1.1  # times the usual seconds of a run: some interruptions come too late
MOST = 25.0  # seconds at which an interruption comes at the latest


def _system(folder: Path, text: str) -> Path:
    """A system as a file."""
    path = folder.with_suffix(".bch")
    path.write_text(text)
    return path


PROBLEMS: tuple[tuple[str, Callable[[Path], Path], tuple[str, ...]], ...] = (
    ("table of Stewart", partial(table_of_stewart, error="joints"), ()),
    (
        "table of Stewart, all questions",
        partial(table_of_stewart, error="outlier"),
        ("--enclose", "--least-squares", "--discard"),
    ),
    ("delta, factor", partial(platform, name="delta", poses=40), ("--factor",)),
    ("cable robot, unknown poses", partial(platform, name="cable_robot_unknown_poses", poses=30), ()),
    ("arm of 6 links", partial(arm, links=6, poses=60), ("--polytope",)),
    *(
        (name, partial(_system, text=(SYSTEMS | SETS)[name]), ())
        for name in ("Bratu 30", "Yamamura 8", "Broyden 400", "a ball in 3 dimensions")
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What an interrupted run left: a word for it, and what is wrong, if anything."""

    left: str
    wrong: str = ""


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each run, then how many left what."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks interruptions")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    random = np.random.default_rng(options.seed)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problems = [(title, make(folder / f"problem{k}"), asked) for k, (title, make, asked) in enumerate(PROBLEMS)]
        usual = [_usual(path, asked, folder / f"usual{k}") for k, (_, path, asked) in enumerate(problems)]
        for number in range(options.count):
            k = number % len(problems)
            title, path, asked = problems[k]
            moment = float(random.uniform(0.0, LONGER * usual[k]))
            workers = 1 + number // len(problems) % 2
            kind = signal.SIGTERM if number % 7 == 6 else signal.SIGINT
            outcome, seconds = interrupted(path, folder / f"out{number}", asked, moment, workers, kind)
            told = {"left": outcome.left, "wrong": outcome.wrong, "seconds": seconds}
            rows.append({"problem": title, "signal": kind.name, "moment": moment, "workers": workers, **told})
            sent = f"{kind.name} at {moment:>5.2f} s, {workers} workers"
            print(
                f"{number + 1:>4} {title:<34} {sent}: {outcome.left}, {seconds:.2f} s later {outcome.wrong}", flush=True
            )
    wrong = sum(bool(row["wrong"]) for row in rows)
    print(f"{dict(Counter(row['left'] for row in rows))}; {wrong} of {len(rows)} wrong")
    return {"rows": rows, "wrong": wrong}


def _usual(path: Path, asked: Sequence[str], out: Path) -> float:
    """Seconds of a run that nobody interrupts, or MOST."""
    began = time.perf_counter()
    subprocess.run(_command(path, out, asked, 1, MOST), check=False, capture_output=True)
    return min(time.perf_counter() - began, MOST)


def _command(path: Path, out: Path, asked: Sequence[str], workers: int, limit: float) -> list[str]:
    words = ["run", str(path), "--out", str(out), "--workers", str(workers), "--time-limit", str(limit), *asked]
    return [sys.executable, "-m", "certify", *words]


def interrupted(
    path: Path, out: Path, asked: Sequence[str], moment: float, workers: int, kind: signal.Signals
) -> tuple[Outcome, float]:
    """One run, and how long after the interruption it ended."""
    heard = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a benchmark in the background ignores it, and so would its children
    process = subprocess.Popen(
        _command(path, out, asked, workers, 10 * MOST),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, heard)
    try:
        process.wait(moment)
        return Outcome("ended before", judged(out, process.returncode)), 0.0
    except subprocess.TimeoutExpired:
        began = time.perf_counter()
    os.killpg(process.pid, kind)
    try:
        _, errors = process.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Outcome("did not end", "it did not end"), GRACE
    seconds = time.perf_counter() - began
    if not (out / "result.json").is_file():
        return Outcome("nothing", _nothing(out, process.returncode, errors)), seconds
    return Outcome("a record", judged(out, process.returncode)), seconds


def _nothing(out: Path, code: int, errors: str) -> str:
    """What is wrong where no record was left: only a run that had not begun may leave nothing, and no files then."""
    if out.exists() and any(out.iterdir()):
        return f"files without a record: {', '.join(path.name for path in out.iterdir())}"
    starting = code in (-signal.SIGINT, -signal.SIGTERM, 1) and "searching" not in errors  # Python itself was starting
    return (
        ""
        if starting or (code == 3 and "nothing was claimed" in errors)
        else f"exit code {code}: {errors.strip()[-300:]}"
    )


def judged(out: Path, code: int) -> str:
    """What is wrong with a folder."""
    record = json.loads((out / "result.json").read_text())
    missing = [name for name in record["files"] if not (out / name).is_file()]
    others = sorted({path.name for path in out.iterdir()} - {*record["files"], REPORT})
    if missing or others:
        return f"missing {missing}, not in the record {others}, exit code {code}"
    if code not in (0, 3) or code != record["exit_code"]:
        return f"exit code {code}, the record says {record['exit_code']}"
    for name, canonical in _verified(record, out):
        if check(canonical.read_bytes(), (out / name).read_bytes()).status is not Status.VERIFIED:
            return f"{name} is not verified"
    return ""


def _verified(record: Any, out: Path) -> list[tuple[str, Path]]:
    """The certificates that a record calls verified, with their problems."""
    if "parts" not in record:  # of a system or a set
        told = record["certificate"]
        files = {"solutions": "problem", "outer": "outer", "inner": "inner", "point": "outer"}
        said = {"solutions": told.get("verified", False) and "file" in told} | {
            name: told[name]["verified"] for name in ("outer", "inner", "point") if name in told
        }
        return [(f"{name}.cert", out / f"{files[name]}.canonical") for name, verified in said.items() if verified]
    found = [(part["certificate"], out / "problem.canonical") for part in record["parts"] if part["verified"]]
    found += [
        (part["least_squares"]["certificate"], out / "problem.canonical")
        for part in record["parts"] if part["least_squares"] and part["least_squares"]["verified"]
    ]  # fmt: skip
    for key, file in (("minima", "least-squares"), ("hulls", "problem"), ("discards", "problem")):
        answered = [part for part in record.get(key, []) if part["verified"]]
        found += [(part["certificate"], out / f"{file}.canonical") for part in answered]
    return found
