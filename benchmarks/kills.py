"""Runs killed at any moment and resumed: they end in the verdict of the undisturbed run, with certificates that are
verified.

    python -m benchmarks kills [--count 200] [--seed 1] [--most 3] [--quick]
    python -m benchmarks kills --flips          every byte of the journal of a small run changed, one at a time
    python -m benchmarks kills --full           a disk that is full after so many bytes

Each run of `certify run`, in a process forked from one that has loaded the kernels, and its workers get SIGKILL at
a random moment, are resumed, killed again (up to --most times) and resumed until they end. What must be equal: the
exit code, verdicts, what certificates claim. Every certificate that the record calls verified is verified once
more.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._large_experiments import table_of_stewart
from benchmarks._large_systems import SYSTEMS
from benchmarks.interruptions import judged
from certify.__main__ import main
from certify.parts.warm_up import warm_up
from certify.questions.system_search import warm_up_systems
from certify.solvers.journal.beside import journal_path

MOST = 60.0  # seconds until a kill at the latest
PATIENCE = 1800.0
CURVES = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n"
SMALL = "Variables x in [-2, 2]; y in [-2, 2];\nConstraints x^2 + y^2 = 2; x*y = 1/2;\nend\n"


def _planar(folder: Path) -> Path:
    words = ["simulate", "--robot", "planar_3rpr", "--error", "backlash", "--out", str(folder), "--quiet"]
    subprocess.run([sys.executable, "-m", "certify", *words], check=True, capture_output=True)
    return folder / "problem.toml"


def _system(folder: Path, text: str) -> Path:
    path = folder.with_suffix(".bch")
    path.write_text(text)
    return path


PROBLEMS: tuple[tuple[str, Callable[[Path], Path], tuple[str, ...]], ...] = (
    ("curves", partial(_system, text=CURVES), ()),
    ("Yamamura 8", partial(_system, text=SYSTEMS["Yamamura 8"]), ()),
    ("planar robot", _planar, ()),
    ("table of Stewart", partial(table_of_stewart, error="joints"), ("--gap", "1e-5")),
)

QUICK = ("curves", "planar robot")


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each run, then how many were wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kills")
    parser.add_argument("--count", type=int, default=200, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=3, help="kills of one run")
    parser.add_argument("--quick", action="store_true", help="of the two quickest problems only")
    parser.add_argument("--flips", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="flips of every Nth byte only")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args(words)
    warm_up(print)
    warm_up_systems()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.flips:
            return _flips(folder, options.every)
        chosen = [problem for problem in PROBLEMS if problem[0] in QUICK or not options.quick]
        problems = [(title, make(folder / f"problem{k}"), asked) for k, (title, make, asked) in enumerate(chosen)]
        usual = [_usual(path, asked, folder / f"usual{k}") for k, (_, path, asked) in enumerate(problems)]
        return _full(folder, problems, usual) if options.full else _kills(folder, problems, usual, options)


Problem = tuple[str, Path, tuple[str, ...]]
Usual = tuple[float, Any]


def _kills(
    folder: Path, problems: Sequence[Problem], usual: Sequence[Usual], options: argparse.Namespace
) -> dict[str, Any]:
    random, rows, kills = np.random.default_rng(options.seed), [], 0
    while kills < options.count:
        k = len(rows) % len(problems)
        title, path, asked = problems[k]
        workers = 1 + len(rows) // len(problems) % 2
        out = folder / f"out{len(rows)}"
        most = min(int(random.integers(1, options.most + 1)), options.count - kills)
        seconds, before = usual[k]
        moments, code = [], None
        for _ in range(most):
            moments.append(float(random.uniform(0.0, min(seconds, MOST))))
            code = _killed(_words(path, out, asked, workers), moments[-1])
            if code is not None:
                break
        done = sum(1 for _ in moments) - (code is not None)
        kills += done
        known = journal_path(out).stat().st_size if journal_path(out).is_file() else 0
        if code is None:
            code = _run(_words(path, out, asked, workers))
        wrong = _wrong(out, code, before)
        rows.append({"problem": title, "moments": moments, "kills": done, "journal": known, "wrong": wrong})
        print(
            f"{kills:>4} {title:<20} {workers} workers, killed {done} times, a journal of {known:>8} bytes "
            f"{wrong or 'the same verdict'}", flush=True,
        )  # fmt: skip
    wrong = sum(bool(row["wrong"]) for row in rows)
    print(f"{kills} kills in {len(rows)} runs, {wrong} of them wrong")
    return {"rows": rows, "kills": kills, "wrong": wrong}


def _usual(path: Path, asked: Sequence[str], out: Path) -> Usual:
    """Seconds and verdicts of a run that nobody kills."""
    _run(_words(path, out, asked, 1))
    began = time.perf_counter()
    _run(_words(path, out, asked, 1))
    return time.perf_counter() - began, _verdicts(json.loads((out / "result.json").read_text()))


def _words(path: Path, out: Path, asked: Sequence[str], workers: int) -> list[str]:
    words = ["run", str(path), "--out", str(out), "--workers", str(workers), "--time-limit", str(PATIENCE), *asked]
    return [*words, "--resume", "--quiet"]


def _command(path: Path, out: Path, asked: Sequence[str], workers: int) -> list[str]:
    return [sys.executable, "-m", "certify", *_words(path, out, asked, workers)]


def _killed(words: list[str], moment: float) -> int | None:
    """Kill a run and all that it has started; its exit code if it had ended before."""
    process = multiprocessing.get_context("fork").Process(target=_alone, args=(words,))
    process.start()
    process.join(moment)
    code = process.exitcode
    if code is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()
        process.join()
    return code


def _run(words: list[str]) -> int:
    """A run to its end, in a process of its own."""
    process = multiprocessing.get_context("fork").Process(target=_alone, args=(words,))
    process.start()
    process.join()
    return -1 if process.exitcode is None else process.exitcode


def _alone(words: list[str]) -> None:
    """In a process that was forked from one that has loaded the kernels: a run takes no time to start."""
    os.setsid()
    told = os.open(_errors(Path(words[3])), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(told, 1)
    os.dup2(told, 2)
    os._exit(main(words))


def _errors(out: Path) -> Path:
    """What the last run into a folder has printed."""
    return out.with_name(f"{out.name}.errors")


def _wrong(out: Path, code: int, before: Any) -> str:
    """What is wrong with what is left of a run that has ended."""
    if not (out / "result.json").is_file():
        return f"no record, exit code {code}: {_errors(out).read_text()[-500:]}"
    return judged(out, code) or _different(before, json.loads((out / "result.json").read_text()))


def _verdicts(record: Any) -> Any:
    """What must not depend on what happened on the way."""
    if "parts" not in record:
        told = record["certificate"]
        return record["exit_code"], told.get("verified"), told.get("claim"), len(record["solutions"])
    return record["exit_code"], [
        (part["name"], part["verdict"], part["epsilon"], part["verified"]) for part in record["parts"]
    ]


def _different(before: Any, record: Any) -> str:
    found = _verdicts(record)
    return "" if found == before else f"{found} instead of {before}"


def _full(folder: Path, problems: Sequence[Problem], usual: Sequence[Usual]) -> dict[str, Any]:
    """Runs that may write no file beyond some bytes: an error, or the verdict of the undisturbed run."""
    rows = []
    for k, (title, path, asked) in enumerate(problems):
        for size in (0, 50, 100, 1000, 10_000, 100_000, 1_000_000):
            out = folder / f"full{k}-{size}"
            limited = subprocess.run(
                _command(path, out, asked, 1), check=False, capture_output=True, text=True,
                preexec_fn=partial(_at_most, size),
            )  # fmt: skip
            told = [line for line in limited.stderr.splitlines() if "journal" in line or line.startswith("certify:")]
            resumed = subprocess.run(_command(path, out, asked, 1), check=False, capture_output=True, text=True)
            wrong = "" if limited.returncode in (0, 2, 3) else f"exit code {limited.returncode} {limited.stderr[-200:]}"
            wrong = wrong or judged(out, resumed.returncode)
            wrong = wrong or _different(usual[k][1], json.loads((out / "result.json").read_text()))
            rows.append({"problem": title, "bytes": size, "code": limited.returncode, "wrong": wrong})
            print(f"{title:<20} {size:>8} bytes: exit code {limited.returncode}, {told[-1:]} {wrong}", flush=True)
    return {"rows": rows, "wrong": sum(bool(row["wrong"]) for row in rows)}


def _at_most(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _flips(folder: Path, every: int) -> dict[str, Any]:
    """The journal of a small system with each byte changed."""
    from certify.problems.errors import InputError
    from certify.solvers.journal.journal import Journal, Memory
    from certify.systems.solve import Asked, answered

    path = folder / "small.journal"
    journal = Journal.begin(path, b"small")
    (expected,) = answered(SMALL, Asked(memory=Memory(journal))).documents
    journal.close()
    whole, found = path.read_bytes(), Counter[str]()
    for place in range(0, len(whole), every):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            journal = Journal.resume(path, b"small")
        except InputError:
            found["an error"] += 1
            continue
        (document,) = answered(SMALL, Asked(memory=Memory(journal))).documents
        journal.close()
        same = document.certificate == expected.certificate
        found["the same certificate" if same else "WRONG"] += 1
    print(f"{len(whole)} bytes: {dict(found)}")
    return {"bytes": len(whole), "found": dict(found), "wrong": found["WRONG"]}
