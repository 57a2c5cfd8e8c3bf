"""What a certificate claims, read from its text by the letter of the specification: no line of the
project's parsers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from statements import Said


@dataclass(frozen=True)
class Claimed:
    """The header of a certificate; a word that claims nothing is None. `hull` has the ends of each variable, `facets`
    coefficients and bounds.
    """

    scope: tuple[str, ...]
    point: tuple[Fraction, ...] | None
    squares: bool
    discard: int
    lower: Fraction | None
    upper: Fraction | None
    within: Fraction | None
    volume: Fraction | None
    zeros: int | None
    minimum: tuple[bool, Fraction] | None
    values: tuple[Fraction, ...] | None
    without: tuple[tuple[int, int], ...]
    hull: tuple[tuple[Fraction, Fraction], ...]
    facets: tuple[tuple[tuple[Fraction, ...], Fraction], ...]
    isolated: tuple[tuple[tuple[Fraction, Fraction], ...], ...]
    size: int


def number(text: str) -> Fraction:
    """A rational, a decimal, or m p e for m 2^e."""
    match = re.fullmatch(r"(-?[0-9]+)p(-?[0-9]+)", text)
    return Fraction(int(match[1])) * Fraction(2) ** int(match[2]) if match else Fraction(text)


def read_certificate(path: Path) -> Claimed:
    """The claim of a file."""
    text = path.read_text("ascii")
    lines = text.split("\n")
    last = next(number for number, line in enumerate(lines) if line.startswith("minimum "))
    words = {line.split(" ")[0]: line.split(" ")[1:] for line in lines[1 : last + 1]}
    groups = [line.split(" ")[1:] for line in lines[:last] if line.startswith("group ")]
    assert all(group[1:4] == ["rows", "0", "1"] for group in groups) and words["factor"] == ["1"]

    def told(word: str) -> Fraction | None:
        return None if words[word] == ["none"] else number(words[word][0])

    zeros = told("zeros")
    minimum = None if words["minimum"] == ["none"] else (words["minimum"][0] == "global", number(words["minimum"][1]))
    blocks = lines[last + 1 : lines.index("tree") if "tree" in lines else None]
    values = next((tuple(map(number, line.split(" ")[1:])) for line in blocks if line.startswith("values ")), None)
    without = next(
        (
            tuple(tuple(map(int, pair.split("."))) for pair in line.split(" ")[1:])
            for line in blocks
            if line.startswith("without ")
        ),
        (),
    )
    facets = [tuple(map(number, line.split(" ")[1:])) for line in blocks if line.startswith("facet ")]
    return Claimed(
        tuple(name for group in groups for name in group[4:]),
        tuple(map(number, words["point"])) if "point" in words else None,
        words["norm"] == ["squares"],
        int(words["discard"][0]),
        told("lower"),
        told("upper"),
        told("within"),
        told("volume"),
        None if zeros is None else int(zeros),
        minimum,
        values,
        without,
        tuple(_hull(blocks)),
        tuple((facet[:-1], facet[-1]) for facet in facets),
        tuple(_pairs(line.split(" ")[1:]) for line in blocks if line.startswith("zero ")),
        len(text),
    )


def _pairs(words: list[str]) -> tuple[tuple[Fraction, Fraction], ...]:
    ends = list(map(number, words))
    return tuple(zip(ends[::2], ends[1::2], strict=True))


def _hull(blocks: list[str]) -> Iterator[tuple[Fraction, Fraction]]:
    if "hull" in blocks:
        for line in blocks[blocks.index("hull") + 1 :]:
            if not re.fullmatch(r"-?[0-9]\S* -?[0-9]\S*", line):
                return
            low, high = line.split(" ")
            yield number(low), number(high)


def scope_variables(canonical: Path, scope: tuple[str, ...]) -> list[str]:
    """The names of the unknowns that the families of a scope use, in the order of the problem: that of a certificate's
    numbers.
    """
    lines = canonical.read_text("ascii").split("\n")
    count = int(lines[1].split(" ")[1])
    names = [line.split(" ")[0] for line in lines[2 : 2 + count]]
    families = [
        line.split(" ") for line in lines[next(k for k, line in enumerate(lines) if line.startswith("families ")) + 1 :]
    ]
    used = {int(word[1:]) for words in families if words[0] in scope for word in words[3:] if word.startswith("v")}
    return [names[k] for k in sorted(used)]


def read_certificates(folder: Path, canonical: str = "problem.canonical") -> Iterator[Said]:
    """The claims of all certificates of an experiment's folder that speak of this problem."""
    digest = hashlib.sha256((folder / canonical).read_bytes()).hexdigest()
    for path in sorted(folder.glob("*.cert")):
        if path.read_text("ascii").split("\n")[1] == f"problem {digest}":
            yield from _said(
                read_certificate(path), scope_variables(folder / canonical, read_certificate(path).scope), path.name
            )


def _said(claimed: Claimed, names: list[str], file: str) -> Iterator[Said]:
    part = "+".join(claimed.scope)

    def values(numbers: tuple[Fraction, ...]) -> dict[str, Fraction]:
        return dict(zip(names, numbers, strict=True))

    if claimed.squares:
        assert claimed.minimum is not None
        everywhere, least = claimed.minimum
        box = {name: [low, high] for name, (low, high) in zip(names, claimed.isolated[0], strict=True)}
        yield Said("least sum" if everywhere else "minimum at most", part, (least,), file)
        yield Said("minimiser", part, (box,), file)
        return
    if claimed.point is not None:
        yield Said("point needs", part, (values(claimed.point), claimed.lower, claimed.upper), file)
        return
    if claimed.lower is not None and claimed.discard:
        yield Said("fewest above", part, (claimed.discard, claimed.lower), file)
    elif claimed.lower is not None:
        yield Said("nothing within", part, (claimed.lower,), file)
    if claimed.upper is not None:
        rows = tuple((f"leg{family + 1}", row) for family, row in claimed.without)
        yield Said("point reaches", part, (values(claimed.values or ()), claimed.upper, rows), file)
    if claimed.within is not None:
        for name, (low, high) in zip(names, claimed.hull, strict=True):
            yield Said("hull within", part, ({name: Fraction(1)}, claimed.within, low, high), file)
        for coefficients, bound in claimed.facets:
            yield Said("hull within", part, (values(coefficients), claimed.within, None, bound), file)
