"""A fit that runs away along what its measurements hide is made with that at the blueprint, and only then."""

import numpy as np
import pytest

from certify.claims.fit_table import fit_lines
from certify.parts.fitting import fit_experiment
from certify.problems.experiments.experiment import box_centre
from certify.problems.experiments.toml_reader import load_experiment

BENT = """format = "certify-problem-file 1"
title = "A line that may bend"
provenance = "simulated: a line that bends the other way"
poses = "poses.csv"
[model.equations]
height = "a + b*s + bend*exp(k + s) - y"
[model.parameters]
a = "length"
b = "length"
k = "number"
[model.columns]
s = "number"
y = "length"
[model.constants]
bend = "1 mm"
[half_widths]
s = "0 1"
y = "0.01 mm"
[box]
centre = "least squares"
[parameters]
a = { value = "3 mm", radius = "1 mm" }
b = { value = "2 mm", radius = "1 mm" }
k = { value = "START 1", radius = "1 1" }
"""


def bent(folder, start, size, rows=60):
    """A line of which what the model adds is missing, or less than nothing; readings miss it by 0.05 mm."""
    s = np.linspace(0.0, 1.0, rows)
    y = 3.2 + 1.9 * s - size * np.exp(s) + 0.05 * np.where(np.arange(rows) % 2, 1.0, -1.0)
    lines = [f"{a:.6f},{b:.6f}" for a, b in zip(s, y, strict=True)]
    (folder / "poses.csv").write_text("\n".join(["s [1],y [mm]", *lines]) + "\n")
    (folder / "problem.toml").write_text(BENT.replace("START", str(start)))
    return load_experiment(folder / "problem.toml")


def test_what_is_hidden_stays_at_the_blueprint(tmp_path):
    experiment = bent(tmp_path, -9, 1e-4)
    fitting = fit_experiment(experiment)
    (part,) = fitting.parts
    assert part.settled and [experiment.variables[v].name for v in fitting.still] == ["k"]
    assert part.x[fitting.still[0]] == -9
    assert float(part.x[0]) == pytest.approx(3.2, abs=0.05) and float(part.x[1]) == pytest.approx(1.9, abs=0.05)
    lines = fit_lines(fitting, experiment.problem(box_centre(experiment, fitting.estimate)))
    assert lines[0].startswith("in the least-squares fit k stays at the blueprint, because")


def test_what_misses_more_without_it_does_not(tmp_path):
    fitting = fit_experiment(bent(tmp_path, -1, 0.9))
    assert fitting.still == () and not fitting.parts[0].settled
