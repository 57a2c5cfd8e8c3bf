"""The operations of `certify.checker.interval` on pairs of wide integers, bit for bit.

What they cannot do sets `failed[0]`, and the result is meaningless: UNDEFINED is so in the checker, too; of what is
TOO_LARGE, beyond 2^250, the checker is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit

from certify.contractors.fixed_point.wide import (
    Wide,
    add,
    equal,
    fits,
    fits_product,
    halved,
    left,
    less,
    negative_product,
    product,
    right,
    right_product,
    short,
    short_product,
    sub,
    truncated,
    wide,
)

TOO_LARGE, UNDEFINED = 1, 2
SPARE = 4  # bits by which a product of short numbers may be too large
Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def inner_njit(function: Kernel) -> Kernel:
    """Compiled into those who call it, never called by Python, which has no such numbers."""
    options: Any = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled: Kernel = njit(**options)(function)
    return compiled


@inner_njit
def negative(a: Wide) -> Wide:
    """-a"""
    return sub(wide(0), a)


@inner_njit
def smaller(a: Wide, b: Wide) -> Wide:
    """The smaller one."""
    return b if less(b, a) else a


@inner_njit
def larger(a: Wide, b: Wide) -> Wide:
    """The larger one."""
    return b if less(a, b) else a


@inner_njit
def checked(low: Wide, high: Wide, failed: np.ndarray) -> tuple[Wide, Wide]:
    """The pair, if it fits."""
    if not (fits(low) and fits(high)):
        failed[0] = TOO_LARGE
    return low, high


@inner_njit
def floor_product(a: Wide, b: Wide, bits: int, failed: np.ndarray) -> Wide:
    """a b / 2^bits, rounded down."""
    if bits >= SPARE and short(a) and short(b):
        return right(short_product(a, b), bits)
    found = right_product(product(a, b), bits)
    if not fits_product(found):
        failed[0] = TOO_LARGE
    return halved(found)


@inner_njit
def ceiling_product(a: Wide, b: Wide, bits: int, failed: np.ndarray) -> Wide:
    """a b / 2^bits, rounded up."""
    if bits >= SPARE and short(a) and short(b):
        return negative(right(negative(short_product(a, b)), bits))
    found = right_product(negative_product(product(a, b)), bits)
    if not fits_product(found):
        failed[0] = TOO_LARGE
    return negative(halved(found))


@inner_njit
def floor_quotient(a: Wide, b: Wide) -> Wide:
    """a / b, rounded down; b > 0."""
    found = truncated(a, b)
    rest = sub(a, halved(product(found, b)))
    return sub(found, wide(1)) if less(rest, wide(0)) else found


@inner_njit
def add_intervals(al: Wide, ah: Wide, bl: Wide, bh: Wide, failed: np.ndarray) -> tuple[Wide, Wide]:
    """a + b"""
    return checked(add(al, bl), add(ah, bh), failed)


@inner_njit
def multiply(al: Wide, ah: Wide, bl: Wide, bh: Wide, bits: int, failed: np.ndarray) -> tuple[Wide, Wide]:
    """a b by the nine cases of signs: which two ends make the least product, and which the greatest."""
    zero = wide(0)
    mixed = less(al, zero) and less(zero, ah) and less(bl, zero) and less(zero, bh)
    if not less(al, zero):
        x, y = ah if less(bl, zero) else al, bl
        z, w = ah if less(zero, bh) else al, bh
    elif not less(zero, ah):
        x, y = al if less(zero, bh) else ah, bh
        z, w = al if less(bl, zero) else ah, bl
    elif not less(bl, zero):
        x, y, z, w = al, bh, ah, bh
    else:
        x, y, z, w = ah, bl, al, bl
    low, high = floor_product(x, y, bits, failed), ceiling_product(z, w, bits, failed)
    if mixed:
        low = smaller(low, floor_product(al, bh, bits, failed))
        high = larger(high, ceiling_product(ah, bh, bits, failed))
    return low, high


@inner_njit
def square(al: Wide, ah: Wide, bits: int, failed: np.ndarray) -> tuple[Wide, Wide]:
    """a^2"""
    near, far = al, ah
    if less(add(al, ah), wide(0)):
        near, far = negative(ah), negative(al)
    low = floor_product(near, near, bits, failed) if less(wide(0), near) else wide(0)
    return low, ceiling_product(far, far, bits, failed)


@inner_njit
def raised(a: Wide, bits: int, failed: np.ndarray) -> Wide:
    """a 2^bits, if that fits."""
    if not fits(left(a, bits)) or not equal(right(left(a, bits), bits), a):
        failed[0] = TOO_LARGE
    return left(a, bits)


@inner_njit
def divide(al: Wide, ah: Wide, bl: Wide, bh: Wide, bits: int, failed: np.ndarray) -> tuple[Wide, Wide]:
    """a / b; failed if b contains 0."""
    zero = wide(0)
    if not less(zero, bl) and not less(bh, zero):
        failed[0] = UNDEFINED
        return zero, zero
    if less(bh, zero):
        al, ah, bl, bh = negative(ah), negative(al), negative(bh), negative(bl)
    low = floor_quotient(raised(al, bits, failed), bl if less(al, zero) else bh)
    high = negative(floor_quotient(raised(negative(ah), bits, failed), bh if less(ah, zero) else bl))
    return checked(low, high, failed)


@inner_njit
def _floor_root(a: Wide) -> tuple[Wide, Wide]:
    """The largest integer whose square is at most a >= 0, digit by digit."""
    root, bit = wide(0), left(wide(1), 248)
    while less(a, bit):
        bit = right(bit, 2)
    while less(wide(0), bit):
        if less(a, add(root, bit)):
            root = right(root, 1)
        else:
            a = sub(a, add(root, bit))
            root = add(right(root, 1), bit)
        bit = right(bit, 2)
    return root, a


@inner_njit
def root(al: Wide, ah: Wide, bits: int, failed: np.ndarray) -> tuple[Wide, Wide]:
    """The square root; failed if it reaches below 0."""
    if less(al, wide(0)):
        failed[0] = UNDEFINED
        return al, ah
    low, high = raised(al, bits, failed), raised(ah, bits, failed)
    if failed[0]:
        return al, ah
    below, _ = _floor_root(low)
    above, rest = _floor_root(high)
    return below, above if equal(rest, wide(0)) else add(above, wide(1))
