"""Limits to the byte, the line and the nanosecond, and what is remembered: what only an exact test can see."""

from __future__ import annotations

import math
import runpy
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest
from checker_texts import certificate, problem, tape

from certify.checker import Status, check, outcome, text, trigonometry
from certify.checker import problem as problems
from certify.checker.interval import Arithmetic, Interval
from certify.checker.nodes import parse_node
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.trigonometry import Trigonometry, enclose_pi

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


def test_a_module_of_a_package_loads_no_second_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
    parsed = parse_problem(problem([("x", 0, 1)], [], [tape(1, "pi", "const 3/4", "sqr 2", "add 3 0")], ["F 0 1 v0"]).encode())
    fields = [(one.code, one.first, one.second, one.value) for one in parsed.tapes[0].operations]
    assert fields == [("pi", -1, -1, 0), ("const", -1, -1, Fraction(3, 4)), ("sqr", 2, -1, 0), ("add", 3, 0, 0)]


def test_a_family_may_be_bound_to_nothing() -> None:
    parsed = parse_problem(problem([("x", 0, 1)], [], [tape(0, "const 1")], ["F 0 2"]).encode())
    assert parsed.families[0].rows == 2 and parsed.families[0].bindings == ()


# Sine and cosine


@pytest.mark.parametrize("number", [2, 5, 239])
def test_an_arctangent_is_its_terms_rounded_down(number: int) -> None:
    """As its docstring says: each term is off by less than 1, and so is what is left out."""
    for one in [*range(1, 400), 10**9 + 7]:
        terms = []
        while one // number ** (2 * len(terms) + 1):
            terms.append(one // (number ** (2 * len(terms) + 1) * (2 * len(terms) + 1)))
        total = sum(term if k % 2 == 0 else -term for k, term in enumerate(terms))
        assert trigonometry._arctangent_inverse(number, one) == (total - 1 - len(terms), total + 1 + len(terms))


@pytest.mark.parametrize("square", [(0, 0), (0, 30), (5, 9), (40, 41), (63, 64)])
@pytest.mark.parametrize("start", [0, 1])
def test_a_series_rounds_its_terms_outwards(start: int, square: Interval) -> None:
    """Terms are rounded down and up; a sum takes the one that keeps it outside, and 1 for all terms from the first that is at most 1."""
    for first in (0, 1, 2, 17, 64, 1000, 99_999):
        terms = [(first, first)]
        while terms[-1][1] > 1 or len(terms) == 1:
            order = start + 2 * len(terms)
            low, high = terms[-1]
            terms.append((low * square[0] // (order * (order - 1) * 64), math.ceil(Fraction(high * square[1], order * (order - 1) * 64))))
        lows = [low if k % 2 == 0 else -high for k, (low, high) in enumerate(terms[:-1])]
        highs = [high if k % 2 == 0 else -low for k, (low, high) in enumerate(terms[:-1])]
        assert trigonometry._series(first, start, square, 6) == (sum(lows) - 1, sum(highs) + 1)


@pytest.mark.parametrize("precision", range(1, 40))
def test_pi_has_80_bits_more_and_is_halved_outwards(precision: int) -> None:
    functions = Trigonometry(Arithmetic(precision))
    low, high = enclose_pi(precision + 80)
    assert functions._bits == precision + 80
    assert functions._quarter == (math.floor(Fraction(low, 2)), math.ceil(Fraction(high, 2)))
    assert functions.pi == (math.floor(Fraction(low, 1 << 80)), math.ceil(Fraction(high, 1 << 80)))
    assert high - low <= 2


def test_each_end_of_pi_is_made_of_the_right_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """With enclosures so wide that every end shows."""
    monkeypatch.setattr(trigonometry, "_arctangent_inverse", lambda number, _: (5 << 24, 7 << 24) if number == 5 else (1 << 24, 3 << 24))
    assert enclose_pi(3) == (16 * 5 - 4 * 3, 16 * 7 - 4 * 1)
    monkeypatch.setattr(trigonometry, "enclose_pi", lambda _: ((5 << 80) + 1, (9 << 80) + 1))
    functions = Trigonometry(Arithmetic(3))
    assert functions.pi == (5, 10) and functions._quarter == (5 << 79, (9 << 79) + 1)


def test_multiples_of_a_quarter_turn_leave_less_than_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remainder of at most pi/4, and what the neglected digits of pi add."""
    left: list[Fraction] = []
    original = trigonometry._reduced

    def reduced(y: int, bits: int) -> tuple[Interval, Interval]:
        left.append(Fraction(abs(y), 1 << bits))
        return original(y, bits)

    monkeypatch.setattr(trigonometry, "_reduced", reduced)
    functions = Trigonometry(Arithmetic(6))
    for x in range(-700, 701):
        functions.sin((x, x))
    assert len(left) == 1401 and max(left) < Fraction(7854, 10_000)
    for far in range((1 << 70) - 300, 1 << 70):
        functions.cos((far, far))
    assert max(left) < Fraction(7855, 10_000)


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """The arguments of all calls of a method from now on."""
    calls: list[object] = []
    original: Callable[..., object] = getattr(Trigonometry, name)

    def call(self: Trigonometry, argument: object) -> object:
        calls.append(argument)
        return original(self, argument)

    monkeypatch.setattr(Trigonometry, name, call)
    return calls


def test_values_are_remembered_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trigonometry, "CACHE", 3)
    points, spans, around = (counted(monkeypatch, name) for name in ("_evaluate", "_enclose", "_around"))
    functions = Trigonometry(Arithmetic(8))
    for x in (1, 2, 3, 1, 2, 3):
        functions.sin((x, x))
        functions.cos((x, x))
    assert points == [1, 2, 3] and spans == [(1, 1), (2, 2), (3, 3)]
    assert sorted(functions._points) == [1, 2, 3] and sorted(functions._spans) == [(1, 1), (2, 2), (3, 3)]
    functions.sin((4, 4))
    assert list(functions._points) == [4] and list(functions._spans) == [(4, 4)]
    functions._point(4)
    assert points == [1, 2, 3, 4] and around == []


def test_4096_values_are_remembered() -> None:
    assert trigonometry.CACHE == 4096 and trigonometry.REACH == 64 and trigonometry.GUARD == 80


def test_far_arguments_are_not_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each condition by itself: too wide, too far to the left, too far to the right."""
    functions, one = Trigonometry(Arithmetic(8)), 1 << 8
    around, points = counted(monkeypatch, "_around"), counted(monkeypatch, "_point")
    reach = one << 64
    for a in ((0, 4 * one + 1), (-reach, 2 - reach), (-reach, -reach), (reach - 2, reach), (reach, reach), (-reach - 1, -reach - 1)):
        assert functions.sin(a) == functions.cos(a) == (-one, one)
    assert around == points == []
    for a in ((0, 4 * one), (1 - reach, 2 - reach), (reach - 2, reach - 1)):
        functions.sin(a)
    assert len(around) == 3
