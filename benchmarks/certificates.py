"""Certificates of systems of equations: what search, proof and writing take together, beside the search alone of
another version, and how long certificates are.

    python -m benchmarks certificates --old CHECKOUT [--data FOLDER] [--only NAME ...] [--check] [--bytes]

The systems are textbook families (`_certified_systems`) and, with --data, the .bch files of a folder. CHECKOUT is a
clone of commit ac22347 with its own .venv, whose search is run in a process of its own, system by system with ours;
with --bytes it makes its certificates too (minutes). Processor seconds, kernels compiled; the check is not counted.
With --check both checkers judge each certificate.
"""

import argparse
import json
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks._certified_systems import SYSTEMS
from certify.checker_arb import check as second_check
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import search, warm_up_systems
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.systems.system_answer import certified_system

OLD = """
import json, sys, time
from certify.solving import solve, warm_up_systems
from certify.system_certificate import certify_system
from problems.minibex import parse_minibex
from solvers.branch_and_prune import Options
limit, certified = float(sys.argv[1]), sys.argv[2] == "1"
warm_up_systems()
for line in sys.stdin:
    system = parse_minibex(json.loads(line))
    times = []
    while len(times) < 2 and sum(times) < 2.0:
        began = time.process_time()
        found = solve(system, Options(time_limit=limit))
        times.append(time.process_time() - began)
    made = len(certify_system(system, found.paving, limit).certificate) if certified else None
    print(json.dumps([min(times), made]), flush=True)
"""
FEW, ALL = 1.5, 5.0  # times the old search: for two thirds, and for all
LONGER = 2.0  # times the old certificate


class _Old:
    """The other version, in a process of its own that waits for systems."""

    def __init__(self, checkout: Path, limit: float, certified: bool) -> None:
        command = [str(checkout / ".venv/bin/python"), "-c", OLD, str(limit), str(int(certified))]
        self._process = subprocess.Popen(
            command, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measured(self, text: str) -> tuple[float, int | None]:
        """Seconds of the search, and bytes of the certificate (0: there is none)."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the other version has no standard streams")
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        seconds, made = json.loads(self._process.stdout.readline())
        return seconds, made


def _ours(text: str, limit: float, checked: bool) -> dict[str, Any]:
    """Processor seconds of the search and of the certificate, and what became of it."""
    system, times = parse_minibex(text), []
    while len(times) < 2 and sum(times) < 2.0:
        began = time.process_time()
        found = search(system, SearchOptions(time_limit=limit, recorded=True))
        searched = time.process_time() - began
        answer = certified_system(found, limit)
        times.append(time.process_time() - began)
    told = {"search": searched, "seconds": min(times), "cells": found.paving.cells}
    made = answer.made
    if made is None or not made.certificate:
        return {**told, "bytes": 0, "reason": "" if made is None else made.reason}
    told |= {"bytes": len(made.certificate), "counts": made.counts}
    if checked:
        first = answer.checked().verified
        second = second_check(made.canonical, made.certificate).status.name == "VERIFIED"
        told["verified"] = first and second
    return told


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a system, and how many keep the bars."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks certificates")
    parser.add_argument("--old", type=Path, help="a clone of commit ac22347 with its own .venv")
    parser.add_argument("--data", type=Path, help="a folder of .bch files beside our families")
    parser.add_argument("--only", nargs="*", help="names of systems")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search and each certificate")
    parser.add_argument("--check", action="store_true", help="both checkers judge each certificate")
    parser.add_argument("--bytes", action="store_true", help="the other version makes its certificates, too (minutes)")
    options = parser.parse_args(words)
    files = sorted(options.data.glob("*.bch")) if options.data else []
    texts = SYSTEMS | {path.stem: path.read_text() for path in files}
    chosen = {name: text for name, text in texts.items() if not options.only or name in options.only}
    old = _Old(options.old.resolve(), options.time_limit, options.bytes) if options.old else None
    warm_up_systems()
    print(f"{'system':<18} {'boxes':>7} {'search':>8} {'all':>8} {'bytes':>9} {'old':>8} {'times':>6} {'size':>5}")
    rows = []
    for name, text in chosen.items():
        row = {"system": name, **_ours(text, options.time_limit, options.check)}
        if old is not None:
            row["old_search"], row["old_bytes"] = old.measured(text)
            row["times"] = row["seconds"] / row["old_search"]
        rows.append(row)
        print(_line(row), flush=True)
    return {"time_limit": options.time_limit, "rows": rows, **_summary(rows)}


def _line(row: dict[str, Any]) -> str:
    line = f"{row['system']:<18} {row['cells']:>7} {row['search']:>8.3f} {row['seconds']:>8.3f} {row['bytes']:>9}"
    if "times" in row:
        size = f"{row['bytes'] / row['old_bytes']:.2f}" if row["old_bytes"] else ""
        line += f" {row['old_search']:>8.3f} {row['times']:>6.2f} {size:>5}"
    if "verified" in row:
        line += "  verified by both" if row["verified"] else "  NOT VERIFIED"
    return f"{line}  {row.get('reason', '')}".rstrip()


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How many systems keep the bars; printed, too."""
    told: dict[str, Any] = {"systems": len(rows), "certified": sum(row["bytes"] > 0 for row in rows)}
    times = [row["times"] for row in rows if "times" in row]
    if times:
        told |= {"within_few": sum(t <= FEW for t in times), "within_all": sum(t <= ALL for t in times)}
        sized = [row for row in rows if row["old_bytes"]]
        told["too_long"] = [row["system"] for row in sized if row["bytes"] > LONGER * row["old_bytes"]]
        print(
            f"\n{told['within_few']} of {len(times)} within {FEW} times the old search, {told['within_all']} within "
            f"{ALL} times; {len(told['too_long'])} of {len(sized)} certificates are longer than {LONGER} times the old"
        )
    print(f"{told['certified']} of {told['systems']} systems have a certificate")
    return told
