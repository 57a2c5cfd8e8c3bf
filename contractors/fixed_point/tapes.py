"""`certify.checker.tape` and `narrow` of `certify.checker.rows`, bit for bit: all nodes of a tape, the derivatives of
its last node, and the corner of a row's measurements.

An interval is `PAIR` entries of a flat array. `steps` has a row (code, node, first operand, second operand) for each
operation that is no constant; in those of sine and cosine the second one is the operand's place in the memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from certify.contractors.fixed_point.intervals import (
    TOO_LARGE,
    UNDEFINED,
    add_intervals,
    divide,
    floor_quotient,
    inner_njit,
    larger,
    multiply,
    negative,
    root,
    square,
)
from certify.contractors.fixed_point.trigonometry import ENTRIES, WAYS, sine_and_cosine
from certify.contractors.fixed_point.wide import (
    Wide,
    add,
    fits,
    fits_product,
    halved,
    left,
    less,
    load,
    product,
    right,
    short,
    short_product,
    store,
    sub,
    wide,
)

ADD, SUB, MUL, DIV, NEG, SQR, SQRT, SIN, COS = range(1, 10)
CODES = {"add": ADD, "sub": SUB, "mul": MUL, "div": DIV, "neg": NEG, "sqr": SQR, "sqrt": SQRT, "sin": SIN, "cos": COS}
PAIR = 8
REMEMBERED = WAYS * ENTRIES + 1  # entries of one operand in the memory


class Tape(NamedTuple):
    """A tape: its steps, those of nodes that depend on no variable, its constants in their places, pi/2, the precision,
    and what was remembered of sines and cosines.
    """

    steps: np.ndarray
    constant_steps: np.ndarray
    template: np.ndarray
    quarter: np.ndarray
    bits: int
    memory: np.ndarray


class Room(NamedTuple):
    """Where a row's nodes and derivatives are written, which derivatives there are, and which nodes are on the way."""

    nodes: np.ndarray
    adjoint: np.ndarray
    has: np.ndarray
    depends: np.ndarray


@inner_njit
def take(array: np.ndarray, place: int) -> tuple[Wide, Wide]:
    """An interval of an array."""
    return load(array, PAIR * place), load(array, PAIR * place + PAIR // 2)


@inner_njit
def put(array: np.ndarray, place: int, low: Wide, high: Wide) -> None:
    """Write an interval."""
    store(array, PAIR * place, low)
    store(array, PAIR * place + PAIR // 2, high)


@inner_njit
def run(tape: Tape, steps: np.ndarray, nodes: np.ndarray, place: int, failed: np.ndarray) -> None:
    """All nodes of these steps from the inputs and constants that `nodes` holds."""
    bits = tape.bits
    for k in range(steps.shape[0]):
        code, node, first, second = steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3]
        al, ah = take(nodes, first)
        if code in (SIN, COS):
            memory = place + REMEMBERED * second
            sl, sh, cl, ch = sine_and_cosine(al, ah, tape.quarter, bits, tape.memory, memory, failed)
            low, high = (sl, sh) if code == SIN else (cl, ch)
        elif code == NEG:
            low, high = negative(ah), negative(al)
        elif code == SQR:
            low, high = square(al, ah, bits, failed)
        elif code == SQRT:
            low, high = root(al, ah, bits, failed)
        else:
            bl, bh = take(nodes, second)
            if code == ADD:
                low, high = add_intervals(al, ah, bl, bh, failed)
            elif code == SUB:
                low, high = add_intervals(al, ah, negative(bh), negative(bl), failed)
            elif code == MUL:
                low, high = multiply(al, ah, bl, bh, bits, failed)
            else:
                low, high = divide(al, ah, bl, bh, bits, failed)
        put(nodes, node, low, high)
        if failed[0]:
            return


@inner_njit
def _factor(code: int, ul: Wide, uh: Wide, tape: Tape, place: int, failed: np.ndarray) -> tuple[Wide, Wide]:
    """What the derivative of a square, a sine or a cosine takes from its operand: 2 u, cos u, sin u."""
    if code == SQR:
        return add_intervals(ul, uh, ul, uh, failed)
    sl, sh, cl, ch = sine_and_cosine(ul, uh, tape.quarter, tape.bits, tape.memory, place, failed)
    return (cl, ch) if code == SIN else (sl, sh)


@inner_njit
def gradient(tape: Tape, room: Room, wanted: np.ndarray, place: int, failed: np.ndarray) -> None:
    """The derivatives of the last node by the wanted inputs, written to the room; 0 where it has none."""
    steps, nodes, adjoint, has, depends, bits = tape.steps, room.nodes, room.adjoint, room.has, room.depends, tape.bits
    depends[:] = False
    depends[: wanted.size] = wanted
    for k in range(steps.shape[0]):
        code, node, first, second = steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3]
        depends[node] = depends[first] or (code <= DIV and depends[second])
    has[:] = False
    one = left(wide(1), bits)
    put(adjoint, has.size - 1, one, one)
    has[has.size - 1] = True
    for k in range(steps.shape[0] - 1, -1, -1):
        code, node, first, second = steps[k, 0], steps[k, 1], steps[k, 2], steps[k, 3]
        for way in range(2 if code <= DIV else 1):
            child = second if way else first
            if not has[node] or not depends[child]:
                continue
            low, high = take(adjoint, node)
            ul, uh = take(nodes, first)
            rl, rh = take(nodes, node)
            wl, wh = take(nodes, second) if code <= DIV else (rl, rh)
            if code in (DIV, SQRT):
                dl, dh = (wl, wh) if code == DIV else add_intervals(rl, rh, rl, rh, failed)
                low, high = divide(low, high, dl, dh, bits, failed)
            if code in (MUL, SQR, SIN, COS) or (code == DIV and way):
                fl, fh = wl, wh
                if code in (SQR, SIN, COS):
                    fl, fh = _factor(code, ul, uh, tape, place + REMEMBERED * second, failed)
                elif way:
                    fl, fh = (ul, uh) if code == MUL else (rl, rh)
                low, high = multiply(low, high, fl, fh, bits, failed)
            if code in (NEG, COS) or (way and code in (SUB, DIV)):
                low, high = negative(high), negative(low)
            if has[child]:
                ol, oh = take(adjoint, child)
                low, high = add_intervals(ol, oh, low, high, failed)
            put(adjoint, child, low, high)
            has[child] = True
            if failed[0]:
                return


@inner_njit
def slope(room: Room, i: int, side: int) -> tuple[Wide, Wide]:
    """The derivative with respect to input i, of the row seen from one side."""
    if not room.has[i]:
        return wide(0), wide(0)
    low, high = take(room.adjoint, i)
    if side > 0:
        return low, high
    return negative(high), negative(low)


@inner_njit
def exactly(a: Wide, b: Wide, failed: np.ndarray) -> Wide:
    """a b, if it fits."""
    if short(a) and short(b):
        if not fits(short_product(a, b)):
            failed[0] = TOO_LARGE
        return short_product(a, b)
    found = product(a, b)
    if not fits_product(found):
        failed[0] = TOO_LARGE
    return halved(found)


@inner_njit
def least_slack(
    cuts: np.ndarray, slopes: np.ndarray, cells: int, falls: np.ndarray, failed: np.ndarray
) -> tuple[Wide, Wide]:
    """`least_slack` of the checker: the best boundary, and what is lost there at twice the precision.

    `cuts` has cells + 1 numbers, `slopes` an interval a cell; `falls` is room for 2 (cells + 1) numbers.
    """
    zero, to_left = wide(0), 4 * (cells + 1)
    store(falls, 4 * cells, zero)
    for j in range(cells - 1, -1, -1):
        width = sub(load(cuts, 4 * (j + 1)), load(cuts, 4 * j))
        low, _ = take(slopes, j)
        store(falls, 4 * j, larger(zero, sub(load(falls, 4 * (j + 1)), exactly(width, low, failed))))
    store(falls, to_left, zero)
    for j in range(cells):
        width = sub(load(cuts, 4 * (j + 1)), load(cuts, 4 * j))
        _, high = take(slopes, j)
        store(
            falls, to_left + 4 * (j + 1), larger(zero, add(load(falls, to_left + 4 * j), exactly(width, high, failed)))
        )
    best, least = 0, larger(load(falls, 0), load(falls, to_left))
    for j in range(1, cells + 1):
        loss = larger(load(falls, 4 * j), load(falls, to_left + 4 * j))
        if less(loss, least):
            best, least = j, loss
    return load(cuts, 4 * best), least


@inner_njit
def _values(tape: Tape, box: np.ndarray, nodes: np.ndarray, place: int, failed: np.ndarray) -> None:
    """All nodes of the tape for these inputs."""
    nodes[:] = tape.template
    nodes[: box.size] = box
    run(tape, tape.steps, nodes, place, failed)


@inner_njit
def corner(
    tape: Tape, room: Room, box: np.ndarray, movable: np.ndarray, side: int, cells: int, place: int, failed: np.ndarray
) -> Wide:
    """`narrow` of the checker: `box`, the inputs, becomes the corner; returns the slack.

    Where something is undefined, the corner is what was found until then, without slack.
    """
    remaining, slack = movable.copy(), wide(0)
    while remaining.any() and not failed[0]:
        _values(tape, box, room.nodes, place, failed)
        if not failed[0]:
            gradient(tape, room, remaining, place, failed)
        if failed[0]:
            break
        ended = False
        for i in range(remaining.size):
            if remaining[i]:
                low, high = slope(room, i, side)
                if not less(low, wide(0)) or not less(wide(0), high):
                    bl, bh = take(box, i)
                    end = bh if less(low, wide(0)) else bl
                    put(box, i, end, end)
                    remaining[i], ended = False, True
        if not ended:
            slack = _shift(tape, room, box, remaining, side, cells, place, failed)
            break
    if failed[0] == UNDEFINED:
        failed[0] = 0
        return wide(0)
    return slack


@inner_njit
def _shift(
    tape: Tape,
    room: Room,
    box: np.ndarray,
    remaining: np.ndarray,
    side: int,
    cells: int,
    place: int,
    failed: np.ndarray,
) -> Wide:
    """Each remaining measurement goes to the cell boundary with the least slack; the room has the slopes on the box."""
    count = remaining.size
    cuts, slopes = np.empty(4 * (cells + 1), np.int64), np.empty(PAIR * cells, np.int64)
    falls, shifted, part = np.empty(8 * (cells + 1), np.int64), box.copy(), np.empty_like(box)
    whole, alone, slack = np.empty(PAIR * count, np.int64), np.zeros(count, np.bool_), wide(0)
    for i in range(count):
        low, high = slope(room, i, side)
        put(whole, i, low, high)
    for i in range(count):
        if not remaining[i]:
            continue
        low, high = take(box, i)
        for j in range(cells + 1):
            along = exactly(sub(high, low), wide(j), failed)
            store(cuts, 4 * j, add(low, floor_quotient(along, wide(cells))))
        for j in range(cells):
            if cells == 1:
                sl, sh = take(whole, i)
            else:
                part[:] = box
                put(part, i, load(cuts, 4 * j), load(cuts, 4 * (j + 1)))
                alone[:] = False
                alone[i] = True
                _values(tape, part, room.nodes, place, failed)
                if failed[0]:
                    return wide(0)
                gradient(tape, room, alone, place, failed)
                sl, sh = slope(room, i, side)
            put(slopes, j, sl, sh)
            if failed[0]:
                return wide(0)
        cut, loss = least_slack(cuts, slopes, cells, falls, failed)
        put(shifted, i, cut, cut)
        slack = add(slack, loss)
    box[:] = shifted
    return negative(right(negative(slack), tape.bits))


@njit(cache=True, error_model="numpy", nogil=True)
def last_nodes(tape: Tape, places: np.ndarray, inputs: np.ndarray, answer: np.ndarray, failures: np.ndarray) -> None:
    """The last node of each row's tape."""
    nodes, failed = np.empty_like(tape.template), np.zeros(1, np.int64)
    for r in range(places.size):
        failed[0] = 0
        _values(tape, inputs[r], nodes, places[r], failed)
        low, high = take(nodes, tape.template.size // PAIR - 1)
        put(answer, r, low, high)
        failures[r] = failed[0] != 0
