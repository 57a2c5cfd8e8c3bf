"""Rows of point measurement, and their two polynomial forms (specification, section 7).

At x in S(level): s r(x, M) <= level for some M in the row's box. Measurement lemma: if for every x in B and every M
there is an h in H with s r(x, h) <= s r(x, M) + slack, then s r(x, h) <= e = level + slack for some h in H. `narrow`
finds H and slack; `mean_value` and `root_form` give a polynomial in d = x - c of which a selection is <= 0 at (x, h):

    m:  s r(c, H) - e + sum s dr/dx_j(B, H) d_j
    q:  r = sigma sqrt(D) + v;  t = s sigma, u = s v, so that t sqrt(D) + u <= e
        t =  0:  u - e
        t = +1:  sqrt(D) <= e - u            =>  D - (e - u)^2
        t = -1:  sqrt(D) >= u - e =: w >= 0  =>  w^2 - D,  w >= 0 proved on B
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .interval import Interval, Undefined
from .outcome import Clock
from .polynomial import DEGREE, Algebra, Polynomial, RootForm, Unsupported, degree
from .tape import Program


@dataclass(frozen=True, slots=True)
class Corner:
    """H, as the inputs of the tape (variables on B), and the slack."""

    inputs: tuple[Interval, ...]
    slack: int


def narrow(program: Program, inputs: Sequence[Interval], movable: Sequence[int], side: int, cells: int, clock: Clock) -> Corner:
    """Steps 1 and 2: measurements in which s r is monotone go to the end where it is least; the others to step 3."""
    box, remaining = list(inputs), tuple(movable)
    while remaining:
        clock.check()
        try:
            values = program.values(box)
            slopes = _oriented(program.gradient(values, remaining), side)
        except Undefined:
            return Corner(tuple(box), 0)
        rising = {i for i, (low, _) in zip(remaining, slopes, strict=True) if low >= 0}
        falling = {i for i, (_, high) in zip(remaining, slopes, strict=True) if high <= 0} - rising
        if not rising and not falling:
            return _shift(program, box, values, remaining, slopes, side, cells, clock)
        for i in rising:
            box[i] = box[i][0], box[i][0]
        for i in falling:
            box[i] = box[i][1], box[i][1]
        remaining = tuple(i for i in remaining if i not in rising and i not in falling)
    return Corner(tuple(box), 0)


def _oriented(slopes: list[Interval], side: int) -> list[Interval]:
    return slopes if side > 0 else [(-high, -low) for low, high in slopes]


def _shift(
    program: Program,
    box: list[Interval],
    values: list[Interval],
    remaining: tuple[int, ...],
    slopes: list[Interval],
    side: int,
    cells: int,
    clock: Clock,
) -> Corner:
    """Step 3: each remaining measurement goes to the cell boundary with the least slack; failing, none does."""
    moved, slack = list(box), 0
    try:
        for i, slope in zip(remaining, slopes, strict=True):
            low, high = box[i]
            cuts = [low + (high - low) * j // cells for j in range(cells + 1)]
            parts = [slope] if cells == 1 else _cell_slopes(program, values, i, cuts, side, clock)
            cut, loss = least_slack(cuts, parts)
            moved[i], slack = (cut, cut), slack + loss
    except Undefined:
        return Corner(tuple(box), 0)
    return Corner(tuple(moved), -(-slack >> program.calculus.arithmetic.precision))


def _cell_slopes(program: Program, values: list[Interval], i: int, cuts: list[int], side: int, clock: Clock) -> list[Interval]:
    """s dr/dM_i on each cell, the other measurements whole."""
    slopes = []
    for low, high in pairwise(cuts):
        clock.check()
        slopes += _oriented(program.gradient(program.moved(values, i, (low, high)), (i,)), side)
    return slopes


def least_slack(cuts: Sequence[int], slopes: Sequence[Interval]) -> tuple[int, int]:
    """The boundary from which s r can decrease least, and that decrease (at twice the precision).

    Cell j has width w and slopes in [a, b]: to the right s r falls by at most -w a over it, to the left by w b, and by no
    more than max(0, that) within it. So right_j = max(0, right_(j+1) - w a), left_(j+1) = max(0, left_j + w b).
    """
    widths = [high - low for low, high in pairwise(cuts)]
    right, left = [0] * len(cuts), [0] * len(cuts)
    for j in reversed(range(len(widths))):
        right[j] = max(0, right[j + 1] - widths[j] * slopes[j][0])
    for j, width in enumerate(widths):
        left[j + 1] = max(0, left[j] + width * slopes[j][1])
    losses = [max(pair) for pair in zip(right, left, strict=True)]
    best = losses.index(min(losses))
    return cuts[best], losses[best]


def mean_value(program: Program, corner: Corner, centre: Sequence[Interval], positions: Sequence[int], side: int, bound: int) -> Polynomial:
    """The m term; `centre` are the tape's variables at c, `positions` their monomials. Raises Undefined."""
    arithmetic = program.calculus.arithmetic
    at_centre = list(corner.inputs)
    for (i, _), value in zip(program.variables, centre, strict=True):
        at_centre[i] = value
    wanted = tuple(i for i, _ in program.variables)
    (constant,) = _oriented([program.values(at_centre)[-1]], side)
    total: Polynomial = {(): arithmetic.sub(constant, (bound, bound))}
    slopes = _oriented(program.gradient(program.values(corner.inputs), wanted), side)
    for position, slope in zip(positions, slopes, strict=True):
        old = total.get((position,))
        total[position,] = slope if old is None else arithmetic.add(old, slope)
    return total


def root_form(
    algebra: Algebra,
    program: Program,
    corner: Corner,
    centre: Sequence[Interval],
    positions: Sequence[int],
    side: int,
    bound: int,
    offsets: Sequence[Interval],
) -> Polynomial:
    """The q term; `offsets` are the ranges of d on B. Raises Undefined or Unsupported."""
    one = program.calculus.arithmetic.one
    variables = {
        i: algebra.add(algebra.constant(value), {(position,): (one, one)})
        for (i, _), value, position in zip(program.variables, centre, positions, strict=True)
    }
    sigma, radicand, rest = RootForm(algebra, program, corner.inputs, variables).value()
    if degree(radicand) > DEGREE or degree(rest) > DEGREE:
        raise Unsupported(f"the degree of D or v exceeds {DEGREE}")
    signed = algebra.add(rest if side > 0 else algebra.neg(rest), {(): (-bound, -bound)})
    if sigma == 0:
        return signed
    if sigma * side > 0:
        return algebra.sub(radicand, algebra.square(signed))
    if algebra.least(signed, offsets) < 0:
        raise Unsupported("w >= 0 is not proved")
    return algebra.sub(algebra.square(signed), radicand)
