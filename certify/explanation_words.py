"""Numbers, units, lists and names of rows, as an explanation says them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.decimals import round_down, round_up, show
from certify.explanation import Explanation
from certify.problem_files import TRANSLATED

WIDTH = 110
DIGITS = 15  # of a proved end, rounded to the safe side; those that a run writes have no more
SHORT = 9  # of other numbers
MOST = 10  # items of a list that are told
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


def wrapped(sentence: str) -> str:
    if sentence.startswith("    "):
        return sentence
    indent = "    " if sentence.startswith("- ") else "  "
    return textwrap.fill(sentence, WIDTH, initial_indent="  ", subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def number_text(value: Fraction, digits: int = SHORT) -> str:
    """The exact decimal where it is short, else the nearest one."""
    if value == 0 or (value * 10**digits).denominator == 1:
        return show(value)
    places = digits - 1 - math.floor(math.log10(abs(value.numerator)) - math.log10(value.denominator))
    return show(round(value, places))


def with_unit(value: str, unit: str | None) -> str:
    return value if unit == "1" else f"{value} (in the unit of the rows)" if unit is None else f"{value} {unit}"


def range_text(low: Fraction, high: Fraction, unit: str) -> str:
    """An interval as middle +- half-width, such that these contain it as they are written."""
    middle, radius = (low + high) / 2, (high - low) / 2
    places = math.ceil(math.log10(radius.denominator) - math.log10(radius.numerator)) + 2 if radius > 0 else DIGITS
    written = middle if (middle * 10**SHORT).denominator == 1 else round(middle, max(places, 0))
    return f"{with_unit(show(written), unit)} +-{show(round_up(max(high - written, written - low), 2))}"


def rounded_down(value: Fraction) -> str:
    return show(round_down(value, DIGITS))


def rounded_up(value: Fraction) -> str:
    return show(round_up(value, DIGITS))


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def row_noun(explanation: Explanation) -> str:
    """What a row is to its reader: a pose of a robot's leg, a measurement of something else, an equation or a condition of a system."""
    if explanation.conditions:
        return "condition"
    if not explanation.scope.columns:
        return "equation"
    return "pose" if all(name.startswith("leg") for name in explanation.certificate.scope) else "measurement"


def named_families(explanation: Explanation) -> str:
    names = explanation.certificate.scope
    return joined(names) if len(names) <= MOST else f"{names[0]} ... {names[-1]} ({len(names)})"


def all_rows(explanation: Explanation) -> str:
    noun = row_noun(explanation)
    counts = {explanation.problem.families[number].rows for number in explanation.families}
    if noun == "equation":
        return f"all {explanation.rows} equations" if explanation.rows > 1 else "the equation"
    return f"{'all ' if max(counts) > 1 else ''}{counted(max(counts), noun)} of {named_families(explanation)}"


def measure_of(explanation: Explanation) -> tuple[str, str | None]:
    """What a certificate bounds, and its unit."""
    unit = explanation.unit
    if not explanation.certificate.squares:
        return "model error", unit
    return "sum of squared errors", unit if unit in (None, "1") else f"{unit}^2"
