"""Groups under a norm, factors on half-widths, shared measurements as unknowns: what random truth says, to the last
digit, and the first checker with it.
"""

import math
import random
from fractions import Fraction
from itertools import combinations_with_replacement

import flint
import pytest
from arb_texts import at, both, number, problem
from hypothesis import event, given
from hypothesis import strategies as st

from certify.checker_arb.boxes import Prepared, Rows
from certify.checker_arb.ends import poly_at_ends
from certify.checker_arb.frame import Frame
from certify.checker_arb.groups import Group, scope_of
from certify.checker_arb.outcome import Deadline, Undefined
from certify.checker_arb.problem import read_problem
from certify.checker_arb.terms import Terms

NEAR = Fraction(1, 10**9)


def claimed(*groups, body=(), kind="errors", factor=1, start="box", norm="largest", discard=0, **claims):
    """A certificate of version 6."""
    lines = ["certify-certificate 6", "problem 0", "precision 128", f"claim {kind}", f"groups {len(groups)}"]
    lines += [*(f"group {group}" for group in groups), start, f"factor {factor}", f"norm {norm}", f"discard {discard}"]
    words = ("lower", "upper", "within", "volume", "zeros", "minimum")
    return "\n".join([*lines, *(f"{word} {claims.get(word, 'none')}" for word in words), *body, "end", ""])


def rational(rng, low, high, bits=6):
    return Fraction(rng.randint(low << bits, high << bits), 1 << bits)


def points(rng, size):
    """Rows x_i - m_i of two points in so many dimensions, in families A0, A1, ..., one for each dimension."""
    ends = [[rational(rng, -3, 3) for _ in range(size)] for _ in range(2)]
    half = [[abs(rational(rng, 0, 1)) * rng.choice((0, 1)) / 8 for _ in range(size)] for _ in range(2)]
    columns = tuple(
        (f"m{i}", tuple(f"{ends[k][i] - half[k][i]} {ends[k][i] + half[k][i]}" for k in range(2))) for i in range(size)
    )
    text = problem(
        variables=tuple(f"x{i} mm -9 9" for i in range(size)),
        columns=columns,
        families=tuple(f"A{i} 0 2 v{i} c{i}" for i in range(size)),
    )
    return text, ends, half


@given(st.integers(0, 10**6), st.sampled_from("mt"))
def test_what_weights_prove_of_two_points_under_a_euclidean_norm(seed, form):
    """With weights w both ways the bound is (sum of w_i (gap_i - f h_i)) / (2 |w|): a little less is proved, a little
    more is not. So W is the root of the sum of squares, once for each member.
    """
    rng = random.Random(seed)
    size = rng.randint(1, 4)
    text, ends, half = points(rng, size)
    factor = rng.choice((Fraction(1), Fraction(0), Fraction(1, 2), Fraction(3)))
    gaps = [b - a for a, b in zip(*ends, strict=True)]
    weights = [rng.randint(1, 9) for _ in range(size)]
    signs = [1 if gap >= 0 else -1 for gap in gaps]
    reach = sum(w * (abs(gap) - factor * (h + k)) for w, gap, h, k in zip(weights, gaps, half[0], half[1], strict=True))
    squared = (reach / 2) ** 2 / sum(w * w for w in weights)
    if reach <= Fraction(1, 100):
        return
    root = Fraction(math.isqrt(math.floor(squared * 4**60)), 1 << 60)
    base, scale = rng.choice(((Fraction(0), Fraction(1)), (root / 3, Fraction(2)), (root / 2, Fraction(1, 3))))
    terms = [f"{form}{i}.0{'+' if s > 0 else '-'}{w}" for i, (s, w) in enumerate(zip(signs, weights, strict=True))]
    terms += [f"{form}{i}.1{'-' if s > 0 else '+'}{w}" for i, (s, w) in enumerate(zip(signs, weights, strict=True))]
    rng.shuffle(terms)
    group = f"model euclidean {base} {scale} " + " ".join(f"A{i}" for i in range(size))
    for bound, answer in ((root * (1 - NEAR), "VERIFIED"), (root * (1 + NEAR), "REJECTED")):
        level = (bound - base) / scale
        leaf = "aggregate " + " ".join(terms)
        assert both(text, claimed(group, factor=factor, lower=level, body=("tree", leaf))) == answer, leaf


@given(st.integers(0, 10**6))
def test_a_member_is_as_far_as_its_root_of_squares_says(seed):
    """At a point: `evaluate` and the witness, exactly to nine digits from both sides, with the measurements' ends."""
    rng = random.Random(seed)
    size = rng.randint(1, 4)
    text, ends, half = points(rng, size)
    factor = rng.choice((Fraction(1), Fraction(0), Fraction(5, 4)))
    x = [rational(rng, -4, 4) for _ in range(size)]
    row = rng.randrange(2)
    away = [max(abs(v - m) - factor * h, Fraction(0)) for v, m, h in zip(x, ends[row], half[row], strict=True)]
    squared = sum((d * d for d in away), Fraction(0))
    root = Fraction(math.isqrt(math.floor(squared * 4**60)), 1 << 60)
    names = " ".join(f"A{i}" for i in range(size))
    start = "point " + " ".join(map(str, x))
    if root > Fraction(1, 100):
        for bound, answer in ((root * (1 - NEAR), "VERIFIED"), (root * (1 + NEAR), "REJECTED")):
            body = ("tree", f"evaluate {rng.randrange(size)} {row}")
            found = claimed(f"model euclidean 0 1 {names}", start=start, factor=factor, lower=bound, body=body)
            assert both(text, found) == answer
    far = [[abs(v - m) + factor * h for v, m, h in zip(x, ends[k], half[k], strict=True)] for k in range(2)]
    squared = max(sum(d * d for d in member) for member in far)
    root = Fraction(math.isqrt(math.floor(squared * 4**60)) + 1, 1 << 60)
    tokens = [["0" if x[i] >= ends[k][i] else "1" for k in range(2)] for i in range(size)]
    body = ["witness", start.replace("point", "values"), *(f"column m{i} {' '.join(t)}" for i, t in enumerate(tokens))]
    for bound, answer in ((root * (1 + NEAR), "VERIFIED"), (root * (1 - NEAR), "REJECTED")):
        assert both(text, claimed(f"model euclidean 0 1 {names}", factor=factor, upper=bound, body=body)) == answer
    worst = max(max(member) for member in far)
    for bound, answer in ((worst * (1 + NEAR), "VERIFIED"), (worst * (1 - NEAR), "REJECTED")):
        assert both(text, claimed(f"model largest 0 1 {names}", factor=factor, upper=bound, body=body)) == answer


def test_a_row_that_were_counted_in_parts_would_prove_too_much():
    """(0, 0) and (4, 3) are 5 apart: 5/2 is the least. With each weight in two halves, of m and of t, the sum of their
    squares would be half of what it is, and 3 proved.
    """
    text = problem(
        variables=("x0 mm -9 9", "x1 mm -9 9"),
        columns=(("m0", ("0 0", "4 4")), ("m1", ("0 0", "3 3"))),
        families=("A 0 2 v0 c0", "B 0 2 v1 c1"),
    )
    whole = [("0.0+", 4), ("1.0+", 3), ("0.1-", 4), ("1.1-", 3)]
    halves = [f"{form}{row}{weight}p-1" for row, weight in whole for form in "mt"]
    group = "model euclidean 0 1 A B"
    leaf = "aggregate " + " ".join(f"m{row}{weight}" for row, weight in whole)
    assert both(text, claimed(group, lower=Fraction(249, 100), body=("tree", leaf))) == "VERIFIED"
    for level in (Fraction(0), Fraction(249, 100), Fraction(5, 2), Fraction(3)):
        assert both(text, claimed(group, lower=level, body=("tree", "aggregate " + " ".join(halves)))) == "REJECTED"
    single = "aggregate m0.0+2 m0.0-1 m1.0+3 m0.1-1 m1.1-3"
    assert both(text, claimed(group, lower=Fraction(1), body=("tree", single))) == "REJECTED"


# Terms with further unknowns, against exact values

SMOOTH = ("add", "sub", "mul", "neg", "sqr", "const")


def random_row(rng, inputs):
    steps = []
    for _ in range(rng.randint(2, 6)):
        last = inputs + len(steps)
        operation = rng.choice(SMOOTH)
        i, j = rng.randrange(last), rng.randrange(last)
        if operation == "const":
            steps.append(f"const {rational(rng, -2, 2, 2)}")
        else:
            steps.append(f"{operation} {i}" + (f" {j}" if operation in ("add", "sub", "mul") else ""))
    return (*steps, f"mul {rng.randrange(inputs)} {inputs + len(steps) - 1}", f"add {inputs + len(steps)} 2")


def value(tape, inputs):
    """A row in fractions."""
    nodes = list(inputs)
    for step in tape:
        word, *rest = step.split(" ")
        a = Fraction(rest[0]) if word == "const" else nodes[int(rest[0])]
        b = nodes[int(rest[1])] if len(rest) > 1 else a
        nodes.append({"add": a + b, "sub": a - b, "mul": a * b, "neg": -a, "sqr": a * a, "const": a}[word])
    return nodes[-1]


def between(rng, low, high):
    return low + (high - low) * rng.choice((Fraction(0), Fraction(1), rational(rng, 0, 1)))


@given(st.integers(0, 10**6), st.sampled_from("qmt"), st.booleans())
def test_terms_with_further_unknowns_contain_the_row(seed, form, framed):
    """For every x in B and every M: with u = M's entries some selection of the coefficients is at most s r(x, M) less
    the bound, in a frame too; under a Euclidean norm the forms m and t are without the bound.
    """
    rng = random.Random(seed)
    tape = random_row(rng, 5)
    spans = [sorted((rational(rng, -2, 2), rational(rng, -2, 2))) for _ in range(5)]
    text = problem(
        variables=tuple(f"x{i} mm {a} {b}" for i, (a, b) in enumerate(spans[:2])),
        columns=tuple((f"m{i}", (f"{a} {b}", f"{a} {b}")) for i, (a, b) in enumerate(spans[2:])),
        tape=tape,
        inputs=5,
        families=("F 0 2 v0 v1 c0 c1 c2",),
    )
    known = read_problem(text.encode(), Deadline(60))
    norm = rng.choice(("rows", "euclidean"))
    level, group = Fraction(3, 4), Group("model", norm, number(1), number(2), (0,))
    scope = scope_of(known, (0,), (group,))
    columns = frozenset(rng.sample(range(3), rng.randint(1, 3)))
    box = tuple((number(a), number(b)) for a, b in spans[:2])
    matrix = [Fraction(1), Fraction(rng.randint(-3, 3), 2), Fraction(rng.randint(-1, 1), 4), Fraction(2)]
    with flint.ctx.workprec(200):
        rows = Rows(known, scope, Deadline(60), columns)
        frame = Frame([number(0)] * 2, list(map(number, matrix)), box, 128) if framed else None
        start = frame.start if frame else box
        prepared = Prepared(1, start, rng.choice((1, 3)), frame)
        side, row = rng.choice((1, -1)), rng.randrange(2)
        try:
            found = Terms(rows, number(level), False, Deadline(60)).row(form, 0, row, side, prepared)
        except Undefined:
            return
        polynomial = {monomial: (found.low[0, k], found.high[0, k]) for k, monomial in enumerate(found.monomials)}
    for _ in range(5):
        y = [between(rng, *(Fraction(int(end.p), int(end.q)) for end in ends)) for ends in start]
        x = [matrix[0] * y[0] + matrix[1] * y[1], matrix[2] * y[0] + matrix[3] * y[1]] if framed else y
        m = [between(rng, *ends) for ends in spans[2:]]
        truth = side * value(tape, [*x, *m])
        if norm == "rows" or form == "q":
            truth -= 1 + 2 * level
        centres = [Fraction(int(c.p), int(c.q)) for c in prepared.centre]
        shifts = [a - c for a, c in zip(y, centres, strict=True)]
        for entry, ends in zip(m, spans[2:], strict=True):
            shifts += [entry - sum(ends) / 2] * 2
        assert at(polynomial, shifts)[0] <= flint.arb(number(truth)).upper(), (tape, columns)


# A factor is nothing but other half-widths


@pytest.mark.parametrize("start", range(0, 30, 10))
def test_a_factor_is_nothing_but_other_half_widths(start):
    """The same leaves about the same entries, written out, get the same answers."""
    seen = set()
    for seed in range(start, start + 10):
        rng = random.Random(seed)
        factor = rng.choice((Fraction(0), Fraction(1, 3), Fraction(2), Fraction(10**9 + 1, 10**9)))
        spans = [sorted((rational(rng, -2, 2), rational(rng, -2, 2))) for _ in range(3)]
        tape = random_row(rng, 3)

        def stated(factor, tape=tape, spans=spans):
            middles = [(sum(ends) / 2, (ends[1] - ends[0]) / 2 * factor) for ends in spans[1:]]
            return problem(
                variables=("x mm -1 1",),
                columns=tuple((f"m{i}", (f"{c - h} {c + h}",)) for i, (c, h) in enumerate(middles)),
                tape=tape,
                inputs=3,
                families=("F 0 1 v0 c0 c1",),
            )

        form, side, cells = rng.choice("qmt"), rng.choice("+-"), rng.choice((1, 4))
        leaf = rng.choice((f"aggregate {form}0.0{side}1", f"aggregate c1 {form}0.0{side}1", "evaluate 0 0"))
        for level in (Fraction(0), Fraction(1, 64), Fraction(1), Fraction(4)):
            body = ("tree", f"prepare {cells}", leaf)
            answers = {
                both(stated(one), claimed("model rows 0 1 F", factor=other, lower=level, body=body))
                for one, other in ((Fraction(1), factor), (factor, Fraction(1)))
            }
            tokens = [f"column m{i} {rng.choice(('0', '1', '0.375', '0:1'))}" for i in range(2)]
            witness = ("witness", f"values {rational(rng, -1, 1)}", *tokens)
            others = {
                both(stated(one), claimed("model rows 0 1 F", factor=other, upper=level + 1, body=witness))
                for one, other in ((Fraction(1), factor), (factor, Fraction(1)))
            }
            assert len(answers) == len(others) == 1, (seed, level)
            seen |= answers | others
    assert seen == {"VERIFIED", "REJECTED"}


def product_at(monomial, d):
    return math.prod((d[place] for place in monomial), start=Fraction(1))


@given(st.integers(0, 10**9))
def test_sums_at_ends_are_below_the_sum(seed):
    """Whatever the coefficients are within their intervals: a selection of what is left is no larger at the same d."""
    rng = random.Random(seed)
    spans = [sorted((rational(rng, -2, 2), rational(rng, -2, 2))) for _ in range(5)]
    steep = {(place,): rng.choice((-9, 0, 9)) for place in (2, 3, 4)}
    every = [m for n in range(4) for m in combinations_with_replacement(range(5), n)]
    chosen = {*rng.sample(every, rng.randint(1, len(every))), *steep}
    sums = {m: sorted(rational(rng, -1, 1) + steep.get(m, 0) for _ in range(2)) for m in sorted(chosen)}
    with flint.ctx.workprec(200):
        polynomial = {m: tuple(flint.arb(number(end)) for end in ends) for m, ends in sums.items()}
        ranges = {k: tuple(flint.arb(number(end)) for end in ends) for k, ends in enumerate(spans)}
        left = poly_at_ends(polynomial, ranges, (2, 3, 4), Deadline(60))
        event(f"{sum(all(k not in m for m in left) for k in (2, 3, 4))} at an end")
        for _ in range(4):
            d = [between(rng, *ends) for ends in spans]
            true = sum(between(rng, *ends) * product_at(m, d) for m, ends in sums.items())
            least = flint.arb(0)
            for m, (low, high) in left.items():
                factor = flint.arb(number(product_at(m, d)))
                least += (low * factor).min(high * factor)
            assert least.lower() <= flint.arb(number(true)).upper()
