"""A cable robot with eight winches in the corners of a room, its poses measured by a camera system.

A cable runs straight from its outlet a to its hook b on the platform; its encoder says how long it is, up to an offset
l. The dimensions are ours: a room of 4 by 3 by 2.5 m and a box of 300 by 200 by 200 mm as a platform.
"""

from fractions import Fraction
from itertools import product

from certify.problems.simulation.platform import Platform


def _cable(x: int, y: int, z: int) -> tuple[str, ...]:
    """The outlet in one corner of the room; the hook is on the same side, above for a cable that comes from below."""
    outlet = (f"{2000 * x} mm", f"{1500 * y} mm", f"{1250 + 1250 * z} mm")
    return (*outlet, f"{150 * x} mm", f"{100 * y} mm", f"{-100 * z} mm", "0 mm")


PLATFORM = Platform(
    title="cable robot with eight cables, 40 measured poses",
    source="cable robot of invented dimensions",
    model="""
equation = "norm([x, y, z] + rotation_xyz(alpha, beta, gamma)*b - a) - (L + l)"
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
""",
    blueprint=tuple(_cable(*corner) for corner in product((-1, 1), repeat=3)),
    radius=("50 mm", "50 mm", "50 mm", "20 mm", "20 mm", "20 mm", "50 mm"),
    spread=10.0,
    workspace={
        "x": (-900.0, 900.0), "y": (-700.0, 700.0), "z": (500.0, 1900.0), "alpha": (-15.0, 15.0),
        "beta": (-15.0, 15.0), "gamma": (-20.0, 20.0),
    },
    poses=40,
    deviations={"x": Fraction(1, 10), "y": Fraction(1, 10), "z": Fraction(1, 10), "L": Fraction(1, 5)}
    | {name: Fraction(1, 50) for name in ("alpha", "beta", "gamma")},
    start=2000.0,
)  # fmt: skip
