"""What false claims are written with: their type, the text of a problem, short random numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | str | Fraction


@dataclass(frozen=True)
class FalseClaim:
    """A problem, a certificate of a false claim whose lines from `first` on are its proof, and the true neighbour's
    certificate.
    """

    kind: str
    problem: bytes
    lines: tuple[bytes, ...]
    first: int
    true: bytes

    @property
    def text(self) -> bytes:
        """The certificate of the false claim."""
        return b"\n".join(self.lines)


def problem_text(
    variables: Sequence[tuple[Number, Number]],
    columns: Sequence[Sequence[tuple[Number, Number]]],
    tapes: Sequence[tuple[int, Sequence[str]]],
    families: Sequence[str],
) -> str:
    """A canonical problem: unknowns x0, x1, ..., columns m0, ..., tapes t0, ..., and these families."""
    lines = [
        "certify-problem 2",
        f"variables {len(variables)}",
        *(f"x{i} mm {lower} {upper}" for i, (lower, upper) in enumerate(variables)),
    ]
    lines.append(f"columns {len(columns)}")
    for i, entries in enumerate(columns):
        lines += [f"column m{i} mm {len(entries)}", *(f"{lower} {upper}" for lower, upper in entries)]
    lines.append(f"tapes {len(tapes)}")
    for i, (inputs, operations) in enumerate(tapes):
        lines += [f"tape t{i} {inputs} {len(operations)}", *operations]
    return "\n".join([*lines, f"families {len(families)}", *families, "end", ""])


def rational(rng: random.Random, low: int, high: int) -> Fraction:
    """A short rational between whole numbers."""
    denominator = rng.choice((1, 2, 3, 7, 8, 10, 100, 1024))
    return Fraction(rng.randint(low * denominator, high * denominator), denominator)


def little(rng: random.Random) -> Fraction:
    """A positive number from 1/10 to 10^-12."""
    return Fraction(rng.randint(1, 9), 10 ** rng.randint(1, 12))


def perhaps_little(rng: random.Random) -> Fraction:
    """Often nothing at all."""
    return rng.choice((Fraction(0), little(rng)))


def dyadic(value: Fraction, bits: int = 20, up: bool = False) -> str:
    """The value rounded to so many bits, as a certificate writes it."""
    mantissa = math.ceil(value * (1 << bits)) if up else math.floor(value * (1 << bits))
    while mantissa % 2 == 0 and bits:
        mantissa, bits = mantissa // 2, bits - 1
    return f"{mantissa}p-{bits}" if bits else str(mantissa)
