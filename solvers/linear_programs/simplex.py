"""Many small dense linear programs: the range of every variable over matrix y <= bound, 0 <= y <= width; a
`HullOracle`.

One dictionary a box: the first objective by the dual simplex method from the slack basis (which is dual feasible, the
variables being bounded), each further one by the primal method from the vertex where the last one ended, nearest bounds
first. A bound that some vertex attains needs no program. Everything is float and estimates only: the contractor proves
what the multipliers are worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.checkpoint import checkpoint
from certify.contractors.tape.evaluation import Flags, Floats

TOLERANCE = 1e-9
ATTAINED = 1e-2  # of a width: less is not worth a program
LARGE = 2**14  # entries of a matrix: its programs take long, and have checkpoints
SPARSE = 4  # times slower one by one than in a row
ENTRIES = 2**26  # of dictionaries that are written between two checkpoints


@njit(cache=True, error_model="numpy")
def _pivot(table: np.ndarray, r: int, j: int, places: np.ndarray) -> None:
    """Exchange the basic variable of row r with the nonbasic one of column j; the last row is the objective.

    Where row r is sparse, other rows change at few `places`.
    """
    n, count = table.shape[1], 0
    factor = 1.0 / table[r, j]
    for k in range(n):
        table[r, k] *= -factor
    table[r, j] = factor
    for k in range(n):
        if table[r, k] != 0.0:
            places[count] = k
            count += 1
    sparse = SPARSE * count < n
    for i in range(table.shape[0]):
        if i != r:
            value = table[i, j]
            if value != 0.0:
                table[i, j] = 0.0
                if sparse:
                    for k in places[:count]:
                        table[i, k] += value * table[r, k]
                else:
                    for k in range(n):
                        table[i, k] += value * table[r, k]


@njit(cache=True, error_model="numpy")
def dual(
    table: np.ndarray, values: np.ndarray, basic: np.ndarray, nonbasic: np.ndarray, at_upper: np.ndarray, limit: int
) -> int:
    """Make the basis feasible; -1 if it is, -2 if the steps ran out, else the row that proves that there is no point
    (its sign in at_upper[-1]).
    """
    m, n = values.size, nonbasic.size
    places = np.empty(n, dtype=np.int64)
    for _ in range(limit):
        r, worst, up = -1, TOLERANCE, False
        for i in range(m):
            if -values[i] > worst:
                r, worst, up = i, -values[i], True
            elif basic[i] < n and values[i] - 1.0 > worst:
                r, worst, up = i, values[i] - 1.0, False
        if r < 0:
            return -1
        j, best, size = -1, np.inf, 0.0
        for k in range(n):
            a = table[r, k] if up else -table[r, k]
            if at_upper[k]:
                a = -a
            if a > TOLERANCE:
                ratio = abs(table[m, k]) / a
                if ratio < best - 1e-12 or (ratio <= best + 1e-12 and a > size):
                    j, best, size = k, ratio, a
        if j < 0:
            at_upper[n] = up
            return r
        target = 0.0 if up else 1.0
        step = (target - values[r]) / table[r, j]
        entering = (1.0 if at_upper[j] else 0.0) + step
        for i in range(m):
            values[i] += table[i, j] * step
        values[r] = entering
        basic[r], nonbasic[j] = nonbasic[j], basic[r]
        at_upper[j] = not up
        _pivot(table, r, j, places)
    return -2


@njit(cache=True, error_model="numpy")
def _primal(
    table: np.ndarray, values: np.ndarray, basic: np.ndarray, nonbasic: np.ndarray, at_upper: np.ndarray, limit: int
) -> bool:
    """Minimise the last row from a feasible basis; whether that came to an end."""
    m, n = values.size, nonbasic.size
    places = np.empty(n, dtype=np.int64)
    for _ in range(limit):
        j, best = -1, TOLERANCE
        for k in range(n):
            gain = table[m, k] if at_upper[k] else -table[m, k]
            if gain > best:
                j, best = k, gain
        if j < 0:
            return True
        way = -1.0 if at_upper[j] else 1.0
        r, step, size = -1, 1.0 if nonbasic[j] < n else np.inf, 0.0
        for i in range(m):
            rate = way * table[i, j]
            if rate < -TOLERANCE:
                length = max(values[i], 0.0) / -rate
            elif rate > TOLERANCE and basic[i] < n:
                length = max(1.0 - values[i], 0.0) / rate
            else:
                continue
            if length < step - 1e-12 or (length <= step + 1e-12 and abs(rate) > size):
                r, step, size = i, min(length, step), abs(rate)
        if r < 0 and step == np.inf:
            return True
        for i in range(m):
            values[i] += way * table[i, j] * step
        if r < 0:
            at_upper[j] = not at_upper[j]
            continue
        up = way * table[r, j] > 0.0
        entering = (1.0 if at_upper[j] else 0.0) + way * step
        values[r] = entering
        basic[r], nonbasic[j] = nonbasic[j], basic[r]
        at_upper[j] = up
        _pivot(table, r, j, places)
    return False


@njit(cache=True, error_model="numpy")
def objective(table: np.ndarray, basic: np.ndarray, nonbasic: np.ndarray, variable: int, sign: float) -> None:
    """Write sign y_variable into the last row."""
    m, n = basic.size, nonbasic.size
    for k in range(n):
        table[m, k] = sign if nonbasic[k] == variable else 0.0
    for i in range(m):
        if basic[i] == variable:
            for k in range(n):
                table[m, k] = sign * table[i, k]


@njit(cache=True, error_model="numpy")
def vertex(values: np.ndarray, basic: np.ndarray, nonbasic: np.ndarray, at_upper: np.ndarray, y: np.ndarray) -> None:
    n = y.size
    for k in range(n):
        if nonbasic[k] < n:
            y[nonbasic[k]] = 1.0 if at_upper[k] else 0.0
    for i in range(values.size):
        if basic[i] < n:
            y[basic[i]] = values[i]


@njit(cache=True, error_model="numpy")
def start(
    matrix: np.ndarray, bound: np.ndarray, width: np.ndarray, table: np.ndarray, values: np.ndarray, scale: np.ndarray
) -> None:
    """The slack basis at y = 0, variables scaled to [0, 1] and rows to a largest coefficient of 1."""
    for i in range(bound.size):
        largest = 0.0
        for k in range(width.size):
            table[i, k] = -matrix[i, k] * width[k]
            largest = max(largest, abs(table[i, k]))
        scale[i] = 1.0 / largest if largest > 0.0 else 0.0
        for k in range(width.size):
            table[i, k] *= scale[i]
        values[i] = bound[i] * scale[i]


@njit(cache=True, error_model="numpy")
def _refutation(
    row: int,
    table: np.ndarray,
    basic: np.ndarray,
    nonbasic: np.ndarray,
    sign: float,
    scale: np.ndarray,
    answer: np.ndarray,
) -> None:
    """The multipliers of the rows that keep one basic variable beyond its bound."""
    n = nonbasic.size
    if basic[row] >= n:
        answer[basic[row] - n] = scale[basic[row] - n]
    for k in range(n):
        if nonbasic[k] >= n:
            answer[nonbasic[k] - n] = max(sign * table[row, k], 0.0) * scale[nonbasic[k] - n]


@njit(cache=True, error_model="numpy")
def _next(y: np.ndarray, done: np.ndarray) -> int:
    """The objective whose bound the vertex is nearest to, or -1; those that the vertex attains are done."""
    chosen, nearest = -1, np.inf
    for v in range(done.size):
        distance = y[v // 2] if v % 2 == 0 else 1.0 - y[v // 2]
        done[v] = done[v] or distance <= ATTAINED
        if not done[v] and distance < nearest:
            chosen, nearest = v, distance
    return chosen


@njit(cache=True, error_model="numpy", nogil=True)
def _go_on(table: np.ndarray, values: np.ndarray, scale: np.ndarray, width: np.ndarray, basic: np.ndarray,
           nonbasic: np.ndarray,
           at_upper: np.ndarray, y: np.ndarray, done: np.ndarray, state: np.ndarray, answer: np.ndarray,
           budget: int) -> bool:  # fmt: skip
    """Go on with the programs of one box for so many steps; whether all are solved.

    `state` is the present objective (-1 before the first) and the steps that were taken for it, of which there is a
    limit.
    """
    m, n = basic.size, nonbasic.size
    limit = 50 + 5 * (m + n)
    if state[0] < 0:
        steps = min(budget, limit - state[1])
        outcome = dual(table, values, basic, nonbasic, at_upper, steps)
        state[1] += steps
        if outcome == -2 and state[1] < limit:
            return False
        if outcome >= 0:
            _refutation(outcome, table, basic, nonbasic, -1.0 if at_upper[n] else 1.0, scale, answer[-1])
        if outcome != -1:
            return True
        state[0], state[1] = 0, limit
    while True:
        current = state[0]
        steps = min(budget, limit - state[1])
        if steps > 0:
            ended = _primal(table, values, basic, nonbasic, at_upper, steps)
            state[1] = limit if ended else state[1] + steps
            budget -= 1 if ended else steps
        if state[1] < limit:
            return False
        for k in range(n):
            if nonbasic[k] >= n and table[m, k] > 0.0:
                answer[current, nonbasic[k] - n] = table[m, k] * scale[nonbasic[k] - n] * width[current // 2]
        done[current] = True
        vertex(values, basic, nonbasic, at_upper, y)
        current = _next(y, done)
        if current < 0:
            return True
        objective(table, basic, nonbasic, current // 2, 1.0 if current % 2 == 0 else -1.0)
        state[0], state[1] = current, 0
        if budget <= 0:
            return False


@njit(cache=True, error_model="numpy")
def _begin(matrix: np.ndarray, bound: np.ndarray, width: np.ndarray, table: np.ndarray, values: np.ndarray,
           scale: np.ndarray,
           basic: np.ndarray, nonbasic: np.ndarray, at_upper: np.ndarray, done: np.ndarray,
           ranged: int) -> None:  # fmt: skip
    """The slack basis, and the first objective."""
    n = width.size
    start(matrix, bound, width, table, values, scale)
    basic[:], nonbasic[:], at_upper[:] = n + np.arange(bound.size), np.arange(n), False
    done[:] = np.repeat(width <= 0.0, 2)
    done[2 * ranged :] = True
    objective(table, basic, nonbasic, 0, 1.0)


@njit(cache=True, error_model="numpy", nogil=True)
def _all(matrix: np.ndarray, bound: np.ndarray, width: np.ndarray, wanted: np.ndarray, answer: np.ndarray) -> None:
    """Box after box, from the first step to the last."""
    m, n = matrix.shape[1], matrix.shape[2]
    table, values, scale, y = np.empty((m + 1, n)), np.empty(m), np.empty(m), np.empty(n)
    basic, nonbasic = np.empty(m, dtype=np.int64), np.empty(n, dtype=np.int64)
    at_upper, done = np.empty(n + 1, dtype=np.bool_), np.empty(2 * n, dtype=np.bool_)
    state = np.empty(2, dtype=np.int64)
    for b in range(matrix.shape[0]):
        if wanted[b]:
            _begin(
                matrix[b],
                bound[b],
                width[b],
                table,
                values,
                scale,
                basic,
                nonbasic,
                at_upper,
                done,
                answer.shape[1] // 2,
            )
            state[0], state[1] = -1, 0
            _go_on(table, values, scale, width[b], basic, nonbasic, at_upper, y, done, state, answer[b], 2**62)


def _patiently(matrix: Floats, bound: Floats, width: Floats, answer: Floats) -> None:
    """One large box, with checkpoints in between."""
    m, n = matrix.shape
    table, values, scale, y = np.empty((m + 1, n)), np.empty(m), np.empty(m), np.empty(n)
    basic, nonbasic = np.empty(m, dtype=np.int64), np.empty(n, dtype=np.int64)
    at_upper, done = np.empty(n + 1, dtype=np.bool_), np.empty(2 * n, dtype=np.bool_)
    state = np.array([-1, 0])
    checkpoint()
    _begin(matrix, bound, width, table, values, scale, basic, nonbasic, at_upper, done, answer.shape[0] // 2)
    while not _go_on(
        table, values, scale, width, basic, nonbasic, at_upper, y, done, state, answer, max(1, ENTRIES // (m * n))
    ):
        checkpoint()


@dataclass(frozen=True)
class Simplex:
    """The oracle."""

    def multipliers(self, matrix: Floats, bound: Floats, width: Floats, wanted: Flags, ranged: int) -> Floats:
        """See `HullOracle`."""
        count, rows, variables = matrix.shape
        answer = np.zeros((count, 2 * ranged + 1, rows))
        matrix, bound, width = (np.ascontiguousarray(ends) for ends in (matrix, bound, width))  # one layout to compile
        if rows * variables < LARGE:
            _all(matrix, bound, width, wanted, answer)
            return answer
        for b in np.flatnonzero(wanted).tolist():
            _patiently(matrix[b], bound[b], width[b], answer[b])
        return answer


def compile_simplex() -> None:
    """Compile what small and large programs need, so that no search is charged for it."""
    one = np.ones((1, 1))
    Simplex().multipliers(one[None], one, one, np.ones(1, dtype=np.bool_), 1)
    _patiently(one, one[0], one[0], np.zeros((3, 1)))
