"""Another library's enclosures against a certificate's claims.

    contradicted    a leaf's row lies within its bound over the whole leaf, or all rows that a leaf names lie within
                    their bounds at one point of it: then the leaf refutes nothing. A witness's row misses its bound.
    confirmed       a leaf's row misses its bound over the leaf, or its weighted sum is positive on all of it, in the
                    library's own arithmetic; a witness's row lies within its bound
    neither         the enclosure is too wide, on parts of the leaf too

An enclosure that is right and a claim that is right cannot contradict each other.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.second_opinion.engines import Engine, engine
from certify.second_opinion.questions import Enclosure, Kind, Question, as_data, questions

PROGRAM = Path(__file__).parent / "engine_program.py"
Answer = tuple[Fraction | None, Fraction | None]  # None: infinite


@dataclass(frozen=True, slots=True)
class Opinion:
    """How many leaves and rows were confirmed, contradicted, neither, and not asked about."""

    engine: str
    version: str
    confirmed: int
    neither: int
    passed_over: int
    contradicted: tuple[str, ...]


def second_opinion(problem: bytes, certificate: bytes, name: str, seconds: float = 600.0) -> Opinion:
    """What the named library says."""
    found = engine(name)
    if found.python is None:
        raise InputError(f"{name} was not found by any interpreter here; {found.remedy}")
    asked = questions(problem, certificate)
    answers = iter(_answers(found, json.dumps(as_data(asked)), seconds))
    said: dict[str, list[bool | None]] = {}
    for question in asked.asked:
        answer = judged(question, [next(answers) for _ in question.enclosures])
        said.setdefault(question.place, []).append(answer)
    for (place, _), lower in zip(asked.sums, answers, strict=False):
        said.setdefault(place, []).append(True if lower is not None and (lower[0] or 0) > 0 else None)
    against = tuple(place for place, all_of_it in said.items() if False in all_of_it)
    confirmed = sum(True in all_of_it and False not in all_of_it for all_of_it in said.values())
    return Opinion(name, found.version, confirmed, len(said) - confirmed - len(against), asked.passed_over, against)


def _answers(found: Engine, text: str, seconds: float) -> Iterator[Answer | None]:
    command = [str(found.python), str(PROGRAM), found.name]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        raise InputError(f"{found.name} did not end in {seconds:g} s; give --seconds more") from late
    if done.returncode:
        raise InputError(f"{found.name} failed: {(done.stderr.strip() or 'no word').splitlines()[-1]}")
    return iter([None if pair is None else (_exact(pair[0]), _exact(pair[1])) for pair in json.loads(done.stdout)])


def _exact(text: str) -> Fraction | None:
    """A double's text as the number that it is."""
    value = float.fromhex(text)
    return Fraction(value) if abs(value) < float("inf") else None


def judged(question: Question, answers: Sequence[Answer | None]) -> bool | None:
    """True confirms, False contradicts, None does neither."""
    pairs = list(zip(question.enclosures, answers, strict=True))
    inside = [_inside(one, answer) for one, answer in pairs]
    if question.kind is Kind.WITNESS:
        return _of_witness(pairs[0][0].bound, *(answer for _, answer in pairs))
    if inside and all(inside):
        return False
    if question.kind is Kind.LEAF and all(_misses(one, answer) for one, answer in pairs):
        return True
    return None


def _of_witness(bound: Fraction, first: Answer | None, second: Answer | None) -> bool | None:
    """r at M' is at most the bound, r at M'' at least minus the bound."""
    if first is None or second is None:
        return None
    (low, high), (least, most) = first, second
    if (low is not None and low > bound) or (most is not None and most < -bound):
        return False
    return True if high is not None and least is not None and high <= bound and least >= -bound else None


def _inside(one: Enclosure, answer: Answer | None) -> bool:
    if answer is None or answer[0] is None or answer[1] is None:
        return False
    return -one.bound <= answer[0] and answer[1] <= one.bound


def _misses(one: Enclosure, answer: Answer | None) -> bool:
    if answer is None:
        return False
    low, high = answer
    return (low is not None and low > one.bound) or (high is not None and high < -one.bound)
