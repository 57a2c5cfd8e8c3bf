"""Combinations of expanded rows as lines of a certificate, many of them: the same bytes as term by term, without exact
numbers in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from certify.proofs.certificate_text import AGGREGATE, scaled
from certify.solvers.proof.proof_tree import Weighted


@dataclass
class WeightedLines:
    """`slowly` writes any combination; of each row, with either sign of its weight, it is asked once."""

    slowly: Callable[[Weighted], str]
    _heads: dict[tuple[int, bool], str] = field(default_factory=dict)

    def line(self, found: Weighted) -> str:
        """The weights times the power of two that makes all of them whole numbers, and one of them odd."""
        parts = [
            (self._head(number, weight > 0.0), *_odd(abs(weight)))
            for number, weight in zip(found.numbers, found.weights, strict=True)
        ]
        least = min(exponent for _, _, exponent in parts)
        return " ".join([AGGREGATE, *(head + scaled(odd, exponent - least) for head, odd, exponent in parts)])

    def _head(self, number: int, positive: bool) -> str:
        """What stands before the weight."""
        head = self._heads.get((number, positive))
        if head is None:
            alone = self.slowly(Weighted((number,), (1.0 if positive else -1.0,), True))
            head = self._heads[number, positive] = alone.removeprefix(f"{AGGREGATE} ").removesuffix("1")
        return head


def _odd(weight: float) -> tuple[int, int]:
    """A positive double as an odd number times 2 to a power."""
    numerator, denominator = weight.as_integer_ratio()
    zeros = (numerator & -numerator).bit_length() - 1
    return numerator >> zeros, zeros + 1 - denominator.bit_length()
