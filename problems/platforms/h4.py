"""The H4 robot of S0: four arms and forearms, and a nacelle in the form of an H that turns about z by theta.

    |D + h (cos theta, sin theta, 0) + e - p - arm(q)| = forearm          (S0 eq. 2-9, for each of the four chains)

D = (x, y, z) and theta are the measured pose; h is the half length of the bar that turns (with a sign for its side), e
where the forearms' joint is on the part that does not turn, p the middle of the arm's axis. The arm swings in the
vertical plane of direction alpha; (u, w) is its tip, out and down, at the reading 0. As e and p are told apart by
nothing, e is known exactly, and so are the directions of S0: 0, 180, 270 and 270 degrees. S0 gives no dimensions; these
are ours, plausible for such a machine: arms of 260 mm, forearms of 480 mm, an H of 60 by 100 mm.
"""

from fractions import Fraction

from certify.problems.simulation.platform import Platform

MODEL = """
equation = "norm(D + [h*cos(theta), h*sin(theta), 0] + e - p - Rz(alpha)*[out, 0, -down]) - forearm"
[parameters]
p = "length x y z"
e = "length x y z"
alpha = "angle"
h = "length"
arm = "length u w"
forearm = "length"
[columns]
x = "length"
y = "length"
z = "length"
theta = "angle"
[leg_columns]
q = "angle"
[definitions]
D = "[x, y, z]"
out = "arm[1]*cos(q) - arm[2]*sin(q)"
down = "arm[1]*sin(q) + arm[2]*cos(q)"
"""
RADIUS = ("10 mm", "10 mm", "10 mm", "0 mm", "0 mm", "0 mm", "0 deg", "5 mm", "10 mm", "10 mm", "10 mm")
DEVIATIONS = {name: Fraction(1, 100) for name in ("x", "y", "z")} | {"theta": Fraction(1, 200), "q": Fraction(1, 500)}
REST = ("260 mm", "0 mm", "480 mm")

PLATFORM = Platform(
    title="H4 robot, 48 poses",
    source="H4 robot (Poignet et al. 2003) of invented dimensions",
    model=MODEL,
    blueprint=(
        ("200 mm", "50 mm", "0 mm", "0 mm", "50 mm", "0 mm", "0 deg", "60 mm", *REST),
        ("-200 mm", "50 mm", "0 mm", "0 mm", "50 mm", "0 mm", "180 deg", "-60 mm", *REST),
        ("-60 mm", "-190 mm", "0 mm", "0 mm", "-50 mm", "0 mm", "270 deg", "-60 mm", *REST),
        ("60 mm", "-190 mm", "0 mm", "0 mm", "-50 mm", "0 mm", "270 deg", "60 mm", *REST),
    ),
    radius=RADIUS,
    spread=1.5,
    workspace={"x": (-110.0, 110.0), "y": (-110.0, 110.0), "z": (-520.0, -400.0), "theta": (-35.0, 35.0)},
    poses=48,
    deviations=DEVIATIONS,
    start=30.0,
)
