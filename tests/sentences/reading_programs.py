"""Sentences about convex programs as facts: every sentence that is printed must be one of these."""

from __future__ import annotations

import re
from fractions import Fraction

NUMBER = r"(-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf))"
HERE = r"\(confirmed here, in exact and outward-rounded arithmetic\)"
FORMS = {
    "about": r"Judged: the program(?: that \w+ is given)?, its doubles taken exactly"
    r"(; it minimises minus your objective)?\.",
    "minimum": rf"Optimal: the minimum \(infimum\) lies between {NUMBER} and {NUMBER} {HERE}\.",
    "margin": r"Infeasible: the smallest relaxation of rows, bounds and cones by one number that leaves a feasible "
    rf"point lies between {NUMBER} and {NUMBER} {HERE}\.",
    "slope": r"Unbounded: a feasible point exists, and a direction with components of at most 1 in which the objective "
    rf"falls by at least {NUMBER} for each unit {HERE}\.",
    "feasible": rf"Feasible: the minimum, if there is one, is at most {NUMBER} {HERE}\.",
    "undecided": r"Undecided whether any point is feasible(?:: the smallest relaxation .* lies between "
    rf"{NUMBER} and {NUMBER} {HERE})?\.",
    "kept": r"The point(?: that was called .*)? is feasible; its objective lies between "
    rf"{NUMBER} and {NUMBER} {HERE}\.",
    "missed": rf"The point(?: that was called .*)? violates something by at least {NUMBER} and nothing by more than "
    rf"{NUMBER}; its objective lies between {NUMBER} and {NUMBER} {HERE}\.",
    "nearly": rf"The point(?: that was called .*)? violates nothing by more than {NUMBER}; its objective lies between "
    rf"{NUMBER} and {NUMBER} {HERE}\.",
    "certificate": r"(Proved, checked by a separate process|Certificate, not checked yet) "
    rf"\((\w+)\.cert, about points with no component beyond 1e100\): [a-z].*? {NUMBER}(?: or less)?\.",
    "why": r"Not more is known: .*\.",
}


def number(text: str) -> Fraction:
    """As it is printed: the double whose shortest text it is."""
    return Fraction(float(text))


def read(line: str) -> tuple[str, tuple[str, ...]]:
    """The form of a sentence and its numbers; a sentence of no form is an error."""
    for name, form in FORMS.items():
        found = re.fullmatch(form, line)
        if found:
            return name, tuple(group or "" for group in found.groups())
    raise AssertionError(f"no reader knows the sentence {line!r}")
