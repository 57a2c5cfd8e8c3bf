"""python -m benchmarks NAME [...]: run a benchmark, print it, save it under benchmarks/results; without
NAME list them.
"""

import importlib
import json
import pkgutil
import platform
import sys
from pathlib import Path

from certify.solvers.one_thread import one_thread

RESULTS = Path(__file__).parent / "results"


def names() -> list[str]:
    """All benchmarks: the files of this folder."""
    return sorted(
        module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if not module.name.startswith("_")
    )


def main(words: list[str]) -> int:
    """Run the named benchmark with the remaining words as its options."""
    if not words or words[0] not in names():
        print("usage: python -m benchmarks NAME [options]; NAME is one of", ", ".join(names()), file=sys.stderr)
        return 2
    one_thread()
    module = importlib.import_module(f"benchmarks.{words[0]}")
    answer = {"benchmark": words[0], "python": platform.python_version(), "processor": platform.machine()} | module.run(
        words[1:]
    )
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{words[0]}.json"
    path.write_text(json.dumps(answer, indent=1) + "\n")
    print(f"saved: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
