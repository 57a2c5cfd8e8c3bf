"""Pieces: certificates about parts of a box, which another certificate names in its tree (specification, 12.8)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from flint import arb, fmpq

from .certificate import Box, Certificate
from .outcome import Rejection

Load = Callable[[str], bytes | None]  # the bytes that have a hash, if they can be had
Zeros = list[Box]  # the boxes in which the zeros were found, exactly


class Pieces:
    """The pieces of one certificate: read when they are named, judged as if alone, and not kept."""

    def __init__(self, load: Load, read: Callable[[bytes], Certificate], prove: Callable[[bytes], Zeros]) -> None:
        self.load, self.read, self.prove = load, read, prove
        self.count = 0

    def proved(self, digest: str, whole: Certificate, box: Box) -> tuple[Certificate, Zeros]:
        """A valid piece that is about this box and about what the whole certificate is about, with its zeros."""
        self.count += 1
        data = self.load(digest)
        if data is None:
            raise _bad(f"no file with the hash {digest} can be had")
        if hashlib.sha256(data).hexdigest() != digest:
            raise _bad("its bytes have another hash")
        piece = self.read(data)
        if not piece.is_part:
            raise _bad("it is about no part of the box")
        if not _is_alike(piece, whole):
            raise _bad("its kind, groups, factor, norm or discard are others")
        if not all(low <= a and b <= high for (a, b), (low, high) in zip(box, piece.start, strict=True)):
            raise _bad("its part does not contain the box of the leaf")
        if piece.error < whole.error:
            raise _bad("it is about a smaller error")
        return piece, self.prove(data)


def _is_alike(piece: Certificate, whole: Certificate) -> bool:
    """Whether S(e) is the same set for every e."""
    first, second = ((one.kind, one.scope.groups, one.factor, one.squares, one.discard) for one in (piece, whole))
    return first == second


def _bad(reason: str) -> Rejection:
    return Rejection("piece", reason, "piece")


def exact_boxes(enclosures: Sequence[Sequence[tuple[arb, arb]]]) -> Zeros:
    """Boxes whose ends are exact balls, as rational numbers."""
    return [tuple((_exact(low), _exact(high)) for low, high in one) for one in enclosures]


def _exact(value: arb) -> fmpq:
    if not value.is_exact():
        raise ArithmeticError("an end of an enclosure is not exact")
    mantissa, exponent = value.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)
