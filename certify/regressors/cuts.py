"""Cuts of a box that weighted rows prove, at places with few digits, and the tree that they make: each takes one side
off, which its lines refute; what is left is taken up by other lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from certify.checker.nodes import Evaluate, Split
from certify.regressors.exact_bounds import Bound, Bounds, Weighted, whole

CUT = 60  # bits of the place of a cut, beside its exponent
Line = Split | Evaluate | str | tuple[Weighted, ...]
Lines = Sequence[Line]


@dataclass(frozen=True, slots=True)
class Cut:
    """sign theta_j is at most `at`: these lines refute the other side."""

    parameter: int
    sign: int
    at: Fraction
    lines: Lines

    @property
    def terms(self) -> tuple[Weighted, ...]:
        """The rows of its sums."""
        return summed(self.lines)


def summed(lines: Lines) -> tuple[Weighted, ...]:
    """The terms of all sums."""
    return tuple(term for line in lines if isinstance(line, tuple) for term in line if isinstance(term, Weighted))


def cut(bound: Bound, parameter: int, sign: int) -> Cut:
    """The cut a little beyond a bound, at a place with few digits."""
    size = abs(bound.value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() if size else -2 * CUT
    unit = Fraction(2) ** (exponent - CUT)
    return Cut(parameter, sign, (floor(bound.value / unit) + 2) * unit, (whole(bound.terms),))


def around(steps: Sequence[int | Cut], inner: Lines) -> list[Line]:
    """The lines of cuts one after the other, and of cells that rows are prepared with, and these for what is left."""
    before, after = list[Line](), list[Line]()
    for step in steps:
        if isinstance(step, int):
            before.append(f"prepare {step}")
            continue
        before.append(Split(step.parameter, step.sign * step.at))
        if step.sign > 0:
            after = [*step.lines, *after]
        else:
            before += step.lines
    return [*before, *inner, *after]


def narrowed(start: Sequence[Bounds], cuts: Sequence[Cut]) -> tuple[tuple[Bounds, ...], tuple[Cut, ...]]:
    """The box that cuts one after the other leave, and those that cut something off."""
    box, done = list(start), list[Cut]()
    for one in cuts:
        (low, high), place = box[one.parameter], one.sign * one.at
        if low < place < high:
            box[one.parameter] = (low, place) if one.sign > 0 else (place, high)
            done.append(one)
    return tuple(box), tuple(done)
