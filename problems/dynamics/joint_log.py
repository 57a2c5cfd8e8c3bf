"""A log of joint angles and motor voltages, as a robot's controller records it, and its CSV file.

    t [s], q1 [rad], ..., q4 [rad], V1 [V], ..., V4 [V]        one line a sample, evenly spaced in time

Other columns are left unread; other units are ms, deg, mrad and mV.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.dynamics.h4_geometry import Floats
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES, write_text
from certify.problems.files.table_cells import Cells, read_cells, without_blanks
from certify.problems.files.table_columns import listed
from certify.problems.formulas.units import parse_decimals, shown

JITTER = 0.01  # of the step: a clock that varies more is refused, because the filters need even steps
DIGITS = 9
FEWEST = 3  # samples
UNITS = {
    "t": {"s": 1.0, "ms": 1e-3},
    "q": {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0},
    "V": {"V": 1.0, "mV": 1e-3},
}
_HEADING = re.compile(r"([A-Za-z]+[0-9]{0,2}) ?\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class JointLog:
    """Times in s, (samples,); joint angles in rad and voltages in V, (samples, joints); where they come from."""

    times: Floats
    joints: Floats
    voltages: Floats
    provenance: str = ""

    @property
    def rate(self) -> float:
        """Samples in a second."""
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))


def log_headings(joints: int) -> list[str]:
    """The columns of a log."""
    numbers = range(1, joints + 1)
    return ["t [s]", *(f"q{k} [rad]" for k in numbers), *(f"V{k} [V]" for k in numbers)]


def write_log(path: Path, log: JointLog) -> None:
    """Write a log as CSV, its provenance as a comment on the first line."""
    rows = np.column_stack([log.times, log.joints, log.voltages])
    lines = [f"# {log.provenance}", ",".join(log_headings(log.joints.shape[1]))]
    lines += [",".join(f"{value:.{DIGITS}g}" for value in row) for row in rows.tolist()]
    write_text(path, "\n".join(lines) + "\n")


def read_log(path: Path, joints: int) -> JointLog:
    """The log in a CSV file, of a robot with so many joints."""
    text = csv_text(path, limit=LARGE_BYTES)
    headings = without_blanks(next((cells for _, cells in text.cells()), []))
    wanted = [heading.partition(" ")[0] for heading in log_headings(joints)]
    found = {name: column(name, UNITS[name[0]], headings, path) for name in wanted}
    cells = read_cells(text, True, len(headings), [index for index, _ in found.values()])
    mark = cells.decimal({index: name for name, (index, _) in found.items()})
    columns = np.array([_numbers(cells, name, *found[name], mark) for name in wanted])
    check_even(columns[0], path)
    return JointLog(columns[0], columns[1 : joints + 1].T.copy(), columns[joints + 1 :].T.copy(), f"log {path.name}")


def column(name: str, units: Mapping[str, float], headings: Sequence[str], path: Path) -> tuple[int, float]:
    """Where a quantity stands, and the factor of its unit."""
    places = [k for k, heading in enumerate(headings) if heading.partition("[")[0].strip() == name]
    if len(places) != 1:
        raise InputError(
            f"log {path}: column {name} {'occurs more than once' if places else 'is missing'}; it has "
            f"{listed(list(headings))}, and needs one such as '{name} [{next(iter(units))}]'"
        )
    match = _HEADING.fullmatch(headings[places[0]])
    if match is None or match[2] not in units:
        raise InputError(
            f"log {path}, column {places[0] + 1}: {shown(headings[places[0]])} has no unit that is known; write "
            f"{' or '.join(f'{name} [{unit}]' for unit in units)}"
        )
    return places[0], units[match[2]]


def _numbers(cells: Cells, name: str, index: int, factor: float, mark: str) -> list[float]:
    exact: list[Fraction] = parse_decimals(cells.texts[index], cells.place(name), mark)
    return [float(value) * factor for value in exact]


def check_even(times: Floats, path: Path) -> None:
    """Raise InputError where a clock does not go evenly."""
    steps = np.diff(times)
    if len(steps) < FEWEST - 1:
        raise InputError(f"log {path}: it has {len(times)} samples; record {FEWEST} or more")
    usual = float(np.median(steps))
    wrong = np.flatnonzero(~(np.abs(steps - usual) <= JITTER * usual)) if usual > 0 else np.array([0])
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"log {path}: from sample {k + 1} (t = {times[k]:.9g} s) to the next it is {steps[k]:.3g} s, elsewhere "
            f"{usual:.3g} s; the filters need even steps: cut the log there, or interpolate it"
        )
