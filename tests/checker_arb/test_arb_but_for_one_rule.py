"""Certificates of version 6 that are proofs but for one rule: both checkers reject them, and verify them mended."""

import pytest
from arb_texts import both
from checker_texts import certificate6, problem, tape

SUB, ROOT = tape(2, "sub 0 1"), tape(1, "sqr 0", "const 2", "sub 1 2")
COLUMNS = [("m", [(0, 3)]), ("n", [(0, 3)])]
# x^2 = 2; x - m and x + m, m - m, x^2 and x^2 - m, with m from 0 to 3
FORMS = problem(
    [("x", -2, 2)],
    COLUMNS,
    [ROOT, SUB, tape(2, "add 0 1"), tape(2, "sub 1 1"), tape(1, "sqr 0"), tape(2, "sqr 0", "sub 2 1")],
    ["E 0 1 v0", "C 1 1 v0 c0", "P 2 1 v0 c1", "Z 3 1 v0 c1", "S 4 1 v0", "Q 5 1 v0 c0"],
)
# (0, 0), (4, 3) and (100, 100)
POINTS = problem(
    [("x", -99, 99), ("y", -99, 99)],
    [("m", [(0, 0), (4, 4), (100, 100)]), ("n", [(0, 0), (3, 3), (100, 100)])],
    [SUB, SUB],
    ["A 0 3 v0 c0", "B 1 3 v1 c1", "G 0 3 v0 c1"],
)
# a row that is defined nowhere beside one that can be 0; x is not in [1, 9], but may be in [-9, -1]
NOWHERE = problem(
    [("x", -1, 1)], [("m", [(0, 0)])], [SUB, tape(1, "sqr 0", "const 1", "add 1 2", "neg 3", "log 4")],
    ["A 0 1 v0 c0", "L 1 1 v0"],
)  # fmt: skip
HALVES = problem([("x", -2, "1/2")], [("m", [(-9, -1)]), ("n", [(1, 9)])], [SUB], ["V 0 1 v0 c0", "W 0 1 v0 c1"])
OF_C = ["values 0", "column m 0"]
OF_N = ["values 0", "column n 0"]
BALL = "model euclidean 0 1 A B"
ISOLATED = ["zero 5p-2 3p-1", "inverse 11p-5"]
SPLITS = ["split 0 -3p-1", "evaluate 0 0", "split 0 -5p-2", "known 1", "split 0 5p-2", "evaluate 0 0"]
TREE = [*SPLITS, "split 0 3p-1", "known 0", "evaluate 0 0"]
ZEROS = {"zeros": 2, "isolated": [*ISOLATED, "zero -3p-1 -5p-2", "inverse -11p-5"], "tree": TREE}
NEVER = ["hitting 2", "evaluate 0 0", "evaluate 1 0"]


def system(*groups, **claims):
    return FORMS, certificate6(FORMS, *groups, kind="system", **claims)


def errors(text, *groups, **claims):
    return text, certificate6(text, *groups, **claims)


def violations(**claims):
    return HALVES, certificate6(HALVES, "violation rows 0 1 V W", kind="violations", **claims)


PAIRS = {  # what is broken, and mended
    "a condition that shares its measurement": (
        system("condition rows 0 1 C Q", upper=0, witness=OF_C),
        system("model rows 0 1 C Q", upper=0, witness=OF_C),
    ),
    "a condition that adds its measurement": (
        system("condition rows 0 1 P", upper=0, witness=OF_N),
        system("model rows 0 1 P", upper=0, witness=OF_N),
    ),
    "a condition of nothing but its measurement": (
        system("condition rows 0 1 Z", upper=0, witness=OF_N),
        system("model rows 0 1 Z", upper=0, witness=OF_N),
    ),
    "a model without a measurement in a system": (
        system("model rows 0 1 S", upper=0, witness=OF_C[:1]),
        system("equation rows 0 1 S", upper=0, witness=OF_C[:1]),
    ),
    "an equation with a measurement": (
        system("equation rows 0 1 C", upper=0, witness=OF_C),
        system("condition rows 0 1 C", upper=0, witness=OF_C),
    ),
    "a squared system": (
        system("equation rows 0 1 S", upper=0, witness=OF_C[:1], norm="squares"),
        errors(FORMS, "model rows 0 1 S", upper=0, witness=OF_C[:1], norm="squares"),
    ),
    "a system within a bound": (
        system("equation rows 2 1 E", upper=0, witness=OF_C[:1]),
        errors(FORMS, "model rows 2 1 E", upper=0, witness=OF_C[:1]),
    ),
    "zeros of errors": (
        errors(FORMS, "model rows 0 1 E", **ZEROS),
        system("equation rows 0 1 E", **ZEROS),
    ),
    "a family in two groups": (
        errors(POINTS, "model rows 0 1 A B", "model rows 0 1 B G", lower=40, tree=["evaluate 0 2"], point="point 0 0"),
        errors(POINTS, "model rows 0 1 A B", "model rows 0 1 G", lower=40, tree=["evaluate 0 2"], point="point 0 0"),
    ),
    "groups in another order": (
        errors(POINTS, "model rows 0 1 B", "model rows 0 1 A", lower=40, tree=["evaluate 0 2"], point="point 0 0"),
        errors(POINTS, "model rows 0 1 A", "model rows 0 1 B", lower=40, tree=["evaluate 0 2"], point="point 0 0"),
    ),
    "two rows of one member as two conflicts": (
        errors(POINTS, BALL, lower=4, discard=1, point="point 0 0", tree=["hitting 2", "evaluate 0 2", "evaluate 1 2"]),
        errors(POINTS, BALL, lower=4, discard=1, point="point 0 0", tree=["hitting 2", "evaluate 0 2", "evaluate 1 1"]),
    ),
    "a member that is left out, but not all of it": (
        errors(POINTS, "model rows 0 1 A B", upper=5, discard=1,
               witness=["values 0 0", "without 1.2", "column m 0 0 0", "column n 0 0 0"]),
        errors(POINTS, BALL, upper=5, discard=1,
               witness=["values 0 0", "without 1.2", "column m 0 0 0", "column n 0 0 0"]),
    ),
    "squares instead of a norm of each member": (
        errors(POINTS, "model rows 0 1 A B", upper=8, discard=0, point="point 0 0",
               norm="squares", witness=["values 0 0", "column m 0 0 0", "column n 0 0 0"]),
        errors(POINTS, BALL, upper=142, discard=0, point="point 0 0",
               witness=["values 0 0", "column m 0 0 0", "column n 0 0 0"]),
    ),
    "a row that is defined, in place of one that is not": (
        errors(NOWHERE, "model rows 0 1 A L", lower=5, tree=["evaluate 0 0"]),
        errors(NOWHERE, "model euclidean 0 1 A L", lower=5, tree=["evaluate 0 0"]),
    ),
    "violations that are possible": (
        violations(upper=0, discard=1, witness=["values -1", "without 1.0", "column m 1", "column n 0"]),
        violations(within=0, hull=["-2 0"], discard=1, tree=["split 0 0", "open", *NEVER]),
    ),
    "all violations left out": (
        violations(within=0, hull=["-2 1/2"], discard=2, tree=["open"]),
        violations(within=0, hull=["-2 1/2"], discard=1, tree=["open"]),
    ),
    "fewer violations left out than all but one": (
        violations(within=0, hull=["-2 1/2"], discard=0, tree=["open"]),
        violations(within=0, hull=["-2 1/2"], discard=1, tree=["open"]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_a_proof_but_for_one_rule_is_rejected_until_it_is_mended(name):
    broken, mended = PAIRS[name]
    assert both(*mended) == "VERIFIED"
    assert both(*broken) == "REJECTED"
