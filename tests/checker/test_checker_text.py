"""Malformed files are REJECTED with their line; huge counts are met before anything is built."""

from __future__ import annotations

import random

import pytest
from checker_texts import certificate, gough_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.files import BAD_CERTIFICATES, BAD_PROBLEMS, CERTIFICATE, PROBLEM

from certify.checker import Status, check
from certify.checker.certificate import parse_certificate
from certify.checker.nodes import parse_node
from certify.checker.outcome import Rejection
from certify.checker.problem import parse_problem
from certify.checker.text import Lines, dyadic, fraction, name, natural, rational, shown, unit


def test_the_texts_themselves_are_well_formed() -> None:
    assert check(PROBLEM.encode(), CERTIFICATE.encode()).status is Status.VERIFIED
    problem = parse_problem(PROBLEM.encode())
    assert [variable.name for variable in problem.variables] == ["x", "y"] and problem.families[0].rows == 2
    parsed = parse_certificate(CERTIFICATE.encode())
    assert parsed.scope == ("F",) and parsed.point is None and parsed.precision == 128


@pytest.mark.parametrize("case", BAD_PROBLEMS)
def test_malformed_problems_are_rejected(case: str) -> None:
    old, new, reason = BAD_PROBLEMS[case]
    assert old in PROBLEM
    outcome = check(PROBLEM.replace(old, new, 1).encode(), CERTIFICATE.encode())
    assert (
        outcome.status is Status.REJECTED
        and outcome.message.startswith("REJECTED problem")
        and reason in outcome.message
    )


@pytest.mark.parametrize("case", BAD_CERTIFICATES)
def test_malformed_certificates_are_rejected(case: str) -> None:
    old, new, reason = BAD_CERTIFICATES[case]
    assert old in CERTIFICATE
    outcome = check(PROBLEM.encode(), CERTIFICATE.replace(old, new).encode())
    assert outcome.status is Status.REJECTED and reason in outcome.message
    assert len(outcome.message.splitlines()) == 1 and outcome.message.isprintable()


def test_names_are_unique_in_every_block() -> None:
    column = "column m 1 2\n0 1/10\n1 1\n"
    tape = PROBLEM[PROBLEM.index("tape t") : PROBLEM.index("families")]
    family = "F 0 2 v0 v1 c0\n"
    for block, count, word in (
        (column, "columns 1", "columns"),
        (tape, "tapes 1", "tapes"),
        (family, "families 1", "families"),
    ):
        text = PROBLEM.replace(block, 2 * block).replace(count, count[:-1] + "2")
        assert f"{word}: the name" in check(text.encode(), b"").message


def test_claims_of_nothing_are_rejected() -> None:
    text = certificate(PROBLEM, lower="none", upper="none")
    assert "line 13: claim: one of the five is claimed" in check(PROBLEM.encode(), text.encode()).message


def test_huge_counts_cost_nothing() -> None:
    """Counts of 10^11 to 10^1999 end where the lines end."""
    for old in ("variables 2", "column m 1 2", "tape t 3 6", "tapes 1", "families 1", "columns 1"):
        for digits in (11, 100, 1999):
            text = PROBLEM.replace(old, old[:-1] + "9" * digits)
            assert check(text.encode(), CERTIFICATE.encode()).status is Status.REJECTED
    huge_inputs = PROBLEM.replace("tape t 3 6", "tape t 9999999999 6")
    assert "families: 3 bindings" in check(huge_inputs.encode(), CERTIFICATE.encode()).message


def test_rows_without_columns_end_by_the_deadline() -> None:
    text = (
        PROBLEM.replace("tape t 3 6", "tape t 2 5")
        .replace("pi\n", "")
        .replace("const -3/7\nmul 3 4\nadd 5 0\nsub 6 2\nsub 7 1", "add 0 1\n" * 4 + "sub 0 0")
    )
    text = text.replace("F 0 2 v0 v1 c0", "F 0 1000000 v0 v1")
    outcome = check(text.encode(), certificate(text, upper=2, witness=["values 0 0"]).encode(), 1)
    assert outcome.message == "RESOURCE the deadline of 1 seconds"


def test_caps_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a line has 1 to 1000000 characters" in check(b"x" * 1_000_001 + b"\n", b"").message
    long = f"certify-problem 2\n{'x' * 1_000_000}\n".encode()
    assert "problem line 2: text: a line 'variables' was expected" in check(long, b"").message
    monkeypatch.setattr("certify.checker.problem.LINES", 10)
    assert check(PROBLEM.encode(), b"").message == "RESOURCE 10 lines in the problem"
    monkeypatch.setattr("certify.checker.text.FILE_BYTES", 100)
    assert check(PROBLEM.encode(), b"").message == "REJECTED problem: text: the file is larger than 64 MiB"


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n", b" \n", b"\xff\n", b"end\n", b"certify-problem 2\n"])
def test_empty_and_tiny_files_are_rejected(data: bytes) -> None:
    assert check(data, CERTIFICATE.encode()).status is Status.REJECTED
    assert check(PROBLEM.encode(), data).status is Status.REJECTED


@settings(max_examples=300, deadline=None)
@given(token=st.one_of(st.text(max_size=8), st.text("0123456789/-+p.e_ ", max_size=8)))
def test_numbers_are_canonical(token: str) -> None:
    """What a reader accepts is exactly what its value is written as."""
    for reader, written in ((natural, str), (rational, str)):
        try:
            value = reader(token)
        except Rejection:
            continue
        assert written(value) == token
    for other in (dyadic, fraction, name, unit, lambda text: parse_node([text])):
        try:
            other(token)  # type: ignore[operator]
        except Rejection:
            continue
        assert token.isascii()


def test_long_tokens_are_cut_where_they_are_shown() -> None:
    for length in (1, 39, 40):
        assert shown("x" * length) == repr("x" * length)
    for length in (41, 1000):
        assert shown("x" * length) == repr("x" * 40 + "...")


def test_a_reader_of_lines_counts_them() -> None:
    lines = Lines(b"a b\nc\n", "file")
    assert lines.tokens() == ["a", "b"] and lines.where == "file line 1"
    assert lines.keyword("c") == []
    lines.finish()


@pytest.mark.parametrize("seed", range(40))
def test_mutated_certificates_of_false_claims_are_never_verified(seed: int) -> None:
    """lower 2 is false here (x = 1, y = 0 reach 1.4): whatever the proof, it must not be believed; nor may the checker
    fail.
    """
    rng = random.Random(seed)
    false = CERTIFICATE.replace("lower 1/4\nupper 2", "lower 2\nupper 3").encode()
    for _ in range(25):
        data = bytearray(false)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data))
            data[place : place + rng.choice((0, 1, 2))] = bytes(
                rng.choice(b"0123456789 pqmb+-./:\nsplitevaluate") for _ in range(rng.choice((0, 1, 2)))
            )
        outcome = check(PROBLEM.encode(), bytes(data))
        assert outcome.status is Status.REJECTED or b"lower 2\n" not in data


def test_a_long_problem_is_read() -> None:
    assert len(parse_problem(gough_problem(64).text().encode()).columns[0].entries) == 64
