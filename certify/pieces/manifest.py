"""The certificate of all pieces together: which of them say what of the box, and what is left open.

every part is a piece      exactly so many solutions                           zeros N, or lower 0
some are open              at least so many; all others in what is open        within 0, its volume, zeros N
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.checker.certificate import Hull
from certify.checker.scope import Box as ExactBox
from certify.pieces.composing import Cut, Left, composed
from certify.pieces.kept import Piece
from certify.pieces.zeros import Together, written
from certify.proofs.certificate_text import OPEN, Claim, dyadic
from certify.proofs.problem_replay import Proving, volume_of
from certify.text.decimals import round_up


@dataclass(frozen=True, slots=True)
class Manifest:
    """The text (empty where nothing is proved), how many solutions and pieces it names, what it leaves open, and which
    share of the box that is (of its sides that are no points).
    """

    certificate: bytes
    solutions: int
    pieces: int
    left: tuple[ExactBox, ...]
    open_share: Fraction

    @property
    def whole(self) -> bool:
        """Whether nothing is open."""
        return not self.left


def manifest(proving: Proving, scope: tuple[int, ...], found: Iterable[Piece]) -> Manifest:
    """What these pieces say together; one whose zeros cannot be told from those of others is left out."""
    judge = proving.judge(scope)
    together, pieces = Together(judge), list[Piece]()
    for piece in found:
        exact = all(written(zero).checked == zero for zero in piece.zeros)
        before = len(together.found)
        if exact and together.add(piece.zeros):
            pieces.append(piece)
        else:
            del together.found[before:]
    lines, left, named = _tree(proving, scope, judge.box, pieces)
    count = len(together.found)
    share = sum((_share(box, judge.box) for box in left), Fraction(0))
    if not named:
        return Manifest(b"", 0, 0, tuple(left), Fraction(1))
    zeros = together.zeros
    if not left:
        claim = Claim(proving.names(scope), zeros=zeros) if count else Claim(proving.names(scope), lower=Fraction(0))
        return Manifest(proving.written(claim, lines), count, named, (), Fraction(0))
    hull = Hull(tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*left, strict=True)))
    volume = round_up(sum(map(volume_of, left), Fraction(0)))
    claim = Claim(proving.names(scope), within=Fraction(0), volume=volume, hull=hull, zeros=zeros if count else None)
    return Manifest(proving.written(claim, lines), count, named, tuple(left), share)


def _tree(
    proving: Proving, scope: tuple[int, ...], box: ExactBox, pieces: Sequence[Piece]
) -> tuple[list[str], list[ExactBox], int]:
    """The lines of the tree, the boxes that it leaves open, and how many pieces it names."""
    variables = proving.judge(scope).variables
    lines, left, named = list[str](), list[ExactBox](), set[str]()
    for node in composed(box, [piece.part for piece in pieces]):
        match node:
            case Cut(place, at):
                lines.append(f"split {variables[place]} {dyadic(at)}")
            case Left(open_box):
                lines.append(OPEN)
                left.append(open_box)
            case _:
                lines.append(f"piece {pieces[node].digest}")
                named.add(pieces[node].digest)
    return lines, left, len(named)


def _share(box: ExactBox, whole: ExactBox) -> Fraction:
    """Of a box, in the directions in which it has a width."""
    sides = ((b - a) / (d - c) for (a, b), (c, d) in zip(box, whole, strict=True) if c < d)
    return math.prod(sides, start=Fraction(1))
