"""The ways to tell the problems of `metamorphic`, and the answers to each, in the numbers of the first telling."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import certify
from benchmarks._changed_problems import Change, duplicated, in_units, permuted, renamed
from benchmarks._planted_problems import Fit, Measured, Told, arm, fit, inequalities, joint, leg, system
from certify.problems.minibex import parse_minibex
from certify.problems.model.model import Problem
from certify.questions.set_paving import pave
from certify.questions.system_search import search
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped
from certify.solvers.search.branch_and_prune import SearchOptions as SystemOptions

GAP = Fraction(1, 10**4)
LIMIT = 10.0  # seconds for one answer
DEGREE = Fraction(174532925199433, 10**16)  # rad: any number would do
UNITS = {
    "m, deg": {"length": Fraction(1000), "angle": DEGREE},
    "um, mrad": {"length": Fraction(1, 1000), "angle": Fraction(1, 1000)},
    "km, urad": {"length": Fraction(10**6), "angle": Fraction(1, 10**6)},
}


@dataclass(frozen=True)
class Claim:
    """What is claimed of one part, in the first telling's units: its verdict and proved ends, and a proved box of its
    solution.
    """

    verdict: str
    ends: tuple[Fraction, Fraction | None]
    finished: bool
    within: bool
    boxes: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True)
class Answer:
    """The claims by part, the seconds and the work."""

    claims: dict[frozenset[str], Claim]
    seconds: float
    work: int


Telling = tuple[str, Callable[[], Answer]]


def meet(a: tuple[tuple[float, float], ...], b: tuple[tuple[float, float], ...]) -> bool:
    """Whether two boxes meet, but for the rounding of their ends to other units."""
    slack = [1e-12 * max(map(abs, (*p, *q))) for p, q in zip(a, b, strict=True)]
    return all(p[0] <= q[1] + s and q[0] <= p[1] + s for p, q, s in zip(a, b, slack, strict=True))


def _measured(
    generate: Callable[[int], Measured],
) -> Callable[[int], tuple[Callable[[Answer], list[str]], list[Telling]]]:
    def kind(seed: int) -> tuple[Callable[[Answer], list[str]], list[Telling]]:
        case = generate(seed)

        def planted(answer: Answer) -> list[str]:
            faults = [
                f"{'+'.join(n)}: at least {float(c.ends[0])}, planted {float(case.epsilon)}"
                for n, c in answer.claims.items()
                if c.ends[0] > case.epsilon
            ]
            return faults + [
                f"{'+'.join(n)}: finished with the ends {c.ends}"
                for n, c in answer.claims.items()
                if c.finished and not c.within
            ]

        def asked(
            problem: Problem, unit: Fraction = Fraction(1), known: dict[str, str] | None = None
        ) -> Callable[[], Answer]:
            return lambda: _answer(
                lambda: certify.adequacy(problem, options=certify.Options(gap=GAP, time_limit=LIMIT)), unit, known or {}
            )

        return planted, _tellings(case.problem, case, asked)

    return kind


def _tellings(problem: Problem, case: Measured, asked: Callable[..., Callable[[], Answer]]) -> list[Telling]:
    """The first telling, and all changes that keep the answer."""
    ones = tuple(Fraction(1) for _ in problem.variables), tuple(Fraction(1) for _ in problem.columns)
    tellings: list[Telling] = [("as it is", asked(problem))]
    for told, units in UNITS.items():
        change = Change(tuple(units[k] for k in case.variables), tuple(units[k] for k in case.columns), units["length"])
        tellings.append((told, asked(in_units(problem, change), units["length"])))
    origins = tuple(3 * (v.upper - v.lower) for v in problem.variables)
    tellings.append(("another origin", asked(in_units(problem, Change(*ones, origins=origins)))))
    tellings.append(("rows times 1000", asked(in_units(problem, Change(*ones, Fraction(1, 1000))), Fraction(1, 1000))))
    tellings.append(("another order", asked(permuted(problem, 1))))
    names = {f.name: g.name for f, g in zip(renamed(problem).families, problem.families, strict=True)}
    tellings.append(("other names", asked(renamed(problem), known=names)))
    again = {f"{f.name}.again": f.name for f in problem.families}
    tellings.append(("a row twice", asked(duplicated(problem), known=again)))
    return tellings


def _answer(
    ask: Callable[[], Result], unit: Fraction, known: dict[str, str], units: tuple[Fraction, ...] = ()
) -> Answer:
    began = time.process_time()
    result = ask()
    seconds = time.process_time() - began
    claims = {
        frozenset(known.get(name, name) for name in part.scope): _claim(part, unit, units) for part in result.parts
    }
    work = sum(part.splits + sum(count.calls for count in part.contractors.values()) for part in result.parts)
    return Answer(claims, seconds, work)


def _claim(part: Part, unit: Fraction, units: tuple[Fraction, ...]) -> Claim:
    lower, upper = part.epsilon
    within = part.verdict in (Verdict.UNDECIDED, Verdict.ADEQUATE) or upper is None or upper - lower <= GAP * upper
    boxes: tuple[tuple[tuple[float, float], ...], ...] = ()
    if isinstance(part, certify.Minimum) and part.box:
        ends = sorted((name, box) for name, box in part.box.items())
        boxes = (tuple((float(low * u), float(high * u)) for (_, (low, high)), u in zip(ends, units, strict=True)),)
    ends = lower * unit, None if upper is None else upper * unit
    return Claim(part.verdict.value, ends, part.stopped is Stopped.FINISHED, within, boxes)


def _fits(seed: int) -> tuple[Callable[[Answer], list[str]], list[Telling]]:
    """Least squares: a row twice changes the answer, all rows twice doubles the sum."""
    case: Fit = fit(seed)
    problem = case.problem

    def planted(answer: Answer) -> list[str]:
        faults = []
        for claim in answer.claims.values():
            if claim.ends[1] is not None and not claim.ends[0] <= case.least <= claim.ends[1]:
                faults.append(f"the least sum is {case.least}, not within {claim.ends}")
            told = [tuple((float(v), float(v)) for v in case.minimiser)]
            faults += [f"the minimum {case.minimiser} is not in {box}" for box in claim.boxes if not meet(box, told[0])]
        return faults

    def asked(
        problem: Problem,
        unit: Fraction = Fraction(1),
        units: tuple[Fraction, ...] = (),
        known: dict[str, str] | None = None,
    ) -> Callable[[], Answer]:
        sizes = units or tuple(Fraction(1) for _ in problem.variables)
        options = certify.Options(time_limit=LIMIT)
        return lambda: _answer(lambda: certify.least_squares(problem, options=options), unit, known or {}, sizes)

    ones = tuple(Fraction(1) for _ in problem.columns)
    tellings: list[Telling] = [("as it is", asked(problem))]
    for told, powers in (("other units", (6, -3, 0)), ("small units", (-6, -6, -6)), ("large units", (3, 6, 4))):
        units = tuple(Fraction(10) ** power for power in powers[: len(problem.variables)])
        tellings.append((told, asked(in_units(problem, Change(units, ones)), Fraction(1), units)))
    rows = in_units(problem, Change(tuple(Fraction(1) for _ in problem.variables), ones, Fraction(1, 1000)))
    tellings.append(("rows times 1000", asked(rows, Fraction(1, 10**6))))
    tellings.append(("another order", asked(permuted(problem, 1))))
    twice = _twice(problem)
    tellings.append(
        ("all rows twice", asked(twice, Fraction(1, 2), known={f"{f.name}.again": f.name for f in problem.families}))
    )
    return planted, tellings


def _twice(problem: Problem) -> Problem:
    again = tuple(certify.Family(f"{f.name}.again", f.tape, f.rows, f.bindings, f.unit) for f in problem.families)
    return certify.Problem(problem.variables, problem.columns, (*problem.families, *again))


@dataclass(frozen=True)
class _Spelling:
    """How a text is told: in these units, from these origins, variables and constraints in this order, under these
    names.
    """

    units: tuple[Fraction, ...]
    origins: tuple[Fraction, ...]
    order: tuple[int, ...]
    names: tuple[str, ...]
    factor: int = 1

    def text(self, case: Told) -> str:
        """The system in Minibex; a factor multiplies both sides of every constraint."""
        values = [
            f"({unit}*{name} + ({origin}))"
            for unit, name, origin in zip(self.units, self.names, self.origins, strict=True)
        ]
        plain = all(unit == 1 and origin == 0 for unit, origin in zip(self.units, self.origins, strict=True))
        values = list(self.names) if plain else values
        domains = [
            f"{name} in [{(low - origin) / unit}, {(high - origin) / unit}];"
            for name, (low, high), unit, origin in zip(self.names, case.domains, self.units, self.origins, strict=True)
        ]
        rows = [case.constraints[k] for k in self.order if k < len(case.constraints)]
        rows += case.constraints[len(self.order) :]
        told = []
        for row in rows:
            sign = next(s for s in ("<=", ">=", "=") if s in row)
            left, right = row.split(sign)
            told.append(
                (
                    f"{left}{sign}{right}"
                    if self.factor == 1
                    else f"{self.factor}*({left}) {sign} {self.factor}*({right})"
                ).format(*values)
                + ";"
            )
        ordered = [domains[k] for k in self.order]
        return "\n".join(["Variables", *ordered, "Constraints", *told, "end"])

    def first(self, box: Any) -> tuple[tuple[float, float], ...]:
        """A box of this telling in the first one's numbers and order."""
        places = [self.order.index(k) for k in range(len(self.order))]
        ends = [(Fraction(float(box.lower[p])), Fraction(float(box.upper[p]))) for p in places]
        return tuple(
            (float(low * unit + origin), float(high * unit + origin))
            for (low, high), unit, origin in zip(ends, self.units, self.origins, strict=True)
        )


def _spellings(case: Told) -> dict[str, _Spelling]:
    n = len(case.domains)
    one, none, plain = (Fraction(1),) * n, (Fraction(0),) * n, tuple(range(n))
    names, powers = tuple(f"x{k}" for k in range(n)), (Fraction(10) ** p for p in (6, -6, 3))
    return {
        "as it is": _Spelling(one, none, plain, names),
        "other units": _Spelling(tuple(powers)[:n], none, plain, names),
        "small units": _Spelling((Fraction(1, 10**6),) * n, none, plain, names),
        "large units": _Spelling((Fraction(10**6),) * n, none, plain, names),
        "another origin": _Spelling(one, tuple(Fraction(7 * (k + 1), 4) for k in range(n)), plain, names),
        "rows times 1000": _Spelling(one, none, plain, names, 1000),
        "another order": _Spelling(one, none, plain[::-1], names),
        "other names": _Spelling(one, none, plain, tuple(f"unknown_{n - k}" for k in range(n))),
    }


def _systems(seed: int) -> tuple[Callable[[Answer], list[str]], list[Telling]]:
    """All solutions; the planted one is among them."""
    case = system(seed)

    def planted(answer: Answer) -> list[str]:
        told = tuple((float(v), float(v)) for v in case.solution)
        claims = [claim for claim in answer.claims.values() if claim.finished]
        return [
            f"the solution {case.solution} is in no box"
            for claim in claims
            if not any(meet(told, box) for box in claim.boxes)
        ]

    def asked(spelling: _Spelling, again: bool) -> Callable[[], Answer]:
        text = spelling.text(Told((*case.constraints, case.constraints[0]), case.domains) if again else case)

        def tell() -> Answer:
            began = time.process_time()
            solved = search(parse_minibex(text), SystemOptions(time_limit=LIMIT))
            boxes = tuple(spelling.first(solution.enclosure) for solution in solved.paving.solutions)
            verdict = "all solutions" if solved.complete else Verdict.UNDECIDED.value
            claim = Claim(verdict, (Fraction(0), None), solved.complete, True, boxes)
            return Answer({frozenset({"system"}): claim}, time.process_time() - began, solved.paving.cells)

        return tell

    tellings = [(told, asked(spelling, False)) for told, spelling in _spellings(case).items()]
    return planted, [*tellings, ("a row twice", asked(_spellings(case)["as it is"], True))]


def _sets(seed: int) -> tuple[Callable[[Answer], list[str]], list[Telling]]:
    """The volume, in the first telling's units; its truth is known."""
    case = inequalities(seed)

    def planted(answer: Answer) -> list[str]:
        ends = [claim.ends for claim in answer.claims.values()]
        return [
            f"the volume {case.volume} is not within {e}"
            for e in ends
            if e[1] is None or not e[0] <= case.volume * (1 + 1e-12) or e[1] < case.volume * (1 - 1e-12)
        ]

    def asked(spelling: _Spelling, again: bool) -> Callable[[], Answer]:
        text = spelling.text(Told((*case.constraints, case.constraints[0]), case.domains) if again else case)
        size = np.prod([float(unit) for unit in spelling.units])

        def tell() -> Answer:
            began = time.process_time()
            solved = pave(parse_minibex(text), time_limit=LIMIT)
            low, high = (Fraction(float(end * size)) for end in solved.paving.volume)
            finished = solved.paving.stopped is Stopped.FINISHED
            claim = Claim(
                "bounded" if finished else Verdict.UNDECIDED.value,
                (low * (1 - Fraction(1, 10**12)), high * (1 + Fraction(1, 10**12))),
                finished,
                True,
            )
            return Answer({frozenset({"set"}): claim}, time.process_time() - began, solved.paving.cells)

        return tell

    tellings = [(told, asked(spelling, False)) for told, spelling in _spellings(case).items()]
    return planted, [*tellings, ("a row twice", asked(_spellings(case)["as it is"], True))]


KINDS = {
    "legs": _measured(leg),
    "joint legs": _measured(joint),
    "arms": _measured(arm),
    "systems": _systems,
    "sets": _sets,
    "fits": _fits,
}
