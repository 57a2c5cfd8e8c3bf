"""Every statement about an experiment held against what was planted: exact where the truth is, and false only where it
is certainly not so.

Lower ends are at most the truth, upper ends at least, as they are printed; what is said to be above is strictly above.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from certificates import Claimed, read_certificate, scope_variables
from linear_truth import Ends, LinearPart
from planted_experiments import PlantedExperiment, shown
from running import Told, centre_of
from statements import Said, ruled
from tables_truth import gaussian, inside, mixture_outside, noise_of_sorts, sorts_are, table_read

from certify.solvers.limits import Stopped

Rows = Sequence[tuple[str, int]]
EXACT = Stopped.EXACT.value


@dataclass(frozen=True)
class Judge:
    """A planted experiment and a run on it; `level` is the model error that was asked about."""

    planted: PlantedExperiment
    told: Told
    level: Fraction = Fraction(0)

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def box(self) -> dict[str, Ends]:
        """The search box."""
        return self.planted.box(centre_of(self.told.folder))

    @cached_property
    def table(self) -> dict[str, dict[str, str]]:
        """parameters.csv by the name of the parameter."""
        heading, *lines = [line.split(",") for line in (self.told.folder / "parameters.csv").read_text().splitlines()]
        return {line[0]: dict(zip(heading, line, strict=True)) for line in lines}

    @cached_property
    def fit(self) -> dict[str, Fraction]:
        """The least-squares fit, of the parameters that have one."""
        return {name: Fraction(row["least squares"]) for name, row in self.table.items() if row["least squares"]}

    def part(self, name: str) -> Any:
        """What is true of a part."""
        return self.planted.part(name, self.box)

    def part_of(self, unknown: str) -> str:
        """The part whose hull bounds an unknown."""
        return next(part["name"] for part in self.told.json["hulls"] if unknown in self.part(part["name"]).box)

    @cached_property
    def deviations(self) -> float | None:
        """How many standard deviations the half-widths are said to be."""
        found = re.search(r'^half_widths_are = "(\S+) standard', self.planted.problem, re.M)
        return None if found is None else float(found[1])

    def fit_needs(self, name: str) -> Ends:
        """What model error the fit of a part has."""
        return self._need(name, self.fit)

    def _need(self, name: str, values: Mapping[str, Fraction], without: Rows = ()) -> Ends:
        part = self.part(name)
        return part.needs({unknown: Fraction(values[unknown]) for unknown in part.box}, without)

    def error(self, name: str) -> Fraction:
        """The smallest model error."""
        return self.part(name).least_error()

    def consistent(self, name: str, level: Fraction, only: Rows | None = None) -> bool | None:
        """Whether it is known that some value explains these rows within a level."""
        return self.part(name).consistent(level, only)

    def claimed(self, file: str) -> Claimed:
        """What a certificate claims."""
        return read_certificate(self.told.folder / file)

    def backing(self, file: str) -> Claimed | None:
        """What a certificate claims that was checked and accepted; None if there is none."""
        return self.claimed(f"{file}.cert") if self.told.checked.get(f"{file}.cert") == 0 else None

    def size(self, name: str) -> tuple[int, int]:
        """Rows and unknowns of a part."""
        legs = self.planted.legs(name)
        return len(legs) * self.planted.poses, len({unknown for leg in legs for unknown in self.planted.unknowns[leg]})

    def extent(self, unknown: str) -> Ends | None:
        """The hull of what is consistent."""
        return self.part(self.part_of(unknown)).extent({unknown: Fraction(1)}, self.level)


FIT = ".least-squares"


def _consistent(judge: Judge, part: str) -> bool:
    backed = any(judge.backing(f"{part}{suffix}") is not None for suffix in ("", "-without"))
    return backed and judge.consistent(part, judge.level) is not False


def _inconsistent(judge: Judge, part: str) -> bool:
    backed = any(judge.backing(f"{part}{suffix}") is not None for suffix in ("", "-hull"))
    return backed and judge.consistent(part, judge.level) is not True


def _at_least(judge: Judge, part: str, value: Fraction) -> bool:
    claimed = judge.backing(part)
    backed = value <= 0 or (claimed is not None and claimed.lower is not None and value <= claimed.lower)
    return backed and value <= judge.error(part)


def _above(judge: Judge, part: str, value: Fraction) -> bool:
    return _at_least(judge, part, value) and value < judge.error(part)


def _at_most(judge: Judge, part: str, value: Fraction) -> bool:
    claimed = judge.backing(part)
    return claimed is not None and claimed.upper is not None and claimed.upper <= value and judge.error(part) <= value


def _fit_at_least(judge: Judge, part: str, value: Fraction) -> bool:
    claimed = judge.backing(part + FIT)
    backed = value <= 0 or (claimed is not None and claimed.lower is not None and value <= claimed.lower)
    return backed and value <= judge.fit_needs(part)[1]


def _fit_above(judge: Judge, part: str, value: Fraction) -> bool:
    return _fit_at_least(judge, part, value) and value < judge.fit_needs(part)[1]


def _fit_at_most(judge: Judge, part: str, value: Fraction) -> bool:
    claimed = judge.backing(part + FIT)
    return (
        claimed is not None
        and claimed.upper is not None
        and claimed.upper <= value
        and judge.fit_needs(part)[0] <= value
    )


def _fit_inconsistent(judge: Judge, part: str) -> bool:
    """It is proved to be above 0, and it is."""
    return _fit_above(judge, part, Fraction(0)) and (judge.claimed(f"{part}{FIT}.cert").lower or 0) > 0


def _gap(judge: Judge, part: str, gap: Fraction) -> bool:
    claimed = judge.backing(part)
    if claimed is None:
        return False
    lower, upper = claimed.lower or Fraction(0), claimed.upper
    return upper is not None and (upper - lower) / upper <= gap


def _fit_gap(judge: Judge, part: str, gap: Fraction) -> bool:
    return _gap(judge, f"{part}.least-squares", gap)


def _conflict(judge: Judge, part: str, lower: Fraction, rows: Rows) -> bool:
    found = judge.part(part).least_error(rows)
    return found is None or found > lower or (not lower and found >= 0)


def _certificate(judge: Judge, part: str, file: str, size: int, lower: Fraction, upper: float | None) -> bool:
    claimed = judge.claimed(file)
    low, high = claimed.lower or Fraction(0), claimed.upper
    return claimed.size == size and lower <= low and (upper is None or high is None or high <= Fraction(upper))


def _witness(judge: Judge, part: str, values: Mapping[str, float], upper: float | None) -> bool:
    """An estimated witness is the exact one but for its rounding to doubles."""
    exact = judge.claimed(f"{part}.cert").values
    names = scope_variables(judge.told.folder / "problem.canonical", judge.claimed(f"{part}.cert").scope)
    return (
        upper is None
        or exact is None
        or all(float(value) == values[name] for name, value in zip(names, exact, strict=True))
    )


def _hull(judge: Judge, unknown: str, low: Fraction, high: Fraction) -> bool:
    extent, claimed = judge.extent(unknown), judge.backing(f"{judge.part_of(unknown)}-hull")
    if claimed is None:
        return False
    names = scope_variables(judge.told.folder / "problem.canonical", claimed.scope)
    proved = claimed.hull[names.index(unknown)]
    return low <= proved[0] and proved[1] <= high and (extent is None or (low <= extent[0] and extent[1] <= high))


def _hull_gap(judge: Judge, unknown: str, low: Fraction, high: Fraction, gap: Fraction) -> bool:
    """A consistent value lies within the gap of each end: so the true extent does. What is printed is at least what is
    recorded.
    """
    extent = judge.extent(unknown)
    entry = next(e for part in judge.told.json["hulls"] for e in part["hull"] or () if e["name"] == unknown)
    rounded = sum(Fraction(math.ulp(end)) for end in map(float, (low, high)))  # the ends of the record are doubles
    near = extent is None or max(extent[0] - low, high - extent[1]) <= gap * (high - low) + rounded
    return near and gap >= Fraction(entry["gap"])


def _limited(judge: Judge, unknown: str, side: str, end: Fraction) -> bool:
    exact = judge.box[unknown][side == "upper"]
    return abs(end - exact) <= abs(exact) / 10**8


def _axis(judge: Judge, part: str, coefficients: Sequence[Fraction], ends: Ends, gap: float) -> bool:
    names = scope_variables(
        judge.told.folder / "problem.canonical", tuple(f"leg{leg + 1}" for leg in judge.planted.legs(part))
    )
    exact = judge.part(part).extent(dict(zip(names, coefficients, strict=True)), judge.level)
    return exact is None or (ends[0] <= exact[0] and exact[1] <= ends[1])


def _half_spaces(judge: Judge, part: str, count: int, gap: Fraction) -> bool:
    axes = next(p["axes"] for p in judge.told.json["hulls"] if p["name"] == part)
    return count == 2 * len(axes) and all(Fraction(axis["gap"]) <= gap for axis in axes)


def _minimiser(judge: Judge, part: str) -> dict[str, Ends] | None:
    found = judge.part(part).least_squares()
    return None if found is None else found[0]


def _global(judge: Judge, part: str) -> bool:
    truth = judge.part(part)
    return not isinstance(truth, LinearPart) or truth.least_squares() is not None


def _least_sum(judge: Judge, part: str, value: Fraction) -> bool:
    claimed = judge.backing(f"{part}-minimum") or judge.backing(f"{part}-minimiser")
    found = judge.part(part).least_squares()
    backed = claimed is not None and claimed.minimum is not None and claimed.minimum[1] <= value
    return backed and (found is None or found[1] <= value)


def _sum_at_least(judge: Judge, part: str, value: Fraction) -> bool:
    found = judge.part(part).least_squares()
    box = judge.part(part).box
    inside = all(name in judge.fit and low <= judge.fit[name] <= high for name, (low, high) in box.items())
    return (found is None or value <= found[1]) and (not inside or value <= judge.part(part).sum_of_squares(judge.fit))


def _in_box(judge: Judge, part: str, box: Mapping[str, Sequence[float]]) -> bool:
    exact = _minimiser(judge, part)
    return exact is None or all(
        Fraction(box[name][0]) <= high and low <= Fraction(box[name][1]) for name, (low, high) in exact.items()
    )


def _estimate(judge: Judge, part: str, estimate: Mapping[str, float], digits: Mapping[str, int]) -> bool:
    exact = _minimiser(judge, part)
    return exact is None or all(
        _true_digits(Fraction(estimate[name]), exact[name], count) for name, count in digits.items()
    )


def _true_digits(value: Fraction, exact: Ends, count: int) -> bool:
    """At most one unit of so many digits away."""
    away = max(exact[0] - value, value - exact[1], Fraction(0))
    return count == 0 or away * 10**count <= max(map(abs, exact))


def _digits(judge: Judge, part: str, count: int) -> bool:
    entry = next(p for p in judge.told.json["minima"] if p["name"] == part)
    return all(count <= found for found in entry["confirmed_here"]["digits"].values()) and _estimate(
        judge, part, entry["estimate"], dict.fromkeys(entry["estimate"], count)
    )


def _fewest(judge: Judge, part: str, count: int) -> bool:
    least, most = judge.part(part).fewest(judge.level)
    return least <= count <= most


def _fewest_at_least(judge: Judge, part: str, count: int) -> bool:
    return count <= judge.part(part).fewest(judge.level)[1]


def _suffices(judge: Judge, part: str, count: int, rows: Rows) -> bool:
    truth = judge.part(part)
    left = {row.name for row in truth.rows} - set(rows)
    return count == len(set(rows)) and truth.consistent(judge.level, left) is not False


def _conflicting(judge: Judge, part: str, *rows: tuple[str, int]) -> bool:
    return judge.part(part).consistent(judge.level, rows) is not True


def _conflicts(judge: Judge, part: str, count: int, least: int, most: int) -> bool:
    sizes = [len(conflict) for p in judge.told.json["discards"] if p["name"] == part for conflict in p["conflicts"]]
    return (count, least, most) == (len(sizes), min(sizes), max(sizes))


def _fit_far(judge: Judge, unknown: str, distance: Fraction) -> bool:
    """Four digits are shown."""
    exact = abs(judge.fit[unknown] - judge.planted.blueprint[unknown])
    return abs(exact - distance) <= exact / 1000 and exact > judge.planted.radii[unknown]


def _fit_outside(judge: Judge, part: str) -> bool:
    return any(not low <= judge.fit[unknown] <= high for unknown, (low, high) in judge.part(part).box.items())


def _box_lost(judge: Judge, part: str) -> bool:
    """The fit is the middle of the box, and the blueprint is not in it."""
    box, blueprint = judge.part(part).box, judge.planted.blueprint
    centred = all(abs(judge.fit[unknown] - (low + high) / 2) == 0 for unknown, (low, high) in box.items())
    return centred and any(not low <= blueprint[unknown] <= high for unknown, (low, high) in box.items())


def _box_kept(judge: Judge, part: str) -> bool:
    box = judge.part(part).box
    return all((low + high) / 2 == judge.planted.blueprint[unknown] for unknown, (low, high) in box.items())


def _no_fit(judge: Judge, part: str) -> bool:
    """Neither a number nor an answer."""
    told = next(p for p in judge.told.json["parts"] if p["name"] == part)
    return told["least_squares"] is None and not judge.fit.keys() & judge.part(part).box.keys()


def _known_poses(judge: Judge, part: str, poses: Sequence[int]) -> bool:
    return bool(poses) and all(1 <= pose <= judge.planted.poses for pose in poses)


def _certificates(judge: Judge, part: str, verified: int, count: int) -> bool:
    written = {path.name for path in judge.told.folder.glob("*.cert")}
    return (
        written == set(judge.told.checked)
        and count == len(written)
        and verified == list(judge.told.checked.values()).count(0)
    )


def _files(judge: Judge, part: str, files: Sequence[str], count: int) -> bool:
    return all((judge.told.folder / name).is_file() for name in files) and count == len(
        list(judge.told.folder.glob("*.cert"))
    )


def _exit_code(judge: Judge, part: str, code: int, recorded: int) -> bool:
    """0 only if nothing stayed undecided and every claim has a certificate that was checked."""
    parts = [p for p in judge.told.json["parts"]]
    parts += [p["least_squares"] for p in judge.told.json["parts"] if p["least_squares"] is not None]
    keys = ("hulls", "minima", "discards", *(("factors",) if "--factor" in judge.told.words else ()))
    parts += [p for key in keys for p in judge.told.json.get(key, ()) if p["stopped"] != EXACT]
    proved = all(p["verdict"] != "undecided" and p.get("verified") for p in parts)
    return code == recorded and (code != 0 or proved)


def _blueprint(judge: Judge, unknown: str, value: Fraction) -> bool:
    return value == judge.planted.blueprint[unknown]


def _witness_of(judge: Judge, unknown: str, value: Fraction) -> bool:
    """A witness lies in the search box."""
    return unknown not in judge.box or judge.box[unknown][0] <= value <= judge.box[unknown][1]


def _names(judge: Judge, part: str, names: Sequence[str]) -> bool:
    known = {unknown.partition(".")[2] for leg in judge.planted.legs(part) for unknown in judge.planted.unknowns[leg]}
    return set(names) <= known


def _point_needs(
    judge: Judge, part: str, values: Mapping[str, Fraction], lower: Fraction | None, upper: Fraction | None
) -> bool:
    low, high = judge.part(part).needs(values)
    return (lower is None or lower < high) and (upper is None or low <= upper)


def _point_reaches(judge: Judge, part: str, values: Mapping[str, Fraction], upper: Fraction, without: Rows) -> bool:
    """In the box, and within the error claimed but for the rows left out."""
    truth = judge.part(part)
    return (
        all(low <= values[name] <= high for name, (low, high) in truth.box.items())
        and truth.needs(values, without)[0] <= upper
    )


def _hull_within(
    judge: Judge, part: str, coefficients: Mapping[str, Fraction], level: Fraction, low: Fraction | None, high: Fraction
) -> bool:
    extent = judge.part(part).extent(coefficients, level)
    return extent is None or ((low is None or low <= extent[0]) and extent[1] <= high)


def _fewest_above(judge: Judge, part: str, count: int, level: Fraction) -> bool:
    return count < judge.part(part).fewest(level)[1]


def _factor_above(judge: Judge, part: str, value: Fraction) -> bool:
    exact = judge.part(part).least_factor()
    return exact is None or value < exact


def _factor_at_most(judge: Judge, part: str, value: Fraction) -> bool:
    exact = judge.part(part).least_factor()
    return exact is None or exact <= value


def _factor_about(judge: Judge, part: str, value: Fraction) -> bool:
    """Two digits are shown of what is estimated within a hundredth."""
    exact = judge.part(part).least_factor()
    return exact is None or abs(value - exact) <= exact * Fraction(7, 100)


def _uncertain(judge: Judge, part: str, count: int) -> bool:
    return count == judge.planted.uncertain(part)


def _sorts(judge: Judge, part: str, readings: int, words: str, outside: Fraction) -> bool:
    return sorts_are(judge.planted, _parts(judge, part), readings, words, outside)


def _noise_of_sorts(judge: Judge, part: str, readings: int, factor: Fraction) -> bool:
    return noise_of_sorts(judge.planted, _parts(judge, part), readings, factor)


def _parts(judge: Judge, part: str) -> list[str]:
    """The part of which something is told, or all of them."""
    return [part] if part else [found["name"] for found in judge.told.json["parts"]]


def _half_widths(judge: Judge, part: str, deviations: Fraction | None, stated: bool) -> bool:
    if judge.planted.by_column:
        told = f"{shown(deviations)} standard deviation" if deviations is not None else "bounds" if stated else "not st"
        sorts = [judge.planted.sorts(name) for name in _parts(judge, part)]
        return any(len(found) <= 1 and all(sort.startswith(told) for sort in found) for found in sorts)
    line = next((line for line in judge.planted.problem.split("\n") if line.startswith("half_widths_are")), "")
    told = f"{shown(deviations)} standard deviation" if deviations is not None else "bounds"
    return told in line if stated else not line


def _outside(judge: Judge, part: str, readings: int, outside: Fraction) -> bool:
    """Two digits are shown."""
    k = judge.deviations
    exact = 0.0 if k is None else readings * math.erfc(k / math.sqrt(2.0))
    if judge.planted.by_column:
        sorts = [judge.planted.sorts(name) for name in _parts(judge, part)]
        return any(abs(float(outside) - exact) <= 0.06 * exact for exact in map(mixture_outside, sorts))
    return abs(float(outside) - exact) <= 0.06 * exact


def _noise(judge: Judge, part: str, readings: int, k: Fraction, factor: Fraction) -> bool:
    """Three digits are shown: with so many deviations all lie inside with 99 %."""
    inside = math.erf(float(k) / math.sqrt(2.0)) ** readings
    stated = judge.deviations
    if judge.planted.by_column:
        found = [gaussian(sorts) for sorts in map(judge.planted.sorts, _parts(judge, part)) if len(sorts) == 1]
        told = [of[0][0] for of in found if of and of[0][1] == readings]
        stated = told[0] if len(set(told)) == 1 else None
    return abs(inside - 0.99) < 0.001 and stated is not None and abs(factor - k / Fraction(stated)) < factor / 50


def _judgement(judge: Judge, part: str, told: str) -> bool:
    """The model is called wrong only where noise alone would need less, and never where it explains all."""
    exact, k = judge.part(part).least_factor(), judge.deviations
    if exact is None:
        return True
    if told == "the model fits":
        return exact <= 1
    if judge.planted.by_column:
        return _judgement_of_sorts(judge.planted.sorts(part), float(exact), told)
    if k is None:
        stated = "half_widths_are" in judge.planted.problem
        wrong = {
            "the model or a bound is wrong": stated and exact > 1,
            "not stated what the half-widths are": not stated,
        }
        return told == "undecided" or wrong[told]
    inside = math.erf(float(exact) * k / math.sqrt(2.0)) ** judge.planted.uncertain(part)
    return {"the model is wrong": inside > 0.9899, "noise alone explains it": inside < 0.9901, "undecided": True}[told]


def _judgement_of_sorts(sorts: dict[str, int], exact: float, told: str) -> bool:
    """The same where columns differ: nothing is judged where something is not stated of one."""
    unstated = any(sort.startswith("not stated") for sort in sorts) or not sorts
    if told == "not stated what the half-widths are":
        return unstated
    if told == "undecided":
        return not unstated
    if not gaussian(sorts):
        return told == "the model or a bound is wrong" and not unstated and exact > 1
    probable = inside(sorts, max(exact, 1.0) if told == "the model is wrong" else exact)
    wrong = {"the model is wrong": probable > 0.9899 and exact > 1, "noise alone explains it": probable < 0.9901}
    return not unstated and told in wrong and wrong[told]


Rule = Callable[..., bool]
RULES: dict[str, Rule] = {
    "consistent": _consistent,
    "consistent at zero": lambda judge, part: _at_most(judge, part, Fraction(0)),
    "inconsistent": _inconsistent,
    "error at least": _at_least,
    "error above": _above,
    "error at most": _at_most,
    "nothing within": lambda judge, part, value: value < judge.error(part),
    "gap": _gap,
    "exact gap": _gap,
    "fit exact gap": _fit_gap,
    "fit consistent": lambda judge, part: _fit_at_most(judge, part, Fraction(0)),
    "fit consistent at zero": lambda judge, part: _fit_at_most(judge, part, Fraction(0)),
    "fit inconsistent": _fit_inconsistent,
    "fit needs above": _fit_above,
    "fit error above": _fit_above,
    "fit error at least": _fit_at_least,
    "fit error at most": _fit_at_most,
    "verified": lambda judge, part: judge.backing(part) is not None,
    "ended": lambda judge, part, verdict, stopped: (verdict, stopped) != ("undecided", "finished"),
    "certificate": _certificate,
    "witness": _witness,
    "conflict": _conflict,
    "names": _names,
    "size": lambda judge, part, rows, unknowns: (rows, unknowns) == judge.size(part),
    "fit far": _fit_far,
    "fit outside": _fit_outside,
    "box lost": _box_lost,
    "box kept": _box_kept,
    "no fit": _no_fit,
    "poses": _known_poses,
    "level": lambda judge, part, value: value == judge.level,
    "half-spaces": _half_spaces,
    "hull": _hull,
    "hull gap": _hull_gap,
    "limited": _limited,
    "axis": _axis,
    "global minimum": _global,
    "minimum": lambda judge, part: True,
    "least sum": _least_sum,
    "minimum at most": _least_sum,
    "sum at least": _sum_at_least,
    "minimiser": _in_box,
    "digits": _digits,
    "estimate": _estimate,
    "fewest": _fewest,
    "fewest at least": _fewest_at_least,
    "suffices": _suffices,
    "conflicts": _conflicts,
    "conflicting": _conflicting,
    "certificates": _certificates,
    "files": _files,
    "exit code": _exit_code,
    "point needs": _point_needs,
    "point reaches": _point_reaches,
    "hull within": _hull_within,
    "fewest above": _fewest_above,
    "factor above": _factor_above,
    "factor at most": _factor_at_most,
    "factor about": _factor_about,
    "uncertain": _uncertain,
    "half-widths": _half_widths,
    "outside": _outside,
    "sorts": _sorts,
    "noise of sorts": _noise_of_sorts,
    "table read": lambda judge, part, *values: table_read(judge.planted, *values),
    "noise": _noise,
    "judgement": _judgement,
    "blueprint": _blueprint,
    "witness of": _witness_of,
}
