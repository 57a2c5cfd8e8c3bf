"""Journals, pieces of proofs and campaign files as a stranger may have written them: data, an error, and nothing else.

    python -m benchmarks hostile [--count 100000] [--seed 1] [--only piece]

Valid inputs are changed at random: bytes flipped, cut, repeated, moved, lengths enlarged. Each must be read, or refused
with Damaged (InputError for files); the largest memory of the process and the longest reading are printed.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

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
        for reader, (valid, read) in readers.items():
            if options.only in (None, reader):
                read(valid)
                told[reader] = _read_all(valid, read, options.count, np.random.default_rng(options.seed))
                print(f"{reader}: {told[reader]}", flush=True)
    return told


def _read_all(valid: bytes, read: Callable[[bytes], None], count: int, random: np.random.Generator) -> dict[str, Any]:
    found, longest = Counter[str](), 0.0
    for _ in range(count):
        data = changed(valid, random)
        began = time.perf_counter()
        try:
            read(data)
            found["read"] += 1
        except (Damaged, InputError):
            found["refused"] += 1
        longest = max(longest, time.perf_counter() - began)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {**found, "longest_seconds": round(longest, 3), "megabytes": memory}


def changed(valid: bytes, random: np.random.Generator) -> bytes:
    """A valid text with one to four changes."""
    data = bytearray(valid)
    for _ in range(int(random.integers(1, 5))):
        size = len(data)
        at, other, length = (int(random.integers(0, size + 1)) for _ in range(3))
        kind = int(random.integers(0, 6))
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
        else:
            data[at : at + 4] = b"\xff\xff\xff\xff"
        data = data or bytearray(b"\0")
    return bytes(data)
