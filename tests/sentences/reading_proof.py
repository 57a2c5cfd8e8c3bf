"""What `certify explain` says of the problem, of how the proof goes, and of what has to be trusted, read back sentence
by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from reading import names
from statements import Said, Unread, compiled, followed, number, read_first, read_line

Readings = Sequence[tuple[str, str, tuple[Any, ...]]]
ABOUT = "about "
PROBLEM, PROOF, TRUST, CHECK = (
    "About which problem",
    "How the proof goes",
    "What has to be trusted",
    "How to check it",
)
PROOF_SECTIONS = (PROBLEM, PROOF, TRUST, CHECK)


def quantity(text: str) -> tuple[Fraction, bool]:
    """A number, and whether it is said to be about so much only."""
    return number(text.removeprefix(ABOUT)), text.startswith(ABOUT)


def listed(text: str) -> Iterator[tuple[str, int]]:
    """Rows by name, from 0: rows 1, 2 and 4 to 7 of leg1; row 3 of leg2."""
    for group in text.split("; "):
        match = re.fullmatch(r"rows? (.+) of (\S+)", group)
        if match is None:
            raise Unread(f"no template reads the rows {group!r}")
        for run in names(match[1]):
            first, _, last = run.partition(" to ")
            yield from ((match[2], row - 1) for row in range(int(first), int(last or first) + 1))


def said(kind: str, *values: Any) -> Readings:
    """One statement about the whole proof."""
    return [(kind, "", values)]


def _size(text: str) -> tuple[int, int | None, int, int]:
    match = re.fullmatch(r"(\d+) unknowns?, (?:(\d+) measured columns?, )?(\d+) rows? in (\d+) groups?", text, re.ASCII)
    if match is None:
        raise Unread(f"no template reads the size {text!r}")
    return int(match[1]), None if match[2] is None else int(match[2]), int(match[3]), int(match[4])


def _same(found: str, file: str, size: str) -> Readings:
    return said("problem is", found == "given", file, _size(size))


def _translated(found: str, file: str, how: str, size: str) -> Readings:
    match = re.fullmatch(
        r"(, with the measurements at the middles of their intervals,|"
        r", with all half-widths of its measurements times (.+),|)",
        how,
    )
    if match is None:
        raise Unread(f"no template reads the translation {how!r}")
    times = (Fraction(0), False) if match[1] and not match[2] else quantity(match[2] or "1")
    return said("problem translates", found == "given", file, times, _size(size))


ABOUT_PROBLEM = followed(
    [
        ("The certificate names its problem by a SHA-256, {W}.", lambda digest: said("problem digest", digest)),
        (
            "The file beside it, {W}, is that problem, byte for byte ({W}).",
            lambda file, size: _same("beside", file, size),
        ),
        ("The file given, {W}, is that problem, byte for byte ({W}).", lambda file, size: _same("given", file, size)),
        (
            "The file given, {W}, is not compared itself: its translation{W}is that problem, byte for byte ({W}).",
            lambda file, how, size: _translated("given", file, how.strip(), size),
        ),
        (
            "All half-widths of its measurements are those of {W} beside it times {W}; nothing else differs.",
            lambda file, factor: said("problem wider", file, quantity(factor)),
        ),
    ]
)


def _shares(first: str, left: str, *later: str) -> Readings:
    if not later:
        return said("proof rounds", 1, ((int(first), left),))
    last, rounds, rest = later
    return said("proof rounds", int(rounds), ((int(first), left), (int(last), rest)))


SETTLES = "is left, which the rest of the proof settles."
SMALL_BOX = [
    "In the small box: Krawczyk's operator (a Newton step with bounds) of the gradient of the sum maps the box into "
    "its interior, so exactly one point of it is stationary.",
    "The second derivatives (the Hessian) are enclosed over the whole box and are positive definite there, so this "
    "point is a strict minimum, and the sum is higher in the rest of the box.",
    "The sum at the box's centre, in outward rounding, is at most the value claimed; at the minimum it is no more.",
]
OPERATOR = (
    "Krawczyk's operator (a Newton step with bounds) of the equations maps the box into its interior, so exactly one "
    "solution is in it."
)
HOW = followed(
    [
        (
            "There is nothing to search, and no witness: only one small box is looked at.",
            lambda: said("proof without a tree", False),
        ),
        (
            "The witness is put into the model, row by row, in outward rounding; there is nothing to search.",
            lambda: said("proof without a tree", True),
        ),
        (
            "Then the witness is put into the model, row by row, in outward rounding.",
            lambda: said("proof with a tree and a witness"),
        ),
        *((words, lambda: said("proof of a minimum")) for words in SMALL_BOX),
        (f"In the box of the solution: {OPERATOR}", lambda: said("proof of solutions", False)),
        (f"In each box of a solution: {OPERATOR}", lambda: said("proof of solutions", True)),
        (
            "The {W} are proved to hold at every point where it may be.",
            lambda what: said("proof of conditions", what),
        ),
        (
            "The images of any two boxes have no point in common, so no solution is counted twice.",
            lambda: said("proof of solutions", True),
        ),
        ("What is not in such a box is excluded by the search:", lambda: said("proof after boxes")),
        ("In one step: the box is not split.", lambda: said("proof splits", 0, 0)),
        (
            "By cases: the box is split {I} time{Z} (at most {I} deep) into {I} part{Z}.",
            lambda times, deep, parts: [*said("proof splits", int(times), int(deep)), *said("proof parts", int(parts))],
        ),
        (
            "By cases: the box is split {I} time{Z} (at most {I} deep); the proof has {I} lea{W}, some of the same "
            "part.",
            lambda times, deep, leaves, _: [
                *said("proof splits", int(times), int(deep)),
                *said("proof leaves", int(leaves)),
            ],
        ),
        (
            "{I} time{Z} the rows are described anew for the part at hand.",
            lambda times: said("proof described anew", int(times)),
        ),
        (
            "What is left of a box is looked at in slanted coordinates, along which the {W} bound it best.",
            lambda what: said("proof slanted", what),
        ),
        (
            "{I} time{Z} a violation is refuted for a part, until none is left: there every condition holds.",
            lambda times: said("proof leaves out", int(times), "violation"),
        ),
        (
            "{I} time{Z} a condition is refuted for a part, so many of them that too few are left to hold.",
            lambda times: said("proof leaves out", int(times), "condition"),
        ),
        (
            "{I} conflict{Z}: sets of rows that {W} explain together{W}, each refuted by itself; no {W} left out would "
            "meet {W}.",
            lambda count, whose, bound, out, which: said("proof conflicts", int(count), whose, bound, out, which),
        ),
        (
            "{I} conflict{Z}: sets of rows that {W} explain together, each refuted by itself; no {W} left out would "
            "meet {W}.",
            lambda count, whose, out, which: said("proof conflicts", int(count), whose, "", out, which),
        ),
        (
            "The first cut cuts off what is impossible at an edge and leaves about {W} of the box's volume.",
            lambda left: _shares("1", left),
        ),
        (
            "The first {I} cuts cut off what is impossible at the edges and leave about {W} of the box's volume.",
            _shares,
        ),
        (
            "The first cut cuts off what is impossible at an edge and leaves about {W} of the box's volume; after {I} "
            f"cuts in {{I}} rounds about {{W}} {SETTLES}",
            lambda left, *later: _shares("1", left, *later),
        ),
        (
            "The first {I} cuts cut off what is impossible at the edges and leave about {W} of the box's volume; after "
            f"{{I}} cuts in {{I}} rounds about {{W}} {SETTLES}",
            _shares,
        ),
        ("The first cut: {W}.", lambda words: _event(1, words, "cut")),
        ("The first split: {W}.", lambda words: _event(1, words, "split")),
    ]
)
LEAF_MEANINGS = {
    "refuted by a single row: its error is too large, whatever the unknowns are there and the measurements in their "
    "intervals": ("evaluate", ("row",)),
    "refuted by a weighted sum of rows: each of them would have to be at most 0 there, and their sum is proved to be "
    "above 0": ("aggregate", ("row", "equation")),
    "refuted by a single condition: it does not hold there": ("evaluate", ("condition",)),
    "refuted by conditions that are expanded about the middle of a box and added up: they do not hold there together": (
        "aggregate",
        ("condition",),
    ),
    "where a single violation is refuted: it does not occur there": ("evaluate", ("violation",)),
    "where a single violation is refuted, expanded about the middle of a box: it does not occur there": (
        "aggregate",
        ("violation",),
    ),
    "refuted by a single equation: it misses 0 by too much, whatever the unknowns are there": (
        "evaluate",
        ("equation",),
    ),
    "refuted by a single row: the square of its error alone exceeds the level, whatever the unknowns are there": (
        "evaluate",
        ("squares",),
    ),
    "refuted by a sum over rows: the sum of the squares of their errors is proved to exceed the level there": (
        "aggregate",
        ("squares",),
    ),
    "within the hull, where nothing is claimed": ("open", ()),
    "within the hull, where nothing is claimed, but the sum of their volumes": ("open", ("volume",)),
    "within the box of a known solution or minimum, where there is no second one": ("known", ()),
}


def _leaf(count: str, what: str, meaning: str) -> Readings:
    if meaning not in LEAF_MEANINGS:
        raise Unread(f"no template reads the leaves that are {meaning!r}")
    return said("proof leaf", int(count), what.startswith("lea"), *LEAF_MEANINGS[meaning])


BULLETS = compiled(
    [
        ("- {I} part{Z} {Q} {W}", lambda count, meaning: _leaf(count, "part", meaning)),
        ("- {I} leaf is {W}", lambda count, meaning: _leaf(count, "leaf", meaning)),
        ("- {I} leaves are {W}", lambda count, meaning: _leaf(count, "leaves", meaning)),
    ]
)
EVENT = re.compile(
    r"(?:(the box|a part of the box) is divided at (\S+) = ((?:about )?\S+)(?: (\S+))?"
    r"|(in a part of the box )?(\S+) (<=|>=) (\S+)(?: (\S+))?( is impossible|: the sum of squares exceeds the level "
    r"there), because of (.+))"
)


def _event(place: int, words: str, called: str = "") -> Readings:
    match = EVENT.fullmatch(words.removesuffix("."))
    if match is None:
        raise Unread(f"no template reads the split {words!r}")
    box, name, at, unit, partly, cut_name, side, end, cut_unit, why, rows = match.groups()
    if box:
        return said("proof division", place, called, box == "the box", name, quantity(at), unit)
    named = tuple(listed(rows)) if rows.startswith("row") else tuple((name, None) for name in names(rows))
    squares = not why.startswith(" is")
    return said("proof cut", place, called, not partly, cut_name, side, number(end), cut_unit, squares, named)


TRUSTED = compiled(
    [
        (
            "- the checker, a short program of ordinary integers (certify/checker) with a specification of its own, "
            "and Python, which runs it",
            lambda: said("trust in the checker"),
        ),
        (
            "- the translation of your problem into {W}, which 'certify check' repeats if it is given the file that is "
            "translated; and that the {W} is the one you mean",
            lambda file, what: said("trust in a translation", file, False, what),
        ),
        (
            "- the translation of {W}, which 'certify check' repeats if it is given the file that is translated; and "
            "that the {W} is the one you mean",
            lambda file, what: said("trust in a translation", file, True, what),
        ),
        ("- your own numbers: that {W}", lambda numbers: said("trust in numbers", *numbers.split(", and that "))),
    ]
)
NEEDED = {"trust in the checker", "trust in a translation"}
NOT_TRUSTED = followed(
    [
        (
            "Not: the search that found the proof, its floating-point numbers, linear programs and compiled code, or "
            "whoever made the certificate.",
            lambda: said("trust in nothing else"),
        ),
        ("In short: if the check passes, the claim is true of the problem file.", lambda: said("trust in short")),
    ]
)


def read_proof_section(title: str, lines: Sequence[str]) -> Iterator[Said]:
    """The statements of one section; what has to be trusted is told whole, so that nothing may be missing."""
    found = list(_statements(title, lines))
    yield from found
    kinds = {statement.kind for statement in found}
    if title == TRUST:
        if not kinds >= NEEDED:
            raise Unread(f"the checker or the translation is missing in {lines!r}")
        if "trust in numbers" not in kinds:
            yield Said("trust in numbers", "", (), title)


def _statements(title: str, lines: Sequence[str]) -> Iterator[Said]:
    running = {PROBLEM: ABOUT_PROBLEM, PROOF: HOW, TRUST: NOT_TRUSTED}
    for text in _joined(lines):
        event = re.fullmatch(r"([0-9]+)\. (.+)", text)
        if title == CHECK:
            yield Said("how to check", "", (text,), text)
        elif text.startswith("- "):
            yield from read_line(text, BULLETS if title == PROOF else TRUSTED)
        elif event is not None:
            yield from (Said(*reading, text) for reading in _event(int(event[1]), event[2]))
        else:
            while text:
                text = yield from read_first(text, running[title])


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Sentences that run on over lines; those of a list, and splits, each alone."""
    told = ""
    for line in lines:
        item, split = line.startswith("  - "), re.match(r"    [0-9]+\. ", line)
        ended = item or split or re.match(r"[0-9]+\. ", told)
        if told and not ended and line.startswith("    ") == told.startswith("- "):
            told = f"{told} {line.strip()}"
            continue
        if told:
            yield told
        told = line.strip()
    yield told
