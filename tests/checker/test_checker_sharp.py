"""Limits to the byte, the line and the nanosecond, and what is remembered: what only an exact test can see."""

from __future__ import annotations

import pytest
from checker_texts import certificate, problem, tape

from certify.checker import Clock, Rejection, ResourceLimit, Status, check, outcome, parse_node, parse_problem, text
from certify.checker import problem as problems

SMALL = problem([("x", 0, 1)], [], [tape(1, "sub 0 0")], ["F 0 1 v0"])


# Time


def test_a_deadline_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the nanosecond of the deadline, not one before."""
    now = 5
    monkeypatch.setattr(outcome.time, "monotonic_ns", lambda: now)
    clock = Clock(7)
    now = 5 + 7 * 10**9 - 1
    clock.check()
    now += 1
    with pytest.raises(ResourceLimit, match="the deadline of 7 seconds"):
        clock.check()


def test_without_a_word_about_time_it_is_ten_minutes() -> None:
    assert outcome.DEFAULT_SECONDS == 600


# Text


def test_a_rejection_is_nowhere_until_somebody_says_where() -> None:
    with pytest.raises(Rejection) as rejected:
        parse_node(["nonsense"])
    assert rejected.value.where == ""


def test_as_many_bytes_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "FILE_BYTES", len(SMALL))
    assert parse_problem(SMALL.encode()).variables[0].name == "x"
    monkeypatch.setattr(text, "FILE_BYTES", len(SMALL) - 1)
    with pytest.raises(Rejection, match="larger than 64 MiB"):
        parse_problem(SMALL.encode())


def test_as_many_lines_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = SMALL.count("\n")
    monkeypatch.setattr(problems, "LINES", lines)
    assert parse_problem(SMALL.encode()).variables[0].name == "x"
    monkeypatch.setattr(problems, "LINES", lines - 1)
    assert check(SMALL.encode(), certificate(SMALL).encode()).status is Status.RESOURCE
