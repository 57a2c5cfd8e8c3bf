"""The rows of a system, each as a tape of its own in the variables that it reads, packed one behind the other for
kernels; with what is known of its nodes before there is a box.

A certificate forms a row as a polynomial in the offsets d from a centre (form `q`) where it can: a node is a *number*,
a *polynomial* of degree 2 at most, or an *atom*, which is enclosed. Pairs are the products d_i d_j that may occur in a
row, in this form or by its second derivatives (form `t`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats
from certify.contractors.tape.tape import Builder, Operation, Step, Tape, apply

INTERMEDIATE_DEGREE, DEGREE = 4, 2  # of the nodes and of a row that a certificate can expand
NUMBER, POLYNOMIAL, ATOM, UNUSED = 0, 1, 2, 3  # what the form q makes of a node
PARTIAL = (Operation.DIV, Operation.SQRT, Operation.LOG)  # not defined everywhere

Integers = NDArray[np.int64]


class _Node(NamedTuple):
    """The degree of a node as the certificate forms it, whether it depends on a variable, has a root, is or contains an
    atom.
    """

    degree: int = 0
    varies: bool = False
    rooted: bool = False
    atom: bool = False
    mixed: bool = False


_ENCLOSED = _Node(varies=True, atom=True, mixed=True)


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
    return _ENCLOSED


class _Row(NamedTuple):
    """One row: its tape, the variables that it reads, the kinds of its nodes, whether the form q exists, and is exact,
    and its pairs.
    """

    tape: Tape
    used: list[int]
    kinds: list[int]
    polynomial: bool
    exact: bool
    pairs: list[tuple[int, int]]


def _alone(tape: Tape, output: int) -> tuple[Tape, list[int]]:
    """One output as a tape in the inputs that it reads, and these."""
    needed, waiting = {output}, [output]
    while waiting:
        node = waiting.pop()
        if node >= tape.inputs:
            step = tape.steps[node - tape.inputs]
            fresh = {operand for operand in (step.first, step.second) if operand >= 0} - needed
            needed |= fresh
            waiting += fresh
    order = sorted(needed)
    used = [node for node in order if node < tape.inputs]
    builder, nodes = Builder(len(used)), {v: k for k, v in enumerate(used)}
    for node in order[len(used) :]:
        operation, first, second, constant = tape.steps[node - tape.inputs]
        nodes[node] = apply(builder, operation, nodes.get(first, -1), nodes.get(second, -1), constant)
    return builder.row(nodes[output]), used


def _row(tape: Tape, output: int) -> _Row:
    own, used = _alone(tape, output)
    found = [_Node(1, True)] * own.inputs
    none = _Node()
    for step in own.steps:
        found.append(_formed(step, *(found[node] if node >= 0 else none for node in (step.first, step.second))))
    kinds = [UNUSED] * own.nodes
    waiting = [own.nodes - 1]
    while waiting:
        node = waiting.pop()
        if kinds[node] == UNUSED:
            mine = found[node]
            kinds[node] = ATOM if mine.atom else POLYNOMIAL if mine.varies else NUMBER
            if kinds[node] == POLYNOMIAL and node >= own.inputs:
                step = own.steps[node - own.inputs]
                waiting += [operand for operand in (step.first, step.second) if operand >= 0]
    formed = [found[node] for node, kind in enumerate(kinds) if kind == POLYNOMIAL]
    polynomial = found[-1].varies and not any(node.rooted or node.degree > DEGREE for node in formed)
    exact = not found[-1].varies or (polynomial and not found[-1].mixed)
    return _Row(own, used, kinds, polynomial or exact, exact, _pairs(own))


def _pairs(tape: Tape) -> list[tuple[int, int]]:
    """Of inputs: the products that second derivatives may have."""
    linear: list[frozenset[int]] = [frozenset((k,)) for k in range(tape.inputs)]
    square: list[frozenset[tuple[int, int]]] = [frozenset()] * tape.inputs
    for operation, first, second, _ in tape.steps:
        u, w = (linear[node] if node >= 0 else frozenset() for node in (first, second))
        both = frozenset().union(*(square[node] for node in (first, second) if node >= 0))
        match operation:
            case Operation.ADD | Operation.SUB | Operation.NEG:
                bent: set[tuple[int, int]] = set()
            case Operation.MUL:
                bent = {(min(i, j), max(i, j)) for i in u for j in w}
            case Operation.DIV:
                bent = {(min(i, j), max(i, j)) for i in u | w for j in w}
            case _:
                bent = {(i, j) for i in u for j in u if i <= j}
        linear.append(u | w)
        square.append(both | bent if bent else both)
    return sorted(square[-1])


@dataclass(frozen=True, slots=True, eq=False)
class RowTapes:
    """All rows; the k-th has the operations starts[k] to starts[k + 1], and so on."""

    starts: Integers  # of the operations
    uses: Integers  # of the variables
    places: Integers  # the variables' numbers
    code: Integers
    constants: Floats
    allowed: Floats  # (2, row)
    kinds: Integers  # of the nodes; row k begins at uses[k] + starts[k]
    polynomial: Flags  # whether the form q exists
    exact: Flags  # and encloses nothing
    bends: Integers  # of the pairs
    pairs: Integers  # (pair of a row, 3): both variables by their place in the row, and the pair's number in all
    every: Integers  # (pair, 2): the variables of the pairs of all rows
    partial: bool  # whether an operation is not defined everywhere

    @staticmethod
    def of(equations: Equations) -> RowTapes:
        """All rows of a system."""
        rows = [_row(equations.tape, output) for output in equations.tape.outputs]
        every = sorted({(row.used[i], row.used[j]) for row in rows for i, j in row.pairs})
        number = {pair: k for k, pair in enumerate(every)}
        pairs = [(i, j, number[row.used[i], row.used[j]]) for row in rows for i, j in row.pairs]

        def starts(sizes: list[int]) -> Integers:
            return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))

        return RowTapes(
            starts([len(row.tape.steps) for row in rows]),
            starts([len(row.used) for row in rows]),
            np.array([v for row in rows for v in row.used], dtype=np.int64),
            np.concatenate([row.tape.code for row in rows]),
            np.concatenate([row.tape.constants for row in rows]),
            np.vstack((equations.lower, equations.upper)),
            np.array([kind for row in rows for kind in row.kinds], dtype=np.int64),
            np.array([row.polynomial for row in rows]),
            np.array([row.exact for row in rows]),
            starts([len(row.pairs) for row in rows]),
            np.array(pairs, dtype=np.int64).reshape(-1, 3),
            np.array(every, dtype=np.int64).reshape(-1, 2),
            any(step.operation in PARTIAL for row in rows for step in row.tape.steps),
        )
