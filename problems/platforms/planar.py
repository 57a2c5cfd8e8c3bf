"""A planar 3-RPR robot as a model of its own: the equation of the kind `planar_3rpr`, with another geometry.

The dimensions are ours: a base triangle of 500 mm radius, a platform of 120 mm, for a table of the size of a desk.
"""

from fractions import Fraction

from certify.problems.simulation.platform import Platform

PLATFORM = Platform(
    title="planar 3-RPR robot as a model of its own, 36 poses",
    source="planar 3-RPR robot of invented dimensions",
    model="""
equation = "norm([x, y] + rotation(theta)*b - a) - (L + l)"
[parameters]
a = "length x y"
b = "length x y"
l = "length"
[columns]
x = "length"
y = "length"
theta = "angle"
[leg_columns]
L = "length"
""",
    blueprint=(
        ("-433 mm", "-250 mm", "-60 mm", "-104 mm", "300 mm"),
        ("433 mm", "-250 mm", "120 mm", "0 mm", "300 mm"),
        ("0 mm", "500 mm", "-60 mm", "104 mm", "300 mm"),
    ),
    radius=("20 mm",) * 5,
    spread=2.0,
    workspace={"x": (-120.0, 120.0), "y": (-120.0, 120.0), "theta": (-30.0, 30.0)},
    poses=36,
    deviations={"x": Fraction(1, 100), "y": Fraction(1, 100), "theta": Fraction(1, 400), "L": Fraction(1, 100)},
    start=100.0,
)
