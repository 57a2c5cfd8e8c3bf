"""Disks, folders, files and clocks that fail while a run is at work: a clear error, or the verdict of the undisturbed
run, at once or when the run is gone on with.

    python -m benchmarks faults [--only flips full small folder clock] [--every 1] [--seed 1]

    flips     every byte of the journal of a small run changed, one at a time
    full      no file may be longer than so many bytes (RLIMIT_FSIZE)
    small     a disk that has room for so much (a tmpfs; needs root)
    folder    a folder that may not be written to, a problem, a journal and a record that may not be read (root's right
              to do so all the same is given up)
    clock     all clocks jump, forwards and backwards, while a journal is written and a limit of time holds: also those
              that only go on, which is worse than what Linux does (libfaketime cannot leave them alone: Python's sleeps
              fail then)
"""

from __future__ import annotations

import argparse
import ctypes
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.interruptions import judged
from benchmarks.kills import PROBLEMS, QUICK, Asked
from certify.__main__ import main
from certify.parts.warm_up import warm_up
from certify.problems.errors import InputError
from certify.questions.system_search import warm_up_systems
from certify.solvers.journal.beside import journal_path
from certify.solvers.journal.journal import Journal, Memory
from certify.systems.solve import Asked as AskedSystem
from certify.systems.solve import answered

SMALL = "Variables x in [-2, 2]; y in [-2, 2];\nConstraints x^2 + y^2 = 2; x*y = 1/2;\nend\n"
SIZES = (0, 50, 100, 1000, 10_000, 100_000, 1_000_000)
ROOMS = ("8k", "32k", "64k", "128k", "512k", "2m")
CODES = (0, 2, 3)  # of runs that a fault may have ended: an answer, an error of somebody else's, nothing is proved
FAKETIME = sorted(Path("/usr/lib").glob("**/faketime/libfaketimeMT.so.1"))
JUMPS = ("+7200", "-7200", "+400d", "-400d")
MOUNT, UNMOUNT = (shutil.which(name) or name for name in ("mount", "umount"))
DROP, READ, WRITE = 24, 2, 1  # of prctl: rights of root's to read and write whatever permissions say
VERSION = 0x20080522  # of capget
Done = subprocess.CompletedProcess[str]
Row = dict[str, Any]
Check = Callable[[Path, Asked], Iterator[Row]]


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each fault, then how many were wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks faults")
    parser.add_argument("--only", nargs="+", choices=("flips", *FAULTS))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="flips of every Nth byte only")
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which the clock jumps")
    options = parser.parse_args(words)
    warm_up(print)
    warm_up_systems()
    only, told = options.only or ("flips", *FAULTS), dict[str, Any]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "flips" in only:
            told["flips"] = _flips(folder, options.every)
        for title, make, more in PROBLEMS[:QUICK]:
            asked = _usual(Asked(title, make(folder / title.replace(" ", "-")), more), folder)
            for fault in FAULTS:
                if fault in only:
                    rows = list(FAULTS[fault](folder, asked, options.seed))
                    told.setdefault(fault, []).extend(rows)
    wrong = sum(bool(row["wrong"]) for fault in FAULTS for row in told.get(fault, []))
    wrong += told.get("flips", {}).get("wrong", 0)
    print(f"{wrong} wrong")
    return {**told, "wrong": wrong}


def _usual(asked: Asked, folder: Path) -> Asked:
    """With what is left when nothing fails, and its seconds."""
    out = folder / f"usual-{asked.path.stem}"
    began = time.perf_counter()
    _run(asked, out)
    return Asked(asked.title, asked.path, asked.more, time.perf_counter() - began, asked.found(out))


def _run(asked: Asked, out: Path, before: Callable[[], object] | None = None) -> Done:
    """In a process that is forked from this one, which has loaded the kernels."""
    words = asked.words(out, "--workers", "2")
    mine, theirs = os.pipe()
    process = multiprocessing.get_context("fork").Process(target=_alone, args=(words, theirs, before))
    process.start()
    os.close(theirs)
    with os.fdopen(mine, errors="replace") as pipe:
        told = pipe.read()
    process.join()
    return Done(words, -1 if process.exitcode is None else process.exitcode, "", told)


def _alone(words: list[str], pipe: int, before: Callable[[], object] | None) -> None:
    os.setsid()
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    os.close(pipe)
    if before is not None:
        before()
    code = main(words)
    sys.stdout.flush()
    os._exit(code)


def _row(asked: Asked, fault: str, out: Path, done: Done, resumes: bool = True) -> Row:
    """What a run that something has happened to has ended in, and what the next one ends in."""
    wrong = "" if done.returncode in CODES and "Traceback" not in done.stderr else done.stderr[-400:] or "no word"
    if not wrong and done.returncode == 0 and (out / "result.json").is_file():
        wrong = judged(out, 0) or _different(asked, out)
    if not wrong and resumes:
        again = _run(asked, out)
        wrong = judged(out, again.returncode) or _different(asked, out)
    told = [line for line in done.stderr.splitlines() if "journal" in line or line.startswith("certify")]
    print(f"{asked.title:<14} {fault}: exit code {done.returncode} {' '.join(told[-1:])[:100]} {wrong}", flush=True)
    return {"problem": asked.title, "fault": fault, "code": done.returncode, "told": told[-1:], "wrong": wrong}


def _different(asked: Asked, out: Path) -> str:
    found = asked.found(out)
    return "" if found == asked.known else f"{found} instead of {asked.known}"


def _full(folder: Path, asked: Asked, _: int) -> Iterator[Row]:
    for size in SIZES:
        out = folder / f"full-{asked.path.stem}-{size}"
        yield _row(asked, f"files of {size} bytes", out, _run(asked, out, partial(_at_most, size)))


def _at_most(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _small(folder: Path, asked: Asked, _: int) -> Iterator[Row]:
    for room in ROOMS:
        with _disk(folder / f"disk-{asked.path.stem}-{room}", room) as disk:
            if disk is None:
                print("no small disks: this needs root, who may mount them")
                return
            out = disk / "out"
            done = _run(asked, out)
            subprocess.run([MOUNT, "-o", "remount,size=200m", str(disk)], check=True)
            yield _row(asked, f"a disk of {room}", out, done)


@contextmanager
def _disk(place: Path, size: str) -> Iterator[Path | None]:
    place.mkdir()
    done = subprocess.run(
        [MOUNT, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=False, capture_output=True
    )
    try:
        yield place if done.returncode == 0 else None
    finally:
        if done.returncode == 0:
            subprocess.run([UNMOUNT, str(place)], check=True)


def _folder(folder: Path, asked: Asked, _: int) -> Iterator[Row]:
    """What may not be written or read; a run that was ended has left a journal."""
    for fault in ("a folder that is read only", "its folder is read only", "the problem", "the journal", "the record"):
        place = folder / f"{fault.replace(' ', '-')}-{asked.path.stem}"
        out = place / "out"
        out.mkdir(parents=True)
        if fault == "the record":
            _run(asked, out)
        elif fault == "the journal":
            _broken_off(asked, out)
        closed = {
            "a folder that is read only": out, "its folder is read only": place, "the problem": asked.path,
            "the journal": journal_path(out), "the record": out / "result.json",
        }[fault]  # fmt: skip
        mode = closed.stat().st_mode
        closed.chmod(0o555 if closed.is_dir() else 0o000)
        try:
            done = _run(asked, out, _without_rights)
        finally:
            closed.chmod(mode)
        yield _row(asked, f"{fault} is closed" if "only" not in fault else fault, out, done)


def _broken_off(asked: Asked, out: Path) -> None:
    """A run that leaves a journal."""
    process = subprocess.Popen(
        [sys.executable, "-m", "certify", *asked.words(out, "--workers", "1")], start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 10 * asked.seconds + 60
    while time.monotonic() < until and process.poll() is None:
        if journal_path(out).is_file() and journal_path(out).stat().st_size > 300:
            break
        time.sleep(0.005)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if not journal_path(out).is_file():
        journal_path(out).write_bytes(b"certify journal 1\n" + bytes(100))


def _without_rights() -> None:
    """Root reads and writes everything, unless it may not; nor may what it starts."""
    libc = ctypes.CDLL(None)
    head, sets = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    libc.capget(head, sets)
    for right in (READ, WRITE):
        libc.prctl(DROP, right, 0, 0, 0)
        sets[0] &= ~(1 << right)
    libc.capset(head, sets)


def _clock(folder: Path, asked: Asked, seed: int) -> Iterator[Row]:
    if not FAKETIME:
        print("no clock that jumps: apt install faketime")
        return
    random = np.random.default_rng(seed)
    for jump in JUMPS:
        out = folder / f"clock{jump}-{asked.path.stem}"
        moment, limit = float(random.uniform(0.3, 1.0)) * asked.seconds, 60.0 + 20.0 * asked.seconds
        yield _row(asked, f"all clocks jump by {jump}", out, _jumping(asked, out, jump, moment, limit))


def _jumping(asked: Asked, out: Path, jump: str, moment: float, limit: float) -> Done:
    """A run of which the clock jumps at a moment, and half of the run later back."""
    now = out.with_suffix(".clock")
    now.write_text("+0")
    environment = {
        **os.environ, "LD_PRELOAD": str(FAKETIME[0]), "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "certify", *asked.words(out, "--workers", "2")]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    for after, told in ((moment, jump), (asked.seconds / 2, "+0")):
        time.sleep(after)
        now.write_text(told)
    try:
        said, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, errors = process.communicate()
        return Done(command, -9, said, f"it did not end within {limit:.0f} s; {errors}")
    return Done(command, process.returncode, said, errors)


FAULTS: dict[str, Callable[[Path, Asked, int], Iterator[Row]]] = {
    "full": _full, "small": _small, "folder": _folder, "clock": _clock,
}  # fmt: skip


def _flips(folder: Path, every: int) -> dict[str, Any]:
    """The journal of a small system with each byte changed."""
    path = folder / "small.journal"
    journal = Journal.begin(path, b"small")
    (expected,) = answered(SMALL, AskedSystem(memory=Memory(journal))).documents
    journal.close()
    whole, found = path.read_bytes(), Counter[str]()
    for place in range(0, len(whole), every):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        try:
            journal = Journal.resume(path, b"small")
        except InputError:
            found["an error"] += 1
            continue
        (document,) = answered(SMALL, AskedSystem(memory=Memory(journal))).documents
        journal.close()
        same = document.certificate == expected.certificate
        found["the same certificate" if same else "WRONG"] += 1
    print(f"{len(whole)} bytes: {dict(found)}", flush=True)
    return {"bytes": len(whole), "found": dict(found), "wrong": found["WRONG"]}
