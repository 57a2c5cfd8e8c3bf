"""Minima of the sum of squares: valid certificates are VERIFIED, each side condition is violated by forged ones; random quadratics."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import Forgeries, Number, Text, certificate, change, grouped, judge, problem, reject, tape
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checker_taylor import exact_jet
from test_checker_terms import SMOOTH, Singular, random_problem, random_tape, within

from certify.checker import Status
from certify.checker.certificate import Zero, parse_certificate
from certify.checker.interval import Undefined
from certify.checker.minimum import check_minimum, derivatives, positive_definite
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.scope import Scope

seeds = st.integers(0, 10**9)

# x - m, m = 0 and 1: F = 1/2 at 1/2; half its gradient is 2 x - 1
PAIR = problem([("x", -4, 4)], [("m", [(0, 0), (1, 1)])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0"])
PAIR_ISOLATED = ["zero 0 1", "inverse 1p-1"]
PAIR_TREE = ["split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "known 0", "evaluate 0 0"]


def single(*lines: str, lower: Number = -2, upper: Number = 2) -> str:
    return problem([("x", lower, upper)], [], [tape(1, *lines)], ["F 0 1 v0"])


# x^2 - 1: F = 0 at 1 and -1, a maximum at 0; J = 6 x^2 - 2
WELL = single("sqr 0", "const 1", "sub 1 2")
# x^2 - 1 and y: minima at (+-1, 0), a saddle at (0, 0)
SADDLE = problem([("x", -2, 2), ("y", -2, 2)], [], [tape(1, "sqr 0", "const 1", "sub 1 2"), tape(1, "const 0", "add 0 1")], ["F 0 1 v0", "G 1 1 v1"])
# x + y - 1, x - y, x - 2 y: J = [[3, -2], [-2, 6]], f = J x - (1, 1), at (4/7, 5/14), F = 1/14
PLANE = problem(
    [("x", -2, 2), ("y", -2, 2)],
    [("a", [(1, 1), (1, 1), (1, 1)]), ("b", [(1, 1), (-1, -1), (-2, -2)]), ("c", [(1, 1), (0, 0), (0, 0)])],
    [tape(5, "mul 0 2", "mul 1 3", "add 5 6", "sub 7 4")],
    ["F 0 3 v0 v1 c0 c1 c2"],
)
PLANE_ISOLATED = ["zero 1p-1 5p-3 1p-2 1p-1", "inverse 3p-3 1p-3 1p-3 3p-4"]
QUARTIC = single("sqr 0")
# sin x + 2: F is least at -pi/2, where it is 1
SINE = single("sin 0", "const 2", "add 1 2", lower=-3, upper=0)


def least(text: str, claim: str, isolated: Sequence[str], *lines: str, scope: str = "F", norm: str = "squares", point: str = "box") -> Text:
    return text, certificate(text, scope=scope, norm=norm, point=point, minimum=claim, isolated=isolated, tree=lines)


def near(text: str, box: str, inverse: str, value: Number = 100, scope: str = "F") -> Text:
    """A local minimum."""
    return least(text, f"local {value}", [f"zero {box}", f"inverse {inverse}"], scope=scope)


LOCAL = least(PAIR, "local 1/2", PAIR_ISOLATED)
GLOBAL = least(PAIR, "global 99/100", PAIR_ISOLATED, *PAIR_TREE)
WELL_BOX = "3p-2 5p-2"
WELL_TREE = ["split 0 3p-2", "evaluate 0 0", "split 0 5p-2", "known 0", "evaluate 0 0"]

VALID = {
    "local": LOCAL,
    "global": GLOBAL,
    "global, everything known": least(single("const 1", "sub 0 1", lower=0, upper=2), "global 1/2", ["zero -1 3", "inverse 1"], "known 0"),
    "global, prepared": least(PAIR, "global 99/100", PAIR_ISOLATED, "prepare 1", *PAIR_TREE),
    "global, in a frame": least(PAIR, "global 99/100", PAIR_ISOLATED, "frame 0 1", *PAIR_TREE),
    "a plane": near(PLANE, "1p-1 5p-3 1p-2 1p-1", "3p-3 1p-3 1p-3 3p-4", "1/13"),
    "a well, local": near(WELL, WELL_BOX, "1p-2", 1),
    "the other one": near(WELL, "-5p-2 -3p-2", "1p-2", "1/10"),
    "half a well, global": least(single("sqr 0", "const 1", "sub 1 2", lower=0), "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], *WELL_TREE),
    "of a valley": near(SADDLE, "3p-2 5p-2 -1 1", "1p-2 0 0 1", 1, "F G"),
    "a sine": near(SINE, "-7p-2 -11p-3", "1", "11/10"),
    "a box beyond the bounds": near(single("const 1", "sub 0 1", lower=1, upper=1), "0 2", "1", 0),
    "a poor inverse": near(PAIR, "0 1", "1p-9", 1),
    "a variable bound twice": near(problem([("x", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "sub 2 3")], ["F 0 1 v0 v0"]), WELL_BOX, "1p-2", 1),
    "no variables": least(problem([("x", 0, 1)], [], [tape(0, "const 2")], ["F 0 1"]), "local 4", ["zero", "inverse"]),
}


@pytest.mark.parametrize("name", VALID)
def test_valid_minima_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_is_said_in_words() -> None:
    start = "VERIFIED scope F, in the box of 1 variables: zero 0 holds"
    assert judge(*LOCAL).message == f"{start} a strict local minimiser of the sum of all r^2, which there is <= 0.5"
    assert judge(*GLOBAL).message == f"{start} the only global minimiser of the sum of all r^2, which there is <= 0.99"


LINE = {
    line or "nothing": (change(LOCAL, "minimum local 1/2\n", f"{line}\n" if line else ""), reason)
    for line, reason in (
        ("", "line 13: text: a line 'minimum'"),
        ("minimum", "line 13: claim: minimum takes 'none', or 'local' or 'global' and a number"),
        ("minimum none", "line 13: claim: one of the five is claimed"),
        ("minimum local", "line 13: claim: minimum takes"),
        ("minimum global", "line 13: claim: minimum takes"),
        ("minimum 1/2", "line 13: claim: minimum takes"),
        ("minimum local 1/2 1/2", "line 13: claim: minimum takes"),
        ("minimum Local 1/2", "line 13: claim: minimum takes"),
        ("minimum strict 1/2", "line 13: claim: minimum takes"),
        ("minimum none none", "line 13: claim: minimum takes"),
        ("minimum 1/2 local", "line 13: claim: minimum takes"),
        ("minimum none 1/2", "line 13: claim: minimum takes"),
        ("minimum local global 1", "line 13: claim: minimum takes"),
        ("minimum local -1/2", "line 13: claim: "),
        ("minimum global -1", "line 13: claim: "),
        ("minimum local none", "line 13: number"),
        ("minimum local 0.5", "line 13: number"),
        ("minimum local 1p-1", "line 13: number"),
        ("minimum local 2/4", "line 13: number"),
        ("minimum local inf", "line 13: number"),
        ("Minimum local 1/2", "line 13: text: a line 'minimum'"),
        ("minimum local 1/2\nminimum local 1/2", "line 14: text: 'isolated' was expected"),
    )
}
OTHERS = {
    f"{old} {new}, {base[1].split('minimum ')[1].split(' ')[0]}": (change(base, f"{old} none", f"{old} {new}"), "line 13: claim: " + reason)
    for base in (LOCAL, GLOBAL)
    for old, new, reason in (
        ("lower", 0, "one of the five is claimed"),
        ("lower", "1/4", "one of the five is claimed"),
        ("upper", 1, "one of the five is claimed"),
        ("within", 1, "one of the five is claimed"),
        ("zeros", 1, "one of the five is claimed"),
        ("zeros", 0, "one of the five is claimed"),
    )
}
TOGETHER = {
    f"{name}, {lower} and {upper}": (
        (base[0], base[1].replace("lower none\nupper none", f"lower {lower}\nupper {upper}")),
        "line 13: claim: one of the five is claimed",
    )
    for lower, upper in (("0", "1"), ("1/4", "1/2"), ("1/2", "3/4"))
    for name, base in (
        ("local", LOCAL),
        ("global", GLOBAL),
        ("zeros", (PAIR, certificate(PAIR, zeros=1, isolated=PAIR_ISOLATED, tree=["open"]))),
        ("within", (PAIR, certificate(PAIR, within=1, hull=["-4 4"], tree=["open"]))),
        ("within, false", (PAIR, certificate(PAIR, within=0, hull=["-4 4"], tree=["open"]))),
    )
}
# a false lower end beside a true upper end, whose tree is about another level
WITNESS = "witness\nvalues 1/2\ncolumn m 0 0\n"
TOGETHER |= {
    f"a lower end that nothing shows, {name}": (
        (
            PAIR,
            certificate(PAIR, norm=norm, **{key: value}, **blocks)
            .replace("lower none\nupper none", "lower 5/8\nupper 3/4")
            .replace(block, WITNESS + block),
        ),
        "claim: one of the five is claimed",
    )
    for name, norm, key, value, block, blocks in (
        ("within", "largest", "within", 1, "hull\n", {"hull": ["-4 4"], "tree": ["open"]}),
        ("within, squares", "squares", "within", 1, "hull\n", {"hull": ["-4 4"], "tree": ["open"]}),
        ("minimum", "squares", "minimum", "local 1", "isolated\n", {"isolated": PAIR_ISOLATED}),
        ("global", "squares", "minimum", "global 99/100", "isolated\n", {"isolated": PAIR_ISOLATED, "tree": PAIR_TREE}),
        ("zeros", "largest", "zeros", 0, "isolated\n", {"isolated": [], "tree": ["split 0 1p-1", "evaluate 0 1", "evaluate 0 0"]}),
    )
}
BOX = {
    f"{base[1].split('minimum ')[1].split(' ')[0]} at {value}": (
        change(base, "\nbox\n", f"\npoint {value}\n"),
        "claim: within, zeros and minimum are claimed about the box",
    )
    for base in (LOCAL, GLOBAL)
    for value in ("0", "1/2", "1", "-4", "1/3", "7")
}
NORM = {
    f"{name}, {claim}": (
        least(text, f"{claim} 1", isolated, *(["known 0"] if claim == "global" else []), norm="largest"),
        "line 13: claim: zeros need the norm largest, a minimum squares",
    )
    for name, text, isolated in (
        ("a pair", PAIR, PAIR_ISOLATED),
        ("a plane", PLANE, PLANE_ISOLATED),
        ("a well", WELL, [f"zero {WELL_BOX}", "inverse 1p-2"]),
        ("a sine", SINE, ["zero -7p-2 -11p-3", "inverse 1"]),
        ("a quartic", QUARTIC, ["zero -1 1", "inverse 1"]),
    )
    for claim in ("local", "global")
}

PLANE_LOCAL = VALID["a plane"]
SIZES = {
    **{
        f"zero {ends}": (change(LOCAL, "zero 0 1", f"zero {ends}".rstrip()), f"line {reason}")
        for ends, reason in (
            ("", "16: zero: 0 ends and 1 entries are not 2 n and n * n"),
            ("0", "16: zero: 1 ends and 1 entries are not 2 n and n * n"),
            ("0 1 2", "16: zero: 3 ends and 1 entries are not 2 n and n * n"),
            ("0 1 0 1", "16: zero: 4 ends and 1 entries are not 2 n and n * n"),
            ("1 0", "16: zero: a lower end is not below its upper end"),
            ("1p-1 1p-1", "16: zero: a lower end is not below its upper end"),
            ("0 1/2", "15: number"),
        )
    },
    **{
        f"inverse {entries}": (change(LOCAL, "inverse 1p-1", f"inverse {entries}".rstrip()), f"line 16: {reason}")
        for entries, reason in (
            ("", "zero: "),
            ("1 0", "zero: "),
            ("1 0 0 1", "zero: "),
            ("1/2", "number"),
            ("0.5", "number"),
        )
    },
    "three of four": (change(PLANE_LOCAL, "inverse 3p-3 1p-3 1p-3 3p-4", "inverse 3p-3 1p-3 3p-4"), "zero: "),
    "no inverse": (change(LOCAL, "inverse 1p-1\n", ""), "line 16: text: a line 'inverse'"),
    "no box": (change(LOCAL, "zero 0 1\n", ""), "line 15: text: a line 'zero'"),
    "no block": (change(LOCAL, "isolated\nzero 0 1\ninverse 1p-1\n", ""), "line 14: text: 'isolated' was expected"),
    "no word": (change(LOCAL, "isolated\n", ""), "line 14: text: 'isolated' was expected"),
    "two minima": (change(LOCAL, "inverse 1p-1\n", "inverse 1p-1\nzero 0 1\ninverse 1p-1\n"), "line 17: text: 'end' was expected"),
    "two minima, global": (change(GLOBAL, "inverse 1p-1\n", "inverse 1p-1\nzero 0 1\ninverse 1p-1\n"), "line 17: text: 'tree' was expected"),
    "65 variables": (
        near(
            problem([(f"x{i}", 0, 1) for i in range(65)], [], [tape(1, "neg 0")], [f"F{i} 0 1 v{i}" for i in range(65)]),
            " ".join(["-1 1"] * 65),
            " ".join(str(int(i == j)) for i in range(65) for j in range(65)),
            scope=" ".join(f"F{i}" for i in range(65)),
        ),
        "minimum: 65 variables are more than 64",
    ),
}

INSIDE = "the operator does not lie in the interior of the box in variable"
INTERIOR = {
    f"{name}": (forged, f"certificate: zero: {INSIDE} {variable}")
    for name, forged, variable in (
        ("below", near(PAIR, "-1 1p-2", "1p-1"), 0),
        ("above", near(PAIR, "3p-2 2", "1p-1"), 0),
        ("at an end", near(PAIR, "0 1p-1", "1p-1"), 0),
        ("at the other end", near(PAIR, "1p-1 1", "1p-1"), 0),
        ("inverse 0", near(PAIR, "0 1", "0"), 0),
        ("inverse too large", near(PAIR, "0 1", "1"), 0),
        ("inverse of the other sign", near(PAIR, "0 1", "-1p-1"), 0),
        ("two minima", near(WELL, "-2 2", "1p-2"), 0),
        ("a maximum and a minimum", near(WELL, "-1p-1 5p-2", "1p-2"), 0),
        ("a zero of r that is no minimum of it", near(WELL, "-1p-2 1p-2", "1p-2"), 0),
        ("the inverse of the rows, not of their gradient", near(WELL, WELL_BOX, "1p1"), 0),
        ("flat", near(QUARTIC, "-1 1", "1"), 0),
        ("flat, close by", near(QUARTIC, "-1p-20 1p-20", "1p18"), 0),
        ("constant", near(single("sub 0 0"), "-1 1", "1"), 0),
        ("constant, not 0", near(single("sub 0 0", "const 1", "add 1 2"), "-1 1", "1"), 0),
        (
            "an unused variable",
            near(problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "const 0", "add 0 2")], ["F 0 1 v0 v1"]), "-1 1 -1 1", "1 0 0 1"),
            1,
        ),
        ("a line of minima", near(problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"]), "-1 1 -1 1", "1p-1 0 0 1p-1"), 0),
        ("a plane, rows of the inverse exchanged", near(PLANE, "1p-1 5p-3 1p-2 1p-1", "1p-3 3p-4 3p-3 1p-3"), 0),
        ("a plane, variables exchanged", near(PLANE, "1p-2 1p-1 1p-1 5p-3", "3p-3 1p-3 1p-3 3p-4"), 0),
        ("a plane, one entry left out", near(PLANE, "1p-1 5p-3 1p-2 1p-1", "3p-3 1p-3 0 0"), 1),
        ("a sine, its maximum", near(single("sin 0", "const 2", "add 1 2"), "1 7p-2", "1"), 0),
    )
}
OUT = "it may be out of the bounds of variable"
HALF = [tape(1, "const 1/2", "sub 0 1"), tape(1, "const 3", "mul 0 1", "const 1", "sub 2 3")]


def moved(x: tuple[Number, Number], y: tuple[Number, Number]) -> Text:
    """x = 1/2 and 3 y = 1."""
    return near(problem([("x", *x), ("y", *y)], [], HALF, ["F 0 1 v0", "G 1 1 v1"]), "0 1 0 1", "1 0 0 7p-6", scope="F G")


BOUNDS = {
    **{
        f"{lower} to {upper}": (near(PAIR.replace("x mm -4 4", f"x mm {lower} {upper}"), "0 1", "1p-1"), f"certificate: zero: {OUT} 0")
        for lower, upper in (
            (-4, 0),
            (1, 4),
            (-4, "49/100"),
            ("51/100", 4),
            (-4, "4999999999/10000000000"),
            ("5000000001/10000000000", 4),
            (0, 0),
            (100, 200),
        )
    },
    **{
        f"{x}, {y}": (moved(x, y), f"zero: {OUT} {variable}")
        for x, y, variable in (
            ((0, 1), (0, "1/3"), 1),
            ((0, 1), ("1/3", 1), 1),
            ((0, 1), (0, "1/4"), 1),
            ((0, 1), ("1/2", 1), 1),
            ((0, "1/3"), (0, 1), 0),
            ((1, 2), (0, 1), 0),
            ((-2, -1), (5, 6), 0),
        )
    },
}
DEFINITE = "certificate: minimum: the Hessian is not proved to be positive definite"
SHAPE = {
    f"{name}": (forged, DEFINITE)
    for name, forged in (
        ("a maximum", near(WELL, "-1p-3 1p-3", "-1p-1")),
        ("a maximum, wider", near(WELL, "-1p-2 1p-2", "-1p-1")),
        ("a maximum of another inverse", near(WELL, "-1p-3 1p-3", "-3p-3")),
        (
            "a maximum, twice bound",
            near(problem([("x", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "sub 2 3")], ["F 0 1 v0 v0"]), "-1p-3 1p-3", "-1p-1"),
        ),
        ("a saddle", near(SADDLE, "-1p-3 1p-3 -1 1", "-1p-1 0 0 1", scope="F G")),
        (
            "a saddle, the other order",
            near(SADDLE.replace("F 0 1 v0\nG 1 1 v1", "F 1 1 v0\nG 0 1 v1"), "-1 1 -1p-3 1p-3", "1 0 0 -1p-1", scope="F G"),
        ),
        (
            "a product",
            near(
                problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "add 2 3")], ["F 0 1 v0 v1"]),
                "-1p-3 1p-3 -1p-3 1p-3",
                "0 1 1 0",
            ),
        ),
        (
            "a product of the other sign",
            near(
                problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "sub 2 3")], ["F 0 1 v0 v1"]),
                "-1p-3 1p-3 -1p-3 1p-3",
                "0 -1 -1 0",
            ),
        ),
        ("a maximum of a sine", near(single("sin 0", "const 2", "add 1 2"), "3p-1 13p-3", "-1p-2")),
        ("a maximum of a cosine", near(single("cos 0"), "-1p-3 1p-3", "-1")),
        (
            "two maxima",
            near(
                problem([("x", -2, 2), ("y", -2, 2)], [], [tape(1, "sqr 0", "const 1", "sub 1 2")], ["F 0 1 v0", "G 0 1 v1"]),
                "-1p-3 1p-3 -1p-3 1p-3",
                "-1p-1 0 0 -1p-1",
                scope="F G",
            ),
        ),
        (
            "a cubic saddle of three",
            near(
                problem(
                    [(name, -2, 2) for name in "xyz"],
                    [],
                    [tape(1, "sqr 0", "const 1", "sub 1 2"), tape(1, "const 0", "add 0 1")],
                    ["F 1 1 v0", "G 1 1 v1", "H 0 1 v2"],
                ),
                "-1 1 -1 1 -1p-3 1p-3",
                "1 0 0 0 1 0 0 0 -1p-1",
                scope="F G H",
            ),
        ),
    )
}
VALUE = {
    f"{name}, {value}": (change(base, f"local {old}", f"local {value}"), "certificate: minimum: it may exceed the value")
    for name, base, old, values in (
        ("a pair", LOCAL, "1/2", (0, "1/4", "2/5", "499/1000", f"{10**40 - 1}/{2 * 10**40}")),
        ("a plane", PLANE_LOCAL, "1/13", (0, "1/100", "1/15", "17857/250000")),
        ("a third", near(single("const 1/3", "sub 0 1"), "0 1", "1", 1), "1", ("1/36",)),
        ("a sine", VALID["a sine"], "11/10", (0, "1/2", "99/100", "999999/1000000")),
    )
    for value in values
}
POLES = {
    name: (near(text, box, "1p-1"), f"certificate: enclosure: {reason}")
    for name, text, box, reason in (
        ("a pole", single("const 1", "div 1 0"), "-1 2", "a divisor contains 0"),
        ("a pole at an end", single("const 1", "div 1 0"), "0 1", "a divisor contains 0"),
        ("a pole at the centre", single("const 1", "div 1 0"), "-1 1", "a divisor contains 0"),
        ("a pole of a dead node", single("const 1", "div 1 0", "add 0 1"), "-1 2", "a divisor contains 0"),
        ("a root reaching 0", single("sqrt 0"), "0 1", "a divisor contains 0"),
        ("a root below 0", single("sqrt 0"), "-1 2", "a root reaches below 0"),
        ("a root of a square", single("sqr 0", "sqrt 1"), "-1 2", "a divisor contains 0"),
        ("a root less itself", single("sqrt 0", "sub 1 1", "add 2 0"), "0 1", "a divisor contains 0"),
        ("a root of a dead constant", single("const -1", "sqrt 1", "add 0 0"), "-1 1", "a root reaches below 0"),
        ("a distance at its apex", single("sqr 0", "sqrt 1", "const 1", "sub 2 3"), "-1p-1 1", "a divisor contains 0"),
        ("numbers too large", single("sqr 0"), "1p4096 3p4096", "a number is too large"),
        ("a quotient by itself", single("div 0 0"), "-1 2", "a divisor contains 0"),
    )
}
EVERYWHERE = {
    **{
        f"tree of {', '.join(lines) or 'nothing'}": (least(PAIR, "global 99/100", PAIR_ISOLATED, *lines), reason)
        for lines, reason in (
            ((), "line 17: text: 'tree' was expected, not 'end'"),
            (("open",), "open: there is no hull"),
            (("known 0",), "node 0 (line 18): known: the box is not within the box of zero 0"),
            (("known 1",), "known: there is no zero 1"),
            (("evaluate 0 0",), "evaluate: the row may reach"),
            (("split 0 0", "known 0", "known 0"), "node 1 (line 19): known: the box is not within"),
            (("split 0 1p-8", "known 0", "split 0 255p-8", "known 0", "evaluate 0 0"), "node 1 (line 19): known: the box is not within"),
            (("split 0 1p-8", "evaluate 0 1", "known 0"), "node 2 (line 20): known: the box is not within"),
            (("split 0 1p-8", "evaluate 0 1", "split 0 257p-8", "known 0", "evaluate 0 0"), "node 3 (line 21): known: the box is not within"),
            (("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "evaluate 0 0", "evaluate 0 0"), "node 3 (line 21): evaluate: the row may reach"),
            (("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "aggregate q0.0+1 q0.1-1", "evaluate 0 0"), "not proved to be positive"),
            (("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "known 0"), "tree: a child is missing"),
            (("split 0 1p-8", "evaluate 0 0", "split 0 255p-8", "known 0", "evaluate 0 0"), "node 1 (line 19): evaluate: the row may reach"),
            (("hitting 1", "evaluate 0 0"), "hitting: it needs discarded rows"),
            ((*PAIR_TREE, "known 0"), "'end' was expected"),
        )
    },
    "a tree of a local one": (least(PAIR, "local 99/100", PAIR_ISOLATED, *PAIR_TREE), "line 17: text: 'end' was expected, not 'tree'"),
    "one of two": (least(WELL, "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], *WELL_TREE), "node 1 (line 19): evaluate: the row may reach"),
    "the other of two": (
        least(WELL, "global 9/64", ["zero -5p-2 -3p-2", "inverse 1p-2"], "split 0 -5p-2", "evaluate 0 0", "split 0 -3p-2", "known 0", "evaluate 0 0"),
        "node 4 (line 22): evaluate: the row may reach",
    ),
    "both, one of them known twice": (
        least(WELL, "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], "split 0 0", "known 0", *WELL_TREE),
        "node 1 (line 19): known: the box is not within",
    ),
    "a value above the neighbours": (change(GLOBAL, "global 99/100", "global 1"), "node 1 (line 19): evaluate: the row may reach"),
    "a value far above": (change(GLOBAL, "global 99/100", "global 10"), "node 1 (line 19): evaluate: the row may reach"),
    "a value below": (change(GLOBAL, "global 99/100", "global 49/100"), "certificate: minimum: it may exceed the value"),
}
GROUPS: dict[str, Forgeries] = {
    "line": LINE,
    "together": OTHERS | TOGETHER,
    "box": BOX,
    "norm": NORM,
    "sizes": SIZES,
    "interior": INTERIOR,
    "bounds": BOUNDS,
    "shape": SHAPE,
    "value": VALUE,
    "undefined": POLES,
    "global": EVERYWHERE,
}
FORGED = grouped(GROUPS)


@pytest.mark.parametrize("name", FORGED)
def test_forged_minima_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Positive definite matrices, derivatives, quadratics


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """By Leibniz."""
    total = 0
    for order in itertools.permutations(range(len(matrix))):
        product = (-1) ** sum(order[i] > order[j] for i, j in itertools.combinations(range(len(order)), 2))
        for row, place in enumerate(order):
            product *= matrix[row][place]
        total += product
    return total


@settings(max_examples=300, deadline=None)
@given(seed=seeds, size=st.integers(1, 4), reach=st.sampled_from((1, 2, 5, 10**30)))
def test_definiteness_is_decided_by_minors(seed: int, size: int, reach: int) -> None:
    rng = random.Random(seed)
    matrix = [[rng.randint(-reach, reach) for _ in range(size)] for _ in range(size)]
    for i, j in itertools.combinations(range(size), 2):
        matrix[j][i] = matrix[i][j]
    if rng.random() < 0.6:
        for i in range(size):
            matrix[i][i] = abs(matrix[i][i]) + rng.randint(0, size * reach)
    truth = all(determinant([row[:k] for row in matrix[:k]]) > 0 for k in range(1, size + 1))
    before = [list(row) for row in matrix]
    assert positive_definite(matrix, Clock()) == truth
    assert matrix == before


def test_definiteness_of_small_matrices() -> None:
    assert positive_definite([], Clock()) and positive_definite([[1]], Clock())
    assert not positive_definite([[0]], Clock()) and not positive_definite([[-1]], Clock())
    assert not positive_definite([[1, 1], [1, 1]], Clock()) and positive_definite([[1, 1], [1, 2]], Clock())
    assert positive_definite([[2, -1, 0], [-1, 2, -1], [0, -1, 2]], Clock())
    assert not positive_definite([[1, 2], [2, 1]], Clock())
    with pytest.raises(ResourceLimit):
        positive_definite([[2, 1], [1, 2]], Clock(0))


@settings(max_examples=150, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)), size=st.integers(1, 3))
def test_gradient_and_hessian_contain_exact_ones(seed: int, precision: int, size: int) -> None:
    """Of F = sum r^2 at points of the box: sum r r' and sum (r' r'' + r r'')."""
    rng = random.Random(seed)
    parsed = parse_problem(random_problem(rng, random_tape(rng, size, SMOOTH, rng.randint(1, 5)), size, rows=2).text().encode())
    scope = Scope(parsed, (0,), precision)
    try:
        gradient, hessian = derivatives(scope, scope.box, Clock())
    except Undefined:
        return
    for _ in range(3):
        x = [within(rng, bounds) for bounds in scope.box]
        try:
            value, first, second = exact_jet(parsed, x)
        except Singular:
            continue
        for i in range(size):
            low, high = gradient[i]
            assert low <= 2 * value * first[i] * (1 << precision) <= high
            for j in range(size):
                low, high = hessian[i][j]
                assert low <= 2 * (first[i] * first[j] + value * second[i][j]) * (1 << precision) <= high
    assert all(hessian[i][j] == hessian[j][i] for i in range(size) for j in range(size))


def test_derivatives_of_a_plane_are_exact() -> None:
    scope = Scope(parse_problem(PLANE.encode()), (0,), 64)
    one = 1 << 64
    gradient, hessian = derivatives(scope, ((Fraction(1), Fraction(1)), (Fraction(2), Fraction(2))), Clock())
    assert gradient == [(-2 * one, -2 * one), (9 * one, 9 * one)]
    assert hessian == [[(3 * one,) * 2, (-2 * one,) * 2], [(-2 * one,) * 2, (6 * one,) * 2]]


def test_a_hessian_is_as_sharp_as_the_rule_says() -> None:
    """x - x^2 on [3/4, 5/4]: its slope is in [-3/2, -1/2], so it is within 3/8 of its value 0 at 1, which the operations alone do not show."""
    scope = Scope(parse_problem(single("sqr 0", "sub 0 1").encode()), (0,), 64)
    _, hessian = derivatives(scope, ((Fraction(3, 4), Fraction(5, 4)),), Clock())
    assert hessian == [[(-(1 << 63), 3 << 64)]]


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Of two equations, by Cramer."""
    whole = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]
    return [(right[0] * matrix[1][1] - right[1] * matrix[0][1]) / whole, (right[1] * matrix[0][0] - right[0] * matrix[1][0]) / whole]


@settings(max_examples=120, deadline=None)
@given(seed=seeds, precision=st.sampled_from((16, 64)))
def test_random_quadratics_have_the_minimum_that_is_known(seed: int, precision: int) -> None:
    """Rows a x + b y - c, linear: the minimiser is known; a box that holds it is valid with its value, and never with less, nor another box."""
    rng = random.Random(seed)
    count = rng.randint(2, 4)
    rows = [[Fraction(rng.randint(-4, 4)) for _ in range(3)] for _ in range(count)]
    half = [[sum(row[i] * row[j] for row in rows) for j in range(2)] for i in range(2)]
    if half[0][0] * half[1][1] == half[0][1] ** 2:
        return
    z = solve(half, [sum(row[i] * row[2] for row in rows) for i in range(2)])
    value = sum((row[0] * z[0] + row[1] * z[1] - row[2]) ** 2 for row in rows)
    columns = [(name, [(row[k], row[k]) for row in rows]) for k, name in enumerate("abc")]
    text = problem(
        [("x", -999, 999), ("y", -999, 999)], columns, [tape(5, "mul 0 2", "mul 1 3", "add 5 6", "sub 7 4")], [f"F 0 {count} v0 v1 c0 c1 c2"]
    )
    scope = Scope(parse_problem(text.encode()), (0,), precision)
    near = [Fraction(round(entry * 1024) + rng.choice((0, 0, 300, -300, 5000)), 1024) for entry in z]
    radius = Fraction(rng.choice((8, 64, 600)), 1024)
    whole = half[0][0] * half[1][1] - half[0][1] ** 2
    inverse = [[half[1][1] / whole, -half[0][1] / whole], [-half[1][0] / whole, half[0][0] / whole]]
    zero = Zero(
        tuple((entry - radius, entry + radius) for entry in near), tuple(tuple(Fraction(round(e * 4096), 4096) for e in row) for row in inverse)
    )
    inside = all(abs(a - b) < radius for a, b in zip(z, near, strict=True))
    at_centre = sum((row[0] * near[0] + row[1] * near[1] - row[2]) ** 2 for row in rows)
    for level in (value - Fraction(1, 10**9), value, at_centre, at_centre + Fraction(1, 16)):
        try:
            found = check_minimum(scope, zero, level, Clock())
        except Rejection:
            continue
        assert inside and level >= value
        assert all(low <= entry * (1 << precision) <= high for entry, (low, high) in zip(z, found, strict=True))


def test_planted_minima_are_found() -> None:
    """The property's test is not empty."""
    for base, families in ((PLANE_LOCAL, (0,)), (LOCAL, (0,)), (VALID["of a valley"], (0, 1))):
        certified = parse_certificate(base[1].encode())
        scope = Scope(parse_problem(base[0].encode()), families, 64)
        check_minimum(scope, certified.isolated[0], Fraction(1), Clock())


def test_minima_end_by_the_deadline() -> None:
    for base in (LOCAL, GLOBAL):
        assert judge(*base, 0).message == "RESOURCE the deadline of 0 seconds"


def test_levels_of_minima() -> None:
    assert parse_certificate(LOCAL[1].encode()).level is None
    assert parse_certificate(GLOBAL[1].encode()).level == Fraction(99, 100)
