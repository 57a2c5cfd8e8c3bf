"""Rows that are not defined everywhere: valid certificates, and forged ones with the reason for which
each is rejected.
"""

from __future__ import annotations

from checker_texts import Forgeries, Text, grouped, problem, tape

from texts.rules import DEAD, NOWHERE, tree

REACH = "evaluate: the row may reach [-level, level]"


# The rule


def at_an_edge(lower: object, upper: object, *lines: str) -> str:
    """One row of x."""
    return problem([("x", lower, upper)], [], [tape(1, *lines)], ["F 0 1 v0"])


def refuted(lower: object, upper: object, *lines: str, level: object = 0) -> Text:
    return tree(at_an_edge(lower, upper, *lines), "evaluate 0 0", lower=level)


RECIPROCAL = ("const 1", "div 1 0")  # node 2

VALID: dict[str, Text] = {
    "a root from below 0": refuted(-1, 4, "sqrt 0", "const 3", "sub 1 2"),
    "a root that is at least 0": refuted(-4, -0, "sqrt 0", "const 1", "add 1 2"),
    "a logarithm from 0": refuted(0, 1, "log 0", "const 1", "sub 1 2"),
    "a logarithm from below 0": refuted(-1, 1, "log 0", "const 1/100", "sub 1 2"),
    "minus a logarithm": refuted(-1, 1, "neg 0", "log 1", "neg 2", "const 1/100", "add 3 4"),
    "a divisor from 0": refuted(0, 1, *RECIPROCAL, "const 99/100", "sub 2 3"),
    "a divisor to 0": refuted(-1, 0, *RECIPROCAL, "const 99/100", "add 2 3"),
    "a divisor that is 0": refuted(0, 0, *RECIPROCAL),
    "0 by what may be 0": refuted(0, 1, "const 0", "div 1 0", "const 1", "add 2 3"),
    "the square of a reciprocal": refuted(0, 1, *RECIPROCAL, "sqr 2", "const 99/100", "sub 3 4"),
    "a reciprocal of a reciprocal": refuted(0, 1, *RECIPROCAL, "div 1 2", "const 101/100", "sub 3 4"),
    "an exponential of a reciprocal": refuted(0, 1, *RECIPROCAL, "exp 2", "const 2", "sub 3 4"),
    "an exponential too large": refuted(6000, 7000, "exp 0"),
    "an arctangent of a reciprocal": refuted(0, 1, *RECIPROCAL, "atan 2", "const 11/7", "sub 3 4"),
    "a sine of a reciprocal": refuted(0, 1, *RECIPROCAL, "sin 2", "const 1001/1000", "sub 3 4"),
    "a logarithm of a reciprocal": refuted(0, "1/3", *RECIPROCAL, "log 2", "const 1", "sub 3 4"),
    "a root of a reciprocal": refuted(0, "1/9", *RECIPROCAL, "sqrt 2", "const 2", "sub 3 4"),
    "a level": refuted(0, 1, *RECIPROCAL, level="99/100"),
    "numbers too large": refuted(10, 20, *(f"sqr {k}" for k in range(20))),
    "a root nowhere": tree(NOWHERE, "evaluate 0 0", lower="1/2"),
    "a dead node nowhere": tree(DEAD, "evaluate 0 0", lower="1/2"),
    "a logarithm nowhere": refuted(-1, 0, "log 0"),
    "a logarithm of less nowhere": refuted(-2, -1, "log 0"),
    "a division by 0 nowhere": refuted(-1, 1, "const 0", "div 0 1"),
    "nowhere behind an infinite end": refuted(0, 1, *RECIPROCAL, "neg 2", "log 3"),
    "two halves": tree(
        at_an_edge(-1, 1, *RECIPROCAL, "sqr 2", "const 1/2", "sub 3 4"),
        "split 0 0",
        "evaluate 0 0",
        "evaluate 0 0",
        lower=0,
    ),
}


def rows(*cases: tuple[object, object, tuple[str, ...]]) -> Forgeries:
    """Each row may be 0 somewhere, or its enclosure may."""
    return {
        f"{' '.join(lines)} on {lower} {upper}": (refuted(lower, upper, *lines), REACH) for lower, upper, lines in cases
    }


INFINITE: tuple[tuple[str, ...], ...] = (
    ("const -10000", "exp 3", "log 4", "const 10000", "add 5 6"),
    ("const -10000", "exp 3", "div 4 4", "const 1", "sub 5 6"),
    (f"const 1/{10**90}", "log 3", "const 207", "add 4 5"),
    (f"const -1/{10**90}", "neg 3", "log 4", "const 207", "add 5 6"),
    (f"const 1/{10**90}", "const 1", "div 4 3", f"const {10**90}", "sub 5 6"),
    (f"const 1/{10**50}", "sqr 3", "log 4", "const 230", "add 5 6"),
    ("sub 2 2",),
    ("add 2 2", "const 1000000", "sub 3 4"),
    ("mul 2 0", "const 1", "sub 3 4"),
    ("const 0", "mul 2 3"),
    ("sqr 2", "const 1000000", "sub 3 4"),
    ("exp 2", "const 1000000", "sub 3 4"),
    ("neg 2", "exp 3", "const 1/1000000", "sub 4 5"),
    ("atan 2", "const 392699/250000", "sub 3 4"),
    ("neg 2", "atan 3", "const 392699/250000", "add 4 5"),
    ("log 2", "const 1000", "sub 3 4"),
    ("sqrt 2", "const 1000", "sub 3 4"),
    ("sin 2", "const 1", "sub 3 4"),
    ("cos 2", "const 1", "add 3 4"),
    ("div 1 2", "const 1/1000000", "sub 3 4"),
    ("div 2 2", "const 1", "sub 3 4"),
    ("log 0", "mul 2 3"),
    ("log 0", "add 2 3"),
    ("log 0", "exp 3", "const 1/1000000", "sub 4 5"),
    ("exp 2", "exp 3", "const 1000000", "sub 4 5"),
)  # fmt: skip
GROUPS: dict[str, Forgeries] = {
    "root": rows(
        *(
            (lower, upper, ("sqrt 0", f"const {c}", "sub 1 2"))
            for lower, upper, c in ((-1, 4, 0), (-1, 4, 1), (-1, 4, 2), (-9, 0, 0), (0, 4, 0), (-1, 9, 3))
        ),
        *((-4, 4, ("neg 0", "sqrt 1", f"const {c}", "sub 2 3")) for c in (0, 1, 2)),
        (-1, 1, ("sqrt 0", "const -1", "sub 1 2", "sqr 3", "const 1", "sub 5 4")),
        (-1, 1, ("sqrt 0", "neg 1")),
        (-1, 1, ("neg 0", "sqrt 1", "sqrt 0", "add 2 3")),
    ),
    "logarithm": rows(
        *(
            (lower, upper, ("log 0", f"const {c}", "sub 1 2"))
            for lower, upper, c in ((0, 1, 0), (0, 1, -1), (0, 1, -1000), (-1, 1, -5), (-1, 3, 1), (-9, 2, "1/2"))
        ),
        *((-1, 1, ("neg 0", "log 1", f"const {c}", "sub 2 3")) for c in (0, -1, -100)),
        (0, 1, ("log 0", "neg 1", "const 10000", "sub 2 3")),
        (0, 1, ("log 0", "mul 0 1")),
        (-1, 1, ("log 0", "sqr 1", "const 10000", "sub 2 3")),
        (0, 1, ("log 0", "log 0", "sub 1 2")),
    ),
    "divisor": rows(
        *(
            (lower, upper, (*RECIPROCAL, f"const {c}", "sub 2 3"))
            for lower, upper, c in ((0, 1, 1), (0, 1, 10**6), (-1, 1, 3), (-1, 1, -3), (-1, 0, -1), (-1, 0, -9))
        ),
        (-1, 1, RECIPROCAL),
        (-1, 1, ("div 0 0",)),
        (-1, 1, ("div 0 0", "const 1", "sub 1 2")),
        (0, 1, ("const 0", "div 1 0")),
        (0, 1, ("sqr 0", "div 0 1", "const 5", "sub 2 3")),
        (-1, 1, ("sqr 0", "div 0 1", "const 5", "sub 2 3")),
        (-1, 1, ("sqr 0", "const 1", "div 2 1", "const 1", "sub 3 4")),
    ),
    "infinite": rows(*((0, 1, (*RECIPROCAL, *lines)) for lines in INFINITE)),
}
FORGED = grouped(GROUPS)
