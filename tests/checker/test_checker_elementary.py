"""exp, log, arctangent and erf contain the truth, at precisions where a wrong rounding direction cannot hide,
and are tight.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from checker_texts import certificate, judge, problem, tape
from exact_derivatives import holds, of_problem
from exact_functions import (
    ARITHMETIC,
    ELEMENTARY,
    EXACT,
    PRECISIONS,
    Bracket,
    exact_bell,
    exact_exponential,
    exact_log_2,
    inside,
    parts,
    precisions,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.rules import POSITIVE

from certify.checker import Status, elementary
from certify.checker.elementary import Elementary
from certify.checker.interval import Arithmetic, Interval, Undefined
from certify.checker.problem import parse_problem
from certify.checker.tape import Calculus

NAMES = ("exp", "log", "atan", "erf")
MANY = settings(max_examples=300, deadline=None)
FLOATS: dict[str, Callable[[float], float]] = {"exp": math.exp, "log": math.log, "atan": math.atan, "erf": math.erf}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("x", ["1/7", "2/3", "1", "7/5", "3/2", "2", "22/7", "10"])
def test_the_truth_is_true(name: str, x: str) -> None:
    low, high = EXACT[name](Fraction(x))
    assert high - low < Fraction(1, 1 << 40)
    assert abs(float(low) - FLOATS[name](float(Fraction(x)))) < 1e-12 * math.exp(float(Fraction(x)))


def least(name: str, precision: int) -> int:
    """The least end of the random intervals: exp grows too fast, log is not defined further down."""
    return {"exp": -7 << precision, "log": 1, "atan": -20000, "erf": -20000}[name]


ends = st.tuples(
    st.one_of(st.integers(-200, 200), st.integers(-20000, 20000)),
    st.sampled_from([0, 0, 1, 5, 100, 700, 2000, 5000]),
    st.integers(0, 1 << 14),
)


@pytest.mark.parametrize("name", NAMES)
@MANY
@given(precision=precisions, drawn=ends, s=parts)
def test_they_contain_the_truth(name: str, precision: int, drawn: tuple[int, int, int], s: Fraction) -> None:
    first = max(least(name, precision), drawn[0])
    first = min(first, 7 << precision) if name == "exp" else first
    a = first, first + min(drawn[1], 2 << precision)
    result, one = getattr(ELEMENTARY[precision], name)(a), 1 << precision
    for part in (s, Fraction(0), Fraction(1)):
        low, high = EXACT[name](inside(a, part, precision))
        assert result[0] <= low * one and high * one <= result[1]
    least_end, greatest_end = EXACT[name](Fraction(a[0], one))[0] * one, EXACT[name](Fraction(a[1], one))[1] * one
    assert least_end - 2 < result[0] and result[1] < greatest_end + 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("precision", [2, 3, 4])
def test_all_points_of_a_coarse_grid(name: str, precision: int) -> None:
    function, one = getattr(Elementary(Arithmetic(precision)), name), 1 << precision
    before = -1 << 20, -1 << 20
    for x in range(1 if name == "log" else -9 * one, 9 * one):
        low, high = EXACT[name](Fraction(x, one))
        result = function((x, x))
        assert math.ceil(high * one) <= result[1] <= math.ceil(high * one) + 1
        assert math.floor(low * one) >= result[0] >= math.floor(low * one) - 1
        assert before[0] <= result[0] and before[1] <= result[1]
        assert function((max(x - 3, 1 if name == "log" else -9 * one), x))[1] == result[1]
        before = result


@pytest.mark.parametrize("precision", [64, 96, 112, 128, 256, 512])
@pytest.mark.parametrize(
    "value",
    ["1/3", "-7/5", "22/7", "1", "0", "-1", "1/1000000007", "17", "-31/2", "9/10", "2", "1000000", "-1000000007/3"],
)
@pytest.mark.parametrize("name", NAMES)
def test_they_are_tight_at_working_precisions(name: str, value: str, precision: int) -> None:
    arithmetic, x = Arithmetic(precision), Fraction(value)
    if (name == "exp" and abs(x) > 20) or (name == "log" and x <= 0):
        return
    function, points = getattr(Elementary(arithmetic), name), arithmetic.enclose(x)
    low, high = EXACT[name](x, precision + 100)
    result = function(points)
    assert result[0] <= low * arithmetic.one and high * arithmetic.one <= result[1]
    for point in points:
        low, high = EXACT[name](Fraction(point, arithmetic.one), precision + 100)
        lower, upper = function((point, point))
        assert math.floor(low * arithmetic.one) - 1 <= lower <= low * arithmetic.one
        assert high * arithmetic.one <= upper <= math.ceil(high * arithmetic.one) + 1


@pytest.mark.parametrize("guard", [0, 1, 2, 5])
@pytest.mark.parametrize("precision", [3, 5])
@pytest.mark.parametrize("name", NAMES)
def test_few_guard_bits_are_sound(name: str, precision: int, guard: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elementary, "GUARD", guard)
    function, one = getattr(Elementary(Arithmetic(precision)), name), 1 << precision
    for x in range(1 if name == "log" else -5 * one, 5 * one + 1):
        low, high = EXACT[name](Fraction(x, one))
        result = function((x, x))
        assert result[0] <= low * one and high * one <= result[1], x


# Far away


@pytest.mark.parametrize("precision", [8, 128, 512])
def test_powers_of_2_have_logarithms_and_these_exponentials(precision: int) -> None:
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    two = exact_log_2(precision + 100)
    for k in (-precision, 1 - precision, -3, -1, 0, 1, 2, 3, 60, 1000, 8191):
        x = one << k if k >= 0 else one >> -k
        low, high = functions.log((x, x))
        exact = sorted(k * one * end for end in two)
        assert low <= exact[0] and exact[1] <= high <= low + 2
        if k < 30:
            back = functions.exp((low, high))
            assert back[0] <= x <= back[1] and back[1] - back[0] <= 5 + (5 * x >> precision)
    assert functions.log((1, one << 8191)) == (functions.log((1, 1))[0], functions.log((one << 8191, one << 8191))[1])


@pytest.mark.parametrize("precision", [8, 64, 128, 512])
def test_large_exponentials_are_as_large_as_they_are(precision: int) -> None:
    """log of exp is what it was, up to 2^8192, of which the logarithm is 5678.26; beyond there is none."""
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    for x in (one, 2 * one, 3 * one, 100 * one, 1000 * one + 1, 4096 * one, 5678 * one):
        power = functions.exp((x, x))
        low, high = functions.log(power)
        assert x - 2 <= low <= x <= high <= x + 2
    for x in (5679 * one, 6000 * one, one << 20, one << 63, one << 200, (one << 8192) - 1):
        with pytest.raises(Undefined, match="a number is too large"):
            functions.exp((x, x))
        with pytest.raises(Undefined, match="a number is too large"):
            functions.exp((-x, x))


@pytest.mark.parametrize("precision", [8, 64, 128, 512])
def test_small_exponentials_are_almost_nothing(precision: int) -> None:
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    for x in (precision * one, 1000 * one, one << 20, one << 63, one << 200, (one << 8192) - 1):
        assert functions.exp((-x, -x)) == (0, 1)
        assert functions.exp((-x, 0)) == (0, functions.exp((0, 0))[1])


def test_of_the_largest_numbers_nothing_takes_long() -> None:
    functions, huge = Elementary(Arithmetic(512)), (1 << 8704) - 1
    for x in range(huge - 20, huge):
        assert functions.exp((-x, -x)) == (0, 1)
        assert functions.atan((-x, x))[1] - (functions.pi[1] >> 1) in (0, 1)
        assert functions.log((x, x))[1] >> 512 == 5678


@pytest.mark.parametrize("precision", [8, 64, 128, 512])
def test_arctangents_of_far_arguments_are_almost_right_angles(precision: int) -> None:
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    for x in (one << precision + 3, one << 1000, (one << 8192) - 1):
        for sign in (1, -1):
            low, high = sorted(sign * end for end in functions.atan((sign * x, sign * x)))
            assert (
                functions.pi[0] - 2 <= 2 * low <= functions.pi[1] and functions.pi[0] <= 2 * high <= functions.pi[1] + 3
            )
    low, high = functions.atan((one, one))
    assert 4 * low <= functions.pi[1] and functions.pi[0] <= 4 * high and high - low <= 2


@pytest.mark.parametrize("precision", [2, 8, 64, 512])
def test_known_values(precision: int) -> None:
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    assert functions.exp((0, 0)) == (one - 1, one + 1)
    assert functions.log((one, one)) == (-1, 1) and functions.atan((0, 0)) == (-1, 1)
    e = sum((Fraction(1, math.factorial(k)) for k in range(150)), Fraction(0))
    low, high = functions.exp((one, one))
    assert low <= e * one and (e + Fraction(1, 1 << 600)) * one <= high and high - low <= 1


# Ends


@pytest.mark.parametrize("name", NAMES)
def test_ends_are_those_at_the_ends(name: str) -> None:
    function = getattr(ELEMENTARY[8], name)
    points = {x: function((x, x)) for x in range(1, 700, 13)}
    for first, last in itertools.combinations_with_replacement(points, 2):
        assert function((first, last)) == (points[first][0], points[last][1])


@pytest.mark.parametrize("a", [(0, 0), (0, 5), (-1, 0), (-5, 5), (-5, -5), (-1 << 9000, 1)])
@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_logarithm_needs_a_positive_number(a: Interval, precision: int) -> None:
    with pytest.raises(Undefined, match=r"^enclosure: a logarithm reaches 0$"):
        ELEMENTARY[precision].log(a)
    assert ELEMENTARY[precision].log((1, 1))[0] >> precision == math.floor(-precision * math.log(2))


def test_a_number_is_off_by_as_much_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With series that say nothing and what they are off by: the ends of exp, log and arctangent are made of the right
    ones.
    """
    monkeypatch.setattr(elementary, "_taylor", lambda y, bits: (0, 0, 1 << bits, 5 << 80))
    monkeypatch.setattr(elementary, "_odd_series", lambda u, bits, sign: (u - (7 << 80), u + (9 << 80)))
    functions, unit = Elementary(Arithmetic(8)), 1 << 80
    assert functions._exp(100) == ((256 - 10) * unit - 3, (256 + 10) * unit + 3)
    assert functions.exp((100, 200)) == (256 - 11, 256 + 11)
    assert functions._exp(256) == functions._wide.sqr(functions._exp(100)) == functions._exp(511)
    assert functions._exp(255) == functions._exp(-255) == functions._exp(0) != functions._exp(-256)
    assert functions._exp(512) == functions._wide.sqr(functions._exp(256))
    third = (unit << 8) // 3
    assert functions._third == (third - 7 * unit, third + 9 * unit)
    assert functions._log(256) == (-14 * unit, 18 * unit)
    assert functions._log(1024) == (4 * (third - 7 * unit) - 14 * unit, 4 * (third + 9 * unit) + 18 * unit)
    assert functions._log(64) == (-4 * (third + 9 * unit) - 14 * unit, -4 * (third - 7 * unit) + 18 * unit)
    assert functions._log(384) == (2 * ((unit << 8) // 5 - 7 * unit), 2 * ((unit << 8) // 5 + 9 * unit))
    assert functions.log((384, 384)) == (2 * 51 - 14, 2 * 52 + 18 - 1)
    assert functions._atan(0) == (-56 * unit, 72 * unit)


@pytest.mark.parametrize("bits", [3, 4, 6, 9])
def test_half_an_angle_three_times_is_off_by_less_than_3(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """tan(arctan(u) / 8), as it is given to the series, against three exact steps with 100 bits."""
    given_numbers: list[tuple[int, int, int]] = []
    monkeypatch.setattr(elementary, "GUARD", 0)
    functions, one, fine = Elementary(Arithmetic(bits)), 1 << bits, 1 << 100
    monkeypatch.setattr(elementary, "_odd_series", lambda *words: given_numbers.append(words) or (0, 0))
    for x in [*range(-20 * one, 20 * one + 1), 10**9, -(10**9)]:
        functions._atan(x)
        u = Fraction(x, one)
        for _ in range(3):
            square = 1 + u * u
            u /= 1 + Fraction(math.isqrt(square.numerator * fine * fine // square.denominator), fine)
        number, places, sign = given_numbers.pop()
        assert (places, sign) == (bits, -1) and abs(number - u * one) < 3 and 2 * abs(number) <= one


def test_values_are_remembered_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a point once, whatever interval it is an end of."""
    sizes: list[int] = []
    original = functools.lru_cache
    monkeypatch.setattr(elementary.functools, "lru_cache", lambda size: sizes.append(size) or original(size))
    points: list[int] = []
    exponential = Elementary._exp
    monkeypatch.setattr(Elementary, "_exp", lambda self, x: points.append(x) or exponential(self, x))
    functions = Elementary(Arithmetic(8))
    for a in ((1, 1), (1, 3), (3, 4), (-2, 3), (-2, 1)):
        functions.exp(a)
    assert points == [1, 3, 4, -2] and sizes == [elementary.CACHE] * 5


# Derivatives

DERIVATIVES: dict[str, tuple[Callable[[Fraction], Bracket], Callable[[Fraction], Bracket]]] = {
    "exp": (exact_exponential, lambda x: (exact_exponential(x)[0] / 2, exact_exponential(x)[1] / 2)),
    "log": (lambda x: (1 / x, 1 / x), lambda x: (-1 / (2 * x * x), -1 / (2 * x * x))),
    "atan": (lambda x: (1 / (1 + x * x), 1 / (1 + x * x)), lambda x: (-x / (1 + x * x) ** 2, -x / (1 + x * x) ** 2)),
    "erf": (exact_bell, lambda x: (min(-x * end for end in exact_bell(x)), max(-x * end for end in exact_bell(x)))),
}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=200, deadline=None)
@given(precision=precisions, numerator=st.integers(-30, 30), width=st.sampled_from([0, 1, 3, 10, 25]), part=parts)
def test_jets_contain_exact_derivatives(name: str, precision: int, numerator: int, width: int, part: Fraction) -> None:
    lower = Fraction(max(numerator, 1) if name == "log" else numerator, 10)
    upper = lower + Fraction(width, 10)
    jet, scope = of_problem(
        parse_problem(problem([("x", lower, upper)], [], [tape(1, f"{name} 0")], ["F 0 1 v0"]).encode()), precision
    )
    program = scope.program(0)
    (slope,) = program.gradient(program.values(scope.outward(scope.box)), (0,))
    x = lower + part * (upper - lower)
    first, half = (derivative(x) for derivative in DERIVATIVES[name])
    for end in (0, 1):
        assert holds(jet.value, EXACT[name](x)[end], precision)
        assert holds(jet.linear[0,], first[end], precision) and holds(slope, first[end], precision)
        assert holds(jet.square.get((0, 0), (0, 0)), half[end], precision)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ends", [("1/2", "1/2"), ("1", "4"), ("3", "3"), ("1/4", "1/3")])
def test_derivatives_are_as_wide_as_they_must_be(name: str, ends: tuple[str, str]) -> None:
    """Of exp and log they are monotone; of the arctangent the half of the second is u over (1 + u^2)^2, of erf u times
    the first, which are enclosed apart.
    """
    lower, upper = map(Fraction, ends)
    jet, _ = of_problem(
        parse_problem(problem([("x", lower, upper)], [], [tape(1, f"{name} 0")], ["F 0 1 v0"]).encode()), 64
    )
    first, half = ([derivative(x) for x in (lower, upper)] for derivative in DERIVATIVES[name])
    if name == "atan":
        half = [(-upper / (1 + lower**2) ** 2,) * 2, (-lower / (1 + upper**2) ** 2,) * 2]
    if name == "erf":
        half = [tuple(-upper * end for end in first[0]), tuple(-lower * end for end in first[1])]
    for found, known in ((jet.linear[0,], first), (jet.square[0, 0], half)):
        values = sorted(known)
        assert abs(found[0] - values[0][0] * (1 << 64)) < 2**10 and abs(found[1] - values[1][1] * (1 << 64)) < 2**10


@pytest.mark.parametrize("name", NAMES)
def test_a_derivative_is_taken_times_what_is_above(name: str) -> None:
    calculus, precision = Calculus(ARITHMETIC[12]), 12
    one = 1 << precision
    for x in (one // 3, one, 5 * one // 2):
        value = calculus.functions[name]((x, x))
        (pull,) = calculus.pulls[name]
        above = pull((-3 * one, 7 * one), (x, x), (0, 0), value)
        once = pull((one, one), (x, x), (0, 0), value)
        assert abs(above[0] + 3 * once[1]) < 9 and abs(above[1] - 7 * once[1]) < 17


def test_a_logarithm_is_no_more_differentiable_than_defined() -> None:
    for lower in ("0", "-1"):
        with pytest.raises(Undefined, match="a logarithm reaches 0"):
            of_problem(parse_problem(problem([("x", lower, 1)], [], [tape(1, "log 0")], ["F 0 1 v0"]).encode()), 64)


# Certificates


@pytest.mark.parametrize(
    ("lines", "bounds", "true", "false"),
    [
        ("exp 0, const 3, sub 1 2", (0, 1), "281718/1000000", "281719/1000000"),
        ("exp 0", (-2, 1), "135335/1000000", "135336/1000000"),
        ("log 0", (2, 9), "693147/1000000", "693148/1000000"),
        ("log 0", ("1/5", "1/3"), "1098612/1000000", "1098613/1000000"),
        ("atan 0, pi, div 2 1", (1, 5), "2287455/1000000", "2287456/1000000"),
        ("atan 0", (-9, -1), "785398/1000000", "785399/1000000"),
        ("erf 0", (1, 5), "842700/1000000", "842701/1000000"),
        ("erf 0", (-9, "-1/2"), "520499/1000000", "520500/1000000"),
        ("erf 0, const 2, sub 1 2", (-1, 3), "1000022/1000000", "1000023/1000000"),
    ],
)
def test_certificates_are_as_sharp_as_the_truth(
    lines: str, bounds: tuple[object, object], true: str, false: str
) -> None:
    """A row that is least at an end of its box, to six digits."""
    text = problem([("x", *bounds)], [], [tape(1, *lines.split(", "))], ["F 0 1 v0"])
    assert judge(text, certificate(text, lower=Fraction(true), tree=["evaluate 0 0"])).status is Status.VERIFIED
    assert "the row may reach" in judge(text, certificate(text, lower=Fraction(false), tree=["evaluate 0 0"])).message


@pytest.mark.parametrize("form", ["m", "t"])
@pytest.mark.parametrize(
    ("lines", "least"), [("exp 0, sub 1 0", 1), ("log 0, sub 0 1", 1), ("atan 0, sqr 0, add 1 2", "204/125")]
)
def test_row_terms_know_their_derivatives(lines: str, least: object, form: str) -> None:
    """exp x - x and x - log x on boxes around where they are least, and a sum that grows."""
    text = problem(
        [("x", *(("-1/16", "1/16") if lines[0] == "e" else ("15/16", "17/16")))],
        [],
        [tape(1, *lines.split(", "))],
        ["F 0 1 v0"],
    )
    below = Fraction(least) - Fraction(1, 50)  # type: ignore[arg-type]
    assert judge(text, certificate(text, lower=below, tree=[f"aggregate {form}0.0+1"])).status is Status.VERIFIED
    claim = certificate(text, lower=least, tree=[f"aggregate {form}0.0+1"])  # type: ignore[arg-type]
    assert POSITIVE in judge(text, claim).message
