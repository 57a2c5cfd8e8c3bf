"""The tree above pieces: how a box is divided so that each part is a piece, or is open.

Pieces come from anywhere, in any order: the tree is found from their parts alone. A box that lies within a part is that
piece's. Any other is divided at a face of a part; where parts come from one tree of divisions, some face divides none
of them, and the one that leaves as many on both sides is taken. What is not correct here is refused by the checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.checker.scope import Box as ExactBox
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.tape.evaluation import Floats


@dataclass(frozen=True, slots=True)
class Cut:
    """The place, among the variables of the scope, and the number at which a box is divided."""

    place: int
    at: Fraction


@dataclass(frozen=True, slots=True)
class Left:
    """A box that no piece is about."""

    box: ExactBox


Part = Cut | Left | int  # a number is that of a piece


def composed(box: ExactBox, parts: Sequence[ExactBox]) -> Iterator[Part]:
    """The nodes of the tree in prefix order."""
    ends = _Ends.of(parts, len(box))
    stack: list[tuple[ExactBox, NDArray[np.int64]]] = [(box, np.arange(len(parts)))]
    while stack:
        here, among = stack.pop()
        whole = next((int(k) for k in ends.around(here, among) if _within(here, parts[k])), None)
        if whole is not None:
            yield whole
            continue
        cut = ends.cut(here, among)
        if cut is None:
            yield Left(here)
            continue
        yield cut
        place, at = cut.place, float(cut.at)
        (low, high), before, after = here[place], here[:place], here[place + 1 :]
        upper = among[ends.high[among, place] > at]
        lower = among[ends.low[among, place] < at]
        stack.append(((*before, (cut.at, high), *after), upper))
        stack.append(((*before, (low, cut.at), *after), lower))


def _within(box: ExactBox, part: ExactBox) -> bool:
    return all(least <= low and high <= most for (low, high), (least, most) in zip(box, part, strict=True))


@dataclass(frozen=True, slots=True)
class _Ends:
    """The parts' ends (part, variable), as doubles that enclose them: those that divide a box are exact."""

    low: Floats
    high: Floats

    @staticmethod
    def of(parts: Sequence[ExactBox], size: int) -> _Ends:
        """Of these."""
        found = np.array([[enclose_range(*ends) for ends in part] for part in parts]).reshape(-1, size, 2)
        return _Ends(found[..., 0], found[..., 1])

    def around(self, box: ExactBox, among: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those that may contain a box."""
        low, high = _doubles(box)
        inside = (self.low[among] <= low).all(axis=1) & (self.high[among] >= high).all(axis=1)
        return among[inside]

    def cut(self, box: ExactBox, among: NDArray[np.int64]) -> Cut | None:
        """The face that divides the fewest parts, and has about as many on both sides; None where there is none."""
        best: tuple[Any, ...] | None = None
        for place, (low, high) in enumerate(box):
            first, last = self.low[among, place], self.high[among, place]
            faces = np.unique(np.concatenate([first, last]))
            faces = np.array([face for face in faces.tolist() if low < Fraction(face) < high])
            if not faces.size:
                continue
            below = np.searchsorted(np.sort(last), faces, side="right")
            above = among.size - np.searchsorted(np.sort(first), faces, side="left")
            divided, most = among.size - below - above, np.maximum(below, above)
            k = int(np.lexsort((most, divided))[0])
            found = int(divided[k]), int(most[k]), place, float(faces[k])
            best = found if best is None else min(best, found)
        return None if best is None else Cut(best[2], Fraction(best[3]))


def _doubles(box: ExactBox) -> tuple[Floats, Floats]:
    low, high = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in box), strict=True))
    return low, high
