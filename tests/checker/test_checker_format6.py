"""Version 6: valid certificates are VERIFIED, each side condition is violated by forged ones, planted truths are never
refuted; what version 5 says stays as it is.
"""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from checker_texts import ProblemWriter, certificate6, judge, refusal, reject, table
from exact_rows import Singular, exact, interval, random_tape, shrink, weight, within
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from texts import further, groups, intervals, many, pieces, rules, tables

from certify.checker import Status
from certify.checker.certificate import Group
from certify.checker.interval import Arithmetic, Interval
from certify.checker.nodes import Aggregate, Evaluate, Product, RowTerm
from certify.checker.outcome import Clock, ResourceLimit
from certify.checker.polynomial import Algebra, Polynomial
from certify.checker.problem import END, Records, binary, parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope

MODULES = {
    "groups": groups,
    "further": further,
    "tables": tables,
    "intervals": intervals,
    "many": many,
    "pieces": pieces,
}
VALID = [(word, name) for word, module in MODULES.items() for name in module.VALID]
FORGED = [(word, name) for word, module in MODULES.items() for name in module.FORGED]
UNITS = 4 * (2 * 2**9 + 99)  # of a table's row: an end of each variable is one off, times its coefficient
SMOOTH = ("add", "sub", "mul", "neg", "sqr", "const", "div")


@pytest.mark.parametrize(("word", "name"), VALID)
def test_valid_certificates_are_verified(word: str, name: str) -> None:
    outcome = judge(*MODULES[word].VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.parametrize(("word", "name"), FORGED)
def test_forged_certificates_are_rejected(word: str, name: str) -> None:
    reject(*MODULES[word].FORGED[name])


def test_the_verdict_is_said_in_words() -> None:
    assert judge(*groups.VALID["both ends"]).message == (
        "VERIFIED errors, scope A B, in the box of 2 variables: for no unknowns and measurements within their bounds "
        "all members of the groups are within their bounds b(e), e <= lower = 2.49; for some unknowns and measurements "
        "within their bounds all members of the groups are within their bounds b(e), e <= upper = 2.5"
    )
    assert "measurements within their bounds 2 times as wide" in judge(*groups.VALID["twice the half-widths"]).message
    assert judge(*groups.VALID["one row"]).message.startswith(
        "VERIFIED errors, scope A B, in the box of 2 variables: for no unknowns and measurements within their bounds "
        "in all rows |r| is <= lower = 1.99"
    )


def test_what_version_5_says_is_said_by_version_6_too() -> None:
    """The same rows, one by one, with the bound e."""
    for name, old in rules.VALID.items():
        problem_text = rules.PROBLEM_OF.get(name, rules.LINE)
        scope = next(line for line in old.split("\n") if line.startswith("scope "))
        lines = ["claim errors", "groups 1", f"group model rows 0 1 {scope.removeprefix('scope ')}"]
        new = old.replace("certify-certificate 5", "certify-certificate 6").replace(scope, "\n".join(lines))
        new = new.replace("\nnorm largest", "\nfactor 1\nnorm largest", 1)
        assert judge(problem_text, new).status is judge(problem_text, old).status is Status.VERIFIED


# Planted members


def planted(rng: random.Random) -> tuple[ProblemWriter, int]:
    """Three families of as many rows in the same two variables and two columns, which they share."""
    rows = rng.choice((1, 2))
    writer = ProblemWriter([(f"x{i}", *interval(rng)) for i in range(2)])
    writer.columns = [(f"m{i}", [interval(rng) for _ in range(rows)]) for i in range(2)]
    writer.tapes = [(f"t{k}", random_tape(rng, 4, SMOOTH, rng.randint(1, 5))) for k in range(3)]
    writer.families = [f"F{k} {k} {rows} v0 v1 c0 c1" for k in range(3)]
    return writer, rows


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**9), precision=st.sampled_from((8, 10, 12)))
def test_a_planted_member_is_never_refuted(seed: int, precision: int) -> None:
    """b(level) is the largest norm at a planted (x, M), up to 2^-60: no leaf on any box around x is proved, whatever is
    shared, and whether shared measurements are unknowns or not.
    """
    rng = random.Random(seed)
    writer, rows = planted(rng)
    parsed = parse_problem(writer.text().encode())
    x = [within(rng, variable.bounds) for variable in parsed.variables]
    m = [[within(rng, column.entries[k]) for column in parsed.columns] for k in range(rows)]
    try:
        squares = [sum(exact(parsed, family, [*x, *m[k]]) ** 2 for family in range(3)) for k in range(rows)]
    except Singular:
        return
    reached = Fraction(math.isqrt(math.floor(max(squares) * 4**60)) + 1, 1 << 60)
    scale = rng.choice((Fraction(1), Fraction(2), Fraction(1, 3)))
    level = rng.choice((reached, reached / 2)) / scale
    group = Group("model", "euclidean", reached - scale * level, scale, ("F0", "F1", "F2"))
    box = Scope(parsed, (0, 1, 2), precision).box
    proof = Proof(parsed, (0, 1, 2), precision, Question(level, groups=(group,), kind="errors"), box)
    preparation = proof.root
    for _ in range(4):
        keys = {(rng.randrange(3), rng.randrange(rows)) for _ in range(rng.randint(1, 5))}
        terms = [RowTerm(rng.choice("qmt"), *key, rng.choice((1, -1)), weight(rng)) for key in sorted(keys)]
        products = [Product(0, 1, 1, rng.choice((1, -1)), weight(rng))] if rng.random() < 0.3 else []
        unknown = rng.choice(((), (0,), (1,), (0, 1)))
        assert refusal(proof, preparation, box, Aggregate((*terms, *products), unknown)) is not None
        for family in range(3):
            assert all(refusal(proof, preparation, box, Evaluate(family, k)) is not None for k in range(rows))
        box = shrink(rng, box, x)
        if rng.random() < 0.5:
            preparation = proof.prepare(preparation, box, rng.choice((1, 2)))


# Tables


def test_the_text_ends_where_the_first_line_end_does() -> None:
    """Records may hold any bytes, those of a line `end` too."""
    value = struct.unpack("<d", b"\nend\n\n\n@")[0]
    text = table(tables.TEXT, [(value, 1.0, value, value)] * 3)
    parsed = parse_problem(text.encode())
    assert text.encode().count(END) > 1
    assert [column.entries[2] for column in parsed.columns] == [
        (Fraction(value),) * 2,
        (Fraction(1),) * 2,
        (Fraction(value),) * 2,
    ]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_a_table_is_what_columns_of_decimals_are(seed: int) -> None:
    """The same enclosures, row by row, as from a family with a tape and columns."""
    rng = random.Random(seed)
    size, rows = rng.randint(1, 4), rng.randint(1, 3)
    records = [
        [rng.uniform(-2, 2) * 2.0 ** rng.randint(-60, 9) for _ in range(size)]
        + sorted(rng.uniform(-3, 3) for _ in "ab")
        for _ in range(rows)
    ]
    names = " ".join(f"v{i}" for i in range(size))
    writer = ProblemWriter([(f"x{i}", *interval(rng)) for i in range(size)], families=[f"W table {rows} {names}"])
    parsed = parse_problem(table(writer.text(), records).encode())
    box = Scope(parsed, (0,), 64).box
    proof = Proof(parsed, (0,), 64, Question(Fraction(1)), box)
    for row, record in enumerate(records):
        *a, low, high = map(Fraction, record)
        ends = [sorted((v * bounds[0], v * bounds[1])) for v, bounds in zip(a, box, strict=True)]
        least, most = sum(pair[0] for pair in ends) - high, sum(pair[1] for pair in ends) - low
        found = proof.scope.program(0).values(proof.scope.inputs(proof.scope.program(0), row, proof.scope.outward(box)))
        assert found[-1][0] <= least * (1 << 64) < found[-1][0] + UNITS
        assert found[-1][1] - UNITS < most * (1 << 64) <= found[-1][1]
        for side, end in ((1, high), (-1, low)):
            corner = proof.corner(proof.root, 0, row, side)
            assert corner.slack == 0 and abs(corner.inputs[-1][0] - end * (1 << 64)) <= 1


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_a_witness_of_a_table_is_judged_exactly(seed: int) -> None:
    """What its rows need, in rational numbers, is accepted, and nothing less, by however little; also with a factor."""
    rng = random.Random(seed)
    kind = rng.choice(("table", "intervals"))
    size, rows = rng.randint(1, 3), rng.randint(1, 3)
    x = [Fraction(rng.randint(-99, 99), rng.choice([1, 7, 64, 10**9])) for _ in range(size)]
    factor = rng.choice([Fraction(1), Fraction(0), Fraction(7, 3)])
    base, scale = rng.choice([(Fraction(0), Fraction(1)), (Fraction(2, 7), Fraction(1, 3))])
    records, needed = [], Fraction(0)
    for _ in range(rows):
        a = [rng.choice([0.0, 5e-324, rng.uniform(-2, 2) * 2.0 ** rng.randint(-80, 40)]) for _ in range(size)]
        wide = [max(v, v * rng.choice([1.0, 1.5, -2.0])) for v in a] if kind == "intervals" else a
        low, high = sorted(rng.choice([0.0, rng.uniform(-3, 3) * 2.0 ** rng.randint(-80, 40)]) for _ in "ab")
        pairs = [end for ends in zip(a, wide, strict=True) for end in ends] if kind == "intervals" else a
        records.append([*pairs, low, high])
        spread = sum((Fraction(w) - Fraction(v)) * abs(one) for v, w, one in zip(a, wide, x, strict=True))
        middle, half = (Fraction(low) + Fraction(high)) / 2, factor * (Fraction(high) - Fraction(low) + spread) / 2
        value = sum((Fraction(v) + Fraction(w)) / 2 * one for v, w, one in zip(a, wide, x, strict=True))
        needed = max(needed, (abs(value - middle) - half - base) / scale)
    names = " ".join(f"v{i}" for i in range(size))
    writer = ProblemWriter([(f"x{i}", -99, 99) for i in range(size)], families=[f"W {kind} {rows} {names}"])
    text, point = table(writer.text(), records), "values " + " ".join(map(str, x))
    for upper, status in ((needed, Status.VERIFIED), (needed * (1 - Fraction(1, 2**300)), Status.REJECTED)):
        if upper < needed or status is Status.VERIFIED:
            proof = certificate6(text, f"model rows {base} {scale} W", upper=upper, witness=[point], factor=factor)
            assert judge(text, proof).status is status


def test_a_table_is_read_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof of two records reads no other."""
    read = set[int]()
    original = Records.__getitem__
    monkeypatch.setattr(Records, "__getitem__", lambda self, row: read.add(row) or original(self, row))
    assert judge(*tables.VALID["m"]).status is Status.VERIFIED
    assert read == {0, 2}


@example(value=5e-324)
@example(value=2.2250738585072009e-308)
@example(value=2.2250738585072014e-308)
@example(value=1.7976931348623157e308)
@example(value=-0.0)
@given(value=st.floats())
def test_a_binary_number_is_read_exactly(value: float) -> None:
    data = struct.pack("<d", value)
    assert binary(data) == (Fraction(value) if math.isfinite(value) else None)
    assert binary(bytes([*data[:7], data[7] ^ 128])) == (-Fraction(value) if math.isfinite(value) else None)


def test_a_problem_is_not_larger_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    text, proof = tables.VALID["m"]
    monkeypatch.setattr("certify.checker.problem.BYTES", len(text.encode()))
    assert judge(text, proof).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.problem.BYTES", len(text.encode()) - 1)
    assert judge(text, proof).message == "REJECTED problem: text: the file is larger than 1 GiB"


def test_a_problem_without_rows_of_tapes_is_about_its_tables() -> None:
    text = table(tables.TEXT, [(1.0, 0.0, 2.0, 3.0)] * 3)
    proof = certificate6(text, "model rows 0 1 W", lower=0, upper=1, witness=["values 1 0"], tree=["aggregate m0.0-1"])
    assert "values" in proof and judge(text, proof).status is Status.REJECTED
    assert judge(text, proof.replace("lower 0", "lower none").replace("tree\naggregate m0.0-1\n", "")).status is (
        Status.VERIFIED
    )


# Further unknowns at ends


MONOMIALS = [m for n in range(4) for m in combinations_with_replacement(range(5), n)]


@given(st.integers(0, 10**9), st.sampled_from((3, 8, 64)))
def test_sums_at_ends_are_nowhere_above_the_sum(seed: int, precision: int) -> None:
    """Two variables, three further unknowns: whatever the coefficients are within their intervals, and wherever the
    unknowns are, a selection of what is left is no larger there.
    """
    rng, one = random.Random(seed), 1 << precision
    algebra = Algebra(Arithmetic(precision), Clock())
    offsets = [tuple(sorted(rng.randint(-2 * one, 2 * one) for _ in range(2))) for _ in range(5)]
    steep = {(place,): rng.choice((-9, 0, 9)) * one for place in (2, 3, 4)}
    sums = {
        monomial: tuple(sorted(rng.randint(-one, one) + steep.get(monomial, 0) for _ in range(2)))
        for monomial in {*rng.sample(MONOMIALS, rng.randint(1, len(MONOMIALS))), *steep}
    }
    left = algebra.settled(sums, offsets, (2, 3, 4))
    put = {place for place in (2, 3, 4) if any(place in m for m in sums) and not any(place in m for m in left)}
    event(f"{len(put)} at an end")
    for _ in range(4):
        d = [Fraction(rng.choice((low, high, rng.randint(low, high))), one) for low, high in offsets]
        chosen = {m: Fraction(rng.choice((low, high, rng.randint(low, high))), one) for m, (low, high) in sums.items()}
        true = sum((value * math.prod((d[place] for place in m), start=Fraction(1)) for m, value in chosen.items()))
        least = sum(
            min(Fraction(end, one) * math.prod((d[place] for place in m), start=Fraction(1)) for end in ends)
            for m, ends in left.items()
        )
        assert least <= true


@pytest.mark.parametrize(
    ("sums", "offsets", "unknowns", "left"),
    [
        # [1, 3] u at u = -2, [-3, -1] u at u = 2, and beside a constant
        ({(0,): (256, 768)}, [(-512, 256)], (0,), {(): (-1536, -512)}),
        ({(0,): (-768, -256)}, [(-256, 512)], (0,), {(): (-1536, -512)}),
        ({(0,): (256, 768), (): (1, 3)}, [(256, 512)], (0,), {(): (257, 771)}),
        # rounded outwards: 1/256 of 1/256, and 1 to 3 of -1/256
        ({(0,): (1, 1)}, [(1, 5)], (0,), {(): (0, 1)}),
        ({(0,): (256, 768)}, [(-1, 5)], (0,), {(): (-3, -1)}),
        # a slope that reaches 0 has a sign, one that exceeds it by however little has none
        ({(0,): (0, 256)}, [(-256, 512)], (0,), {(): (-256, 0)}),
        ({(0,): (-256, 0)}, [(-256, 512)], (0,), {(): (-512, 0)}),
        ({(0,): (-256, 256)}, [(-256, 512)], (0,), {(0,): (-256, 256)}),
        ({(0, 1): (1, 1)}, [(256, 512), (-1, 5)], (0,), {(0, 1): (1, 1)}),
        ({(0, 1): (-1, -1)}, [(256, 512), (-1, 5)], (0,), {(0, 1): (-1, -1)}),
        # u v + v, u from 1 to 2, v from 1 to 3: both rise; u v - 3/2 v: the second has a sign behind the first
        ({(0, 1): (256, 256), (1,): (256, 256)}, [(256, 512), (256, 768)], (0, 1), {(): (512, 512)}),
        ({(0, 1): (256, 256), (1,): (-384, -384)}, [(256, 512), (256, 768)], (1, 0), {(): (-384, -384)}),
        ({(0, 1): (256, 256), (1,): (-384, -384)}, [(256, 512), (256, 768)], (1,), None),
    ],
)
def test_ends_are_put_where_a_slope_has_a_sign(
    sums: Polynomial, offsets: list[Interval], unknowns: tuple[int, ...], left: Polynomial | None
) -> None:
    algebra = Algebra(Arithmetic(8), Clock())
    assert algebra.settled(sums, offsets, unknowns) == (sums if left is None else left)


def test_ends_are_looked_for_until_the_deadline() -> None:
    with pytest.raises(ResourceLimit):
        Algebra(Arithmetic(8), Clock(0)).settled({(0,): (256, 256)}, [(0, 256)], (0,))
