"""Frames and half-spaces in exact numbers: inverses, ranges in slanted coordinates, facets of few digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from certify.checker.certificate import Facet
from certify.checker.nodes import Skew
from certify.linear_questions.polytope.sampling import Slab
from certify.linear_questions.polytope.slanted import Axis
from certify.regressors.exact_bounds import Bounds
from certify.text.decimals import round_up

PLACES, DIGITS = 9, 12  # of a half-space's coefficients and of its end
Row = tuple[tuple[Fraction, ...], Fraction]


def inverted(matrix: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Of a regular matrix, by Gauss and Jordan."""
    n = len(matrix)
    table = [[*row, *(Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if table[i][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [value / table[k][k] for value in table[k]]
        for i in range(n):
            if i != k and table[i][k]:
                share = table[i][k]
                table[i] = [a - share * b for a, b in zip(table[i], table[k], strict=True)]
    return [row[n:] for row in table]


def range_of(inverse: list[list[Fraction]], point: Sequence[Fraction], box: Sequence[Bounds]) -> list[Bounds]:
    """The box of y of a box of theta."""
    found = []
    for row in inverse:
        low = high = Fraction(0)
        for a, m, (below, above) in zip(row, point, box, strict=True):
            ends = sorted((a * (below - m), a * (above - m)))
            low, high = low + ends[0], high + ends[1]
        found.append((low, high))
    return found


def facets_of(inverse: list[list[Fraction]], frame: Skew, box: Sequence[Bounds]) -> tuple[Facet, ...]:
    """Both half-spaces along each axis in numbers of few digits, with the exact upper ends over what is left of y."""
    largest = [max(abs(float(row[j])) for row in inverse) for j in range(len(inverse))]
    facets = []
    for row in inverse:
        a = tuple(_short(value, size) for value, size in zip(row, largest, strict=True))
        for sign in (-1, 1):
            signed = tuple(sign * value for value in a)
            total = sum((x * m for x, m in zip(signed, frame.point, strict=True)), Fraction(0))
            for j, (low, high) in enumerate(box):
                slope = sum((x * line[j] for x, line in zip(signed, frame.matrix, strict=True)), Fraction(0))
                total += max(slope * low, slope * high)
            facets.append(Facet(signed, round_up(total, DIGITS) if total else total))
    return tuple(facets)


def _short(value: Fraction, largest: float) -> Fraction:
    places = PLACES - 1 - int(np.floor(np.log10(largest)))
    scale = Fraction(10) ** places
    return round(value * scale) / scale


def axes_of(facets: Sequence[Facet], box: Sequence[Bounds]) -> tuple[Axis, ...]:
    found = []
    for below, above in zip(facets[::2], facets[1::2], strict=True):
        reach = sum(
            (abs(a) * (high - low) for a, (low, high) in zip(above.coefficients, box, strict=True)), Fraction(0)
        )
        lower, upper = -below.bound, above.bound
        found.append(Axis(above.coefficients, lower, upper, (upper - lower) / reach if reach else Fraction(1)))
    return tuple(found)


def rows_of(box: Sequence[Bounds], facets: Sequence[Facet]) -> list[Row]:
    """The box and the half-spaces, as rows."""
    found = list[Row]()
    for j, (low, high) in enumerate(box):
        unit = tuple(Fraction(int(k == j)) for k in range(len(box)))
        found += [(unit, high), (tuple(-value for value in unit), -low)]
    return found + [(facet.coefficients, facet.bound) for facet in facets]


def spare_at(a: Sequence[Fraction], b: Fraction, frame: Skew) -> Fraction:
    """What a row leaves at the frame's point."""
    return b - sum((x * m for x, m in zip(a, frame.point, strict=True)), Fraction(0))


def slab_of(rows: Sequence[Row], frame: Skew, box: Sequence[Bounds]) -> Slab:
    """In units of the box's widths."""
    widths = np.array([float(high - low) or 1.0 for low, high in box])
    normals = np.array([[float(value) for value in a] for a, _ in rows]) * widths
    return Slab(normals, np.array([float(spare_at(a, b, frame)) for a, b in rows]))
