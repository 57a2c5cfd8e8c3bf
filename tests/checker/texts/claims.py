"""Hulls, zeros and what is claimed of them: valid certificates, and forged ones with the reason for which each is
rejected.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from fractions import Fraction

from checker_texts import Number, certificate, problem, refusal, tape

from certify.checker.certificate import parse_certificate
from certify.checker.nodes import Evaluate, Known
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Box, Scope

# r = x - m, m in [0, 1/10] and [1/2, 3/5]: |r| <= 3/10 for x in [1/5, 2/5]
LINE = problem([("x", -1, 1)], [("m", [(0, "1/10"), ("1/2", "3/5")])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0"])
# x + y - m and x - y - n, m and n in [0, 1/10]: |r| <= 0 for x in [0, 1/10], y in [-1/20, 1/20]
CROSS = problem(
    [("x", -1, 1), ("y", -1, 1)],
    [("m", [(0, "1/10")]), ("n", [(0, "1/10")])],
    [tape(3, "add 0 1", "sub 3 2"), tape(3, "sub 0 1", "sub 3 2")],
    ["F 0 1 v0 v1 c0", "G 1 1 v0 v1 c1"],
)
LINE_HULL = ["3/16 27/64"]
LINE_TREE = ["split 0 3p-4", "evaluate 0 1", "split 0 27p-6", "open", "evaluate 0 0"]
CROSS_HULL = ["-1/64 1/8", "-1/8 1/16"]
CROSS_TREE = [
    "split 0 -1p-6",
    "aggregate q0.0-1 q1.0-1",
    "split 0 1p-3",
    "split 1 -1p-3",
    "aggregate q0.0-1 q1.0+1",
    "split 1 1p-4",
    "open",
    "aggregate q0.0+1 q1.0-1",
    "aggregate q0.0+1 q1.0+1",
]

SQUARE = tape(1, "sqr 0", "const 2", "sub 1 2")
ROOTS = problem([("x", -2, 2)], [], [SQUARE], ["F 0 1 v0"])
ROOTS_ISOLATED = ["zero -3p-1 -5p-2", "inverse -11p-5", "zero 5p-2 3p-1", "inverse 11p-5"]
ROOTS_TREE = ["split 0 -3p-1", "evaluate 0 0", "split 0 -5p-2", "known 0"]
ROOTS_TREE += ["split 0 5p-2", "evaluate 0 0", "split 0 3p-1", "known 1", "evaluate 0 0"]
# x^2 + y^2 = 25 and x - y = 1: (4, 3) and (-3, -4)
CIRCLE_TAPES = [tape(2, "sqr 0", "sqr 1", "add 2 3", "const 25", "sub 4 5"), tape(2, "sub 0 1", "const 1", "sub 2 3")]
CIRCLE = problem([("x", -6, 6), ("y", -6, 6)], [], CIRCLE_TAPES, ["F 0 1 v0 v1", "G 1 1 v0 v1"])
CIRCLE_ISOLATED = ["zero 15p-2 17p-2 11p-2 13p-2", "inverse 1p-4 1p-1 1p-4 -1p-1"]
CIRCLE_ISOLATED += ["zero -13p-2 -11p-2 -17p-2 -15p-2", "inverse -1p-4 1p-1 -1p-4 -1p-1"]
# y = sin x and x = 2 y: x = 0 and x = +-1.895
SINE = problem(
    [("x", -3, 3), ("y", -2, 2)],
    [],
    [tape(2, "sin 0", "sub 2 1"), tape(2, "add 1 1", "sub 0 2")],
    ["F 0 1 v0 v1", "G 1 1 v0 v1"],
)
SINE_ISOLATED = ["zero -1p-2 1p-2 -1p-2 1p-2", "inverse 2 -1 1 -1"]
SINE_ISOLATED += [
    "zero 29p-4 31p-4 7p-3 1",
    "inverse -5p-2 5p-3 -5p-3 -13p-6",
    "zero -31p-4 -29p-4 -1 -7p-3",
    "inverse -5p-2 5p-3 -5p-3 -13p-6",
]
# two families, one variable each, whose order in the scope is that of the rows of the inverse
PAIR = problem([("x", 0, 2), ("y", 0, 4)], [], [SQUARE, tape(1, "const 3", "sub 0 1")], ["F 0 1 v0", "G 1 1 v1"])
PAIR_ISOLATED = ["zero 5p-2 3p-1 5p-1 7p-1", "inverse 11p-5 0 0 1"]


def single(*lines: str, lower: Number = -2, upper: Number = 2) -> str:
    """One equation for x, which is input 0."""
    return problem([("x", lower, upper)], [], [tape(1, *lines)], ["F 0 1 v0"])


def tree_of(text: str, zeros: Sequence[str], depth: int = 24, scope: str = "F") -> list[str]:
    """A tree by halving: known, or refuted by the range of a row."""
    parsed = parse_problem(text.encode())
    families = tuple(range(len(parsed.families)))
    boxes = parse_certificate(certificate(text, zeros=len(zeros) // 2, isolated=zeros, tree=["open"]).encode())
    variables = len(Scope(parsed, families, 128).variables)
    known = tuple(zero.box for zero in boxes.isolated)
    proof = Proof(parsed, families, 128, Question(Fraction(0), zeros=known), Scope(parsed, families, 128).box)

    def grow(box: Box, left: int) -> list[str]:
        for number in range(len(known)):
            if refusal(proof, proof.root, box, Known(number)) is None:
                return [f"known {number}"]
        for family in families:
            if refusal(proof, proof.root, box, Evaluate(family, 0)) is None:
                return [f"evaluate {family} 0"]
        assert left, box
        widest = max(range(variables), key=lambda v: box[v][1] - box[v][0])
        lower, upper = box[widest]
        at = (lower + upper) / 2
        parts = proof.split(box, widest, at)
        line = f"split {widest} {at.numerator}p-{at.denominator.bit_length() - 1}".replace("p-0", "")
        return [line, *grow(parts[0], left - 1), *grow(parts[1], left - 1)]

    return grow(proof.root.box, depth)


def zeros(
    text: str,
    isolated: Sequence[str],
    lines: Sequence[str] | None = None,
    count: Number | None = None,
    scope: str = "F",
) -> tuple[str, str]:
    number = len(isolated) // 2 if count is None else count
    return text, certificate(
        text, scope=scope, zeros=number, isolated=isolated, tree=["open"] if lines is None else lines
    )


def hull(text: str, within: Number, ends: Sequence[str], lines: Sequence[str], scope: str = "F") -> tuple[str, str]:
    return text, certificate(text, scope=scope, within=within, hull=ends, tree=lines)


LINE_HULLED = hull(LINE, "3/10", LINE_HULL, LINE_TREE)
CROSS_HULLED = hull(CROSS, 0, CROSS_HULL, CROSS_TREE, "F G")
ROOTS_COUNTED = zeros(ROOTS, ROOTS_ISOLATED, ROOTS_TREE)
CIRCLE_COUNTED = zeros(CIRCLE, CIRCLE_ISOLATED, tree_of(CIRCLE, CIRCLE_ISOLATED), scope="F G")
IDENTITY = single("const 1", "sub 0 1")
NOTHING = single("sqr 0", "const 1", "add 1 2")

VALID = {
    "within, measurements": LINE_HULLED,
    "within, two rows and measurements": CROSS_HULLED,
    "within, everything": hull(LINE, "3/10", ["-1 1"], ["open"]),
    "within, nothing left": hull(LINE, "1/10", ["0 0"], ["aggregate q0.0+1 q0.1-1"]),
    "within, prepared": hull(LINE, "3/10", LINE_HULL, ["prepare 2", *LINE_TREE]),
    "within 0 at one point": hull(
        LINE.replace("1/2 3/5", "1/10 1/10"),
        0,
        ["3/32 13/128"],
        ["split 0 3p-5", "evaluate 0 1", "split 0 13p-7", "open", "evaluate 0 0"],
    ),
    "two roots": ROOTS_COUNTED,
    "circle and line": CIRCLE_COUNTED,
    "sine and line": zeros(SINE, SINE_ISOLATED, tree_of(SINE, SINE_ISOLATED), scope="F G"),
    "two families": zeros(PAIR, PAIR_ISOLATED, tree_of(PAIR, PAIR_ISOLATED), scope="F G"),
    "one family of the two": zeros(
        PAIR, ROOTS_ISOLATED[2:], ["split 0 5p-2", "evaluate 0 0", "split 0 3p-1", "known 0", "evaluate 0 0"]
    ),
    "no zeros": zeros(NOTHING, [], ["evaluate 0 0"]),
    "a box beyond the bounds": zeros(
        single("const 1", "sub 0 1", lower=1, upper=2), ["zero 0 3", "inverse 1"], ["known 0"]
    ),
    "a zero on the boundary, exactly": zeros(
        single("const 1", "sub 0 1", lower=0, upper=1), ["zero 0 2", "inverse 1"], ["known 0"]
    ),
    "a fixed variable": zeros(single("const 1", "sub 0 1", lower=1, upper=1), ["zero 0 2", "inverse 1"], ["known 0"]),
    "a poor inverse": zeros(ROOTS, [*ROOTS_ISOLATED[:3], "inverse 11p-20"], ROOTS_TREE),
    "a variable bound to two inputs": zeros(
        problem([("x", -2, 2)], [], [tape(2, "mul 0 1", "const 2", "sub 2 3")], ["F 0 1 v0 v0"]),
        ROOTS_ISOLATED,
        ROOTS_TREE,
    ),
    "a root of pi": zeros(
        single("sqr 0", "pi", "sub 1 2", lower=0),
        ["zero 3p-1 2", "inverse 9p-5"],
        ["split 0 3p-1", "evaluate 0 0", "known 0"],
    ),
    "a square root": zeros(
        single("sqrt 0", "const 1", "sub 1 2", lower=0, upper=3),
        ["zero 1p-1 3p-1", "inverse 2"],
        ["split 0 1p-1", "evaluate 0 0", "split 0 3p-1", "known 0", "evaluate 0 0"],
    ),
}


def change(base: tuple[str, str], old: str, new: str) -> tuple[str, str]:
    """A certificate with one text replaced once."""
    assert old in base[1], old
    return base[0], base[1].replace(old, new, 1)


def of_roots(old: str, new: str) -> tuple[str, str]:
    return change(ROOTS_COUNTED, old, new)


def of_circle(old: str, new: str) -> tuple[str, str]:
    return change(CIRCLE_COUNTED, old, new)


def alone(text: str, box: str, inverse: str, scope: str = "F") -> tuple[str, str]:
    """One zero; the tree is never reached."""
    return zeros(text, [f"zero {box}", f"inverse {inverse}"], scope=scope)


ONE = "lower none\nupper none\nwithin none\nvolume none\nzeros none\nminimum none\n"
CLAIMS = {
    "all none": ("lower none upper none within none zeros none", "line 13: claim: one of the five is claimed"),
    "within and zeros": ("lower none upper none within 1 zeros 1", "line 13: claim: one of the five is claimed"),
    "within and zeros 0": ("lower none upper none within 0 zeros 0", "claim: one of the five is claimed"),
    "within and lower": ("lower 1 upper none within 1 zeros none", "claim: one of the five is claimed"),
    "within and lower 0": ("lower 0 upper none within 1 zeros none", "claim: one of the five is claimed"),
    "within and upper": ("lower none upper 1 within 1 zeros none", "claim: one of the five is claimed"),
    "within and both": ("lower 0 upper 1 within 1 zeros none", "claim: one of the five is claimed"),
    "zeros and lower": ("lower 1 upper none within none zeros 1", "claim: one of the five is claimed"),
    "zeros and upper": ("lower none upper 1 within none zeros 1", "claim: one of the five is claimed"),
    "zeros 0 and both": ("lower 0 upper 1 within none zeros 0", "claim: one of the five is claimed"),
    "all four": ("lower 0 upper 1 within 1 zeros 1", "claim: one of the five is claimed"),
    "within negative": ("lower none upper none within -1 zeros none", "line 10: claim: '-"),
    "within a decimal": ("lower none upper none within 0.1 zeros none", "line 10: number"),
    "within a dyadic": ("lower none upper none within 1p-1 zeros none", "line 10: number"),
    "within of two": ("lower none upper none within 1,1 zeros none", "line 10: text: 'within' takes 1"),
    "zeros negative": ("lower none upper none within none zeros -1", "line 12: number"),
    "zeros a fraction": ("lower none upper none within none zeros 1/2", "line 12: number"),
    "zeros of a leading zero": ("lower none upper none within none zeros 02", "line 12: number"),
    "zeros of two": ("lower none upper none within none zeros 2,2", "line 12: text: 'zeros' takes 1"),
    "zeros in capitals": ("lower none upper none within none zeros NONE", "line 12: number"),
    "zeros infinite": ("lower none upper none within none zeros inf", "line 12: number"),
    "too many zeros": ("lower none upper none within none zeros 100001", "line 12: claim: more than 100000"),
    "a huge number of zeros": (
        "lower none upper none within none zeros 9" + "9" * 1999,
        "line 12: claim: more than 100000",
    ),
    "within missing": ("lower none upper none zeros 1", "line 10: text: a line 'within'"),
    "zeros missing": ("lower none upper none within 1", "line 12: text: a line 'zeros'"),
    "zeros before within": ("lower none upper none zeros 1 within none", "line 10: text: a line 'within'"),
    "within before upper": ("lower none within 1 upper none zeros none", "line 9: text: a line 'upper'"),
    "zeros twice": (
        "lower none upper none within none zeros 1 zeros 1",
        "line 13: text: a line 'minimum' was expected",
    ),
    "within twice": ("lower none upper none within 1 within 1 zeros none", "line 12: text: a line 'zeros'"),
}


def claims(words: str) -> tuple[str, str]:
    """A certificate whose header says this, with every block that there is."""
    parts = re.sub("(within [^ ]*)", "\\1 volume none", words, count=1).split(" ")
    lines = "".join(f"{word} {value}\n".replace(",", " ") for word, value in zip(parts[::2], parts[1::2], strict=True))
    lines += "" if "minimum" in parts else "minimum none\n"
    blocks = "witness\nvalues 1/2\nhull\n0 1\nisolated\nzero 0 1\ninverse 1\n"
    return LINE, certificate(LINE, tree=["open"]).replace(ONE, lines + blocks)


AT_A_POINT = {
    f"at the point {value}, {name}": (
        (base[0], base[1].replace("\nbox\n", f"\npoint {value}\n")),
        "claim: within, zeros and minimum are claimed about the box",
    )
    for name, base in (("within", LINE_HULLED), ("zeros", ROOTS_COUNTED))
    for value in ("0", "1/3", "-1", "1", "0 0", "7")
}

HULL_BLOCK = {
    "no lines": (change(LINE_HULLED, "3/16 27/64\n", ""), "certificate: hull: 1 values or pairs of ends"),
    "two lines": (change(LINE_HULLED, "3/16 27/64\n", "3/16 27/64\n3/16 27/64\n"), "hull: 1 values or pairs of ends"),
    "one line of two": (change(CROSS_HULLED, "-1/8 1/16\n", ""), "hull: 2 values or pairs of ends"),
    "three lines of two": (change(CROSS_HULLED, "hull\n", "hull\n0 1\n"), "hull: 2 values or pairs of ends"),
    "lines of variables out of the scope": (hull(PAIR, 9, ["0 2", "0 4"], ["open"]), "hull: 1 values or pairs of ends"),
    "missing": (change(LINE_HULLED, "hull\n3/16 27/64\n", ""), "line 14: text: 'hull' was expected"),
    "without its word": (change(LINE_HULLED, "hull\n", ""), "line 14: text: 'hull' was expected"),
    "twice": (change(LINE_HULLED, "hull\n3/16 27/64\n", "hull\n3/16 27/64\n" * 2), "line 16: number: 'hull' is not"),
    "after the tree": (
        change(change(LINE_HULLED, "hull\n3/16 27/64\n", ""), "\nend", "\nhull\n3/16 27/64\nend"),
        "line 14: text: 'hull'",
    ),
    "of a lower end": (
        (LINE, certificate(LINE, lower="1/10", hull=["0 1"], tree=["open"])),
        "line 14: text: 'tree' was expected",
    ),
    "of an upper end": (
        (LINE, certificate(LINE, upper=1, witness=["values 1/2", "column m 0 0"], hull=["0 1"])),
        "line 17: text: 'end' was expected",
    ),
    "of zeros": (
        change(ROOTS_COUNTED, "isolated\n", "hull\n0 1\nisolated\n"),
        "line 14: text: 'isolated' was expected",
    ),
    "without a tree": ((LINE, certificate(LINE, within="3/10", hull=LINE_HULL)), "line 16: number: 'end' is not"),
    "without end": (
        change(LINE_HULLED, LINE_HULLED[1][LINE_HULLED[1].index("tree") :], ""),
        "line 16: text: the file ends too early",
    ),
    "ends exchanged": (change(LINE_HULLED, "3/16 27/64", "27/64 3/16"), "line 15: hull: a lower end and an upper end"),
    "one end": (change(LINE_HULLED, "3/16 27/64", "3/16"), "line 15: hull: a lower end and an upper end"),
    "three ends": (
        change(LINE_HULLED, "3/16 27/64", "3/16 27/64 27/64"),
        "line 15: hull: a lower end and an upper end",
    ),
    "a name": (change(LINE_HULLED, "3/16 27/64", "x 3/16 27/64"), "line 15: number: 'x' is not"),
    "a decimal": (change(LINE_HULLED, "3/16", "0.1875"), "line 15: number"),
    "a dyadic": (change(LINE_HULLED, "3/16", "3p-4"), "line 15: number"),
    "not in lowest terms": (change(LINE_HULLED, "3/16", "6/32"), "line 15: number"),
    "a negative zero": (change(LINE_HULLED, "3/16", "-0"), "line 15: number"),
    "infinite": (change(LINE_HULLED, "27/64", "inf"), "line 15: number"),
    "none": (change(LINE_HULLED, "3/16 27/64", "none none"), "line 15: number"),
}

HULL_BOUNDS = {
    f"hull {ends}, out of bounds {number}": (
        hull(*base, lines, ["open"], scope),
        f"certificate: hull: the value or an end of variable {number}",
    )
    for base, scope, number, cases in (
        (
            (LINE, "3/10"),
            "F",
            0,
            ["-2 1", "-1 2", "-2 2", "-1000001/1000000 1", "-1 1000001/1000000", "-2 -2", "3/2 3/2", "-1 1" + "0" * 20],
        ),
        ((CROSS, 0), "F G", 0, ["-2 1", "-1 2"]),
        ((CROSS, 0), "F G", 1, ["-2 1", "-1 2", "-3 -2", "2 3"]),
    )
    for ends in cases
    for lines in [[ends] if scope == "F" else [ends, "0 1"][:: 1 - 2 * number]]
}

HULL_SHORT = {
    f"open beyond {ends[0]} {ends[-1]}": (
        hull(*base, ends, lines, scope),
        f"node {node} (line {len(ends) + 16 + node}): open: the box is not within",
    )
    for base, scope, lines, node, cases in (
        ((LINE, "3/10"), "F", LINE_TREE, 3, [["1/5 2/5"], ["3/16 2/5"], ["1/5 27/64"], ["0 1/10"], ["3/16 13/32"]]),
        (
            (LINE, "3/10"),
            "F",
            LINE_TREE,
            3,
            [["1875000001/10000000000 27/64"], ["3/16 421874999/1000000000"], ["3/16 3/16"], ["-1 0"], ["1/2 1"]],
        ),
        (
            (CROSS, 0),
            "F G",
            CROSS_TREE,
            6,
            [
                ["0 1/8", "-1/8 1/16"],
                ["-1/64 1/10", "-1/8 1/16"],
                ["-1/64 1/8", "-1/10 1/16"],
                ["-1/64 1/8", "-1/8 1/20"],
            ],
        ),
        ((CROSS, 0), "F G", CROSS_TREE, 6, [["-1/8 1/16", "-1/64 1/8"], ["-1 1", "0 0"], ["0 0", "-1 1"]]),
        ((LINE, "3/10"), "F", ["open"], 0, [["-1 999/1000"], ["-999/1000 1"], ["0 0"]]),
    )
    for ends in cases
}

OPEN = {
    "of a lower end": (
        (LINE, certificate(LINE, lower="3/10", tree=LINE_TREE)),
        "node 3 (line 18): open: there is no hull",
    ),
    "of both ends": (
        (LINE, certificate(LINE, lower="1/10", upper=1, witness=["values 1/2", "column m 0 0"], tree=["open"])),
        "node 0 (line 18): open: there is no hull",
    ),
    "at a point": (
        (LINE, certificate(LINE, lower="3/10", point="point 3/10", tree=["open"])),
        "open: there is no hull",
    ),
    "of zeros": (zeros(ROOTS, ROOTS_ISOLATED, ["open"]), "node 0 (line 20): open: there is no hull"),
    "around a zero": (of_roots("known 0", "open"), "node 3 (line 23): open: there is no hull"),
    "around no zero": (of_roots("evaluate 0 0", "open"), "node 1 (line 21): open: there is no hull"),
    "of no zeros": (zeros(NOTHING, [], ["open"]), "node 0 (line 16): open: there is no hull"),
    "of a circle": (of_circle("known 1", "open"), "open: there is no hull"),
    "with a number": (change(LINE_HULLED, "open", "open 0"), "node 3 (line 20): tree: 'open 0' is no node"),
    "with a hull": (change(LINE_HULLED, "open", "open 3/16 27/64"), "is no node"),
    "in capitals": (change(LINE_HULLED, "open", "Open"), "is no node"),
    "with a child": (change(LINE_HULLED, "open", "open\nevaluate 0 0"), "'end' was expected"),
    "prepared, of a lower end": (
        (LINE, certificate(LINE, lower="3/10", tree=["prepare 1", "open"])),
        "open: there is no hull",
    ),
}

LEVEL = {
    "within: a larger claim": (
        change(LINE_HULLED, "within 3/10", "within 2/5"),
        "node 1 (line 18): evaluate: the row may reach [-level, level]",
    ),
    "within: a little larger": (change(LINE_HULLED, "within 3/10", "within 161/500"), "evaluate: the row may reach"),
    "within: infinite": (change(LINE_HULLED, "within 3/10", "within 1" + "0" * 300), "evaluate: the row may reach"),
    "within: at equality": (
        change(LINE_HULLED, "within 3/10", "within 5/16"),
        "node 1 (line 18): evaluate: the row may reach",
    ),
    "within: two rows, larger": (
        change(CROSS_HULLED, "within 0", "within 1/64"),
        "node 1 (line 19): aggregate: the weighted sum is not proved",
    ),
    "within: another row": (change(LINE_HULLED, "evaluate 0 1", "evaluate 0 0"), "evaluate: the row may reach"),
    "within: no such row": (change(LINE_HULLED, "evaluate 0 1", "evaluate 0 2"), "evaluate: there is no row 0.2"),
    "within: a side flipped": (
        change(CROSS_HULLED, "q0.0-1 q1.0-1", "q0.0+1 q1.0-1"),
        "aggregate: the weighted sum is not proved",
    ),
    "within: a row left out": (
        change(CROSS_HULLED, "q0.0-1 q1.0-1", "q1.0-1"),
        "aggregate: the weighted sum is not proved",
    ),
    "within: open and refuted exchanged": (
        change(change(LINE_HULLED, "open\nevaluate 0 0", "evaluate 0 0\nopen"), "27p-6", "3p-3"),
        "evaluate: the row may reach",
    ),
    "within: a cut inwards": (
        change(LINE_HULLED, "split 0 3p-4", "split 0 1p-2"),
        "node 1 (line 18): evaluate: the row may reach",
    ),
    "within: a child missing": (change(LINE_HULLED, "open\nevaluate 0 0\n", "open\n"), "tree: a child is missing"),
    "within: no tree": (hull(LINE, "3/10", LINE_HULL, ["prepare 1"]), "tree: a child is missing"),
    "zeros: a refutation of a zero": (
        of_roots("known 0", "evaluate 0 0"),
        "node 3 (line 23): evaluate: the row may reach [-level, level]",
    ),
    "zeros: a refutation of the other": (of_roots("known 1", "evaluate 0 0"), "evaluate: the row may reach"),
    "zeros: an aggregate of a zero": (
        of_roots("known 0", "aggregate q0.0+1"),
        "node 3 (line 23): aggregate: the weighted sum is not proved",
    ),
    "zeros: the other side": (of_roots("known 0", "aggregate q0.0-1"), "aggregate: the weighted sum is not proved"),
    "zeros: one left out": (
        zeros(ROOTS, ROOTS_ISOLATED[2:], [x.replace("known 0", "evaluate 0 0") for x in ROOTS_TREE]),
        "node 3 (line 21): evaluate",
    ),
    "zeros: none": (zeros(ROOTS, [], ["evaluate 0 0"]), "node 0 (line 16): evaluate: the row may reach"),
    "zeros: a child missing": (of_roots("known 1\nevaluate 0 0\n", "known 1\n"), "tree: a child is missing"),
    "zeros: a row undefined somewhere": (
        zeros(single("const 1", "div 1 0", "sub 2 1"), [], ["evaluate 0 0"]),
        "evaluate: the row may reach",
    ),
    "zeros: finer than the grid": (
        zeros(
            single("neg 0"),
            ["zero -1p-200 1p-200", "inverse -1"],
            ["split 0 -1p-200", "evaluate 0 0", "split 0 1p-200", "known 0", "evaluate 0 0"],
        ),
        "node 1 (line 19): evaluate: the row may reach",
    ),
    "zeros: a double zero": (
        zeros(single("sqr 0"), [], ["split 0 0", "evaluate 0 0", "evaluate 0 0"]),
        "evaluate: the row may reach",
    ),
    "zeros: a zero on the boundary": (
        zeros(single("sqr 0", lower=0), [], ["evaluate 0 0"]),
        "evaluate: the row may reach",
    ),
}

LINEAR = tape(2, "sub 0 1")


def negatives(count: int) -> tuple[str, str]:
    """-x_i = 0 in so many families."""
    numbers = range(count)
    text = problem([(f"x{i}", 0, 1) for i in numbers], [], [tape(1, "neg 0")], [f"F{i} 0 1 v{i}" for i in numbers])
    return zeros(text, [], ["evaluate 0 0"], scope=" ".join(f"F{i}" for i in numbers))


NOT_SQUARE = {
    "zeros of conditions only": (
        zeros(LINE, ["zero 0 1", "inverse 1"]),
        "line 12: zeros: there are '0' rows without measurements for 1",
    ),
    "zeros with exact measurements": (
        zeros(problem([("x", 0, 1)], [("m", [("1/2", "1/2")])], [LINEAR], ["F 0 1 v0 c0"]), ["zero 0 1", "inverse 1"]),
        "line 12: zeros: there are '0' rows without measurements for 1",
    ),
    "zeros with a condition in place of an equation": (
        zeros(
            problem([("x", 0, 1), ("y", 0, 1)], [("m", [(0, 0)])], [LINEAR], ["F 0 1 v0 v1", "G 0 1 v0 c0"]),
            ["zero 0 1 0 1", "inverse 1 0 0 1"],
            scope="F G",
        ),
        "zeros: there are '1' rows without measurements for 2",
    ),
    "zeros of columns only": (
        zeros(problem([("x", 0, 1)], [("m", [(0, 0)])], [LINEAR], ["F 0 1 c0 c0"]), [], ["evaluate 0 0"]),
        "zeros: there are '0' rows without measurements for 0",
    ),
    "no zeros with a column": (
        zeros(LINE, [], ["aggregate q0.0+1 q0.1-1"]),
        "zeros: there are '0' rows without measurements for 1",
    ),
    "two variables in one row": (
        alone(CIRCLE, "0 1 0 1", "1 0 0 1"),
        "line 12: zeros: there are '1' rows without measurements for 2",
    ),
    "two variables in the second row": (alone(CIRCLE, "0 1 0 1", "1 0 0 1", "G"), "rows without measurements for"),
    "two rows of one variable": (
        alone(ROOTS.replace("F 0 1", "F 0 2"), "5p-2 3p-1", "11p-5"),
        "rows without measurements for",
    ),
    "a huge number of rows": (
        alone(ROOTS.replace("F 0 1", "F 0 1000000"), "5p-2 3p-1", "11p-5"),
        "rows without measurements for",
    ),
    "two families of one variable": (
        alone(problem([("x", -2, 2)], [], [SQUARE], ["F 0 1 v0", "G 0 1 v0"]), "5p-2 3p-1", "11p-5", "F G"),
        "rows without measurements for",
    ),
    "no variables": (
        zeros(problem([("x", 0, 1)], [], [tape(0, "const 0")], ["F 0 1"]), [], ["evaluate 0 0"]),
        "'1' rows without measurements for 0",
    ),
    "no variables, no zeros": (
        zeros(problem([("x", 0, 1)], [], [tape(0, "const 1")], ["F 0 1"]), [], ["evaluate 0 0"]),
        "zeros: there are '1' rows without measurements for 0",
    ),
    **{
        f"{count} variables": (negatives(count), f"zeros: {count} variables are more than 64")
        for count in (65, 66, 100)
    },
}

ISOLATED_BLOCK = {
    "missing": (of_roots("isolated\n", ""), "line 14: text: 'isolated' was expected, not 'zero"),
    "nothing": (
        of_roots("\n".join(["isolated", *ROOTS_ISOLATED, ""]), ""),
        "line 14: text: 'isolated' was expected, not 'tree'",
    ),
    "missing for no zeros": (
        (NOTHING, certificate(NOTHING, zeros=0, tree=["evaluate 0 0"])),
        "line 14: text: 'isolated' was expected",
    ),
    "twice": (of_roots("isolated\n", "isolated\nisolated\n"), "line 15: text: a line 'zero'"),
    "one too few": (of_roots("zeros 2", "zeros 3"), "line 19: text: a line 'zero' was expected, not 'tree'"),
    "one too many": (of_roots("zeros 2", "zeros 1"), "line 17: text: 'tree' was expected, not 'zero"),
    "two too many": (of_roots("zeros 2", "zeros 0"), "line 15: text: 'tree' was expected, not 'zero"),
    "far too few": (of_roots("zeros 2", "zeros 100000"), "line 19: text: a line 'zero' was expected"),
    "no inverse": (of_roots("inverse 11p-5\n", ""), "line 18: text: a line 'inverse' was expected, not 'tree'"),
    "no box": (of_roots("zero 5p-2 3p-1\n", ""), "line 17: text: a line 'zero' was expected, not 'inverse'"),
    "the inverse first": (
        of_roots("zero -3p-1 -5p-2\ninverse -11p-5", "inverse -11p-5\nzero -3p-1 -5p-2"),
        "line 15: text: a line 'zero'",
    ),
    "of a lower end": (
        (ROOTS, certificate(ROOTS, lower=0, isolated=ROOTS_ISOLATED, tree=ROOTS_TREE)),
        "line 14: text: 'tree' was expected",
    ),
    "of a hull": (
        (ROOTS, certificate(ROOTS, within=0, hull=["-2 2"], isolated=ROOTS_ISOLATED, tree=["open"])),
        "line 16: text: 'tree' was expected, not 'isolated'",
    ),
    "after the tree": (of_roots("\nend", "\nisolated\nend"), "'end' was expected"),
    "without a tree": (
        of_roots("\n".join(["tree", *ROOTS_TREE, ""]), ""),
        "line 19: text: 'tree' was expected, not 'end'",
    ),
    "zeros in capitals": (of_roots("zero 5p-2", "ZERO 5p-2"), "line 17: text: a line 'zero'"),
}

SIZES = {
    **{
        f"zero {ends}": (of_roots("zero 5p-2 3p-1", f"zero {ends}".rstrip()), f"line {reason}")
        for ends, reason in (
            ("", "18: zero: 0 ends and 1 entries are not 2 n and n * n"),
            ("5p-2", "18: zero: 1 ends and 1 entries are not 2 n and n * n"),
            ("5p-2 3p-1 3p-1", "18: zero: 3 ends and 1 entries are not 2 n and n * n"),
            ("5p-2 3p-1 5p-2 3p-1", "18: zero: 4 ends and 1 entries are not 2 n and n * n"),
            ("3p-1 5p-2", "18: zero: a lower end is not below its upper end"),
            ("3p-1 3p-1", "18: zero: a lower end is not below its upper end"),
            ("6p-2 3p-1", "18: zero: a lower end is not below its upper end"),
            ("5/4 3p-1", "17: number: '5/4' is not a dyadic number"),
            ("1.25 3p-1", "17: number"),
            ("5p-2 inf", "17: number"),
            ("-0 3p-1", "17: number: '-0' is not a dyadic number"),
            ("5p-2 3p4097", "17: number: exponent 4097"),
            ("5p-2 3p-01", "17: number"),
            ("+5p-2 3p-1", "17: number"),
        )
    },
    **{
        f"inverse {entries}": (of_roots("inverse 11p-5", f"inverse {entries}".rstrip()), f"line 18: {reason}")
        for entries, reason in (
            ("", "zero: "),
            ("11p-5 0", "zero: "),
            ("11p-5 0 0 1", "zero: "),
            ("1/3", "number: '1/3' is not a dyadic number"),
            ("0.3", "number"),
            ("nan", "number"),
            ("-0", "number"),
            ("1p-9999", "number: exponent -9999"),
            ("1p", "number"),
            ("11p-5:0", "number"),
        )
    },
    "two inverses of three": (
        of_circle("inverse 1p-4 1p-1 1p-4 -1p-1", "inverse 1p-4 1p-1 1p-4"),
        "line 16: zero: 4 ends and 3 entries",
    ),
    "a box of one variable": (
        of_circle("zero 15p-2 17p-2 11p-2 13p-2", "zero 15p-2 17p-2"),
        "line 16: zero: 2 ends and 4 entries",
    ),
    "a box flat in the second variable": (of_circle("11p-2 13p-2", "3 3"), "line 16: zero: a lower end is not below"),
}

INSIDE = "the operator does not lie in the interior of the box in variable"
TWICE = problem([("x", -6, 6), ("y", -6, 6)], [], CIRCLE_TAPES, ["F 1 2 v0 v1"])
UNUSED = problem(
    [("x", -2, 2), ("y", -2, 2)], [], [tape(2, "sqr 0", "const 2", "sub 2 3")], ["F 0 1 v0 v1", "G 0 1 v0 v1"]
)
INTERIOR = {
    name: (forged, f"zero 0: zero: {INSIDE} {variable}")
    for name, forged, line, variable in (
        ("the zero is below", alone(ROOTS, "23p-4 3p-1", "11p-5"), 12, 0),
        ("the zero is above", alone(ROOTS, "5p-2 11p-3", "11p-5"), 12, 0),
        ("no zero", alone(ROOTS, "1p-1 1", "5p-3"), 12, 0),
        ("no zero at all", alone(NOTHING, "1 2", "1p-2"), 12, 0),
        ("two zeros", alone(ROOTS, "-3p-1 3p-1", "11p-5"), 12, 0),
        ("two zeros, all of it", alone(ROOTS, "-4 4", "1"), 12, 0),
        ("a double zero", alone(single("sqr 0"), "-1 1", "1p-1"), 12, 0),
        ("a double zero, close by", alone(single("sqr 0"), "-1p-20 1p-20", "1p18"), 12, 0),
        ("nearly a zero", alone(single("sqr 0", "const 1/1000000", "add 1 2"), "-1p-6 1p-6", "1p4"), 12, 0),
        ("inverse 0", alone(ROOTS, "5p-2 3p-1", "0"), 12, 0),
        ("inverse too large", alone(ROOTS, "5p-2 3p-1", "11p-1"), 12, 0),
        ("inverse of the other sign", alone(ROOTS, "5p-2 3p-1", "-11p-5"), 12, 0),
        ("touching the upper end", alone(IDENTITY, "0 1", "1"), 12, 0),
        ("touching the lower end", alone(IDENTITY, "1 2", "1"), 12, 0),
        ("a constant row", alone(single("sub 0 0"), "-1 1", "1"), 12, 0),
        (
            "finer than the grid",
            alone(ROOTS, "5p-2 5000000000000000000000000000000000000000000001p-150", "11p-5"),
            12,
            0,
        ),
        ("the same row twice", alone(TWICE, "15p-2 17p-2 11p-2 13p-2", "1p-4 1p-1 1p-4 -1p-1"), 12, 0),
        ("an unused variable", alone(UNUSED, "5p-2 3p-1 -1 1", "11p-5 0 0 1", "F G"), 12, 1),
        (
            "rows of the inverse exchanged",
            alone(CIRCLE, "15p-2 17p-2 11p-2 13p-2", "1p-4 -1p-1 1p-4 1p-1", "F G"),
            12,
            0,
        ),
        (
            "columns of the inverse exchanged",
            alone(CIRCLE, "15p-2 17p-2 11p-2 13p-2", "1p-1 1p-4 -1p-1 1p-4", "F G"),
            12,
            0,
        ),
        ("the inverse transposed", alone(CIRCLE, "15p-2 17p-2 11p-2 13p-2", "1p-4 1p-4 1p-1 -1p-1", "F G"), 12, 1),
        ("variables exchanged", alone(CIRCLE, "11p-2 13p-2 15p-2 17p-2", "1p-4 1p-1 1p-4 -1p-1", "F G"), 12, 0),
        ("families exchanged", alone(PAIR, "5p-2 3p-1 5p-1 7p-1", "0 11p-5 1 0", "F G"), 12, 0),
        ("one entry left out", alone(CIRCLE, "15p-2 17p-2 11p-2 13p-2", "1p-4 1p-1 1p-4 0", "F G"), 12, 1),
        ("in the second variable only", alone(PAIR, "5p-2 3p-1 3 4", "11p-5 0 0 1", "F G"), 12, 1),
    )
}

SMOOTH = {
    name: (forged, f"zero 0: enclosure: {reason}")
    for name, forged, reason in (
        ("a pole in the box", alone(single("const 1", "div 1 0", "sub 2 1"), "-1 3", "-1"), "a divisor contains 0"),
        ("a pole at its end", alone(single("const 1", "div 1 0", "sub 2 1"), "0 3p-1", "-1"), "a divisor contains 0"),
        ("a pole at its centre", alone(single("const 1", "div 1 0", "sub 2 1"), "-1 1", "-1"), "a divisor contains 0"),
        (
            "a pole beyond the bounds",
            alone(single("const 1", "div 1 0", "sub 2 1", lower="1/2"), "-1p-3 2", "-1"),
            "a divisor contains 0",
        ),
        (
            "a pole of a dead node",
            alone(single("const 1", "div 1 0", "sub 0 1"), "-1p-1 2", "1"),
            "a divisor contains 0",
        ),
        ("a pole in x - x", alone(single("sub 0 0", "div 0 1"), "1 2", "1"), "a divisor contains 0"),
        ("a pole everywhere", alone(single("const 0", "div 0 1"), "-1 1", "1"), "a divisor contains 0"),
        (
            "a root of negative numbers",
            alone(single("sqrt 0", "const 1", "sub 1 2"), "-1 3", "2"),
            "a root reaches below 0",
        ),
        (
            "a root of slightly negative numbers",
            alone(single("sqrt 0", "const 1", "sub 1 2"), "-1p-90 2", "2"),
            "a root reaches below 0",
        ),
        ("a root at 0", alone(single("sqrt 0", "const 1", "sub 1 2"), "0 2", "2"), "a divisor contains 0"),
        ("a root at 0 within", alone(single("sqr 0", "sqrt 1", "sub 2 0"), "-1 1", "1"), "a divisor contains 0"),
        (
            "a root times 0",
            alone(single("sqrt 0", "const 0", "mul 1 2", "add 3 0"), "0 1", "1"),
            "a divisor contains 0",
        ),
        ("a root less itself", alone(single("sqrt 0", "sub 1 1", "add 2 0"), "0 1", "1"), "a divisor contains 0"),
        (
            "a root of a dead node",
            alone(single("neg 0", "sqrt 1", "add 0 0"), "-1 1", "1p-1"),
            "a root reaches below 0",
        ),
        (
            "a root of a dead constant",
            alone(single("const -1", "sqrt 1", "add 0 0"), "-1 1", "1p-1"),
            "a root reaches below 0",
        ),
        ("numbers too large", alone(single("sqr 0"), "1p4096 3p4096", "1"), "a number is too large"),
        (
            "a box too large",
            alone(single("neg 0"), "-" + "9" * 1900 + "p1880 " + "9" * 1900 + "p1880", "1"),
            "a number is too large",
        ),
        ("an inverse too large", alone(ROOTS, "1 2", "9" * 1900 + "p1880"), "a number is too large"),
    )
}

TWO_LINEAR = [tape(1, "const 1", "sub 0 1"), tape(1, "const 3", "mul 0 1", "const 1", "sub 2 3")]


def linear(x: tuple[Number, Number], y: tuple[Number, Number]) -> str:
    """x = 1 and 3 y = 1."""
    return problem([("x", *x), ("y", *y)], [], TWO_LINEAR, ["F 0 1 v0", "G 1 1 v1"])


OUT = "it may be out of the bounds of variable"
BOUNDS = {
    name: (forged, f"zero 0: zero: {OUT} {variable}")
    for name, forged, variable in (
        ("above", alone(single(*SQUARE.lines, lower=-2, upper="7/5"), "5p-2 3p-1", "11p-5"), 0),
        ("below", alone(single(*SQUARE.lines, lower="3/2", upper=2), "5p-2 3p-1", "11p-5"), 0),
        ("far below", alone(single(*SQUARE.lines, lower=100, upper=200), "5p-2 3p-1", "11p-5"), 0),
        (
            "barely above",
            alone(single(*SQUARE.lines, lower=-2, upper="1414213/1000000"), "46340p-15 46342p-15", "11p-5"),
            0,
        ),
        ("perhaps above", alone(single(*SQUARE.lines, lower=-2, upper="71/50"), "5p-2 3p-1", "11p-5"), 0),
        ("of another zero", alone(single(*SQUARE.lines, lower=0, upper=2), "-3p-1 -5p-2", "-11p-5"), 0),
        ("at the upper bound", alone(single("sqr 0", "const 1", "sub 1 2", lower=0, upper=1), "7p-3 9p-3", "1p-1"), 0),
        ("at the lower bound", alone(single("sqr 0", "const 1", "sub 1 2", lower=1, upper=2), "7p-3 9p-3", "1p-1"), 0),
        ("a fixed variable", alone(single("sqr 0", "const 1", "sub 1 2", lower=1, upper=1), "7p-3 9p-3", "1p-1"), 0),
        ("a fixed variable elsewhere", alone(single("const 1", "sub 0 1", lower=0, upper=0), "-1 2", "1"), 0),
        (
            "at a bound that is no number of the grid",
            alone(linear((0, 2), (0, "1/3")), "0 2 0 1", "1 0 0 1p-2", "F G"),
            1,
        ),
        ("at a lower bound that is none", alone(linear((0, 2), ("1/3", 1)), "0 2 0 1", "1 0 0 1p-2", "F G"), 1),
        ("in the first variable", alone(linear((2, 3), (0, 1)), "0 2 0 1", "1 0 0 1p-2", "F G"), 0),
        ("in the second variable", alone(linear((0, 2), ("1/2", 1)), "0 2 0 1", "1 0 0 1p-2", "F G"), 1),
        ("in the second variable, above", alone(linear((0, 2), (0, "1/4")), "0 2 0 1", "1 0 0 1p-2", "F G"), 1),
    )
}

NEGATIVE, POSITIVE = ROOTS_ISOLATED[:2], ROOTS_ISOLATED[2:]
CIRCLE_FIRST, CIRCLE_SECOND = CIRCLE_ISOLATED[:2], CIRCLE_ISOLATED[2:]
ONCE = ["zero 0 2", "inverse 1"]
SAME = {
    name: (zeros(text, lines, scope=scope), f"zeros: zeros {pair} may be the same")
    for name, text, scope, lines, pair in (
        ("twice", ROOTS, "F", [*POSITIVE, *POSITIVE], "0 and 1"),
        ("twice, the other", ROOTS, "F", [*NEGATIVE, *NEGATIVE], "0 and 1"),
        ("three, the first two", ROOTS, "F", [*POSITIVE, *POSITIVE, *NEGATIVE], "0 and 1"),
        ("three, the last two", ROOTS, "F", [*NEGATIVE, *POSITIVE, *POSITIVE], "1 and 2"),
        ("three, around another", ROOTS, "F", [*POSITIVE, *NEGATIVE, *POSITIVE], "0 and 2"),
        ("another box", ROOTS, "F", [*POSITIVE, "zero 11p-3 3p-1", "inverse 11p-5"], "0 and 1"),
        ("a larger box", ROOTS, "F", ["zero 9p-3 7p-2", "inverse 11p-5", *POSITIVE], "0 and 1"),
        ("another inverse", ROOTS, "F", [*POSITIVE, POSITIVE[0], "inverse 3p-3"], "0 and 1"),
        ("a box in the other", ROOTS, "F", [*NEGATIVE, *POSITIVE, "zero 181p-7 182p-7", "inverse 11p-5"], "1 and 2"),
        ("known exactly", IDENTITY, "F", [*ONCE, *ONCE], "0 and 1"),
        ("known exactly, other boxes", IDENTITY, "F", [*ONCE, "zero 1p-1 3p-1", "inverse 1"], "0 and 1"),
        ("of a circle", CIRCLE, "F G", [*CIRCLE_FIRST, *CIRCLE_SECOND, *CIRCLE_FIRST], "0 and 2"),
        ("of a circle, the second", CIRCLE, "F G", [*CIRCLE_SECOND, *CIRCLE_FIRST, *CIRCLE_SECOND], "0 and 2"),
        ("of a circle, all twice", CIRCLE, "F G", [*CIRCLE_ISOLATED, *CIRCLE_ISOLATED], "1 and 3"),
        ("of a sine", SINE, "F G", [*SINE_ISOLATED, *SINE_ISOLATED[2:4]], "1 and 3"),
    )
}

FLAT = ["split 0 5p-2", "evaluate 0 0", "split 0 3p-1", "known 0", "evaluate 0 0"]
UPRIGHT = ["split 1 5p-1", "evaluate 1 0", "split 1 7p-1", "known 0", "evaluate 1 0"]
OUTSIDE = "known: the box is not within the box of zero"
KNOWN = {
    name: (forged, reason)
    for name, forged, reason in (
        ("the other zero", of_roots("known 0", "known 1"), f"node 3 (line 23): {OUTSIDE} 1"),
        ("the zero before", of_roots("known 1", "known 0"), f"{OUTSIDE} 0"),
        ("no such zero", of_roots("known 1", "known 2"), "known: there is no zero 2"),
        ("a huge number", of_roots("known 1", "known 9" + "9" * 1999), "known: there is no zero 9"),
        ("a negative number", of_roots("known 1", "known -1"), "number: '-1' is not a natural number"),
        ("no number", of_roots("known 1", "known"), "tree: 'known' is no node"),
        ("two numbers", of_roots("known 1", "known 0 1"), "tree: 'known 0 1' is no node"),
        ("in capitals", of_roots("known 1", "Known 1"), "is no node"),
        ("everything", zeros(ROOTS, ROOTS_ISOLATED, ["known 0"]), f"node 0 (line 20): {OUTSIDE} 0"),
        ("a box beyond the lower end", of_roots("split 0 -3p-1", "split 0 -7p-2"), f"{OUTSIDE} 0"),
        (
            "a box barely beyond the upper end",
            of_roots("split 0 -5p-2", f"split 0 -{(5 << 98) - 1}p-100"),
            f"{OUTSIDE} 0",
        ),
        (
            "a box barely beyond the lower end",
            of_roots("split 0 5p-2", f"split 0 {(5 << 98) - 1}p-100"),
            f"{OUTSIDE} 1",
        ),
        ("beyond in the second variable", zeros(PAIR, PAIR_ISOLATED, FLAT, scope="F G"), f"{OUTSIDE} 0"),
        ("beyond in the first variable", zeros(PAIR, PAIR_ISOLATED, UPRIGHT, scope="F G"), f"{OUTSIDE} 0"),
        ("of no zeros", zeros(NOTHING, [], ["known 0"]), "node 0 (line 16): known: there is no zero 0"),
        (
            "of a lower end",
            (LINE, certificate(LINE, lower="1/10", tree=["known 0"])),
            "node 0 (line 15): known: there is no zero 0",
        ),
        ("of a hull", change(LINE_HULLED, "open", "known 0"), "node 3 (line 20): known: there is no zero 0"),
        (
            "at a point",
            (LINE, certificate(LINE, lower="1/10", point="point 0", tree=["known 0"])),
            "known: there is no zero 0",
        ),
        ("after the tree", of_roots("known 1\nevaluate 0 0", "known 1\nevaluate 0 0\nknown 1"), "'end' was expected"),
    )
}

GROUPS: dict[str, dict[str, tuple[tuple[str, str], str]]] = {
    "claims": {name: (claims(words), reason) for name, (words, reason) in CLAIMS.items()},
    "box": AT_A_POINT,
    "hull block": HULL_BLOCK,
    "hull within the bounds": HULL_BOUNDS,
    "open within the hull": HULL_SHORT,
    "open only with a hull": OPEN,
    "refuted at the level": LEVEL,
    "square": NOT_SQUARE,
    "isolated block": ISOLATED_BLOCK,
    "sizes": SIZES,
    "interior": INTERIOR,
    "smooth": SMOOTH,
    "bounds": BOUNDS,
    "different": SAME,
    "known within its box": KNOWN,
}
FORGED = {f"{group}: {name}": case for group, cases in GROUPS.items() for name, case in cases.items()}
NUMBER = re.compile(r"\d+")


def mutate(line: str, rng: random.Random) -> str:
    """One number, one sign, one word changed."""
    words = line.split(" ")
    kind = rng.randrange(4)
    places = list(NUMBER.finditer(line))
    if kind == 0 and places:
        place = rng.choice(places)
        value = int(place[0])
        new = rng.choice((value + 1, max(value - 1, 0), 2 * value, value // 2, rng.randrange(10), 1000 * value))
        return line[: place.start()] + str(new) + line[place.end() :]
    if kind == 1:
        place = rng.randrange(1, len(words) + 1)
        return " ".join([*words[:place], words[rng.randrange(len(words))], *words[place:]])
    if kind == 2 and len(words) > 1:
        place = rng.randrange(1, len(words))
        return " ".join(
            [
                *words[:place],
                words[place].removeprefix("-") if words[place][0] == "-" else "-" + words[place],
                *words[place + 1 :],
            ]
        )
    return rng.choice(
        ("open", "known 0", "known 1", "evaluate 0 0", "evaluate 1 0", "aggregate q0.0+1 q0.1-1", "split 0 0", line)
    )
