"""An explanation as sentences for people who know their robot and no interval arithmetic, and as one object for scripts."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from certify.checker.certificate import Certificate, Hull
from certify.conditions import Bounds, condition_formula
from certify.decimals import round_down, round_up, show
from certify.explanation import Event, Explanation, Row, Tree
from certify.model_text import formula, operations
from certify.problem_files import TRANSLATED

WIDTH = 110
DIGITS = 15  # of a proved end, rounded to the safe side; those that a run writes have no more
SHORT = 9  # of other numbers
MOST = 10  # items of a list that are told
CONFLICTS = 8  # of a proof with rows left out that are told
FEW = 6  # splits of a tree that are told one by one
PASSED = "In short: if the check passes, the claim is true of the problem file."

RULES = {
    "evaluate": "refuted by a single row: its error is too large, whatever the unknowns are there and the measurements in their intervals",
    "aggregate": "refuted by a weighted sum of rows: each of them would have to be at most 0 there, and their sum is proved to be above 0",
    "open": "within the hull, where nothing is claimed",
    "known": "within the box of a known solution or minimum, where there is no second one",
}
OF_CONDITIONS = {
    "evaluate": "refuted by a single condition: it does not hold there",
    "aggregate": "refuted by a single condition, which is expanded to the second order: it does not hold there",
    "open": "within the hull, where nothing is claimed but their volume",
}
OF_VIOLATIONS = {
    "evaluate": "where a single violation is refuted: that condition of the system holds there",
    "aggregate": "where a single violation is refuted, expanded to the second order: that condition of the system holds there",
    "open": "left open: nothing is claimed there but the sum of their volumes",
}
OF_EQUATIONS = {"evaluate": "refuted by a single equation: it misses 0 by too much, whatever the unknowns are there"}
OF_SQUARES = {
    "evaluate": "refuted by a single row: the square of its error alone exceeds the level, whatever the unknowns are there",
    "aggregate": "refuted by a sum over rows: the sum of the squares of their errors is proved to exceed the level there",
}
CHECKER = "the checker, a short program of ordinary integers (certify/checker) with a specification of its own, and Python, which runs it"
DOMAIN = "your own numbers: that the search box holds every value that you would accept"
MEASURED = "your own numbers: that the intervals hold the true measurements, and that the search box holds every value that you would accept"
EXACT = (
    "your own numbers: that the exact numbers at which the measurements are taken are those that you mean, which need not be the true ones, and "
    "that the search box holds every value that you would accept"
)
NOT_NEEDED = "the search that found the proof, its floating-point numbers, linear programs and compiled code, or whoever made the certificate"


@dataclass(frozen=True, slots=True)
class Files:
    """Where the files are, how the problem was found, what a problem.toml says of the model, and how to check.

    The problem.toml is the problem given, and so its translation was compared; or it lies beside a canonical problem and was not.
    """

    certificate: str
    problem: str
    found: str
    conventions: tuple[str, ...]
    check: str

    @property
    def translated(self) -> bool:
        """Whether the problem is not the canonical one itself."""
        return Path(self.problem).suffix in TRANSLATED


def claim(explanation: Explanation) -> list[str]:
    """What is claimed, without the numbers of witnesses and boxes."""
    numbers = (" ", "(", "The values of", "The given values:", "It lies in")
    told = [sentence for sentence in _claims(explanation) if not sentence.startswith(numbers)]
    return [f"{sentence[:-1]}." if sentence.endswith(":") else sentence for sentence in told]


def text(explanation: Explanation, files: Files) -> str:
    """The whole explanation."""
    sections = [
        ("What is claimed", _claims(explanation)),
        ("About which problem", _problem(explanation, files)),
        ("What is assumed", _assumptions(explanation, files)),
        *([] if explanation.tree is None else [(f"Which {_carriers(explanation)} carry it", _carried(explanation, explanation.tree))]),
        ("How the proof goes", _proof(explanation)),
        ("What has to be trusted", [*(f"- {item}" for item in _needed(explanation, files)), f"Not: {NOT_NEEDED}. {PASSED}"]),
        ("How to check it", [f"    {files.check}"]),
    ]
    told = [f"{files.certificate}, explained. Explaining is not checking: it is only read here, nothing is verified."]
    for title, sentences in sections:
        told += ["", title, *(_wrapped(sentence) for sentence in sentences)]
    return "\n".join(told)


def _carriers(explanation: Explanation) -> str:
    return "conditions" if explanation.conditions else "measurements" if explanation.scope.columns else "equations"


def _needed(explanation: Explanation, files: Files) -> tuple[str, ...]:
    path = Path(files.problem)
    translation = f"the translation of {path.name}" if files.translated else f"the translation of your problem file into {path.name}"
    what = "model" if explanation.scope.columns and not explanation.conditions else "system"
    needed = (CHECKER, f"{translation}, which 'certify check' repeats where it is given that file; and that the {what} is the one you mean")
    if explanation.conditions:
        return (*needed, DOMAIN)
    if not explanation.scope.columns:
        return needed
    return (*needed, EXACT if explanation.certificate.squares else MEASURED)


def _wrapped(sentence: str) -> str:
    if sentence.startswith("    "):
        return sentence
    indent = "    " if sentence.startswith("- ") else "  "
    return textwrap.fill(sentence, WIDTH, initial_indent="  ", subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _number(value: Fraction, digits: int = SHORT) -> str:
    """The exact decimal where it is short, else the nearest one."""
    if value == 0 or (value * 10**digits).denominator == 1:
        return show(value)
    places = digits - 1 - math.floor(math.log10(abs(value.numerator)) - math.log10(value.denominator))
    return show(round(value, places))


def _with_unit(value: str, unit: str | None) -> str:
    return value if unit == "1" else f"{value} (in the unit of the rows)" if unit is None else f"{value} {unit}"


def _within(low: Fraction, high: Fraction, unit: str) -> str:
    """An interval as middle +- half-width, such that these contain it as they are written."""
    middle, radius = (low + high) / 2, (high - low) / 2
    places = math.ceil(math.log10(radius.denominator) - math.log10(radius.numerator)) + 2 if radius > 0 else DIGITS
    written = middle if (middle * 10**SHORT).denominator == 1 else round(middle, max(places, 0))
    return f"{_with_unit(show(written), unit)} +-{show(round_up(max(high - written, written - low), 2))}"


def _down(value: Fraction) -> str:
    return show(round_down(value, DIGITS))


def _up(value: Fraction) -> str:
    return show(round_up(value, DIGITS))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _row_noun(explanation: Explanation) -> str:
    """What a row is to its reader: a pose of a robot's leg, a measurement of something else, an equation or a condition of a system."""
    if explanation.conditions:
        return "condition"
    if not explanation.scope.columns:
        return "equation"
    return "pose" if all(name.startswith("leg") for name in explanation.certificate.scope) else "measurement"


def _families(explanation: Explanation) -> str:
    names = explanation.certificate.scope
    return _listed(names) if len(names) <= MOST else f"{names[0]} ... {names[-1]} ({len(names)})"


def _all_rows(explanation: Explanation) -> str:
    noun = _row_noun(explanation)
    counts = {explanation.problem.families[number].rows for number in explanation.families}
    if noun == "equation":
        return f"all {explanation.rows} equations" if explanation.rows > 1 else "the equation"
    return f"{'all ' if max(counts) > 1 else ''}{_counted(max(counts), noun)} of {_families(explanation)}"


def _measure(explanation: Explanation) -> tuple[str, str | None]:
    """What a certificate bounds, and its unit."""
    unit = explanation.unit
    if not explanation.certificate.squares:
        return "model error", unit
    return "sum of squared errors", unit if unit in (None, "1") else f"{unit}^2"


def _claims(explanation: Explanation) -> list[str]:
    certificate, (measure, unit) = explanation.certificate, _measure(explanation)
    if certificate.zeros is not None:
        return _zeros(explanation)
    if certificate.minimum is not None:
        return _minimum(explanation, certificate.minimum)
    if explanation.conditions:
        return _set(explanation)
    rows, unknowns = _all_rows(explanation), _counted(len(explanation.scope.variables), "unknown")
    if certificate.discard:
        without = certificate.witness.without if certificate.witness is not None else ()
        rows = f"{rows} but {_named(explanation, without) if without else f'any {certificate.discard} of them'}"
    if certificate.within is not None and certificate.hull is not None:
        return _hull(explanation, rows, certificate.hull)
    told = []
    where = f"no values of the {unknowns} in the search box" if certificate.point is None else f"the given values of the {unknowns} do not"
    if certificate.lower is not None:
        error = "exactly" if certificate.lower == 0 else f"with a {measure} of {_with_unit(_down(certificate.lower), unit)} or less"
        told.append(f"{where[0].upper()}{where[1:]} explain {rows} {error}{_whatever(explanation)}.")
    if certificate.upper is not None:
        error = "exactly" if certificate.upper == 0 else f"with a {measure} of at most {_with_unit(_up(certificate.upper), unit)}"
        some = "Some values in the box" if certificate.point is None else "The given values"
        held = ["them"] * (certificate.point is None)
        held += ["measurements within their intervals"] * (bool(explanation.scope.columns) and not certificate.squares)
        shown = f": the certificate holds {' and '.join(held)} that show it (a witness)" if held else ""
        told.append(f"{some} do explain {rows} {error}{shown}.")
    if certificate.lower is not None and certificate.upper is not None:
        gap = _with_unit(show(round_up(certificate.upper - certificate.lower, 2)), unit)
        whose = f"the smallest {measure}" if certificate.point is None else f"their {measure}"
        told.append(f"So {whose} is known up to {gap}: it lies between these two numbers.")
    if certificate.lower is not None and certificate.point is None and not certificate.squares:
        best = ", with the best measurements" if explanation.scope.columns else ""
        told.append(f"(The model error of some values: the largest error that the model's equation leaves in any row{best}.)")
    values = certificate.point or (certificate.witness.values if certificate.witness is not None else ())
    named = zip(explanation.boxed(), values, strict=False)
    about = "The given values" if certificate.point is not None else "The values of the witness"
    told += [f"{about}: {', '.join(f'{name} = {_with_unit(_number(value), unit_)}' for (name, unit_, _, _), value in named)}."] if values else []
    return told


def _whatever(explanation: Explanation) -> str:
    """What a lower end says of the measurements: those of a sum of squares are exact numbers."""
    if explanation.certificate.squares:
        return ", with the measurements at their exact values in the problem (the middles of their intervals)"
    return ", whatever the true measurements are within their intervals" if explanation.scope.columns else ""


def _hull(explanation: Explanation, rows: str, hull: Hull) -> list[str]:
    certificate, (measure, unit_of_level) = explanation.certificate, _measure(explanation)
    error = "exactly" if not certificate.within else f"with a {measure} of at most {_with_unit(_down(certificate.within), unit_of_level)}"
    told = [f"All values of the unknowns in the search box that explain {rows} {error} lie in their hull, a box. (There may be none at all.)"]
    return told + _hull_box(explanation, hull)


def _hull_box(explanation: Explanation, hull: Hull) -> list[str]:
    told = []
    for (name, unit, low, high), (lower, upper) in zip(explanation.boxed(), hull.box, strict=True):
        part = f"{float(min((upper - lower) / (high - low), Fraction(1))):.3g} of" if high > low else "all of"
        ends = f"{show(round_down(lower, SHORT))} .. {_with_unit(show(round_up(upper, SHORT)), unit)}"
        told.append(f"    {name}: {ends} ({part} the search box)")
    if hull.facets:
        told.append(f"and in {len(hull.facets)} half-spaces that cut off slanted corners of it.")
    if explanation.certificate.volume is not None:
        told += _volume(explanation, explanation.certificate.volume)
    return told


def _volume(explanation: Explanation, claimed: Fraction) -> list[str]:
    """The volume of the set, and of the rest of the search box."""
    names = [name for name, _, _, _ in explanation.boxed()]
    word = {1: "a length", 2: "an area"}.get(len(names), "a volume")
    whole = math.prod((high - low for _, _, low, high in explanation.boxed()), start=Fraction(1))
    part = f" ({float(min(claimed / whole, Fraction(1))):.3g} of the search box)" if whole else ""
    over = f"{', '.join(names)}" if len(names) <= MOST else f"all {len(names)} unknowns"
    told = [f"The set of these values has {word} of at most {_up(claimed)}{part}, measured in the units of {over}."]
    if claimed < whole:
        told.append(f"So what is not among them in the search box has {word} of at least {_down(whole - claimed)}.")
    return told


def _set(explanation: Explanation) -> list[str]:
    """A claim about conditions that hold or do not."""
    certificate = explanation.certificate
    if explanation.inner:
        return _inside(explanation)
    count = len(explanation.conditions)
    least = count - certificate.discard
    which = f"all {count} conditions" if least == count > 1 else "the condition" if count == 1 else f"at least {least} of the {count} conditions"
    told = []
    if certificate.lower is not None:
        told.append(f"No point of the search box satisfies {which}.")
    if certificate.upper is not None and certificate.witness is not None:
        told.append(f"Some point of the search box satisfies {which}; the certificate holds it:")
        told += [f"    {name} = {_number(value)}" for (name, *_), value in zip(explanation.boxed(), certificate.witness.values, strict=True)]
    if certificate.within is not None and certificate.hull is not None:
        told.append(f"All points of the search box that satisfy {which} lie in their hull, a box. (There may be none at all.)")
        told += _hull_box(explanation, certificate.hull)
    return told


def _inside(explanation: Explanation) -> list[str]:
    """The claim of an inner certificate, whose rows are the violations of the system: it says where the system is satisfied."""
    certificate, names = explanation.certificate, [name for name, _, _, _ in explanation.boxed()]
    word = {1: "length", 2: "area"}.get(len(names), "volume")
    whole = math.prod((high - low for _, _, low, high in explanation.boxed()), start=Fraction(1))
    told, but = [], ""
    if certificate.volume is not None:
        share = f" ({float(min(certificate.volume / whole, Fraction(1))):.3g} of the search box)" if whole else ""
        but = f", but for boxes of a total {word} of at most {_up(certificate.volume)}{share},"
    elif certificate.within is not None:
        but = " outside the box below"
    told.append(f"Every point of the search box{but} satisfies all conditions of the system, whether its inequalities are strict or not.")
    if certificate.volume is not None and certificate.volume < whole:
        least = f"a{'n' * (word == 'area')} {word} of at least {_down(whole - certificate.volume)}"
        told.append(f"So the set of the points that satisfy the system has {least}.")
    told.append(
        "This is shown by proving that nowhere else one of the conditions is violated or just met, or a root without a value: these violations "
        f"are the rows of the problem, {_counted(explanation.rows, 'row')}, as the translation of the system names them."
    )
    if certificate.hull is not None and (certificate.volume is None or certificate.hull.box != explanation.scope.box):
        told.append("(Those boxes lie in this one, so that every point outside it satisfies the system:)" if but.endswith(",") else "(This box:)")
        for (name, unit, _, _), (lower, upper) in zip(explanation.boxed(), certificate.hull.box, strict=True):
            told.append(f"    {name}: {show(round_down(lower, SHORT))} .. {_with_unit(show(round_up(upper, SHORT)), unit)}")
        if certificate.hull.facets:
            told.append(f"and in {len(certificate.hull.facets)} half-spaces that cut off slanted corners of it.")
    return told


def _condition_text(explanation: Explanation, family: int, ends: Bounds) -> str:
    """A condition as it is checked."""
    name, short = explanation.problem.families[family].name, condition_formula(explanation.problem, family)
    written = short if short is not None else f"a function of {operations(explanation.problem, family)}, spelt out in the problem,"
    return f"    {name}: {written} is from {_number(ends[0])} to {_number(ends[1])}"


def _minimum(explanation: Explanation, value: Fraction) -> list[str]:
    unit = None if explanation.unit is None else f"{explanation.unit}^2"
    (box,) = explanation.solutions
    told = [
        f"The sum of the squares of the errors of {_all_rows(explanation)}, with the measurements at their exact values in the problem (the "
        f"middles of their intervals), has a strict minimum, the only one in a small box, with a value of at most {_with_unit(_up(value), unit)}."
    ]
    if explanation.certificate.everywhere:
        told.append("It is the only global minimum: no other point of the whole search box does as well.")
    else:
        told.append("Whether another point of the search box does better is not said.")
    told.append("It lies in this box:")
    for (name, unit_, _, _), (low, high) in zip(explanation.boxed(), box, strict=True):
        told.append(f"    {name} = {_within(low, high, unit_)}")
    return told


def _zeros(explanation: Explanation) -> list[str]:
    certificate = explanation.certificate
    count = certificate.zeros or 0
    system = f"the system of {_counted(explanation.rows, 'equation')} in {_counted(len(explanation.scope.variables), 'unknown')}"
    if not count:
        return [f"In the search box {system} has no solution at all."]
    told = [f"In the search box {system} has exactly {_counted(count, 'solution')}, each alone in its box (no smaller than the proof needs):"]
    names = [name for name, _, _, _ in explanation.boxed()]
    for number, box in enumerate(explanation.solutions, 1):
        middle = (
            f"{name} = {_within(low, high, '1')}"
            for name, (low, high) in list(zip(names, box, strict=True))[:MOST]
        )
        told.append(f"    {number}: {', '.join(middle)}{', ...' if len(names) > MOST else ''}")
    more = count - len(explanation.solutions)
    return [*told, f"    ... and {more} more"] if more else told


def _problem(explanation: Explanation, files: Files) -> list[str]:
    problem = explanation.problem
    measured = f"{_counted(len(problem.columns), 'measured column')}, " if problem.columns and not explanation.conditions else ""
    size = (
        f"{_counted(len(problem.variables), 'unknown')}, {measured}"
        f"{_counted(sum(family.rows for family in problem.families), 'row')} in {_counted(len(problem.families), 'group')}"
    )
    named = f"The certificate names its problem by a SHA-256, {explanation.certificate.problem}."
    if not files.translated:
        return [f"{named} {files.found} {files.problem}, is that problem, byte for byte ({size})."]
    middles = ", with the measurements at the middles of their intervals," if explanation.certificate.squares else ""
    return [f"{named} {files.found} {files.problem}, is not compared itself: its translation{middles} is that problem, byte for byte ({size})."]


def _assumptions(explanation: Explanation, files: Files) -> list[str]:
    certificate, problem, scope = explanation.certificate, explanation.problem, explanation.scope
    told = []
    if certificate.point is None:
        told.append("Nothing is said about values outside the search box:")
        bounds = [f"    {name}: {_number(low)} .. {_with_unit(_number(high), unit)}" for name, unit, low, high in explanation.boxed()]
        told += bounds if len(bounds) <= 2 * MOST else [*bounds[: 2 * MOST], f"    ... and {len(bounds) - 2 * MOST} more"]
    if explanation.conditions:
        row = "A condition" if not explanation.inner else "A violation, which is what is refuted,"
        told.append(f"{row} holds where its function is defined and within these ends (0, and what the translation puts beyond all its values):")
        listed = [_condition_text(explanation, family, ends) for family, ends in sorted(explanation.conditions.items())]
        return told + (listed if len(listed) <= 2 * MOST else [*listed[: 2 * MOST], f"    ... and {len(listed) - 2 * MOST} more"])
    if scope.columns:
        known = "taken as exact" if certificate.squares else "known exactly"
        if certificate.squares:
            told.append(
                "The measurements are exactly the numbers in the problem that the certificate names: a run takes the middles of their intervals. "
                "Nothing is said about measurements elsewhere in the intervals:"
            )
        else:
            told.append("Every measurement may be anywhere in its interval, whatever the others do; nothing is assumed about chances. Half-widths:")
        for column in scope.columns:
            least, most = map(_number, explanation.half_widths(column))
            half = least if least == most else f"{least} to {most}"
            name, entries = problem.columns[column].name, len(problem.columns[column].entries)
            unit = explanation.column_units[name]
            told.append(f"    {name}: {known if most == '0' else '+-' + _with_unit(half, unit)} ({_counted(entries, 'value')})")
    if explanation.shared:
        names = _listed([problem.columns[column].name for column in explanation.shared])
        value = "value" if certificate.squares else "true value"
        told.append(f"{names} are shared: what {_families(explanation)} use of a {_row_noun(explanation)} is one and the same {value}.")
    return [*told, *_model(explanation, files)]


def _model(explanation: Explanation, files: Files) -> list[str]:
    problem = explanation.problem
    tapes: dict[int, list[int]] = {}
    for number in explanation.families:
        tapes.setdefault(problem.families[number].tape, []).append(number)
    told = []
    for numbers in list(tapes.values())[:MOST]:
        first, *others = (problem.families[number].name for number in numbers)
        likewise = f", and likewise for {_listed(others)}" if others else ""
        short = formula(problem, numbers[0])
        if explanation.certificate.zeros is not None:
            written = f"a function of {operations(problem, numbers[0])}, spelt out in the problem," if short is None else short
            told.append(f"The equation {first}: {written} = 0{likewise}.")
        elif short is not None:
            told.append(f"The model of {first}: the error of a row is |{short}|{likewise}.")
        else:
            told.append(f"The model of {first} is a function of {operations(problem, numbers[0])}, spelt out in the problem{likewise}.")
    if len(tapes) > MOST:
        told.append(f"... and {len(tapes) - MOST} more {'models' if explanation.certificate.zeros is None else 'equations'}.")
    if files.conventions:
        told.append(
            f"{files.found} {files.problem}, says what they mean:"
            if files.translated
            else "The problem.toml beside it says what they mean; it is not compared here, which the command at the end does:"
        )
        told += [f"    {line}" for line in files.conventions]
    return told


def _named(explanation: Explanation, rows: Iterable[Row]) -> str:
    """Rows by their numbers from 1, group by group: poses 3, 17 and 42 of leg1."""
    noun, groups = _row_noun(explanation), dict[int, list[int]]()
    for family, row in rows:
        groups.setdefault(family, []).append(row + 1)
    if noun in ("equation", "condition"):
        return _listed([explanation.problem.families[family].name for family in groups])
    told = []
    for family, numbers in sorted(groups.items()):
        told.append(f"{noun}{'s' * (len(numbers) > 1)} {_listed(_runs(sorted(numbers)))} of {explanation.problem.families[family].name}")
    return "; ".join(told)


def _runs(numbers: Sequence[int]) -> list[str]:
    """Ascending numbers, three or more in a row as 3 to 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told: list[str] = []
    for run in runs:
        told += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return told


def _carried(explanation: Explanation, tree: Tree) -> list[str]:
    if not tree.uses:
        return ["None: no part of the box is refuted by a row."]
    noun, total = _row_noun(explanation), sum(tree.leaves.values())
    used = sorted(tree.uses)
    certificate = explanation.certificate
    told = []
    if tree.hit and noun != "condition":
        told += _conflicts(explanation, tree)
    elif certificate.lower is not None and noun != "condition":
        subject = _named(explanation, used)
        together = "together cannot be explained" if len(used) > 1 else "cannot be explained"
        bound = "" if certificate.lower == 0 else f" with {_with_unit(_down(certificate.lower), _measure(explanation)[1])} or less"
        place = "anywhere in the search box" if certificate.point is None else "by these values"
        told.append(f"The conflict: {subject} {together}{bound} {place}.")
        told.append(
            f"The proof uses no other of the {explanation.rows} rows (and fewer may do): who doubts the claim has to doubt one of these "
            f"{_carriers(explanation)}, the box{' or the model' if explanation.scope.columns else ''}."
        )
        if tree.last and len(tree.last) < len(used):
            nearest = "the model comes nearest to the measurements" if explanation.scope.columns else "the equations come nearest to 0"
            told.append(f"In the end, where {nearest}, {_named(explanation, tree.last)} decide.")
    elif certificate.isolated:
        whose = "the minimum" if certificate.minimum is not None else _counted(certificate.zeros or 0, "solution")
        told.append(f"The proof that {whose} {'are' if (certificate.zeros or 0) > 1 else 'is'} there uses all {explanation.rows} rows.")
        told.append(f"The proof that there is nothing else uses {len(used)} of them: {_named(explanation, used)}.")
    else:
        told.append(f"The proof uses {len(used)} of {explanation.rows} rows: {_named(explanation, used)}.")
    if len(used) > 1:
        told.append(f"Those that occur in most of the {total} leaves of the proof (and their part of the weights there, on average):")
        for row, use in tree.ranked()[:MOST]:
            leaves = _counted(use.leaves, "leaf").replace("leafs", "leaves")
            told.append(f"    {_named(explanation, [row])}: {leaves}, {use.weight / use.leaves:.1%}")
    if noun not in ("equation", "condition") and explanation.rows > len(explanation.families):
        told.append(f"A {noun} is numbered by its place in the table, from 1.")
    return told


def _conflicts(explanation: Explanation, tree: Tree) -> list[str]:
    """What each child of a hitting refutes: the rows are not in conflict all together, but each of these sets is."""
    certificate = explanation.certificate
    level = certificate.within if certificate.lower is None else certificate.lower
    bound = f" with {_with_unit(_down(level), _measure(explanation)[1])} or less" if level else ""
    place = "the part of the search box that it is about" if tree.parted else "the search box" if certificate.point is None else "the values given"
    out = _counted(certificate.discard, "row")
    told = [
        f"{_counted(len(tree.hit), 'conflict')}, each a set of rows that together cannot be explained{bound} in {place}; whichever {out} "
        f"{'is' if certificate.discard == 1 else 'are'} left out, a conflict stays whole{' in each part' if tree.parted else ''}:"
    ]
    told += [f"    {number}: {_named(explanation, sorted(rows))}" for number, rows in enumerate(tree.hit[:CONFLICTS], 1)]
    if len(tree.hit) > CONFLICTS:
        told.append(f"    ... and {len(tree.hit) - CONFLICTS} more")
    return [*told, f"The proof uses {len(tree.uses)} of the {explanation.rows} rows."]


def _proof(explanation: Explanation) -> list[str]:
    tree = explanation.tree
    if tree is None:
        if explanation.certificate.minimum is not None:
            return ["There is nothing to search, and no witness: only one small box is looked at.", *_isolated(explanation)]
        return ["The witness is put into the model, row by row, in outward rounding; there is nothing to search."]
    total = sum(tree.leaves.values())
    told = _isolated(explanation)
    if told:
        told.append("What is not in such a box is excluded by the search:")
    if tree.splits:
        told.append(
            f"By cases: the box is split {_counted(tree.splits, 'time')} (at most {tree.depth} deep) into {total} parts."
            + (f" {_counted(tree.prepares, 'time')} the rows are described anew for a smaller box." if tree.prepares else "")
        )
    else:
        told.append("In one step: the box is not split.")
    if tree.frames:
        told.append(f"What is left of a box is looked at in slanted coordinates, along which the {_carriers(explanation)} bound it best.")
    told += _left_out(explanation, tree)
    for rule, meaning in (RULES | _meanings(explanation)).items():
        if tree.leaves[rule]:
            told.append(f"- {_counted(tree.leaves[rule], 'part')} {'is' if tree.leaves[rule] == 1 else 'are'} {meaning}")
    if tree.rounds:
        told += _rounds(tree)
    if 0 < tree.splits <= FEW:
        told += [f"    {number}. {_event(explanation, event)}" for number, event in enumerate(tree.events, 1)]
    elif tree.events:
        told.append(f"The first of them: {_event(explanation, tree.events[0])}")
    if explanation.certificate.witness is not None:
        told.append("Then the witness is put into the model, row by row, in outward rounding.")
    return told


def _left_out(explanation: Explanation, tree: Tree) -> list[str]:
    """What the conflicts are for, if there are any."""
    count = tree.conflicts
    if not count:
        return []
    if explanation.inner:
        return [f"{_counted(count, 'time')} a violation is refuted for a part, until none is left: there every condition holds."]
    if explanation.conditions:
        return [f"{_counted(count, 'time')} a condition is refuted for a part, so many of them that too few are left to hold."]
    return [
        f"{_counted(count, 'conflict')}: sets of rows that no values explain together, each refuted by itself; "
        f"no {_counted(explanation.certificate.discard, 'row')} left out would meet them all."
    ]


def _isolated(explanation: Explanation) -> list[str]:
    """How existence and uniqueness in the small boxes are proved."""
    certificate = explanation.certificate
    if certificate.minimum is not None:
        return [
            "In the small box: Krawczyk's operator (a Newton step with bounds) of the gradient of the sum maps the box into its interior, so exactly "
            "one point of it is stationary.",
            "The second derivatives (the Hessian) are enclosed over the whole box and are positive definite there, so this point is a strict "
            "minimum, and the sum is higher in the rest of the box.",
            "The sum at the box's centre, in outward rounding, is at most the value claimed; at the minimum it is no more.",
        ]
    if not certificate.zeros:
        return []
    told = [
        f"In {'the box of the solution' if certificate.zeros == 1 else 'each box of a solution'}: Krawczyk's operator (a Newton step with bounds) of "
        "the equations maps the box into its interior, so exactly one solution is in it."
    ]
    if certificate.zeros > 1:
        told[0] += " The images of any two boxes have no point in common, so no solution is counted twice."
    return told


def _meanings(explanation: Explanation) -> dict[str, str]:
    if explanation.inner:
        return OF_VIOLATIONS
    if explanation.conditions:
        return OF_CONDITIONS
    if explanation.certificate.squares:
        return OF_SQUARES
    return {} if explanation.scope.columns else OF_EQUATIONS


def _rounds(tree: Tree) -> list[str]:
    first, last = tree.rounds[0], tree.rounds[-1]
    told = f"The first {_counted(first.cuts, 'cut')} cut off what is impossible at the edges and leave {_share(first.left)} of the box's volume"
    if first is last:
        return [f"{told}."]
    return [f"{told}; after {last.cuts} cuts in {len(tree.rounds)} rounds {_share(last.left)} is left, which the rest of the proof settles."]


def _share(logarithm: float) -> str:
    """A part that may be far too small for a double."""
    if logarithm > -2:
        return f"{100 * 10**logarithm:.2g} %"
    exponent = math.floor(logarithm)
    return f"{10 ** (logarithm - exponent):.1f}e{exponent}"


def _event(explanation: Explanation, event: Event) -> str:
    variable = explanation.problem.variables[event.variable].name
    unit = explanation.variable_units[variable]
    if event.cut is None:
        return f"the box is halved at {variable} = {_with_unit(_number(event.at), unit)}."
    sign, towards = ("<=", round_down) if event.cut == "below" else (">=", round_up)
    why = "the sum of squares exceeds the level there" if explanation.certificate.squares else "is impossible"
    told = f"{variable} {sign} {_with_unit(show(towards(event.at, SHORT)), unit)}{':' if explanation.certificate.squares else ''}"
    return f"{told} {why}, because of {_named(explanation, event.rows)}."


def _minimum_record(certificate: Certificate) -> dict[str, Any] | None:
    return None if certificate.minimum is None else {"value": str(certificate.minimum), "everywhere": certificate.everywhere}


def as_json(explanation: Explanation, files: Files) -> dict[str, Any]:
    """The same as one object; exact numbers as strings, rows numbered from 1."""
    certificate, problem, tree = explanation.certificate, explanation.problem, explanation.tree
    columns = []
    for column in explanation.scope.columns:
        least, most = explanation.half_widths(column)
        declared = problem.columns[column]
        columns.append(
            {
                "name": declared.name,
                "unit": explanation.column_units[declared.name],
                "values": len(declared.entries),
                "half_widths": [str(least), str(most)],
                "shared": column in explanation.shared,
            }
        )
    models = [
        {"family": problem.families[number].name, "rows": problem.families[number].rows, "formula": formula(problem, number)}
        | {"operations": len(problem.tapes[problem.families[number].tape].operations)}
        for number in explanation.families
    ]
    return {
        "certificate": files.certificate,
        "bytes": explanation.size,
        "checked": False,
        "problem": {"file": files.problem, "sha256": certificate.problem, "same": True, "translated": files.translated},
        "scope": list(certificate.scope),
        "unit": explanation.unit,
        "claims": {
            word: None if value is None else str(value)
            for word, value in (
                ("lower", certificate.lower),
                ("upper", certificate.upper),
                ("within", certificate.within),
                ("volume", certificate.volume),
            )
        }
        | {"minimum": _minimum_record(certificate), "norm": "squares" if certificate.squares else "largest", "discard": certificate.discard}
        | {"zeros": certificate.zeros, "point": None if certificate.point is None else [str(value) for value in certificate.point]},
        "variables": [
            {"name": name, "unit": unit, "box": [str(low), str(high)]}
            | ({} if certificate.hull is None else {"hull": [str(end) for end in certificate.hull.box[place]]})
            | ({} if certificate.witness is None else {"witness": str(certificate.witness.values[place])})
            for place, (name, unit, low, high) in enumerate(explanation.boxed())
        ],
        "measurements": columns,
        "models": models,
        "tree": None if tree is None else _tree_json(explanation, tree),
        "trust": {"needed": list(_needed(explanation, files)), "not_needed": NOT_NEEDED},
        "check": files.check,
        "text": text(explanation, files),
    }


def _tree_json(explanation: Explanation, tree: Tree) -> dict[str, Any]:
    problem = explanation.problem
    return {
        "leaves": dict(tree.leaves),
        "splits": tree.splits,
        "prepares": tree.prepares,
        "depth": tree.depth,
        "rounds": [{"cuts": found.cuts, "log10_left": found.left} for found in tree.rounds],
        "rows_used": [
            {"family": problem.families[family].name, "row": row + 1, "leaves": use.leaves, "mean_weight": use.weight / use.leaves}
            for (family, row), use in tree.ranked()
        ],
        "last_rows": [[problem.families[family].name, row + 1] for family, row in tree.last],
        "conflict": None if explanation.certificate.lower is None or tree.hit else _by_family(explanation, tree.uses),
        "conflicts": [] if explanation.conditions else [_by_family(explanation, rows) for rows in tree.hit],
    }


def _by_family(explanation: Explanation, rows: Iterable[Row]) -> dict[str, list[int]]:
    """The numbers of rows, from 1, by the names of their families."""
    told: dict[str, list[int]] = {}
    for family, row in sorted(rows):
        told.setdefault(explanation.problem.families[family].name, []).append(row + 1)
    return told
