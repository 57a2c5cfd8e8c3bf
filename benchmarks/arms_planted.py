"""Planted serial arms of three to seven joints: truth is never excluded, true models are adequate, ends are right.

    python -m benchmarks arms_planted [--count 500] [--first 0] [--checked 25]

Every arm has a shape of its own, 6 to 30 unknowns that the poses tell apart or that are redundant, joints that are
known exactly or within an interval, and a model error or none (`_planted_arms`). Asked is for the smallest model error
to a gap of 10 %, with 20 bisections at most, and judged is:

- *excluded*: a lower end above what truth needs, computed with 300 bits; of every fifth arm also the enclosure at this
  error, which must contain truth;
- *not adequate*: no model error was planted, truth stays away from the ends by 5 % of the half-widths, and yet the
  answer is another one;
- *disagrees*: descents from other points (joints exact) find a smaller error than the upper end says, or than the lower
  end allows;
- *withdrawn*: a refutation that was finished did not survive its replay;
- *rejected*: of one in `--checked` arms, that the stand-alone checker does not accept the certificate (or is
  *unfinished* after ten minutes).
"""

import argparse
import time
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from benchmarks._planted_arms import Plan, PlantedArm, Shape, planted
from certify.checker import Status, check
from certify.contractors.protocol.contractor import Box
from certify.parts.warm_up import warm_up
from certify.solvers.fits.minimax import minimise
from certify.solvers.limits import Stopped

OPTIONS = certify.Options(gap=Fraction(1, 10), splits=20, time_limit=300.0)
ENCLOSED = 5  # of so many arms one is enclosed
STARTS, SAME = 2, 1e-5  # descents, and what is the same, in parts of the error
JOINTS = (Fraction(0), Fraction(1, 100_000), Fraction(1, 10_000))  # half-widths in rad
ERRORS = (0.0, 0.1, 1.0)  # mm


def run(words: list[str]) -> dict[str, Any]:
    """A line for each fault, then the distribution."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks arms_planted")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--checked", type=int, default=25)
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    rows = [_answered(seed, options.checked) for seed in range(options.first, options.first + options.count)]
    return {"rows": rows, "summary": _summary(rows)}


def arm_of(seed: int) -> tuple[Plan, PlantedArm]:
    """The arm of a number."""
    random = np.random.default_rng(seed)
    shape = Shape.drawn(random, int(random.integers(3, 8)))
    plan = Plan(
        poses=int(random.integers(12, 41)),
        unknowns=int(random.integers(6, 31)),
        redundant=bool(seed % 2),
        joint=JOINTS[int(random.integers(len(JOINTS)))],
        error=ERRORS[int(random.integers(len(ERRORS)))],
        room=Fraction(int(random.integers(1, 4)), 2),
    )
    return plan, planted(shape, plan, random)


def _answered(seed: int, checked: int) -> dict[str, Any]:
    plan, arm = arm_of(seed)
    began = time.process_time()
    answer = certify.adequacy(arm.problem, start=arm.start, options=OPTIONS)
    seconds, (part, *_) = time.process_time() - began, answer.parts
    lower, upper = max(p.epsilon[0] for p in answer.parts), answer.parts[-1].epsilon[1]
    faults = []
    if lower > arm.needed or (seed % ENCLOSED == 0 and not _encloses(arm)):
        faults.append("excluded")
    if plan.error == 0.0 and any(p.verdict is not certify.Verdict.ADEQUATE for p in answer.parts):
        faults.append("not adequate")
    if not plan.joint and upper is not None and not _agrees(arm, seed, float(lower), float(upper)):
        faults.append("disagrees")
    if any(Stopped.REPLAY in (p.stopped, *p.obstacles) for p in answer.parts):
        faults.append("withdrawn")
    texts = [p.certificate for p in answer.parts if p.certificate is not None] if seed % checked == 0 else []
    for status in {check(answer.canonical, text).status for text in texts} - {Status.VERIFIED}:
        faults.append("rejected" if status is Status.REJECTED else "unfinished")
    row = {
        "seed": seed, "unknowns": len(arm.truth), "redundant": plan.redundant, "joint": float(plan.joint),
        "error": plan.error, "needed": arm.needed, "verdict": part.verdict.value, "lower": float(lower),
        "upper": None if upper is None else float(upper), "splits": part.splits, "seconds": seconds, "faults": faults,
    }  # fmt: skip
    if faults:
        print({name: value for name, value in row.items() if name != "faults"}, *faults, flush=True)
    return row


def _encloses(arm: PlantedArm) -> bool:
    """Whether the enclosure at the error that truth needs contains truth."""
    level = Fraction(arm.needed) * Fraction(1001, 1000) + Fraction(1, 10**6)
    found = certify.enclose(arm.problem, level, start=arm.start, options=OPTIONS, gap=Fraction(1, 2))
    truth = dict(zip((v.name for v in arm.problem.variables), arm.truth, strict=True))
    for part in found.parts:
        if part.box is None:
            return part.verdict is not certify.Verdict.INFEASIBLE
        ends = zip(part.box.names, part.box.lower, part.box.upper, strict=True)
        if not all(low <= truth[name] <= high for name, low, high in ends):
            return False
    return True


def _agrees(arm: PlantedArm, seed: int, lower: float, upper: float) -> bool:
    """Whether descents from other points end between the ends, or above."""
    problem, random = arm.problem, np.random.default_rng([seed, 1])
    box, families = Box(*problem.box), tuple(range(len(problem.families)))
    variables, found = tuple(range(len(problem.variables))), []
    for _ in range(STARTS):
        start = random.uniform(box.lower, box.upper)
        found.append(max(minimise(problem.blocks, families, variables, box, start, 0.3).epsilon, 0.0))
    return min(found) >= lower * (1.0 - SAME) and upper <= min(found) * (1.0 + SAME) + SAME


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = np.array([row["seconds"] for row in rows])
    told = {
        "arms": len(rows),
        "verdicts": dict(Counter(row["verdict"] for row in rows)),
        "faults": dict(Counter(fault for row in rows for fault in row["faults"])),
        "bisected": sum(row["splits"] > 0 for row in rows),
        "seconds, median and longest": [float(np.median(seconds)), float(seconds.max())],
    }
    print(told)
    return told
