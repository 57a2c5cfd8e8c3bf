"""The paper's scheme through the public function: both ends are proved, whatever it reaches."""

from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from certify import InputError, Verdict
from certify.__main__ import main
from certify.checker import Status, check
from certify.problems.experiments.shipped import shipped


@pytest.fixture(scope="module")
def small(two_legs):
    """Leg 1 within 1 mm of its least-squares fit."""
    middles = [(v.lower + v.upper) / 2 for v in two_legs.variables[:7]]
    variables = tuple(replace(v, lower=c - 1, upper=c + 1) for v, c in zip(two_legs.variables, middles, strict=False))
    return replace(two_legs, variables=variables, families=two_legs.families[:1])


@pytest.mark.thorough
def test_both_ends_are_proved_and_enclose_ours(small):
    (ours,) = certify.adequacy(small).parts
    result = certify.adequacy(small, options=certify.Options(gap=Fraction(1, 20), time_limit=10), method="paper")
    (part,) = result.parts
    assert part.epsilon[0] <= ours.epsilon[1]
    assert part.epsilon[1] >= ours.epsilon[0]
    assert part.verdict is Verdict.INADEQUATE
    assert set(part.contractors) == {"mean-value-relaxation"}
    outcome = check(result.canonical, part.certificate)
    assert outcome.status is Status.VERIFIED, outcome.message


def test_nothing_is_claimed_where_nothing_is_proved(two_legs):
    (part,) = certify.adequacy(
        replace(two_legs, variables=two_legs.variables[:7], families=two_legs.families[:1]),
        options=certify.Options(time_limit=0.5),
        method="paper",
    ).parts
    assert part.verdict is Verdict.UNDECIDED
    assert part.epsilon[0] == 0
    assert part.epsilon[1] > 0
    assert not part.tree


def test_an_unknown_method_is_named(two_legs):
    with pytest.raises(InputError, match=r"'simplex'.*lift or paper"):
        certify.adequacy(two_legs, method="simplex")


@pytest.mark.thorough
def test_the_command_offers_the_methods_that_there_are(tmp_path, capsys, monkeypatch):
    from certify.commands import run
    from certify.questions.adequacy import METHODS

    assert set(run.METHODS) == set(METHODS)
    (tmp_path / "a.bch").write_text("Variables x in [0, 1]; Constraints x = 1/2; end")
    assert main(["run", str(tmp_path / "a.bch"), "--method", "paper"]) == 2
    assert "--method belongs to experiments" in capsys.readouterr().err
    problem = str(shipped("table_of_stewart"))
    words = ["run", problem, "--out", str(tmp_path / "out"), "--method", "paper", "--quiet"]
    assert main([*words, "--epsilon", "1 mm"]) == 2
    assert "give one of them" in capsys.readouterr().err
    asked = []
    monkeypatch.setitem(METHODS, "paper", lambda search, name: asked.append(name) or search.unknown(name))
    assert main([*words, "--workers", "1"]) == 3
    assert asked == [f"leg{number}" for number in range(1, 7)]
