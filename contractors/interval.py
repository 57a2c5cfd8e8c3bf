"""Intervals at the prompt: a value class with the operations of IEEE 1788-2015 for closed intervals of reals with
double ends.

    >>> from certify.interval import Interval, sin, reverse_sine
    >>> x = Interval("0.1", 2)
    >>> x * x - 2 * x
    Interval(-3.99, 3.8000000000000003)
    >>> reverse_sine(Interval(0, "0.5"), Interval(1, 4))
    Interval(2.6179938779914935, 3.141592653589794)
    >>> print(f"{sin(x):.3f}", 1 in x, x & Interval(1, 3), x | 5)
    [0.099, 1.000] True [1.0, 2.0] [0.09999999999999999, 5.0]

An interval is the set of *reals* between its ends; an infinite end means that there is no bound. A function of
intervals encloses its values at the points at which it is defined (the empty interval if there are none).
`reverse_f(c, x)` encloses the points of x that f takes into c, and keeps all of them.

Numbers are taken exactly: an int, a float, a Fraction or a Decimal as what it is, a text as the decimal that is
written. What is no double is enclosed between its two neighbours, so that Interval("0.1") contains one tenth, and
Interval(0.1) only the double that Python calls 0.1.

Ends of + - * / sqr, sqrt and fma are the tightest doubles (one more next to the least and largest doubles), integer
results of these and of powers and roots are exact; ends of the other functions are at most two doubles from the
tightest, three where they are subnormal. The kernels are those of `images`, `powers` and `preimages`, which
derive these bounds. Floor, ceil, truncation and rounding are exact.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.images import images, preimages
from certify.contractors.interval_texts import (
    FORM,
    Exact,
    decimals,
    enclosed,
    is_infinite,
    literal,
    parsed,
    stated,
    written,
)
from certify.contractors.numbers import powers
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.numbers.rounded import INFINITY, LARGEST
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape import function_kernels

__all__ = [  # noqa: RUF022 - in lines
    "EMPTY", "ENTIRE", "Interval", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cancel_minus",
    "cancel_plus", "cbrt", "ceil", "cos", "cosh", "disjoint", "exp", "exp10", "exp2", "floor", "fma", "interior",
    "less", "log", "log10", "log2", "max", "min", "pow", "pown", "precedes", "recip", "reverse_absolute",
    "reverse_add", "reverse_arccosine", "reverse_arcsine", "reverse_arctangent", "reverse_atan2_x", "reverse_atan2_y",
    "reverse_cosine", "reverse_divide_left", "reverse_divide_right", "reverse_exponential",
    "reverse_hyperbolic_cosine", "reverse_hyperbolic_sine", "reverse_hyperbolic_tangent", "reverse_integer_power",
    "reverse_inverse_hyperbolic_cosine", "reverse_inverse_hyperbolic_sine", "reverse_inverse_hyperbolic_tangent",
    "reverse_logarithm", "reverse_max", "reverse_min", "reverse_multiply", "reverse_multiply_to_pair",
    "reverse_power_base", "reverse_power_exponent", "reverse_sign", "reverse_sine", "reverse_square",
    "reverse_square_root", "reverse_subtract_left", "reverse_subtract_right", "reverse_tangent", "root", "rootn",
    "round_to_away", "round_to_even", "sign", "sin", "sinh", "sqr", "sqrt",
    "strictly_less", "strictly_precedes", "subset", "tan", "tanh", "trunc",
]  # fmt: skip
_BESIDES = {
    operation.name.lower(): operation
    for operation in function_kernels.FUNCTIONS
    if operation.name.lower() not in __all__
}
__all__ += [name for function in _BESIDES for name in (function, f"reverse_{function}")]

Number = int | float | Fraction | Decimal | str | np.integer[Any]


class Interval:
    """The reals between `lower` and `upper`; immutable. Interval(1, 2), Interval("0.1"), Interval("[0.1, 0.2]"), EMPTY,
    ENTIRE.
    """

    __slots__ = ("lower", "upper")
    __array_ufunc__ = None  # numpy leaves its operators to ours
    lower: float
    upper: float

    def __init__(self, lower: Number | Interval, upper: Number | None = None) -> None:
        first, last = exact_ends(lower, upper)
        low, high = enclosed(first)[0], enclosed(last)[1]
        object.__setattr__(self, "lower", low + 0.0)  # a zero loses its sign
        object.__setattr__(self, "upper", high + 0.0)

    @classmethod
    def parse(cls, text: str) -> Interval:
        """The interval that a text states, such as [0.1, 2.5e3], [1/3], [-inf, 2], [empty], or 3.56?2 (plus or minus 2
        in the last place).

        Raises ValueError, the standard's UndefinedOperation, for any other text, also for ends in the wrong order,
        which are compared exactly.
        """
        return _of(*parsed(text))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an interval does not change; make another one")

    def __repr__(self) -> str:
        """What makes the same interval again."""
        return "EMPTY" if self.is_empty else f"Interval({self.lower!r}, {self.upper!r})"

    def __str__(self) -> str:
        """[lower, upper] in decimals that enclose the interval, as short as possible up to 17 digits."""
        return (
            "[empty]"
            if self.is_empty
            else f"[{written(self.lower, ROUND_FLOOR)}, {written(self.upper, ROUND_CEILING)}]"
        )

    def __format__(self, form: str) -> str:
        """f"{x:.3f}" or f"{x:.3e}": so many decimals, rounded outwards; without a form as str does."""
        if not form or self.is_empty:
            return str(self)
        match = FORM.fullmatch(form)
        if match is None:
            raise ValueError(f"an interval has no format {form!r}; write such as .3f or .3e")
        return f"[{decimals(self.lower, match, ROUND_FLOOR)}, {decimals(self.upper, match, ROUND_CEILING)}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return _of, (self.lower, self.upper)

    def __eq__(self, other: object) -> bool:
        """The same set."""
        return isinstance(other, Interval) and self.lower == other.lower and self.upper == other.upper

    def __hash__(self) -> int:
        """Equal intervals have the same."""
        return hash((self.lower, self.upper))

    def __contains__(self, value: Number | Interval) -> bool:
        """Whether a real number, or every point of an interval, lies in this one."""
        if isinstance(value, Interval):
            return subset(value, self)
        number = _exact(value)
        return not is_infinite(number) and self.lower <= number <= self.upper

    @property
    def is_empty(self) -> bool:
        """Whether it has no point."""
        return self.lower > self.upper

    @property
    def is_entire(self) -> bool:
        """Whether every real number lies in it."""
        return self.lower == -INFINITY and self.upper == INFINITY

    @property
    def is_point(self) -> bool:
        """Whether it has exactly one point."""
        return self.lower == self.upper

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are finite; the empty interval is bounded."""
        return self.is_empty or (self.lower > -INFINITY and self.upper < INFINITY)

    @property
    def width(self) -> float:
        """upper - lower, rounded upwards; NaN for the empty interval."""
        return math.nan if self.is_empty else float(images.subtract(self.upper, self.upper, self.lower, self.lower)[1])

    @property
    def mid(self) -> float:
        """The double nearest to the middle; 0 for ENTIRE, the largest double of its sign for a half-line, NaN for the
        empty interval.
        """
        if self.is_empty:
            return math.nan
        if self.is_entire:
            return 0.0
        if not self.is_bounded:
            return LARGEST if self.upper == INFINITY else -LARGEST
        return float((Fraction(self.lower) + Fraction(self.upper)) / 2)

    @property
    def rad(self) -> float:
        """The least double r with the interval in [mid - r, mid + r]; NaN for the empty interval."""
        if self.is_empty or not self.is_bounded:
            return math.nan if self.is_empty else INFINITY
        middle = Fraction(self.mid)
        return enclose_rational(builtins.max(middle - Fraction(self.lower), Fraction(self.upper) - middle))[1]

    @property
    def mag(self) -> float:
        """The largest |x|; NaN for the empty interval."""
        return math.nan if self.is_empty else builtins.max(builtins.abs(self.lower), builtins.abs(self.upper))

    @property
    def mig(self) -> float:
        """The least |x|; NaN for the empty interval."""
        return math.nan if self.is_empty else builtins.max(0.0, self.lower, -self.upper)

    def __pos__(self) -> Interval:
        return self

    def __neg__(self) -> Interval:
        return _call(images.negate, self)

    def __abs__(self) -> Interval:
        return _call(images.absolute, self)

    def __add__(self, other: Number | Interval) -> Interval:
        return _call(images.add, self, other)

    def __radd__(self, other: Number) -> Interval:
        return _call(images.add, other, self)

    def __sub__(self, other: Number | Interval) -> Interval:
        return _call(images.subtract, self, other)

    def __rsub__(self, other: Number) -> Interval:
        return _call(images.subtract, other, self)

    def __mul__(self, other: Number | Interval) -> Interval:
        return _call(images.multiply, self, other)

    def __rmul__(self, other: Number) -> Interval:
        return _call(images.multiply, other, self)

    def __truediv__(self, other: Number | Interval) -> Interval:
        return _call(images.divide, self, other)

    def __rtruediv__(self, other: Number) -> Interval:
        return _call(images.divide, other, self)

    def __pow__(self, exponent: Number | Interval) -> Interval:
        """x ** n for an integer number n is the integer power of all x; any other exponent is the real power, of x > 0
        (and 0^y = 0 for y > 0).
        """
        if not isinstance(exponent, Interval):
            number = _exact(exponent)
            if isinstance(number, Fraction) and number.denominator == 1:
                return pown(self, number.numerator)
        return pow(self, exponent)

    def __rpow__(self, base: Number) -> Interval:
        return pow(base, self)

    def __and__(self, other: Number | Interval) -> Interval:
        """The points of both."""
        return _call(images.meet, self, other)

    def __or__(self, other: Number | Interval) -> Interval:
        """The least interval with all points of both."""
        return _call(images.hull, self, other)

    __rand__, __ror__ = __and__, __or__


def exact_ends(lower: Number | Interval, upper: Number | None = None) -> tuple[Exact, Exact]:
    """The ends of Interval(lower, upper) before they are rounded outwards."""
    if upper is None and isinstance(lower, Interval):
        low, high = (end if math.isinf(end) else Fraction(end) for end in (lower.lower, lower.upper))
        return low, high
    if upper is None and isinstance(lower, str):
        return stated(lower)
    first, last = _exact(lower), _exact(lower if upper is None else upper)
    if first > last or first == INFINITY or last == -INFINITY:
        raise ValueError(
            f"no real number lies between {lower} and {lower if upper is None else upper}; write EMPTY for "
            f"the empty interval"
        )
    return first, last


def _of(low: float, high: float) -> Interval:
    """The interval with these ends, empty if they are in the wrong order."""
    made = Interval.__new__(Interval)
    object.__setattr__(made, "lower", float(low) + 0.0 if low <= high else INFINITY)
    object.__setattr__(made, "upper", float(high) + 0.0 if low <= high else -INFINITY)
    return made


EMPTY = _of(INFINITY, -INFINITY)
ENTIRE = _of(-INFINITY, INFINITY)


def _exact(value: Number | Interval) -> Exact:
    """A number as a Fraction, or as an infinite float."""
    if isinstance(value, str):
        return literal(value.strip())
    if isinstance(value, (float, Decimal)) and not math.isfinite(value):
        if value != value:
            raise ValueError("NaN is no number")
        return float(value)
    if isinstance(value, np.integer):
        return Fraction(int(value))
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, Decimal)):
        raise TypeError(f"{value!r} is no number; write an int, a float, a Fraction, a Decimal, a text or an Interval")
    return Fraction(value)


def _interval(value: Number | Interval) -> Interval:
    return value if isinstance(value, Interval) else Interval(value)


def _call(
    kernel: Callable[..., tuple[float, float]], *operands: Number | Interval, last: tuple[float, ...] = ()
) -> Interval:
    """The kernel on the ends of the operands, and then on plain numbers."""
    require_nearest()
    ends = [end for operand in map(_interval, operands) for end in (operand.lower, operand.upper)]
    return _of(*kernel(*ends, *last))


def subset(x: Interval, y: Interval) -> bool:
    """Every point of x lies in y."""
    return x.is_empty or (y.lower <= x.lower and x.upper <= y.upper)


def interior(x: Interval, y: Interval) -> bool:
    """Every point of x lies in y, and not at an end of y."""

    def inside(first: float, second: float) -> bool:
        return first < second or first == second == INFINITY

    return x.is_empty or (inside(-x.lower, -y.lower) and inside(x.upper, y.upper))


def disjoint(x: Interval, y: Interval) -> bool:
    """No point lies in both."""
    return x.is_empty or y.is_empty or x.upper < y.lower or y.upper < x.lower


def less(x: Interval, y: Interval) -> bool:
    """For every point of x one of y is at or above it, and for every one of y one of x is at or below it."""
    return (x.is_empty and y.is_empty) or (
        not x.is_empty and not y.is_empty and x.lower <= y.lower and x.upper <= y.upper
    )


def strictly_less(x: Interval, y: Interval) -> bool:
    """For every point of x one of y is above it, and for every one of y one of x is below it."""
    if x.is_empty or y.is_empty:
        return x.is_empty and y.is_empty
    return (x.lower < y.lower or x.lower == y.lower == -INFINITY) and (
        x.upper < y.upper or x.upper == y.upper == INFINITY
    )


def precedes(x: Interval, y: Interval) -> bool:
    """No point of y is below one of x."""
    return x.is_empty or y.is_empty or x.upper <= y.lower


def strictly_precedes(x: Interval, y: Interval) -> bool:
    """Every point of x is below every one of y."""
    return x.is_empty or y.is_empty or x.upper < y.lower


Unary = Callable[[Number | Interval], Interval]
Reverse = Callable[..., Interval]


def _function(kernel: Callable[..., tuple[float, float]], text: str, *last: float) -> Unary:
    def function(x: Number | Interval) -> Interval:
        return _call(kernel, x, last=last)

    function.__doc__ = text
    return function


sqr = _function(images.square, "x squared")
sqrt = _function(images.square_root, "The square root of x >= 0")
exp = _function(images.exponential, "e to the power x")
log = _function(images.natural_logarithm, "The natural logarithm of x > 0")
exp2 = _function(powers.exponential_to_base, "2 to the power x", 2.0)
exp10 = _function(powers.exponential_to_base, "10 to the power x", 10.0)
log2 = _function(powers.logarithm_to_base, "The logarithm of x > 0 to the base 2", 2.0)
log10 = _function(powers.logarithm_to_base, "The logarithm of x > 0 to the base 10", 10.0)
cbrt = _function(images.root, "The third root of x", 3)
sin = _function(images.sine, "The sine of x in radians")
cos = _function(images.cosine, "The cosine of x in radians")
tan = _function(images.tangent, "The tangent of x in radians")
asin = _function(images.arcsine, "The angle in [-pi/2, pi/2] with the sine x")
acos = _function(images.arccosine, "The angle in [0, pi] with the cosine x")
atan = _function(images.arctangent, "The angle in (-pi/2, pi/2) with the tangent x")
sinh = _function(images.hyperbolic_sine, "The hyperbolic sine of x")
cosh = _function(images.hyperbolic_cosine, "The hyperbolic cosine of x")
tanh = _function(images.hyperbolic_tangent, "The hyperbolic tangent of x")
asinh = _function(images.inverse_hyperbolic_sine, "The number with the hyperbolic sine x")
acosh = _function(images.inverse_hyperbolic_cosine, "The number >= 0 with the hyperbolic cosine x")
atanh = _function(images.inverse_hyperbolic_tangent, "The number with the hyperbolic tangent x")
abs = _function(images.absolute, "|x|")
sign = _function(images.sign, "-1, 0 or 1")


def _stepwise(step: Callable[[float], float], text: str) -> Unary:
    def function(x: Number | Interval) -> Interval:
        x = _interval(x)
        return x if x.is_empty else _of(*(end if math.isinf(end) else float(step(end)) for end in (x.lower, x.upper)))

    function.__doc__ = text
    return function


def _to_even(value: float) -> float:
    return float(builtins.round(Fraction(value)))


def _to_away(value: float) -> float:
    return math.copysign(float(math.floor(builtins.abs(Fraction(value)) + Fraction(1, 2))), value)


floor = _stepwise(math.floor, "The largest integer <= x")
ceil = _stepwise(math.ceil, "The least integer >= x")
trunc = _stepwise(math.trunc, "The integer next to x towards 0")
round_to_even = _stepwise(_to_even, "The integer nearest to x, halves to the even one")
round_to_away = _stepwise(_to_away, "The integer nearest to x, halves away from 0")


def recip(x: Number | Interval) -> Interval:
    """1 / x"""
    return _call(images.divide, 1, x)


def pown(x: Number | Interval, n: int) -> Interval:
    """x^n for an integer |n| < 2^53; x^0 = 1; for n < 0 of x != 0."""
    return _call(images.integer_power, x, last=(_integer(n),))


def rootn(x: Number | Interval, n: int) -> Interval:
    """The n-th root, n != 0: of x >= 0 for even n, of all x for odd n; for n < 0 its reciprocal, of x != 0."""
    if _integer(n) == 0:
        raise ValueError("there is no root of order 0")
    if n > 0:
        return _call(images.root, x, last=(n,))
    x = _interval(x)  # decreasing on either side of 0
    return reverse_integer_power(x, _of(0.0, INFINITY), n) if n % 2 == 0 else reverse_integer_power(x, ENTIRE, n)


root = rootn


def _integer(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or not -(2**53) < n < 2**53:
        raise ValueError(f"{n!r} is no integer between -2^53 and 2^53")
    return n


def pow(x: Number | Interval, y: Number | Interval) -> Interval:
    """x^y for x > 0, and 0^y = 0 for y > 0."""
    return _call(images.real_power, x, y)


def atan2(y: Number | Interval, x: Number | Interval) -> Interval:
    """The angle in (-pi, pi] of the point (x, y), not both 0."""
    return _call(images.arctangent2, y, x)


def min(x: Number | Interval, y: Number | Interval) -> Interval:
    """The lesser of two numbers"""
    return _call(images.minimum, x, y)


def max(x: Number | Interval, y: Number | Interval) -> Interval:
    """The greater of two numbers"""
    return _call(images.maximum, x, y)


def _exact_product(first: float, second: float) -> Exact:
    if first == 0.0 or second == 0.0:
        return Fraction(0)
    return first * second if math.isinf(first) or math.isinf(second) else Fraction(first) * Fraction(second)


def fma(x: Number | Interval, y: Number | Interval, z: Number | Interval) -> Interval:
    """x y + z, rounded once"""
    x, y, z = _interval(x), _interval(y), _interval(z)
    if x.is_empty or y.is_empty or z.is_empty:
        return EMPTY
    products = [_exact_product(u, v) for u in (x.lower, x.upper) for v in (y.lower, y.upper)]
    low, high = builtins.min(products), builtins.max(products)
    return _of(
        -INFINITY
        if is_infinite(low) or math.isinf(z.lower)
        else enclose_rational(Fraction(low) + Fraction(z.lower))[0],
        INFINITY
        if is_infinite(high) or math.isinf(z.upper)
        else enclose_rational(Fraction(high) + Fraction(z.upper))[1],
    )


def cancel_minus(x: Interval, y: Interval) -> Interval:
    """The least z with x in y + z, where that is unique: x and y bounded, x at least as wide as y. ENTIRE elsewhere,
    EMPTY for an empty x.
    """
    if x.is_empty and y.is_bounded:
        return EMPTY
    if x.is_empty or y.is_empty or not (x.is_bounded and y.is_bounded):
        return ENTIRE
    if Fraction(x.upper) - Fraction(x.lower) < Fraction(y.upper) - Fraction(y.lower):
        return ENTIRE
    low, high = _call(images.subtract, x.lower, y.lower).lower, _call(images.subtract, x.upper, y.upper).upper
    return _of(low, high)


def cancel_plus(x: Interval, y: Interval) -> Interval:
    """cancel_minus(x, -y)"""
    return cancel_minus(x, -y)


def _one_further(result: Interval, x: Interval) -> Interval:
    """Ends that were moved into x go back by one double, 0 excepted.

    Published vectors of these functions were rounded twice, and are to be contained.
    """
    if result.is_empty:
        return result
    low = math.nextafter(result.lower, -INFINITY) if result.lower > x.lower and result.lower else result.lower
    high = math.nextafter(result.upper, INFINITY) if result.upper < x.upper and result.upper else result.upper
    return _of(low, high)


def _reverse(kernel: Callable[..., tuple[float, float]], text: str, further: bool = False) -> Reverse:
    def function(c: Number | Interval, x: Number | Interval = ENTIRE) -> Interval:
        x = _interval(x)
        result = _call(kernel, c, x)
        return _one_further(result, x) if further else result

    function.__doc__ = text
    return function


reverse_square = _reverse(preimages.reverse_square, "The u in x with u^2 in c")
reverse_square_root = _reverse(preimages.reverse_square_root, "The u in x with sqrt(u) in c")
reverse_absolute = _reverse(preimages.reverse_absolute, "The u in x with |u| in c")
reverse_sign = _reverse(preimages.reverse_sign, "The u in x with sign(u) in c")
reverse_exponential = _reverse(preimages.reverse_exponential, "The u in x with exp(u) in c")
reverse_logarithm = _reverse(preimages.reverse_logarithm, "The u in x with log(u) in c")
reverse_sine = _reverse(preimages.reverse_sine, "The u in x with sin(u) in c", further=True)
reverse_cosine = _reverse(preimages.reverse_cosine, "The u in x with cos(u) in c", further=True)
reverse_tangent = _reverse(preimages.reverse_tangent, "The u in x with tan(u) in c", further=True)
reverse_arcsine = _reverse(preimages.reverse_arcsine, "The u in x with asin(u) in c")
reverse_arccosine = _reverse(preimages.reverse_arccosine, "The u in x with acos(u) in c")
reverse_arctangent = _reverse(preimages.reverse_arctangent, "The u in x with atan(u) in c")
reverse_hyperbolic_sine = _reverse(preimages.reverse_hyperbolic_sine, "The u in x with sinh(u) in c")
reverse_hyperbolic_cosine = _reverse(preimages.reverse_hyperbolic_cosine, "The u in x with cosh(u) in c")
reverse_hyperbolic_tangent = _reverse(preimages.reverse_hyperbolic_tangent, "The u in x with tanh(u) in c")
reverse_inverse_hyperbolic_sine = _reverse(preimages.reverse_inverse_hyperbolic_sine, "The u in x with asinh(u) in c")
reverse_inverse_hyperbolic_cosine = _reverse(
    preimages.reverse_inverse_hyperbolic_cosine, "The u in x with acosh(u) in c"
)
reverse_inverse_hyperbolic_tangent = _reverse(
    preimages.reverse_inverse_hyperbolic_tangent, "The u in x with atanh(u) in c"
)


def __getattr__(name: str) -> Callable[..., Interval]:
    """What tapes know beside the functions of the standard: `erf`, say, and `reverse_erf`."""
    operation = _BESIDES.get(name.removeprefix("reverse_"))
    if operation is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("reverse_"):
        function = name.removeprefix("reverse_")
        return _reverse(
            lambda *ends: function_kernels.preimage(int(operation), *ends), f"The u in x with {function}(u) in c"
        )
    return _function(lambda *ends: function_kernels.image(int(operation), *ends)[:2], f"{name}(x)")


def reverse_integer_power(c: Number | Interval, x: Number | Interval, n: int) -> Interval:
    """The u in x with u^n in c"""
    require_nearest()
    c, x = _interval(c), _interval(x)
    result = _of(*preimages.reverse_integer_power(c.lower, c.upper, _integer(n), x.lower, x.upper))
    return _one_further(result, x) if n < 0 else result


def _reverse_of_two(kernel: Callable[..., tuple[float, float]], text: str) -> Reverse:
    def function(b: Number | Interval, c: Number | Interval, x: Number | Interval = ENTIRE) -> Interval:
        return _call(kernel, c, b, x)

    function.__doc__ = text
    return function


reverse_add = _reverse_of_two(preimages.reverse_add, "The u in x with u + v in c for some v in b")
reverse_subtract_left = _reverse_of_two(preimages.reverse_subtract_left, "The u in x with u - v in c for some v in b")
reverse_subtract_right = _reverse_of_two(preimages.reverse_subtract_right, "The u in x with v - u in c for some v in b")
reverse_multiply = _reverse_of_two(preimages.reverse_multiply, "The u in x with u v in c for some v in b")
reverse_divide_left = _reverse_of_two(preimages.reverse_divide_left, "The u in x with u / v in c for some v in b")
reverse_divide_right = _reverse_of_two(preimages.reverse_divide_right, "The u in x with v / u in c for some v in b")
reverse_power_base = _reverse_of_two(preimages.reverse_power_base, "The u in x with u^v in c for some v in b")
reverse_power_exponent = _reverse_of_two(preimages.reverse_power_exponent, "The u in x with v^u in c for some v in b")
reverse_atan2_y = _reverse_of_two(preimages.reverse_arctangent2_y, "The u in x with atan2(u, v) in c for some v in b")
reverse_atan2_x = _reverse_of_two(preimages.reverse_arctangent2_x, "The u in x with atan2(v, u) in c for some v in b")
reverse_min = _reverse_of_two(preimages.reverse_minimum, "The u in x with min(u, v) in c for some v in b")
reverse_max = _reverse_of_two(preimages.reverse_maximum, "The u in x with max(u, v) in c for some v in b")


def reverse_multiply_to_pair(b: Number | Interval, c: Number | Interval) -> tuple[Interval, Interval]:
    """The u with u v in c for some v in b, which may be two half-lines; the second is empty if there is one piece, both
    if there is none.
    """
    b, c = _interval(b), _interval(c)
    if b.is_empty or c.is_empty:
        return EMPTY, EMPTY
    if 0 in b and 0 in c:
        return ENTIRE, EMPTY
    if not b.lower < 0.0 < b.upper:
        return c / b, EMPTY
    halves = c / _of(b.lower, 0.0), c / _of(0.0, b.upper)
    return halves if c.lower > 0.0 else (halves[1], halves[0])
