"""One reader of `python -m benchmarks hostile --guided`, in a process of its own: atheris begins with fifty inputs that
`changed` has made of a valid one, and changes further what has reached new lines of the reader.

    python -m benchmarks._hostile_guided READER COUNT SEED FOLDER MADE

writes FOLDER/told.json; MADE has valid files.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import atheris

ROOMS = ("problems.files", "problems.formulas", "problems.experiments", "problems.arms", "problems.minibex")
ROOMS += ("problems.regressors", "problems.systems", "campaigns", "solvers.journal", "checker", "reports.judging")


def main(reader: str, count: int, seed: int, place: Path, made: Path) -> None:
    """Read so many inputs, and write down what became of them."""
    with atheris.instrument_imports(include=[f"certify.{room}" for room in ROOMS]):
        from benchmarks._hostile_readers import readers
        from benchmarks.hostile import Reading, changed
    import numpy as np

    valid, read = readers(made)[reader]
    random, reading, began = np.random.default_rng(seed), Reading(read), time.process_time()
    corpus = place / "corpus"
    corpus.mkdir()
    for number in range(50):
        (corpus / f"{number}").write_bytes(changed(valid, random) if number else valid)
    reading.begin()

    def one(data: bytes) -> None:
        reading.take(data)
        if sum(reading.found.values()) + sum(reading.faults.values()) >= count:
            told = {**reading.told, "processor_seconds": round(time.process_time() - began, 1)}
            (place / "told.json").write_text(json.dumps(told))
            os._exit(0)

    length = f"-max_len={max(4 * len(valid), 4096)}"
    atheris.Setup([sys.argv[0], f"-seed={seed}", length, "-rss_limit_mb=0", "-timeout=0", str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]), Path(sys.argv[5]))
