"""The tree (specification, section 6): an explicit stack of boxes that wait for their proofs, and what the leaves below
a hitting add up to.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from .certificate import DISCARDED
from .nodes import Aggregate, Evaluate, Hitting, Node, Open, Piece, Prepare, RowTerm, Skew, Split, at_most, parse_node
from .outcome import Clock, Rejection, ResourceLimit, require
from .rules import Preparation, Proof
from .scope import Box
from .shares import BLOCK, Share
from .text import Lines

PENDING: Final = 2_000_000
CONFLICTS: Final = 10_000  # where they are searched for rows that meet them all
SHARED: Final = ("evaluate", "aggregate")

Row = tuple[int, int]


class Pending(NamedTuple):
    """A box that is to be refuted; `rows` collects the members of the rows that do it, below a hitting."""

    box: Box
    preparation: Preparation
    rows: set[Row] | None = None


Conflicts = tuple[set[Row], ...]
PieceRule = Callable[[Proof, Box, str, Share], Fraction]  # the volume that the piece of this hash leaves open in a box


def walk(proof: Proof, lines: Lines, clock: Clock, judge_piece: PieceRule, share: Share) -> None:
    """Read the tree; raise Rejection, with the node, unless it proves that S(level) has no point in the root's box that
    is not open or known, there or in a piece; of leaves that refute something, and of pieces, as far as a share's say.
    """
    pending: list[Pending | Conflicts] = [Pending(proof.root.box, proof.root)]
    count, leaves, left = 0, 0, proof.question.volume
    try:
        while pending:
            clock.check()
            if len(pending) * (len(proof.root.box) + 8) > PENDING:
                raise ResourceLimit("the depth of the tree")
            part = pending.pop()
            if isinstance(part, Pending):
                count += 1
                tokens = lines.tokens()
                leaves += tokens[0] in SHARED
                if tokens[0] in SHARED and not share.has(leaves // BLOCK):
                    continue
                node = parse_node(tokens)
                pending.extend(_step(proof, part, node))
                opened = judge_piece(proof, part.box, node.digest, share) if isinstance(node, Piece) else Fraction(0)
                if left is not None and isinstance(node, Open | Piece):
                    left -= opened if isinstance(node, Piece) else proof.volume(part.preparation, part.box)
                    require(left >= 0, "volume", "the boxes left open so far have more of it than is claimed")
            elif proof.question.discard > DISCARDED:
                count_apart(part, proof.question.discard)
            elif hit(part, proof.question.discard, clock):
                raise Rejection("hitting", f"{proof.question.discard} rows meet all conflicts")
        lines.exact("end")
        lines.finish()
    except Rejection as rejection:
        rejection.where = f"node {count - 1} (line {lines.number}){rejection.where}"
        raise


def _step(proof: Proof, part: Pending, node: Node) -> Iterable[Pending | Conflicts]:
    """What is left to prove, last first."""
    box, preparation, rows = part.box, part.preparation, part.rows
    match node:
        case Split(variable, at):
            lower, upper = proof.split(box, variable, at)
            return Pending(upper, preparation, rows), Pending(lower, preparation, rows)
        case Prepare(cells):
            return (Pending(box, proof.prepare(preparation, box, cells), rows),)
        case Skew():
            skewed = proof.skew(preparation, box, node)
            return (Pending(skewed.box, skewed, rows),)
        case Hitting(count):
            require(
                proof.question.discard > 0 and rows is None and count > 0,
                "hitting",
                "it needs discarded rows, a child, and none above",
            )
            if proof.question.discard <= DISCARDED:
                at_most(count, CONFLICTS, "hitting")
            conflicts: Conflicts = tuple(set() for _ in range(count))
            return conflicts, *(Pending(box, preparation, found) for found in conflicts)
        case Piece():
            above = rows is None and preparation.chart.frame is None
            require(above, "piece", "it stands below no hitting and below no frame")
            return ()
        case Evaluate(family, row):
            named = {(family, row)}
        case Aggregate(terms):
            named = {(term.family, term.row) for term in terms if isinstance(term, RowTerm)}
        case _:
            named = set()
    placed = not proof.question.discard or bool(named) == (rows is not None)
    require(placed, "hitting", "rows are refuted below it only, and nothing is open or known there")
    proof.judge(preparation, box, node)
    if rows is not None:
        rows.update((proof.scope.member(family)[0], row) for family, row in named)
    return ()


def count_apart(conflicts: Conflicts, discarded: int) -> None:
    """Raise Rejection unless there are more conflicts than discarded rows, no two of them with a row in common."""
    require(len(conflicts) > discarded, "hitting", f"no more than {discarded} conflicts, the number of rows discarded")
    apart = sum(map(len, conflicts)) == len(set().union(*conflicts))
    require(apart, "hitting", "two conflicts have a row in common, where more rows are discarded than are searched for")


def hit(conflicts: Sequence[Collection[Row]], count: int, clock: Clock) -> bool:
    """Whether some set of at most `count` rows meets every conflict."""
    clock.check()
    if not conflicts:
        return True
    apart: set[Row] = set()
    needed = 0
    for conflict in sorted(conflicts, key=len):
        if apart.isdisjoint(conflict):
            apart.update(conflict)
            needed += 1
    if needed > count:
        return False
    smallest = min(conflicts, key=len)
    return any(hit([conflict for conflict in conflicts if row not in conflict], count - 1, clock) for row in smallest)
