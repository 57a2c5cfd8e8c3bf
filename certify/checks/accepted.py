"""What the checker has accepted in this process, by what was judged and not by where it lies.

    (SHA-256 of the canonical problem, SHA-256 of the certificate) -> what the checker said

A pair is remembered if its files had the same sums before and after the checker read them; nothing is read from a file,
and nothing outlives the process. So whoever has the same bytes once more need not have them judged once more.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

Sums = tuple[str, str]


class Accepted:
    """The pairs so far."""

    def __init__(self) -> None:
        self._told: dict[Sums, str] = {}

    def add(self, sums: Sums, told: str) -> None:
        """The checker has accepted a pair with these sums."""
        self._told[sums] = told

    def told(self, problem: str, certificate: str) -> str | None:
        """What it said of the pair with these sums, if it has accepted it."""
        return self._told.get((problem, certificate))


ACCEPTED = Accepted()


def sums_of(pair: tuple[Path, Path]) -> Sums | None:
    """Of a canonical problem and a certificate as they lie there; None if one cannot be read."""
    try:
        first, second = (hashlib.sha256(path.read_bytes()).hexdigest() for path in pair)
    except OSError:
        return None
    return first, second
