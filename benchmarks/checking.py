"""What checking costs: every kind of certificate, next to a fixed loop of integer products in the same run.

For each certificate: bytes, leaves of the tree, terms of rows in them, different rows, seconds of the first checker (in
this process) and milliseconds a leaf, preparations included. Trees of least squares have leaves of all 64 rows. The
fixed loop multiplies 100,000 pairs of integers of 112 bits and shifts them, as an interval product does; its time tells
how fast this machine's Python is. The bar: at most 10 ms a leaf of 64 rows.

    python -m benchmarks checking [--legs N]
"""

import argparse
import random
import time
from typing import Any

import numpy as np

import certify
from certify.checker import Status, check
from certify.parts.fitting import fitted
from certify.parts.warm_up import warm_up
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.model.model import Problem
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.proofs.certificate_text import rows_named
from certify.questions.discards import fewest_discards
from certify.questions.enclose import enclose
from certify.questions.least_squares import least_squares
from certify.records.options import Options

PRODUCTS, BITS = 100_000, 112
ROWS = 64
BAR = 10.0  # milliseconds


def fixed_loop() -> float:
    """Seconds for the products."""
    generator = random.Random(1)
    numbers = [generator.getrandbits(BITS) for _ in range(1000)]
    began = time.process_time()
    for k in range(PRODUCTS):
        _ = numbers[k % 1000] * numbers[(7 * k) % 1000] >> BITS
    return time.process_time() - began


def measured(name: str, canonical: bytes, certificate: bytes) -> dict[str, Any]:
    """One line of the table."""
    tree = certificate.decode().split("\ntree\n")[-1].splitlines()
    leaves = sum(line.startswith(("aggregate", "evaluate")) for line in tree)
    terms = sum(
        len([word for word in line.split(" ")[1:] if word[0] in "qmt"]) for line in tree if line.startswith("aggregate")
    )
    began = time.process_time()
    outcome = check(canonical, certificate)
    seconds = time.process_time() - began
    if outcome.status is not Status.VERIFIED:
        raise AssertionError(f"{name}: {outcome.message}")
    milliseconds = 1000.0 * seconds / leaves if leaves else 0.0
    rows = len(rows_named(tree))
    size = terms / max(leaves, 1)
    print(
        f"{name:<28}{len(certificate):>10}{leaves:>8}{terms:>9}{rows:>6}",
        f"{seconds:>8.3f}{milliseconds:>9.2f}{size:>8.1f}",
        flush=True,
    )
    return {
        "name": name,
        "bytes": len(certificate),
        "leaves": leaves,
        "terms": terms,
        "seconds": seconds,
        "milliseconds": milliseconds,
    }


def certificates(legs: int) -> list[tuple[str, bytes, bytes]]:
    """Certificates of every kind for the first legs of the shipped data set, and of data with an outlier."""
    experiment = load_experiment(shipped("table_of_stewart"))
    outlying, true = (
        simulate(unmodelled_error(kind, size), 1, "1").experiment for kind, size in (("outlier", 5), ("none", None))
    )
    found = []
    for leg in range(legs):
        for kind, data in (
            ("adequacy", experiment),
            ("least squares", experiment),
            ("hull and polytope", true),
            ("fewest discards", outlying),
        ):
            estimate = fitted(data)
            whole = data.problem(estimate)
            problem = Problem(whole.variables, whole.columns, whole.families[leg : leg + 1])
            start = np.array([float(v) for v in estimate])
            options = Options(time_limit=120.0)
            if kind == "adequacy":
                answer = certify.adequacy(problem, start=start, options=options)
            elif kind == "least squares":
                answer = least_squares(problem, start=start, options=options)
            elif kind == "hull and polytope":
                answer = enclose(problem, start=start, options=options, polytopes=True)
            else:
                answer = fewest_discards(problem, start=start, options=options)
            part = answer.parts[0]
            if part.certificate is not None:
                found.append((f"leg{leg + 1}: {kind}", answer.canonical, part.certificate))
    return found


def run(words: list[str]) -> dict[str, Any]:
    """Print the table and the fixed loop."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks checking")
    parser.add_argument("--legs", type=int, default=2)
    arguments = parser.parse_args(words)
    warm_up(print)
    loop = fixed_loop()
    print(f"fixed loop: {PRODUCTS} products of {BITS} bits in {loop:.3f} s of processor time")
    print(
        f"{'certificate':<28}{'bytes':>10}{'leaves':>8}{'terms':>9}{'rows':>6}",
        f"{'seconds':>8}{'ms/leaf':>9}{'terms/leaf':>11}",
    )
    lines = [measured(*found) for found in certificates(arguments.legs)]
    worst, again = max(line["milliseconds"] for line in lines), fixed_loop()
    print(
        f"worst: {worst:.2f} ms a leaf, of up to {ROWS} rows (bar {BAR:.0f} ms a leaf of {ROWS}); fixed "
        f"loop again {again:.3f} s"
    )
    return {"fixed_loop_seconds": [loop, again], "certificates": lines}
