"""The polynomials of rows, and lower bounds of their weighted sums, bit for bit as `certify.checker.rules` has them.

Polynomials of all rows have the same monomials, given by pairs of positions (-1, -1 for none, i, -1 for one variable).
A program computes a row's coefficients from its nodes, the bound and the centre: rows (code, target, first, second)
over registers, which are intervals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from certify.contractors.fixed_point.intervals import (
    add_intervals,
    divide,
    inner_njit,
    larger,
    multiply,
    negative,
    root,
    smaller,
    square,
)
from certify.contractors.fixed_point.tapes import (
    ADD,
    COS,
    DIV,
    MUL,
    NEG,
    PAIR,
    REMEMBERED,
    SIN,
    SQR,
    SQRT,
    SUB,
    Room,
    Tape,
    corner,
    exactly,
    put,
    run,
    take,
)
from certify.contractors.fixed_point.trigonometry import sine_and_cosine
from certify.contractors.fixed_point.wide import (
    Wide,
    add,
    add_products,
    doubled,
    fits,
    fits_product,
    halved,
    left,
    less,
    less_product,
    load,
    product,
    right_product,
    short,
    short_product,
    store,
    store_product,
    wide,
)

TWICE, MEET = 10, 11  # the product of two different monomials of a square, taken twice; what two intervals share


class Form(NamedTuple):
    """How a family's polynomials follow from its nodes: the program, its number of registers, those of the coefficients
    and of what must not be negative (-1: none), and the monomials.
    """

    code: np.ndarray
    registers: int
    outputs: np.ndarray
    guard: np.ndarray
    monomials: np.ndarray


class Prepared(NamedTuple):
    """A prepared box: its half-widths around the centre, its cells, the bound, and the registers behind it."""

    offsets: np.ndarray
    cells: int
    above: np.ndarray
    fixed: np.ndarray


class Asked(NamedTuple):
    """Rows: where the memory of each begins, its inputs, and the measurements that the lemma moves; of those that are
    unknowns their positions, and for each row their middles and how far they are from these.
    """

    places: np.ndarray
    inputs: np.ndarray
    movable: np.ndarray
    entries: np.ndarray
    middles: np.ndarray
    reaches: np.ndarray


class Answer(NamedTuple):
    """Of each row its polynomial, a bound of its absolute value on the box, and whether it failed."""

    terms: np.ndarray
    sizes: np.ndarray
    failures: np.ndarray


class Layout(NamedTuple):
    """The monomials, the places of those of one and of two variables among them (-1: none), and which ones have a
    measurement, that is another one for each number of rows.
    """

    monomials: np.ndarray
    linear: np.ndarray
    pairs: np.ndarray
    own: np.ndarray


class Weighted(NamedTuple):
    """Row terms by their places, products of distances by (position, sign, position, sign), and the weights of both.

    Rows that share measurements stand together: where the first of each such member stands (and how many rows there
    are), and how far its measurements are from their middles, behind the variables' offsets.
    """

    rows: np.ndarray
    row_weights: np.ndarray
    products: np.ndarray
    product_weights: np.ndarray
    members: np.ndarray
    reaches: np.ndarray


@inner_njit
def _least_product(al: Wide, ah: Wide, bl: Wide, bh: Wide) -> Wide:
    """The least of the four products of ends, exactly."""
    if short(al) and short(ah) and short(bl) and short(bh):
        lower = smaller(short_product(al, bl), short_product(al, bh))
        return doubled(smaller(lower, smaller(short_product(ah, bl), short_product(ah, bh))))
    found = product(al, bl)
    for other in (product(al, bh), product(ah, bl), product(ah, bh)):
        found = other if less_product(other, found) else found
    return found


@inner_njit
def _execute(tape: Tape, place: int, program: np.ndarray, registers: np.ndarray, failed: np.ndarray) -> None:
    """All operations of a program, for the row whose memory begins at the place."""
    bits = tape.bits
    for k in range(program.shape[0]):
        code, target, first, second = program[k, 0], program[k, 1], program[k, 2], program[k, 3]
        al, ah = take(registers, first)
        if code == NEG:
            low, high = negative(ah), negative(al)
        elif code == SQR:
            low, high = square(al, ah, bits, failed)
        elif code == SQRT:
            low, high = root(al, ah, bits, failed)
        elif code in (SIN, COS):
            memory = place + REMEMBERED * second
            sl, sh, cl, ch = sine_and_cosine(al, ah, tape.quarter, bits, tape.memory, memory, failed)
            low, high = (sl, sh) if code == SIN else (cl, ch)
        else:
            bl, bh = take(registers, second)
            if code == ADD:
                low, high = add_intervals(al, ah, bl, bh, failed)
            elif code == SUB:
                low, high = add_intervals(al, ah, negative(bh), negative(bl), failed)
            elif code == MUL:
                low, high = multiply(al, ah, bl, bh, bits, failed)
            elif code == DIV:
                low, high = divide(al, ah, bl, bh, bits, failed)
            elif code == MEET:
                low, high = larger(al, bl), smaller(ah, bh)
            else:
                low, high = multiply(add(al, al), add(ah, ah), bl, bh, bits, failed)
        put(registers, target, low, high)
        if failed[0]:
            return


@inner_njit
def _ranges(
    monomials: np.ndarray, offsets: np.ndarray, ranges: np.ndarray, bits: int, wanted: np.ndarray, failed: np.ndarray
) -> None:
    """The ranges of the wanted monomials over the offsets."""
    one = left(wide(1), bits)
    for m in range(monomials.shape[0]):
        if not wanted[m]:
            continue
        i, j = monomials[m, 0], monomials[m, 1]
        if i < 0:
            put(ranges, m, one, one)
        elif j < 0:
            low, high = take(offsets, i)
            put(ranges, m, low, high)
        else:
            al, ah = take(offsets, i)
            bl, bh = take(offsets, j)
            low, high = square(al, ah, bits, failed) if i == j else multiply(al, ah, bl, bh, bits, failed)
            put(ranges, m, low, high)


@inner_njit
def _size(
    coefficients: np.ndarray, first: int, monomials: np.ndarray, offsets: np.ndarray, bits: int, failed: np.ndarray
) -> Wide:
    """A bound of the absolute value of a polynomial on the prepared box."""
    zero, total = wide(0), wide(0)
    for m in range(monomials.shape[0]):
        low, high = take(coefficients, first + m)
        size = larger(negative(low), high)
        if less(zero, size):
            for position in monomials[m]:
                if position >= 0:
                    _, reach = take(offsets, position)
                    found = right_product(product(size, reach), bits)
                    if not fits_product(found):
                        failed[0] = 1
                    size = halved(found)
            total = add(total, add(size, wide(1)))
    return total


@inner_njit
def _with_room(offsets: np.ndarray, entries: np.ndarray) -> np.ndarray:
    """The offsets, and room for those of measurements at these positions."""
    size = offsets.size
    for position in entries:
        size = max(size, PAIR * (position + 1))
    found = np.zeros(size, np.int64)
    found[: offsets.size] = offsets
    return found


@njit(cache=True, error_model="numpy", nogil=True)
def row_terms(tape: Tape, form: Form, prepared: Prepared, side: int, asked: Asked, answer: Answer) -> None:
    """The polynomials of rows of one family from one side; what is told of rows that fail is meaningless."""
    count, bits, size = tape.template.size // PAIR, tape.bits, form.outputs.size
    room = Room(
        np.empty(PAIR * count, np.int64),
        np.empty(PAIR * count, np.int64),
        np.empty(count, np.bool_),
        np.empty(count, np.bool_),
    )
    registers, failed = np.empty(PAIR * form.registers, np.int64), np.zeros(1, np.int64)
    ranges, zero = np.empty(PAIR * size, np.int64), product(wide(0), wide(0))
    _ranges(form.monomials, prepared.offsets, ranges, bits, form.guard >= 0, failed)
    fixed, middles = PAIR * (count + 1), asked.middles.shape[1]
    further, offsets = fixed + prepared.fixed.size, _with_room(prepared.offsets, asked.entries)
    for r in range(asked.places.size):
        failed[0] = 0
        box = asked.inputs[r].copy()
        slack = corner(tape, room, box, asked.movable[r], side, prepared.cells, asked.places[r], failed)
        registers[: PAIR * count] = tape.template
        registers[: box.size] = box
        run(tape, tape.constant_steps, registers, asked.places[r], failed)
        bound = add(load(prepared.above, 0), slack)
        put(registers, count, bound, bound)
        registers[fixed:further] = prepared.fixed
        registers[further : further + middles] = asked.middles[r]
        registers[further + middles : further + 2 * middles] = asked.reaches[r]
        for k in range(asked.entries.size):
            low, high = take(asked.reaches[r], k)
            put(offsets, int(asked.entries[k]), low, high)
        _execute(tape, asked.places[r], form.code, registers, failed)
        least = zero
        for m in range(size):
            low, high = take(registers, form.outputs[m])
            put(answer.terms, r * size + m, low, high)
            if form.guard[m] >= 0:
                low, high = take(registers, form.guard[m])
                rl, rh = take(ranges, m)
                least = add_products(least, _least_product(low, high, rl, rh))
        size_of = _size(answer.terms, r * size, form.monomials, offsets, bits, failed)
        store(answer.sizes, 4 * r, size_of)
        answer.failures[r] = failed[0] != 0 or less_product(least, zero)


@inner_njit
def _include(total: np.ndarray, monomial: int, low: Wide, high: Wide, weight: Wide, failed: np.ndarray) -> None:
    """Add a multiple of a coefficient."""
    old_low, old_high = take(total, monomial)
    low, high = add(old_low, exactly(weight, low, failed)), add(old_high, exactly(weight, high, failed))
    if not (fits(low) and fits(high)):
        failed[0] = 1
    put(total, monomial, low, high)


@inner_njit
def _include_product(
    total: np.ndarray,
    radius: np.ndarray,
    layout: Layout,
    faces: np.ndarray,
    weight: Wide,
    bits: int,
    failed: np.ndarray,
) -> None:
    """Add a multiple of -(R_i - s d_i)(R_j - t d_j)."""
    i, s, j, t = faces[0], faces[1], faces[2], faces[3]
    one = left(wide(1), bits)
    al, ah = take(radius, i)
    bl, bh = take(radius, j)
    low, high = multiply(negative(ah), negative(al), bl, bh, bits, failed)
    _include(total, 0, low, high, weight, failed)
    low, high = (al, ah) if t > 0 else (negative(ah), negative(al))
    _include(total, layout.linear[j], low, high, weight, failed)
    low, high = (bl, bh) if s > 0 else (negative(bh), negative(bl))
    _include(total, layout.linear[i], low, high, weight, failed)
    high = negative(one) if s * t > 0 else one
    _include(total, layout.pairs[i, j], high, high, weight, failed)


@inner_njit
def _slope(total: np.ndarray, ranges: np.ndarray, monomials: np.ndarray, unknown: int, way: int, bits: int) -> Wide:
    """The least slope of a polynomial along an unknown over these ranges of all positions (of its negative, if `way` is
    -1).
    """
    least, one = product(wide(0), wide(0)), left(wide(1), bits)
    for m in range(monomials.shape[0]):
        i, j = monomials[m, 0], monomials[m, 1]
        if i != unknown and j != unknown:
            continue
        low, high = take(total, m)
        if way < 0:
            low, high = negative(high), negative(low)
        other = j if i == unknown else i
        if i == j:
            low, high = add(low, low), add(high, high)
        if other < 0:
            least = add_products(least, _least_product(low, high, one, one))
        else:
            rl, rh = take(ranges, other)
            least = add_products(least, _least_product(low, high, rl, rh))
    return least


@inner_njit
def _put(total: np.ndarray, end: Wide, layout: Layout, unknown: int, bits: int, failed: np.ndarray) -> None:
    """A number in the place of an unknown, in all monomials."""
    for m in range(layout.monomials.shape[0]):
        i, j = layout.monomials[m, 0], layout.monomials[m, 1]
        if i != unknown and j != unknown:
            continue
        low, high = take(total, m)
        low, high = multiply(low, high, end, end, bits, failed)
        if i == j:
            low, high = multiply(low, high, end, end, bits, failed)
        other = -1 if i == j else j if i == unknown else i
        target = 0 if other < 0 else int(layout.linear[other])
        old_low, old_high = take(total, target)
        low, high = add(old_low, low), add(old_high, high)
        if not (fits(low) and fits(high)):
            failed[0] = 1
        put(total, target, low, high)
        put(total, m, wide(0), wide(0))


@inner_njit
def _settle(
    total: np.ndarray, ranges: np.ndarray, layout: Layout, variables: int, bits: int, failed: np.ndarray
) -> None:
    """Put each measurement along which the sum only rises (falls) at its lower (upper) end, until there is none."""
    zero, every = product(wide(0), wide(0)), layout.pairs.shape[0]
    waiting, moved = np.ones(every, np.bool_), True
    while moved:
        moved = False
        for unknown in range(variables, every):
            if not waiting[unknown]:
                continue
            rises = not less_product(_slope(total, ranges, layout.monomials, unknown, 1, bits), zero)
            if rises or not less_product(_slope(total, ranges, layout.monomials, unknown, -1, bits), zero):
                low, high = take(ranges, unknown)
                _put(total, low if rises else high, layout, unknown, bits, failed)
                waiting[unknown], moved = False, True


@inner_njit
def _least(total: np.ndarray, ranges: np.ndarray, wanted: np.ndarray) -> Wide:
    """The least that the wanted coefficients times the ranges of their monomials add up to; these begin anew at 0."""
    bound = product(wide(0), wide(0))
    for m in range(wanted.size):
        if wanted[m]:
            low, high = take(total, m)
            rl, rh = take(ranges, m)
            bound = add_products(bound, _least_product(low, high, rl, rh))
            put(total, m, wide(0), wide(0))
    return bound


@njit(cache=True, error_model="numpy", nogil=True)
def weighted_bound(
    terms: np.ndarray,
    weighted: Weighted,
    radius: np.ndarray,
    layout: Layout,
    offsets: np.ndarray,
    bits: int,
    answer: np.ndarray,
) -> bool:
    """A lower bound of a weighted sum over the offsets, at twice the precision and times the weights' scale, written to
    `answer`; whether it is one.
    """
    count, failed = layout.monomials.shape[0], np.zeros(1, np.int64)
    total, ranges = np.zeros(PAIR * count, np.int64), np.empty(PAIR * count, np.int64)
    bound, both = product(wide(0), wide(0)), np.concatenate((offsets, weighted.reaches[0]))
    for member in range(weighted.members.size - 1):
        for k in range(weighted.members[member], weighted.members[member + 1]):
            weight = load(weighted.row_weights, 4 * k)
            for m in range(count):
                low, high = take(terms, weighted.rows[k] * count + m)
                _include(total, m, low, high, weight, failed)
        both[offsets.size :] = weighted.reaches[member]
        _settle(total, both, layout, offsets.size // PAIR, bits, failed)
        _ranges(layout.monomials, both, ranges, bits, layout.own, failed)
        bound = add_products(bound, _least(total, ranges, layout.own))
    for k in range(weighted.products.shape[0]):
        faces = weighted.products[k]
        if layout.pairs[faces[0], faces[2]] < 0:
            return False
        _include_product(total, radius, layout, faces, load(weighted.product_weights, 4 * k), bits, failed)
    _ranges(layout.monomials, offsets, ranges, bits, ~layout.own, failed)
    bound = add_products(bound, _least(total, ranges, ~layout.own))
    store_product(answer, 0, bound)
    return bool(failed[0] == 0)
