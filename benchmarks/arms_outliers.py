"""Planted wrong poses of serial arms: is the fewest number to leave out found, and proved, and what does that cost?

    python -m benchmarks arms_outliers [--count 100] [--first 0] [--checked 5]

One to four poses of an arm without model error (`_planted_arms`, joints known exactly or within an interval) are moved
by 0.3 to 10 mm, many times what a reading may be off by. Brute force looks at every set of fewer poses: a descent from
the planted truth tells whether the rest is consistent without it (joints exact; elsewhere, and where it is too close to
tell, the planted number is an upper bound only). Judged is:

- *wrong number*: brute force knows the number, and the answer is another one, or undecided;
- *too many*: the answer is more than the planted number, or no set that suffices was found;
- *not the planted ones*: told as a count, it is no fault: other poses may do as well;
- *rejected*: of one in `--checked` arms, that the stand-alone checker does not accept a certificate (or is
  *unfinished* after ten minutes).
"""

import argparse
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

import certify
from benchmarks._planted_arms import Plan, Shape, decimal, planted
from certify.checker import Status, check
from certify.contractors.protocol.contractor import Box
from certify.parts.warm_up import warm_up
from certify.problems.model.groups import NORMS, Group
from certify.problems.model.row_subsets import kept_rows
from certify.solvers.fits.minimax import minimise

OPTIONS = certify.Options(time_limit=600.0)
JOINTS = (Fraction(0), Fraction(0), Fraction(1, 100_000))  # half-widths in rad
SETS = 400  # that brute force looks at, at most
NOTHING, SOMETHING = 1e-9, 1e-6  # mm: a model error that is none, and one that is one
AXES = ("x", "y", "z")


def run(words: list[str]) -> dict[str, Any]:
    """A line for each fault, then the distribution."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks arms_outliers")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--checked", type=int, default=5)
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    rows = [_answered(seed, options.checked) for seed in range(options.first, options.first + options.count)]
    return {"rows": rows, "summary": _summary(rows)}


def arm_of(seed: int) -> tuple[certify.Problem, np.ndarray, np.ndarray, tuple[int, ...]]:
    """An arm with wrong poses: the problem, its middle, the truth, and which poses are wrong."""
    random = np.random.default_rng([seed, 15])
    wrong = 1 + seed % 4
    shape = Shape.drawn(random, int(random.integers(3, 7)))
    poses = int(random.integers(12, 14 if wrong == 4 else 25))
    plan = Plan(poses, int(random.integers(6, 13)), joint=JOINTS[int(random.integers(len(JOINTS)))])
    arm = planted(shape, plan, random)
    places = tuple(sorted(int(k) for k in random.choice(poses, wrong, replace=False)))
    moves = random.normal(size=(wrong, 3))
    sizes = np.exp(random.uniform(np.log(0.3), np.log(10.0), wrong))
    moves *= (sizes / np.linalg.norm(moves, axis=1))[:, None]
    columns = list(arm.problem.columns)
    for axis, name in enumerate(AXES):
        place = next(k for k, column in enumerate(columns) if column.name == name)
        by = {k: decimal(move[axis]) for k, move in zip(places, moves, strict=True)}
        lower, upper = (
            tuple(end + by.get(k, 0) for k, end in enumerate(ends))
            for ends in (columns[place].lower, columns[place].upper)
        )
        columns[place] = replace(columns[place], lower=lower, upper=upper)
    group = Group("tip", tuple(f"tip.{axis}" for axis in AXES), NORMS[seed // 4 % 2])
    problem = replace(arm.problem, columns=tuple(columns), groups=(group,))
    return problem, arm.start, np.array([float(value) for value in arm.truth]), places


def _answered(seed: int, checked: int) -> dict[str, Any]:
    problem, start, truth, wrong = arm_of(seed)
    began = time.process_time()
    answer = certify.fewest_discards(problem, 0, start=start, options=OPTIONS)
    seconds, (part,) = time.process_time() - began, answer.parts
    known = _by_brute_force(problem, truth, len(wrong))
    found = None if part.discarded is None else tuple(row for _, row in part.discarded)
    faults = []
    if known is not None and (found is None or not part.fewest == len(found) == known):
        faults.append("wrong number")
    if found is None or len(found) > len(wrong):
        faults.append("too many")
    texts = [text for _, text in part.documents] if seed % checked == 0 else []
    for status in {check(answer.canonical, text).status for text in texts} - {Status.VERIFIED}:
        faults.append("rejected" if status is Status.REJECTED else "unfinished")
    row = {
        "seed": seed, "poses": problem.families[0].rows, "unknowns": len(problem.variables), "norm": seed // 4 % 2,
        "wrong": wrong, "known": known, "fewest": part.fewest, "found": found, "planted ones": found == wrong,
        "conflicts": len(part.conflicts), "splits": part.splits, "stopped": part.stopped.value, "seconds": seconds,
        "faults": faults,
    }  # fmt: skip
    if faults:
        print(row, flush=True)
    return row


def _by_brute_force(problem: certify.Problem, truth: np.ndarray, planted_number: int) -> int | None:
    """The fewest poses without which the rest is consistent, by trying all sets; None if that is not known."""
    if any(column.uncertain for column in problem.columns if column.name not in AXES):
        return None
    count = problem.families[0].rows
    if comb(count, planted_number - 1) > SETS:
        return None
    for size in range(planted_number):
        least = min(_error(problem, truth, rows) for rows in combinations(range(count), size))
        if least <= NOTHING:
            return size
        if least < SOMETHING:
            return None
    return planted_number


def _error(problem: certify.Problem, truth: np.ndarray, without: tuple[int, ...]) -> float:
    """The smallest model error that a descent finds without these poses."""
    rest = kept_rows(problem, (0, 1, 2), {(0, row) for row in without}).problem
    variables = tuple(range(len(rest.variables)))
    return minimise(rest.blocks, (0, 1, 2), variables, Box(*rest.box), truth, 0.3).epsilon


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = np.array([row["seconds"] for row in rows])
    told = {
        "arms": len(rows),
        "confirmed by brute force": sum(row["known"] is not None for row in rows),
        "fewer than planted": sum(row["known"] is not None and row["known"] < len(row["wrong"]) for row in rows),
        "the planted ones": sum(row["planted ones"] for row in rows),
        "faults": dict(Counter(fault for row in rows for fault in row["faults"])),
        "seconds, median and longest": [float(np.median(seconds)), float(seconds.max())],
    }
    print(told)
    return told
