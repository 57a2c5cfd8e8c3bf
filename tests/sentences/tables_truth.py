"""What a run says of the tables that it read, and of half-widths that are not all alike, held against what was
planted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from statements import Templates, number

if TYPE_CHECKING:
    from planted_experiments import PlantedExperiment

MARKS = {";": "cells are separated by ';'", "\t": "cells are separated by 'tab'", ",": ""}
IF = "if the noise is Gaussian and independent"

READ: Templates = [
    ("{W}: {I} poses; {W}.", lambda file, poses, rest: [("table read", "", (file, int(poses), "", rest))]),
    (
        "{W}: {I} poses, {W}; {W}.",
        lambda file, poses, marks, rest: [("table read", "", (file, int(poses), marks, rest))],
    ),
]
OUTSIDE = f"{{N}} of the readings with deviations are expected outside their intervals {IF}."
MIXTURES: Templates = [
    (
        f"Of the half-widths of {{I}} uncertain readings {{W}}: {OUTSIDE}",
        lambda n, sorts, outside: [("sorts", "", (int(n), sorts, number(outside)))],
    ),
    (
        f"{{P}}: of the half-widths of {{I}} uncertain readings {{W}}: {OUTSIDE}",
        lambda part, n, sorts, outside: [("sorts", part, (int(n), sorts, number(outside)))],
    ),
    (
        "Of the half-widths of {I} uncertain readings {W}: no reading is expected outside its interval.",
        lambda n, sorts: [("sorts", "", (int(n), sorts, Fraction(0)))],
    ),
    (
        "{P}: of the half-widths of {I} uncertain readings {W}: no reading is expected outside its interval.",
        lambda part, n, sorts: [("sorts", part, (int(n), sorts, Fraction(0)))],
    ),
    (
        f"A factor of {{N}} holds all {{I}} readings with 99 % {IF}, and the bounds hold.",
        lambda factor, n: [("noise of sorts", "", (int(n), number(factor)))],
    ),
    (
        f"{{P}}: a factor of {{N}} holds all {{I}} readings with 99 % {IF}, and the bounds hold.",
        lambda part, factor, n: [("noise of sorts", part, (int(n), number(factor)))],
    ),
    (
        "{P}: the problem file does not say what its half-widths are (half_widths_are), so they are taken as bounds: "
        "no reading is expected outside.",
        lambda part: [("half-widths", part, (None, False))],
    ),
    (
        "{P}: the half-widths are bounds: no reading is expected outside its interval.",
        lambda part: [("half-widths", part, (None, True))],
    ),
    (
        "{P}: the half-widths are {N} standard deviation{Z}: of {I} uncertain readings {N} are expected outside their "
        f"intervals {IF}.",
        lambda part, k, n, outside: [
            ("half-widths", part, (number(k), True)),
            ("outside", part, (int(n), number(outside))),
        ],
    ),
    (
        f"{{P}}: {{N}} standard deviations hold all {{I}} readings with 99 % {IF}: a factor of {{N}}.",
        lambda part, k, n, factor: [("noise", part, (int(n), number(k), number(factor)))],
    ),
]


def table_read(planted: PlantedExperiment, file: str, poses: int, marks: str, rest: str) -> bool:
    """The file, its poses, how it is written, and each column that no quantity stands in, by its heading."""
    header = planted.table.split("\n")[0]
    separator = next(mark for mark in (";", "\t", ",") if mark in header)
    known = {"pose", *planted.halves}
    unread = [heading for heading in header.split(separator) if heading.split(" ")[0] not in known]
    comma = separator != "," and "," in planted.table.partition("\n")[2]
    written = ", ".join(filter(None, [MARKS[separator], "numbers have decimal commas" if comma else ""]))
    count = f"{len(unread)} column{'' if len(unread) == 1 else 's'} not read: "
    told = count + ", ".join(map(repr, unread)) if unread else "all is read"
    return (poses, marks, rest) == (planted.poses, written, told) and file in ("'poses.csv'", "'candidates.csv'")


def mixture_outside(sorts: dict[str, int]) -> float:
    """How many readings are outside on average."""
    return sum(count * math.erfc(k / math.sqrt(2.0)) for k, count in gaussian(sorts))


def inside(sorts: dict[str, int], factor: float) -> float:
    """The probability that all readings lie inside with half-widths so many times as wide; bounds hold from 1 on."""
    found = math.prod(math.erf(factor * k / math.sqrt(2.0)) ** count for k, count in gaussian(sorts))
    return 0.0 if factor < 1 and len(gaussian(sorts)) < len(sorts) else found


def gaussian(sorts: dict[str, int]) -> list[tuple[float, int]]:
    """So many deviations, of so many readings."""
    found = [(re.fullmatch(r"(\S+) standard deviations?", text), count) for text, count in sorts.items()]
    return [(float(match[1]), count) for match, count in found if match is not None]


def sorts_told(words: str) -> dict[str, int]:
    """12 are 3 standard deviations, 4 are bounds"""
    found = (re.fullmatch(r"([0-9]+) are (.+)", part) for part in words.split(", "))
    return {match[2]: int(match[1]) for match in found if match is not None}


def sorts_are(planted: PlantedExperiment, parts: Sequence[str], readings: int, words: str, outside: Fraction) -> bool:
    """Some part has so many readings of each sort; two digits of the expectation are shown."""
    told = sorts_told(words)
    exact = mixture_outside(told)
    return (
        any(planted.sorts(part) == told for part in parts)
        and sum(told.values()) == readings
        and abs(float(outside) - exact) <= 0.06 * exact
    )


def noise_of_sorts(planted: PlantedExperiment, parts: Sequence[str], readings: int, factor: Fraction) -> bool:
    """Three digits are shown, of the smallest factor with 99 % (never below 1 where some are bounds)."""
    found = [sorts for sorts in map(planted.sorts, parts) if sum(sorts.values()) == readings and len(sorts) > 1]
    return any(
        inside(sorts, float(factor) * 1.006) >= 0.99
        and (inside(sorts, float(factor) * 0.994) <= 0.99 or (factor == 1 and len(gaussian(sorts)) < len(sorts)))
        for sorts in found
    )
