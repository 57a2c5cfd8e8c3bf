"""A run in pieces: a part that is open is proved or divided, again and again, until none is left or a limit comes. In
turns it is the largest one, so that no part waits for ever behind one that cannot be proved, and the newest, which is
small, so that something is proved soon. Each piece is a file as soon as it is proved; what is there when the run begins
is not proved again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from certify.checker import Status, check
from certify.checker.scope import Box as ExactBox
from certify.contractors.protocol.contractor import Box
from certify.pieces.composing import Left, composed
from certify.pieces.kept import Kept, Piece
from certify.pieces.proving import Division, Effort, PartProver, Proved, across, halves
from certify.problems.errors import InputError
from certify.problems.minibex import parse_minibex
from certify.records.options import Progress
from certify.solvers.journal.plain import Plain
from certify.solvers.limits import Late, Limit
from certify.solvers.workers.crew import ALONE, Crew, Round
from certify.solvers.workers.work import Task, Work

SPEED = 3.5e-6  # seconds for the check of a byte, about, of pieces that an earlier run has proved
ROOM = 1.3  # times the check's seconds, which are kept for it
TURNS = 2  # parts that are taken together: the largest, and the newest
CODEC = Plain(Division, Proved)
NOBODYS = Work("", b"", b"")
Answer = Proved | Division


@dataclass
class Pieces:
    """The parts that wait; `checking` are about the seconds that the check of all will take."""

    prover: PartProver
    kept: Kept
    limit: Limit
    tell: Progress
    crew: Crew = ALONE
    work: Work = NOBODYS
    share: tuple[int, int] = (1, 1)  # this part of so many
    checking: float = 0.0
    tried: int = 0
    too_small: float = 0.0  # about the share of the box that is in parts that are too small to be divided
    found: list[Piece] = field(default_factory=list)
    waiting: int = 0  # parts that were neither proved nor divided when it ended

    def run(self) -> None:
        """Until nothing waits, or only as much time is left as the check needs."""
        self.found = list(self.kept.pieces())
        self.checking = SPEED * sum(piece.size for piece in self.found)
        if not self.share[1]:
            return
        whole = parts(self.prover.box, self.share[1], Box(*self.prover.system.box))[self.share[0] - 1]
        waiting = {number: (self._size(box), box) for number, box in enumerate(self._open(whole))}
        number = len(waiting)
        while waiting and not self.limit.late() and self.limit.remaining > ROOM * self.checking:
            together = min(len(waiting), max(self.crew.count + 1, TURNS))
            taken = [self._next(waiting, turn) for turn in range(together)]
            try:
                answers = self._answers(taken)
            except Late:
                waiting |= {number + k: (self._size(box), box) for k, box in enumerate(taken)}
                break
            for box, answer in zip(taken, answers, strict=True):
                for half in self._after(box, answer):
                    waiting[number] = self._size(half), half
                    number += 1
            left = self.too_small + sum(size for size, _ in waiting.values())
            settled = math.floor(1000.0 * max(1.0 - left / self._size(whole), 0.0)) / 10
            of = "the box" if self.share[1] == 1 else "its part of the box"
            self.tell(f"{len(self.found)} pieces, {settled:g} % of {of} settled, {len(waiting)} parts to go")
        self.waiting = len(waiting)

    @staticmethod
    def _next(waiting: dict[int, tuple[float, ExactBox]], turn: int) -> ExactBox:
        """The largest part, or the newest."""
        number = max(waiting, key=lambda one: (waiting[one][0], -one)) if turn % TURNS == 0 else max(waiting)
        return waiting.pop(number)[1]

    def _open(self, whole: ExactBox) -> Iterator[ExactBox]:
        nodes = composed(whole, [piece.part for piece in self.found])
        return (node.box for node in nodes if isinstance(node, Left))

    def _size(self, box: ExactBox) -> float:
        """About its share of the whole box."""
        pairs = zip(box, self.prover.box, strict=True)
        return math.prod(float((b - a) / (d - c)) for (a, b), (c, d) in pairs if c < d)

    def _answers(self, boxes: list[ExactBox]) -> list[Answer]:
        """What becomes of these parts, whoever tries them. Raises Late."""
        parts_asked = Round(self.crew, self.work, self._read, lambda k: self.prover.attempt(boxes[k], self.limit))
        return list(parts_asked.each([_encoded(box) for box in boxes], self.limit))

    def _read(self, _: int, data: bytes) -> Answer | None:
        """The answer of another process; of another machine only where the checker's code accepts it here, too."""
        found: Answer = CODEC.decode(data, Proved | Division)
        if isinstance(found, Proved) and self.crew.elsewhere:
            judged = check(self.prover.proving.canonical, found.certificate.encode("ascii", "replace"))
            return found if judged.status is Status.VERIFIED else None
        return found

    def _after(self, box: ExactBox, found: Answer) -> tuple[ExactBox, ...]:
        """What is to be done after an answer: a piece is kept."""
        self.tried += 1
        if isinstance(found, Proved):
            piece = self.kept.add(found.certificate.encode("ascii"))
            if piece is not None and piece.part == box:
                self.found.append(piece)
                self.checking += found.seconds
                return ()
            found = across(box, Box(*self.prover.system.box))
        left = halves(box, found)
        self.too_small += 0.0 if left else self._size(box)
        return left


def work_of(source: str, effort: Effort) -> Work:
    """What a worker does: the parts of a system, which is told as a text of Minibex."""
    return Work.of(open_parts, f"{effort.cells} {effort.leaves}\n{source}".encode())


def open_parts(text: bytes) -> Task:
    """A worker's answers."""
    head, _, source = text.decode().partition("\n")
    cells, leaves = map(int, head.split(" "))
    prover = PartProver(parse_minibex(source), Effort(cells, leaves))
    return lambda piece, limit: CODEC.encode(prover.attempt(_decoded(piece), limit))


def parts(box: ExactBox, count: int, whole: Box) -> list[ExactBox]:
    """So many parts of a box, the largest divided again and again across its widest side: always the same ones."""
    found: list[tuple[Fraction, int, ExactBox]] = [(Fraction(-1), 0, box)]
    while len(found) < count:
        size, number, largest = min(found)
        division = across(largest, whole)
        if division.place is None:
            raise InputError(f"the box cannot be divided into {count} parts; give fewer")
        found.remove((size, number, largest))
        found += [(size / 2, 2 * number + k + 1, half) for k, half in enumerate(halves(largest, division))]
    return [part for _, _, part in sorted(found, key=lambda one: one[2])]


def share_of(text: str, place: str) -> tuple[int, int]:
    """K/N. Raises InputError."""
    match = re.fullmatch("([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise InputError(f"{place} {text!r} is no part of so many; write 1/4 for the first of four")
    return int(match[1]), int(match[2])


def _encoded(box: ExactBox) -> bytes:
    return " ".join(str(end) for ends in box for end in ends).encode()


def _decoded(asked: bytes) -> ExactBox:
    ends = [Fraction(end) for end in asked.decode().split(" ")]
    return tuple(zip(ends[::2], ends[1::2], strict=True))
