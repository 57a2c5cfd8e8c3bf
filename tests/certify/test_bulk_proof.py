"""The checker's arithmetic in compiled code says bit for bit what the checker says, or asks it."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from certify import exp, sqrt
from certify.bulk.bulk_proof import BulkForms, BulkProof
from certify.bulk.bulk_rows import BulkRows, NoProgram, bulk_rows, ends, quarter_turn
from certify.checker.certificate import Group
from certify.checker.interval import Undefined
from certify.checker.nodes import Product, RowTerm
from certify.checker.outcome import Rejection
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope
from certify.contractors.fixed_point.tapes import PAIR
from certify.contractors.fixed_point.wide import LIMBS, integer, limbs
from certify.problems.formulas.expression import cos, norm, sin
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, at_middles, trace
from certify.proofs.bulk_witness import rows_needed
from certify.proofs.problem_replay import Proving

UNKNOWNS, MEASURED = {"a": (), "b": (), "c": ()}, {"v": (), "w": (), "l": ()}


def leg(x, m):
    return norm([x.a + sin(m.v) * m.w, x.b * cos(m.v) - 2, x.c - m.w]) - m.l - x.a


def negative_root(x, m):
    return Fraction(-3, 2) * norm([x.a, x.b - m.v, m.w]) / 7 + x.c * m.l


def polynomial(x, m):
    return (x.a * x.b - x.c * x.c * m.v) / (m.w * m.w + Fraction(1, 2)) - m.l * m.l * x.a + sqrt(m.l)


def shared(x, m):
    return (x.a - m.v * m.w) * (x.b + sin(m.v * m.w)) + cos(m.l / 3) - x.c


def turned(x, m):
    """A rotation, and what is divided by an unknown."""
    return cos(x.a + m.v) * x.b - sin(x.c - x.a * m.w) * (x.b - 3) + sqrt(x.c * x.c + m.l) / (x.a + 4) - x.a


MODELS = [leg, negative_root, polynomial, shared, turned]


def a_problem(rng, *models):
    """Rows of some models, with measurements of all widths, some of them used twice and some exact."""
    rows = 3
    variables = tuple(Variable(name, "1", Fraction(-1), Fraction(1)) for name in UNKNOWNS)
    columns, families = [], []
    for number, model in enumerate(models):
        tape = trace(model, UNKNOWNS, MEASURED)
        bindings = [Binding(False, i) for i in range(3)]
        for name in MEASURED:
            middles = [Fraction(rng.randint(1, 4000), 1000) for _ in range(rows)]
            widths = [Fraction(rng.choice((0, 1, 30, 900)), 1000) for _ in range(rows)]
            columns.append(
                Column(
                    f"{name}{number}",
                    "1",
                    tuple(m - w for m, w in zip(middles, widths, strict=True)),
                    tuple(m + w for m, w in zip(middles, widths, strict=True)),
                )
            )
            bindings.append(Binding(True, len(columns) - 1))
        if rng.random() < 0.3:
            bindings[-1] = bindings[-2]
        families.append(Family(f"f{number}", tape, rows, tuple(bindings)))
    return Problem(variables, tuple(columns), tuple(families))


def boxes(rng):
    """A box of the three unknowns and a part of it, in dyadic numbers."""
    whole, part = [], []
    for _ in range(3):
        grid = 2 ** rng.choice((3, 10, 30))
        ends_of = sorted(Fraction(rng.randint(-grid, grid), grid) for _ in range(4))
        whole.append((ends_of[0], ends_of[3]))
        part.append((ends_of[1], ends_of[2]))
    return tuple(whole), tuple(part)


def weight(rng):
    return Fraction(rng.randint(1, 2**36), 2 ** rng.randint(0, 60))


def said(bound):
    try:
        return bound()
    except Rejection as rejection:
        return str(rejection)


@pytest.mark.parametrize("seed", range(120))
def test_bounds_are_the_checkers(seed):
    rng = random.Random(seed)
    problem, level = a_problem(rng, *rng.sample(MODELS, 2)), Fraction(rng.randint(0, 100), 1000)
    ball = Group("model", "euclidean", Fraction(1, 8), Fraction(3), ("f0", "f1"))
    squares, groups = rng.choice(((False, ()), (False, ()), (False, (ball,)), (True, ())))
    proving, question = Proving(at_middles(problem) if squares else problem), Question(level, squares, groups=groups)
    precision = rng.choice((40, 64, 112))
    scope = Scope(proving.checked, (0, 1), precision)
    fast = BulkProof(proving.checked, scope, question, scope.box, BulkForms(scope, partial(bulk_rows, scope)))
    slow = Proof(proving.checked, (0, 1), precision, question, fast.root.box)
    for _ in range(4):
        (whole, part), cells = boxes(rng), rng.choice((1, 1, 5))
        here, there = fast.prepare(fast.root, whole, cells), slow.prepare(slow.root, whole, cells)
        rows = rng.sample([(family, row, side) for family in (0, 1) for row in range(3) for side in (1, -1)], 4)
        form = rng.choice("qmt")
        terms = [RowTerm(form, *row, weight(rng)) for row in rows]
        faces = [(0, 1, 0, 1), (0, 1, 1, -1), (1, -1, 2, 1), (2, 1, 2, -1), (0, -1, 2, -1)]
        terms += [Product(*face, weight(rng)) for face in rng.sample(faces, 3)]
        expected = said(lambda: slow.aggregate_bound(there, part, terms))  # noqa: B023
        assert said(lambda: fast.aggregate_bound(here, part, terms)) == expected  # noqa: B023
        if isinstance(expected, int):
            if not squares:  # sums of squares have rows without their ends, and sizes are estimates
                assert fast.sizes(here, terms) == [sized(slow, there, term) for term in terms]
            assert fast.bound_again(here, part, terms, multiples(terms)) == expected


def multiples(terms):
    """Their weights as mantissas, some of them not odd, and exponents."""
    ratios = [term.weight.as_integer_ratio() for term in terms]
    return [(n << k % 3, 1 - d.bit_length() - k % 3) for k, (n, d) in enumerate(ratios)]


@pytest.mark.parametrize("seed", range(40))
def test_bounds_with_measurements_as_unknowns_are_the_checkers(seed):
    """Columns that families share or not, some of them exact, some used twice in a row, and rows of several numbers."""
    rng = random.Random(seed)
    problem = a_problem(rng, *rng.sample(MODELS, 2))
    first, second = problem.families
    if rng.random() < 0.8:
        some = rng.sample(range(3, 6), rng.randint(1, 3))
        bindings = [first.bindings[i] if i in some else binding for i, binding in enumerate(second.bindings)]
        problem = replace(problem, families=(first, replace(second, bindings=tuple(bindings))))
    proving, precision = Proving(problem), rng.choice((64, 112))
    ball = Group("model", rng.choice(("largest", "euclidean")), Fraction(1, 8), Fraction(3), ("f0", "f1"))
    question = Question(Fraction(rng.randint(0, 100), 1000), kind="errors", groups=rng.choice(((), (ball,))))
    scope = Scope(proving.checked, (0, 1), precision)
    further = tuple(sorted(rng.sample(scope.columns, rng.randint(1, min(4, len(scope.columns))))))
    fast = BulkProof(proving.checked, scope, question, scope.box, BulkForms(scope, partial(bulk_rows, scope)))
    slow = Proof(proving.checked, (0, 1), precision, question, fast.root.box)
    for _ in range(3):
        (whole, part), cells = boxes(rng), rng.choice((1, 1, 5))
        here, there = fast.prepare(fast.root, whole, cells), slow.prepare(slow.root, whole, cells)
        rows = rng.sample([(family, row, side) for family in (0, 1) for row in range(3) for side in (1, -1)], 6)
        form = rng.choice("qmtt")
        terms = [RowTerm(form, *row, weight(rng)) for row in rows]
        terms += [Product(0, 1, 1, -1, weight(rng)), Product(2, 1, 2, -1, weight(rng))][: rng.randint(0, 2)]
        expected = said(lambda: slow.aggregate_bound(there, part, terms, further))  # noqa: B023
        assert said(lambda: fast.aggregate_bound(here, part, terms, further)) == expected  # noqa: B023
        if isinstance(expected, int):
            assert fast.bound_again(here, part, terms, multiples(terms), further) == expected


def test_compiled_code_knows_measurements_as_unknowns(monkeypatch):
    """Otherwise the test above would compare the checker with itself."""
    asked = []
    monkeypatch.setattr(Proof, "aggregate_bound", lambda *given: asked.append(given))
    proving = Proving(a_problem(random.Random(5), polynomial, turned))
    proof = proving.proof((0, 1), Question(Fraction(1, 100)))
    small = proof.prepare(proof.root, tuple((Fraction(1, 2), Fraction(9, 16)) for _ in range(3)), 1)
    for form in "mt":
        terms = [RowTerm(form, number, row, 1, Fraction(1)) for number in (0, 1) for row in range(3)]
        assert isinstance(proof.aggregate_bound(small, small.box, terms, (0, 3)), int)
    assert not asked


def sized(proof, preparation, term):
    """A bound of the term's absolute value, monomial by monomial."""
    total = 0
    for monomial, (low, high) in proof.polynomial(preparation, term).items():
        size = max(-low, high)
        for position in monomial:
            size = size * preparation.offsets[position][1] >> proof.scope.arithmetic.precision
        total += size + 1
    return total


@pytest.mark.parametrize("form", ["q", "m", "t"])
def test_most_bounds_are_found_by_compiled_code(monkeypatch, form):
    """Otherwise the test above would compare the checker with itself."""
    asked, tried = [], 0
    monkeypatch.setattr(Proof, "aggregate_bound", lambda *given: asked.append(given))
    rng = random.Random(5)
    proving = Proving(a_problem(rng, *MODELS))
    proof = proving.proof(tuple(range(len(MODELS))), Question(Fraction(1, 100)))
    small = proof.prepare(proof.root, tuple((Fraction(1, 2), Fraction(9, 16)) for _ in range(3)), 1)
    for number in range(len(MODELS)):
        for side in (1, -1):
            tried += 1
            proof.aggregate_bound(small, small.box, [RowTerm(form, number, 0, side, Fraction(1))])
    assert len(asked) <= 4 < tried  # where w >= 0 is not proved, and a row with no such form, the checker says so


@pytest.mark.parametrize("precision", [40, 112])
def test_values_are_the_checkers_wherever_they_are_not_too_large(precision):
    """Inputs of all signs and sizes, from less than a unit to beyond what compiled code can hold."""

    def model(x, m):
        first = sin(x.a) * cos(m.v) / m.w - x.b
        return sqrt(first * first + x.c) + (x.a / x.b) * x.c - norm([x.a, m.l]) * sin(m.l)

    rng = random.Random(precision)
    tape = trace(model, UNKNOWNS, MEASURED)
    bindings = (*(Binding(False, i) for i in range(3)), *(Binding(True, i) for i in range(3)))
    columns = tuple(Column(name, "1", (Fraction(1),), (Fraction(2),)) for name in MEASURED)
    variables = tuple(Variable(name, "1", Fraction(-1), Fraction(1)) for name in UNKNOWNS)
    proving = Proving(Problem(variables, columns, (Family("f", tape, 1, bindings),)))
    scope = Scope(proving.checked, (0,), precision)
    rows, found = BulkRows(scope, 0, quarter_turn(precision)), [0, 0]
    for _ in range(600):
        sizes = [rng.choice((0, 1, precision - 3, precision, precision + 8, precision + 90)) for _ in range(6)]
        inputs = [tuple(sorted(rng.randint(-(1 << size), 1 << size) for _ in range(2))) for size in sizes]
        inputs = [(low, low) if rng.random() < 0.3 else (low, high) for low, high in inputs]
        answer, failures = rows.values([0], ends(inputs)[None, :])
        try:
            expected = scope.program(0).values(inputs)[-1]
        except Undefined:
            assert failures[0]
            continue
        found[int(failures[0])] += 1
        if not failures[0]:
            assert (integer(answer[:LIMBS]), integer(answer[LIMBS:PAIR])) == expected
    assert found[0] > 30


def test_what_has_no_program_is_the_checkers():
    """A root of the unknowns that is multiplied, and a function that only the checker has."""
    proving = Proving(a_problem(random.Random(3), lambda x, m: norm([x.a, m.w]) * x.b + m.v - m.l))
    proof = proving.proof((0,), Question(Fraction(0)))
    plain = Proof(proving.checked, (0,), 112, Question(Fraction(0)), proof.root.box)
    terms = [RowTerm("q", 0, 0, 1, Fraction(1))]
    assert proof.aggregate_bound(proof.root, proof.root.box, terms) == plain.aggregate_bound(
        plain.root, plain.root.box, terms
    )
    with pytest.raises(NoProgram):
        BulkRows(Proving(a_problem(random.Random(3), lambda x, m: exp(m.v) - x.a)).judge((0,)), 0, quarter_turn(112))


def test_numbers_have_256_bits():
    values = [0, 1, -1, 2**255 - 1, -(2**255), 12345678901234567890123456789]
    found = limbs(values)
    assert [integer(found[LIMBS * k : LIMBS * (k + 1)]) for k in range(len(values))] == values
    assert found.dtype == np.int64
    with pytest.raises(OverflowError):
        limbs([2**255])


@pytest.mark.parametrize("seed", range(20))
def test_witnesses_need_what_the_checker_says(seed):
    """Fractions at the ends and within, rising and falling, and measurements that are one for several rows."""
    rng = random.Random(seed)
    problem = a_problem(rng, rng.choice(MODELS))
    scope, values = Scope(Proving(problem).checked, (0,), 112), [Fraction(rng.randint(-9, 9), 10) for _ in range(3)]
    parts = (Fraction(0), Fraction(1), Fraction(1, 3), Fraction(3, 7))
    columns = {}
    for binding in problem.families[0].bindings:
        if binding.measured:
            columns[binding.index] = [(rng.choice(parts), rng.choice(parts)) for _ in range(3)]
    found = rows_needed(scope, 0, bulk_rows(scope)[0], values, columns)
    assert found == rows_needed(scope, 0, None, values, columns)
