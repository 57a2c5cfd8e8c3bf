"""Sentences about convex programs. What this process has found in exact or outward-rounded arithmetic is "confirmed
here"; "proved" is what has a certificate that the checker accepted.
"""

from __future__ import annotations

from certify.records.program_records import CertifiedEnd, JudgedPoint, ProgramFacts, ProgramVerdict

HERE = "confirmed here, in exact and outward-rounded arithmetic"
FAR = "points with no component beyond 1e100"


def sentences(facts: ProgramFacts) -> list[str]:
    """Everything that is known, a sentence a line."""
    lines = [_about(facts), _verdict(facts)]
    if facts.answer is not None:
        lines.append(_answer(facts.answer))
    lines += [_certificate(one, facts.checked) for one in facts.certified]
    lines += [f"Not more is known: {reason}." for reason in facts.why]
    return lines


def of_minimum(verdict: ProgramVerdict, lower: float, upper: float, why: str) -> list[str]:
    """Of a nonlinear program, whose lower end rests on a checked certificate that nothing is lower."""
    if verdict is ProgramVerdict.OPTIMAL:
        return [f"Optimal, with < and > taken as <= and >=: {_branched(lower, upper)}."]
    known = [f"Feasible: the minimum, if there is one, is at most {upper!r} ({HERE})."]
    undecided = ["Undecided whether any point is feasible."]
    return [*(known if verdict is ProgramVerdict.FEASIBLE else undecided), f"Not more is known: {why}."]


def _branched(lower: float, upper: float) -> str:
    return (
        f"the minimum (infimum) lies between {lower!r} (a checked certificate: no point of the program has less) and "
        f"{upper!r} (confirmed here: a point has no more)"
    )


def _about(facts: ProgramFacts) -> str:
    given = f" that {facts.solver} is given" if facts.solver else ""
    turned = "; it minimises minus your objective" if facts.maximised else ""
    return f"Judged: the program{given}, its doubles taken exactly{turned}."


def _verdict(facts: ProgramFacts) -> str:
    verdict = facts.verdict
    if verdict is ProgramVerdict.OPTIMAL and facts.branched:
        return f"Optimal: {_branched(facts.lower, facts.upper)}."
    if verdict is ProgramVerdict.OPTIMAL:
        return f"Optimal: the minimum (infimum) lies between {facts.lower!r} and {facts.upper!r} ({HERE})."
    if verdict is ProgramVerdict.INFEASIBLE and facts.margin is not None:
        return f"Infeasible: {_margin(facts.margin)} ({HERE})."
    if verdict is ProgramVerdict.UNBOUNDED:
        return (
            f"Unbounded: a feasible point exists, and a direction with components of at most 1 in which the objective "
            f"falls by at least {-(facts.slope or 0.0)!r} for each unit ({HERE})."
        )
    if verdict is ProgramVerdict.FEASIBLE:
        return f"Feasible: the minimum, if there is one, is at most {facts.upper!r} ({HERE})."
    reached = "" if facts.margin is None else f": {_margin(facts.margin)} ({HERE})"
    return f"Undecided whether any point is feasible{reached}."


def _margin(margin: tuple[float, float]) -> str:
    return (
        f"the smallest relaxation of rows, bounds and cones by one number that leaves a feasible point lies between "
        f"{margin[0]!r} and {margin[1]!r}"
    )


def _answer(answer: JudgedPoint) -> str:
    said = f" that was called {answer.said}" if answer.said else ""
    (least, most), (low, high) = answer.violation, answer.value
    if most == 0.0:
        kept = "is feasible"
    elif least > 0.0:
        kept = f"violates something by at least {least!r} and nothing by more than {most!r}"
    else:
        kept = f"violates nothing by more than {most!r}"
    return f"The point{said} {kept}; its objective lies between {low!r} and {high!r} ({HERE})."


def _misses(slack: float) -> str:
    return f"misses no row and no bound by more than {slack!r}" if slack else "is feasible"


def _certificate(one: CertifiedEnd, checked: bool) -> str:
    means = {
        "infeasible": f"every point misses a row or a bound by more than {one.end!r}",
        "lower": f"no feasible point has an objective of {one.end!r} or less",
        "upper": f"a point that {_misses(one.slack)} has an objective of at most {one.end!r}",
    }[one.name]
    word = "Proved, checked by a separate process" if checked else "Certificate, not checked yet"
    return f"{word} ({one.name}.cert, about {FAR}): {means}."
