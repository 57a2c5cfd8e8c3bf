"""Rows of point measurement, and their two polynomial forms (specification, section 7).

At x in S(level): s r(x, M) <= level for some M in the row's box. Measurement lemma: if for every x in B and every M
there is an h in H with s r(x, h) <= s r(x, M) + slack, then s r(x, h) <= e = level + slack for some h in H. `narrow`
finds H and slack; `mean_value`, `taylor` and `root_form` give a polynomial in d = x - c of which a selection is <= 0 at (x, h):

    m:  s r(c, H) - e + sum s dr/dx_j(B, H) d_j
    t:  s r(c, H) - e + sum s dr/dx_j(c, H) d_j + sum s/2 d^2r/dx_i dx_j(B, H) d_i d_j
    q:  r = sigma sqrt(D) + v;  t = s sigma, u = s v, so that t sqrt(D) + u <= e
        t =  0:  u - e
        t = +1:  sqrt(D) <= e - u            =>  D - (e - u)^2
        t = -1:  sqrt(D) >= u - e =: w >= 0  =>  w^2 - D,  w >= 0 proved on B

With the sum of squares all measurements are exact, e = 0, and a selection P has |P| <= |r|. m and t are r itself; q is, since
D - v^2 = r (r - 2 v) and |r| <= sqrt(level),  s (D - v^2) / h  with  h >= sqrt(level) + 2 |v|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .interval import Interval, Undefined
from .jet import Jets
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


@dataclass(frozen=True, slots=True)
class Expansion:
    """Where rows are expanded: the variables of the tape at c, how they move with d, and the ranges of d on B."""

    centre: tuple[Interval, ...]
    moves: tuple[Polynomial, ...]
    offsets: tuple[Interval, ...]


def mean_value(algebra: Algebra, program: Program, corner: Corner, expansion: Expansion, side: int, bound: int) -> Polynomial:
    """The m term. Raises Undefined."""
    constant = program.values(_at_centre(program, corner, expansion))[-1]
    slopes = program.gradient(program.values(corner.inputs), _wanted(program))
    return _oriented_sum(algebra, constant, _linear(algebra, slopes, expansion), side, bound)


def taylor(algebra: Algebra, program: Program, corner: Corner, expansion: Expansion, side: int, bound: int) -> Polynomial:
    """The t term. Raises Undefined."""
    values = program.values(_at_centre(program, corner, expansion))
    linear = _linear(algebra, program.gradient(values, _wanted(program)), expansion)
    jet = Jets(algebra, program).row(corner.inputs, values, dict(zip(_wanted(program), expansion.moves, strict=True)), expansion.offsets)
    return _oriented_sum(algebra, values[-1], algebra.add(linear, jet.square), side, bound)


def _wanted(program: Program) -> tuple[int, ...]:
    return tuple(i for i, _ in program.variables)


def _at_centre(program: Program, corner: Corner, expansion: Expansion) -> list[Interval]:
    inputs = list(corner.inputs)
    for i, value in zip(_wanted(program), expansion.centre, strict=True):
        inputs[i] = value
    return inputs


def _linear(algebra: Algebra, slopes: Sequence[Interval], expansion: Expansion) -> Polynomial:
    total: Polynomial = {}
    for slope, move in zip(slopes, expansion.moves, strict=True):
        total = algebra.add(total, algebra.scale(move, slope))
    return total


def _oriented_sum(algebra: Algebra, constant: Interval, rest: Polynomial, side: int, bound: int) -> Polynomial:
    """side (constant + rest) - bound."""
    total = algebra.add({(): constant}, rest)
    return algebra.add(total if side > 0 else algebra.neg(total), {(): (-bound, -bound)})


def root_form(algebra: Algebra, program: Program, corner: Corner, expansion: Expansion, side: int, bound: int) -> Polynomial:
    """The q term. Raises Undefined or Unsupported."""
    sigma, radicand, rest = _root_form(algebra, program, corner, expansion)
    signed = algebra.add(rest if side > 0 else algebra.neg(rest), {(): (-bound, -bound)})
    if sigma == 0:
        return signed
    if sigma * side > 0:
        return algebra.sub(radicand, algebra.square(signed))
    if algebra.least(signed, expansion.offsets) < 0:
        raise Unsupported("w >= 0 is not proved")
    return algebra.sub(algebra.square(signed), radicand)


def squared_form(algebra: Algebra, program: Program, corner: Corner, expansion: Expansion, side: int, root: int) -> Polynomial:
    """The q term of a sum of squares; no |r| exceeds `root`. Raises Undefined or Unsupported."""
    sigma, radicand, rest = _root_form(algebra, program, corner, expansion)
    found = rest
    if sigma:
        largest = max(-algebra.least(rest, expansion.offsets), -algebra.least(algebra.neg(rest), expansion.offsets))
        divisor = root + 2 * largest
        found = algebra.divide(algebra.sub(radicand, algebra.square(rest)), (divisor, divisor))
    return found if side > 0 else algebra.neg(found)


def _root_form(algebra: Algebra, program: Program, corner: Corner, expansion: Expansion) -> tuple[int, Polynomial, Polynomial]:
    """r = sigma sqrt(D) + v."""
    variables = {
        i: algebra.add(algebra.constant(value), move)
        for i, value, move in zip(_wanted(program), expansion.centre, expansion.moves, strict=True)
    }
    sigma, radicand, rest = RootForm(algebra, program, corner.inputs, variables).value()
    if degree(radicand) > DEGREE or degree(rest) > DEGREE:
        raise Unsupported(f"the degree of D or v exceeds {DEGREE}")
    return sigma, radicand, rest
