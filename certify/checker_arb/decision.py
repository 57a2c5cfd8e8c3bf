"""The check from the bytes of two files to an answer."""

from __future__ import annotations

import flint

from .boxes import Rows
from .certificate import read_certificate
from .minimum import check_minimum
from .outcome import Deadline, Exhausted, Outcome, Rejection, Status
from .problem import Problem, read_problem
from .text import Lines
from .tree import Tree
from .witness import check_witness
from .zeros import check_zeros

MOST_BITS = 1000
# numbers up to 2^64, and squares of the largest given, are known as well as on a grid of as many fraction bits as is
# asked for
GUARD_BITS = 64


def _size(problem: Problem) -> int:
    """Bits of the whole part of the largest end of a variable or of a measurement, up to what costs little."""
    ends = [end for quantity in (*problem.variables, *problem.columns) for end in (*quantity.lower, *quantity.upper)]
    return min(MOST_BITS, max(1, *(abs(int(end.p)).bit_length() - int(end.q).bit_length() + 1 for end in ends)))


def check(problem_bytes: bytes, certificate_bytes: bytes, deadline_seconds: float = 600.0) -> Outcome:
    """Judge a certificate. Whatever the bytes are, the answer is one of the three."""
    deadline = Deadline(deadline_seconds)
    before = flint.ctx.prec
    tree: Tree | None = None
    try:
        problem = read_problem(problem_bytes, deadline)
        lines = Lines(certificate_bytes, "certificate", deadline)
        certificate = read_certificate(lines, problem, problem_bytes)
        flint.ctx.prec = certificate.precision + GUARD_BITS + 2 * _size(problem)
        rows = Rows(problem, certificate.scope, deadline)
        check_witness(problem, certificate, rows, deadline)
        check_zeros(certificate, rows, deadline)
        check_minimum(certificate, rows, deadline)
        if certificate.has_tree:
            tree = Tree(lines, certificate, rows, deadline)
            tree.walk()
        lines.finish()
    except Rejection as rejection:
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
    finally:
        flint.ctx.prec = before
    nodes = 0 if tree is None else tree.count
    return Outcome(Status.VERIFIED, f"VERIFIED {_claim(certificate_bytes)} ({nodes} nodes)")


def _claim(certificate_bytes: bytes) -> str:
    """The lines that say what was proved."""
    words = []
    for line in certificate_bytes.decode("ascii").split("\n", 13)[3:13]:
        if line.startswith("scope ") or not (line.endswith(" none") or line in ("box", "norm largest", "discard 0")):
            words.append(line if len(line) <= 60 else line[:60] + "...")
    return ", ".join(words)
