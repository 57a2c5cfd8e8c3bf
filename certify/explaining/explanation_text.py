"""An explanation as sentences for people who know their robot and no interval arithmetic."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from certify.explaining.explanation import Explanation
from certify.explaining.explanation_claims import claim_lines, condition_text
from certify.explaining.explanation_proof import carried_lines, carriers, proof_lines
from certify.explaining.explanation_words import (
    MOST,
    NOT_NEEDED,
    Files,
    counted,
    is_short,
    joined,
    number_text,
    of_part,
    with_unit,
    wrapped,
)
from certify.explaining.model_text import formula, operations

PASSED = "In short: if the check passes, the claim is true of the problem file."
CHECKER = (
    "the checker, a short program of ordinary integers (certify/checker) with a specification of "
    "its own, and Python, which runs it"
)
NUMBERS = "your own numbers: that "
DOMAIN = "the search box holds every value that you would accept"
PROVED_CHECKER = (
    "or, in its place, what the checker that is proved (certify/checker_coq) rests on, Coq and its extraction: it has "
    "accepted this certificate"
)
MEASURED = "the intervals hold the true measurements"
EXACT = "the exact numbers at which the measurements are taken are those that you mean, which need not be the true ones"


def claim(explanation: Explanation) -> list[str]:
    """What is claimed, without the numbers of witnesses and boxes."""
    numbers = (" ", "(", "The values of", "The given values:", "It lies in")
    told = [sentence for sentence in claim_lines(explanation) if not sentence.startswith(numbers)]
    return [f"{sentence[:-1]}." if sentence.endswith(":") else sentence for sentence in told]


def text(explanation: Explanation, files: Files) -> str:
    """The whole explanation."""
    certificate, tree = explanation.certificate, explanation.tree
    carried = [] if tree is None else carried_lines(explanation, tree)
    sections = [
        ("What is claimed", claim_lines(explanation)),
        ("About which problem", _problem(explanation, files)),
        ("What is assumed", of_part(certificate, _assumptions(explanation, files))),
        *([] if tree is None else [(f"Which {carriers(explanation)} carry it", of_part(certificate, carried))]),
        ("How the proof goes", of_part(certificate, proof_lines(explanation))),
        (
            "What has to be trusted",
            [*(f"- {item}" for item in needed_lines(explanation, files)), f"Not: {NOT_NEEDED}. {PASSED}"],
        ),
        ("How to check it", [f"    {files.check}"]),
    ]
    read = "Explaining is not checking: it is only read here, nothing is verified."
    asked = "The checker that is proved in Coq was asked, and has accepted it." if files.proved else read
    told = [f"{files.certificate}, explained. {asked}"]
    for title, sentences in sections:
        told += ["", title, *(wrapped(sentence) for sentence in sentences)]
    return "\n".join(told)


def needed_lines(explanation: Explanation, files: Files) -> tuple[str, ...]:
    path = Path(files.problem)
    translation = (
        f"the translation of {path.name}" if files.translated else f"the translation of your problem into {path.name}"
    )
    again = f"{translation}, which 'certify check' repeats if it is given the file that is translated"
    what = "model" if explanation.scope.columns and not explanation.conditions else "system"
    checkers = (CHECKER, PROVED_CHECKER) if files.proved else (CHECKER,)
    needed = (*checkers, f"{again}; and that the {what} is the one you mean")
    numbers = _own_numbers(explanation)
    return (*needed, f"{NUMBERS}{', and that '.join(numbers)}") if numbers else needed


def _own_numbers(explanation: Explanation) -> list[str]:
    """The search box counts where something is claimed of all of it, not where one point or a small box does."""
    told = []
    if explanation.scope.columns and not explanation.conditions:
        told.append(EXACT if explanation.certificate.squares else MEASURED)
    if explanation.tree is not None and explanation.certificate.point is None:
        told.append(DOMAIN)
    return told


def _problem(explanation: Explanation, files: Files) -> list[str]:
    problem = explanation.problem
    measured = (
        f"{counted(len(problem.columns), 'measured column')}, "
        if problem.columns and not explanation.conditions
        else ""
    )
    size = (
        f"{counted(len(problem.variables), 'unknown')}, {measured}"
        f"{counted(sum(family.rows for family in problem.families), 'row')} in "
        f"{counted(len(problem.families), 'group')}"
    )
    named = f"The certificate names its problem by a SHA-256, {explanation.certificate.problem}."
    times = f"times {number_text(files.factor)}"
    wide = (
        [f"All half-widths of its measurements are those of {files.narrow} beside it {times}; nothing else differs."]
        if files.factor != 1
        else []
    )
    if not files.translated:
        return [f"{named} {files.found} {files.problem}, is that problem, byte for byte ({size}).", *wide]
    middles = ", with the measurements at the middles of their intervals," if explanation.certificate.squares else ""
    middles = f", with all half-widths of its measurements {times}," if wide else middles
    return [
        f"{named} {files.found} {files.problem}, is not compared itself: its translation{middles} is "
        f"that problem, byte for byte ({size})."
    ]


def _assumptions(explanation: Explanation, files: Files) -> list[str]:
    certificate, problem, scope = explanation.certificate, explanation.problem, explanation.scope
    told = []
    if certificate.point is None:
        told.append("Nothing is said about values outside the search box:")
        bounds = [
            f"    {name}: {number_text(low)} .. {with_unit(number_text(high), unit)}"
            for name, unit, low, high in explanation.boxed()
        ]
        told += (
            bounds if len(bounds) <= 2 * MOST else [*bounds[: 2 * MOST], f"    ... and {len(bounds) - 2 * MOST} more"]
        )
    if explanation.conditions:
        row = "A condition" if not explanation.inner else "A violation, which is what is refuted,"
        told.append(
            f"{row} holds where its function is defined and within the ends that are given here (the "
            f"translation of an inequality puts "
            "one end beyond all values, which is not looked at here). The names are those of the file, and "
            "nothing is concluded from them:"
        )
        listed = [condition_text(explanation, family, ends) for family, ends in sorted(explanation.conditions.items())]
        return told + (
            listed if len(listed) <= 2 * MOST else [*listed[: 2 * MOST], f"    ... and {len(listed) - 2 * MOST} more"]
        )
    if scope.columns:
        known = "taken as exact" if certificate.squares else "known exactly"
        if certificate.squares:
            exact = (
                "the middles of the intervals in the problem"
                if certificate.factor == 0
                else "the numbers in the problem that the certificate names: a run takes the middles of their intervals"
            )
            told.append(
                f"The measurements are exactly {exact}. Nothing is said about measurements elsewhere in the intervals:"
            )
        else:
            told.append(
                "Every measurement may be anywhere in its interval, whatever the others do; nothing is assumed "
                "about chances. Half-widths:"
            )
        if certificate.factor not in (0, 1):
            told.append(
                f"(They are {number_text(certificate.factor)} times those in the problem, for every one of them.)"
            )
        for column in explanation.columns:
            name, entries = problem.columns[column].name, len(problem.columns[column].entries)
            half = _half_widths(*explanation.half_widths(column), explanation.column_units[name])
            told.append(f"    {name}: {half or known} ({counted(entries, 'value')})")
    for table in explanation.tables:
        declared = problem.families[table]
        what = "exact coefficients, and one measurement each, which no other row uses"
        told.append(f"    {declared.name}: {counted(declared.rows, 'record')} of a table, with {what}")
    if explanation.shared:
        names = joined([problem.columns[column].name for column in explanation.shared])
        value = "value" if certificate.squares else "true value"
        several = len(explanation.shared) > 1
        told.append(
            f"{names} {'are' if several else 'is'} shared: wherever rows use the same entry, it is one and "
            f"the same {value}."
        )
    return [*told, *_model(explanation, files)]


def _half_widths(least: Fraction, most: Fraction, unit: str) -> str:
    """Empty where all are 0."""
    if not most:
        return ""
    texts = [number_text(half).removeprefix("about ") for half in dict.fromkeys((least, most))]
    return f"{'' if all(is_short(half) for half in (least, most)) else 'about '}+-{with_unit(' to '.join(texts), unit)}"


def _model(explanation: Explanation, files: Files) -> list[str]:
    problem = explanation.problem
    models: dict[str | int, list[int]] = {}
    for number in explanation.families:
        models.setdefault(formula(problem, number) or problem.families[number].tape, []).append(number)
    told = []
    for short, numbers in list(models.items())[:MOST]:
        names = joined([problem.families[number].name for number in numbers])
        spelt = f"a function of {operations(problem, numbers[0])}, spelt out in the problem"
        if explanation.certificate.zeros is not None:
            told.append(f"The equation {names}: {short if isinstance(short, str) else f'{spelt},'} = 0.")
        elif isinstance(short, str):
            told.append(f"The model of {names}: the error of a row is |{short}|.")
        else:
            told.append(f"The model of {names} is {spelt}.")
    if len(models) > MOST:
        told.append(
            f"... and {len(models) - MOST} more {'models' if explanation.certificate.zeros is None else 'equations'}."
        )
    if files.conventions:
        told.append(
            f"{files.found} {files.problem}, says what they mean:"
            if files.translated
            else "The problem.toml beside it says what they mean; it is not compared here, which the command at "
            "the end does:"
        )
        told += [f"    {line}" for line in files.conventions]
    return told
