"""Measurements as further unknowns of an aggregate: valid certificates, and forged ones with the reason for each."""

from __future__ import annotations

from checker_texts import Forgeries, Number, Text, certificate, certificate6, grouped, problem, tape

from texts.rules import POSITIVE

# x - q and q + 3 - x with one q from -1 to 1: whatever q is, one of them is 3/2 or more
AWAY = tape(2, "const 3", "add 1 2", "sub 3 0")
TWIN = problem([("x", -9, 9)], [("q", [(-1, 1)])], [tape(2, "sub 0 1"), AWAY], ["A 0 1 v0 c0", "B 1 1 v0 c0"])
# two such pairs, and each row of A beside the other row of B
PAIRS = problem(
    [("x", -9, 9)],
    [("q", [(-1, 1), (2, 4)]), ("p", [(-1, 1), (2, 4)])],
    [tape(2, "sub 0 1"), AWAY],
    ["A 0 2 v0 c0", "B 1 2 v0 c0", "C 1 2 v0 c1"],
)
# x - q^2 and q^2 + 3 - x: not linear in what is shared
CURVED = problem(
    [("x", -9, 9)],
    [("q", [(-1, 1)])],
    [tape(2, "sqr 1", "sub 0 2"), tape(2, "sqr 1", "const 3", "add 2 3", "sub 4 0")],
    ["A 0 1 v0 c0", "B 1 1 v0 c0"],
)
# x q and 3 - x q, of both
PRODUCT = problem(
    [("x", 1, 2)],
    [("q", [(-1, 1)])],
    [tape(2, "mul 0 1"), tape(2, "mul 0 1", "const 3", "sub 3 2")],
    ["A 0 1 v0 c0", "B 1 1 v0 c0"],
)
# one column bound twice: x - q - q; and a measurement of its own beside the shared one
TWICE = problem(
    [("x", -9, 9)],
    [("q", [(-1, 1)]), ("m", [(0, "1/4")])],
    [tape(3, "sub 0 1", "sub 3 2"), tape(4, "const 3", "add 1 4", "add 2 5", "sub 6 0", "sub 7 3")],
    ["A 0 1 v0 c0 c0", "B 1 1 v0 c0 c0 c1"],
)
# the turned point (x + q, y - q) against (0, 0), and (x + q, y - q) against (4, 3): distances, 5 apart
TURNED = problem(
    [("x", -9, 9), ("y", -9, 9)],
    [("q", [(-1, 1)]), ("p", [(-1, 1)])],
    [
        tape(2, "add 0 1"),
        tape(2, "sub 0 1"),
        tape(2, "add 0 1", "const 4", "sub 2 3"),
        tape(2, "sub 0 1", "const 3", "sub 2 3"),
    ],
    ["A 0 1 v0 c0", "B 1 1 v1 c0", "C 2 1 v0 c0", "D 3 1 v1 c0", "E 2 1 v0 c1"],
)


def between(*operations: str, x: tuple[Number, Number] = (-1, 1), q: tuple[Number, Number] = (-1, 1)) -> str:
    """y + f(x, p, q) and 3 - y, so that the largest of both is 3/2 + f/2 at least; p is from -1 to 1."""
    return problem(
        [("y", -9, 9), ("x", *x)],
        [("p", [(-1, 1)]), ("q", [q])],
        [tape(4, *operations), tape(4, "const 3", "sub 4 0", "const 0", "mul 6 1", "add 5 7")],
        ["A 0 1 v0 v1 c0 c1", "B 1 1 v0 v1 c0 c1"],
    )


SQUARE = between("sqr 3", "add 0 4")  # q^2: least between the ends
RISING = between("sqr 3", "const 3", "mul 3 5", "add 4 6", "add 0 7")  # q^2 + 3 q: least at -1, there -2
FALLING = between("sqr 3", "const 3", "mul 3 5", "sub 4 6", "add 0 7")  # q^2 - 3 q: least at 1, there -2
HARDLY = between("sqr 3", "const 3/2", "mul 3 5", "add 4 6", "add 0 7")  # q^2 + 3/2 q: least at -3/4, there -9/16
BESIDE = between("mul 1 3", "add 0 4", q=(1, 3))  # x q: least at x = -1, q = 3, there -3
OTHERS = between("mul 2 3", "add 0 4", q=(1, 3))  # p q: the same of two measurements
# p q + q^2 / 8, q from 1 to 3: p first, then q: least at p = -1, q = 3, there -15/8
IN_TURN = between("mul 2 3", "sqr 3", "const 1/8", "mul 5 6", "add 4 7", "add 0 8", q=(1, 3))
# p (q + 2) + q^2 / 4: the same, least at q = 1, there -11/4
THEN = between("const 2", "add 3 4", "mul 2 5", "sqr 3", "const 1/4", "mul 7 8", "add 6 9", "add 0 10")
# q (x + 2) + q^2, q from -1/4 to 1/4: least at q = -1/4, x = 1, there -11/16
TILTED = between("const 2", "add 1 4", "mul 3 5", "sqr 3", "add 6 7", "add 0 8", q=("-1/4", "1/4"))
BOTH = ("model rows 0 1 A B",)
Groups = tuple[str, ...]


def tree(text: str, *lines: str, lower: Number = "149/100", groups: Groups = BOTH, **more: object) -> Text:
    return text, certificate6(text, *groups, lower=lower, tree=lines, **more)  # type: ignore[arg-type]


SUM = "aggregate c0 m0.0+1 m1.0+1"
ALL = ("model rows 0 1 A B C",)
BALLS = ("model euclidean 0 1 A B", "model euclidean 0 1 C D")
JOINT = "aggregate c0 m0.0+4 m1.0+3 m2.0-4 m3.0-3"

VALID: dict[str, Text] = {
    **{form: tree(TWIN, SUM.replace("m", form)) for form in "mtq"},
    "both sides": tree(TWIN, "aggregate c0 m0.0+1 m1.0+1 m0.0-1p-12"),
    "in a system": (TWIN, certificate6(TWIN, "model rows 0 1 A B", kind="system", lower=0, tree=[SUM])),
    "of the first rows": tree(PAIRS, SUM, groups=ALL),
    "of the second rows": tree(PAIRS, "aggregate c0 m0.1+1 m1.1+1", groups=ALL),
    "both columns": tree(PAIRS, "aggregate c0 c1 m0.1+1 m1.1+1", groups=ALL),
    "alone": tree(PAIRS, "aggregate m0.1+1 m2.1+1", groups=ALL, lower="49/100"),
    "one column, not the other": tree(PAIRS, "aggregate c1 m0.1+1 m2.1+1", groups=ALL, lower="49/100"),
    "other rows, far apart": tree(PAIRS, "aggregate c0 m0.0+1 m1.1+1", groups=ALL, lower="199/100"),
    "not linear, second order": tree(CURVED, SUM.replace("m", "t")),
    "not linear, polynomials": tree(CURVED, SUM.replace("m", "q")),
    "products, second order": tree(PRODUCT, SUM.replace("m", "t")),
    "products, polynomials": tree(PRODUCT, SUM.replace("m", "q")),
    "bound twice": tree(TWICE, "aggregate c0 m0.0+1 m1.0+1", lower="137/100"),
    "bound twice, all unknown": tree(TWICE, "aggregate c0 c1 m0.0+1 m1.0+1", lower="137/100"),
    "distances": tree(TURNED, JOINT, lower="249/100", groups=BALLS),
    **{
        f"at an end: {name}, {form}": tree(text, f"aggregate c0 c1 {form}0.0+1 {form}1.0+1", lower=lower)
        for form in "tq"
        for name, text, lower in (
            ("rising", RISING, "49/100"),
            ("falling", FALLING, "49/100"),
            ("in turn", IN_TURN, "14/25"),
            ("first one, then another", THEN, "3/25"),
            ("with a variable", TILTED, "23/20"),
            ("at none", SQUARE, "149/100"),
        )
    },
    "prepared": tree(TWIN, "split 0 0", "prepare 2", SUM, SUM),
    "in a frame": tree(TURNED, "frame 0 0 1 1 1 -1", JOINT, lower="249/100", groups=BALLS),
    "wider": tree(TWIN, SUM, factor=7),
    "left out": tree(PAIRS, "hitting 2", SUM, "aggregate c0 m0.1+1 m1.1+1", groups=ALL, discard=1),
}

FALSE = {
    **{
        f"{form}, {lower}": (tree(TWIN, SUM.replace("m", form), lower=lower), POSITIVE)
        for form in "mtq"
        for lower in ("3/2", "151/100", 2, 3)
    },
    **{
        f"apart, {leaf}": (tree(TWIN, f"aggregate {leaf}"), POSITIVE)
        for leaf in ("m0.0+1 m1.0+1", "q0.0+1 q1.0+1", "c0 m0.0+1 m1.0-1", "c0 m0.0+2 m1.0+1", "c0 m0.0+1 m1.0+2")
    },
    **{
        f"wider, {factor}": (tree(TWIN, "aggregate m0.0+1 m1.0+1", lower="1/2", factor=factor), POSITIVE)
        for factor in (1, 2, 9)
    },
    **{
        f"distances, {lower}": (tree(TURNED, JOINT, lower=lower, groups=BALLS), POSITIVE)
        for lower in ("5/2", "251/100", 3, 5)
    },
}
# each row has its own entry, each column its own
OTHER = {
    **{
        f"{leaf}, {lower}": (tree(PAIRS, f"aggregate {leaf}", lower=lower, groups=ALL), POSITIVE)
        for leaf, lower in (
            ("c0 m0.0+1 m2.0+1", "1/2"),
            ("c0 m0.1+1 m2.1+1", "1/2"),
            ("c1 m0.0+1 m2.0+1", "1/2"),
            ("c0 c1 m0.0+1 m2.0+1", "1/2"),
            ("c0 c1 m0.1+1 m2.1+1", 1),
            ("c0 m0.1+1 m1.0+1", "1/2"),
            ("c0 c1 m0.1+1 m2.0+1", 0),
            ("c0 m0.0+1 m1.1+1", 2),
            ("c1 m0.0+1 m1.0+1", "1/2"),
            ("c1 m0.1+1 m1.1+1", "149/100"),
        )
    },
    "distances": (
        tree(TURNED, "aggregate c0 c1 m0.0+1 m4.0-1", lower="3/2", groups=(*BALLS, "model rows 0 1 E")),
        POSITIVE,
    ),
}
# accepted, and false, if the derivatives were taken at the middle of what is shared, or not at all
SLOPES = {
    **{
        f"{name} {leaf}, {lower}": (tree(text, f"aggregate {leaf}", lower=lower), POSITIVE)
        for name, text in (("curved", CURVED), ("product", PRODUCT))
        for leaf, lower in (
            ("c0 m0.0+1 m1.0+1", "149/100"),
            ("c0 m0.0+1 m1.0+1", 1),
            ("c0 t0.0+1 t1.0+1", "3/2"),
            ("c0 q0.0+1 q1.0+1", "3/2"),
            ("c0 t0.0+1 q1.0+1", 2),
            ("c0 m0.0+1", 0),
            ("c0 q0.0-1", 0),
        )
    },
    **{
        f"twice {leaf}": (tree(TWICE, f"aggregate {leaf}", lower="11/8"), POSITIVE)
        for leaf in ("c0 m0.0+1 m1.0+1", "c0 c1 m0.0+1 m1.0+1", "c0 t0.0+1 t1.0+1", "m0.0+1 m1.0+1")
    },
}
# accepted, and false, if an end were taken where the derivative has both signs, or the other end
ENDS = {
    f"{name}, {form}, {lower}": (tree(text, f"aggregate c0 c1 {form}0.0+1 {form}1.0+1", lower=lower), POSITIVE)
    for form in "tq"
    for name, text, lowers in (
        ("a square", SQUARE, ("3/2", "7/4", "199/100")),
        ("rising", RISING, ("1/2", "3/2", "349/100")),
        ("falling", FALLING, ("1/2", "3/2", "349/100")),
        ("a square counts twice", HARDLY, ("61/50", "123/100", "31/25")),
        ("over the variables", BESIDE, (0, "1/2", "99/100")),
        ("over the other measurements", OTHERS, (0, "1/2", "99/100")),
        ("one after the other", IN_TURN, ("9/16", "7/8", "21/16")),
        ("first one, then another", THEN, ("1/8", "1/4", "1/2")),
        ("with a variable", TILTED, ("37/32", "5/4", "11/8")),
    )
    for lower in lowers
}
LISTED = "these are no columns of the scope, in order, each once"
COLUMNS = {
    **{
        words: (tree(PAIRS, f"aggregate {words} m0.0+1 m1.0+1", groups=ALL), LISTED)
        for words in ("c0 c0", "c1 c0", "c0 c1 c0", "c2", "c0 c2", "c1 c1", "c0 c1 c1", "c3", "c64", f"c{10**19}")
    },
    **{
        f"of another scope: {words}": (
            tree(PAIRS, f"aggregate {words} m0.0+1 m1.0+1"),
            LISTED,
        )
        for words in ("c1", "c0 c1")
    },
}
TERMS = {
    f"{leaf}": (tree(TWIN, f"aggregate {leaf}"), reason)
    for leaf, reason in (
        ("m0.0+1 c0 m1.0+1", "'c0' is no term"),
        ("m0.0+1 m1.0+1 c0", "'c0' is no term"),
        ("c m0.0+1 m1.0+1", "'c' is no term"),
        ("c00 m0.0+1 m1.0+1", "'c00' is no term"),
        ("c-1 m0.0+1 m1.0+1", "'c-1' is no term"),
        ("c+0 m0.0+1 m1.0+1", "'c+0' is no term"),
        ("c0+1 m0.0+1 m1.0+1", "'c0+1' is no term"),
        ("c0.0 m0.0+1 m1.0+1", "'c0.0' is no term"),
        ("cq m0.0+1 m1.0+1", "'cq' is no term"),
        ("C0 m0.0+1 m1.0+1", "'C0' is no term"),
        ("c0", "there is no row among the terms"),
        ("c0 b0+0-1", "there is no row among the terms"),
        ("c0 m0.0+1 m1.0+1 b1+1-1", "variable 1 is not in the scope"),
    )
}
EXACT = TWIN.replace("\n-1 1\n", "\n1 1\n")
ONLY = "measurements are unknowns in version 6 only, with the norm largest"
ALLOWED = {
    **{
        f"version 5, {form}, {lower}": (
            (TWIN, certificate(TWIN, scope="A B", lower=lower, tree=[SUM.replace("m", form)])),
            ONLY,
        )
        for form in "mtq"
        for lower in (0, 1, "149/100")
    },
    **{
        f"squares, {form}": (
            tree(EXACT, SUM.replace("m", form), lower="1/9", norm="squares"),
            ONLY,
        )
        for form in "mtq"
    },
}
GROUPS: dict[str, Forgeries] = {
    "false": FALSE,
    "other": OTHER,
    "slopes": SLOPES,
    "ends": ENDS,
    "columns": COLUMNS,
    "terms": TERMS,
    "allowed": ALLOWED,
}
FORGED = grouped(GROUPS)
