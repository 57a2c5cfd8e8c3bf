"""Sentences about answers of solvers to instances whose truth is planted."""

from __future__ import annotations

from typing import Protocol


class Counts(Protocol):
    """How many answers were right, wrong, within the tolerance, and none."""

    right: int
    wrong: int
    tolerated: int
    silent: int


def counted(name: str, version: str, counts: Counts) -> str:
    """What came out, in numbers."""
    total = counts.right + counts.wrong + counts.tolerated + counts.silent
    return (
        f"{name} ({version}), {total} instances with planted truth: {counts.right} answers are right, {counts.wrong} "
        f"contradict the solver's own criterion, {counts.tolerated} are not true but within its tolerance, "
        f"{counts.silent} are none."
    )


def by_workers(count: int) -> str:
    """Whose word a part of the numbers is."""
    return f"{count} of these instances were counted by workers of a cluster: that no answer is wrong is their word."


def told(cause: str, words: str, rows: int) -> str:
    """One cause."""
    return f"wrong, {cause}: {words} (smallest instance found: {rows} {'row' if rows == 1 else 'rows'})"


def silent(words: str, rows: int) -> str:
    """An instance without an answer, which is not counted as wrong."""
    return f"{words}: an instance with {rows} {'row' if rows == 1 else 'rows'}"
