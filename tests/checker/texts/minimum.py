"""Minima of sums of squares: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from collections.abc import Sequence

from checker_texts import Forgeries, Number, Text, certificate, change, grouped, problem, tape

# x - m, m = 0 and 1: F = 1/2 at 1/2; half its gradient is 2 x - 1
PAIR = problem([("x", -4, 4)], [("m", [(0, 0), (1, 1)])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0"])
PAIR_ISOLATED = ["zero 0 1", "inverse 1p-1"]
PAIR_TREE = ["split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "known 0", "evaluate 0 0"]


def single(*lines: str, lower: Number = -2, upper: Number = 2) -> str:
    return problem([("x", lower, upper)], [], [tape(1, *lines)], ["F 0 1 v0"])


# x^2 - 1: F = 0 at 1 and -1, a maximum at 0; J = 6 x^2 - 2
WELL = single("sqr 0", "const 1", "sub 1 2")
# x^2 - 1 and y: minima at (+-1, 0), a saddle at (0, 0)
SADDLE = problem(
    [("x", -2, 2), ("y", -2, 2)],
    [],
    [tape(1, "sqr 0", "const 1", "sub 1 2"), tape(1, "const 0", "add 0 1")],
    ["F 0 1 v0", "G 1 1 v1"],
)
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


def least(
    text: str,
    claim: str,
    isolated: Sequence[str],
    *lines: str,
    scope: str = "F",
    norm: str = "squares",
    point: str = "box",
) -> Text:
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
    "global, everything known": least(
        single("const 1", "sub 0 1", lower=0, upper=2), "global 1/2", ["zero -1 3", "inverse 1"], "known 0"
    ),
    "global, prepared": least(PAIR, "global 99/100", PAIR_ISOLATED, "prepare 1", *PAIR_TREE),
    "global, in a frame": least(PAIR, "global 99/100", PAIR_ISOLATED, "frame 0 1", *PAIR_TREE),
    "a plane": near(PLANE, "1p-1 5p-3 1p-2 1p-1", "3p-3 1p-3 1p-3 3p-4", "1/13"),
    "a well, local": near(WELL, WELL_BOX, "1p-2", 1),
    "the other one": near(WELL, "-5p-2 -3p-2", "1p-2", "1/10"),
    "half a well, global": least(
        single("sqr 0", "const 1", "sub 1 2", lower=0), "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], *WELL_TREE
    ),
    "of a valley": near(SADDLE, "3p-2 5p-2 -1 1", "1p-2 0 0 1", 1, "F G"),
    "a sine": near(SINE, "-7p-2 -11p-3", "1", "11/10"),
    "a box beyond the bounds": near(single("const 1", "sub 0 1", lower=1, upper=1), "0 2", "1", 0),
    "a poor inverse": near(PAIR, "0 1", "1p-9", 1),
    "a variable bound twice": near(
        problem([("x", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "sub 2 3")], ["F 0 1 v0 v0"]), WELL_BOX, "1p-2", 1
    ),
    "no variables": least(problem([("x", 0, 1)], [], [tape(0, "const 2")], ["F 0 1"]), "local 4", ["zero", "inverse"]),
}


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
    f"{old} {new}, {base[1].split('minimum ')[1].split(' ')[0]}": (
        change(base, f"{old} none", f"{old} {new}"),
        "line 13: claim: " + reason,
    )
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
        (
            "zeros",
            "largest",
            "zeros",
            0,
            "isolated\n",
            {"isolated": [], "tree": ["split 0 1p-1", "evaluate 0 1", "evaluate 0 0"]},
        ),
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
    "two minima": (
        change(LOCAL, "inverse 1p-1\n", "inverse 1p-1\nzero 0 1\ninverse 1p-1\n"),
        "line 17: text: 'end' was expected",
    ),
    "two minima, global": (
        change(GLOBAL, "inverse 1p-1\n", "inverse 1p-1\nzero 0 1\ninverse 1p-1\n"),
        "line 17: text: 'tree' was expected",
    ),
    "65 variables": (
        near(
            problem(
                [(f"x{i}", 0, 1) for i in range(65)], [], [tape(1, "neg 0")], [f"F{i} 0 1 v{i}" for i in range(65)]
            ),
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
            near(
                problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "const 0", "add 0 2")], ["F 0 1 v0 v1"]),
                "-1 1 -1 1",
                "1 0 0 1",
            ),
            1,
        ),
        (
            "a line of minima",
            near(
                problem([("x", -2, 2), ("y", -2, 2)], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"]),
                "-1 1 -1 1",
                "1p-1 0 0 1p-1",
            ),
            0,
        ),
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
    return near(
        problem([("x", *x), ("y", *y)], [], HALF, ["F 0 1 v0", "G 1 1 v1"]), "0 1 0 1", "1 0 0 7p-6", scope="F G"
    )


BOUNDS = {
    **{
        f"{lower} to {upper}": (
            near(PAIR.replace("x mm -4 4", f"x mm {lower} {upper}"), "0 1", "1p-1"),
            f"certificate: zero: {OUT} 0",
        )
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
            near(
                problem([("x", -2, 2)], [], [tape(2, "mul 0 1", "const 1", "sub 2 3")], ["F 0 1 v0 v0"]),
                "-1p-3 1p-3",
                "-1p-1",
            ),
        ),
        ("a saddle", near(SADDLE, "-1p-3 1p-3 -1 1", "-1p-1 0 0 1", scope="F G")),
        (
            "a saddle, the other order",
            near(
                SADDLE.replace("F 0 1 v0\nG 1 1 v1", "F 1 1 v0\nG 0 1 v1"),
                "-1 1 -1p-3 1p-3",
                "1 0 0 -1p-1",
                scope="F G",
            ),
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
                problem(
                    [("x", -2, 2), ("y", -2, 2)], [], [tape(1, "sqr 0", "const 1", "sub 1 2")], ["F 0 1 v0", "G 0 1 v1"]
                ),
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
    f"{name}, {value}": (
        change(base, f"local {old}", f"local {value}"),
        "certificate: minimum: it may exceed the value",
    )
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
            (
                ("split 0 1p-8", "known 0", "split 0 255p-8", "known 0", "evaluate 0 0"),
                "node 1 (line 19): known: the box is not within",
            ),
            (("split 0 1p-8", "evaluate 0 1", "known 0"), "node 2 (line 20): known: the box is not within"),
            (
                ("split 0 1p-8", "evaluate 0 1", "split 0 257p-8", "known 0", "evaluate 0 0"),
                "node 3 (line 21): known: the box is not within",
            ),
            (
                ("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "evaluate 0 0", "evaluate 0 0"),
                "node 3 (line 21): evaluate: the row may reach",
            ),
            (
                ("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "aggregate q0.0+1 q0.1-1", "evaluate 0 0"),
                "not proved to be positive",
            ),
            (("split 0 1p-8", "evaluate 0 1", "split 0 255p-8", "known 0"), "tree: a child is missing"),
            (
                ("split 0 1p-8", "evaluate 0 0", "split 0 255p-8", "known 0", "evaluate 0 0"),
                "node 1 (line 19): evaluate: the row may reach",
            ),
            (("hitting 1", "evaluate 0 0"), "hitting: it needs discarded rows"),
            ((*PAIR_TREE, "known 0"), "'end' was expected"),
        )
    },
    "a tree of a local one": (
        least(PAIR, "local 99/100", PAIR_ISOLATED, *PAIR_TREE),
        "line 17: text: 'end' was expected, not 'tree'",
    ),
    "one of two": (
        least(WELL, "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], *WELL_TREE),
        "node 1 (line 19): evaluate: the row may reach",
    ),
    "the other of two": (
        least(
            WELL,
            "global 9/64",
            ["zero -5p-2 -3p-2", "inverse 1p-2"],
            "split 0 -5p-2",
            "evaluate 0 0",
            "split 0 -3p-2",
            "known 0",
            "evaluate 0 0",
        ),
        "node 4 (line 22): evaluate: the row may reach",
    ),
    "both, one of them known twice": (
        least(WELL, "global 9/64", [f"zero {WELL_BOX}", "inverse 1p-2"], "split 0 0", "known 0", *WELL_TREE),
        "node 1 (line 19): known: the box is not within",
    ),
    "a value above the neighbours": (
        change(GLOBAL, "global 99/100", "global 1"),
        "node 1 (line 19): evaluate: the row may reach",
    ),
    "a value far above": (
        change(GLOBAL, "global 99/100", "global 10"),
        "node 1 (line 19): evaluate: the row may reach",
    ),
    "a value below": (
        change(GLOBAL, "global 99/100", "global 49/100"),
        "certificate: minimum: it may exceed the value",
    ),
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
