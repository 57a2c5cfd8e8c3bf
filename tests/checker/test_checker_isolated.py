"""Krawczyk's operator against exact rationals at 8 to 12 bits, its theorem on systems with planted zeros, boxes that
must not meet.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import ProblemWriter, TapeWriter, certificate, judge, problem, refusal, tape
from exact_derivatives import differentiated
from exact_rows import Singular, exact, random_tape
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.claims import (
    CIRCLE,
    CIRCLE_COUNTED,
    CIRCLE_ISOLATED,
    LINE,
    LINE_HULLED,
    PAIR,
    PAIR_ISOLATED,
    ROOTS,
    ROOTS_COUNTED,
    ROOTS_ISOLATED,
)

from certify.checker import Status
from certify.checker.certificate import Certificate, Hull, Zero, parse_certificate
from certify.checker.interval import Undefined
from certify.checker.isolated import Enclosure, isolate, krawczyk, linearised, overlapping
from certify.checker.nodes import Known, Open, parse_node
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope

seeds = st.integers(0, 10**9)
coarse = st.sampled_from((8, 10, 12))
SMOOTH = ("add", "sub", "mul", "neg", "sqr", "const", "div")
Dual = tuple[Fraction, tuple[Fraction, ...]]


def operator(scope: Scope, zero: Zero, clock: Clock) -> Enclosure:
    """Krawczyk's operator of the rows."""
    return krawczyk(scope.arithmetic, zero, *linearised(scope, zero, clock))


def exact_gradient(parsed: CanonicalProblem, number: int, point: Sequence[Fraction]) -> list[Fraction]:
    """The derivatives of a row in the problem's variables by dual numbers, no roots."""
    size, family = len(parsed.variables), parsed.families[number]
    nodes: list[Dual] = []
    for binding in family.bindings:
        nodes.append((point[binding.index], tuple(Fraction(int(i == binding.index)) for i in range(size))))
    for operation in parsed.tapes[family.tape].operations:
        u, du = nodes[operation.first] if operation.first >= 0 else (operation.value, (Fraction(0),) * size)
        w, dw = nodes[operation.second] if operation.second >= 0 else (Fraction(0), (Fraction(0),) * size)
        if operation.code == "div" and w == 0:
            raise Singular
        value, left, right = differentiated(operation.code, u, w)
        nodes.append((Fraction(value), tuple(left * a + right * b for a, b in zip(du, dw, strict=True))))
    return list(nodes[-1][1])


def dyadic(rng: random.Random, reach: int, bits: int) -> Fraction:
    return Fraction(rng.randint(-reach << bits, reach << bits), 1 << bits)


def random_system(rng: random.Random, size: int) -> CanonicalProblem:
    """So many rows of random tapes; one of the variables may be bound twice, others not at all."""
    writer = ProblemWriter([(f"x{i}", -9, 9) for i in range(size)])
    for number in range(size):
        bindings = [f"v{number}", *(f"v{rng.randrange(size)}" for _ in range(rng.randint(0, 2)))]
        writer.tapes.append((f"t{number}", random_tape(rng, len(bindings), SMOOTH, rng.randint(1, 5))))
        writer.families.append(f"F{number} {number} 1 " + " ".join(bindings))
    return parse_problem(writer.text().encode())


@settings(max_examples=400, deadline=None)
@given(seed=seeds, precision=coarse, size=st.integers(1, 3))
def test_the_operator_contains_what_it_should(seed: int, precision: int, size: int) -> None:
    """c - C f(c) + (I - C A)(x - c), the rows of A gradients at points of Y, and x - C f(x), for x in Y."""
    rng = random.Random(seed)
    parsed = random_system(rng, size)
    scope = Scope(parsed, range(size), precision)
    corners = [dyadic(rng, 2, 4) for _ in range(size)]
    box = tuple((low, low + Fraction(rng.choice((1, 2, 5, 16)), 16)) for low in corners)
    inverse = tuple(tuple(dyadic(rng, 2, 3) for _ in range(size)) for _ in range(size))
    try:
        found = operator(scope, Zero(box, inverse), Clock())
    except Undefined:
        return
    centre = [(low + high) / 2 for low, high in box]

    def rows(point: Sequence[Fraction]) -> list[Fraction]:
        return [exact(parsed, family.tape, [point[b.index] for b in family.bindings]) for family in parsed.families]

    def inside() -> list[Fraction]:
        return [low + (high - low) * Fraction(rng.choice((0, 1, 3, 5, 9, 10)), 10) for low, high in box]

    for _ in range(4):
        x, matrix = inside(), [exact_gradient(parsed, number, inside()) for number in range(size)]
        offsets = [a - b for a, b in zip(x, centre, strict=True)]
        slopes = [sum(a * b for a, b in zip(row, offsets, strict=True)) for row in matrix]
        at_centre, at_x = rows(centre), rows(x)
        for i, (low, high) in enumerate(found):
            one = centre[i] - dot(inverse[i], at_centre) + offsets[i] - dot(inverse[i], slopes)
            other = x[i] - dot(inverse[i], at_x)
            assert low <= one * (1 << precision) <= high
            assert low <= other * (1 << precision) <= high


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), start=Fraction(0))


def test_the_operator_is_as_narrow_as_the_rule_says() -> None:
    """x^2 - 2 on [5/4, 3/2] with C = 11/32: all numbers are exact at 128 bits."""
    scope = Scope(parse_problem(ROOTS.encode()), (0,), 128)
    zero = Zero(((Fraction(5, 4), Fraction(3, 2)),), ((Fraction(11, 32),),))
    ((low, high),) = operator(scope, zero, Clock())
    middle = Fraction(11, 8) - Fraction(11, 32) * (Fraction(121, 64) - 2)
    slack = (1 - Fraction(11, 32) * Fraction(5, 2)) / 8
    assert (Fraction(low, 1 << 128), Fraction(high, 1 << 128)) == (middle - slack, middle + slack)


@settings(max_examples=400, deadline=None)
@given(seed=seeds, precision=coarse)
def test_a_valid_box_holds_exactly_one_of_the_planted_zeros(seed: int, precision: int) -> None:
    """(x - a)(x - b) = 0 and u x + y = v: the zeros are known; a test that passes has one of them, and it lies in K."""
    rng = random.Random(seed)
    a, b, u, v = (Fraction(rng.randint(-24, 24), rng.choice((1, 3, 8, 12))) for _ in range(4))
    if a == b and rng.random() < 0.5:
        b += 1
    first = TapeWriter(2)
    first.put("mul", first.put("sub", 0, first.put("const", a)), first.put("sub", 0, first.put("const", b)))
    second = TapeWriter(2)
    second.put("sub", second.put("add", second.put("mul", 0, second.put("const", u)), 1), second.put("const", v))
    text = problem([("x", -99, 99), ("y", -99999, 99999)], [], [first, second], ["F 0 1 v0 v1", "G 1 1 v0 v1"])
    scope = Scope(parse_problem(text.encode()), (0, 1), precision)
    planted = {(root, v - u * root) for root in (a, b)}
    near = rng.choice(sorted(planted))
    ends = []
    for value in near:
        middle = Fraction(round(value * 64) + rng.randint(-4, 4), 64)
        radius = Fraction(rng.choice((1, 4, 12, 40, 200)), 64)
        ends.append((middle - radius, middle + radius))
    slope = 2 * sum(ends[0]) / 2 - a - b
    estimate = Fraction(round(256 / slope), 256) if slope else Fraction(1)
    zero = Zero(tuple(ends), ((estimate, Fraction(0)), (Fraction(round(-u * estimate * 256), 256), Fraction(1))))
    inside = [point for point in planted if all(low <= x <= high for x, (low, high) in zip(point, ends, strict=True))]
    try:
        found = isolate(scope, zero, Clock())
    except Rejection:
        return
    assert len(inside) == 1 and a != b
    assert all(low <= x * (1 << precision) <= high for x, (low, high) in zip(inside[0], found, strict=True))


def test_planted_zeros_are_found() -> None:
    """The theorem's test is not empty: at 12 bits the boxes of both systems are valid."""
    for text, lines in ((ROOTS, ROOTS_ISOLATED), (CIRCLE, CIRCLE_ISOLATED), (PAIR, PAIR_ISOLATED)):
        parsed = parse_problem(text.encode())
        families = range(len(parsed.families))
        certified = parse_certificate(certificate(text, zeros=len(lines) // 2, isolated=lines, tree=["open"]).encode())
        for precision in (8, 12, 64):
            scope = Scope(parsed, families, precision)
            found = [isolate(scope, zero, Clock()) for zero in certified.isolated]
            assert overlapping(found, Clock()) is None


@settings(max_examples=300, deadline=None)
@given(
    boxes=st.integers(1, 3).flatmap(
        lambda size: st.lists(
            st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=size, max_size=size),
            min_size=1,
            max_size=9,
        )
    )
)
def test_boxes_that_meet_are_found(boxes: list[list[tuple[int, int]]]) -> None:
    """Against all pairs."""
    enclosures = [tuple((low, low + width) for low, width in box) for box in boxes]

    def meet(first: int, second: int) -> bool:
        pairs = zip(enclosures[first], enclosures[second], strict=True)
        return all(max(a[0], b[0]) <= min(a[1], b[1]) for a, b in pairs)

    truth = [pair for pair in itertools.combinations(range(len(boxes)), 2) if meet(*pair)]
    found = overlapping(enclosures, Clock())
    assert (found is None) == (not truth)
    assert found is None or found in truth


def test_many_boxes_are_compared_in_time() -> None:
    """A grid of 100,000: alike in the first variable in rows of 10, different in the second."""
    grid = [((10 * (k // 10), 10 * (k // 10) + 1), (10 * (k % 10), 10 * (k % 10) + 1)) for k in range(100_000)]
    assert overlapping(grid, Clock(200)) is None
    assert overlapping([*grid, grid[777]], Clock(200)) == (777, 100_000)
    assert overlapping([], Clock()) is None


def test_pairs_are_compared_until_the_deadline() -> None:
    """Boxes that are in one chain in each variable."""
    chain = [((k, k + 1), (k, k + 1)) for k in range(0, 60, 2)] + [((k, k + 2), (k + 9, k + 99)) for k in range(60)]
    with pytest.raises(ResourceLimit, match="deadline"):
        overlapping(chain, Clock(0))


def test_huge_systems_end_in_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.certificate.HEADER", 200)
    for long in (ROOTS_COUNTED, LINE_HULLED):
        assert judge(*long).message == "RESOURCE 200 bytes before the tree"


def test_zeros_end_by_the_deadline() -> None:
    for seconds, forged in ((0, ROOTS_COUNTED), (0, CIRCLE_COUNTED)):
        assert judge(*forged, seconds).message == "RESOURCE the deadline of 0 seconds"


def test_rows_are_enclosed_until_the_deadline() -> None:
    scope = Scope(parse_problem(CIRCLE.encode()), (0, 1), 64)
    for attempt in (
        lambda: linearised(scope, Zero(scope.box, ((Fraction(1),) * 2,) * 2), Clock(0)),
        lambda: scope.sum_of_squares(scope.outward(scope.box), Clock(0)),
    ):
        with pytest.raises(ResourceLimit):
            attempt()


def test_sixty_four_variables_are_allowed() -> None:
    """x_i = 1/2, one family each."""
    size = 64
    text = problem(
        [(f"x{i}", 0, 1) for i in range(size)],
        [],
        [tape(1, "const 1/2", "sub 0 1")],
        [f"F{i} 0 1 v{i}" for i in range(size)],
    )
    unit = " ".join(str(int(i == j)) for i in range(size) for j in range(size))
    lines = ["zero " + " ".join(["-1 2"] * size), f"inverse {unit}"]
    scope = " ".join(f"F{i}" for i in range(size))
    assert (
        judge(text, certificate(text, scope=scope, zeros=1, isolated=lines, tree=["known 0"])).status is Status.VERIFIED
    )


# The writer's interface: the same code, one zero and one leaf at a time.


def test_a_writer_sees_why_a_leaf_is_neither_open_nor_known() -> None:
    parsed = parse_problem(ROOTS.encode())
    box, part = ((Fraction(-2), Fraction(2)),), ((Fraction(0), Fraction(1)),)
    proof = Proof(parsed, (0,), 64, Question(Fraction(0), hull=Hull(part), zeros=(part,)), box)
    assert refusal(proof, proof.root, part, Open()) is None and refusal(proof, proof.root, part, Known(0)) is None
    assert refusal(proof, proof.root, box, Open()) == "the box is not within the hull"
    assert refusal(proof, proof.root, box, Known(0)) == "the box is not within the box of zero 0"
    assert refusal(proof, proof.root, part, Known(-1)) == "there is no zero -1"
    bare = Proof(parsed, (0,), 64, Question(Fraction(0)), box)
    assert refusal(bare, bare.root, part, Open()) == "there is no hull"
    assert parse_node(["open"]) == Open() and parse_node(["known", "7"]) == Known(7)


def test_levels_of_certificates() -> None:
    def level(text: str) -> object:
        parsed: Certificate = parse_certificate(text.encode())
        return parsed.level

    assert level(LINE_HULLED[1]) == Fraction(3, 10)
    assert level(ROOTS_COUNTED[1]) == 0
    assert level(certificate(LINE, lower="1/7", tree=["open"])) == Fraction(1, 7)
    assert level(certificate(LINE, upper="1/7", witness=["values 1/2", "column m 0 0"])) is None
