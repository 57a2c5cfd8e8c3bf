"""Simulated readings: a true value, Gaussian noise cut at 3 sigma, and rounding to the printed digits, with the truth
still inside.

    half-width = 3 sigma rounded up to a printed digit (at least one)
    reading = round(truth + noise), drawn again until |reading - truth| <= half-width

The comparison is made in exact arithmetic, with the reading as it is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from certify.problems.files.csv_table import Measured
from certify.problems.formulas.units import Dimension

CUT = 3
PRINTED = {
    Dimension.LENGTH: Fraction(1, 10**5),
    Dimension.ANGLE: Fraction(1, 10**6),
    Dimension.NUMBER: Fraction(1, 10**9),
}  # of robots that are simulated


def half_width(deviation: Fraction, digit: Fraction) -> Fraction:
    """3 sigma, rounded up to a multiple of the last printed digit."""
    return max(1, ceil(CUT * deviation / digit)) * digit


def read_off(
    name: str, dimension: Dimension, truth: Sequence[Fraction], deviation: Fraction, random: np.random.Generator
) -> Measured:
    """A column of readings whose half-width contains the truth in every entry."""
    digit = PRINTED[dimension]
    width = half_width(deviation, digit)
    values = tuple(_reading(value, float(deviation), digit, width, random) for value in truth)
    return Measured(name, dimension.canonical, values, (width,) * len(values))


def _reading(
    truth: Fraction, deviation: float, digit: Fraction, width: Fraction, random: np.random.Generator
) -> Fraction:
    while True:
        noise = Fraction(deviation * random.standard_normal())
        reading = round((truth + noise) / digit) * digit
        if abs(reading - truth) <= width:
            return reading
