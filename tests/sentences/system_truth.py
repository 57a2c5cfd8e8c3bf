"""Every statement about a system or a set held against the planted solutions, or against its exact volume and points
of it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from certificates import read_certificate
from linear_truth import Ends
from planted_systems import PlantedSet, PlantedSystem, Point
from running import Told
from statements import Said, Unread

Box = Mapping[str, Ends]
SAMPLES = 40


def inside(point: Point, box: Box) -> bool:
    """Whether a point lies in a box."""
    return all(low <= point[name] <= high for name, (low, high) in box.items())


@dataclass(frozen=True)
class SystemJudge:
    """A planted system or set, and a run on it."""

    planted: PlantedSystem | PlantedSet
    told: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        rule = RULES.get(said.kind)
        if rule is None:
            raise Unread(f"nothing judges {said.kind!r}, which {said.words!r} says")
        return rule(self, *said.values)

    @property
    def roots(self) -> list[dict[str, Fraction]]:
        """The known solutions."""
        return (
            [dict(zip(self.planted.box, root, strict=True)) for root in self.planted.roots]
            if isinstance(self.planted, PlantedSystem)
            else []
        )

    def impossible_in(self, ends: Box) -> bool:
        """Whether no known solution, nor known point of the set, has an unknown between these ends."""
        of_set = [x for x in self.points if self.planted.holds(x)] if isinstance(self.planted, PlantedSet) else []
        return not any(low <= x[name] <= high for x in (*self.roots, *of_set) for name, (low, high) in ends.items())

    @property
    def whole(self) -> Fraction:
        """The volume of the domain."""
        return math.prod((high - low for low, high in self.planted.box.values()), start=Fraction(1))

    @cached_property
    def points(self) -> list[dict[str, Fraction]]:
        """Some points of the domain, its corners among them."""
        rng = random.Random(str(self.planted.box))
        ends = list(self.planted.box.items())
        drawn = [
            {name: low + (high - low) * Fraction(rng.randint(0, 1000), 1000) for name, (low, high) in ends}
            for _ in range(SAMPLES)
        ]
        corners = [
            {name: sides[k >> place & 1] for place, (name, sides) in enumerate(ends)} for k in range(2 ** len(ends))
        ]
        return drawn + corners

    def boxes(self, *kinds: str) -> Iterator[Box]:
        """Boxes of the record."""
        for kind in kinds:
            for box in self.told.json.get(kind, ()):
                yield {
                    name: (Fraction(low), Fraction(high))
                    for name, (low, high) in zip(self.told.json["variables"], box, strict=True)
                }


def _exactly(judge: SystemJudge, count: int) -> bool:
    planted = judge.planted
    assert isinstance(planted, PlantedSystem)
    return count == len(planted.roots) if planted.all_known else count >= len(planted.roots)


def _solution(judge: SystemJudge, box: Box) -> bool:
    planted = judge.planted
    assert isinstance(planted, PlantedSystem)
    found = sum(inside(root, box) for root in judge.roots)
    return found == 1 if planted.all_known else found <= 1


def _covered(judge: SystemJudge, *counts: int) -> bool:
    kinds = ("solutions", "inner", "undecided", "unexplored")
    listed = tuple(len(judge.told.json[kind]) for kind in kinds)
    return counts == listed and all(any(inside(root, box) for box in judge.boxes(*kinds)) for root in judge.roots)


def _set_covered(judge: SystemJudge, *counts: int) -> bool:
    """Inner boxes belong to the set, and what belongs to it lies in some box."""
    planted, kinds = judge.planted, ("inner", "undecided", "unexplored")
    assert isinstance(planted, PlantedSet)
    if counts != tuple(len(judge.told.json[kind]) for kind in kinds):
        return False
    middles = (
        {name: (low + high) / 2 for name, (low, high) in box.items()} for box in list(judge.boxes("inner"))[:SAMPLES]
    )
    covering = list(judge.boxes(*kinds))
    return all(map(planted.holds, middles)) and all(
        any(inside(x, box) for box in covering) for x in judge.points if planted.holds(x)
    )


def _volume(judge: SystemJudge, low: Fraction, high: Fraction) -> bool:
    assert isinstance(judge.planted, PlantedSet)
    return low <= judge.planted.volume[1] and judge.planted.volume[0] <= high


def _empty(judge: SystemJudge) -> bool:
    if isinstance(judge.planted, PlantedSystem):
        return not judge.planted.roots
    return judge.planted.volume[0] <= 0 and not any(map(judge.planted.holds, judge.points))


def _not_empty(judge: SystemJudge) -> bool:
    values = read_certificate(judge.told.folder / "point.cert").values
    return values is not None and _point(judge, dict(zip(judge.planted.box, values, strict=True)))


def _point(judge: SystemJudge, values: Point) -> bool:
    assert isinstance(judge.planted, PlantedSet)
    return inside(values, judge.planted.box) and judge.planted.holds(values)


def _open(judge: SystemJudge, count: int, share: Fraction) -> bool:
    """So many boxes of the certificate are open, and their volume is at most this part of the domain."""
    path = judge.told.folder / "solutions.cert"
    if not _backed(judge, path.name):
        return False
    volume = read_certificate(path).volume
    return (
        volume is not None
        and volume <= share * judge.whole
        and path.read_text("ascii").split("\n").count("open") == count
    )


def _within(judge: SystemJudge, hull: Box, volume: Fraction | None) -> bool:
    if isinstance(judge.planted, PlantedSystem):
        return all(inside(root, hull) for root in judge.roots)
    return (volume is None or judge.planted.volume[0] <= volume) and all(
        inside(x, hull) for x in judge.points if judge.planted.holds(x)
    )


def _all_but(judge: SystemJudge, volume: Fraction) -> bool:
    """What does not belong to the set is no larger."""
    assert isinstance(judge.planted, PlantedSet)
    return judge.whole - volume <= judge.planted.volume[1]


def _certified_count(judge: SystemJudge, count: int) -> bool:
    """What is told without the engine's name is what a certificate counts that was checked and accepted."""
    if not _backed(judge, "solutions.cert"):
        return False
    claimed = read_certificate(judge.told.folder / "solutions.cert")
    return claimed.zeros == count or (count == 0 and claimed.lower == 0)


def _backed(judge: SystemJudge, file: str) -> bool:
    return judge.told.checked.get(file) == 0


def _exit_code(judge: SystemJudge, code: int) -> bool:
    """0 only if everything is known and every certificate that was asked for was made and checked."""
    accepted = judge.told.checked and not any(judge.told.checked.values())
    return code != 0 or (accepted and judge.told.json["complete"] and judge.told.json["certificate"]["verified"])


def _drawn(judge: SystemJudge) -> bool:
    """Something is drawn that has a solution."""
    return len(judge.told.json["solutions"]) > 0


RULES: dict[str, Callable[..., bool]] = {
    "exactly": _exactly,
    "certified count": _certified_count,
    "solution": _solution,
    "covered": _covered,
    "set covered": _set_covered,
    "volume": _volume,
    "volume at least": lambda judge, value: value <= judge.planted.volume[1],
    "volume at most": lambda judge, value: judge.planted.volume[0] <= value,
    "empty": _empty,
    "not empty": _not_empty,
    "point": _point,
    "open": _open,
    "within": _within,
    "all but": _all_but,
    "system exit code": _exit_code,
    "backed": _backed,
    "drawn": _drawn,
    "files": lambda judge, *files: all((judge.told.folder / name).is_file() for name in files),
}
