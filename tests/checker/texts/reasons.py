"""Forged texts by the reason for which each is rejected, ten or more of a reason, and all forged texts of
this folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

from checker_texts import certificate, judge, problem, tape

from texts import (
    claims,
    enclosed,
    files,
    frames,
    further,
    groups,
    hitting,
    inequalities,
    intervals,
    many,
    minimum,
    partial,
    pieces,
    rules,
    tables,
    taylor,
    volumes,
)
from texts import squares as sums
from texts.claims import (
    CIRCLE,
    CROSS,
    CROSS_TREE,
    PAIR,
    ROOTS,
    ROOTS_ISOLATED,
    ROOTS_TREE,
    change,
    hull,
    of_circle,
    of_roots,
    zeros,
)
from texts.rules import (
    CIRCLES,
    DEAD,
    LINE,
    MEET,
    MIRRORED,
    NOWHERE,
    NUMBERS,
    POSITIVE,
    PRODUCTS,
    RECIPROCAL,
    ROOT,
    SHARED,
    SINE,
    TWICE,
    VALLEY,
    powers,
    proof,
    tree,
)

Text = tuple[str, str]
BOTH = certificate(LINE, lower="4/9", upper="23/50", witness=NUMBERS, tree=["aggregate q0.0+1 q0.1-1"])
ROW = (LINE, BOTH)
DIGEST = hashlib.sha256(LINE.encode()).hexdigest()
HUGE = 10**1999
THREE = "F G H"


def of_row(old: str, *others: str) -> list[Text]:
    """The certificate of both ends of a row, one text replaced."""
    return [change(ROW, old, new) for new in others]


def of_problem(old: str, *others: str) -> list[Text]:
    """The problem of the texts, one text replaced; the certificate is never reached."""
    assert old in files.PROBLEM, old
    return [(files.PROBLEM.replace(old, new, 1), files.CERTIFICATE) for new in others]


def leaves(problem_text: str, *lines: str, lower: object = "4/9", scope: str = "F") -> list[Text]:
    """Trees of one leaf each."""
    return [tree(problem_text, line, lower=lower, scope=scope) for line in lines]


def polynomials(*tapes: str, sides: str = "+-") -> list[Text]:
    """The polynomial form of a row for x in [0, 1], one operation after the other, on both sides."""
    return [
        found
        for lines in tapes
        for side in sides
        for found in leaves(powers(*lines.split(", ")), f"aggregate q0.0{side}1", lower=0)
    ]


def measured(lines: str, *bounds: tuple[int, int], inputs: int = 2) -> list[Text]:
    """The polynomial form of a row of x in [0, 1] and m within these bounds."""
    texts = [
        problem([("x", 0, 1)], [("m", [ends])], [tape(inputs, *lines.split(", "))], ["F 0 1 v0" + " c0" * (inputs - 1)])
        for ends in bounds
    ]
    return [found for one in texts for found in leaves(one, "aggregate q0.0+1", lower=0)]


def growing(first: int, last: int, code: str = "sqr") -> Iterable[str]:
    """x in [5, 6], so often squared or doubled."""
    for count in range(first, last):
        lines = [f"{code} {k} {k}" if code in ("add", "mul") else f"{code} {k}" for k in range(count)]
        yield problem([("x", 5, 6)], [], [tape(1, *lines)], ["F 0 1 v0"])


def squares(count: int) -> str:
    """-x_i = 0 in so many families."""
    return claims.negatives(count)[0]


def prefixes(base: Text, lines: Sequence[str]) -> list[Text]:
    """The trees that end too early."""
    whole = "\n".join([*lines, "end\n"])
    assert whole in base[1]
    return [(base[0], base[1].replace(whole, "\n".join([*lines[:count], "end\n"]))) for count in range(1, len(lines))]


WIDE = problem([("x", -HUGE, HUGE), ("y", 0, 1)], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"])
OTHERS = {
    "LINE": LINE,
    "MEET": MEET,
    "SHARED": SHARED,
    "CIRCLES": CIRCLES,
    "VALLEY": VALLEY,
    "SINE": SINE,
    "ROOT": ROOT,
    "CROSS": CROSS,
}
SWAPPED = LINE.replace("x mm -1 1", "y mm -1 1")

FORGED: dict[str, list[Text]] = {
    # texts and numbers
    "the file is not ASCII": [
        *of_row("precision 128", *(f"precision 12{digit}" for digit in "\u0668\u096e\uff18\u00b9\U0001d7d8")),
        *of_row("box", "b\u043ex", "\u200bbox", "box\u00a0"),
    ],
    "'certify-problem 2' or 3 was expected": of_problem(
        "certify-problem 2",
        *(f"certify-problem {word}" for word in ("0", "4", "5", "6", "02", "2.0", "-2", "two", "22")),
    ),
    "the last line does not end in LF": [
        *(
            (base[0], base[1][:-1])
            for base in (ROW, claims.LINE_HULLED, claims.ROOTS_COUNTED, claims.CROSS_HULLED, claims.CIRCLE_COUNTED)
        ),
        *((base[0], base[1] + more) for base in (ROW, claims.ROOTS_COUNTED) for more in (" ", "end", "\r")),
    ],
    "the file ends too early": [
        (LINE, "".join(line + "\n" for line in BOTH.split("\n")[:count])) for count in range(1, 15)
    ],
    "a line has 1 to 1000000 characters": [
        *(
            (LINE, BOTH.replace(f"\n{word}", f"\n\n{word}", 1))
            for word in ("problem", "precision", "scope", "box", "lower", "tree", "values", "end")
        ),
        (LINE, "\n" + BOTH),
        (LINE, BOTH.replace("box", "b" * 1_000_001)),
    ],
    "tokens are separated by exactly one space": [
        *of_row("scope F", " scope F", "scope  F", "scope F "),
        *of_row("box", " box", "box "),
        *of_row("values 11/20", "values  11/20", "values 11/20 "),
        *of_row("tree", " tree"),
    ],
    "something follows after 'end'": [
        (LINE, BOTH + more) for more in ("end\n", "\n", " \n", "aggregate q0.0+1\n", "#\n", "\x00\n", "a b\n", "tree\n")
    ],
    "was expected, not": of_row("tree\n", "Tree\n", "tree 1\n"),
    "takes 1 tokens, not": of_row("lower 4/9", "lower", "lower 4/9 4/9"),
    "a line 'lower' was expected": of_row("lower 4/9", "LOWER 4/9", "lower= 4/9"),
    "is not a natural number": of_row("precision 128", "precision 0128", "precision -128"),
    "is not a rational number": of_row("lower 4/9", "lower 4/-9", "lower 4/09"),
    "is not in lowest terms": of_row(
        "lower 4/9", "lower 8/18", "lower 0/9", "lower 4/1", "lower 0/1", "lower 12/27", "lower -4/18", "lower 100/225"
    ),
    "it is not below 2^8192": leaves(
        LINE,
        *(
            f"{start}{HUGE}p{power}{end}"
            for start, end in (
                ("split 0 ", ""),
                ("split 0 -", ""),
                ("aggregate q0.0+", " q0.1-1"),
                ("aggregate q0.0+1 b0+0+", ""),
            )
            for power in (1552, 1600, 4096)
        ),
    ),
    "is not within +-4096": [
        *leaves(LINE, *(f"split 0 1p{power}" for power in (4097, -4097, 5000, 9999, -9999))),
        *leaves(LINE, *(f"aggregate q0.0+1p{power} q0.1-1" for power in (-4097, 4098, 9999))),
    ],
    "is not a dyadic number": [
        *leaves(
            LINE,
            "split 0 1e1",
            "split 0 p3",
            "split 0 1p1p1",
            "split 0 1p-0",
            "split 0 -0",
            "split 0 -0p3",
            "split 0 -0p-7",
            "split 0 -0p4096",
        ),
        *(of_roots("5p-2 3p-1", f"{zero} 3p-1") for zero in ("-0p1", "-0p-1")),
        *(of_roots("inverse 11p-5", f"inverse {zero}") for zero in ("-0p1", "-0p-1")),
    ],
    "is not a fraction from 0 to 1": [
        proof(LINE, "values 11/20", f"column m {token} 0") for token in ("1.0", "00", ".5", "0.5p1", "inf", "+1", "0,5")
    ],
    "is not a name": [
        *of_row("scope F", "scope _F", "scope F,G", "scope -F", "scope F:0", "scope " + "F" * 65),
        *of_row("column m 1 0", "column 7 1 0", "column m[0] 1 0"),
    ],
    "is not a unit": of_problem(
        "x mm", "x m%", "x " + "m" * 17, "x m*m", "x (mm)", 'x "', "x m\\", "x m,", "x m+m", "x $", "x m=1", "x m:m"
    ),
    # the problem
    "there must be at least 1": [
        *of_problem("tapes 1", "tapes 0"),
        *(
            (one.replace(old, new, 1), BOTH)
            for one in (LINE, CROSS)
            for old, new in (("variables", "variables 0\nvariables"), ("F 0 ", "F 0 0 "))
        ),
    ],
    "tokens were expected, not": [
        *of_problem("0 1/10\n1 1", "0\n1 1", "0 1/10\n1", "0 1/10 0\n1 1", "0 1/10\n1 1 1"),
        *of_problem("y rad/s^2 0 3", "y 0 3", "y", "y rad/s^2 0 3 3"),
    ],
    "the lower bound is above the upper bound": [
        *of_problem(
            "x mm -1/2 1", "x mm 1 -1", "x mm 1 1/2", "x mm 0 -1/1000000", f"x mm {HUGE} 1", "x mm 1000001/1000000 1"
        ),
        *of_problem("0 1/10", "1 0", "1/10 1/11", "1/10 -1/10"),
        *of_problem("1 1\ntapes", "1 0\ntapes"),
    ],
    "operation: ": of_problem(
        "pi\n", "tan 0\n", "ln 0\n", "pow 0 1\n", "abs 0\n", "max 0 1\n", "Add 0 1\n", "# 0\n", "-1\n", "e\n"
    ),
    "does not take": [
        *of_problem(
            "pi\n",
            "pi 0\n",
            "neg\n",
            "neg 0 1\n",
            "sqr\n",
            "sqrt 0 0\n",
            "sin\n",
            "cos 0 1\n",
            "exp\n",
            "log 0 1\n",
            "atan 0 1\n",
            "mul 0\n",
            "div 0 1 2\n",
            "sub\n",
            "const 1 2\n",
        ),
    ],
    "may refer to earlier nodes only": [
        *of_problem("mul 3 4", "mul 5 4", "mul 3 5", "mul 9 9", "sqr 5", f"mul 3 {HUGE}"),
        *of_problem("sub 7 1", "sub 8 1", "sub 7 8", "neg 8"),
    ],
    "NAME TAPE ROWS BINDING... was expected": of_problem(
        "F 0 2 v0 v1 c0", "F", "F 0", "G 0", "0", "- -", "F F", "F -1", "F v0", "v0 v1", "F 00"
    ),
    "there is no tape": of_problem(
        "F 0 2 v0", *(f"F {number} 2 v0" for number in (1, 2, 3, 10, 100, HUGE, 4, 5, 6, 7))
    ),
    "whose inputs are more or fewer": of_problem(
        "v0 v1 c0",
        "v0",
        "v0 v1",
        "v0 v1 v1 v1",
        "v0 v1 c0 c0",
        "c0",
        "v0 v1 c0 x",
        "v0 v0",
        "v0 v1 c0 v0 v1",
        "c0 c0",
        "v1 c0",
    ),
    "is neither a variable v3 nor a column c5": of_problem(
        "v0 v1 c0", *(f"{token} v1 c0" for token in ("x", "V0", "v", "v-1", "v01", "0", "t0", "v0.", "vv0"))
    ),
    "does not exist": of_problem(
        "v0 v1 c0", *(f"v0 {token} c0" for token in ("v2", "v3", "v9", "v10", f"v{HUGE}", "c1", "c2", "c9", "c10"))
    ),
    "more than 1000000 rows": of_problem(
        "F 0 2", *(f"F 0 {rows}" for rows in (10**6 + 1, 2**61 - 1, *(10**k for k in range(7, 15)), HUGE))
    ),
    "has not as many entries as the family has rows": of_problem(
        "F 0 2", *(f"F 0 {rows}" for rows in (1, 3, 4, 5, 6, 7, 8, 20, 64, 10**6))
    ),
    "occurs twice": [
        *of_problem("y rad/s^2 0 3", "x mm -1/2 1", "x rad 0 3", "x 1 0 0"),
        *(
            (LINE.replace(old, new), BOTH)
            for old, new in (
                ("columns 1\n", "columns 2\ncolumn m mm 1\n0 1\n"),
                ("tapes 1\n", "tapes 2\ntape t0 1 1\nneg 0\n"),
            )
        ),
        *((one.replace("G ", "F "), BOTH) for one in (CROSS, SHARED, CIRCLE, PAIR)),
    ],
    # the header of the certificate
    "a SHA-256 in lower case was expected": of_row(
        DIGEST,
        DIGEST[:-1],
        DIGEST + "0",
        DIGEST.upper(),
        "g" + DIGEST[1:],
        "none",
        "0",
        "-" + DIGEST[1:],
        DIGEST[:32],
        "." * 64,
        f"0x{DIGEST[2:]}",
    ),
    "the certificate is for another problem": [
        *of_row(DIGEST, *(digit * 64 for digit in "019af"), DIGEST[::-1], DIGEST[1:] + DIGEST[0]),
        *(
            (one, BOTH)
            for one in (MEET, SHARED, LINE.replace("0 1/10", "0 1/11"), SWAPPED, LINE.replace("x mm", "x m"))
        ),
    ],
    "it must be from 64 to 512": of_row(
        "precision 128", *(f"precision {bits}" for bits in (0, 1, 8, 32, 63, 513, 514, 1024, 65536, HUGE))
    ),
    "one of the five is claimed": [
        (one, certificate(one, point=point)) for one in OTHERS.values() for point in ("box", "point 0")
    ],
    "lower must be below upper": of_row(
        "lower 4/9",
        *(f"lower {value}" for value in ("23/50", "12/25", 1, 2, "461/1000", HUGE, "4601/10000", "1/2", 3, 7)),
    ),
    "'point' with its values or 'box' was expected": of_row(
        "box", "Box", "BOX", "points 0", "everywhere", "0", "none", "tree", "lower 4/9", "box 0"
    ),
    "is negative": [
        *of_row("lower 4/9", "lower -1", "lower -4/9"),
        *of_row("upper 23/50", "upper -1", "upper -23/50", f"upper -{HUGE}"),
        *(
            change(claims.LINE_HULLED, "within 3/10", f"within {value}")
            for value in ("-1", "-3/10", "-1/1000000", f"-{HUGE}")
        ),
    ],
    "claim: more than 100000": [
        of_roots("zeros 2", f"zeros {count}")
        for count in (100_001, 100_002, 200_000, 10**6, 10**9, 10**18, 2**32, 2**64, HUGE)
    ],
    "values or pairs of ends were expected, not": [
        *(tree(LINE, "evaluate 0 1", point="point" + " 0" * count) for count in (3, 4, 100)),
        *(tree(CROSS, "open", point="point" + " 0" * count, scope="F G") for count in (0, 1, 3, 4)),
        *(proof(LINE, "values" + " 0" * count, "column m 1 0") for count in (3, 4, 50)),
        *(proof(PRODUCTS, "values" + " 0" * count, scope=THREE) for count in (0, 1, 3, 7)),
    ],
    "of variable 0 is out of its bounds": [
        *(
            tree(LINE, "evaluate 0 1", point=f"point {value}")
            for value in ("-1000001/1000000", "1000001/1000000", -3, 3, HUGE, -HUGE, 100, "3/2")
        ),
        *(
            proof(LINE, f"values {value}", "column m 1 0")
            for value in ("-1000001/1000000", "1000001/1000000", -3, 3, HUGE, "3/2")
        ),
        proof(LINE, *NUMBERS, point="point 11/21"),
    ],
    "there is no family": of_row(
        "scope F", *(f"scope {word}" for word in ("f", "G", "FF", "F0", "F G", "G F", "x", "m", "t0", "F.0"))
    ),
    "at least one family, in the problem's order, each once": [
        *(
            tree(PRODUCTS, "evaluate 0 0", scope=words)
            for words in ("G F", "H F", "H G", "F H G", "G F H", "F F", "F G G", "F G H F", "H H", "F F F")
        ),
    ],
    # witness
    "one line for each column of the scope, in order": [
        *of_row(
            "column m 1 0",
            "column M 1 0",
            "column x 1 0",
            "column m.0 1 0",
            "column m 1 0\ncolumn n 1",
            "column n 0\ncolumn m 1 0",
        ),
        *(
            proof(CIRCLES, "values 0 0", *(f"column {word} 0 0 0" for word in words), upper=20)
            for words in ("ab", "aLb", "bL", "Lab", "abLL")
        ),
    ],
    "fractions, not": [
        proof(LINE, "values 11/20", "column m" + " 1" * count) for count in (0, 3, 4, 5, 6, 7, 8, 9, 100)
    ],
    "whose entries are used more than once": [
        *(
            proof(SHARED, "values 1/2", f"column m {token}", scope="F G", upper=9)
            for token in ("0:1", "1:0", "0:0", "0.25:0.75", "1:1", "0.5:0.50")
        ),
        *(proof(TWICE, "values 2", f"column m {token}", upper=9) for token in ("0:0", "1:0", "0.1:0.2", "1:1")),
    ],
    "may exceed upper": [
        *(proof(LINE, f"values {value}", "column m 1 0", upper="4/9") for value in ("11/20", "5/9", "3/5", 1)),
        *(
            proof(MEET, f"values {value}", f"column m {token}", upper="1/8")
            for value, token in ((1, "0"), (1, "0.8"), ("1/2", "0.3"), (1, "0:1"))
        ),
    ],
    "or be below -upper": [
        *(proof(LINE, f"values {value}", "column m 1 0", upper="4/9") for value in ("27/50", 0, -1, "1/2")),
        *(
            proof(MEET, f"values {value}", f"column m {token}", upper="1/8")
            for value, token in ((0, "1"), (0, "0.2"), ("1/2", "0.7"), (0, "0:1"))
        ),
    ],
    "enclosure: ": [
        *(proof(RECIPROCAL, f"values {value}", upper=upper) for value, upper in ((0, 1), (0, HUGE))),
        *(proof(one, f"values {value}", upper=9) for one in (NOWHERE, DEAD) for value in (1, "1/2")),
        *(proof(one, "values 6", upper=9) for one in growing(12, 14)),
    ],
    "a divisor contains 0": [],
    "a root reaches below 0": [
        *leaves(NOWHERE, "aggregate t0.0+1", "aggregate m0.0-1", "aggregate m0.0+1"),
        *leaves(DEAD, "aggregate m0.0-1"),
    ],
    "a logarithm reaches 0": [
        *leaves(powers("log 0"), "aggregate m0.0+1", "aggregate m0.0-1", "aggregate t0.0+1", lower=0),
        *leaves(powers("neg 0", "log 1"), "aggregate m0.0+1", "aggregate t0.0-1", lower=0),
        *leaves(powers("log 0", "const 9", "add 0 2"), "aggregate m0.0-1", "aggregate t0.0-1", lower=0),
        *(
            proof(powers(*lines), f"values {x}")
            for lines, x in ((("log 0",), 0), (("neg 0", "log 1"), 1), (("const 1", "sub 0 1", "log 2"), "1/2"))
        ),
        *measured("log 1, mul 0 2", (0, 1), (-1, 1), (-2, -1)),
    ],
    "a number is too large": [
        *(
            found
            for one in (*growing(12, 17), *growing(8193, 8195, "add"), *growing(12, 14, "mul"))
            for found in leaves(one, "aggregate m0.0-1")
        ),
        *(found for one in growing(3, 7, "exp") for found in leaves(one, "aggregate m0.0-1", "aggregate t0.0+1")),
    ],
    # hull and zeros
    "a lower end and an upper end that is not below it": [
        *(change(claims.LINE_HULLED, "3/16 27/64\n", line + "\n") for line in ("0", "0 1 2", "0 1 2 3")),
        *(
            change(claims.LINE_HULLED, "3/16 27/64", ends)
            for ends in ("1 0", "1 -1", "0 -1", "27/64 13/32", "2 1", f"{HUGE} 0", "1/3 1/4", "5 4", "1/2 0")
        ),
    ],
    "hull: 1 values or pairs of ends were expected": [
        hull(LINE, "3/10", ["0 1"] * count, ["open"]) for count in (0, 2, 3, 4, 5)
    ],
    "facets of 1 coefficients and a bound were expected": [
        hull(LINE, "3/10", ["0 1", "facet" + " 1" * count], ["open"]) for count in (1, 4, 5, 6, 7, 8, 9)
    ],
    "a lower end is not below its upper end": [
        *(
            of_circle("zero 15p-2 17p-2", f"zero {ends}")
            for ends in ("17p-2 15p-2", "4 4", "1p-9 0", "0 0", "0 -1", "1p9 1p8")
        ),
    ],
    "zero: 1 pairs of ends were expected": [
        of_roots("zero 5p-2 3p-1\ninverse 11p-5", f"zero{' 1 2' * size}\ninverse{' 1' * size * size}")
        for size in (0, 2, 3, 4, 5, 6, 7, 8, 9)
    ],
    "rows without measurements for": [
        *(zeros(one, ROOTS_ISOLATED, ["open"]) for one in (MEET, SHARED, VALLEY, SINE, TWICE)),
        *(zeros(ROOTS.replace("F 0 1", f"F 0 {rows}"), ROOTS_ISOLATED, ["open"]) for rows in (2, 3, 64, 65)),
        zeros(PRODUCTS, [], ["open"]),
        zeros(PRODUCTS, [], ["open"], scope="F G H"),
    ],
    "variables are more than 64": [
        (
            squares(count),
            certificate(
                squares(count), scope=" ".join(f"F{i}" for i in range(count)), zeros=0, isolated=[], tree=["open"]
            ),
        )
        for count in range(67, 75)
    ],
    # the tree
    "a child is missing": [*prefixes(claims.CROSS_HULLED, CROSS_TREE), *prefixes(claims.ROOTS_COUNTED, ROOTS_TREE)],
    "'end' was expected": [
        *(
            tree(LINE, "aggregate q0.0+1 q0.1-1", line)
            for line in ("tree", "split 0 0", "prepare 1", "open", "known 0", "END", "evaluate 0 0")
        ),
    ],
    "is no node": leaves(LINE, "split", "evaluate 0", "evaluate 0 0 0", "prepare 1 1", "known", "assume"),
    "cells, not": leaves(
        LINE, *(f"prepare {cells}" for cells in (0, 257, 258, 300, 512, 1000, 65536, 10**6, 2**64, HUGE))
    ),
    "split: variable": leaves(LINE, *(f"split {variable} 0" for variable in (1, 2, 3, 7, 64, 100, 2**32, 2**64, HUGE))),
    "the point is not strictly between the bounds": leaves(
        LINE, *(f"split 0 {at}" for at in ("-1p1", "1p1", "1p4096", "-1p4096", "1025p-10", "-1025p-10", "2p-1"))
    ),
    "node 0 (line 15): enclosure": [
        *leaves(RECIPROCAL, "aggregate m0.0+1", lower=0),
        *leaves(NOWHERE, "aggregate m0.0+1", lower=0),
    ],
    "the row may reach [-level, level]": leaves(MEET, "evaluate 0 0"),
    "there is no hull": leaves(LINE, "open"),
    "the box is not within the hull": [hull(LINE, 9, ["-1 1/2"], ["open"])],
    "there is no zero": [of_roots("known 1", f"known {number}") for number in (2, 3, 10, 100_000, 2**64)],
    "the box is not within the box of zero": [
        *(of_roots("split 0 5p-2", f"split 0 {at}") for at in ("9p-3", "1", "0", "1p-9", "-1")),
        *(of_roots("split 0 3p-1\nknown 1", f"split 0 {at}\nknown 1") for at in ("7p-2", "13p-3", "15p-3")),
    ],
    "family": [],
    "there is no row": [
        *leaves(LINE, "evaluate 1 0", "evaluate 2 0", f"evaluate {HUGE} 0", "aggregate q2.0+1", "aggregate m1.0-1"),
        *leaves(PRODUCTS, "evaluate 0 0", "aggregate q2.0+1", scope="G"),
        *leaves(LINE, "evaluate 0 3", "evaluate 0 100", f"evaluate 0 {HUGE}", "aggregate q0.2+1", "aggregate m0.3-1"),
        *leaves(PRODUCTS, "evaluate 2 1", "aggregate q1.1+1", scope=THREE),
    ],
    # aggregates
    "is no term": leaves(
        LINE,
        *(
            f"aggregate {term}"
            for term in ("q0.0", "q0+1", "q.0+1", "q00.0+1", "b0+1", "q0.0+1p", "q0.0+1p-", "q0.0*1", "x", "q0.0+1:2")
        ),
    ),
    "there is no row among the terms": leaves(
        PRODUCTS,
        *(
            f"aggregate {terms}"
            for terms in (
                "b0+0+1",
                "b0-1-1",
                "b0+0-1",
                "b0+0+1 b1+1+1",
                "b0+1+1 b0-1+1",
                "b0-0-7",
                "b1+1-1",
                "b0+1-1 b0-1-1",
            )
        ),
        scope=THREE,
    ),
    "aggregate: variable": [
        *leaves(
            LINE, *(f"aggregate q0.0+1 {term}" for term in ("b0+1+1", "b1+1+1", "b0-2+1", f"b0+{HUGE}+1", "b7+7-1"))
        ),
        *leaves(
            PRODUCTS, *(f"aggregate q1.0+1 {term}" for term in ("b0+1+1", "b1+1-1", "b0-1-1", "b0+2+1")), scope="G"
        ),
    ],
    "a weight is not a positive dyadic number": [
        *leaves(
            LINE,
            *(
                f"aggregate {terms}"
                for terms in (
                    "q0.0+0",
                    "q0.0-0",
                    "m0.0+0",
                    "q0.0+0p-5",
                    "q0.0+1 m0.1-0",
                    "m0.0-0p4096",
                    "b0+0+0",
                    "q0.0+1 b0+0-0",
                )
            ),
        ),
    ],
    "a term occurs twice": [
        *leaves(
            LINE,
            *(
                f"aggregate {terms}"
                for terms in (
                    "q0.0+1 q0.0+1",
                    "m0.0-1 m0.0-2",
                    "q0.1-1p-3 q0.1-3",
                    "q0.0+1 b0+0+1 b0+0+2",
                    "q0.0+1 b0+0-1 b0+0-1",
                )
            ),
        ),
        *leaves(PRODUCTS, "aggregate q0.0+1 b0+1-1 b0+1-2", "aggregate m2.0+1 m0.0+1 m2.0+1", scope=THREE),
    ],
    "a product is not in order": leaves(
        PRODUCTS,
        *(
            f"aggregate q0.0+1 {term}"
            for term in ("b1+0-1", "b1-0+1", "b1-0-1", "b1-1+1", "b0-0+7", "b9+0+1", "b9-9+1")
        ),
        scope=THREE,
    ),
    "not proved to be positive": leaves(LINE, "aggregate m0.0+1"),
    "enclosure: a number is too large": [
        *leaves(WIDE, *(f"aggregate q0.0+1 b0{s}0{t}{w}" for s, t in ("++", "+-", "--") for w in (1, 2)), lower=1),
        *leaves(WIDE, *(f"aggregate m0.0-1 b0{s}0{t}1p{p}" for s, t in ("++", "+-") for p in (7, -7)), lower=1),
    ],
    # forms of a row
    "the degree of D or v exceeds 2": polynomials(
        "sqr 0, mul 0 1",
        "sqr 0, sqr 1",
        "sqr 0, sqr 1, sqrt 2",
        "sqr 0, mul 1 0, sqrt 2",
        "sqr 0, mul 1 0, sqrt 0, add 3 2",
    ),
    "w >= 0 is not proved": [
        *leaves(
            CIRCLES, *(f"aggregate q0.{row}-{weight}" for row, weight in ((0, 1), (1, 1), (0, 2), (0, "1p-9"))), lower=1
        ),
        *leaves(MIRRORED, *(f"aggregate q0.{row}+{weight}" for row, weight in ((0, 1), (1, 1), (1, "3p7"))), lower=2),
        *leaves(CIRCLES, "aggregate q0.2-1", "aggregate q0.2-1 q0.0+1", lower="1010001/100000"),
    ],
}

# the measurement lemma: what it gives is too little, or it may not be used

ODD = {
    f"{cells} cells": tree(VALLEY, f"prepare {cells}", f"aggregate {form}0.0+1", lower="999/1000")
    for cells in (1, 3, 5, 7, 9, 11)
    for form in "qm"
}
PITS = {
    f"{lines}, {side}": tree(
        problem([("x", 1, 2)], [("m", [(0, 1)])], [tape(2, *lines.split(", "))], ["F 0 1 v0 c0"]),
        f"aggregate q0.0{side}1",
        lower=lower,
    )
    for lines, side, lower in (
        ("sqrt 1, add 0 2", "+", "11/10"),
        ("sqrt 1, sub 0 2", "+", "1/10"),
        ("sqrt 1, sub 2 0", "-", "1/10"),
        ("sqrt 1, neg 2, add 0 3", "+", "1/10"),
        ("mul 1 1, add 0 2", "+", "11/10"),
        ("sqrt 1, sqr 2, add 0 3", "+", "11/10"),
        ("sqr 1, sub 0 2", "+", "1/10"),
        ("sqr 1, add 0 2", "+", "11/10"),
        ("sqr 1, sub 1 2, add 0 3", "+", "11/10"),
        ("sqr 1, sub 1 2, sub 0 3", "+", "9/10"),
    )
}
TIED = {
    f"bound twice, {lines}": tree(
        problem([("x", 1, 2)], [("m", [(-1, 1)])], [tape(3, *lines.split(", "))], ["F 0 1 v0 c0 c0"]),
        "aggregate q0.0+1",
        lower="1/2",
    )
    for lines in (
        "add 1 2, add 0 3",
        "mul 1 2, add 0 3",
        "sub 0 1, sub 3 2",
        "add 0 1, add 3 2",
        "sub 0 1, add 3 2",
        "mul 1 2, sub 0 3",
    )
}
LEMMA = [*ODD.values(), *PITS.values(), *TIED.values()]
CASES = [(reason, case) for reason, cases in FORGED.items() for case in cases] + [(POSITIVE, case) for case in LEMMA]


@cache
def everything() -> frozenset[Text]:
    """All distinct forged texts of this folder."""
    found = {case for _, case in CASES}
    for module in (
        rules,
        claims,
        sums,
        taylor,
        frames,
        hitting,
        minimum,
        volumes,
        partial,
        inequalities,
        enclosed,
        groups,
        further,
        tables,
        intervals,
        many,
        pieces,
    ):
        found |= {forged for forged, _ in module.FORGED.values()}
    found |= {(files.PROBLEM.replace(old, new, 1), files.CERTIFICATE) for old, new, _ in files.BAD_PROBLEMS.values()}
    return frozenset(
        found
        | {(files.PROBLEM, files.CERTIFICATE.replace(old, new)) for old, new, _ in files.BAD_CERTIFICATES.values()}
    )


@cache
def messages() -> tuple[tuple[Text, str], ...]:
    """The answers to all of them."""
    return tuple((forged, judge(*forged).message) for forged in everything())
