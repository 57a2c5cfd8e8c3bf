"""What `certify next` says about candidate poses, read back: its table, its sentences and its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from running import Told
from statements import Said, compiled, nothing, number, read_line, table_cells
from tables_truth import READ


def _levels(words: str) -> Sequence[tuple[str, str, tuple[Any, ...]]]:
    entries = [entry.split(" ") for entry in words.split(", ")]
    levels = tuple((name, number(value), unit) for name, value, unit in entries)
    return [("not known to be consistent", "", levels)]


SENTENCES = compiled(
    [
        *READ,
        (
            "hull left: mean width of the parameters' intervals with this pose, in parts of that without it; to first "
            "order, nothing is proved.",
            nothing,
        ),
        (
            "Of {I} candidates (the best {I} are shown) the median one leaves {N}.",
            lambda count, shown, share: [
                ("candidates", "", (int(count), int(shown))),
                ("median", "", (number(share),)),
            ],
        ),
        (
            "Of {I} candidates the median one leaves {N}.",
            lambda count, share: [("candidates", "", (int(count), int(count))), ("median", "", (number(share),))],
        ),
        (
            "No value is known that is consistent with these, so they are taken within a model error 10 % above the "
            "smallest that was found: {W}.",
            _levels,
        ),
        (
            "{P}: with them the direction that is seen worst is seen {N} times as well, and the condition number goes "
            "from {N} to {N} (estimated).",
            nothing,
        ),
        ("{P}: not told apart from others by these poses either: {W} (estimated).", nothing),
        ("{P}: determined with them, and not without: {W} (estimated).", nothing),
        ("Measure next: {P}.", lambda pose: [("chosen", "", ((pose,), None))]),
        (
            "Measure next: {W}, in this order; together they leave about {N}.",
            lambda poses, share: [("chosen", "", (tuple(poses.split(", ")), number(share)))],
        ),
    ]
)


def read_next(told: Told) -> Iterator[Said]:
    """The statements of the text and of the record."""
    lines = told.text.split("\n")
    end = next(place for place, line in enumerate(lines) if line.startswith("hull left"))
    rows = table_cells(lines[:end])
    for place, row in enumerate(rows):
        pose, share, *parts = row.values()
        yield Said("row", pose, (place, number(share), tuple(map(number, parts))), "  ".join(row.values()))
    yield Said("shown", "", (len(rows),), lines[0])
    for line in lines[end:]:
        yield from read_line(line, SENTENCES)
    if not any(line.startswith("No value is known") for line in lines):
        yield Said("not known to be consistent", "", (), "no level is told")
    for name, level in told.json["epsilon"].items():
        yield Said("level", name, (Fraction(level), told.json["unit"]), "epsilon")
    for place, choice in enumerate(told.json["choices"]):
        yield Said("choice", "", (place,), "choices")
        for candidate in choice:
            parts = tuple(candidate["estimated_parts"].values())
            values = candidate["candidate"], candidate["estimated_share"], parts
            yield Said("candidate", candidate["pose"], values, "choices")
