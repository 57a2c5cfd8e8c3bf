"""Minima of sums of squares, local and global, against exact quadratics, and stationary points that are none."""

import random
from fractions import Fraction

import pytest
from arb_texts import LINE, dyadic, judged, minimum, problem, rejected
from flint import fmpq

from certify.checker_arb import Status
from certify.checker_arb.minimum import is_positive_definite
from certify.checker_arb.outcome import Deadline

INTERIOR, CONVEX, BOUNDS, SMALL = (
    "into the interior",
    "not positive definite",
    "outside the problem's box",
    "not proved to be so small",
)


def isolated(low, high, *inverse, size=1):
    """The block of a box with the same ends for each variable, or lists of ends."""
    lows, highs = (low, high) if isinstance(low, (list, tuple)) else ((low,) * size, (high,) * size)
    return "zero " + " ".join(f"{a} {b}" for a, b in zip(lows, highs, strict=True)), "inverse " + " ".join(inverse)


# half the gradient is 3 x - 3, half the second derivative 3; F = 2 + 3 (x - 1)^2
Y = isolated("7p-3", "9p-3", "683p-11")
LEFT = "aggregate q0.0+7p-2 q0.1-1p-2 q0.2-9p-2"
RIGHT = "aggregate q0.0+9p-2 q0.1+1p-2 q0.2-7p-2"
TREE = ("split 0 7p-3", LEFT, "split 0 9p-3", "known 0", RIGHT)
# (x^2 - 2)^2 + y^2 on [-2, 2]^2: minima at the roots of 2, a saddle at 0
WELL = problem(
    variables=("x mm -2 2", "y mm -2 2"),
    tapes=2,
    tape=("sqr 0", "const 2", "sub 1 2", "tape u 1 1", "neg 0"),
    inputs=1,
    families=("F 0 1 v0", "G 1 1 v1"),
).replace("tape t 1 5", "tape t 1 3")
BOTH = {"scope": "F G"}
ROOT = isolated(("2896p-11", "-1p-4"), ("2897p-11", "1p-4"), "1p-3", "0", "0", "1")
OTHER = isolated(("-2897p-11", "-1p-4"), ("-2896p-11", "1p-4"), "1p-3", "0", "0", "1")
TRUE = {
    "local": (LINE, minimum("201/100", Y)),
    "the truth, which the centre attains": (LINE, minimum("2", Y)),
    "the truth, which the centre attains, global": (LINE, minimum("2", Y, *TREE)),
    "close to the truth": (LINE, minimum("200001/100000", isolated("1023p-10", "1025p-10", "183251937963p-39"))),
    "a wide box": (LINE, minimum("201/100", isolated("-100", "102", "733007751851p-41"))),
    "a wider number": (LINE, minimum("1000", Y)),
    "global": (LINE, minimum("201/100", Y, *TREE)),
    "global in the form t": (LINE, minimum("201/100", Y, *(node.replace("q", "t") for node in TREE))),
    "global in a frame": (
        LINE,
        minimum("201/100", Y, "frame 2 1", "split 0 -9p-3", LEFT, "split 0 -7p-3", "known 0", RIGHT),
    ),
    "a root of 2": (WELL, minimum("1/1000", ROOT, **BOTH)),
    "the other root of 2": (WELL, minimum("1/1000", OTHER, **BOTH)),
    "a matrix that is nearly singular": (
        problem(
            variables=("x mm -2 2", "y mm -2 2"),
            tape=("const 1/64", "mul 1 2", "add 0 3"),
            families=("F 0 1 v0 v1", "G 0 1 v1 v0"),
        ),
        minimum("1/1000", isolated("-1p-9", "1p-9", "1", "-1p-5", "-1p-5", "1", size=2), **BOTH),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def saddle(a, form=0):
    """(x^2 - a)^2 + y^2, stationary at 0 and not minimal there."""
    tape = (("sqr 0", f"const {a}", "sub 1 2"), ("cos 0", f"const {a}", "mul 1 2"))[form]
    return problem(
        variables=("x mm -2 2", "y mm -2 2"),
        tapes=2,
        tape=(*tape, "tape u 1 1", "neg 0"),
        inputs=1,
        families=("F 0 1 v0", "G 1 1 v1"),
    ).replace("tape t 1 5", "tape t 1 3")


def at_zero(x_inverse, e="1000"):
    return minimum(e, isolated("-1p-6", "1p-6", x_inverse, "0", "0", "1", size=2), **BOTH)


# F = x^2 y^2-like rows: a saddle at (0, 0) in mixed derivatives, r = x y + 1 + ..., half Hessian [[c, 1], [1, c]]
def mixed(c):
    """(x y + 1)^2 + c (x^2 + y^2) with c = q^2 < 1."""
    return problem(
        variables=("x mm -2 2", "y mm -2 2"),
        tapes=2,
        tape=("mul 0 1", "const 1", "add 2 3", "tape u 1 2", f"const {c}", "mul 0 1"),
        inputs=2,
        families=("F 0 1 v0 v1", "G 1 1 v0", "H 1 1 v1"),
    ).replace("tape t 2 6", "tape t 2 3")


def inverse_of(a, b):
    """The inverse of [[a, b], [b, a]]."""
    d = a * a - b * b
    return [dyadic(v, 40) for v in (a / d, -b / d, -b / d, a / d)]


def mixed_claim(c):
    return minimum("1000", isolated("-1p-6", "1p-6", *inverse_of(Fraction(c) ** 2, Fraction(1)), size=2), scope="F G H")


SADDLES = {
    **{
        f"(x^2 - {a})^2": (saddle(a), at_zero(dyadic(Fraction(-1, 2) / a, 40)), BOTH)
        for a in (1, 2, 3, 4, 5, 7, 10, 20, 50, 100)
    },
    **{f"{a} cos x": (saddle(a, 1), at_zero(dyadic(Fraction(-1, a * a), 40)), BOTH) for a in (1, 2, 3, 4, 5)},
    **{
        f"x y + 1 and {c} x, {c} y": (mixed(c), mixed_claim(c), BOTH)
        for c in ("1/2", "1/4", "1/3", "3/4", "2/3", "1/5", "1/8", "4/5", "7/8", "9/10")
    },
}


@pytest.mark.parametrize("name", SADDLES)
def test_stationary_points_that_are_no_minima_are_rejected(name):
    text, certificate, _ = SADDLES[name]
    rejected(judged(text, certificate), "minimum", CONVEX)


@pytest.mark.parametrize("c", ["9/8", "5/4", "3/2", "2", "3"])
def test_the_same_with_more_convexity_is_verified(c):
    outcome = judged(mixed(c), mixed_claim(c))
    assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.parametrize("c", ["7/8", "1", "9/10", "4/5", "3/4"])
def test_no_matrix_makes_a_saddle_a_minimum(c):
    rng = random.Random(c)
    for _ in range(30):
        claim = minimum(
            "1000",
            isolated("-1p-6", "1p-6", *(dyadic(rng.uniform(-9, 9), 20) for _ in range(4)), size=2),
            scope="F G H",
        )
        assert judged(mixed(c), claim).status is Status.REJECTED


def line(*block, e="201/100"):
    return minimum(e, block)


REJECTED = {
    # K in the interior of Y
    **{
        f"the matrix {c}": (LINE, line(*isolated("7p-3", "9p-3", c)), INTERIOR)
        for c in ("0", "-683p-11", "1", "683p-10", "3p-2", "1000", "-1", "2", "5p-2", "-1p-40")
    },
    **{
        f"the box from {a} to {b}": (LINE, line(*isolated(a, b, "683p-11")), INTERIOR)
        for a, b in (
            ("9p-3", "10p-3"),
            ("6p-3", "7p-3"),
            ("2", "3"),
            ("0", "1p-1"),
            ("1", "9p-3"),
            ("7p-3", "1"),
            ("1025p-10", "2"),
            ("-8", "0"),
            ("3", "4"),
            ("-1000", "-999"),
        )
    },
    "too wide for another curvature": (
        WELL,
        minimum("10", isolated(("1", "-1p-4"), ("2", "1p-4"), "1p-3", "0", "0", "1"), **BOTH),
        INTERIOR,
    ),
    "two minima in a box": (WELL, minimum("10", isolated("-2", "2", "1p-3", "0", "0", "1", size=2), **BOTH), INTERIOR),
    # K within the bounds
    **{
        f"on x in [{low}, {high}]": (
            LINE.replace("x mm 0 4", f"x mm {low} {high}"),
            line(*isolated("-8", "10", "733007751851p-41"), e="100"),
            BOUNDS,
        )
        for low, high in (
            ("2", "4"),
            ("-3", "0"),
            ("3/2", "4"),
            ("-4", "1/2"),
            ("1", "4"),
            ("0", "1"),
            ("1001/1000", "2"),
            ("-1", "999/1000"),
            ("1", "1"),
            ("3", "3"),
        )
    },
    # F(z) <= e
    **{
        f"a minimum of {e}": (LINE, line(*Y, e=e), SMALL)
        for e in (
            "0",
            "1",
            "3/2",
            "19/10",
            "199/100",
            "1999/1000",
            "1999999/1000000",
            "1/2",
            "1/100",
            "19999999/10000000",
        )
    },
    "true, but not at the centre": (LINE, line(*isolated("15p-4", "9p-3", "683p-11"), e="2001/1000"), SMALL),
    **{
        f"a root of 2 with {e}": (WELL, minimum(e, ROOT, **BOTH), SMALL)
        for e in ("0", "1/10000000000000000000000000000")
    },
}


@pytest.mark.parametrize("name", REJECTED)
def test_what_does_not_hold_is_rejected(name):
    text, certificate, reason = REJECTED[name]
    rejected(judged(text, certificate), "minimum", reason)


def one(*tape, low="-1", high="1"):
    return problem(variables=(f"x mm {low} {high}",), tape=tape, inputs=1, families=("F 0 1 v0",))


ROUGH = {
    "root at 0": one("sqrt 0", low="0"),
    "root of a square at 0": one("sqr 0", "sqrt 1"),
    "root of a product at 0": one("mul 0 0", "sqrt 1"),
    "root below 0": one("const 1/100", "add 0 1", "sqrt 2"),
    "root of minus a square": one("sqr 0", "neg 1", "sqrt 2"),
    "pole": one("const 1", "div 1 0"),
    "pole of a square": one("sqr 0", "const 1", "div 2 1"),
    "pole of a sine": one("sin 0", "const 1", "div 2 1"),
    "pole nearby": one("const 1/32", "sub 0 1", "div 0 2"),
    "pole that does not count": one("const 1", "div 1 0", "sqr 0", "add 0 0"),
    "root that does not count": one("sqrt 0", "sqr 0"),
    "root of a root": one("sqrt 0", "sqrt 1"),
    "pole beyond the problem's box": one("const -1/32", "sub 0 1", "const 1", "div 3 2", low="0"),
}


@pytest.mark.parametrize("name", ROUGH)
def test_what_is_not_twice_differentiable_is_rejected(name):
    outcome = judged(ROUGH[name], minimum("1000", isolated("-1p-4", "1p-4", "1")))
    assert outcome.status is Status.REJECTED and outcome.rule == "minimum", outcome.message
    assert "division" in outcome.message or "below 0" in outcome.message


GRAMMAR = {
    "no block": (minimum("201/100", ()), "isolated", "'zero'"),
    "no header": (line(*Y).replace("isolated\n", ""), "text", "'isolated'"),
    "two minima": (minimum("201/100", (*Y, *Y)), "text", "'end'"),
    "an end missing": (minimum("201/100", ("zero 7p-3", Y[1])), "text", "2 tokens"),
    "an end too many": (minimum("201/100", ("zero 7p-3 9p-3 1", Y[1])), "text", "2 tokens"),
    "no matrix": (minimum("201/100", Y[:1]), "text", "'inverse'"),
    "an entry too many": (minimum("201/100", (Y[0], Y[1] + " 0")), "text", "1 tokens"),
    "a rational entry": (minimum("201/100", (Y[0], "inverse 1/3")), "text", "no dyadic"),
    "ends exchanged": (line(*isolated("9p-3", "7p-3", "683p-11")), "minimum", "not below the upper"),
    "a box of a point": (line(*isolated("1", "1", "683p-11")), "minimum", "not below the upper"),
    "a tree of a local one": (minimum("201/100", Y, *TREE).replace("global", "local"), "text", "'end'"),
    "no tree of a global one": (line(*Y).replace("local", "global"), "text", "'tree'"),
    "a witness": (line(*Y).replace("isolated\n", "witness\nvalues 1\nisolated\n"), "text", "'isolated'"),
    "a hull": (line(*Y).replace("isolated\n", "hull\n0 4\nisolated\n"), "text", "'isolated'"),
}


@pytest.mark.parametrize("name", GRAMMAR)
def test_texts_that_are_none_are_rejected(name):
    certificate, rule, reason = GRAMMAR[name]
    outcome = judged(LINE, certificate)
    assert outcome.status is Status.REJECTED and reason in outcome.message, outcome.message
    assert outcome.rule in (rule, "text")


def changed(node, other):
    return [other if k == node else old for k, old in enumerate(TREE)]


def everywhere(*tree, e="201/100", block=Y):
    return minimum(e, block, *tree)


NOT_POSITIVE = "not proved to be positive"
TREES = {
    **{
        f"known in the box from {a}": (
            everywhere("split 0 7p-3", LEFT, f"split 0 {a}", "known 0", RIGHT),
            "known",
            "leaves the box",
        )
        for a in ("10p-3", "2", "3", "4609p-12", "19p-4")
    },
    **{
        f"known in the box to {a}": (
            everywhere(f"split 0 {a}", LEFT, "split 0 9p-3", "known 0", RIGHT),
            "aggregate",
            NOT_POSITIVE,
        )
        for a in ("31p-5", "1", "17p-4")
    },
    **{
        f"known in the box from {a} on": (everywhere(f"split 0 {a}", "known 0", "known 0"), "known", "leaves the box")
        for a in ("7p-3", "1", "9p-3", "6p-3", "1p-1")
    },
    "known everywhere": (everywhere("known 0"), "known", "leaves the box"),
    "another number": (everywhere(*changed(3, "known 1")), "known", "no such zero"),
    "no number": (everywhere(*changed(3, "known")), "known", "1 tokens"),
    "open": (everywhere(*changed(3, "open")), "open", "nothing but `within`"),
    "open everywhere": (everywhere("open"), "open", "nothing but `within`"),
    "refuted where it is": (everywhere(*changed(3, "evaluate 0 0")), "evaluate", "as small"),
    "refuted where it is by all rows": (everywhere(*changed(3, "aggregate q0.0+2 q0.2-2")), "aggregate", NOT_POSITIVE),
    "the sides exchanged": (everywhere(TREE[0], RIGHT, *TREE[2:4], LEFT), "aggregate", NOT_POSITIVE),
    "a leaf missing": (everywhere(*TREE[:4]), "text", "no rule 'end'"),
    "too high a level": (everywhere(*TREE, e="21/10"), "aggregate", NOT_POSITIVE),
    "a level just below the truth": (everywhere(*TREE, e="1999999/1000000"), "minimum", SMALL),
    "a level below the truth": (everywhere("aggregate q0.0+2 q0.2-2", e="19/10"), "minimum", SMALL),
    "another box": (everywhere(*TREE, block=isolated("15p-4", "17p-4", "683p-11")), "known", "leaves the box"),
}


@pytest.mark.parametrize("name", TREES)
def test_trees_of_global_minima_are_rejected(name):
    certificate, rule, reason = TREES[name]
    outcome = judged(LINE, certificate)
    assert outcome.status is Status.REJECTED and reason in outcome.message, outcome.message
    assert outcome.rule in (rule, "text")


def test_one_of_two_minima_is_not_the_only_one():
    def tree(first, second):
        cut = ("split 0 -2897p-11", "evaluate 0 0", "split 0 -2896p-11")
        sides = ("split 1 -1p-4", "evaluate 1 0", "split 1 1p-4")
        middle = ("split 0 2896p-11", "evaluate 0 0", "split 0 2897p-11")
        return (*cut, *sides, first, "evaluate 1 0", *middle, *sides, second, "evaluate 1 0", "evaluate 0 0")

    for block in (ROOT, OTHER):
        outcome = judged(WELL, minimum("1/10000000", block, *tree("known 0", "known 0"), **BOTH))
        assert outcome.status is Status.REJECTED, outcome.message
    half = WELL.replace("x mm -2 2", "x mm 0 2")
    # on one side there is one minimum: x^2 - 2 is at most -1/4096 or at least 1/2048 outside, y^2 at least 1/256
    right = (
        "split 0 2896p-11",
        "evaluate 0 0",
        "split 0 2897p-11",
        "split 1 -1p-4",
        "evaluate 1 0",
        "split 1 1p-4",
        "known 0",
        "evaluate 1 0",
        "evaluate 0 0",
    )
    outcome = judged(half, minimum("1/10000000", ROOT, *right, **BOTH))
    assert outcome.status is Status.VERIFIED, outcome.message


def solved(matrix, right):
    """The solution of linear equations, exactly."""
    size = len(right)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(size):
            if i != k:
                rows[i] = [v - rows[i][k] * w for v, w in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("seed", range(25))
def test_least_squares_of_linear_rows(seed):
    """The minimiser and the minimum are known exactly: both are found, and nothing else is."""
    rng = random.Random(seed)
    size, count = 3, rng.randrange(4, 7)
    rows = [[Fraction(rng.randrange(-6, 7), 2) for _ in range(size)] for _ in range(count)]
    offsets = [Fraction(rng.randrange(-9, 10), 4) for _ in range(count)]
    normal = [[sum(r[i] * r[j] for r in rows) for j in range(size)] for i in range(size)]
    z = solved(normal, [sum(r[i] * b for r, b in zip(rows, offsets, strict=True)) for i in range(size)])
    if z is None:
        return
    truth = sum((sum(a * x for a, x in zip(r, z, strict=True)) - b) ** 2 for r, b in zip(rows, offsets, strict=True))
    columns = [(f"a{i}", tuple(f"{r[i]} {r[i]}" for r in rows)) for i in range(size)] + [
        ("b", tuple(f"{b} {b}" for b in offsets))
    ]
    tape = ("mul 0 3", "mul 1 4", "mul 2 5", "add 7 8", "add 10 9", "sub 11 6")
    edge = 50
    text = problem(
        variables=tuple(f"x{i} mm -{edge} {edge}" for i in range(size)),
        columns=columns,
        tape=tape,
        inputs=7,
        families=(f"F 0 {count} v0 v1 v2 c0 c1 c2 c3",),
    )
    if max(map(abs, z)) > edge - 1:
        return
    unit = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    inverse = [solved(normal, [unit[k][i] for k in range(size)]) for i in range(size)]  # of a symmetric matrix
    entries = [dyadic(v, 40) for row in inverse for v in row]

    def claim(centre, radius, e):
        return minimum(
            e,
            isolated([dyadic(v - radius, 40) for v in centre], [dyadic(v + radius, 40) for v in centre], *entries),
            precision=128,
        )

    small = Fraction(1, 2**12)
    outcome = judged(text, claim(z, small, truth + Fraction(1, 100)))
    assert outcome.status is Status.VERIFIED, outcome.message
    assert judged(text, claim(z, Fraction(20), truth + Fraction(1, 100))).status is Status.VERIFIED
    shifted = [v + rng.choice((-1, 1)) * small * Fraction(9, 10) for v in z]
    assert judged(text, claim(shifted, small, truth + Fraction(1, 100))).status is Status.VERIFIED
    if truth > 0:
        rejected(judged(text, claim(z, small, truth * Fraction(999999, 1000000))), "minimum", SMALL)
    for _ in range(5):
        away = list(z)
        away[rng.randrange(size)] += rng.choice((-1, 1)) * small * Fraction(rng.randrange(11, 40), 10)
        rejected(judged(text, claim(away, small, truth + 1)), "minimum", INTERIOR)


@pytest.mark.parametrize("seed", range(10))
def test_positive_definite_matrices(seed):
    rng = random.Random(seed)
    for _ in range(20):
        size = rng.randrange(1, 5)
        root = [[Fraction(rng.randrange(-4, 5), rng.choice((1, 2, 3))) for _ in range(size)] for _ in range(size)]
        signs = [rng.choice((1, 1, 1, -1, 0)) for _ in range(size)]
        matrix = [
            [sum(s * root[k][i] * root[k][j] for k, s in enumerate(signs)) for j in range(size)] for i in range(size)
        ]
        regular = solved(root, [Fraction(1)] * size) is not None
        truth = regular and all(s > 0 for s in signs)
        found = is_positive_definite([[fmpq(v.numerator, v.denominator) for v in row] for row in matrix], Deadline(60))
        if regular:
            assert found is truth
        elif found:  # Sylvester: a singular root gives no regular form
            raise AssertionError(matrix)
    assert is_positive_definite([], Deadline(60))
    assert not is_positive_definite([[fmpq(0)]], Deadline(60))
    assert not is_positive_definite([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(1)]], Deadline(60))


@pytest.mark.parametrize("seed", range(10))
def test_no_box_is_verified_that_does_not_hold_the_minimiser(seed):
    """F = (x^2 - a)^2 + (x - b)^2: accepted boxes hold a zero of the derivative with a positive second
    one, never two.
    """
    rng = random.Random(seed)
    a, b = Fraction(rng.randrange(1, 9), 2), Fraction(rng.randrange(-4, 5), 4)
    text = problem(
        variables=("x mm -4 4",),
        tapes=2,
        tape=("sqr 0", f"const {a}", "sub 1 2", "tape u 1 2", f"const {b}", "sub 0 1"),
        inputs=1,
        families=("F 0 1 v0", "G 1 1 v0"),
    ).replace("tape t 1 6", "tape t 1 3")

    def slope(x):  # half the derivative
        return 2 * x * (x * x - a) + x - b

    def curvature(x):
        return 6 * x * x - 2 * a + 1

    accepted = 0
    for _ in range(150):
        middle = Fraction(rng.uniform(-3, 3)).limit_denominator(64)
        for _ in range(rng.randrange(4)):  # nearer to a stationary point
            if curvature(middle) != 0:
                middle = (middle - slope(middle) / curvature(middle)).limit_denominator(1000)
        middle = max(min(middle, Fraction(3)), Fraction(-3))
        radius = Fraction(1, 2 ** rng.randrange(2, 10))
        low, high = Fraction(round((middle - radius) * 2**20), 2**20), Fraction(round((middle + radius) * 2**20), 2**20)
        factor = dyadic(1 / curvature(middle), 30) if curvature(middle) else "1"
        outcome = judged(text, minimum("100000", isolated(dyadic(low, 20), dyadic(high, 20), factor), **BOTH))
        if outcome.status is Status.VERIFIED:
            accepted += 1
            assert slope(low) < 0 < slope(high)
            assert all(curvature(low + (high - low) * Fraction(k, 16)) > 0 for k in range(17))
        elif outcome.rule == "minimum" and CONVEX in outcome.message:
            assert curvature((low + high) / 2) < 0
    assert accepted
