"""Systems with conditions: a zero counts where each condition holds for some measurement, and no two conditions share
one.
"""

from fractions import Fraction

import pytest
from arb_texts import ISOLATED, KNOWN, judged, lower, problem, rejected, rows_of, zeros
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from certify.checker_arb import Status
from certify.checker_arb.outcome import Undefined
from certify.checker_arb.zeros import check_conditions

MET, SHARED, SQUARE, SMALL = (
    "may not hold there",
    "share no measurement",
    "as many rows without measurements as variables",
    "as small as the error",
)
RIGHT = (("zero 2896p-11 2897p-11", "inverse 181p-9"),)
LEFT = (("zero -2897p-11 -2896p-11", "inverse -181p-9"),)


def system(*lines, entries=("-4 0",), low="-2", high="2", inputs=2, condition="G 1 {rows} v0 c0", columns=None):
    """x^2 - 2 = 0, and the tape of a condition of x and a measurement."""
    tape = ("sqr 0", "const 2", "sub 1 2", f"tape u {inputs} {len(lines)}", *lines)
    text = problem(
        variables=(f"x mm {low} {high}",),
        columns=(("m", entries),) if columns is None else columns,
        tapes=2,
        tape=tape,
        inputs=1,
        families=("F 0 1 v0", condition.format(rows=len(entries))),
    )
    return text.replace(f"tape t 1 {len(tape)}", "tape t 1 3")


def tree(left, right):
    """Around both roots of 2 what is given, elsewhere the equation."""
    away = "evaluate 0 0"
    return (
        "split 0 -2897p-11",
        away,
        "split 0 -2896p-11",
        left,
        "split 0 2896p-11",
        away,
        "split 0 2897p-11",
        right,
        away,
    )


BOTH = {"scope": "F G"}
POSITIVE = system("neg 0", "sub 2 1")  # -x - m with m from -4 to 0: x >= 0
REFUTED = tree("evaluate 1 0", "known 0")


def test_a_condition_chooses_among_zeros():
    """x^2 = 2 and x >= 0: one zero, not two."""
    assert judged(POSITIVE, zeros(RIGHT, *REFUTED, **BOTH)).status is Status.VERIFIED
    rejected(judged(POSITIVE, zeros(LEFT, *tree("known 0", "evaluate 1 0"), **BOTH)), "isolated", MET)
    rejected(judged(POSITIVE, zeros(LEFT + RIGHT, *tree("known 0", "known 1"), **BOTH)), "isolated", MET)
    rejected(judged(POSITIVE, zeros((), *tree("evaluate 1 0", "evaluate 1 0"), **BOTH)), "evaluate", SMALL)
    rejected(judged(POSITIVE, zeros((), *tree("evaluate 1 0", "evaluate 0 0"), **BOTH)), "evaluate", SMALL)
    rejected(judged(POSITIVE, zeros(RIGHT, *tree("evaluate 0 0", "known 0"), **BOTH)), "evaluate", SMALL)
    alone = zeros(LEFT + RIGHT, *tree("known 0", "known 1"))
    assert judged(POSITIVE, alone).status is Status.VERIFIED  # the scope is F: without the condition there are two
    rejected(judged(POSITIVE, zeros(RIGHT, *tree("evaluate 0 0", "known 0"))), "evaluate", SMALL)


def test_a_condition_may_prune_by_aggregation():
    """-x - m <= 0 for some m <= 0, and x^2 - 2 >= 0: on x < 0 the condition alone is a contradiction."""
    assert judged(POSITIVE, zeros(RIGHT, *tree("aggregate q1.0+1", "known 0"), **BOTH)).status is Status.VERIFIED
    rejected(judged(POSITIVE, zeros(RIGHT, *tree("aggregate q1.0-1", "known 0"), **BOTH)), "aggregate", "positive")


# conditions of the root of 2 = 1.41421, with their measurements: those that hold, at both of the measurements' ends as
# they should
HOLD = {
    "an inequality": system("sub 0 1", entries=("0 2",)),
    "turned: its value falls with the measurement": system("sub 1 0", entries=("0 2",)),
    "close below": system("sub 0 1", entries=("-9 283/200",)),
    "close above": system("sub 0 1", entries=("707/500 99",)),
    "two conditions": system("sub 0 1", entries=("1 3/2", "-5 5")),
    "a condition of two measurements": system(
        "sub 0 1",
        "sub 3 2",
        entries=("0 1",),
        inputs=3,
        condition="G 1 1 v0 c0 c1",
        columns=(("m", ("0 1",)), ("k", ("1/4 1",))),
    ),
    "a condition without a variable": system("const 3", "sub 1 0", entries=("2 4",), inputs=1, condition="G 1 1 c0"),
    "a condition that is a product": system("sub 0 1", "const 7", "mul 2 3", entries=("1 2",)),
    "a root": system("sqrt 0", "sub 2 1", entries=("1 2",), low="0"),
    "a logarithm of what is measured": system("log 1", "sub 0 2", entries=("1 5",)),
    "exact, an identity": system("sub 1 1", "mul 0 2", entries=("1 1",)),
}


def one_zero(text):
    """The certificate of one zero, the positive root of 2, on what is left of the box."""
    return text.replace("x mm -2 2", "x mm 0 2"), zeros(ISOLATED, *KNOWN, **BOTH)


@pytest.mark.parametrize("name", HOLD)
def test_conditions_that_hold(name):
    outcome = judged(*one_zero(HOLD[name]))
    assert outcome.status is Status.VERIFIED, outcome.message


VIOLATED = {
    "above all measurements": system("sub 0 1", entries=("0 1",)),
    "below all measurements": system("sub 0 1", entries=("2 3",)),
    "above by little": system("sub 0 1", entries=("0 707/500",)),
    "below by little": system("sub 0 1", entries=("283/200 2",)),
    "turned": system("sub 1 0", entries=("0 1",)),
    "the second of two": system("sub 0 1", entries=("1 3/2", "-5 1")),
    "the first of two": system("sub 0 1", entries=("3/2 2", "-5 5")),
    "an exact measurement": system("sub 0 1", entries=("707/500 707/500",)),
    "the measurement does not count": system("mul 1 0", "sub 2 2", "add 3 0", entries=("-9 9",)),
    "a square, which has no sign": system("sqr 1", "add 0 2", entries=("-1 1",)),
    "the same sign at both ends, though 0 between": system("sqr 1", "const 4", "sub 2 3", entries=("-3 3",)),
    "two measurements together": system(
        "sub 0 1",
        "sub 3 2",
        entries=("0 1",),
        inputs=3,
        condition="G 1 1 v0 c0 c1",
        columns=(("m", ("0 1",)), ("k", ("0 1/4",))),
    ),
    "two that work against each other": system(
        "sub 0 1",
        "add 3 2",
        entries=("0 2",),
        inputs=3,
        condition="G 1 1 v0 c0 c1",
        columns=(("m", ("0 2",)), ("k", ("0 2",))),
    ),
}


@pytest.mark.parametrize("name", VIOLATED)
def test_conditions_that_do_not_hold_or_are_not_seen_to(name):
    rejected(judged(*one_zero(VIOLATED[name])), "isolated", MET)


UNDEFINED = {
    "a pole between the ends": (system("div 0 1", entries=("-1 1",)), "division"),
    "a pole at an end": (system("div 0 1", "const 1", "sub 2 3", entries=("0 2",)), "division"),
    "a root of the lower end": (system("sqrt 1", "sub 0 2", entries=("-1 4",)), "root"),
    "a root below 0": (system("sub 1 0", "sqrt 2", "sub 0 3", entries=("0 9",)), "root"),
    "a root below 0 between the ends": (
        system("sqr 1", "const 1", "sub 2 3", "sqrt 4", "mul 5 1", entries=("-2 2",)),
        "root",
    ),
    "a root below 0 everywhere": (system("neg 0", "sqrt 2", "sub 3 1", entries=("-1 1",)), "root"),
    "a logarithm between the ends": (system("sqr 1", "log 2", "mul 1 3", entries=("-3 3",)), "logarithm"),
    "a logarithm of 0": (system("log 1", "sub 0 2", entries=("0 9",)), "logarithm"),
    "a logarithm below 0": (system("neg 0", "log 2", "sub 3 1", entries=("-1 1",)), "logarithm"),
    "a node that does not count": (system("neg 0", "sqrt 2", "sub 0 1", entries=("0 2",)), "root"),
    "a number too large": (system("exp 1", "sub 0 2", entries=("0 6000",)), "2^8192"),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_conditions_that_are_not_defined(name):
    text, reason = UNDEFINED[name]
    rejected(judged(*one_zero(text)), "isolated", reason)


MEASURED = (("m", ("0 2",)), ("k", ("0 2",)))
TWICE = problem(
    variables=("x mm 0 2",), columns=MEASURED, tape=("sqr 0", "const 2", "sub 1 2"), inputs=1, families=("F 0 1 v0",)
)


def with_families(*families, variables="1\nx mm 0 2"):
    """Rows x^2 - 2 (F), conditions x - m (tape u) and x - m - k (tape w)."""
    text = TWICE.replace("tapes 1\n", "tapes 3\n").replace(
        "sub 1 2\n", "sub 1 2\ntape u 2 1\nsub 0 1\ntape w 3 2\nadd 1 2\nsub 0 3\n"
    )
    text = text.replace("families 1\nF 0 1 v0\n", "\n".join([f"families {len(families)}", *families, ""]))
    return text.replace("variables 1\nx mm 0 2", f"variables {variables}")


FORGED = {
    "two families share an entry": (("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c0"), "F G H", SHARED),
    "two families share one of two": (("F 0 1 v0", "G 2 1 v0 c0 c1", "H 1 1 v0 c1"), "F G H", SHARED),
    "one row uses an entry twice": (("F 0 1 v0", "G 2 1 v0 c0 c0"), "F G", SHARED),
    "three families share": (("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c1", "I 2 1 v0 c0 c1"), "F G H I", SHARED),
    "no equation": (("F 0 1 v0", "G 1 1 v0 c0"), "G", SQUARE),
    "an equation too many": (("F 0 1 v0", "G 1 1 v0 c0", "H 0 1 v0"), "F G H", SQUARE),
    "two equations in a family": (("F 0 2 v0",), "F", SQUARE),
    "a variable of the condition alone": (("F 0 1 v0", "G 1 1 v1 c0"), "F G", SQUARE),
}
ALLOWED = {
    "columns of their own": (("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c1"), "F G H"),
    "the other use is not in the scope": (("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c0"), "F G"),
    "the other use is not in the scope, the last": (("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c0"), "F H"),
    "one condition of two measurements": (("F 0 1 v0", "G 2 1 v0 c0 c1"), "F G"),
    "the condition first": (("G 1 1 v0 c0", "F 0 1 v0"), "G F"),
}


@pytest.mark.parametrize("name", FORGED)
def test_systems_that_are_none(name):
    families, scope, reason = FORGED[name]
    text = with_families(*families, variables="2\nx mm 0 2\ny mm 0 2" if "v1" in " ".join(families) else "1\nx mm 0 2")
    rejected(judged(text, zeros(ISOLATED, *KNOWN, scope=scope)), "text", reason)


@pytest.mark.parametrize("name", ALLOWED)
def test_systems_that_are_some(name):
    families, scope = ALLOWED[name]
    number = families.index("F 0 1 v0")
    nodes = [node.replace("evaluate 0 0", f"evaluate {number} 0") for node in KNOWN]
    outcome = judged(with_families(*families), zeros(ISOLATED, *nodes, scope=scope))
    assert outcome.status is Status.VERIFIED, outcome.message


def test_conditions_alone_without_a_variable():
    """0 equations for 0 unknowns: there would be the one point of no coordinates; this is not allowed."""
    for entries in ("2 4", "4 5"):
        text = system("const 3", "sub 1 0", entries=(entries,), inputs=1, condition="G 1 1 c0")
        for count in (0, 1, 2):
            rejected(judged(text, zeros((("zero", "inverse"),) * count, "known 0", scope="G")), "text", "one at least")


def test_conditions_are_judged_on_the_enclosure_not_on_the_box():
    """Y is [1, 2], K is much smaller: the condition 4/3 <= x <= 3/2 holds on K."""
    text = system("sub 0 1", entries=("4/3 3/2",), low="0")
    wide = (("zero 5p-2 13p-3", "inverse 181p-9"),)
    known = ("split 0 5p-2", "evaluate 0 0", "split 0 13p-3", "known 0", "evaluate 0 0")
    assert judged(text, zeros(wide, *known, **BOTH)).status is Status.VERIFIED
    rejected(judged(system("sub 0 1", entries=("7/5 141/100",), low="0"), zeros(wide, *known, **BOTH)), "isolated", MET)


def test_other_claims_do_not_mind_conditions():
    shared = with_families("F 0 1 v0", "G 1 1 v0 c0", "H 1 1 v0 c0")
    rejected(judged(shared, lower("1", "evaluate 0 0", scope="F G H")), "evaluate", SMALL)


NUMBERS = st.fractions(min_value=-8, max_value=8, max_denominator=8)


@given(
    st.tuples(NUMBERS, NUMBERS, NUMBERS).map(sorted),
    st.tuples(NUMBERS, NUMBERS).map(sorted),
    st.tuples(NUMBERS, NUMBERS, NUMBERS),
    st.booleans(),
)
def test_a_condition_that_is_met_holds_at_every_point(place, measured, factors, divide):
    """a x + b m + c, or divided by m: if K passes, it is 0 at each point of K with some measurement; if not, one end of
    m has not one sign.
    """
    (low, x, high), (least, most), (a, b, c) = place, measured, factors
    assume(least < most and low < high)
    lines = (
        f"const {a}",
        f"const {b}",
        f"const {c}",
        "mul 2 0",
        "mul 3 1",
        "add 5 6",
        "add 7 4",
        *(["div 8 1"] if divide else []),
    )
    text = system(*lines, entries=(f"{least} {most}",), low="-9", high="9")
    ends = [(arb(low.numerator) / low.denominator, arb(high.numerator) / high.denominator)]
    try:
        reason = check_conditions(rows_of(text), ends)
    except Undefined:
        assert divide and least <= 0 <= most
        return
    assert not (divide and least <= 0 <= most)

    def crosses(x):
        values = sorted((a * x + b * m + c) for m in (least, most))
        return values[0] <= 0 <= values[1]

    if not reason:
        assert crosses(x) and crosses(low) and crosses(high)
    elif not divide:
        slack = Fraction(1, 10**12)
        values = [[a * x + b * m + c for x in (low, high)] for m in (least, most)]
        assert not any(max(p) < -slack and min(q) > slack for p, q in (values, values[::-1]))
