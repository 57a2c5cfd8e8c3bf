"""Texts: the grammar is kept to the letter, whatever is broken is rejected, and nothing hostile raises or hangs."""

import random

import pytest
from arb_texts import ANCHORS, DISTANCES, ROOT, certificate, judged, lower, problem, sealed, upper, zeros

from certify.checker_arb import Status, check
from certify.checker_arb import certificate as certificate_module

GOOD = lower("9/10", "aggregate q0.0+1 q0.2-1")


def changed(text, old, new, count=1):
    assert old in text
    return text.replace(old, new, count)


CERTIFICATES = {
    "another version": ("certify-certificate 5", "certify-certificate 2"),
    "the version before": ("certify-certificate 5", "certify-certificate 4"),
    "the version after": ("certify-certificate 5", "certify-certificate 7"),
    "another version's lines": ("certify-certificate 5", "certify-certificate 6"),
    "two spaces": ("scope F", "scope  F"),
    "a space at the end": ("scope F", "scope F "),
    "an empty line": ("scope F\n", "scope F\n\n"),
    "a tab": ("scope F", "scope\tF"),
    "a carriage return": ("scope F\n", "scope F\r\n"),
    "no last line end": ("end\n", "end"),
    "something after the end": ("end\n", "end\nend\n"),
    "a byte that is no ASCII": ("scope F", "scope \u00c4"),
    "precision too low": ("precision 64", "precision 63"),
    "precision too high": ("precision 64", "precision 513"),
    "a leading zero": ("precision 64", "precision 064"),
    "a plus sign": ("lower 9/10", "lower +9/10"),
    "not in lowest terms": ("lower 9/10", "lower 18/20"),
    "a denominator of one": ("lower 9/10", "lower 1/1"),
    "nothing over something": ("lower 9/10", "lower 0/10"),
    "minus nothing": ("lower 9/10", "lower -0"),
    "a negative end": ("lower 9/10", "lower -9/10"),
    "a decimal": ("lower 9/10", "lower 0.9"),
    "too many digits": ("lower 9/10", f"lower 9/1{'0' * 2000}"),
    "no claim": ("lower 9/10", "lower none"),
    "two claims": ("within none", "within 1"),
    "no end": ("\nend\n", "\n"),
    "no tree": ("tree\n", ""),
    "an unknown family": ("scope F", "scope G"),
    "a family twice": ("scope F", "scope F F"),
    "no box": ("box\n", "sphere\n"),
    "an unknown rule": ("aggregate", "assume"),
    "a minus zero exponent": ("q0.0+1 ", "q0.0+1p-0 "),
    "an exponent too large": ("q0.0+1 ", "q0.0+1p4097 "),
    "an exponent too small": ("q0.0+1 ", "q0.0+1p-4097 "),
    "a weight with a leading zero": ("q0.0+1 ", "q0.0+01 "),
    "a form that does not exist": ("q0.0+1 ", "z0.0+1 "),
}
PROBLEMS = {
    "version 1": ("certify-problem 2", "certify-problem 1"),
    "version 4": ("certify-problem 2", "certify-problem 4"),
    "no version": ("certify-problem 2", "certify-problem"),
    "bounds exchanged": ("x mm 0 4", "x mm 4 0"),
    "no variables": ("variables 1\nx mm 0 4\n", "variables 0\n"),
    "a name with a space": ("x mm 0 4", "x y mm 0 4"),
    "a name that begins with a digit": ("x mm 0 4", "1 mm 0 4"),
    "a unit with a sign of its own": ("x mm 0 4", "x m*m 0 4"),
    "a count that is wrong": ("columns 1", "columns 2"),
    "a column too short": ("0 1/8\n", ""),
    "an unknown operation": ("sub 0 1", "pow 0 1"),
    "an operand too many": ("sub 0 1", "sub 0 1 1"),
    "two operands of exp": ("sub 0 1", "exp 0 1"),
    "no operand of log": ("sub 0 1", "log"),
    "two operands of atan": ("sub 0 1", "atan 0 1"),
    "a number for a node": ("sub 0 1", "exp 1/2"),
    "a function in capitals": ("sub 0 1", "LOG 0"),
    "atan2": ("sub 0 1", "atan2 0 1"),
    "ln": ("sub 0 1", "ln 0"),
    "a function of a later node": ("sub 0 1", "atan 2"),
    "a reference forwards": ("sub 0 1", "sub 0 2"),
    "a binding that is none": ("v0 c0", "v0 w0"),
    "a binding too few": ("v0 c0", "v0"),
    "a column that is none": ("v0 c0", "v0 c1"),
    "rows that the column has not": ("F 0 3", "F 0 2"),
    "no rows": ("F 0 3", "F 0 0"),
    "a tape that is none": ("F 0 3", "F 1 3"),
    "something after the end": ("end\n", "end\nend\n"),
}


def test_the_good_text_is_good():
    assert judged(DISTANCES, GOOD).status is Status.VERIFIED


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_broken_certificate_is_rejected(name):
    outcome = check(DISTANCES.encode(), changed(sealed(DISTANCES, GOOD), *CERTIFICATES[name]).encode())
    assert outcome.status is Status.REJECTED, outcome.message


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_broken_problem_is_rejected(name):
    outcome = judged(changed(DISTANCES, *PROBLEMS[name]), GOOD)
    assert outcome.status is Status.REJECTED, outcome.message
    assert "problem" in outcome.message or name == "bounds exchanged"


def test_a_certificate_is_for_one_problem():
    assert judged(DISTANCES, GOOD, seal=False).status is Status.REJECTED
    text = sealed(DISTANCES, GOOD)
    assert check(changed(DISTANCES, "0 1/8", "0 1/4").encode(), text.encode()).status is Status.REJECTED
    digest = text.split("\n")[1]
    assert (
        check(DISTANCES.encode(), changed(text, digest, digest.upper().replace("PROBLEM", "problem")).encode()).status
        is Status.REJECTED
    )


def test_fractions_and_numbers_at_their_limits():
    digits = "9" * 40
    assert judged(DISTANCES, upper("15/16", "17/16", f"column y 1 0.{digits} 0.0")).status is Status.VERIFIED
    assert judged(DISTANCES, upper("15/16", "17/16", f"column y 1 0.{digits}9 0")).status is Status.REJECTED
    small = f"1/1{'0' * 1999}"
    assert judged(DISTANCES, lower(small, "split 0 1", "evaluate 0 2", "evaluate 0 0")).status is Status.VERIFIED


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"end\n", b"\x00" * 50, b"certify-problem 2\n", b"certify-problem 2\nvariables 1\n", b"\xff\n"]
)
def test_rubbish_is_rejected(data):
    assert check(data, data).status is Status.REJECTED
    assert check(DISTANCES.encode(), data).status is Status.REJECTED


def test_random_changes_raise_nothing():
    rng = random.Random(5)
    root = (("zero 2896p-11 2897p-11", "inverse 181p-9"),)
    pairs = [
        (DISTANCES, GOOD),
        (DISTANCES, upper("15/16", "17/16", "column y 1 0.5 0")),
        (ROOT, zeros(root, "split 0 2896p-11", "evaluate 0 0", "split 0 2897p-11", "known 0", "evaluate 0 0")),
        (ANCHORS, lower("1/4", "prepare 2", "aggregate q0.0+1 m0.1-1 b0+1-1", start="point -5/4 0")),
    ]
    letters = "0123456789 \n/p-+.:abcqmvx"
    for _ in range(6000):
        texts = list(rng.choice(pairs))
        which = rng.randrange(2)
        text = texts[which]
        for _ in range(rng.randrange(1, 4)):
            k = rng.randrange(len(text))
            text = text[:k] + rng.choice(letters) * rng.randrange(3) + text[k + rng.randrange(2) :]
        texts[which] = text
        outcome = judged(*texts, seconds=5)
        assert outcome.status in Status


SQUARES = 5000
HUGE = problem(
    tape=tuple(f"sqr {k}" for k in range(SQUARES)), inputs=1, families=("F 0 1 v0",), variables=("x mm 2 3",)
)
TINY = HUGE.replace("x mm 2 3", "x mm 1/3 1/2")


@pytest.mark.parametrize("text", [HUGE, TINY])
def test_towers_of_squares_end_at_once(text):
    for leaf in ("aggregate q0.0+1", "aggregate m0.0+1"):
        assert judged(text, lower("1", leaf)).status is Status.REJECTED
    assert judged(text, lower("1", "evaluate 0 0")).status is (Status.VERIFIED if text is HUGE else Status.REJECTED)


def test_many_rows_end_by_the_deadline():
    many = problem(families=("F 0 1000000 v0 v0",))
    assert judged(many, upper("1", "1/2"), seconds=0.5).status is Status.RESOURCE


def test_deep_trees_end_in_a_limit_and_not_in_recursion():
    splits = [f"split 0 1p-{k}" for k in range(1, 4000)]
    outcome = judged(DISTANCES, lower("9/10", *splits))
    assert outcome.status is Status.REJECTED
    wide = problem(
        variables=tuple(f"x{k} mm 0 1" for k in range(2000)),
        tape=("neg 0",),
        inputs=2000,
        families=("F 0 1 " + " ".join(f"v{k}" for k in range(2000)),),
    )
    outcome = judged(wide, lower("1", *(f"split 0 1p-{k}" for k in range(1, 1200))))
    assert outcome.status is Status.RESOURCE and "pending" in outcome.message


def test_large_products_end_in_a_limit():
    count = 600
    sums = ("add 0 1", *(f"add {count + k} {k + 2}" for k in range(count - 2)))
    square = (*sums, f"sqr {2 * count - 2}")
    large = problem(
        variables=tuple(f"x{k} mm 0 1" for k in range(count)),
        tape=square,
        inputs=count,
        families=("F 0 1 " + " ".join(f"v{k}" for k in range(count)),),
    )
    outcome = judged(large, lower("1", "aggregate q0.0+1"))
    assert outcome.status is Status.RESOURCE and "products" in outcome.message


def test_limits_of_counts(monkeypatch):
    monkeypatch.setattr(certificate_module, "MOST_NUMBERS", 2)
    assert judged(DISTANCES, upper("15/16", "17/16", "column y 1 0.5 0")).status is Status.RESOURCE


def test_a_deadline_that_has_passed():
    assert judged(DISTANCES, GOOD, seconds=-1).status is Status.RESOURCE
    assert judged(DISTANCES, certificate("lower 1", body=("tree", "open")), seconds=-1).status in Status
