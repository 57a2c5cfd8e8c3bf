"""What only a test of one unit of the last place, or of one line, can see; found by `python -m benchmarks mutants`.

Where a claim is false by less than the arithmetic resolves, where an interval has two different ends in the wrong
places, where a limit of the specification is off by one.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from checker_texts import certificate, judge, problem, refusal, tape
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.claims import CIRCLE_COUNTED, CROSS_HULLED, IDENTITY, LINE_HULLED, ROOTS, ROOTS_COUNTED, alone, single
from texts.rules import FAR, LINE, PRODUCTS, UNUSED, VALID, chain, proof, tree

import certify.checker
from certify.checker import Status, command, decision, isolated, polynomial, rows, rules, text
from certify.checker import certificate as certificates
from certify.checker import problem as problems
from certify.checker import scope as scopes
from certify.checker import tape as tapes
from certify.checker import tree as walker
from certify.checker.certificate import Witness
from certify.checker.interval import LIMIT_BITS, Arithmetic, Interval, Undefined
from certify.checker.isolated import overlapping
from certify.checker.nodes import Aggregate, Product, RowTerm, parse_term
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.polynomial import Algebra, Monomial, Polynomial
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rows import Corner, least_slack, narrow
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope
from certify.checker.tape import Program
from certify.checker.witness import check_witness

SPECIFICATION = (Path(certify.checker.__file__).parent / "SPECIFICATION.md").read_text()
TINY = Fraction(1, 1 << 130)


# Sums of weighted terms, exactly


ends = st.integers(-300, 300)
spans = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))
monomials = st.sampled_from([(), (0,), (1,), (0, 0), (0, 1), (1, 1)])
polynomials = st.dictionaries(monomials, spans, max_size=4)
weights = st.tuples(st.integers(1, 40), st.integers(0, 6)).map(lambda pair: Fraction(pair[0], 1 << pair[1]))


def of_two(precision: int = 8) -> Proof:
    parsed = parse_problem(PRODUCTS.encode())
    return Proof(parsed, (0, 1, 2), precision, Question(Fraction(1, 4)), Scope(parsed, (0, 1, 2), precision).box)


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(st.tuples(polynomials, weights), min_size=1, max_size=4))
def test_a_weighted_sum_is_exact(parts: list[tuple[Polynomial, Fraction]]) -> None:
    judge_leaf = of_two()
    terms = [RowTerm("q", 0, row, 1, weight) for row, (_, weight) in enumerate(parts)]
    for term, (found, _) in zip(terms, parts, strict=True):
        judge_leaf._terms[0, "q", 0, term.row, 1, ()] = found
    total, scale = judge_leaf._sum(judge_leaf.root, terms)
    assert set(total) == {monomial for found, _ in parts for monomial in found}
    for monomial, (low, high) in total.items():
        for place, value in enumerate((low, high)):
            assert Fraction(value, 1 << scale) == sum(
                weight * found[monomial][place] for found, weight in parts if monomial in found
            )


@settings(max_examples=300, deadline=None)
@given(total=polynomials, offsets=st.tuples(spans, spans))
def test_a_lower_bound_is_the_sum_of_the_least_products(total: Polynomial, offsets: Sequence[Interval]) -> None:
    judge_leaf = of_two()
    expected = 0
    for monomial, ends_of in total.items():
        known: dict[Monomial, Interval] = {(): (judge_leaf.scope.arithmetic.one,) * 2}
        expected += min(
            a * b for a, b in itertools.product(ends_of, judge_leaf._algebra.range(monomial, offsets, known))
        )
    assert judge_leaf._algebra.least(total, offsets) == expected


def test_a_bound_is_rounded_down_and_decides_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a unit is 0, which proves nothing; a unit does."""
    judge_leaf, row = of_two(), RowTerm("q", 0, 0, 1, Fraction(1))
    for value, bound in ((1, 0), (255, 0), (256, 1), (-1, -1), (-256, -1), (-257, -2)):
        monkeypatch.setattr(Algebra, "least", lambda *_, value=value: value)
        assert judge_leaf.aggregate_bound(judge_leaf.root, judge_leaf.root.box, [row]) == bound
        assert (refusal(judge_leaf, judge_leaf.root, judge_leaf.root.box, Aggregate((row,))) is None) == (bound > 0)


def test_offsets_reach_from_the_centre_to_both_ends() -> None:
    parsed = parse_problem(
        problem([("x", "1/3", 1), ("y", -5, "-1/7")], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"]).encode()
    )
    judge_leaf = Proof(parsed, (0,), 8, Question(Fraction(0)), Scope(parsed, (0,), 8).box)
    for (low, high), (lower, upper), centre, radius in zip(
        judge_leaf.root.offsets, judge_leaf.root.box, judge_leaf.root.centre, judge_leaf.root.radius, strict=True
    ):
        assert (centre, radius) == ((lower + upper) / 2, (upper - lower) / 2)
        assert (low, high) == (math.floor(-radius * 256), math.ceil(radius * 256))


def test_an_exact_measurement_stays_as_it_is_enclosed() -> None:
    """1/3 is no number of the grid: its enclosure has a width, but nothing to be moved."""
    parsed = parse_problem(
        problem([("x", 0, 1)], [("m", [("1/3", "1/3")])], [tape(2, "sub 0 1")], ["F 0 1 v0 c0"]).encode()
    )
    judge_leaf = Proof(parsed, (0,), 8, Question(Fraction(0)), Scope(parsed, (0,), 8).box)
    judge_leaf.polynomial(judge_leaf.root, RowTerm("q", 0, 0, 1, Fraction(1)))
    assert judge_leaf.corner(judge_leaf.root, 0, 0, 1).inputs[1] == (85, 86)


def test_a_proof_keeps_its_clock() -> None:
    parsed = parse_problem(PRODUCTS.encode())
    late = Proof(parsed, (0, 1, 2), 64, Question(Fraction(1, 4)), Scope(parsed, (0, 1, 2), 64).box, Clock(0))
    for term in (RowTerm("q", 0, 0, 1, Fraction(1)), Product(0, 1, 1, 1, Fraction(1))):
        with pytest.raises(ResourceLimit):
            late.polynomial(late.root, term)
    late._terms[0, "q", 0, 0, 1, ()] = {}
    with pytest.raises(ResourceLimit):
        late.polynomial(late.root, RowTerm("q", 0, 0, 1, Fraction(1)))


def test_256_cells_are_allowed() -> None:
    for cells in (1, 255, 256):
        assert (
            judge(LINE, certificate(LINE, lower="4/9", tree=[f"prepare {cells}", "aggregate q0.0+1 q0.1-1"])).status
            is Status.VERIFIED
        )


def test_a_product_whose_first_variable_alone_is_out_of_scope() -> None:
    outcome = judge(*tree(UNUSED, "aggregate q0.0+1 b0+1+1", lower=1))
    assert outcome.message.endswith("is not in the scope")


# Small caches


def test_what_is_remembered_is_small_and_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms of one monomial and of three; a full cache is dropped."""
    monkeypatch.setattr(rules, "CACHE", 3)
    for remembered in (3, 2):
        monkeypatch.setattr(rules, "REMEMBERED", remembered)
        judge_leaf = of_two()
        size = len(judge_leaf.polynomial(judge_leaf.root, RowTerm("q", 0, 0, 1, Fraction(1))))
        assert len(judge_leaf._terms) == (size <= remembered)
    judge_leaf = of_two()
    monkeypatch.setattr(rules, "REMEMBERED", 256)
    for form, side, kept in (("q", 1, 1), ("q", -1, 2), ("m", 1, 3), ("m", -1, 1), ("t", 1, 2)):
        term = RowTerm(form, 0, 0, side, Fraction(1))
        assert judge_leaf.polynomial(judge_leaf.root, term) is judge_leaf.polynomial(judge_leaf.root, term)
        assert len(judge_leaf._terms) == kept


def test_terms_of_each_preparation_are_remembered_apart() -> None:
    """A box that is prepared again, or another, has terms of its own, also if it is equal."""
    judge_leaf, term = of_two(), RowTerm("q", 0, 0, 1, Fraction(1))
    found = judge_leaf.polynomial(judge_leaf.root, term)
    again = [judge_leaf.prepare(judge_leaf.root, judge_leaf.root.box, 1) for _ in range(2)]
    assert [preparation.number for preparation in (judge_leaf.root, *again)] == [0, 1, 2]
    assert all(judge_leaf.polynomial(preparation, term) is not found for preparation in again)
    assert judge_leaf.polynomial(judge_leaf.root, term) is found
    assert len(judge_leaf._terms) == 3


@pytest.mark.parametrize(
    "lines",
    [
        "sqrt 0, sub 0 0, add 1 2, sqr 3",
        "sqr 0, sqr 1, sub 2 2, add 3 0",
        "sqrt 0, sub 1 1, add 2 0",
        "const 0, mul 1 0, sqrt 0, add 2 3, sqr 4",
    ],
)
def test_a_coefficient_that_is_exactly_0_is_none(lines: str) -> None:
    """x on [2, 3], and a root that is pure, or a degree that is low, only because terms are gone."""
    found = problem([("x", 2, 3)], [], [tape(1, *lines.split(", "))], ["F 0 1 v0"])
    outcome = judge(found, certificate(found, lower=1, tree=["aggregate q0.0+1"]))
    assert outcome.status is Status.VERIFIED, outcome.message


# Limits, as the specification names them


def test_limits_are_those_of_the_specification() -> None:
    numbers = {int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\d", SPECIFICATION)}
    limits: tuple[int, ...] = (
        text.LINE_CHARACTERS,
        text.EXPONENT,
        problems.LINES,
        certificates.HEADER,
        certificates.ZEROS,
        isolated.VARIABLES,
    )
    limits += (
        certificates.LEAST_PRECISION,
        certificates.GREATEST_PRECISION,
        rules.GREATEST_CELLS,
        walker.PENDING,
        polynomial.LARGEST_PRODUCT,
    )
    limits += (polynomial.COEFFICIENTS,)
    assert limits == (10**6, 4096, 10**6, 8 << 20, 10**5, 64, 64, 512, 256, 2 * 10**6, 250_000, 10**6)
    assert set(limits) <= numbers
    assert f"2^{LIMIT_BITS}" in SPECIFICATION
    assert text.FILE_BYTES == 64 << 20
    assert command.MEMORY == 4 << 30 and "4 GiB of memory" in SPECIFICATION
    assert (rules.CACHE, rules.REMEMBERED) == (4096, 256)
    assert (scopes.PROGRAMS, scopes.COMPILED_NODES, tapes.KEPT_NODES) == (256, 2 * 10**6, 2 * 10**5)


def test_pending_boxes_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four boxes of one variable: 4 (1 + 8)."""
    whole = certificate(FAR, lower="1/2", tree=chain(3))
    monkeypatch.setattr("certify.checker.tree.PENDING", 36)
    assert judge(FAR, whole).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.tree.PENDING", 35)
    assert judge(FAR, whole).message == "RESOURCE the depth of the tree"


# Witnesses and zeros, false by less than a unit


@pytest.mark.parametrize("precision", [64, 128])
@pytest.mark.parametrize("value", ["1/3", "-1/3"])
def test_a_witness_that_misses_by_less_than_a_unit_is_rejected(precision: int, value: str) -> None:
    """r = x; |x| is a little more than upper, both lie between the same two numbers of the grid."""
    text_of = problem([("x", -1, 1)], [], [tape(1, "const 0", "add 0 1")], ["F 0 1 v0"])
    upper = Fraction(1, 3)
    for x in (Fraction(value), Fraction(value) * (1 + TINY)):
        found = certificate(text_of, upper=upper, witness=[f"values {x}"], precision=precision)
        assert "row 0.0: witness: it may exceed" in judge(text_of, found).message
    exact = certificate(text_of, upper=upper + Fraction(1, 1 << 60), witness=[f"values {value}"], precision=precision)
    assert judge(text_of, exact).status is Status.VERIFIED


def test_one_entry_of_a_shared_column_may_not_have_two_values() -> None:
    two = problem([("x", 0, 1)], [("m", [(0, 1), (0, 1)])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0", "G 0 2 v0 c0"])
    for tokens in ("0.5:0.5 0.5", "0.5 0.5:0.5"):
        assert (
            "used more than once"
            in judge(*proof(two, "values 1/2", f"column m {tokens}", scope="F G", upper=1)).message
        )


OUT = "it may be out of the bounds of variable 0"


@pytest.mark.parametrize(
    ("lower", "upper"), [(0, 1 - TINY), (1 + TINY, 2), (1 - 2 * TINY, 1 - TINY), (1 + TINY, 1 + 2 * TINY)]
)
def test_a_zero_outside_by_less_than_a_unit_is_not_counted(lower: Fraction, upper: Fraction) -> None:
    """x = 1 exactly, and K = [1, 1]."""
    assert OUT in judge(*alone(single("const 1", "sub 0 1", lower=lower, upper=upper), "0 2", "1")).message


@pytest.mark.parametrize(
    ("box", "inverse"),
    [("5p-2 3p-1", "3p-2"), ("5p-2 3p-1", "5p-3"), ("-3p-1 -5p-2", "-3p-2"), ("-3p-1 -5p-2", "-5p-3")],
)
def test_an_operator_beyond_one_end_only_is_rejected(box: str, inverse: str) -> None:
    """Whatever the inverse: at 3/4 the upper or the lower end of K is outside, the other one inside."""
    assert "does not lie in the interior" in judge(*alone(ROOTS, box, inverse)).message


@pytest.mark.parametrize(
    ("ends_of", "accepted"), [("0 2", True), ("0 1", False), ("1 2", False), ("-1 1", False), ("1 3", False)]
)
def test_the_interior_is_open(ends_of: str, accepted: bool) -> None:
    assert ("interior" not in judge(*alone(IDENTITY, ends_of, "1")).message) == accepted


def test_an_interior_finer_than_the_grid() -> None:
    """K = [1, 1] lies in the interior of a box that is thinner than a unit, because K is exact; not in one that it
    touches.
    """
    assert "interior" not in judge(*alone(IDENTITY, f"{(1 << 130) - 1}p-130 {(1 << 130) + 1}p-130", "1")).message
    assert "interior" in judge(*alone(IDENTITY, f"1 {(1 << 128) + 2}p-128", "1")).message
    assert "interior" in judge(*alone(IDENTITY, f"{(1 << 128) - 2}p-128 1", "1")).message


def test_a_long_box_reaches_over_a_short_one() -> None:
    """[0, 10] meets [5, 6], although [1, 2] lies between their lower ends; in one variable and in the second of two."""
    chain_of: list[tuple[Interval, ...]] = [((0, 10),), ((1, 2),), ((5, 6),)]
    assert overlapping(chain_of[::2], Clock()) == (0, 1)
    assert overlapping([((0, 10), (0, 0)), ((1, 2), (5, 5)), ((5, 6), (0, 0))], Clock()) == (0, 2)
    assert overlapping([((0, 0), (0, 10)), ((0, 0), (11, 12)), ((0, 0), (1, 1)), ((0, 0), (12, 13))], Clock()) in (
        (0, 2),
        (1, 3),
    )
    assert overlapping([((0, 1),), ((2, 3),)], Clock()) is None
    assert overlapping([((0, 2),), ((2, 3),)], Clock()) == (0, 1)


def test_random_boxes_meet_as_they_should() -> None:
    rng = random.Random(1)
    for _ in range(300):
        boxes = [
            tuple((low, low + rng.choice((0, 1, 3, 20))) for low in (rng.randint(0, 30), rng.randint(0, 30)))
            for _ in range(rng.randint(1, 9))
        ]
        meeting = {
            (i, j)
            for i, j in itertools.combinations(range(len(boxes)), 2)
            if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(boxes[i], boxes[j], strict=True))
        }
        found = overlapping(boxes, Clock())
        assert found in meeting if meeting else found is None


# Scopes


def wide() -> CanonicalProblem:
    """Nine unknowns, two columns, nine families of one row x_i - m - n; numbers that a set does not sort."""
    families = [f"F{i} 0 1 v{i} c1 c0" for i in range(9)]
    return parse_problem(
        problem(
            [(f"x{i}", 0, 1) for i in range(9)],
            [("m", [(0, 0)]), ("n", [(0, 0)])],
            [tape(3, "sub 0 1", "sub 3 2")],
            families,
        ).encode()
    )


def test_a_scope_says_which_rows_it_has() -> None:
    scope = Scope(parse_problem(LINE.encode()), (0,), 64)
    for row in (0, 1):
        scope.check_row("evaluate", 0, row)
    for family, row in ((0, -2), (0, -1), (0, 2), (1, 0)):
        with pytest.raises(Rejection, match=rf"evaluate: there is no row {family}\.{row} in the scope"):
            scope.check_row("evaluate", family, row)


def test_a_sum_of_squares_ends_by_the_deadline() -> None:
    scope = Scope(wide(), (1, 8), 64)
    with pytest.raises(ResourceLimit):
        scope.sum_of_squares(scope.outward(scope.box), Clock(0))


def test_a_scope_is_in_the_order_of_the_problem() -> None:
    scope = Scope(wide(), (1, 8), 64)
    assert scope.variables == (1, 8)
    assert scope.positions == {1: 0, 8: 1}
    assert scope.columns == (0, 1)
    assert scope.uses == {0: 2, 1: 2}
    assert list(scope.rows()) == [(1, 0), (8, 0)]
    with pytest.raises(Rejection, match="it may exceed upper") as failure:
        check_witness(
            scope,
            Witness((Fraction(1), Fraction(1)), (("m", ((Fraction(0), None),)), ("n", ((Fraction(0), None),)))),
            scope.box,
            Fraction(0),
            False,
            Clock(),
        )
    assert failure.value.where == "row 1.0"


@pytest.mark.parametrize(
    ("programs", "nodes", "kept"),
    [(2, 10**6, 2), (1, 10**6, 1), (9, 5, 1), (9, 9, 1), (9, 10, 2), (9, 15, 3), (9, 0, 1)],
)
def test_few_programs_are_kept(programs: int, nodes: int, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has five nodes: so many are kept, and so many nodes; always one."""
    monkeypatch.setattr("certify.checker.scope.PROGRAMS", programs)
    monkeypatch.setattr("certify.checker.scope.COMPILED_NODES", nodes)
    scope = Scope(wide(), tuple(range(9)), 64)
    first = scope.program(0)
    assert scope.program(0) is first
    for family in range(1, 9):
        assert scope.program(family).family is scope.problem.families[family]
    assert scope.program.cache_info().currsize == kept


def test_the_longest_tape_says_how_many_programs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scopes, "COMPILED_NODES", 8)
    tapes_of = [tape(1, "neg 0"), tape(1, "neg 0", "neg 1", "neg 2")]
    parsed = parse_problem(problem([("x", 0, 1)], [], tapes_of, ["F 0 1 v0", "G 1 1 v0"]).encode())
    assert [Scope(parsed, families, 64).program.cache_parameters()["maxsize"] for families in ((0,), (1,), (0, 1))] == [
        4,
        2,
        2,
    ]


def test_few_edges_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of as many inputs as three nodes go into ten."""
    monkeypatch.setattr(tapes, "KEPT_NODES", 10)
    program, _, _ = lemma("neg 0, add 0 1", (0, 1))
    assert program._edges.cache_parameters()["maxsize"] == 3


# The measurement lemma, to the unit


def lemma(
    lines: str, x: tuple[object, object], *measured: tuple[object, object]
) -> tuple[Program, list[Interval], tuple[int, ...]]:
    """A row of x and measurements at 8 bits: its program, its inputs, what may move."""
    columns = [(f"m{i}", [bounds]) for i, bounds in enumerate(measured)]
    bindings = " ".join(["v0", *(f"c{i}" for i in range(len(measured)))])
    parsed = parse_problem(
        problem([("x", *x)], columns, [tape(1 + len(measured), *lines.split(", "))], [f"F 0 1 {bindings}"]).encode()
    )
    scope = Scope(parsed, (0,), 8)
    program = scope.program(0)
    return program, scope.inputs(program, 0, scope.outward(scope.box)), program.movable


@pytest.mark.parametrize(("side", "end"), [(1, 256), (-1, 0)])
def test_a_fixed_measurement_decides_about_the_next(side: int, end: int) -> None:
    """r = x m + n (m - 1/2): dr/dm = x + n is in [-2, 0], dr/dn is 1/2 or -1/2 as soon as m is at its end."""
    program, inputs, movable = lemma("mul 0 1, const 1/2, sub 1 4, mul 2 5, add 3 6", (-2, -1), (0, 1), (0, 1))
    assert narrow(program, inputs, movable, side, 1, Clock()) == Corner((inputs[0], (end, end), (0, 0)), 0)


@pytest.mark.parametrize("cells", [1, 2, 4])
def test_a_slope_that_reaches_one_unit_beyond_zero_has_a_slack(cells: int) -> None:
    """r = x m with x in [-1, 1/256], m in [0, 1]."""
    program, inputs, movable = lemma("mul 0 1", (-1, Fraction(1, 256)), (0, 1))
    assert narrow(program, inputs, movable, 1, cells, Clock()) == Corner((inputs[0], (256, 256)), 1)
    assert narrow(program, inputs, movable, -1, cells, Clock()) == Corner((inputs[0], (0, 0)), 1)


@pytest.mark.parametrize(("loss", "slack"), [(0, 0), (1, 1), (255, 1), (256, 1), (257, 2), (512, 2)])
def test_a_slack_is_rounded_up(loss: int, slack: int, monkeypatch: pytest.MonkeyPatch) -> None:
    program, inputs, movable = lemma("sqr 1, add 0 2", (0, 1), (-1, 1))
    monkeypatch.setattr(rows, "least_slack", lambda cuts, _: (cuts[0], loss))
    assert narrow(program, inputs, movable, 1, 1, Clock()) == Corner((inputs[0], (-256, -256)), slack)


def test_an_undefined_derivative_leaves_measurements_whole_without_a_slack() -> None:
    program, inputs, movable = lemma("sqrt 1, add 0 2", (0, 1), (0, 1))
    for side in (1, -1):
        assert narrow(program, inputs, movable, side, 1, Clock()) == Corner(tuple(inputs), 0)


def test_a_slack_counts_what_follows_a_rise_or_precedes_a_fall() -> None:
    assert least_slack([0, 1, 2], [(-5, 9), (3, 9)]) == (0, 5)
    assert least_slack([0, 1, 2], [(-9, -3), (-9, 5)]) == (2, 5)
    assert least_slack([0, 1, 2, 3], [(-2, -2), (-1, 1), (2, 2)]) == (1, 1)
    assert least_slack([0, 2, 5], [(-1, 1), (-1, 1)]) == (2, 3)


def test_the_lemma_ends_by_the_deadline() -> None:
    program, inputs, movable = lemma("add 0 1", (0, 1), (0, 1))
    with pytest.raises(ResourceLimit):
        narrow(program, inputs, movable, 1, 1, Clock(0))
    with pytest.raises(ResourceLimit):
        rows._shift(program, inputs, {1: (-1, 1)}, 1, 2, Clock(0))


def test_a_bound_on_the_box_is_rounded_down() -> None:
    """Of d times a unit, at 8 bits."""
    program, _, _ = lemma("neg 0", (0, 1))
    for value, bound in ((0, 0), (1, 0), (255, 0), (256, 1), (-1, -1), (-256, -1), (-257, -2)):
        row = rows.Row(Algebra(Arithmetic(8), Clock()), program, Corner((), 0), 1, {}, {}, ((value, value),))
        assert row._least({(0,): (1, 1)}) == bound


@pytest.mark.parametrize(
    ("length", "proved"),
    [("1", True), ("257/256", True), ("255/256", False), ("254/256", False), ("2", True), ("0", False)],
)
def test_w_is_proved_from_zero_on(length: str, proved: bool) -> None:
    """r = sqrt(x^2) - L, side minus: w = L - e, e = 1, at 8 bits."""
    text_of = problem(
        [("x", 0, 1)], [], [tape(1, "sqr 0", "sqrt 1", f"const {Fraction(length)}", "sub 2 3")], ["F 0 1 v0"]
    )
    parsed = parse_problem(text_of.encode())
    judge_leaf = Proof(parsed, (0,), 8, Question(Fraction(1)), Scope(parsed, (0,), 8).box)
    term = RowTerm("q", 0, 0, -1, Fraction(1))
    if proved:
        assert set(judge_leaf.polynomial(judge_leaf.root, term)) >= {(), (0, 0)}
    else:
        with pytest.raises(Rejection, match="w >= 0"):
            judge_leaf.polynomial(judge_leaf.root, term)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(10**40 - 1, 10**41), "0.0" + "9" * 40),
        (Fraction(10**41 - 1, 10**41), f"{'9' * 41}/1{'0' * 41}"),
        (Fraction(10**60), "1" + "0" * 60),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(12), "12"),
        (Fraction(-3, 2), "-1.5"),
        (Fraction(1, 3), "1/3"),
        (Fraction(0), "0"),
    ],
)
def test_words_say_decimals_of_forty_digits(value: Fraction, written: str) -> None:
    assert decision._decimal(value) == written


# Files, to the line


def test_nodes_and_zeros_are_counted_from_zero() -> None:
    for lines, reason in (
        (["aggregate q0.0+1 q0.1-1", "open"], "node 0 (line 16): text: 'end' was expected, not 'open'"),
        (["split 0 0", "evaluate 0 0"], "node 1 (line 16): evaluate: the row may reach [-level, level]"),
        (["split 0 0"], "node 1 (line 16): tree: a child is missing"),
    ):
        assert judge(*tree(LINE, *lines)).message == f"REJECTED {reason}"


@pytest.mark.parametrize("more", ["end\n", "\n", " \n", "tree\n", "x\n"])
def test_nothing_follows_a_certificate_without_a_tree(more: str) -> None:
    problem_text, whole = proof(LINE, "values 11/20", "column m 1 0")
    assert judge(problem_text, whole).status is Status.VERIFIED
    assert "something follows after 'end'" in judge(problem_text, whole + more).message


def test_terms_are_read_as_they_are_written() -> None:
    assert parse_term("m3.4-5") == RowTerm("m", 3, 4, -1, Fraction(5))
    assert parse_term("q0.17+1234p-20") == RowTerm("q", 0, 17, 1, Fraction(1234, 1 << 20))
    assert parse_term("b3+5-77p-9") == Product(3, 1, 5, -1, Fraction(77, 512))
    assert parse_term("b0-1+7p2") == Product(0, -1, 1, 1, Fraction(28))


@pytest.mark.parametrize("base", [CROSS_HULLED, LINE_HULLED, (LINE, VALID["witness"]), ROOTS_COUNTED, CIRCLE_COUNTED])
def test_bytes_before_the_tree_are_counted_exactly(base: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(base[1].partition("tree\n")[0])
    monkeypatch.setattr("certify.checker.certificate.HEADER", before)
    assert judge(*base).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.certificate.HEADER", before - 1)
    assert judge(*base).message == f"RESOURCE {before - 1} bytes before the tree"


def test_one_byte_more_than_allowed_is_read(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(bytes(range(20)))
    assert command._read(str(tmp_path / "long"), 10) == bytes(range(11))


# All small intervals


REACH = 6
SMALL = [(low, high) for low in range(-REACH, REACH + 1) for high in range(low, REACH + 1)]
EXACT: dict[str, Callable[[int, int], Fraction]] = {
    "add": lambda x, y: Fraction(x + y),
    "sub": lambda x, y: Fraction(x - y),
    "mul": lambda x, y: Fraction(x * y, 4),
    "div": lambda x, y: Fraction(4 * x, y),
}


@pytest.mark.parametrize("name", EXACT)
def test_every_operation_on_all_small_intervals_is_the_rounded_hull(name: str) -> None:
    """At two bits: the exact ends, rounded outwards, of 8,281 pairs."""
    operation = getattr(Arithmetic(2), name)
    for a, b in itertools.product(SMALL, SMALL):
        if name == "div" and b[0] <= 0 <= b[1]:
            with pytest.raises(Undefined):
                operation(a, b)
            continue
        values = [EXACT[name](x, y) for x in a for y in b]
        assert operation(a, b) == (math.floor(min(values)), math.ceil(max(values))), (a, b)


def test_squares_and_roots_of_all_small_intervals() -> None:
    arithmetic = Arithmetic(2)
    for a in SMALL:
        squares = [Fraction(x * x, 4) for x in a] + ([Fraction(0)] if a[0] <= 0 <= a[1] else [])
        assert arithmetic.sqr(a) == (math.floor(min(squares)), math.ceil(max(squares)))
        assert arithmetic.neg(a) == (-a[1], -a[0])
        if a[0] < 0:
            with pytest.raises(Undefined):
                arithmetic.sqrt(a)
        else:
            low, high = arithmetic.sqrt(a)
            assert low == max(k for k in range(20) if k * k <= 4 * a[0])
            assert high == min(k for k in range(20) if k * k >= 4 * a[1])


@pytest.mark.parametrize("precision", [1, 8, 64])
def test_the_limit_is_exact_at_both_ends(precision: int) -> None:
    arithmetic = Arithmetic(precision)
    limit, one = arithmetic.limit, (arithmetic.one, arithmetic.one)
    assert limit == 1 << (precision + LIMIT_BITS)
    for ends_of in ((1 - limit, 0), (0, limit - 1), (1 - limit, limit - 1)):
        assert arithmetic.fit(*ends_of) == ends_of
        assert arithmetic.mul(ends_of, one) == arithmetic.mul(one, ends_of) == ends_of
    for ends_of in (
        (-limit, 0),
        (0, limit),
        (-limit, limit),
        (-limit, -limit),
        (limit, limit),
        (-limit - 1, 1 - limit),
        (limit - 1, limit + 1),
    ):
        with pytest.raises(Undefined, match="too large"):
            arithmetic.fit(*ends_of)
        for pair in ((ends_of, one), (one, ends_of)):
            with pytest.raises(Undefined, match="too large"):
                arithmetic.mul(*pair)
