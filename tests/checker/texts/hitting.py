"""Discarded rows: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

import itertools

from checker_texts import Forgeries, Number, Text, certificate, change, grouped, problem, tape

from texts.claims import ROOTS_COUNTED, of_roots
from texts.rules import POSITIVE

DIFFERENCE = tape(2, "sub 0 1")


def rows(*middles: Number, lower: Number = -9, upper: Number = 99) -> str:
    """x - m, each m known exactly."""
    return problem(
        [("x", lower, upper)], [("m", [(m, m) for m in middles])], [DIFFERENCE], [f"F 0 {len(middles)} v0 c0"]
    )


# without any one row the error is 3/2 at least
FOUR = rows(0, "1/8", 3, "25/8")
TRIANGLE = rows(0, 3, 6)
# two families: x - m and x - 3 - m, of measurements that are intervals
FAMILIES = problem(
    [("x", -9, 99)],
    [("m", [(0, "1/10"), (0, "1/10")])],
    [DIFFERENCE, tape(2, "const 3", "sub 0 2", "sub 3 1")],
    ["F 0 2 v0 c0", "G 1 2 v0 c0"],
)
# undefined for x < 0, and far otherwise
PARTIAL = problem(
    [("x", -1, 1)],
    [],
    [tape(1, "sqrt 0", "const 5", "add 1 2"), tape(1, "const 7", "add 0 1")],
    ["F 0 1 v0", "G 1 1 v0"],
)


def lower(text: str, level: Number, *lines: str, discard: Number = 1, scope: str = "F", point: str = "box") -> Text:
    return text, certificate(text, lower=level, discard=discard, scope=scope, point=point, tree=lines)


def upper(text: str, level: Number, *lines: str, discard: Number = 1, scope: str = "F") -> Text:
    return text, certificate(text, upper=level, discard=discard, scope=scope, witness=lines)


def within(text: str, level: Number, ends: str, *lines: str, discard: Number = 1) -> Text:
    return text, certificate(text, within=level, discard=discard, hull=[ends], tree=lines)


def pair(first: int, second: int) -> str:
    """Two rows x - m, the second m is larger."""
    return f"aggregate q0.{first}+1 q0.{second}-1"


PAIRS = ["hitting 2", pair(0, 2), pair(1, 3)]
SIDES = ["hitting 3", pair(0, 1), pair(0, 2), pair(1, 2)]
SPLIT = ["hitting 2", "split 0 3p-1", "evaluate 0 2", "evaluate 0 0", pair(1, 3)]
BOUNDED = [
    "split 0 1p-1",
    "hitting 2",
    "evaluate 0 2",
    "evaluate 0 3",
    "split 0 21p-3",
    "open",
    "hitting 2",
    "evaluate 0 0",
    "evaluate 0 1",
]
WITNESS = ["values 13/8", "without 0.0", "column m 0 0 0 0"]
BOTH = (FOUR, certificate(FOUR, lower="149/100", upper="3/2", discard=1, witness=WITNESS, tree=PAIRS))

VALID = {
    "two pairs": lower(FOUR, "149/100", *PAIRS),
    "a triangle": lower(TRIANGLE, "149/100", *SIDES),
    "a child of splits": lower(FOUR, "7/5", *SPLIT),
    "splits above": lower(FOUR, "5/4", "split 0 3p-1", *PAIRS, "hitting 2", "evaluate 0 0", "evaluate 0 1"),
    "nested in splits only": lower(
        FOUR,
        "5/4",
        "split 0 3p-1",
        "hitting 2",
        "evaluate 0 2",
        "evaluate 0 3",
        "prepare 2",
        "hitting 2",
        "evaluate 0 0",
        "evaluate 0 1",
    ),
    "more conflicts than needed": lower(FOUR, "7/5", "hitting 4", pair(0, 2), pair(0, 3), pair(1, 2), pair(1, 3)),
    "the same conflict twice": lower(FOUR, "7/5", "hitting 3", pair(0, 2), pair(0, 2), pair(1, 3)),
    "two rows of five": lower(
        rows(0, 3, 6, 9, 12), 1, "hitting 10", *(pair(i, j) for i, j in itertools.combinations(range(5), 2)), discard=2
    ),
    "of intervals": lower(
        FAMILIES, "7/5", "hitting 2", "aggregate q0.0+1 q1.0-1", "aggregate m0.1+1 t1.1-1", scope="F G"
    ),
    "below a frame": lower(FOUR, "7/5", "frame 1 1p-1", *PAIRS),
    "above a frame": lower(FOUR, "7/5", "hitting 2", "frame 1 1p-1", pair(0, 2), "frame 0 3", "prepare 2", pair(1, 3)),
    "an upper end": upper(FOUR, "3/2", *WITNESS),
    "an upper end without leaving out": upper(FOUR, "8/5", "values 31/20", "without", "column m 0 0 0 0"),
    "an upper end, two left out": upper(FOUR, "1/16", "values 1/16", "without 0.2 0.3", "column m 0 0 0 0", discard=2),
    "an upper end, fewer left out": upper(FOUR, "3/2", *WITNESS, discard=64),
    "both ends": BOTH,
    "a hull": within(FOUR, 2, "1/2 21/8", *BOUNDED),
    "a hull of everything": within(FOUR, 2, "-9 99", "open"),
    "an undefined row is left out": upper(PARTIAL, 6, "values -1", "without 0.0", scope="F G"),
    "at a point": lower(FOUR, "29/10", "hitting 2", "evaluate 0 2", "evaluate 0 3", point="point 0"),
    "of one family": (
        FAMILIES,
        certificate(
            FAMILIES, lower=1, scope="G", discard=1, point="point 0", tree=["hitting 2", "evaluate 1 0", "evaluate 1 1"]
        ),
    ),
}


LOWER = VALID["two pairs"]
DISCARD = {
    name: (change(LOWER, "discard 1\n", line), reason)
    for name, line, reason in (
        ("missing", "", "line 7: text: a line 'discard'"),
        ("of nothing", "discard\n", "line 7: text: 'discard' takes 1 tokens, not 0"),
        ("of two", "discard 1 1\n", "line 7: text: 'discard' takes 1 tokens, not 2"),
        ("twice", "discard 1\ndiscard 1\n", "line 8: text: a line 'lower'"),
        ("none", "discard none\n", "line 7: number: 'none' is not a natural number"),
        ("negative", "discard -1\n", "line 7: number"),
        ("of a leading zero", "discard 01\n", "line 7: number"),
        ("a fraction", "discard 1/2\n", "line 7: number"),
        ("a percentage", "discard 10%\n", "line 7: number"),
        ("a row", "discard 0.0\n", "line 7: number"),
        ("65", "discard 65\n", "line 7: discard: more than 64"),
        ("66", "discard 66\n", "line 7: discard: more than 64"),
        ("100", "discard 100\n", "line 7: discard: more than 64"),
        ("1000", "discard 1000\n", "line 7: discard: more than 64"),
        ("10^9", "discard 1000000000\n", "line 7: discard: more than 64"),
        ("2^64", f"discard {2**64}\n", "line 7: discard: more than 64"),
        ("huge", f"discard 9{'9' * 1999}\n", "line 7: discard: more than 64"),
        ("all", "discard all\n", "line 7: number"),
    )
}
DISCARD |= {
    f"{number}": (change(LOWER, "discard 1\n", f"discard {number}\n"), "discard: more than 64")
    for number in (70, 128, 640)
}
ZEROS = {
    **{
        f"zeros, {number}": (
            of_roots("discard 0", f"discard {number}"),
            "line 13: claim: rows are discarded with the largest error only, and not with zeros",
        )
        for number in (1, 2, 3, 4, 5, 10, 63, 64)
    },
    **{
        f"minimum {kind}, {number}": (
            (
                ROOTS_COUNTED[0],
                certificate(
                    ROOTS_COUNTED[0], minimum=f"{kind} 1", norm=norm, discard=number, isolated=["zero 0 1", "inverse 1"]
                ),
            ),
            reason,
        )
        for kind, norm, number, reason in (
            ("local", "squares", 1, "claim: rows are discarded with the largest error only"),
            ("global", "squares", 2, "claim: rows are discarded with the largest error only"),
            ("local", "largest", 1, "claim: zeros need the norm largest, a minimum squares"),
            ("global", "largest", 1, "claim: zeros need the norm largest, a minimum squares"),
            ("local", "largest", 0, "claim: zeros need the norm largest, a minimum squares"),
            ("global", "largest", 0, "claim: zeros need the norm largest, a minimum squares"),
        )
    },
}
NEEDS = "hitting: it needs discarded rows, a child, and none above"
COUNT = {
    **{
        f"{count} children, nothing discarded": (lower(FOUR, 1, f"hitting {count}", *PAIRS[1:], discard=0), NEEDS)
        for count in (0, 1, 2, 3, 10_000)
    },
    **{
        f"no children, {number} discarded": (lower(FOUR, 1, "hitting 0", *PAIRS[1:], discard=number), NEEDS)
        for number in (1, 2, 3, 64)
    },
    "no children, nothing follows": (lower(FOUR, 1, "hitting 0"), NEEDS),
    "no children below a split": (lower(FOUR, 1, "split 0 0", "hitting 0", *PAIRS), NEEDS),
    "nothing discarded within": (within(FOUR, 1, "-9 99", "hitting 1", "open", discard=0), NEEDS),
    "of zeros": (of_roots("split 0 -3p-1", "hitting 1"), NEEDS),
    "of a sum": ((FOUR, certificate(FOUR, norm="squares", lower=1, tree=PAIRS)), NEEDS),
    **{
        f"hitting {count}": (lower(FOUR, 1, f"hitting {count}", *PAIRS[1:]), "hitting: more than 10000")
        for count in (10_001, 10_002, 20_000, 10**6, 2**32, 2**64, 10**1999)
    },
    **{
        f"{line}": (lower(FOUR, 1, line, *PAIRS[1:]), reason)
        for line, reason in (
            ("hitting", "is no node"),
            ("hitting 2 2", "is no node"),
            ("hitting -2", "is not a natural number"),
            ("hitting 02", "is not a natural number"),
            ("hitting 2p0", "is not a natural number"),
            ("Hitting 2", "is no node"),
            ("hit 2", "is no node"),
        )
    },
}
NESTED = {
    f"{', '.join(lines)}": (lower(text, 1, *lines, discard=number), f"node {node} (line {15 + node}): {NEEDS}")
    for text, number, node, lines in (
        (FOUR, 1, 1, ["hitting 1", *PAIRS]),
        (FOUR, 1, 1, ["hitting 2", *PAIRS, *PAIRS]),
        (FOUR, 2, 1, ["hitting 2", *PAIRS, *PAIRS]),
        (FOUR, 1, 2, ["hitting 2", pair(0, 2), *PAIRS]),
        (FOUR, 1, 2, ["hitting 1", "split 0 0", *PAIRS, *PAIRS]),
        (FOUR, 1, 3, ["hitting 1", "split 0 0", "evaluate 0 2", *PAIRS]),
        (FOUR, 1, 2, ["hitting 1", "prepare 1", *PAIRS]),
        (FOUR, 1, 2, ["hitting 1", "frame 0 1", *PAIRS]),
        (FOUR, 1, 1, ["hitting 1", "hitting 0"]),
        (FOUR, 1, 1, ["hitting 1", "hitting 1", "hitting 1", pair(0, 2)]),
        (TRIANGLE, 1, 1, ["hitting 1", *SIDES]),
        (TRIANGLE, 2, 1, ["hitting 3", *SIDES, *SIDES, *SIDES]),
        (TRIANGLE, 1, 3, ["hitting 3", pair(0, 1), pair(0, 2), *SIDES]),
    )
}
CLOSED = "hitting: rows are refuted below it only, and nothing is open"
OPEN = {
    f"{number}: {', '.join(lines)}": (forged, f"node {node} (line {16 + node + shift}): {CLOSED}")
    for number, (forged, node, shift, lines) in enumerate(
        (
            *(
                (within(FOUR, 2, "-9 99", *lines), node, 1, lines)
                for node, lines in (
                    (1, ["hitting 1", "open"]),
                    (1, ["hitting 2", "open", pair(1, 3)]),
                    (3, ["hitting 1", "split 0 1p-1", "evaluate 0 2", "open"]),
                    (2, ["hitting 1", "split 0 0", "open", "open"]),
                    (2, ["hitting 1", "prepare 1", "open"]),
                    (2, ["hitting 1", "frame 0 1", "open"]),
                    (3, ["hitting 1", "frame 0 1", "split 0 1", "open", "open"]),
                    (1, ["hitting 1", "known 0"]),
                    (1, ["hitting 2", "known 0", "known 0"]),
                    (2, ["hitting 1", "prepare 2", "known 7"]),
                )
            ),
            *(
                (lower(FOUR, "7/5", *lines), node, -1, lines)
                for node, lines in (
                    (1, ["hitting 1", "open"]),
                    (1, ["hitting 1", "known 0"]),
                    (2, ["hitting 2", pair(0, 2), "open"]),
                    (2, ["hitting 2", pair(0, 2), "known 0"]),
                    (3, ["hitting 2", "split 0 3p-1", "evaluate 0 2", "open"]),
                )
            ),
        )
    )
}
ABOVE_REASON = "hitting: rows are refuted below it only"
ABOVE = {
    f"{number}: {', '.join(lines)}": (forged, ABOVE_REASON)
    for number, (forged, lines) in enumerate(
        (one, lines)
        for text, lines in (
            (FOUR, [pair(0, 2)]),
            (FOUR, ["aggregate m0.0+1 m0.2-1"]),
            (FOUR, ["evaluate 0 0"]),
            (FOUR, ["split 0 3p-1", "evaluate 0 2", "evaluate 0 0"]),
            (FOUR, ["split 0 3p-1", *PAIRS, "evaluate 0 0"]),
            (FOUR, ["prepare 2", pair(0, 2)]),
            (FOUR, ["frame 0 1", pair(0, 2)]),
            (TRIANGLE, [pair(0, 2)]),
            (TRIANGLE, ["aggregate q0.0+1 q0.1+1 q0.2-2"]),
            (TRIANGLE, ["split 0 1", *SIDES, pair(0, 2)]),
        )
        for one in (lower(text, 1, *lines, discard=number) for number in (1, 64)[: 1 if "hitting" in str(lines) else 2])
    )
}


def meet(number: int) -> str:
    return f"hitting: {number} rows meet all conflicts"


def conflicts(*pairs: tuple[int, int]) -> list[str]:
    return [f"hitting {len(pairs)}", *(pair(*one) for one in pairs)]


# false if any one set of so many rows were overlooked: without these rows the error is below the level
SPREAD = rows(0, 3, 6, 9, 12)
HIT = {
    **{
        f"{number}: {one}": (lower(text, 1, *conflicts(*one), discard=number), meet(number))
        for text, number, one in (
            (FOUR, 1, ((0, 2),)),
            (FOUR, 1, ((0, 2), (0, 3))),
            (FOUR, 1, ((0, 2), (1, 2))),
            (FOUR, 1, ((0, 2), (0, 2))),
            (FOUR, 1, ((1, 3), (0, 3), (1, 3))),
            (FOUR, 2, ((0, 2), (1, 3))),
            (FOUR, 2, ((0, 2), (1, 3), (0, 3), (1, 2))),
            (FOUR, 3, ((0, 2), (1, 3))),
            (FOUR, 64, ((0, 2), (1, 3), (0, 3), (1, 2))),
            (TRIANGLE, 1, ((0, 1), (0, 2))),
            (TRIANGLE, 1, ((0, 1), (1, 2))),
            (TRIANGLE, 1, ((0, 2), (1, 2))),
            (TRIANGLE, 2, ((0, 1), (0, 2), (1, 2))),
            (SPREAD, 2, ((0, 1), (2, 3))),
            (SPREAD, 2, ((0, 1), (1, 2), (2, 3), (3, 4))),
            (SPREAD, 2, ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (1, 4), (0, 4))),
            (SPREAD, 3, tuple(itertools.combinations(range(4), 2))),
            (SPREAD, 4, tuple(itertools.combinations(range(5), 2))),
            (SPREAD, 5, tuple(itertools.combinations(range(5), 2))),
            (SPREAD, 1, tuple((0, k) for k in range(1, 5))),
        )
    },
    "three rows in one leaf": (
        lower(TRIANGLE, 1, "hitting 2", "aggregate q0.0+1 q0.1-1", "aggregate q0.1+2 q0.0+1 q0.2-3"),
        meet(1),
    ),
    "rows of a split": (
        lower(FOUR, "7/5", "hitting 2", "split 0 3p-1", "evaluate 0 2", "evaluate 0 0", pair(0, 3)),
        meet(1),
    ),
    "rows of both parts": (
        lower(TRIANGLE, 1, "hitting 2", "split 0 3", "evaluate 0 2", "evaluate 0 0", pair(0, 1)),
        meet(1),
    ),
    "rows of one part only": (
        lower(TRIANGLE, 1, "hitting 2", "split 0 3", "evaluate 0 2", "evaluate 0 0", pair(1, 2)),
        meet(1),
    ),
    "rows of products": (lower(FOUR, 1, "hitting 1", f"{pair(0, 2)} b0+0-1p-99"), meet(1)),
    "evaluated only": (lower(FOUR, 1, "split 0 3p-1", "hitting 1", "evaluate 0 2", *PAIRS), meet(1)),
    "in the second part": (lower(FOUR, 1, "split 0 3p-1", *PAIRS, "hitting 1", "evaluate 0 0"), meet(1)),
    "in a frame": (lower(FOUR, 1, "hitting 2", "frame 0 1", pair(0, 2), pair(0, 3)), meet(1)),
    "of intervals": (
        lower(FAMILIES, 1, "hitting 2", "aggregate q0.0+1 q1.0-1", "aggregate m0.0+1 t1.1-1", scope="F G"),
        meet(1),
    ),
    "terms of forms that nobody counts": (
        lower(FOUR, 1, "hitting 2", "aggregate t0.0+1 t0.2-1", "aggregate m0.1+1 t0.2-1"),
        meet(1),
    ),
    "of a hull": (within(FOUR, 2, "1/2 21/8", *BOUNDED[:-3], "hitting 2", "evaluate 0 0", "evaluate 0 0"), meet(1)),
}
FALSE = {
    **{
        f"lower {level}, {lines[0]}": (lower(text, level, *lines), POSITIVE)
        for text, level, lines in (
            (FOUR, "3/2", PAIRS),
            (FOUR, "31/20", PAIRS),
            (FOUR, 2, PAIRS),
            (FOUR, 9, PAIRS),
            (TRIANGLE, "3/2", SIDES),
            (TRIANGLE, 3, SIDES),
            (FOUR, "3/2", ["hitting 2", pair(1, 2), pair(0, 3)]),
        )
    },
    "lower at equality": (
        lower(FOUR, 3, "hitting 2", "evaluate 0 2", "evaluate 0 3", point="point 0"),
        "evaluate: the row may reach",
    ),
    "a split of a child": (lower(FOUR, "3/2", *SPLIT), "evaluate: the row may reach"),
    "a row that is no conflict": (lower(FOUR, 1, "hitting 2", pair(0, 2), pair(2, 3)), POSITIVE),
    "sides exchanged": (lower(FOUR, 1, "hitting 2", pair(2, 0), pair(1, 3)), POSITIVE),
    "the second child": (lower(FOUR, 1, "hitting 2", pair(0, 2), pair(3, 1)), POSITIVE),
    "no such row": (lower(FOUR, 1, "hitting 2", pair(0, 2), pair(1, 4)), "there is no row 0.4"),
    "a row out of scope": (lower(FOUR, 1, "hitting 2", pair(0, 2), "evaluate 1 0"), "there is no row 1."),
    "no rows": (lower(FOUR, 1, "hitting 2", pair(0, 2), "aggregate b0+0-1"), "rows are refuted below it only"),
    "a hull too small": (within(FOUR, 2, "1 2", *BOUNDED), "open: the box is not within the hull"),
}
MISSING = {
    **{
        f"{count} of {', '.join(lines)}": (lower(text, 1, *lines[:count]), "tree: a child is missing")
        for text, lines in ((FOUR, PAIRS), (TRIANGLE, SIDES), (FOUR, SPLIT))
        for count in range(1, len(lines))
    },
    "three of two": (change(LOWER, "hitting 2", "hitting 3"), "tree: a child is missing"),
    "10,000 of two": (change(LOWER, "hitting 2", "hitting 10000"), "tree: a child is missing"),
    "one of two": (
        change(VALID["the same conflict twice"], "hitting 3", "hitting 2"),
        "hitting: 1 rows meet all conflicts",
    ),
    "two of three": (change(VALID["a triangle"], "hitting 3", "hitting 2"), "hitting: 1 rows meet all conflicts"),
    "three of four": (change(VALID["more conflicts than needed"], "hitting 4", "hitting 3"), "'end' was expected"),
    "a leaf too many": (lower(FOUR, 1, *PAIRS, pair(0, 3)), "'end' was expected"),
}
FEW = "rows, ascending, each once, may be left out"
WITHOUT = {
    f"{line!r}": (upper(FOUR, "3/2", WITNESS[0], *line.split("\n"), WITNESS[2], discard=number), reason)
    for number, line, reason in (
        (1, "without 0.0 0.1", "line 16: witness: at most 1 " + FEW),
        (1, "without 0.0 0.1 0.2", "witness: at most 1 " + FEW),
        (2, "without 0.0 0.1 0.2", "witness: at most 2 " + FEW),
        (3, "without 0.0 0.1 0.2 0.3", "witness: at most 3 " + FEW),
        (2, "without 0.0 0.0", "witness: at most 2 " + FEW),
        (2, "without 0.1 0.0", "witness: at most 2 " + FEW),
        (64, "without 0.3 0.2", "witness: at most 64 " + FEW),
        (64, "without 1.0 0.2", "witness: at most 64 " + FEW),
        (64, "without 0.0 0.1 0.1", "witness: at most 64 " + FEW),
        (64, "without 0.0 0.2 0.1", "witness: at most 64 " + FEW),
        (2, "without 0.2 0.1 0.3", "witness: at most 2 " + FEW),
        (1, "without 0.4", "witness: there is no row 0.4"),
        (1, "without 0.99", "witness: there is no row 0.99"),
        (1, f"without 0.{10**1999}", "witness: there is no row 0.1"),
        (1, "without 1.0", "witness: there is no row 1."),
        (2, "without 0.0 7.0", "witness: there is no row 7."),
        (1, "without 0", "line 16: number: '' is not a natural number"),
        (1, "without F.0", "line 16: number: 'F' is not a natural number"),
        (1, "without 0.", "line 16: number: '' is not a natural number"),
        (1, "without 0.00", "line 16: number: '00' is not a natural number"),
        (1, "without -0.0", "line 16: number: '-0' is not a natural number"),
        (1, "without 0.0.0", "line 16: number: '0.0' is not a natural number"),
        (1, "without 0,0", "line 16: number: '0,0' is not a natural number"),
        (1, "without none", "'none' is not a natural number"),
        (1, "Without 0.0", "line 16: text: a line 'without'"),
        (1, "without\nwithout 0.0", "text: 'end' was expected, not 'without 0.0'"),
        (0, "without", "line 16: text: 'end' was expected, not 'without'"),
        (0, "without 0.0", "line 16: text: 'end' was expected, not 'without 0.0'"),
    )
}
WITHOUT["missing"] = upper(FOUR, "3/2", WITNESS[0], WITNESS[2]), "line 16: text: a line 'without'"
WITHOUT["after the columns"] = upper(FOUR, "3/2", WITNESS[0], WITNESS[2], WITNESS[1]), "line 16: text: a line 'without'"
WITHOUT["before the values"] = upper(FOUR, "3/2", WITNESS[1], WITNESS[0], WITNESS[2]), "line 15: text: a line 'values'"
LEFT = {
    f"{x}, without {without or 'any'}, against {level}": (
        upper(FOUR, level, f"values {x}", f"without {without}".rstrip(), WITNESS[2], discard=2),
        f"row {row}: witness: it may exceed",
    )
    for x, without, level, row in (
        ("3/2", "", "3/2", "0.3"),
        ("13/8", "", "3/2", "0.0"),
        ("13/8", "0.1", "3/2", "0.0"),
        ("13/8", "0.2", "3/2", "0.0"),
        ("13/8", "0.0", "149/100", "0.1"),
        ("1/16", "0.2", "1/16", "0.3"),
        ("1/16", "0.3", "1/16", "0.2"),
        ("1/16", "0.0 0.2", 1, "0.3"),
        ("3", "0.0", 1, "0.1"),
        ("3", "0.1 0.2", 1, "0.0"),
        ("3", "0.0 0.1", "1/16", "0.3"),
        ("0", "0.2 0.3", "1/16", "0.1"),
    )
}
GROUPS: dict[str, Forgeries] = {
    "discard": DISCARD,
    "zeros and minima": ZEROS,
    "count": COUNT,
    "nested": NESTED,
    "open": OPEN,
    "above": ABOVE,
    "meet": HIT,
    "false": FALSE,
    "missing": MISSING,
    "without": WITHOUT,
    "left out": LEFT,
}
FORGED = grouped(GROUPS)
