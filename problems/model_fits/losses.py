"""Robust losses as sums of squares: rows s(r) with s(r)^2 = C^2 loss((r / C)^2), C the scale.

    squares      z                          s = r
    soft_l1      2 (sqrt(1 + z) - 1)        s = r sqrt(2 / (1 + sqrt(1 + (r / C)^2)))
    huber        z up to 1, then            s = r where |r| <= C,
                 2 sqrt(z) - 1              s = sqrt(2 C |r| - C^2) beyond, by the sign of r

as scipy.optimize.least_squares defines them, where the cost is half the sum. soft_l1 is one formula; huber is one where
it is known on which side of C each residual is, its sign included.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from certify.problems.errors import InputError
from certify.problems.functions.function_table import FUNCTIONS

SQUARES, SOFT, HUBER, LARGEST = "squares", "soft_l1", "huber", "largest"
LOSSES = (SQUARES, SOFT, HUBER, LARGEST)
sqrt = FUNCTIONS["sqrt"]


def softened(residual: Any, scale: Fraction) -> Any:
    """The row of soft_l1."""
    return residual * sqrt(2 / (1 + sqrt(1 + (residual / scale) ** 2)))


def flattened(residual: Any, scale: Fraction, side: int) -> Any:
    """The row of huber, where the residual is within the scale (0), above it (1) or below its negative (-1)."""
    return residual if side == 0 else sqrt(2 * scale * side * residual - scale**2)


def check_loss(loss: str, scale: Fraction) -> None:
    """Raise InputError for one that is not known."""
    if loss not in LOSSES:
        raise InputError(f"there is no loss {loss!r}; choose {', '.join(LOSSES)}")
    if scale <= 0:
        raise InputError(f"the scale of the loss is {float(scale):g}; it must be positive, in the unit of y")
