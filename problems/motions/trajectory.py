"""A trajectory to be run: from rest into a periodic motion, some periods, and to rest again; and its CSV file.

    phase(t)     runs in by w (2.5 p^4 - 3 p^5 + p^6) r, p = t / r in r seconds: its speed grows smoothly from 0 to w
                 along the same path, whose positions are those of the motion; then evenly; runs out as it ran in
    t [s], x [m], ..., dx [m/s], ..., ddx [m/s^2], ...         one line a sample, evenly spaced in time

What a table of these says is read by `certify simulate`, and by whoever drives a robot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from certify.problems.dynamics.joint_log import check_even, column
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES
from certify.problems.files.table_cells import read_cells, without_blanks
from certify.problems.formulas.units import parse_decimals
from certify.problems.periodic.fourier import FourierMotion
from certify.problems.regressors.regressor import Floats

DIGITS = 12
SETTLED = 1e-6  # of the largest speed: a robot at rest


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Times in s, (samples,), and positions, velocities and accelerations, (3, samples, coordinates)."""

    times: Floats
    moved: Floats

    @property
    def rate(self) -> float:
        """Samples in a second."""
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))


def trajectory(motion: FourierMotion, periods: int, rate: float, running_in: float) -> Trajectory:
    """So many periods, and as many seconds to run in as to run out."""
    seconds = 2.0 * running_in + periods * motion.period
    times = np.arange(round(seconds * rate) + 1) / rate
    w = motion.pulsation
    part = np.clip(np.minimum(times, seconds - times) / running_in, 0.0, 1.0)
    side = np.where(times < seconds / 2.0, 1.0, -1.0)
    run = running_in * part**4 * (2.5 - 3.0 * part + part**2)
    even = np.clip(times - running_in, 0.0, periods * motion.period)
    phase = w * np.where(side > 0, run + even, running_in - run + even)
    speed = w * part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
    gain = side * w * 30.0 * part**2 * (1.0 - part) ** 2 / running_in
    return Trajectory(times, motion.at(phase, speed, gain))


def headings(names: Sequence[str], units: Sequence[str]) -> list[str]:
    """Of the table's columns."""
    found = ["t [s]"]
    for d, per in (("", ""), ("d", "/s"), ("dd", "/s^2")):
        found += [f"{d}{name} [{unit}{per}]" for name, unit in zip(names, units, strict=True)]
    return found


def trajectory_text(run: Trajectory, names: Sequence[str], units: Sequence[str], provenance: str) -> str:
    """The CSV file, its provenance as a comment on the first line."""
    rows = np.column_stack([run.times, *run.moved])
    lines = [f"# {provenance}", ",".join(headings(names, units))]
    lines += [",".join(f"{value:.{DIGITS}g}" for value in row) for row in rows.tolist()]
    return "\n".join(lines) + "\n"


def read_trajectory(path: Path, names: Sequence[str], units: Sequence[str], rate: float) -> Trajectory:
    """A trajectory of these coordinates; raises InputError where it has another rate or does not begin at rest."""
    text = csv_text(path, limit=LARGE_BYTES)
    first = without_blanks(next((cells for _, cells in text.cells()), []))
    wanted = [heading[:-1].split(" [") for heading in headings(names, units)]
    found = {name: column(name, {unit: 1.0}, first, path)[0] for name, unit in wanted}
    cells = read_cells(text, True, len(first), list(found.values()))
    mark = cells.decimal({index: name for name, index in found.items()})
    columns = np.array(
        [
            [float(value) for value in parse_decimals(cells.texts[index], cells.place(name), mark)]
            for name, index in found.items()
        ]
    )
    check_even(columns[0], path)
    run = Trajectory(columns[0], columns[1:].reshape(3, len(names), -1).transpose(0, 2, 1).copy())
    if abs(run.rate - rate) > 1e-3 * rate:
        raise InputError(
            f"trajectory {path}: it has {run.rate:.6g} samples in a second, and the robot is simulated with {rate:g}; "
            f"write it with 'certify design ... --rate {rate:g}'"
        )
    speeds = np.abs(run.moved[1])
    if (speeds[0] > SETTLED * speeds.max()).any():
        raise InputError(f"trajectory {path}: it does not begin at rest; let it begin with velocities of 0")
    return run
