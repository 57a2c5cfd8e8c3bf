"""Conditions beside rows: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from collections.abc import Sequence

from checker_texts import Forgeries, TapeWriter, Text, change, grouped, problem, tape

from certify.checker.problem import parse_problem
from texts.claims import tree_of, zeros

SQUARE = tape(1, "sqr 0", "const 2", "sub 1 2")  # x^2 - 2
LESS = tape(2, "sub 0 1")  # x - m
MORE = tape(2, "neg 0", "sub 2 1")  # -x - m
RIGHT = ["zero 5p-2 3p-1", "inverse 11p-5"]
LEFT = ["zero -3p-1 -5p-2", "inverse -11p-5"]
BOTH = [*LEFT, *RIGHT]
UNMET = "zero: condition 1.0 may not be met"


def roots(*conditions: tuple[TapeWriter, object, object], families: Sequence[str] = ()) -> str:
    """x^2 = 2 on [-2, 2] with one-row conditions, each with its own amounts; or with these families."""
    tapes = [SQUARE, *(writer for writer, _, _ in conditions)]
    columns = [(f"m{k}", [(lower, upper)]) for k, (_, lower, upper) in enumerate(conditions)]
    return problem(
        [("x", -2, 2)],
        columns,
        tapes,
        ["F 0 1 v0", *(families or [f"G{k} {k + 1} 1 v0 c{k}" for k in range(len(conditions))])],
    )


def scope_of(text: str) -> str:
    return " ".join(family.name for family in parse_problem(text.encode()).families)


def counted(text: str, isolated: Sequence[str], *lines: str) -> Text:
    return zeros(text, isolated, lines or None, scope=scope_of(text))


POSITIVE = roots((MORE, -3, 0))
NEGATIVE = roots((LESS, -3, 0))
BAND = roots((MORE, -3, 0), (LESS, -3, "3/2"))
FRACTION = roots((tape(2, "const 1", "div 2 0", "sub 3 1"), 0, 1))  # 1 / x - m, from 0 to 1, not defined at 0
PLANE = problem(
    [("x", -2, 2), ("y", -2, 2)],
    [("m", [(-9, 0)]), ("n", [(0, 9)])],
    [
        tape(2, "sqr 0", "sqr 1", "add 2 3", "const 2", "sub 4 5"),
        tape(2, "sub 0 1"),
        tape(3, "sub 0 1", "const 1", "sub 3 4", "sub 5 2"),
        tape(2, "sub 0 1"),
    ],
    ["F 0 1 v0 v1", "E 1 1 v0 v1", "G 2 1 v0 v1 c0", "H 3 1 v0 c1"],
)
PLANE_ISOLATED = ["zero 7p-3 9p-3 7p-3 9p-3", "inverse 1p-2 1p-1 1p-2 -1p-1"]

VALID: dict[str, Text] = {
    "the one on the right": counted(POSITIVE, RIGHT, *tree_of(POSITIVE, RIGHT, scope=scope_of(POSITIVE))),
    "the one on the left": counted(NEGATIVE, LEFT, *tree_of(NEGATIVE, LEFT, scope=scope_of(NEGATIVE))),
    "two conditions": counted(BAND, RIGHT, *tree_of(BAND, RIGHT, scope=scope_of(BAND))),
    "a condition that is undefined elsewhere": counted(
        FRACTION, RIGHT, *tree_of(FRACTION, RIGHT, scope=scope_of(FRACTION))
    ),
    "a condition that excludes all": counted(roots((LESS, -9, -3)), [], "evaluate 1 0"),
    "two variables": counted(PLANE, PLANE_ISOLATED, *tree_of(PLANE, PLANE_ISOLATED, scope=scope_of(PLANE))),
}


def of_right(text: str) -> Text:
    """The root of 2 with another condition."""
    return counted(text, RIGHT, "open")


ENDS = [
    (-9, 0),
    (-9, 1),
    (-9, "7/5"),
    (-9, "141421/100000"),
    (0, 1),
    (2, 3),
    ("3/2", 9),
    ("71/50", 2),
    (-1, -1),
    (0, 0),
]
SHIFTED = [
    ("sub 0 1", "const 3", "sub 2 3"),
    ("add 0 1",),
    ("sqr 0", "sub 2 1"),
    ("exp 0", "sub 2 1"),
    ("neg 0", "sub 2 1"),
]
GROUPS: dict[str, Forgeries] = {
    "met": {
        **{f"amounts {low} {high}": (of_right(roots((LESS, low, high))), UNMET) for low, high in ENDS},
        **{f"condition {' '.join(lines)}": (of_right(roots((tape(2, *lines), 0, 0))), UNMET) for lines in SHIFTED},
        "both roots": (counted(POSITIVE, BOTH, "open"), "zero 0: " + UNMET),
        "both roots, the other way": (counted(NEGATIVE, BOTH, "open"), "zero 1: " + UNMET),
        "the second condition": (of_right(roots((MORE, -3, 0), (LESS, -3, 1))), "zero: condition 2.0 may not be met"),
        "not within a family": (of_right(roots((LESS, -9, 1), families=["G0 1 1 v0 c0"])), UNMET),
        "one end only": (of_right(roots((tape(2, "mul 0 1"), 1, 2))), UNMET),
        "the same sign at both ends": (of_right(roots((tape(2, "sqr 1", "sub 0 2"), -1, 1))), UNMET),
    },
    "square": {
        f"{count} zeros of no variables, {rows} rows from {low}": (
            counted(
                problem([("x", 0, 1)], [("m", [(low, 1)] * rows)], [tape(1, "neg 0")], [f"F 0 {rows} c0"]),
                ["zero", "inverse"] * count,
                "evaluate 0 0",
            ),
            "there are '0' rows without measurements for 0 variables",
        )
        for count in (0, 1, 2)
        for rows in (1, 2)
        for low in (0, 1)
    },
    "shared": {
        **{
            f"twice in a condition: {line}": (
                of_right(roots((tape(3, line, "sub 0 3"), -9, 9), families=["G 1 1 v0 c0 c0"])),
                "a measurement is used more than once",
            )
            for line in ("add 1 2", "sub 1 2", "mul 1 2", "sub 2 1")
        },
        **{
            f"in {count} families": (
                of_right(roots((LESS, low, 9), families=[f"G{k} 1 1 v0 c0" for k in range(count)])),
                "line 12: zeros: a measurement is used more than once",
            )
            for count in (2, 3, 5)
            for low in (-9,)
        },
        **{
            f"two conditions that exclude each other, {low} {high}": (
                of_right(
                    problem(
                        [("x", -2, 2)],
                        [("m", [(low, high)])],
                        [SQUARE, LESS, tape(2, "neg 0", "sub 2 1")],
                        ["F 0 1 v0", "G 1 1 v0 c0", "H 2 1 v0 c0"],
                    )
                ),
                "a measurement is used more than once",
            )
            for low, high in ((-2, 2), (-9, 9), (-3, 3), (-100, 100))
        },
    },
    "undefined": {
        **{
            f"{' '.join(lines)} from {low} to {high}": (of_right(roots((tape(2, *lines), low, high))), reason)
            for lines, low, high, reason in (
                (
                    ("sqr 0", "const 2", "sub 2 3", "sqrt 4", "sub 5 1"),
                    -9,
                    9,
                    "zero 0: enclosure: a root reaches below 0",
                ),
                (
                    ("sqr 0", "const 2", "sub 2 3", "log 4", "sub 5 1"),
                    -9,
                    9,
                    "zero 0: enclosure: a logarithm reaches 0",
                ),
                (
                    ("sqr 0", "const 2", "sub 2 3", "div 0 4", "sub 5 1"),
                    -9,
                    9,
                    "zero 0: enclosure: a divisor contains 0",
                ),
                (("div 0 1",), -1, 1, "zero 0: enclosure: a divisor contains 0"),
                (("neg 1", "div 0 2"), -1, 1, "zero 0: enclosure: a divisor contains 0"),
                (("log 1", "sub 0 2"), 0, 9, "zero 0: enclosure: a logarithm reaches 0"),
                (("log 1", "sub 0 2"), -1, 9, "zero 0: enclosure: a logarithm reaches 0"),
                (("sqrt 1", "sub 0 2"), -1, 9, "zero 0: enclosure: a root reaches below 0"),
                (("sqr 1", "div 0 2", "sub 3 0"), -1, 1, "zero 0: enclosure: a divisor contains 0"),
                (("neg 0", "sqrt 2", "sub 3 1"), -9, 9, "zero 0: enclosure: a root reaches below 0"),
                (("neg 0", "log 2", "sub 3 1"), -9, 9, "zero 0: enclosure: a logarithm reaches 0"),
                (("const -1", "sqrt 2", "sub 0 1"), -9, 9, "zero 0: enclosure: a root reaches below 0"),
            )
        },
    },
    "refuted": {
        f"a leaf at {at}": (change(VALID["the one on the right"], "evaluate 1 0", leaf), reason)
        for at, leaf, reason in (
            ("an equation", "evaluate 0 0", "evaluate: the row may reach"),
            ("no row", "evaluate 2 0", "there is no row"),
            ("a second row", "evaluate 1 1", "there is no row"),
            ("the zero", "known 0", "known: the box is not within"),
            ("an open leaf", "open", "open: there is no hull"),
            ("an aggregate", "aggregate q1.0-1", "not proved to be positive"),
            ("another aggregate", "aggregate m1.0-1", "not proved to be positive"),
            ("an aggregate of the equation", "aggregate q0.0+1", "not proved to be positive"),
            ("an aggregate from below", "aggregate q0.0-1", "not proved to be positive"),
            ("another zero", "known 1", "there is no zero 1"),
        )
    },
}
FORGED = grouped(GROUPS)
