"""All solutions of IBEX's benchmark systems: solutions proved, what is left, boxes, seconds; beside what IBEX 2.9.1
reported for them.

The files are not part of the project: give their folder with --data (they are in IBEX's repository, benchs/solver).
Every system is solved from its own domains; compilation of the kernels is not counted. With --certificates each is then
certified, within the same time limit again, and the certificate is checked by the checker in a process of its own;
infinite domains are cut to +-1e8 for that, and marked by a star.
"""

import argparse
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks import graph
from benchmarks._side_by_side import side_by_side
from benchmarks._systems_of_others import SYSTEMS
from certify.problems.errors import InputError
from certify.problems.minibex import read_minibex
from certify.problems.systems.system import System
from certify.questions.system_search import Solved, search, warm_up_systems
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.solvers.workers.processes import Processes
from certify.systems.system_answer import certified_system

KNOWN = {  # solutions; cells and seconds of IBEX 2.9.1 where they were measured on a machine of this kind
    "Kin1": (16, 49, 0.14), "Directkin": (2, None, 12.0), "Bratu-0060": (2, None, None), "Caprasse": (18, 1007, 0.31),
    "Eco10": (16, None, 35.0), "Redeco8": (8, None, 2.2), "Geneig": (10, None, None), "Yamamua1-0012": (9, None, None),
    "cyclohexan3D": (16, None, None), "kolev36": (1, None, None), "Dietmaier": (54, None, None),
    "Brown-05": (None, None, None), "BroydenTri-0020": (None, None, None),
}  # fmt: skip


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks systems")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/systems"), help="folder of the .bch files")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each system")
    parser.add_argument("--workers", type=int, default=1, help="of each search; the answers do not depend on it")
    parser.add_argument("--only", nargs="*", help="names of systems")
    parser.add_argument(
        "--certificates",
        action="store_true",
        help="also bytes, seconds of emission and of the check of each certificate (minutes)",
    )
    parser.add_argument(
        "--graph",
        action="store_true",
        help="also scheduling against round-robin, and the search without each contractor (minutes)",
    )
    parser.add_argument("--others", action="store_true", help="also the systems of other authors that are written here")
    parser.add_argument("--against", type=Path, help="folder of another commit's checkout: both, side by side")
    parser.add_argument("--rounds", type=int, default=2, help="of each search side by side; the better one counts")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        return _measured(options, _files(options, Path(folder)))


def _files(options: argparse.Namespace, folder: Path) -> list[Path]:
    """The systems of the benchmark, and those of other authors, written to a folder."""
    files = sorted(options.data.glob("*.bch"))
    if not files:
        raise SystemExit(f"there are no .bch files in {options.data}; give their folder with --data")
    if options.others or options.against:
        for name, text in SYSTEMS.items():
            files.append(folder / f"{name}.bch")
            files[-1].write_text(text)
    return [path for path in files if not options.only or path.stem in options.only]


def _measured(options: argparse.Namespace, files: list[Path]) -> dict[str, Any]:
    if options.against:
        return side_by_side(files, options.against, options.time_limit, options.rounds)
    warm_up_systems()
    rows: list[dict[str, Any]] = []
    head = f"{'system':<16} {'proved':>6} {'known':>6} {'undecided':>9} {'left':>6} {'boxes':>8}"
    certified = f" {'bytes':>10} {'emitted':>8} {'checked':>8}" if options.certificates else ""
    print(f"{head} {'IBEX':>6} {'seconds':>8} {'IBEX':>6}{certified}  why it stopped")
    for path in files:
        rows.append(_row(path, options.time_limit, options.workers, options.certificates))
        print(_line(rows[-1]), flush=True)
    answer: dict[str, Any] = {"time_limit": options.time_limit, "rows": rows}
    if options.graph:
        print()
        only = ["--only", *options.only] if options.only else []
        answer["graph"] = graph.run(["--data", str(options.data), "--time-limit", str(options.time_limit), *only])
    return answer


def _row(path: Path, limit: float, workers: int, certificates: bool) -> dict[str, Any]:
    known, cells, seconds = KNOWN.get(path.stem, (None, None, None))
    row: dict[str, Any] = {"system": path.stem, "known": known, "ibex_cells": cells, "ibex_seconds": seconds}
    try:
        system = read_minibex(path)
        with Processes(workers, forked=True) as others:
            answer = search(system, SearchOptions(time_limit=limit, crew=others))
    except InputError as error:
        return row | {"failed": str(error)}
    paving = answer.paving
    if certificates:
        row["certificate"] = _certificate(system, answer, limit)
    return row | {
        "proved": len(paving.solutions), "undecided": len(paving.undecided), "unexplored": len(paving.unexplored),
        "cells": paving.cells,
        "seconds": answer.seconds, "stopped": paving.stopped.value, "contractors": answer.as_json()["contractors"],
    }  # fmt: skip


def _certificate(system: System, answer: Solved, limit: float) -> dict[str, Any]:
    """What became of the certificate of an answer, or, where a domain is infinite, of the answer in a finite box."""
    far = Fraction(10**8)
    bounded = replace(
        system,
        variables=tuple(
            replace(v, lower=-far if v.lower is None else v.lower, upper=far if v.upper is None else v.upper)
            for v in system.variables
        ),
    )
    if bounded != system:
        answer = search(bounded, SearchOptions(time_limit=limit))
    return {"bounded": bounded != system, **certified_system(answer, limit).checked().as_json()["certificate"]}


def _line(row: dict[str, Any]) -> str:
    if "failed" in row:
        return f"{row['system']:<16} {row['failed']}"

    def shown(value: Any) -> str:
        return "" if value is None else str(value)

    head = (
        f"{row['system']:<16} {row['proved']:>6} {shown(row['known']):>6} {row['undecided']:>9} "
        f"{row['unexplored']:>6} {row['cells']:>8}"
    )
    line = f"{head} {shown(row['ibex_cells']):>6} {row['seconds']:>8.2f} {shown(row['ibex_seconds']):>6}"
    told = row.get("certificate")
    if told is None:
        return f"{line}  {row['stopped']}"
    size = f"{told.get('bytes', '-')}{'*' * told['bounded']}"
    line = f"{line} {size:>10} {told['seconds']:>8.2f} {told.get('check_seconds', 0.0):>8.2f}  {row['stopped']}"
    return line if told["verified"] else f"{line}; no certificate: {told.get('reason', told.get('message', ''))}"
