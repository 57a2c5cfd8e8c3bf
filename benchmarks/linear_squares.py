"""Linear least squares of very many rows, enclosed, beside numpy.

    python -m benchmarks linear_squares [--rows 1e6] [--columns 20] [--condition 1e6] [--exact 2000]

Processor time of numpy.linalg.lstsq and of certify.fit("linear", x, y), the fewest proved digits of a parameter, how
far numpy's answer is from the enclosure, and the same of the first rows in rational numbers: what it was estimated to
take, what it took, and whether the enclosure holds that solution.
"""

from __future__ import annotations

import argparse
import math
import time
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from certify.model_fits.linear_fit import LinearFit


def run(words: list[str]) -> dict[str, Any]:
    """Print what is proved, and both times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks linear_squares")
    parser.add_argument("--rows", type=float, default=1e6, help="observations (default 1e6)")
    parser.add_argument("--columns", type=int, default=20, help="parameters (default 20)")
    parser.add_argument("--condition", type=float, default=1e6, help="of the matrix, about (default 1e6)")
    parser.add_argument("--exact", type=int, default=2000, help="rows that are solved exactly, too (default 2000)")
    options = parser.parse_args(words)
    x, y = _made(int(options.rows), options.columns, options.condition)
    certify.fit("linear", x[:2000], y[:2000], exact=False)  # compiles
    began = time.process_time()
    solution = np.linalg.lstsq(x, y, rcond=None)[0]
    numpy_seconds = time.process_time() - began
    began = time.process_time()
    answer = _linear(certify.fit("linear", x, y, exact=False))
    seconds = time.process_time() - began
    digits = min(-math.log10(float((high - low) / abs(low + high))) for low, high in answer.ends.values())
    far = max(float(abs(Fraction(v) / sum(e) * 2 - 1)) for v, e in zip(solution, answer.ends.values(), strict=True))
    row = {
        "rows": len(y), "columns": options.columns, "condition": float(np.linalg.cond(x[:100_000])),
        "numpy_seconds": numpy_seconds, "seconds": seconds, "times": seconds / numpy_seconds, "digits": digits,
        "numpy_is_off_by": far, **_exactly(x[: options.exact], y[: options.exact]),
    }  # fmt: skip
    for name, value in row.items():
        print(f"{name:<20} {value:.4g}" if isinstance(value, float) else f"{name:<20} {value}")
    return row


def _linear(answer: Any) -> LinearFit:
    if not isinstance(answer, LinearFit):
        raise TypeError("a linear model has another answer")
    return answer


def _made(rows: int, columns: int, condition: float) -> tuple[Any, Any]:
    """Normal columns, mixed so that the singular values fall by the condition, and noise of 0.001."""
    random = np.random.default_rng(0)
    mixing = np.linalg.qr(random.standard_normal((columns, columns)))[0]
    x = (random.standard_normal((rows, columns)) * np.logspace(0, -math.log10(condition), columns)) @ mixing
    return x, x @ np.arange(1.0, columns + 1) + 1e-3 * random.standard_normal(rows)


def _exactly(x: Any, y: Any) -> dict[str, Any]:
    """The same in rational numbers, and whether one holds the other."""
    told: list[str] = []
    enclosed = _linear(certify.fit("linear", x, y, exact=False))
    began = time.process_time()
    exact = _linear(certify.fit("linear", x, y, exact=True, progress=told.append))
    seconds = time.process_time() - began
    held = all(low <= exact.ends[name][0] <= high for name, (low, high) in enclosed.ends.items())
    return {"exact_rows": len(y), "exact_told": told[0], "exact_seconds": seconds, "holds_the_exact_one": held}
