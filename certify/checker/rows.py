"""Rows of point measurement, and their two polynomial forms (specification, section 7).

At x in S(level): s r(x, M) <= level for some M in the row's box. Measurement lemma: if for every x in B and every M
there is an h in H with s r(x, h) <= s r(x, M) + slack, then s r(x, h) <= e = level + slack for some h in H. `narrow`
finds H and slack; `mean_value`, `taylor` and `root_form` give a polynomial in d = x - c of which a selection is <= 0 at
(x, h):

    m:  s r(c, H) - e + sum s dr/dx_j(B, H) d_j
    t:  s r(c, H) - e + sum s dr/dx_j(c, H) d_j + sum s/2 d^2r/dx_i dx_j(B, H) d_i d_j
    q:  r = sigma sqrt(D) + v;  t = s sigma, u = s v, so that t sqrt(D) + u <= e
        t =  0:  u - e
        t = +1:  sqrt(D) <= e - u            =>  D - (e - u)^2
        t = -1:  sqrt(D) >= u - e =: w >= 0  =>  w^2 - D,  w >= 0 proved on B

With the sum of squares all measurements are exact, e = 0, and a selection P has |P| <= |r|. m and t are r itself; q is,
since D - v^2 = r (r - 2 v) and |r| <= sqrt(level),  s (D - v^2) / h  with  h >= sqrt(level) + 2 |v|.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .interval import Interval, Undefined
from .jet import Jets
from .outcome import Clock, require
from .polynomial import Algebra, Polynomial, RootForm
from .tape import Program


@dataclass(frozen=True, slots=True)
class Corner:
    """H, as the inputs of the tape (variables on B), and the slack."""

    inputs: tuple[Interval, ...]
    slack: int


def narrow(
    program: Program, inputs: Sequence[Interval], movable: Sequence[int], side: int, cells: int, clock: Clock
) -> Corner:
    """Steps 1 and 2: measurements in which s r is monotone go to the end where it is least; the others to step 3."""
    box, remaining = list(inputs), tuple(movable)
    try:
        while remaining:
            slopes = dict(zip(remaining, _slopes(program, box, remaining, side, clock), strict=True))
            ends = {
                i: box[i][0] if low >= 0 else box[i][1] for i, (low, high) in slopes.items() if low >= 0 or high <= 0
            }
            if not ends:
                return _shift(program, box, slopes, side, cells, clock)
            for i, end in ends.items():
                box[i] = end, end
            remaining = tuple(i for i in remaining if i not in ends)
    except Undefined:
        pass
    return Corner(tuple(box), 0)


def _shift(
    program: Program, box: Sequence[Interval], slopes: Mapping[int, Interval], side: int, cells: int, clock: Clock
) -> Corner:
    """Step 3: each remaining measurement goes to the cell boundary with the least slack. Raises Undefined.

    In a table r is linear in each measurement: its slope on a cell is that on the whole.
    """
    shifted, slack, same = list(box), 0, cells == 1 or program.tape.name == ""
    for i, slope in slopes.items():
        low, high = box[i]
        cuts = [low + (high - low) * j // cells for j in range(cells + 1)]
        parts = () if same else ((*box[:i], cell, *box[i + 1 :]) for cell in pairwise(cuts))
        found = [slope] * cells if same else [_slopes(program, part, (i,), side, clock)[0] for part in parts]
        cut, loss = least_slack(cuts, found)
        shifted[i], slack = (cut, cut), slack + loss
    return Corner(tuple(shifted), -(-slack >> program.calculus.arithmetic.precision))


def _slopes(
    program: Program, box: Sequence[Interval], wanted: tuple[int, ...], side: int, clock: Clock
) -> list[Interval]:
    """s dr/dM_i on a box. Raises Undefined."""
    clock.check()
    slopes = program.gradient(program.values(box), wanted)
    return slopes if side > 0 else [(-high, -low) for low, high in slopes]


def least_slack(cuts: Sequence[int], slopes: Sequence[Interval]) -> tuple[int, int]:
    """The boundary from which s r can decrease least, and that decrease (at twice the precision).

    Cell j has width w and slopes in [a, b]: to the right s r falls by at most -w a over it, to the left by w b, and by
    no more than max(0, that) within it. So right_j = max(0, right_(j+1) - w a), left_(j+1) = max(0, left_j + w b).
    """
    cells = [(end - start, slope) for (start, end), slope in zip(pairwise(cuts), slopes, strict=True)]
    right, left = [0], [0]
    for width, (low, _) in reversed(cells):
        right.append(max(0, right[-1] - width * low))
    for width, (_, high) in cells:
        left.append(max(0, left[-1] + width * high))
    losses = [max(pair) for pair in zip(reversed(right), left, strict=True)]
    best = losses.index(min(losses))
    return cuts[best], losses[best]


@dataclass(frozen=True, slots=True)
class Row:
    """A row on B x H, from one side: its variables (by input) at c, how they move with d, and the ranges of d on B."""

    algebra: Algebra
    program: Program
    corner: Corner
    side: int
    centre: Mapping[int, Interval]
    moves: Mapping[int, Polynomial]
    offsets: tuple[Interval, ...]

    def term(self, form: str, bound: int, root: int | None = None) -> Polynomial:
        """The term of a form; for a sum of squares no |r| exceeds `root`, and `bound` is 0. Raises Rejection."""
        if form != "q":
            return self._oriented(self._expanded(form), bound)
        algebra = self.algebra
        variables = {i: algebra.add(algebra.constant(self.centre[i]), move) for i, move in self.moves.items()}
        sigma, radicand, rest = RootForm(algebra, self.program, self.corner.inputs, variables).value()
        if sigma and root is not None:
            height = root + 2 * max(-self._least(rest), -self._least(algebra.neg(rest)))
            return self._oriented(algebra.divide(algebra.sub(radicand, algebra.square(rest)), (height, height)), 0)
        signed = self._oriented(rest, bound)
        if not sigma:
            return signed
        difference = algebra.sub(radicand, algebra.square(signed))
        if sigma * self.side > 0:
            return difference
        require(self._least(signed) >= 0, "aggregate", "w >= 0 is not proved")
        return algebra.neg(difference)

    def _oriented(self, p: Polynomial, bound: int) -> Polynomial:
        """side p - bound."""
        return self.algebra.add(p if self.side > 0 else self.algebra.neg(p), {(): (-bound, -bound)})

    def _least(self, p: Polynomial) -> int:
        """A lower bound on B."""
        return self.algebra.least(p, self.offsets) >> self.program.calculus.arithmetic.precision

    def _expanded(self, form: str) -> Polynomial:
        """r about c, of first order (m: slopes on B) or of second order (t: slopes at c)."""
        algebra, program, inputs, wanted = self.algebra, self.program, self.corner.inputs, tuple(self.moves)
        values = program.values([self.centre.get(i, value) for i, value in enumerate(inputs)])
        total: Polynomial = {(): values[-1]}
        if form == "m":
            slopes = program.gradient(program.values(inputs), wanted)
        else:
            slopes = program.gradient(values, wanted)
            total = algebra.add(total, Jets(algebra, program).row(inputs, values, self.moves, self.offsets).square)
        for slope, move in zip(slopes, self.moves.values(), strict=True):
            total = algebra.add(total, algebra.scale(move, slope))
        return total
