"""Trimming: a shorter certificate of the same claim, accepted by the checker; what must not be left out stays."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.checker import Status, check
from certify.checker.certificate import parse_certificate
from certify.checker.interval import Undefined
from certify.checker.nodes import Aggregate, RowTerm, parse_node
from certify.checker.rules import Question
from certify.checker.scope import Scope
from certify.checker.text import dyadic as read_dyadic
from certify.checker.witness import needed
from certify.contractors.protocol import contractor as narrowing
from certify.contractors.protocol.contractor import Cut, Evaluate
from certify.problems.model.model import Binding, Family, Problem, Variable, trace
from certify.proofs import problem_replay, trimming
from certify.proofs.certificate_text import dyadic, letters_of, node_line, scaled
from certify.proofs.problem_replay import Proving
from certify.proofs.trimming import short_witness
from certify.proofs.witnesses import near
from certify.solvers.proof.trace import Branch, Prepared, Refuted, Steps

BOTH = (Binding(False, 0), Binding(False, 1))


@pytest.fixture(scope="module")
def proving():
    """x^2 + y^2 = 25 and x - y = 1 in [-6, 8] x [5.5, 6]: no solution; the circle is too far anywhere, the line for x
    <= 6.
    """
    circle = trace(lambda x, m: x.x * x.x + x.y * x.y - 25, {"x": (), "y": ()}, {})
    line = trace(lambda x, m: x.x - x.y - 1, {"x": (), "y": ()}, {})
    sides = (Variable("x", "1", Fraction(-6), Fraction(8)), Variable("y", "1", Fraction(11, 2), Fraction(6)))
    return Proving(Problem(sides, (), (Family("circle", circle, 1, BOTH), Family("line", line, 1, BOTH))))


def verified(proving, tree):
    text = proving.document((0, 1), Fraction(0), None, None, tree)
    outcome = check(proving.canonical, text)
    assert outcome.status is Status.VERIFIED, outcome.message


CIRCLE, LINE = Refuted(Evaluate(0, 0)), Refuted(Evaluate(1, 0))


@pytest.mark.parametrize(
    "steps",
    [
        Steps([], Branch(0, 1.0, Steps([], CIRCLE), Steps([], CIRCLE))),
        Steps([], Branch(0, 1.0, Steps([], LINE), Steps([], CIRCLE))),
        Steps([], Branch(0, 1.0, Steps([], Branch(1, 5.75, Steps([], LINE), Steps([], LINE))), Steps([], CIRCLE))),
        Steps([Prepared(1), Prepared(4), Cut(0, 1.0, True, Evaluate(1, 0))], CIRCLE),
    ],
    ids=["both halves", "one half", "upwards", "a cut"],
)
def test_a_half_that_refutes_the_whole_box_takes_its_place(proving, steps):
    tree = proving.tree((0, 1), Fraction(0), steps)
    assert tree == ["evaluate 0 0"]
    verified(proving, tree)


def test_a_subtree_takes_the_place_of_a_box_that_was_cut():
    """x = 1 and x = -1 in [-2, 2]: both halves are needed, the cut before is not."""
    rows = [trace(lambda x, m, c=c: x.x - c, {"x": ()}, {}) for c in (1, -1)]
    families = tuple(Family(f"r{k}", tape, 1, (Binding(False, 0),)) for k, tape in enumerate(rows))
    proving = Proving(Problem((Variable("x", "1", Fraction(-2), Fraction(2)),), (), families))
    halves = Branch(0, 0.0, Steps([], Refuted(Evaluate(0, 0))), Steps([], Refuted(Evaluate(1, 0))))
    tree = proving.tree((0, 1), Fraction(0), Steps([Cut(0, 1.5, False, Evaluate(1, 0))], halves))
    assert tree == ["split 0 0", "evaluate 0 0", "evaluate 1 0"]
    verified(proving, tree)


def test_what_is_open_stays(proving):
    """The upper half would refute everything, but the claim is what the search left undecided."""
    hull, tree = proving.enclosure((0, 1), Fraction(0), Steps([], Branch(0, 1.0, Steps(), Steps([], CIRCLE))))
    assert tree == ["split 0 1", "open", "evaluate 0 0"]
    assert hull == ((-6, 1), (Fraction(11, 2), 6))


def test_only_preparations_that_are_used_are_written(proving):
    far = narrowing.Aggregate((narrowing.RowTerm("m", 1, 0, -1, 1.0),), ())
    narrow = Cut(0, -4.0, True, far)  # y - x - 1 is 8.5 there
    steps = Steps([Prepared(1), narrow, Prepared(1), Prepared(9)], Refuted(far))
    box = proving.judge((0, 1)).box
    proof = proving.proof((0, 1), Question(Fraction(0)), ((box[0][0], Fraction(2)), box[1]))
    lines = problem_replay.Replay(proof).run(steps)
    assert lines == ["split 0 -4", "aggregate m1.0-1", "prepare 9", "aggregate m1.0-1"]


def tree_of(part):
    lines = part.certificate.decode().splitlines()
    return lines[lines.index("tree") + 1 : -1]


def test_weights_are_short_and_a_quarter_of_the_margin_is_left(two_legs, certified, monkeypatch):
    """Replayed once more without trimming: the same tree but for weights, terms and preparations."""
    kept = []
    monkeypatch.setattr(
        problem_replay, "trim", lambda proof, nodes: kept.append((proof, nodes)) or trimming.trim(proof, nodes)
    )
    from certify.parts.part_search import PartSearch
    from certify.parts.scopes import start_point
    from certify.records.options import Options

    proving = Proving(two_legs)
    search = PartSearch(proving, (0,), Options(gap=Fraction(1, 10**6)), start_point(two_legs, None))
    lower = certified.part("leg1").epsilon[0] * Fraction(99, 100)
    lines = proving.tree((0,), lower, search.refute(lower).steps)
    ((proof, nodes),) = kept
    before = [node_line(placed.node) for placed in nodes]
    assert sum(map(len, lines)) < 0.75 * sum(map(len, before))
    leaves = [parse_node(line.split(" ")) for line in lines if line.startswith("aggregate")]
    placed = [one for one in nodes if isinstance(one.node, Aggregate)]
    assert len(leaves) == len(placed)
    for leaf, old in zip(leaves, placed, strict=True):
        terms = {term._replace(weight=Fraction(1)) for term in leaf.terms}
        assert terms <= {term._replace(weight=Fraction(1)) for term in old.node.terms}
        bound = proof.aggregate_bound(old.preparation, old.box, leaf.terms)
        assert bound > 0
        ratio = max(term.weight for term in leaf.terms) / max(
            term.weight for term in old.node.terms
        )  # the common power of two, nearly
        assert bound / ratio > old.bound / 5
    for text in (proving.document((0,), lower, None, None, tree) for tree in (lines, before)):
        assert check(proving.canonical, text).status is Status.VERIFIED


def test_certificates_of_legs_are_small(certified):
    for part in certified.parts:
        assert len(part.certificate) < 60_000
        assert check(certified.canonical, part.certificate).status is Status.VERIFIED


def test_an_aggregate_without_margin_keeps_its_weights(proving):
    box = ((Fraction(0), Fraction(1, 8)), proving.judge((0, 1)).box[1])
    proof = proving.proof((0, 1), Question(Fraction(0)), box)
    weight = Fraction(3602879701896397)  # 53 bits
    for bound, exact in ((1, True), (1 << 160, False)):  # what the sum is said to be above 0 by
        node = Aggregate((RowTerm("q", 0, 0, 1, weight),))
        (line,) = trimming.trim(proof, [trimming.Placed(node, box, proof.root, bound)])
        (term,) = parse_node(line.split(" ")).terms
        ratio = term.weight / weight
        assert (
            ratio.numerator & (ratio.numerator - 1) == 0 and ratio.denominator & (ratio.denominator - 1) == 0
        ) is exact


@given(
    st.integers(1, 2**60).map(lambda mantissa: Fraction(mantissa, 2**30)),
    st.integers(1, 2**200),
    st.integers(1, 2**200),
)
def test_rounded_weights_change_the_sum_by_less_than_allowed(weight, size, change):
    mantissa, exponent = trimming._rounded(weight, size, change)
    assert abs(mantissa * Fraction(2) ** exponent - weight) * size <= change


@given(st.integers(-(2**60), 2**60), st.integers(-200, 200))
def test_dyadic_numbers_are_written_as_the_checker_reads_them(mantissa, exponent):
    text = scaled(mantissa, exponent)
    value = mantissa * Fraction(2) ** exponent
    assert read_dyadic(text) == value
    assert text == dyadic(value)
    if value.denominator == 1 and abs(value) < 2**40:
        assert len(text) <= len(str(value))


def fractions_of(certificate):
    return [
        value
        for _, tokens in parse_certificate(certificate).witness.columns
        for pair in tokens
        for value in pair
        if value is not None
    ]


@pytest.mark.thorough
def test_fractions_of_a_witness_are_short(certified):
    """Only the rows that need all of the error, or nearly, have fractions of many digits."""
    for part in certified.parts:
        inner = [value for value in fractions_of(part.certificate) if 0 < value < 1]
        assert sum((value * 10**12).denominator != 1 for value in inner) <= 16


def test_a_witness_stays_within_its_error(two_legs, start):
    scope = (0, 1)
    proving = Proving(two_legs)
    judge = proving.judge(scope)
    rough = near(two_legs, scope, start)
    columns = {
        c: tuple((s + (t - s) / 3, t + (s - t) / 3) if c < 6 else (s, t) for s, t in pairs)
        for c, pairs in rough.columns.items()
    }
    shared = {c: tuple((s, s) for s, _ in pairs) if c < 6 else pairs for c, pairs in columns.items()}
    witness = replace(
        rough, columns={c: tuple((round(s, 18), round(t, 18)) for s, t in pairs) for c, pairs in shared.items()}
    )
    needed = proving.needed(scope, witness)
    for upper in (needed, needed * Fraction(11, 10)):
        short = short_witness(judge, witness, upper)
        assert proving.needed(scope, short) <= upper
    assert sum(map(len, map(str, short.columns.values()))) < sum(map(len, map(str, witness.columns.values())))
    assert short_witness(judge, witness, needed / 2**20) == witness or proving.needed(scope, witness) > 0


def test_a_row_that_cannot_be_enclosed_keeps_its_fractions(proving, monkeypatch):
    root = trace(lambda x, m: m.y / (m.y - x.u), {"u": ()}, {"y": ()})
    from certify.problems.model.model import Column

    family = Family("f", root, 1, (Binding(False, 0), Binding(True, 0)))
    problem = Problem(
        (Variable("u", "1", Fraction(0), Fraction(1)),), (Column("y", "1", (Fraction(0),), (Fraction(1),)),), (family,)
    )
    scope = Scope(Proving(problem).checked, (0,), 112)
    with pytest.raises(Undefined):
        needed(scope, 0, 0, (Fraction(1, 3),), {0: Fraction(1, 3)}, {0: Fraction(1, 3)})
    third = Fraction(333333333333333333, 10**18)
    assert trimming._needed(scope, 0, 0, (Fraction(33, 100),), {0: (Fraction(33, 100), Fraction(33, 100))}) is None
    assert trimming._needed(scope, 0, 0, (Fraction(33, 100),), {0: (third, third)}) is not None


@given(st.lists(st.tuples(st.integers(1, 2**80), st.integers(-900, 900)), max_size=4), st.integers(-900, 900))
def test_letters_are_counted_as_they_are_written(multiples, power):
    written = sum(len(scaled(mantissa, exponent - power)) for mantissa, exponent in multiples)
    assert letters_of(multiples)(power) == written
