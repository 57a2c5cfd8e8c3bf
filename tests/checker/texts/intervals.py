"""Tables whose coefficients are intervals: valid certificates, and forged ones with the reason for each."""

from __future__ import annotations

from checker_texts import Binary, Forgeries, Text, grouped, problem, table

from texts.rules import POSITIVE
from texts.tables import INFINITE, MAY, NAN, NOT, REACH, SUM, proof, sealed, tree

# where a is an interval: a x + y = 1 +- 1/4 (a from 1 to 5/4), x - b y = 0 +- 1/4 (b from 3/4 to 1), and a x + y is
# 4 +- 1/4 (a from 3/4 to 1): the first and the third are 5/2 apart for x >= 0: error 5/4 (3/2 for middles); with
# negative x: error 1/4, at x = -4
RECORDS = [
    (1.0, 1.25, 1.0, 1.0, 0.75, 1.25),
    (1.0, 1.0, -1.0, -0.75, -0.25, 0.25),
    (0.75, 1.0, 1.0, 1.0, 3.75, 4.25),
]
TEXT = problem([("x", 0, 9), ("y", -9, 9)], [], [], ["W intervals 3 v0 v1"])
ANY_SIGN = problem([("x", -4, 9), ("y", -9, 9)], [], [], ["W intervals 3 v0 v1"])
KNOWN, ANY = table(TEXT, RECORDS), table(ANY_SIGN, RECORDS)
POINT = "values 5/4 5/4"

VALID: dict[str, Text] = {
    **{form: tree(KNOWN, SUM.replace("m", form)) for form in "mt"},
    "an inner bound": tree(KNOWN, "evaluate 0 2", point="point 0 0", lower=3),
    "at a point": tree(KNOWN, "evaluate 0 2", point="point 1 1", lower="87/50"),
    "a witness": proof(KNOWN, POINT),
    "a witness of a negative value": proof(ANY, "values -2 17/4", "without 0.1", upper=1, discard=1),
    "no half-widths": tree(KNOWN, SUM, lower="149/100", factor=0),
    "three times the half-widths": proof(KNOWN, POINT, upper="7/16", factor=3),
    "after the sign is known": tree(
        ANY, "split 0 0", "prepare 1", "aggregate m0.0+1 m0.2-1", "prepare 1", "aggregate m0.0+1 m0.2-1", lower=0
    ),
    "a chord": tree(ANY, "prepare 13", SUM, lower="1/5"),
    "both tables": tree(
        table(
            problem([("x", 0, 9), ("y", -9, 9)], [], [], ["W intervals 3 v0 v1", "U table 1 v1", "V intervals 1 v0"]),
            RECORDS,
            [(1.0, 2.0, 2.0)],
            [(1.0, 2.0, 3.0, 3.0)],
        ),
        "evaluate 2 0",
        groups=("model rows 0 1 W U V",),
        lower="99/100",
        point="point 1 0",
    ),
}
FALSE: Forgeries = {
    **{
        f"{form}, {lower}": (tree(KNOWN, SUM.replace("m", form), lower=lower), POSITIVE)
        for form in "mt"
        for lower in ("5/4", "3/2", 2)
    },
    **{
        leaf: (tree(KNOWN, f"aggregate {leaf}"), POSITIVE)
        for leaf in ("m0.0-1 m0.2+1", "m0.0+1 m0.2-2", "m0.0+1 m0.1-1", "m0.0+1", "m0.2-1 m0.0+9p-4")
    },
    "a sign that is not known": (tree(ANY, SUM), POSITIVE),
    "whatever the cells": (tree(ANY, "prepare 64", SUM), POSITIVE),
    **{f"a chord, {n}": (tree(ANY, f"prepare {n}", SUM, lower="1/4"), POSITIVE) for n in (1, 4, 13, 256)},
    "half-widths": (tree(KNOWN, SUM, lower="149/100", factor="1/2"), POSITIVE),
    "more of them": (tree(KNOWN, SUM, lower=1, factor=2), POSITIVE),
}
EVALUATE: Forgeries = {
    f"row {row} at {at}, {lower}": (tree(KNOWN, f"evaluate 0 {row}", point=f"point {at}", lower=lower), REACH)
    for row, at, lower in (
        (0, "0 0", "3/4"),
        (0, "1 0", 0),
        (0, "1 1/4", 0),
        (0, "2 -1", 0),
        (0, "4 0", "11/4"),
        (1, "1 1", 0),
        (1, "0 1", "1/2"),
        (1, "1 4/3", 0),
        (2, "4 1", 0),
        (2, "5 0", 0),
        (2, "1 1", "7/4"),
        (2, "9 9", "23/2"),
    )
}
WITNESS: Forgeries = {
    **{
        f"{values}, {upper}": (proof(KNOWN, f"values {values}", upper=upper), MAY)
        for values, upper in (
            ("5/4 5/4", "6/5"),
            ("5/4 5/4", "1249999/1000000"),
            ("5/4 5/4", 0),
            ("0 0", "187/50"),
            ("9 9", "33/2"),
            ("1/2 1/2", 2),
            ("3/2 1", "6/5"),
            ("9 -9", 8),
        )
    },
    **{f"times {factor}": (proof(KNOWN, POINT, upper=1, factor=factor), MAY) for factor in (0, 1, "8/7")},
    "negative": (proof(ANY, "values -2 17/4", "without 0.1", upper="99/100", discard=1), MAY),
}
BYTES, LINE = KNOWN.encode(), b"W intervals 3 v0 v1"
FORM = "a table is of variables, ascending, each once"
FAMILY: Forgeries = {
    line: (sealed(BYTES.replace(LINE, line.encode())), reason)
    for line, reason in (
        ("W intervals 3", FORM),
        ("W intervals 3 v1 v0", FORM),
        ("W intervals 3 v0 v0", FORM),
        ("W intervals 3 v0 v1 v1", FORM),
        ("W intervals 3 v0 v2", "'v2' does not exist"),
        ("W intervals 3 v0 c0", "'c0' does not exist"),
        ("W intervals 0 v0 v1", "there must be at least 1"),
        ("W intervals 100000001 v0 v1", "more than 100000000 rows"),
        ("W interval 3 v0 v1", "number: 'interval'"),
        ("W Intervals 3 v0 v1", "number: 'Intervals'"),
        ("intervals 3 v0 v1", "number: 'v0'"),
        ("W table 3 v0 v1", "something follows after the last record"),
    )
}
FAMILY |= {
    f"version 2, {k}": (sealed(data.replace(b"problem 3", b"problem 2")), reason)
    for k, (data, reason) in enumerate(
        ((BYTES[: BYTES.index(b"\nend\n") + 5], "there must be at least 1"), (BYTES, "REJECTED problem"))
    )
}
MISSING: Forgeries = {
    **{
        f"by {count}": (sealed(BYTES[:-count]), "the records of W are not all there")
        for count in (1, 7, 8, 16, 32, 48, 96, 144)
    },
    **{
        f"{rows} rows": (sealed(BYTES.replace(b"intervals 3", b"intervals %d" % rows)), "the records of W are not all")
        for rows in (4, 5, 100_000_000)
    },
    "fewer rows": (sealed(BYTES.replace(b"intervals 3", b"intervals 2")), "something follows after the last record"),
    "a point's": (
        sealed(table(TEXT, [(1.0, 1.0, 0.75, 1.25)] * 3).encode()),
        "the records of W are not all there",
    ),
}


def named(*changes: tuple[int, int, float]) -> Binary:
    """The problem with numbers of records changed."""
    records = [list(record) for record in RECORDS]
    for row, place, value in changes:
        records[row][place] = value
    return table(TEXT, records)


ALL_NAMED = "aggregate m0.0+1 m0.2-1 m0.1+1p-40"
FINITE: Forgeries = {
    **{
        f"{value} at {row}.{place}": (tree(named((row, place, value)), ALL_NAMED), f"a number of record {row} {NOT}")
        for row in range(3)
        for place in range(6)
        for value in (NAN, INFINITE)
    },
    **{
        f"ends of {place} exchanged": (tree(named((row, place, high), (row, place + 1, low)), ALL_NAMED), NOT)
        for row, place, low, high in ((0, 0, 1.0, 1.25), (1, 2, -1.0, -0.75), (2, 0, 0.75, 1.0), (2, 4, 3.75, 4.25))
    },
    **{
        f"a witness, {place}": (proof(named((1, place, value)), POINT), NOT)
        for place, value in ((0, 1.5), (3, -1.5), (5, -9.0), (2, NAN), (3, INFINITE))
    },
    "evaluated": (tree(named((1, 0, 1.5)), "evaluate 0 1"), NOT),
}
GROUPS: dict[str, Forgeries] = {
    "false": FALSE,
    "evaluate": EVALUATE,
    "witness": WITNESS,
    "family": FAMILY,
    "missing": MISSING,
    "finite": FINITE,
}
FORGED = grouped(GROUPS)
