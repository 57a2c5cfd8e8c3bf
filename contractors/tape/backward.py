"""Projection of a tape's operations, from the last node to the inputs, over a batch of boxes.

z = f(u, v) in Z implies u in {u : f(u, v) in Z for some v in V}, and likewise v: every operation's projection below
encloses that set in outward rounding, so that no point of the inputs is lost whose nodes can all take values in their
enclosures. A node that becomes empty marks its box as empty. The loops over the batch are innermost and free of
branches where it matters, so that they vectorise. Reference: Benhamou, Goualard, Granvilliers, Puget (1999).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from certify.contractors.numbers.rounded import INFINITY, above, below
from certify.contractors.tape.evaluation import ADD, CONSTANT, DIV, INTEGER_POWER, MIN, MUL, NEG, PI, SQR, SQRT, SUB
from certify.contractors.tape.function_kernels import preimage
from certify.contractors.tape.functions_of_two import preimage_of_power, preimages_of_two


@njit(cache=True, error_model="numpy", inline="always")
def _ratio(a: float, c: float) -> float:
    """a / c; infinity / infinity is 0, because the quotients in between are covered by those of the other ends."""
    value = a / c
    return value if value == value else 0.0


@njit(cache=True, error_model="numpy")
def quotient(a: float, b: float, c: float, d: float, low: float, high: float) -> tuple[float, float]:
    """Encloses {x in [low, high] : x y in [a, b] for some y in [c, d]}.

    A divisor around 0 leaves two rays, of which only one may reach [low, high].
    """
    if c > 0.0 or d < 0.0:
        p, q, r, s = _ratio(a, c), _ratio(a, d), _ratio(b, c), _ratio(b, d)
        return below(min(min(p, q), min(r, s))), above(max(max(p, q), max(r, s)))
    if a <= 0.0 <= b:
        return -INFINITY, INFINITY
    has_left, has_right = (c < 0.0, d > 0.0) if a > 0.0 else (d > 0.0, c < 0.0)
    left, right = -INFINITY, INFINITY
    if has_left:
        left = above(a / c) if a > 0.0 else above(b / d)
    if has_right:
        right = below(a / d) if a > 0.0 else below(b / c)
    return right if not has_left or low > left else -INFINITY, left if not has_right or high < right else INFINITY


@njit(cache=True, error_model="numpy")
def _sums(sign: float, f: int, s: int, n: int, low: np.ndarray, high: np.ndarray) -> None:
    """Project n = f + sign s."""
    for i in range(low.shape[1]):
        a, b, fl, fh = low[n, i], high[n, i], low[f, i], high[f, i]
        sl = low[s, i] if sign > 0.0 else -high[s, i]
        sh = high[s, i] if sign > 0.0 else -low[s, i]
        low[f, i], high[f, i] = max(fl, below(a - sh)), min(fh, above(b - sl))
        sl, sh = below(a - fh), above(b - fl)
        low[s, i] = max(low[s, i], sl if sign > 0.0 else -sh)
        high[s, i] = min(high[s, i], sh if sign > 0.0 else -sl)


@njit(cache=True, error_model="numpy")
def _factor(f: int, s: int, n: int, low: np.ndarray, high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray) -> None:
    """Project n = f s to f: first, without branches, where s has a sign; then the rare boxes where s may vanish and n
    does not.
    """
    rare = False
    for i in range(low.shape[1]):
        a, b, c, d = low[n, i], high[n, i], low[s, i], high[s, i]
        p, q, r, t = _ratio(a, c), _ratio(a, d), _ratio(b, c), _ratio(b, d)
        signed = (c > 0.0) | (d < 0.0)
        least, most = below(min(min(p, q), min(r, t))), above(max(max(p, q), max(r, t)))
        f_low[i] = max(low[f, i], least if signed else -INFINITY)
        f_high[i] = min(high[f, i], most if signed else INFINITY)
        rare |= (not signed) & ((a > 0.0) | (b < 0.0))
    if rare:
        for i in range(low.shape[1]):
            if low[s, i] <= 0.0 <= high[s, i]:
                p, q = quotient(low[n, i], high[n, i], low[s, i], high[s, i], low[f, i], high[f, i])
                f_low[i], f_high[i] = max(low[f, i], p), min(high[f, i], q)


@njit(cache=True, error_model="numpy")
def _product(f: int, s: int, n: int, low: np.ndarray, high: np.ndarray, scratch: np.ndarray) -> None:
    """Project n = f s to both factors, each from the other as it was before."""
    _factor(f, s, n, low, high, scratch[0], scratch[1])
    _factor(s, f, n, low, high, scratch[2], scratch[3])
    for i in range(low.shape[1]):
        low[f, i], high[f, i] = scratch[0, i], scratch[1, i]
        low[s, i], high[s, i] = max(low[s, i], scratch[2, i]), min(high[s, i], scratch[3, i])


@njit(cache=True, error_model="numpy")
def _square(f: int, n: int, low: np.ndarray, high: np.ndarray) -> None:
    """Project n = f^2: f lies in one of [-outer, -inner], [inner, outer], or in both."""
    for i in range(low.shape[1]):
        inner = max(0.0, below(math.sqrt(max(low[n, i], 0.0))))
        outer = above(math.sqrt(max(high[n, i], 0.0)))
        fl, fh = low[f, i], high[f, i]
        low[f, i] = max(fl, inner if fl > -inner else -outer)
        high[f, i] = min(fh, -inner if fh < inner else outer)


@njit(cache=True, error_model="numpy")
def backward_some(
    steps: np.ndarray, inputs: int, code: np.ndarray, low: np.ndarray, high: np.ndarray, empty: np.ndarray
) -> None:
    """Project these operations, last first; low and high have the shape (nodes, batch). Constants project nothing."""
    batch = low.shape[1]
    scratch = np.empty((4, batch))
    for j in steps[::-1]:
        operation, f, s, n = code[j, 0], code[j, 1], code[j, 2], inputs + j
        for i in range(batch):
            empty[i] |= low[n, i] > high[n, i]
        if operation == ADD:
            _sums(1.0, f, s, n, low, high)
        elif operation == SUB:
            _sums(-1.0, f, s, n, low, high)
        elif operation == MUL:
            _product(f, s, n, low, high, scratch)
        elif operation == SQR:
            _square(f, n, low, high)
        elif operation == NEG:
            for i in range(batch):
                low[f, i], high[f, i] = max(low[f, i], -high[n, i]), min(high[f, i], -low[n, i])
        elif operation == SQRT:
            for i in range(batch):
                a, b = max(low[n, i], 0.0), high[n, i]
                low[f, i] = max(low[f, i], max(0.0, below(a * a))) if b >= 0.0 else INFINITY
                high[f, i] = min(high[f, i], above(b * b)) if b >= 0.0 else -INFINITY
        elif operation == DIV:
            for i in range(batch):
                a, b, c, d = low[n, i], high[n, i], low[s, i], high[s, i]
                p, q, r, t = a * c, a * d, b * c, b * d
                if p == p and q == q and r == r and t == t:
                    low[f, i] = max(low[f, i], below(min(min(p, q), min(r, t))))
                    high[f, i] = min(high[f, i], above(max(max(p, q), max(r, t))))
                p, q = quotient(low[f, i], high[f, i], a, b, c, d)
                low[s, i], high[s, i] = max(c, p), min(d, q)
        elif operation == INTEGER_POWER:
            for i in range(batch):
                a, b = preimage_of_power(low[n, i], high[n, i], int(low[s, i]), low[f, i], high[f, i])
                low[f, i], high[f, i] = max(low[f, i], a), min(high[f, i], b)
        elif MIN <= operation < INTEGER_POWER:
            for i in range(batch):
                a, b, c, d = preimages_of_two(
                    operation, low[n, i], high[n, i], low[f, i], high[f, i], low[s, i], high[s, i]
                )
                low[f, i], high[f, i] = max(low[f, i], a), min(high[f, i], b)
                low[s, i], high[s, i] = max(low[s, i], c), min(high[s, i], d)
        elif operation != CONSTANT and operation != PI:
            for i in range(batch):
                a, b = preimage(operation, low[n, i], high[n, i], low[f, i], high[f, i])
                low[f, i], high[f, i] = max(low[f, i], a), min(high[f, i], b)


@njit(cache=True, error_model="numpy")
def backward(inputs: int, code: np.ndarray, low: np.ndarray, high: np.ndarray, empty: np.ndarray) -> None:
    """Project all operations, last first."""
    backward_some(np.arange(code.shape[0]), inputs, code, low, high, empty)
