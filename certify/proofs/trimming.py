"""A certificate is made short before it is written: what it says stays, and every step is judged again.

    a split, one child of which refutes the whole box already    that child alone
    a split into two boxes that are left open                    one open box
    a preparation that no leaf asks for                          nothing
    the weights of an aggregate, 36 bits each                    as few bits as its margin allows, often none
    the fractions of a witness, 18 digits each                   as few digits as their rows allow

Rounding a weight by w changes the sum by at most w times the largest value of its term on the prepared box (a sum of
squares by a little more: it is judged again in any case). So each weight gets the grid on which that is a part of the
sum's margin; a quarter of the margin is left for whoever computes with other enclosures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.bulk.bulk_proof import BulkProof, Multiple
from certify.checker.interval import Undefined
from certify.checker.nodes import Aggregate, Evaluate, Known, Leaf, Node, Open, Prepare, RowTerm, Skew, Split, Term
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Proof
from certify.checker.scope import Box, Scope
from certify.checker.witness import needed
from certify.proofs.certificate_text import aggregate_line, letters_of, node_line
from certify.proofs.witnesses import Token, Witness

SHARES = (
    0,
    2,
    4,
)  # a rounding may move the sum by the margin divided by 2 to these powers, whichever is the first to hold
KEPT = 2  # the margin divided by 2 to this power is left
SMALL = 4  # leaves of a subtree that is tried on the box above it, and of what it would replace
DIGITS = (2, 4, 6, 9, 12)


@dataclass(frozen=True, slots=True)
class Placed:
    """A node of a tree that was accepted: its box, how its rows are prepared, and for an aggregate the bound of its
    sum.
    """

    node: Node
    box: Box
    preparation: Preparation
    bound: int = 0


@dataclass(frozen=True, slots=True)
class _Tree:
    """`leaves` is their number, `asks` whether one of them uses the preparation above, `small` whether it may be tried
    elsewhere.
    """

    top: Placed
    children: tuple[_Tree, ...] = ()
    leaves: int = 1
    asks: bool = True
    small: bool = True


def accepted(proof: Proof, preparation: Preparation, box: Box, node: Node) -> Placed | None:
    """A leaf, as it was accepted; None if it is not."""
    if isinstance(node, Evaluate | Open | Known):
        return Placed(node, box, preparation) if holds(proof, preparation, box, node) else None
    if not isinstance(node, Aggregate):
        return None
    try:
        bound = proof.aggregate_bound(preparation, box, node.terms, node.further)
    except Rejection:
        return None
    return Placed(node, box, preparation, bound) if bound > 0 else None


def holds(proof: Proof, preparation: Preparation, box: Box, leaf: Leaf) -> bool:
    """Whether the checker accepts a leaf."""
    try:
        proof.judge(preparation, box, leaf)
    except Rejection:
        return False
    return True


def trim(proof: BulkProof, nodes: Sequence[Placed]) -> list[str]:
    """The lines of a tree, in prefix order as its nodes are given."""
    stack: list[_Tree] = []
    for placed in reversed(nodes):
        if isinstance(placed.node, Split):
            stack.append(_split(proof, placed, stack.pop(), stack.pop()))
        elif isinstance(placed.node, Prepare):
            stack.append(_prepare(placed, stack.pop()))
        elif isinstance(placed.node, Skew):
            below = stack.pop()
            stack.append(_Tree(placed, (below,), below.leaves, asks=False, small=False))
        else:
            refutes = not isinstance(placed.node, Open | Known)
            stack.append(_Tree(placed, asks=isinstance(placed.node, Aggregate), small=refutes))
    weights = _Weights(proof)
    return [weights.line(placed) for tree in stack for placed in _prefix(tree)]


def _prefix(tree: _Tree) -> Iterable[Placed]:
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        yield found.top
        waiting.extend(reversed(found.children))


def _prepare(placed: Placed, child: _Tree) -> _Tree:
    """A preparation that is used; such a tree is not tried elsewhere, because there it would be another one."""
    return _Tree(placed, (child,), child.leaves, asks=False, small=False) if child.asks else child


def _split(proof: BulkProof, placed: Placed, lower: _Tree, upper: _Tree) -> _Tree:
    """Both halves, or one of them if it proves the same of the whole box; only what is small is tried, for this is
    rarely so.
    """
    if isinstance(lower.top.node, Open) and isinstance(upper.top.node, Open):
        return _Tree(replace(placed, node=Open()), small=False, asks=False)
    leaves, small = lower.leaves + upper.leaves, lower.small and upper.small
    if small and leaves <= 2 * SMALL:
        for child in (lower, upper):
            found = _moved(proof, child, placed.box)
            if found is not None:
                return found
    return _Tree(placed, (lower, upper), leaves, lower.asks or upper.asks, small and leaves <= SMALL)


def _moved(proof: BulkProof, tree: _Tree, box: Box) -> _Tree | None:
    """A small tree on a larger box, if it proves what it should there too."""
    node = tree.top.node
    if not isinstance(node, Split):
        found = accepted(proof, tree.top.preparation, box, node)
        return None if found is None else replace(tree, top=found)
    children = []
    for child, half in zip(tree.children, proof.split(box, node.variable, node.at), strict=True):
        moved = _moved(proof, child, half)
        if moved is None:
            return None
        children.append(moved)
    return replace(tree, top=replace(tree.top, box=box), children=tuple(children))


class _Weights:
    """Shortens aggregates."""

    def __init__(self, proof: BulkProof) -> None:
        self._proof = proof

    def line(self, placed: Placed) -> str:
        """The line of a leaf with fewer terms and shorter weights, or of any other node as it is."""
        node = placed.node
        if not isinstance(node, Aggregate):
            return node_line(node)
        sizes = self._proof.sizes(placed.preparation, node.terms, node.further)
        for share in SHARES:
            change = placed.bound >> share
            multiples = [_rounded(term.weight, size, change) for term, size in zip(node.terms, sizes, strict=True)]
            kept = [pair for pair in zip(node.terms, multiples, strict=True) if pair[1][0]]
            if not any(isinstance(term, RowTerm) for term, _ in kept):
                continue
            terms, power = [term for term, _ in kept], 0 if self._proof.question.squares else _power(kept)
            shorter = [(mantissa, exponent - power) for _, (mantissa, exponent) in kept]
            if self._remains(placed, self._bound(placed, terms, shorter, node.further), power + KEPT):
                return aggregate_line(terms, shorter, node.further)
        return node_line(node)

    @staticmethod
    def _remains(placed: Placed, bound: int, power: int) -> bool:
        """Whether enough of the margin is left, in this power of two."""
        return bound > 0 and bound << max(power, 0) >= placed.bound << max(-power, 0)

    def _bound(
        self, placed: Placed, terms: Sequence[Term], multiples: Sequence[Multiple], further: tuple[int, ...]
    ) -> int:
        try:
            return self._proof.bound_again(placed.preparation, placed.box, terms, multiples, further)
        except Rejection:
            return 0


def _rounded(weight: Fraction, size: int, change: int) -> Multiple:
    """The multiple of a power of two, as mantissa and exponent, nearest to the weight: the power times the size is at
    most `change`.
    """
    exponent = change.bit_length() - size.bit_length()
    if (size << max(exponent, 0)) > (change << max(-exponent, 0)):
        exponent -= 1
    numerator, places = weight.numerator, weight.denominator.bit_length() - 1
    shift = -places - exponent
    if shift >= 0:
        return numerator, -places
    return (numerator + (1 << (-shift - 1))) >> -shift, exponent


def _power(weighted: Sequence[tuple[Term, Multiple]]) -> int:
    """The power of two by which all weights are divided, which leaves the sum as positive as it was: the one with the
    shortest text.
    """
    multiples = [multiple for _, multiple in weighted]
    return min(sorted({exponent for _, exponent in multiples}), key=letters_of(multiples), default=0)


def short_witness(scope: Scope, witness: Witness, upper: Fraction, distances: Sequence[Sequence[int]] = ()) -> Witness:
    """The witness with fractions of fewer digits, row by row, where `upper` is still proved, also of the distances of
    these families; rows of one number share their entries.
    """
    columns = {column: list(tokens) for column, tokens in witness.columns.items()}
    values = tuple(witness.values[variable] for variable in scope.variables)
    allowed = scope.arithmetic.floor(upper), scope.arithmetic.floor(upper**2)
    families = {
        number: [b.index for b in scope.problem.families[number].bindings if b.measured]
        for number in sorted(scope.families)
    }
    for row in range(max(map(len, columns.values()), default=0)):
        mine = {column: tokens[row] for column, tokens in columns.items() if row < len(tokens)}
        longest = max(value.denominator for pair in mine.values() for value in pair)
        for digits in DIGITS:
            if longest <= 10 ** (digits + 1):
                break
            short = {column: (round(s, digits), round(t, digits)) for column, (s, t) in mine.items()}
            rows = {number: used for number, used in families.items() if row < scope.problem.families[number].rows}
            sizes = {
                number: _needed(scope, number, row, values, {c: short[c] for c in used})
                for number, used in rows.items()
            }
            if _allowed(scope, sizes, allowed, distances):
                for column, pair in short.items():
                    columns[column][row] = pair
                break
    return replace(witness, columns={column: tuple(tokens) for column, tokens in columns.items()})


def _needed(scope: Scope, family: int, row: int, values: Sequence[Fraction], measured: dict[int, Token]) -> int | None:
    """What a row needs; None if it has no value."""
    first, second = ({column: pair[way] for column, pair in measured.items()} for way in (0, 1))
    try:
        return needed(scope, family, row, values, first, second)
    except Undefined:
        return None


def _allowed(
    scope: Scope, sizes: dict[int, int | None], allowed: tuple[int, int], distances: Sequence[Sequence[int]]
) -> bool:
    """Whether rows of one number are within a bound, and their distances within its square."""
    found = {number: size for number, size in sizes.items() if size is not None}
    if len(found) < len(sizes) or any(size > allowed[0] for size in found.values()):
        return False
    squares = {number: scope.arithmetic.sqr((size, size))[1] for number, size in found.items()}
    return all(sum(squares.get(number, 0) for number in families) <= allowed[1] for families in distances)
