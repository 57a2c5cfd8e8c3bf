"""Pieces: parts of a box, trees that are proved in pieces; forged ones with the reason for which each is rejected."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from checker_texts import (
    PIECES,
    Forgeries,
    Number,
    Text,
    certificate,
    certificate6,
    change,
    grouped,
    kept,
    problem,
    tape,
)

from texts.claims import LINE, ROOTS, ROOTS_ISOLATED, ROOTS_TREE
from texts.hitting import FOUR, PAIRS

EQUATION = "equation rows 0 1 F"
MODEL = "model rows 0 1 F"
# x^3 - x has the zeros -1, 0 and 1: the second lies where the box is cut
CUBIC = problem([("x", -2, 2)], [], [tape(1, "sqr 0", "const 1", "sub 1 2", "mul 3 0")], ["F 0 1 v0"])
CUBIC_ISOLATED = ["zero -9p-3 -7p-3", "inverse 1p-1", "zero -1p-2 1p-2", "inverse -1", "zero 7p-3 9p-3", "inverse 1p-1"]
# the same for y beside x^2 = 2, in two unknowns
BESIDE = problem(
    [("x", -2, 2), ("y", -2, 2)],
    [],
    [tape(1, "sqr 0", "const 2", "sub 1 2"), tape(1, "const 1", "sub 0 1")],
    ["F 0 1 v0", "G 1 1 v1"],
)
BESIDE_ZEROS = ["zero -3p-1 -5p-2 1p-1 3p-1", "inverse -11p-5 0 0 1", "zero 5p-2 3p-1 1p-1 3p-1", "inverse 11p-5 0 0 1"]


def of_roots(text: str, *groups: str, **claims: object) -> str:
    """A certificate about a system."""
    return certificate6(text, *(groups or (EQUATION,)), kind="system", **claims)  # type: ignore[arg-type]


def of_errors(text: str, **claims: object) -> str:
    return certificate6(text, MODEL, **claims)  # type: ignore[arg-type]


LEFT_TREE = ["split 0 -3p-1", "evaluate 0 0", "split 0 -5p-2", "known 0", "evaluate 0 0"]
RIGHT_TREE = ["split 0 5p-2", "evaluate 0 0", "split 0 3p-1", "known 0", "evaluate 0 0"]
LEFT = of_roots(ROOTS, point="part -2 0", zeros=1, isolated=ROOTS_ISOLATED[:2], tree=LEFT_TREE)
RIGHT = of_roots(ROOTS, point="part 0 2", zeros=1, isolated=ROOTS_ISOLATED[2:], tree=RIGHT_TREE)
EMPTY = of_roots(ROOTS, point="part -5/4 1", lower=0, tree=["evaluate 0 0"])
HALF_OPEN = of_roots(
    ROOTS, point="part 0 2", within=0, volume="1/2", hull=["1 3/2"],
    tree=["split 0 1", "evaluate 0 0", "split 0 3p-1", "open", "evaluate 0 0"],
)  # fmt: skip
# one of three is proved, the rest is open
SOME = of_roots(
    CUBIC, point="part -2 0", within=0, volume="3/4", hull=["-1/2 1/4"], zeros=1, isolated=CUBIC_ISOLATED[:2],
    tree=["split 0 -9p-3", "evaluate 0 0", "split 0 -7p-3", "known 0", "split 0 -1p-1", "evaluate 0 0", "open"],
)  # fmt: skip
MORE = SOME.replace("part -2 0", "part -2 2").replace("volume 3/4", "volume 5/2").replace("-1/2 1/4", "-1/2 2")
OUTER = ["split 0 -9p-3", "evaluate 0 0", "split 0 -7p-3", "known 0", "split 0 -1p-2", "evaluate 0 0", "known 1"]
INNER = ["split 0 1p-3", "known 0", "split 0 7p-3", "evaluate 0 0", "split 0 9p-3", "known 1", "evaluate 0 0"]
ON_CUT = of_roots(CUBIC, point="part -2 0", zeros=2, isolated=CUBIC_ISOLATED[:4], tree=OUTER)
FROM_CUT = of_roots(
    CUBIC, point="part 0 2", zeros=2, isolated=["zero -1p-3 1p-3", "inverse -1", *CUBIC_ISOLATED[4:]], tree=INNER
)
WITNESS = ["values 3/10", "column m 1 0"]
LOW = of_errors(LINE, point="part -1 1/4", lower="1/10", tree=["evaluate 0 1"])
HIGH = of_errors(LINE, point="part 0 1", lower="19/100", tree=["aggregate q0.0+1 q0.1-1"])
# of one root alone: the sum of squares has one minimum
POSITIVE_ROOT = ROOTS.replace("x mm -2 2", "x mm 0 2")
SQUARED = certificate6(POSITIVE_ROOT, MODEL, norm="squares", point="part 0 5/4", lower="1/50", tree=["evaluate 0 0"])
HIT = certificate6(FOUR, MODEL, point="part -9 50", lower=1, discard=1, tree=PAIRS)
HIT_REST = certificate6(FOUR, MODEL, point="part 50 99", lower=1, discard=1, tree=PAIRS)


def manifest(*lines: str, zeros: Number = 2, isolated: Sequence[str] = ROOTS_ISOLATED, **more: object) -> Text:
    """Of the square root of two, all of it."""
    return ROOTS, of_roots(ROOTS, zeros=zeros, isolated=isolated, tree=lines, **more)


def leaf(text: str) -> str:
    """The leaf of a piece, which is kept."""
    return f"piece {kept(text)}"


def cubic(*lines: str, zeros: int = 3, **more: object) -> Text:
    return CUBIC, of_roots(CUBIC, zeros=zeros, isolated=CUBIC_ISOLATED[: 2 * zeros], tree=lines, **more)


def opened(*lines: str, volume: Number = "none", hull: str = "0 2") -> Text:
    return ROOTS, of_roots(ROOTS, within=0, volume=volume, hull=[hull], tree=lines)


def line(*lines: str, lower: Number = "1/10", **more: object) -> Text:
    return LINE, of_errors(LINE, lower=lower, tree=lines, **more)


def four(*lines: str, lower: Number = 1, discard: int = 1, **more: object) -> Text:
    return FOUR, certificate6(FOUR, MODEL, lower=lower, discard=discard, tree=lines, **more)  # type: ignore[arg-type]


HALVES = ("split 0 0", leaf(LEFT), leaf(RIGHT))
VALID: dict[str, Text] = {
    "a piece": (ROOTS, LEFT),
    "the other piece": (ROOTS, RIGHT),
    "a piece without zeros": (ROOTS, EMPTY),
    "a piece that is open": (ROOTS, HALF_OPEN),
    "a piece that does not end": (CUBIC, SOME),
    "a piece with a zero on its face": (CUBIC, ON_CUT),
    "a piece of errors": (LINE, LOW),
    "a piece with rows left out": (FOUR, HIT),
    "all of the box": manifest(*ROOTS_TREE, point="part -2 2"),
    "a thin part": (ROOTS, of_roots(ROOTS, point="part 1 1", lower=0, tree=["evaluate 0 0"])),
    "two pieces": manifest(*HALVES),
    "a piece and a leaf": manifest("split 0 0", leaf(LEFT), *RIGHT_TREE[:3], "known 1", RIGHT_TREE[4]),
    "an empty piece": manifest(*LEFT_TREE[:4], "split 0 1", leaf(EMPTY), *RIGHT_TREE[:3], "known 1", RIGHT_TREE[4]),
    "a piece twice": manifest("split 0 0", "split 0 -1", HALVES[1], HALVES[1], HALVES[2]),
    "a piece that is the box": manifest(
        leaf(of_roots(ROOTS, point="part -2 2", zeros=2, isolated=ROOTS_ISOLATED, tree=ROOTS_TREE))
    ),
    "below a preparation": manifest("prepare 7", *HALVES),
    "a zero that two pieces share": cubic("split 0 0", leaf(ON_CUT), leaf(FROM_CUT)),
    "what is open in a piece": opened("split 0 0", "open", leaf(HALF_OPEN), hull="-2 2", volume="5/2"),
    "what is open, without a volume": opened("split 0 0", "open", leaf(HALF_OPEN), hull="-2 2"),
    "at least one": (
        ROOTS,
        of_roots(
            ROOTS,
            within=0,
            volume=2,
            hull=["-2 0"],
            zeros=1,
            isolated=ROOTS_ISOLATED[2:],
            tree=["split 0 0", "open", leaf(RIGHT)],
        ),
    ),
    "at least one, without pieces": (
        ROOTS,
        of_roots(
            ROOTS,
            within=0,
            hull=["-2 0"],
            zeros=1,
            isolated=ROOTS_ISOLATED[2:],
            tree=["split 0 0", "open", *RIGHT_TREE],
        ),
    ),
    "at least one of three": cubic("split 0 0", leaf(SOME), "open", zeros=1, within=0, volume="11/4", hull=["-1/2 2"]),
    "open in both": cubic("split 0 0", leaf(SOME), leaf(MORE), zeros=1, within=0, volume="13/4", hull=["-1/2 2"]),
    "errors": line("split 0 1p-3", leaf(LOW), leaf(HIGH)),
    "errors at the highest level": line("split 0 1p-3", "evaluate 0 1", leaf(HIGH), lower="19/100"),
    "rows left out": four("split 0 50", leaf(HIT), leaf(HIT_REST)),
    "rows left out above, too": four("split 0 50", leaf(HIT), *PAIRS),
    "another precision": manifest("split 0 0", leaf(LEFT.replace("precision 128", "precision 400")), HALVES[2]),
    "a global minimum": (
        POSITIVE_ROOT,
        certificate6(
            POSITIVE_ROOT,
            MODEL,
            norm="squares",
            minimum="global 1/50",
            isolated=["zero 5p-2 3p-1", "inverse 1p-3"],
            tree=["split 0 5p-2", leaf(SQUARED), "split 0 3p-1", "known 0", "evaluate 0 0"],
        ),
    ),
}

FORM = {
    f"part {word!r}": ((ROOTS, LEFT.replace("part -2 0", f"part{word}", 1)), reason)
    for word, reason in (
        ("", "part: 1 values or pairs of ends were expected, not 0"),
        (" -2", "part: two ends for each variable were expected"),
        (" -2 0 0", "part: two ends for each variable were expected"),
        (" -2 -1 -1 0 0", "part: two ends for each variable were expected"),
        (" -2 0 -2 0", "part: 1 values or pairs of ends were expected, not 2"),
        (" -2 0 0 1 1 2", "part: 1 values or pairs of ends were expected, not 3"),
        (" -2 0 2 3 4 5 6", "part: two ends for each variable were expected"),
        (" -2 0 box", "number: 'box' is not a rational number"),
        (" -2 -0", "number: '-0' is not a rational number"),
        (" -2 0.0", "number: '0.0' is not a rational number"),
        (" -4/2 0", "number: '-4/2' is not in lowest terms"),
        (" -1p1 0", "number: '-1p1' is not a rational number"),
        ("-2 0", "text: 'part' or 'point' with its values or 'box' was expected"),
        (" of -2 0", "number: 'of' is not a rational number"),
    )
}
FORM |= {
    f"odd, {word!r}": ((LINE, LOW.replace("part -1 1/4", f"part {word}")), "part: two ends for each variable")
    for word in ("1", "0", "-1", "1/4", "-1 1/4 0", "-1 0 1/4", "0 0 0 0 0")
}
FORM |= {
    f"of version 5, {ends}": (
        (ROOTS, certificate(ROOTS, point=f"part {ends}", lower=0, tree=["evaluate 0 0"])),
        "text: 'point' with its values or 'box' was expected, not 'part'",
    )
    for ends in ("-1 1", "0 1", "-1 0", "-1/2 1/2", "0 0", "-5/4 5/4", "-2 -3/2", "3/2 2", "1 1", "-1 -1")
}
BOUNDS = {
    f"{ends}": (
        (ROOTS, of_roots(ROOTS, point=f"part {ends}", lower=0, tree=["evaluate 0 0"])),
        "part: the value or an end of variable 0 is out of its bounds",
    )
    for ends in (
        "-3 -2",
        "-3 -3",
        "2 3",
        "3 4",
        "1 -1",
        "0 -1/1000000000000000000",
        "-3 3",
        "3/2 2000000001/1000000000",
        "-2000000001/1000000000 -3/2",
        "1 0",
        "2 -2",
        "9/5 5/3",
    )
}
BOUNDS |= {
    f"of y, {ends}": (
        (BESIDE, of_roots(BESIDE, "equation rows 0 1 F G", point=f"part 0 1 {ends}", lower=0, tree=["evaluate 0 0"])),
        "part: the value or an end of variable 1 is out of its bounds",
    )
    for ends in ("-3 0", "0 3", "1 0", "-5/2 5/2", "3 3")
}
NEITHER = "claim: of a part of the box there is neither an upper end nor a minimum"
CLAIMS: Forgeries = {
    f"upper {value}": ((LINE, of_errors(LINE, point="part -1 1", upper=value, witness=WITNESS)), NEITHER)
    for value in (1, 2, "3/10", "1/2", 9)
}
CLAIMS |= {
    f"{reach} minimum on {ends}": (
        (
            POSITIVE_ROOT,
            certificate6(
                POSITIVE_ROOT,
                MODEL,
                norm="squares",
                minimum=f"{reach} 1/50",
                point=f"part {ends}",
                isolated=["zero 5p-2 3p-1", "inverse 1p-3"],
                tree=["known 0"] if reach == "global" else (),
            ),
        ),
        NEITHER,
    )
    for reach in ("local", "global")
    for ends in ("5/4 3/2", "0 2", "11/8 3/2")
}
CLAIMS["both ends"] = (
    (LINE, of_errors(LINE, point="part -1 1/4", lower="1/10", upper=1, witness=WITNESS, tree=["evaluate 0 1"])),
    NEITHER,
)
FALSE = "evaluate: the row may reach"
# what is true of the box, or of another part, is not true of this one
FALSE_PARTS = {
    f"empty on {ends}": ((ROOTS, of_roots(ROOTS, point=f"part {ends}", lower=0, tree=["evaluate 0 0"])), FALSE)
    for ends in ("-2 2", "0 2", "-2 0", "1 2", "-3/2 0", "7/5 3/2", "-3/2 -7/5", "0 99/70")
}
FALSE_PARTS |= {
    f"left, as of {ends}": ((ROOTS, LEFT.replace("part -2 0", f"part {ends}")), reason)
    for ends, reason in (
        ("-2 2", FALSE),
        ("-2 3/2", FALSE),
        ("0 2", "split: the point is not"),
        ("-1 1", "split: the point is not"),
        ("-5/4 0", "split: the point is not"),
        ("-2 -3/2", "split: the point is not"),
        ("-2 -7/4", "split: the point is not"),
    )
}
FALSE_PARTS |= {
    f"errors on {ends}": ((LINE, LOW.replace("part -1 1/4", f"part {ends}")), FALSE)
    for ends in ("-1 1", "0 1/2", "1/4 1", "-1 2/5")
}
ALONE = "claim: one of the five is claimed, or lower and upper together, or in version 6 within and zeros"
ZERO = {"zeros": 1, "isolated": ROOTS_ISOLATED[2:]}
OPEN_LEFT = {"within": 0, "hull": ["-2 0"]}
BOTH: Forgeries = {
    "of version 5": (
        (ROOTS, certificate(ROOTS, tree=["split 0 0", "open", *RIGHT_TREE], **ZERO, **OPEN_LEFT)),  # type: ignore[arg-type]
        ALONE,
    ),
    "of version 5, without zeros": (
        (ROOTS, certificate(ROOTS, zeros=0, isolated=[], within=0, hull=["-2 2"], tree=["open"])),
        ALONE,
    ),
}
for name, groups, kind, reason in (
    ("errors", (MODEL,), "errors", "claim: squares are of errors, zeros of a system"),
    ("violations", ("violation rows 0 1 F",), "violations", "claim: squares are of errors, zeros of a system"),
):
    for number, given in enumerate(({}, {"volume": 2}, {"point": "part 0 2"}, {"point": "part -2 2", "volume": 9})):
        text = certificate6(ROOTS, *groups, kind=kind, tree=["open"], **ZERO, **OPEN_LEFT, **given)  # type: ignore[arg-type]
        BOTH[f"of {name}, {number}"] = ((ROOTS, text), reason)
for number, claims in enumerate(({"lower": 0}, {"upper": 0}, {"minimum": "local 0"}, {"lower": 0, "upper": 1})):
    BOTH[f"and more, {number}"] = (
        (ROOTS, of_roots(ROOTS, tree=["open"], **ZERO, **OPEN_LEFT, **claims)),
        ALONE,
    )
for level in ("1/10", "1", "5"):
    BOTH[f"within {level}"] = (
        (ROOTS, of_roots(ROOTS, tree=["split 0 0", "open", *RIGHT_TREE], **ZERO, **(OPEN_LEFT | {"within": level}))),
        "claim: what is no claim about errors is about level 0",
    )


def some(*lines: str, zeros: Sequence[str] = ROOTS_ISOLATED[2:], hull: str = "-2 0", volume: Number = 2) -> Text:
    """At least so many zeros, the others in what is open."""
    return ROOTS, of_roots(
        ROOTS, within=0, volume=volume, hull=[hull], zeros=len(zeros) // 2, isolated=zeros, tree=lines
    )


DIVIDED = ("split 0 0", "open")
LEAST: Forgeries = {
    "two where one is": (
        some(*DIVIDED, *RIGHT_TREE, zeros=[*ROOTS_ISOLATED[2:], *ROOTS_ISOLATED[2:]]),
        "zeros: zeros 0 and 1 may be the same",
    ),
    "a zero that is none": (some("open", zeros=["zero 0 1", "inverse 1"], hull="-2 2"), "zero: the operator"),
    "a zero beyond the box": (
        some("open", zeros=["zero 9p-2 11p-2", "inverse 1p-2"], hull="-2 2"),
        "zero: the operator",
    ),
    "the other half is open": (some("split 0 0", *LEFT_TREE, "open"), "known: the box is not"),
    "open beside the hull": (some("split 0 0", "open", "open"), "open: the box is not within the hull"),
    "open around the zero": (some("split 0 0", "open", *RIGHT_TREE[:3], "open", RIGHT_TREE[4]), "open: the box is not"),
    "known where it is open": (some("split 0 0", "known 0", *RIGHT_TREE), "known: the box is not"),
    "another zero": (some(*DIVIDED, *RIGHT_TREE[:3], "known 1", RIGHT_TREE[4]), "known: there is no zero 1"),
    "refuted where it is not": (some("split 0 0", "evaluate 0 0", *RIGHT_TREE), FALSE),
    "less volume": (some(*DIVIDED, *RIGHT_TREE, volume="199/100"), "volume: the boxes left open"),
    "no volume": (some(*DIVIDED, *RIGHT_TREE, volume=0), "volume: the boxes left open"),
    "a smaller hull": (some(*DIVIDED, *RIGHT_TREE, hull="-199/100 0"), "open: the box is not within the hull"),
    "a hull beyond the bounds": (some(*DIVIDED, *RIGHT_TREE, hull="-3 0"), "hull: the value or an end"),
    "no tree": (some(), "text: 'tree' was expected"),
    "isolated before the hull": (
        change(change(some(*DIVIDED, *RIGHT_TREE), "hull\n-2 0\n", ""), "\ntree\n", "\nhull\n-2 0\ntree\n"),
        "text: 'hull' was expected",
    ),
}

AWAY = hashlib.sha256(b"nowhere").hexdigest()
HAND: Forgeries = {
    f"{name}": (manifest("split 0 0", *lines), f"piece: the piece {digest} is not at hand")
    for name, digest in {
        "nowhere": AWAY,
        "zeros": "0" * 64,
        "the problem": hashlib.sha256(ROOTS.encode()).hexdigest(),
        **{f"hash {k}": hashlib.sha256(str(k).encode()).hexdigest() for k in range(5)},
    }.items()
    for lines in [(f"piece {digest}", HALVES[2])]
}
HAND |= {
    f"after one that is, {k}": (manifest("split 0 0", HALVES[1], f"piece {digest}"), "is not at hand")
    for k, digest in enumerate(hashlib.sha256(f"more {k}".encode()).hexdigest() for k in range(4))
}
HAND["the manifest itself"] = (manifest("split 0 0", f"piece {'f' * 64}", HALVES[2]), "is not at hand")


def lying(text: str, number: int) -> str:
    """A piece whose bytes have another hash than it is kept under."""
    digest = hashlib.sha256(f"lying {number}".encode()).hexdigest()
    PIECES[digest] = text.encode()
    return f"piece {digest}"


HASH: Forgeries = {
    f"number {number}": (manifest("split 0 0", *lines), "have another hash")
    for number, lines in enumerate(
        [(lying(LEFT, 0), HALVES[2]), (HALVES[1], lying(RIGHT, 1)), (lying(LEFT, 2), lying(RIGHT, 3))]
        + [(lying(LEFT.replace("128", str(bits)), bits), HALVES[2]) for bits in range(129, 138)]
    )
}
DIGEST = {
    f"{name}": (manifest("split 0 0", line, HALVES[2]), reason)
    for name, line, reason in (
        ("short", HALVES[1][:-1], "piece: '"),
        ("long", HALVES[1] + "0", "piece: '"),
        ("in capitals", "piece " + "A" * 64, "is no hash: a SHA-256 in lower case"),
        ("nothing", "piece", "tree: 'piece' is no node"),
        ("two", HALVES[1] + " 0", "tree: 'piece"),
        ("a path", "piece ../../" + "a" * 58, "is no hash: a SHA-256 in lower case"),
        ("another word", HALVES[1].replace("piece", "part"), "tree: 'part"),
        ("a number", "piece 0", "is no hash: a SHA-256 in lower case"),
        ("a name", "piece left", "is no hash: a SHA-256 in lower case"),
        ("no hexadecimal", "piece " + "g" * 64, "is no hash: a SHA-256 in lower case"),
        ("with a sign", "piece -" + "1" * 63, "is no hash: a SHA-256 in lower case"),
        ("with 0x", "piece 0x" + "1" * 62, "is no hash: a SHA-256 in lower case"),
        ("Arabic", "piece " + "1" * 63 + ".", "is no hash: a SHA-256 in lower case"),
    )
}


def with_left(text: str) -> Text:
    """Two pieces, the first one another."""
    return manifest("split 0 0", leaf(text), HALVES[2])


# a piece that is no valid certificate itself
INVALID: Forgeries = {
    f"{name}": (with_left(LEFT.replace(old, new, 1)), reason)
    for name, old, new, reason in (
        ("a leaf that fails", "split 0 -5p-2\nknown 0\nevaluate 0 0", "evaluate 0 0", FALSE),
        ("a child too few", "known 0\nevaluate 0 0\n", "known 0\n", "tree: a child is missing"),
        ("more than its tree", "end\n", "open\nend\n", "text: 'end' was expected"),
        ("something after it", "end\n", "end\nend\n", "text: something follows"),
        ("no end", "\nend\n", "\n", "text: the file ends too early"),
        ("another version", "certify-certificate 6", "certify-certificate 7", "text: 'certify-certificate 5'"),
        ("no zero", "zero -3p-1 -5p-2", "zero -3p-1 -11p-3", "known: the box is not"),
        ("a zero that is not proved", "inverse -11p-5", "inverse 11p-5", "zero: the operator"),
        ("too few bits", "precision 128", "precision 63", "precision: it must be"),
        ("open without a hull", "known 0", "open", "open: there is no hull"),
        ("known beyond the zeros", "known 0", "known 1", "known: there is no zero 1"),
        ("split where it is not", "split 0 -5p-2", "split 0 5p-2", "split: the point is not"),
        ("not ASCII", "end\n", "end\u00a0\n", "text: the file is not ASCII"),
        ("of two claims", "lower none", "lower 0", ALONE),
        ("a node that is none", "known 0", "knows 0", "tree: "),
        ("a zero too few", "zeros 1", "zeros 2", "text: a line 'zero' was expected"),
        ("out of the box", "part -2 0", "part -3 0", "part: the value or an end"),
    )
}
BOXES: Forgeries = {
    f"of {ends}": (with_left(LEFT.replace("part -2 0", f"part {ends}")), "piece: the box is not within its part")
    for ends in ("-2 -1", "-2 -1/1000000000", "-199/100 0", "-1 1", "0 2", "-2 -5/4", "-1 0", "0 0", "-2 -2")
}
BOXES |= {
    f"divided at {at}": (manifest(f"split 0 {at}", HALVES[1], HALVES[2]), "piece: the box is not within its part")
    for at in ("1p-1", "-1p-1", "1p-40", "-1p-40", "1", "-1")
}
BOXES["exchanged"] = (manifest("split 0 0", HALVES[2], HALVES[1]), "piece: the box is not within its part")
BOXES["one for all"] = (manifest(HALVES[1]), "piece: the box is not within its part")

OTHER = "piece: kind, groups, factor, norm or discard are not the same"
TIMES = of_errors(LINE, point="part -1 1", lower="1/10", factor="1/2", tree=["aggregate q0.0+1 q0.1-1"])
SUMS = of_errors(LINE, point="part -1 1", lower="1/100", factor=0, norm="squares",
                 tree=["split 0 3p-3", "evaluate 0 1", "split 0 15p-4", "open", "open"])  # fmt: skip
ABOUT: Forgeries = {}
for name, other in {
    "half the half-widths": TIMES,
    "no half-widths": TIMES.replace("factor 1/2", "factor 0"),
    "another scale": LOW.replace("rows 0 1 F", "rows 0 1/2 F"),
    "another base": LOW.replace("rows 0 1 F", "rows 1/100 1 F"),
    "another norm of its group": LOW.replace("model rows", "model largest"),
    "distances": LOW.replace("model rows", "model euclidean"),
    "squares": SUMS,
    "squares, of version 6": SUMS.replace("factor 0", "factor 1"),
    "a row left out": LOW.replace("discard 0", "discard 1"),
    "rows left out": LOW.replace("discard 0", "discard 64"),
    "a system": LOW.replace("claim errors", "claim system").replace("lower 1/10", "lower 0"),
    "violations": LOW.replace("claim errors", "claim violations")
    .replace("model", "violation")
    .replace("lower 1/10", "lower 0"),
}.items():
    ABOUT[name] = (line("split 0 1p-3", leaf(other), leaf(HIGH)), OTHER)
ABOUT["of a smaller scope"] = (
    (
        BESIDE,
        of_roots(
            BESIDE, "equation rows 0 1 F G", zeros=2, isolated=BESIDE_ZEROS,
            tree=["split 0 0", leaf(of_roots(BESIDE, point="part -2 0", zeros=1, isolated=ROOTS_ISOLATED[:2],
                                             tree=LEFT_TREE)), "open"],
        ),
    ),
    OTHER,
)  # fmt: skip
ANOTHER = ROOTS.replace("const 2", "const 3")
PROBLEM: Forgeries = {
    f"{name}": (
        with_left(LEFT.replace(hashlib.sha256(ROOTS.encode()).hexdigest(), digest)),
        "piece: it is about another",
    )
    for name, digest in {
        "of 3": hashlib.sha256(ANOTHER.encode()).hexdigest(),
        "of nothing": "0" * 64,
        "of errors": hashlib.sha256(LINE.encode()).hexdigest(),
        **{f"of {k}": hashlib.sha256(ROOTS.replace("2 2", f"2 {k}").encode()).hexdigest() for k in range(3, 12)},
    }.items()
}
LEVEL: Forgeries = {
    f"{low} for {high}": (
        line("split 0 1p-3", leaf(LOW.replace("lower 1/10", f"lower {low}")), leaf(HIGH), lower=high),
        "piece: its level is below that of this certificate",
    )
    for low, high in (
        ("0", "1/10"),
        ("1/10", "19/100"),
        ("1/10", "11/100"),
        ("1/10", "1000001/10000000"),
        ("1/20", "1/10"),
        ("0", "1/1000000"),
        ("99/1000", "1/10"),
        ("1/10", 5),
        ("0", 1),
    )
}
LEVEL |= {
    f"squares, {low}": (
        (
            POSITIVE_ROOT,
            certificate6(
                POSITIVE_ROOT,
                MODEL,
                norm="squares",
                minimum="global 1/50",
                isolated=["zero 5p-2 3p-1", "inverse 1p-3"],
                tree=["split 0 5p-2", leaf(SQUARED.replace("lower 1/50", f"lower {low}")), "known 0"],
            ),
        ),
        "piece: its level is below that of this certificate",
    )
    for low in ("0", "1/51", "19/1000")
}
NOT_OPEN = "open: the box is not within the hull"
HULLS: Forgeries = {
    f"hull {ends}": (opened("split 0 0", *LEFT_TREE[:2], "open", leaf(HALF_OPEN), hull=ends), NOT_OPEN)
    for ends in ("-3/2 1", "-3/2 5/4", "-3/2 1499/1000", "-3/2 0", "-2 0", "-3/2 -1", "-3/2 -3/2")
}
HULLS |= {
    f"piece with the hull {ends}": (
        opened("split 0 0", "open", leaf(HALF_OPEN.replace("hull\n1 3/2", f"hull\n{ends}")), hull="-2 3/2"),
        NOT_OPEN,
    )
    for ends in ("1 2", "1 1501/1000", "-2 2", "0 8/5")
}
HULLS |= {
    f"facet {facet}": (
        change(
            opened("split 0 0", *LEFT_TREE[:2], "open", leaf(HALF_OPEN), hull="-2 2"),
            "tree\n",
            f"facet {facet}\ntree\n",
        ),
        "open: the box exceeds a facet",
    )
    for facet in ("1 1", "1 149/100", "2 5/2")
}
NOWHERE_OPEN: Forgeries = {
    "of zeros": (manifest("split 0 0", HALVES[1], leaf(HALF_OPEN)), "open: there is no hull"),
    **{
        f"lower, {k}": ((ROOTS, of_roots(ROOTS, lower=0, tree=[*lines, leaf(HALF_OPEN)])), reason)
        for k, (lines, reason) in enumerate([(["split 0 0", leaf(EMPTY.replace("-5/4 1", "-2 0"))], FALSE)])
    },
    **{
        f"hull {ends} of a piece": (
            manifest("split 0 0", HALVES[1], leaf(HALF_OPEN.replace("hull\n1 3/2", f"hull\n{ends}"))),
            "open: there is no hull",
        )
        for ends in ("1 2", "0 2", "1/2 3/2", "-1 3/2", "-2 2", "1 5/3", "1 7/4", "1 8/5", "1 9/5")
    },
}
MUCH = "volume: the boxes left open so far have more of it than is claimed"
VOLUME: Forgeries = {
    f"{volume}": (opened("split 0 0", "open", leaf(HALF_OPEN), hull="-2 2", volume=volume), MUCH)
    for volume in ("2", "9/4", "249/100", "2499999999/1000000000", "0", "1/2", "1")
}
VOLUME |= {
    f"{more} of a piece": (
        opened("split 0 0", "open", leaf(HALF_OPEN.replace("volume 1/2", f"volume {more}")), hull="-2 2", volume="5/2"),
        MUCH,
    )
    for more in ("3/5", "1", "2", "500000001/1000000000", "10000000")
}
VOLUME |= {
    f"twice, {volume}": (
        opened("split 0 0", "open", "split 0 1", leaf(HALF_OPEN), leaf(HALF_OPEN), hull="-2 2", volume=volume),
        MUCH,
    )
    for volume in ("5/2", "29/10")
}
SILENT = HALF_OPEN.replace("volume 1/2", "volume none")
UNSAID: Forgeries = {
    f"{volume}, hull {ends}": (
        opened("split 0 0", "open", leaf(SILENT), hull=ends, volume=volume),
        "piece: it says no volume",
    )
    for volume in ("5/2", "4", "100", "1000000", "3", "7/2")
    for ends in ("-2 2", "-2 3/2")
}
UNKNOWN = "is not within the box of a zero of this certificate"
ZEROS: Forgeries = {
    "a zero too few": (manifest("split 0 0", *HALVES[1:], zeros=1, isolated=ROOTS_ISOLATED[:2]), UNKNOWN),
    "the other one": (manifest("split 0 0", *HALVES[1:], zeros=1, isolated=ROOTS_ISOLATED[2:]), UNKNOWN),
    "none": (manifest("split 0 0", *HALVES[1:], zeros=0, isolated=[]), UNKNOWN),
    "none, of what is empty": ((ROOTS, of_roots(ROOTS, lower=0, tree=["split 0 0", *HALVES[1:]])), UNKNOWN),
    "none, of what is open": (opened("split 0 0", *HALVES[1:], hull="-2 2"), UNKNOWN),
    "none, with a volume": (opened("split 0 0", *HALVES[1:], hull="-2 2", volume=4), UNKNOWN),
    "the right one open": (opened("split 0 0", "open", HALVES[2], hull="-2 0"), UNKNOWN),
    "the left one open": (opened("split 0 0", HALVES[1], "open", hull="0 2"), UNKNOWN),
    "one of three": (cubic("split 0 0", leaf(ON_CUT), leaf(FROM_CUT), zeros=1), "its zero 1 " + UNKNOWN),
    "two of three": (cubic("split 0 0", leaf(ON_CUT), leaf(FROM_CUT), zeros=2), "its zero 1 " + UNKNOWN),
    "none of three": (cubic("split 0 0", leaf(ON_CUT), leaf(FROM_CUT), zeros=0), "its zero 0 " + UNKNOWN),
    "some that is not": (
        cubic("split 0 0", leaf(SOME), "open", zeros=0, within=0, hull=["-2 2"]),
        "its zero 0 " + UNKNOWN,
    ),
    "of both where one is": (some("split 0 0", HALVES[1], HALVES[2], hull="-2 2", volume=9), "its zero 0 " + UNKNOWN),
}
BELOW = "piece: it stands below no hitting and below no frame"
PLACED: Forgeries = {
    f"frame {frame}": (manifest(f"frame {frame}", HALVES[1]), BELOW)
    for frame in ("0 1", "0 2", "1 1", "0 1p-1", "0 -1")
}
PLACED |= {
    f"frame below a split, {at}": (manifest(f"split 0 {at}", "frame 0 1", HALVES[1], HALVES[2]), BELOW)
    for at in ("0", "-1", "1p-1")
}
PLACED |= {
    f"hitting {lines}": (four(*lines), BELOW)
    for lines in (
        ("hitting 2", leaf(HIT), PAIRS[2]),
        ("hitting 2", PAIRS[1], leaf(HIT)),
        ("hitting 1", leaf(HIT)),
        ("split 0 50", "hitting 2", leaf(HIT), PAIRS[2]),
        ("hitting 2", "split 0 50", leaf(HIT), leaf(HIT_REST)),
    )
}
WHOLE = "piece: pieces belong to certificates of version 6 about the whole box"
NESTED = of_roots(ROOTS, point="part -2 2", zeros=2, isolated=ROOTS_ISOLATED, tree=HALVES)
HOLDERS: Forgeries = {
    "a piece": ((ROOTS, NESTED), WHOLE),
    "a part": ((ROOTS, of_roots(ROOTS, point="part -1 1", lower=0, tree=[leaf(EMPTY)])), WHOLE),
    "a part with a zero": ((ROOTS, LEFT.replace("known 0", HALVES[1])), WHOLE),
    "pieces in pieces": (manifest(leaf(NESTED)), WHOLE),
    "pieces in pieces, below": (manifest("split 0 0", leaf(NESTED), HALVES[2]), WHOLE),
    "pieces in the second": (manifest("split 0 0", HALVES[1], leaf(RIGHT.replace("known 0", HALVES[2]))), WHOLE),
    "version 5": ((ROOTS, certificate(ROOTS, zeros=2, isolated=ROOTS_ISOLATED, tree=HALVES)), WHOLE),
    "version 5, one leaf": ((ROOTS, certificate(ROOTS, lower=0, tree=[leaf(EMPTY)])), WHOLE),
    "version 5, errors": ((LINE, certificate(LINE, lower="1/10", tree=["split 0 1p-3", leaf(LOW), leaf(HIGH)])), WHOLE),
    **{
        f"the point {at}": ((LINE, of_errors(LINE, point=f"point {at}", lower="1/10", tree=[leaf(LOW)])), WHOLE)
        for at in ("0", "-1", "1/8")
    },
}
# whole certificates, or such of points, are no pieces
NO_PART = "piece: the box is not within its part"
UNPARTED: Forgeries = {
    "the whole": (manifest(leaf(of_roots(ROOTS, zeros=2, isolated=ROOTS_ISOLATED, tree=ROOTS_TREE))), NO_PART),
    "the whole, below": (
        manifest("split 0 0", leaf(of_roots(ROOTS, zeros=2, isolated=ROOTS_ISOLATED, tree=ROOTS_TREE)), HALVES[2]),
        NO_PART,
    ),
    "left, of the box": (with_left(LEFT.replace("part -2 0", "box")), NO_PART),
    "right, of the box": (manifest("split 0 0", HALVES[1], leaf(RIGHT.replace("part 0 2", "box"))), NO_PART),
    **{
        f"errors at {at}": (line("split 0 1p-3", leaf(LOW.replace("part -1 1/4", f"point {at}")), leaf(HIGH)), NO_PART)
        for at in ("0", "-1", "1/8", "1/10")
    },
    "errors, of the box": (line("split 0 1p-3", leaf(LOW.replace("part -1 1/4", "box")), leaf(HIGH)), NO_PART),
    "errors, of the box, above": (line("split 0 1p-3", leaf(LOW), leaf(HIGH.replace("part 0 1", "box"))), NO_PART),
    "rows left out": (four("split 0 50", leaf(HIT.replace("part -9 50", "box")), leaf(HIT_REST)), NO_PART),
}

GROUPS: dict[str, Forgeries] = {
    "form": FORM,
    "bounds": BOUNDS,
    "claims": CLAIMS,
    "parts": FALSE_PARTS,
    "both": BOTH,
    "at least": LEAST,
    "hash": DIGEST,
    "at hand": HAND,
    "bytes": HASH,
    "valid": INVALID,
    "box": BOXES,
    "about": ABOUT,
    "problem": PROBLEM,
    "level": LEVEL,
    "hull": HULLS,
    "open": NOWHERE_OPEN,
    "volume": VOLUME,
    "unsaid": UNSAID,
    "zeros": ZEROS,
    "placed": PLACED,
    "whole": HOLDERS,
    "part": UNPARTED,
}
FORGED = grouped(GROUPS)
