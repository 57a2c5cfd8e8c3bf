"""A statement, as it was read: what kind of thing is said, of which part, with which numbers; and sentence templates
that become statements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


class Unread(AssertionError):
    """A sentence that no template reads: a new sentence needs a reader, and something true to hold it against."""


@dataclass(frozen=True)
class Said:
    """`kind` names the rule of `truth` that judges it, `words` are those it was read from."""

    kind: str
    part: str
    values: tuple[Any, ...]
    words: str


def number(text: str) -> Fraction:
    """A decimal as it is printed, also in floating notation or per cent."""
    return Fraction(text.rstrip("%")) / 100 if text.endswith("%") else Fraction(text)


NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
UNIT = r"(?: ?[^ ;,.():]+)?"
PLACEHOLDERS = {
    "N": f"({NUMBER}%?)",
    "I": r"([0-9]+)",
    "W": r"(.+?)",
    "P": r"([A-Za-z][^ :,;]*)",
    "X": rf"((?:at most )?{NUMBER})",
    "U": r"(?:[^ ;,.():]+)",
    "V": r"(?: (?:mm\^2|mm|deg|rad|1)| \(in the unit of the rows\))?",
    "S": r"(?:[0-9.]+(?:e[+-]?[0-9]+)?)",
    "Z": r"(?:s|es|n)?",
    "E": r"[:.]",
    "B": r"(?:, one in each box below|, in the box below)?",
    "Q": r"(?:is|are)",
    "T": r"(?:length|area|volume)",
    "C": r"(?:the condition|all [0-9]+ conditions|[0-9]+ or more of the [0-9]+ conditions)",
}


def template(words: str) -> re.Pattern[str]:
    """A sentence as a pattern: {N} is a number, {I} a whole one, {P} a part or a name, {X} a share, {W} any words.

    Nobody judges {U} and {V}, a unit that must or may be there, {S} seconds, the ends {Z}, {E} of words and
    sentences, {Q} is or are, {T} what a
    size is called, and {C} which conditions.
    """
    pieces = re.split(r"\{([A-Z])\}", words)
    return re.compile("".join(PLACEHOLDERS[piece] if k % 2 else re.escape(piece) for k, piece in enumerate(pieces)))


Reader = Callable[..., Sequence[tuple[str, str, tuple[Any, ...]]]]
Templates = Sequence[tuple[str, Reader]]


def read_line(line: str, templates: Sequence[tuple[re.Pattern[str], Reader]]) -> Iterator[Said]:
    """The statements of a line by the first template that fits all of it."""
    for pattern, reader in templates:
        match = pattern.fullmatch(line)
        if match is not None:
            yield from (Said(kind, part, values, line) for kind, part, values in reader(*match.groups()))
            return
    raise Unread(f"no template reads {line!r}")


CLOSING: Templates = (  # of every run that writes a folder; its page has tests of its own
    ("report written to {W}", lambda page: []),
    ("no report was written: {W}; 'certify report {W}' makes one", lambda reason, folder: []),
)


def compiled(templates: Templates) -> list[tuple[re.Pattern[str], Reader]]:
    """Templates ready to be matched, those with which every run ends behind them."""
    return [(template(words), reader) for words, reader in (*templates, *CLOSING)]


def followed(templates: Templates) -> list[tuple[re.Pattern[str], Reader]]:
    """Templates of sentences that others follow."""
    return [(re.compile(rf"{template(words).pattern}(?=\s|$)"), reader) for words, reader in templates]


def read_first(text: str, templates: Sequence[tuple[re.Pattern[str], Reader]]) -> Generator[Said, None, str]:
    """The statements of the first sentence; returns what is behind it."""
    found = [
        (match.end(), match, reader) for pattern, reader in templates if (match := pattern.match(text)) is not None
    ]
    if not found:
        raise Unread(f"no template reads {text!r}")
    end, match, reader = min(found, key=lambda entry: (entry[0], -entry[1].re.groups))
    yield from (Said(kind, part, values, match[0]) for kind, part, values in reader(*match.groups()))
    return text[end:].strip()


def nothing(*_: str) -> tuple[()]:
    """A sentence that claims nothing that could be false."""
    return ()


def table_cells(lines: Sequence[str], right: bool = False) -> list[dict[str, str]]:
    """The cells of a table by their headings; the second line is the rule that shows where the columns are, to the
    left or to the right of which cells stand out.
    """
    spans = [match.span() for match in re.finditer("-+", lines[1])]
    starts = [0, *(end for _, end in spans[:-1])] if right else [start for start, _ in spans]
    ends = [end for _, end in spans] if right else [*starts[1:], None]
    rows = [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in (lines[0], *lines[2:])]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def ruled(rules: Mapping[str, Callable[..., bool]], judge: object, said: Said) -> bool:
    """What the rule for a statement says of it; a statement without a rule is not read."""
    rule = rules.get(said.kind)
    if rule is None:
        raise Unread(f"nothing judges {said.kind!r}, which {said.words!r} says")
    return rule(judge, said.part, *said.values)
