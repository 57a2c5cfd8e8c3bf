"""Volumes of what stays open: valid certificates, and forged ones with the reason for which each is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from checker_texts import Forgeries, Number, Text, certificate, change, grouped, problem, tape

from certify.checker.problem import parse_problem
from texts.claims import (
    CIRCLE,
    CIRCLE_ISOLATED,
    CROSS,
    CROSS_HULL,
    CROSS_TREE,
    LINE,
    LINE_HULL,
    LINE_TREE,
    ROOTS,
    ROOTS_ISOLATED,
    ROOTS_TREE,
)
from texts.frames import FACETS, FAR, TURNED
from texts.hitting import BOUNDED, FOUR
from texts.squares import BOUNDED as SQUARES

HAIR = Fraction(1, 10**60)
MORE = "volume: the boxes left open so far have more of it than is claimed"
ALONE = "line 13: claim: a volume is claimed with within only"
# x <= 1/3 in [-1, 1] and y in [1/7, 8/7]: x - m, m in [-4/3, 1/3], and y is in no row
THIRDS = problem(
    [("x", -1, 1), ("y", "1/7", "8/7")],
    [("m", [("-4/3", "1/3")])],
    [tape(3, "sub 0 2", "const 0", "mul 1 4", "add 3 5")],
    ["F 0 1 v0 v1 c0"],
)
FIXED = problem([("x", 0, 1), ("y", 2, 2)], [], [tape(2, "sub 0 0", "mul 1 2")], ["F 0 1 v0 v1"])
FAR_HULL = ["10 11"]


def volume(
    text: str, level: Number, claimed: Number, ends: Sequence[str], *lines: str, scope: str = "F", discard: int = 0
) -> Text:
    return text, certificate(text, scope=scope, within=level, volume=claimed, discard=discard, hull=ends, tree=lines)


def of_line(claimed: Number, *lines: str, ends: Sequence[str] = LINE_HULL) -> Text:
    return volume(LINE, "3/10", claimed, ends, *(lines or LINE_TREE))


def squared(claimed: Number) -> Text:
    return SQUARES[0], SQUARES[1].replace("volume none", f"volume {claimed}", 1)


TIGHT: dict[str, tuple[Text, Fraction]] = {
    # certificates of the smallest volume that the tree proves
    "an interval": (of_line("15/64"), Fraction(15, 64)),
    "a rectangle": (volume(CROSS, 0, "27/1024", CROSS_HULL, *CROSS_TREE, scope="F G"), Fraction(27, 1024)),
    "two leaves": (of_line("15/64", *LINE_TREE[:3], "split 0 1p-2", "open", "open", LINE_TREE[4]), Fraction(15, 64)),
    "everything": (of_line(2, "open", ends=["-1 1"]), Fraction(2)),
    "everything, in parts": (
        of_line(2, "split 0 1p-9", "open", "split 0 3p-2", "open", "open", ends=["-1 1"]),
        Fraction(2),
    ),
    "ends that are no dyadic numbers": (
        volume(THIRDS, 0, "11/8", ["-1 3/8", "1/7 8/7"], "split 0 3p-3", "open", "evaluate 0 0"),
        Fraction(11, 8),
    ),
    "rows left out": (volume(FOUR, "5/4", "17/8", ["1/2 21/8"], *BOUNDED, discard=1), Fraction(17, 8)),
    "a sum of squares": (squared(2), Fraction(2)),
    "below a frame": (volume(FAR, "1/2", 1, FAR_HULL, "frame 10 1", "open"), Fraction(1)),
    "below a stretching frame": (volume(FAR, "1/2", 1, FAR_HULL, "frame 10 1p-3", "open"), Fraction(1)),
    "below a shrinking frame": (
        volume(FAR, "1/2", 1, FAR_HULL, "frame 10 1p3", "split 0 1p-4", "open", "open"),
        Fraction(1),
    ),
    "a turned square": (
        volume(CROSS, 0, "2809/262144", ["-1/16 1/8", "-1/16 1/16", *FACETS], *TURNED, scope="F G"),
        Fraction(53, 512) ** 2,
    ),
    "boxes of a turned frame that overlap": (
        volume(
            CROSS, 0, 8, ["-1 1", "-1 1"], "frame 0 0 1p-1 1p-1 1p-1 -1p-1", "split 0 0", "open", "open", scope="F G"
        ),
        Fraction(8),
    ),
}
VALID: dict[str, Text] = {
    **{name: text for name, (text, _) in TIGHT.items()},
    "more than is needed": of_line("1/4"),
    "much more": of_line(10**300),
    "a hair more": of_line(Fraction(15, 64) + HAIR),
    "nothing is open": volume(LINE, "1/10", 0, ["0 0"], "aggregate q0.0+1 q0.1-1"),
    "a fixed variable": volume(FIXED, 0, 0, ["0 1", "2 2"], "open"),
    "of one family": volume(CROSS, 0, 4, ["-1 1", "-1 1"], "open"),
    "64 variables": volume(
        problem(
            [(f"x{i}", 0, "1/3") for i in range(64)],
            [],
            [tape(64, *(f"add {k} {i}" for i, k in zip(range(1, 64), [0, *range(64, 126)], strict=True)))],
            ["F 0 1 " + " ".join(f"v{i}" for i in range(64))],
        ),
        1,
        Fraction(1, 3**64),
        ["0 1/3"] * 64,
        "open",
    ),
}


GOOD = of_line("15/64")
GIVEN = "volume 15/64\n"
FORM = {
    name: (change(GOOD, GIVEN, new), f"line {line}: {reason}")
    for name, new, line, reason in (
        ("missing", "", 11, "text: a line 'volume' was expected"),
        ("of nothing", "volume\n", 11, "text: 'volume' takes 1 tokens, not 0"),
        ("of two", "volume 15/64 1\n", 11, "text: 'volume' takes 1 tokens, not 2"),
        ("of a unit", "volume 15/64 mm\n", 11, "text: 'volume' takes 1 tokens, not 2"),
        ("twice", GIVEN + GIVEN, 12, "text: a line 'zeros' was expected"),
        ("in capitals", "Volume 15/64\n", 11, "text: a line 'volume' was expected"),
        ("an area", "area 15/64\n", 11, "text: a line 'volume' was expected"),
        ("negative", "volume -15/64\n", 11, "claim: '-"),
        ("barely negative", f"volume -1/{10**1999}\n", 11, "claim: '-"),
        ("negative, whole", "volume -1\n", 11, "claim: '-"),
        ("-0", "volume -0\n", 11, "number"),
        ("a decimal", "volume 0.234375\n", 11, "number"),
        ("a dyadic", "volume 15p-6\n", 11, "number"),
        ("not in lowest terms", "volume 30/128\n", 11, "number"),
        ("a leading zero", "volume 015/64\n", 11, "number"),
        ("plus", "volume +15/64\n", 11, "number"),
        ("infinite", "volume inf\n", 11, "number"),
        ("None", "volume None\n", 11, "number"),
        ("too long", "volume 1" + "0" * 2000 + "\n", 11, "number"),
    )
}
FORM["before within"] = (
    change(change(GOOD, GIVEN, ""), "within 3/10\n", GIVEN + "within 3/10\n"),
    "line 10: text: a line 'within' was expected",
)
FORM["after zeros"] = (
    change(change(GOOD, GIVEN, ""), "zeros none\n", "zeros none\n" + GIVEN),
    "line 11: text: a line 'volume' was expected",
)
LOWER = LINE, certificate(LINE, lower="1/10", tree=["aggregate q0.0+1 q0.1-1"])
UPPER = LINE, certificate(LINE, upper=1, witness=["values 1/2", "column m 0 0"])
ENDS = (
    LINE,
    certificate(LINE, lower="1/10", upper=1, witness=["values 1/2", "column m 0 0"], tree=["aggregate q0.0+1 q0.1-1"]),
)
COUNTED = ROOTS, certificate(ROOTS, zeros=2, isolated=ROOTS_ISOLATED, tree=ROOTS_TREE)
CIRCLED = CIRCLE, certificate(CIRCLE, zeros=2, isolated=CIRCLE_ISOLATED, scope="F G", tree=["open"])
LEAST = ROOTS, certificate(ROOTS, norm="squares", minimum="local 1", isolated=["zero 1 2", "inverse 1p-1"])
EVERYWHERE = (
    ROOTS,
    certificate(ROOTS, norm="squares", minimum="global 1", isolated=["zero 1 2", "inverse 1p-1"], tree=["open"]),
)
BASES = {
    "lower": LOWER,
    "upper": UPPER,
    "both ends": ENDS,
    "zeros": COUNTED,
    "other zeros": CIRCLED,
    "local": LEAST,
    "global": EVERYWHERE,
}
WITHOUT = {
    f"{name}, volume {value}": (change(base, "volume none", f"volume {value}"), ALONE)
    for name, base in BASES.items()
    for value in ("0", "2", "1/3", str(10**100))
}
WITHOUT |= {
    f"at the point {value}": (
        (LINE, certificate(LINE, lower="1/10", volume=0, point=f"point {value}", tree=["evaluate 0 1"])),
        ALONE,
    )
    for value in ("0", "-1", "1/3")
}
WITHOUT |= {
    f"of nothing, volume {value}": (
        (LINE, certificate(LINE, volume=value, tree=["open"])),
        "line 13: claim: one of the five is claimed",
    )
    for value in (0, "1/2", 9)
}


def wide(count: int, rows: int = 1, level: Number = 0, ends: str = "0 1") -> Text:
    """So many variables, each in a row of its own or all in one."""
    variables = [(f"x{i}", 0, 1) for i in range(count)]
    if rows > 1:
        text = problem(variables, [], [tape(1, "neg 0")], [f"F{i} 0 1 v{i}" for i in range(count)])
        return volume(text, level, 1, [ends] * count, "open", scope=" ".join(f"F{i}" for i in range(count)))
    bound = " ".join(f"v{i}" for i in range(count))
    return volume(problem(variables, [], [tape(count, "neg 0")], [f"F 0 1 {bound}"]), level, 1, [ends] * count, "open")


MANY = {
    f"{count} variables in {'rows of their own' if rows > 1 else 'one row'}": (
        wide(count, rows),
        f"line 11: volume: {count} variables are more",
    )
    for count in (65, 66, 80, 100, 128, 500, 1000)
    for rows in (1, 2)
}
SUM = {
    f"{name}, less {shown}": (change(text, f"volume {least}", f"volume {least - less}"), MORE)
    for name, (text, least) in TIGHT.items()
    for shown, less in (("a hair", HAIR), ("1%", least / 100), ("everything", least))
}
# the leaf at which it is too much
WHERE = {
    name: (forged, f"node {node} (line {17 + node}): {MORE}")
    for name, node, forged in (
        ("the first", 0, of_line("1999/1000", "open", ends=["-1 1"])),
        ("the first of two", 1, of_line("1/2", "split 0 0", "open", "open", ends=["-1 1"])),
        ("the second of two", 2, of_line("3/2", "split 0 0", "open", "open", ends=["-1 1"])),
        (
            "the last of three",
            4,
            of_line("1999/1000", "split 0 0", "open", "split 0 1p-1", "open", "open", ends=["-1 1"]),
        ),
        ("the second of three", 3, of_line("1", "split 0 0", "open", "split 0 1p-1", "open", "open", ends=["-1 1"])),
        ("after a refuted one", 3, of_line(0, *LINE_TREE)),
        ("below a preparation", 2, of_line("1/2", "prepare 2", "split 0 0", "open", "open", ends=["-1 1"])),
    )
}
# the volume of the box of y is not that of its range
FRAMES = {
    f"{', '.join(lines)}, {claimed}": (volume(FAR, "1/2", claimed, FAR_HULL, *lines), MORE)
    for lines, claimed in (
        (("frame 10 1p1", "open"), "1/2"),
        (("frame 10 1p3", "open"), "1/8"),
        (("frame 0 1p3", "open"), "1/8"),
        (("frame 10 -1p3", "open"), "1/8"),
        (("frame 11 -1p9", "open"), "1/512"),
        (("frame 0 7", "open"), "1/7"),
        (("frame 0 1p256", "open"), Fraction(1, 2**128)),
        (("frame 10 1p3", "split 0 1p-4", "open", "open"), "1/8"),
        (("split 0 21p-1", "frame 10 1p1", "open", "open"), "3/4"),
        (("split 0 21p-1", "frame 10 1p1", "open", "frame 10 1p1", "open"), "1/2"),
        (("split 0 21p-1", "open", "frame 10 1p1", "open"), "3/4"),
        (("frame 10 1p-1", "split 0 1", "open", "open"), "99/100"),
    )
}
FRAMES |= {
    f"turned, {claimed}": (
        volume(
            CROSS,
            0,
            claimed,
            ["-1 1", "-1 1"],
            "frame 0 0 1p-1 1p-1 1p-1 -1p-1",
            "split 0 0",
            "open",
            "open",
            scope="F G",
        ),
        MORE,
    )
    for claimed in (0, 2, 3, 4, "799/100", 8 - HAIR)
}
# nothing is subtracted: not the hull's volume, not that of a facet's half-space, not what a sibling refutes
OTHER = {
    name: (forged, MORE)
    for name, forged in (
        ("of the hull, not of the box", of_line("9/64", *LINE_TREE[:3], "split 0 1p-2", "open", "open", LINE_TREE[4])),
        ("of a facet's half", volume(CROSS, 0, 2, ["-1 1", "-1 1", "facet 1 1 2"], "open", scope="F G")),
        ("of the set", of_line("1/5")),
        ("of the set, a hair more", of_line(Fraction(1, 5) + HAIR)),
        ("of one leaf of two", volume(CROSS, 9, 2, ["-1 1", "-1 1"], "split 1 0", "open", "open")),
        ("of the larger leaf", volume(CROSS, 9, 3, ["-1 1", "-1 1"], "split 1 1p-1", "open", "open")),
        ("of the smaller leaf", volume(CROSS, 9, 1, ["-1 1", "-1 1"], "split 1 1p-1", "open", "open")),
        ("of one variable", volume(CROSS, 9, 2, ["-1 1", "-1 1"], "open")),
        ("of an edge", volume(CROSS, 9, 0, ["-1 1", "-1 1"], "open")),
        ("of the rows left out", volume(FOUR, "5/4", 2, ["1/2 21/8"], *BOUNDED, discard=1)),
        ("of the squares", squared("3/2")),
        ("a mean of the ends", volume(THIRDS, 0, "4/3", ["-1 3/8", "1/7 8/7"], "split 0 3p-3", "open", "evaluate 0 0")),
    )
}
GROUPS: dict[str, Forgeries] = {
    "form": FORM,
    "alone": WITHOUT,
    "variables": MANY,
    "sum": SUM | WHERE,
    "frames": FRAMES,
    "other": OTHER,
}
FORGED = grouped(GROUPS)


def claimed(text: str, count: int, discard: int, claim: Number, lines: Sequence[str]) -> Text:
    ends = [
        f"{lower} {upper}" for lower, upper in (variable.bounds for variable in parse_problem(text.encode()).variables)
    ]
    return volume(text, 0, claim, ends, *lines, scope=" ".join(f"F{k}" for k in range(count)), discard=discard)
