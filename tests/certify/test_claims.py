"""Words come from proofs in one place: no claim without its check, ends and gaps on the safe side, and nobody else says
proved.
"""

import ast
import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from certify import Options, adequacy, enclose, fewest_discards, least_squares
from certify.__main__ import main
from certify.checks import checking
from certify.checks.checking import REJECTED, RESOURCE, Check
from certify.claims import proved_words
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

ROOT = Path(__file__).parents[2]
CLAIM = re.compile(
    r"\b(proved(?! checker)|verified|at most|at least|yes)\b|\bno (value|solution|point|parameters)\b|\bno: "
)
SAY_SO = re.compile(
    r"certify/(claims/(\w+/)?(\w*claims|proved_words)|explaining/explanation\w*|checker\w*/\w+|commands/(\w+/)?\w+|"
    r"testing/(contract|enclosing|fitting)|__main__)\.py"  # what contradicts a truth that was planted, exactly
)
ON_THE_WAY = {
    "certify/command.py",
    "certify/parts/tightening.py",
}  # what progress says of proofs that are replayed already


def sentences(path):
    """The texts of a module that are neither documentation, nor keys, nor refusals of an input."""
    tree = ast.parse(path.read_text())
    left_out = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            left_out |= {id(inner) for inner in ast.walk(node)}
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            left_out.add(id(node.body[0].value))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in left_out
            and " " in node.value
        ):
            yield node.value


@pytest.mark.parametrize("path", sorted((ROOT / "certify").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_claims_say_that_something_is_proved(path):
    name = str(path.relative_to(ROOT))
    if not SAY_SO.fullmatch(name) and name not in ON_THE_WAY:
        assert [text for text in sentences(path) if CLAIM.search(text)] == []


def part(lower, upper, verdict, certificate=b"text"):
    ends = Fraction(lower), None if upper is None else Fraction(upper)
    return Part("leg1", ("leg1",), verdict, Stopped.FINISHED, ends, "mm", None, (), ("tree",), certificate, 1.0)


def test_a_fit_is_told_no_only_where_a_positive_need_is_proved():
    assert proved_words.this_value(part(0, 0, Verdict.ADEQUATE)) == "yes (witness)"
    assert proved_words.this_value(part("0.25", "0.26", Verdict.INADEQUATE)) == "no: needs > 0.25 mm (proved)"
    assert proved_words.this_value(part(0, "0.26", Verdict.UNDECIDED)) == "undecided: needs <= 0.26 mm (witness)"
    assert proved_words.this_value(part(0, None, Verdict.UNDECIDED)) == "undecided"


def test_without_the_checkers_word_nothing_is_left_of_a_claim():
    claimed = part("0.25", "0.26", Verdict.INADEQUATE)
    assert claimed.standing({b"text"}) is claimed
    left = claimed.standing({b"another text"})
    assert (left.verdict, left.epsilon, left.stopped) == (Verdict.UNDECIDED, (0, None), Stopped.UNCHECKED)
    assert (proved_words.any_value(left), proved_words.band(left), proved_words.gap_text(left)) == (
        "undecided",
        "not known",
        "",
    )


@pytest.mark.parametrize("digits", range(1, 9))
def test_gaps_and_ends_are_rounded_outwards(digits):
    lower, upper = Fraction(10**digits - 3, 3 * 10**digits), Fraction(1, 3)
    told = part(lower, upper, Verdict.INADEQUATE)
    assert Fraction(proved_words.gap_text(told)) >= (upper - lower) / upper
    assert Fraction(told.gap) >= (upper - lower) / upper
    low, high = proved_words.band(told).removesuffix(" mm").split(" .. ")
    assert Fraction(low) <= lower
    assert Fraction(high) >= upper
    share = Fraction(1, 3 * 10**digits)
    assert (
        Fraction(proved_words.percent_up(share).rstrip("%"))
        >= 100 * share
        > Fraction(proved_words.percent_down(share).rstrip("%"))
    )


@pytest.mark.parametrize(
    "share", [Fraction(1, 3 * 10**400), Fraction(123456, 10**325), Fraction(1, 3 * 10**7), Fraction(1, 3)]
)
def test_a_share_is_not_told_to_be_smaller_than_it_is(share):
    """Of many unknowns a box may be a share that no double holds, which is not nothing."""
    assert share <= Fraction(proved_words.share_up(share)) < share * Fraction(101, 100)


def test_what_was_searched_and_not_checked_is_not_told_as_done():
    parts = [
        replace(part(0, None, Verdict.UNDECIDED), name=name, stopped=why) for name, why in zip("abc", SOME, strict=True)
    ]
    assert proved_words.ended_early(parts, 3.2) == [
        "time limit after 3 s: a done; b searched, not checked; c not known so far."
    ]


SOME = (Stopped.FINISHED, Stopped.UNCHECKED, Stopped.TIME)


@pytest.mark.thorough
@pytest.mark.parametrize("question", [adequacy, enclose, partial(fewest_discards, epsilon=3), least_squares])
def test_a_result_can_be_checked(question, two_legs):
    if question is not adequacy:  # which answers for the two legs together, too
        two_legs = replace(two_legs, families=two_legs.families[:1], variables=two_legs.variables[:7])
    found = question(two_legs, options=Options(gap=Fraction(1, 100), splits=50))
    checked = found.checked()
    assert checked.parts == found.parts
    assert checked.canonical == found.canonical
    assert all(part.verdict is not Verdict.UNDECIDED for part in checked.parts)
    damaged = replace(found, canonical=found.canonical.replace(b"certify-problem", b"certify-riddle"))
    assert all(part.verdict is Verdict.UNDECIDED for part in damaged.checked().parts)


@pytest.mark.thorough
@pytest.mark.parametrize(("code", "expected"), [(REJECTED, 1), (RESOURCE, 3)])
def test_what_the_checker_does_not_confirm_is_undecided_everywhere(code, expected, monkeypatch, tmp_path, capsys):
    """One of the certificates is not confirmed: its leg is undecided in the table, the record and the exit code."""

    said = checking._said

    def another_word(certificate, *rest):
        if certificate.name == "leg3.cert":
            return Check(certificate.name, code, "RESOURCE no time", 0.0)
        return said(certificate, *rest)

    monkeypatch.setattr(checking, "_said", another_word)
    robot = ["--robot", "planar_3rpr", "--error", "backlash"]
    assert main(["simulate", *robot, "--out", str(tmp_path / "robot"), "--quiet"]) == 0
    path, out = tmp_path / "robot" / "problem.toml", tmp_path / "out"
    assert main(["run", str(path), "--gap", "0.1", "--out", str(out), "--quiet"]) == expected
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("leg3 "))
    assert re.fullmatch(
        r"leg3 +undecided +not known +no: needs > [0-9.]+ mm \(proved\) +NOT VERIFIED \(RESOURCE no time\)", row
    )
    record = json.loads((out / "result.json").read_text())
    told = {part["name"]: part for part in record["parts"]}
    assert told["leg3"]["verdict"] == "undecided"
    assert told["leg3"]["verified"] is False
    assert told["leg3"]["epsilon"] == [0.0, None]
    assert told["leg3"]["message"] == "RESOURCE no time"
    assert told["leg2"]["verdict"] == "inadequate"
    assert record["exit_code"] == expected
    witnesses = {
        line.split(",")[0].partition(".")[0]: line.split(",")[4]
        for line in (out / "parameters.csv").read_text().splitlines()[1:]
    }
    assert witnesses["leg3"] == ""
    assert witnesses["leg2"]


@pytest.mark.parametrize("exponent", [0, 12, 39, 40, 41, 300])
def test_an_end_next_to_nothing_is_no_row_of_zeros(exponent):
    value = Fraction(2, 3) / 10**exponent
    lower, upper = proved_words.lower_text(value, 9), proved_words.upper_text(value, 9)
    assert Fraction(lower) < value < Fraction(upper)
    assert Fraction(upper) - Fraction(lower) <= value / 10**8
    assert max(len(lower), len(upper)) <= 55
