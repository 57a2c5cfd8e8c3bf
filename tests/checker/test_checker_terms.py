"""Row terms, the measurement lemma and whole leaves: a planted solution is never refuted, at 8 to 12 bits, without
tolerance.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import ProblemWriter, TapeWriter, gough_problem, refusal
from checker_texts import problem as problem_text
from checker_texts import tape as tape_text
from exact_rows import (
    FINE,
    SMOOTH,
    Singular,
    check_form,
    exact,
    random_problem,
    random_tape,
    rooted_tape,
    shrink,
    span_at,
    weight,
    within,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.interval import Arithmetic, Undefined
from certify.checker.nodes import Aggregate, Evaluate, Product, RowTerm
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.polynomial import Algebra, Polynomial, RootForm, degree
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rows import least_slack, narrow
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope

seeds = st.integers(0, 10**9)


@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=250, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12, 20)), cells=st.sampled_from((1, 1, 2, 3, 8)))
def test_the_measurement_lemma_holds(side: int, seed: int, precision: int, cells: int) -> None:
    """For x in B and M in the row's box: s r(x, h) <= s r(x, M) + slack, h = M in the inputs that stayed wide."""
    rng = random.Random(seed)
    tape = random_tape(rng, 4, SMOOTH, rng.randint(1, 6))
    problem = parse_problem(random_problem(rng, tape, 2).text().encode())
    scope = Scope(problem, (0,), precision)
    program = scope.program(0)
    inputs = scope.inputs(program, 0, scope.outward(scope.box))
    corner = narrow(program, inputs, [i for i in program.movable if inputs[i][0] < inputs[i][1]], side, cells, Clock())
    assert corner.slack >= 0
    for _ in range(6):
        x = [within(rng, bounds) for bounds in scope.box]
        m = [within(rng, column.entries[0]) for column in problem.columns]
        spans = corner.inputs[2:]
        h = [Fraction(a, 1 << precision) if a == b else value for (a, b), value in zip(spans, m, strict=True)]
        assert all(
            Fraction(a, 1 << precision) <= value <= Fraction(b, 1 << precision)
            for (a, b), value in zip(spans, h, strict=True)
        )
        try:
            before, after = exact(problem, 0, [*x, *m]), exact(problem, 0, [*x, *h])
        except Singular:
            continue
        assert side * after <= side * before + Fraction(corner.slack, 1 << precision)


@settings(max_examples=300, deadline=None)
@given(
    cells=st.lists(st.tuples(st.integers(0, 9), st.integers(-9, 9), st.integers(0, 5)), min_size=1, max_size=6),
    seed=seeds,
)
def test_least_slack_bounds_every_path(cells: list[tuple[int, int, int]], seed: int) -> None:
    """A function with slopes drawn from the cells never falls below its value at the cut by more than the slack."""
    rng = random.Random(seed)
    cuts = [0]
    for width, _, _ in cells:
        cuts.append(cuts[-1] + width)
    slopes = [(low, low + more) for _, low, more in cells]
    cut, slack = least_slack(cuts, slopes)
    assert cut in cuts
    for _ in range(8):
        heights, place = {0: 0}, 0
        for (start, stop), slope in zip(itertools.pairwise(cuts), slopes, strict=True):
            for place in range(start, stop):
                heights[place + 1] = heights[place] + rng.choice((slope[0], slope[1], rng.randint(*slope)))
        assert all(heights[cut] <= height + slack for height in heights.values())


def test_measurements_stay_whole_where_a_cell_cannot_be_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = TapeWriter(2)
    tape.put("add", 0, tape.put("sqr", 1))
    writer = ProblemWriter([("x", 0, 1)], [("m", [(-1, 1)])], [("t", tape)], ["F 0 1 v0 c0"])
    scope = Scope(parse_problem(writer.text().encode()), (0,), 64)
    program = scope.program(0)
    inputs = scope.inputs(program, 0, scope.outward(scope.box))
    assert narrow(program, inputs, (1,), 1, 2, Clock()).inputs[1] == (0, 0)

    evaluated, values = [], program.values

    def fail(_: object, box: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The whole can be enclosed, a cell cannot."""
        evaluated.append(box)
        if len(evaluated) > 1:
            raise Undefined("a cell")
        return values(box)

    monkeypatch.setattr("certify.checker.tape.Program.values", fail)
    corner = narrow(program, inputs, (1,), 1, 2, Clock())
    assert corner.inputs == tuple(inputs) and corner.slack == 0


def test_least_slack_is_the_least() -> None:
    assert least_slack([-1, 0, 1], [(-2, 0), (0, 2)]) == (0, 0)
    assert least_slack([0, 10], [(-1, 3)]) == (0, 10)
    assert least_slack([0, 10], [(-3, 1)]) == (10, 10)
    assert least_slack([0, 1, 2], [(-5, -5), (3, 4)]) == (1, 0)


@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=250, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_the_mean_value_form_contains_the_row(side: int, seed: int, precision: int) -> None:
    """s r(x, h) - e is a selection of the m term at d = x - c, for every h in H."""
    rng = random.Random(seed)
    problem = parse_problem(random_problem(rng, random_tape(rng, 4, SMOOTH, rng.randint(1, 6)), 2).text().encode())
    proof = Proof(problem, (0,), precision, Question(Fraction(1, 3)), Scope(problem, (0,), precision).box)
    check_form(proof, rng, "m", side, lambda r, e: side * r - e)


POLYNOMIAL = ("add", "sub", "mul", "neg", "sqr", "const")


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("sigma", [1, -1])
@settings(max_examples=120, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_the_root_form_contains_the_square_difference(side: int, sigma: int, seed: int, precision: int) -> None:
    """With t sqrt(D) + u <= e: D - (e - u)^2 for t = +1 and w^2 - D, w = u - e, for t = -1."""
    rng = random.Random(seed)
    tape, radicand, rest = rooted_tape(rng, sigma)
    problem = parse_problem(random_problem(rng, tape, 2).text().encode())
    factor = problem.tapes[0].operations[-2].value
    if problem.tapes[0].operations[-1].code == "div":
        factor = 1 / factor
    proof = Proof(problem, (0,), precision, Question(Fraction(1, 3)), Scope(problem, (0,), precision).box)
    try:
        polynomial = proof.polynomial(proof.root, RowTerm("q", 0, 0, side, Fraction(1)))
    except Rejection as unproved:
        assert "w >= 0" in str(unproved)
        return
    corner = proof.corner(proof.root, 0, 0, side)
    e = Fraction(proof.scope.arithmetic.ceiling(Fraction(1, 3)) + corner.slack, 1 << precision)
    t = sigma * side * (1 if factor > 0 else -1)
    for _ in range(4):
        x = [within(rng, bounds) for bounds in proof.root.box]
        h = [within(rng, (Fraction(a, 1 << precision), Fraction(b, 1 << precision))) for a, b in corner.inputs[2:]]
        nodes = [exact_node(problem, [*x, *h], node) for node in (radicand, rest)]
        squared, u = nodes[0] * factor**2, side * factor * nodes[1]
        low, high = span_at(polynomial, [a - b for a, b in zip(x, proof.root.centre, strict=True)], precision)
        assert low <= t * (squared - (e - u) ** 2) <= high
        assert t > 0 or u - e >= 0


def exact_node(problem: CanonicalProblem, inputs: Sequence[Fraction], node: int) -> Fraction:
    tape = problem.tapes[0]
    shorter = type(tape)(tape.name, tape.inputs, tape.operations[: node - tape.inputs + 1])
    return exact(type(problem)(problem.variables, problem.columns, (shorter,), problem.families), 0, inputs)


@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=200, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_the_polynomial_form_contains_the_row(side: int, seed: int, precision: int) -> None:
    rng = random.Random(seed)
    problem = parse_problem(random_problem(rng, random_tape(rng, 4, POLYNOMIAL, rng.randint(1, 6)), 2).text().encode())
    proof = Proof(problem, (0,), precision, Question(Fraction(1, 3)), Scope(problem, (0,), precision).box)
    check_form(proof, rng, "q", side, lambda r, e: side * r - e)


PLANTED = ("add", "sub", "mul", "neg", "sqr", "sqrt", "const", "div")


@settings(max_examples=400, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_a_planted_solution_is_never_refuted(seed: int, precision: int) -> None:
    """lower is the largest |r| at a planted (x, M): no leaf on any box around x may be proved, nor any split lose x."""
    rng = random.Random(seed)
    rooted = rng.random() < 0.5
    tape = rooted_tape(rng, rng.choice((1, -1)))[0] if rooted else random_tape(rng, 4, PLANTED, rng.randint(1, 6))
    problem = parse_problem(random_problem(rng, tape, 2, rows=3).text().encode())
    x = [within(rng, variable.bounds) for variable in problem.variables]
    m = [[within(rng, column.entries[k]) for column in problem.columns] for k in range(3)]
    try:
        rows = [abs(exact(problem, 0, [*x, *m[k]])) for k in range(3)]
    except Singular:
        return
    lower = max(rows) + (
        Fraction(1, 1 << (FINE - 40)) if any(o.code == "sqrt" for o in problem.tapes[0].operations) else 0
    )
    proof = Proof(problem, (0,), precision, Question(lower), Scope(problem, (0,), precision).box)
    box, preparation = proof.root.box, proof.root
    for _ in range(4):
        assert all(refusal(proof, preparation, box, Evaluate(0, row)) is not None for row in range(3))
        assert refusal(proof, preparation, box, Aggregate(tuple(random_terms(rng, 3)))) is not None
        box = shrink(rng, box, x)
        if rng.random() < 0.5:
            preparation = proof.prepare(preparation, box, rng.choice((1, 2, 5)))


def random_terms(rng: random.Random, rows: int) -> list[RowTerm | Product]:
    keys = {(rng.choice("qm"), rng.randrange(rows), rng.choice((1, -1))) for _ in range(rng.randint(1, 4))}
    terms: list[RowTerm | Product] = [RowTerm(form, 0, row, side, weight(rng)) for form, row, side in keys]
    products = {
        rng.choice(((0, 1, 0, 1), (0, 1, 0, -1), (0, -1, 1, 1), (0, 1, 1, 1), (1, -1, 1, -1)))
        for _ in range(rng.randint(0, 2))
    }
    return terms + [Product(*key, weight(rng)) for key in products]


@settings(max_examples=60, deadline=None)
@given(seed=seeds, precision=st.sampled_from((10, 12)))
def test_products_are_never_positive_on_the_box(seed: int, precision: int) -> None:
    rng = random.Random(seed)
    problem = parse_problem(random_problem(rng, random_tape(rng, 2, POLYNOMIAL, 2), 2).text().encode())
    if not problem.families[0].bindings:
        return
    scope = Scope(problem, (0,), precision)
    proof = Proof(problem, (0,), precision, Question(Fraction(1)), scope.box)
    for key in ((0, 1, 0, 1), (0, 1, 0, -1), (0, -1, 1, 1), (0, 1, 1, 1), (1, -1, 1, -1)):
        polynomial = proof.polynomial(proof.root, Product(*key, Fraction(1)))
        i, s, j, t = key
        for _ in range(5):
            d = [within(rng, bounds) - middle for bounds, middle in zip(scope.box, proof.root.centre, strict=True)]
            truth = -(proof.root.radius[i] - s * d[i]) * (proof.root.radius[j] - t * d[j])
            low, high = span_at(polynomial, d, precision)
            assert truth <= 0 and low <= truth <= high


@settings(max_examples=150, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)))
def test_gradients_contain_difference_quotients(seed: int, precision: int) -> None:
    """Mean value theorem: (r(x + h e_i) - r(x)) / h lies in the enclosure over a box that holds both points."""
    rng = random.Random(seed)
    tape = random_tape(rng, 3, (*SMOOTH, "sqrt"), rng.randint(1, 6))
    problem = parse_problem(random_problem(rng, tape, 3).text().encode())
    scope = Scope(problem, (0,), precision)
    program = scope.program(0)
    try:
        slopes = program.gradient(program.values(scope.outward(scope.box)), (0, 1, 2))
    except Undefined:
        return
    for i, (low, high) in enumerate(slopes):
        x = [within(rng, bounds) for bounds in scope.box]
        y = [*x[:i], within(rng, scope.box[i]), *x[i + 1 :]]
        if x != y:
            quotient = (exact(problem, 0, y) - exact(problem, 0, x)) / (y[i] - x[i])
            tiny = Fraction(1, 1 << 200)
            assert Fraction(low, 1 << precision) - tiny <= quotient <= Fraction(high, 1 << precision) + tiny


def test_sine_derivatives_by_a_known_case() -> None:
    """d/dx (sin x cos x) = cos 2x."""
    tape = TapeWriter(1)
    tape.put("mul", tape.put("sin", 0), tape.put("cos", 0))
    writer = ProblemWriter([("x", "1/3", "2/5")], [], [("t", tape)], ["F 0 1 v0"])
    scope = Scope(parse_problem(writer.text().encode()), (0,), 64)
    program = scope.program(0)
    ((low, high),) = program.gradient(program.values(scope.outward(scope.box)), (0,))
    assert low <= 0.7859 * 2**64 and high >= 0.6967 * 2**64 and high - low < 0.4 * 2**64


def test_terms_of_a_platform_are_tight() -> None:
    """On a small box the m term's bound is that of natural evaluation or better, and the q term's coefficients are
    thin.
    """
    problem = parse_problem(gough_problem(4, Fraction(1, 1000)).text().encode())
    scope = Scope(problem, (0,), 128)
    proof = Proof(problem, (0,), 128, Question(Fraction(1, 10)), scope.box)
    for row in range(4):
        spans = scope.inputs(scope.program(0), row, scope.outward(scope.box))
        low, high = scope.program(0).values(spans)[-1]
        side = 1 if low + high > 0 else -1
        term = RowTerm("m", 0, row, side, Fraction(1))
        assert (
            proof.aggregate_bound(proof.root, scope.box, [term])
            >= min(abs(low), abs(high)) - scope.arithmetic.one // 10
        )
        thin = proof.polynomial(proof.root, RowTerm("q", 0, row, side, Fraction(1)))
        assert all(b - a < 1 << 60 for a, b in thin.values())


def test_mean_value_sums_a_variable_that_is_bound_twice() -> None:
    tape = TapeWriter(2)
    tape.put("mul", 0, 1)
    writer = ProblemWriter([("x", 1, 3)], [], [("t", tape)], ["F 0 1 v0 v0"])
    problem = parse_problem(writer.text().encode())
    proof = Proof(problem, (0,), 64, Question(Fraction(0)), ((Fraction(1), Fraction(3)),))
    one = 1 << 64
    assert proof.polynomial(proof.root, RowTerm("m", 0, 0, 1, Fraction(1))) == {
        (): (4 * one, 4 * one),
        (0,): (2 * one, 6 * one),
    }
    q = proof.polynomial(proof.root, RowTerm("q", 0, 0, 1, Fraction(1)))
    assert q == {(): (4 * one, 4 * one), (0,): (4 * one, 4 * one), (0, 0): (one, one)}


def test_small_cases_of_polynomials() -> None:
    arithmetic = Arithmetic(8)
    algebra, one = Algebra(arithmetic, Clock()), (256, 256)
    assert degree({}) == 0
    assert degree({(): one}) == 0
    assert degree({(0,): one, (0, 1): one}) == 2
    assert algebra.scale({(0,): one}, (0, 0)) == {}
    assert algebra.scale({(0,): one}, (0, 256)) == {(0,): (0, 256)}
    assert algebra.multiply({}, {(0, 0, 0, 0): one}) == {}


def test_products_are_counted_exactly_and_end_by_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    two: Polynomial = {(): (1, 1), (0,): (1, 1)}
    for limit, allowed in ((4, True), (3, False)):
        monkeypatch.setattr("certify.checker.polynomial.LARGEST_PRODUCT", limit)
        algebra = Algebra(Arithmetic(8), Clock())
        for attempt in (
            lambda algebra=algebra: algebra.multiply(two, two),
            lambda algebra=algebra: algebra.square(two),
        ):
            if allowed:
                attempt()
            else:
                with pytest.raises(ResourceLimit):
                    attempt()
    late = Algebra(Arithmetic(8), Clock(0))
    for attempt in (lambda: late.multiply({}, {}), lambda: late.square({})):
        with pytest.raises(ResourceLimit):
            attempt()


def test_a_form_of_a_root_ends_by_the_deadline() -> None:
    form, _ = form_of(Clock(0))
    with pytest.raises(ResourceLimit):
        form.value()


def test_monomial_ranges() -> None:
    arithmetic = Scope(parse_problem(gough_problem(1).text().encode()), (0,), 8).arithmetic
    algebra, one = Algebra(arithmetic, Clock()), 256
    offsets = [(-one, 2 * one), (-one, one)]
    known: dict[tuple[int, ...], tuple[int, int]] = {(): (one, one)}
    assert algebra.range((0, 0), offsets, known) == (0, 4 * one)
    assert algebra.range((0, 0, 1, 1), offsets, known) == (0, 4 * one)
    assert algebra.range((0, 0, 0, 0), offsets, known) == (0, 16 * one)
    assert algebra.range((0, 1), offsets, known) == (-2 * one, 2 * one)
    assert algebra.range((0, 0, 1), offsets, known) == (-4 * one, 4 * one)
    assert algebra.range((), offsets, known) == (one, one)
    offsets.append((3 * one, 4 * one))
    assert algebra.range((0, 0, 1, 2), offsets, known) == (-16 * one, 16 * one)


# Unit cases that a random test meets too seldom.


@pytest.mark.parametrize(("slope", "ends"), [(-1, (100, 0)), (1, (0, 100)), (0, (0, 0)), (-300, (100, 0))])
def test_a_slope_of_one_unit_decides_the_corner(slope: int, ends: tuple[int, int]) -> None:
    """r = x + m slope / 256 at 8 bits: side + goes where r is least, side - where it is greatest; a slope of 0 to the
    lower end.
    """
    tape = TapeWriter(2)
    tape.put("add", 0, tape.put("mul", 1, tape.put("const", Fraction(slope, 256))))
    problem = parse_problem(
        ProblemWriter([("x", 0, 1)], [("m", [(0, 100)])], [("t", tape)], ["F 0 1 v0 c0"]).text().encode()
    )
    scope = Scope(problem, (0,), 8)
    inputs = scope.inputs(scope.program(0), 0, scope.outward(scope.box))
    for side, end in zip((1, -1), ends, strict=True):
        corner = narrow(scope.program(0), inputs, [1], side, 1, Clock())
        assert corner.inputs[1] == (end << 8, end << 8)
        assert corner.slack == 0


def form_of(clock: Clock, lines: str = "neg 0") -> tuple[RootForm, Algebra]:
    """The form of a tape of x, in [0, 1], at 8 bits: x = d."""
    text = problem_text([("x", 0, 1)], [], [tape_text(1, *lines.split(", "))], ["F 0 1 v0"])
    scope = Scope(parse_problem(text.encode()), (0,), 8)
    algebra = Algebra(scope.arithmetic, clock)
    return RootForm(algebra, scope.program(0), [(0, 256)], {0: {(0,): (256, 256)}}), algebra


def test_values_of_roots() -> None:
    """sigma, D and v of small tapes, by hand."""
    x, five = {(0,): (256, 256)}, {(): (1280, 1280)}
    minus_x, minus_five = {(0,): (-256, -256)}, {(): (-1280, -1280)}
    for lines, expected in {
        "sqrt 0, const 5, add 1 2": (1, x, five),
        "sqrt 0, const 5, add 2 1": (1, x, five),
        "sqrt 0, const 5, sub 1 2": (1, x, minus_five),
        "sqrt 0, const 5, sub 2 1": (-1, x, five),
        "sqrt 0, neg 1, const 5, sub 3 2": (1, x, five),
        "sqrt 0, neg 1, sub 2 0": (-1, x, minus_x),
        "sqrt 0, sqr 1": (0, {}, x),
        "sqrt 0, neg 1, sqr 2": (0, {}, x),
        "sqrt 0, sqr 1, sqrt 2": (1, x, {}),
        "sqrt 0, const 2, mul 1 2": (1, {(0,): (1024, 1024)}, {}),
        "sqrt 0, const -2, mul 2 1": (-1, {(0,): (1024, 1024)}, {}),
        "sqrt 0, const -2, div 1 2": (-1, {(0,): (64, 64)}, {}),
        "neg 0": (0, {}, minus_x),
    }.items():
        assert form_of(Clock(), lines)[0].value() == expected, lines


def test_the_sign_of_a_factor_of_a_root() -> None:
    form, algebra = form_of(Clock())
    for sigma, signs in ((1, [1, 1, 1, -1, -1, -1, -1]), (-1, [-1, -1, -1, 1, 1, 1, 1]), (0, [0] * 7)):
        form._nodes[0] = sigma, {}, {(): (256, 512)}
        factors = (0, 5), (0, 0), (3, 4), (-5, 0), (-5, -1), (-1, 0), (-1, -1)
        assert [form._scaled(0, factor, algebra.scale)[0] for factor in factors] == signs
    assert form._scaled(0, (-1, 2), algebra.scale) == (0, {}, {(): (-2, 4)})
    form._nodes[0] = -1, {(): (256, 256)}, {}
    for factor in ((-1, 1), (-1, 2), (-2, 1)):
        assert form._scaled(0, factor, algebra.scale) is None
    assert form._scaled(0, (-512, -512), algebra.scale) == (1, {(): (1024, 1024)}, {})
    assert form._scaled(0, (512, 512), algebra.divide) == (-1, {(): (64, 64)}, {})


def test_a_split_changes_its_variable_only() -> None:
    problem = parse_problem(gough_problem(1).text().encode())
    box = Scope(problem, (0,), 64).box
    proof = Proof(problem, (0,), 64, Question(Fraction(0)), box)
    for variable in range(7):
        middle = sum(box[variable]) / 2
        lower, upper = proof.split(box, variable, middle)
        assert lower == (*box[:variable], (box[variable][0], middle), *box[variable + 1 :])
        assert upper == (*box[:variable], (middle, box[variable][1]), *box[variable + 1 :])


def test_weights_of_different_exponents_are_exact() -> None:
    """x - e <= 0 twice, with the weights 3/8 and 5/2, at x = 1/2, e = 1/4: 23/32."""
    tape = TapeWriter(1)
    tape.put("const", 0)
    tape.put("add", 0, 1)
    problem = parse_problem(ProblemWriter([("x", "1/2", "1/2")], [], [("t", tape)], ["F 0 1 v0"]).text().encode())
    proof = Proof(problem, (0,), 64, Question(Fraction(1, 4)), Scope(problem, (0,), 64).box)
    terms = [RowTerm("q", 0, 0, 1, Fraction(3, 8)), RowTerm("m", 0, 0, 1, Fraction(5, 2))]
    assert proof.aggregate_bound(proof.root, proof.root.box, terms) == 23 * (1 << 64) // 32


@pytest.mark.parametrize("terms", [[(0, 1, 0, 1)], [(0, 1, 0, -1)], [(0, -1, 0, -1)], [(0, -1, 1, 1), (0, 1, 1, -1)]])
def test_products_in_order_are_allowed(terms: list[tuple[int, int, int, int]]) -> None:
    problem = parse_problem(gough_problem(1).text().encode())
    proof = Proof(problem, (0,), 64, Question(Fraction(0)), Scope(problem, (0,), 64).box)
    row = RowTerm("m", 0, 0, 1, Fraction(1))
    proof.aggregate_bound(proof.root, proof.root.box, [row, *(Product(*key, Fraction(1)) for key in terms)])
