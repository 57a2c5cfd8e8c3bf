"""Pieces (specification, 12.8): certificates about parts of the box, which are leaves of another certificate's tree.

Each is judged as if it stood alone, when the tree comes to it, and is forgotten after that. What it leaves, in its part
of the box, of the points in S(level), must be open or known where it stands.
"""

import hashlib
from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

from .certificate import Certificate, parse_certificate
from .nodes import Open
from .outcome import Clock, Rejection, require
from .rules import Proof, contains
from .scope import Box
from .shares import Share

SHOWN: Final = 12

Load = Callable[[str], bytes | None]  # the bytes with a hash, if they are at hand


class Judged(NamedTuple):
    """What a certificate was found to prove, and the boxes in which its zeros are."""

    words: str
    zeros: tuple[Box, ...]


class Pieces:
    """The pieces of one certificate, judged one by one; `count` are those so far."""

    def __init__(self, whole: Certificate, load: Load, judge: Callable[[Certificate], Judged], clock: Clock) -> None:
        self._whole: Final = whole
        self._load: Final = load
        self._judge: Final = judge
        self._clock: Final = clock
        self.count = 0

    def judge(self, proof: Proof, box: Box, digest: str, share: Share) -> Fraction:
        """The volume that the piece leaves open; raise Rejection unless it says of the box what its leaf stands for.
        Pieces that are not of the share are believed to be valid.
        """
        fits = self._whole.kind != "" and self._whole.point is None and self._whole.part is None
        require(fits, "piece", "pieces belong to certificates of version 6 about the whole box")
        self.count += 1
        data = self._load(digest)
        if data is None:
            raise Rejection("piece", f"the piece {digest} is not at hand")
        require(hashlib.sha256(data).hexdigest() == digest, "piece", f"the bytes of piece {digest} have another hash")
        try:
            piece = parse_certificate(data)
            self._compare(piece, box)
            zeros = self._judge(piece).zeros if share.has(self.count) else ()
        except Rejection as rejection:
            rejection.where = f", piece {digest[:SHOWN]}, {rejection.where or 'certificate'}"
            raise
        if piece.hull is not None:
            proof.judge(proof.root, piece.hull.box, Open())
            bounded = proof.question.volume is None or piece.volume is not None
            require(bounded, "piece", "it says no volume of what it leaves open")
        for number, zero in enumerate(zeros):
            self._clock.check()
            known = any(contains(other, zero) for other in proof.question.zeros)
            require(known, "piece", f"its zero {number} is not within the box of a zero of this certificate")
        return piece.volume or Fraction(0)

    def _compare(self, piece: Certificate, box: Box) -> None:
        """The same rows and errors, at no lower level, on a part that the box lies in."""
        whole = self._whole
        require(piece.problem == whole.problem, "piece", "it is about another problem")
        pairs = zip(_rows(piece), _rows(whole), strict=True)
        require(all(a == b for a, b in pairs), "piece", "kind, groups, factor, norm or discard are not the same")
        reaches = piece.level is not None and whole.level is not None and piece.level >= whole.level
        require(reaches, "piece", "its level is below that of this certificate")
        require(piece.part is not None and contains(piece.part, box), "piece", "the box is not within its part")


def _rows(certificate: Certificate) -> tuple[object, ...]:
    """What S(e) is, for every e."""
    return certificate.kind, certificate.groups, certificate.factor, certificate.squares, certificate.discard
