"""A log of an arm with any number of joints, as its controller records it, and its CSV file.

    t [s], q1 [rad], ..., tau1 [Nm], ...       one line a sample, evenly spaced in time
    dq1 [rad/s], ..., ddq1 [rad/s^2], ...      if both are there, nothing is differentiated
    I1 [A], ... or V1 [V], ...                 in the place of tau: times a gain for each joint

Joints that slide have m, mm, m/s, m/s^2 and N. Other columns are left unread. Numbers mean the doubles nearest to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from certify.problems.arm_dynamics.links import Floats
from certify.problems.dynamics.joint_log import check_even, column
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES, write_text
from certify.problems.files.table_cells import Cells, read_cells, without_blanks
from certify.problems.files.table_columns import listed
from certify.problems.formulas.units import is_decimal, shown

DIGITS = 9
TIMES = {"s": 1.0, "ms": 1e-3}
DEGREE = math.pi / 180.0
TURNING = {
    "q": {"rad": 1.0, "mrad": 1e-3, "deg": DEGREE},
    "dq": {"rad/s": 1.0, "deg/s": DEGREE},
    "ddq": {"rad/s^2": 1.0, "deg/s^2": DEGREE},
    "tau": {"Nm": 1.0, "mNm": 1e-3},
}
SLIDING = {
    "q": {"m": 1.0, "mm": 1e-3},
    "dq": {"m/s": 1.0, "mm/s": 1e-3},
    "ddq": {"m/s^2": 1.0, "mm/s^2": 1e-3},
    "tau": {"N": 1.0},
}
DRIVES = {"I": {"A": 1.0, "mA": 1e-3}, "V": {"V": 1.0, "mV": 1e-3}}


@dataclass(frozen=True, eq=False)
class ArmLog:
    """Times in s, (samples,); joint values, torques and, if they were logged, velocities and accelerations in SI units,
    (samples, joints).
    """

    times: Floats
    joints: Floats
    torques: Floats
    speeds: Floats | None = None
    accelerations: Floats | None = None

    @property
    def rate(self) -> float:
        """Samples in a second."""
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))


def read_arm_log(path: Path, slides: Sequence[bool], gains: Sequence[float] | None = None) -> ArmLog:
    """The log of an arm whose joints turn or slide; `gains` in Nm (or N) for each ampere or volt."""
    text = csv_text(path, limit=LARGE_BYTES)
    headings = without_blanks(next((cells for _, cells in text.cells()), []))
    other = next((name for name in ("q0", f"q{len(slides) + 1}") if _has(headings, name)), None)
    if other is not None:
        raise InputError(
            f"log {path}: it has {other}, and the joints between base and tip are q1 .. q{len(slides)}, numbered from "
            f"the base; number their columns so, and leave those of other joints out"
        )
    drive = _drive(headings, path, gains, len(slides))
    motion = ["dq", "ddq"] if all(_has(headings, f"{kind}1") for kind in ("dq", "ddq")) else []
    kinds = ["q", *motion, drive]
    wanted: dict[str, Mapping[str, float]] = {"t": TIMES}
    for kind in kinds:
        for k, slide in enumerate(slides, 1):
            wanted[f"{kind}{k}"] = DRIVES[kind] if kind in DRIVES else (SLIDING if slide else TURNING)[kind]
    found = {name: column(name, units, headings, path) for name, units in wanted.items()}
    cells = read_cells(text, True, len(headings), [index for index, _ in found.values()])
    mark = cells.decimal({index: name for name, (index, _) in found.items()})
    values = {name: _numbers(cells, name, index, mark) * factor for name, (index, factor) in found.items()}
    check_even(values["t"], path)
    by_kind = {kind: np.column_stack([values[f"{kind}{k}"] for k in range(1, len(slides) + 1)]) for kind in kinds}
    torques = by_kind[drive] if gains is None else by_kind[drive] * np.array(gains)
    return ArmLog(values["t"], by_kind["q"], torques, *(by_kind[kind] for kind in motion))


def _drive(headings: Sequence[str], path: Path, gains: Sequence[float] | None, joints: int) -> str:
    """What stands for torques; a gain is asked for where it is currents or voltages, and refused where it is not."""
    found = [kind for kind in ("tau", "I", "V") if _has(headings, f"{kind}1")]
    if not found:
        raise InputError(
            f"log {path}: no torques are in it; it has {listed(list(headings))}, and needs tau1 [Nm] .. tau{joints} "
            f"[Nm], or currents I1 [A] or voltages V1 [V] with --gain"
        )
    if found[0] == "tau":
        if gains is not None:
            raise InputError(f"log {path}: it has torques; leave --gain out")
        return "tau"
    if len(found) > 1:
        raise InputError(
            f"log {path}: it has I1 and V1 and no torques, and --gain is of one of them; leave the columns "
            f"of the other one out"
        )
    if gains is None or len(gains) != joints:
        what = "an ampere" if found[0] == "I" else "a volt"
        raise InputError(
            f"log {path}: it has {found[0]}1 and no torques; say how many Nm {what} of each joint is, such as --gain "
            f"'{', '.join(['1.5'] * joints)}'"
        )
    return found[0]


def _has(headings: Sequence[str], name: str) -> bool:
    return any(heading.partition("[")[0].strip() == name for heading in headings)


def _numbers(cells: Cells, name: str, index: int, mark: str) -> Floats:
    """Doubles nearest to the cells."""
    texts, place = cells.texts[index], cells.place(name)
    wrong = next((k for k, text in enumerate(texts) if not is_decimal(text)), None)
    if wrong is not None:
        raise InputError(
            f"{place(wrong)}: {shown(texts[wrong])} is not a decimal number; write one, or leave the line out"
        )
    return np.array([float(text.replace(mark, ".")) for text in texts])


def write_arm_log(path: Path, log: ArmLog, slides: Sequence[bool], provenance: str) -> None:
    """Write a log as CSV, its provenance as a comment on the first line."""
    kinds = ["q", *([] if log.speeds is None else ["dq", "ddq"]), "tau"]
    parts = [log.joints, *(part for part in (log.speeds, log.accelerations) if part is not None), log.torques]
    headings = ["t [s]"]
    for kind in kinds:
        headings += [
            f"{kind}{k} [{next(iter((SLIDING if slide else TURNING)[kind]))}]" for k, slide in enumerate(slides, 1)
        ]
    rows = np.column_stack([log.times, *parts])
    lines = [f"# {provenance}", ",".join(headings)]
    lines += [",".join(f"{value:.{DIGITS}g}" for value in row) for row in rows.tolist()]
    write_text(path, "\n".join(lines) + "\n")
