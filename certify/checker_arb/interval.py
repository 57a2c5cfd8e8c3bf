"""Intervals whose two ends are balls of Arb.

An interval is a pair (low, high) of narrow balls. It stands for every set that lies between *some* number of the
ball `low` and *some* number of the ball `high`. So an end may be computed by ball arithmetic without a thought for its
rounding, and a wide interval has ends as sharp as the precision. One wide ball would not do: a product of balls loses
the ends of the product of intervals, and Arb keeps 30 bits of a radius. (All certificates of the demo fail so.)

Where both ends are the same object the interval is one ball (a number, known as well as the precision allows), and one
operation does.

Comparisons of Arb's balls are true only if they hold for all their numbers. So a condition is always asked for, never
its contrary.
"""

from __future__ import annotations

from flint import arb, fmpq

from .outcome import Undefined

Interval = tuple[arb, arb]

LARGEST_BITS = 8_192

ZERO = arb(0)
ONE = arb(1)
TWO = arb(2)
HALF = arb((1, -1))
LARGEST = arb((1, LARGEST_BITS))
MINUS_LARGEST = arb((-1, LARGEST_BITS))
SMALLEST = arb((1, -LARGEST_BITS))
MINUS_SMALLEST = arb((-1, -LARGEST_BITS))
TOO_LARGE = arb(5_679)  # e to this power is beyond 2^8192

NOTHING: Interval = (ZERO, ZERO)
UNIT: Interval = (ONE, ONE)
MINUS_ONE = arb(-1)
MINUS_UNIT: Interval = (MINUS_ONE, MINUS_ONE)
UP_TO_ONE: Interval = (MINUS_ONE, ONE)


def ball(value: fmpq) -> arb:
    """A rational number in one ball."""
    return arb(value)


def thin(value: fmpq) -> Interval:
    """A rational number."""
    point = arb(value)
    return point, point


def between(low: fmpq, high: fmpq) -> Interval:
    """The numbers from `low` to `high`."""
    first = arb(low)
    return (first, first) if low == high else (first, arb(high))


def add(a: Interval, b: Interval) -> Interval:
    """a + b."""
    low = a[0] + b[0]
    if a[0] is a[1] and b[0] is b[1]:
        return low, low
    return low, a[1] + b[1]


def subtract(a: Interval, b: Interval) -> Interval:
    """a - b."""
    low = a[0] - b[1]
    if a[0] is a[1] and b[0] is b[1]:
        return low, low
    return low, a[1] - b[0]


def negative(a: Interval) -> Interval:
    """-a."""
    low = -a[1]
    return (low, low) if a[0] is a[1] else (low, -a[0])


def scaled(k: arb, b: Interval) -> Interval:
    """k b for one number k."""
    low, high = k * b[0], k * b[1]
    if k >= ZERO:
        return low, high
    if k <= ZERO:
        return high, low
    return low.min(high), low.max(high)


def multiply(a: Interval, b: Interval) -> Interval:
    """a b: by the signs where they are certain, else the extremes of the four products."""
    a0, a1 = a
    b0, b1 = b
    if a0 is a1:
        if b0 is b1:
            low = a0 * b0
            return low, low
        return scaled(a0, b)
    if b0 is b1:
        return scaled(b0, a)
    if a0 >= ZERO:
        if b0 >= ZERO:
            return a0 * b0, a1 * b1
        if b1 <= ZERO:
            return a1 * b0, a0 * b1
        if b0 <= ZERO and b1 >= ZERO:
            return a1 * b0, a1 * b1
    elif a1 <= ZERO:
        low, high = multiply((-a1, -a0), b)
        return -high, -low
    elif b0 >= ZERO and a0 <= ZERO and a1 >= ZERO:
        return a0 * b1, a1 * b1
    products = (a0 * b0, a0 * b1, a1 * b0, a1 * b1)
    low = high = products[0]
    for product in products[1:]:
        low, high = low.min(product), high.max(product)
    return low, high


def square(a: Interval) -> Interval:
    """The squares of the numbers of a."""
    a0, a1 = a
    if a0 is a1:
        low = a0 * a0
        return (low, low) if a0 >= ZERO or a0 <= ZERO else (ZERO, low)
    if a0 >= ZERO:
        return a0 * a0, a1 * a1
    if a1 <= ZERO:
        return a1 * a1, a0 * a0
    return ZERO, (a0 * a0).max(a1 * a1)


def meet(a: Interval, b: Interval) -> Interval:
    """An interval for whatever lies in both."""
    return a if a[0] is a[1] else (a[0].max(b[0]), a[1].min(b[1]))


def power(a: Interval, n: int) -> Interval:
    """The n-th powers of the numbers of a, n from 1 to 4."""
    if n == 3:
        low = a[0] * a[0] * a[0]
        return (low, low) if a[0] is a[1] else (low, a[1] * a[1] * a[1])
    for _ in range(n // 2):
        a = square(a)
    return a


def divide(a: Interval, b: Interval) -> Interval:
    """a / b where b is certainly not 0."""
    b0, b1 = b
    if not b0 > ZERO:
        if not b1 < ZERO:
            raise Undefined("a division by an interval that may contain 0")
        if a[0] is a[1] and b0 is b1:
            low = a[0] / b0
            return low, low
        a, b0, b1 = negative(a), -b1, -b0
    elif a[0] is a[1] and b0 is b1:
        low = a[0] / b0
        return low, low
    a0, a1 = a
    low = a0 / b1 if a0 >= ZERO else a0 / b0 if a0 <= ZERO else (a0 / b0).min(a0 / b1)
    high = a1 / b0 if a1 >= ZERO else a1 / b1 if a1 <= ZERO else (a1 / b0).max(a1 / b1)
    return low, high


def root(a: Interval) -> Interval:
    """The square roots of numbers that are certainly not negative."""
    if not a[0] >= ZERO:
        raise Undefined("the root of an interval that may reach below 0")
    low = a[0].sqrt()
    return (
        (low, low) if a[0] is a[1] else (low, a[1].nonnegative_part().sqrt())
    )  # a ball around the upper end may reach below 0


def exponential(a: Interval) -> Interval:
    """The powers of e, none of them beyond 2^8192. Far below 0 no power is computed: it is between 0 and 2^-8192."""
    if not a[1] < TOO_LARGE:
        raise Undefined("a number beyond 2^8192")
    if not a[0] > -TOO_LARGE:
        return within_limits((ZERO, a[1].max(-TOO_LARGE).exp()))
    low = a[0].exp()
    return within_limits((low, low) if a[0] is a[1] else (low, a[1].exp()))


def logarithm(a: Interval) -> Interval:
    """The natural logarithms of numbers that are certainly positive."""
    if not a[0] > ZERO:
        raise Undefined("the logarithm of an interval that may reach 0")
    low = a[0].log()
    return (low, low) if a[0] is a[1] else (low, a[1].log())


def arctangent(a: Interval) -> Interval:
    """The angles from -pi/2 to pi/2 with these tangents, in radians."""
    low = a[0].atan()
    return (low, low) if a[0] is a[1] else (low, a[1].atan())


def arctangent_slope(a: Interval) -> Interval:
    """The derivative 1 / (1 + x^2) of the arctangent."""
    return divide(UNIT, add(UNIT, square(a)))


def error_function(a: Interval) -> Interval:
    """2 / sqrt(pi) times the integral of exp(-t^2) from 0."""
    low = a[0].erf()
    return (low, low) if a[0] is a[1] else (low, a[1].erf())


def error_function_slope(a: Interval) -> Interval:
    """The derivative 2 / sqrt(pi) exp(-x^2) of the error function."""
    return scaled(TWO / arb.pi().sqrt(), exponential(negative(square(a))))


def _extremes(low: arb, high: arb, f_low: arb, f_high: arb, first: arb) -> Interval:
    """The range of a sine or cosine whose maximum is at `first`, from the values at both ends.

    It is monotone between the points first + k pi. A point that may lie inside is taken to do so: the range is then too
    wide at most.
    """
    least, most = f_low.min(f_high), f_low.max(f_high)
    pi = arb.pi()
    start = ((low - first) / pi).lower().ceil().unique_fmpz()
    stop = ((high - first) / pi).upper().floor().unique_fmpz()
    if start is None or stop is None or stop > start:
        return UP_TO_ONE
    if stop == start:
        return (MINUS_ONE, most) if int(start) % 2 else (least, ONE)
    return least, most


def sine(a: Interval) -> Interval:
    """The sines, in radians."""
    low = a[0].sin()
    if a[0] is a[1]:
        return low, low
    return _extremes(a[0], a[1], low, a[1].sin(), arb.pi() / TWO)


def cosine(a: Interval) -> Interval:
    """The cosines, in radians."""
    low = a[0].cos()
    if a[0] is a[1]:
        return low, low
    return _extremes(a[0], a[1], low, a[1].cos(), ZERO)


def within_limits(a: Interval) -> Interval:
    """The same interval if it is not beyond 2^8192; ends within 2^-8192 are moved outwards: exponents stay short."""
    low, high = a
    if not (MINUS_LARGEST < low < LARGEST and MINUS_LARGEST < high < LARGEST):
        raise Undefined("a number beyond 2^8192")
    if MINUS_SMALLEST < low < SMALLEST and not low.is_zero():
        low = ZERO if low >= ZERO else MINUS_SMALLEST
    if MINUS_SMALLEST < high < SMALLEST and not high.is_zero():
        high = ZERO if high <= ZERO else SMALLEST
    return low, high
