"""Version 6: kinds of claims, roles, groups under a norm, a factor on half-widths; forged ones with the reason."""

from __future__ import annotations

from checker_texts import Forgeries, Number, TapeWriter, Text, certificate6, change, grouped, problem, tape

from texts.rules import POSITIVE

DIFFERENCE = tape(2, "sub 0 1")
# points (x, y) measured as (0, 0) and (4, 3), 5 apart: the least of the largest distances is 5/2, at (2, 3/2)
APART = problem(
    [("x", -9, 9), ("y", -9, 9)],
    [("m", [(0, 0), (4, 4)]), ("n", [(0, 0), (3, 3)])],
    [DIFFERENCE],
    ["A 0 2 v0 c0", "B 0 2 v1 c1"],
)
# the same with half-widths of 1/2: the boxes are (3, 2) apart
WIDE = APART.replace("\n0 0\n4 4\n", "\n-1/2 1/2\n7/2 9/2\n").replace("\n0 0\n3 3\n", "\n-1/2 1/2\n5/2 7/2\n")
# x and y measured by three points at once, one of them far away: (0, 0), (4, 3), (100, 100)
OUTLIER = problem(
    [("x", -99, 99), ("y", -99, 99)],
    [("m", [(0, 0), (4, 4), (100, 100)]), ("n", [(0, 0), (3, 3), (100, 100)])],
    [DIFFERENCE],
    ["A 0 3 v0 c0", "B 0 3 v1 c1"],
)
# beside the points a row of its own, x - k, and one that is not as long
BESIDE = APART.replace("columns 2", "columns 3").replace("tapes 1", "column k mm 1\n1 1\ntapes 1")
BESIDE = BESIDE.replace("families 2", "families 3").replace("\nend\n", "\nC 0 1 v0 c2\nend\n")
# a root, a condition and an equation: x^2 = 2, x - m with m from 0 to 3
SYSTEM = problem(
    [("x", -2, 2)],
    [("m", [(0, 3)])],
    [tape(1, "sqr 0", "const 2", "sub 1 2"), DIFFERENCE],
    ["E 0 1 v0", "C 1 1 v0 c0"],
)
# x <= -1 and x >= 1 are violated or just met on [-1/2, 1/2] nowhere
INSIDE = problem(
    [("x", "-1/2", "1/2")],
    [("m", [(-9, -1)]), ("n", [(1, 9)])],
    [DIFFERENCE],
    ["V 0 1 v0 c0", "W 0 1 v0 c1"],
)
BALL = "model euclidean 0 1 A B"
JOINT = "aggregate m0.0+4 m1.0+3 m0.1-4 m1.1-3"
MIDDLE = ["values 2 3/2", "column m 0 0", "column n 0 0"]
Groups = tuple[str, ...]
PARTS = ("equation rows 0 1 E", "condition rows 0 1 C")


def tree(text: str, groups: Groups, *lines: str, lower: Number = "12/5", **more: object) -> Text:
    return text, certificate6(text, *groups, lower=lower, tree=lines, **more)  # type: ignore[arg-type]


def proof(text: str, groups: Groups, *lines: str, upper: Number = "5/2", **more: object) -> Text:
    return text, certificate6(text, *groups, upper=upper, witness=lines, **more)  # type: ignore[arg-type]


def system(*lines: str, groups: Groups = PARTS, **more: object) -> Text:
    return SYSTEM, certificate6(SYSTEM, *groups, kind="system", tree=lines, **more)  # type: ignore[arg-type]


def inside(*lines: str, groups: Groups = ("violation rows 0 1 V W",), **more: object) -> Text:
    given = {"discard": 1, "lower": 0} | more
    return INSIDE, certificate6(INSIDE, *groups, kind="violations", tree=lines, **given)  # type: ignore[arg-type]


# the square root of x - 10 beside y: a coordinate that has no value
ROOTED = APART.replace("tapes 1", "tapes 2").replace(
    "families 2", "tape t1 2 4\nconst 10\nsub 0 2\nsqrt 3\nsub 4 1\nfamilies 2"
)
ROOTED = ROOTED.replace("A 0 2", "A 1 2")


def system_of(writer: TapeWriter, leaf: str, group: str, **more: object) -> Text:
    """The system with another condition."""
    text = problem([("x", -2, 2)], [("m", [(6, 9)])], [tape(1, "sqr 0"), writer], ["E 0 1 v0", "C 1 1 v0 c0"])
    return text, certificate6(text, "equation rows 0 1 E", group, kind="system", tree=[leaf], **more)  # type: ignore[arg-type]


ROWS = ("model rows 0 1 A B",)
LARGEST = ("model largest 0 1 A B",)
NEVER = ["hitting 2", "evaluate 0 0", "evaluate 1 0"]
ONE = {"zeros": 1, "isolated": ["zero 5p-2 3p-1", "inverse 11p-5"]}
LAST = ["evaluate 1 2", "evaluate 1 0"]
SHARED = SYSTEM.replace("families 2", "families 3").replace("\nend\n", "\nD 1 1 v0 c0\nend\n")
LEFT = ["split 0 -1p-1", "evaluate 1 0", "split 0 1", "evaluate 0 0", "split 0 5p-2", "evaluate 0 0", "split 0 3p-1"]
FIELD = {"within": 0, "hull": ["5/4 3/2"]}
OUT = ["hitting 3", JOINT, "aggregate m0.0+1 m1.0+1 m0.2-1 m1.2-1", "aggregate m0.1+1 m1.1+1 m0.2-1 m1.2-1"]
WITHOUT = [MIDDLE[0], "without 1.2", "column m 0 0 0", "column n 0 0 0"]
HALF = [MIDDLE[0], "column m 1 0", "column n 1 0"]
TWO = (BALL, "model rows 0 1/8 C")

VALID: dict[str, Text] = {
    "a distance": tree(APART, (BALL,), JOINT),
    "second order": tree(APART, (BALL,), JOINT.replace("m0", "t0").replace("m1", "t1")),
    "both ends": (APART, certificate6(APART, BALL, lower="249/100", upper="5/2", witness=MIDDLE, tree=[JOINT])),
    "of boxes": tree(WIDE, (BALL,), "aggregate m0.0+3 m1.0+2 m0.1-3 m1.1-2", lower="9/5"),
    "rows of a distance alone": tree(APART, (BALL,), "aggregate q0.0+1 q0.1-1", lower="199/100"),
    "one row": tree(APART, ROWS, "aggregate q0.0+1 q0.1-1", lower="199/100"),
    "the larger of two": tree(APART, LARGEST, "aggregate q0.0+1 q0.1-1", lower="199/100"),
    "apart": tree(APART, (BALL,), "evaluate 0 1", lower=14, point="point -9 -5"),
    "from the other row": tree(APART, (BALL,), "evaluate 1 1", lower=14, point="point -9 -5"),
    "twice the bound": tree(APART, ("model euclidean 0 2 A B",), JOINT, lower="6/5"),
    "half of it stands": tree(APART, ("model euclidean 5/4 1 A B",), JOINT, lower="6/5"),
    "a bound that stands": tree(APART, ("model euclidean 12/5 0 A B",), JOINT, lower=10**9),
    "two bounds": tree(BESIDE, TWO, JOINT),
    "two bounds together": tree(BESIDE, TWO, "aggregate m0.1-1 q2.0+1", lower="5/2"),
    "a witness": proof(APART, (BALL,), *MIDDLE),
    "a witness within a bound": proof(APART, ("model euclidean 1/2 2 A B",), *MIDDLE, upper=1),
    "a witness of two bounds": proof(BESIDE, (BALL, "model rows 0 2/5 C"), *MIDDLE, "column k 0"),
    "at a point": tree(APART, (BALL,), "evaluate 0 1", lower="49/10", point="point 0 0"),
    "a hull": (
        APART,
        certificate6(APART, BALL, within=3, hull=["-1 9", "-9 9"], tree=["split 0 -1", "evaluate 0 1", "open"]),
    ),
    "one left out": tree(OUTLIER, (BALL,), *OUT, discard=1),
    "one left out of the larger": tree(OUTLIER, LARGEST, *OUT, lower="3/2", discard=1),
    "a witness that leaves one out": proof(OUTLIER, (BALL,), *WITHOUT, discard=1),
    "no half-widths": tree(WIDE, (BALL,), JOINT, factor=0),
    "twice the half-widths": tree(WIDE, (BALL,), "aggregate m0.0+2 m1.0+1 m0.1-2 m1.1-1", lower="11/10", factor=2),
    "a witness of wider ones": proof(WIDE, (BALL,), *HALF, upper="9/8", factor=2),
    "squares at the middle": proof(WIDE, ROWS, *HALF, norm="squares", factor=0, upper="25/2"),
    "a system": system(*LEFT, "known 0", "evaluate 0 0", **ONE),
    "a longer condition": system_of(
        tape(2, "sqr 0", "const 1", "add 2 3", "sub 4 1"), "evaluate 1 0", "condition rows 0 1 C", lower=0
    ),
    "a coordinate nowhere": tree(ROOTED, (BALL,), "evaluate 0 0", lower=10**9),
    "no solution at a point": system("evaluate 0 0", point="point 1", lower=0),
    "solutions within a hull": system(*LEFT, "open", "evaluate 0 0", **FIELD),
    "inside": inside(*NEVER),
    "inside but for a hull": inside("split 0 0", *NEVER, "open", lower="none", within=0, hull=["0 1/2"], volume="1/2"),
}

BASE, OF_SYSTEM, OF_INSIDE = VALID["a distance"], VALID["a system"], VALID["inside"]
NONE, REACH, MAY = "is none of ", "the row may reach [-level, level]", "it may exceed upper"
ORDER = "at least one family, in the problem's order, each once"


def changed(base: Text, old: str, *news: tuple[str, str]) -> Forgeries:
    """One text replaced, with the reason for each."""
    return {f"{old!r}: {new!r}": (change(base, old, new), reason) for new, reason in news}


CLAIM = changed(
    BASE,
    "claim errors\n",
    ("", "line 4: text: a line 'claim' was expected"),
    ("claim\n", "line 4: text: 'claim' takes 1 tokens, not 0"),
    ("claim errors errors\n", "line 4: text: 'claim' takes 1 tokens, not 2"),
    ("claim errors\nclaim errors\n", "line 5: text: a line 'groups'"),
    ("scope A B\nclaim errors\n", "line 4: text: a line 'claim'"),
    *((f"claim {word}\n", f"line 4: claim: '{word}' {NONE}") for word in ("error", "ERRORS", "systems", "violation")),
    *((f"claim {word}\n", f"line 4: claim: '{word}' {NONE}") for word in ("model", "none", "set", "inner", "0")),
)
VERSION = changed(
    BASE,
    "certify-certificate 6\n",
    ("certify-certificate 5\n", "line 4: text: a line 'scope'"),
    *(
        (f"certify-certificate{word}\n", "line 1: text: ")
        for word in ("", " 7", " 60", " 06", " 6.0", " 6 6", " 66", " -6", " six", " 4")
    ),
)
LINE_OF = f"group {BALL}\n"
GROUP = {
    **changed(
        BASE,
        LINE_OF,
        ("", "line 6: text: a line 'group' was expected"),
        ("group model euclidean 0 1\n", "line 6: group: ROLE NORM BASE SCALE NAME..."),
        ("group model euclidean A B\n", "line 6: group: ROLE NORM BASE SCALE NAME..."),
        ("group model euclidean 0 A B\n", "line 6: number: 'A'"),
        *(
            (f"group{words}\n", "line 6: group: ROLE NORM BASE SCALE NAME... was expected")
            for words in ("", " model", " A", " A B", " model A B", " model euclidean", " 0 1 A B", " model 0 1 A")
        ),
        ("group euclidean model 0 1 A B\n", f"line 6: group: 'euclidean' {NONE}model"),
        *((f"group {role} euclidean 0 1 A B\n", f"group: '{role}' {NONE}") for role in ("equation", "condition")),
        *((f"group {role} euclidean 0 1 A B\n", f"group: '{role}' {NONE}") for role in ("violation", "none", "Model")),
        *((f"group model {norm} 0 1 A B\n", f"group: '{norm}' {NONE}rows") for norm in ("squares", "row", "ball")),
        *((f"group model {norm} 0 1 A B\n", f"group: '{norm}' {NONE}rows") for norm in ("below", "cone", "euclid")),
        ("group model semidefinite 0 1 A B\n", f"group: 'semidefinite' {NONE}rows"),
        ("group model euclidean -1 1 A B\n", "line 6: claim: '-1' is negative"),
        ("group model euclidean 0 -1 A B\n", "line 6: claim: '-1' is negative"),
        ("group model euclidean 0.0 1 A B\n", "line 6: number"),
        ("group model euclidean 0 1p0 A B\n", "line 6: number"),
        ("group model euclidean 0 1 0 B\n", "line 6: name"),
    ),
    **changed(
        BASE,
        "groups 1\n",
        ("", "line 5: text: a line 'groups'"),
        ("groups 0\n", "line 6: text: 'part' or 'point' with its values or 'box'"),
        ("groups 2\n", "line 7: text: a line 'group'"),
        ("groups one\n", "line 5: number"),
        ("groups 01\n", "line 5: number"),
        ("groups\n", "line 5: text"),
    ),
}
SCOPE = {
    **{
        names: (change(BASE, " A B\n", f" {names}\n"), reason)
        for names, reason in (
            ("B A", ORDER),
            ("A A", ORDER),
            ("A B A", ORDER),
            ("A B B", ORDER),
            ("A C", "there is no family 'C'"),
            ("a b", "there is no family 'a'"),
            ("A B C", "there is no family 'C'"),
        )
    },
    **{
        f"{first}, {second}": (
            change(tree(BESIDE, TWO, JOINT), f"group {BALL}\ngroup {TWO[1]}\n", f"group {first}\ngroup {second}\n"),
            ORDER,
        )
        for first, second in (
            (TWO[1], BALL),
            ("model rows 0 1 B", "model rows 0 1 A"),
            ("model rows 0 1 A C", "model rows 0 1 A"),
            ("model rows 0 1 B C", "model rows 0 1 A"),
            ("model rows 0 1 A B", "model rows 0 1 B C"),
            ("model rows 0 1 C A", "model rows 0 1 B"),
        )
    },
}
UNEQUAL = {
    f"{norm}: {names}, {others}": (
        tree(BESIDE, (f"model {norm} 0 1 {names}", *others), JOINT),
        "have not equally many rows",
    )
    for norm in ("largest", "euclidean")
    for names, others in (
        ("A B C", ()),
        ("A C", ()),
        ("B C", ()),
        ("A C", ("model rows 0 1 B",)),
        ("B C", ("model rows 0 1 A",)),
        ("A B C", ("model rows 0 1 A",)),
    )
}


def shaped(role: str, kind: str, *lines: str, bound: str = "v0 c0", inputs: int = 2, rows: int = 1) -> Text:
    """A system, or violations, of one family of this tape."""
    columns: list[tuple[str, list[tuple[object, object]]]] = [("m", [(1, 3)] * rows), ("n", [(1, 3)] * rows)]
    text = problem([("x", -2, 0)], columns, [tape(inputs, *lines)], [f"F 0 {rows} {bound}"])
    more = {"discard": rows - 1} if kind == "violations" else {}
    return text, certificate6(
        text,
        f"{role} rows 0 1 F",
        kind=kind,
        lower=0,
        tree=["evaluate 0 0"],
        **more,  # type: ignore[arg-type]
    )


FORM = "has not the form of its role"
OTHER_FORMS = {
    f"{role}, {', '.join(lines)} of {bound}": (shaped(role, kind, *lines, bound=bound, inputs=inputs), FORM)
    for role, kind in (("condition", "system"), ("violation", "violations"))
    for lines, bound, inputs in (
        (["sub 1 0"], "v0 c0", 2),
        (["add 0 1"], "v0 c0", 2),
        (["sub 0 1", "neg 2"], "v0 c0", 2),
        (["mul 0 1", "sub 2 1"], "v0 c0", 2),
        (["sub 1 1"], "v0 c0", 2),
        (["sub 0 1"], "c1 c0", 2),
        (["add 0 1", "sub 3 2"], "v0 c0 c0", 3),
        (["add 0 1", "sub 3 2"], "v0 c0 c1", 3),
        (["sub 0 1", "sub 2 0"], "v0 c0", 2),
    )
}
ROLES = {
    **OTHER_FORMS,
    "an equation with a measurement": (shaped("equation", "system", "sub 0 1"), FORM),
    "a condition without one": (shaped("condition", "system", "sqr 0", bound="v0", inputs=1), FORM),
    "a model without one": (shaped("model", "system", "sqr 0", bound="v0", inputs=1), FORM),
    "shared": (
        (SHARED, certificate6(SHARED, PARTS[0], f"{PARTS[1]} D", kind="system", lower=0, tree=["evaluate 0 0"])),
        FORM,
    ),
}
DISCARD = {
    f"{count} of {rows}": (
        change(shaped("violation", "violations", "sub 0 1", rows=rows), f"discard {rows - 1}", f"discard {count}"),
        "role: of violations all rows but one are discarded",
    )
    for rows, count in ((1, 1), (1, 2), (1, 64), (2, 0), (2, 2), (3, 0), (3, 1), (3, 3), (5, 3), (5, 5), (5, 0))
}
LEVEL = "what is no claim about errors is about level 0, with factor 1"
KINDS = {
    **{
        f"system at {lower}": (system("evaluate 0 0", point="point 1", lower=lower), LEVEL)
        for lower in (1, "1/2", f"1/{10**300}")
    },
    **{f"violations at {lower}": (inside(*NEVER, lower=lower), LEVEL) for lower in ("1/4", 1, f"1/{10**300}")},
    **{
        f"half-widths times {factor}": (change(base, "factor 1\n", f"factor {factor}\n"), LEVEL)
        for base in (OF_SYSTEM, OF_INSIDE)
        for factor in (0, 2, "1/2", "999999/1000000")
    },
    "system within": (system(*LEFT, "open", "evaluate 0 0", **(FIELD | {"within": "1/9"})), LEVEL),
    "an upper end of a system": (
        (SYSTEM, certificate6(SYSTEM, *PARTS, kind="system", upper=1, witness=["values 1", "column m 0"])),
        LEVEL,
    ),
}
SQUARED = proof(WIDE, ROWS, *HALF, norm="squares", factor=0, upper="25/2")
MINIMUM = {"minimum": "local 99", "norm": "squares", "isolated": ["zero 0 1 0 1", "inverse 1 0 0 1"]}
SORT = "squares are of errors, zeros of a system"
SORTS = {
    **{
        f"zeros of errors, {count}": ((SYSTEM, certificate6(SYSTEM, "model rows 0 1 E C", **given)), SORT)
        for count, given in enumerate(({"zeros": 0, "isolated": []}, ONE | {"tree": ["evaluate 0 0"]}, ONE))
    },
    **{
        f"zeros of violations, {count}": (inside(*NEVER, lower="none", discard=0, **given), SORT)
        for count, given in enumerate(({"zeros": 0, "isolated": []}, ONE))
    },
    **{
        f"{kind}, {name}": (
            (text, certificate6(text, *groups, kind=kind, norm="squares", **given)),  # type: ignore[arg-type]
            SORT,
        )
        for kind, text, groups in (("system", SYSTEM, PARTS), ("violations", INSIDE, ("violation rows 0 1 V W",)))
        for name, given in (
            ("lower", {"lower": 0, "tree": ["evaluate 0 0"]}),
            ("upper", {"upper": 0, "witness": ["values 1", "column m 0"]}),
            ("minimum", {"minimum": "local 9", "isolated": ["zero 0 1", "inverse 1"]}),
        )
    },
}
HIGH = {
    f"{value}, {discard}": (
        (
            INSIDE,
            certificate6(
                INSIDE,
                "violation rows 0 1 V W",
                kind="violations",
                discard=discard,
                upper=0,
                witness=[f"values {value}", "without", "column m 0", "column n 0"],
            ),
        ),
        "violations have no upper end",
    )
    for discard in (1, 2)
    for value in (0, "1/2", "-1/2", "1/3", "1/4", "1/5")
}
ORDINARY = "a group has another norm than rows, another bound than e"
BOUNDS = {
    **{
        f"system: {group}": (change(OF_SYSTEM, "equation rows 0 1 E", f"equation {group} E"), ORDINARY)
        for group in ("largest 0 1", "euclidean 0 1", "rows 1 1", "rows 0 2", "rows 0 0", "rows 1/9 0")
    },
    **{
        f"violations: {group}": (change(OF_INSIDE, "violation rows 0 1 V W", f"violation {group} V W"), ORDINARY)
        for group in ("largest 0 1", "euclidean 0 1", "rows 1 1", "rows 0 2", "rows 0 0")
    },
    **{
        f"squares: {group}": (change(SQUARED, "model rows 0 1 A B", f"model {group} A B"), ORDINARY)
        for group in ("largest 0 1", "euclidean 0 1", "rows 1 1", "rows 0 2", "rows 0 0")
    },
}
FACTOR = {
    **changed(
        BASE,
        "factor 1\n",
        ("", "line 8: text: a line 'factor'"),
        ("factor\n", "line 8: text: 'factor' takes 1"),
        ("factor 1 1\n", "line 8: text: 'factor' takes 1"),
        ("factor -1\n", "line 8: claim: '-1' is negative"),
        ("factor 1.0\n", "line 8: number"),
        ("factor 1p0\n", "line 8: number"),
        ("factor none\n", "line 8: number"),
        ("factor 2/4\n", "line 8: number"),
        ("factor 1\nfactor 1\n", "line 9: text: a line 'norm'"),
    ),
    **{
        f"too wide: {factor}": (tree(WIDE, (BALL,), JOINT, factor=factor), POSITIVE)
        for factor in ("1/7", "1/5", 1, 2, 3, 10**9)
    },
    **{
        f"wider: {lower}": (
            tree(WIDE, (BALL,), "aggregate m0.0+2 m1.0+1 m0.1-2 m1.1-1", lower=lower, factor=2),
            POSITIVE,
        )
        for lower in ("9/8", "6/5", "9/5", "12/5")
    },
    **{
        f"a row of its own: {factor}": (
            tree(WIDE, (BALL,), "evaluate 0 1", lower="49/10", point="point 0 0", factor=factor),
            REACH,
        )
        for factor in ("1/2", 1, 2)
    },
    **{
        f"a witness: {factor}": (proof(WIDE, (BALL,), *HALF, upper="9/8", factor=factor), MAY)
        for factor in (0, 1, "3/2", "19/10")
    },
    **{
        f"squares: {factor}": (
            change(SQUARED, "factor 0\n", f"factor {factor}\n"),
            "squares: a measurement is not known exactly",
        )
        for factor in (1, "1/1000", 2)
    },
}
# accepted, and false, if the norm were the largest row, or W the largest weight, or their root taken from the whole sum
NORM = {
    **{
        f"{form}, {lower}": (tree(APART, (BALL,), JOINT.replace("m", form), lower=lower), POSITIVE)
        for form in "mt"
        for lower in ("5/2", "2501/1000", "51/20", 3, "25/8", "7/2", 4, 9)
    },
    **{
        f"of boxes, {lower}": (
            tree(WIDE, (BALL,), "aggregate m0.0+3 m1.0+2 m0.1-3 m1.1-2", lower=lower),
            POSITIVE,
        )
        for lower in ("181/100", 2, "13/6", "5/2")
    },
    **{
        f"a short way, {terms}": (tree(APART, (BALL,), f"aggregate {terms}", lower=lower), POSITIVE)
        for terms, lower in (
            ("m0.0+1 m0.1-1", "12/5"),
            ("m1.0+1 m1.1-1", "8/5"),
            ("m0.0+3 m1.0+4 m0.1-3 m1.1-4", "49/20"),
            ("m0.0+1 m1.0+1 m0.1-1 m1.1-1", "249/100"),
            ("q0.0+4 q1.0+3 q0.1-4 q1.1-3", "9/5"),
            ("q0.0+1 q0.1-1", 2),
            ("q1.0+1 q1.1-1", "3/2"),
            ("m0.0-4 m1.0-3 m0.1+4 m1.1+3", "12/5"),
            ("m0.0+4 m1.0+3 m0.1-4 m1.1+3", "12/5"),
            ("m0.0+4 m1.0+3", "12/5"),
        )
    },
}
BOUND = {
    **{
        f"{base} + {scale} e, {lower}": (
            tree(APART, (f"model euclidean {base} {scale} A B",), JOINT, lower=lower),
            POSITIVE,
        )
        for base, scale, lower in (
            (0, 2, "5/4"),
            (0, 2, 2),
            (1, 1, "3/2"),
            (1, 1, 2),
            ("5/2", 0, 0),
            ("5/2", 0, 9),
            (3, 0, 0),
            ("1/9", 1, "12/5"),
            (0, "10/9", "9/4"),
            (2, 2, "1/4"),
        )
    },
    **{
        f"rows {base} + {scale} e, {lower}": (
            tree(APART, (f"model rows {base} {scale} A B",), "aggregate q0.0+1 q0.1-1", lower=lower),
            POSITIVE,
        )
        for base, scale, lower in ((0, 2, 1), (1, 1, 1), (2, 0, 0), (0, 3, "3/2"), ("1/9", 1, "199/100"))
    },
    **{
        f"witness within {base} + {scale} e, {upper}": (
            proof(APART, (f"model euclidean {base} {scale} A B",), *MIDDLE, upper=upper),
            MAY,
        )
        for base, scale, upper in ((0, 1, "249/100"), (0, "9/10", "5/2"), (1, 1, "149/100"), (1, 0, 9), (0, 0, 99))
    },
    **{
        f"two bounds, {terms}, {lower}": (tree(BESIDE, TWO, f"aggregate {terms}", lower=lower), POSITIVE)
        for terms, lower in (("m0.1-1 q2.0+1", "8/3"), ("m0.1-1 q2.0+1", 3), ("m0.1-1 q2.0+8", 2), ("q2.0+1", 0))
    },
}
ONCE = {
    terms: (tree(APART, (BALL,), f"aggregate {terms}"), "aggregate: a term occurs twice")
    for terms in (
        "m0.0+4 m1.0+3 m0.1-4 m1.1-3 m0.0+1",
        "m0.0+4 m0.0-1",
        "m0.0+4 t0.0+4",
        "t0.0+4 t0.0+4",
        "t0.0+4 m0.0-4",
        "m1.1+1 q0.0+1 m1.1-1",
        "m1.0+1 t0.0+1 t1.0+1",
        "t1.1-3 m1.0+1 t1.1-1",
        "q0.0+1 q0.0+1",
        "m0.0+4 m1.0+3 t0.1-4 t1.1-3 t1.0+1",
        "m0.0+4 m1.0+3 m0.1-4 m0.1-3",
    )
}
EVALUATE = {
    f"{at}, {lower}, {family} {row}": (
        tree(APART, (BALL,), f"evaluate {family} {row}", lower=lower, point=f"point {at}"),
        REACH,
    )
    for at, lower, family, row in (
        ("0 0", 5, 0, 1),
        ("0 0", 5, 1, 1),
        ("0 0", 6, 0, 1),
        ("0 0", 0, 0, 0),
        ("0 0", 7, 1, 1),
        ("0 0", "501/100", 0, 1),
        ("4 3", 5, 0, 0),
        ("4 3", 7, 1, 0),
        ("2 3/2", "5/2", 0, 0),
        ("2 3/2", "5/2", 1, 1),
        ("2 3/2", 3, 0, 1),
        ("-9 -5", 16, 0, 1),
        ("-9 -5", 21, 1, 1),
    )
}
WITNESS = {
    **{
        f"{x} {y}, {upper}": (proof(APART, (BALL,), f"values {x} {y}", *MIDDLE[1:], upper=upper), MAY)
        for x, y, upper in (
            (2, "3/2", 2),
            (2, "3/2", "2499999/1000000"),
            (0, 0, 4),
            (0, 0, "499/100"),
            (4, 3, 4),
            (4, 0, 3),
            (4, 0, "399/100"),
            (0, 3, "399/100"),
            (2, 0, 3),
            (2, 2, "141/50"),
            ("21/10", "3/2", "5/2"),
        )
    },
    **{f"the larger, {upper}": (proof(APART, LARGEST, *MIDDLE, upper=upper), MAY) for upper in (1, "3/2", "199/100")},
}
SUMMED = {
    f"{group}: {first}, {second}": (
        proof(WIDE, (group,), "values 2 3/2", f"column m {first}", f"column n {second}", upper=9),
        "whose entries are used more than once, or whose squares are summed",
    )
    for group in (BALL, "model euclidean 0 2 A B")
    for first, second in (("0:1 0", "0 0"), ("0 0", "1 0:1"), ("0:0 0", "1 1"), ("0 0:1", "0:1 0"), ("1 1", "1:0 1"))
}
OUTSIDE = {
    **{
        f"{norm}: {number}": (
            tree(OUTLIER, (f"model {norm} 0 1 A B",), *lines, discard=discard, lower="3/2"),
            f"hitting: {discard} rows meet all conflicts",
        )
        for norm in ("euclidean", "largest")
        for number, (lines, discard) in enumerate(
            (
                (["hitting 2", *OUT[1:3]], 1),
                (["hitting 2", OUT[1], OUT[3]], 1),
                (["hitting 2", *OUT[2:4]], 1),
                (["hitting 1", OUT[1]], 1),
                (OUT, 2),
                # two rows of one member are no two conflicts
                (["hitting 2", "split 0 50", "evaluate 0 2", "evaluate 0 0", "split 1 50", *LAST], 2),
            )
        )
    },
    **{
        f"{group}, {rows}": (
            proof(OUTLIER, (group,), MIDDLE[0], f"without {rows}", *WITHOUT[2:], discard=1),
            MAY,
        )
        for group in (BALL, LARGEST[0])
        for rows in ("0.0", "1.0", "0.1", "1.1")
    },
}

GROUPS: dict[str, Forgeries] = {
    "version": VERSION,
    "claim": CLAIM,
    "group": GROUP,
    "scope": SCOPE,
    "as many rows": UNEQUAL,
    "role": ROLES,
    "violations": DISCARD,
    "level": KINDS,
    "sort": SORTS,
    "upper": HIGH,
    "ordinary": BOUNDS,
    "factor": FACTOR,
    "norm": NORM,
    "bound": BOUND,
    "once": ONCE,
    "evaluate": EVALUATE,
    "witness": WITNESS,
    "summed": SUMMED,
    "left out": OUTSIDE,
}
FORGED = grouped(GROUPS)
