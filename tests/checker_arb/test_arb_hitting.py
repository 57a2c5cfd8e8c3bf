"""Rows that may be left out: witnesses, and the conflicts of a tree."""

import itertools
import random
from fractions import Fraction

import pytest
from arb_texts import DISTANCES, LINE, LINEAR, ROOT, judged, lower, problem, rejected, upper, within

from certify.checker_arb import Status
from certify.checker_arb.hitting import can_be_hit
from certify.checker_arb.outcome import Deadline, Exhausted

NOT_POSITIVE = "not proved to be positive"


def exact_points(values):
    """r = x - y for these y, x in [0, 100]."""
    return problem(
        variables=("x mm 0 100",),
        columns=(("y", tuple(f"{v} {v}" for v in values)),),
        families=(f"F 0 {len(values)} v0 c0",),
    )


def pair(i, j, form="q"):
    """Rows i and j, y_i < y_j, cannot both be small."""
    return f"aggregate {form}0.{i}+1 {form}0.{j}-1"


THREE = exact_points((0, 10, 20))
ALL = (pair(0, 1), pair(0, 2), pair(1, 2))
CASES = (
    "split 0 5",
    "hitting 2",
    "evaluate 0 1",
    "evaluate 0 2",
    "split 0 15",
    "hitting 2",
    "evaluate 0 0",
    "evaluate 0 2",
    "hitting 2",
    "evaluate 0 0",
    "evaluate 0 1",
)
GOOD = lower("4", "hitting 3", *ALL, discard=1)
NEAR = ("split 0 5", "open", "split 0 15", "open", "open")
TRUE = {
    "three conflicts": (THREE, GOOD),
    "mean values": (THREE, lower("4", "hitting 3", *(node.replace("q", "m") for node in ALL), discard=1)),
    "Taylor": (THREE, lower("4", "hitting 3", *(node.replace("q", "t") for node in ALL), discard=1)),
    "by cases": (THREE, lower("4", *CASES, discard=1)),
    "cases below a hitting": (
        THREE,
        lower("4", "hitting 3", "split 0 5", "evaluate 0 1", "evaluate 0 0", *ALL[1:], discard=1),
    ),
    "prepared below a hitting": (THREE, lower("4", "hitting 3", "prepare 2", *ALL, discard=1)),
    "a frame below a hitting": (THREE, lower("4", "hitting 3", "frame 50 1", *ALL, discard=1)),
    "a frame above": (THREE, lower("4", "frame 50 1", "hitting 3", *ALL, discard=1)),
    "more children than needed": (THREE, lower("4", "hitting 4", *ALL, ALL[0], discard=1)),
    "a hull": (
        THREE,
        within("4", ("0 100",), "split 0 5", "hitting 2", "evaluate 0 1", "evaluate 0 2", "open", discard=1),
    ),
    "a witness": (THREE, upper("5", "5", "column y 0 0 0", without="0.2", discard=1)),
    "a witness without the last": (THREE, upper("5", "15", "column y 0 0 0", without="0.0", discard=1)),
    "a witness without rows": (THREE, upper("10", "10", "column y 0 0 0", without="", discard=1)),
    "a witness without all": (THREE, upper("0", "0", "column y 0 0 0", without="0.0 0.1 0.2", discard=3)),
    "a witness without fewer than it may": (THREE, upper("0", "0", "column y 0 0 0", without="0.1 0.2", discard=64)),
    "a witness at a point": (THREE, upper("5", "5", "column y 0 0 0", without="0.2", start="point 5", discard=1)),
    "both ends": (
        THREE,
        upper("5", "5", "column y 0 0 0", "tree", "hitting 3", *ALL, without="0.2", discard=1).replace(
            "lower none", "lower 4"
        ),
    ),
    "a row that is undefined is left out": (
        problem(
            variables=("x mm -1 1",),
            columns=(("y", ("0 0", "2 2")),),
            tape=("add 0 1", "sqrt 2"),
            families=("F 0 2 v0 c0",),
        ),
        upper("1", "-1", "column y 0 0", without="0.0", discard=1),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def witness(rows, discard=1, e="5", x="5"):
    return upper(e, x, "column y 0 0 0", without=rows, discard=discard)


COLUMN = "column y 0 0 0"
WITHOUT = {
    "no line": (upper("5", "5", COLUMN, discard=1), "text", "'without'"),
    "a line that is not due": (upper("10", "10", COLUMN, without="", discard=0), "text", "'column'"),
    "rows that may not be left out": (upper("5", "5", COLUMN, without="0.2", discard=0), "text", "'column'"),
    "a row too many": (witness("0.1 0.2"), "text", "more than 1 rows"),
    "all rows": (witness("0.0 0.1 0.2", 2), "text", "more than 2 rows"),
    "a row twice": (witness("0.2 0.2", 2), "text", "ascending"),
    "rows out of order": (witness("0.2 0.1", 2), "text", "ascending"),
    "a row that is none": (witness("0.3"), "text", "has no row"),
    "a family that is none": (witness("1.0"), "text", "has no row"),
    "a row by its name": (witness("F.2"), "text", "is no row"),
    "a row without its family": (witness("2"), "text", "is no row"),
    "a leading zero": (witness("0.02"), "text", "is no row"),
    "a minus": (witness("0.-2"), "text", "is no row"),
    "a term": (witness("q0.2"), "text", "is no row"),
    "none": (witness("none"), "text", "is no row"),
    "after the columns": (upper("5", "5", COLUMN, "without 0.2", discard=1), "text", "'without'"),
    "before the values": (witness("0.2").replace("values 5\nwithout 0.2", "without 0.2\nvalues 5"), "text", "'values'"),
    "two lines": (witness("0.2", 2).replace("without 0.2", "without 0.1\nwithout 0.2"), "text", "'column'"),
    "a space at the end": (witness("0.2").replace("without 0.2", "without "), "text", "one space"),
    **{
        f"{e} without {rows or 'nothing'}": (witness(rows, e=e), "witness", "not proved")
        for rows, e in (
            ("0.0", "5"),
            ("0.1", "5"),
            ("0.2", "4"),
            ("0.2", "499/100"),
            ("", "5"),
            ("", "14"),
            ("0.0", "10"),
            ("0.1", "10"),
            ("0.1", "0"),
            ("0.2", "1"),
        )
    },
}


@pytest.mark.parametrize("name", WITHOUT)
def test_witnesses_are_rejected(name):
    certificate, rule, reason = WITHOUT[name]
    rejected(judged(THREE, certificate), rule, reason)


def test_rows_of_another_scope_are_not_left_out():
    two = problem(variables=("x mm 0 100",), tape=("neg 0",), inputs=1, families=("F 0 1 v0", "G 0 1 v0"))
    rejected(judged(two, upper("5", "5", without="1.0", discard=1)), "text", "has no row")
    assert judged(two, upper("5", "5", without="1.0", discard=1, scope="G")).status is Status.VERIFIED


def test_a_row_of_one_family_is_not_that_of_another():
    """At (3, 0) the row of F is 0 and that of G is 2."""
    for left, status in (("0.0", Status.REJECTED), ("1.0", Status.VERIFIED)):
        assert judged(LINEAR, upper("1", "3 0", without=left, discard=1, scope="F G")).status is status


BELOW, ABOVE, MEET = "only below a `hitting`", "does not stand below", "meet the rows"
PLACES = {
    "no discard": (lower("4", "hitting 3", *ALL), "hitting", "needs `discard`"),
    "an evaluation above": (lower("4", *CASES[:4], "evaluate 0 0", discard=1), "evaluate", BELOW),
    "an evaluation alone": (lower("4", "evaluate 0 0", discard=1), "evaluate", BELOW),
    "an evaluation below a frame": (lower("4", "frame 50 1", "evaluate 0 0", discard=1), "evaluate", BELOW),
    "an evaluation below a prepare": (lower("4", "prepare 3", "evaluate 0 0", discard=1), "evaluate", BELOW),
    "an evaluation after a hitting": (
        lower("4", *CASES[:4], "split 0 15", *CASES[5:8], "evaluate 0 0", discard=1),
        "evaluate",
        BELOW,
    ),
    "an aggregate alone": (lower("4", ALL[0], discard=1), "aggregate", BELOW),
    "an aggregate below a frame": (lower("4", "frame 50 1", ALL[0], discard=1), "aggregate", BELOW),
    "an aggregate below a prepare": (lower("4", "prepare 3", ALL[0], discard=1), "aggregate", BELOW),
    "an aggregate after a hitting": (lower("4", *CASES[:4], ALL[0], discard=1), "aggregate", BELOW),
    "the largest discard": (lower("4", ALL[0], discard=64), "aggregate", BELOW),
    "a hitting below a hitting": (
        lower("4", "hitting 3", "hitting 3", *ALL, *ALL[1:], discard=1),
        "hitting",
        "above it",
    ),
    "a hitting below a hitting and a split": (
        lower("4", "hitting 3", "split 0 5", "hitting 3", discard=1),
        "hitting",
        "above it",
    ),
    "a hitting below a hitting and a frame": (
        lower("4", "hitting 3", "frame 50 1", "hitting 3", discard=1),
        "hitting",
        "above it",
    ),
    "a hitting as the last child": (lower("4", "hitting 3", *ALL[:2], "hitting 3", discard=1), "hitting", "above it"),
    "an open leaf below": (within("4", ("0 100",), "hitting 3", "open", *ALL[1:], discard=1), "open", ABOVE),
    "an open leaf below a split": (
        within("4", ("0 100",), "hitting 3", "split 0 5", "open", "open", discard=1),
        "open",
        ABOVE,
    ),
    "an open leaf as the last child": (
        within("4", ("0 100",), "hitting 3", *ALL[:2], "open", discard=1),
        "open",
        ABOVE,
    ),
    "an open leaf for a lower end": (lower("4", "hitting 3", "open", *ALL[1:], discard=1), "open", ABOVE),
    "an open leaf without a hull": (lower("4", "open", discard=1), "open", "nothing but"),
    "a known leaf below": (lower("4", "hitting 3", "known 0", discard=1), "known", ABOVE),
    "a known leaf below a split": (lower("4", "hitting 3", "split 0 5", "known 0", discard=1), "known", ABOVE),
    "a known leaf": (lower("4", "known 0", discard=1), "known", "nothing but"),
    "no number": (lower("4", "hitting", *ALL, discard=1), "hitting", "1 tokens"),
    "two numbers": (lower("4", "hitting 3 1", *ALL, discard=1), "hitting", "1 tokens"),
    "no child": (lower("4", "hitting 0", discard=1), "text", "not between"),
    "10,001 children": (lower("4", "hitting 10001", *ALL, discard=1), "text", "not between"),
    "a child missing": (lower("4", "hitting 4", *ALL, discard=1), "text", "no rule 'end'"),
    "a child too many": (
        lower("4", "hitting 2", *ALL[:2], ALL[2], discard=2).replace("discard 2", "discard 1"),
        "hitting",
        MEET,
    ),
    "a child that proves nothing": (
        lower("4", "hitting 3", *ALL[:2], "aggregate q0.1+1 q0.2+1", discard=1),
        "aggregate",
        NOT_POSITIVE,
    ),
    "a child of one row": (lower("4", "hitting 3", "evaluate 0 0", *ALL[1:], discard=1), "evaluate", "as small"),
    "too large": (lower("5", "hitting 3", *ALL, discard=1), "aggregate", NOT_POSITIVE),
}


@pytest.mark.parametrize("name", PLACES)
def test_trees_with_discard_are_rejected(name):
    certificate, rule, reason = PLACES[name]
    outcome = judged(THREE, certificate)
    assert outcome.status is Status.REJECTED and reason in outcome.message, outcome.message
    assert outcome.rule in (rule, "text"), outcome.message


# sets of rows that too few rows meet; five points far from each other
FIVE = exact_points((0, 20, 40, 60, 80))


def pairs(*names):
    return ("hitting " + str(len(names)), *(pair(int(name[0]), int(name[1])) for name in names))


HIT = {
    "one pair": (1, pairs("01")),
    "a star": (1, pairs("01", "02", "03", "04")),
    "a star elsewhere": (1, pairs("02", "12", "24", "23")),
    "the same pair": (1, pairs("01", "01", "01", "01")),
    "a path of two": (1, pairs("01", "12")),
    "two pairs": (2, pairs("01", "23")),
    "a triangle": (2, pairs("01", "02", "12")),
    "a square": (2, pairs("01", "12", "23", "03")),
    "a path of four": (2, pairs("01", "12", "23", "34")),
    "two stars": (2, pairs("01", "02", "13", "23")),
    "a pentagon": (3, pairs("01", "12", "23", "34", "04")),
    "four of five": (3, pairs("01", "02", "03", "12", "13", "23")),
    "all but one edge": (3, pairs("01", "02", "03", "04", "12", "13", "14", "23", "24")),
    "all": (4, pairs("01", "02", "03", "04", "12", "13", "14", "23", "24", "34")),
    "all with room": (64, pairs("01", "02", "03", "04", "12", "13", "14", "23", "24", "34")),
    "rows named in cases": (2, ("hitting 1", "split 0 30", pair(2, 3), pair(0, 1))),
    "rows named in cases, which overlap": (
        1,
        ("hitting 2", "split 0 50", "evaluate 0 4", "evaluate 0 0", "split 0 50", pair(2, 4), "evaluate 0 1"),
    ),
    "a term that is not needed counts": (1, ("hitting 2", pair(0, 1) + " q0.2+1p-30", pair(2, 3))),
}


@pytest.mark.parametrize("name", HIT)
def test_few_rows_that_meet_all_sets_are_found(name):
    discard, tree = HIT[name]
    outcome = judged(FIVE, lower("4", *tree, discard=discard))
    rejected(outcome, "hitting", MEET)
    assert (outcome.node, outcome.line) == (0, 15)


MISSED = {
    "two pairs": (1, pairs("01", "23")),
    "a triangle": (1, pairs("01", "02", "12")),
    "a square": (1, pairs("01", "12", "23", "03")),
    "a pentagon": (2, pairs("01", "12", "23", "34", "04")),
    "four of five": (2, pairs("01", "02", "03", "12", "13", "23")),
    "all": (3, pairs("01", "02", "03", "04", "12", "13", "14", "23", "24", "34")),
}


@pytest.mark.parametrize("name", MISSED)
def test_more_rows_than_may_be_left_out(name):
    discard, tree = MISSED[name]
    outcome = judged(FIVE, lower("4", *tree, discard=discard))
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_failing_hitting_is_named():
    """The second of two, counted from 0 in the order of the file."""
    tree = (*CASES[:4], "hitting 1", pair(0, 2))
    outcome = judged(THREE, lower("4", *tree, discard=1))
    rejected(outcome, "hitting", MEET)
    assert (outcome.node, outcome.line) == (4, 19)


@pytest.mark.parametrize("seed", range(40))
def test_the_search_agrees_with_all_subsets(seed):
    rng = random.Random(seed)
    for _ in range(25):
        rows = [(rng.randrange(2), k) for k in range(rng.randrange(1, 8))]
        sets = [
            frozenset(rng.sample(rows, rng.randrange(1, min(4, len(rows)) + 1))) for _ in range(rng.randrange(1, 9))
        ]
        for most in range(5):
            truth = any(
                all(rows_of & set(chosen) for rows_of in sets)
                for n in range(most + 1)
                for chosen in itertools.combinations(rows, min(n, len(rows)))
            )
            assert can_be_hit(sets, most, Deadline(60)) is truth, (sets, most)


def test_sets_that_nothing_meets():
    assert not can_be_hit([frozenset()], 64, Deadline(60))
    assert can_be_hit([], 0, Deadline(60))


def test_a_search_that_takes_too_long_ends_by_the_deadline():
    rng = random.Random(1)
    sets = [frozenset((0, k) for k in rng.sample(range(150), 3)) for _ in range(1000)]
    with pytest.raises(Exhausted):
        can_be_hit(sets, 60, Deadline(0.3))


@pytest.mark.parametrize("seed", range(60))
def test_conflicts_of_points_prove_what_is_true_and_no_more(seed):
    """S(e) is empty if no interval of length 2 e holds all points but N: as many pairs in conflict, all
    of them given.
    """
    rng = random.Random(seed)
    values = sorted(rng.randrange(0, 100) for _ in range(rng.randrange(2, 9)))
    e = Fraction(rng.randrange(1, 60), 2)
    discard = rng.randrange(1, 5)
    most = max(sum(low <= v <= low + 2 * e for v in values) for low in values)
    conflicts = [(i, j) for j in range(len(values)) for i in range(j) if values[j] - values[i] > 2 * e]
    if not conflicts:
        return
    rng.shuffle(conflicts)
    text = exact_points(values)
    outcome = judged(
        text,
        lower(e, f"hitting {len(conflicts)}", *(pair(i, j, rng.choice("qmt")) for i, j in conflicts), discard=discard),
    )
    assert (outcome.status is Status.VERIFIED) is (len(values) - most > discard), outcome.message
    if outcome.status is Status.REJECTED:  # then there is a witness
        low = next(low for low in values if sum(low <= v <= low + 2 * e for v in values) == most)
        left = " ".join(f"0.{k}" for k, v in enumerate(values) if not low <= v <= low + 2 * e)
        x = min(low + e, Fraction(100))
        columns = "column y " + " ".join("0" for _ in values)
        assert judged(text, upper(e, x, columns, without=left, discard=discard)).status is Status.VERIFIED
        # nor does any other tree prove it
        for _ in range(10):
            some = rng.sample(conflicts, rng.randrange(1, len(conflicts) + 1))
            split = [f"split 0 {rng.randrange(1, 100)}"] if rng.random() < 0.5 else []
            child = (f"hitting {len(some)}", *(pair(i, j) for i, j in some))
            assert (
                judged(text, lower(e, *split, *child, *(child if split else ()), discard=discard)).status
                is Status.REJECTED
            )


def test_discard_0_is_as_before():
    assert judged(DISTANCES, lower("9/10", "aggregate q0.0+1 q0.2-1", discard=0)).status is Status.VERIFIED
    rejected(judged(ROOT, lower("1/2", "hitting 1", "evaluate 0 0")), "hitting", "needs `discard`")
    rejected(judged(LINE, lower("1/2", "hitting 1", "evaluate 0 0", norm="squares")), "hitting", "needs `discard`")


def test_ten_thousand_children_are_read():
    outcome = judged(THREE, lower("4", "hitting 10000", *(ALL[k % 3] for k in range(10_000)), discard=1))
    assert outcome.status is Status.VERIFIED, outcome.message
