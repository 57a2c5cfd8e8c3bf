"""Proofs in pieces: the memory of who writes and who checks a proof of a million leaves, in pieces and in one; and what
is known of large systems after some time, as a claim that the checker has accepted.

    python -m benchmarks pieces --leaves 1048576             memory: trees that are planted, as deep as it takes
    python -m benchmarks pieces --seconds 600 --data DIR     Eco10 and Dietmaier from IBEX's folder, two that are here

Each writer and each checker is a process of its own, whose largest resident memory is told.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks._systems_of_others import BUTCHER, VIRASORO
from certify.checker.scope import Box as ExactBox
from certify.checks.checking import CHECKER
from certify.contractors.protocol.contractor import Box
from certify.pieces.answer import AskedPieces, in_pieces
from certify.pieces.kept import Kept
from certify.pieces.manifest import manifest
from certify.pieces.proving import Effort, PartProver
from certify.pieces.running import parts
from certify.problems.minibex import parse_minibex
from certify.problems.model.canonical import digest
from certify.proofs.certificate_text import Claim, dyadic

EMPTY = "Variables x in [0, 1]; y in [0, 1]; Constraints x^2 + y^2 + 1 = 0; x = y; end"
EACH = 4096  # leaves of a piece
WRITE = "from benchmarks.pieces import write; write({folder!r}, {leaves}, {pieces})"


def run(words: list[str]) -> dict[str, Any]:
    """Memory, or what is known of systems after so many seconds each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks pieces")
    parser.add_argument("--leaves", type=int, default=2**16, help="of the planted proof, a power of 2")
    parser.add_argument("--seconds", type=float, default=0.0, help="for each system; 0: memory is measured")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/systems"), help="folder of the .bch files")
    parser.add_argument("--out", type=Path, help="where pieces are kept, so that a later run goes on with them")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        if options.seconds:
            return _systems(options, options.out or Path(name))
        return {"memory": [_memory(Path(name) / kind, options.leaves, kind) for kind in ("pieces", "one")]}


def _memory(folder: Path, leaves: int, kind: str) -> dict[str, Any]:
    """Of the writer and of the checker, in MB, and their seconds."""
    folder.mkdir()
    count = max(leaves // EACH, 1) if kind == "pieces" else 0
    writer = [sys.executable, "-c", WRITE.format(folder=str(folder), leaves=leaves, pieces=count)]
    checker = [sys.executable, "-I", "-S", str(CHECKER), str(folder / "p.canonical"), str(folder / "all.cert")]
    row: dict[str, Any] = {"kind": kind, "leaves": leaves, "pieces": count}
    for who, command in (("writer", writer), ("checker", [*checker, "--seconds", "100000"])):
        said, row[f"{who}_mb"], row[f"{who}_seconds"] = _measured(command)
        row[f"{who}_said"] = said[-90:]
    row["bytes"] = sum(path.stat().st_size for path in folder.rglob("*.cert"))
    print(json.dumps(row))
    return row


def _measured(command: list[str]) -> tuple[str, float, float]:
    """What a process has said, its largest resident memory in MB, and its processor seconds; it is measured by a
    process between, which has no other child.
    """
    between = (
        "import json, resource, subprocess, sys; done = subprocess.run(sys.argv[1:], capture_output=True, text=True); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(json.dumps([done.stdout + done.stderr, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime]))"
    )
    done = subprocess.run([sys.executable, "-c", between, *command], capture_output=True, text=True, check=True)
    said, memory, seconds = json.loads(done.stdout)
    return str(said).strip(), round(memory, 1), round(seconds, 1)


def write(folder: str, leaves: int, pieces: int) -> None:
    """The planted proof, in so many pieces, or (0) in one certificate."""
    prover = PartProver(parse_minibex(EMPTY), Effort())
    proving, names = prover.proving, prover.proving.names(prover.scope)
    (Path(folder) / "p.canonical").write_bytes(proving.canonical)
    if not pieces:
        text = proving.written(Claim(names, lower=Fraction(0)), list(planted(prover.box, leaves)))
        (Path(folder) / "all.cert").write_bytes(text)
        return
    kept = Kept(Path(folder) / "pieces", digest(proving.canonical))
    for part in parts(prover.box, pieces, Box(*proving.problem.box)):
        lines = list(planted(part, leaves // pieces))
        kept.add(proving.written(Claim(names, lower=Fraction(0), part=part), lines))
    (Path(folder) / "all.cert").write_bytes(manifest(proving, prover.scope, kept.pieces()).certificate)


def planted(box: ExactBox, leaves: int) -> Iterator[str]:
    """A tree of so many leaves, each of which the first equation refutes: it is nowhere below 1."""
    stack = [(box, leaves)]
    while stack:
        here, count = stack.pop()
        if count <= 1:
            yield "evaluate 0 0"
            continue
        place = max(range(len(here)), key=lambda k: here[k][1] - here[k][0])
        low, high = here[place]
        at = (low + high) / 2
        yield f"split {place} {dyadic(at)}"
        for ends in ((at, high), (low, at)):
            stack.append(((*here[:place], ends, *here[place + 1 :]), count // 2))


def _systems(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What is known of each after so many seconds."""
    rows = []
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Dietmaier", "Eco10", "Virasoro", "Butcher8"):
        path = options.data / f"{name}.bch"
        if name in ("Virasoro", "Butcher8"):
            path = folder / f"{name}.bch"
            path.write_text(VIRASORO if name == "Virasoro" else BUTCHER)
        began, before = time.perf_counter(), _used()
        answer = in_pieces(path, AskedPieces(folder / name, options.seconds, 1, True))
        rows.append(answer.as_json() | {"seconds": time.perf_counter() - began, "processor_seconds": _used() - before})
        print(f"{name:<10} {answer.made.pieces:>5} pieces  {answer.told.coverage}")
    return {"systems": rows}


def _used() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
