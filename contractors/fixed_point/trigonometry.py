"""Sine and cosine of `certify.checker.elementary`, bit for bit; what was asked last is remembered.

`quarter` holds pi/2, rounded down and up, with `GUARD` bits more than the precision.
"""

from __future__ import annotations

import numpy as np

from certify.contractors.fixed_point.intervals import (
    TOO_LARGE,
    floor_product,
    floor_quotient,
    inner_njit,
    larger,
    negative,
    raised,
    smaller,
)
from certify.contractors.fixed_point.wide import Wide, add, equal, left, less, load, right, single, store, sub, wide

GUARD = 80
QUARTERS = 2**40  # an angle of more of them is left to the checker
WAYS = 4  # intervals that are remembered of one operand
ENTRIES = 24  # of one of them: the operand's ends, those of its sine and of its cosine
HALF_LIMBS = 8


@inner_njit
def _small_quotient(a: Wide, divisor: int) -> Wide:
    """a / divisor, rounded down, for 0 < divisor < 2^31: long division by halves of limbs."""
    below = less(a, wide(0))
    rest, found = np.int64(0), wide(0)
    size = add(negative(a), wide(divisor - 1)) if below else a
    for k in range(HALF_LIMBS - 1, -1, -1):
        rest = (rest << 32) + (single(right(size, 32 * k)) & 0xFFFFFFFF)
        found = add(left(found, 32), wide(rest // divisor))
        rest %= divisor
    return negative(found) if below else found


@inner_njit
def _taylor(y: Wide, bits: int, failed: np.ndarray) -> tuple[Wide, Wide, Wide]:
    """sin and cos of y 2^-bits, and by how much they are off at most."""
    s0, s1, s2, s3 = wide(0), wide(0), wide(0), wide(0)
    term, order, one = left(wide(1), bits), 0, wide(1)
    while less(one, term) or less(term, negative(one)):
        part = order % 4
        if part == 0:
            s0 = add(s0, term)
        elif part == 1:
            s1 = add(s1, term)
        elif part == 2:
            s2 = add(s2, term)
        else:
            s3 = add(s3, term)
        order += 1
        term = _small_quotient(floor_product(term, y, bits, failed), order)
    return sub(s1, s3), sub(s0, s2), order + 2


@inner_njit
def _narrowed(value: Wide, error: Wide, one: Wide) -> tuple[Wide, Wide]:
    """The value and its error without guard bits, within +-1."""
    low = right(sub(value, error), GUARD)
    high = negative(right(negative(add(value, error)), GUARD))
    return larger(negative(one), low), smaller(one, high)


@inner_njit
def _point(x: Wide, quarter: np.ndarray, bits: int, failed: np.ndarray) -> tuple[Wide, Wide, Wide, Wide]:
    """Sine and cosine of one number of the grid."""
    low, high, one = load(quarter, 0), load(quarter, 4), left(wide(1), bits)
    raised_x = raised(x, GUARD, failed)
    k = floor_quotient(add(add(raised_x, raised_x), low), add(low, low))
    turns = single(k)
    if failed[0] or not equal(k, wide(turns)) or abs(turns) > QUARTERS:
        failed[0] = TOO_LARGE
        return x, x, x, x
    sine, cosine, steps = _taylor(sub(raised_x, floor_product(k, low, 0, failed)), bits + GUARD, failed)
    for _ in range(turns % 4):
        sine, cosine = cosine, negative(sine)
    error = add(wide(steps), floor_product(wide(abs(turns)), sub(high, low), 0, failed))
    sine_low, sine_high = _narrowed(sine, error, one)
    cosine_low, cosine_high = _narrowed(cosine, error, one)
    return sine_low, sine_high, cosine_low, cosine_high


@inner_njit
def _enclosed(al: Wide, ah: Wide, quarter: np.ndarray, bits: int, failed: np.ndarray) -> tuple[Wide, Wide, Wide, Wide]:
    """The hull of the values at the ends and at the multiples of pi/2 between them."""
    low, high, one = load(quarter, 0), load(quarter, 4), left(wide(1), bits)
    sl, sh, cl, ch = _point(al, quarter, bits, failed)
    if not equal(al, ah):
        a, b, c, d = _point(ah, quarter, bits, failed)
        sl, sh, cl, ch = smaller(sl, a), larger(sh, b), smaller(cl, c), larger(ch, d)
    if failed[0]:
        return sl, sh, cl, ch
    begin, end = raised(al, GUARD, failed), raised(ah, GUARD, failed)
    first = single(smaller(floor_quotient(begin, low), floor_quotient(begin, high))) + 1
    last = single(larger(floor_quotient(end, low), floor_quotient(end, high)))
    for k in range(first, min(last, first + 3) + 1):
        part = k % 4
        sine = one if part == 1 else negative(one) if part == 3 else wide(0)
        cosine = one if part == 0 else negative(one) if part == 2 else wide(0)
        sl, sh, cl, ch = smaller(sl, sine), larger(sh, sine), smaller(cl, cosine), larger(ch, cosine)
    return sl, sh, cl, ch


@inner_njit
def sine_and_cosine(
    al: Wide, ah: Wide, quarter: np.ndarray, bits: int, memory: np.ndarray, place: int, failed: np.ndarray
) -> tuple[Wide, Wide, Wide, Wide]:
    """The ends of both; `memory` holds WAYS intervals from `place` on, the oldest of which is forgotten, and behind
    them how many were written.
    """
    count = memory[place + WAYS * ENTRIES]
    for way in range(min(count, WAYS)):
        at = place + way * ENTRIES
        if equal(load(memory, at), al) and equal(load(memory, at + 4), ah):
            return load(memory, at + 8), load(memory, at + 12), load(memory, at + 16), load(memory, at + 20)
    sl, sh, cl, ch = _enclosed(al, ah, quarter, bits, failed)
    if not failed[0]:
        at = place + (count % WAYS) * ENTRIES
        store(memory, at, al)
        store(memory, at + 4, ah)
        store(memory, at + 8, sl)
        store(memory, at + 12, sh)
        store(memory, at + 16, cl)
        store(memory, at + 20, ch)
        memory[place + WAYS * ENTRIES] = count + 1
    return sl, sh, cl, ch
