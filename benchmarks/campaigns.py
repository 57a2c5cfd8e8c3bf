"""A campaign of 24 problems and ten seeds, killed five times and resumed: its table equals that of one that was not.

    python -m benchmarks campaigns [--seeds 10] [--kills 5] [--robot planar_3rpr]

Also seconds of the undisturbed campaign with one worker and with two, whose tables must be the same bytes.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

PLAN = """title = "24 problems"
[[problems]]
robot = "{robot}"
error = ["none", "backlash", "outlier"]
noise = ["1", "2"]
gap = ["1e-1", "1e-2", "1e-3", "1e-6"]
seed = "1..{seeds}"
"""


def run(words: list[str]) -> dict[str, Any]:
    """Print what each campaign took, and whether the tables are the same."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks campaigns")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--robot", default="planar_3rpr")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "campaign.toml").write_text(PLAN.format(robot=options.robot, seeds=options.seeds))
        told = {f"workers {count}": _timed(folder, f"with{count}", count) for count in (1, 2)}
        for what, (seconds, computed) in told.items():
            print(f"{what}: {seconds:.1f} s, {computed:.1f} s of processor time", flush=True)
        kills = _killed(folder, options.kills, told["workers 2"][0], options.seed)
        tables = [(folder / out / "campaign.csv").read_bytes() for out in ("with1", "with2", "killed")]
    same = tables[0] == tables[1] == tables[2]
    rows = tables[0].count(b"\n") - 1
    print(f"{rows} rows, killed {kills} times: {'the same bytes' if same else 'DIFFERENT'}")
    return {"seconds": told, "kills": kills, "rows": rows, "same": same}


def _command(folder: Path, out: str, workers: int) -> list[str]:
    words = ["campaign", str(folder / "campaign.toml"), "--out", str(folder / out), "--quiet", "--resume"]
    return [sys.executable, "-m", "certify", *words, "--workers", str(workers)]


def _timed(folder: Path, out: str, workers: int) -> tuple[float, float]:
    """Seconds by the clock, and of the processors."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(_command(folder, out, workers), check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, computed


def _killed(folder: Path, kills: int, usual: float, seed: int) -> int:
    """Kill it so often, with all that it has started, and let it end then."""
    random, done = np.random.default_rng(seed), 0
    for _ in range(kills):
        command = _command(folder, "killed", 2)
        process = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(float(random.uniform(2.0, 2.0 + usual / max(kills, 1))))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
    subprocess.run(_command(folder, "killed", 2), check=False, capture_output=True)
    return done
