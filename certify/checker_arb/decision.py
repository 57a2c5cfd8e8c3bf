"""The check from the bytes of two files to an answer."""

from __future__ import annotations

import hashlib

import flint

from .boxes import Rows
from .certificate import Certificate, read_certificate
from .minimum import check_minimum
from .outcome import Deadline, Exhausted, Outcome, Rejection, Status
from .pieces import Load, Pieces, Zeros, exact_boxes
from .problem import Problem, read_problem
from .text import Lines
from .tree import Tree
from .witness import check_witness
from .zeros import check_zeros

MOST_BITS = 1000
USUAL = ("box", "factor 1", "norm largest", "discard 0")  # lines that say nothing new
# numbers up to 2^64, and squares of the largest given, are known as well as on a grid of as many fraction bits as is
# asked for
GUARD_BITS = 64


def _size(problem: Problem) -> int:
    """Bits of the whole part of the largest end of a variable or of a measurement, up to what costs little."""
    numbered = (quantity for quantity in (*problem.variables, *problem.columns) if not quantity.of_table)
    ends = [end for quantity in numbered for entry in range(len(quantity.lower)) for end in quantity.ends(entry)]
    bits = (abs(int(end.p)).bit_length() - int(end.q).bit_length() + 1 for end in ends)
    tables = (family.table.bits() for family in problem.families if family.table is not None)
    return min(MOST_BITS, max(1, *bits, *tables))


def check(
    problem_bytes: bytes, certificate_bytes: bytes, deadline_seconds: float = 600.0, load: Load = lambda _: None
) -> Outcome:
    """Judge a certificate, whose pieces are loaded by their hashes. Whatever the bytes are, the answer is one of the
    three.
    """
    deadline = Deadline(deadline_seconds)
    judgement: _Judgement | None = None
    try:
        problem = read_problem(problem_bytes, deadline)
        judgement = _Judgement(problem, hashlib.sha256(problem_bytes).hexdigest(), deadline, load)
        judgement.prove(certificate_bytes)
    except Rejection as rejection:
        tree = None if judgement is None else judgement.tree
        node = tree.judged if tree is not None and tree.judged >= 0 else None
        place = rejection.file
        if rejection.line is not None:
            place += f" line {rejection.line}"
        if node is not None:
            place += f", node {node}"
        return Outcome(
            Status.REJECTED,
            f"REJECTED {place}: {rejection.rule}: {rejection.reason}",
            rejection.line,
            node,
            rejection.rule,
        )
    except Exhausted as limit:
        return Outcome(Status.RESOURCE, f"RESOURCE {limit}")
    except MemoryError:
        return Outcome(Status.RESOURCE, "RESOURCE there is not enough memory")
    return Outcome(Status.VERIFIED, f"VERIFIED {judgement.told(certificate_bytes)}")


class _Judgement:
    """One certificate, or one piece, about a problem that was read before."""

    def __init__(self, problem: Problem, digest: str, deadline: Deadline, load: Load | None) -> None:
        self.problem, self.digest, self.deadline, self.load = problem, digest, deadline, load
        self.tree: Tree | None = None
        self.pieces: Pieces | None = None
        self.claim_line = 0

    def read(self, data: bytes) -> Certificate:
        """What stands before its tree."""
        return read_certificate(Lines(data, "certificate", self.deadline), self.problem, self.digest)

    def prove(self, data: bytes) -> Zeros:
        """Where its zeros are; raises Rejection unless it is valid."""
        before = flint.ctx.prec
        try:
            lines = Lines(data, "certificate", self.deadline)
            certificate = read_certificate(lines, self.problem, self.digest)
            self.claim_line = certificate.claim_line
            flint.ctx.prec = certificate.precision + GUARD_BITS + 2 * _size(certificate.problem)
            rows = Rows(certificate.problem, certificate.scope, self.deadline)
            check_witness(certificate, rows, self.deadline)
            zeros = exact_boxes(check_zeros(certificate, rows, self.deadline))
            check_minimum(certificate, rows, self.deadline)
            if certificate.has_tree:
                self.pieces = None if self.load is None else Pieces(self.load, self.read, self._prove_piece)
                self.tree = Tree(lines, certificate, rows, self.deadline, self.pieces)
                self.tree.walk()
            lines.finish()
        finally:
            flint.ctx.prec = before
        return zeros

    def _prove_piece(self, data: bytes) -> Zeros:
        """The same of a piece, which has none."""
        return _Judgement(self.problem, self.digest, self.deadline, None).prove(data)

    def told(self, data: bytes) -> str:
        """What was proved, and by how much."""
        nodes = 0 if self.tree is None else self.tree.count
        pieces = 0 if self.pieces is None else self.pieces.count
        return f"{_claim(data, self.claim_line)} ({nodes} nodes{f', {pieces} of them pieces' if pieces else ''})"


def _claim(certificate_bytes: bytes, last: int) -> str:
    """The lines that say what was proved, but for the families of groups."""
    words = []
    for line in certificate_bytes.decode("ascii").split("\n", last)[3:last]:
        if line.startswith("scope ") or not (line.endswith(" none") or line.startswith("group ") or line in USUAL):
            words.append(line if len(line) <= 60 else line[:60] + "...")
    return ", ".join(words)
