"""Combinations of expanded rows as lines of a certificate, many of them: the same bytes as term by term, without exact
numbers in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Floats
from certify.proofs.certificate_text import AGGREGATE, scaled
from certify.solvers.proof.proof_tree import Weighted

REMEMBERED = 2**16  # multiples: they are short, and come again and again
BITS = 53  # of a double's mantissa


@dataclass
class WeightedLines:
    """`slowly` writes any combination; of each row, with either sign of its weight, it is asked once."""

    slowly: Callable[[Weighted], str]
    _heads: dict[int, str] = field(default_factory=dict)

    def lines(self, found: Sequence[Weighted]) -> list[str]:
        """The weights of each times the power of two that makes all of them whole numbers, and one of them odd."""
        if not found:
            return []
        sizes = np.array([len(one.numbers) for one in found])
        weights = np.array([weight for one in found for weight in one.weights])
        numbers = np.array([number for one in found for number in one.numbers])
        odd, exponent = _odd(np.abs(weights))
        ends = np.concatenate(([0], np.cumsum(sizes)))
        shift = exponent - np.minimum.reduceat(exponent, ends[:-1]).repeat(sizes)
        heads = self._named(2 * numbers + (weights > 0.0))
        multiples = map(_multiple, odd.tolist(), shift.tolist())
        terms = [head + multiple for head, multiple in zip(heads, multiples, strict=True)]
        places = ends.tolist()
        return [f"{AGGREGATE} {' '.join(terms[begin:end])}" for begin, end in pairwise(places)]

    def _named(self, keys: NDArray[np.int64]) -> list[str]:
        """What stands before each weight: twice the number, and 1 more if the weight is positive, says which."""
        for key in np.unique(keys).tolist():
            if key not in self._heads:
                alone = self.slowly(Weighted((key // 2,), (1.0 if key % 2 else -1.0,), True))
                self._heads[key] = alone.removeprefix(f"{AGGREGATE} ").removesuffix("1")
        return [self._heads[key] for key in keys.tolist()]


_multiple = lru_cache(REMEMBERED)(scaled)


def _odd(weights: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positive doubles as odd numbers times 2 to a power."""
    fraction, power = np.frexp(weights)
    whole = np.ldexp(fraction, BITS).astype(np.int64)
    zeros = np.frexp((whole & -whole).astype(np.float64))[1].astype(np.int64) - 1
    return whole >> zeros, power + zeros - BITS
