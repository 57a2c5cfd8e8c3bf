"""Slabs at the ends of a variable's interval that rows refute one after the other: shaving, with its proof.

A slab is narrowed by one row at a time, each cut being confirmed by the row's natural extension, until a row misses
what is allowed over what is left. The proof is this chain of cuts, without those whose bounds nothing later reads: a
cut at a bound reads the bounds of its row's other variables and the bound that it moves, and so does a refutation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.short_numbers import short_inside
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import Floats, forward
from certify.solvers.weights.row_cuts import CUT_BITS, CUT_MARGIN, DOUBT, missing
from certify.solvers.weights.row_tapes import RowTapes

SLABS = np.array((0.1, 0.3, 0.6))  # of a width: the largest is cut off that is refuted as those before are
PASSES = 3  # over all variables
VISITS = 12  # of rows, for each row, in one slab
LONGEST = 8  # cuts of one slab
GAIN = 0.1  # of a width: what a cut within a slab must take
MOST_CUTS, MOST_LINKS = 2**12, 2**16  # of a batch


@njit(cache=True, error_model="numpy")
def _chain(
    starts: np.ndarray, places: np.ndarray, uses: np.ndarray, code: np.ndarray, constants: np.ndarray,
    allowed: np.ndarray, low: np.ndarray, high: np.ndarray, first: int, links: np.ndarray, moved: np.ndarray,
    visited: np.ndarray,
) -> tuple[int, int]:  # fmt: skip
    """Narrow a box (in place), of which variable `first` has changed, until a row refutes it: this row, or -1, and how
    many cuts were written.
    """
    defined, empty, written, now = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_), 0, 1
    moved[:], visited[:] = 0, 0
    moved[first] = 1
    rows, visits = starts.size - 1, 0
    while visits < VISITS * rows:
        some = False
        for k in range(rows):
            latest = 0
            for place in range(uses[k], uses[k + 1]):
                latest = max(latest, moved[places[place]])
            if latest <= visited[k]:
                continue
            now += 1
            visited[k], visits = now, visits + 1
            mine, its = code[starts[k] : starts[k + 1]], constants[starts[k] : starts[k + 1]]
            inputs = uses[k + 1] - uses[k]
            nodes = inputs + mine.shape[0]
            a, b = np.empty((nodes, 1)), np.empty((nodes, 1))
            for i in range(inputs):
                v = places[uses[k] + i]
                a[i, 0], b[i, 0] = low[v], high[v]
            forward(inputs, mine, its, a, b, defined)
            if missing(inputs, mine, a, b, allowed[0, k], allowed[1, k]) > DOUBT:
                return k, written
            a[nodes - 1, 0] = max(a[nodes - 1, 0], allowed[0, k])
            b[nodes - 1, 0] = min(b[nodes - 1, 0], allowed[1, k])
            empty[0] = False
            backward(inputs, mine, a, b, empty)
            if empty[0]:
                continue
            ends = np.empty((inputs, 2))
            for i in range(inputs):
                ends[i, 0], ends[i, 1] = a[i, 0], b[i, 0]
            for i in range(inputs):
                v = places[uses[k] + i]
                for way in range(2):
                    face, width = low[v] if way == 0 else high[v], high[v] - low[v]
                    gone = ends[i, 0] - face if way == 0 else face - ends[i, 1]
                    if not gone > GAIN * width or written >= links.shape[0]:
                        continue
                    at = short_inside(face, ends[i, way], CUT_BITS, CUT_MARGIN)
                    if not low[v] < at < high[v]:
                        continue
                    for other in range(inputs):
                        u = places[uses[k] + other]
                        a[other, 0], b[other, 0] = low[u], high[u]
                    (b if way == 0 else a)[i, 0] = at
                    forward(inputs, mine, its, a, b, defined)
                    if missing(inputs, mine, a, b, allowed[0, k], allowed[1, k]) <= DOUBT:
                        continue
                    (low if way == 0 else high)[v] = at
                    links[written, 0], links[written, 1], links[written, 2], links[written, 3] = v, 1.0 - way, at, k
                    written += 1
                    now += 1
                    moved[v], some = now, True
        if not some:
            break
    return -1, written


@njit(cache=True, error_model="numpy")
def _thinned(places: np.ndarray, uses: np.ndarray, last: int, links: np.ndarray, count: int, read: np.ndarray) -> int:
    """Keep the cuts (in place) whose bounds something later reads; how many these are."""
    read[:] = False
    for place in range(uses[last], uses[last + 1]):
        read[0, places[place]], read[1, places[place]] = True, True
    kept = np.zeros(count, dtype=np.bool_)
    for number in range(count - 1, -1, -1):
        v, way, k = int(links[number, 0]), 0 if links[number, 1] > 0.0 else 1, int(links[number, 3])
        if read[way, v]:
            kept[number] = True
            for place in range(uses[k], uses[k + 1]):
                if places[place] != v:
                    read[0, places[place]], read[1, places[place]] = True, True
    left = 0
    for number in range(count):
        if kept[number]:
            links[left] = links[number]
            left += 1
    return left


@njit(cache=True, error_model="numpy", nogil=True)
def _shave(
    starts: np.ndarray, places: np.ndarray, uses: np.ndarray, code: np.ndarray, constants: np.ndarray,
    allowed: np.ndarray, low: np.ndarray, high: np.ndarray, zero_low: np.ndarray, zero_high: np.ndarray,
    worthwhile: float, thinnest: float, cuts: np.ndarray, links: np.ndarray,
) -> int:  # fmt: skip
    """Shave boxes (batch first, in place). A cut: box, variable, whether at the lower face, where, the row that refutes
    what its chain leaves, where this begins, and ends.
    """
    n = low.shape[1]
    moved, visited = np.empty(n, dtype=np.int64), np.empty(starts.size - 1, dtype=np.int64)
    read, tried, written, linked = np.empty((2, n), dtype=np.bool_), np.empty((LONGEST, 4)), 0, 0
    for box in range(low.shape[0]):
        begun, begun_links, gained = written, linked, 0.0
        for _ in range(PASSES):
            before = gained
            for v in range(n):
                for way in range(2):
                    width, face = high[box, v] - low[box, v], low[box, v] if way == 0 else high[box, v]
                    if not thinnest * max(1.0, abs(face)) < width < np.inf or written >= cuts.shape[0]:
                        continue
                    most = np.inf
                    for z in range(zero_low.shape[0]):
                        inside = True
                        for u in range(n):
                            if zero_low[z, u] > high[box, u] or zero_high[z, u] < low[box, u]:
                                inside = False
                                break
                        if inside:
                            most = min(most, zero_low[z, v] - face if way == 0 else face - zero_high[z, v])
                    row, count, reached, used = -1, 0, face, links[linked:]
                    for share in SLABS:
                        wanted = face + min(share * width, most) * (1.0 if way == 0 else -1.0)
                        at = wanted if share * width >= most else short_inside(face, wanted, CUT_BITS, 0.0)
                        if at == reached or not low[box, v] < at < high[box, v]:
                            break
                        a, b = low[box].copy(), high[box].copy()
                        (b if way == 0 else a)[v] = at
                        found, length = _chain(starts, places, uses, code, constants, allowed, a, b, v, tried, moved,
                                               visited)  # fmt: skip
                        if found < 0:
                            break
                        length = _thinned(places, uses, found, tried, length, read)
                        if length > used.shape[0]:
                            break
                        row, count, reached = found, length, at
                        used[:count] = tried[:count]
                    if row >= 0:
                        (low if way == 0 else high)[box, v] = reached
                        cuts[written, 0], cuts[written, 1], cuts[written, 2] = box, v, 1.0 - way
                        cuts[written, 3], cuts[written, 4] = reached, row
                        cuts[written, 5], cuts[written, 6] = linked, linked + count
                        written, linked = written + 1, linked + count
                        gained -= math.log2((high[box, v] - low[box, v]) / width)
            if gained - before < worthwhile:
                break
        if gained < worthwhile:
            written, linked = begun, begun_links
    return written


@dataclass(frozen=True, slots=True)
class Shaved:
    """A slab of a box that is refuted: its variable, whether it is at the lower face, where it ends, the cuts
    (variable, whether at the lower face, where, row) that narrow it, and the row that refutes the rest.
    """

    box: int
    variable: int
    below: bool
    at: float
    links: list[tuple[int, bool, float, int]]
    row: int


def shave(
    rows: RowTapes, low: Floats, high: Floats, zeros: tuple[Floats, Floats], worthwhile: float, thinnest: float
) -> list[Shaved]:
    """Slabs of boxes (variable, batch), in order: of those boxes that lose so many halvings of their volume. What is
    thinner than `thinnest` of its ends is left alone, and so are the boxes of zeros.
    """
    require_nearest()
    cuts, links = np.empty((MOST_CUTS, 7)), np.empty((MOST_LINKS, 4))
    written = _shave(rows.starts, rows.places, rows.uses, rows.code, rows.constants, rows.allowed, low.T.copy(),
                     high.T.copy(), *zeros, worthwhile, thinnest, cuts, links)  # fmt: skip
    found = []
    for box, v, below, at, row, begin, end in cuts[:written].tolist():
        chain = [(int(u), bool(way), where, int(k)) for u, way, where, k in links[int(begin) : int(end)].tolist()]
        found.append(Shaved(int(box), int(v), bool(below), at, chain, int(row)))
    return found
