"""Files to begin with: small problems that run as they stand, with a word where they want to become one's own.

point         problem.toml and poses.csv: an equation of one's own ([model]), one part, no code
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
provenance = "measured: by hand, with a tape"   # or "simulated: ..."
poses = "poses.csv"                             # beside this file; also .xlsx, .parquet, .npz
half_widths_are = "bounds"                      # or "3 standard deviations"

[model]
equation = "norm(p - [x, y]) - d"               # is 0 where everything fits

[model.parameters]                              # what is unknown: length, angle or number
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
