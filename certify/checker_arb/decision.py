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


def check(problem_bytes: bytes, certificate_bytes: bytes, deadline_seconds: float = 600.0) -> Outcome:
    """Judge a certificate. Whatever the bytes are, the answer is one of the three."""
    deadline = Deadline(deadline_seconds)
    before = flint.ctx.prec
    tree: Tree | None = None
    try:
        problem = read_problem(problem_bytes, deadline)
        lines = Lines(certificate_bytes, "certificate", deadline)
        certificate = read_certificate(lines, problem, problem_bytes)
        flint.ctx.prec = certificate.precision + GUARD_BITS + 2 * _size(certificate.problem)
        rows = Rows(certificate.problem, certificate.scope, deadline)
        check_witness(certificate, rows, deadline)
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
    return Outcome(Status.VERIFIED, f"VERIFIED {_claim(certificate_bytes, certificate.claim_line)} ({nodes} nodes)")


def _claim(certificate_bytes: bytes, last: int) -> str:
    """The lines that say what was proved, but for the families of groups."""
    words = []
    for line in certificate_bytes.decode("ascii").split("\n", last)[3:last]:
        if line.startswith("scope ") or not (line.endswith(" none") or line.startswith("group ") or line in USUAL):
            words.append(line if len(line) <= 60 else line[:60] + "...")
    return ", ".join(words)
