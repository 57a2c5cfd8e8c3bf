"""What `certify doubt` says, read back: a line for each model, one for each part, and the sentences below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from reading import names
from running import Told
from statements import Said, Unread, compiled, nothing, number, read_line, table_cells
from tables_truth import READ

ENDS = compiled(
    [
        ("", nothing),
        ("not known", nothing),
        ("0 {U}", lambda: [("", "", (Fraction(0), Fraction(0)))]),
        ("{N} .. {N} {U}", lambda a, b: [("", "", (number(a), number(b)))]),
        (">= {N} {U}", lambda a: [("", "", (number(a), None))]),
    ]
)
SENTENCES = compiled(
    [
        *READ,
        (
            "explained: the proved part of all parts' model errors; each leg with measurements of its own; an "
            "added term may "
            "amount to {N} {U} at the ends of its range (wrong readings: ten times that).",
            lambda effect: [("effect", "", (number(effect),))],
        ),
        (
            "explained: the proved part of all parts' model errors; an added term may amount to {N} {U} at the ends of "
            "its range (wrong readings: ten times that).",
            lambda effect: [("effect", "", (number(effect),))],
        ),
        (
            "poses kept apart: {I}; needed there: by the witness found on the others (proved); rms, largest: "
            "residuals at the "
            "readings (estimated).",
            lambda n: [("kept apart", "", (int(n),))],
        ),
        ("Explained as it is (proved): {W}.", lambda w: [("explained as it is", part, ()) for part in names(w)]),
        ("Undecided, so not doubted: {W}.", nothing),
        ("To doubt first: {W}.", nothing),
        (
            "It explains at least {N} of the model error, and {N} of what is needed on the poses kept apart "
            "(proved).{W}",
            lambda share, there, rest: [("first", "", (number(share), number(there), rest))],
        ),
        (
            "It explains at least {N} of the model error, and {N} of what is needed on the poses kept apart (proved).",
            lambda share, there: [("first", "", (number(share), number(there), ""))],
        ),
        (
            "It explains at least {N} of the model error (proved).",
            lambda share: [("first", "", (number(share), None, ""))],
        ),
        (
            "It explains at least {N} of the model error (proved).{W}",
            lambda share, rest: [("first", "", (number(share), None, rest))],
        ),
        ("No hypothesis here is proved to explain a hundredth of the model error.", nothing),
        ("No hypothesis here is proved to explain the poses kept apart better than the model as it is.", nothing),
        (
            "A few wrong measurements look like a wrong model, too: 'certify run PROBLEM --discard' finds the "
            "fewest to "
            "leave out.",
            nothing,
        ),
        ("Likely overfitting, a gain on the poses used and none on those kept apart: {W}.", nothing),
        ("At the bound of their boxes, so that a larger --effect may explain more: {W}.", nothing),
        ("Explains less than a hundredth: {W}.", nothing),
        ("Estimated to explain less than a hundredth, so not judged: {W}.", nothing),
        ("Not judged within the time limit: {W}.", nothing),
        ("Nothing is proved to be wrong with the model, but {W}: undecided.", nothing),
        (
            "Nothing to doubt: the model explains every measurement of the poses used, each leg with "
            "measurements of its own "
            "(proved).",
            lambda: [("nothing to doubt", "", ())],
        ),
        (
            "Nothing to doubt: the model explains every measurement of the poses used, each leg with "
            "measurements of its own "
            "(proved). On the {I} poses kept apart its witness needs {W} ({P}, the worst part; proved).",
            lambda n, needs, part: [
                ("nothing to doubt", "", ()),
                ("kept apart", "", (int(n),)),
                ("worst apart", part, ("base", *ends(needs))),
            ],
        ),
        (
            "{I} of {I} certificates verified by a separate process.",
            lambda k, n: [("certificates", "", (int(k), int(n)))],
        ),
        ("written to {W}: {I} files", lambda folder, n: [("file count", "", (int(n),))]),
    ]
)


def ends(cell: str) -> tuple[Fraction, Fraction | None] | tuple[()]:
    """Both ends of a cell; empty if it says nothing."""
    return next((said.values for said in read_line(cell, ENDS)), ())


def _model_row(row: dict[str, str]) -> Iterator[Said]:
    model, words = row["model"], "  ".join(row.values())
    if worst := ends(row["smallest model error, worst part"]):
        yield Said("worst error", "", (model, *worst), words)
    if apart := ends(row["needed on poses kept apart"]):
        yield Said("worst apart", "", (model, *apart), words)
    if row["explained"]:
        yield Said("explained share", "", (model, number(row["explained"])), words)
    if row["explained there"]:
        yield Said("explained there", "", (model, number(row["explained there"])), words)
    if row["certificates"] not in ("verified", "not verified"):
        raise Unread(f"no template reads {row['certificates']!r} of a model")


def _part_row(row: dict[str, str]) -> Iterator[Said]:
    part, model, words = row["part"], row["model"], "  ".join(row.values())
    if error := ends(row["smallest model error"]):
        yield Said("model error", part, (model, *error), words)
    if apart := ends(row["needed on poses kept apart"]):
        yield Said("apart", part, (model, *apart), words)
    if row["proved gain"]:
        yield Said("gain", part, (model, ends(f">= {row['proved gain']}")[0]), words)
    if row["largest there"]:
        yield Said("largest", part, (model, number(row["largest there"].split(" ")[0])), words)


def read_doubt(told: Told) -> Iterator[Said]:
    """All that is printed."""
    lines, first = told.text.split("\n")[2:], ""
    while lines:
        if len(lines) > 1 and re.fullmatch(r"-+(  -+)*", lines[1]):
            size = next(k for k, text in enumerate(lines) if not text)
            for row in table_cells(lines[:size], right=True):
                yield from _part_row(row) if "part" in row else _model_row(row)
            lines = lines[size:]
            continue
        line, lines = lines[0], lines[1:]
        if line.startswith("To doubt first: "):
            first = line.rpartition("(")[2].removesuffix(").")
        if line:
            for said in read_line(line, SENTENCES):
                yield replace(said, values=(first, *said.values)) if said.kind == "first" else said
