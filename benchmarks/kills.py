"""Runs killed at any moment and gone on with: they end in the verdict of the undisturbed run, with the same
certificates, byte for byte, that are verified.

    python -m benchmarks kills [--count 200] [--seed 1] [--most 3] [--quick] [--who worker scheduler]

In turns SIGKILL gets, at random moments,

    run            a run and all that it has started; it is resumed, killed again (up to --most times), resumed
    client         the run alone: its workers end by themselves, and it is resumed at once
    worker         one of the processes that a run has begun; the run goes on (where a checker was hit, it is resumed)
    scheduler      Dask's, while a run asks its workers; the run goes on (or, where it had not yet begun, is refused:
                   then it is begun without a cluster)
    dask worker    one of Dask's two workers, and then perhaps the other one
    dask client    the run; it is resumed with the same cluster
    campaign       a campaign of eight tasks and all that it has started; it is resumed

Every process is forked from one that has loaded the kernels. What must be equal: the exit code, verdicts, what
certificates claim, and their bytes (so that no node was lost and none stands there twice); of a campaign the table.
Every certificate that the record calls verified is verified once more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._large_experiments import table_of_stewart
from benchmarks._large_systems import SYSTEMS
from benchmarks._small_cluster import SmallCluster
from benchmarks.interruptions import judged
from certify.__main__ import main
from certify.parts.warm_up import warm_up
from certify.questions.system_search import warm_up_systems
from certify.solvers.journal.beside import journal_path

MOST = 60.0  # seconds until a kill at the latest
PATIENCE = 1800.0
CURVES = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n"
PLAN = """[[problems]]
file = "curves.bch"
width = ["1e-8", "1e-6", "1e-4", "1e-3"]
[[problems]]
robot = "planar_3rpr"
error = ["none", "backlash"]
gap = ["1e-1", "1e-2"]
"""
HERE = ("run", "client", "worker")
BY_DASK = ("scheduler", "dask worker", "dask client")
CAMPAIGN = "campaign"
WHO = (*HERE, *BY_DASK, CAMPAIGN)


def planar(folder: Path) -> Path:
    """A simulated planar robot."""
    words = ["simulate", "--robot", "planar_3rpr", "--error", "backlash", "--out", str(folder), "--quiet"]
    subprocess.run([sys.executable, "-m", "certify", *words], check=True, capture_output=True)
    return folder / "problem.toml"


def system(folder: Path, text: str) -> Path:
    """A system as a file."""
    path = folder.with_suffix(".bch")
    path.write_text(text)
    return path


def _campaign(folder: Path) -> Path:
    folder.mkdir()
    (folder / "curves.bch").write_text(CURVES)
    (folder / "campaign.toml").write_text(PLAN)
    return folder / "campaign.toml"


PROBLEMS: tuple[tuple[str, Callable[[Path], Path], tuple[str, ...]], ...] = (
    ("curves", partial(system, text=CURVES), ()),
    ("planar robot", planar, ()),
    ("Yamamura 8", partial(system, text=SYSTEMS["Yamamura 8"]), ()),
    ("table of Stewart", partial(table_of_stewart, error="joints"), ("--gap", "1e-5")),
)
QUICK = 2  # of these


@dataclass(frozen=True)
class Asked:
    """One command that is killed: `known` is what is left of it when nobody kills it, after so many seconds."""

    title: str
    path: Path
    more: tuple[str, ...] = ()
    seconds: float = 0.0
    known: Any = None

    @property
    def is_campaign(self) -> bool:
        """Whether it is many problems."""
        return self.path.name == "campaign.toml"

    def words(self, out: Path, *more: str) -> list[str]:
        """It, or it once more."""
        if self.is_campaign:
            return ["campaign", str(self.path), "--out", str(out), "--resume", "--quiet", *more]
        words = ["run", str(self.path), "--out", str(out), "--time-limit", str(PATIENCE), *self.more]
        return [*words, "--resume", "--quiet", *more]

    def found(self, out: Path) -> Any:
        """What must not depend on what happened on the way."""
        if self.is_campaign:
            return (out / "campaign.csv").read_bytes()
        record = json.loads((out / "result.json").read_text())
        sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in sorted(out.glob("*.cert"))}
        if "parts" not in record:
            told = record["certificate"]
            return record["exit_code"], told.get("verified"), told.get("claim"), len(record["solutions"]), sums
        parts = [(part["name"], part["verdict"], part["epsilon"], part["verified"]) for part in record["parts"]]
        return record["exit_code"], parts, sums


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each run, then how many were wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kills")
    parser.add_argument("--count", type=int, default=200, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=3, help="kills of one run")
    parser.add_argument("--quick", action="store_true", help="of the two quickest problems only")
    parser.add_argument("--who", nargs="+", choices=WHO, default=WHO)
    options = parser.parse_args(words)
    warm_up(print)
    warm_up_systems()
    if find_spec("distributed") is not None:
        import distributed  # noqa: F401  # so that processes that are forked have it
    with tempfile.TemporaryDirectory() as name:
        return _kills(Path(name), options)


def _kills(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    asked = [
        Asked(title, make(folder / f"problem{k}"), more)
        for k, (title, make, more) in enumerate(PROBLEMS[: QUICK if options.quick else None])
    ]
    asked = [_usual(one, folder / f"usual{k}") for k, one in enumerate(asked)]
    campaign = _usual(Asked("campaign", _campaign(folder / "campaign")), folder / "table")
    random, rows, kills = np.random.default_rng(options.seed), list[dict[str, Any]](), 0
    turns = Counter[str]()
    while kills < options.count:
        who = options.who[len(rows) % len(options.who)]
        one = campaign if who == CAMPAIGN else asked[turns[who] % len(asked)]
        turns[who] += 1
        most = min(int(random.integers(1, options.most + 1)), options.count - kills)
        out = folder / f"out{len(rows)}"
        row = _row(one, out, who, most, random, 1 + turns[who] // len(asked) % 2)
        rows.append(row)
        kills += row["kills"]
        print(
            f"{kills:>4} {who:<12} {one.title:<18} killed {row['kills']} times, a journal of {row['journal']:>8} bytes "
            f"{row['wrong'] or 'the same verdict'}", flush=True,
        )  # fmt: skip
    wrong = sum(bool(row["wrong"]) for row in rows)
    by = {who: sum(row["kills"] for row in rows if row["who"] == who) for who in options.who}
    print(f"{kills} kills in {len(rows)} runs {by}, {wrong} of them wrong")
    return {"rows": rows, "kills": kills, "by": by, "wrong": wrong}


def _usual(asked: Asked, out: Path) -> Asked:
    """With what is left when nobody kills it, and its seconds."""
    _ended(_started(asked.words(out, "--workers", "1"), out))
    began = time.perf_counter()
    again = out.with_name(f"{out.name}-again")
    code = _ended(_started(asked.words(again, "--workers", "1"), again))
    seconds, wrong = time.perf_counter() - began, _wrong(asked, again, code)
    if wrong or asked.found(out) != asked.found(again):
        raise SystemExit(f"{asked.title}: undisturbed runs differ, or are wrong: {wrong}")
    return replace(asked, seconds=seconds, known=asked.found(out))


def _row(asked: Asked, out: Path, who: str, most: int, random: np.random.Generator, workers: int) -> dict[str, Any]:
    """One run, killed so often."""
    moments = sorted(random.uniform(0.0, min(asked.seconds, MOST), most).tolist())
    cluster = SmallCluster(out.with_name(f"{out.name}-dask")) if who in BY_DASK else None
    with cluster or nullcontext():
        more = ("--workers", str(workers if who == "run" else 2)) if cluster is None else ("--dask", cluster.address)
        words = asked.words(out, *more)
        if who in ("scheduler", "dask worker"):
            kills, code = _others(words, out, moments, partial(_of_cluster, cluster, who == "scheduler"))
        elif who == "worker":
            kills, code = _others(words, out, moments, partial(_child, random))
        else:
            kills, code = _itself(words, out, moments, alone=who in ("client", "dask client"))
        journal = journal_path(out).stat().st_size if journal_path(out).is_file() else 0
        if code == 2 and "--dask" in _errors(out).read_text():  # no cluster was left when it was to begin: go on alone
            words = asked.words(out, "--workers", "1")
        if code in (None, 2, 3):
            code = _ended(_started(words, out))
    wrong = _wrong(asked, out, code)
    return {"who": who, "problem": asked.title, "moments": moments, "kills": kills, "journal": journal, "wrong": wrong}


Kill = Callable[[BaseProcess, int], bool]


def _itself(words: list[str], out: Path, moments: Sequence[float], alone: bool) -> tuple[int, int | None]:
    """The run is killed, with all that it has started or alone, and begun once more; its code if it ended before."""
    for number, moment in enumerate(moments):
        process = _started(words, out)
        process.join(moment)
        if process.exitcode is not None:
            return number, process.exitcode
        if not alone:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()
        process.join()
    return len(moments), None


def _others(words: list[str], out: Path, moments: Sequence[float], kill: Kill) -> tuple[int, int | None]:
    """Others are killed while the run goes on: how many there were, and its code."""
    process, began, kills = _started(words, out), time.perf_counter(), 0
    for number, moment in enumerate(moments):
        process.join(max(moment - (time.perf_counter() - began), 0.0))
        if process.exitcode is not None:
            break
        kills += kill(process, number)
    return kills, _ended(process)


def _of_cluster(cluster: SmallCluster, scheduler: bool, process: BaseProcess, number: int) -> bool:
    """The scheduler, which there is once; a worker, as long as there are some."""
    if number >= (1 if scheduler else len(cluster.workers)):
        return False
    cluster.kill(-1 if scheduler else number)
    return True


def _child(random: np.random.Generator, process: BaseProcess, _: int) -> bool:
    """One of the processes that a run has begun, if there are some."""
    found = _below(process.pid or 0)
    if not found:
        return False
    with suppress(ProcessLookupError):
        os.kill(found[int(random.integers(len(found)))], signal.SIGKILL)
    return True


def _below(pid: int) -> list[int]:
    """Children, and theirs."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = stat.read_text().rpartition(")")[2].split()
            parents.setdefault(int(after[1]), []).append(int(stat.parent.name))
    found, waiting = list[int](), [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def _started(words: list[str], out: Path) -> BaseProcess:
    """In a process that is forked from this one, which has loaded the kernels: a run takes no time to start."""
    process = multiprocessing.get_context("fork").Process(target=_alone, args=(words, out))
    process.start()
    return process


def _ended(process: BaseProcess) -> int:
    process.join()
    return -1 if process.exitcode is None else process.exitcode


def _alone(words: list[str], out: Path) -> None:
    os.setsid()
    told = os.open(_errors(out), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(told, 1)
    os.dup2(told, 2)
    os._exit(main(words))


def _errors(out: Path) -> Path:
    """What the last run into a folder has printed."""
    return out.with_name(f"{out.name}.errors")


def _wrong(asked: Asked, out: Path, code: int) -> str:
    """What is wrong with what is left of a run that has ended."""
    if not (out / "result.json").is_file():
        return f"no record, exit code {code}: {_errors(out).read_text()[-500:]}"
    wrong = "" if asked.is_campaign else judged(out, code)
    if wrong or asked.known is None:
        return wrong
    found = asked.found(out)
    return "" if found == asked.known else f"{found} instead of {asked.known}; {_errors(out).read_text()[-300:]}"
