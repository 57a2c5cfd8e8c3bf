"""Rows expanded about the centres of boxes, as the checker forms them: kernels over batches.

    m    f(c) + J(B) d                      J by reverse mode over the nodes' ranges on the box B
    t    f(c) + f'(c) d + sum H(B) d_i d_j  H by jets: value, derivative, half the second derivative of every node
    q    polynomial arithmetic, what is none being enclosed over B

The operations and their order are those of the checker, in doubles rounded outwards: so its coefficients, computed
with more digits, lie within these.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.rounded import above, below, divide, multiply, square
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.evaluation import (
    ADD,
    DIV,
    MUL,
    NEG,
    SQR,
    SQRT,
    SUB,
    Floats,
    forward,
)
from certify.contractors.tape.function_kernels import image
from certify.contractors.tape.tape import Operation
from certify.solvers.weights.row_tapes import ATOM, NUMBER, UNUSED, RowTapes

SIN, COS, EXP, LOG = int(Operation.SIN), int(Operation.COS), int(Operation.EXP), int(Operation.LOG)
Pair = tuple[float, float]


@njit(cache=True, error_model="numpy")
def _pull(operation: int, second: bool, a: Pair, u: Pair, w: Pair, r: Pair) -> Pair:
    """a times the derivative of r = u op w for one operand."""
    if operation == ADD:
        return a
    if operation == SUB:
        return (-a[1], -a[0]) if second else a
    if operation == MUL:
        return multiply(a[0], a[1], u[0], u[1]) if second else multiply(a[0], a[1], w[0], w[1])
    if operation == DIV:
        p, q = divide(a[0], a[1], w[0], w[1])
        if second:
            p, q = multiply(p, q, r[0], r[1])
            return -q, -p
        return p, q
    if operation == NEG:
        return -a[1], -a[0]
    if operation == SQR:
        return multiply(a[0], a[1], 2.0 * u[0], 2.0 * u[1])
    if operation == SQRT:
        return divide(a[0], a[1], 2.0 * r[0], 2.0 * r[1])
    if operation == SIN:
        p, q, _ = image(COS, u[0], u[1])
        return multiply(a[0], a[1], p, q)
    if operation == COS:
        p, q, _ = image(SIN, u[0], u[1])
        p, q = multiply(a[0], a[1], p, q)
        return -q, -p
    if operation == EXP:
        return multiply(a[0], a[1], r[0], r[1])
    if operation == LOG:
        return divide(a[0], a[1], u[0], u[1])
    p, q = square(u[0], u[1])  # the arctangent
    return divide(a[0], a[1], below(1.0 + p), above(1.0 + q))


@njit(cache=True, error_model="numpy")
def _curve(operation: int, u: Pair, w: Pair, r: Pair) -> Pair:
    """Half the second derivative for the only operand; for a quotient that for the divisor, twice."""
    if operation == SQR:
        return 1.0, 1.0
    if operation == DIV:
        p, q = divide(r[0], r[1], w[0], w[1])
        return divide(p, q, w[0], w[1])
    if operation == SQRT:
        p, q = divide(0.125, 0.125, r[0], r[1])
        p, q = divide(p, q, u[0], u[1])
        return -q, -p
    if operation in (SIN, COS):
        return -0.5 * r[1], -0.5 * r[0]
    if operation == EXP:
        return 0.5 * r[0], 0.5 * r[1]
    if operation == LOG:
        p, q = divide(0.5, 0.5, u[0], u[1])
        p, q = divide(p, q, u[0], u[1])
        return -q, -p
    p, q = square(u[0], u[1])
    p, q = square(below(1.0 + p), above(1.0 + q))
    p, q = divide(u[0], u[1], p, q)
    return -q, -p


@njit(cache=True, error_model="numpy")
def _gradient(inputs: int, code: np.ndarray, low: np.ndarray, high: np.ndarray, varies: np.ndarray, a: np.ndarray,
              b: np.ndarray, reached: np.ndarray) -> None:  # fmt: skip
    """The derivatives of the last node for all nodes, by reverse mode over their ranges."""
    reached[:] = False
    last = low.shape[0] - 1
    a[last], b[last], reached[last] = 1.0, 1.0, True
    for j in range(code.shape[0] - 1, -1, -1):
        node = inputs + j
        if not (reached[node] and varies[node]):
            continue
        operation, f, s = code[j, 0], code[j, 1], code[j, 2]
        u, r = (low[f, 0], high[f, 0]), (low[node, 0], high[node, 0])
        w = (low[s, 0], high[s, 0]) if s >= 0 else u
        for second in (False, True):
            child = s if second else f
            if child < 0 or not varies[child]:
                continue
            p, q = _pull(operation, second, (a[node], b[node]), u, w, r)
            if reached[child]:
                a[child], b[child] = below(a[child] + p), above(b[child] + q)
            else:
                a[child], b[child], reached[child] = p, q, True
    for i in range(inputs):
        if not reached[i]:
            a[i], b[i] = 0.0, 0.0


@njit(cache=True, error_model="numpy")
def _add_scaled(to_low: np.ndarray, to_high: np.ndarray, from_low: np.ndarray, from_high: np.ndarray, p: float,
                q: float) -> None:  # fmt: skip
    """Add the interval [p, q] times intervals."""
    for k in range(to_low.size):
        if from_low[k] != 0.0 or from_high[k] != 0.0:
            c, d = multiply(from_low[k], from_high[k], p, q)
            to_low[k], to_high[k] = below(to_low[k] + c), above(to_high[k] + d)


@njit(cache=True, error_model="numpy")
def _add_square(to_low: np.ndarray, to_high: np.ndarray, low: np.ndarray, high: np.ndarray, pairs: np.ndarray,
                p: float, q: float) -> None:  # fmt: skip
    """Add [p, q] times the square of a linear form."""
    for m in range(pairs.shape[0]):
        i, j = pairs[m, 0], pairs[m, 1]
        if (low[i] == 0.0 and high[i] == 0.0) or (low[j] == 0.0 and high[j] == 0.0):
            continue
        if i == j:
            c, d = square(low[i], high[i])
        else:
            c, d = multiply(2.0 * low[i], 2.0 * high[i], low[j], high[j])
        if c != 0.0 or d != 0.0:
            c, d = multiply(c, d, p, q)
            to_low[m], to_high[m] = below(to_low[m] + c), above(to_high[m] + d)


@njit(cache=True, error_model="numpy")
def _add_product(to_low: np.ndarray, to_high: np.ndarray, u_low: np.ndarray, u_high: np.ndarray, w_low: np.ndarray,
                 w_high: np.ndarray, pairs: np.ndarray, p: float, q: float) -> None:  # fmt: skip
    """Add [p, q] times the product of two linear forms."""
    for m in range(pairs.shape[0]):
        i, j = pairs[m, 0], pairs[m, 1]
        c, d = 0.0, 0.0
        if (u_low[i] != 0.0 or u_high[i] != 0.0) and (w_low[j] != 0.0 or w_high[j] != 0.0):
            c, d = multiply(u_low[i], u_high[i], w_low[j], w_high[j])
        if i != j and (u_low[j] != 0.0 or u_high[j] != 0.0) and (w_low[i] != 0.0 or w_high[i] != 0.0):
            e, f = multiply(u_low[j], u_high[j], w_low[i], w_high[i])
            c, d = below(c + e), above(d + f)
        if c != 0.0 or d != 0.0:
            c, d = multiply(c, d, p, q)
            to_low[m], to_high[m] = below(to_low[m] + c), above(to_high[m] + d)


@njit(cache=True, error_model="numpy")
def _jets(inputs: int, code: np.ndarray, centre_low: np.ndarray, centre_high: np.ndarray, box_low: np.ndarray,
          box_high: np.ndarray, radius: np.ndarray, varies: np.ndarray, pairs: np.ndarray, square_low: np.ndarray,
          square_high: np.ndarray) -> None:  # fmt: skip
    """Half the second derivatives of the last node, as coefficients of its pairs."""
    nodes, count = centre_low.shape[0], pairs.shape[0]
    low, high = centre_low[:, 0].copy(), centre_high[:, 0].copy()
    l_low, l_high = np.zeros((nodes, inputs)), np.zeros((nodes, inputs))
    s_low, s_high = np.zeros((nodes, count)), np.zeros((nodes, count))
    value, whole, defined = np.empty((3, 1)), np.empty((3, 1)), np.ones(1, dtype=np.bool_)
    for i in range(inputs):
        low[i], high[i], l_low[i, i], l_high[i, i] = box_low[i, 0], box_high[i, 0], 1.0, 1.0
    one, step, nothing = (1.0, 1.0), np.zeros((1, 3), dtype=np.int64), np.zeros((1, 2))
    for j in range(code.shape[0]):
        node = inputs + j
        if not varies[node]:
            continue
        operation, f, s = code[j, 0], code[j, 1], code[j, 2]
        g = s if s >= 0 else f
        value[0, 0], whole[0, 0], value[1, 0], whole[1, 0] = low[f], high[f], low[g], high[g]
        step[0, 0], step[0, 2] = operation, 1 if s >= 0 else -1
        forward(2, step, nothing, value, whole, defined)
        u, w, r = (low[f], high[f]), (low[g], high[g]), (value[2, 0], whole[2, 0])
        for second in (False, True):
            child = s if second else f
            if child >= 0 and varies[child]:
                p, q = _pull(operation, second, one, u, w, r)
                _add_scaled(l_low[node], l_high[node], l_low[child], l_high[child], p, q)
                _add_scaled(s_low[node], s_high[node], s_low[child], s_high[child], p, q)
        if operation in (MUL, DIV):
            p, q = one
            if operation == DIV:
                p, q = divide(1.0, 1.0, w[0], w[1])
                p, q = divide(p, q, w[0], w[1])
                p, q = -q, -p
            _add_product(s_low[node], s_high[node], l_low[f], l_high[f], l_low[s], l_high[s], pairs, p, q)
        if operation == DIV:
            p, q = _curve(operation, u, w, r)
            _add_square(s_low[node], s_high[node], l_low[s], l_high[s], pairs, p, q)
        elif operation not in (ADD, SUB, NEG, MUL):
            p, q = _curve(operation, u, w, r)
            _add_square(s_low[node], s_high[node], l_low[f], l_high[f], pairs, p, q)
        a, b = low[node], high[node]
        for i in range(inputs):
            if l_low[node, i] != 0.0 or l_high[node, i] != 0.0:
                c, d = multiply(l_low[node, i], l_high[node, i], -radius[i], radius[i])
                a, b = below(a + c), above(b + d)
        low[node], high[node] = max(a, r[0]), min(b, r[1])
    square_low[:], square_high[:] = s_low[nodes - 1], s_high[nodes - 1]


@njit(cache=True, error_model="numpy")
def _polynomial(inputs: int, code: np.ndarray, kinds: np.ndarray, centre_low: np.ndarray, centre_high: np.ndarray,
                box_low: np.ndarray, box_high: np.ndarray, pairs: np.ndarray, p_low: np.ndarray,
                p_high: np.ndarray) -> None:  # fmt: skip
    """The coefficients of the form q: of 1, of the variables, of the pairs."""
    nodes, count = centre_low.shape[0], pairs.shape[0]
    size, n = 1 + inputs + count, 1 + inputs
    a, b = np.zeros((nodes, size)), np.zeros((nodes, size))
    for i in range(inputs):
        a[i, 0], b[i, 0], a[i, 1 + i], b[i, 1 + i] = centre_low[i, 0], centre_high[i, 0], 1.0, 1.0
    for j in range(code.shape[0]):
        node, operation, f, s = inputs + j, code[j, 0], code[j, 1], code[j, 2]
        if kinds[node] == UNUSED:
            continue
        if kinds[node] == NUMBER:
            a[node, 0], b[node, 0] = centre_low[node, 0], centre_high[node, 0]
        elif kinds[node] == ATOM:
            a[node, 0], b[node, 0] = box_low[node, 0], box_high[node, 0]
        elif operation == ADD:
            for k in range(size):
                a[node, k], b[node, k] = below(a[f, k] + a[s, k]), above(b[f, k] + b[s, k])
        elif operation == SUB:
            for k in range(size):
                a[node, k], b[node, k] = below(a[f, k] - b[s, k]), above(b[f, k] - a[s, k])
        elif operation == NEG:
            for k in range(size):
                a[node, k], b[node, k] = -b[f, k], -a[f, k]
        elif operation == DIV:
            for k in range(size):
                a[node, k], b[node, k] = divide(a[f, k], b[f, k], a[s, 0], b[s, 0])
        elif operation == SQR:
            a[node, 0], b[node, 0] = square(a[f, 0], b[f, 0])
            _add_scaled(a[node, 1:], b[node, 1:], a[f, 1:], b[f, 1:], 2.0 * a[f, 0], 2.0 * b[f, 0])
            _add_square(a[node, n:], b[node, n:], a[f, 1:n], b[f, 1:n], pairs, 1.0, 1.0)
        else:
            a[node, 0], b[node, 0] = multiply(a[f, 0], b[f, 0], a[s, 0], b[s, 0])
            _add_scaled(a[node, 1:], b[node, 1:], a[f, 1:], b[f, 1:], a[s, 0], b[s, 0])
            _add_scaled(a[node, 1:], b[node, 1:], a[s, 1:], b[s, 1:], a[f, 0], b[f, 0])
            _add_product(a[node, n:], b[node, n:], a[f, 1:n], b[f, 1:n], a[s, 1:n], b[s, 1:n], pairs, 1.0, 1.0)
    p_low[:], p_high[:] = a[nodes - 1], b[nodes - 1]


@njit(cache=True, error_model="numpy")
def _finite(low: np.ndarray, high: np.ndarray) -> bool:
    return bool(np.isfinite(low).all() and np.isfinite(high).all())


@njit(cache=True, error_model="numpy", nogil=True)
def _expand(
    starts: np.ndarray, uses: np.ndarray, places: np.ndarray, code: np.ndarray, constants: np.ndarray,
    kinds: np.ndarray, exact: np.ndarray, polynomial: np.ndarray, bends: np.ndarray, pairs: np.ndarray,
    fixed: np.ndarray, tangent: np.ndarray, enclosed: np.ndarray, lower: np.ndarray, upper: np.ndarray,
    value_low: np.ndarray, value_high: np.ndarray, slope_low: np.ndarray, slope_high: np.ndarray,
) -> None:  # fmt: skip
    """Fill the forms of all boxes (batch first): row k in place k, its forms t and q in the places told."""
    n = lower.shape[1]
    whole, thin = np.ones(1, dtype=np.bool_), np.ones(1, dtype=np.bool_)
    for k in range(starts.size - 1):
        mine, its = code[starts[k] : starts[k + 1]], constants[starts[k] : starts[k + 1]]
        var, pair = places[uses[k] : uses[k + 1]], pairs[bends[k] : bends[k + 1]]
        inputs, nodes = var.size, var.size + mine.shape[0]
        kind = kinds[uses[k] + starts[k] : uses[k] + starts[k] + nodes]
        varies = np.zeros(nodes, dtype=np.bool_)
        varies[:inputs] = True
        for j in range(mine.shape[0]):
            f, g = mine[j, 1], mine[j, 2]
            varies[inputs + j] = (f >= 0 and varies[f]) or (g >= 0 and varies[g])
        c_low, c_high, b_low, b_high = (
            np.empty((nodes, 1)),
            np.empty((nodes, 1)),
            np.empty((nodes, 1)),
            np.empty((nodes, 1)),
        )
        a, b, reached = np.empty(nodes), np.empty(nodes), np.empty(nodes, dtype=np.bool_)
        s_low, s_high = np.empty(pair.shape[0]), np.empty(pair.shape[0])
        p_low, p_high = np.empty(1 + inputs + pair.shape[0]), np.empty(1 + inputs + pair.shape[0])
        radius = np.empty(inputs)
        for box in range(lower.shape[0]):
            for i in range(inputs):
                v = var[i]
                c_low[i, 0] = 0.5 * lower[box, v] + 0.5 * upper[box, v]
                c_high[i, 0] = c_low[i, 0]
                b_low[i, 0], b_high[i, 0] = lower[box, v], upper[box, v]
                radius[i] = 0.5 * (upper[box, v] - lower[box, v])
            thin[0], whole[0] = True, True
            forward(inputs, mine, its, c_low, c_high, thin)
            last = nodes - 1
            if not (thin[0] and np.isfinite(c_low[last, 0]) and np.isfinite(c_high[last, 0])):
                continue
            if exact[k]:
                _gradient(inputs, mine, c_low, c_high, varies, a, b, reached)
                if not _finite(a[:inputs], b[:inputs]):
                    continue
                value_low[box, k], value_high[box, k] = c_low[last, 0], c_high[last, 0]
                for i in range(inputs):
                    slope_low[box, k, var[i]], slope_high[box, k, var[i]] = a[i], b[i]
                for m in range(pair.shape[0]):
                    slope_low[box, k, n + pair[m, 2]] = fixed[bends[k] + m]
                    slope_high[box, k, n + pair[m, 2]] = fixed[bends[k] + m]
                continue
            forward(inputs, mine, its, b_low, b_high, whole)
            if not (whole[0] and _finite(b_low, b_high)):
                continue
            _gradient(inputs, mine, b_low, b_high, varies, a, b, reached)
            if _finite(a[:inputs], b[:inputs]):
                value_low[box, k], value_high[box, k] = c_low[last, 0], c_high[last, 0]
                for i in range(inputs):
                    slope_low[box, k, var[i]], slope_high[box, k, var[i]] = a[i], b[i]
            if polynomial[k]:
                place = enclosed[k]
                _polynomial(inputs, mine, kind, c_low, c_high, b_low, b_high, pair, p_low, p_high)
                if _finite(p_low, p_high):
                    value_low[box, place], value_high[box, place] = p_low[0], p_high[0]
                    for i in range(inputs):
                        slope_low[box, place, var[i]], slope_high[box, place, var[i]] = p_low[1 + i], p_high[1 + i]
                    for m in range(pair.shape[0]):
                        slope_low[box, place, n + pair[m, 2]] = p_low[1 + inputs + m]
                        slope_high[box, place, n + pair[m, 2]] = p_high[1 + inputs + m]
            _gradient(inputs, mine, c_low, c_high, varies, a, b, reached)
            _jets(inputs, mine, c_low, c_high, b_low, b_high, radius, varies, pair, s_low, s_high)
            if _finite(a[:inputs], b[:inputs]) and _finite(s_low, s_high):
                place = tangent[k]
                value_low[box, place], value_high[box, place] = c_low[last, 0], c_high[last, 0]
                for i in range(inputs):
                    slope_low[box, place, var[i]], slope_high[box, place, var[i]] = a[i], b[i]
                for m in range(pair.shape[0]):
                    slope_low[box, place, n + pair[m, 2]] = s_low[m]
                    slope_high[box, place, n + pair[m, 2]] = s_high[m]


@njit(cache=True, error_model="numpy")
def _fixed(starts: np.ndarray, uses: np.ndarray, code: np.ndarray, constants: np.ndarray, kinds: np.ndarray,
           exact: np.ndarray, bends: np.ndarray, pairs: np.ndarray, low: np.ndarray,
           high: np.ndarray) -> None:  # fmt: skip
    """The coefficients of pairs that are the same on all boxes: those of exact rows."""
    defined = np.ones(1, dtype=np.bool_)
    for k in range(starts.size - 1):
        if exact[k] and bends[k + 1] > bends[k]:
            mine, its = code[starts[k] : starts[k + 1]], constants[starts[k] : starts[k + 1]]
            inputs, pair = uses[k + 1] - uses[k], pairs[bends[k] : bends[k + 1]]
            nodes = inputs + mine.shape[0]
            a, b = np.zeros((nodes, 1)), np.zeros((nodes, 1))
            forward(inputs, mine, its, a, b, defined)
            p_low, p_high = np.empty(1 + inputs + pair.shape[0]), np.empty(1 + inputs + pair.shape[0])
            kind = kinds[uses[k] + starts[k] : uses[k] + starts[k] + nodes]
            _polynomial(inputs, mine, kind, a, b, a, b, pair, p_low, p_high)
            low[bends[k] : bends[k + 1]], high[bends[k] : bends[k + 1]] = p_low[1 + inputs :], p_high[1 + inputs :]


def fixed_coefficients(rows: RowTapes) -> tuple[Floats, Floats]:
    """Both ends of the coefficients of exact rows' pairs; 0 for the others."""
    low, high = np.zeros(len(rows.pairs)), np.zeros(len(rows.pairs))
    _fixed(rows.starts, rows.uses, rows.code, rows.constants, rows.kinds, rows.exact, rows.bends, rows.pairs, low, high)
    return low, high


def expand(
    rows: RowTapes, fixed: Floats, tangent: np.ndarray, enclosed: np.ndarray, forms: int, low: Floats, high: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Both ends of the values (batch, form) and of the coefficients (batch, form, monomial) over boxes (variable,
    batch); 0 where a form does not exist. `tangent` and `enclosed` say where the forms t and q of a row go.
    """
    require_nearest()
    batch, monomials = low.shape[1], low.shape[0] + len(rows.every)
    values = np.zeros((batch, forms)), np.zeros((batch, forms))
    slopes = np.zeros((batch, forms, monomials)), np.zeros((batch, forms, monomials))
    _expand(rows.starts, rows.uses, rows.places, rows.code, rows.constants, rows.kinds, rows.exact, rows.polynomial,
            rows.bends, rows.pairs, fixed, tangent, enclosed, low.T.copy(), high.T.copy(), *values,
            *slopes)  # fmt: skip
    return *values, *slopes
