"""How the time grows with the number of variables, for systems whose equations read few variables each: seconds of
processor time of the search for all solutions, and the exponent between one size and the next.

The systems are Broyden's tridiagonal function, the discrete boundary value problem and Bratu's equation
(`_large_systems`), all equations, from their own domains. Reading the text is counted apart.
"""

import argparse
import math
import time
from typing import Any

from benchmarks._large_systems import boundary_value, bratu, broyden
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import search, warm_up_systems
from certify.solvers.search.branch_and_prune import SearchOptions

FAMILIES = {"broyden": broyden, "boundary value": boundary_value, "bratu": bratu}
SIZES = {
    "broyden": (125, 250, 500, 1000), "boundary value": (125, 250, 500, 1000), "bratu": (60, 125, 250, 500),
}  # fmt: skip


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a family and size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--only", nargs="*", default=list(FAMILIES), choices=list(FAMILIES), help="families")
    parser.add_argument("--sizes", nargs="*", type=int, help="other numbers of variables")
    options = parser.parse_args(words)
    warm_up_systems()
    rows: list[dict[str, Any]] = []
    print(f"{'family':<16} {'n':>6} {'proved':>6} {'left':>6} {'boxes':>6} {'read':>7} {'search':>8} {'exponent':>8}")
    for name in options.only:
        before: dict[str, Any] | None = None
        for size in options.sizes or SIZES[name]:
            row = _row(name, size, options.time_limit)
            if before is not None:
                row["exponent"] = math.log(row["seconds"] / before["seconds"]) / math.log(size / before["variables"])
            shown = f"{row['exponent']:>8.2f}" if "exponent" in row else " " * 8
            print(
                f"{name:<16} {size:>6} {row['proved']:>6} {row['left']:>6} {row['boxes']:>6} {row['read']:>7.2f} "
                f"{row['seconds']:>8.2f} {shown}  {row['stopped']}",
                flush=True,
            )
            rows.append(row)
            before = row
    return {"time_limit": options.time_limit, "rows": rows}


def _row(name: str, size: int, limit: float) -> dict[str, Any]:
    began = time.process_time()
    system = parse_minibex(FAMILIES[name](size))
    read = time.process_time()
    paving = search(system, SearchOptions(time_limit=limit)).paving
    return {
        "family": name, "variables": size, "proved": len(paving.solutions),
        "left": len(paving.undecided) + len(paving.unexplored), "boxes": paving.cells,
        "read": read - began, "seconds": time.process_time() - read, "stopped": paving.stopped.value,
    }  # fmt: skip
