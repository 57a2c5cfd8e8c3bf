"""Problems and certificates of every rule: valid ones, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from checker_texts import certificate, problem, tape

DIFFERENCE = tape(2, "sub 0 1")

# r = x - m, m in [0, 1/10] and [1, 11/10]: the smallest error is 9/20
LINE = problem([("x", -1, 1)], [("m", [(0, "1/10"), (1, "11/10")])], [DIFFERENCE], ["F 0 2 v0 c0"])
# r = x - m, x and m in [0, 1]: the smallest error is 0
MEET = problem([("x", 0, 1)], [("m", [(0, 1)])], [DIFFERENCE], ["F 0 1 v0 c0"])
# the same entry in two rows, and once in one row through two bindings
SHARED = problem([("x", 0, 1)], [("m", [(0, 1)])], [DIFFERENCE], ["F 0 1 v0 c0", "G 0 1 v0 c0"])
TWICE = problem([("x", 2, 3)], [("m", [(-1, 1)])], [tape(3, "mul 1 2", "add 0 3")], ["F 0 1 v0 c0 c0"])
# distances from (0, 0), (4, 0) and (2, 0), measured as 1, 1 and 10
DISTANCE = tape(5, "sub 0 2", "sqr 5", "sub 1 3", "sqr 7", "add 6 8", "sqrt 9", "sub 10 4")
CIRCLES = problem(
    [("x", -1, 5), ("y", -3, 3)],
    [
        ("a", [(0, 0), (4, 4), (2, 2)]),
        ("b", [(0, 0), (0, 0), (0, 0)]),
        ("L", [("99/100", 1), ("99/100", 1), (10, "101/10")]),
    ],
    [DISTANCE],
    ["F 0 3 v0 v1 c0 c1 c2"],
)
MIRRORED = CIRCLES.replace("tape t0 5 7", "tape t0 5 8").replace("sub 10 4\n", "neg 10\nadd 11 4\n")
# x y, x - 9/10, y - 9/10
PRODUCTS = problem(
    [("x", 0, 1), ("y", 0, 1)],
    [],
    [tape(2, "mul 0 1"), tape(1, "const 9/10", "sub 0 1")],
    ["F 0 1 v0 v1", "G 1 1 v0", "H 1 1 v1"],
)
# sin x - m
SINE = problem([("x", "-1/10", "1/10")], [("m", [(1, "11/10")])], [tape(2, "sin 0", "sub 2 1")], ["F 0 1 v0 c0"])
# x + m^2, least within the measurement's box
VALLEY = problem([("x", 1, 2)], [("m", [(-1, 1)])], [tape(2, "sqr 1", "add 0 2")], ["F 0 1 v0 c0"])
# x + (2 m)^2; x + sqrt(m), which is not differentiable in m
STEEP = problem([("x", 1, 2)], [("m", [(-1, 1)])], [tape(2, "add 1 1", "sqr 2", "add 0 3")], ["F 0 1 v0 c0"])
EDGED = problem([("x", 1, 2)], [("m", [(0, 1)])], [tape(2, "sqrt 1", "add 0 2")], ["F 0 1 v0 c0"])
# 1/x + 2 and sqrt(x) + 2, undefined at 0; sqrt(-1 - x^2) nowhere defined
RECIPROCAL = problem([("x", -1, 1)], [], [tape(1, "const 1", "div 1 0", "const 2", "add 2 3")], ["F 0 1 v0"])
ROOT = problem([("x", 0, 1)], [], [tape(1, "sqrt 0", "const 2", "add 1 2")], ["F 0 1 v0"])
NOWHERE = problem([("x", 0, 1)], [], [tape(1, "sqr 0", "neg 1", "const -1", "add 2 3", "sqrt 4")], ["F 0 1 v0"])
DEAD = problem([("x", 0, 1)], [], [tape(1, "const -1", "sqrt 1", "sub 0 0")], ["F 0 1 v0"])
UNUSED = problem([("x", 0, 1), ("y", 0, 1)], [], [tape(1, "const 2", "add 0 1")], ["F 0 1 v1", "G 0 1 v0"])


def powers(*lines: str) -> str:
    return problem([("x", 0, 1)], [], [tape(1, *lines)], ["F 0 1 v0"])


SQUARED = powers("sqrt 0", "sqr 1", "const 2", "add 2 3")
SPLIT = ["split 0 1p-1", "evaluate 0 1", "evaluate 0 0"]
NUMBERS = ["values 11/20", "column m 1 0"]
FREE = ["values 1/2", "column m 1:0"]

VALID = {
    "split": certificate(LINE, lower="3/8", tree=SPLIT),
    "split-of-split": certificate(
        LINE, lower="3/8", tree=["split 0 3p-2", "split 0 1p-1", "evaluate 0 1", "evaluate 0 0", "evaluate 0 0"]
    ),
    "aggregate": certificate(LINE, lower="44/99", tree=["aggregate q0.0+1 q0.1-1"]).replace("44/99", "4/9"),
    "aggregate-mean-value": certificate(LINE, lower="4/9", tree=["aggregate m0.0+3 m0.1-3p0"]),
    "aggregate-mixed": certificate(LINE, lower="2/5", tree=["aggregate m0.0+1p-4096 q0.0+1 q0.1-1 m0.1-1p-4096"]),
    "witness": certificate(LINE, upper="23/50", witness=NUMBERS),
    "both": certificate(LINE, lower="4/9", upper="23/50", witness=NUMBERS, tree=["aggregate q0.0+1 q0.1-1"]),
    "prepare": certificate(LINE, lower="4/9", tree=["prepare 3", "prepare 1", "aggregate q0.0+1 q0.1-1"]),
    "point": certificate(LINE, point="point 0", lower="9/10", tree=["evaluate 0 1"]),
    "point-at-the-lower-bound": certificate(LINE, point="point -1", lower=1, tree=["evaluate 0 1"]),
    "point-at-the-upper-bound": certificate(LINE, point="point 1", lower="3/4", tree=["evaluate 0 0"]),
    "point-aggregate": certificate(LINE, point="point 1/3", lower="3/5", tree=["aggregate q0.1-1"]),
    "point-witness": certificate(LINE, point="point 3/5", upper="51/100", witness=["values 3/5", "column m 1 0.5"]),
    "intermediate-value": certificate(MEET, upper=0, witness=FREE),
    "intermediate-value-by-parts": certificate(MEET, upper=0, witness=["values 1/3", "column m 0.9:0.25"]),
    "shared": certificate(SHARED, scope="F G", upper=0, witness=["values 1/2", "column m 0.5"]),
    "scope-without-sharing": certificate(SHARED, scope="G", upper=0, witness=FREE),
    "tied": certificate(TWICE, lower="1/2", tree=["evaluate 0 0"]),
    "tied-aggregate": certificate(TWICE, lower="1/2", tree=["aggregate q0.0+1"]),
    "root-plus": certificate(CIRCLES, lower="9/10", tree=["aggregate q0.0+1 q0.1+1"]),
    "root-minus": certificate(CIRCLES, lower=5, tree=["aggregate q0.2-1"]),
    "square-of-a-pure-root": certificate(SQUARED, lower=1, tree=["aggregate q0.0+1"]),
    "root-minus-mean-value": certificate(CIRCLES, lower=5, tree=["split 0 0", "evaluate 0 2", "evaluate 0 2"]),
    "negative-root-minus": certificate(MIRRORED, lower="9/10", tree=["aggregate q0.0-1 q0.1-1"]),
    "negative-root-plus": certificate(MIRRORED, lower=5, tree=["aggregate q0.2+1"]),
    "products": certificate(PRODUCTS, scope="F G H", lower="1/4", tree=["aggregate q0.0+1 q1.0-1 q2.0-1 b0+1+1"]),
    "mean-value": certificate(SINE, lower="1/2", tree=["aggregate m0.0-1"]),
    "cells": certificate(VALLEY, lower="1/2", tree=["prepare 2", "aggregate q0.0+1"]),
    "cells-mean-value": certificate(VALLEY, lower="1/2", tree=["prepare 2", "aggregate m0.0+1"]),
    "cells-of-a-node": certificate(STEEP, lower="1/2", tree=["prepare 2", "aggregate q0.0+1"]),
    "derivative-in-x-only": certificate(EDGED, lower="1/2", tree=["aggregate m0.0+1"]),
    "root-to-zero": certificate(ROOT, lower=1, tree=["evaluate 0 0"]),
    "root-polynomial-zero": certificate(
        ROOT, lower=1, tree=["split 0 1p-1", "evaluate 0 0", "aggregate m0.0+1"]
    ).replace("aggregate m0.0+1", "prepare 1\naggregate m0.0+1"),
    "reciprocal-part": certificate(RECIPROCAL, point="point 1/2", lower=3, tree=["evaluate 0 0"]),
    "scope-second-family": certificate(UNUSED, scope="G", lower=1, tree=["evaluate 1 0"]),
    "scope-variables": certificate(UNUSED, scope="F", point="point 1/2", lower=1, tree=["aggregate q0.0+1"]),
    "lower-zero": certificate(LINE, lower=0, tree=["aggregate q0.0+1 q0.1-1"]),
}
PROBLEM_OF = {
    "intermediate-value": MEET,
    "intermediate-value-by-parts": MEET,
    "shared": SHARED,
    "scope-without-sharing": SHARED,
    "tied": TWICE,
    "tied-aggregate": TWICE,
    "root-plus": CIRCLES,
    "root-minus": CIRCLES,
    "square-of-a-pure-root": SQUARED,
    "root-minus-mean-value": CIRCLES,
    "negative-root-minus": MIRRORED,
    "negative-root-plus": MIRRORED,
    "products": PRODUCTS,
    "mean-value": SINE,
    "cells": VALLEY,
    "cells-mean-value": VALLEY,
    "cells-of-a-node": STEEP,
    "derivative-in-x-only": EDGED,
    "root-to-zero": ROOT,
    "root-polynomial-zero": ROOT,
    "reciprocal-part": RECIPROCAL,
    "scope-second-family": UNUSED,
    "scope-variables": UNUSED,
}


def tree(text: str, *lines: str, lower: object = "4/9", scope: str = "F", point: str = "box") -> tuple[str, str]:
    return text, certificate(text, scope=scope, lower=lower, point=point, tree=lines)  # type: ignore[arg-type]


def proof(text: str, *lines: str, upper: object = "23/50", scope: str = "F", point: str = "box") -> tuple[str, str]:
    return text, certificate(text, scope=scope, upper=upper, point=point, witness=lines)  # type: ignore[arg-type]


POSITIVE = "not proved to be positive"
FORGED: dict[str, tuple[tuple[str, str], str]] = {
    # split
    "split at the lower bound": (
        tree(LINE, "split 0 -1", *SPLIT[1:], lower="3/8"),
        "split: the point is not strictly between",
    ),
    "split at the upper bound": (
        tree(LINE, "split 0 1", *SPLIT[1:], lower="3/8"),
        "split: the point is not strictly between",
    ),
    "split outside": (tree(LINE, "split 0 2", *SPLIT[1:], lower="3/8"), "split: the point is not strictly between"),
    "split outside the child": (
        tree(LINE, "split 0 0", "split 0 1p-1", "evaluate 0 1", "evaluate 0 1", "evaluate 0 0", lower="3/8"),
        "node 1 (line 16): split: the point",
    ),
    "split a variable that is not": (tree(LINE, "split 1 0", *SPLIT[1:]), "split: variable 1 is not in the scope"),
    "split a variable out of scope": (
        tree(UNUSED, "split 1 1p-1", "evaluate 1 0", "evaluate 1 0", scope="G"),
        "variable 1 is not in the scope",
    ),
    "split at a rational": (tree(LINE, "split 0 1/2", *SPLIT[1:]), "number: '1/2' is not a dyadic number"),
    "split at a negative zero": (tree(LINE, "split 0 -0", *SPLIT[1:]), "'-0' is not a dyadic number"),
    "split at a negative zero exponent": (tree(LINE, "split 0 1p-0", *SPLIT[1:]), "'1p-0' is not a dyadic number"),
    "split of huge exponent": (tree(LINE, "split 0 1p-4097", *SPLIT[1:]), "exponent -4097"),
    "split with the children exchanged": (
        tree(LINE, "split 0 1p-1", "evaluate 0 0", "evaluate 0 1", lower="3/8"),
        "node 1 (line 16): evaluate",
    ),
    "split of a point": (
        tree(LINE, "split 0 0", *SPLIT[1:], point="point 0"),
        "split: the point is not strictly between",
    ),
    "split of two tokens": (tree(LINE, "split 0", *SPLIT[1:]), "is no node"),
    "split of four tokens": (tree(LINE, "split 0 0 0", *SPLIT[1:]), "is no node"),
    # the tree's shape
    "missing child": (tree(LINE, *SPLIT[:2], lower="3/8"), "tree: a child is missing"),
    "missing both children": (tree(LINE, "split 0 0"), "tree: a child is missing"),
    "missing child of prepare": (tree(LINE, "prepare 1"), "tree: a child is missing"),
    "node after the tree": (tree(LINE, *SPLIT, "evaluate 0 0", lower="3/8"), "'end' was expected"),
    "node after a leaf": (tree(LINE, "aggregate q0.0+1 q0.1-1", "aggregate q0.0+1 q0.1-1"), "'end' was expected"),
    "unknown rule": (tree(LINE, "trust 0 0"), "is no node"),
    "unknown rule in capitals": (tree(LINE, "Evaluate 0 0"), "is no node"),
    "open leaf": (tree(LINE, "open"), "open: there is no hull"),
    # prepare
    "prepare 0": (tree(LINE, "prepare 0", "aggregate q0.0+1 q0.1-1"), "prepare: 1 to 256 cells, not 0"),
    "prepare 257": (tree(LINE, "prepare 257", "aggregate q0.0+1 q0.1-1"), "prepare: 1 to 256 cells"),
    "prepare without cells": (tree(LINE, "prepare", "aggregate q0.0+1 q0.1-1"), "is no node"),
    "prepare with too few cells": (tree(VALLEY, "aggregate q0.0+1", lower="1/2"), POSITIVE),
    "prepare with three cells": (tree(VALLEY, "prepare 3", "aggregate q0.0+1", lower="9/10"), POSITIVE),
    # evaluate
    "evaluate a row that may be small": (tree(LINE, "evaluate 0 0", lower="3/8"), "evaluate: the row may reach"),
    "evaluate at equality": (tree(LINE, *SPLIT, lower="2/5"), "evaluate: the row may reach"),
    "evaluate the measurement's far end": (
        tree(LINE, "evaluate 0 1", point="point 0", lower="21/20"),
        "evaluate: the row may reach",
    ),
    "evaluate another family": (tree(UNUSED, "evaluate 0 0", scope="G", lower=1), "evaluate: there is no row 0."),
    "evaluate no family": (tree(LINE, "evaluate 7 0"), "evaluate: there is no row 7."),
    "evaluate no row": (tree(LINE, "evaluate 0 2"), "evaluate: there is no row 0.2"),
    "evaluate a negative row": (tree(LINE, "evaluate 0 -1"), "not a natural number"),
    "evaluate a division by zero": (tree(RECIPROCAL, "evaluate 0 0", lower="1/2"), "evaluate: the row may reach"),
    # aggregate
    "claim too large": (tree(LINE, "aggregate q0.0+1 q0.1-1", lower="9/20"), POSITIVE),
    "sign of the first row": (tree(LINE, "aggregate q0.0-1 q0.1-1"), POSITIVE),
    "sign of the second row": (tree(LINE, "aggregate q0.0+1 q0.1+1"), POSITIVE),
    "signs exchanged": (tree(LINE, "aggregate q0.0-1 q0.1+1"), POSITIVE),
    "signs exchanged, mean value": (tree(LINE, "aggregate m0.0-1 m0.1+1"), POSITIVE),
    "one row only": (tree(LINE, "aggregate q0.0+1"), POSITIVE),
    "weight too large": (tree(LINE, "aggregate q0.0+2 q0.1-1"), POSITIVE),
    "weight 0": (tree(LINE, "aggregate q0.0+0 q0.1-1"), "a weight is not a positive"),
    "weight 0p5": (tree(LINE, "aggregate q0.0+0p5 q0.1-1"), "a weight is not a positive"),
    "weight 0 of a product": (
        tree(PRODUCTS, "aggregate q0.0+1 b0+1+0", scope="F G H", lower="1/4"),
        "a weight is not a positive",
    ),
    "negative weight": (tree(LINE, "aggregate q0.0+-1 q0.1-1"), "is no term"),
    "negative weight, twice the sign": (tree(LINE, "aggregate q0.0--1 q0.1-1"), "is no term"),
    "weight with a plus": (tree(LINE, "aggregate q0.0++1 q0.1-1"), "is no term"),
    "rational weight": (tree(LINE, "aggregate q0.0+1/2 q0.1-1"), "is no term"),
    "decimal weight": (tree(LINE, "aggregate q0.0+0.5 q0.1-1"), "is no term"),
    "weight with a leading zero": (tree(LINE, "aggregate q0.0+01 q0.1-1"), "is no term"),
    "weight of huge exponent": (tree(LINE, "aggregate q0.0+1p4097 q0.1-1"), "exponent 4097"),
    "weight of negative zero exponent": (tree(LINE, "aggregate q0.0+1p-0 q0.1-1"), "'q0.0+1p-0' is no term"),
    "duplicate row": (tree(LINE, "aggregate q0.0+1 q0.1-1 q0.0+1"), "a term occurs twice"),
    "duplicate row of another weight": (tree(LINE, "aggregate m0.0+1 m0.0+2 m0.1-3"), "a term occurs twice"),
    "duplicate product": (
        tree(PRODUCTS, "aggregate q0.0+1 b0+1+1 b0+1+1", scope="F G H", lower="1/4"),
        "a term occurs twice",
    ),
    "no terms": (tree(LINE, "aggregate"), "there is no row among the terms"),
    "products only": (
        tree(PRODUCTS, "aggregate b0+1+1", scope="F G H", lower="1/4"),
        "there is no row among the terms",
    ),
    "row out of scope": (
        tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1 b0+1+1", scope="F G", lower="1/4"),
        "there is no row 2.",
    ),
    "no such row": (tree(LINE, "aggregate q0.0+1 q0.2-1"), "there is no row 0.2"),
    "no such family": (tree(LINE, "aggregate q1.0+1 q0.1-1"), "there is no row 1."),
    "form unknown": (tree(LINE, "aggregate p0.0+1 q0.1-1"), "is no term"),
    "form in capitals": (tree(LINE, "aggregate Q0.0+1 q0.1-1"), "is no term"),
    # products
    "product missing": (tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1", scope="F G H", lower="1/4"), POSITIVE),
    "product of the wrong sign": (
        tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1 b0-1+1", scope="F G H", lower="1/4"),
        POSITIVE,
    ),
    "product of the other wrong sign": (
        tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1 b0+1-1", scope="F G H", lower="1/4"),
        POSITIVE,
    ),
    "product of both wrong signs": (
        tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1 b0-1-1", scope="F G H", lower="1/4"),
        POSITIVE,
    ),
    "product with a weight too large": (
        tree(PRODUCTS, "aggregate q0.0+1 q1.0-1 q2.0-1 b0+1+3", scope="F G H", lower="1/4"),
        POSITIVE,
    ),
    "product out of order": (
        tree(PRODUCTS, "aggregate q0.0+1 b1+0+1", scope="F G H", lower="1/4"),
        "a product is not in order",
    ),
    "product of unlike signs out of order": (
        tree(PRODUCTS, "aggregate q0.0+1 b0-0+1", scope="F G H", lower="1/4"),
        "a product is not in order",
    ),
    "square out of order": (
        tree(PRODUCTS, "aggregate q0.0+1 b1-1+2 b1+1-2", scope="F G H", lower="1/4"),
        "a product is not in order",
    ),
    "product out of scope": (tree(PRODUCTS, "aggregate q1.0+1 b0+1+1", scope="G", lower="1/4"), "is not in the scope"),
    "product of no variable": (
        tree(PRODUCTS, "aggregate q0.0+1 b0+9+1", scope="F G H", lower="1/4"),
        "is not in the scope",
    ),
    "product without a sign": (tree(PRODUCTS, "aggregate q0.0+1 b0+1", scope="F G H", lower="1/4"), "is no term"),
    # roots
    "root: claim too large": (tree(CIRCLES, "aggregate q0.0+1 q0.1+1", lower="101/100"), POSITIVE),
    "root: wrong side": (tree(CIRCLES, "aggregate q0.0+1 q0.1-1", lower="9/10"), POSITIVE),
    "root: w not proved, one row": (tree(CIRCLES, "aggregate q0.0-1", lower=1), "w >= 0 is not proved"),
    "root: w not proved, large claim": (tree(CIRCLES, "aggregate q0.2-1", lower=11), "w >= 0 is not proved"),
    "negative root: w not proved": (tree(MIRRORED, "aggregate q0.0+1", lower=1), "w >= 0 is not proved"),
    "negative root: w not proved, large claim": (tree(MIRRORED, "aggregate q0.2+1", lower=11), "w >= 0 is not proved"),
    "root: side minus, claim too large": (tree(CIRCLES, "aggregate q0.2-1", lower=6), POSITIVE),
    "root: mean value at the apex": (tree(CIRCLES, "aggregate m0.2-1", lower=5), "a divisor contains 0"),
    "root: derivative at 0": (tree(ROOT, "aggregate m0.0+1", lower=1), "a divisor contains 0"),
    "derivative of a division by 0": (tree(RECIPROCAL, "aggregate m0.0+1", lower=1), "a divisor contains 0"),
    "degree of v": (tree(powers("sqr 0", "mul 0 1"), "aggregate q0.0+1", lower=0), "the degree of D or v exceeds 2"),
    "degree of D": (
        tree(powers("sqr 0", "sqr 1", "sqrt 2"), "aggregate q0.0+1", lower=0),
        "the degree of D or v exceeds 2",
    ),
    # witness
    "witness: claim too small": (proof(LINE, *NUMBERS, upper="2/5"), "row 0.0: witness: it may exceed upper"),
    "witness: below": (
        proof(LINE, "values 1/2", "column m 1 0", upper="9/20"),
        "row 0.1: witness: it may exceed",
    ),
    "witness: other ends": (proof(LINE, "values 11/20", "column m 0 0"), "row 0.0: witness: it may exceed"),
    "witness: fraction above 1": (proof(LINE, "values 11/20", "column m 1.1 0"), "not a fraction from 0 to 1"),
    "witness: fraction 2": (proof(LINE, "values 11/20", "column m 2 0"), "not a fraction from 0 to 1"),
    "witness: negative fraction": (proof(LINE, "values 11/20", "column m 1 -0.1"), "not a fraction from 0 to 1"),
    "witness: fraction of 41 digits": (
        proof(LINE, "values 11/20", "column m 1 0." + "0" * 41),
        "not a fraction from 0 to 1",
    ),
    "witness: fraction without digits": (proof(LINE, "values 11/20", "column m 1 0."), "not a fraction from 0 to 1"),
    "witness: rational fraction": (proof(LINE, "values 11/20", "column m 1/2 0"), "not a fraction from 0 to 1"),
    "witness: value above its bound": (
        proof(LINE, "values 2", "column m 1 0", upper=3),
        "witness: the value or an end of variable 0 is out of its bounds",
    ),
    "witness: value below its bound": (
        proof(LINE, "values -2", "column m 1 0", upper=5),
        "witness: the value or an end of variable 0 is out of its bounds",
    ),
    "witness: value not at the point": (
        proof(LINE, *NUMBERS, point="point 1/2"),
        "witness: the value or an end of variable 0 is out of its bounds",
    ),
    "witness: two values": (
        proof(LINE, "values 11/20 0", "column m 1 0"),
        "witness: 1 values or pairs of ends were expected, not 2",
    ),
    "witness: no value": (
        proof(LINE, "values", "column m 1 0"),
        "witness: 1 values or pairs of ends were expected, not 0",
    ),
    "witness: one token": (proof(LINE, "values 11/20", "column m 1"), "witness: column m takes 2 fractions, not 1"),
    "witness: three tokens": (
        proof(LINE, "values 11/20", "column m 1 0 0"),
        "witness: column m takes 2 fractions, not 3",
    ),
    "witness: no column": (proof(LINE, "values 11/20"), "witness: one line for each column"),
    "witness: other column": (proof(LINE, "values 11/20", "column n 1 0"), "witness: one line for each column"),
    "witness: column twice": (
        proof(LINE, "values 11/20", "column m 1 0", "column m 1 0"),
        "witness: one line for each column",
    ),
    "witness: column of no scope": (
        proof(UNUSED, "values 0", "column m 1", scope="G", upper=2),
        "witness: one line for each column",
    ),
    "s:t reversed": (proof(MEET, "values 1/2", "column m 0:1", upper=0), "may exceed upper"),
    "s:t that does not reach": (proof(MEET, "values 1/2", "column m 1:0.75", upper="1/8"), "or be below -upper"),
    "s:t of one end only": (proof(MEET, "values 1/2", "column m 0.25:0", upper="1/8"), "may exceed upper"),
    "s:t on a shared entry": (
        proof(SHARED, *FREE, scope="F G", upper=0),
        "witness: s:t in column m, whose entries are used more than once",
    ),
    "s:t on a shared entry, s = t": (
        proof(SHARED, "values 1/2", "column m 0.5:0.5", scope="F G", upper=0),
        "used more than once",
    ),
    "s:t on an entry bound twice": (proof(TWICE, "values 2", "column m 0:1", upper=9), "used more than once"),
    "s:t across a pole": (
        proof(
            problem([("x", 0, 1)], [("m", [(-1, 1)])], [tape(2, "div 0 1")], ["F 0 1 v0 c0"]),
            "values 1",
            "column m 0:1",
            upper="1/2",
        ),
        "row 0.0: enclosure: a divisor contains 0",
    ),
    "s:t across a gap of the domain": (
        proof(
            problem(
                [("x", 0, 0)],
                [("m", [(-3, 3)])],
                [tape(2, "sqr 1", "const -4", "add 2 3", "sqrt 4", "mul 5 1")],
                ["F 0 1 v0 c0"],
            ),
            "values 0",
            "column m 0:1",
            upper="1/2",
        ),
        "row 0.0: enclosure: a root reaches below 0",
    ),
    "s:t:u": (proof(MEET, "values 1/2", "column m 1:0:1", upper=0), "not a fraction from 0 to 1"),
    "s:": (proof(MEET, "values 1/2", "column m 1:", upper=0), "not a fraction from 0 to 1"),
    "witness of an undefined row": (proof(RECIPROCAL, "values 0", upper=9), "enclosure: a divisor"),
    "witness of a row without domain": (proof(NOWHERE, "values 0", upper=9), "enclosure: a root"),
    "witness of a row undefined at a dead node": (proof(DEAD, "values 0", upper=9), "enclosure: a root"),
    "witness of one family only": (
        proof(PRODUCTS, "values 0 0", scope="F G H", upper="1/10"),
        "row 1.0: witness: it may exceed",
    ),
    # scope and point
    "scope out of order": (
        proof(SHARED, "values 1/2", "column m 0.5", scope="G F", upper=0),
        "scope: at least one family, in the problem's order",
    ),
    "scope twice": (
        proof(SHARED, "values 1/2", "column m 0.5", scope="F F", upper=0),
        "scope: at least one family, in the problem's order",
    ),
    "scope unknown": (
        proof(SHARED, "values 1/2", "column m 0.5", scope="F X", upper=0),
        "scope: there is no family 'X'",
    ),
    "point above": (
        tree(LINE, "evaluate 0 1", point="point 2", lower="1/2"),
        "line 5: point: the value or an end of variable 0 is out of its bounds",
    ),
    "point below": (
        tree(LINE, "evaluate 0 1", point="point -2", lower="1/2"),
        "point: the value or an end of variable 0 is out of its bounds",
    ),
    "point of two values": (
        tree(LINE, "evaluate 0 1", point="point 0 0", lower="1/2"),
        "point: 1 values or pairs of ends were expected, not 2",
    ),
    "point of no values": (
        tree(LINE, "evaluate 0 1", point="point", lower="1/2"),
        "point: 1 values or pairs of ends were expected, not 0",
    ),
    "point of the problem's variables": (
        tree(UNUSED, "evaluate 0 0", point="point 0 0", lower=1),
        "point: 1 values or pairs of ends were",
    ),
    "box with a value": (tree(LINE, "evaluate 0 1", point="box 0", lower="1/2"), "'point' with its values or 'box'"),
    "neither point nor box": (
        tree(LINE, "evaluate 0 1", point="everywhere", lower="1/2"),
        "'point' with its values or 'box'",
    ),
}


def chain(depth: int) -> list[str]:
    splits = [f"split 0 {depth + 1 - k}p-20" for k in range(1, depth + 1)]
    return [*splits, *["evaluate 0 0"] * (depth + 1)]


FAR = problem([("x", 0, 1)], [("m", [(2, 3)])], [DIFFERENCE], ["F 0 1 v0 c0"])
