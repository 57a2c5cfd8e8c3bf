"""Arrays of numbers that are known within radii: middle and radius, with all that the doubles' rounding adds.

    x in [m - r, m + r]   y in [n - s, n + s]   =>   x y in m n +- (|m| s + r |n| + r s)

Each result's radius has 2^-48 of what was added up on top, more than the operations of doubles can err, sums of a few
terms and numpy's sines included; products of numbers that are not 0 have 2^-1000, for those that are too small. What is
exactly 0 stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

ROUNDING, TINY = 2.0**-48, 2.0**-1000


@dataclass(frozen=True, eq=False)
class Balls:
    """Middles and radii, arrays of one shape."""

    middle: Floats
    radius: Floats

    @classmethod
    def of(cls, values: Floats, radius: Floats | float = 0.0) -> Balls:
        """Numbers, or what is near them."""
        return cls(np.asarray(values, dtype=np.float64), np.broadcast_to(np.float64(radius), np.shape(values)))

    def __getitem__(self, key: Any) -> Balls:
        return Balls(self.middle[key], self.radius[key])

    def __neg__(self) -> Balls:
        return Balls(-self.middle, self.radius)

    def __add__(self, other: Balls) -> Balls:
        return _rounded(self.middle + other.middle, self.radius + other.radius)

    def __sub__(self, other: Balls) -> Balls:
        return self + -other

    def __mul__(self, other: Balls) -> Balls:
        mixed = np.abs(self.middle) * other.radius + self.radius * (np.abs(other.middle) + other.radius)
        return _rounded(self.middle * other.middle, mixed + TINY * ((self.most > 0) & (other.most > 0)))

    def sum(self, axis: int = -1) -> Balls:
        """Of few entries."""
        size = np.abs(self.middle).sum(axis)
        return _rounded(self.middle.sum(axis), self.radius.sum(axis), size)

    def cos(self) -> Balls:
        """|cos x - cos m| is at most r |sin m| + r^2 / 2."""
        return self._wave(np.cos(self.middle), np.sin(self.middle))

    def sin(self) -> Balls:
        """The same of the sine."""
        return self._wave(np.sin(self.middle), np.cos(self.middle))

    def _wave(self, value: Floats, slope: Floats) -> Balls:
        return _rounded(value, self.radius * (np.abs(slope) + ROUNDING + self.radius / 2), np.ones_like(value))

    def sqrt(self) -> Balls:
        """|sqrt x - sqrt m| is at most r / sqrt m; what may be 0 or less has no root."""
        self._apart(self.middle > self.radius * 2, "a square root")
        value = np.sqrt(self.middle)
        return _rounded(value, self.radius / value)

    def reciprocal(self) -> Balls:
        """|1 / x - 1 / m| is at most r / (|m| (|m| - r))."""
        size = np.abs(self.middle)
        self._apart(size > self.radius * 2, "a reciprocal")
        return _rounded(1.0 / self.middle, self.radius / size / (size - self.radius))

    def _apart(self, far: npt.NDArray[np.bool_], what: str) -> None:
        """Raise InputError where a number may be (nearly) 0."""
        if not far.all():
            raise InputError(f"{what} of a number that may be 0 within its radius; give smaller radii")

    @property
    def most(self) -> Floats:
        """The largest absolute values."""
        return np.asarray(np.abs(self.middle) * (1 + ROUNDING) + self.radius)


def _rounded(middle: Floats, radius: Floats, size: Floats | None = None) -> Balls:
    much = np.abs(middle) if size is None else size
    return Balls(np.asarray(middle), np.asarray(radius * (1 + ROUNDING) + ROUNDING * much))


def stacked(parts: Sequence[Balls], axis: int = -1) -> Balls:
    """Along a new axis."""
    middles, radii = (np.broadcast_arrays(*(getattr(part, name) for part in parts)) for name in ("middle", "radius"))
    return Balls(np.stack(middles, axis=axis), np.stack(radii, axis=axis))


def product(matrix: Balls, vector: Balls) -> Balls:
    """Matrices (..., n, m) times vectors (..., m)."""
    return (matrix * vector[..., None, :]).sum(-1)


def near_inverse(matrix: Balls) -> Floats:
    """That of the middles; whatever it is, what is concluded from it holds."""
    return np.asarray(np.linalg.inv(matrix.middle))


def solved(matrix: Balls, right: Balls) -> Balls:
    """All x with A x = b for some A, b: with Y near A's inverse, E = Y A - I and r = Y (b - A x0)

    (I + E)(x - x0) = r,   |E| <= e < 1   =>   |x - x0| <= |r| + e / (1 - e) max |r|
    """
    inverse = Balls.of(near_inverse(matrix))
    start = Balls.of((inverse.middle @ right.middle[..., None])[..., 0])
    left = product(inverse, right - product(matrix, start)).most
    share = excess(inverse, matrix)
    if not (share < 1).all():
        raise InputError(
            "the readings are too uncertain for this pose: its Jacobian may be singular within their half-widths; give "
            "a finer encoder step, or leave out what is near a singularity"
        )
    return Balls(start.middle, left + (share / (1 - share) * (1 + ROUNDING))[..., None] * left.max(-1, keepdims=True))


def excess(inverse: Balls, matrix: Balls) -> Floats:
    """The largest sum of a row of |Y A - I|."""
    size = matrix.middle.shape[-1]
    rows = (inverse[..., :, :, None] * matrix[..., None, :, :]).sum(-2)
    return np.asarray((rows - Balls.of(np.eye(size))).most.sum(-1).max(-1) * (1 + ROUNDING))
