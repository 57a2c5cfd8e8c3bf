"""How far an answer goes, and to whom progress is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.workers.crew import ALONE, Crew

if TYPE_CHECKING:
    from certify.solvers.graph.own import OwnContractors

Progress = Callable[[str], None]
SPLITS = 20_000  # bisections of one search


def silent(message: str) -> None:
    """No progress."""


def named(progress: Progress, name: str) -> Progress:
    """The progress of one part."""
    return lambda message: progress(f"{name}: {message}")


@dataclass(frozen=True, slots=True)
class Options:
    """How far to go: `gap` is (upper - lower) / upper, `resolution` an absolute gap that is always good enough (in the
    rows' unit).

    Where no resolution is given it is a small part of what the rows vary over the search box (`PartSearch.resolution`),
    whatever their unit is.

    `time_limit` is that of the whole answer, in seconds, which its parts share; so many `workers` answer independent
    parts side by side. `splits` are the bisections of one part at most: answers under this limit repeat, those under a
    time limit need not. `limit` holds in any case.

    Parts that share measurements are refuted `together`, with one realisation of what they share, where none of them is
    inadequate alone; to prove more than the worst part's lower end takes longer than all parts, and is asked for.

    `contractors` are yours: classes, or functions, that make a contractor of the `Constraints` of a part. They are
    scheduled and counted beside ours. What they remove is proved by the reasons that they give, or by ours.

    What is in `memory`, the journal of a run that was ended, is not searched again. A `crew` narrows boxes of a part
    ahead, where parts are not answered side by side.
    """

    gap: Fraction = Fraction(5, 10**7)
    resolution: Fraction | None = None
    time_limit: float = 60.0
    workers: int = 1
    splits: int = SPLITS
    limit: Limit = UNLIMITED
    contractors: OwnContractors = ()
    together: bool = False
    memory: Memory = NOTHING
    crew: Crew = ALONE

    def begun(self) -> Limit:
        """The limit of an answer that begins now."""
        return self.limit.within(self.time_limit)
