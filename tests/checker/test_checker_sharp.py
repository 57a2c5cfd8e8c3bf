"""Limits to the byte, the line and the nanosecond, and what is remembered: what only an exact test can see."""

from __future__ import annotations

import math
import runpy
import sys
from fractions import Fraction

import pytest
from checker_texts import certificate, problem, tape

from certify.checker import Status, check, elementary, outcome, text
from certify.checker import problem as problems
from certify.checker.elementary import Elementary, enclose_pi
from certify.checker.interval import Arithmetic, Interval
from certify.checker.nodes import parse_node
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem

SMALL = problem([("x", 0, 1)], [], [tape(1, "sub 0 0")], ["F 0 1 v0"])


# Time


def test_a_deadline_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the nanosecond of the deadline, not one before."""
    now = 5
    monkeypatch.setattr(outcome.time, "monotonic_ns", lambda: now)
    clock = Clock(7)
    now = 5 + 7 * 10**9 - 1
    clock.check()
    now += 1
    with pytest.raises(ResourceLimit, match="the deadline of 7 seconds"):
        clock.check()


def test_without_a_word_about_time_it_is_ten_minutes() -> None:
    assert outcome.DEFAULT_SECONDS == 600


# Running


def test_a_module_of_a_package_loads_no_second_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["checker"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("certify.checker")
    assert ended.value.code == 2 and "arguments must be" in capsys.readouterr().err
    assert [name for name in sys.modules if name.startswith("certificate_checker")] == []


# Text


def test_a_rejection_is_nowhere_until_somebody_says_where() -> None:
    with pytest.raises(Rejection) as rejected:
        parse_node(["nonsense"])
    assert rejected.value.where == ""


def test_as_many_bytes_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "FILE_BYTES", len(SMALL))
    assert parse_problem(SMALL.encode()).variables[0].name == "x"
    monkeypatch.setattr(text, "FILE_BYTES", len(SMALL) - 1)
    with pytest.raises(Rejection, match="larger than 64 MiB"):
        parse_problem(SMALL.encode())


def test_as_many_lines_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = SMALL.count("\n")
    monkeypatch.setattr(problems, "LINES", lines)
    assert parse_problem(SMALL.encode()).variables[0].name == "x"
    monkeypatch.setattr(problems, "LINES", lines - 1)
    assert check(SMALL.encode(), certificate(SMALL).encode()).status is Status.RESOURCE


# Problems


def test_names_are_compared_with_all_before() -> None:
    """Not with the first alone, in a block of three."""
    three = problem([("x", 0, 1), ("y", 0, 1), ("y", 0, 1)], [], [tape(1, "sub 0 0")], ["F 0 1 v0"])
    with pytest.raises(Rejection, match="the name 'y' occurs twice"):
        parse_problem(three.encode())


def test_the_unit_of_a_column_has_a_form() -> None:
    columns = problem([("x", 0, 1)], [("m", [(0, 1)])], [tape(2, "sub 0 1")], ["F 0 1 v0 c0"])
    assert parse_problem(columns.encode()).columns[0].name == "m"
    with pytest.raises(Rejection, match="is not a unit"):
        parse_problem(columns.replace("column m mm", "column m m%").encode())


def test_operands_that_an_operation_does_not_have_are_minus_1() -> None:
    parsed = parse_problem(
        problem([("x", 0, 1)], [], [tape(1, "pi", "const 3/4", "sqr 2", "add 3 0")], ["F 0 1 v0"]).encode()
    )
    fields = [(one.code, one.first, one.second, one.value) for one in parsed.tapes[0].operations]
    assert fields == [("pi", -1, -1, 0), ("const", -1, -1, Fraction(3, 4)), ("sqr", 2, -1, 0), ("add", 3, 0, 0)]


def test_a_family_may_be_bound_to_nothing() -> None:
    parsed = parse_problem(problem([("x", 0, 1)], [], [tape(0, "const 1")], ["F 0 2"]).encode())
    assert parsed.families[0].rows == 2 and parsed.families[0].bindings == ()


# Sine and cosine


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("bits", [0, 1, 3, 6, 40])
def test_an_odd_series_rounds_its_powers_and_terms_down(bits: int, sign: int) -> None:
    """Powers of more than 1 are used, and their terms counted twice; 8 and for each term 2."""
    half = 1 << bits >> 1
    for u in {0, half // 5, half // 3, half // 2, max(half - 1, 0), half}:
        for signed in (u, -u):
            terms, power = [], signed
            while abs(power) > 1:
                terms.append(math.floor(Fraction(power, 2 * len(terms) + 1)))
                power = math.floor(sign * power * Fraction(signed, 1 << bits) ** 2)
            error = 2 * len(terms) + 8
            assert elementary._odd_series(signed, bits, sign) == (sum(terms) - error, sum(terms) + error)


@pytest.mark.parametrize("bits", [0, 1, 3, 6, 40])
def test_a_series_rounds_its_terms_down(bits: int) -> None:
    """Terms of more than 1 are added, and counted; less than 2 for each second of them but one, and 3."""
    one = 1 << bits
    for y in {0, 1, 2, one // 3, one // 2, one - 1, one}:
        for signed in (y, -y):
            terms = [one]
            while abs(terms[-1]) > 1:
                terms.append(math.floor(Fraction(terms[-1] * signed, one * len(terms))))
            added = terms[:-1]
            odd, even = sum(added[1::4]) - sum(added[3::4]), sum(added[::4]) - sum(added[2::4])
            assert elementary._taylor(signed, bits) == (odd, even, sum(added), len(added) + 2)


@pytest.mark.parametrize("precision", range(1, 40))
def test_pi_has_80_bits_more_and_is_halved_outwards(precision: int) -> None:
    functions = Elementary(Arithmetic(precision))
    low, high = enclose_pi(precision + 80)
    assert functions._bits == precision + 80
    assert functions._quarter == (math.floor(Fraction(low, 2)), math.ceil(Fraction(high, 2)))
    assert functions.pi == (math.floor(Fraction(low, 1 << 80)), math.ceil(Fraction(high, 1 << 80)))
    assert high - low <= 2


def test_each_end_of_pi_is_made_of_the_right_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """With enclosures so wide that every end shows."""
    wide = {((1 << 27) // 5, 27, -1): (5 << 24, 7 << 24), ((1 << 27) // 239, 27, -1): (1 << 24, 3 << 24)}
    monkeypatch.setattr(elementary, "_odd_series", lambda *words: wide[words])
    assert enclose_pi(3) == (16 * 5 - 4 * 3, 16 * 7 - 4 * 1)
    monkeypatch.setattr(elementary, "_odd_series", lambda *words: (1, 3))
    monkeypatch.setattr(elementary, "enclose_pi", lambda _: ((5 << 80) + 1, (9 << 80) + 1))
    functions = Elementary(Arithmetic(3))
    assert functions.pi == (5, 10) and functions._quarter == (5 << 79, (9 << 79) + 1)


def test_multiples_of_a_quarter_turn_leave_less_than_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remainder of at most half of the lower end of pi/2, so that the series are short; it is off by the doubt about
    pi, that often.
    """
    left: list[Fraction] = []
    original = elementary._taylor

    def taylor(y: int, bits: int) -> tuple[int, int, int, int]:
        left.append(Fraction(abs(y), 1 << bits))
        return original(y, bits)

    monkeypatch.setattr(elementary, "_taylor", taylor)
    functions = Elementary(Arithmetic(6))
    for x in range(-700, 701):
        functions.sin((x, x))
    for far in range((1 << 70) - 300, 1 << 70):
        functions.cos((far, far))
    assert len(left) == 1701 and max(left) < Fraction(7854, 10_000)


def test_the_doubt_about_pi_is_part_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With pi/2 between 3/2 and 7/4: k of them are off by k/4."""
    precision = 8
    monkeypatch.setattr(elementary, "enclose_pi", lambda bits: (3 << bits, 7 << bits >> 1))
    monkeypatch.setattr(elementary, "_taylor", lambda y, bits: (y >> 4, (1 << bits) // 2, 0, 3 << 80))
    functions, one = Elementary(Arithmetic(precision)), 1 << precision
    assert functions._point(0) == ((-3, 3), (125, 131))
    for x in range(-6 * one, 6 * one, 7):
        k = math.floor(Fraction(x, one) / Fraction(3, 2) + Fraction(1, 2))
        sine, cosine = Fraction(2 * x - 3 * k * one, 32), Fraction(one, 2)
        for _ in range(k % 4):
            sine, cosine = cosine, -sine
        error = 3 + abs(k) * Fraction(one, 4)
        expected = [
            (max(-one, math.floor(value - error)), min(one, math.ceil(value + error))) for value in (sine, cosine)
        ]
        assert functions._point(x) == tuple(expected), x


def test_values_are_remembered_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sine and cosine of an interval are computed once and together, those of a point once."""
    monkeypatch.setattr(elementary, "CACHE", 3)
    points: list[int] = []
    original = Elementary._point

    def point(self: Elementary, x: int) -> tuple[Interval, Interval]:
        points.append(x)
        return original(self, x)

    monkeypatch.setattr(Elementary, "_point", point)
    functions = Elementary(Arithmetic(8))
    for a in ((1, 1), (2, 3), (4, 4), (1, 1), (2, 3), (4, 4)):
        functions.sin(a)
        functions.cos(a)
    assert sorted(points) == [1, 2, 3, 4]
    functions.sin((5, 5))
    functions.sin((1, 1))
    assert len(points) == 6 and functions._both.cache_info().currsize == 3


def test_4096_values_are_remembered() -> None:
    assert elementary.CACHE == 4096 and elementary.GUARD == 80
