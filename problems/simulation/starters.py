"""Files to begin with: small problems that run as they stand, with a word where they want to become one's own.

point         problem.toml and poses.csv: an equation of one's own ([model]), one part, no code
spring        problem.toml and poses.csv: forces against lengths, a stiffness in N/mm
motor         problem.toml and poses.csv: voltage, current, speed and torque of a motor, two equations
system        system.bch: equations in Minibex
regressor     regressor.csv: rows of a linear model, a log's or anybody's
fit           fit.py: a function of numpy and data
gough, ...    the simulated robots, free of unmodelled errors, whose table is to be replaced
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.experiments.toml_writer import TABLE_FILE, write_experiment
from certify.problems.files.disk import write_text
from certify.problems.formulas.units import nearest, shown
from certify.problems.simulation.simulation import ROBOTS, SEED
from certify.problems.simulation.unmodelled_error import unmodelled_error

POINT = """format = "certify-problem-file 1"
title = "A point and three anchors"
provenance = "simulated: an example"            # of your own: "measured: by whom, with what"
poses = "poses.csv"                             # beside this file; also .xlsx, .parquet, .npz
half_widths_are = "bounds"                      # or "3 standard deviations"

[model]
equation = "norm(p - [x, y]) - d"               # is 0 where everything fits

[model.parameters]                              # what is unknown: length, angle, force, number, ...
p = "length x y"

[model.columns]                                 # what the table has in each line
x = "length"
y = "length"
d = "length"

[half_widths]                                   # how far each reading may be off
x = "1 cm"
y = "1 cm"
d = "2 cm"

[box]
centre = "nominal"

[parameters]                                    # where the unknowns are looked for
p = { value = ["2 m", "1.5 m"], radius = "1 m" }
"""
SPRING = """format = "certify-problem-file 1"
title = "A spring on a balance"
provenance = "simulated: an example"
poses = "poses.csv"
half_widths_are = "bounds"

[model]
equation = "F - k*(L0 - L)"                     # a force; lengths, forces, times, ... may be multiplied and divided

[model.parameters]                              # in words: length, angle, force, torque, voltage, current, time, ...
k = "force/length"
L0 = "length"

[model.columns]
L = "length"
F = "force"

[half_widths]
L = "0.05 mm"
F = "20 mN"

[box]
centre = "nominal"

[parameters]
k = { value = "0.8 N/mm", radius = "200 N/m" }  # in any unit of a force by one of a length
L0 = { value = "40 mm", radius = "5 mm" }
"""
SPRING_POSES = """pose,L [mm],F [N]
1,38.02,1.65
2,35.99,3.35
3,34.03,4.98
4,31.97,6.69
5,30.01,8.36
6,27.98,10.01
"""
MOTOR = """format = "certify-problem-file 1"
title = "A DC motor on a brake"
provenance = "simulated: an example"
poses = "poses.csv"
half_widths_are = "bounds"

[model.equations]                               # each has an error of its own, in V and in Nm
electric = "U - (R*I + K*w)"
mechanic = "M - (K*I - d*w)"

[model.parameters]
R = "voltage/current"
K = "torque/current"
d = "torque*time/angle"

[model.columns]
U = "voltage"
I = "current"
w = "angle/time"
M = "torque"

[half_widths]
U = "20 mV"
I = "10 mA"
w = "0.5 rad/s"
M = "1 mNm"

[box]
centre = "nominal"

[parameters]
R = { value = "1.2 V/A", radius = "0.5 V/A" }
K = { value = "0.05 Nm/A", radius = "0.02 V.s" }  # a torque by a current is a voltage times a time
d = { value = "0.02 mNm.s/rad", radius = "0.05 mNm.s/rad" }
"""
MOTOR_POSES = """pose,U [V],I [mA],w [rad/s],M [mNm]
1,6.00,350,107.3,16.2
2,6.00,1020,92.1,51.1
3,12.01,400,221.0,17.2
4,12.00,1980,184.3,99.1
5,18.00,450,335.2,16.8
6,18.01,2510,287.3,124.4
7,23.99,500,448.9,18.0
8,24.00,3020,390.3,148.3
"""
POSES = "pose,x [m],y [m],d [m]\nA,0,0,2.5\nB,4,0,2.5\nC,0,3,2.5\n"
SYSTEM = """// unknowns and where they are looked for
Variables
  x in [-3, 3];
  y in [-3, 3];

// equations and inequalities; ^, sqrt, sin, exp, ... are known
Constraints
  x^2 + y^2 = 4;
  y = x^2 - 1;
end
"""
FIT = '''"""Is this least-squares fit the only minimum, and how many of its digits are true?"""

import certify

x = [0, 1, 2, 3, 4, 5, 6, 7]
y = [5.02, 3.71, 2.74, 2.02, 1.51, 1.10, 0.83, 0.60]


def model(x, a, b):
    return a * np.exp(-b * x)


if __name__ == "__main__":
    answer = certify.fit(model, x, y, start=[5, 0.3], box=[(0, 10), (0, 1)])
    print(answer)
'''.replace("import certify\n", "import numpy as np\n\nimport certify\n", 1)


def _regressor() -> str:
    """Twelve rows of M a + Fc sign = tau, off by at most 0.25 Nm."""
    lines = ["M [kg m^2],Fc [Nm],tau [Nm]"]
    for k in range(12):
        a, sign = (k - 6) / 5, 1 if k % 2 else -1
        lines.append(f"{a},{sign},{95 * a + 2 * sign + (k % 3 - 1) / 4}")
    return "\n".join([*lines, ""])


@dataclass(frozen=True, slots=True)
class Starter:
    """Its files by their names, and the command that answers it."""

    files: Mapping[str, str]
    command: str


STARTERS = {
    "point": Starter({"problem.toml": POINT, "poses.csv": POSES}, "certify run {}/problem.toml"),
    "spring": Starter({"problem.toml": SPRING, "poses.csv": SPRING_POSES}, "certify run {}/problem.toml"),
    "motor": Starter({"problem.toml": MOTOR, "poses.csv": MOTOR_POSES}, "certify run {}/problem.toml"),
    "system": Starter({"system.bch": SYSTEM}, "certify run {0}/system.bch --out {0}/solved"),
    "regressor": Starter({"regressor.csv": _regressor()}, "certify identify {}/regressor.csv --y tau --bound '0.3 Nm'"),
    "fit": Starter({"fit.py": FIT}, "python {}/fit.py"),
}


def write_starter(what: str, folder: Path) -> tuple[list[Path], str]:
    """Write the files; returns them, and the command to go on with."""
    if what in STARTERS:
        starter = STARTERS[what]
        for name, text in starter.files.items():
            write_text(folder / name, text)
        return [folder / name for name in starter.files], starter.command.format(folder)
    if what not in ROBOTS:
        raise InputError(f"there is no starter {shown(what)}; {nearest(what, (*STARTERS, *ROBOTS))}")
    written = write_experiment(folder, ROBOTS[what](unmodelled_error("none"), SEED, "1").experiment)
    return [written, written.parent / TABLE_FILE], f"certify run {written}"
