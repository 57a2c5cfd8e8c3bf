"""What a certificate claims, as sentences.

A number of a claim is exact, or rounded so that the sentence says less; any other that is not exact is told as "about"
so much.
"""

from __future__ import annotations

import math
from fractions import Fraction

from certify.checker.certificate import Hull
from certify.explaining.conditions import Bounds, condition_formula
from certify.explaining.explanation import Explanation
from certify.explaining.explanation_proof import named_rows
from certify.explaining.explanation_words import (
    MOST,
    SHORT,
    all_rows,
    counted,
    joined,
    measure_of,
    number_text,
    of_part,
    range_text,
    rounded_down,
    rounded_up,
    share_text,
    with_unit,
)
from certify.explaining.model_text import operations
from certify.explaining.model_units import squared

EXACTLY = "with the measurements at their exact values in the problem (a run takes the middles of their intervals)"
MIDDLES = "with the measurements at the middles of their intervals"
IF_VIOLATED = (
    "(The certificate calls these conditions violations of a system, which the rest of the search box would satisfy: "
    "give the system with --problem to see whether they are its.)"
)
NORMS = {
    "rows": "the error of no row exceeds",
    "largest": "of the rows with the same number the largest error does not exceed",
    "euclidean": "of the rows with the same number the errors squared and added up do not exceed the square of",
}
OF_PART = "This certificate is a piece: it is about a part of the problem's search box, and about that alone."
WORDS = {1: "length", 2: "area"}


def claim_lines(explanation: Explanation) -> list[str]:
    told = _claim_lines(explanation)
    told = [*told, *_groups(explanation)] if explanation.grouped else told
    certificate = explanation.certificate
    if certificate.part is None:
        return told
    return [OF_PART, *of_part(certificate, told)]


def _groups(explanation: Explanation) -> list[str]:
    """What the model error is where rows are bounded together, or not by it alone."""
    parts = []
    for group in explanation.certificate.groups:
        bound = [number_text(group.base)] * (group.base != 0 or group.scale == 0)
        bound += [f"{number_text(group.scale)} e" if group.scale != 1 else "e"] * (group.scale != 0)
        parts.append(f"for {joined(list(group.names))} {NORMS[group.norm]} {' + '.join(bound)}")
    told = [f"The model error is the least number e >= 0 with which {'; '.join(parts)}."]
    if explanation.members != explanation.rows:
        told.append("Rows with the same number in one of these groups are one member: it is left out as a whole.")
    return told


def _claim_lines(explanation: Explanation) -> list[str]:
    certificate = explanation.certificate
    if certificate.zeros is not None:
        return _zeros(explanation)
    if certificate.minimum is not None:
        return _minimum(explanation, certificate.minimum)
    if explanation.conditions:
        return _set(explanation)
    if certificate.within is not None and certificate.hull is not None:
        return _hull(explanation, certificate.hull)
    return _ends(explanation)


def _ends(explanation: Explanation) -> list[str]:
    """A lower end, an upper end, or both."""
    certificate, (measure, unit) = explanation.certificate, measure_of(explanation)
    rows, unknowns = all_rows(explanation, certificate.discard), counted(len(explanation.scope.variables), "unknown")
    told = []
    where = (
        f"No values of the {unknowns} in the search box"
        if certificate.point is None
        else f"The given values of the {unknowns} do not"
    )
    if certificate.lower is not None:
        error = (
            "exactly"
            if certificate.lower == 0
            else f"with a {measure} of {with_unit(rounded_down(certificate.lower), unit)} or less"
        )
        told.append(f"{where} explain {rows} {error}{_whatever(explanation)}.")
    if certificate.upper is not None and certificate.witness is not None:
        without = certificate.witness.without
        kept = all_rows(explanation) + (f" but {named_rows(explanation, without)}" if without else "")
        error = (
            "exactly"
            if certificate.upper == 0
            else f"with a {measure} of at most {with_unit(rounded_up(certificate.upper), unit)}"
        )
        some = "Some values in the box" if certificate.point is None else "The given values"
        held = ["them"] * (certificate.point is None)
        measured = bool(explanation.scope.columns) and not certificate.squares
        held += [f"measurements within their intervals{_times(explanation)}"] * measured
        shown = f": the certificate holds {' and '.join(held)} that show it (a witness)" if held else ""
        told.append(f"{some} do explain {kept} {error}{shown}.")
    if certificate.lower is not None and certificate.upper is not None:
        gap = with_unit(rounded_up(certificate.upper - certificate.lower, 2), unit)
        whose = f"the smallest {measure}" if certificate.point is None else f"their {measure}"
        told.append(f"So {whose} is known up to {gap}: it lies between these two numbers.")
    if certificate.lower is not None and certificate.point is None and not certificate.squares | explanation.grouped:
        best = ", with the best measurements" if explanation.scope.columns else ""
        which = "any row that is not left out" if certificate.discard else "any row"
        told.append(
            f"(The model error of some values: the largest error that the model's equation leaves in {which}{best}.)"
        )
    return told + _values(explanation)


def _values(explanation: Explanation) -> list[str]:
    """Of the point, or of the witness."""
    certificate = explanation.certificate
    values = certificate.point or (certificate.witness.values if certificate.witness is not None else ())
    named = zip(explanation.boxed(), values, strict=False)
    about = "The given values" if certificate.point is not None else "The values of the witness"
    return (
        [
            f"{about}: "
            f"{', '.join(f'{name} = {with_unit(number_text(value), unit)}' for (name, unit, _, _), value in named)}."
        ]
        if values
        else []
    )


def _whatever(explanation: Explanation) -> str:
    """What a lower end says of the measurements: those of a sum of squares are exact numbers."""
    if not explanation.scope.columns:
        return ""
    if explanation.certificate.squares:
        return f", {_exactly(explanation)}"
    return f", whatever the true measurements are within their intervals{_times(explanation)}"


def _times(explanation: Explanation) -> str:
    """How much wider the intervals are than those of the problem."""
    factor = explanation.certificate.factor
    return "" if factor == 1 else f", all of them {number_text(factor)} times as wide as in the problem"


def _exactly(explanation: Explanation) -> str:
    return MIDDLES if explanation.certificate.factor == 0 else EXACTLY


def _hull(explanation: Explanation, hull: Hull) -> list[str]:
    certificate, (measure, unit) = explanation.certificate, measure_of(explanation)
    error = (
        "exactly"
        if not certificate.within
        else f"with a {measure} of at most {with_unit(rounded_down(certificate.within), unit)}"
    )
    rows = all_rows(explanation, certificate.discard)
    told = f"All values of the unknowns in the search box that explain {rows} {error} lie in their hull, a box."
    return [f"{told} (There may be none at all.)", *_hull_box(explanation, hull)]


def _hull_box(explanation: Explanation, hull: Hull) -> list[str]:
    told = []
    for (name, unit, low, high), (lower, upper) in zip(explanation.boxed(), hull.box, strict=True):
        share = min((upper - lower) / (high - low), Fraction(1)) if high > low else Fraction(1)
        part = f"{share_text(share)} of" if share < 1 else "all of"
        told.append(
            f"    {name}: {rounded_down(lower, SHORT)} .. {with_unit(rounded_up(upper, SHORT), unit)} "
            f"({part} the search box)"
        )
    told += _facets(hull)
    if explanation.certificate.volume is not None:
        told += _volume(explanation, explanation.certificate.volume)
    return told


def _facets(hull: Hull) -> list[str]:
    count = len(hull.facets)
    told = (
        f"and in {counted(count, 'half-space')} with slanted {'faces' if count > 1 else 'face'}, which "
        f"the certificate spells out."
    )
    return [told] if count else []


def _volume(explanation: Explanation, claimed: Fraction) -> list[str]:
    """The volume of the set, and of the rest of the search box."""
    names = [name for name, _, _, _ in explanation.boxed()]
    word = _sized(explanation)
    whole = _whole(explanation)
    part = f" ({share_text(min(claimed / whole, Fraction(1)))} of the search box)" if whole else ""
    over = f"{', '.join(names)}" if 0 < len(names) <= MOST else f"all {len(names)} unknowns"
    told = [
        f"The set of these values has {word} of at most {rounded_up(claimed)}{part}, measured in the units of {over}."
    ]
    if claimed < whole:
        told.append(
            f"So what is not among them in the search box has {word} of at least {rounded_down(whole - claimed)}."
        )
    return told


def _sized(explanation: Explanation) -> str:
    word = WORDS.get(len(explanation.scope.variables), "volume")
    return f"a{'n' * (word == 'area')} {word}"


def _whole(explanation: Explanation) -> Fraction:
    """The volume of the search box."""
    return math.prod((high - low for _, _, low, high in explanation.boxed()), start=Fraction(1))


def _set(explanation: Explanation) -> list[str]:
    """A claim about conditions that hold or do not."""
    certificate = explanation.certificate
    if explanation.inner:
        return _inside(explanation)
    count = len(explanation.conditions)
    least = max(count - certificate.discard, 0)
    some = f"all {count} conditions" if least == count else f"{least} or more of the {count} conditions"
    which = "the condition" if least == count == 1 else some
    told = []
    if certificate.lower is not None:
        told.append(f"No point of the search box satisfies {which}.")
    if certificate.upper is not None and certificate.witness is not None:
        told.append(f"Some point of the search box satisfies {which}; the certificate holds it:")
        told += [
            f"    {name} = {number_text(value)}"
            for (name, *_), value in zip(explanation.boxed(), certificate.witness.values, strict=True)
        ]
    if certificate.within is not None and certificate.hull is not None:
        told.append(
            f"All points of the search box that satisfy {which} lie in their hull, a box. (There may be none at all.)"
        )
        told += _hull_box(explanation, certificate.hull)
    if certificate.kind == "violations":
        told.append(IF_VIOLATED)
    return told


def _inside(explanation: Explanation) -> list[str]:
    """The claim of an inner certificate, whose rows are the violations of the system: it says where the system is
    satisfied.
    """
    certificate = explanation.certificate
    word, whole = WORDS.get(len(explanation.scope.variables), "volume"), _whole(explanation)
    told, but = [], ""
    if certificate.volume is not None:
        share = f" ({share_text(min(certificate.volume / whole, Fraction(1)))} of the search box)" if whole else ""
        but = f", but for boxes of a total {word} of at most {rounded_up(certificate.volume)}{share},"
    elif certificate.within is not None:
        but = " outside the box below"
    told.append(
        f"Every point of the search box{but} satisfies all conditions of the system, whether its "
        f"inequalities are strict or not."
    )
    if certificate.volume is not None and certificate.volume < whole:
        least = f"{_sized(explanation)} of at least {rounded_down(whole - certificate.volume)}"
        told.append(f"So the set of the points that satisfy the system has {least}.")
    told.append(
        "This is shown by proving that nowhere else one of the conditions is violated or just met, or a "
        "function without a value: these violations "
        f"are the rows of the problem, {counted(explanation.rows, 'row')}, as the translation of the "
        f"system made them just now."
    )
    if certificate.hull is not None and (certificate.volume is None or certificate.hull.box != explanation.scope.box):
        told.append(
            "(Those boxes lie in this one, so that every point outside it satisfies the system:)"
            if but.endswith(",")
            else "(This box:)"
        )
        for (name, unit, _, _), (lower, upper) in zip(explanation.boxed(), certificate.hull.box, strict=True):
            told.append(f"    {name}: {rounded_down(lower, SHORT)} .. {with_unit(rounded_up(upper, SHORT), unit)}")
        told += _facets(certificate.hull)
    return told


def condition_text(explanation: Explanation, family: int, ends: Bounds) -> str:
    """A condition as it is checked."""
    name, short = explanation.problem.families[family].name, condition_formula(explanation.problem, family)
    written = (
        short
        if short is not None
        else f"a function of {operations(explanation.problem, family)}, spelt out in the problem,"
    )
    return (
        f"    {name}: {written} is "
        f"{f'from {number_text(ends[0])} to {number_text(ends[1])}' if ends[0] < ends[1] else number_text(ends[0])}"
    )


def _minimum(explanation: Explanation, value: Fraction) -> list[str]:
    (box,) = explanation.solutions
    told = [
        f"The sum of the squares of the errors of "
        f"{all_rows(explanation)}{f', {_exactly(explanation)},' if explanation.scope.columns else ''} "
        f"has a strict minimum, the only one in a small box, of at most "
        f"{with_unit(rounded_up(value), squared(explanation.unit))}."
    ]
    if explanation.certificate.everywhere:
        told.append("It is the only global minimum: no other point of the whole search box does as well.")
    else:
        told.append("Whether another point of the search box does better is not said.")
    told.append("It lies in this box:")
    for (name, unit, _, _), (low, high) in zip(explanation.boxed(), box, strict=True):
        told.append(f"    {name} = {range_text(low, high, unit)}")
    return told


def _zeros(explanation: Explanation) -> list[str]:
    certificate = explanation.certificate
    count = certificate.zeros or 0
    system = f"the system of {_parts(explanation)} in {counted(len(explanation.scope.variables), 'unknown')}"
    others = certificate.within is not None
    if not count and not others:
        return [f"In the search box {system} has no solution at all."]
    if certificate.part is not None:
        told = [
            f"{counted(count, 'solution')} of {system} {'is' if count == 1 else 'are'} known in the box of the whole "
            f"problem, each alone in its box (which need not be small); in the search box there is no other"
            f"{' but in what is open' if others else ''}{':' if count else '.'}"
        ]
    else:
        told = [
            f"In the search box {system} has {'at least' if others else 'exactly'} {counted(count, 'solution')}, each "
            f"alone in its box (which need not be small):"
        ]
    named = [(name, unit) for name, unit, _, _ in explanation.boxed()]
    for number, box in enumerate(explanation.solutions, 1):
        places = list(zip(named, box, strict=True))[:MOST]
        middle = (f"{name} = {range_text(low, high, unit)}" for (name, unit), (low, high) in places)
        told.append(f"    {number}: {', '.join(middle)}{', ...' if len(named) > MOST else ''}")
    more = count - len(explanation.solutions)
    told += [f"    ... and {more} more"] if more else []
    if certificate.within is not None and certificate.hull is not None:
        told.append(
            "All other solutions in the search box lie in what the proof leaves open, in this hull. (There may be none "
            "at all.)"
        )
        told += _hull_box(explanation, certificate.hull)
    return told


def _parts(explanation: Explanation) -> str:
    """What a system of equations consists of: rows with measurements are conditions, or hold for some of these."""
    known, wide = explanation.conditions, []
    for family in explanation.families:
        if explanation.scope.measured(family) and (not known or known[family][0] < known[family][1]):
            wide.append(family)
    beside = sum(explanation.problem.families[family].rows for family in wide)
    parts = [counted(explanation.rows - beside, "equation")]
    if beside and explanation.conditions:
        parts.append(f"{beside} {'inequalities' if beside > 1 else 'inequality'}")
    elif beside:
        parts.append(
            f"{counted(beside, 'row')} that {'hold' if beside > 1 else 'holds'} for some measurements within "
            f"their intervals"
        )
    return joined(parts)
