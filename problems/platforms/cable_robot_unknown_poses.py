"""A cable robot that calibrates itself: nobody measures its poses, except for the first few, which hold its frame.

A small platform hangs at a point (x, y) of the plane from four cables. Each pose is unknown, within a guess: ±15 mm (3
sigma) by hand, ±0.3 mm for the first three, which stand on marks. There are more cables than coordinates, and that is
what the data can be refuted by. The dimensions are ours: winches in the corners of a wall of 4 by 3 m.
"""

from fractions import Fraction

from certify.problems.simulation.platform import Platform

PLATFORM = Platform(
    title="cable robot with four cables and unknown poses",
    source="planar cable robot of invented dimensions",
    model="""
equation = "norm([x, y] - a) - (L + l)"
[parameters]
a = "length x y"
l = "length"
[pose_unknowns]
x = "length"
y = "length"
[leg_columns]
L = "length"
""",
    blueprint=tuple(
        (f"{x} mm", f"{y} mm", "0 mm") for x, y in ((-2000, -1500), (2000, -1500), (2000, 1500), (-2000, 1500))
    ),
    radius=("20 mm", "20 mm", "20 mm"),
    spread=5.0,
    workspace={"x": (-1200.0, 1200.0), "y": (-900.0, 900.0)},
    poses=12,
    deviations={"x": Fraction(5), "y": Fraction(5), "L": Fraction(1, 20)},
    start=2000.0,
    known_poses=3,
    known_deviation=Fraction(1, 10),
)
