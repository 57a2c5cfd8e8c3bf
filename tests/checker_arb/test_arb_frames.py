"""Skew coordinates and facets."""

import random
from fractions import Fraction

import flint
import pytest
from arb_texts import (
    LINE,
    LINEAR,
    ROOT,
    at,
    dyadic,
    exactly,
    judged,
    lower,
    number,
    problem,
    rejected,
    rows_of,
    within,
    zeros,
)
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker_arb import Status
from certify.checker_arb.boxes import Prepared
from certify.checker_arb.frame import Frame
from certify.checker_arb.outcome import Deadline, Undefined
from certify.checker_arb.terms import Terms

NOT_POSITIVE = "not proved to be positive"
BOTH = {"scope": "F G"}
# u = x + y - 3 in [-3, 5], v = x - y - 1 in [-5, 3]: F is u, G is v
FRAME = "frame 2 1 1p-1 1p-1 1p-1 -1p-1"
SIDES = (
    "aggregate q0.0-1",
    "split 0 3p-3",
    "split 1 -3p-3",
    "aggregate q1.0-1",
    "split 1 3p-3",
    "open",
    "aggregate q1.0+1",
    "aggregate q0.0+1",
)
TREE = (FRAME, "split 0 -3p-3", *SIDES)
HULL = ("13/8 19/8", "5/8 11/8")
FACETS = ("facet 1 1 27/8", "facet -1 -1 -21/8", "facet 1 -1 11/8", "facet -1 1 -5/8")
E = "1/4"


def hulled(*nodes, hull=HULL, facets=(), e=E):
    return within(e, hull, *nodes, facets=facets, **BOTH)


def other_form(form):
    return [node.replace("q", form) for node in TREE]


SOLVED = (("zero 2047p-10 2049p-10 1023p-10 1025p-10", "inverse 1p-1 1p-1 1p-1 -1p-1"),)
CUTS = (
    "split 0 -1p-11",
    "aggregate q0.0-1",
    "split 0 1p-11",
    "split 1 -1p-11",
    "aggregate q1.0-1",
    "split 1 1p-11",
    "known 0",
)
SYSTEM = (FRAME, *CUTS, "aggregate q1.0+1", "aggregate q0.0+1")
TRUE = {
    "a diamond": (LINEAR, hulled(*TREE)),
    "facets": (LINEAR, hulled(*TREE, facets=FACETS)),
    "mean values": (LINEAR, hulled(*other_form("m"))),
    "Taylor": (LINEAR, hulled(*other_form("t"), facets=FACETS)),
    "prepared again": (LINEAR, hulled(*TREE[:2], "prepare 3", *TREE[2:])),
    "a product that does no harm": (LINEAR, hulled(*TREE[:2], TREE[2] + " b0+1-1p-20", *TREE[3:])),
    "split before the frame": (LINEAR, hulled("split 0 2", *TREE, *TREE)),
    "no frame": (LINEAR, hulled("open", hull=("0 4", "0 4"))),
    "a facet without a frame": (
        LINEAR,
        hulled("open", hull=("0 4", "0 4"), facets=("facet 1 1 8", "facet -1 -1 0", "facet 0 0 0", "facet 1 -2 4")),
    ),
    "one variable": (LINE, lower("1/4", "frame 1 1", "split 0 0", "evaluate 0 2", "evaluate 0 0")),
    "a point": (LINE, lower("1", "frame 1p-1 1", "evaluate 0 2", start="point 1/2")),
    "a zero": (LINEAR, zeros(SOLVED, *SYSTEM, **BOTH)),
    "squares": (LINE, lower("19/10", "frame 1 3p-1", "aggregate q0.0+2 q0.2-2", norm="squares")),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def below(*frame, **more):
    return hulled(" ".join(frame), *TREE[1:], **more)


WIDE = problem(
    variables=tuple(f"x{k} mm 0 1" for k in range(65)),
    tape=("neg 0",),
    inputs=65,
    families=("F 0 1 " + " ".join(f"v{k}" for k in range(65)),),
)
BIG = str(2**64 + 1)
ODD = "no odd number"
GRAMMAR = {
    "no numbers": (below("frame"), "6 tokens"),
    "a number missing": (below("frame 2 1 1p-1 1p-1 1p-1"), "6 tokens"),
    "a number too many": (below(FRAME, "0"), "6 tokens"),
    "a matrix alone": (below("frame 1p-1 1p-1 1p-1 -1p-1"), "6 tokens"),
    "of rationals": (below("frame 2 1 1/2 1/2 1/2 -1/2"), "no dyadic number"),
    "of decimals": (below("frame 2 1 0.5 0.5 0.5 -0.5"), "no dyadic number"),
    "minus nothing": (below("frame 2 1 1p-1 1p-1 1p-1 -0"), "-0 is no number"),
    "an odd number above 2^64": (below(f"frame 2 1 {BIG} 1p-1 1p-1 -1p-1"), ODD),
    "an odd number below -2^64": (below(f"frame 2 1 1p-1 1p-1 1p-1 -{BIG}"), ODD),
    "an odd number of the origin": (below(f"frame {BIG}p-64 1 1p-1 1p-1 1p-1 -1p-1"), ODD),
    "twice an odd number above 2^64": (below(f"frame {2 * (2**64 + 1)}p-65 1 1p-1 1p-1 1p-1 -1p-1"), ODD),
    "an odd number of 30 digits": (below(f"frame 2 1 {10**29 + 1} 1p-1 1p-1 -1p-1"), ODD),
    "an exponent of 257": (below("frame 2 1 1p257 1p-1 1p-1 -1p-1"), ODD),
    "an exponent of -257": (below("frame 2 1 1p-257 1p-1 1p-1 -1p-1"), ODD),
    "an exponent of 256 and a 2": (below("frame 2 1 2p256 1p-1 1p-1 -1p-1"), ODD),
    "a power of 2 in digits": (below(f"frame 2 1 {2**257} 1p-1 1p-1 -1p-1"), ODD),
    "an exponent of the origin": (below("frame 2 3p-257 1p-1 1p-1 1p-1 -1p-1"), ODD),
    "an exponent of -4096": (below("frame 2 1 1p-4096 1p-1 1p-1 -1p-1"), ODD),
    "a matrix of zeros": (below("frame 2 1 0 0 0 0"), "singular"),
    "a row of zeros": (below("frame 2 1 1 1 0 0"), "singular"),
    "a column of zeros": (below("frame 2 1 0 1 0 1"), "singular"),
    "equal rows": (below("frame 2 1 1p-1 1p-1 1p-1 1p-1"), "singular"),
    "opposite rows": (below("frame 2 1 1p-1 -1p-1 -1p-1 1p-1"), "singular"),
    "proportional columns": (below("frame 2 1 1 3 7 21"), "singular"),
    "proportional at different exponents": (below("frame 2 1 1p-200 1p-199 1p200 1p201"), "singular"),
    "a frame below a frame": (hulled(FRAME, *TREE), "frame above"),
    "a frame below a frame and a split": (hulled(*TREE[:2], FRAME, *TREE[2:]), "frame above"),
    "a frame below a frame and a prepare": (hulled(FRAME, "prepare 2", *TREE), "frame above"),
    "the identity below a frame": (hulled(FRAME, "frame 0 0 1 0 0 1", *TREE[1:]), "frame above"),
    "two frames at a leaf": (hulled(*TREE[:2], FRAME, "open"), "frame above"),
}


@pytest.mark.parametrize("name", GRAMMAR)
def test_frames_that_are_none_are_rejected(name):
    certificate, reason = GRAMMAR[name]
    outcome = judged(LINEAR, certificate)
    rejected(outcome, outcome.rule if outcome.rule == "text" else "frame", reason)


@pytest.mark.parametrize("half", ["2p-2", "4096p-13", f"{2**300}p-301", f"{2**258}p-259", "256p-9"])
def test_numbers_of_a_frame_are_judged_by_their_value(half):
    """Whatever power of 2 is in the digits; and 0 has no exponent."""
    outcome = judged(LINEAR, below(f"frame 2 1 {half} 1p-1 1p-1 -{half}"))
    assert outcome.status is Status.VERIFIED, outcome.message
    for nothing in ("0", "0p-4096", "0p4096"):
        tree = (f"frame 2 1 1 {nothing} {nothing} 1", "open")
        assert judged(LINEAR, hulled(*tree, hull=("0 4", "0 4"))).status is Status.VERIFIED


# r = sqrt(x - y + 5): over the image of the whole frame the number below the root may be negative
ROOTED = problem(
    variables=("x mm 0 4", "y mm 0 4"), tape=("sub 0 1", "const 5", "add 2 3", "sqrt 4"), families=("F 0 1 v0 v1",)
)
HALVES = (
    "frame 2 2 1p-1 1p-1 1p-1 -1p-1",
    "split 1 -2",
    "prepare 1",
    "aggregate t0.0+1",
    "prepare 1",
    "aggregate t0.0+1",
)


def test_nodes_are_enclosed_along_the_frame():
    outcome = judged(ROOTED, lower("1/2", *HALVES))
    assert outcome.status is Status.VERIFIED, outcome.message
    rejected(judged(ROOTED, lower("1", *HALVES)), "aggregate", NOT_POSITIVE)
    mean = [node.replace(" t0", " m0") for node in HALVES]
    rejected(judged(ROOTED, lower("1/2", *mean)), "aggregate", "below 0")
    rejected(judged(ROOTED.replace("const 5", "const 4"), lower("0", *HALVES)), "aggregate", "division")
    rejected(judged(ROOTED.replace("const 5", "const 3"), lower("0", *HALVES)), "aggregate", "below 0")


def test_65_variables_have_no_frame():
    numbers = " ".join(["0"] * 65 + ["1" if i == j else "0" for i in range(65) for j in range(65)])
    rejected(judged(WIDE, lower("1", f"frame {numbers}", "evaluate 0 0")), "frame", "at most 64 variables")


def changed(node, other):
    """The tree with one node changed, by its number."""
    return [other if k == node else old for k, old in enumerate(TREE)]


FORGED = {
    **{
        f"a hull that is too small: {hull}": (hulled(*TREE, hull=hull), "open", "leaves the hull")
        for hull in (
            ("13/8 2", "5/8 11/8"),
            ("2 19/8", "5/8 11/8"),
            ("7/4 19/8", "5/8 11/8"),
            ("13/8 9/4", "5/8 11/8"),
            ("13/8 19/8", "3/4 11/8"),
            ("13/8 19/8", "5/8 5/4"),
            ("13/8 19/8", "1 1"),
            ("2 2", "1 1"),
            ("0 1", "0 4"),
            ("0 4", "0 1/2"),
            ("3 4", "0 4"),
            ("13/8 1215/512", "5/8 11/8"),
        )
    },
    **{
        f"a facet that is too near: {facet}": (hulled(*TREE, facets=(*FACETS, facet)), "open", "half-space of a facet")
        for facet in (
            "facet 1 1 13/4",
            "facet 1 1 3",
            "facet 1 1 3455/1024",
            "facet -1 -1 -11/4",
            "facet 1 -1 5/4",
            "facet -1 1 -3/4",
            "facet 1 0 2",
            "facet 1 0 9/4",
            "facet 0 1 5/4",
            "facet 0 -1 -3/4",
            "facet -1/3 -1/3 -8/9",
            "facet 0 0 -1",
            "facet 2 1 5",
        )
    },
    "the other sign": (below("frame 2 1 1p-1 1p-1 1p-1 1p-2"), "aggregate", NOT_POSITIVE),
    "the transposed frame of another one": (below("frame 2 1 1p-1 1p-2 1p-1 -1p-1"), "aggregate", NOT_POSITIVE),
    "another origin": (below("frame 0 0 1p-1 1p-1 1p-1 -1p-1"), "split", "not inside"),
    "the origin exchanged": (below("frame 1 2 1p-1 1p-1 1p-1 -1p-1"), "open", "leaves the hull"),
    "an origin nearby": (below("frame 7p-2 1 1p-1 1p-1 1p-1 -1p-1"), "open", "leaves the hull"),
    "a frame of another size": (below("frame 2 1 1p-2 1p-2 1p-2 -1p-2"), "aggregate", NOT_POSITIVE),
    "a split of x": (hulled(*changed(1, "split 0 13p-3")), "aggregate", NOT_POSITIVE),
    "a split outside": (hulled(*changed(1, "split 0 -4")), "split", "not inside"),
    "a split at the end": (hulled(*changed(1, "split 0 -3")), "split", "not inside"),
    "a split beyond": (hulled(*changed(1, "split 0 5")), "split", "not inside"),
    "another row": (hulled(*changed(2, "aggregate q1.0-1")), "aggregate", NOT_POSITIVE),
    "the other side": (hulled(*changed(2, "aggregate q0.0+1")), "aggregate", NOT_POSITIVE),
    "a product that matters": (hulled(*changed(2, "aggregate q0.0-1 b0+1-1")), "aggregate", NOT_POSITIVE),
    "an open leaf outside": (hulled(*changed(2, "open")), "open", "leaves the hull"),
    "a known leaf": (hulled(*changed(6, "known 0")), "known", "proves nothing"),
    "too large a level": (hulled(*TREE, e="3/8"), "aggregate", NOT_POSITIVE),
    "evaluated in the wrong box": (hulled(*changed(2, "evaluate 1 0")), "evaluate", "as small"),
    "evaluated over the range, which is wider than the frame": (
        hulled(*changed(2, "evaluate 0 0")),
        "evaluate",
        "as small",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_does_not_hold_is_rejected(name):
    certificate, rule, reason = FORGED[name]
    rejected(judged(LINEAR, certificate), rule, reason)


LEAVES = {
    **{
        f"known {wrong}": (zeros(SOLVED, *SYSTEM[:7], f"known {wrong}", *SYSTEM[8:], **BOTH), reason)
        for wrong, reason in (("1", "no such zero"),)
    },
    **{
        f"cut at {cut}": (
            zeros(SOLVED, *[node.replace("1p-11", cut) for node in SYSTEM], **BOTH),
            "leaves the box of the zero",
        )
        for cut in ("3p-11", "1p-9", "1p-8", "1p-7", "1p-5", "1p-2", "1", "5p-11", "9p-12", "1p-1")
    },
}


@pytest.mark.parametrize("name", LEAVES)
def test_known_leaves_lie_in_their_box(name):
    certificate, reason = LEAVES[name]
    rejected(judged(LINEAR, certificate), "known", reason)


OPEN = ("open",)
FACET_GRAMMAR = {
    "no numbers": "facet",
    "a bound alone": "facet 1",
    "a number missing": "facet 1 1",
    "a number too many": "facet 1 1 8 8",
    "two in a line": "facet 1 1 8 facet 1 1 8",
    "in capitals": "FACET 1 1 8",
    "of dyadics": "facet 1p0 1 8",
    "of decimals": "facet 1.0 1 8",
    "of nothing": "facet none 1 8",
    "not in lowest terms": "facet 2/2 1 8",
    "minus nothing": "facet -0 1 8",
    "with a sign": "facet 1 1 <= 8",
    "a third interval": "0 4",
    "named": "facets 1 1 8",
}


@pytest.mark.parametrize("name", FACET_GRAMMAR)
def test_facets_that_are_none_are_rejected(name):
    outcome = judged(LINEAR, hulled("open", hull=("0 4", "0 4"), facets=(FACET_GRAMMAR[name],)))
    assert outcome.status is Status.REJECTED and outcome.rule == "text" and outcome.line == 17, outcome.message


@pytest.mark.parametrize("name", ["lower", "upper", "zeros", "before the hull", "after the tree"])
def test_facets_stand_below_a_hull(name):
    facet = "facet 1 1 8"
    good = hulled("open", hull=("0 4", "0 4"), facets=(facet,))
    assert judged(LINEAR, good).status is Status.VERIFIED
    texts = {
        "lower": lower("1", "open", **BOTH).replace("tree", facet + "\ntree"),
        "upper": lower("1", "open", **BOTH)
        .replace("lower 1\nupper none", "lower none\nupper 1")
        .replace("tree\nopen", f"witness\nvalues 1 1\n{facet}"),
        "zeros": zeros(SOLVED, *SYSTEM, **BOTH).replace("tree", facet + "\ntree"),
        "before the hull": good.replace(f"0 4\n0 4\n{facet}\n", f"{facet}\n0 4\n0 4\n"),
        "after the tree": good.replace(f"{facet}\ntree\nopen\n", f"tree\nopen\n{facet}\n"),
    }
    rejected(judged(LINEAR, texts[name]), "text", "")


def test_facets_without_a_frame():
    """On x <= 2 and on x >= 2, y anything."""
    for bound, status in (("8", Status.VERIFIED), ("799/100", Status.REJECTED)):
        assert (
            judged(
                LINEAR, hulled("split 0 2", *OPEN, *OPEN, hull=("0 4", "0 4"), facets=(f"facet 1 1 {bound}",))
            ).status
            is status
        )


def test_each_frame_has_its_own_facets():
    """x + y <= 6 on x <= 2: where the second frame's coordinates are exchanged, the first one's coefficients would be
    wrong.
    """
    first, second = "frame 0 0 1 0 0 1p-4", "frame 0 0 1p-4 0 0 1"
    for frames in ((first, second), (second, first)):
        for bound, status in (("8", Status.VERIFIED), ("799/100", Status.REJECTED)):
            tree = ("split 0 2", frames[0], "open", "split 1 2", frames[1], "open", "open")
            outcome = judged(LINEAR, hulled(*tree, hull=("0 4", "0 4"), facets=(f"facet 1 1 {bound}",)))
            assert outcome.status is status, outcome.message


def test_an_empty_range_proves_everything():
    """u + v = 2 x - 4 is at least -4: a box below has no point of the problem's box."""
    corner = (FRAME, "split 0 -5p-1", "split 1 -5p-1")
    for leaf in ("open", "evaluate 0 0", "evaluate 1 0"):
        tree = (*corner, leaf, *OPEN, *OPEN)
        outcome = judged(LINEAR, within("7", ("0 4", "0 4"), *tree, facets=("facet 1 1 8",), **BOTH))
        assert outcome.status is Status.VERIFIED, outcome.message
    for leaf in ("evaluate 2 0", "evaluate 0 1", "known 0"):
        outcome = judged(LINEAR, within("7", ("0 4", "0 4"), *corner, leaf, *OPEN, *OPEN, **BOTH))
        assert outcome.status is Status.REJECTED, outcome.message
    assert (
        judged(LINEAR, within("7", ("0 4", "0 4"), *corner, *OPEN, "evaluate 0 0", *OPEN, **BOTH)).status
        is Status.REJECTED
    )


def test_numbers_that_are_too_large():
    nearly = "frame 2 1 1p256 1p256 18446744073709551615p192 1p256"
    assert judged(LINEAR, hulled(nearly, *TREE[1:])).status is Status.REJECTED
    size = 40
    many = problem(
        variables=tuple(f"x{k} mm 0 1" for k in range(size)),
        tape=("neg 0",),
        inputs=size,
        families=("F 0 1 " + " ".join(f"v{k}" for k in range(size)),),
    )
    rows = [["0"] * size for _ in range(size)]  # 1 on the diagonal, large above it: the inverse has its power
    for k in range(size):
        rows[k][k] = "1"
        if k:
            rows[k - 1][k] = "1p256"
    numbers = " ".join(["0"] * size + [entry for row in rows for entry in row])
    rejected(judged(many, lower("1", f"frame {numbers}", "evaluate 0 0")), "frame", "beyond 2^8192")


# properties


RATIONALS = st.fractions(min_value=-6, max_value=6, max_denominator=16)
PARTS = st.fractions(min_value=0, max_value=1, max_denominator=16)


@st.composite
def frames(draw):
    """A frame of two variables on a box, with a box of y inside that of the frame, and a point in both."""
    box = []
    for _ in range(2):
        a, b = sorted((draw(RATIONALS), draw(RATIONALS)))
        box.append((a, b))
    numbers = [Fraction(draw(st.integers(-40, 40)), 2 ** draw(st.integers(0, 4))) for _ in range(6)]
    if numbers[2] * numbers[5] == numbers[3] * numbers[4]:
        numbers[2:] = [Fraction(1), Fraction(1, 3).limit_denominator(4), Fraction(0), Fraction(1, 2)]
    point = [a + draw(PARTS) * (b - a) for a, b in box]
    return box, numbers, point, [draw(PARTS) for _ in range(4)]


def made(box, numbers, precision=64):
    return Frame(
        [number(v) for v in numbers[:2]],
        [number(v) for v in numbers[2:]],
        tuple((number(a), number(b)) for a, b in box),
        precision,
    )


def fraction(value: fmpq):
    return Fraction(int(value.p), int(value.q))


@given(frames())
def test_points_lie_in_the_boxes_that_stand_for_them(drawn):
    box, (m0, m1, a, b, c, d), point, parts = drawn
    frame = made(box, (m0, m1, a, b, c, d))
    determinant = a * d - b * c
    x0, x1 = point[0] - m0, point[1] - m1
    y = [(d * x0 - b * x1) / determinant, (a * x1 - c * x0) / determinant]
    start = [(fraction(low), fraction(high)) for low, high in frame.start]
    assert all(low <= value <= high for value, (low, high) in zip(y, start, strict=True))
    grid = Fraction(1, 2**64)
    for k, row in enumerate(((d / determinant, -b / determinant), (-c / determinant, a / determinant))):
        corners = [row[0] * (p - m0) + row[1] * (q - m1) for p in box[0] for q in box[1]]
        assert min(corners) - grid < start[k][0] <= min(corners) and max(corners) <= start[k][1] < max(corners) + grid
    part = [
        (v - s * (v - low), v + t * (high - v))
        for v, (low, high), s, t in zip(y, start, parts[:2], parts[2:], strict=True)
    ]
    inside = tuple((number(low), number(high)) for low, high in part)
    for found in (frame.image(inside), frame.range(inside)):
        assert found is not None
        assert all(fraction(low) <= x <= fraction(high) for x, (low, high) in zip(point, found, strict=True))
    assert [fraction(v) for v in frame.point([number(v) for v in y])] == point
    constant, normal = frame.facet([fmpq(3), fmpq(-2)])
    assert (
        fraction(constant) + sum(fraction(w) * v for w, v in zip(normal, y, strict=True)) == 3 * point[0] - 2 * point[1]
    )


TAPES = {
    "a polynomial": ("mul 0 1", "sqr 0", "sub 3 2", "const 1/3", "add 4 5"),
    "a sine": ("sin 0", "mul 2 1", "sqr 1", "add 3 4"),
    "a root times a cosine": ("mul 0 1", "cos 2", "sqr 0", "const 1", "add 4 5", "sqrt 6", "mul 3 7"),
}


@pytest.mark.parametrize("form", ["q", "m", "t"])
@pytest.mark.parametrize("name", TAPES)
def test_the_forms_contain_the_row_in_a_frame(form, name):
    rng = random.Random(form + name)
    for _ in range(25):
        box = [
            (a, a + Fraction(rng.randrange(1, 16), 8)) for a in (Fraction(rng.randrange(-16, 16), 8) for _ in range(2))
        ]
        text = problem(
            variables=tuple(f"{n} mm {a} {b}" for n, (a, b) in zip("xy", box, strict=True)),
            tape=TAPES[name],
            families=("F 0 1 v0 v1",),
        )
        rows = rows_of(text)
        entries = [Fraction(rng.randrange(-8, 9), 4) for _ in range(4)]
        if entries[0] * entries[3] == entries[1] * entries[2]:
            continue
        numbers = [sum(ends) / 2 for ends in box] + entries
        frame = made(box, numbers)
        y = []
        for low, high in frame.start:
            a = fraction(low) + Fraction(rng.randrange(8), 8) * (fraction(high) - fraction(low))
            y.append((a, a + Fraction(rng.randrange(1, 9), 8) * (fraction(high) - a)))
        prepared = Prepared(1, tuple((number(a), number(b)) for a, b in y), 1, frame)
        with flint.ctx.workprec(128):
            side = rng.choice((1, -1))
            terms = Terms(rows, number(0), False, Deadline(60))
            try:
                polynomial = {"q": terms._polynomial_form, "m": terms._mean_value_form, "t": terms._taylor_form}[form](
                    0, 0, side, prepared
                )
            except Undefined:
                continue
        for _ in range(8):
            values = [a + Fraction(rng.randrange(17), 16) * (b - a) for a, b in y]
            x = [numbers[k] + entries[2 * k] * values[0] + entries[2 * k + 1] * values[1] for k in range(2)]
            low, high = at(polynomial, [v - (a + b) / 2 for v, (a, b) in zip(values, y, strict=True)])
            value = exactly(rows, 0, 0, x) * side
            assert not (value < low or value > high), (text, x)


@pytest.mark.parametrize("seed", range(8))
def test_no_tree_in_a_frame_refutes_a_planted_solution(seed):
    """Rows a . x - b with |r| <= 1/4 at a known point: cut around the point in random frames, all sorts of leaves."""
    rng = random.Random(seed)
    rows = [[Fraction(rng.randrange(-6, 7), 2) for _ in range(2)] for _ in range(4)]
    point = [Fraction(rng.randrange(4, 29), 8) for _ in range(2)]
    columns = []
    for name, values in (("p", [r[0] for r in rows]), ("q", [r[1] for r in rows])):
        columns.append((name, tuple(f"{v} {v}" for v in values)))
    offsets = [r[0] * point[0] + r[1] * point[1] + Fraction(rng.randrange(-4, 5), 16) for r in rows]
    columns.append(("b", tuple(f"{v} {v}" for v in offsets)))
    text = problem(
        variables=("x mm 0 4", "y mm 0 4"),
        columns=columns,
        tape=("mul 0 2", "mul 1 3", "add 5 6", "sub 7 4"),
        inputs=5,
        families=("F 0 4 v0 v1 c0 c1 c2",),
    )
    verified = 0
    for _ in range(200):
        numbers = [dyadic(v, 3) for v in point] + [f"{rng.randrange(-8, 9)}p-3" for _ in range(4)]
        k, form, kind = rng.randrange(4), rng.choice("qmt"), rng.randrange(3)
        other = rng.choice([j for j in range(4) if j != k])
        term = f"{form}0.{k}{rng.choice('+-')}{rng.randrange(1, 9)}"
        leaf = (f"evaluate 0 {k}", f"aggregate {term}", f"aggregate {term} {form}0.{other}{rng.choice('+-')}1")[kind]
        # y = 0 stands for the point itself; the leaf is a small box nearby, all others are open
        box = [
            (a, a + Fraction(rng.randrange(1, 9), 16)) for a in (Fraction(rng.randrange(-24, 24), 16) for _ in range(2))
        ]
        (a, b), (c, d) = ([dyadic(v, 4) for v in ends] for ends in box)
        splits = (
            f"split 0 {a}",
            "open",
            f"split 0 {b}",
            f"split 1 {c}",
            "open",
            f"split 1 {d}",
            rng.choice(("prepare 1", "prepare 9")),
        )
        tree = (f"frame {' '.join(numbers)}", *splits, leaf, "open", "open")
        outcome = judged(text, within("1/4", ("0 4", "0 4"), *tree))
        if outcome.status is Status.VERIFIED:
            verified += 1
            assert not all(low <= 0 <= high for low, high in box), tree
        elif all(low <= 0 <= high for low, high in box):
            assert outcome.rule in ("evaluate", "aggregate", "frame", "split"), outcome.message
        assert judged(text, within("1/4", ("0 1/4", "0 1/4"), *tree)).status is Status.REJECTED
    assert verified >= 3
    assert judged(text, within("1/4", ("0 4", "0 4"), "frame 0 0 1 0 0 1", "open")).status is Status.VERIFIED


def test_a_frame_in_a_system_of_one_variable():
    isolated = (("zero 2896p-11 2897p-11", "inverse 181p-9"),)
    tree = ("frame 0 1p-1", "split 0 2896p-10", "evaluate 0 0", "split 0 2897p-10", "known 0", "evaluate 0 0")
    assert judged(ROOT, zeros(isolated, *tree)).status is Status.VERIFIED
    wrong = [node.replace("2896p-10", "2895p-10") for node in tree]
    rejected(judged(ROOT, zeros(isolated, *wrong)), "known", "leaves the box")
