"""Floats in code beside decimals in data: 0.1 is not the decimal 0.1, and who mixes both is told where.

    >>> Fraction(0.1) == Fraction("0.1")
    False

A model that is traced with `Watched` numbers warns at the line of its own code that uses such a float.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from certify.problems.formulas.expression import Expression

OURS = ("certify", "numpy")  # whose lines are not the caller's
DIGITS = 25


class FloatConstant(UserWarning):
    """A float in code beside decimals in data."""


@dataclass(frozen=True, eq=False)
class Watched(Expression):
    """A number of a model that is traced beside decimals: it warns of floats which are no short decimals."""

    def _other(self, value: Any) -> int:
        if is_inexact(value):
            _warn("the model uses", float(value), f"Fraction('{float(value)!r}')")
        return super()._other(value)


def watched(value: Any) -> Any:
    """A field of a model, number or vector, as `Watched`."""
    if isinstance(value, Expression):
        return Watched(value.builder, value.node)
    return np.array([watched(entry) for entry in value], dtype=object)


def warn_of_floats(named: Iterable[tuple[str, Any]]) -> None:
    """A warning for each number, or number in a list, that is given as a float which is no short decimal."""
    for what, value in named:
        for number in value if isinstance(value, (list, tuple)) else (value,):
            if is_inexact(number):
                _warn(f"{what} is", float(number), f"'{float(number)!r}' as text")


def is_decimal(value: Any) -> bool:
    """Whether a number is given as a decimal rather than as a double."""
    return isinstance(value, (str, Decimal))


def is_inexact(value: Any) -> bool:
    """Whether it is a float that the decimal which it prints as is not."""
    if not isinstance(value, (float, np.floating)) or not math.isfinite(value):
        return False
    return Fraction(repr(float(value))) != Fraction(float(value))


def _warn(told: str, value: float, remedy: str) -> None:
    """At the line of the caller's own code."""
    depth, frame = 1, sys._getframe(0)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in OURS:
        depth, frame = depth + 1, frame.f_back
    exactly = f"{Decimal(value):.{DIGITS}g}"
    message = f"{told} the float {value!r}, which is {exactly}..., beside decimals; write {remedy}"
    warnings.warn(message, FloatConstant, stacklevel=depth)
