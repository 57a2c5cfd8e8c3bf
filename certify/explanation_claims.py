"""What a certificate claims, as sentences."""

from __future__ import annotations

import math
from fractions import Fraction

from certify.checker.certificate import Hull
from certify.conditions import Bounds, condition_formula
from certify.decimals import round_down, round_up, show
from certify.explanation import Explanation
from certify.explanation_proof import named_rows
from certify.explanation_words import MOST, SHORT, all_rows, counted, joined, measure_of, number_text, range_text, rounded_down, rounded_up, with_unit
from certify.model_text import operations


def claim_lines(explanation: Explanation) -> list[str]:
    certificate, (measure, unit) = explanation.certificate, measure_of(explanation)
    if certificate.zeros is not None:
        return _zeros(explanation)
    if certificate.minimum is not None:
        return _minimum(explanation, certificate.minimum)
    if explanation.conditions:
        return _set(explanation)
    rows, unknowns = all_rows(explanation), counted(len(explanation.scope.variables), "unknown")
    if certificate.discard:
        without = certificate.witness.without if certificate.witness is not None else ()
        rows = f"{rows} but {named_rows(explanation, without) if without else f'any {certificate.discard} of them'}"
    if certificate.within is not None and certificate.hull is not None:
        return _hull(explanation, rows, certificate.hull)
    told = []
    where = f"no values of the {unknowns} in the search box" if certificate.point is None else f"the given values of the {unknowns} do not"
    if certificate.lower is not None:
        error = "exactly" if certificate.lower == 0 else f"with a {measure} of {with_unit(rounded_down(certificate.lower), unit)} or less"
        told.append(f"{where[0].upper()}{where[1:]} explain {rows} {error}{_whatever(explanation)}.")
    if certificate.upper is not None:
        error = "exactly" if certificate.upper == 0 else f"with a {measure} of at most {with_unit(rounded_up(certificate.upper), unit)}"
        some = "Some values in the box" if certificate.point is None else "The given values"
        held = ["them"] * (certificate.point is None)
        held += ["measurements within their intervals"] * (bool(explanation.scope.columns) and not certificate.squares)
        shown = f": the certificate holds {' and '.join(held)} that show it (a witness)" if held else ""
        told.append(f"{some} do explain {rows} {error}{shown}.")
    if certificate.lower is not None and certificate.upper is not None:
        gap = with_unit(show(round_up(certificate.upper - certificate.lower, 2)), unit)
        whose = f"the smallest {measure}" if certificate.point is None else f"their {measure}"
        told.append(f"So {whose} is known up to {gap}: it lies between these two numbers.")
    if certificate.lower is not None and certificate.point is None and not certificate.squares:
        best = ", with the best measurements" if explanation.scope.columns else ""
        told.append(f"(The model error of some values: the largest error that the model's equation leaves in any row{best}.)")
    values = certificate.point or (certificate.witness.values if certificate.witness is not None else ())
    named = zip(explanation.boxed(), values, strict=False)
    about = "The given values" if certificate.point is not None else "The values of the witness"
    told += [f"{about}: {', '.join(f'{name} = {with_unit(number_text(value), unit_)}' for (name, unit_, _, _), value in named)}."] if values else []
    return told


def _whatever(explanation: Explanation) -> str:
    """What a lower end says of the measurements: those of a sum of squares are exact numbers."""
    if explanation.certificate.squares:
        return ", with the measurements at their exact values in the problem (the middles of their intervals)"
    return ", whatever the true measurements are within their intervals" if explanation.scope.columns else ""


def _hull(explanation: Explanation, rows: str, hull: Hull) -> list[str]:
    certificate, (measure, unit_of_level) = explanation.certificate, measure_of(explanation)
    error = "exactly" if not certificate.within else f"with a {measure} of at most {with_unit(rounded_down(certificate.within), unit_of_level)}"
    told = [f"All values of the unknowns in the search box that explain {rows} {error} lie in their hull, a box. (There may be none at all.)"]
    return told + _hull_box(explanation, hull)


def _hull_box(explanation: Explanation, hull: Hull) -> list[str]:
    told = []
    for (name, unit, low, high), (lower, upper) in zip(explanation.boxed(), hull.box, strict=True):
        part = f"{float(min((upper - lower) / (high - low), Fraction(1))):.3g} of" if high > low else "all of"
        ends = f"{show(round_down(lower, SHORT))} .. {with_unit(show(round_up(upper, SHORT)), unit)}"
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
    told = [f"The set of these values has {word} of at most {rounded_up(claimed)}{part}, measured in the units of {over}."]
    if claimed < whole:
        told.append(f"So what is not among them in the search box has {word} of at least {rounded_down(whole - claimed)}.")
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
        told += [f"    {name} = {number_text(value)}" for (name, *_), value in zip(explanation.boxed(), certificate.witness.values, strict=True)]
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
        but = f", but for boxes of a total {word} of at most {rounded_up(certificate.volume)}{share},"
    elif certificate.within is not None:
        but = " outside the box below"
    told.append(f"Every point of the search box{but} satisfies all conditions of the system, whether its inequalities are strict or not.")
    if certificate.volume is not None and certificate.volume < whole:
        least = f"a{'n' * (word == 'area')} {word} of at least {rounded_down(whole - certificate.volume)}"
        told.append(f"So the set of the points that satisfy the system has {least}.")
    told.append(
        "This is shown by proving that nowhere else one of the conditions is violated or just met, or a function without a value: these violations "
        f"are the rows of the problem, {counted(explanation.rows, 'row')}, as the translation of the system names them."
    )
    if certificate.hull is not None and (certificate.volume is None or certificate.hull.box != explanation.scope.box):
        told.append("(Those boxes lie in this one, so that every point outside it satisfies the system:)" if but.endswith(",") else "(This box:)")
        for (name, unit, _, _), (lower, upper) in zip(explanation.boxed(), certificate.hull.box, strict=True):
            told.append(f"    {name}: {show(round_down(lower, SHORT))} .. {with_unit(show(round_up(upper, SHORT)), unit)}")
        if certificate.hull.facets:
            told.append(f"and in {len(certificate.hull.facets)} half-spaces that cut off slanted corners of it.")
    return told


def condition_text(explanation: Explanation, family: int, ends: Bounds) -> str:
    """A condition as it is checked."""
    name, short = explanation.problem.families[family].name, condition_formula(explanation.problem, family)
    written = short if short is not None else f"a function of {operations(explanation.problem, family)}, spelt out in the problem,"
    return f"    {name}: {written} is {f'from {number_text(ends[0])} to {number_text(ends[1])}' if ends[0] < ends[1] else number_text(ends[0])}"


def _minimum(explanation: Explanation, value: Fraction) -> list[str]:
    unit = None if explanation.unit is None else f"{explanation.unit}^2"
    (box,) = explanation.solutions
    told = [
        f"The sum of the squares of the errors of {all_rows(explanation)}, with the measurements at their exact values in the problem "
        f"(the middles of their intervals), has a strict minimum, the only one in a small box, of at most {with_unit(rounded_up(value), unit)}."
    ]
    if explanation.certificate.everywhere:
        told.append("It is the only global minimum: no other point of the whole search box does as well.")
    else:
        told.append("Whether another point of the search box does better is not said.")
    told.append("It lies in this box:")
    for (name, unit_, _, _), (low, high) in zip(explanation.boxed(), box, strict=True):
        told.append(f"    {name} = {range_text(low, high, unit_)}")
    return told


def _zeros(explanation: Explanation) -> list[str]:
    certificate = explanation.certificate
    count = certificate.zeros or 0
    beside = [ends for ends in explanation.conditions.values() if ends[0] < ends[1]]
    parts = [counted(explanation.rows - len(beside), "equation")]
    parts += [f"{len(beside)} {'inequalities' if len(beside) > 1 else 'inequality'}"] if beside else []
    system = f"the system of {joined(parts)} in {counted(len(explanation.scope.variables), 'unknown')}"
    if not count:
        return [f"In the search box {system} has no solution at all."]
    told = [f"In the search box {system} has exactly {counted(count, 'solution')}, each alone in its box (no smaller than the proof needs):"]
    names = [name for name, _, _, _ in explanation.boxed()]
    for number, box in enumerate(explanation.solutions, 1):
        middle = (
            f"{name} = {range_text(low, high, '1')}"
            for name, (low, high) in list(zip(names, box, strict=True))[:MOST]
        )
        told.append(f"    {number}: {', '.join(middle)}{', ...' if len(names) > MOST else ''}")
    more = count - len(explanation.solutions)
    return [*told, f"    ... and {more} more"] if more else told
