"""Every statement about candidate poses held against the planted lines: what is an estimate must agree with the record,
be a share, and leave all that no reading can cut.

Where a candidate has a leg's only unknown, its reading is foretold at a consistent value, so that an interval of one to
two half-widths (and the level) is left on either side of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from linear_truth import Ends, LinearPart
from planted_experiments import PlantedExperiment
from running import Told
from statements import Said, ruled
from tables_truth import table_read

HALF_A_DIGIT = Fraction(501, 10**6)  # of a share in per cent with one place
GAP = Fraction(101, 100)  # to which the smallest error is known
TINY = Fraction(1, 10**9)
ROUNDED = Fraction(1, 10**3)  # of a level with four digits


@dataclass(frozen=True)
class NextJudge:
    """Planted lines around their blueprint, of which some poses are candidates again."""

    planted: PlantedExperiment
    told: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def box(self) -> dict[str, Ends]:
        """The search box."""
        return self.planted.box(self.planted.blueprint)

    def part(self, name: str) -> LinearPart:
        """What is true of a part."""
        found = self.planted.part(name, self.box)
        assert isinstance(found, LinearPart)
        return found

    @property
    def first(self) -> list[dict[str, Any]]:
        """The candidates of the first round, the best first."""
        return self.told.json["choices"][0]


def _row(judge: NextJudge, pose: str, place: int, share: Fraction, parts: Sequence[Fraction]) -> bool:
    found = judge.first[place]
    exact = [found["estimated_share"], *found["estimated_parts"].values()]
    told = [share, *parts]
    near = all(abs(Fraction(a) - b) <= HALF_A_DIGIT for a, b in zip(exact, told, strict=True))
    return found["pose"] == pose and near


def _level(judge: NextJudge, name: str, level: Fraction, unit: str) -> bool:
    """10 % above an error that some value has, and that is the smallest to the gap that was asked."""
    above = judge.part(name).least_error() * Fraction(11, 10)
    return above <= level + TINY <= above * GAP + 2 * TINY and unit == judge.planted.unit


def _not_known(judge: NextJudge, part: str, *levels: tuple[str, Fraction, str]) -> bool:
    """All parts that are inconsistent are named, with their levels to four digits."""
    exact = {name: Fraction(level) for name, level in judge.told.json["epsilon"].items() if level}
    wrong = {name for name in judge.told.json["epsilon"] if not judge.part(name).consistent(Fraction(0))}
    near = all(
        abs(value - exact[name]) <= exact[name] * ROUNDED and unit == judge.planted.unit for name, value, unit in levels
    )
    return {name for name, _, _ in levels} == set(exact) and wrong <= set(exact) and near


def _candidate(judge: NextJudge, pose: str, number: int, share: float, parts: Sequence[float]) -> bool:
    """A share is the mean over the parameters of all parts, and each part's is one; what no reading can cut is left."""
    names = list(judge.told.json["epsilon"])
    sizes = [len(judge.part(name).box) for name in names]
    mean = sum(n * value for n, value in zip(sizes, parts, strict=True)) / sum(sizes)
    left = all(_left(judge, name, value) for name, value in zip(names, parts, strict=True))
    return pose == str(number) and math.isclose(mean, share, rel_tol=1e-9) and left


def _left(judge: NextJudge, name: str, share: float) -> bool:
    part, level = judge.part(name), Fraction(judge.told.json["epsilon"][name])
    if not -1e-9 <= share <= 1 + 1e-9:
        return False
    (unknown, *others), alone = part.box, not any(row.shared or row.widths for row in part.rows)
    if others or not alone or part.squared:
        return True
    extent = part.extent({unknown: Fraction(1)}, level)
    if extent is None or extent[0] == extent[1]:
        return True
    half = (max(row.half for row in part.rows) + level) / (extent[1] - extent[0])
    return min(1, half) - 1e-6 <= share <= min(1, 2 * half) + 1e-6


def _choice(judge: NextJudge, part: str, place: int) -> bool:
    """The best first; what was chosen before is a candidate no more."""
    choices = judge.told.json["choices"]
    shares = [candidate["estimated_share"] for candidate in choices[place]]
    gone = {choice[0]["candidate"] for choice in choices[:place]}
    here = {candidate["candidate"] for candidate in choices[place]}
    return shares == sorted(shares) and here == set(range(1, judge.planted.poses + 1)) - gone


def _chosen(judge: NextJudge, part: str, poses: Sequence[str], share: Fraction | None) -> bool:
    best = [choice[0] for choice in judge.told.json["choices"]]
    together = math.prod(candidate["estimated_share"] for candidate in best)
    right = share is None if len(best) == 1 else abs(Fraction(together) - share) <= HALF_A_DIGIT
    return list(poses) == [candidate["pose"] for candidate in best] and right


RULES: dict[str, Callable[..., bool]] = {
    "table read": lambda judge, part, *values: table_read(judge.planted, *values),
    "row": _row,
    "shown": lambda judge, part, count: count == min(5, judge.planted.poses),
    "candidates": lambda judge, part, count, shown: count == judge.planted.poses and shown == min(5, count),
    "median": lambda judge, part, share: (
        abs(Fraction(judge.first[len(judge.first) // 2]["estimated_share"]) - share) <= HALF_A_DIGIT
    ),
    "not known to be consistent": _not_known,
    "level": _level,
    "choice": _choice,
    "candidate": _candidate,
    "chosen": _chosen,
}
