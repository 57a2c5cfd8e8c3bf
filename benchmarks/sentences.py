"""Everything that the command says about random planted problems, read back and held against independent truth
(tests/sentences): none may be false.

Statements are sentences, cells of tables, numbers of records, claims of certificates, and labels, marks and numbers of
pictures. False ones are printed as they are found, and saved; `--first` continues a count elsewhere.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

ENOUGH = 200  # false statements, after which no more are looked for

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "sentences"))


def run(words: list[str]) -> dict[str, Any]:
    """Problem after problem until there are enough statements."""
    from conversations import hear

    parser = argparse.ArgumentParser(prog="python -m benchmarks sentences")
    parser.add_argument("--count", type=int, default=10_000, help="statements (default 10000)")
    parser.add_argument(
        "--first",
        type=int,
        default=1000,
        help="number of the first problem; the tests take those from 0 (default 1000)",
    )
    options = parser.parse_args(words)
    kinds: Counter[str] = Counter()
    false: list[str] = []
    began, folder = time.perf_counter(), Path(tempfile.mkdtemp())
    for number in count(options.first):
        try:
            for heard in hear(number, folder / str(number)):
                kinds[heard.said.kind] += 1
                if not heard.true:
                    false.append(f"{heard.problem}, {' '.join(heard.words)}: {heard.said}")
                    print("FALSE", false[-1])
        except AssertionError as failure:  # a sentence that nobody can read is as bad
            false.append(f"problem {number}: {failure}")
            print("UNREAD", false[-1])
        shutil.rmtree(folder / str(number))
        if kinds.total() >= options.count or len(false) >= ENOUGH:
            break
    seconds = time.perf_counter() - began
    print(
        f"{kinds.total()} statements of {len(kinds)} kinds about {number + 1 - options.first} problems "
        f"in {seconds:.0f} s: {len(false)} false"
    )
    return {
        "statements": kinds.total(),
        "problems": number + 1 - options.first,
        "seconds": round(seconds, 1),
        "kinds": dict(kinds),
        "false": false,
    }
