"""PaLiDA as a platform to calibrate: the hexapod of S1, whose six struts are read as lengths.

    |P + Rz(psi) Ry(theta) Rx(phi) b - a| = L + l

S1 gives no dimensions; a and b are those of the robot whose forces are simulated (problems/palida/geometry.py), and
poses are drawn from its workspace.
"""

from fractions import Fraction

from certify.problems.palida.geometry import BASE
from certify.problems.palida.geometry import PLATFORM as PLATE
from certify.problems.simulation.platform import Platform


def _joints(strut: int) -> tuple[str, ...]:
    return tuple(f"{1000.0 * float(value):.3f} mm" for value in (*BASE[:, strut], *PLATE[:, strut]))


PLATFORM = Platform(
    title="Hexapod PaLiDA, 48 poses",
    source="hexapod PaLiDA (Abdellatif et al. 2005) of invented dimensions",
    model="""
equation = "norm(P + Rz(psi)*Ry(theta)*Rx(phi)*b - a) - (L + l)"
[parameters]
a = "length x y z"
b = "length x y z"
l = "length"
[columns]
x = "length"
y = "length"
z = "length"
phi = "angle"
theta = "angle"
psi = "angle"
[leg_columns]
L = "length"
[definitions]
P = "[x, y, z]"
""",
    blueprint=tuple((*_joints(strut), "0 mm") for strut in range(BASE.shape[1])),
    radius=("10 mm",) * 7,
    spread=2.0,
    workspace={
        "x": (-200.0, 200.0), "y": (-200.0, 200.0), "z": (-1000.0, -700.0), "phi": (-20.0, 20.0),
        "theta": (-20.0, 20.0), "psi": (-20.0, 20.0),
    },
    poses=48,
    deviations={"x": Fraction(1, 50), "y": Fraction(1, 50), "z": Fraction(1, 50), "L": Fraction(1, 100)}
    | {name: Fraction(1, 200) for name in ("phi", "theta", "psi")},
    start=880.0,
)  # fmt: skip
