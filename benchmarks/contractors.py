"""All contractors beside their peers, in one run: forward-backward throughput here, then interval linear systems
(`linear`) and sets (`sets`).

Throughput is that of forward-backward contraction on the Gough leg: 64 rows, boxes of radius 100, 5 and 0.5 mm.
One contraction is one row narrowing one box, by the contractor that searches use, box after box. The peers run in
interpreters of their own: give a Python with pyibex (--pyibex, 3.6 to 3.9 only) and one with codac (--codac); a peer
that is not given is left out, and said so. One core each.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import linear, sets
from certify.contractors.operators.forward_backward import ForwardBackward, hoist
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import evaluate
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.expression import rotation_xyz

RADII = (100.0, 5.0, 0.5)
BATCH = 2048
EPSILON = 50.0  # mm: no box is emptied, so that every row is projected in every box
PEERS = Path(__file__).parent / "peers"


def run(words: list[str]) -> dict[str, Any]:
    """Print all tables: contractions and evaluations a second, linear systems, sets."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks contractors")
    parser.add_argument("--pyibex", help="a Python interpreter that has pyibex")
    parser.add_argument("--codac", help="a Python interpreter that has codac")
    parser.add_argument(
        "--throughput-only", action="store_true", help="without linear systems and sets, which take minutes"
    )
    options, rest = parser.parse_known_args(words)
    answer: dict[str, Any] = {"figures": _throughput(options.pyibex, options.codac)}
    if options.throughput_only:
        if rest:
            parser.error(f"unknown option {rest[0]}")
        return answer
    print("\ninterval linear systems (python -m benchmarks linear)")
    answer["linear"] = linear.run(rest)
    print("\nsets (python -m benchmarks sets)")
    answer["sets"] = sets.run([] if options.codac is None else ["--codac", options.codac])
    return answer


def _throughput(pyibex: str | None, codac: str | None) -> dict[str, Any]:
    experiment = load_experiment(shipped("table_of_stewart"))
    rows = experiment.problem(experiment.nominal).blocks[0]
    centre = np.array([float(value) for value in experiment.nominal])
    random = np.random.default_rng(0)
    boxes = {str(radius): (centre[:7] + random.uniform(-0.1, 0.1, (20, 7)) * radius).tolist() for radius in RADII}
    answer = {"certify": _ours(rows, boxes)}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.json"
        data.write_text(json.dumps({"rows": _points(rows), "epsilon": EPSILON, "boxes": boxes}))
        for peer, interpreter in (("pyibex", pyibex), ("codac", codac)):
            if interpreter is None:
                print(f"{peer}: left out, give an interpreter with --{peer}")
                continue
            done = subprocess.run(
                [interpreter, str(PEERS / f"{peer}_sweep.py"), str(data)], capture_output=True, text=True, check=True
            )
            answer[peer] = json.loads(done.stdout.splitlines()[-1])
    print(f"{'':<10}" + "".join(f"{'radius ' + radius:>36}" for radius in boxes))
    for name, figures in answer.items():
        cells = [
            f"{f['contractions']:>14.3g} contr./s {f.get('forward', float('nan')):>9.3g} eval" for f in figures.values()
        ]
        print(f"{name:<10}" + " ".join(cells))
    return answer


def _points(rows: Rows) -> list[Any]:
    """Position, rotation matrix and length of each row, in the middles of the measurement boxes."""
    middle = 0.5 * (rows.lower + rows.upper)[7:]
    return [[m[:3].tolist(), rotation_xyz(*np.radians(m[3:6])).tolist(), float(m[6])] for m in middle.T]


def _ours(whole: Rows, boxes: dict[str, Any]) -> dict[str, Any]:
    answer, contractor, rows = {}, ForwardBackward(0, whole, EPSILON), hoist(whole)
    for radius, centres in boxes.items():
        middle = np.tile(np.array(centres).T, (1, BATCH // 20 + 1))[:, :BATCH]
        low, high = middle - float(radius), middle + float(radius)
        inputs = rows.with_box(
            low[:, 0], high[:, 0], np.repeat(rows.lower, 8, axis=1), np.repeat(rows.upper, 8, axis=1)
        )
        contractions = _rate(lambda low=low, high=high: contractor.contract(Boxes(low, high)), BATCH * rows.count)
        answer[radius] = {
            "contractions": contractions,
            "forward": _rate(lambda inputs=inputs: evaluate(rows.tape, *inputs), inputs[0].shape[1]),
        }
    return answer


def _rate(call: Any, amount: int) -> float:
    call()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1.0:
        call()
        count += amount
    return count / (time.perf_counter() - began)
