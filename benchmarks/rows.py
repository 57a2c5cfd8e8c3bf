"""Many rows: what memory and processor time a proved model error costs, proof included.

    python -m benchmarks rows [--data FOLDER] [--only WORD] [--before TREE] [--limit 120]

`--data` is a folder with ur10_laser_tracker, without which only simulated problems are asked; `--before` is another
version's tree with a `.venv` of its own, which answers the same questions. Every answer is that of a process of its
own, so that the peak of its memory is its own; seconds are processor time of the answer, after what is compiled was
loaded. The certificate is judged afterwards by the checker, in another process. Runs of a platform are whole runs of
`certify run`: reading, fitting, searching, writing and checking, with one worker.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._large_experiments import table_of_stewart

PROBLEMS = Path(__file__).parent / "_row_problems.py"
MEGABYTE = 1024  # times what the system counts in


@dataclass(frozen=True)
class Case:
    """A problem with so many poses, the gap that is asked for, and the bars: seconds and megabytes, if there are."""

    name: str
    poses: int
    gap: str
    seconds: float | None = None
    megabytes: float | None = None


CASES = (
    Case("drive", 24741, "1e-6", None, 1000),
    Case("platform", 6400, "1e-3", None, 1000),
    Case("ur10", 2773, "1e-2", 12, 800),
    Case("ur10", 2773, "1e-3", 15, 800),
    Case("ur10", 1495, "1e-3", 15, 800),
    Case("ur10", 60, "1e-3", 3),
    Case("ur10", 60, "5e-7", 5),
    Case("arm", 300, "1e-3", 12),
    Case("ur10-wide", 60, "1e-3", 25),
    Case("joints", 40, "1e-2", 30),
    Case("joints", 40, "1e-3"),
)


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each case and version."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks rows")
    parser.add_argument("--data", type=Path, help="folder with ur10_laser_tracker")
    parser.add_argument("--only", default="", help="the cases with this in what is printed of them")
    parser.add_argument("--before", type=Path, help="another version's tree, with its .venv")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each answer (default 120)")
    options = parser.parse_args(words)
    trees = {"now": Path(__file__).parents[1]} | ({"before": options.before} if options.before else {})
    rows = []
    for case in CASES:
        title = f"{case.name} {case.poses} poses, gap {case.gap}"
        if options.only not in title:
            continue
        if case.name.startswith("ur10") and options.data is None:
            print(f"{title}: no data")
            continue
        for version, tree in trees.items():
            with tempfile.TemporaryDirectory() as folder:
                told = _answered(case, tree, options.limit, options.data, Path(folder))
            rows.append({"case": title, "version": version, **told, "bars": [case.seconds, case.megabytes]})
            print(_line(rows[-1]), flush=True)
    return {"rows": rows}


def _answered(case: Case, tree: Path, limit: float, data: Path | None, folder: Path) -> dict[str, Any]:
    if case.name == "platform":
        return _platform(case, tree, limit, folder)
    python = _python(tree)
    words = [case.name, str(case.poses), case.gap, str(limit), str(folder), *([str(data)] if data else [])]
    done = _process([python, "-P", str(PROBLEMS), *words], tree)
    told = json.loads(done["output"] or "{}") or {"failed": done["errors"][-300:]}
    certificate = folder / "part.cert"
    if certificate.exists():
        files = [str(folder / "problem.canonical"), str(certificate)]
        judged = _process([python, "-I", "-S", str(tree / "certify" / "checker"), *files], tree)
        told["checked"] = {"verified": judged["code"] == 0, "cpu": judged["cpu"], "peak": judged["peak"]}
    return told


def _platform(case: Case, tree: Path, limit: float, folder: Path) -> dict[str, Any]:
    """A whole run; the worst leg stands for all."""
    problem, out = table_of_stewart(folder / "problem", "joints", case.poses), folder / "out"
    words = ["run", str(problem), "--out", str(out), "--gap", case.gap, "--time-limit", str(limit)]
    done = _process([_python(tree), "-m", "certify", *words, "--workers", "1", "--json"], tree)
    answer = json.loads(done["output"] or "{}")
    parts = answer.get("parts", [])
    told = {"cpu": done["cpu"], "peak": done["peak"], "code": done["code"], "bytes": _size(out)}
    if not parts:
        return told | {"failed": done["errors"][-300:]}
    ends = [part["epsilon"] for part in parts]
    verified = all(part.get("verified") is True for part in parts)
    return told | {"lower": ends[-1][0], "upper": ends[-1][1], "checked": {"verified": verified}}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.cert"))


def _python(tree: Path) -> str:
    own = tree / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def _process(command: list[str], tree: Path) -> dict[str, Any]:
    """What a command prints, its processor time and the peak of its memory (of the largest of its processes)."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=tree, env=os.environ | threads)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return {
            "code": process.returncode, "output": output.read(), "errors": errors.read(),
            "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / MEGABYTE,
        }  # fmt: skip


def _line(row: dict[str, Any]) -> str:
    if "failed" in row:
        return f"{row['case']:<34} {row['version']:<7} failed: {row['failed']}"
    seconds, megabytes = row["bars"]
    checked = row.get("checked", {})
    bars = f"bars {seconds or '-'} s {megabytes or '-'} MB"
    upper = "?" if row["upper"] is None else f"{row['upper']:.7g}"
    return (
        f"{row['case']:<34} {row['version']:<7} {row['lower']:.7g} .. {upper:<11} {row['cpu']:>7.2f} s "
        f"{row['peak']:>6.0f} MB {row['bytes'] / 1000:>7.0f} kB  verified {checked.get('verified')}  {bars}"
    )
