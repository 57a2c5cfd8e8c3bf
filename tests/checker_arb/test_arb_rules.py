"""Every rule on problems small enough to see the truth: what holds is verified, what is a little more than the truth is
rejected.
"""

import pytest
from arb_texts import ANCHORS, DISTANCES, ISOLATED, KNOWN, ROOT, judged, lower, problem, upper, within, zeros

from certify.checker_arb import Status

SUM = "aggregate q0.0+1 q0.2-1"
HULL = ("1023/1024 1153/1024",)
TREE = ("split 0 1023p-10", "evaluate 0 2", "split 0 1153p-10", "open", "evaluate 0 0")
OTHER_ROOT = problem(variables=("x mm -2 2",), tape=("sqr 0", "const 2", "sub 1 2"), inputs=1, families=("F 0 1 v0",))
LEFT = (("zero -2897p-11 -2896p-11", "inverse -181p-9"),)
BOTH = ("split 0 -2897p-11", "evaluate 0 0", "split 0 -2896p-11", "known 0", *KNOWN[:3], "known 1", "evaluate 0 0")
# x + y = 3, x - y = 1: a linear system in two families, one row each
SENSOR = problem(variables=("x mm 0 4",), columns=(("y", ("0 1",)),), families=("F 0 1 v0 c0",))
LINEAR = problem(
    variables=("x mm 0 4", "y mm 0 4"),
    tape=("add 0 1", "sub 2 3"),
    inputs=2,
    families=("F 0 1 v0 v1", "G 1 1 v0 v1"),
)
LINEAR = LINEAR.replace(
    "tapes 1\ntape t 2 2\nadd 0 1\nsub 2 3\n",
    "tapes 2\ntape t 2 3\nadd 0 1\nconst 3\nsub 2 3\ntape u 2 3\nsub 0 1\nconst 1\nsub 2 3\n",
)
SOLVED = (("zero 2047p-10 2049p-10 1023p-10 1025p-10", "inverse 1p-1 1p-1 1p-1 -1p-1"),)

TRUE = {
    "a lower end by aggregation": (DISTANCES, lower("9/10", SUM)),
    "the same with cells": (DISTANCES, lower("9/10", "prepare 256", SUM)),
    "the same in the mean value form": (DISTANCES, lower("9/10", "aggregate m0.0+1 m0.2-1")),
    "with a product that does no harm": (DISTANCES, lower("9/10", SUM + " b0+0-1p-20")),
    "a lower end by cases": (DISTANCES, lower("1/2", "split 0 1", "evaluate 0 2", "evaluate 0 0")),
    "one point": (DISTANCES, lower("9/10", "evaluate 0 2", start="point 1/3")),
    "an upper end": (DISTANCES, upper("15/16", "17/16", "column y 1 0.5 0")),
    "an upper end of zero between two measurements": (SENSOR, upper("0", "1/3", "column y 1:0")),
    "a hull": (DISTANCES, within("1", HULL, *TREE)),
    "a hull that is everything": (DISTANCES, within("1", ("0 4",), "open")),
    "an empty set": (DISTANCES, within("1/4", ("0 0",), "split 0 1", "evaluate 0 2", "evaluate 0 0")),
    "one zero": (ROOT, zeros(ISOLATED, *KNOWN)),
    "two zeros": (OTHER_ROOT, zeros(LEFT + ISOLATED, *BOTH)),
    "no zero": (ROOT.replace("x mm 0 2", "x mm 0 1"), zeros((), "evaluate 0 0")),
    "a root of a polynomial": (ANCHORS, lower("1/4", "evaluate 0 1", start="point -5/4 0")),
}
FALSE = {
    "a lower end at the truth": (DISTANCES, lower("15/16", SUM)),
    "a lower end above it": (DISTANCES, lower("1", SUM)),
    "one row": (DISTANCES, lower("9/10", "aggregate q0.0+1")),
    "a side": (DISTANCES, lower("9/10", "aggregate q0.0+1 q0.2+1")),
    "a term twice": (DISTANCES, lower("9/10", SUM + " q0.0+1")),
    "a weight of nothing": (DISTANCES, lower("9/10", SUM.replace("+1", "+0"))),
    "a negative weight": (DISTANCES, lower("9/10", SUM.replace("+1", "+-1"))),
    "a row that is none": (DISTANCES, lower("9/10", SUM.replace("0.2", "0.3"))),
    "a family that is none": (DISTANCES, lower("9/10", SUM.replace("0.2", "1.2"))),
    "a product in the wrong order": (DISTANCES, lower("9/10", SUM + " b0-0+1")),
    "a product that matters": (DISTANCES, lower("9/10", SUM + " b0+0-1")),
    "products only": (DISTANCES, lower("9/10", "aggregate b0+0-1")),
    "no terms": (DISTANCES, lower("9/10", "aggregate")),
    "no cells": (DISTANCES, lower("9/10", "prepare 0", SUM)),
    "too many cells": (DISTANCES, lower("9/10", "prepare 257", SUM)),
    "a leaf missing": (DISTANCES, lower("1/2", "split 0 1", "evaluate 0 2")),
    "a leaf too many": (DISTANCES, lower("9/10", SUM, SUM)),
    "leaves exchanged": (DISTANCES, lower("1/2", "split 0 1", "evaluate 0 0", "evaluate 0 2")),
    "a split at the end": (DISTANCES, lower("1/2", "split 0 0", "evaluate 0 2", "evaluate 0 0")),
    "a split of another variable": (DISTANCES, lower("1/2", "split 1 1", "evaluate 0 2", "evaluate 0 0")),
    "a split of a point": (DISTANCES, lower("9/10", "split 0 1p-1", SUM, SUM, start="point 1/3")),
    "a point outside": (DISTANCES, lower("9/10", "evaluate 0 2", start="point 5")),
    "an open leaf for a lower end": (DISTANCES, lower("9/10", "open")),
    "a known leaf for a lower end": (DISTANCES, lower("9/10", "known 0")),
    "an upper end below the truth": (DISTANCES, upper("7/8", "17/16", "column y 1 0.5 0")),
    "other measurements": (DISTANCES, upper("15/16", "17/16", "column y 1 0.5 0.1")),
    "a value outside": (DISTANCES, upper("15/16", "-1/16", "column y 1 0.5 0")),
    "a fraction beyond 1": (DISTANCES, upper("15/16", "17/16", "column y 1.1 0.5 0")),
    "fractions missing": (DISTANCES, upper("15/16", "17/16", "column y 1 0.5")),
    "a hull too small": (DISTANCES, within("1", ("1 1153/1024",), *TREE)),
    "a hull beyond the box": (DISTANCES, within("1", ("-1 4",), "open")),
    "a hull upside down": (DISTANCES, within("1", ("2 1",), "open")),
    "an open leaf outside": (DISTANCES, within("1", HULL, "open")),
    "a hull for a point": (DISTANCES, within("1", ("1 1",), "open", start="point 1")),
    "a claim of more within": (DISTANCES, within("2", HULL, *TREE)),
    "a zero in no box": (ROOT, zeros((), *KNOWN[:3], "evaluate 0 0", "evaluate 0 0")),
    "a zero not isolated": (ROOT, zeros((("zero 2896p-11 2897p-11", "inverse -1p-9"),), *KNOWN)),
    "an inverse of nothing": (ROOT, zeros((("zero 2896p-11 2897p-11", "inverse 0"),), *KNOWN)),
    "a box without a zero": (ROOT, zeros((("zero 2897p-11 2898p-11", "inverse 181p-9"),), *KNOWN)),
    "a zero outside the problem's box": (ROOT.replace("x mm 0 2", "x mm 0 1"), zeros(ISOLATED, "evaluate 0 0")),
    "a zero twice": (ROOT, zeros(ISOLATED * 2, *KNOWN)),
    "the same zero in two boxes": (ROOT, zeros((*ISOLATED, ("zero 1448p-10 1449p-10", "inverse 181p-9")), *KNOWN)),
    "a known leaf beside the box": (ROOT, zeros(ISOLATED, "split 0 2896p-11", "evaluate 0 0", "known 0")),
    "another number": (ROOT, zeros(ISOLATED, *KNOWN[:3], "known 1", "evaluate 0 0")),
    "one zero of two": (OTHER_ROOT, zeros(ISOLATED, "split 0 0", "evaluate 0 0", *KNOWN)),
    "zeros of a family that is measured": (DISTANCES, zeros((), "evaluate 0 0")),
    "a derivative that does not exist": (
        problem(variables=("x mm 0 1",), tape=("sqr 0", "sqrt 1"), inputs=1, families=("F 0 1 v0",)),
        zeros((("zero -1p-4 1p-4", "inverse 1"),), "split 0 1p-4", "known 0", "evaluate 0 0"),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_is_rejected(name):
    outcome = judged(*FALSE[name])
    assert outcome.status is Status.REJECTED, outcome.message
    assert outcome.line is not None and outcome.rule


def test_a_linear_system():
    leaves = ["split 0 2047p-10", "aggregate q0.0-1 q1.0-1", "split 0 2049p-10"]
    leaves += ["split 1 1023p-10", "aggregate q0.0-1 q1.0+1", "split 1 1025p-10", "known 0", "aggregate q0.0+1 q1.0-1"]
    leaves += ["aggregate q0.0+1 q1.0+1"]
    outcome = judged(LINEAR, zeros(SOLVED, *leaves, scope="F G"))
    assert outcome.status is Status.VERIFIED, outcome.message
    wrong = [leaf.replace("known 0", "evaluate 0 0") for leaf in leaves]
    assert judged(LINEAR, zeros(SOLVED, *wrong, scope="F G")).status is Status.REJECTED
    singular = ((SOLVED[0][0], "inverse 1p-1 1p-1 1p-1 1p-1"),)
    assert judged(LINEAR, zeros(singular, *leaves, scope="F G")).rule == "isolated"


def test_a_rejection_says_where():
    outcome = judged(DISTANCES, lower("1/2", "split 0 1", "evaluate 0 2", "evaluate 0 1"))
    assert (outcome.node, outcome.line, outcome.rule) == (2, 17, "evaluate")
    assert outcome.message.startswith("REJECTED certificate line 17, node 2: evaluate: ")


def test_a_shared_measurement_has_one_value():
    shared = problem(
        variables=("x mm 0 4",), columns=(("y", ("0 1",)),), families=("F 0 1 v0 c0", "G 0 1 v0 c0"), tape=("sub 0 1",)
    )
    for token, expected in (("0.5", Status.VERIFIED), ("0:1", Status.REJECTED), ("0.5:0.5", Status.REJECTED)):
        for scope, allowed in (("F G", False), ("F", True)):
            outcome = judged(shared, upper("1/2", "1/2", f"column y {token}", scope=scope))
            assert outcome.status is (Status.VERIFIED if allowed else expected), outcome.message


def test_a_segment_must_be_defined():
    """At both ends 1/y is small and of two signs, and in between it is nothing at all."""
    pole = problem(variables=("x mm 0 4",), columns=(("y", ("-1 1",)),), tape=("div 0 1",), families=("F 0 1 v0 c0",))
    assert judged(pole, upper("1", "1", "column y 0:1")).status is Status.REJECTED
    assert judged(pole, upper("1", "1", "column y 1")).status is Status.VERIFIED


def test_measurements_that_pull_both_ways_cost_slack():
    """r = x + y^2 - y on y in [0, 1]: at least x - 1/4, which cells approach."""
    valley = problem(
        variables=("x mm 1 2",),
        columns=(("y", ("0 1",)),),
        tape=("sqr 1", "sub 2 1", "add 0 3"),
        families=("F 0 1 v0 c0",),
    )
    assert judged(valley, lower("3/4", "prepare 256", "aggregate q0.0+1")).status is Status.REJECTED
    assert judged(valley, lower("37/50", "prepare 256", "aggregate q0.0+1")).status is Status.VERIFIED
    assert judged(valley, lower("37/50", "prepare 256", "aggregate m0.0+1")).status is Status.VERIFIED
    assert judged(valley, lower("37/50", "prepare 3", "aggregate q0.0+1")).status is Status.REJECTED
    assert judged(valley, lower("33/50", "prepare 3", "aggregate q0.0+1")).status is Status.VERIFIED


def test_a_measurement_bound_twice_stays_whole():
    """r = x + y - z with y and z the same measurement: each side alone could not go to its own end."""
    twice = problem(
        variables=("x mm 1 2",),
        columns=(("y", ("0 1",)),),
        tape=("add 0 1", "sub 3 2"),
        inputs=3,
        families=("F 0 1 v0 c0 c0",),
    )
    assert judged(twice, lower("1/2", "aggregate q0.0+1")).status is Status.REJECTED
    assert judged(twice, upper("1", "1", "column y 0.5")).status is Status.VERIFIED


def test_roots_with_a_negative_other_side_are_refused():
    """sqrt(x) >= y - 1/2 says nothing where y may be below 1/2."""
    root = problem(variables=("x mm 0 1", "y mm 0 1"), tape=("sqrt 0", "sub 2 1"), families=("F 0 1 v0 v1",))
    negative = judged(root, lower("1/2", "aggregate q0.0-1"))
    assert negative.status is Status.REJECTED and "other side" in negative.message
    good = judged(root.replace("y mm 0 1", "y mm 2 3"), lower("1/2", "aggregate q0.0-1"))
    assert good.status is Status.VERIFIED, good.message


@pytest.mark.parametrize(
    ("tape", "expected"),
    [
        (("sqr 0", "const 1", "add 1 2"), Status.VERIFIED),
        (("sqr 0", "mul 1 0", "const 2", "add 2 3"), Status.REJECTED),  # a row of degree 3
        (("sqr 0", "sqr 1", "const 1", "add 2 3"), Status.REJECTED),  # and of degree 4
        (("sqr 0", "sqr 1", "mul 2 0", "const 2", "add 3 4"), Status.VERIFIED),  # a product of degree 5 is enclosed
        (("sqr 0", "const 1", "add 1 2", "sqrt 3"), Status.VERIFIED),
        (
            ("sqr 0", "const 1", "add 1 2", "sqrt 3", "const -2", "mul 4 5"),
            Status.REJECTED,
        ),  # <= -2: the other side of the root is negative
        (("sqr 0", "const 1", "add 1 2", "sqrt 3", "sqr 4"), Status.VERIFIED),
        (("sqr 0", "const 1", "add 1 2", "sqrt 3", "add 4 4"), Status.VERIFIED),  # two roots are enclosed
        (("sqr 0", "const 1", "add 1 2", "sqrt 3", "mul 4 4"), Status.VERIFIED),  # a product of roots too
        (("cos 0", "const 2", "add 1 2"), Status.VERIFIED),
        (("const 1", "cos 1", "sqr 0", "add 2 3"), Status.VERIFIED),
        (("const 1", "div 1 0"), Status.REJECTED),
    ],
)
def test_which_rows_have_a_polynomial_form(tape, expected):
    text = problem(variables=("x mm -1 1",), tape=tape, inputs=1, families=("F 0 1 v0",))
    outcome = judged(text, lower("1/2", "aggregate q0.0+1"))
    assert outcome.status is expected, outcome.message


def test_a_row_in_terms_of_a_variable_bound_twice():
    """r = x x - 2 with both factors the same variable: its derivative is the sum of two."""
    twice = problem(
        variables=("x mm 0 2",), tape=("mul 0 1", "const 2", "sub 2 3"), inputs=2, families=("F 0 1 v0 v0",)
    )
    assert judged(twice, zeros(ISOLATED, *KNOWN)).status is Status.VERIFIED
    assert judged(twice, lower("1/2", "aggregate m0.0-1", start="point 1")).status is Status.VERIFIED
