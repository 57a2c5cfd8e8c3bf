"""The table of functions: one row each, for problem files, Minibex and Python alike.

A row says what the function is called, which operation of a tape it is (there are its range, projection and derivative:
`certify.contractors.tape.function_kernels`), and what else is known of it:

    of_floats   its value for floats or numpy's arrays
    dimension   what becomes of lengths, angles and numbers (`lengths`)
    exact       its value for rational operands, where that is rational
    ends        its range over intervals of rational numbers, in integers (`ranges`), for the ends of a Minibex domain
    form        what certificates state in its place where their language does not have it (`forms`);
    one_sided   the same where its operands are known to stay on one side of 0
    everywhere  where all its values lie, roughly

IBEX reserves the names `ibex`; the others may be declared as one's own in a Minibex file. A problem file may declare
the names of functions that came `later` than the first problem files, and the `others`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from certify.contractors.numbers.exact_constants import P
from certify.contractors.tape.tape import Builder, Operation
from certify.problems.functions import forms, powers, ranges
from certify.problems.functions.powers import Powers
from certify.problems.functions.series import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A row of the table; called, it is the function of floats, of traced expressions or of dimensions."""

    name: str
    operation: Operation
    of_floats: Callable[..., Any]
    dimension: Callable[..., Powers] = powers.of_number
    operands: int = 1
    many: bool = False  # or any number more
    ibex: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    later: bool = False
    exact: Callable[..., Fraction] | None = None
    ends: Callable[..., Range] | None = None
    form: Callable[..., int] | None = None
    one_sided: Callable[..., int | None] | None = None
    everywhere: tuple[int, int] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, its own first."""
        return tuple(dict.fromkeys((self.name, *self.ibex, *self.others)))

    @property
    def expects(self) -> str:
        """How many operands it takes, for messages."""
        return f"at least {self.operands}" if self.many else str(self.operands)

    def takes(self, count: int) -> bool:
        """Whether it has a value for so many operands."""
        return count == self.operands or (self.many and count > self.operands)

    def __call__(self, *values: Any) -> Any:
        """Its value; angles are in radians."""
        if not self.takes(len(values)):
            raise TypeError(f"{self.name} takes {self.expects} values, here are {len(values)}")
        for value in values:
            if isinstance(value, Powers):
                return self.dimension(*values)
            if hasattr(value, "applied"):
                return value.applied(self.operation, values)
        return self.of_floats(*values)


def _least(*values: Any) -> Any:
    return reduce(np.minimum, values)


def _greatest(*values: Any) -> Any:
    return reduce(np.maximum, values)


def _erf(values: Any) -> Any:
    if np.ndim(values) == 0:
        return math.erf(values)
    return np.reshape([math.erf(value) for value in np.ravel(values)], np.shape(values))


def _range_of_erf(operand: Range) -> Range:
    """It grows."""
    return _erf_at(operand[0])[0], _erf_at(operand[1])[1]


def _erf_at(x: Fraction) -> Range:
    """Between erf of the neighbours on a grid, with the errors of both; odd, and 1 up to 2^-300 from 16 on."""
    from certify.contractors.numbers import error_function as numbers  # with the kernels, which few files need

    if x <= 0:
        low, high = _erf_at(-x) if x else (Fraction(0), Fraction(0))
        return -high, -low
    if x >= numbers.LARGEST:
        return 1 - Fraction(1, 1 << 300), Fraction(1)
    under, above = math.floor(x * (1 << P)), math.ceil(x * (1 << P))
    least, most = numbers.exact(under)[0] - numbers.ERROR, numbers.exact(above)[0] + numbers.ERROR
    return max(Fraction(least, 1 << P), Fraction(0)), min(Fraction(most, 1 << P), Fraction(1))


ROWS = (
    Function(name="sqrt", operation=Operation.SQRT, of_floats=np.sqrt, dimension=powers.root, ibex=("sqrt",)),
    Function(name="sqr", operation=Operation.SQR, of_floats=np.square, dimension=powers.square),
    Function(
        name="sin",
        operation=Operation.SIN,
        of_floats=np.sin,
        dimension=powers.of_angle,
        ibex=("sin",),
        ends=ranges.sine,
        everywhere=(-1, 1),
    ),
    Function(
        name="cos",
        operation=Operation.COS,
        of_floats=np.cos,
        dimension=powers.of_angle,
        ibex=("cos",),
        ends=ranges.cosine,
        everywhere=(-1, 1),
    ),
    Function(
        name="tan", operation=Operation.TAN, of_floats=np.tan, ibex=("tan",), ends=ranges.tangent, form=forms.tangent
    ),
    Function(
        name="asin",
        operation=Operation.ASIN,
        of_floats=np.arcsin,
        ibex=("asin",),
        others=("arcsin",),
        ends=ranges.arcsine,
        form=forms.arcsine,
    ),
    Function(
        name="acos",
        operation=Operation.ACOS,
        of_floats=np.arccos,
        ibex=("acos",),
        others=("arccos",),
        ends=ranges.arccosine,
        form=forms.arccosine,
    ),
    Function(
        name="atan",
        operation=Operation.ATAN,
        of_floats=np.arctan,
        ibex=("atan",),
        others=("arctan",),
        ends=ranges.arctangent,
        everywhere=(-2, 2),
    ),
    Function(name="exp", operation=Operation.EXP, of_floats=np.exp, ibex=("exp",), ends=ranges.exponential),
    Function(name="log", operation=Operation.LOG, of_floats=np.log, ibex=("ln",), ends=ranges.logarithm),
    Function(
        name="sinh",
        operation=Operation.SINH,
        of_floats=np.sinh,
        ibex=("sinh",),
        ends=ranges.hyperbolic_sine,
        form=forms.hyperbolic_sine,
    ),
    Function(
        name="cosh",
        operation=Operation.COSH,
        of_floats=np.cosh,
        ibex=("cosh",),
        ends=ranges.hyperbolic_cosine,
        form=forms.hyperbolic_cosine,
    ),
    Function(
        name="tanh",
        operation=Operation.TANH,
        of_floats=np.tanh,
        ibex=("tanh",),
        ends=ranges.hyperbolic_tangent,
        form=forms.hyperbolic_tangent,
    ),
    Function(
        name="asinh",
        operation=Operation.ASINH,
        of_floats=np.arcsinh,
        ibex=("asinh",),
        ends=ranges.inverse_hyperbolic_sine,
        form=forms.inverse_hyperbolic_sine,
    ),
    Function(
        name="acosh",
        operation=Operation.ACOSH,
        of_floats=np.arccosh,
        ibex=("acosh",),
        ends=ranges.inverse_hyperbolic_cosine,
        form=forms.inverse_hyperbolic_cosine,
    ),
    Function(
        name="atanh",
        operation=Operation.ATANH,
        of_floats=np.arctanh,
        ibex=("atanh",),
        ends=ranges.inverse_hyperbolic_tangent,
        form=forms.inverse_hyperbolic_tangent,
    ),
    Function(
        name="abs",
        operation=Operation.ABS,
        of_floats=np.abs,
        dimension=powers.same,
        ibex=("abs",),
        later=True,
        exact=abs,
        ends=ranges.absolute,
        form=forms.absolute,
    ),
    Function(
        name="sign",
        operation=Operation.SIGN,
        of_floats=np.sign,
        dimension=powers.of_anything,
        ibex=("sign",),
        later=True,
        exact=lambda a: Fraction((a > 0) - (a < 0)),
        ends=ranges.sign,
        one_sided=forms.jump,
    ),
    Function(
        name="min",
        operation=Operation.MIN,
        of_floats=_least,
        dimension=powers.one_of,
        operands=2,
        many=True,
        ibex=("min",),
        later=True,
        exact=min,
        ends=ranges.least,
        form=forms.minimum,
    ),
    Function(
        name="max",
        operation=Operation.MAX,
        of_floats=_greatest,
        dimension=powers.one_of,
        operands=2,
        many=True,
        ibex=("max",),
        later=True,
        exact=max,
        ends=ranges.greatest,
        form=forms.maximum,
    ),
    Function(
        name="atan2",
        operation=Operation.ATAN2,
        of_floats=np.arctan2,
        dimension=powers.between,
        operands=2,
        ibex=("atan2",),
        others=("arctan2",),
        later=True,
        ends=ranges.angle,
        one_sided=forms.angle,
    ),
    Function(
        name="pow",
        operation=Operation.POWER,
        of_floats=operator.pow,
        dimension=powers.of_numbers,
        operands=2,
        later=True,
        ends=ranges.power,
        one_sided=forms.power,
    ),
    Function(name="erf", operation=Operation.ERF, of_floats=_erf, later=True, ends=_range_of_erf, everywhere=(-1, 1)),
)
FUNCTIONS = {name: row for row in ROWS for name in row.names}
OF_OPERATIONS = {row.operation: row for row in ROWS}


def enclosed(operation: Operation, operands: list[Range]) -> Range | None:
    """The range of a function over rational intervals, rounded outwards unless it is rational; None where it has none,
    or none is known.
    """
    row = OF_OPERATIONS.get(operation)
    return None if row is None or row.ends is None else ranges.outwards(row.ends, operands, row.exact is None)


def form_of(builder: Builder, operation: Operation, operands: list[int], sign: forms.Sign) -> int | None:
    """What certificates state in the place of a function; None if they cannot, or only where the signs of its operands
    were known.
    """
    row = OF_OPERATIONS.get(operation)
    if row is None:
        return None
    if row.one_sided is not None:
        return row.one_sided(builder, sign, *operands[: row.operands])
    return None if row.form is None else row.form(builder, *operands[: row.operands])
