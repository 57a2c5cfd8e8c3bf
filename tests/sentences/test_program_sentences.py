"""What is printed about programs is read back and held against exact truth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from reading_programs import number, read

from certify.judging_programs.judge import judge_program
from certify.records.program_records import ProgramVerdict
from certify.testing.strategies import programs


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_sentences_are_true_of_what_is_planted(planted):
    truth = planted.truth
    point = truth.point if truth.point is not None else np.zeros(planted.program.size)
    judged = judge_program(planted.program, point, "optimal")
    for line in str(judged).splitlines():
        form, words = read(line)
        if form == "minimum":
            assert truth.verdict is ProgramVerdict.OPTIMAL
            assert number(words[0]) <= Fraction(truth.minimum[1])
            assert Fraction(truth.minimum[0]) <= number(words[1])
        elif form == "margin":
            assert truth.verdict is ProgramVerdict.INFEASIBLE
            assert number(words[0]) <= Fraction(truth.margin[0]) <= number(words[1])
        elif form == "slope":
            assert truth.verdict is ProgramVerdict.UNBOUNDED
            assert number(words[0]) > 0
        elif form == "missed":
            assert truth.verdict is ProgramVerdict.INFEASIBLE
            assert number(words[0]) >= Fraction(truth.margin[0]) - Fraction(1, 2**40)
        elif form == "kept" or form == "nearly":
            assert truth.verdict is not ProgramVerdict.INFEASIBLE
        elif form == "certificate":
            held(planted, words)


def held(planted, words):
    """What a certificate is said to show."""
    _, name, end = words
    if name == "infeasible":
        assert number(end) <= Fraction(planted.truth.margin[0])
    elif name == "lower":
        assert number(end) < Fraction(planted.truth.minimum[1])
    else:
        assert number(end) >= Fraction(planted.truth.minimum[0])


def test_only_what_the_checker_accepted_is_called_proved():
    from certify.problems.programs.program import program

    judged = judge_program(program([1.0], [[1.0]], [0.1]))
    assert "Proved" not in str(judged)
    assert str(judged.checked()).count("Proved, checked by a separate process") == 2
    assert "Proved" not in str(judged.standing(()))


def test_a_sentence_that_nobody_knows_is_an_error():
    with pytest.raises(AssertionError, match="no reader knows"):
        read("Optimal: the minimum is about 3.")
