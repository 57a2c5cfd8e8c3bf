"""The smallest model error of the legs of a Gough platform, by us, by the paper's scheme on our contractors, and by
that scheme on its peers'.

On the same data in one run (unknowns within +-100 mm; seconds of processor time and of the clock; imports and
compilation apart):

- *legs*: the six legs of the shipped data to gaps of 1e-6, 5e-7 and 1e-8, the proof included, and how many times that
  is the processor time of the float minimax alone, which finds the upper ends: ours, and with --old that of a clone
  of commit ac22347 with its own .venv; bar at 5e-7: 10 times that;
- *percent*: to a gap of 1 %, from +-100 mm and for one leg also from +-5 mm, beside `method="paper"` (bisection on
  epsilon with a time-out that
  doubles, linear programs on mean-value forms, no lift) and the same script on the contractors of pyibex and Codac.
      These run in interpreters of
  their own, given with --peers-pyibex and --peers-codac; a peer that is not given is left out, and said so. Every leg
      has --limit seconds; what is
  told is the interval of epsilon reached (from the smaller box there are 30 s at most);
- *outlier*: one leg length off by 5 mm, refuted with a proof; whether the rows of the proof contain the wrong one; bar
  0.1 s;
- *poses*: 64 to 6,400 random poses: the time must grow no faster than their number;
- *degenerate*: few poses, a small workspace, ten times the noise, an unexplained error at random in each pose. Nothing
  determines a least-squares
  fit there, so the search box is centred on the blueprint. Bar: a gap of 1e-3 within 30 s.

The peers get the rotation matrices as independent intervals, which makes their problem easier to fulfil: their epsilon
is some 0.1 mm smaller.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks.enclose import CENTRE, REACH
from certify.checker import Status, check
from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.tape import Builder
from certify.explaining.explanation import explain
from certify.parts.fitting import fitted
from certify.parts.part_search import TRUST
from certify.parts.warm_up import warm_up
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.expression import Expression, radians, rotation_xyz
from certify.problems.robots.forward_kinematics import leg_lengths, newton, rigid_joints
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.table_of_stewart import HOME_HEIGHT, HOME_STROKE, blueprint, calibrated, deviations
from certify.problems.simulation.unmodelled_error import skew_joints, slack, unmodelled_error
from certify.proofs.problem_replay import Proving
from certify.solvers.fits.minimax import minimise

PEERS = Path(__file__).parent / "peers"
GAPS = ("1e-6", "5e-7", "1e-8")
POSES = (64, 640, 1600, 6400)
ROUNDS = 3  # of each shipped leg, the best of which counts
SHORT = 30.0  # seconds from the smaller box
DEGENERATE = {  # poses, part of the workspace, noise factor, backlash in mm
    "12 poses": (12, 1.0, "1", "4"),
    "10 poses": (10, 1.0, "1", "4"),
    "8 poses": (8, 1.0, "1", "4"),
    "small workspace": (64, 0.1, "1", "4"),
    "ten times the noise": (64, 1.0, "10", "20"),
    "ten times, 2 mm": (64, 1.0, "10", "2"),
}
BARS = {"times the float minimax": 10.0, "outlier seconds": 0.1, "degenerate gap": 1e-3, "degenerate seconds": 30.0}


def run(words: list[str]) -> dict[str, Any]:
    """Print a table for each question."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration")
    parser.add_argument("--peers-pyibex", help="a Python interpreter that has pyibex")
    parser.add_argument("--peers-codac", help="a Python interpreter that has codac")
    parser.add_argument(
        "--limit", type=float, default=120.0, help="seconds a leg for the paper's scheme, ours and the peers'"
    )
    parser.add_argument("--legs", type=int, default=6, help="legs of the shipped data")
    parser.add_argument("--old", type=Path, help="a clone of commit ac22347 with its own .venv, for `legs`")
    parser.add_argument("--slow-legs", type=int, help="legs for the paper's scheme, ours and the peers' (all of them)")
    parser.add_argument("--seeds", type=int, default=3, help="platforms of each degenerate case, two legs of each")
    parser.add_argument(
        "--only", nargs="*", default=["legs", "outlier", "poses", "degenerate", "percent"], help="which questions"
    )
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    peers = {
        name: path
        for name, path in (("pyibex", options.peers_pyibex), ("codac", options.peers_codac))
        if path is not None
    }
    for name in ("pyibex", "codac"):
        if name not in peers:
            print(f"{name}: left out, give an interpreter with --peers-{name}")
    parts: dict[str, Callable[[], Any]] = {
        "legs": lambda: _legs(options.legs, options.old),
        "percent": lambda: {
            "100 mm": _percent(options.slow_legs or options.legs, 100, options.limit, peers),
            "5 mm": _percent(1, 5, min(options.limit, SHORT), peers),
        },
        "outlier": lambda: _outlier(options.limit, peers),
        "poses": _poses,
        "degenerate": lambda: _degenerate(options.seeds),
    }
    answer: dict[str, Any] = {
        "load_before": os.getloadavg(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "bars": BARS,
    }
    for name in options.only:
        answer[name] = parts[name]()
    return answer | {"load_after": os.getloadavg()}


def leg_problem(experiment: Experiment, leg: int, blueprint_centre: bool = False) -> tuple[certify.Problem, np.ndarray]:
    """One leg with its own variables and columns, and where to start."""
    centre = experiment.nominal if blueprint_centre else fitted(experiment)
    whole = experiment.problem(centre)
    family = whole.families[leg]
    variables = sorted({b.index for b in family.bindings if not b.measured})
    columns = sorted({b.index for b in family.bindings if b.measured})
    bindings = tuple(replace(b, index=(columns if b.measured else variables).index(b.index)) for b in family.bindings)
    problem = replace(
        whole,
        variables=tuple(whole.variables[v] for v in variables),
        columns=tuple(whole.columns[c] for c in columns),
        families=(replace(family, bindings=bindings),),
    )
    return problem, np.array([float(centre[v]) for v in variables])


def platform(seed: int, poses: int, workspace: float, noise: str, backlash: str) -> SimulatedExperiment:
    """The calibrated Table of Stewart with skew joints (25 mm) and a backlash, at random poses in a part of its
    workspace.
    """
    random = np.random.default_rng([seed, poses])
    kind = find_kind("gough", "benchmark")
    robot = np.array(calibrated(), dtype=np.float64)
    base, top, offsets = robot[:, :3], robot[:, 3:6], robot[:, 6]
    perfect, real = leg_lengths(rigid_joints(base, top)), leg_lengths(skew_joints(base, top, 25.0))
    home = newton(perfect, offsets + HOME_STROKE, np.array([0.0, 0.0, HOME_HEIGHT, 0.0, 0.0, 0.0]))
    if home is None:
        raise ArithmeticError("the robot has no home pose")
    zeroed = offsets + real(home) - perfect(home)
    taken = np.round(CENTRE + workspace * REACH * random.uniform(-1, 1, (poses, 6)), 6)
    error = unmodelled_error("backlash", backlash)
    lengths = np.array([real(pose) - zeroed for pose in taken]) + slack(error, poses, 6, random)
    columns = [tuple(Fraction(float(v)) for v in column) for column in (*taken.T, *lengths.T)]
    truth = Truth(tuple(v for leg in calibrated() for v in leg), dict(zip(kind.columns, columns, strict=True)), None)
    table = Robot(
        kind, "platform of the benchmark", "random poses", tuple(v for leg in blueprint() for v in leg), deviations()
    )
    return observe(table, truth, error, seed, noise_factor(noise), generators(seed)[1])


def _timed(call: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    clock, processor = time.perf_counter(), time.process_time()
    answer = call()
    return answer, {"seconds": time.perf_counter() - clock, "processor_seconds": time.process_time() - processor}


def _adequacy(
    problem: certify.Problem, start: np.ndarray, gap: str, limit: float = 60.0, method: str = "lift"
) -> dict[str, Any]:
    options = certify.Options(gap=Fraction(gap), time_limit=limit)
    result, times = _timed(lambda: certify.adequacy(problem, start=start, options=options, method=method))
    part = result.parts[0]
    verified = part.certificate is not None and check(result.canonical, part.certificate).status is Status.VERIFIED
    return times | {
        "leg": part.name, "verdict": part.verdict.value, "stopped": part.stopped.value, "lower": float(part.epsilon[0]),
        "upper": float(part.epsilon[1] or 0), "gap": part.gap, "splits": part.splits,
        "bytes": len(part.certificate or b""), "verified": verified,
    }  # fmt: skip


def _told(row: dict[str, Any]) -> str:
    gap = "" if row["gap"] is None else f"{row['gap']:.1e}"
    ends = f"{row['lower']:>15.10f} {row['upper']:>15.10f} {gap:>8}"
    wrong = "" if row["verified"] else "  NOT VERIFIED"
    return (
        f"{row['leg']:<6} {row['verdict']:<10} {ends} {row['splits']:>6} "
        f"{row['processor_seconds']:>8.3f} {row['seconds']:>8.3f}{wrong}"
    )


HEAD = (
    f"{'leg':<6} {'verdict':<10} {'lower, mm':>15} {'upper, mm':>15} {'gap':>8} {'splits':>6} "
    f"{'cpu s':>8} {'clock s':>8}"
)


def _legs(legs: int, old: Path | None) -> dict[str, Any]:
    """The shipped legs to small gaps."""
    experiment = load_experiment(shipped("table_of_stewart"))
    problems = [leg_problem(experiment, leg) for leg in range(legs)]
    floats = {"ours": min(_timed(lambda: _float_minimax(problems))[1]["processor_seconds"] for _ in range(5))}
    if old is not None and legs == len(experiment.problem(experiment.nominal).families):
        floats["old"] = _old_minimax(old)
    for name, seconds in floats.items():
        print(f"\nthe float minimax alone, {name}: {seconds:.3f} s of processor time (the best of some rounds)")
    found: dict[str, Any] = {"float minimax": floats}
    for gap in GAPS:
        print(f"\nlegs of the shipped data to a gap of {gap}\n{HEAD}")
        rows = []
        for leg in range(legs):
            rows.append(min((_adequacy(*problems[leg], gap) for _ in range(ROUNDS)), key=_processor))
            print(_told(rows[-1]), flush=True)
        total = {key: sum(row[key] for row in rows) for key in ("processor_seconds", "seconds")}
        print(f"together {total['processor_seconds']:.2f} s of processor time, {total['seconds']:.2f} s by the clock")
        times = {name: total["processor_seconds"] / seconds for name, seconds in floats.items()}
        print(", ".join(f"{value:.1f} times the float minimax ({name})" for name, value in times.items()))
        found[gap] = {"rows": rows, "together": total, "times the float minimax": times}
    return found


def _processor(row: dict[str, Any]) -> float:
    return float(row["processor_seconds"])


def _old_minimax(clone: Path) -> float:
    """Processor time of the same by the engine of commit ac22347."""
    asked = [str(clone / ".venv" / "bin" / "python"), str((PEERS / "old_minimax.py").resolve())]
    done = subprocess.run(asked, cwd=clone, capture_output=True, text=True, check=True)
    return _processor(json.loads(done.stdout.splitlines()[-1]))


def _float_minimax(problems: Sequence[tuple[certify.Problem, np.ndarray]]) -> None:
    """A candidate for each leg, as the papers would have it: nothing is proved."""
    for problem, start in problems:
        minimise(problem.blocks, (0,), tuple(range(len(problem.variables))), Box(*problem.box), start, TRUST)


def _percent(legs: int, radius: int, limit: float, peers: dict[str, str]) -> dict[str, Any]:
    """A gap of 1 %: ours, the paper's scheme on our contractors, the peers."""
    experiment = load_experiment(shipped("table_of_stewart"))
    problems = [_within(radius, *leg_problem(experiment, leg)) for leg in range(legs)]
    ours = [_adequacy(*problem, "1e-2") for problem in problems]
    print(f"\na gap of 1 % from +-{radius} mm, ours\n{HEAD}")
    print("\n".join(map(_told, ours)), flush=True)
    print(f"the paper's scheme on our contractors, {limit:g} s a leg", flush=True)
    paper = []
    for problem in problems:
        paper.append(_adequacy(*problem, "1e-2", limit, "paper"))
        print(_told(paper[-1]), flush=True)
    tasks = [_task(problem, limit, _fit_error(problem, start)) for problem, start in problems]
    found: dict[str, Any] = {"limit": limit, "ours": ours, "paper": paper}
    for name, interpreter in peers.items():
        print(f"the paper's scheme on the contractors of {name}, {limit:g} s a leg", flush=True)
        found[name] = _ask(name, interpreter, tasks)
        for row in found[name]:
            low, high = row["epsilon"]
            ends = f"{low:>15.10f} {high:>15.10f} {(high - low) / high:>8.1e}"
            print(f"{row['name']:<6} {'':<10} {ends} {row['boxes']:>6} {'':>8} {row['seconds']:>8.3f}")
    slower = {}
    for name in ("paper", *peers):
        ratios = [row["seconds"] / our["seconds"] for row, our in zip(found[name], ours, strict=True)]
        done = all(
            (row["gap"] if name == "paper" else 1 - row["epsilon"][0] / row["epsilon"][1]) <= 0.01
            for row in found[name]
        )
        slower[name] = {"times": statistics.median(ratios), "reached": done}
        print(f"{name}: {'' if done else 'not reached in '}{slower[name]['times']:.0f} times our seconds")
    return found | {"slower": slower}


def _within(radius: int, problem: certify.Problem, start: np.ndarray) -> tuple[certify.Problem, np.ndarray]:
    """The problem with a box of this radius around the same centre."""
    centres = [(v.lower + v.upper) / 2 for v in problem.variables]
    variables = tuple(
        replace(v, lower=c - radius, upper=c + radius) for v, c in zip(problem.variables, centres, strict=True)
    )
    return replace(problem, variables=variables), start


def _fit_error(problem: certify.Problem, start: np.ndarray) -> float:
    """The error that the start needs, which is S2's first upper end."""
    point = [min(max(Fraction(float(x)), v.lower), v.upper) for x, v in zip(start, problem.variables, strict=True)]
    return float(certify.error_at(problem, point).parts[0].epsilon[1] or 0)


def _task(problem: certify.Problem, limit: float, upper: float | None) -> dict[str, Any]:
    """The rows with intervals for position, rotation matrix and length, and the box; without `upper` it is to be
    refuted at epsilon 0.
    """
    rows = problem.blocks[0]
    builder = Builder(3)
    matrix = rotation_xyz(*(radians(Expression(builder, i)) for i in range(3)))
    enclosure = evaluate(
        builder.tape(tuple(entry.node for entry in matrix.ravel())), rows.lower[10:13], rows.upper[10:13]
    )
    data = []
    for k in range(rows.count):
        position = [[rows.lower[i, k], rows.upper[i, k]] for i in (7, 8, 9)]
        rotation = [
            [[enclosure.lower[3 * i + j, k], enclosure.upper[3 * i + j, k]] for j in range(3)] for i in range(3)
        ]
        data.append([position, rotation, [rows.lower[13, k], rows.upper[13, k]]])
    box = np.array(problem.box).T.tolist()
    return {"name": problem.families[0].name, "rows": data, "box": box, "limit": limit, "upper": upper}


def _ask(name: str, interpreter: str, tasks: list[dict[str, Any]]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.json"
        data.write_text(json.dumps(tasks))
        done = subprocess.run(
            [interpreter, str(PEERS / f"{name}_calibration.py"), str(data)], capture_output=True, text=True, check=True
        )
    return json.loads(done.stdout.splitlines()[-1])


def _outlier(limit: float, peers: dict[str, str]) -> dict[str, Any]:
    """A reading off by 5 mm: eight platforms, ours three times each; the peers get the first one."""
    print("\none leg length off by 5 mm")
    print(
        f"{'seed':>4} {'leg':<6} {'verdict':<10} {'cpu s':>8} {'clock s':>8} {'rows':>4} {'last':>4}  "
        f"the wrong row is among them"
    )
    rows, first = [], None
    for seed in range(1, 9):
        simulated = simulate(unmodelled_error("outlier", "5"), seed)
        if simulated.truth.outlier is None:
            raise ArithmeticError("no outlier was planted")
        leg, pose = simulated.truth.outlier
        problem, start = leg_problem(simulated.experiment, leg - 1)
        first = first or problem
        best: Any = None
        for _ in range(3):
            decided = partial(certify.decide, problem, 0, start=start)
            result, times = _timed(decided)
            best = (result, times) if best is None or times["seconds"] < best[1]["seconds"] else best
        result, times = best
        rows.append({"seed": seed, "leg": leg, "pose": pose} | times | _conflict(result, pose))
        row = rows[-1]
        told = f"{row['processor_seconds']:>8.3f} {row['seconds']:>8.3f} {row['rows']:>4} {row['rows_at_the_end']:>4}"
        named = f"{'yes' if row['named'] else 'NO'}{', and at the end' if row['named_at_the_end'] else ''}"
        print(f"{seed:>4} leg{leg:<3} {row['verdict']:<10} {told}  {named}", flush=True)
    met = {key: sum(row[key] < BARS["outlier seconds"] for row in rows) for key in ("processor_seconds", "seconds")}
    print(f"under 0.1 s: {met['processor_seconds']} of {len(rows)} in processor time, {met['seconds']} by the clock")
    found: dict[str, Any] = {"rows": rows, "bar_met": met}
    for name, interpreter in peers.items():
        if first is not None:
            found[name] = _ask(name, interpreter, [_task(first, limit, None)])[0]
            print(
                f"{name}: {found[name]['answer']} after {found[name]['seconds']:.1f} s and {found[name]['boxes']} boxes"
            )
    return found


def _conflict(result: certify.Result, pose: int) -> dict[str, Any]:
    """Whether the rows of the certificate contain a pose (1, 2, ...), and where it stands when they are
    ordered by use.
    """
    part = result.parts[0]
    if part.certificate is None:
        nothing = {"rows": 0, "rows_at_the_end": 0, "named": False, "rank": None, "named_at_the_end": False}
        return nothing | {"verdict": part.verdict.value, "verified": False}
    tree = explain(result.canonical, part.certificate).tree
    ranked = [] if tree is None else [row for (_, row), _ in tree.ranked()]
    return {
        "verdict": part.verdict.value, "verified": check(result.canonical, part.certificate).status is Status.VERIFIED,
        "rows": len(ranked), "rows_at_the_end": len(tree.last) if tree is not None else 0,
        "named": pose - 1 in ranked, "rank": ranked.index(pose - 1) + 1 if pose - 1 in ranked else None,
        "named_at_the_end": tree is not None and pose - 1 in {row for _, row in tree.last},
    }  # fmt: skip


def _poses() -> dict[str, Any]:
    """More poses: one leg to a gap of 1e-6, and where the time goes."""
    print(
        f"\nmore poses, a leg to a gap of 1e-6\n{'poses':>6} {HEAD} {'ms a pose':>9} {'witness':>8} "
        f"{'search':>8} {'replay':>8}"
    )
    rows = []
    for poses in POSES:
        problem, start = leg_problem(platform(1, poses, 1.0, "1", "4").experiment, 0)
        row = _adequacy(problem, start, "1e-6", 600.0) | {"poses": poses} | _stages(problem, start)
        rows.append(row)
        parts = " ".join(f"{row[name]:>8.2f}" for name in ("witness", "search", "replay"))
        print(f"{poses:>6} {_told(row)} {1e3 * row['processor_seconds'] / poses:>9.2f} {parts}", flush=True)
    exponents = [
        float(np.log(b["processor_seconds"] / a["processor_seconds"]) / np.log(b["poses"] / a["poses"]))
        for a, b in pairwise(rows)
    ]
    print("growth (1 is linear):", ", ".join(f"{value:.2f}" for value in exponents))
    return {"rows": rows, "exponents": exponents}


def _stages(problem: certify.Problem, start: np.ndarray) -> dict[str, float]:
    """Seconds of the stages, run once more by hand: the witness found and verified, the refutation, its replay."""
    from certify.parts.part_search import PartSearch
    from certify.text.decimals import round_down

    options = certify.Options(gap=Fraction("1e-6"), time_limit=600.0)
    search = PartSearch(Proving(problem), (0,), options, start)
    upper, witness = _timed(lambda: search.proving.needed(search.scope, search.candidate(start)))
    lower = round_down(upper * (1 - options.gap))
    steps, refuting = _timed(lambda: search.refute(lower).steps)
    _, replay = _timed(lambda: search.proving.tree(search.scope, lower, steps))
    return {
        "witness": witness["processor_seconds"],
        "search": refuting["processor_seconds"],
        "replay": replay["processor_seconds"],
    }


def _degenerate(seeds: int) -> dict[str, Any]:
    """What determines the parameters badly: a gap of 1e-3 within 30 s."""
    print(f"\ndegenerate cases, a gap of 1e-3, 30 s\n{'case':<20} {'seed':>4} {HEAD} {'condition':>9}")
    rows = []
    for name, case in DEGENERATE.items():
        for seed in range(1, seeds + 1):
            experiment = platform(seed, *case).experiment
            for leg in (0, 3):
                problem, start = leg_problem(experiment, leg, blueprint_centre=True)
                row = _adequacy(problem, start, "1e-3", BARS["degenerate seconds"]) | {"case": name, "seed": seed}
                row["condition"] = _condition(problem, start)
                row["bar_met"] = row["verdict"] == "adequate" or (row["gap"] or 1.0) <= BARS["degenerate gap"]
                rows.append(row)
                print(
                    f"{name:<20} {seed:>4} {_told(row)} {row['condition']:>9.1e}{'' if row['bar_met'] else '  MISSED'}",
                    flush=True,
                )
    met = sum(row["bar_met"] for row in rows)
    print(f"bar met: {met} of {len(rows)}")
    return {"rows": rows, "bar_met": met}


def _condition(problem: certify.Problem, x: np.ndarray) -> float:
    """Of the Jacobian at the blueprint, in mm: how flat the valley is (an estimate)."""
    from certify.solvers.fits.plain_fit import residuals

    rows = problem.blocks[0]
    return float(np.linalg.cond(residuals(rows, x, 0.5 * (rows.lower + rows.upper))[1]))
