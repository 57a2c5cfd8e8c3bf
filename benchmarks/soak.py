"""Hours of random problems: the search, both checkers, other libraries and independent truth agree, and memory is flat.

    python -m benchmarks soak [--hours 1] [--seed 1] [--engine codac] [--every 20]

In turns, in one process: legs, legs that share poses and arms with a planted error, systems with a planted zero,
systems of which all zeros are known (products of lines under a linear change), sets of known area, fits of known
minimum. What is claimed may not contradict what is planted; each certificate is judged by both checkers here, and every
so manieth by another library. A line each minute: what was done until then, and the resident memory.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks import _planted_problems as planted
from benchmarks._tellings import GAP, LIMIT, meet
from certify import checker, checker_arb
from certify.parts.warm_up import warm_up
from certify.problems.errors import InputError
from certify.questions.system_search import warm_up_systems
from certify.records.verdicts import Verdict
from certify.second_opinion.opinion import second_opinion
from certify.systems.set_answer import SetAnswer
from certify.systems.solve import Asked, answered
from certify.systems.system_answer import SystemAnswer

LINE = 60.0  # seconds
CHECKING = 120  # seconds for one certificate
FLAT = 1.1  # times the memory after a quarter of the time, which it may have in the last quarter
Documents = list[tuple[bytes, bytes]]  # canonical problems and certificates


@dataclass(frozen=True)
class Found:
    """What contradicts the truth, whether there is an answer, and the certificates."""

    faults: tuple[str, ...]
    decided: bool
    documents: Documents


def _measured(generate: Callable[[int], planted.Measured], seed: int) -> Found:
    """The smallest model error is at most the planted one."""
    case = generate(seed)
    result = certify.adequacy(case.problem, options=certify.Options(gap=GAP, time_limit=LIMIT))
    faults = [
        f"{'+'.join(part.scope)}: at least {float(part.epsilon[0])}, planted {float(case.epsilon)}"
        for part in result.parts
        if part.epsilon[0] > case.epsilon
    ]
    decided = all(part.verdict is not Verdict.UNDECIDED for part in result.parts)
    return Found(tuple(faults), decided, sorted(result.documents()))


def _fit(seed: int) -> Found:
    """The least sum and its place are known."""
    case, faults = planted.fit(seed), []
    result = certify.least_squares(case.problem, options=certify.Options(time_limit=LIMIT))
    for part in result.parts:
        low, high = part.epsilon
        if high is not None and not low <= case.least <= high:
            faults.append(f"the least sum is {case.least}, not within {low}, {high}")
        box = part.box if isinstance(part, certify.Minimum) else None
        truth = dict(zip(sorted(box or {}), case.minimiser, strict=False))
        faults += [
            f"the minimum has {name} = {truth[name]}"
            for name, (a, b) in (box or {}).items()
            if not a <= truth[name] <= b
        ]
    decided = all(part.verdict is not Verdict.UNDECIDED for part in result.parts)
    return Found(tuple(faults), decided, sorted(result.documents()))


def _asked(text: str) -> tuple[Any, Documents]:
    answer = answered(text, Asked(time_limit=LIMIT))
    return answer, [(document.canonical, document.certificate) for document in answer.documents]


def _told(case: planted.Told) -> str:
    names = [f"x{k}" for k in range(len(case.domains))]
    domains = [f"{name} in [{low}, {high}];" for name, (low, high) in zip(names, case.domains, strict=True)]
    rows = [f"{row.format(*names)};" for row in case.constraints]
    return "\n".join(["Variables", *domains, "Constraints", *rows, "end"])


def _system(seed: int) -> Found:
    """The planted zero is in one of the boxes."""
    case = planted.system(seed)
    answer, documents = _asked(_told(case))
    faults = [] if answer.count is None else _missed(answer, [case.solution])
    return Found(tuple(faults), answer.count is not None, documents)


def _missed(answer: SystemAnswer, zeros: list[tuple[Fraction, ...]]) -> list[str]:
    """Zeros that are in none of the boxes."""
    found = [solution.enclosure for solution in answer.found.paving.solutions]
    boxes = [tuple(zip(box.lower.tolist(), box.upper.tolist(), strict=True)) for box in found]
    points = [tuple((float(v), float(v)) for v in zero) for zero in zeros]
    return [f"the zero {point} is in no box" for point in points if not any(meet(point, box) for box in boxes)]


def _lines(seed: int) -> Found:
    """prod (u - a_i) = 0 and prod (v - b_j - c_j u) = 0 with (u, v) a linear change of (x, y): all zeros are known."""
    random = np.random.default_rng([seed, 7])
    a = [Fraction(int(v), 4) for v in random.choice(np.arange(-9, 10), int(random.integers(1, 4)), replace=False)]
    b = [Fraction(int(v), 4) for v in random.choice(np.arange(-9, 10), int(random.integers(1, 4)), replace=False)]
    c = [Fraction(int(v), 8) for v in random.integers(-3, 4, len(b))]
    p, q, r, s = (Fraction(int(v)) for v in random.integers(-3, 4, 4))
    if p * s == q * r:
        p, q, r, s = Fraction(2), Fraction(1), Fraction(1), Fraction(1)
    u, v = f"({p}*x + ({q})*y)", f"({r}*x + ({s})*y)"
    first = "*".join(f"({u} - ({one}))" for one in a)
    second = "*".join(f"({v} - ({one}) - ({by})*{u})" for one, by in zip(b, c, strict=True))
    half = [Fraction(int(k), 8) + Fraction(1, 1000) for k in random.integers(8, 40, 2)]
    domains = "; ".join(f"{name} in [{-most}, {most}]" for name, most in zip("xy", half, strict=True))
    text = f"Variables {domains};\nConstraints {first} = 0; {second} = 0;\nend"
    lines = zip(b, c, strict=True)
    zeros = [_back((p, q, r, s), left, one + by * left) for left, (one, by) in itertools.product(a, lines)]
    if len(set(zeros)) < len(zeros):  # a zero that is double is never counted
        return Found((), True, [])
    inside = [zero for zero in zeros if all(abs(at) <= most for at, most in zip(zero, half, strict=True))]
    answer, documents = _asked(text)
    if answer.count is None:
        return Found((), False, documents)
    wrong = [] if answer.count == len(inside) else [f"{answer.count} zeros, there are {len(inside)}"]
    return Found((*wrong, *_missed(answer, inside)), True, documents)


def _back(matrix: tuple[Fraction, ...], u: Fraction, v: Fraction) -> tuple[Fraction, Fraction]:
    """(x, y) of (u, v)."""
    p, q, r, s = matrix
    return (s * u - q * v) / (p * s - q * r), (p * v - r * u) / (p * s - q * r)


def _set(seed: int) -> Found:
    """The area is known."""
    case = planted.inequalities(seed)
    answer, documents = _asked(_told(case))
    low, high = answer.found.paving.volume if isinstance(answer, SetAnswer) else (0.0, np.inf)
    wrong = low > case.volume * (1 + 1e-12) or high < case.volume * (1 - 1e-12)
    faults = (f"the area is {case.volume}, not within {low}, {high}",) if wrong else ()
    return Found(faults, True, documents)


KINDS: dict[str, Callable[[int], Found]] = {
    "legs": lambda seed: _measured(planted.leg, seed),
    "systems": _system,
    "lines": _lines,
    "sets": _set,
    "fits": _fit,
    "joint legs": lambda seed: _measured(planted.joint, seed),
    "arms": lambda seed: _measured(planted.arm, seed),
}


@dataclass
class Tally:
    """What was counted so far."""

    count: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)

    def fault(self, said: str) -> None:
        """Say it at once, too."""
        self.faults.append(said)
        print(f"FAULT {said}", flush=True)

    def line(self, seconds: float) -> None:
        """One line of the table."""
        gc.collect()
        self.memory.append((seconds, _resident()))
        one = self.count
        print(
            f"{seconds / 60:>6.1f} min {one['problems']:>6} problems {one['decided']:>6} decided "
            f"{one['certificates']:>6} certificates {one['bytes'] / 1e6:>7.1f} MB {one['verified']:>6} verified "
            f"{one['verified twice']:>6} twice {one['limits']:>3} limits {one['confirmed']:>6} leaves confirmed "
            f"{one['neither']:>6} neither {len(self.faults):>3} faults {self.memory[-1][1]:>7.1f} MB resident",
            flush=True,
        )

    @property
    def growth(self) -> float:
        """The memory in the last quarter of the time over that after the first quarter."""
        size = max(len(self.memory) // 4, 1)
        sizes = [megabytes for _, megabytes in self.memory]
        return float(np.mean(sizes[-size:]) / np.mean(sizes[size : 2 * size] or sizes[:1]))


def run(words: list[str]) -> dict[str, Any]:
    """Print a line each minute, then whether anything disagrees and whether memory is flat."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak")
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1, help="of the first problems")
    parser.add_argument("--engine", default="codac", help="another library (none: nobody is asked)")
    parser.add_argument("--every", type=int, default=20, metavar="N", help="ask it about every Nth certificate")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    warm_up_systems()
    tally, began, last = Tally(), time.monotonic(), 0.0
    for seed, kind in _problems(options.seed):
        seconds = time.monotonic() - began
        if seconds > 3600.0 * options.hours:
            break
        if not tally.memory or seconds - last > LINE:
            tally.line(seconds)
            last = seconds
        _one(tally, kind, seed, options)
    tally.line(time.monotonic() - began)
    flat = tally.growth <= FLAT
    print(f"{len(tally.faults)} faults; memory {tally.growth:.3f} times: {'flat' if flat else 'NOT FLAT'}")
    told = {"count": dict(tally.count), "faults": tally.faults, "memory": tally.memory, "growth": tally.growth}
    return {"hours": options.hours, **told, "processor_seconds": sum(os.times()[:4])}


def _problems(first: int) -> Iterator[tuple[int, str]]:
    return ((seed, kind) for seed in itertools.count(first) for kind in KINDS)


def _one(tally: Tally, kind: str, seed: int, options: argparse.Namespace) -> None:
    """A problem, and the certificates of its answer."""
    try:
        found = KINDS[kind](seed)
    except Exception as error:
        tally.fault(f"{kind} {seed}: {type(error).__name__}: {error}")
        return
    tally.count.update({"problems": 1, kind: 1, "decided": int(found.decided)})
    for fault in found.faults:
        tally.fault(f"{kind} {seed}: {fault}")
    for problem, certificate in found.documents:
        _judged(tally, f"{kind} {seed}", problem, certificate)
        if tally.count["certificates"] % options.every == 0 and options.engine != "none":
            _other(tally, f"{kind} {seed}", problem, certificate, options.engine)


def _judged(tally: Tally, name: str, problem: bytes, certificate: bytes) -> None:
    first = checker.check(problem, certificate, CHECKING)
    second = checker_arb.check(problem, certificate, CHECKING)
    tally.count.update({"certificates": 1, "bytes": len(certificate)})
    said = first.status.name, second.status.name
    tally.count.update(
        {"verified": int(said[0] == "VERIFIED"), "verified twice": int(said == ("VERIFIED", "VERIFIED"))}
    )
    if "RESOURCE" in said:
        tally.count["limits"] += 1
    elif said != ("VERIFIED", "VERIFIED"):
        tally.fault(f"{name}: the checkers say {first} and {second}")


def _other(tally: Tally, name: str, problem: bytes, certificate: bytes, engine: str) -> None:
    try:
        opinion = second_opinion(problem, certificate, engine, CHECKING)
    except InputError as error:
        tally.count[f"not asked: {str(error)[:60]}"] += 1
        return
    tally.count.update({"asked": 1, "confirmed": opinion.confirmed, "neither": opinion.neither})
    for place in opinion.contradicted:
        tally.fault(f"{name}: {engine} contradicts {place}")


def _resident() -> float:
    """Megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
