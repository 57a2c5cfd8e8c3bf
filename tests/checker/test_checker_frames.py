"""Skew coordinates and facets: valid trees are VERIFIED, forged ones REJECTED for their reason; images, ranges, terms
against exact ones.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import judge, refusal, reject
from exact_rows import Singular, exact, random_problem, random_tape, rooted_tape, shrink, span_at, weight, within
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.claims import CROSS
from texts.frames import FORGED, TURNED_HULL, VALID

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


@pytest.mark.parametrize("name", VALID)
def test_valid_frames_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_counts_half_spaces() -> None:
    assert (
        judge(*TURNED_HULL).message.partition(": ")[2].startswith("in the hull and its 4 half-spaces lie all unknowns")
    )


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
    return [
        m + sum(a * b for a, b in zip(row, y, strict=True)) for m, row in zip(frame.point, frame.matrix, strict=True)
    ]


def solved(frame: Skew, x: Sequence[Fraction]) -> list[Fraction]:
    """T^-1 (x - m), by Cramer."""
    whole = determinant(frame.matrix)
    found = []
    for j in range(len(x)):
        columns = [
            [*row[:j], value - m, *row[j + 1 :]] for row, value, m in zip(frame.matrix, x, frame.point, strict=True)
        ]
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
            sum(a * value for a, value in zip(facet.coefficients, placed(frame, corner), strict=True))
            for corner in itertools.product(*part)
        )
        assert chart.satisfies(part, facet) == (height <= facet.bound)
        assert chart.satisfies(part, Facet(facet.coefficients, height))
        for (low, high), ends in zip(
            image, zip(*(placed(frame, corner) for corner in itertools.product(*part)), strict=True), strict=True
        ):
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
    for (low, high), ends in zip(
        chart.image(box), zip(*(placed(frame, corner) for corner in itertools.product(*box)), strict=True), strict=True
    ):
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
    codes = (
        ("add", "sub", "mul", "neg", "sqr", "const")
        if form == "q"
        else ("add", "sub", "mul", "neg", "sqr", "const", "div")
    )
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
    made = (
        rooted_tape(rng, rng.choice((1, -1)))[0]
        if rooted
        else random_tape(rng, 4, ("add", "sub", "mul", "neg", "sqr", "sqrt", "const", "div"), 5)
    )
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
    proof = Proof(
        parsed, (0, 1), 64, Question(Fraction(0), hull=Hull(box), zeros=(((Fraction(0), Fraction(0)),) * 2,)), box
    )
    preparation = proof.skew(
        proof.root, box, Skew((Fraction(0),) * 2, ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(-1, 2))))
    )
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
    skewed_box = bare.skew(
        bare.root, box, Skew((Fraction(0),) * 2, ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
    )
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
