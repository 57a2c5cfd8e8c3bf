"""Files, journals and pieces of proofs as a stranger may have written them: data, an error, and nothing else.

    python -m benchmarks hostile [--count 100000] [--seed 1] [--only piece urdf]
    python -m benchmarks hostile --guided --count 20000       changes that reach new lines are changed further (atheris)

Valid inputs are changed at random: bytes flipped, cut, repeated, moved, lengths enlarged, digits made many. Each must
be read, or refused with Damaged (InputError for files), within seconds, and take no more memory than MEMORY. Every
reader has a process of its own, in which all inputs are read one after the other; by how much its memory has grown and
the longest reading are printed. Anything else is a fault: how many there are of each sort, with an input that shows
it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._hostile_readers import readers
from certify.problems.errors import InputError
from certify.solvers.journal.plain import Damaged

PATIENCE = 20.0  # seconds for one reading
MEMORY = 256  # megabytes by which one reading may let the process grow
MOST = 4096  # megabytes beyond which it gets none
GUIDED = "_hostile_guided"
ODD = (
    *(b"9" * 400, b"9" * 20_000, b"1e999999999", b"1e-999999999", b"nan", b"-inf", b"1/0", b"\x00", b"\xef\xbb\xbf"),
    *(
        b"(" * 3000,
        b"[" * 3000,
        b"{" * 3000,
        b"-" * 3000,
        b"x^" * 1500,
        b"<a>" * 3000,
        b"\xc2\xb2",
        b"\r",
        b'"',
        b"&#0;",
    ),
)


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each reader."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hostile")
    parser.add_argument("--count", type=int, default=100_000, help="changed inputs for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", metavar="READER")
    parser.add_argument("--guided", action="store_true", help="by what lines they reach (pip install atheris)")
    options = parser.parse_args(words)
    if options.guided and find_spec("atheris") is None:
        parser.error("--guided needs atheris, which is not installed: pip install atheris")
    told = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = readers(folder)
        for reader in options.only or known:
            count, seed = options.count, options.seed
            told[reader] = (
                _guided(reader, count, seed, folder)
                if options.guided
                else _apart(partial(_read_all, *known[reader], count, seed))
            )
            print(f"{reader}: {told[reader]}", flush=True)
    inputs, wrong = (sum(row.get(key, 0) for row in told.values()) for key in ("inputs", "wrong"))
    print(f"{len(told)} readers, {inputs} inputs, {wrong} faults")
    return {"guided": options.guided, "readers": told, "inputs": inputs, "wrong": wrong}


def _apart(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What is found in a process of its own; how it ended, if it found nothing."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send(work()))
    process.start()
    theirs.close()
    try:
        found: dict[str, Any] = mine.recv()
    except EOFError:
        process.join()
        return {"wrong": 1, "faults": {"the process has ended": process.exitcode}}
    process.join()
    return found


class _Late(BaseException):
    """A reading that takes too long; no reader catches this."""


def _late(*_: object) -> None:
    raise _Late


@dataclass
class Reading:
    """What becomes of inputs that one reader gets."""

    read: Callable[[bytes], object]
    found: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    shown: dict[str, str] = field(default_factory=dict)
    longest: float = 0.0
    before: int = field(default_factory=lambda: _megabytes())

    def begin(self) -> None:
        """Caps on time and memory hold from now on."""
        signal.signal(signal.SIGALRM, _late)
        resource.setrlimit(resource.RLIMIT_AS, (_virtual() + (MOST << 20), resource.RLIM_INFINITY))

    def take(self, data: bytes) -> None:
        """One input."""
        began, memory = time.perf_counter(), _megabytes()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            self.read(data)
            self.found["read"] += 1
        except (Damaged, InputError):
            self.found["refused"] += 1
        except (Exception, _Late) as fault:
            self._fault(f"{type(fault).__name__}: {fault!s:.100}", data)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        self.longest = max(self.longest, time.perf_counter() - began)
        if _megabytes() - memory > MEMORY:
            self._fault(f"more than {MEMORY} MB", data)

    def _fault(self, kind: str, data: bytes) -> None:
        self.faults[kind] += 1
        self.shown.setdefault(kind, f"{data!r:.3000}")

    @property
    def told(self) -> dict[str, Any]:
        """Numbers for a table."""
        wrong = sum(self.faults.values())
        told = {**self.found, "inputs": sum(self.found.values()) + wrong, "wrong": wrong}
        told |= {"longest_seconds": round(self.longest, 3), "grown_megabytes": _megabytes() - self.before}
        return {**told, "faults": dict(self.faults), "shown": self.shown} if wrong else told


def _read_all(valid: bytes, read: Callable[[bytes], object], count: int, seed: int) -> dict[str, Any]:
    read(valid)
    random, reading, began = np.random.default_rng(seed), Reading(read), time.process_time()
    reading.begin()
    for _ in range(count):
        reading.take(changed(valid, random))
    return {**reading.told, "processor_seconds": round(time.process_time() - began, 1)}


def _guided(reader: str, count: int, seed: int, made: Path) -> dict[str, Any]:
    """By a process whose modules count what they reach: they are loaded for that; valid files are there."""
    with tempfile.TemporaryDirectory() as name:
        told = Path(name) / "told.json"
        command = [sys.executable, "-m", f"benchmarks.{GUIDED}", reader, str(count), str(seed), name, str(made)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
        if not told.is_file():
            return {"wrong": 1, "faults": {f"exit code {done.returncode}": 1}, "shown": {"end": done.stderr[-2000:]}}
        found: dict[str, Any] = json.loads(told.read_text())
        return found


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _virtual() -> int:
    """Bytes of address space that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def changed(valid: bytes, random: np.random.Generator) -> bytes:
    """A valid text with one to four changes."""
    data = bytearray(valid)
    for _ in range(int(random.integers(1, 5))):
        size = len(data)
        at, other, length = (int(random.integers(0, size + 1)) for _ in range(3))
        kind = int(random.integers(0, 7))
        if kind == 0 and at < size:
            data[at] ^= 1 << int(random.integers(0, 8))
        elif kind == 1 and at < size:
            data[at] = int(random.integers(0, 256))
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data[at:at] = data[other : other + length % 40]
        elif kind == 4:
            del data[at : at + length % 20]
        elif kind == 5:
            data[at:at] = ODD[int(random.integers(len(ODD)))]
        else:
            data[at : at + 4] = b"\xff\xff\xff\xff"
        data = data or bytearray(b"\0")
    return bytes(data)
