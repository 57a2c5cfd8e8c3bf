"""One search after the other, by the engine of the checkout that this process runs in; asked and answered in JSON.

Run by `systems` as a script of its own, with the folder of the checkout as the present one: so that a commit is
measured by what it can do, beside another. What a checkout must have is `benchmarks/systems.py`, whose names are used.
"""

import contextlib
import importlib
import io
import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def engine() -> Any:
    """The module of the checkout that has the search, under either of its names."""
    sys.path[0] = os.getcwd()
    return importlib.import_module("benchmarks.systems")


def answered(found: Any, path: str, limit: float) -> dict[str, Any]:
    """What a search has found, and its seconds of processor time."""
    search, options = (getattr(found, new, None) or getattr(found, old) for new, old in
                       (("search", "solve"), ("SearchOptions", "Options")))  # fmt: skip
    system = found.read_minibex(Path(path))
    began = time.process_time()
    paving = search(system, options(time_limit=limit)).paving
    return {
        "cpu": time.process_time() - began,
        "proved": len(paving.solutions),
        "undecided": len(paving.undecided),
        "unexplored": len(paving.unexplored),
        "boxes": paving.cells,
        "stopped": paving.stopped.value,
    }


def serve() -> None:
    """A line for each line, until there are no more."""
    with contextlib.redirect_stdout(io.StringIO()):
        found = engine()
        found.warm_up_systems()
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(answered(found, asked["path"], asked["time_limit"])), flush=True)


if __name__ == "__main__":
    serve()
