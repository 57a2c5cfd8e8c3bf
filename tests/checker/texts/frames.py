"""Frames and facets: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from collections.abc import Sequence

from checker_texts import Forgeries, Number, Text, certificate, change, grouped, problem, tape

from texts.claims import CROSS, CROSS_HULL, LINE, LINE_HULL, LINE_TREE, ROOTS, ROOTS_ISOLATED, ROOTS_TREE
from texts.rules import POSITIVE, PRODUCTS, VALLEY

# x + y - m and x - y - n, m and n in [0, 1/10]: in the frame y_0 = x + y, y_1 = x - y
TURN = "frame 0 0 1p-1 1p-1 1p-1 -1p-1"
TURNED = [
    TURN,
    "split 0 -1p-9",
    "aggregate q0.0-1",
    "split 0 13p-7",
    "split 1 -1p-9",
    "aggregate q1.0-1",
    "split 1 13p-7",
    "open",
]
TURNED += ["aggregate q1.0+1", "aggregate q0.0+1"]
FACETS = ["facet 1 1 13/128", "facet -1 -1 1/512", "facet 1 -1 13/128", "facet -1 1 1/512"]
# a row of x in [10, 11]: x - 21/2
FAR = problem([("x", 10, 11)], [], [tape(1, "const 0", "add 0 1")], ["F 0 1 v0"])
NEAR = problem([("x", 0, 1)], [], [tape(1, "const 1/4", "sub 0 1")], ["F 0 1 v0"])
# sqrt x and 1 / x, defined for x > 0 only
ROOT = problem([("x", 1, 4), ("y", 0, 1)], [], [tape(2, "sqrt 0", "const 0", "mul 1 3", "add 2 4")], ["F 0 1 v0 v1"])
BILINEAR = problem([("x", -1, 1), ("y", -1, 1)], [], [tape(2, "mul 0 1", "const 2", "add 2 3")], ["F 0 1 v0 v1"])
SUM = problem(
    [("x", 0, 1), ("y", 0, 1)],
    [],
    [tape(2, "add 0 1", "const 3", "sub 3 2"), tape(1, "const 0", "add 0 1")],
    ["F 0 1 v0 v1", "G 1 1 v1"],
)


def hull(text: str, within_: Number, ends: Sequence[str], lines: Sequence[str], scope: str = "F") -> Text:
    return text, certificate(text, scope=scope, within=within_, hull=ends, tree=lines)


def tree(text: str, lower: Number, *lines: str, scope: str = "F", point: str = "box") -> Text:
    return text, certificate(text, scope=scope, lower=lower, point=point, tree=lines)


def zeros(*lines: str) -> Text:
    return ROOTS, certificate(ROOTS, zeros=2, isolated=ROOTS_ISOLATED, tree=lines)


TURNED_HULL = hull(CROSS, 0, ["-1/16 1/8", "-1/16 1/16", *FACETS], TURNED, "F G")
SHIFTED = ["frame 1p-2 1", "split 0 -1p-4", "evaluate 0 1", "split 0 11p-6", "open", "evaluate 0 0"]

VALID = {
    "a turned square": TURNED_HULL,
    "a facet without a frame": hull(LINE, "3/10", [*LINE_HULL, "facet 1 27/64", "facet -2 -3/8"], LINE_TREE),
    "facets that touch": hull(CROSS, 0, ["-1 1", "-1 1", "facet 1 1 2", "facet -1 1 2"], ["open"], "F G"),
    "a facet of nothing": hull(LINE, "3/10", ["-1 1", "facet 0 0"], ["open"]),
    "a facet of a rational slope": hull(LINE, "3/10", ["-1 1", "facet 1/3 1/3"], ["open"]),
    "a shift": hull(LINE, "3/10", LINE_HULL, SHIFTED),
    "a stretch": hull(
        LINE,
        "3/10",
        LINE_HULL,
        ["frame 0 1p1", "split 0 3p-5", "evaluate 0 1", "split 0 27p-7", "open", "evaluate 0 0"],
    ),
    "a reflection": hull(
        LINE,
        "3/10",
        LINE_HULL,
        ["frame 0 -1", "split 0 -27p-6", "evaluate 0 0", "split 0 -3p-4", "open", "evaluate 0 1"],
    ),
    "a range": hull(LINE, "3/10", ["-1 1"], ["frame 0 3p0", "open"]),
    "a frame of x far": tree(FAR, 9, "frame 10 1", "evaluate 0 0"),
    "a frame of x far, aggregates": tree(FAR, 9, "frame 10 1", "aggregate q0.0+1p-1 m0.0+1p-2 t0.0+1p-2"),
    "zeros": zeros("frame 0 1", *ROOTS_TREE),
    "zeros, stretched": zeros(
        "frame 0 1p-1", *[line.replace("p-1", "p0").replace("p-2", "p-1") for line in ROOTS_TREE]
    ),
    "a split, then frames": hull(
        LINE,
        "3/10",
        LINE_HULL,
        ["split 0 3p-4", "frame 1 1p-3", "evaluate 0 1", "split 0 27p-6", "frame 0 7", "open", "evaluate 0 0"],
    ),
    "prepared": hull(
        CROSS, 0, ["-1/16 1/8", "-1/16 1/16", *FACETS], ["prepare 2", TURN, "prepare 3", *TURNED[1:]], "F G"
    ),
    "a sum in a frame": tree(SUM, "99/100", "frame 0 0 1 0 -1 1", "aggregate q0.0+1", scope="F"),
    "products of a frame": tree(BILINEAR, "9/10", "frame 0 0 1 1 1 -1", "aggregate t0.0+1 b1+1-1"),
    "an empty range": hull(
        CROSS,
        0,
        ["-1/16 1/8", "-1/16 1/16", *FACETS],
        [TURN, "split 0 15p-3", *TURNED[1:], "split 1 1", "aggregate q0.0+1", "evaluate 0 0"],
        "F G",
    ),
    "cells in a frame": tree(VALLEY, "1/2", "frame 1 1", "prepare 2", "aggregate q0.0+1"),
    "at a point": tree(FAR, 10, "frame 10 3p-1", "evaluate 0 0", point="point 21/2"),
    "largest numbers": tree(FAR, 9, f"frame {2**64 - 1}p-256 1p-256", "evaluate 0 0"),
    "64 unknowns": tree(
        problem(
            [(f"x{i}", 1, 2) for i in range(64)],
            [],
            [tape(64, *(f"add {k} {i}" for i, k in zip(range(1, 64), [0, *range(64, 126)], strict=True)))],
            ["F 0 1 " + " ".join(f"v{i}" for i in range(64))],
        ),
        63,
        "frame " + " ".join(["0"] * 64 + [str(int(i == j)) for i in range(64) for j in range(64)]),
        "evaluate 0 0",
    ),
}


def two(frame: str, *lines: str) -> Text:
    """A frame of two unknowns."""
    return hull(CROSS, 0, ["-1 1", "-1 1"], [f"frame {frame}".rstrip(), *(lines or ("open",))], "F G")


SIZE = {
    **{
        f"{count} numbers": (two(" ".join(["1"] * count)), f"frame: {count} numbers are not n + n * n")
        for count in (1, 3, 4, 5, 7, 8, 9, 10, 11, 13, 19, 21, 4161)
    },
    **{
        f"{count} numbers of {name}": (forged, f"frame: its size is not that of the {size} variables, at most 64")
        for name, size, count, forged in (
            ("nothing", 2, 0, two("")),
            ("one", 2, 2, two("0 1")),
            ("three", 2, 12, two("0 0 0 1 0 0 0 1 0 0 0 1")),
            ("four", 2, 20, two(" ".join(["1"] * 20))),
            ("five", 2, 30, two(" ".join(["1"] * 30))),
            ("three for one, singular", 1, 12, hull(LINE, "3/10", ["-1 1"], ["frame" + " 0" * 12, "open"])),
            ("64 for two", 2, 4160, two(" ".join(["0"] * 4160))),
            ("two for one", 1, 6, hull(LINE, "3/10", ["-1 1"], ["frame 0 0 1 0 0 1", "open"])),
            ("nothing for one", 1, 0, hull(LINE, "3/10", ["-1 1"], ["frame", "open"])),
            ("three for one", 1, 12, hull(LINE, "3/10", ["-1 1"], ["frame 0 0 0 1 0 0 0 1 0 0 0 1", "open"])),
            (
                "65",
                65,
                65 * 66,
                tree(
                    problem(
                        [(f"x{i}", 1, 2) for i in range(65)],
                        [],
                        [tape(1, "neg 0")],
                        [f"F{i} 0 1 v{i}" for i in range(65)],
                    ),
                    "1/2",
                    "frame " + " ".join(["0"] * 65 + [str(int(i == j)) for i in range(65) for j in range(65)]),
                    "evaluate 0 0",
                    scope=" ".join(f"F{i}" for i in range(65)),
                ),
            ),
        )
    },
    "four for two of one": (two("0 0 1 0 0"), "frame: 5 numbers are not"),
}
SINGULAR = {
    **{
        matrix: (two(f"0 0 {matrix}"), "frame: its matrix is singular")
        for matrix in (
            "0 0 0 0",
            "1 1 1 1",
            "1 0 0 0",
            "0 1 0 0",
            "0 0 0 1",
            "1 -1 -1 1",
            "3p-7 9p-7 1 3",
            "1 1p256 1p-256 1",
            "1p200 1 1p200 1",
            "0 1 0 1",
            "1 0 1 0",
            "5 7 -5 -7",
            "1p-256 1p-256 1p-256 1p-256",
        )
    },
    "one of 0": (hull(LINE, "3/10", ["-1 1"], ["frame 0 0", "open"]), "frame: its matrix is singular"),
    "three rows": (
        (PRODUCTS, certificate(PRODUCTS, scope="F G H", lower="1/4", tree=["frame 0 0 1 2 2 4", "evaluate 0 0"])),
        "frame: its matrix is singular",
    ),
}
ODD = 2**64 + 1
LONG = {
    **{
        f"{place}: {token}": (
            two(
                " ".join([*["0", "0", "1", "0", "0", "1"][:place], token, *["0", "0", "1", "0", "0", "1"][place + 1 :]])
            ),
            reason,
        )
        for place, token, reason in (
            (0, str(ODD), "frame: a number is too long"),
            (0, f"-{ODD}", "frame: a number is too long"),
            (1, f"{ODD}p-9", "frame: a number is too long"),
            (2, f"{ODD}p7", "frame: a number is too long"),
            (5, "1p257", "frame: a number is too long"),
            (5, "1p-257", "frame: a number is too long"),
            (2, "-3p-257", "frame: a number is too long"),
            (2, "1p4096", "frame: a number is too long"),
            (0, "1p-4096", "frame: a number is too long"),
            (3, f"{3 * 2**65 + 3}", "frame: a number is too long"),
            (4, "1" + "0" * 300, "frame: a number is too long"),
            (0, "1/3", "number: '1/3' is not a dyadic number"),
            (0, "-0", "'-0' is not a dyadic number"),
            (5, "0.5", "is not a dyadic number"),
            (5, "1p4097", "exponent 4097"),
            (5, "x", "is not a dyadic number"),
            (2, f"{2**66 - 1}p-3", "frame: a number is too long"),
        )
    }
}
SECOND = {
    name: (
        hull(CROSS, 0, ["-1 1", "-1 1"], lines, "F G"),
        f"node {node} (line {18 + node}): frame: there is a frame above",
    )
    for name, node, lines in (
        ("at once", 1, [TURN, TURN, "open"]),
        ("of nothing new", 1, [TURN, "frame 0 0 1 0 0 1", "open"]),
        ("first of nothing new", 1, ["frame 0 0 1 0 0 1", TURN, "open"]),
        ("after a preparation", 2, [TURN, "prepare 1", TURN, "open"]),
        ("in the first part", 2, [TURN, "split 0 0", TURN, "open", "open"]),
        ("in the second part", 3, [TURN, "split 0 0", "open", TURN, "open"]),
        ("below a split", 2, ["split 0 0", TURN, TURN, "open", "open"]),
        ("below a split, second", 3, ["split 0 0", "open", TURN, TURN, "open"]),
        ("of another size", 1, [TURN, "frame 0 1", "open"]),
        ("singular", 1, [TURN, "frame 0 0 0 0 0 0", "open"]),
        ("deep", 4, [TURN, "split 0 0", "split 1 0", "prepare 2", TURN, "open", "open", "open"]),
        ("three", 1, [TURN, TURN, TURN, "open"]),
    )
}
SPLIT = {
    f"{frame}, variable {variable} at {at}": (two(frame, f"split {variable} {at}", "open", "open"), reason)
    for frame, variable, at, reason in (
        ("0 0 1p-1 1p-1 1p-1 -1p-1", 0, "1p1", "split: the point is not strictly between"),
        ("0 0 1p-1 1p-1 1p-1 -1p-1", 0, "-1p1", "split: the point is not strictly between"),
        ("0 0 1p-1 1p-1 1p-1 -1p-1", 1, "1p1", "split: the point is not strictly between"),
        ("0 0 1p-1 1p-1 1p-1 -1p-1", 1, "9", "split: the point is not strictly between"),
        ("5 0 1 0 0 1", 0, "0", "split: the point is not strictly between"),
        ("5 0 1 0 0 1", 0, "-4", "split: the point is not strictly between"),
        ("5 0 1 0 0 1", 0, "-6", "split: the point is not strictly between"),
        ("0 -3 1 0 0 1", 1, "1", "split: the point is not strictly between"),
        ("0 0 1p1 0 0 1", 0, "3p-2", "split: the point is not strictly between"),
        ("0 0 1p1 0 0 1", 0, "-1p-1", "split: the point is not strictly between"),
        ("0 0 0 1 1p1 0", 0, "1p-1", "split: the point is not strictly between"),
        ("0 0 1 0 0 1", 2, "0", "split: variable 2 is not in the scope"),
    )
}
# leaves that hold for the box of y, or for another box, but not for the range
WRONG = {
    f"{name}: {', '.join(lines)}": (forged, reason)
    for name, lines, forged, reason in (
        *(
            ("evaluate", lines, tree(FAR, 10, *lines), "evaluate: the row may reach [-level, level]")
            for lines in (
                ("frame 10 1p-9", "evaluate 0 0"),
                ("frame 0 1p-9", "evaluate 0 0"),
                ("frame 11 -1p-9", "evaluate 0 0"),
                ("frame 0 -1p-4", "evaluate 0 0"),
            )
        ),
        *(
            ("evaluate", lines, tree(NEAR, "1/4", *lines), "evaluate: the row may reach [-level, level]")
            for lines in (
                ("frame -1 1", "evaluate 0 0"),
                ("frame -9 1", "evaluate 0 0"),
                ("frame 9 -1", "evaluate 0 0"),
                ("frame 0 1p-9", "evaluate 0 0"),
                ("frame -1 1", "split 0 3p-1", "evaluate 0 0", "evaluate 0 0"),
            )
        ),
        *(
            ("open", lines, hull(LINE, "3/10", ["-1/4 1/4"], lines), "open: the box is not within the hull")
            for lines in (
                ("frame 0 4", "open"),
                ("frame 0 -4", "open"),
                ("frame 0 8", "open"),
                ("frame 0 1p9", "open"),
                ("frame 0 1p9", "split 0 0", "open", "open"),
                ("frame 1p-1 1p1", "split 0 0", "open", "open"),
            )
        ),
        *(
            ("known", lines, zeros(*lines), "known: the box is not within the box of zero 1")
            for lines in (
                ("frame 0 1p8", "known 1"),
                ("frame -11p-3 1", "split 0 11p-3", "known 1", "known 1"),
                ("frame -1 1", "known 1"),
                ("frame 0 -1", "known 1"),
            )
        ),
        *(
            ("facet", lines, hull(CROSS, 0, ["-1 1", "-1 1", facet], lines, "F G"), "open: the box exceeds a facet")
            for facet, lines in (
                ("facet 1 1 1", ("frame 0 0 1p2 0 0 1p2", "open")),
                ("facet 1 0 1/2", ("frame 0 0 1p1 0 0 1", "open")),
                ("facet 1 1 1", ("frame 1 0 1 0 0 1", "split 0 -1p-1", "open", "open")),
                ("facet 1 -1 3/2", (TURN, "open")),
                ("facet 1 1 3/2", (TURN, "split 0 0", "open", "open")),
                ("facet -1 0 3/4", (TURN, "split 0 0", "open", "open")),
            )
        ),
    )
}
# a row term is formed on the image of B, about m + T c, with derivatives in y
TERMS = {
    f"{number}: {', '.join(lines)}": (tree(text, lower, *lines), reason)
    for number, (text, lower, lines, reason) in enumerate(
        (
            (FAR, 10, ("frame 10 1", "aggregate q0.0+1"), POSITIVE),
            (FAR, 10, ("frame 10 1", "aggregate m0.0+1"), POSITIVE),
            (FAR, 10, ("frame 10 1", "aggregate t0.0+1"), POSITIVE),
            (FAR, "21/2", ("frame 0 1p9", "aggregate q0.0+1"), POSITIVE),
            (FAR, "21/2", ("frame 0 1p9", "aggregate m0.0+1"), POSITIVE),
            (FAR, "21/2", ("frame 0 1p9", "aggregate t0.0+1"), POSITIVE),
            (SUM, 1, ("frame 0 0 1 0 -1 1", "aggregate q0.0+1"), POSITIVE),
            (SUM, "3/2", ("frame 0 0 1 1 1 -1", "aggregate m0.0+1"), POSITIVE),
            (SUM, "3/2", ("frame 0 0 1p4 0 0 1p4", "aggregate q0.0+1"), POSITIVE),
            (SUM, "3/2", ("frame 0 0 0 1 1 0", "aggregate t0.0+1"), POSITIVE),
            (BILINEAR, 1, ("frame 0 0 1 1 1 -1", "aggregate q0.0+1"), POSITIVE),
            (BILINEAR, 1, ("frame 0 0 1 1 1 -1", "aggregate t0.0+1 b1+1-1"), POSITIVE),
            (BILINEAR, 1, ("frame 0 0 1 1 1 -1", "aggregate t0.0+1 b0+0-1"), POSITIVE),
            (BILINEAR, "3/2", ("frame 0 0 1p3 0 0 1p3", "aggregate t0.0+1"), POSITIVE),
            (BILINEAR, "3/2", ("frame 0 0 1p3 0 0 1p3", "aggregate q0.0+1"), POSITIVE),
            (BILINEAR, "3/2", ("frame 0 0 1p3 0 0 1p3", "aggregate m0.0+1"), POSITIVE),
            (ROOT, "1/2", ("frame 0 0 1 1p1 0 1", "aggregate m0.0+1"), "a root reaches below 0"),
            (ROOT, "1/2", ("frame 0 0 1 1p1 0 1", "aggregate t0.0+1"), "a root reaches below 0"),
            (ROOT, "1/2", ("frame 1 0 1 1p1 1 1", "aggregate m0.0+1"), "a root reaches below 0"),
            (VALLEY, "1/2", ("frame 1 1", "aggregate q0.0+1"), POSITIVE),
            (VALLEY, "1/2", ("prepare 2", "frame 1 1", "aggregate q0.0+1"), POSITIVE),
            (BILINEAR, 1, ("frame 0 0 1 1 1 -1", "aggregate b0+1+1"), "there is no row"),
            (BILINEAR, 1, ("frame 0 0 1 1 1 -1", "aggregate q0.0+1 b0+2+1"), "is not in the scope"),
        )
    )
}
MISSING = {
    **{
        f"{count} of a turned square": (
            (CROSS, certificate(CROSS, scope="F G", within=0, hull=["-1 1", "-1 1"], tree=TURNED[:count])),
            "tree: a child is missing",
        )
        for count in range(1, len(TURNED))
    },
    "of one": (hull(LINE, "3/10", LINE_HULL, ["frame 0 1"]), "tree: a child is missing"),
    "after a preparation": (hull(LINE, "3/10", LINE_HULL, ["prepare 1", "frame 0 1"]), "tree: a child is missing"),
    "a second one": (hull(LINE, "3/10", ["-1 1"], ["frame 0 1", "open", "open"]), "'end' was expected"),
}

EXCEEDS = "open: the box exceeds a facet"
FACET = {
    **{
        facet: (hull(LINE, "3/10", [*LINE_HULL, f"facet {facet}"], LINE_TREE), f"node 3 (line {21}): {EXCEEDS}")
        for facet in (
            "1 2/5",
            "1 13/32",
            "-1 -1/5",
            "-1 -13/64",
            "1 0",
            "0 -1",
            "2 27/64",
            "-1 -1",
            "1/3 1/8",
            "1 421874999/1000000000",
            "1 -1",
        )
    },
    **{
        f"the last: {facet}": (hull(LINE, "3/10", [*LINE_HULL, "facet 1 1", f"facet {facet}"], LINE_TREE), EXCEEDS)
        for facet in ("1 2/5", "0 -1/100")
    },
    **{
        f"two unknowns: {facet}, {len(lines)}": (
            hull(CROSS, 0, ["-1 1", "-1 1", f"facet {facet}"], lines, "F G"),
            EXCEEDS,
        )
        for lines in (["open"], ["split 0 0", "open", "open"])
        for facet in ("1 1 1/10", "1 -1 1/10", "-1 -1 0", "0 1 1/20", "3 4 1/2")
    },
    "turned, cut short": (change(TURNED_HULL, "facet 1 1 13/128", "facet 1 1 3/32"), EXCEEDS),
    "turned, the second": (change(TURNED_HULL, "facet -1 -1 1/512", "facet -1 -1 0"), EXCEEDS),
    "turned, the third": (change(TURNED_HULL, "facet 1 -1 13/128", "facet 1 -1 1/10"), EXCEEDS),
    "turned, the last": (change(TURNED_HULL, "facet -1 1 1/512", "facet -1 1 1/1024"), EXCEEDS),
    "turned, of another sum": (change(TURNED_HULL, "facet 1 1 13/128", "facet 1 2 13/128"), EXCEEDS),
}
FACET_BLOCK = {
    **{
        f"{line}": (hull(LINE, "3/10", [*LINE_HULL, line], LINE_TREE), reason)
        for line, reason in (
            ("facet", "line 16: number: 'facet' is not"),
            ("facet 1", "certificate: hull: "),
            ("facet 1 1 1", "certificate: hull: "),
            ("facet 1 1 1 1", "certificate: hull: "),
            ("facet 0.5 1", "line 16: number"),
            ("facet 1p-1 1", "line 16: number"),
            ("facet 1 2/4", "line 16: number"),
            ("facet 1 -0", "line 16: number"),
            ("facet 1 none", "line 16: number"),
            ("Facet 1 1", "line 16: number: 'Facet' is not"),
            ("facets 1 1", "line 16: number: 'facets' is not"),
            ("facet 1 <= 1", "line 16: number"),
            ("facet 1 1\n0 1", "line 17: text: 'tree' was expected"),
            ("facet 1 1\nfacet", "line 17: text: 'tree' was expected"),
            ("facet 1 1\nfacet 1", "certificate: hull: "),
            ("facet 1 1\nhull", "line 17: text: 'tree' was expected"),
        )
    },
    "before the box": (hull(LINE, "3/10", ["facet 1 1", *LINE_HULL], LINE_TREE), "line 16: text: 'tree' was expected"),
    "instead of the box": (hull(LINE, "3/10", ["facet 1 1"], LINE_TREE), "certificate: hull: "),
    "of two unknowns": (hull(CROSS, 0, [*CROSS_HULL, "facet 1 1"], ["open"], "F G"), "certificate: hull: "),
}
GROUPS: dict[str, Forgeries] = {
    "size": SIZE,
    "singular": SINGULAR,
    "long": LONG,
    "second": SECOND,
    "split": SPLIT,
    "range": WRONG,
    "terms": TERMS,
    "missing": MISSING,
    "facet": FACET,
    "facet block": FACET_BLOCK,
}
FORGED = grouped(GROUPS)
