"""The same problem told otherwise has the same answer: other units, another order, other names, another origin, a row
written twice.

Random planted problems of six kinds (`_planted_problems`): legs, legs that share poses, serial arms, systems of
equations, sets of inequalities, least-squares fits. Verdicts never contradict each other or what is planted, and are
the same where both are decided; what ends finished is within the asked gap; and it takes as long: time is processor
time, work is what was counted (bisections and calls of contractors, or boxes).
"""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks._tellings import KINDS, Answer, meet
from certify.parts.warm_up import warm_up
from certify.questions.system_search import warm_up_systems
from certify.records.verdicts import Verdict

LEAST_TIME = 0.02  # seconds: what is faster counts as that


def run(words: list[str]) -> dict[str, Any]:
    """Print what contradicts, then the distribution of ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks metamorphic")
    parser.add_argument("--count", type=int, default=200, help="problems (default 200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    warm_up_systems()
    rows = [row for number in range(options.first, options.first + options.count) for row in compared(number)]
    for row in rows:
        for fault in row["faults"]:
            print(f"{row['kind']} {row['seed']}, {row['change']}: {fault}")
    return {"rows": rows, "summary": _summary(rows)}


def compared(number: int) -> Iterator[dict[str, Any]]:
    """A problem by its number: each way to tell it against the first one."""
    kind, seed = list(KINDS)[number % len(KINDS)], number // len(KINDS)
    planted, tellings = KINDS[kind](seed)
    first = tellings[0][1]()
    for change, tell in tellings[1:]:
        other = tell()
        faults = [fault for answer in (first, other) for fault in planted(answer)] + _contradictions(first, other)
        yield {
            "kind": kind, "seed": seed, "change": change, "faults": faults, "seconds": [first.seconds, other.seconds],
            "work": [first.work, other.work], "decided": [_decided(answer) for answer in (first, other)],
        }  # fmt: skip


def _decided(answer: Answer) -> bool:
    return all(claim.verdict != Verdict.UNDECIDED.value for claim in answer.claims.values())


def _contradictions(first: Answer, other: Answer) -> list[str]:
    faults = []
    if first.claims.keys() != other.claims.keys():
        return [f"the parts {sorted(map(sorted, first.claims))} became {sorted(map(sorted, other.claims))}"]
    for name, one in first.claims.items():
        two, told = other.claims[name], "+".join(sorted(name))
        if one.verdict != two.verdict:
            decided = Verdict.UNDECIDED.value not in (one.verdict, two.verdict)
            faults.append(f"{told}: {one.verdict} became {two.verdict}" + ("" if decided else " (only one is decided)"))
        if _apart(one.ends, two.ends):
            faults.append(f"{told}: no number is in both {one.ends} and {two.ends}")
        if len(one.boxes) != len(two.boxes) and one.finished and two.finished:
            faults.append(f"{told}: {len(one.boxes)} solutions became {len(two.boxes)}")
        elif one.finished and two.finished and not all(any(meet(a, b) for b in two.boxes) for a in one.boxes):
            faults.append(f"{told}: a solution is in none of the other's boxes")
    return faults


def _apart(one: tuple[Fraction, Fraction | None], two: tuple[Fraction, Fraction | None]) -> bool:
    return any(high is not None and low > high for low, high in ((one[0], two[1]), (two[0], one[1])))


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    summary: dict[str, Any] = {}
    for kind in KINDS:
        chosen = [row for row in rows if row["kind"] == kind]
        if not chosen:
            continue
        times, work = _ratios(chosen, "seconds", LEAST_TIME), _ratios(chosen, "work", 1.0)
        summary[kind] = {
            "answers": len(chosen), "faults": sum(bool(row["faults"]) for row in chosen),
            "decided": sum(all(row["decided"]) for row in chosen),
            "time_ratio": _mean(times), "time_within_2": float((np.abs(np.log2(times)) <= 1.0).mean()),
            "work_ratio": _mean(work), "work_within_2": float((np.abs(np.log2(work)) <= 1.0).mean()),
        }  # fmt: skip
        print(f"{kind:>12}: " + ", ".join(f"{name} {value:.3g}" for name, value in summary[kind].items()))
    return summary


def _ratios(rows: list[dict[str, Any]], what: str, least: float) -> Any:
    return np.array([max(row[what][1], least) / max(row[what][0], least) for row in rows])


def _mean(ratios: Any) -> float:
    return float(np.exp(np.log(ratios).mean()))
