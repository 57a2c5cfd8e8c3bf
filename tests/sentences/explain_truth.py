"""What an explanation says, held against the certificate that it explains and against what was planted."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import truth
from certificates import Claimed, scope_variables
from curved_truth import ends
from formulas import value
from linear_truth import Ends, LinearPart
from planted_systems import PlantedSystem
from statements import Said, Unread
from system_truth import RULES as OF_SYSTEMS
from system_truth import SystemJudge, inside
from truth import Judge

POINTS = 3  # at which formulas are compared
Quantity = tuple[Fraction, bool]  # and whether it is said to be about so much only


def near(said: Quantity, exact: Fraction) -> bool:
    """Whether a number is exact, or has the eight digits of one that is said to be about so much."""
    return said[0] == exact or (said[1] and abs(said[0] - exact) <= abs(exact) / 10**8)


def agree(formula: str, exact: Sequence[Callable[[dict[str, Fraction]], Ends]], names: Sequence[str]) -> bool:
    """Whether a formula is one of these functions, but for its sign, at some points."""
    rng = random.Random(formula)
    points = [{name: Fraction(rng.randint(-3000, 3000), 1009) for name in names} for _ in range(POINTS)]
    values = [value(formula, point) for point in points]
    if not all(number.is_finite() for number in values):
        return False
    told = [ends(number) for number in values]
    found = [[function(point) for point in points] for function in exact]
    same = [all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(told, values, strict=True)) for values in found]
    turned = [all(-a[1] <= b[1] and b[0] <= -a[0] for a, b in zip(told, values, strict=True)) for values in found]
    return any(same) or any(turned)


@dataclass(frozen=True)
class Explained:
    """An explanation of a certificate of an experiment; `canonical` is the file of its problem."""

    judge: Judge
    claimed: Claimed
    canonical: str

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        rule = OF_EXPERIMENTS.get(said.kind)
        if rule is not None:
            return rule(self, said.part, *said.values)
        if said.kind not in truth.RULES:
            raise Unread(f"nothing judges {said.kind!r}, which {said.words!r} says")
        return self.judge.holds(said)

    @property
    def part(self) -> str:
        """The part that the certificate is about."""
        return "+".join(self.claimed.scope)

    @property
    def values(self) -> dict[str, Fraction]:
        """The point, or the witness."""
        names = scope_variables(self.judge.told.folder / self.canonical, self.claimed.scope)
        return dict(zip(names, self.claimed.point or self.claimed.values or (), strict=True))

    @property
    def level(self) -> Fraction:
        """What the conflicts exceed."""
        return self.claimed.within or Fraction(0) if self.claimed.lower is None else self.claimed.lower

    def impossible_in(self, ends: Mapping[str, Ends]) -> bool:
        """Whether nothing is known to be explained with an unknown between these ends; of sums, no minimum."""
        if self.claimed.squares:
            found = self.judge.part(self.part).least_squares()
            return found is None or not all(
                low <= found[0][name][0] and found[0][name][1] <= high for name, (low, high) in ends.items()
            )
        part = self.judge.planted.part(self.part, self.judge.box | ends)
        return not isinstance(part, LinearPart) or not part.consistent(self.level)

    def impossible(self, rows: Sequence[tuple[str, int]], level: Fraction) -> bool:
        """Whether no value is known that explains these rows within a level."""
        return self.judge.consistent("+".join(sorted({leg for leg, _ in rows})), level, rows) is not True


def _explained(told: Explained, part: str, level: Fraction, without: Sequence[tuple[str, int]]) -> bool:
    rows = {row.name for row in told.judge.part(part).rows} - set(without)
    return (not without and not rows) or told.judge.consistent(part, level, rows) is not False


def _values(told: Explained, part: str, *entries: tuple[str, Fraction, bool]) -> bool:
    return all(near((number, about), told.values[name]) for name, number, about in entries)


def _hull_line(told: Explained, name: str, low: Fraction, high: Fraction, share: Fraction | None) -> bool:
    """The hull's ends are outside of what is consistent, and its share of the box is at most what is said."""
    names = scope_variables(told.judge.told.folder / told.canonical, told.claimed.scope)
    exact, box = told.claimed.hull[names.index(name)], told.judge.box[name]
    extent = told.judge.part(told.part).extent({name: Fraction(1)}, told.claimed.within)
    holds = extent is None or (low <= extent[0] and extent[1] <= high)
    return holds and (share is None or exact[1] - exact[0] <= share * (box[1] - box[0]))


def _half_widths(told: Explained, column: str, least: Quantity, most: Quantity, count: int) -> bool:
    halves = told.judge.planted.halves[column]
    return near(least, min(halves)) and near(most, max(halves)) and len(halves) == count


def _known(told: Explained, column: str, count: int) -> bool:
    halves = told.judge.planted.halves.get(column, [Fraction(0)])
    return (told.claimed.squares or not any(halves)) and (
        column not in told.judge.planted.halves or len(halves) == count
    )


def _shared(told: Explained, part: str, *columns: str) -> bool:
    """Columns of no leg in particular, in a scope of several legs; unknowns that are known count as columns of a sum
    of squares.
    """
    own = tuple(f"{leg}." for leg in told.claimed.scope)
    return len(told.claimed.scope) > 1 and all(
        not column[-1].isdigit() and not column.startswith(own) for column in columns
    )


def _formula(told: Explained, leg: str, formula: str) -> bool:
    planted = told.judge.planted
    number = planted.legs(leg)[0]
    known = {name: planted.blueprint[name] for name, radius in planted.radii.items() if not radius}
    names = [*(name for name in planted.radii if name not in known), *planted.halves]
    return (
        agree(formula, [lambda at: planted.formula(number, known | at)], [*names])
        if not known
        else _with_known(told, number, formula, names, known)
    )


def _with_known(told: Explained, leg: int, formula: str, names: Sequence[str], known: dict[str, Fraction]) -> bool:
    """Unknowns that are known exactly stand in a formula as numbers, or by their names."""
    rng = random.Random(formula)
    for _ in range(POINTS):
        at = {name: Fraction(rng.randint(-3000, 3000), 1009) for name in names} | known
        said, exact = value(formula, at), told.judge.planted.formula(leg, at)
        if not said.is_finite() or ends(said)[1] < exact[0] or exact[1] < ends(said)[0]:
            return False
    return True


def _fit_conflict(told: Explained, part: str, level: Fraction, *rows: tuple[str, int]) -> bool:
    scope = "+".join(sorted({leg for leg, _ in rows}))
    whole = told.judge.part(scope)
    others = {row.name for row in getattr(whole, "rows", ())} - set(rows)
    return level < whole.needs({name: told.judge.fit[name] for name in whole.box}, others)[1]


OF_EXPERIMENTS: dict[str, Callable[..., bool]] = {
    "inconsistent at": lambda told, part, level: told.judge.consistent(part, level) is not True,
    "explained": _explained,
    "known up to": lambda told, part, gap: told.claimed.upper - told.claimed.lower <= gap,
    "values": _values,
    "hull of": lambda told, part, level: level <= told.claimed.within,
    "facets": lambda told, part, count: count == len(told.claimed.facets),
    "hull line": _hull_line,
    "box line": lambda told, name, low, high: (
        near(low, told.judge.box[name][0]) and near(high, told.judge.box[name][1])
    ),
    "half-widths of": _half_widths,
    "known exactly": _known,
    "shared": _shared,
    "formula": _formula,
    "conflict at": lambda told, part, level, *rows: told.impossible(rows, level),
    "conflict line": lambda told, part, *rows: told.impossible(rows, told.level),
    "conflicts at": lambda told, part, level: level <= told.level,
    "fit conflict": _fit_conflict,
    "minimum of": lambda told, part: part == told.part,
    "global minimum of": lambda told, part: (
        told.claimed.minimum[0] and truth.RULES["global minimum"](told.judge, told.part)
    ),
    "minimum line": lambda told, name, low, high: _minimum_line(told, name, low, high),
}


def _minimum_line(told: Explained, name: str, low: Fraction, high: Fraction) -> bool:
    found = told.judge.part(told.part).least_squares()
    return found is None or (low <= found[0][name][1] and found[0][name][0] <= high)


@dataclass(frozen=True)
class ExplainedSystem:
    """An explanation of a certificate of a system or a set."""

    judge: SystemJudge
    claimed: Claimed

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        rule = OF_SETS.get(said.kind)
        if rule is not None:
            return rule(self, said.part, *said.values)
        return self.judge.holds(said)


def _system_hull_line(told: ExplainedSystem, name: str, low: Fraction, high: Fraction, share: Fraction | None) -> bool:
    names = list(told.judge.planted.box)
    exact, box = told.claimed.hull[names.index(name)], told.judge.planted.box[name]
    held = OF_SYSTEMS["within"](told.judge, dict(told.judge.planted.box) | {name: (low, high)}, None)
    return held and (share is None or exact[1] - exact[0] <= share * (box[1] - box[0]))


def _system_values(told: ExplainedSystem, part: str, *entries: tuple[str, Fraction, bool]) -> bool:
    exact = dict(zip(told.judge.planted.box, told.claimed.values or (), strict=True))
    return inside(exact, told.judge.planted.box) and all(
        near((number, about), exact[name]) for name, number, about in entries
    )


def _rest(told: ExplainedSystem, part: str, size: Fraction) -> bool:
    """So much at least does not belong to it: of solutions that are points, or of a set."""
    volume: Any = Fraction(0) if isinstance(told.judge.planted, PlantedSystem) else told.judge.planted.volume[0]
    return size <= told.judge.whole - volume


def _system_formula(told: ExplainedSystem, name: str, formula: str) -> bool:
    return agree(formula, told.judge.planted.functions, list(told.judge.planted.box))


def _left_open(told: ExplainedSystem, name: str, low: Quantity, high: Quantity) -> bool:
    """Every point that does not satisfy the system lies between these ends."""
    outside = [x for x in told.judge.points if not told.judge.planted.holds(x)]
    return all(low[0] <= x[name] <= high[0] for x in outside)


OF_SETS: dict[str, Callable[..., bool]] = {
    "hull line": _system_hull_line,
    "box line": lambda told, name, low, high: (
        near(low, told.judge.planted.box[name][0]) and near(high, told.judge.planted.box[name][1])
    ),
    "values": _system_values,
    "formula": _system_formula,
    "share": lambda told, part, size, share: size <= share * told.judge.whole,
    "rest at least": _rest,
    "left open": _left_open,
    "hull of": lambda told, part, level: level == 0,
    "conditions' hull": lambda told, part: told.claimed.within is not None,
    "volume at most": lambda told, part, value: (
        isinstance(told.judge.planted, PlantedSystem) or told.judge.planted.volume[0] <= value
    ),
}
