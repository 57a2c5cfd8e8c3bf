"""Numbers, units, lists and names of rows, as an explanation says them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact
from fractions import Fraction
from pathlib import Path

from certify.checker.certificate import Certificate
from certify.explaining.explanation import Explanation
from certify.explaining.model_units import squared
from certify.explaining.problem_files import TRANSLATED
from certify.text.decimals import round_down, round_up

WIDTH = 110
DIGITS = 15  # of a proved end, rounded to the safe side; those that a run writes have no more
PART = "part of the search box"
SHORT = 9  # of other numbers
MANY = 20  # digits more than the bits of a fraction, for all of its decimal
MOST = 10  # items of a list that are told
NOT_NEEDED = (
    "the search that found the proof, its floating-point numbers, linear programs and compiled "
    "code, or whoever made the certificate"
)


@dataclass(frozen=True, slots=True)
class Files:
    """Where the files are, how the problem was found, what a problem.toml says of the model, and how to check.

    The problem.toml is the problem given, and so its translation was compared; or it lies beside a canonical problem
    and was not. `factor` is on all half-widths of the problem in the file `narrow`, which is the same otherwise.
    `proved` says that the checker which is proved in Coq ran, and accepted the certificate.
    """

    certificate: str
    problem: str
    found: str
    conventions: tuple[str, ...]
    check: str
    factor: Fraction = Fraction(1)
    narrow: str = ""
    proved: bool = False

    @property
    def translated(self) -> bool:
        """Whether the problem is not the canonical one itself."""
        return Path(self.problem).suffix in TRANSLATED


def of_part(certificate: Certificate, lines: Sequence[str]) -> list[str]:
    """Sentences about the search box, of a piece about its part."""
    return list(lines) if certificate.part is None else [line.replace("search box", PART) for line in lines]


def wrapped(sentence: str) -> str:
    if sentence.startswith("    "):
        return sentence
    indent = "    " if sentence.startswith("- ") else "  "
    return textwrap.fill(
        sentence, WIDTH, initial_indent="  ", subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def plain(value: Fraction) -> str:
    """All digits of a number that has a decimal; with a power of ten where it is far from 1."""
    digits = MANY + value.numerator.bit_length() + value.denominator.bit_length()
    context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
    found = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return format(found, "f") if -SHORT < found.adjusted() <= 2 * SHORT else str(found).lower()


def is_short(value: Fraction, digits: int = SHORT) -> bool:
    """Whether a number can be written exactly, with so many decimals."""
    return abs(value) < Fraction(10) ** (2 * SHORT) and (value * 10**digits).denominator == 1


def number_text(value: Fraction, digits: int = SHORT) -> str:
    """The exact decimal where it is short, else about which one."""
    if is_short(value, digits):
        return plain(value)
    size = math.floor(math.log10(abs(value.numerator)) - math.log10(value.denominator))
    return f"about {plain(round(value, digits - 1 - size))}"


def with_unit(value: str, unit: str | None) -> str:
    return value if unit == "1" else f"{value} (in the unit of the rows)" if unit is None else f"{value} {unit}"


def range_text(low: Fraction, high: Fraction, unit: str) -> str:
    """An interval as middle +- half-width, such that these contain it as they are written."""
    middle, radius = (low + high) / 2, (high - low) / 2
    places = math.ceil(math.log10(radius.denominator) - math.log10(radius.numerator)) + 2 if radius > 0 else DIGITS
    written = middle if is_short(middle) else round(middle, places)
    return f"{with_unit(plain(written), unit)} +-{plain(round_up(max(high - written, written - low), 2))}"


def rounded_down(value: Fraction, digits: int = DIGITS) -> str:
    return plain(round_down(value, digits))


def rounded_up(value: Fraction, digits: int = DIGITS) -> str:
    return plain(round_up(value, digits))


def share_text(part: Fraction) -> str:
    """A share that is claimed to be no larger, rounded up."""
    written = round_up(part, 3)
    return f"{'at most ' if written > part else ''}{plain(written)}"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def joined(names: Sequence[str]) -> str:
    return "none" if not names else names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def row_noun(explanation: Explanation) -> str:
    """What a row is, as far as the problem alone shows it: an equation or a condition of a system, or a row with
    measurements. Names show nothing.
    """
    return "condition" if explanation.conditions else "row" if explanation.scope.columns else "equation"


def named_families(explanation: Explanation) -> str:
    names = [explanation.problem.families[family].name for family in explanation.families]
    return joined(names) if len(names) <= MOST else f"{names[0]} ... {names[-1]} ({len(names)} groups)"


def all_rows(explanation: Explanation, out: int = 0) -> str:
    """The rows of the claim, or all but at most so many of them."""
    noun, count = row_noun(explanation), explanation.members
    noun = noun if count == explanation.rows else "member"
    some = (
        f"all but at most {out} of the {counted(count, noun)}"
        if out
        else f"all {counted(count, noun)}"
        if count > 1
        else f"the {noun}"
    )
    return some if noun == "equation" else f"{some} of {named_families(explanation)}"


def measure_of(explanation: Explanation) -> tuple[str, str | None]:
    """What a certificate bounds, and its unit."""
    if not explanation.certificate.squares:
        return "model error", explanation.unit
    return "sum of squared errors", squared(explanation.unit)
