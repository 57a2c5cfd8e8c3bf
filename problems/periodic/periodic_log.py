"""A log of a motion that repeats: what sensors read and drives give at N instants of each of K periods, and its CSV.

t [s], l1 [m] .. l6 [m], F1 [N] .. F6 [N]        one line a sample, evenly spaced, whole periods one after the other
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.dynamics.joint_log import DIGITS, check_even, column
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.disk import LARGE_BYTES, write_text
from certify.problems.files.table_cells import read_cells, without_blanks
from certify.problems.formulas.units import parse_decimals
from certify.problems.regressors.regressor import Floats

UNITS = {"t": {"s": 1.0, "ms": 1e-3}, "l": {"m": 1.0, "mm": 1e-3}, "F": {"N": 1.0, "kN": 1e3}}
WHOLE, DRIFT = 0.01, 0.1  # of a sample, in a period and in all: one that ends elsewhere is none of whole samples


@dataclass(frozen=True, eq=False)
class PeriodicLog:
    """Times in one period in s, (N,); readings (K, N, sensors) and forces (K, N, drives); where they come from."""

    times: Floats
    readings: Floats
    forces: Floats
    provenance: str = ""

    def __post_init__(self) -> None:
        wanted = (len(self.forces), len(self.times))
        for name, part in (("readings", self.readings), ("forces", self.forces)):
            if np.ndim(part) != 3 or part.shape[:2] != wanted:
                raise InputError(
                    f"{name} have the shape {np.shape(part)}; give (periods, instants, channels) with {wanted[1]} "
                    f"instants, as there are times, and as many periods of both"
                )
            if not np.isfinite(part).all():
                k, i, j = np.argwhere(~np.isfinite(part))[0]
                raise InputError(
                    f"{name}: channel {j + 1} at instant {i + 1} of period {k + 1} is not a number; leave that period "
                    f"out"
                )
        check_even(np.asarray(self.times), Path(self.provenance or "log"))

    @property
    def periods(self) -> int:
        """How many there are."""
        return len(self.forces)

    @property
    def period(self) -> float:
        """In s."""
        return float((self.times[-1] - self.times[0]) * len(self.times) / (len(self.times) - 1))

    @property
    def frequency(self) -> float:
        """2 pi / T in rad/s."""
        return 2.0 * np.pi / self.period

    def first(self, periods: int) -> PeriodicLog:
        """So many periods of it."""
        if not 1 <= periods <= self.periods:
            raise InputError(f"{periods} periods are asked for; the log has {self.periods}: give a number up to that")
        return PeriodicLog(self.times, self.readings[:periods], self.forces[:periods], self.provenance)


def write_periodic_log(path: Path, log: PeriodicLog) -> None:
    """As CSV, its provenance as a comment on the first line."""
    numbers = [range(1, part.shape[2] + 1) for part in (log.readings, log.forces)]
    headings = ["t [s]", *(f"l{k} [m]" for k in numbers[0]), *(f"F{k} [N]" for k in numbers[1])]
    times = (log.times + log.period * np.arange(log.periods)[:, None]).reshape(-1, 1)
    wide = np.concatenate([log.readings, log.forces], axis=-1)
    rows = np.concatenate([times, wide.reshape(len(times), -1)], axis=1)
    lines = [f"# {log.provenance}", ",".join(headings)]
    lines += [",".join(f"{value:.{DIGITS}g}" for value in row) for row in rows.tolist()]
    write_text(path, "\n".join(lines) + "\n")


def read_periodic_log(path: Path, period: float, sensors: int = 6, drives: int = 6) -> PeriodicLog:
    """A CSV file whose motion repeats after `period` seconds, cut into whole periods."""
    text = csv_text(path, limit=LARGE_BYTES)
    headings = without_blanks(next((cells for _, cells in text.cells()), []))
    names = ["t", *(f"l{k}" for k in range(1, sensors + 1)), *(f"F{k}" for k in range(1, drives + 1))]
    found = {name: column(name, UNITS[name[0]], headings, path) for name in names}
    cells = read_cells(text, True, len(headings), [index for index, _ in found.values()])
    mark = cells.decimal({index: name for name, (index, _) in found.items()})
    columns = []
    for name, (index, factor) in found.items():
        exact: list[Fraction] = parse_decimals(cells.texts[index], cells.place(name), mark)
        columns.append([float(value) * factor for value in exact])
    table = np.array(columns)
    check_even(table[0], path)
    count, periods = _whole(table[0], period, path)
    cut = table[1:, : count * periods].T.reshape(periods, count, -1)
    return PeriodicLog(
        table[0, :count] - table[0, 0], cut[..., :sensors].copy(), cut[..., sensors:].copy(), f"log {path.name}"
    )


def _whole(times: Floats, period: float, path: Path) -> tuple[int, int]:
    """Samples of a period, and how many periods there are."""
    step = float(times[-1] - times[0]) / (len(times) - 1)
    if not (np.isfinite(period) and period > 2 * step):
        raise InputError(f"--period {period:g} s: give the time in s after which the motion of log {path} repeats")
    samples = period / step
    count = round(samples)
    if abs(samples - count) > WHOLE:
        raise InputError(
            f"--period {period:g} s: log {path} has a sample every {step:.6g} s, so that a period has {samples:.6g} of "
            f"them; give the period that the motion has, or sample it a whole number of times"
        )
    drift = abs(samples - count) * (len(times) // count)
    if drift > DRIFT:
        raise InputError(
            f"--period {period:.9g} s: log {path} has {count} samples in {count * step:.9g} s, so that its "
            f"{len(times) // count} periods drift by {drift:.2g} samples; give the period with more digits, or a "
            f"shorter log"
        )
    if len(times) < count:
        raise InputError(
            f"log {path}: {len(times)} samples are less than a period of {period:g} s, which has {count}; record one "
            f"period or more"
        )
    return count, len(times) // count
