"""What a certificate says of its rows is told: groups and their bounds, factors, tables, violations."""

from __future__ import annotations

import struct
from fractions import Fraction

from certify.checker import check
from certify.checker.certificate import Group, Hull
from certify.explaining.explanation import explain
from certify.explaining.explanation_json import as_json
from certify.explaining.explanation_text import claim, text
from certify.explaining.explanation_words import Files
from certify.problems.model.canonical import digest
from certify.proofs.certificate_text import Claim, document

FILES = Files("a.cert", "a.canonical", "The file given,", (), "certify check a.canonical a.cert")
POINTS = b"""certify-problem 2
variables 2
x mm -9 9
y mm -9 9
columns 2
column m mm 2
-1 1
3 5
column n mm 2
0 0
3 3
tapes 1
tape t 2 1
sub 0 1
families 2
A 0 2 v0 c0
B 0 2 v1 c1
end
"""
NOTHING = Fraction(0)


def told(canonical, tree, **said):
    """The sentences about a certificate that is checked, as one text, and its object."""
    written = document(digest(canonical), 128, Claim(**said), tree)
    outcome = check(canonical, written)
    assert outcome.status.value == "VERIFIED", outcome.message
    explanation = explain(canonical, written)
    whole = " ".join(text(explanation, FILES).split())
    assert all(sentence in whole for sentence in (" ".join(part.split()) for part in claim(explanation)))
    return whole, as_json(explanation, FILES)


def test_a_distance_is_told_as_one():
    ball = Group("model", "euclidean", Fraction(1, 2), Fraction(1), ("A", "B"))
    words, answer = told(
        POINTS, ["aggregate m0.0+2 m1.0+3 m0.1-2 m1.1-3"], scope="AB", kind="errors", groups=[ball], lower=Fraction(1)
    )
    assert "explain all 2 members of A and B with a model error of 1 mm or less" in words
    assert (
        "The model error is the least number e >= 0 with which for A and B of the rows with the same number the errors "
        "squared and added up do not exceed the square of 0.5 + e." in words
    )
    assert "Rows with the same number in one of these groups are one member" in words
    assert "the largest error that the model's equation leaves" not in words
    assert answer["kind"] == "errors"
    assert answer["groups"] == [{"role": "model", "norm": "euclidean", "bound": ["1/2", "1"], "families": ["A", "B"]}]


def test_bounds_of_their_own_have_no_unit_in_common():
    two = [
        Group("model", "rows", NOTHING, Fraction(1), ("A",)),
        Group("model", "rows", Fraction(3), Fraction(0), ("B",)),
    ]
    words, _ = told(POINTS, ["aggregate q0.0+1 q0.1-1"], scope="AB", kind="errors", groups=two, lower=Fraction(1, 2))
    assert "with which for A the error of no row exceeds e; for B the error of no row exceeds 3." in words
    assert "with a model error of 0.5 or less" in words and "0.5 mm" not in words


def test_a_factor_is_told_wherever_intervals_are():
    rows = [Group("model", "rows", NOTHING, Fraction(1), ("A", "B"))]
    words, answer = told(
        POINTS,
        ["aggregate q0.0+1 q0.1-1"],
        scope="AB",
        kind="errors",
        groups=rows,
        lower=NOTHING,
        factor=Fraction(3, 2),
    )
    assert "within their intervals, all of them 1.5 times as wide as in the problem" in words
    assert "m: +-1.5 mm (2 values)" in words and "(They are 1.5 times those in the problem" in words
    assert answer["factor"] == "3/2"
    words, _ = told(
        POINTS, ["evaluate 1 1"], scope="AB", kind="errors", groups=rows, squares=True, factor=NOTHING,
        lower=Fraction(8), point=(NOTHING, NOTHING),
    )  # fmt: skip
    assert "with the measurements at the middles of their intervals" in words


def test_a_table_is_told_as_one():
    head = b"certify-problem 3\nvariables 1\nx 1 -9 9\ncolumns 0\ntapes 0\nfamilies 1\nW table 2 v0\nend\n"
    records = struct.pack("<6d", 1.0, 0.0, 0.5, 1.0, 2.0, 2.5)
    rows = [Group("model", "rows", NOTHING, Fraction(1), ("W",))]
    words, answer = told(
        head + records, ["aggregate m0.0+1 m0.1-1"], scope="W", kind="errors", groups=rows, lower=Fraction(1, 2)
    )
    assert "W: 2 records of a table, with exact coefficients, and one measurement each" in words
    assert answer["measurements"] == []


def test_violations_are_what_the_certificate_calls_so():
    """Without the system nobody says that it is satisfied."""
    canonical = POINTS.replace(b"\n-1 1\n3 5\n", b"\n-9 -8\n").replace(b"m mm 2", b"m mm 1")
    canonical = canonical.replace(b"column n mm 2\n0 0\n3 3\n", b"column n mm 1\n8 9\n")
    canonical = (
        canonical.replace(b"A 0 2", b"A 0 1").replace(b"B 0 2 v1", b"B 0 1 v0").replace(b"y mm -9 9", b"y mm -1 1")
    )
    canonical = canonical.replace(b"x mm -9 9", b"x mm -9 7").replace(b"families 2\n", b"families 2\n")
    hull = Hull(((Fraction(-9), Fraction(-7)),))
    rows = [Group("violation", "rows", NOTHING, Fraction(1), ("A", "B"))]
    words, answer = told(
        canonical,
        ["split 0 -7", "open", "hitting 2", "evaluate 0 0", "evaluate 1 0"],
        scope="AB", kind="violations", groups=rows, within=NOTHING, hull=hull, discard=1,
    )  # fmt: skip
    assert "All points of the search box that satisfy 1 or more of the 2 conditions lie in their hull" in words
    assert "The certificate calls these conditions violations of a system" in words
    assert "satisfies all conditions of the system" not in words
    assert answer["kind"] == "violations"
