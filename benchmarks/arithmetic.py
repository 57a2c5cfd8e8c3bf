"""Interval arithmetic against Arb: random cases of every operation and its reverse; escapes, worst ulps, nanoseconds.

A case is a point x (and y): the exact f(x, y), enclosed by Arb and rounded down and up to neighbouring doubles, must
lie in the operation's value on the point and on random intervals around it; the ulps are those of the point's ends
beyond the neighbours, those below 2^-1020 apart under "tiny". Reverse: from a random image around the exact value and
a random current interval with x in it, x must be kept; the ulps are the steps from an end that was moved inwards to
the first pair of neighbours between which Arb cannot exclude a solution, sought over `STEPS` steps in the first `FEW`
cases of a round.

The same cases go through tapes of one operation ("tape"), forward and backward (there only escapes are counted), since
these have kernels of their own where it matters.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from numba import njit

from certify.contractors.images import images as elementary
from certify.contractors.images import preimages as projections
from certify.contractors.tape import tape
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import forward

STEPS = 12
FEW = 1000
LEAST_NORMAL = 2.0**-1020
Sample = Callable[[np.random.Generator, int], np.ndarray]


def magnitudes(least: float, most: float, signed: bool = True) -> Sample:
    """Doubles with uniform exponents."""

    def sample(random: np.random.Generator, count: int) -> np.ndarray:
        value = np.exp2(random.uniform(least, most, count))
        return value * random.choice([-1.0, 1.0], count) if signed else value

    return sample


def around(center: float, sides: tuple[float, ...] = (-1.0, 1.0), most: float = -1.0) -> Sample:
    """center +- 2^-53 ... 2^most"""
    return lambda random, count: center + np.exp2(random.uniform(-53, most, count)) * random.choice(sides, count)


def multiples(unit: float, most: float) -> Sample:
    """Doubles next to multiples of `unit`."""
    return lambda random, count: (
        np.round(np.exp2(random.uniform(0, most, count))) * unit * random.choice([-1.0, 1.0], count)
    )


def values(*those: float) -> Sample:
    """A few special ones."""
    return lambda random, count: random.choice(np.array(those), count)


def mixture(*samples: Sample) -> Sample:
    """An equal share of each."""
    return lambda random, count: random.permutation(
        np.concatenate([s(random, -(-count // len(samples))) for s in samples])
    )[:count]


SPECIAL = values(
    0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.0**-1022, 1.7976931348623157e308, -1.7976931348623157e308, 0.5, 2.0, 3.0
)
ANY = mixture(magnitudes(-1074, 1023.999), magnitudes(-30, 30), magnitudes(-4, 4), SPECIAL)
POSITIVE = mixture(magnitudes(-1074, 1023.999, False), magnitudes(-4, 4, False), around(1.0), values(0.0, 1.0, 5e-324))
ANGLE = mixture(
    magnitudes(-1074, 1023.999),
    magnitudes(-30, 5),
    magnitudes(0, 30),
    multiples(math.pi / 2, 27),
    multiples(math.pi / 2, 900),
    SPECIAL,
)
UNIT = mixture(
    magnitudes(-1074, 0), magnitudes(-30, 0), around(1.0, (-1.0,)), around(-1.0, (1.0,)), values(0.0, 1.0, -1.0)
)
MODEST = mixture(
    magnitudes(-1074, 9.47), magnitudes(-30, 9.47), magnitudes(-4, 4), values(0.0, -0.0, 5e-324, 0.25, -0.25, 20.0, 1.0)
)
ABOVE_ONE = mixture(magnitudes(0, 1023.999, False), around(1.0, (1.0,)), values(1.0))
EXPONENT = mixture(magnitudes(-10, 10), magnitudes(-2, 2), values(0.5, 1.0, 2.0, 3.0, -1.0, 0.0))


@dataclass(frozen=True)
class Operation:
    """A function of x, with an integer or a second operand if `other` samples one; `tape` is its name in tapes."""

    name: str
    truth: Callable[..., flint.arb]
    sample: Sample
    reverse: tuple[str, ...] = ()
    other: Sample | None = None
    whole: bool = False
    tape: str = ""


def _power(x: flint.arb, y: flint.arb) -> flint.arb:
    if x == 0:
        return flint.arb(0) if y > 0 else flint.arb("nan")
    return x**y


def _integer_power(x: flint.arb, n: int) -> flint.arb:
    return flint.arb("nan") if x == 0 and n < 0 else x**n


def _root(x: flint.arb, n: int) -> flint.arb:
    if x < 0:
        return -((-x).root(n)) if n % 2 else flint.arb("nan")
    return x.root(n)


def _angle(y: flint.arb, x: flint.arb) -> flint.arb:
    return flint.arb("nan") if x == 0 and y == 0 else flint.arb.atan2(y, x)


arb = flint.arb
OPERATIONS = (
    Operation("add", lambda x, y: x + y, ANY, ("reverse_add",), ANY, tape="ADD"),
    Operation("subtract", lambda x, y: x - y, ANY, ("reverse_subtract_left", "reverse_subtract_right"), ANY,
              tape="SUB"),
    Operation("multiply", lambda x, y: x * y, ANY, ("reverse_multiply",), ANY, tape="MUL"),
    Operation("divide", lambda x, y: x / y, ANY, ("reverse_divide_left", "reverse_divide_right"), ANY, tape="DIV"),
    Operation("square", lambda x: x * x, ANY, ("reverse_square",), tape="SQR"),
    Operation("square_root", arb.sqrt, POSITIVE, ("reverse_square_root",), tape="SQRT"),
    Operation("exponential", arb.exp, MODEST, ("reverse_exponential",), tape="EXP"),
    Operation("natural_logarithm", arb.log, POSITIVE, ("reverse_logarithm",), tape="LOG"),
    Operation("sine", arb.sin, ANGLE, ("reverse_sine",), tape="SIN"),
    Operation("cosine", arb.cos, ANGLE, ("reverse_cosine",), tape="COS"),
    Operation("tangent", arb.tan, ANGLE, ("reverse_tangent",), tape="TAN"),
    Operation("arcsine", arb.asin, UNIT, ("reverse_arcsine",), tape="ASIN"),
    Operation("arccosine", arb.acos, UNIT, ("reverse_arccosine",), tape="ACOS"),
    Operation("arctangent", arb.atan, ANY, ("reverse_arctangent",), tape="ATAN"),
    Operation("arctangent2", _angle, ANY, ("reverse_arctangent2_y", "reverse_arctangent2_x"), ANY, tape="ATAN2"),
    Operation("hyperbolic_sine", arb.sinh, MODEST, ("reverse_hyperbolic_sine",), tape="SINH"),
    Operation("hyperbolic_cosine", arb.cosh, MODEST, ("reverse_hyperbolic_cosine",), tape="COSH"),
    Operation("hyperbolic_tangent", arb.tanh, MODEST, ("reverse_hyperbolic_tangent",), tape="TANH"),
    Operation("inverse_hyperbolic_sine", arb.asinh, ANY, ("reverse_inverse_hyperbolic_sine",), tape="ASINH"),
    Operation("inverse_hyperbolic_cosine", arb.acosh, ABOVE_ONE, ("reverse_inverse_hyperbolic_cosine",), tape="ACOSH"),
    Operation("inverse_hyperbolic_tangent", arb.atanh, UNIT, ("reverse_inverse_hyperbolic_tangent",), tape="ATANH"),
    Operation("absolute", abs, ANY, ("reverse_absolute",), tape="ABS"),
    Operation("sign", lambda x: arb(int(x > 0) - int(x < 0)), ANY, ("reverse_sign",), tape="SIGN"),
    Operation("minimum", lambda x, y: x.min(y), ANY, ("reverse_minimum",), ANY, tape="MIN"),
    Operation("maximum", lambda x, y: x.max(y), ANY, ("reverse_maximum",), ANY, tape="MAX"),
    Operation(
        "integer_power", _integer_power, ANY, ("reverse_integer_power",),
        mixture(values(-3, -2, -1, 1, 2, 3, 4, 5), lambda random, count: random.integers(-1000, 1000, count)),
        whole=True,
        tape="INTEGER_POWER",
    ),
    Operation("root", _root, ANY, ("reverse_root",), lambda random,
              count: random.choice([1, 2, 3, 4, 5, 7, 100, 101], count), whole=True),
    Operation("real_power", _power, POSITIVE, ("reverse_power_base", "reverse_power_exponent"), EXPONENT, tape="POWER"),
)  # fmt: skip


def neighbours(value: flint.arb) -> tuple[float, float]:
    """The largest double <= value and the least >= value; a double that Arb cannot tell from the value at any precision
    is the value.
    """
    middle = float(value.mid())
    if math.isinf(middle):
        largest = math.nextafter(math.inf, 0.0)
        return (largest, math.inf) if middle > 0 else (-math.inf, -largest)
    candidates = [math.nextafter(middle, -math.inf), middle, math.nextafter(middle, math.inf)]
    low = max((c for c in candidates if c == -math.inf or not arb(c) > value), default=-math.inf)
    high = min((c for c in candidates if c == math.inf or not arb(c) < value), default=math.inf)
    return low, high


def exact(truth: Callable[[], flint.arb]) -> flint.arb:
    """f(x, y) told from every double at up to 5000 bits (sin 2^1000, atan2 of 2^-1074 over 2^900 need them), or NaN."""
    for bits in (200, 1400, 5000):
        with flint.ctx.workprec(bits):
            value = truth()
            if (
                not value.is_finite()
                or value.rad() == 0
                or not (value.rel_accuracy_bits() < 100 or value.contains(arb(float(value.mid()))))
            ):
                return value
    return value


def tightest(operation: Operation, x: float, y: float | None) -> tuple[float, float] | None:
    """The doubles next to f(x, y), or None where it is not defined; nearly always 200 bits prove on the spot between
    which doubles it lies.
    """
    value = operation.truth(arb(x)) if y is None else operation.truth(arb(x), int(y) if operation.whole else arb(y))
    if not value.is_finite():
        return None
    middle = float(value.mid())
    if value > middle:
        following = math.nextafter(middle, math.inf)
        if value < following < math.inf:
            return middle, following
    elif value < middle:
        following = math.nextafter(middle, -math.inf)
        if value > following > -math.inf:
            return following, middle
    value = exact(
        lambda: operation.truth(arb(x)) if y is None else operation.truth(arb(x), int(y) if operation.whole else arb(y))
    )
    return neighbours(value) if value.is_finite() else None


def _loops() -> dict[int, Any]:
    """One compiled loop a shape of arguments: unary, with an integer, binary, and their reverses."""

    @njit
    def unary(kernel, a, b, low, high):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i in range(a.shape[0]):
            low[i], high[i] = kernel(a[i], b[i])

    @njit
    def integer(kernel, a, b, n, low, high):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i in range(a.shape[0]):
            low[i], high[i] = kernel(a[i], b[i], n[i])

    @njit
    def binary(kernel, a, b, c, d, low, high):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i in range(a.shape[0]):
            low[i], high[i] = kernel(a[i], b[i], c[i], d[i])

    @njit
    def reverse_integer(kernel, a, b, n, c, d, low, high):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i in range(a.shape[0]):
            low[i], high[i] = kernel(a[i], b[i], n[i], c[i], d[i])

    @njit
    def reverse_binary(kernel, a, b, c, d, e, f, low, high):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i in range(a.shape[0]):
            low[i], high[i] = kernel(a[i], b[i], c[i], d[i], e[i], f[i])

    return {2: unary, 3: integer, 4: binary, 5: reverse_integer, 6: reverse_binary}


LOOPS = _loops()


def apply(kernel: Any, *arguments: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Lower ends, upper ends, nanoseconds a call."""
    low, high = np.empty(len(arguments[0])), np.empty(len(arguments[0]))
    loop = LOOPS[len(arguments)]
    loop(kernel, *(v[:1] for v in arguments), low[:1], high[:1])
    began = time.thread_time()
    loop(kernel, *arguments, low, high)
    return low, high, (time.thread_time() - began) * 1e9 / len(low)


def ordinal(value: np.ndarray) -> np.ndarray:
    """Doubles as integers in order; neighbours differ by 1."""
    bits = np.asarray(value, dtype=np.float64).view(np.int64)
    return np.where(bits >= 0, bits, -(bits & 0x7FFFFFFFFFFFFFFF))


def interval_around(random: np.random.Generator, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Random intervals with [low, high] in them: each end stays, goes a few ulps, goes by a random magnitude or to
    infinity.
    """

    def outwards(end: np.ndarray, sign: float) -> np.ndarray:
        kind = random.integers(0, 5, len(end))
        far = np.exp2(random.uniform(-40, 12, len(end)))
        with np.errstate(over="ignore"):
            few = np.nextafter(np.nextafter(end, sign * np.inf), sign * np.inf)
            size = np.abs(end) * np.exp2(random.uniform(-20, 2, len(end)))
            return np.select(
                [kind == 0, kind == 1, kind == 2, kind == 3],
                [end, few, end + sign * size, end + sign * far],
                sign * np.inf,
            )

    return outwards(low, -1.0), outwards(high, 1.0)


def _worst(excess: np.ndarray) -> int:
    return int(excess.max()) if len(excess) else 0


def check(operation: Operation, count: int, seed: int) -> list[dict[str, Any]]:
    """Rows for an operation and its reverses."""
    random = np.random.default_rng(seed)
    x = operation.sample(random, count)
    y = None if operation.other is None else operation.other(random, count)
    with flint.ctx.workprec(200):
        found = [
            tightest(operation, *case)
            for case in zip(x.tolist(), [None] * count if y is None else y.tolist(), strict=True)
        ]
    good = np.array([ends is not None for ends in found])
    x, y = x[good], None if y is None else (y[good].astype(np.int64) if operation.whole else y[good].astype(np.float64))
    low, high = np.ascontiguousarray(np.array([ends for ends in found if ends is not None]).T)
    kernel = getattr(elementary, operation.name)
    thin: list[np.ndarray] = [] if y is None else ([y] if operation.whole else [y, y])
    p, q, _ = apply(kernel, x, x, *thin)
    a, b = interval_around(random, x, x)
    wide = thin if y is None or operation.whole else list(interval_around(random, y, y))
    r, s, nanoseconds = apply(kernel, a, b, *wide)
    escapes = int(np.sum(~((p <= low) & (q >= high) & (r <= low) & (s >= high))))
    below, above, tiny = (
        ordinal(low) - ordinal(p),
        ordinal(q) - ordinal(high),
        np.minimum(np.abs(low), np.abs(high)) < LEAST_NORMAL,
    )
    worst = _worst(below[~tiny]), _worst(above[~tiny])
    rows = [_row(operation.name, len(x), escapes, worst, nanoseconds, max(_worst(below[tiny]), _worst(above[tiny])))]
    c, d = interval_around(random, low, high)
    for place, name in enumerate(operation.reverse):
        current, others = (x, wide) if place == 0 else (y, [a, b])
        if y is not None and operation.whole:
            others = thin
        e, f = interval_around(random, current, current)  # type: ignore[arg-type]
        reverse = getattr(projections, name)
        p, q, nanoseconds = apply(reverse, c, d, *others, e, f)
        lost = int(np.sum(~((p <= current) & (q >= current))))
        rows.append(_row(name, len(x), lost, _reverse_ulps(operation, reverse, place, (c, d, e, f), x, y), nanoseconds))
    return rows + (_taped(operation, random, x, y, (low, high), (c, d), (a, b, *wide)) if operation.tape else [])


def _taped(
    operation: Operation,
    random: np.random.Generator,
    x: np.ndarray,
    y: np.ndarray | None,
    tightest_ends: tuple[np.ndarray, np.ndarray],
    image: tuple[np.ndarray, np.ndarray],
    wide: tuple[np.ndarray, ...],
) -> list[dict[str, Any]]:
    """A row for the tape's operation, forward and backward together."""
    low, high = tightest_ends
    code = np.array([[int(tape.Operation[operation.tape]), 0, 1 if y is not None else -1]])
    point = np.array([x] if y is None else [x, y])
    if y is not None and operation.whole:
        wide = (*wide[:2], y, y)
    p, q, _ = _forward(code, point, point)
    r, s, nanoseconds = _forward(code, np.array(wide[0::2]), np.array(wide[1::2]))
    escapes = int(np.sum(~((p <= low) & (q >= high) & (r <= low) & (s >= high))))
    around = [interval_around(random, v, v) for v in (point if not operation.whole else point[:1])]
    e, f = (np.array([ends[side] for ends in around] + ([y] if operation.whole else [])) for side in (0, 1))
    a, b = np.vstack([e, image[0][None]]), np.vstack([f, image[1][None]])
    empty = np.zeros(len(x), dtype=np.bool_)
    backward(len(point), code, a, b, empty)
    kept = (a[: len(point)] <= point) & (point <= b[: len(point)])
    escapes += int(np.sum(empty | ~kept.all(axis=0)))
    below, above, tiny = (
        ordinal(low) - ordinal(p),
        ordinal(q) - ordinal(high),
        np.minimum(np.abs(low), np.abs(high)) < LEAST_NORMAL,
    )
    worst = _worst(below[~tiny]), _worst(above[~tiny])
    return [
        _row(
            f"tape {operation.tape}", len(x), escapes, worst, nanoseconds, max(_worst(below[tiny]), _worst(above[tiny]))
        )
    ]


def _forward(code: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The operation's value, and nanoseconds a value."""
    inputs, count = lower.shape
    a, b = np.empty((inputs + 1, count)), np.empty((inputs + 1, count))
    a[:inputs], b[:inputs] = lower, upper
    began = time.thread_time()
    forward(inputs, code, np.zeros((1, 2)), a, b, np.ones(count, dtype=np.bool_))
    return a[inputs], b[inputs], (time.thread_time() - began) * 1e9 / count


def _reverse_ulps(
    operation: Operation, reverse: Any, place: int, given: tuple[np.ndarray, ...], x: np.ndarray, y: np.ndarray | None
) -> tuple[int, int]:
    """Steps inwards from a moved end until Arb cannot exclude the double; the other operand is a point."""
    c, d, e, f = given
    other = x if place else y
    thin = [] if other is None else ([other] if operation.whole else [other, other])
    p, q, _ = apply(reverse, c, d, *thin, e, f)
    worst = [0, 0]
    for i in range(min(FEW, len(x))):
        for side, (end, start, towards) in enumerate(((p[i], e[i], math.inf), (q[i], f[i], -math.inf))):
            if end != start and p[i] <= q[i]:
                worst[side] = max(
                    worst[side],
                    _steps(operation, place, end, towards, None if other is None else other[i], (c[i], d[i])),
                )
    return worst[0], worst[1]


def _steps(
    operation: Operation, place: int, end: float, towards: float, other: float | None, image: tuple[float, float]
) -> int:
    low, high = image
    for step in range(STEPS):
        following = math.nextafter(end, towards)
        if math.isinf(end) or math.isinf(following):
            return step
        between, fixed = (
            arb(end).union(arb(following)),
            None if other is None else int(other) if operation.whole else arb(other),
        )
        with flint.ctx.workprec(1400):
            value = (
                operation.truth(fixed, between)
                if place
                else operation.truth(between)
                if fixed is None
                else operation.truth(between, fixed)
            )
        if not value.is_finite() or not (
            (low != -math.inf and value < arb(low)) or (high != math.inf and value > arb(high))
        ):
            return step
        end = following
    return STEPS


def _row(
    name: str, cases: int, escapes: int, worst: tuple[int, int], nanoseconds: float, tiny: int = 0
) -> dict[str, Any]:
    ulps = {"ulps_low": worst[0], "ulps_high": worst[1], "ulps_tiny": tiny}
    return {"name": name, "cases": cases, "escapes": escapes, **ulps, "ns": round(nanoseconds, 1)}


def run(words: list[str]) -> dict[str, Any]:
    """Print a row an operation, in rounds of at most 10^5 cases."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks arithmetic")
    parser.add_argument("--count", type=int, default=10_000, help="random cases per operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="operations whose name contains this")
    options = parser.parse_args(words)
    print(f"{'operation':<36}{'cases':>10}{'escapes':>9}{'ulps':>7}{'ulps':>5}{'tiny':>6}{'ns':>8}")
    rows: list[dict[str, Any]] = []
    for operation in OPERATIONS:
        if options.only not in operation.name:
            continue
        total: list[dict[str, Any]] = []
        for start in range(0, options.count, 100_000):
            found = check(operation, min(100_000, options.count - start), options.seed + start)
            total = found if not total else [_joined(old, new) for old, new in zip(total, found, strict=True)]
        for row in total:
            ulps = f"{row['ulps_low']:>7}{row['ulps_high']:>5}{row['ulps_tiny']:>6}"
            print(f"{row['name']:<36}{row['cases']:>10}{row['escapes']:>9}{ulps}{row['ns']:>8.1f}", flush=True)
        rows += total
    return {"count": options.count, "rows": rows, "escapes": sum(row["escapes"] for row in rows)}


def _joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    sums = {key: old[key] + new[key] for key in ("cases", "escapes")}
    worst = {key: max(old[key], new[key]) for key in ("ulps_low", "ulps_high", "ulps_tiny")}
    return {"name": old["name"], **sums, **worst, "ns": min(old["ns"], new["ns"])}
