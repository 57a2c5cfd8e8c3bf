"""A log of what joints do and what drives them, as a robot's controller records it, and its CSV file.

    t [s], q1 [rad], ..., q4 [rad], V1 [V], ..., V4 [V]        one line a sample, evenly spaced in time

Joints that slide have m or mm, and forces F1 [N] may stand for voltages: a robot's `LogForm` says so. Other columns are
left unread; other units are ms, deg, mrad and mV.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES, write_text
from certify.problems.files.table_cells import Cells, read_cells, without_blanks
from certify.problems.files.table_columns import listed
from certify.problems.formulas.units import parse_decimals, shown
from certify.problems.regressors.regressor import Floats

JITTER = 0.01  # of the step: a clock that varies more is refused, because the filters need even steps
DIGITS = 9
FEWEST = 3  # samples
TIMES = {"s": 1.0, "ms": 1e-3}
ANGLES = {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0}
LENGTHS = {"m": 1.0, "mm": 1e-3}
VOLTS = {"V": 1.0, "mV": 1e-3}
_HEADING = re.compile(r"([A-Za-z]+[0-9]{0,2}) ?\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class LogForm:
    """Which columns a robot's log has: the name and the units of what drives its joints, and of these the units; the
    first unit of each is the one that is written.
    """

    joints: int
    joint_units: Mapping[str, float] = field(default_factory=lambda: ANGLES)
    drive: str = "V"
    drive_units: Mapping[str, float] = field(default_factory=lambda: VOLTS)

    @property
    def columns(self) -> dict[str, Mapping[str, float]]:
        """Names, without units, and what units they may have."""
        numbers = range(1, self.joints + 1)
        joints = {f"q{k}": self.joint_units for k in numbers}
        return {"t": TIMES, **joints, **{f"{self.drive}{k}": self.drive_units for k in numbers}}

    @property
    def headings(self) -> list[str]:
        """Of a log that is written."""
        return [f"{name} [{next(iter(units))}]" for name, units in self.columns.items()]


@dataclass(frozen=True, slots=True)
class JointLog:
    """Times in s, (samples,); joints in rad or m and what drives them in V or N, (samples, joints); where they come
    from.
    """

    times: Floats
    joints: Floats
    drives: Floats
    provenance: str = ""

    @property
    def rate(self) -> float:
        """Samples in a second."""
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))


def write_log(path: Path, log: JointLog, form: LogForm) -> None:
    """Write a log as CSV, its provenance as a comment on the first line."""
    rows = np.column_stack([log.times, log.joints, log.drives])
    lines = [f"# {log.provenance}", ",".join(form.headings)]
    lines += [",".join(f"{value:.{DIGITS}g}" for value in row) for row in rows.tolist()]
    write_text(path, "\n".join(lines) + "\n")


def read_log(path: Path, form: LogForm) -> JointLog:
    """The log in a CSV file, of a robot whose logs have this form."""
    text = csv_text(path, limit=LARGE_BYTES)
    headings = without_blanks(next((cells for _, cells in text.cells()), []))
    found = {name: column(name, units, headings, path) for name, units in form.columns.items()}
    cells = read_cells(text, True, len(headings), [index for index, _ in found.values()])
    mark = cells.decimal({index: name for name, (index, _) in found.items()})
    columns = np.array([_numbers(cells, name, *found[name], mark) for name in found])
    check_even(columns[0], path)
    joints, drives = columns[1 : form.joints + 1].T.copy(), columns[form.joints + 1 :].T.copy()
    return JointLog(columns[0], joints, drives, f"log {path.name}")


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
