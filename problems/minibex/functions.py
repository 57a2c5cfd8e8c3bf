"""The functions of Minibex by name, and the names that nobody may declare.

IBEX itself knows `ln` and writes powers with ^; `log`, `sqr`, `pow`, `sum` and the arc- names are accepted besides, and may be declared
as one's own names, since for IBEX they are free.
"""

from __future__ import annotations

from dataclasses import dataclass

from problems.formula import Operation


@dataclass(frozen=True, slots=True)
class Named:
    """An operation under a name; `most` None means any number of arguments."""

    operation: Operation
    least: int = 1
    most: int | None = 1

    @property
    def expects(self) -> str:
        """How many arguments it takes, for messages."""
        if self.most is None:
            return f"at least {self.least} arguments"
        return f"{self.least} argument{'s' if self.least > 1 else ''}"


OWN: dict[str, Named] = {
    "ln": Named(Operation.LOG),
    "atan2": Named(Operation.ATAN2, 2, 2),
    "min": Named(Operation.MIN, 2, None),
    "max": Named(Operation.MAX, 2, None),
    **{
        operation.value: Named(operation)
        for operation in (
            *(Operation.SQRT, Operation.EXP, Operation.ABS, Operation.SIGN),
            *(Operation.SIN, Operation.COS, Operation.TAN, Operation.ASIN, Operation.ACOS, Operation.ATAN),
            *(Operation.SINH, Operation.COSH, Operation.TANH, Operation.ASINH, Operation.ACOSH, Operation.ATANH),
        )
    },
}
BESIDES: dict[str, Named] = {
    "log": Named(Operation.LOG),
    "arcsin": Named(Operation.ASIN),
    "arccos": Named(Operation.ACOS),
    "arctan": Named(Operation.ATAN),
    "arctan2": Named(Operation.ATAN2, 2, 2),
    "pow": Named(Operation.POWER, 2, 2),
}
OPERATIONS = OWN | BESIDES
SQUARE, SUM = "sqr", "sum"
ENDS = frozenset({"inf", "mid", "sup"})  # of a constant interval
UNSUPPORTED = frozenset({"chi", "diff"})
JUMPING = frozenset({"ceil", "floor", "integer"})  # of IBEX, for problems over the integers
FUNCTIONS = frozenset(OPERATIONS) | ENDS | UNSUPPORTED | {SQUARE, SUM}

RESERVED = frozenset(OWN) | ENDS | UNSUPPORTED | {"oo"}
