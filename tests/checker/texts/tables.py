"""Tables, linear rows of binary numbers: valid certificates, and forged ones with the reason for each."""

from __future__ import annotations

from checker_texts import (
    Binary,
    Forgeries,
    Number,
    Text,
    certificate,
    certificate6,
    grouped,
    problem,
    table,
    tape,
)

from texts.rules import POSITIVE

NAN, INFINITE = float("nan"), float("inf")
# x + y = 1 +- 1/4, x - y = 0 +- 1/4, x + y = 4 +- 1/4: the first and the third are 3/2 of bounds apart: error 5/4
RECORDS = [(1.0, 1.0, 0.75, 1.25), (1.0, -1.0, -0.25, 0.25), (1.0, 1.0, 3.75, 4.25)]
TEXT = problem([("x", -9, 9), ("y", -9, 9)], [], [], ["W table 3 v0 v1"])
LINEAR = table(TEXT, RECORDS)
EXACT = table(TEXT, [(a, b, (low + high) / 2, (low + high) / 2) for a, b, low, high in RECORDS])
# one variable only, with more records, and a second table; beside them a family with a tape: erf x - m
SECOND = problem(
    [("x", -9, 9), ("y", -9, 9)],
    [("m", [(0, "1/2")])],
    [tape(2, "erf 0", "sub 2 1")],
    ["W table 3 v0 v1", "E 0 1 v0 c0", "U table 2 v1"],
)
TWO = table(SECOND, RECORDS, [(2.0, 3.0, 5.0), (-0.1, 2.0, 2.0)])
# a number that is not finite, ends in no order
BROKEN = table(TEXT, [RECORDS[0], (1.0, NAN, 0.0, 0.0), RECORDS[2]])
ROWS = "model rows 0 1 W"
SUM = "aggregate m0.0+1 m0.2-1"
POINT = ["values 5/4 5/4"]


def tree(text: str, *lines: str, lower: Number = "31/25", groups: tuple[str, ...] = (ROWS,), **more: object) -> Text:
    return text, certificate6(text, *groups, lower=lower, tree=lines, **more)  # type: ignore[arg-type]


def proof(text: str, *lines: str, upper: Number = "5/4", groups: tuple[str, ...] = (ROWS,), **more: object) -> Text:
    return text, certificate6(text, *groups, upper=upper, witness=lines, **more)  # type: ignore[arg-type]


ALL = ("model rows 0 1 W E U",)
HULL = {"within": "1/4", "hull": ["-9 9", "-9 9"]}
VALID: dict[str, Text] = {
    **{form: tree(LINEAR, SUM.replace("m", form)) for form in "mtq"},
    "one row": tree(LINEAR, "evaluate 0 2", point="point 0 0", lower=3),
    "a witness": proof(LINEAR, *POINT),
    "both ends": (
        LINEAR,
        certificate6(LINEAR, ROWS, lower="31/25", upper="5/4", witness=POINT, tree=[SUM]),
    ),
    "version 5": (LINEAR, certificate(LINEAR, scope="W", lower="31/25", upper="5/4", witness=POINT, tree=[SUM])),
    "nothing within": (LINEAR, certificate6(LINEAR, ROWS, tree=[SUM], **HULL)),
    "a face": (
        LINEAR,
        certificate6(
            LINEAR,
            ROWS,
            within="3/2",
            hull=["-9 9", "-9 9", "facet 1 1 2891/1000"],
            tree=["frame 0 0 1p-1 1p-1 1p-1 -1p-1", "split 0 1445p-9", "open", "aggregate m0.0+1"],
        ),
    ),
    "rows that are not read": tree(BROKEN, SUM),
    "two tables": tree(TWO, SUM, groups=ALL),
    "a row of the second": tree(TWO, "evaluate 2 1", groups=ALL, point="point 0 0", lower="199/100"),
    "a row of a tape beside": tree(TWO, "evaluate 1 0", groups=ALL, point="point -9 0", lower="99/100"),
    "a table, a row of a tape": tree(TWO, "aggregate m0.1+1 m2.0-1p-1", groups=ALL, lower=0, point="point 2 0"),
    "a witness of two tables": proof(TWO, "values 1 3/2", "column m 1", groups=ALL, upper="11/5"),
    "one left out": tree(
        LINEAR, "hitting 2", "evaluate 0 0", "evaluate 0 2", lower="1/2", point="point 0 9", discard=1
    ),
    "without one": proof(LINEAR, "values 1/2 1/2", "without 0.2", upper=0, discard=1),
    "no half-widths": tree(LINEAR, SUM, lower="149/100", factor=0),
    "twice the half-widths": proof(LINEAR, *POINT, upper=1, factor=2),
    "squares": proof(EXACT, *POINT, upper="9/2", norm="squares"),
    "squares from below": tree(EXACT, "aggregate m0.0+3 m0.2-3", lower="449/100", norm="squares"),
}
VALID |= {"erf alone": tree(TWO, "evaluate 1 0", groups=("model rows 0 1 E",), point="point -9", lower="99/100")}

FALSE = {
    **{
        f"{form}, {lower}": (tree(LINEAR, SUM.replace("m", form), lower=lower), POSITIVE)
        for form in "mtq"
        for lower in ("5/4", "3/2", 2)
    },
    **{
        leaf: (tree(LINEAR, f"aggregate {leaf}"), POSITIVE)
        for leaf in ("m0.0-1 m0.2+1", "m0.0+1 m0.2-2", "m0.0+1 m0.1-1", "m0.0+1", "m0.0+1 m0.2-1 m0.1+9")
    },
    "half-widths": (tree(LINEAR, SUM, lower="149/100", factor="1/2"), POSITIVE),
    "more of them": (tree(LINEAR, SUM, lower=1, factor=2), POSITIVE),
}
REACH = "the row may reach [-level, level]"
EVALUATE = {
    f"row {row} at {at}, {lower}": (tree(LINEAR, f"evaluate 0 {row}", point=f"point {at}", lower=lower), REACH)
    for row, at, lower in (
        (0, "0 0", "3/4"),
        (0, "0 0", 1),
        (0, "1/2 1/2", 0),
        (1, "0 0", 0),
        (1, "1 0", "3/4"),
        (1, "0 1", 1),
        (2, "0 0", "15/4"),
        (2, "0 0", 4),
        (2, "9 9", "55/4"),
        (2, "2 2", 0),
        (0, "1 1/4", 0),
    )
}
MAY = "it may exceed upper"
WITNESS = {
    **{
        f"{x} {y}, {upper}": (proof(LINEAR, f"values {x} {y}", upper=upper), MAY)
        for x, y, upper in (
            ("5/4", "5/4", "6/5"),
            ("5/4", "5/4", "1249999/1000000"),
            ("5/4", "5/4", 0),
            (0, 0, "187/50"),
            ("1/2", "1/2", 2),
            (2, 2, 2),
            (9, 9, 9),
            (9, -9, 9),
            (1, 1, "17/10"),
            ("3/2", 1, "6/5"),
        )
    },
    **{
        f"half-widths times {factor}": (proof(LINEAR, *POINT, upper=1, factor=factor), MAY)
        for factor in (0, 1, "19/10")
    },
}
LINES = {
    f"{lines}": (proof(LINEAR, *POINT, *lines), "one line for each column of the scope, in order")
    for lines in (
        *([f"column {name} {' '.join(tokens)}"] for name in ("W", "y") for tokens in ("000", "111", "0", "010")),
        ["column m 0", "column W 0"],
        ["column a 0 0 0", "column b 0 0 0"],
        ["column y 0:1 0:1 0:1"],
    )
}


def raw(data: bytes) -> Binary:
    return Binary(data.decode("utf-8", "surrogateescape"))


def sealed(data: bytes, *lines: str, **more: object) -> Text:
    return tree(raw(data), *(lines or (SUM,)), **more)  # type: ignore[arg-type]


BYTES, TABLE, ONE_TAPE = LINEAR.encode(), b"W table 3 v0 v1", b"tapes 1\ntape t 2 1\nsub 0 1"
MISSING = {
    **{
        f"by {count}": (sealed(BYTES[:-count]), "the records of W are not all there") for count in (1, 7, 8, 32, 64, 96)
    },
    **{
        f"{rows} rows": (sealed(BYTES.replace(b"table 3", b"table %d" % rows)), "the records of W are not all there")
        for rows in (4, 5, 1000, 100_000_000)
    },
}
AFTER = {
    **{
        repr(more): (sealed(BYTES + more), "something follows after the last record")
        for more in (b"\n", b"\0", b"end\n", bytes(8), bytes(32), b" ", b"\xff")
    },
    **{
        f"{rows} rows": (sealed(BYTES.replace(b"table 3", b"table %d" % rows)), "something follows after the last")
        for rows in (1, 2)
    },
    "no table": (sealed(BYTES.replace(TABLE, b"W 0 1 v0 v1").replace(b"tapes 0", ONE_TAPE)), "something follows after"),
}
FORM = "a table is of variables, ascending, each once"
FAMILY = {
    f"{line}": (sealed(BYTES.replace(TABLE, line.encode())), reason)
    for line, reason in (
        ("W table 3", FORM),
        ("W table 3 v1 v0", FORM),
        ("W table 3 v0 v0", FORM),
        ("W table 3 v0 v1 v1", FORM),
        ("W table 3 v1 v1", FORM),
        ("W table 3 v1 v0 v1", FORM),
        ("W table 3 v0 v1 v0", FORM),
        ("W table 3 v0 v0 v1", FORM),
        ("W table 3 v1 v1 v0", FORM),
        ("W table 100000000 v1 v0", FORM),
        ("W table 3 v0 v2", "'v2' does not exist"),
        ("W table 3 v0 c0", "'c0' does not exist"),
        ("W table 3 c0 v1", "'c0' does not exist"),
        ("W table 0 v0 v1", "there must be at least 1"),
        ("W table 100000001 v0 v1", "more than 100000000 rows"),
        ("W tables 3 v0 v1", "number: 'tables'"),
        ("W TABLE 3 v0 v1", "number: 'TABLE'"),
        ("W table three v0 v1", "number: 'three'"),
        ("table 3 v0 v1", "number: 'v0'"),
        ("W 0 3 v0 v1", "there is no tape"),
        ("W 1000001 1000001 v0 v1", "more than 1000000 rows"),
    )
}
OLD = {
    **{
        f"version 2, {k}": (sealed(data.replace(b"problem 3", b"problem 2")), reason)
        for k, (data, reason) in enumerate(
            ((BYTES[: BYTES.index(b"\nend\n") + 5], "there must be at least 1"), (BYTES, "REJECTED problem"))
        )
    },
    **{
        f"'erf' in version 2, {code}": (
            tree(
                problem([("x", 0, 1)], [], [tape(1, *lines)], ["W 0 1 v0"]).replace("problem 3", "problem 2"),
                "evaluate 0 0",
                lower=0,
            ),
            "'erf' is unknown",
        )
        for code, lines in (
            ("alone", ["erf 0"]),
            ("later", ["sqr 0", "erf 1"]),
            ("first", ["erf 0", "sqr 1"]),
            ("twice", ["erf 0", "erf 1"]),
        )
    },
    **{
        f"version {word}": (
            sealed(BYTES.replace(b"certify-problem 3", f"certify-problem {word}".encode())),
            "REJECTED problem",
        )
        for word in ("4", "1", "03", "3 3", "30", "-3", "2.0", "three", "33", "5", "23", "0", "v3", "6")
    },
}


def named(*changes: tuple[int, int, float]) -> Text:
    """Numbers of records changed, all of them named by the proof."""
    records = [list(record) for record in RECORDS]
    for row, place, value in changes:
        records[row][place] = value
    return tree(table(TEXT, records), "aggregate m0.0+1 m0.2-1 m0.1+1p-40")


NOT = "is not finite, or its ends are not in order"
FINITE = {
    **{
        f"{value} at {row}.{place}": (named((row, place, value)), f"table: a number of record {row} {NOT}")
        for row in range(3)
        for place in (0, 1, 2, 3)
        for value in (NAN, INFINITE)
    },
    **{
        f"minus infinity at {place}": (named((0, place, -INFINITE)), f"table: a number of record 0 {NOT}")
        for place in range(4)
    },
    "ends exchanged": (named((2, 2, 4.25), (2, 3, 3.75)), NOT),
    "evaluated": (tree(BROKEN, "evaluate 0 1"), NOT),
    "a witness": (proof(BROKEN, *POINT), NOT),
    "a witness, the last": (proof(table(TEXT, [*RECORDS[:2], (1.0, 1.0, NAN, 0.0)]), *POINT), NOT),
    "squares": (proof(BROKEN, *POINT, norm="squares", upper=9), NOT),
}
TABLES = "its families have not equally many rows, or are tables"
# a family with a tape that has as many rows as the second table
ALIKE = table(
    SECOND.replace("E 0 1 v0 c0", "E 0 2 v0 c0").replace("m0 mm 1", "m0 mm 2").replace("\n0 1/2\n", "\n0 1/2\n0 1/2\n"),
    RECORDS,
    [(2.0, 3.0, 5.0), (-0.1, 2.0, 2.0)],
).replace("column m mm 1", "column m mm 2")
NORMS = {
    **{
        f"{norm} of one of them": (
            tree(Binary(ALIKE), SUM, groups=("model rows 0 1 W", f"model {norm} 0 1 E U")),
            TABLES,
        )
        for norm in ("euclidean", "largest")
    },
    **{
        f"{norm} of {names}, {base}": (
            tree(TWO, SUM, groups=(f"model {norm} {base} 1 {names}", *others)),
            TABLES,
        )
        for norm in ("euclidean", "largest")
        for base in (0, 1)
        for names, others in (
            ("W", ("model rows 0 1 E U",)),
            ("U", ("model rows 0 1 W E",)),
            ("W U", ("model rows 0 1 E",)),
            ("E U", ("model rows 0 1 W",)),
        )
    },
}
UNNAMED = {
    f"c{column}": (tree(LINEAR, f"aggregate c{column} m0.0+1 m0.2-1"), "these are no columns of the scope")
    for column in range(11)
}
GROUPS: dict[str, Forgeries] = {
    "false": FALSE,
    "evaluate": EVALUATE,
    "witness": WITNESS,
    "lines": LINES,
    "missing": MISSING,
    "after": AFTER,
    "family": FAMILY,
    "old": OLD,
    "finite": FINITE,
    "norms": NORMS,
    "unnamed": UNNAMED,
}
FORGED = grouped(GROUPS)
