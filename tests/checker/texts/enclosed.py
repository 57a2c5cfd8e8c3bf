"""Nodes that are enclosed inside a form: valid certificates, and forged ones with the reason for which each is
rejected.
"""

from __future__ import annotations

from checker_texts import Forgeries, Text, certificate, grouped, problem, tape

from texts.rules import POSITIVE, powers, tree

ROOTS = problem(
    [("x", 1, 4), ("y", 1, 4)], [], [tape(2, "sqrt 0", "sqrt 1", "add 2 3", "const 5", "sub 4 5")], ["F 0 1 v0 v1"]
)
VALID: dict[str, Text] = {
    "wide intervals": tree(
        problem([("x", 1, 2 * 10**200)], [], [tape(1, "add 0 0")], ["F 0 1 v0"]), "aggregate q0.0+1", lower=1
    ),
    "an exponential": tree(powers("exp 0", "const 1/2", "sub 1 2"), "aggregate q0.0+1", lower="49/100"),
    "an exponential and a line": tree(
        powers("exp 0", "sub 1 0", "sub 2 0", "const 6", "add 3 4"), "aggregate q0.0+1", lower=4
    ),
    "a sum of two roots": tree(ROOTS, "aggregate q0.0-1", lower="99/100"),
    "a logarithm of a root": tree(
        problem([("x", 1, 4)], [], [tape(1, "sqrt 0", "log 1", "add 0 2")], ["F 0 1 v0"]),
        "aggregate q0.0+1",
        lower="99/100",
    ),
    "a quotient": tree(
        problem([("x", 1, 4)], [], [tape(1, "const 1", "div 1 0", "add 0 2")], ["F 0 1 v0"]),
        "aggregate q0.0+1",
        lower="9/8",
    ),
    "a product of degree 5": tree(
        powers("sqr 0", "sqr 1", "mul 2 0", "const 1", "add 3 4"), "aggregate q0.0+1", lower="99/100"
    ),
    "a root times a variable": tree(
        powers("sqrt 0", "mul 1 0", "const 1", "add 2 3"), "aggregate q0.0+1", lower="99/100"
    ),
    "a root of a root": tree(powers("sqrt 0", "sqrt 1", "const 1", "add 2 3"), "aggregate q0.0+1", lower="99/100"),
    "the square of a root and a summand": tree(
        powers("sqrt 0", "add 0 1", "sqr 2", "const 1", "add 3 4"), "aggregate q0.0+1", lower="99/100"
    ),
    "a root times a number of unknown sign": tree(
        problem(
            [("x", 0, 1)], [("m", [(-1, 1)])], [tape(2, "sqrt 0", "mul 2 1", "const 3", "add 3 4")], ["F 0 1 v0 c0"]
        ),
        "aggregate q0.0+1",
        lower="19/10",
    ),
    "a sum of squares": (ROOTS, certificate(ROOTS, lower="99/100", norm="squares", tree=["aggregate q0.0-2"])),
}


REACHED: tuple[tuple[str, ...], ...] = (
    ("sqrt 0", "mul 1 0", "const 1/2", "sub 2 3"),
    ("sqrt 0", "add 0 1", "sqr 2", "const 3", "sub 3 4"),
    ("sqrt 0", "sub 1 0", "sqr 2", "const 1/9", "sub 3 4"),
    ("exp 0", "const 2", "sub 1 2"),
    ("exp 0", "const 1", "sub 1 2"),
    ("exp 0", "const 19/7", "sub 1 2"),
    ("atan 0", "const 1/2", "sub 1 2"),
    ("sin 0", "const 1/2", "sub 1 2"),
    ("cos 0", "const 3/4", "sub 1 2"),
    ("sqr 0", "sqr 1", "mul 0 2"),
    ("sqr 0", "mul 0 1", "sqr 2"),
    ("sqr 0", "sqr 1", "sqr 2", "const 1/2", "sub 3 4"),
    ("sqr 0", "sqrt 1", "add 2 2"),
    ("sqr 0", "sqrt 1", "sub 2 2"),
    ("sqrt 0", "sqrt 1"),
    ("sqrt 0", "sqrt 1", "const 1/2", "sub 2 3"),
    ("sqrt 0", "add 0 1", "sqrt 2", "const 1", "sub 3 4"),
    ("sqrt 0", "mul 0 1", "const 1/2", "sub 2 3"),
    ("sqrt 0", "mul 1 1", "const 1/2", "sub 2 3"),
    ("sqrt 0", "add 0 1", "sqr 2", "const 1", "sub 3 4"),
    ("exp 0", "div 0 1", "const 1/4", "sub 2 3"),
    ("exp 0", "log 1", "const 1/2", "sub 2 3"),
    ("exp 0", "mul 0 1", "const 2", "sub 2 3"),
    ("const 1", "add 0 1", "log 2", "const 1/2", "sub 3 4"),
    ("const 1", "add 0 1", "div 1 2", "const 3/4", "sub 3 4"),
    ("exp 0", "sqrt 1", "const 3/2", "sub 2 3"),
    ("exp 0", "sub 1 0", "const 3/2", "sub 2 3"),
)
UNDEFINED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("log 0",), "a logarithm reaches 0"),
    (("exp 0", "log 0", "add 1 2"), "a logarithm reaches 0"),
    (("div 0 0",), "a divisor contains 0"),
    (("const 1", "div 1 0"), "a divisor contains 0"),
    (("sqrt 0", "div 0 1"), "a divisor contains 0"),
    (("exp 0", "const 1", "sub 1 2", "div 0 3"), "a divisor contains 0"),
    (("exp 0", "const 2", "sub 1 2", "sqrt 3", "exp 4"), "a root reaches below 0"),
    (("const 1/2", "sub 0 1", "sqrt 2", "exp 3"), "a root reaches below 0"),
    (("sin 0", "log 1"), "a logarithm reaches 0"),
    (("atan 0", "div 0 1"), "a divisor contains 0"),
    (("exp 0", "exp 1", *(f"exp {k}" for k in range(2, 6))), "too large"),
    (("const -1", "sqrt 1", "exp 0"), "a root reaches below 0"),
    (("exp 0", "const -1", "log 2", "sub 0 0"), "a logarithm reaches 0"),
)
GROUPS: dict[str, Forgeries] = {
    "value": {
        f"{' '.join(lines)} {side}": (tree(powers(*lines), f"aggregate q0.0{side}1", lower=0), POSITIVE)
        for lines in REACHED
        for side in "+-"
    }
    | {
        f"{' '.join(lines)}, above its level": (tree(powers(*lines), "aggregate q0.0+1", lower=level), POSITIVE)
        for lines, level in (
            (("exp 0",), "11/10"),
            (("exp 0", "exp 1"), 3),
            (("cos 0",), "11/20"),
            (("exp 0", "add 0 1"), "3/2"),
        )
    }
    | {
        "not on the prepared box": (
            tree(powers("exp 0", "const 2", "sub 1 2"), "split 0 7p-3", "open", "aggregate q0.0+1"),
            "there is no hull",
        )
    },
    "undefined": {
        f"{' '.join(lines)}, {form}": (tree(powers(*lines), f"aggregate {form}", lower=0), reason)
        for lines, reason in UNDEFINED
        for form in ("q0.0+1", "q0.0-1")
    },
}
FORGED = grouped(GROUPS)
