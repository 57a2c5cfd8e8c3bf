"""Skew coordinates and facets: valid trees are VERIFIED, forged ones REJECTED for their reason; images, ranges, terms against exact ones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import Forgeries, Number, Text, certificate, change, grouped, judge, problem, refusal, reject, tape
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checker_claims import CROSS, CROSS_HULL, LINE, LINE_HULL, LINE_TREE, ROOTS, ROOTS_ISOLATED, ROOTS_TREE
from test_checker_rules import POSITIVE, PRODUCTS, VALLEY
from test_checker_terms import Singular, exact, random_problem, random_tape, rooted_tape, shrink, span_at, weight, within

from certify.checker import Status
from certify.checker.certificate import Facet, Hull
from certify.checker.interval import Arithmetic
from certify.checker.nodes import Aggregate, Evaluate, Known, Open, Product, RowTerm, Skew
from certify.checker.outcome import Clock, Rejection
from certify.checker.problem import parse_problem
from certify.checker.rules import Preparation, Proof, Question
from certify.checker.scope import Box, Scope
from certify.checker.skew import Chart, plain

seeds = st.integers(0, 10**9)

# x + y - m and x - y - n, m and n in [0, 1/10]: in the frame y_0 = x + y, y_1 = x - y
TURN = "frame 0 0 1p-1 1p-1 1p-1 -1p-1"
TURNED = [TURN, "split 0 -1p-9", "aggregate q0.0-1", "split 0 13p-7", "split 1 -1p-9", "aggregate q1.0-1", "split 1 13p-7", "open"]
TURNED += ["aggregate q1.0+1", "aggregate q0.0+1"]
FACETS = ["facet 1 1 13/128", "facet -1 -1 1/512", "facet 1 -1 13/128", "facet -1 1 1/512"]
# a row of x in [10, 11]: x - 21/2
FAR = problem([("x", 10, 11)], [], [tape(1, "const 0", "add 0 1")], ["F 0 1 v0"])
NEAR = problem([("x", 0, 1)], [], [tape(1, "const 1/4", "sub 0 1")], ["F 0 1 v0"])
# sqrt x and 1 / x, defined for x > 0 only
ROOT = problem([("x", 1, 4), ("y", 0, 1)], [], [tape(2, "sqrt 0", "const 0", "mul 1 3", "add 2 4")], ["F 0 1 v0 v1"])
BILINEAR = problem([("x", -1, 1), ("y", -1, 1)], [], [tape(2, "mul 0 1", "const 2", "add 2 3")], ["F 0 1 v0 v1"])
SUM = problem([("x", 0, 1), ("y", 0, 1)], [], [tape(2, "add 0 1", "const 3", "sub 3 2"), tape(1, "const 0", "add 0 1")], ["F 0 1 v0 v1", "G 1 1 v1"])


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
    "a stretch": hull(LINE, "3/10", LINE_HULL, ["frame 0 1p1", "split 0 3p-5", "evaluate 0 1", "split 0 27p-7", "open", "evaluate 0 0"]),
    "a reflection": hull(LINE, "3/10", LINE_HULL, ["frame 0 -1", "split 0 -27p-6", "evaluate 0 0", "split 0 -3p-4", "open", "evaluate 0 1"]),
    "a range": hull(LINE, "3/10", ["-1 1"], ["frame 0 3p0", "open"]),
    "a frame of x far": tree(FAR, 9, "frame 10 1", "evaluate 0 0"),
    "a frame of x far, aggregates": tree(FAR, 9, "frame 10 1", "aggregate q0.0+1p-1 m0.0+1p-2 t0.0+1p-2"),
    "zeros": zeros("frame 0 1", *ROOTS_TREE),
    "zeros, stretched": zeros("frame 0 1p-1", *[line.replace("p-1", "p0").replace("p-2", "p-1") for line in ROOTS_TREE]),
    "a split, then frames": hull(
        LINE, "3/10", LINE_HULL, ["split 0 3p-4", "frame 1 1p-3", "evaluate 0 1", "split 0 27p-6", "frame 0 7", "open", "evaluate 0 0"]
    ),
    "prepared": hull(CROSS, 0, ["-1/16 1/8", "-1/16 1/16", *FACETS], ["prepare 2", TURN, "prepare 3", *TURNED[1:]], "F G"),
    "a sum in a frame": tree(SUM, "99/100", "frame 0 0 1 0 -1 1", "aggregate q0.0+1", scope="F"),
    "products of a frame": tree(BILINEAR, "9/10", "frame 0 0 1 1 1 -1", "aggregate t0.0+1 b1+1-1"),
    "an empty range": hull(
        CROSS, 0, ["-1/16 1/8", "-1/16 1/16", *FACETS], [TURN, "split 0 15p-3", *TURNED[1:], "split 1 1", "aggregate q0.0+1", "evaluate 0 0"], "F G"
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


@pytest.mark.parametrize("name", VALID)
def test_valid_frames_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_counts_half_spaces() -> None:
    assert judge(*TURNED_HULL).message.partition(": ")[2].startswith("in the hull and its 4 half-spaces lie all unknowns")


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
                    problem([(f"x{i}", 1, 2) for i in range(65)], [], [tape(1, "neg 0")], [f"F{i} 0 1 v{i}" for i in range(65)]),
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
        f"{place}: {token}": (two(" ".join([*["0", "0", "1", "0", "0", "1"][:place], token, *["0", "0", "1", "0", "0", "1"][place + 1 :]])), reason)
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
    name: (hull(CROSS, 0, ["-1 1", "-1 1"], lines, "F G"), f"node {node} (line {18 + node}): frame: there is a frame above")
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
        for facet in ("1 2/5", "1 13/32", "-1 -1/5", "-1 -13/64", "1 0", "0 -1", "2 27/64", "-1 -1", "1/3 1/8", "1 421874999/1000000000", "1 -1")
    },
    **{
        f"the last: {facet}": (hull(LINE, "3/10", [*LINE_HULL, "facet 1 1", f"facet {facet}"], LINE_TREE), EXCEEDS) for facet in ("1 2/5", "0 -1/100")
    },
    **{
        f"two unknowns: {facet}, {len(lines)}": (hull(CROSS, 0, ["-1 1", "-1 1", f"facet {facet}"], lines, "F G"), EXCEEDS)
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


@pytest.mark.parametrize("name", FORGED)
def test_forged_frames_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Charts


def dyadic(rng: random.Random, bits: int = 3, reach: int = 3) -> Fraction:
    return Fraction(rng.randint(-reach << bits, reach << bits), 1 << bits)


def regular(rng: random.Random, size: int) -> Skew:
    """A random frame; its matrix is regular."""
    while True:
        matrix = tuple(tuple(dyadic(rng) for _ in range(size)) for _ in range(size))
        if determinant(matrix):
            return Skew(tuple(dyadic(rng) for _ in range(size)), matrix)


def determinant(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """By Leibniz."""
    total = Fraction(0)
    for order in itertools.permutations(range(len(matrix))):
        sign = (-1) ** sum(order[i] > order[j] for i, j in itertools.combinations(range(len(order)), 2))
        product = Fraction(sign)
        for row, place in enumerate(order):
            product *= matrix[row][place]
        total += product
    return total


def placed(frame: Skew, y: Sequence[Fraction]) -> list[Fraction]:
    return [m + sum(a * b for a, b in zip(row, y, strict=True)) for m, row in zip(frame.point, frame.matrix, strict=True)]


def solved(frame: Skew, x: Sequence[Fraction]) -> list[Fraction]:
    """T^-1 (x - m), by Cramer."""
    whole = determinant(frame.matrix)
    found = []
    for j in range(len(x)):
        columns = [[*row[:j], value - m, *row[j + 1 :]] for row, value, m in zip(frame.matrix, x, frame.point, strict=True)]
        found.append(determinant(columns) / whole)
    return found


def random_box(rng: random.Random, size: int) -> Box:
    low = [dyadic(rng, 4) / rng.choice((1, 3)) for _ in range(size)]
    return tuple((value, value + abs(dyadic(rng, 4)) / rng.choice((1, 5))) for value in low)


def inside(rng: random.Random, box: Box) -> list[Fraction]:
    return [within(rng, bounds) for bounds in box]


@settings(max_examples=150, deadline=None)
@given(seed=seeds, precision=st.sampled_from((1, 2, 8, 12)), size=st.integers(1, 3))
def test_charts_contain_what_they_should(seed: int, precision: int, size: int) -> None:
    rng = random.Random(seed)
    frame, box = regular(rng, size), random_box(rng, size)
    chart, ys = plain(Arithmetic(precision), Clock(), size).into(frame, box)
    for _ in range(4):
        x = inside(rng, box)
        y = solved(frame, x)
        assert placed(frame, y) == x
        assert all(low <= value <= high for value, (low, high) in zip(y, ys, strict=True))
        part = tuple(sorted((within(rng, bounds), within(rng, bounds))) for bounds in ys)
        part = tuple((low, high) for low, high in part)
        y = inside(rng, part)
        x = placed(frame, y)
        assert chart.point(y) == tuple(x)
        image, found = chart.image(part), chart.range(part)
        assert all(low <= value <= high for value, (low, high) in zip(x, image, strict=True))
        if all(low <= value <= high for value, (low, high) in zip(x, box, strict=True)):
            assert found is not None and all(low <= value <= high for value, (low, high) in zip(x, found, strict=True))
        if found is not None:
            for (low, high), outer, whole in zip(found, image, box, strict=True):
                assert (low, high) == (max(outer[0], whole[0]), min(outer[1], whole[1]))
        facet = Facet(tuple(dyadic(rng) / 3 for _ in range(size)), dyadic(rng))
        height = max(
            sum(a * value for a, value in zip(facet.coefficients, placed(frame, corner), strict=True)) for corner in itertools.product(*part)
        )
        assert chart.satisfies(part, facet) == (height <= facet.bound)
        assert chart.satisfies(part, Facet(facet.coefficients, height))
        for (low, high), ends in zip(image, zip(*(placed(frame, corner) for corner in itertools.product(*part)), strict=True), strict=True):
            assert (max(ends) - min(ends)) <= high - low <= (max(ends) - min(ends)) + Fraction(2, 1 << precision)


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_the_boxes_of_a_frame_are_the_least_of_the_grid(seed: int) -> None:
    rng = random.Random(seed)
    frame, box = regular(rng, 2), random_box(rng, 2)
    chart, ys = plain(Arithmetic(5), Clock(), 2).into(frame, box)
    corners = [solved(frame, corner) for corner in itertools.product(*box)]
    for (low, high), ends in zip(ys, zip(*corners, strict=True), strict=True):
        assert (low * 32).denominator == (high * 32).denominator == 1
        assert low <= min(ends) < low + Fraction(1, 32) and high - Fraction(1, 32) < max(ends) <= high
    for (low, high), ends in zip(chart.image(box), zip(*(placed(frame, corner) for corner in itertools.product(*box)), strict=True), strict=True):
        assert (low * 32).denominator == (high * 32).denominator == 1
        assert low <= min(ends) < low + Fraction(1, 32) and high - Fraction(1, 32) < max(ends) <= high


def test_an_inverse_is_exact_whatever_the_pivots() -> None:
    """Permutations and triangles: the box of y is that of T^-1."""
    box = ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(5)), (Fraction(-1), Fraction(0)))
    for order in itertools.permutations(range(3)):
        matrix = tuple(tuple(Fraction(2 if order[i] == j else 0) for j in range(3)) for i in range(3))
        _, ys = plain(Arithmetic(8), Clock(), 3).into(Skew((Fraction(1), Fraction(0), Fraction(-1)), matrix), box)
        starts = (Fraction(1), Fraction(0), Fraction(-1))
        for i in range(3):
            assert ys[order[i]] == tuple((end - starts[i]) / 2 for end in box[i])


def test_a_move_is_enclosed_outwards_and_zeros_are_left_out() -> None:
    third = Skew((Fraction(0), Fraction(0)), ((Fraction(1, 2), Fraction(0)), (Fraction(1, 1024), Fraction(-3, 1024))))
    chart, _ = plain(Arithmetic(8), Clock(), 2).into(third, ((Fraction(0), Fraction(1)),) * 2)
    assert chart.moves == ({(0,): (128, 128)}, {(0,): (0, 1), (1,): (-1, 0)})


def skewed(proof: Proof, rng: random.Random) -> Preparation:
    return proof.skew(proof.root, proof.root.box, regular(rng, 2))


@pytest.mark.parametrize("form", "qmt")
@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=70, deadline=None)
@given(seed=seeds, precision=st.sampled_from((10, 12, 20)))
def test_row_terms_of_a_frame_contain_the_row(form: str, side: int, seed: int, precision: int) -> None:
    """s r(m + T y, h) - e is a selection of the term at d = y - c, for every h in H."""
    rng = random.Random(seed)
    codes = ("add", "sub", "mul", "neg", "sqr", "const") if form == "q" else ("add", "sub", "mul", "neg", "sqr", "const", "div")
    parsed = parse_problem(random_problem(rng, random_tape(rng, 4, codes, rng.randint(1, 6)), 2).text().encode())
    proof = Proof(parsed, (0,), precision, Question(Fraction(1, 3)), Scope(parsed, (0,), precision).box)
    preparation = skewed(proof, rng)
    try:
        polynomial = proof.polynomial(preparation, RowTerm(form, 0, 0, side, Fraction(1)))
    except Rejection:
        return
    corner = proof.corner(preparation, 0, 0, side)
    e = Fraction(proof.scope.arithmetic.ceiling(Fraction(1, 3)) + corner.slack, 1 << precision)
    for _ in range(4):
        y = inside(rng, preparation.box)
        x = preparation.chart.point(y)
        h = [within(rng, (Fraction(a, 1 << precision), Fraction(b, 1 << precision))) for a, b in corner.inputs[2:]]
        low, high = span_at(polynomial, [a - b for a, b in zip(y, preparation.centre, strict=True)], precision)
        try:
            assert low <= side * exact(parsed, 0, [*x, *h]) - e <= high
        except Singular:
            continue


@settings(max_examples=150, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_a_planted_solution_is_never_refuted_in_a_frame(seed: int, precision: int) -> None:
    rng = random.Random(seed)
    rooted = rng.random() < 0.5
    made = rooted_tape(rng, rng.choice((1, -1)))[0] if rooted else random_tape(rng, 4, ("add", "sub", "mul", "neg", "sqr", "sqrt", "const", "div"), 5)
    parsed = parse_problem(random_problem(rng, made, 2, rows=3).text().encode())
    x = [within(rng, variable.bounds) for variable in parsed.variables]
    m = [[within(rng, column.entries[k]) for column in parsed.columns] for k in range(3)]
    try:
        rows = [abs(exact(parsed, 0, [*x, *m[k]])) for k in range(3)]
    except Singular:
        return
    level = max(rows) + (Fraction(1, 1 << 260) if any(o.code == "sqrt" for o in parsed.tapes[0].operations) else 0)
    box = Scope(parsed, (0,), precision).box
    around = tuple((value, value) for value in x)
    beside = Hull(around, (Facet((Fraction(1), Fraction(0)), x[0] - 1),))
    proof = Proof(parsed, (0,), precision, Question(level, hull=beside, zeros=(((x[0] + 1, x[0] + 2),) * 2,)), box)
    frame = regular(rng, 2)
    preparation = proof.skew(proof.root, shrink(rng, box, x), frame)
    y, part = solved(frame, x), preparation.box
    for _ in range(4):
        assert all(refusal(proof, preparation, part, Evaluate(0, row)) is not None for row in range(3))
        keys = {(rng.choice("qmt"), rng.randrange(3), rng.choice((1, -1))) for _ in range(rng.randint(1, 4))}
        terms: list[RowTerm | Product] = [RowTerm(form, 0, row, side, weight(rng)) for form, row, side in keys]
        terms += [Product(*key, weight(rng)) for key in ((0, 1, 0, -1), (0, -1, 1, 1))[: rng.randint(0, 2)]]
        assert refusal(proof, preparation, part, Aggregate(tuple(terms))) is not None
        assert refusal(proof, preparation, part, Open()) is not None
        assert refusal(proof, preparation, part, Known(0)) is not None
        part = shrink(rng, part, y)
        if rng.random() < 0.5:
            preparation = proof.prepare(preparation, part, rng.choice((1, 2)))


def test_what_lies_outside_of_a_frame_holds_for_every_leaf() -> None:
    """A part of the box of y whose image misses G."""
    parsed = parse_problem(CROSS.encode())
    box = Scope(parsed, (0, 1), 64).box
    proof = Proof(parsed, (0, 1), 64, Question(Fraction(0), hull=Hull(box), zeros=(((Fraction(0), Fraction(0)),) * 2,)), box)
    preparation = proof.skew(proof.root, box, Skew((Fraction(0),) * 2, ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(-1, 2)))))
    assert preparation.box == ((Fraction(-2), Fraction(2)),) * 2
    empty = ((Fraction(3, 2), Fraction(2)), (Fraction(3, 2), Fraction(2)))
    assert preparation.chart.range(empty) is None
    assert refusal(proof, preparation, empty, Open()) is None
    assert refusal(proof, preparation, empty, Known(0)) is None
    assert refusal(proof, preparation, empty, Evaluate(0, 0)) is None
    assert refusal(proof, preparation, empty, Evaluate(0, 1)) == "there is no row 0.1 in the scope"
    assert refusal(proof, preparation, empty, Known(1)) == "there is no zero 1"
    touching = ((Fraction(1), Fraction(2)), (Fraction(1), Fraction(2)))
    assert preparation.chart.range(touching) == ((Fraction(1), Fraction(1)), (Fraction(-1, 2), Fraction(1, 2)))
    bare = Proof(parsed, (0, 1), 64, Question(Fraction(0)), box)
    skewed_box = bare.skew(bare.root, box, Skew((Fraction(0),) * 2, ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))))
    assert refusal(bare, skewed_box, empty, Open()) == "there is no hull"


def test_frames_end_by_the_deadline() -> None:
    from certify.checker.outcome import ResourceLimit
    from certify.checker.skew import _inverse

    with pytest.raises(ResourceLimit):
        _inverse(((Fraction(1),),), Clock(0))
    late = Chart(Arithmetic(8), Clock(0), (), Skew((Fraction(0),), ((Fraction(1),),)), ())
    box = ((Fraction(0), Fraction(1)),)
    for attempt in (lambda: late.image(box), lambda: late.satisfies(box, Facet((Fraction(1),), Fraction(1)))):
        with pytest.raises(ResourceLimit):
            attempt()
    with pytest.raises(Rejection, match="there is a frame above"):
        late.into(Skew((Fraction(0),), ((Fraction(1),),)), box)
