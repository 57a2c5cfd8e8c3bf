"""What is known of a convex program, and of a point that a solver returned for it, as it is told and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ProgramVerdict(Enum):
    """What has been shown, in exact or outward-rounded arithmetic."""

    OPTIMAL = "optimal"  # the minimum lies between two ends
    INFEASIBLE = "infeasible"  # no point satisfies the program, nor any relaxation below the margin
    UNBOUNDED = "unbounded"  # a feasible point, and a direction in which the objective falls for ever
    FEASIBLE = "feasible"  # there is a feasible point, and no lower end of the objective
    UNDECIDED = "undecided"  # whether there is a feasible point is not shown


@dataclass(frozen=True, slots=True)
class JudgedPoint:
    """Of a point: the smallest relaxation of rows, bounds and cones with which it is feasible, and the objective there,
    both between two ends. What a solver said of it is its own word.
    """

    violation: tuple[float, float]
    value: tuple[float, float]
    said: str = ""


@dataclass(frozen=True, slots=True)
class CertifiedEnd:
    """The end that a certificate is about, by the certificate's name; its point misses no row by more than `slack`."""

    name: str
    end: float
    slack: float = 0.0


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """Ends of the minimum, of the margin (the smallest uniform relaxation that makes it feasible), the slope of an
    unbounded direction, why not more is known; `checked` if the checker has accepted all of `certified`;
    `branched` if the lower end rests on a checked certificate of branch and bound, which was asked for on the way.
    """

    verdict: ProgramVerdict
    lower: float
    upper: float
    margin: tuple[float, float] | None
    slope: float | None
    answer: JudgedPoint | None
    why: tuple[str, ...]
    certified: tuple[CertifiedEnd, ...]
    checked: bool
    solver: str
    maximised: bool
    branched: bool = False
