"""The tree of a certificate, walked anew with its boxes by the letter of the specification: no line of the project's
parsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import prod

from canonical_text import Ends
from certificates import number

Box = dict[int, Ends]
Row = tuple[int, int]
REFUTES = ("evaluate", "aggregate")
TERM = re.compile(r"[qmt]([0-9]+)\.([0-9]+)[+-].*")


@dataclass(frozen=True)
class Step:
    """A line of the tree: its words, the places of its parent and children, the splits above it, and its box. Below a
    frame there is none of the unknowns.
    """

    words: tuple[str, ...]
    parent: int
    children: tuple[int, ...]
    depth: int
    box: Box | None

    @property
    def kind(self) -> str:
        """The word that it begins with."""
        return self.words[0]

    @property
    def rows(self) -> set[Row]:
        """The rows that a leaf names."""
        if self.kind == "evaluate":
            return {(int(self.words[1]), int(self.words[2]))}
        matches = [TERM.fullmatch(word) for word in self.words[1:]] if self.kind == "aggregate" else []
        return {(int(match[1]), int(match[2])) for match in matches if match is not None}


@dataclass(frozen=True)
class Split:
    """A split that is told: of which unknown, where, the side that a leaf refutes at once, by which rows, and whether
    it is of all that is left.
    """

    unknown: int
    at: Fraction
    cut: str | None
    rows: frozenset[Row]
    whole: bool


@dataclass(frozen=True)
class Walk:
    """All lines of a tree, in order."""

    steps: Sequence[Step]

    def count(self, *kinds: str) -> int:
        """How many lines are of these kinds."""
        return sum(step.kind in kinds for step in self.steps)

    @property
    def depth(self) -> int:
        """The most splits above a line."""
        return max(step.depth for step in self.steps)

    @property
    def conflicts(self) -> int:
        """The children of all lines `hitting`."""
        return sum(len(step.children) for step in self.steps if step.kind == "hitting")

    @property
    def parted(self) -> bool:
        """Whether rows are counted in a part of the box only."""
        return any(step.kind == "hitting" and step.depth for step in self.steps)

    def unmet(self, out: int) -> bool:
        """Whether no so many rows meet the rows of all conflicts, for each line `hitting`."""
        return all(not _met([self.below(child) for child in step.children], out) for step in self._hittings)

    @property
    def _hittings(self) -> Iterator[Step]:
        return (step for step in self.steps if step.kind == "hitting")

    def below(self, place: int) -> set[Row]:
        """The rows that a line names, or those below it."""
        step = self.steps[place]
        return step.rows.union(*(self.below(child) for child in step.children))

    def cut(self, step: Step) -> int | None:
        """Which child of a split is a leaf that refutes; the first of two."""
        return next((k for k, child in enumerate(step.children) if self.steps[child].kind in REFUTES), None)

    def whole(self, place: int) -> bool:
        """Whether all that lies elsewhere was refuted by leaves before."""
        while (parent := self.steps[place].parent) >= 0:
            above = self.steps[parent]
            others = [self.steps[child].kind for child in above.children if child != place]
            if above.kind in ("hitting", "frame") or not all(kind in REFUTES for kind in others):
                return False
            place = parent
        return True

    @cached_property
    def told(self) -> list[Split]:
        """The splits in order, those before rows are left out and out of frames."""
        found = []
        for place, step in enumerate(self.steps):
            if step.kind == "hitting":
                return found
            if step.kind == "split" and step.box is not None:
                cut = self.cut(step)
                rows = frozenset() if cut is None else frozenset(self.steps[step.children[cut]].rows)
                side = None if cut is None else ("<=", ">=")[cut]
                found.append(Split(int(step.words[1]), number(step.words[2]), side, rows, self.whole(place)))
        return found

    @cached_property
    def rounds(self) -> list[tuple[int, Fraction]]:
        """After each run of cuts in what is left of the box: the cuts so far, and the part of its volume that is
        left.
        """
        found: list[tuple[int, Fraction]] = []
        place, cuts = 0, 0
        while True:
            step = self.steps[place]
            cut = self.cut(step) if step.kind == "split" else None
            if cut is not None:
                place, cuts = step.children[1 - cut], cuts + 1
                continue
            if cuts and (not found or found[-1][0] < cuts):
                found.append((cuts, self._share(step.box)))
            if step.kind != "prepare":
                return found
            place = step.children[0]

    def _share(self, box: Box | None) -> Fraction:
        whole = self.steps[0].box
        assert box is not None and whole is not None
        return prod(
            ((box[v][1] - box[v][0]) / (high - low) for v, (low, high) in whole.items() if low < high),
            start=Fraction(1),
        )


def _met(conflicts: Sequence[set[Row]], out: int) -> bool:
    """Whether so many rows, at most, meet all of these sets."""
    every = sorted(set().union(*conflicts))
    return any(all(rows & set(chosen) for rows in conflicts) for chosen in combinations(every, min(out, len(every))))


def walk(text: str, box: Box) -> Walk:
    """The tree of a certificate in this box."""
    lines = text.split("\n")
    steps: list[Step] = []
    below: list[list[int]] = []
    waiting: list[tuple[int, int, Box | None]] = [(-1, 0, box)]
    for line in lines[lines.index("tree") + 1 : lines.index("end")]:
        parent, depth, own = waiting.pop()
        words = tuple(line.split(" "))
        if parent >= 0:
            below[parent].append(len(steps))
        waiting += [(len(steps), *child) for child in reversed(_children(words, depth, own))]
        steps.append(Step(words, parent, (), depth, own))
        below.append([])
    if waiting:
        raise AssertionError("the tree ends too early")
    return Walk([replace(step, children=tuple(children)) for step, children in zip(steps, below, strict=True)])


def _children(words: Sequence[str], depth: int, box: Box | None) -> list[tuple[int, Box | None]]:
    """Splits above and box of each child."""
    kind = words[0]
    if kind == "split":
        unknown, at = int(words[1]), number(words[2])
        if box is None:
            return [(depth + 1, None)] * 2
        low, high = box[unknown]
        return [(depth + 1, box | {unknown: (low, at)}), (depth + 1, box | {unknown: (at, high)})]
    if kind == "hitting":
        return [(depth, box)] * int(words[1])
    return [(depth, box if kind == "prepare" else None)] * (kind in ("prepare", "frame"))
