"""Terms of second order: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from checker_texts import Forgeries, Number, Text, certificate, grouped, problem, tape

from texts.rules import CIRCLES, LINE, MEET, POSITIVE, PRODUCTS, RECIPROCAL, ROOT, SINE, TWICE, VALLEY


def of(lines: str, *bounds: tuple[Number, Number]) -> str:
    """One row of x, y, ... within these bounds."""
    names = "xyz"[: len(bounds)]
    variables = [(name, *ends) for name, ends in zip(names, bounds, strict=True)]
    return problem(
        variables,
        [],
        [tape(len(bounds), *lines.split(", "))],
        ["F 0 1 " + " ".join(f"v{i}" for i in range(len(bounds)))],
    )


def leaf(text: str, terms: str, lower: Number, *above: str, scope: str = "F") -> Text:
    return text, certificate(text, scope=scope, lower=lower, tree=[*above, f"aggregate {terms}"])


BOWL = of("sqr 0, const 1, add 1 2", (-1, 1))
HILL = of("sqr 0, const 2, sub 2 1", (-1, 1))
SADDLE = of("mul 0 1, const 2, add 2 3", (-1, 1), (-1, 1))
COSINE = of("cos 0", (-1, 1))
ARCH = of("sin 0", ("1/2", "5/2"))
ROOTED = of("sqrt 0", ("1/4", 4))
INVERSE = of("const 1, div 1 0, const 3, sub 3 2", ("1/4", 2))
HYPERBOLA = of("const 1, div 1 0", (1, 2))
QUOTIENT = of("div 0 1, const 4, sub 3 2", (1, 2), ("1/2", 2))
CUBE = of("sqr 0, mul 0 1, const 3, sub 3 2", (0, 1))
NEGATED = of("sqr 0, const 2, sub 1 2", (-1, 1))

VALID = {
    "a bowl": leaf(BOWL, "t0.0+1", "999/1000"),
    "a hill": leaf(HILL, "t0.0+1", "999/1000"),
    "a hill upside down": leaf(NEGATED, "t0.0-1", "999/1000"),
    "a saddle": leaf(SADDLE, "t0.0+1", "999/1000"),
    "a cosine": leaf(COSINE, "t0.0+1", "49/100"),
    "a sine": leaf(ARCH, "t0.0+1", "2/5"),
    "a root": leaf(of("sqrt 0", (1, 4)), "t0.0+1", "3/5"),
    "a hyperbola": leaf(HYPERBOLA, "t0.0+1", "19/50"),
    "an inverse": leaf(of("const 1, div 1 0, const 3, sub 3 2", (1, 2)), "t0.0+1", "18/10".replace("18/10", "9/5")),
    "a quotient": leaf(of("div 0 1, const 4, sub 3 2", (1, 2), (1, 2)), "t0.0+1", "1/2"),
    "a cube": leaf(CUBE, "t0.0+1", "13/10"),
    "a line": leaf(LINE, "t0.0+1 t0.1-1", "4/9"),
    "forms of the same row": leaf(LINE, "t0.0+1p-9 q0.0+1 m0.0+1p-9 m0.1-1p-9 q0.1-1 t0.1-1p-9", "4/9"),
    "a valley of measurements": leaf(VALLEY, "t0.0+1", "1/2", "prepare 2"),
    "a sine with a measurement": leaf(SINE, "t0.0-1", "4/5"),
    "a variable bound twice": leaf(
        problem([("x", -1, 1)], [], [tape(2, "mul 0 1", "const 1", "add 2 3")], ["F 0 1 v0 v0"]), "t0.0+1", "999/1000"
    ),
    "a product of rows": leaf(PRODUCTS, "t0.0+1 t1.0-1 t2.0-1 b0+1+1", "1/4", scope="F G H"),
    "a square of a sum": leaf(of("add 0 1, sqr 2, const 3, add 3 4", (-1, 1), (-1, 1)), "t0.0+1", "9/10"),
    "a negation": leaf(of("sqr 0, neg 1, const 1, sub 2 3", (-1, 1)), "t0.0-1", "999/1000"),
}


# accepted, and false, if the second derivatives were left out
FIRST = {
    f"{name}, {lower}": (leaf(text, f"t0.0{side}1", lower), POSITIVE)
    for name, text, side, levels in (
        ("hill", HILL, "+", (1, "1001/1000", "3/2", "19/10", "199/100")),
        ("hill upside down", NEGATED, "-", (1, "3/2", "199/100")),
        ("saddle", SADDLE, "+", (1, "3/2", "199/100")),
        ("cosine", COSINE, "+", ("11/20", "3/5", "9/10", "999/1000")),
        ("arch", ARCH, "+", ("12/25", "1/2", "3/5", "9/10")),
        ("root", ROOTED, "+", ("1/2", "3/5", "4/5")),
        ("inverse", INVERSE, "+", (0, "1/2", 1, "7/5")),
        ("quotient", QUOTIENT, "+", (0, "1/2", 1, "8/5")),
        ("cube", CUBE, "+", (2, "41/20", "21/10")),
    )
    for lower in levels
}
# accepted, and false, if they were taken half or twice, or only those of one variable or of different ones
HALF = {
    f"{number}: {lower}, {side}": (leaf(of(lines, *bounds), f"t0.0{side}1", lower), POSITIVE)
    for number, (lines, bounds, side, levels) in enumerate(
        (
            ("sqr 0, const 5, sub 2 1", [(-2, 2)], "+", (1, 2, "29/10")),
            ("sqr 0, const 5, sub 1 2", [(-2, 2)], "-", (1, 2, "29/10")),
            ("mul 0 1, const 5, sub 3 2", [(-2, 2), (-2, 2)], "+", (1, 2, "29/10", 4)),
            ("mul 0 1, const 5, add 2 3", [(-2, 2), (-2, 2)], "+", (1, 2, "29/10", 4)),
            ("sqr 0, sqr 1, add 2 3, const 9, sub 5 4", [(-2, 2), (-2, 2)], "+", (1, 3, "49/10", 7)),
            ("sqr 0, sqr 1, sub 2 3, const 9, add 4 5", [(-2, 2), (-2, 2)], "+", (5, 6, 8)),
            ("add 0 1, sqr 2, const 20, sub 4 3", [(-2, 2), (-2, 2)], "+", (4, 5, 11)),
        )
    )
    for lower in levels
}
EDGE = "a divisor contains 0"
BELOW = "a root reaches below 0"
TWO = {
    f"{lines} on {ends}, {side}": (leaf(of(lines, ends), f"t0.0{side}1", 0), f"enclosure: {reason}")
    for lines, ends, reason in (
        ("sqrt 0", (0, 1), EDGE),
        ("sqrt 0, const 9, add 1 2", (0, 4), EDGE),
        ("sqrt 0", (-3, 1), BELOW),
        ("sqr 0, sqrt 1", (-1, 1), EDGE),
        ("sqr 0, sqrt 1", (0, 1), EDGE),
        ("sqrt 0, mul 0 1", (0, 1), EDGE),
        ("sqrt 0, sqr 1", (0, 1), EDGE),
        ("sqrt 0, sub 1 1, const 1, add 2 3", (0, 1), EDGE),
        ("sqrt 0, const 7, mul 0 0", (0, 1), EDGE),
        ("const 1, div 1 0", (-1, 1), EDGE),
        ("const 1, div 1 0", (0, 1), EDGE),
        ("div 0 0", (0, 1), EDGE),
        ("sin 0, sqrt 1", (-1, 1), "a "),
        ("const 1, sub 0 1, sqrt 2", (0, 1), BELOW),
    )
    for side in "+-"
}
FORM = {
    terms: (leaf(LINE, terms, "4/9"), reason)
    for terms, reason in (
        ("T0.0+1", "is no term"),
        ("t0+1", "is no term"),
        ("t0.0", "is no term"),
        ("t0.0+-1", "is no term"),
        ("tt0.0+1", "is no term"),
        ("t0.0+0", "a weight is not a positive"),
        ("t0.0+1 t0.0+2 t0.1-3", "a term occurs twice"),
        ("t0.1-1 t0.0+1 t0.1-1", "a term occurs twice"),
        ("t0.2+1", "there is no row 0.2"),
        ("t1.0+1", "there is no row 1."),
        ("t0.0+1p4097", "exponent 4097"),
        ("t0.0-1 t0.1+1", POSITIVE),
        ("t0.0+2 t0.1-1", POSITIVE),
    )
}
LEMMA = {
    **{
        f"{cells} cells": (leaf(VALLEY, "t0.0+1", "999/1000", f"prepare {cells}"), POSITIVE)
        for cells in (1, 3, 5, 7, 9, 11)
    },
    **{
        f"{name}: {terms} at {lower}": (leaf(text, terms, lower), POSITIVE)
        for name, text, terms, lower in (
            ("measured", LINE, "t0.0+1 t0.1-1", "9/20"),
            ("a meeting", MEET, "t0.0+1", 0),
            ("a meeting", MEET, "t0.0-1", 0),
            ("a sine", SINE, "t0.0-1", 1),
            ("bound twice", TWICE, "t0.0+1", "2"),
            ("bound twice", TWICE, "t0.0+1", 3),
            ("a sine", SINE, "t0.0+1", "1/2"),
        )
    },
    "a pole": (leaf(RECIPROCAL, "t0.0+1", 1), EDGE),
    "an apex": (leaf(CIRCLES, "t0.2-1", 5), EDGE),
    "an edge": (leaf(ROOT, "t0.0+1", 1), EDGE),
}
GROUPS: dict[str, Forgeries] = {
    "first order": FIRST,
    "half of it": HALF,
    "twice differentiable": TWO,
    "form": FORM,
    "lemma": LEMMA,
}
FORGED = grouped(GROUPS)
