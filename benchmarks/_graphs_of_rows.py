"""What each contractor of measured rows is worth: legs, arms and points with planted errors, with all contractors and
without one after the other.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

import certify
from benchmarks._planted_problems import arm, joint, leg
from certify.parts import hull_search, part_search
from certify.parts.warm_up import warm_up
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.solvers.advice import thinning
from certify.solvers.graph import components
from certify.solvers.graph.components import Component

SPLITS = 20
SECONDS = 4.0  # for a hull that comes to nothing without a contractor
ANCHORS = ((0, 0), (6, 0), (0, 5), (7, 6))


def _points(seed: int) -> Problem:
    """A point in the plane, whose distances to four anchors are read within 1/50."""
    truth, random = np.random.default_rng([seed, 8]).uniform(1.0, 4.0, 2), np.random.default_rng([seed, 9])
    tape = trace(
        lambda x, m: certify.norm([x.u - m.a, x.v - m.b]) - m.d, {"u": (), "v": ()}, {"a": (), "b": (), "d": ()}
    )
    read = [Fraction(round(1000 * (np.hypot(*(truth - a)) + random.uniform(-0.018, 0.018))), 1000) for a in ANCHORS]
    half = Fraction(1, 50)
    exact = [tuple(map(Fraction, values)) for values in zip(*ANCHORS, strict=True)]
    columns = (
        *(Column(name, "1", values, values) for name, values in zip("ab", exact, strict=True)),
        Column("d", "1", tuple(value - half for value in read), tuple(value + half for value in read)),
    )
    bindings = (*(Binding(False, v) for v in range(2)), *(Binding(True, c) for c in range(3)))
    variables = tuple(Variable(name, "1", Fraction(-20), Fraction(20)) for name in "uv")
    return Problem(variables, columns, (Family("distances", tape, len(ANCHORS), bindings),))


def _wider(problem: Problem, factor: int) -> Problem:
    """The same with a search box so many times as wide."""
    middles = [(v, (v.lower + v.upper) / 2, (v.upper - v.lower) / 2 * factor) for v in problem.variables]
    return replace(problem, variables=tuple(replace(v, lower=m - half, upper=m + half) for v, m, half in middles))


def _error(problem: Problem, gap: int) -> Any:
    return certify.adequacy(problem, options=certify.Options(gap=Fraction(1, 10**gap), splits=SPLITS))


def _together(problem: Problem) -> Any:
    options = certify.Options(gap=Fraction(1, 100), splits=SPLITS, together=True)
    return certify.adequacy(problem, options=options)


def _hull(problem: Problem, epsilon: Fraction) -> Any:
    return certify.enclose(problem, epsilon, options=certify.Options(splits=SPLITS, time_limit=SECONDS))


Question = Callable[[], Any]


def _kinds() -> dict[str, list[Question]]:
    """The questions of each kind."""
    arms = [arm(seed) for seed in range(1, 12)]
    return {
        "legs": [partial(_error, leg(seed).problem, 6) for seed in range(1, 9)],
        "legs in wide boxes": [partial(_error, _wider(leg(seed).problem, 20), 4) for seed in (1, 2, 4, 5)],
        "legs that share": [partial(_together, joint(seed).problem) for seed in (5, 10, 13)],
        "arms": [partial(_error, one.problem, 4) for one in arms],
        "arms in wide boxes": [partial(_error, _wider(one.problem, 20), 3) for one in arms],
        "hulls of legs": [partial(_hull, leg(seed).problem, leg(seed).epsilon * 2) for seed in (1, 3)],
        "hulls of arms": [partial(_hull, one.problem, one.epsilon * Fraction(11, 10)) for one in arms[:4]],
        "hulls of points": [partial(_hull, _points(seed), Fraction(0)) for seed in range(1, 7)],
    }


@contextmanager
def _without(name: str) -> Iterator[None]:
    """No part has contractors of this name meanwhile."""

    def build(*asked: Any, **more: Any) -> Component:
        whole = components.build(*asked, **more)
        kept = tuple(node for node in whole.graph.nodes if node.contractor.name != name)
        return replace(whole, graph=replace(whole.graph, nodes=kept))

    with ExitStack() as patched:
        for place in (part_search, hull_search, thinning):
            patched.enter_context(patch.object(place, "build", build))
        yield


def _measured(questions: list[Question]) -> tuple[dict[str, Any], set[str]]:
    """Totals over the questions, and the names of the contractors that ran."""
    total, names, began = Counter[str](), set[str](), process_time()
    for ask in questions:
        for part in ask().parts:
            total["splits"] += part.splits
            total["calls"] += sum(count.calls for count in part.contractors.values())
            total["bytes"] += len(part.certificate or b"")
            names |= set(part.contractors)
    return {**total, "splits": total["splits"], "seconds": process_time() - began}, names


def measured_rows(only: list[str] | None = None) -> list[dict[str, Any]]:
    """Print a line for each kind of problem and contractor left out."""
    warm_up(lambda message: None)
    rows = []
    print(f"\n{'measured rows':<20} {'graph':<32} {'splits':>6} {'calls':>6} {'bytes':>8} {'seconds':>8}")
    for kind, questions in _kinds().items():
        if only and kind not in only:
            continue
        questions[0]()
        told, names = _measured(questions)
        rows.append({"kind": kind, "graph": "all", **told})
        for name in sorted(names):
            with _without(name):
                rows.append({"kind": kind, "graph": f"without {name}", **_measured(questions)[0]})
        for row in rows[-1 - len(names) :]:
            print(
                f"{kind:<20} {row['graph']:<32} {row['splits']:>6} {row['calls']:>6} {row['bytes']:>8} "
                f"{row['seconds']:>8.2f}",
                flush=True,
            )
    return rows
