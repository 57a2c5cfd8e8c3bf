"""A measured positioning system (EMPS: Janot, Gautier, Brunot 2019): `python -m benchmarks emps --data FOLDER`.

    M ddq + Fv dq + Fc sign(dq) (+ offset) = force, 24,741 rows

    published   least squares of the filtered and decimated rows beside the values that its makers published, in
                multiples of the standard deviations that they published
    bounds      the smallest bound that some parameters fit, both ends proved, of all rows: friction that is the same in
                both directions, Coulomb's friction (that is, an offset), or all friction different by direction

The folder holds DATA_EMPS.mat and DATA_EMPS_PULSES.mat; the data are others' and are not shipped. Filters are
zero-phase as in the makers' scripts: Butterworth, order 4, 100 Hz; central differences; scipy's decimate by 10 without
delay, where theirs is MATLAB's, with another transient at both ends.
"""

import argparse
import importlib
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.identify import LONG, memory, seconds
from certify import linear
from certify.text.decimals import round_down, round_up, show
from certify.text.plain_table import plain_table

FILES = ("DATA_EMPS.mat", "DATA_EMPS_PULSES.mat")  # for identification, and with pulses of force
PUBLISHED = {  # of DATA_EMPS.mat: value, standard deviation
    "M [kg]": (95.1089, 0.1085),
    "Fv [N s/m]": (203.5034, 1.1460),
    "Fc [N]": (20.3935, 0.1012),
    "offset [N]": (-3.1648, 0.0444),
}
CUT_OFF, ORDER, DECIMATED, LEFT_OUT = 100.0, 4, 10, 50
DIGITS = 15
CLOSE = 0.2  # of a published standard deviation: what filters may differ by


def run(words: list[str]) -> dict[str, Any]:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks emps")
    parser.add_argument("--data", type=Path, required=True, help="folder of DATA_EMPS.mat and DATA_EMPS_PULSES.mat")
    options = parser.parse_args(words)
    if missing := [name for name in FILES if not (options.data / name).is_file()]:
        raise SystemExit(f"{options.data}: {missing[0]} is not there; give the folder of the EMPS data with --data")
    answer: dict[str, Any] = {"published": _published(*_motion(options.data / FILES[0]))}
    answer["bounds"] = [found for name in FILES for found in _bounds(options.data / name)]
    table = [
        ["file", "friction", "smallest bound [N], both ends proved", "seconds", "scipy", "MB", "lower end [bytes]"]
    ]
    table += [[str(value) for value in row.values()] for row in answer["bounds"]]
    print(plain_table(table))
    return answer


def _motion(path: Path) -> tuple[Any, Any, Any, Any]:
    """Velocity, acceleration and force, filtered; the sampling time."""
    signal, load = importlib.import_module("scipy.signal"), importlib.import_module("scipy.io").loadmat
    data = {name: np.ravel(value) for name, value in load(path).items() if not name.startswith("__")}
    step = float(data["t"][1] - data["t"][0])
    q = signal.filtfilt(*signal.butter(ORDER, 2.0 * CUT_OFF * step), data["qm"])
    dq = np.gradient(q, step)
    return dq, np.gradient(dq, step), data["gtau"][0] * data["vir"], step


def _published(dq: Any, ddq: Any, force: Any, step: float) -> dict[str, Any]:
    """Least squares of decimated rows, and how far the published values are."""
    signal = importlib.import_module("scipy.signal")
    columns = [ddq, dq, np.sign(dq), np.ones_like(dq), force]
    filtered = [
        signal.decimate(column, DECIMATED, zero_phase=True)[LEFT_OUT // 10 : -LEFT_OUT // 10] for column in columns
    ]
    rows = np.column_stack(filtered)
    answer = linear(rows[:, :-1], rows[:, -1], 0, names=[name.split(" ")[0] for name in PUBLISHED], unit="N")
    table, told = [["", "least squares (estimated)", "published", "deviations apart"]], dict[str, Any]()
    for (name, (value, deviation)), ours in zip(PUBLISHED.items(), answer.estimate, strict=True):
        told[name] = abs(ours - value) / deviation
        table.append([name, f"{ours:.4f}", f"{value} +- {deviation}", f"{told[name]:.3f}"])
    print(f"{plain_table(table)}\n{len(rows)} decimated rows; at most {CLOSE} is what filters may differ by: "
          f"{'kept' if max(told.values()) <= CLOSE else 'NOT kept'}\n")  # fmt: skip
    return told


def _bounds(path: Path) -> list[dict[str, Any]]:
    """The smallest feasible bound of all rows, for each model of friction."""
    dq, ddq, force, _ = _motion(path)
    kept = slice(LEFT_OUT, -LEFT_OUT)
    forward, backward = np.where(dq > 0, 1.0, 0.0), np.where(dq < 0, 1.0, 0.0)
    models = {
        "the same in both directions": [dq, forward - backward],
        "Coulomb's by direction": [dq, forward, backward],
        "all by direction": [dq * forward, dq * backward, forward, backward],
    }
    found = []
    for name, friction in models.items():
        W = np.ascontiguousarray(np.column_stack([ddq, *friction])[kept])
        before = memory()
        spent, answer = seconds(lambda W=W: linear(W, force[kept], 0, unit="N", options=LONG))
        used, checked = memory() - before, answer.checked()
        peer, _ = seconds(lambda W=W: _by_scipy(W, force[kept]))
        ends = checked.error.lower, checked.error.upper
        found.append(
            {
                "file": path.name,
                "friction": name,
                "smallest bound [N]": f"{show(round_down(ends[0], DIGITS))} .. {show(round_up(ends[1], DIGITS))}",
                "seconds": round(spent, 3),
                "scipy": round(peer, 3),
                "MB": round(used, 1),
                "lower end [bytes]": len(dict(answer.documents)["error-lower"]),
            }
        )
    return found


def _by_scipy(W: Any, y: Any) -> float:
    """The same bound as one linear program of floats on all rows."""
    solve, ones = importlib.import_module("scipy.optimize").linprog, np.ones((len(y), 1))
    matrix, right = np.vstack([np.hstack([W, -ones]), np.hstack([-W, -ones])]), np.concatenate([y, -y])
    cost = np.append(np.zeros(W.shape[1]), 1.0)
    return float(solve(cost, A_ub=matrix, b_ub=right, bounds=[(None, None)] * len(cost), method="highs").fun)
