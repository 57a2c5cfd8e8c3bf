"""A Gough platform of another geometry than the shipped one: a wide hexagonal base of 700 mm radius under a small
platform of 250 mm.

The model is that of the kind `gough`, written as a user would. The dimensions are ours: the size of a motion platform
for a seat.
"""

from fractions import Fraction
from math import cos, radians, sin

from certify.problems.simulation.platform import Platform

BASE = (-10, 10, 110, 130, 230, 250)  # directions of the base joints, in degrees
PLATE = (-45, 45, 75, 165, 195, 285)


def _on_circle(radius: float, angle: float, height: float) -> tuple[str, str, str]:
    return f"{radius * cos(radians(angle)):.3f} mm", f"{radius * sin(radians(angle)):.3f} mm", f"{height} mm"


PLATFORM = Platform(
    title="Gough platform with a wide base, 48 poses",
    source="Gough platform of invented dimensions",
    model="""
equation = "norm(P + R*b - a) - (L + l)"
[parameters]
a = "length x y z"
b = "length x y z"
l = "length"
[columns]
x = "length"
y = "length"
z = "length"
alpha = "angle"
beta = "angle"
gamma = "angle"
[leg_columns]
L = "length"
[definitions]
P = "[x, y, z]"
R = "rotation_xyz(alpha, beta, gamma)"
""",
    blueprint=tuple((*_on_circle(700, base, 0), *_on_circle(250, plate, -40), "600 mm") for base,
                    plate in zip(BASE, PLATE, strict=True)),
    radius=("20 mm",) * 7,
    spread=3.0,
    workspace={
        "x": (-150.0, 150.0), "y": (-150.0, 150.0), "z": (620.0, 860.0), "alpha": (-18.0, 18.0), "beta": (-18.0, 18.0),
        "gamma": (-25.0, 25.0),
    },
    poses=48,
    deviations={"x": Fraction(1, 50), "y": Fraction(1, 50), "z": Fraction(1, 50), "L": Fraction(1, 100)}
    | {name: Fraction(1, 200) for name in ("alpha", "beta", "gamma")},
    start=200.0,
)  # fmt: skip
