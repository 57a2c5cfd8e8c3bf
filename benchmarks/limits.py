"""Are time limits kept? Each problem with limits of 1, 3 and 10 s: the answer must be there within 10 % and one second
of the limit.

    python -m benchmarks limits [--only WORD] [--limits 1 3 10]

The clock starts when the command says that it begins, after starting Python, importing and compiling; reading the
problem is added, as the run counts it. It stops when the process has ended. Said beside is what the answer was worth:
how many certificates were verified.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._large_experiments import arm, platform, table_of_stewart
from benchmarks._large_systems import SETS, SYSTEMS
from certify.problems.experiments.shipped import shipped

LIMITS = (1.0, 3.0, 10.0)
RELATIVE, ABSOLUTE = 1.1, 1.0
LOADING, LOADED = "loading the interval kernels", "searching"  # what is said around what does not count
PATIENCE = 120.0  # seconds after which nothing is waited for
QUESTIONS = (
    (), ("--enclose",), ("--polytope",), ("--least-squares",), ("--discard",), ("--factor",),
    ("--enclose", "--least-squares", "--discard", "--factor"),
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A problem, the words after `certify` that ask about it (given a folder to write to), and how that begins what it
    says at the start.
    """

    name: str
    words: Callable[[Path], list[str]]
    begins: str


def experiments() -> Iterator[Case]:
    """Legs of one to 6,400 poses, arms, platforms with unknown poses, all questions."""

    def run(make: Callable[[Path], Path], *asked: str) -> Callable[[Path], list[str]]:
        return lambda folder: ["run", str(make(folder / "problem")), "--out", str(folder / "out"), *asked]

    for asked in QUESTIONS:
        yield Case(
            f"demo {' '.join(asked)}".strip(), run(lambda folder: shipped("table_of_stewart"), *asked), "fitting"
        )
    for error in ("none", "backlash", "outlier"):
        yield Case(
            f"table of Stewart, {error}, --discard", run(partial(table_of_stewart, error=error), "--discard"), "fitting"
        )
    for name in ("delta", "h4", "par4", "cable_robot", "planar"):
        yield Case(f"{name} --least-squares", run(partial(platform, name=name, poses=40), "--least-squares"), "fitting")
    yield Case(
        "cable robot, unknown poses", run(partial(platform, name="cable_robot_unknown_poses", poses=40)), "fitting"
    )
    yield Case(
        "cable robot, 70 unknown poses", run(partial(platform, name="cable_robot_unknown_poses", poses=70)), "fitting"
    )
    for poses in (400, 2000, 6400):
        yield Case(
            f"table of Stewart, {poses} poses", run(partial(table_of_stewart, error="joints", poses=poses)), "fitting"
        )
    yield Case(
        "delta, 2000 poses, all questions", run(partial(platform, name="delta", poses=2000), *QUESTIONS[-1]), "fitting"
    )
    yield Case("delta, 6400 poses", run(partial(platform, name="delta", poses=6400)), "fitting")
    for links, poses in ((3, 40), (6, 100), (12, 50), (12, 1500)):
        yield Case(f"arm of {links} links, {poses} poses", run(partial(arm, links=links, poses=poses)), "fitting")
    yield Case(
        "arm of 6 links, 100 poses, all questions", run(partial(arm, links=6, poses=100), *QUESTIONS[-1]), "fitting"
    )
    yield Case(
        "arm of 6 links, 1500 poses, --epsilon",
        run(partial(arm, links=6, poses=1500), "--epsilon", "0.1 mm"),
        "fitting",
    )

    def doubted(folder: Path) -> list[str]:
        problem = table_of_stewart(folder / "problem", "joints")
        return ["doubt", str(problem), "--out", str(folder / "out")]

    yield Case("doubt, table of Stewart", doubted, "base")


def systems() -> Iterator[Case]:
    """Systems of 5 to 1,000 equations and sets in 2 to 400 dimensions."""

    def run(text: str) -> Callable[[Path], list[str]]:
        def words(folder: Path) -> list[str]:
            (folder / "system.bch").write_text(text)
            return ["run", str(folder / "system.bch"), "--out", str(folder / "out")]

        return words

    for name, text in (SYSTEMS | SETS).items():
        yield Case(name, run(text), "reading")


def cases() -> list[Case]:
    """All of them."""
    return [*experiments(), *systems()]


def run(words: list[str]) -> dict[str, Any]:
    """Print a row for each problem and limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks limits")
    parser.add_argument("--only", default="", help="the problems with this in their names")
    parser.add_argument("--limits", type=float, nargs="+", default=LIMITS, help="seconds (default 1 3 10)")
    options = parser.parse_args(words)
    rows = []
    for case in (case for case in cases() if options.only in case.name):
        with tempfile.TemporaryDirectory() as folder:
            command = case.words(Path(folder))
            for limit in options.limits:
                rows.append(measured(case, command, limit))
                print(_line(rows[-1]), flush=True)
    kept = sum(row["kept"] for row in rows)
    print(f"{kept} of {len(rows)} kept")
    return {"rows": rows, "kept": kept}


def measured(case: Case, command: list[str], limit: float) -> dict[str, Any]:
    """One run: the seconds from its first word, whether the limit was kept, and what came of it."""
    words = [sys.executable, "-u", "-m", "certify", *command, "--time-limit", str(limit), "--json"]
    with tempfile.TemporaryFile("w+") as output:  # a pipe would be full before anybody reads it
        process = subprocess.Popen(words, stdout=output, stderr=subprocess.PIPE, text=True)
        try:
            began = _began(process.stderr or (), case.begins)
            code = process.wait(PATIENCE)
        finally:
            process.kill()
        seconds = time.perf_counter() - began
        output.seek(0)
        told = json.loads(output.read() or "{}")
    return {
        "problem": case.name, "limit": limit, "seconds": seconds, "kept": seconds <= RELATIVE * limit + ABSOLUTE,
        "code": code,
        "verified": _verified(told), "stages": told.get("seconds", {}),
    }  # fmt: skip


def _began(lines: Iterable[str], begins: str) -> float:
    """When the clock of a run began, whose lines are read to the end; a run that says nothing of it begins with its
    first word.
    """
    began = first = None
    loading = None
    for line in lines:
        now = time.perf_counter()
        first = first or now
        if began is None and line.startswith(begins):
            began = now
        elif line.startswith(LOADING):
            loading = now
        elif line.startswith(LOADED) and began is not None and loading is not None:
            began, loading = began + now - loading, None
    return began or first or time.perf_counter()


def _verified(told: Any) -> int:
    """How many records of an answer are verified."""
    if isinstance(told, dict):
        return int(told.get("verified") is True) + sum(map(_verified, told.values()))
    return sum(map(_verified, told)) if isinstance(told, list) else 0


def _line(row: dict[str, Any]) -> str:
    kept = "kept" if row["kept"] else "NOT KEPT"
    worth = f"exit code {row['code']}, {row['verified']} verified"
    return f"{row['problem']:<52} limit {row['limit']:>4g} s  {row['seconds']:>6.2f} s  {kept:<8}  {worth}"
