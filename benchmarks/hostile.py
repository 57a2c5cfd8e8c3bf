"""Files, journals and pieces of proofs as a stranger may have written them: data, an error, and nothing else.

    python -m benchmarks hostile [--count 100000] [--seed 1] [--only piece]

Valid inputs are changed at random: bytes flipped, cut, repeated, moved, lengths enlarged, digits made many. Each must
be read, or refused with Damaged (InputError for files), within seconds. Every reader has a process of its own; by how
much its memory has grown and the longest reading are printed. Anything else is a fault: how many there are of each
sort, with an input that shows it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._hostile_files import file_readers
from certify.campaigns.plan import read_plan
from certify.campaigns.rows import CODEC as ROWS
from certify.campaigns.rows import Row
from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, ProductTerm, RowTerm
from certify.problems.errors import InputError
from certify.solvers.journal.journal import NOTHING, Journal, digest
from certify.solvers.journal.plain import Damaged
from certify.solvers.proof.trace import Branch, Prepared, Refuted, Steps
from certify.solvers.search import before_refuting
from certify.solvers.search.before_refuting import NO_NARROWINGS, Narrowings
from certify.solvers.tasks import grown

PATIENCE = 20.0  # seconds for one reading
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
PLAN = b"""title = "Robots"
time_limit = 60
[[problems]]
robot = ["delta", "planar_3rpr"]
seed = "1..10"
gap = ["1e-3", 0.5]
[[problems]]
file = ["a.bch", "*.bch"]
width = 1e-8
"""


def _piece(data: bytes) -> None:
    low, high = np.zeros(3), np.ones(3)
    for found in grown.pieces_of(data):
        grown.attached(grown.task_of(low, high, high - low, -1), found, grown.Sizes(4, 6, 2, 3, True))


def _a_piece() -> bytes:
    left = grown.Left(np.array([0.5, 1.0, 1.0]), 2)
    leaf = grown.Weighted((0, 5), (0.25, -1.5), True)
    piece = (grown.Prepares(), grown.Divides(0, 0.5), left, grown.Divides(1, 0.25), Evaluate(1, 0), leaf)
    return grown.pieces_bytes((piece,))


def _narrowing(data: bytes) -> None:
    box = Box(np.zeros(2), np.ones(2))
    Narrowings(NOTHING, {0: 5, 1: 3}, 4, NO_NARROWINGS.meter)._read(box, data)


def _a_narrowing() -> bytes:
    sums = Aggregate(
        (RowTerm("q", 0, 4, 1, 0.5), RowTerm("m", 1, 2, -1, 2.0)), (ProductTerm(0, 1, 1, -1, 0.125),), (3,)
    )
    rest = Steps([Cut(1, 0.75, False, sums)])
    steps = Steps([Prepared(1), Cut(0, 0.25, True, Evaluate(0, 1))], Branch(0, 0.5, Steps(end=Refuted(None)), rest))
    after = Box(np.array([0.5, 0.0]), np.array([1.0, 0.75]))
    return before_refuting.CODEC.encode((after, steps, (False,), 120))


def _row(data: bytes) -> None:
    ROWS.decode(data, tuple[Row, ...])


def _a_row() -> bytes:
    return ROWS.encode((Row(1, ("a.bch",), "", "leg1", "undecided", 0.5, None, "mm", None, "finished", "ab" * 32),))


def _journal(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    journal = Journal.resume(path, b"subject")
    try:
        for key in list(journal.index):
            journal.get(key)
    finally:
        journal.close(remove=True)


def _a_journal(path: Path) -> bytes:
    journal = Journal.begin(path, b"subject")
    for number in range(3):
        journal.put(digest(bytes([number])), bytes(20 * number))
    data = path.read_bytes()
    journal.close()
    return data


def _plan(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    read_plan(path)


def run(words: list[str]) -> dict[str, Any]:
    """Print a line for each reader."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hostile")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="READER")
    options = parser.parse_args(words)
    told = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.bch").touch()
        readers: dict[str, tuple[bytes, Callable[[bytes], None]]] = {
            "piece": (_a_piece(), _piece),
            "narrowing": (_a_narrowing(), _narrowing),
            "row": (_a_row(), _row),
            "journal": (_a_journal(folder / "x.journal"), partial(_journal, folder / "x.journal")),
            "campaign": (PLAN, partial(_plan, folder / "campaign.toml")),
        }
        readers |= file_readers(folder)
        for reader, (valid, read) in readers.items():
            if options.only in (None, reader):
                told[reader] = _apart(partial(_read_all, valid, read, options.count, options.seed))
                print(f"{reader}: {told[reader]}", flush=True)
    return told


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
        return {"faults": {"the process has ended": process.exitcode}}
    process.join()
    return found


class _Late(BaseException):
    """A reading that takes too long; no reader catches this."""


def _late(*_: object) -> None:
    raise _Late


def _read_all(valid: bytes, read: Callable[[bytes], object], count: int, seed: int) -> dict[str, Any]:
    read(valid)
    random, found, longest, before = np.random.default_rng(seed), Counter[str](), 0.0, _megabytes()
    faults, shown = Counter[str](), dict[str, str]()
    signal.signal(signal.SIGALRM, _late)
    for _ in range(count):
        data = changed(valid, random)
        began = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            read(data)
            found["read"] += 1
        except (Damaged, InputError):
            found["refused"] += 1
        except (Exception, _Late) as fault:
            kind = type(fault).__name__
            faults[kind] += 1
            shown.setdefault(kind, f"{fault!s:.200} of {data!r:.2000}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        longest = max(longest, time.perf_counter() - began)
    told = {**found, "longest_seconds": round(longest, 3), "grown_megabytes": _megabytes() - before}
    return {**told, "faults": dict(faults), "shown": shown} if faults else told


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


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
