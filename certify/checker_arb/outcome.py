"""What the checker may answer, and the ways in which a check ends early."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """The three answers: proved; not proved; nothing is known."""

    VERIFIED = "VERIFIED"
    REJECTED = "REJECTED"
    RESOURCE = "RESOURCE"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer, a sentence that begins with it, and for a rejection where and by which rule (lines from 1, nodes from
    0).
    """

    status: Status
    message: str
    line: int | None = None
    node: int | None = None
    rule: str | None = None


class Rejection(Exception):
    """The certificate (or the problem) breaks a rule; whoever knows more adds where."""

    def __init__(self, rule: str, reason: str, file: str = "certificate", line: int | None = None) -> None:
        super().__init__(reason)
        self.rule, self.reason, self.file, self.line = rule, reason, file, line


class Undefined(Exception):
    """An enclosure that cannot be formed: the rule that needs it fails."""


class Exhausted(Exception):
    """A limit was reached."""


class Deadline:
    """The moment at which the check gives up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = time.monotonic() + seconds

    def check(self) -> None:
        """Give up if it is too late."""
        if time.monotonic() > self.end:
            raise Exhausted(f"the deadline of {self.seconds:g} s has passed")
