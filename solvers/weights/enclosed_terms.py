"""Rows as polynomials of second degree in which what is none is enclosed: h exp(x) + y - 2 x is linear but for one
number in an interval.

The nodes that the form q of a certificate encloses become further inputs, the *atoms*, whose ranges over a box are
intervals. In the others such a row is a polynomial, expanded exactly about the centre of the box. Rows with roots are
left to other forms. Floats that choose and prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.equations import Equations
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.contractors.tape.tape import Builder, Operation, Step, Tape, apply

INTERMEDIATE_DEGREE, DEGREE = 4, 2  # of the nodes and of a row that a certificate can expand


class _Node(NamedTuple):
    """The degree of a node as the certificate forms it, whether it depends on a variable, has a root, is or contains an
    atom.
    """

    degree: int = 0
    varies: bool = False
    rooted: bool = False
    atom: bool = False
    mixed: bool = False


ATOM = _Node(varies=True, atom=True, mixed=True)


def _formed(step: Step, u: _Node, w: _Node) -> _Node:
    """A node from its operands."""
    if not (u.varies or w.varies):
        return _Node()
    rooted, mixed, only = u.rooted or w.rooted, u.mixed or w.mixed, u if u.varies else w
    match step.operation:
        case Operation.ADD | Operation.SUB if not (u.rooted and w.rooted):
            return _Node(max(u.degree, w.degree), True, rooted, False, mixed)
        case Operation.NEG:
            return u._replace(atom=False)
        case Operation.MUL if not (u.varies and w.varies):
            return only._replace(atom=False)
        case Operation.MUL if not rooted and u.degree + w.degree <= INTERMEDIATE_DEGREE:
            return _Node(u.degree + w.degree, True, False, False, mixed)
        case Operation.DIV if not w.varies:
            return u._replace(atom=False)
        case Operation.SQR if u.rooted or 2 * u.degree <= INTERMEDIATE_DEGREE:
            return _Node(2 * u.degree, True, u.rooted, False, mixed)
        case Operation.SQRT if not u.rooted:
            return _Node(u.degree, True, True, False, mixed)
    return ATOM


@dataclass(frozen=True, slots=True, eq=False)
class EnclosedTerms:
    """The rows that have atoms and are else of second degree, in variables and atoms, and the pairs of variables that
    they multiply.
    """

    rows: NDArray[np.int64]
    atom_tape: Tape
    extended: Equations
    second: Tape
    entries: NDArray[np.int64]  # of each output of `second`: the row among these, i, j with i <= j

    @staticmethod
    def of(equations: Equations) -> EnclosedTerms:
        """Of the rows of a system."""
        tape, n = equations.tape, equations.variables
        found = [_Node(1, True)] * n
        none = _Node()
        for step in tape.steps:
            found.append(_formed(step, *(found[node] if node >= 0 else none for node in (step.first, step.second))))
        kept = [
            (node.mixed and not node.rooted and node.degree <= DEGREE)
            for node in (found[output] for output in tape.outputs)
        ]
        rows = np.flatnonzero(kept)
        atoms = _used(tape, found, [tape.outputs[row] for row in rows])
        builder, nodes = Builder(n + len(atoms)), list(range(n))
        for node, (operation, first, second, constant) in enumerate(tape.steps, n):
            u, w = (nodes[operand] if operand >= 0 else -1 for operand in (first, second))
            nodes.append(n + atoms.index(node) if node in atoms else apply(builder, operation, u, w, constant))
        outputs = tuple(nodes[tape.outputs[row]] for row in rows)
        extended = Equations(builder.tape(outputs), np.zeros(rows.size), np.zeros(rows.size))
        derived, entries = _second_derivatives(extended, n)
        return EnclosedTerms(rows, Tape(tape.inputs, tape.steps, tuple(atoms)), extended, derived, entries)

    def expanded(
        self, low: Floats, high: Floats
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], tuple[Floats, Floats], Flags]:
        """Over boxes (variable, batch): values (row, batch) and slopes (row, variable, batch) at the centre,
        coefficients (entry, batch), lower and upper ends of each, and where they are known.
        """
        n, centre = low.shape[0], 0.5 * low + 0.5 * high
        ranges = evaluate(self.atom_tape, low, high)
        known = ranges.defined & np.isfinite(ranges.lower).all(axis=0) & np.isfinite(ranges.upper).all(axis=0)
        least, greatest = (
            np.concatenate((centre, np.where(known, ends, 0.0))) for ends in (ranges.lower, ranges.upper)
        )
        values = self.extended.values(least, greatest)
        slope_low, slope_high, smooth = self.extended.slopes(least, greatest)
        curves = evaluate(self.second, least, greatest)
        known &= smooth & values.defined & np.isfinite(values.lower).all(axis=0) & np.isfinite(values.upper).all(axis=0)
        half = np.where(self.entries[:, 1] == self.entries[:, 2], 0.5, 1.0)[:, None]
        return (
            (values.lower, values.upper),
            (slope_low[:, :n], slope_high[:, :n]),
            (half * curves.lower, half * curves.upper),
            known,
        )


def _used(tape: Tape, found: list[_Node], outputs: list[int]) -> list[int]:
    """The atoms on which outputs depend, but for those within other atoms."""
    waiting, seen = list(outputs), set(outputs)
    while waiting:
        node = waiting.pop()
        if node >= tape.inputs and not found[node].atom:
            step = tape.steps[node - tape.inputs]
            fresh = {operand for operand in (step.first, step.second) if operand >= 0} - seen
            seen |= fresh
            waiting += fresh
    return sorted(node for node in seen if found[node].atom)


def _second_derivatives(extended: Equations, n: int) -> tuple[Tape, NDArray[np.int64]]:
    """With respect to two of the first n inputs."""
    tape, places = extended.derivatives
    second, entries = jacobian(tape)
    found = [(*places[entry].tolist(), j) for entry, j in entries.tolist()]
    kept = [k for k, (_, i, j) in enumerate(found) if i <= j < n]
    outputs = tuple(second.outputs[k] for k in kept)
    return Tape(second.inputs, second.steps, outputs), np.array([found[k] for k in kept], dtype=np.int64).reshape(-1, 3)
