"""A tree of cuts: each takes one side off, which its lines refute; what is left is taken up by other lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.checker.nodes import Split
from certify.regressors.cuts import Lines
from certify.regressors.exact_bounds import Bounds


@dataclass(frozen=True, slots=True)
class Cut:
    """sign x_j is at most `at`: these lines refute the other side."""

    parameter: int
    sign: int
    at: Fraction
    lines: Lines


@dataclass(frozen=True, slots=True)
class Tree:
    """The lines before and after what is left, the box that is left, and the cuts that cut something off."""

    before: Lines
    after: Lines
    box: tuple[Bounds, ...]
    cuts: tuple[Cut, ...]

    def around(self, inner: Lines) -> Lines:
        """All lines, with these for what is left."""
        return (*self.before, *inner, *self.after)


def tree_of(start: Sequence[Bounds], cuts: Sequence[Cut]) -> Tree:
    """The cuts one after the other."""
    box, before, after, done = list(start), list[Split | object](), list[Lines](), list[Cut]()
    for one in cuts:
        (low, high), place = box[one.parameter], one.sign * one.at
        if not low < place < high:
            continue
        box[one.parameter] = (low, place) if one.sign > 0 else (place, high)
        before.append(Split(one.parameter, place))
        if one.sign > 0:
            after.append(one.lines)
        else:
            before += one.lines
        done.append(one)
    behind = tuple(line for lines in reversed(after) for line in lines)
    return Tree(tuple(before), behind, tuple(box), tuple(done))  # type: ignore[arg-type]
