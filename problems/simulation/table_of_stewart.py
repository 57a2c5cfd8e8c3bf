"""The *Table of Stewart* of S2: blueprint (table 1), calibrated parameters x_c (table 4), noise (tables 2 and 3), and
its 64 extreme poses.

Rows are legs 1 to 6, columns a_x a_y a_z b_x b_y b_z l, in mm. A leg is L + l long; the actuator moves L from 0 to 140
mm, which with the blueprint's offset of 345 mm gives S2's 345 to 485 mm. S2 prints no measurements: whatever is
computed from these tables is simulated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from certify.problems.formulas.units import UNITS, parse_decimal

STROKE = 140
HOME_STROKE = 70
HOME_HEIGHT = 350.0

BLUEPRINT_TEXT = """
-223.1792 -151.9573 0  -19.9938 -193.9723 0 345
 223.1792 -151.9573 0   19.9938 -193.9723 0 345
 243.1885 -117.3002 0  177.9818   79.6710 0 345
  20.0093  269.2575 0  157.9880  114.3013 0 345
 -20.0093  269.2575 0 -157.9880  114.3013 0 345
-243.1885 -117.3002 0 -177.9818   79.6710 0 345
"""

CALIBRATED_TEXT = """
-220.7358 -148.9040 -1.3908  -20.5951 -191.2210  0.2772 334.5216
 220.1908 -148.9040 -1.3908   18.2577 -191.2210  0.2772 334.0422
 240.5155 -116.3502 -1.3908  176.4621   78.6322  0.2772 337.5156
  20.5843  264.2345  3.1014  156.3954  110.6810 -0.7735 333.2639
 -18.3513  265.3592  3.9762 -155.1999  112.7371 -0.7923 334.7650
-242.2035 -115.4354 -2.9053 -175.3203   80.3917  0.7341 337.3083
"""

# Standard deviations: positions in m and angles in degrees (table 3), lengths in mm (table 2).
DEVIATIONS_TEXT = """
x 6.33e-5 m
y 2.30e-5 m
z 6.08e-5 m
alpha 9.23e-3 deg
beta 1.19e-2 deg
gamma 8.94e-3 deg
L1 0.0077 mm
L2 0.0127 mm
L3 0.0117 mm
L4 0.0102 mm
L5 0.0118 mm
L6 0.0190 mm
"""


def _rows(text: str) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(parse_decimal(cell, "S2") for cell in line.split()) for line in text.strip().splitlines())


def blueprint() -> tuple[tuple[Fraction, ...], ...]:
    """Table 1: what the robot was meant to be."""
    return _rows(BLUEPRINT_TEXT)


def calibrated() -> tuple[tuple[Fraction, ...], ...]:
    """Table 4: S2's least-squares estimate, which simulations take as the truth."""
    return _rows(CALIBRATED_TEXT)


def deviations() -> dict[str, Fraction]:
    """Standard deviations of the measurements, in mm and degrees."""
    cells = (line.split() for line in DEVIATIONS_TEXT.strip().splitlines())
    return {name: parse_decimal(number, "S2") * UNITS[unit].factor for name, number, unit in cells}


def extreme_strokes() -> tuple[tuple[Fraction, ...], ...]:
    """The 2^6 commands in which every actuator is fully drawn in or out; leg 1 changes fastest."""
    return tuple(tuple(Fraction(end) for end in reversed(ends)) for ends in product((0, STROKE), repeat=6))
