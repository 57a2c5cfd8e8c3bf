"""Linear models W theta = y with bounds: all proofs beside one pass of W @ theta, and beside scipy's linear programs.

    scale      random W (N x 14), y off by less than its bound: processor seconds of `certify.linear` (least squares,
               both ends of error and factor, all faces, the bytes' hash) and of its parts, of 28 passes of W @ theta,
               and of scipy.optimize.linprog (HiGHS) on all rows for each face (of many rows: for some faces, and so
               many times as there are of them); memory beyond the arrays; certificates: their size, the rows of each
               face, and how long both checkers take for one face beside hashing
    random     small problems (up to six parameters), degenerate ones among them: no face is inside of what scipy
               reaches by more than its tolerance, nor outside of it, and both checkers accept each certificate

scipy is left out where it is not installed. Everything runs on one thread.
"""

import argparse
import hashlib
import importlib
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import certify.regressors.emission as emission
import certify.regressors.linear as answering
from certify import Identified, Options, linear
from certify.checker import check
from certify.checker_arb import check as second_check
from certify.problems.regressors.regressor import regressor
from certify.regressors.cuts import cut
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, ExactRows, Weighted
from certify.solvers.regressors.search import RowSearch
from certify.solvers.regressors.triangle import triangle

PARAMETERS, BOUND = 14, 0.11
NEAR = 1e-6  # of scipy's answers
LONG = Options(time_limit=3600.0)
TURNS = 3  # of which the fastest counts
FEW_FACES = 2  # that scipy is asked for where rows are many
MANY_ROWS = 50_000


def run(words: list[str]) -> dict[str, Any]:
    """Print a row a size, and what random problems and the measured system say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks identify")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="numbers of rows")
    parser.add_argument("--count", type=int, default=1000, help="random small problems")
    parser.add_argument("--peer-rows", type=int, default=1_000_000, help="most rows that scipy is given")
    options = parser.parse_args(words)
    if importlib.util.find_spec("scipy") is None:
        print("scipy: left out, it is not installed")
    answer: dict[str, Any] = {"scale": [_apart(size, options.peer_rows) for size in options.sizes]}
    answer["random"] = _random_problems(options.count)
    return answer


def _apart(rows: int, most: int) -> dict[str, Any]:
    """One size, in a process of its own: its memory is its own."""
    program = f"from benchmarks.identify import scale; scale({rows}, {most})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(found))
    return found


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and what came out."""
    began = time.process_time()
    answer = work()
    return time.process_time() - began, answer


def memory() -> float:
    """The most that this process has used, in MB."""
    resource = importlib.import_module("resource")
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024


def planted(rows: int, size: int, seed: int) -> tuple[Any, Any]:
    """W and y; y is off by 0.1 at most."""
    rng = np.random.default_rng([seed, rows, size])
    W = rng.normal(size=(rows, size))
    return W, W @ rng.normal(size=size) + rng.uniform(-0.1, 0.1, rows)


def scale(rows: int, most: int) -> None:
    """Measure one size, and print it as JSON."""
    W, y = planted(200, PARAMETERS, 0)
    linear(W, y, BOUND)
    W, y = planted(rows, PARAMETERS, 1)
    theta = np.ones(PARAMETERS)
    passes = min(seconds(lambda: [W @ theta for _ in range(2 * PARAMETERS)])[0] for _ in range(TURNS))
    before = memory()
    spent, answer = seconds(lambda: linear(W, y, BOUND, options=LONG))
    extra = memory() - before
    parts = min((_parts(W, y) for _ in range(TURNS)), key=lambda found: found["all"])
    spent = min(spent, parts["all"])
    found = {
        "rows": rows,
        "seconds": round(spent, 3),
        "of 28 passes": round(spent / passes, 1),
        "milliseconds of parts": {name: round(1000 * value, 1) for name, value in parts.items()},
        "hull alone, of 28 passes": round(min(_hull_alone(W, y) for _ in range(TURNS)) / passes, 1),
        "of 28 passes without the check": round((parts["all"] - parts["check"]) / passes, 1),
        "memory beyond the arrays, of the arrays": round(extra * 2**20 / (W.nbytes + y.nbytes), 2),
        "verdict": answer.verdict.value,
        "faces": len(answer.faces),
        "rows of a face": max(len(face.rows) for face in answer.faces),
    } | _faces_alone(answer)
    if rows <= most and importlib.util.find_spec("scipy") is not None:
        asked = PARAMETERS if rows <= MANY_ROWS else FEW_FACES // 2
        peer, ends = seconds(lambda: _by_scipy(W, y, BOUND, parameters=asked))
        found["scipy's faces"] = 2 * asked
        found["scipy for all faces, of ours"] = round(peer * PARAMETERS / asked / spent, 1)
        found["of ours without the check"] = round(peer * PARAMETERS / asked / (parts["all"] - parts["check"]), 1)
        pairs = zip(answer.box, ends, strict=False)
        found["farthest from scipy"] = max(
            abs(float(a or 0) - b) for pair, other in pairs for a, b in zip(pair, other, strict=True)
        )
    print(json.dumps(found))


def _hull_alone(W: Any, y: Any) -> float:
    """Processor seconds of the 28 faces with their certificate, and of nothing else that is answered."""

    def prove() -> Any:
        problem, limit = regressor(W, y, BOUND), LONG.begun()
        found = RowSearch(problem, triangle(problem), limit).faces(
            [(j, sign) for j in range(PARAMETERS) for sign in (-1, 1)]
        )
        exact = ExactRows(problem)
        bounds = [(exact.face(one.basis, one.parameter, one.sign), one) for one in found]
        cuts = [cut(bound, one.parameter, one.sign) for bound, one in bounds if bound is not None]
        return Emission(problem).hull(cuts)

    spent, hull = seconds(prove)
    if hull is None or len(hull[1]) != 2 * PARAMETERS:
        raise AssertionError("some faces are not proved")
    return spent


def _parts(W: Any, y: Any) -> dict[str, float]:
    """Processor seconds of an answer: of all of it, and of what is timed in it."""
    found = dict.fromkeys(("check", "exact weights", "programs and looks", "least squares", "points judged"), 0.0)
    places = (
        ("check", emission, "check"),
        *(("exact weights", ExactRows, name) for name in ("face", "smallest", "vertex")),
        *(("programs and looks", RowSearch, name) for name in ("faces", "smallest")),
        ("least squares", answering, "triangle"),
        ("points judged", answering, "largest_misses"),
    )
    kept = [(owner, name, getattr(owner, name)) for _, owner, name in places]
    for key, owner, name in places:
        setattr(owner, name, _timed(getattr(owner, name), key, found))
    try:
        found["all"], _ = seconds(lambda: linear(W, y, BOUND, options=LONG))
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)
    return found


def _timed(function: Callable[..., Any], key: str, found: dict[str, float]) -> Callable[..., Any]:
    def run(*words: Any, **named: Any) -> Any:
        spent, answer = seconds(lambda: function(*words, **named))
        found[key] += spent
        return answer

    return run


def _faces_alone(answer: Identified) -> dict[str, Any]:
    """Each face as a certificate of its own: its size, and what both checkers take beside reading and hashing."""
    data, sizes, times = b"".join(answer.problem.canonical()), [0], {"first": [0.0], "second": [0.0]}
    hashing, _ = seconds(lambda: hashlib.sha256(data).hexdigest())
    tree = answer.hull.decode().splitlines() if answer.hull else []
    sums = [line for line in tree if line.startswith("aggregate")]
    for line in sums:
        text = _alone(answer, line)
        sizes.append(len(text))
        for name, judge in (("first", check), ("second", second_check)):
            spent, outcome = seconds(lambda judge=judge, text=text: judge(data, text))
            if outcome.status.name != "VERIFIED":
                raise AssertionError(f"the {name} checker says {outcome.message}")
            times[name].append(spent - hashing)
    return {
        "bytes of a face's certificate": max(sizes),
        "hashing": round(hashing, 3),
        "first checker beside hashing": round(max(times["first"]), 3),
        "second checker beside hashing": round(max(times["second"]), 3),
    }


def _alone(answer: Identified, line: str) -> bytes:
    """The certificate of the one face that these weighted rows prove."""
    terms = []
    for token in line.split(" ")[1:]:
        row, side, weight = token[3:].replace("+", " + ").replace("-", " - ", 1).split(" ", 2)
        number, _, power = weight.partition("p")
        terms.append(Weighted(int(row), (1 if side == "+" else -1) * int(number) * _two(power)))
    for face in answer.faces:
        if set(face.rows) == {term.row for term in terms}:
            one = cut(Bound(face.at, tuple(terms)), face.parameter, face.sign)
            hull = Emission(answer.problem).hull([one])
            if hull is not None:
                return hull[0]
    raise AssertionError("no face has these rows")


def _two(power: str) -> Fraction:
    return Fraction(2) ** int(power or 0)


def _by_scipy(
    W: Any, y: Any, bound: float, box: Any = None, parameters: int | None = None
) -> list[tuple[float, float]]:
    """Both ends of each parameter (or of the first ones) by linprog on all rows; NaN where it finds none."""
    solve = importlib.import_module("scipy.optimize").linprog
    matrix, right = np.vstack([W, -W]), np.concatenate([y + bound, bound - y])
    found = []
    for j in range(parameters or W.shape[1]):
        ends = []
        for sign in (1.0, -1.0):
            cost = np.zeros(W.shape[1])
            cost[j] = sign
            done = solve(cost, A_ub=matrix, b_ub=right, bounds=box or [(None, None)] * W.shape[1], method="highs")
            ends.append(sign * done.fun if done.status == 0 else float("nan"))
        found.append((ends[0], ends[1]))
    return found


def _random_problems(count: int) -> dict[str, Any]:
    """Faces beside scipy's: where both are bounded and the set is no point."""
    told = {"problems": count, "faces compared": 0, "cut by more than 1e-6": 0, "wider by more than 1e-6": 0}
    told |= {"certificates": 0, "refused by a checker": 0}
    for seed in range(count):
        rng = np.random.default_rng([7, seed])
        size, rows = int(rng.integers(1, 7)), int(rng.integers(1, 60))
        W = rng.normal(size=(rows, size)) if rng.random() < 0.5 else rng.integers(-2, 3, (rows, size)).astype(float)
        W = W * 10.0 ** rng.integers(-3, 4, size) if rng.random() < 0.3 else W
        W = np.vstack([W, W[: rows // 2]]) if rng.random() < 0.3 else W
        y = W @ rng.integers(-3, 4, size) + rng.uniform(-0.25, 0.25, len(W))
        box = [(-9.0, 9.0)] * size if rng.random() < 0.5 else None
        answer = linear(W, y, 0.25, box)
        data = b"".join(answer.problem.canonical())
        for _, text in answer.documents:
            told["certificates"] += 1
            told["refused by a checker"] += any(
                judge(data, text).status.name != "VERIFIED" for judge in (check, second_check)
            )
        if importlib.util.find_spec("scipy") is not None and answer.faces:
            _compare(told, answer, _by_scipy(W, y, 0.25, box))
    print(json.dumps(told))
    return told


def _compare(told: dict[str, Any], answer: Identified, ends: list[tuple[float, float]]) -> None:
    for pair, other in zip(answer.box, ends, strict=True):
        for sign, ours, theirs in zip((-1, 1), pair, other, strict=True):
            if ours is not None and np.isfinite(theirs):
                told["faces compared"] += 1
                beyond = sign * (float(ours) - theirs) / max(1.0, abs(theirs))
                told["cut by more than 1e-6"] += beyond < -NEAR
                told["wider by more than 1e-6"] += beyond > NEAR
