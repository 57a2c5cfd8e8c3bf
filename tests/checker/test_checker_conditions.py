"""Every reason that the checker can give for a rejection is given for ten different forged texts or more, 500 in all.

`FORGED` is by reason; those of the other modules count too. The reasons are read from the checker's source, so that a
new one needs its forgeries.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from checker_texts import judge, tape
from texts.reasons import CASES, everything, messages

import certify.checker
from certify.checker import Status

LEAST, IN_ALL = 10, 1500
DIFFERENCE = [tape(2, "sub 0 1")]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_forged_texts_are_rejected_for_their_reason(number: int) -> None:
    reason, (problem_text, certificate_text) = CASES[number]
    outcome = judge(problem_text, certificate_text)
    assert outcome.status is Status.REJECTED, outcome.message
    assert reason in outcome.message
    assert len(outcome.message.splitlines()) == 1
    assert outcome.message.isprintable()


# How many there are

UNREACHABLE = {
    "the box is not within the prepared box": "a file cannot say it; test_a_leaf_outside_the_prepared_box_is_unproved",
    "text: the file is larger than 64 MiB": "too large for a text of a test; test_caps_of_the_text",
    "text: the file is larger than 1 GiB": "too large for a text of a test; test_a_problem_is_not_larger_than_allowed",
}


def pattern(node: ast.expr) -> str | None:
    """A text of the source as a regular expression; None if it says nothing of its own."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    fixed = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    if not any(isinstance(part, str) and part.strip(": ") for part in fixed):
        return None
    return "".join(re.escape(str(part)) if part is not None else ".*" for part in fixed)


def reasons() -> set[str]:
    """Every reason in the checker's source: of rejections, and of leaves that prove nothing."""
    found = set[str]()
    for path in Path(certify.checker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            texts: list[ast.expr] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                raised = {"Rejection": node.args[1:2], "require": node.args[2:3], "matched": node.args[3:4]}
                texts = raised.get(node.func.id, node.args if node.func.id == "Undefined" else [])
            elif isinstance(node, ast.Return) and path.stem in ("rules", "scope", "skew", "witness"):
                texts = (
                    [node.value.body, node.value.orelse]
                    if isinstance(node.value, ast.IfExp)
                    else [node.value]
                    if node.value
                    else []
                )
            found |= {one for one in map(pattern, texts) if one is not None}
    return found


def test_every_reason_is_given_ten_times() -> None:
    known, answers = reasons(), [message for _, message in messages()]
    assert len(answers) >= IN_ALL
    assert len(known) > 100
    assert all(message.startswith("REJECTED") for message in answers)
    short = {
        reason: count
        for reason in known
        if (count := sum(re.search(reason, message) is not None for message in answers)) < LEAST
    }
    exempt = {re.escape(reason.partition("text: ")[2] or reason) for reason in UNREACHABLE}
    assert short.keys() == exempt, short


def test_every_form_of_a_term_and_both_sides_are_forged() -> None:
    """Of the 22 and more leaves that are not positive, each form and each side is among them."""
    found = [certificate_text for _, certificate_text in everything() if "\naggregate" in certificate_text]
    for form in ("q", "m", "t"):
        for side in "+-":
            assert (
                sum(re.search(rf"{form}\d+\.\d+[{side}]", certificate_text) is not None for certificate_text in found)
                >= LEAST
            )
