"""The sum of squares as the norm, and the header lines of version 3."""

import random
from fractions import Fraction

import flint
import pytest
from arb_texts import (
    DISTANCES,
    LINE,
    LINEAR,
    ROOT,
    at,
    dyadic,
    exactly,
    judged,
    lower,
    minimum,
    number,
    problem,
    rejected,
    rows_of,
    upper,
    within,
    zeros,
)

from certify.checker_arb import Status
from certify.checker_arb.boxes import Prepared
from certify.checker_arb.outcome import Deadline, Undefined
from certify.checker_arb.terms import Terms

BEST = "aggregate q0.0+2 q0.2-2"
SQUARES = {"norm": "squares"}
COLUMN = "column y 0 0 0"
KNOWN = ("split 0 1", "evaluate 0 2", "split 0 3p-1", "known 0", "evaluate 0 0")
ONE_ZERO = (("zero 0 1", "inverse 1"),)
ISOLATED = ("zero 7p-3 9p-3", "inverse 683p-11")


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


# header: (problem, certificate, reason)
GOOD = lower("19/10", BEST, **SQUARES)
HEADERS = {
    "no norm": (LINE, changed(GOOD, "norm squares\n", ""), "'norm'"),
    "another norm": (LINE, changed(GOOD, "squares", "euclid"), "is no norm"),
    "a norm of nothing": (LINE, changed(GOOD, "norm squares", "norm none"), "is no norm"),
    "two norms": (LINE, changed(GOOD, "norm squares", "norm squares largest"), "1 tokens"),
    "the norm after discard": (LINE, changed(GOOD, "norm squares\ndiscard 0", "discard 0\nnorm squares"), "'norm'"),
    "no discard": (LINE, changed(GOOD, "discard 0\n", ""), "'discard'"),
    "discard none": (LINE, changed(GOOD, "discard 0", "discard none"), "no natural number"),
    "discard -1": (DISTANCES, lower("9/10", "open", discard=-1), "no natural number"),
    "discard 65": (DISTANCES, lower("9/10", "open", discard=65), "not between"),
    "discard with squares": (LINE, lower("19/10", BEST, discard=1, **SQUARES), "needs `discard 0`"),
    "discard 64 with squares": (LINE, lower("19/10", BEST, discard=64, **SQUARES), "needs `discard 0`"),
    "squares of measurements in intervals": (DISTANCES, lower("1/2", "evaluate 0 0", **SQUARES), "known exactly"),
    "squares of one measurement in an interval": (changed(LINE, "1 1", "1 2"), GOOD, "known exactly"),
    "no minimum line": (LINE, changed(GOOD, "minimum none\n", ""), "'minimum'"),
    "minimum of a number": (LINE, changed(GOOD, "minimum none", "minimum 1"), "was expected"),
    "minimum of nothing": (LINE, changed(GOOD, "minimum none", "minimum"), "was expected"),
    "minimum beside lower": (LINE, changed(GOOD, "minimum none", "minimum local 1"), "stand alone"),
    "minimum beside lower, global": (LINE, changed(GOOD, "minimum none", "minimum global 1"), "stand alone"),
    "minimum some 1": (LINE, changed(minimum("2", ISOLATED), "local", "some"), "was expected"),
    "minimum local": (LINE, changed(minimum("2", ISOLATED), "local 2", "local"), "was expected"),
    "minimum local none": (LINE, changed(minimum("2", ISOLATED), "local 2", "local none"), "no rational number"),
    "minimum local -1": (LINE, changed(minimum("2", ISOLATED), "local 2", "local -1"), "negative"),
    "minimum and zeros": (LINE, changed(minimum("2", ISOLATED), "zeros none", "zeros 1"), "stand alone"),
    "minimum of the largest": (LINE, minimum("2", ISOLATED, norm="largest"), "needs `norm squares`"),
    "minimum at a point": (LINE, minimum("2", ISOLATED, start="point 1"), "need `box`"),
    "minimum before zeros": (
        LINE,
        changed(minimum("2", ISOLATED), "zeros none\nminimum local 2", "minimum local 2\nzeros none"),
        "'zeros'",
    ),
    "zeros with squares": (ROOT, zeros(ONE_ZERO, *KNOWN, **SQUARES), "needs `norm largest`"),
    "zeros with discard": (ROOT, zeros(ONE_ZERO, *KNOWN, discard=1), "and `discard 0`"),
    "nothing": (LINE, changed(GOOD, "lower 19/10", "lower none"), "nothing is claimed"),
    "version 2": (LINE, changed(GOOD, "certificate 5", "certificate 2"), "no version of certificates"),
    "version 3": (LINE, changed(GOOD, "certificate 5", "certificate 3"), "no version of certificates"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_are_rejected(name):
    text, certificate, reason = HEADERS[name]
    rejected(judged(text, certificate), "text", reason)


def test_65_variables_have_no_minimum():
    many = problem(
        variables=tuple(f"x{k} mm 0 1" for k in range(65)),
        tape=("neg 0",),
        inputs=65,
        families=("F 0 1 " + " ".join(f"v{k}" for k in range(65)),),
    )
    rejected(judged(many, minimum("2", ("zero", "inverse"))), "text", "at most 64 variables")


# r = |(x, y)| - 1 on [2, 3] x [-1, 1], and its negative
CIRCLE = problem(
    variables=("x mm 2 3", "y mm -1 1"),
    tape=("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "const 1", "sub 5 6"),
    families=("F 0 1 v0 v1",),
)
INVERTED = changed(CIRCLE, "sub 5 6", "sub 6 5")
CONE = problem(
    variables=("x mm 2 3", "y mm -1 1"), tape=("sqr 0", "sqr 1", "add 2 3", "sqrt 4"), families=("F 0 1 v0 v1",)
)
TWO_ROOTS = changed(CIRCLE, "sub 5 6", "add 5 5")  # at least 4
ROOT_OF_ROOT = changed(CIRCLE, "sub 5 6", "sqrt 5")  # at least sqrt(2)
AT = "point 2 0"
HULL = ("0 17/8",)
RIGHT = "aggregate q0.0+4 q0.1+2"

TRUE = {
    "q": (LINE, GOOD),
    "m": (LINE, lower("19/10", "aggregate m0.0+2 m0.2-2", **SQUARES)),
    "t": (LINE, lower("19/10", "aggregate t0.0+2 t0.2-2", **SQUARES)),
    "all forms": (LINE, lower("19/10", "aggregate t0.0+2 m0.2-2 q0.1+1p-10", **SQUARES)),
    "with a product": (LINE, lower("19/10", BEST + " b0+0-1p-10", **SQUARES)),
    "close to the truth": (LINE, lower("1999999/1000000", BEST, **SQUARES)),
    "evaluated": (LINE, lower("1/5", "split 0 1p-1", "evaluate 0 2", "evaluate 0 0", **SQUARES)),
    "at a point": (LINE, lower("199/100", "aggregate q0.0+2 q0.2-2", start="point 1", **SQUARES)),
    "a hull": (LINE, within("5", HULL, "split 0 17p-3", "open", RIGHT, **SQUARES)),
    "an upper end": (LINE, upper("2", "1", COLUMN, **SQUARES)),
    "an upper end of fractions that do not matter": (LINE, upper("2", "1", "column y 0.5 1 0.25", **SQUARES)),
    "an upper end elsewhere": (LINE, upper("5", "2", COLUMN, **SQUARES)),
    "an upper end at a point": (LINE, upper("5", "2", COLUMN, start="point 2", **SQUARES)),
    "a root": (CIRCLE, lower("1/4", "aggregate q0.0+2", **SQUARES)),
    "a root, close to the truth": (CIRCLE, lower("9999/10000", "aggregate q0.0+2", start=AT, **SQUARES)),
    "a negative root: the same side": (INVERTED, lower("1/4", "aggregate q0.0+2", **SQUARES)),
    "a root alone": (CONE, lower("3", "aggregate q0.0+4", **SQUARES)),
    "two roots": (TWO_ROOTS, lower("159/10", "aggregate q0.0+8", **SQUARES)),
    "a root of a root": (ROOT_OF_ROOT, lower("199/100", "aggregate q0.0+45p-4", **SQUARES)),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


NOT_POSITIVE = "not proved to be positive"
FORGED = {
    **{
        f"a lower end of {e}": (LINE, lower(e, BEST, **SQUARES), "aggregate", NOT_POSITIVE)
        for e in ("2", "201/100", "5/2", "10", "1000000")
    },
    **{
        f"weights {w}": (LINE, lower("19/10", f"aggregate q0.0+{w} q0.2-{w}", **SQUARES), "aggregate", NOT_POSITIVE)
        for w in ("1", "3p-1", "5p-1", "3", "4", "100", "1p-20")
    },
    **{
        f"twice: {twice}": (LINE, lower("19/10", f"aggregate {twice}", **SQUARES), "aggregate", "occurs twice")
        for twice in (
            "q0.0+2 q0.2-2 q0.0+2",
            "q0.0+2 q0.2-2 m0.0+2",
            "q0.0+2 q0.2-2 t0.0+2",
            "q0.0+2 q0.0-2 q0.2-2",
            "m0.2-2 q0.0+2 q0.2-2",
            "t0.2-2 q0.0+2 m0.2-2",
            "t0.2-2 q0.0+2 t0.2+2",
            "t0.2-2 t0.2-1",
            "m0.1-2 m0.1-2",
            "q0.0+2 q0.2-2 q0.1+1 q0.1-1",
            "q0.0+2 q0.2-2 b0+0-1 b0+0-1",
        )
    },
    "one row": (LINE, lower("19/10", "aggregate q0.0+2", **SQUARES), "aggregate", NOT_POSITIVE),
    "sides turned": (LINE, lower("19/10", "aggregate q0.0-2 q0.2+2", **SQUARES), "aggregate", NOT_POSITIVE),
    "products only": (LINE, lower("19/10", "aggregate b0+0-1", **SQUARES), "aggregate", "no row"),
    "a product that matters": (LINE, lower("19/10", BEST + " b0+0-1", **SQUARES), "aggregate", NOT_POSITIVE),
    "a weight that is enough for the largest": (
        LINE,
        lower("19/10", "aggregate q0.0+1p-30 q0.2-1p-30", **SQUARES),
        "aggregate",
        NOT_POSITIVE,
    ),
    **{
        f"evaluated with {e}": (
            LINE,
            lower(e, "split 0 1p-1", "evaluate 0 2", "evaluate 0 0", **SQUARES),
            "evaluate",
            "as small",
        )
        for e in ("1/4", "1/3", "1/2", "3/4", "1", "3/2", "9/4", "5/2", "4", "100")
    },
    **{
        f"{e} at the point {x}": (LINE, lower(e, "evaluate 0 0", start=f"point {x}", **SQUARES), "evaluate", "as small")
        for x, e in (("1", "1"), ("1/2", "1/4"), ("2", "4"), ("3", "9"), ("1/3", "1/9"))
    },
    "no row's size but its square": (
        LINE,
        lower("2", "evaluate 0 0", start="point 7/5", **SQUARES),
        "evaluate",
        "as small",
    ),
    "a hull too small": (LINE, within("5", ("0 2",), "split 0 2", "open", RIGHT, **SQUARES), "aggregate", NOT_POSITIVE),
    **{
        f"a witness for {e} at {x}": (LINE, upper(e, x, COLUMN, **SQUARES), "witness", "at most the upper end")
        for x, e in (
            ("1", "199/100"),
            ("1", "1"),
            ("1", "1/2"),
            ("2", "49/10"),
            ("2", "4"),
            ("0", "4"),
            ("3", "13"),
            ("3", "3"),
            ("4", "28"),
            ("3/2", "2"),
        )
    },
    **{
        f"a witness with s:t: {tokens}": (LINE, upper("2", "1", f"column y {tokens}", **SQUARES), "text", "s:t")
        for tokens in (
            "0:0 0 0",
            "0:1 0 0",
            "0 0:1 0",
            "0 0 1:0",
            "0.5:0.5 0 0",
            "1:0 1:0 1:0",
            "0 0.25:0.75 0",
            "0:0 0:0 0:0",
            "1:1 0 0",
            "0 0 0:0.1",
        )
    },
    "a witness without columns": (LINE, upper("2", "1", **SQUARES), "text", "'column'"),
    "a witness that leaves out a row": (LINE, upper("2", "1", COLUMN, without="0.1", **SQUARES), "text", "'column'"),
    "a witness outside": (LINE, upper("30", "5", COLUMN, **SQUARES), "text", "not where the claim is"),
    "a witness elsewhere than the point": (
        LINE,
        upper("5", "2", COLUMN, start="point 1", **SQUARES),
        "text",
        "not where the claim is",
    ),
    "a witness where a row is undefined": (
        problem(variables=("x mm -1 1",), tape=("sqrt 0",), inputs=1, families=("F 0 1 v0",)),
        upper("4", "-1", **SQUARES),
        "witness",
        "below 0",
    ),
    **{
        f"a root, {e}": (CIRCLE, lower(e, "aggregate q0.0+2", start=AT, **SQUARES), "aggregate", NOT_POSITIVE)
        for e in ("1", "10001/10000", "2", "9")
    },
    **{
        f"a root with the weight {w}": (
            CIRCLE,
            lower("99/100", f"aggregate q0.0+{w}", start=AT, **SQUARES),
            "aggregate",
            NOT_POSITIVE,
        )
        for w in ("1", "3", "4", "7p-2", "9p-2", "1p-9")
    },
    "a root, the other side": (CIRCLE, lower("1/4", "aggregate q0.0-2", **SQUARES), "aggregate", NOT_POSITIVE),
    "a negative root, the other side": (
        INVERTED,
        lower("1/4", "aggregate q0.0-2", **SQUARES),
        "aggregate",
        NOT_POSITIVE,
    ),
    "a root alone, level 0": (CONE, lower("0", "aggregate q0.0+1", **SQUARES), "aggregate", "division"),
    "a root alone, too large": (CONE, lower("4", "aggregate q0.0+4", start=AT, **SQUARES), "aggregate", NOT_POSITIVE),
    "a root and a square": (
        changed(CIRCLE, "sub 5 6", "sqr 5").replace("sqr 5", "sub 5 2"),
        lower("1/4", "aggregate q0.0+2", start="point 2 1", **SQUARES),
        "aggregate",
        NOT_POSITIVE,
    ),
    **{
        f"two roots, {e}": (TWO_ROOTS, lower(e, "aggregate q0.0+8", **SQUARES), "aggregate", NOT_POSITIVE)
        for e in ("16", "17", "40")
    },
    "two roots, the other side": (TWO_ROOTS, lower("1", "aggregate q0.0-8", **SQUARES), "aggregate", NOT_POSITIVE),
    "two roots, another weight": (TWO_ROOTS, lower("159/10", "aggregate q0.0+7", **SQUARES), "aggregate", NOT_POSITIVE),
    **{
        f"a root of a root, {e}": (ROOT_OF_ROOT, lower(e, "aggregate q0.0+45p-4", **SQUARES), "aggregate", NOT_POSITIVE)
        for e in ("2", "201/100", "4")
    },
    "a degree too high": (
        changed(CIRCLE, "sub 5 6", "sqr 4"),
        lower("1/4", "aggregate q0.0+2", **SQUARES),
        "aggregate",
        "degree",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_does_not_is_rejected(name):
    text, certificate, rule, reason = FORGED[name]
    rejected(judged(text, certificate), rule, reason)


def test_a_root_minus_itself_is_pure():
    """A coefficient [0, 0] is none: (sqrt(D) + x - x)^2 = D."""
    text = problem(
        variables=("x mm 2 3",),
        tape=("sqr 0", "sqrt 1", "add 2 0", "sub 3 0", "sqr 4"),
        inputs=1,
        families=("F 0 1 v0",),
    )
    assert judged(text, lower("3", "aggregate q0.0+1")).status is Status.VERIFIED


def test_a_root_plus_an_interval_from_0_is_not_pure():
    """3 + x - (sqrt(x) + y)^2 with a measurement y in [0, 1] that is bound twice and stays whole: 0 for some y, and 3
    for y = 0.
    """
    columns = (("y", ("0 1",)),)
    tape = ("sqrt 0", "add 3 1", "sqr 4", "const 3", "add 6 0", "sub 7 5")
    text = problem(variables=("x mm 2 3",), columns=columns, tape=tape, inputs=3, families=("F 0 1 v0 c0 c0",))
    rejected(judged(text, lower("2", "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)
    exact = text.replace("0 1\ntapes", "0 0\ntapes")
    assert judged(exact, lower("299/100", "aggregate q0.0+1")).status is Status.VERIFIED


def test_every_column_is_known_exactly():
    columns = (("y", ("0 0",)), ("z", ("0 1",)))
    text = problem(
        variables=("x mm 2 3",), columns=columns, tape=("add 0 1", "add 3 2"), inputs=3, families=("F 0 1 v0 c0 c1",)
    )
    rejected(judged(text, lower("1", "evaluate 0 0", **SQUARES)), "text", "known exactly")
    assert (
        judged(text.replace("0 1\ntapes", "1 1\ntapes"), lower("1", "evaluate 0 0", **SQUARES)).status
        is Status.VERIFIED
    )


def test_families_of_the_scope_alone_count():
    """The sum of squares is over the rows of the scope."""
    assert judged(LINEAR, upper("0", "3 0", scope="F", **SQUARES)).status is Status.VERIFIED
    assert judged(LINEAR, upper("4", "3 0", scope="F G", **SQUARES)).status is Status.VERIFIED
    rejected(judged(LINEAR, upper("399/100", "3 0", scope="F G", **SQUARES)), "witness", "sum of squares")


def quadratic(rng):
    """Rows x - a_k y - b_k on a box, with the least squares' solution in exact numbers: the problem, the rows, x and
    F(x).
    """
    count = rng.randrange(3, 6)
    rows = [(rng.randrange(-3, 4), Fraction(rng.randrange(-8, 9), 4)) for _ in range(count)]
    if len({a for a, _ in rows}) < 2:
        rows[0] = (rows[1][0] + 1, rows[0][1])
    saa, sa, sb, sab = (
        sum(a * a for a, _ in rows),
        sum(a for a, _ in rows),
        sum(b for _, b in rows),
        sum(a * b for a, b in rows),
    )
    determinant = saa * count - sa * sa
    y = Fraction(sa * sb - count * sab) / determinant
    x = (sb + sa * y) / count
    columns = (("a", tuple(f"{a} {a}" for a, _ in rows)), ("b", tuple(f"{b} {b}" for _, b in rows)))
    text = problem(
        variables=("x mm -20 20", "y mm -20 20"),
        columns=columns,
        tape=("mul 2 1", "sub 0 4", "sub 5 3"),
        inputs=4,
        families=(f"F 0 {count} v0 v1 c0 c1",),
    )
    residuals = [x - a * y - b for a, b in rows]
    return text, residuals, (x, y), sum(r * r for r in residuals)


@pytest.mark.parametrize("seed", range(12))
def test_least_squares_are_proved_up_to_the_truth_and_not_beyond(seed):
    rng = random.Random(seed)
    text, residuals, point, truth = quadratic(rng)
    if truth == 0:
        return
    form = rng.choice("qmt")
    # dual solution: weights 2 |r_k|; what rounding them leaves over x and y is bounded by products
    terms = [f"{form}0.{k}{'+' if r > 0 else '-'}{dyadic(2 * abs(r), 60)}" for k, r in enumerate(residuals) if r]
    for part, status in (
        (Fraction(999, 1000), Status.VERIFIED),
        (Fraction(1001, 1000), Status.REJECTED),
        (Fraction(1), Status.REJECTED),
    ):
        level = truth * part
        outcome = judged(text, lower(level, "aggregate " + " ".join(terms), precision=128, **SQUARES))
        assert outcome.status is status, outcome.message
    x, y = point
    columns = [f"column {name} " + " ".join("0" for _ in residuals) for name in "ab"]
    assert judged(text, upper(truth * 2, f"{x} {y}", *columns, **SQUARES)).status is Status.VERIFIED
    assert judged(text, upper(truth * Fraction(999, 1000), f"{x} {y}", *columns, **SQUARES)).status is Status.REJECTED
    for _ in range(10):  # no weights at all prove more than the truth
        chosen = [
            f"{form}0.{k}{rng.choice('+-')}{rng.randrange(1, 40)}p-3"
            for k in range(len(residuals))
            if rng.random() < 0.8
        ] or [f"{form}0.0+1"]
        assert judged(text, lower(truth, "aggregate " + " ".join(chosen), **SQUARES)).status is Status.REJECTED


ROOTS = [
    ("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "const 1", "sub 5 6"),
    ("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "const 1", "sub 6 5"),
    ("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "sub 5 1"),
    ("mul 0 1", "const 3", "add 2 3", "sqrt 4", "sub 2 5"),
    ("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "mul 0 1", "add 5 6", "const -3/2", "mul 7 8"),
    ("sub 0 1", "const 2", "div 2 3"),
    ("exp 0", "mul 2 1", "sub 3 0"),
    ("sqr 0", "sqr 1", "add 2 3", "sqrt 4", "sin 0", "sub 5 6"),
    ("sqr 0", "const 1", "add 2 3", "sqrt 4", "mul 5 1", "sub 6 5"),
    ("atan 0", "sqr 2", "sqr 1", "add 3 4", "sqrt 5", "const -1", "mul 7 6", "cos 1", "add 8 9"),
]


@pytest.mark.parametrize("tape", ROOTS)
def test_the_form_q_is_no_larger_than_the_row(tape):
    """At points with r^2 <= level, |P| <= |r|."""
    rng = random.Random(3)
    seen = 0
    for _ in range(40):
        low = [Fraction(rng.randrange(-16, 16), 8) for _ in range(2)]
        box = [(a, a + Fraction(rng.randrange(1, 16), 8)) for a in low]
        text = problem(
            variables=tuple(f"{n} mm {a} {b}" for n, (a, b) in zip("xy", box, strict=True)),
            tape=tape,
            families=("F 0 1 v0 v1",),
        )
        rows = rows_of(text)
        level = Fraction(rng.randrange(1, 30), 10)
        prepared = Prepared(0, tuple((number(a), number(b)) for a, b in box), 1)
        with flint.ctx.workprec(128):
            try:
                terms = Terms(rows, number(level), True, Deadline(60))
                polynomial = terms._polynomial_form(0, 0, rng.choice((1, -1)), prepared)
            except Undefined:
                continue
        for _ in range(10):
            point = [a + Fraction(rng.randrange(17), 16) * (b - a) for a, b in box]
            try:
                value = abs(exactly(rows, 0, 0, point))
            except Undefined:
                continue
            if not value * value <= flint.arb(number(level)):
                continue
            seen += 1
            first, last = at(polynomial, [x - (a + b) / 2 for x, (a, b) in zip(point, box, strict=True)])
            assert not (first > value or last < -value), (text, point)
    assert seen > 40
