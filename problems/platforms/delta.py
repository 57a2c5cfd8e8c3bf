"""A Delta robot: three translations; an arm turns about a horizontal axis, and a forearm (a parallelogram) holds the
plate.

    |Rz(-phi) P + (b, 0, 0) - a - arm(q)| = forearm,        arm(q) = (u cos q - w sin q, 0, -u sin q - w cos q)

a is the middle of the arm's axis in a frame that is turned to the arm by phi, and (u, w) the arm's tip, out and down,
at the reading 0: so the offset of the angle sensor is an unknown, and the equation stays a polynomial in the unknowns.
Only a - (b, 0, 0) can be told from such measurements, so the radius b of the plate counts as known exactly, and so does
the direction phi. The dimensions are ours: a machine for small parts, with arms of 200 mm and forearms of 500 mm.
"""

from fractions import Fraction

from certify.problems.simulation.platform import Platform

PLATFORM = Platform(
    title="Delta robot, 40 poses",
    source="Delta robot of invented dimensions",
    model="""
equation = "norm([p.x + b - a.x - out, p.y - a.y, p.z - a.z + down]) - forearm"
[parameters]
a = "length x y z"
b = "length"
phi = "angle"
arm = "length u w"
forearm = "length"
[columns]
x = "length"
y = "length"
z = "length"
[leg_columns]
q = "angle"
[definitions]
p = "Rz(-phi)*[x, y, z]"
out = "arm[1]*cos(q) - arm[2]*sin(q)"
down = "arm[1]*sin(q) + arm[2]*cos(q)"
""",
    blueprint=tuple(
        ("120 mm", "0 mm", "0 mm", "40 mm", phi, "200 mm", "0 mm", "500 mm") for phi in ("0 deg", "120 deg", "240 deg")
    ),
    radius=("10 mm", "10 mm", "10 mm", "0 mm", "0 deg", "10 mm", "10 mm", "10 mm"),
    spread=1.5,
    workspace={"x": (-160.0, 160.0), "y": (-160.0, 160.0), "z": (-560.0, -420.0)},
    poses=40,
    deviations={"x": Fraction(1, 100), "y": Fraction(1, 100), "z": Fraction(1, 100), "q": Fraction(1, 500)},
    start=30.0,
)
