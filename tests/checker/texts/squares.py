"""Sums of squares: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from fractions import Fraction

from checker_texts import Forgeries, Number, Text, certificate, change, grouped, problem, tape

from texts.rules import CIRCLES as LONG
from texts.rules import LINE as WIDE
from texts.rules import MEET, MIRRORED, POSITIVE, RECIPROCAL, SHARED, SINE, TWICE, VALLEY

# x - m, m = 0 and 3: the least sum is 9/2, at 3/2
PAIR = problem([("x", -4, 4)], [("m", [(0, 0), (3, 3)])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0"])
# distances from (0, 0) and (4, 0), measured as 1 and 1: the least sum is 2, at (2, 0)
DISTANCE = tape(5, "sub 0 2", "sqr 5", "sub 1 3", "sqr 7", "add 6 8", "sqrt 9", "sub 10 4")
CIRCLES = problem(
    [("x", -1, 5), ("y", -3, 3)],
    [("a", [(0, 0), (4, 4)]), ("b", [(0, 0)] * 2), ("L", [(1, 1)] * 2)],
    [DISTANCE],
    ["F 0 2 v0 v1 c0 c1 c2"],
)
MIRROR = CIRCLES.replace("tape t0 5 7", "tape t0 5 8").replace("sub 10 4\n", "neg 10\nadd 11 4\n")
# x^2 + 1/2, sin x - 2, without columns
BOWL = problem(
    [("x", -1, 1)],
    [],
    [tape(1, "sqr 0", "const 1/2", "add 1 2"), tape(1, "sin 0", "const 2", "sub 1 2")],
    ["F 0 1 v0", "G 1 1 v0"],
)
# 1/3 is no number of the grid: x - 1/3, x - 2/3
THIRDS = problem([("x", 0, 1)], [("m", [("1/3", "1/3"), ("2/3", "2/3")])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0"])
PURE = problem([("x", -1, 1)], [], [tape(1, "sqr 0", "sqrt 1")], ["F 0 1 v0"])


def squares(text: str, **claims: object) -> Text:
    """A certificate of this norm."""
    return text, certificate(text, norm="squares", **claims)  # type: ignore[arg-type]


def tree(text: str, *lines: str, lower: Number = "9/4", scope: str = "F", point: str = "box") -> Text:
    return squares(text, lower=lower, scope=scope, point=point, tree=lines)


def proof(text: str, *lines: str, upper: Number = 5, scope: str = "F", point: str = "box") -> Text:
    return squares(text, upper=upper, scope=scope, point=point, witness=lines)


BEST = "aggregate q0.0+3 q0.1-3"
HALVES = ["split 0 3p-1", "evaluate 0 1", "evaluate 0 0"]
WITNESS = ["values 3/2", "column m 0 1"]
ROOTS = "aggregate q0.0+2 q0.1+2"
HULL = ["split 0 1p-1", "aggregate q0.1-5", "split 0 5p-1", "open", "aggregate q0.0+5"]
BOUNDED = squares(PAIR, within=6, hull=["1/2 5/2"], tree=HULL)

VALID = {
    "two rows": tree(PAIR, BEST, lower="449/100"),
    "two rows, mean value": tree(PAIR, "aggregate m0.0+3 m0.1-3", lower="449/100"),
    "two rows, second order": tree(PAIR, "aggregate t0.0+3 t0.1-3", lower="449/100"),
    "two rows, mixed": tree(PAIR, "aggregate t0.0+3 m0.1-3", lower="449/100"),
    "other weights": tree(PAIR, "aggregate q0.0+2 q0.1-2", lower="399/100"),
    "one row, squared": tree(PAIR, *HALVES, lower="56/25"),
    "one row, weighed": tree(PAIR, "split 0 3p-1", "aggregate q0.1-3", "aggregate q0.0+3", lower="56/25"),
    "nothing below 0": tree(PAIR, BEST, lower=0),
    "a witness": proof(PAIR, *WITNESS, upper="9/2"),
    "both ends": squares(PAIR, lower="449/100", upper="9/2", witness=WITNESS, tree=[BEST]),
    "a hull": BOUNDED,
    "at a point": tree(PAIR, "evaluate 0 1", point="point -1", lower=15),
    "at a point, both rows": tree(PAIR, "aggregate q0.0-2 q0.1-8", point="point -1", lower="169/10"),
    "a witness at a point": proof(PAIR, "values -1", "column m 0.5 1", point="point -1", upper=17),
    "roots": tree(CIRCLES, ROOTS, lower="7/5"),
    "negative roots": tree(MIRROR, ROOTS, lower="7/5"),
    "a sum without columns": tree(BOWL, "aggregate t0.0+1 m1.0-2", scope="F G", lower=1),
    "one family": tree(BOWL, "evaluate 1 0", scope="G", lower=1),
    "a witness without columns": proof(BOWL, "values 0", scope="F G", upper="43/10"),
    "numbers that are none of the grid": tree(THIRDS, "aggregate q0.0+1p-2 q0.1-1p-2", lower="1/25"),
    "products": tree(PAIR, "aggregate q0.0+3 q0.1-3 b0+0-1p-9", lower="7/2"),
}


LOWER = VALID["two rows"]
NORM = {
    name: (change(LOWER, "norm squares\n", line), reason)
    for name, line, reason in (
        ("missing", "", "line 6: text: a line 'norm'"),
        ("of nothing", "norm\n", "line 6: text: 'norm' takes 1 tokens, not 0"),
        ("of both", "norm largest squares\n", "line 6: text: 'norm' takes 1 tokens, not 2"),
        ("twice", "norm squares\nnorm squares\n", "line 7: text: a line 'discard'"),
        ("in capitals", "norm SQUARES\n", "norm: 'SQUARES' is none of largest, squares"),
        ("square", "norm square\n", "line 6: norm: 'square' is none of"),
        ("sum", "norm sum\n", "line 6: norm: 'sum' is none of"),
        ("none", "norm none\n", "line 6: norm: 'none' is none of"),
        ("none of both", "norm neither\n", "line 6: norm: 'neither' is none of"),
        ("Largest", "norm Largest\n", "line 6: norm: 'Largest' is none of"),
        ("least", "norm least\n", "line 6: norm: 'least' is none of"),
        ("2", "norm 2\n", "line 6: norm: '2' is none of"),
        ("infinity", "norm inf\n", "line 6: norm: 'inf' is none of"),
        ("with a comma", "norm largest,squares\n", "line 6: norm: 'largest,squares' is none of"),
        ("after discard", "discard 0\nnorm squares\n", "line 6: text: a line 'norm'"),
        ("largest", "norm largest\n", POSITIVE),
        ("norms", "norms squares\n", "line 6: text: a line 'norm'"),
    )
}

INEXACT = "line 6: squares: a measurement is not known exactly"
EXACT = {
    **{
        f"{name}, {claim}": (squares(text, **{claim: value}, **blocks), INEXACT)
        for name, text, column in (
            ("a line", WIDE, "m"),
            ("one entry", MEET, "m"),
            ("lengths", LONG, "L"),
            ("a valley", VALLEY, "m"),
        )
        for claim, value, blocks in (
            ("lower", "1/100", {"tree": ["evaluate 0 0"]}),
            ("upper", 100, {"witness": ["values 1", "column m 0 0"]}),
            ("within", 100, {"hull": ["0 1"], "tree": ["open"]}),
            ("minimum", "local 100", {"isolated": ["zero 0 1", "inverse 1"]}),
        )
    },
    "a sine": (tree(SINE, "aggregate m0.0-1"), INEXACT),
    "bound twice": (tree(TWICE, "evaluate 0 0"), INEXACT),
    "shared": (tree(SHARED, "evaluate 0 0", scope="F G"), INEXACT),
    "mirrored": (tree(MIRRORED, "aggregate q0.0-1"), INEXACT),
    "by a millionth": (tree(PAIR.replace("\n3 3\n", "\n3 3000001/1000000\n"), BEST), INEXACT),
    "by 10^-300": (tree(PAIR.replace("\n0 0\n", f"\n0 1/1{'0' * 300}\n"), BEST), INEXACT),
    "at a point": (tree(WIDE, "evaluate 0 1", point="point 0", lower="1/2"), INEXACT),
    "the second column": (tree(CIRCLES.replace("\n1 1\n1 1\n", "\n1 1\n1 2\n"), ROOTS), INEXACT),
}

ST = {
    token: (
        proof(PAIR, "values 3/2", f"column m {token}", upper=9),
        "s:t in column m, whose entries are used more than once, or whose squares",
    )
    for token in (
        "0:1 1",
        "1 0:1",
        "0:0 0",
        "0.5:0.5 1",
        "1:0 1:0",
        "1 1:1",
        "0 0.25:0.75",
        "0:1 0:1",
        "0.1:0.2 0.3:0.4",
        "0 1:0",
        "1:1 0",
    )
}

MAY = "witness: the sum of squares may exceed upper"
SUM = {
    **{
        f"{upper} at {x}": (proof(PAIR, f"values {x}", "column m 0 1", upper=upper), MAY)
        for x, upper in (
            ("3/2", "449/100"),
            ("3/2", "9/4"),
            ("3/2", 0),
            ("3/2", "3/2"),
            ("3/2", 3),
            (0, 8),
            (3, 3),
            (1, "49/10"),
            (2, "499/100"),
            (-4, 64),
            (4, 16),
            ("3/2", "4499999999999999999999999/1000000000000000000000000"),
        )
    },
    "at a point": (proof(PAIR, "values -1", "column m 0 0", upper=16, point="point -1"), MAY),
    "without columns": (proof(BOWL, "values 0", scope="F G", upper=4), MAY),
    "of roots": (proof(CIRCLES, "values 2 0", *(f"column {name} 0 0" for name in "abL"), upper="199/100"), MAY),
    "by less than a unit, exactly": (proof(PAIR, "values 1", "column m 0 0", upper=5 - Fraction(1, 10**60)), MAY),
    "by less than a unit": (proof(THIRDS, "values 1/2", "column m 0 0", upper="1/18"), MAY),
}

UNDEFINED = {
    **{
        f"{name} at {x}": (proof(text, f"values {x}", upper=10**9), "enclosure: " + reason)
        for name, text, reason, points in (
            ("a division", RECIPROCAL, "a divisor contains 0", ("0",)),
            (
                "a root",
                problem([("x", -1, 1)], [], [tape(1, "sqrt 0")], ["F 0 1 v0"]),
                "a root reaches below 0",
                ("-1", "-1/3", "-1/1000000", "-1/7"),
            ),
            (
                "a dead node",
                problem([("x", -1, 1)], [], [tape(1, "sqrt 0", "sub 0 0")], ["F 0 1 v0"]),
                "a root",
                ("-1", "-1/2", "-1/9"),
            ),
            (
                "a second pole",
                problem([("x", -1, 1)], [], [tape(1, "const 1/2", "sub 0 1", "div 0 2")], ["F 0 1 v0"]),
                "a divisor",
                ("1/2",),
            ),
            (
                "numbers",
                problem([("x", 1, 10**1500)], [], [tape(1, "sqr 0")], ["F 0 1 v0"]),
                "a number is too large",
                (10**1499, 10**1500, 10**1400),
            ),
        )
        for x in points
    }
}

REACH = "the row may reach [-level, level]"
EVALUATE = {
    **{
        f"{lower}, rows {first} and {second}": (
            tree(PAIR, "split 0 3p-1", f"evaluate 0 {first}", f"evaluate 0 {second}", lower=lower),
            REACH,
        )
        for lower, first, second in (
            ("9/4", 1, 0),
            (3, 1, 0),
            (4, 1, 0),
            (1, 0, 0),
            (1, 1, 1),
            (0, 0, 1),
            ("449/100", 1, 0),
            ("9/4", 0, 1),
        )
    },
    **{
        f"|r| = {x} against {x}^2": (tree(PAIR, "evaluate 0 0", point=f"point {x}", lower=level), REACH)
        for x, level in (
            ("1/2", "1/4"),
            ("-1/2", "1/3"),
            ("1/3", "1/8"),
            (2, 4),
            ("-3", 9),
            ("1/4", "1/5"),
            ("1/10", "1/11"),
            ("1/10", "1/100"),
            (0, 0),
        )
    },
    "a row of both signs": (tree(PAIR, "evaluate 0 0", lower=10), REACH),
    "the sum of two": (tree(PAIR, "evaluate 0 0", point="point 3/2", lower="9/2"), REACH),
}

ONCE = {
    terms: (tree(PAIR, f"aggregate {terms}"), "aggregate: a term occurs twice")
    for terms in (
        "q0.0+3 q0.0+3",
        "q0.0+3 m0.0+3",
        "q0.0+3 t0.0+3",
        "m0.0+3 t0.0+3",
        "q0.0+3 q0.0-3",
        "q0.0+1 m0.0-1",
        "q0.0+3 q0.1-3 m0.0+3",
        "q0.0+3 q0.1-3 t0.1-3",
        "q0.0+3 q0.1-3 q0.1+1",
        "m0.1-3 q0.0+3 q0.1-3",
        "t0.0+1 t0.0-1",
        "q0.0+3 q0.1-3 b0+0+1 b0+0+1",
    )
}

# accepted, and false, if WEIGHT^2 / 4 were left out, halved, or not squared
WEIGHTS = {
    **{
        f"{form}, {w} against {lower}": (tree(PAIR, f"aggregate {form}0.0+{w} {form}0.1-{w}", lower=lower), POSITIVE)
        for form in "qmt"
        for w, lower in (
            (3, "451/100"),
            (3, 5),
            (3, 7),
            (4, "9/2"),
            (4, 11),
            (6, 17),
            (2, 5),
            (8, 23),
            (1, "21/8"),
            (1, "29/10"),
        )
    },
    "one row only": (tree(PAIR, "evaluate 0 1", point="point 0", lower=9), REACH),
    "one row, weighed": (tree(PAIR, "aggregate q0.1-6", point="point 0", lower=9), POSITIVE),
    "one row, a small weight": (tree(PAIR, "aggregate q0.1-1p-1", point="point 0", lower="3/2"), POSITIVE),
    "a huge weight": (tree(PAIR, "aggregate q0.0+1p99 q0.1-1p99", lower=5), POSITIVE),
}
LEVEL = {
    f"{lower}, {leaf}": (tree(PAIR, f"aggregate {leaf}", lower=lower), POSITIVE)
    for lower, leaf in (
        ("9/2", "q0.0+3 q0.1-3"),
        ("4", "q0.0+2 q0.1-2"),
        ("4", "q0.0+4 q0.1-4"),
        ("1", "q0.0+3"),
        ("1", "q0.1-3"),
        ("1", "q0.0-3 q0.1+3"),
        ("1", "q0.0+3 q0.1+3"),
        ("1", "q0.0+3 q0.1-2"),
        ("5/2", "q0.0+1 q0.1-1"),
        ("0", "q0.0-1"),
        ("449/100", "q0.0+3 q0.1-3 b0+0-1"),
        ("9/2", "m0.0+3 m0.1-3"),
        ("9/2", "t0.0+3 t0.1-3"),
    )
}
# accepted, and false, if h were sqrt(level) or 2 |v| only; the least sum is 2
DIVISOR = {
    f"{'-' if text is MIRROR else '+'} {w} against {lower}": (
        tree(text, f"aggregate q0.0{side}{w} q0.1{side}{w}", lower=lower),
        POSITIVE,
    )
    for text, side in ((CIRCLES, "+"), (MIRROR, "+"))
    for w, lower in (
        (3, "2"),
        (3, "5/2"),
        (3, "3"),
        (3, "4"),
        (4, "2"),
        (2, "2"),
        (2, "3"),
        ("7p-1", "7/2"),
        ("5p-1", "9/4"),
    )
}
NONE = {
    f"{text.count('neg')} {leaf}, {shift}": (tree(text, f"aggregate {leaf}", lower=0), reason)
    for text, shift in ((PURE, "pure"), (PURE.replace("-1 1", "0 1"), "half"), (PURE.replace("-1 1", "1 2"), "far"))
    for leaf, reason in (
        ("q0.0+1", "a divisor contains 0"),
        ("q0.0-1", "a divisor contains 0"),
        ("q0.0+1p-9", "a divisor contains 0"),
        ("q0.0-9", "a divisor contains 0"),
    )
}
CLAIMS = {
    **{
        f"zeros {count}": (
            squares(PURE, zeros=count, isolated=["zero -1 1", "inverse 1"] * int(count), tree=["open"]),
            "line 13: claim: zeros need",
        )
        for count in range(6)
    },
    **{
        f"discard {count}": (
            change(LOWER, "discard 0", f"discard {count}"),
            "line 13: claim: rows are discarded with the largest error only",
        )
        for count in (1, 2, 3, 7, 64)
    },
    "lower equals upper": (
        change(VALID["both ends"], "upper 9/2", "upper 449/100"),
        "line 13: claim: lower must be below upper",
    ),
    "lower negative": (change(LOWER, "lower 449/100", "lower -1"), "line 8: claim: '-"),
}
OPEN = {
    **{
        f"within {level}": (change(BOUNDED, "within 6", f"within {level}"), POSITIVE)
        for level in ("25/4", "13/2", 7, 9, 100, 10**9)
    },
    **{
        f"hull {ends}": (change(BOUNDED, "1/2 5/2", ends), "open: the box is not within the hull")
        for ends in ("1/2 2", "1 5/2", "3/5 12/5", "0 1", "-4 0")
    },
}

GROUPS: dict[str, Forgeries] = {
    "norm": NORM,
    "exact": EXACT,
    "s:t": ST,
    "sum": SUM,
    "undefined": UNDEFINED,
    "evaluate": EVALUATE,
    "once": ONCE,
    "weights": WEIGHTS,
    "level": LEVEL,
    "divisor": DIVISOR,
    "no divisor": NONE,
    "claims": CLAIMS,
    "within": OPEN,
}
FORGED = grouped(GROUPS)
