"""Variables without bounds, folded into an interval: certificates are about finite boxes.

    all numbers      x = t / (1 - t^2)        t in [-1, 1]
    from a on        x = a + t / (1 - t)      t in [0, 1]
    up to b          x = b + t / (1 + t)      t in [-1, 0]

Each grows from one end of the numbers to the other, and is undefined where t is 1 or -1: so the solutions in t are
those in x, one for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder
from certify.problems.model.crude_range import Range
from certify.problems.systems.system import System

SUFFIX = ".t"  # of the name of a folded variable


@dataclass(frozen=True, slots=True)
class Fold:
    """The bounds of a variable, None where there are none."""

    low: Fraction | None
    high: Fraction | None

    @property
    def needed(self) -> bool:
        """Whether the variable is folded at all."""
        return self.low is None or self.high is None

    @property
    def bounds(self) -> Range:
        """Of t, or of the variable itself."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        return Fraction(-1 if self.low is None else 0), Fraction(1 if self.high is None else 0)

    def node(self, builder: Builder, t: int) -> int:
        """The variable, as a function of t."""
        if not self.needed:
            return t
        one = builder.constant(1)
        if self.low is None and self.high is None:
            return builder.div(t, builder.sub(one, builder.sqr(t)))
        divisor = builder.sub(one, t) if self.high is None else builder.add(one, t)
        return builder.add(builder.constant(self.low or self.high or 0), builder.div(t, divisor))

    def text(self, name: str) -> str:
        """What t stands for, in words."""
        t = f"{name}{SUFFIX}"
        if self.low is None and self.high is None:
            return f"{name} = {t}/(1 - {t}^2)"
        end, sign = (self.high, "+") if self.low is None else (self.low, "-")
        return f"{name} = {end} + {t}/(1 {sign} {t})"

    def place(self, x: Floats) -> Floats:
        """About where t is, for values of the variable."""
        if not self.needed:
            return x
        with np.errstate(invalid="ignore", over="ignore"):
            if self.low is None and self.high is None:
                found = 2.0 * x / (1.0 + np.sqrt(1.0 + 4.0 * x * x))
            else:
                away = x - float(self.low or self.high or 0)
                found = away / (1.0 + np.abs(away))
        return np.asarray(np.where(np.isfinite(found), found, np.sign(x)))


def folds(system: System) -> list[Fold]:
    """Of the variables of a system."""
    return [Fold(variable.lower, variable.upper) for variable in system.variables]
