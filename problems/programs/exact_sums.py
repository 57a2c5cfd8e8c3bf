"""Sums of products of doubles, enclosed between neighbouring doubles: rows of a sparse matrix times a vector.

    TwoProduct    a b = p + e exactly (Dekker), for |a|, |b| < 2^990 and |p| > 2^-960, or a b = 0
    fsum          the sum of doubles, rounded once (Shewchuk; `math.fsum`)

So the sum of all p and e, rounded once, has the right sign, and it is 0 only where the exact sum is. Its neighbours
enclose the exact sum. A product nearer to 0 than 2^-960 has an error below 2^-1060, and widens the ends by `TINY`; what
is too large for the splitting is unbounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from certify.contractors.numbers.double_double import two_product

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]

_two_product: Callable[[Any, Any], Any] = two_product.py_func  # the same operations, on arrays
TINY = 2.0**-950  # more than the errors of 2^100 products that underflow
LARGEST = 2.0**990
FEW = 64  # terms of which it is asked whether their sum is a double
AT_ONCE = 2**22  # terms of long sums that are added at once


def products(a: Floats, b: Floats) -> tuple[Floats, Floats, bool]:
    """p and e, and whether p + e = a b exactly for all of them."""
    with np.errstate(all="ignore"):
        p, e = _two_product(a, b)
        small = (np.abs(p) < 2.0**-960) & (a != 0.0) & (b != 0.0)
        large = ~((np.abs(a) < LARGEST) & (np.abs(b) < LARGEST) & (np.abs(p) < 2.0**1020))
    return np.where(large, np.inf, p), np.where(small | large, 0.0, e), not small.any()


def rounded_sum(terms: Sequence[float]) -> tuple[float, float]:
    """Neighbouring doubles around an exact sum; of few terms the sum itself, twice, if it is a double."""
    try:
        total = math.fsum(terms)
    except (OverflowError, ValueError):
        return -math.inf, math.inf
    if not math.isfinite(total):
        return -math.inf, math.inf
    if not total or (len(terms) <= FEW and math.fsum([*terms, -total]) == 0.0):
        return total, total
    return math.nextafter(total, -math.inf), math.nextafter(total, math.inf)


def times(matrix: sparse.csr_array, x: Floats, added: Floats | None = None) -> Ends:
    """Enclosures of matrix x + added, row by row."""
    p, e, is_exact = products(matrix.data, x[matrix.indices])
    further = np.zeros(matrix.shape[0]) if added is None else added
    low, high = np.full(matrix.shape[0], np.nan), np.full(matrix.shape[0], np.nan)
    counts = np.diff(matrix.indptr)
    for power in np.unique(np.frexp(counts[counts > FEW])[1]).tolist():
        rows = np.flatnonzero((counts > FEW) & (np.frexp(counts)[1] == power))
        for part in np.array_split(rows, -(-(rows.size << power) // AT_ONCE)):
            low[part], high[part] = _long_sums(matrix.indptr[part], counts[part], p, e, further[part])
    left = np.flatnonzero(np.isnan(low))
    if left.size:
        first, second = p.tolist(), e.tolist()
    for i in left.tolist():
        start, end = matrix.indptr[i], matrix.indptr[i + 1]
        low[i], high[i] = rounded_sum([*first[start:end], *second[start:end], float(further[i])])
    return (low, high) if is_exact else _further(low, high)


def _long_sums(starts: NDArray[Any], counts: NDArray[Any], p: Floats, e: Floats, added: Floats) -> Ends:
    """Enclosures of the sums of p, e and what is added, of rows that are about as long; nan where they are not close.

    Pairs of p are added with their errors (Knuth), these and e as they come: k terms err by k eps of their sizes.
    """
    length = 1 << int(counts.max()).bit_length()
    inside = np.arange(length) < counts[:, None]
    places = np.where(inside, starts[:, None] + np.arange(length), 0)
    with np.errstate(all="ignore"):
        table, rest = np.where(inside, p[places], 0.0), np.where(inside, e[places], 0.0)
        table[np.arange(len(counts)), counts] = added
        total, size, terms = rest.sum(axis=1), np.abs(rest).sum(axis=1), 2 * length
        while table.shape[1] > 1:
            half = table.shape[1] // 2
            a, b = table[:, :half], table[:, half:]
            table = a + b
            other = table - a
            error = (a - (table - other)) + (b - other)
            total, size = total + error.sum(axis=1), size + np.abs(error).sum(axis=1)
        value, bound = table[:, 0] + total, 2.0**-52 * (terms + 8) * size
        low = np.nextafter(np.nextafter(value, -np.inf) - bound, -np.inf)
        high = np.nextafter(np.nextafter(value, np.inf) + bound, np.inf)
        close = np.isfinite(low) & np.isfinite(high) & ((size == 0.0) | (np.abs(value) > 4.0 * bound))
    return np.where(close, np.where(size == 0.0, value, low), np.nan), np.where(
        close, np.where(size == 0.0, value, high), np.nan
    )


def _further(low: Any, high: Any) -> Any:
    """The ends moved apart by what underflow may do."""
    return np.nextafter(low - TINY, -np.inf), np.nextafter(high + TINY, np.inf)


def inner(x: Floats, y: Floats, added: float = 0.0) -> tuple[float, float]:
    """An enclosure of x . y + added."""
    p, e, is_exact = products(x, y)
    low, high = rounded_sum([*p.tolist(), *e.tolist(), added])
    return (low, high) if is_exact else _further(low, high)


def above(value: float) -> float:
    """The next double."""
    return math.nextafter(value, math.inf)


def below(value: float) -> float:
    """The double before."""
    return math.nextafter(value, -math.inf)


def widened(ends: Ends, radius: Floats) -> Ends:
    """The ends moved apart by a radius, outwards."""
    with np.errstate(invalid="ignore"):
        low, high = np.nextafter(ends[0] - radius, -np.inf), np.nextafter(ends[1] + radius, np.inf)
    still = radius == 0.0
    return np.where(still, ends[0], low), np.where(still, ends[1], high)


def spread(matrix: sparse.csr_array, radius: Floats) -> Floats:
    """An upper bound of |matrix| radius, row by row."""
    if not radius.any():
        return np.zeros(matrix.shape[0])
    size = abs(matrix) @ radius
    touched = (matrix != 0).astype(np.float64) @ (radius != 0.0).astype(np.float64) > 0.0
    most = int(np.diff(matrix.indptr).max(initial=0))
    bound = np.where(touched, size * (1.0 + (most + 4) * 2.0**-52) + TINY, 0.0)
    return np.asarray(np.where(np.isnan(size), np.inf, bound))
