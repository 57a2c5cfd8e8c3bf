"""What a check ends in, and the two ways in which a rule ends it: a rejection, or a limit of time or size.

There is no third: what is neither proved nor limited is rejected.
"""

import enum
import time
from typing import Final, NamedTuple

DEFAULT_SECONDS: Final = 600


class Status(enum.Enum):
    """The three answers of the checker."""

    VERIFIED = "VERIFIED"
    REJECTED = "REJECTED"
    RESOURCE = "RESOURCE"


class Outcome(NamedTuple):
    """The answer and the one line that says it in words."""

    status: Status
    message: str


class Rejection(Exception):
    """Rule `rule` does not allow this, for `reason`; the outer layers say `where`."""

    def __init__(self, rule: str, reason: str, where: str = "") -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule: Final = rule
        self.where = where


def require(condition: bool, rule: str, reason: str, where: str = "") -> None:
    """Raise Rejection unless this holds."""
    if not condition:
        raise Rejection(rule, reason, where)


class ResourceLimit(Exception):
    """A limit of time or size was reached: nothing is known."""


class Clock:
    """A deadline; without seconds it never comes."""

    def __init__(self, seconds: int | None = None) -> None:
        self.seconds: Final = seconds
        self.deadline: Final = None if seconds is None else time.monotonic_ns() + seconds * 1_000_000_000

    def check(self) -> None:
        """Raise ResourceLimit after the deadline."""
        if self.deadline is not None and time.monotonic_ns() >= self.deadline:
            raise ResourceLimit(f"the deadline of {self.seconds} seconds")
