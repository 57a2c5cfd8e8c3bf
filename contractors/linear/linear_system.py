"""Interval linear systems A x = b: what is given, and what may be answered.

A = [A_low, A_high] has m rows and n columns, b = [b_low, b_high] has m entries; all ends are finite doubles, and exact.
The *solution set* is {x : A x = b for some matrix and some right-hand side within the ends}, every entry varying
independently. By the theorem of Oettli and Prager (1964) x belongs to it exactly if the interval A x - b, row by row,
contains 0. For m > n it is the set of the x that solve all rows, which may be empty; no least squares are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certify.contractors.tape.evaluation import Floats

LARGEST = float(np.finfo(np.float64).max)
_LEAST_NORMAL = 2.0**-1022
Integers = NDArray[np.int64]


class LinearVerdict(Enum):
    """What is proved about the solution set."""

    # it lies in the enclosure; a square system that is proved regular has solutions for every choice of coefficients
    BOUNDED = "bounded"
    UNBOUNDED = "unbounded"  # a ray of solutions was verified
    EMPTY = "empty"
    NOT_PROVED = "not proved"  # the enclosure holds, and has infinite ends


@dataclass(frozen=True, eq=False)
class EnclosedSolutions:
    """A box that contains the solution set, whatever the verdict; `proof` says in words what proves the verdict, or
    what is missing.

    An end beyond the largest double is infinite although the set is bounded. An empty set has the ends +infinity,
    -infinity. `ray` holds the point x and the direction d (rows 0 and 1) of a verified ray x + t d, t >= 0.
    """

    lower: Floats
    upper: Floats
    verdict: LinearVerdict
    proof: str
    ray: Floats | None = None

    @staticmethod
    def empty(variables: int, proof: str) -> EnclosedSolutions:
        """No solution."""
        return EnclosedSolutions(np.full(variables, np.inf), np.full(variables, -np.inf), LinearVerdict.EMPTY, proof)

    @staticmethod
    def unknown(variables: int, proof: str) -> EnclosedSolutions:
        """Nothing is proved."""
        return EnclosedSolutions(
            np.full(variables, -np.inf), np.full(variables, np.inf), LinearVerdict.NOT_PROVED, proof
        )


@dataclass(frozen=True, eq=False)
class IntervalSystem:
    """Ends of the matrix (m, n) and of the right-hand side (m); arrays are never written to. Use `interval_system`
    unless they are known to be sound.
    """

    lower: Floats
    upper: Floats
    right_lower: Floats
    right_upper: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        rows, columns = self.lower.shape
        return rows, columns

    def scaled(self) -> Scaled:
        """Rows, columns and the right-hand side multiplied by powers of two, so that the largest entry of each is
        between 1/2 and 1.
        """
        size = np.maximum(np.abs(self.lower), np.abs(self.upper))
        exponents = np.where(size > 0.0, np.frexp(size)[1], -20000).astype(np.int64)
        rows = _negligible_to_zero(-exponents.max(axis=1, initial=-20000))
        columns = _negligible_to_zero(-(exponents + rows[:, None]).max(axis=0, initial=-20000))
        right = np.maximum(np.abs(self.right_lower), np.abs(self.right_upper))
        right_exponents = np.where(right > 0.0, np.frexp(right)[1] + rows, -20000)
        whole = int(_negligible_to_zero(-np.array([right_exponents.max(initial=-20000)]))[0])
        both = rows[:, None] + columns
        system = IntervalSystem(
            times_power(self.lower, both, -np.inf), times_power(self.upper, both, np.inf),
            times_power(self.right_lower, rows + whole, -np.inf), times_power(self.right_upper, rows + whole, np.inf),
        )  # fmt: skip
        return Scaled(system, columns - whole)


@dataclass(frozen=True, eq=False)
class Scaled:
    """The system of y, where x_j = 2^exponents_j y_j. It may be wider than the original by the least subnormal number,
    never narrower.
    """

    system: IntervalSystem
    exponents: Integers

    def original(self, answer: EnclosedSolutions) -> EnclosedSolutions:
        """An answer about y as one about x."""
        if answer.verdict is LinearVerdict.EMPTY:
            return answer
        lower, upper = (
            times_power(answer.lower, self.exponents, -np.inf),
            times_power(answer.upper, self.exponents, np.inf),
        )
        ray = None if answer.ray is None else np.ldexp(answer.ray, self.exponents)
        return EnclosedSolutions(lower, upper, answer.verdict, answer.proof, ray)

    def from_original(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """A box of x as one of y."""
        return times_power(lower, -self.exponents, -np.inf), times_power(upper, -self.exponents, np.inf)


def _negligible_to_zero(exponents: Integers) -> Integers:
    """Exponents of rows or columns without any entry."""
    return np.where(exponents > 9000, 0, exponents)


def times_power(values: Floats, exponents: Integers, direction: float) -> Floats:
    """2^exponents values, rounded towards `direction` (infinite, signed) where the result is subnormal or too large."""
    with np.errstate(over="ignore", under="ignore"):
        result = np.ldexp(values, np.clip(exponents, -5000, 5000).astype(np.int32))
    doubtful = (np.abs(result) <= _LEAST_NORMAL) & (values != 0.0)
    if doubtful.any():
        result = np.where(doubtful, np.nextafter(result, direction), result)
    finite = np.isfinite(values)
    inward = np.isinf(result) & finite & (np.sign(result) != np.sign(direction))
    return np.asarray(np.where(inward, np.copysign(LARGEST, values), result))


def interval_system(
    lower: ArrayLike, upper: ArrayLike, right_lower: ArrayLike, right_upper: ArrayLike
) -> IntervalSystem:
    """The system with these ends, which must be finite doubles; raises ValueError with a sentence otherwise."""
    arrays = [np.array(values, dtype=np.float64) for values in (lower, upper, right_lower, right_upper)]
    matrix, right = arrays[0].shape, arrays[2].shape
    if len(matrix) != 2 or min(matrix, default=0) < 1:
        raise ValueError(f"the matrix of a linear system needs at least one row and one column; its shape is {matrix}")
    if arrays[1].shape != matrix:
        raise ValueError(
            f"the lower ends of the matrix have the shape {matrix}, the upper ends {arrays[1].shape}; they must agree"
        )
    if right != (matrix[0],) or arrays[3].shape != right:
        raise ValueError(
            f"the matrix has {matrix[0]} rows; both ends of the right-hand side need as many entries, not "
            f"{right} and {arrays[3].shape}"
        )
    for values, name in zip(arrays, ("matrix", "matrix", "right-hand side", "right-hand side"), strict=True):
        if not np.isfinite(values).all():
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(values))[0])
            raise ValueError(
                f"entry {place} of the {name} is {values[place]}; interval linear systems need finite numbers"
            )
    for low, high, name in ((arrays[0], arrays[1], "matrix"), (arrays[2], arrays[3], "right-hand side")):
        if (low > high).any():
            place = tuple(int(k) for k in np.argwhere(low > high)[0])
            raise ValueError(
                f"entry {place} of the {name} has its lower end {low[place]} above its upper end {high[place]}"
            )
    return IntervalSystem(*(np.ascontiguousarray(values) for values in arrays))
