"""Pieces in a folder, each in a file that is named by the SHA-256 of its bytes: nothing else needs to be kept of a run
in pieces, and pieces of several runs, or machines, can be thrown together.

What a file says is read by the checker's own reader, and is about this problem, or it is no piece of ours. Whether it
is proved is said by the checker alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.checker.certificate import Certificate, Zero, parse_certificate
from certify.checker.outcome import Rejection, ResourceLimit
from certify.checker.scope import Box as ExactBox
from certify.problems.files.disk import write_bytes

NAME = re.compile(r"([0-9a-f]{64})\.cert")
LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """What there is to know of a piece but for its proof: its hash, its part, its zeros and the bytes of its file."""

    digest: str
    part: ExactBox
    zeros: tuple[Zero, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The pieces about a problem, which has this SHA-256, in a folder."""

    folder: Path
    problem: str

    def add(self, data: bytes) -> Piece | None:
        """Keep a piece; None if it is none of ours."""
        digest = hashlib.sha256(data).hexdigest()
        found = self._read(digest, data)
        if found is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes(self.folder / f"{digest}.cert", data)
        return found

    def pieces(self) -> Iterator[Piece]:
        """All that are there, by their hashes; one file is in memory at a time."""
        for path in sorted(self.folder.glob("*.cert")):
            match = NAME.fullmatch(path.name)
            if match is None or path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == match[1]:
                found = self._read(match[1], data)
                if found is not None:
                    yield found

    def read(self, piece: Piece) -> bytes:
        """The bytes of its file."""
        return (self.folder / f"{piece.digest}.cert").read_bytes()

    def refuse(self, piece: Piece) -> None:
        """Keep a piece no more; its file stays, under a name that is none of a piece."""
        path = self.folder / f"{piece.digest}.cert"
        path.replace(path.with_suffix(".refused"))

    def _read(self, digest: str, data: bytes) -> Piece | None:
        try:
            read = parse_certificate(data)
        except (Rejection, ResourceLimit):
            return None
        if read.part is None or not _counts(read) or read.problem != self.problem:
            return None
        return Piece(digest, read.part, read.isolated, len(data))


def _counts(read: Certificate) -> bool:
    """Whether all solutions of a system in a part are said to be known."""
    plain = read.kind == "system" and read.factor == 1 and not read.discard and read.within is None
    return plain and (read.zeros is not None or read.lower == Fraction(0))
