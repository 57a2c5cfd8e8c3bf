"""The least sum of squares of all functions that are monotone on at most so many runs of x, in whole numbers.

A function with at most `breaks` points between which it rises or falls parts the ordered x into breaks + 1 runs, on
each of which its values are monotone. The least sum of squares of monotone values on a run is that of the means of
pooled blocks (isotonic regression: neighbours whose means are not in order are pooled), and the best parting is found
from run to run. Sums of squares are rounded down.
"""

from __future__ import annotations

from fractions import Fraction

from certify.solvers.limits import Limit
from certify.solvers.shapes.grouped import Groups

BITS = 48  # of what a block's sum of squares is rounded down to, below its unit
CHUNK = 400  # different x that are looked at together; each of several chunks has as many breaks
Block = tuple[int, int, int, int]  # W, the sums of V Y and of V Y^2, and the sums of squares of all blocks up to it


def monotone_sum(groups: Groups, breaks: int, limit: Limit) -> Fraction:
    """What the sum of squares of such a function is not below."""
    total = 0
    for first in range(0, groups.count, CHUNK):
        total += _least(groups.part(first, first + CHUNK), breaks, limit)
    return groups.unit * Fraction(total, 2**BITS)


def _least(groups: Groups, breaks: int, limit: Limit) -> int:
    """For each number of runs the least sum of those that end before each x, from that with one run less."""
    n, costs = groups.count, []
    for first in range(groups.count):
        limit.check()
        up, down = (_pooled(groups, first, sign) for sign in (1, -1))
        costs.append([min(a, b) for a, b in zip(up, down, strict=True)])  # of the run from first to first + k
    best = [0, *costs[0]]  # of the first k of them
    for _ in range(min(breaks, n - 1)):
        limit.check()
        best = [0, *(min(best[first] + costs[first][end - first] for first in range(end + 1)) for end in range(n))]
    return best[n]


def _pooled(groups: Groups, first: int, sign: int) -> list[int]:
    """The least sums of squares of rising (sign 1) or falling values on the runs that begin at one x."""
    blocks: list[Block] = []
    found = []
    for k in range(first, groups.count):
        w, s, q = groups.weights[k], sign * groups.sums[k], groups.squares[k]
        while blocks and blocks[-1][1] * w >= s * blocks[-1][0]:
            last = blocks.pop()
            w, s, q = w + last[0], s + last[1], q + last[2]
        own = ((q * w - s * s) << BITS) // w
        blocks.append((w, s, q, own + (blocks[-1][3] if blocks else 0)))
        found.append(blocks[-1][3])
    return found
