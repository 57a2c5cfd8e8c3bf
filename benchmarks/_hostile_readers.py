"""All readers of bytes that strangers may have written, for `python -m benchmarks hostile`: pieces of proofs, journals,
campaigns, and the files of `_hostile_files`; what valid bytes are, and who reads changed ones.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from benchmarks._hostile_files import Readers, file_readers
from certify.campaigns.plan import read_plan
from certify.campaigns.rows import CODEC as ROWS
from certify.campaigns.rows import Row
from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, ProductTerm, RowTerm
from certify.solvers.journal.journal import NOTHING, Journal, digest
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


def readers(folder: Path) -> Readers:
    """By name: valid bytes, and what reads changed ones; files are written to a folder."""
    (folder / "a.bch").touch()
    found: Readers = {
        "piece": (_a_piece(), _piece),
        "narrowing": (_a_narrowing(), _narrowing),
        "row": (_a_row(), _row),
        "journal": (_a_journal(folder / "x.journal"), partial(_journal, folder / "x.journal")),
        "campaign": (PLAN, partial(_plan, folder / "campaign.toml")),
    }
    return found | file_readers(folder)
